/* mistral.c: the model of a params.json. Keys: TransformerArgs and MoeArgs of
 * mistralai/mistral-inference; those of later models as vLLM translates them
 * (vllm/transformers_utils/configs/mistral.py at 01da88c5, 2026). */
#include "workload/mistral.h"

#include <string.h>

#include "base/checked.h"
#include "workload/layer_runs.h"

#define LAYERS_LIMIT 1024 /* most layers; at most CSZI_RUNS, so that every pattern has room */
#define KEY_CAPACITY 32

/* What a key gives. The order matters: each group is set together. */
typedef enum slot {
    HIDDEN,
    VOCAB,
    TIED,
    ATTENTION,
    HEADS,
    /* of grouped attention */
    KV_HEADS,
    HEAD_DIM,
    /* of latent attention */
    QUERY_RANK,
    KV_RANK,
    NOPE_DIM,
    ROPE_DIM,
    VALUE_DIM,
    /* of dense layers */
    FFN,
    /* of layers with experts */
    EXPERTS,
    TOPK,
    EXPERT_FFN,
    SHARED_FFN,
    GROUPS,
    /* of layers with a window */
    WINDOW,
    /* no fields */
    LAYERS,
    SHARED_EXPERTS,
    DENSE_LAYERS, /* the first ones */
    EVERY,        /* of layers 0, n, 2n: experts */
    BIASES,
    SLOTS
} slot;

typedef enum need { NEEDED, OPTIONAL, FLAG } need;

/* "a.b" is member b of the object a. */
static const struct {
    const char *key;
    slot at;
    need need;
    int64_t least;
} keys[] = {
    {"dim", HIDDEN, NEEDED, 1},
    {"vocab_size", VOCAB, NEEDED, 1},
    {"n_layers", LAYERS, NEEDED, 1},
    {"n_heads", HEADS, NEEDED, 1},
    {"hidden_dim", FFN, NEEDED, 1},
    {"n_kv_heads", KV_HEADS, OPTIONAL, 1},
    {"head_dim", HEAD_DIM, OPTIONAL, 1},
    {"tied_embeddings", TIED, FLAG, 0},
    {"use_biases", BIASES, FLAG, 0},
    {"q_lora_rank", QUERY_RANK, OPTIONAL, 0},
    {"kv_lora_rank", KV_RANK, OPTIONAL, 1},
    {"qk_nope_head_dim", NOPE_DIM, OPTIONAL, 1},
    {"qk_rope_head_dim", ROPE_DIM, OPTIONAL, 0},
    {"v_head_dim", VALUE_DIM, OPTIONAL, 1},
    {"moe.num_experts", EXPERTS, OPTIONAL, 0},
    {"moe.num_experts_per_tok", TOPK, OPTIONAL, 1},
    {"moe.expert_hidden_dim", EXPERT_FFN, OPTIONAL, 1},
    {"moe.num_shared_experts", SHARED_EXPERTS, OPTIONAL, 0},
    {"moe.first_k_dense_replace", DENSE_LAYERS, OPTIONAL, 0},
    {"moe.route_every_n", EVERY, OPTIONAL, 1},
    {"moe.num_expert_groups", GROUPS, OPTIONAL, 1},
};

static const csz_field fields[SLOTS] = {
    [HIDDEN] = CSZ_WORKLOAD_HIDDEN,
    [VOCAB] = CSZ_WORKLOAD_VOCAB,
    [TIED] = CSZ_WORKLOAD_TIED_EMBEDDINGS,
    [ATTENTION] = CSZ_WORKLOAD_ATTENTION,
    [HEADS] = CSZ_WORKLOAD_HEADS,
    [KV_HEADS] = CSZ_WORKLOAD_KV_HEADS,
    [HEAD_DIM] = CSZ_WORKLOAD_HEAD_DIM,
    [QUERY_RANK] = CSZ_WORKLOAD_QUERY_RANK,
    [KV_RANK] = CSZ_WORKLOAD_KV_RANK,
    [NOPE_DIM] = CSZ_WORKLOAD_NOPE_DIM,
    [ROPE_DIM] = CSZ_WORKLOAD_ROPE_DIM,
    [VALUE_DIM] = CSZ_WORKLOAD_VALUE_DIM,
    [FFN] = CSZ_WORKLOAD_FFN,
    [EXPERTS] = CSZ_WORKLOAD_EXPERTS,
    [TOPK] = CSZ_WORKLOAD_EXPERTS_PER_TOKEN,
    [EXPERT_FFN] = CSZ_WORKLOAD_EXPERT_FFN,
    [SHARED_FFN] = CSZ_WORKLOAD_SHARED_FFN,
    [GROUPS] = CSZ_WORKLOAD_ROUTER_GROUPS,
    [WINDOW] = CSZ_WORKLOAD_SLIDING_WINDOW,
    [LAYERS] = CSZ_WORKLOAD_LAYERS,
    [SHARED_EXPERTS] = CSZ_WORKLOAD_SHARED_FFN,
    [DENSE_LAYERS] = CSZ_WORKLOAD_LAYER_KIND,
    [EVERY] = CSZ_WORKLOAD_LAYER_KIND,
    [BIASES] = CSZ_WORKLOAD_QKV_BIAS,
};

