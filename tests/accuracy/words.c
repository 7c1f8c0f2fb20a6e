#include "words.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void phrase_add(phrase *to, const char *format, ...)
{
    size_t room = sizeof to->data - to->used;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(to->data + to->used, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        to->used += (size_t)length < room ? (size_t)length : room - 1;
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static int is_word(char c)
{
    return isalnum((unsigned char)c);
}

static int is_name(char c)
{
    return is_word(c) || c == '_';
}

int word_begins(const char *text, const char *prefix)
{
    while (*prefix != '\0' && lower(*text) == lower(*prefix)) {
        text++;
        prefix++;
    }
    return *prefix == '\0';
}

int word_is(const char *a, const char *b)
{
    return strlen(a) == strlen(b) && word_begins(a, b);
}

const char *word_find(const char *text, const char *part)
{
    for (; *text != '\0'; text++)
        if (word_begins(text, part))
            return text;
    return NULL;
}

static int among(const char *text, const char *part, int (*inside)(char))
{
    const char *at = text;

    for (; (at = word_find(at, part)) != NULL; at++)
        if ((at == text || !inside(at[-1])) && !inside(at[strlen(part)]))
            return 1;
    return 0;
}

int word_among(const char *text, const char *part)
{
    return among(text, part, is_word);
}

int word_module(const char *text, const char *part)
{
    return among(text, part, is_name);
}

#define LARGEST 9007199254740992.0 /* 2^53: every whole number up to it is exact */
#define MOST_EXPONENT 400          /* leaves the range of a double, whatever it is applied to */

/* "e-3" behind a mantissa; 0 where no digit follows. */
static int read_exponent(const char **at)
{
    const char *from = *at;
    int negative, sum = 0;

    if (lower(*from) != 'e')
        return 0;
    negative = *++from == '-';
    from += negative || *from == '+';
    if (!isdigit((unsigned char)*from))
        return 0;
    for (; isdigit((unsigned char)*from); from++)
        sum = sum < MOST_EXPONENT ? sum * 10 + (*from - '0') : sum;
    *at = from;
    return negative ? -sum : sum;
}

/* Digits with one point and an exponent, by hand, so that no locale changes it. */
static int read_number(const char *at, double *value)
{
    double unit = 1, sum = 0;
    int digits = 0;

    for (; isdigit((unsigned char)*at); at++, digits++)
        sum = sum * 10 + (*at - '0');
    if (*at == '.')
        for (at++; isdigit((unsigned char)*at); at++, digits++)
            sum += (*at - '0') * (unit /= 10);
    if (digits == 0)
        return 0;
    sum *= pow(10, read_exponent(&at));
    if (lower(*at) == 'k')
        sum *= 1024;
    if (!(sum <= LARGEST)) /* nor is infinity times 0 a number */
        return 0;
    *value = sum;
    return 1;
}

int word_number(const char *text, double *value)
{
    const char *at = strpbrk(text, "0123456789");

    if (at == NULL)
        return 0;
    if (at > text && at[-1] == '.')
        at--;
    if (!read_number(at, value))
        return 0;
    /* A sign stands before a word: the "-" of a name such as A100-40GB is none. */
    if (at > text && at[-1] == '-' && (at == text + 1 || isspace((unsigned char)at[-2])))
        *value = -*value;
    return 1;
}

int word_number_after(const char *text, const char *key, double *value)
{
    const char *at = word_find(text, key);

    return at != NULL && read_number(at + strlen(key), value);
}
