/* test_search.c: limits, rejections that add up, sizing against every smaller count. Selection
 * against an enumeration is in test_space.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

/* Plans handed out are whole: computed again on their own they give the same figures. */
START_TEST(entries_stand_alone)
{
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-70b global_batch=512 tokens=1T",
                 "accelerator=h100-sxm-80gb accelerators=256", "");
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, NULL), CSZ_OK);
    ck_assert_uint_eq(csz_ranking_count(q.ranking), 10);
    for (size_t i = 0; i < 10; i++) {
        double time = 0, tp = 0;
        ck_assert_int_eq(csz_plan_copy(q.plan, csz_ranking_plan_at(q.ranking, i)), CSZ_OK);
        question_compute(&q, CSZ_DEPTH_RUN);
        (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, i), CSZ_ESTIMATE_RUN_TIME,
                                   &time);
        ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_RUN_TIME), time);
        ck_assert_int_eq(csz_plan_is_set(csz_ranking_plan_at(q.ranking, i), CSZ_PLAN_DATA_PARALLEL),
                         1);
        ck_assert_int_eq(
            csz_plan_get_f64(csz_ranking_plan_at(q.ranking, i), CSZ_PLAN_TENSOR_PARALLEL, &tp),
            CSZ_OK);
        ck_assert_double_le(tp, 8); /* the scale-up domain */
    }
    ck_assert_ptr_null(csz_ranking_plan_at(q.ranking, 10));
    ck_assert_ptr_null(csz_ranking_estimate_at(q.ranking, 10));
    question_close(&q);
}
END_TEST

START_TEST(limits_bind)
{
    int seen = 0;
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b global_batch=128",
                 "accelerator=h100-sxm-80gb accelerators=32", "");
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_TENSOR_PARALLEL, 2, 4), CSZ_OK);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_PIPELINE_PARALLEL, 2, 2), CSZ_OK);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_SHARDING, 0, 1), CSZ_OK);
    ck_assert_int_eq(csz_goal_set_i64(q.goal, CSZ_GOAL_ROWS, 1000), CSZ_OK);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    ck_assert_uint_gt(csz_ranking_count(q.ranking), 10);
    for (size_t i = 0; i < csz_ranking_count(q.ranking); i++) {
        int64_t tp = 0, pp = 0, zero = 0;
        const csz_plan *plan = csz_ranking_plan_at(q.ranking, i);
        (void)csz_plan_get_i64(plan, CSZ_PLAN_TENSOR_PARALLEL, &tp);
        (void)csz_plan_get_i64(plan, CSZ_PLAN_PIPELINE_PARALLEL, &pp);
        (void)csz_plan_get_i64(plan, CSZ_PLAN_SHARDING, &zero);
        ck_assert_msg(tp >= 2 && tp <= 4 && pp == 2 && zero <= 1, "tp %d pp %d zero %d", (int)tp,
                      (int)pp, (int)zero);
    }
    /* Zero-bubble schedules are found when they are asked for. */
    ck_assert_int_eq(
        csz_goal_limit(q.goal, CSZ_PLAN_SCHEDULE, CSZ_SCHEDULE_ZB_H1, CSZ_SCHEDULE_DUALPIPE),
        CSZ_OK);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    ck_assert_uint_gt(csz_ranking_count(q.ranking), 0);
    for (size_t i = 0; i < csz_ranking_count(q.ranking); i++) {
        int64_t schedule = 0;
        (void)csz_plan_get_i64(csz_ranking_plan_at(q.ranking, i), CSZ_PLAN_SCHEDULE, &schedule);
        ck_assert_int_ge((int)schedule, CSZ_SCHEDULE_ZB_H1);
        seen |= 1 << schedule;
    }
    ck_assert_int_eq(seen, 1 << CSZ_SCHEDULE_ZB_H1 | 1 << CSZ_SCHEDULE_ZB_H2 |
                               1 << CSZ_SCHEDULE_ZB_V | 1 << CSZ_SCHEDULE_DUALPIPE);
    /* The two chunks of a V may be said. */
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_VIRTUAL_PIPELINE, 2, 2), CSZ_OK);
    ck_assert_int_eq(
        csz_goal_limit(q.goal, CSZ_PLAN_SCHEDULE, CSZ_SCHEDULE_ZB_V, CSZ_SCHEDULE_ZB_V), CSZ_OK);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    ck_assert_uint_gt(csz_ranking_count(q.ranking), 0);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_TENSOR_PARALLEL, 4, 2), CSZ_ERR_CONFLICT);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_WORKLOAD_HIDDEN, 1, 2), CSZ_ERR_FIELD);
    ck_assert_int_eq(csz_goal_stack(q.goal, "no-such-stack"), CSZ_ERR_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(csz_goal_error(q.goal, NULL), "megatron"));
    question_close(&q);
}
END_TEST

