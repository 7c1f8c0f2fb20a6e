/* catalog.c: the public catalog. */
#include <string.h>

#include "api/handles.h"

const cszi_catalog *cszi_catalog_of(const csz_catalog *catalog)
{
    return catalog != NULL ? &catalog->value : cszi_catalog_builtin();
}

csz_catalog *csz_catalog_new(const csz_context *context)
{
    cszi_alloc alloc = cszi_context_alloc(context);
    csz_catalog *catalog = cszi_alloc_zero(alloc, sizeof *catalog);
    if (catalog != NULL)
        cszi_catalog_init(&catalog->value, alloc);
    return catalog;
}

void csz_catalog_free(csz_catalog *catalog)
{
    if (catalog == NULL)
        return;
    cszi_catalog_clear(&catalog->value);
    cszi_alloc_free(catalog->value.alloc, catalog, sizeof *catalog);
}

csz_status csz_catalog_load(csz_catalog *catalog, const char *text, size_t length)
{
    cszi_json json;
    cszi_json_value root, section;
    int found = 0;
    csz_status status;
    if (catalog == NULL || (text == NULL && length != 0))
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&catalog->error);
    status = cszi_json_open(&json, text, length, 0, &catalog->error, &root);
    if (status == CSZ_OK)
        status = cszi_json_section(&json, root, "catalog", &section, &found);
    if (status != CSZ_OK || !found)
        return status;
    return cszi_catalog_load(&catalog->value, &json, section, cszi_check_catalog, &catalog->error);
}

static int is_kind(csz_kind kind)
{
    return (unsigned)kind < CSZI_CATALOG_KINDS;
}

size_t csz_catalog_count(const csz_catalog *catalog, csz_kind kind)
{
    return is_kind(kind) ? cszi_catalog_of(catalog)->counts[kind] : 0;
}

const char *csz_catalog_id_at(const csz_catalog *catalog, csz_kind kind, size_t index)
{
    return is_kind(kind) ? cszi_catalog_id(cszi_catalog_of(catalog), kind, index) : NULL;
}

csz_status csz_catalog_find(const csz_catalog *catalog, csz_kind kind, const char *name,
                            size_t *index)
{
    if (!is_kind(kind) || name == NULL || index == NULL)
        return CSZ_ERR_ARGUMENT;
    return cszi_catalog_lookup(cszi_catalog_of(catalog), kind, name, CSZ_FIELD_NONE, index, NULL);
}

csz_status csz_catalog_query(const csz_catalog *catalog, csz_kind kind, const char *text,
                             csz_field by, size_t *indices, size_t capacity, size_t *count)
{
    if (!is_kind(kind) || count == NULL || (indices == NULL && capacity != 0))
        return CSZ_ERR_ARGUMENT;
    return cszi_catalog_query(cszi_catalog_of(catalog), kind, text != NULL ? text : "", by, indices,
                              capacity, count);
}

/* The row of a catalog field and the entry it is read from. */
static csz_status reach(const csz_catalog *catalog, size_t index, csz_field field,
                        const cszi_table **table, const cszi_field_row **row, const void **entry)
{
    *table = cszi_table_of(field);
    if (*table == NULL || (*table)->mode != CSZI_MODE_FACTS)
        return CSZ_ERR_FIELD;
    *row = cszi_table_row(*table, field);
    if (*row == NULL)
        return CSZ_ERR_FIELD;
    *entry = cszi_catalog_entry(cszi_catalog_of(catalog), (csz_kind)(*table - cszi_catalog_tables),
                                index);
    return *entry != NULL ? CSZ_OK : CSZ_ERR_RANGE;
}

csz_status csz_catalog_get_f64(const csz_catalog *catalog, size_t index, csz_field field,
                               double *value)
{
    const cszi_table *table;
    const cszi_field_row *row;
    const void *entry;
    csz_status status;
    if (value == NULL)
        return CSZ_ERR_ARGUMENT;
    status = reach(catalog, index, field, &table, &row, &entry);
    return status == CSZ_OK ? cszi_field_get_f64(table, entry, row, 0, value) : status;
}

size_t csz_catalog_get_text(const csz_catalog *catalog, size_t index, csz_field field, char *text,
                            size_t capacity)
{
    const cszi_table *table;
    const cszi_field_row *row;
    const void *entry;
    cszi_out out = cszi_out_open(text, capacity);
    if (reach(catalog, index, field, &table, &row, &entry) == CSZ_OK)
        cszi_field_write_text(table, entry, row, 0, &out);
    return cszi_out_close(&out);
}

size_t csz_catalog_source(const csz_catalog *catalog, csz_kind kind, size_t index, char *text,
                          size_t capacity)
{
    static const char *const names[] = {"source", "date", "confidence", "doubt"};
    static const char *const leads[] = {"", "; ", "; confidence ", "; doubt: "};
    cszi_out out = cszi_out_open(text, capacity);
    const void *entry =
        is_kind(kind) ? cszi_catalog_entry(cszi_catalog_of(catalog), kind, index) : NULL;
    for (size_t i = 0; entry != NULL && i < sizeof names / sizeof *names; i++) {
        const cszi_table *table = &cszi_catalog_tables[kind];
        const cszi_field_row *row = cszi_table_by_name(table, names[i], strlen(names[i]));
        if (row == NULL || !cszi_field_is_set(table, entry, row, 0))
            continue;
        cszi_out_text(&out, out.length > 0 ? leads[i] : "");
        cszi_field_write_text(table, entry, row, 0, &out);
    }
    return cszi_out_close(&out);
}

size_t csz_catalog_to_json(const csz_catalog *catalog, char *text, size_t capacity)
{
    cszi_json_out json = cszi_json_begin(text, capacity);
    cszi_json_open_object(&json);
    cszi_json_put_version(&json);
    cszi_catalog_write(cszi_catalog_of(catalog), &json);
    cszi_json_close_object(&json);
    return cszi_json_end(&json);
}

const char *csz_catalog_error(const csz_catalog *catalog, csz_field *field)
{
    if (field != NULL)
        *field = catalog != NULL ? catalog->error.field : CSZ_FIELD_NONE;
    return catalog != NULL ? catalog->error.text : "";
}
