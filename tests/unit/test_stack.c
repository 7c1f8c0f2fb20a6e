/* test_stack.c: how deep the calls go on the stack, by painting the stack of a thread: at most 32
 * KiB, as the header promises. Builds without optimisation and with sanitizers use more and are
 * measured only. */
#define _POSIX_C_SOURCE 200809L

#include <check.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

#define PROMISED 32768
#define STACK (1 << 20)
#define PAINT 0xa5
#define TEXT (1 << 19)

static char text[TEXT];

static void nothing(void)
{
}

static void answer_questions(void)
{
    csz_question_answer(
        "size model=llama-3-70b tokens=1T accelerator=h100-sxm-80gb deadline=30d rows=3", text,
        TEXT);
    csz_question_answer("plan model=mixtral-8x7b accelerator=h100-sxm-80gb gpus=64 tokens=1T", text,
                        TEXT);
    csz_question_answer(
        "{\"ask\": \"fit\", \"workload\": {\"model\": \"llama-3-8b\", \"runs\": [{\"layers\": 4}]},"
        " \"cluster\": {\"accelerator\": \"h100-sxm-80gb\", \"accelerators\": 8},"
        " \"plan\": {\"tp\": 2}, \"goal\": {\"limits\": {\"tp\": [1, 8]}}}",
        text, TEXT);
    csz_question_answer("fit model=nonsense", text, TEXT);
}

static void calibrate(question *q)
{
    static const char output[] = "# Rank 0 on a\n# Rank 1 on a\n"
                                 "1048576 262144 float sum -1 10 104.86 104.86 0\n"
                                 "4194304 1048576 float sum -1 31 135.30 135.30 0\n";
    csz_calibration *calibration = csz_calibration_new(NULL);

    ck_assert_int_eq(csz_calibration_add_run(calibration, q->workload, q->plan, 0, 60, 0), CSZ_OK);
    ck_assert_int_eq(
        csz_calibration_add_nccl(calibration, CSZ_COLLECTIVE_UNKNOWN, 0, output, strlen(output)),
        CSZ_OK);
    (void)csz_cluster_calibrate(q->cluster, calibration);
    csz_calibration_to_json(calibration, text, TEXT);
    csz_calibration_free(calibration);
}

static void use_handles(void)
{
    question q;

    question_open(&q);
    question_set(&q, "model=deepseek-v3 tokens=1T", "accelerator=h100-sxm-80gb accelerators=2048",
                 "tp=1 pp=16 ep=64 zero=optimizer");
    (void)csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_RUN);
    csz_estimate_to_json(q.estimate, text, TEXT);
    (void)csz_ranking_advise(q.ranking, q.workload, q.cluster, q.plan);
    calibrate(&q);
    csz_ranking_to_json(q.ranking, text, TEXT);
    csz_workload_to_json(q.workload, text, TEXT);
    question_close(&q);
}

static void load_texts(void)
{
    static const char config[] =
        "{\"model_type\": \"llama\", \"hidden_size\": 4096, \"vocab_size\": 128256,"
        " \"num_hidden_layers\": 32, \"num_attention_heads\": 32, \"num_key_value_heads\": 8,"
        " \"intermediate_size\": 14336}";
    csz_workload *workload = csz_workload_new(NULL);
    csz_catalog *catalog = csz_catalog_new(NULL);
    size_t n = csz_catalog_to_json(NULL, text, TEXT);

    (void)csz_workload_load(workload, NULL, CSZ_SOURCE_HUGGING_FACE, config, strlen(config));
    (void)csz_catalog_load(catalog, text, n);
    (void)csz_workload_set(workload, catalog, "model=llama-3-8b hidden=0 vocab=1");
    csz_catalog_free(catalog);
    csz_workload_free(workload);
}

static void *call(void *user)
{
    void (*body)(void);

    memcpy(&body, user, sizeof body);
    body();
    return NULL;
}

/* Bytes of a painted stack that a thread has used. */
static size_t depth_of(void (*body)(void))
{
    unsigned char *stack = NULL;
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;

    ck_assert_int_eq(posix_memalign((void **)&stack, 4096, STACK), 0);
    memset(stack, PAINT, STACK);
    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstack(&attributes, stack, STACK), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, call, &body), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    while (untouched < STACK && stack[untouched] == PAINT)
        untouched++;
    free(stack);
    return STACK - untouched;
}

START_TEST(calls_use_at_most_what_is_promised)
{
    static const struct {
        const char *name;
        void (*body)(void);
    } bodies[] = {
        {"questions", answer_questions}, {"handles", use_handles}, {"loading", load_texts}};
    size_t base;

    if (getenv("CSZ_QUICK") != NULL)
        return; /* valgrind does not follow a stack inside the heap */
    base = depth_of(nothing);

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        size_t depth = depth_of(bodies[i].body) - base;

        printf("%s: %zu bytes of stack\n", bodies[i].name, depth);
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        ck_assert_msg(depth <= PROMISED, "%s: %zu bytes of stack", bodies[i].name, depth);
#endif
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stack");
    TCase *tcase = tcase_create("stack");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, calls_use_at_most_what_is_promised);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