/* A model too large for the machine: no entry, and memory among the reasons. */
START_TEST(nothing_fits)
{
    question q;
    csz_reason reason = CSZ_REASON_NONE;
    double plans, value;
    int memory = 0;
    question_open(&q);
    question_set(&q, "model=llama-3.1-405b global_batch=8",
                 "accelerator=a100-sxm-40gb accelerators=8", "");
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, NULL), CSZ_OK);
    ck_assert_uint_eq(csz_ranking_count(q.ranking), 0);
    for (size_t i = 0; i < csz_ranking_reject_count(q.ranking); i++) {
        ck_assert_int_eq(csz_ranking_reject_at(q.ranking, i, &reason, &plans), CSZ_OK);
        memory |= reason == CSZ_REASON_MEMORY;
    }
    ck_assert_int_eq(memory, 1);
    ck_assert_int_eq(csz_ranking_get_f64(q.ranking, CSZ_RANKING_ACCELERATORS, &value),
                     CSZ_ERR_UNSET);
    question_close(&q);
}
END_TEST

/* The least count of nodes: its plan meets the deadline, and no smaller count has one that does. */
START_TEST(sizing_is_least)
{
    static const double days[] = {3, 10, 40};
    question q;
    double count = 0, time = 0, deadline = days[_i] * 86400;
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=8192 global_batch=512 tokens=300G",
                 "accelerator=h100-sxm-80gb", "");
    ck_assert_int_eq(csz_goal_set_f64(q.goal, CSZ_GOAL_DEADLINE, deadline), CSZ_OK);
    ck_assert_msg(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal) == CSZ_OK, "%s",
                  csz_ranking_error(q.ranking, NULL));
    ck_assert_int_eq(csz_ranking_get_f64(q.ranking, CSZ_RANKING_ACCELERATORS, &count), CSZ_OK);
    ck_assert_double_eq(fmod(count, 8), 0);
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, 0), CSZ_ESTIMATE_RUN_TIME, &time);
    ck_assert_double_le(time, deadline);
    for (double n = 8; n < count; n += 8) {
        ck_assert_int_eq(csz_cluster_set_f64(q.cluster, CSZ_CLUSTER_ACCELERATORS, n), CSZ_OK);
        ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, NULL), CSZ_OK);
        for (size_t i = 0; i < csz_ranking_count(q.ranking); i++) {
            (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, i), CSZ_ESTIMATE_RUN_TIME,
                                       &time);
            ck_assert_msg(time > deadline, "%g accelerators would do: %g days", n, time / 86400);
        }
    }
    question_close(&q);
}
END_TEST

/* A deadline that no count meets: the count is unset, and the trade still shows what counts give.
 */
START_TEST(sizing_that_cannot_be)
{
    question q;
    double count;
    question_open(&q);
    question_set(&q, "model=llama-3-8b global_batch=64 tokens=10T", "accelerator=h100-sxm-80gb",
                 "");
    ck_assert_int_eq(csz_goal_set(q.goal, "deadline=1h maximum_accelerators=512"), CSZ_OK);
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    ck_assert_int_eq(csz_ranking_get_f64(q.ranking, CSZ_RANKING_ACCELERATORS, &count),
                     CSZ_ERR_UNSET);
    ck_assert_int_eq(csz_goal_set(q.goal, "minimum_accelerators=1024"), CSZ_OK);
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal), CSZ_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(csz_ranking_error(q.ranking, NULL), "minimum_accelerators"));
    ck_assert_uint_eq(csz_ranking_count(q.ranking), 0);
    question_close(&q);
}
END_TEST

