/* judge_memory.c: predicted against measured memory; see judge.h.
 *
 * ROWS are CSV files with the columns of memory_rows.csv, as many as a file has. A line gives id,
 * low, likely and high in GiB of what was read, the reading and predicted over measured; then
 * whether it ran and what the library says of that. The recorded figures are written by
 *
 *     judge-memory --summary --record tests/accuracy/memory_recorded.txt \
 *         tests/accuracy/memory_rows.csv
 */
#include "judge.h"
#include "memory.h"

#include <stdio.h>

#define GIB 1073741824.0

static const char *const called[] = {"does not fit", "tight", "fits"};
static const char *const kinds[] = {"none", "allocated", "reserved", "driver"};

static void print_row(const verdict *v)
{
    printf("%-8s", v->id);
    if (v->why[0] != '\0') {
        printf(" %s: %s", v->refused ? "refused" : "skipped", v->why);
    } else {
        printf(" %8.3f %8.3f %8.3f", v->low / GIB, v->likely / GIB, v->high / GIB);
        if (v->judged)
            printf(" %-9s %8.3f %6.3f", kinds[v->kind], v->measured / GIB, v->likely / v->measured);
        else
            printf(" %-9s %8s %6s", "total", "-", "-");
        if (v->known)
            printf(" %s: %s %.2f", v->fits ? "ran" : "OOM", called[v->called], v->probability);
        if (!v->full)
            printf(" partial");
    }
    if (v->filled[0] != '\0')
        printf(" [filled: %s]", v->filled);
    printf("\n");
}

static const char *source_of(const verdict *v)
{
    return v->source;
}

static const char *framework_of(const verdict *v)
{
    return v->framework;
}

static const char *task_of(const verdict *v)
{
    return v->task;
}

static const char *kind_of(const verdict *v)
{
    return kinds[v->kind];
}

static void print_line(const char *name, const summary *s)
{
    printf("%-40.40s %5zu %5zu", name, s->rows, s->judged);
    if (s->judged > 0)
        printf(" %6.3f %6.3f %+6.3f %5.0f%% %5.2f", s->median, s->p90, s->bias, 100 * s->in_band,
               s->band_ratio);
    else
        printf(" %6s %6s %6s %6s %5s", "-", "-", "-", "-", "-");
    printf("   %zu/%zu/%zu %zu/%zu/%zu\n", s->outcomes[0][0], s->outcomes[0][1], s->outcomes[0][2],
           s->outcomes[1][0], s->outcomes[1][1], s->outcomes[1][2]);
}

static void print_head(const char *what)
{
    printf("\n%-40s %5s %5s %6s %6s %6s %6s %5s   %s\n", what, "rows", "peaks", "median", "p90",
           "bias", "inside", "band", "OOM, ran: no/tight/fits (full settings)");
}

static void print_foot(const summary *s)
{
    printf("\nrows with a throughput: %zu do not fit, %zu tight, %zu fit, %zu refused\n", s->ran[0],
           s->ran[1], s->ran[2], s->refused);
    printf("tight among outcomes %.3f, Brier score of the fit %.3f\n", s->tight, s->brier);
}

static void json_figures(const summary *s, const summary *peaks)
{
    int known = peaks->judged > 0;
    size_t ran = s->ran[0] + s->ran[1] + s->ran[2];

    printf("\"rows\":%zu,\"judged\":%zu,\"peaks\":%zu", s->rows, s->judged, peaks->judged);
    report_figure("median_abs_log", peaks->median, known);
    report_figure("p90_abs_log", peaks->p90, known);
    report_figure("bias", peaks->bias, known);
    report_figure("in_band_80", peaks->in_band, known);
    report_figure("band_ratio_80", peaks->band_ratio, known);
    printf(",\"oom_rows\":%zu,\"oom_called_fits\":%zu,\"runs\":%zu,\"runs_called_oom\":%.4f,"
           "\"runs_refused\":%zu,\"tight_share\":%.4f,\"fit_brier\":%.4f",
           s->outcomes[0][0] + s->outcomes[0][1] + s->outcomes[0][2], s->outcomes[0][2], ran,
           ran > 0 ? (double)s->ran[0] / (double)ran : 0, s->refused, s->tight, s->brier);
    printf(",\"confusion\":{\"oom\":{\"no\":%zu,\"tight\":%zu,\"fits\":%zu},"
           "\"ran\":{\"no\":%zu,\"tight\":%zu,\"fits\":%zu}}",
           s->outcomes[0][0], s->outcomes[0][1], s->outcomes[0][2], s->outcomes[1][0],
           s->outcomes[1][1], s->outcomes[1][2]);
}

static double share(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void record(const summary *all, const summary *headline, visit call, void *user)
{
    const size_t *ran = all->ran;

    call(user, "headline.in_band", headline->in_band, NEAR);
    call(user, "headline.band_ratio", headline->band_ratio, NEAR);
    call(user, "rows", (double)all->rows, EQUAL);
    call(user, "judged", (double)all->judged, EQUAL);
    call(user, "oom_called_fits", (double)all->outcomes[0][CSZ_FIT_YES], AT_MOST);
    call(user, "runs_called_oom", share(ran[CSZ_FIT_NO], ran[0] + ran[1] + ran[2]), AT_MOST);
    call(user, "runs_refused", (double)all->refused, AT_MOST);
    call(user, "tight_share", all->tight, AT_MOST);
    call(user, "fit_brier", all->brier, AT_MOST);
}

static const grouping groupings[] = {{"source", source_of},
                                     {"framework", framework_of},
                                     {"task", task_of},
                                     {"kind", kind_of},
                                     {NULL, NULL}};

static const judge memory = {
    .name = "judge-memory",
    .make = verdict_memory,
    .print = print_row,
    .groupings = groupings,
    .classes = memory_classes,
    .head = print_head,
    .line = print_line,
    .foot = print_foot,
    .json = json_figures,
    .record = record,
};

int main(int argc, char **argv)
{
    return judge_main(&memory, argc, argv);
}
