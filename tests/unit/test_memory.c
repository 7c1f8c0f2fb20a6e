/* test_memory.c: moments, stacks, methods, offload and the host, by hand calculation and by order.
 */
#include <math.h>
#include <string.h>

#include "question.h"

#define GIB 1073741824.0
#define LLAMA_7B 6738415616.0 /* parameters (arXiv 2307.09288: 6.7B) */
#define LLAMA_7B_OUTSIDE (2 * 32000.0 * 4096 + 4096)

static void near(double got, double wanted, double share, const char *what)
{
    ck_assert_msg(fabs(got - wanted) <= share * fabs(wanted), "%s: got %.9g, wanted %.9g", what,
                  got, wanted);
}

/* One question: workload, cluster and plan as text; one figure. */
static double answer(const char *workload, const char *cluster, const char *plan, csz_field field)
{
    double value;
    question q;
    question_open(&q);
    question_set(&q, workload, cluster, plan);
    question_compute(&q, CSZ_DEPTH_FIT);
    value = figure(&q, field);
    question_close(&q);
    return value;
}

#define H100 "accelerator=h100-sxm-80gb accelerators=8 host_memory=2TB"
#define ONE "accelerator=h200-sxm-141gb accelerators=1 host_memory=2TB"
#define SMALL "model=llama-2-7b sequence_length=2048 global_batch=8 "

/* ---- Moments ---- */

static const struct {
    const char *workload;
    const char *cluster;
    const char *plan;
    csz_moment moment;
} moments[] = {
    /* Gradients exist from the backward pass on, and one token a step needs no activations: states
     * and the temporaries of an eager optimizer. */
    {"model=llama-2-7b job=finetune sequence_length=8 global_batch=8", H100, "stack=ddp",
     CSZ_MOMENT_OPTIMIZER},
    /* 128,256 logits a token at 14 bytes outweigh 28 layers' inputs. */
    {"model=llama-3.2-3b job=finetune sequence_length=8192 global_batch=8", H100,
     "stack=fsdp-eager zero=3 recompute=full", CSZ_MOMENT_LOSS},
    /* A first stage of a pipeline has no logits: its last layer's backward pass. */
    {"model=llama-3-70b sequence_length=4096 global_batch=64", H100,
     "stack=megatron tp=4 pp=2 zero=1", CSZ_MOMENT_FIRST_BACKWARD},
    /* A thousand sequences scored at once. */
    {"model=llama-2-7b job=lora sequence_length=2048 global_batch=8 evaluation_batch=64", H100,
     "stack=ddp recompute=full", CSZ_MOMENT_EVALUATION},
    /* PagedAdam holds nothing, released gradients neither; logits that are never whole: what is
     * left is a layer computed again. */
    {"model=llama-2-7b job=finetune optimizer=paged_adam_8bit sequence_length=4096 global_batch=1",
     ONE, "stack=ddp gradient_release=yes recompute=full loss_kernel=linear",
     CSZ_MOMENT_FIRST_BACKWARD},
};

START_TEST(the_peak_names_its_moment)
{
    double moment = answer(moments[_i].workload, moments[_i].cluster, moments[_i].plan,
                           CSZ_ESTIMATE_MEMORY_MOMENT);
    ck_assert_int_eq((int)moment, (int)moments[_i].moment);
}
END_TEST

/* The three figures are nested: allocated, reserved, driver; each with its band. */
START_TEST(three_figures_and_their_parts)
{
    static const csz_field ranges[] = {CSZ_ESTIMATE_MEMORY_ALLOCATED, CSZ_ESTIMATE_MEMORY_RESERVED,
                                       CSZ_ESTIMATE_MEMORY_TOTAL};
    double low[3], likely[3], high[3], sum = 0;
    question q;
    question_open(&q);
    question_set(&q, SMALL, H100, "stack=deepspeed zero=2");
    question_compute(&q, CSZ_DEPTH_FIT);
    for (int f = CSZ_ESTIMATE_MEMORY_WEIGHTS; f <= (int)CSZ_ESTIMATE_MEMORY_WORKSPACE; f++)
        sum += figure(&q, (csz_field)f);
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(
            csz_estimate_get_range(q.estimate, ranges[i], &low[i], &likely[i], &high[i]), CSZ_OK);
    near(sum, likely[0], 1e-12, "parts in use");
    near(likely[1] - likely[0], figure(&q, CSZ_ESTIMATE_MEMORY_FRAGMENTATION), 1e-6, "cache");
    near(likely[2] - likely[1], figure(&q, CSZ_ESTIMATE_MEMORY_CONTEXT), 1e-6, "context");
    for (size_t i = 0; i < 3; i++)
        ck_assert(low[i] < likely[i] && likely[i] < high[i]);
    ck_assert(low[0] < low[1] && low[1] < low[2] && high[0] < high[1] && high[1] < high[2]);
    question_close(&q);
}
END_TEST

