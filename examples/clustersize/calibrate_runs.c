/* calibrate_runs.c: measured runs from a table of comma-separated values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "runs.h"

#define COLUMNS 64
#define CELL 256 /* longest, its NUL included */
#define ROOM ((size_t)COLUMNS * 2 * CELL)

typedef enum column_kind { OF_WORKLOAD, OF_PLAN, ACCELERATORS, STEP_TIME, UNCERTAINTY } column_kind;

typedef struct column {
    column_kind kind;
    char name[CELL];
} column;

typedef struct table {
    asked *a;
    column columns[COLUMNS];
    size_t count, line, added;
    csz_workload *workload; /* of a line */
    csz_plan *plan;
    char *of_workload; /* "name=value ..." of a line, ROOM each */
    char *of_plan;
} table;

int check_calibration(asked *a, const csz_calibration *calibration, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    if (status == CSZ_OK)
        return 0;
    (void)csz_calibration_error(calibration, &field);
    return args_fail_with(a, status, field, csz_calibration_error(calibration, NULL));
}

int runs_number(asked *a, const char *name, csz_unit unit, const char *text, double *value)
{
    csz_status status = csz_unit_parse(unit, text, value);
    if (status == CSZ_OK)
        return 0;
    return args_fail(a, status, CSZ_FIELD_NONE, "%s: '%.64s' is no number with a unit", name, text);
}

static int fail(const table *t, csz_status status, csz_field field, const char *what)
{
    char message[400];
    (void)snprintf(message, sizeof message, "%.390s", what);
    return args_fail(t->a, status, field, "runs: %.120s: line %zu: %s", t->a->runs_file, t->line,
                     message);
}

/* ---- Cells ---- */

/* The next cell without blanks around it, and without quotes; 0 at the end of the line. */
static int next_cell(const char **at, char cell[CELL], int *too_long)
{
    const char *s = *at;
    size_t n = 0;
    int quoted;
    if (s == NULL)
        return 0;
    s += strspn(s, " \t");
    quoted = *s == '"';
    s += quoted;
    for (; *s != '\0' && (quoted ? *s != '"' : *s != ','); s++) {
        *too_long |= n + 1 >= CELL;
        if (n + 1 < CELL)
            cell[n++] = *s;
    }
    while (n > 0 && strchr(" \t\r", cell[n - 1]) != NULL)
        n--;
    cell[n] = '\0';
    s = strchr(s, ',');
    *at = s != NULL ? s + 1 : NULL;
    return 1;
}

static int add_column(table *t, const char *name)
{
    column *c = &t->columns[t->count];
    csz_field field;
    if (t->count == COLUMNS)
        return fail(t, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "more than 64 columns");
    (void)snprintf(c->name, sizeof c->name, "%.200s", name);
    for (char *s = c->name; *s != '\0'; s++)
        if (*s == '-')
            *s = '_';
    field = csz_field_by_name(c->name);
    if (strcmp(c->name, "step_time") == 0)
        c->kind = STEP_TIME;
    else if (strcmp(c->name, "uncertainty") == 0)
        c->kind = UNCERTAINTY;
    else if (field == CSZ_CLUSTER_ACCELERATORS)
        c->kind = ACCELERATORS;
    else if (args_object(field) == CSZ_OBJECT_WORKLOAD || args_object(field) == CSZ_OBJECT_PLAN)
        c->kind = args_object(field) == CSZ_OBJECT_PLAN ? OF_PLAN : OF_WORKLOAD;
    else
        return args_fail(t->a, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                         "runs: %.120s: column '%.64s' is no field of a workload or plan, nor "
                         "accelerators, step_time or uncertainty",
                         t->a->runs_file, name);
    t->count++;
    return 0;
}

static int read_header(table *t, const char *line)
{
    char cell[CELL];
    int status = 0, too_long = 0, timed = 0;
    while (status == 0 && next_cell(&line, cell, &too_long))
        status = add_column(t, cell);
    for (size_t i = 0; i < t->count; i++)
        timed += t->columns[i].kind == STEP_TIME;
    if (status == 0 && timed != 1)
        return fail(t, CSZ_ERR_MISSING, CSZ_FIELD_NONE, "one column is to be step_time");
    return status;
}

/* ---- A run ---- */

/* "name=value " without the blanks of the value. */
static void add_pair(char *text, const char *name, const char *value)
{
    char *end = text + strlen(text);
    end += snprintf(end, CELL, "%s=", name);
    for (; *value != '\0'; value++)
        if (strchr(" \t", *value) == NULL)
            *end++ = *value;
    memcpy(end, " ", 2);
}

typedef struct run {
    double accelerators, seconds, uncertainty;
} run;

