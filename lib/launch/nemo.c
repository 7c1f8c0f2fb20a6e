/* nemo.c: YAML overrides of Megatron-Bridge, which NeMo trains with
 * (docs/megatron-lm-to-megatron-bridge.md at 167ba2a, docs/training/ at 2026-08,
 * examples/recipes/). They stand on a recipe, which has the model and the rest. */
#include "launch/core.h"

static const cszi_choice recipes[] = {{CSZ_FORMAT_BF16, "bf16_mixed"},
                                      {CSZ_FORMAT_FP16, "fp16_mixed"},
                                      {CSZ_FORMAT_FP16, "16-mixed"},
                                      {CSZ_FORMAT_FP8, "bf16_with_fp8_current_scaling_mixed"},
                                      {CSZ_FORMAT_FP8, "bf16_with_fp8_delayed_scaling_mixed"},
                                      {CSZ_FORMAT_FP8, "bf16_with_fp8_subchannel_scaling_mixed"},
                                      {CSZ_FORMAT_FP8, "bf16_with_mxfp8_mixed"},
                                      {0, NULL}};
static const cszi_choice reduced[] = {
    {CSZ_FORMAT_FP32, "true"}, {CSZ_FORMAT_BF16, "false"}, {CSZ_FORMAT_FP16, "false"}, {0, NULL}};
static const cszi_choice hybrid[] = {
    {CSZ_FORMAT_FP8, "hybrid"}, {CSZ_FORMAT_FP8, "e4m3"}, {0, NULL}};
static const cszi_choice dispatchers[] = {{CSZ_EXPERT_DISPATCH_ALL_TO_ALL, "alltoall"},
                                          {CSZ_EXPERT_DISPATCH_ALL_GATHER, "allgather"},
                                          {CSZ_EXPERT_DISPATCH_DEDUPLICATED, "flex"},
                                          {0, NULL}};

#define SWITCH(name, what)                                                                         \
    {                                                                                              \
        .option = name, .about = (what), .rule = CSZI_LAUNCH_CHOICE, .choices = cszi_launch_switch \
    }
#define BUT(name, what, resting)                                                                   \
    {                                                                                              \
        .option = name, .about = (what), .write = CSZI_LAUNCH_UNLESS, .idle = (resting)            \
    }
#define COUNT(name, what)                                                                          \
    {                                                                                              \
        .option = name, .about = (what)                                                            \
    }
#define CHOICE(name, what, list)                                                                   \
    {                                                                                              \
        .option = name, .about = (what), .rule = CSZI_LAUNCH_CHOICE, .choices = list               \
    }
#define REFUSED(name)                                                                              \
    {                                                                                              \
        .option = name, .rule = CSZI_LAUNCH_REFUSED, .write = CSZI_LAUNCH_NEVER,                   \
        .why = "has no field; the plan cannot be expressed"                                        \
    }
#define GRADIENT_BYTES 4 /* of an element of a bucket */
#define LAYERS "model.num_layers"
#define GRANULARITY "model.recompute_granularity"
#define PRECISION "mixed_precision"