/* ---- Methods ---- */

/* Bytes of weights on each of 8 ranks that share nothing: 2 bytes a parameter of each model. DPO
 * keeps a reference beside the policy, with adapters none; PPO trains a critic too and keeps a
 * reference and a reward model, with adapters a reward model and the critic's base. */
static const struct {
    const char *method;
    double full, lora; /* models of 2 bytes a parameter */
} methods[] = {{"supervised", 1, 1}, {"dpo", 2, 1}, {"pairs", 1, 1}, {"kto", 2, 1},
               {"reward", 1, 1},     {"ppo", 4, 3}, {"grpo", 2, 1},  {"distill", 2, 2}};

START_TEST(methods_bring_models)
{
    char workload[160];
    double adapters;
    (void)snprintf(workload, sizeof workload, SMALL "job=finetune method=%s", methods[_i].method);
    near(answer(workload, H100, "stack=megatron", CSZ_ESTIMATE_MEMORY_WEIGHTS),
         2 * LLAMA_7B * methods[_i].full, 1e-12, methods[_i].method);
    (void)snprintf(workload, sizeof workload, SMALL "job=lora lora_rank=1 method=%s",
                   methods[_i].method);
    adapters = answer(workload, H100, "stack=megatron", CSZ_ESTIMATE_PARAMETERS_TRAINED) *
               (strcmp(methods[_i].method, "ppo") == 0 ? 2 : 1);
    near(answer(workload, H100, "stack=megatron", CSZ_ESTIMATE_MEMORY_WEIGHTS),
         2 * (LLAMA_7B * methods[_i].lora + adapters), 1e-12, methods[_i].method);
}
END_TEST

/* NF4 with fp32 constants instead of double-quantized ones: 4 / 64 - (1 / 64 + 4 / (64 x 256))
 * bytes more a quantized parameter, which is 0.37 bits (Dettmers et al. 2023, section 3). */
START_TEST(double_quantization_saves_its_bits)
{
    double one = answer(SMALL "job=qlora frozen_format=nf4_single", H100, "stack=ddp",
                        CSZ_ESTIMATE_MEMORY_WEIGHTS);
    double two = answer(SMALL "job=qlora", H100, "stack=ddp", CSZ_ESTIMATE_MEMORY_WEIGHTS);
    near((one - two) * 8 / (LLAMA_7B - LLAMA_7B_OUTSIDE), 0.373, 2e-3, "bits a parameter");
}
END_TEST

/* Moments of optimizers a parameter: AdamW 8 bytes in fp32, 8-bit 2 and two scales of 4 bytes for
 * 256 values but 8 of the input embedding (Dettmers et al. 2022, section 2.3), Lion 4, Muon 4 but
 * Adam's outside the layers (Jordan et al. 2024), SGD and Adafactor none, paged none on the device.
 */
#define EMBEDDING (32000.0 * 4096)
static const struct {
    const char *name;
    double bytes;
    double apart; /* parameters that hold 8 */
} optimizers[] = {{"adamw", 8, 0},
                  {"adam_8bit", 2 + 8.0 / 256, EMBEDDING},
                  {"adam_4bit", 1 + 8.0 / 128, EMBEDDING},
                  {"lion", 4, 0},
                  {"muon", 4, LLAMA_7B_OUTSIDE},
                  {"momentum", 4, 0},
                  {"sgd", 0, 0},
                  {"adafactor", 0, 0},
                  {"paged_adam_8bit", 0, 0},
                  {"adamw state_format=bf16", 4, 0}};

START_TEST(optimizers_hold_their_moments)
{
    char workload[160];
    (void)snprintf(workload, sizeof workload,
                   "model=llama-2-7b job=finetune sequence_length=8 global_batch=8 optimizer=%s",
                   optimizers[_i].name);
    near(answer(workload, H100, "stack=ddp", CSZ_ESTIMATE_MEMORY_OPTIMIZER),
         (LLAMA_7B - optimizers[_i].apart) * optimizers[_i].bytes + optimizers[_i].apart * 8, 1e-9,
         optimizers[_i].name);
}
END_TEST

