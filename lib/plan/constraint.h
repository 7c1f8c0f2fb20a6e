/* constraint.h: what the steps of settling a plan work on, and how they refuse. */
#ifndef CSZI_PLAN_CONSTRAINT_H
#define CSZI_PLAN_CONSTRAINT_H

#include "plan/settle.h"

typedef struct cszi_check {
    const cszi_plan *plan;
    const cszi_workload *workload;
    const cszi_cluster *cluster;
    const cszi_batching *batching;
    cszi_layout *at;
    csz_reason *reason;
    cszi_error *error;
} cszi_check;

#define CSZI_CONFLICT(k, why, field, ...)                                                          \
    (*(k)->reason = (why), (k)->error == NULL                                                      \
                               ? CSZ_ERR_CONFLICT                                                  \
                               : cszi_fail((k)->error, CSZ_ERR_CONFLICT, field, __VA_ARGS__))
#define CSZI_LL(x) ((long long)(x))

/* The stack and what it settles: kernels, recomputation, offload, sharding of states. The degrees
 * and the batch are settled before the second. */
csz_status cszi_settle_stack(cszi_check *check);
csz_status cszi_settle_software(cszi_check *check);

/* Chunks of a stage and copies of parameters, which the schedule sets; the schedule and the layers'
 * places, once the batch is settled. */
csz_status cszi_settle_chunks(cszi_check *check);
csz_status cszi_settle_pipeline(cszi_check *check);

/* The kind of context parallelism, once degrees and heads are checked. */
csz_status cszi_settle_context(cszi_check *check);

#endif
