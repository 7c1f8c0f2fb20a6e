/* field.c: setting and getting one field by its row. */
#include "base/field.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/number.h"
#include "base/unit.h"

static const double COUNT_MAX = (double)CSZI_COUNT_MAX;

const cszi_choice cszi_choices_bool[] = {{0, "no"}, {1, "yes"}, {0, NULL}};

/* ---- Rows ---- */

const cszi_field_row *cszi_table_row(const cszi_table *table, csz_field field)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->rows[middle].id < field)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->count && table->rows[low].id == field ? &table->rows[low] : NULL;
}

static int is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

static int is_qualified(const cszi_table *table, const cszi_field_row *row, const char *text,
                        size_t length)
{
    const char *list = table->lists[row->list].name;
    size_t n = row->list != 0 ? strlen(list) : 0;
    return n != 0 && length > n + 1 && memcmp(list, text, n) == 0 && text[n] == '.' &&
           is_word(row->name, text + n + 1, length - n - 1);
}

const cszi_field_row *cszi_table_by_name(const cszi_table *table, const char *name, size_t length)
{
    for (size_t i = 0; i < table->count; i++) {
        const cszi_field_row *row = &table->rows[i];
        if (is_word(row->name, name, length) ||
            (row->alias[0] != '\0' && is_word(row->alias, name, length)) ||
            is_qualified(table, row, name, length))
            return row;
    }
    return NULL;
}

/* Edits between two words, at most CSZI_TEXT_CAPACITY long: Levenshtein with one row. */
static size_t distance(const char *a, size_t m, const char *b, size_t n)
{
    size_t line[CSZI_TEXT_CAPACITY + 1];
    for (size_t j = 0; j <= n; j++)
        line[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = line[0];
        line[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t up = line[j], best = diagonal + (a[i - 1] != b[j - 1]);
            if (up + 1 < best)
                best = up + 1;
            if (line[j - 1] + 1 < best)
                best = line[j - 1] + 1;
            line[j] = best;
            diagonal = up;
        }
    }
    return line[n];
}

const char *cszi_table_nearest(const cszi_table *table, const char *name, size_t length)
{
    const char *nearest = NULL;
    size_t least = length / 2 + 1;
    if (length > CSZI_TEXT_CAPACITY)
        return NULL;
    for (size_t i = 0; i < table->count; i++) {
        size_t n = strlen(table->rows[i].name);
        size_t d = n <= CSZI_TEXT_CAPACITY ? distance(name, length, table->rows[i].name, n) : least;
        if (d < least) {
            least = d;
            nearest = table->rows[i].name;
        }
    }
    return nearest;
}

/* ---- Places ---- */

static int64_t list_count(const cszi_list *list, const void *record)
{
    int64_t count;
    memcpy(&count, (const char *)record + list->count_offset, sizeof count);
    return count;
}

size_t cszi_field_list_count(const cszi_table *table, const void *record, const cszi_field_row *row)
{
    return row->list == 0 ? 1 : (size_t)list_count(&table->lists[row->list], record);
}

/* The record that a member lives in: the record itself or a list element, which may not exist yet.
 */
static const char *home(const cszi_table *table, const void *record, const cszi_field_row *row,
                        size_t index)
{
    const cszi_list *list = &table->lists[row->list];
    const char *base = record;
    if (row->list == 0)
        return base;
    if (list->indirect != 0)
        memcpy(&base, (const char *)record + list->offset, sizeof base);
    else
        base += list->offset;
    return base + index * list->stride;
}

const void *cszi_field_member(const cszi_table *table, const void *record,
                              const cszi_field_row *row, size_t index)
{
    if (index >= cszi_field_list_count(table, record, row))
        return NULL;
    return home(table, record, row, index) + row->offset;
}

static size_t bit_of(const cszi_table *table, const cszi_field_row *row)
{
    size_t position = (size_t)(row - table->rows);
    return row->list == 0 ? position : position - table->lists[row->list].first;
}

static void mark(const cszi_table *table, char *place, const cszi_field_row *row, int set)
{
    size_t bit = bit_of(table, row);
    uint64_t word, mask = (uint64_t)1 << (bit % 64);
    char *at = place + bit / 64 * sizeof word;
    memcpy(&word, at, sizeof word);
    word = set ? word | mask : word & ~mask;
    memcpy(at, &word, sizeof word);
}

