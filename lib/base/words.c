/* words.c: launch arguments as text. The rules of words are those of the POSIX shell (XCU, sections
 * 2.2 and 2.3). */
#include "base/words.h"

#include <stdarg.h>

/* ---- Errors ---- */

csz_status cszi_words_fail(const cszi_words *words, size_t offset, csz_status status,
                           csz_field field, const char *format, ...)
{
    cszi_out out = cszi_error_open(words->error, status, field);
    size_t line = 1, start = 0;
    va_list list;
    for (size_t i = 0; i < offset && i < words->length; i++) {
        if (words->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    va_start(list, format);
    cszi_out_format_list(&out, format, list);
    va_end(list);
    cszi_out_format(&out, " at line %zu, column %zu", line, offset - start + 1);
    (void)cszi_out_close(&out);
    return status;
}

static csz_status syntax(const cszi_words *words, size_t offset, const char *message)
{
    return cszi_words_fail(words, offset, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "%s", message);
}

/* ---- Characters ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int is_name(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

static int is_one_of(char c, const char *set)
{
    for (; *set != '\0'; set++)
        if (c == *set)
            return 1;
    return 0;
}

/* Length of a backslash and the end of line after it; 0 for any other text. */
static size_t joined_line(const cszi_words *words, size_t at)
{
    const char *text = words->text;
    if (at + 1 < words->length && text[at] == '\\' && text[at + 1] == '\n')
        return 2;
    if (at + 2 < words->length && text[at] == '\\' && text[at + 1] == '\r' && text[at + 2] == '\n')
        return 3;
    return 0;
}

static int take(const cszi_words *words, cszi_word *word, size_t skip)
{
    unsigned char c = (unsigned char)words->text[word->begin + skip];
    word->begin += (uint32_t)(skip + 1);
    return c;
}

int cszi_word_next(const cszi_words *words, cszi_word *word)
{
    while (word->begin < word->end) {
        char c = words->text[word->begin];
        size_t joined = joined_line(words, word->begin);
        if (word->quote == CSZI_WORD_PLAIN)
            return take(words, word, 0);
        if (word->quote == '\'' ? c == '\'' : word->quote == '"' ? c == '"' : 0) {
            word->quote = 0;
            word->begin++;
        } else if (word->quote == 0 && (c == '\'' || c == '"')) {
            word->quote = c;
            word->begin++;
        } else if (word->quote != '\'' && joined != 0) {
            word->begin += (uint32_t)joined;
        } else if (c == '\\' && word->quote != '\'' && word->begin + 1 < word->end) {
            /* Inside double quotes only these lose their backslash. */
            int plain = word->quote == 0 || is_one_of(words->text[word->begin + 1], "$`\"\\");
            return take(words, word, plain ? 1 : 0);
        } else {
            return take(words, word, 0);
        }
    }
    return -1;
}

int cszi_word_equals(const cszi_words *words, cszi_word word, const char *text)
{
    for (; *text != '\0'; text++)
        if (cszi_word_next(words, &word) != (unsigned char)*text)
            return 0;
    return cszi_word_next(words, &word) < 0;
}

static int folded(int c)
{
    if (c >= 'A' && c <= 'Z')
        return c + ('a' - 'A');
    return c == '_' ? '-' : c;
}

int cszi_word_is(const cszi_words *words, cszi_word word, const char *name)
{
    for (; *name != '\0'; name++)
        if (folded(cszi_word_next(words, &word)) != folded((unsigned char)*name))
            return 0;
    return cszi_word_next(words, &word) < 0;
}

size_t cszi_word_text(const cszi_words *words, cszi_word word, char *text, size_t capacity)
{
    cszi_out out = cszi_out_open(text, capacity);
    for (int c = cszi_word_next(words, &word); c >= 0; c = cszi_word_next(words, &word))
        cszi_out_char(&out, (char)c);
    return cszi_out_close(&out);
}

/* ---- The shell's form ---- */

static void skip_comment(cszi_words *words)
{
    while (words->at < words->length && words->text[words->at] != '\n')
        words->at++;
}

static void skip_blanks(cszi_words *words)
{
    while (words->at < words->length) {
        size_t joined = joined_line(words, words->at);
        if (joined != 0)
            words->at += joined;
        else if (words->text[words->at] == '#')
            skip_comment(words);
        else if (is_blank(words->text[words->at]))
            words->at++;
        else
            return;
    }
}

/* A character outside single quotes that a shell would replace or obey. */
static csz_status check_character(const cszi_words *words, size_t at, char quote)
{
    char c = words->text[at];
    if ((unsigned char)c < ' ' && !is_blank(c))
        return syntax(words, at, "a control character");
    if (c == '$')
        return syntax(words, at,
                      "'$': variables and substitutions are not replaced; write the "
                      "value");
    if (c == '`')
        return syntax(words, at, "'`': commands are not run; write the value");
    if (quote == 0 && (c == '{' || c == '}'))
        return syntax(words, at, "a brace, which a shell would expand; write the value");
    if (quote == 0 && is_one_of(c, ";|&<>"))
        return cszi_words_fail(words, at, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE,
                               "'%c': an operator of the shell; only arguments are read", c);
    return CSZ_OK;
}

/* Moves to the end of the word; where an unquoted pattern stands goes to *pattern. */
static csz_status scan_word(cszi_words *words, size_t *pattern)
{
    char quote = 0;
    size_t opened = 0;
    for (; words->at < words->length; words->at++) {
        char c = words->text[words->at];
        csz_status status;
        if (quote == '\'') {
            quote = c == '\'' ? 0 : quote;
            continue;
        }
        if (quote == 0 && is_blank(c))
            break;
        if (c == '\\') { /* whatever follows stands for itself */
            size_t joined = joined_line(words, words->at);
            words->at += joined != 0 ? joined - 1 : words->at + 1 < words->length;
            continue;
        }
        status = check_character(words, words->at, quote);
        if (status != CSZ_OK)
            return status;
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            opened = words->at;
        } else if (quote == 0 && *pattern == 0 && is_one_of(c, "*?[()")) {
            *pattern = words->at + 1;
        }
    }
    return quote == 0 ? CSZ_OK : syntax(words, opened, "a quote that is not closed");
}

/* Splits "--name=value". */
static csz_status split_option(const cszi_words *words, cszi_word word, cszi_argument *argument)
{
    cszi_word rest = word;
    (void)cszi_word_next(words, &rest);
    (void)cszi_word_next(words, &rest);
    argument->has_name = 1;
    argument->name = rest;
    for (;;) {
        cszi_word before = rest;
        int c = cszi_word_next(words, &rest);
        if (c == '=' || c < 0) {
            argument->name.end = before.begin;
            argument->has_value = c == '=';
            argument->value = rest;
            break;
        }
        if (!is_name((char)c))
            return syntax(words, before.begin, "a character that no option has in its name");
    }
    if (argument->pattern != 0 && argument->pattern - 1 < argument->name.end)
        return syntax(words, argument->pattern - 1, "a pattern in an option's name");
    return CSZ_OK;
}

static csz_status next_word(cszi_words *words, cszi_argument *argument, int *found)
{
    cszi_word word, peek;
    csz_status status;
    skip_blanks(words);
    *found = words->at < words->length;
    if (!*found)
        return CSZ_OK;
    argument->place = words->at;
    word.begin = (uint32_t)words->at;
    word.quote = 0;
    status = scan_word(words, &argument->pattern);
    word.end = (uint32_t)words->at;
    if (status != CSZ_OK)
        return status;
    peek = word;
    if (cszi_word_next(words, &peek) == '-' && cszi_word_next(words, &peek) == '-')
        return split_option(words, word, argument);
    argument->has_value = 1;
    argument->value = word;
    return CSZ_OK;
}

/* ---- Lines ---- */

/* End of the line that begins at an offset, without its newline. */
static size_t line_end(const cszi_words *words, size_t at)
{
    while (at < words->length && words->text[at] != '\n')
        at++;
    return at;
}

static size_t skip_spaces(const cszi_words *words, size_t at, size_t end)
{
    while (at < end && is_blank(words->text[at]))
        at++;
    return at;
}

/* The colon of "key:" or "key: value" in text[at..end), or end. */
static size_t find_colon(const cszi_words *words, size_t at, size_t end)
{
    size_t key = at;
    while (at < end && is_name(words->text[at]))
        at++;
    if (at == key)
        return end;
    at = skip_spaces(words, at, end);
    if (at < end && words->text[at] == ':' && (at + 1 == end || is_blank(words->text[at + 1])))
        return at;
    return end;
}

/* A line that says nothing: blank, a comment, or the mark of a document. */
static int is_empty_line(const cszi_words *words, size_t at, size_t end)
{
    if (at == end || words->text[at] == '#')
        return 1;
    return end - at >= 3 && words->text[at] == '-' && words->text[at + 1] == '-' &&
           words->text[at + 2] == '-' && skip_spaces(words, at + 3, end) == end;
}

/* "value", "value # comment", "'a value'"; at < end. */
static csz_status read_value(const cszi_words *words, size_t at, size_t end,
                             cszi_argument *argument)
{
    char quote = words->text[at];
    size_t last = at;
    argument->has_value = 1;
    argument->value.quote = CSZI_WORD_PLAIN;
    if (quote != '\'' && quote != '"') {
        for (; last < end; last++)
            if (words->text[last] == '#' && is_blank(words->text[last - 1]))
                break;
        while (last > at && is_blank(words->text[last - 1]))
            last--;
        argument->value.begin = (uint32_t)at;
        argument->value.end = (uint32_t)last;
        return CSZ_OK;
    }
    for (last = at + 1; last < end && words->text[last] != quote; last++)
        ;
    argument->value.begin = (uint32_t)(at + 1);
    argument->value.end = (uint32_t)last;
    if (last == end)
        return syntax(words, at, "a quote that is not closed on its line");
    at = skip_spaces(words, last + 1, end);
    if (at < end && words->text[at] != '#')
        return syntax(words, at, "expected the end of the line after a quoted value");
    return CSZ_OK;
}

static csz_status read_line(const cszi_words *words, size_t at, size_t end, cszi_argument *argument)
{
    size_t colon, last;
    argument->place = at;
    if (words->text[at] == '-' && (at + 1 == end || is_blank(words->text[at + 1]))) {
        at = skip_spaces(words, at + 1, end);
        return at < end ? read_value(words, at, end, argument) : CSZ_OK;
    }
    colon = find_colon(words, at, end);
    if (colon == end)
        return syntax(words, at, "expected \"key: value\"");
    for (last = colon; is_blank(words->text[last - 1]); last--)
        ;
    while (at < last && words->text[at] == '-')
        at++;
    argument->has_name = 1;
    argument->name.begin = (uint32_t)at;
    argument->name.end = (uint32_t)last;
    argument->name.quote = CSZI_WORD_PLAIN;
    at = skip_spaces(words, colon + 1, end);
    return at < end && words->text[at] != '#' ? read_value(words, at, end, argument) : CSZ_OK;
}

static csz_status next_line(cszi_words *words, cszi_argument *argument, int *found)
{
    while (words->at < words->length) {
        size_t end = line_end(words, words->at), at = skip_spaces(words, words->at, end);
        words->at = end + (end < words->length);
        for (size_t i = at; i < end; i++)
            if ((unsigned char)words->text[i] < ' ' && !is_blank(words->text[i]))
                return syntax(words, i, "a control character");
        if (is_empty_line(words, at, end))
            continue;
        *found = 1;
        return read_line(words, at, end, argument);
    }
    return CSZ_OK;
}

/* ---- Either ---- */

static int begins_with_line(const cszi_words *words)
{
    size_t at = 0;
    while (at < words->length) {
        size_t end = line_end(words, at), first = skip_spaces(words, at, end);
        if (!is_empty_line(words, first, end))
            return find_colon(words, first, end) < end;
        at = end + 1;
    }
    return 0;
}

csz_status cszi_words_open(cszi_words *words, const char *text, size_t length, cszi_error *error)
{
    words->text = text;
    words->length = length;
    words->at = 0;
    words->lines = 0;
    words->error = error;
    if (length > CSZI_WORDS_LENGTH)
        return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                         "%zu bytes of arguments, at most %d are read", length,
                         (int)CSZI_WORDS_LENGTH);
    words->lines = begins_with_line(words);
    return CSZ_OK;
}

csz_status cszi_words_next(cszi_words *words, cszi_argument *argument, int *found)
{
    static const cszi_argument none = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
    *argument = none;
    *found = 0;
    return words->lines ? next_line(words, argument, found) : next_word(words, argument, found);
}
