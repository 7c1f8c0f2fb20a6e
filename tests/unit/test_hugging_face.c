/* test_hugging_face.c: config.json files give the published parameter counts, and wrong ones are refused.
 *
 * The configs here are written for this test from the models' shapes, with ' for ". Counts are of the unique parameters of
 * the language model. Where not said otherwise their source is the safetensors total of the Hugging Face hub as listed by
 * tetrabit/llmfit@82b3e1c4 (hf_models.json, parameters_raw). With CSZ_HF_CONFIGS set to a folder of real files, those are
 * read too.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/hugging_face.h"
#include "workload/parameters.h"

#define CAPACITY (1u << 20)

static cszi_workload workload; /* too large for a stack */
static cszi_error error;
static char buffer[CAPACITY];

static csz_status load(const char *text, size_t length)
{
    cszi_fields_init(&cszi_workload_table, &workload, sizeof workload);
    cszi_error_clear(&error);
    return cszi_workload_load_hugging_face(&workload, text, length, &error);
}

/* With ' for ". */
static csz_status load_quoted(const char *text)
{
    size_t length = strlen(text);
    ck_assert_uint_lt(length, CAPACITY);
    for (size_t i = 0; i <= length; i++)
        buffer[i] = (char)(text[i] == '\'' ? '"' : text[i]);
    return load(buffer, length);
}

static int64_t count(void)
{
    static cszi_parameters parameters;
    ck_assert_msg(cszi_workload_check(&workload, &error) == CSZ_OK, "%s", error.text);
    ck_assert_msg(cszi_workload_parameters(&workload, &parameters, &error) == CSZ_OK, "%s", error.text);
    return parameters.total;
}

#define LLAMA_8B                                                                                                        \
    "{'model_type': 'llama', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_attention_heads': 32,"               \
    " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 128256, 'tie_word_embeddings': false}"

