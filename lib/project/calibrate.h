/* calibrate.h: from measurements to a cluster's multipliers: least squares on ln(predicted /
 * measured) with normal priors on ln(multiplier), inside bounds. */
#ifndef CSZI_PROJECT_CALIBRATE_H
#define CSZI_PROJECT_CALIBRATE_H

#include "estimate/estimate.h"
#include "facts/calibration.h"
#include "hardware/collectives.h"

#define CSZI_CALIBRATION_RUNS 1024
#define CSZI_CALIBRATION_COLLECTIVES 256

/* What was measured, and what followed from it. */
typedef struct cszi_calibration_run {
    int64_t accelerators;
    double measured; /* s of a step */
    double before;
    double after;
    double floor;
    double residual_before; /* ln(predicted / measured) */
    double residual;
    double uncertainty;
} cszi_calibration_run;

typedef struct cszi_moved {
    int64_t multiplier; /* csz_multiplier */
    double before;
    double after;
    double uncertainty; /* of ln, after */
    double prior;       /* of ln, before */
    double lowest;
    double highest;
} cszi_moved;

/* A rate measured by itself; rate 0: none. */
typedef struct cszi_measured_rate {
    int64_t format; /* csz_format of a GEMM */
    double rate;
    double uncertainty;
} cszi_measured_rate;

/* Inputs of a run that the results do not show. */
typedef struct cszi_run_inputs {
    cszi_workload workload;
    cszi_plan plan;
    int64_t accelerators; /* 0: of the cluster */
    double uncertainty;   /* 0: of the facts */
} cszi_run_inputs;

typedef struct cszi_calibration {
    double residual_before;
    double residual;
    double gemm_residual_before;
    double gemm_residual;
    double copy_residual_before;
    double copy_residual;
    int64_t moved_count; /* 0 before a calibration: the runs then have inputs only */
    cszi_moved moved[CSZI_MULTIPLIERS];
    int64_t run_count;
    int64_t run_room;
    int64_t input_room;
    cszi_calibration_run *runs;
    cszi_run_inputs *inputs;
    int64_t collective_count;
    cszi_collective collectives[CSZI_CALIBRATION_COLLECTIVES];
    cszi_measured_rate gemm;
    cszi_measured_rate copy;
} cszi_calibration;

extern const cszi_table cszi_calibration_table;

/* Results unset, measurements kept. */
void cszi_calibration_clear(cszi_calibration *calibration);

/* Fits *cluster, which changes also when it fails. The results are written on success. Allocates
 * nothing. */
csz_status cszi_calibrate(cszi_cluster *cluster, cszi_calibration *calibration, cszi_error *error);

#endif
