/* hugging_face_experts.c: decoders with experts. Prediction layers of DeepSeek-V3, Kimi K2,
 * Step 3.5 and others are not read: the published counts and the classes leave them out, and who
 * trains with them sets prediction_layers. */
#include "workload/hugging_face_keys.h"

/* ---- All layers with experts, or by a step ---- */

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

static const cszi_hf_key granitemoeshared[] = {SIZES,
                                               TIED(0),
                                               KV_HEADS(OPTIONAL, 0),
                                               EXPERTS("num_local_experts", "intermediate_size"),
                                               ATTENTION_BIASES(0),
                                               K("shared_intermediate_size", SHARED_FFN, ELSE, 0)};

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

/* DeepSeek-V2 and later (arXiv 2405.04434, section 2.1). */
#define LATENT(need)                                                                               \
    SIZES, FFN, TIED(0), ATTENTION_BIASES(0), SET(ATTENTION, CSZ_ATTENTION_LATENT),                \
        K("q_lora_rank", QUERY_RANK, NEEDED_OR_NULL, 0), K("kv_lora_rank", KV_RANK, need, 0),      \
        K("qk_nope_head_dim", NOPE_DIM, need, 0), K("qk_rope_head_dim", ROPE_DIM, need, 0),        \
        K("v_head_dim", VALUE_DIM, need, 0), K("n_group", GROUPS, OPTIONAL, 0),                    \
        K("topk_group", GROUPS_CHOSEN, OPTIONAL, 0)

static const cszi_hf_key deepseek_v2[] = {LATENT(NEEDED_OR_NULL), KV_HEADS(OPTIONAL, 0),
                                          DEEPSEEK_EXPERTS(0)};
static const cszi_hf_key deepseek_v3[] = {LATENT(NEEDED), DEEPSEEK_EXPERTS(3), SET(ROUTER_BIAS, 1)};
static const cszi_hf_key glm4_moe_lite[] = {LATENT(NEEDED), DEEPSEEK_EXPERTS(1),
                                            SET(ROUTER_BIAS, 1)};

/* The smaller DeepSeek-VL2 and DeepSeek-OCR say use_mla: false. */
static csz_status derive_deepseek_v2(cszi_hf_reader *r)
{
    static const cszi_hf_slot latent[] = {CSZI_HF_ATTENTION, CSZI_HF_QUERY_RANK, CSZI_HF_KV_RANK,
                                          CSZI_HF_NOPE_DIM,  CSZI_HF_ROPE_DIM,   CSZI_HF_VALUE_DIM};
    int use = 1;
    csz_status status = cszi_hf_flag_in(r, r->model, "use_mla", &use);
    for (size_t i = 0; !use && i < COUNT(latent); i++)
        r->values[latent[i]].given = 0;
    if (use) /* latent attention has none */
        r->values[CSZI_HF_KV_HEADS].given = 0;
    return status;
}

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
                                       K("topk_group", GROUPS_CHOSEN, OPTIONAL, 0),
                                       K("num_nextn_predict_layers", PREDICTION, ELSE, 0)};

static const cszi_hf_key solar_open[] = {SIZES,
                                         TIED(0),
                                         KV_HEADS(NEEDED, 0),
                                         HEAD_DIM,
                                         ATTENTION_BIASES(0),
                                         EXPERTS("n_routed_experts", "moe_intermediate_size"),
                                         K("n_shared_experts", SHARED_EXPERTS, ELSE, 1),
                                         SET(ROUTER_BIAS, 1),
                                         K("n_group", GROUPS, OPTIONAL, 0),
                                         K("topk_group", GROUPS_CHOSEN, OPTIONAL, 0)};

static const cszi_hf_key dots1[] = {SIZES,
                                    FFN,
                                    TIED(0),
                                    KV_HEADS(NEEDED_OR_NULL, 0),
                                    HEAD_DIM,
                                    ATTENTION_BIASES(0),
                                    SET(QK_NORM, CSZ_QK_NORM_HEAD),
                                    DEEPSEEK_EXPERTS(0),
                                    SET(ROUTER_BIAS, 1),
                                    K("n_group", GROUPS, OPTIONAL, 0),
                                    K("topk_group", GROUPS_CHOSEN, OPTIONAL, 0)};

