/* recorded.h: figures that a change must not make worse. */
#ifndef TESTS_ACCURACY_RECORDED_H
#define TESTS_ACCURACY_RECORDED_H

#include "summary.h"

/* How a figure may differ from the recorded one. */
typedef enum bound {
    AT_MOST, /* the smaller, the better */
    NEAR,    /* neither side is better */
    EQUAL    /* a count: another one means that other rows are judged */
} bound;

typedef void (*visit)(void *user, const char *name, double value, bound kind);

struct judge;

/* Writes one "name value" a line. 0 when the file cannot be written. */
int recorded_write(const struct judge *j, const char *path, const verdict *all, size_t count);
/* 1 when the file has each figure and nothing else, and none is worse: errors no larger, bands as
 * wide, counts of rows the same. What does not hold is told. */
int recorded_check(const struct judge *j, const char *path, const verdict *all, size_t count);

#endif
