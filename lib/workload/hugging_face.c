/* hugging_face.c: reading a config.json by the table of its model_type. */
#include "workload/hugging_face.h"

#include <string.h>

#include "workload/hugging_face_types.h"

#define KEY_CAPACITY 64
#define NAME_SHOWN 40  /* bytes of an unknown model_type in its message */
#define PLACE_SHOWN 72 /* " at line 12345678, column 12345678 (path $.text_config.model_type)" */

/* How a slot is written in the file, and the least value of a slot that is no field. */
typedef enum slot_kind {
    KIND_COUNT,
    KIND_AUTO,    /* a count, or "auto" for what follows from others */
    KIND_PATTERN, /* a count, or a string that is read when layers are marked */
    KIND_FLAG,    /* true or false */
    KIND_FRACTION /* a probability: whether it is above 0 */
} slot_kind;

static const struct {
    csz_field field;
    slot_kind kind;
    int64_t least;
} slots[CSZI_HF_SLOTS] = {
    [CSZI_HF_HIDDEN] = {CSZ_WORKLOAD_HIDDEN, KIND_COUNT, 0},
    [CSZI_HF_VOCAB] = {CSZ_WORKLOAD_VOCAB, KIND_COUNT, 0},
    [CSZI_HF_POSITIONS] = {CSZ_WORKLOAD_LEARNED_POSITIONS, KIND_COUNT, 0},
    [CSZI_HF_TIED] = {CSZ_WORKLOAD_TIED_EMBEDDINGS, KIND_FLAG, 0},
    [CSZI_HF_NORM] = {CSZ_WORKLOAD_NORM, KIND_COUNT, 0},
    [CSZI_HF_HEAD_BIAS] = {CSZ_WORKLOAD_HEAD_BIAS, KIND_FLAG, 0},
    [CSZI_HF_EMBEDDING_NORM] = {CSZ_WORKLOAD_EMBEDDING_NORM, KIND_FLAG, 0},
    [CSZI_HF_PREDICTION] = {CSZ_WORKLOAD_PREDICTION_LAYERS, KIND_COUNT, 0},
    [CSZI_HF_OUTPUT_LAYER] = {CSZ_WORKLOAD_OUTPUT_LAYER, KIND_FLAG, 0},
    [CSZI_HF_EMBEDDING_WIDTH] = {CSZ_WORKLOAD_EMBEDDING_WIDTH, KIND_COUNT, 1},
    [CSZI_HF_FINAL_NORM] = {CSZ_WORKLOAD_FINAL_NORM, KIND_FLAG, 0},
    [CSZI_HF_EXTRA] = {CSZ_WORKLOAD_EXTRA_PARAMETERS, KIND_COUNT, 0},
    [CSZI_HF_DROPOUT] = {CSZ_WORKLOAD_DROPOUT, KIND_FRACTION, 0},
    [CSZI_HF_ATTENTION] = {CSZ_WORKLOAD_ATTENTION, KIND_COUNT, 0},
    [CSZI_HF_HEADS] = {CSZ_WORKLOAD_HEADS, KIND_COUNT, 0},
    [CSZI_HF_KV_HEADS] = {CSZ_WORKLOAD_KV_HEADS, KIND_COUNT, 0},
    [CSZI_HF_HEAD_DIM] = {CSZ_WORKLOAD_HEAD_DIM, KIND_COUNT, 0},
    [CSZI_HF_QUERY_RANK] = {CSZ_WORKLOAD_QUERY_RANK, KIND_COUNT, 0},
    [CSZI_HF_KV_RANK] = {CSZ_WORKLOAD_KV_RANK, KIND_COUNT, 0},
    [CSZI_HF_NOPE_DIM] = {CSZ_WORKLOAD_NOPE_DIM, KIND_COUNT, 0},
    [CSZI_HF_ROPE_DIM] = {CSZ_WORKLOAD_ROPE_DIM, KIND_COUNT, 0},
    [CSZI_HF_VALUE_DIM] = {CSZ_WORKLOAD_VALUE_DIM, KIND_COUNT, 0},
    [CSZI_HF_QKV_BIAS] = {CSZ_WORKLOAD_QKV_BIAS, KIND_FLAG, 0},
    [CSZI_HF_ATTENTION_BIAS] = {CSZ_WORKLOAD_ATTENTION_BIAS, KIND_FLAG, 0},
    [CSZI_HF_QK_NORM] = {CSZ_WORKLOAD_QK_NORM, KIND_COUNT, 0},
    [CSZI_HF_SINKS] = {CSZ_WORKLOAD_ATTENTION_SINKS, KIND_FLAG, 0},
    [CSZI_HF_CAUSAL] = {CSZ_WORKLOAD_CAUSAL, KIND_FLAG, 0},
    [CSZI_HF_QUERY_GATE] = {CSZ_WORKLOAD_QUERY_GATE, KIND_FLAG, 0},
    [CSZI_HF_GATED] = {CSZ_WORKLOAD_GATED_MLP, KIND_FLAG, 0},
    [CSZI_HF_NORMS] = {CSZ_WORKLOAD_NORMS_PER_LAYER, KIND_COUNT, 0},
    [CSZI_HF_WINDOW] = {CSZ_WORKLOAD_SLIDING_WINDOW, KIND_COUNT, 0},
    [CSZI_HF_WINDOW_HEADS] = {CSZ_WORKLOAD_HEADS, KIND_COUNT, 1},
    [CSZI_HF_WINDOW_KV_HEADS] = {CSZ_WORKLOAD_KV_HEADS, KIND_COUNT, 1},
    [CSZI_HF_MIXER] = {CSZ_WORKLOAD_ATTENTION, KIND_COUNT, 0},
    [CSZI_HF_STATE_SIZE] = {CSZ_WORKLOAD_STATE_SIZE, KIND_COUNT, 1},
    [CSZI_HF_STATE_INNER] = {CSZ_WORKLOAD_STATE_INNER, KIND_COUNT, 1},
    [CSZI_HF_STATE_RANK] = {CSZ_WORKLOAD_STATE_RANK, KIND_AUTO, 1},
    [CSZI_HF_STATE_HEADS] = {CSZ_WORKLOAD_STATE_HEADS, KIND_COUNT, 1},
    [CSZI_HF_STATE_HEAD_DIM] = {CSZ_WORKLOAD_STATE_HEAD_DIM, KIND_AUTO, 1},
    [CSZI_HF_STATE_GROUPS] = {CSZ_WORKLOAD_STATE_GROUPS, KIND_COUNT, 1},
    [CSZI_HF_STATE_NORMS] = {CSZ_WORKLOAD_STATE_NORMS, KIND_FLAG, 0},
    [CSZI_HF_KEY_HEADS] = {CSZ_WORKLOAD_KEY_HEADS, KIND_COUNT, 1},
    [CSZI_HF_KEY_DIM] = {CSZ_WORKLOAD_KEY_DIM, KIND_COUNT, 1},
    [CSZI_HF_CONVOLUTION] = {CSZ_WORKLOAD_CONVOLUTION, KIND_COUNT, 0},
    [CSZI_HF_CONVOLUTION_BIAS] = {CSZ_WORKLOAD_CONVOLUTION_BIAS, KIND_FLAG, 0},
    [CSZI_HF_FFN] = {CSZ_WORKLOAD_FFN, KIND_COUNT, 0},
    [CSZI_HF_MLP_BIAS] = {CSZ_WORKLOAD_MLP_BIAS, KIND_FLAG, 0},
    [CSZI_HF_EXPERTS] = {CSZ_WORKLOAD_EXPERTS, KIND_COUNT, 0},
    [CSZI_HF_TOPK] = {CSZ_WORKLOAD_EXPERTS_PER_TOKEN, KIND_COUNT, 0},
    [CSZI_HF_EXPERT_FFN] = {CSZ_WORKLOAD_EXPERT_FFN, KIND_COUNT, 0},
    [CSZI_HF_EXPERT_LATENT] = {CSZ_WORKLOAD_EXPERT_WIDTH, KIND_COUNT, 1},
    [CSZI_HF_SHARED_FFN] = {CSZ_WORKLOAD_SHARED_FFN, KIND_COUNT, 0},
    [CSZI_HF_SHARED_GATE] = {CSZ_WORKLOAD_SHARED_GATE, KIND_FLAG, 0},
    [CSZI_HF_ROUTER_BIAS] = {CSZ_WORKLOAD_ROUTER_BIAS, KIND_FLAG, 0},
    [CSZI_HF_EXPERT_BIAS] = {CSZ_WORKLOAD_EXPERT_BIAS, KIND_FLAG, 0},
    [CSZI_HF_GROUPS_CHOSEN] = {CSZ_WORKLOAD_ROUTER_GROUPS_CHOSEN, KIND_COUNT, 1},
    [CSZI_HF_GROUPS] = {CSZ_WORKLOAD_ROUTER_GROUPS, KIND_COUNT, 0},
    [CSZI_HF_LAYERS_SLOT] = {CSZ_WORKLOAD_LAYERS, KIND_COUNT, 1},
    [CSZI_HF_MOE_FROM] = {CSZ_FIELD_NONE, KIND_COUNT, 0},
    [CSZI_HF_MOE_TO] = {CSZ_FIELD_NONE, KIND_COUNT, -1},
    [CSZI_HF_MOE_FREQ] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
    [CSZI_HF_MOE_OFFSET] = {CSZ_FIELD_NONE, KIND_COUNT, 0},
    [CSZI_HF_MOE_STEP] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
    [CSZI_HF_WINDOW_ON] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_WINDOW_FROM] = {CSZ_FIELD_NONE, KIND_COUNT, 0},
    [CSZI_HF_WINDOW_PATTERN] = {CSZ_FIELD_NONE, KIND_PATTERN, 1},
    [CSZI_HF_WINDOW_STEP] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
    [CSZI_HF_BLOCKS] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_NAMED] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_FULL_EVERY] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
    [CSZI_HF_FULL_PERIOD] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
    [CSZI_HF_FULL_OFFSET] = {CSZ_FIELD_NONE, KIND_COUNT, 0},
    [CSZI_HF_DECODER] = {CSZ_WORKLOAD_LAYERS, KIND_COUNT, 1},
    [CSZI_HF_NUMBERED] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_EXTRA_LAYER] = {CSZ_WORKLOAD_EXTRA_PARAMETERS, KIND_COUNT, 0},
    [CSZI_HF_EXTRA_MIXER] = {CSZ_WORKLOAD_EXTRA_PARAMETERS, KIND_COUNT, 0},
    [CSZI_HF_EXTRA_WINDOW] = {CSZ_WORKLOAD_EXTRA_PARAMETERS, KIND_COUNT, 0},
    [CSZI_HF_EXTRA_DECODER] = {CSZ_WORKLOAD_EXTRA_PARAMETERS, KIND_COUNT, 0},
    [CSZI_HF_CHUNKED] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_SHARED_EXPERTS] = {CSZ_WORKLOAD_SHARED_FFN, KIND_COUNT, 0},
    [CSZI_HF_QK_NORM_HEAD] = {CSZ_WORKLOAD_QK_NORM, KIND_FLAG, 0},
    [CSZI_HF_QK_NORM_FULL] = {CSZ_WORKLOAD_QK_NORM, KIND_FLAG, 0},
    [CSZI_HF_GROUP_COUNT] = {CSZ_WORKLOAD_KV_HEADS, KIND_COUNT, 1},
    [CSZI_HF_MULTI_QUERY] = {CSZ_WORKLOAD_KV_HEADS, KIND_FLAG, 0},
    [CSZI_HF_NEW_DECODER] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_PARALLEL] = {CSZ_WORKLOAD_NORMS_PER_LAYER, KIND_FLAG, 0},
    [CSZI_HF_NORM_COUNT] = {CSZ_WORKLOAD_NORMS_PER_LAYER, KIND_COUNT, 1},
    [CSZI_HF_NO_BIAS] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_ALIBI] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_EXPANSION] = {CSZ_WORKLOAD_FFN, KIND_COUNT, 1},
    [CSZI_HF_PROJECTION] = {CSZ_WORKLOAD_EMBEDDING_WIDTH, KIND_COUNT, 1},
    [CSZI_HF_PROJECTION_BIAS] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_TOKEN_TYPES] = {CSZ_WORKLOAD_EXTRA_PARAMETERS, KIND_COUNT, 0},
    [CSZI_HF_SECOND_POSITIONS] = {CSZ_WORKLOAD_EXTRA_PARAMETERS, KIND_COUNT, 0},
    [CSZI_HF_IMAGE] = {CSZ_WORKLOAD_LEARNED_POSITIONS, KIND_COUNT, 1},
    [CSZI_HF_PATCH] = {CSZ_WORKLOAD_VOCAB, KIND_COUNT, 1},
    [CSZI_HF_CHANNELS] = {CSZ_WORKLOAD_VOCAB, KIND_COUNT, 1},
    [CSZI_HF_HEAD_GATE] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_ROUND_TO] = {CSZ_WORKLOAD_FFN, KIND_COUNT, 1},
    [CSZI_HF_SWITCH] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
};

