/* test_space.c: the search against an enumeration of whole spaces through the public interface, on
 * random questions. Which plans there are stands here once more, as a naive list of conditions;
 * each is checked against the estimate, too. CSZ_QUESTIONS and CSZ_PLANS say how many questions,
 * and how many plans one may have. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

#define TOP 10

typedef struct model {
    const char *name;
    int64_t layers, heads, kv, hidden, ffn, experts, expert_ffn;
    int latent, mlp;
} model;

static const model models[] = {
    {"llama-3-8b", 32, 32, 8, 4096, 14336, 0, 0, 0, 1},
    {"gpt2-xl", 48, 25, 25, 1600, 6400, 0, 0, 0, 1},
    {"llama-3-70b", 80, 64, 8, 8192, 28672, 0, 0, 0, 1},
    {"mixtral-8x7b", 32, 32, 8, 4096, 0, 8, 14336, 0, 0},
    {"qwen3-30b-a3b", 48, 32, 4, 2048, 0, 128, 768, 0, 0},
    {"deepseek-v3", 61, 128, 128, 7168, 2048, 256, 2048, 1, 1},
};

/* What a stack can do, by its row. */
typedef struct stack {
    const char *name;
    int64_t sharding, pipeline_sharding;
    int zero_bubble, dualpipe, operations, gathers_once;
} stack;

static const stack stacks[] = {
    {"megatron", 3, 2, 1, 1, 0, 0},
    {"fsdp-eager", 3, 4, 1, 1, 1, 1},
    {"deepspeed", 3, 2, 0, 0, 1, 0},
    {"legacy", 1, 2, 1, 0, 0, 0},
};

/* A range of each dimension; a space is all of their combinations that can be. */
enum {
    T,
    P,
    V,
    C,
    E,
    ETP,
    ZERO,
    B,
    RECOMPUTE,
    SCHEDULE,
    WHOLE, /* sequence_parallel */
    BLOCK, /* recompute_layers */
    NORM,
    ACTIVATION,
    LATENT,
    MLP,
    EXPERTS,
    HEAD, /* embedding_counts */
    GROUP,
    OFFLOAD,
    DIMENSIONS
};

static const csz_field fields[DIMENSIONS] = {
    CSZ_PLAN_TENSOR_PARALLEL,  CSZ_PLAN_PIPELINE_PARALLEL,    CSZ_PLAN_VIRTUAL_PIPELINE,
    CSZ_PLAN_CONTEXT_PARALLEL, CSZ_PLAN_EXPERT_PARALLEL,      CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
    CSZ_PLAN_SHARDING,         CSZ_PLAN_MICRO_BATCH,          CSZ_PLAN_RECOMPUTE,
    CSZ_PLAN_SCHEDULE,         CSZ_PLAN_SEQUENCE_PARALLEL,    CSZ_PLAN_RECOMPUTE_LAYERS,
    CSZ_PLAN_RECOMPUTE_NORM,   CSZ_PLAN_RECOMPUTE_ACTIVATION, CSZ_PLAN_RECOMPUTE_LATENT,
    CSZ_PLAN_RECOMPUTE_MLP,    CSZ_PLAN_RECOMPUTE_EXPERTS,    CSZ_PLAN_EMBEDDING_COUNTS,
    CSZ_PLAN_SHARD_GROUP,      CSZ_PLAN_OFFLOAD_OPTIMIZER};

typedef struct space {
    const model *m;
    const stack *s;
    int64_t n, batch, sequence, domain;
    int limited[DIMENSIONS];
    int64_t low[DIMENSIONS], high[DIMENSIONS];
    int host; /* its memory is known */
    double tolerance;
} space;

/* One plan, and what orders it. */
typedef struct found {
    int64_t at[DIMENSIONS];
    int sure;
    int equal; /* within the tolerance of the best */
    double time, chance, band;
} found;

typedef struct list {
    question *q;
    const space *x;
    found *all;
    size_t count, room;
    double valid;
    int varied[DIMENSIONS]; /* questions in which a dimension had two values or more */
    int64_t first[DIMENSIONS];
    int many[DIMENSIONS];
    int broken[CSZ_REASON_CONTEXT_HEADS + 1]; /* a constraint spoke */
} list;

static uint64_t state;

