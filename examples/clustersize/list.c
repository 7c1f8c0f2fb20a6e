/* list.c: what the catalog and the field table hold, one line an entry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

typedef struct kind {
    const char *name;
    const char *one; /* in front of the names of its fields */
    csz_kind kind;
    int first, last;      /* fields of its entries */
    int columns;          /* of the id on a line */
    csz_field figures[6]; /* on the line, after the id */
} kind;

static const kind kinds[] = {
    {"models",
     "model",
     CSZ_KIND_MODEL,
     CSZ_MODEL_ID,
     CSZ_MODEL_CONFIDENCE,
     27,
     {CSZ_MODEL_PARAMETERS, CSZ_MODEL_PUBLISHED}},
    {"accelerators",
     "accelerator",
     CSZ_KIND_ACCELERATOR,
     CSZ_ACCELERATOR_ID,
     CSZ_ACCELERATOR_CONFIDENCE,
     20,
     {CSZ_ACCELERATOR_MEMORY, CSZ_ACCELERATOR_MEMORY_BANDWIDTH, CSZ_ACCELERATOR_PEAK_BF16,
      CSZ_ACCELERATOR_LINK_BANDWIDTH}},
    {"nodes",
     "node",
     CSZ_KIND_NODE,
     CSZ_NODE_ID,
     CSZ_NODE_CONFIDENCE,
     26,
     {CSZ_NODE_ACCELERATORS, CSZ_NODE_ACCELERATOR, CSZ_NODE_SCALE_OUT_BANDWIDTH}},
    {"fabrics",
     "fabric",
     CSZ_KIND_FABRIC,
     CSZ_FABRIC_ID,
     CSZ_FABRIC_LATENCY,
     26,
     {CSZ_FABRIC_BANDWIDTH, CSZ_FABRIC_NAME}},
    {"offers",
     "offer",
     CSZ_KIND_OFFER,
     CSZ_OFFER_ID,
     CSZ_OFFER_PURCHASE_HIGH,
     36,
     {CSZ_OFFER_PRICE, CSZ_OFFER_TERM, CSZ_OFFER_DATE}},
    {"curves",
     "curve",
     CSZ_KIND_CURVE,
     CSZ_CURVE_ID,
     CSZ_CURVE_CONFIDENCE,
     44,
     {CSZ_CURVE_BUS_BANDWIDTH, CSZ_CURVE_DATE}},
    {"operations",
     "operation",
     CSZ_KIND_OPERATION,
     CSZ_OPERATION_ID,
     CSZ_OPERATION_CONFIDENCE,
     40,
     {CSZ_OPERATION_VALUE, CSZ_OPERATION_UNIT, CSZ_OPERATION_DATE}},
    {"reliability",
     "reliability",
     CSZ_KIND_RELIABILITY,
     CSZ_RELIABILITY_ID,
     CSZ_RELIABILITY_CONFIDENCE,
     40,
     {CSZ_RELIABILITY_VALUE, CSZ_RELIABILITY_UNIT, CSZ_RELIABILITY_DATE}},
};

#define KINDS                                                                                      \
    "models, accelerators, nodes, fabrics, offers, curves, operations, reliability, stacks, "      \
    "fields"

static int matches(const asked *a, const char *text)
{
    return a->filter == NULL || (text != NULL && strstr(text, a->filter) != NULL);
}

/* ---- Entries ---- */

/* What stands in the place of a figure that is not known. */
static csz_field second_of(csz_field field)
{
    return field == CSZ_ACCELERATOR_MEMORY    ? CSZ_ACCELERATOR_MEMORY_LABEL
           : field == CSZ_OFFER_PRICE         ? CSZ_OFFER_PURCHASE
           : field == CSZ_CURVE_BUS_BANDWIDTH ? CSZ_CURVE_LATENCY
                                              : CSZ_FIELD_NONE;
}

static shown show(const csz_catalog *catalog, size_t index, csz_field field)
{
    shown w = {""};
    double value = 0;
    if (csz_field_type(field) == CSZ_TYPE_TEXT)
        (void)csz_catalog_get_text(catalog, index, field, w.text, sizeof w.text);
    else if (csz_catalog_get_f64(catalog, index, field, &value) == CSZ_OK &&
             field == CSZ_MODEL_PUBLISHED)
        (void)snprintf(w.text, sizeof w.text, "%.0f", value);
    else if (csz_catalog_get_f64(catalog, index, field, &value) == CSZ_OK)
        w = text_unit(csz_field_unit(field), value);
    return w;
}

