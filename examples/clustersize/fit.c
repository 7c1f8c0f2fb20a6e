/* fit.c: whether one given plan fits, and what would make it fit. */
#include <math.h>
#include <stdio.h>

#include "commands.h"

#define MOST_CHANGES 3

/* Without a count: what the degrees that were given multiply to. */
static void count_by_degrees(asked *a)
{
    static const csz_field degrees[] = {CSZ_PLAN_TENSOR_PARALLEL, CSZ_PLAN_PIPELINE_PARALLEL,
                                        CSZ_PLAN_CONTEXT_PARALLEL, CSZ_PLAN_DATA_PARALLEL};
    double count = 1;
    if (csz_cluster_is_set(a->cluster, CSZ_CLUSTER_ACCELERATORS))
        return;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
        if (csz_plan_is_set(a->plan, degrees[i]))
            count *= (double)plan_value(a->plan, degrees[i]);
    (void)csz_cluster_set_f64(a->cluster, CSZ_CLUSTER_ACCELERATORS, count);
}

static void say_change(page *t, const answer *x, const csz_plan *plan, const csz_estimate *e)
{
    double faster =
        figure(e, CSZ_ESTIMATE_STEP_TIME) / figure(x->estimate, CSZ_ESTIMATE_STEP_TIME) - 1;
    text_open(t, "Fits by");
    for (size_t i = 0; i < plan_fields_count; i++)
        if (plan_fields[i] != CSZ_PLAN_STACK &&
            plan_value(plan, plan_fields[i]) != plan_value(x->plan, plan_fields[i]))
            text_phrase(t, "%s,", plan_phrase(plan, plan_fields[i]).text);
    text_phrase(t, "%.1f GiB", figure(e, CSZ_ESTIMATE_MEMORY_TOTAL) / 1073741824.0);
    if (!isnan(faster))
        text_phrase(t, "(step %+.1f%%)", 100 * faster);
    text_phrase(t, "chance %s", text_chance(figure(e, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY)).text);
    text_close(t);
}

static int say_changes(page *t, asked *a, const answer *x)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_status status = CSZ_ERR_NO_MEMORY;
    int result;
    if (ranking != NULL)
        status = csz_ranking_advise(ranking, a->workload, x->cluster, x->plan);
    /* Advice is ordered by time, for which a bare memory size does not say enough. */
    result = status == CSZ_ERR_MISSING ? 0 : check_ranking(a, ranking, status);
    for (size_t i = 0;
         result == 0 && i < csz_ranking_count(ranking) && (a->verbose || i < MOST_CHANGES); i++)
        say_change(t, x, csz_ranking_plan_at(ranking, i), csz_ranking_estimate_at(ranking, i));
    if (status == CSZ_OK && csz_ranking_count(ranking) == 0) {
        text_open(t, "Fits by");
        text_add(t, "no single change of this plan; `clustersize plan` searches all plans on these "
                    "accelerators");
        text_close(t);
    }
    csz_ranking_free(ranking);
    return result;
}

static int say_fit_screen(asked *a, const answer *x)
{
    page t = {.limit = a->verbose ? 0 : TEXT_LINES};
    int status = 0;
    text_open(&t, "");
    say_subject(&t, a, x, ".");
    say_fit(&t, x->estimate);
    say_what_binds(&t, x);
    if (x->depth == CSZ_DEPTH_RUN) {
        text_add(&t, "The run:");
        say_run(&t, a, x);
    }
    text_close(&t);
    say_plan(&t, x);
    say_batch(&t, x);
    say_memory(&t, x, 1);
    say_step(&t, x);
    if (figure(x->estimate, CSZ_ESTIMATE_MEMORY_FIT) < 0.5)
        status = say_changes(&t, a, x);
    if (a->verbose) {
        say_stages(&t, x->estimate);
        say_notes(&t, x->estimate);
    }
    return status == 0 ? say_assumptions(&t, a, x, WATCH_MEMORY) : status;
}

int run_fit(asked *a)
{
    answer x = {NULL, NULL, NULL, CSZ_DEPTH_MODEL};
    int status, fits;
    count_by_degrees(a);
    status = answer_make(a, &x, a->plan, 0);
    if (status == 0)
        status = a->json ? print_json(a, estimate_json(x.estimate)) : say_fit_screen(a, &x);
    fits = status == 0 && figure(x.estimate, CSZ_ESTIMATE_MEMORY_FIT) > 0.5;
    answer_free(&x);
    return status != 0 ? status : fits ? FITS : FITS_NOT;
}
