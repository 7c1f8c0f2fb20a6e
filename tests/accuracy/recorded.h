/* recorded.h: figures that a change must not make worse. */
#ifndef TESTS_ACCURACY_RECORDED_H
#define TESTS_ACCURACY_RECORDED_H

#include "summary.h"

/* Writes one "name value" a line; the smaller a value, the better. 0 when the file cannot be
 * written. */
int recorded_write(const char *path, const verdict *all, size_t count);
/* 1 when no figure is worse than in the file; each worse one is told. */
int recorded_check(const char *path, const verdict *all, size_t count);

#endif
