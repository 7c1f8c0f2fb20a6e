/* hugging_face_hybrids.c: models with recurrent layers: Mamba, gated delta nets, lightning
 * attention and short convolutions, alone or between layers of attention. */
#include "workload/hugging_face_keys.h"

/* ---- Mamba ---- */

/* Biases of the projections in and out, which no field counts. */
static void add_projection_biases(cszi_hf_reader *r, int64_t in)
{
    if (!cszi_hf_number(r, CSZI_HF_PROJECTION_BIAS))
        return;
    cszi_hf_add_extra(r, CSZI_HF_EXTRA_MIXER, in, 1);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA_MIXER, cszi_hf_number(r, CSZI_HF_HIDDEN), 1);
}

/* "auto" is the least whole number that is not below hidden / 16. */
static csz_status derive_mamba(cszi_hf_reader *r)
{
    int64_t hidden = cszi_hf_number(r, CSZI_HF_HIDDEN);
    if (!r->values[CSZI_HF_STATE_INNER].given)
        cszi_hf_put(r, CSZI_HF_STATE_INNER,
                    cszi_hf_product(cszi_hf_number(r, CSZI_HF_EXPANSION), hidden),
                    CSZI_HF_EXPANSION);
    if (!r->values[CSZI_HF_STATE_RANK].given)
        cszi_hf_put(r, CSZI_HF_STATE_RANK, (hidden + 15) / 16, CSZI_HF_HIDDEN);
    add_projection_biases(r, 2 * cszi_hf_number(r, CSZI_HF_STATE_INNER));
    return CSZ_OK;
}

static const cszi_hf_key mamba[] = {K("hidden_size|d_model", HIDDEN, NEEDED, 0),
                                    K("vocab_size", VOCAB, NEEDED, 0),
                                    K("num_hidden_layers|n_layer", LAYERS_SLOT, NEEDED, 0),
                                    TIED(1),
                                    SET(BLOCKS, 1),
                                    SET(NORMS, 1),
                                    SET(MIXER, CSZ_ATTENTION_MAMBA),
                                    K("state_size", STATE_SIZE, ELSE, 16),
                                    K("expand", EXPANSION, ELSE, 2),
                                    K("intermediate_size|d_inner", STATE_INNER, OPTIONAL, 0),
                                    K("time_step_rank", STATE_RANK, OPTIONAL, 0),
                                    K("conv_kernel", CONVOLUTION, ELSE, 4),
                                    K("use_conv_bias", CONVOLUTION_BIAS, ELSE, 1),
                                    K("use_bias", PROJECTION_BIAS, ELSE, 0)};

static const cszi_hf_key jamba[] = {SIZES,
                                    FFN,
                                    TIED(0),
                                    KV_HEADS(ELSE_UNLESS_NULL, 8),
                                    K("sliding_window", WINDOW, OPTIONAL, 0),
                                    K("num_experts", EXPERTS, ELSE, 16),
                                    K("num_experts_per_tok", TOPK, ELSE, 2),
                                    K("intermediate_size", EXPERT_FFN, NEEDED, 0),
                                    K("expert_layer_period", MOE_FREQ, ELSE, 2),
                                    K("expert_layer_offset", MOE_OFFSET, ELSE, 1),
                                    SET(MIXER, CSZ_ATTENTION_MAMBA),
                                    SET(STATE_NORMS, 1),
                                    K("attn_layer_period", FULL_PERIOD, ELSE, 8),
                                    K("attn_layer_offset", FULL_OFFSET, ELSE, 4),
                                    K("mamba_d_state", STATE_SIZE, ELSE, 16),
                                    K("mamba_expand", EXPANSION, ELSE, 2),
                                    K("mamba_dt_rank", STATE_RANK, OPTIONAL, 0),
                                    K("mamba_d_conv", CONVOLUTION, ELSE, 4),
                                    K("mamba_conv_bias", CONVOLUTION_BIAS, ELSE, 1),
                                    K("mamba_proj_bias", PROJECTION_BIAS, ELSE, 0)};

