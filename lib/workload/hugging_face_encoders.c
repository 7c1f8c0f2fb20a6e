/* hugging_face_encoders.c: encoders, and encoders with a decoder. */
#include "workload/hugging_face_keys.h"

/* ---- BERT: norms behind the blocks and the embedding, a pooler, token types ---- */

#define BERT                                                                                       \
    SIZES, FFN, K("max_position_embeddings", POSITIONS, NEEDED, 0), TIED(1),                       \
        SET(NORM, CSZ_NORM_LAYER), SET(EMBEDDING_NORM, 1), SET(FINAL_NORM, 0), SET(CAUSAL, 0),     \
        SET(GATED, 0), ALL_BIASES, K("type_vocab_size", TOKEN_TYPES, ELSE, 2),                     \
        K("hidden_dropout_prob", DROPOUT, ELSE, 1), K("is_decoder", SWITCH, ONLY, 0)

static const cszi_hf_key bert[] = {BERT};
/* Its boxes have positions of their own: two for each coordinate, two for the size. */
static const cszi_hf_key layoutlm[] = {
    BERT, K("max_2d_position_embeddings", SECOND_POSITIONS, ELSE, 1024)};

static const cszi_hf_key distilbert[] = {K("dim|hidden_size", HIDDEN, NEEDED, 0),
                                         K("vocab_size", VOCAB, NEEDED, 0),
                                         K("n_layers|num_hidden_layers", LAYERS_SLOT, NEEDED, 0),
                                         K("n_heads|num_attention_heads", HEADS, NEEDED, 0),
                                         K("hidden_dim", FFN, NEEDED, 0),
                                         K("max_position_embeddings", POSITIONS, NEEDED, 0),
                                         TIED(1),
                                         SET(NORM, CSZ_NORM_LAYER),
                                         SET(EMBEDDING_NORM, 1),
                                         SET(FINAL_NORM, 0),
                                         SET(CAUSAL, 0),
                                         SET(GATED, 0),
                                         ALL_BIASES,
                                         K("dropout", DROPOUT, ELSE, 1)};

/* Other kinds of positions have tables in each layer. */
static csz_status check_positions(const cszi_hf_reader *r)
{
    cszi_json_value kind;
    int found;
    csz_status status = cszi_hf_find(r, "position_embedding_type", &kind, &found);
    if (status != CSZ_OK || !found || cszi_json_equals(&r->json, kind, "absolute"))
        return status;
    return cszi_json_fail(&r->json, kind, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                          "position_embedding_type: only absolute can be expressed");
}

static csz_status derive_bert(cszi_hf_reader *r)
{
    int64_t hidden = cszi_hf_number(r, CSZI_HF_HIDDEN);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, cszi_hf_number(r, CSZI_HF_TOKEN_TYPES), hidden);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, hidden, hidden); /* the pooler and its bias */
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, hidden, 1);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA,
                      cszi_hf_product(4, cszi_hf_number(r, CSZI_HF_SECOND_POSITIONS)), hidden);
    return check_positions(r);
}

/* ---- ViT: patches for a vocabulary, a class token, no output layer ---- */

static const cszi_hf_key vit[] = {K("hidden_size", HIDDEN, NEEDED, 0),
                                  K("num_hidden_layers", LAYERS_SLOT, NEEDED, 0),
                                  K("num_attention_heads", HEADS, NEEDED, 0),
                                  FFN,
                                  K("image_size", IMAGE, ELSE, 224),
                                  K("patch_size", PATCH, ELSE, 16),
                                  K("num_channels", CHANNELS, ELSE, 3),
                                  SET(TIED, 1),
                                  SET(OUTPUT_LAYER, 0),
                                  SET(NORM, CSZ_NORM_LAYER),
                                  SET(CAUSAL, 0),
                                  SET(GATED, 0),
                                  K("qkv_bias", QKV_BIAS, ELSE, 1),
                                  SET(ATTENTION_BIAS, 1),
                                  SET(MLP_BIAS, 1),
                                  K("hidden_dropout_prob", DROPOUT, ELSE, 0)};