static void say_entry(page *t, const asked *a, const kind *k, size_t index)
{
    char line[512];
    int n = snprintf(line, sizeof line, "%-*.63s", k->columns,
                     csz_catalog_id_at(a->catalog, k->kind, index));
    for (size_t i = 0;
         i < sizeof k->figures / sizeof *k->figures && k->figures[i] != CSZ_FIELD_NONE; i++) {
        shown w = show(a->catalog, index, k->figures[i]);
        if (w.text[0] == '\0' && second_of(k->figures[i]) != CSZ_FIELD_NONE)
            w = show(a->catalog, index, second_of(k->figures[i]));
        n += snprintf(line + n, sizeof line - (size_t)n, " %-13s", w.text);
    }
    text_line(t, "%s", line);
    if (a->verbose) {
        (void)csz_catalog_source(a->catalog, k->kind, index, line, sizeof line);
        text_open(t, "  source");
        text_add(t, "%s", line);
        text_close(t);
    }
}

static void print_json_string(const char *s)
{
    putchar('"');
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\')
            putchar('\\');
        if ((unsigned char)*s >= 0x20)
            putchar(*s);
    }
    putchar('"');
}

static void print_member(const csz_catalog *catalog, size_t index, csz_field field)
{
    double value = 0;
    size_t n;
    char *text;
    if (csz_field_type(field) != CSZ_TYPE_TEXT) {
        if (csz_catalog_get_f64(catalog, index, field, &value) == CSZ_OK)
            printf(",\"%s\":%.15g", csz_field_name(field), value);
        return;
    }
    n = csz_catalog_get_text(catalog, index, field, NULL, 0);
    text = n > 0 ? malloc(n + 1) : NULL;
    if (text == NULL)
        return;
    (void)csz_catalog_get_text(catalog, index, field, text, n + 1);
    printf(",\"%s\":", csz_field_name(field));
    print_json_string(text);
    free(text);
}

static void print_entry(const asked *a, const kind *k, size_t index)
{
    printf("{\"id\":");
    print_json_string(csz_catalog_id_at(a->catalog, k->kind, index));
    for (int f = k->first + 1; f <= k->last; f++)
        if (csz_field_name((csz_field)f) != NULL)
            print_member(a->catalog, index, (csz_field)f);
    printf("}");
}

/* ---- Queries ---- */

/* The field of a kind by its name; NONE without one. */
static csz_field field_of(const kind *k, const char *name)
{
    char full[128];
    int n = snprintf(full, sizeof full, "%s.%.64s", k->one, name);
    for (char *s = full; *s != '\0'; s++)
        if (*s == '-')
            *s = '_';
    return n < (int)sizeof full ? csz_field_by_name(full) : CSZ_FIELD_NONE;
}

/* What the library's status alone does not say: which fields there are. */
static int refuse(asked *a, const kind *k, csz_status status, const char *what)
{
    char names[320] = "";
    size_t n = 0;
    for (int f = k->first; f <= k->last; f++) {
        const char *name = csz_field_name((csz_field)f);
        if (name != NULL && n + strlen(name) + 3 < sizeof names)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n > 0 ? ", " : "", name);
    }
    if (status == CSZ_ERR_FIELD || status == CSZ_ERR_TYPE)
        return args_fail(a, status, CSZ_FIELD_NONE, "list: '%.60s': %s of %s; they have %s", what,
                         status == CSZ_ERR_FIELD ? "no such field" : "not a figure", k->name,
                         names);
    return args_fail(a, status, CSZ_FIELD_NONE,
                     "list: '%.60s': conditions are NAME=VALUE, each name once (%s)", what,
                     csz_status_name(status));
}

/* The entries asked for, to be freed; NULL with a message left in a. */
static size_t *find_entries(asked *a, const kind *k, size_t *count)
{
    csz_field by = a->by != NULL ? field_of(k, a->by) : CSZ_FIELD_NONE;
    size_t capacity = csz_catalog_count(a->catalog, k->kind);
    size_t *indices = malloc((capacity + 1) * sizeof *indices);
    csz_status status = CSZ_ERR_NO_MEMORY;
    if (indices != NULL)
        status = a->by != NULL && by == CSZ_FIELD_NONE
                     ? CSZ_ERR_FIELD
                     : csz_catalog_query(a->catalog, k->kind, a->conditions, by, indices, capacity,
                                         count);
    if (status == CSZ_OK)
        return indices;
    free(indices);
    (void)refuse(a, k, status,
                 by == CSZ_FIELD_NONE && a->by != NULL ? a->by
                 : status == CSZ_ERR_TYPE              ? a->by
                                                       : a->conditions);
    return NULL;
}

