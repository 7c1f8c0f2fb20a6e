/* deepspeed.c: the job of a DeepSpeed configuration. Keys, meanings and defaults: DeepSpeed
 * Configuration JSON (docs/_pages/config-json.md, 2026-08). */
#include "workload/deepspeed.h"

#include <string.h>

#define KEY_CAPACITY 64
#define NAME_CAPACITY 24 /* a longer name is none of the tables */

typedef struct reader {
    cszi_json json;
    cszi_json_value root;
    cszi_workload *workload;
} reader;

/* ---- Members ---- */

csz_status cszi_deepspeed_open(cszi_json *json, const char *text, size_t length, cszi_error *error,
                               cszi_json_value *root)
{
    csz_status status = cszi_json_open(json, text, length, 1, error, root);
    if (status != CSZ_OK || cszi_json_type_of(json, *root) == CSZI_JSON_OBJECT)
        return status;
    return cszi_json_fail(json, *root, CSZ_ERR_TYPE, CSZ_FIELD_NONE, "must be an object, not %s",
                          cszi_json_type_name(cszi_json_type_of(json, *root)));
}

/* One step of a path. */
static csz_status find_key(const cszi_json *json, const char *path, size_t length,
                           cszi_json_value *value, int *found)
{
    char key[KEY_CAPACITY];
    cszi_json_value object = *value;
    if (cszi_json_type_of(json, object) != CSZI_JSON_OBJECT)
        return cszi_json_fail(json, object, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "must be an object, not %s",
                              cszi_json_type_name(cszi_json_type_of(json, object)));
    memcpy(key, path, length); /* every path is a constant of the readers */
    key[length] = '\0';
    return cszi_json_find(json, object, key, value, found);
}

static csz_status find_path(const cszi_json *json, cszi_json_value root, const char *path,
                            cszi_json_value *value, int *found, int *is_auto)
{
    *value = root;
    *is_auto = 0;
    for (*found = 1; *found && path != NULL;) {
        const char *dot = strchr(path, '.');
        csz_status status =
            find_key(json, path, dot != NULL ? (size_t)(dot - path) : strlen(path), value, found);
        if (status != CSZ_OK)
            return status;
        path = dot != NULL ? dot + 1 : NULL;
        *is_auto = *found && cszi_json_type_of(json, *value) == CSZI_JSON_STRING &&
                   cszi_json_equals(json, *value, "auto");
        if (*found && (*is_auto || cszi_json_type_of(json, *value) == CSZI_JSON_NULL))
            *found = 0;
    }
    return CSZ_OK;
}

csz_status cszi_deepspeed_find(const cszi_json *json, cszi_json_value root, const char *path,
                               cszi_json_value *value, int *found)
{
    int is_auto;
    return find_path(json, root, path, value, found, &is_auto);
}

csz_status cszi_deepspeed_count(const cszi_json *json, cszi_json_value root, const char *path,
                                csz_field field, int64_t *number, int *given)
{
    cszi_json_value value;
    csz_status status = cszi_deepspeed_find(json, root, path, &value, given);
    if (status != CSZ_OK || !*given)
        return status;
    status = cszi_json_i64(json, value, number);
    if (status != CSZ_OK && json->error != NULL)
        json->error->field = field;
    if (status == CSZ_OK && *number < 0)
        return cszi_json_fail(json, value, CSZ_ERR_RANGE, field, "%lld is less than 0",
                              (long long)*number);
    return status;
}

csz_status cszi_deepspeed_flag(const cszi_json *json, cszi_json_value root, const char *path,
                               csz_field field, int *on, int *given)
{
    cszi_json_value value;
    cszi_json_type type;
    csz_status status = cszi_deepspeed_find(json, root, path, &value, given);
    if (status != CSZ_OK || !*given)
        return status;
    type = cszi_json_type_of(json, value);
    if (type != CSZI_JSON_TRUE && type != CSZI_JSON_FALSE)
        return cszi_json_fail(json, value, CSZ_ERR_TYPE, field, "must be true or false, not %s",
                              cszi_json_type_name(type));
    *on = type == CSZI_JSON_TRUE;
    return CSZ_OK;
}

static void set(reader *r, csz_field field, int64_t number)
{
    (void)cszi_field_set_i64(&cszi_workload_table, r->workload,
                             cszi_table_row(&cszi_workload_table, field), 0, number, NULL);
}

/* ---- Names ---- */

/* In lower case, as DeepSpeed compares them; empty when it is longer than any that is known. */
static void read_name(const reader *r, cszi_json_value value, char name[NAME_CAPACITY])
{
    if (cszi_json_string(&r->json, value, name, NAME_CAPACITY) >= NAME_CAPACITY)
        name[0] = '\0';
    for (char *c = name; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c + ('a' - 'A'));
}

