/* test_parallel.c: kinds of context parallelism, pipeline schedules and layouts, and Muon's
 * arithmetic, by hand. */
#include <math.h>
#include <string.h>

#include "facts/facts.h"
#include "question.h"

#define HIDDEN 1024.0
#define FFN 4096.0
#define LAYERS 8.0
#define HEADS 8.0
#define KV 4.0
#define HEAD 128.0
#define SEQUENCE 2048.0
#define LINK 300e9 /* B/s inside a node */
#define NETWORK 50e9

static const char model[] =
    "hidden=1024 vocab=32000 layers=8 heads=8 kv_heads=4 ffn=4096 sequence_length=2048 "
    "global_batch=32 weight_format=bf16 gradient_format=bf16 master_format=fp32";
static const char cluster[] =
    "memory=80GB memory_bandwidth=2e12 peak_bf16=3e14 link_bandwidth=300e9 scale_up_domain=8 "
    "accelerators_per_node=8 scale_out_bandwidth=50e9";

static question asked;

static void setup(void)
{
    question_open(&asked);
}

static void teardown(void)
{
    question_close(&asked);
}

static void pose(const char *workload, const char *machines, const char *plan)
{
    teardown();
    setup();
    question_set(&asked, model, cluster, "");
    question_set(&asked, workload, machines, plan);
}

static void ask(const char *workload, const char *machines, const char *plan)
{
    pose(workload, machines, plan);
    question_compute(&asked, CSZ_DEPTH_STEP);
}

static double of(csz_field field)
{
    return figure(&asked, field);
}

static void equal(double got, double wanted, const char *what)
{
    ck_assert_msg(fabs(got - wanted) <= 1e-9 * fabs(wanted), "%s: got %.12g, wanted %.12g", what,
                  got, wanted);
}

static void terms_sum(void)
{
    double sum = 0;
    for (int field = CSZ_ESTIMATE_STEP_MATRICES; field <= (int)CSZ_ESTIMATE_STEP_OFFLOAD; field++)
        sum += of((csz_field)field);
    equal(sum, of(CSZ_ESTIMATE_STEP_TIME), "terms");
}

static void refused(const char *workload, const char *machines, const char *plan, csz_field field,
                    csz_reason reason, const char *part)
{
    csz_field at = CSZ_FIELD_NONE;
    const char *message;
    pose(workload, machines, plan);
    ck_assert_msg(csz_estimate_compute(asked.estimate, asked.workload, asked.cluster, asked.plan,
                                       CSZ_DEPTH_STEP) == CSZ_ERR_CONFLICT,
                  "%s", plan);
    message = csz_estimate_error(asked.estimate, &at);
    ck_assert_msg(strstr(message, part) != NULL, "%s", message);
    ck_assert_msg(at == field && csz_estimate_reason(asked.estimate) == reason, "%s", message);
}

/* ---- Context parallelism ---- */

/* 4 ranks of 512 tokens in one node, 16 micro-batches of 8 layers. Keys and values are 4 heads of
 * 128 + 128 in 16 bit. */
START_TEST(a_gather_of_keys_and_values_is_exposed)
{
    const cszi_stack *s = cszi_stack_find("megatron");
    double part = 2 * KV * 2 * HEAD * SEQUENCE / 4, passes = 16 * LAYERS, ring, whole;
    ask("", "accelerators=8", "stack=megatron cp=4 context_kind=all_gather");
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC),
          passes * 3 * (s->latency_in + 3 * part / (LINK * s->link_share)), "one gather, then two");
    terms_sum();
    ask("", "accelerators=8", "stack=megatron cp=4 context_kind=ring");
    ring = of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC);
    ask("", "accelerators=8", "stack=megatron cp=4");
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC), ring, "unset");
    /* Memory at 65,536 tokens: those of all 4 ranks and their gradients, against those of two. */
    ask("vocab=1000 sequence_length=65536", "accelerators=8", "stack=megatron cp=4");
    ring = of(CSZ_ESTIMATE_MEMORY_ALLOCATED);
    ask("vocab=1000 sequence_length=65536", "accelerators=8",
        "stack=megatron cp=4 context_kind=all_gather");
    whole = of(CSZ_ESTIMATE_MEMORY_ALLOCATED);
    equal(whole - ring, 2 * (65536.0 / 4) * (2 * 4 - 4) * KV * 2 * HEAD, "whole keys and values");
}
END_TEST

