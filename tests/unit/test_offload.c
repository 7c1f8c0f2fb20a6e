/* test_offload.c: what offload, recomputed modules, shard groups and methods of fine-tuning cost a
 * step, by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "question.h"

#define HIDDEN 1024.0
#define FFN 4096.0
#define LAYERS 8.0
#define SEQUENCE 2048.0
#define BANDWIDTH 2e12 /* B/s of memory */
#define LINK 300e9     /* B/s inside a node */
#define NETWORK 50e9   /* B/s between nodes */

static const char model[] =
    "hidden=1024 vocab=32000 layers=8 heads=8 ffn=4096 sequence_length=2048 global_batch=32 "
    "weight_format=bf16 gradient_format=bf16 master_format=fp32";
static const char cluster[] =
    "memory=80GB memory_bandwidth=2e12 peak_bf16=3e14 link_bandwidth=300e9 "
    "scale_up_domain=8 accelerators_per_node=8 scale_out_bandwidth=50e9";

static question asked;

static void setup(void)
{
    question_open(&asked);
}

static void teardown(void)
{
    question_close(&asked);
}

/* link: of the host; "": as it is found. */
static void ask(const char *workload, int ranks, const char *link, const char *plan)
{
    char text[600], machines[400];
    teardown();
    setup();
    (void)snprintf(text, sizeof text, "%s %s", model, workload);
    (void)snprintf(machines, sizeof machines, "%s accelerators=%d host_memory=4TB %s", cluster,
                   ranks, link);
    question_set(&asked, text, machines, plan);
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

/* What a micro-batch computes and sends, of a job of one stage, times micro-batches. */
static double computation(void)
{
    static const csz_field terms[] = {
        CSZ_ESTIMATE_STEP_MATRICES,        CSZ_ESTIMATE_STEP_ATTENTION,
        CSZ_ESTIMATE_STEP_POINTWISE,       CSZ_ESTIMATE_STEP_RECOMPUTE,
        CSZ_ESTIMATE_STEP_LOGITS,          CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC,
        CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC, CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC};
    double sum = 0;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        sum += of(terms[i]);
    return sum;
}

static int is_noted(csz_note note)
{
    csz_note at = CSZ_NOTE_MAX_ENUM;
    for (size_t i = 0; at != CSZ_NOTE_NONE; i++) {
        at = csz_estimate_note_at(asked.estimate, i);
        if (at == note)
            return 1;
    }
    return 0;
}

static void terms_sum(void)
{
    double sum = 0;
    for (int field = CSZ_ESTIMATE_STEP_MATRICES; field <= (int)CSZ_ESTIMATE_STEP_OFFLOAD; field++)
        sum += of((csz_field)field);
    equal(sum, of(CSZ_ESTIMATE_STEP_TIME), "terms");
}

/* ---- Offload ---- */

/* ZeRO-1 over 8 ranks: each sends 2 bytes of gradients down and 2 of weights up a parameter that it
 * owns, and its eighth of the host's memory moves 2 + 2 x 4 + 2 x 8 + 2 = 28 (Ren et al. 2021,
 * sections 4.2 and 5.1; the rate is that of their table 4). Drives read and write 12. */
START_TEST(an_offloaded_optimizer_takes_link_and_host)
{
    double memory = cszi_operation_find("host-memory-other")->value / 8;
    double drives = cszi_operation_find("host-drives-other")->value / 8, owned, device;
    ask("", 8, "", "stack=deepspeed zero=1");
    owned = of(CSZ_ESTIMATE_PARAMETERS_TRAINED) / 8;
    device = of(CSZ_ESTIMATE_STEP_OPTIMIZER);
    equal(device, 28 * owned / (BANDWIDTH * cszi_stack_find("deepspeed")->memory_share), "device");
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD), 0, "none");
    ck_assert(!is_noted(CSZ_NOTE_OFFLOAD_TIME));
    ask("", 8, "host_link_bandwidth=20e9", "stack=deepspeed zero=1 offload_optimizer=1");
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD), 4 * owned / 20e9 + 28 * owned / memory, "all");
    equal(of(CSZ_ESTIMATE_STEP_OPTIMIZER), 0, "nothing stays");
    ck_assert(is_noted(CSZ_NOTE_OFFLOAD_TIME));
    terms_sum();
    ask("", 8, "host_link_bandwidth=20e9", "stack=deepspeed zero=1 offload_optimizer=0.25");
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD), (4 * owned / 20e9 + 28 * owned / memory) / 4, "a quarter");
    equal(of(CSZ_ESTIMATE_STEP_OPTIMIZER), device * 3 / 4, "three quarters");
    ask("", 8, "host_link_bandwidth=20e9",
        "stack=deepspeed zero=1 offload_optimizer=1 offload_target=nvme");
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD),
          4 * owned / 20e9 + 28 * owned / memory + 24 * owned / drives, "drives");
}
END_TEST

