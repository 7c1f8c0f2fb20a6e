/* write.c: a file by the table of its stack, one printer a syntax: sections are nested by the dots
 * in the names of options. */
#include <string.h>

#include <clustersize/clustersize.h>

#include "base/json_write.h"
#include "launch/launch.h"

#define FIRST_FIELD 1000
#define VALUE_CAPACITY 3200 /* of one value; a pattern names every layer */

/* ---- Values ---- */

int cszi_launch_is_written(const cszi_launch *l, const cszi_launch_row *row)
{
    double value;
    if (row->write == CSZI_LAUNCH_NEVER || !cszi_launch_has(l, row->about))
        return 0;
    value = cszi_launch_get(l, row->about);
    return row->write == CSZI_LAUNCH_ALWAYS || value < row->idle || value > row->idle ||
           row->rule == CSZI_LAUNCH_TEXT || row->rule == CSZI_LAUNCH_PATTERN_LIST;
}

static const char *choice_name(const cszi_launch_row *row, double value)
{
    for (const cszi_choice *c = row->choices; c->name != NULL; c++)
        if (!((double)c->value < value) && !((double)c->value > value))
            return c->name;
    return NULL;
}

/* A text that is no number and no switch needs quotes in some syntaxes. */
static void put_text(const cszi_launch *l, const char *text, int plain, cszi_out *out)
{
    static const char *const words[] = {"true", "false"};
    const char *quote = l->stack->syntax == CSZI_SYNTAX_TOML || l->stack->syntax == CSZI_SYNTAX_JSON
                            ? "\""
                        : plain && strcmp(text, "no") != 0 && strcmp(text, "{}") != 0 ? ""
                                                                                      : "'";
    for (size_t i = 0; i < 2; i++)
        if (strcmp(text, words[i]) == 0)
            quote = "";
    cszi_out_format(out, "%s%s%s", quote, text, quote);
}

/* Names of set bits: a list, in words one after the other. */
static void put_bits(const cszi_launch *l, const cszi_launch_row *row, cszi_out *out)
{
    int64_t bits = cszi_launch_count(l, row->about);
    int words = l->stack->syntax == CSZI_SYNTAX_WORDS, first = 1;
    cszi_out_text(out, words ? "" : "[");
    for (const cszi_choice *c = row->choices; c->name != NULL; c++) {
        if ((bits & c->value) == 0)
            continue;
        bits &= ~c->value;
        cszi_out_text(out, first ? "" : words ? " " : ", ");
        put_text(l, c->name, 1, out);
        first = 0;
    }
    cszi_out_text(out, words ? "" : "]");
}

/* Runs of equal layers: "([0]*3+[1]*58)" in words, every layer elsewhere. */
static void put_pattern(const cszi_launch *l, cszi_out *out)
{
    int words = l->stack->syntax == CSZI_SYNTAX_WORDS;
    int64_t run = 0;
    cszi_out_text(out, words ? "'(" : "[");
    for (int64_t i = 0; i < l->pattern_length; i += run) {
        for (run = 1; words && i + run < l->pattern_length; run++)
            if (l->pattern[i + run] != l->pattern[i])
                break;
        if (words)
            cszi_out_format(out, "%s[%d]*%lld", i > 0 ? "+" : "", l->pattern[i], (long long)run);
        else
            cszi_out_format(out, "%s%d", i > 0 ? ", " : "", l->pattern[i]);
    }
    cszi_out_text(out, words ? ")'" : "]");
}

int cszi_launch_value(const cszi_launch *l, const cszi_launch_row *row, cszi_out *out)
{
    double value = cszi_launch_get(l, row->about);
    const char *name;
    switch (row->rule) {
    case CSZI_LAUNCH_COUNT:
    case CSZI_LAUNCH_FACTOR:
        cszi_out_i64(out, cszi_launch_count(l, row->about));
        return 1;
    case CSZI_LAUNCH_REAL:
        cszi_out_f64(out, value);
        return 1;
    case CSZI_LAUNCH_BITS:
        put_bits(l, row, out);
        return 1;
    case CSZI_LAUNCH_TEXT:
        put_text(l, row->about == CSZ_PLAN_PIPELINE_LAYOUT ? l->plan->pipeline_layout : "", 0, out);
        return 1;
    case CSZI_LAUNCH_PATTERN_LIST:
        put_pattern(l, out);
        return 1;
    case CSZI_LAUNCH_CHOICE:
    case CSZI_LAUNCH_REFUSED:
        break;
    }
    name = choice_name(row, value);
    if (name != NULL && row->place != CSZI_LAUNCH_FILE)
        cszi_out_text(out, name);
    else if (name != NULL)
        put_text(l, name, 1, out);
    return name != NULL;
}

