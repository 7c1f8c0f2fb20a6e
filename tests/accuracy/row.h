/* row.h: one row of a file of measured runs. Two sets of columns are known: those of memory.csv and
 * those of training.csv; a column that a file lacks reads as empty. */
#ifndef TESTS_ACCURACY_ROW_H
#define TESTS_ACCURACY_ROW_H

#include "csv.h"
#include "words.h"

#include <stdint.h>

typedef struct row {
    const csv *table;
    size_t index;
} row;

/* "" when the cell is empty or the column absent. "model" also reads "model_name". */
const char *row_text(row r, const char *name);
int row_has(row r, const char *name, const char *part);
/* 1 when the cell holds a number. */
int row_number(row r, const char *name, double *value);
/* The same as a count, or fallback; see question_limits for what a count may be. */
int64_t row_count(row r, const char *name, int64_t fallback);
/* Notes, source and name of the case hold what has no column: 1 when any of them has the part. */
int row_says(row r, const char *part);
/* The files of training runs have a step time or a throughput: the run ran. */
int row_ran(row r);
/* A step of an ablation that adds one technique after the other: is this one in? */
int row_ablation(row r, const char *technique);

#endif
