/* hugging_face_types.c: the model types. Keys and defaults are those of the configuration classes
 * of Hugging Face transformers (src/transformers/models/<type>/configuration_<type>.py), or of the
 * code beside the model for types that are not part of it. Sizes that every known file writes are
 * needed, whatever the class's default. A default of tie_word_embeddings that a class does not name
 * is that of PretrainedConfig: true. */
#include "workload/hugging_face_types.h"

#include "base/checked.h"

#define K(key, slot, need, initial)                                                                \
    {                                                                                              \
        key, CSZI_HF_##slot, CSZI_HF_##need, initial                                               \
    }
#define SET(slot, value)                                                                           \
    {                                                                                              \
        NULL, CSZI_HF_##slot, CSZI_HF_FIXED, value                                                 \
    }
#define COUNT(keys) (sizeof(keys) / sizeof(keys)[0])

/* The usual names of the sizes. */
#define SIZES                                                                                      \
    K("hidden_size", HIDDEN, NEEDED, 0), K("vocab_size", VOCAB, NEEDED, 0),                        \
        K("num_hidden_layers", LAYERS_SLOT, NEEDED, 0), K("num_attention_heads", HEADS, NEEDED, 0)
#define FFN K("intermediate_size", FFN, NEEDED, 0)
#define TIED(initial) K("tie_word_embeddings", TIED, ELSE, initial)
#define KV_HEADS(need, initial) K("num_key_value_heads", KV_HEADS, need, initial)
#define HEAD_DIM K("head_dim", HEAD_DIM, OPTIONAL, 0)
#define ATTENTION_BIASES(initial)                                                                  \
    K("attention_bias", QKV_BIAS, ELSE, initial), K("attention_bias", ATTENTION_BIAS, ELSE, initial)
#define ALL_BIASES SET(QKV_BIAS, 1), SET(ATTENTION_BIAS, 1), SET(MLP_BIAS, 1)
#define EXPERTS(count, width)                                                                      \
    K(count, EXPERTS, NEEDED, 0), K("num_experts_per_tok", TOPK, NEEDED, 0),                       \
        K(width, EXPERT_FFN, NEEDED, 0)

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

/* Windows from layer max_window_layers on, when use_sliding_window says so. */
#define QWEN_WINDOWS                                                                               \
    K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),                                           \
        K("use_sliding_window", WINDOW_ON, ELSE, 0), K("max_window_layers", WINDOW_FROM, ELSE, 28)

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

