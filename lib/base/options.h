/* options.h: launch arguments by a table, one row an option. Options without a row are foreign and
 * ignored, with the words after them. An option that occurs twice counts as it is said last. */
#ifndef CSZI_BASE_OPTIONS_H
#define CSZI_BASE_OPTIONS_H

#include "base/field.h"
#include "base/words.h"

typedef enum cszi_option_rule {
    CSZI_OPTION_SWITCH,   /* no value: number; as a line or after =, yes or no */
    CSZI_OPTION_COUNT,    /* a whole number, at least number */
    CSZI_OPTION_FRACTION, /* a number from 0 to 1: whether it is above 0 */
    CSZI_OPTION_REAL,     /* any number: the same */
    CSZI_OPTION_CHOICE,   /* one of choices */
    CSZI_OPTION_WORDS,    /* one word or more, each of them of choices; their bits together */
    CSZI_OPTION_TEXT,     /* one word; only its place is kept */
    CSZI_OPTION_ANY,      /* one word or more; only that they are there */
    CSZI_OPTION_ONLY,     /* a whole number of which only number can be expressed */
    CSZI_OPTION_REFUSED   /* anything but no */
} cszi_option_rule;

typedef struct cszi_option {
    const char *name; /* - and _ are one character, case does not matter */
    int slot;         /* -1 where nothing is kept */
    cszi_option_rule rule;
    int64_t number;
    const cszi_choice *choices;
    const char *why; /* why a value is refused: "--name: <why>" */
} cszi_option;

/* What a slot was given, and where. */
typedef struct cszi_option_value {
    int64_t number;
    cszi_word place;
    int given;
} cszi_option_value;

/* Reads the whole text; words is left open for cszi_words_fail. values are the caller's, at their
 * zero; fields are what messages are about, by slot. Errors: CSZ_ERR_SYNTAX, CSZ_ERR_LIMIT,
 * CSZ_ERR_MISSING (a value), CSZ_ERR_TYPE, CSZ_ERR_RANGE, CSZ_ERR_UNKNOWN (what cannot be
 * expressed), all with line and column. */
csz_status cszi_options_read(cszi_words *words, const char *text, size_t length,
                             const cszi_option *table, size_t count, const csz_field *fields,
                             cszi_option_value *values, cszi_error *error);

/* The whole number that a word is, below 2^53 in magnitude, or the number; 0 when it is none. */
int cszi_word_integer(const cszi_words *words, cszi_word word, int64_t *number);
int cszi_word_real(const cszi_words *words, cszi_word word, double *number);

/* A list of zeros and ones as Python writes it, "([0]*3+[1]*58)", into bit of each of marks, or one
 * whole number into *number (then *length is 0). Errors: CSZ_ERR_SYNTAX; CSZ_ERR_LIMIT beyond
 * capacity. name labels them. */
csz_status cszi_option_list(const cszi_words *words, cszi_word word, const char *name,
                            unsigned char *marks, unsigned char bit, int64_t capacity,
                            int64_t *length, int64_t *number);

#endif