#define MARK_EXPERTS 1u
#define MARK_WINDOW 2u

typedef struct value {
    int64_t number;
    cszi_json_value place; /* of a value that follows from others: of the one that it is about */
    int given;
} value;

typedef struct reader {
    cszi_workload *workload;
    cszi_json json;
    cszi_json_value root;
    value values[SLOTS];
    unsigned char marks[LAYERS_LIMIT];
} reader;

static int64_t number(const reader *r, slot at)
{
    return r->values[at].given ? r->values[at].number : 0;
}

static void put(reader *r, slot at, int64_t is, slot from)
{
    value v = {is, r->values[from].place, 1};
    r->values[at] = v;
}

/* ---- Keys ---- */

/* A member that is there and not null. */
static csz_status find(const reader *r, const char *key, cszi_json_value *at, int *found)
{
    const char *dot = strchr(key, '.');
    char outer[KEY_CAPACITY];
    cszi_json_value object = r->root;
    csz_status status = CSZ_OK;
    *found = 1;
    if (dot != NULL) {
        memcpy(outer, key, (size_t)(dot - key));
        outer[dot - key] = '\0';
        status = cszi_json_find(&r->json, r->root, outer, &object, found);
        if (status != CSZ_OK || !*found || cszi_json_type_of(&r->json, object) == CSZI_JSON_NULL) {
            *found = 0;
            return status;
        }
        if (cszi_json_type_of(&r->json, object) != CSZI_JSON_OBJECT)
            return cszi_json_fail(&r->json, object, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                                  "must be an object, not %s",
                                  cszi_json_type_name(cszi_json_type_of(&r->json, object)));
        key = dot + 1;
    }
    status = cszi_json_find(&r->json, object, key, at, found);
    if (status == CSZ_OK && *found && cszi_json_type_of(&r->json, *at) == CSZI_JSON_NULL)
        *found = 0;
    return status;
}

static csz_status read_number(const reader *r, cszi_json_value at, csz_field field, int64_t least,
                              int64_t *is)
{
    csz_status status = cszi_json_i64(&r->json, at, is);
    if (status != CSZ_OK && r->json.error != NULL)
        r->json.error->field = field;
    if (status == CSZ_OK && *is < least)
        return cszi_json_fail(&r->json, at, CSZ_ERR_RANGE, field, "%lld is less than %lld",
                              (long long)*is, (long long)least);
    return status;
}

static csz_status read_flag(const reader *r, cszi_json_value at, csz_field field, int64_t *is)
{
    cszi_json_type type = cszi_json_type_of(&r->json, at);
    if (type != CSZI_JSON_TRUE && type != CSZI_JSON_FALSE)
        return cszi_json_fail(&r->json, at, CSZ_ERR_TYPE, field, "must be true or false, not %s",
                              cszi_json_type_name(type));
    *is = type == CSZI_JSON_TRUE;
    return CSZ_OK;
}

