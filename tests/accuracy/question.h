/* question.h: a row of measurements as a question to the library: model and job, machines, plan.
 *
 * What a row does not say is filled by the documented default of its framework and told in filled.
 * A row that has no question tells why in skip. What is measured is the judge's business. */
#ifndef TESTS_ACCURACY_QUESTION_H
#define TESTS_ACCURACY_QUESTION_H

#include <clustersize/clustersize.h>

#include "frameworks.h"
#include "row.h"

/* More accelerators than any row has. */
#define MOST_RANKS 1048576

typedef struct question {
    row row;
    const framework *framework;
    const char *stack;
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
    phrase job, layout, machines; /* as given to the handles */
    phrase filled, skip;
    int64_t gpus, tp, pp, vp, cp, ep, etp, dp; /* 0: as many as remain */
    int64_t micro_batch, sequence, sharding;
    int64_t examples;        /* sequences of an example: 2 for methods that compare pairs */
    int partial;             /* a setting that the answer hangs on was filled */
    const char *accelerator; /* catalog id; NULL when the row states none */
    int card;                /* the accelerator, or the size of its memory, is stated */
    int last_rank;           /* the reading is of the last pipeline rank, not of the worst */
} question;

/* 1 when there is a question. Handles are the question's either way. */
int question_read(question *q, row r);
void question_free(question *q);
/* 1 when layers have experts. */
int question_mixture(const question *q);
/* Nodes of the size that the row states, in place of the accelerator's usual ones. */
void question_nodes(question *q);

/* A setting filled by a default; an essential one makes the row partial. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void question_fill(question *q, int essential, const char *format, ...);

/* The parts, in their order. Each may set skip. Behind the limits, products of two columns and of
 * all degrees are far from overflow. */
void question_limits(question *q);
void question_degrees(question *q);
void question_model(question *q);
void question_job(question *q);
void question_layout(question *q);
void question_machines(question *q);

/* The model of a Megatron-Core test case, whose name and arguments are the only description. */
void question_megatron_case(question *q);
int is_megatron_case(row r);
/* The model of a row that states its widths. */
void question_widths(question *q);

#endif
