/* size.c: how many accelerators, on which plan, how long, how much. */
#include <math.h>
#include <stdio.h>

#include "commands.h"

/* How many counts below the answer are tried to say what stops them. */
#define COUNTS_BELOW 32

static double goal_value(const asked *a, csz_field field)
{
    double value = (double)NAN;
    return csz_goal_is_set(a->goal, field) && csz_goal_get_f64(a->goal, field, &value) == CSZ_OK
               ? value
               : (double)NAN;
}

/* ---- What binds ---- */

/* The nearest lower count that has a plan at all; 0 when none of those tried has. Leaves the plans
 * in ranking. */
static double count_below(asked *a, csz_ranking *ranking, double count)
{
    csz_cluster *cluster = csz_cluster_new(NULL);
    double per_node = 1, found = 0;
    if (cluster == NULL || csz_cluster_copy(cluster, a->cluster) != CSZ_OK) {
        csz_cluster_free(cluster);
        return 0;
    }
    (void)csz_cluster_get_f64(cluster, CSZ_CLUSTER_ACCELERATORS_PER_NODE, &per_node);
    for (int i = 1; i <= COUNTS_BELOW && found < 1 && count - i * per_node >= 1; i++) {
        (void)csz_cluster_set_f64(cluster, CSZ_CLUSTER_ACCELERATORS, count - i * per_node);
        if (csz_ranking_select(ranking, a->workload, cluster, a->goal) == CSZ_OK &&
            csz_ranking_count(ranking) > 0)
            found = count - i * per_node;
    }
    csz_cluster_free(cluster);
    return found;
}

static void say_goal(page *t, const asked *a, const char *mark)
{
    double deadline = goal_value(a, CSZ_GOAL_DEADLINE), budget = goal_value(a, CSZ_GOAL_BUDGET);
    if (!isnan(deadline))
        text_add(t, "the deadline of %s%s", text_unit(CSZ_UNIT_SECOND, deadline).text,
                 isnan(budget) ? mark : "");
    if (!isnan(budget))
        text_add(t, "%sthe budget of %s%s", isnan(deadline) ? "" : "and ",
                 text_unit(CSZ_UNIT_USD, budget).text, mark);
    if (isnan(deadline) && isnan(budget))
        text_add(t, "memory, the least count that fits%s", mark);
}

static void say_what_binds_size(page *t, asked *a, const answer *x)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    double count = figure(x->estimate, CSZ_ESTIMATE_BATCH_ACCELERATORS), below, minimum;
    if (ranking == NULL)
        return;
    minimum = goal_value(a, CSZ_GOAL_MINIMUM_ACCELERATORS);
    below = count_below(a, ranking, count);
    text_add(t, "Binds:");
    if (!isnan(minimum) && below < minimum) {
        text_add(t, "minimum_accelerators of %s.", text_count(minimum).text);
    } else {
        int takes = below > 0 && x->depth == CSZ_DEPTH_RUN, none = below < 1 && count > 1;
        say_goal(t, a, takes || none ? "" : ".");
        if (takes)
            text_add(t, "(%s would take %s).", text_count(below).text,
                     text_unit(CSZ_UNIT_SECOND,
                               figure(csz_ranking_estimate_at(ranking, 0), CSZ_ESTIMATE_RUN_TIME))
                         .text);
        else if (none)
            text_add(t, "(no plan on the counts just below).");
    }
    csz_ranking_free(ranking);
}

/* ---- The trade of count against days and dollars ---- */

static void say_counts(page *t, const csz_ranking *ranking, size_t first)
{
    size_t count = csz_ranking_count(ranking);
    text_open(t, "Counts");
    for (size_t i = first; i < count; i++) {
        const csz_estimate *e = csz_ranking_estimate_at(ranking, i);
        double time = figure(e, CSZ_ESTIMATE_RUN_TIME), cost = figure(e, CSZ_ESTIMATE_RUN_COST);
        text_phrase(
            t, "%s: %s%s%s%s%s", text_count(figure(e, CSZ_ESTIMATE_BATCH_ACCELERATORS)).text,
            isnan(time) ? text_time(figure(e, CSZ_ESTIMATE_STEP_TIME)).text
                        : text_short(CSZ_UNIT_SECOND, time).text,
            isnan(time) ? " a step" : "", isnan(cost) ? "" : " ",
            isnan(cost) ? "" : text_short(CSZ_UNIT_USD, cost).text, i + 1 < count ? ";" : "");
    }
    text_close(t);
}

/* ---- No count meets the goal ---- */

/* What misses the goal least is the fastest, or the cheapest when only money is short. */
static csz_field wanted(const asked *a)
{
    int money_only =
        csz_goal_is_set(a->goal, CSZ_GOAL_BUDGET) && !csz_goal_is_set(a->goal, CSZ_GOAL_DEADLINE);
    return money_only ? CSZ_ESTIMATE_RUN_COST : CSZ_ESTIMATE_RUN_TIME;
}

