/* activations.h: what the backward pass needs of one layer and one micro-batch. */
#ifndef CSZI_ESTIMATE_ACTIVATIONS_H
#define CSZI_ESTIMATE_ACTIVATIONS_H

#include "estimate/estimate.h"

/* Tokens of one micro-batch that a rank holds in layers of a kind: s b / c. */
double cszi_layer_tokens(const cszi_case *c, const cszi_layer_kind *kind);

/* Bytes of one layer. */
typedef struct cszi_layer_bytes {
    double input; /* kept when it is computed again as a whole, and all else when it is not: */
    double kept;  /* by the plan's recomputation */
    double
        again[2];  /* come to stand while it is computed again: from what is kept, from its input */
    double scores; /* unfused */
    double backward; /* gradients of hidden states that stand during its backward pass */
} cszi_layer_bytes;

void cszi_layer_bytes_of(const cszi_case *c, const cszi_layer_kind *kind, cszi_layer_bytes *bytes);

#endif
