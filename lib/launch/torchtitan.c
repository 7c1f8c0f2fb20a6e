/* torchtitan.c: TOML of torchtitan v0.2.2 (2026; torchtitan/config/job_config.py before 76d5c72,
 * and docs/). Later releases are configured in Python. */
#include "launch/shared.h"

static const cszi_choice formats[] = {
    {CSZ_FORMAT_FP32, "float32"}, {CSZ_FORMAT_BF16, "bfloat16"}, {0, NULL}};
/* FP8 products are a converter's: the rest computes in 16 bit. */
static const cszi_choice products[] = {{CSZ_FORMAT_BF16, "bfloat16"},
                                       {CSZ_FORMAT_FP32, "float32"},
                                       {CSZ_FORMAT_FP8, "bfloat16"},
                                       {0, NULL}};
static const cszi_choice reduced[] = {{0, "float32"}, {0, NULL}};
static const cszi_choice converters[] = {{1, "quantize.linear.float8"},
                                         {1, "float8"},
                                         {2, "quantize.linear.mx"},
                                         {2, "mx"},
                                         {4, "quantize.grouped_mm.float8"},
                                         {8, "quantize.grouped_mm.mx"},
                                         {0, NULL}};
static const cszi_choice reshard[] = {{1, "always"}, {0, "never"}, {-1, "default"}, {0, NULL}};
static const cszi_choice rotation[] = {
    {CSZ_CONTEXT_KIND_ALL_GATHER, "allgather"}, {CSZ_CONTEXT_KIND_RING, "alltoall"}, {0, NULL}};
static const cszi_choice schedules[] = {{CSZ_SCHEDULE_1F1B, "1F1B"},
                                        {CSZ_SCHEDULE_INTERLEAVED, "Interleaved1F1B"},
                                        {CSZ_SCHEDULE_ZB_V, "ZBVZeroBubble"},
                                        {0, NULL}};
static const cszi_choice modes[] = {{CSZ_RECOMPUTE_NONE, "none"},
                                    {CSZ_RECOMPUTE_OPERATIONS, "selective"},
                                    {CSZ_RECOMPUTE_FULL, "full"},
                                    {0, NULL}};
enum { BY_OPERATION = 1, SOME_LAYERS, ALL_LAYERS };
static const cszi_choice options[] = {{BY_OPERATION, "op"}, {ALL_LAYERS, "1"},  {SOME_LAYERS, "2"},
                                      {SOME_LAYERS, "3"},   {SOME_LAYERS, "4"}, {0, NULL}};
static const cszi_choice optimizers[] = {
    {CSZ_OPTIMIZER_ADAMW, "AdamW"}, {CSZ_OPTIMIZER_ADAMW, "Adam"}, {0, NULL}};
static const cszi_choice implementations[] = {
    {1, "fused"}, {0, "foreach"}, {0, "for-loop"}, {0, NULL}};

#define LOCAL "training.local_batch_size"
#define GLOBAL "training.global_batch_size"
#define SHARDS "parallelism.data_parallel_shard_degree"
#define SCHEDULE "parallelism.pipeline_parallel_schedule"
#define EXPERTS "parallelism.expert_parallel_degree"
#define OPTION "activation_checkpoint.selective_ac_option"
#define NO_FIELD "has no field; the plan cannot be expressed"

