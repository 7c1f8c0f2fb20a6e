/* test_explain.c: what an estimate says about itself: the time of each stage by part, the critical
 * stage, the roofline, the evidence behind the step time and its band. */
#include <math.h>
#include <string.h>

#include "facts/facts.h"
#include "question.h"

static question asked;

static void setup(void)
{
    question_open(&asked);
}

static void teardown(void)
{
    question_close(&asked);
}

static void ask(const char *workload, const char *cluster, const char *plan)
{
    teardown();
    setup();
    question_set(&asked, workload, cluster, plan);
    question_compute(&asked, CSZ_DEPTH_STEP);
}

static double step(csz_field field)
{
    return figure(&asked, field);
}

static int is_noted(csz_note note)
{
    for (size_t i = 0; csz_estimate_note_at(asked.estimate, i) != CSZ_NOTE_NONE; i++)
        if (csz_estimate_note_at(asked.estimate, i) == note)
            return 1;
    return 0;
}

static const char *text(csz_field field)
{
    static char value[64];
    value[0] = '\0';
    (void)csz_estimate_get_text(asked.estimate, field, value, sizeof value);
    return value;
}

static double ratio(double *low)
{
    double likely, high;
    ck_assert_int_eq(
        csz_estimate_get_range(asked.estimate, CSZ_ESTIMATE_STEP_TIME, low, &likely, &high),
        CSZ_OK);
    ck_assert_double_le(*low, likely);
    ck_assert_double_ge(high, likely);
    *low /= likely;
    return high / likely;
}

#define H100 "accelerator=h100-sxm-80gb "

/* ---- Stages ---- */

static const struct {
    csz_field stage, step;
} parts[] = {
    {CSZ_ESTIMATE_STAGE_TIME_MATRICES, CSZ_ESTIMATE_STEP_MATRICES},
    {CSZ_ESTIMATE_STAGE_TIME_ATTENTION, CSZ_ESTIMATE_STEP_ATTENTION},
    {CSZ_ESTIMATE_STAGE_TIME_POINTWISE, CSZ_ESTIMATE_STEP_POINTWISE},
    {CSZ_ESTIMATE_STAGE_TIME_RECOMPUTE, CSZ_ESTIMATE_STEP_RECOMPUTE},
    {CSZ_ESTIMATE_STAGE_TIME_LOGITS, CSZ_ESTIMATE_STEP_LOGITS},
    {CSZ_ESTIMATE_STAGE_TIME_TENSOR_TRAFFIC, CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC},
    {CSZ_ESTIMATE_STAGE_TIME_CONTEXT_TRAFFIC, CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC},
    {CSZ_ESTIMATE_STAGE_TIME_EXPERT_TRAFFIC, CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC},
    {CSZ_ESTIMATE_STAGE_TIME_PIPELINE_TRAFFIC, CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC},
    {CSZ_ESTIMATE_STAGE_TIME_HOST, CSZ_ESTIMATE_STEP_HOST},
};
#define PARTS (sizeof parts / sizeof *parts)

/* Parts of a stage sum to its time; over stages, m / p of each is the step's term; the critical
 * stage is the slowest, and m of it with what happens once is the step. */
static void check_sums(void)
{
    size_t stages = csz_estimate_count(asked.estimate, CSZ_ESTIMATE_STAGE_TIME);
    double m = step(CSZ_ESTIMATE_BATCH_MICRO_BATCHES), sums[PARTS] = {0}, slowest = 0;
    double critical =
        figure_at(&asked, CSZ_ESTIMATE_STAGE_TIME, (size_t)step(CSZ_ESTIMATE_STEP_CRITICAL_STAGE));
    ck_assert_uint_gt(stages, 0);
    for (size_t i = 0; i < stages; i++) {
        double time = figure_at(&asked, CSZ_ESTIMATE_STAGE_TIME, i), sum = 0;
        for (size_t k = 0; k < PARTS; k++) {
            double part = figure_at(&asked, parts[k].stage, i);
            ck_assert_double_ge(part, 0);
            sum += part;
            sums[k] += part;
        }
        ck_assert_double_eq_tol(sum, time, 1e-12 * time);
        slowest = fmax(slowest, time);
    }
    ck_assert_double_eq(critical, slowest);
    sums[PARTS - 1] += step(CSZ_ESTIMATE_STEP_HOST_ONCE) * (double)stages / m;
    for (size_t k = 0; k < PARTS; k++)
        ck_assert_double_eq_tol(sums[k] * m / (double)stages, step(parts[k].step),
                                1e-9 * step(CSZ_ESTIMATE_STEP_TIME));
    ck_assert_double_eq_tol(m * critical + step(CSZ_ESTIMATE_STEP_BUBBLE) +
                                step(CSZ_ESTIMATE_STEP_DATA_TRAFFIC) +
                                step(CSZ_ESTIMATE_STEP_OPTIMIZER) +
                                step(CSZ_ESTIMATE_STEP_OFFLOAD) + step(CSZ_ESTIMATE_STEP_HOST_ONCE),
                            step(CSZ_ESTIMATE_STEP_TIME), 1e-9 * step(CSZ_ESTIMATE_STEP_TIME));
}

