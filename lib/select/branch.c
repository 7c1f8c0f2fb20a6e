/* branch.c: the best plans under a root. Expert degrees come in the order of a bound of their step
 * time, then pipelines, then recomputation, then sharding. A part whose bound lies above the last
 * kept plan, or whose states and activations do not fit, is counted and left. What remains is
 * computed by the estimate. */
#include <math.h>

#include "plan/slots.h"
#include "project/run.h"
#include "select/search.h"

/* ---- What can still be kept ---- */

/* Step times up to this can enter the list; those of plans that surely do not fit with the goal's
 * confidence. */
static double last_time(const cszi_search *s, int unsure)
{
    const cszi_ranking *r = s->ranking;
    const cszi_entry *last;
    double most = s->cutoff > 0 ? s->cutoff / s->steps : (double)INFINITY;
    if (unsure && (s->sure || s->within > 0))
        return 0;
    if (s->within > 0)
        return s->within;
    if (r->count < r->room)
        return most;
    last = &r->entries[r->count - 1];
    if (last->fit_probability >= s->goal->fit_confidence)
        return unsure ? 0 : fmin(most, last->least * (1 + 1e-8));
    return unsure ? fmin(most, last->least * (1 + 1e-8)) : most;
}

double cszi_branch_most_time(const cszi_search *s)
{
    return fmax(last_time(s, 0), last_time(s, 1));
}

/* ---- One plan ---- */

/* Why it does not fit, if so. The host counts where it holds what is offloaded. */
static csz_reason misfit(const cszi_search *s, const cszi_estimate *e)
{
    if (e->memory_fit == CSZ_FIT_NO)
        return CSZ_REASON_MEMORY;
    return e->host_fit == CSZ_FIT_NO && cszi_has_offload(&s->c.layout) ? CSZ_REASON_HOST_MEMORY
                                                                       : CSZ_REASON_NONE;
}

static int misses_goal(cszi_search *s, const cszi_entry *entry)
{
    if (s->goal->deadline > 0 && s->runs && entry->time > s->goal->deadline) {
        s->ranking->rejected[CSZ_REASON_DEADLINE]++;
        return s->strict;
    }
    if (s->goal->budget > 0 && entry->cost > s->goal->budget) {
        s->ranking->rejected[CSZ_REASON_BUDGET]++;
        return s->strict;
    }
    if (s->sure && entry->fit_probability < s->goal->fit_confidence) {
        s->ranking->rejected[CSZ_REASON_MEMORY]++;
        s->unsure++;
        return 1;
    }
    return 0;
}

/* Time and run; a job of several phases is computed as a whole, since each must fit. */
static csz_status complete(cszi_search *s, cszi_estimate *e, csz_reason *reason)
{
    cszi_case c = s->c;
    csz_depth depth = s->runs ? CSZ_DEPTH_RUN : CSZ_DEPTH_STEP;
    if (s->phases > 1) {
        cszi_estimate_clear(e);
        return cszi_case_compute(&c, &s->plan, depth, e, reason, NULL);
    }
    cszi_estimate_step_with(&c, &s->rates, s->times, e);
    return s->runs ? cszi_case_run(&c, &s->plan, e, reason, NULL) : CSZ_OK;
}

static csz_status evaluate(cszi_search *s, cszi_estimate *e, csz_reason *reason)
{
    csz_status status = cszi_plan_settle(&s->plan, s->workload, &s->cluster, &s->batching,
                                         &s->c.layout, reason, NULL);
    e->stages = NULL;
    cszi_estimate_clear(e);
    s->ranking->evaluated++;
    if (status != CSZ_OK)
        return status;
    cszi_estimate_fit(&s->c, e);
    *reason = misfit(s, e);
    if (*reason == CSZ_REASON_NONE)
        status = cszi_host_check(&s->c, e, reason, NULL);
    if (status == CSZ_OK && *reason == CSZ_REASON_NONE)
        status = complete(s, e, reason);
    if (status == CSZ_OK && *reason == CSZ_REASON_NONE)
        *reason = misfit(s, e);
    return status;
}

