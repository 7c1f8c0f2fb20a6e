/* states.h: what one accelerator holds of a model: parameters, and bytes of each in every copy. */
#ifndef CSZI_ESTIMATE_STATES_H
#define CSZI_ESTIMATE_STATES_H

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
    double outer;  /* of a frozen parameter outside the layers, which is not quantized */
    double copies; /* low-precision copies of weights, beside them */
    double frozen_copies;
    double embedding; /* moments of parameters outside the layers, where they differ */
    double temporary; /* of the optimizer's step */
    double paged;     /* moments that the host backs */
    double transient; /* of a gradient between its layer's backward pass and its accumulation */
} cszi_recipe;

void cszi_case_recipe(const cszi_case *c, cszi_recipe *recipe);

/* Parameters that one accelerator of a stage holds, by the group that shards their states. */
typedef struct cszi_share {
    double dense; /* trained; of a LoRA job: adapters, here and below */
    double expert;
    double frozen_dense; /* of a LoRA job: everything but the adapters; frozen towers */
    double frozen_expert;
    double frozen_outer; /* of these, outside the layers */
    double other_dense;  /* frozen models of the method: reference, reward model, teacher */
    double other_expert;
    double shapes;    /* of the largest layer, equal experts counted once */
    double embedding; /* of dense: trained outside the layers with moments of their own */
    double unit;      /* the largest layer, which ZeRO-3 gathers as a unit */
    double outer;     /* what stands outside the layers: embedding, output layer, towers */
} cszi_share;

void cszi_stage_share(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                      cszi_share *s);

/* Layers of a kind on a stage, prediction layers too. */
double cszi_stage_kind_layers(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                              int64_t kind);

/* Parameters that one rank owns of those it shares from a level of ZeRO on. */
double cszi_layout_owned(const cszi_layout *layout, double dense, double expert, csz_sharding from);

/* Ranks that share expert states: in the proportion of the dense ones. */
double cszi_layout_expert_group(const cszi_layout *layout);

/* Bytes of a weight of the method's frozen models. */
double cszi_other_bytes(const cszi_workload *workload);

static inline int cszi_has_offload(const cszi_layout *layout)
{
    return layout->offload_optimizer > 0 || layout->offload_parameters ||
           layout->offload_activations;
}

/* The share of a stage's activations that goes to the host: of the layers that the plan says, or
 * of all but two. */
static inline double cszi_offloaded_share(const cszi_layout *layout, double layers)
{
    double away = (double)layout->offload_layers;
    if (!layout->offload_activations || layers <= 0)
        return 0;
    if (away <= 0)
        return layers > 2 ? 1 - 2 / layers : 0;
    return away < layers ? away / layers : 1;
}

/* Whether autocast works on weights in fp32: it keeps 16-bit copies of them, and what is added to
 * the output of an fp32 embedding stays fp32. */
int cszi_case_casts(const cszi_case *c);

/* Models that a method trains, and those that it keeps frozen beside them. */
int cszi_method_trained(const cszi_workload *workload);
int cszi_method_frozen(const cszi_workload *workload);

#endif