START_TEST(parts_of_a_stage_sum_to_its_time)
{
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=32",
        "tp=2 pp=4 cp=2 dp=2 recompute=selective stack=megatron");
    check_sums();
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=16 host_memory=2TB",
        "tp=2 sharding=optimizer offload_optimizer=1 micro_batch=2 stack=megatron");
    check_sums();
    ck_assert_double_gt(step(CSZ_ESTIMATE_STEP_OFFLOAD), 0);
    ask("model=deepseek-v3 global_batch=2048", H100 "accelerators=512",
        "pp=16 ep=32 dp=32 sharding=optimizer recompute=full stack=megatron");
    check_sums();
    ck_assert_double_gt(figure_at(&asked, CSZ_ESTIMATE_STAGE_TIME_EXPERT_TRAFFIC, 3), 0);
    ck_assert_double_gt(figure_at(&asked, CSZ_ESTIMATE_STAGE_TIME_RECOMPUTE, 3), 0);
    ck_assert_double_gt(figure_at(&asked, CSZ_ESTIMATE_STAGE_TIME_LOGITS, 15), 0);
    ck_assert_double_eq(figure_at(&asked, CSZ_ESTIMATE_STAGE_TIME_LOGITS, 7), 0);
}
END_TEST

/* 32 layers on four stages: the one that is given more of them is critical. */
START_TEST(the_critical_stage_is_where_most_layers_are)
{
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=4",
        "pp=4 first_stage_layers=14 last_stage_layers=6");
    ck_assert_double_eq(step(CSZ_ESTIMATE_STEP_CRITICAL_STAGE), 0);
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=4",
        "pp=4 first_stage_layers=6 last_stage_layers=14");
    ck_assert_double_eq(step(CSZ_ESTIMATE_STEP_CRITICAL_STAGE), 3);
    /* 4, 12, 12, 4: of two that are alike, the first. */
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=4",
        "pp=4 first_stage_layers=4 last_stage_layers=4");
    ck_assert_double_eq(step(CSZ_ESTIMATE_STEP_CRITICAL_STAGE), 1);
    check_sums();
}
END_TEST

/* ---- Roofline ---- */

static size_t kernel(csz_kernel kind)
{
    size_t count = csz_estimate_count(asked.estimate, CSZ_ESTIMATE_KERNEL_KIND);
    for (size_t i = 0; i < count; i++)
        if ((csz_kernel)figure_at(&asked, CSZ_ESTIMATE_KERNEL_KIND, i) == kind)
            return i;
    ck_abort_msg("no kernel of kind %d", (int)kind);
    return 0;
}

static double of(csz_kernel kind, csz_field field)
{
    return figure_at(&asked, field, kernel(kind));
}

static void check_kernel(csz_kernel kind, double flops, double bytes, double peak, csz_bound bound)
{
    ck_assert_double_eq_tol(of(kind, CSZ_ESTIMATE_KERNEL_FLOPS), flops, 1e-9 * flops);
    ck_assert_double_eq_tol(of(kind, CSZ_ESTIMATE_KERNEL_BYTES), bytes, 1e-9 * bytes);
    ck_assert_double_eq_tol(of(kind, CSZ_ESTIMATE_KERNEL_INTENSITY), flops / bytes,
                            1e-9 * flops / bytes);
    ck_assert_double_eq(of(kind, CSZ_ESTIMATE_KERNEL_PEAK), peak);
    ck_assert_double_eq_tol(of(kind, CSZ_ESTIMATE_KERNEL_BALANCE), peak / 2e12, 1e-6);
    ck_assert_double_lt(of(kind, CSZ_ESTIMATE_KERNEL_REACHED), peak);
    ck_assert_double_lt(of(kind, CSZ_ESTIMATE_KERNEL_REACHED),
                        2e12 * of(kind, CSZ_ESTIMATE_KERNEL_INTENSITY));
    ck_assert_double_eq_tol(of(kind, CSZ_ESTIMATE_KERNEL_REACHED) *
                                of(kind, CSZ_ESTIMATE_KERNEL_TIME),
                            flops, 1e-9 * flops);
    ck_assert_int_eq((int)of(kind, CSZ_ESTIMATE_KERNEL_BOUND), (int)bound);
}

