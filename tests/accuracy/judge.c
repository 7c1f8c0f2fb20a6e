#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    int json, summary, ranking;
    const char *check, *record;
} options;

typedef struct list {
    verdict *items;
    size_t count, room;
} list;

static int add_row(const judge *j, list *all, row r)
{
    if (all->count == all->room) {
        size_t room = all->room * 2 + 256;
        verdict *grown = realloc(all->items, room * sizeof *grown);
        if (grown == NULL)
            return 0;
        all->items = grown;
        all->room = room;
    }
    j->make(&all->items[all->count++], r);
    return 1;
}

static int add_file(const judge *j, list *all, const char *path, int print)
{
    csv table;
    const char *why = csv_read(&table, path);

    for (size_t i = 0; why == NULL && i < table.rows; i++) {
        if (!add_row(j, all, (row){&table, i}))
            why = "is too large";
        else if (print)
            j->print(&all->items[all->count - 1]);
    }
    if (why != NULL)
        fprintf(stderr, "%s: %s: %s\n", j->name, path, why);
    csv_free(&table);
    return why == NULL;
}

/* Takes the options out of argv; the count of what remains, -1 for an unknown one. */
static int read_options(const judge *j, options *o, int argc, char **argv)
{
    int files = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            o->json = 1;
        else if (strcmp(argv[i], "--summary") == 0)
            o->summary = 1;
        else if (strcmp(argv[i], "--ranking") == 0 && j->ranking != NULL)
            o->ranking = 1;
        else if (strcmp(argv[i], "--check") == 0 && i + 1 < argc)
            o->check = argv[++i];
        else if (strcmp(argv[i], "--record") == 0 && i + 1 < argc)
            o->record = argv[++i];
        else if (strncmp(argv[i], "--", 2) == 0)
            return -1;
        else
            argv[files++] = argv[i];
    }
    return files;
}

static int finish(const judge *j, const options *o, const list *all)
{
    int ok = 1;

    if (o->ranking)
        j->ranking(all->items, all->count, o->json);
    else if (o->json)
        report_json(j, all->items, all->count);
    else
        report_text(j, all->items, all->count);
    if (o->record != NULL && !recorded_write(j, o->record, all->items, all->count)) {
        fprintf(stderr, "%s: %s: cannot be written\n", j->name, o->record);
        ok = 0;
    }
    if (o->check != NULL && !recorded_check(j, o->check, all->items, all->count)) {
        fprintf(stderr, "%s: %s: not held\n", j->name, o->check);
        ok = 0;
    }
    return ok;
}

int judge_main(const judge *j, int argc, char **argv)
{
    options o = {0, 0, 0, NULL, NULL};
    int files = read_options(j, &o, argc, argv), ok = 1;
    list all = {NULL, 0, 0};

    if (files <= 0) {
        fprintf(stderr, "usage: %s [--json] [--summary]%s [--check FILE] [--record FILE] ROWS...\n",
                j->name, j->ranking != NULL ? " [--ranking]" : "");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < files; i++)
        ok &= add_file(j, &all, argv[i], !o.json && !o.summary);
    ok &= finish(j, &o, &all);
    free(all.items);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