csz_field cszi_hf_field(cszi_hf_slot slot)
{
    return slots[slot].field;
}

cszi_json_value cszi_hf_place(const cszi_hf_reader *reader, cszi_hf_slot slot)
{
    cszi_json_value place = {reader->values[slot].begin, reader->values[slot].end};
    return place;
}

/* ---- Finding keys ---- */

/* A member that is there and not null. */
static csz_status find_member(const cszi_json *json, cszi_json_value object, const char *key,
                              size_t length, cszi_json_value *value, int *found, int *is_null)
{
    char name[KEY_CAPACITY];
    csz_status status;
    if (length >= sizeof name) /* no key of the tables is so long */
        length = sizeof name - 1;
    memcpy(name, key, length);
    name[length] = '\0';
    status = cszi_json_find(json, object, name, value, found);
    if (status == CSZ_OK && *found && cszi_json_type_of(json, *value) == CSZI_JSON_NULL) {
        *found = 0;
        *is_null = 1;
    }
    return status;
}

csz_status cszi_hf_find_in(const cszi_hf_reader *reader, cszi_json_value object, const char *key,
                           cszi_json_value *value, int *found)
{
    int is_null;
    return find_member(&reader->json, object, key, strlen(key), value, found, &is_null);
}

static csz_status find_path(const cszi_hf_reader *r, const char *key, size_t length,
                            cszi_json_value *value, int *found, int *is_null)
{
    const char *dot = memchr(key, '.', length);
    cszi_json_value inner;
    csz_status status;
    if (dot == NULL)
        return find_member(&r->json, r->model, key, length, value, found, is_null);
    status = find_member(&r->json, r->model, key, (size_t)(dot - key), &inner, found, is_null);
    if (status != CSZ_OK || !*found)
        return status;
    return find_member(&r->json, inner, dot + 1, length - (size_t)(dot - key) - 1, value, found,
                       is_null);
}

