/* question.h: a workload, cluster, plan and estimate made from text, for tests. */
#ifndef TESTS_UNIT_QUESTION_H
#define TESTS_UNIT_QUESTION_H

#include <check.h>
#include <clustersize/clustersize.h>
#include <stdio.h>

typedef struct question {
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
    csz_goal *goal;
    csz_estimate *estimate;
    csz_ranking *ranking;
} question;

static inline void question_open(question *q)
{
    q->workload = csz_workload_new(NULL);
    q->cluster = csz_cluster_new(NULL);
    q->plan = csz_plan_new(NULL);
    q->goal = csz_goal_new(NULL);
    q->estimate = csz_estimate_new(NULL);
    q->ranking = csz_ranking_new(NULL);
}

static inline void question_set(question *q, const char *workload, const char *cluster,
                                const char *plan)
{
    ck_assert_msg(csz_workload_set(q->workload, NULL, workload) == CSZ_OK, "%s",
                  csz_workload_error(q->workload, NULL));
    ck_assert_msg(csz_cluster_set(q->cluster, NULL, cluster) == CSZ_OK, "%s",
                  csz_cluster_error(q->cluster, NULL));
    ck_assert_msg(csz_plan_set(q->plan, plan) == CSZ_OK, "%s", csz_plan_error(q->plan, NULL));
}

static inline void question_compute(question *q, csz_depth depth)
{
    csz_status status = csz_estimate_compute(q->estimate, q->workload, q->cluster, q->plan, depth);
    ck_assert_msg(status == CSZ_OK, "%s", csz_estimate_error(q->estimate, NULL));
}

static inline void question_close(question *q)
{
    csz_workload_free(q->workload);
    csz_cluster_free(q->cluster);
    csz_plan_free(q->plan);
    csz_goal_free(q->goal);
    csz_estimate_free(q->estimate);
    csz_ranking_free(q->ranking);
}

static inline double figure(const question *q, csz_field field)
{
    double value = -1;
    csz_status status = csz_estimate_get_f64(q->estimate, field, &value);
    ck_assert_msg(status == CSZ_OK, "%s: %s", csz_field_name(field), csz_status_name(status));
    return value;
}

static inline double figure_at(const question *q, csz_field field, size_t index)
{
    double value = -1;
    csz_status status = csz_estimate_get_f64_at(q->estimate, field, index, &value);
    ck_assert_msg(status == CSZ_OK, "%s[%zu]: %s", csz_field_name(field), index,
                  csz_status_name(status));
    return value;
}

/* Runs one suite whose cases the caller has added. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
