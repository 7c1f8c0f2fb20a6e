/* test_question.c: whole questions in one text, and documents whose members come in any order. */
#include <stdlib.h>
#include <string.h>

#include "question.h"

static char answer[1 << 20];

static const char *ask(const char *text)
{
    size_t length = csz_question_answer(text, answer, sizeof answer);
    ck_assert_uint_lt(length, sizeof answer);
    ck_assert_uint_eq(strlen(answer), length);
    ck_assert_uint_eq(csz_question_answer(text, NULL, 0), length);
    return answer;
}

static void says(const char *text, const char *part)
{
    ck_assert_msg(strstr(ask(text), part) != NULL, "%s: %s lacks %s", text, answer, part);
}

/* The figures are those of the handles: Llama-3-70B has 70,553,706,496 parameters (its published
 * integer). */
START_TEST(text_and_json_ask_alike)
{
    static char first[1 << 16];
    says("flops model=llama-3-70b", "\"total\":70553706496,\"active\":70553706496");
    ask("fit model=llama-3-8b global_batch=64 tokens=1T accelerator=h100-sxm-80gb gpus=8 zero=1");
    ck_assert_uint_lt(strlen(answer), sizeof first);
    strcpy(first, answer);
    ask("{\"ask\":\"fit\",\"workload\":{\"model\":\"llama-3-8b\",\"global_batch\":64,\"tokens\":"
        "\"1T\"},"
        "\"cluster\":{\"accelerators\":8,\"accelerator\":\"H100_SXM_80GB\"},\"plan\":{\"sharding\":"
        "\"optimizer\"}}");
    ck_assert_str_eq(first, answer);
    ask("accelerator=h100-sxm-80gb fit"); /* the word comes first */
    ck_assert_ptr_nonnull(strstr(answer, "CSZ_ERR_SYNTAX"));
}
END_TEST

START_TEST(plans_and_sizes_are_asked_in_a_line)
{
    says("plan model=llama-3-8b global_batch=64 accelerator=h100-sxm-80gb gpus=16 tp=2 rows=3",
         "\"tensor_parallel\":2");
    says("size model=llama-3-8b tokens=100G accelerator=h100-sxm-80gb deadline=10d",
         "\"entries\":[{\"plan\":");
    says("plan model=llama-3-8b accelerator=h100-sxm-80gb gpus=16 dp=4 global_batch=64",
         "\"data_parallel\":4");
}
END_TEST

START_TEST(errors_name_field_and_status)
{
    says("fit model=llama-3-8b layers=0", "\"status\":\"CSZ_ERR_RANGE\",\"field\":\"layers\"");
    says("fit model=llama-3-8b tokens=1T tokens=2T",
         "\"status\":\"CSZ_ERR_SYNTAX\",\"field\":\"tokens\"");
    says("fit tp=2 tp=4", "given twice");
    says("fit model=no-such-model", "\"status\":\"CSZ_ERR_UNKNOWN\",\"field\":\"model\"");
    says("guess model=llama-3-8b", "size, plan, fit, flops");
    says("fit modle=llama-3-8b", "the nearest is model");
    says("", "\"error\"");
    says("{", "line 1, column 2");
    says("{\"ask\":\"fit\",\"plans\":{}}", "\"error\"");
}
END_TEST

/* What is stated beside an id wins over what the id brings along, whatever the order. */
START_TEST(order_of_members_does_not_matter)
{
    static const char *const clusters[] = {
        "{\"price\":1.5,\"offer\":\"h100-sxm-80gb-spot\",\"accelerator\":\"h100-sxm-80gb\"}",
        "{\"accelerator\":\"h100-sxm-80gb\",\"offer\":\"h100-sxm-80gb-spot\",\"price\":1.5}",
        "{\"offer\":\"h100-sxm-80gb-spot\",\"price\":1.5,\"accelerator\":\"h100-sxm-80gb\"}"};
    static const char *const workloads[] = {"{\"heads\":4,\"kinds\":[{\"ffn\":8}]}",
                                            "{\"kinds\":[{\"ffn\":8}],\"heads\":4}"};
    char text[256];
    double value = 0;
    question q;
    question_open(&q);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_msg(csz_cluster_load(q.cluster, NULL, CSZ_SOURCE_JSON, clusters[i],
                                       strlen(clusters[i])) == CSZ_OK,
                      "%s", csz_cluster_error(q.cluster, NULL));
        ck_assert_int_eq(csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_PRICE, &value), CSZ_OK);
        ck_assert_double_eq(value, 1.5);
        (void)csz_cluster_get_text(q.cluster, CSZ_CLUSTER_OFFER, text, sizeof text);
        ck_assert_str_eq(text, "h100-sxm-80gb-spot");
    }
    for (size_t i = 0; i < 2; i++) {
        csz_workload *w = csz_workload_new(NULL);
        ck_assert_int_eq(
            csz_workload_load(w, NULL, CSZ_SOURCE_JSON, workloads[i], strlen(workloads[i])),
            CSZ_OK);
        ck_assert_int_eq(csz_workload_get_f64(w, CSZ_WORKLOAD_HEADS, &value), CSZ_OK);
        ck_assert_double_eq(value, 4);
        ck_assert_int_eq(csz_workload_get_f64(w, CSZ_WORKLOAD_FFN, &value), CSZ_OK);
        ck_assert_double_eq(value, 8);
        csz_workload_free(w);
    }
    question_close(&q);
}
END_TEST