static const struct {
    const char *name;
    int64_t parameters;
    const char *config;
} models[] = {
    {"llama-3-8b", 8030261248, LLAMA_8B},
    {"llama-3-70b", 70553706496,
     "{'model_type': 'llama', 'hidden_size': 8192, 'intermediate_size': 28672, 'num_attention_heads': 64,"
     " 'num_hidden_layers': 80, 'num_key_value_heads': 8, 'vocab_size': 128256, 'attention_bias': false}"},
    /* keras-team/keras-hub@71453d08, llama2_7b_en (the same shape) */
    {"llama-1-7b without kv heads", 6738415616,
     "{'model_type': 'llama', 'hidden_size': 4096, 'intermediate_size': 11008, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'vocab_size': 32000, 'max_sequence_length': 2048}"},
    {"llama-3.2-1b, tied", 1235814400,
     "{'model_type': 'llama', 'hidden_size': 2048, 'intermediate_size': 8192, 'num_attention_heads': 32, 'head_dim': 64,"
     " 'num_hidden_layers': 16, 'num_key_value_heads': 8, 'vocab_size': 128256, 'tie_word_embeddings': true}"},
    {"granite-3b-code, with biases", 3482503680,
     "{'model_type': 'llama', 'hidden_size': 2560, 'intermediate_size': 10240, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 49152, 'tie_word_embeddings': true,"
     " 'attention_bias': true, 'mlp_bias': true}"},
    {"mistral-7b-v0.1", 7241732096,
     "{'model_type': 'mistral', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 32000, 'sliding_window': 4096}"},
    {"mixtral-8x7b", 46702792704,
     "{'model_type': 'mixtral', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'num_local_experts': 8, 'num_experts_per_tok': 2,"
     " 'vocab_size': 32000, 'sliding_window': null, 'tie_word_embeddings': false}"},
    {"qwen2-0.5b", 494032768,
     "{'model_type': 'qwen2', 'hidden_size': 896, 'intermediate_size': 4864, 'num_attention_heads': 14,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 2, 'vocab_size': 151936, 'tie_word_embeddings': true,"
     " 'sliding_window': 32768, 'use_sliding_window': false, 'max_window_layers': 24}"},
    {"qwen1.5-moe-a2.7b", 14315784192,
     "{'model_type': 'qwen2_moe', 'hidden_size': 2048, 'intermediate_size': 5632, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 16, 'vocab_size': 151936, 'num_experts': 60,"
     " 'num_experts_per_tok': 4, 'moe_intermediate_size': 1408, 'shared_expert_intermediate_size': 5632,"
     " 'decoder_sparse_step': 1, 'mlp_only_layers': []}"},
    /* less the tied head, which the file stores again: 751632384 - 155582464 */
    {"qwen3-0.6b", 596049920,
     "{'model_type': 'qwen3', 'hidden_size': 1024, 'intermediate_size': 3072, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 28, 'num_key_value_heads': 8, 'head_dim': 128, 'vocab_size': 151936,"
     " 'tie_word_embeddings': true}"},
    {"qwen3-30b-a3b", 30532122624,
     "{'model_type': 'qwen3_moe', 'hidden_size': 2048, 'intermediate_size': 6144, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 48, 'num_key_value_heads': 4, 'head_dim': 128, 'vocab_size': 151936, 'num_experts': 128,"
     " 'num_experts_per_tok': 8, 'moe_intermediate_size': 768, 'decoder_sparse_step': 1, 'mlp_only_layers': []}"},
    {"qwen-7b", 7721324544,
     "{'model_type': 'qwen', 'hidden_size': 4096, 'intermediate_size': 22016, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'kv_channels': 128, 'vocab_size': 151936, 'no_bias': true}"},
    {"deepseek-moe-16b", 16375728128,
     "{'model_type': 'deepseek', 'hidden_size': 2048, 'intermediate_size': 10944, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 28, 'num_key_value_heads': 16, 'vocab_size': 102400, 'n_routed_experts': 64,"
     " 'n_shared_experts': 2, 'num_experts_per_tok': 6, 'moe_intermediate_size': 1408, 'first_k_dense_replace': 1}"},
    {"deepseek-v2-lite, without query rank", 15706484224,
     "{'model_type': 'deepseek_v2', 'hidden_size': 2048, 'intermediate_size': 10944, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 27, 'vocab_size': 102400, 'n_routed_experts': 64, 'n_shared_experts': 2, 'n_group': 1,"
     " 'num_experts_per_tok': 6, 'moe_intermediate_size': 1408, 'first_k_dense_replace': 1, 'q_lora_rank': null,"
     " 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    {"deepseek-v2", 235741434880,
     "{'model_type': 'deepseek_v2', 'hidden_size': 5120, 'intermediate_size': 12288, 'num_attention_heads': 128,"
     " 'num_hidden_layers': 60, 'vocab_size': 102400, 'n_routed_experts': 160, 'n_shared_experts': 2, 'n_group': 8,"
     " 'num_experts_per_tok': 6, 'moe_intermediate_size': 1536, 'first_k_dense_replace': 1, 'q_lora_rank': 1536,"
     " 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    /* less the prediction layer and the scales that the file stores: 684531386000 - 13463426304 - 41540496 */
    {"deepseek-v3", 671026419200,
     "{'model_type': 'deepseek_v3', 'hidden_size': 7168, 'intermediate_size': 18432, 'num_attention_heads': 128,"
     " 'num_hidden_layers': 61, 'vocab_size': 129280, 'n_routed_experts': 256, 'n_shared_experts': 1, 'n_group': 8,"
     " 'num_experts_per_tok': 8, 'moe_intermediate_size': 2048, 'first_k_dense_replace': 3, 'moe_layer_freq': 1,"
     " 'q_lora_rank': 1536, 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, 'v_head_dim': 128,"
     " 'num_nextn_predict_layers': 1, 'quantization_config': {'quant_method': 'fp8', 'weight_block_size': [128, 128]}}"},
    /* keras-team/keras-hub@71453d08, gpt2_presets.py */
    {"gpt2", 124439808,
     "{'model_type': 'gpt2', 'n_embd': 768, 'n_head': 12, 'n_layer': 12, 'n_positions': 1024, 'n_ctx': 1024,"
     " 'n_inner': null, 'resid_pdrop': 0.1, 'vocab_size': 50257}"},
    {"gpt2-xl", 1557611200,
     "{'model_type': 'gpt2', 'n_embd': 1600, 'n_head': 25, 'n_layer': 48, 'n_positions': 1024, 'vocab_size': 50257}"},
    /* model card */
    {"gpt-neox-20b", 20554567680,
     "{'model_type': 'gpt_neox', 'hidden_size': 6144, 'intermediate_size': 24576, 'num_attention_heads': 64,"
     " 'num_hidden_layers': 44, 'vocab_size': 50432, 'use_parallel_residual': true, 'tie_word_embeddings': false}"},
    {"pythia-70m", 70426624,
     "{'model_type': 'gpt_neox', 'hidden_size': 512, 'intermediate_size': 2048, 'num_attention_heads': 8,"
     " 'num_hidden_layers': 6, 'vocab_size': 50304}"},
    /* a printed count, found by its integer */
    {"gpt-j-6b", 6050882784,
     "{'model_type': 'gptj', 'n_embd': 4096, 'n_head': 16, 'n_layer': 28, 'n_positions': 2048, 'rotary_dim': 64,"
     " 'vocab_size': 50400, 'tie_word_embeddings': false}"},
    /* a printed count, found by its integer */
    {"starcoder-15b", 15517456384,
     "{'model_type': 'gpt_bigcode', 'n_embd': 6144, 'n_head': 48, 'n_layer': 40, 'n_positions': 8192, 'n_inner': 24576,"
     " 'multi_query': true, 'vocab_size': 49152}"},
    /* less the tied head, which the file stores again: 7217189760 - 295469056 */
    {"falcon-7b", 6921720704,
     "{'model_type': 'falcon', 'hidden_size': 4544, 'num_attention_heads': 71, 'num_hidden_layers': 32, 'bias': false,"
     " 'multi_query': true, 'new_decoder_architecture': false, 'parallel_attn': true, 'vocab_size': 65024}"},
    /* Decentralised-AI/falcon-40b, total_size / 2, less the tied head: 41835970560 - 532676608 */
    {"falcon-40b", 41303293952,
     "{'model_type': 'falcon', 'hidden_size': 8192, 'n_head': 128, 'n_layer': 60, 'n_head_kv': 8,"
     " 'new_decoder_architecture': true, 'vocab_size': 65024}"},
    {"gemma-2b", 2506172416,
     "{'model_type': 'gemma', 'hidden_size': 2048, 'intermediate_size': 16384, 'num_attention_heads': 8,"
     " 'num_hidden_layers': 18, 'num_key_value_heads': 1, 'head_dim': 256, 'vocab_size': 256000}"},
    {"gemma-2-9b", 9241705984,
     "{'model_type': 'gemma2', 'hidden_size': 3584, 'intermediate_size': 14336, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 42, 'num_key_value_heads': 8, 'head_dim': 256, 'vocab_size': 256000}"},
    {"gemma-3-1b", 999885952,
     "{'model_type': 'gemma3_text', 'hidden_size': 1152, 'intermediate_size': 6912, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 26, 'num_key_value_heads': 1, 'head_dim': 256, 'vocab_size': 262144,"
     " 'sliding_window': 512, 'sliding_window_pattern': 6}"},
    /* less the vision tower and its projector: 4300079472 - 419816304 */
    {"gemma-3-4b, defaults left out", 3880263168,
     "{'model_type': 'gemma3', 'vision_config': {'hidden_size': 1152}, 'text_config': {'model_type': 'gemma3_text',"
     " 'hidden_size': 2560, 'intermediate_size': 10240, 'num_hidden_layers': 34, 'sliding_window': 1024}}"},
    {"phi-2", 2779683840,
     "{'model_type': 'phi', 'hidden_size': 2560, 'intermediate_size': 10240, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 51200, 'qk_layernorm': false}"},
    {"phi-2, first code", 2779683840,
     "{'model_type': 'mixformer-sequential', 'n_embd': 2560, 'n_head': 32, 'n_head_kv': null, 'n_inner': null,"
     " 'n_layer': 32, 'n_positions': 2048, 'vocab_size': 51200}"},
    {"phi-3-mini", 3821079552,
     "{'model_type': 'phi3', 'hidden_size': 3072, 'intermediate_size': 8192, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 32064, 'sliding_window': 2047}"},
    /* general.parameter_count of its GGUF file */
    {"phi-mini-moe", 7647632704,
     "{'model_type': 'phimoe', 'hidden_size': 4096, 'intermediate_size': 960, 'num_attention_heads': 32, 'head_dim': 128,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'num_local_experts': 16, 'num_experts_per_tok': 2,"
     " 'attention_bias': true, 'lm_head_bias': true, 'vocab_size': 32064, 'sliding_window': 2047}"},
    {"opt-125m", 125239296,
     "{'model_type': 'opt', 'hidden_size': 768, 'ffn_dim': 3072, 'num_attention_heads': 12, 'num_hidden_layers': 12,"
     " 'max_position_embeddings': 2048, 'word_embed_proj_dim': 768, 'do_layer_norm_before': true, 'vocab_size': 50272}"},
    {"bloom-560m", 559214592,
     "{'model_type': 'bloom', 'n_embed': 1024, 'n_layer': 24, 'num_attention_heads': 16, 'vocab_size': 250880}"},
    /* mikeybellissimo/LoRA-MPT, total_size / 2 */
    {"mpt-7b", 6649286656,
     "{'model_type': 'mpt', 'd_model': 4096, 'n_heads': 32, 'n_layers': 32, 'expansion_ratio': 4, 'max_seq_len': 2048,"
     " 'learned_pos_emb': true, 'no_bias': true, 'attn_config': {'alibi': true, 'qk_ln': false,"
     " 'attn_type': 'multihead_attention'}, 'vocab_size': 50432}"},
    {"starcoder2-3b", 3030371328,
     "{'model_type': 'starcoder2', 'hidden_size': 3072, 'intermediate_size': 12288, 'num_attention_heads': 24,"
     " 'num_hidden_layers': 30, 'num_key_value_heads': 2, 'use_bias': true, 'sliding_window': 4096,"
     " 'vocab_size': 49152}"},
    {"stablelm-2-1.6b", 1644515328,
     "{'model_type': 'stablelm', 'hidden_size': 2048, 'intermediate_size': 5632, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 32, 'use_qkv_bias': true, 'vocab_size': 100352}"},
    {"olmo-1b", 1176764416,
     "{'model_type': 'olmo', 'hidden_size': 2048, 'intermediate_size': 8192, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 16, 'vocab_size': 50304, 'tie_word_embeddings': true}"},
    {"olmo-2-7b", 7298617344,
     "{'model_type': 'olmo2', 'hidden_size': 4096, 'intermediate_size': 11008, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 100352}"},
    {"olmo-3-32b", 32233522176,
     "{'model_type': 'olmo3', 'hidden_size': 5120, 'intermediate_size': 27648, 'num_attention_heads': 40,"
     " 'num_hidden_layers': 64, 'num_key_value_heads': 8, 'vocab_size': 100278}"},
    {"olmoe-1b-7b", 6919161856,
     "{'model_type': 'olmoe', 'hidden_size': 2048, 'intermediate_size': 1024, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 16, 'num_key_value_heads': 16, 'num_experts': 64, 'num_experts_per_tok': 8,"
     " 'vocab_size': 50304}"},
    {"granite-3.3-2b", 2533539840,
     "{'model_type': 'granite', 'hidden_size': 2048, 'intermediate_size': 8192, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 40, 'num_key_value_heads': 8, 'vocab_size': 49159, 'tie_word_embeddings': true}"},
    /* debaditc/kvfit@bd4ccabf models.json */
    {"gpt-oss-20b", 20914757184,
     "{'model_type': 'gpt_oss', 'hidden_size': 2880, 'intermediate_size': 2880, 'num_attention_heads': 64,"
     " 'head_dim': 64, 'num_hidden_layers': 24, 'num_key_value_heads': 8, 'num_local_experts': 32,"
     " 'num_experts_per_tok': 4, 'experts_per_token': 4, 'attention_bias': true, 'sliding_window': 128,"
     " 'vocab_size': 201088}"},
    /* less the copies of embedding and head in the prediction layer: 110468824832 - 1241513984 */
    {"glm-4.5-air", 109227310848,
     "{'model_type': 'glm4_moe', 'hidden_size': 4096, 'intermediate_size': 10944, 'num_attention_heads': 96,"
     " 'head_dim': 128, 'num_hidden_layers': 46, 'num_key_value_heads': 8, 'n_routed_experts': 128,"
     " 'n_shared_experts': 1, 'num_experts_per_tok': 8, 'moe_intermediate_size': 1408, 'first_k_dense_replace': 1,"
     " 'n_group': 1, 'attention_bias': true, 'use_qk_norm': false, 'num_nextn_predict_layers': 1,"
     " 'vocab_size': 151552}"},
    /* less the scales that the file stores: 228703644928 - 13880064 */
    {"minimax-m2", 228689764864,
     "{'model_type': 'minimax_m2', 'hidden_size': 3072, 'intermediate_size': 1536, 'num_attention_heads': 48,"
     " 'head_dim': 128, 'num_hidden_layers': 62, 'num_key_value_heads': 8, 'num_local_experts': 256,"
     " 'num_experts_per_tok': 8, 'use_qk_norm': true, 'use_routing_bias': true, 'shared_intermediate_size': 0,"
     " 'vocab_size': 200064}"},
    /* less the vision tower and its projector: 108641793536 - 871932416 */
    {"llama-4-scout", 107769861120,
     "{'model_type': 'llama4', 'text_config': {'model_type': 'llama4_text', 'hidden_size': 5120,"
     " 'intermediate_size': 8192, 'intermediate_size_mlp': 16384, 'num_attention_heads': 40, 'head_dim': 128,"
     " 'num_hidden_layers': 48, 'num_key_value_heads': 8, 'num_local_experts': 16, 'num_experts_per_tok': 1,"
     " 'interleave_moe_layer_step': 1, 'no_rope_layers': [], 'vocab_size': 202048}}"},
    {"command-r7b", 8028033024,
     "{'model_type': 'cohere2', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 256000, 'sliding_window': 4096}"},
    {"glm-4-9b", 9399951360,
     "{'model_type': 'chatglm', 'hidden_size': 4096, 'ffn_hidden_size': 13696, 'num_attention_heads': 32,"
     " 'num_layers': 40, 'multi_query_attention': true, 'multi_query_group_num': 2, 'kv_channels': 128,"
     " 'add_qkv_bias': true, 'add_bias_linear': false, 'padded_vocab_size': 151552, 'rmsnorm': true}"},
    /* yangulei/internlm-20b, total_size / 2 */
    {"internlm-20b", 20088714240,
     "{'model_type': 'internlm', 'hidden_size': 5120, 'intermediate_size': 13824, 'num_attention_heads': 40,"
     " 'num_hidden_layers': 60, 'bias': false, 'vocab_size': 103168}"},
    {"internlm2-7b", 7737708544,
     "{'model_type': 'internlm2', 'hidden_size': 4096, 'intermediate_size': 14336, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'bias': false, 'vocab_size': 92544}"},
    /* the count of the same shape as llama-1-7b but for the vocabulary: 6738415616 + 2 x 4096 x (64000 - 32000) */
    {"baichuan-7b", 7000559616,
     "{'model_type': 'baichuan', 'hidden_size': 4096, 'intermediate_size': 11008, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'vocab_size': 64000}"},
    {"smollm3-3b", 3075098624,
     "{'model_type': 'smollm3', 'hidden_size': 2048, 'intermediate_size': 11008, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 36, 'num_key_value_heads': 4, 'vocab_size': 128256, 'no_rope_layers': [1, 1, 1, 0]}"},
    {"mimo-7b, with its prediction layer", 7833409536,
     "{'model_type': 'mimo', 'hidden_size': 4096, 'intermediate_size': 11008, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 36, 'num_key_value_heads': 8, 'head_dim': 128, 'attention_bias': true,"
     " 'num_nextn_predict_layers': 1, 'vocab_size': 151680}"},
    /* IDLEOAK/openpangu-lightweight-methods, total_size / 2, less buffers: 8030892288 - 4352 */
    {"openpangu-7b", 8030887936,
     "{'model_type': 'PanguEmbedded', 'hidden_size': 4096, 'intermediate_size': 12800, 'num_attention_heads': 32,"
     " 'num_hidden_layers': 34, 'num_key_value_heads': 8, 'bias': true, 'tie_word_embeddings': false,"
     " 'vocab_size': 153376}"},
    /* By hand: no exact count is published. 40 layers of 3 x 16 x 6144 x 10752 + 6144 x 16 + 2 x 6144 x 6144
     * + 2 x 6144 x 1024 + 2 x 6144, and 2 x 100352 x 6144 + 6144: the 132B of its README. */
    {"dbrx", 131596523520,
     "{'model_type': 'dbrx', 'd_model': 6144, 'n_heads': 48, 'n_layers': 40, 'attn_config': {'kv_n_heads': 8},"
     " 'ffn_config': {'ffn_hidden_size': 10752, 'moe_num_experts': 16, 'moe_top_k': 4}, 'vocab_size': 100352}"},
    /* By hand: 104B of its README. 64 layers of 2 x 12288 x 12288 + 2 x 12288 x 1024 + 3 x 12288 x 33792 + 12288
     * + (96 + 8) x 128, and 256000 x 12288 + 12288. */
    {"command-r-plus", 103810674688,
     "{'model_type': 'cohere', 'hidden_size': 12288, 'intermediate_size': 33792, 'num_attention_heads': 96,"
     " 'num_hidden_layers': 64, 'num_key_value_heads': 8, 'use_qk_norm': true, 'vocab_size': 256000}"},
    /* By hand: 15B of its report. 32 layers of 2 x 6144 x 6144 + 2 x 6144 x 1024 + 2 x 6144 x 24576 + 4 x 6144, and
     * 2 x 256000 x 6144 + 2 x 6144. */
    {"nemotron-4-15b", 15628775424,
     "{'model_type': 'nemotron', 'hidden_size': 6144, 'intermediate_size': 24576, 'num_attention_heads': 48,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 256000}"},
    /* By hand. 24 layers of 3 x 32 x 1024 x 512 + 1024 x 32 + 2 x 1024 x 1024 + 2 x 1024 x 512 + 2 x 1024, and
     * 49155 x 1024 + 1024. */
    {"granite-3.1-1b-a400m", 1334628352,
     "{'model_type': 'granitemoe', 'hidden_size': 1024, 'intermediate_size': 512, 'num_attention_heads': 16,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 8, 'num_local_experts': 32, 'num_experts_per_tok': 8,"
     " 'vocab_size': 49155, 'tie_word_embeddings': true}"},
};

START_TEST(shapes_give_the_published_counts)
{
    csz_status status = load_quoted(models[_i].config);
    ck_assert_msg(status == CSZ_OK, "%s: %s", models[_i].name, error.text);
    ck_assert_msg(count() == models[_i].parameters, "%s: %lld, not %lld", models[_i].name, (long long)count(),
                  (long long)models[_i].parameters);
}
END_TEST

/* ---- Fields beyond the count ---- */

static int64_t window_of(int64_t layer)
{
    for (int64_t i = 0; i < workload.runs_count; i++) {
        if (layer < workload.runs[i].layers)
            return workload.kinds[workload.runs[i].layer_kind].sliding_window;
        layer -= workload.runs[i].layers;
    }
    return -1;
}

static int64_t experts_of(int64_t layer)
{
    for (int64_t i = 0; i < workload.runs_count; i++) {
        if (layer < workload.runs[i].layers)
            return workload.kinds[workload.runs[i].layer_kind].experts;
        layer -= workload.runs[i].layers;
    }
    return -1;
}

#define QWEN2(more)                                                                                                     \
    "{'model_type': 'qwen2', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': 4,"                    \
    " 'num_hidden_layers': 4, 'num_key_value_heads': 2, 'vocab_size': 1000, 'sliding_window': 32" more "}"
#define QWEN3_MOE(more)                                                                                                 \
    "{'model_type': 'qwen3_moe', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': 4,"                \
    " 'num_hidden_layers': 4, 'num_key_value_heads': 2, 'vocab_size': 1000, 'num_experts': 8, 'num_experts_per_tok': 2,"\
    " 'moe_intermediate_size': 16" more "}"
#define LLAMA4(chunk, more)                                                                                             \
    "{'model_type': 'llama4_text', 'hidden_size': 64, 'intermediate_size': 64, 'intermediate_size_mlp': 128,"           \
    " 'num_attention_heads': 4, 'num_hidden_layers': 4, 'num_key_value_heads': 2, 'vocab_size': 1000,"                  \
    " 'num_local_experts': 8, 'num_experts_per_tok': 1, 'attention_chunk_size': " chunk more "}"

/* Windows (w) and experts (e) of the first four layers. */
static const struct {
    const char *config;
    const char *windows;
    const char *experts;
} patterns[] = {
    {QWEN2(""), "....", "...."},
    {QWEN2(", 'use_sliding_window': false, 'max_window_layers': 0"), "....", "...."},
    {QWEN2(", 'use_sliding_window': true, 'max_window_layers': 3"), "...w", "...."},
    {QWEN2(", 'layer_types': ['sliding_attention', 'full_attention', 'full_attention', 'sliding_attention']"), "w..w",
     "...."},
    {QWEN3_MOE(""), "....", "eeee"},
    {QWEN3_MOE(", 'decoder_sparse_step': 2"), "....", ".e.e"},
    {QWEN3_MOE(", 'mlp_only_layers': [0, 2]"), "....", ".e.e"},
    {QWEN3_MOE(", 'use_sliding_window': true, 'sliding_window': 32"), "wwww", "eeee"},
    {LLAMA4("32", ""), "www.", "eeee"},
    {LLAMA4("32", ", 'interleave_moe_layer_step': 2"), "www.", ".e.e"},
    {LLAMA4("32", ", 'moe_layers': [1]"), "www.", ".e.."},
    {LLAMA4("32", ", 'moe_layers': []"), "www.", "...."},
    {LLAMA4("32", ", 'no_rope_layers': [0, 1, 1, 1]"), ".www", "eeee"},
    {LLAMA4("null", ", 'no_rope_layers': [0, 1, 1, 1]"), "....", "eeee"},
    {LLAMA4("32", ", 'layer_types': ['full_attention', 'chunked_attention', 'full_attention', 'full_attention']"),
     ".w..", "eeee"},
};

START_TEST(layers_follow_the_pattern)
{
    ck_assert_msg(load_quoted(patterns[_i].config) == CSZ_OK, "%s", error.text);
    for (int64_t layer = 0; layer < 4; layer++) {
        ck_assert_int_eq(window_of(layer), patterns[_i].windows[layer] == 'w' ? 32 : 0);
        ck_assert_int_eq(experts_of(layer), patterns[_i].experts[layer] == 'e' ? 8 : 0);
    }
    (void)count();
}
END_TEST

START_TEST(windows_alternate_in_gemma_2_and_leave_every_sixth_layer_in_gemma_3)
{
    ck_assert_int_eq(load_quoted("{'model_type': 'gemma2', 'hidden_size': 64, 'intermediate_size': 128,"
                                 " 'num_attention_heads': 4, 'num_hidden_layers': 4, 'num_key_value_heads': 2,"
                                 " 'vocab_size': 1000}"),
                     CSZ_OK);
    for (int64_t layer = 0; layer < 4; layer++)
        ck_assert_int_eq(window_of(layer), layer % 2 == 0 ? 4096 : 0);
    ck_assert_int_eq(load_quoted("{'model_type': 'gemma3_text', 'hidden_size': 64, 'intermediate_size': 128,"
                                 " 'num_hidden_layers': 13}"),
                     CSZ_OK);
    for (int64_t layer = 0; layer < 13; layer++)
        ck_assert_int_eq(window_of(layer), layer % 6 != 5 ? 4096 : 0);
    ck_assert_int_eq(workload.vocab, 262208);
}
END_TEST

START_TEST(deepseek_v3_has_dense_layers_latent_attention_and_groups)
{
    const cszi_layer_kind *dense = &workload.kinds[0], *mixed = &workload.kinds[1];
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(models[i].name, "deepseek-v3") == 0)
            ck_assert_int_eq(load_quoted(models[i].config), CSZ_OK);
    ck_assert_int_eq(workload.runs_count, 2);
    ck_assert_int_eq(workload.runs[0].layers, 3);
    ck_assert_int_eq(workload.runs[1].layers, 58);
    ck_assert_int_eq(dense->attention, CSZ_ATTENTION_LATENT);
    ck_assert_int_eq(dense->experts, 0);
    ck_assert_int_eq(dense->ffn, 18432);
    ck_assert_int_eq(mixed->ffn, 0);
    ck_assert_int_eq(mixed->shared_ffn, 2048);
    ck_assert_int_eq(mixed->router_groups, 8);
    ck_assert_int_eq(mixed->experts_per_token, 8);
    ck_assert_int_eq(mixed->query_rank, 1536);
    ck_assert_int_eq(mixed->router_bias, 1);
}
END_TEST

