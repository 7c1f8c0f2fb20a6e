/* test_round_trip.c: a plan that is written as a launch and read back is the same plan with the
 * same estimate, bit for bit, for every stack; what a launch cannot say is refused with its field.
 */
#include <stdlib.h>
#include <string.h>

#include "question.h"

#ifdef __SANITIZE_ADDRESS__ /* sixty times slower */
#define PLANS 20
#else
#define PLANS 200 /* of each stack */
#endif
#define TRIES 60000
#define CAPACITY 32768

static char text[CAPACITY];
static uint64_t state = 20261201u;

static uint64_t next(void)
{
    state ^= state << 13; /* xorshift64 (Marsaglia 2003) */
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static long long pick(const int *from, size_t count)
{
    return from[next() % count];
}

#define PICK(...) pick((const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

typedef struct launch {
    csz_source source;
    const char *name;
    const char *stacks[3]; /* one is taken; "" leaves the choice to the launch */
    const char *beside;    /* fields that stand beside its file */
} launch;

static const launch launches[] = {
    {CSZ_SOURCE_MEGATRON, "megatron", {"megatron", "", "megatron"}, ""},
    {CSZ_SOURCE_DEEPSPEED,
     "deepspeed",
     {"deepspeed", "", "deepspeed"},
     "recompute attention_kernel loss_kernel sequence_length job"},
    {CSZ_SOURCE_TORCHTITAN, "torchtitan", {"fsdp-compiled", "fsdp-eager", ""}, ""},
    {CSZ_SOURCE_ACCELERATE,
     "accelerate",
     {"fsdp-compiled", "fsdp-eager", ""},
     "micro_batch attention_kernel loss_kernel sequence_length global_batch optimizer job"},
    {CSZ_SOURCE_NANOTRON, "nanotron", {"nanotron", "", "nanotron"}, ""},
    {CSZ_SOURCE_NEMO, "nemo", {"megatron", "", "megatron"}, ""},
    {CSZ_SOURCE_MAXTEXT, "maxtext", {"xla", "xla", "xla"}, ""},
};
#define LAUNCHES (sizeof launches / sizeof *launches)

static const char *const models[] = {"llama-3-8b", "llama-3-70b", "qwen2.5-7b", "mixtral-8x7b",
                                     "deepseek-v3"};

/* ---- Random questions ---- */

static void random_job(const launch *l, question *q)
{
    char workload[320], cluster[120];
    int tpu = l->source == CSZ_SOURCE_MAXTEXT;
    (void)snprintf(workload, sizeof workload,
                   "model=%s sequence_length=%lld global_batch=%lld tokens=%lld "
                   "compute_format=bf16%s",
                   models[next() % (sizeof models / sizeof *models)], PICK(2048, 4096, 8192),
                   PICK(64, 128, 256, 512), 1024LL * 8192 * 512 * PICK(1, 10, 100),
                   next() % 5 == 0 ? " gradient_format=bf16" : "");
    (void)snprintf(cluster, sizeof cluster, "accelerator=%s accelerators=%lld host_memory=16TB",
                   tpu ? "tpu-v5p" : "h100-sxm-80gb", PICK(8, 16, 32, 64, 128, 256));
    question_set(q, workload, cluster, "");
}

static void random_plan(const launch *l, question *q)
{
    static const char *const sharding[] = {"none", "optimizer", "gradients", "parameters"};
    static const char *const recompute[] = {"none", "selective", "full", "operations"};
    static const char *const rest[] = {
        "",
        "",
        "",
        " recompute_norm=yes",
        " recompute_norm=yes recompute_activation=yes",
        " offload_optimizer=0.5",
        " offload_optimizer=1",
        " expandable_segments=yes",
        " sequence_parallel=no",
        " embedding_counts=yes loss_counts=yes",
        " context_kind=all_gather",
        " attention_kernel=unfused",
        " loss_kernel=fused",
        " offload_optimizer=1 offload_parameters=yes",
        " shard_group=8",
        " reshard=no",
        " optimizer_fused=yes",
    };
    char plan[400];
    const char *stack = l->stacks[next() % 3];
    int n = snprintf(plan, sizeof plan,
                     "tp=%lld pp=%lld cp=%lld ep=%lld etp=%lld micro_batch=%lld sharding=%s "
                     "recompute=%s%s",
                     PICK(1, 1, 2, 4, 8), PICK(1, 1, 1, 2, 4, 8), PICK(1, 1, 1, 2), PICK(1, 1, 8),
                     PICK(1, 1, 2), PICK(1, 1, 2, 4), sharding[next() % 4], recompute[next() % 4],
                     rest[next() % (sizeof rest / sizeof *rest)]);
    if (stack[0] != '\0')
        n += snprintf(plan + n, sizeof plan - (size_t)n, " stack=%s", stack);
    if (next() % 4 == 0)
        (void)snprintf(plan + n, sizeof plan - (size_t)n, " vpp=2");
    ck_assert_msg(csz_plan_set(q->plan, plan) == CSZ_OK, "%s", csz_plan_error(q->plan, NULL));
}

/* ---- Comparing ---- */

static void copy_field(csz_field field, const question *from, question *to)
{
    char value[64], pair[160];
    int plan = field / 1000 == CSZ_OBJECT_PLAN;
    if (plan ? !csz_plan_is_set(from->plan, field) : !csz_workload_is_set(from->workload, field))
        return;
    if (plan)
        (void)csz_plan_get_text(from->plan, field, value, sizeof value);
    else
        (void)csz_workload_get_text(from->workload, field, value, sizeof value);
    (void)snprintf(pair, sizeof pair, "%s=%s", csz_field_name(field), value);
    if (plan)
        ck_assert_msg(csz_plan_set(to->plan, pair) == CSZ_OK, "%s", pair);
    else
        ck_assert_msg(csz_workload_set(to->workload, NULL, pair) == CSZ_OK, "%s", pair);
}

/* What is said to a check beside the file: the model, the machines, arguments of the script. */
static void say_beside(const launch *l, const question *q, question *back)
{
    char names[200], pair[96] = "model=";
    (void)csz_workload_get_text(q->workload, CSZ_WORKLOAD_MODEL, pair + 6, 64);
    ck_assert_int_eq(csz_workload_set(back->workload, NULL, pair), CSZ_OK);
    ck_assert_int_eq(csz_cluster_copy(back->cluster, q->cluster), CSZ_OK);
    (void)snprintf(names, sizeof names, "%s expandable_segments", l->beside);
    for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " "))
        copy_field(csz_field_by_name(name), q, back);
    /* The length of the run, where the file leaves it to the script. */
    if (l->source == CSZ_SOURCE_DEEPSPEED || l->source == CSZ_SOURCE_ACCELERATE)
        copy_field(CSZ_WORKLOAD_TOKENS, q, back);
}