/* The step of eager AdamW has temporaries of one moment, 4 bytes a parameter; of the largest one,
 * the embedding and the output layer at most, when gradients are released one after the other; none
 * when it is one kernel. SGD needs none. */
START_TEST(temporaries_of_the_step)
{
    static const struct {
        const char *plan, *optimizer;
        double bytes;
    } steps[] = {{"", "adamw", 4 * LLAMA_7B},
                 {" optimizer_fused=yes", "adamw", 0},
                 {" gradient_release=yes", "adamw", 4 * LLAMA_7B_OUTSIDE},
                 {"", "sgd", 0}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char workload[160], plan[80];
        (void)snprintf(
            workload, sizeof workload,
            "model=llama-2-7b job=finetune sequence_length=8 global_batch=1 optimizer=%s",
            steps[i].optimizer);
        (void)snprintf(plan, sizeof plan, "stack=ddp%s", steps[i].plan);
        ck_assert_double_le(
            fabs(answer(workload, ONE, plan, CSZ_ESTIMATE_MEMORY_WORKSPACE) - steps[i].bytes),
            0.9e9); /* of 27e9: gradients of the output layer */
    }
}
END_TEST

/* ---- Copies ---- */

/* Buckets of DistributedDataParallel are as large as the gradients, where there is anyone to reduce
 * them with (its documentation of gradient_as_bucket_view). fp8 products keep a copy of 16-bit
 * weights, of frozen ones too, but none of weights that are in fp8 themselves. */
START_TEST(copies_stand_beside_what_they_copy)
{
    const char *frozen = SMALL "job=lora compute_format=fp8 frozen_format=";
    char workload[160];
    double eight = answer(SMALL "job=finetune", H100, "stack=ddp", CSZ_ESTIMATE_MEMORY_BUFFERS),
           one = answer("model=llama-2-7b job=finetune sequence_length=2048 global_batch=1", ONE,
                        "stack=ddp", CSZ_ESTIMATE_MEMORY_BUFFERS);
    near(eight - one, 4 * LLAMA_7B, 1e-12, "buckets");
    (void)snprintf(workload, sizeof workload, "%s%s", frozen, "fp8");
    ck_assert_double_le(answer(workload, H100, "stack=megatron", CSZ_ESTIMATE_MEMORY_BUFFERS), 2e8);
    (void)snprintf(workload, sizeof workload, "%s%s", frozen, "bf16");
    ck_assert_double_ge(answer(workload, H100, "stack=megatron", CSZ_ESTIMATE_MEMORY_BUFFERS),
                        LLAMA_7B);
}
END_TEST

/* Scores that are computed again stand in the backward pass beside their gradients: 4 heads a rank,
 * 65,536 squared, 2 bytes each. */
START_TEST(scores_come_back_in_the_backward_pass)
{
    const char *workload = "model=llama-3-8b sequence_length=65536 global_batch=1",
               *plan = "stack=legacy tp=8 attention_kernel=unfused recompute=selective";
    double scores = 4 * 65536.0 * 65536.0 * 2,
           workspace = answer(workload, H100, plan, CSZ_ESTIMATE_MEMORY_WORKSPACE);
    ck_assert_msg(workspace > 2 * scores && workspace < 2.1 * scores, "%g of %g", workspace,
                  2 * scores);
}
END_TEST

/* ---- Sharding ---- */

/* FSDP, fp32 shards over 8 ranks (Zhao et al. 2023, section 3.2). In the backward pass of a layer
 * the embedding, the output layer and 2 of 32 layers are gathered in 16 bit, with the gradient of
 * one layer on its way. Hybrid sharding over 2 ranks holds 4 times the shards. Weights that stay
 * gathered, as SHARD_GRAD_OP keeps them, are whole in 16 bit beside their shards; then the output
 * layer's backward pass needs most, whose unit has its gradient too. */
