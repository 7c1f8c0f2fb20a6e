/* host.c: memory of the host of one node: what its processes need, what they read, and what stands
 * there for the accelerators. */
#include <math.h>

#include "estimate/memory.h"

/* Accelerators of a node that the job uses. */
static double ranks_of(const cszi_case *c)
{
    double each = c->cluster->accelerators_per_node > 0 ? (double)c->cluster->accelerators_per_node
                                                        : (double)c->layout.used;
    return fmin(each, (double)c->layout.used);
}

/* 16-bit weights of the whole model in one process of the node, or the shards of a checkpoint that
 * its ranks hold. */
static double load_bytes(const cszi_case *c, double parameters, double ranks)
{
    double trained = (double)cszi_method_trained(c->workload),
           models = trained + (double)cszi_method_frozen(c->workload);
    double model = 2 * (double)c->parameters.total * models;
    if (c->stack->loads_whole)
        return model;
    return fmin(model, 2 * parameters * ranks * models / trained);
}

/* Trained parameters that one rank owns of the optimizer's states, on the average. */
static double owned(const cszi_case *c)
{
    const cszi_layout *l = &c->layout;
    double trained = (double)c->parameters.trained * (double)cszi_method_trained(c->workload),
           ranks = (double)(l->t * l->p) / (double)l->copies;
    return trained / ranks / (l->sharding >= CSZ_SHARDING_OPTIMIZER ? (double)l->group : 1);
}

/* Frozen models, and the frozen base of adapters, in the shards that follow offloaded weights. */
static double frozen_bytes(const cszi_case *c, const cszi_recipe *r)
{
    const cszi_layout *l = &c->layout;
    double each = cszi_other_bytes(c->workload) * (double)cszi_method_frozen(c->workload) +
                  (cszi_is_adapter_job(c->workload) ? r->frozen : 0);
    return each * (double)c->parameters.total * (double)l->copies /
           (double)(l->group * l->t * l->p);
}

/* States that stand on the host, and their pinned staging buffers; on drives the buffers only. */
static double offload_bytes(const cszi_case *c, const cszi_recipe *r)
{
    const cszi_layout *l = &c->layout;
    double follow = l->offload_parameters          ? 1
                    : c->stack->offloads_gradients ? l->offload_optimizer
                                                   : 0;
    double states = l->offload_optimizer * (r->master + r->states) + follow * r->gradients;
    double staging = (l->offload_optimizer > 0 || l->offload_parameters) ? 2 * l->bucket : 0;
    if (l->nvme)
        return staging;
    if (!l->offload_parameters)
        return staging + states * owned(c);
    return staging + (states + r->weights) * owned(c) + frozen_bytes(c, r);
}

/* A checkpoint on its way: weights, master weights and moments once, by the nodes that hold
 * different ones. */
static double staging_bytes(const cszi_case *c, const cszi_recipe *r, double ranks)
{
    const cszi_layout *l = &c->layout;
    double whole = (r->weights + r->master + r->states) * (double)c->parameters.trained *
                   (double)cszi_method_trained(c->workload);
    double shares = (double)(l->t * l->p) *
                    (l->sharding >= CSZ_SHARDING_OPTIMIZER ? (double)l->group : 1) /
                    (double)l->copies;
    return whole / fmax(1, shares / fmax(1, ranks));
}

void cszi_estimate_host(const cszi_case *c, const cszi_recipe *r, const cszi_stage *mean,
                        cszi_estimate *e)
{
    double ranks = ranks_of(c), paged = ranks * r->paged * owned(c), most;
    e->host_load = load_bytes(c, (double)mean->parameters, ranks);
    e->host_offload = ranks * (offload_bytes(c, r) + mean->offloaded) + paged;
    e->host_staging = staging_bytes(c, r, ranks);
    e->host_processes = c->stack->host_process * ranks;
    most = fmax(e->host_load, e->host_offload + e->host_staging);
    /* Pages move to the host only when the device is short of room. */
    e->host_total =
        (cszi_range){e->host_processes / 2 + e->host_offload - paged, e->host_processes + most,
                     2 * e->host_processes + e->host_load + e->host_offload + e->host_staging};
}

/* To a tenth, for messages. */
static double gib(double bytes)
{
    return floor(bytes / 107374182.4 + 0.5) / 10;
}

csz_status cszi_host_check(const cszi_case *c, const cszi_estimate *e, csz_reason *reason,
                           cszi_error *error)
{
    if (!cszi_has_offload(&c->layout) || c->cluster->host_memory > 0)
        return CSZ_OK;
    *reason = CSZ_REASON_HOST_MEMORY;
    return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_HOST_MEMORY,
                     "host_memory: is not set, and what is offloaded needs at least %g GiB of a "
                     "node; set it or name a node whose memory is known",
                     gib(e->host_total.low));
}