/* One of a list of names, or an error that has them all; field only labels it. */
static csz_status read_choice(const reader *r, cszi_json_value value, const cszi_choice *choices,
                              csz_field field, int64_t *number)
{
    char name[NAME_CAPACITY], known[160];
    cszi_out out = cszi_out_open(known, sizeof known);
    if (cszi_json_type_of(&r->json, value) != CSZI_JSON_STRING)
        return cszi_json_fail(&r->json, value, CSZ_ERR_TYPE, field, "must be a string, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, value)));
    read_name(r, value, name);
    for (const cszi_choice *c = choices; c->name != NULL; c++) {
        if (strcmp(name, c->name) == 0) {
            *number = c->value;
            return CSZ_OK;
        }
        cszi_out_format(&out, "%s%s", c == choices ? "" : ", ", c->name);
    }
    (void)cszi_out_close(&out);
    return cszi_json_fail(&r->json, value, CSZ_ERR_UNKNOWN, field,
                          "is not expressed by the fields; known: %s", known);
}

/* ---- The sections ---- */

static csz_status read_batch(reader *r)
{
    int64_t sequences = 0;
    int given;
    cszi_json_value value;
    csz_status status = cszi_deepspeed_count(&r->json, r->root, "train_batch_size",
                                             CSZ_WORKLOAD_GLOBAL_BATCH, &sequences, &given);
    if (status != CSZ_OK || !given)
        return status;
    (void)cszi_deepspeed_find(&r->json, r->root, "train_batch_size", &value, &given);
    if (sequences < 1 || sequences > 1073741824)
        return cszi_json_fail(&r->json, value, CSZ_ERR_RANGE, CSZ_WORKLOAD_GLOBAL_BATCH,
                              "%lld is not between 1 and 1073741824", (long long)sequences);
    cszi_field_unset(&cszi_workload_table, r->workload,
                     cszi_table_row(&cszi_workload_table, CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS));
    set(r, CSZ_WORKLOAD_GLOBAL_BATCH, sequences);
    return CSZ_OK;
}

static csz_status read_momentum(const reader *r, int *with)
{
    cszi_json_value value;
    double momentum = 0;
    int found;
    csz_status status =
        cszi_deepspeed_find(&r->json, r->root, "optimizer.params.momentum", &value, &found);
    if (status == CSZ_OK && found)
        status = cszi_json_f64(&r->json, value, &momentum);
    *with = momentum > 0;
    return status;
}

/* PyTorch's SGD has no momentum unless it is given one. */
static csz_status read_optimizer(reader *r)
{
    static const cszi_choice names[] = {
        {CSZ_OPTIMIZER_ADAMW, "adam"}, {CSZ_OPTIMIZER_ADAMW, "adamw"}, {CSZ_OPTIMIZER_LION, "lion"},
        {CSZ_OPTIMIZER_MUON, "muon"},  {CSZ_OPTIMIZER_SGD, "sgd"},     {0, NULL}};
    cszi_json_value value;
    int64_t optimizer = CSZ_OPTIMIZER_ADAMW;
    int found, momentum = 0;
    csz_status status = cszi_deepspeed_find(&r->json, r->root, "optimizer.type", &value, &found);
    if (status != CSZ_OK || !found)
        return status;
    status = read_choice(r, value, names, CSZ_WORKLOAD_OPTIMIZER, &optimizer);
    if (status == CSZ_OK && optimizer == CSZ_OPTIMIZER_SGD)
        status = read_momentum(r, &momentum);
    if (status == CSZ_OK)
        set(r, CSZ_WORKLOAD_OPTIMIZER, momentum ? CSZ_OPTIMIZER_MOMENTUM : optimizer);
    return status;
}

/* A switch that changes the formats in a way that no field tells. */
static csz_status refuse(const reader *r, const char *path)
{
    int on = 0, given;
    cszi_json_value value;
    csz_status status = cszi_deepspeed_flag(&r->json, r->root, path, CSZ_FIELD_NONE, &on, &given);
    if (status != CSZ_OK || !given || !on)
        return status;
    (void)cszi_deepspeed_find(&r->json, r->root, path, &value, &given);
    return cszi_json_fail(&r->json, value, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                          "is not expressed by the fields");
}

/* Gradients are accumulated in the format of the weights, but in fp32 for bf16 without ZeRO
 * (deepspeed/runtime/engine.py, get_data_types). */
static csz_status set_formats(reader *r, int64_t format)
{
    int64_t stage = 0;
    int given;
    csz_status status = cszi_deepspeed_count(&r->json, r->root, "zero_optimization.stage",
                                             CSZ_PLAN_SHARDING, &stage, &given);
    if (status != CSZ_OK)
        return status;
    set(r, CSZ_WORKLOAD_COMPUTE_FORMAT, format);
    set(r, CSZ_WORKLOAD_WEIGHT_FORMAT, format);
    set(r, CSZ_WORKLOAD_ACTIVATION_FORMAT, format);
    set(r, CSZ_WORKLOAD_GRADIENT_FORMAT,
        format == CSZ_FORMAT_BF16 && stage == 0 ? CSZ_FORMAT_FP32 : format);
    set(r, CSZ_WORKLOAD_MASTER_FORMAT,
        format == CSZ_FORMAT_FP32 ? CSZ_FORMAT_NONE : CSZ_FORMAT_FP32);
    return CSZ_OK;
}

/* Master weights, gradients and moments in bf16: the switches of the section bf16. */
static csz_status read_bf16_states(reader *r)
{
    int masters = 0, states = 0, given;
    csz_status status = cszi_deepspeed_flag(&r->json, r->root, "bf16.bf16_master_weights_and_grads",
                                            CSZ_WORKLOAD_MASTER_FORMAT, &masters, &given);
    if (status == CSZ_OK)
        status = cszi_deepspeed_flag(&r->json, r->root, "bf16.bf16_optimizer_states",
                                     CSZ_WORKLOAD_STATE_FORMAT, &states, &given);
    if (status == CSZ_OK && masters)
        set(r, CSZ_WORKLOAD_MASTER_FORMAT, CSZ_FORMAT_BF16);
    if (status == CSZ_OK && states)
        set(r, CSZ_WORKLOAD_STATE_FORMAT, CSZ_FORMAT_BF16);
    return status;
}

/* The switch of a section: on, off, absent or left to the caller. */
typedef enum state { OFF, ON, ABSENT, AUTO } state;

static csz_status read_state(const reader *r, const char *path, state *is)
{
    cszi_json_value value;
    int on = 0, given, is_auto;
    csz_status status = find_path(&r->json, r->root, path, &value, &given, &is_auto);
    if (status == CSZ_OK)
        status =
            cszi_deepspeed_flag(&r->json, r->root, path, CSZ_WORKLOAD_COMPUTE_FORMAT, &on, &given);
    *is = is_auto ? AUTO : !given ? ABSENT : on ? ON : OFF;
    return status;
}

/* Off is the default of both: a file that says so of one and nothing of the other trains in fp32.
 * A file that says nothing, or "auto", leaves the formats to its caller. */
static csz_status read_precision(reader *r)
{
    state bf16 = ABSENT, fp16 = ABSENT;
    cszi_json_value value;
    int found;
    csz_status status = read_state(r, "bf16.enabled", &bf16);
    if (status == CSZ_OK && bf16 == ABSENT) /* the older name of the section */
        status = read_state(r, "bfloat16.enabled", &bf16);
    if (status == CSZ_OK)
        status = read_state(r, "fp16.enabled", &fp16);
    if (status != CSZ_OK)
        return status;
    if (bf16 == ON && fp16 == ON) {
        (void)cszi_deepspeed_find(&r->json, r->root, "fp16.enabled", &value, &found);
        return cszi_json_fail(&r->json, value, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_COMPUTE_FORMAT,
                              "fp16 and bf16 are both enabled");
    }
    if (bf16 == ON || fp16 == ON)
        status = set_formats(r, fp16 == ON ? CSZ_FORMAT_FP16 : CSZ_FORMAT_BF16);
    else if (bf16 != AUTO && fp16 != AUTO && (bf16 == OFF || fp16 == OFF))
        status = set_formats(r, CSZ_FORMAT_FP32);
    return status == CSZ_OK && bf16 == ON ? read_bf16_states(r) : status;
}

static csz_status read_gradients(reader *r)
{
    static const cszi_choice names[] = {
        {CSZ_FORMAT_FP32, "fp32"}, {CSZ_FORMAT_FP32, "float32"},  {CSZ_FORMAT_FP32, "float"},
        {CSZ_FORMAT_FP16, "fp16"}, {CSZ_FORMAT_FP16, "float16"},  {CSZ_FORMAT_FP16, "half"},
        {CSZ_FORMAT_BF16, "bf16"}, {CSZ_FORMAT_BF16, "bfloat16"}, {0, NULL}};
    cszi_json_value value;
    int64_t format = CSZ_FORMAT_FP32;
    int found;
    csz_status status =
        cszi_deepspeed_find(&r->json, r->root, "data_types.grad_accum_dtype", &value, &found);
    if (status != CSZ_OK || !found)
        return status;
    status = read_choice(r, value, names, CSZ_WORKLOAD_GRADIENT_FORMAT, &format);
    if (status == CSZ_OK)
        set(r, CSZ_WORKLOAD_GRADIENT_FORMAT, format);
    return status;
}

csz_status cszi_workload_load_deepspeed(cszi_workload *workload, const char *text, size_t length,
                                        cszi_error *error)
{
    reader r;
    csz_status status = cszi_deepspeed_open(&r.json, text, length, error, &r.root);
    r.workload = workload;
    if (status == CSZ_OK)
        status = read_batch(&r);
    if (status == CSZ_OK)
        status = read_optimizer(&r);
    if (status == CSZ_OK)
        status = refuse(&r, "amp.enabled");
    if (status == CSZ_OK)
        status = refuse(&r, "torch_autocast.enabled");
    if (status == CSZ_OK)
        status = refuse(&r, "fp16.fp16_master_weights_and_grads");
    if (status == CSZ_OK)
        status = read_precision(&r);
    return status == CSZ_OK ? read_gradients(&r) : status;
}
