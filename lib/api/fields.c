/* fields.c: all field tables as one, by id and by name. */
#include <math.h>
#include <string.h>

#include "api/handles.h"
#include "base/unit.h"

static const cszi_table *const tables[] = {
    &cszi_workload_table,    &cszi_cluster_table,     &cszi_plan_table,
    &cszi_goal_table,        &cszi_estimate_table,    &cszi_ranking_table,
    &cszi_catalog_tables[0], &cszi_catalog_tables[1], &cszi_catalog_tables[2],
    &cszi_catalog_tables[3], &cszi_catalog_tables[4], &cszi_catalog_tables[5],
    &cszi_catalog_tables[6], &cszi_catalog_tables[7], &cszi_calibration_table,
    &cszi_projection_table};
#define TABLES (sizeof tables / sizeof *tables)

const cszi_table *cszi_table_of(csz_field field)
{
    size_t object = (size_t)field / 1000, kind = (size_t)field / 100 % 10;
    if (object >= CSZ_OBJECT_WORKLOAD && object < CSZ_OBJECT_CATALOG)
        return tables[object - 1];
    if (object == CSZ_OBJECT_CALIBRATION)
        return &cszi_calibration_table;
    if (object == CSZ_OBJECT_PROJECTION)
        return &cszi_projection_table;
    return object == CSZ_OBJECT_CATALOG && kind < CSZI_CATALOG_KINDS ? &cszi_catalog_tables[kind]
                                                                     : NULL;
}

static const cszi_field_row *find(csz_field field, const cszi_table **table)
{
    *table = cszi_table_of(field);
    return *table != NULL ? cszi_table_row(*table, field) : NULL;
}

size_t csz_field_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < TABLES; i++)
        count += tables[i]->count;
    return count;
}

csz_field csz_field_at(size_t index)
{
    for (size_t i = 0; i < TABLES; i++) {
        if (index < tables[i]->count)
            return tables[i]->rows[index].id;
        index -= tables[i]->count;
    }
    return CSZ_FIELD_NONE;
}

csz_field csz_field_by_name(const char *name)
{
    for (size_t i = 0; name != NULL && i < TABLES; i++) {
        const cszi_field_row *row = cszi_table_by_name(tables[i], name, strlen(name));
        /* Catalog kinds share member names: theirs are found with the kind in front
         * ("accelerator.memory"). */
        if (row != NULL && tables[i]->mode != CSZI_MODE_FACTS)
            return row->id;
        if (tables[i]->mode == CSZI_MODE_FACTS) {
            size_t n = strlen(tables[i]->name);
            if (strncmp(name, tables[i]->name, n) == 0 && name[n] == '.')
                row = cszi_table_by_name(tables[i], name + n + 1, strlen(name + n + 1));
            else
                row = NULL;
            if (row != NULL)
                return row->id;
        }
    }
    return CSZ_FIELD_NONE;
}

const char *csz_field_name(csz_field field)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    return row != NULL ? row->name : NULL;
}

const char *csz_field_alias(csz_field field)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    return row != NULL ? row->alias : NULL;
}

const char *csz_field_list(csz_field field)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    return row != NULL ? table->lists[row->list].name : NULL;
}

const char *csz_field_text(csz_field field)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    return row != NULL ? row->text : NULL;
}

csz_unit csz_field_unit(csz_field field)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    return row != NULL ? row->unit : CSZ_UNIT_NONE;
}

csz_type csz_field_type(csz_field field)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    return row != NULL ? row->type : (csz_type)0;
}

const char *csz_field_choice(csz_field field, int64_t value)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    return row != NULL ? cszi_field_choice_name(row, value) : NULL;
}

csz_status csz_field_bounds(csz_field field, double *lowest, double *highest)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    if (row == NULL)
        return CSZ_ERR_FIELD;
    if (lowest == NULL || highest == NULL)
        return CSZ_ERR_ARGUMENT;
    if (row->type == CSZ_TYPE_TEXT || table->mode == CSZI_MODE_RESULT)
        return CSZ_ERR_UNSET;
    *lowest = row->lower;
    *highest = row->upper;
    return CSZ_OK;
}

csz_status csz_field_default(csz_field field, double *value)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    if (row == NULL)
        return CSZ_ERR_FIELD;
    if (value == NULL)
        return CSZ_ERR_ARGUMENT;
    if (isnan(row->initial))
        return CSZ_ERR_UNSET;
    *value = row->initial;
    return CSZ_OK;
}

size_t csz_field_to_json(csz_field field, char *text, size_t capacity)
{
    const cszi_table *table;
    const cszi_field_row *row = find(field, &table);
    cszi_json_out json = cszi_json_begin(text, capacity);
    if (row != NULL)
        cszi_field_describe(table, row, &json);
    return cszi_json_end(&json);
}

csz_status csz_unit_parse(csz_unit unit, const char *text, double *value)
{
    double parsed;
    csz_status status;
    if (text == NULL || value == NULL || cszi_unit_symbol(unit) == NULL)
        return CSZ_ERR_ARGUMENT;
    status = cszi_unit_parse(unit, text, strlen(text), &parsed, NULL, CSZ_FIELD_NONE);
    if (status == CSZ_OK)
        *value = parsed;
    return status;
}

size_t csz_unit_format(csz_unit unit, double value, char *text, size_t capacity)
{
    return cszi_unit_format(unit, value, text, capacity);
}

void cszi_json_put_version(cszi_json_out *json)
{
    cszi_json_key(json, "clustersize");
    cszi_json_open_object(json);
    cszi_json_key(json, "version");
    cszi_json_put_text(json, CSZ_VERSION_STRING);
    cszi_json_key(json, "facts");
    cszi_json_put_text(json, CSZI_FACTS_DATE);
    cszi_json_close_object(json);
}

/* Whether a key names a section of a job file (1 to 6), or is of what wrote it: its version, and
 * how a cluster was calibrated. */
static int is_section(const cszi_json *json, cszi_json_value key)
{
    static const char *const names[] = {"ask",  "workload", "cluster",     "plan",
                                        "goal", "catalog",  "clustersize", "calibration"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cszi_json_equals(json, key, names[i]))
            return (int)i + 1;
    return 0;
}

csz_status cszi_json_section(const cszi_json *json, cszi_json_value root, const char *section,
                             cszi_json_value *at, int *found)
{
    size_t cursor = 0;
    cszi_json_value key, value, other = root;
    int sections = 0, others = 0;
    *at = root;
    *found = 1;
    if (cszi_json_type_of(json, root) != CSZI_JSON_OBJECT)
        return CSZ_OK; /* the loader says what is wrong */
    while (cszi_json_next_member(json, root, &cursor, &key, &value)) {
        int which = is_section(json, key);
        if (which == 0 && others++ == 0)
            other = key;
        sections += which != 0 && which < 7;
    }
    if (sections == 0)
        return CSZ_OK; /* no job file: the object's own document */
    if (others != 0)
        return cszi_json_fail(json, other, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                              "a job file has ask, workload, cluster, plan, goal and catalog");
    return cszi_json_find(json, root, section, at, found);
}
