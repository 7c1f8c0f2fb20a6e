/* article.h: the claims of a well-known style of sizing article, each with the library's own figure
 * and why. */
#ifndef ARTICLE_H
#define ARTICLE_H

#include <clustersize/clustersize.h>

#define NONE ((double)NAN)
#define DAY 86400.0

#ifdef __GNUC__
#define LIKE_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define LIKE_PRINTF
#endif

/* A question by text, its handles made once. */
typedef struct asked {
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
    csz_goal *goal;
    csz_estimate *estimate;
    csz_ranking *ranking;
    csz_projection *projection;
} asked;

int make(asked *q);
void drop(asked *q);
/* Fresh inputs; ends the program with the message of what is refused. */
void set(asked *q, const char *workload, const char *cluster, const char *plan);
/* Computes the plan that was set; NONE when it cannot be. */
double figure(asked *q, csz_depth depth, csz_field field);
/* Of the best plan on the cluster's count, within a stack; NONE without one. */
double best(asked *q, const char *limits, csz_field field);
/* The least count that meets a goal; NONE. */
double count(asked *q, const char *goal);
/* Of the projection of the plan that was set. */
double project(asked *q, csz_field field);
void project_range(asked *q, csz_field field, double range[3]);
/* Of the networks of the plan that was set: by fabric. */
double on_fabric(asked *q, const char *fabric, csz_field field);
/* A figure of the catalog. */
double fact(csz_kind kind, const char *id, csz_field field);

void claim(const char *mark, const char *text);
void says(const char *format, ...) LIKE_PRINTF; /* a figure */
void because(const char *text);

/* A claim by its letter. A list ends with letter 0. */
typedef struct audit {
    char letter;
    void (*run)(asked *q);
} audit;
extern const audit arithmetic_audits[], job_audits[], machine_audits[], money_audits[];

#endif