static int64_t draw(int64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)((state >> 20) % (uint64_t)n);
}

/* ---- What can be ---- */

static int in(const space *x, int dimension, int64_t value)
{
    return !x->limited[dimension] || (value >= x->low[dimension] && value <= x->high[dimension]);
}

static csz_reason model_refuses(const space *x, const int64_t *a)
{
    const model *m = x->m;
    if (m->heads % a[T] != 0)
        return CSZ_REASON_HEADS;
    if (!m->latent && m->kv % a[T] != 0 && a[T] % m->kv != 0)
        return CSZ_REASON_KV_HEADS;
    if (m->hidden % a[T] != 0)
        return CSZ_REASON_HIDDEN;
    if (m->ffn % a[T] != 0)
        return CSZ_REASON_FFN;
    if (m->experts == 0)
        return a[E] > 1 || a[ETP] > 1 ? CSZ_REASON_NO_EXPERTS : CSZ_REASON_NONE;
    if (m->expert_ffn % a[ETP] != 0)
        return CSZ_REASON_EXPERT_FFN;
    if (m->experts % a[E] != 0)
        return CSZ_REASON_EXPERTS;
    if (x->n / a[P] % (a[E] * a[ETP]) != 0)
        return CSZ_REASON_EXPERT_GROUP;
    return a[T] > 1 && a[E] > 1 && !a[WHOLE] ? CSZ_REASON_SEQUENCE_PARALLEL : CSZ_REASON_NONE;
}

static csz_reason batch_refuses(const space *x, const int64_t *a)
{
    int64_t d = x->n / (a[T] * a[C] * a[P]);
    if (x->batch % (d * a[B]) != 0)
        return CSZ_REASON_BATCH;
    if (a[C] > 1 && x->sequence % (2 * a[C]) != 0)
        return CSZ_REASON_CONTEXT;
    if (a[T] > 1 && a[WHOLE] && x->sequence / a[C] % a[T] != 0)
        return CSZ_REASON_SEQUENCE;
    return CSZ_REASON_NONE;
}

static csz_reason schedule_refuses(const space *x, const int64_t *a)
{
    int64_t d = x->n / (a[T] * a[C] * a[P]), m = x->batch / (d * a[B]);
    int zero_bubble = a[SCHEDULE] >= CSZ_SCHEDULE_ZB_H1,
        dual = a[SCHEDULE] == CSZ_SCHEDULE_DUALPIPE;
    if ((zero_bubble && !x->s->zero_bubble) || (dual && !x->s->dualpipe))
        return CSZ_REASON_STACK;
    if ((zero_bubble && a[P] == 1) || (dual && a[P] % 2 != 0))
        return CSZ_REASON_VIRTUAL;
    if ((a[V] > 1 && m < a[P]) || (dual && (m % 2 != 0 || m < 2 * a[P])))
        return CSZ_REASON_MICRO_BATCHES;
    if (a[SCHEDULE] == CSZ_SCHEDULE_INTERLEAVED && m % a[P] != 0)
        return CSZ_REASON_VIRTUAL;
    if (a[P] * a[V] > x->m->layers + (a[P] > 1 ? 2 : 0))
        return CSZ_REASON_STAGES;
    if (a[HEAD] && (x->m->layers + 1) % (a[P] * a[V]) != 0)
        return CSZ_REASON_LAYOUT;
    return CSZ_REASON_NONE;
}

static csz_reason sharding_refuses(const space *x, const int64_t *a)
{
    int dual = a[SCHEDULE] == CSZ_SCHEDULE_DUALPIPE;
    int64_t ranks = x->n / (a[T] * a[P]) * (dual ? 2 : 1);
    if (a[ZERO] > x->s->sharding || (a[P] > 1 && a[ZERO] >= x->s->pipeline_sharding) ||
        (dual && a[ZERO] > 1))
        return CSZ_REASON_STACK;
    if (a[GROUP] != 0 && (a[ZERO] == 0 || ranks % a[GROUP] != 0))
        return CSZ_REASON_SHARD_GROUP;
    return CSZ_REASON_NONE;
}

static csz_reason refuses(const space *x, const int64_t *a)
{
    csz_reason reason = model_refuses(x, a);
    if (reason == CSZ_REASON_NONE)
        reason = batch_refuses(x, a);
    if (reason == CSZ_REASON_NONE)
        reason = schedule_refuses(x, a);
    return reason == CSZ_REASON_NONE ? sharding_refuses(x, a) : reason;
}

