/* step_time.h: the classes in which figures of time are promised, and those that only inform. */
#ifndef TESTS_ACCURACY_STEP_TIME_H
#define TESTS_ACCURACY_STEP_TIME_H

#include "summary.h"

extern const category time_classes[];

/* Everything stated, and of no grid of one paper's. */
int is_headline_time(const verdict *v);

/* How well predictions order the plans of a problem: groups of rows that share source, model,
 * accelerators, sequence length and global batch, with four distinct plans at least. */
void ranking_print(const verdict *all, size_t count, int json);

#endif
