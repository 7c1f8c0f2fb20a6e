/* scan.c: what the readers of configuration files share, and the two that stand on readers of the
 * base floor: JSON and words. */
#include "launch/scan.h"

#include <stdarg.h>
#include <string.h>

#include "base/json.h"
#include "base/words.h"

/* ---- Messages ---- */

int64_t cszi_scan_line(const cszi_scan *scan, size_t offset)
{
    int64_t line = 1;
    for (size_t i = 0; i < offset && i < scan->length; i++)
        line += scan->text[i] == '\n';
    return line;
}

csz_status cszi_scan_fail(const cszi_scan *scan, size_t offset, csz_status status, csz_field field,
                          const char *format, ...)
{
    cszi_out out = cszi_error_open(scan->error, status, field);
    size_t start = offset < scan->length ? offset : scan->length;
    va_list list;
    while (start > 0 && scan->text[start - 1] != '\n')
        start--;
    va_start(list, format);
    cszi_out_format_list(&out, format, list);
    va_end(list);
    cszi_out_format(&out, " at line %lld, column %zu", (long long)cszi_scan_line(scan, offset),
                    offset - start + 1);
    (void)cszi_out_close(&out);
    return status;
}

static csz_status syntax(const cszi_scan *scan, size_t offset, const char *message)
{
    return cszi_scan_fail(scan, offset, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "%s", message);
}

/* ---- Paths ---- */

static csz_status add(cszi_scan *scan, const char *part, size_t length, size_t offset)
{
    if (length >= CSZI_SCAN_PATH - scan->path_length)
        return cszi_scan_fail(scan, offset, CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                              "names longer than %d characters are not read", CSZI_SCAN_PATH - 1);
    memcpy(scan->path + scan->path_length, part, length);
    scan->path_length += length;
    scan->path[scan->path_length] = '\0';
    return CSZ_OK;
}

/* Dots and brackets of a key are no part of the path's own: they become colons. */
csz_status cszi_scan_push(cszi_scan *scan, const char *key, size_t length, size_t offset)
{
    csz_status status = scan->path_length > 0 ? add(scan, ".", 1, offset) : CSZ_OK;
    size_t begin = scan->path_length;
    if (status == CSZ_OK)
        status = add(scan, key, length, offset);
    for (size_t i = begin; i < scan->path_length; i++)
        if (strchr(".[", scan->path[i]) != NULL)
            scan->path[i] = ':';
    return status;
}

csz_status cszi_scan_push_index(cszi_scan *scan, int64_t index, size_t offset)
{
    char part[24];
    cszi_out out = cszi_out_open(part, sizeof part);
    cszi_out_format(&out, "[%lld]", (long long)index);
    return add(scan, part, cszi_out_close(&out), offset);
}

/* ---- Values ---- */

static char peek(const cszi_scan *scan)
{
    return scan->at < scan->length ? scan->text[scan->at] : '\n';
}

/* A comment begins after a blank, or with the line. */
int cszi_scan_is_comment(const cszi_scan *scan)
{
    char before = scan->at > 0 ? scan->text[scan->at - 1] : '\n';
    return peek(scan) == '#' && (scan->syntax == CSZI_SYNTAX_TOML || before == ' ' ||
                                 before == '\t' || before == '\n' || before == '\r');
}

/* Blanks and a comment up to the next line, and over its end. */
csz_status cszi_scan_end_line(cszi_scan *scan)
{
    while (peek(scan) == ' ' || peek(scan) == '\t' || peek(scan) == '\r')
        scan->at++;
    if (cszi_scan_is_comment(scan))
        while (peek(scan) != '\n')
            scan->at++;
    if (peek(scan) != '\n')
        return syntax(scan, scan->at, "the line goes on after its value");
    scan->at += scan->at < scan->length;
    return CSZ_OK;
}

/* From a quote to its partner on the same line. */
static csz_status quoted(cszi_scan *scan, cszi_leaf *leaf)
{
    char quote = peek(scan);
    size_t open = scan->at++;
    int doubled = quote == '\'' && scan->syntax == CSZI_SYNTAX_YAML;
    leaf->kind = quote == '\'' ? CSZI_LEAF_SINGLE : CSZI_LEAF_DOUBLE;
    leaf->begin = scan->at;
    for (; peek(scan) != '\n'; scan->at++) {
        int next = scan->at + 1 < scan->length ? scan->text[scan->at + 1] : '\n';
        if (peek(scan) == quote && !(doubled && next == quote)) {
            leaf->end = scan->at++;
            if (leaf->end == leaf->begin && peek(scan) == quote)
                break;
            return CSZ_OK;
        }
        if (peek(scan) == quote || (quote == '"' && peek(scan) == '\\' && next != '\n'))
            scan->at++;
    }
    return syntax(scan, open, "a quoted text does not end on its line");
}