static int is_marked(const cszi_table *table, const char *place, const cszi_field_row *row)
{
    size_t bit = bit_of(table, row);
    uint64_t word;
    memcpy(&word, place + bit / 64 * sizeof word, sizeof word);
    return (word >> (bit % 64) & 1) != 0;
}

/* The default of a member, or nothing. */
static void restore(const cszi_field_row *row, char *place)
{
    double real = isnan(row->initial) ? 0 : row->initial;
    int64_t integer = (int64_t)real;
    if (row->type == CSZ_TYPE_TEXT)
        memset(place + row->offset, 0, CSZI_TEXT_CAPACITY);
    else if (row->type == CSZ_TYPE_F64)
        memcpy(place + row->offset, &real, sizeof real);
    else
        memcpy(place + row->offset, &integer, sizeof integer);
}

static void restore_list(const cszi_table *table, size_t list, char *place)
{
    for (size_t i = table->lists[list].first; i < table->count; i++)
        if (table->rows[i].list == list)
            restore(&table->rows[i], place);
}

void cszi_fields_init(const cszi_table *table, void *record, size_t size)
{
    memset(record, 0, size);
    restore_list(table, 0, record);
}

csz_status cszi_field_list_append(const cszi_table *table, void *record, size_t list,
                                  cszi_error *error)
{
    const cszi_list *l = &table->lists[list];
    int64_t count = list_count(l, record);
    char *place = (char *)record + l->offset + (size_t)count * l->stride;
    if ((size_t)count >= l->capacity)
        return cszi_fail(error, CSZ_ERR_LIMIT, table->rows[l->first].id, "%s: at most %zu elements",
                         l->name, (size_t)l->capacity);
    memset(place, 0, l->stride);
    restore_list(table, list, place);
    count++;
    memcpy((char *)record + l->count_offset, &count, sizeof count);
    return CSZ_OK;
}

/* The writable member; grows a list by one element when index is the first free one. */
static csz_status open_member(const cszi_table *table, void *record, const cszi_field_row *row,
                              size_t index, char **place, cszi_error *error)
{
    const cszi_list *list = &table->lists[row->list];
    size_t count = cszi_field_list_count(table, record, row);
    csz_status status = CSZ_OK;
    if (row->list == 0 && index != 0)
        return cszi_fail(error, CSZ_ERR_RANGE, row->id, "%s: is no list, index %zu does not exist",
                         row->name, index);
    if (row->list != 0 && index >= list->capacity)
        return cszi_fail(error, CSZ_ERR_LIMIT, row->id, "%s[%zu].%s: at most %zu elements",
                         list->name, index, row->name, (size_t)list->capacity);
    if (index > count)
        return cszi_fail(error, CSZ_ERR_RANGE, row->id, "%s[%zu].%s: the next free index is %zu",
                         list->name, index, row->name, count);
    if (row->list != 0 && index == count)
        status = cszi_field_list_append(table, record, row->list, error);
    *place = (char *)record + (home(table, record, row, index) - (const char *)record);
    return status;
}

/* ---- Setting ---- */

static csz_status out_of_bounds(const cszi_field_row *row, double value, cszi_error *error)
{
    char given[40], lowest[40], highest[40];
    (void)cszi_unit_format(row->unit, row->lower, lowest, sizeof lowest);
    (void)cszi_unit_format(row->unit, row->upper, highest, sizeof highest);
    (void)cszi_unit_format(row->unit, value, given, sizeof given);
    return cszi_fail(error, CSZ_ERR_RANGE, row->id, "%s: %g (%s) is outside %g to %g (%s to %s)",
                     row->name, value, given, row->lower, row->upper, lowest, highest);
}

static csz_status set_checked(const cszi_table *table, void *record, const cszi_field_row *row,
                              size_t index, double value, cszi_error *error)
{
    char *place;
    csz_status status;
    if (row->type == CSZ_TYPE_CHOICE && cszi_field_choice_name(row, (int64_t)value) == NULL)
        return cszi_fail(error, CSZ_ERR_RANGE, row->id, "%s: %g is none of its choices", row->name,
                         value);
    status = open_member(table, record, row, index, &place, error);
    if (status != CSZ_OK)
        return status;
    if (row->type == CSZ_TYPE_F64) {
        memcpy(place + row->offset, &value, sizeof value);
    } else {
        int64_t integer = (int64_t)value;
        memcpy(place + row->offset, &integer, sizeof integer);
    }
    if (table->mode == CSZI_MODE_INPUT)
        mark(table, place, row, 1);
    return CSZ_OK;
}