/* The link is that of the accelerator, of its family, or a usual one. */
START_TEST(a_link_is_found_by_accelerator_and_family)
{
    static const struct {
        const char *cluster;
        const char *row;
    } cases[] = {{"accelerator=h100-sxm-80gb accelerators=8 host_memory=4TB", "host-link-hopper"},
                 {"accelerator=gh200-96gb accelerators=8 scale_out_bandwidth=50e9 host_memory=4TB",
                  "host-link-gh200-96gb"},
                 {"accelerator=a100-sxm-80gb accelerators=8 host_memory=4TB", "host-link-other"},
                 {"accelerator=v100-sxm2-32gb accelerators=8 host_memory=4TB", "host-link-volta"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char fp16[400];
        double times[2], link = cszi_operation_find(cases[i].row)->value, owned;
        (void)snprintf(fp16, sizeof fp16, "%s compute_format=fp16", model);
        for (int twice = 0; twice < 2; twice++) {
            char text[160];
            (void)snprintf(text, sizeof text, "%s host_link_bandwidth=%.17g", cases[i].cluster,
                           2 * link);
            teardown();
            setup();
            question_set(&asked, fp16, twice ? text : cases[i].cluster,
                         "stack=deepspeed zero=1 offload_optimizer=1");
            question_compute(&asked, CSZ_DEPTH_STEP);
            times[twice] = of(CSZ_ESTIMATE_STEP_OFFLOAD);
        }
        owned = of(CSZ_ESTIMATE_PARAMETERS_TRAINED) / 8;
        equal(times[0] - times[1], 4 * owned / (2 * link), cases[i].row);
    }
}
END_TEST

/* Weights up before either pass and gradients down, 2 x 2 + 2 bytes of a rank's eighth a
 * micro-batch, less what the computation hides; states on the accelerator cross once more. */
START_TEST(offloaded_parameters_come_up_for_each_pass)
{
    double owned, m;
    ask("", 8, "host_link_bandwidth=1e8", "stack=deepspeed zero=3 offload_parameters=yes");
    owned = of(CSZ_ESTIMATE_PARAMETERS_TRAINED) / 8;
    m = of(CSZ_ESTIMATE_BATCH_MICRO_BATCHES);
    ck_assert_double_eq(m, 4);
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD), m * 6 * owned / 1e8 - computation() + 4 * owned / 1e8,
          "both passes");
    ask("", 8, "host_link_bandwidth=1e8",
        "stack=deepspeed zero=3 offload_parameters=yes reshard=no offload_optimizer=1");
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD),
          m * 4 * owned / 1e8 - computation() +
              28 * owned / (cszi_operation_find("host-memory-other")->value / 8),
          "one pass, states beside them");
    ask("", 8, "host_link_bandwidth=1e15", "stack=deepspeed zero=3 offload_parameters=yes");
    ck_assert_double_lt(of(CSZ_ESTIMATE_STEP_OFFLOAD), 1e-6); /* hidden */
}
END_TEST

