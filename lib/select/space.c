/* space.c: which plans there are: the values that a search tries in each dimension, and how many
 * plans they make. The constraints between shape and schedule are those of plan/pipeline.c, written
 * here once more as what can be counted without trying each plan; every plan that is looked at
 * passes cszi_plan_settle too. */
#include <string.h>

#include "plan/slots.h"
#include "select/search.h"

/* ---- Limits ---- */

#define LIMITED(s, id) ((int)((s)->goal->limited >> CSZI_SLOT_##id & 1))
#define LOWEST(s, id) ((s)->goal->lowest[CSZI_SLOT_##id])
#define HIGHEST(s, id) ((s)->goal->highest[CSZI_SLOT_##id])
#define ALLOWS(s, id, value)                                                                       \
    (!LIMITED(s, id) || ((double)(value) >= LOWEST(s, id) && (double)(value) <= HIGHEST(s, id)))

int cszi_space_allows(const cszi_search *s, csz_field field, int64_t value)
{
    return cszi_goal_allows(s->goal, field, (double)value);
}

void cszi_space_reject(cszi_search *s, csz_reason reason, double plans)
{
    s->ranking->candidates += plans;
    s->ranking->rejected[reason] += plans;
}

/* ---- Recomputation ---- */

/* Modules that the model has, and those that the goal forbids or wants. */
typedef struct modules {
    unsigned there, may, must;
} modules;

static modules modules_of(const cszi_search *s)
{
    modules m = {CSZI_AGAIN_NORM | CSZI_AGAIN_ACTIVATION, 0, 0};
    const int may[CSZI_MODULES] = {
        ALLOWS(s, CSZ_PLAN_RECOMPUTE_NORM, 1), ALLOWS(s, CSZ_PLAN_RECOMPUTE_ACTIVATION, 1),
        ALLOWS(s, CSZ_PLAN_RECOMPUTE_LATENT, 1), ALLOWS(s, CSZ_PLAN_RECOMPUTE_MLP, 1),
        ALLOWS(s, CSZ_PLAN_RECOMPUTE_EXPERTS, 1)};
    const int need_not[CSZI_MODULES] = {
        ALLOWS(s, CSZ_PLAN_RECOMPUTE_NORM, 0), ALLOWS(s, CSZ_PLAN_RECOMPUTE_ACTIVATION, 0),
        ALLOWS(s, CSZ_PLAN_RECOMPUTE_LATENT, 0), ALLOWS(s, CSZ_PLAN_RECOMPUTE_MLP, 0),
        ALLOWS(s, CSZ_PLAN_RECOMPUTE_EXPERTS, 0)};
    for (int64_t i = 0; i < s->workload->kinds_count; i++) {
        const cszi_layer_kind *kind = &s->workload->kinds[i];
        m.there |= kind->attention == CSZ_ATTENTION_LATENT ? CSZI_AGAIN_LATENT : 0;
        m.there |= kind->ffn != 0 ? CSZI_AGAIN_MLP : 0;
        m.there |= kind->experts != 0 ? CSZI_AGAIN_EXPERTS : 0;
    }
    for (unsigned i = 0; i < CSZI_MODULES; i++) {
        m.may |= may[i] ? 1u << i : 0;
        m.must |= need_not[i] ? 0 : 1u << i;
    }
    return m;
}

/* What is done again as a whole has its activation function in it: both are said only when the goal
 * wants it. */
static int worth_set(const modules *m, unsigned set)
{
    if ((set & ~m->may) != 0 || (set & ~m->there) != 0 || (m->must & ~set) != 0)
        return 0;
    return (set & CSZI_AGAIN_ACTIVATION) == 0 || (m->must & CSZI_AGAIN_ACTIVATION) != 0 ||
           (set & (CSZI_AGAIN_MLP | CSZI_AGAIN_EXPERTS)) == 0;
}

static void add_again(cszi_search *s, int64_t recompute, unsigned set)
{
    if (s->again_count < CSZI_RECOMPUTATIONS)
        s->again[s->again_count++] = (cszi_recomputation){recompute, 0, set};
}

