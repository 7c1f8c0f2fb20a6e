/* maxtext.c: YAML of MaxText (src/MaxText/configs/base.yml at 003b416, 2026-01). Every rank of the
 * mesh is inside one slice (ici_*) unless the file says dcn_* too: a degree is their product. */
#include "launch/shared.h"

#include <math.h>

#include "base/checked.h"

static const cszi_choice formats[] = {{CSZ_FORMAT_FP32, "float32"},
                                      {CSZ_FORMAT_BF16, "bfloat16"},
                                      {CSZ_FORMAT_FP16, "float16"},
                                      {0, NULL}};
/* Products below 16 bit are named by quantization. */
static const cszi_choice quantizations[] = {{CSZ_FORMAT_FP8, "fp8"},
                                            {CSZ_FORMAT_FP8, "nanoo_fp8"},
                                            {CSZ_FORMAT_FP8, "fp8_full"},
                                            {0, NULL}};
static const cszi_choice optimizers[] = {{CSZ_OPTIMIZER_ADAMW, "adamw"},
                                         {CSZ_OPTIMIZER_ADAMW, "adam_pax"},
                                         {CSZ_OPTIMIZER_SGD, "sgd"},
                                         {CSZ_OPTIMIZER_MUON, "muon"},
                                         {0, NULL}};
/* Policies that keep every matrix product compute norms and activation functions again. */
enum { NONE, FULL, MINIMAL, MINIMAL_WITH_CONTEXT };
static const cszi_choice policies[] = {{FULL, "full"},
                                       {NONE, "none"},
                                       {MINIMAL, "minimal"},
                                       {MINIMAL_WITH_CONTEXT, "minimal_with_context"},
                                       {MINIMAL_WITH_CONTEXT, "minimal_flash"},
                                       {0, NULL}};
static const cszi_choice kernels[] = {{CSZ_ATTENTION_KERNEL_FLASH, "autoselected"},
                                      {CSZ_ATTENTION_KERNEL_FLASH, "flash"},
                                      {CSZ_ATTENTION_KERNEL_FLASH, "cudnn_flash_te"},
                                      {CSZ_ATTENTION_KERNEL_UNFUSED, "dot_product"},
                                      {0, NULL}};
static const cszi_choice strategies[] = {
    {CSZ_CONTEXT_KIND_ALL_GATHER, "all_gather"}, {CSZ_CONTEXT_KIND_RING, "ring"}, {0, NULL}};

#define BATCH "per_device_batch_size"
#define NO_FIELD "has no field; the plan cannot be expressed"
#define AXIS(name, what)                                                                           \
    {.option = "dcn_" name,                                                                        \
     .about = (what),                                                                              \
     .rule = CSZI_LAUNCH_FACTOR,                                                                   \
     .write = CSZI_LAUNCH_NEVER},                                                                  \
    {                                                                                              \
        .option = "ici_" name, .about = (what), .rule = CSZI_LAUNCH_FACTOR                         \
    }
#define REFUSED(name)                                                                              \
    {                                                                                              \
        .option = name, .rule = CSZI_LAUNCH_REFUSED, .write = CSZI_LAUNCH_NEVER, .why = NO_FIELD   \
    }