static int list_entries(asked *a, const kind *k)
{
    page t = {0};
    size_t count = 0;
    int first = 1;
    size_t *indices = find_entries(a, k, &count);
    if (indices == NULL)
        return BAD_INPUT;
    printf("%s", a->json ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        if (!matches(a, csz_catalog_id_at(a->catalog, k->kind, indices[i])))
            continue;
        if (!a->json) {
            say_entry(&t, a, k, indices[i]);
            continue;
        }
        printf("%s", first ? "" : ",\n");
        print_entry(a, k, indices[i]);
        first = 0;
    }
    printf("%s", a->json ? "]\n" : "");
    free(indices);
    return FITS;
}

/* ---- Fields ---- */

static void print_field(csz_field field)
{
    size_t n = csz_field_to_json(field, NULL, 0);
    char *json = malloc(n + 1);
    if (json == NULL)
        return;
    (void)csz_field_to_json(field, json, n + 1);
    printf("%s", json);
    free(json);
}

shown field_default(csz_field field)
{
    shown w = {"-"};
    double value = 0;
    const char *choice;
    if (csz_field_default(field, &value) != CSZ_OK)
        return w;
    choice = csz_field_choice(field, (int64_t)value);
    if (choice != NULL)
        (void)snprintf(w.text, sizeof w.text, "%.47s", choice);
    else
        w = text_unit(csz_field_unit(field), value);
    return w;
}

static const char *unit_of(csz_field field)
{
    static const char *const units[] = {"-",       "count",  "bytes", "FLOP",  "time",
                                        "bytes/s", "FLOP/s", "watts", "joule", "USD",
                                        "ratio",   "1/s",    "USD/h", "1/day"};
    csz_type type = csz_field_type(field);
    return type == CSZ_TYPE_CHOICE ? "choice"
           : type == CSZ_TYPE_BOOL ? "yes/no"
           : type == CSZ_TYPE_TEXT ? "text"
                                   : units[csz_field_unit(field)];
}

/* The meaning may go beyond the edge of a screen: lines are for searching in. */
static void say_field(csz_field field)
{
    const char *alias = csz_field_alias(field);
    printf("%-23s %-11s %-7s %-8s %s\n", csz_field_name(field), alias[0] != '\0' ? alias : "-",
           unit_of(field), field_default(field).text, csz_field_text(field));
}

static void list_fields(const asked *a)
{
    int first = 1;
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        if (!matches(a, csz_field_name(field)) &&
            (csz_field_alias(field)[0] == '\0' || !matches(a, csz_field_alias(field))))
            continue;
        if (!a->json) {
            say_field(field);
            continue;
        }
        printf("%s", first ? "" : ",\n");
        print_field(field);
        first = 0;
    }
}

/* ---- Stacks ---- */

static void list_stacks(const asked *a)
{
    page t = {0};
    for (size_t i = 0, shown_rows = 0; i < csz_stack_count(); i++) {
        if (!matches(a, csz_stack_id_at(i)))
            continue;
        if (a->json) {
            printf("%s{\"id\":\"%s\",\"source\":", shown_rows++ != 0 ? ",\n" : "",
                   csz_stack_id_at(i));
            print_json_string(csz_stack_source_at(i));
            printf("}");
            continue;
        }
        text_open(&t, "");
        text_add(&t, "%-15s %s", csz_stack_id_at(i), csz_stack_source_at(i));
        text_close(&t);
    }
}

int run_list(asked *a)
{
    size_t i = 0, count = sizeof kinds / sizeof *kinds;
    if (a->kind == NULL)
        return args_fail(a, CSZ_ERR_MISSING, CSZ_FIELD_NONE, "list: of what? one of " KINDS);
    while (i < count && strcmp(kinds[i].name, a->kind) != 0)
        i++;
    if (i < count)
        return list_entries(a, &kinds[i]);
    if (strcmp(a->kind, "fields") != 0 && strcmp(a->kind, "stacks") != 0)
        return args_fail(a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE, "list: '%.40s' is none of " KINDS,
                         a->kind);
    if (a->by != NULL || a->conditions[0] != '\0')
        return args_fail(a, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                         "list: %s take no conditions and no --by, only a part of the name",
                         a->kind);
    printf("%s", a->json ? "[" : "");
    if (strcmp(a->kind, "stacks") == 0)
        list_stacks(a);
    else
        list_fields(a);
    printf("%s", a->json ? "]\n" : "");
    return FITS;
}
