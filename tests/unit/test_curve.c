/* test_curve.c: the curve of counts, what it costs to go on, and the inverse questions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

static void near(double got, double wanted, double share, const char *what)
{
    ck_assert_msg(fabs(got - wanted) <= share * fabs(wanted), "%s: %.10g, not %.10g", what, got,
                  wanted);
}

/* 64 in 10 days, 128 in 7.5: 640 / 960 = 66.7%; 320 accelerator-days = 7,680 hours; at $3 $23,040
 * for 2.5 days. */
START_TEST(is_it_worth_it)
{
    double e, h, d;
    ck_assert_int_eq(csz_arithmetic_scaling(64, 864000, 128, 648000, 3, &e, &h, &d), CSZ_OK);
    near(e, 2 / 3.0, 1e-12, "efficiency");
    near(h, 7680, 1e-12, "hours");
    near(d, 9216, 1e-12, "a day");
    ck_assert_int_eq(csz_arithmetic_scaling(64, 864000, 128, 864000, 3, &e, &h, &d), CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_arithmetic_scaling(64, (double)NAN, 128, 6, 3, &e, &h, &d), CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_arithmetic_scaling(64, 1e300, 128, 1, 1e300, &e, &h, &d), CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_arithmetic_scaling(64, 8, 128, 6, 3, NULL, &h, &d), CSZ_ERR_ARGUMENT);
}
END_TEST

static double point(const csz_projection *p, csz_field field, size_t i)
{
    double v = -1;
    ck_assert_int_eq(csz_projection_get_f64_at(p, field, i, &v), CSZ_OK);
    return v;
}

static double flat(const csz_projection *p, csz_field field)
{
    double v = -1;
    ck_assert_msg(csz_projection_get_f64(p, field, &v) == CSZ_OK, "%s", csz_field_name(field));
    return v;
}

/* Entries are what a selection at their counts gives; answers are read off them. */
START_TEST(the_curve_is_made_of_selections)
{
    question q, other;
    csz_projection *p = csz_projection_new(NULL);
    double deadline, unset, least = (double)INFINITY;
    size_t n;
    question_open(&q);
    question_open(&other);
    question_set(&q, "model=llama-3-8b sequence_length=8192 global_batch=128 tokens=10B",
                 "accelerator=h100-sxm-80gb", "");
    question_set(&other, "model=llama-3-8b sequence_length=8192 global_batch=128 tokens=10B",
                 "accelerator=h100-sxm-80gb accelerators=32", "");
    ck_assert_int_eq(csz_goal_set(q.goal, "maximum_accelerators=256"), CSZ_OK);
    ck_assert_msg(csz_ranking_curve(q.ranking, q.workload, q.cluster, q.goal) == CSZ_OK, "%s",
                  csz_ranking_error(q.ranking, NULL));
    n = csz_ranking_count(q.ranking);
    ck_assert_uint_ge(n, 6);
    ck_assert_int_eq(csz_ranking_select(other.ranking, other.workload, other.cluster, NULL),
                     CSZ_OK);
    ck_assert_int_eq(csz_projection_curve(p, q.ranking, q.cluster, q.goal), CSZ_OK);
    for (size_t i = 0; i < n; i++) {
        double count = point(p, CSZ_PROJECTION_POINT_ACCELERATORS, i), time;
        ck_assert(i == 0 || count > point(p, CSZ_PROJECTION_POINT_ACCELERATORS, i - 1));
        ck_assert_double_eq(fmod(count, 8), 0);
        if (count * point(p, CSZ_PROJECTION_POINT_TIME, i) < least)
            least = count * point(p, CSZ_PROJECTION_POINT_TIME, i);
        if (csz_projection_get_f64_at(p, CSZ_PROJECTION_POINT_PER_DAY, i, &unset) == CSZ_OK)
            ck_assert_double_ge(unset, 0);

        if (count < 31 || count > 33)
            continue;
        (void)csz_estimate_get_f64(csz_ranking_estimate_at(other.ranking, 0), CSZ_ESTIMATE_RUN_TIME,
                                   &time);
        near(point(p, CSZ_PROJECTION_POINT_TIME, i), time, 1e-12, "the selection's time");
    }
    for (size_t i = 0; i < n; i++)
        near(point(p, CSZ_PROJECTION_POINT_EFFICIENCY, i),
             least / (point(p, CSZ_PROJECTION_POINT_ACCELERATORS, i) *
                      point(p, CSZ_PROJECTION_POINT_TIME, i)),
             1e-12, "efficiency");
    near(flat(p, CSZ_PROJECTION_LEAST_TIME), point(p, CSZ_PROJECTION_POINT_TIME, n - 1), 1e-12,
         "the fastest");
    ck_assert_int_eq(csz_projection_get_f64(p, CSZ_PROJECTION_IN_TIME, &unset), CSZ_ERR_UNSET);
    deadline = point(p, CSZ_PROJECTION_POINT_TIME, 2) * 1.0001;
    ck_assert_int_eq(csz_goal_set_f64(q.goal, CSZ_GOAL_DEADLINE, deadline), CSZ_OK);
    ck_assert_int_eq(csz_projection_curve(p, q.ranking, q.cluster, q.goal), CSZ_OK);
    ck_assert_double_ge(flat(p, CSZ_PROJECTION_IN_TIME),
                        point(p, CSZ_PROJECTION_POINT_ACCELERATORS, 2));
    ck_assert_int_eq(
        csz_goal_set_f64(q.goal, CSZ_GOAL_BUDGET, flat(p, CSZ_PROJECTION_LEAST_COST) * 0.99),
        CSZ_OK);
    ck_assert_int_eq(csz_projection_curve(p, q.ranking, q.cluster, q.goal), CSZ_OK);
    ck_assert_int_eq(csz_projection_get_f64(p, CSZ_PROJECTION_FASTEST, &unset), CSZ_ERR_UNSET);
    csz_projection_free(p);
    question_close(&q);
    question_close(&other);
}
END_TEST

