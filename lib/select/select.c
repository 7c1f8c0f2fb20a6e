/* select.c: every plan of a space for one count of accelerators, the invalid ones counted by
 * reason, the valid ones kept in order. Layer times depend only on tensor, context, expert degrees,
 * micro-batch and recomputation: they are computed once for all pipelines and shardings under them.
 */
#include <math.h>
#include <string.h>

#include "base/field_rows.h"
#include "estimate/flops.h"
#include "estimate/states.h"
#include "select/search.h"

#define CSZI_RECORD_flat cszi_ranking
enum { CSZI_LIST_flat };
static const cszi_field_row rows[] = {
#include "select/ranking.inc"
};
const cszi_table cszi_ranking_table = {
    "ranking", CSZI_MODE_RESULT, rows, sizeof rows / sizeof *rows, {{"", 0, 0, 0, 0, 0, 0}}, 1,
};

#define LARGEST_MICRO_BATCH 64 /* of the search; a given plan may use more */

void cszi_ranking_unset(cszi_ranking *ranking)
{
    cszi_ranking_clear(ranking);
    ranking->candidates = (double)NAN;
    ranking->valid = (double)NAN;
    ranking->fitting = (double)NAN;
}

void cszi_ranking_clear(cszi_ranking *ranking)
{
    memset(ranking->rejected, 0, sizeof ranking->rejected);
    ranking->count = 0;
    ranking->candidates = 0;
    ranking->valid = 0;
    ranking->fitting = 0;
    ranking->nodes = INT64_MIN;
    ranking->accelerators = INT64_MIN;
}

/* ---- Order ---- */

/* Confident fits first; then the objective; then fewer moving parts. Values within 1e-9 are equal,
 * so that the order does not depend on a platform's last bits. */
static int differs(double a, double b)
{
    return fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b));
}

static int by_parts(const cszi_plan *a, const cszi_plan *b)
{
    const int64_t x[] = {
        a->context_parallel, a->pipeline_parallel, a->tensor_parallel, a->recompute,
        a->sharding,         a->virtual_pipeline,  a->expert_parallel, a->expert_tensor_parallel,
        a->micro_batch};
    const int64_t y[] = {
        b->context_parallel, b->pipeline_parallel, b->tensor_parallel, b->recompute,
        b->sharding,         b->virtual_pipeline,  b->expert_parallel, b->expert_tensor_parallel,
        b->micro_batch};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return 0;
}

int cszi_entry_before(const cszi_entry *a, const cszi_entry *b, const cszi_goal *goal)
{
    int sure_a = a->fit_probability >= goal->fit_confidence,
        sure_b = b->fit_probability >= goal->fit_confidence;
    double x = a->time, y = b->time;
    if (sure_a != sure_b)
        return sure_a;
    if (goal->objective == CSZ_OBJECTIVE_COST && a->cost > 0 && b->cost > 0) {
        x = a->cost;
        y = b->cost;
    }
    return differs(x, y) ? x < y : by_parts(&a->plan, &b->plan);
}

