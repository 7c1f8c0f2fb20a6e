#include "recorded.h"

#include <stdio.h>
#include <string.h>

#define ROUNDING 0.0005 /* half of the last digit written, and as much for another libm */

typedef struct figures {
    const verdict *all;
    size_t count;
} figures;

typedef void (*visit)(void *user, const char *name, double value);

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
    char key[64];
    summary s;

    if (!summary_make(&s, f->all, f->count, in_class, name) || s.judged == 0)
        return;
    snprintf(key, sizeof key, "%s.median", name);
    call(user, key, s.median);
    snprintf(key, sizeof key, "%s.p90", name);
    call(user, key, s.p90);
}

static void visit_all(const figures *f, visit call, void *user)
{
    summary s;

    for (size_t i = 0; class_at(i) != NULL; i++)
        visit_class(f, class_at(i), call, user);
    if (!summary_make(&s, f->all, f->count, in_all, ""))
        return;
    call(user, "oom_called_fits", (double)s.outcomes[0][CSZ_FIT_YES]);
    call(user, "runs_called_oom", share(s.ran[CSZ_FIT_NO], s.ran[0] + s.ran[1] + s.ran[2]));
    call(user, "runs_refused", (double)s.refused);
    call(user, "tight_share", s.tight);
    call(user, "fit_brier", s.brier);
}

static void write_figure(void *user, const char *name, double value)
{
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

typedef struct comparison {
    const char *name;
    double value;
    int found;
} comparison;

static void find_figure(void *user, const char *name, double value)
{
    comparison *c = user;

    if (strcmp(c->name, name) == 0) {
        c->value = value;
        c->found = 1;
    }
}

/* One line of the file: 1 when the figure is still as good. */
static int holds(const figures *f, const char *line)
{
    char name[64];
    double recorded;
    comparison c = {name, 0, 0};

    if (sscanf(line, "%63s", name) != 1 || !word_number_after(line, " ", &recorded))
        return 1;
    visit_all(f, find_figure, &c);
    if (c.found && c.value <= recorded + ROUNDING)
        return 1;
    fprintf(stderr, "judge-memory: %s is %.4f, recorded %.4f\n", name, c.value, recorded);
    return 0;
}

int recorded_check(const char *path, const verdict *all, size_t count)
{
    const figures f = {all, count};
    FILE *file = fopen(path, "r");
    char line[128];
    int good = file != NULL;

    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        good &= holds(&f, line);
    fclose(file);
    return good;
}
