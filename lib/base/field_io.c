/* field_io.c: whole records as "name=value" text and as JSON, by the same rows. */
#include <string.h>

#include "base/field.h"

#define NO_INDEX ((size_t)-1)

/* Which fields a text has named already, so that a second naming is refused: one bit a row and list
 * index. */

typedef struct seen {
    uint64_t bits[CSZI_SEEN_BITS / 64];
    unsigned lists; /* given as arrays */
} seen;

static int see(seen *known, const cszi_table *table, const cszi_field_row *row, size_t index)
{
    size_t bit = 0, word;
    uint64_t mask;
    for (const cszi_field_row *r = table->rows; r < row; r++)
        bit += r->list != 0 ? table->lists[r->list].capacity : 1;
    bit += index;
    word = bit / 64;
    mask = (uint64_t)1 << (bit % 64);
    if (word >= CSZI_SEEN_BITS / 64)
        return 0; /* cannot be: each table asserts it */
    if ((known->bits[word] & mask) != 0)
        return 1;
    known->bits[word] |= mask;
    return 0;
}

/* ---- Pairs ---- */

typedef struct pair {
    const char *name;
    size_t name_length;
    size_t index; /* NO_INDEX when none was given */
    const char *value;
    size_t value_length;
    const cszi_field_row *row;
} pair;

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static csz_status unknown_name(const cszi_table *table, const char *name, size_t length,
                               cszi_error *error)
{
    const char *nearest = cszi_table_nearest(table, name, length);
    cszi_out out = cszi_error_open(error, CSZ_ERR_FIELD, CSZ_FIELD_NONE);
    cszi_out_quoted(&out, name, length);
    cszi_out_format(&out, " is no field of a %s", table->name);
    if (nearest != NULL)
        cszi_out_format(&out, "; the nearest is %s", nearest);
    (void)cszi_out_close(&out);
    return CSZ_ERR_FIELD;
}

/* "[12]" at text: the bytes it takes, 0 when it is none. */
static size_t read_index(const char *text, size_t length, size_t *index)
{
    size_t i = 1, value = 0;
    if (length < 3 || text[0] != '[')
        return 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9' && i < 6; i++)
        value = value * 10 + (size_t)(text[i] - '0');
    if (i == 1 || i >= length || text[i] != ']')
        return 0;
    *index = value;
    return i + 1;
}

/* Splits "list[2].name", "name[2]" or "name" and finds the row. */
static csz_status find_name(const cszi_table *table, pair *p, cszi_error *error)
{
    const char *bracket = memchr(p->name, '[', p->name_length);
    size_t stem = bracket != NULL ? (size_t)(bracket - p->name) : p->name_length;
    size_t used = 0, after;
    p->index = NO_INDEX;
    if (bracket != NULL)
        used = read_index(bracket, p->name_length - stem, &p->index);
    after = stem + used;
    if (bracket == NULL || after == p->name_length)
        p->row = used == 0 && bracket != NULL ? NULL : cszi_table_by_name(table, p->name, stem);
    else if (used != 0 && p->name[after] == '.') {
        p->row = cszi_table_by_name(table, p->name + after + 1, p->name_length - after - 1);
        if (p->row != NULL) {
            const char *list = table->lists[p->row->list].name;
            if (p->row->list == 0 || strlen(list) != stem || memcmp(list, p->name, stem) != 0)
                p->row = NULL;
        }
    } else
        p->row = NULL;
    return p->row != NULL ? CSZ_OK : unknown_name(table, p->name, p->name_length, error);
}

