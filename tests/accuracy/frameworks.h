/* frameworks.h: what each training framework does when a row does not say. */
#ifndef TESTS_ACCURACY_FRAMEWORKS_H
#define TESTS_ACCURACY_FRAMEWORKS_H

#include "row.h"

typedef struct framework {
    const char *part;      /* of the name in the file; the first row that occurs in it holds */
    const char *stack;     /* row of the stack table, on one rank or without sharding */
    const char *recompute; /* where a row does not state it */
    const char *optimizer; /* what shares the states of several ranks: a sharding, or "none" */
    const char *formats;   /* workload fields that differ from the stack's, full training */
    const char *loss;      /* plan field of the loss; "" when it is the stack's */
    int64_t lora_rank;
    const char *lora;   /* workload fields of adapters */
    const char *source; /* of the defaults */
} framework;

/* What the published recipes of a framework recompute for a family of models, where a row is
 * silent.
 */
const char *framework_recompute(const framework *f, row r, int64_t ranks);

/* Never NULL: the last row is for any other name. */
const framework *framework_find(row r);
/* The row of the stack table: the framework's, or what ranks, sharding and compiler make of it. */
const char *framework_stack(const framework *f, row r, int64_t ranks, int64_t sharding);

#endif
