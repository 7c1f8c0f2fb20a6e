/* cluster.h: the chosen machines as a plain struct; figures of one accelerator, copied from a
 * catalog or given. */
#ifndef CSZI_HARDWARE_CLUSTER_H
#define CSZI_HARDWARE_CLUSTER_H

#include "base/field.h"

typedef struct cszi_cluster {
    uint64_t set[1];
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
