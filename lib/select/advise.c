/* advise.c: plans one change away from a given one: degrees and micro-batch halved and doubled
 * (data parallelism takes up the rest), choices switched, savings of memory turned on or off. When
 * none of them fits: two of those that save memory at once. Every plan is computed. */
#include <math.h>

#include "project/run.h"
#include "select/search.h"

#define MOST_CHANGES 40 /* more than there are */
#define MOST_PAIRED 24  /* changes that are tried in pairs: at most 276 pairs */

typedef struct change {
    csz_field field;
    uint32_t value; /* degrees, choices and switches: small and whole */
    double total;   /* memory of the plan with it; infinite: there is no such plan */
} change;

typedef struct advising {
    cszi_ranking *ranking;
    const cszi_plan *base;
    double total, time; /* of the base; NaN: it cannot be, or no time is known */
    cszi_plan changed;  /* the one at work */
    cszi_case c;
    csz_depth depth;
    change changes[MOST_CHANGES];
    size_t count;
} advising;

/* ---- A changed plan ---- */

static const cszi_field_row *row_of(csz_field field)
{
    return cszi_table_row(&cszi_plan_table, field);
}

static void unset(cszi_plan *plan, csz_field field)
{
    cszi_field_unset(&cszi_plan_table, plan, row_of(field));
}

static int set(cszi_plan *plan, csz_field field, double value)
{
    return cszi_field_set_f64(&cszi_plan_table, plan, row_of(field), 0, value, NULL) == CSZ_OK;
}

/* With what must follow: the data-parallel degree, an explicit schedule or layout of another
 * pipeline, the sharding that offloaded weights need. 0 when the plan has no such change. */
static int apply(cszi_plan *plan, const change *c)
{
    if (!set(plan, c->field, (double)c->value))
        return 0;
    unset(plan, CSZ_PLAN_DATA_PARALLEL);
    if (c->field == CSZ_PLAN_PIPELINE_PARALLEL || c->field == CSZ_PLAN_VIRTUAL_PIPELINE) {
        unset(plan, CSZ_PLAN_SCHEDULE);
        unset(plan, CSZ_PLAN_FIRST_STAGE_LAYERS);
        unset(plan, CSZ_PLAN_LAST_STAGE_LAYERS);
        unset(plan, CSZ_PLAN_PIPELINE_LAYOUT);
    }
    if (c->field == CSZ_PLAN_OFFLOAD_ACTIVATIONS)
        unset(plan, CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS);
    if (c->field == CSZ_PLAN_OFFLOAD_PARAMETERS && plan->offload_parameters)
        plan->sharding = CSZ_SHARDING_PARAMETERS;
    if (plan->pipeline_parallel == 1 && c->field == CSZ_PLAN_VIRTUAL_PIPELINE)
        return 0; /* chunks need a pipeline */
    if (plan->pipeline_parallel == 1)
        plan->virtual_pipeline = 1;
    return 1;
}

/* A setting without effect here, as the recomputation of a module that the model lacks. */
static int changes_nothing(const advising *a, const cszi_estimate *e)
{
    return fabs(e->memory_total.likely - a->total) <= 1e-9 * a->total &&
           !(fabs(e->step_time.likely - a->time) > 1e-9 * a->time);
}

static csz_reason verdict(const advising *a, const cszi_estimate *e)
{
    if (e->memory_fit == CSZ_FIT_NO)
        return CSZ_REASON_MEMORY;
    if (e->host_fit == CSZ_FIT_NO)
        return CSZ_REASON_HOST_MEMORY;
    return changes_nothing(a, e) ? CSZ_REASON_SLOWER : CSZ_REASON_NONE;
}

/* Keeps the plan if it fits; its memory. */
static double try_plan(advising *a, const cszi_plan *plan)
{
    cszi_estimate e;
    cszi_entry entry;
    cszi_goal goal; /* defaults: least time */
    csz_reason reason = CSZ_REASON_NONE;
    a->ranking->candidates++;
    e.stages = NULL;
    cszi_estimate_clear(&e);
    if (cszi_case_compute(&a->c, plan, a->depth, &e, &reason, NULL) != CSZ_OK) {
        a->ranking->rejected[reason]++;
        return (double)INFINITY;
    }
    a->ranking->valid++;
    reason = verdict(a, &e);
    if (reason != CSZ_REASON_NONE) {
        a->ranking->rejected[reason]++;
        return e.memory_total.likely;
    }
    a->ranking->fitting++;
    cszi_fields_init(&cszi_goal_table, &goal, sizeof goal);
    cszi_entry_of(plan, &e, &entry);
    /* Without rates there is no time: what saves least goes first. */
    if (a->depth < CSZ_DEPTH_STEP)
        entry.least = -e.memory_total.likely;
    cszi_ranking_insert(a->ranking, &entry, &goal);
    return e.memory_total.likely;
}

/* The base with a change or two; -1 when there is no such plan. */
static double try_changes(advising *a, const change *first, const change *second)
{
    a->changed = *a->base;
    if (!apply(&a->changed, first) || (second != NULL && !apply(&a->changed, second)))
        return -1;
    return try_plan(a, &a->changed);
}

/* ---- Which changes ---- */