START_TEST(fsdp_by_hand)
{
    const char *workload = SMALL "job=finetune";
    double layer = (LLAMA_7B - LLAMA_7B_OUTSIDE) / 32;
    near(answer(workload, H100, "stack=fsdp-compiled zero=3", CSZ_ESTIMATE_MEMORY_GATHERED),
         2 * (LLAMA_7B_OUTSIDE + 2 * layer) + 2 * layer, 1e-12, "gathered");
    near(answer(workload, H100, "stack=fsdp-compiled zero=3", CSZ_ESTIMATE_MEMORY_WEIGHTS),
         LLAMA_7B * 4 / 8, 1e-12, "shards");
    near(answer(workload, H100, "stack=fsdp-compiled zero=3 shard_group=2",
                CSZ_ESTIMATE_MEMORY_WEIGHTS),
         LLAMA_7B * 4 / 2, 1e-12, "hybrid shards");
    near(answer(workload, H100, "stack=fsdp-compiled zero=3 reshard=no",
                CSZ_ESTIMATE_MEMORY_GATHERED),
         2 * LLAMA_7B + 2 * LLAMA_7B_OUTSIDE, 1e-12, "not resharded");
    ck_assert_double_eq(
        answer(workload, H100, "stack=fsdp-compiled zero=2", CSZ_ESTIMATE_MEMORY_TOTAL),
        answer(workload, H100, "stack=fsdp-compiled zero=3 reshard=no", CSZ_ESTIMATE_MEMORY_TOTAL));
}
END_TEST

/* Each change saves, or costs, in the direction that its paper says. */
static const struct {
    const char *workload;
    const char *more; /* memory */
    const char *less;
} orders[] = {
    {SMALL "job=finetune", "stack=deepspeed zero=none", "stack=deepspeed zero=optimizer"},
    {SMALL "job=finetune", "stack=deepspeed zero=optimizer", "stack=deepspeed zero=gradients"},
    {SMALL "job=finetune", "stack=deepspeed zero=gradients", "stack=deepspeed zero=parameters"},
    {SMALL "job=finetune", "stack=deepspeed zero=3",
     "stack=deepspeed zero=3 offload_optimizer=0.5"},
    {SMALL "job=finetune", "stack=deepspeed zero=3 offload_optimizer=0.5",
     "stack=deepspeed zero=3 offload_optimizer=1"},
    {SMALL "job=finetune", "stack=deepspeed zero=3 offload_optimizer=1",
     "stack=deepspeed zero=3 offload_optimizer=1 offload_parameters=yes"},
    {SMALL, "stack=fsdp-eager zero=3", "stack=fsdp-compiled zero=3"},
    {SMALL, "stack=fsdp-compiled zero=3", "stack=fsdp-compiled zero=3 recompute=operations"},
    {"model=llama-2-7b sequence_length=8192 global_batch=8",
     "stack=fsdp-compiled zero=3 recompute=operations",
     "stack=fsdp-compiled zero=3 recompute=full"},
    {SMALL, "stack=megatron zero=1 recompute=full recompute_layers=8",
     "stack=megatron zero=1 recompute=full recompute_layers=16"},
    {SMALL, "stack=megatron zero=1", "stack=megatron zero=1 recompute_norm=yes"},
    {SMALL, "stack=megatron zero=1", "stack=megatron zero=1 recompute_activation=yes"},
    {SMALL, "stack=megatron zero=1 recompute_activation=yes",
     "stack=megatron zero=1 recompute_mlp=yes"},
    {SMALL, "stack=megatron zero=1", "stack=megatron zero=1 offload_activations=yes"},
    {SMALL, "stack=megatron zero=1 attention_kernel=unfused",
     "stack=megatron zero=1 attention_kernel=unfused recompute=selective"},
    {SMALL "method=dpo job=finetune", "stack=megatron zero=1 loss_kernel=fused",
     "stack=megatron zero=1 loss_kernel=linear"},
    {"model=deepseek-v3 sequence_length=4096 global_batch=8", "stack=megatron zero=1 ep=8",
     "stack=megatron zero=1 ep=8 recompute_latent=yes"},
    {"model=deepseek-v3 sequence_length=4096 global_batch=8", "stack=megatron zero=1 ep=8",
     "stack=megatron zero=1 ep=8 recompute_experts=yes"},
};

START_TEST(what_saves_memory_saves_it)
{
    double more = answer(orders[_i].workload, H100, orders[_i].more, CSZ_ESTIMATE_MEMORY_TOTAL);
    double less = answer(orders[_i].workload, H100, orders[_i].less, CSZ_ESTIMATE_MEMORY_TOTAL);
    ck_assert_msg(less < more, "%s: %.2f GiB, %s: %.2f GiB", orders[_i].more, more / GIB,
                  orders[_i].less, less / GIB);
}
END_TEST

