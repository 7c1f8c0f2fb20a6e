/* accelerate.c: the configuration file of Hugging Face accelerate v1.10 for FSDP2
 * (docs/source/usage_guides/fsdp.md, src/accelerate/parallelism_config.py); batches and the
 * optimizer are arguments of the training script, by the names of transformers' Trainer. FSDP1 and
 * DistributedDataParallel are read too. */
#include "launch/shared.h"

enum { FSDP, DDP, SINGLE };
static const cszi_choice machines[] = {{0, "LOCAL_MACHINE"}, {0, NULL}};
static const cszi_choice families[] = {
    {FSDP, "FSDP"}, {DDP, "MULTI_GPU"}, {SINGLE, "NO"}, {0, NULL}};
static const cszi_choice versions[] = {{2, "2"}, {1, "1"}, {0, NULL}};
static const cszi_choice policies[] = {
    {0, "TRANSFORMER_BASED_WRAP"}, {0, "SIZE_BASED_WRAP"}, {0, "NO_WRAP"}, {0, NULL}};
static const cszi_choice dictionaries[] = {
    {0, "SHARDED_STATE_DICT"}, {0, "FULL_STATE_DICT"}, {0, "LOCAL_STATE_DICT"}, {0, NULL}};
enum { FULL_SHARD = 1, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD };
static const cszi_choice strategies[] = {
    {FULL_SHARD, "FULL_SHARD"},     {FULL_SHARD, "1"},      {SHARD_GRAD_OP, "SHARD_GRAD_OP"},
    {SHARD_GRAD_OP, "2"},           {NO_SHARD, "NO_SHARD"}, {NO_SHARD, "3"},
    {HYBRID_SHARD, "HYBRID_SHARD"}, {HYBRID_SHARD, "4"},    {0, NULL}};
static const cszi_choice precisions[] = {{CSZ_FORMAT_BF16, "bf16"},
                                         {CSZ_FORMAT_FP16, "fp16"},
                                         {CSZ_FORMAT_FP32, "no"},
                                         {CSZ_FORMAT_FP8, "fp8"},
                                         {0, NULL}};
static const cszi_choice full[] = {
    {CSZ_RECOMPUTE_FULL, "true"}, {CSZ_RECOMPUTE_NONE, "false"}, {0, NULL}};
static const cszi_choice backends[] = {{1, "INDUCTOR"}, {0, "NO"}, {0, "EAGER"}, {0, NULL}};
static const cszi_choice rotation[] = {
    {CSZ_CONTEXT_KIND_ALL_GATHER, "allgather"}, {CSZ_CONTEXT_KIND_RING, "alltoall"}, {0, NULL}};
static const cszi_choice optimizers[] = {{CSZ_OPTIMIZER_ADAMW, "adamw_torch"},
                                         {CSZ_OPTIMIZER_ADAM_8BIT, "adamw_bnb_8bit"},
                                         {CSZ_OPTIMIZER_PAGED_ADAM_8BIT, "paged_adamw_8bit"},
                                         {CSZ_OPTIMIZER_ADAM_4BIT, "adamw_torch_4bit"},
                                         {CSZ_OPTIMIZER_SGD, "sgd"},
                                         {CSZ_OPTIMIZER_ADAFACTOR, "adafactor"},
                                         {0, NULL}};
static const cszi_choice kernels[] = {
    {CSZ_ATTENTION_KERNEL_FLASH, "sdpa"}, {CSZ_ATTENTION_KERNEL_UNFUSED, "eager"}, {0, NULL}};
static const cszi_choice losses[] = {{CSZ_LOSS_KERNEL_LINEAR, "true"},
                                     {CSZ_LOSS_KERNEL_PLAIN, "false"},
                                     {CSZ_LOSS_KERNEL_FUSED, "false"},
                                     {0, NULL}};
static const cszi_choice jobs[] = {
    {CSZ_JOB_FINETUNE, "full"}, {CSZ_JOB_LORA, "lora"}, {CSZ_JOB_QLORA, "qlora"}, {0, NULL}};

#define SHARDS "parallelism_config.parallelism_config_dp_shard_size"
#define PROCESSES "num_processes"
#define STRATEGY "fsdp_config.fsdp_sharding_strategy"
#define ARGUMENT(name, what) .option = name, .about = (what), .place = CSZI_LAUNCH_ARGUMENT

