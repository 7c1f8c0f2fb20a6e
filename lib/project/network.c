/* network.c: the same job on every fabric, and what a network of its own takes. */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "project/projection.h"

#define ROUNDS 60 /* halvings of ln(bandwidth): to its last digit */

static double fact(const char *id)
{
    return cszi_operation_find(id)->value;
}

/* ---- Steps ---- */

typedef cszi_network_trial trial;

static double step_at(trial *t, double bandwidth)
{
    cszi_estimate e;
    cszi_case c;
    csz_reason reason = CSZ_REASON_NONE;
    t->cluster.scale_out_bandwidth = bandwidth;
    e.stages = NULL;
    e.stage_room = 0;
    cszi_estimate_clear(&e);
    if (cszi_case_open(&c, t->workload, &t->cluster, 1, NULL) != CSZ_OK ||
        cszi_case_compute(&c, t->plan, CSZ_DEPTH_STEP, &e, &reason, NULL) != CSZ_OK)
        return (double)NAN;
    return e.step_time.likely;
}

/* ---- Fabrics ---- */

static void put_text(char *to, size_t capacity, const char *text)
{
    cszi_out out = cszi_out_open(to, capacity);
    cszi_out_text(&out, text);
    (void)cszi_out_close(&out);
}

/* Slower network, same stops. */
static double time_with(const trial *t, double step)
{
    const cszi_outlook *o = t->outlook;
    return cszi_outlook_time(o, step / o->job.step, o->stops.rate, o->stops.restart);
}

static double cost_with(const trial *t, double time)
{
    double unused;
    return t->outlook->price.likely > 0
               ? cszi_rent(t->outlook, time, t->outlook->price.likely, &unused)
               : (double)NAN;
}

/* Ascending by bandwidth; of equal ones the order of the catalog. */
static void put_choice(cszi_projection *p, const cszi_network_choice *choice)
{
    int64_t at = p->network_count;
    if (at >= CSZI_PROJECTION_FABRICS)
        return;
    for (; at > 0 && p->networks[at - 1].bandwidth > choice->bandwidth; at--)
        p->networks[at] = p->networks[at - 1];
    p->networks[at] = *choice;
    p->network_count++;
}

static void put_fabrics(trial *t, cszi_projection *p)
{
    const cszi_catalog *catalog = t->outlook->catalog;
    p->network_count = 0;
    for (size_t i = 0; i < catalog->counts[CSZ_KIND_FABRIC]; i++) {
        const cszi_fabric *fabric = cszi_catalog_entry(catalog, CSZ_KIND_FABRIC, i);
        cszi_network_choice choice;
        put_text(t->cluster.fabric, sizeof t->cluster.fabric, fabric->id);
        put_text(choice.fabric, sizeof choice.fabric, fabric->id);
        choice.bandwidth = fabric->bandwidth;
        choice.step = step_at(t, fabric->bandwidth);
        choice.time = time_with(t, choice.step);
        choice.cost = cost_with(t, choice.time);
        if (isfinite(choice.step))
            put_choice(p, &choice);
    }
    t->cluster = t->outlook->cluster;
}

/* ---- The least bandwidth, oversubscription ---- */

static double most_bandwidth(void)
{
    return cszi_table_row(&cszi_cluster_table, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH)->upper;
}

static double least_bandwidth(void)
{
    return cszi_table_row(&cszi_cluster_table, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH)->lower;
}

/* Where the step takes that many times its time on an unlimited network. */
static double bottleneck(trial *t, double unlimited)
{
    double limit = unlimited * fact("default-network-bottleneck");
    double low = log(least_bandwidth()), high = log(most_bandwidth());
    if (step_at(t, least_bandwidth()) <= limit)
        return (double)NAN;
    for (int i = 0; i < ROUNDS; i++) {
        double middle = (low + high) / 2;
        *(step_at(t, exp(middle)) > limit ? &low : &high) = middle;
    }
    return exp(high);
}

static int64_t pod_of(const cszi_cluster *c)
{
    int64_t leaf = c->switch_radix / 2, each = c->accelerators_per_node;
    if (cszi_cluster_has(c, CSZ_CLUSTER_POD_ACCELERATORS))
        return c->pod_accelerators;
    return c->topology == CSZ_TOPOLOGY_RAIL_OPTIMIZED && each > 0 ? leaf * each : leaf;
}

/* All traffic at the rate that is left above a pod: an upper bound, since rings cross it once. */
static void put_oversubscribed(trial *t, cszi_projection *p)
{
    const cszi_cluster *c = &t->outlook->cluster;
    int above = t->outlook->job.used > pod_of(c);
    double step = step_at(t, c->scale_out_bandwidth / (above ? c->oversubscription : 1));
    p->network_oversubscribed_step = step;
    p->network_oversubscribed_cost = cost_with(t, time_with(t, step));
}