START_TEST(dropout_of_the_config_is_a_field)
{
    ck_assert_int_eq(load_quoted("{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32,"
                                 " 'vocab_size': 100, 'resid_pdrop': 0.1}"),
                     CSZ_OK);
    ck_assert_int_eq(workload.dropout, 1);
    ck_assert_int_eq(load_quoted("{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32,"
                                 " 'vocab_size': 100, 'resid_pdrop': 0.0}"),
                     CSZ_OK);
    ck_assert_int_eq(workload.dropout, 0);
}
END_TEST

START_TEST(the_outer_config_ties_embeddings_when_the_inner_is_silent)
{
#define INNER                                                                                                           \
    "'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': 4,"                     \
    " 'num_hidden_layers': 2, 'vocab_size': 100"
    ck_assert_int_eq(load_quoted("{'model_type': 'x', 'tie_word_embeddings': true, 'text_config': {" INNER "}}"), CSZ_OK);
    ck_assert_int_eq(workload.tied_embeddings, 1);
    ck_assert_int_eq(load_quoted("{'model_type': 'x', 'tie_word_embeddings': true, 'text_config': {" INNER
                                 ", 'tie_word_embeddings': false}}"),
                     CSZ_OK);
    ck_assert_int_eq(workload.tied_embeddings, 0);
    ck_assert_int_eq(load_quoted("{'model_type': 'x', 'text_config': {" INNER "}}"), CSZ_OK);
    ck_assert_int_eq(workload.tied_embeddings, 0);
}
END_TEST