/* Queries, keys, values and the output: 3 of 4 parts leave; the same backward. 8 ranks share 4
 * key-value heads where the software repeats them. */
START_TEST(ulysses_exchanges_heads)
{
    const cszi_stack *s = cszi_stack_find("megatron");
    double tokens = SEQUENCE / 4, passes = 16 * LAYERS, network;
    ask("", "accelerators=8", "stack=megatron cp=4 context_kind=ulysses");
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC),
          passes * 2 *
              (4 * s->latency_in +
               2 * tokens * (2 * HEADS + 2 * KV) * HEAD * 3 / 4 / (LINK * s->link_share)),
          "four exchanges");
    terms_sum();
    s = cszi_stack_find("fsdp-compiled");
    tokens = SEQUENCE / 8;
    ask("", "accelerators=8", "stack=fsdp-compiled cp=8 context_kind=ulysses");
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC),
          32 * LAYERS * 2 *
              (4 * s->latency_in +
               2 * tokens * (2 * HEADS + 2 * 8) * HEAD * 7 / 8 / (LINK * s->link_share)),
          "repeated keys and values");
    /* Tensor ranks lie closer: of 8 context ranks 4 share a domain, and half of the bytes leave. */
    network = NETWORK * s->nic_expert_share;
    ask("heads=16 kv_heads=16 head_dim=128", "accelerators=16",
        "stack=fsdp-compiled tp=2 cp=8 context_kind=ulysses");
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC),
          32 * LAYERS * 2 * 4 * (s->latency_in + 2 * tokens * 8 * HEAD * 4 / 8 / network),
          "across nodes");
}
END_TEST

/* 16 ranks on two nodes: 4 exchange heads, as many as there are key-value heads, and 4 such groups
 * pass keys and values around; of a ring that is fast enough a share stays exposed. */
START_TEST(a_hierarchy_exchanges_inside_and_rings_across)
{
    static const char fast[] = "accelerators=16 link_bandwidth=1e15 scale_out_bandwidth=1e15";
    const cszi_stack *s = cszi_stack_find("megatron");
    double tokens = SEQUENCE / 16, link = 1e15 * s->link_share, ring, exchange;
    ask("", fast, "stack=megatron cp=16 context_kind=hierarchical");
    exchange = 4 * s->latency_in + 2 * tokens * (2 * HEADS + 2 * KV) * HEAD * 3 / 4 / link;
    ring = s->exposed_context * 2 * KV * 2 * HEAD * tokens * 3 / link;
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC), 32 * LAYERS * (2 * exchange + 3 * ring),
          "both levels");
    exchange = of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC);
    ask("", fast, "stack=megatron cp=16 context_kind=hierarchical context_inner=4");
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC), exchange, "the same, said");
    ask("", "accelerators=16", "stack=megatron cp=16 context_kind=hierarchical context_inner=1");
    ring = of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC);
    ask("", "accelerators=16", "stack=megatron cp=16");
    equal(of(CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC), ring, "without an inner level");
}
END_TEST

START_TEST(context_kinds_are_refused_by_heads_and_stack)
{
    refused("", "accelerators=8", "stack=megatron cp=8 context_kind=ulysses",
            CSZ_PLAN_CONTEXT_PARALLEL, CSZ_REASON_CONTEXT_HEADS,
            "does not divide the heads of tensor_parallel=1 on stack megatron; choose 4, or ");
    refused("", "accelerators=16", "stack=megatron cp=16 context_kind=hierarchical context_inner=8",
            CSZ_PLAN_CONTEXT_INNER, CSZ_REASON_CONTEXT_HEADS,
            "context_inner: 8 does not divide context_parallel=16 and the heads");
    refused("", "accelerators=8", "stack=megatron cp=8 context_inner=2", CSZ_PLAN_CONTEXT_INNER,
            CSZ_REASON_CONTEXT_HEADS, "but context_kind is not hierarchical");
    refused("", "accelerators=8", "stack=xla cp=4 context_kind=ulysses", CSZ_PLAN_CONTEXT_KIND,
            CSZ_REASON_STACK,
            "context_kind: ulysses is not available on stack xla; stacks that "
            "have it: megatron, megatron-graph, fsdp-eager");
}
END_TEST

/* ---- Schedules ---- */

#define STAGES 4.0
#define MICRO 32.0

static double at_stage(csz_field field, size_t stage)
{
    return figure_at(&asked, field, stage);
}