static csz_status derive_qwen(cszi_hf_reader *r)
{
    int64_t both = cszi_hf_number(r, CSZI_HF_FFN), biased = !cszi_hf_number(r, CSZI_HF_NO_BIAS);
    if (both % 2 != 0)
        return cszi_json_fail(
            &r->json, cszi_hf_place(r, CSZI_HF_FFN), CSZ_ERR_RANGE, CSZ_WORKLOAD_FFN,
            "intermediate_size: must be even, as it holds both halves of the gated MLP");
    cszi_hf_put(r, CSZI_HF_FFN, both / 2, CSZI_HF_FFN);
    cszi_hf_put(r, CSZI_HF_ATTENTION_BIAS, biased, CSZI_HF_NO_BIAS);
    cszi_hf_put(r, CSZI_HF_MLP_BIAS, biased, CSZI_HF_NO_BIAS);
    return CSZ_OK;
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

static const cszi_hf_key stablelm[] = {SIZES,
                                       FFN,
                                       TIED(0),
                                       KV_HEADS(NEEDED_OR_NULL, 0),
                                       SET(NORM, CSZ_NORM_LAYER),
                                       K("use_qkv_bias", QKV_BIAS, ELSE, 0),
                                       K("use_parallel_residual", PARALLEL, ELSE, 0),
                                       K("qk_layernorm", SWITCH, ONLY, 0),
                                       K("hidden_dropout", DROPOUT, ELSE, 0)};

static csz_status derive_stablelm(cszi_hf_reader *r)
{
    if (cszi_hf_number(r, CSZI_HF_PARALLEL))
        cszi_hf_put(r, CSZI_HF_NORMS, 1, CSZI_HF_PARALLEL);
    return CSZ_OK;
}

/* ---- Two-matrix MLPs ---- */

/* GPT-2's names, with those that its class maps to them. */
#define GPT2_SIZES                                                                                 \
    K("n_embd|hidden_size", HIDDEN, NEEDED, 0), K("vocab_size", VOCAB, NEEDED, 0),                 \
        K("n_layer|num_hidden_layers", LAYERS_SLOT, NEEDED, 0),                                    \
        K("n_head|num_attention_heads", HEADS, NEEDED, 0), K("n_inner", FFN, FOUR_HIDDEN, 0),      \
        SET(NORM, CSZ_NORM_LAYER), SET(GATED, 0)

static const cszi_hf_key gpt2[] = {GPT2_SIZES,
                                   K("n_positions|max_position_embeddings", POSITIONS, NEEDED, 0),
                                   TIED(1),
                                   ALL_BIASES,
                                   K("resid_pdrop", DROPOUT, ELSE, 1),
                                   K("add_cross_attention", SWITCH, ONLY, 0)};

static const cszi_hf_key gpt_bigcode[] = {
    GPT2_SIZES,
    K("n_positions|max_position_embeddings", POSITIONS, NEEDED, 0),
    TIED(1),
    ALL_BIASES,
    K("multi_query", MULTI_QUERY, ELSE, 1),
    K("resid_pdrop", DROPOUT, ELSE, 1),
    K("add_cross_attention", SWITCH, ONLY, 0)};

static csz_status derive_gpt_bigcode(cszi_hf_reader *r)
{
    if (cszi_hf_number(r, CSZI_HF_MULTI_QUERY))
        cszi_hf_put(r, CSZI_HF_KV_HEADS, 1, CSZI_HF_MULTI_QUERY);
    return CSZ_OK;
}

static const cszi_hf_key gptj[] = {GPT2_SIZES,       TIED(0),
                                   SET(MLP_BIAS, 1), SET(HEAD_BIAS, 1),
                                   SET(NORMS, 1),    K("resid_pdrop", DROPOUT, ELSE, 0)};

static const cszi_hf_key gpt_neox[] = {SIZES,
                                       FFN,
                                       TIED(0),
                                       SET(NORM, CSZ_NORM_LAYER),
                                       SET(GATED, 0),
                                       ATTENTION_BIASES(1),
                                       SET(MLP_BIAS, 1),
                                       K("hidden_dropout", DROPOUT, ELSE, 0)};

static const cszi_hf_key falcon[] = {K("hidden_size|n_embed", HIDDEN, NEEDED, 0),
                                     K("vocab_size", VOCAB, NEEDED, 0),
                                     K("num_hidden_layers|n_layer", LAYERS_SLOT, NEEDED, 0),
                                     K("num_attention_heads|n_head", HEADS, NEEDED, 0),
                                     K("num_kv_heads|n_head_kv", GROUP_COUNT, OPTIONAL, 0),
                                     K("ffn_hidden_size", FFN, FOUR_HIDDEN, 0),
                                     TIED(1),
                                     SET(NORM, CSZ_NORM_LAYER),
                                     SET(GATED, 0),
                                     K("bias", QKV_BIAS, ELSE, 0),
                                     K("bias", ATTENTION_BIAS, ELSE, 0),
                                     K("bias", MLP_BIAS, ELSE, 0),
                                     K("multi_query", MULTI_QUERY, ELSE, 1),
                                     K("new_decoder_architecture", NEW_DECODER, ELSE, 0),
                                     K("parallel_attn", PARALLEL, ELSE, 1),
                                     K("num_ln_in_parallel_attn", NORM_COUNT, OPTIONAL, 0),
                                     K("hidden_dropout", DROPOUT, ELSE, 0)};

/* The new architecture (40B, 180B) has kv_heads of its own and two norms; the old (7B) shares one
 * head and one norm. */
static csz_status derive_falcon(cszi_hf_reader *r)
{
    int fresh = cszi_hf_number(r, CSZI_HF_NEW_DECODER) != 0;
    int64_t norms = fresh ? 2 : 1;
    if (r->values[CSZI_HF_NORM_COUNT].given)
        norms = cszi_hf_number(r, CSZI_HF_NORM_COUNT) == 2 ? 2 : 1;
    if (!cszi_hf_number(r, CSZI_HF_PARALLEL))
        norms = 2;
    cszi_hf_put(r, CSZI_HF_NORMS, norms, CSZI_HF_PARALLEL);
    if (fresh && r->values[CSZI_HF_GROUP_COUNT].given)
        cszi_hf_put(r, CSZI_HF_KV_HEADS, cszi_hf_number(r, CSZI_HF_GROUP_COUNT),
                    CSZI_HF_GROUP_COUNT);
    if (!fresh && cszi_hf_number(r, CSZI_HF_MULTI_QUERY))
        cszi_hf_put(r, CSZI_HF_KV_HEADS, 1, CSZI_HF_MULTI_QUERY);
    return CSZ_OK;
}

static const cszi_hf_key phi[] = {SIZES,
                                  FFN,
                                  TIED(0),
                                  KV_HEADS(OPTIONAL, 0),
                                  SET(NORM, CSZ_NORM_LAYER),
                                  SET(NORMS, 1),
                                  SET(GATED, 0),
                                  ALL_BIASES,
                                  SET(HEAD_BIAS, 1),
                                  K("qk_layernorm", SWITCH, ONLY, 0),
                                  K("resid_pdrop", DROPOUT, ELSE, 0)};

/* Phi as first released, beside its own code. */
static const cszi_hf_key mixformer[] = {
    GPT2_SIZES,        TIED(0),       K("n_head_kv", KV_HEADS, OPTIONAL, 0), ALL_BIASES,
    SET(HEAD_BIAS, 1), SET(NORMS, 1), K("resid_pdrop", DROPOUT, ELSE, 0)};

/* Position rows start at 2 (OPTLearnedPositionalEmbedding). */
static const cszi_hf_key opt[] = {SIZES,
                                  K("ffn_dim", FFN, NEEDED, 0),
                                  K("max_position_embeddings", POSITIONS, NEEDED, 0),
                                  K("word_embed_proj_dim", PROJECTION, OPTIONAL, 0),
                                  TIED(1),
                                  SET(NORM, CSZ_NORM_LAYER),
                                  SET(GATED, 0),
                                  K("enable_bias", QKV_BIAS, ELSE, 1),
                                  K("enable_bias", ATTENTION_BIAS, ELSE, 1),
                                  K("enable_bias", MLP_BIAS, ELSE, 1),
                                  K("do_layer_norm_before", SWITCH, ONLY, 1),
                                  K("layer_norm_elementwise_affine", SWITCH, ONLY, 1),
                                  K("dropout", DROPOUT, ELSE, 1)};

static csz_status derive_opt(cszi_hf_reader *r)
{
    if (r->values[CSZI_HF_PROJECTION].given &&
        cszi_hf_number(r, CSZI_HF_PROJECTION) != cszi_hf_number(r, CSZI_HF_HIDDEN))
        return cszi_json_fail(
            &r->json, cszi_hf_place(r, CSZI_HF_PROJECTION), CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
            "word_embed_proj_dim: an embedding of another width than hidden_size is no field");
    cszi_hf_put(r, CSZI_HF_POSITIONS, cszi_hf_number(r, CSZI_HF_POSITIONS) + 2, CSZI_HF_POSITIONS);
    return CSZ_OK;
}

static const cszi_hf_key bloom[] = {K("hidden_size|n_embed", HIDDEN, NEEDED, 0),
                                    K("vocab_size", VOCAB, NEEDED, 0),
                                    K("n_layer|num_hidden_layers", LAYERS_SLOT, NEEDED, 0),
                                    K("n_head|num_attention_heads", HEADS, NEEDED, 0),
                                    K(NULL, FFN, FOUR_HIDDEN, 0),
                                    TIED(1),
                                    SET(NORM, CSZ_NORM_LAYER),
                                    SET(GATED, 0),
                                    ALL_BIASES,
                                    SET(EMBEDDING_NORM, 1),
                                    K("hidden_dropout", DROPOUT, ELSE, 0)};

static const cszi_hf_key mpt[] = {K("d_model", HIDDEN, NEEDED, 0),
                                  K("vocab_size", VOCAB, NEEDED, 0),
                                  K("n_layers", LAYERS_SLOT, NEEDED, 0),
                                  K("n_heads", HEADS, NEEDED, 0),
                                  K("expansion_ratio", EXPANSION, ELSE, 4),
                                  K("max_seq_len", POSITIONS, NEEDED, 0),
                                  TIED(1),
                                  SET(GATED, 0),
                                  K("no_bias", NO_BIAS, NEEDED, 0),
                                  K("attn_config.alibi", ALIBI, ELSE, 0),
                                  K("attn_config.kv_n_heads", KV_HEADS, OPTIONAL, 0),
                                  K("attn_config.qk_ln", SWITCH, ONLY, 0),
                                  K("resid_pdrop", DROPOUT, ELSE, 0)};

static csz_status derive_mpt(cszi_hf_reader *r)
{
    cszi_json_value kind;
    int found, biased = !cszi_hf_number(r, CSZI_HF_NO_BIAS);
    int64_t ffn = CSZI_COUNT_MAX;
    csz_status status = cszi_hf_find(r, "attn_config.attn_type", &kind, &found);
    if (status != CSZ_OK)
        return status;
    if (found && cszi_json_equals(&r->json, kind, "multiquery_attention"))
        cszi_hf_put(r, CSZI_HF_KV_HEADS, 1, CSZI_HF_HEADS);
    (void)cszi_multiply(cszi_hf_number(r, CSZI_HF_HIDDEN), cszi_hf_number(r, CSZI_HF_EXPANSION),
                        &ffn);
    cszi_hf_put(r, CSZI_HF_FFN, ffn, CSZI_HF_EXPANSION);
    if (cszi_hf_number(
            r, CSZI_HF_ALIBI)) /* instead of learned positions, whatever learned_pos_emb says */
        r->values[CSZI_HF_POSITIONS].given = 0;
    cszi_hf_put(r, CSZI_HF_NORM, biased ? CSZ_NORM_LAYER : CSZ_NORM_LAYER_NO_BIAS, CSZI_HF_NO_BIAS);
    cszi_hf_put(r, CSZI_HF_QKV_BIAS, biased, CSZI_HF_NO_BIAS);
    cszi_hf_put(r, CSZI_HF_ATTENTION_BIAS, biased, CSZI_HF_NO_BIAS);
    cszi_hf_put(r, CSZI_HF_MLP_BIAS, biased, CSZI_HF_NO_BIAS);
    return CSZ_OK;
}

static const cszi_hf_key starcoder2[] = {SIZES,
                                         FFN,
                                         TIED(1),
                                         KV_HEADS(NEEDED_OR_NULL, 0),
                                         HEAD_DIM,
                                         SET(NORM, CSZ_NORM_LAYER),
                                         SET(GATED, 0),
                                         K("use_bias", QKV_BIAS, ELSE, 1),
                                         K("use_bias", ATTENTION_BIAS, ELSE, 1),
                                         K("use_bias", MLP_BIAS, ELSE, 1),
                                         K("sliding_window", WINDOW, OPTIONAL, 0),
                                         K("residual_dropout", DROPOUT, ELSE, 0)};

/* Its LayerNorm1P has a weight and a bias. */
static const cszi_hf_key nemotron[] = {SIZES,
                                       FFN,
                                       TIED(0),
                                       KV_HEADS(OPTIONAL, 0),
                                       HEAD_DIM,
                                       SET(NORM, CSZ_NORM_LAYER),
                                       SET(GATED, 0),
                                       ATTENTION_BIASES(0),
                                       K("mlp_bias", MLP_BIAS, ELSE, 0)};

/* ---- Experts ---- */

static const cszi_hf_key mixtral[] = {SIZES,
                                      TIED(0),
                                      KV_HEADS(ELSE_UNLESS_NULL, 8),
                                      HEAD_DIM,
                                      EXPERTS("num_local_experts", "intermediate_size"),
                                      K("sliding_window", WINDOW, OPTIONAL, 0)};

static const cszi_hf_key phimoe[] = {SIZES,
                                     TIED(0),
                                     KV_HEADS(NEEDED_OR_NULL, 0),
                                     HEAD_DIM,
                                     EXPERTS("num_local_experts", "intermediate_size"),
                                     ATTENTION_BIASES(0),
                                     SET(NORM, CSZ_NORM_LAYER),
                                     K("lm_head_bias", HEAD_BIAS, ELSE, 0),
                                     K("sliding_window", WINDOW, OPTIONAL, 0)};

static const cszi_hf_key granitemoe[] = {SIZES, TIED(0), KV_HEADS(OPTIONAL, 0),
                                         EXPERTS("num_local_experts", "intermediate_size"),
                                         ATTENTION_BIASES(0)};

static const cszi_hf_key olmoe[] = {SIZES,
                                    TIED(0),
                                    KV_HEADS(OPTIONAL, 0),
                                    EXPERTS("num_experts", "intermediate_size"),
                                    ATTENTION_BIASES(0),
                                    SET(QK_NORM, CSZ_QK_NORM_FULL)};

/* Released without the prediction layers that num_mtp_modules counts. */
static const cszi_hf_key minimax_m2[] = {
    SIZES,
    TIED(0),
    KV_HEADS(NEEDED, 0),
    HEAD_DIM,
    EXPERTS("num_local_experts|num_experts", "intermediate_size"),
    K("shared_intermediate_size", SHARED_FFN, ELSE, 0),
    K("use_routing_bias", ROUTER_BIAS, ELSE, 1),
    K("use_qk_norm", QK_NORM_FULL, ELSE, 1)};

static const cszi_hf_key gpt_oss[] = {SIZES,
                                      TIED(0),
                                      KV_HEADS(NEEDED, 0),
                                      K("head_dim", HEAD_DIM, ELSE, 64),
                                      ATTENTION_BIASES(1),
                                      SET(SINKS, 1),
                                      K("num_local_experts", EXPERTS, NEEDED, 0),
                                      K("num_experts_per_tok|experts_per_token", TOPK, NEEDED, 0),
                                      K("intermediate_size", EXPERT_FFN, NEEDED, 0),
                                      SET(EXPERT_BIAS, 1),
                                      K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 128),
                                      SET(WINDOW_PATTERN, 2)};

