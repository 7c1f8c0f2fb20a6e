/* run.c: the run over all phases of the job. */
#include "project/run.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "estimate/flops.h"
#include "estimate/layer.h"
#include "estimate/memory.h"

#define MOST_STALL 1e4 /* waits over work, beyond which nothing runs */

/* A checkpoint holds everything needed to resume, once: frozen weights are not written again. */
static double checkpoint_bytes(const cszi_case *c)
{
    cszi_recipe r;
    cszi_case_recipe(c, &r);
    return (double)c->parameters.trained * (r.weights + r.master + r.states);
}

static csz_status put_checkpoints(const cszi_case *c, cszi_estimate *e, cszi_error *error)
{
    const cszi_cluster *cluster = c->cluster;
    cszi_job job = {cluster, c->layout.used, e->step_time.likely, checkpoint_bytes(c),
                    c->workload->checkpoint_interval};
    double rate = cszi_failure_rate(cluster, job.used).likely;
    cszi_stops stops;
    csz_status status =
        cszi_stops_of(&job, rate, cszi_restart(cluster, job.used, job.bytes).likely, &stops, error);
    if (status != CSZ_OK)
        return status;
    e->run_checkpoint_bytes = job.bytes;
    e->run_checkpoint_time = stops.write;
    e->run_time_between_failures = 1 / rate;
    e->run_checkpoint_interval = stops.interval;
    e->run_goodput =
        cszi_effective_time(&stops) / (1 + cszi_overhead(cluster, e->step_tokens_per_second));
    if (cluster->failures_per_node_day <= 0)
        cszi_estimate_note(e, CSZ_NOTE_FAILURES_ASSUMED);
    if (cluster->storage_bandwidth <= 0 && cluster->node_storage_bandwidth <= 0)
        cszi_estimate_note(e, CSZ_NOTE_STORAGE_ASSUMED);
    return CSZ_OK;
}

typedef struct totals {
    double steps;
    double tokens;
    double time;
    double flops;
} totals;

static void add_phase(const cszi_case *c, const cszi_estimate *e, int64_t tokens, totals *t)
{
    double steps = ceil((double)tokens / cszi_step_tokens(c->workload, &c->batching));
    t->steps += steps;
    t->tokens += (double)tokens;
    t->time += steps * e->step_time.likely;
    t->flops += steps * e->flops_step;
}

/* The later phases with the same plan: their step times, not their parts. */
static csz_status later_phases(cszi_case *c, const cszi_plan *plan, totals *t, csz_reason *reason,
                               cszi_error *error)
{
    cszi_case other = *c;
    for (size_t i = 1; i < cszi_workload_phase_count(c->workload); i++) {
        cszi_estimate e;
        csz_status status = cszi_case_plan(&other, plan, i, reason, error);
        if (status != CSZ_OK)
            return status;
        if (cszi_phase_tokens(c->workload, i) == 0)
            return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_TOKENS,
                             "phases[%zu].tokens: is not set", i);
        e.stages = NULL;
        cszi_estimate_clear(&e);
        cszi_estimate_step(&other, &e);
        add_phase(&other, &e, cszi_phase_tokens(c->workload, i), t);
    }
    return CSZ_OK;
}

static void put_money(const cszi_case *c, const cszi_range *time, cszi_estimate *e)
{
    double n = (double)c->layout.used, hours = n * time->likely / 3600, price = c->cluster->price;
    e->run_accelerator_hours = hours;
    if (c->cluster->power > 0)
        e->run_energy = n * cszi_cluster_power(c->cluster) * time->likely;
    if (price > 0)
        e->run_cost = (cszi_range){n * time->low / 3600 * price, hours * price,
                                   n * time->high / 3600 * price};
    else
        cszi_estimate_note(e, CSZ_NOTE_NO_PRICE);
}

csz_status cszi_case_run(cszi_case *c, const cszi_plan *plan, cszi_estimate *e, csz_reason *reason,
                         cszi_error *error)
{
    totals t = {0, 0, 0, 0};
    int64_t tokens = cszi_phase_tokens(c->workload, 0);
    double low = e->step_time.low / e->step_time.likely,
           high = e->step_time.high / e->step_time.likely, wall;
    csz_status status;
    if (tokens == 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_WORKLOAD_TOKENS,
                         "tokens: is not set; give tokens, or unique_tokens and epochs, or "
                         "examples and mean_length");
    add_phase(c, e, tokens, &t);
    status = later_phases(c, plan, &t, reason, error);
    if (status != CSZ_OK)
        return status;
    status = put_checkpoints(c, e, error);
    if (status != CSZ_OK)
        return status;
    if (!(cszi_read_stall(c->cluster, e->step_tokens_per_second) < MOST_STALL))
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_CLUSTER_READ_BANDWIDTH,
                         "read_bandwidth: the run needs %g B/s of data and has %g",
                         cszi_read_rate(c->cluster, e->step_tokens_per_second),
                         c->cluster->read_bandwidth);
    if (!(e->run_goodput > 1e-6))
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_CLUSTER_FAILURES_PER_NODE_DAY,
                         "failures_per_node_day: a failure every %g s, a checkpoint of %g s: the "
                         "run would not advance",
                         e->run_time_between_failures, e->run_checkpoint_time);
    e->batch_steps = t.steps < (double)CSZI_COUNT_MAX ? (int64_t)t.steps : CSZI_COUNT_MAX;
    e->batch_tokens_total = t.tokens < (double)CSZI_COUNT_MAX ? (int64_t)t.tokens : CSZI_COUNT_MAX;
    e->flops_run = t.flops;
    e->run_ideal_time = t.time;
    wall = t.time / e->run_goodput;
    e->run_time = (cszi_range){wall * low, wall, wall * high};
    put_money(c, &e->run_time, e);
    return CSZ_OK;
}

