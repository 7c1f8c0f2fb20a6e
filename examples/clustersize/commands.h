/* commands.h: what main dispatches to. Each returns the exit status; BAD_INPUT leaves its message
 * in a. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "assumptions.h"

int run_size(asked *a);
int run_fit(asked *a);
int run_plan(asked *a);
int run_flops(asked *a);
int run_cost(asked *a);
int run_curve(asked *a);
int run_network(asked *a);
int run_calibrate(asked *a);
int run_check(asked *a);
int run_list(asked *a);
void print_help(void);
/* A default as people write it; "-" without one. */
shown field_default(csz_field field);

/* --profile: calibrates the cluster to the runs of the file. */
int profile_apply(asked *a, csz_calibration *c);
/* The range of the run before and after. */
void say_profile(page *t, const asked *a, const answer *x, const csz_calibration *c);
/* The software that a name means, and all names; 0 and BAD_INPUT with a message left in a. */
int launch_source(asked *a, const char *flag, const char *name, csz_source *source);
/* A part of a plan as a launch, to be freed; NULL with the status and a message left in a. */
char *launch_text(asked *a, const answer *x, csz_source source, csz_launch_part part);
/* --emit: the plan, or the first of a ranking that the software can say, on standard output; what
 * stands beside it on standard error. */
int emit_plan(asked *a, const answer *x);
int emit_ranked(asked *a, const csz_ranking *ranking);
/* The stack of --emit for the search, unless one was stated. */
int limit_emitted(asked *a);

/* Without a count: what the degrees that were given multiply to. */
void count_by_degrees(asked *a);
/* Degrees and the like that were given bound the search. */
int limit_goal(asked *a);
/* A ranking's failure, with its message left in a. */
int check_ranking(asked *a, const csz_ranking *ranking, csz_status status);
/* A long text of the library, to be freed; NULL when there is no memory. */
char *ranking_json(const csz_ranking *ranking);
char *estimate_json(const csz_estimate *estimate);
int print_json(asked *a, char *json);

/* Up to three plans near the best one, and what each trades for its time. */
int say_near_plans(page *t, asked *a, const answer *x);
/* 6ND beside the exact count and the plan's own answer, so that the difference is not taken for a
 * bug. */
void say_arithmetic(page *t, const answer *x, double seconds);

#endif