/* A value that the software has no name for. */
static csz_status refuse(const cszi_launch *l, const cszi_launch_row *row)
{
    char names[160], said[64] = "";
    const cszi_table *table =
        row->about / 1000 == CSZ_OBJECT_PLAN ? &cszi_plan_table : &cszi_workload_table;
    csz_field field = row->about > FIRST_FIELD ? (csz_field)row->about : CSZ_FIELD_NONE;
    const cszi_field_row *about = cszi_table_row(table, field);
    cszi_out out = cszi_out_open(names, sizeof names);
    for (const cszi_choice *c = row->choices; c->name != NULL; c++) {
        const char *ours = about != NULL ? cszi_field_choice_name(about, c->value) : NULL;
        cszi_out_format(&out, "%s%s", c == row->choices ? "" : ", ", ours != NULL ? ours : c->name);
    }
    (void)cszi_out_close(&out);
    out = cszi_out_open(said, sizeof said);
    if (about != NULL)
        cszi_field_write_text(table,
                              table == &cszi_plan_table ? (void *)l->plan : (void *)l->workload,
                              about, 0, &out);
    (void)cszi_out_close(&out);
    return cszi_fail(l->error, CSZ_ERR_CONFLICT, field,
                     "%s: %s cannot be said by %s of %s %s; it knows %s",
                     about != NULL ? about->name : row->option, said, row->option, l->stack->name,
                     l->stack->version, names);
}

/* ---- Sections ---- */

/* How many leading parts of two names are the same, and where the rest of the second begins. */
static size_t shared_parts(const char *before, const char *now, const char **rest)
{
    size_t parts = 0;
    *rest = now;
    for (size_t i = 0; before[i] == now[i] && now[i] != '\0'; i++)
        if (now[i] == '.') {
            parts++;
            *rest = now + i + 1;
        }
    return parts;
}

static void indent(cszi_out *out, size_t depth)
{
    for (; depth > 0; depth--)
        cszi_out_text(out, "  ");
}

static size_t depth_of(const char *option)
{
    size_t depth = 0;
    for (; *option != '\0'; option++)
        depth += *option == '.';
    return depth;
}

static void put_yaml(const char *before, const char *option, const char *value, cszi_out *out)
{
    const char *rest, *dot;
    size_t depth = shared_parts(before, option, &rest);
    for (; (dot = strchr(rest, '.')) != NULL; rest = dot + 1) {
        indent(out, depth++);
        cszi_out_format(out, "%.*s:\n", (int)(dot - rest), rest);
    }
    indent(out, depth);
    cszi_out_format(out, "%s: %s\n", rest, value);
}

static void put_toml(const char *before, const char *option, const char *value, cszi_out *out)
{
    const char *dot = strrchr(option, '.');
    size_t n = dot != NULL ? (size_t)(dot - option) : 0;
    if (dot != NULL && (strncmp(before, option, n + 1) != 0 || strchr(before + n + 1, '.') != NULL))
        cszi_out_format(out, "\n[%.*s]\n", (int)n, option);
    cszi_out_format(out, "%s = %s\n", dot != NULL ? dot + 1 : option, value);
}

static void put_json(const char *before, const char *option, const char *value, cszi_out *out)
{
    const char *rest, *dot;
    size_t depth = shared_parts(before, option, &rest), open = depth_of(before);
    int comma = before[0] != '\0';
    for (; open > depth; open--) {
        cszi_out_char(out, '\n');
        indent(out, open);
        cszi_out_char(out, '}');
    }
    cszi_out_text(out, comma ? ",\n" : "\n");
    for (; (dot = strchr(rest, '.')) != NULL; rest = dot + 1) {
        indent(out, ++depth);
        cszi_out_format(out, "\"%.*s\": {\n", (int)(dot - rest), rest);
    }
    indent(out, depth + 1);
    cszi_out_format(out, "\"%s\": %s", rest, value);
}

/* A switch that is on stands alone. */
static void put_words(const char *option, const char *value, cszi_out *out)
{
    if (strcmp(value, "true") == 0)
        cszi_out_format(out, "--%s\n", option);
    else
        cszi_out_format(out, "--%s %s\n", option, value);
}

