/* json_check.c: RFC 8259 to the letter, in valid UTF-8, on an explicit stack. */
#include <string.h>

#include "base/json_text.h"
#include "base/utf8.h"

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

/* The byte at the offset, or NUL at the end: no NUL is valid outside of strings, nor as it is
 * within. */
static char peek(const checker *c)
{
    return c->at < c->length ? c->text[c->at] : '\0';
}

static void check_blanks(checker *c)
{
    while (c->at < c->length && cszi_json_is_blank(c->text[c->at])) {
        c->at++;
    }
}

int cszi_json_hex4(const char *text, size_t length)
{
    int value = 0;
    size_t i;

    if (length < 4) {
        return -1;
    }
    for (i = 0; i < 4; i++) {
        char c = text[i];
        char letter = (char)(c | 0x20);

        if (cszi_json_is_digit(c)) {
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
    int code = cszi_json_hex4(c->text + c->at + 2, c->length - c->at - 2);
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
    second = cszi_json_hex4(c->text + c->at + 8, c->length - c->at - 8);
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
    if (!cszi_json_is_digit(peek(c))) {
        return fail_check(c, "expected a digit");
    }
    while (cszi_json_is_digit(peek(c))) {
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
        if (cszi_json_is_digit(peek(c))) {
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
    if (first == '-' || cszi_json_is_digit(first)) {
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

csz_status cszi_json_check(const cszi_json *json)
{
    checker c;

    c.text = json->text;
    c.length = json->length;
    c.at = 0;
    c.foreign = json->foreign;
    c.depth = 0;
    return check_document(&c) ? CSZ_OK : fail_document(json, &c);
}
