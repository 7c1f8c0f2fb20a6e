/* megatron.c: arguments of Megatron-LM (megatron/training/arguments.py at d98e8a64, 2026-08), the
 * model among them. They are read by the readers of the workload and plan floors. */
#include "base/checked.h"
#include "launch/core.h"
#include "plan/megatron_plan.h"
#include "workload/megatron.h"
#include "workload/megatron_options.h"

static const cszi_choice latent[] = {{CSZ_ATTENTION_LATENT, "true"}, {0, NULL}};
static const cszi_choice positions[] = {{0, "rope"}, {1, "learned_absolute"}, {0, NULL}};
static const cszi_choice norms[] = {
    {CSZ_NORM_RMS, "RMSNorm"}, {CSZ_NORM_LAYER, "LayerNorm"}, {0, NULL}};
static const cszi_choice off[] = {{0, "true"}, {0, NULL}};
static const cszi_choice on[] = {{1, "true"}, {0, NULL}};
static const cszi_choice head_norm[] = {{CSZ_QK_NORM_HEAD, "true"}, {0, NULL}};
static const cszi_choice sinks[] = {{1, "learnable"}, {0, NULL}};
static const cszi_choice tuned[] = {{CSZ_JOB_FINETUNE, "true"}, {0, NULL}};
static const cszi_choice hybrid[] = {{CSZ_FORMAT_FP8, "hybrid"}, {0, NULL}};
static const cszi_choice e2m1[] = {{CSZ_FORMAT_FP4, "e2m1"}, {0, NULL}};
static const cszi_choice formats[] = {{CSZ_FORMAT_FP32, "fp32"},
                                      {CSZ_FORMAT_BF16, "bf16"},
                                      {CSZ_FORMAT_FP16, "fp16"},
                                      {CSZ_FORMAT_FP8, "fp8"},
                                      {0, NULL}};

#define SWITCH(name, what, list, resting)                                                          \
    {                                                                                              \
        .option = name, .about = (what), .rule = CSZI_LAUNCH_CHOICE, .write = CSZI_LAUNCH_UNLESS,  \
        .idle = (resting), .choices = list                                                         \
    }
#define COUNT(name, what)                                                                          \
    {                                                                                              \
        .option = name, .about = (what)                                                            \
    }
#define BUT(name, what, resting)                                                                   \
    {                                                                                              \
        .option = name, .about = (what), .write = CSZI_LAUNCH_UNLESS, .idle = (resting)            \
    }
#define CHOICE(name, what, list)                                                                   \
    {                                                                                              \
        .option = name, .about = (what), .rule = CSZI_LAUNCH_CHOICE, .choices = list               \
    }

