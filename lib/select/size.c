/* size.c: the least count, in whole nodes, whose best plan meets deadline and budget, and the trade
 * around it.
 *
 * Time does not fall evenly with the count (degrees must divide it), so every count is tried: first
 * doubling from a lower bound until one meets the goal, then one node at a time from the bound up
 * to it. */
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

/* Doubles until a count meets the goal: *above is that count, 0 when none up to the most does. */
static csz_status find_above(sizing *z, int64_t fewest, int64_t most, int64_t *above)
{
    int found = 0;
    *above = 0;
    for (int64_t nodes = fewest; nodes <= most && *above == 0;) {
        csz_status status = best_at(z, nodes, 1, &found);
        if (status == CSZ_OK)
            status = report(z, 0);
        if (status != CSZ_OK)
            return status;
        if (found)
            *above = nodes;
        if (nodes == most)
            break;
        /* Powers of two have the most divisors. */
        nodes = (int64_t)exp2(floor(log2((double)nodes)) + 1);
        nodes = nodes < most ? nodes : most;
    }
    return CSZ_OK;
}

static csz_status find_least(sizing *z, int64_t fewest, int64_t above, int64_t *least)
{
    int found = 0;
    *least = above;
    for (int64_t nodes = fewest; nodes < above; nodes++) {
        csz_status status = best_at(z, nodes, 1, &found);
        if (status == CSZ_OK)
            status = report(z, (double)(nodes - fewest) / (double)(above - fewest));
        if (status != CSZ_OK)
            return status;
        if (found) {
            *least = nodes;
            break;
        }
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

/* Counts from a quarter to four times the answer, whatever they miss. */
static csz_status put_trade(sizing *z, cszi_ranking *to, int64_t around, int64_t most)
{
    static const double shares[] = {0.25, 0.5, 0.75, 1.5, 2, 4};
    for (size_t i = 0; i < sizeof shares / sizeof *shares && to->count < to->room; i++) {
        int64_t nodes = (int64_t)ceil((double)around * shares[i]);
        int found = 0;
        csz_status status;
        if (nodes > most || nodes == around ||
            (to->count > 0 && to->entries[to->count - 1].accelerators == nodes * z->node))
            continue;
        status = best_at(z, nodes, 0, &found);
        if (status != CSZ_OK)
            return status;
        if (found)
            to->entries[to->count++] = z->best;
    }
    return CSZ_OK;
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

csz_status cszi_size(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                     const cszi_cluster *cluster, const cszi_goal *goal,
                     const cszi_progress *progress, cszi_error *error)
{
    sizing z;
    int64_t fewest, most, above = 0, least = 0;
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
    if (status != CSZ_OK)
        return status;
    fewest = fewest_nodes(&z);
    most = goal->maximum_accelerators / z.node;
    status = find_above(&z, fewest, most, &above);
    if (status == CSZ_OK && above != 0)
        status = find_least(&z, fewest, above, &least);
    if (status == CSZ_OK && least != 0) {
        int found = 0;
        status = best_at(&z, least, 1, &found);
        if (found)
            ranking->entries[ranking->count++] = z.best;
    }
    if (status == CSZ_OK)
        status = least != 0 ? put_trade(&z, ranking, least, most) : put_sweep(&z, ranking, most);
    ranking->candidates = z.one.candidates;
    ranking->valid = z.one.valid;
    ranking->fitting = z.one.fitting;
    for (int i = 0; i < CSZI_REASONS; i++)
        ranking->rejected[i] = z.one.rejected[i];
    if (status == CSZ_OK && least != 0)
        cszi_ranking_head(ranking, cluster);
    return status;
}