/* A larger device never makes a fit fail, and the verdict follows the band. */
START_TEST(more_memory_never_hurts)
{
    double before = -1;
    question q;
    question_open(&q);
    question_set(&q, SMALL "job=finetune", H100, "stack=deepspeed zero=3");
    for (double gib = 10; gib < 80; gib += 0.5) {
        char cluster[40];
        double low, high, chance, fit;
        (void)snprintf(cluster, sizeof cluster, "memory=%dMiB", (int)(1024 * gib));
        question_set(&q, "", cluster, "");
        question_compute(&q, CSZ_DEPTH_FIT);
        chance = figure(&q, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY);
        fit = figure(&q, CSZ_ESTIMATE_MEMORY_FIT);
        ck_assert_int_eq(
            csz_estimate_get_range(q.estimate, CSZ_ESTIMATE_MEMORY_TOTAL, &low, NULL, &high),
            CSZ_OK);
        ck_assert_msg(chance >= before, "%g GiB: %g after %g", gib, chance, before);
        ck_assert_int_eq((int)fit, low > gib * GIB    ? CSZ_FIT_NO
                                   : high > gib * GIB ? CSZ_FIT_TIGHT
                                                      : CSZ_FIT_YES);
        before = chance;
    }
    ck_assert_double_gt(before, 0.999);
    question_close(&q);
}
END_TEST

/* ---- The host ---- */

/* ZeRO-3 with everything on the host of one node of 8 (Rajbhandari et al. 2021, section 3): master
 * weights and moments 12, 16-bit weights and gradients 2 and 2 bytes a parameter, and 2 buckets of
 * 1 GB for each rank. On drives only the buckets are left. */
START_TEST(offload_moves_states_to_the_host)
{
    const char *plan = "stack=deepspeed zero=3 offload_optimizer=1 offload_parameters=yes";
    double host = answer(SMALL "job=finetune", H100, plan, CSZ_ESTIMATE_HOST_OFFLOAD);
    csz_field field = CSZ_FIELD_NONE;
    question q;
    near(host, 16 * LLAMA_7B + 8 * 2e9, 1e-9, "host");
    ck_assert_double_eq(answer(SMALL "job=finetune", H100, plan, CSZ_ESTIMATE_MEMORY_WEIGHTS) +
                            answer(SMALL "job=finetune", H100, plan, CSZ_ESTIMATE_MEMORY_MASTER) +
                            answer(SMALL "job=finetune", H100, plan, CSZ_ESTIMATE_MEMORY_OPTIMIZER),
                        0);
    near(answer(SMALL "job=finetune", H100,
                "stack=deepspeed zero=3 offload_optimizer=1 offload_parameters=yes "
                "offload_target=nvme",
                CSZ_ESTIMATE_HOST_OFFLOAD),
         8 * 2e9, 1e-9, "staging for drives");
    question_open(&q);
    question_set(&q, SMALL "job=finetune", "accelerator=h100-sxm-80gb accelerators=8", plan);
    ck_assert_int_eq(csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_FIT),
                     CSZ_ERR_MISSING);
    (void)csz_estimate_error(q.estimate, &field);
    ck_assert_int_eq(field, CSZ_CLUSTER_HOST_MEMORY);
    /* Too small is a verdict. */
    question_set(&q, "", "host_memory=64GB", "");
    ck_assert_int_eq(csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_FIT),
                     CSZ_OK);
    ck_assert_int_eq((int)figure(&q, CSZ_ESTIMATE_HOST_FIT), CSZ_FIT_NO);
    ck_assert_int_eq((int)figure(&q, CSZ_ESTIMATE_MEMORY_FIT), CSZ_FIT_YES);
    /* So is that of a job that leaves the host alone. */
    question_set(&q, "", "host_memory=20GB", "offload_optimizer=0 offload_parameters=no");
    question_compute(&q, CSZ_DEPTH_FIT);
    ck_assert_int_eq((int)figure(&q, CSZ_ESTIMATE_HOST_FIT), CSZ_FIT_NO);
    question_set(&q, "", "host_memory=2TB", plan);
    question_compute(&q, CSZ_DEPTH_FIT);
    ck_assert_int_eq((int)figure(&q, CSZ_ESTIMATE_HOST_FIT), CSZ_FIT_YES);
    question_close(&q);
}
END_TEST

/* A reference of 2 bytes a parameter stands where the policy's weights do; pages of 8-bit moments
 * have room on the host; each node stages what it alone holds: all of it when nothing is shared, on
 * one node or on eight. */
