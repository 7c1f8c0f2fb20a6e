/* json.c: reading JSON in place: the text has been checked as a whole, everything here only steps
 * from value to value. */
#include <math.h>
#include <string.h>

#include "base/json_text.h"
#include "base/number.h"
#include "base/utf8.h"

/* --- Stepping over checked text --- */

static size_t skip_blanks(const cszi_json *json, size_t at)
{
    while (at < json->length && cszi_json_is_blank(json->text[at])) {
        at++;
    }
    return at;
}

static size_t skip_string(const cszi_json *json, size_t at)
{
    for (at++; at < json->length && json->text[at] != '"'; at++) {
        if (json->text[at] == '\\') {
            at++;
        }
    }
    return at + 1;
}

static size_t skip_container(const cszi_json *json, size_t at)
{
    int depth = 0;

    while (at < json->length) {
        char c = json->text[at];

        if (c == '"') {
            at = skip_string(json, at);
            continue;
        }
        at++;
        if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
            if (depth == 0) {
                break;
            }
        }
    }
    return at;
}

cszi_json_value cszi_json_value_at(const cszi_json *json, size_t at)
{
    cszi_json_value value;
    char c;

    value.begin = skip_blanks(json, at);
    value.end = value.begin;
    if (value.begin >= json->length) {
        return value;
    }
    c = json->text[value.begin];
    if (c == '"') {
        value.end = skip_string(json, value.begin);
    } else if (c == '{' || c == '[') {
        value.end = skip_container(json, value.begin);
    } else {
        for (; value.end < json->length; value.end++) {
            c = json->text[value.end];
            if (cszi_json_is_blank(c) || c == ',' || c == ']' || c == '}') {
                break;
            }
        }
    }
    return value;
}

csz_status cszi_json_open(cszi_json *json, const char *text, size_t length, int foreign,
                          cszi_error *error, cszi_json_value *root)
{
    csz_status status;

    json->text = text;
    json->length = length;
    json->foreign = foreign;
    json->error = error;
    root->begin = 0;
    root->end = 0;
    if (length > CSZI_JSON_LENGTH) {
        return cszi_fail(error, CSZ_ERR_LIMIT, (csz_field)0,
                         "the text has %zu bytes, more than %zu", length, (size_t)CSZI_JSON_LENGTH);
    }
    status = cszi_json_check(json);
    if (status == CSZ_OK) {
        *root = cszi_json_value_at(json, 0);
    }
    return status;
}

cszi_json_type cszi_json_type_of(const cszi_json *json, cszi_json_value value)
{
    switch (value.begin < json->length ? json->text[value.begin] : 'n') {
    case '{':
        return CSZI_JSON_OBJECT;
    case '[':
        return CSZI_JSON_ARRAY;
    case '"':
        return CSZI_JSON_STRING;
    case 't':
        return CSZI_JSON_TRUE;
    case 'f':
        return CSZI_JSON_FALSE;
    case 'n':
        return CSZI_JSON_NULL;
    default:
        return CSZI_JSON_NUMBER;
    }
}

const char *cszi_json_type_name(cszi_json_type type)
{
    static const char *const names[] = {
        [CSZI_JSON_NULL] = "null",        [CSZI_JSON_FALSE] = "false",
        [CSZI_JSON_TRUE] = "true",        [CSZI_JSON_NUMBER] = "a number",
        [CSZI_JSON_STRING] = "a string",  [CSZI_JSON_ARRAY] = "an array",
        [CSZI_JSON_OBJECT] = "an object",
    };

    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "a value";
}

/* Steps to what follows in a container: the offset of the next key or element, or 0 at its end. The
 * cursor is 0 or the offset behind the last value; it stays at the closing bracket. */
static size_t step(const cszi_json *json, cszi_json_value container, size_t *cursor)
{
    size_t at = skip_blanks(json, *cursor == 0 ? container.begin + 1 : *cursor);

    *cursor = at;
    if (at >= json->length || json->text[at] == ']' || json->text[at] == '}') {
        return 0;
    }
    return json->text[at] == ',' ? skip_blanks(json, at + 1) : at;
}

int cszi_json_next_member(const cszi_json *json, cszi_json_value object, size_t *cursor,
                          cszi_json_value *key, cszi_json_value *value)
{
    size_t at;

    if (cszi_json_type_of(json, object) != CSZI_JSON_OBJECT) {
        return 0;
    }
    at = step(json, object, cursor);
    if (at == 0) {
        return 0;
    }
    key->begin = at;
    key->end = skip_string(json, at);
    *value = cszi_json_value_at(json, skip_blanks(json, key->end) + 1);
    *cursor = value->end;
    return 1;
}

int cszi_json_next_element(const cszi_json *json, cszi_json_value array, size_t *cursor,
                           cszi_json_value *value)
{
    size_t at;

    if (cszi_json_type_of(json, array) != CSZI_JSON_ARRAY) {
        return 0;
    }
    at = step(json, array, cursor);
    if (at == 0) {
        return 0;
    }
    *value = cszi_json_value_at(json, at);
    *cursor = value->end;
    return 1;
}

