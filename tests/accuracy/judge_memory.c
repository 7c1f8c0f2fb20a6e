/* judge_memory.c: predicted against measured memory, over files of published runs.
 *
 *     judge-memory [--json] [--summary] FILE...
 *
 * FILE has the columns of memory.csv or of training.csv. --json prints the summary as one object,
 * --summary leaves out the line of each row. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    csv_free(&table);
    if (why != NULL)
        fprintf(stderr, "judge-memory: %s: %s\n", path, why);
    return why == NULL;
}

int main(int argc, char **argv)
{
    int json = 0, brief = 0, files = 0, ok = 1;
    list all = {NULL, 0, 0};

    for (int i = 1; i < argc; i++) {
        json |= strcmp(argv[i], "--json") == 0;
        brief |= strcmp(argv[i], "--summary") == 0;
    }
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--", 2) != 0) {
            ok &= add_file(&all, argv[i], !json && !brief);
            files++;
        }
    if (files == 0)
        fprintf(stderr, "usage: judge-memory [--json] [--summary] FILE...\n");
    else if (json)
        report_json(all.items, all.count);
    else
        report_text(all.items, all.count);
    free(all.items);
    return ok && files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
