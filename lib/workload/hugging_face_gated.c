/* hugging_face_gated.c: dense decoders with gated MLPs: Llama, and what differs from it by biases,
 * norms and windows. */
#include "workload/hugging_face_keys.h"

/* ---- Llama and what differs from it by biases and windows ---- */

static const cszi_hf_key llama[] = {SIZES,
                                    FFN,
                                    TIED(0),
                                    KV_HEADS(OPTIONAL, 0),
                                    HEAD_DIM,
                                    ATTENTION_BIASES(0),
                                    K("mlp_bias", MLP_BIAS, ELSE, 0)};

static const cszi_hf_key mistral[] = {
    SIZES,    FFN,
    TIED(0),  KV_HEADS(ELSE_UNLESS_NULL, 8),
    HEAD_DIM, K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096)};

static const cszi_hf_key qwen2[] = {
    SIZES, FFN, TIED(0), KV_HEADS(NEEDED_OR_NULL, 0), HEAD_DIM, SET(QKV_BIAS, 1), QWEN_WINDOWS};

static const cszi_hf_key qwen3[] = {SIZES,
                                    FFN,
                                    TIED(0),
                                    KV_HEADS(NEEDED_OR_NULL, 0),
                                    K("head_dim", HEAD_DIM, ELSE_UNLESS_NULL, 128),
                                    ATTENTION_BIASES(0),
                                    SET(QK_NORM, CSZ_QK_NORM_HEAD),
                                    QWEN_WINDOWS};

/* Qwen 2 with prediction layers that are part of the model. */
static const cszi_hf_key mimo[] = {SIZES,
                                   FFN,
                                   TIED(0),
                                   KV_HEADS(NEEDED_OR_NULL, 0),
                                   HEAD_DIM,
                                   K("attention_bias", QKV_BIAS, ELSE, 1),
                                   K("num_nextn_predict_layers", PREDICTION, ELSE, 0),
                                   QWEN_WINDOWS};

static const cszi_hf_key smollm3[] = {SIZES,
                                      FFN,
                                      TIED(1),
                                      KV_HEADS(NEEDED_OR_NULL, 0),
                                      HEAD_DIM,
                                      ATTENTION_BIASES(0),
                                      K("mlp_bias", MLP_BIAS, ELSE, 0),
                                      K("use_sliding_window", SWITCH, ONLY, 0)};

static const cszi_hf_key phi3[] = {
    SIZES, FFN, TIED(0), KV_HEADS(OPTIONAL, 0), HEAD_DIM, K("sliding_window", WINDOW, OPTIONAL, 0)};

static const cszi_hf_key baichuan[] = {SIZES, FFN, TIED(0)};

static const cszi_hf_key internlm[] = {SIZES, FFN, TIED(0), K("bias", QKV_BIAS, ELSE, 1),
                                       K("bias", ATTENTION_BIAS, ELSE, 1)};

static const cszi_hf_key internlm2[] = {SIZES,
                                        FFN,
                                        TIED(0),
                                        KV_HEADS(OPTIONAL, 0),
                                        K("bias", QKV_BIAS, NEEDED, 0),
                                        K("bias", ATTENTION_BIAS, NEEDED, 0)};

static const cszi_hf_key pangu[] = {SIZES,
                                    FFN,
                                    K("tie_word_embeddings", TIED, NEEDED, 0),
                                    KV_HEADS(OPTIONAL, 0),
                                    K("bias", QKV_BIAS, NEEDED, 0),
                                    K("bias", ATTENTION_BIAS, NEEDED, 0)};

/* intermediate_size holds both halves of the gated MLP; query, key and value always have biases. */
static const cszi_hf_key qwen[] = {SIZES,
                                   FFN,
                                   TIED(0),
                                   K("kv_channels", HEAD_DIM, OPTIONAL, 0),
                                   SET(QKV_BIAS, 1),
                                   K("no_bias", NO_BIAS, ELSE, 1)};

static csz_status halve_mlp(cszi_hf_reader *r)
{
    int64_t both = cszi_hf_number(r, CSZI_HF_FFN);
    if (both % 2 != 0)
        return cszi_json_fail(
            &r->json, cszi_hf_place(r, CSZI_HF_FFN), CSZ_ERR_RANGE, CSZ_WORKLOAD_FFN,
            "intermediate_size: must be even, as it holds both halves of the gated MLP");
    cszi_hf_put(r, CSZI_HF_FFN, both / 2, CSZI_HF_FFN);
    return CSZ_OK;
}

static csz_status derive_qwen(cszi_hf_reader *r)
{
    int64_t biased = !cszi_hf_number(r, CSZI_HF_NO_BIAS);
    cszi_hf_put(r, CSZI_HF_ATTENTION_BIAS, biased, CSZI_HF_NO_BIAS);
    cszi_hf_put(r, CSZI_HF_MLP_BIAS, biased, CSZI_HF_NO_BIAS);
    return halve_mlp(r);
}

