/* summary.h: figures over groups of verdicts.
 *
 * Each source weighs the square root of its distinct settings, and each of these the same however
 * many rows repeat it: no grid of one page outweighs the others. */
#ifndef TESTS_ACCURACY_SUMMARY_H
#define TESTS_ACCURACY_SUMMARY_H

#include "verdict.h"

typedef struct summary {
    size_t rows, judged;   /* of the group; with a measured value to compare */
    size_t setups;         /* distinct settings of those judged */
    double median, mean;   /* of the absolute log ratio of predicted to measured */
    double p90;            /* of the same */
    double bias;           /* mean log ratio */
    double in_band;        /* share within low and high, a band of 80% */
    double in_band_95;     /* within the band of 95% that a log-normal error of that one has */
    double band_ratio;     /* median high / low */
    size_t outcomes[2][3]; /* [ran][csz_fit], rows with all settings */
    size_t ran[3];         /* [csz_fit], rows with a throughput, whatever was filled */
    size_t refused;        /* rows with a throughput whose plan the library refuses */
    double tight;          /* share of "tight" among the outcomes */
    double brier;          /* of the fit probability: mean of failed and running rows apart */
} summary;

/* Verdicts are grouped by a text; NULL: a verdict that the grouping leaves out. */
typedef struct grouping {
    const char *name;
    const char *(*value)(const verdict *v);
} grouping;

/* Classes may overlap. */
typedef struct category {
    const char *name;
    int (*holds)(const verdict *v);
} category;

/* A class; else those of one value; else all. */
typedef struct group {
    const category *is;
    const grouping *by;
    const char *name; /* the value */
} group;

int in_group(const group *g, const verdict *v);
/* What each verdict counts. 0 when memory ran out, here and below. */
int summary_weights(const verdict *all, size_t count, double *weights);
int summary_make(summary *s, const verdict *all, size_t count, group g);

#endif
