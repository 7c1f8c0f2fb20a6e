/* report.h: the lines that several answers share, each about one plan on one count of accelerators.
 */
#ifndef REPORT_H
#define REPORT_H

#include "args.h"
#include "text.h"

/* A plan with what follows from it: owned copies, so that rankings can be computed meanwhile. */
typedef struct answer {
    csz_cluster *cluster; /* with the count of the answer */
    csz_plan *plan;
    csz_estimate *estimate;
    csz_depth depth;
} answer;

/* Copies the inputs; count 0 keeps the cluster's. Computes as deep as what is said allows. */
int answer_make(asked *a, answer *x, const csz_plan *plan, double count);
void answer_free(answer *x);

/* A figure of an estimate; NAN when it has none. */
double figure(const csz_estimate *e, csz_field field);
/* Value of a plan's integer, its default when unset, 0 without one. */
int64_t plan_value(const csz_plan *plan, csz_field field);
/* Short name of a plan's field in sentences: "tp", "recompute". */
const char *plan_word(csz_field field);
/* "tp 8", "sharding optimizer", "recompute none" */
shown plan_phrase(const csz_plan *plan, csz_field field);

/* Fields of a plan that sentences name, degrees first. */
extern const csz_field plan_fields[];
extern const size_t plan_fields_count;

/* "llama-3-70b on h100-sxm-80gb: 112 nodes, 896 accelerators", then the mark that ends it. */
void say_subject(page *t, const asked *a, const answer *x, const char *mark);
/* Time, cost with offer and date; nothing that is not known. */
void say_run(page *t, const asked *a, const answer *x);
/* "fits (over 99.9%)" */
void say_fit(page *t, const csz_estimate *e);
/* Whether accelerators and hosts have the memory, or may have it. */
int estimate_fits(const csz_estimate *e);
/* "fits", of a csz_fit; "at the loss", of a csz_moment. */
const char *fit_word(double fit);
const char *moment_phrase(double moment);
void say_plan(page *t, const answer *x);
void say_batch(page *t, const answer *x);
/* The worst stage in a line, and its parts in another. */
void say_memory(page *t, const answer *x, int parts);
/* Each part with a bar; allocated, reserved and driver; the host. */
void say_memory_table(page *t, const answer *x);
void say_step(page *t, const answer *x);
/* The band of the step time, the measured runs behind it and what widens it. */
void say_band(page *t, const csz_estimate *e);
/* For --explain: each stage by part, the roofline, utilization by convention, evidence. */
void say_explanation(page *t, const csz_estimate *e);
/* What limits a given plan: memory, or the largest loss of the step. */
void say_what_binds(page *t, const answer *x);
/* Every stage by part. */
void say_stages(page *t, const csz_estimate *e);
/* The notes: for -v. */
void say_notes(page *t, const csz_estimate *e);
/* Counts of plans, and rejections by reason, the largest first, at most so many. */
void say_rejections(page *t, const csz_ranking *ranking, size_t most);
/* The same with a sentence each. */
void say_rejection_table(page *t, const csz_ranking *ranking);

#endif
