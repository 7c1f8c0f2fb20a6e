/* hugging_face_blocks.c: block_configs, which describe the attention and the MLP of every layer
 * (Puzzle, arXiv 2411.19146; configuration_decilm.py beside Llama-3.3-Nemotron-Super). Each
 * distinct description is a layer kind. */
#include "workload/hugging_face_types.h"

#define ROUND_TO 256 /* of an MLP given as a multiple of hidden */
#define MLP_LIMIT 4194304

typedef struct block {
    int64_t attention; /* csz_attention; custom: one square matrix in its place */
    int64_t kv_heads;
    int64_t window;
    int64_t ffn;
    int64_t gated;
} block;

typedef struct list {
    block of[CSZI_KINDS];
    size_t count;
} list;

static csz_status count_in(const cszi_hf_reader *r, cszi_json_value object, const char *key,
                           cszi_json_value *place, int64_t *number)
{
    int found;
    csz_status status = cszi_hf_find_in(r, object, key, place, &found);
    if (status != CSZ_OK || !found)
        return status;
    status = cszi_json_i64(&r->json, *place, number);
    if (status == CSZ_OK && *number < 1)
        return cszi_json_fail(&r->json, *place, CSZ_ERR_RANGE, CSZ_FIELD_NONE,
                              "%lld is less than 1", (long long)*number);
    return status;
}

/* Parts that neither side may have. */
static csz_status refuse_part(const cszi_hf_reader *r, cszi_json_value object, const char *key)
{
    cszi_json_value value;
    int found;
    csz_status status = cszi_hf_find_in(r, object, key, &value, &found);
    if (status != CSZ_OK || !found || cszi_json_type_of(&r->json, value) == CSZI_JSON_FALSE)
        return status;
    return cszi_json_fail(&r->json, value, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                          "%s: the fields of a workload do not express it in single layers", key);
}

static csz_status read_heads(const cszi_hf_reader *r, cszi_json_value object, block *b)
{
    int64_t heads = cszi_hf_number(r, CSZI_HF_HEADS), group = 0;
    cszi_json_value place = object;
    csz_status status = count_in(r, object, "num_key_value_heads", &place, &b->kv_heads);
    if (status == CSZ_OK)
        status = count_in(r, object, "n_heads_in_group", &place, &group);
    if (status != CSZ_OK || group == 0)
        return status;
    if (heads % group != 0)
        return cszi_json_fail(&r->json, place, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_KV_HEADS,
                              "%lld heads in a group do not divide num_attention_heads %lld",
                              (long long)group, (long long)heads);
    b->kv_heads = heads / group;
    return CSZ_OK;
}

static csz_status read_attention(const cszi_hf_reader *r, cszi_json_value object, block *b)
{
    cszi_json_value place;
    int none = 0, linear = 0;
    csz_status status = cszi_hf_flag_in(r, object, "no_op", &none);
    if (status == CSZ_OK)
        status = cszi_hf_flag_in(r, object, "replace_with_linear", &linear);
    if (status == CSZ_OK)
        status = refuse_part(r, object, "mamba");
    if (status == CSZ_OK)
        status = refuse_part(r, object, "is_mamba");
    b->attention = none     ? CSZ_ATTENTION_NONE
                   : linear ? CSZ_ATTENTION_CUSTOM
                            : CSZ_ATTENTION_GROUPED;
    if (status != CSZ_OK || none || linear)
        return status;
    status = count_in(r, object, "window_length", &place, &b->window);
    return status == CSZ_OK ? read_heads(r, object, b) : status;
}