START_TEST(the_host_holds_what_the_devices_do_not)
{
    const char *offload = "stack=deepspeed zero=3 offload_optimizer=1 offload_parameters=yes",
               *nodes = "accelerator=h100-sxm-80gb accelerators=64 host_memory=2TB "
                        "accelerators_per_node=8";
    near(answer(SMALL "job=finetune method=dpo", H100, offload, CSZ_ESTIMATE_HOST_OFFLOAD) -
             answer(SMALL "job=finetune", H100, offload, CSZ_ESTIMATE_HOST_OFFLOAD),
         2 * LLAMA_7B, 1e-9, "reference");
    near(answer(SMALL "job=finetune optimizer=paged_adam_8bit", ONE, "stack=ddp",
                CSZ_ESTIMATE_HOST_OFFLOAD),
         (2 + 8.0 / 256) * LLAMA_7B, 1e-9, "pages");
    near(answer("model=llama-2-7b job=finetune global_batch=64", nodes, "stack=ddp",
                CSZ_ESTIMATE_HOST_STAGING),
         12 * LLAMA_7B, 1e-9, "staged whole");
    near(answer("model=llama-2-7b job=finetune global_batch=64", nodes, "stack=fsdp-eager zero=3",
                CSZ_ESTIMATE_HOST_STAGING),
         12 * LLAMA_7B / 8, 1e-9, "staged by all nodes");
    ck_assert_double_gt(answer(SMALL "job=finetune", H100,
                               "stack=fsdp-eager zero=3 offload_activations=yes",
                               CSZ_ESTIMATE_HOST_OFFLOAD),
                        0);
}
END_TEST

/* ---- Refusals ---- */