/* Over a list in brackets, whatever it holds. */
static csz_status list(cszi_scan *scan, cszi_leaf *leaf)
{
    int depth = 0;
    leaf->kind = CSZI_LEAF_LIST;
    leaf->begin = scan->at;
    while (scan->at < scan->length) {
        char c = peek(scan);
        cszi_leaf inner = *leaf;
        csz_status status = CSZ_OK;
        if (c == '[' && ++depth > CSZI_SCAN_DEPTH)
            return cszi_scan_fail(scan, scan->at, CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                                  "lists more than %d deep are not read", CSZI_SCAN_DEPTH);
        if (c == '{' || c == '}' || c == '&' || c == '*')
            return syntax(scan, scan->at, "mappings and references in a list are not read");
        if (c == '\'' || c == '"')
            status = quoted(scan, &inner);
        else if (cszi_scan_is_comment(scan))
            while (peek(scan) != '\n')
                scan->at++;
        else
            scan->at++;
        if (status != CSZ_OK)
            return status;
        if (c == ']' && --depth == 0) {
            leaf->end = scan->at;
            return CSZ_OK;
        }
    }
    return syntax(scan, leaf->begin, "a list does not end");
}

/* Up to a comment or the end of the line, without blanks around. */
static csz_status bare(cszi_scan *scan, cszi_leaf *leaf)
{
    leaf->kind = CSZI_LEAF_BARE;
    leaf->begin = scan->at;
    while (peek(scan) != '\n' && !cszi_scan_is_comment(scan))
        scan->at++;
    leaf->end = scan->at;
    while (leaf->end > leaf->begin && strchr(" \t\r", scan->text[leaf->end - 1]) != NULL)
        leaf->end--;
    return CSZ_OK;
}

static int is_null(const cszi_scan *scan, const cszi_leaf *leaf)
{
    static const char *const names[] = {"null", "Null", "NULL", "~"};
    size_t length = leaf->end - leaf->begin;
    if (leaf->kind != CSZI_LEAF_BARE || scan->syntax != CSZI_SYNTAX_YAML)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], scan->text + leaf->begin, length) == 0)
            return 1;
    return 0;
}

csz_status cszi_scan_value(cszi_scan *scan, size_t key)
{
    cszi_leaf leaf = {key, scan->at, scan->at, CSZI_LEAF_NOTHING};
    char c = peek(scan);
    csz_status status = c == '"' || c == '\'' ? quoted(scan, &leaf)
                        : c == '['            ? list(scan, &leaf)
                                              : bare(scan, &leaf);
    if (is_null(scan, &leaf))
        leaf.kind = CSZI_LEAF_NOTHING;
    if (status == CSZ_OK)
        status = cszi_scan_end_line(scan);
    return status == CSZ_OK ? scan->leaf(scan->user, scan->path, leaf) : status;
}

/* ---- Reading values ---- */

/* What a character after a backslash stands for; itself when it is none of these. */
static char unescaped(char c)
{
    return (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c);
}

size_t cszi_leaf_text(const cszi_scan *scan, cszi_leaf leaf, char *text, size_t capacity)
{
    cszi_out out = cszi_out_open(text, capacity);
    for (size_t i = leaf.begin; i < leaf.end; i++) {
        char c = scan->text[i];
        if (leaf.kind == CSZI_LEAF_DOUBLE && c == '\\' && i + 1 < leaf.end)
            c = unescaped(scan->text[++i]);
        if (leaf.kind == CSZI_LEAF_SINGLE && c == '\'' && i + 1 < leaf.end)
            i++;
        cszi_out_char(&out, c);
    }
    return cszi_out_close(&out);
}

int cszi_leaf_element(const cszi_scan *scan, cszi_leaf whole, size_t *cursor, cszi_leaf *element)
{
    cszi_scan inner = *scan;
    int blank = 1;
    inner.at = *cursor != 0 ? *cursor : whole.begin + 1;
    inner.length = whole.end - 1;
    while (blank && inner.at < inner.length) {
        blank = strchr(" \t\r\n,", peek(&inner)) != NULL || cszi_scan_is_comment(&inner);
        if (cszi_scan_is_comment(&inner))
            while (peek(&inner) != '\n')
                inner.at++;
        inner.at += (size_t)blank;
    }
    if (inner.at >= inner.length)
        return 0;
    *element = whole;
    if (peek(&inner) == '"' || peek(&inner) == '\'') {
        (void)quoted(&inner, element);
    } else if (peek(&inner) == '[') {
        (void)list(&inner, element);
    } else {
        element->kind = CSZI_LEAF_BARE;
        element->begin = inner.at;
        while (inner.at < inner.length && strchr(" \t\r\n,", peek(&inner)) == NULL)
            inner.at++;
        element->end = inner.at;
    }
    *cursor = inner.at;
    return 1;
}

