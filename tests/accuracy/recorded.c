#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 0.0005 /* half of the last digit written, and as much for another libm */
#define NEARNESS 0.01   /* of what may be on either side: a reading or two at the edge of a band */
#define MOST 128        /* lines of a file */

/* How a figure may differ from the recorded one. */
typedef enum bound {
    AT_MOST, /* the smaller, the better */
    NEAR,    /* neither side is better */
    EQUAL    /* a count: another one means that other rows are judged */
} bound;

typedef struct figures {
    const verdict *all;
    size_t count;
} figures;

typedef void (*visit)(void *user, const char *name, double value, bound kind);

static int in_all(const verdict *v, const char *name)
{
    (void)v;
    (void)name;
    return 1;
}

static double share(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void visit_class(const figures *f, const char *name, visit call, void *user)
{
    char rows[64], median[64], p90[64];
    summary s;

    if (!summary_make(&s, f->all, f->count, in_class, name))
        return;
    snprintf(rows, sizeof rows, "%s.rows", name);
    snprintf(median, sizeof median, "%s.median", name);
    snprintf(p90, sizeof p90, "%s.p90", name);
    call(user, rows, (double)s.rows, EQUAL);
    if (s.judged == 0)
        return;
    call(user, median, s.median, AT_MOST);
    call(user, p90, s.p90, AT_MOST);
}

static void visit_band(const figures *f, visit call, void *user)
{
    summary s;

    if (!summary_make(&s, f->all, f->count, in_class, "headline"))
        return;
    call(user, "headline.in_band", s.in_band, NEAR);
    call(user, "headline.band_ratio", s.band_ratio, NEAR);
}

static void visit_all(const figures *f, visit call, void *user)
{
    summary s;

    for (size_t i = 0; class_at(i) != NULL; i++)
        visit_class(f, class_at(i), call, user);
    visit_band(f, call, user);
    if (!summary_make(&s, f->all, f->count, in_all, ""))
        return;
    call(user, "rows", (double)s.rows, EQUAL);
    call(user, "judged", (double)s.judged, EQUAL);
    call(user, "oom_called_fits", (double)s.outcomes[0][CSZ_FIT_YES], AT_MOST);
    call(user, "runs_called_oom", share(s.ran[CSZ_FIT_NO], s.ran[0] + s.ran[1] + s.ran[2]),
         AT_MOST);
    call(user, "runs_refused", (double)s.refused, AT_MOST);
    call(user, "tight_share", s.tight, AT_MOST);
    call(user, "fit_brier", s.brier, AT_MOST);
}

static void write_figure(void *user, const char *name, double value, bound kind)
{
    if (kind == EQUAL)
        fprintf(user, "%s %.0f\n", name, value);
    else
        fprintf(user, "%s %.4f\n", name, value);
}

int recorded_write(const char *path, const verdict *all, size_t count)
{
    const figures f = {all, count};
    FILE *file = fopen(path, "w");

    if (file == NULL)
        return 0;
    visit_all(&f, write_figure, file);
    return fclose(file) == 0;
}

/* ---- Check ---- */

typedef struct line {
    char name[64];
    double value;
    int met; /* a figure has its name */
} line;

typedef struct record {
    line lines[MOST];
    size_t count;
    int good;
} record;

/* A name and a number, and nothing else. */
static int read_line(line *l, const char *text)
{
    char number[32], *end, more;

    memset(l, 0, sizeof *l);
    if (sscanf(text, "%63s %31s %c", l->name, number, &more) != 2)
        return 0;
    l->value = strtod(number, &end);
    return *end == '\0' && isfinite(l->value);
}

static void read_record(record *r, FILE *file)
{
    char text[128];

    while (fgets(text, sizeof text, file) != NULL) {
        text[strcspn(text, "\n")] = '\0';
        if (r->count < MOST && read_line(&r->lines[r->count], text)) {
            r->count++;
            continue;
        }
        fprintf(stderr, "judge-memory: no name and number: %s\n", text);
        r->good = 0;
    }
}

static int holds(double value, double recorded, bound kind)
{
    if (kind == AT_MOST)
        return value <= recorded + ROUNDING;
    return fabs(value - recorded) <= (kind == NEAR ? NEARNESS : 0);
}

static void compare(record *r, line *l, double value, bound kind)
{
    l->met = 1;
    if (holds(value, l->value, kind))
        return;
    fprintf(stderr, "judge-memory: %s is %.4f, recorded %.4f%s\n", l->name, value, l->value,
            kind == AT_MOST ? "" : ": find out why, and record again if it should be so");
    r->good = 0;
}

static void check_figure(void *user, const char *name, double value, bound kind)
{
    record *r = user;
    size_t found = 0;

    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->lines[i].name, name) == 0) {
            compare(r, &r->lines[i], value, kind);
            found++;
        }
    if (found == 1)
        return;
    fprintf(stderr, "judge-memory: %s is recorded %zu times\n", name, found);
    r->good = 0;
}

int recorded_check(const char *path, const verdict *all, size_t count)
{
    const figures f = {all, count};
    FILE *file = fopen(path, "r");
    static record r; /* large for a stack */

    if (file == NULL)
        return 0;
    memset(&r, 0, sizeof r);
    r.good = 1;
    read_record(&r, file);
    fclose(file);
    visit_all(&f, check_figure, &r);
    for (size_t i = 0; i < r.count; i++)
        if (!r.lines[i].met) {
            fprintf(stderr, "judge-memory: there is no figure %s\n", r.lines[i].name);
            r.good = 0;
        }
    return r.good;
}