static const cszi_hf_key dbrx[] = {K("d_model", HIDDEN, NEEDED, 0),
                                   K("vocab_size", VOCAB, NEEDED, 0),
                                   K("n_layers", LAYERS_SLOT, NEEDED, 0),
                                   K("n_heads", HEADS, NEEDED, 0),
                                   K("attn_config.kv_n_heads", KV_HEADS, NEEDED, 0),
                                   TIED(0),
                                   SET(NORM, CSZ_NORM_LAYER_NO_BIAS),
                                   K("ffn_config.moe_num_experts", EXPERTS, NEEDED, 0),
                                   K("ffn_config.moe_top_k", TOPK, NEEDED, 0),
                                   K("ffn_config.ffn_hidden_size", EXPERT_FFN, NEEDED, 0),
                                   K("resid_pdrop", DROPOUT, ELSE, 0)};

static const cszi_hf_key qwen2_moe[] = {
    SIZES,
    FFN,
    TIED(0),
    KV_HEADS(NEEDED_OR_NULL, 0),
    HEAD_DIM,
    K("qkv_bias", QKV_BIAS, ELSE, 1),
    EXPERTS("num_experts|num_local_experts", "moe_intermediate_size"),
    K("shared_expert_intermediate_size", SHARED_FFN, NEEDED, 0),
    SET(SHARED_GATE, 1),
    K("decoder_sparse_step", MOE_STEP, ELSE, 1),
    QWEN_WINDOWS};

