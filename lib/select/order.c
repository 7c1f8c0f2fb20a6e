/* order.c: which of two plans comes first, and the list of the best ones. */
#include <math.h>
#include <string.h>

#include "plan/slots.h"
#include "select/search.h"

/* To about nine digits, so that the order does not depend on a platform's last bits: the nearest
 * double of 30 binary digits. */
static double rounded(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + ((uint64_t)1 << 21)) & ~(((uint64_t)1 << 22) - 1);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* Fewer moving parts first: no context parallelism, lower pipeline, lower tensor, no offload, less
 * recomputation, less sharding; then the other fields. */
#define PARTS 22

static void list_parts(const cszi_plan *p, int64_t parts[PARTS])
{
    const int64_t all[PARTS] = {
        p->context_parallel,
        p->pipeline_parallel,
        p->tensor_parallel,
        (int64_t)(p->offload_optimizer * 1048576),
        p->recompute == CSZ_RECOMPUTE_FULL         ? 3
        : p->recompute == CSZ_RECOMPUTE_OPERATIONS ? 2
                                                   : p->recompute,
        p->recompute == CSZ_RECOMPUTE_FULL && p->recompute_layers == 0 ? INT64_MAX
                                                                       : p->recompute_layers,
        p->recompute_norm + p->recompute_activation + p->recompute_latent + p->recompute_mlp +
            p->recompute_experts,
        p->sharding,
        p->shard_group,
        p->virtual_pipeline,
        p->schedule,
        p->embedding_counts,
        p->expert_parallel,
        p->expert_tensor_parallel,
        p->micro_batch,
        CSZI_PLAN_SETS(p, CSZ_PLAN_SEQUENCE_PARALLEL) && !p->sequence_parallel,
        p->recompute_experts,
        p->recompute_mlp,
        p->recompute_latent,
        p->recompute_activation,
        p->recompute_norm,
        p->data_parallel};
    memcpy(parts, all, sizeof all);
}

static int by_fields(const cszi_plan *a, const cszi_plan *b)
{
    for (size_t i = 0; i < cszi_plan_table.count; i++) {
        const cszi_field_row *row = &cszi_plan_table.rows[i];
        double x = 0, y = 0;
        (void)cszi_field_get_f64(&cszi_plan_table, a, row, 0, &x);
        (void)cszi_field_get_f64(&cszi_plan_table, b, row, 0, &y);
        if (x < y || x > y)
            return x < y;
    }
    return 0;
}

static int by_parts(const cszi_plan *a, const cszi_plan *b)
{
    int64_t x[PARTS], y[PARTS];
    list_parts(a, x);
    list_parts(b, y);
    for (size_t i = 0; i < PARTS; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return by_fields(a, b);
}

/* Confident fits first; then time, in whose order cost stands too, since all entries have the same
 * count; then fewer moving parts. */
static int comes_before(const cszi_entry *a, const cszi_entry *b, const cszi_goal *goal)
{
    int sure_a = a->fit_probability >= goal->fit_confidence,
        sure_b = b->fit_probability >= goal->fit_confidence;
    double x = rounded(a->least), y = rounded(b->least);
    if (sure_a != sure_b)
        return sure_a;
    return x < y || (!(y < x) && by_parts(&a->plan, &b->plan));
}

/* Of equally fast plans. */
int cszi_entry_preferred(const cszi_entry *a, const cszi_entry *b)
{
    double p = floor(a->fit_probability * 1000 + 0.5), q = floor(b->fit_probability * 1000 + 0.5);
    double x = rounded(a->band), y = rounded(b->band);
    if (p > q || p < q)
        return p > q;
    if (x < y || x > y)
        return x < y;
    return by_parts(&a->plan, &b->plan);
}

/* Keeps the best `room` entries in order. */
void cszi_ranking_insert(cszi_ranking *ranking, const cszi_entry *entry, const cszi_goal *goal)
{
    size_t at = ranking->count;
    while (at > 0 && (ranking->tolerant ? cszi_entry_preferred(entry, &ranking->entries[at - 1])
                                        : comes_before(entry, &ranking->entries[at - 1], goal)))
        at--;
    if (ranking->count == ranking->room) {
        ranking->rejected[CSZ_REASON_SLOWER]++;
        if (at == ranking->room)
            return;
        ranking->count--;
    }
    memmove(&ranking->entries[at + 1], &ranking->entries[at],
            (ranking->count - at) * sizeof *entry);
    ranking->entries[at] = *entry;
    ranking->count++;
}
