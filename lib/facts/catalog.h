/* catalog.h: the built-in facts and the entries that a user adds or overrides. */
#ifndef CSZI_FACTS_CATALOG_H
#define CSZI_FACTS_CATALOG_H

#include "base/alloc.h"
#include "base/field.h"
#include "facts/facts.h"

#define CSZI_CATALOG_KINDS 8
#define CSZI_CATALOG_ENTRIES 16384 /* of one kind */
#define CSZI_QUERY_CONDITIONS 32   /* more than any kind has fields */

/* Strings of loaded entries, one block a load. */
typedef struct cszi_strings {
    struct cszi_strings *next;
    size_t size; /* of the block */
    size_t used;
    char text[];
} cszi_strings;

typedef struct cszi_catalog {
    cszi_alloc alloc;
    const void *rows[CSZI_CATALOG_KINDS]; /* built-in, or owned copies with the user's entries */
    size_t counts[CSZI_CATALOG_KINDS];
    size_t room[CSZI_CATALOG_KINDS]; /* rows allocated; 0: built-in */
    cszi_strings *strings;
} cszi_catalog;

extern const cszi_table cszi_catalog_tables[CSZI_CATALOG_KINDS];

/* The built-in facts alone. */
void cszi_catalog_init(cszi_catalog *catalog, cszi_alloc alloc);
void cszi_catalog_clear(cszi_catalog *catalog);
const cszi_catalog *cszi_catalog_builtin(void);

size_t cszi_catalog_row_size(csz_kind kind);
/* The entry's record, e.g. a cszi_accelerator; NULL beyond the end. */
const void *cszi_catalog_entry(const cszi_catalog *catalog, csz_kind kind, size_t index);
const char *cszi_catalog_id(const cszi_catalog *catalog, csz_kind kind, size_t index);
/* Exact id, else the only one that name gives in full or begins, whatever its case and separators,
 * with or without an owner in front ("meta-llama/Meta-Llama-3-70B"); the message lists what it
 * could be or comes close. */
csz_status cszi_catalog_lookup(const cszi_catalog *catalog, csz_kind kind, const char *name,
                               csz_field field, size_t *index, cszi_error *error);

/* The next letter or digit in lower case, '.' included since versions need it; NUL at the end of
 * the text or at end, which may be NULL. Case and separators do not matter: H100_SXM, h100-sxm and
 * "h100 sxm" are one name. */
char cszi_next_letter(const char **at, const char *end);

/* csz_catalog_query with its arguments checked. */
csz_status cszi_catalog_query(const cszi_catalog *catalog, csz_kind kind, const char *text,
                              csz_field by, size_t *indices, size_t capacity, size_t *count);

/* Adds and overrides from {"accelerators": [...], ...}. All or nothing: check sees the new catalog
 * before it replaces the old one; it may be NULL. */
typedef csz_status (*cszi_catalog_check)(const cszi_catalog *next, cszi_error *error);
csz_status cszi_catalog_load(cszi_catalog *catalog, const cszi_json *json, cszi_json_value object,
                             cszi_catalog_check check, cszi_error *error);
void cszi_catalog_write(const cszi_catalog *catalog, cszi_json_out *json);

#endif
