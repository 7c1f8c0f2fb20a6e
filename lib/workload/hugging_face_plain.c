/* hugging_face_plain.c: dense decoders with two-matrix MLPs, most of them with LayerNorm: GPT-2 and
 * its kin. */
#include "workload/hugging_face_keys.h"

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

#define FALCON(fresh)                                                                              \
    K("hidden_size|n_embed", HIDDEN, NEEDED, 0), K("vocab_size", VOCAB, NEEDED, 0),                \
        K("num_hidden_layers|n_layer", LAYERS_SLOT, NEEDED, 0),                                    \
        K("num_attention_heads|n_head", HEADS, NEEDED, 0),                                         \
        K("num_kv_heads|n_head_kv", GROUP_COUNT, OPTIONAL, 0),                                     \
        K("ffn_hidden_size", FFN, FOUR_HIDDEN, 0), TIED(1), SET(NORM, CSZ_NORM_LAYER),             \
        SET(GATED, 0), BIASES("bias", 0), K("multi_query", MULTI_QUERY, ELSE, 1),                  \
        K("new_decoder_architecture", NEW_DECODER, ELSE, fresh),                                   \
        K("parallel_attn", PARALLEL, ELSE, 1),                                                     \
        K("num_ln_in_parallel_attn", NORM_COUNT, OPTIONAL, 0),                                     \
        K("hidden_dropout", DROPOUT, ELSE, 0)

static const cszi_hf_key falcon[] = {FALCON(0)};
/* The names before it was part of transformers: RefinedWeb is the 40B, RefinedWebModel the 7B. */
static const cszi_hf_key refined_web[] = {FALCON(1)};

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
                                  BIASES("enable_bias", 1),
                                  K("do_layer_norm_before", FINAL_NORM, ELSE, 1),
                                  K("layer_norm_elementwise_affine", SWITCH, ONLY, 1),
                                  K("dropout", DROPOUT, ELSE, 1)};

/* Norms behind the blocks leave none for the end (350M). */
static csz_status derive_opt(cszi_hf_reader *r)
{
    int removed = 0;
    csz_status status = cszi_hf_flag_in(r, r->model, "_remove_final_layer_norm", &removed);
    if (removed)
        cszi_hf_put(r, CSZI_HF_FINAL_NORM, 0, CSZI_HF_FINAL_NORM);
    if (r->values[CSZI_HF_PROJECTION].given &&
        cszi_hf_number(r, CSZI_HF_PROJECTION) != cszi_hf_number(r, CSZI_HF_HIDDEN))
        r->values[CSZI_HF_EMBEDDING_WIDTH] = r->values[CSZI_HF_PROJECTION];
    cszi_hf_put(r, CSZI_HF_POSITIONS, cszi_hf_number(r, CSZI_HF_POSITIONS) + 2, CSZI_HF_POSITIONS);
    return status;
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

/* ---- Later and rarer ones ---- */

/* A reward model ends in one value with its bias in place of the vocabulary. */
static const cszi_hf_key gpt_neox_reward[] = {SIZES,
                                              FFN,
                                              SET(TIED, 0),
                                              SET(OUTPUT_LAYER, 0),
                                              SET(NORM, CSZ_NORM_LAYER),
                                              SET(GATED, 0),
                                              ATTENTION_BIASES(1),
                                              SET(MLP_BIAS, 1),
                                              K("hidden_dropout", DROPOUT, ELSE, 0)};

static csz_status derive_reward(cszi_hf_reader *r)
{
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, cszi_hf_number(r, CSZI_HF_HIDDEN), 1);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, 1, 1);
    return CSZ_OK;
}

/* Global and local attention in turn. */
static const cszi_hf_key gpt_neo[] = {K("hidden_size", HIDDEN, NEEDED, 0),
                                      K("vocab_size", VOCAB, NEEDED, 0),
                                      K("num_layers", LAYERS_SLOT, NEEDED, 0),
                                      K("num_heads", HEADS, NEEDED, 0),
                                      K("intermediate_size", FFN, FOUR_HIDDEN, 0),
                                      K("max_position_embeddings", POSITIONS, NEEDED, 0),
                                      TIED(1),
                                      SET(NORM, CSZ_NORM_LAYER),
                                      SET(GATED, 0),
                                      SET(ATTENTION_BIAS, 1),
                                      SET(MLP_BIAS, 1),
                                      K("window_size", WINDOW, ELSE, 256),
                                      SET(WINDOW_STEP, 2),
                                      K("resid_dropout", DROPOUT, ELSE, 0)};

/* Norms after the blocks, none at the end. */
static const cszi_hf_key openai_gpt[] = {
    GPT2_SIZES,         K("n_positions", POSITIONS, NEEDED, 0), TIED(1), ALL_BIASES,
    SET(FINAL_NORM, 0), K("resid_pdrop", DROPOUT, ELSE, 1)};