/* Inputs of all layers but two, 2 s b h bytes each, down and up for each of 4 micro-batches. */
START_TEST(offloaded_activations_hide_behind_computation)
{
    double bytes = 2 * 4 * 2 * SEQUENCE * HIDDEN * (LAYERS - 2), host;
    static const char plan[] = "stack=fsdp-eager zero=3 recompute=full offload_activations=yes";
    ask("", 8, "host_link_bandwidth=1e8", plan);
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD), bytes / 1e8 - computation(), "exposed");
    terms_sum();
    ask("", 8, "host_link_bandwidth=1e12", plan);
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD), 0, "hidden");
    host = of(CSZ_ESTIMATE_HOST_OFFLOAD);
    ask("", 8, "host_link_bandwidth=1e8",
        "stack=fsdp-eager zero=3 recompute=full offload_activations=yes "
        "offload_activation_layers=3");
    equal(of(CSZ_ESTIMATE_STEP_OFFLOAD), bytes * 3 / 6 / 1e8 - computation(), "three layers");
    equal(of(CSZ_ESTIMATE_HOST_OFFLOAD), host * 3 / 6, "on the host");
}
END_TEST

/* ---- Recomputation ---- */

/* A token's forward FLOPs of the modules, from the published shapes: DeepSeek-V3 has 3 dense layers
 * and 58 of 8 + 1 experts out of 256, queries of rank 1,536 and keys and values of rank 512. */
START_TEST(modules_count_their_own_products)
{
    static const double h = 7168, up = 128 * (1536.0 * 192 + 512.0 * 256);
    static const double experts = 7168.0 * 256 + 3 * 7168.0 * 2048 * 9;
    const struct {
        const char *plan;
        double flops;
    } cases[] = {
        {"recompute=none", 0},
        {"recompute_norm=yes recompute_activation=yes", 0},
        {"recompute_latent=yes", 61 * 2 * up},
        {"recompute_mlp=yes", 3 * 2 * 3 * h * 18432},
        {"recompute_experts=yes", 58 * 2 * experts},
        {"recompute_experts=yes recompute_mlp=yes recompute_activation=yes",
         58 * 2 * experts + 3 * 2 * 3 * h * 18432},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        teardown();
        setup();
        question_set(&asked, "model=deepseek-v3 prediction_layers=0", "", cases[i].plan);
        question_compute(&asked, CSZ_DEPTH_MODEL);
        equal(of(CSZ_ESTIMATE_FLOPS_RECOMPUTE), cases[i].flops, cases[i].plan);
    }
}
END_TEST

/* Gate, up and down of h x f each: 6 h f a token; the attention core adds 4 h (s + 1) / 2. A full
 * layer has the projections, 8 h^2, besides. Modules within full recomputation add nothing, those
 * of layers outside it do. */
START_TEST(full_recomputation_covers_some_layers)
{
    static const double mlp = 6 * HIDDEN * FFN, core = 2 * HIDDEN * (SEQUENCE + 1),
                        layer = 8 * HIDDEN * HIDDEN + 6 * HIDDEN * FFN + core;
    const struct {
        const char *plan;
        double flops;
    } cases[] = {
        {"recompute=selective recompute_mlp=yes", LAYERS * (mlp + core)},
        {"recompute=full recompute_mlp=yes", LAYERS * layer},
        {"recompute=full recompute_layers=3", 3 * layer},
        {"recompute=full recompute_layers=3 recompute_mlp=yes", 3 * layer + (LAYERS - 3) * mlp},
        {"recompute=full recompute_layers=2 pp=2", 4 * layer},
        /* every second product: keys, output and up */
        {"stack=fsdp-compiled recompute=operations",
         LAYERS * (4 * HIDDEN * HIDDEN + 2 * HIDDEN * FFN)},
        {"recompute=full recompute_layers=99 pp=2", LAYERS * layer},
    };
    double full;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ask("", 8, "", cases[i].plan);
        equal(of(CSZ_ESTIMATE_FLOPS_RECOMPUTE), cases[i].flops, cases[i].plan);
    }
    full = of(CSZ_ESTIMATE_STEP_RECOMPUTE);
    ask("", 8, "", "recompute=full recompute_layers=3 pp=2");
    equal(of(CSZ_ESTIMATE_STEP_RECOMPUTE), full * 3 / 4, "time of 3 of 4 layers a stage");
    terms_sum();
}
END_TEST

/* Norms read and write h in 16 bit, twice a layer; the activation function reads 2 f and writes f.
 */
