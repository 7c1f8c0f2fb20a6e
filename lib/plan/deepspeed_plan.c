/* deepspeed_plan.c: the plan of a DeepSpeed configuration. Keys, meanings and defaults: DeepSpeed
 * Configuration JSON (docs/_pages/config-json.md, 2026-08). */
#include "plan/deepspeed_plan.h"

#include "base/checked.h"
#include "workload/deepspeed.h"

typedef struct reader {
    cszi_json json;
    cszi_json_value root;
    cszi_plan *plan;
} reader;

/* ---- What cannot be expressed ---- */

/* Whether a value asks for nothing: false, 0 or 1 ranks. */
static csz_status is_idle(const reader *r, cszi_json_value value, int *idle)
{
    int64_t number = 0;
    csz_status status = CSZ_OK;
    *idle = cszi_json_type_of(&r->json, value) == CSZI_JSON_FALSE;
    if (cszi_json_type_of(&r->json, value) == CSZI_JSON_NUMBER) {
        status = cszi_json_i64(&r->json, value, &number);
        *idle = number <= 1;
    }
    return status;
}

static csz_status refuse_keys(const reader *r)
{
    static const struct {
        const char *path;
        const char *what;
    } keys[] = {
        {"zero_optimization.zero_hpz_partition_size", "a second partition of parameters"},
        {"zero_optimization.zero_quantized_weights", "quantized gathering"},
        {"zero_optimization.zero_quantized_gradients", "quantized reduction"},
        {"sequence_parallel_size", "sequence parallelism by all-to-all"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        cszi_json_value value;
        int found, idle = 1;
        csz_status status = cszi_deepspeed_find(&r->json, r->root, keys[i].path, &value, &found);
        if (status == CSZ_OK && found)
            status = is_idle(r, value, &idle);
        if (status != CSZ_OK)
            return status;
        if (!idle)
            return cszi_json_fail(&r->json, value, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                                  "%s: %s has no field; the plan cannot be expressed", keys[i].path,
                                  keys[i].what);
    }
    return CSZ_OK;
}

/* ---- What can ---- */

/* Sets a field from the value at a path, where a message about it points. */
static csz_status set_field(reader *r, const char *path, csz_field field, double number)
{
    cszi_error error;
    cszi_json_value value;
    csz_status status;
    int found;
    cszi_error_clear(&error);
    status = cszi_field_set_f64(&cszi_plan_table, r->plan, cszi_table_row(&cszi_plan_table, field),
                                0, number, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    (void)cszi_deepspeed_find(&r->json, r->root, path, &value, &found);
    return cszi_json_fail(&r->json, value, status, field, "%s", error.text);
}

static csz_status read_field(reader *r, const char *path, csz_field field, int64_t *number)
{
    int given;
    csz_status status = cszi_deepspeed_count(&r->json, r->root, path, field, number, &given);
    if (status != CSZ_OK || !given)
        return status;
    if (*number == 0 && field == CSZ_PLAN_TENSOR_PARALLEL) /* no tensor parallelism */
        return CSZ_OK;
    return set_field(r, path, field, (double)*number);
}

/* Buckets are counted in elements, here of 16 bit; the one of reduction stands for all. MiCS shares
 * states in groups; -1 is without (deepspeed/runtime/zero/config.py, edaa722). */
static csz_status read_groups(reader *r)
{
    static const char bucket[] = "zero_optimization.reduce_bucket_size",
                      group[] = "zero_optimization.mics_shard_size";
    cszi_json_value value;
    int64_t number = 0;
    int given = 0;
    csz_status status =
        cszi_deepspeed_count(&r->json, r->root, bucket, CSZ_PLAN_BUCKET, &number, &given);
    if (status == CSZ_OK && given)
        status = set_field(r, bucket, CSZ_PLAN_BUCKET, 2 * (double)number);
    if (status == CSZ_OK)
        status = cszi_deepspeed_find(&r->json, r->root, group, &value, &given);
    if (status != CSZ_OK || !given)
        return status;
    status = cszi_json_i64(&r->json, value, &number);
    return status == CSZ_OK && number > 0
               ? set_field(r, group, CSZ_PLAN_SHARD_GROUP, (double)number)
               : status;
}

/* ---- Offload ---- */

enum { UNSAID = -2, NOWHERE = -1 }; /* else a csz_offload_target */

/* Where a section puts what it offloads: nowhere unless it names a device (offload_config.py). */
static csz_status read_device(const reader *r, const char *section, int64_t *target)
{
    static const cszi_choice devices[] = {
        {NOWHERE, "none"}, {CSZ_OFFLOAD_TARGET_HOST, "cpu"}, {CSZ_OFFLOAD_TARGET_NVME, "nvme"}};
    cszi_json_value value, device;
    int found;
    csz_status status = cszi_deepspeed_find(&r->json, r->root, section, &value, &found);
    if (status != CSZ_OK || !found)
        return status;
    *target = NOWHERE;
    if (cszi_json_type_of(&r->json, value) != CSZI_JSON_OBJECT)
        return cszi_json_fail(&r->json, value, CSZ_ERR_TYPE, CSZ_PLAN_OFFLOAD_TARGET,
                              "must be an object, not %s",
                              cszi_json_type_name(cszi_json_type_of(&r->json, value)));
    status = cszi_json_find(&r->json, value, "device", &device, &found);
    if (status != CSZ_OK || !found)
        return status;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (cszi_json_type_of(&r->json, device) == CSZI_JSON_STRING &&
            cszi_json_equals(&r->json, device, devices[i].name)) {
            *target = devices[i].value;
            return CSZ_OK;
        }
    }
    return cszi_json_fail(&r->json, device, CSZ_ERR_UNKNOWN, CSZ_PLAN_OFFLOAD_TARGET,
                          "is no device of offload; known: none, cpu, nvme");
}

/* The older switches are to the host. */
static csz_status read_switches(const reader *r, int64_t *optimizer, int64_t *weights)
{
    const struct {
        const char *path;
        csz_field field;
        int64_t *target;
    } switches[] = {
        {"zero_optimization.cpu_offload", CSZ_PLAN_OFFLOAD_OPTIMIZER, optimizer},
        {"zero_optimization.cpu_offload_param", CSZ_PLAN_OFFLOAD_PARAMETERS, weights},
        {"zero_optimization.cpu_offload_params", CSZ_PLAN_OFFLOAD_PARAMETERS, weights},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        int on = 0, given;
        csz_status status = cszi_deepspeed_flag(&r->json, r->root, switches[i].path,
                                                switches[i].field, &on, &given);
        if (status != CSZ_OK)
            return status;
        if (given)
            *switches[i].target = on ? CSZ_OFFLOAD_TARGET_HOST : NOWHERE;
    }
    return CSZ_OK;
}

/* The share of the optimizer's states; all by default. */
static csz_status read_share(const reader *r, double *share)
{
    cszi_json_value value;
    int found;
    csz_status status = cszi_deepspeed_find(&r->json, r->root,
                                            "zero_optimization.offload_optimizer", &value, &found);
    *share = 1;
    if (status != CSZ_OK || !found)
        return status;
    status = cszi_json_find(&r->json, value, "ratio", &value, &found);
    return status == CSZ_OK && found ? cszi_json_f64(&r->json, value, share) : status;
}

/* Of two targets that must be one. */
static csz_status set_target(reader *r, int64_t optimizer, int64_t weights)
{
    static const char section[] = "zero_optimization.offload_param";
    int64_t target = optimizer > NOWHERE ? optimizer : weights;
    cszi_json_value value;
    int found;
    if (optimizer > NOWHERE && weights > NOWHERE && optimizer != weights) {
        (void)cszi_deepspeed_find(&r->json, r->root, section, &value, &found);
        return cszi_json_fail(&r->json, value, CSZ_ERR_UNKNOWN, CSZ_PLAN_OFFLOAD_TARGET,
                              "weights and optimizer on different devices are not expressed by the "
                              "fields");
    }
    return target > NOWHERE ? set_field(r, section, CSZ_PLAN_OFFLOAD_TARGET, (double)target)
                            : CSZ_OK;
}

static csz_status read_offload(reader *r)
{
    static const char states[] = "zero_optimization.offload_optimizer";
    int64_t optimizer = UNSAID, weights = UNSAID;
    double share = 1;
    csz_status status = read_switches(r, &optimizer, &weights);
    if (status == CSZ_OK)
        status = read_device(r, states, &optimizer);
    if (status == CSZ_OK)
        status = read_device(r, "zero_optimization.offload_param", &weights);
    if (status == CSZ_OK)
        status = read_share(r, &share);
    if (status == CSZ_OK && optimizer != UNSAID)
        status = set_field(r, states, CSZ_PLAN_OFFLOAD_OPTIMIZER, optimizer > NOWHERE ? share : 0);
    if (status == CSZ_OK && weights != UNSAID)
        status = set_field(r, "zero_optimization.offload_param", CSZ_PLAN_OFFLOAD_PARAMETERS,
                           weights > NOWHERE);
    return status == CSZ_OK ? set_target(r, optimizer, weights) : status;
}

/* ---- The whole ---- */

/* The batch is micro-batch x accumulation x data-parallel ranks. How many ranks there are is not
 * known here, only that it is a whole number. */
static csz_status check_batch(const reader *r, int64_t micro_batch)
{
    int64_t batch = 0, steps = 0, unit = 0;
    int batch_given = 0, steps_given = 0;
    cszi_json_value value;
    csz_status status = cszi_deepspeed_count(&r->json, r->root, "train_batch_size",
                                             CSZ_WORKLOAD_GLOBAL_BATCH, &batch, &batch_given);
    if (status == CSZ_OK)
        status = cszi_deepspeed_count(&r->json, r->root, "gradient_accumulation_steps",
                                      CSZ_FIELD_NONE, &steps, &steps_given);
    if (status != CSZ_OK || !batch_given || !steps_given || micro_batch < 1 || steps < 1)
        return status;
    if (cszi_multiply(micro_batch, steps, &unit) && batch % unit == 0)
        return CSZ_OK;
    (void)cszi_deepspeed_find(&r->json, r->root, "train_batch_size", &value, &batch_given);
    return cszi_json_fail(&r->json, value, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_GLOBAL_BATCH,
                          "%lld is no multiple of %lld a rank x %lld accumulation steps",
                          (long long)batch, (long long)micro_batch, (long long)steps);
}

csz_status cszi_plan_load_deepspeed(cszi_plan *plan, const char *text, size_t length,
                                    cszi_error *error)
{
    static const char stack[] = "deepspeed";
    reader r;
    int64_t stage = 0, micro_batch = 0, ranks = 0;
    csz_status status = cszi_deepspeed_open(&r.json, text, length, error, &r.root);
    r.plan = plan;
    if (status == CSZ_OK)
        status = refuse_keys(&r);
    if (status == CSZ_OK)
        status = read_field(&r, "zero_optimization.stage", CSZ_PLAN_SHARDING, &stage);
    if (status == CSZ_OK)
        status =
            read_field(&r, "train_micro_batch_size_per_gpu", CSZ_PLAN_MICRO_BATCH, &micro_batch);
    if (status == CSZ_OK)
        status = read_field(&r, "tensor_parallel.autotp_size", CSZ_PLAN_TENSOR_PARALLEL, &ranks);
    if (status == CSZ_OK)
        status = read_groups(&r);
    if (status == CSZ_OK)
        status = read_offload(&r);
    if (status == CSZ_OK)
        status = check_batch(&r, micro_batch);
    if (status != CSZ_OK)
        return status;
    return cszi_field_set_text(&cszi_plan_table, plan,
                               cszi_table_row(&cszi_plan_table, CSZ_PLAN_STACK), 0, stack,
                               sizeof stack - 1, NULL, error);
}