/* Keeps the best `room` entries in order. */
void cszi_ranking_insert(cszi_ranking *ranking, const cszi_entry *entry, const cszi_goal *goal)
{
    size_t at = ranking->count;
    while (at > 0 && cszi_entry_before(entry, &ranking->entries[at - 1], goal))
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

/* ---- One plan ---- */

void cszi_entry_of(const cszi_plan *plan, const cszi_estimate *e, cszi_entry *entry)
{
    entry->plan = *plan;
    entry->accelerators = e->batch_accelerators;
    entry->time = isnan(e->run_time.likely) ? e->step_time.likely : e->run_time.likely;
    if (isnan(entry->time))
        entry->time = 0; /* of an estimate that stops at memory */
    entry->cost = isnan(e->run_cost.likely) ? 0 : e->run_cost.likely;
    entry->fit_probability = e->memory_fit_probability;
    entry->fit = e->memory_fit;
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

/* No plan of this shape is faster: its layers' time, with the pipeline's fill unless the schedule
 * fills that; nothing is known where passes hide each other's traffic. */
static double least_time(const cszi_search *s)
{
    const cszi_layout *l = &s->c.layout;
    double m = (double)l->m, p = (double)l->p, v = (double)l->v;
    if (l->schedule == CSZ_SCHEDULE_DUALPIPE)
        return 0;
    if (l->schedule >= CSZ_SCHEDULE_ZB_H1)
        return m * s->layers_time / p;
    return (m + (p - 1) / v) * s->layers_time / p;
}

/* Whether the last kept entry is surely better than anything of this shape. */
static int beaten(const cszi_search *s)
{
    const cszi_ranking *r = s->ranking;
    const cszi_entry *last;
    double least;
    if (s->cutoff > 0 && least_time(s) * s->steps > s->cutoff)
        return 1;
    if (r->count < r->room || s->goal->objective == CSZ_OBJECTIVE_COST)
        return 0;
    last = &r->entries[r->count - 1];
    least = least_time(s) * (s->runs ? s->steps : 1);
    return last->fit_probability >= s->goal->fit_confidence && least > last->time;
}

/* Why it does not fit, if so. The host counts where it holds what is offloaded. */
static csz_reason misfit(const cszi_search *s, const cszi_estimate *e)
{
    if (e->memory_fit == CSZ_FIT_NO)
        return CSZ_REASON_MEMORY;
    return e->host_fit == CSZ_FIT_NO && cszi_has_offload(&s->c.layout) ? CSZ_REASON_HOST_MEMORY
                                                                       : CSZ_REASON_NONE;
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

/* Layer times at this point of the loops, once a plan under it needs them; and a micro-batch
 * through all layers. */
static void prepare_layers(cszi_search *s)
{
    if (s->prepared)
        return;
    cszi_case_rates(&s->c, &s->rates);
    cszi_case_layer_times(&s->c, &s->rates, s->times);
    s->layers_time = 0;
    for (int64_t i = 0; i < s->workload->runs_count; i++)
        s->layers_time +=
            (double)s->workload->runs[i].layers * s->times[s->workload->runs[i].layer_kind].total;
    s->prepared = 1;
}

static void try_plan(cszi_search *s)
{
    cszi_estimate e;
    cszi_entry entry;
    csz_reason reason;
    csz_status status = cszi_plan_settle(&s->plan, s->workload, &s->cluster, &s->batching,
                                         &s->c.layout, &reason, NULL);
    s->ranking->candidates++;
    if (status != CSZ_OK) {
        s->ranking->rejected[reason]++;
        return;
    }
    s->ranking->valid++;
    s->c.stack = s->c.layout.stack;
    prepare_layers(s);
    if (beaten(s)) {
        s->ranking->rejected[CSZ_REASON_SLOWER]++;
        return;
    }
    e.stages = NULL;
    cszi_estimate_clear(&e);
    cszi_estimate_fit(&s->c, &e);
    reason = misfit(s, &e);
    if (reason == CSZ_REASON_NONE)
        status = cszi_host_check(&s->c, &e, &reason, NULL);
    if (reason == CSZ_REASON_NONE)
        status = complete(s, &e, &reason);
    if (status == CSZ_OK && reason == CSZ_REASON_NONE)
        reason = misfit(s, &e);
    if (status != CSZ_OK || reason != CSZ_REASON_NONE) {
        s->ranking->rejected[reason]++;
        return;
    }
    s->ranking->fitting++;
    cszi_entry_of(&s->plan, &e, &entry);
    if (!misses_goal(s, &entry))
        cszi_ranking_insert(s->ranking, &entry, s->goal);
}

/* ---- Loops ---- */

static void reject(cszi_search *s, csz_reason reason)
{
    s->ranking->candidates++;
    s->ranking->rejected[reason]++;
}

static int stack_has_operations(const cszi_search *s)
{
    const cszi_stack *stack = cszi_plan_stack(&s->plan, &s->cluster);
    return stack != NULL && stack->operations;
}

static int allowed(cszi_search *s, csz_field field, int64_t value)
{
    if (cszi_goal_allows(s->goal, field, (double)value))
        return 1;
    reject(s, CSZ_REASON_LIMIT);
    return 0;
}

/* Virtual stages that divide the layers evenly, with embedding and output layer counted as layers
 * or not. */
static int worth_chunks(int64_t layers, int64_t p, int64_t v)
{
    int64_t n = p * v;
    return v == 1 || (p > 1 && (layers % n == 0 || (layers + 2) % n == 0));
}

static void loop_sharding(cszi_search *s)
{
    int64_t none = s->plan.context_parallel * s->degree == 1;
    for (int64_t zero = 0; zero <= (none ? 0 : CSZ_SHARDING_PARAMETERS); zero++) {
        if (!allowed(s, CSZ_PLAN_SHARDING, zero))
            continue;
        s->plan.sharding = zero;
        try_plan(s);
    }
}

/* Zero-bubble schedules and DualPipe, which few stacks have, are tried when the goal does not allow
 * 1f1b. */
static int worth_schedule(const cszi_search *s, int64_t schedule)
{
    const cszi_plan *plan = &s->plan;
    int64_t v = plan->virtual_pipeline;
    int others = plan->pipeline_parallel > 1 &&
                 !cszi_goal_allows(s->goal, CSZ_PLAN_SCHEDULE, CSZ_SCHEDULE_1F1B);
    if (schedule == CSZ_SCHEDULE_INTERLEAVED)
        return v > 1;
    /* Two chunks follow from a V, or are asked for. */
    if (schedule == CSZ_SCHEDULE_ZB_V && v == 2)
        return others && !cszi_goal_allows(s->goal, CSZ_PLAN_VIRTUAL_PIPELINE, 1);
    return v == 1 && (schedule == CSZ_SCHEDULE_1F1B || others);
}

/* What follows from the chunks is left unset. */
static void loop_schedule(cszi_search *s)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, CSZ_PLAN_SCHEDULE);
    for (int64_t schedule = 0; schedule <= CSZ_SCHEDULE_DUALPIPE; schedule++) {
        if (!worth_schedule(s, schedule) || !allowed(s, CSZ_PLAN_SCHEDULE, schedule))
            continue;
        if (schedule >= CSZ_SCHEDULE_ZB_H1)
            (void)cszi_field_set_f64(&cszi_plan_table, &s->plan, row, 0, (double)schedule, NULL);
        loop_sharding(s);
    }
    cszi_field_unset(&cszi_plan_table, &s->plan, row);
}

static void loop_chunks(cszi_search *s)
{
    int64_t p = s->plan.pipeline_parallel;
    for (int64_t v = 1; v * p <= s->layers + 2; v++) {
        if (!worth_chunks(s->layers, p, v) || !allowed(s, CSZ_PLAN_VIRTUAL_PIPELINE, v))
            continue;
        s->plan.virtual_pipeline = v;
        loop_schedule(s);
        if (p == 1)
            break;
    }
}

static void loop_pipeline(cszi_search *s)
{
    int64_t model = s->plan.tensor_parallel * s->plan.context_parallel, n = s->cluster.accelerators;
    for (int64_t p = 1; p <= s->layers && model * p <= n; p++) {
        if (n % (model * p) != 0 || !allowed(s, CSZ_PLAN_PIPELINE_PARALLEL, p))
            continue;
        s->plan.pipeline_parallel = p;
        s->degree = n / (model * p);
        if (!allowed(s, CSZ_PLAN_DATA_PARALLEL, s->degree))
            continue;
        /* A batch that does not divide rules out all chunks and shardings at once. */
        if (s->batching.sequences % (s->degree * s->plan.micro_batch) != 0)
            reject(s, CSZ_REASON_BATCH);
        else
            loop_chunks(s);
    }
}

/* The model's own constraints on tensor, context and expert degrees: a count and a batch that every
 * degree divides, so that only they speak. */
static int model_allows(cszi_search *s)
{
    csz_reason reason;
    cszi_plan probe = s->plan;
    cszi_cluster one = s->cluster;
    cszi_batching batch = s->batching;
    probe.pipeline_parallel = 1;
    probe.virtual_pipeline = 1;
    probe.first_stage_layers = 0;
    probe.last_stage_layers = 0;
    probe.sharding = CSZ_SHARDING_NONE;
    probe.micro_batch = 1;
    one.accelerators = probe.tensor_parallel * probe.context_parallel * probe.expert_parallel *
                       probe.expert_tensor_parallel;
    batch.sequences = one.accelerators;
    if (cszi_plan_settle(&probe, s->workload, &one, &batch, &s->c.layout, &reason, NULL) == CSZ_OK)
        return 1;
    reject(s, reason);
    return 0;
}

/* A limit of the goal may ask for more than is tried on its own. */
static int64_t largest_micro_batch(const cszi_search *s)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, CSZ_PLAN_MICRO_BATCH);
    size_t slot = (size_t)(row - cszi_plan_table.rows);
    int64_t most = LARGEST_MICRO_BATCH;
    if ((s->goal->limited >> slot & 1) != 0)
        most = (int64_t)s->goal->highest[slot];
    return most < s->batching.sequences ? most : s->batching.sequences;
}

