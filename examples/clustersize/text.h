/* text.h: paragraphs for people: lines of at most 80 columns, counted, so that an answer stays on
 * one screen. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <clustersize/clustersize.h>

#define TEXT_COLUMNS 80
#define TEXT_LINES 24

#ifdef __GNUC__
#define TEXT_FORMAT(words, first) __attribute__((format(printf, words, first)))
#else
#define TEXT_FORMAT(words, first)
#endif

typedef struct page {
    int lines;  /* ended so far */
    int column; /* of the open line */
    int indent; /* where further lines of a paragraph begin */
    int limit;  /* lines of the screen; 0: any number */
} page;

/* A short text passed by value, so that formatted figures can be used inside one call. */
typedef struct shown {
    char text[48];
} shown;

/* Opens a paragraph. Its label stands in a column of its own; "" begins at the left. */
void text_open(page *t, const char *label);
/* Adds words, broken between lines at blanks. */
void text_add(page *t, const char *format, ...) TEXT_FORMAT(2, 3);
/* Adds a phrase that is not broken, after a blank. */
void text_phrase(page *t, const char *format, ...) TEXT_FORMAT(2, 3);
/* A whole line as it is, cut at the right edge. */
void text_line(page *t, const char *format, ...) TEXT_FORMAT(2, 3);
void text_close(page *t);
/* Whether so many more columns, in one phrase, end on the open line or a later line of the screen.
 */
int text_fits(const page *t, int columns);

/* 1,234,567 */
shown text_count(double value);
/* Four significant digits and a unit, by the library. */
shown text_unit(csz_unit unit, double value);
/* 12.3, of bytes; below the least it is 0.0 */
#define LEAST_GIB 53687091.2
shown text_gib(double bytes);
/* Three digits only, for rows of figures. */
shown text_short(csz_unit unit, double value);
/* Seconds up to ten minutes, so that the steps of two plans compare at a glance. */
shown text_time(double seconds);
/* 4.492e23 */
shown text_power(double value);
/* 62%, 3%, 0.6% */
shown text_percent(double share);
/* Of a probability, never rounded to 0% or 100%. */
shown text_chance(double probability);

#endif