static const cszi_hf_key exaone_moe[] = {
    SIZES,
    FFN,
    TIED(0),
    KV_HEADS(NEEDED_OR_NULL, 0),
    HEAD_DIM,
    SET(QK_NORM, CSZ_QK_NORM_HEAD),
    EXPERTS("num_experts|n_routed_experts", "moe_intermediate_size"),
    K("num_shared_experts|n_shared_experts", SHARED_EXPERTS, ELSE, 1),
    K("first_k_dense_replace|first_last_k_dense_replace", MOE_FROM, ELSE, 1),
    SET(ROUTER_BIAS, 1),
    K("n_group", GROUPS, OPTIONAL, 0),
    K("topk_group", GROUPS_CHOSEN, OPTIONAL, 0),
    K("sliding_window", WINDOW, ELSE_UNLESS_NULL, 4096),
    K("sliding_window_pattern", WINDOW_PATTERN, ELSE, 4)};

/* Ling and Ring. */
static const cszi_hf_key bailing_moe[] = {SIZES,
                                          FFN,
                                          TIED(0),
                                          KV_HEADS(OPTIONAL, 0),
                                          HEAD_DIM,
                                          K("use_qkv_bias", QKV_BIAS, ELSE, 0),
                                          K("use_bias", ATTENTION_BIAS, ELSE, 0),
                                          K("use_qk_norm", QK_NORM_HEAD, ELSE, 0),
                                          EXPERTS("num_experts", "moe_intermediate_size"),
                                          K("num_shared_experts", SHARED_EXPERTS, ELSE, 0),
                                          K("first_k_dense_replace", MOE_FROM, ELSE, 0),
                                          K("moe_router_enable_expert_bias", ROUTER_BIAS, ELSE, 0),
                                          K("n_group", GROUPS, OPTIONAL, 0),
                                          K("topk_group", GROUPS_CHOSEN, OPTIONAL, 0)};

/* Experts from moe_layer_start_index to moe_layer_end_index, in every moe_layer_interval-th. */
static const cszi_hf_key ernie4_5_moe[] = {SIZES,
                                           FFN,
                                           TIED(1),
                                           KV_HEADS(NEEDED_OR_NULL, 0),
                                           HEAD_DIM,
                                           BIASES("use_bias", 0),
                                           K("moe_num_experts|num_experts", EXPERTS, NEEDED, 0),
                                           K("moe_k|num_experts_per_tok", TOPK, NEEDED, 0),
                                           K("moe_intermediate_size", EXPERT_FFN, NEEDED, 0),
                                           K("moe_num_shared_experts", SHARED_EXPERTS, ELSE, 2),
                                           K("moe_layer_start_index", MOE_FROM, ELSE, 1),
                                           K("moe_layer_end_index", MOE_TO, ELSE, -1),
                                           K("moe_layer_interval", MOE_STEP, ELSE, 1),
                                           SET(ROUTER_BIAS, 1)};

/* Without a width of their own experts are as wide as intermediate_size. The first code beside the
 * model writes a number for each layer. */
static const cszi_hf_key hunyuan_moe[] = {SIZES,
                                          TIED(0),
                                          KV_HEADS(OPTIONAL, 0),
                                          K("head_dim|attention_head_dim", HEAD_DIM, OPTIONAL, 0),
                                          ATTENTION_BIASES(0),
                                          K("use_qk_norm", QK_NORM_HEAD, ELSE, 1),
                                          K("num_experts", EXPERTS, NEEDED, 0),
                                          K("moe_topk", TOPK, NEEDED, 0),
                                          K("intermediate_size", EXPERT_FFN, NEEDED, 0),
                                          K("moe_intermediate_size", EXPERT_FFN, OVERRIDE, 0),
                                          K("num_shared_expert", SHARED_EXPERTS, ELSE, 1),
                                          K("use_cla", SWITCH, ONLY, 0),
                                          K("use_mla", SWITCH, ONLY, 0)};

static csz_status derive_hunyuan_moe(cszi_hf_reader *r)
{
    int mixed = 0;
    csz_status status = cszi_hf_flag_in(r, r->model, "use_mixed_mlp_moe", &mixed);
    if (!mixed)
        r->values[CSZI_HF_SHARED_EXPERTS].given = 0;
    return status;
}

