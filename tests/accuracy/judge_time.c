/* judge_time.c: predicted against measured time of a training step; see judge.h.
 *
 * ROWS are CSV files with the columns of time_rows.csv, as many as a file has. A line gives id,
 * low, likely and high in seconds, the measured step, predicted over measured and the largest part
 * of the predicted step; then what was filled. A throughput is compared as the time of the tokens
 * asked. The band is one of 80%; that of 95% has the same two sides, stretched by 1.96 / 1.2816 in
 * logarithms. Rows that leave an essential setting open are "partial", outside of the headline; so
 * is the grid of vTrain. The table by source has all rows, the others those of the headline.
 * --ranking tells how well the plans of a problem are ordered. The recorded figures are written by
 *
 *     judge-time --summary --record tests/accuracy/time_recorded.txt tests/accuracy/time_rows.csv
 */
#include "judge.h"
#include "step_time.h"

#include <stdio.h>
#include <string.h>

static void print_row(const verdict *v)
{
    printf("%-8s", v->id);
    if (v->why[0] != '\0')
        printf(" %s: %s", v->refused ? "refused" : "skipped", v->why);
    else
        printf(" %9.4g %9.4g %9.4g %9.4g %6.3f %s%s", v->low, v->likely, v->high, v->measured,
               v->likely / v->measured, v->largest, v->full ? "" : " partial");
    if (v->filled[0] != '\0')
        printf(" [filled: %s]", v->filled);
    printf("\n");
}

/* ---- Groups ---- */

static const char *source_of(const verdict *v)
{
    return v->source;
}

static const char *framework_of(const verdict *v)
{
    return is_headline_time(v) ? v->framework : NULL;
}

static const char *accelerator_of(const verdict *v)
{
    return is_headline_time(v) ? v->accelerator : NULL;
}

static const char *precision_of(const verdict *v)
{
    return is_headline_time(v) ? v->precision : NULL;
}

static const char *model_of(const verdict *v)
{
    return !is_headline_time(v) ? NULL : v->mixture ? "moe" : "dense";
}

static const char *plan_of(const verdict *v)
{
    return is_headline_time(v) ? v->plan : NULL;
}

static const char *stack_of(const verdict *v)
{
    return is_headline_time(v) ? v->stack : NULL;
}

static const grouping groupings[] = {{"source", source_of},
                                     {"framework", framework_of},
                                     {"accelerator", accelerator_of},
                                     {"precision", precision_of},
                                     {"model", model_of},
                                     {"plan", plan_of},
                                     {"stack", stack_of},
                                     {NULL, NULL}};

/* ---- Tables ---- */

static void print_head(const char *what)
{
    printf("\n%-40s %5s %6s %7s %6s %6s %6s %6s %6s %6s\n", what, "rows", "judged", "configs",
           "median", "mean", "p90", "bias", "in 80%", "in 95%");
}

static void print_line(const char *name, const summary *s)
{
    printf("%-40.40s %5zu %6zu %7zu", name, s->rows, s->judged, s->setups);
    if (s->judged > 0)
        printf(" %6.3f %6.3f %6.3f %+6.3f %5.0f%% %5.0f%%", s->median, s->mean, s->p90, s->bias,
               100 * s->in_band, 100 * s->in_band_95);
    printf("\n");
}

static void print_foot(const summary *s)
{
    printf("\nrows whose plan is refused: %zu\n", s->refused);
}

static void print_json(const summary *s, const summary *errors)
{
    int known = errors->judged > 0;

    printf("\"rows\":%zu,\"judged\":%zu,\"weighed\":%zu,\"configurations\":%zu", s->rows, s->judged,
           errors->judged, errors->setups);
    report_figure("median_abs_log", errors->median, known);
    report_figure("mean_abs_log", errors->mean, known);
    report_figure("p90_abs_log", errors->p90, known);
    report_figure("bias", errors->bias, known);
    report_figure("in_band_80", errors->in_band, known);
    report_figure("in_band_95", errors->in_band_95, known);
    report_figure("band_ratio_80", errors->band_ratio, known);
}

static void record(const summary *all, const summary *headline, visit call, void *user)
{
    call(user, "headline.in_band_80", headline->in_band, NEAR);
    call(user, "headline.in_band_95", headline->in_band_95, NEAR);
    call(user, "rows", (double)all->rows, EQUAL);
    call(user, "judged", (double)all->judged, EQUAL);
    call(user, "refused", (double)all->refused, AT_MOST);
}

static const judge step = {
    .name = "judge-time",
    .make = verdict_time,
    .print = print_row,
    .groupings = groupings,
    .classes = time_classes,
    .head = print_head,
    .line = print_line,
    .foot = print_foot,
    .json = print_json,
    .record = record,
    .ranking = ranking_print,
};

int main(int argc, char **argv)
{
    return judge_main(&step, argc, argv);
}
