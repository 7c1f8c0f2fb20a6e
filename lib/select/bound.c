/* bound.c: what no plan of a part of the space goes below: time from layers, ends, bubble and
 * stages' traffic; memory from states and kept activations. Layer times are those of the estimate;
 * a margin covers the rounding of sums in another order. */
#include <math.h>
#include <string.h>

#include "estimate/activations.h"
#include "estimate/flops.h"
#include "select/search.h"

#define MARGIN (1 - 1e-9)
#define CORE CSZI_MODULES /* the attention core stands behind the modules */

/* ---- Opening ---- */

static double expert_flops(const cszi_search *s, const cszi_layer_kind *kind)
{
    const cszi_passes passes = cszi_method_passes(s->workload);
    cszi_matrix matrices[CSZI_MATRICES];
    size_t count = cszi_kind_matrices(kind, s->workload->hidden, matrices);
    double flops = 0, backward = cszi_is_adapter_job(s->workload) ? 1 : 2;
    for (size_t i = 0; i < count; i++)
        if (matrices[i].part == CSZI_PART_EXPERT)
            flops +=
                2 * (double)matrices[i].in * (double)matrices[i].out * (double)matrices[i].active;
    return flops * (passes.forward + backward * passes.backward);
}

void cszi_bound_open(cszi_search *s)
{
    const cszi_workload *w = s->workload;
    s->at = s->c;
    cszi_case_rates(&s->at, &s->rates);
    memset(s->kind_layers, 0, sizeof s->kind_layers);
    memset(s->limits, 0, sizeof s->limits);
    for (int64_t i = 0; i < w->runs_count; i++)
        s->kind_layers[w->runs[i].layer_kind] += (double)w->runs[i].layers;
    s->kind_layers[cszi_workload_last_kind(w)] += (double)w->prediction_layers;
    for (int64_t i = 0; i < w->kinds_count; i++) {
        s->bare[i] = w->kinds[i];
        s->bare[i].experts = s->bare[i].experts_per_token = s->bare[i].expert_ffn = 0;
        s->expert_flops[i] = expert_flops(s, &w->kinds[i]);
    }
}

/* ---- Roots and classes ---- */

/* Micro-batches of a step over the stages: B t c / (n b), whatever the pipeline. */
static double passes_of(const cszi_search *s)
{
    const cszi_layout *l = &s->base;
    return (double)s->batching.sequences * (double)l->t * (double)l->c /
           ((double)s->cluster.accelerators * (double)l->b);
}

static double step_of(const cszi_search *s, double seconds)
{
    return (1 + s->straggle) * (seconds + s->at.stack->step_fixed) * MARGIN;
}

double cszi_bound_root(cszi_search *s)
{
    const cszi_layout *l = &s->base;
    double sum = 0, busiest = l->capacity > 0 ? l->capacity : cszi_workload_imbalance(s->workload);
    s->at.layout = s->base;
    s->straggle = cszi_case_straggle(&s->at);
    s->ends = cszi_ends_time(&s->at, &s->rates);
    for (int64_t i = 0; i < s->workload->kinds_count; i++) {
        cszi_layer_time t;
        double tokens = (double)l->s * (double)l->b / (double)l->c * s->bare[i].token_share;
        cszi_layer_time_of(&s->at, &s->rates, &s->bare[i], &t);
        sum += s->kind_layers[i] *
               fmax(t.total, cszi_pass_sum(&t.forward) + cszi_pass_sum(&t.backward) +
                                 s->expert_flops[i] * tokens * busiest / (double)l->t /
                                     (s->rates.matrix * s->at.stack->grouped_share));
    }
    return step_of(s, passes_of(s) * (sum + s->ends));
}

/* DualPipe may hide the traffic of experts. */
static int may_hide(const cszi_search *s)
{
    return cszi_space_allows(s, CSZ_PLAN_SCHEDULE, CSZ_SCHEDULE_DUALPIPE) && s->at.stack->dualpipe;
}

double cszi_bound_class(cszi_search *s)
{
    int hides = may_hide(s);
    double sum = 0;
    s->at.layout = s->base;
    s->modules_bound = 0;
    s->hop_p = 0;
    cszi_case_layer_times(&s->at, &s->rates, s->times);
    for (int64_t i = 0; i < s->workload->kinds_count; i++) {
        const cszi_layer_time *t = &s->times[i];
        cszi_layer_bound *b = &s->bound[i];
        b->expert = t->forward.expert + t->backward.expert;
        b->backward = cszi_pass_sum(&t->backward);
        b->device = cszi_pass_sum(&t->forward) + b->backward;
        b->total = fmax(b->device, t->total);
        b->weights = cszi_is_adapter_job(s->workload) ? 0 : t->backward.matrices / 2;
        b->whole = t->recompute[1];
        sum += s->kind_layers[i] * (hides ? b->device - b->expert : b->total);
    }
    return step_of(s, passes_of(s) * (sum + s->ends));
}