#define PART "memory=80GB memory_bandwidth=2e12 peak_bf16=3e14 peak_fp8=6e14 accelerators=1"

/* A micro-batch of 2048 tokens; hidden 1024, MLP 1024 x 4096, 8 heads of 128, vocabulary 32000;
 * balance 3e14 / 2e12 = 150 FLOP/B. */
START_TEST(rooflines_by_hand)
{
    const double t = 2048, h = 1024, f = 4096, v = 32000;
    ask("hidden=1024 vocab=32000 layers=8 heads=8 ffn=4096 gated_mlp=0 sequence_length=2048 "
        "global_batch=8",
        PART, "attention_kernel=flash stack=megatron");
    check_kernel(CSZ_KERNEL_PRODUCT, 2 * t * h * f, 2 * (t * h + h * f + t * f), 3e14,
                 CSZ_BOUND_COMPUTE);
    /* Scores and values: 2 products over (t + 1) / 2 tokens; q, k, v and the result once. */
    check_kernel(CSZ_KERNEL_ATTENTION, 2 * 2 * t * (t + 1) / 2 * h, 2 * 4 * t * h, 3e14,
                 CSZ_BOUND_COMPUTE);
    /* The product, and 24 B a logit for loss and gradient, which bring it below the balance. */
    check_kernel(CSZ_KERNEL_LOGITS, 2 * t * h * v, 2 * (t * h + h * v + t * v) + 24 * t * v, 3e14,
                 CSZ_BOUND_MEMORY);
    /* A few operations on each element that is read and written: far below the balance. */
    ck_assert_double_lt(of(CSZ_KERNEL_POINTWISE, CSZ_ESTIMATE_KERNEL_INTENSITY), 4);
    ck_assert_int_ne((int)of(CSZ_KERNEL_POINTWISE, CSZ_ESTIMATE_KERNEL_BOUND), CSZ_BOUND_COMPUTE);
    ck_assert_uint_eq(csz_estimate_count(asked.estimate, CSZ_ESTIMATE_KERNEL_KIND), 4);
    /* fp8: one byte an operand, and 4 B an input element to convert it. */
    ask("hidden=1024 vocab=32000 layers=8 heads=8 ffn=4096 gated_mlp=0 sequence_length=2048 "
        "global_batch=8 "
        "compute_format=fp8",
        PART, "attention_kernel=flash stack=megatron");
    check_kernel(CSZ_KERNEL_PRODUCT, 2 * t * h * f, t * h + h * f + 2 * t * f + 4 * t * h, 6e14,
                 CSZ_BOUND_COMPUTE);
}
END_TEST

/* 32 tokens meet each weight of 4096 x 16384: 32 FLOP/B; 16 tokens of a tiny model end before the
 * next kernel is launched. A mixture has its experts beside the rest. */
START_TEST(what_binds_an_operation)
{
    ask("hidden=4096 vocab=32000 layers=2 heads=32 ffn=16384 gated_mlp=0 sequence_length=32 "
        "global_batch=8",
        PART, "stack=megatron");
    ck_assert_double_lt(of(CSZ_KERNEL_PRODUCT, CSZ_ESTIMATE_KERNEL_INTENSITY), 32);
    ck_assert_int_eq((int)of(CSZ_KERNEL_PRODUCT, CSZ_ESTIMATE_KERNEL_BOUND), CSZ_BOUND_MEMORY);
    ask("hidden=64 vocab=1000 layers=2 heads=2 ffn=256 sequence_length=16 global_batch=8", PART,
        "stack=megatron");
    for (size_t i = 0; i < csz_estimate_count(asked.estimate, CSZ_ESTIMATE_KERNEL_KIND); i++)
        ck_assert_int_eq((int)figure_at(&asked, CSZ_ESTIMATE_KERNEL_BOUND, i), CSZ_BOUND_LAUNCH);
    ask("model=deepseek-v3 global_batch=2048", H100 "accelerators=512",
        "pp=16 ep=32 dp=32 sharding=optimizer recompute=full stack=megatron");
    ck_assert_uint_eq(csz_estimate_count(asked.estimate, CSZ_ESTIMATE_KERNEL_KIND), 5);
    ck_assert_double_gt(of(CSZ_KERNEL_EXPERTS, CSZ_ESTIMATE_KERNEL_FLOPS), 0);
    ck_assert_str_eq(csz_field_choice(CSZ_ESTIMATE_KERNEL_KIND, CSZ_KERNEL_EXPERTS), "experts");
}
END_TEST