static double nine_digits(double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    return ldexp(floor(fraction * 2147483648.0 + 0.5), exponent); /* 2^31: 30 digits behind 1 */
}

/* ---- Plans ---- */

static void lay(question *q, const int64_t *a, const char *on)
{
    csz_plan_free(q->plan);
    q->plan = csz_plan_new(NULL);
    ck_assert_int_eq(csz_plan_set(q->plan, on), CSZ_OK);
    for (int i = 0; i < DIMENSIONS; i++) {
        int plain = (i == SCHEDULE && a[i] <= CSZ_SCHEDULE_INTERLEAVED) ||
                    (i == WHOLE && (a[i] || a[T] == 1)) ||
                    ((i == BLOCK || i == GROUP) && a[i] == 0);
        if (!plain)
            ck_assert_int_eq(csz_plan_set_f64(q->plan, fields[i], (double)a[i]), CSZ_OK);
    }
}

static void try(list *l, const int64_t *a)
{
    char on[32];
    csz_reason reason = refuses(l->x, a);
    csz_status status;
    double low = 1, high = 1;
    found *f;
    if (reason != CSZ_REASON_NONE) {
        l->broken[reason] = 1;
        if (draw(20) != 0) /* the estimate refuses it too: of some that is checked */
            return;
    }
    (void)snprintf(on, sizeof on, "stack=%s", l->x->s->name);
    lay(l->q, a, on);
    status = csz_estimate_compute(l->q->estimate, l->q->workload, l->q->cluster, l->q->plan,
                                  CSZ_DEPTH_STEP);
    ck_assert_msg((status == CSZ_OK) == (reason == CSZ_REASON_NONE), "%s: %d, but %s",
                  l->x->m->name, (int)reason, csz_estimate_error(l->q->estimate, NULL));
    if (reason != CSZ_REASON_NONE)
        return;
    l->valid++;
    for (int i = 0; i < DIMENSIONS; i++) {
        if (l->valid <= 1)
            l->first[i] = a[i];
        l->many[i] |= a[i] != l->first[i];
    }
    if (figure(l->q, CSZ_ESTIMATE_MEMORY_FIT) < CSZ_FIT_TIGHT)
        return;
    if (a[OFFLOAD] && figure(l->q, CSZ_ESTIMATE_HOST_FIT) < CSZ_FIT_TIGHT)
        return;
    if (l->count == l->room)
        return;
    f = &l->all[l->count++];
    memcpy(f->at, a, sizeof f->at);
    f->sure = figure(l->q, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY) >= 0.9;
    f->time = figure(l->q, CSZ_ESTIMATE_STEP_TIME);
    f->chance = floor(figure(l->q, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY) * 1000 + 0.5);
    (void)csz_estimate_get_range(l->q->estimate, CSZ_ESTIMATE_STEP_TIME, &low, NULL, &high);
    f->band = nine_digits(high / low);
    f->equal = 0;
}

/* ---- The space ---- */

static void each_state(list *l, int64_t *a)
{
    const space *x = l->x;
    int64_t ranks = x->n / (a[T] * a[P]) * (a[SCHEDULE] == CSZ_SCHEDULE_DUALPIPE ? 2 : 1);
    for (a[OFFLOAD] = 0; a[OFFLOAD] <= x->host; a[OFFLOAD]++)
        for (a[ZERO] = 0; a[ZERO] <= (ranks > 1 ? 3 : 0); a[ZERO]++)
            for (int64_t g = 1; g <= ranks; g++) {
                int whole = g == ranks;
                if (!in(x, OFFLOAD, a[OFFLOAD]) || !in(x, ZERO, a[ZERO]) || ranks % g != 0)
                    continue;
                if (a[ZERO] == 0 && (!whole || x->limited[GROUP]))
                    continue;
                if (a[ZERO] > 0 && (!in(x, GROUP, g) || (g == 1 && !x->limited[GROUP])))
                    continue;
                a[GROUP] = whole ? 0 : g;
                try(l, a);
            }
}

static int must(const space *x, int dimension)
{
    return x->limited[dimension] && x->low[dimension] == 1;
}