static const cszi_hf_key chatglm[] = {K("hidden_size", HIDDEN, NEEDED, 0),
                                      K("padded_vocab_size", VOCAB, NEEDED, 0),
                                      K("num_layers", LAYERS_SLOT, NEEDED, 0),
                                      K("num_attention_heads", HEADS, NEEDED, 0),
                                      K("ffn_hidden_size", FFN, NEEDED, 0),
                                      K("kv_channels", HEAD_DIM, OPTIONAL, 0),
                                      TIED(0),
                                      K("multi_query_attention", MULTI_QUERY, ELSE, 0),
                                      K("multi_query_group_num", GROUP_COUNT, ELSE, 1),
                                      K("add_qkv_bias", QKV_BIAS, ELSE, 0),
                                      K("add_bias_linear", ATTENTION_BIAS, ELSE, 0),
                                      K("add_bias_linear", MLP_BIAS, ELSE, 0),
                                      K("rmsnorm", SWITCH, ONLY, 1),
                                      K("post_layer_norm", SWITCH, ONLY, 1)};

static csz_status derive_chatglm(cszi_hf_reader *r)
{
    if (cszi_hf_number(r, CSZI_HF_MULTI_QUERY))
        cszi_hf_put(r, CSZI_HF_KV_HEADS, cszi_hf_number(r, CSZI_HF_GROUP_COUNT),
                    CSZI_HF_GROUP_COUNT);
    if (cszi_hf_number(r, CSZI_HF_ATTENTION_BIAS))
        cszi_hf_put(r, CSZI_HF_QKV_BIAS, 1, CSZI_HF_ATTENTION_BIAS);
    return CSZ_OK;
}

/* ---- Norms of other kinds and numbers ---- */

static const cszi_hf_key gemma[] = {SIZES,
                                    FFN,
                                    KV_HEADS(NEEDED_OR_NULL, 0),
                                    K("head_dim", HEAD_DIM, ELSE, 256),
                                    TIED(1),
                                    ATTENTION_BIASES(0)};

static const cszi_hf_key gemma2[] = {SIZES,
                                     FFN,
                                     KV_HEADS(NEEDED_OR_NULL, 0),
                                     K("head_dim", HEAD_DIM, ELSE, 256),
                                     TIED(1),
                                     ATTENTION_BIASES(0),
                                     SET(NORMS, 4),
                                     K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),
                                     SET(WINDOW_PATTERN, 2)};

/* The published files leave out what equals the class's default. */
static const cszi_hf_key gemma3[] = {
    K("hidden_size", HIDDEN, NEEDED, 0),
    K("vocab_size", VOCAB, ELSE, 262208),
    K("num_hidden_layers", LAYERS_SLOT, NEEDED, 0),
    K("num_attention_heads", HEADS, ELSE, 8),
    FFN,
    KV_HEADS(ELSE, 4),
    K("head_dim", HEAD_DIM, ELSE, 256),
    TIED(1),
    ATTENTION_BIASES(0),
    SET(NORMS, 4),
    SET(QK_NORM, CSZ_QK_NORM_HEAD),
    K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),
    K("sliding_window_pattern|_sliding_window_pattern", WINDOW_PATTERN, ELSE, 6)};

static const cszi_hf_key olmo[] = {SIZES,
                                   FFN,
                                   TIED(0),
                                   KV_HEADS(OPTIONAL, 0),
                                   ATTENTION_BIASES(0),
                                   SET(NORM, CSZ_NORM_LAYER_NO_PARAMETERS)};

static const cszi_hf_key olmo2[] = {SIZES,
                                    FFN,
                                    TIED(0),
                                    KV_HEADS(OPTIONAL, 0),
                                    ATTENTION_BIASES(0),
                                    SET(QK_NORM, CSZ_QK_NORM_FULL)};

static const cszi_hf_key olmo3[] = {SIZES,
                                    FFN,
                                    TIED(0),
                                    KV_HEADS(OPTIONAL, 0),
                                    ATTENTION_BIASES(0),
                                    SET(QK_NORM, CSZ_QK_NORM_FULL),
                                    K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),
                                    SET(WINDOW_PATTERN, 4)};

/* use_qk_norm gives every head a vector of its own: as many values as over the whole projection. */
#define COHERE                                                                                     \
    SIZES, FFN, TIED(1), KV_HEADS(OPTIONAL, 0), HEAD_DIM, ATTENTION_BIASES(0),                     \
        SET(NORM, CSZ_NORM_LAYER_NO_BIAS), SET(NORMS, 1), K("use_qk_norm", QK_NORM_FULL, ELSE, 0)

static const cszi_hf_key cohere[] = {COHERE};

