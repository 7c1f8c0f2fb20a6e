/* floor.c: least times by conservation, not by a model: nothing recomputed, no traffic between
 * accelerators, no launch, every byte at the printed rate. */
#include "estimate/floor.h"

#include <math.h>

#include "estimate/offload.h"

/* The optimizer reads and writes its states once; weights of the layers are read once forward and
 * once backward in a step. Experts may stay idle, rows of an embedding too, and caches may hold
 * more: none of it counts. */
static double stage_bytes(const cszi_case *c, const cszi_recipe *recipe, const cszi_share *s)
{
    double owned = cszi_layout_owned(&c->layout, s->dense, s->expert, CSZ_SHARDING_OPTIMIZER);
    double states = (1 - c->layout.offload_optimizer) * cszi_optimizer_bytes(recipe) * owned;
    double narrow = cszi_format_bytes(c->workload->compute_format);
    double weights = narrow * fmax(0, s->dense - s->outer) +
                     recipe->frozen * fmax(0, s->frozen_dense - s->frozen_outer);
    return states + 2 * weights;
}

/* After cszi_estimate_step, whose FLOPs are used. */
static void step_floor(const cszi_case *c, const cszi_estimate *estimate, cszi_floor *floor)
{
    double peak = cszi_cluster_peak(c->cluster, c->workload->compute_format), most = 0;
    cszi_recipe recipe;
    cszi_case_recipe(c, &recipe);
    for (int64_t stage = 0; stage < c->layout.p; stage++) {
        int64_t counts[CSZI_KINDS];
        cszi_share share;
        cszi_stage_layers(c->workload, &c->layout, c->parameters.layers, stage, counts);
        cszi_stage_share(c, stage, counts, &share);
        most = fmax(most, stage_bytes(c, &recipe, &share));
    }
    floor->compute = estimate->flops_step / ((double)c->layout.used * peak);
    if (c->layout.capacity > 0 && c->layout.capacity < 1)
        floor->compute *= c->layout.capacity; /* what is dropped is not computed */
    floor->memory = most / c->cluster->memory_bandwidth;
    floor->used = c->layout.used;
}

csz_status cszi_predict(const cszi_workload *workload, const cszi_cluster *cluster,
                        const cszi_plan *plan, double *seconds, cszi_floor *floor,
                        cszi_error *error)
{
    cszi_case c;
    cszi_estimate e;
    csz_reason reason = CSZ_REASON_NONE;
    csz_status status = cszi_case_open(&c, workload, cluster, 1, error);
    if (status == CSZ_OK)
        status = cszi_case_plan(&c, plan, 0, &reason, error);
    if (status == CSZ_OK)
        status = cszi_step_check(&c, &reason, error);
    if (status != CSZ_OK)
        return status;
    e.stages = NULL;
    e.stage_room = 0;
    cszi_estimate_clear(&e);
    cszi_estimate_step(&c, &e);
    *seconds = e.step_time.likely;
    if (floor != NULL)
        step_floor(&c, &e, floor);
    return CSZ_OK;
}