/* One expert is a dense MLP. */
static csz_status derive_jamba(cszi_hf_reader *r)
{
    if (cszi_hf_number(r, CSZI_HF_EXPERTS) == 1)
        r->values[CSZI_HF_EXPERTS].given = 0;
    return derive_mamba(r);
}

/* ---- Mamba-2 ---- */

static csz_status derive_mamba2(cszi_hf_reader *r)
{
    int64_t heads = cszi_hf_number(r, CSZI_HF_STATE_HEADS), inner;
    if (!r->values[CSZI_HF_STATE_HEAD_DIM].given)
        cszi_hf_put(r, CSZI_HF_STATE_HEAD_DIM,
                    cszi_hf_product(cszi_hf_number(r, CSZI_HF_EXPANSION),
                                    cszi_hf_number(r, CSZI_HF_HIDDEN)) /
                        heads,
                    CSZI_HF_EXPANSION);
    inner = cszi_hf_product(heads, cszi_hf_number(r, CSZI_HF_STATE_HEAD_DIM));
    if (cszi_hf_number(r, CSZI_HF_PROJECTION_BIAS)) {
        cszi_hf_add_extra(r, CSZI_HF_EXTRA_MIXER, 1, inner);
        cszi_hf_add_extra(r, CSZI_HF_EXTRA_MIXER, 2 * cszi_hf_number(r, CSZI_HF_STATE_GROUPS),
                          cszi_hf_number(r, CSZI_HF_STATE_SIZE));
        cszi_hf_add_extra(r, CSZI_HF_EXTRA_MIXER, 1, heads);
        add_projection_biases(r, inner);
    }
    return CSZ_OK;
}

static const cszi_hf_key mamba2[] = {K("hidden_size|d_model", HIDDEN, NEEDED, 0),
                                     K("vocab_size", VOCAB, NEEDED, 0),
                                     K("num_hidden_layers|n_layer", LAYERS_SLOT, NEEDED, 0),
                                     TIED(0),
                                     SET(BLOCKS, 1),
                                     SET(NORMS, 1),
                                     SET(MIXER, CSZ_ATTENTION_MAMBA2),
                                     K("num_heads", STATE_HEADS, NEEDED, 0),
                                     K("head_dim", STATE_HEAD_DIM, ELSE, 64),
                                     K("state_size", STATE_SIZE, ELSE, 128),
                                     K("n_groups", STATE_GROUPS, ELSE, 8),
                                     K("expand", EXPANSION, ELSE, 2),
                                     K("conv_kernel", CONVOLUTION, ELSE, 4),
                                     K("use_conv_bias", CONVOLUTION_BIAS, ELSE, 1),
                                     K("use_bias", PROJECTION_BIAS, ELSE, 0)};

#define BAMBA_MIXER                                                                                \
    SET(MIXER, CSZ_ATTENTION_MAMBA2), K("mamba_n_heads", STATE_HEADS, ELSE, 128),                  \
        K("mamba_d_head", STATE_HEAD_DIM, OPTIONAL, 0), K("mamba_d_state", STATE_SIZE, ELSE, 256), \
        K("mamba_n_groups", STATE_GROUPS, ELSE, 1), K("mamba_expand", EXPANSION, ELSE, 2),         \
        K("mamba_d_conv", CONVOLUTION, ELSE, 4), K("mamba_conv_bias", CONVOLUTION_BIAS, ELSE, 1),  \
        K("mamba_proj_bias", PROJECTION_BIAS, ELSE, 0)

static const cszi_hf_key bamba[] = {SIZES, FFN, TIED(0), KV_HEADS(ELSE_UNLESS_NULL, 8),
                                    BAMBA_MIXER};

/* Granite 4: its shared expert is all there is without others. */
static const cszi_hf_key granitemoehybrid[] = {
    SIZES,
    TIED(0),
    KV_HEADS(OPTIONAL, 0),
    ATTENTION_BIASES(0),
    K("num_local_experts|num_experts", EXPERTS, ELSE, 8),
    K("num_experts_per_tok", TOPK, ELSE, 2),
    K("intermediate_size", EXPERT_FFN, NEEDED, 0),
    K("shared_intermediate_size", SHARED_FFN, ELSE, 1024),
    BAMBA_MIXER};