/* Memory must hold in every phase: the parts are those of the phase that needs most. */
static csz_status put_fit(cszi_case *c, const cszi_plan *plan, cszi_estimate *e, csz_reason *reason,
                          cszi_error *error)
{
    size_t phases = cszi_workload_phase_count(c->workload), most = 0;
    double peak = 0;
    csz_status status;
    for (size_t i = 0; phases > 1 && i < phases; i++) {
        cszi_estimate probe;
        status = cszi_case_plan(c, plan, i, reason, error);
        if (status != CSZ_OK)
            return status;
        probe.stages = NULL;
        cszi_estimate_clear(&probe);
        cszi_estimate_fit(c, &probe);
        if (probe.memory_total.likely > peak) {
            peak = probe.memory_total.likely;
            most = i;
        }
    }
    status = cszi_case_plan(c, plan, most, reason, error);
    if (status != CSZ_OK)
        return status;
    cszi_estimate_fit(c, e);
    return cszi_host_check(c, e, reason, error);
}

/* What only a single estimate says, and a search does without. */
static void put_explanation(const cszi_case *c, const cszi_plan *plan, const cszi_rates *rates,
                            const cszi_layer_time times[CSZI_KINDS], cszi_estimate *e)
{
    cszi_estimate_evidence(c, e);
    cszi_estimate_kernels(c, rates, times, e);
    cszi_case_envelope(c, plan, e);
}

static void put_step(const cszi_case *c, const cszi_plan *plan, int explained, cszi_estimate *e)
{
    cszi_layer_time times[CSZI_KINDS];
    cszi_rates rates;
    cszi_case_rates(c, &rates);
    cszi_case_layer_times(c, &rates, times);
    cszi_estimate_step_with(c, &rates, times, e);
    if (explained)
        put_explanation(c, plan, &rates, times, e);
}

static csz_status compute(cszi_case *c, const cszi_plan *plan, csz_depth depth, int explained,
                          cszi_estimate *estimate, csz_reason *reason, cszi_error *error)
{
    csz_status status = put_fit(c, plan, estimate, reason, error);
    if (status == CSZ_OK && cszi_workload_phase_count(c->workload) > 1) {
        status = cszi_case_plan(c, plan, 0, reason, error);
        if (status == CSZ_OK)
            cszi_estimate_counts(c, estimate);
    }
    if (status == CSZ_OK && depth >= CSZ_DEPTH_STEP)
        status = cszi_step_check(c, reason, error);
    if (status != CSZ_OK || depth < CSZ_DEPTH_STEP)
        return status;
    put_step(c, plan, explained, estimate);
    return depth >= CSZ_DEPTH_RUN ? cszi_case_run(c, plan, estimate, reason, error) : CSZ_OK;
}

csz_status cszi_case_compute(cszi_case *c, const cszi_plan *plan, csz_depth depth,
                             cszi_estimate *estimate, csz_reason *reason, cszi_error *error)
{
    return compute(c, plan, depth, 0, estimate, reason, error);
}

csz_depth cszi_deepest(const cszi_workload *workload, const cszi_cluster *cluster)
{
    if (cluster->memory_bandwidth <= 0)
        return CSZ_DEPTH_FIT;
    return cszi_phase_tokens(workload, 0) > 0 ? CSZ_DEPTH_RUN : CSZ_DEPTH_STEP;
}

/* Of a plan without hardware: what is computed again, and how many stages do it. */
static void layout_of(const cszi_plan *plan, cszi_layout *l)
{
    memset(l, 0, sizeof *l);
    l->p = l->v = l->copies = 1;
    l->recompute_layers = INT64_MAX;
    if (plan == NULL)
        return;
    l->p = plan->pipeline_parallel;
    l->v = plan->virtual_pipeline;
    l->recompute = plan->recompute;
    if (plan->recompute_layers != 0)
        l->recompute_layers = plan->recompute_layers;
    l->latent = plan->recompute_latent;
    l->mlp = plan->recompute_mlp;
    l->experts = plan->recompute_experts;
}

/* What needs no hardware. */
static csz_status compute_model(cszi_case *c, const cszi_workload *workload, const cszi_plan *plan,
                                cszi_estimate *estimate, cszi_error *error)
{
    csz_status status = cszi_case_model(c, workload, error);
    if (status == CSZ_OK)
        status = cszi_phase_batching(workload, 0, c->parameters.total, &c->batching, error);
    if (status != CSZ_OK)
        return status;
    layout_of(plan, &c->layout);
    cszi_estimate_parameters(c, estimate);
    cszi_estimate_flops(c, estimate);
    return CSZ_OK;
}

csz_status cszi_estimate_compute(cszi_estimate *estimate, const cszi_workload *workload,
                                 const cszi_cluster *cluster, const cszi_plan *plan,
                                 csz_depth depth, csz_reason *reason, cszi_error *error)
{
    cszi_case c;
    csz_status status;
    *reason = CSZ_REASON_NONE;
    if (depth == CSZ_DEPTH_MODEL)
        return compute_model(&c, workload, plan, estimate, error);
    status = cszi_case_open(&c, workload, cluster, depth >= CSZ_DEPTH_STEP, error);
    if (status == CSZ_OK)
        status = compute(&c, plan, depth, 1, estimate, reason, error);
    return status;
}