START_TEST(the_model_is_replaced_and_the_job_stays)
{
    const cszi_table *table = &cszi_workload_table;
    cszi_fields_init(table, &workload, sizeof workload);
    cszi_error_clear(&error);
    ck_assert_int_eq(cszi_field_set_i64(table, &workload, cszi_table_row(table, CSZ_WORKLOAD_HEAD_BIAS), 0, 1, &error),
                     CSZ_OK);
    ck_assert_int_eq(cszi_field_set_i64(table, &workload, cszi_table_row(table, CSZ_WORKLOAD_TOKENS), 0, 1000, &error),
                     CSZ_OK);
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(cszi_field_set_i64(table, &workload, cszi_table_row(table, CSZ_WORKLOAD_LAYERS), i, 5, &error),
                         CSZ_OK);
    for (size_t i = 0; i <= strlen(LLAMA_8B); i++)
        buffer[i] = (char)(LLAMA_8B[i] == '\'' ? '"' : LLAMA_8B[i]);
    ck_assert_int_eq(cszi_workload_load_hugging_face(&workload, buffer, strlen(buffer), &error), CSZ_OK);
    ck_assert_int_eq(workload.head_bias, 0);
    ck_assert_int_eq(workload.phases_count, 1);
    ck_assert_int_eq(workload.phases[0].tokens, 1000);
    ck_assert_int_eq(workload.runs_count, 1);
    ck_assert_int_eq(count(), 8030261248);
}
END_TEST