static const cszi_launch_row rows[] = {
    COUNT("num-layers", CSZI_LAUNCH_LAYER_COUNT),
    COUNT("hidden-size", CSZ_WORKLOAD_HIDDEN),
    BUT("ffn-hidden-size", CSZ_WORKLOAD_FFN, 0),
    COUNT("num-attention-heads", CSZ_WORKLOAD_HEADS),
    SWITCH("group-query-attention", CSZI_LAUNCH_GROUPED, on, 0),
    BUT("num-query-groups", CSZI_LAUNCH_GROUPS, 0),
    BUT("kv-channels", CSZ_WORKLOAD_HEAD_DIM, 0),
    COUNT("max-position-embeddings", CSZI_LAUNCH_POSITIONS),
    CHOICE("position-embedding-type", CSZI_LAUNCH_ROTARY, positions),
    COUNT("vocab-size", CSZ_WORKLOAD_VOCAB),
    COUNT("make-vocab-size-divisible-by", CSZI_LAUNCH_VOCAB_MULTIPLE),
    SWITCH("untie-embeddings-and-output-weights", CSZ_WORKLOAD_TIED_EMBEDDINGS, off, 1),
    CHOICE("normalization", CSZ_WORKLOAD_NORM, norms),
    SWITCH("disable-bias-linear", CSZ_WORKLOAD_ATTENTION_BIAS, off, 1),
    SWITCH("add-qkv-bias", CSZI_LAUNCH_ADDED_BIAS, on, 0),
    SWITCH("qk-layernorm", CSZ_WORKLOAD_QK_NORM, head_norm, CSZ_QK_NORM_NONE),
    SWITCH("softmax-type", CSZ_WORKLOAD_ATTENTION_SINKS, sinks, 0),
    SWITCH("attention-output-gate", CSZ_WORKLOAD_QUERY_GATE, on, 0),
    SWITCH("swiglu", CSZ_WORKLOAD_GATED_MLP, on, 0),
    {.option = "hidden-dropout", .about = CSZI_LAUNCH_DROPOUT, .rule = CSZI_LAUNCH_REAL},
    {.option = "attention-dropout", .about = CSZI_LAUNCH_DROPOUT, .rule = CSZI_LAUNCH_REAL},
    BUT("mtp-num-layers", CSZ_WORKLOAD_PREDICTION_LAYERS, 0),
    SWITCH("multi-latent-attention", CSZ_WORKLOAD_ATTENTION, latent, CSZ_ATTENTION_GROUPED),
    BUT("q-lora-rank", CSZ_WORKLOAD_QUERY_RANK, 0),
    BUT("kv-lora-rank", CSZ_WORKLOAD_KV_RANK, 0),
    BUT("qk-head-dim", CSZ_WORKLOAD_NOPE_DIM, 0),
    BUT("qk-pos-emb-head-dim", CSZ_WORKLOAD_ROPE_DIM, 0),
    BUT("v-head-dim", CSZ_WORKLOAD_VALUE_DIM, 0),
    BUT("num-experts", CSZ_WORKLOAD_EXPERTS, 0),
    COUNT("moe-router-topk", CSZ_WORKLOAD_EXPERTS_PER_TOKEN),
    COUNT("moe-ffn-hidden-size", CSZ_WORKLOAD_EXPERT_FFN),
    BUT("moe-shared-expert-intermediate-size", CSZ_WORKLOAD_SHARED_FFN, 0),
    SWITCH("moe-shared-expert-gate", CSZ_WORKLOAD_SHARED_GATE, on, 0),
    SWITCH("moe-router-enable-expert-bias", CSZ_WORKLOAD_ROUTER_BIAS, on, 0),
    BUT("moe-router-num-groups", CSZ_WORKLOAD_ROUTER_GROUPS, 1),
    {.option = "moe-layer-freq", .about = CSZI_LAUNCH_PATTERN, .rule = CSZI_LAUNCH_PATTERN_LIST},
    /* the job */
    COUNT("seq-length", CSZ_WORKLOAD_SEQUENCE_LENGTH),
    COUNT("micro-batch-size", CSZ_PLAN_MICRO_BATCH),
    COUNT("global-batch-size", CSZ_WORKLOAD_GLOBAL_BATCH),
    COUNT("train-iters", CSZI_LAUNCH_STEPS),
    COUNT("save-interval", CSZI_LAUNCH_SAVE_STEPS),
    SWITCH("sft", CSZ_WORKLOAD_JOB, tuned, CSZ_JOB_PRETRAIN),
    CHOICE("optimizer", CSZ_WORKLOAD_OPTIMIZER, cszi_core_optimizers),
    SWITCH("bf16", CSZI_LAUNCH_BF16, on, 0),
    SWITCH("fp16", CSZI_LAUNCH_FP16, on, 0),
    SWITCH("fp8-format", CSZI_LAUNCH_LOW_PRECISION, hybrid, 0),
    SWITCH("fp8-param-gather", CSZI_LAUNCH_LOW_WEIGHTS, on, 0),
    SWITCH("fp4-format", CSZI_LAUNCH_FOUR_BITS, e2m1, 0),
    SWITCH("grad-reduce-in-bf16", CSZI_LAUNCH_HALF_GRADIENTS, on, 0),
    SWITCH("accumulate-allreduce-grads-in-fp32", CSZI_LAUNCH_WHOLE_GRADIENTS, on, 0),
    SWITCH("use-precision-aware-optimizer", CSZI_LAUNCH_PRECISE_STATES, on, 0),
    SWITCH("exp-avg-dtype", CSZ_WORKLOAD_STATE_FORMAT, formats, CSZ_FORMAT_FP32),
    SWITCH("exp-avg-sq-dtype", CSZ_WORKLOAD_STATE_FORMAT, formats, CSZ_FORMAT_FP32),
    SWITCH("main-params-dtype", CSZI_LAUNCH_MASTERS, formats, CSZ_FORMAT_FP32),
    /* the plan */
    COUNT("tensor-model-parallel-size", CSZ_PLAN_TENSOR_PARALLEL),
    COUNT("pipeline-model-parallel-size", CSZ_PLAN_PIPELINE_PARALLEL),
    BUT("num-virtual-stages-per-pipeline-rank", CSZI_LAUNCH_CHUNKS, 1),
    BUT("context-parallel-size", CSZ_PLAN_CONTEXT_PARALLEL, 1),
    CHOICE("cp-comm-type", CSZI_LAUNCH_CONTEXT, cszi_core_contexts),
    BUT("expert-model-parallel-size", CSZ_PLAN_EXPERT_PARALLEL, 1),
    COUNT("expert-tensor-parallel-size", CSZI_LAUNCH_EXPERT_TENSOR),
    SWITCH("sequence-parallel", CSZ_PLAN_SEQUENCE_PARALLEL, on, 0),
    COUNT("decoder-first-pipeline-num-layers", CSZ_PLAN_FIRST_STAGE_LAYERS),
    COUNT("decoder-last-pipeline-num-layers", CSZ_PLAN_LAST_STAGE_LAYERS),
    SWITCH("account-for-embedding-in-pipeline-split", CSZ_PLAN_EMBEDDING_COUNTS, on, 0),
    SWITCH("account-for-loss-in-pipeline-split", CSZ_PLAN_LOSS_COUNTS, on, 0),
    {.option = "pipeline-model-parallel-layout",
     .about = CSZ_PLAN_PIPELINE_LAYOUT,
     .rule = CSZI_LAUNCH_TEXT},
    SWITCH("zero-bubble-v-schedule", CSZI_LAUNCH_V, on, 0),
    SWITCH("use-distributed-optimizer", CSZI_LAUNCH_STATES_SHARED, on, 0),
    SWITCH("use-megatron-fsdp", CSZI_LAUNCH_FAMILY, on, 0),
    CHOICE("data-parallel-sharding-strategy", CSZI_LAUNCH_STRATEGY, cszi_core_strategies),
    CHOICE("recompute-granularity", CSZI_LAUNCH_KEPT, cszi_core_granularities),
    CHOICE("recompute-method", CSZI_LAUNCH_METHOD, cszi_core_methods),
    COUNT("recompute-num-layers", CSZI_LAUNCH_COVERED_LAYERS),
    {.option = "recompute-modules",
     .about = CSZI_LAUNCH_MODULES,
     .rule = CSZI_LAUNCH_BITS,
     .choices = cszi_core_modules},
    CHOICE("attention-backend", CSZ_PLAN_ATTENTION_KERNEL, cszi_core_kernels),
    SWITCH("cross-entropy-loss-fusion", CSZ_PLAN_LOSS_KERNEL, cszi_core_fused_loss,
           CSZ_LOSS_KERNEL_PLAIN),
    SWITCH("optimizer-cpu-offload", CSZI_LAUNCH_HOST_STATES, on, 0),
    {.option = "optimizer-offload-fraction", .about = CSZI_LAUNCH_SHARE, .rule = CSZI_LAUNCH_REAL},
    SWITCH("cpu-offloading", CSZI_LAUNCH_HOST, on, 0),
    COUNT("cpu-offloading-num-layers", CSZI_LAUNCH_HOST_LAYERS),
    {.option = "CUDA_DEVICE_MAX_CONNECTIONS",
     .about = CSZI_LAUNCH_CONNECTIONS,
     .place = CSZI_LAUNCH_ENVIRONMENT,
     .why = "one queue keeps communication ahead of the kernels that hide it"},
    CSZI_LAUNCH_ALLOCATOR,
};

