/* near.c: plans at the same count that take hardly longer, and what each trades for it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"

#define ROWS 100  /* of the ranking that is searched */
#define NEAR 1.05 /* of the best time */
#define MOST_NEAR 2
#define PHRASES 16   /* more than fields of a plan that are compared */
#define AS_FAST 1.01 /* a slower plan must be better in something */

static double time_of(const csz_estimate *e)
{
    double time = figure(e, CSZ_ESTIMATE_RUN_TIME);
    return isnan(time) ? figure(e, CSZ_ESTIMATE_STEP_TIME) : time;
}

/* Whether an engineer would call it another plan. */
static int differs(const csz_plan *p, const csz_plan *q)
{
    for (size_t i = 0; i < plan_fields_count; i++)
        if (plan_fields[i] <= CSZ_PLAN_RECOMPUTE && plan_fields[i] != CSZ_PLAN_VIRTUAL_PIPELINE &&
            plan_value(p, plan_fields[i]) != plan_value(q, plan_fields[i]))
            return 1;
    return 0;
}

/* Kinds of parallelism beside data parallelism: fewer are easier to run. */
static double kinds_of(const csz_plan *p)
{
    double kinds = 0;
    for (csz_field f = CSZ_PLAN_TENSOR_PARALLEL; f <= CSZ_PLAN_EXPERT_TENSOR_PARALLEL;
         f = (csz_field)(f + 1))
        kinds += plan_value(p, f) > 1;
    return kinds;
}

/* What a candidate is liked for, the least first: time, memory, simplicity. */
static double merit(const csz_ranking *ranking, size_t i, int aspect)
{
    const csz_estimate *e = csz_ranking_estimate_at(ranking, i);
    if (aspect == 0)
        return time_of(e);
    if (aspect == 1)
        return figure(e, CSZ_ESTIMATE_MEMORY_TOTAL);
    return kinds_of(csz_ranking_plan_at(ranking, i)) + time_of(e) / 1e12;
}

/* Whether a plan is as fast, or gives something for its time. */
static int trades(const csz_plan *plan, const csz_estimate *e, const answer *x)
{
    return time_of(e) < AS_FAST * time_of(x->estimate) || kinds_of(plan) < kinds_of(x->plan) ||
           figure(e, CSZ_ESTIMATE_MEMORY_TOTAL) <
               0.99 * figure(x->estimate, CSZ_ESTIMATE_MEMORY_TOTAL);
}

/* The entry of the ranking that is best in one aspect and not yet chosen; -1 when there is none. */
static long best_by(const csz_ranking *ranking, const answer *x, int aspect, const long *chosen,
                    int count)
{
    long best = -1;
    for (size_t i = 0; i < csz_ranking_count(ranking); i++) {
        const csz_plan *plan = csz_ranking_plan_at(ranking, i);
        int known = !differs(plan, x->plan) || (aspect == 2 && kinds_of(plan) >= kinds_of(x->plan));
        if (time_of(csz_ranking_estimate_at(ranking, i)) > NEAR * time_of(x->estimate) ||
            !trades(plan, csz_ranking_estimate_at(ranking, i), x))
            continue;
        for (int k = 0; k < count; k++)
            known |= !differs(plan, csz_ranking_plan_at(ranking, (size_t)chosen[k]));
        if (!known &&
            (best < 0 || merit(ranking, i, aspect) < merit(ranking, (size_t)best, aspect)))
            best = (long)i;
    }
    return best;
}

/* The fields in which a plan differs, and a colon. */
static void say_changed(page *t, const answer *x, const csz_plan *plan, double dp)
{
    shown phrases[PHRASES];
    size_t count = 0;
    for (size_t i = 0; i < plan_fields_count && plan_fields[i] <= CSZ_PLAN_RECOMPUTE; i++)
        if (plan_value(plan, plan_fields[i]) != plan_value(x->plan, plan_fields[i]))
            phrases[count++] = plan_phrase(plan, plan_fields[i]);
    if (fabs(dp - figure(x->estimate, CSZ_ESTIMATE_BATCH_DATA_PARALLEL)) > 0.5)
        (void)snprintf(phrases[count++].text, sizeof phrases->text, "dp %.0f", dp);
    for (size_t i = 0; i < count; i++)
        text_phrase(t, "%s%s", phrases[i].text, i + 1 < count ? "," : ":");
}

static void say_trade(page *t, const answer *x, const csz_plan *plan, const csz_estimate *e,
                      int first)
{
    double slower = time_of(e) / time_of(x->estimate) - 1;
    double more =
        figure(e, CSZ_ESTIMATE_MEMORY_TOTAL) - figure(x->estimate, CSZ_ESTIMATE_MEMORY_TOTAL);
    double dp = figure(e, CSZ_ESTIMATE_BATCH_DATA_PARALLEL);
    text_open(t, first ? "Near" : " ");
    say_changed(t, x, plan, dp);
    if (fabs(slower) < 0.0005)
        text_phrase(t, "as fast,");
    else
        text_phrase(t, "%.1f%% %s,", 100 * fabs(slower), slower < 0 ? "faster" : "slower");
    if (fabs(more) < LEAST_GIB)
        text_phrase(t, "as much memory");
    else
        text_phrase(t, "%s GiB %s", text_gib(fabs(more)).text, more < 0 ? "less" : "more");
    if (kinds_of(plan) < kinds_of(x->plan))
        text_phrase(t, "and fewer kinds of parallelism");
    if (figure(e, CSZ_ESTIMATE_MEMORY_FIT) < 1.5)
        text_phrase(t, "(tight)");
    text_close(t);
}

int say_near_plans(page *t, asked *a, const answer *x)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_goal *goal = csz_goal_new(NULL);
    csz_status status = CSZ_ERR_NO_MEMORY;
    long chosen[MOST_NEAR];
    int count = 0, result;
    if (ranking != NULL && goal != NULL && csz_goal_copy(goal, a->goal) == CSZ_OK) {
        (void)csz_goal_set_i64(goal, CSZ_GOAL_ROWS, ROWS);
        status = csz_ranking_select(ranking, a->workload, x->cluster, goal);
    }
    result = check_ranking(a, ranking, status);
    for (int aspect = 0; aspect < MOST_NEAR && result == 0; aspect++) {
        long entry = best_by(ranking, x, aspect, chosen, count);
        if (entry < 0 && aspect > 0)
            entry = best_by(ranking, x, 0, chosen, count);
        if (entry >= 0)
            chosen[count++] = entry;
    }
    for (int i = 0; i < count; i++)
        say_trade(t, x, csz_ranking_plan_at(ranking, (size_t)chosen[i]),
                  csz_ranking_estimate_at(ranking, (size_t)chosen[i]), i == 0);
    if (count == 0 && result == 0) {
        text_open(t, "Near");
        text_add(t, "no other plan is within 5%% and gives something for it");
        text_close(t);
    }
    csz_goal_free(goal);
    csz_ranking_free(ranking);
    return result;
}