/* Two thirds of a multiple of hidden, rounded up. */
static csz_status read_multiple(const cszi_hf_reader *r, cszi_json_value object, block *b)
{
    cszi_json_value value;
    double factor, width;
    int found;
    csz_status status = cszi_hf_find_in(r, object, "ffn_mult", &value, &found);
    if (status == CSZ_OK && !found)
        return cszi_json_fail(&r->json, object, CSZ_ERR_MISSING, CSZ_WORKLOAD_FFN,
                              "ffn_mult (or intermediate_size): is missing");
    if (status == CSZ_OK)
        status = cszi_json_f64(&r->json, value, &factor);
    if (status != CSZ_OK)
        return status;
    width = 2 * factor * (double)cszi_hf_number(r, CSZI_HF_HIDDEN) / 3;
    if (!(width >= 1 && width <= MLP_LIMIT))
        return cszi_json_fail(&r->json, value, CSZ_ERR_RANGE, CSZ_WORKLOAD_FFN,
                              "%g gives no width of an MLP", factor);
    b->ffn = ((int64_t)width + ROUND_TO - 1) / ROUND_TO * ROUND_TO;
    return CSZ_OK;
}

/* One square matrix counts as a two-matrix MLP of half the width. */
static csz_status read_ffn(const cszi_hf_reader *r, cszi_json_value object, block *b)
{
    int64_t hidden = cszi_hf_number(r, CSZI_HF_HIDDEN);
    cszi_json_value place;
    int none = 0, linear = 0;
    csz_status status = cszi_hf_flag_in(r, object, "no_op", &none);
    if (status == CSZ_OK)
        status = cszi_hf_flag_in(r, object, "replace_with_linear", &linear);
    if (status == CSZ_OK)
        status = refuse_part(r, object, "moe");
    if (status != CSZ_OK || none)
        return status;
    if (linear && hidden % 2 != 0)
        return cszi_json_fail(&r->json, object, CSZ_ERR_UNKNOWN, CSZ_WORKLOAD_FFN,
                              "replace_with_linear: needs an even hidden_size");
    if (linear) {
        b->ffn = hidden / 2;
        b->gated = 0;
        return CSZ_OK;
    }
    status = count_in(r, object, "intermediate_size", &place, &b->ffn);
    return status == CSZ_OK && b->ffn == 0 ? read_multiple(r, object, b) : status;
}

/* A part of a block: an object, or absent with its usual meaning. */
static csz_status read_part(const cszi_hf_reader *r, cszi_json_value object, const char *key,
                            csz_status (*read)(const cszi_hf_reader *, cszi_json_value, block *),
                            block *b)
{
    cszi_json_value part;
    int found;
    csz_status status = cszi_hf_find_in(r, object, key, &part, &found);
    if (status != CSZ_OK)
        return status;
    if (!found)
        return cszi_json_fail(&r->json, object, CSZ_ERR_MISSING, CSZ_FIELD_NONE, "%s: is missing",
                              key);
    if (cszi_json_type_of(&r->json, part) != CSZI_JSON_OBJECT)
        return cszi_json_fail(&r->json, part, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be an object, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, part)));
    return read(r, part, b);
}

static csz_status read_block(const cszi_hf_reader *r, cszi_json_value item, block *b)
{
    csz_status status;
    *b = (block){CSZ_ATTENTION_GROUPED, 0, 0, 0, 1};
    if (cszi_json_type_of(&r->json, item) != CSZI_JSON_OBJECT)
        return cszi_json_fail(&r->json, item, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be an object, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, item)));
    status = read_part(r, item, "attention", read_attention, b);
    return status == CSZ_OK ? read_part(r, item, "ffn", read_ffn, b) : status;
}

/* ---- Setting ---- */

static csz_status set_attention(const cszi_hf_reader *r, const block *b, size_t index,
                                cszi_json_value place)
{
    static const cszi_hf_slot shared[] = {CSZI_HF_HEADS, CSZI_HF_HEAD_DIM, CSZI_HF_QKV_BIAS,
                                          CSZI_HF_ATTENTION_BIAS};
    int64_t hidden = cszi_hf_number(r, CSZI_HF_HIDDEN);
    csz_status status = cszi_hf_set_field(r, CSZ_WORKLOAD_ATTENTION, index, b->attention, place);
    if (status == CSZ_OK && b->attention == CSZ_ATTENTION_CUSTOM)
        return cszi_hf_set_field(r, CSZ_WORKLOAD_CUSTOM_PARAMETERS, index,
                                 cszi_hf_product(hidden, hidden), place);
    if (b->attention != CSZ_ATTENTION_GROUPED)
        return status;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0] && status == CSZ_OK; i++)
        if (r->values[shared[i]].given)
            status = cszi_hf_set_field(r, cszi_hf_field(shared[i]), index,
                                       r->values[shared[i]].number, cszi_hf_place(r, shared[i]));
    if (status == CSZ_OK && b->kv_heads != 0)
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_KV_HEADS, index, b->kv_heads, place);
    if (status == CSZ_OK && b->window != 0)
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_SLIDING_WINDOW, index, b->window, place);
    return status;
}