static const cszi_launch_row rows[] = {
    {.option = "compute_environment", .rule = CSZI_LAUNCH_CHOICE, .choices = machines},
    {.option = "distributed_type",
     .about = CSZI_LAUNCH_FAMILY,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = families,
     .absent = "NO",
     .why = "is not read here; DeepSpeed has a file of its own"},
    {.option = "dynamo_config.dynamo_backend",
     .about = CSZI_LAUNCH_COMPILED,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = backends},
    {.option = "fsdp_config.fsdp_activation_checkpointing",
     .about = CSZ_PLAN_RECOMPUTE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = full},
    {.option = "fsdp_config.fsdp_auto_wrap_policy",
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = policies},
    {.option = "fsdp_config.fsdp_offload_params",
     .about = CSZI_LAUNCH_HOST,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch},
    {.option = "fsdp_config.fsdp_reshard_after_forward",
     .about = CSZI_LAUNCH_KEPT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch},
    {.option = STRATEGY,
     .about = CSZI_LAUNCH_STRATEGY,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_NEVER,
     .choices = strategies},
    {.option = "fsdp_config.fsdp_state_dict_type",
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = dictionaries},
    {.option = "fsdp_config.fsdp_version",
     .about = CSZI_LAUNCH_ENGINE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = versions},
    {.option = "mixed_precision",
     .about = CSZ_WORKLOAD_COMPUTE_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = precisions,
     .absent = "no"},
    {.option = "num_machines", .about = CSZI_LAUNCH_NODES},
    {.option = PROCESSES, .about = CSZI_LAUNCH_RANKS},
    {.option = "parallelism_config.parallelism_config_cp_size", .about = CSZ_PLAN_CONTEXT_PARALLEL},
    {.option = "parallelism_config.parallelism_config_cp_comm_strategy",
     .about = CSZI_LAUNCH_CONTEXT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = rotation},
    {.option = "parallelism_config.parallelism_config_dp_replicate_size",
     .about = CSZI_LAUNCH_REPLICAS},
    {.option = SHARDS, .about = CSZI_LAUNCH_SHARDS},
    {.option = "parallelism_config.parallelism_config_tp_size", .about = CSZ_PLAN_TENSOR_PARALLEL},
    {ARGUMENT("per_device_train_batch_size", CSZ_PLAN_MICRO_BATCH)},
    {ARGUMENT("gradient_accumulation_steps", CSZI_LAUNCH_MICRO_BATCHES)},
    {ARGUMENT("max_length", CSZ_WORKLOAD_SEQUENCE_LENGTH)},
    {ARGUMENT("max_steps", CSZI_LAUNCH_STEPS)},
    {ARGUMENT("save_steps", CSZI_LAUNCH_SAVE_STEPS)},
    {ARGUMENT("optim", CSZ_WORKLOAD_OPTIMIZER), .rule = CSZI_LAUNCH_CHOICE, .choices = optimizers},
    {ARGUMENT("attn_implementation", CSZ_PLAN_ATTENTION_KERNEL), .rule = CSZI_LAUNCH_CHOICE,
     .choices = kernels},
    {ARGUMENT("use_liger_kernel", CSZ_PLAN_LOSS_KERNEL), .rule = CSZI_LAUNCH_CHOICE,
     .choices = losses},
    {ARGUMENT("tuning", CSZ_WORKLOAD_JOB), .rule = CSZI_LAUNCH_CHOICE, .write = CSZI_LAUNCH_UNLESS,
     .idle = CSZ_JOB_PRETRAIN, .choices = jobs},
    {ARGUMENT("lora_r", CSZ_WORKLOAD_LORA_RANK), .write = CSZI_LAUNCH_UNLESS, .idle = 16},
    {ARGUMENT("global_batch", CSZ_WORKLOAD_GLOBAL_BATCH), .write = CSZI_LAUNCH_NEVER},
    CSZI_LAUNCH_ALLOCATOR,
};

/* ---- Out ---- */

