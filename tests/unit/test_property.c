/* test_property.c: what holds for every question, on many random ones. The seed is printed;
 * CSZ_SEED sets another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

static uint64_t state;

static uint64_t next(void)
{
    state ^= state << 13; /* xorshift64 (Marsaglia 2003) */
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int64_t pick(const int64_t *from, size_t count)
{
    return from[next() % count];
}

#define PICK(...)                                                                                  \
    pick((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static int questions(void)
{
    return getenv("CSZ_QUICK") != NULL ? 300 : 3000;
}

static void seed(void)
{
    const char *given = getenv("CSZ_SEED");
    state = given != NULL ? strtoull(given, NULL, 10) : 20260801u;
    printf("seed %llu\n", (unsigned long long)state);
}

static const char *const models[] = {"gpt2-xl",        "llama-3-8b",   "llama-3-70b",
                                     "llama-3.1-405b", "mixtral-8x7b", "deepseek-v3",
                                     "qwen3-30b-a3b",  "gemma-2b"};
static const char *const parts[] = {"a100-sxm-80gb", "h100-sxm-80gb", "gb200-186gb", "mi300x-192gb",
                                    "v100-sxm2-32gb"};
static const char *const stacks[] = {"megatron",      "megatron-graph", "legacy", "fsdp-eager",
                                     "fsdp-compiled", "deepspeed",      "xla"};

/* A random question; most are contradictory, which is part of the point. */
static void random_question(question *q)
{
    char workload[300], cluster[200], plan[300];
    (void)snprintf(
        workload, sizeof workload,
        "model=%s sequence_length=%lld global_batch=%lld tokens=1000000000 compute_format=%s "
        "job=%s optimizer=%s",
        models[next() % 8], (long long)PICK(512, 2048, 8192, 32768),
        (long long)PICK(1, 16, 64, 256, 512, 1024), next() % 4 == 0 ? "fp16" : "bf16",
        next() % 6 == 0 ? "lora" : "pretrain", next() % 4 == 0 ? "lion" : "adamw");
    (void)snprintf(cluster, sizeof cluster, "accelerator=%s accelerators=%lld", parts[next() % 5],
                   (long long)PICK(1, 2, 4, 8, 16, 24, 32, 64, 128, 256, 512, 1024));
    (void)snprintf(plan, sizeof plan,
                   "tp=%lld pp=%lld vpp=%lld cp=%lld ep=%lld etp=%lld zero=%lld micro_batch=%lld "
                   "recompute=%lld stack=%s",
                   (long long)PICK(1, 1, 2, 4, 8), (long long)PICK(1, 1, 2, 4, 8, 16),
                   (long long)PICK(1, 1, 1, 2, 3), (long long)PICK(1, 1, 1, 2, 4),
                   (long long)PICK(1, 1, 2, 4, 8), (long long)PICK(1, 1, 1, 2),
                   (long long)PICK(0, 1, 2, 3), (long long)PICK(1, 1, 2, 4),
                   (long long)PICK(0, 1, 2), stacks[next() % 7]);
    question_open(q);
    question_set(q, workload, cluster, plan);
}

static double sum_of(const question *q, csz_field first, csz_field last)
{
    double sum = 0;
    for (int field = (int)first; field <= (int)last; field++)
        sum += figure(q, (csz_field)field);
    return sum;
}

static void close_to(double a, double b, const char *what)
{
    ck_assert_msg(fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)), "%s: %.17g and %.17g", what, a, b);
}

static void check_sums(const question *q)
{
    size_t stages = csz_estimate_count(q->estimate, CSZ_ESTIMATE_STAGE_TOTAL);
    size_t worst = (size_t)figure(q, CSZ_ESTIMATE_MEMORY_WORST_STAGE);
    double layers = 0;
    close_to(sum_of(q, CSZ_ESTIMATE_MEMORY_WEIGHTS, CSZ_ESTIMATE_MEMORY_CONTEXT),
             figure(q, CSZ_ESTIMATE_MEMORY_TOTAL), "memory");
    close_to(sum_of(q, CSZ_ESTIMATE_STEP_MATRICES, CSZ_ESTIMATE_STEP_OFFLOAD),
             figure(q, CSZ_ESTIMATE_STEP_TIME), "step");
    for (size_t i = 0; i < stages; i++) {
        double sum = 0, total = figure_at(q, CSZ_ESTIMATE_STAGE_TOTAL, i);
        for (int f = CSZ_ESTIMATE_STAGE_WEIGHTS; f <= (int)CSZ_ESTIMATE_STAGE_CONTEXT; f++)
            sum += figure_at(q, (csz_field)f, i);
        close_to(sum, total, "stage");
        layers += figure_at(q, CSZ_ESTIMATE_STAGE_LAYERS, i);
        ck_assert_double_le(total, figure_at(q, CSZ_ESTIMATE_STAGE_TOTAL, worst));
    }
    ck_assert_double_ge(layers, 18);
    close_to(figure_at(q, CSZ_ESTIMATE_STAGE_TOTAL, worst), figure(q, CSZ_ESTIMATE_MEMORY_TOTAL),
             "worst stage");
}

