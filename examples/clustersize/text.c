/* text.c: wrapping, and figures as people write them. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_COLUMNS 8
#define LONGEST 1024

static void new_line(page *t)
{
    putchar('\n');
    t->lines++;
    t->column = 0;
}

/* What a user gave (a path) may hold anything; the screen gets printable ASCII. */
static void put(page *t, const char *s, int n)
{
    for (int i = 0; i < n; i++)
        putchar(s[i] >= ' ' && s[i] <= '~' ? s[i] : '?');
    t->column += n;
}

static void put_blanks(page *t, int n)
{
    for (; n > 0; n--, t->column++)
        putchar(' ');
}

/* One unbroken piece, on the next line if this one has no room; cut if no line has. */
static void put_piece(page *t, const char *s, int n)
{
    int begun = t->column > t->indent;
    if (begun && t->column + 1 + n > TEXT_COLUMNS) {
        new_line(t);
        begun = 0;
    }
    if (t->column < t->indent)
        put_blanks(t, t->indent - t->column);
    if (begun)
        put_blanks(t, 1);
    put(t, s, n < TEXT_COLUMNS - t->column ? n : TEXT_COLUMNS - t->column);
}

void text_open(page *t, const char *label)
{
    t->indent = label[0] != '\0' ? LABEL_COLUMNS : 0;
    put(t, label, (int)strlen(label));
}

void text_add(page *t, const char *format, ...)
{
    char words[LONGEST];
    va_list arguments;
    const char *s = words;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    while (*(s += strspn(s, " ")) != '\0') {
        int n = (int)strcspn(s, " ");
        put_piece(t, s, n);
        s += n;
    }
}

void text_phrase(page *t, const char *format, ...)
{
    char words[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    put_piece(t, words, (int)strlen(words));
}

void text_line(page *t, const char *format, ...)
{
    char words[LONGEST];
    va_list arguments;
    int n;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    n = (int)strlen(words);
    while (n > 0 && words[n - 1] == ' ')
        n--;
    put(t, words, n < TEXT_COLUMNS ? n : TEXT_COLUMNS);
    new_line(t);
}

void text_close(page *t)
{
    if (t->column > 0)
        new_line(t);
    t->indent = 0;
}

int text_fits(const page *t, int columns)
{
    int more = t->column + 1 + columns > TEXT_COLUMNS;
    return t->limit == 0 || t->lines + 1 + more <= t->limit;
}

shown text_count(double value)
{
    shown plain, w;
    size_t n, out = 0;
    (void)snprintf(plain.text, sizeof plain.text, "%.0f", value);
    n = strlen(plain.text);
    for (size_t i = 0; i < n && out + 2 < sizeof w.text; i++) {
        w.text[out++] = plain.text[i];
        if ((n - i - 1) % 3 == 0 && i + 1 < n && plain.text[i] != '-')
            w.text[out++] = ',';
    }
    w.text[out] = '\0';
    return w;
}

shown text_unit(csz_unit unit, double value)
{
    shown w;
    if (!isfinite(value) || csz_unit_format(unit, value, w.text, sizeof w.text) == 0)
        (void)snprintf(w.text, sizeof w.text, "?");
    return w;
}

shown text_gib(double bytes)
{
    shown w;
    (void)snprintf(w.text, sizeof w.text, "%.1f", bytes / 1073741824.0);
    return w;
}

shown text_short(csz_unit unit, double value)
{
    shown w = text_unit(unit, value), short_of = w;
    char *end, *number = w.text + strcspn(w.text, "0123456789");
    double digits = strtod(number, &end);
    if (digits < 1000)
        (void)snprintf(short_of.text + (number - w.text), sizeof w.text - (size_t)(number - w.text),
                       "%.3g%s", digits, end);
    return short_of;
}

shown text_time(double seconds)
{
    shown w;
    if (!(seconds >= 1 && seconds < 600))
        return text_unit(CSZ_UNIT_SECOND, seconds);
    (void)snprintf(w.text, sizeof w.text, "%.4g s", seconds);
    return w;
}

shown text_power(double value)
{
    shown w;
    char *plus;
    (void)snprintf(w.text, sizeof w.text, "%.4g", value);
    plus = strchr(w.text, '+');
    if (plus != NULL)
        memmove(plus, plus + 1, strlen(plus));
    return w;
}

shown text_percent(double share)
{
    shown w;
    double percent = 100 * share;
    (void)snprintf(w.text, sizeof w.text, fabs(percent) < 0.95 ? "%.1f%%" : "%.0f%%", percent);
    return w;
}

shown text_chance(double probability)
{
    shown w;
    if (probability > 0.999)
        (void)snprintf(w.text, sizeof w.text, "over 99.9%%");
    else if (probability < 0.001)
        (void)snprintf(w.text, sizeof w.text, "under 0.1%%");
    else
        (void)snprintf(w.text, sizeof w.text, "%.*f%%", probability > 0.99 ? 1 : 0,
                       100 * probability);
    return w;
}
