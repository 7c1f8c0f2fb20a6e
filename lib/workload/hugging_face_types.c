/* hugging_face_types.c: the families of model types, the sizes that models within models leave out,
 * and what is known not to fit. */
#include "workload/hugging_face_types.h"

/* The best known first: an unknown type is answered with as many as the message holds. */
const cszi_hf_family cszi_hf_families[] = {
    {cszi_hf_gated, &cszi_hf_gated_count},       {cszi_hf_experts, &cszi_hf_experts_count},
    {cszi_hf_plain, &cszi_hf_plain_count},       {cszi_hf_hybrids, &cszi_hf_hybrids_count},
    {cszi_hf_encoders, &cszi_hf_encoders_count}, {NULL, NULL},
};

#define SHAPE(type, hidden, ffn, layers, heads, vocab)                                             \
    {type, CSZI_HF_HIDDEN, hidden}, {type, CSZI_HF_FFN, ffn}, {type, CSZI_HF_LAYERS_SLOT, layers}, \
        {type, CSZI_HF_HEADS, heads},                                                              \
    {                                                                                              \
        type, CSZI_HF_VOCAB, vocab                                                                 \
    }
#define KV(type, kv_heads)                                                                         \
    {                                                                                              \
        type, CSZI_HF_KV_HEADS, kv_heads                                                           \
    }

/* LlamaConfig and others of transformers: LLaVA, Janus, Qwen2-Audio and PaliGemma write only what
 * differs. */
const cszi_hf_default cszi_hf_defaults[] = {
    SHAPE("llama", 4096, 11008, 32, 32, 32000),
    SHAPE("llava", 4096, 11008, 32, 32, 32000),
    SHAPE("mistral", 4096, 14336, 32, 32, 32000),
    SHAPE("qwen2", 4096, 22016, 32, 32, 151936),
    KV("qwen2", 32),
    SHAPE("qwen3", 4096, 22016, 32, 32, 151936),
    KV("qwen3", 32),
    SHAPE("gemma", 3072, 24576, 28, 16, 256000),
    KV("gemma", 16),
    SHAPE("gemma2", 2304, 9216, 26, 8, 256000),
    KV("gemma2", 4),
    SHAPE("phi3", 3072, 8192, 32, 32, 32064),
    {NULL, CSZI_HF_SLOTS, 0},
};

#define SHARED_BLOCKS "attention blocks that several layers share"
#define BOTH "attention and a state space side by side in one layer"
#define INDEXER "sparse attention with an indexer"
#define RWKV "time-mixing layers (RWKV)"
#define DELTA_CHANNELS "linear attention that decays by channel, with gates of low rank (KDA)"
#define PER_LAYER_INPUTS "embeddings of every layer and layers that share keys and values"
#define CROSS "cross-attention to images in some layers"
#define SHARED_LAYERS "layers that share their parameters"
#define DISENTANGLED "disentangled attention"
#define UNLIKE_HEADS "heads whose values are narrower than their keys"
#define ANY CSZI_HF_SLOTS

const cszi_hf_refusal cszi_hf_refused_types[] = {
    {"zamba", SHARED_BLOCKS, ANY},
    {"zamba2", SHARED_BLOCKS, ANY},
    {"falcon_h1", BOTH, ANY},
    {"hymba", BOTH, ANY},
    {"rwkv", RWKV, ANY},
    {"rwkv5", RWKV, ANY},
    {"rwkv6", RWKV, ANY},
    {"rwkv7", RWKV, ANY},
    {"recurrent_gemma", "gated linear recurrent units (RG-LRU)", ANY},
    {"kimi_linear", DELTA_CHANNELS, ANY},
    {"bailing_hybrid", "linear attention beside latent attention", ANY},
    {"bailing_moe_linear", "linear attention with norms of groups", ANY},
    {"deepseek_v32", INDEXER, ANY},
    {"deepseek_v4", INDEXER, ANY},
    {"glm_moe_dsa", INDEXER, ANY},
    {"minimax_m3", INDEXER, ANY},
    {"longcat_flash", "two attentions a layer and experts that do nothing", ANY},
    {"gemma3n", PER_LAYER_INPUTS, ANY},
    {"gemma3n_text", PER_LAYER_INPUTS, ANY},
    {"gemma4", PER_LAYER_INPUTS, ANY},
    {"gemma4_text", PER_LAYER_INPUTS, ANY},
    {"phi4flash", PER_LAYER_INPUTS, ANY},
    {"mllama", CROSS, ANY},
    {"mllama_text_model", CROSS, ANY},
    {"step3", "queries through a shared low rank (share_q_dim)", ANY},
    {"step3_text", "queries through a shared low rank (share_q_dim)", ANY},
    {"step3_vl", "queries through a shared low rank (share_q_dim)", ANY},
    {"mimo_v2_flash", UNLIKE_HEADS, ANY},
    {"mimo_v2", UNLIKE_HEADS, ANY},
    {"phi3small", "block-sparse attention", ANY},
    {"albert", SHARED_LAYERS, ANY},
    {"deberta", DISENTANGLED, ANY},
    {"deberta-v2", DISENTANGLED, ANY},
    {"xlnet", "two-stream attention", ANY},
    {"switch_transformers", "an encoder and a decoder with experts", ANY},
    {NULL, NULL, ANY},
};

const cszi_hf_refusal cszi_hf_refused_keys[] = {
    {"block_configs", "layers that differ one by one", CSZI_HF_NUMBERED},
    {"hybrid_override_pattern", "recurrent layers", CSZI_HF_MIXER},
    {"layers_block_type", "recurrent layers", CSZI_HF_MIXER},
    {"attn_type_list", "linear-attention layers", CSZI_HF_MIXER},
    {"linear_attn_config", "linear-attention layers", ANY},
    {"index_topk", INDEXER, ANY},
    {"compress_ratios", "attention over compressed tokens", ANY},
    {"hc_mult", "several residual streams (hyper-connections)", ANY},
    {"moe_latent_size", "experts behind a projection to a lower width", CSZI_HF_EXPERT_LATENT},
    {"routed_expert_hidden_size", "experts behind a projection to a lower width", ANY},
    {"mla_use_output_gate", "a gate on latent attention", ANY},
    {"attention_other_setting", "heads that differ with the window", CSZI_HF_WINDOW_HEADS},
    {"num_key_value_heads_per_layer", "heads that differ from layer to layer", ANY},
    {"cross_attention_layers", CROSS, ANY},
    {"num_kv_shared_layers", "layers that share keys and values", ANY},
    {"hidden_size_per_layer_input", "embeddings of every layer", ANY},
    {"num_memory_blocks", SHARED_BLOCKS, ANY},
    {"share_q_dim", "queries through a shared low rank", ANY},
    {NULL, NULL, ANY},
};
