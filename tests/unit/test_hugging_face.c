/* test_hugging_face.c: config.json files give the published parameter counts, and wrong ones are
 * refused.
 *
 * The configs here are written for this test from the models' shapes, with ' for ". Counts are of
 * the unique parameters of the language model. Where not said otherwise their source is the
 * safetensors total of the Hugging Face hub as listed by tetrabit/llmfit@82b3e1c4 (hf_models.json,
 * parameters_raw). With CSZ_HF_CONFIGS set to a folder of real files, those are read too.
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
    ck_assert_msg(cszi_workload_parameters(&workload, &parameters, &error) == CSZ_OK, "%s",
                  error.text);
    return parameters.total;
}

#define LLAMA_8B                                                                                   \
    "{'model_type': 'llama', 'hidden_size': 4096, 'intermediate_size': 14336, "                    \
    "'num_attention_heads': 32,"                                                                   \
    " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 128256, "                   \
    "'tie_word_embeddings': false}"

static const struct {
    const char *name;
    int64_t parameters;
    const char *config;
} models[] = {
    {"llama-3-8b", 8030261248, LLAMA_8B},
    {"llama-3-70b", 70553706496,
     "{'model_type': 'llama', 'hidden_size': 8192, 'intermediate_size': 28672, "
     "'num_attention_heads': 64,"
     " 'num_hidden_layers': 80, 'num_key_value_heads': 8, 'vocab_size': 128256, 'attention_bias': "
     "false}"},
    /* keras-team/keras-hub@71453d08, llama2_7b_en (the same shape) */
    {"llama-1-7b without kv heads", 6738415616,
     "{'model_type': 'llama', 'hidden_size': 4096, 'intermediate_size': 11008, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'vocab_size': 32000, 'max_sequence_length': 2048}"},
    {"llama-3.2-1b, tied", 1235814400,
     "{'model_type': 'llama', 'hidden_size': 2048, 'intermediate_size': 8192, "
     "'num_attention_heads': 32, 'head_dim': 64,"
     " 'num_hidden_layers': 16, 'num_key_value_heads': 8, 'vocab_size': 128256, "
     "'tie_word_embeddings': true}"},
    {"granite-3b-code, with biases", 3482503680,
     "{'model_type': 'llama', 'hidden_size': 2560, 'intermediate_size': 10240, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 49152, "
     "'tie_word_embeddings': true,"
     " 'attention_bias': true, 'mlp_bias': true}"},
    {"mistral-7b-v0.1", 7241732096,
     "{'model_type': 'mistral', 'hidden_size': 4096, 'intermediate_size': 14336, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 32000, 'sliding_window': "
     "4096}"},
    {"mixtral-8x7b", 46702792704,
     "{'model_type': 'mixtral', 'hidden_size': 4096, 'intermediate_size': 14336, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'num_local_experts': 8, "
     "'num_experts_per_tok': 2,"
     " 'vocab_size': 32000, 'sliding_window': null, 'tie_word_embeddings': false}"},
    {"qwen2-0.5b", 494032768,
     "{'model_type': 'qwen2', 'hidden_size': 896, 'intermediate_size': 4864, "
     "'num_attention_heads': 14,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 2, 'vocab_size': 151936, "
     "'tie_word_embeddings': true,"
     " 'sliding_window': 32768, 'use_sliding_window': false, 'max_window_layers': 24}"},
    {"qwen1.5-moe-a2.7b", 14315784192,
     "{'model_type': 'qwen2_moe', 'hidden_size': 2048, 'intermediate_size': 5632, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 16, 'vocab_size': 151936, 'num_experts': 60,"
     " 'num_experts_per_tok': 4, 'moe_intermediate_size': 1408, 'shared_expert_intermediate_size': "
     "5632,"
     " 'decoder_sparse_step': 1, 'mlp_only_layers': []}"},
    /* less the tied head, which the file stores again: 751632384 - 155582464 */
    {"qwen3-0.6b", 596049920,
     "{'model_type': 'qwen3', 'hidden_size': 1024, 'intermediate_size': 3072, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 28, 'num_key_value_heads': 8, 'head_dim': 128, 'vocab_size': 151936,"
     " 'tie_word_embeddings': true}"},
    {"qwen3-30b-a3b", 30532122624,
     "{'model_type': 'qwen3_moe', 'hidden_size': 2048, 'intermediate_size': 6144, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 48, 'num_key_value_heads': 4, 'head_dim': 128, 'vocab_size': 151936, "
     "'num_experts': 128,"
     " 'num_experts_per_tok': 8, 'moe_intermediate_size': 768, 'decoder_sparse_step': 1, "
     "'mlp_only_layers': []}"},
    {"qwen-7b", 7721324544,
     "{'model_type': 'qwen', 'hidden_size': 4096, 'intermediate_size': 22016, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'kv_channels': 128, 'vocab_size': 151936, 'no_bias': true}"},
    {"deepseek-moe-16b", 16375728128,
     "{'model_type': 'deepseek', 'hidden_size': 2048, 'intermediate_size': 10944, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 28, 'num_key_value_heads': 16, 'vocab_size': 102400, "
     "'n_routed_experts': 64,"
     " 'n_shared_experts': 2, 'num_experts_per_tok': 6, 'moe_intermediate_size': 1408, "
     "'first_k_dense_replace': 1}"},
    {"deepseek-v2-lite, without query rank", 15706484224,
     "{'model_type': 'deepseek_v2', 'hidden_size': 2048, 'intermediate_size': 10944, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 27, 'vocab_size': 102400, 'n_routed_experts': 64, 'n_shared_experts': "
     "2, 'n_group': 1,"
     " 'num_experts_per_tok': 6, 'moe_intermediate_size': 1408, 'first_k_dense_replace': 1, "
     "'q_lora_rank': null,"
     " 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    {"deepseek-v2", 235741434880,
     "{'model_type': 'deepseek_v2', 'hidden_size': 5120, 'intermediate_size': 12288, "
     "'num_attention_heads': 128,"
     " 'num_hidden_layers': 60, 'vocab_size': 102400, 'n_routed_experts': 160, 'n_shared_experts': "
     "2, 'n_group': 8,"
     " 'num_experts_per_tok': 6, 'moe_intermediate_size': 1536, 'first_k_dense_replace': 1, "
     "'q_lora_rank': 1536,"
     " 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    /* less the prediction layer and the scales that the file stores: 684531386000 - 13463426304 -
       41540496 */
    {"deepseek-v3", 671026419200,
     "{'model_type': 'deepseek_v3', 'hidden_size': 7168, 'intermediate_size': 18432, "
     "'num_attention_heads': 128,"
     " 'num_hidden_layers': 61, 'vocab_size': 129280, 'n_routed_experts': 256, 'n_shared_experts': "
     "1, 'n_group': 8,"
     " 'num_experts_per_tok': 8, 'moe_intermediate_size': 2048, 'first_k_dense_replace': 3, "
     "'moe_layer_freq': 1,"
     " 'q_lora_rank': 1536, 'kv_lora_rank': 512, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, "
     "'v_head_dim': 128,"
     " 'num_nextn_predict_layers': 1, 'quantization_config': {'quant_method': 'fp8', "
     "'weight_block_size': [128, 128]}}"},
    /* keras-team/keras-hub@71453d08, gpt2_presets.py */
    {"gpt2", 124439808,
     "{'model_type': 'gpt2', 'n_embd': 768, 'n_head': 12, 'n_layer': 12, 'n_positions': 1024, "
     "'n_ctx': 1024,"
     " 'n_inner': null, 'resid_pdrop': 0.1, 'vocab_size': 50257}"},
    {"gpt2-xl", 1557611200,
     "{'model_type': 'gpt2', 'n_embd': 1600, 'n_head': 25, 'n_layer': 48, 'n_positions': 1024, "
     "'vocab_size': 50257}"},
    /* model card */
    {"gpt-neox-20b", 20554567680,
     "{'model_type': 'gpt_neox', 'hidden_size': 6144, 'intermediate_size': 24576, "
     "'num_attention_heads': 64,"
     " 'num_hidden_layers': 44, 'vocab_size': 50432, 'use_parallel_residual': true, "
     "'tie_word_embeddings': false}"},
    {"pythia-70m", 70426624,
     "{'model_type': 'gpt_neox', 'hidden_size': 512, 'intermediate_size': 2048, "
     "'num_attention_heads': 8,"
     " 'num_hidden_layers': 6, 'vocab_size': 50304}"},
    /* a printed count, found by its integer */
    {"gpt-j-6b", 6050882784,
     "{'model_type': 'gptj', 'n_embd': 4096, 'n_head': 16, 'n_layer': 28, 'n_positions': 2048, "
     "'rotary_dim': 64,"
     " 'vocab_size': 50400, 'tie_word_embeddings': false}"},
    /* a printed count, found by its integer */
    {"starcoder-15b", 15517456384,
     "{'model_type': 'gpt_bigcode', 'n_embd': 6144, 'n_head': 48, 'n_layer': 40, 'n_positions': "
     "8192, 'n_inner': 24576,"
     " 'multi_query': true, 'vocab_size': 49152}"},
    /* less the tied head, which the file stores again: 7217189760 - 295469056 */
    {"falcon-7b", 6921720704,
     "{'model_type': 'falcon', 'hidden_size': 4544, 'num_attention_heads': 71, "
     "'num_hidden_layers': 32, 'bias': false,"
     " 'multi_query': true, 'new_decoder_architecture': false, 'parallel_attn': true, "
     "'vocab_size': 65024}"},
    /* Decentralised-AI/falcon-40b, total_size / 2, less the tied head: 41835970560 - 532676608 */
    {"falcon-40b", 41303293952,
     "{'model_type': 'falcon', 'hidden_size': 8192, 'n_head': 128, 'n_layer': 60, 'n_head_kv': 8,"
     " 'new_decoder_architecture': true, 'vocab_size': 65024}"},
    {"gemma-2b", 2506172416,
     "{'model_type': 'gemma', 'hidden_size': 2048, 'intermediate_size': 16384, "
     "'num_attention_heads': 8,"
     " 'num_hidden_layers': 18, 'num_key_value_heads': 1, 'head_dim': 256, 'vocab_size': 256000}"},
    {"gemma-2-9b", 9241705984,
     "{'model_type': 'gemma2', 'hidden_size': 3584, 'intermediate_size': 14336, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 42, 'num_key_value_heads': 8, 'head_dim': 256, 'vocab_size': 256000}"},
    {"gemma-3-1b", 999885952,
     "{'model_type': 'gemma3_text', 'hidden_size': 1152, 'intermediate_size': 6912, "
     "'num_attention_heads': 4,"
     " 'num_hidden_layers': 26, 'num_key_value_heads': 1, 'head_dim': 256, 'vocab_size': 262144,"
     " 'sliding_window': 512, 'sliding_window_pattern': 6}"},
    /* less the vision tower and its projector: 4300079472 - 419816304 */
    {"gemma-3-4b, defaults left out", 3880263168,
     "{'model_type': 'gemma3', 'vision_config': {'hidden_size': 1152}, 'text_config': "
     "{'model_type': 'gemma3_text',"
     " 'hidden_size': 2560, 'intermediate_size': 10240, 'num_hidden_layers': 34, 'sliding_window': "
     "1024}}"},
    {"phi-2", 2779683840,
     "{'model_type': 'phi', 'hidden_size': 2560, 'intermediate_size': 10240, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 51200, 'qk_layernorm': "
     "false}"},
    {"phi-2, first code", 2779683840,
     "{'model_type': 'mixformer-sequential', 'n_embd': 2560, 'n_head': 32, 'n_head_kv': null, "
     "'n_inner': null,"
     " 'n_layer': 32, 'n_positions': 2048, 'vocab_size': 51200}"},
    {"phi-3-mini", 3821079552,
     "{'model_type': 'phi3', 'hidden_size': 3072, 'intermediate_size': 8192, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 32064, 'sliding_window': "
     "2047}"},
    /* general.parameter_count of its GGUF file */
    {"phi-mini-moe", 7647632704,
     "{'model_type': 'phimoe', 'hidden_size': 4096, 'intermediate_size': 960, "
     "'num_attention_heads': 32, 'head_dim': 128,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'num_local_experts': 16, "
     "'num_experts_per_tok': 2,"
     " 'attention_bias': true, 'lm_head_bias': true, 'vocab_size': 32064, 'sliding_window': 2047}"},
    {"opt-125m", 125239296,
     "{'model_type': 'opt', 'hidden_size': 768, 'ffn_dim': 3072, 'num_attention_heads': 12, "
     "'num_hidden_layers': 12,"
     " 'max_position_embeddings': 2048, 'word_embed_proj_dim': 768, 'do_layer_norm_before': true, "
     "'vocab_size': 50272}"},
    {"bloom-560m", 559214592,
     "{'model_type': 'bloom', 'n_embed': 1024, 'n_layer': 24, 'num_attention_heads': 16, "
     "'vocab_size': 250880}"},
    /* mikeybellissimo/LoRA-MPT, total_size / 2 */
    {"mpt-7b", 6649286656,
     "{'model_type': 'mpt', 'd_model': 4096, 'n_heads': 32, 'n_layers': 32, 'expansion_ratio': 4, "
     "'max_seq_len': 2048,"
     " 'learned_pos_emb': true, 'no_bias': true, 'attn_config': {'alibi': true, 'qk_ln': false,"
     " 'attn_type': 'multihead_attention'}, 'vocab_size': 50432}"},
    {"starcoder2-3b", 3030371328,
     "{'model_type': 'starcoder2', 'hidden_size': 3072, 'intermediate_size': 12288, "
     "'num_attention_heads': 24,"
     " 'num_hidden_layers': 30, 'num_key_value_heads': 2, 'use_bias': true, 'sliding_window': 4096,"
     " 'vocab_size': 49152}"},
    {"stablelm-2-1.6b", 1644515328,
     "{'model_type': 'stablelm', 'hidden_size': 2048, 'intermediate_size': 5632, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 32, 'use_qkv_bias': true, 'vocab_size': "
     "100352}"},
    {"olmo-1b", 1176764416,
     "{'model_type': 'olmo', 'hidden_size': 2048, 'intermediate_size': 8192, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 16, 'vocab_size': 50304, 'tie_word_embeddings': true}"},
    {"olmo-2-7b", 7298617344,
     "{'model_type': 'olmo2', 'hidden_size': 4096, 'intermediate_size': 11008, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 32, 'vocab_size': 100352}"},
    {"olmo-3-32b", 32233522176,
     "{'model_type': 'olmo3', 'hidden_size': 5120, 'intermediate_size': 27648, "
     "'num_attention_heads': 40,"
     " 'num_hidden_layers': 64, 'num_key_value_heads': 8, 'vocab_size': 100278}"},
    {"olmoe-1b-7b", 6919161856,
     "{'model_type': 'olmoe', 'hidden_size': 2048, 'intermediate_size': 1024, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 16, 'num_key_value_heads': 16, 'num_experts': 64, "
     "'num_experts_per_tok': 8,"
     " 'vocab_size': 50304}"},
    {"granite-3.3-2b", 2533539840,
     "{'model_type': 'granite', 'hidden_size': 2048, 'intermediate_size': 8192, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 40, 'num_key_value_heads': 8, 'vocab_size': 49159, "
     "'tie_word_embeddings': true}"},
    /* debaditc/kvfit@bd4ccabf models.json */
    {"gpt-oss-20b", 20914757184,
     "{'model_type': 'gpt_oss', 'hidden_size': 2880, 'intermediate_size': 2880, "
     "'num_attention_heads': 64,"
     " 'head_dim': 64, 'num_hidden_layers': 24, 'num_key_value_heads': 8, 'num_local_experts': 32,"
     " 'num_experts_per_tok': 4, 'experts_per_token': 4, 'attention_bias': true, 'sliding_window': "
     "128,"
     " 'vocab_size': 201088}"},
    /* less the copies of embedding and head in the prediction layer: 110468824832 - 1241513984 */
    {"glm-4.5-air", 109227310848,
     "{'model_type': 'glm4_moe', 'hidden_size': 4096, 'intermediate_size': 10944, "
     "'num_attention_heads': 96,"
     " 'head_dim': 128, 'num_hidden_layers': 46, 'num_key_value_heads': 8, 'n_routed_experts': 128,"
     " 'n_shared_experts': 1, 'num_experts_per_tok': 8, 'moe_intermediate_size': 1408, "
     "'first_k_dense_replace': 1,"
     " 'n_group': 1, 'attention_bias': true, 'use_qk_norm': false, 'num_nextn_predict_layers': 1,"
     " 'vocab_size': 151552}"},
    /* less the scales that the file stores: 228703644928 - 13880064 */
    {"minimax-m2", 228689764864,
     "{'model_type': 'minimax_m2', 'hidden_size': 3072, 'intermediate_size': 1536, "
     "'num_attention_heads': 48,"
     " 'head_dim': 128, 'num_hidden_layers': 62, 'num_key_value_heads': 8, 'num_local_experts': "
     "256,"
     " 'num_experts_per_tok': 8, 'use_qk_norm': true, 'use_routing_bias': true, "
     "'shared_intermediate_size': 0,"
     " 'vocab_size': 200064}"},
    /* less the vision tower and its projector: 108641793536 - 871932416 */
    {"llama-4-scout", 107769861120,
     "{'model_type': 'llama4', 'text_config': {'model_type': 'llama4_text', 'hidden_size': 5120,"
     " 'intermediate_size': 8192, 'intermediate_size_mlp': 16384, 'num_attention_heads': 40, "
     "'head_dim': 128,"
     " 'num_hidden_layers': 48, 'num_key_value_heads': 8, 'num_local_experts': 16, "
     "'num_experts_per_tok': 1,"
     " 'interleave_moe_layer_step': 1, 'no_rope_layers': [], 'vocab_size': 202048}}"},
    {"command-r7b", 8028033024,
     "{'model_type': 'cohere2', 'hidden_size': 4096, 'intermediate_size': 14336, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 256000, 'sliding_window': "
     "4096}"},
    {"glm-4-9b", 9399951360,
     "{'model_type': 'chatglm', 'hidden_size': 4096, 'ffn_hidden_size': 13696, "
     "'num_attention_heads': 32,"
     " 'num_layers': 40, 'multi_query_attention': true, 'multi_query_group_num': 2, 'kv_channels': "
     "128,"
     " 'add_qkv_bias': true, 'add_bias_linear': false, 'padded_vocab_size': 151552, 'rmsnorm': "
     "true}"},
    /* yangulei/internlm-20b, total_size / 2 */
    {"internlm-20b", 20088714240,
     "{'model_type': 'internlm', 'hidden_size': 5120, 'intermediate_size': 13824, "
     "'num_attention_heads': 40,"
     " 'num_hidden_layers': 60, 'bias': false, 'vocab_size': 103168}"},
    {"internlm2-7b", 7737708544,
     "{'model_type': 'internlm2', 'hidden_size': 4096, 'intermediate_size': 14336, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'bias': false, 'vocab_size': 92544}"},
    /* the count of the same shape as llama-1-7b but for the vocabulary: 6738415616 + 2 x 4096 x
       (64000 - 32000) */
    {"baichuan-7b", 7000559616,
     "{'model_type': 'baichuan', 'hidden_size': 4096, 'intermediate_size': 11008, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 32, 'vocab_size': 64000}"},
    {"smollm3-3b", 3075098624,
     "{'model_type': 'smollm3', 'hidden_size': 2048, 'intermediate_size': 11008, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 36, 'num_key_value_heads': 4, 'vocab_size': 128256, 'no_rope_layers': "
     "[1, 1, 1, 0]}"},
    {"mimo-7b, with its prediction layer", 7833409536,
     "{'model_type': 'mimo', 'hidden_size': 4096, 'intermediate_size': 11008, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 36, 'num_key_value_heads': 8, 'head_dim': 128, 'attention_bias': true,"
     " 'num_nextn_predict_layers': 1, 'vocab_size': 151680}"},
    /* IDLEOAK/openpangu-lightweight-methods, total_size / 2, less buffers: 8030892288 - 4352 */
    {"openpangu-7b", 8030887936,
     "{'model_type': 'PanguEmbedded', 'hidden_size': 4096, 'intermediate_size': 12800, "
     "'num_attention_heads': 32,"
     " 'num_hidden_layers': 34, 'num_key_value_heads': 8, 'bias': true, 'tie_word_embeddings': "
     "false,"
     " 'vocab_size': 153376}"},
    /* By hand: no exact count is published. 40 layers of 3 x 16 x 6144 x 10752 + 6144 x 16 + 2 x
     * 6144 x 6144
     * + 2 x 6144 x 1024 + 2 x 6144, and 2 x 100352 x 6144 + 6144: the 132B of its README. */
    {"dbrx", 131596523520,
     "{'model_type': 'dbrx', 'd_model': 6144, 'n_heads': 48, 'n_layers': 40, 'attn_config': "
     "{'kv_n_heads': 8},"
     " 'ffn_config': {'ffn_hidden_size': 10752, 'moe_num_experts': 16, 'moe_top_k': 4}, "
     "'vocab_size': 100352}"},
    /* By hand: 104B of its README. 64 layers of 2 x 12288 x 12288 + 2 x 12288 x 1024 + 3 x 12288 x
     * 33792 + 12288
     * + (96 + 8) x 128, and 256000 x 12288 + 12288. */
    {"command-r-plus", 103810674688,
     "{'model_type': 'cohere', 'hidden_size': 12288, 'intermediate_size': 33792, "
     "'num_attention_heads': 96,"
     " 'num_hidden_layers': 64, 'num_key_value_heads': 8, 'use_qk_norm': true, 'vocab_size': "
     "256000}"},
    /* By hand: 15B of its report. 32 layers of 2 x 6144 x 6144 + 2 x 6144 x 1024 + 2 x 6144 x 24576
     * + 4 x 6144, and 2 x 256000 x 6144 + 2 x 6144. */
    {"nemotron-4-15b", 15628775424,
     "{'model_type': 'nemotron', 'hidden_size': 6144, 'intermediate_size': 24576, "
     "'num_attention_heads': 48,"
     " 'num_hidden_layers': 32, 'num_key_value_heads': 8, 'vocab_size': 256000}"},
    /* By hand. 24 layers of 3 x 32 x 1024 x 512 + 1024 x 32 + 2 x 1024 x 1024 + 2 x 1024 x 512 + 2
     * x 1024, and 49155 x 1024 + 1024. */
    {"granite-3.1-1b-a400m", 1334628352,
     "{'model_type': 'granitemoe', 'hidden_size': 1024, 'intermediate_size': 512, "
     "'num_attention_heads': 16,"
     " 'num_hidden_layers': 24, 'num_key_value_heads': 8, 'num_local_experts': 32, "
     "'num_experts_per_tok': 8,"
     " 'vocab_size': 49155, 'tie_word_embeddings': true}"},
    /* keras-team/keras-hub@71453d08, bert_presets.py: backbone with pooler, here and in bert-base
     */
    {"bert-base-uncased", 109482240,
     "{'model_type': 'bert', 'hidden_size': 768, 'intermediate_size': 3072, 'num_attention_heads': "
     "12,"
     " 'num_hidden_layers': 12, 'max_position_embeddings': 512, 'type_vocab_size': 2,"
     " 'position_embedding_type': 'absolute', 'vocab_size': 30522}"},
    {"bert-large", 335141888,
     "{'model_type': 'bert', 'hidden_size': 1024, 'intermediate_size': 4096,"
     " 'num_attention_heads': 16, 'num_hidden_layers': 24, 'max_position_embeddings': 512,"
     " 'vocab_size': 30522}"},
    /* RobertaModel with pooler, as printed in public tables of model sizes */
    {"roberta-base", 124645632,
     "{'model_type': 'roberta', 'hidden_size': 768, 'intermediate_size': 3072,"
     " 'num_attention_heads': 12, 'num_hidden_layers': 12, 'max_position_embeddings': 514,"
     " 'type_vocab_size': 1, 'vocab_size': 50265}"},
    /* DistilBertModel, by hand: 6 x (4 x (768 x 768 + 768) + 2 x 768 x 3072 + 3072 + 768 + 4 x
     * 768) + (30522 + 512 + 2) x 768 */
    {"distilbert-base", 66362880,
     "{'model_type': 'distilbert', 'dim': 768, 'hidden_dim': 3072, 'n_heads': 12,"
     " 'n_layers': 6, 'max_position_embeddings': 512, 'vocab_size': 30522}"},
    /* keras-team/keras-hub@71453d08, t5_presets.py, here and in the next */
    {"t5-small", 60506624,
     "{'model_type': 't5', 'd_model': 512, 'd_ff': 2048, 'd_kv': 64, 'num_heads': 8,"
     " 'num_layers': 6, 'vocab_size': 32128, 'feed_forward_proj': 'relu'}"},
    {"t5-v1.1-xl", 2849757184,
     "{'model_type': 't5', 'd_model': 2048, 'd_ff': 5120, 'd_kv': 64, 'num_heads': 32,"
     " 'num_layers': 24, 'num_decoder_layers': 24, 'vocab_size': 32128,"
     " 'feed_forward_proj': 'gated-gelu', 'tie_word_embeddings': false}"},
    /* keras-team/keras-hub@71453d08, vit_presets.py: backbone without head */
    {"vit-large-patch16-224", 303301632,
     "{'model_type': 'vit', 'hidden_size': 1024, 'intermediate_size': 4096,"
     " 'num_attention_heads': 16, 'num_hidden_layers': 24, 'image_size': 224,"
     " 'patch_size': 16}"},
    /* hub */
    {"whisper-large-v3", 1543490560,
     "{'model_type': 'whisper', 'd_model': 1280, 'encoder_layers': 32,"
     " 'decoder_layers': 32, 'encoder_attention_heads': 20, 'decoder_attention_heads': 20,"
     " 'encoder_ffn_dim': 5120, 'decoder_ffn_dim': 5120, 'num_mel_bins': 128,"
     " 'max_source_positions': 1500, 'max_target_positions': 448, 'vocab_size': 51866}"},
    /* hub: BartModel */
    {"bart-base", 139420416,
     "{'model_type': 'bart', 'd_model': 768, 'encoder_layers': 6, 'decoder_layers': 6,"
     " 'encoder_attention_heads': 12, 'decoder_attention_heads': 12,"
     " 'encoder_ffn_dim': 3072, 'decoder_ffn_dim': 3072, 'max_position_embeddings': 1024,"
     " 'vocab_size': 50265}"},
    {"mamba-130m", 129135360,
     "{'model_type': 'mamba', 'hidden_size': 768, 'num_hidden_layers': 24,"
     " 'vocab_size': 50280, 'time_step_rank': 48, 'state_size': 16, 'expand': 2}"},
    {"falcon-mamba-7b", 7272665088,
     "{'model_type': 'falcon_mamba', 'hidden_size': 4096, 'intermediate_size': 8192,"
     " 'num_hidden_layers': 64, 'vocab_size': 65024, 'tie_word_embeddings': false,"
     " 'time_step_rank': 'auto'}"},
    /* By hand: 64 x (4096 x (2 x 8192 + 2 x 8 x 128 + 128) + (8192 + 2048) x 5 + 3 x 128 + 8192 +
     * 8192 x 4096 + 4096) + 2 x 32768 x 4096 + 4096 */
    {"codestral-mamba, Mamba-2", 7285403648,
     "{'model_type': 'mamba2', 'hidden_size': 4096, 'num_hidden_layers': 64,"
     " 'num_heads': 128, 'head_dim': 64, 'n_groups': 8, 'state_size': 128,"
     " 'vocab_size': 32768}"},
    /* By hand: no exact count is published, 52B by name. 28 mixers of 2 x 4096 x 8192 + 8192 x (4
     * + 1 + 16 + 1) + 8192 x 288 + 256 x 8192 + 8192 + 8192 x 4096 + 256 + 32, 4 of 2 x 4096 x
     * 4096 + 2 x 4096 x 1024; 16 x 3 x 4096 x 14336 x 16 + 16 x 4096 x 16 in experts, 16 x 3 x
     * 4096 x 14336 without; 32 x 2 x 4096 + 2 x 65536 x 4096 + 4096 */
    {"jamba-v0.1", 51570323328,
     "{'model_type': 'jamba', 'hidden_size': 4096, 'intermediate_size': 14336,"
     " 'num_attention_heads': 32, 'num_hidden_layers': 32, 'num_key_value_heads': 8,"
     " 'vocab_size': 65536}"},
    {"nemotron-nano-9b-v2", 8888227328,
     "{'model_type': 'nemotron_h', 'hidden_size': 4480, 'intermediate_size': 15680,"
     " 'num_attention_heads': 40, 'num_key_value_heads': 8, 'head_dim': 128,"
     " 'mamba_num_heads': 128, 'mamba_head_dim': 80, 'n_groups': 8, 'ssm_state_size': 128,"
     " 'hybrid_override_pattern': 'M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-',"
     " 'vocab_size': 131072}"},
    /* hub total as listed in public tables (exact-string search) */
    {"nemotron-3-nano-30b-a3b, experts", 31577937344,
     "{'model_type': 'nemotron_h', 'hidden_size': 2688, 'intermediate_size': 1856,"
     " 'num_attention_heads': 32, 'num_key_value_heads': 2, 'head_dim': 128,"
     " 'mamba_num_heads': 64, 'mamba_head_dim': 64, 'n_groups': 8, 'ssm_state_size': 128,"
     " 'hybrid_override_pattern': 'MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME',"
     " 'n_routed_experts': 128, 'num_experts_per_tok': 6, 'moe_intermediate_size': 1856,"
     " 'moe_shared_expert_intermediate_size': 3712, 'vocab_size': 131072}"},
    {"qwen3-next-80b-a3b, its prediction layer not mentioned", 81324862720,
     "{'model_type': 'qwen3_next', 'hidden_size': 2048, 'intermediate_size': 5120,"
     " 'num_attention_heads': 16, 'num_key_value_heads': 2, 'head_dim': 256,"
     " 'num_hidden_layers': 48, 'vocab_size': 151936, 'full_attention_interval': 4,"
     " 'num_experts': 512, 'num_experts_per_tok': 10, 'moe_intermediate_size': 512,"
     " 'shared_expert_intermediate_size': 512, 'linear_num_key_heads': 16,"
     " 'linear_num_value_heads': 32, 'linear_key_head_dim': 128,"
     " 'linear_value_head_dim': 128, 'linear_conv_kernel_dim': 4, 'decoder_sparse_step': 1,"
     " 'mlp_only_layers': []}"},
    {"minimax-m1, the shape of text-01", 456089655296,
     "{'model_type': 'minimax_text_01', 'hidden_size': 6144, 'intermediate_size': 9216,"
     " 'num_attention_heads': 64, 'num_key_value_heads': 8, 'head_dim': 128,"
     " 'num_hidden_layers': 80, 'vocab_size': 200064, 'num_local_experts': 32,"
     " 'num_experts_per_tok': 2, 'shared_intermediate_size': 0, 'attn_type_list': [0, 0, 0,"
     " 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,"
     " 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,"
     " 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]}"},
    /* By hand: 50272 x 512 + 2 x 512 x 1024 + 2050 x 1024 + 24 x (4 x (1024 x 1024 + 1024) + 2 x
     * 1024 x 4096 + 4096 + 1024 + 4 x 1024) */
    {"opt-350m, an embedding of another width", 331196416,
     "{'model_type': 'opt', 'hidden_size': 1024, 'ffn_dim': 4096,"
     " 'num_attention_heads': 16, 'num_hidden_layers': 24, 'max_position_embeddings': 2048,"
     " 'word_embed_proj_dim': 512, 'do_layer_norm_before': false, 'vocab_size': 50272}"},
    /* hub: 8339929856 and 704 biases of the router */
    {"lfm2-8b-a1b", 8339930560,
     "{'model_type': 'lfm2_moe', 'hidden_size': 2048, 'intermediate_size': 7168,"
     " 'moe_intermediate_size': 1792, 'num_hidden_layers': 24, 'num_attention_heads': 32,"
     " 'num_key_value_heads': 8, 'vocab_size': 65536, 'num_experts': 32,"
     " 'num_experts_per_tok': 4, 'num_dense_layers': 2, 'layer_types': ['conv', 'conv',"
     " 'full_attention', 'conv', 'conv', 'conv', 'full_attention', 'conv', 'conv', 'conv',"
     " 'full_attention', 'conv', 'conv', 'conv', 'full_attention', 'conv', 'conv', 'conv',"
     " 'full_attention', 'conv', 'conv', 'full_attention', 'conv', 'conv']}"},
    /* By hand: 36 mixers of 1536 x (2 x 3072 + 2 x 128 + 48) + (3072 + 256) x 5 + 3 x 48 + 3072 +
     * 3072 x 1536, 4 of 2 x 1536 x 1536 + 2 x 1536 x 512; 40 x (64 x 3 x 1536 x 512 + 64 x 1536 +
     * 3 x 1536 x 1024 + 2 x 1536); 100352 x 1536 + 1536 */
    {"granite-4.0-h-tiny", 6939037248,
     "{'model_type': 'granitemoehybrid', 'hidden_size': 1536, 'intermediate_size': 512,"
     " 'shared_intermediate_size': 1024, 'num_attention_heads': 12,"
     " 'num_key_value_heads': 4, 'num_hidden_layers': 40, 'num_local_experts': 64,"
     " 'num_experts_per_tok': 6, 'mamba_n_heads': 48, 'mamba_d_head': 64,"
     " 'mamba_d_state': 128, 'mamba_n_groups': 1, 'mamba_d_conv': 4, 'vocab_size': 100352,"
     " 'tie_word_embeddings': true, 'layer_types': ['mamba', 'mamba', 'mamba', 'mamba',"
     " 'mamba', 'attention', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba',"
     " 'mamba', 'mamba', 'attention', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba',"
     " 'mamba', 'mamba', 'mamba', 'attention', 'mamba', 'mamba', 'mamba', 'mamba', 'mamba',"
     " 'mamba', 'mamba', 'mamba', 'mamba', 'attention', 'mamba', 'mamba', 'mamba',"
     " 'mamba']}"},
    /* By hand: 29 mixers of 4096 x (2 x 8192 + 2 x 128 + 128) + (8192 + 256) x 5 + 3 x 128 + 8192
     * + 8192 x 4096, 3 of 2 x 4096 x 4096 + 2 x 4096 x 1024; 32 x (3 x 4096 x 14336 + 2 x 4096) +
     * 2 x 128256 x 4096 + 4096 */
    {"bamba-9b", 9780235392,
     "{'model_type': 'bamba', 'hidden_size': 4096, 'intermediate_size': 14336,"
     " 'num_attention_heads': 32, 'num_key_value_heads': 8, 'num_hidden_layers': 32,"
     " 'vocab_size': 128256, 'mamba_n_heads': 128, 'mamba_d_head': 64,"
     " 'mamba_d_state': 128, 'mamba_n_groups': 1, 'attn_layer_indices': [9, 18, 27]}"},
    /* the whole count */
    {"gemma-3-4b, with its vision tower", 4300079472,
     "{'model_type': 'gemma3', 'vision_config': {'model_type': 'siglip_vision_model',"
     " 'hidden_size': 1152, 'intermediate_size': 4304, 'num_hidden_layers': 27,"
     " 'image_size': 896, 'patch_size': 14, 'num_attention_heads': 16},"
     " 'text_config': {'model_type': 'gemma3_text', 'hidden_size': 2560,"
     " 'intermediate_size': 10240, 'num_hidden_layers': 34, 'sliding_window': 1024}}"},
    /* the whole count */
    {"llama-4-scout, with its vision tower", 108641793536,
     "{'model_type': 'llama4', 'text_config': {'model_type': 'llama4_text',"
     " 'hidden_size': 5120, 'intermediate_size': 8192, 'intermediate_size_mlp': 16384,"
     " 'num_attention_heads': 40, 'head_dim': 128, 'num_hidden_layers': 48,"
     " 'num_key_value_heads': 8, 'num_local_experts': 16, 'num_experts_per_tok': 1,"
     " 'interleave_moe_layer_step': 1, 'no_rope_layers': [], 'vocab_size': 202048},"
     " 'vision_config': {'hidden_size': 1408, 'intermediate_size': 5632,"
     " 'num_hidden_layers': 34, 'image_size': 336, 'patch_size': 14,"
     " 'projector_input_dim': 4096, 'projector_output_dim': 4096,"
     " 'vision_output_dim': 4096}}"},
    /* hub, with the vision tower, here and in the next */
    {"qwen2.5-vl-7b", 8292166656,
     "{'model_type': 'qwen2_5_vl', 'hidden_size': 3584, 'intermediate_size': 18944,"
     " 'num_attention_heads': 28, 'num_hidden_layers': 28, 'num_key_value_heads': 4,"
     " 'vocab_size': 152064, 'use_sliding_window': false, 'vision_config': {'depth': 32,"
     " 'hidden_size': 1280, 'intermediate_size': 3420, 'out_hidden_size': 3584,"
     " 'patch_size': 14, 'spatial_merge_size': 2, 'temporal_patch_size': 2}}"},
    {"qwen2-vl-7b", 8291375616,
     "{'model_type': 'qwen2_vl', 'hidden_size': 3584, 'intermediate_size': 18944,"
     " 'num_attention_heads': 28, 'num_hidden_layers': 28, 'num_key_value_heads': 4,"
     " 'vocab_size': 152064, 'vision_config': {'depth': 32, 'embed_dim': 1280,"
     " 'mlp_ratio': 4, 'hidden_size': 3584, 'patch_size': 14, 'spatial_merge_size': 2,"
     " 'temporal_patch_size': 2}}"},
    /* By hand: 32 x (2 x 4096 x 4096 + 2 x 4096 x 1024 + 3 x 4096 x 14336 + 2 x 4096) + 2 x 102400
     * x 4096 + 4096 */
    {"exaone-3.0-7.8b", 7818448896,
     "{'model_type': 'exaone', 'hidden_size': 4096, 'intermediate_size': 14336,"
     " 'num_attention_heads': 32, 'num_layers': 32, 'num_key_value_heads': 8,"
     " 'head_dim': 128, 'vocab_size': 102400}"},
    /* By hand: 64 x (2 x 5120 x 5120 + 2 x 5120 x 1024 + 3 x 5120 x 27392 + 2 x 5120 + 2 x 128) +
     * 2 x 102400 x 5120 + 5120 */
    {"exaone-4.0-32b", 32003216384,
     "{'model_type': 'exaone4', 'hidden_size': 5120, 'intermediate_size': 27392,"
     " 'num_attention_heads': 40, 'num_hidden_layers': 64, 'num_key_value_heads': 8,"
     " 'head_dim': 128, 'vocab_size': 102400, 'sliding_window': 4096,"
     " 'sliding_window_pattern': 'LLLG'}"},
    /* By hand: 62 x (4 x 4096 x 4096 + 2 x 128 + 2 x 4096) + 3 x 4096 x 10944 + 61 x (130 x 3 x
     * 4096 x 1408 + 4096 x 128 + 128) + 2 x 152064 x 4096 + 4096 */
    {"dots.llm1", 142774381696,
     "{'model_type': 'dots1', 'hidden_size': 4096, 'intermediate_size': 10944,"
     " 'num_attention_heads': 32, 'num_hidden_layers': 62, 'num_key_value_heads': 32,"
     " 'head_dim': 128, 'vocab_size': 152064, 'n_routed_experts': 128,"
     " 'n_shared_experts': 2, 'num_experts_per_tok': 6, 'moe_intermediate_size': 1408,"
     " 'first_k_dense_replace': 1}"},
    /* By hand: 32 x (2 x 4096 x 4096 + 2 x 4096 x 1024 + 2 x 128 + 65 x 3 x 4096 x 3072 + 4096 x
     * 64 + 2 x 4096) + 128167 x 4096 + 4096 */
    {"hunyuan-a13b, a number a layer", 80393183232,
     "{'model_type': 'hunyuan_v1_moe', 'hidden_size': 4096, 'intermediate_size': 3072,"
     " 'num_attention_heads': 32, 'num_hidden_layers': 32, 'num_key_value_heads': 8,"
     " 'attention_head_dim': 128, 'vocab_size': 128167, 'num_experts': 64, 'moe_topk': [8,"
     " 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,"
     " 8, 8, 8], 'num_shared_expert': [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,"
     " 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 'moe_intermediate_size': [3072, 3072,"
     " 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072,"
     " 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072, 3072,"
     " 3072, 3072], 'use_mixed_mlp_moe': true, 'use_qk_norm': true, 'use_cla': false,"
     " 'tie_word_embeddings': true}"},
    /* By hand: 28 x (2 x 2560 x 2560 + 2 x 2560 x 512 + 2 x 2560) + 3 x 2560 x 12288 + 27 x (66 x
     * 3 x 2560 x 1536 + 2560 x 64 + 64) + 103424 x 2560 + 2560 */
    {"ernie-4.5-21b-a3b", 21825437888,
     "{'model_type': 'ernie4_5_moe', 'hidden_size': 2560, 'intermediate_size': 12288,"
     " 'num_attention_heads': 20, 'num_hidden_layers': 28, 'num_key_value_heads': 4,"
     " 'vocab_size': 103424, 'moe_num_experts': 64, 'moe_k': 6,"
     " 'moe_intermediate_size': 1536, 'moe_num_shared_experts': 2,"
     " 'moe_layer_start_index': 1, 'moe_layer_end_index': -1, 'moe_layer_interval': 1,"
     " 'tie_word_embeddings': true}"},
    /* hub total as listed in public tables */
    {"ling-mini-2.0", 16255643392,
     "{'model_type': 'bailing_moe', 'hidden_size': 2048, 'intermediate_size': 5120,"
     " 'num_attention_heads': 16, 'num_hidden_layers': 20, 'num_key_value_heads': 4,"
     " 'head_dim': 128, 'vocab_size': 157184, 'num_experts': 256, 'num_experts_per_tok': 8,"
     " 'num_shared_experts': 1, 'moe_intermediate_size': 512, 'first_k_dense_replace': 1,"
     " 'use_qk_norm': true, 'moe_router_enable_expert_bias': true, 'n_group': 8}"},
    /* a printed count, found by its integer */
    {"apertus-8b", 8053338176,
     "{'model_type': 'apertus', 'hidden_size': 4096, 'intermediate_size': 21504,"
     " 'num_attention_heads': 32, 'num_hidden_layers': 32, 'num_key_value_heads': 8,"
     " 'vocab_size': 131072, 'hidden_act': 'xielu'}"},
    /* hub, 199384301376, less three prediction layers of 809390336 with heads of their own */
    {"step-3.5-flash, heads that differ with the window", 196956130368,
     "{'model_type': 'step3p5', 'hidden_size': 4096, 'intermediate_size': 11264,"
     " 'num_attention_heads': 64, 'num_attention_groups': 8, 'head_dim': 128,"
     " 'num_hidden_layers': 45, 'vocab_size': 128896, 'sliding_window': 512,"
     " 'layer_types': ['full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention',"
     " 'sliding_attention'], 'num_nextn_predict_layers': 3,"
     " 'moe_layers_enum': "
     "'3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,"
     "36,37,38,39,40,41,42,43,44',"
     " 'moe_num_experts': 288, 'moe_top_k': 8, 'moe_intermediate_size': 1280,"
     " 'share_expert_dim': 1280, 'use_moe_router_bias': true,"
     " 'use_head_wise_attn_gate': true,"
     " 'attention_other_setting': {'attention_type': 'sliding_attention',"
     " 'num_attention_heads': 96, 'num_attention_groups': 8, 'head_dim': 128}}"},
    /* By hand: 24 x (4 x (1024 x 1024 + 1024) + 2 x 1024 x 4096 + 4096 + 1024 + 4 x 1024) + 256008
     * x 1024 + 2 x 1024 */
    {"xglm-564m", 564463616,
     "{'model_type': 'xglm', 'd_model': 1024, 'ffn_dim': 4096, 'attention_heads': 16,"
     " 'num_layers': 24, 'vocab_size': 256008}"},
    /* By hand: 12 x (4 x 768 x 768 + 768 + 2 x 768 x 3072 + 3072 + 768 + 4 x 768) + (50257 + 2048)
     * x 768 + 2 x 768 */
    {"gpt-neo-125m", 125198592,
     "{'model_type': 'gpt_neo', 'hidden_size': 768, 'num_layers': 12, 'num_heads': 12,"
     " 'max_position_embeddings': 2048, 'vocab_size': 50257, 'intermediate_size': null}"},
    /* By hand: 20 x (4 x 1024 x 1024 + 2 x 1024 x 4096 + 4096 + 1024 + 2 x 1024) + 2 x 51200 x
     * 1024 + 51200 + 2 x 1024 */
    {"codegen-350m", 356712448,
     "{'model_type': 'codegen', 'n_embd': 1024, 'n_head': 16, 'n_layer': 20,"
     " 'n_inner': null, 'vocab_size': 51200}"},
    /* By hand: 12 x (4 x (768 x 768 + 768) + 2 x 768 x 3072 + 3072 + 768 + 4 x 768) + (40478 +
     * 512) x 768 */
    {"openai-gpt", 116534784,
     "{'model_type': 'openai-gpt', 'n_embd': 768, 'n_head': 12, 'n_layer': 12,"
     " 'n_positions': 512, 'vocab_size': 40478}"},
    /* By hand: 64 x (2 x 5120 x 10240 + 2 x 5120 x 1024 + 10240 + 2 x 1024 + 3 x 5120 x 27648 + 2
     * x 5120) + 2 x 155136 x 5120 + 5120 */
    {"seed-oss-36b", 36151104512,
     "{'model_type': 'seed_oss', 'hidden_size': 5120, 'intermediate_size': 27648,"
     " 'num_attention_heads': 80, 'num_hidden_layers': 64, 'num_key_value_heads': 8,"
     " 'head_dim': 128, 'vocab_size': 155136, 'attention_bias': true,"
     " 'attention_out_bias': false}"},
    /* the count of glm-4-9b */
    {"glm-4-9b, the names of transformers", 9399951360,
     "{'model_type': 'glm', 'hidden_size': 4096, 'intermediate_size': 13696,"
     " 'num_attention_heads': 32, 'num_hidden_layers': 40, 'num_key_value_heads': 2,"
     " 'head_dim': 128, 'vocab_size': 151552, 'attention_bias': true}"},
    /* llama-1-7b and 2 x 64 rows of the vocabulary; the vision tower is left out */
    {"llava-1.5-7b, what is not written from the class", 6738939904,
     "{'model_type': 'llava', 'text_config': {'model_type': 'llama', 'vocab_size': 32064,"
     " 'max_position_embeddings': 4096}}"},
    /* By hand: 36 x (4 x (4096 x 4096 + 4096) + 2 x 4096 x 16384 + 16384 + 4096 + 4 x 4096 + 4 x
     * 64) + 2 x 262144 x 4096 + 2 x 4096 */
    {"persimmon-8b", 9397175296,
     "{'model_type': 'persimmon', 'hidden_size': 4096, 'intermediate_size': 16384,"
     " 'num_attention_heads': 64, 'num_hidden_layers': 36, 'vocab_size': 262144}"},
    /* By hand: 30 x (2 x 2560 x 2560 + 2 x 2560 x 640 + 3 x 2560 x 6912 + 3 x 2560 + 6912) +
     * 128256 x 2560 + 2560 */
    {"bitnet-b1.58-2b", 2412820480,
     "{'model_type': 'bitnet', 'hidden_size': 2560, 'intermediate_size': 6912,"
     " 'num_attention_heads': 20, 'num_key_value_heads': 5, 'num_hidden_layers': 30,"
     " 'vocab_size': 128256, 'tie_word_embeddings': true}"},
};

