/* words.h: launch arguments as text, in place: words as a POSIX shell splits them, or lines of
 * "key: value". No allocation, no recursion.
 *
 * Words are separated by blanks and newlines; a backslash takes the next character as it is, and
 * joins lines before a newline; single and double quotes keep blanks; a word that begins with # is
 * a comment to the end of its line. What a shell would replace is refused, since the text alone
 * does not say by what: $, backquotes, braces, and outside quotes the operators ; | & < >. The
 * lines form is taken when the first line that is neither blank nor a comment is "key:" or
 * "key: value"; its keys may have dashes in front, its values quotes around them, "- value" lines
 * add values to the key before.
 */
#ifndef CSZI_BASE_WORDS_H
#define CSZI_BASE_WORDS_H

#include "base/error.h"

#define CSZI_WORDS_LENGTH (1u << 20) /* longest text, bytes */

typedef struct cszi_words {
    const char *text;
    size_t length;
    size_t at;
    int lines; /* the form */
    cszi_error *error;
} cszi_words;

/* A part of the text as it stands there, and how the scan into it begins: inside a quote, or
 * without any meaning of quotes. Read with cszi_word_next; copies are cheap. */
typedef struct cszi_word {
    uint32_t begin;
    uint32_t end;
    char quote; /* 0, ' or ", or CSZI_WORD_PLAIN */
} cszi_word;

#define CSZI_WORD_PLAIN 'p'

/* An option, or a word that is none. */
typedef struct cszi_argument {
    cszi_word name;  /* without its dashes, when has_name */
    cszi_word value; /* what follows = or :, or the word, when has_value */
    int has_name;
    int has_value;
    size_t place;   /* offset of the first character, dashes included */
    size_t pattern; /* 1 + offset of an unquoted *, ?, [, ( or ), 0 without one */
} cszi_argument;

/* CSZ_ERR_LIMIT beyond CSZI_WORDS_LENGTH. text need not end with NUL. */
csz_status cszi_words_open(cszi_words *words, const char *text, size_t length, cszi_error *error);
/* The next argument; *found is 0 at the end. Errors: CSZ_ERR_SYNTAX with line and column. */
csz_status cszi_words_next(cszi_words *words, cszi_argument *argument, int *found);

/* The next character without quotes, as an unsigned char, or -1 at the end; word->begin moves
 * beyond it. */
int cszi_word_next(const cszi_words *words, cszi_word *word);
int cszi_word_equals(const cszi_words *words, cszi_word word, const char *text);
/* The same whatever the case, - and _ being one character. */
int cszi_word_is(const cszi_words *words, cszi_word word, const char *name);
/* Snprintf-like: the length in full, and what fits with a NUL. */
size_t cszi_word_text(const cszi_words *words, cszi_word word, char *text, size_t capacity);

/* "<message> at line L, column C"; returns status. */
csz_status cszi_words_fail(const cszi_words *words, size_t offset, csz_status status,
                           csz_field field, const char *format, ...) CSZI_PRINTF(5, 6);

#endif