static void loop_micro_batch(cszi_search *s)
{
    int64_t most = largest_micro_batch(s);
    for (int64_t b = 1; b <= most; b++) {
        if (s->batching.sequences % b != 0 || !allowed(s, CSZ_PLAN_MICRO_BATCH, b))
            continue;
        s->plan.micro_batch = b;
        for (int64_t r = CSZ_RECOMPUTE_NONE; r <= CSZ_RECOMPUTE_OPERATIONS; r++) {
            if (r == CSZ_RECOMPUTE_OPERATIONS && !stack_has_operations(s))
                continue;
            if (!allowed(s, CSZ_PLAN_RECOMPUTE, r))
                continue;
            s->plan.recompute = r;
            s->prepared = 0;
            loop_pipeline(s);
        }
    }
}

static int64_t most_experts(const cszi_workload *w)
{
    int64_t most = 0;
    for (int64_t i = 0; i < w->kinds_count; i++)
        most = w->kinds[i].experts > most ? w->kinds[i].experts : most;
    return most;
}

static void loop_experts(cszi_search *s)
{
    int64_t experts = most_experts(s->workload), t = s->plan.tensor_parallel;
    for (int64_t e = 1; e <= (experts > 0 ? experts : 1) && e <= s->cluster.accelerators; e++) {
        if ((experts > 0 && experts % e != 0) || !allowed(s, CSZ_PLAN_EXPERT_PARALLEL, e))
            continue;
        s->plan.expert_parallel = e;
        for (int64_t etp = 1; etp <= (experts > 0 ? t : 1); etp++) {
            if (t % etp != 0 || s->cluster.accelerators % (e * etp) != 0 ||
                !allowed(s, CSZ_PLAN_EXPERT_TENSOR_PARALLEL, etp))
                continue;
            s->plan.expert_tensor_parallel = etp;
            if (model_allows(s))
                loop_micro_batch(s);
        }
    }
}