/* ---- Evidence and band ---- */

START_TEST(evidence_is_told)
{
    const cszi_evidence *e = cszi_evidence_find("hopper", "megatron");
    double low;
    ck_assert_ptr_nonnull(e);
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=8", "tp=2 stack=megatron");
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_FAMILY), "hopper");
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_STACK), "megatron");
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_DATE), e->date);
    ck_assert_double_eq(step(CSZ_ESTIMATE_EVIDENCE_CONFIGURATIONS), e->configurations);
    ck_assert_double_eq(step(CSZ_ESTIMATE_EVIDENCE_MEDIAN_ERROR), e->median_error);
    ck_assert_int_eq(is_noted(CSZ_NOTE_UNMEASURED), 0);
    ask("model=llama-3-8b global_batch=64", H100 "family=unheard-of accelerators=8",
        "tp=2 stack=megatron");
    ck_assert_double_eq(step(CSZ_ESTIMATE_EVIDENCE_CONFIGURATIONS), 0);
    ck_assert_int_eq(csz_estimate_get_f64(asked.estimate, CSZ_ESTIMATE_EVIDENCE_P90_ERROR, &low),
                     CSZ_ERR_UNSET);
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_FAMILY), "unheard-of");
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_DATE), "");
}
END_TEST

/* Each rule of the band leaves its note, and none makes the band narrower than a plain case's. */
START_TEST(what_widens_the_band_is_noted)
{
    static const struct {
        const char *workload, *cluster, *plan;
        csz_note note;
    } cases[] = {
        {"model=llama-3-8b global_batch=1024", H100 "accelerators=128", "stack=megatron",
         CSZ_NOTE_DATA_PARALLEL_WIDE},
        {"model=mixtral-8x7b global_batch=64", H100 "accelerators=8", "ep=8 stack=megatron",
         CSZ_NOTE_MIXTURE},
        {"model=llama-3-8b global_batch=64", H100 "accelerators=8", "tp=2", CSZ_NOTE_STACK_ASSUMED},
        {"model=llama-3-8b global_batch=64", H100 "accelerators=8", "tp=2 stack=legacy",
         CSZ_NOTE_STACK_UNFITTED},
        {"model=llama-3-8b global_batch=64 kinds[0].attention=lightning", H100 "accelerators=8",
         "tp=2 stack=megatron", CSZ_NOTE_KIND_UNFITTED},
        {"model=llama-3-8b global_batch=64", H100 "accelerators=8 host_memory=2TB",
         "tp=2 sharding=optimizer offload_optimizer=1 stack=megatron", CSZ_NOTE_OFFLOAD_TIME},
        {"model=llama-3-8b global_batch=64", H100 "accelerators=8 family=unheard-of",
         "tp=2 stack=megatron", CSZ_NOTE_UNMEASURED},
        {"model=llama-3-8b global_batch=64", H100 "accelerators=8 family=unheard-of",
         "tp=2 stack=megatron", CSZ_NOTE_FAMILY_UNFITTED},
    };
    double plain_low, low, high, plain_high;
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=8", "tp=2 stack=megatron");
    plain_high = ratio(&plain_low);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_int_eq(is_noted(cases[i].note), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ask(cases[i].workload, cases[i].cluster, cases[i].plan);
        high = ratio(&low);
        ck_assert_msg(is_noted(cases[i].note), "case %zu", i);
        ck_assert_msg(high / low > plain_high / plain_low * (1 + 1e-9), "case %zu", i);
    }
    /* The last one has no measured run: the widest. */
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_BAND), "family_unfitted");
    ck_assert_double_eq_tol(high, cszi_band_find("family_unfitted")->high, 1e-9);
}
END_TEST