static void list_recomputations(cszi_search *s, const cszi_stack *stack)
{
    modules m = modules_of(s);
    int block = LIMITED(s, CSZ_PLAN_RECOMPUTE_LAYERS); /* only full, of so many layers */
    s->again_count = 0;
    s->per_pipeline = 0;
    s->missing_module = 0;
    if ((m.must & ~m.there) != 0) {
        cszi_space_reject(s, CSZ_REASON_MODULE, 1);
        s->missing_module = 1;
        return;
    }
    for (int64_t r = CSZ_RECOMPUTE_NONE; r <= CSZ_RECOMPUTE_SELECTIVE && !block; r++)
        for (unsigned set = 0; ALLOWS(s, CSZ_PLAN_RECOMPUTE, r) && set < (1u << CSZI_MODULES);
             set++)
            if (worth_set(&m, set))
                add_again(s, r, set);
    if (stack->operations && !block && ALLOWS(s, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_OPERATIONS))
        add_again(s, CSZ_RECOMPUTE_OPERATIONS, m.must);
    if (!block && ALLOWS(s, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_FULL))
        add_again(s, CSZ_RECOMPUTE_FULL, m.must);
    s->per_pipeline = (double)s->again_count;
    s->lowest_modules = m.must;
}

int64_t cszi_space_covered(const cszi_search *s, int64_t p)
{
    int64_t most = (s->layers + p - 1) / p - 1;
    if (!ALLOWS(s, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_FULL) || s->missing_module)
        return 0;
    if (LIMITED(s, CSZ_PLAN_RECOMPUTE_LAYERS))
        most = (int64_t)HIGHEST(s, CSZ_PLAN_RECOMPUTE_LAYERS);
    return most < s->layers ? most : s->layers;
}

int64_t cszi_space_least_covered(const cszi_search *s)
{
    return LIMITED(s, CSZ_PLAN_RECOMPUTE_LAYERS) ? (int64_t)LOWEST(s, CSZ_PLAN_RECOMPUTE_LAYERS)
                                                 : 1;
}

void cszi_space_recompute(cszi_search *s, const cszi_recomputation *again)
{
    cszi_plan *plan = &s->plan;
    plan->recompute = again->recompute;
    plan->recompute_layers = again->layers;
    plan->recompute_norm = (again->modules & CSZI_AGAIN_NORM) != 0;
    plan->recompute_activation = (again->modules & CSZI_AGAIN_ACTIVATION) != 0;
    plan->recompute_latent = (again->modules & CSZI_AGAIN_LATENT) != 0;
    plan->recompute_mlp = (again->modules & CSZI_AGAIN_MLP) != 0;
    plan->recompute_experts = (again->modules & CSZI_AGAIN_EXPERTS) != 0;
}

/* ---- Pipelines ---- */

static void mark(cszi_plan *plan, size_t slot, int set)
{
    uint64_t bit = (uint64_t)1 << slot;
    plan->set[0] = set ? plan->set[0] | bit : plan->set[0] & ~bit;
}

/* What follows from the chunks is left unset. */
void cszi_space_shape(cszi_search *s, const cszi_shape *shape)
{
    cszi_plan *plan = &s->plan;
    int named = shape->schedule >= CSZ_SCHEDULE_ZB_H1;
    plan->pipeline_parallel = shape->p;
    plan->virtual_pipeline = shape->v;
    plan->schedule = named ? shape->schedule : 0;
    mark(plan, CSZI_SLOT_CSZ_PLAN_SCHEDULE, named);
    mark(plan, CSZI_SLOT_CSZ_PLAN_VIRTUAL_PIPELINE, shape->schedule == CSZ_SCHEDULE_ZB_V);
    if (ALLOWS(s, CSZ_PLAN_EMBEDDING_COUNTS, 0))
        plan->embedding_counts = shape->head;
}

/* Layers that somebody places otherwise than evenly. */
static int is_placed(const cszi_search *s)
{
    return s->plan.first_stage_layers != 0 || s->plan.last_stage_layers != 0 ||
           !ALLOWS(s, CSZ_PLAN_EMBEDDING_COUNTS, 0) || s->plan.loss_counts;
}

/* Chunks that divide the layers evenly, with embedding, output layer or both counted as layers or
 * not. */
static int worth_chunks(const cszi_search *s, int64_t p, int64_t v)
{
    int64_t n = p * v;
    return v == 1 || is_placed(s) || s->layers % n == 0 || (s->layers + 1) % n == 0 ||
           (s->layers + 2) % n == 0;
}