static const struct {
    const char *workload;
    const char *plan;
    csz_reason reason;
    csz_field field;
    const char *message; /* how it begins: what was asked for, and where that is not to be had */
    const char *instead; /* how it ends: what would do */
} refused[] = {
    {"global_batch=16", "stack=fsdp-eager zero=3 gradient_release=yes", CSZ_REASON_STACK,
     CSZ_PLAN_GRADIENT_RELEASE, "gradient_release: yes, but 2 micro-batches", "one is needed"},
    {"", "stack=ddp gradient_release=yes", CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
     "gradient_release: yes, but 8 data-parallel and context ranks",
     "needs one rank, or sharding=gradients or parameters on stack fsdp-eager, fsdp-compiled"},
    {"", "stack=fsdp-eager gradient_release=yes zero=optimizer", CSZ_REASON_STACK,
     CSZ_PLAN_GRADIENT_RELEASE, "gradient_release: yes, but 8 ", "fsdp-compiled"},
    {"", "stack=megatron gradient_release=yes", CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
     "gradient_release: yes is not available on stack megatron; ",
     "fsdp-eager, fsdp-compiled, ddp"},
    {"", "stack=legacy gradient_release=yes", CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
     "gradient_release: yes is not available on stack legacy; ", "ddp"},
    {"", "stack=deepspeed zero=3 gradient_release=yes", CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
     "gradient_release: yes is not available on stack deepspeed; ", "ddp"},
    {"", "stack=deepspeed zero=3 pp=2", CSZ_REASON_STACK, CSZ_PLAN_SHARDING,
     "sharding: parameters is not available with pipeline_parallel=2 on stack deepspeed; ",
     "choose none, optimizer, or pipeline_parallel=1"},
    {"", "stack=ddp zero=gradients", CSZ_REASON_STACK, CSZ_PLAN_SHARDING,
     "sharding: gradients is not available on stack ddp; ", "choose none"},
    {"", "stack=nanotron zero=3", CSZ_REASON_STACK, CSZ_PLAN_SHARDING,
     "sharding: parameters is not available on stack nanotron; ", "choose none, optimizer"},
    {"", "stack=ddp pp=2", CSZ_REASON_STACK, CSZ_PLAN_PIPELINE_PARALLEL,
     "pipeline_parallel: 2 is not available on stack ddp; ", "deepspeed, xla"},
    {"", "stack=deepspeed pp=2 schedule=zb_h2", CSZ_REASON_STACK, CSZ_PLAN_SCHEDULE,
     "schedule: zb_h2 is not available on stack deepspeed; ", "fsdp-eager, fsdp-compiled"},
    {"", "stack=megatron schedule=zb_h1", CSZ_REASON_VIRTUAL, CSZ_PLAN_SCHEDULE,
     "schedule: zb_h1 needs ", "pipeline_parallel above 1"},
    {"", "stack=fsdp-eager zero=gradients reshard=yes", CSZ_REASON_STACK, CSZ_PLAN_RESHARD,
     "reshard: yes, but sharding=gradients ", "choose sharding=parameters"},
    {"", "stack=megatron recompute=operations", CSZ_REASON_STACK, CSZ_PLAN_RECOMPUTE,
     "recompute: operations is not available on stack megatron; ",
     "choose none, selective or full"},
    {"optimizer=adam_4bit", "stack=megatron", CSZ_REASON_OPTIMIZER, CSZ_WORKLOAD_OPTIMIZER,
     "optimizer: adam_4bit is not available on stack megatron; ", "momentum, lion, muon"},
    {"optimizer=paged_adam_8bit", "stack=xla", CSZ_REASON_OPTIMIZER, CSZ_WORKLOAD_OPTIMIZER,
     "optimizer: paged_adam_8bit is not available on stack xla; ",
     "choose adamw, sgd, momentum, lion, muon, adafactor"},
    {"", "stack=legacy offload_optimizer=0.5", CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_OPTIMIZER,
     "offload_optimizer: 0.5 is not available on stack legacy; ", "deepspeed, xla, ddp"},
    {"", "stack=legacy offload_parameters=yes", CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_PARAMETERS,
     "offload_parameters: yes is not available on stack legacy; ", "ddp"},
    {"", "stack=legacy offload_activations=yes", CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_ACTIVATIONS,
     "offload_activations: yes is not available on stack legacy; ", "ddp"},
    {"", "stack=megatron offload_activation_layers=4", CSZ_REASON_OFFLOAD,
     CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS, "offload_activation_layers: 4, but ", "is no"},
    {"", "stack=megatron pp=2 offload_activations=yes offload_activation_layers=17",
     CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS,
     "offload_activation_layers: 17, but no stage holds more than 16 layers; ", "at most 16"},
    {"", "stack=legacy offload_target=nvme", CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_TARGET,
     "offload_target: nvme is not available on stack legacy; ", "deepspeed"},
    {"", "stack=deepspeed zero=2 offload_parameters=yes", CSZ_REASON_OFFLOAD,
     CSZ_PLAN_OFFLOAD_PARAMETERS, "offload_parameters: yes needs sharding=parameters",
     "not gradients"},
    {"", "stack=fsdp-eager zero=3 offload_parameters=yes offload_target=nvme", CSZ_REASON_OFFLOAD,
     CSZ_PLAN_OFFLOAD_TARGET, "offload_target: nvme is not available on stack fsdp-eager; ",
     "deepspeed"},
    {"", "stack=deepspeed offload_target=nvme", CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_TARGET,
     "offload_target: nvme, ", "is set"},
    {"", "stack=fsdp-eager zero=3 shard_group=3", CSZ_REASON_SHARD_GROUP, CSZ_PLAN_SHARD_GROUP,
     "shard_group: 3 does not divide the 8 ", "ranks"},
    {"", "stack=fsdp-eager shard_group=2", CSZ_REASON_SHARD_GROUP, CSZ_PLAN_SHARD_GROUP,
     "shard_group: 2, ", "sharding is none"},
    {"", "stack=megatron recompute=none recompute_layers=4", CSZ_REASON_STACK,
     CSZ_PLAN_RECOMPUTE_LAYERS, "recompute_layers: 4, ", "recompute is not full"},
    {"", "recompute_latent=yes", CSZ_REASON_MODULE, CSZ_PLAN_RECOMPUTE_LATENT,
     "recompute_latent: yes, but the model has no latent attention; ", "no is the only choice"},
    {"", "recompute_experts=yes", CSZ_REASON_MODULE, CSZ_PLAN_RECOMPUTE_EXPERTS,
     "recompute_experts: yes, but the model has no experts; ", "no is the only choice"},
    {"model=mixtral-8x7b", "recompute_mlp=yes", CSZ_REASON_MODULE, CSZ_PLAN_RECOMPUTE_MLP,
     "recompute_mlp: yes, but the model has no dense MLP; ", "no is the only choice"},
    {"optimizer=adam_8bit state_format=fp32", "stack=ddp", CSZ_REASON_NONE,
     CSZ_WORKLOAD_STATE_FORMAT, "state_format: fp32, but optimizer=adam_8bit ",
     "leave it unset or int8, or choose optimizer=adamw"},
    {"optimizer=paged_adam_8bit state_format=bf16", "stack=ddp", CSZ_REASON_NONE,
     CSZ_WORKLOAD_STATE_FORMAT, "state_format: bf16, but optimizer=paged_adam_8bit ",
     "leave it unset or int8, or choose optimizer=adamw"},
    {"optimizer=adam_4bit state_format=int8", "stack=ddp", CSZ_REASON_NONE,
     CSZ_WORKLOAD_STATE_FORMAT, "state_format: int8, but optimizer=adam_4bit ",
     "leave it unset, or choose optimizer=adamw"},
    {"model=bert-large sequence_length=512 method=ppo", "stack=ddp", CSZ_REASON_NONE,
     CSZ_WORKLOAD_METHOD, "method: ppo generates text, and a model of causal=no layers ",
     "choose supervised, pairs, reward or distill"},
    {"model=bert-large sequence_length=512 method=grpo", "stack=ddp", CSZ_REASON_NONE,
     CSZ_WORKLOAD_METHOD, "method: grpo generates text, and a model of causal=no layers ",
     "choose supervised, pairs, reward or distill"},
};

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