/* tokens before the patches: the class, and DeiT's distillation. */
static csz_status derive_patches(cszi_hf_reader *r, int64_t tokens)
{
    int64_t patch = cszi_hf_number(r, CSZI_HF_PATCH),
            side = cszi_hf_number(r, CSZI_HF_IMAGE) / patch;
    cszi_hf_put(r, CSZI_HF_VOCAB,
                cszi_hf_product(cszi_hf_product(patch, patch), cszi_hf_number(r, CSZI_HF_CHANNELS)),
                CSZI_HF_PATCH);
    cszi_hf_put(r, CSZI_HF_POSITIONS, cszi_hf_product(side, side) + tokens, CSZI_HF_IMAGE);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, tokens + 1, /* and the bias of the patches */
                      cszi_hf_number(r, CSZI_HF_HIDDEN));
    return CSZ_OK;
}

static csz_status derive_vit(cszi_hf_reader *r)
{
    return derive_patches(r, 1);
}

static csz_status derive_deit(cszi_hf_reader *r)
{
    return derive_patches(r, 2);
}

/* ---- Encoders with a decoder ---- */

/* The decoder's layers follow the encoder's; without a number of their own there are as many. */
static csz_status add_decoder(cszi_hf_reader *r, double share)
{
    int64_t encoder = cszi_hf_number(r, CSZI_HF_LAYERS_SLOT), decoder;
    if (!r->values[CSZI_HF_DECODER].given)
        cszi_hf_put(r, CSZI_HF_DECODER, encoder, CSZI_HF_LAYERS_SLOT);
    decoder = cszi_hf_number(r, CSZI_HF_DECODER);
    if (decoder > CSZI_HF_LAYERS - encoder)
        return cszi_hf_too_many(r, encoder + decoder, cszi_hf_place(r, CSZI_HF_DECODER));
    cszi_hf_put(r, CSZI_HF_LAYERS_SLOT, encoder + decoder, CSZI_HF_LAYERS_SLOT);
    r->encoder_share = share;
    return CSZ_OK;
}

/* 512 inputs and 114 targets (arXiv 1910.10683, section 3.1.4). */
#define T5_SHARE 0.8

static const cszi_hf_key t5[] = {K("d_model", HIDDEN, NEEDED, 0),
                                 K("vocab_size", VOCAB, NEEDED, 0),
                                 K("num_layers", LAYERS_SLOT, NEEDED, 0),
                                 K("num_decoder_layers", DECODER, OPTIONAL, 0),
                                 K("num_heads", HEADS, NEEDED, 0),
                                 K("d_kv", HEAD_DIM, NEEDED, 0),
                                 K("d_ff", FFN, NEEDED, 0),
                                 K("relative_attention_num_buckets", SECOND_POSITIONS, ELSE, 32),
                                 TIED(1),
                                 K("dropout_rate", DROPOUT, ELSE, 1)};

/* "gated-gelu" and the like; a table of relative positions has a value a head. */
static csz_status derive_t5_with(cszi_hf_reader *r, int every_layer)
{
    static const char gated[] = "\"gated";
    int64_t table = cszi_hf_product(cszi_hf_number(r, CSZI_HF_SECOND_POSITIONS),
                                    cszi_hf_number(r, CSZI_HF_HEADS));
    cszi_json_value kind;
    int found, is_gated = 0;
    csz_status status = cszi_hf_find(r, "feed_forward_proj", &kind, &found);
    if (status == CSZ_OK && found)
        status = cszi_hf_text(r, kind);
    if (status == CSZ_OK && found && kind.end - kind.begin > sizeof gated) {
        is_gated = 1;
        for (size_t i = 0; i < sizeof gated - 1; i++)
            is_gated &= r->json.text[kind.begin + i] == gated[i];
    }
    cszi_hf_put(r, CSZI_HF_GATED, is_gated, CSZI_HF_HIDDEN);
    if (status == CSZ_OK)
        status = add_decoder(r, T5_SHARE);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, table,
                      every_layer ? cszi_hf_number(r, CSZI_HF_LAYERS_SLOT) : 2);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, 1, cszi_hf_number(r, CSZI_HF_HIDDEN)); /* encoder's norm */
    return status;
}

static csz_status derive_t5(cszi_hf_reader *r)
{
    return derive_t5_with(r, 0);
}

static csz_status derive_umt5(cszi_hf_reader *r)
{
    return derive_t5_with(r, 1);
}