csz_status cszi_field_set_f64(const cszi_table *table, void *record, const cszi_field_row *row,
                              size_t index, double value, cszi_error *error)
{
    if (row->type == CSZ_TYPE_TEXT || row->type == CSZ_TYPE_RANGE)
        return cszi_fail(error, CSZ_ERR_TYPE, row->id, "%s: takes a text, not a number", row->name);
    if (!isfinite(value))
        return cszi_fail(error, CSZ_ERR_RANGE, row->id, "%s: %s is no finite number", row->name,
                         isnan(value) ? "NaN" : "infinity");
    if (value < row->lower || value > row->upper)
        return out_of_bounds(row, value, error);
    if (row->type != CSZ_TYPE_F64 && value < ceil(value))
        return cszi_fail(error, CSZ_ERR_TYPE, row->id, "%s: %g is no integer", row->name, value);
    return set_checked(table, record, row, index, value, error);
}

csz_status cszi_field_set_i64(const cszi_table *table, void *record, const cszi_field_row *row,
                              size_t index, int64_t value, cszi_error *error)
{
    if (value > CSZI_COUNT_MAX || value < -CSZI_COUNT_MAX)
        return cszi_fail(error, CSZ_ERR_TYPE, row->id, "%s: %lld is beyond 2^53", row->name,
                         (long long)value);
    return cszi_field_set_f64(table, record, row, index, (double)value, error);
}

static csz_status set_choice(const cszi_table *table, void *record, const cszi_field_row *row,
                             size_t index, const char *text, size_t length, cszi_error *error)
{
    cszi_out out;
    for (const cszi_choice *c = row->choices; c->name != NULL; c++)
        if (is_word(c->name, text, length) || (length == 1 && text[0] - '0' == c->value))
            return cszi_field_set_f64(table, record, row, index, (double)c->value, error);
    out = cszi_error_open(error, CSZ_ERR_UNKNOWN, row->id);
    cszi_out_format(&out, "%s: ", row->name);
    cszi_out_quoted(&out, text, length);
    cszi_out_text(&out, " is none of ");
    for (const cszi_choice *c = row->choices; c->name != NULL; c++)
        cszi_out_format(&out, "%s%s", c->name, c[1].name != NULL ? ", " : "");
    (void)cszi_out_close(&out);
    return CSZ_ERR_UNKNOWN;
}

static csz_status set_id(const cszi_table *table, void *record, const cszi_field_row *row,
                         size_t index, const char *text, size_t length, const cszi_hooks *hooks,
                         cszi_error *error)
{
    char id[CSZI_TEXT_CAPACITY];
    char *place;
    csz_status status;
    if (length == 0 || length >= sizeof id || memchr(text, '\0', length) != NULL)
        return cszi_fail(error, CSZ_ERR_LIMIT, row->id,
                         "%s: a text has 1 to %zu bytes, this has %zu", row->name, sizeof id - 1,
                         length);
    memcpy(id, text, length);
    id[length] = '\0';
    if (hooks != NULL && hooks->resolve != NULL)
        return hooks->resolve(hooks->user, record, row, id, error);
    status = open_member(table, record, row, index, &place, error);
    if (status != CSZ_OK)
        return status;
    memcpy(place + row->offset, id, length + 1);
    mark(table, place, row, 1);
    return CSZ_OK;
}

/* The unit's message with the field's name in front. */
static csz_status parse_value(const cszi_field_row *row, const char *text, size_t length,
                              double *value, cszi_error *error)
{
    cszi_error said;
    csz_status status = cszi_unit_parse(row->unit, text, length, value, &said, row->id);
    return status == CSZ_OK ? CSZ_OK
                            : cszi_fail(error, status, row->id, "%s: %s", row->name, said.text);
}

csz_status cszi_field_set_text(const cszi_table *table, void *record, const cszi_field_row *row,
                               size_t index, const char *text, size_t length,
                               const cszi_hooks *hooks, cszi_error *error)
{
    double value;
    csz_status status;
    if (row->type == CSZ_TYPE_TEXT)
        return set_id(table, record, row, index, text, length, hooks, error);
    if (row->choices != NULL)
        return set_choice(table, record, row, index, text, length, error);
    status = parse_value(row, text, length, &value, error);
    if (status != CSZ_OK)
        return status;
    return cszi_field_set_f64(table, record, row, index, value, error);
}

