#include "csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, room = 0, got = 1;

    if (file == NULL)
        return NULL;
    while (got > 0) {
        if (room - used < 2) {
            char *grown = realloc(text, room = room * 2 + 65536);
            if (grown == NULL)
                break;
            text = grown;
        }
        got = fread(text + used, 1, room - used - 1, file);
        used += got;
    }
    if (text != NULL)
        text[used] = '\0';
    if (got > 0 || ferror(file)) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* One cell, unquoted in place; returns what ended it. */
static char read_cell(char **at, const char **cell)
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
    if (from[0] == '\r' && from[1] == '\n')
        from++;
    end = *from;
    *at = end != '\0' ? from + 1 : from;
    *to = '\0';
    return end;
}

static int add_cell(const char ***cells, size_t *count, const char *cell)
{
    /* Grows at powers of two. */
    if ((*count & (*count - 1)) == 0) {
        const char **grown = realloc(*cells, (*count != 0 ? 2 * *count : 1) * sizeof **cells);
        if (grown == NULL)
            return 0;
        *cells = grown;
    }
    (*cells)[(*count)++] = cell;
    return 1;
}

/* One line into the list; a line of the table has the header's number of cells. */
static int read_line(csv *table, char **at, const char ***cells, size_t *count)
{
    size_t from = *count;
    const char *cell;
    char end;

    do {
        end = read_cell(at, &cell);
        if ((table->columns == 0 || *count - from < table->columns) &&
            !add_cell(cells, count, cell))
            return 0;
    } while (end == ',');
    while (*count - from < table->columns)
        if (!add_cell(cells, count, ""))
            return 0;
    return 1;
}

const char *csv_read(csv *table, const char *path)
{
    size_t cells = 0;
    char *at;

    memset(table, 0, sizeof *table);
    at = table->text = read_file(path);
    if (at == NULL)
        return "cannot be read";
    if (strncmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    if (!read_line(table, &at, &table->names, &cells))
        return "is too large";
    table->columns = cells;
    cells = 0;
    while (*at != '\0') {
        if (*at == '\n' || *at == '\r') { /* an empty line */
            at++;
            continue;
        }
        if (!read_line(table, &at, &table->cells, &cells))
            return "is too large";
        table->rows++;
    }
    return NULL;
}

void csv_free(csv *table)
{
    free(table->text);
    free(table->cells);
    free(table->names);
    memset(table, 0, sizeof *table);
}

size_t csv_column(const csv *table, const char *name)
{
    size_t column = 0;

    while (column < table->columns && strcmp(table->names[column], name) != 0)
        column++;
    return column;
}