static void spread(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int64_t per_node =
        l->cluster->accelerators_per_node > 0 ? l->cluster->accelerators_per_node : at->used;
    cszi_launch_spread_shards(l);
    cszi_launch_spread_steps(l);
    cszi_launch_put(l, CSZI_LAUNCH_FAMILY, FSDP);
    cszi_launch_put(l, CSZI_LAUNCH_ENGINE, 2);
    cszi_launch_put(l, CSZI_LAUNCH_NODES, (double)((at->used + per_node - 1) / per_node));
    cszi_launch_put(l, CSZI_LAUNCH_COMPILED, cszi_stack_find("fsdp-compiled") == at->stack);
    cszi_launch_put(l, CSZI_LAUNCH_HOST, (double)at->offload_parameters);
    cszi_launch_put(l, CSZI_LAUNCH_KEPT, (double)at->reshard);
    cszi_launch_put(l, CSZI_LAUNCH_MICRO_BATCHES, (double)at->m);
    if (at->c > 1)
        cszi_launch_put(l, CSZI_LAUNCH_CONTEXT, (double)at->context_kind);
}

/* ---- In ---- */

/* The count of processes is the number of ranks; without a mesh all of them share the states. */
static csz_status gather_ranks(cszi_launch *l)
{
    int64_t processes = cszi_launch_count(l, CSZI_LAUNCH_RANKS), model = 0;
    if (cszi_launch_has(l, CSZI_LAUNCH_RANKS) && processes < 1)
        return cszi_launch_fail(l, PROCESSES, CSZ_ERR_RANGE, CSZ_CLUSTER_ACCELERATORS,
                                "is less than 1");
    if (processes > 0 && l->accelerators > 0 && processes != l->accelerators)
        return cszi_launch_fail(l, PROCESSES, CSZ_ERR_CONFLICT, CSZ_CLUSTER_ACCELERATORS,
                                "%lld, but there are %lld accelerators", (long long)processes,
                                (long long)l->accelerators);
    if (processes > 0)
        l->accelerators = processes;
    model = l->plan->tensor_parallel * l->plan->context_parallel;
    if (l->accelerators > 0 && l->accelerators % model != 0)
        return cszi_launch_fail(l, PROCESSES, CSZ_ERR_CONFLICT, CSZ_CLUSTER_ACCELERATORS,
                                "%lld are no multiple of tensor x context parallel = %lld",
                                (long long)l->accelerators, (long long)model);
    return CSZ_OK;
}

/* The mesh must have as many places as there are processes (ParallelismConfig). */
static csz_status check_mesh(const cszi_launch *l)
{
    const cszi_plan *plan = l->plan;
    int64_t mesh = plan->tensor_parallel * plan->context_parallel * plan->data_parallel;
    if (l->accelerators > 0 && plan->data_parallel != 0 && mesh != l->accelerators)
        return cszi_launch_fail(l, SHARDS, CSZ_ERR_CONFLICT, CSZ_PLAN_DATA_PARALLEL,
                                "the mesh has %lld places, not those of the %lld processes",
                                (long long)mesh, (long long)l->accelerators);
    if (cszi_launch_count(l, CSZI_LAUNCH_REPLICAS) > 1 &&
        cszi_launch_count(l, CSZI_LAUNCH_SHARDS) == 1 &&
        plan->tensor_parallel * plan->context_parallel > 1)
        return cszi_launch_fail(l, SHARDS, CSZ_ERR_CONFLICT, CSZ_PLAN_SHARD_GROUP,
                                "replicas without shards do not go with tensor or context "
                                "parallelism; give at least 2");
    return CSZ_OK;
}

/* FSDP2's switch, or the strategies of FSDP1. */
static csz_status gather_strategy(cszi_launch *l)
{
    int64_t strategy = cszi_launch_count(l, CSZI_LAUNCH_STRATEGY);
    int resharding =
        !cszi_launch_has(l, CSZI_LAUNCH_KEPT) || cszi_launch_count(l, CSZI_LAUNCH_KEPT) != 0;
    if (cszi_launch_count(l, CSZI_LAUNCH_ENGINE) == 2 && strategy != 0)
        return cszi_launch_fail(l, STRATEGY, CSZ_ERR_CONFLICT, CSZ_PLAN_SHARDING,
                                "belongs to fsdp_version 1; write fsdp_reshard_after_forward");
    if (strategy == HYBRID_SHARD)
        return cszi_launch_fail(l, STRATEGY, CSZ_ERR_UNKNOWN, CSZ_PLAN_SHARD_GROUP,
                                "shares inside a node, whose size the file does not say; give "
                                "FULL_SHARD and --shard-group");
    if (strategy == NO_SHARD)
        return cszi_launch_set(l, CSZ_PLAN_SHARDING, CSZ_SHARDING_NONE, STRATEGY);
    if (l->plan->sharding != CSZ_SHARDING_PARAMETERS)
        return CSZ_OK;
    return cszi_launch_set(l, CSZ_PLAN_RESHARD, strategy != SHARD_GRAD_OP && resharding,
                           "fsdp_config.fsdp_reshard_after_forward");
}

