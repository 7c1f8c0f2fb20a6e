/* verdict.h: what the library predicts for a row, beside what was measured. */
#ifndef TESTS_ACCURACY_VERDICT_H
#define TESTS_ACCURACY_VERDICT_H

#include "question.h"

/* What a reading counts. */
typedef enum reading {
    READING_NONE, /* none, or only that it ran */
    READING_ALLOCATED,
    READING_RESERVED,
    READING_DRIVER
} reading;

typedef struct verdict {
    char id[48], source[64], framework[64], task[24];
    uint64_t setup; /* equal for rows of the same settings */
    reading kind;
    int allocator;                         /* read from the allocator, not rounded by an author */
    int full, testcase, adapters, sharded; /* settings stated; which class of its own; FSDP */
    int ran;                               /* the row has a throughput */
    int judged;                            /* there is a prediction and a measured peak */
    double low, likely, high, measured;    /* bytes */
    int known;                             /* there is an outcome: fits holds it */
    int fits;
    csz_fit called;
    double probability;
    int refused; /* the library says that the plan cannot be */
    char why[200];
    char filled[400];
} verdict;

void verdict_make(verdict *v, row r);

#endif
