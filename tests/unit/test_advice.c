/* test_advice.c: what is advised for a plan: each entry is computed again on its own. */
#include <math.h>

#include "question.h"

static const struct {
    const char *workload, *cluster, *plan;
    int pair; /* no single change is enough */
} unfit[] = {
    {"model=llama-3-8b sequence_length=8192 global_batch=64",
     "accelerator=h100-sxm-80gb accelerators=8", "zero=none stack=megatron", 0},
    {"model=llama-3-70b sequence_length=8192 global_batch=64 tokens=1T",
     "accelerator=h100-sxm-80gb accelerators=64", "tp=8 pp=2 stack=megatron", 0},
    {"model=llama-3-70b sequence_length=8192 global_batch=64",
     "accelerator=h100-sxm-80gb accelerators=16", "tp=8 stack=megatron", 0},
    {"model=llama-3.1-405b sequence_length=8192 global_batch=2048",
     "accelerator=h100-sxm-80gb accelerators=256 host_memory=2TB", "tp=8 pp=4 stack=megatron", 1},
    /* a bare memory size: no rates, no times */
    {"model=llama-3-8b sequence_length=8192 global_batch=64", "memory=80GiB accelerators=8",
     "zero=none stack=megatron", 0},
};

static int changed_fields(const csz_plan *p, const csz_plan *q)
{
    int changed = 0;
    for (int f = CSZ_PLAN_TENSOR_PARALLEL; f <= (int)CSZ_PLAN_BUCKET; f++) {
        double x = 0, y = 0;
        csz_status of_p, of_q;
        if (f == (int)CSZ_PLAN_DATA_PARALLEL || csz_field_name((csz_field)f) == NULL)
            continue;
        of_p = csz_plan_get_f64(p, (csz_field)f, &x);
        of_q = csz_plan_get_f64(q, (csz_field)f, &y);
        changed += of_p != of_q || x < y || x > y;
    }
    return changed;
}

static double advised(const question *q, size_t i, csz_field field)
{
    double value = (double)NAN;
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q->ranking, i), field, &value);
    return value;
}

/* Confident ones first, then by time; without times, what saves least first. */
static void check_order(const question *q, size_t i)
{
    int sure = advised(q, i, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY) >= 0.9,
        next = advised(q, i + 1, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY) >= 0.9;
    csz_field by = CSZ_ESTIMATE_RUN_TIME;
    ck_assert_int_ge(sure, next);
    if (sure != next)
        return;
    if (isnan(advised(q, i, by)))
        by = CSZ_ESTIMATE_STEP_TIME;
    if (isnan(advised(q, i, by)))
        ck_assert_double_ge(advised(q, i, CSZ_ESTIMATE_MEMORY_TOTAL) * (1 + 1e-9),
                            advised(q, i + 1, CSZ_ESTIMATE_MEMORY_TOTAL));
    else
        ck_assert_double_le(advised(q, i, by), advised(q, i + 1, by) * (1 + 1e-9));
}

/* Each plan that is listed for one that does not fit: differs from it in as few fields as said,
 * fits, and gives the figures beside it when it is computed on its own. */
START_TEST(advice_makes_it_fit)
{
    question q;
    double base;
    size_t count;
    question_open(&q);
    question_set(&q, unfit[_i].workload, unfit[_i].cluster, unfit[_i].plan);
    question_compute(&q, CSZ_DEPTH_FIT);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_MEMORY_FIT), CSZ_FIT_NO);
    base = figure(&q, CSZ_ESTIMATE_MEMORY_TOTAL);
    ck_assert_msg(csz_ranking_advise(q.ranking, q.workload, q.cluster, q.plan) == CSZ_OK, "%s",
                  csz_ranking_error(q.ranking, NULL));
    count = csz_ranking_count(q.ranking);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        const csz_plan *plan = csz_ranking_plan_at(q.ranking, i);
        /* offloaded weights bring their sharding along, a pipeline of one stage its chunks */
        int changed = changed_fields(q.plan, plan);
        ck_assert_msg(changed >= 1 + unfit[_i].pair && changed <= 2 + 2 * unfit[_i].pair,
                      "entry %zu changes %d fields", i, changed);
        ck_assert_int_eq(
            csz_estimate_compute(q.estimate, q.workload, q.cluster, plan, CSZ_DEPTH_FIT), CSZ_OK);
        ck_assert_double_ge(figure(&q, CSZ_ESTIMATE_MEMORY_FIT), CSZ_FIT_TIGHT);
        ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_MEMORY_TOTAL),
                            advised(&q, i, CSZ_ESTIMATE_MEMORY_TOTAL));
        ck_assert_double_lt(figure(&q, CSZ_ESTIMATE_MEMORY_TOTAL), base);
        if (i + 1 < count)
            check_order(&q, i);
    }
    question_close(&q);
}
END_TEST

/* What a change of the plan itself would do is told of a plan that fits, too; a setting without
 * effect is no change. */
START_TEST(advice_for_what_fits)
{
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=8192 global_batch=64",
                 "accelerator=h100-sxm-80gb accelerators=8", "zero=optimizer tp=2 stack=megatron");
    question_compute(&q, CSZ_DEPTH_STEP);
    ck_assert_double_ge(figure(&q, CSZ_ESTIMATE_MEMORY_FIT), CSZ_FIT_TIGHT);
    ck_assert_int_eq(csz_ranking_advise(q.ranking, q.workload, q.cluster, q.plan), CSZ_OK);
    ck_assert_uint_gt(csz_ranking_count(q.ranking), 3);
    for (size_t i = 0; i < csz_ranking_count(q.ranking); i++) {
        const csz_plan *plan = csz_ranking_plan_at(q.ranking, i);
        ck_assert_int_eq(csz_plan_is_set(plan, CSZ_PLAN_RECOMPUTE_LATENT), 0);
        ck_assert_int_eq(csz_plan_is_set(plan, CSZ_PLAN_RECOMPUTE_EXPERTS), 0);
    }
    question_close(&q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("advice");
    TCase *t = tcase_create("advice");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, advice_makes_it_fit, 0, sizeof unfit / sizeof *unfit);
    tcase_add_test(t, advice_for_what_fits);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
