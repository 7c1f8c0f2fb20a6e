/* cluster.h: the chosen machines as a plain struct; figures of one accelerator, copied from a
 * catalog or given. */
#ifndef CSZI_HARDWARE_CLUSTER_H
#define CSZI_HARDWARE_CLUSTER_H

#include "base/field.h"

typedef struct cszi_cluster {
    uint64_t set[2];
    char accelerator[CSZI_TEXT_CAPACITY];
    char node[CSZI_TEXT_CAPACITY];
    char fabric[CSZI_TEXT_CAPACITY];
    char offer[CSZI_TEXT_CAPACITY];
    int64_t accelerators;
    double memory; /* 0: not known, here and below */
    double memory_bandwidth;
    double peak_fp32;
    double peak_tf32;
    double peak_bf16;
    double peak_fp16;
    double peak_fp8;
    double peak_fp4;
    char family[CSZI_TEXT_CAPACITY];
    double link_bandwidth;
    int64_t scale_up_domain;
    int64_t accelerators_per_node;
    double scale_out_bandwidth;
    double power;
    double host_memory;         /* of a node */
    double host_link_bandwidth; /* read with cszi_cluster_host_link */
    double power_limit;         /* read with cszi_power_share */
    double price;
    double failures_per_node_day;
    double restart_time;
    double storage_bandwidth;
    double compute_multiplier;
    double memory_multiplier;
    double network_multiplier;
    double link_multiplier; /* both times network_multiplier */
    double scale_out_multiplier;
    double link_measured_bandwidth; /* 0: not measured, here and below */
    double link_latency;
    double link_expert_bandwidth;
    double scale_out_measured_bandwidth;
    double scale_out_latency;
    double scale_out_expert_bandwidth;
    double step_uncertainty;
    /* run and budget; an unset figure is told by cszi_cluster_has */
    int64_t failure_unit;
    double failures_per_job_day;
    double early_life_factor;
    double planned_stops_per_day;
    double detection_time;
    double scheduling_time;
    double start_time;
    double warm_up_time;
    double node_storage_bandwidth;
    double read_bandwidth;
    int64_t checkpoint_asynchronous;
    double repair_time;
    double spare_confidence;
    double evaluation_share;
    double logging_share;
    double loader_share;
    double straggler_share;
    double bytes_per_token;
    int64_t domain_accelerators;
    int64_t headroom;
    double headroom_factor;
    /* rent and storage */
    double commitment;
    int64_t pay_unused;
    double spot_interruptions_per_node_day;
    double storage_price;
    double stored_bytes;
    int64_t checkpoints_kept;
    double egress_bytes;
    double egress_price;
    /* owning */
    double purchase_price;
    double network_share;
    double life;
    int64_t depreciation;
    double depreciation_rate;
    double machine_age;
    double residual_share;
    double cost_of_capital;
    double electricity_price;
    double pue;
    double colocation_price;
    double maintenance_share;
    double support_share;
    double staff_cost;
    double utilization;
    double server_power;
    double power_draw_share;
    double network_power_share;
    double grid_carbon;
    /* network */
    int64_t topology;
    double oversubscription;
    int64_t pod_accelerators;
    int64_t switch_radix;
    int64_t torus_axes;
    double switch_price;
    double cable_price;
    double rack_power;
    int64_t memory_is_label; /* the memory is the marketing figure: no reported one is known */
    int64_t doubtful;        /* a catalog entry of low confidence was copied */
} cszi_cluster;

extern const cszi_table cszi_cluster_table;

int cszi_cluster_has(const cszi_cluster *cluster, csz_field field);

/* Dense peak FLOP/s of a number format; 0 when the part lacks it. */
double cszi_cluster_peak(const cszi_cluster *cluster, int64_t format);

/* Share of the compute rates that is sustained under power_limit: min(1, (limit / power)^x), x the
 * exponent of the family's facts, fitted. 1 without a limit. */
double cszi_power_share(const cszi_cluster *cluster);

/* W that one accelerator draws at the most: the lower of its own limit and of one that is set. */
double cszi_cluster_power(const cszi_cluster *cluster);

/* B/s that one accelerator reaches: over the link to its host, one way; of the host's memory under
 * an optimizer's step, and of the node's drives, read and written in equal parts, when `used`
 * accelerators share them. */
double cszi_cluster_host_link(const cszi_cluster *cluster);
double cszi_cluster_host_memory_rate(const cszi_cluster *cluster, int64_t used);
double cszi_cluster_drives(const cszi_cluster *cluster, int64_t used);

/* What is missing for an estimate: CSZ_ERR_MISSING with the field. time says whether rates are
 * needed. */
csz_status cszi_cluster_check(const cszi_cluster *cluster, int time, cszi_error *error);

#endif
