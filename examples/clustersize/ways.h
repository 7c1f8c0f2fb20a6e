/* ways.h: what would make a plan fit that does not. */
#ifndef WAYS_H
#define WAYS_H

#include "report.h"

#define MOST_WAYS 80 /* more than a ranking's advice and what is tried beside it */
#define WAYS_SHOWN 3
#define MOST_TIMES 64 /* as many accelerators */

/* One way, computed. */
typedef struct way {
    char change[160]; /* "tp 8, sharding optimizer", "128 accelerators" */
    double saves;     /* bytes of the worst stage */
    double step;      /* ratio of the time of a sequence; NAN: no time is known */
    double cost;      /* accelerators x time of a sequence; NAN: the same */
    double chance;
} way;

typedef struct ways {
    asked *a;
    const answer *x; /* the plan that does not fit */
    csz_estimate *estimate;
    way list[MOST_WAYS]; /* the cheapest first */
    size_t count;
} ways;

/* Changes of the plan, 8-bit optimizer states, more accelerators: those that fit; other plans when
 * they are fewer than are shown. */
int ways_find(ways *w);

#endif
