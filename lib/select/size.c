/* size.c: the least count, in whole nodes, whose best plan meets deadline and budget, and the trade
 * around it.
 *
 * Time does not fall evenly with the count, since degrees must divide it: from a lower bound on,
 * every count of nodes is tried until one meets the goal. */
#include <math.h>
#include <string.h>

#include "select/search.h"

typedef struct sizing {
    cszi_search *s;
    cszi_entry best; /* room of one for the search */
    cszi_ranking one;
    int64_t node; /* accelerators in a node */
    const cszi_progress *progress;
    cszi_error *error;
} sizing;

/* The best plan at a count of nodes; found is 0 when none is valid, fits and (strict) meets the
 * goal. */
static csz_status best_at(sizing *z, int64_t nodes, int strict, int *found)
{
    csz_status status;
    z->s->strict = strict;
    z->s->cutoff = strict ? z->s->goal->deadline : 0;
    status = cszi_search_count(z->s, nodes * z->node, NULL, z->error);
    *found = status == CSZ_OK && z->one.count > 0;
    return status;
}

/* No fewer nodes can: FLOPs at the full reached rate against the deadline. */
static int64_t fewest_nodes(sizing *z)
{
    const cszi_goal *goal = z->s->goal;
    double least = (double)goal->minimum_accelerators;
    if (goal->deadline > 0)
        least = fmax(least, floor(cszi_least_seconds(z->s) / goal->deadline));
    least = ceil(fmax(least, 1) / (double)z->node);
    return (int64_t)fmin(fmax(least, 1), 1e7);
}

static csz_status report(sizing *z, double done)
{
    if (z->progress != NULL && z->progress->fn != NULL &&
        z->progress->fn(z->progress->user, done) != 0)
        return cszi_fail(z->error, CSZ_ERR_CANCELLED, CSZ_FIELD_NONE, "cancelled");
    return CSZ_OK;
}

/* The first count from `fewest` on whose best plan meets the goal; 0 when none up to `most` does.
 */
static csz_status find_least(sizing *z, int64_t fewest, int64_t most, int64_t *least)
{
    *least = 0;
    for (int64_t nodes = fewest; nodes <= most && *least == 0; nodes++) {
        int found = 0;
        csz_status status = best_at(z, nodes, 1, &found);
        if (status == CSZ_OK)
            status = report(z, (double)(nodes - fewest) / (double)(most - fewest + 1));
        if (status != CSZ_OK)
            return status;
        if (found)
            *least = nodes;
    }
    return CSZ_OK;
}

/* When no count meets the goal: what powers of two of nodes give, the larger ones if not all have
 * room. */
static csz_status put_sweep(sizing *z, cszi_ranking *to, int64_t most)
{
    for (int64_t nodes = 1; nodes <= most; nodes *= 2) {
        int found = 0;
        csz_status status = best_at(z, nodes, 0, &found);
        if (status == CSZ_OK)
            status = report(z, 1);
        if (status != CSZ_OK)
            return status;
        if (found && to->count == to->room)
            memmove(to->entries, to->entries + 1, --to->count * sizeof *to->entries);
        if (found)
            to->entries[to->count++] = z->best;
    }
    return CSZ_OK;
}

static csz_status put_count(sizing *z, cszi_ranking *to, int64_t nodes)
{
    int found = 0;
    csz_status status = best_at(z, nodes, 0, &found);
    if (status == CSZ_OK && found && to->count < to->room)
        to->entries[to->count++] = z->best;
    return status;
}

/* Powers of two around the answer, which have the most divisors, and half as many nodes again,
 * whatever they miss; ascending. */
static csz_status put_trade(sizing *z, cszi_ranking *to, int64_t around, int64_t most)
{
    int64_t power = (int64_t)exp2(floor(log2((double)around))), half = around + (around + 1) / 2;
    int64_t counts[] = {power / 2, power, 2 * power, 4 * power, 8 * power};
    csz_status status = CSZ_OK;
    for (size_t i = 0; status == CSZ_OK && i < sizeof counts / sizeof *counts; i++) {
        if (half > 0 && half < counts[i]) {
            if (half <= most)
                status = put_count(z, to, half);
            half = 0;
        }
        if (half == counts[i])
            half = 0;
        if (status == CSZ_OK && counts[i] >= 1 && counts[i] <= most && counts[i] != around)
            status = put_count(z, to, counts[i]);
    }
    return status;
}

