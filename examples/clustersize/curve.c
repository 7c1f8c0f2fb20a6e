/* curve.c: what more accelerators bring, and what a day saved costs. */
#include <math.h>

#include "project.h"

static void say_mark(page *t, const csz_projection *p, csz_field field, const char *what)
{
    double count = projected(p, field, 0);
    if (!isnan(count))
        text_phrase(t, "%s %s.", what, text_count(count).text);
}

static const csz_estimate *fastest_of(const csz_ranking *ranking)
{
    const csz_estimate *best = NULL;
    for (size_t i = 0; i < csz_ranking_count(ranking); i++) {
        const csz_estimate *e = csz_ranking_estimate_at(ranking, i);
        if (best == NULL || figure(e, CSZ_ESTIMATE_RUN_TIME) < figure(best, CSZ_ESTIMATE_RUN_TIME))
            best = e;
    }
    return best;
}

/* What keeps the fastest count from being faster: the batch where every replica has one sequence,
 * and the largest loss of its step. */
static void say_what_sets_floor(page *t, const csz_ranking *ranking)
{
    static const struct {
        csz_field field;
        const char *what;
    } losses[] = {{CSZ_ESTIMATE_STEP_BUBBLE, "the pipeline's bubble"},
                  {CSZ_ESTIMATE_STEP_IMBALANCE, "the slowest stage"},
                  {CSZ_ESTIMATE_STEP_DATA_TRAFFIC, "data-parallel traffic"},
                  {CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC, "tensor-parallel traffic"},
                  {CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC, "context-parallel traffic"},
                  {CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC, "expert traffic"},
                  {CSZ_ESTIMATE_STEP_HOST, "the host"}};
    const csz_estimate *e = fastest_of(ranking);
    double step = figure(e, CSZ_ESTIMATE_STEP_TIME), most = 0;
    const char *what = "";
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        double part = figure(e, losses[i].field);
        if (part > most) {
            most = part;
            what = losses[i].what;
        }
    }
    if (figure(e, CSZ_ESTIMATE_BATCH_MICRO_BATCHES) < 1.5)
        text_add(t, "The batch sets it: each replica has one micro-batch a step.");
    if (most > 0)
        text_add(t, "Its step loses most to %s (%.0f%%).", what, 100 * most / step);
}

/* What no count meets: the floor, and what sets it. 1 when there is such a thing. */
static int say_floor(page *t, const asked *a, const csz_projection *p, const csz_ranking *ranking)
{
    double deadline = 0, budget = 0, least = projected(p, CSZ_PROJECTION_LEAST_TIME, 0),
           cost = projected(p, CSZ_PROJECTION_LEAST_COST, 0);
    int late, poor;
    (void)csz_goal_get_f64(a->goal, CSZ_GOAL_DEADLINE, &deadline);
    (void)csz_goal_get_f64(a->goal, CSZ_GOAL_BUDGET, &budget);
    late = csz_goal_is_set(a->goal, CSZ_GOAL_DEADLINE) && least > deadline;
    poor = csz_goal_is_set(a->goal, CSZ_GOAL_BUDGET) && cost > budget;
    if (late) {
        text_add(t, "Too late at any count: the least time is %s.",
                 text_unit(CSZ_UNIT_SECOND, least).text);
        say_what_sets_floor(t, ranking);
    }
    if (poor)
        text_add(t, "Too dear at any count: the least cost is %s.", text_money(cost).text);
    return late || poor;
}

static void say_points(page *t, const csz_projection *p)
{
    text_line(t, "%12s %9s %9s %6s %7s %11s %11s", "accelerators", "run", "cost", "MFU", "scaling",
              "extra hours", "a day saved");
    for (size_t i = 0; i < csz_projection_count(p, CSZ_PROJECTION_POINT_TIME); i++) {
        double cost = projected(p, CSZ_PROJECTION_POINT_COST, i),
               extra = projected(p, CSZ_PROJECTION_POINT_EXTRA_HOURS, i),
               day = projected(p, CSZ_PROJECTION_POINT_PER_DAY, i);
        text_line(t, "%12s %9s %9s %5.1f%% %6.1f%% %11s %11s",
                  text_count(projected(p, CSZ_PROJECTION_POINT_ACCELERATORS, i)).text,
                  text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_POINT_TIME, i)).text,
                  isnan(cost) ? "" : text_money(cost).text,
                  100 * projected(p, CSZ_PROJECTION_POINT_MFU, i),
                  100 * projected(p, CSZ_PROJECTION_POINT_EFFICIENCY, i),
                  isnan(extra) ? "-" : text_count(extra).text,
                  isnan(day) ? "-" : text_money(day).text);
    }
}

