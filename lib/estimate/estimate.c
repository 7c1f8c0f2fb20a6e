/* estimate.c: one case, from its inputs to parameters, batch and memory. */
#include "estimate/estimate.h"

#include <math.h>

size_t cszi_workload_phase_count(const cszi_workload *workload)
{
    return workload->phases_count > 0 ? (size_t)workload->phases_count : 1;
}

int64_t cszi_phase_tokens(const cszi_workload *w, size_t phase)
{
    double tokens = 0;
    if ((int64_t)phase < w->phases_count && w->phases[phase].tokens != 0)
        return w->phases[phase].tokens;
    if (phase != 0)
        return 0;
    if (w->unique_tokens != 0)
        tokens = (double)w->unique_tokens * w->epochs;
    else if (w->examples != 0)
        tokens = (double)w->examples * w->mean_length * w->epochs;
    return tokens < (double)CSZI_COUNT_MAX ? (int64_t)ceil(tokens) : CSZI_COUNT_MAX;
}

double cszi_step_tokens(const cszi_workload *workload, const cszi_batching *batching)
{
    double s = (double)batching->sequence;
    if (workload->packing == CSZ_PACKING_PADDED && workload->mean_length > 0)
        s = fmin(s, workload->mean_length);
    return s * (double)batching->sequences;
}

/* Tokens that are given twice must agree. */
static csz_status check_tokens(const cszi_workload *w, cszi_error *error)
{
    double derived = 0, given = 0;
    for (int64_t i = 0; i < w->phases_count; i++)
        given += (double)w->phases[i].tokens;
    if (w->unique_tokens != 0)
        derived = (double)w->unique_tokens * w->epochs;
    else if (w->examples != 0)
        derived = (double)w->examples * w->mean_length * w->epochs;
    if (w->phases_count > 0 && w->phases[0].tokens != 0 && derived > 0 &&
        fabs(given - derived) > 0.01 * derived)
        return cszi_fail(
            error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_TOKENS, "tokens: %g, but %s x epochs is %g",
            given, w->unique_tokens != 0 ? "unique_tokens" : "examples x mean_length", derived);
    return CSZ_OK;
}

/* Lengths must fit each other. */
static csz_status check_job(const cszi_workload *w, cszi_error *error)
{
    int64_t sequence = w->phases_count > 0 ? w->phases[0].sequence_length : 0;
    if (w->examples != 0 && w->mean_length <= 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_MEAN_LENGTH,
                         "mean_length: is not set; examples need their mean length");
    if (w->maximum_length != 0 && w->mean_length > (double)w->maximum_length)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_MEAN_LENGTH,
                         "mean_length: %g is above maximum_length %lld", w->mean_length,
                         (long long)w->maximum_length);
    if (w->packing == CSZ_PACKING_PADDED && sequence != 0 && w->maximum_length > sequence)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_SEQUENCE_LENGTH,
                         "sequence_length: %lld is below maximum_length %lld; a padded example "
                         "must fit",
                         (long long)sequence, (long long)w->maximum_length);
    return check_tokens(w, error);
}

csz_status cszi_case_model(cszi_case *c, const cszi_workload *workload, cszi_error *error)
{
    csz_status status = cszi_workload_check(workload, error);
    c->workload = workload;
    if (status == CSZ_OK)
        status = check_job(workload, error);
    if (status == CSZ_OK)
        status = cszi_workload_parameters(workload, &c->parameters, error);
    return status;
}

csz_status cszi_case_open(cszi_case *c, const cszi_workload *workload, const cszi_cluster *cluster,
                          int time, cszi_error *error)
{
    csz_status status = cszi_case_model(c, workload, error);
    c->cluster = cluster;
    if (status == CSZ_OK)
        status = cszi_cluster_check(cluster, time, error);
    if (status == CSZ_OK)
        c->family = cszi_family_find(cluster->family);
    return status;
}

csz_status cszi_case_plan(cszi_case *c, const cszi_plan *plan, size_t phase, csz_reason *reason,
                          cszi_error *error)
{
    csz_status status =
        cszi_phase_batching(c->workload, phase, c->parameters.total, &c->batching, error);
    *reason = CSZ_REASON_NONE;
    if (status == CSZ_OK)
        status = cszi_plan_settle(plan, c->workload, c->cluster, &c->batching, &c->layout, reason,
                                  error);
    c->stack = c->layout.stack;
    return status;
}

/* ---- Fit ---- */

void cszi_estimate_parameters(const cszi_case *c, cszi_estimate *e)
{
    e->parameters_total = c->parameters.total;
    e->parameters_active = c->parameters.active;
    e->parameters_embedding = c->parameters.embedding + c->parameters.head;
    e->parameters_trained = c->parameters.trained;
    if (c->batching.assumed)
        cszi_estimate_note(e, CSZ_NOTE_BATCH_ASSUMED);
}

void cszi_estimate_counts(const cszi_case *c, cszi_estimate *e)
{
    const cszi_layout *l = &c->layout;
    cszi_estimate_parameters(c, e);
    e->batch_sequences = l->batch;
    e->batch_tokens = l->batch * l->s;
    e->batch_micro_batches = l->m;
    e->batch_data_parallel = l->d;
    e->batch_accelerators = l->used;
    if (c->cluster->memory_is_label)
        cszi_estimate_note(e, CSZ_NOTE_MEMORY_ASSUMED);
    if (c->cluster->doubtful)
        cszi_estimate_note(e, CSZ_NOTE_FACT_DOUBTFUL);
}
