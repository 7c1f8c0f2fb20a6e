/* run.h: from steps to a run: phases, failures, checkpoints, energy, money. */
#ifndef CSZI_PROJECT_RUN_H
#define CSZI_PROJECT_RUN_H

#include "project/failures.h"

/* A whole estimate to a depth. *estimate has been cleared; on failure it is left to the caller to
 * clear it again. */
csz_status cszi_estimate_compute(cszi_estimate *estimate, const cszi_workload *workload,
                                 const cszi_cluster *cluster, const cszi_plan *plan,
                                 csz_depth depth, csz_reason *reason, cszi_error *error);

/* The same for a case that is open already: the search's way in. */
csz_status cszi_case_compute(cszi_case *c, const cszi_plan *plan, csz_depth depth,
                             cszi_estimate *estimate, csz_reason *reason, cszi_error *error);

/* How deep an estimate can go with what is said: time needs rates, a run needs tokens. */
csz_depth cszi_deepest(const cszi_workload *workload, const cszi_cluster *cluster);

/* The run of a case whose step is computed. */
csz_status cszi_case_run(cszi_case *c, const cszi_plan *plan, cszi_estimate *e, csz_reason *reason,
                         cszi_error *error);

#endif