/* ---- Out ---- */

/* Dense layers and layers of experts as the one kind that the options describe. The records that
 * are compared are others. */
static void merge_kinds(cszi_launch *l)
{
    cszi_workload *w = l->workload;
    cszi_layer_kind *first = &w->kinds[0];
    int64_t dense = -1, experts = -1, layers = 0;
    for (int64_t i = 0; i < w->kinds_count; i++) {
        if (w->kinds[i].experts != 0 && experts < 0)
            experts = i;
        if (w->kinds[i].experts == 0 && dense < 0)
            dense = i;
    }
    l->pattern_length = 0;
    for (int64_t run = 0; run < w->runs_count; run++)
        for (int64_t i = 0; i < w->runs[run].layers && layers < CSZI_RUNS; i++)
            l->pattern[layers++] = w->kinds[w->runs[run].layer_kind].experts != 0;
    if (dense >= 0 && experts >= 0) {
        cszi_layer_kind mixed = w->kinds[experts];
        l->pattern_length = layers;
        cszi_launch_put(l, CSZI_LAUNCH_PATTERN, 1);
        int64_t ffn = w->kinds[dense].ffn;
        *first = mixed;
        (void)cszi_field_set_i64(&cszi_workload_table, w,
                                 cszi_table_row(&cszi_workload_table, CSZ_WORKLOAD_FFN), 0, ffn,
                                 NULL);
    }
}