csz_status cszi_hf_find(const cszi_hf_reader *reader, const char *key, cszi_json_value *value,
                        int *found)
{
    int is_null;
    return find_path(reader, key, strlen(key), value, found, &is_null);
}

/* ---- One value ---- */

static csz_status wrong_type(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot,
                             const char *wanted)
{
    return cszi_json_fail(&r->json, value, CSZ_ERR_TYPE, slots[slot].field, "must be %s, not %s",
                          wanted, cszi_json_type_name(cszi_json_type_of(&r->json, value)));
}

csz_status cszi_hf_too_many(const cszi_hf_reader *reader, int64_t layers, cszi_json_value place)
{
    return cszi_json_fail(&reader->json, place, CSZ_ERR_LIMIT, CSZ_WORKLOAD_LAYERS,
                          "%lld layers, at most %d are read", (long long)layers, CSZI_HF_LAYERS);
}

static csz_status read_number(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot,
                              int64_t *number)
{
    csz_status status;
    if (cszi_json_type_of(&r->json, value) != CSZI_JSON_NUMBER)
        return wrong_type(r, value, slot, "a number");
    status = cszi_json_i64(&r->json, value, number);
    if (status != CSZ_OK && r->json.error != NULL)
        r->json.error->field = slots[slot].field;
    if (status == CSZ_OK && *number < slots[slot].least)
        return cszi_json_fail(&r->json, value, CSZ_ERR_RANGE, slots[slot].field,
                              "%lld is less than %lld", (long long)*number,
                              (long long)slots[slot].least);
    if (status == CSZ_OK && slot == CSZI_HF_LAYERS_SLOT && *number > CSZI_HF_LAYERS)
        return cszi_hf_too_many(r, *number, value);
    return status;
}

