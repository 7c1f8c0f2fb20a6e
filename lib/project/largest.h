/* largest.h: the inverse question: how large a thing may become before memory ends. */
#ifndef CSZI_PROJECT_LARGEST_H
#define CSZI_PROJECT_LARGEST_H

#include "facts/catalog.h"
#include "project/run.h"

/* What is asked: room for the inputs that are tried. */
typedef struct cszi_largest {
    cszi_workload workload;
    cszi_cluster cluster;
    cszi_plan plan;
    double confidence; /* least probability of fit */
} cszi_largest;

/* The largest sequence_length, global_batch or micro_batch whose plan fits, or the least memory:
 * *value, and the input of *question set to it. Values at which no plan can be are passed over. */
csz_status cszi_find_largest(cszi_largest *question, csz_field varied, double *value,
                             cszi_error *error);
/* Whether the inputs of *question fit: 1 or 0; -1 when such a plan cannot be. */
int cszi_fits(const cszi_largest *question);

#endif