static void spread_model(cszi_launch *l)
{
    const cszi_workload *w = l->workload;
    const cszi_layer_kind *kind = &w->kinds[0];
    int64_t multiple = 128, groups = cszi_kind_kv_heads(kind), t = l->layout->t;
    int is_latent = kind->attention == CSZ_ATTENTION_LATENT;
    while (multiple > 1 && w->vocab % (multiple * t) != 0)
        multiple /= 2;
    cszi_launch_put(l, CSZI_LAUNCH_VOCAB_MULTIPLE, (double)multiple);
    cszi_launch_put(l, CSZI_LAUNCH_LAYER_COUNT, (double)cszi_layer_total(w));
    cszi_launch_put(l, CSZI_LAUNCH_GROUPED, !is_latent && groups != kind->heads);
    cszi_launch_put(l, CSZI_LAUNCH_GROUPS, is_latent || groups == kind->heads ? 0 : (double)groups);
    cszi_launch_put(l, CSZI_LAUNCH_ROTARY, w->learned_positions != 0);
    cszi_launch_put(l, CSZI_LAUNCH_POSITIONS,
                    (double)(w->learned_positions != 0 ? w->learned_positions : l->layout->s));
    cszi_launch_put(l, CSZI_LAUNCH_ADDED_BIAS, kind->qkv_bias && !kind->attention_bias);
    if (!w->dropout)
        cszi_launch_put(l, CSZI_LAUNCH_DROPOUT, 0);
}

