/* swings.c: which input moves a cost most (a tornado diagram's order; Eschenbach 1992). */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "project/projection.h"

#define YEAR_SECONDS (CSZI_YEAR_HOURS * 3600)
#define STATED 0.1 /* a stated figure moves by a tenth each way */

/* Inputs of owning: rows of the facts between which one lies that was not stated; without rows it
 * moves as a stated one. */
static const struct {
    csz_field field;
    const char *usual;
    const char *low;
    const char *high;
    double unit; /* of the rows */
} owned[] = {
    {CSZ_CLUSTER_NETWORK_SHARE, "capex-interconnect-share", "capex-network-share-of-site",
     "capex-network-share-of-gpus", 1},
    {CSZ_CLUSTER_LIFE, "life-servers-default", "life-sceptic-view", "life-microsoft-servers",
     YEAR_SECONDS},
    {CSZ_CLUSTER_ELECTRICITY_PRICE, "electricity-us-industrial-2025", "electricity-us-wholesale",
     "electricity-eu-wholesale", 1},
    {CSZ_CLUSTER_PUE, "pue-default", "pue-meta", "pue-industry-2025", 1},
    {CSZ_CLUSTER_COLOCATION_PRICE, "colocation-north-america-2024-h2",
     "colocation-north-america-2018", "colocation-global-average", 1},
    {CSZ_CLUSTER_MAINTENANCE_SHARE, "default-maintenance-share", NULL, NULL, 1},
    {CSZ_CLUSTER_POWER_DRAW_SHARE, "power-accelerator-average-share", NULL, NULL, 1},
    {CSZ_CLUSTER_NETWORK_POWER_SHARE, "power-storage-and-switches-extra-over-servers", NULL, NULL,
     1},
    {CSZ_CLUSTER_DEPRECIATION_RATE, NULL, NULL, NULL, 1},
    {CSZ_CLUSTER_RESIDUAL_SHARE, NULL, NULL, NULL, 1},
    {CSZ_CLUSTER_COST_OF_CAPITAL, NULL, NULL, NULL, 1},
    {CSZ_CLUSTER_SUPPORT_SHARE, NULL, NULL, NULL, 1},
    {CSZ_CLUSTER_STAFF_COST, NULL, NULL, NULL, 1},
    {CSZ_CLUSTER_UTILIZATION, NULL, NULL, NULL, 1},
};

static const char *name_of(csz_field field)
{
    return cszi_table_row(&cszi_cluster_table, field)->name;
}

static double value_of(const cszi_cluster *cluster, csz_field field)
{
    double value = (double)NAN;
    const cszi_field_row *row = cszi_table_row(&cszi_cluster_table, field);
    (void)cszi_field_get_f64(&cszi_cluster_table, cluster, row, 0, &value);
    return value;
}

/* The largest swing first. */
static void add(cszi_projection *p, csz_cost of, const char *input, double low, double high,
                double cost_low, double cost_high)
{
    cszi_swing s = {.of = of, .low = low, .high = high};
    double size = fabs(cost_high - cost_low);
    int64_t at = p->swing_count;
    cszi_out out = cszi_out_open(s.input, sizeof s.input);
    if (!(size > 0) || at >= CSZI_PROJECTION_MOVES)
        return;
    cszi_out_text(&out, input);
    (void)cszi_out_close(&out);
    s.cost_low = cost_low;
    s.cost_high = cost_high;
    for (; at > 0 && fabs(p->swings[at - 1].cost_high - p->swings[at - 1].cost_low) < size; at--)
        p->swings[at] = p->swings[at - 1];
    p->swings[at] = s;
    p->swing_count++;
}

/* ---- Time and price ---- */

static double cost_of(const cszi_outlook *o, csz_cost of, double time, double price)
{
    double unused;
    return of == CSZ_COST_RENT ? cszi_rent(o, time, price, &unused) : cszi_owned(o, time);
}

static void add_time(const cszi_outlook *o, cszi_projection *p, csz_cost of, const char *input,
                     const cszi_range *r, double low, double high)
{
    add(p, of, input, r->low, r->high, cost_of(o, of, low, o->price.likely),
        cost_of(o, of, high, o->price.likely));
}