static int read_cell(table *t, const column *c, const char *cell, run *r)
{
    switch (c->kind) {
    case OF_WORKLOAD:
        add_pair(t->of_workload, c->name, cell);
        return 0;
    case OF_PLAN:
        add_pair(t->of_plan, c->name, cell);
        return 0;
    case ACCELERATORS:
        return runs_number(t->a, "accelerators", CSZ_UNIT_COUNT, cell, &r->accelerators);
    case STEP_TIME:
        return runs_number(t->a, "step_time", CSZ_UNIT_SECOND, cell, &r->seconds);
    case UNCERTAINTY:
        return runs_number(t->a, "uncertainty", CSZ_UNIT_RATIO, cell, &r->uncertainty);
    }
    return 0;
}

static int add_run(table *t, csz_calibration *calibration, const run *r)
{
    csz_field field = CSZ_FIELD_NONE;
    csz_status status;
    (void)csz_workload_copy(t->workload, t->a->workload);
    (void)csz_plan_copy(t->plan, t->a->plan);
    status = csz_workload_set(t->workload, t->a->catalog, t->of_workload);
    if (status != CSZ_OK) {
        (void)csz_workload_error(t->workload, &field);
        return fail(t, status, field, csz_workload_error(t->workload, NULL));
    }
    status = csz_plan_set(t->plan, t->of_plan);
    if (status != CSZ_OK) {
        (void)csz_plan_error(t->plan, &field);
        return fail(t, status, field, csz_plan_error(t->plan, NULL));
    }
    if (!(r->accelerators >= 0 && r->accelerators <= 16777216))
        return fail(t, CSZ_ERR_RANGE, CSZ_CLUSTER_ACCELERATORS,
                    "accelerators: is outside 1 to 16777216");
    status = csz_calibration_add_run(calibration, t->workload, t->plan, (int64_t)r->accelerators,
                                     r->seconds, r->uncertainty);
    if (status != CSZ_OK) {
        (void)csz_calibration_error(calibration, &field);
        return fail(t, status, field, csz_calibration_error(calibration, NULL));
    }
    t->added++;
    return 0;
}

static int read_run(table *t, csz_calibration *calibration, const char *line, double uncertainty)
{
    run r = {0, 0, uncertainty};
    char cell[CELL];
    size_t i = 0;
    int status = 0, too_long = 0;
    t->of_workload[0] = t->of_plan[0] = '\0';
    while (status == 0 && next_cell(&line, cell, &too_long)) {
        if (i == t->count)
            return fail(t, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "more cells than columns");
        if (cell[0] != '\0')
            status = read_cell(t, &t->columns[i], cell, &r);
        i++;
    }
    if (status == 0 && too_long)
        return fail(t, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "a cell is longer than 255 bytes");
    return status == 0 ? add_run(t, calibration, &r) : status;
}

/* ---- The file ---- */

static int read_lines(table *t, csz_calibration *calibration, char *text, double uncertainty)
{
    int status = 0;
    for (char *line = text, *end; status == 0 && *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        if (*end != '\0')
            *end++ = '\0';
        t->line++;
        if (line[strspn(line, " \t\r")] == '\0' || line[0] == '#')
            continue;
        status = t->count == 0 ? read_header(t, line) : read_run(t, calibration, line, uncertainty);
    }
    if (status == 0 && t->added == 0)
        status = fail(t, CSZ_ERR_MISSING, CSZ_FIELD_NONE, "no run after the header");
    return status;
}

/* With a NUL at its end. */
static char *read_text(asked *a)
{
    size_t n = 0;
    char *text = file_read(a, "runs", a->runs_file, &n), *ended;
    if (text == NULL)
        return NULL;
    if (memchr(text, '\0', n) != NULL) {
        free(text);
        (void)args_fail(a, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "runs: %.200s: a byte of 0 is no text",
                        a->runs_file);
        return NULL;
    }
    ended = realloc(text, n + 1);
    if (ended == NULL) {
        free(text);
        (void)args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
        return NULL;
    }
    ended[n] = '\0';
    return ended;
}

int runs_add(asked *a, csz_calibration *calibration, double uncertainty)
{
    table *t = calloc(1, sizeof *t);
    char *text = read_text(a);
    int status = BAD_INPUT;
    if (t != NULL && text != NULL) {
        t->a = a;
        t->workload = csz_workload_new(NULL);
        t->plan = csz_plan_new(NULL);
        t->of_workload = malloc(ROOM);
        t->of_plan = malloc(ROOM);
        if (t->workload != NULL && t->plan != NULL && t->of_workload != NULL && t->of_plan != NULL)
            status = read_lines(t, calibration, text, uncertainty);
        else
            status = args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
        csz_workload_free(t->workload);
        csz_plan_free(t->plan);
        free(t->of_workload);
        free(t->of_plan);
    }
    free(text);
    free(t);
    return status;
}