static const cszi_launch_row rows[] = {
    AXIS("data_parallelism", CSZI_LAUNCH_DATA_AXIS),
    {.option = "dcn_fsdp_parallelism",
     .about = CSZI_LAUNCH_FSDP_AXIS,
     .rule = CSZI_LAUNCH_FACTOR,
     .write = CSZI_LAUNCH_NEVER},
    {.option = "ici_fsdp_parallelism",
     .about = CSZI_LAUNCH_FSDP_AXIS,
     .rule = CSZI_LAUNCH_FACTOR,
     .absent = "-1"},
    AXIS("pipeline_parallelism", CSZI_LAUNCH_PIPELINE_AXIS),
    AXIS("tensor_parallelism", CSZI_LAUNCH_TENSOR_AXIS),
    AXIS("context_parallelism", CSZI_LAUNCH_CONTEXT_AXIS),
    AXIS("expert_parallelism", CSZI_LAUNCH_EXPERT_AXIS),
    REFUSED("ici_fsdp_transpose_parallelism"),
    REFUSED("dcn_fsdp_transpose_parallelism"),
    REFUSED("ici_sequence_parallelism"),
    REFUSED("dcn_sequence_parallelism"),
    REFUSED("ici_tensor_transpose_parallelism"),
    REFUSED("dcn_tensor_transpose_parallelism"),
    REFUSED("ici_tensor_sequence_parallelism"),
    REFUSED("dcn_tensor_sequence_parallelism"),
    {.option = "shard_optimizer_over_data",
     .about = CSZI_LAUNCH_STATES_SHARED,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = "context_parallel_strategy",
     .about = CSZI_LAUNCH_CONTEXT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = strategies,
     .absent = "all_gather"},
    {.option = BATCH, .about = CSZI_LAUNCH_DEVICE_BATCH, .rule = CSZI_LAUNCH_REAL, .absent = "12"},
    {.option = "gradient_accumulation_steps", .about = CSZI_LAUNCH_MICRO_BATCHES, .absent = "1"},
    {.option = "num_pipeline_microbatches", .about = CSZI_LAUNCH_RANK_BATCH},
    {.option = "num_layers_per_pipeline_stage", .about = CSZI_LAUNCH_CHUNK_LAYERS},
    {.option = "max_target_length", .about = CSZ_WORKLOAD_SEQUENCE_LENGTH, .absent = "2048"},
    {.option = "steps", .about = CSZI_LAUNCH_STEPS, .absent = "150001"},
    {.option = "checkpoint_period", .about = CSZI_LAUNCH_SAVE_STEPS},
    {.option = "weight_dtype",
     .about = CSZ_WORKLOAD_WEIGHT_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = formats,
     .absent = "float32"},
    {.option = "grad_dtype",
     .about = CSZ_WORKLOAD_GRADIENT_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = formats,
     .absent = "float32"},
    {.option = "mu_dtype",
     .about = CSZ_WORKLOAD_STATE_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = formats},
    {.option = "dtype",
     .about = CSZ_WORKLOAD_ACTIVATION_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = formats,
     .absent = "bfloat16"},
    {.option = "quantization",
     .about = CSZI_LAUNCH_LOW_PRECISION,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = quantizations},
    {.option = "opt_type",
     .about = CSZ_WORKLOAD_OPTIMIZER,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = optimizers,
     .absent = "adamw"},
    {.option = "remat_policy",
     .about = CSZI_LAUNCH_KEPT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = policies,
     .absent = "full"},
    {.option = "optimizer_memory_host_offload",
     .about = CSZI_LAUNCH_HOST_STATES,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = "parameter_memory_host_offload",
     .about = CSZ_PLAN_OFFLOAD_PARAMETERS,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = "attention",
     .about = CSZ_PLAN_ATTENTION_KERNEL,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = kernels,
     .absent = "autoselected"},
    {.option = "num_vocab_tiling",
     .about = CSZI_LAUNCH_TILES,
     .write = CSZI_LAUNCH_UNLESS,
     .idle = 1},
    {.option = "base_num_decoder_layers",
     .about = CSZI_LAUNCH_LAYER_COUNT,
     .write = CSZI_LAUNCH_NEVER},
};

/* ---- Out ---- */

static int64_t policy_of(const cszi_layout *at)
{
    if (at->recompute == CSZ_RECOMPUTE_FULL)
        return FULL;
    if (!at->norm || !at->activation)
        return NONE;
    return at->recompute == CSZ_RECOMPUTE_SELECTIVE ? MINIMAL : MINIMAL_WITH_CONTEXT;
}

static void spread_axes(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int64_t experts = at->e > 0 ? at->e : 1;
    int64_t data = at->d / experts; /* an expert axis takes data-parallel ranks */
    int64_t group = at->sharding == CSZ_SHARDING_PARAMETERS ? at->group / at->c / experts : 1;
    group = group > 0 ? group : 1;
    cszi_launch_put(l, CSZI_LAUNCH_FSDP_AXIS, (double)group);
    cszi_launch_put(l, CSZI_LAUNCH_DATA_AXIS, (double)(data / group));
    cszi_launch_put(l, CSZI_LAUNCH_TENSOR_AXIS, (double)at->t);
    cszi_launch_put(l, CSZI_LAUNCH_CONTEXT_AXIS, (double)at->c);
    cszi_launch_put(l, CSZI_LAUNCH_PIPELINE_AXIS, (double)at->p);
    cszi_launch_put(l, CSZI_LAUNCH_EXPERT_AXIS, (double)experts);
    cszi_launch_put(l, CSZI_LAUNCH_STATES_SHARED, at->sharding == CSZ_SHARDING_OPTIMIZER);
}

