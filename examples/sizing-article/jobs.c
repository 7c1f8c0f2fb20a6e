/* jobs.c: claims about what a job takes: b, d, g, m, o, q, s, y. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "article.h"

#define GPT3 "model=gpt-3-175b sequence_length=2048"
#define TRILLION                                                                                   \
    "hidden=25600 heads=160 ffn=102400 gated_mlp=no layers=152 vocab=51200 sequence_length=2048"

static void least(asked *q)
{
    double adam, large, lora;
    claim("b", "175B needs at least 48 80-GB GPUs and 1.2T at least 600");
    set(q, GPT3, "accelerator=h100-sxm-80gb", "");
    adam = count(q, "maximum_accelerators=4096");
    set(q, TRILLION, "accelerator=h100-sxm-80gb", "");
    large = count(q, "maximum_accelerators=4096");
    set(q, GPT3 " job=lora lora_rank=16", "accelerator=h100-sxm-80gb", "");
    lora = count(q, "maximum_accelerators=4096");
    says("least counts that fit: 175B %.0f with Adam, %.0f with LoRA; 1.2T %.0f with Adam", adam,
         lora, large);
    because("states take 18 B a parameter, activations and buffers come on top; recomputation, "
            "offload and adapters lower it.");
}

static double traffic(asked *q, double n, const char *model)
{
    static const csz_field parts[] = {
        CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC, CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC,
        CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC, CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC,
        CSZ_ESTIMATE_STEP_DATA_TRAFFIC};
    char cluster[80];
    double sum = 0, step;
    (void)snprintf(cluster, sizeof cluster, "accelerator=h100-sxm-80gb accelerators=%.0f", n);
    set(q, model, cluster, "");
    step = best(q, "", CSZ_ESTIMATE_STEP_TIME);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double part = 0;
        (void)csz_estimate_get_f64(csz_ranking_estimate_at(q->ranking, 0), parts[i], &part);
        sum += part;
    }
    return 100 * sum / step;
}

static void communication(asked *q)
{
    static const char *const models[] = {
        "model=llama-3-8b sequence_length=8192 global_batch=512 tokens=1T",
        "model=llama-3-70b sequence_length=8192 global_batch=512 tokens=1T"};
    claim("d", "communication is under 5% below 256 H100 and about 15% at 256");
    for (size_t i = 0; i < 2; i++)
        says("%s, exposed share of the step at 64, 128, 256, 512: %.1f%%, %.1f%%, %.1f%%, %.1f%%",
             i == 0 ? "8B" : "70B", traffic(q, 64, models[i]), traffic(q, 128, models[i]),
             traffic(q, 256, models[i]), traffic(q, 512, models[i]));
    because("it depends on model, plan and batch, not on a count; nothing jumps at 256.");
}

static double tuned(asked *q, int gpus, int length, int micro, csz_depth depth, csz_field field)
{
    char workload[120], cluster[80], plan[80];
    (void)snprintf(workload, sizeof workload,
                   "model=llama-2-7b job=finetune tokens=1G sequence_length=%d global_batch=64",
                   length);
    (void)snprintf(cluster, sizeof cluster, "accelerator=h100-sxm-80gb accelerators=%d", gpus);
    (void)snprintf(plan, sizeof plan, "zero=3 stack=fsdp-compiled micro_batch=%d", micro);
    set(q, workload, cluster, plan);
    return figure(q, depth, field);
}

static double share(asked *q, int gpus, int length, int micro)
{
    double total = tuned(q, gpus, length, micro, CSZ_DEPTH_FIT, CSZ_ESTIMATE_MEMORY_TOTAL), all = 1;
    (void)csz_estimate_get_f64(q->estimate, CSZ_ESTIMATE_MEMORY_USABLE, &all);
    return 100 * total / all;
}

static void full_tuning(asked *q)
{
    double four = tuned(q, 4, 2048, 1, CSZ_DEPTH_STEP, CSZ_ESTIMATE_STEP_TIME),
           eight = tuned(q, 8, 2048, 1, CSZ_DEPTH_STEP, CSZ_ESTIMATE_STEP_TIME);
    claim("g", "full fine-tuning of 7B: 72% of memory on 4 H100, 38% on 8, 3.2x faster on 8");
    says("4 H100 %.0f%% to %.0f%%, 8 H100 %.0f%% to %.0f%% (2,048 x 1 to 4,096 x 2 tokens); %.2fx "
         "faster on 8",
         share(q, 4, 2048, 1), share(q, 4, 4096, 2), share(q, 8, 2048, 1), share(q, 8, 4096, 2),
         four / eight);
    because("sharded states halve from 4 to 8, activations do not; twice the accelerators are at "
            "most about twice as fast.");
}

static double data_parallel(asked *q, int n)
{
    char cluster[80], batch[100];
    (void)snprintf(batch, sizeof batch,
                   "model=llama-3-8b sequence_length=8192 global_batch=1024 tokens=1T");
    (void)snprintf(cluster, sizeof cluster, "accelerator=h100-sxm-80gb accelerators=%d", n);
    set(q, batch, cluster, "zero=3 stack=fsdp-compiled recompute=full");
    return 100 * figure(q, CSZ_DEPTH_STEP, CSZ_ESTIMATE_STEP_MFU);
}

static void replicas(asked *q)
{
    claim("m", "data parallelism scales to about 32");
    says("8B, sharded data parallelism alone, MFU at 8, 32, 128, 512, 1,024: %.0f%%, %.0f%%, "
         "%.0f%%, %.0f%%, %.0f%%",
         data_parallel(q, 8), data_parallel(q, 32), data_parallel(q, 128), data_parallel(q, 512),
         data_parallel(q, 1024));
    because("its end is the batch: no more replicas than sequences of a step.");
}

static double in_time(asked *q, const char *workload, const char *accelerator, const char *goal)
{
    set(q, workload, accelerator, "");
    return count(q, goal);
}

static void from_scratch(asked *q)
{
    static const char *const h100 = "accelerator=h100-sxm-80gb", *const a100 =
                                                                     "accelerator=a100-sxm-80gb";
    claim("o", "13B from scratch in a week on 16-32 GPUs; 70B in two weeks on 128-256");
    says("13B: 260G tokens (20 a parameter) %.0f H100 or %.0f A100; 2T tokens %.0f H100",
         in_time(q, "model=llama-2-13b tokens=260G", h100, "deadline=7d"),
         in_time(q, "model=llama-2-13b tokens=260G", a100, "deadline=7d"),
         in_time(q, "model=llama-2-13b tokens=2T", h100, "deadline=7d"));
    says("70B: 1.4T tokens (20 a parameter) %.0f H100; 15T tokens %.0f H100",
         in_time(q, "model=llama-3-70b tokens=1.4T", h100, "deadline=14d"),
         in_time(q, "model=llama-3-70b tokens=15T", h100, "deadline=14d"));
    because("tokens, which the claim leaves out, decide.");
}

static double speed(asked *q, const char *cluster)
{
    set(q, "model=llama-3-8b sequence_length=8192 global_batch=128 tokens=1T", cluster, "");
    return best(q, "", CSZ_ESTIMATE_STEP_TOKENS_PER_SECOND) / 1e3;
}

static void mixed(asked *q)
{
    double fast = speed(q, "accelerator=h100-sxm-80gb accelerators=32"),
           slow = speed(q, "accelerator=a100-sxm-80gb accelerators=32");
    claim("q", "mixing accelerator kinds runs at the slowest");
    says("8B on 32 H100 %.0fk tokens/s, on 32 A100 %.0fk; together %.0fk with equal shares, up to "
         "%.0fk with shares by speed",
         fast, slow, 2 * slow, fast + slow);
    because("equal work waits for the slowest; replicas with batches by their speed need not. The "
            "library has no mixed clusters: these are bounds from two of one kind.");
}

static double chance(asked *q, const char *job, const char *accelerator, const char *plan)
{
    char workload[160], cluster[80];
    (void)snprintf(workload, sizeof workload,
                   "model=llama-3-8b sequence_length=2048 global_batch=16 %s", job);
    (void)snprintf(cluster, sizeof cluster, "accelerator=%s accelerators=2", accelerator);
    set(q, workload, cluster, plan);
    return 100 * figure(q, CSZ_DEPTH_FIT, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY);
}

static void two(asked *q)
{
    claim("s", "2 GPUs suffice for fine-tuning small models");
    says(
        "8B on 2, probability that it fits: QLoRA %.0f%% and LoRA %.0f%% on RTX 4090, full %.0f%% "
        "on H100 (ZeRO-3), %.0f%% with offload",
        chance(q, "job=qlora lora_rank=16", "rtx-4090", "stack=ddp recompute=full"),
        chance(q, "job=lora lora_rank=16", "rtx-4090", "zero=3 stack=fsdp-compiled recompute=full"),
        chance(q, "job=finetune", "h100-sxm-80gb", "zero=3 stack=fsdp-compiled recompute=full"),
        chance(q, "job=finetune", "h100-sxm-80gb node=dgx-h100",
               "zero=3 stack=deepspeed recompute=full offload_optimizer=1"));
    because("adapters need the weights and little more; full fine-tuning 16 to 18 B a parameter.");
}

static void billion(asked *q)
{
    double h100, a100;
    claim("y", "1B from scratch on 2 GPUs takes weeks");
    set(q, "model=llama-3.2-1b tokens=20G sequence_length=2048",
        "accelerator=h100-sxm-80gb "
        "accelerators=2",
        "");
    h100 = best(q, "", CSZ_ESTIMATE_RUN_TIME) / DAY;
    set(q, "model=llama-3.2-1b tokens=20G sequence_length=2048",
        "accelerator=a100-sxm-80gb "
        "accelerators=2",
        "");
    a100 = best(q, "", CSZ_ESTIMATE_RUN_TIME) / DAY;
    says("20G tokens: %.1f days on 2 H100, %.1f on 2 A100; 1T tokens: %.0f and %.0f days", h100,
         a100, h100 * 50, a100 * 50);
    because(
        "20 tokens a parameter take days; what small models are trained on today takes months.");
}

const audit job_audits[] = {
    {'b', least}, {'d', communication}, {'g', full_tuning}, {'m', replicas}, {'o', from_scratch},
    {'q', mixed}, {'s', two},           {'y', billion},     {0, NULL},
};