START_TEST(contradictions_are_refused_by_name)
{
    csz_field field = CSZ_FIELD_NONE;
    const char *message;
    question q;
    question_open(&q);
    question_set(&q, SMALL "job=finetune", H100, refused[_i].plan);
    question_set(&q, refused[_i].workload, "", "");
    ck_assert_int_eq(csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_FIT),
                     CSZ_ERR_CONFLICT);
    message = csz_estimate_error(q.estimate, &field);
    ck_assert_msg(strstr(message, refused[_i].message) == message, "%s", message);
    ck_assert_msg(ends_with(message, refused[_i].instead), "%s", message);
    ck_assert_int_eq(field, refused[_i].field);
    ck_assert_int_eq(csz_estimate_reason(q.estimate), refused[_i].reason);
    question_close(&q);
}
END_TEST

/* What resembles a refused question and is none. */
static const struct {
    const char *workload;
    const char *plan;
} allowed[] = {
    {"", "stack=fsdp-eager zero=parameters gradient_release=yes"},
    {"", "stack=fsdp-compiled zero=gradients gradient_release=yes"},
    {"global_batch=1", "stack=ddp tp=8 gradient_release=yes"},
    {"optimizer=adam_8bit state_format=int8", "stack=ddp"},
    {"optimizer=adamw state_format=bf16", "stack=ddp"},
    {"method=grpo", "stack=fsdp-eager zero=3"},
    {"model=mamba-2.8b method=grpo", "stack=fsdp-eager zero=3"},
    {"model=t5-11b method=ppo", "stack=fsdp-eager zero=3"},
    {"model=bert-large sequence_length=512 method=distill", "stack=ddp"},
    {"model=mixtral-8x7b", "recompute_experts=yes"},
    {"model=deepseek-v3", "recompute_latent=yes recompute_mlp=yes recompute_experts=yes"},
};

START_TEST(what_is_no_contradiction_is_computed)
{
    question q;
    question_open(&q);
    question_set(&q, SMALL "job=finetune", H100, allowed[_i].plan);
    question_set(&q, allowed[_i].workload, "", "");
    question_compute(&q, CSZ_DEPTH_FIT);
    question_close(&q);
}
END_TEST

#define LENGTH(table) ((int)(sizeof(table) / sizeof *(table)))

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *t = tcase_create("memory");
    tcase_add_loop_test(t, the_peak_names_its_moment, 0, LENGTH(moments));
    tcase_add_test(t, three_figures_and_their_parts);
    tcase_add_loop_test(t, methods_bring_models, 0, LENGTH(methods));
    tcase_add_test(t, double_quantization_saves_its_bits);
    tcase_add_loop_test(t, optimizers_hold_their_moments, 0, LENGTH(optimizers));
    tcase_add_test(t, temporaries_of_the_step);
    tcase_add_test(t, copies_stand_beside_what_they_copy);
    tcase_add_test(t, scores_come_back_in_the_backward_pass);
    tcase_add_test(t, fsdp_by_hand);
    tcase_add_loop_test(t, what_saves_memory_saves_it, 0, LENGTH(orders));
    tcase_add_test(t, more_memory_never_hurts);
    tcase_add_test(t, offload_moves_states_to_the_host);
    tcase_add_test(t, the_host_holds_what_the_devices_do_not);
    tcase_add_loop_test(t, contradictions_are_refused_by_name, 0, LENGTH(refused));
    tcase_add_loop_test(t, what_is_no_contradiction_is_computed, 0, LENGTH(allowed));
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
