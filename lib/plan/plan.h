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
    int64_t recompute_layers; /* 0: all of a stage */
    int64_t recompute_norm;
    int64_t recompute_activation;
    int64_t recompute_latent;
    int64_t recompute_mlp;
    int64_t recompute_experts;
    int64_t loss_kernel; /* csz_loss_kernel */
    int64_t gradient_release;
    int64_t expandable_segments;
    int64_t optimizer_fused;
    int64_t expert_dispatch; /* csz_expert_dispatch */
    double expert_capacity;  /* 0: no token is dropped */
    int64_t expert_overlap;
    double offload_optimizer; /* share */
    int64_t offload_parameters;
    int64_t offload_activations;
    int64_t offload_target;            /* csz_offload_target */
    int64_t offload_activation_layers; /* 0: all but two */
    int64_t shard_group;               /* 0: all data-parallel and context ranks */
    int64_t reshard;
    int64_t prefetch;
    double bucket;
    int64_t context_kind;  /* csz_context_kind */
    int64_t context_inner; /* 0: what fits */
    int64_t embedding_counts;
    int64_t loss_counts;
    char pipeline_layout[CSZI_TEXT_CAPACITY];
} cszi_plan;

extern const cszi_table cszi_plan_table;

int cszi_plan_has(const cszi_plan *plan, csz_field field);

/* A plan with every default settled for one workload and cluster: what the estimate reads. */
typedef struct cszi_layout {
    int64_t t, p, v, c, e, etp, d; /* degrees; d is data_parallel */
    int64_t context_kind;          /* csz_context_kind */
    int64_t context_inner;         /* ranks of its all-to-all; 1: there is none */
    int64_t sequence_parallel;
    int64_t sharding;
    int64_t b;        /* micro-batch, sequences */
    int64_t m;        /* micro-batches of a step */
    int64_t s;        /* sequence length */
    int64_t batch;    /* global batch, sequences */
    int64_t schedule; /* csz_schedule */
    int64_t copies;   /* of parameters: 2 where a stage stands in pipelines of both directions */
    int64_t recompute;
    int64_t flash;            /* attention kernel */
    int64_t loss;             /* csz_loss_kernel */
    int64_t dispatch;         /* csz_expert_dispatch */
    double capacity;          /* of an expert, over the mean; 0: all tokens */
    int64_t overlap;          /* of dispatch with another micro-batch */
    int64_t recompute_layers; /* of a stage under full recomputation; INT64_MAX: all */
    int64_t norm, activation, latent, mlp, experts; /* modules computed again */
    int64_t in_place;                               /* the optimizer's step has no temporaries */
    int64_t release;                                /* gradients go as soon as they are used */
    int64_t expandable;
    double offload_optimizer;
    int64_t offload_parameters, offload_activations, nvme;
    int64_t offload_layers; /* of a stage, whose activations are offloaded; 0: all but two */
    int64_t group;          /* ranks of one shard of dense states */
    int64_t reshard;        /* gathered weights are freed after the forward pass */
    int64_t gathered;       /* units of gathered weights at once */
    double bucket;          /* B */
    int64_t used;           /* accelerators */
    int64_t first, last;    /* explicit layers of the end stages, 0: balanced */
    int64_t head_counts, tail_counts; /* embedding and output layer count as layers */
    char chunks[CSZI_TEXT_CAPACITY];  /* what each holds, in Megatron-LM's letters; "": balanced */
    const struct cszi_stack *stack;
    int stack_named;
} cszi_layout;

#endif
