/* offload.h: time that a step waits for the host, where states or activations stand there. */
#ifndef CSZI_ESTIMATE_OFFLOAD_H
#define CSZI_ESTIMATE_OFFLOAD_H

#include "estimate/states.h"

/* What one accelerator moves. */
typedef struct cszi_offloaded {
    double trained;     /* parameters whose states it owns */
    double frozen;      /* B of its share of the frozen weights */
    double others;      /* B of its share of the method's other models */
    double activations; /* B of a micro-batch that go to the host */
    double compute;     /* s of a micro-batch */
} cszi_offloaded;

/* What the computation does not hide; 0 without offload. */
double cszi_offload_time(const cszi_case *c, const cszi_recipe *recipe, const cszi_offloaded *o);

/* Bytes that the optimizer's step moves for a parameter, wherever it runs. */
double cszi_optimizer_bytes(const cszi_recipe *recipe);

#endif