static const cszi_hf_key cohere2[] = {
    COHERE, K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),
    K("sliding_window_pattern|_sliding_window_pattern", WINDOW_PATTERN, ELSE, 4)};

/* ---- Later ones ---- */

static const cszi_hf_key internlm3[] = {SIZES,
                                        FFN,
                                        TIED(0),
                                        KV_HEADS(OPTIONAL, 0),
                                        HEAD_DIM,
                                        K("qkv_bias", QKV_BIAS, ELSE, 0),
                                        K("bias", ATTENTION_BIAS, ELSE, 0),
                                        K("bias", MLP_BIAS, ELSE, 0)};

static const cszi_hf_key blocks[] = {K("hidden_size", HIDDEN, NEEDED, 0),
                                     K("vocab_size", VOCAB, NEEDED, 0),
                                     K("num_hidden_layers", LAYERS_SLOT, NEEDED, 0),
                                     K("num_attention_heads", HEADS, NEEDED, 0),
                                     TIED(0),
                                     HEAD_DIM,
                                     ATTENTION_BIASES(0),
                                     K("mlp_bias", MLP_BIAS, ELSE, 0)};

static const cszi_hf_key exaone[] = {K("hidden_size", HIDDEN, NEEDED, 0),
                                     K("vocab_size", VOCAB, NEEDED, 0),
                                     K("num_layers|num_hidden_layers", LAYERS_SLOT, NEEDED, 0),
                                     K("num_attention_heads", HEADS, NEEDED, 0),
                                     FFN,
                                     TIED(0),
                                     KV_HEADS(OPTIONAL, 0),
                                     HEAD_DIM};

static const cszi_hf_key exaone4[] = {SIZES,
                                      FFN,
                                      TIED(0),
                                      KV_HEADS(NEEDED_OR_NULL, 0),
                                      HEAD_DIM,
                                      SET(QK_NORM, CSZ_QK_NORM_HEAD),
                                      K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),
                                      K("sliding_window_pattern", WINDOW_PATTERN, ELSE, 4)};

#define GLM(bias)                                                                                  \
    SIZES, FFN, TIED(0), KV_HEADS(NEEDED_OR_NULL, 0), HEAD_DIM,                                    \
        K("attention_bias", QKV_BIAS, ELSE, bias)

static const cszi_hf_key glm[] = {GLM(0)};
static const cszi_hf_key glm4[] = {GLM(0), SET(NORMS, 4)};
static const cszi_hf_key glm4v[] = {GLM(1), SET(NORMS, 4)};

static const cszi_hf_key seed_oss[] = {SIZES,
                                       FFN,
                                       TIED(0),
                                       KV_HEADS(NEEDED_OR_NULL, 0),
                                       K("head_dim", HEAD_DIM, ELSE_UNLESS_NULL, 128),
                                       K("attention_bias", QKV_BIAS, ELSE, 1),
                                       K("attention_out_bias", ATTENTION_BIAS, ELSE, 0),
                                       K("mlp_bias", MLP_BIAS, ELSE, 0)};

static const cszi_hf_key ernie4_5[] = {
    SIZES, FFN, TIED(1), KV_HEADS(NEEDED_OR_NULL, 0), HEAD_DIM, BIASES("use_bias", 0)};

static const cszi_hf_key hunyuan[] = {SIZES,
                                      FFN,
                                      TIED(0),
                                      KV_HEADS(OPTIONAL, 0),
                                      K("head_dim|attention_head_dim", HEAD_DIM, OPTIONAL, 0),
                                      ATTENTION_BIASES(0),
                                      K("mlp_bias", MLP_BIAS, ELSE, 0),
                                      K("use_qk_norm", QK_NORM_HEAD, ELSE, 1),
                                      K("use_cla", SWITCH, ONLY, 0)};

/* Norms before both output projections. */
static const cszi_hf_key bitnet[] = {SIZES, FFN, TIED(0), KV_HEADS(OPTIONAL, 0),
                                     ATTENTION_BIASES(0)};

static csz_status derive_bitnet(cszi_hf_reader *r)
{
    cszi_hf_add_extra(r, CSZI_HF_EXTRA_LAYER, cszi_hf_number(r, CSZI_HF_HIDDEN), 1);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA_LAYER, cszi_hf_number(r, CSZI_HF_FFN), 1);
    return CSZ_OK;
}

static const cszi_hf_key minicpm[] = {
    SIZES, FFN, TIED(1), KV_HEADS(OPTIONAL, 0), HEAD_DIM, ATTENTION_BIASES(0)};

static const cszi_hf_key orion[] = {SIZES, FFN, TIED(0), KV_HEADS(OPTIONAL, 0),
                                    SET(NORM, CSZ_NORM_LAYER)};

