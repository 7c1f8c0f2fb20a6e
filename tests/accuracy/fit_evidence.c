/* fit_evidence.c: how many configurations stand behind a family under a stack, and how far off. */
#include "fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Family and stack of a run that states all that matters and is of no grid of one paper's. */
static const char *pair_of(const runs *all, size_t i, char *pair, size_t room)
{
    char family[64];

    if (!is_headline_time(&all->verdicts[i]))
        return NULL;
    (void)csz_cluster_get_text(all->questions[i].cluster, CSZ_CLUSTER_FAMILY, family,
                               sizeof family);
    snprintf(pair, room, "{\"%s\", \"%s\"", family, all->verdicts[i].stack);
    return pair;
}

typedef struct line {
    char pair[96];
    double year;
} line;

static int by_pair(const void *a, const void *b)
{
    return strcmp(((const line *)a)->pair, ((const line *)b)->pair);
}

/* Pairs in order, each with the year of its newest run; their number. */
static size_t list_pairs(const runs *all, line *lines)
{
    size_t count = 0, at;
    char pair[96];

    for (size_t i = 0; i < all->count; i++) {
        double year = (double)all->verdicts[i].year;
        if (pair_of(all, i, pair, sizeof pair) == NULL)
            continue;
        for (at = 0; at < count && strcmp(lines[at].pair, pair) != 0;)
            at++;
        if (at == count)
            memcpy(lines[count++].pair, pair, sizeof pair);
        if (year > lines[at].year)
            lines[at].year = year;
    }
    qsort(lines, count, sizeof *lines, by_pair);
    return count;
}

int evidence_write(const runs *all, const char *path)
{
    line *lines = calloc(all->count + 1, sizeof *lines);
    verdict *list = malloc((all->count + 1) * sizeof *list);
    FILE *f = fopen(path, "w");
    size_t count = lines != NULL ? list_pairs(all, lines) : 0;
    char pair[96];

    if (f != NULL)
        fputs("/* evidence.inc: what stands behind step times of an accelerator family under a "
              "software stack.\n * Written by tests/accuracy/fit. configurations: distinct ones of "
              "tests/accuracy/time_rows.csv whose\n * rows state all that matters, launches of "
              "vTrain left out. Errors: median and 90th percentile of\n * |ln(predicted / "
              "measured)|. date: year of the newest row. A pair that is not here has no\n * "
              "measured configuration. */\n",
              f);
    for (size_t k = 0; k < count && f != NULL && list != NULL; k++) {
        summary s;
        size_t n = 0;
        for (size_t i = 0; i < all->count; i++)
            if (pair_of(all, i, pair, sizeof pair) != NULL && strcmp(pair, lines[k].pair) == 0)
                list[n++] = all->verdicts[i];
        if (summary_make(&s, list, n, (group){NULL, NULL, NULL}))
            fprintf(f, "    %s, %zu, %.3f, %.3f, \"%.0f\"},\n", lines[k].pair, s.setups, s.median,
                    s.p90, lines[k].year);
    }
    free(lines);
    free(list);
    return f != NULL && fclose(f) == 0;
}