static void spread_formats(cszi_launch *l)
{
    const cszi_workload *w = l->workload;
    int half = w->activation_format == CSZ_FORMAT_FP16,
        bf16 = w->activation_format == CSZ_FORMAT_BF16;
    cszi_launch_put(l, CSZI_LAUNCH_BF16, bf16);
    cszi_launch_put(l, CSZI_LAUNCH_FP16, half);
    cszi_launch_put(l, CSZI_LAUNCH_LOW_PRECISION,
                    w->compute_format == CSZ_FORMAT_FP8 ? CSZ_FORMAT_FP8 : 0);
    cszi_launch_put(l, CSZI_LAUNCH_FOUR_BITS,
                    w->compute_format == CSZ_FORMAT_FP4 ? CSZ_FORMAT_FP4 : 0);
    cszi_launch_put(l, CSZI_LAUNCH_LOW_WEIGHTS, w->weight_format == CSZ_FORMAT_FP8);
    cszi_launch_put(l, CSZI_LAUNCH_HALF_GRADIENTS, w->gradient_format == CSZ_FORMAT_BF16);
    cszi_launch_put(l, CSZI_LAUNCH_WHOLE_GRADIENTS, half && w->gradient_format == CSZ_FORMAT_FP32);
    if ((bf16 || half) && w->master_format != CSZ_FORMAT_NONE)
        cszi_launch_put(l, CSZI_LAUNCH_MASTERS, (double)w->master_format);
    cszi_launch_put(
        l, CSZI_LAUNCH_PRECISE_STATES,
        (cszi_workload_has(w, CSZ_WORKLOAD_STATE_FORMAT) && w->state_format != CSZ_FORMAT_FP32) ||
            ((bf16 || half) && w->master_format != CSZ_FORMAT_FP32));
}

static void spread(cszi_launch *l)
{
    merge_kinds(l);
    spread_model(l);
    spread_formats(l);
    cszi_core_spread(l);
    if (cszi_launch_has_experts(l->workload))
        cszi_launch_put(l, CSZI_LAUNCH_EXPERT_TENSOR, (double)l->layout->etp);
}

/* ---- In ---- */

/* Without a global batch, one micro-batch of every rank (arguments.py, validate_args). */
static csz_status gather_batch(cszi_launch *l)
{
    const cszi_workload *w = l->workload;
    int64_t ranks = cszi_launch_data_ranks(l), batch = 0;
    int given = w->phases_count > 0 &&
                (w->phases[0].global_batch != 0 || w->phases[0].global_batch_tokens != 0);
    if (given || ranks == 0 || !cszi_multiply(ranks, l->plan->micro_batch, &batch))
        return CSZ_OK;
    return cszi_launch_set(l, CSZ_WORKLOAD_GLOBAL_BATCH, (double)batch, "global-batch-size");
}

static csz_status read(cszi_launch *l, const char *text, size_t length)
{
    csz_status status = cszi_workload_load_megatron(l->workload, text, length, l->error);
    if (status == CSZ_OK)
        status = cszi_plan_load_megatron(l->plan, text, length, l->error);
    return status == CSZ_OK ? gather_batch(l) : status;
}

static int same_name(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a + ('a' - 'A') : *a;
        int y = *b >= 'A' && *b <= 'Z' ? *b + ('a' - 'A') : *b;
        if (x != y)
            return 0;
    }
    return *a == *b;
}

static int knows(const char *option)
{
    for (size_t i = 0; i < cszi_megatron_option_count; i++)
        if (same_name(cszi_megatron_options[i].name, option))
            return 1;
    for (size_t i = 0; i < cszi_megatron_plan_option_count; i++)
        if (same_name(cszi_megatron_plan_options[i].name, option))
            return 1;
    return 0;
}

static const char *const stacks[] = {"megatron", NULL};

const cszi_launch_stack cszi_launch_megatron = {
    .source = CSZ_SOURCE_MEGATRON,
    .name = "Megatron-LM",
    .version = "d98e8a64 (2026-08)",
    .document = "megatron/training/arguments.py",
    .syntax = CSZI_SYNTAX_WORDS,
    .file = "arguments.txt",
    .command = "pretrain_gpt.py %s",
    .launcher = 1,
    .stacks = stacks,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .models = 1,
    .spread = spread,
    .read = read,
    .knows = knows,
};