static csz_status read_key(reader *r, size_t row)
{
    slot at = keys[row].at;
    value *v = &r->values[at];
    csz_status status = find(r, keys[row].key, &v->place, &v->given);
    if (status != CSZ_OK)
        return status;
    if (!v->given && keys[row].need == NEEDED)
        return cszi_fail(r->json.error, CSZ_ERR_MISSING, fields[at],
                         "%s: is missing, and a params.json needs it", keys[row].key);
    if (!v->given)
        return CSZ_OK;
    return keys[row].need == FLAG
               ? read_flag(r, v->place, fields[at], &v->number)
               : read_number(r, v->place, fields[at], keys[row].least, &v->number);
}

/* Of the values of model_type only "transformer" is read. */
static csz_status check_type(const reader *r)
{
    cszi_json_value at;
    int found;
    csz_status status = find(r, "model_type", &at, &found);
    if (status != CSZ_OK || !found)
        return status;
    if (cszi_json_type_of(&r->json, at) == CSZI_JSON_STRING &&
        cszi_json_equals(&r->json, at, "transformer"))
        return CSZ_OK;
    return cszi_json_fail(&r->json, at, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                          "is not expressed by the fields; known: transformer");
}

/* ---- What follows ---- */

/* The experts of Mixtral are as wide as hidden_dim; shared experts are one wide expert. */
static csz_status derive(reader *r)
{
    int64_t width = CSZI_COUNT_MAX;
    if (number(r, LAYERS) > LAYERS_LIMIT)
        return cszi_json_fail(&r->json, r->values[LAYERS].place, CSZ_ERR_LIMIT, CSZ_WORKLOAD_LAYERS,
                              "%lld layers, at most %d are read", (long long)number(r, LAYERS),
                              LAYERS_LIMIT);
    if (number(r, BIASES))
        return cszi_json_fail(&r->json, r->values[BIASES].place, CSZ_ERR_UNKNOWN,
                              CSZ_WORKLOAD_QKV_BIAS, "which biases is not known");
    if (number(r, KV_RANK) > 0)
        put(r, ATTENTION, CSZ_ATTENTION_LATENT, KV_RANK);
    if (number(r, EXPERTS) == 0)
        return CSZ_OK;
    if (!r->values[TOPK].given)
        return cszi_json_fail(&r->json, r->values[EXPERTS].place, CSZ_ERR_MISSING,
                              CSZ_WORKLOAD_EXPERTS_PER_TOKEN,
                              "moe.num_experts_per_tok: is missing beside num_experts");
    if (!r->values[EXPERT_FFN].given)
        put(r, EXPERT_FFN, number(r, FFN), FFN);
    if (number(r, SHARED_EXPERTS) > 0) {
        (void)cszi_multiply(number(r, SHARED_EXPERTS), number(r, EXPERT_FFN), &width);
        put(r, SHARED_FFN, width, SHARED_EXPERTS);
    }
    return CSZ_OK;
}

static void mark_experts(reader *r)
{
    int64_t every = r->values[EVERY].given ? number(r, EVERY) : 1;
    for (int64_t i = number(r, DENSE_LAYERS); i < number(r, LAYERS); i++)
        if (number(r, EXPERTS) > 0 && i % every == 0)
            r->marks[i] |= MARK_EXPERTS;
}

/* One window of a list: a number, or null for a layer without. All numbers are the same. */
static csz_status read_window(reader *r, cszi_json_value at, int64_t *window)
{
    csz_status status;
    *window = 0;
    if (cszi_json_type_of(&r->json, at) == CSZI_JSON_NULL)
        return CSZ_OK;
    status = read_number(r, at, CSZ_WORKLOAD_SLIDING_WINDOW, 1, window);
    if (status == CSZ_OK && r->values[WINDOW].given && *window != number(r, WINDOW))
        return cszi_json_fail(&r->json, at, CSZ_ERR_UNKNOWN, CSZ_WORKLOAD_SLIDING_WINDOW,
                              "windows of two sizes are not expressed by the fields");
    if (status == CSZ_OK) {
        value v = {*window, at, 1};
        r->values[WINDOW] = v;
    }
    return status;
}

