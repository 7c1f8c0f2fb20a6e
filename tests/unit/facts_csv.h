/* facts_csv.h: the facts as CSV files, where the environment variable CSZ_FACTS names their folder.
 */
#ifndef TESTS_UNIT_FACTS_CSV_H
#define TESTS_UNIT_FACTS_CSV_H

#include "../accuracy/csv.h"
#include "base/number.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static csv table;

/* 0 when CSZ_FACTS is not set. */
static inline int open_csv(const char *name)
{
    const char *folder = getenv("CSZ_FACTS"), *why;
    char path[1024];

    if (folder == NULL || folder[0] == '\0') {
        printf("%s: not compared, CSZ_FACTS does not name a folder\n", name);
        return 0;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    csv_free(&table);
    why = csv_read(&table, path);
    ck_assert_msg(why == NULL, "%s %s", path, why);
    return 1;
}

static inline const char *cell(size_t row, const char *name)
{
    size_t column = csv_column(&table, name);

    ck_assert_msg(column < table.columns, "no column %s", name);
    return table.cells[row * table.columns + column];
}

static inline int is(size_t row, const char *name, const char *text)
{
    return strcmp(cell(row, name), text) == 0;
}

/* The number at the start of a text, whatever the locale; 0 when there is none. */
static inline double read_number(const char *text)
{
    double value = 0;
    text += strspn(text, " ");
    (void)cszi_number_parse(text, strlen(text), &value);
    return value;
}

/* 0 when the cell is empty. */
static inline double number(size_t row, const char *name)
{
    return read_number(cell(row, name));
}

static inline int same(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

#endif