/* --- Strings --- */

static size_t put_utf8(unsigned long code, char bytes[4])
{
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        bytes[0] = (char)(0xc0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        bytes[0] = (char)(0xe0 | code >> 12);
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    bytes[0] = (char)(0xf0 | code >> 18);
    bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
    bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
    bytes[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* Decodes the character or byte at *at of a checked string, moves *at behind it and returns its
 * bytes. */
static size_t decode(const char *text, size_t *at, char bytes[4])
{
    static const char letters[] = "bfnrt";
    static const char meanings[] = "\b\f\n\r\t";
    const char *found;
    char kind;
    unsigned long code;

    bytes[0] = text[*at];
    if (bytes[0] != '\\') {
        *at += 1;
        return 1;
    }
    kind = text[*at + 1];
    if (kind != 'u') {
        found = strchr(letters, kind);
        bytes[0] = found != NULL ? meanings[found - letters] : kind;
        *at += 2;
        return 1;
    }
    code = (unsigned long)cszi_json_hex4(text + *at + 2, 4);
    *at += 6;
    if (code >= 0xd800 && code <= 0xdfff) {
        unsigned long second = (unsigned long)cszi_json_hex4(text + *at + 2, 4);

        code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
        *at += 6;
    }
    return put_utf8(code, bytes);
}

static int string_equals(const cszi_json *json, cszi_json_value string, const char *text,
                         size_t length)
{
    size_t at = string.begin + 1;
    size_t matched = 0;

    while (at + 1 < string.end) {
        char bytes[4];
        size_t count = decode(json->text, &at, bytes);

        if (length - matched < count || memcmp(text + matched, bytes, count) != 0) {
            return 0;
        }
        matched += count;
    }
    return matched == length;
}

int cszi_json_equals(const cszi_json *json, cszi_json_value string, const char *text)
{
    return cszi_json_type_of(json, string) == CSZI_JSON_STRING &&
           string_equals(json, string, text, strlen(text));
}

size_t cszi_json_string(const cszi_json *json, cszi_json_value string, char *text, size_t capacity)
{
    cszi_out out = cszi_out_open(text, capacity);
    size_t at = string.begin + 1;

    if (cszi_json_type_of(json, string) == CSZI_JSON_STRING) {
        while (at + 1 < string.end) {
            char bytes[4];
            size_t count = decode(json->text, &at, bytes);

            cszi_out_bytes(&out, bytes, count);
        }
    }
    return cszi_out_close(&out);
}

/* --- Values --- */

csz_status cszi_json_find(const cszi_json *json, cszi_json_value object, const char *key,
                          cszi_json_value *value, int *found)
{
    size_t length = strlen(key);
    size_t cursor = 0;
    cszi_json_value name;
    cszi_json_value member;
    cszi_json_type type = cszi_json_type_of(json, object);

    *found = 0;
    if (type != CSZI_JSON_OBJECT) {
        return cszi_json_fail(json, object, CSZ_ERR_TYPE, (csz_field)0, "must be an object, not %s",
                              cszi_json_type_name(type));
    }
    while (cszi_json_next_member(json, object, &cursor, &name, &member)) {
        if (!string_equals(json, name, key, length)) {
            continue;
        }
        if (*found) {
            return cszi_json_fail(json, name, CSZ_ERR_SYNTAX, (csz_field)0, "key occurs twice");
        }
        *found = 1;
        *value = member;
    }
    return CSZ_OK;
}

static csz_status require_number(const cszi_json *json, cszi_json_value value)
{
    cszi_json_type type = cszi_json_type_of(json, value);

    if (type == CSZI_JSON_NUMBER) {
        return CSZ_OK;
    }
    return cszi_json_fail(json, value, CSZ_ERR_TYPE, (csz_field)0, "must be a number, not %s",
                          cszi_json_type_name(type));
}

csz_status cszi_json_f64(const cszi_json *json, cszi_json_value value, double *number)
{
    csz_status status = require_number(json, value);
    const char *text = json->text + value.begin;

    if (status != CSZ_OK) {
        return status;
    }
    if (cszi_number_parse(text, value.end - value.begin, number) == 0) {
        /* Only the words of a foreign text are no numbers to cszi_number_parse. */
        *number = text[0] == 'N' ? (double)NAN : text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
    }
    return CSZ_OK;
}

csz_status cszi_json_i64(const cszi_json *json, cszi_json_value value, int64_t *number)
{
    csz_status status = require_number(json, value);

    if (status != CSZ_OK) {
        return status;
    }
    if (!cszi_number_parse_integer(json->text + value.begin, value.end - value.begin, 0, number)) {
        return cszi_json_fail(json, value, CSZ_ERR_TYPE, (csz_field)0,
                              "must be an integer of magnitude up to 2^53");
    }
    return CSZ_OK;
}