/* A list with one number a layer, which must be the same for all. */
static csz_status read_equal(const cszi_hf_reader *r, cszi_json_value list, cszi_hf_slot slot,
                             int64_t *number)
{
    cszi_json_value item;
    size_t cursor = 0;
    int64_t one, count = 0;
    while (cszi_json_next_element(&r->json, list, &cursor, &item)) {
        csz_status status = read_number(r, item, slot, &one);
        if (status != CSZ_OK)
            return status;
        if (count++ > 0 && one != *number)
            return cszi_json_fail(&r->json, item, CSZ_ERR_UNKNOWN, slots[slot].field,
                                  "%lld after %lld: numbers that differ from layer to layer are "
                                  "not expressed by the fields of a workload",
                                  (long long)one, (long long)*number);
        *number = one;
    }
    return count > 0 ? CSZ_OK : wrong_type(r, list, slot, "a number");
}

static csz_status read_count(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot,
                             int64_t *number)
{
    int of_layers = slot >= CSZI_HF_ATTENTION && slot < CSZI_HF_LAYERS_SLOT;
    if ((of_layers || slot == CSZI_HF_SHARED_EXPERTS) &&
        cszi_json_type_of(&r->json, value) == CSZI_JSON_ARRAY)
        return read_equal(r, value, slot, number);
    return read_number(r, value, slot, number);
}