/* The next pair from *at on; *done at the end of the text. */
static csz_status next_pair(const cszi_table *table, const char **at, pair *p, int *done,
                            cszi_error *error)
{
    const char *s = *at, *equals;
    while (is_blank(*s))
        s++;
    *done = *s == '\0';
    if (*done)
        return CSZ_OK;
    p->name = s;
    while (*s != '\0' && !is_blank(*s))
        s++;
    *at = s;
    equals = memchr(p->name, '=', (size_t)(s - p->name));
    if (equals == NULL) {
        cszi_out out = cszi_error_open(error, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE);
        cszi_out_quoted(&out, p->name, (size_t)(s - p->name));
        cszi_out_text(&out, " is not of the form name=value");
        (void)cszi_out_close(&out);
        return CSZ_ERR_SYNTAX;
    }
    p->name_length = (size_t)(equals - p->name);
    p->value = equals + 1;
    p->value_length = (size_t)(s - p->value);
    return find_name(table, p, error);
}

static csz_status apply_pair(const cszi_table *table, void *record, const pair *p, seen *known,
                             const cszi_hooks *hooks, cszi_error *error)
{
    size_t index = p->index == NO_INDEX ? 0 : p->index;
    size_t capacity = p->row->list != 0 ? table->lists[p->row->list].capacity : 1;
    if (index < capacity && see(known, table, p->row, index))
        return cszi_fail(error, CSZ_ERR_SYNTAX, p->row->id, "%s is given twice", p->row->name);
    return cszi_field_set_text(table, record, p->row, index, p->value, p->value_length, hooks,
                               error);
}

/* Applies the pairs whose row is `only`, or, when it is NULL, those that hold no text. */
static csz_status apply_some(const cszi_table *table, void *record, const char *text,
                             const cszi_field_row *only, seen *known, const cszi_hooks *hooks,
                             cszi_error *error)
{
    int done = 0;
    pair p;
    for (;;) {
        csz_status status = next_pair(table, &text, &p, &done, error);
        if (status != CSZ_OK || done)
            return status;
        if (only != NULL ? p.row != only : p.row->type == CSZ_TYPE_TEXT)
            continue;
        status = apply_pair(table, record, &p, known, hooks, error);
        if (status != CSZ_OK)
            return status;
    }
}

csz_status cszi_fields_set_pairs(const cszi_table *table, void *record, const char *text,
                                 const cszi_hooks *hooks, cszi_error *error)
{
    seen known = {{0}, 0};
    if (memchr(text, '\0', CSZI_PAIRS_LENGTH + 1) == NULL)
        return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "the text is longer than %d bytes",
                         CSZI_PAIRS_LENGTH);
    for (const cszi_field_row *row = table->rows; row < table->rows + table->count; row++) {
        csz_status status;
        if (row->type != CSZ_TYPE_TEXT)
            continue;
        status = apply_some(table, record, text, row, &known, hooks, error);
        if (status != CSZ_OK)
            return status;
    }
    return apply_some(table, record, text, NULL, &known, hooks, error);
}

/* ---- JSON in ---- */

/* Adds line, column and path to a message that a setter has left. */
static csz_status locate(const cszi_json *json, cszi_json_value at, cszi_error *error)
{
    char text[CSZI_ERROR_CAPACITY];
    csz_field field;
    csz_status status;
    if (error == NULL)
        return CSZ_ERR_SYNTAX;
    memcpy(text, error->text, sizeof text);
    field = error->field;
    status = error->status;
    return cszi_json_fail(json, at, status, field, "%s", text);
}