static int worth(const space *x, const int64_t *a)
{
    int again = a[RECOMPUTE] >= CSZ_RECOMPUTE_FULL; /* as a whole */
    int set = 0;                                    /* modules that nobody asks for */
    for (int i = NORM; i <= EXPERTS; i++)
        set += a[i] && !must(x, i);
    if ((a[LATENT] && !x->m->latent) || (a[MLP] && !x->m->mlp) ||
        (a[EXPERTS] && x->m->experts == 0))
        return 0;
    if (again && set > 0)
        return 0;
    return !a[ACTIVATION] || must(x, ACTIVATION) || (!a[MLP] && !a[EXPERTS]);
}

static void each_recomputation(list *l, int64_t *a)
{
    const space *x = l->x;
    int64_t deep = x->limited[BLOCK] ? x->m->layers : (x->m->layers + a[P] - 1) / a[P] - 1;
    for (a[RECOMPUTE] = 0; a[RECOMPUTE] <= (x->s->operations ? 3 : 2); a[RECOMPUTE]++)
        for (int64_t set = 0; set < 32; set++) {
            for (int i = 0; i < 5; i++)
                a[NORM + i] = set >> i & 1;
            a[BLOCK] = 0;
            if (!in(x, RECOMPUTE, a[RECOMPUTE]) || !in(x, NORM, a[NORM]) ||
                !in(x, ACTIVATION, a[ACTIVATION]) || !in(x, LATENT, a[LATENT]) ||
                !in(x, MLP, a[MLP]) || !in(x, EXPERTS, a[EXPERTS]) || !worth(x, a))
                continue;
            if (!x->limited[BLOCK])
                each_state(l, a);
            for (a[BLOCK] = 1; a[RECOMPUTE] == CSZ_RECOMPUTE_FULL && a[BLOCK] <= deep; a[BLOCK]++)
                if (in(x, BLOCK, a[BLOCK]))
                    each_state(l, a);
        }
}

static void each_shape(list *l, int64_t *a)
{
    const space *x = l->x;
    int64_t all = x->m->layers;
    for (a[SCHEDULE] = 0; a[SCHEDULE] <= CSZ_SCHEDULE_DUALPIPE; a[SCHEDULE]++)
        for (a[V] = 1; a[V] * a[P] <= all + 2; a[V]++)
            for (a[HEAD] = 0; a[HEAD] <= 1; a[HEAD]++) {
                int64_t n = a[P] * a[V];
                int chunks = a[SCHEDULE] == CSZ_SCHEDULE_INTERLEAVED ? a[V] > 1 && a[P] > 1
                             : a[SCHEDULE] == CSZ_SCHEDULE_ZB_V      ? a[V] == 2
                                                                     : a[V] == 1;
                int even = a[SCHEDULE] != CSZ_SCHEDULE_INTERLEAVED || all % n == 0 ||
                           (all + 1) % n == 0 || (all + 2) % n == 0;
                if (!chunks || !even || !in(x, SCHEDULE, a[SCHEDULE]) || !in(x, V, a[V]))
                    continue;
                if (a[SCHEDULE] >= CSZ_SCHEDULE_ZB_H1 && (!x->limited[SCHEDULE] || a[P] == 1))
                    continue;
                if (a[HEAD] && (a[P] == 1 || x->limited[HEAD] || (all + 1) % n != 0))
                    continue;
                each_recomputation(l, a);
            }
}

static void each_degree(list *l, int64_t *a)
{
    const space *x = l->x;
    int64_t experts = x->m->experts > 0 ? x->m->experts : 1;
    for (a[P] = 1; a[P] <= x->n / (a[T] * a[C]) && a[P] <= x->m->layers; a[P]++)
        for (a[E] = 1; a[E] <= experts; a[E]++)
            for (a[ETP] = 1; a[ETP] <= (x->m->experts > 0 ? a[T] : 1); a[ETP]++)
                for (a[B] = 1; a[B] <= 64 && a[B] <= x->batch; a[B]++) {
                    if (x->n % (a[T] * a[C] * a[P]) != 0 || !in(x, P, a[P]) || !in(x, E, a[E]) ||
                        !in(x, ETP, a[ETP]) || a[T] % a[ETP] != 0 || experts % a[E] != 0 ||
                        x->batch % a[B] != 0 || !in(x, B, a[B]))
                        continue;
                    each_shape(l, a);
                }
}