csz_status cszi_hf_text(const cszi_hf_reader *reader, cszi_json_value value)
{
    cszi_json_type type = cszi_json_type_of(&reader->json, value);
    if (type == CSZI_JSON_STRING)
        return CSZ_OK;
    return cszi_json_fail(&reader->json, value, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                          "must be a string, not %s", cszi_json_type_name(type));
}

csz_status cszi_hf_flag_in(const cszi_hf_reader *reader, cszi_json_value object, const char *key,
                           int *flag)
{
    cszi_json_value value;
    int found;
    csz_status status = cszi_hf_find_in(reader, object, key, &value, &found);
    cszi_json_type type;
    if (status != CSZ_OK || !found)
        return status;
    type = cszi_json_type_of(&reader->json, value);
    if (type != CSZI_JSON_TRUE && type != CSZI_JSON_FALSE)
        return cszi_json_fail(&reader->json, value, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be true or false, not %s", cszi_json_type_name(type));
    *flag = type == CSZI_JSON_TRUE;
    return CSZ_OK;
}

/* A word in place of a number: the number follows from others. */
static int is_word(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot)
{
    if (cszi_json_type_of(&r->json, value) != CSZI_JSON_STRING)
        return 0;
    return slots[slot].kind == KIND_PATTERN ||
           (slots[slot].kind == KIND_AUTO && cszi_json_equals(&r->json, value, "auto"));
}

static csz_status read_flag(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot,
                            int64_t *number)
{
    cszi_json_type type = cszi_json_type_of(&r->json, value);
    if (type != CSZI_JSON_TRUE && type != CSZI_JSON_FALSE)
        return wrong_type(r, value, slot, "true or false");
    *number = type == CSZI_JSON_TRUE;
    return CSZ_OK;
}

static csz_status read_fraction(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot,
                                int64_t *number)
{
    double real;
    csz_status status;
    if (cszi_json_type_of(&r->json, value) != CSZI_JSON_NUMBER)
        return wrong_type(r, value, slot, "a number");
    status = cszi_json_f64(&r->json, value, &real);
    if (status == CSZ_OK && !(real >= 0 && real <= 1))
        return cszi_json_fail(&r->json, value, CSZ_ERR_RANGE, slots[slot].field,
                              "%g is no probability", real);
    *number = real > 0;
    return status;
}

static csz_status read_value(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot,
                             int64_t *number)
{
    if (slots[slot].kind == KIND_FLAG)
        return read_flag(r, value, slot, number);
    if (slots[slot].kind == KIND_FRACTION)
        return read_fraction(r, value, slot, number);
    return read_count(r, value, slot, number);
}

/* ---- One row of the type's table ---- */

static csz_status missing(const cszi_hf_reader *r, const cszi_hf_key *k)
{
    cszi_out out = cszi_error_open(r->json.error, CSZ_ERR_MISSING, slots[k->slot].field);
    for (const char *c = k->key; *c != '\0'; c++) {
        if (*c == '|')
            cszi_out_text(&out, " (or ");
        else
            cszi_out_char(&out, *c);
    }
    cszi_out_format(&out, "%s: is missing, and model_type %s needs it",
                    strchr(k->key, '|') != NULL ? ")" : "", r->type->name);
    (void)cszi_out_close(&out);
    return CSZ_ERR_MISSING;
}

/* The value under the first name that is there; other names must not say otherwise. */
static csz_status read_names(cszi_hf_reader *r, const cszi_hf_key *k, int *is_null)
{
    cszi_hf_value *v = &r->values[k->slot];
    v->given = 0; /* several rows may share a slot: the later counts */
    for (const char *name = k->key; name != NULL;) {
        const char *bar = strchr(name, '|');
        cszi_json_value value;
        int64_t number = 0;
        int found;
        csz_status status = find_path(r, name, bar != NULL ? (size_t)(bar - name) : strlen(name),
                                      &value, &found, is_null);
        if (status == CSZ_OK && found && is_word(r, value, k->slot))
            found = 0;
        if (status == CSZ_OK && found)
            status = read_value(r, value, k->slot, &number);
        if (status != CSZ_OK)
            return status;
        if (found && v->given && number != v->number)
            return cszi_json_fail(&r->json, value, CSZ_ERR_CONFLICT, slots[k->slot].field,
                                  "%lld, but another name of the same thing says %lld",
                                  (long long)number, (long long)v->number);
        if (found && !v->given) {
            cszi_hf_value read = {number, (uint32_t)value.begin, (uint32_t)value.end, 1};
            *v = read;
        }
        name = bar != NULL ? bar + 1 : NULL;
    }
    return CSZ_OK;
}

/* What the configuration class says where a model within a model is silent. */
static int class_default(cszi_hf_reader *r, cszi_hf_slot slot)
{
    if (r->model.begin == r->root.begin)
        return 0;
    for (const cszi_hf_default *d = cszi_hf_defaults; d->type != NULL; d++) {
        if (d->slot == slot && strcmp(d->type, r->type->name) == 0) {
            cszi_hf_value v = {d->number, 0, 0, 1};
            r->values[slot] = v;
            return 1;
        }
    }
    return 0;
}

static csz_status read_row(cszi_hf_reader *r, const cszi_hf_key *k)
{
    cszi_hf_value *v = &r->values[k->slot], before = *v;
    cszi_hf_value initial = {k->initial, 0, 0, 1};
    int is_null = 0;
    csz_status status = k->key != NULL ? read_names(r, k, &is_null) : CSZ_OK;
    if (status != CSZ_OK)
        return status;
    if (k->key != NULL && v->given) {
        if (k->need == CSZI_HF_ONLY && v->number != k->initial)
            return cszi_json_fail(&r->json, cszi_hf_place(r, k->slot), CSZ_ERR_UNKNOWN,
                                  CSZ_FIELD_NONE, "%s: only %s can be expressed", k->key,
                                  k->initial ? "true" : "false");
        return CSZ_OK;
    }
    if (k->need == CSZI_HF_NEEDED || (k->need == CSZI_HF_NEEDED_OR_NULL && !is_null))
        return class_default(r, k->slot) ? CSZ_OK : missing(r, k);
    if (k->need == CSZI_HF_OVERRIDE)
        *v = before;
    if (k->need == CSZI_HF_FOUR_HIDDEN)
        cszi_hf_put(r, k->slot, 4 * cszi_hf_number(r, CSZI_HF_HIDDEN), CSZI_HF_HIDDEN);
    else if (k->need == CSZI_HF_FIXED || k->need == CSZI_HF_ELSE ||
             (k->need == CSZI_HF_ELSE_UNLESS_NULL && !is_null))
        *v = initial;
    return CSZ_OK;
}

/* A model within a model may leave the tying of its embeddings to the outer one. */
static csz_status inherit_tying(cszi_hf_reader *r)
{
    cszi_json_value value;
    cszi_hf_value *v = &r->values[CSZI_HF_TIED];
    int found, is_null;
    csz_status status;
    if (v->end != 0) /* read from the file */
        return CSZ_OK;
    status = find_member(&r->json, r->root, "tie_word_embeddings", strlen("tie_word_embeddings"),
                         &value, &found, &is_null);
    if (status != CSZ_OK || !found)
        return status;
    return read_flag(r, value, CSZI_HF_TIED, &v->number);
}

static csz_status read_rows(cszi_hf_reader *r)
{
    csz_status status = CSZ_OK;
    for (size_t i = 0; i < r->type->count && status == CSZ_OK; i++)
        status = read_row(r, &r->type->keys[i]);
    if (status == CSZ_OK)
        status = inherit_tying(r);
    return status;
}

/* ---- The model type ---- */

/* Lists as many known types as the message holds. */
static void list_types(cszi_out *out)
{
    size_t count = 0, shown = 0, reserve = sizeof " and 999 more";
    int room = 1;
    for (const cszi_hf_family *f = cszi_hf_families; f->types != NULL; f++) {
        for (size_t i = 0; i < *f->count; i++, count++) {
            const char *name = f->types[i].name;
            room = room && out->length + strlen(name) + 2 + reserve <= out->capacity;
            if (room)
                cszi_out_format(out, "%s%s", shown++ > 0 ? ", " : "", name);
        }
    }
    if (shown < count)
        cszi_out_format(out, " and %zu more", count - shown);
}

static csz_status unknown_type(const cszi_hf_reader *r, cszi_json_value type)
{
    char name[KEY_CAPACITY], message[CSZI_ERROR_CAPACITY - PLACE_SHOWN];
    size_t length = cszi_json_string(&r->json, type, name, sizeof name);
    cszi_out out = cszi_out_open(message, sizeof message);
    cszi_out_text(&out, "model_type ");
    cszi_out_quoted(&out, name, length < NAME_SHOWN ? length : NAME_SHOWN);
    for (const cszi_hf_refusal *refusal = cszi_hf_refused_types; refusal->name != NULL; refusal++) {
        if (cszi_json_equals(&r->json, type, refusal->name)) {
            cszi_out_format(&out, " has %s, which the fields of a workload do not express",
                            refusal->why);
            (void)cszi_out_close(&out);
            return cszi_json_fail(&r->json, type, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE, "%s", message);
        }
    }
    cszi_out_format(&out, "%s is not known; known: ", length < NAME_SHOWN ? "" : "...");
    list_types(&out);
    (void)cszi_out_close(&out);
    return cszi_json_fail(&r->json, type, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE, "%s", message);
}

static csz_status find_type(cszi_hf_reader *r)
{
    cszi_json_value type;
    int found, is_null;
    csz_status status = cszi_hf_find(r, "model_type", &type, &found);
    if (status == CSZ_OK && !found)
        status = find_member(&r->json, r->root, "model_type", strlen("model_type"), &type, &found,
                             &is_null);
    if (status != CSZ_OK)
        return status;
    if (!found)
        return cszi_fail(r->json.error, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
                         "model_type: is missing; a config.json names the architecture in it");
    if (cszi_json_type_of(&r->json, type) != CSZI_JSON_STRING)
        return cszi_json_fail(&r->json, type, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be a string, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, type)));
    for (const cszi_hf_family *f = cszi_hf_families; f->types != NULL; f++) {
        for (size_t i = 0; i < *f->count; i++) {
            if (cszi_json_equals(&r->json, type, f->types[i].name)) {
                r->type = &f->types[i];
                return CSZ_OK;
            }
        }
    }
    return unknown_type(r, type);
}

