/* catalog.c: entries by kind, index, id and beginning of an id; overlays as JSON. */
#include "facts/catalog.h"

#include <string.h>

#include "base/field_rows.h"

enum { CSZI_LIST_flat };

#define CSZI_RECORD_flat cszi_model
#define CSZI_MODEL_FIELDS
static const cszi_field_row model_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_MODEL_FIELDS
#undef CSZI_RECORD_flat
#define CSZI_RECORD_flat cszi_accelerator
#define CSZI_ACCELERATOR_FIELDS
static const cszi_field_row accelerator_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_ACCELERATOR_FIELDS
#undef CSZI_RECORD_flat
#define CSZI_RECORD_flat cszi_node
#define CSZI_NODE_FIELDS
static const cszi_field_row node_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_NODE_FIELDS
#undef CSZI_RECORD_flat
#define CSZI_RECORD_flat cszi_fabric
#define CSZI_FABRIC_FIELDS
static const cszi_field_row fabric_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_FABRIC_FIELDS
#undef CSZI_RECORD_flat
#define CSZI_RECORD_flat cszi_offer
#define CSZI_OFFER_FIELDS
static const cszi_field_row offer_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_OFFER_FIELDS
#undef CSZI_RECORD_flat
#define CSZI_RECORD_flat cszi_curve
#define CSZI_CURVE_FIELDS
static const cszi_field_row curve_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_CURVE_FIELDS
#undef CSZI_RECORD_flat
#define CSZI_RECORD_flat cszi_operation
#define CSZI_OPERATION_FIELDS
static const cszi_field_row operation_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_OPERATION_FIELDS
#undef CSZI_RECORD_flat
#define CSZI_RECORD_flat cszi_reliability
#define CSZI_RELIABILITY_FIELDS
static const cszi_field_row reliability_rows[] = {
#include "facts/fields.inc"
};
#undef CSZI_RELIABILITY_FIELDS

#define TABLE(name, rows)                                                                          \
    {                                                                                              \
        name, CSZI_MODE_FACTS, rows, sizeof rows / sizeof *rows, {{"", 0, 0, 0, 0, 0, 0}}, 1       \
    }
const cszi_table cszi_catalog_tables[CSZI_CATALOG_KINDS] = {
    TABLE("model", model_rows),         TABLE("accelerator", accelerator_rows),
    TABLE("node", node_rows),           TABLE("fabric", fabric_rows),
    TABLE("offer", offer_rows),         TABLE("curve", curve_rows),
    TABLE("operation", operation_rows), TABLE("reliability", reliability_rows)};

static const char *const plurals[CSZI_CATALOG_KINDS] = {
    "models", "accelerators", "nodes", "fabrics", "offers", "curves", "operations", "reliability"};

/* ---- Entries ---- */

size_t cszi_catalog_row_size(csz_kind kind)
{
    static const size_t sizes[CSZI_CATALOG_KINDS] = {
        sizeof(cszi_model),     sizeof(cszi_accelerator), sizeof(cszi_node),
        sizeof(cszi_fabric),    sizeof(cszi_offer),       sizeof(cszi_curve),
        sizeof(cszi_operation), sizeof(cszi_reliability)};
    return sizes[kind];
}

void cszi_catalog_init(cszi_catalog *catalog, cszi_alloc alloc)
{
    *catalog = *cszi_catalog_builtin();
    catalog->alloc = alloc;
}

void cszi_catalog_clear(cszi_catalog *catalog)
{
    for (int kind = 0; kind < CSZI_CATALOG_KINDS; kind++)
        if (catalog->room[kind] != 0)
            cszi_alloc_free(catalog->alloc, (void *)(size_t)catalog->rows[kind],
                            catalog->room[kind] * cszi_catalog_row_size((csz_kind)kind));
    for (cszi_strings *s = catalog->strings, *next; s != NULL; s = next) {
        next = s->next;
        cszi_alloc_free(catalog->alloc, s, s->size);
    }
    cszi_catalog_init(catalog, catalog->alloc);
}

const void *cszi_catalog_entry(const cszi_catalog *catalog, csz_kind kind, size_t index)
{
    if (index >= catalog->counts[kind])
        return NULL;
    return (const char *)catalog->rows[kind] + index * cszi_catalog_row_size(kind);
}

const char *cszi_catalog_id(const cszi_catalog *catalog, csz_kind kind, size_t index)
{
    const char *id = NULL; /* the id is the first member of every record */
    const void *entry = cszi_catalog_entry(catalog, kind, index);
    if (entry != NULL)
        memcpy(&id, entry, sizeof id);
    return id;
}

/* ---- Look-up ---- */