/* The entry with the least of that; -1 when there is none. */
static long nearest_miss(const csz_ranking *ranking, csz_field what)
{
    long best = -1;
    double least = (double)INFINITY;
    for (size_t i = 0; i < csz_ranking_count(ranking); i++) {
        double value = figure(csz_ranking_estimate_at(ranking, i), what);
        if (value < least) {
            least = value;
            best = (long)i;
        }
    }
    return best;
}

static int say_no_count(asked *a, const csz_ranking *ranking, answer *x)
{
    page t = {.limit = a->verbose ? 0 : TEXT_LINES};
    double most = 0;
    long entry = nearest_miss(ranking, wanted(a));
    size_t entries = csz_ranking_count(ranking);
    (void)csz_goal_get_f64(a->goal, CSZ_GOAL_MAXIMUM_ACCELERATORS, &most);
    text_open(&t, "");
    text_add(&t, "%s: no count up to %s meets", args_model_name(a).text, text_count(most).text);
    say_goal(&t, a, ".");
    text_close(&t);
    say_rejections(&t, ranking, 4);
    if (entries > 0)
        say_counts(&t, ranking, 0);
    if (entry < 0)
        return FITS_NOT;
    (void)answer_make(
        a, x, csz_ranking_plan_at(ranking, (size_t)entry),
        figure(csz_ranking_estimate_at(ranking, (size_t)entry), CSZ_ESTIMATE_BATCH_ACCELERATORS));
    if (x->estimate == NULL)
        return FITS_NOT;
    text_open(&t, "");
    text_add(&t, "%s",
             wanted(a) == CSZ_ESTIMATE_RUN_COST ? "The cheapest of those tried:"
                                                : "The fastest of those tried:");
    say_subject(&t, a, x, ",");
    say_run(&t, a, x);
    text_close(&t);
    say_plan(&t, x);
    say_memory(&t, x, a->verbose);
    say_step(&t, x);
    return FITS_NOT;
}

/* ---- The screen ---- */

static int say_size(asked *a, const csz_ranking *ranking, const answer *x,
                    const csz_calibration *profile)
{
    page t = {.limit = a->verbose || a->stages || a->explain ? 0 : TEXT_LINES};
    double deadline = goal_value(a, CSZ_GOAL_DEADLINE);
    int status;
    text_open(&t, "");
    say_subject(&t, a, x, ",");
    say_run(&t, a, x);
    say_fit(&t, x->estimate);
    say_what_binds_size(&t, a, x);
    text_close(&t);
    say_plan(&t, x);
    say_batch(&t, x);
    say_memory(&t, x, a->verbose);
    say_step(&t, x);
    say_band(&t, x->estimate);
    if (profile != NULL)
        say_profile(&t, a, x, profile);
    if (a->explain)
        say_explanation(&t, x->estimate);
    say_arithmetic(&t, x, isnan(deadline) ? figure(x->estimate, CSZ_ESTIMATE_RUN_TIME) : deadline);
    say_counts(&t, ranking, 1);
    status = say_near_plans(&t, a, x);
    if (a->verbose || a->stages)
        say_stages(&t, x->estimate);
    if (a->verbose) {
        say_rejections(&t, ranking, 0);
        say_rejection_table(&t, ranking);
        say_notes(&t, x->estimate);
    }
    return status == 0 ? say_assumptions(&t, a, x, WATCH_RUN) : status;
}

static int size_ranked(asked *a, csz_ranking *ranking, const csz_calibration *profile)
{
    double count = 0;
    answer x = {NULL, NULL, NULL, CSZ_DEPTH_MODEL};
    int status =
            check_ranking(a, ranking, csz_ranking_size(ranking, a->workload, a->cluster, a->goal)),
        met;
    if (status != 0)
        return status;
    met = csz_ranking_get_f64(ranking, CSZ_RANKING_ACCELERATORS, &count) == CSZ_OK;
    if (a->json)
        status = print_json(a, ranking_json(ranking));
    else if (!met)
        status = say_no_count(a, ranking, &x);
    else
        status = answer_make(a, &x, csz_ranking_plan_at(ranking, 0), count) == 0
                     ? say_size(a, ranking, &x, profile)
                     : BAD_INPUT;
    answer_free(&x);
    return status == 0 && !met ? FITS_NOT : status;
}

int run_size(asked *a)
{
    csz_calibration *profile = NULL;
    csz_ranking *ranking;
    int status;
    if (a->stated[CSZ_CLUSTER_ACCELERATORS] && a->job_file == NULL)
        return args_fail(a, CSZ_ERR_CONFLICT, CSZ_CLUSTER_ACCELERATORS,
                         "accelerators: is what size finds; bound it with --maximum-accelerators, "
                         "or use plan or fit");
    ranking = csz_ranking_new(NULL);
    status = ranking == NULL ? check_ranking(a, NULL, CSZ_ERR_NO_MEMORY) : limit_goal(a);
    if (status == 0 && a->profile_file != NULL) {
        profile = csz_calibration_new(NULL);
        status =
            profile == NULL ? check_ranking(a, NULL, CSZ_ERR_NO_MEMORY) : profile_apply(a, profile);
    }
    if (status == 0)
        status = size_ranked(a, ranking, profile);
    csz_calibration_free(profile);
    csz_ranking_free(ranking);
    return status;
}
