/* options.c: launch arguments by a table. */
#include "base/options.h"

#include "base/number.h"

#define NUMBER_CAPACITY 64 /* a longer word is no number */
#define WORD_SHOWN 48

typedef struct reader {
    cszi_words *words;
    const cszi_option *table;
    size_t count;
    const csz_field *fields;
    cszi_option_value *values;
    const cszi_option *row; /* of the option before; NULL: foreign, or none yet */
    cszi_word name;         /* its place */
    int taken;              /* it has its value */
} reader;

/* ---- Messages ---- */

static csz_field field_of(const reader *r)
{
    return r->row->slot >= 0 ? r->fields[r->row->slot] : CSZ_FIELD_NONE;
}

/* The word as it stands in the text, in a buffer of the caller. */
static const char *shown(const cszi_words *words, cszi_word word, char text[WORD_SHOWN + 16])
{
    cszi_out out = cszi_out_open(text, WORD_SHOWN + 16);
    size_t length = word.end > word.begin ? word.end - word.begin : 0;
    cszi_out_char(&out, '\'');
    for (size_t i = 0; i < length && i < WORD_SHOWN; i++) {
        char c = words->text[word.begin + i];
        cszi_out_char(&out, c >= ' ' && c <= '~' ? c : '?');
    }
    cszi_out_text(&out, length > WORD_SHOWN ? "'..." : "'");
    (void)cszi_out_close(&out);
    return text;
}

static csz_status fail_value(const reader *r, cszi_word value, csz_status status, const char *what)
{
    char text[WORD_SHOWN + 16];
    return cszi_words_fail(r->words, value.begin, status, field_of(r), "--%s: %s %s", r->row->name,
                           shown(r->words, value, text), what);
}

static csz_status fail_missing(const reader *r)
{
    return cszi_words_fail(r->words, r->name.begin, CSZ_ERR_MISSING, field_of(r),
                           "--%s: has no value", r->row->name);
}

static csz_status refuse(const reader *r, cszi_word place)
{
    return cszi_words_fail(r->words, place.begin, CSZ_ERR_UNKNOWN, field_of(r), "--%s: %s",
                           r->row->name, r->row->why);
}

static csz_status fail_choice(const reader *r, cszi_word value)
{
    char text[WORD_SHOWN + 16], message[200];
    cszi_out out = cszi_out_open(message, sizeof message);
    for (const cszi_choice *c = r->row->choices; c->name != NULL; c++)
        cszi_out_format(&out, "%s%s", c == r->row->choices ? "" : ", ", c->name);
    (void)cszi_out_close(&out);
    return cszi_words_fail(r->words, value.begin, CSZ_ERR_UNKNOWN, field_of(r),
                           "--%s: %s is not expressed by the fields; known: %s", r->row->name,
                           shown(r->words, value, text), message);
}

/* ---- Values ---- */

