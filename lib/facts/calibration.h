/* calibration.h: what a calibration may move, how far, and how sure its readings are. Rows stand in
 * calibration.inc, each with its source or as a judgement. */
#ifndef CSZI_FACTS_CALIBRATION_H
#define CSZI_FACTS_CALIBRATION_H

#include <stddef.h>

#define CSZI_MULTIPLIERS 4 /* rows of csz_multiplier */

/* A multiplier of a rate. Its prior is a normal distribution of its logarithm, around what the
 * cluster carries (1 unless it was calibrated before). */
typedef struct cszi_multiplier_fact {
    int field; /* csz_field of the cluster */
    double low;
    double high;
    double width;    /* standard deviation of the prior of ln(multiplier) */
    double measured; /* the same when the cluster carries a measured bandwidth of its own */
    const char *source;
} cszi_multiplier_fact;

/* By csz_multiplier. */
extern const cszi_multiplier_fact cszi_multiplier_facts[CSZI_MULTIPLIERS];

/* A figure by its id; all that the library asks for are there. */
double cszi_calibration_fact(const char *id);

#endif