void cszi_field_unset(const cszi_table *table, void *record, const cszi_field_row *row)
{
    char *place = NULL;
    if (cszi_field_list_count(table, record, row) == 0)
        return;
    if (open_member(table, record, row, 0, &place, NULL) == CSZ_OK) {
        mark(table, place, row, 0);
        restore(row, place);
    }
}

/* ---- Getting ---- */

static double read_f64(const cszi_field_row *row, const char *member)
{
    double real;
    int64_t integer;
    if (row->type == CSZ_TYPE_F64 || row->type == CSZ_TYPE_RANGE) {
        memcpy(&real, member + (row->type == CSZ_TYPE_RANGE ? sizeof real : 0), sizeof real);
        return real;
    }
    memcpy(&integer, member, sizeof integer);
    return integer == INT64_MIN ? (double)NAN : (double)integer;
}

int cszi_field_is_set(const cszi_table *table, const void *record, const cszi_field_row *row,
                      size_t index)
{
    const char *member = cszi_field_member(table, record, row, index);
    if (member == NULL)
        return 0;
    if (table->mode == CSZI_MODE_INPUT)
        return is_marked(table, home(table, record, row, index), row);
    if (row->type == CSZ_TYPE_TEXT && table->mode == CSZI_MODE_FACTS) {
        const char *string;
        memcpy(&string, member, sizeof string);
        return string != NULL;
    }
    if (table->mode == CSZI_MODE_FACTS)
        return read_f64(row, member) > 0;
    return row->type == CSZ_TYPE_TEXT ? member[0] != '\0' : !isnan(read_f64(row, member));
}

csz_status cszi_field_get_f64(const cszi_table *table, const void *record,
                              const cszi_field_row *row, size_t index, double *value)
{
    if (row->type == CSZ_TYPE_TEXT)
        return CSZ_ERR_TYPE;
    if (row->list != 0 && index > 0 && index >= cszi_field_list_count(table, record, row))
        return CSZ_ERR_RANGE;
    if (cszi_field_is_set(table, record, row, index)) {
        *value = read_f64(row, cszi_field_member(table, record, row, index));
        return CSZ_OK;
    }
    if (isnan(row->initial))
        return CSZ_ERR_UNSET;
    *value = row->initial;
    return CSZ_OK;
}

csz_status cszi_field_get_i64(const cszi_table *table, const void *record,
                              const cszi_field_row *row, size_t index, int64_t *value)
{
    double real;
    csz_status status = cszi_field_get_f64(table, record, row, index, &real);
    if (status != CSZ_OK)
        return status;
    if (fabs(real) > COUNT_MAX || real < ceil(real))
        return CSZ_ERR_TYPE;
    *value = (int64_t)real;
    return CSZ_OK;
}

csz_status cszi_field_get_range(const cszi_table *table, const void *record,
                                const cszi_field_row *row, double range[3])
{
    csz_status status = cszi_field_get_f64(table, record, row, 0, &range[1]);
    if (status != CSZ_OK)
        return status;
    range[0] = range[2] = range[1];
    if (row->type == CSZ_TYPE_RANGE)
        memcpy(range, cszi_field_member(table, record, row, 0), 3 * sizeof *range);
    return CSZ_OK;
}

const char *cszi_field_choice_name(const cszi_field_row *row, int64_t value)
{
    if (row->choices == NULL)
        return NULL;
    for (const cszi_choice *c = row->choices; c->name != NULL; c++)
        if (c->value == value)
            return c->name;
    return NULL;
}

const char *cszi_table_choice_name(const cszi_table *table, csz_field field, int64_t value)
{
    return cszi_field_choice_name(cszi_table_row(table, field), value);
}

static const char *read_text(const cszi_table *table, const cszi_field_row *row, const char *member)
{
    const char *string = member;
    (void)row;
    if (table->mode == CSZI_MODE_FACTS)
        memcpy(&string, member, sizeof string);
    return string;
}

void cszi_field_write_text(const cszi_table *table, const void *record, const cszi_field_row *row,
                           size_t index, cszi_out *out)
{
    double value;
    const char *name;
    if (row->type == CSZ_TYPE_TEXT) {
        if (cszi_field_is_set(table, record, row, index))
            cszi_out_text(out, read_text(table, row, cszi_field_member(table, record, row, index)));
        return;
    }
    if (cszi_field_get_f64(table, record, row, index, &value) != CSZ_OK)
        return;
    name = row->choices != NULL ? cszi_field_choice_name(row, (int64_t)value) : NULL;
    if (name != NULL)
        cszi_out_text(out, name);
    else
        cszi_out_f64(out, value);
}
