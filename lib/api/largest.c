/* largest.c: the inverse questions of an estimate. */
#include <string.h>

#include "api/handles.h"
#include "project/largest.h"

static csz_status compute(csz_estimate *estimate, const cszi_largest *q)
{
    csz_status status = cszi_estimate_room(estimate, (size_t)q->plan.pipeline_parallel);
    if (status == CSZ_OK)
        status = cszi_estimate_compute(&estimate->value, &q->workload, &q->cluster, &q->plan,
                                       cszi_deepest(&q->workload, &q->cluster), &estimate->reason,
                                       &estimate->error);
    if (status != CSZ_OK)
        cszi_estimate_clear(&estimate->value);
    return status;
}

static const cszi_model *model_at(const cszi_catalog *catalog, size_t i)
{
    return cszi_catalog_entry(catalog, CSZ_KIND_MODEL, i);
}

static const cszi_model *model_of(const cszi_catalog *catalog, const char *id)
{
    for (size_t i = 0; i < catalog->counts[CSZ_KIND_MODEL]; i++)
        if (strcmp(model_at(catalog, i)->id, id) == 0)
            return model_at(catalog, i);
    return NULL;
}

static int same_family(const cszi_model *a, const cszi_model *b)
{
    return a->family != NULL && b->family != NULL && strcmp(a->family, b->family) == 0 &&
           a->architecture != NULL;
}

static int64_t parameters_of(const cszi_workload *workload)
{
    cszi_case c;
    return cszi_case_model(&c, workload, NULL) == CSZ_OK ? c.parameters.total : 0;
}

/* The largest model of the family of the one that is set. */
static csz_status largest_model(cszi_largest *q, cszi_largest *room, const cszi_catalog *catalog,
                                double *index, cszi_error *error)
{
    const cszi_field_row *row = cszi_table_row(&cszi_workload_table, CSZ_WORKLOAD_MODEL);
    const cszi_model *asked = model_of(catalog, q->workload.model);
    int64_t most = 0;
    if (asked == NULL)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_MODEL,
                         "model: is not set; the largest of a family needs one of it");
    for (size_t i = 0; i < catalog->counts[CSZ_KIND_MODEL]; i++) {
        if (!same_family(model_at(catalog, i), asked))
            continue;
        *room = *q;
        if (cszi_resolve_workload((void *)(size_t)catalog, &room->workload, row,
                                  model_at(catalog, i)->id, NULL) != CSZ_OK ||
            parameters_of(&room->workload) <= most || cszi_fits(room) != 1)
            continue;
        most = parameters_of(&room->workload);
        *index = (double)i;
    }
    if (most == 0)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_MODEL,
                         "model: no model of the family of %s fits with a probability of %g",
                         asked->id, q->confidence);
    return cszi_resolve_workload((void *)(size_t)catalog, &q->workload, row,
                                 model_at(catalog, (size_t)*index)->id, error);
}

static csz_status search(csz_estimate *estimate, const cszi_catalog *catalog, cszi_largest q[2],
                         csz_field varied, double *value)
{
    switch ((int)varied) {
    case CSZ_WORKLOAD_MODEL:
        return largest_model(&q[0], &q[1], catalog, value, &estimate->error);
    case CSZ_WORKLOAD_SEQUENCE_LENGTH:
    case CSZ_WORKLOAD_GLOBAL_BATCH:
    case CSZ_PLAN_MICRO_BATCH:
    case CSZ_CLUSTER_MEMORY:
        return cszi_find_largest(&q[0], varied, value, &estimate->error);
    default:
        return cszi_fail(&estimate->error, CSZ_ERR_FIELD, varied,
                         "field %d: is none of model, sequence_length, global_batch, micro_batch, "
                         "memory",
                         (int)varied);
    }
}

csz_status csz_estimate_largest(csz_estimate *estimate, const csz_catalog *catalog,
                                const csz_workload *workload, const csz_cluster *cluster,
                                const csz_plan *plan, csz_field varied, double confidence,
                                double *value)
{
    cszi_largest *q;
    double found = 0;
    csz_status status;
    if (estimate == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&estimate->error);
    cszi_estimate_clear(&estimate->value);
    estimate->reason = CSZ_REASON_NONE;
    if (workload == NULL || cluster == NULL || plan == NULL || value == NULL)
        return cszi_fail(&estimate->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a workload, a cluster, a plan and a place for the value are needed");
    if (!(confidence >= 0 && confidence <= 1))
        return cszi_fail(&estimate->error, CSZ_ERR_RANGE, CSZ_GOAL_FIT_CONFIDENCE,
                         "fit_confidence: %g is outside 0 to 1", confidence);
    q = cszi_alloc_zero(estimate->alloc, 2 * sizeof *q);
    if (q == NULL)
        return cszi_fail(&estimate->error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    q->workload = workload->value;
    q->cluster = cluster->value;
    q->plan = plan->value;
    q->confidence = confidence;
    status = search(estimate, cszi_catalog_of(catalog), q, varied, &found);
    if (status == CSZ_OK)
        status = compute(estimate, q);
    cszi_alloc_free(estimate->alloc, q, 2 * sizeof *q);
    if (status == CSZ_OK)
        *value = found;
    return status;
}
