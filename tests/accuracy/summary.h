/* summary.h: figures over groups of verdicts.
 *
 * Each source weighs the square root of its distinct settings, and each of these the same however
 * many rows repeat it: no grid of one page outweighs the others. */
#ifndef TESTS_ACCURACY_SUMMARY_H
#define TESTS_ACCURACY_SUMMARY_H

#include "verdict.h"

typedef struct summary {
    size_t rows, judged;   /* of the group; with a peak to compare */
    double median, p90;    /* of the absolute log ratio of predicted to measured */
    double bias;           /* mean log ratio */
    double in_band;        /* share within low and high */
    double band_ratio;     /* median high / low */
    size_t outcomes[2][3]; /* [ran][csz_fit], rows with all settings */
    size_t ran[3];         /* [csz_fit], rows with a throughput, whatever was filled */
    size_t refused;        /* rows with a throughput whose plan the library refuses */
    double tight;          /* share of "tight" among the outcomes */
    double brier;          /* of the fit probability: mean of failed and running rows apart */
} summary;

typedef int (*member)(const verdict *v, const char *name);

/* Over the verdicts for which of(v, name) is true. 0 when memory ran out. */
int summary_make(summary *s, const verdict *all, size_t count, member of, const char *name);

/* The classes, some of which overlap; NULL beyond the end. */
const char *class_at(size_t index);
int in_class(const verdict *v, const char *name);

#endif