/* ---- Recomputation ---- */

static int64_t *module_of(cszi_layout *l, size_t module)
{
    int64_t *const of[CSZI_MODULES] = {&l->norm, &l->activation, &l->latent, &l->mlp, &l->experts};
    return of[module];
}

/* Autocast keeps wider residuals of weights that are not sharded. */
static void lay_least(cszi_search *s)
{
    s->at.layout = s->base;
    s->at.layout.sharding = CSZ_SHARDING_PARAMETERS;
}

/* Time and bytes of one layer with one module, or the attention core, computed again. */
static void bound_module(cszi_search *s, size_t module)
{
    lay_least(s);
    if (module == CORE)
        s->at.layout.recompute = CSZ_RECOMPUTE_SELECTIVE;
    else
        *module_of(&s->at.layout, module) = 1;
    for (int64_t i = 0; i < s->workload->kinds_count; i++) {
        const cszi_layer_kind *kind = &s->workload->kinds[i];
        cszi_layer_time time;
        cszi_layer_bytes bytes;
        cszi_layer_time_of(&s->at, &s->rates, kind, &time);
        cszi_layer_bytes_of(&s->at, kind, &bytes);
        s->bound[i].again[module] = time.recompute[0];
        s->bound[i].drop[module] = s->bound[i].kept - bytes.kept;
    }
}

static void bound_modules(cszi_search *s)
{
    unsigned used = s->lowest_modules;
    int operations = 0;
    if (s->modules_bound)
        return;
    s->modules_bound = 1;
    for (size_t i = 0; i < s->again_count; i++) {
        used |= s->again[i].modules;
        used |= s->again[i].recompute == CSZ_RECOMPUTE_SELECTIVE ? 1u << CORE : 0;
        operations |= s->again[i].recompute == CSZ_RECOMPUTE_OPERATIONS;
    }
    for (int operation = 0; operation <= operations; operation++) {
        lay_least(s);
        s->at.layout.recompute = operation ? CSZ_RECOMPUTE_OPERATIONS : CSZ_RECOMPUTE_NONE;
        for (int64_t i = 0; i < s->workload->kinds_count; i++) {
            const cszi_layer_kind *kind = &s->workload->kinds[i];
            cszi_layer_bytes bytes;
            cszi_layer_time time;
            cszi_layer_bytes_of(&s->at, kind, &bytes);
            if (!operation) {
                s->bound[i].kept = bytes.kept;
                s->bound[i].input = bytes.input;
                continue;
            }
            cszi_layer_time_of(&s->at, &s->rates, kind, &time);
            s->bound[i].sparse = time.recompute[0];
            s->bound[i].partly = bytes.kept;
        }
    }
    for (size_t module = 0; module <= CORE; module++)
        if ((used >> module & 1) != 0)
            bound_module(s, module);
}

static unsigned parts_of(const cszi_recomputation *again)
{
    return again->modules | (again->recompute == CSZ_RECOMPUTE_SELECTIVE ? 1u << CORE : 0);
}

/* Of one layer; with a number of layers what the others take. */
static double again_time(const cszi_layer_bound *b, const cszi_recomputation *again)
{
    unsigned parts = parts_of(again);
    double time = 0;
    if (again->recompute == CSZ_RECOMPUTE_FULL)
        return again->layers == 0 ? b->whole : 0;
    if (again->recompute == CSZ_RECOMPUTE_OPERATIONS)
        return b->sparse;
    if ((parts & (CSZI_AGAIN_MLP | CSZI_AGAIN_EXPERTS)) != 0)
        parts &= ~CSZI_AGAIN_ACTIVATION; /* which they have in them */
    for (size_t i = 0; i <= CORE; i++)
        if ((parts >> i & 1) != 0)
            time += b->again[i];
    return time;
}

/* ---- Shapes ---- */

/* Sums over the model, and the least of a layer. */
typedef struct sums {
    double total, backward, weights;
    double least; /* of a layer */
    double more;  /* of a layer that full recomputation covers */
} sums;

static sums sum_layers(const cszi_search *s, const cszi_recomputation *again, int hides)
{
    sums sum = {s->ends, 0, 0, (double)INFINITY, (double)INFINITY};
    for (int64_t i = 0; i < s->workload->kinds_count; i++) {
        const cszi_layer_bound *b = &s->bound[i];
        double n = s->kind_layers[i], a = again_time(b, again), one;
        if (n <= 0)
            continue;
        one = hides ? b->device - b->expert + a : fmax(b->device + a, b->total);
        sum.total += n * one;
        sum.backward += n * (b->backward + a);
        sum.weights += n * b->weights;
        sum.least = fmin(sum.least, one);
        sum.more = fmin(sum.more, fmax(b->device + b->whole, b->total) - b->total);
    }
    return sum;
}