static csz_status load_value(const cszi_table *table, void *record, const cszi_json *json,
                             const cszi_field_row *row, size_t index, cszi_json_value value,
                             const cszi_hooks *hooks, cszi_error *error)
{
    char text[256];
    double number;
    size_t length;
    csz_status status;
    cszi_json_type type = cszi_json_type_of(json, value);
    if (type == CSZI_JSON_STRING && row->type == CSZ_TYPE_TEXT && hooks != NULL &&
        hooks->text != NULL)
        return hooks->text(hooks->user, record, row, json, value);
    if (type == CSZI_JSON_STRING) {
        length = cszi_json_string(json, value, text, sizeof text);
        if (length >= sizeof text)
            return cszi_json_fail(json, value, CSZ_ERR_LIMIT, row->id,
                                  "%s: the text is longer than %d bytes", row->name,
                                  (int)sizeof text - 1);
        status = cszi_field_set_text(table, record, row, index, text, length, hooks, error);
    } else if (type == CSZI_JSON_NUMBER) {
        status = cszi_json_f64(json, value, &number);
        if (status != CSZ_OK)
            return status;
        status = cszi_field_set_f64(table, record, row, index, number, error);
    } else if (row->type == CSZ_TYPE_BOOL && (type == CSZI_JSON_TRUE || type == CSZI_JSON_FALSE)) {
        status = cszi_field_set_f64(table, record, row, index, type == CSZI_JSON_TRUE, error);
    } else if (type == CSZI_JSON_NULL && table->mode == CSZI_MODE_INPUT && row->list == 0) {
        cszi_field_unset(table, record, row); /* what an id has brought along */
        return CSZ_OK;
    } else {
        return cszi_json_fail(json, value, CSZ_ERR_TYPE, row->id,
                              "%s: is %s, should be a number or a text", row->name,
                              cszi_json_type_name(type));
    }
    return status == CSZ_OK ? CSZ_OK : locate(json, value, error);
}

static csz_status unknown_key(const cszi_table *table, const cszi_json *json, cszi_json_value key)
{
    char name[80];
    size_t length = cszi_json_string(json, key, name, sizeof name);
    const char *nearest;
    if (length >= sizeof name)
        length = sizeof name - 1;
    nearest = cszi_table_nearest(table, name, length);
    if (nearest == NULL)
        return cszi_json_fail(json, key, CSZ_ERR_FIELD, CSZ_FIELD_NONE, "no such field of a %s",
                              table->name);
    return cszi_json_fail(json, key, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                          "no such field of a %s; the nearest is %s", table->name, nearest);
}

static const cszi_field_row *row_of_key(const cszi_table *table, const cszi_json *json,
                                        cszi_json_value key)
{
    char name[80];
    size_t length = cszi_json_string(json, key, name, sizeof name);
    return length < sizeof name ? cszi_table_by_name(table, name, length) : NULL;
}