static csz_status derive_granite(cszi_hf_reader *r)
{
    if (cszi_hf_number(r, CSZI_HF_EXPERTS) == 0)
        r->values[CSZI_HF_FFN] = r->values[CSZI_HF_SHARED_FFN];
    return derive_mamba2(r);
}

/* Nemotron-H: a layer is a mixer, an MLP or experts, with one norm. The balancing bias of the
 * router is not in the published counts. */
static const cszi_hf_key nemotron_h[] = {
    K("hidden_size", HIDDEN, NEEDED, 0),
    K("vocab_size", VOCAB, NEEDED, 0),
    K("num_hidden_layers", LAYERS_SLOT, OPTIONAL, 0),
    K("num_attention_heads", HEADS, NEEDED, 0),
    TIED(0),
    KV_HEADS(ELSE_UNLESS_NULL, 8),
    K("head_dim|attention_head_dim", HEAD_DIM, ELSE, 128),
    ATTENTION_BIASES(0),
    SET(BLOCKS, 1),
    SET(NORMS, 1),
    SET(GATED, 0),
    K("intermediate_size", FFN, OPTIONAL, 0),
    K("mlp_bias", MLP_BIAS, ELSE, 0),
    K("n_routed_experts", EXPERTS, ELSE, 0),
    K("num_experts_per_tok", TOPK, OPTIONAL, 0),
    K("moe_intermediate_size", EXPERT_FFN, OPTIONAL, 0),
    K("moe_shared_expert_intermediate_size", SHARED_FFN, OPTIONAL, 0),
    K("moe_latent_size", EXPERT_LATENT, OPTIONAL, 0),
    K("n_group", GROUPS, OPTIONAL, 0),
    K("topk_group", GROUPS_CHOSEN, OPTIONAL, 0),
    SET(MIXER, CSZ_ATTENTION_MAMBA2),
    K("mamba_num_heads", STATE_HEADS, ELSE, 128),
    K("mamba_head_dim", STATE_HEAD_DIM, ELSE, 64),
    K("ssm_state_size|mamba_state_dim", STATE_SIZE, ELSE, 128),
    K("n_groups|mamba_n_groups", STATE_GROUPS, ELSE, 8),
    K("conv_kernel|mamba_d_conv", CONVOLUTION, ELSE, 4),
    K("use_conv_bias|mamba_conv_bias", CONVOLUTION_BIAS, ELSE, 1),
    K("use_bias", PROJECTION_BIAS, ELSE, 0)};

/* The list, or the string of letters, whose length is the number of layers. */
static csz_status find_pattern(const cszi_hf_reader *r, cszi_json_value *pattern, int64_t *layers)
{
    cszi_json_value item;
    size_t cursor = 0;
    int found;
    csz_status status = cszi_hf_find(r, "layers_block_type", pattern, &found);
    if (status == CSZ_OK && !found)
        status = cszi_hf_find(r, "hybrid_override_pattern", pattern, &found);
    if (status == CSZ_OK && !found)
        status = cszi_hf_find(r, "layer_types", pattern, &found);
    if (status == CSZ_OK && !found)
        return cszi_fail(r->json.error, CSZ_ERR_MISSING, CSZ_WORKLOAD_LAYERS,
                         "layers_block_type (or hybrid_override_pattern): is missing, and "
                         "model_type %s needs it",
                         r->type->name);
    if (status != CSZ_OK)
        return status;
    *layers = 0;
    if (cszi_json_type_of(&r->json, *pattern) == CSZI_JSON_STRING)
        *layers = (int64_t)(pattern->end - pattern->begin) - 2;
    else if (cszi_json_type_of(&r->json, *pattern) == CSZI_JSON_ARRAY)
        while (cszi_json_next_element(&r->json, *pattern, &cursor, &item))
            ++*layers;
    return CSZ_OK;
}

