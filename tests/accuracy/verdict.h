/* verdict.h: what the library predicts for a row, beside what was measured. */
#ifndef TESTS_ACCURACY_VERDICT_H
#define TESTS_ACCURACY_VERDICT_H

#include "question.h"

/* What a reading of memory counts. */
typedef enum reading {
    READING_NONE, /* none, or only that it ran */
    READING_ALLOCATED,
    READING_RESERVED,
    READING_DRIVER
} reading;

typedef struct verdict {
    char id[48], source[64], framework[64], task[24];
    uint64_t setup;                     /* equal for rows of the same settings */
    int full;                           /* whatever the answer hangs on is stated */
    int judged;                         /* there is a prediction and a measured value */
    double low, likely, high, measured; /* bytes or seconds */
    char why[200];
    char filled[400];

    /* Memory. */
    reading kind;
    int allocator;                   /* read from the allocator, not rounded by an author */
    int testcase, adapters, sharded; /* which class of its own; FSDP */
    int ran;                         /* the row has a throughput */
    int known;                       /* there is an outcome: fits holds it */
    int fits;
    csz_fit called;
    double probability;
    int refused; /* the library says that the plan cannot be */

    /* Time. */
    char accelerator[40], precision[16], plan[32], stack[24];
    uint64_t problem;    /* equal for rows that differ in the plan only */
    uint64_t layout;     /* equal for equal plans */
    const char *largest; /* part of the step */
    int mixture, grid, across, context;
    int64_t gpus, sequence, year;
} verdict;

void verdict_memory(verdict *v, row r);
void verdict_time(verdict *v, row r);
/* The same with the question left open, for verdict_end. */
void verdict_time_open(verdict *v, question *q, row r);

/* Clears it and names the row. */
void verdict_begin(verdict *v, row r);
/* Takes over what was skipped and filled, and frees the question. */
void verdict_end(verdict *v, question *q);
#define VERDICT_HASH 14695981039346656037u
uint64_t verdict_hash(uint64_t sum, const char *text);

#endif