static void put_times(const cszi_outlook *o, cszi_projection *p, csz_cost of)
{
    double rate = o->stops.rate, restart = o->stops.restart;
    const cszi_range *step = &o->step, *days = &p->failures_per_day, *wait = &p->restart;
    cszi_range seconds = {step->low * o->job.step, o->job.step, step->high * o->job.step};
    add_time(o, p, of, "step.time", &seconds, cszi_outlook_time(o, step->low, rate, restart),
             cszi_outlook_time(o, step->high, rate, restart));
    add_time(o, p, of, "failures_per_day", days,
             cszi_outlook_time(o, 1, days->low / days->likely * rate, restart),
             cszi_outlook_time(o, 1, days->high / days->likely * rate, restart));
    add_time(o, p, of, "restart_time", wait, cszi_outlook_time(o, 1, rate, wait->low),
             cszi_outlook_time(o, 1, rate, wait->high));
}

static void put_price(const cszi_outlook *o, cszi_projection *p)
{
    double time = p->time.likely, low = o->price.low, high = o->price.high;
    if (!(low < high)) {
        low *= 1 - STATED;
        high *= 1 + STATED;
    }
    add(p, CSZ_COST_RENT, "price", low, high, cost_of(o, CSZ_COST_RENT, time, low),
        cost_of(o, CSZ_COST_RENT, time, high));
}

/* ---- Owning ---- */

static double owned_with(const cszi_outlook *o, csz_field field, double *value, double time)
{
    cszi_outlook other = *o;
    const cszi_field_row *row = cszi_table_row(&cszi_cluster_table, field);
    other.job.cluster = &other.cluster;
    *value = fmin(fmax(*value, row->lower), row->upper);
    (void)cszi_field_set_f64(&cszi_cluster_table, &other.cluster, row, 0, *value, NULL);
    return cszi_owned(&other, time);
}

static void put_field(const cszi_outlook *o, cszi_projection *p, csz_field field, double low,
                      double high)
{
    double time = p->time.likely, at_low, at_high;
    if (!isfinite(low) || !isfinite(high))
        return;
    at_low = owned_with(o, field, &low, time);
    at_high = owned_with(o, field, &high, time);
    add(p, CSZ_COST_OWN, name_of(field), low, high, at_low, at_high);
}

static void put_purchase(const cszi_outlook *o, cszi_projection *p)
{
    const cszi_offer *usual = cszi_usual_offer(o->catalog, &o->cluster, "purchase");
    double stated = o->cluster.purchase_price;
    if (stated > 0)
        put_field(o, p, CSZ_CLUSTER_PURCHASE_PRICE, stated * (1 - STATED), stated * (1 + STATED));
    else if (usual != NULL)
        put_field(o, p, CSZ_CLUSTER_PURCHASE_PRICE, usual->purchase_low, usual->purchase_high);
}

static void put_owned(const cszi_outlook *o, cszi_projection *p)
{
    put_purchase(o, p);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        double now = value_of(&o->cluster, owned[i].field);
        int stated = cszi_cluster_has(&o->cluster, owned[i].field);
        if (!stated && owned[i].low != NULL) {
            put_field(o, p, owned[i].field,
                      cszi_operation_find(owned[i].low)->value * owned[i].unit,
                      cszi_operation_find(owned[i].high)->value * owned[i].unit);
            continue;
        }
        if (!stated && owned[i].usual != NULL)
            now = cszi_operation_find(owned[i].usual)->value * owned[i].unit;
        put_field(o, p, owned[i].field, now * (1 - STATED), now * (1 + STATED));
    }
}

void cszi_project_swings(const cszi_outlook *o, cszi_projection *p)
{
    p->swing_count = 0;
    if (o->price.likely > 0) {
        put_times(o, p, CSZ_COST_RENT);
        put_price(o, p);
    }
    if (isfinite(p->own_hour)) {
        put_times(o, p, CSZ_COST_OWN);
        put_owned(o, p);
    }
}
