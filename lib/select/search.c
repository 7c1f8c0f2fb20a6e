/* search.c: the best plans of a space by branch and bound. Roots (tensor, context, micro-batch)
 * come in the order of a lower bound of their step time; under each expert degrees, then pipelines,
 * then recomputation, then sharding. A part whose bound lies above the last kept plan, or whose
 * states and activations do not fit, is counted and left. What remains is computed by the estimate.
 */
#include <math.h>
#include <string.h>

#include "estimate/flops.h"
#include "plan/slots.h"
#include "select/search.h"

#define LARGEST_MICRO_BATCH 64 /* of the search; a given plan may use more */

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

static double most_time(const cszi_search *s)
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

/* Whether the kept activations leave room for the states, and, of those, whether surely. */
static int has_room(cszi_search *s, double bytes, double *most)
{
    const double *limits = cszi_bound_memory(s);
    if (bytes > limits[0]) {
        s->memory_rejected++;
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
    return has_room(s, ends_peak(s, &at->whole), most);
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
        if (!has_room(s, s->states[i].standing + kept, &most) || bound > most)
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

/* The plan of a shape, settled. */
static int lay_shape(cszi_search *s, const cszi_shape *shape, const cszi_recomputation *again)
{
    csz_reason reason = CSZ_REASON_NONE;
    cszi_space_shape(s, shape);
    cszi_space_recompute(s, again);
    cszi_space_state(s, &s->states[0]);
    return cszi_plan_settle(&s->plan, s->workload, &s->cluster, &s->batching, &s->c.layout, &reason,
                            NULL) == CSZ_OK;
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
    if (bound > most_time(s))
        return 0;
    kept = at->flight * cszi_bound_kept(s, &at->first, again);
    if (at->least + kept > cszi_bound_memory(s)[0]) {
        s->memory_rejected += (double)s->state_count;
        return 1;
    }
    if (!has_room(s, at->least + kept, &most) || bound > most || !lay_shape(s, at->shape, again))
        return 1;
    search_states(s, at, bound, kept);
    return 1;
}

/* Ranks that hold the same dense parameters, and micro-batches, of a shape. */
static void list_states(cszi_search *s, const cszi_shape *shape)
{
    int64_t n = s->cluster.accelerators, p = shape->p;
    int64_t directions = shape->schedule == CSZ_SCHEDULE_DUALPIPE ? 2 : 1;
    int64_t m = s->batching.sequences / (n / (s->base.t * s->base.c * p) * s->base.b);
    s->state_count =
        cszi_space_states(s, p, m, shape->schedule, n / (s->base.t * p) * directions, s->states);
    if (s->state_count > CSZI_STATES)
        s->state_count = CSZI_STATES;
}

/* The least number of covered layers, from `least` to `most`, whose activations leave room; the
 * others are too many bytes. */
static int64_t fewest_covered(cszi_search *s, pipeline *at, int64_t least, int64_t most)
{
    double limit = cszi_bound_memory(s)[0] - at->least;
    int64_t low = least, high = most + 1;
    while (low < high) {
        cszi_recomputation block = {CSZ_RECOMPUTE_FULL, low + (high - low) / 2, 0};
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
    if (s->state_count == 0 || !lay_shape(s, shape, &none))
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
        if (s->shapes[i].least <= most_time(s))
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

static void search_root(cszi_search *s, const cszi_experts *list)
{
    cszi_class *classes = s->queue;
    size_t count = 0;
    for (size_t i = list->first; i < list->first + list->count; i++) {
        cszi_class class = s->experts[i];
        size_t at = count;
        lay_class(s, &class);
        class.least = list->count > 1 ? cszi_bound_class(s) : 0;
        if (class.least > most_time(s))
            continue;
        for (; at > 0 && classes[at - 1].least > class.least; at--)
            classes[at] = classes[at - 1];
        classes[at] = class;
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        if (classes[i].least > most_time(s))
            return;
        lay_class(s, &classes[i]);
        (void)cszi_bound_class(s);
        search_class(s);
    }
}

/* ---- Tensor, context and expert degrees ---- */

static int allowed(cszi_search *s, csz_field field, int64_t value)
{
    if (cszi_space_allows(s, field, value))
        return 1;
    cszi_space_reject(s, CSZ_REASON_LIMIT, 1);
    return 0;
}

/* Whether the sequence is not shared among tensor ranks is said only where it makes a difference.
 */
static void lay_sequence(cszi_search *s, int whole)
{
    const uint64_t bit = (uint64_t)1 << CSZI_SLOT_CSZ_PLAN_SEQUENCE_PARALLEL;
    if (s->whole_is_set)
        return;
    s->plan.sequence_parallel = 0;
    s->plan.set[0] = whole ? s->plan.set[0] | bit : s->plan.set[0] & ~bit;
}

/* A plan of tensor, context and expert degrees alone, for their own constraints: a count and a
 * batch that every degree divides. */
static csz_reason probe(cszi_search *s, int64_t c, const cszi_class *class, cszi_layout *layout)
{
    csz_reason reason;
    cszi_plan plan = s->plan;
    cszi_cluster one = s->cluster;
    cszi_batching batch = s->batching;
    plan.context_parallel = c;
    plan.expert_parallel = class->e;
    plan.expert_tensor_parallel = class->etp;
    plan.pipeline_parallel = plan.virtual_pipeline = plan.micro_batch = 1;
    plan.first_stage_layers = plan.last_stage_layers = 0;
    plan.embedding_counts = plan.loss_counts = 0;
    plan.recompute = CSZ_RECOMPUTE_NONE;
    plan.recompute_layers = 0;
    plan.recompute_norm = plan.recompute_activation = plan.recompute_latent = 0;
    plan.recompute_mlp = plan.recompute_experts = 0;
    plan.shard_group = 0;
    plan.sharding = plan.offload_parameters ? CSZ_SHARDING_PARAMETERS : CSZ_SHARDING_NONE;
    plan.gradient_release = 0;
    plan.set[0] &= ~((uint64_t)1 << CSZI_SLOT_CSZ_PLAN_SCHEDULE);
    one.accelerators = plan.tensor_parallel * c * class->e * class->etp;
    batch.sequences = one.accelerators;
    (void)cszi_plan_settle(&plan, s->workload, &one, &batch, layout, &reason, NULL);
    return reason;
}

static int64_t most_experts(const cszi_workload *w)
{
    int64_t most = 0;
    for (int64_t i = 0; i < w->kinds_count; i++)
        most = w->kinds[i].experts > most ? w->kinds[i].experts : most;
    return most;
}

/* Expert degrees that go with the tensor degree of the plan. */
static cszi_experts *list_experts(cszi_search *s, int whole)
{
    int64_t experts = most_experts(s->workload), n = s->cluster.accelerators,
            t = s->plan.tensor_parallel;
    cszi_experts *list = &s->lists[s->list_count++];
    *list = (cszi_experts){(int32_t)t, whole, s->expert_count, 0};
    lay_sequence(s, whole);
    for (int64_t e = 1; e <= (experts > 0 ? experts : 1) && e <= n; e++) {
        if ((experts > 0 && experts % e != 0) || !allowed(s, CSZ_PLAN_EXPERT_PARALLEL, e))
            continue;
        for (int64_t etp = 1; etp <= (experts > 0 ? t : 1); etp++) {
            const cszi_class class = {0, (int32_t)e, (int32_t)etp};
            cszi_layout layout;
            csz_reason reason;
            if (t % etp != 0 || n % (e * etp) != 0 ||
                !allowed(s, CSZ_PLAN_EXPERT_TENSOR_PARALLEL, etp))
                continue;
            reason = probe(s, 1, &class, &layout);
            if (reason != CSZ_REASON_NONE)
                cszi_space_reject(s, reason, 1);
            else if (list->count < CSZI_CLASSES_OF_ROOT)
                s->experts[list->first + list->count++] = class;
        }
    }
    s->expert_count += list->count;
    return list;
}

/* How many of them divide the ranks of each pipeline degree. */
static void count_classes(cszi_search *s, const cszi_experts *list)
{
    for (size_t i = 0; i < s->divisor_count; i++) {
        int64_t ranks = s->cluster.accelerators / s->divisors[i];
        s->classes[i] = 0;
        for (size_t k = list->first; k < list->first + list->count; k++)
            s->classes[i] += (float)(ranks % (s->experts[k].e * s->experts[k].etp) == 0);
    }
}

/* ---- Roots ---- */

static void sink(cszi_root *heap, size_t count, size_t at)
{
    cszi_root root = heap[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1].least < heap[child].least;
        if (root.least <= heap[child].least)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = root;
}

/* The layout of a root. */
static csz_reason lay_root(cszi_search *s, const cszi_root *root)
{
    const cszi_class plain = {0, 1, 1};
    csz_reason reason;
    s->plan.tensor_parallel = root->t;
    s->plan.context_parallel = root->c;
    s->plan.micro_batch = root->b;
    lay_sequence(s, s->lists[root->list].whole);
    reason = probe(s, root->c, &plain, &s->base);
    s->base.b = root->b;
    s->base.used = s->cluster.accelerators;
    return reason;
}

static void open_root(cszi_search *s, const cszi_root *root)
{
    (void)lay_root(s, root);
    (void)cszi_bound_root(s);
    search_root(s, &s->lists[root->list]);
}

/* The most promising root of each tensor degree first, so that the list soon holds what rules
 * others out. */
static void search_first(cszi_search *s, size_t count)
{
    for (size_t list = s->list_count; list-- > 0;) {
        cszi_root *best = NULL;
        for (size_t i = 0; i < count; i++)
            if ((size_t)s->roots[i].list == list &&
                (best == NULL || s->roots[i].least < best->least))
                best = &s->roots[i];
        if (best == NULL || best->least > most_time(s))
            continue;
        open_root(s, best);
        best->b = 0; /* done */
    }
}

static csz_status search_roots(cszi_search *s, const cszi_progress *progress, cszi_error *error)
{
    size_t all = s->root_count, count = all;
    for (size_t i = count / 2; i-- > 0;)
        sink(s->roots, count, i);
    s->root_count = 0;
    if (s->counting)
        return CSZ_OK;
    search_first(s, count);
    while (count > 0 && s->roots[0].least <= most_time(s)) {
        cszi_root root = s->roots[0];
        s->roots[0] = s->roots[--count];
        sink(s->roots, count, 0);
        if (root.b > 0)
            open_root(s, &root);
        if (progress != NULL && progress->fn != NULL &&
            progress->fn(progress->user, 1 - (double)count / (double)all) != 0)
            return cszi_fail(error, CSZ_ERR_CANCELLED, CSZ_FIELD_NONE, "cancelled");
    }
    return CSZ_OK;
}

/* Counts the plans under a root; whether there is one. */
static int count_root(cszi_search *s)
{
    int64_t n = s->cluster.accelerators, model = s->base.t * s->base.c;
    double plans = 0;
    for (size_t i = 0; i < s->divisor_count && s->divisors[i] <= s->layers; i++) {
        int64_t p = s->divisors[i], d = n / (model * p), each = d * s->base.b;
        if (n % (model * p) != 0 || !allowed(s, CSZ_PLAN_PIPELINE_PARALLEL, p) ||
            !allowed(s, CSZ_PLAN_DATA_PARALLEL, d))
            continue;
        if (s->batching.sequences % each != 0)
            cszi_space_reject(s, CSZ_REASON_BATCH, 1);
        else if (s->classes[i] <= 0)
            cszi_space_reject(s, CSZ_REASON_EXPERT_GROUP, 1);
        else
            plans += (double)s->classes[i] *
                     cszi_space_counted(s, p, s->batching.sequences / each, d * s->base.c);
    }
    s->valid += plans;
    return plans > 0;
}

/* A limit of the goal may ask for more than is tried on its own. */
static int64_t largest_micro_batch(const cszi_search *s)
{
    int64_t most = LARGEST_MICRO_BATCH;
    if ((s->goal->limited >> CSZI_SLOT_CSZ_PLAN_MICRO_BATCH & 1) != 0)
        most = (int64_t)s->goal->highest[CSZI_SLOT_CSZ_PLAN_MICRO_BATCH];
    return most < s->batching.sequences ? most : s->batching.sequences;
}

/* Micro-batches under tensor and context degrees. */
static csz_status add_micro_batches(cszi_search *s, cszi_root root, const cszi_progress *progress,
                                    cszi_error *error)
{
    csz_status status = CSZ_OK;
    int64_t most = largest_micro_batch(s);
    for (int64_t b = 1; b <= most && status == CSZ_OK; b++) {
        if (s->batching.sequences % b != 0 || !allowed(s, CSZ_PLAN_MICRO_BATCH, b))
            continue;
        if (s->root_count == CSZI_ROOTS) {
            status = search_roots(s, progress, error);
            (void)lay_root(s, &root);
        }
        root.b = (int32_t)b;
        s->base.b = s->plan.micro_batch = b;
        if (status != CSZ_OK || !count_root(s))
            continue;
        root.least = cszi_bound_root(s);
        s->roots[s->root_count++] = root;
    }
    return status;
}

/* Context degrees under a tensor degree. */
static csz_status add_contexts(cszi_search *s, int64_t t, int whole, const cszi_progress *progress,
                               cszi_error *error)
{
    csz_status status = CSZ_OK;
    if (s->list_count == CSZI_LISTS_OF_EXPERTS ||
        s->expert_count + CSZI_CLASSES_OF_ROOT > CSZI_CLASSES) {
        status = search_roots(s, progress, error);
        s->list_count = s->expert_count = 0;
    }
    if (status != CSZ_OK)
        return status;
    s->plan.tensor_parallel = t;
    count_classes(s, list_experts(s, whole));
    for (size_t i = 0; i < s->divisor_count && status == CSZ_OK; i++) {
        int64_t c = s->divisors[i];
        cszi_root root = {0, (int32_t)t, (int32_t)c, 1, (int32_t)(s->list_count - 1)};
        csz_reason reason;
        if (s->cluster.accelerators / t % c != 0 || 2 * c > s->batching.sequence + 1 ||
            !allowed(s, CSZ_PLAN_CONTEXT_PARALLEL, c))
            continue;
        reason = lay_root(s, &root);
        if (reason == CSZ_REASON_NONE)
            status = add_micro_batches(s, root, progress, error);
        else
            cszi_space_reject(s, reason, 1);
    }
    return status;
}

static int in_domain(cszi_search *s, int64_t t)
{
    int64_t domain = s->cluster.scale_up_domain > 0 ? s->cluster.scale_up_domain : 1;
    if (t <= domain || s->goal->tensor_beyond_domain)
        return 1;
    cszi_space_reject(s, CSZ_REASON_TENSOR_DOMAIN, 1);
    return 0;
}

/* All roots, then those that may be best. */
static csz_status search_space(cszi_search *s, const cszi_progress *progress, cszi_error *error)
{
    int64_t n = s->cluster.accelerators, heads = s->workload->kinds[0].heads;
    int64_t most = heads > 0 && heads < n ? heads : n;
    csz_status status = CSZ_OK;
    s->root_count = s->list_count = s->expert_count = 0;
    cszi_space_open(s);
    cszi_bound_open(s);
    for (size_t i = 0; i < s->divisor_count && s->divisors[i] <= most && status == CSZ_OK; i++) {
        int64_t t = s->divisors[i];
        int split = t > 1 && !s->whole_is_set;
        if (!allowed(s, CSZ_PLAN_TENSOR_PARALLEL, t) || !in_domain(s, t))
            continue;
        for (int whole = 0; whole <= split && status == CSZ_OK; whole++)
            if (!split || cszi_space_allows(s, CSZ_PLAN_SEQUENCE_PARALLEL, !whole))
                status = add_contexts(s, t, whole, progress, error);
    }
    if (status == CSZ_OK)
        status = search_roots(s, progress, error);
    cszi_space_close(s);
    return status;
}

/* ---- Fields that are not part of the space ---- */

/* A limit to one value sets them; one with a range is tried in every value. */
static void fix_others(cszi_search *s)
{
    static const size_t fixed[] = {CSZI_SLOT_CSZ_PLAN_SEQUENCE_PARALLEL,
                                   CSZI_SLOT_CSZ_PLAN_EMBEDDING_COUNTS,
                                   CSZI_SLOT_CSZ_PLAN_LOSS_COUNTS};
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
        status = search_space(s, progress, error);
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
