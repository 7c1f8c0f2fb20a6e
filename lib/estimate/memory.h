/* memory.h: bytes on one accelerator, each part in one function. */
#ifndef CSZI_ESTIMATE_MEMORY_H
#define CSZI_ESTIMATE_MEMORY_H

#include "estimate/estimate.h"

/* Bytes of one value in a number format; NF4 with its double-quantized constants. */
double cszi_format_bytes(int64_t format);

/* Bytes of one trained parameter in each copy, and of one frozen one. */
typedef struct cszi_recipe {
    double weights;
    double gradients;
    double master;
    double states;
    double gathered; /* of a gathered weight under ZeRO-3 */
    double frozen;
    double copies; /* low-precision copies of weights, beside them */
} cszi_recipe;

void cszi_case_recipe(const cszi_case *c, cszi_recipe *recipe);

/* Parameters that one accelerator of a stage holds, by the group that shards their states. */
typedef struct cszi_share {
    double dense; /* trained; of a LoRA job: adapters, here and below */
    double expert;
    double frozen_dense; /* of a LoRA job: everything but the adapters */
    double frozen_expert;
    double unit; /* the largest unit that ZeRO-3 gathers: a layer, or what stands outside */
} cszi_share;

void cszi_stage_share(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                      cszi_share *s);

/* Activations that one layer keeps for a micro-batch, by recomputation. */
double cszi_layer_activations(const cszi_case *c, const cszi_layer_kind *kind);
/* What a layer holds while it is computed again. */
double cszi_layer_working_set(const cszi_case *c, const cszi_layer_kind *kind);

/* One stage at its peak; low and high of its total. */
void cszi_stage_memory(const cszi_case *c, const cszi_recipe *recipe, int64_t stage, cszi_stage *at,
                       cszi_range *total);

#endif