static const cszi_launch_row rows[] = {
    {.option = "model.converters",
     .about = CSZI_LAUNCH_LOW_PRECISION,
     .rule = CSZI_LAUNCH_BITS,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = converters},
    {.option = "optimizer.name",
     .about = CSZ_WORKLOAD_OPTIMIZER,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = optimizers,
     .absent = "AdamW"},
    {.option = "optimizer.implementation",
     .about = CSZ_PLAN_OPTIMIZER_FUSED,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = implementations,
     .absent = "fused"},
    {.option = "optimizer.early_step_in_backward",
     .about = CSZ_PLAN_GRADIENT_RELEASE,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = "training.dtype",
     .about = CSZ_WORKLOAD_WEIGHT_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .idle = CSZ_FORMAT_FP32,
     .choices = formats,
     .absent = "float32"},
    {.option = "training.mixed_precision_param",
     .about = CSZ_WORKLOAD_COMPUTE_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = products,
     .absent = "bfloat16"},
    {.option = "training.mixed_precision_reduce",
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_NEVER,
     .choices = reduced},
    {.option = "training.seq_len", .about = CSZ_WORKLOAD_SEQUENCE_LENGTH, .absent = "2048"},
    {.option = LOCAL, .about = CSZI_LAUNCH_RANK_BATCH, .absent = "8"},
    {.option = "training.batch_size", /* until July 2025 */
     .about = CSZI_LAUNCH_RANK_BATCH,
     .write = CSZI_LAUNCH_NEVER},
    {.option = GLOBAL, .about = CSZ_WORKLOAD_GLOBAL_BATCH},
    {.option = "training.steps", .about = CSZI_LAUNCH_STEPS, .absent = "10000"},
    {.option = "training.enable_cpu_offload",
     .about = CSZI_LAUNCH_HOST,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = "training.compile", /* until September 2025 */
     .about = CSZI_LAUNCH_COMPILED,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_NEVER,
     .choices = cszi_launch_switch},
    {.option = "parallelism.data_parallel_replicate_degree",
     .about = CSZI_LAUNCH_REPLICAS,
     .absent = "1"},
    {.option = SHARDS, .about = CSZI_LAUNCH_SHARDS},
    {.option = "parallelism.fsdp_reshard_after_forward",
     .about = CSZI_LAUNCH_STRATEGY,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = reshard},
    {.option = "parallelism.tensor_parallel_degree", .about = CSZ_PLAN_TENSOR_PARALLEL},
    {.option = "parallelism.pipeline_parallel_degree", .about = CSZ_PLAN_PIPELINE_PARALLEL},
    {.option = SCHEDULE,
     .about = CSZ_PLAN_SCHEDULE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = schedules},
    {.option = "parallelism.pipeline_parallel_microbatch_size",
     .about = CSZI_LAUNCH_DEVICE_BATCH,
     .absent = "1"},
    {.option = "parallelism.pipeline_parallel_layers_per_stage", .about = CSZI_LAUNCH_CHUNK_LAYERS},
    {.option = "parallelism.pipeline_parallel_first_stage_less_layers",
     .about = CSZI_LAUNCH_FIRST_LESS,
     .absent = "1"},
    {.option = "parallelism.pipeline_parallel_last_stage_less_layers",
     .about = CSZI_LAUNCH_LAST_LESS,
     .absent = "1"},
    {.option = "parallelism.context_parallel_degree", .about = CSZ_PLAN_CONTEXT_PARALLEL},
    {.option = "parallelism.context_parallel_rotate_method",
     .about = CSZI_LAUNCH_METHOD,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = rotation,
     .absent = "allgather"},
    {.option = EXPERTS, .about = CSZ_PLAN_EXPERT_PARALLEL},
    {.option = "parallelism.expert_tensor_parallel_degree",
     .about = CSZ_PLAN_EXPERT_TENSOR_PARALLEL},
    {.option = "parallelism.module_fqns_per_model_part",
     .rule = CSZI_LAUNCH_REFUSED,
     .write = CSZI_LAUNCH_NEVER,
     .why = NO_FIELD},
    {.option = "activation_checkpoint.mode",
     .about = CSZ_PLAN_RECOMPUTE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = modes,
     .absent = "selective"},
    {.option = OPTION,
     .about = CSZI_LAUNCH_KEPT_OPTION,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = options},
    {.option = "compile.enable",
     .about = CSZI_LAUNCH_COMPILED,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch,
     .absent = "false"},
    {.option = "checkpoint.interval", .about = CSZI_LAUNCH_SAVE_STEPS, .absent = NULL},
    CSZI_LAUNCH_ALLOCATOR,
};