int64_t cszi_most_accelerators(const cszi_cluster *cluster, const cszi_goal *goal)
{
    int64_t most = goal->maximum_accelerators, domain = cluster->scale_up_domain;
    if (cluster->scale_out_bandwidth > 0)
        return most;
    return most < domain ? most : domain > 0 ? domain : 1;
}

static csz_status check_goal(const cszi_cluster *cluster, const cszi_goal *goal, const sizing *z,
                             cszi_error *error)
{
    if (goal->minimum_accelerators > goal->maximum_accelerators)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_GOAL_MINIMUM_ACCELERATORS,
                         "minimum_accelerators: %lld is above maximum_accelerators %lld",
                         (long long)goal->minimum_accelerators,
                         (long long)goal->maximum_accelerators);
    if (goal->budget > 0 && cluster->price <= 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_PRICE,
                         "price: is not set; a budget needs one, or an offer of the catalog");
    if ((goal->deadline > 0 || goal->budget > 0) && !z->s->runs)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_TOKENS,
                         "tokens: is not set; a deadline or a budget needs the tokens of the run");
    return CSZ_OK;
}

/* The least count whose plan fits with confidence or, failing that, one that is tight. */
static csz_status search_counts(sizing *z, const cszi_cluster *cluster, int64_t *least,
                                int64_t *most)
{
    csz_status status = CSZ_OK;
    int64_t fewest = fewest_nodes(z);
    *most = cszi_most_accelerators(cluster, z->s->goal) / z->node;
    *least = 0;
    if (z->s->goal->budget > 0 &&
        cszi_least_seconds(z->s) / 3600 * cluster->price > z->s->goal->budget)
        return CSZ_OK; /* not at the full reached rate on one accelerator */
    for (int tight = 0; tight <= 1 && *least == 0 && status == CSZ_OK; tight++) {
        if (tight && z->s->unsure <= 0)
            break; /* nothing was tight */
        z->s->sure = !tight;
        status = find_least(z, fewest, *most, least);
    }
    if (status == CSZ_OK && *least == 0 && *most < z->s->goal->maximum_accelerators / z->node)
        return cszi_fail(z->error, CSZ_ERR_MISSING, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH,
                         "scale_out_bandwidth: is not set, and no count inside the scale-up domain "
                         "of %lld meets the goal; set it or name a node or fabric",
                         (long long)cluster->scale_up_domain);
    return status;
}

static csz_status put_answer(sizing *z, cszi_ranking *to, int64_t least, int64_t most)
{
    int found = 0;
    csz_status status;
    if (least == 0)
        return put_sweep(z, to, most);
    status = best_at(z, least, 1, &found);
    if (found)
        to->entries[to->count++] = z->best;
    z->s->sure = 0;
    return status == CSZ_OK ? put_trade(z, to, least, most) : status;
}

csz_status cszi_size(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                     const cszi_cluster *cluster, const cszi_goal *goal,
                     const cszi_progress *progress, cszi_error *error)
{
    sizing z;
    int64_t least = 0, most = 0;
    csz_status status;
    z.one = (cszi_ranking){.entries = &z.best, .room = 1};
    z.s = s;
    z.node = cluster->accelerators_per_node > 0 ? cluster->accelerators_per_node : 1;
    z.progress = progress;
    z.error = error;
    cszi_ranking_clear(ranking);
    status = cszi_search_open(s, &z.one, workload, cluster, goal, error);
    if (status == CSZ_OK)
        status = check_goal(cluster, goal, &z, error);
    if (status == CSZ_OK)
        status = search_counts(&z, cluster, &least, &most);
    if (status == CSZ_OK)
        status = put_answer(&z, ranking, least, most);
    ranking->candidates = z.one.candidates;
    ranking->valid = z.one.valid;
    ranking->fitting = z.one.fitting;
    for (int i = 0; i < CSZI_REASONS; i++)
        ranking->rejected[i] = z.one.rejected[i];
    if (status == CSZ_OK && least != 0)
        cszi_ranking_head(ranking, cluster);
    return status;
}