char cszi_next_letter(const char **at, const char *end)
{
    for (; *at != end && **at != '\0'; ++*at) {
        char c = **at;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.') {
            ++*at;
            return c;
        }
    }
    return '\0';
}

/* How much of an id a name gives: all of it, its beginning, or neither. */
typedef enum match { MATCH_NONE, MATCH_BEGINNING, MATCH_ALL } match;

static match compare(const char *id, const char *name)
{
    char a, b;
    do {
        a = cszi_next_letter(&id, NULL);
        b = cszi_next_letter(&name, NULL);
    } while (a == b && a != '\0');
    if (b != '\0')
        return MATCH_NONE;
    return a == '\0' ? MATCH_ALL : MATCH_BEGINNING;
}

static int find_exact(const cszi_catalog *catalog, csz_kind kind, const char *name, size_t *index)
{
    for (size_t i = 0; i < catalog->counts[kind]; i++) {
        if (strcmp(cszi_catalog_id(catalog, kind, i), name) == 0) {
            *index = i;
            return 1;
        }
    }
    return 0;
}

/* Ids that the name gives in full or, if none, begins: how many, and the last. */
static size_t find_alike(const cszi_catalog *catalog, csz_kind kind, const char *name,
                         size_t *index)
{
    for (int wanted = MATCH_ALL; wanted >= MATCH_BEGINNING; wanted--) {
        size_t found = 0;
        for (size_t i = 0; i < catalog->counts[kind]; i++) {
            if ((int)compare(cszi_catalog_id(catalog, kind, i), name) == wanted) {
                *index = i;
                found++;
            }
        }
        if (found > 0)
            return found;
    }
    return 0;
}

/* "meta-llama/Meta-Llama-3-70B": behind the owner, and behind each further word of the family's
 * name. What is left of the name stands in *rest. */
static size_t find_behind(const cszi_catalog *catalog, csz_kind kind, const char *name,
                          size_t *index, const char **rest)
{
    const char *slash = strrchr(name, '/');
    *rest = slash != NULL ? slash + 1 : name;
    for (const char *at = *rest; at != NULL; at = strpbrk(at, "-_ ")) {
        size_t found;
        at += strspn(at, "-_ ");
        found = *at != '\0' ? find_alike(catalog, kind, at, index) : 0;
        if (found > 0)
            *rest = at;
        if (found > 0 || slash == NULL)
            return found;
    }
    return 0;
}

/* The next run of letters, which ends before *end; NULL when there is none. */
static const char *next_word(const char *at, const char **end)
{
    static const char breaks[] = "-_ /";
    at += strspn(at, breaks);
    *end = at + strcspn(at, breaks);
    return *at != '\0' ? at : NULL;
}

static int same_word(const char *a, const char *a_end, const char *b, const char *b_end)
{
    char x, y;
    do {
        x = cszi_next_letter(&a, a_end);
        y = cszi_next_letter(&b, b_end);
    } while (x == y && x != '\0');
    return x == y;
}

/* How near an unknown name is to an id: by words of the name that the id has too, then by the
 * letters of a common beginning. */
static size_t likeness(const char *id, const char *name)
{
    size_t score = 0;
    const char *word, *word_end, *part, *part_end;
    for (word = next_word(name, &word_end); word != NULL; word = next_word(word_end, &word_end)) {
        part = next_word(id, &part_end);
        while (part != NULL && !same_word(word, word_end, part, part_end))
            part = next_word(part_end, &part_end);
        score += part != NULL ? 1000 : 0;
    }
    for (char x = cszi_next_letter(&id, NULL); x != '\0' && x == cszi_next_letter(&name, NULL);
         x = cszi_next_letter(&id, NULL))
        score++;
    return score;
}

/* Ids that begin with the name or, if none do, those that are nearest to it. */
static void list_close(const cszi_catalog *catalog, csz_kind kind, const char *name, size_t found,
                       cszi_out *out)
{
    size_t best = 1, listed = 0;
    const char *lead = found > 0 ? ": " : "; the nearest: ";
    for (size_t i = 0; i < catalog->counts[kind] && found == 0; i++) {
        size_t score = likeness(cszi_catalog_id(catalog, kind, i), name);
        best = score > best ? score : best;
    }
    for (size_t i = 0; i < catalog->counts[kind] && listed < 8; i++) {
        const char *id = cszi_catalog_id(catalog, kind, i);
        int is_close = found > 0 ? compare(id, name) != MATCH_NONE : likeness(id, name) == best;
        if (is_close && strlen(lead) + strlen(id) + out->length < 300) {
            cszi_out_format(out, "%s%s", lead, id);
            lead = ", ";
            listed++;
        }
    }
}