/* A budget between the cost of few and of many accelerators leaves only counts that it pays for. */
START_TEST(budget_binds)
{
    question q;
    double cost = 0;
    question_open(&q);
    question_set(&q, "model=llama-3-8b global_batch=512 tokens=100G", "accelerator=h100-sxm-80gb",
                 "");
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, NULL), CSZ_OK);
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, 0), CSZ_ESTIMATE_RUN_COST, &cost);
    ck_assert_double_gt(cost, 0);
    ck_assert_int_eq(csz_goal_set_f64(q.goal, CSZ_GOAL_BUDGET, cost * 1.01), CSZ_OK);
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, 0), CSZ_ESTIMATE_RUN_COST, &cost);
    {
        double budget = 0;
        (void)csz_goal_get_f64(q.goal, CSZ_GOAL_BUDGET, &budget);
        ck_assert_double_le(cost, budget);
    }
    ck_assert_int_eq(csz_cluster_unset(q.cluster, CSZ_CLUSTER_PRICE), CSZ_OK);
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal), CSZ_ERR_MISSING);
    question_close(&q);
}
END_TEST

/* Counts between powers of two: a batch of 375 = 3 x 125 goes best on multiples of 3. */
START_TEST(sizing_finds_odd_counts)
{
    question q;
    double count = 0, time = 0, cost = 0;
    question_open(&q);
    question_set(&q, "model=llama-3-8b tokens=1T global_batch=375", "accelerator=h100-sxm-80gb",
                 "");
    ck_assert_int_eq(csz_goal_set(q.goal, "deadline=14d budget=121k"), CSZ_OK);
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    ck_assert_int_eq(csz_ranking_get_f64(q.ranking, CSZ_RANKING_ACCELERATORS, &count), CSZ_OK);
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, 0), CSZ_ESTIMATE_RUN_TIME, &time);
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, 0), CSZ_ESTIMATE_RUN_COST, &cost);
    ck_assert_msg(time <= 14 * 86400 && cost <= 121e3, "%g s, %g dollars", time, cost);
    ck_assert_double_eq(fmod(count, 3), 0);
    question_close(&q);
}
END_TEST

/* ---- Fields outside the space ---- */

static double valid_of(question *q, csz_field field, double low, double high)
{
    double valid = 0;
    ck_assert_int_eq(csz_goal_limit(q->goal, field, low, high), CSZ_OK);
    ck_assert_msg(csz_ranking_select(q->ranking, q->workload, q->cluster, q->goal) == CSZ_OK, "%s",
                  csz_ranking_error(q->ranking, NULL));
    (void)csz_ranking_get_f64(q->ranking, CSZ_RANKING_VALID, &valid);
    return valid;
}

/* A range has the plans of all its values, whichever comes first: 5 layers on the first of 4 stages
 * leave 27 for 3, 8 leave 24. */
START_TEST(ranges_are_the_sum_of_their_values)
{
    static const struct {
        const char *stack;
        csz_field field;
        int low, high;
    } cases[] = {{"megatron", CSZ_PLAN_FIRST_STAGE_LAYERS, 5, 8},
                 {"megatron", CSZ_PLAN_LOSS_COUNTS, 0, 1},
                 {"fsdp-eager", CSZ_PLAN_OFFLOAD_PARAMETERS, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double sum = 0, whole;
        question q;
        question_open(&q);
        question_set(&q, "model=llama-3-8b global_batch=64", "node=dgx-h100 accelerators=16", "");
        ck_assert_int_eq(csz_goal_stack(q.goal, cases[i].stack), CSZ_OK);
        if (i == 0)
            ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_PIPELINE_PARALLEL, 4, 4), CSZ_OK);
        whole = valid_of(&q, cases[i].field, cases[i].low, cases[i].high);
        for (int value = cases[i].low; value <= cases[i].high; value++) {
            ck_assert_int_eq(csz_goal_limit(q.goal, cases[i].field, value, value), CSZ_OK);
            if (csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal) == CSZ_OK)
                sum += valid_of(&q, cases[i].field, value, value);
        }
        ck_assert_msg(whole > 0 && whole >= sum && whole <= sum, "%s: %g plans, not %g",
                      csz_field_name(cases[i].field), whole, sum);
        question_close(&q);
    }
}
END_TEST