static void spread(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int64_t once = at->p > 1 ? at->b * at->m : at->b;
    cszi_launch_spread_steps(l);
    spread_axes(l);
    cszi_launch_put(l, CSZI_LAUNCH_DEVICE_BATCH, (double)once / (double)(at->t * at->c * at->p));
    cszi_launch_put(l, CSZI_LAUNCH_MICRO_BATCHES, (double)(at->p > 1 ? 1 : at->m));
    if (at->p > 1) {
        cszi_launch_put(l, CSZI_LAUNCH_RANK_BATCH, (double)at->m);
        cszi_launch_put(l, CSZI_LAUNCH_CHUNK_LAYERS,
                        (double)(cszi_layer_total(l->workload) / (at->p * at->v)));
    }
    if (at->c > 1)
        cszi_launch_put(l, CSZI_LAUNCH_CONTEXT, (double)at->context_kind);
    cszi_launch_put(l, CSZI_LAUNCH_KEPT, (double)policy_of(at));
    cszi_launch_put(l, CSZI_LAUNCH_HOST_STATES, at->offload_optimizer > 0);
    cszi_launch_put(l, CSZI_LAUNCH_TILES, at->loss == CSZ_LOSS_KERNEL_CHUNKED ? 8 : 1);
    cszi_launch_put(l, CSZI_LAUNCH_LOW_PRECISION,
                    l->workload->compute_format == CSZ_FORMAT_FP8 ? CSZ_FORMAT_FP8 : 0);
}

/* ---- In ---- */

/* Expert and context ranks share dense states as fsdp ranks do (logical_axis_rules, embed). */
static int64_t axis(const cszi_launch *l, int at)
{
    return cszi_launch_has(l, at) ? cszi_launch_count(l, at) : 1;
}

/* One axis takes the ranks that the others leave. */
static csz_status resolve_axes(cszi_launch *l)
{
    int64_t product = 1, open = -1;
    for (int at = (int)CSZI_LAUNCH_DATA_AXIS; at <= (int)CSZI_LAUNCH_EXPERT_AXIS; at++) {
        int64_t degree = axis(l, at);
        if (degree < 0 && open >= 0)
            return cszi_launch_fail(l, "ici_fsdp_parallelism", CSZ_ERR_CONFLICT, CSZ_FIELD_NONE,
                                    "a second axis of -1; only one can take the ranks left");
        if (degree < 0)
            open = at;
        if (!cszi_multiply(product, degree < 0 ? -degree : degree, &product))
            return cszi_launch_fail(l, "ici_fsdp_parallelism", CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                                    "the axes multiply to more than 2^53");
    }
    if (l->accelerators == 0 && open >= 0)
        return cszi_launch_fail(l, "ici_fsdp_parallelism", CSZ_ERR_MISSING,
                                CSZ_CLUSTER_ACCELERATORS,
                                "-1 leaves the ranks open; say how many accelerators there are");
    if (l->accelerators != 0 &&
        (open < 0 ? l->accelerators != product : l->accelerators % product != 0))
        return cszi_launch_fail(l, "ici_fsdp_parallelism", CSZ_ERR_CONFLICT,
                                CSZ_CLUSTER_ACCELERATORS,
                                "the axes multiply to %lld, which are not the %lld accelerators",
                                (long long)product, (long long)l->accelerators);
    l->accelerators = l->accelerators != 0 ? l->accelerators : product;
    if (open >= 0)
        cszi_launch_put(l, (cszi_launch_quantity)open,
                        -l->quantities[open] * (double)(l->accelerators / product));
    return CSZ_OK;
}

