/* plan.c: the best plans on a given count of accelerators, and why the others are not. */
#include <math.h>
#include <stdio.h>

#include "commands.h"

#define ROWS 5 /* with which all the rest is on the screen too */

static void say_head(page *t)
{
    text_line(t, "%2s %4s %4s %3s %3s %4s %6s %-10s %3s %-9s %6s %-5s %9s", "#", "tp", "pp", "vpp",
              "cp", "ep", "dp", "sharding", "mbs", "recompute", "GiB", "fit", "time");
}

/* Modules that are computed again beside what the field says. */
static int has_modules(const csz_plan *p)
{
    static const csz_field modules[] = {CSZ_PLAN_RECOMPUTE_NORM, CSZ_PLAN_RECOMPUTE_ACTIVATION,
                                        CSZ_PLAN_RECOMPUTE_LATENT, CSZ_PLAN_RECOMPUTE_MLP,
                                        CSZ_PLAN_RECOMPUTE_EXPERTS};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (plan_value(p, modules[i]) > 0)
            return 1;
    return 0;
}

static void say_row(page *t, const csz_ranking *ranking, size_t i)
{
    static const char *const verdicts[] = {"no", "tight", "yes"};
    const csz_plan *p = csz_ranking_plan_at(ranking, i);
    const csz_estimate *e = csz_ranking_estimate_at(ranking, i);
    double time = figure(e, CSZ_ESTIMATE_RUN_TIME);
    char sharding[24] = "", recompute[24] = "";
    (void)csz_plan_get_text(p, CSZ_PLAN_SHARDING, sharding, sizeof sharding);
    (void)csz_plan_get_text(p, CSZ_PLAN_RECOMPUTE, recompute, sizeof recompute);
    if (has_modules(p))
        (void)snprintf(recompute, sizeof recompute, "modules");
    text_line(
        t, "%2zu %4lld %4lld %3lld %3lld %4lld %6.0f %-10s %3lld %-9s %6s %-5s %9s", i + 1,
        (long long)plan_value(p, CSZ_PLAN_TENSOR_PARALLEL),
        (long long)plan_value(p, CSZ_PLAN_PIPELINE_PARALLEL),
        (long long)plan_value(p, CSZ_PLAN_VIRTUAL_PIPELINE),
        (long long)plan_value(p, CSZ_PLAN_CONTEXT_PARALLEL),
        (long long)plan_value(p, CSZ_PLAN_EXPERT_PARALLEL),
        figure(e, CSZ_ESTIMATE_BATCH_DATA_PARALLEL), sharding,
        (long long)plan_value(p, CSZ_PLAN_MICRO_BATCH), recompute,
        text_gib(figure(e, CSZ_ESTIMATE_MEMORY_TOTAL)).text,
        verdicts[(int)figure(e, CSZ_ESTIMATE_MEMORY_FIT)],
        text_unit(CSZ_UNIT_SECOND, isnan(time) ? figure(e, CSZ_ESTIMATE_STEP_TIME) : time).text);
}

static int say_plans(asked *a, const csz_ranking *ranking, const answer *x)
{
    page t = {.limit = a->verbose || a->stages || a->explain ? 0 : TEXT_LINES};
    text_open(&t, "");
    say_subject(&t, a, x, ",");
    say_run(&t, a, x);
    say_fit(&t, x->estimate);
    say_what_binds(&t, x);
    text_close(&t);
    say_head(&t);
    for (size_t i = 0; i < csz_ranking_count(ranking) && (a->verbose || i < ROWS); i++)
        say_row(&t, ranking, i);
    say_batch(&t, x);
    say_memory(&t, x, a->verbose);
    say_step(&t, x);
    say_band(&t, x->estimate);
    if (a->explain)
        say_explanation(&t, x->estimate);
    if (a->verbose || a->stages)
        say_stages(&t, x->estimate);
    say_rejections(&t, ranking, a->verbose ? 0 : 4);
    if (a->verbose) {
        say_rejection_table(&t, ranking);
        say_notes(&t, x->estimate);
    }
    return say_assumptions(&t, a, x, WATCH_RUN);
}

static int say_no_plan(asked *a, const csz_ranking *ranking)
{
    page t = {.limit = a->verbose ? 0 : TEXT_LINES};
    double count = 0;
    (void)csz_cluster_get_f64(a->cluster, CSZ_CLUSTER_ACCELERATORS, &count);
    text_open(&t, "");
    text_add(&t, "%s: no plan on %s accelerators.", args_model_name(a).text,
             text_count(count).text);
    text_close(&t);
    say_rejections(&t, ranking, 0);
    say_rejection_table(&t, ranking);
    return FITS_NOT;
}

static int plan_ranked(asked *a, csz_ranking *ranking)
{
    answer x = {NULL, NULL, NULL, CSZ_DEPTH_MODEL};
    int status = check_ranking(a, ranking,
                               csz_ranking_select(ranking, a->workload, a->cluster, a->goal)),
        found;
    if (status != 0)
        return status;
    found = csz_ranking_count(ranking) > 0;
    if (a->emit != NULL && found)
        return emit_ranked(a, ranking);
    if (a->json)
        status = print_json(a, ranking_json(ranking));
    else if (!found)
        status = say_no_plan(a, ranking);
    else
        status = answer_make(a, &x, csz_ranking_plan_at(ranking, 0), 0) == 0
                     ? say_plans(a, ranking, &x)
                     : BAD_INPUT;
    answer_free(&x);
    return status == 0 && !found ? FITS_NOT : status;
}

int run_plan(asked *a)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    int status = ranking == NULL ? check_ranking(a, NULL, CSZ_ERR_NO_MEMORY) : limit_goal(a);
    if (status == 0)
        status = limit_emitted(a);
    if (status == 0)
        status = plan_ranked(a, ranking);
    csz_ranking_free(ranking);
    return status;
}