static int in_domain(cszi_search *s, int64_t t)
{
    int64_t domain = s->cluster.scale_up_domain > 0 ? s->cluster.scale_up_domain : 1;
    if (t <= domain || s->goal->tensor_beyond_domain)
        return 1;
    reject(s, CSZ_REASON_TENSOR_DOMAIN);
    return 0;
}

/* Tensor degrees that divide the count, then context degrees that divide the rest. */
static csz_status loop_tensor(cszi_search *s, const cszi_progress *progress, cszi_error *error)
{
    int64_t n = s->cluster.accelerators, heads = s->workload->kinds[0].heads;
    int64_t most = heads > 0 && heads < n ? heads : n;
    for (int64_t t = 1; t <= most; t++) {
        if (n % t != 0 || !allowed(s, CSZ_PLAN_TENSOR_PARALLEL, t) || !in_domain(s, t))
            continue;
        s->plan.tensor_parallel = t;
        for (int64_t c = 1; c <= n / t && 2 * c <= s->batching.sequence + 1; c++) {
            if (n / t % c != 0 || !allowed(s, CSZ_PLAN_CONTEXT_PARALLEL, c))
                continue;
            s->plan.context_parallel = c;
            loop_experts(s);
            if (progress != NULL && progress->fn != NULL &&
                progress->fn(progress->user, (double)t / (double)most) != 0)
                return cszi_fail(error, CSZ_ERR_CANCELLED, CSZ_FIELD_NONE, "cancelled");
        }
    }
    return CSZ_OK;
}

