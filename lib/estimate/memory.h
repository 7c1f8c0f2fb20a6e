/* memory.h: bytes on one accelerator at its largest moment, and what is known of them. */
#ifndef CSZI_ESTIMATE_MEMORY_H
#define CSZI_ESTIMATE_MEMORY_H

#include "estimate/activations.h"
#include "estimate/states.h"

/* What stages of one case share, and what the one at work holds. Stages that hold the same layers
 * differ in their micro-batches in flight alone. */
typedef struct cszi_tenant {
    const cszi_case *c;
    const cszi_recipe *r;
    cszi_layer_bytes kinds[CSZI_KINDS];
    int64_t counts[CSZI_KINDS]; /* layers of the stage; -1 before the first */
    int64_t predictions;
    int64_t stage;
    int first, last; /* of the pipeline */
    int sharded;     /* ZeRO-3: weights are gathered unit by unit */
    cszi_share share;
    double base[CSZI_MEM_PARTS]; /* alive at every moment of a step */
    double owned;                /* parameters whose states stand here */
    double gradients;            /* all that one step holds */
    double one;                  /* activations of a micro-batch that stay, and that go away */
    double away;
    double activations; /* of all micro-batches in flight */
    double others;      /* the same without the micro-batch at work */
    double cast;        /* 16-bit copies of fp32 weights, from autocast until their backward pass */
    double scores;      /* of one layer */
    double again;       /* one layer computed again */
    double backward;    /* gradients of hidden states in the widest layer */
    double logits;      /* how many values */
} cszi_tenant;

void cszi_tenant_open(const cszi_case *c, const cszi_recipe *recipe, cszi_tenant *n);

/* Goes to a stage; its micro-batches in flight. */
double cszi_tenant_enter(cszi_tenant *n, int64_t stage);
/* Bytes that stand there in the backward pass whatever activations are kept, after a change of
 * sharding, shard_group or offload_optimizer in the case's layout: no peak is lower than they and
 * the activations in flight. */
double cszi_tenant_standing(cszi_tenant *n);

/* One stage at its peak: parts that the allocator counts, in use; the moment; layers, parameters,
 * in_flight. */
void cszi_stage_peak(cszi_tenant *tenant, int64_t stage, cszi_stage *at);

/* What the allocator and the driver hold besides; the parts sum to the total. */
void cszi_stage_held(const cszi_case *c, cszi_stage *at);

/* The three figures of a stage with their bands. */
typedef struct cszi_bounds {
    cszi_range allocated;
    cszi_range reserved;
    cszi_range total;
} cszi_bounds;

/* Chance that a need with such a band stays within a memory. */
double cszi_fit_probability(const cszi_range *need, double memory);

void cszi_stage_bounds(const cszi_case *c, const cszi_stage *at, cszi_bounds *bounds);

/* Memory of a node's host, from the parameters and the offloaded activations of a rank as it is on
 * the average of the stages. */
void cszi_estimate_host(const cszi_case *c, const cszi_recipe *recipe, const cszi_stage *mean,
                        cszi_estimate *estimate);

#endif