static void check_figures(const question *q)
{
    double low, likely, high;
    int64_t micro_batch = 0;
    static const csz_field ranges[] = {CSZ_ESTIMATE_MEMORY_ALLOCATED, CSZ_ESTIMATE_MEMORY_RESERVED,
                                       CSZ_ESTIMATE_MEMORY_TOTAL,     CSZ_ESTIMATE_HOST_TOTAL,
                                       CSZ_ESTIMATE_STEP_TIME,        CSZ_ESTIMATE_RUN_TIME};
    for (int f = CSZ_ESTIMATE_STEP_MATRICES; f <= (int)CSZ_ESTIMATE_STEP_OFFLOAD; f++)
        ck_assert_msg(figure(q, (csz_field)f) >= 0, "%s is negative", csz_field_name((csz_field)f));
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        ck_assert_int_eq(csz_estimate_get_range(q->estimate, ranges[i], &low, &likely, &high),
                         CSZ_OK);
        ck_assert_msg(0 < low && low <= likely && likely <= high && isfinite(high), "%s: %g %g %g",
                      csz_field_name(ranges[i]), low, likely, high);
    }
    ck_assert_msg(figure(q, CSZ_ESTIMATE_STEP_MFU) > 0 && figure(q, CSZ_ESTIMATE_STEP_MFU) < 1,
                  "MFU");
    ck_assert_double_ge(figure(q, CSZ_ESTIMATE_STEP_HFU), figure(q, CSZ_ESTIMATE_STEP_MFU));
    ck_assert_msg(figure(q, CSZ_ESTIMATE_RUN_GOODPUT) > 0 &&
                      figure(q, CSZ_ESTIMATE_RUN_GOODPUT) <= 1,
                  "goodput");
    close_to(figure(q, CSZ_ESTIMATE_RUN_TIME) * figure(q, CSZ_ESTIMATE_RUN_GOODPUT),
             figure(q, CSZ_ESTIMATE_RUN_IDEAL_TIME), "run");
    ck_assert_double_ge(figure(q, CSZ_ESTIMATE_PARAMETERS_TOTAL),
                        figure(q, CSZ_ESTIMATE_PARAMETERS_ACTIVE));
    ck_assert_int_eq(csz_plan_get_i64(q->plan, CSZ_PLAN_MICRO_BATCH, &micro_batch), CSZ_OK);
    ck_assert_double_eq(figure(q, CSZ_ESTIMATE_BATCH_SEQUENCES),
                        figure(q, CSZ_ESTIMATE_BATCH_MICRO_BATCHES) *
                            figure(q, CSZ_ESTIMATE_BATCH_DATA_PARALLEL) * (double)micro_batch);
}

/* A larger memory, all else equal, never lowers the chance of fit, and never turns yes into tight
 * or tight into no. */
static void check_memory_helps(question *q)
{
    double memory = figure(q, CSZ_ESTIMATE_MEMORY_USABLE), fit = figure(q, CSZ_ESTIMATE_MEMORY_FIT);
    double chance = figure(q, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY),
           total = figure(q, CSZ_ESTIMATE_MEMORY_TOTAL);
    ck_assert_int_eq(csz_cluster_set_f64(q->cluster, CSZ_CLUSTER_MEMORY,
                                         memory * (1 + (double)(next() % 100) / 50)),
                     CSZ_OK);
    question_compute(q, CSZ_DEPTH_FIT);
    ck_assert_double_ge(figure(q, CSZ_ESTIMATE_MEMORY_FIT), fit);
    ck_assert_double_ge(figure(q, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY), chance);
    ck_assert_double_eq(figure(q, CSZ_ESTIMATE_MEMORY_TOTAL), total);
    ck_assert_int_eq(csz_cluster_set_f64(q->cluster, CSZ_CLUSTER_MEMORY, memory), CSZ_OK);
}

/* More sharding never holds more states; more recomputation never keeps more activations, and never
 * computes less. */