static const cszi_hf_key qwen3_moe[] = {
    SIZES,
    FFN,
    TIED(0),
    KV_HEADS(NEEDED_OR_NULL, 0),
    HEAD_DIM,
    ATTENTION_BIASES(0),
    SET(QK_NORM, CSZ_QK_NORM_HEAD),
    EXPERTS("num_experts|num_local_experts", "moe_intermediate_size"),
    K("decoder_sparse_step", MOE_STEP, ELSE, 1),
    K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),
    K("use_sliding_window", WINDOW_ON, ELSE, 0)};

/* The window stands for chunks of attention_chunk_size: the same up to that length, and more than
 * them beyond. */
static const cszi_hf_key llama4[] = {SIZES,
                                     K("intermediate_size_mlp", FFN, NEEDED, 0),
                                     TIED(0),
                                     KV_HEADS(NEEDED_OR_NULL, 0),
                                     K("head_dim", HEAD_DIM, ELSE_UNLESS_NULL, 128),
                                     ATTENTION_BIASES(0),
                                     EXPERTS("num_local_experts", "intermediate_size"),
                                     K("intermediate_size", SHARED_FFN, NEEDED, 0),
                                     K("interleave_moe_layer_step", MOE_STEP, ELSE, 1),
                                     K("attention_chunk_size", WINDOW, ELSE_UNLESS_NULL, 8192),
                                     K("no_rope_layer_interval", WINDOW_PATTERN, ELSE, 4),
                                     SET(CHUNKED, 1)};

