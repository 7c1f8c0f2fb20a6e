/* projection.h: from an estimate to a decision: the run with its stops and ranges, rent against
 * owning, what moves the cost, and the network. */
#ifndef CSZI_PROJECT_PROJECTION_H
#define CSZI_PROJECT_PROJECTION_H

#include "facts/catalog.h"
#include "project/owning.h"
#include "project/run.h"
#include "project/spread.h"

#define CSZI_PROJECTION_OFFERS 8
#define CSZI_PROJECTION_MOVES 24
#define CSZI_PROJECTION_FABRICS 64
#define CSZI_PROJECTION_POINTS 64

/* What the formulas read. */
typedef struct cszi_outlook {
    const cszi_catalog *catalog;
    cszi_cluster cluster;
    cszi_job job; /* its cluster is the one above */
    cszi_stops stops;
    double ideal;
    double tokens_per_second;
    cszi_range step;  /* over the likely one */
    cszi_range price; /* likely 0: no price */
} cszi_outlook;

/* Everything that a step on another network needs. */
typedef struct cszi_network_trial {
    const cszi_workload *workload;
    const cszi_plan *plan;
    cszi_cluster cluster;
    const cszi_outlook *outlook; /* of the cluster as it is */
} cszi_network_trial;

/* A rental, beside owning. */
typedef struct cszi_rental {
    char offer[CSZI_TEXT_CAPACITY];
    char term[32];
    double price;
    double time;
    double cost;
    double unused;
    double utilization; /* break-even */
    double months;
} cszi_rental;

/* What one uncertain input does to a cost. */
typedef struct cszi_swing {
    int64_t of; /* csz_cost */
    char input[32];
    double low; /* of the input */
    double high;
    double cost_low; /* at them */
    double cost_high;
} cszi_swing;

/* The same job on another network. */
typedef struct cszi_network_choice {
    char fabric[CSZI_TEXT_CAPACITY];
    double bandwidth;
    double step;
    double time;
    double cost;
} cszi_network_choice;

/* The best plan at a count. */
typedef struct cszi_point {
    int64_t accelerators;
    double time;
    double cost;
    double mfu;
    double efficiency;
    double extra_hours;
    double per_day;
} cszi_point;

/* Results; NaN or INT64_MIN is unset. */
typedef struct cszi_projection {
    int64_t accelerators;
    int64_t accelerators_paid;
    int64_t units;
    int64_t unit_accelerators;
    int64_t spares;
    cszi_range time;
    double ideal;
    cszi_range goodput;
    cszi_range effective;
    cszi_range failures_per_day;
    double failures;
    cszi_range restart;
    double checkpoint_bytes;
    double checkpoint_rate;
    double checkpoint_write;
    double checkpoint_blocked;
    double checkpoint_interval;
    double overhead;
    double read_rate;
    double read_stall;
    double headroom;
    cszi_range budget_time;
    cszi_range accelerator_hours;
    cszi_range rent_cost;
    double rent_machines;
    double rent_unused;
    double storage_cost;
    double egress_cost;
    double rent_hour;
    cszi_range own_cost;
    double own_purchase;
    double own_year;
    double own_hour;
    double own_depreciation; /* of an accelerator-hour in use, here and below */
    double own_capital;
    double own_electricity;
    double own_colocation;
    double own_maintenance;
    double own_staff;
    double break_even_utilization;
    double break_even_months;
    double energy;
    double power;
    double carbon;
    int64_t rental_count;
    cszi_rental rentals[CSZI_PROJECTION_OFFERS];
    int64_t swing_count;
    cszi_swing swings[CSZI_PROJECTION_MOVES];
    int64_t network_count;
    cszi_network_choice networks[CSZI_PROJECTION_FABRICS];
    int64_t network_needed;
    double network_least;
    double network_unlimited_step;
    double network_oversubscribed_step;
    double network_oversubscribed_cost;
    int64_t levels;
    double ports;
    double leaf_switches;
    double upper_switches;
    double links;
    double network_price;
    double nodes_per_rack;
    double racks;
    double site_power;
    int64_t cooling;
    int64_t knee;
    int64_t cheapest;
    int64_t fastest;
    int64_t in_time;
    double least_time;
    double least_cost;
    int64_t point_count;
    cszi_point points[CSZI_PROJECTION_POINTS];
    cszi_outlook work; /* room of the computation, no result */
    cszi_network_trial trial;
    double room[CSZI_SPREAD_ROOM];
} cszi_projection;

extern const cszi_table cszi_projection_table;

/* Everything unset. */
void cszi_projection_clear(cszi_projection *p);

/* Opens an outlook: computes the estimate of the run. */
csz_status cszi_outlook_open(cszi_outlook *o, const cszi_catalog *catalog,
                             const cszi_workload *workload, const cszi_cluster *cluster,
                             const cszi_plan *plan, csz_reason *reason, cszi_error *error);
/* Wall time with a step that many times the likely one, and stops at that rate and restart. */
double cszi_outlook_time(const cszi_outlook *o, double step, double rate, double restart);
/* Accelerators that are paid: those of whole domains. */
double cszi_outlook_paid(const cszi_outlook *o);

/* The parts, in this order. */
csz_status cszi_project_run(const cszi_outlook *o, cszi_projection *p, cszi_error *error);
csz_status cszi_project_money(const cszi_outlook *o, cszi_projection *p, cszi_error *error);
void cszi_project_swings(const cszi_outlook *o, cszi_projection *p);

/* Dollars of the run by a price for an hour, unused commitment, storage and egress included; and of
 * the run on owned machines. */
double cszi_rent(const cszi_outlook *o, double time, double price, double *unused);
double cszi_owned(const cszi_outlook *o, double time);
double cszi_storage_cost(const cszi_outlook *o, double time);
double cszi_egress_cost(const cszi_outlook *o);

csz_status cszi_project(cszi_projection *p, const cszi_catalog *catalog,
                        const cszi_workload *workload, const cszi_cluster *cluster,
                        const cszi_plan *plan, csz_reason *reason, cszi_error *error);
csz_status cszi_project_network(cszi_projection *p, const cszi_catalog *catalog,
                                const cszi_workload *workload, const cszi_cluster *cluster,
                                const cszi_plan *plan, csz_reason *reason, cszi_error *error);

#endif
