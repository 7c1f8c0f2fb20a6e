/* plan.h: how the job is laid over the machines, as a plain struct, and what it means against a
 * workload. */
#ifndef CSZI_PLAN_PLAN_H
#define CSZI_PLAN_PLAN_H

#include "base/field.h"
#include "hardware/cluster.h"
#include "workload/workload.h"

#define CSZI_STAGES 1024 /* pipeline stages */

typedef struct cszi_plan {
    uint64_t set[1];
    int64_t tensor_parallel;
    int64_t pipeline_parallel;
    int64_t virtual_pipeline;
    int64_t context_parallel;
    int64_t expert_parallel;
    int64_t expert_tensor_parallel;
    int64_t data_parallel;     /* 0: all remaining */
    int64_t sequence_parallel; /* read with cszi_plan_sequence_parallel */
    int64_t sharding;          /* csz_sharding */
    int64_t micro_batch;
    int64_t recompute;          /* csz_recompute */
    int64_t schedule;           /* csz_schedule */
    int64_t first_stage_layers; /* 0: balanced */
    int64_t last_stage_layers;
    char stack[CSZI_TEXT_CAPACITY];
    int64_t attention_kernel; /* csz_attention_kernel */
} cszi_plan;

extern const cszi_table cszi_plan_table;

int cszi_plan_has(const cszi_plan *plan, csz_field field);

/* A plan with every default settled for one workload and cluster: what the estimate reads. */
typedef struct cszi_layout {
    int64_t t, p, v, c, e, etp, d; /* degrees; d is data_parallel */
    int64_t sequence_parallel;
    int64_t sharding;
    int64_t b;     /* micro-batch, sequences */
    int64_t m;     /* micro-batches of a step */
    int64_t s;     /* sequence length */
    int64_t batch; /* global batch, sequences */
    int64_t recompute;
    int64_t flash;       /* attention kernel */
    int64_t used;        /* accelerators */
    int64_t first, last; /* explicit layers of the end stages, 0: balanced */
    const struct cszi_stack *stack;
    int stack_named;
} cszi_layout;

#endif
