/* csv.h: a CSV file in memory (RFC 4180: quoted cells, doubled quotes, either line end). */
#ifndef TESTS_ACCURACY_CSV_H
#define TESTS_ACCURACY_CSV_H

#include <stddef.h>

typedef struct csv {
    char *text;         /* the file, unquoted in place */
    const char **cells; /* rows x columns, the names not among them */
    const char **names;
    size_t rows, columns;
    char why[96]; /* a row was not read */
} csv;

/* NULL when read; else a sentence why not, which is the table's. Every row has the cells of the
 * header, and there is one at least. */
const char *csv_read(csv *table, const char *path);
void csv_free(csv *table);
/* columns when there is none. */
size_t csv_column(const csv *table, const char *name);

#endif