START_TEST(norms_and_activation_functions_take_memory_time)
{
    const cszi_stack *s = cszi_stack_find("megatron");
    double rate = BANDWIDTH * s->memory_share / s->pointwise, kernels = LAYERS * 4, mlp;
    ask("", 8, "", "stack=megatron recompute_norm=yes");
    equal(of(CSZ_ESTIMATE_STEP_RECOMPUTE), kernels * (2 * s->launch + 8 * HIDDEN * SEQUENCE / rate),
          "norms");
    ask("", 8, "", "stack=megatron recompute_activation=yes");
    equal(of(CSZ_ESTIMATE_STEP_RECOMPUTE), kernels * (s->launch + 6 * FFN * SEQUENCE / rate),
          "activation function");
    ask("", 8, "", "stack=megatron recompute_mlp=yes");
    mlp = of(CSZ_ESTIMATE_STEP_RECOMPUTE);
    ask("", 8, "", "stack=megatron recompute_mlp=yes recompute_activation=yes");
    equal(of(CSZ_ESTIMATE_STEP_RECOMPUTE), mlp, "once");
    ask("", 8, "", "stack=megatron recompute=full");
    ck_assert_double_lt(mlp, of(CSZ_ESTIMATE_STEP_RECOMPUTE));
}
END_TEST

/* ---- Shard groups ---- */

/* 16 ranks on two nodes in groups of 8, ZeRO-1: gradients are scattered and weights gathered at the
 * link's rate, 7 / 8 of 2 bytes; the two owners of a shard reduce 2 / 8 bytes, half of it each way,
 * at the network's. */
START_TEST(a_shard_group_keeps_gathers_inside)
{
    const cszi_stack *s = cszi_stack_find("legacy");
    double p, link = LINK * s->link_share, network = NETWORK * s->nic_share, one;
    ask("", 16, "", "stack=legacy zero=1 shard_group=8");
    p = of(CSZ_ESTIMATE_PARAMETERS_TRAINED);
    one = s->latency_in + 2 * p * 7 / 8 / link;
    equal(of(CSZ_ESTIMATE_STEP_DATA_TRAFFIC),
          2 * one + s->latency_in + 2 * s->latency_out + 2 * (2 * p / 8) / 2 / network, "groups");
    one = s->latency_in + 2 * s->latency_out + 2 * p * 15 / 16 / fmin(link, 8 * network);
    ask("", 16, "", "stack=legacy zero=1");
    equal(of(CSZ_ESTIMATE_STEP_DATA_TRAFFIC), 2 * one, "one group");
    ask("", 16, "", "stack=legacy zero=1 shard_group=16");
    equal(of(CSZ_ESTIMATE_STEP_DATA_TRAFFIC), 2 * one, "the same, said");
}
END_TEST

/* ---- Methods and adapters ---- */

/* A frozen reference is one more forward pass; PPO has four models of which two learn; a reward
 * model has no logits. */
START_TEST(methods_pass_other_models)
{
    double forward, backward, head, matrices;
    ask("", 8, "", "stack=deepspeed");
    forward = of(CSZ_ESTIMATE_FLOPS_FORWARD);
    backward = of(CSZ_ESTIMATE_FLOPS_BACKWARD);
    matrices = of(CSZ_ESTIMATE_STEP_MATRICES);
    head = 2 * HIDDEN * 32000;
    ask("job=finetune method=pairs", 8, "", "stack=deepspeed");
    equal(of(CSZ_ESTIMATE_FLOPS_FORWARD), forward, "pairs");
    ask("job=finetune method=dpo", 8, "", "stack=deepspeed");
    equal(of(CSZ_ESTIMATE_FLOPS_FORWARD), 2 * forward, "dpo forward");
    equal(of(CSZ_ESTIMATE_FLOPS_BACKWARD), backward, "dpo backward");
    ck_assert_double_gt(of(CSZ_ESTIMATE_STEP_MATRICES), 1.2 * matrices);
    ck_assert_double_lt(of(CSZ_ESTIMATE_STEP_MATRICES), 1.5 * matrices);
    terms_sum();
    ask("job=finetune method=ppo", 8, "", "stack=deepspeed");
    equal(of(CSZ_ESTIMATE_FLOPS_FORWARD), 4 * forward - 2 * head, "ppo forward");
    equal(of(CSZ_ESTIMATE_FLOPS_BACKWARD), 2 * backward - 2 * head, "ppo backward");
    ask("job=finetune method=reward", 8, "", "stack=deepspeed");
    equal(of(CSZ_ESTIMATE_FLOPS_FORWARD), forward - head, "reward");
}
END_TEST

