/* deepspeed.c: DeepSpeed's JSON (docs/_pages/config-json.md at edaa722, 2026-08). It is read by the
 * readers of the workload and plan floors; the rest is arguments of the training script, by the
 * names of transformers' Trainer. */
#include "base/checked.h"
#include "launch/shared.h"
#include "plan/deepspeed_plan.h"
#include "workload/deepspeed.h"

#include <string.h>

static const cszi_choice optimizers[] = {{CSZ_OPTIMIZER_ADAMW, "AdamW"},
                                         {CSZ_OPTIMIZER_LION, "Lion"},
                                         {CSZ_OPTIMIZER_MUON, "Muon"},
                                         {CSZ_OPTIMIZER_SGD, "SGD"},
                                         {0, NULL}};
static const cszi_choice accumulated[] = {
    {CSZ_FORMAT_FP32, "fp32"}, {CSZ_FORMAT_BF16, "bf16"}, {CSZ_FORMAT_FP16, "fp16"}, {0, NULL}};
static const cszi_choice devices[] = {
    {CSZ_OFFLOAD_TARGET_HOST, "cpu"}, {CSZ_OFFLOAD_TARGET_NVME, "nvme"}, {0, NULL}};
static const cszi_choice on[] = {{1, "true"}, {0, NULL}};
static const cszi_choice full[] = {
    {CSZ_RECOMPUTE_FULL, "true"}, {CSZ_RECOMPUTE_NONE, "false"}, {0, NULL}};
static const cszi_choice kernels[] = {{CSZ_ATTENTION_KERNEL_FLASH, "flash_attention_2"},
                                      {CSZ_ATTENTION_KERNEL_UNFUSED, "eager"},
                                      {0, NULL}};
static const cszi_choice losses[] = {
    {CSZ_LOSS_KERNEL_LINEAR, "true"}, {CSZ_LOSS_KERNEL_PLAIN, "false"}, {0, NULL}};
static const cszi_choice jobs[] = {
    {CSZ_JOB_FINETUNE, "full"}, {CSZ_JOB_LORA, "lora"}, {CSZ_JOB_QLORA, "qlora"}, {0, NULL}};

#define ZERO(key) "zero_optimization." key
#define ARGUMENT(name, what) .option = name, .about = (what), .place = CSZI_LAUNCH_ARGUMENT
#define KNOWN(name)                                                                                \
    {                                                                                              \
        .option = name, .write = CSZI_LAUNCH_NEVER                                                 \
    }

static const cszi_launch_row rows[] = {
    {.option = "train_batch_size", .about = CSZ_WORKLOAD_GLOBAL_BATCH},
    {.option = "train_micro_batch_size_per_gpu", .about = CSZ_PLAN_MICRO_BATCH},
    {.option = "gradient_accumulation_steps", .about = CSZI_LAUNCH_MICRO_BATCHES},
    {.option = "bf16.enabled",
     .about = CSZI_LAUNCH_BF16,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch},
    {.option = "bf16.bf16_master_weights_and_grads",
     .about = CSZI_LAUNCH_MASTERS,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = on},
    {.option = "bf16.bf16_optimizer_states",
     .about = CSZI_LAUNCH_PRECISE_STATES,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = on},
    {.option = "fp16.enabled",
     .about = CSZI_LAUNCH_FP16,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = on},
    {.option = "data_types.grad_accum_dtype",
     .about = CSZ_WORKLOAD_GRADIENT_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = accumulated},
    {.option = ZERO("stage"), .about = CSZ_PLAN_SHARDING},
    {.option = ZERO("reduce_bucket_size"), .about = CSZI_LAUNCH_ELEMENTS},
    {.option = ZERO("mics_shard_size"), .about = CSZ_PLAN_SHARD_GROUP},
    {.option = ZERO("offload_optimizer.device"),
     .about = CSZI_LAUNCH_DEVICE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = devices},
    {.option = ZERO("offload_optimizer.ratio"),
     .about = CSZI_LAUNCH_SHARE,
     .rule = CSZI_LAUNCH_REAL},
    {.option = ZERO("offload_param.device"),
     .about = CSZI_LAUNCH_WEIGHT_DEVICE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = devices},
    {.option = "tensor_parallel.autotp_size",
     .about = CSZ_PLAN_TENSOR_PARALLEL,
     .write = CSZI_LAUNCH_UNLESS,
     .idle = 1},
    {.option = "optimizer.type",
     .about = CSZ_WORKLOAD_OPTIMIZER,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = optimizers},
    /* read by the readers below, never written */
    KNOWN("bfloat16.enabled"),
    KNOWN("optimizer.params.momentum"),
    KNOWN("sequence_parallel_size"),
    KNOWN(ZERO("cpu_offload")),
    KNOWN(ZERO("cpu_offload_param")),
    KNOWN(ZERO("cpu_offload_params")),
    KNOWN(ZERO("zero_hpz_partition_size")),
    KNOWN(ZERO("zero_quantized_weights")),
    KNOWN(ZERO("zero_quantized_gradients")),
    KNOWN("amp.enabled"),
    KNOWN("torch_autocast.enabled"),
    KNOWN("fp16.fp16_master_weights_and_grads"),
    {ARGUMENT("max_length", CSZ_WORKLOAD_SEQUENCE_LENGTH)},
    {ARGUMENT("max_steps", CSZI_LAUNCH_STEPS)},
    {ARGUMENT("save_steps", CSZI_LAUNCH_SAVE_STEPS)},
    {ARGUMENT("gradient_checkpointing", CSZ_PLAN_RECOMPUTE), .rule = CSZI_LAUNCH_CHOICE,
     .choices = full},
    {ARGUMENT("attn_implementation", CSZ_PLAN_ATTENTION_KERNEL), .rule = CSZI_LAUNCH_CHOICE,
     .choices = kernels},
    {ARGUMENT("use_liger_kernel", CSZ_PLAN_LOSS_KERNEL), .rule = CSZI_LAUNCH_CHOICE,
     .choices = losses},
    {ARGUMENT("tuning", CSZ_WORKLOAD_JOB), .rule = CSZI_LAUNCH_CHOICE, .write = CSZI_LAUNCH_UNLESS,
     .idle = CSZ_JOB_PRETRAIN, .choices = jobs},
    {ARGUMENT("lora_r", CSZ_WORKLOAD_LORA_RANK), .write = CSZI_LAUNCH_UNLESS, .idle = 16},
    CSZI_LAUNCH_ALLOCATOR,
};