/* Sinusoidal positions, here and in XGLM: no parameters. */
static const cszi_hf_key ctrl[] = {K("n_embd|hidden_size", HIDDEN, NEEDED, 0),
                                   K("vocab_size", VOCAB, NEEDED, 0),
                                   K("n_layer|num_hidden_layers", LAYERS_SLOT, NEEDED, 0),
                                   K("n_head|num_attention_heads", HEADS, NEEDED, 0),
                                   K("dff", FFN, NEEDED, 0),
                                   TIED(1),
                                   SET(NORM, CSZ_NORM_LAYER),
                                   SET(GATED, 0),
                                   ALL_BIASES,
                                   SET(HEAD_BIAS, 1),
                                   K("resid_pdrop", DROPOUT, ELSE, 1)};

static const cszi_hf_key xglm[] = {K("d_model", HIDDEN, NEEDED, 0),
                                   K("vocab_size", VOCAB, NEEDED, 0),
                                   K("num_layers", LAYERS_SLOT, NEEDED, 0),
                                   K("attention_heads", HEADS, NEEDED, 0),
                                   K("ffn_dim", FFN, NEEDED, 0),
                                   TIED(1),
                                   SET(NORM, CSZ_NORM_LAYER),
                                   SET(GATED, 0),
                                   ALL_BIASES,
                                   K("dropout", DROPOUT, ELSE, 1)};

/* Its norms of queries and keys have biases. */
static const cszi_hf_key persimmon[] = {SIZES,
                                        FFN,
                                        TIED(0),
                                        SET(NORM, CSZ_NORM_LAYER),
                                        SET(GATED, 0),
                                        ALL_BIASES,
                                        HEAD_DIM,
                                        K("qk_layernorm", QK_NORM_HEAD, ELSE, 1),
                                        K("hidden_dropout", DROPOUT, ELSE, 0)};

static csz_status derive_persimmon(cszi_hf_reader *r)
{
    int64_t heads = cszi_hf_number(r, CSZI_HF_HEADS), head = cszi_hf_number(r, CSZI_HF_HEAD_DIM);
    if (head == 0 && heads > 0)
        head = cszi_hf_number(r, CSZI_HF_HIDDEN) / heads;
    if (cszi_hf_number(r, CSZI_HF_QK_NORM_HEAD))
        cszi_hf_add_extra(r, CSZI_HF_EXTRA_LAYER, 2, head);
    return CSZ_OK;
}

static const cszi_hf_key arcee[] = {SIZES,
                                    FFN,
                                    TIED(0),
                                    KV_HEADS(OPTIONAL, 0),
                                    HEAD_DIM,
                                    SET(GATED, 0),
                                    ATTENTION_BIASES(0),
                                    K("mlp_bias", MLP_BIAS, ELSE, 0)};

static const cszi_hf_key apertus[] = {SIZES,
                                      FFN,
                                      TIED(0),
                                      KV_HEADS(OPTIONAL, 0),
                                      HEAD_DIM,
                                      SET(GATED, 0),
                                      SET(QK_NORM, CSZ_QK_NORM_HEAD),
                                      ATTENTION_BIASES(0),
                                      K("mlp_bias", MLP_BIAS, ELSE, 0)};

/* The activation xIELU has two parameters. */
static csz_status derive_apertus(cszi_hf_reader *r)
{
    cszi_json_value act;
    int found;
    csz_status status = cszi_hf_find(r, "hidden_act", &act, &found);
    if (status == CSZ_OK && (!found || cszi_json_equals(&r->json, act, "xielu")))
        cszi_hf_add_extra(r, CSZI_HF_EXTRA_LAYER, 2, 1);
    return status;
}

const cszi_hf_type cszi_hf_plain[] = {
    TYPE("gpt2", gpt2, NULL),
    TYPE("gpt_neox", gpt_neox, NULL),
    TYPE("falcon", falcon, derive_falcon),
    TYPE("opt", opt, derive_opt),
    TYPE("bloom", bloom, NULL),
    TYPE("phi", phi, NULL),
    TYPE("mpt", mpt, derive_mpt),
    TYPE("gptj", gptj, NULL),
    TYPE("codegen", gptj, NULL),
    TYPE("gpt_neo", gpt_neo, NULL),
    TYPE("gpt_bigcode", gpt_bigcode, derive_gpt_bigcode),
    TYPE("starcoder2", starcoder2, NULL),
    TYPE("stablelm", stablelm, derive_stablelm),
    TYPE("stablelm_epoch", stablelm, derive_stablelm),
    TYPE("nemotron", nemotron, NULL),
    TYPE("mixformer-sequential", mixformer, NULL),
    TYPE("gpt_neox_reward_model", gpt_neox_reward, derive_reward),
    TYPE("RefinedWeb", refined_web, derive_falcon),
    TYPE("RefinedWebModel", falcon, derive_falcon),
    TYPE("persimmon", persimmon, derive_persimmon),
    TYPE("arcee", arcee, NULL),
    TYPE("apertus", apertus, derive_apertus),
    TYPE("xglm", xglm, NULL),
    TYPE("ctrl", ctrl, NULL),
    TYPE("openai-gpt", openai_gpt, NULL),
};

const size_t cszi_hf_plain_count = COUNT(cszi_hf_plain);
