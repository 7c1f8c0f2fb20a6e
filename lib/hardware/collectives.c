/* collectives.c: from measured collectives to the bandwidths and latencies of a cluster: least
 * squares of relative errors on time = passes x latency + size x factor / bandwidth, over all sizes
 * of all outputs of a scope together. Outputs on different numbers of nodes share the latency of a
 * node and the bandwidth. */
#include "hardware/collectives.h"

#include <math.h>

#include "facts/calibration.h"
#include "facts/facts.h"

#define LEAST_LATENCY 1e-9 /* lower bound of the fields: no latency was seen */

typedef enum scope { RING_IN, RING_OUT, EXPERT_IN, EXPERT_OUT, SCOPES } scope;

/* Normal equations of latency and seconds a byte. */
typedef struct sums {
    double ll, ls, ss; /* of the matrix */
    double l, s;       /* of the right side */
    int any;
} sums;

typedef struct line_fit {
    double latency;
    double slope; /* s a byte */
} line_fit;

static scope scope_of(const cszi_collective *m)
{
    if (m->operation == CSZ_COLLECTIVE_ALL_TO_ALL)
        return m->domains > 1 ? EXPERT_OUT : EXPERT_IN;
    return m->domains > 1 ? RING_OUT : RING_IN;
}

/* Domains by hosts where they are told, never fewer than the ranks need. */
static void place(const cszi_cluster *cluster, cszi_collective *m)
{
    int64_t domain = cluster->scale_up_domain > 0 ? cluster->scale_up_domain : 1,
            each = cluster->accelerators_per_node > 0 ? cluster->accelerators_per_node : domain,
            nodes = domain > each ? domain / each : 1;
    int64_t by_ranks = (m->ranks + domain - 1) / domain, by_hosts = (m->hosts + nodes - 1) / nodes;
    m->domains = by_hosts > by_ranks ? by_hosts : by_ranks;
    m->local = (double)m->ranks / (double)m->domains;
}

/* ---- What physics allows ---- */

/* Seconds a byte that the printed rates do not let a collective pass: what a rank, and a domain,
 * must receive at the least; an all-reduce in a switch is received once. */
static double least_slope(const cszi_cluster *cluster, const cszi_collective *m, csz_field *field)
{
    double n = (double)m->ranks, inside = 0, outside = 0, nic = cluster->scale_out_bandwidth;
    int all = m->operation == CSZ_COLLECTIVE_ALL_REDUCE;
    if (cluster->link_bandwidth > 0)
        inside = (all ? 1 : (n - 1) / n) / cluster->link_bandwidth;
    if (m->hosts == 1) /* ranks of one node may have a better way than its ports */
        nic = fmax(nic, cluster->link_bandwidth);
    if (m->domains > 1 && nic > 0)
        outside = (all ? 1 : (n - m->local) / n) /
                  (m->operation == CSZ_COLLECTIVE_ALL_TO_ALL ? nic : nic * m->local);
    if (m->domains > 1 && m->local <= 1)
        inside = 0; /* no link that all traffic passes */
    *field = outside > inside ? CSZ_CLUSTER_SCALE_OUT_BANDWIDTH : CSZ_CLUSTER_LINK_BANDWIDTH;
    return fmax(inside, outside);
}

static csz_status check_one(const cszi_cluster *cluster, const cszi_collective *m,
                            cszi_error *error)
{
    csz_field field;
    double least = least_slope(cluster, m, &field);
    const char *name =
        field == CSZ_CLUSTER_LINK_BANDWIDTH ? "link_bandwidth" : "scale_out_bandwidth";
    if (m->domains > 1 && cluster->scale_out_bandwidth <= 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH,
                         "scale_out_bandwidth: is not set, and %s over %lld ranks leaves the "
                         "scale-up domain; set it or name a node or fabric",
                         cszi_collective_name(m->operation), (long long)m->ranks);
    if (m->fastest * least <= 1 + cszi_calibration_fact("peak_tolerance"))
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_RANGE, field,
                     "%s: %s over %lld ranks moves %g B/s (algbw), at most %g at the printed %g "
                     "B/s; its floor is %g s for %g B",
                     name, cszi_collective_name(m->operation), (long long)m->ranks, m->fastest,
                     1 / least,
                     field == CSZ_CLUSTER_LINK_BANDWIDTH ? cluster->link_bandwidth
                                                         : cluster->scale_out_bandwidth,
                     m->most * least, m->most);
}

/* ---- The fits ---- */

/* Latencies that a collective has, and its bytes on the busiest port for a byte of size. */
static double passes_of(const cszi_collective *m)
{
    return m->operation == CSZ_COLLECTIVE_ALL_REDUCE ? 2 : 1;
}

static double latencies_of(const cszi_collective *m)
{
    return scope_of(m) == RING_OUT ? passes_of(m) * (double)m->domains : passes_of(m);
}

static double factor_of(const cszi_collective *m)
{
    double n = (double)m->ranks, factor = cszi_collective_factor(m->operation, n);
    switch (scope_of(m)) {
    case RING_OUT:
        return factor / m->local;
    case EXPERT_OUT:
        return (n - m->local) / n;
    case RING_IN:
    case EXPERT_IN:
    case SCOPES:
        break;
    }
    return factor;
}

