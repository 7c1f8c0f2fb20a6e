/* field_describe.c: a row of a field table as JSON, for bindings and references. */
#include <math.h>

#include "base/field.h"

static const char *type_name(csz_type type)
{
    static const char *const names[] = {"",        "integer", "number", "choice",
                                        "boolean", "text",    "range"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "";
}

static const char *unit_name(csz_unit unit)
{
    static const char *const names[] = {
        "none",  "count", "byte",  "flop",       "second",   "byte/second", "flop/second", "watt",
        "joule", "usd",   "ratio", "per second", "usd/hour", "per day",     "flop/byte"};
    return (unsigned)unit < sizeof names / sizeof *names ? names[unit] : "";
}

static void describe_choices(const cszi_field_row *row, cszi_json_out *json)
{
    cszi_json_key(json, "choices");
    cszi_json_open_object(json);
    for (const cszi_choice *c = row->choices; c->name != NULL; c++) {
        cszi_json_key(json, c->name);
        cszi_json_put_i64(json, c->value);
    }
    cszi_json_close_object(json);
}

static void describe_text(cszi_json_out *json, const char *key, const char *text)
{
    if (text[0] == '\0')
        return;
    cszi_json_key(json, key);
    cszi_json_put_text(json, text);
}

static void describe_number(cszi_json_out *json, const char *key, double value)
{
    if (isnan(value))
        return;
    cszi_json_key(json, key);
    cszi_json_put_f64(json, value);
}

void cszi_field_describe(const cszi_table *table, const cszi_field_row *row, cszi_json_out *json)
{
    int bounded = table->mode == CSZI_MODE_INPUT && row->type != CSZ_TYPE_TEXT;
    cszi_json_open_object(json);
    cszi_json_key(json, "id");
    cszi_json_put_i64(json, row->id);
    describe_text(json, "object", table->name);
    describe_text(json, "name", row->name);
    describe_text(json, "alias", row->alias);
    describe_text(json, "list", row->list != 0 ? table->lists[row->list].name : "");
    describe_text(json, "type", type_name(row->type));
    describe_text(json, "unit", unit_name(row->unit));
    describe_number(json, "lower", bounded ? row->lower : (double)NAN);
    describe_number(json, "upper", bounded ? row->upper : (double)NAN);
    describe_number(json, "default", row->initial);
    if (row->choices != NULL)
        describe_choices(row, json);
    describe_text(json, "since", row->since);
    describe_text(json, "text", row->text);
    cszi_json_close_object(json);
}
