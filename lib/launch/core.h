/* core.h: what launches of Megatron-LM and of Megatron-Bridge have in common: options of
 * Megatron-Core. */
#ifndef CSZI_LAUNCH_CORE_H
#define CSZI_LAUNCH_CORE_H

#include "launch/shared.h"

enum { CSZI_CORE_SELECTIVE = 1, CSZI_CORE_FULL };
enum { CSZI_CORE_UNIFORM = 1, CSZI_CORE_BLOCK };
enum { CSZI_CORE_FSDP = 1 };

extern const cszi_choice cszi_core_granularities[], cszi_core_methods[], cszi_core_modules[],
    cszi_core_strategies[], cszi_core_contexts[], cszi_core_kernels[], cszi_core_on[],
    cszi_core_fused_loss[], cszi_core_optimizers[];

/* Quantities of recomputation, sharding, pipeline and offload, of the layout. */
void cszi_core_spread(cszi_launch *launch);

#endif