/* Known seconds of a collective over domains: its latency inside one. */
static double known_of(const cszi_collective *m, double inside)
{
    return scope_of(m) == RING_OUT ? passes_of(m) * inside : 0;
}

static void add(sums *to, const cszi_collective *m, double inside)
{
    double p = latencies_of(m), q = factor_of(m), c = known_of(m, inside);
    to->ll += p * p * m->t2;
    to->ls += p * q * m->st;
    to->ss += q * q * m->s2;
    to->l += p * (m->t1 - c * m->t2);
    to->s += q * (m->s1 - c * m->st);
    to->any = 1;
}

/* One size tells no latency: then it is as usual, and the bandwidth alone is measured. */
static int tells_latency(const sums *n)
{
    return n->ll * n->ss - n->ls * n->ls > 1e-9 * n->ll * n->ss;
}

/* Least squares with a latency of at least 0. */
static csz_status solve(const sums *n, double usual, line_fit *fit, cszi_error *error)
{
    fit->latency =
        tells_latency(n) ? (n->l * n->ss - n->s * n->ls) / (n->ll * n->ss - n->ls * n->ls) : usual;
    fit->latency = fmax(fit->latency, LEAST_LATENCY);
    fit->slope = (n->s - fit->latency * n->ls) / n->ss;
    if (fit->slope > 0 && isfinite(fit->slope) && isfinite(fit->latency))
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_FIELD_NONE,
                     "nccl: times do not grow with sizes; measure up to larger sizes");
}

/* Root mean square of (fitted - measured) / measured. */
static double residual_of(const cszi_collective *m, const line_fit *fit, double inside)
{
    double a = latencies_of(m) * fit->latency + known_of(m, inside), b = factor_of(m) * fit->slope;
    double sum = a * a * m->t2 + 2 * a * b * m->st + b * b * m->s2 - 2 * a * m->t1 - 2 * b * m->s1 +
                 m->count;
    return sqrt(fmax(0, sum / m->count));
}

static csz_status put(cszi_cluster *cluster, csz_field field, double value, cszi_error *error)
{
    return cszi_field_set_f64(&cszi_cluster_table, cluster,
                              cszi_table_row(&cszi_cluster_table, field), 0, value, error);
}

/* Latency inside a domain, and what each domain adds: measured, or the usual ones. */
static double inside_latency(const cszi_cluster *cluster)
{
    return cluster->link_latency > 0 ? cluster->link_latency
                                     : cszi_stack_find("megatron")->latency_in;
}

static double usual_latency(const cszi_cluster *cluster, scope which)
{
    if (which != RING_OUT)
        return inside_latency(cluster);
    return cluster->scale_out_latency > 0 ? cluster->scale_out_latency
                                          : cszi_stack_find("megatron")->latency_out;
}

static csz_status fit_scope(cszi_cluster *cluster, cszi_collective *list, size_t count, scope which,
                            cszi_error *error)
{
    static const struct {
        csz_field bandwidth, latency;
    } fields[SCOPES] = {{CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH, CSZ_CLUSTER_LINK_LATENCY},
                        {CSZ_CLUSTER_SCALE_OUT_MEASURED_BANDWIDTH, CSZ_CLUSTER_SCALE_OUT_LATENCY},
                        {CSZ_CLUSTER_LINK_EXPERT_BANDWIDTH, CSZ_FIELD_NONE},
                        {CSZ_CLUSTER_SCALE_OUT_EXPERT_BANDWIDTH, CSZ_FIELD_NONE}};
    double inside = inside_latency(cluster);
    sums n = {0, 0, 0, 0, 0, 0};
    line_fit fit;
    csz_status status;
    for (size_t i = 0; i < count; i++)
        if (scope_of(&list[i]) == which)
            add(&n, &list[i], inside);
    if (!n.any)
        return CSZ_OK;
    status = solve(&n, usual_latency(cluster, which), &fit, error);
    if (status == CSZ_OK)
        status = put(cluster, fields[which].bandwidth, 1 / fit.slope, error);
    if (status == CSZ_OK && fields[which].latency != CSZ_FIELD_NONE && tells_latency(&n))
        status = put(cluster, fields[which].latency, fit.latency, error);
    for (size_t i = 0; status == CSZ_OK && i < count; i++)
        if (scope_of(&list[i]) == which)
            list[i].residual = residual_of(&list[i], &fit, inside);
    return status;
}

csz_status cszi_cluster_take_collectives(cszi_cluster *cluster, cszi_collective *collectives,
                                         size_t count, cszi_error *error)
{
    csz_status status = CSZ_OK;
    for (size_t i = 0; status == CSZ_OK && i < count; i++) {
        place(cluster, &collectives[i]);
        status = check_one(cluster, &collectives[i], error);
    }
    for (int which = RING_IN; status == CSZ_OK && which < SCOPES; which++)
        status = fit_scope(cluster, collectives, count, (scope)which, error);
    return status;
}
