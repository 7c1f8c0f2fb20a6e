/* ranking.c: how well predictions order the plans of one problem. */
#include "step_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAST 4 /* plans of a group */

typedef struct timed {
    const verdict *v;
    double predicted, measured; /* of a plan: means over its rows; then their ranks */
} timed;

static int by_plan(const void *a, const void *b)
{
    const verdict *x = ((const timed *)a)->v, *y = ((const timed *)b)->v;

    if (x->problem != y->problem)
        return x->problem < y->problem ? -1 : 1;
    return (x->layout > y->layout) - (x->layout < y->layout);
}

/* Rows of one plan become one entry; the number of entries. */
static size_t merge(timed *list, size_t count)
{
    size_t kept = 0, next;

    for (size_t i = 0; i < count; i = next) {
        timed sum = {list[i].v, 0, 0};
        for (next = i; next < count && by_plan(&list[i], &list[next]) == 0; next++) {
            sum.predicted += list[next].v->likely;
            sum.measured += list[next].v->measured;
        }
        sum.predicted /= (double)(next - i);
        sum.measured /= (double)(next - i);
        list[kept++] = sum;
    }
    return kept;
}

/* Measured time of the plan that is predicted best, over the measured best, minus 1. */
static double regret(const timed *list, size_t count)
{
    size_t chosen = 0, best = 0;

    for (size_t i = 1; i < count; i++) {
        chosen = list[i].predicted < list[chosen].predicted ? i : chosen;
        best = list[i].measured < list[best].measured ? i : best;
    }
    return list[chosen].measured / list[best].measured - 1;
}

/* Ranks from 0, the mean one where values are equal; less the mean rank. */
static void rank_plan(const timed *list, size_t count, size_t i, double *predicted,
                      double *measured)
{
    double middle = (double)(count - 1) / 2;

    *predicted = *measured = -middle - 0.5;
    for (size_t k = 0; k < count; k++) {
        double p = list[k].predicted - list[i].predicted, m = list[k].measured - list[i].measured;
        *predicted += p < 0 ? 1 : p > 0 ? 0 : 0.5;
        *measured += m < 0 ? 1 : m > 0 ? 0 : 0.5;
    }
}

/* Spearman's correlation: Pearson's of the ranks; 0 where all are equal. */
static double spearman(const timed *list, size_t count)
{
    double xy = 0, xx = 0, yy = 0;

    for (size_t i = 0; i < count; i++) {
        double x, y;
        rank_plan(list, count, i, &x, &y);
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

static void print_groups(const timed *list, size_t count, int json)
{
    double correlations = 0, regrets = 0;
    size_t groups = 0, next;

    for (size_t i = 0; i < count; i = next) {
        for (next = i; next < count && list[next].v->problem == list[i].v->problem;)
            next++;
        if (next - i < LEAST)
            continue;
        correlations += spearman(&list[i], next - i);
        regrets += regret(&list[i], next - i);
        groups++;
        if (!json)
            printf("%-8s %-40.40s %5zu plans, correlation %+.3f, regret %.3f\n", list[i].v->id,
                   list[i].v->source, next - i, spearman(&list[i], next - i),
                   regret(&list[i], next - i));
    }
    correlations = groups > 0 ? correlations / (double)groups : 0;
    regrets = groups > 0 ? regrets / (double)groups : 0;
    printf(json ? "{\"groups\":%zu,\"spearman\":%.5f,\"regret\":%.5f}\n"
                : "%zu groups, mean correlation %.3f, mean regret %.3f\n",
           groups, correlations, regrets);
}

void ranking_print(const verdict *all, size_t count, int json)
{
    timed *list = malloc((count + 1) * sizeof *list);
    size_t n = 0;

    if (list == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        if (all[i].judged)
            list[n++] = (timed){&all[i], 0, 0};
    qsort(list, n, sizeof *list, by_plan);
    print_groups(list, merge(list, n), json);
    free(list);
}
