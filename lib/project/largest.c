/* largest.c: doubling, then halving, over the values that a plan's degrees allow. */
#include "project/largest.h"

#include <math.h>
#include <string.h>

#define ROUNDS 40           /* halvings: memory to its byte */
#define MICRO_BATCHES 65536 /* tried one by one */

int cszi_fits(const cszi_largest *q)
{
    cszi_estimate e;
    cszi_case c;
    csz_reason reason = CSZ_REASON_NONE;
    e.stages = NULL;
    e.stage_room = 0;
    cszi_estimate_clear(&e);
    if (cszi_case_open(&c, &q->workload, &q->cluster, 0, NULL) != CSZ_OK ||
        cszi_case_compute(&c, &q->plan, CSZ_DEPTH_FIT, &e, &reason, NULL) != CSZ_OK)
        return -1;
    return e.memory_fit_probability >= q->confidence && e.host_fit != CSZ_FIT_NO;
}

static const cszi_table *table_of(cszi_largest *q, csz_field field, void **record)
{
    if (field == CSZ_CLUSTER_MEMORY) {
        *record = &q->cluster;
        return &cszi_cluster_table;
    }
    if (field == CSZ_PLAN_MICRO_BATCH) {
        *record = &q->plan;
        return &cszi_plan_table;
    }
    *record = &q->workload;
    return &cszi_workload_table;
}

static int fits_at(cszi_largest *q, csz_field field, double value)
{
    void *record;
    const cszi_table *table = table_of(q, field, &record);
    if (cszi_field_set_f64(table, record, cszi_table_row(table, field), 0, value, NULL) != CSZ_OK)
        return -1;
    return cszi_fits(q);
}

/* ---- Whole numbers ---- */

/* Lengths that the degrees of context and tensor parallelism split; batches that the replicas
 * do. */
static double grain_of(const cszi_largest *q, csz_field varied)
{
    const cszi_plan *p = &q->plan;
    double degrees = (double)(p->tensor_parallel * p->pipeline_parallel * p->context_parallel);
    if (varied == CSZ_WORKLOAD_SEQUENCE_LENGTH)
        return 2 * (double)p->context_parallel * (double)p->tensor_parallel;
    return (double)p->micro_batch * fmax(1, floor((double)q->cluster.accelerators / degrees));
}

/* Multiples of the grain: doubled until one does not fit, then halved between. */
static double climb(cszi_largest *q, csz_field varied, double upper)
{
    double grain = grain_of(q, varied), low = 0, high = 1;
    while (high * grain <= upper && fits_at(q, varied, high * grain) == 1) {
        low = high;
        high *= 2;
    }
    if (high * grain > upper)
        high = floor(upper / grain) + 1;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        *(fits_at(q, varied, middle * grain) == 1 ? &low : &high) = middle;
    }
    return low * grain;
}

/* Only divisors of the replica's batch can be. */
static double climb_micro_batch(cszi_largest *q)
{
    double most = 0;
    for (int b = 1; b <= MICRO_BATCHES; b++)
        if (fits_at(q, CSZ_PLAN_MICRO_BATCH, b) == 1)
            most = b;
    return most;
}

/* ---- Memory ---- */

static double least_memory(cszi_largest *q, double low, double high)
{
    if (fits_at(q, CSZ_CLUSTER_MEMORY, high) != 1)
        return 0;
    for (int i = 0; i < ROUNDS; i++) {
        double middle = floor((low + high) / 2);
        *(fits_at(q, CSZ_CLUSTER_MEMORY, middle) == 1 ? &high : &low) = middle;
    }
    return high;
}

static double find(cszi_largest *q, csz_field varied, const cszi_field_row *row)
{
    if (varied == CSZ_CLUSTER_MEMORY)
        return least_memory(q, row->lower, row->upper);
    if (varied == CSZ_PLAN_MICRO_BATCH)
        return climb_micro_batch(q);
    return climb(q, varied, row->upper);
}

csz_status cszi_find_largest(cszi_largest *q, csz_field varied, double *value, cszi_error *error)
{
    void *record;
    const cszi_field_row *row = cszi_table_row(table_of(q, varied, &record), varied);
    double found = find(q, varied, row);
    if (found <= 0)
        return cszi_fail(error, CSZ_ERR_CONFLICT, varied, "%s: none fits with a probability of %g",
                         row->name, q->confidence);
    (void)fits_at(q, varied, found);
    *value = found;
    return CSZ_OK;
}