/* Four stages of two layers, 32 micro-batches: T of a stage and W from 1F1B and ZB-H1, whose
 * bubbles are 3 T and 3 (T - 2 W). The V has 3 / 2 (T - 3 W), with a second transfer in T; its
 * first stage holds both ends of the model, and every stage as many activations as 1F1B's first
 * one. */
START_TEST(a_v_halves_the_bubble_of_h2)
{
    double t, w, more, kept;
    ask("", "accelerators=4", "stack=megatron pp=4 recompute=full");
    t = of(CSZ_ESTIMATE_STEP_BUBBLE) / 3;
    more = of(CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC);
    kept = 2 * 2 * SEQUENCE * HIDDEN; /* inputs of two layers */
    ask("", "accelerators=4", "stack=megatron pp=4 recompute=full schedule=zb_h1");
    w = (t - of(CSZ_ESTIMATE_STEP_BUBBLE) / 3) / 2;
    ask("", "accelerators=4", "stack=megatron pp=4 recompute=full schedule=zb_v");
    equal(of(CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC), 2 * more, "volume");
    equal(of(CSZ_ESTIMATE_STEP_BUBBLE), 1.5 * (t + more / MICRO - 3 * w), "bubble");
    terms_sum();
    for (size_t stage = 0; stage < 4; stage++) {
        ck_assert_double_eq(at_stage(CSZ_ESTIMATE_STAGE_LAYERS, stage), 2);
        ck_assert_double_eq(at_stage(CSZ_ESTIMATE_STAGE_IN_FLIGHT, stage), STAGES);
    }
    equal(at_stage(CSZ_ESTIMATE_STAGE_ACTIVATIONS, 3), STAGES * kept, "in flight");
    equal(at_stage(CSZ_ESTIMATE_STAGE_PARAMETERS, 0) - at_stage(CSZ_ESTIMATE_STAGE_PARAMETERS, 1),
          2 * 32000 * HIDDEN + HIDDEN, "embedding, output layer and last norm");
    ask("", "accelerators=4", "stack=megatron pp=4 recompute=full schedule=zb_v vpp=2");
    equal(of(CSZ_ESTIMATE_STEP_BUBBLE), 1.5 * (t + more / MICRO - 3 * w), "chunks said");
}
END_TEST

/* Both directions: 2 + 2 layers a stage, all parameters twice, p + 1 activations of two layers, and
 * optimizer states shared by the two copies. The bubble of two stages is none; of four, T + B - 3
 * W: recomputation R is in both T and B. */
START_TEST(dualpipe_holds_the_model_twice)
{
    static const char plan[] = "stack=megatron pp=4 zero=1 recompute=full schedule=dualpipe";
    double total = 0, master, bubble, recompute;
    ask("", "accelerators=4", "stack=megatron pp=4 zero=1 recompute=full");
    master = at_stage(CSZ_ESTIMATE_STAGE_MASTER, 1);
    ask("", "accelerators=4", plan);
    for (size_t stage = 0; stage < 4; stage++) {
        ck_assert_double_eq(at_stage(CSZ_ESTIMATE_STAGE_LAYERS, stage), 4);
        total += at_stage(CSZ_ESTIMATE_STAGE_PARAMETERS, stage);
    }
    equal(total, 2 * of(CSZ_ESTIMATE_PARAMETERS_TOTAL), "two copies");
    equal(at_stage(CSZ_ESTIMATE_STAGE_MASTER, 1), master, "shared by the copies");
    equal(at_stage(CSZ_ESTIMATE_STAGE_ACTIVATIONS, 1), (STAGES + 1) * 2 * 2 * SEQUENCE * HIDDEN,
          "in flight");
    terms_sum();
    bubble = of(CSZ_ESTIMATE_STEP_BUBBLE);
    recompute = of(CSZ_ESTIMATE_STEP_RECOMPUTE) / MICRO;
    ask("", "accelerators=4", "stack=megatron pp=4 zero=1 schedule=dualpipe");
    equal(bubble - of(CSZ_ESTIMATE_STEP_BUBBLE), 2 * recompute, "T + B - 3 W");
    /* Half of the layers computed again: of two a stage one, of four two. */
    ask("", "accelerators=4", "stack=megatron pp=4 recompute=full recompute_layers=1");
    recompute = of(CSZ_ESTIMATE_FLOPS_RECOMPUTE);
    ask("", "accelerators=4",
        "stack=megatron pp=4 recompute=full recompute_layers=2 schedule=dualpipe");
    equal(of(CSZ_ESTIMATE_FLOPS_RECOMPUTE), recompute, "each token once");
    ask("", "accelerators=2", "stack=megatron pp=2 schedule=dualpipe");
    ck_assert_double_eq(of(CSZ_ESTIMATE_STEP_BUBBLE), 0);
}
END_TEST