/* Slots of the bubble times what each lasts, summed over stages (step.c). */
static double bubble(const cszi_shape *shape, const sums *sum, double total)
{
    double p = shape->p;
    switch ((csz_schedule)shape->schedule) {
    case CSZ_SCHEDULE_ZB_H1:
        return (p - 1) * fmax(0, total - 2 * sum->weights);
    case CSZ_SCHEDULE_ZB_H2:
        return (p - 1) * fmax(0, total - 3 * sum->weights);
    case CSZ_SCHEDULE_ZB_V:
        return (p - 1) / 2 * fmax(0, total - 3 * sum->weights);
    case CSZ_SCHEDULE_DUALPIPE:
        return (p / 2 - 1) * fmax(0, total + sum->backward - 3 * sum->weights);
    case CSZ_SCHEDULE_1F1B:
    case CSZ_SCHEDULE_INTERLEAVED:
    case CSZ_SCHEDULE_MAX_ENUM:
        break;
    }
    return (p - 1) / shape->v * total;
}

static double hop_of(cszi_search *s, const cszi_shape *shape)
{
    if (shape->p == s->hop_p && shape->v == s->hop_v)
        return s->hop;
    s->at.layout = s->base;
    s->at.layout.p = s->hop_p = shape->p;
    s->at.layout.v = s->hop_v = shape->v;
    s->hop = cszi_hop_time(&s->at, &s->rates);
    return s->hop;
}

/* Some stage holds the mean number of layers or more. */
double cszi_bound_shape(cszi_search *s, const cszi_shape *shape, const cszi_recomputation *again)
{
    int both = shape->schedule == CSZ_SCHEDULE_DUALPIPE;
    double p = shape->p, hop = hop_of(s, shape), m = passes_of(s) * p, total, slowest;
    double most = ceil((double)s->layers / p),
           least = shape->v * floor((double)s->layers / p / shape->v);
    sums sum;
    if (again->recompute != CSZ_RECOMPUTE_NONE || again->modules != 0)
        bound_modules(s);
    sum = sum_layers(s, again, both);
    total = sum.total + p * hop;
    slowest = most * sum.least + hop;
    if (again->layers > 0 && !both) {
        int placed = s->plan.first_stage_layers != 0 || s->plan.last_stage_layers != 0;
        total += placed ? 0 : p * fmin((double)again->layers, least) * sum.more;
        slowest += fmin((double)again->layers, most) * sum.more;
    }
    slowest = both ? total / p : fmax(total / p, slowest);
    return step_of(s, m * slowest + bubble(shape, &sum, total) / p);
}

/* ---- Memory ---- */

static double kept_of(const cszi_layer_bound *b, const cszi_recomputation *again)
{
    double kept = b->kept;
    if (again->recompute == CSZ_RECOMPUTE_FULL && again->layers == 0)
        return b->input;
    if (again->recompute == CSZ_RECOMPUTE_OPERATIONS)
        return b->partly;
    for (size_t i = 0; i <= CORE; i++)
        if ((parts_of(again) >> i & 1) != 0)
            kept -= b->drop[i];
    return fmax(0, kept);
}

double cszi_bound_kept(cszi_search *s, const cszi_tenant *stage, const cszi_recomputation *again)
{
    double left = (double)again->layers, bytes = 0;
    bound_modules(s);
    if (s->plan.offload_activations)
        return 0;
    for (int64_t i = 0; i < s->workload->kinds_count; i++) {
        const cszi_layer_bound *b = &s->bound[i];
        double n = (double)stage->counts[i], covered;
        if (i == cszi_workload_last_kind(s->workload))
            n += (double)stage->predictions;
        covered = fmin(n, left);
        left -= covered;
        bytes += covered * fmin(b->input, b->kept) + (n - covered) * kept_of(b, again);
    }
    return bytes * MARGIN;
}

/* Whether so many allocated bytes are too many. */
static int passes_memory(const cszi_search *s, const cszi_case *c, double allocated, int surely)
{
    cszi_stage at;
    cszi_bounds bounds;
    memset(&at, 0, sizeof at);
    at.allocated = allocated;
    cszi_stage_held(c, &at);
    cszi_stage_bounds(c, &at, &bounds);
    if (!surely)
        return bounds.total.low > s->cluster.memory;
    return cszi_fit_probability(&bounds.total, s->cluster.memory) < s->goal->fit_confidence;
}

static double largest(const cszi_search *s, int surely)
{
    double low = 0, high = 4 * s->cluster.memory;
    cszi_case c = s->c;
    c.layout.v = 1; /* chunks widen the band upwards */
    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;
        if (passes_memory(s, &c, middle, surely))
            high = middle;
        else
            low = middle;
    }
    return high;
}

const double *cszi_bound_memory(cszi_search *s)
{
    const cszi_layout *l = &s->c.layout;
    double *limits = s->limits[(l->t > 1) + (l->p > 1) + (l->c > 1) + (l->e > 1) + (l->d > 1)];
    if (limits[0] <= 0) {
        limits[0] = largest(s, 0);
        limits[1] = largest(s, 1);
    }
    return limits;
}
