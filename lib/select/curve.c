/* curve.c: the best plan at each of a ladder of counts: whole nodes, and whole pods above one. */
#include <string.h>

#include "select/curve.h"

/* Powers of two of nodes and half as many again: 1, 2, 3, 4, 6, 8, 12, ... */
static int64_t rung(int i)
{
    int64_t power = (int64_t)1 << (i / 2);
    return i % 2 == 0 ? power : power + power / 2;
}

/* Accelerators of a rung. */
static int64_t count_of(const cszi_cluster *cluster, int64_t nodes)
{
    int64_t node = cluster->accelerators_per_node > 0 ? cluster->accelerators_per_node : 1;
    int64_t pod = cluster->pod_accelerators, count = nodes * node;
    if (!cszi_cluster_has(cluster, CSZ_CLUSTER_POD_ACCELERATORS) || count <= pod)
        return count;
    return (count + pod - 1) / pod * pod;
}

static csz_status put_rungs(cszi_search *s, cszi_ranking *one, const cszi_entry *best,
                            const cszi_cluster *cluster, const cszi_progress *progress,
                            cszi_ranking *to, cszi_error *error)
{
    int64_t most = cszi_most_accelerators(cluster, s->goal), last = 0;
    csz_status status = CSZ_OK;
    for (int i = 0; i < CSZI_RUNGS && to->count < to->room && status == CSZ_OK;
         i += i == 0 ? 2 : 1) {
        int64_t count = count_of(cluster, rung(i));
        if (count > most)
            break;
        if (count == last || count < s->goal->minimum_accelerators)
            continue;
        last = count;
        if (progress != NULL && progress->fn != NULL &&
            progress->fn(progress->user, (double)i / CSZI_RUNGS) != 0)
            return cszi_fail(error, CSZ_ERR_CANCELLED, CSZ_FIELD_NONE, "cancelled");
        status = cszi_search_count(s, count, NULL, error);
        if (status == CSZ_OK && one->count > 0)
            to->entries[to->count++] = *best;
    }
    return status;
}

csz_status cszi_sizing_curve(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                             const cszi_cluster *cluster, const cszi_goal *goal,
                             const cszi_progress *progress, cszi_error *error)
{
    cszi_entry best;
    cszi_ranking one = {.entries = &best, .room = 1};
    csz_status status;
    cszi_ranking_clear(ranking);
    status = cszi_search_open(s, &one, workload, cluster, goal, error);
    if (status == CSZ_OK && !s->runs)
        status = cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_TOKENS,
                           "tokens: is not set; a curve of time needs the tokens of the run");
    if (status == CSZ_OK)
        status = put_rungs(s, &one, &best, cluster, progress, ranking, error);
    ranking->candidates = one.candidates;
    ranking->valid = one.valid;
    ranking->fitting = one.fitting;
    memcpy(ranking->rejected, one.rejected, sizeof ranking->rejected);
    return status;
}
