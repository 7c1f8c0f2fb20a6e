/* ways.c: what would make a plan fit: the changes that the library advises, and beside them what is
 * no change of a plan: 8-bit optimizer states and more accelerators; quite another plan when none
 * of them is enough. Each is computed; the cheapest has the least accelerator time for a sequence.
 */
#include "ways.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"

#define MOST_TIMES_KEPT 16 /* as many accelerators, with the rest of the plan kept */

/* ---- The list ---- */

static double time_of_sequence(const csz_estimate *e)
{
    return figure(e, CSZ_ESTIMATE_STEP_TIME) / figure(e, CSZ_ESTIMATE_BATCH_SEQUENCES);
}

/* Likely enough to be advised before others. */
static int is_sure(const ways *w, const way *one)
{
    double confidence = 0;
    (void)csz_goal_get_f64(w->a->goal, CSZ_GOAL_FIT_CONFIDENCE, &confidence);
    return one->chance >= confidence;
}

/* Without times, what saves least is the smallest change. */
static int is_before(const ways *w, const way *a, const way *b)
{
    if (is_sure(w, a) != is_sure(w, b))
        return is_sure(w, a);
    if (isnan(a->cost) != isnan(b->cost))
        return isnan(b->cost);
    return isnan(a->cost) ? a->saves < b->saves : a->cost < b->cost * (1 - 1e-9);
}

/* Whether it fits; then it is in the list. */
static int add_way(ways *w, const char *change, const csz_estimate *e)
{
    const csz_estimate *now = w->x->estimate;
    way one;
    size_t at = w->count;
    if (!estimate_fits(e) || w->count == MOST_WAYS)
        return 0;
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->list[i].change, change) == 0)
            return 1;
    (void)snprintf(one.change, sizeof one.change, "%s", change);
    one.saves = figure(now, CSZ_ESTIMATE_MEMORY_TOTAL) - figure(e, CSZ_ESTIMATE_MEMORY_TOTAL);
    one.step = time_of_sequence(e) / time_of_sequence(now);
    one.cost = time_of_sequence(e) * figure(e, CSZ_ESTIMATE_BATCH_ACCELERATORS);
    one.chance = figure(e, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY);
    for (; at > 0 && is_before(w, &one, &w->list[at - 1]); at--)
        w->list[at] = w->list[at - 1];
    w->list[at] = one;
    w->count++;
    return 1;
}

/* ---- Changes of the plan ---- */

static int differs(const csz_plan *p, const csz_plan *q, csz_field field)
{
    double x = 0, y = 0;
    csz_status in_p = csz_plan_get_f64(p, field, &x), in_q = csz_plan_get_f64(q, field, &y);
    return in_p != in_q || x < y || x > y;
}

static void name_change(const csz_plan *from, const csz_plan *to, char *text, size_t room)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < plan_fields_count && n < room; i++)
        if (plan_fields[i] != CSZ_PLAN_STACK && differs(from, to, plan_fields[i]))
            n += (size_t)snprintf(text + n, room - n, "%s%s", n > 0 ? ", " : "",
                                  plan_phrase(to, plan_fields[i]).text);
}

static int add_advice(ways *w)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_status status = CSZ_ERR_NO_MEMORY;
    int result;
    if (ranking != NULL)
        status = csz_ranking_advise(ranking, w->a->workload, w->x->cluster, w->x->plan);
    result = check_ranking(w->a, ranking, status);
    for (size_t i = 0; result == 0 && i < csz_ranking_count(ranking); i++) {
        char change[sizeof w->list->change];
        name_change(w->x->plan, csz_ranking_plan_at(ranking, i), change, sizeof change);
        (void)add_way(w, change, csz_ranking_estimate_at(ranking, i));
    }
    csz_ranking_free(ranking);
    return result;
}

/* ---- Changes of the job and the cluster ---- */

static int add_computed(ways *w, const char *change, const csz_workload *workload,
                        const csz_cluster *cluster, const csz_plan *plan)
{
    return csz_estimate_compute(w->estimate, workload, cluster, plan, w->x->depth) == CSZ_OK &&
           add_way(w, change, w->estimate);
}

/* Of AdamW only: another optimizer was chosen for what it is. */
static void add_small_states(ways *w, csz_workload *workload)
{
    int64_t optimizer = CSZ_OPTIMIZER_ADAMW;
    if (csz_workload_copy(workload, w->a->workload) != CSZ_OK)
        return;
    (void)csz_workload_get_i64(workload, CSZ_WORKLOAD_OPTIMIZER, &optimizer);
    if (optimizer != CSZ_OPTIMIZER_ADAMW ||
        csz_workload_set_i64(workload, CSZ_WORKLOAD_OPTIMIZER, CSZ_OPTIMIZER_ADAM_8BIT) != CSZ_OK)
        return;
    (void)csz_workload_unset(workload, CSZ_WORKLOAD_STATE_FORMAT); /* it has its own */
    (void)add_computed(w, "optimizer adam_8bit", workload, w->x->cluster, w->x->plan);
}