/* ---- Errors ---- */

#define TINY(more)                                                                                                      \
    "{'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': 4,\n"                  \
    " 'num_hidden_layers': 2, 'vocab_size': 100" more "}"

static const struct {
    const char *config;
    csz_status status;
    const char *parts[3]; /* of the message */
} wrong[] = {
    {"", CSZ_ERR_SYNTAX, {"line 1, column 1"}},
    {"[]", CSZ_ERR_TYPE, {"an array", "line 1, column 1"}},
    {"3", CSZ_ERR_TYPE, {"an object", "a number"}},
    {"{}", CSZ_ERR_MISSING, {"model_type"}},
    {"{'model_type': null}", CSZ_ERR_MISSING, {"model_type"}},
    {"{'model_type': 7}", CSZ_ERR_TYPE, {"a string", "$.model_type"}},
    {"{'model_type': 'nonesuch'}", CSZ_ERR_UNKNOWN, {"'nonesuch'", "llama, mistral, mixtral", " more at line 1"}},
    {"{'model_type': '\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007"
     "\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007"
     "\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007'}",
     CSZ_ERR_UNKNOWN, {"\\x07\\x07'...", " more at line 1", "$.model_type"}},
    {"{'model_type': 'nemotron_h'}", CSZ_ERR_UNKNOWN, {"nemotron_h", "recurrent", "$.model_type"}},
    {"{'model_type': 'bert'}", CSZ_ERR_UNKNOWN, {"an encoder"}},
    {"{'text_config': 1}", CSZ_ERR_TYPE, {"an object, not a number", "$.text_config"}},
    {"{'model_type': 'llama', 'hidden_size': 64, 'vocab_size': 9, 'num_hidden_layers': 1}", CSZ_ERR_MISSING,
     {"num_attention_heads", "llama"}},
    {"{'model_type': 'gpt2', 'n_embd': 64}", CSZ_ERR_MISSING, {"vocab_size", "gpt2"}},
    {"{'model_type': 'gpt2', 'vocab_size': 64}", CSZ_ERR_MISSING, {"n_embd (or hidden_size)", "gpt2"}},
    {"{'model_type': 'gpt2', 'n_embd': 64, 'hidden_size': 65}", CSZ_ERR_CONFLICT, {"65", "64", "$.hidden_size"}},
    {"{'model_type': 'llama', 'hidden_size': null}", CSZ_ERR_MISSING, {"hidden_size", "llama"}},
    {"{'model_type': 'qwen2', 'hidden_size': 64, 'vocab_size': 9, 'num_hidden_layers': 1, 'num_attention_heads': 2,"
     " 'intermediate_size': 8}",
     CSZ_ERR_MISSING, {"num_key_value_heads", "qwen2"}},
    {TINY(", 'num_key_value_heads': 'two'"), CSZ_ERR_TYPE, {"a number, not a string", "line 2", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': 2.5"), CSZ_ERR_TYPE, {"integer", "line 2", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': Infinity"), CSZ_ERR_TYPE, {"integer", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': 0"), CSZ_ERR_RANGE, {"kv_heads", "line 2", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': -1"), CSZ_ERR_RANGE, {"-1", "$.num_key_value_heads"}},
    {TINY(", 'mlp_bias': 1"), CSZ_ERR_TYPE, {"true or false, not a number", "$.mlp_bias"}},
    {TINY(", 'mlp_bias': true, 'mlp_bias': true"), CSZ_ERR_SYNTAX, {"twice", "$.mlp_bias"}},
    {TINY(", 'layer_types': ['full_attention', 'linear_attention']"), CSZ_ERR_UNKNOWN,
     {"linear_attention", "$.layer_types[1]"}},
    {TINY(", 'layer_types': ['full_attention']"), CSZ_ERR_CONFLICT, {"1 items", "2 layers", "$.layer_types"}},
    {TINY(", 'layer_types': ['full_attention', 'full_attention', 'mamba']"), CSZ_ERR_CONFLICT, {"3 items"}},
    {TINY(", 'layer_types': ['full_attention', 3]"), CSZ_ERR_TYPE, {"a string", "$.layer_types[1]"}},
    {TINY(", 'layer_types': 'full_attention'"), CSZ_ERR_TYPE, {"an array", "$.layer_types"}},
    {TINY(", 'layer_types': ['full_attention', 'sliding_attention']"), CSZ_ERR_MISSING, {"layer 1", "window"}},
    {TINY(", 'mlp_layer_types': ['dense', 'sparse']"), CSZ_ERR_MISSING, {"layer 1", "experts"}},
    {TINY(", 'block_configs': [{}, {}]"), CSZ_ERR_UNKNOWN, {"block_configs", "$.block_configs"}},
    {QWEN2(", 'use_sliding_window': 'no'"), CSZ_ERR_TYPE, {"true or false", "$.use_sliding_window"}},
    {QWEN3_MOE(", 'decoder_sparse_step': 0"), CSZ_ERR_RANGE, {"0", "$.decoder_sparse_step"}},
    {QWEN3_MOE(", 'mlp_only_layers': [4]"), CSZ_ERR_RANGE, {"layer 4", "$.mlp_only_layers[0]"}},
    {QWEN3_MOE(", 'mlp_only_layers': [-1]"), CSZ_ERR_RANGE, {"layer -1", "$.mlp_only_layers[0]"}},
    {"{'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 8, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 1025, 'vocab_size': 100}",
     CSZ_ERR_LIMIT, {"1025", "1024", "$.num_hidden_layers"}},
    {"{'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 8, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 0, 'vocab_size': 100}",
     CSZ_ERR_RANGE, {"0 is less than 1", "$.num_hidden_layers"}},
    {"{'model_type': 'llama', 'hidden_size': 1e12, 'intermediate_size': 8, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 1, 'vocab_size': 100}",
     CSZ_ERR_RANGE, {"hidden", "$.hidden_size"}},
    {"{'model_type': 'mpt', 'd_model': 1048576, 'n_heads': 4, 'n_layers': 1, 'expansion_ratio': 9007199254740992,"
     " 'max_seq_len': 8, 'no_bias': true, 'vocab_size': 100}",
     CSZ_ERR_RANGE, {"ffn", "$.expansion_ratio"}},
    {"{'model_type': 'mpt', 'd_model': 64, 'n_heads': 4, 'n_layers': 1, 'attn_config': 1, 'max_seq_len': 8,"
     " 'no_bias': true, 'vocab_size': 100}",
     CSZ_ERR_TYPE, {"an object", "$.attn_config"}},
    {"{'model_type': 'opt', 'hidden_size': 1024, 'ffn_dim': 4096, 'num_attention_heads': 16, 'num_hidden_layers': 24,"
     " 'max_position_embeddings': 2048, 'word_embed_proj_dim': 512, 'vocab_size': 50272}",
     CSZ_ERR_UNKNOWN, {"word_embed_proj_dim"}},
    {"{'model_type': 'opt', 'hidden_size': 1024, 'ffn_dim': 4096, 'num_attention_heads': 16, 'num_hidden_layers': 24,"
     " 'max_position_embeddings': 2048, 'do_layer_norm_before': false, 'vocab_size': 50272}",
     CSZ_ERR_UNKNOWN, {"do_layer_norm_before: only true", "$.do_layer_norm_before"}},
    {"{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32, 'vocab_size': 100,"
     " 'resid_pdrop': 1.5}",
     CSZ_ERR_RANGE, {"1.5", "$.resid_pdrop"}},
    {"{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32, 'vocab_size': 100,"
     " 'resid_pdrop': NaN}",
     CSZ_ERR_RANGE, {"$.resid_pdrop"}},
    {"{'model_type': 'qwen', 'hidden_size': 64, 'intermediate_size': 7, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 2, 'vocab_size': 100}",
     CSZ_ERR_RANGE, {"even", "$.intermediate_size"}},
};

START_TEST(wrong_configs_are_refused_with_the_reason)
{
    csz_status status = load_quoted(wrong[_i].config);
    ck_assert_msg(status == wrong[_i].status, "%s: status %d, %s", wrong[_i].config, (int)status, error.text);
    ck_assert_int_eq(error.status, status);
    for (size_t i = 0; i < 3; i++)
        if (wrong[_i].parts[i] != NULL)
            ck_assert_msg(strstr(error.text, wrong[_i].parts[i]) != NULL, "%s: no \"%s\" in: %s", wrong[_i].config,
                          wrong[_i].parts[i], error.text);
    ck_assert_uint_lt(strlen(error.text), CSZI_ERROR_CAPACITY - 1); /* not cut */
}
END_TEST

START_TEST(null_and_unknown_keys_are_as_if_absent)
{
    ck_assert_msg(load_quoted(TINY(", 'num_key_value_heads': null, 'head_dim': null, 'mlp_bias': null,"
                                   " 'layer_types': null, 'block_configs': null, 'text_config': null,"
                                   " 'time_step_limit': [0.0, Infinity], 'other': {'hidden_size': 3}")) == CSZ_OK,
                  "%s", error.text);
    ck_assert_int_eq(workload.kinds[0].kv_heads, 0);
    ck_assert_int_eq(workload.hidden, 64);
}
END_TEST

START_TEST(the_most_layers_have_room_whatever_their_pattern)
{
    ck_assert_msg(load_quoted("{'model_type': 'gemma2', 'hidden_size': 64, 'intermediate_size': 128,"
                              " 'num_attention_heads': 4, 'num_hidden_layers': 1024, 'num_key_value_heads': 2,"
                              " 'vocab_size': 1000}") == CSZ_OK,
                  "%s", error.text);
    ck_assert_int_eq(workload.runs_count, 1024);
    (void)count();
}
END_TEST

START_TEST(every_truncation_is_refused)
{
    size_t length = strlen(LLAMA_8B);
    for (size_t cut = 0; cut < length; cut++) {
        char *part = malloc(cut + 1); /* of its exact length, so that a sanitizer sees reads beyond */
        ck_assert_ptr_nonnull(part);
        for (size_t i = 0; i < cut; i++)
            part[i] = (char)(LLAMA_8B[i] == '\'' ? '"' : LLAMA_8B[i]);
        ck_assert_int_eq(load(part, cut), CSZ_ERR_SYNTAX);
        free(part);
    }
}
END_TEST

START_TEST(errors_need_no_place)
{
    cszi_fields_init(&cszi_workload_table, &workload, sizeof workload);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        size_t length = strlen(wrong[i].config);
        for (size_t k = 0; k <= length; k++)
            buffer[k] = (char)(wrong[i].config[k] == '\'' ? '"' : wrong[i].config[k]);
        ck_assert_int_eq(cszi_workload_load_hugging_face(&workload, buffer, length, NULL), wrong[i].status);
    }
}
END_TEST

/* ---- Real files ---- */

/* Counts as above; 0: refused as unknown. Named by what the file holds, which is not always its name. */
static const struct {
    const char *file;
    int64_t parameters;
} specimens[] = {
    {"bert-base-cased.json", 0},
    {"bert-base-uncased.json", 0},
    {"bloom-176b.json", 176247271424},
    {"chatglm2-6b-zhuzhi.json", 6243584000},
    {"codellama-34b-codefuse.json", 33743970304},
    {"dbrx-132b.json", 131596523520},        /* by hand */
    {"deepseek-r1.json", 671026419200},
    {"deepseek-v3.1-nvfp4.json", 671026419200},
    {"deepseek-v3.json", 671026419200},
    {"deepseek-v4-flash.json", 0},
    {"devstral-small-2507.json", 23572403200},
    {"falcon-180b.json", 178557088768},
    {"gemma-2b.json", 2506172416},
    {"gpt-oss-120b.json", 116829156672},
    {"gpt-oss-20b.json", 20914757184},
    {"gpt2-large.json", 774030080},
    {"gpt2-small.json", 103660032},          /* 3096 positions and a vocabulary of 21128: by hand */
    {"granite-3.1-1b-a400m.json", 1334628352}, /* by hand */
    {"granite-3b-code.json", 3482503680},
    {"internlm-7b.json", 7321948160},
    {"kimi-k2.5.json", 1026408232448},       /* published: 3416 more */
    {"kimi-k2.json", 1026408232448},
    {"kimi-k3.json", 0},
    {"layoutlm-ja.json", 0},
    {"lfm2.5-vl-1.6b.json", 0},
    {"llama-1-7b.json", 6738415616},
    {"llama-2-7b-fp16.json", 6738415616},
    {"llama-3-70b.json", 70553706496},
    {"llama-3-8b.json", 8030261248},
    {"llama-3.1-405b.json", 405853388800},
    {"llama-3.1-70b-fp8.json", 70553706496},
    {"llama-3.1-70b-instruct.json", 70553706496},
    {"llama-3.1-8b-instruct.json", 8030261248},
    {"llama-4-maverick.json", 400711848960}, /* published less vision: 401583781376 - 871932416 */
    {"mimo-7b.json", 7833409536},
    {"minicpm-v-2_6-text.json", 7612763648}, /* qwen2-7b less 2 x 398 rows of the vocabulary */
    {"minimax-m2.5.json", 228689764864},
    {"mistral-7b-v0.1.json", 7241732096},
    {"mixtral-8x7b.json", 46702792704},
    {"molmo-7b-d-nf4.json", 0},
    {"mpt-7b-instruct.json", 6649286656},
    {"mpt-7b.json", 6649286656},
    {"nemotron-3-super-120b-fp8.json", 0},
    {"nemotron-3-ultra-550b.json", 0},
    {"nemotron-h-56b.json", 0},
    {"nemotron-super-49b.json", 0},
    {"olm-roberta-base.json", 0},
    {"olmo-3.1-32b.json", 32233522176},
    {"openpangu-7b.json", 8030887936},
    {"phi-1.json", 1414562935},              /* phi-1_5 (1418270720) less 905 rows of the vocabulary and of its bias */
    {"phi-2.json", 2779683840},
    {"phi-mini-moe.json", 7647632704},
    {"pygmalion-7b.json", 6738415616},
    {"pythia-1.4b-reward.json", 0},
    {"qwen-72b.json", 72287920128},
    {"qwen2-0.5b.json", 463987712},          /* the shape of qwen1.5-0.5b: 619570176 less the stored copy of the head */
    {"qwen2-72b.json", 72287920128},         /* the shape of qwen-72b */
    {"qwen2-7b.json", 7615616512},
    {"qwen2.5-7b-instruct.json", 7615616512},
    {"qwen3-14b.json", 14768307200},
    {"qwen3-235b-a22b-fp8.json", 235093634560},
    {"qwen3-30b-a3b.json", 30532122624},
    {"qwen3-coder-480b-a35b.json", 480154875392},
    {"qwen3-vl-235b-a22b.json", 235093634560}, /* the text model is qwen3-235b-a22b */
    {"qwen3-vl-8b.json", 8190735360},        /* the text model is qwen3-8b */
    {"qwen3.5-27b.json", 0},
    {"qwen3.5-397b-a17b.json", 0},
    {"step-3.7-flash.json", 0},
    {"vicuna-7b-delta.json", 6738423808},    /* llama-1-7b and one row more of the vocabulary, twice */
    {"voxtral-mini-3b.json", 4014136320},    /* the text model, by hand */
    {"yi-34b.json", 34388917248},
};

/* The length, or 0 when there is no such file. */
static size_t read_file(const char *folder, const char *name)
{
    char path[1024];
    size_t length;
    FILE *file;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    length = fread(buffer, 1, sizeof buffer, file);
    (void)fclose(file);
    return length;
}

START_TEST(real_files_give_their_counts)
{
    const char *folder = getenv("CSZ_HF_CONFIGS");
    size_t seen = 0;
    if (folder == NULL) {
        (void)printf("real config.json files are absent (CSZ_HF_CONFIGS is not set): nothing compared\n");
        return;
    }
    for (size_t i = 0; i < sizeof specimens / sizeof specimens[0]; i++) {
        size_t length = read_file(folder, specimens[i].file);
        csz_status status;
        if (length == 0) {
            (void)printf("%s: absent\n", specimens[i].file);
            continue;
        }
        seen++;
        status = load(buffer, length);
        ck_assert_msg(status == (specimens[i].parameters == 0 ? CSZ_ERR_UNKNOWN : CSZ_OK), "%s: status %d, %s",
                      specimens[i].file, (int)status, error.text);
        if (status == CSZ_OK)
            ck_assert_msg(count() == specimens[i].parameters, "%s: %lld", specimens[i].file, (long long)count());
    }
    (void)printf("%zu real config.json files compared\n", seen);
    ck_assert_uint_gt(seen, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hugging_face");
    TCase *counts = tcase_create("counts"), *fields = tcase_create("fields"), *errors = tcase_create("errors");
    SRunner *runner;
    int failed;
    tcase_add_loop_test(counts, shapes_give_the_published_counts, 0, (int)(sizeof models / sizeof models[0]));
    tcase_add_test(counts, real_files_give_their_counts);
    suite_add_tcase(suite, counts);
    tcase_add_loop_test(fields, layers_follow_the_pattern, 0, (int)(sizeof patterns / sizeof patterns[0]));
    tcase_add_test(fields, windows_alternate_in_gemma_2_and_leave_every_sixth_layer_in_gemma_3);
    tcase_add_test(fields, deepseek_v3_has_dense_layers_latent_attention_and_groups);
    tcase_add_test(fields, dropout_of_the_config_is_a_field);
    tcase_add_test(fields, the_outer_config_ties_embeddings_when_the_inner_is_silent);
    tcase_add_test(fields, the_model_is_replaced_and_the_job_stays);
    tcase_add_test(fields, null_and_unknown_keys_are_as_if_absent);
    tcase_add_test(fields, the_most_layers_have_room_whatever_their_pattern);
    suite_add_tcase(suite, fields);
    tcase_add_loop_test(errors, wrong_configs_are_refused_with_the_reason, 0, (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(errors, every_truncation_is_refused);
    tcase_add_test(errors, errors_need_no_place);
    suite_add_tcase(suite, errors);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
