/* csv.h: the facts as CSV files, where the environment variable CSZ_FACTS names their folder. */
#ifndef TESTS_UNIT_CSV_H
#define TESTS_UNIT_CSV_H

#include "base/number.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CSV_COLUMNS 40
#define CSV_ROWS 2048

typedef struct csv {
    char *text;
    const char *cells[CSV_ROWS][CSV_COLUMNS];
    size_t rows, columns; /* row 0 has the names */
} csv;

static csv table;

static inline char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    size_t n;

    ck_assert_msg(file != NULL && text != NULL, "%s cannot be read", path);
    n = fread(text, 1, (1 << 20) - 1, file);
    ck_assert_msg(n > 0 && n < (1 << 20) - 1, "%s: %zu bytes", path, n);
    fclose(file);
    return text;
}

/* One cell, unquoted in place; returns what ended it. */
static inline char read_cell(char **at, const char **cell)
{
    char *from = *at, *to = from, end;
    int quoted = *from == '"';

    *cell = to;
    for (from += quoted; *from != '\0'; from++) {
        if (quoted && from[0] == '"' && from[1] == '"')
            from++;
        else if (quoted && *from == '"') {
            quoted = 0;
            continue;
        } else if (!quoted && (*from == ',' || *from == '\n' || *from == '\r'))
            break;
        *to++ = *from;
    }
    if (*from == '\r')
        from++;
    end = *from;
    *at = end != '\0' ? from + 1 : from;
    *to = '\0';
    return end;
}

/* 0 when CSZ_FACTS is not set. */
static inline int open_csv(const char *name)
{
    const char *folder = getenv("CSZ_FACTS");
    char path[1024], *at;

    if (folder == NULL || folder[0] == '\0') {
        printf("%s: not compared, CSZ_FACTS does not name a folder\n", name);
        return 0;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    free(table.text);
    memset(&table, 0, sizeof table);
    at = table.text = read_text(path);
    while (*at != '\0') {
        size_t column = 0;
        char end;

        ck_assert_uint_lt(table.rows, CSV_ROWS);
        do {
            ck_assert_uint_lt(column, CSV_COLUMNS);
            end = read_cell(&at, &table.cells[table.rows][column++]);
        } while (end == ',');
        ck_assert_msg(table.rows == 0 || column == table.columns, "%s: row %zu", name,
                      table.rows + 1);
        table.columns = column;
        table.rows++;
    }
    return 1;
}

static inline const char *cell(size_t row, const char *name)
{
    size_t column = 0;

    while (column < table.columns && strcmp(table.cells[0][column], name) != 0)
        column++;
    ck_assert_msg(column < table.columns, "no column %s", name);
    return table.cells[row][column];
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