static csz_status count_layers(cszi_hf_reader *r)
{
    cszi_json_value pattern;
    int64_t layers = 0;
    csz_status status = find_pattern(r, &pattern, &layers);
    if (status != CSZ_OK || r->values[CSZI_HF_LAYERS_SLOT].given)
        return status;
    if (layers > CSZI_HF_LAYERS)
        return cszi_hf_too_many(r, layers, pattern);
    if (layers == 0)
        return cszi_json_fail(&r->json, pattern, CSZ_ERR_TYPE, CSZ_WORKLOAD_LAYERS,
                              "must have one item a layer");
    r->values[CSZI_HF_LAYERS_SLOT] =
        (cszi_hf_value){layers, (uint32_t)pattern.begin, (uint32_t)pattern.end, 1};
    return CSZ_OK;
}

static csz_status derive_nemotron_h(cszi_hf_reader *r)
{
    csz_status status = count_layers(r);
    return status == CSZ_OK ? derive_mamba2(r) : status;
}

/* ---- Gated delta nets ---- */

#define DELTA                                                                                      \
    SIZES, TIED(0), KV_HEADS(NEEDED_OR_NULL, 0), K("head_dim", HEAD_DIM, ELSE, 256),               \
        ATTENTION_BIASES(0), SET(QK_NORM, CSZ_QK_NORM_HEAD),                                       \
        K("attn_output_gate", QUERY_GATE, ELSE, 1), SET(MIXER, CSZ_ATTENTION_DELTA),               \
        K("linear_num_key_heads", KEY_HEADS, ELSE, 16),                                            \
        K("linear_key_head_dim", KEY_DIM, ELSE, 128),                                              \
        K("linear_num_value_heads", STATE_HEADS, ELSE, 32),                                        \
        K("linear_value_head_dim", STATE_HEAD_DIM, ELSE, 128),                                     \
        K("linear_conv_kernel_dim", CONVOLUTION, ELSE, 4),                                         \
        K("full_attention_interval", FULL_EVERY, ELSE, 4)

#define DELTA_EXPERTS                                                                              \
    K("intermediate_size", FFN, OPTIONAL, 0),                                                      \
        EXPERTS("num_experts|num_local_experts", "moe_intermediate_size"),                         \
        K("shared_expert_intermediate_size", SHARED_FFN, NEEDED, 0), SET(SHARED_GATE, 1),          \
        K("decoder_sparse_step", MOE_STEP, ELSE, 1)

/* Released with a prediction layer that its file does not mention (81324862720 parameters). */
static const cszi_hf_key qwen3_next[] = {
    DELTA, DELTA_EXPERTS, K("num_nextn_predict_layers|mtp_num_hidden_layers", PREDICTION, ELSE, 1)};

static const cszi_hf_key qwen3_5[] = {DELTA, FFN, K("mtp_num_hidden_layers", PREDICTION, ELSE, 0)};
static const cszi_hf_key qwen3_5_moe[] = {DELTA, DELTA_EXPERTS,
                                          K("mtp_num_hidden_layers", PREDICTION, ELSE, 0)};

/* ---- Lightning attention ---- */

/* The first code beside the model writes attn_type_list; the class alternates. */
static const cszi_hf_key minimax[] = {SIZES,
                                      TIED(0),
                                      KV_HEADS(NEEDED_OR_NULL, 0),
                                      HEAD_DIM,
                                      EXPERTS("num_local_experts|num_experts", "intermediate_size"),
                                      K("shared_intermediate_size", SHARED_FFN, ELSE, 0),
                                      K("sliding_window", WINDOW, OPTIONAL, 0),
                                      SET(MIXER, CSZ_ATTENTION_LIGHTNING),
                                      SET(FULL_PERIOD, 2)};

/* ---- Short convolutions ---- */

