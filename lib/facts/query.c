/* query.c: the entries of a kind that meet conditions, by ascending order of a figure. */
#include <string.h>

#include "base/unit.h"
#include "facts/catalog.h"

typedef struct condition {
    const cszi_field_row *row;
    const char *value; /* in the query's text */
    const char *end;
    double number; /* value of a numeric field */
} condition;

typedef struct query {
    const cszi_catalog *catalog;
    csz_kind kind;
    const cszi_table *table;
    const cszi_field_row *by; /* NULL: the order of the table */
    condition conditions[CSZI_QUERY_CONDITIONS];
    size_t count;
} query;

/* ---- Conditions ---- */

/* As in other texts of the library (field_io.c). */
static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static csz_status add_condition(query *q, const char *word, const char *end)
{
    const char *equals = memchr(word, '=', (size_t)(end - word));
    condition *c = &q->conditions[q->count];
    if (equals == NULL || equals + 1 == end)
        return CSZ_ERR_SYNTAX;
    if (q->count == CSZI_QUERY_CONDITIONS)
        return CSZ_ERR_LIMIT;
    c->row = cszi_table_by_name(q->table, word, (size_t)(equals - word));
    if (c->row == NULL)
        return CSZ_ERR_FIELD;
    for (size_t i = 0; i < q->count; i++)
        if (q->conditions[i].row == c->row)
            return CSZ_ERR_SYNTAX;
    c->value = equals + 1;
    c->end = end;
    q->count++;
    if (c->row->type == CSZ_TYPE_TEXT)
        return CSZ_OK;
    return cszi_unit_parse(c->row->unit, c->value, (size_t)(end - c->value), &c->number, NULL,
                           c->row->id);
}

static csz_status read_conditions(query *q, const char *text)
{
    if (memchr(text, '\0', CSZI_PAIRS_LENGTH + 1) == NULL)
        return CSZ_ERR_LIMIT;
    for (;;) {
        const char *word;
        csz_status status;
        while (is_blank(*text))
            text++;
        if (*text == '\0')
            return CSZ_OK;
        word = text;
        while (*text != '\0' && !is_blank(*text))
            text++;
        status = add_condition(q, word, text);
        if (status != CSZ_OK)
            return status;
    }
}

/* Equal whatever the case and the separators. */
static int is_alike(const char *text, const char *text_end, const char *value, const char *end)
{
    char a, b;
    do {
        a = cszi_next_letter(&text, text_end);
        b = cszi_next_letter(&value, end);
    } while (a == b && a != '\0');
    return a == b;
}

/* The whole text, or one of its parts between commas: a price may hold in several regions. */
static int names(const char *text, const char *value, const char *end)
{
    if (is_alike(text, NULL, value, end))
        return 1;
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(text, ',')) {
        if (is_alike(text, comma, value, end))
            return 1;
        text = comma + 1;
    }
    return is_alike(text, NULL, value, end);
}

static int holds(const query *q, const void *entry, const condition *c)
{
    const char *text;
    double value;
    if (c->row->type != CSZ_TYPE_TEXT)
        return cszi_field_get_f64(q->table, entry, c->row, 0, &value) == CSZ_OK &&
               !(value < c->number) && !(value > c->number);
    if (!cszi_field_is_set(q->table, entry, c->row, 0))
        return 0;
    memcpy(&text, cszi_field_member(q->table, entry, c->row, 0), sizeof text);
    return names(text, c->value, c->end);
}

static int is_wanted(const query *q, size_t index)
{
    const void *entry = cszi_catalog_entry(q->catalog, q->kind, index);
    if (q->by != NULL && !cszi_field_is_set(q->table, entry, q->by, 0))
        return 0;
    for (size_t i = 0; i < q->count; i++)
        if (!holds(q, entry, &q->conditions[i]))
            return 0;
    return 1;
}

/* ---- Order ---- */

/* Whether entry a stands behind entry b. */
static int is_behind(const query *q, size_t a, size_t b)
{
    double x = 0, y = 0;
    if (q->by != NULL) {
        const void *one = cszi_catalog_entry(q->catalog, q->kind, a);
        const void *other = cszi_catalog_entry(q->catalog, q->kind, b);
        (void)cszi_field_get_f64(q->table, one, q->by, 0, &x);
        (void)cszi_field_get_f64(q->table, other, q->by, 0, &y);
    }
    return x > y || (!(x < y) && a > b);
}

static void exchange(size_t *heap, size_t i, size_t j)
{
    size_t kept = heap[i];
    heap[i] = heap[j];
    heap[j] = kept;
}

/* The caller's array is a heap with the last entry on top, so that the first ones stay in it and no
 * memory is needed. */
static void sink(const query *q, size_t *heap, size_t count, size_t i)
{
    for (;;) {
        size_t last = i, child = 2 * i + 1;
        if (child < count && is_behind(q, heap[child], heap[last]))
            last = child;
        if (child + 1 < count && is_behind(q, heap[child + 1], heap[last]))
            last = child + 1;
        if (last == i)
            return;
        exchange(heap, i, last);
        i = last;
    }
}

static void rise(const query *q, size_t *heap, size_t i)
{
    for (; i > 0 && is_behind(q, heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2)
        exchange(heap, i, (i - 1) / 2);
}

static void keep(const query *q, size_t *heap, size_t capacity, size_t found, size_t index)
{
    if (found < capacity) {
        heap[found] = index;
        rise(q, heap, found);
    } else if (capacity > 0 && is_behind(q, heap[0], index)) {
        heap[0] = index;
        sink(q, heap, capacity, 0);
    }
}

static void sort(const query *q, size_t *heap, size_t count)
{
    while (count > 1) {
        exchange(heap, 0, --count);
        sink(q, heap, count, 0);
    }
}

csz_status cszi_catalog_query(const cszi_catalog *catalog, csz_kind kind, const char *text,
                              csz_field by, size_t *indices, size_t capacity, size_t *count)
{
    query q = {.catalog = catalog, .kind = kind, .table = &cszi_catalog_tables[kind]};
    csz_status status = read_conditions(&q, text);
    size_t found = 0;
    if (status != CSZ_OK)
        return status;
    if (by != CSZ_FIELD_NONE) {
        q.by = cszi_table_row(q.table, by);
        if (q.by == NULL || q.by->type == CSZ_TYPE_TEXT)
            return q.by == NULL ? CSZ_ERR_FIELD : CSZ_ERR_TYPE;
    }
    for (size_t i = 0; i < catalog->counts[kind]; i++)
        if (is_wanted(&q, i))
            keep(&q, indices, capacity, found++, i);
    sort(&q, indices, found < capacity ? found : capacity);
    *count = found;
    return CSZ_OK;
}