/* Follows text_config, or what others call it, to the language model of a larger one. */
static csz_status find_model(cszi_hf_reader *r)
{
    static const char *const names[] = {"thinker_config", "text_config", "llm_config",
                                        "language_config"};
    r->model = r->root;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cszi_json_value inner;
        int found;
        csz_status status = cszi_hf_find(r, names[i], &inner, &found);
        if (status != CSZ_OK)
            return status;
        if (found && cszi_json_type_of(&r->json, inner) != CSZI_JSON_OBJECT)
            return cszi_json_fail(&r->json, inner, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                                  "must be an object, not %s",
                                  cszi_json_type_name(cszi_json_type_of(&r->json, inner)));
        if (found)
            r->model = inner;
    }
    return CSZ_OK;
}

/* false, 0 and empty lists switch a part off. */
static int is_off(const cszi_hf_reader *r, cszi_json_value value)
{
    cszi_json_type type = cszi_json_type_of(&r->json, value);
    cszi_json_value item;
    size_t cursor = 0;
    if (type == CSZI_JSON_ARRAY)
        return !cszi_json_next_element(&r->json, value, &cursor, &item);
    return type == CSZI_JSON_FALSE || (type == CSZI_JSON_NUMBER && value.end - value.begin == 1 &&
                                       r->json.text[value.begin] == '0');
}

