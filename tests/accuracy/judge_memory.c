/* judge_memory.c: predicted against measured memory, over files of published runs.
 *
 *     judge-memory [--json] [--summary] [--check FILE] [--record FILE] ROWS...
 *
 * ROWS are CSV files with the columns of memory_rows.csv, as many as a file has. A line for each
 * row gives id, low, likely and high in GiB of what was read, the reading and predicted over
 * measured; then whether it ran and what the library says of that. --summary leaves the lines out,
 * --json prints the summary as one object. --check fails when a figure is worse than in FILE, which
 * --record writes:
 *
 *     judge-memory --summary --record tests/accuracy/memory_recorded.txt \
 *         tests/accuracy/memory_rows.csv
 */
#include "recorded.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    int json, summary;
    const char *check, *record;
} options;

typedef struct list {
    verdict *items;
    size_t count, room;
} list;

static int add_row(list *all, row r)
{
    if (all->count == all->room) {
        size_t room = all->room * 2 + 256;
        verdict *grown = realloc(all->items, room * sizeof *grown);
        if (grown == NULL)
            return 0;
        all->items = grown;
        all->room = room;
    }
    verdict_make(&all->items[all->count++], r);
    return 1;
}

static int add_file(list *all, const char *path, int print)
{
    csv table;
    const char *why = csv_read(&table, path);

    for (size_t i = 0; why == NULL && i < table.rows; i++) {
        if (!add_row(all, (row){&table, i}))
            why = "is too large";
        else if (print)
            report_row(&all->items[all->count - 1]);
    }
    if (why != NULL)
        fprintf(stderr, "judge-memory: %s: %s\n", path, why);
    csv_free(&table);
    return why == NULL;
}

/* Takes the options out of argv; the count of what remains, -1 for an unknown one. */
static int read_options(options *o, int argc, char **argv)
{
    int files = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            o->json = 1;
        else if (strcmp(argv[i], "--summary") == 0)
            o->summary = 1;
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

static int finish(const options *o, const list *all)
{
    int ok = 1;

    if (o->json)
        report_json(all->items, all->count);
    else
        report_text(all->items, all->count);
    if (o->record != NULL && !recorded_write(o->record, all->items, all->count)) {
        fprintf(stderr, "judge-memory: %s: cannot be written\n", o->record);
        ok = 0;
    }
    if (o->check != NULL && !recorded_check(o->check, all->items, all->count)) {
        fprintf(stderr, "judge-memory: %s: not held\n", o->check);
        ok = 0;
    }
    return ok;
}

int main(int argc, char **argv)
{
    options o = {0, 0, NULL, NULL};
    int files = read_options(&o, argc, argv), ok = 1;
    list all = {NULL, 0, 0};

    if (files <= 0) {
        fprintf(
            stderr,
            "usage: judge-memory [--json] [--summary] [--check FILE] [--record FILE] ROWS...\n");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < files; i++)
        ok &= add_file(&all, argv[i], !o.json && !o.summary);
    ok &= finish(&o, &all);
    free(all.items);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