static void try_plan(cszi_search *s)
{
    cszi_estimate e;
    cszi_entry entry;
    csz_reason reason = CSZ_REASON_NONE;
    csz_status status = evaluate(s, &e, &reason);
    if (status != CSZ_OK || reason != CSZ_REASON_NONE) {
        s->ranking->rejected[reason]++;
        return;
    }
    s->ranking->fitting++;
    cszi_entry_of(&s->plan, &e, &entry);
    entry.least = s->phases > 1 ? entry.time / s->steps : e.step_time.likely;
    if (s->within > 0 &&
        (entry.least > s->within || entry.fit_probability < s->goal->fit_confidence))
        return; /* slower */
    if (!misses_goal(s, &entry))
        cszi_ranking_insert(s->ranking, &entry, s->goal);
}

/* ---- Sharding under a pipeline and a recomputation ---- */

/* A layout that differs in its sharding (plan/software.c, settle_shards). */
static void lay_state(cszi_search *s, const cszi_state *state)
{
    cszi_layout *l = &s->c.layout;
    cszi_space_state(s, state);
    l->sharding = state->sharding;
    l->group = state->group != 0 ? state->group : cszi_layout_dense_shards(l);
    l->reshard = CSZI_PLAN_SETS(&s->plan, CSZ_PLAN_RESHARD) ? s->plan.reshard : l->p == 1;
    if (l->sharding == CSZ_SHARDING_GRADIENTS && l->stack->gathers_once) {
        l->sharding = CSZ_SHARDING_PARAMETERS;
        l->reshard = 0;
    }
    l->offload_optimizer = state->offload;
}

/* Whether so many plans that need at least these bytes may fit, and how fast they must be then. */
static int has_room(cszi_search *s, double bytes, double plans, double *most)
{
    const double *limits = cszi_bound_memory(s);
    if (bytes > limits[0]) {
        s->memory_rejected += plans;
        return 0;
    }
    *most = last_time(s, bytes > limits[1]);
    if (bytes > limits[1] && s->sure)
        s->unsure++;
    return 1;
}

typedef struct pipeline {
    const cszi_shape *shape;
    cszi_recipe recipe;
    cszi_tenant first; /* its first stage */
    double flight;     /* micro-batches in flight there */
    double least;      /* B of states that stand there, whatever the sharding */
    cszi_tenant whole; /* any stage under the recomputation at work */
    int casts;
    int some_whole; /* states of all ranks are among those that are tried */
} pipeline;

/* What stands on the first stage. */
static void stand_state(cszi_search *s, pipeline *at, cszi_state *state)
{
    if (state->standing > 0)
        return;
    lay_state(s, state);
    state->standing = cszi_tenant_standing(&at->first) * (1 - 1e-9);
}

/* Bytes allocated at the peaks of the first, the second and the last stage, one of which is nearly
 * always the largest. */
static double ends_peak(cszi_search *s, cszi_tenant *tenant)
{
    const int64_t p = s->c.layout.p, stages[] = {0, 1, p - 1};
    cszi_stage at;
    double most = 0;
    for (size_t i = 0; i < 3; i++) {
        if (i > 0 && (stages[i] == stages[i - 1] || stages[i] >= p))
            continue;
        (void)cszi_tenant_enter(tenant, stages[i]);
        (void)cszi_tenant_standing(tenant);
        cszi_stage_peak(tenant, stages[i], &at);
        most = fmax(most, at.allocated);
    }
    return most * (1 - 1e-9);
}

/* Whether a state leaves room for what is kept, by the peaks of the stages; *most as by has_room.
 */
static int peaks_fit(cszi_search *s, pipeline *at, double *most)
{
    int casts = cszi_case_casts(&s->c); /* on which kept activations depend */
    if (casts != at->casts)
        cszi_tenant_open(&s->c, &at->recipe, &at->whole);
    at->casts = casts;
    return has_room(s, ends_peak(s, &at->whole), 1, most);
}

static void open_step(cszi_search *s, int first)
{
    if (first)
        cszi_case_layer_times(&s->c, &s->rates, s->times);
    cszi_step_open(&s->step, &s->c, &s->rates, s->times, &s->scratch);
}

/* Under a settled pipeline and recomputation, whose kept activations need so many bytes. The first
 * state must show that it fits before stages are timed; later ones that they are fast enough. */
