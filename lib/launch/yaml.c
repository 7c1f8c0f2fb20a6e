/* yaml.c: the subset of YAML 1.2 (yaml.org) in which launches are configured: blocks by
 * indentation, scalars of one line. */
#include <string.h>

#include "launch/scan.h"

/* An open block: the entries that stand at one indentation. */
typedef struct block {
    size_t indent;
    size_t path_length; /* of what the block belongs to */
    int64_t index;      /* of the next element; -1: a mapping */
} block;

typedef struct reader {
    cszi_scan *scan;
    block blocks[CSZI_SCAN_DEPTH];
    size_t depth;
    int pending; /* the last key has had no value so far */
    size_t pending_key;
} reader;

static csz_status syntax(const reader *r, size_t offset, const char *message)
{
    return cszi_scan_fail(r->scan, offset, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "%s", message);
}

static char peek(const reader *r)
{
    return r->scan->at < r->scan->length ? r->scan->text[r->scan->at] : '\n';
}

/* The end of a text counts as a blank. */
static int blank_follows(const reader *r)
{
    size_t next = r->scan->at + 1;
    return next >= r->scan->length || strchr(" \t\r\n", r->scan->text[next]) != NULL;
}

static void skip_spaces(reader *r)
{
    while (peek(r) == ' ')
        r->scan->at++;
}

static void cut_path(reader *r, size_t length)
{
    r->scan->path_length = length;
    r->scan->path[length] = '\0';
}

/* ---- Blocks ---- */

static csz_status open_block(reader *r, size_t indent, int list)
{
    if (r->depth == CSZI_SCAN_DEPTH)
        return cszi_scan_fail(r->scan, r->scan->at, CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                              "sections more than %d deep are not read", CSZI_SCAN_DEPTH);
    r->blocks[r->depth++] = (block){indent, r->scan->path_length, list ? 0 : -1};
    r->pending = 0;
    return CSZ_OK;
}

/* A key that is followed by nothing that belongs to it. */
static csz_status close_pending(reader *r)
{
    cszi_leaf leaf = {r->pending_key, r->pending_key, r->pending_key, CSZI_LEAF_NOTHING};
    if (!r->pending)
        return CSZ_OK;
    r->pending = 0;
    return r->scan->leaf(r->scan->user, r->scan->path, leaf);
}

/* Finds the block of an entry by its indentation. A list may stand as deep as its key. */
static csz_status enter(reader *r, size_t indent, int list)
{
    block *top = r->depth > 0 ? &r->blocks[r->depth - 1] : NULL;
    csz_status status;
    if (top == NULL ||
        (r->pending && (indent > top->indent || (list && indent == top->indent && top->index < 0))))
        return open_block(r, indent, list);
    status = close_pending(r);
    if (status != CSZ_OK)
        return status;
    while (r->depth > 1 && (top->indent > indent || (top->indent == indent && top->index >= 0 &&
                                                     !list && (top - 1)->indent == indent))) {
        r->depth--;
        top--;
    }
    if (top->indent != indent)
        return syntax(r, r->scan->at,
                      "the indentation belongs to no section; texts of several lines are not read");
    if ((top->index >= 0) != list)
        return syntax(r, r->scan->at, "an element and a key stand side by side");
    cut_path(r, top->path_length);
    return CSZ_OK;
}

/* ---- Entries ---- */

