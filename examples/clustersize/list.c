/* list.c: what the catalog and the field table hold, one line an entry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

typedef struct kind {
    const char *name;
    csz_kind kind;
    int first, last;      /* fields of its entries */
    int columns;          /* of the id on a line */
    csz_field figures[6]; /* on the line, after the id */
} kind;

static const kind kinds[] = {
    {"models",
     CSZ_KIND_MODEL,
     CSZ_MODEL_ID,
     CSZ_MODEL_CONFIDENCE,
     27,
     {CSZ_MODEL_PARAMETERS, CSZ_MODEL_PUBLISHED}},
    {"accelerators",
     CSZ_KIND_ACCELERATOR,
     CSZ_ACCELERATOR_ID,
     CSZ_ACCELERATOR_CONFIDENCE,
     20,
     {CSZ_ACCELERATOR_MEMORY, CSZ_ACCELERATOR_MEMORY_LABEL, CSZ_ACCELERATOR_MEMORY_BANDWIDTH,
      CSZ_ACCELERATOR_PEAK_BF16, CSZ_ACCELERATOR_LINK_BANDWIDTH}},
    {"nodes",
     CSZ_KIND_NODE,
     CSZ_NODE_ID,
     CSZ_NODE_CONFIDENCE,
     26,
     {CSZ_NODE_ACCELERATORS, CSZ_NODE_ACCELERATOR, CSZ_NODE_SCALE_OUT_BANDWIDTH}},
    {"fabrics",
     CSZ_KIND_FABRIC,
     CSZ_FABRIC_ID,
     CSZ_FABRIC_CONFIDENCE,
     26,
     {CSZ_FABRIC_BANDWIDTH, CSZ_FABRIC_NAME}},
    {"offers",
     CSZ_KIND_OFFER,
     CSZ_OFFER_ID,
     CSZ_OFFER_CONFIDENCE,
     36,
     {CSZ_OFFER_PRICE, CSZ_OFFER_TERM, CSZ_OFFER_DATE, CSZ_OFFER_PROVIDER}},
};

static int matches(const asked *a, const char *text)
{
    return a->filter == NULL || (text != NULL && strstr(text, a->filter) != NULL);
}

/* ---- Entries ---- */

/* The last of these that is known stands: memory as sold when the driver's figure is not known. */
static int is_fallback(csz_field field, const char *before)
{
    return field == CSZ_ACCELERATOR_MEMORY_LABEL && before[0] != '\0';
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
    shown before = {""};
    int n = snprintf(line, sizeof line, "%-*.63s", k->columns,
                     csz_catalog_id_at(a->catalog, k->kind, index));
    for (size_t i = 0;
         i < sizeof k->figures / sizeof *k->figures && k->figures[i] != CSZ_FIELD_NONE; i++) {
        shown w = show(a->catalog, index, k->figures[i]);
        if (!is_fallback(k->figures[i], before.text) &&
            (w.text[0] != '\0' || k->figures[i] != CSZ_ACCELERATOR_MEMORY))
            n += snprintf(line + n, sizeof line - (size_t)n, " %-13s", w.text);
        before = w;
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

static void list_entries(const asked *a, const kind *k)
{
    page t = {0};
    int first = 1;
    for (size_t i = 0; i < csz_catalog_count(a->catalog, k->kind); i++) {
        if (!matches(a, csz_catalog_id_at(a->catalog, k->kind, i)))
            continue;
        if (!a->json) {
            say_entry(&t, a, k, i);
            continue;
        }
        printf("%s", first ? "" : ",\n");
        print_entry(a, k, i);
        first = 0;
    }
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
        return args_fail(
            a, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
            "list: of what? one of models, accelerators, nodes, fabrics, offers, stacks, fields");
    while (i < count && strcmp(kinds[i].name, a->kind) != 0)
        i++;
    if (i == count && strcmp(a->kind, "fields") != 0 && strcmp(a->kind, "stacks") != 0)
        return args_fail(
            a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
            "list: '%.40s' is none of models, accelerators, nodes, fabrics, offers, stacks, fields",
            a->kind);
    printf("%s", a->json ? "[" : "");
    if (i < count)
        list_entries(a, &kinds[i]);
    else if (strcmp(a->kind, "stacks") == 0)
        list_stacks(a);
    else
        list_fields(a);
    printf("%s", a->json ? "]\n" : "");
    return FITS;
}
