/* project.h: what the commands on projections share. */
#ifndef PROJECT_H
#define PROJECT_H

#include "commands.h"

/* A figure, NAN when it is unset; a text or choice. */
double projected(const csz_projection *p, csz_field field, size_t i);
shown projected_word(const csz_projection *p, csz_field field, size_t i);
shown text_money(double v);
/* "11.2 d (10.4 d to 13.1 d)" and the mark that ends it. */
void say_range(page *t, const csz_projection *p, csz_field field, const char *mark);
/* A projection's failure, with its message left in a; NULL: no memory. */
int check_projection(asked *a, const csz_projection *p, csz_status status);
int print_projection(asked *a, const csz_projection *p);
/* The subject, whether it fits, the plan. */
void say_projected_plan(page *t, asked *a, const answer *x);
/* Says something of the best plan on the count. */
int project_best_plan(asked *a, int (*say)(asked *a, csz_projection *p, const answer *x));

#endif