static int is_batch_stated(const asked *a)
{
    return csz_workload_is_set(a->workload, CSZ_WORKLOAD_GLOBAL_BATCH) ||
           csz_workload_is_set(a->workload, CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS);
}

/* The same curve on another batch; the projection and the ranking are a caller's room. */
static void say_batch_of(page *t, const asked *a, double batch, csz_ranking *ranking,
                         csz_projection *p)
{
    csz_workload *workload = csz_workload_new(NULL);
    if (workload != NULL && csz_workload_copy(workload, a->workload) == CSZ_OK &&
        csz_workload_set_f64(workload, CSZ_WORKLOAD_GLOBAL_BATCH, floor(batch)) == CSZ_OK &&
        csz_ranking_curve(ranking, workload, a->cluster, a->goal) == CSZ_OK &&
        csz_projection_curve(p, ranking, a->cluster, a->goal) == CSZ_OK) {
        text_phrase(t, "with %s:", text_count(floor(batch)).text);
        text_phrase(t, "least time %s,",
                    text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_LEAST_TIME, 0)).text);
        text_phrase(t, "fastest %s.", text_count(projected(p, CSZ_PROJECTION_FASTEST, 0)).text);
    }
    csz_workload_free(workload);
}

/* A batch that nobody stated is that of published runs of the size: it bounds the replicas, so the
 * answer at half and at double stands beside it. */
static void say_assumed_batch(page *t, const asked *a, double batch)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_projection *p = csz_projection_new(NULL);
    if (ranking != NULL && p != NULL && !is_batch_stated(a)) {
        text_open(t, "Assumed");
        text_add(t, "a global batch of %s sequences, as published runs of the size had;",
                 text_count(batch).text);
        say_batch_of(t, a, batch / 2, ranking, p);
        say_batch_of(t, a, batch * 2, ranking, p);
        text_close(t);
    }
    csz_projection_free(p);
    csz_ranking_free(ranking);
}

static int say_curve(asked *a, const csz_projection *p, const csz_ranking *ranking)
{
    page t = {0};
    const csz_estimate *first = csz_ranking_estimate_at(ranking, 0);
    int missed;
    text_open(&t, "");
    text_add(&t, "%s: global batch %s sequences.", args_model_name(a).text,
             text_count(figure(first, CSZ_ESTIMATE_BATCH_SEQUENCES)).text);
    say_mark(&t, p, CSZ_PROJECTION_KNEE, "Knee");
    say_mark(&t, p, CSZ_PROJECTION_CHEAPEST, "Cheapest");
    say_mark(&t, p, CSZ_PROJECTION_FASTEST,
             csz_goal_is_set(a->goal, CSZ_GOAL_BUDGET) ? "Fastest within the budget" : "Fastest");
    say_mark(&t, p, CSZ_PROJECTION_IN_TIME, "Cheapest in time");
    missed = say_floor(&t, a, p, ranking);
    text_close(&t);
    say_assumed_batch(&t, a, figure(first, CSZ_ESTIMATE_BATCH_SEQUENCES));
    say_points(&t, p);
    return missed ? FITS_NOT : 0;
}

static int curve(asked *a, csz_ranking *ranking, csz_projection *p)
{
    int status =
        check_ranking(a, ranking, csz_ranking_curve(ranking, a->workload, a->cluster, a->goal));
    if (status != 0)
        return status;
    if (csz_ranking_count(ranking) == 0)
        return args_fail(a, CSZ_ERR_CONFLICT, CSZ_GOAL_MAXIMUM_ACCELERATORS,
                         "maximum_accelerators: no count up to it has a plan that fits");
    status = check_projection(a, p, csz_projection_curve(p, ranking, a->cluster, a->goal));
    if (status != 0)
        return status;
    return a->json ? print_projection(a, p) : say_curve(a, p, ranking);
}

int run_curve(asked *a)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_projection *p = csz_projection_new(NULL);
    int status =
        ranking == NULL || p == NULL ? check_projection(a, NULL, CSZ_ERR_NO_MEMORY) : limit_goal(a);
    if (status == 0)
        status = curve(a, ranking, p);
    csz_ranking_free(ranking);
    csz_projection_free(p);
    return status;
}
