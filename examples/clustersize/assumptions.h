/* assumptions.h: which settings that nobody stated move the answer. */
#ifndef ASSUMPTIONS_H
#define ASSUMPTIONS_H

#include "report.h"

/* What is watched for a move. */
typedef enum watched {
    WATCH_RUN,   /* the run's time, or its cost where the time stays */
    WATCH_MEMORY /* the memory of the worst stage */
} watched;

/* Says them, the largest first: as many as the screen holds, all with -v, when there is a setting a
 * line. */
int say_assumptions(page *t, asked *a, const answer *x, watched what);

#endif