/* ---- Out ---- */

static void spread_pipeline(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int64_t layers = cszi_layer_total(l->workload) + at->head_counts + at->tail_counts;
    int written = at->chunks[0] != '\0'; /* torchtitan's own division by its defaults, or none */
    if (at->p == 1)
        return;
    cszi_launch_put(l, CSZI_LAUNCH_DEVICE_BATCH, (double)at->b);
    cszi_launch_put(l, CSZI_LAUNCH_FIRST_LESS, written ? 1 : (double)at->head_counts);
    cszi_launch_put(l, CSZI_LAUNCH_LAST_LESS, written ? 1 : (double)at->tail_counts);
    if (at->schedule == CSZ_SCHEDULE_INTERLEAVED) {
        layers += written ? 2 : 0;
        cszi_launch_put(l, CSZI_LAUNCH_CHUNK_LAYERS,
                        (double)((layers + at->p * at->v - 1) / (at->p * at->v)));
    }
}

static void spread(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    cszi_launch_spread_shards(l);
    cszi_launch_spread_steps(l);
    spread_pipeline(l);
    cszi_launch_put(l, CSZI_LAUNCH_RANK_BATCH, (double)(at->p > 1 ? at->b * at->m : at->b));
    cszi_launch_put(l, CSZI_LAUNCH_COMPILED, cszi_stack_find("fsdp-compiled") == at->stack);
    cszi_launch_put(l, CSZI_LAUNCH_HOST, (double)at->offload_parameters);
    if (at->sharding == CSZ_SHARDING_PARAMETERS)
        cszi_launch_put(l, CSZI_LAUNCH_STRATEGY, (double)at->reshard);
    if (at->c > 1)
        cszi_launch_put(l, CSZI_LAUNCH_METHOD, (double)at->context_kind);
    if (at->recompute == CSZ_RECOMPUTE_OPERATIONS)
        cszi_launch_put(l, CSZI_LAUNCH_KEPT_OPTION, BY_OPERATION);
    if (l->workload->compute_format == CSZ_FORMAT_FP8)
        cszi_launch_put(l, CSZI_LAUNCH_LOW_PRECISION, 1);
}

/* ---- In ---- */

static csz_status gather_formats(cszi_launch *l)
{
    static const char option[] = "training.dtype";
    int64_t weights = l->workload->weight_format, compute = l->workload->compute_format;
    csz_status status =
        cszi_launch_set_formats(l, weights, weights, CSZ_FORMAT_NONE, weights, option);
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_WORKLOAD_ACTIVATION_FORMAT, (double)compute, option);
    if (status == CSZ_OK && cszi_launch_count(l, CSZI_LAUNCH_LOW_PRECISION) != 0)
        status =
            cszi_launch_set(l, CSZ_WORKLOAD_COMPUTE_FORMAT, CSZ_FORMAT_FP8, "model.converters");
    return status;
}

static csz_status gather_recompute(cszi_launch *l)
{
    int64_t option = cszi_launch_count(l, CSZI_LAUNCH_KEPT_OPTION);
    if (l->plan->recompute != CSZ_RECOMPUTE_OPERATIONS || option == BY_OPERATION)
        return CSZ_OK;
    if (option == ALL_LAYERS)
        return cszi_launch_set(l, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_FULL, OPTION);
    return cszi_launch_fail(l, OPTION, option == 0 ? CSZ_ERR_MISSING : CSZ_ERR_UNKNOWN,
                            CSZ_PLAN_RECOMPUTE,
                            "one layer in so many, which is also the default, has no field; write "
                            "selective_ac_option = \"op\" or mode = \"full\"");
}

