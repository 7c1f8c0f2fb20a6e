/* cluster.c: the public cluster. */
#define OBJECT cluster
#define RESOLVE cszi_resolve_cluster
#define WITH_CATALOG 1
#include "api/input.inc"