#define DEEPSEEK_EXPERTS(dense)                                                                    \
    K("n_routed_experts", EXPERTS, NEEDED_OR_NULL, 0),                                             \
        K("num_experts_per_tok", TOPK, OPTIONAL, 0),                                               \
        K("moe_intermediate_size", EXPERT_FFN, OPTIONAL, 0),                                       \
        K("n_shared_experts", SHARED_EXPERTS, NEEDED_OR_NULL, 0),                                  \
        K("first_k_dense_replace", MOE_FROM, ELSE, dense), K("moe_layer_freq", MOE_FREQ, ELSE, 1)

static const cszi_hf_key deepseek[] = {
    SIZES, FFN, TIED(0), KV_HEADS(OPTIONAL, 0), ATTENTION_BIASES(0), DEEPSEEK_EXPERTS(0)};

/* DeepSeek-V2 and later (arXiv 2405.04434, section 2.1). num_nextn_predict_layers is not read: the
 * published counts and the class leave the prediction layer out, and who trains with it sets
 * prediction_layers. */
#define LATENT                                                                                     \
    SIZES, FFN, TIED(0), ATTENTION_BIASES(0), SET(ATTENTION, CSZ_ATTENTION_LATENT),                \
        K("q_lora_rank", QUERY_RANK, NEEDED_OR_NULL, 0), K("kv_lora_rank", KV_RANK, NEEDED, 0),    \
        K("qk_nope_head_dim", NOPE_DIM, NEEDED, 0), K("qk_rope_head_dim", ROPE_DIM, NEEDED, 0),    \
        K("v_head_dim", VALUE_DIM, NEEDED, 0), K("n_group", GROUPS, OPTIONAL, 0)

