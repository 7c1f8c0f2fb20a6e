#include "report.h"

#include <stdio.h>
#include <string.h>

#define GIB 1073741824.0

static const char *const called[] = {"does not fit", "tight", "fits"};
static const char *const kinds[] = {"none", "allocated", "reserved", "driver"};

void report_row(const verdict *v)
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

/* ---- Groups ---- */

static int in_source(const verdict *v, const char *name)
{
    return strcmp(v->source, name) == 0;
}

static int in_framework(const verdict *v, const char *name)
{
    return strcmp(v->framework, name) == 0;
}

static int in_task(const verdict *v, const char *name)
{
    return strcmp(v->task, name) == 0;
}

static int in_kind(const verdict *v, const char *name)
{
    return strcmp(kinds[v->kind], name) == 0;
}

static int in_all(const verdict *v, const char *name)
{
    (void)name;
    return v->id[0] != '\0' || name == NULL;
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

static const struct {
    const char *name;
    member of;
    const char *(*value)(const verdict *v);
} groupings[] = {{"source", in_source, source_of},
                 {"framework", in_framework, framework_of},
                 {"task", in_task, task_of},
                 {"kind", in_kind, kind_of}};

/* The first verdict of each value stands for it. */
static int is_first(const verdict *all, size_t i, member of, const char *name)
{
    for (size_t k = 0; k < i; k++)
        if (of(&all[k], name))
            return 0;
    return 1;
}

/* ---- Text ---- */

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

void report_text(const verdict *all, size_t count)
{
    summary s;

    for (size_t g = 0; g < sizeof groupings / sizeof *groupings; g++) {
        print_head(groupings[g].name);
        for (size_t i = 0; i < count; i++) {
            const char *name = groupings[g].value(&all[i]);
            if (is_first(all, i, groupings[g].of, name) &&
                summary_make(&s, all, count, groupings[g].of, name))
                print_line(name, &s);
        }
    }
    print_head("class");
    for (size_t i = 0; class_at(i) != NULL; i++)
        if (summary_make(&s, all, count, in_class, class_at(i)))
            print_line(class_at(i), &s);
    if (!summary_make(&s, all, count, in_all, ""))
        return;
    print_line("all", &s);
    printf("\nrows with a throughput: %zu do not fit, %zu tight, %zu fit, %zu refused\n", s.ran[0],
           s.ran[1], s.ran[2], s.refused);
    printf("tight among outcomes %.3f, Brier score of the fit %.3f\n", s.tight, s.brier);
}

/* ---- JSON ---- */

static void json_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        if ((unsigned char)*text >= ' ')
            putchar(*text);
    }
    putchar('"');
}

/* Figures that a group without a peak does not have. */
static void json_peaks(const summary *s)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {{"median_abs_log", s->median},
                   {"p90_abs_log", s->p90},
                   {"bias", s->bias},
                   {"in_band_80", s->in_band},
                   {"band_ratio_80", s->band_ratio}};

    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (s->judged > 0)
            printf(",\"%s\":%.5f", figures[i].name, figures[i].value);
        else
            printf(",\"%s\":null", figures[i].name);
}

/* Names and values of a group, without braces. peaks: the group whose peaks count. */
static void json_figures(const summary *s, const summary *peaks)
{
    size_t ran = s->ran[0] + s->ran[1] + s->ran[2];

    printf("\"rows\":%zu,\"judged\":%zu,\"peaks\":%zu", s->rows, s->judged, peaks->judged);
    json_peaks(peaks);
    printf(",\"oom_rows\":%zu,\"oom_called_fits\":%zu,\"runs\":%zu,\"runs_called_oom\":%.4f,"
           "\"runs_refused\":%zu,\"tight_share\":%.4f,\"fit_brier\":%.4f",
           s->outcomes[0][0] + s->outcomes[0][1] + s->outcomes[0][2], s->outcomes[0][2], ran,
           ran > 0 ? (double)s->ran[0] / (double)ran : 0, s->refused, s->tight, s->brier);
    printf(",\"confusion\":{\"oom\":{\"no\":%zu,\"tight\":%zu,\"fits\":%zu},"
           "\"ran\":{\"no\":%zu,\"tight\":%zu,\"fits\":%zu}}",
           s->outcomes[0][0], s->outcomes[0][1], s->outcomes[0][2], s->outcomes[1][0],
           s->outcomes[1][1], s->outcomes[1][2]);
}

static void json_group(const char *name, const summary *s, int first)
{
    printf("%s", first ? "" : ",");
    json_string(name);
    printf(":{");
    json_figures(s, s);
    printf("}");
}

static void json_grouping(const verdict *all, size_t count, size_t g)
{
    int first = 1;
    summary s;

    printf("%s\"%s\":{", g > 0 ? "," : "", groupings[g].name);
    for (size_t i = 0; i < count; i++) {
        const char *name = groupings[g].value(&all[i]);
        if (is_first(all, i, groupings[g].of, name) &&
            summary_make(&s, all, count, groupings[g].of, name)) {
            json_group(name, &s, first);
            first = 0;
        }
    }
    printf("}");
}

void report_json(const verdict *all, size_t count)
{
    summary s, headline;

    if (!summary_make(&s, all, count, in_all, "") ||
        !summary_make(&headline, all, count, in_class, "headline"))
        return;
    printf("{");
    json_figures(&s, &headline);
    printf(",\"by\":{");
    for (size_t g = 0; g < sizeof groupings / sizeof *groupings; g++)
        json_grouping(all, count, g);
    printf("},\"by_class\":{");
    for (size_t i = 0; class_at(i) != NULL; i++)
        if (summary_make(&s, all, count, in_class, class_at(i)))
            json_group(class_at(i), &s, i == 0);
    printf("}}\n");
}