csz_status cszi_catalog_lookup(const cszi_catalog *catalog, csz_kind kind, const char *name,
                               csz_field field, size_t *index, cszi_error *error)
{
    size_t found = 0;
    const char *rest = name;
    cszi_out out;
    if (find_exact(catalog, kind, name, index))
        return CSZ_OK;
    if (name[0] != '\0')
        found = find_behind(catalog, kind, name, index, &rest);
    if (found == 1)
        return CSZ_OK;
    if (error == NULL)
        return CSZ_ERR_UNKNOWN;
    out = cszi_error_open(error, CSZ_ERR_UNKNOWN, field);
    cszi_out_format(&out, "%s: ", cszi_catalog_tables[kind].name);
    cszi_out_quoted(&out, name, strlen(name));
    cszi_out_text(&out, found > 1 ? " could be any of" : " is not in the catalog");
    list_close(catalog, kind, rest, found, &out);
    (void)cszi_out_close(&out);
    return CSZ_ERR_UNKNOWN;
}

/* ---- Overlay in ---- */

typedef struct loading {
    cszi_catalog *to;
    cszi_strings *strings;
    const cszi_json *json;
} loading;

/* Hook of the field engine: a text of an entry is copied into the load's block. */
static csz_status keep_text(void *user, void *record, const cszi_field_row *row,
                            const cszi_json *json, cszi_json_value value)
{
    loading *l = user;
    size_t room = l->strings->size - sizeof *l->strings - l->strings->used;
    char *kept = l->strings->text + l->strings->used;
    size_t n = cszi_json_string(json, value, kept, room) + 1;
    if (n > room || n == 1 || strlen(kept) + 1 != n)
        return cszi_json_fail(json, value, CSZ_ERR_SYNTAX, row->id, "%s: is empty or holds a NUL",
                              row->name);
    if (strcmp(row->name, "id") == 0 && n > CSZI_TEXT_CAPACITY)
        return cszi_json_fail(json, value, CSZ_ERR_LIMIT, row->id, "id: at most %d bytes",
                              CSZI_TEXT_CAPACITY - 1);
    l->strings->used += n;
    memcpy((char *)record + row->offset, &kept, sizeof kept);
    return CSZ_OK;
}

static csz_status no_memory(cszi_error *error)
{
    return cszi_fail(error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
}

/* Makes the rows of a kind the catalog's own, with one more, zeroed, when grow is set. Room grows
 * by half, so that a load of many entries copies each but a few times. */
static csz_status own_rows(cszi_catalog *c, csz_kind kind, int grow, cszi_error *error)
{
    size_t row = cszi_catalog_row_size(kind), count = c->counts[kind], room = c->room[kind];
    void *rows = (void *)(size_t)c->rows[kind];
    if (grow && count >= CSZI_CATALOG_ENTRIES)
        return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "%s: at most %d entries",
                         plurals[kind], CSZI_CATALOG_ENTRIES);
    if (room == 0 || (grow && count == room)) {
        size_t wider = grow ? count + count / 2 + 1 : count;
        rows = room != 0 ? cszi_alloc_resize(c->alloc, rows, room * row, wider * row)
                         : cszi_alloc_zero(c->alloc, wider * row);
        if (rows == NULL)
            return no_memory(error);
        if (room == 0)
            memcpy(rows, c->rows[kind], count * row);
        c->rows[kind] = rows;
        c->room[kind] = wider;
    }
    if (grow)
        memset((char *)rows + c->counts[kind]++ * row, 0, row);
    return CSZ_OK;
}

static csz_status load_entry(loading *l, csz_kind kind, cszi_json_value object, cszi_error *error)
{
    const cszi_table *table = &cszi_catalog_tables[kind];
    cszi_hooks hooks = {l, NULL, keep_text, NULL};
    cszi_json_value value;
    char id[CSZI_TEXT_CAPACITY];
    int found = 0, known;
    size_t index = 0;
    csz_status status;
    if (cszi_json_type_of(l->json, object) != CSZI_JSON_OBJECT)
        return cszi_json_fail(l->json, object, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "%s: an entry should be an object", plurals[kind]);
    status = cszi_json_find(l->json, object, "id", &value, &found);
    if (status != CSZ_OK)
        return status;
    if (!found || cszi_json_type_of(l->json, value) != CSZI_JSON_STRING ||
        cszi_json_string(l->json, value, id, sizeof id) >= sizeof id || id[0] == '\0')
        return cszi_json_fail(l->json, object, CSZ_ERR_MISSING, table->rows[0].id,
                              "%s: an entry needs an id of 1 to %d bytes", plurals[kind],
                              CSZI_TEXT_CAPACITY - 1);
    known = find_exact(l->to, kind, id, &index);
    status = own_rows(l->to, kind, !known, error);
    if (status != CSZ_OK)
        return status;
    if (!known)
        index = l->to->counts[kind] - 1;
    return cszi_fields_load(table,
                            (char *)(size_t)l->to->rows[kind] + index * cszi_catalog_row_size(kind),
                            l->json, object, &hooks, error);
}