static void put_steps(trial *t, cszi_projection *p)
{
    const cszi_cluster *c = &t->outlook->cluster;
    p->network_needed = t->outlook->job.used > c->scale_up_domain;
    if (!p->network_needed || c->scale_out_bandwidth <= 0)
        return;
    put_fabrics(t, p);
    p->network_unlimited_step = step_at(t, most_bandwidth());
    p->network_least = bottleneck(t, p->network_unlimited_step);
    put_oversubscribed(t, p);
}

/* ---- Bill of materials ---- */

/* A leaf gives r s / (1 + s) of its ports to accelerators under oversubscription s; rails make
 * every leaf hold whole groups of nodes. */
static double leaves_of(const cszi_cluster *c, double n)
{
    double r = (double)c->switch_radix, s = c->oversubscription, down = floor(r * s / (1 + s));
    double rails = (double)c->accelerators_per_node;
    if (c->topology == CSZ_TOPOLOGY_RAIL_OPTIMIZED && rails > 0)
        return rails * ceil(n / rails / down);
    return ceil(n / down);
}

/* One switch up to R ports; two levels up to R^2 / 2: 2n/R leaves and n/R spines; three up to
 * R^3 / 4: 5n/R in all (Leiserson 1985; Al-Fares et al. 2008, section 2.2.1). */
static void put_fat_tree(const cszi_cluster *c, double n, cszi_projection *p)
{
    double r = (double)c->switch_radix, s = c->oversubscription, up = n / s;
    p->ports = n;
    p->leaf_switches = 1;
    p->upper_switches = 0;
    p->links = n;
    p->levels = 1;
    if (n <= r)
        return;
    p->leaf_switches = leaves_of(c, n);
    p->links = n + ceil(up);
    p->levels = 2;
    p->upper_switches = ceil(up / r);
    if (n <= r * r / 2)
        return;
    p->upper_switches = ceil(2 * up / r) + ceil(up / r);
    p->links = n + 2 * ceil(up);
    p->levels = n <= r * r * r / 4 ? 3 : INT64_MIN;
}

/* Each accelerator has two links an axis, each shared by two; nothing is switched. */
static void put_torus(const cszi_cluster *c, double n, cszi_projection *p)
{
    p->ports = 2 * n * (double)c->torus_axes;
    p->links = n * (double)c->torus_axes;
    p->leaf_switches = p->upper_switches = 0;
    p->levels = 0;
}

static void put_network_price(const cszi_cluster *c, cszi_projection *p)
{
    double cables = cszi_operation_find("capex-network-cables-64-nodes")->value;
    double one = cszi_cluster_has(c, CSZ_CLUSTER_SWITCH_PRICE) ? c->switch_price
                                                               : fact("capex-network-ndr-switch");
    double link = cszi_cluster_has(c, CSZ_CLUSTER_CABLE_PRICE) ? c->cable_price
                                                               : cables / fact("default-cables");
    p->network_price = (p->leaf_switches + p->upper_switches) * one + p->links * link;
}

static void put_site(const cszi_outlook *o, double n, cszi_projection *p)
{
    const cszi_cluster *c = &o->cluster;
    double each = c->accelerators_per_node > 0 ? (double)c->accelerators_per_node : 1;
    double node = cszi_server_power(o->catalog, c) * each;
    double rack = c->rack_power > 0 ? c->rack_power : fact("default-rack-power");
    cszi_owning own;
    if (!isfinite(node))
        return;
    p->nodes_per_rack = fmax(1, floor(rack / node));
    p->racks = ceil(ceil(n / each) / p->nodes_per_rack);
    cszi_own(o->catalog, c, n, n, &own);
    p->site_power = own.power * n;
    p->cooling =
        p->nodes_per_rack * node > fact("default-air-limit") ? CSZ_COOLING_LIQUID : CSZ_COOLING_AIR;
}

static csz_status put_bill(const cszi_outlook *o, cszi_projection *p, cszi_error *error)
{
    const cszi_cluster *c = &o->cluster;
    double n = cszi_outlook_paid(o), r = (double)c->switch_radix;
    if (c->topology == CSZ_TOPOLOGY_TORUS)
        put_torus(c, n, p);
    else
        put_fat_tree(c, n, p);
    if (p->levels == INT64_MIN)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_CLUSTER_SWITCH_RADIX,
                         "switch_radix: three levels of %lld ports join %g accelerators, not %g",
                         (long long)c->switch_radix, r * r * r / 4, n);
    put_network_price(c, p);
    put_site(o, n, p);
    return CSZ_OK;
}

csz_status cszi_project_network(cszi_projection *p, const cszi_catalog *catalog,
                                const cszi_workload *workload, const cszi_cluster *cluster,
                                const cszi_plan *plan, csz_reason *reason, cszi_error *error)
{
    trial *t = &p->trial;
    csz_status status =
        cszi_outlook_open(&p->work, catalog, workload, cluster, plan, reason, error);
    if (status != CSZ_OK)
        return status;
    *t = (trial){workload, plan, *cluster, &p->work};
    put_steps(t, p);
    return put_bill(&p->work, p, error);
}