static csz_status put_row(cszi_launch *l, const cszi_launch_row *row, const char *before,
                          cszi_out *out)
{
    char value[VALUE_CAPACITY];
    cszi_out text = cszi_out_open(value, sizeof value);
    if (!cszi_launch_value(l, row, &text))
        return refuse(l, row);
    if (cszi_out_close(&text) >= sizeof value)
        return cszi_fail(l->error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "%s: is too long", row->option);
    switch (l->stack->syntax) {
    case CSZI_SYNTAX_WORDS:
        put_words(row->option, value, out);
        break;
    case CSZI_SYNTAX_JSON:
        put_json(before, row->option, value, out);
        break;
    case CSZI_SYNTAX_TOML:
        put_toml(before, row->option, value, out);
        break;
    case CSZI_SYNTAX_YAML:
        put_yaml(before, row->option, value, out);
        break;
    }
    return CSZ_OK;
}

csz_status cszi_launch_write_file(cszi_launch *l, cszi_out *out)
{
    const char *before = "";
    csz_status status = CSZ_OK;
    int json = l->stack->syntax == CSZI_SYNTAX_JSON;
    if (json)
        cszi_out_char(out, '{');
    else
        cszi_out_format(out, "# %s %s, by clustersize %s\n", l->stack->name, l->stack->version,
                        csz_version_string());
    for (size_t i = 0; i < l->stack->count && status == CSZ_OK; i++) {
        const cszi_launch_row *row = &l->stack->rows[i];
        if (row->place != CSZI_LAUNCH_FILE || !cszi_launch_is_written(l, row))
            continue;
        status = put_row(l, row, before, out);
        before = row->option;
    }
    for (size_t open = depth_of(before); json && open > 0; open--) {
        cszi_out_char(out, '\n');
        indent(out, open);
        cszi_out_char(out, '}');
    }
    if (json)
        cszi_out_text(out, "\n}\n");
    return status;
}

/* ---- Beside the file ---- */

/* The names of a row of options, folded at the width of a screen. */
static void put_name(const char *name, size_t *column, cszi_out *out)
{
    size_t n = strlen(name);
    if (*column > 0 && *column + n + 2 > 78) {
        cszi_out_text(out, ",\n  ");
        *column = 2;
    } else if (*column > 0) {
        cszi_out_text(out, ", ");
        *column += 2;
    } else {
        cszi_out_text(out, "  ");
        *column = 2;
    }
    cszi_out_text(out, name);
    *column += n;
}

static csz_status put_beside(cszi_launch *l, cszi_launch_place place, const char *title,
                             cszi_out *out)
{
    int any = 0;
    for (size_t i = 0; i < l->stack->count; i++) {
        const cszi_launch_row *row = &l->stack->rows[i];
        char value[80];
        cszi_out text = cszi_out_open(value, sizeof value);
        if (row->place != place || !cszi_launch_is_written(l, row))
            continue;
        if (!cszi_launch_value(l, row, &text))
            return refuse(l, row);
        (void)cszi_out_close(&text);
        if (!any++)
            cszi_out_format(out, "%s\n", title);
        cszi_out_format(out, "  %s%s%s", row->option, place == CSZI_LAUNCH_ENVIRONMENT ? "=" : " ",
                        value);
        if (row->why != NULL)
            cszi_out_format(out, "  # %s", row->why);
        cszi_out_char(out, '\n');
    }
    return CSZ_OK;
}

csz_status cszi_launch_write_notes(cszi_launch *l, cszi_out *out)
{
    size_t column = 0;
    csz_status status = put_beside(l, CSZI_LAUNCH_ENVIRONMENT, "Environment:", out);
    if (status == CSZ_OK)
        status =
            put_beside(l, CSZI_LAUNCH_ARGUMENT, "In the training script's own arguments:", out);
    if (status != CSZ_OK)
        return status;
    for (size_t i = 0; i < l->stack->count; i++) {
        const cszi_launch_row *row = &l->stack->rows[i];
        if (row->write == CSZI_LAUNCH_NEVER || row->place != CSZI_LAUNCH_FILE ||
            cszi_launch_is_written(l, row))
            continue;
        if (column == 0)
            cszi_out_format(out, "Left to the defaults of %s:\n", l->stack->name);
        put_name(row->option, &column, out);
    }
    if (column > 0)
        cszi_out_char(out, '\n');
    cszi_out_format(out, "Yours to add: data, tokenizer, learning rate, paths%s.\n",
                    l->stack->models ? "" : ", and the model, whose shape is not in this file");
    return CSZ_OK;
}
