/* memory.h: bytes on one accelerator at its largest moment, and what is known of them. */
#ifndef CSZI_ESTIMATE_MEMORY_H
#define CSZI_ESTIMATE_MEMORY_H

#include "estimate/states.h"

/* One stage at its peak: parts that the allocator counts, in use; the moment; layers, parameters,
 * in_flight. */
void cszi_stage_peak(const cszi_case *c, const cszi_recipe *recipe, int64_t stage, cszi_stage *at);

/* What the allocator and the driver hold besides; the parts sum to the total. */
void cszi_stage_held(const cszi_case *c, cszi_stage *at);

/* The three figures of a stage with their bands. */
typedef struct cszi_bounds {
    cszi_range allocated;
    cszi_range reserved;
    cszi_range total;
} cszi_bounds;

void cszi_stage_bounds(const cszi_case *c, const cszi_stage *at, cszi_bounds *bounds);

/* Memory of a node's host, from the parameters and the offloaded activations of a rank as it is on
 * the average of the stages. */
void cszi_estimate_host(const cszi_case *c, const cszi_recipe *recipe, const cszi_stage *mean,
                        cszi_estimate *estimate);

#endif
