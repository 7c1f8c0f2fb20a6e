/* fit.h: the time constants of the library as unknowns of a least-squares problem over published
 * runs. Built against tables that can be changed; see meson.build. */
#ifndef TESTS_ACCURACY_FIT_H
#define TESTS_ACCURACY_FIT_H

#include "step_time.h"

/* A constant: one figure that stands in one or more cells of the tables. What is known of it before
 * any run: a value and the standard deviation of its logarithm. */
typedef struct constant {
    const char *name;    /* of its macro in lib/facts/fitted.h */
    const char *rows;    /* ids of families or stacks; "*": all stacks */
    size_t offset;       /* of the field */
    double prior, wide;  /* wide: of ln */
    double most;         /* physical limit */
    double value, error; /* error: standard deviation of ln, from the fit */
    double *cells[16];
    size_t count;
    int held; /* not fitted */
} constant;

extern constant constants[];
extern const size_t constants_count;

/* Finds the cells; 0 when two cells of a constant differ or a row is missing. */
int constants_bind(void);
void constant_set(constant *c, double value);
int constants_write(const char *path);

/* Runs with their questions ready. */
typedef struct runs {
    verdict *verdicts;
    question *questions;
    double *weights;
    size_t count, room;
    csz_estimate *estimate;
} runs;

int runs_add(runs *all, const char *path);
/* Weights: of the headline; half of it in all for the two classes of the grid; little for rows that
 * do not state everything. */
int runs_weigh(runs *all);
void runs_free(runs *all);
/* ln of predicted over measured of each run; use[i] = 0: not needed. Verdicts keep the prediction.
 */
void runs_residuals(runs *all, const unsigned char *use, double *residuals);

/* The table of what stands behind each accelerator family under each stack, by the predictions as
 * they are. */
int evidence_write(const runs *all, const char *path);

/* Fits the constants that are not held to the runs of `use`. The value of the objective. */
double fit_solve(runs *all, const unsigned char *use, int turns, int loud);

#endif
