/* owning.c: total cost of ownership of one accelerator. */
#include "project/owning.h"

#include <math.h>
#include <string.h>

#define YEAR_SECONDS (CSZI_YEAR_HOURS * 3600)
#define KILO 1000.0

static double fact(const char *id)
{
    return cszi_operation_find(id)->value;
}

/* The stated figure, or a fact. */
static double given(const cszi_cluster *cluster, csz_field field, double value, const char *id)
{
    return cszi_cluster_has(cluster, field) ? value : fact(id);
}

const cszi_offer *cszi_usual_offer(const cszi_catalog *catalog, const cszi_cluster *cluster,
                                   const char *term)
{
    for (size_t i = 0; i < catalog->counts[CSZ_KIND_OFFER]; i++) {
        const cszi_offer *o = cszi_catalog_entry(catalog, CSZ_KIND_OFFER, i);
        if (o->accelerator != NULL && o->term != NULL && o->provider != NULL &&
            strcmp(o->accelerator, cluster->accelerator) == 0 && strcmp(o->term, term) == 0 &&
            strcmp(o->provider, "market median") == 0)
            return o;
    }
    return NULL;
}

/* ---- Power ---- */

static const cszi_node *node_of(const cszi_catalog *catalog, const cszi_cluster *cluster)
{
    for (size_t i = 0; i < catalog->counts[CSZ_KIND_NODE]; i++) {
        const cszi_node *node = cszi_catalog_entry(catalog, CSZ_KIND_NODE, i);
        if (strcmp(node->id, cluster->node) == 0)
            return node;
    }
    return NULL;
}

double cszi_server_power(const cszi_catalog *catalog, const cszi_cluster *cluster)
{
    const cszi_node *node = node_of(catalog, cluster);
    if (cluster->server_power > 0)
        return cluster->server_power;
    if (node != NULL && node->power > 0 && node->accelerators > 0)
        return node->power / node->accelerators;
    return cluster->power > 0 ? cluster->power * fact("power-server-over-tdp") : (double)NAN;
}

/* ---- A year ---- */

static double purchase_of(const cszi_catalog *catalog, const cszi_cluster *cluster)
{
    const cszi_offer *usual = cszi_usual_offer(catalog, cluster, "purchase");
    double share = given(cluster, CSZ_CLUSTER_NETWORK_SHARE, cluster->network_share,
                         "capex-interconnect-share");
    double price = cluster->purchase_price;
    if (price <= 0)
        price = usual != NULL && usual->purchase > 0 ? usual->purchase : (double)NAN;
    return price / (1 - share);
}

static void put_value(const cszi_cluster *cluster, cszi_owning *own)
{
    double life = cszi_cluster_has(cluster, CSZ_CLUSTER_LIFE) ? cluster->life / YEAR_SECONDS
                                                              : fact("life-servers-default");
    double rest = own->purchase * cluster->residual_share, rate, value;
    own->depreciation = (own->purchase - rest) / life;
    own->capital = cluster->cost_of_capital * (own->purchase + rest) / 2;
    if (cluster->depreciation != CSZ_DEPRECIATION_EXPONENTIAL)
        return;
    rate = cszi_cluster_has(cluster, CSZ_CLUSTER_DEPRECIATION_RATE)
               ? cluster->depreciation_rate
               : fact("price-performance-growth") * log(10);
    value = own->purchase * exp(-rate * cluster->machine_age / YEAR_SECONDS);
    own->depreciation = rate * value;
    own->capital = cluster->cost_of_capital * value;
}

static void put_running(const cszi_cluster *cluster, double server, double used, double paid,
                        cszi_owning *own)
{
    double most = server * paid / used *
                  (1 + given(cluster, CSZ_CLUSTER_NETWORK_POWER_SHARE, cluster->network_power_share,
                             "power-storage-and-switches-extra-over-servers"));
    own->power = most *
                 given(cluster, CSZ_CLUSTER_POWER_DRAW_SHARE, cluster->power_draw_share,
                       "power-accelerator-average-share") *
                 given(cluster, CSZ_CLUSTER_PUE, cluster->pue, "pue-default");
    own->electricity = own->power / KILO * CSZI_YEAR_HOURS *
                       given(cluster, CSZ_CLUSTER_ELECTRICITY_PRICE, cluster->electricity_price,
                             "electricity-us-industrial-2025");
    own->colocation = most / KILO * 12 *
                      given(cluster, CSZ_CLUSTER_COLOCATION_PRICE, cluster->colocation_price,
                            "colocation-north-america-2024-h2");
    own->maintenance =
        own->purchase *
        (cluster->support_share + given(cluster, CSZ_CLUSTER_MAINTENANCE_SHARE,
                                        cluster->maintenance_share, "default-maintenance-share"));
    own->staff = cluster->staff_cost / used;
}

void cszi_own(const cszi_catalog *catalog, const cszi_cluster *cluster, double used, double paid,
              cszi_owning *own)
{
    own->purchase = purchase_of(catalog, cluster) * paid / used;
    put_value(cluster, own);
    put_running(cluster, cszi_server_power(catalog, cluster), used, paid, own);
}

/* ---- An hour, and rent beside it ---- */

static double fixed(const cszi_owning *own)
{
    return own->depreciation + own->capital + own->colocation + own->maintenance + own->staff;
}

double cszi_own_hour(const cszi_cluster *cluster, const cszi_owning *own)
{
    return (fixed(own) / cluster->utilization + own->electricity) / CSZI_YEAR_HOURS;
}

double cszi_break_even_utilization(const cszi_owning *own, double price)
{
    double saved = price * CSZI_YEAR_HOURS - own->electricity;
    return saved > 0 ? fixed(own) / saved : (double)NAN;
}

double cszi_break_even_months(const cszi_cluster *cluster, const cszi_owning *own, double price)
{
    double running = own->colocation + own->maintenance + own->staff;
    double saved = cluster->utilization * (price * CSZI_YEAR_HOURS - own->electricity) - running;
    return saved > 0 ? 12 * own->purchase / saved : (double)NAN;
}
