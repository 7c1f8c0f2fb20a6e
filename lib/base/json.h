/* json.h: reading JSON in place. The text is checked once as a whole, then values are slices of it:
 * no allocation, no recursion (an explicit stack of CSZI_JSON_DEPTH levels).
 *
 * Strict RFC 8259 in valid UTF-8 (no overlong forms, no surrogates, paired \u escapes; a leading
 * BOM is refused). With foreign set, the bare words NaN, Infinity and -Infinity are accepted as
 * numbers, as Python writes them.
 */
#ifndef CSZI_BASE_JSON_H
#define CSZI_BASE_JSON_H

#include "base/error.h"

#define CSZI_JSON_DEPTH 64
#define CSZI_JSON_LENGTH (16u << 20) /* longest text, bytes */

typedef enum cszi_json_type {
    CSZI_JSON_NULL,
    CSZI_JSON_FALSE,
    CSZI_JSON_TRUE,
    CSZI_JSON_NUMBER,
    CSZI_JSON_STRING,
    CSZI_JSON_ARRAY,
    CSZI_JSON_OBJECT
} cszi_json_type;

typedef struct cszi_json {
    const char *text;
    size_t length;
    int foreign;
    cszi_error *error; /* where failures are reported */
} cszi_json;

/* A value: text[begin..end), blanks trimmed; a string includes its quotes. */
typedef struct cszi_json_value {
    size_t begin;
    size_t end;
} cszi_json_value;

/* Checks the whole text. Errors: CSZ_ERR_SYNTAX with what was expected, line and column;
 * CSZ_ERR_LIMIT beyond CSZI_JSON_DEPTH or CSZI_JSON_LENGTH. text need not end with NUL and may be
 * empty (an error). */
csz_status cszi_json_open(cszi_json *json, const char *text, size_t length, int foreign,
                          cszi_error *error, cszi_json_value *root);

cszi_json_type cszi_json_type_of(const cszi_json *json, cszi_json_value value);
const char *cszi_json_type_name(cszi_json_type type); /* "a number", "an object", ... */

/* Iteration: *cursor starts at 0; returns 1 and the next member or element, or 0 at the end. */
int cszi_json_next_member(const cszi_json *json, cszi_json_value object, size_t *cursor,
                          cszi_json_value *key, cszi_json_value *value);
int cszi_json_next_element(const cszi_json *json, cszi_json_value array, size_t *cursor,
                           cszi_json_value *value);

/* Looks a key up: *found is 0 or 1. A key that occurs twice in the object is CSZ_ERR_SYNTAX (line,
 * column, path). The key is compared after escapes are decoded. */
csz_status cszi_json_find(const cszi_json *json, cszi_json_value object, const char *key,
                          cszi_json_value *value, int *found);

/* Compares a string value (or key) with plain text. */
int cszi_json_equals(const cszi_json *json, cszi_json_value string, const char *text);

/* Decodes a string into text, snprintf-like: returns the full length in bytes, writes what fits and
 * a NUL. */
size_t cszi_json_string(const cszi_json *json, cszi_json_value string, char *text, size_t capacity);

/* The value must be a number: else CSZ_ERR_TYPE with line, column, path and what it is. i64 refuses
 * what is no integer of magnitude up to 2^53 (1e3 and 12.0 are integers). */
csz_status cszi_json_f64(const cszi_json *json, cszi_json_value value, double *number);
csz_status cszi_json_i64(const cszi_json *json, cszi_json_value value, int64_t *number);

/* Line and column (bytes) of an offset, from 1. */
void cszi_json_where(const cszi_json *json, size_t offset, int64_t *line, int64_t *column);

/* Fails at a value: "<message> at line L, column C (path $.a.b[3])". The path is found by walking
 * down from the root; a key or a value gives the path of its member. Returns status. */
csz_status cszi_json_fail(const cszi_json *json, cszi_json_value value, csz_status status,
                          csz_field field, const char *format, ...) CSZI_PRINTF(5, 6);

#endif