static const cszi_launch_row rows[] = {
    COUNT("checkpoint.save_interval", CSZI_LAUNCH_SAVE_STEPS),
    SWITCH("comm_overlap.overlap_moe_expert_parallel_comm", CSZI_LAUNCH_OVERLAP),
    COUNT("dataset.seq_length", CSZI_LAUNCH_POSITIONS),
    {.option = "dataset.sequence_length", /* the older name of the same */
     .about = CSZI_LAUNCH_POSITIONS,
     .write = CSZI_LAUNCH_NEVER},
    CHOICE("ddp.data_parallel_sharding_strategy", CSZI_LAUNCH_STRATEGY, cszi_core_strategies),
    {.option = "ddp.use_distributed_optimizer",
     .about = CSZI_LAUNCH_STATES_SHARED,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch,
     .absent = "true"},
    BUT("ddp.bucket_size", CSZI_LAUNCH_ELEMENTS, 0),
    {.option = "dist.use_megatron_fsdp",
     .about = CSZI_LAUNCH_FAMILY,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch,
     .absent = "false"},
    REFUSED("dist.use_torch_fsdp2"),
    {.option = PRECISION,
     .about = CSZ_WORKLOAD_COMPUTE_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_NEVER,
     .choices = recipes},
    SWITCH(PRECISION ".bf16", CSZI_LAUNCH_BF16),
    SWITCH(PRECISION ".fp16", CSZI_LAUNCH_FP16),
    {.option = PRECISION ".fp8",
     .about = CSZI_LAUNCH_LOW_PRECISION,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = hybrid},
    {.option = PRECISION ".fp8_param_gather",
     .about = CSZI_LAUNCH_LOW_WEIGHTS,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    CHOICE(PRECISION ".grad_reduce_in_fp32", CSZ_WORKLOAD_GRADIENT_FORMAT, reduced),
    SWITCH("model.account_for_embedding_in_pipeline_split", CSZ_PLAN_EMBEDDING_COUNTS),
    SWITCH("model.account_for_loss_in_pipeline_split", CSZ_PLAN_LOSS_COUNTS),
    CHOICE("model.attention_backend", CSZ_PLAN_ATTENTION_KERNEL, cszi_core_kernels),
    COUNT("model.context_parallel_size", CSZ_PLAN_CONTEXT_PARALLEL),
    CHOICE("model.cp_comm_type", CSZI_LAUNCH_CONTEXT, cszi_core_contexts),
    {.option = "model.cpu_offloading",
     .about = CSZI_LAUNCH_HOST,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    COUNT("model.cpu_offloading_num_layers", CSZI_LAUNCH_HOST_LAYERS),
    CHOICE("model.cross_entropy_loss_fusion", CSZ_PLAN_LOSS_KERNEL, cszi_core_fused_loss),
    COUNT("model.expert_model_parallel_size", CSZ_PLAN_EXPERT_PARALLEL),
    COUNT("model.expert_tensor_parallel_size", CSZ_PLAN_EXPERT_TENSOR_PARALLEL),
    {.option = "model.moe_expert_capacity_factor",
     .about = CSZ_PLAN_EXPERT_CAPACITY,
     .rule = CSZI_LAUNCH_REAL},
    CHOICE("model.moe_token_dispatcher_type", CSZ_PLAN_EXPERT_DISPATCH, dispatchers),
    {.option = LAYERS, .about = CSZI_LAUNCH_LAYER_COUNT, .write = CSZI_LAUNCH_NEVER},
    COUNT("model.num_layers_in_first_pipeline_stage", CSZ_PLAN_FIRST_STAGE_LAYERS),
    COUNT("model.num_layers_in_last_pipeline_stage", CSZ_PLAN_LAST_STAGE_LAYERS),
    COUNT("model.pipeline_model_parallel_size", CSZ_PLAN_PIPELINE_PARALLEL),
    {.option = "model.pipeline_model_parallel_layout",
     .about = CSZ_PLAN_PIPELINE_LAYOUT,
     .rule = CSZI_LAUNCH_TEXT},
    CHOICE(GRANULARITY, CSZI_LAUNCH_KEPT, cszi_core_granularities),
    CHOICE("model.recompute_method", CSZI_LAUNCH_METHOD, cszi_core_methods),
    {.option = "model.recompute_modules",
     .about = CSZI_LAUNCH_MODULES,
     .rule = CSZI_LAUNCH_BITS,
     .choices = cszi_core_modules},
    COUNT("model.recompute_num_layers", CSZI_LAUNCH_COVERED_LAYERS),
    COUNT("model.seq_length", CSZ_WORKLOAD_SEQUENCE_LENGTH),
    SWITCH("model.sequence_parallel", CSZ_PLAN_SEQUENCE_PARALLEL),
    COUNT("model.tensor_model_parallel_size", CSZ_PLAN_TENSOR_PARALLEL),
    BUT("model.virtual_pipeline_model_parallel_size", CSZI_LAUNCH_CHUNKS, 1),
    REFUSED("model.distribute_saved_activations"),
    REFUSED("model.hybrid_context_parallel"),
    CHOICE("optimizer.optimizer", CSZ_WORKLOAD_OPTIMIZER, cszi_core_optimizers),
    {.option = "optimizer.optimizer_cpu_offload",
     .about = CSZI_LAUNCH_HOST_STATES,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = "optimizer.optimizer_offload_fraction",
     .about = CSZI_LAUNCH_SHARE,
     .rule = CSZI_LAUNCH_REAL},
    COUNT("train.global_batch_size", CSZ_WORKLOAD_GLOBAL_BATCH),
    COUNT("train.micro_batch_size", CSZ_PLAN_MICRO_BATCH),
    COUNT("train.train_iters", CSZI_LAUNCH_STEPS),
    {.option = "CUDA_DEVICE_MAX_CONNECTIONS",
     .about = CSZI_LAUNCH_CONNECTIONS,
     .place = CSZI_LAUNCH_ENVIRONMENT,
     .why = "one queue keeps communication ahead of the kernels that hide it"},
    CSZI_LAUNCH_ALLOCATOR,
};

/* ---- Out ---- */

static void spread(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    const cszi_workload *w = l->workload;
    cszi_core_spread(l);
    cszi_launch_put(l, CSZI_LAUNCH_POSITIONS, (double)at->s);
    cszi_launch_put(l, CSZI_LAUNCH_BF16, w->activation_format == CSZ_FORMAT_BF16);
    cszi_launch_put(l, CSZI_LAUNCH_FP16, w->activation_format == CSZ_FORMAT_FP16);
    cszi_launch_put(l, CSZI_LAUNCH_LOW_PRECISION,
                    w->compute_format == CSZ_FORMAT_FP8 ? CSZ_FORMAT_FP8 : 0);
    cszi_launch_put(l, CSZI_LAUNCH_LOW_WEIGHTS, w->weight_format == CSZ_FORMAT_FP8);
    cszi_launch_put(l, CSZI_LAUNCH_ELEMENTS, at->bucket / GRADIENT_BYTES);
    if (at->overlap)
        cszi_launch_put(l, CSZI_LAUNCH_OVERLAP, 1);
}

/* ---- In ---- */

static csz_status gather_formats(cszi_launch *l)
{
    static const char option[] = PRECISION;
    int64_t said = cszi_workload_has(l->workload, CSZ_WORKLOAD_COMPUTE_FORMAT)
                       ? l->workload->compute_format
                       : CSZ_FORMAT_BF16;
    int half = said == CSZ_FORMAT_FP16 || cszi_launch_count(l, CSZI_LAUNCH_FP16) != 0;
    int none =
        cszi_launch_has(l, CSZI_LAUNCH_BF16) && !cszi_launch_count(l, CSZI_LAUNCH_BF16) && !half;
    int64_t wide = none ? CSZ_FORMAT_FP32 : half ? CSZ_FORMAT_FP16 : CSZ_FORMAT_BF16;
    int64_t low = cszi_launch_count(l, CSZI_LAUNCH_LOW_PRECISION), gradients = CSZ_FORMAT_FP32;
    csz_status status;
    if (half && cszi_launch_count(l, CSZI_LAUNCH_BF16) != 0)
        return cszi_launch_fail(l, PRECISION ".fp16", CSZ_ERR_CONFLICT, CSZ_WORKLOAD_COMPUTE_FORMAT,
                                "fp16 and bf16: one of them");
    if (said == CSZ_FORMAT_FP8)
        low = CSZ_FORMAT_FP8;
    if (cszi_launch_said(l, PRECISION ".grad_reduce_in_fp32") &&
        l->workload->gradient_format != CSZ_FORMAT_FP32)
        gradients = wide;
    status = cszi_launch_set_formats(
        l, cszi_launch_count(l, CSZI_LAUNCH_LOW_WEIGHTS) ? CSZ_FORMAT_FP8 : wide, gradients,
        none ? CSZ_FORMAT_NONE : CSZ_FORMAT_FP32, CSZ_FORMAT_FP32, option);
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_WORKLOAD_COMPUTE_FORMAT, (double)(low != 0 ? low : wide),
                                 option);
    return status == CSZ_OK
               ? cszi_launch_set(l, CSZ_WORKLOAD_ACTIVATION_FORMAT, (double)wide, option)
               : status;
}

static csz_status gather_recompute(cszi_launch *l)
{
    static const csz_field parts[] = {CSZ_PLAN_RECOMPUTE_NORM, CSZ_PLAN_RECOMPUTE_ACTIVATION,
                                      CSZ_PLAN_RECOMPUTE_LATENT, CSZ_PLAN_RECOMPUTE_MLP,
                                      CSZ_PLAN_RECOMPUTE_EXPERTS};
    int64_t kept = cszi_launch_count(l, CSZI_LAUNCH_KEPT);
    int64_t modules =
        cszi_launch_has(l, CSZI_LAUNCH_MODULES) ? cszi_launch_count(l, CSZI_LAUNCH_MODULES) : 1;
    int64_t covered = cszi_launch_count(l, CSZI_LAUNCH_COVERED_LAYERS);
    csz_status status = CSZ_OK;
    if (kept == CSZI_CORE_SELECTIVE) {
        if ((modules & 1) != 0)
            status = cszi_launch_set(l, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_SELECTIVE, GRANULARITY);
        for (size_t i = 0; i < sizeof parts / sizeof *parts && status == CSZ_OK; i++)
            if ((modules >> (i + 1) & 1) != 0)
                status = cszi_launch_set(l, parts[i], 1, "model.recompute_modules");
        return status;
    }
    if (kept != CSZI_CORE_FULL)
        return CSZ_OK;
    status = cszi_launch_set(l, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_FULL, GRANULARITY);
    if (cszi_launch_count(l, CSZI_LAUNCH_METHOD) == CSZI_CORE_BLOCK) {
        int64_t chunks =
            cszi_launch_has(l, CSZI_LAUNCH_CHUNKS) ? cszi_launch_count(l, CSZI_LAUNCH_CHUNKS) : 1;
        return status == CSZ_OK
                   ? cszi_launch_set(l, CSZ_PLAN_RECOMPUTE_LAYERS, (double)covered * (double)chunks,
                                     "model.recompute_num_layers")
                   : status;
    }
    if (status == CSZ_OK && covered > 1)
        return cszi_launch_fail(l, "model.recompute_num_layers", CSZ_ERR_UNKNOWN,
                                CSZ_PLAN_RECOMPUTE,
                                "units of more than one layer are not expressed by the fields");
    return status;
}

static csz_status gather_sharding(cszi_launch *l)
{
    int64_t sharding = cszi_launch_count(l, CSZI_LAUNCH_STATES_SHARED) ? CSZ_SHARDING_OPTIMIZER
                                                                       : CSZ_SHARDING_NONE;
    if (cszi_launch_count(l, CSZI_LAUNCH_FAMILY) == CSZI_CORE_FSDP)
        sharding = cszi_launch_has(l, CSZI_LAUNCH_STRATEGY)
                       ? cszi_launch_count(l, CSZI_LAUNCH_STRATEGY)
                       : CSZ_SHARDING_PARAMETERS;
    return cszi_launch_set(l, CSZ_PLAN_SHARDING, (double)sharding, "dist.use_megatron_fsdp");
}

static csz_status gather_offload(cszi_launch *l)
{
    static const char layers[] = "model.cpu_offloading_num_layers";
    csz_status status = CSZ_OK;
    if (cszi_launch_count(l, CSZI_LAUNCH_HOST_STATES) != 0)
        status = cszi_launch_set(
            l, CSZ_PLAN_OFFLOAD_OPTIMIZER,
            cszi_launch_has(l, CSZI_LAUNCH_SHARE) ? cszi_launch_get(l, CSZI_LAUNCH_SHARE) : 1,
            "optimizer.optimizer_offload_fraction");
    if (status != CSZ_OK || cszi_launch_count(l, CSZI_LAUNCH_HOST) == 0)
        return status;
    if (cszi_launch_count(l, CSZI_LAUNCH_HOST_LAYERS) == 0)
        return cszi_launch_fail(l, "model.cpu_offloading", CSZ_ERR_MISSING,
                                CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS,
                                "needs cpu_offloading_num_layers, which is missing");
    status = cszi_launch_set(l, CSZ_PLAN_OFFLOAD_ACTIVATIONS, 1, layers);
    return status == CSZ_OK ? cszi_launch_set(l, CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS,
                                              cszi_launch_get(l, CSZI_LAUNCH_HOST_LAYERS), layers)
                            : status;
}

/* The lengths of model and data set are one; layers are those of the recipe. */
static csz_status gather_rest(cszi_launch *l)
{
    int64_t layers = cszi_layer_total(l->workload);
    int64_t length = cszi_launch_count(l, CSZI_LAUNCH_POSITIONS);
    csz_status status = CSZ_OK;
    if (cszi_launch_has(l, CSZI_LAUNCH_LAYER_COUNT) && layers != 0 &&
        layers != cszi_launch_count(l, CSZI_LAUNCH_LAYER_COUNT))
        return cszi_launch_fail(l, LAYERS, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYERS,
                                "differs from the %lld layers of the model; say --layers too",
                                (long long)layers);
    if (length != 0 && cszi_launch_said(l, "model.seq_length") &&
        length != cszi_launch_count(l, CSZ_WORKLOAD_SEQUENCE_LENGTH))
        return cszi_launch_fail(l, "model.seq_length", CSZ_ERR_CONFLICT,
                                CSZ_WORKLOAD_SEQUENCE_LENGTH,
                                "differs from the %lld of the data set", (long long)length);
    if (length != 0)
        status =
            cszi_launch_set(l, CSZ_WORKLOAD_SEQUENCE_LENGTH, (double)length, "dataset.seq_length");
    if (status == CSZ_OK && cszi_launch_has(l, CSZI_LAUNCH_CHUNKS))
        status =
            cszi_launch_set(l, CSZ_PLAN_VIRTUAL_PIPELINE, cszi_launch_get(l, CSZI_LAUNCH_CHUNKS),
                            "model.virtual_pipeline_model_parallel_size");
    if (status == CSZ_OK && l->plan->context_parallel > 1 &&
        cszi_launch_has(l, CSZI_LAUNCH_CONTEXT))
        status = cszi_launch_set(l, CSZ_PLAN_CONTEXT_KIND, cszi_launch_get(l, CSZI_LAUNCH_CONTEXT),
                                 "model.cp_comm_type");
    if (status == CSZ_OK && cszi_launch_count(l, CSZI_LAUNCH_OVERLAP) != 0)
        status = cszi_launch_set(l, CSZ_PLAN_EXPERT_OVERLAP, 1,
                                 "comm_overlap.overlap_moe_expert_parallel_comm");
    if (status == CSZ_OK && cszi_launch_has(l, CSZI_LAUNCH_ELEMENTS))
        status = cszi_launch_set(l, CSZ_PLAN_BUCKET,
                                 GRADIENT_BYTES * cszi_launch_get(l, CSZI_LAUNCH_ELEMENTS),
                                 "ddp.bucket_size");
    return status;
}

static csz_status gather(cszi_launch *l)
{
    csz_status (*const steps[])(cszi_launch *) = {gather_formats, gather_recompute, gather_sharding,
                                                  gather_offload, gather_rest};
    csz_status status = CSZ_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CSZ_OK; i++)
        status = steps[i](l);
    if (status == CSZ_OK && !cszi_launch_said(l, "model.sequence_parallel"))
        status = cszi_launch_set(l, CSZ_PLAN_SEQUENCE_PARALLEL, 0, "model.sequence_parallel");
    if (status == CSZ_OK)
        status = cszi_launch_set_stack(l, "megatron");
    return status == CSZ_OK ? cszi_launch_gather_steps(l, "train.train_iters") : status;
}

static const char *const stacks[] = {"megatron", NULL};

const cszi_launch_stack cszi_launch_nemo = {
    .source = CSZ_SOURCE_NEMO,
    .name = "Megatron-Bridge",
    .version = "0.4 (167ba2a, 2026-08)",
    .document = "docs/megatron-lm-to-megatron-bridge.md",
    .syntax = CSZI_SYNTAX_YAML,
    .wrapper = "ConfigContainer",
    .file = "overrides.yaml",
    .command = "pretrain.py --config-file %s",
    .launcher = 1,
    .stacks = stacks,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .spread = spread,
    .gather = gather,
};
