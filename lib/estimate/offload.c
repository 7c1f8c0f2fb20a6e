/* offload.c: traffic over the link to the host and the optimizer's step there (ZeRO-Offload, Ren et
 * al. 2021, arXiv 2101.06840, section 4; ZeRO-Infinity, Rajbhandari et al. 2021, arXiv 2104.07857,
 * sections 4 and 5). */
#include "estimate/offload.h"

#include <math.h>

/* Gradients read, master weights and moments read and written, weights written: 28 or 30 bytes a
 * parameter for AdamW in fp32, with gradients in 16 bit or fp32. */
double cszi_optimizer_bytes(const cszi_recipe *r)
{
    return r->gradients + 2 * r->master + 2 * r->states + r->weights;
}

/* Weights that stand on the host come up for each pass, each rank its own shard (ZeRO-Infinity,
 * section 6.1), once when they stay gathered between the passes. */
static double weight_bytes(const cszi_case *c, const cszi_recipe *r, const cszi_offloaded *o)
{
    double passes = c->layout.reshard ? 2 : 1;
    if (!c->layout.offload_parameters)
        return 0;
    return passes * (r->gathered * o->trained + o->frozen) + o->others;
}

/* A micro-batch: weights up, their gradients down, activations down and up. Prefetch hides it
 * behind the computation as far as that goes (ZeRO-Infinity, section 6.2). */
static double micro_time(const cszi_case *c, const cszi_recipe *r, const cszi_offloaded *o)
{
    double weights = weight_bytes(c, r, o), link = cszi_cluster_host_link(c->cluster);
    double gradients = c->layout.offload_parameters ? r->gradients * o->trained : 0;
    double time = (weights + gradients + 2 * o->activations) / link;
    if (c->layout.nvme)
        time += weights / cszi_cluster_drives(c->cluster, c->layout.used);
    return fmax(0, time - o->compute);
}

/* Once a step: gradients meet the states that they update, and weights come back. A share x of the
 * states is on the host; so are gradients and weights, all or none of them. */
static double crossing_bytes(const cszi_case *c, const cszi_recipe *r, const cszi_offloaded *o)
{
    double x = c->layout.offload_optimizer;
    return (c->layout.offload_parameters ? 1 - x : x) * (r->gradients + r->weights) * o->trained;
}

/* The host's step, bound by its memory (Ren et al. 2021, section 5.1), and what drives read and
 * write for it. */
static double step_time(const cszi_case *c, const cszi_recipe *r, const cszi_offloaded *o)
{
    double owned = c->layout.offload_optimizer * o->trained;
    double time =
        owned * cszi_optimizer_bytes(r) / cszi_cluster_host_memory_rate(c->cluster, c->layout.used);
    if (c->layout.nvme)
        time +=
            owned * 2 * (r->master + r->states) / cszi_cluster_drives(c->cluster, c->layout.used);
    return time;
}

double cszi_offload_time(const cszi_case *c, const cszi_recipe *r, const cszi_offloaded *o)
{
    if (!cszi_has_offload(&c->layout))
        return 0;
    return (double)c->layout.m * micro_time(c, r, o) +
           crossing_bytes(c, r, o) / cszi_cluster_host_link(c->cluster) + step_time(c, r, o);
}
