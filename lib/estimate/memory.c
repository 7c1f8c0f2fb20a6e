/* memory.c: from tensors in use to what the allocator and the driver hold, with bands, and the
 * verdict. */
#include "estimate/memory.h"

#include <math.h>

/* The allocator's cache, and what stands outside of it: the context, and buffers of each group of
 * ranks that talk. */
static double groups_of(const cszi_layout *l)
{
    return (double)((l->t > 1) + (l->p > 1) + (l->c > 1) + (l->e > 1) + (l->d > 1));
}

static double slack_of(const cszi_case *c, double slack)
{
    return c->layout.expandable ? slack * c->stack->slack_expandable : slack;
}

void cszi_stage_held(const cszi_case *c, cszi_stage *at)
{
    const cszi_stack *stack = c->stack;
    at->part[CSZI_MEM_FRAGMENTATION] = slack_of(c, stack->slack_likely) * at->allocated;
    at->part[CSZI_MEM_CONTEXT] =
        stack->context_likely + stack->communicator * groups_of(&c->layout);
    at->reserved = at->allocated + at->part[CSZI_MEM_FRAGMENTATION];
    at->total = at->reserved + at->part[CSZI_MEM_CONTEXT];
}

/* Deviations that have nothing to do with each other add as squares. */
static double away(double a, double b, double c)
{
    return sqrt(a * a + b * b + c * c);
}

static int is_mixture(const cszi_case *c)
{
    return c->parameters.total != c->parameters.active;
}

/* The band of the allocated bytes: that of the stack, wider where less is known. */
static void spread(const cszi_case *c, double *low, double *high)
{
    const char *wider[] = {is_mixture(c) ? "memory_mixture" : NULL,
                           cszi_is_adapter_job(c->workload) ? "memory_adapters" : NULL,
                           c->layout.stack_named ? NULL : "memory_stack_unknown"};
    *low = c->stack->memory_low;
    *high = c->stack->memory_high;
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        const cszi_band *band = wider[i] != NULL ? cszi_band_find(wider[i]) : NULL;
        if (band != NULL) {
            *low *= band->low;
            *high *= band->high;
        }
    }
}

void cszi_stage_bounds(const cszi_case *c, const cszi_stage *at, cszi_bounds *b)
{
    const cszi_stack *stack = c->stack;
    double a = at->allocated, low, high, down, up, slack_down, slack_up, groups, less, more;
    spread(c, &low, &high);
    down = a * (1 - low);
    up = a * (high - 1);
    slack_down = a * slack_of(c, stack->slack_likely - stack->slack_low);
    slack_up = a * slack_of(c, stack->slack_high - stack->slack_likely);
    if (c->layout.v > 1 && stack->slack_chunks > 1) /* tensors of many ages leave holes */
        slack_up *= stack->slack_chunks;
    groups = groups_of(&c->layout) * stack->communicator / 2;
    less = away(stack->context_likely - stack->context_low, groups, 0);
    more = away(stack->context_high - stack->context_likely, groups, 0);
    b->allocated = (cszi_range){a - down, a, a + up};
    b->reserved = (cszi_range){at->reserved - away(down, slack_down, 0), at->reserved,
                               at->reserved + away(up, slack_up, 0)};
    b->total = (cszi_range){at->total - away(down, slack_down, less), at->total,
                            at->total + away(up, slack_up, more)};
}

/* ---- The verdict ---- */

static void put_worst(const cszi_case *c, const cszi_stage *at, int64_t stage, cszi_estimate *e)
{
    cszi_bounds bounds;
    cszi_stage_bounds(c, at, &bounds);
    for (int i = 0; i < CSZI_MEM_PARTS; i++)
        e->memory_part[i] = at->part[i];
    e->memory_allocated = bounds.allocated;
    e->memory_reserved = bounds.reserved;
    e->memory_total = bounds.total;
    e->memory_worst_stage = stage;
    e->memory_moment = at->moment;
}

/* Chance that the need stays within the memory: two half-normal sides whose 10% and 90% points are
 * low and high. */
double cszi_fit_probability(const cszi_range *need, double memory)
{
    double side = memory < need->likely ? need->likely - need->low : need->high - need->likely;
    double z;
    if (side <= 0)
        return memory >= need->likely ? 1 : 0;
    z = (memory - need->likely) / side *
        1.2815515655446004; /* the 90% point of a standard normal */
    return 0.5 * erfc(-z / 1.4142135623730951);
}

static int64_t verdict(const cszi_range *need, double memory)
{
    return need->low > memory ? CSZ_FIT_NO : need->high > memory ? CSZ_FIT_TIGHT : CSZ_FIT_YES;
}

static void put_verdict(const cszi_case *c, cszi_estimate *e)
{
    double memory = c->cluster->memory;
    e->memory_usable = memory;
    e->memory_margin = memory - e->memory_total.likely;
    e->memory_fit_probability = cszi_fit_probability(&e->memory_total, memory);
    e->memory_fit = verdict(&e->memory_total, memory);
    if (c->cluster->host_memory > 0) {
        e->host_usable = c->cluster->host_memory;
        e->host_fit = verdict(&e->host_total, c->cluster->host_memory);
    } else {
        cszi_estimate_note(e, CSZ_NOTE_HOST_UNKNOWN);
    }
    if (c->stack->memory_rows == 0)
        cszi_estimate_note(e, CSZ_NOTE_MEMORY_UNFITTED);
    if (is_mixture(c))
        cszi_estimate_note(e, CSZ_NOTE_ROUTING_ASSUMED);
}

void cszi_estimate_fit(const cszi_case *c, cszi_estimate *estimate)
{
    cszi_recipe recipe;
    cszi_tenant tenant;
    cszi_stage mean = {0};
    double peak = -1;
    cszi_case_recipe(c, &recipe);
    cszi_tenant_open(c, &recipe, &tenant);
    cszi_estimate_counts(c, estimate);
    estimate->memory_per_parameter =
        recipe.weights + recipe.gradients + recipe.master + recipe.states;
    if (estimate->stages != NULL)
        estimate->stage_count = c->layout.p;
    for (int64_t stage = 0; stage < c->layout.p; stage++) {
        cszi_stage at = {0};
        cszi_stage_peak(&tenant, stage, &at);
        cszi_stage_held(c, &at);
        at.time = (double)NAN;
        mean.parameters += at.parameters;
        mean.offloaded += at.offloaded;
        if (at.total > peak) {
            peak = at.total;
            put_worst(c, &at, stage, estimate);
        }
        if (estimate->stages != NULL)
            estimate->stages[stage] = at;
    }
    mean.parameters /= c->layout.p;
    mean.offloaded /= (double)c->layout.p;
    cszi_estimate_host(c, &recipe, &mean, estimate);
    put_verdict(c, estimate);
}