/* Sequences of a step: what the ranks take at once unless more is asked for. */
static csz_status gather_batch(cszi_launch *l)
{
    int64_t local = cszi_launch_count(l, CSZI_LAUNCH_RANK_BATCH), ranks = cszi_launch_data_ranks(l);
    int64_t micro =
        l->plan->pipeline_parallel > 1 ? cszi_launch_count(l, CSZI_LAUNCH_DEVICE_BATCH) : local;
    int64_t once = 0, all = cszi_launch_count(l, CSZ_WORKLOAD_GLOBAL_BATCH);
    csz_status status = cszi_launch_set(l, CSZ_PLAN_MICRO_BATCH, (double)micro, LOCAL);
    if (status != CSZ_OK)
        return status;
    if (local < 1 || local % micro != 0)
        return cszi_launch_fail(l, LOCAL, CSZ_ERR_CONFLICT, CSZ_PLAN_MICRO_BATCH,
                                "%lld sequences are no micro-batches of %lld", (long long)local,
                                (long long)micro);
    if (ranks == 0 && all == 0)
        return cszi_launch_fail(l, SHARDS, CSZ_ERR_MISSING, CSZ_CLUSTER_ACCELERATORS,
                                "leaves the ranks open, and " GLOBAL
                                " the batch; say how many accelerators there are");
    if (!(local <= 1073741824 && ranks <= 1073741824))
        return cszi_launch_fail(l, LOCAL, CSZ_ERR_RANGE, CSZ_WORKLOAD_GLOBAL_BATCH, "is too large");
    once = local * ranks;
    if (all == 0)
        return cszi_launch_set(l, CSZ_WORKLOAD_GLOBAL_BATCH, (double)once, LOCAL);
    if (ranks > 0 && all % once != 0)
        return cszi_launch_fail(l, GLOBAL, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_GLOBAL_BATCH,
                                "%lld is no multiple of local_batch_size %lld x %lld "
                                "data-parallel ranks; the nearest below is %lld",
                                (long long)all, (long long)local, (long long)ranks,
                                (long long)(all / once * once));
    return CSZ_OK;
}

/* Chunks: one a stage, two of a V, two of a loop unless layers of a chunk are said. */
static csz_status gather_pipeline(cszi_launch *l)
{
    int64_t p = l->plan->pipeline_parallel, layers = cszi_layer_total(l->workload), chunks = p;
    int64_t head = cszi_launch_count(l, CSZI_LAUNCH_FIRST_LESS);
    int64_t tail = cszi_launch_count(l, CSZI_LAUNCH_LAST_LESS);
    int64_t each = cszi_launch_count(l, CSZI_LAUNCH_CHUNK_LAYERS);
    csz_status status;
    if (p == 1) {
        cszi_field_unset(&cszi_plan_table, l->plan,
                         cszi_table_row(&cszi_plan_table, CSZ_PLAN_SCHEDULE));
        return CSZ_OK;
    }
    if (l->plan->schedule != CSZ_SCHEDULE_1F1B)
        chunks = each > 0 && l->plan->schedule == CSZ_SCHEDULE_INTERLEAVED
                     ? (layers + head + tail + each - 1) / each
                     : 2 * p;
    if (chunks % p != 0 || chunks / p > 1024 || chunks < p)
        return cszi_launch_fail(l, SCHEDULE, CSZ_ERR_CONFLICT, CSZ_PLAN_VIRTUAL_PIPELINE,
                                "%lld chunks are no multiple of the %lld stages", (long long)chunks,
                                (long long)p);
    status = cszi_launch_set(l, CSZ_PLAN_VIRTUAL_PIPELINE, (double)(chunks / p), SCHEDULE);
    return status == CSZ_OK ? cszi_launch_set_chunks(l, chunks, head, tail, SCHEDULE) : status;
}

/* Without experts neither degree has an effect. Expert ranks cover the tensor and context ranks, or
 * the context ranks where experts are split as other matrices are (the help of
 * expert_parallel_degree). */
