/* fit_runs.c: published runs, their questions kept to be asked again. */
#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTIAL                                                                                    \
    0.25 /* weight of a run that does not state everything, over that of one that does */
#define GRID_NODE 0.1 /* of small jobs on one node, nine hundred of one paper */

static int grow(runs *all)
{
    size_t room = all->room * 2 + 1024;
    verdict *verdicts = realloc(all->verdicts, room * sizeof *verdicts);
    question *questions;

    if (verdicts == NULL)
        return 0;
    all->verdicts = verdicts;
    questions = realloc(all->questions, room * sizeof *questions);
    if (questions == NULL)
        return 0;
    all->questions = questions;
    all->room = room;
    return 1;
}

int runs_add(runs *all, const char *path)
{
    csv table;
    const char *why = csv_read(&table, path);

    for (size_t i = 0; why == NULL && i < table.rows; i++) {
        if (all->count == all->room && !grow(all)) {
            why = "is too large";
            break;
        }
        verdict_time_open(&all->verdicts[all->count], &all->questions[all->count],
                          (row){&table, i});
        if (all->verdicts[all->count].judged && all->verdicts[all->count].why[0] == '\0')
            all->count++;
        else
            question_free(&all->questions[all->count]);
    }
    if (why != NULL)
        fprintf(stderr, "%s: %s\n", path, why);
    csv_free(&table);
    return why == NULL;
}

int runs_weigh(runs *all)
{
    all->weights = calloc(all->count + 1, sizeof *all->weights);
    all->estimate = csz_estimate_new(NULL);
    if (all->weights == NULL || all->estimate == NULL ||
        !summary_weights(all->verdicts, all->count, all->weights))
        return 0;
    for (size_t i = 0; i < all->count; i++) {
        const verdict *v = &all->verdicts[i];
        if (v->grid && !v->across)
            all->weights[i] *= GRID_NODE;
        else if (!v->full)
            all->weights[i] *= PARTIAL;
    }
    return 1;
}

void runs_free(runs *all)
{
    for (size_t i = 0; i < all->count; i++)
        question_free(&all->questions[i]);
    csz_estimate_free(all->estimate);
    free(all->verdicts);
    free(all->questions);
    free(all->weights);
}

void runs_residuals(runs *all, const unsigned char *use, double *residuals)
{
    for (size_t i = 0; i < all->count; i++) {
        verdict *v = &all->verdicts[i];
        const question *q = &all->questions[i];
        residuals[i] = 0;
        if (!use[i] || csz_estimate_compute(all->estimate, q->workload, q->cluster, q->plan,
                                            CSZ_DEPTH_STEP) != CSZ_OK)
            continue;
        (void)csz_estimate_get_range(all->estimate, CSZ_ESTIMATE_STEP_TIME, &v->low, &v->likely,
                                     &v->high);
        residuals[i] = log(v->likely / v->measured);
    }
}
