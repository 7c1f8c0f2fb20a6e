/* runs.h: measured runs from a table. */
#ifndef RUNS_H
#define RUNS_H

#include "args.h"

/* Adds each line of a CSV file with a header: columns are fields of workload and plan,
 * accelerators, step_time and uncertainty; what a line leaves empty is as the flags say. */
int runs_add(asked *a, csz_calibration *calibration, double uncertainty);
/* A calibration's failure, with its message left in a. */
int check_calibration(asked *a, const csz_calibration *calibration, csz_status status);
/* A number with a unit; BAD_INPUT with a message that names it. */
int runs_number(asked *a, const char *name, csz_unit unit, const char *text, double *value);

#endif
