/* main.c: asks the library about each claim of the article, and prints claim, figure and why. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "article.h"

int make(asked *q)
{
    q->workload = csz_workload_new(NULL);
    q->cluster = csz_cluster_new(NULL);
    q->plan = csz_plan_new(NULL);
    q->goal = csz_goal_new(NULL);
    q->estimate = csz_estimate_new(NULL);
    q->ranking = csz_ranking_new(NULL);
    q->projection = csz_projection_new(NULL);
    return q->workload != NULL && q->cluster != NULL && q->plan != NULL && q->goal != NULL &&
           q->estimate != NULL && q->ranking != NULL && q->projection != NULL;
}

void drop(asked *q)
{
    csz_workload_free(q->workload);
    csz_cluster_free(q->cluster);
    csz_plan_free(q->plan);
    csz_goal_free(q->goal);
    csz_estimate_free(q->estimate);
    csz_ranking_free(q->ranking);
    csz_projection_free(q->projection);
}

static void need(csz_status status, const char *message)
{
    if (status == CSZ_OK)
        return;
    fprintf(stderr, "sizing-article: %s: %s\n", csz_status_name(status), message);
    exit(1);
}

void set(asked *q, const char *workload, const char *cluster, const char *plan)
{
    drop(q);
    if (!make(q))
        need(CSZ_ERR_NO_MEMORY, "out of memory");
    need(csz_workload_set(q->workload, NULL, workload), csz_workload_error(q->workload, NULL));
    need(csz_cluster_set(q->cluster, NULL, cluster), csz_cluster_error(q->cluster, NULL));
    need(csz_plan_set(q->plan, plan), csz_plan_error(q->plan, NULL));
}

static double of(const csz_estimate *e, csz_field field)
{
    double v = NONE;
    return csz_estimate_get_f64(e, field, &v) == CSZ_OK ? v : NONE;
}

double figure(asked *q, csz_depth depth, csz_field field)
{
    csz_status status = csz_estimate_compute(q->estimate, q->workload, q->cluster, q->plan, depth);
    if (status == CSZ_ERR_CONFLICT)
        return NONE;
    need(status, csz_estimate_error(q->estimate, NULL));
    return of(q->estimate, field);
}

double best(asked *q, const char *limits, csz_field field)
{
    need(csz_goal_set(q->goal, limits), csz_goal_error(q->goal, NULL));
    need(csz_goal_stack(q->goal, "megatron"), csz_goal_error(q->goal, NULL));
    need(csz_ranking_select(q->ranking, q->workload, q->cluster, q->goal),
         csz_ranking_error(q->ranking, NULL));
    if (csz_ranking_count(q->ranking) == 0)
        return NONE;
    (void)csz_plan_copy(q->plan, csz_ranking_plan_at(q->ranking, 0));
    return of(csz_ranking_estimate_at(q->ranking, 0), field);
}

double count(asked *q, const char *goal)
{
    double n = NONE;
    need(csz_goal_set(q->goal, goal), csz_goal_error(q->goal, NULL));
    need(csz_goal_stack(q->goal, "megatron"), csz_goal_error(q->goal, NULL));
    need(csz_ranking_size(q->ranking, q->workload, q->cluster, q->goal),
         csz_ranking_error(q->ranking, NULL));
    return csz_ranking_get_f64(q->ranking, CSZ_RANKING_ACCELERATORS, &n) == CSZ_OK ? n : NONE;
}

void project_range(asked *q, csz_field field, double range[3])
{
    need(csz_projection_compute(q->projection, NULL, q->workload, q->cluster, q->plan),
         csz_projection_error(q->projection, NULL));
    need(csz_projection_get_range(q->projection, field, &range[0], &range[1], &range[2]),
         csz_field_name(field));
}

double project(asked *q, csz_field field)
{
    double v = NONE;
    need(csz_projection_compute(q->projection, NULL, q->workload, q->cluster, q->plan),
         csz_projection_error(q->projection, NULL));
    return csz_projection_get_f64(q->projection, field, &v) == CSZ_OK ? v : NONE;
}

double on_fabric(asked *q, const char *fabric, csz_field field)
{
    need(csz_projection_network(q->projection, NULL, q->workload, q->cluster, q->plan),
         csz_projection_error(q->projection, NULL));
    for (size_t i = 0; i < csz_projection_count(q->projection, CSZ_PROJECTION_FABRIC); i++) {
        char id[64];
        double v = NONE;
        (void)csz_projection_get_text_at(q->projection, CSZ_PROJECTION_FABRIC, i, id, sizeof id);
        if (strcmp(id, fabric) == 0 &&
            csz_projection_get_f64_at(q->projection, field, i, &v) == CSZ_OK)
            return v;
    }
    return NONE;
}

double fact(csz_kind kind, const char *id, csz_field field)
{
    size_t index = 0;
    double v = NONE;
    need(csz_catalog_find(NULL, kind, id, &index), id);
    need(csz_catalog_get_f64(NULL, index, field, &v), csz_field_name(field));
    return v;
}

void claim(const char *mark, const char *text)
{
    printf("\n(%s) %s\n", mark, text);
}

void says(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    printf("    ");
    vprintf(format, rest);
    putchar('\n');
    va_end(rest);
}

void because(const char *text)
{
    printf("    Why: %s\n", text);
}

static void audit_letter(asked *q, char letter)
{
    static const audit *const all[] = {arithmetic_audits, job_audits, machine_audits, money_audits};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const audit *a = all[i]; a->letter != 0; a++)
            if (a->letter == letter)
                a->run(q);
}

int main(void)
{
    asked q;
    if (!make(&q))
        return 1;
    printf("clustersize %s, facts of %s. Where the claim leaves something open, the figures span "
           "it.\n",
           csz_version_string(), csz_version_facts());
    for (const char *letter = "abcdefghijklmnopqrstuvwxy"; *letter != '\0'; letter++)
        audit_letter(&q, *letter);
    drop(&q);
    return fflush(stdout) != 0;
}