static void search_states(cszi_search *s, pipeline *at, double bound, double kept)
{
    int moves = s->workload->optimizer == CSZ_OPTIMIZER_MUON, opened = 0;
    at->casts = -1;
    for (size_t i = 0; i < s->state_count; i++) {
        double most;
        stand_state(s, at, &s->states[i]);
        if (!has_room(s, s->states[i].standing + kept, 1, &most) || bound > most)
            continue;
        lay_state(s, &s->states[i]);
        if (opened && !moves && cszi_step_terms(&s->step, &s->scratch) > most)
            continue;
        if (!peaks_fit(s, at, &most) || bound > most)
            continue;
        if (!opened || moves)
            open_step(s, !opened);
        opened = 1;
        if (cszi_step_terms(&s->step, &s->scratch) <= most)
            try_plan(s);
    }
}

/* ---- Recomputation under a pipeline ---- */

/* The plan of a shape, settled; NONE when there is one. */
static csz_reason lay_shape(cszi_search *s, const cszi_shape *shape,
                            const cszi_recomputation *again)
{
    csz_reason reason = CSZ_REASON_NONE;
    cszi_space_shape(s, shape);
    cszi_space_recompute(s, again);
    cszi_space_state(s, &s->states[0]);
    (void)cszi_plan_settle(&s->plan, s->workload, &s->cluster, &s->batching, &s->c.layout, &reason,
                           NULL);
    return reason;
}

/* What stands on the first stage when all ranks share what is shared, which leaves least. */
static double stand_whole(cszi_search *s, pipeline *at)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < s->state_count; i++) {
        if (s->states[i].group != 0 && at->some_whole)
            continue;
        stand_state(s, at, &s->states[i]);
        least = fmin(least, s->states[i].standing);
    }
    return least;
}

/* 0 when no plan of it is fast enough. */
static int search_recomputation(cszi_search *s, pipeline *at, const cszi_recomputation *again)
{
    double bound = cszi_bound_shape(s, at->shape, again), kept, most;
    csz_reason reason;
    if (bound > cszi_branch_most_time(s))
        return 0;
    kept = at->flight * cszi_bound_kept(s, &at->first, again);
    if (!has_room(s, at->least + kept, (double)s->state_count, &most) || bound > most)
        return 1;
    reason = lay_shape(s, at->shape, again);
    if (reason == CSZ_REASON_NONE)
        search_states(s, at, bound, kept);
    else
        s->ranking->rejected[reason] += (double)s->state_count;
    return 1;
}

/* Ranks that hold the same dense parameters, and micro-batches, of a shape. */
static void list_states(cszi_search *s, const cszi_shape *shape)
{
    int64_t n = s->cluster.accelerators, p = shape->p;
    int64_t directions = shape->schedule == CSZ_SCHEDULE_DUALPIPE ? 2 : 1;
    int64_t m = s->batching.sequences / (n / (s->base.t * s->base.c * p) * s->base.b);
    s->state_count = /* at most 2 shares x (1 + 3 shardings x 448 divisors) */
        cszi_space_states(s, p, m, shape->schedule, n / (s->base.t * p) * directions, s->states);
}

/* The least number of covered layers, from `least` to `most`, whose activations leave room; the
 * others are too many bytes. */
static int64_t fewest_covered(cszi_search *s, pipeline *at, int64_t least, int64_t most)
{
    double limit = cszi_bound_memory(s)[0] - at->least;
    int64_t low = least, high = most + 1;
    while (low < high) {
        cszi_recomputation block = {CSZ_RECOMPUTE_FULL, low + (high - low) / 2, s->lowest_modules};
        if (at->flight * cszi_bound_kept(s, &at->first, &block) > limit)
            low = block.layers + 1;
        else
            high = block.layers;
    }
    if (low > least)
        s->memory_rejected += (double)(low - least) * (double)s->state_count;
    return low;
}

static int has_whole(const cszi_search *s)
{
    for (size_t i = 0; i < s->state_count; i++)
        if (s->states[i].group == 0 &&
            s->states[i].sharding == s->states[s->state_count - 1].sharding)
            return 1;
    return 0;
}