static void try_change(advising *a, csz_field field, double value)
{
    change c = {field, (uint32_t)value, (double)INFINITY};
    double now = (double)NAN;
    (void)cszi_field_get_f64(&cszi_plan_table, a->base, row_of(field), 0, &now);
    if ((value >= now && value <= now) || a->count == MOST_CHANGES)
        return;
    c.total = try_changes(a, &c, NULL);
    if (c.total >= 0)
        a->changes[a->count++] = c;
}

static void try_degrees(advising *a)
{
    static const csz_field degrees[] = {CSZ_PLAN_TENSOR_PARALLEL,  CSZ_PLAN_PIPELINE_PARALLEL,
                                        CSZ_PLAN_VIRTUAL_PIPELINE, CSZ_PLAN_CONTEXT_PARALLEL,
                                        CSZ_PLAN_EXPERT_PARALLEL,  CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
                                        CSZ_PLAN_MICRO_BATCH};
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        int64_t now = 1;
        (void)cszi_field_get_i64(&cszi_plan_table, a->base, row_of(degrees[i]), 0, &now);
        try_change(a, degrees[i], (double)now * 2);
        if (now % 2 == 0)
            try_change(a, degrees[i], (double)now / 2);
    }
}

/* Choices and switches: every value within their bounds. A share is taken whole or not at all. */
static void try_choices(advising *a)
{
    static const csz_field choices[] = {CSZ_PLAN_SHARDING,
                                        CSZ_PLAN_RECOMPUTE,
                                        CSZ_PLAN_SEQUENCE_PARALLEL,
                                        CSZ_PLAN_RECOMPUTE_NORM,
                                        CSZ_PLAN_RECOMPUTE_ACTIVATION,
                                        CSZ_PLAN_RECOMPUTE_LATENT,
                                        CSZ_PLAN_RECOMPUTE_MLP,
                                        CSZ_PLAN_RECOMPUTE_EXPERTS,
                                        CSZ_PLAN_LOSS_KERNEL,
                                        CSZ_PLAN_GRADIENT_RELEASE,
                                        CSZ_PLAN_EXPANDABLE_SEGMENTS,
                                        CSZ_PLAN_OPTIMIZER_FUSED,
                                        CSZ_PLAN_OFFLOAD_OPTIMIZER,
                                        CSZ_PLAN_OFFLOAD_PARAMETERS,
                                        CSZ_PLAN_OFFLOAD_ACTIVATIONS};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        for (double v = 0; v <= row_of(choices[i])->upper; v++)
            try_change(a, choices[i], v);
}

/* ---- Two changes ---- */

/* Leaves those that save memory, what saves most first; how many are worth a pair. */
static size_t sort_savings(advising *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++) {
        change c = a->changes[i];
        size_t at = count;
        if (!(c.total < a->total))
            continue;
        for (; at > 0 && a->changes[at - 1].total > c.total; at--)
            a->changes[at] = a->changes[at - 1];
        a->changes[at] = c;
        count++;
    }
    return count < MOST_PAIRED ? count : MOST_PAIRED;
}

static void try_pairs(advising *a)
{
    size_t count = sort_savings(a);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (a->changes[i].field != a->changes[k].field)
                (void)try_changes(a, &a->changes[i], &a->changes[k]);
}

/* ---- The plan itself ---- */

/* As deep as what is said allows: without rates, memory only. A plan that cannot exist has
 * neighbours that can. */
static csz_status compute_base(advising *a, const cszi_workload *workload,
                               const cszi_cluster *cluster, cszi_error *error)
{
    cszi_estimate e;
    csz_reason reason;
    csz_status opened = CSZ_OK, status = CSZ_ERR_MISSING;
    for (int depth = (int)cszi_deepest(workload, cluster);
         depth >= CSZ_DEPTH_FIT && status == CSZ_ERR_MISSING; depth--) {
        cszi_error_clear(error);
        e.stages = NULL;
        cszi_estimate_clear(&e);
        a->depth = (csz_depth)depth;
        opened = cszi_case_open(&a->c, workload, cluster, depth >= CSZ_DEPTH_STEP, error);
        status = opened;
        if (opened == CSZ_OK)
            status = cszi_case_compute(&a->c, a->base, a->depth, &e, &reason, error);
    }
    a->total = status == CSZ_OK ? e.memory_total.likely : (double)NAN;
    a->time = status == CSZ_OK ? e.step_time.likely : (double)NAN;
    return status == CSZ_ERR_CONFLICT && opened == CSZ_OK ? CSZ_OK : status;
}

csz_status cszi_advise(cszi_ranking *ranking, const cszi_workload *workload,
                       const cszi_cluster *cluster, const cszi_plan *plan, cszi_error *error)
{
    advising a = {.ranking = ranking, .base = plan};
    csz_status status;
    cszi_ranking_clear(ranking);
    status = compute_base(&a, workload, cluster, error);
    if (status != CSZ_OK)
        return status;
    cszi_error_clear(error);
    try_degrees(&a);
    try_choices(&a);
    if (ranking->count == 0)
        try_pairs(&a);
    if (ranking->count > 0)
        cszi_ranking_head(ranking, cluster);
    return CSZ_OK;
}