/* ---- Out ---- */

static void spread(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    const cszi_workload *w = l->workload;
    int bf16 = w->activation_format == CSZ_FORMAT_BF16;
    cszi_launch_spread_steps(l);
    cszi_launch_put(l, CSZI_LAUNCH_MICRO_BATCHES, (double)at->m);
    cszi_launch_put(l, CSZI_LAUNCH_BF16, bf16);
    cszi_launch_put(l, CSZI_LAUNCH_FP16, w->activation_format == CSZ_FORMAT_FP16);
    cszi_launch_put(l, CSZI_LAUNCH_MASTERS, bf16 && w->master_format == CSZ_FORMAT_BF16);
    cszi_launch_put(l, CSZI_LAUNCH_PRECISE_STATES, w->state_format == CSZ_FORMAT_BF16);
    if (at->sharding != CSZ_SHARDING_NONE)
        cszi_launch_put(l, CSZI_LAUNCH_ELEMENTS, at->bucket / 2);
    if (at->offload_optimizer > 0) {
        cszi_launch_put(l, CSZI_LAUNCH_DEVICE, (double)at->nvme);
        cszi_launch_put(l, CSZI_LAUNCH_SHARE, at->offload_optimizer);
    }
    if (at->offload_parameters)
        cszi_launch_put(l, CSZI_LAUNCH_WEIGHT_DEVICE, (double)at->nvme);
}

/* ---- In ---- */

/* Of batch, micro-batch, accumulation and ranks any three give the fourth; accumulation alone has a
 * default, 1. */
static csz_status gather_batch(cszi_launch *l, const char *text, size_t length)
{
    cszi_json json;
    cszi_json_value root;
    int64_t steps = 1, batch = 0, ranks = cszi_launch_data_ranks(l), unit = 0, whole = 0;
    int given = 0, has_steps = 0;
    csz_status status = cszi_deepspeed_open(&json, text, length, l->error, &root);
    if (status == CSZ_OK)
        status = cszi_deepspeed_count(&json, root, "train_batch_size", CSZ_WORKLOAD_GLOBAL_BATCH,
                                      &batch, &given);
    if (status == CSZ_OK)
        status = cszi_deepspeed_count(&json, root, "gradient_accumulation_steps", CSZ_FIELD_NONE,
                                      &steps, &has_steps);
    if (status != CSZ_OK || ranks == 0 || !cszi_multiply(l->plan->micro_batch, steps, &unit) ||
        !cszi_multiply(unit, ranks, &whole))
        return status;
    if (!given && whole > 0 && cszi_plan_has(l->plan, CSZ_PLAN_MICRO_BATCH))
        return cszi_launch_set(l, CSZ_WORKLOAD_GLOBAL_BATCH, (double)whole,
                               "gradient_accumulation_steps");
    if (given && has_steps && cszi_plan_has(l->plan, CSZ_PLAN_MICRO_BATCH) && whole != batch)
        return cszi_fail(l->error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_GLOBAL_BATCH,
                         "train_batch_size: %lld is not %lld a rank x %lld accumulation steps x "
                         "%lld ranks = %lld",
                         (long long)batch, (long long)l->plan->micro_batch, (long long)steps,
                         (long long)ranks, (long long)whole);
    if (given && has_steps && !cszi_plan_has(l->plan, CSZ_PLAN_MICRO_BATCH) && steps > 0 &&
        batch % (steps * ranks) == 0)
        return cszi_launch_set(l, CSZ_PLAN_MICRO_BATCH, (double)(batch / (steps * ranks)),
                               "train_batch_size");
    return CSZ_OK;
}

static csz_status read(cszi_launch *l, const char *text, size_t length)
{
    csz_status status = cszi_workload_load_deepspeed(l->workload, text, length, l->error);
    if (status == CSZ_OK)
        status = cszi_plan_load_deepspeed(l->plan, text, length, l->error);
    return status == CSZ_OK ? gather_batch(l, text, length) : status;
}

static const csz_field without[] = {CSZ_PLAN_PIPELINE_PARALLEL, CSZ_PLAN_CONTEXT_PARALLEL,
                                    CSZ_PLAN_EXPERT_PARALLEL, CSZ_FIELD_NONE};
static const char *const stacks[] = {"deepspeed", NULL};

const cszi_launch_stack cszi_launch_deepspeed = {
    .source = CSZ_SOURCE_DEEPSPEED,
    .name = "DeepSpeed",
    .version = "edaa722 (2026-08)",
    .document = "docs/_pages/config-json.md",
    .syntax = CSZI_SYNTAX_JSON,
    .file = "ds_config.json",
    .command = "train.py --deepspeed %s",
    .launcher = 1,
    .stacks = stacks,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .without = without,
    .spread = spread,
    .read = read,
};