/* By the rules for all places of layers. */
static csz_reason settles(cszi_search *s, const cszi_shape *shape)
{
    csz_reason reason = CSZ_REASON_NONE;
    cszi_layout layout;
    cszi_plan kept = s->plan;
    cszi_space_shape(s, shape);
    s->plan.sharding = CSZ_SHARDING_NONE;
    s->plan.shard_group = 0;
    if (s->plan.offload_parameters)
        s->plan.sharding = CSZ_SHARDING_PARAMETERS;
    (void)cszi_plan_settle(&s->plan, s->workload, &s->cluster, &s->batching, &layout, &reason,
                           NULL);
    s->plan = kept;
    return reason;
}

static csz_reason check_shape(cszi_search *s, const cszi_shape *shape, int64_t m)
{
    const cszi_stack *stack = s->c.stack;
    int64_t p = shape->p, v = shape->v;
    if (shape->schedule >= CSZ_SCHEDULE_ZB_H1 && !stack->zero_bubble)
        return CSZ_REASON_STACK;
    if (shape->schedule == CSZ_SCHEDULE_DUALPIPE && !stack->dualpipe)
        return CSZ_REASON_STACK;
    if (shape->schedule == CSZ_SCHEDULE_DUALPIPE && p % 2 != 0)
        return CSZ_REASON_VIRTUAL;
    if (shape->schedule == CSZ_SCHEDULE_DUALPIPE && (m % 2 != 0 || m < 2 * p))
        return CSZ_REASON_MICRO_BATCHES;
    if (p * v > (p > 1 ? s->layers + 2 : s->layers))
        return CSZ_REASON_STAGES;
    if (v > 1 && m < p)
        return CSZ_REASON_MICRO_BATCHES;
    if (shape->schedule == CSZ_SCHEDULE_INTERLEAVED && m % p != 0)
        return CSZ_REASON_VIRTUAL;
    if (shape->head && (s->layers + 1) % (p * v) != 0)
        return CSZ_REASON_LAYOUT;
    return is_placed(s) ? settles(s, shape) : CSZ_REASON_NONE;
}

typedef struct shapes {
    cszi_search *s;
    int64_t m;
    cszi_shape *at;
    size_t skip, room, count;
    cszi_counted *counted;
} shapes;

static void try_shape(shapes *list, const cszi_shape *shape)
{
    csz_reason reason = check_shape(list->s, shape, list->m);
    if (reason == CSZ_REASON_NONE) {
        if (list->count >= list->skip && list->count - list->skip < list->room)
            list->at[list->count - list->skip] = *shape;
        list->count++;
        if (list->counted != NULL)
            list->counted->both += shape->schedule == CSZ_SCHEDULE_DUALPIPE;
    } else if (list->counted != NULL) {
        list->counted->rejected[reason]++;
    }
}

/* Both ways to place an odd layer; the balanced one gives the last chunk one less. */
static void try_chunks(shapes *list, int64_t p, int64_t v, int64_t schedule)
{
    const cszi_search *s = list->s;
    cszi_shape shape = {0, (int32_t)p, (int32_t)v, (int32_t)schedule, 0};
    if (!ALLOWS(s, CSZ_PLAN_VIRTUAL_PIPELINE, v)) {
        if (list->counted != NULL)
            list->counted->rejected[CSZ_REASON_LIMIT]++;
        return;
    }
    try_shape(list, &shape);
    shape.head = 1;
    if (p > 1 && !is_placed(s) && ALLOWS(s, CSZ_PLAN_EMBEDDING_COUNTS, 1) &&
        (s->layers + 1) % (p * v) == 0)
        try_shape(list, &shape);
}

/* Zero-bubble schedules and DualPipe, which few stacks have, are tried when the goal speaks of
 * schedules. */
static int worth_schedule(const cszi_search *s, int64_t p, int64_t schedule)
{
    if (schedule >= CSZ_SCHEDULE_ZB_H1 && (p == 1 || !LIMITED(s, CSZ_PLAN_SCHEDULE)))
        return 0;
    return ALLOWS(s, CSZ_PLAN_SCHEDULE, schedule);
}

