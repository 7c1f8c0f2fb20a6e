/* test_threads.c: threads with handles of their own, and threads that read one handle, get the
 * bytes that one thread gets. ThreadSanitizer watches this program. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

#define THREADS 8
#define TURNS 10
#define TEXT (1 << 17)

/* ---- Own handles ---- */

/* The same question from start to end; returns the length of the answers, 0 when a call fails. */
static size_t ask(char *text)
{
    csz_workload *workload = csz_workload_new(NULL);
    csz_cluster *cluster = csz_cluster_new(NULL);
    csz_plan *plan = csz_plan_new(NULL);
    csz_goal *goal = csz_goal_new(NULL);
    csz_estimate *estimate = csz_estimate_new(NULL);
    csz_ranking *ranking = csz_ranking_new(NULL);
    size_t n = 0;

    if (csz_workload_set(workload, NULL, "model=llama-3-8b tokens=15T") == CSZ_OK &&
        csz_cluster_set(cluster, NULL, "accelerator=h100-sxm-80gb accelerators=64") == CSZ_OK &&
        csz_plan_set(plan, "tp=4 pp=2 zero=optimizer") == CSZ_OK &&
        csz_goal_set(goal, "rows=3") == CSZ_OK &&
        csz_estimate_compute(estimate, workload, cluster, plan, CSZ_DEPTH_RUN) == CSZ_OK &&
        csz_ranking_select(ranking, workload, cluster, goal) == CSZ_OK) {
        n += csz_estimate_to_json(estimate, text, TEXT);
        n += csz_ranking_to_json(ranking, text + n, TEXT - n);
        n += csz_question_answer("flops model=mixtral-8x7b", text + n, TEXT - n);
    }
    csz_ranking_free(ranking);
    csz_estimate_free(estimate);
    csz_goal_free(goal);
    csz_plan_free(plan);
    csz_cluster_free(cluster);
    csz_workload_free(workload);
    return n;
}

typedef struct worker {
    pthread_t thread;
    const char *wanted;
    size_t length;
    const question *shared;
    int good; /* turns whose answer was the wanted one */
} worker;

static void *ask_often(void *user)
{
    worker *w = user;
    char *text = malloc(TEXT);

    for (int turn = 0; text != NULL && turn < TURNS; turn++)
        w->good += ask(text) == w->length && memcmp(text, w->wanted, w->length) == 0;
    free(text);
    return NULL;
}

/* ---- One handle read by all ---- */

static size_t read_all(const question *q, char *text)
{
    csz_estimate *estimate = csz_estimate_new(NULL);
    size_t n = 0, index = 0;
    double value = 0, low, high;

    n += csz_estimate_to_json(q->estimate, text + n, TEXT - n);
    n += csz_workload_to_json(q->workload, text + n, TEXT - n);
    n += csz_cluster_to_json(q->cluster, text + n, TEXT - n);
    n += csz_plan_to_json(q->plan, text + n, TEXT - n);
    n += csz_catalog_source(NULL, CSZ_KIND_ACCELERATOR, 0, text + n, TEXT - n);
    if (csz_estimate_get_range(q->estimate, CSZ_ESTIMATE_STEP_TIME, &low, &value, &high) == CSZ_OK)
        n += csz_unit_format(CSZ_UNIT_SECOND, value + low + high, text + n, TEXT - n);
    if (csz_catalog_find(NULL, CSZ_KIND_MODEL, "llama-3-8b", &index) == CSZ_OK)
        n += csz_field_to_json(CSZ_WORKLOAD_OPTIMIZER, text + n, TEXT - n);
    if (csz_estimate_compute(estimate, q->workload, q->cluster, q->plan, CSZ_DEPTH_RUN) == CSZ_OK)
        n += csz_estimate_to_json(estimate, text + n, TEXT - n);
    csz_estimate_free(estimate);
    return n;
}

static void *read_often(void *user)
{
    worker *w = user;
    char *text = malloc(TEXT);

    for (int turn = 0; text != NULL && turn < TURNS; turn++)
        w->good +=
            read_all(w->shared, text) == w->length && memcmp(text, w->wanted, w->length) == 0;
    free(text);
    return NULL;
}

static void run_threads(void *(*body)(void *), const char *wanted, size_t length,
                        const question *shared)
{
    worker workers[THREADS];

    for (int i = 0; i < THREADS; i++) {
        workers[i].wanted = wanted;
        workers[i].length = length;
        workers[i].shared = shared;
        workers[i].good = 0;
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
        ck_assert_msg(workers[i].good == TURNS, "thread %d: %d of %d answers are right", i,
                      workers[i].good, TURNS);
    }
}

START_TEST(threads_with_their_own_handles_get_the_same_bytes)
{
    static char wanted[TEXT];
    size_t length = ask(wanted);

    ck_assert_uint_gt(length, 5000);
    ck_assert_uint_lt(length, TEXT);
    run_threads(ask_often, wanted, length, NULL);
}
END_TEST

START_TEST(threads_may_read_one_handle)
{
    static char wanted[TEXT];
    question q;
    size_t length;

    question_open(&q);
    question_set(&q, "model=llama-3-8b tokens=15T", "accelerator=h100-sxm-80gb accelerators=64",
                 "tp=4 pp=2");
    question_compute(&q, CSZ_DEPTH_RUN);
    length = read_all(&q, wanted);
    ck_assert_uint_gt(length, 2000);
    ck_assert_uint_lt(length, TEXT);
    run_threads(read_often, wanted, length, &q);
    question_close(&q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");

    tcase_set_timeout(tcase, 100);
    tcase_add_test(tcase, threads_with_their_own_handles_get_the_same_bytes);
    tcase_add_test(tcase, threads_may_read_one_handle);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
