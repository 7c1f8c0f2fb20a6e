/* calibration.c: the table of a calibration's results. */
#include <string.h>

#include "base/field_rows.h"
#include "project/calibrate.h"

static const cszi_choice cszi_choices_multiplier[] = {{CSZ_MULTIPLIER_COMPUTE, "compute"},
                                                      {CSZ_MULTIPLIER_MEMORY, "memory"},
                                                      {CSZ_MULTIPLIER_LINK, "link"},
                                                      {CSZ_MULTIPLIER_SCALE_OUT, "scale_out"},
                                                      {0, NULL}};

static const cszi_choice cszi_choices_collective[] = {
    {CSZ_COLLECTIVE_UNKNOWN, "unknown"},       {CSZ_COLLECTIVE_ALL_REDUCE, "all_reduce"},
    {CSZ_COLLECTIVE_ALL_GATHER, "all_gather"}, {CSZ_COLLECTIVE_REDUCE_SCATTER, "reduce_scatter"},
    {CSZ_COLLECTIVE_ALL_TO_ALL, "alltoall"},   {0, NULL}};

#define CSZI_RECORD_flat cszi_calibration
#define CSZI_RECORD_moved cszi_moved
#define CSZI_RECORD_runs cszi_calibration_run
#define CSZI_RECORD_collectives cszi_collective
enum { CSZI_LIST_flat, CSZI_LIST_moved, CSZI_LIST_runs, CSZI_LIST_collectives };

static const cszi_field_row rows[] = {
#include "project/calibration.inc"
};

#undef RESULT
#undef FIELD
#define FIELD(id, ...) AT_##id,
enum {
#include "project/calibration.inc"
    ROW_COUNT
};

const cszi_table cszi_calibration_table = {
    "calibration",
    CSZI_MODE_RESULT,
    rows,
    ROW_COUNT,
    {{"", 0, 0, 0, 0, 0, 0},
     {"multipliers", offsetof(cszi_calibration, moved), sizeof(cszi_moved), CSZI_MULTIPLIERS,
      offsetof(cszi_calibration, moved_count), AT_CSZ_CALIBRATION_MULTIPLIER, 0},
     {"runs", offsetof(cszi_calibration, runs), sizeof(cszi_calibration_run), CSZI_CALIBRATION_RUNS,
      offsetof(cszi_calibration, run_count), AT_CSZ_CALIBRATION_RUN_ACCELERATORS, 1},
     {"collectives", offsetof(cszi_calibration, collectives), sizeof(cszi_collective),
      CSZI_CALIBRATION_COLLECTIVES, offsetof(cszi_calibration, collective_count),
      AT_CSZ_CALIBRATION_COLLECTIVE, 0}},
    4,
};

void cszi_calibration_clear(cszi_calibration *c)
{
    c->residual_before = c->residual = (double)NAN;
    c->gemm_residual_before = c->gemm_residual = (double)NAN;
    c->copy_residual_before = c->copy_residual = (double)NAN;
    c->moved_count = 0;
    for (int64_t i = 0; i < c->run_count; i++) {
        cszi_calibration_run *run = &c->runs[i];
        run->accelerators = INT64_MIN;
        run->before = run->after = run->floor = (double)NAN;
        run->residual_before = run->residual = run->uncertainty = (double)NAN;
    }
    for (int64_t i = 0; i < c->collective_count; i++) {
        c->collectives[i].residual = (double)NAN;
        c->collectives[i].domains = INT64_MIN;
    }
}
