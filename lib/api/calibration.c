/* calibration.c: the public calibration. */
#include <math.h>
#include <string.h>

#include "api/handles.h"

csz_calibration *csz_calibration_new(const csz_context *context)
{
    cszi_alloc alloc = cszi_context_alloc(context);
    csz_calibration *calibration = cszi_alloc_zero(alloc, sizeof *calibration);
    if (calibration != NULL) {
        calibration->alloc = alloc;
        cszi_calibration_clear(&calibration->value);
    }
    return calibration;
}

void csz_calibration_free(csz_calibration *calibration)
{
    const cszi_calibration *value = calibration != NULL ? &calibration->value : NULL;
    if (value == NULL)
        return;
    cszi_alloc_free(calibration->alloc, value->runs, (size_t)value->run_room * sizeof *value->runs);
    cszi_alloc_free(calibration->alloc, value->inputs,
                    (size_t)value->input_room * sizeof *value->inputs);
    cszi_alloc_free(calibration->alloc, calibration, sizeof *calibration);
}

/* ---- Measurements ---- */

/* NaN fails too. */
static csz_status check_positive(csz_calibration *calibration, const char *name, double value)
{
    if (value > 0 && isfinite(value))
        return CSZ_OK;
    return cszi_fail(&calibration->error, CSZ_ERR_RANGE, CSZ_FIELD_NONE,
                     "%s: %g is not positive and finite", name, value);
}

static csz_status check_uncertainty(csz_calibration *calibration, double value)
{
    if (value >= 0 && value <= 1)
        return CSZ_OK;
    return cszi_fail(&calibration->error, CSZ_ERR_RANGE, CSZ_FIELD_NONE,
                     "uncertainty: %g is outside 0 to 1", value);
}