/* Expert traffic behind the pass of the other direction: gone where computation is slow. */
START_TEST(dualpipe_hides_expert_traffic)
{
    static const char experts[] = "experts=8 experts_per_token=2 expert_ffn=1024 ffn=0";
    double exposed;
    ask(experts, "accelerators=16", "stack=megatron pp=2 ep=8");
    exposed = of(CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC);
    ask(experts, "accelerators=16 peak_bf16=1e15", "stack=megatron pp=2 ep=8 schedule=dualpipe");
    ck_assert_double_lt(of(CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC), exposed);
    terms_sum();
    ask(experts, "accelerators=16 peak_bf16=1e12", "stack=megatron pp=2 ep=8 schedule=dualpipe");
    ck_assert_double_eq(of(CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC), 0);
}
END_TEST

START_TEST(schedules_are_refused_by_shape)
{
    refused("", "accelerators=3", "stack=megatron pp=3 schedule=dualpipe", CSZ_PLAN_SCHEDULE,
            CSZ_REASON_VIRTUAL, "needs an even pipeline_parallel, not 3; choose 4");
    refused("global_batch=6", "accelerators=4", "stack=megatron pp=4 schedule=dualpipe",
            CSZ_PLAN_SCHEDULE, CSZ_REASON_MICRO_BATCHES, "at least 8 for 4 stages, not 6");
    refused("global_batch=9", "accelerators=4", "stack=megatron pp=4 schedule=dualpipe",
            CSZ_PLAN_SCHEDULE, CSZ_REASON_MICRO_BATCHES, "an even number of micro-batches");
    refused("", "accelerators=8", "stack=fsdp-eager pp=4 zero=3 schedule=dualpipe",
            CSZ_PLAN_SCHEDULE, CSZ_REASON_STACK, "choose sharding=none or optimizer");
    refused("", "accelerators=4", "stack=legacy pp=4 schedule=dualpipe", CSZ_PLAN_SCHEDULE,
            CSZ_REASON_STACK, "dualpipe is not available on stack legacy; stacks that have it: ");
    refused("", "accelerators=4", "stack=nanotron pp=4 schedule=dualpipe", CSZ_PLAN_SCHEDULE,
            CSZ_REASON_STACK,
            "stacks that have it: megatron, megatron-graph, fsdp-eager, fsdp-compiled");
    refused("", "accelerators=4", "stack=megatron pp=4 schedule=zb_v vpp=4",
            CSZ_PLAN_VIRTUAL_PIPELINE, CSZ_REASON_VIRTUAL, "zb_v has 2 chunks on each stage");
    refused("", "accelerators=4", "stack=megatron pp=4 schedule=zb_v first_stage_layers=1",
            CSZ_PLAN_FIRST_STAGE_LAYERS, CSZ_REASON_LAYOUT, "the first stage is the last one too");
    refused("", "accelerators=1", "stack=megatron schedule=zb_v", CSZ_PLAN_SCHEDULE,
            CSZ_REASON_VIRTUAL, "zb_v needs pipeline_parallel above 1");
    refused("global_batch=2", "accelerators=4", "stack=megatron pp=4 schedule=zb_v",
            CSZ_PLAN_PIPELINE_PARALLEL, CSZ_REASON_MICRO_BATCHES, "only 2 micro-batches");
}
END_TEST

/* ---- Layouts ---- */

static void layers_are(const double *layers, size_t stages)
{
    for (size_t i = 0; i < stages; i++)
        ck_assert_msg(at_stage(CSZ_ESTIMATE_STAGE_LAYERS, i) >= layers[i] &&
                          at_stage(CSZ_ESTIMATE_STAGE_LAYERS, i) <= layers[i],
                      "stage %zu: %g layers", i, at_stage(CSZ_ESTIMATE_STAGE_LAYERS, i));
}

/* 8 layers and both ends are 10 slots: 2 on each of 5 stages, or 1 on each of 10 chunks, of which
 * the first and the last are taken; the embedding alone makes 9. */
