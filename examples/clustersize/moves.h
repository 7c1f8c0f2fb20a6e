/* moves.h: how far other values of what was not stated move the answer. */
#ifndef MOVES_H
#define MOVES_H

#include "assumptions.h"

typedef struct move {
    csz_field field;
    char now[48];                 /* the value that was assumed */
    double low, high;             /* ratios to the answer */
    char at_low[48], at_high[48]; /* the values that gave them */
    int of_cost;                  /* ratios of the cost, not of the time */
    int unfit;                    /* one of the values does not fit */
} move;

typedef struct trial {
    asked *a;
    const answer *base;
    watched what;
    csz_workload *workload; /* copies that are changed and put back */
    csz_cluster *cluster;
    csz_plan *plan;
    csz_estimate *estimate;
    move *move; /* of the field at hand */
} trial;

/* Fills moves (room for every field) with those of over 2%, the largest first; how many there are.
 */
size_t moves_find(trial *r, move *moves);

#endif
