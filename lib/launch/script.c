/* script.c: the arguments in a shell script (POSIX shell, XCU 2.3, and bash's arrays). Nothing is
 * replaced: what a shell would put there is not known here. */
#include "launch/script.h"

#include <string.h>

#include "launch/scan.h"

#define NAME_CAPACITY 64 /* a longer option is known to nobody */

typedef struct masker {
    const char *text;
    size_t length;
    size_t at;
    char *out;
    int (*knows)(const char *option);
    int known; /* the option before is */
    int depth; /* of conditions and loops */
    cszi_scan where;
} masker;

static char peek(const masker *m)
{
    return m->at < m->length ? m->text[m->at] : '\0';
}

static int is_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static int starts(const masker *m, size_t at, const char *word)
{
    size_t n = strlen(word);
    return at + n <= m->length && memcmp(m->text + at, word, n) == 0;
}

/* ---- Words ---- */

static size_t end_of_line(const masker *m, size_t at)
{
    while (at < m->length && m->text[at] != '\n')
        at++;
    return at;
}

/* The last character of a $( ... ) or ${ ... } that begins at the offset, with what is nested. */
static size_t end_of_expansion(const masker *m, size_t at)
{
    size_t depth = 0;
    for (at++; at < m->length; at++) {
        if (is_in(m->text[at], "({"))
            depth++;
        if (is_in(m->text[at], ")}") && --depth == 0)
            break;
    }
    return at < m->length ? at : m->length - 1;
}

/* The end of a word, quotes and expansions respected; inside of a quoted text its quote ends it. */
static size_t end_of_word(const masker *m, size_t at, char inside)
{
    char quote = 0;
    for (; at < m->length; at++) {
        char c = m->text[at];
        if (c == '\\' && at + 1 < m->length && m->text[at + 1] == '\n')
            return at;
        if (quote == 0 && (is_in(c, " \t\r\n") || c == inside))
            return at;
        if (quote != '\'' && inside != '\'' && (starts(m, at, "$(") || starts(m, at, "${"))) {
            at = end_of_expansion(m, at);
            continue;
        }
        if (quote == 0 && inside == '\n' && is_in(c, ";|&<>"))
            return at;
        if (c == quote)
            quote = 0;
        else if (quote == 0 && inside != '"' && inside != '\'' && is_in(c, "'\""))
            quote = c;
        else if (c == '\\' && at + 1 < m->length)
            at++;
    }
    return at;
}

/* The option that a word is, as tables write it. */
static int is_known(const masker *m, size_t begin, size_t end)
{
    char name[NAME_CAPACITY];
    size_t n = 0;
    while (begin < end && m->text[begin] == '-')
        begin++;
    for (; begin < end && m->text[begin] != '=' && n + 1 < sizeof name; begin++)
        name[n++] = (char)(m->text[begin] == '_' ? '-' : m->text[begin]);
    name[n] = '\0';
    return m->knows(name);
}

static void keep(masker *m, size_t begin, size_t end)
{
    memcpy(m->out + begin, m->text + begin, end - begin);
}

static void word(masker *m, size_t begin, size_t end)
{
    int variable = memchr(m->text + begin, '$', end - begin) != NULL ||
                   memchr(m->text + begin, '`', end - begin) != NULL;
    int option = m->text[begin] == '-' && begin + 1 < end && m->text[begin + 1] == '-';
    if (option)
        m->known = is_known(m, begin, end);
    if (!variable || m->known)
        keep(m, begin, end);
}

/* Words up to what ends them: ) of an array, a quote, or the end of a command. */
static void words(masker *m, char last)
{
    m->known = 0;
    while (m->at < m->length) {
        size_t end;
        char c = peek(m);
        if (c == last || (last == '\n' && is_in(c, ";|&<>")))
            return;
        if (c == '\\' && m->at + 1 < m->length && m->text[m->at + 1] == '\n') {
            m->at += 2;
        } else if (is_in(c, " \t\r\n")) {
            m->at++;
        } else if (c == '#' && last != '"' && last != '\'') {
            m->at = end_of_line(m, m->at);
        } else {
            end = end_of_word(m, m->at, last);
            end += (size_t)(end == m->at);
            word(m, m->at, end);
            m->at = end;
        }
    }
}

/* ---- Lines ---- */

static csz_status check_depth(const masker *m)
{
    if (m->depth == 0)
        return CSZ_OK;
    return cszi_scan_fail(&m->where, m->at, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE,
                          "arguments under a condition or in a loop; give those that are taken");
}

static int is_name(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* The place after NAME= or NAME+= at the offset; 0 when there is none. */
static size_t assigned(const masker *m, size_t at)
{
    size_t begin = at;
    while (at < m->length && is_name(m->text[at]))
        at++;
    if (at == begin)
        return 0;
    at += (size_t)starts(m, at, "+");
    return starts(m, at, "=") ? at + 1 : 0;
}

static int closes(const masker *m, size_t at)
{
    static const char *const closing[] = {"fi", "esac", "done"};
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++) {
        size_t end = at + strlen(closing[i]);
        if (starts(m, at, closing[i]) && (end >= m->length || is_in(m->text[end], " \t\r\n;")))
            return 1;
    }
    return 0;
}

/* What begins with the line, and ends on it. */
static void count_depth(masker *m, size_t at)
{
    static const char *const opening[] = {"if ", "case ", "for ", "while ", "until "};
    size_t begin = at, end = end_of_line(m, at);
    for (size_t i = 0; i < sizeof opening / sizeof *opening; i++)
        m->depth += starts(m, at, opening[i]);
    for (; at < end && m->text[at] != '#'; at++) {
        int first = at == begin || (is_in(m->text[at - 1], " \t;") && at >= begin + 2 &&
                                    is_in(m->text[at - 2], ";& \t"));
        if (first && m->depth > 0 && closes(m, at))
            m->depth--;
    }
}