static void enumerate(list *l)
{
    const space *x = l->x;
    int64_t a[DIMENSIONS] = {0};
    for (a[T] = 1; a[T] <= x->domain && a[T] <= x->m->heads; a[T]++)
        for (a[WHOLE] = 1; a[WHOLE] >= (a[T] > 1 ? 0 : 1); a[WHOLE]--)
            for (a[C] = 1; a[C] <= x->n / a[T] && 2 * a[C] <= x->sequence + 1; a[C]++)
                if (x->n % (a[T] * a[C]) == 0 && in(x, T, a[T]) && in(x, C, a[C]) &&
                    (a[T] == 1 || in(x, WHOLE, a[WHOLE])))
                    each_degree(l, a);
}

/* ---- Order ---- */

static int64_t weight(const found *f, int part)
{
    const int64_t *a = f->at;
    switch (part) {
    case 0:
        return a[C];
    case 1:
        return a[P];
    case 2:
        return a[T];
    case 3:
        return a[OFFLOAD];
    case 4:
        return a[RECOMPUTE] == 3 ? 2 : a[RECOMPUTE] == 2 ? 3 : a[RECOMPUTE];
    case 5:
        return a[RECOMPUTE] == 2 && a[BLOCK] == 0 ? 1 << 30 : a[BLOCK];
    case 6:
        return a[NORM] + a[ACTIVATION] + a[LATENT] + a[MLP] + a[EXPERTS];
    case 7:
        return a[ZERO];
    case 8:
        return a[GROUP];
    case 9:
        return a[V];
    case 10:
        return a[SCHEDULE] >= CSZ_SCHEDULE_ZB_H1 ? a[SCHEDULE] : 0;
    case 11:
        return a[HEAD];
    case 12:
        return a[E];
    case 13:
        return a[ETP];
    case 14:
        return a[B];
    case 15:
        return a[T] > 1 && !a[WHOLE];
    default:
        return a[part - 16 + NORM < HEAD ? HEAD - 1 - (part - 16) : NORM];
    }
}

static int by_rank(const void *p, const void *q)
{
    const found *a = p, *b = q;
    double x = nine_digits(a->time), y = nine_digits(b->time);
    if (a->equal != b->equal)
        return a->equal ? -1 : 1;
    if (a->equal && (a->chance > b->chance || a->chance < b->chance))
        return a->chance > b->chance ? -1 : 1;
    if (a->equal && (a->band > b->band || a->band < b->band))
        return a->band < b->band ? -1 : 1;
    if (a->sure != b->sure)
        return a->sure ? -1 : 1;
    if (!a->equal && (x < y || x > y))
        return x < y ? -1 : 1;
    for (int part = 0; part < 21; part++)
        if (weight(a, part) != weight(b, part))
            return weight(a, part) < weight(b, part) ? -1 : 1;
    return 0;
}

/* ---- Questions ---- */

static void limit(space *x, int dimension, int64_t low, int64_t high)
{
    x->limited[dimension] = 1;
    x->low[dimension] = low;
    x->high[dimension] = high;
}

static void draw_limits(space *x)
{
    int64_t t = (int64_t)1 << draw(4), c = (int64_t)1 << draw(3), e = (int64_t)1 << draw(4);
    limit(x, T, draw(3) ? t : 1, t);
    if (draw(4))
        limit(x, C, draw(2) ? 1 : c, c);
    if (draw(4))
        limit(x, P, 1 + draw(4), 4 + draw(16));
    if (x->m->experts > 0 && draw(4))
        limit(x, E, e, draw(2) ? e : 2 * e);
    if (draw(3))
        limit(x, ETP, 1, 1);
    if (draw(6))
        limit(x, B, 1, 1 + draw(3));
    if (draw(2))
        limit(x, ZERO, 0, draw(4));
    if (draw(3))
        limit(x, RECOMPUTE, 0, draw(4));
    if (draw(2))
        limit(x, V, 1, 1 + draw(4));
    if (draw(2))
        limit(x, SCHEDULE, draw(3), 3 + draw(3));
    if (draw(3) == 0)
        limit(x, WHOLE, draw(2), 1);
    for (int i = NORM; i <= EXPERTS; i++) {
        const int there[] = {1, 1, x->m->latent, x->m->mlp, x->m->experts > 0};
        int64_t asked = draw(6) == 0 && there[i - NORM];
        if (draw(3))
            limit(x, i, asked, asked);
    }
    if (draw(8) == 0) {
        int64_t least = 1 + draw(6);
        limit(x, BLOCK, least, least + draw(6));
    }
    if (draw(3) == 0)
        limit(x, HEAD, 0, 0);
    if (draw(2))
        limit(x, GROUP, (int64_t)1 << draw(4), (int64_t)1 << (3 + draw(5)));
    if (draw(3))
        limit(x, OFFLOAD, 0, draw(2));
}

