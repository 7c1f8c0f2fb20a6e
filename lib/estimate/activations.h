/* activations.h: what the backward pass needs of one layer and one micro-batch. */
#ifndef CSZI_ESTIMATE_ACTIVATIONS_H
#define CSZI_ESTIMATE_ACTIVATIONS_H

#include "estimate/estimate.h"

/* Tokens of one micro-batch that a rank holds in layers of a kind: s b / c. */
double cszi_layer_tokens(const cszi_case *c, const cszi_layer_kind *kind);

/* Bytes that one layer keeps, by the plan's recomputation: when it is computed again as a whole,
 * and when it is not. */
double cszi_layer_input(const cszi_case *c, const cszi_layer_kind *kind);
double cszi_layer_kept(const cszi_case *c, const cszi_layer_kind *kind);

/* Bytes that come to stand while a layer is computed again, from its input (whole) or from what the
 * plan keeps of it. */
double cszi_layer_again(const cszi_case *c, const cszi_layer_kind *kind, int whole);

/* Unfused scores of a layer. */
double cszi_layer_scores(const cszi_case *c, const cszi_layer_kind *kind);

/* Gradients of hidden states that stand during its backward pass. */
double cszi_layer_backward(const cszi_case *c, const cszi_layer_kind *kind);

#endif
