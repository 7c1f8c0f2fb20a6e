#include "csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With a 0 behind the size bytes; NULL when it cannot be read. */
static char *read_file(const char *path, size_t *size)
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
    *size = used;
    if (got > 0 || ferror(file)) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* One cell, unquoted in place; returns what ended it, a quote when one is still open. */
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
    end = quoted ? '"' : *from;
    *at = *from != '\0' ? from + 1 : from;
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

/* One line into the list. NULL, or why it is no line of the table: the first is its header. */
static const char *read_line(csv *table, char **at, const char ***cells, size_t *count)
{
    size_t from = *count;
    const char *cell;
    char end;

    do {
        end = read_cell(at, &cell);
        if (end == '"')
            return "has a quote that does not end";
        if (!add_cell(cells, count, cell))
            return "is too large";
    } while (end == ',');
    if (cells == &table->cells && *count - from != table->columns)
        return "has not the cells of its header";
    return NULL;
}

static const char *read_rows(csv *table, char *at)
{
    size_t cells = 0;

    for (; *at != '\0'; table->rows++) {
        const char *why;
        while (*at == '\n' || *at == '\r') /* empty lines */
            at++;
        if (*at == '\0')
            break;
        why = read_line(table, &at, &table->cells, &cells);
        if (why == NULL)
            continue;
        snprintf(table->why, sizeof table->why, "row %zu %s", table->rows + 1, why);
        return table->why;
    }
    return table->rows > 0 ? NULL : "has no row below its header";
}

const char *csv_read(csv *table, const char *path)
{
    const char *why;
    size_t size;
    char *at;

    memset(table, 0, sizeof *table);
    at = table->text = read_file(path, &size);
    if (at == NULL)
        return "cannot be read";
    if (strlen(at) != size)
        return "is no text: it holds a 0 byte";
    if (strncmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    if (*at == '\0')
        return "is empty";
    why = read_line(table, &at, &table->names, &table->columns);
    return why != NULL ? why : read_rows(table, at);
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