static void check_savings(question *q)
{
    double states = 1e300, kept = 1e300, computed = -1;
    for (int64_t zero = 0; zero <= 3; zero++) {
        double now;
        (void)csz_plan_set_i64(q->plan, CSZ_PLAN_SHARDING, zero);
        if (csz_estimate_compute(q->estimate, q->workload, q->cluster, q->plan, CSZ_DEPTH_FIT) !=
            CSZ_OK)
            continue; /* the stack has no such stage */
        now = figure_at(q, CSZ_ESTIMATE_STAGE_WEIGHTS, 0) +
              figure_at(q, CSZ_ESTIMATE_STAGE_GRADIENTS, 0) +
              figure_at(q, CSZ_ESTIMATE_STAGE_MASTER, 0) +
              figure_at(q, CSZ_ESTIMATE_STAGE_OPTIMIZER, 0);
        ck_assert_msg(now <= states * (1 + 1e-12), "ZeRO-%d holds more states", (int)zero);
        states = now;
    }
    (void)csz_plan_set_i64(q->plan, CSZ_PLAN_SHARDING, 0);
    for (int64_t r = 0; r <= 2; r++) {
        (void)csz_plan_set_i64(q->plan, CSZ_PLAN_RECOMPUTE, r);
        question_compute(q, CSZ_DEPTH_STEP);
        ck_assert_double_le(figure_at(q, CSZ_ESTIMATE_STAGE_ACTIVATIONS, 0), kept);
        ck_assert_double_ge(figure(q, CSZ_ESTIMATE_STEP_RECOMPUTE), computed);
        kept = figure_at(q, CSZ_ESTIMATE_STAGE_ACTIVATIONS, 0);
        computed = figure(q, CSZ_ESTIMATE_STEP_RECOMPUTE);
    }
}

/* A refused plan leaves nothing of the former answer and says which field. */
static void check_refusal(const question *q, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    double value;
    ck_assert_msg(status == CSZ_ERR_CONFLICT || status == CSZ_ERR_MISSING, "%s: %s",
                  csz_status_name(status), csz_estimate_error(q->estimate, NULL));
    ck_assert_str_ne(csz_estimate_error(q->estimate, &field), "");
    ck_assert_int_ne(field, CSZ_FIELD_NONE);
    ck_assert_int_eq(csz_estimate_get_f64(q->estimate, CSZ_ESTIMATE_MEMORY_TOTAL, &value),
                     CSZ_ERR_UNSET);
    ck_assert_uint_eq(csz_estimate_count(q->estimate, CSZ_ESTIMATE_STAGE_TOTAL), 0);
    if (status == CSZ_ERR_CONFLICT)
        ck_assert_str_ne(csz_reason_text(csz_estimate_reason(q->estimate)), "");
}

START_TEST(random_questions)
{
    int valid = 0;
    seed();
    for (int i = 0; i < questions(); i++) {
        question q;
        csz_status status;
        random_question(&q);
        status = csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_RUN);
        if (status == CSZ_OK) {
            valid++;
            check_sums(&q);
            check_figures(&q);
            check_memory_helps(&q);
            check_savings(&q);
        } else {
            check_refusal(&q, status);
        }
        question_close(&q);
    }
    printf("%d of %d plans can exist\n", valid, questions());
    ck_assert_int_gt(valid, questions() / 20);
}
END_TEST

/* The same question gives the same bytes, through JSON too: a workload, cluster and plan written
 * and read back answer alike. */
START_TEST(answers_survive_json)
{
    static char first[65536], second[65536], text[65536];
    seed();
    for (int i = 0; i < questions() / 10; i++) {
        question a, b;
        size_t n;
        random_question(&a);
        question_open(&b);
        n = csz_workload_to_json(a.workload, text, sizeof text);
        ck_assert_msg(csz_workload_load(b.workload, NULL, CSZ_SOURCE_JSON, text, n) == CSZ_OK, "%s",
                      csz_workload_error(b.workload, NULL));
        n = csz_cluster_to_json(a.cluster, text, sizeof text);
        ck_assert_int_eq(csz_cluster_load(b.cluster, NULL, CSZ_SOURCE_JSON, text, n), CSZ_OK);
        n = csz_plan_to_json(a.plan, text, sizeof text);
        ck_assert_int_eq(csz_plan_load(b.plan, CSZ_SOURCE_JSON, text, n), CSZ_OK);
        ck_assert_int_eq(
            csz_estimate_compute(a.estimate, a.workload, a.cluster, a.plan, CSZ_DEPTH_RUN),
            csz_estimate_compute(b.estimate, b.workload, b.cluster, b.plan, CSZ_DEPTH_RUN));
        (void)csz_estimate_to_json(a.estimate, first, sizeof first);
        (void)csz_estimate_to_json(b.estimate, second, sizeof second);
        ck_assert_str_eq(first, second);
        question_close(&a);
        question_close(&b);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("property");
    TCase *t = tcase_create("property");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, random_questions);
    tcase_add_test(t, answers_survive_json);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
