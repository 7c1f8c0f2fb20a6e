/* owning.h: what an accelerator costs to whoever owns it, and what it draws. */
#ifndef CSZI_PROJECT_OWNING_H
#define CSZI_PROJECT_OWNING_H

#include "facts/catalog.h"
#include "hardware/cluster.h"

#define CSZI_YEAR_HOURS 8766.0 /* of 365.25 days */
#define CSZI_MONTH_HOURS 730.5

/* Dollars a year of one accelerator in use, with its shares of server, network, idle and spare
 * accelerators; electricity a year of hours in use. */
typedef struct cszi_owning {
    double purchase; /* once; NaN, and all below it, without a purchase price */
    double depreciation;
    double capital; /* interest */
    double colocation;
    double maintenance; /* with support */
    double staff;
    double electricity;
    double power; /* W from the grid while in use */
} cszi_owning;

/* The usual quote of a kind for the cluster's accelerator; NULL without one. */
const cszi_offer *cszi_usual_offer(const cszi_catalog *catalog, const cszi_cluster *cluster,
                                   const char *term);

/* W at the most of one accelerator with its share of the server; NaN when nothing says. */
double cszi_server_power(const cszi_catalog *catalog, const cszi_cluster *cluster);

/* Of a job on `used` accelerators for which `paid` stand. Depreciation, straight line:
 * (purchase - residual) / life; exponential: purchase x rate x exp(-rate x age) (Epoch AI,
 * training-cost-trends). Interest on the mean value: (purchase + residual) / 2, or the value at
 * that age. Network: purchase of servers / (1 - its share). */
void cszi_own(const cszi_catalog *catalog, const cszi_cluster *cluster, double used, double paid,
              cszi_owning *own);

/* Dollars of an accelerator-hour in use at the cluster's utilization. */
double cszi_own_hour(const cszi_cluster *cluster, const cszi_owning *own);

/* Utilization at which an hour owned costs an hour rented: fixed costs of a year over 8,766 x
 * (price - electricity of an hour). Above 1: renting is cheaper at any. NaN where electricity alone
 * costs the price. */
double cszi_break_even_utilization(const cszi_owning *own, double price);
/* Months of use at the cluster's utilization until the rent of the hours used has paid purchase and
 * running costs; NaN: never. */
double cszi_break_even_months(const cszi_cluster *cluster, const cszi_owning *own, double price);

#endif