/* A figure taken out stays out when the cluster is written and read back. */
START_TEST(gaps_survive)
{
    char text[4096];
    double value;
    size_t n;
    question q;
    csz_cluster *back = csz_cluster_new(NULL);
    question_open(&q);
    question_set(&q, "", "accelerator=h100-sxm-80gb", "");
    ck_assert_int_eq(csz_cluster_unset(q.cluster, CSZ_CLUSTER_PRICE), CSZ_OK);
    ck_assert_int_eq(csz_cluster_unset(q.cluster, CSZ_CLUSTER_OFFER), CSZ_OK);
    n = csz_cluster_to_json(q.cluster, text, sizeof text);
    ck_assert_int_eq(csz_cluster_load(back, NULL, CSZ_SOURCE_JSON, text, n), CSZ_OK);
    ck_assert_int_eq(csz_cluster_get_f64(back, CSZ_CLUSTER_PRICE, &value), CSZ_ERR_UNSET);
    ck_assert_int_eq(csz_cluster_is_set(back, CSZ_CLUSTER_OFFER), 0);
    csz_cluster_free(back);
    question_close(&q);
}
END_TEST

START_TEST(job_files_refuse_unknown_sections)
{
    static const char job[] = "{\"plan\":{\"tp\":2},\"plann\":{\"pp\":4}}";
    static const char other[] = "{\"workload\":{\"hidden\":64}}";
    int64_t tp = 0;
    question q;
    question_open(&q);
    ck_assert_int_eq(csz_plan_load(q.plan, CSZ_SOURCE_JSON, job, sizeof job - 1), CSZ_ERR_FIELD);
    ck_assert_ptr_nonnull(strstr(csz_plan_error(q.plan, NULL), "plann"));
    ck_assert_int_eq(csz_plan_is_set(q.plan, CSZ_PLAN_TENSOR_PARALLEL), 0);
    ck_assert_int_eq(csz_plan_load(q.plan, CSZ_SOURCE_JSON, other, sizeof other - 1), CSZ_OK);
    ck_assert_int_eq(csz_plan_get_i64(q.plan, CSZ_PLAN_TENSOR_PARALLEL, &tp), CSZ_OK);
    ck_assert_int_eq(tp, 1);
    question_close(&q);
}
END_TEST

/* A ranking without an answer has no figures. */
START_TEST(rankings_start_empty)
{
    double value;
    question q;
    question_open(&q);
    ck_assert_int_eq(csz_ranking_get_f64(q.ranking, CSZ_RANKING_CANDIDATES, &value), CSZ_ERR_UNSET);
    ck_assert_int_eq(csz_ranking_select(q.ranking, q.workload, q.cluster, NULL), CSZ_ERR_MISSING);
    ck_assert_int_eq(csz_ranking_get_f64(q.ranking, CSZ_RANKING_VALID, &value), CSZ_ERR_UNSET);
    ck_assert_int_eq(csz_goal_limit(q.goal, CSZ_PLAN_TENSOR_PARALLEL, 0, 8), CSZ_ERR_RANGE);
    question_close(&q);
}
END_TEST

/* Fields are read in one call: all or nothing. */
START_TEST(many_figures_at_once)
{
    static const csz_field good[] = {CSZ_ESTIMATE_PARAMETERS_TOTAL, CSZ_ESTIMATE_FLOPS_PER_TOKEN};
    static const csz_field bad[] = {CSZ_ESTIMATE_PARAMETERS_TOTAL, CSZ_ESTIMATE_STEP_TIME};
    double values[2] = {-1, -1};
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    ck_assert_int_eq(csz_estimate_get_many(q.estimate, bad, 2, values), CSZ_ERR_UNSET);
    ck_assert_double_eq(values[0], -1);
    ck_assert_int_eq(csz_estimate_get_many(q.estimate, good, 2, values), CSZ_OK);
    ck_assert_double_eq(values[0], 8030261248.0);
    question_close(&q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("question");
    TCase *t = tcase_create("question");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, text_and_json_ask_alike);
    tcase_add_test(t, plans_and_sizes_are_asked_in_a_line);
    tcase_add_test(t, errors_name_field_and_status);
    tcase_add_test(t, order_of_members_does_not_matter);
    tcase_add_test(t, gaps_survive);
    tcase_add_test(t, job_files_refuse_unknown_sections);
    tcase_add_test(t, rankings_start_empty);
    tcase_add_test(t, many_figures_at_once);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