static csz_status gather_axes(cszi_launch *l)
{
    static const char fsdp[] = "ici_fsdp_parallelism";
    int64_t experts = axis(l, CSZI_LAUNCH_EXPERT_AXIS), context = axis(l, CSZI_LAUNCH_CONTEXT_AXIS);
    int64_t shards = axis(l, CSZI_LAUNCH_FSDP_AXIS) * experts;
    int64_t data = axis(l, CSZI_LAUNCH_DATA_AXIS) * shards, shared = shards * context;
    const struct {
        csz_field field;
        double value;
        const char *option;
    } fields[] = {{CSZ_PLAN_TENSOR_PARALLEL, (double)axis(l, CSZI_LAUNCH_TENSOR_AXIS),
                   "ici_tensor_parallelism"},
                  {CSZ_PLAN_PIPELINE_PARALLEL, (double)axis(l, CSZI_LAUNCH_PIPELINE_AXIS),
                   "ici_pipeline_parallelism"},
                  {CSZ_PLAN_CONTEXT_PARALLEL, (double)context, "ici_context_parallelism"},
                  {CSZ_PLAN_EXPERT_PARALLEL, (double)experts, "ici_expert_parallelism"},
                  {CSZ_PLAN_DATA_PARALLEL, (double)data, "ici_data_parallelism"},
                  {CSZ_PLAN_SHARDING,
                   shared > 1                                        ? CSZ_SHARDING_PARAMETERS
                   : cszi_launch_count(l, CSZI_LAUNCH_STATES_SHARED) ? CSZ_SHARDING_OPTIMIZER
                                                                     : CSZ_SHARDING_NONE,
                   fsdp}};
    csz_status status = CSZ_OK;
    for (size_t i = 0; i < sizeof fields / sizeof *fields && status == CSZ_OK; i++)
        status = cszi_launch_set(l, fields[i].field, fields[i].value, fields[i].option);
    if (status == CSZ_OK && context > 1)
        status = cszi_launch_set(l, CSZ_PLAN_CONTEXT_KIND, cszi_launch_get(l, CSZI_LAUNCH_CONTEXT),
                                 "context_parallel_strategy");
    if (status == CSZ_OK && shared > 1 && data > shards)
        status = cszi_launch_set(l, CSZ_PLAN_SHARD_GROUP, (double)shared, fsdp);
    /* The tensor axis splits experts too (logical_axis_rules, mlp). */
    if (status == CSZ_OK && cszi_launch_has_experts(l->workload))
        status = cszi_launch_set(l, CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
                                 (double)l->plan->tensor_parallel, "ici_tensor_parallelism");
    return status;
}

/* Sequences of a step are per_device_batch_size x devices x accumulation (pyconfig). */
static csz_status gather_batch(cszi_launch *l)
{
    const cszi_plan *plan = l->plan;
    double once = cszi_launch_get(l, CSZI_LAUNCH_DEVICE_BATCH) * (double)l->accelerators;
    double batches = plan->pipeline_parallel > 1 ? cszi_launch_has(l, CSZI_LAUNCH_RANK_BATCH)
                                                       ? cszi_launch_get(l, CSZI_LAUNCH_RANK_BATCH)
                                                       : (double)plan->pipeline_parallel
                                                 : 1;
    double micro = once / (double)plan->data_parallel / batches;
    csz_status status;
    if (once > floor(once) || micro > floor(micro) || !(micro >= 1))
        return cszi_launch_fail(l, BATCH, CSZ_ERR_CONFLICT, CSZ_PLAN_MICRO_BATCH,
                                "%g sequences on %lld data-parallel ranks in %g micro-batches are "
                                "no whole sequences each",
                                once, (long long)plan->data_parallel, batches);
    if (plan->pipeline_parallel > 1 &&
        (batches < 1 || fmod(batches, (double)plan->pipeline_parallel) > 0))
        return cszi_launch_fail(l, "num_pipeline_microbatches", CSZ_ERR_CONFLICT,
                                CSZ_PLAN_MICRO_BATCH, "%g is no multiple of the %lld stages",
                                batches, (long long)plan->pipeline_parallel);
    status = cszi_launch_set(l, CSZ_PLAN_MICRO_BATCH, micro, BATCH);
    return status == CSZ_OK
               ? cszi_launch_set(l, CSZ_WORKLOAD_GLOBAL_BATCH,
                                 once * cszi_launch_get(l, CSZI_LAUNCH_MICRO_BATCHES), BATCH)
               : status;
}