/* The first of the lines that a command goes on over, and the place behind its .py word; 0: none.
 */
static size_t behind_program(const masker *m, size_t at)
{
    for (; at < m->length && m->text[at] != '\n'; at++) {
        if (m->text[at] == '\\' && at + 1 < m->length)
            at++;
        else if (starts(m, at, ".py") && at + 3 < m->length && is_in(m->text[at + 3], " \t\\\n\""))
            return at + 3 + (size_t)(m->text[at + 3] == '"');
    }
    return 0;
}

/* The word that ends a here-document which the line begins; 0: none. */
static size_t here_word(const masker *m, size_t at, char name[NAME_CAPACITY])
{
    size_t end = end_of_line(m, at), n = 0;
    while (at < end && !starts(m, at, "<<"))
        at++;
    for (at += 2; at < end && is_in(m->text[at], "-'\" \\"); at++)
        continue;
    while (at < end && is_name(m->text[at]) && n + 1 < NAME_CAPACITY)
        name[n++] = m->text[at++];
    name[n] = '\0';
    return n;
}

static csz_status here_document(masker *m, const char *name)
{
    size_t n = strlen(name), begin = m->at = end_of_line(m, m->at) + 1;
    csz_status status = check_depth(m);
    while (begin < m->length && !(starts(m, begin, name) && end_of_line(m, begin) == begin + n))
        begin = end_of_line(m, begin) + 1;
    if (status == CSZ_OK) {
        size_t length = m->length;
        m->length = begin < length ? begin : length;
        words(m, '\0');
        m->length = length;
    }
    m->at = begin < m->length ? begin + n : m->length;
    return status;
}

/* The first option of a quoted text; its end when there is none. */
static size_t first_option(const masker *m, size_t at, char quote)
{
    while (at < m->length && m->text[at] != quote &&
           !(starts(m, at, "--") && is_in(m->text[at - 1], " \t\r\n\\\"'")))
        at++;
    return at;
}

/* NAME=( ... ), or NAME="... --option ...". */
static csz_status assignment(masker *m, size_t value)
{
    char c = value < m->length ? m->text[value] : '\n';
    csz_status status = CSZ_OK;
    m->at = value + 1;
    if (is_in(c, "'\""))
        m->at = first_option(m, m->at, c);
    if (c == '(' || (is_in(c, "'\"") && starts(m, m->at, "--"))) {
        status = check_depth(m);
        words(m, c == '(' ? ')' : c);
    }
    m->at = end_of_line(m, m->at);
    return status;
}

static csz_status line(masker *m)
{
    static const char *const ahead[] = {"export ", "local ", "readonly ", "declare ", "-a "};
    char name[NAME_CAPACITY];
    size_t value, program;
    while (is_in(peek(m), " \t\r\n"))
        m->at++;
    if (peek(m) == '#') {
        m->at = end_of_line(m, m->at);
        return CSZ_OK;
    }
    count_depth(m, m->at);
    for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++)
        m->at += starts(m, m->at, ahead[i]) ? strlen(ahead[i]) : 0;
    value = assigned(m, m->at);
    if (value != 0)
        return assignment(m, value);
    if (here_word(m, m->at, name) != 0)
        return here_document(m, name);
    program = behind_program(m, m->at);
    if (program != 0) {
        csz_status status = check_depth(m);
        m->at = program;
        words(m, '\n');
        m->at = end_of_line(m, m->at);
        return status;
    }
    m->at = end_of_line(m, m->at);
    return CSZ_OK;
}

/* An option that matters and was not read is behind a condition, a second command of a line or the
 * like. */
static csz_status check_unread(const masker *m)
{
    for (size_t at = 0; at < m->length; at++) {
        char before = at > 0 ? m->text[at - 1] : ' ';
        size_t end = at;
        if (m->text[at] == '#' && is_in(before, " \t\n"))
            at = end_of_line(m, at);
        if (!starts(m, at, "--") || m->out[at] == '-' || is_name(before) || before == '-')
            continue;
        while (end < m->length && (is_name(m->text[end]) || m->text[end] == '-'))
            end++;
        if (is_known(m, at, end))
            return cszi_scan_fail(&m->where, at, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE,
                                  "an option outside of what is read of a script: arrays, quoted "
                                  "texts and programs at the beginning of a line; give it there");
    }
    return CSZ_OK;
}

/* ---- The whole ---- */

int cszi_script_is(const char *text, size_t length)
{
    masker m;
    memset(&m, 0, sizeof m);
    m.text = text;
    m.length = length;
    if (starts(&m, 0, "#!"))
        return 1;
    for (size_t at = 0; at < length; at = end_of_line(&m, at) + 1) {
        size_t value = assigned(&m, at);
        if (value != 0 && starts(&m, value, "("))
            return 1;
    }
    return 0;
}

csz_status cszi_script_mask(const char *text, size_t length, int (*knows)(const char *option),
                            char *out, cszi_error *error)
{
    masker m;
    csz_status status = CSZ_OK;
    memset(&m, 0, sizeof m);
    m.text = m.where.text = text;
    m.length = m.where.length = length;
    m.where.error = error;
    m.out = out;
    m.knows = knows;
    for (size_t i = 0; i < length; i++)
        out[i] = text[i] == '\n' ? '\n' : ' ';
    while (status == CSZ_OK && m.at < length)
        status = line(&m);
    return status == CSZ_OK ? check_unread(&m) : status;
}