size_t cszi_space_shapes(cszi_search *s, int64_t p, int64_t m, cszi_shape *at, size_t skip,
                         size_t room, cszi_counted *counted)
{
    shapes list = {s, m, at, skip, room, 0, counted};
    for (int64_t schedule = 0; schedule <= CSZ_SCHEDULE_DUALPIPE; schedule++) {
        if (!worth_schedule(s, p, schedule))
            continue;
        if (schedule != CSZ_SCHEDULE_INTERLEAVED)
            try_chunks(&list, p, schedule == CSZ_SCHEDULE_ZB_V ? 2 : 1, schedule);
        for (int64_t v = 2; schedule == CSZ_SCHEDULE_INTERLEAVED && p > 1 && v * p <= s->layers + 2;
             v++)
            if (worth_chunks(s, p, v))
                try_chunks(&list, p, v, schedule);
    }
    return list.count;
}

/* ---- Sharding, groups, offload ---- */

static int may_offload(const cszi_search *s)
{
    return s->c.stack->offload > 0 && s->cluster.host_memory > 0;
}

/* Shares of offloaded states: none and all, or the ends of what the goal says. */
static size_t list_offloads(const cszi_search *s, double shares[2])
{
    size_t count = 0;
    if (LIMITED(s, CSZ_PLAN_OFFLOAD_OPTIMIZER) &&
        !(LOWEST(s, CSZ_PLAN_OFFLOAD_OPTIMIZER) < HIGHEST(s, CSZ_PLAN_OFFLOAD_OPTIMIZER))) {
        shares[0] = LOWEST(s, CSZ_PLAN_OFFLOAD_OPTIMIZER);
        return !(shares[0] > 0) || may_offload(s);
    }
    if (!ALLOWS(s, CSZ_PLAN_OFFLOAD_OPTIMIZER, 0) && !ALLOWS(s, CSZ_PLAN_OFFLOAD_OPTIMIZER, 1)) {
        shares[0] = LOWEST(s, CSZ_PLAN_OFFLOAD_OPTIMIZER);
        shares[1] = HIGHEST(s, CSZ_PLAN_OFFLOAD_OPTIMIZER);
        return may_offload(s) ? 2 : 0;
    }
    for (int share = 0; share <= may_offload(s); share++)
        if (ALLOWS(s, CSZ_PLAN_OFFLOAD_OPTIMIZER, share))
            shares[count++] = share;
    return count;
}

/* As cszi_settle_software has it. */
static int may_shard(const cszi_search *s, int64_t p, int64_t m, int64_t schedule, int64_t ranks,
                     int64_t sharding)
{
    const cszi_stack *stack = s->c.stack;
    int64_t means = sharding == CSZ_SHARDING_GRADIENTS && stack->gathers_once
                        ? CSZ_SHARDING_PARAMETERS
                        : sharding;
    if (!ALLOWS(s, CSZ_PLAN_SHARDING, sharding) || (ranks == 1 && sharding != CSZ_SHARDING_NONE))
        return 0;
    if (sharding > stack->sharding_max || (p > 1 && sharding >= stack->pipeline_sharding))
        return 0;
    if (schedule == CSZ_SCHEDULE_DUALPIPE && sharding > CSZ_SHARDING_OPTIMIZER)
        return 0;
    if (s->plan.offload_parameters && means != CSZ_SHARDING_PARAMETERS)
        return 0;
    return !s->plan.gradient_release ||
           (stack->release && m == 1 && (ranks == 1 || sharding >= CSZ_SHARDING_GRADIENTS));
}

/* Groups of more than one rank, unless the goal wants it. */
static int may_group(const cszi_search *s, int64_t ranks, int64_t group)
{
    return ranks % group == 0 && (group > 1 || LIMITED(s, CSZ_PLAN_SHARD_GROUP)) &&
           ALLOWS(s, CSZ_PLAN_SHARD_GROUP, group);
}

static size_t put_state(cszi_state *states, size_t count, int64_t sharding, int64_t group,
                        const double *shares, size_t share_count)
{
    for (size_t i = 0; i < share_count; i++, count++)
        if (states != NULL && count < CSZI_STATES)
            states[count] = (cszi_state){sharding, group, shares[i], 0};
    return count;
}

