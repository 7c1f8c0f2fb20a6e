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

/* Whether a value asks for nothing: false, 0 or 1 ranks, an object whose device is "none". */
static csz_status is_idle(const reader *r, cszi_json_value value, int *idle)
{
    cszi_json_type type = cszi_json_type_of(&r->json, value);
    cszi_json_value device;
    int64_t number = 0;
    int found = 0;
    csz_status status = CSZ_OK;
    *idle = type == CSZI_JSON_FALSE;
    if (type == CSZI_JSON_NUMBER) {
        status = cszi_json_i64(&r->json, value, &number);
        *idle = number <= 1;
    } else if (type == CSZI_JSON_OBJECT) {
        status = cszi_json_find(&r->json, value, "device", &device, &found);
        *idle = status == CSZ_OK && found &&
                cszi_json_type_of(&r->json, device) == CSZI_JSON_STRING &&
                cszi_json_equals(&r->json, device, "none");
    }
    return status;
}

static csz_status refuse_keys(const reader *r)
{
    static const struct {
        const char *path;
        const char *what;
    } keys[] = {
        {"zero_optimization.offload_optimizer", "offloading of the optimizer"},
        {"zero_optimization.offload_param", "offloading of parameters"},
        {"zero_optimization.cpu_offload", "offloading of the optimizer"},
        {"zero_optimization.cpu_offload_params", "offloading of parameters"},
        {"zero_optimization.zero_hpz_partition_size", "a second partition of parameters"},
        {"zero_optimization.zero_quantized_weights", "quantized gathering"},
        {"zero_optimization.zero_quantized_gradients", "quantized reduction"},
        {"zero_optimization.mics_shard_size", "sharding within groups"},
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

static csz_status read_field(reader *r, const char *path, csz_field field, int64_t *number)
{
    cszi_error error;
    cszi_json_value value;
    int given;
    csz_status status = cszi_deepspeed_count(&r->json, r->root, path, field, number, &given);
    if (status != CSZ_OK || !given)
        return status;
    if (*number == 0 && field == CSZ_PLAN_TENSOR_PARALLEL) /* no tensor parallelism */
        return CSZ_OK;
    cszi_error_clear(&error);
    status = cszi_field_set_i64(&cszi_plan_table, r->plan, cszi_table_row(&cszi_plan_table, field),
                                0, *number, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    (void)cszi_deepspeed_find(&r->json, r->root, path, &value, &given);
    return cszi_json_fail(&r->json, value, status, field, "%s", error.text);
}

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
        status = check_batch(&r, micro_batch);
    if (status != CSZ_OK)
        return status;
    return cszi_field_set_text(&cszi_plan_table, plan,
                               cszi_table_row(&cszi_plan_table, CSZ_PLAN_STACK), 0, stack,
                               sizeof stack - 1, NULL, error);
}