/* Adapters of queries and values, r (h + h) each: forward 2 FLOPs a parameter, backward 4. */
START_TEST(adapters_of_queries_and_values)
{
    double flops, matrices;
    static const char plan[] = "stack=fsdp-eager";
    ask("job=lora lora_targets=query_value lora_rank=16", 8, "", plan);
    equal(of(CSZ_ESTIMATE_PARAMETERS_TRAINED), LAYERS * 2 * 16 * 2 * HIDDEN, "parameters");
    flops = of(CSZ_ESTIMATE_FLOPS_PER_TOKEN);
    matrices = of(CSZ_ESTIMATE_STEP_MATRICES);
    ask("job=lora lora_targets=query_value lora_rank=32", 8, "", plan);
    equal(of(CSZ_ESTIMATE_FLOPS_PER_TOKEN) - flops, 6 * LAYERS * 2 * 16 * 2 * HIDDEN, "FLOPs");
    ask("job=lora lora_targets=attention lora_rank=16", 8, "", plan);
    ck_assert_double_gt(matrices, of(CSZ_ESTIMATE_STEP_MATRICES) * 0.9);
    ck_assert_double_lt(matrices, of(CSZ_ESTIMATE_STEP_MATRICES) * 1.1);
}
END_TEST

/* ---- Readers ---- */

/* What a launch says is what the plan says in its own JSON, and what the estimate counts. */
START_TEST(launches_come_back_from_json)
{
    static const struct {
        csz_source source;
        const char *text;
        const char *expected;
    } cases[] = {
        {CSZ_SOURCE_MEGATRON,
         "--recompute-granularity selective --recompute-modules core_attn layernorm moe_act "
         "--optimizer-cpu-offload --optimizer-offload-fraction 0.5 --cross-entropy-loss-fusion",
         "recompute=selective recompute_norm=yes recompute_activation=yes offload_optimizer=0.5 "
         "loss_kernel=fused stack=megatron"},
        {CSZ_SOURCE_DEEPSPEED,
         "{\"zero_optimization\": {\"stage\": 3, \"offload_optimizer\": {\"device\": \"nvme\"}, "
         "\"offload_param\": {\"device\": \"nvme\"}, \"mics_shard_size\": 8, "
         "\"reduce_bucket_size\": 1e8}}",
         "zero=3 offload_optimizer=1 offload_parameters=yes offload_target=nvme shard_group=8 "
         "bucket=2e8 stack=deepspeed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        csz_plan *read = csz_plan_new(NULL), *said = csz_plan_new(NULL);
        char a[1024], b[1024];
        const char *text = cases[i].text;
        ck_assert_msg(csz_plan_load(read, cases[i].source, text, strlen(text)) == CSZ_OK, "%s",
                      csz_plan_error(read, NULL));
        ck_assert_int_eq(csz_plan_set(said, cases[i].expected), CSZ_OK);
        ck_assert_uint_lt(csz_plan_to_json(read, a, sizeof a), sizeof a);
        ck_assert_uint_lt(csz_plan_to_json(said, b, sizeof b), sizeof b);
        ck_assert_str_eq(a, b);
        ck_assert_int_eq(csz_plan_load(said, CSZ_SOURCE_JSON, a, strlen(a)), CSZ_OK);
        csz_plan_free(read);
        csz_plan_free(said);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("offload");
    TCase *c = tcase_create("offload");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, an_offloaded_optimizer_takes_link_and_host);
    tcase_add_test(c, a_link_is_found_by_accelerator_and_family);
    tcase_add_test(c, offloaded_parameters_come_up_for_each_pass);
    tcase_add_test(c, offloaded_activations_hide_behind_computation);
    tcase_add_test(c, modules_count_their_own_products);
    tcase_add_test(c, full_recomputation_covers_some_layers);
    tcase_add_test(c, norms_and_activation_functions_take_memory_time);
    tcase_add_test(c, a_shard_group_keeps_gathers_inside);
    tcase_add_test(c, methods_pass_other_models);
    tcase_add_test(c, adapters_of_queries_and_values);
    tcase_add_test(c, launches_come_back_from_json);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
