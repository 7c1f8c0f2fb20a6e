/* outlook.c: the run with its stops, and its ranges. */
#include <math.h>
#include <string.h>

#include "project/projection.h"

#define DAY 86400.0
#define NORMAL_90 1.281552 /* quantile of 90% */
#define LEAST_GOODPUT 1e-6 /* below it a run does not advance */

/* ---- Opening ---- */

static const cszi_offer *offer_of(const cszi_catalog *catalog, const cszi_cluster *cluster)
{
    for (size_t i = 0; cluster->offer[0] != '\0' && i < catalog->counts[CSZ_KIND_OFFER]; i++) {
        const cszi_offer *o = cszi_catalog_entry(catalog, CSZ_KIND_OFFER, i);
        if (strcmp(o->id, cluster->offer) == 0 && !(o->price < cluster->price) &&
            !(o->price > cluster->price))
            return o;
    }
    return NULL;
}

/* The quotes behind the price, unless it was stated; a spot offer is reclaimed now and then. */
static void open_price(cszi_outlook *o)
{
    const cszi_offer *offer = offer_of(o->catalog, &o->cluster);
    double price = o->cluster.price;
    o->price = (cszi_range){price, price, price};
    if (offer == NULL)
        return;
    if (offer->low > 0)
        o->price.low = fmin(offer->low, price);
    if (offer->high > 0)
        o->price.high = fmax(offer->high, price);
    if (offer->term != NULL && strcmp(offer->term, "spot") == 0 &&
        !cszi_cluster_has(&o->cluster, CSZ_CLUSTER_SPOT_INTERRUPTIONS_PER_NODE_DAY))
        o->cluster.spot_interruptions_per_node_day =
            cszi_operation_find("default-spot-interruptions")->value;
}

static void open_job(cszi_outlook *o, const cszi_workload *workload, const cszi_estimate *e)
{
    o->job = (cszi_job){&o->cluster, e->batch_accelerators, e->step_time.likely,
                        e->run_checkpoint_bytes, workload->checkpoint_interval};
    o->ideal = e->run_ideal_time;
    o->tokens_per_second = e->step_tokens_per_second;
    o->step = (cszi_range){e->step_time.low / e->step_time.likely, 1,
                           e->step_time.high / e->step_time.likely};
    if (o->cluster.step_uncertainty > 0) {
        double end = exp(NORMAL_90 * o->cluster.step_uncertainty);
        o->step = (cszi_range){1 / end, 1, end};
    }
}

csz_status cszi_outlook_open(cszi_outlook *o, const cszi_catalog *catalog,
                             const cszi_workload *workload, const cszi_cluster *cluster,
                             const cszi_plan *plan, csz_reason *reason, cszi_error *error)
{
    cszi_estimate e;
    cszi_kernel kernels[CSZI_KERNELS];
    csz_status status;
    e.stages = NULL;
    e.stage_room = 0;
    e.kernels = kernels;
    cszi_estimate_clear(&e);
    o->catalog = catalog;
    o->cluster = *cluster;
    open_price(o);
    status = cszi_estimate_compute(&e, workload, &o->cluster, plan, CSZ_DEPTH_RUN, reason, error);
    if (status != CSZ_OK)
        return status;
    open_job(o, workload, &e);
    return cszi_stops_of(&o->job, cszi_failure_rate(&o->cluster, o->job.used).likely,
                         cszi_restart(&o->cluster, o->job.used, o->job.bytes).likely, &o->stops,
                         error);
}

/* ---- Time ---- */

static double effective_at(const cszi_outlook *o, double rate, double restart)
{
    cszi_stops stops = o->stops;
    stops.planned_stop += restart - stops.restart;
    stops.rate = rate;
    stops.restart = restart;
    return cszi_effective_time(&stops);
}

double cszi_outlook_time(const cszi_outlook *o, double step, double rate, double restart)
{
    return o->ideal * step * (1 + cszi_overhead(&o->cluster, o->tokens_per_second / step)) /
           effective_at(o, rate, restart);
}

double cszi_outlook_paid(const cszi_outlook *o)
{
    double used = (double)o->job.used, domain = (double)o->cluster.scale_up_domain;
    double sold = (double)o->cluster.domain_accelerators;
    return domain > 0 && sold > domain ? ceil(used / domain) * sold : used;
}

static double time_figure(const void *model, const double *x)
{
    return cszi_outlook_time(model, x[0], x[1], x[2]);
}

static double effective_figure(const void *model, const double *x)
{
    return effective_at(model, x[0], x[1]);
}

static double goodput_figure(const void *model, const double *x)
{
    const cszi_outlook *o = model;
    return effective_at(o, x[0], x[1]) / (1 + cszi_overhead(&o->cluster, o->tokens_per_second));
}

static csz_status put_time(const cszi_outlook *o, cszi_projection *p, cszi_error *error)
{
    cszi_range rate = cszi_failure_rate(&o->cluster, o->job.used);
    cszi_range restart = cszi_restart(&o->cluster, o->job.used, o->job.bytes);
    cszi_range all[3] = {o->step, rate, restart};
    if (!(effective_at(o, rate.high, restart.high) > LEAST_GOODPUT))
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_CLUSTER_FAILURES_PER_NODE_DAY,
                         "failures_per_node_day: up to a failure every %g s, a checkpoint of %g s: "
                         "the run might not advance",
                         1 / rate.high, o->stops.write);
    p->time = cszi_spread(all, 3, time_figure, o, p->room);
    p->effective = cszi_spread(all + 1, 2, effective_figure, o, p->room);
    p->goodput = cszi_spread(all + 1, 2, goodput_figure, o, p->room);
    p->failures_per_day = (cszi_range){rate.low * DAY, rate.likely * DAY, rate.high * DAY};
    p->failures = rate.likely * p->time.likely;
    p->restart = restart;
    return CSZ_OK;
}

static cszi_range times(const cszi_range *r, double factor)
{
    return (cszi_range){r->low * factor, r->likely * factor, r->high * factor};
}

csz_status cszi_project_run(const cszi_outlook *o, cszi_projection *p, cszi_error *error)
{
    csz_status status = put_time(o, p, error);
    if (status != CSZ_OK)
        return status;
    p->accelerators = o->job.used;
    p->accelerators_paid = (int64_t)cszi_outlook_paid(o);
    p->units = o->stops.units;
    p->unit_accelerators = cszi_failure_unit(&o->cluster);
    p->spares = cszi_spares(&o->cluster, o->job.used);
    p->ideal = o->ideal;
    p->checkpoint_bytes = o->job.bytes;
    p->checkpoint_rate = cszi_checkpoint_rate(&o->cluster, o->job.used);
    p->checkpoint_write = o->stops.write;
    p->checkpoint_blocked = o->stops.blocked;
    p->checkpoint_interval = o->stops.interval;
    p->overhead = cszi_overhead(&o->cluster, o->tokens_per_second);
    p->read_rate = cszi_read_rate(&o->cluster, o->tokens_per_second);
    p->read_stall = cszi_read_stall(&o->cluster, o->tokens_per_second);
    p->headroom = cszi_headroom(&o->cluster);
    p->budget_time = times(&p->time, p->headroom);
    p->accelerator_hours = times(&p->budget_time, (double)o->job.used / 3600);
    return CSZ_OK;
}
