/* nanotron.c: YAML of nanotron v0.5 (src/nanotron/config/config.py, parallelism_config.py and
 * models_config.py at 6b2ff65, 025f314; examples/config_tiny_llama.yaml). */
#include "launch/shared.h"

#include "base/checked.h"

static const cszi_choice formats[] = {{CSZ_FORMAT_BF16, "bfloat16"},
                                      {CSZ_FORMAT_FP16, "float16"},
                                      {CSZ_FORMAT_FP32, "float32"},
                                      {0, NULL}};
static const cszi_choice accumulated[] = {
    {CSZ_FORMAT_FP32, "true"}, {CSZ_FORMAT_BF16, "false"}, {CSZ_FORMAT_FP16, "false"}, {0, NULL}};
static const cszi_choice optimizers[] = {
    {CSZ_OPTIMIZER_ADAMW, "adamW"}, {CSZ_OPTIMIZER_SGD, "sgd"}, {0, NULL}};
enum { ONE_FORWARD = 1, ALL_FORWARD };
static const cszi_choice engines[] = {{ONE_FORWARD, "1f1b"}, {ALL_FORWARD, "afab"}, {0, NULL}};
static const cszi_choice modes[] = {{1, "REDUCE_SCATTER"}, {0, "ALL_REDUCE"}, {0, NULL}};
static const cszi_choice full[] = {
    {CSZ_RECOMPUTE_FULL, "true"}, {CSZ_RECOMPUTE_NONE, "false"}, {0, NULL}};

#define MODEL(key) "model.model_config." key
#define BATCHES "tokens.batch_accumulation_per_replica"
#define MICRO "tokens.micro_batch_size"
#define LAYERS MODEL("num_hidden_layers")
#define NO_FIELD "has no field; the plan cannot be expressed"

