/* scan.h: configuration files as a sequence of leaves, "section.key" and its value, in place: the
 * subsets of YAML and TOML that launches are written in, JSON, and shell words. No allocation, no
 * recursion. What lies outside is refused with line and column, so that nothing is misread.
 *
 * YAML: block mappings and lists, scalars of one line, lists in brackets (over lines too), "{}",
 * comments, one "---" ahead. No anchors, aliases, tags, merge keys, block or folded scalars, other
 * mappings in braces, tabs, second documents.
 * TOML: tables, dotted keys, strings of one line, numbers, booleans, dates, arrays. No arrays of
 * tables, inline tables, strings of several lines.
 * JSON: as json.h. Words: as words.h; a path is an option's name with dashes, its value is left to
 * options.h. */
#ifndef CSZI_LAUNCH_SCAN_H
#define CSZI_LAUNCH_SCAN_H

#include "base/error.h"

#define CSZI_SCAN_LENGTH (1u << 20) /* longest text, bytes */
#define CSZI_SCAN_PATH 192          /* longest path with its NUL */
#define CSZI_SCAN_DEPTH 16          /* of nested sections, lists in brackets included */

typedef enum cszi_syntax {
    CSZI_SYNTAX_WORDS,
    CSZI_SYNTAX_JSON,
    CSZI_SYNTAX_TOML,
    CSZI_SYNTAX_YAML
} cszi_syntax;

typedef enum cszi_leaf_kind {
    CSZI_LEAF_NOTHING, /* null, or a key without a value */
    CSZI_LEAF_BARE,
    CSZI_LEAF_SINGLE, /* in single quotes, which begin and end leave out */
    CSZI_LEAF_DOUBLE,
    CSZI_LEAF_LIST /* with its brackets */
} cszi_leaf_kind;

typedef struct cszi_leaf {
    size_t key;   /* offset of the last key of the path, for messages */
    size_t begin; /* text[begin..end) */
    size_t end;
    cszi_leaf_kind kind;
} cszi_leaf;

typedef struct cszi_scan {
    const char *text;
    size_t length;
    size_t at;
    cszi_syntax syntax;
    cszi_error *error;
    /* Called for each leaf in turn; any status but CSZ_OK ends the scan. */
    csz_status (*leaf)(void *user, const char *path, cszi_leaf leaf);
    void *user;
    char path[CSZI_SCAN_PATH];
    size_t path_length;
} cszi_scan;

/* Reads the whole text; leaf, user, syntax and error are set before. Errors: CSZ_ERR_SYNTAX,
 * CSZ_ERR_LIMIT, and what leaf answers. text need not end with NUL. */
csz_status cszi_scan_read(cszi_scan *scan, const char *text, size_t length);

/* The characters of a leaf without quotes and escapes; snprintf-like. */
size_t cszi_leaf_text(const cszi_scan *scan, cszi_leaf leaf, char *text, size_t capacity);
/* The next element of a list; *cursor starts at 0. Returns 0 at the end. */
int cszi_leaf_element(const cszi_scan *scan, cszi_leaf list, size_t *cursor, cszi_leaf *element);

int64_t cszi_scan_line(const cszi_scan *scan, size_t offset);
/* "<message> at line L, column C"; returns status. */
csz_status cszi_scan_fail(const cszi_scan *scan, size_t offset, csz_status status, csz_field field,
                          const char *format, ...) CSZI_PRINTF(5, 6);

/* For the readers of the syntaxes: a further part of the path; the value at scan->at, which is
 * handed to leaf; the rest of a line. */
csz_status cszi_scan_push(cszi_scan *scan, const char *key, size_t length, size_t offset);
csz_status cszi_scan_push_index(cszi_scan *scan, int64_t index, size_t offset);
csz_status cszi_scan_value(cszi_scan *scan, size_t key);
csz_status cszi_scan_end_line(cszi_scan *scan);
int cszi_scan_is_comment(const cszi_scan *scan);
csz_status cszi_scan_toml(cszi_scan *scan);
csz_status cszi_scan_yaml(cszi_scan *scan);

#endif
