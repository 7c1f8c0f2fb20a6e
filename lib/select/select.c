/* select.c: a ranking, its order, and the best plans for one count of accelerators. */
#include <math.h>
#include <string.h>

#include "base/field_rows.h"
#include "select/search.h"

#define CSZI_RECORD_flat cszi_ranking
enum { CSZI_LIST_flat };
static const cszi_field_row rows[] = {
#include "select/ranking.inc"
};
const cszi_table cszi_ranking_table = {
    "ranking", CSZI_MODE_RESULT, rows, sizeof rows / sizeof *rows, {{"", 0, 0, 0, 0, 0, 0}}, 1,
};

void cszi_ranking_unset(cszi_ranking *ranking)
{
    cszi_ranking_clear(ranking);
    ranking->candidates = (double)NAN;
    ranking->valid = (double)NAN;
    ranking->fitting = (double)NAN;
    ranking->evaluated = (double)NAN;
}

void cszi_ranking_clear(cszi_ranking *ranking)
{
    memset(ranking->rejected, 0, sizeof ranking->rejected);
    ranking->count = 0;
    ranking->tolerant = 0;
    ranking->candidates = 0;
    ranking->valid = 0;
    ranking->fitting = 0;
    ranking->evaluated = 0;
    ranking->nodes = INT64_MIN;
    ranking->accelerators = INT64_MIN;
}

/* ---- One plan ---- */

void cszi_entry_of(const cszi_plan *plan, const cszi_estimate *e, cszi_entry *entry)
{
    entry->plan = *plan;
    entry->accelerators = e->batch_accelerators;
    entry->time = isnan(e->run_time.likely) ? e->step_time.likely : e->run_time.likely;
    if (isnan(entry->time))
        entry->time = 0; /* of an estimate that stops at memory */
    entry->cost = isnan(e->run_cost.likely) ? 0 : e->run_cost.likely;
    entry->fit_probability = e->memory_fit_probability;
    entry->fit = e->memory_fit;
    entry->least = entry->time;
    entry->band = isnan(e->step_time.likely) ? 1 : e->step_time.high / e->step_time.low;
}

/* ---- Limits that contradict each other ---- */

/* Plans under some of the goal's limits. */
static double valid_under(cszi_search *s, const cszi_goal *goal, uint64_t limits)
{
    cszi_goal some = *goal;
    some.limited = limits;
    return cszi_search_valid(s, &some);
}

static csz_status contradict(const cszi_search *s, const cszi_goal *goal, size_t a, size_t b,
                             cszi_error *error)
{
    const cszi_field_row *one = &cszi_plan_table.rows[a], *other = &cszi_plan_table.rows[b];
    return cszi_fail(error, CSZ_ERR_CONFLICT, one->id,
                     "%s of %g to %g and %s of %g to %g contradict each other: each alone leaves "
                     "plans on %lld accelerators, both leave none",
                     one->name, goal->lowest[a], goal->highest[a], other->name, goal->lowest[b],
                     goal->highest[b], (long long)s->cluster.accelerators);
}

/* When no plan can exist: the first two limits of which each alone leaves some, but not both. */
static csz_status find_contradiction(cszi_search *s, const cszi_goal *goal, cszi_error *error)
{
    uint64_t free = 0; /* limits that leave plans */
    for (size_t i = 0; i < cszi_plan_table.count; i++) {
        uint64_t bit = (uint64_t)1 << i;
        if ((goal->limited & bit) == 0 || valid_under(s, goal, bit) <= 0)
            continue;
        for (size_t k = 0; k < i; k++)
            if ((free >> k & 1) != 0 && valid_under(s, goal, bit | (uint64_t)1 << k) <= 0)
                return contradict(s, goal, k, i, error);
        free |= bit;
    }
    return CSZ_OK;
}

/* ---- Plans that count as equally fast ---- */

static void sort_equals(cszi_ranking *ranking, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        cszi_entry entry = ranking->entries[i];
        size_t at = i;
        for (; at > 0 && cszi_entry_preferred(&entry, &ranking->entries[at - 1]); at--)
            ranking->entries[at] = ranking->entries[at - 1];
        ranking->entries[at] = entry;
    }
}

/* Orders plans near the best one; when there are more of them than rows, all are looked at. Counts
 * stay those of the first search. */
static csz_status prefer(cszi_search *s, const cszi_progress *progress, cszi_error *error)
{
    cszi_ranking *r = s->ranking, before;
    double most = r->entries[0].least * (1 + s->goal->tolerance);
    csz_status status;
    size_t equals = 0;
    if (r->entries[0].fit_probability < s->goal->fit_confidence)
        return CSZ_OK;
    while (equals < r->count && r->entries[equals].least <= most &&
           r->entries[equals].fit_probability >= s->goal->fit_confidence)
        equals++;
    if (equals < r->room) {
        sort_equals(r, equals);
        return CSZ_OK;
    }
    before = *r;
    r->tolerant = 1;
    s->within = most;
    status = cszi_search_count(s, s->cluster.accelerators, progress, error);
    before.count = r->count;
    before.evaluated = r->evaluated;
    *r = before;
    s->within = 0;
    return status;
}

csz_status cszi_select(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                       const cszi_cluster *cluster, const cszi_goal *goal,
                       const cszi_progress *progress, cszi_error *error)
{
    csz_status status;
    if (cluster->accelerators == 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_ACCELERATORS,
                         "accelerators: is not set; a selection is for a count");
    status = cszi_search_open(s, ranking, workload, cluster, goal, error);
    if (status == CSZ_OK)
        status = cszi_search_count(s, cluster->accelerators, progress, error);
    if (status == CSZ_OK && ranking->valid <= 0)
        status = find_contradiction(s, goal, error);
    if (status == CSZ_OK && ranking->count > 0 && goal->tolerance > 0)
        status = prefer(s, progress, error);
    if (status == CSZ_OK && ranking->count > 0)
        cszi_ranking_head(ranking, cluster);
    return status;
}

void cszi_ranking_head(cszi_ranking *ranking, const cszi_cluster *cluster)
{
    int64_t each = cluster->accelerators_per_node > 0 ? cluster->accelerators_per_node : 1;
    ranking->accelerators = ranking->entries[0].accelerators;
    ranking->nodes = (ranking->accelerators + each - 1) / each;
}
