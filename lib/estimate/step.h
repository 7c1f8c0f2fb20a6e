/* step.h: a step as its stages make it, before what happens once a step: for searches over plans
 * that differ in sharding or offload alone. */
#ifndef CSZI_ESTIMATE_STEP_H
#define CSZI_ESTIMATE_STEP_H

#include "estimate/layer.h"
#include "estimate/states.h"

/* One micro-batch through one stage. */
typedef struct cszi_stage_time {
    cszi_pass forward; /* of its layers */
    cszi_pass backward;
    double recompute;
    double host;
    double logits; /* embedding or output layer */
    double transfer;
    double total;
    double alone;     /* its backward pass where no other runs beside it */
    double offloaded; /* B of activations that go to the host, of this stage alone */
} cszi_stage_time;

typedef struct cszi_step {
    const cszi_case *c;
    cszi_rates r;
    const cszi_layer_time *kinds;
    cszi_stage_time sum; /* over stages */
    double slowest;
    int64_t slowest_stage;
    cszi_stage_time worst;
    /* of the stage with most parameters: its gradients are the last to arrive */
    cszi_share share;
    cszi_recipe recipe;
    double other; /* B of a weight of the method's frozen models */
    double muon;  /* FLOPs of its optimizer's step */
} cszi_step;

/* The stages of a case. Sharding, shard_group and offload_optimizer change nothing in them but
 * Muon's products. Stages of an estimate get their times. */
void cszi_step_open(cszi_step *s, const cszi_case *c, const cszi_rates *rates,
                    const cszi_layer_time times[CSZI_KINDS], cszi_estimate *estimate);
/* The likely time, and its terms. */
double cszi_step_terms(const cszi_step *s, cszi_estimate *estimate);

/* Embedding and output layer, of one micro-batch. */
double cszi_ends_time(const cszi_case *c, const cszi_rates *rates);
/* Hidden states of one micro-batch between the stages of a layout. */
double cszi_hop_time(const cszi_case *c, const cszi_rates *rates);
/* Share of a step's time that many nodes add to it. */
double cszi_case_straggle(const cszi_case *c);

#endif
