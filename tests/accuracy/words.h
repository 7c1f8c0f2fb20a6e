/* words.h: small questions about texts, whatever their case. */
#ifndef TESTS_ACCURACY_WORDS_H
#define TESTS_ACCURACY_WORDS_H

#include <stddef.h>

/* A text that grows by printf; what does not fit is cut and counted. */
typedef struct phrase {
    char data[1600];
    size_t used;
} phrase;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void phrase_add(phrase *to, const char *format, ...);

int word_is(const char *a, const char *b);
int word_begins(const char *text, const char *prefix);
/* Where the part begins; NULL when it does not occur. */
const char *word_find(const char *text, const char *part);
/* part is one of the words of text, between characters that are no letters and no digits. */
int word_among(const char *text, const char *part);
/* The same for words that may hold "_". */
int word_module(const char *text, const char *part);
/* The first number of a text, 1 when there is one: "8 (default)" is 8, "8k" is 8192. Beyond 2^53
 * there is none: what is found is safe to round. */
int word_number(const char *text, double *value);
/* The number, without a sign, right behind key ("layers=" or "recompute-modules="). */
int word_number_after(const char *text, const char *key, double *value);

#endif