/* Trainable weights are fp32 under FSDP2's mixed precision (fsdp_utils.py upcasts them). */
static csz_status gather_formats(cszi_launch *l)
{
    static const char option[] = "mixed_precision";
    int64_t compute = l->workload->compute_format;
    csz_status status = cszi_launch_set_formats(l, CSZ_FORMAT_FP32, CSZ_FORMAT_FP32,
                                                CSZ_FORMAT_NONE, CSZ_FORMAT_FP32, option);
    int64_t optimizer = l->workload->optimizer;
    if (optimizer == CSZ_OPTIMIZER_ADAM_8BIT || optimizer == CSZ_OPTIMIZER_PAGED_ADAM_8BIT ||
        optimizer == CSZ_OPTIMIZER_ADAM_4BIT)
        cszi_field_unset(&cszi_workload_table, l->workload,
                         cszi_table_row(&cszi_workload_table, CSZ_WORKLOAD_STATE_FORMAT));
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_WORKLOAD_ACTIVATION_FORMAT,
                                 (double)(compute == CSZ_FORMAT_FP8 ? CSZ_FORMAT_BF16 : compute),
                                 option);
    return status;
}

static csz_status gather_offload(cszi_launch *l)
{
    static const char option[] = "fsdp_config.fsdp_offload_params";
    csz_status status = CSZ_OK;
    if (cszi_launch_count(l, CSZI_LAUNCH_HOST) == 0)
        return CSZ_OK;
    status = cszi_launch_set(l, CSZ_PLAN_OFFLOAD_PARAMETERS, 1, option);
    return status == CSZ_OK ? cszi_launch_set(l, CSZ_PLAN_OFFLOAD_OPTIMIZER, 1, option) : status;
}

static csz_status gather_family(cszi_launch *l)
{
    int64_t family = cszi_launch_count(l, CSZI_LAUNCH_FAMILY);
    csz_status status;
    if (family != FSDP)
        return cszi_launch_set_stack(l, "ddp");
    status = cszi_launch_gather_shards(l, SHARDS);
    if (status == CSZ_OK)
        status = check_mesh(l);
    if (status == CSZ_OK)
        status = gather_strategy(l);
    if (status == CSZ_OK)
        status = gather_offload(l);
    return status == CSZ_OK
               ? cszi_launch_set_stack(
                     l, cszi_launch_count(l, CSZI_LAUNCH_COMPILED) ? "fsdp-compiled" : "fsdp-eager")
               : status;
}

static csz_status gather(cszi_launch *l)
{
    csz_status status = gather_ranks(l);
    if (status == CSZ_OK)
        status = gather_family(l);
    if (status == CSZ_OK && l->plan->context_parallel > 1)
        status = cszi_launch_set(l, CSZ_PLAN_CONTEXT_KIND,
                                 cszi_launch_has(l, CSZI_LAUNCH_CONTEXT)
                                     ? cszi_launch_get(l, CSZI_LAUNCH_CONTEXT)
                                     : CSZ_CONTEXT_KIND_ALL_GATHER,
                                 "parallelism_config.parallelism_config_cp_comm_strategy");
    return status == CSZ_OK ? gather_formats(l) : status;
}

static const csz_field without[] = {CSZ_PLAN_PIPELINE_PARALLEL, CSZ_PLAN_EXPERT_PARALLEL,
                                    CSZ_FIELD_NONE};
static const char *const stacks[] = {"fsdp-eager", "fsdp-compiled", NULL};

const cszi_launch_stack cszi_launch_accelerate = {
    .source = CSZ_SOURCE_ACCELERATE,
    .name = "accelerate",
    .version = "v1.10",
    .document = "docs/source/usage_guides/fsdp.md",
    .syntax = CSZI_SYNTAX_YAML,
    .file = "accelerate.yaml",
    .command = "bash -c 'accelerate launch --config_file \"$0\" --machine_rank \"$SLURM_PROCID\" "
               "--main_process_ip \"$head\" --main_process_port 29500 train.py \"$@\"' %s",
    .stacks = stacks,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .without = without,
    .whole = 1,
    .spread = spread,
    .gather = gather,
};