static csz_status refuse_keys(const cszi_hf_reader *r)
{
    for (const cszi_hf_refusal *refusal = cszi_hf_refused_keys; refusal->name != NULL; refusal++) {
        cszi_json_value value;
        int found;
        csz_status status = cszi_hf_find(r, refusal->name, &value, &found);
        if (status != CSZ_OK)
            return status;
        if (found && !is_off(r, value) &&
            (refusal->unless == CSZI_HF_SLOTS || !r->values[refusal->unless].given))
            return cszi_json_fail(
                &r->json, value, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                "%s: the model has %s, which the fields of a workload do not express",
                refusal->name, refusal->why);
    }
    return CSZ_OK;
}

static csz_status read_model(cszi_hf_reader *reader)
{
    csz_status status = read_rows(reader);
    if (status == CSZ_OK && reader->type->derive != NULL)
        status = reader->type->derive(reader);
    if (status == CSZ_OK)
        status = refuse_keys(reader);
    if (status == CSZ_OK && !reader->values[CSZI_HF_NUMBERED].given)
        status = cszi_hf_mark_layers(reader);
    if (status == CSZ_OK)
        status = cszi_hf_count_vision(reader);
    return status == CSZ_OK ? cszi_hf_set_fields(reader) : status;
}

csz_status cszi_workload_load_hugging_face(cszi_workload *workload, const char *text, size_t length,
                                           cszi_error *error)
{
    cszi_hf_reader r;
    csz_status status;
    memset(&r, 0, sizeof r);
    r.workload = workload;
    cszi_workload_clear_model(workload);
    status = cszi_json_open(&r.json, text, length, 1, error, &r.root);
    if (status == CSZ_OK)
        status = find_model(&r);
    if (status == CSZ_OK)
        status = find_type(&r);
    return status == CSZ_OK ? read_model(&r) : status;
}