static csz_status gather_experts(cszi_launch *l)
{
    const cszi_plan *plan = l->plan;
    int64_t tensor = plan->expert_tensor_parallel == 1 ? plan->tensor_parallel : 1;
    if (l->workload->kinds_count > 0 && !cszi_launch_has_experts(l->workload)) {
        csz_status status = cszi_launch_set(l, CSZ_PLAN_EXPERT_PARALLEL, 1, EXPERTS);
        return status == CSZ_OK ? cszi_launch_set(l, CSZ_PLAN_EXPERT_TENSOR_PARALLEL, 1, EXPERTS)
                                : status;
    }
    if (plan->expert_parallel == 1)
        return CSZ_OK;
    if (plan->expert_tensor_parallel != 1 && plan->expert_tensor_parallel != plan->tensor_parallel)
        return cszi_launch_fail(l, EXPERTS, CSZ_ERR_CONFLICT, CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
                                "expert_tensor_parallel_degree is 1 or tensor_parallel_degree");
    if (plan->expert_parallel % (plan->context_parallel * tensor) != 0)
        return cszi_launch_fail(l, EXPERTS, CSZ_ERR_CONFLICT, CSZ_PLAN_EXPERT_PARALLEL,
                                "%lld is no multiple of the %lld context and tensor ranks",
                                (long long)plan->expert_parallel,
                                (long long)(plan->context_parallel * tensor));
    return CSZ_OK;
}

static csz_status gather_rest(cszi_launch *l)
{
    csz_status status = CSZ_OK;
    if (cszi_launch_has(l, CSZI_LAUNCH_STRATEGY) && cszi_launch_count(l, CSZI_LAUNCH_STRATEGY) >= 0)
        status = cszi_launch_set(l, CSZ_PLAN_RESHARD, cszi_launch_get(l, CSZI_LAUNCH_STRATEGY),
                                 "parallelism.fsdp_reshard_after_forward");
    if (status == CSZ_OK && l->plan->context_parallel > 1)
        status = cszi_launch_set(l, CSZ_PLAN_CONTEXT_KIND, cszi_launch_get(l, CSZI_LAUNCH_METHOD),
                                 "parallelism.context_parallel_rotate_method");
    if (status == CSZ_OK && cszi_launch_count(l, CSZI_LAUNCH_HOST) != 0) {
        status = cszi_launch_set(l, CSZ_PLAN_OFFLOAD_PARAMETERS, 1, "training.enable_cpu_offload");
        if (status == CSZ_OK)
            status =
                cszi_launch_set(l, CSZ_PLAN_OFFLOAD_OPTIMIZER, 1, "training.enable_cpu_offload");
    }
    if (status == CSZ_OK)
        status = cszi_launch_set_stack(
            l, cszi_launch_count(l, CSZI_LAUNCH_COMPILED) ? "fsdp-compiled" : "fsdp-eager");
    return status;
}

static csz_status gather(cszi_launch *l)
{
    csz_status status = gather_formats(l);
    if (status == CSZ_OK)
        status = gather_recompute(l);
    if (status == CSZ_OK)
        status = cszi_launch_gather_shards(l, SHARDS);
    if (status == CSZ_OK)
        status = gather_batch(l);
    if (status == CSZ_OK)
        status = gather_pipeline(l);
    if (status == CSZ_OK)
        status = gather_experts(l);
    if (status == CSZ_OK)
        status = gather_rest(l);
    return status == CSZ_OK ? cszi_launch_gather_steps(l, "training.steps") : status;
}

static const char *const stacks[] = {"fsdp-compiled", "fsdp-eager", NULL};

const cszi_launch_stack cszi_launch_torchtitan = {
    .source = CSZ_SOURCE_TORCHTITAN,
    .name = "torchtitan",
    .version = "v0.2.2",
    .document = "torchtitan/config/job_config.py",
    .syntax = CSZI_SYNTAX_TOML,
    .file = "train.toml",
    .command = "-m torchtitan.train --job.config_file %s",
    .launcher = 1,
    .stacks = stacks,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .whole = 1,
    .spread = spread,
    .gather = gather,
};