static void draw_space(space *x)
{
    static const int64_t counts[] = {1,  2,  4,   8,   16,  24,   32,   48,
                                     64, 96, 128, 256, 512, 1024, 1536, 4096};
    memset(x, 0, sizeof *x);
    x->m = &models[draw(sizeof models / sizeof *models)];
    x->s = &stacks[draw(3) ? 0 : draw(4)];
    x->n = counts[draw(sizeof counts / sizeof *counts)];
    x->batch = ((int64_t)1 << (3 + draw(8))) * (draw(3) ? 1 : 3);
    x->sequence = (int64_t)1024 << draw(4);
    x->domain = 8;
    x->host = (int)draw(2) && strcmp(x->s->name, "legacy") != 0;
    x->tolerance = draw(2) ? 0 : 0.05;
    draw_limits(x);
}

static void ask(question *q, const space *x)
{
    char workload[160], cluster[96];
    (void)snprintf(workload, sizeof workload, "model=%s sequence_length=%d global_batch=%d",
                   x->m->name, (int)x->sequence, (int)x->batch);
    (void)snprintf(cluster, sizeof cluster, "%s accelerators=%d%s",
                   x->host ? "node=dgx-h100" : "accelerator=h100-sxm-80gb", (int)x->n,
                   x->host ? "" : "");
    question_open(q);
    question_set(q, workload, cluster, "");
    ck_assert_int_eq(csz_goal_stack(q->goal, x->s->name), CSZ_OK);
    ck_assert_int_eq(csz_goal_set_f64(q->goal, CSZ_GOAL_TOLERANCE, x->tolerance), CSZ_OK);
    for (int i = 0; i < DIMENSIONS; i++)
        if (x->limited[i])
            ck_assert_msg(
                csz_goal_limit(q->goal, fields[i], (double)x->low[i], (double)x->high[i]) == CSZ_OK,
                "%s", csz_goal_error(q->goal, NULL));
}

static double answered(const question *q, size_t i, csz_field field)
{
    double value = -1;
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q->ranking, i), field, &value);
    return value;
}

/* A field that is unset in a plan stands at its default. */
static int64_t planned(const csz_plan *plan, const found *f, int dimension)
{
    double value = 0;
    if (dimension == SCHEDULE)
        return csz_plan_get_f64(plan, fields[SCHEDULE], &value) == CSZ_OK
                   ? (int64_t)value
                   : (f->at[V] > 1 ? CSZ_SCHEDULE_INTERLEAVED : CSZ_SCHEDULE_1F1B);
    if (dimension == WHOLE && csz_plan_get_f64(plan, fields[WHOLE], &value) != CSZ_OK)
        return 1;
    (void)csz_plan_get_f64(plan, fields[dimension], &value);
    return (int64_t)value;
}

/* The question, for whoever looks for what went wrong. */
static void show(const space *x)
{
    printf("%s, %s, %d accelerators, batch %d of %d", x->m->name, x->s->name, (int)x->n,
           (int)x->batch, (int)x->sequence);
    for (int i = 0; i < DIMENSIONS; i++)
        if (x->limited[i])
            printf("; %s %d to %d", csz_field_name(fields[i]), (int)x->low[i], (int)x->high[i]);
    printf("\n");
}