START_TEST(shapes_give_the_published_counts)
{
    csz_status status = load_quoted(models[_i].config);
    ck_assert_msg(status == CSZ_OK, "%s: %s", models[_i].name, error.text);
    ck_assert_msg(count() == models[_i].parameters, "%s: %lld, not %lld", models[_i].name,
                  (long long)count(), (long long)models[_i].parameters);
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

#define QWEN2(more)                                                                                \
    "{'model_type': 'qwen2', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': " \
    "4,"                                                                                           \
    " 'num_hidden_layers': 4, 'num_key_value_heads': 2, 'vocab_size': 1000, 'sliding_window': "    \
    "32" more "}"
#define QWEN3_MOE(more)                                                                            \
    "{'model_type': 'qwen3_moe', 'hidden_size': 64, 'intermediate_size': 128, "                    \
    "'num_attention_heads': 4,"                                                                    \
    " 'num_hidden_layers': 4, 'num_key_value_heads': 2, 'vocab_size': 1000, 'num_experts': 8, "    \
    "'num_experts_per_tok': 2,"                                                                    \
    " 'moe_intermediate_size': 16" more "}"
#define LLAMA4(chunk, more)                                                                        \
    "{'model_type': 'llama4_text', 'hidden_size': 64, 'intermediate_size': 64, "                   \
    "'intermediate_size_mlp': 128,"                                                                \
    " 'num_attention_heads': 4, 'num_hidden_layers': 4, 'num_key_value_heads': 2, 'vocab_size': "  \
    "1000,"                                                                                        \
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
    {QWEN2(", 'layer_types': ['sliding_attention', 'full_attention', 'full_attention', "
           "'sliding_attention']"),
     "w..w", "...."},
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
    {LLAMA4("32", ", 'layer_types': ['full_attention', 'chunked_attention', 'full_attention', "
                  "'full_attention']"),
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
    ck_assert_int_eq(
        load_quoted("{'model_type': 'gemma2', 'hidden_size': 64, 'intermediate_size': 128,"
                    " 'num_attention_heads': 4, 'num_hidden_layers': 4, 'num_key_value_heads': 2,"
                    " 'vocab_size': 1000}"),
        CSZ_OK);
    for (int64_t layer = 0; layer < 4; layer++)
        ck_assert_int_eq(window_of(layer), layer % 2 == 0 ? 4096 : 0);
    ck_assert_int_eq(
        load_quoted("{'model_type': 'gemma3_text', 'hidden_size': 64, 'intermediate_size': 128,"
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
    ck_assert_int_eq(
        load_quoted(
            "{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32,"
            " 'vocab_size': 100, 'resid_pdrop': 0.1}"),
        CSZ_OK);
    ck_assert_int_eq(workload.dropout, 1);
    ck_assert_int_eq(
        load_quoted(
            "{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32,"
            " 'vocab_size': 100, 'resid_pdrop': 0.0}"),
        CSZ_OK);
    ck_assert_int_eq(workload.dropout, 0);
}
END_TEST

START_TEST(the_outer_config_ties_embeddings_when_the_inner_is_silent)
{
#define INNER                                                                                      \
    "'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': "  \
    "4,"                                                                                           \
    " 'num_hidden_layers': 2, 'vocab_size': 100"
    ck_assert_int_eq(
        load_quoted("{'model_type': 'x', 'tie_word_embeddings': true, 'text_config': {" INNER "}}"),
        CSZ_OK);
    ck_assert_int_eq(workload.tied_embeddings, 1);
    ck_assert_int_eq(
        load_quoted("{'model_type': 'x', 'tie_word_embeddings': true, 'text_config': {" INNER
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
    ck_assert_int_eq(cszi_field_set_i64(table, &workload,
                                        cszi_table_row(table, CSZ_WORKLOAD_HEAD_BIAS), 0, 1,
                                        &error),
                     CSZ_OK);
    ck_assert_int_eq(cszi_field_set_i64(table, &workload,
                                        cszi_table_row(table, CSZ_WORKLOAD_TOKENS), 0, 1000,
                                        &error),
                     CSZ_OK);
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(cszi_field_set_i64(table, &workload,
                                            cszi_table_row(table, CSZ_WORKLOAD_LAYERS), i, 5,
                                            &error),
                         CSZ_OK);
    for (size_t i = 0; i <= strlen(LLAMA_8B); i++)
        buffer[i] = (char)(LLAMA_8B[i] == '\'' ? '"' : LLAMA_8B[i]);
    ck_assert_int_eq(cszi_workload_load_hugging_face(&workload, buffer, strlen(buffer), &error),
                     CSZ_OK);
    ck_assert_int_eq(workload.head_bias, 0);
    ck_assert_int_eq(workload.phases_count, 1);
    ck_assert_int_eq(workload.phases[0].tokens, 1000);
    ck_assert_int_eq(workload.runs_count, 1);
    ck_assert_int_eq(count(), 8030261248);
}
END_TEST

/* ---- Small configs of many types ---- */

#define BERT(more)                                                                                 \
    "{'model_type': 'bert', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': "  \
    "4,"                                                                                           \
    " 'num_hidden_layers': 2, 'max_position_embeddings': 32, 'vocab_size': 100" more "}"
#define T5(more)                                                                                   \
    "{'model_type': 't5', 'd_model': 64, 'd_ff': 128, 'd_kv': 16, 'num_heads': 4, 'num_layers': "  \
    "2,"                                                                                           \
    " 'vocab_size': 100" more "}"
#define NEMOTRON_H(more)                                                                           \
    "{'model_type': 'nemotron_h', 'hidden_size': 64, 'num_attention_heads': 4, "                   \
    "'num_key_value_heads': 2,"                                                                    \
    " 'head_dim': 16, 'mamba_num_heads': 8, 'mamba_head_dim': 16, 'n_groups': 2, "                 \
    "'ssm_state_size': 16,"                                                                        \
    " 'vocab_size': 100, " more "}"
#define LFM2(more)                                                                                 \
    "{'model_type': 'lfm2', 'hidden_size': 64, 'intermediate_size': 300, 'num_attention_heads': "  \
    "4,"                                                                                           \
    " 'num_key_value_heads': 2, 'num_hidden_layers': 2, 'block_multiple_of': 32, 'vocab_size': "   \
    "100" more "}"
#define EXAONE4(more)                                                                              \
    "{'model_type': 'exaone4', 'hidden_size': 64, 'intermediate_size': 128, "                      \
    "'num_attention_heads': 4,"                                                                    \
    " 'num_key_value_heads': 2, 'num_hidden_layers': 4, 'sliding_window': 32, 'vocab_size': "      \
    "100" more "}"
#define STEP(more)                                                                                 \
    "{'model_type': 'step3p5', 'hidden_size': 64, 'intermediate_size': 128, "                      \
    "'num_attention_heads': 4,"                                                                    \
    " 'num_attention_groups': 2, 'num_hidden_layers': 2, 'head_dim': 16, 'sliding_window': 32, "   \
    "'moe_num_experts': 8,"                                                                        \
    " 'moe_top_k': 2, 'moe_intermediate_size': 16, 'share_expert_dim': 16, 'vocab_size': 100" more \
    "}"
#define NAS(layers, blocks)                                                                        \
    "{'model_type': 'nemotron-nas', 'hidden_size': 384, 'num_attention_heads': 8, "                \
    "'num_hidden_layers': " layers ", 'intermediate_size': null, 'num_key_value_heads': null, "    \
    "'vocab_size': 100, 'block_configs': [" blocks "]}"
#define WIDTH(n) "{'attention': {'no_op': true}, 'ffn': {'intermediate_size': " n "}}"
#define WIDTHS_16                                                                                                       \
    WIDTH("1")                                                                                                          \
    "," WIDTH("2") "," WIDTH("3") "," WIDTH("4") "," WIDTH("5") "," WIDTH("6") "," WIDTH("7") "," WIDTH("8") "," WIDTH( \
        "9") "," WIDTH("10") "," WIDTH("11") "," WIDTH("12") "," WIDTH("13") "," WIDTH("14") "," WIDTH("15") "," WIDTH("16")

static const cszi_layer_kind *kind_of(int64_t layer)
{
    for (int64_t i = 0; i < workload.runs_count; i++) {
        if (layer < workload.runs[i].layers)
            return &workload.kinds[workload.runs[i].layer_kind];
        layer -= workload.runs[i].layers;
    }
    ck_abort_msg("no layer");
    return NULL;
}

/* What each layer mixes by: a attention, w attention with a window, r recurrent, . nothing, +
 * custom. */
static const struct {
    const char *config;
    const char *mixers;
    csz_attention recurrent;
} mixed[] = {
    {NEMOTRON_H("'hybrid_override_pattern': 'M*-', 'intermediate_size': 8"), "ra.",
     CSZ_ATTENTION_MAMBA2},
    {NEMOTRON_H("'layers_block_type': ['attention', 'mlp', 'mamba'], 'intermediate_size': 8"),
     "a.r", CSZ_ATTENTION_MAMBA2},
    {NEMOTRON_H(
         "'layers_block_type': ['full_attention', 'linear_attention'], 'intermediate_size': 8"),
     "ar", CSZ_ATTENTION_MAMBA2},
    {"{'model_type': 'mamba', 'd_model': 64, 'n_layer': 2, 'vocab_size': 100}", "rr",
     CSZ_ATTENTION_MAMBA},
    {"{'model_type': 'jamba', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': "
     "4,"
     " 'num_key_value_heads': 2, 'num_hidden_layers': 4, 'attn_layer_period': 3, "
     "'attn_layer_offset': 1,"
     " 'num_experts': 1, 'vocab_size': 100}",
     "rarr", CSZ_ATTENTION_MAMBA},
    {"{'model_type': 'bamba', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': "
     "4,"
     " 'num_key_value_heads': 2, 'num_hidden_layers': 3, 'mamba_n_heads': 8, 'mamba_d_head': "
     "'auto',"
     " 'attn_layer_indices': [2], 'vocab_size': 100}",
     "rra", CSZ_ATTENTION_MAMBA2},
    {"{'model_type': 'qwen3_5', 'hidden_size': 64, 'intermediate_size': 128, "
     "'num_attention_heads': 4,"
     " 'num_key_value_heads': 2, 'num_hidden_layers': 5, 'vocab_size': 100}",
     "rrrar", CSZ_ATTENTION_DELTA},
    {"{'model_type': 'qwen3_5', 'hidden_size': 64, 'intermediate_size': 128, "
     "'num_attention_heads': 4,"
     " 'num_key_value_heads': 2, 'num_hidden_layers': 2, 'layer_types': ['full_attention', "
     "'linear_attention'],"
     " 'vocab_size': 100}",
     "ar", CSZ_ATTENTION_DELTA},
    {"{'model_type': 'minimax', 'hidden_size': 64, 'intermediate_size': 128, "
     "'num_attention_heads': 4,"
     " 'num_key_value_heads': 2, 'num_hidden_layers': 3, 'num_local_experts': 4, "
     "'num_experts_per_tok': 2,"
     " 'vocab_size': 100}",
     "ara", CSZ_ATTENTION_LIGHTNING},
    {LFM2(""), "aa", CSZ_ATTENTION_CONVOLUTION},
    {LFM2(", 'full_attn_idxs': [1]"), "ra", CSZ_ATTENTION_CONVOLUTION},
    {LFM2(", 'layer_types': ['full_attention', 'conv']"), "ar", CSZ_ATTENTION_CONVOLUTION},
    {EXAONE4(""), "wwwa", CSZ_ATTENTION_NONE},
    {EXAONE4(", 'sliding_window_pattern': 'LG'"), "wawa", CSZ_ATTENTION_NONE},
    {EXAONE4(", 'sliding_window_pattern': 'L'"), "wwwa", CSZ_ATTENTION_NONE},
    {EXAONE4(
         ", 'sliding_window_pattern': 'LLG', 'layer_types': ['full_attention', 'full_attention',"
         " 'sliding_attention', 'full_attention']"),
     "aawa", CSZ_ATTENTION_NONE},
    {NAS("4", "{'attention': {'n_heads_in_group': 4}, 'ffn': {'ffn_mult': 1.0}},"
              "{'attention': {'no_op': true}, 'ffn': {'no_op': true}},"
              "{'attention': {'replace_with_linear': true}, 'ffn': {'replace_with_linear': true}},"
              "{'attention': {'no_op': true}, 'ffn': {'ffn_mult': 1.0}}"),
     "a+.", CSZ_ATTENTION_NONE},
    {NAS("2", "{'attention': {'window_length': 16}, 'ffn': {'no_op': true}},"
              "{'attention': {}, 'ffn': {'intermediate_size': 77}}"),
     "wa", CSZ_ATTENTION_NONE},
};

START_TEST(layers_mix_by_what_the_pattern_says)
{
    const char *mixers = mixed[_i].mixers;
    int64_t layers = 0;
    ck_assert_msg(load_quoted(mixed[_i].config) == CSZ_OK, "%s: %s", mixed[_i].config, error.text);
    for (int64_t i = 0; i < workload.runs_count; i++)
        layers += workload.runs[i].layers;
    ck_assert_int_eq(layers, (int64_t)strlen(mixers));
    for (int64_t layer = 0; layer < layers; layer++) {
        const cszi_layer_kind *kind = kind_of(layer);
        csz_attention wanted = mixers[layer] == 'r'   ? mixed[_i].recurrent
                               : mixers[layer] == '.' ? CSZ_ATTENTION_NONE
                               : mixers[layer] == '+' ? CSZ_ATTENTION_CUSTOM
                                                      : CSZ_ATTENTION_GROUPED;
        ck_assert_msg(kind->attention == (int64_t)wanted, "%s: layer %lld: %lld", mixed[_i].config,
                      (long long)layer, (long long)kind->attention);
        ck_assert_int_eq(kind->sliding_window != 0, mixers[layer] == 'w');
    }
    (void)count();
}
END_TEST

START_TEST(blocks_give_heads_widths_and_norms)
{
    ck_assert_int_eq(
        load_quoted(NAS(
            "3",
            "{'attention': {'n_heads_in_group': 4}, 'ffn': {'ffn_mult': 1.0}},"
            "{'attention': {'no_op': true}, 'ffn': {'ffn_mult': 2.0}},"
            "{'attention': {'replace_with_linear': true}, 'ffn': {'replace_with_linear': true}}")),
        CSZ_OK);
    ck_assert_int_eq(workload.kinds[0].kv_heads, 2);
    ck_assert_int_eq(workload.kinds[0].ffn, 256); /* 2 x 1 x 384 / 3 = 256 */
    ck_assert_int_eq(workload.kinds[0].norms_per_layer, 2);
    ck_assert_int_eq(workload.kinds[1].ffn, 512);
    ck_assert_int_eq(workload.kinds[1].norms_per_layer, 1);
    ck_assert_int_eq(workload.kinds[2].custom_parameters, 384 * 384);
    ck_assert_int_eq(workload.kinds[2].gated_mlp, 0);
    /* 384 x 384 + 2 x 384 x 96 + 384 x 384 + 3 x 384 x 256 + 2 x 384; 3 x 384 x 512 + 384; 2 x 384
     * x 384 + 2 x 384; 2 x 100 x 384 + 384 */
    ck_assert_int_eq(count(), 663552 + 768 + 589824 + 384 + 294912 + 768 + 76800 + 384);
    ck_assert_msg(load_quoted(NAS("16", WIDTHS_16)) == CSZ_OK, "%s", error.text);
    ck_assert_int_eq(workload.kinds_count, 16);
}
END_TEST

START_TEST(t5_has_an_encoder_and_a_decoder)
{
    const cszi_layer_kind *encoder = &workload.kinds[0], *decoder = &workload.kinds[1];
    ck_assert_msg(load_quoted(T5(", 'num_decoder_layers': 3, 'feed_forward_proj': 'gated-gelu'")) ==
                      CSZ_OK,
                  "%s", error.text);
    ck_assert_int_eq(workload.runs[0].layers, 2);
    ck_assert_int_eq(workload.runs[1].layers, 3);
    ck_assert_int_eq(encoder->causal, 0);
    ck_assert_int_eq(encoder->cross_attention, 0);
    ck_assert_int_eq(decoder->causal, 1);
    ck_assert_int_eq(decoder->cross_attention, 1);
    ck_assert_int_eq(decoder->norms_per_layer, 3);
    ck_assert_int_eq(decoder->gated_mlp, 1);
    ck_assert_double_eq_tol(encoder->token_share, 0.8, 1e-15);
    ck_assert_double_eq_tol(decoder->token_share, 0.2, 1e-15);
}
END_TEST

START_TEST(windows_of_step_have_heads_of_their_own)
{
    ck_assert_msg(
        load_quoted(STEP(
            ", 'layer_types': ['full_attention', 'sliding_attention', 'full_attention'],"
            " 'num_nextn_predict_layers': 1, 'moe_layers_enum': '1', 'use_head_wise_attn_gate': "
            "true,"
            " 'attention_other_setting': {'num_attention_heads': 6, 'num_attention_groups': 3}")) ==
            CSZ_OK,
        "%s", error.text);
    ck_assert_int_eq(kind_of(0)->heads, 4);
    ck_assert_int_eq(kind_of(0)->experts, 0);
    ck_assert_int_eq(kind_of(1)->heads, 6);
    ck_assert_int_eq(kind_of(1)->kv_heads, 3);
    ck_assert_int_eq(kind_of(1)->experts, 8);
    ck_assert_int_eq(workload.extra_parameters, 64 * 4 + 64 * 6);
}
END_TEST

START_TEST(the_width_of_lfm2_is_two_thirds_rounded_up)
{
    ck_assert_int_eq(load_quoted(LFM2("")), CSZ_OK);
    ck_assert_int_eq(workload.kinds[0].ffn, 224); /* 200, to a multiple of 32 */
    ck_assert_int_eq(load_quoted(LFM2(", 'block_ffn_dim_multiplier': 1.13")), CSZ_OK);
    ck_assert_int_eq(workload.kinds[0].ffn, 256); /* 226 */
    ck_assert_int_eq(load_quoted(LFM2(", 'block_auto_adjust_ff_dim': false")), CSZ_OK);
    ck_assert_int_eq(workload.kinds[0].ffn, 300);
    ck_assert_int_eq(load_quoted(LFM2(", 'block_ff_dim': 96, 'tie_embedding': false")), CSZ_OK);
    ck_assert_int_eq(workload.kinds[0].ffn, 64);
    ck_assert_int_eq(workload.tied_embeddings, 0);
    /* Biases of the convolution, and of its projections in and out. */
    ck_assert_int_eq(load_quoted(LFM2(", 'conv_bias': true, 'layer_types': ['conv', 'conv']")),
                     CSZ_OK);
    ck_assert_int_eq(workload.kinds[0].convolution_bias, 1);
    ck_assert_int_eq(workload.extra_parameters, 2 * (3 * 64 + 64));
}
END_TEST

START_TEST(biases_of_mamba_projections_are_counted)
{
    int64_t without;
    ck_assert_int_eq(
        load_quoted(
            "{'model_type': 'mamba2', 'hidden_size': 64, 'num_hidden_layers': 2, 'num_heads': 4,"
            " 'head_dim': 32, 'state_size': 16, 'n_groups': 2, 'vocab_size': 100}"),
        CSZ_OK);
    without = count();
    ck_assert_int_eq(
        load_quoted(
            "{'model_type': 'mamba2', 'hidden_size': 64, 'num_hidden_layers': 2, 'num_heads': 4,"
            " 'head_dim': 32, 'state_size': 16, 'n_groups': 2, 'vocab_size': 100, 'use_bias': "
            "true}"),
        CSZ_OK);
    ck_assert_int_eq(count() - without, 2 * (2 * 128 + 2 * 2 * 16 + 4 + 64));
}
END_TEST

START_TEST(experts_behind_a_lower_width_have_it)
{
    ck_assert_msg(
        load_quoted(NEMOTRON_H(
            "'hybrid_override_pattern': 'E', 'n_routed_experts': 8, 'num_experts_per_tok': 2,"
            " 'moe_intermediate_size': 96, 'moe_shared_expert_intermediate_size': 48,"
            " 'moe_latent_size': 32")) == CSZ_OK,
        "%s", error.text);
    ck_assert_int_eq(kind_of(0)->expert_ffn, 96);
    ck_assert_int_eq(kind_of(0)->expert_width, 32);
    ck_assert_int_eq(kind_of(0)->shared_ffn, 48);
    /* 8 x 2 x 32 x 96 + 64 x 8 + 2 x 64 x 48 + 2 x 64 x 32 + 64; 2 x 100 x 64 + 64 */
    ck_assert_int_eq(count(), 49152 + 512 + 6144 + 4096 + 64 + 12800 + 64);
}
END_TEST

START_TEST(the_class_fills_what_a_model_within_a_model_leaves_out)
{
    ck_assert_msg(load_quoted("{'model_type': 'llava_next', 'text_config': {'model_type': "
                              "'mistral', 'vocab_size': 32064}}") == CSZ_OK,
                  "%s", error.text);
    ck_assert_int_eq(workload.hidden, 4096);
    ck_assert_int_eq(workload.kinds[0].ffn, 14336);
    ck_assert_int_eq(workload.kinds[0].kv_heads, 8);
    ck_assert_int_eq(workload.vocab, 32064);
    ck_assert_msg(
        load_quoted("{'model_type': 'multi_modality', 'language_config': {'model_type': 'llama',"
                    " 'num_hidden_layers': 30, 'vocab_size': 102400}}") == CSZ_OK,
        "%s", error.text);
    ck_assert_int_eq(workload.runs[0].layers, 30);
    ck_assert_msg(
        load_quoted(
            "{'model_type': 'omni', 'thinker_config': {'text_config': {'model_type': 'qwen2'}}}") ==
            CSZ_OK,
        "%s", error.text);
    ck_assert_int_eq(workload.kinds[0].ffn, 22016);
    ck_assert_int_eq(load_quoted("{'model_type': 'llama'}"),
                     CSZ_ERR_MISSING); /* but not by itself */
}
END_TEST

START_TEST(towers_of_unknown_shape_are_left_out)
{
#define GEMMA3(vision)                                                                             \
    "{'model_type': 'gemma3', 'vision_config': " vision                                            \
    ", 'text_config': {'model_type': 'gemma3_text',"                                               \
    " 'hidden_size': 64, 'intermediate_size': 128, 'num_hidden_layers': 2}}"
    ck_assert_int_eq(load_quoted(GEMMA3("{'hidden_size': 8}")), CSZ_OK);
    ck_assert_int_eq(workload.extra_parameters, 0);
    ck_assert_int_eq(load_quoted(GEMMA3("7")), CSZ_OK);
    ck_assert_int_eq(workload.extra_parameters, 0);
    ck_assert_int_eq(
        load_quoted(GEMMA3("{'hidden_size': 8, 'num_hidden_layers': 2, 'intermediate_size': 16,"
                           " 'image_size': 28, 'patch_size': 14}")),
        CSZ_OK);
    /* 3 x 14 x 14 x 8 + 8 + 4 x 8; 2 x (4 x (64 + 8) + 2 x 128 + 16 + 8 + 32); 3 x 8 + 8 x 64 */
    ck_assert_int_eq(workload.extra_parameters,
                     4704 + 8 + 32 + 2 * (288 + 256 + 24 + 32) + 24 + 512);
    ck_assert_int_eq(
        load_quoted(
            GEMMA3("{'hidden_size': 9e13, 'num_hidden_layers': 9e13, 'intermediate_size': 9e13,"
                   " 'image_size': 28, 'patch_size': 14}")),
        CSZ_ERR_RANGE);
    ck_assert_ptr_nonnull(strstr(error.text, "$.vision_config"));
    ck_assert_int_eq(load_quoted(GEMMA3("{'hidden_size': 'wide'}")), CSZ_ERR_TYPE);
}
END_TEST

/* ---- Errors ---- */

#define TINY(more)                                                                                 \
    "{'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 128, 'num_attention_heads': " \
    "4,\n"                                                                                         \
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
    {"{'model_type': 'nonesuch'}",
     CSZ_ERR_UNKNOWN,
     {"'nonesuch'", "llama, mistral, qwen2", " more at line 1"}},
    {"{'model_type': "
     "'\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007"
     "\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\"
     "u0007\\u0007"
     "\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\u0007\\"
     "u0007\\u0007'}",
     CSZ_ERR_UNKNOWN,
     {"\\x07\\x07'...", " more at line 1", "$.model_type"}},
    {"{'model_type': 'zamba2'}",
     CSZ_ERR_UNKNOWN,
     {"zamba2", "several layers share", "$.model_type"}},
    {"{'model_type': 'rwkv'}", CSZ_ERR_UNKNOWN, {"'rwkv'", "time-mixing"}},
    {"{'model_type': 'gemma3n'}", CSZ_ERR_UNKNOWN, {"'gemma3n'", "embeddings of every layer"}},
    {"{'model_type': 'nemotron_h'}", CSZ_ERR_MISSING, {"hidden_size", "nemotron_h"}},
    {"{'text_config': 1}", CSZ_ERR_TYPE, {"an object, not a number", "$.text_config"}},
    {"{'model_type': 'llama', 'hidden_size': 64, 'vocab_size': 9, 'num_hidden_layers': 1}",
     CSZ_ERR_MISSING,
     {"num_attention_heads", "llama"}},
    {"{'model_type': 'gpt2', 'n_embd': 64}", CSZ_ERR_MISSING, {"vocab_size", "gpt2"}},
    {"{'model_type': 'gpt2', 'vocab_size': 64}",
     CSZ_ERR_MISSING,
     {"n_embd (or hidden_size)", "gpt2"}},
    {"{'model_type': 'gpt2', 'n_embd': 64, 'hidden_size': 65}",
     CSZ_ERR_CONFLICT,
     {"65", "64", "$.hidden_size"}},
    {"{'model_type': 'llama', 'hidden_size': null}", CSZ_ERR_MISSING, {"hidden_size", "llama"}},
    {"{'model_type': 'qwen2', 'hidden_size': 64, 'vocab_size': 9, 'num_hidden_layers': 1, "
     "'num_attention_heads': 2,"
     " 'intermediate_size': 8}",
     CSZ_ERR_MISSING,
     {"num_key_value_heads", "qwen2"}},
    {TINY(", 'num_key_value_heads': 'two'"),
     CSZ_ERR_TYPE,
     {"a number, not a string", "line 2", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': 2.5"),
     CSZ_ERR_TYPE,
     {"integer", "line 2", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': Infinity"), CSZ_ERR_TYPE, {"integer", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': 0"),
     CSZ_ERR_RANGE,
     {"kv_heads", "line 2", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': -1"), CSZ_ERR_RANGE, {"-1", "$.num_key_value_heads"}},
    {TINY(", 'mlp_bias': 1"), CSZ_ERR_TYPE, {"true or false, not a number", "$.mlp_bias"}},
    {TINY(", 'mlp_bias': true, 'mlp_bias': true"), CSZ_ERR_SYNTAX, {"twice", "$.mlp_bias"}},
    {TINY(", 'layer_types': ['full_attention', 'linear_attention']"),
     CSZ_ERR_UNKNOWN,
     {"linear_attention", "$.layer_types[1]"}},
    {TINY(", 'layer_types': ['full_attention']"),
     CSZ_ERR_CONFLICT,
     {"1 items", "2 layers", "$.layer_types"}},
    {TINY(", 'layer_types': ['full_attention', 'full_attention', 'mamba']"),
     CSZ_ERR_CONFLICT,
     {"3 items"}},
    {TINY(", 'layer_types': ['full_attention', 3]"),
     CSZ_ERR_TYPE,
     {"a string", "$.layer_types[1]"}},
    {TINY(", 'layer_types': 'full_attention'"), CSZ_ERR_TYPE, {"an array", "$.layer_types"}},
    {TINY(", 'layer_types': ['full_attention', 'sliding_attention']"),
     CSZ_ERR_MISSING,
     {"layer 1", "window"}},
    {TINY(", 'mlp_layer_types': ['dense', 'sparse']"), CSZ_ERR_MISSING, {"layer 1", "experts"}},
    {TINY(", 'block_configs': [{}, {}]"), CSZ_ERR_UNKNOWN, {"block_configs", "$.block_configs"}},
    {QWEN2(", 'use_sliding_window': 'no'"),
     CSZ_ERR_TYPE,
     {"true or false", "$.use_sliding_window"}},
    {QWEN3_MOE(", 'decoder_sparse_step': 0"), CSZ_ERR_RANGE, {"0", "$.decoder_sparse_step"}},
    {QWEN3_MOE(", 'mlp_only_layers': [4]"), CSZ_ERR_RANGE, {"layer 4", "$.mlp_only_layers[0]"}},
    {QWEN3_MOE(", 'mlp_only_layers': [-1]"), CSZ_ERR_RANGE, {"layer -1", "$.mlp_only_layers[0]"}},
    {"{'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 8, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 1025, 'vocab_size': 100}",
     CSZ_ERR_LIMIT,
     {"1025", "1024", "$.num_hidden_layers"}},
    {"{'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 8, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 0, 'vocab_size': 100}",
     CSZ_ERR_RANGE,
     {"0 is less than 1", "$.num_hidden_layers"}},
    {"{'model_type': 'llama', 'hidden_size': 1e12, 'intermediate_size': 8, 'num_attention_heads': "
     "4,"
     " 'num_hidden_layers': 1, 'vocab_size': 100}",
     CSZ_ERR_RANGE,
     {"hidden", "$.hidden_size"}},
    {"{'model_type': 'mpt', 'd_model': 1048576, 'n_heads': 4, 'n_layers': 1, 'expansion_ratio': "
     "9007199254740992,"
     " 'max_seq_len': 8, 'no_bias': true, 'vocab_size': 100}",
     CSZ_ERR_RANGE,
     {"ffn", "$.expansion_ratio"}},
    {"{'model_type': 'mpt', 'd_model': 64, 'n_heads': 4, 'n_layers': 1, 'attn_config': 1, "
     "'max_seq_len': 8,"
     " 'no_bias': true, 'vocab_size': 100}",
     CSZ_ERR_TYPE,
     {"an object", "$.attn_config"}},
    {TINY(", 'index_topk': 64"), CSZ_ERR_UNKNOWN, {"index_topk", "an indexer", "$.index_topk"}},
    {TINY(", 'hybrid_override_pattern': 'M*'"),
     CSZ_ERR_UNKNOWN,
     {"recurrent layers", "$.hybrid_override_pattern"}},
    {TINY(", 'moe_latent_size': 32"), CSZ_ERR_UNKNOWN, {"lower width", "$.moe_latent_size"}},
    {TINY(", 'num_key_value_heads': [2, 1]"),
     CSZ_ERR_UNKNOWN,
     {"1 after 2", "layer to layer", "$.num_key_value_heads[1]"}},
    {TINY(", 'num_key_value_heads': []"),
     CSZ_ERR_TYPE,
     {"a number, not an array", "$.num_key_value_heads"}},
    {TINY(", 'num_key_value_heads': ['a']"),
     CSZ_ERR_TYPE,
     {"a number, not a string", "$.num_key_value_heads[0]"}},
    {"{'model_type': 'llama', 'hidden_size': [64, 64]}",
     CSZ_ERR_TYPE,
     {"a number, not an array", "$.hidden_size"}},
    {"{'model_type': 'x', 'text_config': {'model_type': 'llama', 'linear_attn_config': {}}}",
     CSZ_ERR_UNKNOWN,
     {"linear-attention", "$.text_config.linear_attn_config"}},
    {"{'model_type': 'x', 'llm_config': []}",
     CSZ_ERR_TYPE,
     {"an object, not an array", "$.llm_config"}},
    {BERT(", 'position_embedding_type': 'relative_key'"),
     CSZ_ERR_UNKNOWN,
     {"only absolute", "$.position_embedding_type"}},
    {BERT(", 'is_decoder': true"), CSZ_ERR_UNKNOWN, {"is_decoder: only false", "$.is_decoder"}},
    {T5(", 'feed_forward_proj': 1"),
     CSZ_ERR_TYPE,
     {"a string, not a number", "$.feed_forward_proj"}},
    {T5(", 'num_decoder_layers': 1023"), CSZ_ERR_LIMIT, {"1025 layers", "$.num_decoder_layers"}},
    {NEMOTRON_H("'num_hidden_layers': 2"),
     CSZ_ERR_MISSING,
     {"layers_block_type (or hybrid_override_pattern)"}},
    {NEMOTRON_H("'hybrid_override_pattern': 'M*x'"),
     CSZ_ERR_UNKNOWN,
     {"letter 3", "$.hybrid_override_pattern"}},
    {NEMOTRON_H("'hybrid_override_pattern': 'M*', 'num_hidden_layers': 3"),
     CSZ_ERR_CONFLICT,
     {"2 letters", "3 layers", "$.hybrid_override_pattern"}},
    {NEMOTRON_H("'hybrid_override_pattern': 7"),
     CSZ_ERR_TYPE,
     {"one item a layer", "$.hybrid_override_pattern"}},
    {NEMOTRON_H("'layers_block_type': []"),
     CSZ_ERR_TYPE,
     {"one item a layer", "$.layers_block_type"}},
    {NEMOTRON_H("'layers_block_type': ['mamba', 'hyena']"),
     CSZ_ERR_UNKNOWN,
     {"'hyena'", "$.layers_block_type[1]"}},
    {NEMOTRON_H("'hybrid_override_pattern': 'ME'"),
     CSZ_ERR_MISSING,
     {"layer 1 of nemotron_h has experts"}},
    {NEMOTRON_H("'hybrid_override_pattern': 'M-'"),
     CSZ_ERR_MISSING,
     {"layer 1 of nemotron_h has no experts"}},
    {"{'model_type': 'mamba', 'hidden_size': 64, 'num_hidden_layers': 2, 'vocab_size': 100, "
     "'time_step_rank': 'many'}",
     CSZ_ERR_TYPE,
     {"a number, not a string", "$.time_step_rank"}},
    {LFM2(", 'full_attn_idxs': [2]"), CSZ_ERR_RANGE, {"layer 2", "$.full_attn_idxs[0]"}},
    {LFM2(", 'block_ffn_dim_multiplier': -1.5"),
     CSZ_ERR_RANGE,
     {"-1.5", "$.block_ffn_dim_multiplier"}},
    {LFM2(", 'block_auto_adjust_ff_dim': 1"),
     CSZ_ERR_TYPE,
     {"true or false", "$.block_auto_adjust_ff_dim"}},
    {EXAONE4(", 'sliding_window_pattern': 'LLX'"),
     CSZ_ERR_UNKNOWN,
     {"L and G", "$.sliding_window_pattern"}},
    {EXAONE4(", 'sliding_window_pattern': ''"),
     CSZ_ERR_UNKNOWN,
     {"L and G", "$.sliding_window_pattern"}},
    {STEP(", 'moe_layers_enum': '1,2'"), CSZ_ERR_RANGE, {"layer 2", "$.moe_layers_enum"}},
    {STEP(", 'moe_layers_enum': '1;'"), CSZ_ERR_RANGE, {"commas", "$.moe_layers_enum"}},
    {STEP(", 'moe_layers_enum': ''"), CSZ_ERR_RANGE, {"commas", "$.moe_layers_enum"}},
    {NAS("2", ""), CSZ_ERR_CONFLICT, {"0 items", "2 layers", "$.block_configs"}},
    {NAS("1", "{'attention': {'n_heads_in_group': 3}, 'ffn': {'ffn_mult': 1.0}}"),
     CSZ_ERR_CONFLICT,
     {"3 heads in a group", "$.block_configs[0].attention.n_heads_in_group"}},
    {NAS("1", "{'attention': {'n_heads_in_group': 0}, 'ffn': {'ffn_mult': 1.0}}"),
     CSZ_ERR_RANGE,
     {"0 is less than 1", "n_heads_in_group"}},
    {NAS("1", "{'attention': {'no_op': 'yes'}, 'ffn': {'ffn_mult': 1.0}}"),
     CSZ_ERR_TYPE,
     {"true or false", "no_op"}},
    {NAS("1", "{'attention': {'mamba': {'state_dim': 8}}, 'ffn': {'ffn_mult': 1.0}}"),
     CSZ_ERR_UNKNOWN,
     {"mamba:", "single layers"}},
    {NAS("1", "{'attention': {}, 'ffn': {'moe': {'num_local_experts': 8}}}"),
     CSZ_ERR_UNKNOWN,
     {"moe:", "single layers"}},
    {NAS("1", "{'attention': {}, 'ffn': {}}"),
     CSZ_ERR_MISSING,
     {"ffn_mult (or intermediate_size)", "$.block_configs[0].ffn"}},
    {NAS("1", "{'attention': {}, 'ffn': {'ffn_mult': 1e9}}"), CSZ_ERR_RANGE, {"width", "ffn_mult"}},
    {NAS("1", "{'attention': {}}"), CSZ_ERR_MISSING, {"ffn: is missing", "$.block_configs[0]"}},
    {NAS("1", "{'attention': {}, 'ffn': 3}"),
     CSZ_ERR_TYPE,
     {"an object, not a number", "$.block_configs[0].ffn"}},
    {NAS("1", "3"), CSZ_ERR_TYPE, {"an object, not a number", "$.block_configs[0]"}},
    {NAS("17", WIDTHS_16 ", " WIDTH("17")),
     CSZ_ERR_LIMIT,
     {"block_configs: more than 16 kinds", "$.block_configs[16]"}},
    {"{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32, "
     "'vocab_size': 100,"
     " 'resid_pdrop': 1.5}",
     CSZ_ERR_RANGE,
     {"1.5", "$.resid_pdrop"}},
    {"{'model_type': 'gpt2', 'n_embd': 64, 'n_head': 4, 'n_layer': 2, 'n_positions': 32, "
     "'vocab_size': 100,"
     " 'resid_pdrop': NaN}",
     CSZ_ERR_RANGE,
     {"$.resid_pdrop"}},
    {"{'model_type': 'qwen', 'hidden_size': 64, 'intermediate_size': 7, 'num_attention_heads': 4,"
     " 'num_hidden_layers': 2, 'vocab_size': 100}",
     CSZ_ERR_RANGE,
     {"even", "$.intermediate_size"}},
};

START_TEST(wrong_configs_are_refused_with_the_reason)
{
    csz_status status = load_quoted(wrong[_i].config);
    ck_assert_msg(status == wrong[_i].status, "%s: status %d, %s", wrong[_i].config, (int)status,
                  error.text);
    ck_assert_int_eq(error.status, status);
    for (size_t i = 0; i < 3; i++)
        if (wrong[_i].parts[i] != NULL)
            ck_assert_msg(strstr(error.text, wrong[_i].parts[i]) != NULL, "%s: no \"%s\" in: %s",
                          wrong[_i].config, wrong[_i].parts[i], error.text);
    ck_assert_uint_lt(strlen(error.text), CSZI_ERROR_CAPACITY - 1); /* not cut */
}
END_TEST

START_TEST(null_and_unknown_keys_are_as_if_absent)
{
    ck_assert_msg(
        load_quoted(TINY(", 'num_key_value_heads': null, 'head_dim': null, 'mlp_bias': null,"
                         " 'layer_types': null, 'block_configs': null, 'text_config': null,"
                         " 'time_step_limit': [0.0, Infinity], 'other': {'hidden_size': 3}")) ==
            CSZ_OK,
        "%s", error.text);
    ck_assert_int_eq(workload.kinds[0].kv_heads, 0);
    ck_assert_int_eq(workload.hidden, 64);
}
END_TEST

START_TEST(the_most_layers_have_room_whatever_their_pattern)
{
    ck_assert_msg(
        load_quoted(
            "{'model_type': 'gemma2', 'hidden_size': 64, 'intermediate_size': 128,"
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
        char *part =
            malloc(cut + 1); /* of its exact length, so that a sanitizer sees reads beyond */
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
        ck_assert_int_eq(cszi_workload_load_hugging_face(&workload, buffer, length, NULL),
                         wrong[i].status);
    }
}
END_TEST

/* ---- Real files ---- */

/* Of each file the count and where it is from, or 0 and a part of the refusal. hub: the safetensors
 * total of the Hugging Face hub as in the tables above or in public listings of it, found by their
 * integers; keras-hub, GGUF, model card, total_size: as there. Named by what the file holds, which
 * is not always its name. */
static const struct {
    const char *file;
    int64_t parameters;
    const char *source;
} specimens[] = {
    {"bert-base-cased.json", 108310272, "keras-hub, bert-base-uncased less (30522 - 28996) x 768"},
    {"bert-base-uncased.json", 109482240, "keras-hub"},
    {"bloom-176b.json", 176247271424, "hub"},
    {"chatglm2-6b-zhuzhi.json", 6243584000, "hub, 6243584032 less a buffer of 32"},
    {"codellama-34b-codefuse.json", 33743970304, "hub, codellama-34b"},
    {"dbrx-132b.json", 131596523520, "by hand, as in the table above"},
    {"deepseek-r1.json", 671026419200, "as deepseek-v3"},
    {"deepseek-v3.1-nvfp4.json", 671026419200, "as deepseek-v3"},
    {"deepseek-v3.json", 671026419200,
     "hub, 684531386000 less a prediction layer of 13463426304 and 41540496 scales"},
    {"deepseek-v4-flash.json", 0, "an indexer"},
    {"devstral-small-2507.json", 23572403200, "hub, mistral-small"},
    {"falcon-180b.json", 178557088768, "hub, 179522565120 less the stored copy of the head"},
    {"gemma-2b.json", 2506172416, "hub"},
    {"gpt-oss-120b.json", 116829156672, "hub"},
    {"gpt-oss-20b.json", 20914757184, "hub"},
    {"gpt2-large.json", 774030080, "keras-hub"},
    {"gpt2-small.json", 103660032, "by hand: 124439808 - (50257 - 21128 + 1024 - 3096) x 768"},
    {"granite-3.1-1b-a400m.json", 1334628352, "by hand, as in the table above"},
    {"granite-3b-code.json", 3482503680, "hub"},
    {"internlm-7b.json", 7321948160, "hub, 7321952256 less 4096 of buffers"},
    {"kimi-k2.5.json", 1026408232448, "as kimi-k2: the text model"},
    {"kimi-k2.json", 1026408232448, "hub, 1026408235864 less 3416 that nothing explains"},
    {"kimi-k3.json", 0, "kimi_linear"},
    {"layoutlm-ja.json", 114352896, "by hand: 109482240 + (32768 - 30522) x 768 + 4 x 1024 x 768"},
    {"lfm2.5-vl-1.6b.json", 1170340608, "hub, LFM2-1.2B: the text model"},
    {"llama-1-7b.json", 6738415616, "keras-hub"},
    {"llama-2-7b-fp16.json", 6738415616, "keras-hub"},
    {"llama-3-70b.json", 70553706496, "hub"},
    {"llama-3-8b.json", 8030261248, "hub"},
    {"llama-3.1-405b.json", 405853388800, "hub"},
    {"llama-3.1-70b-fp8.json", 70553706496, "hub"},
    {"llama-3.1-70b-instruct.json", 70553706496, "hub"},
    {"llama-3.1-8b-instruct.json", 8030261248, "hub"},
    {"llama-4-maverick.json", 400711848960,
     "hub, 401583781376 less 871932416 of a vision tower that the file lacks"},
    {"mimo-7b.json", 7833409536, "hub"},
    {"minicpm-v-2_6-text.json", 7612763648, "hub, qwen2-7b less 2 x 398 rows of the vocabulary"},
    {"minimax-m2.5.json", 228689764864, "hub"},
    {"mistral-7b-v0.1.json", 7241732096, "hub"},
    {"mixtral-8x7b.json", 46702792704, "hub"},
    {"molmo-7b-d-nf4.json", 7616075264, "by hand, the text model: qwen2-7b and 128 x 3584"},
    {"mpt-7b-instruct.json", 6649286656, "total_size / 2"},
    {"mpt-7b.json", 6649286656, "total_size / 2"},
    {"nemotron-3-super-120b-fp8.json", 120668687360,
     "hub, 123611012096 less a prediction layer of attention and experts, 2942324736"},
    {"nemotron-3-ultra-550b.json", 549308968960,
     "by hand: 48 x (8192 x (2 x 16384 + 2 x 8 x 128 + 256) + (16384 + 2048) x 5 + 3 x 256 "
     "+ 16384 + 16384 x 8192 + 8192) + 48 x (512 x 2 x 2048 x 5120 + 8192 x 512 + 2 x 8192 "
     "x 10240 + 2 x 8192 x 2048 + 8192) + 12 x (8192 x 8704 + 8192 x 8192 + 8192) + 2 x "
     "131072 x 8192 + 8192"},
    {"nemotron-h-56b.json", 56324350464,
     "by hand: 54 x (8192 x (2 x 16384 + 2 x 8 x 256 + 256) + (16384 + 4096) x 5 + 3 x 256 "
     "+ 16384 + 16384 x 8192 + 8192) + 54 x (2 x 8192 x 32768 + 8192) + 10 x (2 x 8192 x "
     "8192 + 2 x 8192 x 1024 + 8192) + 2 x 131072 x 8192 + 8192"},
    {"nemotron-super-49b.json", 49867145216,
     "by hand: 49 x (2 x 8192 x 8192 + 2 x 8192 x 1024 + 8192) + 3 x 8192 x (49 x 28672 + "
     "10 x 7168 + 8 x 5632 + 6 x 2816 + 6 x 14336 + 17920) + 80 x 8192 + 2 x 128256 x 8192 "
     "+ 8192"},
    {"olm-roberta-base.json", 124645632, "RobertaModel with pooler, as printed in public tables"},
    {"olmo-3.1-32b.json", 32233522176, "hub"},
    {"openpangu-7b.json", 8030887936, "total_size / 2, less buffers"},
    {"phi-1.json", 1414562935, "hub, phi-1_5 less 905 rows of the vocabulary and of its bias"},
    {"phi-2.json", 2779683840, "hub"},
    {"phi-mini-moe.json", 7647632704, "its GGUF file"},
    {"pygmalion-7b.json", 6738415616, "keras-hub, llama-1-7b"},
    {"pythia-1.4b-reward.json", 1311594497,
     "model card, pythia-1.4b, less 50304 + 16 rows of 2048, and 2049"},
    {"qwen-72b.json", 72287920128, "hub"},
    {"qwen2-0.5b.json", 463987712, "hub, qwen1.5-0.5b less the stored copy of the head"},
    {"qwen2-72b.json", 72287920128, "hub, qwen-72b"},
    {"qwen2-7b.json", 7615616512, "hub"},
    {"qwen2.5-7b-instruct.json", 7615616512, "hub"},
    {"qwen3-14b.json", 14768307200, "hub"},
    {"qwen3-235b-a22b-fp8.json", 235093634560, "hub"},
    {"qwen3-30b-a3b.json", 30532122624, "hub"},
    {"qwen3-coder-480b-a35b.json", 480154875392, "hub"},
    {"qwen3-vl-235b-a22b.json", 235670022896, "hub, with the vision tower"},
    {"qwen3-vl-8b.json", 8767123696, "hub, with the vision tower"},
    {"qwen3.5-27b.json", 27781427952, "hub, with prediction layer and vision tower"},
    {"qwen3.5-397b-a17b.json", 403397928944, "hub, with prediction layer and vision tower"},
    {"step-3.7-flash.json", 195832712256,
     "by hand: 42 x (289 x 3 x 4096 x 1280 + 4096 x 288 + 288) + 3 x 3 x 4096 x 11264 + 45 "
     "x (2 x 4096 x 8192 + 2 x 4096 x 1024 + 2 x 128 + 2 x 4096) + 2 x 128896 x 4096 + "
     "4096"},
    {"vicuna-7b-delta.json", 6738423808, "llama-1-7b and one row more of the vocabulary, twice"},
    {"voxtral-mini-3b.json", 4014136320,
     "by hand, the text model: 30 x (2 x 3072 x 4096 + 2 x 3072 x 1024 + 3 x 3072 x 8192 + "
     "2 x 3072) + 2 x 131072 x 3072 + 3072"},
    {"yi-34b.json", 34388917248, "hub"},
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
        (void)printf(
            "real config.json files are absent (CSZ_HF_CONFIGS is not set): nothing compared\n");
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
        ck_assert_msg(status == (specimens[i].parameters == 0 ? CSZ_ERR_UNKNOWN : CSZ_OK),
                      "%s: status %d, %s", specimens[i].file, (int)status, error.text);
        if (status == CSZ_OK)
            ck_assert_msg(count() == specimens[i].parameters, "%s: %lld", specimens[i].file,
                          (long long)count());
        else
            ck_assert_msg(strstr(error.text, specimens[i].source) != NULL, "%s: no \"%s\" in: %s",
                          specimens[i].file, specimens[i].source, error.text);
    }
    (void)printf("%zu real config.json files compared\n", seen);
    ck_assert_uint_gt(seen, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hugging_face");
    TCase *counts = tcase_create("counts"), *fields = tcase_create("fields"),
          *errors = tcase_create("errors");
    SRunner *runner;
    int failed;
    tcase_add_loop_test(counts, shapes_give_the_published_counts, 0,
                        (int)(sizeof models / sizeof models[0]));
    tcase_add_test(counts, real_files_give_their_counts);
    suite_add_tcase(suite, counts);
    tcase_add_loop_test(fields, layers_follow_the_pattern, 0,
                        (int)(sizeof patterns / sizeof patterns[0]));
    tcase_add_loop_test(fields, layers_mix_by_what_the_pattern_says, 0,
                        (int)(sizeof mixed / sizeof mixed[0]));
    tcase_add_test(fields, blocks_give_heads_widths_and_norms);
    tcase_add_test(fields, t5_has_an_encoder_and_a_decoder);
    tcase_add_test(fields, windows_of_step_have_heads_of_their_own);
    tcase_add_test(fields, the_width_of_lfm2_is_two_thirds_rounded_up);
    tcase_add_test(fields, biases_of_mamba_projections_are_counted);
    tcase_add_test(fields, experts_behind_a_lower_width_have_it);
    tcase_add_test(fields, the_class_fills_what_a_model_within_a_model_leaves_out);
    tcase_add_test(fields, towers_of_unknown_shape_are_left_out);
    tcase_add_test(fields, windows_alternate_in_gemma_2_and_leave_every_sixth_layer_in_gemma_3);
    tcase_add_test(fields, deepseek_v3_has_dense_layers_latent_attention_and_groups);
    tcase_add_test(fields, dropout_of_the_config_is_a_field);
    tcase_add_test(fields, the_outer_config_ties_embeddings_when_the_inner_is_silent);
    tcase_add_test(fields, the_model_is_replaced_and_the_job_stays);
    tcase_add_test(fields, null_and_unknown_keys_are_as_if_absent);
    tcase_add_test(fields, the_most_layers_have_room_whatever_their_pattern);
    suite_add_tcase(suite, fields);
    tcase_add_loop_test(errors, wrong_configs_are_refused_with_the_reason, 0,
                        (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(errors, every_truncation_is_refused);
    tcase_add_test(errors, errors_need_no_place);
    suite_add_tcase(suite, errors);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
