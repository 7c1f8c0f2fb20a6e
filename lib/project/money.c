/* money.c: rent against owning. */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "project/projection.h"

#define GB 1e9
#define HOUR 3600.0

/* Paid for the run and what stands beside it. */
static double paid_time(const cszi_outlook *o, double time)
{
    return time * cszi_headroom(&o->cluster);
}

double cszi_storage_cost(const cszi_outlook *o, double time)
{
    const cszi_cluster *c = &o->cluster;
    double bytes = c->stored_bytes + (double)c->checkpoints_kept * o->job.bytes;
    return bytes / GB * c->storage_price * paid_time(o, time) / HOUR / CSZI_MONTH_HOURS;
}

double cszi_egress_cost(const cszi_outlook *o)
{
    return o->cluster.egress_bytes / GB * o->cluster.egress_price;
}

static double beside(const cszi_outlook *o, double time)
{
    return cszi_storage_cost(o, time) + cszi_egress_cost(o);
}

/* ---- Rent ---- */

/* The rest of a term that is longer than what is paid anyway. */
static double rest_of_term(const cszi_outlook *o, double time, double term)
{
    return fmax(0, term - paid_time(o, time));
}

static double rent_of_term(const cszi_outlook *o, double time, double price, double term,
                           double *unused)
{
    double hour = cszi_outlook_paid(o) * price / HOUR;
    *unused = hour * rest_of_term(o, time, term);
    return hour * paid_time(o, time) + *unused + beside(o, time);
}

double cszi_rent(const cszi_outlook *o, double time, double price, double *unused)
{
    return rent_of_term(o, time, price, o->cluster.commitment, unused);
}

static csz_status check_commitment(const cszi_outlook *o, double time, cszi_error *error)
{
    double term = o->cluster.commitment;
    if (o->cluster.pay_unused || rest_of_term(o, time, term) <= 0)
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_CLUSTER_COMMITMENT,
                     "commitment: %g s is longer than the %g s of the run; pay_unused=yes pays the "
                     "rest",
                     term, paid_time(o, time));
}

static double rent_figure(const void *model, const double *x)
{
    double unused;
    return cszi_rent(model, cszi_outlook_time(model, x[0], x[1], x[2]), x[3], &unused);
}

static void put_rent(const cszi_outlook *o, cszi_projection *p)
{
    cszi_range all[4] = {o->step, cszi_failure_rate(&o->cluster, o->job.used),
                         cszi_restart(&o->cluster, o->job.used, o->job.bytes), o->price};
    if (o->price.likely <= 0)
        return;
    p->rent_cost = cszi_spread(all, 4, rent_figure, o, p->room);
    (void)cszi_rent(o, p->time.likely, o->price.likely, &p->rent_unused);
    p->rent_machines = p->rent_cost.likely - p->rent_unused - beside(o, p->time.likely);
    p->rent_hour = p->rent_cost.likely / p->accelerator_hours.likely;
}

/* ---- Owning ---- */

/* Spares stand beside the units of the job. */
static double owned_count(const cszi_outlook *o)
{
    int64_t spares = cszi_spares(&o->cluster, o->job.used);
    double more = spares > 0 ? (double)spares * (double)cszi_failure_unit(&o->cluster) : 0;
    return cszi_outlook_paid(o) + more;
}

static void own_of(const cszi_outlook *o, cszi_owning *own)
{
    cszi_own(o->catalog, &o->cluster, (double)o->job.used, owned_count(o), own);
}

double cszi_owned(const cszi_outlook *o, double time)
{
    cszi_owning own;
    own_of(o, &own);
    return cszi_own_hour(&o->cluster, &own) * (double)o->job.used * paid_time(o, time) / HOUR +
           beside(o, time);
}

static double owned_figure(const void *model, const double *x)
{
    return cszi_owned(model, cszi_outlook_time(model, x[0], x[1], x[2]));
}

static void put_own_parts(const cszi_outlook *o, const cszi_owning *own, cszi_projection *p)
{
    double hours = CSZI_YEAR_HOURS * o->cluster.utilization;
    p->own_depreciation = own->depreciation / hours;
    p->own_capital = own->capital / hours;
    p->own_colocation = own->colocation / hours;
    p->own_maintenance = own->maintenance / hours;
    p->own_staff = own->staff / hours;
    p->own_electricity = own->electricity / CSZI_YEAR_HOURS;
    p->own_hour = cszi_own_hour(&o->cluster, own);
    p->own_purchase = own->purchase * (double)o->job.used;
    p->own_year = p->own_hour * hours * (double)o->job.used;
}