static const cszi_launch_row rows[] = {
    {.option = "checkpoints.checkpoint_interval", .about = CSZI_LAUNCH_SAVE_STEPS},
    {.option = "model.dtype",
     .about = CSZ_WORKLOAD_WEIGHT_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = formats,
     .absent = "bfloat16"},
    {.option = "model.make_vocab_size_divisible_by",
     .about = CSZI_LAUNCH_VOCAB_MULTIPLE,
     .absent = "1"},
    {.option = MODEL("attention_bias"),
     .about = CSZ_WORKLOAD_QKV_BIAS,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = MODEL("hidden_size"), .about = CSZ_WORKLOAD_HIDDEN},
    {.option = MODEL("intermediate_size"), .about = CSZ_WORKLOAD_FFN},
    {.option = MODEL("is_llama_config"),
     .about = CSZI_LAUNCH_FAMILY,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = MODEL("is_qwen2_config"),
     .about = CSZI_LAUNCH_ADDED_BIAS,
     .rule = CSZI_LAUNCH_CHOICE,
     .write = CSZI_LAUNCH_UNLESS,
     .choices = cszi_launch_switch},
    {.option = MODEL("is_mamba_config"),
     .rule = CSZI_LAUNCH_REFUSED,
     .write = CSZI_LAUNCH_NEVER,
     .why = "names a model that is not read; give its config.json"},
    {.option = MODEL("is_starcoder2_config"),
     .rule = CSZI_LAUNCH_REFUSED,
     .write = CSZI_LAUNCH_NEVER,
     .why = "names a model that is not read; give its config.json"},
    {.option = MODEL("max_position_embeddings"), .about = CSZI_LAUNCH_POSITIONS},
    {.option = MODEL("moe_config.num_experts"),
     .rule = CSZI_LAUNCH_REFUSED,
     .write = CSZI_LAUNCH_NEVER,
     .why = "experts are not read; give the model's config.json"},
    {.option = MODEL("num_attention_heads"), .about = CSZ_WORKLOAD_HEADS},
    {.option = LAYERS, .about = CSZI_LAUNCH_LAYER_COUNT},
    {.option = MODEL("num_key_value_heads"), .about = CSZ_WORKLOAD_KV_HEADS},
    {.option = MODEL("sliding_window_size"),
     .rule = CSZI_LAUNCH_REFUSED,
     .write = CSZI_LAUNCH_NEVER,
     .why = "windows are not read; give the model's config.json"},
    {.option = MODEL("tie_word_embeddings"),
     .about = CSZ_WORKLOAD_TIED_EMBEDDINGS,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch},
    {.option = MODEL("vocab_size"), .about = CSZ_WORKLOAD_VOCAB},
    {.option = "optimizer.accumulate_grad_in_fp32",
     .about = CSZ_WORKLOAD_GRADIENT_FORMAT,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = accumulated,
     .absent = "true"},
    {.option = "optimizer.optimizer_factory.name",
     .about = CSZ_WORKLOAD_OPTIMIZER,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = optimizers,
     .absent = "adamW"},
    {.option = "optimizer.optimizer_factory.torch_adam_is_fused",
     .about = CSZ_PLAN_OPTIMIZER_FUSED,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = cszi_launch_switch},
    {.option = "optimizer.zero_stage", .about = CSZ_PLAN_SHARDING},
    {.option = "parallelism.context_parallel_size", .about = CSZ_PLAN_CONTEXT_PARALLEL},
    {.option = "parallelism.dp", .about = CSZ_PLAN_DATA_PARALLEL},
    {.option = "parallelism.expert_parallel_size", .about = CSZ_PLAN_EXPERT_PARALLEL},
    {.option = "parallelism.moe_layer_recompute",
     .rule = CSZI_LAUNCH_REFUSED,
     .write = CSZI_LAUNCH_NEVER,
     .why = NO_FIELD},
    {.option = "parallelism.pp", .about = CSZ_PLAN_PIPELINE_PARALLEL},
    {.option = "parallelism.pp_engine",
     .about = CSZI_LAUNCH_ENGINE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = engines},
    {.option = "parallelism.recompute_layer",
     .about = CSZ_PLAN_RECOMPUTE,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = full},
    {.option = "parallelism.tp", .about = CSZ_PLAN_TENSOR_PARALLEL},
    {.option = "parallelism.tp_mode",
     .about = CSZ_PLAN_SEQUENCE_PARALLEL,
     .rule = CSZI_LAUNCH_CHOICE,
     .choices = modes,
     .absent = "ALL_REDUCE"},
    {.option = BATCHES, .about = CSZI_LAUNCH_MICRO_BATCHES},
    {.option = MICRO, .about = CSZ_PLAN_MICRO_BATCH},
    {.option = "tokens.sequence_length", .about = CSZ_WORKLOAD_SEQUENCE_LENGTH},
    {.option = "tokens.train_steps", .about = CSZI_LAUNCH_STEPS},
    CSZI_LAUNCH_ALLOCATOR,
};

static void spread(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int64_t biases = l->workload->kinds[0].qkv_bias, rows_of = l->workload->learned_positions;
    cszi_launch_spread_steps(l);
    cszi_launch_put(l, CSZI_LAUNCH_MICRO_BATCHES, (double)at->m);
    cszi_launch_put(l, CSZI_LAUNCH_ENGINE, ONE_FORWARD);
    cszi_launch_put(l, CSZI_LAUNCH_FAMILY, !biases);
    cszi_launch_put(l, CSZI_LAUNCH_ADDED_BIAS, (double)biases);
    cszi_launch_put(l, CSZI_LAUNCH_LAYER_COUNT, (double)cszi_layer_total(l->workload));
    cszi_launch_put(l, CSZI_LAUNCH_POSITIONS, (double)(rows_of > at->s ? rows_of : at->s));
    cszi_launch_put(l, CSZI_LAUNCH_VOCAB_MULTIPLE, 1);
}

/* ---- In ---- */

