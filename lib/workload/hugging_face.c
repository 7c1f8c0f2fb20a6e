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
    [CSZI_HF_GATED] = {CSZ_WORKLOAD_GATED_MLP, KIND_FLAG, 0},
    [CSZI_HF_NORMS] = {CSZ_WORKLOAD_NORMS_PER_LAYER, KIND_COUNT, 0},
    [CSZI_HF_WINDOW] = {CSZ_WORKLOAD_SLIDING_WINDOW, KIND_COUNT, 0},
    [CSZI_HF_FFN] = {CSZ_WORKLOAD_FFN, KIND_COUNT, 0},
    [CSZI_HF_MLP_BIAS] = {CSZ_WORKLOAD_MLP_BIAS, KIND_FLAG, 0},
    [CSZI_HF_EXPERTS] = {CSZ_WORKLOAD_EXPERTS, KIND_COUNT, 0},
    [CSZI_HF_TOPK] = {CSZ_WORKLOAD_EXPERTS_PER_TOKEN, KIND_COUNT, 0},
    [CSZI_HF_EXPERT_FFN] = {CSZ_WORKLOAD_EXPERT_FFN, KIND_COUNT, 0},
    [CSZI_HF_SHARED_FFN] = {CSZ_WORKLOAD_SHARED_FFN, KIND_COUNT, 0},
    [CSZI_HF_SHARED_GATE] = {CSZ_WORKLOAD_SHARED_GATE, KIND_FLAG, 0},
    [CSZI_HF_ROUTER_BIAS] = {CSZ_WORKLOAD_ROUTER_BIAS, KIND_FLAG, 0},
    [CSZI_HF_EXPERT_BIAS] = {CSZ_WORKLOAD_EXPERT_BIAS, KIND_FLAG, 0},
    [CSZI_HF_GROUPS] = {CSZ_WORKLOAD_ROUTER_GROUPS, KIND_COUNT, 0},
    [CSZI_HF_LAYERS_SLOT] = {CSZ_WORKLOAD_LAYERS, KIND_COUNT, 1},
    [CSZI_HF_MOE_FROM] = {CSZ_FIELD_NONE, KIND_COUNT, 0},
    [CSZI_HF_MOE_FREQ] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
    [CSZI_HF_MOE_STEP] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
    [CSZI_HF_WINDOW_ON] = {CSZ_FIELD_NONE, KIND_FLAG, 0},
    [CSZI_HF_WINDOW_FROM] = {CSZ_FIELD_NONE, KIND_COUNT, 0},
    [CSZI_HF_WINDOW_PATTERN] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
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
    [CSZI_HF_PROJECTION] = {CSZ_FIELD_NONE, KIND_COUNT, 1},
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

static csz_status read_count(const cszi_hf_reader *r, cszi_json_value value, cszi_hf_slot slot,
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
        return cszi_json_fail(&r->json, value, CSZ_ERR_LIMIT, CSZ_WORKLOAD_LAYERS,
                              "%lld layers, at most %d are read", (long long)*number,
                              CSZI_HF_LAYERS);
    return status;
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

static csz_status read_row(cszi_hf_reader *r, const cszi_hf_key *k)
{
    cszi_hf_value *v = &r->values[k->slot];
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
        return missing(r, k);
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
    size_t i = 0, reserve = sizeof ", and 99 more";
    for (; i < cszi_hf_type_count; i++) {
        const char *name = cszi_hf_types[i].name;
        if (out->length + strlen(name) + 2 + reserve > out->capacity)
            break;
        cszi_out_format(out, "%s%s", i > 0 ? ", " : "", name);
    }
    if (i < cszi_hf_type_count)
        cszi_out_format(out, " and %zu more", cszi_hf_type_count - i);
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
    for (size_t i = 0; i < cszi_hf_type_count; i++) {
        if (cszi_json_equals(&r->json, type, cszi_hf_types[i].name)) {
            r->type = &cszi_hf_types[i];
            return CSZ_OK;
        }
    }
    return unknown_type(r, type);
}

/* Follows text_config to the language model of a larger one. */
static csz_status find_model(cszi_hf_reader *r)
{
    cszi_json_value inner;
    int found;
    csz_status status;
    r->model = r->root;
    status = cszi_hf_find(r, "text_config", &inner, &found);
    if (status != CSZ_OK || !found)
        return status;
    if (cszi_json_type_of(&r->json, inner) != CSZI_JSON_OBJECT)
        return cszi_json_fail(&r->json, inner, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be an object, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, inner)));
    r->model = inner;
    return CSZ_OK;
}

static csz_status refuse_keys(const cszi_hf_reader *r)
{
    for (const cszi_hf_refusal *refusal = cszi_hf_refused_keys; refusal->name != NULL; refusal++) {
        cszi_json_value value;
        int found;
        csz_status status = cszi_hf_find(r, refusal->name, &value, &found);
        if (status != CSZ_OK)
            return status;
        if (found)
            return cszi_json_fail(
                &r->json, value, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                "%s: the model has %s, which the fields of a workload do not express",
                refusal->name, refusal->why);
    }
    return CSZ_OK;
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
    if (status == CSZ_OK)
        status = refuse_keys(&r);
    if (status == CSZ_OK)
        status = read_rows(&r);
    if (status == CSZ_OK && r.type->derive != NULL)
        status = r.type->derive(&r);
    if (status == CSZ_OK)
        status = cszi_hf_mark_layers(&r);
    if (status == CSZ_OK)
        status = cszi_hf_set_fields(&r);
    return status;
}
