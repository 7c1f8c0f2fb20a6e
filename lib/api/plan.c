/* plan.c: the public plan. */
#define OBJECT plan
#define RESOLVE cszi_resolve_stack
#define WITH_CATALOG 0
#include "api/input.inc"