START_TEST(ends_count_as_layers)
{
    static const double uneven[] = {1, 2, 2, 2, 1}, first[] = {2, 3, 3};
    double time;
    ask("", "accelerators=5", "stack=megatron pp=5 embedding_counts=yes loss_counts=yes");
    layers_are(uneven, 5);
    time = of(CSZ_ESTIMATE_STEP_TIME);
    ask("", "accelerators=5", "stack=megatron pp=5 first_stage_layers=1 last_stage_layers=1");
    equal(of(CSZ_ESTIMATE_STEP_TIME), time, "the same, said in layers");
    ask("global_batch=30", "accelerators=5",
        "stack=megatron pp=5 vpp=2 embedding_counts=yes loss_counts=yes");
    layers_are(uneven, 5);
    ask("", "accelerators=3", "stack=megatron pp=3 embedding_counts=yes");
    layers_are(first, 3);
    ask("", "accelerators=1", "stack=megatron embedding_counts=yes loss_counts=yes");
    ck_assert_double_eq(at_stage(CSZ_ESTIMATE_STAGE_LAYERS, 0), LAYERS);
}
END_TEST

/* DeepSeek-V3 as Megatron-LM's documentation lays it out on 16 stages of two chunks: 3 + 2 layers
 * on the first, 4 on 13 of them, 2 and the prediction layer, 2 and the output layer. */
START_TEST(layouts_are_written_out)
{
    static const double stages[] = {5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2};
    double time, layer;
    question_set(&asked,
                 "model=deepseek-v3 prediction_layers=1 sequence_length=4096 global_batch=1024",
                 "accelerator=h100-sxm-80gb accelerators=1024",
                 "stack=megatron pp=16 ep=64 pipeline_layout=Et*3|(tt|)*29,m|L");
    question_compute(&asked, CSZ_DEPTH_FIT);
    layers_are(stages, 16);
    /* One chunk a stage, as by other fields. */
    ask("", "accelerators=4", "stack=megatron pp=4 first_stage_layers=1 last_stage_layers=1");
    time = of(CSZ_ESTIMATE_STEP_TIME);
    ask("", "accelerators=4", "stack=megatron pp=4 pipeline_layout=Et|t*3|(ttt|)*1tL");
    equal(of(CSZ_ESTIMATE_STEP_TIME), time, "the same, said in layers");
    /* A prediction layer on its own: a layer, the projection of 2 h to h, three norms, and the
     * embedding. */
    ask("prediction_layers=1", "accelerators=6",
        "stack=megatron pp=6 pipeline_layout=Ett|tt|tt|tt|m|L");
    layer = at_stage(CSZ_ESTIMATE_STAGE_PARAMETERS, 1) / 2;
    equal(at_stage(CSZ_ESTIMATE_STAGE_PARAMETERS, 4),
          layer + 2 * HIDDEN * HIDDEN + 3 * HIDDEN + 32000 * HIDDEN, "prediction layer");
    equal(at_stage(CSZ_ESTIMATE_STAGE_PARAMETERS, 5), 32000 * HIDDEN + HIDDEN, "output layer");
    terms_sum();
}
END_TEST

