#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 0.0005 /* half of the last digit written, and as much for another libm */
#define NEARNESS 0.01   /* of what may be on either side: a reading or two at the edge of a band */
#define MOST 128        /* lines of a file */

typedef struct figures {
    const judge *judge;
    const verdict *all;
    size_t count;
} figures;

static void visit_class(const figures *f, const category *c, visit call, void *user)
{
    char rows[64], median[64], p90[64];
    summary s;

    if (!summary_make(&s, f->all, f->count, (group){.is = c}))
        return;
    snprintf(rows, sizeof rows, "%s.rows", c->name);
    snprintf(median, sizeof median, "%s.median", c->name);
    snprintf(p90, sizeof p90, "%s.p90", c->name);
    call(user, rows, (double)s.rows, EQUAL);
    if (s.judged == 0)
        return;
    call(user, median, s.median, AT_MOST);
    call(user, p90, s.p90, AT_MOST);
}

static void visit_all(const figures *f, visit call, void *user)
{
    summary all, headline;

    for (const category *c = f->judge->classes; c->name != NULL; c++)
        visit_class(f, c, call, user);
    if (summary_make(&all, f->all, f->count, (group){0}) &&
        summary_make(&headline, f->all, f->count, (group){.is = f->judge->classes}))
        f->judge->record(&all, &headline, call, user);
}

static void write_figure(void *user, const char *name, double value, bound kind)
{
    if (kind == EQUAL)
        fprintf(user, "%s %.0f\n", name, value);
    else
        fprintf(user, "%s %.4f\n", name, value);
}

int recorded_write(const judge *j, const char *path, const verdict *all, size_t count)
{
    const figures f = {j, all, count};
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
    const char *program;
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
        fprintf(stderr, "%s: no name and number: %s\n", r->program, text);
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
    fprintf(stderr, "%s: %s is %.4f, recorded %.4f%s\n", r->program, l->name, value, l->value,
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
    fprintf(stderr, "%s: %s is recorded %zu times\n", r->program, name, found);
    r->good = 0;
}

int recorded_check(const judge *j, const char *path, const verdict *all, size_t count)
{
    const figures f = {j, all, count};
    FILE *file = fopen(path, "r");
    static record r; /* large for a stack */

    if (file == NULL)
        return 0;
    memset(&r, 0, sizeof r);
    r.program = j->name;
    r.good = 1;
    read_record(&r, file);
    fclose(file);
    visit_all(&f, check_figure, &r);
    for (size_t i = 0; i < r.count; i++)
        if (!r.lines[i].met) {
            fprintf(stderr, "%s: there is no figure %s\n", r.program, r.lines[i].name);
            r.good = 0;
        }
    return r.good;
}