/* What a stack cannot do leaves no plan, and shares between none and all are tried when they alone
 * are allowed. */
START_TEST(what_cannot_be_is_not_counted)
{
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b global_batch=64", "node=dgx-h100 accelerators=16", "");
    ck_assert_int_eq(csz_goal_stack(q.goal, "megatron"), CSZ_OK);
    ck_assert_double_gt(valid_of(&q, CSZ_PLAN_OFFLOAD_OPTIMIZER, 0.3, 0.6), 0);
    ck_assert_uint_gt(csz_ranking_count(q.ranking), 0);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_OFFLOAD_OPTIMIZER, 0, 1), CSZ_OK);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_GRADIENT_RELEASE, 1, 1), CSZ_OK);
    if (csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal) == CSZ_OK)
        ck_assert_double_le(valid_of(&q, CSZ_PLAN_GRADIENT_RELEASE, 1, 1), 0);
    question_close(&q);
    /* 60 divisors of 5,040 experts x 5 of 16 heads are within room; 120 of 55,440 x 20 of 240 are
     * not, and that is said. */
    question_open(&q);
    question_set(&q,
                 "model=mixtral-8x7b hidden=3840 heads=240 kv_heads=240 experts=55440 "
                 "expert_ffn=7680 sequence_length=7680",
                 "accelerator=h100-sxm-80gb accelerators=13305600 scale_up_domain=240", "");
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_TENSOR_PARALLEL, 240, 240), CSZ_OK);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal), CSZ_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(csz_ranking_error(q.ranking, NULL), "expert_parallel"));
    question_close(&q);
}
END_TEST

/* Without a network rate an answer inside the scale-up domain stands, and none beyond it is looked
 * for. */
START_TEST(sizing_stays_in_the_domain)
{
    question q;
    double count = 0;
    question_open(&q);
    question_set(&q, "model=llama-3-8b tokens=100G", "accelerator=h800-sxm-80gb", "");
    ck_assert_int_eq(csz_goal_set(q.goal, "deadline=60d"), CSZ_OK);
    ck_assert_msg(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal) == CSZ_OK, "%s",
                  csz_ranking_error(q.ranking, NULL));
    ck_assert_int_eq(csz_ranking_get_f64(q.ranking, CSZ_RANKING_ACCELERATORS, &count), CSZ_OK);
    ck_assert_double_le(count, 8);
    ck_assert_int_eq(csz_goal_set(q.goal, "deadline=1d"), CSZ_OK);
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal), CSZ_ERR_MISSING);
    ck_assert_ptr_nonnull(strstr(csz_ranking_error(q.ranking, NULL), "scale_out_bandwidth"));
    question_close(&q);
}
END_TEST

/* An answer fits with the goal's confidence when any count has such a plan. */
START_TEST(sizing_prefers_sure_fits)
{
    question q;
    double chance = 0;
    question_open(&q);
    question_set(&q, "model=llama-3-70b tokens=1T", "accelerator=h100-sxm-80gb", "");
    ck_assert_int_eq(csz_goal_set(q.goal, "deadline=261h rows=1"), CSZ_OK); /* 10.9 days */
    ck_assert_int_eq(csz_ranking_size(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    (void)csz_estimate_get_f64(csz_ranking_estimate_at(q.ranking, 0),
                               CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY, &chance);
    ck_assert_double_ge(chance, 0.9);
    question_close(&q);
}
END_TEST

/* ---- Memory ---- */

static void *count_calls(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)old_size;
    ++*(int *)user;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

/* The same question asked again allocates nothing. */
START_TEST(asking_again_allocates_nothing)
{
    int calls = 0, before;
    question q;
    csz_context *context = csz_context_new(count_calls, &calls);
    question_open(&q);
    csz_ranking_free(q.ranking);
    q.ranking = csz_ranking_new(context);
    question_set(&q, "model=llama-3-70b global_batch=512",
                 "accelerator=h100-sxm-80gb accelerators=64", "");
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, NULL), CSZ_OK);
    before = calls;
    ck_assert_int_gt(before, 0);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, NULL), CSZ_OK);
    ck_assert_int_eq(calls, before);
    question_close(&q);
    csz_context_free(context);
}
END_TEST