/* One or two measured runs are no fit, nor is one that misses. */
START_TEST(a_pair_is_fitted_by_three_configurations)
{
    cszi_evidence e = {"hopper", "megatron", 3, 0.05, 0.2, "2026"};
    ck_assert_int_eq(cszi_evidence_is_fitted(&e), 1);
    e.configurations = 2;
    ck_assert_int_eq(cszi_evidence_is_fitted(&e), 0);
    e.configurations = 300;
    e.median_error = 0.3;
    ck_assert_int_eq(cszi_evidence_is_fitted(&e), 0);
    ck_assert_int_eq(cszi_evidence_is_fitted(NULL), 0);
}
END_TEST

/* Rows name a family of the catalog and a stack, once. */
START_TEST(the_table_of_evidence_is_sound)
{
    ck_assert_uint_gt(cszi_evidences_count, 5);
    for (size_t i = 0; i < cszi_evidences_count; i++) {
        const cszi_evidence *e = &cszi_evidences[i];
        size_t parts_of_family = 0;
        for (size_t k = 0; k < cszi_accelerators_count; k++)
            parts_of_family += strcmp(cszi_accelerators[k].family, e->family) == 0;
        ck_assert_msg(parts_of_family > 0, "%s", e->family);
        ck_assert_msg(cszi_stack_find(e->stack) != NULL, "%s", e->stack);
        ck_assert_ptr_eq(cszi_evidence_find(e->family, e->stack), e);
        ck_assert_int_gt(e->configurations, 0);
        ck_assert_double_ge(e->median_error, 0);
        ck_assert_double_le(e->median_error, e->p90_error);
        ck_assert_uint_lt(strlen(e->date), 16);
        ck_assert_int_eq(strncmp(e->date, "20", 2), 0);
    }
    ck_assert_ptr_null(cszi_evidence_find("hopper", ""));
}
END_TEST

/* The bands of the family's plausible stacks, each named, as far as they can express the plan. */
static void check_envelope(const char *plan, int least)
{
    const char *usual = cszi_family_find("hopper")->stack;
    char list[128], named[256];
    double low = INFINITY, high = 0, likely = 0, got[3];
    int count = 0;
    (void)snprintf(list, sizeof list, "%s", cszi_family_find("hopper")->stacks);
    for (char *id = strtok(list, " "); id != NULL; id = strtok(NULL, " ")) {
        double one[3];
        (void)snprintf(named, sizeof named, "%s stack=%s", plan, id);
        teardown();
        setup();
        question_set(&asked, "model=llama-3-8b global_batch=64", H100 "accelerators=8", named);
        if (csz_estimate_compute(asked.estimate, asked.workload, asked.cluster, asked.plan,
                                 CSZ_DEPTH_STEP) != CSZ_OK)
            continue;
        ck_assert_int_eq(csz_estimate_get_range(asked.estimate, CSZ_ESTIMATE_STEP_TIME, &one[0],
                                                &one[1], &one[2]),
                         CSZ_OK);
        low = fmin(low, strcmp(id, usual) == 0 ? one[0] : one[1]);
        high = fmax(high, strcmp(id, usual) == 0 ? one[2] : one[1]);
        likely = strcmp(id, usual) == 0 ? one[1] : likely;
        count++;
    }
    ck_assert_int_ge(count, least);
    ask("model=llama-3-8b global_batch=64", H100 "accelerators=8", plan);
    (void)csz_estimate_get_range(asked.estimate, CSZ_ESTIMATE_STEP_TIME, &got[0], &got[1], &got[2]);
    ck_assert_double_eq(got[0], low);
    ck_assert_double_eq(got[1], likely);
    ck_assert_double_eq(got[2], high);
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_BAND), "envelope");
    ck_assert_str_eq(text(CSZ_ESTIMATE_EVIDENCE_STACK), usual);
    ck_assert_int_eq(is_noted(CSZ_NOTE_STACK_ASSUMED), 1);
}

START_TEST(an_unnamed_stack_gives_the_envelope)
{
    check_envelope("sharding=parameters", 2);
    check_envelope("tp=2 pp=2 sharding=optimizer", 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explain");
    TCase *t = tcase_create("explain");
    tcase_set_timeout(t, 120);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, parts_of_a_stage_sum_to_its_time);
    tcase_add_test(t, the_critical_stage_is_where_most_layers_are);
    tcase_add_test(t, rooflines_by_hand);
    tcase_add_test(t, what_binds_an_operation);
    tcase_add_test(t, evidence_is_told);
    tcase_add_test(t, what_widens_the_band_is_noted);
    tcase_add_test(t, a_pair_is_fitted_by_three_configurations);
    tcase_add_test(t, the_table_of_evidence_is_sound);
    tcase_add_test(t, an_unnamed_stack_gives_the_envelope);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
