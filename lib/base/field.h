/* field.h: one table row a field, and the engine that sets, gets, bounds, reads and writes by it.
 *
 * A table describes a record: a plain C struct whose members stand at the offsets of the rows, and
 * its lists of smaller records. Three modes differ in how an unset member is told: INPUT   the
 * record and each list element begin with words of set bits RESULT  NaN, or INT64_MIN for integers
 *   FACTS   0 or NULL (facts are never zero)
 * A list member addressed without an index means element 0.
 */
#ifndef CSZI_BASE_FIELD_H
#define CSZI_BASE_FIELD_H

#include "base/error.h"
#include "base/json.h"
#include "base/json_write.h"

#define CSZI_TEXT_CAPACITY 64   /* an id with its NUL */
#define CSZI_PAIRS_LENGTH 65536 /* longest text of name=value pairs */
#define CSZI_SEEN_BITS 6144     /* rows times list capacity of one table, at most */
#define CSZI_LISTS 5            /* lists of one record, the flat one (0) included */

typedef enum cszi_mode { CSZI_MODE_INPUT, CSZI_MODE_RESULT, CSZI_MODE_FACTS } cszi_mode;

typedef struct cszi_choice {
    int64_t value;
    const char *name; /* NULL ends a list of choices */
} cszi_choice;

extern const cszi_choice cszi_choices_bool[]; /* no, yes */

typedef struct cszi_field_row {
    csz_field id;
    csz_type type;
    csz_unit unit;
    uint32_t list;   /* index into the table's lists; 0: the record itself */
    uint32_t offset; /* of the member in its record */
    double lower;
    double upper;
    double initial; /* default; NaN: none */
    const cszi_choice *choices;
    const char *name;
    const char *alias;
    const char *since;
    const char *text;
} cszi_field_row;

typedef struct cszi_list {
    const char *name;
    uint32_t offset; /* of element 0 in the record, or of a pointer to it when indirect */
    uint32_t stride;
    uint32_t capacity;
    uint32_t count_offset; /* of an int64_t */
    uint32_t first;        /* first row of the list */
    uint32_t indirect;
} cszi_list;

typedef struct cszi_table {
    const char *name; /* "workload" */
    cszi_mode mode;
    const cszi_field_row *rows; /* by ascending id */
    size_t count;
    cszi_list lists[CSZI_LISTS];
    size_t list_count; /* at least 1 */
} cszi_table;

/* What a table alone does not know. All may be NULL. */
typedef struct cszi_hooks {
    void *user;
    /* Called instead of storing a text: looks the id up, copies what it stands for, stores the id.
     */
    csz_status (*resolve)(void *user, void *record, const cszi_field_row *row, const char *id,
                          cszi_error *error);
    /* Called for a JSON text instead of resolve: for texts of any length. */
    csz_status (*text)(void *user, void *record, const cszi_field_row *row, const cszi_json *json,
                       cszi_json_value value);
    /* A JSON member that is no field; *taken says whether it was understood. */
    csz_status (*member)(void *user, void *record, const cszi_json *json, cszi_json_value key,
                         cszi_json_value value, int *taken);
} cszi_hooks;

/* A record with every default in place and nothing set. Unset members always hold their default, or
 * 0 and "" where there is none, so that code reads members directly. */
void cszi_fields_init(const cszi_table *table, void *record, size_t size);

/* NULL when the table has no such row. */
const cszi_field_row *cszi_table_row(const cszi_table *table, csz_field field);
/* By name, alias, or "list.name". */
const cszi_field_row *cszi_table_by_name(const cszi_table *table, const char *name, size_t length);
/* The name closest to what was typed, or NULL when none is close. */
const char *cszi_table_nearest(const cszi_table *table, const char *name, size_t length);

csz_status cszi_field_set_f64(const cszi_table *table, void *record, const cszi_field_row *row,
                              size_t index, double value, cszi_error *error);
csz_status cszi_field_set_i64(const cszi_table *table, void *record, const cszi_field_row *row,
                              size_t index, int64_t value, cszi_error *error);
/* Parses by the row's type and unit. */
csz_status cszi_field_set_text(const cszi_table *table, void *record, const cszi_field_row *row,
                               size_t index, const char *text, size_t length,
                               const cszi_hooks *hooks, cszi_error *error);
void cszi_field_unset(const cszi_table *table, void *record, const cszi_field_row *row);

int cszi_field_is_set(const cszi_table *table, const void *record, const cszi_field_row *row,
                      size_t index);
csz_status cszi_field_get_f64(const cszi_table *table, const void *record,
                              const cszi_field_row *row, size_t index, double *value);
csz_status cszi_field_get_i64(const cszi_table *table, const void *record,
                              const cszi_field_row *row, size_t index, int64_t *value);
csz_status cszi_field_get_range(const cszi_table *table, const void *record,
                                const cszi_field_row *row, double range[3]);
/* Nothing when unset. */
void cszi_field_write_text(const cszi_table *table, const void *record, const cszi_field_row *row,
                           size_t index, cszi_out *out);
const char *cszi_field_choice_name(const cszi_field_row *row, int64_t value); /* or NULL */
const char *cszi_table_choice_name(const cszi_table *table, csz_field field, int64_t value);
size_t cszi_field_list_count(const cszi_table *table, const void *record,
                             const cszi_field_row *row);
/* One more element, at its defaults. */
csz_status cszi_field_list_append(const cszi_table *table, void *record, size_t list,
                                  cszi_error *error);
/* The member itself; NULL when index is beyond the list. For text fields (char arrays) and strings.
 */
const void *cszi_field_member(const cszi_table *table, const void *record,
                              const cszi_field_row *row, size_t index);

/* "name=value list[2].name=value": texts (ids) first in row order, then the rest in the order of
 * the text. Changes the record also when it fails: the caller works on a copy. */
csz_status cszi_fields_set_pairs(const cszi_table *table, void *record, const char *text,
                                 const cszi_hooks *hooks, cszi_error *error);
/* The same from a JSON object. A list given as an array replaces the list. */
csz_status cszi_fields_load(const cszi_table *table, void *record, const cszi_json *json,
                            cszi_json_value object, const cszi_hooks *hooks, cszi_error *error);
/* Members of an object that the caller has opened: set fields only; "group.name" nests; ranges add
 * "<name>_range". */
void cszi_fields_write(const cszi_table *table, const void *record, cszi_json_out *json);
/* The row itself as a JSON object. */
void cszi_field_describe(const cszi_table *table, const cszi_field_row *row, cszi_json_out *json);

#endif
