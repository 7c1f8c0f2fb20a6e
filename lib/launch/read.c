/* read.c: a file by the table of its stack. */
#include <string.h>

#include "base/checked.h"
#include "base/number.h"
#include "launch/shared.h"

#define VALUE_CAPACITY 80 /* a longer value is of no row */
#define LIST_CAPACITY 200 /* of names in a message */
#define FIRST_FIELD 1000

/* ---- Rows ---- */

/* The path without the section that may stand around all others. */
static const char *inner(const cszi_launch_stack *stack, const char *path)
{
    size_t n = stack->wrapper != NULL ? strlen(stack->wrapper) : 0;
    if (n > 0 && strncmp(path, stack->wrapper, n) == 0 && path[n] == '.')
        return path + n + 1;
    return path;
}

static size_t find_row(const cszi_launch_stack *stack, const char *path)
{
    size_t i = 0;
    path = inner(stack, path);
    while (i < stack->count &&
           (stack->rows[i].place != CSZI_LAUNCH_FILE || strcmp(stack->rows[i].option, path) != 0))
        i++;
    return i;
}

/* ---- Messages ---- */

static csz_field field_of(const cszi_launch_row *row)
{
    return row->about > FIRST_FIELD ? (csz_field)row->about : CSZ_FIELD_NONE;
}

static csz_status fail_value(const cszi_launch *l, const cszi_launch_row *row, csz_status status,
                             const char *text, const char *what)
{
    char shown[VALUE_CAPACITY + 16];
    cszi_out out = cszi_out_open(shown, sizeof shown);
    cszi_out_quoted(&out, text, strlen(text));
    (void)cszi_out_close(&out);
    return cszi_launch_fail(l, row->option, status, field_of(row), "%s %s", shown, what);
}

static csz_status fail_choice(const cszi_launch *l, const cszi_launch_row *row, const char *text)
{
    char names[LIST_CAPACITY];
    cszi_out out = cszi_out_open(names, sizeof names);
    cszi_out_text(&out, row->why != NULL ? row->why : "is not expressed by the fields");
    cszi_out_text(&out, "; known: ");
    for (const cszi_choice *c = row->choices; c->name != NULL; c++)
        cszi_out_format(&out, "%s%s", c == row->choices ? "" : ", ", c->name);
    (void)cszi_out_close(&out);
    return fail_value(l, row, CSZ_ERR_UNKNOWN, text, names);
}

/* ---- Values ---- */

static int same_text(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a + ('a' - 'A') : *a;
        int y = *b >= 'A' && *b <= 'Z' ? *b + ('a' - 'A') : *b;
        if (x != y)
            return 0;
    }
    return *a == *b;
}

/* "10_000" is 10000. */
static void drop_underscores(char *text)
{
    char *to = text;
    for (; *text != '\0'; text++)
        if (*text != '_')
            *to++ = *text;
    *to = '\0';
}

static csz_status store(cszi_launch *l, const cszi_launch_row *row, double value)
{
    if (row->about > FIRST_FIELD)
        return cszi_launch_set(l, (csz_field)row->about, value, row->option);
    cszi_launch_put(l, (cszi_launch_quantity)row->about, value);
    return CSZ_OK;
}

static csz_status take_count(cszi_launch *l, const cszi_launch_row *row, char *text)
{
    int64_t value;
    if (same_text(text, "auto"))
        return CSZ_OK;
    drop_underscores(text);
    if (!cszi_number_parse_integer(text, strlen(text), 0, &value))
        return fail_value(l, row, CSZ_ERR_TYPE, text, "is no whole number");
    if (value == -1)
        return CSZ_OK; /* left open */
    if (value < 0)
        return fail_value(l, row, CSZ_ERR_RANGE, text, "is less than 0");
    return store(l, row, (double)value);
}

static csz_status take_real(cszi_launch *l, const cszi_launch_row *row, char *text)
{
    double value;
    drop_underscores(text);
    if (cszi_number_parse(text, strlen(text), &value) != strlen(text))
        return fail_value(l, row, CSZ_ERR_TYPE, text, "is no number");
    if (!(value >= 0 && value <= (double)CSZI_COUNT_MAX))
        return fail_value(l, row, CSZ_ERR_RANGE, text, "is less than 0, or too large");
    return store(l, row, value);
}