/* Layers with a window may have heads of their own; a gate of one value a head. */
static const cszi_hf_key step3p5[] = {
    SIZES,
    FFN,
    TIED(0),
    K("num_attention_groups|num_key_value_heads", KV_HEADS, NEEDED, 0),
    K("head_dim", HEAD_DIM, ELSE, 128),
    K("use_qk_norm", QK_NORM_HEAD, ELSE, 1),
    K("use_head_wise_attn_gate", HEAD_GATE, ELSE, 0),
    K("attention_other_setting.num_attention_heads", WINDOW_HEADS, OPTIONAL, 0),
    K("attention_other_setting.num_attention_groups", WINDOW_KV_HEADS, OPTIONAL, 0),
    K("sliding_window", WINDOW, OPTIONAL, 0),
    SET(WINDOW_ON, 0), /* layer_types says where */
    K("moe_num_experts|num_experts", EXPERTS, NEEDED, 0),
    K("moe_top_k|num_experts_per_tok", TOPK, NEEDED, 0),
    K("moe_intermediate_size", EXPERT_FFN, NEEDED, 0),
    K("share_expert_dim", SHARED_FFN, NEEDED, 0),
    K("first_k_dense_replace", MOE_FROM, ELSE, 1),
    K("use_moe_router_bias", ROUTER_BIAS, ELSE, 0)};

static csz_status derive_step3p5(cszi_hf_reader *r)
{
    int64_t hidden = cszi_hf_number(r, CSZI_HF_HIDDEN), heads = cszi_hf_number(r, CSZI_HF_HEADS);
    if (!cszi_hf_number(r, CSZI_HF_HEAD_GATE))
        return CSZ_OK;
    cszi_hf_add_extra(r, CSZI_HF_EXTRA_LAYER, hidden, heads);
    if (r->values[CSZI_HF_WINDOW_HEADS].given)
        cszi_hf_add_extra(r, CSZI_HF_EXTRA_WINDOW, hidden,
                          cszi_hf_number(r, CSZI_HF_WINDOW_HEADS) - heads);
    return CSZ_OK;
}

const cszi_hf_type cszi_hf_experts[] = {
    TYPE("mixtral", mixtral, NULL),
    TYPE("qwen3_moe", qwen3_moe, NULL),
    TYPE("deepseek_v2", deepseek_v2, derive_deepseek_v2),
    TYPE("deepseek_v3", deepseek_v3, NULL),
    TYPE("gpt_oss", gpt_oss, NULL),
    TYPE("llama4", llama4, NULL),
    TYPE("llama4_text", llama4, NULL),
    TYPE("kimi_k2", deepseek_v3, NULL),
    TYPE("glm4_moe", glm4_moe, NULL),
    TYPE("glm4v_moe_text", glm4_moe, NULL),
    TYPE("glm4_moe_lite", glm4_moe_lite, NULL),
    TYPE("minimax_m2", minimax_m2, NULL),
    TYPE("olmoe", olmoe, NULL),
    TYPE("granitemoe", granitemoe, NULL),
    TYPE("granitemoeshared", granitemoeshared, NULL),
    TYPE("dbrx", dbrx, NULL),
    TYPE("deepseek", deepseek, NULL),
    TYPE("qwen2_moe", qwen2_moe, NULL),
    TYPE("qwen3_vl_moe", qwen3_moe, NULL),
    TYPE("qwen3_vl_moe_text", qwen3_moe, NULL),
    TYPE("qwen3_omni_moe_text", qwen3_moe, NULL),
    TYPE("phimoe", phimoe, NULL),
    TYPE("ernie4_5_moe", ernie4_5_moe, NULL),
    TYPE("hunyuan_v1_moe", hunyuan_moe, derive_hunyuan_moe),
    TYPE("exaone_moe", exaone_moe, NULL),
    TYPE("solar_open", solar_open, NULL),
    TYPE("dots1", dots1, NULL),
    TYPE("bailing_moe", bailing_moe, NULL),
    TYPE("bailing_moe_v2", bailing_moe, NULL),
    TYPE("step3p5", step3p5, derive_step3p5),
    TYPE("step3p7", step3p5, derive_step3p5),
};

const size_t cszi_hf_experts_count = COUNT(cszi_hf_experts);
