/* models.h: names of models as people write them. */
#ifndef TESTS_ACCURACY_MODELS_H
#define TESTS_ACCURACY_MODELS_H

#include <stddef.h>

/* Without owner, suffixes of tuning and packaging, and spaces; layers is what "truncated to N
 * layers" says, else 0. */
void model_plain(const char *name, char *plain, size_t capacity, double *layers);
/* A catalog id; NULL when the name is none and no known other name of one. */
const char *model_id(const char *plain);
/* Workload fields of a model that the catalog lacks; NULL when it is not known here either. */
const char *model_fields(const char *plain);
/* A sentence when the name stands for no one model; else NULL. */
const char *model_vague(const char *name);

#endif
