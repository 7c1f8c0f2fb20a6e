/* fit.c: whether one given plan fits, and what would make it fit. */
#include <math.h>
#include <stdlib.h>

#include "commands.h"
#include "ways.h"

#define FIT_LINES 40 /* of its screen, which has the memory as a table */

void count_by_degrees(asked *a)
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

static void say_way(page *t, const way *w, int first)
{
    text_open(t, first ? "Fits by" : " ");
    text_add(t, "%s", w->change);
    text_phrase(t, "%s %s GiB,", w->saves < 0 ? "takes" : "saves", text_gib(fabs(w->saves)).text);
    if (!isnan(w->step))
        text_phrase(t, "step %+.1f%%,", 100 * (w->step - 1));
    text_phrase(t, "chance %s", text_chance(w->chance).text);
    text_close(t);
}

static int say_ways(page *t, asked *a, const answer *x)
{
    ways *w = calloc(1, sizeof *w);
    int status;
    if (w == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    w->a = a;
    w->x = x;
    status = ways_find(w);
    for (size_t i = 0; status == 0 && i < w->count && (a->verbose || i < WAYS_SHOWN); i++)
        say_way(t, &w->list[i], i == 0);
    if (status == 0 && w->count == 0) {
        text_open(t, "Fits by");
        text_add(t, "no plan on up to %d times the accelerators", MOST_TIMES);
        text_close(t);
    }
    free(w);
    return status;
}

static int say_fit_screen(asked *a, const answer *x)
{
    page t = {.limit = a->verbose || a->stages || a->explain ? 0 : FIT_LINES};
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
    say_memory_table(&t, x);
    if (a->verbose || a->stages)
        say_stages(&t, x->estimate);
    say_step(&t, x);
    say_band(&t, x->estimate);
    if (a->explain)
        say_explanation(&t, x->estimate);
    if (!estimate_fits(x->estimate))
        status = say_ways(&t, a, x);
    if (a->verbose)
        say_notes(&t, x->estimate);
    return status == 0 ? say_assumptions(&t, a, x, WATCH_MEMORY) : status;
}

int run_fit(asked *a)
{
    answer x = {NULL, NULL, NULL, CSZ_DEPTH_MODEL};
    int status, fits;
    count_by_degrees(a);
    status = answer_make(a, &x, a->plan, 0);
    if (status == 0 && a->emit != NULL)
        status = emit_plan(a, &x);
    else if (status == 0)
        status = a->json ? print_json(a, estimate_json(x.estimate)) : say_fit_screen(a, &x);
    fits = status == 0 && estimate_fits(x.estimate);
    answer_free(&x);
    return status != 0 ? status : fits ? FITS : FITS_NOT;
}