static void compare(list *l, int number)
{
    question *q = l->q;
    size_t count, expected = l->count < TOP ? l->count : TOP;
    double valid = -1;
    ck_assert_msg(csz_ranking_select(q->ranking, q->workload, q->cluster, q->goal) == CSZ_OK, "%s",
                  csz_ranking_error(q->ranking, NULL));
    qsort(l->all, l->count, sizeof *l->all, by_rank);
    if (l->x->tolerance > 0 && l->count > 0 && l->all[0].sure) {
        double most = l->all[0].time * (1 + l->x->tolerance);
        for (size_t i = 0; i < l->count; i++)
            l->all[i].equal = l->all[i].sure && l->all[i].time <= most;
        qsort(l->all, l->count, sizeof *l->all, by_rank);
    }
    count = csz_ranking_count(q->ranking);
    if (getenv("CSZ_SHOW") != NULL)
        show(l->x);
    ck_assert_msg(count == expected, "question %d: %zu rows, not %zu", number, count, expected);
    (void)csz_ranking_get_f64(q->ranking, CSZ_RANKING_VALID, &valid);
    ck_assert_msg(valid >= l->valid && valid <= l->valid, "question %d: %g plans, not %g", number,
                  valid, l->valid);
    for (size_t i = 0; i < count && getenv("CSZ_SHOW") != NULL; i++) {
        printf("%.17g sure %d:", l->all[i].time, l->all[i].sure);
        for (int k = 0; k < DIMENSIONS; k++)
            printf(" %d", (int)l->all[i].at[k]);
        printf("\n");
    }
    for (size_t i = 0; i < count; i++) {
        double time = answered(q, i, CSZ_ESTIMATE_STEP_TIME);
        ck_assert_msg(time >= l->all[i].time && time <= l->all[i].time,
                      "question %d (%s, %s on %d), entry %zu: %.17g, not %.17g", number,
                      l->x->m->name, l->x->s->name, (int)l->x->n, i, time, l->all[i].time);
        for (int k = 0; k < DIMENSIONS; k++)
            ck_assert_msg(
                planned(csz_ranking_plan_at(q->ranking, i), &l->all[i], k) == l->all[i].at[k],
                "question %d, entry %zu: %s is %d, not %d", number, i, csz_field_name(fields[k]),
                (int)planned(csz_ranking_plan_at(q->ranking, i), &l->all[i], k),
                (int)l->all[i].at[k]);
    }
}

/* More plans than this are not enumerated. */
static int64_t number_of(const char *name, int64_t usual)
{
    const char *text = getenv(name);
    return text != NULL ? atoll(text) : usual;
}

START_TEST(search_finds_what_enumeration_finds)
{
    int64_t questions = number_of("CSZ_QUESTIONS", 40), most = number_of("CSZ_PLANS", 4000);
    int varied[DIMENSIONS] = {0}, broken[CSZ_REASON_CONTEXT_HEADS + 1] = {0}, asked = 0;
    double plans = 0;
    found *all = malloc((size_t)most * sizeof *all);
    state = 0x9E3779B97F4A7C15u + (uint64_t)number_of("CSZ_SEED", 0);
    while (asked < questions) {
        space x;
        question q;
        list l = {.q = &q, .x = &x, .all = all, .room = (size_t)most};
        double valid = -1;
        draw_space(&x);
        ask(&q, &x);
        if (csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal) == CSZ_OK &&
            csz_ranking_get_f64(q.ranking, CSZ_RANKING_VALID, &valid) == CSZ_OK && valid > 0 &&
            valid <= (double)most) {
            asked++;
            enumerate(&l);
            compare(&l, asked);
            plans += l.valid;
            for (int i = 0; i < DIMENSIONS; i++)
                varied[i] += l.many[i];
            for (int i = 0; i <= CSZ_REASON_CONTEXT_HEADS; i++)
                broken[i] += l.broken[i];
        }
        question_close(&q);
    }
    free(all);
    printf("%d questions, %.0f plans\n", asked, plans);
    for (int i = 0; i < DIMENSIONS; i++)
        printf("  %s varies in %d\n", csz_field_name(fields[i]), varied[i]);
    for (int i = 1; i <= CSZ_REASON_CONTEXT_HEADS; i++)
        if (broken[i] > 0)
            printf("  %s speaks in %d\n", csz_reason_name((csz_reason)i), broken[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("space");
    TCase *t = tcase_create("space");
    tcase_set_timeout(t, 7200);
    tcase_add_test(t, search_finds_what_enumeration_finds);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