/* A number is the window of every layer, a list the windows of a period of them. */
static csz_status mark_windows(reader *r)
{
    cszi_json_value list, item;
    size_t cursor = 0;
    int64_t layers = number(r, LAYERS), count = 0, window = 0;
    int found, single;
    csz_status status = find(r, "sliding_window", &list, &found);
    if (status != CSZ_OK || !found)
        return status;
    single = cszi_json_type_of(&r->json, list) != CSZI_JSON_ARRAY;
    for (item = list;
         status == CSZ_OK &&
         (single ? count == 0 : cszi_json_next_element(&r->json, list, &cursor, &item));
         count++) {
        status = read_window(r, item, &window);
        if (status == CSZ_OK && count < layers && window != 0)
            r->marks[count] |= MARK_WINDOW;
    }
    if (status == CSZ_OK && (count == 0 || layers % count != 0))
        return cszi_json_fail(&r->json, list, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYERS,
                              "%lld windows do not divide %lld layers", (long long)count,
                              (long long)layers);
    for (int64_t i = count; i < layers && status == CSZ_OK; i++)
        r->marks[i] = (unsigned char)(r->marks[i] | (r->marks[i - count] & MARK_WINDOW));
    return status;
}

/* ---- Setting ---- */

static csz_status set_field(reader *r, csz_field field, size_t index, int64_t is,
                            cszi_json_value place)
{
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    status = cszi_field_set_i64(&cszi_workload_table, r->workload,
                                cszi_table_row(&cszi_workload_table, field), index, is, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    return cszi_json_fail(&r->json, place, status, field, "%s", error.text);
}

static csz_status set_slots(reader *r, slot first, slot last, size_t index)
{
    csz_status status = CSZ_OK;
    for (int at = (int)first; at <= (int)last && status == CSZ_OK; at++)
        if (r->values[at].given)
            status = set_field(r, fields[at], index, r->values[at].number, r->values[at].place);
    return status;
}

static csz_status set_kind(reader *r, unsigned marks, size_t index)
{
    csz_status status = set_slots(r, ATTENTION, HEADS, index);
    if (status == CSZ_OK && r->values[ATTENTION].given)
        status = set_slots(r, QUERY_RANK, VALUE_DIM, index);
    else if (status == CSZ_OK)
        status = set_slots(r, KV_HEADS, HEAD_DIM, index);
    if (status == CSZ_OK && (marks & MARK_WINDOW) != 0)
        status = set_slots(r, WINDOW, WINDOW, index);
    if (status == CSZ_OK && (marks & MARK_EXPERTS) != 0)
        return set_slots(r, EXPERTS, GROUPS, index);
    return status == CSZ_OK ? set_slots(r, FFN, FFN, index) : status;
}

static csz_status set_layers(reader *r)
{
    cszi_json_value place = r->values[LAYERS].place;
    cszi_layer_runs runs;
    csz_status status = CSZ_OK;
    cszi_layer_runs_begin(&runs, r->marks, number(r, LAYERS));
    while (status == CSZ_OK && cszi_layer_runs_next(&runs)) {
        size_t run = (size_t)runs.run;
        if (runs.is_new)
            status = set_kind(r, r->marks[runs.end - 1], (size_t)runs.kind);
        if (status == CSZ_OK)
            status = set_field(r, CSZ_WORKLOAD_LAYERS, run, runs.count, place);
        if (status == CSZ_OK)
            status = set_field(r, CSZ_WORKLOAD_LAYER_KIND, run, runs.kind, place);
    }
    return status;
}

static csz_status read(reader *r)
{
    csz_status status = check_type(r);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && status == CSZ_OK; i++)
        status = read_key(r, i);
    if (status == CSZ_OK)
        status = derive(r);
    if (status != CSZ_OK)
        return status;
    mark_experts(r);
    status = mark_windows(r);
    if (status == CSZ_OK)
        status = set_slots(r, HIDDEN, TIED, 0);
    return status == CSZ_OK ? set_layers(r) : status;
}

csz_status cszi_workload_load_mistral(cszi_workload *workload, const char *text, size_t length,
                                      cszi_error *error)
{
    reader r;
    csz_status status;
    memset(&r, 0, sizeof r);
    r.workload = workload;
    cszi_workload_clear_model(workload);
    status = cszi_json_open(&r.json, text, length, 1, error, &r.root);
    if (status == CSZ_OK && cszi_json_type_of(&r.json, r.root) != CSZI_JSON_OBJECT)
        return cszi_json_fail(&r.json, r.root, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be an object, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r.json, r.root)));
    return status == CSZ_OK ? read(&r) : status;
}
