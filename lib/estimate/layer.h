/* layer.h: time of one layer for one micro-batch on one accelerator. Depends only on tensor,
 * context, expert degrees, micro-batch, recomputation and stack. */
#ifndef CSZI_ESTIMATE_LAYER_H
#define CSZI_ESTIMATE_LAYER_H

#include "estimate/kernels.h"

/* One direction. */
typedef struct cszi_pass {
    double matrices;
    double attention;
    double pointwise;
    double tensor; /* exposed traffic, here and below */
    double context;
    double expert;
} cszi_pass;

/* [1] of a layer that full recomputation covers, [0] of another one. */
typedef struct cszi_layer_time {
    cszi_pass forward; /* all passes of the method's models, here and below */
    cszi_pass backward;
    double recompute[2];
    double host[2]; /* beyond the device's own time */
    double total;   /* no layer of the kind takes less */
    /* One forward pass of one model. */
    cszi_work core;
    cszi_work elements; /* pointwise; its FLOPs are not counted here */
} cszi_layer_time;

void cszi_layer_time_of(const cszi_case *c, const cszi_rates *r, const cszi_layer_kind *kind,
                        cszi_layer_time *time);

/* The product of a layer's matrix, as cszi_layer_time_of times it. */
cszi_product cszi_layer_product(const cszi_case *c, const cszi_rates *r,
                                const cszi_layer_kind *kind, const cszi_matrix *matrix);
/* The output layer, and the bytes of its loss and gradient in memory. */
cszi_product cszi_head_product(const cszi_case *c, const cszi_rates *r);
double cszi_head_bytes(const cszi_product *head);

/* All kinds of a case. A search computes them once for plans that differ only in pipeline, sharding
 * and count. */
void cszi_case_layer_times(const cszi_case *c, const cszi_rates *rates,
                           cszi_layer_time times[CSZI_KINDS]);
/* cszi_estimate_step with rates and layer times given. */
void cszi_estimate_step_with(const cszi_case *c, const cszi_rates *rates,
                             const cszi_layer_time times[CSZI_KINDS], cszi_estimate *estimate);

/* Main operations on the roofline. */
void cszi_estimate_kernels(const cszi_case *c, const cszi_rates *rates,
                           const cszi_layer_time times[CSZI_KINDS], cszi_estimate *estimate);

static inline double cszi_pass_sum(const cszi_pass *pass)
{
    return pass->matrices + pass->attention + pass->pointwise + pass->tensor + pass->context +
           pass->expert;
}

#endif