/* Layers = stages x layers of a chunk x repeats (base.yml, num_pipeline_repeats). */
static csz_status gather_pipeline(cszi_launch *l)
{
    static const char option[] = "num_layers_per_pipeline_stage";
    int64_t p = l->plan->pipeline_parallel, layers = cszi_layer_total(l->workload);
    int64_t each = cszi_launch_has(l, CSZI_LAUNCH_CHUNK_LAYERS)
                       ? cszi_launch_count(l, CSZI_LAUNCH_CHUNK_LAYERS)
                       : 1;
    if (cszi_launch_has(l, CSZI_LAUNCH_LAYER_COUNT) && layers != 0 &&
        layers != cszi_launch_count(l, CSZI_LAUNCH_LAYER_COUNT))
        return cszi_launch_fail(l, "base_num_decoder_layers", CSZ_ERR_CONFLICT, CSZ_WORKLOAD_LAYERS,
                                "differs from the %lld layers of the model", (long long)layers);
    if (p == 1 || layers == 0)
        return CSZ_OK;
    if (each < 1 || layers % (p * each) != 0)
        return cszi_launch_fail(l, option, CSZ_ERR_CONFLICT, CSZ_PLAN_VIRTUAL_PIPELINE,
                                "%lld x %lld stages do not divide the %lld layers", (long long)each,
                                (long long)p, (long long)layers);
    return cszi_launch_set(l, CSZ_PLAN_VIRTUAL_PIPELINE, (double)(layers / (p * each)), option);
}

/* The first moment is as mu_dtype says, the second as the weights: one field holds both. */
static csz_status gather_formats(cszi_launch *l)
{
    int64_t weights = l->workload->weight_format, compute = l->workload->activation_format;
    csz_status status =
        cszi_launch_set(l, CSZ_WORKLOAD_MASTER_FORMAT, CSZ_FORMAT_NONE, "weight_dtype");
    if (cszi_launch_said(l, "mu_dtype") && l->workload->state_format != weights)
        return cszi_launch_fail(l, "mu_dtype", CSZ_ERR_UNKNOWN, CSZ_WORKLOAD_STATE_FORMAT,
                                "moments in two formats are not expressed by the fields; write "
                                "that of weight_dtype");
    if (cszi_launch_count(l, CSZI_LAUNCH_LOW_PRECISION) != 0)
        compute = cszi_launch_count(l, CSZI_LAUNCH_LOW_PRECISION);
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_WORKLOAD_STATE_FORMAT, (double)weights, "mu_dtype");
    return status == CSZ_OK
               ? cszi_launch_set(l, CSZ_WORKLOAD_COMPUTE_FORMAT, (double)compute, "dtype")
               : status;
}

static csz_status gather_policy(cszi_launch *l)
{
    static const char option[] = "remat_policy";
    int64_t policy = cszi_launch_count(l, CSZI_LAUNCH_KEPT);
    int light = policy == MINIMAL || policy == MINIMAL_WITH_CONTEXT;
    csz_status status = cszi_launch_set(l, CSZ_PLAN_RECOMPUTE,
                                        policy == FULL      ? CSZ_RECOMPUTE_FULL
                                        : policy == MINIMAL ? CSZ_RECOMPUTE_SELECTIVE
                                                            : CSZ_RECOMPUTE_NONE,
                                        option);
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_PLAN_RECOMPUTE_NORM, light, option);
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_PLAN_RECOMPUTE_ACTIVATION, light, option);
    if (status == CSZ_OK && cszi_launch_count(l, CSZI_LAUNCH_HOST_STATES) != 0)
        status = cszi_launch_set(l, CSZ_PLAN_OFFLOAD_OPTIMIZER, 1, "optimizer_memory_host_offload");
    if (status == CSZ_OK && cszi_launch_count(l, CSZI_LAUNCH_TILES) > 1)
        status =
            cszi_launch_set(l, CSZ_PLAN_LOSS_KERNEL, CSZ_LOSS_KERNEL_CHUNKED, "num_vocab_tiling");
    return status;
}

static csz_status gather(cszi_launch *l)
{
    csz_status (*const steps[])(cszi_launch *) = {resolve_axes,    gather_axes,    gather_batch,
                                                  gather_pipeline, gather_formats, gather_policy};
    csz_status status = CSZ_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CSZ_OK; i++)
        status = steps[i](l);
    if (status == CSZ_OK)
        status = cszi_launch_set_stack(l, "xla");
    return status == CSZ_OK ? cszi_launch_gather_steps(l, "steps") : status;
}

static const char *const stacks[] = {"xla", NULL};

const cszi_launch_stack cszi_launch_maxtext = {
    .source = CSZ_SOURCE_MAXTEXT,
    .name = "MaxText",
    .version = "2026-01",
    .document = "src/MaxText/configs/base.yml",
    .syntax = CSZI_SYNTAX_YAML,
    .file = "maxtext.yml",
    .command = "python3 -m MaxText.train %s",
    .stacks = stacks,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .whole = 1,
    .spread = spread,
    .gather = gather,
};