/* Each part that is there has a norm. */
static csz_status set_block(const cszi_hf_reader *r, const block *b, size_t index,
                            cszi_json_value place)
{
    int64_t norms = (b->attention != CSZ_ATTENTION_NONE) + (b->ffn != 0);
    csz_status status = set_attention(r, b, index, place);
    if (status == CSZ_OK)
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_NORMS_PER_LAYER, index, norms, place);
    if (status == CSZ_OK)
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_FFN, index, b->ffn, place);
    if (status == CSZ_OK)
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_GATED_MLP, index, b->gated, place);
    if (status == CSZ_OK && cszi_hf_number(r, CSZI_HF_MLP_BIAS))
        status = cszi_hf_set_field(r, CSZ_WORKLOAD_MLP_BIAS, index, 1, place);
    return status;
}

static int same(const block *a, const block *b)
{
    return a->attention == b->attention && a->kv_heads == b->kv_heads && a->window == b->window &&
           a->ffn == b->ffn && a->gated == b->gated;
}

/* The number of a kind, which is set when it is new. */
static csz_status number_block(const cszi_hf_reader *r, list *kinds, const block *b,
                               cszi_json_value place, unsigned char *number)
{
    size_t i = 0;
    *number = CSZI_HF_NO_LAYER;
    if (b->attention == CSZ_ATTENTION_NONE && b->ffn == 0)
        return CSZ_OK;
    while (i < kinds->count && !same(&kinds->of[i], b))
        i++;
    if (i == CSZI_KINDS)
        return cszi_json_fail(&r->json, place, CSZ_ERR_LIMIT, CSZ_WORKLOAD_LAYER_KIND,
                              "block_configs: more than %d kinds of layers", CSZI_KINDS);
    *number = (unsigned char)i;
    if (i < kinds->count)
        return CSZ_OK;
    kinds->of[kinds->count++] = *b;
    return set_block(r, b, i, place);
}

csz_status cszi_hf_read_blocks(cszi_hf_reader *reader)
{
    cszi_json_value blocks, item;
    list kinds = {{{0, 0, 0, 0, 0}}, 0};
    size_t cursor = 0;
    int64_t layers = cszi_hf_number(reader, CSZI_HF_LAYERS_SLOT), count = 0;
    int found;
    block b;
    csz_status status = cszi_hf_find(reader, "block_configs", &blocks, &found);
    if (status == CSZ_OK && !found)
        return cszi_fail(reader->json.error, CSZ_ERR_MISSING, CSZ_WORKLOAD_LAYERS,
                         "block_configs: is missing, and model_type %s needs it",
                         reader->type->name);
    if (status == CSZ_OK && cszi_json_type_of(&reader->json, blocks) != CSZI_JSON_ARRAY)
        return cszi_json_fail(&reader->json, blocks, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be an array, not %s",
                              cszi_json_type_name(cszi_json_type_of(&reader->json, blocks)));
    while (status == CSZ_OK && cszi_json_next_element(&reader->json, blocks, &cursor, &item)) {
        if (count < layers)
            status = read_block(reader, item, &b);
        if (status == CSZ_OK && count < layers)
            status = number_block(reader, &kinds, &b, item, &reader->marks[count]);
        count++;
    }
    if (status == CSZ_OK && count != layers)
        return cszi_json_fail(&reader->json, blocks, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYERS,
                              "%lld items for a model of %lld layers", (long long)count,
                              (long long)layers);
    cszi_hf_put(reader, CSZI_HF_NUMBERED, 1, CSZI_HF_LAYERS_SLOT);
    return status;
}