/* So many times the accelerators: as data parallelism, or in one degree of the plan. */
static int add_accelerators(ways *w, int64_t times, csz_cluster *cluster, csz_plan *plan)
{
    static const csz_field degrees[] = {CSZ_PLAN_DATA_PARALLEL, CSZ_PLAN_TENSOR_PARALLEL,
                                        CSZ_PLAN_PIPELINE_PARALLEL, CSZ_PLAN_CONTEXT_PARALLEL,
                                        CSZ_PLAN_EXPERT_PARALLEL};
    double count = figure(w->x->estimate, CSZ_ESTIMATE_BATCH_ACCELERATORS) * (double)times;
    int found = 0;
    if (csz_cluster_set_f64(cluster, CSZ_CLUSTER_ACCELERATORS, count) != CSZ_OK)
        return 0;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        char change[sizeof w->list->change];
        int64_t degree = plan_value(w->x->plan, degrees[i]);
        int n = snprintf(change, sizeof change, "%s accelerators", text_count(count).text);
        (void)csz_plan_copy(plan, w->x->plan);
        (void)csz_plan_unset(plan, CSZ_PLAN_DATA_PARALLEL);
        if (degrees[i] != CSZ_PLAN_DATA_PARALLEL) {
            (void)csz_plan_set_i64(plan, degrees[i], degree * times);
            (void)snprintf(change + n, sizeof change - (size_t)n, " with %s",
                           plan_phrase(plan, degrees[i]).text);
        }
        found += add_computed(w, change, w->a->workload, cluster, plan);
    }
    return found;
}

static void add_beside(ways *w)
{
    csz_workload *workload = csz_workload_new(NULL);
    csz_cluster *cluster = csz_cluster_new(NULL);
    csz_plan *plan = csz_plan_new(NULL);
    int found = 0;
    if (workload != NULL && cluster != NULL && plan != NULL) {
        add_small_states(w, workload);
        (void)csz_cluster_copy(cluster, w->x->cluster);
        for (int64_t times = 2; times <= MOST_TIMES_KEPT && found == 0; times *= 2)
            found = add_accelerators(w, times, cluster, plan);
    }
    csz_workload_free(workload);
    csz_cluster_free(cluster);
    csz_plan_free(plan);
}

/* ---- Quite another plan ---- */

static void add_ranked(ways *w, const csz_ranking *ranking, int64_t times)
{
    double count = figure(w->x->estimate, CSZ_ESTIMATE_BATCH_ACCELERATORS) * (double)times;
    for (size_t i = 0; i < csz_ranking_count(ranking); i++) {
        char change[sizeof w->list->change] = "";
        if (times > 1)
            (void)snprintf(change, sizeof change, "%s accelerators with ", text_count(count).text);
        name_change(w->x->plan, csz_ranking_plan_at(ranking, i), change + strlen(change),
                    sizeof change - strlen(change));
        (void)add_way(w, change, csz_ranking_estimate_at(ranking, i));
    }
}

/* The best plans on the same count or, where there is none, on the next that has some. */
static int add_plans(ways *w, csz_ranking *ranking, csz_cluster *cluster, csz_goal *goal)
{
    char stack[64];
    double count = figure(w->x->estimate, CSZ_ESTIMATE_BATCH_ACCELERATORS);
    csz_status status = csz_cluster_copy(cluster, w->x->cluster);
    (void)csz_goal_set_i64(goal, CSZ_GOAL_ROWS, WAYS_SHOWN);
    if (csz_plan_get_text(w->x->plan, CSZ_PLAN_STACK, stack, sizeof stack) > 0)
        (void)csz_goal_stack(goal, stack);
    for (int64_t times = 1; times <= MOST_TIMES && status == CSZ_OK; times *= 2) {
        (void)csz_cluster_set_f64(cluster, CSZ_CLUSTER_ACCELERATORS, count * (double)times);
        status = csz_ranking_select(ranking, w->a->workload, cluster, goal);
        if (status == CSZ_OK && csz_ranking_count(ranking) > 0) {
            add_ranked(w, ranking, times);
            break;
        }
    }
    /* A search needs rates, which may be missing. */
    return status == CSZ_ERR_MISSING ? 0 : check_ranking(w->a, ranking, status);
}

static int search_plans(ways *w)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_cluster *cluster = csz_cluster_new(NULL);
    csz_goal *goal = csz_goal_new(NULL);
    int result = ranking != NULL && cluster != NULL && goal != NULL
                     ? add_plans(w, ranking, cluster, goal)
                     : check_ranking(w->a, NULL, CSZ_ERR_NO_MEMORY);
    csz_ranking_free(ranking);
    csz_cluster_free(cluster);
    csz_goal_free(goal);
    return result;
}

int ways_find(ways *w)
{
    int result;
    w->count = 0;
    w->estimate = csz_estimate_new(NULL);
    if (w->estimate == NULL)
        return args_fail(w->a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    result = add_advice(w);
    if (result == 0)
        add_beside(w);
    if (result == 0 && w->count < WAYS_SHOWN)
        result = search_plans(w);
    csz_estimate_free(w->estimate);
    return result;
}