START_TEST(layouts_are_refused_where_they_do_not_add_up)
{
    static const struct {
        const char *plan;
        csz_field field;
        const char *part;
    } cases[] = {
        {"pp=4 embedding_counts=yes", CSZ_PLAN_EMBEDDING_COUNTS,
         "makes 9 of 8 layers, which 4 chunks do not divide"},
        {"pp=4 loss_counts=yes", CSZ_PLAN_LOSS_COUNTS, "loss_counts: yes makes 9 of 8 layers"},
        {"pp=4 loss_counts=yes first_stage_layers=1", CSZ_PLAN_EMBEDDING_COUNTS,
         "contradicts first_stage_layers"},
        {"pp=4 loss_counts=yes pipeline_layout=Ett|tt|tt|ttL", CSZ_PLAN_PIPELINE_LAYOUT,
         "contradicts embedding_counts"},
        {"pp=4 pipeline_layout=Ett|tt|tttL", CSZ_PLAN_PIPELINE_LAYOUT,
         "its chunks, 3, are no multiple of pipeline_parallel=4"},
        {"pp=2 vpp=4 pipeline_layout=Ett|tt|tt|ttL", CSZ_PLAN_VIRTUAL_PIPELINE,
         "virtual_pipeline: 4, but pipeline_layout has 2 chunks a stage"},
        {"pp=4 pipeline_layout=Ett|tt|tt|tL", CSZ_PLAN_PIPELINE_LAYOUT,
         "7 t and 0 m, but the model has 8 layers and 0 prediction layers"},
        {"pp=4 pipeline_layout=tt|tt|tt|ttL", CSZ_PLAN_PIPELINE_LAYOUT, "needs one E"},
        {"pp=4 pipeline_layout=Ett|tt|ttttL|", CSZ_PLAN_PIPELINE_LAYOUT, "one L in the last"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char machines[40];
        int pp = cases[i].plan[3] - '0';
        (void)snprintf(machines, sizeof machines, "accelerators=%d", pp);
        refused("", machines, cases[i].plan, cases[i].field, CSZ_REASON_LAYOUT, cases[i].part);
    }
    ck_assert_int_eq(csz_plan_set(asked.plan, "pipeline_layout=Ett|x"), CSZ_ERR_SYNTAX);
    ck_assert_int_eq(csz_goal_limit(asked.goal, CSZ_PLAN_PIPELINE_LAYOUT, 1, 1), CSZ_ERR_FIELD);
}
END_TEST

/* ---- Muon ---- */

/* Five iterations of 4 n m^2 + 2 m^3 (Jordan et al. 2024). */
static double iterations(double n, double m)
{
    return 5 * (4 * n * m * m + 2 * m * m * m);
}

/* The matrices of a layer: queries, keys and values 1024 x 2048, output 1024 x 1024, gate and up
 * 1024 x 8192, down 4096 x 1024. Against an optimizer with as many moments; two tensor ranks
 * hold halves, eight owners an eighth, and more owners than matrices one each. */
START_TEST(muon_multiplies_whole_matrices)
{
    double rate = 3e14 * cszi_family_find("unfitted")->gemm16, bytes;
    double layer = iterations(2048, HIDDEN) + iterations(HIDDEN, HIDDEN) +
                   iterations(2 * FFN, HIDDEN) + iterations(FFN, HIDDEN);
    static const char *const plans[] = {"stack=megatron", "stack=megatron tp=2",
                                        "stack=megatron zero=1"};
    const double flops[] = {LAYERS * layer,
                            LAYERS * (iterations(1024, HIDDEN) + iterations(HIDDEN, HIDDEN / 2) +
                                      iterations(FFN, HIDDEN) + iterations(FFN / 2, HIDDEN)),
                            LAYERS * layer / 8};
    for (size_t i = 0; i < 3; i++) {
        double mfu, time;
        ask("optimizer=momentum", "accelerators=8", plans[i]);
        bytes = of(CSZ_ESTIMATE_STEP_OPTIMIZER);
        mfu = of(CSZ_ESTIMATE_STEP_MFU);
        time = of(CSZ_ESTIMATE_STEP_TIME);
        ask("optimizer=muon", "accelerators=8", plans[i]);
        equal(of(CSZ_ESTIMATE_STEP_OPTIMIZER) - bytes, flops[i] / rate, plans[i]);
        equal(of(CSZ_ESTIMATE_STEP_MFU) * of(CSZ_ESTIMATE_STEP_TIME), mfu * time, "not in MFU");
        terms_sum();
    }
    ask("optimizer=momentum global_batch=64", "accelerators=64", "stack=megatron zero=1");
    bytes = of(CSZ_ESTIMATE_STEP_OPTIMIZER);
    ask("optimizer=muon global_batch=64", "accelerators=64", "stack=megatron zero=1");
    equal(of(CSZ_ESTIMATE_STEP_OPTIMIZER) - bytes, iterations(2 * FFN, HIDDEN) / rate, "one each");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parallel");
    TCase *c = tcase_create("parallel");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, a_gather_of_keys_and_values_is_exposed);
    tcase_add_test(c, ulysses_exchanges_heads);
    tcase_add_test(c, a_hierarchy_exchanges_inside_and_rings_across);
    tcase_add_test(c, context_kinds_are_refused_by_heads_and_stack);
    tcase_add_test(c, a_v_halves_the_bubble_of_h2);
    tcase_add_test(c, dualpipe_holds_the_model_twice);
    tcase_add_test(c, dualpipe_hides_expert_traffic);
    tcase_add_test(c, schedules_are_refused_by_shape);
    tcase_add_test(c, ends_count_as_layers);
    tcase_add_test(c, layouts_are_written_out);
    tcase_add_test(c, layouts_are_refused_where_they_do_not_add_up);
    tcase_add_test(c, muon_multiplies_whole_matrices);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