static csz_status refuse_value(const reader *r)
{
    static const struct {
        char sign;
        const char *message;
    } refused[] = {{'&', "anchors are not read"},
                   {'*', "aliases are not read; write the value"},
                   {'!', "tags are not read"},
                   {'|', "texts of several lines are not read"},
                   {'>', "texts of several lines are not read"},
                   {'{', "mappings in braces are not read; write them as lines"},
                   {'%', "a value cannot begin with %"},
                   {'@', "a value cannot begin with @"},
                   {'`', "a value cannot begin with `"},
                   {',', "a value cannot begin with ,"},
                   {']', "a ] without its ["},
                   {'}', "a } without its {"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (peek(r) == refused[i].sign)
            return syntax(r, r->scan->at, refused[i].message);
    return CSZ_OK;
}

/* A text without quotes may hold no ": ", which would be a mapping. */
static csz_status check_bare(const reader *r)
{
    const cszi_scan *scan = r->scan;
    for (size_t i = scan->at; i < scan->length && scan->text[i] != '\n'; i++) {
        int last = i + 1 >= scan->length || strchr(" \t\r\n", scan->text[i + 1]) != NULL;
        if (scan->text[i] == '#' && i > scan->at && scan->text[i - 1] == ' ')
            break;
        if (scan->text[i] == ':' && last)
            return syntax(r, i, "a text with a colon needs quotes");
    }
    return CSZ_OK;
}

static csz_status empty(reader *r)
{
    csz_status status;
    r->scan->at += 2;
    r->pending = 1;
    status = cszi_scan_end_line(r->scan);
    return status == CSZ_OK ? close_pending(r) : status;
}

static csz_status value(reader *r, size_t key)
{
    const cszi_scan *scan = r->scan;
    csz_status status;
    skip_spaces(r);
    r->pending_key = key;
    if (peek(r) == '\t')
        return syntax(r, scan->at, "tabs are not read");
    if (peek(r) == '\n' || peek(r) == '\r' || cszi_scan_is_comment(scan)) {
        r->pending = 1;
        return cszi_scan_end_line(r->scan);
    }
    if (scan->at + 1 < scan->length && memcmp(scan->text + scan->at, "{}", 2) == 0)
        return empty(r);
    status = refuse_value(r);
    if (status == CSZ_OK && strchr("\"'[", peek(r)) == NULL)
        status = check_bare(r);
    return status == CSZ_OK ? cszi_scan_value(r->scan, key) : status;
}

static int is_key(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_-./+", c) != NULL);
}

/* The end of the key that begins here, quotes left out of it; 0: none. */
static size_t key_end(const reader *r, size_t *begin)
{
    const cszi_scan *scan = r->scan;
    char quote = (char)(peek(r) == '"' || peek(r) == '\'' ? peek(r) : 0);
    size_t at = *begin = scan->at + (quote != 0);
    while (at < scan->length &&
           (quote != 0 ? is_key(scan->text[at]) || scan->text[at] == ' ' : is_key(scan->text[at])))
        at++;
    if (at == *begin || (quote != 0 && (at >= scan->length || scan->text[at] != quote)))
        return 0;
    return at;
}

/* Whether a key and its colon stand here. */
static int is_entry(const reader *r, size_t *begin, size_t *end, size_t *colon)
{
    const cszi_scan *scan = r->scan;
    *end = key_end(r, begin);
    *colon = *end + (*begin != scan->at);
    return *end != 0 && *colon < scan->length && scan->text[*colon] == ':' &&
           (*colon + 1 >= scan->length || strchr(" \t\r\n", scan->text[*colon + 1]) != NULL);
}

static csz_status entry(reader *r, size_t begin, size_t end, size_t colon)
{
    csz_status status = cszi_scan_push(r->scan, r->scan->text + begin, end - begin, begin);
    r->scan->at = colon + 1;
    return status == CSZ_OK ? value(r, begin) : status;
}

/* "- value", or "- key: value" and the keys below it. */
static csz_status element(reader *r, size_t start)
{
    size_t begin, end, colon, dash = r->scan->at++;
    csz_status status = cszi_scan_push_index(r->scan, r->blocks[r->depth - 1].index++, dash);
    if (status != CSZ_OK)
        return status;
    skip_spaces(r);
    if (peek(r) == '-' && blank_follows(r))
        return syntax(r, r->scan->at, "lists in lists are not read");
    if (!is_entry(r, &begin, &end, &colon))
        return value(r, dash);
    status = open_block(r, r->scan->at - start, 0);
    return status == CSZ_OK ? entry(r, begin, end, colon) : status;
}

static csz_status line(reader *r)
{
    size_t start = r->scan->at, begin, end, colon, indent;
    csz_status status;
    skip_spaces(r);
    indent = r->scan->at - start;
    if (peek(r) == '\n' || peek(r) == '\r' || peek(r) == '#')
        return cszi_scan_end_line(r->scan);
    if (peek(r) == '\t')
        return syntax(r, r->scan->at, "tabs are not read");
    if (peek(r) == '-' && blank_follows(r)) {
        status = enter(r, indent, 1);
        return status == CSZ_OK ? element(r, start) : status;
    }
    if (peek(r) == '<' || peek(r) == '?')
        return syntax(r, r->scan->at, "merged and complex keys are not read");
    if (!is_entry(r, &begin, &end, &colon))
        return syntax(r, r->scan->at, "\"name: value\" is expected");
    status = enter(r, indent, 0);
    return status == CSZ_OK ? entry(r, begin, end, colon) : status;
}

/* "---" may stand ahead of everything. */
static csz_status marker(reader *r)
{
    if (r->depth > 0 || r->scan->text[r->scan->at] == '.')
        return syntax(r, r->scan->at, "a second document is not read");
    r->scan->at += 3;
    return cszi_scan_end_line(r->scan);
}

static int is_marker(const reader *r)
{
    const cszi_scan *scan = r->scan;
    return scan->at + 3 <= scan->length && (memcmp(scan->text + scan->at, "---", 3) == 0 ||
                                            memcmp(scan->text + scan->at, "...", 3) == 0);
}

csz_status cszi_scan_yaml(cszi_scan *scan)
{
    reader r;
    csz_status status = CSZ_OK;
    memset(&r, 0, sizeof r);
    r.scan = scan;
    while (status == CSZ_OK && scan->at < scan->length)
        status = is_marker(&r) ? marker(&r) : line(&r);
    return status == CSZ_OK ? close_pending(&r) : status;
}