static const cszi_hf_key deepseek_v2[] = {LATENT, DEEPSEEK_EXPERTS(0)};
static const cszi_hf_key deepseek_v3[] = {LATENT, DEEPSEEK_EXPERTS(3), SET(ROUTER_BIAS, 1)};

static const cszi_hf_key glm4_moe[] = {SIZES,
                                       FFN,
                                       TIED(0),
                                       KV_HEADS(NEEDED, 0),
                                       HEAD_DIM,
                                       K("attention_bias", QKV_BIAS, ELSE, 0),
                                       K("use_qk_norm", QK_NORM_HEAD, ELSE, 0),
                                       DEEPSEEK_EXPERTS(1),
                                       SET(ROUTER_BIAS, 1),
                                       K("n_group", GROUPS, OPTIONAL, 0),
                                       K("num_nextn_predict_layers", PREDICTION, ELSE, 0)};

/* ---- The types, the best known first ---- */

#define TYPE(name, keys, derive)                                                                   \
    {                                                                                              \
        name, keys, COUNT(keys), derive                                                            \
    }

const cszi_hf_type cszi_hf_types[] = {
    TYPE("llama", llama, NULL),
    TYPE("mistral", mistral, NULL),
    TYPE("mixtral", mixtral, NULL),
    TYPE("qwen2", qwen2, NULL),
    TYPE("qwen3", qwen3, NULL),
    TYPE("qwen3_moe", qwen3_moe, NULL),
    TYPE("deepseek_v2", deepseek_v2, NULL),
    TYPE("deepseek_v3", deepseek_v3, NULL),
    TYPE("gpt2", gpt2, NULL),
    TYPE("gpt_neox", gpt_neox, NULL),
    TYPE("falcon", falcon, derive_falcon),
    TYPE("gemma", gemma, NULL),
    TYPE("gemma2", gemma2, NULL),
    TYPE("gemma3", gemma3, NULL),
    TYPE("gemma3_text", gemma3, NULL),
    TYPE("gpt_oss", gpt_oss, NULL),
    TYPE("phi", phi, NULL),
    TYPE("phi3", phi3, NULL),
    TYPE("llama4", llama4, NULL),
    TYPE("llama4_text", llama4, NULL),
    TYPE("kimi_k2", deepseek_v3, NULL),
    TYPE("glm4_moe", glm4_moe, NULL),
    TYPE("minimax_m2", minimax_m2, NULL),
    TYPE("opt", opt, derive_opt),
    TYPE("bloom", bloom, NULL),
    TYPE("mpt", mpt, derive_mpt),
    TYPE("gptj", gptj, NULL),
    TYPE("gpt_bigcode", gpt_bigcode, derive_gpt_bigcode),
    TYPE("starcoder2", starcoder2, NULL),
    TYPE("stablelm", stablelm, derive_stablelm),
    TYPE("olmo", olmo, NULL),
    TYPE("olmo2", olmo2, NULL),
    TYPE("olmo3", olmo3, NULL),
    TYPE("olmoe", olmoe, NULL),
    TYPE("granite", llama, NULL),
    TYPE("granitemoe", granitemoe, NULL),
    TYPE("cohere", cohere, NULL),
    TYPE("cohere2", cohere2, NULL),
    TYPE("nemotron", nemotron, NULL),
    TYPE("dbrx", dbrx, NULL),
    TYPE("deepseek", deepseek, NULL),
    TYPE("qwen", qwen, derive_qwen),
    TYPE("qwen2_moe", qwen2_moe, NULL),
    TYPE("qwen3_vl_text", qwen3, NULL),
    TYPE("qwen3_vl_moe_text", qwen3_moe, NULL),
    TYPE("chatglm", chatglm, derive_chatglm),
    TYPE("baichuan", baichuan, NULL),
    TYPE("internlm", internlm, NULL),
    TYPE("internlm2", internlm2, NULL),
    TYPE("phimoe", phimoe, NULL),
    TYPE("mixformer-sequential", mixformer, NULL),
    TYPE("smollm3", smollm3, NULL),
    TYPE("mimo", mimo, NULL),
    TYPE("PanguEmbedded", pangu, NULL),
};

