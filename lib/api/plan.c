/* plan.c: the public plan. */
#include "plan/deepspeed_plan.h"
#include "plan/megatron_plan.h"

#define OBJECT plan
#define RESOLVE cszi_resolve_stack
#define WITH_CATALOG 0
#define FOREIGN                                                                                    \
    {CSZ_SOURCE_MEGATRON, cszi_plan_load_megatron},                                                \
        {CSZ_SOURCE_DEEPSPEED, cszi_plan_load_deepspeed},
#include "api/input.inc"
