/* flops.h: floating-point operations of a token, multiply and add counted as two. */
#ifndef CSZI_ESTIMATE_FLOPS_H
#define CSZI_ESTIMATE_FLOPS_H

#include "estimate/estimate.h"

/* Mean tokens that one query looks at: causal, within a window and, when masked, within its
 * document. full: not halved. */
double cszi_mean_context(const cszi_workload *workload, const cszi_layer_kind *kind,
                         int64_t sequence, int full);

/* Forward FLOPs of a token in one layer: matrices and attention core apart. */
double cszi_layer_matrix_flops(const cszi_layer_kind *kind, int64_t hidden);
double cszi_layer_attention_flops(const cszi_workload *workload, const cszi_layer_kind *kind,
                                  int64_t sequence, int full);

/* Forward FLOPs of a token in a custom layer, and in a recurrence beside its matrices. */
double cszi_custom_flops(const cszi_layer_kind *kind);
double cszi_recurrent_flops(const cszi_layer_kind *kind, int64_t hidden);

/* Share of the tokens that reach the output layer: those of the last layers. */
static inline double cszi_head_share(const cszi_workload *workload)
{
    return workload->kinds[cszi_workload_last_kind(workload)].token_share;
}

/* Passes of a step over models of the policy's size: forward ones, those of them that end in
 * logits, and backward ones. */
typedef struct cszi_passes {
    double forward;
    double logits;
    double backward;
} cszi_passes;

cszi_passes cszi_method_passes(const cszi_workload *workload);

/* Share of the i-th matrix of a layer whose product the plan computes again when full recomputation
 * does not cover the layer. */
double cszi_matrix_again(const cszi_layout *layout, const cszi_layer_kind *kind,
                         const cszi_matrix matrices[CSZI_MATRICES], size_t i);

/* Of n layers of a stage, those that full recomputation covers: *room is what it still may, at
 * first recompute_layers; kinds come in their order. */
static inline double cszi_layout_covered(const cszi_layout *layout, double n, double *room)
{
    double covered = layout->recompute == CSZ_RECOMPUTE_FULL ? (n < *room ? n : *room) : 0;
    *room -= covered;
    return covered;
}

/* Of one model. */
typedef struct cszi_flops {
    double layers;    /* forward, a token: matrices of all layers, prediction layers too */
    double attention; /* forward: attention cores */
    double full;      /* forward: attention cores, not halved */
    double head;      /* forward: output layer */
    double adapters;  /* forward: LoRA */
    /* of all passes */
    double forward;
    double backward;
} cszi_flops;

void cszi_model_flops(const cszi_case *c, cszi_flops *flops);
/* Fills the flops group of an estimate. */
void cszi_estimate_flops(const cszi_case *c, cszi_estimate *estimate);

#endif