/* The members of one list element. */
static csz_status load_element(const cszi_table *table, void *record, const cszi_json *json,
                               size_t list, size_t index, cszi_json_value object, seen *known,
                               const cszi_hooks *hooks, cszi_error *error)
{
    size_t cursor = 0;
    cszi_json_value key, value;
    if (cszi_json_type_of(json, object) != CSZI_JSON_OBJECT)
        return cszi_json_fail(json, object, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "%s: an element should be an object", table->lists[list].name);
    if (cszi_field_list_append(table, record, list, error) != CSZ_OK)
        return locate(json, object, error);
    while (cszi_json_next_member(json, object, &cursor, &key, &value)) {
        const cszi_field_row *row = row_of_key(table, json, key);
        csz_status status;
        if (row == NULL || row->list != list)
            return unknown_key(table, json, key);
        if (index < table->lists[list].capacity && see(known, table, row, index))
            return cszi_json_fail(json, key, CSZ_ERR_SYNTAX, row->id, "%s is given twice",
                                  row->name);
        status = load_value(table, record, json, row, index, value, hooks, error);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}

static csz_status load_list(const cszi_table *table, void *record, const cszi_json *json,
                            size_t list, cszi_json_value array, seen *known,
                            const cszi_hooks *hooks, cszi_error *error)
{
    size_t cursor = 0, index = 0;
    cszi_json_value element;
    int64_t none = 0;
    if (cszi_json_type_of(json, array) != CSZI_JSON_ARRAY)
        return cszi_json_fail(json, array, CSZ_ERR_TYPE, CSZ_FIELD_NONE, "%s: should be an array",
                              table->lists[list].name);
    if ((known->lists >> list & 1) != 0)
        return cszi_json_fail(json, array, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "%s is given twice",
                              table->lists[list].name);
    known->lists |= 1u << list;
    memcpy((char *)record + table->lists[list].count_offset, &none, sizeof none);
    while (cszi_json_next_element(json, array, &cursor, &element)) {
        csz_status status =
            load_element(table, record, json, list, index, element, known, hooks, error);
        if (status != CSZ_OK)
            return status;
        index++;
    }
    return CSZ_OK;
}

static size_t list_of_key(const cszi_table *table, const cszi_json *json, cszi_json_value key)
{
    for (size_t i = 1; i < table->list_count; i++)
        if (cszi_json_equals(json, key, table->lists[i].name))
            return i;
    return 0;
}

/* A member that is no field, for the hook; find refuses a key that is given twice. */
static csz_status load_foreign(void *record, const cszi_json *json, cszi_json_value object,
                               cszi_json_value key, cszi_json_value value, const cszi_hooks *hooks,
                               int *taken)
{
    char name[80];
    cszi_json_value same;
    int found = 0;
    csz_status status;
    if (hooks == NULL || hooks->member == NULL ||
        cszi_json_string(json, key, name, sizeof name) >= sizeof name)
        return CSZ_OK;
    status = cszi_json_find(json, object, name, &same, &found);
    return status != CSZ_OK ? status : hooks->member(hooks->user, record, json, key, value, taken);
}

/* What a pass over the members of an object takes: one text row (ids come in row order, since what
 * they stand for must not replace what is said beside them), the lists, or everything else. */
typedef struct pass {
    const cszi_field_row *text;
    int lists;
} pass;

static csz_status load_member(const cszi_table *table, void *record, const cszi_json *json,
                              cszi_json_value object, cszi_json_value key, cszi_json_value value,
                              const pass *p, seen *known, const cszi_hooks *hooks,
                              cszi_error *error)
{
    const cszi_field_row *row = row_of_key(table, json, key);
    size_t list = row == NULL ? list_of_key(table, json, key) : 0;
    int taken = 0;
    if (p->text != NULL ? row != p->text
                        : (row != NULL && row->type == CSZ_TYPE_TEXT) || (list != 0) != p->lists)
        return CSZ_OK; /* another pass reads it */
    if (list != 0)
        return load_list(table, record, json, list, value, known, hooks, error);
    if (row == NULL) {
        csz_status status = load_foreign(record, json, object, key, value, hooks, &taken);
        if (status != CSZ_OK || taken)
            return status;
        return unknown_key(table, json, key);
    }
    if (see(known, table, row, 0))
        return cszi_json_fail(json, key, CSZ_ERR_SYNTAX, row->id, "%s is given twice", row->name);
    return load_value(table, record, json, row, 0, value, hooks, error);
}

static csz_status load_pass(const cszi_table *table, void *record, const cszi_json *json,
                            cszi_json_value object, pass p, seen *known, const cszi_hooks *hooks,
                            cszi_error *error)
{
    size_t cursor = 0;
    cszi_json_value key, value;
    csz_status status = CSZ_OK;
    while (status == CSZ_OK && cszi_json_next_member(json, object, &cursor, &key, &value))
        status = load_member(table, record, json, object, key, value, &p, known, hooks, error);
    return status;
}

csz_status cszi_fields_load(const cszi_table *table, void *record, const cszi_json *json,
                            cszi_json_value object, const cszi_hooks *hooks, cszi_error *error)
{
    seen known = {{0}, 0};
    csz_status status = CSZ_OK;
    if (cszi_json_type_of(json, object) != CSZI_JSON_OBJECT)
        return cszi_json_fail(json, object, CSZ_ERR_TYPE, CSZ_FIELD_NONE, "%s: should be an object",
                              table->name);
    for (const cszi_field_row *row = table->rows;
         status == CSZ_OK && row < table->rows + table->count; row++)
        if (row->type == CSZ_TYPE_TEXT)
            status = load_pass(table, record, json, object, (pass){row, 0}, &known, hooks, error);
    for (int lists = 1; lists >= 0 && status == CSZ_OK; lists--)
        status = load_pass(table, record, json, object, (pass){NULL, lists}, &known, hooks, error);
    return status;
}

/* ---- JSON out ---- */

static void write_number(const cszi_table *table, const void *record, const cszi_field_row *row,
                         size_t index, cszi_json_out *json)
{
    double value = 0;
    const char *name;
    (void)cszi_field_get_f64(table, record, row, index, &value);
    name = row->choices != NULL ? cszi_field_choice_name(row, (int64_t)value) : NULL;
    if (row->type == CSZ_TYPE_BOOL)
        cszi_json_put_bool(json, value > 0);
    else if (name != NULL)
        cszi_json_put_text(json, name);
    else if (row->type == CSZ_TYPE_I64)
        cszi_json_put_i64(json, (int64_t)value);
    else
        cszi_json_put_f64(json, value);
}

static void write_range(const cszi_table *table, const void *record, const cszi_field_row *row,
                        const char *name, cszi_json_out *json)
{
    char key[80];
    double range[3] = {0, 0, 0};
    cszi_out out = cszi_out_open(key, sizeof key);
    cszi_out_format(&out, "%s_range", name);
    (void)cszi_out_close(&out);
    (void)cszi_field_get_range(table, record, row, range);
    cszi_json_key(json, key);
    cszi_json_open_array(json);
    cszi_json_put_f64(json, range[0]);
    cszi_json_put_f64(json, range[2]);
    cszi_json_close_array(json);
}

static void write_member(const cszi_table *table, const void *record, const cszi_field_row *row,
                         size_t index, const char *name, cszi_json_out *json)
{
    cszi_json_key(json, name);
    if (row->type == CSZ_TYPE_TEXT) {
        const char *text = cszi_field_member(table, record, row, index);
        if (table->mode == CSZI_MODE_FACTS)
            memcpy(&text, cszi_field_member(table, record, row, index), sizeof text);
        cszi_json_put_text(json, text);
        return;
    }
    write_number(table, record, row, index, json);
    if (row->type == CSZ_TYPE_RANGE)
        write_range(table, record, row, name, json);
}

static void write_list(const cszi_table *table, const void *record, size_t list,
                       cszi_json_out *json)
{
    const cszi_field_row *first = &table->rows[table->lists[list].first];
    const cszi_field_row *end = table->rows + table->count;
    size_t count = cszi_field_list_count(table, record, first);
    if (count == 0)
        return;
    cszi_json_key(json, table->lists[list].name);
    cszi_json_open_array(json);
    for (size_t i = 0; i < count; i++) {
        cszi_json_open_object(json);
        for (const cszi_field_row *row = first; row < end && row->list == list; row++)
            if (cszi_field_is_set(table, record, row, i))
                write_member(table, record, row, i, row->name, json);
        cszi_json_close_object(json);
    }
    cszi_json_close_array(json);
}

static size_t group_length(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot != NULL ? (size_t)(dot - name) : 0;
}

/* Opens and closes the objects of "group.name" rows as the group changes. */
static void change_group(const char **open, const char *name, cszi_json_out *json)
{
    size_t n = name != NULL ? group_length(name) : 0;
    if (*open != NULL && n == group_length(*open) &&
        memcmp(*open, name != NULL ? name : "", n) == 0)
        return;
    if (*open != NULL)
        cszi_json_close_object(json);
    *open = NULL;
    if (n != 0) {
        char key[CSZI_TEXT_CAPACITY];
        cszi_out out = cszi_out_open(key, sizeof key);
        cszi_out_bytes(&out, name, n);
        (void)cszi_out_close(&out);
        cszi_json_key(json, key);
        cszi_json_open_object(json);
        *open = name;
    }
}

void cszi_fields_write(const cszi_table *table, const void *record, cszi_json_out *json)
{
    const char *open = NULL;
    for (const cszi_field_row *row = table->rows; row < table->rows + table->count; row++) {
        size_t n = group_length(row->name);
        if (row->list != 0 || !cszi_field_is_set(table, record, row, 0))
            continue;
        change_group(&open, row->name, json);
        write_member(table, record, row, 0, row->name + (n != 0 ? n + 1 : 0), json);
    }
    change_group(&open, NULL, json);
    for (size_t list = 1; list < table->list_count; list++)
        write_list(table, record, list, json);
}