/* One list grown to a room. The other may stay larger than it when memory ends between them. */
static csz_status grow(csz_calibration *calibration, void **list, int64_t *room, int64_t wanted,
                       size_t each)
{
    void *more;
    if (*room >= wanted)
        return CSZ_OK;
    more =
        cszi_alloc_resize(calibration->alloc, *list, (size_t)*room * each, (size_t)wanted * each);
    if (more == NULL)
        return cszi_fail(&calibration->error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    *list = more;
    *room = wanted;
    return CSZ_OK;
}

static csz_status make_room(csz_calibration *calibration)
{
    cszi_calibration *value = &calibration->value;
    int64_t wanted = value->run_count < value->run_room ? value->run_room
                     : value->run_room == 0             ? 4
                                                        : 2 * value->run_room;
    void *runs = value->runs, *inputs = value->inputs;
    csz_status status =
        grow(calibration, &inputs, &value->input_room, wanted, sizeof *value->inputs);
    value->inputs = inputs;
    if (status == CSZ_OK)
        status = grow(calibration, &runs, &value->run_room, wanted, sizeof *value->runs);
    value->runs = runs;
    return status;
}

/* In place: a workload is too large for a stack. */
static void put_inputs(cszi_run_inputs *to, const csz_workload *workload, const csz_plan *plan)
{
    memcpy(&to->workload, &workload->value, sizeof to->workload);
    memcpy(&to->plan, &plan->value, sizeof to->plan);
}

csz_status csz_calibration_add_run(csz_calibration *calibration, const csz_workload *workload,
                                   const csz_plan *plan, int64_t accelerators, double step_seconds,
                                   double uncertainty)
{
    const cszi_field_row *row = cszi_table_row(&cszi_cluster_table, CSZ_CLUSTER_ACCELERATORS);
    cszi_calibration *value;
    csz_status status;
    if (calibration == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&calibration->error);
    value = &calibration->value;
    if (workload == NULL || plan == NULL)
        return cszi_fail(&calibration->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a workload and a plan are needed");
    if (accelerators < 0 || (double)accelerators > row->upper)
        return cszi_fail(&calibration->error, CSZ_ERR_RANGE, row->id,
                         "accelerators: %lld is outside 0 to %g", (long long)accelerators,
                         row->upper);
    if (value->run_count >= CSZI_CALIBRATION_RUNS)
        return cszi_fail(&calibration->error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "more than %d runs",
                         CSZI_CALIBRATION_RUNS);
    status = check_positive(calibration, "step_seconds", step_seconds);
    if (status == CSZ_OK)
        status = check_uncertainty(calibration, uncertainty);
    if (status == CSZ_OK)
        status = make_room(calibration);
    if (status != CSZ_OK)
        return status;
    put_inputs(&value->inputs[value->run_count], workload, plan);
    value->inputs[value->run_count].accelerators = accelerators;
    value->inputs[value->run_count].uncertainty = uncertainty;
    value->runs[value->run_count++] = (cszi_calibration_run){.measured = step_seconds};
    cszi_calibration_clear(value);
    return CSZ_OK;
}

static csz_status take(void *user, const cszi_collective *collective, cszi_error *error)
{
    cszi_calibration *value = user;
    if (value->collective_count >= CSZI_CALIBRATION_COLLECTIVES)
        return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "nccl: more than %d outputs",
                         CSZI_CALIBRATION_COLLECTIVES);
    value->collectives[value->collective_count++] = *collective;
    return CSZ_OK;
}

csz_status csz_calibration_add_nccl(csz_calibration *calibration, csz_collective collective,
                                    int64_t ranks, const char *text, size_t length)
{
    int64_t before;
    csz_status status;
    if (calibration == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&calibration->error);
    if ((text == NULL && length != 0) || (unsigned)collective > CSZ_COLLECTIVE_ALL_TO_ALL)
        return cszi_fail(&calibration->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a text and a collective are needed");
    if (ranks < 0 || ranks == 1 || ranks > CSZI_RANKS)
        return cszi_fail(&calibration->error, CSZ_ERR_RANGE, CSZ_FIELD_NONE,
                         "ranks: %lld is neither 0 nor from 2 to %d", (long long)ranks, CSZI_RANKS);
    before = calibration->value.collective_count;
    status = cszi_nccl_read(text, length, collective, ranks, take, &calibration->value,
                            &calibration->error);
    if (status != CSZ_OK)
        calibration->value.collective_count = before;
    else
        cszi_calibration_clear(&calibration->value);
    return status;
}

static csz_status set_rate(csz_calibration *calibration, cszi_measured_rate *rate, const char *name,
                           int64_t format, double value, double uncertainty, double usual)
{
    csz_status status = check_positive(calibration, name, value);
    if (status == CSZ_OK)
        status = check_uncertainty(calibration, uncertainty);
    if (status != CSZ_OK)
        return status;
    *rate = (cszi_measured_rate){format, value, uncertainty > 0 ? uncertainty : usual};
    cszi_calibration_clear(&calibration->value);
    return CSZ_OK;
}

csz_status csz_calibration_set_gemm(csz_calibration *calibration, csz_format format,
                                    double flops_per_second, double uncertainty)
{
    if (calibration == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&calibration->error);
    if (format < CSZ_FORMAT_FP32 || format > CSZ_FORMAT_FP4)
        return cszi_fail(&calibration->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "gemm_rate: format %d is none of fp32, tf32, bf16, fp16, fp8, fp4",
                         (int)format);
    return set_rate(calibration, &calibration->value.gemm, "gemm_rate", format, flops_per_second,
                    uncertainty, cszi_calibration_fact("gemm_uncertainty"));
}

csz_status csz_calibration_set_copy(csz_calibration *calibration, double bytes_per_second,
                                    double uncertainty)
{
    if (calibration == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&calibration->error);
    return set_rate(calibration, &calibration->value.copy, "copy_bandwidth", CSZ_FORMAT_NONE,
                    bytes_per_second, uncertainty, cszi_calibration_fact("copy_uncertainty"));
}

/* ---- The calibration ---- */

csz_status csz_cluster_calibrate(csz_cluster *cluster, csz_calibration *calibration)
{
    csz_status status;
    if (cluster == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&cluster->error);
    if (calibration == NULL)
        return cszi_fail(&cluster->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a calibration is needed");
    cszi_calibration_clear(&calibration->value);
    cluster->spare = cluster->value;
    status = cszi_calibrate(&cluster->spare, &calibration->value, &cluster->error);
    if (status == CSZ_OK)
        cluster->value = cluster->spare;
    else
        cszi_calibration_clear(&calibration->value);
    return status;
}

/* ---- Results ---- */

csz_status csz_calibration_get_f64_at(const csz_calibration *calibration, csz_field field,
                                      size_t index, double *value)
{
    return cszi_figure_at(&cszi_calibration_table, calibration != NULL ? &calibration->value : NULL,
                          field, index, value);
}

csz_status csz_calibration_get_f64(const csz_calibration *calibration, csz_field field,
                                   double *value)
{
    return csz_calibration_get_f64_at(calibration, field, 0, value);
}

size_t csz_calibration_get_text_at(const csz_calibration *calibration, csz_field field,
                                   size_t index, char *text, size_t capacity)
{
    return cszi_figure_text_at(&cszi_calibration_table,
                               calibration != NULL ? &calibration->value : NULL, field, index, text,
                               capacity);
}

size_t csz_calibration_count(const csz_calibration *calibration, csz_field field)
{
    return cszi_figure_count(&cszi_calibration_table,
                             calibration != NULL ? &calibration->value : NULL, field);
}

size_t csz_calibration_to_json(const csz_calibration *calibration, char *text, size_t capacity)
{
    cszi_json_out json = cszi_json_begin(text, capacity);
    cszi_json_open_object(&json);
    cszi_json_put_version(&json);
    if (calibration != NULL)
        cszi_fields_write(&cszi_calibration_table, &calibration->value, &json);
    cszi_json_close_object(&json);
    return cszi_json_end(&json);
}

const char *csz_calibration_error(const csz_calibration *calibration, csz_field *field)
{
    if (field != NULL)
        *field = calibration != NULL ? calibration->error.field : CSZ_FIELD_NONE;
    return calibration != NULL ? calibration->error.text : "";
}