static const cszi_hf_key ministral3[] = {
    SIZES, FFN, TIED(0), KV_HEADS(OPTIONAL, 0), HEAD_DIM, K("sliding_window", WINDOW, OPTIONAL, 0)};

/* Beside vocab_size rows that both ends have, 128 rows for special tokens that the output layer
 * lacks (modeling_molmo.py of allenai/Molmo-7B-D-0924). intermediate_size holds both halves. */
static const cszi_hf_key molmo[] = {SIZES,
                                    K("embedding_size", VOCAB, OVERRIDE, 0),
                                    FFN,
                                    K("weight_tying", TIED, ELSE, 0),
                                    KV_HEADS(OPTIONAL, 0),
                                    K("qkv_bias", QKV_BIAS, ELSE, 0),
                                    K("attention_layer_norm", QK_NORM_FULL, ELSE, 0)};

#define MOLMO_ROWS 128

static csz_status derive_molmo(cszi_hf_reader *r)
{
    cszi_json_value kind;
    int found;
    csz_status status = halve_mlp(r);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, MOLMO_ROWS, cszi_hf_number(r, CSZI_HF_HIDDEN));
    if (status == CSZ_OK)
        status = cszi_hf_find(r, "layer_norm_type", &kind, &found);
    if (status != CSZ_OK || !found || cszi_json_equals(&r->json, kind, "rms"))
        return status;
    return cszi_json_fail(&r->json, kind, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                          "layer_norm_type: only rms can be expressed");
}

const cszi_hf_type cszi_hf_gated[] = {
    TYPE("llama", llama, NULL),
    TYPE("mistral", mistral, NULL),
    TYPE("qwen2", qwen2, NULL),
    TYPE("qwen3", qwen3, NULL),
    TYPE("gemma", gemma, NULL),
    TYPE("gemma2", gemma2, NULL),
    TYPE("gemma3", gemma3, NULL),
    TYPE("gemma3_text", gemma3, NULL),
    TYPE("phi3", phi3, NULL),
    TYPE("olmo", olmo, NULL),
    TYPE("olmo2", olmo2, NULL),
    TYPE("olmo3", olmo3, NULL),
    TYPE("granite", llama, NULL),
    TYPE("cohere", cohere, NULL),
    TYPE("cohere2", cohere2, NULL),
    TYPE("qwen", qwen, derive_qwen),
    TYPE("chatglm", chatglm, derive_chatglm),
    TYPE("glm", glm, NULL),
    TYPE("glm4", glm4, NULL),
    TYPE("glm4v_text", glm4v, NULL),
    TYPE("baichuan", baichuan, NULL),
    TYPE("internlm", internlm, NULL),
    TYPE("internlm2", internlm2, NULL),
    TYPE("internlm3", internlm3, NULL),
    TYPE("smollm3", smollm3, NULL),
    TYPE("mimo", mimo, NULL),
    TYPE("PanguEmbedded", pangu, NULL),
    TYPE("exaone", exaone, NULL),
    TYPE("exaone4", exaone4, NULL),
    TYPE("seed_oss", seed_oss, NULL),
    TYPE("ernie4_5", ernie4_5, NULL),
    TYPE("hunyuan_v1_dense", hunyuan, NULL),
    TYPE("hunyuan", hunyuan, NULL),
    TYPE("ministral", ministral3, NULL),
    TYPE("ministral3", ministral3, NULL),
    TYPE("molmo", molmo, derive_molmo),
    TYPE("minicpm", minicpm, NULL),
    TYPE("bitnet", bitnet, derive_bitnet),
    TYPE("orion", orion, NULL),
    TYPE("nemotron-nas", blocks, cszi_hf_read_blocks),
    TYPE("Yi", llama, NULL),
    TYPE("aquila", llama, NULL),
    TYPE("xverse", llama, NULL),
    TYPE("solar", llama, NULL),
    TYPE("llava", llama, NULL),
    TYPE("llava_llama", llama, NULL),
    TYPE("llava_mistral", mistral, NULL),
    TYPE("llava_qwen", qwen2, NULL),
    TYPE("mistral3", mistral, NULL),
    TYPE("qwen2_vl", qwen2, NULL),
    TYPE("qwen2_vl_text", qwen2, NULL),
    TYPE("qwen2_5_vl", qwen2, NULL),
    TYPE("qwen2_5_vl_text", qwen2, NULL),
    TYPE("qwen2_5_omni_text", qwen2, NULL),
    TYPE("qwen3_vl", qwen3, NULL),
    TYPE("qwen3_vl_text", qwen3, NULL),
    TYPE("paligemma", gemma, NULL),
    TYPE("phi3_v", phi3, NULL),
    TYPE("phi4mm", phi3, NULL),
    TYPE("phi4_multimodal", phi3, NULL),
};

const size_t cszi_hf_gated_count = COUNT(cszi_hf_gated);