static void put_own(const cszi_outlook *o, const cszi_owning *own, cszi_projection *p)
{
    cszi_range all[3] = {o->step, cszi_failure_rate(&o->cluster, o->job.used),
                         cszi_restart(&o->cluster, o->job.used, o->job.bytes)};
    if (!isfinite(own->purchase) || !isfinite(own->power))
        return;
    put_own_parts(o, own, p);
    p->own_cost = cszi_spread(all, 3, owned_figure, o, p->room);
    if (o->price.likely <= 0)
        return;
    p->break_even_utilization = cszi_break_even_utilization(own, o->price.likely);
    p->break_even_months = cszi_break_even_months(&o->cluster, own, o->price.likely);
}

/* Of the hours of the run, headroom included. */
static void put_energy(const cszi_outlook *o, const cszi_owning *own, cszi_projection *p)
{
    if (!isfinite(own->power))
        return;
    p->power = own->power * (double)o->job.used;
    p->energy = p->power * p->budget_time.likely;
    if (cszi_cluster_has(&o->cluster, CSZ_CLUSTER_GRID_CARBON))
        p->carbon = p->energy / 3.6e6 * o->cluster.grid_carbon;
}

/* ---- Offers ---- */

static double term_of(const char *term)
{
    static const struct {
        const char *term;
        double years;
    } terms[] = {{"reserved-1y", 1}, {"reserved-3y", 3}};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        if (strcmp(term, terms[i].term) == 0)
            return terms[i].years * CSZI_YEAR_HOURS * HOUR;
    return 0;
}

static void put_text(char *to, size_t capacity, const char *text)
{
    cszi_out out = cszi_out_open(to, capacity);
    cszi_out_text(&out, text);
    (void)cszi_out_close(&out);
}

/* The likely time under a term: only spot machines are reclaimed. */
static double time_under(const cszi_outlook *o, const char *term)
{
    cszi_cluster cluster = o->cluster;
    double usual = cszi_operation_find("default-spot-interruptions")->value;
    if (strcmp(term, "spot") != 0)
        cluster.spot_interruptions_per_node_day = 0;
    else if (!cszi_cluster_has(&cluster, CSZ_CLUSTER_SPOT_INTERRUPTIONS_PER_NODE_DAY))
        cluster.spot_interruptions_per_node_day = usual;
    return cszi_outlook_time(o, 1, cszi_failure_rate(&cluster, o->job.used).likely,
                             o->stops.restart);
}

static void put_rental(const cszi_outlook *o, const cszi_offer *offer, const cszi_owning *own,
                       cszi_projection *p)
{
    cszi_rental *r = &p->rentals[p->rental_count];
    if (offer == NULL || offer->price <= 0 || p->rental_count >= CSZI_PROJECTION_OFFERS)
        return;
    p->rental_count++;
    put_text(r->offer, sizeof r->offer, offer->id);
    put_text(r->term, sizeof r->term, offer->term);
    r->price = offer->price;
    r->time = time_under(o, offer->term);
    r->cost = rent_of_term(o, r->time, r->price, term_of(offer->term), &r->unused);
    r->utilization = cszi_break_even_utilization(own, r->price);
    r->months = cszi_break_even_months(&o->cluster, own, r->price);
}

/* The usual quote of each term. */
static void put_rentals(const cszi_outlook *o, const cszi_owning *own, cszi_projection *p)
{
    static const char *const terms[] = {"on-demand", "spot", "reserved-1y", "reserved-3y"};
    p->rental_count = 0;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        put_rental(o, cszi_usual_offer(o->catalog, &o->cluster, terms[i]), own, p);
}

csz_status cszi_project_money(const cszi_outlook *o, cszi_projection *p, cszi_error *error)
{
    cszi_owning own;
    csz_status status = check_commitment(o, p->time.likely, error);
    if (status != CSZ_OK)
        return status;
    own_of(o, &own);
    p->storage_cost = cszi_storage_cost(o, p->time.likely);
    p->egress_cost = cszi_egress_cost(o);
    put_rent(o, p);
    put_own(o, &own, p);
    put_energy(o, &own, p);
    put_rentals(o, &own, p);
    return CSZ_OK;
}
