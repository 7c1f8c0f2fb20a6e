/* estimate.c: the public estimate. */
#include <string.h>

#include "api/handles.h"
#include "project/run.h"

csz_estimate *csz_estimate_new(const csz_context *context)
{
    cszi_alloc alloc = cszi_context_alloc(context);
    csz_estimate *estimate = cszi_alloc_zero(alloc, sizeof *estimate);
    if (estimate != NULL) {
        estimate->alloc = alloc;
        cszi_estimate_clear(&estimate->value);
    }
    return estimate;
}

void csz_estimate_free(csz_estimate *estimate)
{
    if (estimate == NULL)
        return;
    cszi_alloc_free(estimate->alloc, estimate->value.stages,
                    (size_t)estimate->value.stage_room * sizeof *estimate->value.stages);
    cszi_alloc_free(estimate->alloc, estimate, sizeof *estimate);
}

csz_status cszi_estimate_room(csz_estimate *estimate, size_t stages)
{
    size_t one = sizeof *estimate->value.stages, old = (size_t)estimate->value.stage_room;
    void *room;
    estimate->value.kernels = estimate->kernels;
    if (stages <= old)
        return CSZ_OK;
    room = cszi_alloc_resize(estimate->alloc, estimate->value.stages, old * one, stages * one);
    if (room == NULL)
        return cszi_fail(&estimate->error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE,
                         "out of memory for %zu stages", stages);
    estimate->value.stages = room;
    estimate->value.stage_room = (int64_t)stages;
    return CSZ_OK;
}

csz_status csz_estimate_reserve(csz_estimate *estimate, size_t stages)
{
    if (estimate == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&estimate->error);
    if (stages > CSZI_STAGES)
        return cszi_fail(&estimate->error, CSZ_ERR_LIMIT, CSZ_PLAN_PIPELINE_PARALLEL,
                         "%zu stages, at most %d", stages, CSZI_STAGES);
    return cszi_estimate_room(estimate, stages);
}

csz_status csz_estimate_compute(csz_estimate *estimate, const csz_workload *workload,
                                const csz_cluster *cluster, const csz_plan *plan, csz_depth depth)
{
    csz_status status;
    if (estimate == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&estimate->error);
    cszi_estimate_clear(&estimate->value);
    estimate->reason = CSZ_REASON_NONE;
    if (workload == NULL || (unsigned)depth > CSZ_DEPTH_RUN ||
        (depth > CSZ_DEPTH_MODEL && (cluster == NULL || plan == NULL)))
        return cszi_fail(&estimate->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a workload, a cluster, a plan and a depth are needed");
    status =
        plan != NULL ? cszi_estimate_room(estimate, (size_t)plan->value.pipeline_parallel) : CSZ_OK;
    if (status == CSZ_OK)
        status = cszi_estimate_compute(
            &estimate->value, &workload->value, cluster != NULL ? &cluster->value : NULL,
            plan != NULL ? &plan->value : NULL, depth, &estimate->reason, &estimate->error);
    if (status != CSZ_OK)
        cszi_estimate_clear(&estimate->value);
    return status;
}

csz_reason csz_estimate_reason(const csz_estimate *estimate)
{
    return estimate != NULL ? estimate->reason : CSZ_REASON_NONE;
}

csz_status csz_estimate_get_f64(const csz_estimate *estimate, csz_field field, double *value)
{
    const cszi_field_row *row = cszi_table_row(&cszi_estimate_table, field);
    if (estimate == NULL || value == NULL)
        return CSZ_ERR_ARGUMENT;
    return row == NULL ? CSZ_ERR_FIELD
                       : cszi_field_get_f64(&cszi_estimate_table, &estimate->value, row, 0, value);
}

csz_status csz_estimate_get_i64(const csz_estimate *estimate, csz_field field, int64_t *value)
{
    const cszi_field_row *row = cszi_table_row(&cszi_estimate_table, field);
    if (estimate == NULL || value == NULL)
        return CSZ_ERR_ARGUMENT;
    return row == NULL ? CSZ_ERR_FIELD
                       : cszi_field_get_i64(&cszi_estimate_table, &estimate->value, row, 0, value);
}

csz_status csz_estimate_get_range(const csz_estimate *estimate, csz_field field, double *low,
                                  double *likely, double *high)
{
    return cszi_figure_range(&cszi_estimate_table, estimate != NULL ? &estimate->value : NULL,
                             field, low, likely, high);
}

csz_status csz_estimate_get_many(const csz_estimate *estimate, const csz_field *fields,
                                 size_t count, double *values)
{
    double value;
    if (estimate == NULL || ((fields == NULL || values == NULL) && count != 0))
        return CSZ_ERR_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        csz_status status = csz_estimate_get_f64(estimate, fields[i], &value);
        if (status != CSZ_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++)
        (void)csz_estimate_get_f64(estimate, fields[i], &values[i]);
    return CSZ_OK;
}

size_t csz_estimate_get_text(const csz_estimate *estimate, csz_field field, char *text,
                             size_t capacity)
{
    return cszi_figure_text_at(&cszi_estimate_table, estimate != NULL ? &estimate->value : NULL,
                               field, 0, text, capacity);
}

size_t csz_estimate_count(const csz_estimate *estimate, csz_field field)
{
    const cszi_field_row *row = cszi_table_row(&cszi_estimate_table, field);
    if (estimate == NULL || row == NULL ||
        !cszi_field_is_set(&cszi_estimate_table, &estimate->value, row, 0))
        return 0;
    return cszi_field_list_count(&cszi_estimate_table, &estimate->value, row);
}

csz_status csz_estimate_get_f64_at(const csz_estimate *estimate, csz_field field, size_t index,
                                   double *value)
{
    return cszi_figure_at(&cszi_estimate_table, estimate != NULL ? &estimate->value : NULL, field,
                          index, value);
}

csz_note csz_estimate_note_at(const csz_estimate *estimate, size_t index)
{
    if (estimate == NULL || index >= (size_t)estimate->value.note_count)
        return CSZ_NOTE_NONE;
    return estimate->value.notes[index];
}

/* Members of an open object: figures and notes. */
void cszi_estimate_write(const cszi_estimate *estimate, cszi_json_out *json)
{
    cszi_fields_write(&cszi_estimate_table, estimate, json);
    cszi_json_key(json, "notes");
    cszi_json_open_array(json);
    for (int64_t i = 0; i < estimate->note_count; i++)
        cszi_json_put_text(json, csz_note_text(estimate->notes[i]));
    cszi_json_close_array(json);
}

size_t csz_estimate_to_json(const csz_estimate *estimate, char *text, size_t capacity)
{
    cszi_json_out json = cszi_json_begin(text, capacity);
    cszi_json_open_object(&json);
    cszi_json_put_version(&json);
    if (estimate != NULL)
        cszi_estimate_write(&estimate->value, &json);
    cszi_json_close_object(&json);
    return cszi_json_end(&json);
}

const char *csz_estimate_error(const csz_estimate *estimate, csz_field *field)
{
    if (field != NULL)
        *field = estimate != NULL ? estimate->error.field : CSZ_FIELD_NONE;
    return estimate != NULL ? estimate->error.text : "";
}
