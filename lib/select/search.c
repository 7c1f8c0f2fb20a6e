/* search.c: a search over plans by branch and bound: what the goal fixes, the counts that it is
 * asked for, and how many plans it left out. */
#include <math.h>
#include <string.h>

#include "estimate/flops.h"
#include "plan/slots.h"
#include "select/search.h"

/* ---- Fields that are not part of the space ---- */

/* A limit to one value sets them; one with a range is tried in every value. */
static void fix_others(cszi_search *s)
{
    static const size_t fixed[] = {CSZI_SLOT_CSZ_PLAN_SEQUENCE_PARALLEL,
                                   CSZI_SLOT_CSZ_PLAN_EMBEDDING_COUNTS};
    s->ranged_count = 0;
    for (size_t slot = 0; slot < cszi_plan_table.count; slot++) {
        const cszi_field_row *row = &cszi_plan_table.rows[slot];
        if ((s->goal->limited >> slot & 1) == 0 || cszi_goal_varies(row->id))
            continue;
        (void)cszi_field_set_f64(&cszi_plan_table, &s->plan, row, 0, s->goal->lowest[slot], NULL);
        if (s->goal->lowest[slot] < s->goal->highest[slot])
            s->ranged[s->ranged_count++] = slot;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        size_t slot = fixed[i];
        if ((s->goal->limited >> slot & 1) != 0 &&
            !(s->goal->lowest[slot] < s->goal->highest[slot]))
            (void)cszi_field_set_f64(&cszi_plan_table, &s->plan, &cszi_plan_table.rows[slot], 0,
                                     s->goal->lowest[slot], NULL);
    }
}

/* The next combination of fields with a range; 0 after the last. */
static int next_others(cszi_search *s)
{
    for (size_t i = 0; i < s->ranged_count; i++) {
        size_t slot = s->ranged[i];
        const cszi_field_row *row = &cszi_plan_table.rows[slot];
        double value = 0;
        (void)cszi_field_get_f64(&cszi_plan_table, &s->plan, row, 0, &value);
        value = value < s->goal->highest[slot] ? value + 1 : s->goal->lowest[slot];
        (void)cszi_field_set_f64(&cszi_plan_table, &s->plan, row, 0, value, NULL);
        if (value > s->goal->lowest[slot])
            return 1;
    }
    return 0;
}

/* ---- A search ---- */

/* What the goal fixes. */
static void open_plan(cszi_search *s)
{
    const cszi_goal *goal = s->goal;
    cszi_fields_init(&cszi_plan_table, &s->plan, sizeof s->plan);
    fix_others(s);
    if (goal->stack[0] != '\0')
        (void)cszi_field_set_text(&cszi_plan_table, &s->plan,
                                  cszi_table_row(&cszi_plan_table, CSZ_PLAN_STACK), 0, goal->stack,
                                  strlen(goal->stack), NULL, NULL);
}

csz_status cszi_search_open(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                            const cszi_cluster *cluster, const cszi_goal *goal, cszi_error *error)
{
    csz_status status;
    double tokens = (double)cszi_phase_tokens(workload, 0);
    s->ranking = ranking;
    s->workload = workload;
    s->cluster = *cluster;
    s->goal = goal;
    s->cutoff = s->unsure = s->within = 0;
    s->sure = s->strict = s->counting = 0;
    cszi_ranking_clear(ranking);
    if (s->cluster.accelerators == 0)
        s->cluster.accelerators = 1;
    memset(&s->c, 0, sizeof s->c);
    status = cszi_case_open(&s->c, workload, &s->cluster, 1, error);
    if (status == CSZ_OK)
        status = cszi_phase_batching(workload, 0, s->c.parameters.total, &s->batching, error);
    if (status != CSZ_OK)
        return status;
    s->c.batching = s->batching;
    s->phases = cszi_workload_phase_count(workload);
    s->layers = s->c.parameters.layers;
    s->runs = tokens > 0;
    s->steps = s->runs ? ceil(tokens / cszi_step_tokens(workload, &s->batching)) : 1;
    open_plan(s);
    return CSZ_OK;
}

double cszi_least_seconds(const cszi_search *s)
{
    cszi_case c = s->c;
    cszi_flops f;
    cszi_rates r;
    c.stack = cszi_plan_stack(&s->plan, &s->cluster);
    cszi_case_rates(&c, &r);
    cszi_model_flops(&c, &f);
    return (f.forward + f.backward) * (double)cszi_phase_tokens(s->workload, 0) /
           fmax(r.matrix, fmax(r.wide, r.attention));
}

static double rejections(const cszi_ranking *r)
{
    double sum = 0;
    for (int i = 0; i < CSZI_REASONS; i++)
        sum += r->rejected[i];
    return sum;
}

/* Plans that were neither kept nor computed are slower than the kept ones. */
static void close_count(cszi_search *s, double constraints_before)
{
    cszi_ranking *r = s->ranking;
    double other;
    r->candidates += s->valid;
    r->valid += s->valid;
    r->rejected[CSZ_REASON_MEMORY] += s->memory_rejected;
    other = rejections(r) - constraints_before - (r->candidates - s->valid - s->candidates_before);
    r->rejected[CSZ_REASON_SLOWER] += fmax(0, s->valid - other - (double)r->count);
}

csz_status cszi_search_count(cszi_search *s, int64_t accelerators, const cszi_progress *progress,
                             cszi_error *error)
{
    csz_reason reason = CSZ_REASON_NONE;
    csz_status status;
    double before = rejections(s->ranking);
    s->cluster.accelerators = accelerators;
    s->c.cluster = &s->cluster;
    s->ranking->count = 0;
    s->candidates_before = s->ranking->candidates;
    s->scratch.stages = NULL;
    s->scratch.stage_count = 0;
    s->valid = s->memory_rejected = 0;
    s->c.layout.used = accelerators;
    s->c.stack = cszi_plan_stack(&s->plan, &s->cluster);
    status = cszi_step_check(&s->c, &reason, error);
    if (status != CSZ_OK)
        return status;
    cszi_space_count(s);
    do
        status = cszi_roots_search(s, progress, error);
    while (status == CSZ_OK && next_others(s));
    close_count(s, before);
    return status;
}

double cszi_search_valid(cszi_search *s, const cszi_goal *goal)
{
    const cszi_goal *wanted = s->goal;
    cszi_ranking *to = s->ranking, none = {.entries = NULL};
    s->goal = goal;
    s->ranking = &none;
    s->counting = 1;
    open_plan(s);
    (void)cszi_search_count(s, s->cluster.accelerators, NULL, NULL);
    s->goal = wanted;
    s->ranking = to;
    s->counting = 0;
    return s->valid;
}
