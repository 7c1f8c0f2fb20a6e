/* json.c: reading JSON in place.
 *
 * cszi_json_open checks the text as a whole; everything else may then rely on its form and only
 * steps from value to value. Line, column and path are worked out when an error needs them.
 */
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* --- Checking the text --- */

typedef struct checker {
    const char *text;
    size_t length;
    size_t at;
    int foreign;
    const char *problem; /* what is wrong at the offset, once a check has failed */
    csz_status status;
    int depth;
    char closing[CSZI_JSON_DEPTH]; /* the bracket that ends each open array or object */
} checker;

static int fail_check(checker *c, const char *problem)
{
    c->problem = problem;
    c->status = CSZ_ERR_SYNTAX;
    return 0;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The byte at the offset, or NUL at the end: no NUL is valid outside of strings, nor as it is
 * within. */
static char peek(const checker *c)
{
    return c->at < c->length ? c->text[c->at] : '\0';
}

static void check_blanks(checker *c)
{
    while (c->at < c->length && is_blank(c->text[c->at])) {
        c->at++;
    }
}

/* The value of four hexadecimal digits, or -1. */
static int hex4(const char *text, size_t length)
{
    int value = 0;
    size_t i;

    if (length < 4) {
        return -1;
    }
    for (i = 0; i < 4; i++) {
        char c = text[i];
        char letter = (char)(c | 0x20);

        if (is_digit(c)) {
            value = value * 16 + (c - '0');
        } else if (letter >= 'a' && letter <= 'f') {
            value = value * 16 + (letter - 'a' + 10);
        } else {
            return -1;
        }
    }
    return value;
}

static int check_unicode_escape(checker *c)
{
    int code = hex4(c->text + c->at + 2, c->length - c->at - 2);
    int second;

    if (code < 0) {
        return fail_check(c, "expected four hexadecimal digits after \\u");
    }
    if (code < 0xd800 || code > 0xdfff) {
        c->at += 6;
        return 1;
    }
    if (code > 0xdbff || c->length - c->at < 12 || c->text[c->at + 6] != '\\' ||
        c->text[c->at + 7] != 'u') {
        return fail_check(c, "unpaired surrogate in a string");
    }
    second = hex4(c->text + c->at + 8, c->length - c->at - 8);
    if (second < 0xdc00 || second > 0xdfff) {
        return fail_check(c, "unpaired surrogate in a string");
    }
    c->at += 12;
    return 1;
}

static int check_escape(checker *c)
{
    char kind = c->at + 1 < c->length ? c->text[c->at + 1] : '\0';

    if (kind == 'u') {
        return check_unicode_escape(c);
    }
    if (kind == '\0' || strchr("\"\\/bfnrt", kind) == NULL) {
        return fail_check(c, "invalid escape in a string");
    }
    c->at += 2;
    return 1;
}

static int check_string(checker *c)
{
    c->at++;
    while (c->at < c->length) {
        unsigned byte = (unsigned char)c->text[c->at];
        size_t size;

        if (byte == '"') {
            c->at++;
            return 1;
        }
        if (byte == '\\') {
            if (!check_escape(c)) {
                return 0;
            }
            continue;
        }
        if (byte < 0x20) {
            return fail_check(c, "unescaped control character in a string");
        }
        size = cszi_utf8_length(c->text + c->at, c->length - c->at);
        if (size == 0) {
            return fail_check(c, "invalid UTF-8 in a string");
        }
        c->at += size;
    }
    return fail_check(c, "expected a closing quote");
}

static int check_digits(checker *c)
{
    if (!is_digit(peek(c))) {
        return fail_check(c, "expected a digit");
    }
    while (is_digit(peek(c))) {
        c->at++;
    }
    return 1;
}

static int check_number(checker *c)
{
    if (peek(c) == '-') {
        c->at++;
    }
    if (peek(c) == '0') {
        c->at++;
        if (is_digit(peek(c))) {
            return fail_check(c, "a number may not begin with 0 and another digit");
        }
    } else if (!check_digits(c)) {
        return 0;
    }
    if (peek(c) == '.') {
        c->at++;
        if (!check_digits(c)) {
            return 0;
        }
    }
    if (peek(c) == 'e' || peek(c) == 'E') {
        c->at++;
        if (peek(c) == '+' || peek(c) == '-') {
            c->at++;
        }
        return check_digits(c);
    }
    return 1;
}

static int check_word(checker *c, const char *word)
{
    size_t length = strlen(word);

    if (c->length - c->at < length || memcmp(c->text + c->at, word, length) != 0) {
        return 0;
    }
    c->at += length;
    return 1;
}

static int check_scalar(checker *c)
{
    char first = peek(c);

    if (first == '"') {
        return check_string(c);
    }
    if (check_word(c, "null") || check_word(c, "true") || check_word(c, "false")) {
        return 1;
    }
    if (c->foreign &&
        (check_word(c, "NaN") || check_word(c, "Infinity") || check_word(c, "-Infinity"))) {
        return 1;
    }
    if (first == '-' || is_digit(first)) {
        return check_number(c);
    }
    return fail_check(c, "expected a value");
}

static int check_key(checker *c)
{
    check_blanks(c);
    if (peek(c) != '"') {
        return fail_check(c, "expected a key in quotes");
    }
    if (!check_string(c)) {
        return 0;
    }
    check_blanks(c);
    if (peek(c) != ':') {
        return fail_check(c, "expected ':'");
    }
    c->at++;
    return 1;
}

/* Enters an array or object; *complete tells that it is empty and already closed. */
static int check_opening(checker *c, int *complete)
{
    char closing = peek(c) == '{' ? '}' : ']';

    if (c->depth == CSZI_JSON_DEPTH) {
        c->problem = "nested too deeply";
        c->status = CSZ_ERR_LIMIT;
        return 0;
    }
    c->closing[c->depth++] = closing;
    c->at++;
    check_blanks(c);
    *complete = peek(c) == closing;
    if (*complete) {
        c->at++;
        c->depth--;
        return 1;
    }
    return closing == '}' ? check_key(c) : 1;
}

/* Behind a value: leaves what ends here and stops before the next value or at the end, when depth
 * is 0. */
static int check_behind(checker *c)
{
    while (c->depth > 0) {
        char closing = c->closing[c->depth - 1];

        check_blanks(c);
        if (peek(c) == ',') {
            c->at++;
            return closing == '}' ? check_key(c) : 1;
        }
        if (peek(c) != closing) {
            return fail_check(c, closing == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
        }
        c->at++;
        c->depth--;
    }
    return 1;
}

static int check_document(checker *c)
{
    do {
        int complete = 1;

        check_blanks(c);
        if (peek(c) == '{' || peek(c) == '[') {
            if (!check_opening(c, &complete)) {
                return 0;
            }
        } else if (!check_scalar(c)) {
            return 0;
        }
        if (complete && !check_behind(c)) {
            return 0;
        }
    } while (c->depth > 0);
    check_blanks(c);
    return c->at == c->length ? 1 : fail_check(c, "expected the end of the text");
}

static csz_status fail_document(const cszi_json *json, const checker *c)
{
    int64_t line;
    int64_t column;

    cszi_json_where(json, c->at, &line, &column);
    return cszi_fail(json->error, c->status, (csz_field)0, "%s%s at line %lld, column %lld",
                     c->problem, c->at == c->length ? " but the text ends" : "", (long long)line,
                     (long long)column);
}

/* --- Stepping over checked text --- */

static size_t skip_blanks(const cszi_json *json, size_t at)
{
    while (at < json->length && is_blank(json->text[at])) {
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

/* The value that starts at or behind an offset. */
static cszi_json_value value_at(const cszi_json *json, size_t at)
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
            if (is_blank(c) || c == ',' || c == ']' || c == '}') {
                break;
            }
        }
    }
    return value;
}

csz_status cszi_json_open(cszi_json *json, const char *text, size_t length, int foreign,
                          cszi_error *error, cszi_json_value *root)
{
    checker c;

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
    c.text = text;
    c.length = length;
    c.at = 0;
    c.foreign = foreign;
    c.depth = 0;
    if (!check_document(&c)) {
        return fail_document(json, &c);
    }
    *root = value_at(json, 0);
    return CSZ_OK;
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
    *value = value_at(json, skip_blanks(json, key->end) + 1);
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
    *value = value_at(json, at);
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
    code = (unsigned long)hex4(text + *at + 2, 4);
    *at += 6;
    if (code >= 0xd800 && code <= 0xdfff) {
        unsigned long second = (unsigned long)hex4(text + *at + 2, 4);

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

/* --- Errors --- */

void cszi_json_where(const cszi_json *json, size_t offset, int64_t *line, int64_t *column)
{
    size_t start = 0; /* of the line */
    size_t i;

    *line = 1;
    for (i = 0; i < offset && i < json->length; i++) {
        if (json->text[i] == '\n') {
            *line += 1;
            start = i + 1;
        }
    }
    *column = (int64_t)(i - start) + 1;
}

static int is_plain_key(const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        char lower = (char)(text[i] | 0x20);

        if (!(lower >= 'a' && lower <= 'z') && text[i] != '_' && !(i > 0 && is_digit(text[i]))) {
            return 0;
        }
    }
    return length > 0 && length <= 64;
}

static void put_path_key(const cszi_json *json, cszi_out *out, cszi_json_value key)
{
    const char *text = json->text + key.begin + 1;
    size_t length = key.end - key.begin - 2;

    if (is_plain_key(text, length)) {
        cszi_out_char(out, '.');
        cszi_out_bytes(out, text, length);
    } else {
        cszi_out_char(out, '[');
        cszi_out_quoted(out, text, length);
        cszi_out_char(out, ']');
    }
}

/* Writes the step from a container to the child that holds an offset, or returns 0. */
static int put_path_step(const cszi_json *json, cszi_out *out, cszi_json_value *container,
                         size_t offset)
{
    int is_object = cszi_json_type_of(json, *container) == CSZI_JSON_OBJECT;
    size_t cursor = 0;
    int64_t index = 0;
    cszi_json_value key = {0, 0};
    cszi_json_value child;

    while (is_object ? cszi_json_next_member(json, *container, &cursor, &key, &child)
                     : cszi_json_next_element(json, *container, &cursor, &child)) {
        if (offset < child.end) {
            if (is_object) {
                put_path_key(json, out, key);
            } else {
                cszi_out_format(out, "[%lld]", (long long)index);
            }
            *container = child;
            return 1;
        }
        index++;
    }
    return 0;
}

static void put_path(const cszi_json *json, cszi_out *out, size_t offset)
{
    cszi_json_value at = value_at(json, 0);

    cszi_out_char(out, '$');
    while (offset > at.begin && put_path_step(json, out, &at, offset)) {
        /* An offset at or before the child's begin is the child itself or its key. */
    }
}

csz_status cszi_json_fail(const cszi_json *json, cszi_json_value value, csz_status status,
                          csz_field field, const char *format, ...)
{
    cszi_out out;
    int64_t line;
    int64_t column;
    va_list list;

    if (json->error == NULL) {
        return status; /* nobody reads the message, so the text need not be searched */
    }
    out = cszi_error_open(json->error, status, field);
    va_start(list, format);
    cszi_out_format_list(&out, format, list);
    va_end(list);
    cszi_json_where(json, value.begin, &line, &column);
    cszi_out_format(&out, " at line %lld, column %lld (path ", (long long)line, (long long)column);
    put_path(json, &out, value.begin);
    cszi_out_char(&out, ')');
    cszi_out_close(&out);
    return status;
}