static csz_status load_kind(loading *l, csz_kind kind, cszi_json_value array, cszi_error *error)
{
    size_t cursor = 0;
    cszi_json_value entry;
    if (cszi_json_type_of(l->json, array) != CSZI_JSON_ARRAY)
        return cszi_json_fail(l->json, array, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "%s: should be an array", plurals[kind]);
    while (cszi_json_next_element(l->json, array, &cursor, &entry)) {
        csz_status status = load_entry(l, kind, entry, error);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}

static csz_status load_all(loading *l, cszi_json_value object, cszi_error *error)
{
    size_t cursor = 0;
    cszi_json_value key, value;
    int seen[CSZI_CATALOG_KINDS] = {0};
    while (cszi_json_next_member(l->json, object, &cursor, &key, &value)) {
        int kind = 0;
        csz_status status;
        while (kind < CSZI_CATALOG_KINDS && !cszi_json_equals(l->json, key, plurals[kind]))
            kind++;
        if (kind == CSZI_CATALOG_KINDS && cszi_json_equals(l->json, key, "clustersize"))
            continue; /* the version that wrote it */
        if (kind == CSZI_CATALOG_KINDS)
            return cszi_json_fail(l->json, key, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                                  "a catalog has models, accelerators, nodes, fabrics, offers, "
                                  "curves, operations and reliability");
        if (seen[kind]++)
            return cszi_json_fail(l->json, key, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "%s is given twice",
                                  plurals[kind]);
        status = load_kind(l, (csz_kind)kind, value, error);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}

/* A second catalog with the same entries and no strings of its own. */
static csz_status copy_owned(const cszi_catalog *from, cszi_catalog *to, cszi_error *error)
{
    cszi_catalog_init(to, from->alloc);
    for (int kind = 0; kind < CSZI_CATALOG_KINDS; kind++) {
        csz_status status;
        to->counts[kind] = from->counts[kind];
        to->rows[kind] = from->rows[kind];
        if (from->room[kind] == 0)
            continue;
        status = own_rows(to, (csz_kind)kind, 0, error);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}

csz_status cszi_catalog_load(cszi_catalog *catalog, const cszi_json *json, cszi_json_value object,
                             cszi_catalog_check check, cszi_error *error)
{
    cszi_catalog next;
    cszi_strings *block = NULL;
    /* Decoded strings are never longer than their JSON form: one block holds them all. */
    size_t size = sizeof *block + (object.end - object.begin) + 1;
    loading l = {&next, NULL, json};
    csz_status status = CSZ_OK;
    if (cszi_json_type_of(json, object) != CSZI_JSON_OBJECT)
        return cszi_json_fail(json, object, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "a catalog should be an object");
    status = copy_owned(catalog, &next, error);
    if (status == CSZ_OK) {
        block = cszi_alloc_zero(catalog->alloc, size);
        status = block == NULL ? no_memory(error) : CSZ_OK;
    }
    if (status == CSZ_OK) {
        block->size = size;
        l.strings = block;
        status = load_all(&l, object, error);
    }
    if (status == CSZ_OK && check != NULL)
        status = check(&next, error);
    if (status != CSZ_OK) {
        cszi_catalog_clear(&next);
        cszi_alloc_free(catalog->alloc, block, size);
        return status;
    }
    block->next = catalog->strings;
    catalog->strings = NULL;
    cszi_catalog_clear(catalog);
    *catalog = next;
    catalog->strings = block;
    return CSZ_OK;
}

/* ---- Out ---- */

void cszi_catalog_write(const cszi_catalog *catalog, cszi_json_out *json)
{
    for (int kind = 0; kind < CSZI_CATALOG_KINDS; kind++) {
        cszi_json_key(json, plurals[kind]);
        cszi_json_open_array(json);
        for (size_t i = 0; i < catalog->counts[kind]; i++) {
            cszi_json_open_object(json);
            cszi_fields_write(&cszi_catalog_tables[kind],
                              cszi_catalog_entry(catalog, (csz_kind)kind, i), json);
            cszi_json_close_object(json);
        }
        cszi_json_close_array(json);
    }
}