int cszi_word_integer(const cszi_words *words, cszi_word word, int64_t *number)
{
    char text[NUMBER_CAPACITY];
    size_t length = cszi_word_text(words, word, text, sizeof text),
           at = length > 0 && (text[0] == '-' || text[0] == '+');
    if (length == at || length >= sizeof text)
        return 0;
    for (size_t i = at; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return 0;
    return cszi_number_parse_integer(text, length, 0, number);
}

int cszi_word_real(const cszi_words *words, cszi_word word, double *number)
{
    char text[NUMBER_CAPACITY];
    size_t length = cszi_word_text(words, word, text, sizeof text);
    return length > 0 && length < sizeof text && cszi_number_parse(text, length, number) == length;
}

/* 1, 0, or -1 when it is neither. */
static int read_flag(const reader *r, cszi_word word)
{
    static const char *const names[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (cszi_word_is(r->words, word, names[i]))
            return i % 2;
    return -1;
}

/* What YAML and Python write for nothing; "none" is a choice too. */
static int is_null(const reader *r, cszi_word word)
{
    return r->words->lines &&
           (cszi_word_is(r->words, word, "null") || cszi_word_equals(r->words, word, "~") ||
            (r->row->rule != CSZI_OPTION_CHOICE && cszi_word_is(r->words, word, "none")));
}

static void put(const reader *r, cszi_word place, int64_t number)
{
    cszi_option_value value = {number, place, 1};
    if (r->row->slot >= 0)
        r->values[r->row->slot] = value;
}

static csz_status take_count(const reader *r, cszi_word value)
{
    int64_t number;
    if (!cszi_word_integer(r->words, value, &number))
        return fail_value(r, value, CSZ_ERR_TYPE, "is no whole number");
    if (r->row->rule == CSZI_OPTION_ONLY)
        return number == r->row->number ? CSZ_OK : refuse(r, value);
    if (number < r->row->number)
        return fail_value(r, value, CSZ_ERR_RANGE, "is too small");
    put(r, value, number);
    return CSZ_OK;
}

static csz_status take_real(const reader *r, cszi_word value)
{
    double number;
    if (!cszi_word_real(r->words, value, &number))
        return fail_value(r, value, CSZ_ERR_TYPE, "is no number");
    if (r->row->rule == CSZI_OPTION_FRACTION && !(number >= 0 && number <= 1))
        return fail_value(r, value, CSZ_ERR_RANGE, "is not between 0 and 1");
    put(r, value, number > 0);
    return CSZ_OK;
}

static csz_status take_choice(const reader *r, cszi_word value)
{
    for (const cszi_choice *c = r->row->choices; c->name != NULL; c++) {
        if (cszi_word_is(r->words, value, c->name)) {
            put(r, value, c->value);
            return CSZ_OK;
        }
    }
    return fail_choice(r, value);
}

/* The next of the words in a value: "a", or of "[a, b]" one after the other. */
static int split(const reader *r, cszi_word *rest, cszi_word *word)
{
    int c, inside = 0;
    for (;;) {
        cszi_word before = *rest;
        c = cszi_word_next(r->words, rest);
        if (c < 0 || c == ' ' || c == ',' || c == '[' || c == ']') {
            if (inside)
                word->end = before.begin;
            if (inside || c < 0)
                return inside;
        } else if (!inside) {
            *word = before;
            inside = 1;
        }
    }
}

static csz_status take_words(const reader *r, cszi_word value)
{
    cszi_word rest = value, word;
    csz_status status = CSZ_OK;
    while (status == CSZ_OK && split(r, &rest, &word)) {
        int64_t bits = r->row->slot >= 0 ? r->values[r->row->slot].number : 0;
        status = take_choice(r, word);
        if (status == CSZ_OK && r->row->slot >= 0)
            r->values[r->row->slot].number |= bits;
    }
    return status;
}

static csz_status take_switch(const reader *r, cszi_word value)
{
    int on = read_flag(r, value);
    if (on < 0)
        return fail_value(r, value, CSZ_ERR_TYPE, "must be true or false");
    put(r, value, on ? r->row->number : !r->row->number);
    return CSZ_OK;
}

static csz_status take(reader *r, cszi_word value)
{
    r->taken = 1;
    if (is_null(r, value)) {
        if (r->row->slot >= 0)
            r->values[r->row->slot].given = 0;
        return CSZ_OK;
    }
    switch (r->row->rule) {
    case CSZI_OPTION_SWITCH:
        return take_switch(r, value);
    case CSZI_OPTION_COUNT:
    case CSZI_OPTION_ONLY:
        return take_count(r, value);
    case CSZI_OPTION_FRACTION:
    case CSZI_OPTION_REAL:
        return take_real(r, value);
    case CSZI_OPTION_CHOICE:
        return take_choice(r, value);
    case CSZI_OPTION_WORDS:
        return take_words(r, value);
    case CSZI_OPTION_TEXT:
    case CSZI_OPTION_ANY:
        put(r, value, 0);
        return CSZ_OK;
    case CSZI_OPTION_REFUSED:
        return read_flag(r, value) == 0 ? CSZ_OK : refuse(r, r->name);
    }
    return CSZ_OK;
}

/* ---- Arguments ---- */

/* The option before got nothing: a switch is on, another lacks its value. */
static csz_status finish(reader *r)
{
    if (r->row == NULL || r->taken || r->words->lines) /* "key:" alone heads a section */
        return CSZ_OK;
    if (r->row->rule == CSZI_OPTION_REFUSED)
        return refuse(r, r->name);
    if (r->row->rule != CSZI_OPTION_SWITCH)
        return fail_missing(r);
    put(r, r->name, r->row->number);
    return CSZ_OK;
}

static const cszi_option *find(const reader *r, cszi_word name)
{
    for (size_t i = 0; i < r->count; i++)
        if (cszi_word_is(r->words, name, r->table[i].name))
            return &r->table[i];
    return NULL;
}

/* A word after an option, or before the first one, where a command may stand. */
static csz_status take_word(reader *r, cszi_word value)
{
    if (r->row == NULL)
        return CSZ_OK;
    if (r->row->rule == CSZI_OPTION_SWITCH && !r->words->lines)
        return fail_value(r, value, CSZ_ERR_SYNTAX, "follows, but the option takes no value");
    if (r->row->rule == CSZI_OPTION_REFUSED)
        return r->taken ? CSZ_OK : take(r, value);
    if (r->taken && r->row->rule != CSZI_OPTION_WORDS && r->row->rule != CSZI_OPTION_ANY)
        return fail_value(r, value, CSZ_ERR_SYNTAX, "follows, but the option has its value");
    return take(r, value);
}

static csz_status take_argument(reader *r, const cszi_argument *a)
{
    csz_status status = CSZ_OK;
    if (a->has_name) {
        status = finish(r);
        r->row = find(r, a->name);
        r->name = a->name;
        r->name.begin = (uint32_t)a->place;
        r->taken = 0;
        if (r->row != NULL && r->row->rule == CSZI_OPTION_WORDS && r->row->slot >= 0)
            r->values[r->row->slot] = (cszi_option_value){0, r->name, 0}; /* said anew */
    }
    if (status == CSZ_OK && a->pattern != 0 && (r->row == NULL || r->row->rule != CSZI_OPTION_TEXT))
        return cszi_words_fail(r->words, a->pattern - 1, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE,
                               "'%c' has a meaning of its own to a shell; quote it",
                               r->words->text[a->pattern - 1]);
    if (status != CSZ_OK || !a->has_value)
        return status;
    if (a->has_name)
        return r->row != NULL ? take(r, a->value) : CSZ_OK;
    return take_word(r, a->value);
}

csz_status cszi_options_read(cszi_words *words, const char *text, size_t length,
                             const cszi_option *table, size_t count, const csz_field *fields,
                             cszi_option_value *values, cszi_error *error)
{
    reader r = {words, table, count, fields, values, NULL, {0, 0, 0}, 0};
    cszi_argument argument;
    int found = 1;
    csz_status status = cszi_words_open(words, text, length, error);
    while (status == CSZ_OK && found) {
        status = cszi_words_next(words, &argument, &found);
        if (status == CSZ_OK && found)
            status = take_argument(&r, &argument);
    }
    return status == CSZ_OK ? finish(&r) : status;
}

/* ---- Lists ---- */

#define LIST_DEPTH 16 /* of parentheses */

typedef struct list {
    const cszi_words *words;
    cszi_word rest;
    cszi_word at; /* of the character that was read last */
    int c;
    const char *name;
    unsigned char *marks;
    unsigned char bit;
    int64_t length, capacity;
    int64_t starts[LIST_DEPTH]; /* of the open parentheses */
    int depth;
    int64_t last; /* where the factor that * repeats begins; -1: none stands here */
} list;

static void advance(list *l)
{
    do {
        l->at = l->rest;
        l->c = cszi_word_next(l->words, &l->rest);
    } while (l->c == ' ' || l->c == '\t' || l->c == '\'' || l->c == '"');
}

static csz_status fail_list(const list *l, csz_status status, const char *message)
{
    return cszi_words_fail(l->words, l->at.begin, status, CSZ_FIELD_NONE, "--%s: %s", l->name,
                           message);
}

/* The digits that stand here, up to a million and beyond it no more exact. */
static int64_t read_digits(list *l)
{
    int64_t number = 0;
    for (; l->c >= '0' && l->c <= '9'; advance(l))
        number = number < 1000000 ? number * 10 + (l->c - '0') : number;
    return number;
}

static csz_status append(list *l, int on)
{
    if (l->length == l->capacity)
        return fail_list(l, CSZ_ERR_LIMIT, "more layers than are read");
    l->marks[l->length] =
        (unsigned char)(on ? l->marks[l->length] | l->bit : l->marks[l->length] & ~l->bit);
    l->length++;
    return CSZ_OK;
}

static csz_status read_brackets(list *l)
{
    csz_status status = CSZ_OK;
    l->last = l->length;
    advance(l);
    while (status == CSZ_OK && l->c != ']') {
        if (l->c != '0' && l->c != '1')
            return fail_list(l, CSZ_ERR_SYNTAX, "expected 0 or 1");
        status = append(l, l->c == '1');
        if (status != CSZ_OK)
            return status;
        advance(l);
        if (l->c == ',')
            advance(l);
        else if (l->c != ']')
            return fail_list(l, CSZ_ERR_SYNTAX, "expected , or ]");
    }
    advance(l);
    return status;
}

/* "*3" after a list: two more copies; "*0": none. */
static csz_status repeat(list *l)
{
    int64_t size = l->length - l->last, from = l->last, times;
    csz_status status = CSZ_OK;
    advance(l);
    if (l->c < '0' || l->c > '9')
        return fail_list(l, CSZ_ERR_SYNTAX, "expected a whole number after *");
    times = read_digits(l);
    if (times == 0)
        l->length = from;
    for (int64_t i = size; i < size * times && status == CSZ_OK; i++)
        status = append(l, (l->marks[from + i - size] & l->bit) != 0);
    return status;
}

/* One step where a list must stand, or where an operator may. */
static csz_status step(list *l)
{
    if (l->last < 0 && l->c == '[')
        return read_brackets(l);
    if (l->last < 0 && l->c == '(') {
        if (l->depth == LIST_DEPTH)
            return fail_list(l, CSZ_ERR_LIMIT, "too many parentheses");
        l->starts[l->depth++] = l->length;
        advance(l);
        return CSZ_OK;
    }
    if (l->last < 0)
        return fail_list(l, CSZ_ERR_SYNTAX, "expected [ or (");
    if (l->c == '*')
        return repeat(l);
    if (l->c == ')' && l->depth > 0)
        l->last = l->starts[--l->depth];
    else if (l->c == '+')
        l->last = -1;
    else
        return fail_list(l, CSZ_ERR_SYNTAX,
                         l->depth > 0 ? "expected +, * or )" : "expected + or *");
    advance(l);
    return CSZ_OK;
}

csz_status cszi_option_list(const cszi_words *words, cszi_word word, const char *name,
                            unsigned char *marks, unsigned char bit, int64_t capacity,
                            int64_t *length, int64_t *number)
{
    list l = {words, word, word, 0, name, marks, bit, 0, capacity, {0}, 0, -1};
    csz_status status = CSZ_OK;
    *length = *number = 0;
    if (cszi_word_integer(words, word, number))
        return *number > 0 ? CSZ_OK
                           : cszi_words_fail(words, word.begin, CSZ_ERR_RANGE, CSZ_FIELD_NONE,
                                             "--%s: must be at least 1", name);
    advance(&l);
    while (status == CSZ_OK && (l.c >= 0 || l.last < 0 || l.depth > 0))
        status = step(&l);
    *length = l.length;
    return status;
}