#define LFM2                                                                                       \
    K("hidden_size|block_dim", HIDDEN, NEEDED, 0), K("vocab_size", VOCAB, NEEDED, 0),              \
        K("num_hidden_layers", LAYERS_SLOT, NEEDED, 0),                                            \
        K("num_attention_heads|num_heads", HEADS, NEEDED, 0), TIED(1),                             \
        K("tie_embedding", TIED, OVERRIDE, 0), KV_HEADS(ELSE_UNLESS_NULL, 8),                      \
        SET(QK_NORM, CSZ_QK_NORM_HEAD), SET(MIXER, CSZ_ATTENTION_CONVOLUTION), SET(NAMED, 1),      \
        K("conv_L_cache", CONVOLUTION, ELSE, 3), K("conv_bias", CONVOLUTION_BIAS, ELSE, 0),        \
        K("conv_bias", PROJECTION_BIAS, ELSE, 0)

static const cszi_hf_key lfm2[] = {LFM2, FFN, K("block_ff_dim", FFN, OVERRIDE, 0),
                                   K("block_multiple_of", ROUND_TO, ELSE, 256)};

static const cszi_hf_key lfm2_moe[] = {LFM2, FFN, EXPERTS("num_experts", "moe_intermediate_size"),
                                       K("num_dense_layers", MOE_FROM, ELSE, 2),
                                       K("use_expert_bias", ROUTER_BIAS, ELSE, 1)};

static csz_status derive_lfm2_moe(cszi_hf_reader *r)
{
    add_projection_biases(r, 3 * cszi_hf_number(r, CSZI_HF_HIDDEN));
    return CSZ_OK;
}

/* Two thirds of intermediate_size, times a factor, up to the next multiple (Lfm2MLP). */
static csz_status derive_lfm2(cszi_hf_reader *r)
{
    int64_t unit = cszi_hf_number(r, CSZI_HF_ROUND_TO),
            width = 2 * cszi_hf_number(r, CSZI_HF_FFN) / 3;
    double factor = 1, real;
    int adjust = 1, found;
    cszi_json_value value;
    csz_status status = cszi_hf_flag_in(r, r->model, "block_auto_adjust_ff_dim", &adjust);
    if (status == CSZ_OK)
        status = cszi_hf_find(r, "block_ffn_dim_multiplier", &value, &found);
    if (status == CSZ_OK && found)
        status = cszi_json_f64(&r->json, value, &factor);
    if (status != CSZ_OK)
        return status;
    real = (double)width * factor;
    if (!(real >= 0 && real <= (double)CSZI_COUNT_MAX))
        return cszi_json_fail(&r->json, value, CSZ_ERR_RANGE, CSZ_WORKLOAD_FFN,
                              "%g times the width of the MLP is out of range", factor);
    if (adjust) {
        width = (int64_t)real;
        width += (unit - width % unit) % unit;
        cszi_hf_put(r, CSZI_HF_FFN, width, CSZI_HF_FFN);
    }
    return derive_lfm2_moe(r);
}

const cszi_hf_type cszi_hf_hybrids[] = {
    TYPE("mamba", mamba, derive_mamba),
    TYPE("falcon_mamba", mamba, derive_mamba),
    TYPE("mamba2", mamba2, derive_mamba2),
    TYPE("jamba", jamba, derive_jamba),
    TYPE("bamba", bamba, derive_mamba2),
    TYPE("granitemoehybrid", granitemoehybrid, derive_granite),
    TYPE("nemotron_h", nemotron_h, derive_nemotron_h),
    TYPE("qwen3_next", qwen3_next, NULL),
    TYPE("qwen3_5", qwen3_5, NULL),
    TYPE("qwen3_5_text", qwen3_5, NULL),
    TYPE("qwen3_5_moe", qwen3_5_moe, NULL),
    TYPE("qwen3_5_moe_text", qwen3_5_moe, NULL),
    TYPE("minimax", minimax, NULL),
    TYPE("minimax_text_01", minimax, NULL),
    TYPE("minimax_m1", minimax, NULL),
    TYPE("lfm2", lfm2, derive_lfm2),
    TYPE("lfm2_moe", lfm2_moe, derive_lfm2_moe),
};

const size_t cszi_hf_hybrids_count = COUNT(cszi_hf_hybrids);