/* The largest group, which leaves least in memory, first. */
size_t cszi_space_states(const cszi_search *s, int64_t p, int64_t m, int64_t schedule,
                         int64_t ranks, cszi_state *states)
{
    double shares[2] = {0, 0};
    size_t share_count = list_offloads(s, shares), count = 0;
    for (int64_t z = CSZ_SHARDING_NONE; z <= CSZ_SHARDING_PARAMETERS; z++) {
        if (!may_shard(s, p, m, schedule, ranks, z))
            continue;
        if (z == CSZ_SHARDING_NONE && !LIMITED(s, CSZ_PLAN_SHARD_GROUP))
            count = put_state(states, count, z, 0, shares, share_count);
        for (size_t i = s->divisor_count; z > CSZ_SHARDING_NONE && i-- > 0;)
            if (s->divisors[i] <= ranks && may_group(s, ranks, s->divisors[i]))
                count = put_state(states, count, z, s->divisors[i] == ranks ? 0 : s->divisors[i],
                                  shares, share_count);
    }
    return count;
}

void cszi_space_state(cszi_search *s, const cszi_state *state)
{
    s->plan.sharding = state->sharding;
    s->plan.shard_group = state->group;
    s->plan.offload_optimizer = state->offload;
}

/* ---- Counting ---- */

static double recomputations(const cszi_search *s, int64_t p)
{
    int64_t covered = cszi_space_covered(s, p) - cszi_space_least_covered(s) + 1;
    return s->per_pipeline + (double)(covered > 0 ? covered : 0);
}

static void count_plans(cszi_search *s, cszi_counted *k)
{
    double all, dual;
    memset(k->rejected, 0, sizeof k->rejected);
    k->valid = k->both = 0;
    if (k->p > 1 && !s->c.stack->pipeline) {
        k->rejected[CSZ_REASON_STACK]++;
        return;
    }
    all = (double)cszi_space_shapes(s, k->p, k->m, NULL, 0, 0, k);
    dual = k->both;
    if (all > dual)
        k->valid = (all - dual) *
                   (double)cszi_space_states(s, k->p, k->m, CSZ_SCHEDULE_1F1B, k->ranks, NULL);
    if (dual > 0)
        k->valid += dual * (double)cszi_space_states(s, k->p, k->m, CSZ_SCHEDULE_DUALPIPE,
                                                     2 * k->ranks, NULL);
    if (all > 0 && k->valid <= 0) /* no sharding, group or share of offload that the stack has */
        k->rejected[s->plan.gradient_release ? CSZ_REASON_STACK : CSZ_REASON_LIMIT]++;
    k->valid *= recomputations(s, k->p);
}

static void take_rejections(cszi_search *s, cszi_counted *k)
{
    for (int i = 0; i < CSZI_REASONS && k->uses > 0; i++)
        if (k->rejected[i] > 0)
            cszi_space_reject(s, (csz_reason)i, k->uses * (double)k->rejected[i]);
    k->uses = 0;
}

double cszi_space_counted(cszi_search *s, int64_t p, int64_t m, int64_t ranks)
{
    uint64_t hash = (uint64_t)p * 0x9E3779B97F4A7C15u + (uint64_t)m * 0xC2B2AE3D27D4EB4Fu +
                    (uint64_t)ranks * 0x165667B19E3779F9u;
    cszi_counted *k = &s->counted[hash >> 54];
    if (k->p != p || k->m != m || k->ranks != ranks) {
        take_rejections(s, k);
        k->p = p;
        k->m = m;
        k->ranks = ranks;
        count_plans(s, k);
    }
    k->uses++;
    return k->valid;
}

void cszi_space_close(cszi_search *s)
{
    for (size_t i = 0; i < CSZI_COUNTED; i++)
        take_rejections(s, &s->counted[i]);
}

/* ---- Opening ---- */

void cszi_space_open(cszi_search *s)
{
    s->whole_is_set =
        LIMITED(s, CSZ_PLAN_SEQUENCE_PARALLEL) &&
        !(LOWEST(s, CSZ_PLAN_SEQUENCE_PARALLEL) < HIGHEST(s, CSZ_PLAN_SEQUENCE_PARALLEL));
    s->again_count = 0;
    list_recomputations(s, s->c.stack);
    memset(s->counted, 0, sizeof s->counted); /* they hold for the other fields of the plan */
}

void cszi_space_count(cszi_search *s)
{
    int64_t n = s->cluster.accelerators, large[CSZI_DIVISORS];
    size_t more = 0;
    s->divisor_count = 0;
    for (int64_t i = 1; i * i <= n; i++) {
        if (n % i != 0)
            continue;
        s->divisors[s->divisor_count++] = i;
        if (i != n / i)
            large[more++] = n / i;
    }
    while (more > 0)
        s->divisors[s->divisor_count++] = large[--more];
}