/* ---- JSON ---- */

typedef struct json_level {
    cszi_json_value object;
    size_t cursor;
    size_t path_length;
} json_level;

static csz_status json_leaf(cszi_scan *scan, const cszi_json *json, cszi_json_value key,
                            cszi_json_value value)
{
    cszi_leaf leaf = {key.begin, value.begin, value.end, CSZI_LEAF_BARE};
    cszi_json_type type = cszi_json_type_of(json, value);
    if (type == CSZI_JSON_NULL)
        leaf.kind = CSZI_LEAF_NOTHING;
    if (type == CSZI_JSON_ARRAY)
        leaf.kind = CSZI_LEAF_LIST;
    if (type == CSZI_JSON_STRING) {
        leaf.kind = CSZI_LEAF_DOUBLE;
        leaf.begin++;
        leaf.end--;
    }
    return scan->leaf(scan->user, scan->path, leaf);
}

/* One member: a leaf, or a further level. */
static csz_status json_member(cszi_scan *scan, const cszi_json *json, cszi_json_value key,
                              cszi_json_value value, json_level *levels, size_t *depth)
{
    csz_status status =
        cszi_scan_push(scan, json->text + key.begin + 1, key.end - key.begin - 2, key.begin);
    if (status != CSZ_OK)
        return status;
    if (cszi_json_type_of(json, value) != CSZI_JSON_OBJECT)
        return json_leaf(scan, json, key, value);
    if (*depth == CSZI_SCAN_DEPTH)
        return cszi_scan_fail(scan, key.begin, CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                              "sections more than %d deep are not read", CSZI_SCAN_DEPTH);
    levels[(*depth)++] = (json_level){value, 0, scan->path_length};
    return CSZ_OK;
}

static csz_status scan_json(cszi_scan *scan)
{
    json_level levels[CSZI_SCAN_DEPTH];
    cszi_json json;
    cszi_json_value root, key, value;
    size_t depth = 1;
    csz_status status = cszi_json_open(&json, scan->text, scan->length, 1, scan->error, &root);
    if (status == CSZ_OK && cszi_json_type_of(&json, root) != CSZI_JSON_OBJECT)
        status = cszi_json_fail(&json, root, CSZ_ERR_TYPE, CSZ_FIELD_NONE, "must be an object");
    levels[0] = (json_level){root, 0, 0};
    while (status == CSZ_OK && depth > 0) {
        json_level *level = &levels[depth - 1];
        scan->path_length = level->path_length;
        if (cszi_json_next_member(&json, level->object, &level->cursor, &key, &value))
            status = json_member(scan, &json, key, value, levels, &depth);
        else
            depth--;
    }
    return status;
}

/* ---- Words ---- */

static csz_status scan_words(cszi_scan *scan)
{
    cszi_words words;
    cszi_argument argument;
    int found = 0;
    csz_status status = cszi_words_open(&words, scan->text, scan->length, scan->error);
    while (status == CSZ_OK) {
        char name[CSZI_SCAN_PATH];
        status = cszi_words_next(&words, &argument, &found);
        if (status != CSZ_OK || !found)
            return status;
        if (!argument.has_name)
            continue;
        (void)cszi_word_text(&words, argument.name, name, sizeof name);
        for (char *c = name; *c != '\0'; c++)
            *c = (char)(*c == '_' ? '-' : *c);
        status =
            scan->leaf(scan->user, name,
                       (cszi_leaf){argument.place, argument.place, argument.place, CSZI_LEAF_BARE});
    }
    return status;
}

/* ---- The whole ---- */

static csz_status check_characters(const cszi_scan *scan)
{
    for (size_t i = 0; i < scan->length; i++) {
        unsigned char c = (unsigned char)scan->text[i];
        if ((c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f)
            return syntax(scan, i, "a control character");
    }
    return CSZ_OK;
}

csz_status cszi_scan_read(cszi_scan *scan, const char *text, size_t length)
{
    csz_status (*const readers[])(cszi_scan *) = {scan_words, scan_json, cszi_scan_toml,
                                                  cszi_scan_yaml};
    csz_status status;
    scan->text = text;
    scan->length = length;
    scan->at = 0;
    scan->path_length = 0;
    scan->path[0] = '\0';
    if (length > CSZI_SCAN_LENGTH)
        return cszi_fail(scan->error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                         "a text of more than %d bytes is not read", (int)CSZI_SCAN_LENGTH);
    status = check_characters(scan);
    return status == CSZ_OK ? readers[scan->syntax](scan) : status;
}