/* YAML's words for switches are those of version 1.1 too. */
static int switch_of(const char *text)
{
    static const char *const names[] = {"false", "true", "no", "yes", "off", "on"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (same_text(text, names[i]))
            return i % 2;
    return -1;
}

static const cszi_choice *find_choice(const cszi_launch_row *row, const char *text)
{
    int on = switch_of(text);
    for (const cszi_choice *c = row->choices; c->name != NULL; c++)
        if (same_text(c->name, text) || (on >= 0 && switch_of(c->name) == on))
            return c;
    return NULL;
}

static csz_status take_choice(cszi_launch *l, const cszi_launch_row *row, const char *text)
{
    const cszi_choice *choice = find_choice(row, text);
    if (choice == NULL)
        return fail_choice(l, row, text);
    return store(l, row, (double)choice->value);
}

static csz_status take_factor(cszi_launch *l, const cszi_launch_row *row, char *text)
{
    cszi_launch_quantity at = (cszi_launch_quantity)row->about;
    double before = l->given[at] ? l->quantities[at] : 1;
    int64_t value;
    drop_underscores(text);
    if (!cszi_number_parse_integer(text, strlen(text), 0, &value))
        return fail_value(l, row, CSZ_ERR_TYPE, text, "is no whole number");
    if (value == -1 && row->write == CSZI_LAUNCH_NEVER)
        return CSZ_OK; /* between slices, of which there is one unless a number says more */
    if (value != -1 && (value < 1 || value > 16777216))
        return fail_value(l, row, CSZ_ERR_RANGE, text, "is neither -1 nor between 1 and 16777216");
    cszi_launch_put(l, at, before * (double)value);
    return CSZ_OK;
}

static csz_status take_refused(cszi_launch *l, const cszi_launch_row *row, const char *text)
{
    static const char *const idle[] = {"", "0", "0.0", "1", "1.0", "-1", "-1.0", "none", "null"};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (same_text(text, idle[i]) || switch_of(text) == 0)
            return CSZ_OK;
    return fail_value(l, row, CSZ_ERR_UNKNOWN, text, row->why);
}

static csz_status take_text(cszi_launch *l, const cszi_launch_row *row, const char *text)
{
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    status = cszi_field_set_text(&cszi_plan_table, l->plan,
                                 cszi_table_row(&cszi_plan_table, (csz_field)row->about), 0, text,
                                 strlen(text), NULL, &error);
    return status == CSZ_OK
               ? CSZ_OK
               : cszi_launch_fail(l, row->option, status, field_of(row), "%s", error.text);
}

static csz_status take_one(cszi_launch *l, const cszi_launch_row *row, char *text)
{
    switch (row->rule) {
    case CSZI_LAUNCH_COUNT:
        return take_count(l, row, text);
    case CSZI_LAUNCH_REAL:
        return take_real(l, row, text);
    case CSZI_LAUNCH_FACTOR:
        return take_factor(l, row, text);
    case CSZI_LAUNCH_TEXT:
        return take_text(l, row, text);
    case CSZI_LAUNCH_REFUSED:
        return take_refused(l, row, text);
    case CSZI_LAUNCH_CHOICE:
    case CSZI_LAUNCH_BITS:
    case CSZI_LAUNCH_PATTERN_LIST:
        break;
    }
    return take_choice(l, row, text);
}

/* ---- Lists ---- */

static csz_status take_bits(cszi_launch *l, const cszi_launch_row *row, cszi_leaf leaf)
{
    char text[VALUE_CAPACITY];
    int64_t bits = 0;
    size_t cursor = 0;
    cszi_leaf element = leaf;
    int more = leaf.kind != CSZI_LEAF_LIST || cszi_leaf_element(&l->scan, leaf, &cursor, &element);
    while (more) {
        const cszi_choice *choice;
        (void)cszi_leaf_text(&l->scan, element, text, sizeof text);
        choice = find_choice(row, text);
        if (choice == NULL)
            return fail_choice(l, row, text);
        bits |= choice->value;
        more = leaf.kind == CSZI_LEAF_LIST && cszi_leaf_element(&l->scan, leaf, &cursor, &element);
    }
    return store(l, row, (double)bits);
}

/* "[0, 1, 1]", or "([0]*3+[1]*58)" in quotes, or one whole number: one layer of so many. */
static csz_status take_pattern(cszi_launch *l, const cszi_launch_row *row, cszi_leaf leaf)
{
    const cszi_scan *scan = &l->scan;
    size_t cursor = 0;
    cszi_leaf element;
    if (leaf.kind != CSZI_LEAF_LIST) {
        char text[VALUE_CAPACITY];
        (void)cszi_leaf_text(scan, leaf, text, sizeof text);
        return take_count(l, row, text);
    }
    l->pattern_length = 0;
    while (cszi_leaf_element(scan, leaf, &cursor, &element)) {
        char c = scan->text[element.begin];
        if (element.end - element.begin != 1 || (c != '0' && c != '1') ||
            l->pattern_length == CSZI_RUNS)
            return cszi_launch_fail(l, row->option, CSZ_ERR_SYNTAX, field_of(row),
                                    "is no list of up to %d zeros and ones", CSZI_RUNS);
        l->pattern[l->pattern_length++] = (unsigned char)(c == '1');
    }
    cszi_launch_put(l, (cszi_launch_quantity)row->about, 0);
    return CSZ_OK;
}

/* ---- Leaves ---- */

static csz_status take_leaf(cszi_launch *l, const cszi_launch_row *row, cszi_leaf leaf)
{
    char text[VALUE_CAPACITY];
    if (row->rule == CSZI_LAUNCH_BITS)
        return take_bits(l, row, leaf);
    if (row->rule == CSZI_LAUNCH_PATTERN_LIST)
        return take_pattern(l, row, leaf);
    if (leaf.kind == CSZI_LEAF_LIST)
        return cszi_launch_fail(l, row->option, CSZ_ERR_TYPE, field_of(row), "is a list");
    if (cszi_leaf_text(&l->scan, leaf, text, sizeof text) >= sizeof text)
        return fail_value(l, row, CSZ_ERR_LIMIT, text, "... is too long");
    return take_one(l, row, text);
}

static csz_status on_leaf(void *user, const char *path, cszi_leaf leaf)
{
    cszi_launch *l = user;
    size_t i = find_row(l->stack, path);
    if (i == l->stack->count)
        return CSZ_OK;
    if (l->places[i] != 0)
        return cszi_launch_fail(l, l->stack->rows[i].option, CSZ_ERR_CONFLICT, CSZ_FIELD_NONE,
                                "is given twice, again at line %lld; first",
                                (long long)cszi_scan_line(&l->scan, leaf.key));
    if (leaf.kind == CSZI_LEAF_NOTHING || leaf.begin == leaf.end)
        return CSZ_OK; /* nothing is said: the software's default */
    l->places[i] = 1 + leaf.key;
    return take_leaf(l, &l->stack->rows[i], leaf);
}

/* What the software takes when the file does not say. Of two names of one option either does. */
static csz_status take_absent(cszi_launch *l)
{
    csz_status status = CSZ_OK;
    for (size_t i = 0; i < l->stack->count && status == CSZ_OK; i++) {
        const cszi_launch_row *row = &l->stack->rows[i];
        char text[VALUE_CAPACITY];
        int factor = row->rule == CSZI_LAUNCH_FACTOR;
        int said = l->places[i] != 0 ||
                   (row->about < FIRST_FIELD && !factor && cszi_launch_has(l, row->about) &&
                    row->about != CSZI_LAUNCH_NOTHING);
        if (row->absent == NULL || said || row->place != CSZI_LAUNCH_FILE)
            continue;
        memcpy(text, row->absent, strlen(row->absent) + 1); /* constants of the tables */
        status = take_one(l, row, text);
    }
    return status;
}

csz_status cszi_launch_read(cszi_launch *l, const char *text, size_t length)
{
    csz_status status;
    memset(l->quantities, 0, sizeof l->quantities);
    memset(l->given, 0, sizeof l->given);
    memset(l->places, 0, sizeof l->places);
    memset(&l->scan, 0, sizeof l->scan);
    l->pattern_length = 0;
    l->scan.syntax = l->stack->syntax;
    l->scan.error = l->error;
    l->scan.leaf = on_leaf;
    l->scan.user = l;
    if (l->stack->read != NULL)
        return l->stack->read(l, text, length);
    if (l->stack->whole)
        cszi_launch_clear(l->stack, l->plan, l->workload);
    status = cszi_scan_read(&l->scan, text, length);
    if (status == CSZ_OK)
        status = take_absent(l);
    if (status == CSZ_OK)
        status = l->stack->gather(l);
    if (status == CSZ_OK)
        cszi_launch_drop_formats(l);
    return status;
}

/* ---- Foreign options ---- */

typedef struct lister {
    const cszi_launch_stack *stack;
    cszi_scan scan;
    cszi_out *out;
} lister;

static csz_status list_leaf(void *user, const char *path, cszi_leaf leaf)
{
    lister *x = user;
    if (find_row(x->stack, path) == x->stack->count && leaf.kind != CSZI_LEAF_NOTHING &&
        (x->stack->knows == NULL || !x->stack->knows(path)))
        cszi_out_format(x->out, "line %lld: %s\n", (long long)cszi_scan_line(&x->scan, leaf.key),
                        inner(x->stack, path));
    return CSZ_OK;
}

csz_status cszi_launch_foreign(const cszi_launch_stack *stack, const char *text, size_t length,
                               cszi_out *out, cszi_error *error)
{
    lister x;
    memset(&x, 0, sizeof x);
    x.stack = stack;
    x.out = out;
    x.scan.syntax = stack->syntax;
    x.scan.error = error;
    x.scan.leaf = list_leaf;
    x.scan.user = &x;
    return cszi_scan_read(&x.scan, text, length);
}