static void search_shape(cszi_search *s, const cszi_shape *shape)
{
    const cszi_recomputation none = {CSZ_RECOMPUTE_NONE, 0, 0};
    pipeline at = {.shape = shape};
    int64_t most = cszi_space_covered(s, shape->p);
    list_states(s, shape);
    if (s->state_count == 0 || lay_shape(s, shape, &none) != CSZ_REASON_NONE)
        return;
    cszi_case_recipe(&s->c, &at.recipe);
    cszi_tenant_open(&s->c, &at.recipe, &at.first);
    at.flight = cszi_tenant_enter(&at.first, 0);
    at.some_whole = has_whole(s);
    at.least = stand_whole(s, &at);
    for (size_t i = 0; i < s->again_count; i++)
        (void)search_recomputation(s, &at, &s->again[i]);
    for (int64_t k = fewest_covered(s, &at, cszi_space_least_covered(s), most); k <= most; k++) {
        cszi_recomputation block = {CSZ_RECOMPUTE_FULL, k, s->lowest_modules};
        if (!search_recomputation(s, &at, &block))
            break; /* more layers take longer */
    }
}

/* ---- Pipelines under a class ---- */

static void sort_shapes(cszi_shape *shapes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        cszi_shape shape = shapes[i];
        size_t at = i;
        for (; at > 0 && shapes[at - 1].least > shape.least; at--)
            shapes[at] = shapes[at - 1];
        shapes[at] = shape;
    }
}

static void search_shapes(cszi_search *s, size_t count)
{
    sort_shapes(s->shapes, count);
    for (size_t i = 0; i < count; i++)
        if (s->shapes[i].least <= cszi_branch_most_time(s))
            search_shape(s, &s->shapes[i]);
}

/* Data-parallel degree and micro-batches of p stages; 0 when there is no such plan. */
static int divides(const cszi_search *s, int64_t p, int64_t *d, int64_t *m)
{
    int64_t model = s->base.t * s->base.c * p, n = s->cluster.accelerators;
    if (n % model != 0 || p > s->layers || !cszi_space_allows(s, CSZ_PLAN_PIPELINE_PARALLEL, p))
        return 0;
    *d = n / model;
    if (!cszi_space_allows(s, CSZ_PLAN_DATA_PARALLEL, *d) ||
        s->batching.sequences % (*d * s->base.b) != 0)
        return 0;
    *m = s->batching.sequences / (*d * s->base.b);
    return 1;
}

static void search_class(cszi_search *s)
{
    const cszi_recomputation none = {CSZ_RECOMPUTE_NONE, 0, 0};
    size_t count = 0;
    s->plan.expert_parallel = s->base.e;
    s->plan.expert_tensor_parallel = s->base.etp;
    for (size_t i = 0; i < s->divisor_count; i++) {
        int64_t p = s->divisors[i], d, m;
        size_t skip = 0, all;
        if (!divides(s, p, &d, &m) ||
            s->cluster.accelerators / p % (s->base.e * s->base.etp) != 0 ||
            (p > 1 && !s->c.stack->pipeline))
            continue;
        do {
            size_t room = CSZI_SHAPES - count, first = count;
            all = cszi_space_shapes(s, p, m, s->shapes + count, skip, room, NULL);
            count += all - skip < room ? all - skip : room;
            skip += count - first;
            for (size_t k = first; k < count; k++)
                s->shapes[k].least = cszi_bound_shape(s, &s->shapes[k], &none);
            if (count == CSZI_SHAPES) {
                search_shapes(s, count);
                count = 0;
            }
        } while (skip < all);
    }
    search_shapes(s, count);
}

/* ---- Expert degrees under a root ---- */

static void lay_class(cszi_search *s, const cszi_class *class)
{
    s->base.e = class->e;
    s->base.etp = class->etp;
}

void cszi_branch_root(cszi_search *s, const cszi_experts *list)
{
    cszi_class *classes = s->queue;
    size_t count = 0;
    for (size_t i = list->first; i < list->first + list->count; i++) {
        cszi_class class = s->experts[i];
        size_t at = count;
        lay_class(s, &class);
        class.least = list->count > 1 ? cszi_bound_class(s) : 0;
        if (class.least > cszi_branch_most_time(s))
            continue;
        for (; at > 0 && classes[at - 1].least > class.least; at--)
            classes[at] = classes[at - 1];
        classes[at] = class;
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        if (classes[i].least > cszi_branch_most_time(s))
            return;
        lay_class(s, &classes[i]);
        (void)cszi_bound_class(s);
        search_class(s);
    }
}
