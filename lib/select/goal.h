/* goal.h: what is wanted, as a plain struct. */
#ifndef CSZI_SELECT_GOAL_H
#define CSZI_SELECT_GOAL_H

#include "plan/plan.h"

#define CSZI_GOAL_LIMITS 48 /* at least the rows of the plan table */
#define CSZI_GOAL_ROWS 1000

typedef struct cszi_goal {
    uint64_t set[1];
    int64_t objective; /* csz_objective */
    double deadline;   /* 0: none */
    double budget;     /* 0: none */
    int64_t minimum_accelerators;
    int64_t maximum_accelerators;
    int64_t rows;
    double fit_confidence;
    int64_t tensor_beyond_domain;
    double tolerance;               /* 0: strict order */
    char stack[CSZI_TEXT_CAPACITY]; /* "": not named */
    /* By row of the plan table; limited says which are in force. */
    uint64_t limited;
    double lowest[CSZI_GOAL_LIMITS];
    double highest[CSZI_GOAL_LIMITS];
} cszi_goal;

extern const cszi_table cszi_goal_table;

/* Whether the goal allows a value of a plan field. */
int cszi_goal_allows(const cszi_goal *goal, csz_field plan_field, double value);

/* Whether a search tries other values of a plan field; the rest it takes as a limit fixes them. */
int cszi_goal_varies(csz_field plan_field);

/* Sets a limit; the field must be a number or choice of a plan. */
csz_status cszi_goal_set_limit(cszi_goal *goal, csz_field plan_field, double lowest, double highest,
                               cszi_error *error);

#endif