START_TEST(pods_are_whole)
{
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=8192 global_batch=192 tokens=10B",
                 "accelerator=h100-sxm-80gb pod_accelerators=32", "");
    ck_assert_int_eq(csz_goal_set(q.goal, "maximum_accelerators=128"), CSZ_OK);
    ck_assert_int_eq(csz_ranking_curve(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    for (size_t i = 0; i < csz_ranking_count(q.ranking); i++) {
        double n = 0;
        (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, i),
                                   CSZ_ESTIMATE_BATCH_ACCELERATORS, &n);
        ck_assert_msg(n <= 32 || fmod(n, 32) < 1, "%g", n);
    }
    question_close(&q);
}
END_TEST

/* ---- Inverse questions ---- */

static int fits_with(question *q, double confidence)
{
    double probability = 0;
    if (csz_estimate_compute(q->estimate, q->workload, q->cluster, q->plan, CSZ_DEPTH_FIT) !=
        CSZ_OK)
        return 0;
    (void)csz_estimate_get_f64(q->estimate, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY, &probability);
    return probability >= confidence;
}

static double largest(question *q, csz_field varied)
{
    double v = -1;
    ck_assert_msg(csz_estimate_largest(q->estimate, NULL, q->workload, q->cluster, q->plan, varied,
                                       0.9, &v) == CSZ_OK,
                  "%s", csz_estimate_error(q->estimate, NULL));
    return v;
}