/* The vocabulary is padded so that tensor ranks hold as many rows. */
static csz_status gather_model(cszi_launch *l)
{
    static const char vocab[] = MODEL("vocab_size");
    int64_t multiple = cszi_launch_count(l, CSZI_LAUNCH_VOCAB_MULTIPLE), rows_of = 0;
    csz_status status = CSZ_OK;
    if (cszi_launch_has(l, CSZI_LAUNCH_LAYER_COUNT))
        status = cszi_launch_set(l, CSZ_WORKLOAD_LAYERS,
                                 cszi_launch_get(l, CSZI_LAUNCH_LAYER_COUNT), LAYERS);
    if (status != CSZ_OK || !cszi_launch_said(l, vocab))
        return status;
    if (multiple < 1 || multiple > 65536)
        return cszi_launch_fail(l, "model.make_vocab_size_divisible_by", CSZ_ERR_RANGE,
                                CSZ_WORKLOAD_VOCAB, "is not between 1 and 65536");
    multiple *= l->plan->tensor_parallel;
    rows_of = (l->workload->vocab + multiple - 1) / multiple * multiple;
    return cszi_launch_set(l, CSZ_WORKLOAD_VOCAB, (double)rows_of, vocab);
}

static csz_status gather_batch(cszi_launch *l)
{
    static const char *const needed[] = {"parallelism.dp", "parallelism.tp", "parallelism.pp",
                                         BATCHES, MICRO};
    int64_t batch = 0;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!cszi_launch_said(l, needed[i]))
            return cszi_launch_fail(l, needed[i], CSZ_ERR_MISSING, CSZ_FIELD_NONE, "is missing");
    if (!cszi_multiply(l->plan->micro_batch, cszi_launch_count(l, CSZI_LAUNCH_MICRO_BATCHES),
                       &batch) ||
        !cszi_multiply(batch, l->plan->data_parallel, &batch))
        batch = 0;
    return cszi_launch_set(l, CSZ_WORKLOAD_GLOBAL_BATCH, (double)batch, BATCHES);
}

/* Gradients in fp32 come with fp32 master weights; else the optimizer works on the weights. */
static csz_status gather_formats(cszi_launch *l)
{
    static const char option[] = "model.dtype";
    int64_t weights = l->workload->weight_format;
    int masters = l->workload->gradient_format == CSZ_FORMAT_FP32 && weights != CSZ_FORMAT_FP32;
    csz_status status = cszi_launch_set_formats(l, weights, masters ? CSZ_FORMAT_FP32 : weights,
                                                masters ? CSZ_FORMAT_FP32 : CSZ_FORMAT_NONE,
                                                masters ? CSZ_FORMAT_FP32 : weights, option);
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_WORKLOAD_COMPUTE_FORMAT, (double)weights, option);
    return status == CSZ_OK
               ? cszi_launch_set(l, CSZ_WORKLOAD_ACTIVATION_FORMAT, (double)weights, option)
               : status;
}

static csz_status gather(cszi_launch *l)
{
    csz_status status = CSZ_OK;
    if (l->plan->pipeline_parallel > 1 && cszi_launch_count(l, CSZI_LAUNCH_ENGINE) != ONE_FORWARD)
        return cszi_launch_fail(l, "parallelism.pp_engine", CSZ_ERR_UNKNOWN, CSZ_PLAN_SCHEDULE,
                                "all forward passes before all backward ones, which is also the "
                                "default, have no field; write 1f1b");
    status = gather_model(l);
    if (status == CSZ_OK)
        status = gather_batch(l);
    if (status == CSZ_OK)
        status = gather_formats(l);
    if (status == CSZ_OK)
        status = cszi_launch_set_stack(l, "nanotron");
    return status == CSZ_OK ? cszi_launch_gather_steps(l, "tokens.train_steps") : status;
}

static const csz_field without[] = {CSZ_PLAN_EXPERT_PARALLEL, CSZ_FIELD_NONE};
static const char *const stacks[] = {"nanotron", NULL};

const cszi_launch_stack cszi_launch_nanotron = {
    .source = CSZ_SOURCE_NANOTRON,
    .name = "nanotron",
    .version = "v0.5",
    .document = "src/nanotron/config/config.py",
    .syntax = CSZI_SYNTAX_YAML,
    .file = "config.yaml",
    .command = "run_train.py --config-file %s",
    .launcher = 1,
    .stacks = stacks,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .models = 1,
    .without = without,
    .whole = 1,
    .spread = spread,
    .gather = gather,
};
