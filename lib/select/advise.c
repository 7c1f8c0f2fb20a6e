/* advise.c: plans one change away from a given one: each degree halved and doubled (data
 * parallelism takes up the rest), each choice switched, the micro-batch halved and doubled. */
#include <math.h>

#include "select/search.h"

typedef struct advising {
    cszi_ranking *ranking;
    const cszi_workload *workload;
    const cszi_cluster *cluster;
    const cszi_plan *base;
    cszi_goal goal; /* defaults: least time */
    cszi_case c;
    csz_depth depth;
} advising;

static void try_change(advising *a, const cszi_plan *plan)
{
    cszi_estimate e;
    cszi_entry entry;
    csz_reason reason;
    csz_status status;
    a->ranking->candidates++;
    e.stages = NULL;
    cszi_estimate_clear(&e);
    status = cszi_case_compute(&a->c, plan, a->depth, &e, &reason, NULL);
    if (status != CSZ_OK || e.memory_fit == CSZ_FIT_NO) {
        a->ranking->rejected[status != CSZ_OK ? reason : CSZ_REASON_MEMORY]++;
        a->ranking->valid += status == CSZ_OK;
        return;
    }
    a->ranking->valid++;
    a->ranking->fitting++;
    cszi_entry_of(plan, &e, &entry);
    cszi_ranking_insert(a->ranking, &entry, &a->goal);
}

static void change(advising *a, csz_field field, int64_t value)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, field);
    cszi_plan plan = *a->base;
    int64_t now = 0;
    (void)cszi_field_get_i64(&cszi_plan_table, &plan, row, 0, &now);
    if (value == now || cszi_field_set_i64(&cszi_plan_table, &plan, row, 0, value, NULL) != CSZ_OK)
        return;
    /* What must follow: the data-parallel degree, and an explicit schedule or layout of another
     * pipeline. */
    cszi_field_unset(&cszi_plan_table, &plan,
                     cszi_table_row(&cszi_plan_table, CSZ_PLAN_DATA_PARALLEL));
    if (field == CSZ_PLAN_PIPELINE_PARALLEL || field == CSZ_PLAN_VIRTUAL_PIPELINE) {
        cszi_field_unset(&cszi_plan_table, &plan,
                         cszi_table_row(&cszi_plan_table, CSZ_PLAN_SCHEDULE));
        cszi_field_unset(&cszi_plan_table, &plan,
                         cszi_table_row(&cszi_plan_table, CSZ_PLAN_FIRST_STAGE_LAYERS));
        cszi_field_unset(&cszi_plan_table, &plan,
                         cszi_table_row(&cszi_plan_table, CSZ_PLAN_LAST_STAGE_LAYERS));
    }
    if (plan.pipeline_parallel == 1 && field == CSZ_PLAN_VIRTUAL_PIPELINE)
        return; /* chunks need a pipeline */
    if (plan.pipeline_parallel == 1)
        plan.virtual_pipeline = 1;
    try_change(a, &plan);
}

static void change_all(advising *a)
{
    static const csz_field degrees[] = {CSZ_PLAN_TENSOR_PARALLEL,  CSZ_PLAN_PIPELINE_PARALLEL,
                                        CSZ_PLAN_VIRTUAL_PIPELINE, CSZ_PLAN_CONTEXT_PARALLEL,
                                        CSZ_PLAN_EXPERT_PARALLEL,  CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
                                        CSZ_PLAN_MICRO_BATCH};
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        int64_t now = 1;
        (void)cszi_field_get_i64(&cszi_plan_table, a->base,
                                 cszi_table_row(&cszi_plan_table, degrees[i]), 0, &now);
        change(a, degrees[i], now * 2);
        if (now % 2 == 0)
            change(a, degrees[i], now / 2);
    }
    for (int64_t zero = CSZ_SHARDING_NONE; zero <= CSZ_SHARDING_PARAMETERS; zero++)
        change(a, CSZ_PLAN_SHARDING, zero);
    for (int64_t r = CSZ_RECOMPUTE_NONE; r <= CSZ_RECOMPUTE_FULL; r++)
        change(a, CSZ_PLAN_RECOMPUTE, r);
    change(a, CSZ_PLAN_SEQUENCE_PARALLEL, !a->c.layout.sequence_parallel);
}

csz_status cszi_advise(cszi_ranking *ranking, const cszi_workload *workload,
                       const cszi_cluster *cluster, const cszi_plan *plan, cszi_error *error)
{
    advising a = {.ranking = ranking, .workload = workload, .cluster = cluster, .base = plan};
    csz_reason reason;
    csz_status status;
    cszi_estimate base;
    cszi_ranking_clear(ranking);
    cszi_fields_init(&cszi_goal_table, &a.goal, sizeof a.goal);
    a.depth = cszi_deepest(workload, cluster);
    status = cszi_case_open(&a.c, workload, cluster, a.depth >= CSZ_DEPTH_STEP, error);
    if (status != CSZ_OK)
        return status;
    base.stages = NULL;
    cszi_estimate_clear(&base);
    status = cszi_case_compute(&a.c, plan, a.depth, &base, &reason, error);
    /* A plan that cannot exist has neighbours that can; what is missing is missing for them too. */
    if (status != CSZ_OK && status != CSZ_ERR_CONFLICT)
        return status;
    cszi_error_clear(error);
    change_all(&a);
    if (ranking->count > 0)
        cszi_ranking_head(ranking, cluster);
    return CSZ_OK;
}
