/* floor.h: what no machine of the printed rates passes, however well its software does. */
#ifndef CSZI_ESTIMATE_FLOOR_H
#define CSZI_ESTIMATE_FLOOR_H

#include "estimate/estimate.h"

typedef struct cszi_floor {
    double compute; /* s: FLOPs of the model's step at the dense peak of compute_format */
    double memory; /* s: what the stage with most weights must read and write at the printed rate */
    int64_t used;  /* accelerators */
} cszi_floor;

/* The likely time of a step that took place, and its floor unless NULL: whether it fits is not
 * asked. */
csz_status cszi_predict(const cszi_workload *workload, const cszi_cluster *cluster,
                        const cszi_plan *plan, double *seconds, cszi_floor *floor,
                        cszi_error *error);

#endif
