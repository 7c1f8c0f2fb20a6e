#include "judge.h"

#include <stdio.h>
#include <string.h>

typedef void (*visit_group)(const judge *j, const char *name, const summary *s, int first);

/* The values of a grouping, each where it occurs first. */
static void each_value(const judge *j, const verdict *all, size_t count, const grouping *by,
                       visit_group call)
{
    int first = 1;
    summary s;

    for (size_t i = 0; i < count; i++) {
        group g = {.by = by, .name = by->value(&all[i])};
        size_t k = 0;
        while (g.name != NULL && !in_group(&g, &all[k]))
            k++;
        if (g.name == NULL || k < i || !summary_make(&s, all, count, g))
            continue;
        call(j, g.name, &s, first);
        first = 0;
    }
}

static void each_class(const judge *j, const verdict *all, size_t count, visit_group call)
{
    summary s;

    for (const category *c = j->classes; c->name != NULL; c++)
        if (summary_make(&s, all, count, (group){.is = c}))
            call(j, c->name, &s, c == j->classes);
}

/* ---- Text ---- */

static void text_group(const judge *j, const char *name, const summary *s, int first)
{
    (void)first;
    j->line(name, s);
}

void report_text(const judge *j, const verdict *all, size_t count)
{
    summary s;

    for (const grouping *by = j->groupings; by->name != NULL; by++) {
        j->head(by->name);
        each_value(j, all, count, by, text_group);
    }
    j->head("class");
    each_class(j, all, count, text_group);
    if (!summary_make(&s, all, count, (group){0}))
        return;
    j->line("all", &s);
    j->foot(&s);
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

void report_figure(const char *name, double value, int known)
{
    if (known)
        printf(",\"%s\":%.5f", name, value);
    else
        printf(",\"%s\":null", name);
}

static void json_group(const judge *j, const char *name, const summary *s, int first)
{
    printf("%s", first ? "" : ",");
    json_string(name);
    printf(":{");
    j->json(s, s);
    printf("}");
}

void report_json(const judge *j, const verdict *all, size_t count)
{
    summary s, headline;

    if (!summary_make(&s, all, count, (group){0}) ||
        !summary_make(&headline, all, count, (group){.is = j->classes}))
        return;
    printf("{");
    j->json(&s, &headline);
    printf(",\"by\":{");
    for (const grouping *by = j->groupings; by->name != NULL; by++) {
        printf("%s\"%s\":{", by > j->groupings ? "," : "", by->name);
        each_value(j, all, count, by, json_group);
        printf("}");
    }
    printf("},\"by_class\":{");
    each_class(j, all, count, json_group);
    printf("}}\n");
}