/* Limits of which each alone leaves plans, but not both: the message names them. */
START_TEST(contradictions_are_named)
{
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=4096 global_batch=64",
                 "accelerator=h100-sxm-80gb accelerators=16", "");
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_SHARDING, 0, 1), CSZ_OK);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_TENSOR_PARALLEL, 8, 8), CSZ_OK);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_DATA_PARALLEL, 4, 16), CSZ_OK);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal),
                     CSZ_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(csz_ranking_error(q.ranking, NULL), "tensor_parallel of 8 to 8"));
    ck_assert_ptr_nonnull(strstr(csz_ranking_error(q.ranking, NULL), "data_parallel of 4 to 16"));
    ck_assert_ptr_null(strstr(csz_ranking_error(q.ranking, NULL), "sharding"));
    /* One that nothing meets is told by the rejections. */
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_TENSOR_PARALLEL, 3, 3), CSZ_OK);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    ck_assert_uint_eq(csz_ranking_count(q.ranking), 0);
    question_close(&q);
}
END_TEST

/* A limit above what a search tries on its own is tried; advice never repeats the plan itself. */
START_TEST(limits_widen_and_advice_changes)
{
    question q;
    char base[512], other[512];
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=512 global_batch=1024",
                 "accelerator=h100-sxm-80gb accelerators=8", "tp=8 stack=megatron");
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_MICRO_BATCH, 128, 128), CSZ_OK);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal), CSZ_OK);
    ck_assert_uint_gt(csz_ranking_count(q.ranking), 0);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_BUCKET, 1e6, 2e6), CSZ_ERR_CONFLICT);
    ck_assert_int_eq(csz_ranking_advise(q.ranking, q.workload, q.cluster, q.plan), CSZ_OK);
    for (size_t i = 0; i < csz_ranking_count(q.ranking); i++) {
        csz_plan *plan = csz_plan_new(NULL);
        ck_assert_int_eq(csz_plan_copy(plan, csz_ranking_plan_at(q.ranking, i)), CSZ_OK);
        (void)csz_plan_set(q.plan,
                           "tp=8 pp=1 vpp=1 cp=1 ep=1 etp=1 dp=1 zero=0 micro_batch=1 recompute=0");
        (void)csz_plan_to_json(q.plan, base, sizeof base);
        (void)csz_plan_to_json(plan, other, sizeof other);
        ck_assert_str_ne(base, other);
        csz_plan_free(plan);
    }
    question_close(&q);
}
END_TEST

static int stop(void *user, double done)
{
    int *calls = user;
    ck_assert_msg(done >= 0 && done <= 1, "done %g", done);
    return ++*calls >= 2;
}

START_TEST(progress_cancels)
{
    question q;
    int calls = 0;
    question_open(&q);
    question_set(&q, "model=llama-3-8b global_batch=64",
                 "accelerator=h100-sxm-80gb accelerators=64", "");
    csz_ranking_set_progress(q.ranking, stop, &calls);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, NULL), CSZ_ERR_CANCELLED);
    ck_assert_int_eq(calls, 2);
    ck_assert_uint_eq(csz_ranking_count(q.ranking), 0);
    question_close(&q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *t = tcase_create("search");
    /* Under valgrind the large enumerations take minutes: the first cases only. */
    int quick = getenv("CSZ_QUICK") != NULL;
    tcase_set_timeout(t, 600);
    tcase_add_test(t, entries_stand_alone);
    tcase_add_test(t, limits_bind);
    tcase_add_test(t, nothing_fits);
    tcase_add_loop_test(t, sizing_is_least, quick ? 2 : 0, 3);
    tcase_add_test(t, sizing_that_cannot_be);
    tcase_add_test(t, budget_binds);
    if (!quick)
        tcase_add_test(t, sizing_finds_odd_counts);
    tcase_add_test(t, sizing_stays_in_the_domain);
    if (!quick)
        tcase_add_test(t, sizing_prefers_sure_fits);
    tcase_add_test(t, ranges_are_the_sum_of_their_values);
    tcase_add_test(t, what_cannot_be_is_not_counted);
    tcase_add_test(t, asking_again_allocates_nothing);
    tcase_add_test(t, contradictions_are_named);
    tcase_add_test(t, limits_widen_and_advice_changes);
    tcase_add_test(t, progress_cancels);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
