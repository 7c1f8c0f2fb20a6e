/* points.h: what more accelerators bring and cost, along a curve of counts. */
#ifndef CSZI_PROJECT_POINTS_H
#define CSZI_PROJECT_POINTS_H

#include "project/projection.h"

/* More accelerators n2 over n1: efficiency n1 T1 / (n2 T2), extra accelerator-hours, and dollars
 * for each day that they save; NaN when they save none. */
typedef struct cszi_step_up {
    double efficiency;
    double extra_hours;
    double per_day;
} cszi_step_up;
void cszi_compare(double n1, double t1, double n2, double t2, double price, cszi_step_up *up);

/* Completes points, ascending by count, whose accelerators, time, cost and mfu stand; finds the
 * knee, the cheapest, the fastest within a budget and the cheapest within a deadline (0: none). */
void cszi_project_points(cszi_projection *p, double price, double deadline, double budget);

#endif