const size_t cszi_hf_type_count = COUNT(cszi_hf_types);

#define MAMBA "recurrent (state-space) layers"
#define LINEAR "linear-attention layers"
#define ENCODER "an encoder"
#define CROSS "an encoder and cross-attention"

const cszi_hf_refusal cszi_hf_refused_types[] = {
    {"mamba", MAMBA},
    {"mamba2", MAMBA},
    {"falcon_mamba", MAMBA},
    {"jamba", MAMBA},
    {"zamba", MAMBA},
    {"zamba2", MAMBA},
    {"bamba", MAMBA},
    {"nemotron_h", MAMBA},
    {"falcon_h1", MAMBA},
    {"granitemoehybrid", MAMBA},
    {"rwkv", MAMBA},
    {"recurrent_gemma", MAMBA},
    {"qwen3_next", LINEAR},
    {"qwen3_5", LINEAR},
    {"qwen3_5_text", LINEAR},
    {"qwen3_5_moe", LINEAR},
    {"qwen3_5_moe_text", LINEAR},
    {"kimi_linear", LINEAR},
    {"minimax", LINEAR},
    {"minimax_text_01", LINEAR},
    {"lfm2", "convolution layers"},
    {"lfm2_moe", "convolution layers"},
    {"nemotron-nas", "layers that differ one by one (block_configs)"},
    {"deepseek_v32", "sparse attention with an indexer"},
    {"deepseek_v4", "sparse attention with an indexer"},
    {"bert", ENCODER},
    {"roberta", ENCODER},
    {"layoutlm", ENCODER},
    {"t5", CROSS},
    {"mt5", CROSS},
    {"bart", CROSS},
    {NULL, NULL},
};

const cszi_hf_refusal cszi_hf_refused_keys[] = {
    {"block_configs", "layers that differ one by one"},
    {"hybrid_override_pattern", MAMBA},
    {"layers_block_type", MAMBA},
    {"linear_attn_config", LINEAR},
    {"index_topk", "sparse attention with an indexer"},
    {NULL, NULL},
};