/* Both sides have the same heads and widths, or the file is refused. */
#define SIDES                                                                                      \
    K("d_model", HIDDEN, NEEDED, 0), K("vocab_size", VOCAB, NEEDED, 0),                            \
        K("encoder_layers", LAYERS_SLOT, NEEDED, 0), K("decoder_layers", DECODER, NEEDED, 0),      \
        K("encoder_attention_heads|decoder_attention_heads", HEADS, NEEDED, 0),                    \
        K("encoder_ffn_dim|decoder_ffn_dim", FFN, NEEDED, 0), TIED(1), SET(NORM, CSZ_NORM_LAYER),  \
        SET(GATED, 0), K("dropout", DROPOUT, ELSE, 1)

/* Norms behind the blocks and the embedding; mBART has them before, and one at each end. Position
 * rows start at 2. */
#define BART(final)                                                                                \
    SIDES, K("max_position_embeddings", POSITIONS, NEEDED, 0), SET(EMBEDDING_NORM, 1),             \
        SET(FINAL_NORM, final), ALL_BIASES

static const cszi_hf_key bart[] = {BART(0)};
static const cszi_hf_key mbart[] = {BART(1)};

/* The second table of positions and the second side's outer norms. */
static csz_status derive_bart(cszi_hf_reader *r)
{
    int64_t rows = cszi_hf_number(r, CSZI_HF_POSITIONS) + 2,
            hidden = cszi_hf_number(r, CSZI_HF_HIDDEN);
    cszi_hf_put(r, CSZI_HF_POSITIONS, rows, CSZI_HF_POSITIONS);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, rows, hidden);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, 2 + 2 * cszi_hf_number(r, CSZI_HF_FINAL_NORM), hidden);
    return add_decoder(r, 0.5); /* a text and what replaces it */
}

/* Whisper: two convolutions before the encoder, whose positions are a stored table; keys have no
 * bias. */
static const cszi_hf_key whisper[] = {SIDES,
                                      K("max_target_positions", POSITIONS, ELSE, 448),
                                      K("max_source_positions", SECOND_POSITIONS, ELSE, 1500),
                                      K("num_mel_bins", CHANNELS, ELSE, 80),
                                      SET(ATTENTION_BIAS, 1),
                                      SET(MLP_BIAS, 1)};

static csz_status derive_whisper(cszi_hf_reader *r)
{
    int64_t hidden = cszi_hf_number(r, CSZI_HF_HIDDEN), taps = 3,
            source = cszi_hf_number(r, CSZI_HF_SECOND_POSITIONS),
            target = cszi_hf_number(r, CSZI_HF_POSITIONS);
    double share = (double)source / (double)(source + target);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, taps * cszi_hf_number(r, CSZI_HF_CHANNELS), hidden);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, cszi_hf_product(taps, hidden), hidden);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, 2 + 2, hidden); /* their biases, the encoder's norm */
    cszi_hf_add_extra(r, CSZI_HF_EXTRA, source, hidden);
    cszi_hf_add_extra(r, CSZI_HF_EXTRA_LAYER, 2, hidden); /* biases of queries and values */
    cszi_hf_add_extra(r, CSZI_HF_EXTRA_DECODER, 2, hidden);
    if (!(share > 0 && share < 1))
        return cszi_json_fail(&r->json, cszi_hf_place(r, CSZI_HF_SECOND_POSITIONS), CSZ_ERR_RANGE,
                              CSZ_WORKLOAD_TOKEN_SHARE,
                              "max_source_positions and max_target_positions must be above 0");
    return add_decoder(r, share);
}

const cszi_hf_type cszi_hf_encoders[] = {
    TYPE("bert", bert, derive_bert),
    TYPE("roberta", bert, derive_bert),
    TYPE("xlm-roberta", bert, derive_bert),
    TYPE("camembert", bert, derive_bert),
    TYPE("layoutlm", layoutlm, derive_bert),
    TYPE("distilbert", distilbert, NULL),
    TYPE("vit", vit, derive_vit),
    TYPE("deit", vit, derive_deit),
    TYPE("t5", t5, derive_t5),
    TYPE("mt5", t5, derive_t5),
    TYPE("umt5", t5, derive_umt5),
    TYPE("bart", bart, derive_bart),
    TYPE("mbart", mbart, derive_bart),
    TYPE("whisper", whisper, derive_whisper),
};

const size_t cszi_hf_encoders_count = COUNT(cszi_hf_encoders);
