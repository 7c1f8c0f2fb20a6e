/* memory.h: the classes in which figures of memory are promised, and those that only inform. */
#ifndef TESTS_ACCURACY_MEMORY_H
#define TESTS_ACCURACY_MEMORY_H

#include "summary.h"

extern const category memory_classes[];

#endif
