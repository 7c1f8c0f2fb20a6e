/* assumptions.c: the moves of moves.c in words: a flow of flags on one screen, a table with -v. */
#include "moves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static shown times(double ratio)
{
    shown w;
    (void)snprintf(w.text, sizeof w.text,
                   ratio >= 9.95    ? "%.0f"
                   : ratio >= 0.995 ? "%.3g"
                                    : "%.2f",
                   ratio);
    return w;
}

static shown span(const move *m)
{
    shown w;
    int down = m->low < 0.995;
    int up = m->high > 1.005;
    const char *end = m->of_cost ? m->unfit ? "x$!" : "x$" : m->unfit ? "x!" : "x";
    if (down && up)
        (void)snprintf(w.text, sizeof w.text, "%.10s-%.10s%s", times(m->low).text,
                       times(m->high).text, end);
    else if (!down && !up)
        (void)snprintf(w.text, sizeof w.text, "!");
    else
        (void)snprintf(w.text, sizeof w.text, "%.10s%s", times(down ? m->low : m->high).text, end);
    return w;
}

static void say_flow(page *t, const move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        shown flag = args_flag(moves[i].field), how = span(&moves[i]);
        int columns = (int)(strlen(flag.text) + strlen(how.text) + 2);
        /* The last line keeps room for the count of those left out. */
        if (!text_fits(t, i + 1 < count ? columns + 16 : columns)) {
            text_phrase(t, "%zu more: -v", count - i);
            break;
        }
        text_phrase(t, "%s %s%s", flag.text, how.text, i + 1 < count ? "," : "");
    }
    text_close(t);
}

static void say_table(page *t, const move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const move *m = &moves[i];
        text_open(t, " ");
        text_phrase(t, "%s", args_flag(m->field).text);
        if (m->now[0] != '\0')
            text_phrase(t, "(%s)", m->now);
        if (m->low < 1)
            text_phrase(t, "%sx at %s,", times(m->low).text, m->at_low);
        if (m->high > 1)
            text_phrase(t, "%sx at %s", times(m->high).text, m->at_high);
        if (m->of_cost)
            text_phrase(t, "(cost)");
        if (m->unfit)
            text_phrase(t, "(some value does not fit)");
        text_close(t);
    }
}

static void say_moves(page *t, const asked *a, const move *moves, size_t count, watched what)
{
    int unfit = 0, cost = 0;
    for (size_t i = 0; i < count; i++) {
        unfit |= moves[i].unfit;
        cost |= moves[i].of_cost;
    }
    text_open(t, "Assumed");
    text_add(t, "unstated; other values move %s by over 2%%%s%s:",
             what == WATCH_MEMORY ? "memory" : "time", cost ? " ($ cost)" : "",
             unfit ? " (! may not fit)" : "");
    if (count == 0)
        text_add(t, "none");
    if (a->verbose || count == 0)
        text_close(t);
    if (a->verbose)
        say_table(t, moves, count);
    else if (count > 0)
        say_flow(t, moves, count);
}

int say_assumptions(page *t, asked *a, const answer *x, watched what)
{
    trial r = {.a = a, .base = x, .what = what};
    move *moves = calloc(csz_field_count() + 1, sizeof *moves);
    int failed;
    r.workload = csz_workload_new(NULL);
    r.cluster = csz_cluster_new(NULL);
    r.plan = csz_plan_new(NULL);
    r.estimate = csz_estimate_new(NULL);
    failed = moves == NULL || r.workload == NULL || r.cluster == NULL || r.plan == NULL ||
             r.estimate == NULL;
    if (!failed)
        say_moves(t, a, moves, moves_find(&r, moves), what);
    csz_workload_free(r.workload);
    csz_cluster_free(r.cluster);
    csz_plan_free(r.plan);
    csz_estimate_free(r.estimate);
    free(moves);
    return failed ? args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory") : 0;
}