static void same_estimates(const question *q, const question *back)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        double a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
        if (field / 1000 != CSZ_OBJECT_ESTIMATE || csz_field_type(field) == CSZ_TYPE_TEXT)
            continue;
        (void)csz_estimate_get_range(q->estimate, field, &a[0], &a[1], &a[2]);
        (void)csz_estimate_get_range(back->estimate, field, &b[0], &b[1], &b[2]);
        (void)csz_estimate_get_f64(q->estimate, field, &a[1]);
        (void)csz_estimate_get_f64(back->estimate, field, &b[1]);
        ck_assert_msg(memcmp(a, b, sizeof a) == 0, "%s: %g is not %g\n%s", csz_field_name(field),
                      b[1], a[1], text);
    }
}

/* Every field that the plan set is set to the same. */
static void same_plans(const question *q, const question *back)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        char a[64] = "", b[64] = "";
        if (field / 1000 != CSZ_OBJECT_PLAN || !csz_plan_is_set(q->plan, field))
            continue;
        (void)csz_plan_get_text(q->plan, field, a, sizeof a);
        (void)csz_plan_get_text(back->plan, field, b, sizeof b);
        if (csz_plan_is_set(back->plan, field) && field != CSZ_PLAN_SHARDING)
            ck_assert_msg(strcmp(a, b) == 0, "%s: %s is not %s\n%s", csz_field_name(field), b, a,
                          text);
    }
}

static void goes_and_comes(const launch *l, question *q, size_t length)
{
    question back;
    csz_status status;
    char stack[80] = "stack=";
    question_open(&back);
    say_beside(l, q, &back);
    status = csz_plan_load_launch(back.plan, back.workload, back.cluster, l->source, text, length);
    ck_assert_msg(status == CSZ_OK, "%s\n%s", csz_plan_error(back.plan, NULL), text);
    /* The band of a stack that was only assumed is wider: now it is named. */
    (void)csz_plan_get_text(back.plan, CSZ_PLAN_STACK, stack + 6, 64);
    ck_assert_int_eq(csz_plan_set(q->plan, stack), CSZ_OK);
    question_compute(q, CSZ_DEPTH_RUN);
    question_compute(&back, CSZ_DEPTH_RUN);
    same_plans(q, &back);
    same_estimates(q, &back);
    question_close(&back);
}

/* 1 when the plan could be written, 0 when it was refused or cannot be. */
static int try_one(const launch *l)
{
    question q;
    size_t length = 0;
    csz_status status;
    csz_field field = CSZ_FIELD_NONE;
    question_open(&q);
    random_job(l, &q);
    random_plan(l, &q);
    status = csz_plan_to_launch(q.plan, q.workload, q.cluster, NULL, l->source,
                                CSZ_LAUNCH_PART_FILE, text, sizeof text, &length);
    if (status == CSZ_OK) {
        ck_assert_uint_eq(strlen(text), length);
        goes_and_comes(l, &q, length);
    } else {
        const char *message = csz_plan_error(q.plan, &field);
        ck_assert_msg(status == CSZ_ERR_CONFLICT && message[0] != '\0', "%s: %s", l->name, message);
        if (getenv("CSZ_VERBOSE") != NULL)
            printf("%s: %s\n", l->name, message);
    }
    question_close(&q);
    return status == CSZ_OK;
}

START_TEST(test_round_trip)
{
    const launch *l = &launches[_i];
    int written = 0, tries = 0, plans = getenv("CSZ_QUICK") != NULL ? PLANS / 10 : PLANS;
    while (written < plans && tries < TRIES) {
        written += try_one(l);
        tries++;
    }
    printf("%s: %d plans written and read back, %d refused\n", l->name, written, tries - written);
    ck_assert_int_eq(written, plans);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("round trip");
    TCase *tcase = tcase_create("launches");
    SRunner *runner;
    int failed;
    tcase_add_loop_test(tcase, test_round_trip, 0, LAUNCHES);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