/* The answer fits and the next one does not. */
START_TEST(the_largest_fits_and_the_next_does_not)
{
    question q;
    double v;
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=8192 global_batch=64",
                 "accelerator=h100-sxm-80gb accelerators=8", "tp=2 zero=1 stack=megatron");
    v = largest(&q, CSZ_WORKLOAD_SEQUENCE_LENGTH);
    ck_assert_double_gt(v, 8192);
    ck_assert_double_eq(fmod(v, 4), 0);
    ck_assert_int_eq(csz_workload_set_f64(q.workload, CSZ_WORKLOAD_SEQUENCE_LENGTH, v), CSZ_OK);
    ck_assert(fits_with(&q, 0.9));
    ck_assert_int_eq(csz_workload_set_f64(q.workload, CSZ_WORKLOAD_SEQUENCE_LENGTH, v + 4), CSZ_OK);
    ck_assert(!fits_with(&q, 0.9));
    ck_assert_int_eq(csz_workload_set_f64(q.workload, CSZ_WORKLOAD_SEQUENCE_LENGTH, 4096), CSZ_OK);
    v = largest(&q, CSZ_PLAN_MICRO_BATCH);
    ck_assert_int_eq(csz_plan_set_f64(q.plan, CSZ_PLAN_MICRO_BATCH, v), CSZ_OK);
    ck_assert(fits_with(&q, 0.9));
    ck_assert_int_eq(csz_plan_set_f64(q.plan, CSZ_PLAN_MICRO_BATCH, 2 * v), CSZ_OK);
    ck_assert(v >= 16 || !fits_with(&q, 0.9));
    ck_assert_int_eq(csz_plan_set_f64(q.plan, CSZ_PLAN_MICRO_BATCH, 1), CSZ_OK);
    v = largest(&q, CSZ_CLUSTER_MEMORY);
    ck_assert_int_eq(csz_cluster_set_f64(q.cluster, CSZ_CLUSTER_MEMORY, v), CSZ_OK);
    ck_assert(fits_with(&q, 0.9));
    ck_assert_int_eq(csz_cluster_set_f64(q.cluster, CSZ_CLUSTER_MEMORY, v * (1 - 1e-6)), CSZ_OK);
    ck_assert(!fits_with(&q, 0.9));
    question_close(&q);
}
END_TEST

/* Llama 3: 8B fits on 8 H100 by ZeRO-3, 70B (1.1 TB of states) does not. */
START_TEST(the_largest_model_of_a_family)
{
    question q;
    double v;
    question_open(&q);
    question_set(&q, "model=llama-3-70b sequence_length=4096 global_batch=64",
                 "accelerator=h100-sxm-80gb accelerators=8",
                 "zero=3 stack=fsdp-compiled recompute=full");
    v = largest(&q, CSZ_WORKLOAD_MODEL);
    ck_assert_str_eq(csz_catalog_id_at(NULL, CSZ_KIND_MODEL, (size_t)v), "llama-3-8b");
    ck_assert_double_lt(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL), 9e9);
    question_close(&q);
}
END_TEST

START_TEST(inverse_questions_refuse)
{
    question q;
    double v = 7;
    question_open(&q);
    question_set(&q, "model=llama-3-70b sequence_length=4096 global_batch=64",
                 "accelerator=h100-sxm-80gb accelerators=1", "");
    ck_assert_int_eq(csz_estimate_largest(q.estimate, NULL, q.workload, q.cluster, q.plan,
                                          CSZ_WORKLOAD_SEQUENCE_LENGTH, 0.9, &v),
                     CSZ_ERR_CONFLICT);
    ck_assert_int_eq(csz_estimate_largest(q.estimate, NULL, q.workload, q.cluster, q.plan,
                                          CSZ_PLAN_TENSOR_PARALLEL, 0.9, &v),
                     CSZ_ERR_FIELD);
    ck_assert_int_eq(csz_estimate_largest(q.estimate, NULL, q.workload, q.cluster, q.plan,
                                          CSZ_CLUSTER_MEMORY, 1.5, &v),
                     CSZ_ERR_RANGE);
    ck_assert_double_eq(v, 7);
    question_close(&q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("curve");
    TCase *tcase = tcase_create("curve");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, is_it_worth_it);
    tcase_add_test(tcase, the_curve_is_made_of_selections);
    tcase_add_test(tcase, pods_are_whole);
    tcase_add_test(tcase, the_largest_fits_and_the_next_does_not);
    tcase_add_test(tcase, the_largest_model_of_a_family);
    tcase_add_test(tcase, inverse_questions_refuse);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