/* Plan fields that the loops do not vary: a limit to one value sets them. */
static void fix_others(const cszi_goal *goal, cszi_plan *plan)
{
    for (size_t slot = 0; slot < cszi_plan_table.count; slot++) {
        const cszi_field_row *row = &cszi_plan_table.rows[slot];
        if ((goal->limited >> slot & 1) != 0 && !cszi_goal_varies(row->id))
            (void)cszi_field_set_f64(&cszi_plan_table, plan, row, 0, goal->lowest[slot], NULL);
    }
}

csz_status cszi_search_open(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                            const cszi_cluster *cluster, const cszi_goal *goal, cszi_error *error)
{
    csz_status status;
    double tokens = (double)cszi_phase_tokens(workload, 0);
    memset(s, 0, sizeof *s);
    s->ranking = ranking;
    s->workload = workload;
    s->cluster = *cluster;
    s->goal = goal;
    cszi_ranking_clear(ranking);
    if (s->cluster.accelerators == 0)
        s->cluster.accelerators = 1;
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
    cszi_fields_init(&cszi_plan_table, &s->plan, sizeof s->plan);
    fix_others(goal, &s->plan);
    if (goal->stack[0] != '\0')
        (void)cszi_field_set_text(&cszi_plan_table, &s->plan,
                                  cszi_table_row(&cszi_plan_table, CSZ_PLAN_STACK), 0, goal->stack,
                                  strlen(goal->stack), NULL, NULL);
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

csz_status cszi_search_count(cszi_search *s, int64_t accelerators, const cszi_progress *progress,
                             cszi_error *error)
{
    csz_reason reason = CSZ_REASON_NONE;
    csz_status status;
    s->cluster.accelerators = accelerators;
    s->c.cluster = &s->cluster;
    s->ranking->count = 0;
    s->c.layout.used = accelerators;
    s->c.stack = cszi_plan_stack(&s->plan, &s->cluster);
    status = cszi_step_check(&s->c, &reason, error);
    return status == CSZ_OK ? loop_tensor(s, progress, error) : status;
}

csz_status cszi_select(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                       const cszi_cluster *cluster, const cszi_goal *goal,
                       const cszi_progress *progress, cszi_error *error)
{
    csz_status status;
    if (cluster->accelerators == 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_ACCELERATORS,
                         "accelerators: is not set; a selection is for a count");
    status = cszi_search_open(s, ranking, workload, cluster, goal, error);
    if (status == CSZ_OK)
        status = cszi_search_count(s, cluster->accelerators, progress, error);
    if (status == CSZ_OK && ranking->count > 0)
        cszi_ranking_head(ranking, cluster);
    return status;
}

void cszi_ranking_head(cszi_ranking *ranking, const cszi_cluster *cluster)
{
    int64_t each = cluster->accelerators_per_node > 0 ? cluster->accelerators_per_node : 1;
    ranking->accelerators = ranking->entries[0].accelerators;
    ranking->nodes = (ranking->accelerators + each - 1) / each;
}
