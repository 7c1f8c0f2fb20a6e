/* megatron_plan.c: from the options of a Megatron-LM launch to a plan. Names, defaults and what
 * follows from what: megatron/training/arguments.py (d98e8a64, 2026-08). */
#include "plan/megatron_plan.h"

#include <string.h>

#include "base/checked.h"
#include "base/options.h"
#include "plan/chunks.h"

typedef enum slot {
    TENSOR,
    PIPELINE,
    CONTEXT,
    EXPERT,
    EXPERT_TENSOR,
    SEQUENCE,
    SHARDING,
    MICRO_BATCH,
    RECOMPUTE,
    VIRTUAL,
    FIRST_LAYERS,
    LAST_LAYERS,
    COVERED_LAYERS,
    NORM,
    ACTIVATION,
    LATENT,
    MLP,
    MIXTURE,
    LOSS,
    DISPATCH,
    OVERLAP,
    OFFLOAD_ACTIVATIONS,
    OFFLOADED_LAYERS,
    CONTEXT_KIND,
    CONTEXT_INNER,
    EMBEDDING_COUNTS,
    LOSS_COUNTS,
    SCHEDULE,
    KERNEL,
    /* a number of its own */
    CAPACITY,
    /* no fields: the fields above follow from them */
    LAYERS,
    EXPERTS,
    CHUNK_LAYERS,
    DISTRIBUTED_OPTIMIZER,
    OPTIMIZER,
    TORCH_FSDP,
    NO_RESHARD,
    MEGATRON_FSDP,
    STRATEGY,
    METHOD,
    RECOMPUTE_LAYERS,
    MODULES,
    IMPLEMENTATION,
    OFFLOAD,
    OFFLOAD_SHARE,
    OFFLOADING,
    CONTEXT_TYPES,
    CONTEXT_LEVELS,
    LAYOUT,
    SLOTS
} slot;

static const csz_field fields[SLOTS] = {
    [TENSOR] = CSZ_PLAN_TENSOR_PARALLEL,
    [PIPELINE] = CSZ_PLAN_PIPELINE_PARALLEL,
    [CONTEXT] = CSZ_PLAN_CONTEXT_PARALLEL,
    [EXPERT] = CSZ_PLAN_EXPERT_PARALLEL,
    [EXPERT_TENSOR] = CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
    [SEQUENCE] = CSZ_PLAN_SEQUENCE_PARALLEL,
    [SHARDING] = CSZ_PLAN_SHARDING,
    [MICRO_BATCH] = CSZ_PLAN_MICRO_BATCH,
    [RECOMPUTE] = CSZ_PLAN_RECOMPUTE,
    [VIRTUAL] = CSZ_PLAN_VIRTUAL_PIPELINE,
    [FIRST_LAYERS] = CSZ_PLAN_FIRST_STAGE_LAYERS,
    [LAST_LAYERS] = CSZ_PLAN_LAST_STAGE_LAYERS,
    [COVERED_LAYERS] = CSZ_PLAN_RECOMPUTE_LAYERS,
    [NORM] = CSZ_PLAN_RECOMPUTE_NORM,
    [ACTIVATION] = CSZ_PLAN_RECOMPUTE_ACTIVATION,
    [LATENT] = CSZ_PLAN_RECOMPUTE_LATENT,
    [MLP] = CSZ_PLAN_RECOMPUTE_MLP,
    [MIXTURE] = CSZ_PLAN_RECOMPUTE_EXPERTS,
    [LOSS] = CSZ_PLAN_LOSS_KERNEL,
    [DISPATCH] = CSZ_PLAN_EXPERT_DISPATCH,
    [OVERLAP] = CSZ_PLAN_EXPERT_OVERLAP,
    [CAPACITY] = CSZ_PLAN_EXPERT_CAPACITY,
    [OFFLOAD_ACTIVATIONS] = CSZ_PLAN_OFFLOAD_ACTIVATIONS,
    [OFFLOADED_LAYERS] = CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS,
    [CONTEXT_KIND] = CSZ_PLAN_CONTEXT_KIND,
    [CONTEXT_INNER] = CSZ_PLAN_CONTEXT_INNER,
    [SCHEDULE] = CSZ_PLAN_SCHEDULE,
    [KERNEL] = CSZ_PLAN_ATTENTION_KERNEL,
    [LAYERS] = CSZ_FIELD_NONE,  /* a workload's */
    [EXPERTS] = CSZ_FIELD_NONE, /* a workload's */
    [CHUNK_LAYERS] = CSZ_PLAN_VIRTUAL_PIPELINE,
    [EMBEDDING_COUNTS] = CSZ_PLAN_EMBEDDING_COUNTS,
    [LOSS_COUNTS] = CSZ_PLAN_LOSS_COUNTS,
    [DISTRIBUTED_OPTIMIZER] = CSZ_PLAN_SHARDING,
    [OPTIMIZER] = CSZ_FIELD_NONE, /* a workload's */
    [TORCH_FSDP] = CSZ_PLAN_SHARDING,
    [NO_RESHARD] = CSZ_PLAN_SHARDING,
    [MEGATRON_FSDP] = CSZ_PLAN_SHARDING,
    [STRATEGY] = CSZ_PLAN_SHARDING,
    [METHOD] = CSZ_PLAN_RECOMPUTE,
    [RECOMPUTE_LAYERS] = CSZ_PLAN_RECOMPUTE,
    [MODULES] = CSZ_PLAN_RECOMPUTE,
    [IMPLEMENTATION] = CSZ_PLAN_ATTENTION_KERNEL,
    [OFFLOAD] = CSZ_PLAN_OFFLOAD_OPTIMIZER,
    [OFFLOAD_SHARE] = CSZ_PLAN_OFFLOAD_OPTIMIZER,
    [OFFLOADING] = CSZ_PLAN_OFFLOAD_ACTIVATIONS,
    [CONTEXT_TYPES] = CSZ_PLAN_CONTEXT_KIND,
    [CONTEXT_LEVELS] = CSZ_PLAN_CONTEXT_INNER,
    [LAYOUT] = CSZ_PLAN_PIPELINE_LAYOUT,
};

enum { UNIFORM = 1, BLOCK, LOCAL_LAYERS = 1, SHARDING_OPTIMIZER = 1, KERNEL_AUTO = -1 };

#define NONE_OF_THEM                                                                               \
    {                                                                                              \
        0, NULL                                                                                    \
    }
#define SWITCH(name, slot, number)                                                                 \
    {                                                                                              \
        name, slot, CSZI_OPTION_SWITCH, number, NULL, NULL                                         \
    }
#define COUNT(name, slot, least)                                                                   \
    {                                                                                              \
        name, slot, CSZI_OPTION_COUNT, least, NULL, NULL                                           \
    }
#define CHOICE(name, slot, list)                                                                   \
    {                                                                                              \
        name, slot, CSZI_OPTION_CHOICE, 0, list, NULL                                              \
    }
#define REFUSED(name, why)                                                                         \
    {                                                                                              \
        name, -1, CSZI_OPTION_REFUSED, 0, NULL, why                                                \
    }
#define ONLY(name, number, why)                                                                    \
    {                                                                                              \
        name, -1, CSZI_OPTION_ONLY, number, NULL, why                                              \
    }

static const cszi_choice granularities[] = {
    {CSZ_RECOMPUTE_FULL, "full"}, {CSZ_RECOMPUTE_SELECTIVE, "selective"}, NONE_OF_THEM};
static const cszi_choice methods[] = {{UNIFORM, "uniform"}, {BLOCK, "block"}, NONE_OF_THEM};
/* One bit a module of --recompute-modules. The activation function of experts alone, moe_act, is
 * that of the few dense layers beside them too; shared experts go with the mixture only. */
enum { CORE = 1 };
static const struct {
    int64_t bit;
    slot field;
} parts[] = {{2, NORM}, {4, ACTIVATION}, {8, LATENT}, {16, MLP}, {32, MIXTURE}};
static const cszi_choice modules[] = {{CORE, "core_attn"}, {2, "layernorm"}, {4, "moe_act"},
                                      {8, "mla_up_proj"},  {16, "mlp"},      {32, "moe"},
                                      NONE_OF_THEM};
static const cszi_choice strategies[] = {{CSZ_SHARDING_NONE, "no_shard"},
                                         {CSZ_SHARDING_OPTIMIZER, "optim"},
                                         {CSZ_SHARDING_GRADIENTS, "optim_grads"},
                                         {CSZ_SHARDING_PARAMETERS, "optim_grads_params"},
                                         NONE_OF_THEM};
static const cszi_choice optimizers[] = {
    {0, "adam"}, {0, "sgd"},  {0, "muon"},          {SHARDING_OPTIMIZER, "dist_muon"},
    {0, "lion"}, {0, "soap"}, {0, "adaptive_muon"}, NONE_OF_THEM};
static const cszi_choice implementations[] = {
    {LOCAL_LAYERS, "local"}, {0, "transformer_engine"}, {0, "inference_optimized"}, NONE_OF_THEM};
static const cszi_choice backends[] = {{CSZ_ATTENTION_KERNEL_FLASH, "flash"},
                                       {CSZ_ATTENTION_KERNEL_FLASH, "fused"},
                                       {CSZ_ATTENTION_KERNEL_UNFUSED, "unfused"},
                                       {CSZ_ATTENTION_KERNEL_UNFUSED, "local"},
                                       {KERNEL_AUTO, "auto"},
                                       NONE_OF_THEM};

/* "flex" stands for DeepEP and HybridEP. */
static const cszi_choice dispatchers[] = {{CSZ_EXPERT_DISPATCH_ALL_GATHER, "allgather"},
                                          {CSZ_EXPERT_DISPATCH_ALL_TO_ALL, "alltoall"},
                                          {CSZ_EXPERT_DISPATCH_DEDUPLICATED, "flex"},
                                          NONE_OF_THEM};

/* One bit a kind of --cp-comm-type, of which every layer may have its own. */
static const cszi_choice context_types[] = {{1 << CSZ_CONTEXT_KIND_RING, "p2p"},
                                            {1 << CSZ_CONTEXT_KIND_ALL_GATHER, "all_gather"},
                                            {1 << CSZ_CONTEXT_KIND_ALL_GATHER, "allgather"},
                                            {1 << CSZ_CONTEXT_KIND_ULYSSES, "a2a"},
                                            {1 << CSZ_CONTEXT_KIND_HIERARCHICAL, "a2a+p2p"},
                                            NONE_OF_THEM};

#define NO_FIELD "has no field; the plan cannot be expressed"
#define SOME_TENSORS                                                                               \
    "offloading of some tensors of a layer has no field; the plan cannot be expressed"
#define GONE "is no option of Megatron-LM any more; write "

const cszi_option cszi_megatron_plan_options[] = {
    COUNT("tensor-model-parallel-size", TENSOR, 1),
    COUNT("pipeline-model-parallel-size", PIPELINE, 1),
    COUNT("num-layers-per-virtual-pipeline-stage", CHUNK_LAYERS, 1),
    COUNT("num-virtual-stages-per-pipeline-rank", VIRTUAL, 1),
    COUNT("context-parallel-size", CONTEXT, 1),
    {"cp-comm-type", CONTEXT_TYPES, CSZI_OPTION_WORDS, 0, context_types, NULL},
    {"hierarchical-context-parallel-sizes", CONTEXT_LEVELS, CSZI_OPTION_ANY, 0, NULL, NULL},
    COUNT("expert-model-parallel-size", EXPERT, 1),
    COUNT("expert-tensor-parallel-size", EXPERT_TENSOR, 1),
    SWITCH("sequence-parallel", SEQUENCE, 1),
    COUNT("decoder-first-pipeline-num-layers", FIRST_LAYERS, 1),
    COUNT("decoder-last-pipeline-num-layers", LAST_LAYERS, 1),
    SWITCH("account-for-embedding-in-pipeline-split", EMBEDDING_COUNTS, 1),
    SWITCH("account-for-loss-in-pipeline-split", LOSS_COUNTS, 1),
    {"pipeline-model-parallel-layout", LAYOUT, CSZI_OPTION_TEXT, 0, NULL, NULL},
    SWITCH("zero-bubble-v-schedule", SCHEDULE, CSZ_SCHEDULE_ZB_V), /* of sail-sg's fork */
    COUNT("micro-batch-size", MICRO_BATCH, 1),
    SWITCH("use-distributed-optimizer", DISTRIBUTED_OPTIMIZER, 1),
    SWITCH("distributed-optimizer", DISTRIBUTED_OPTIMIZER, 1), /* of forks */
    CHOICE("optimizer", OPTIMIZER, optimizers),
    SWITCH("use-torch-fsdp2", TORCH_FSDP, 1),
    SWITCH("torch-fsdp2-no-reshard-after-forward", NO_RESHARD, 1),
    SWITCH("use-megatron-fsdp", MEGATRON_FSDP, 1),
    SWITCH("use-custom-fsdp", MEGATRON_FSDP, 1), /* the older name of the same */
    CHOICE("data-parallel-sharding-strategy", STRATEGY, strategies),
    SWITCH("recompute-activations", RECOMPUTE, CSZ_RECOMPUTE_SELECTIVE),
    CHOICE("recompute-granularity", RECOMPUTE, granularities),
    CHOICE("recompute-method", METHOD, methods),
    COUNT("recompute-num-layers", RECOMPUTE_LAYERS, 1),
    {"recompute-modules", MODULES, CSZI_OPTION_WORDS, 0, modules, NULL},
    SWITCH("cross-entropy-loss-fusion", LOSS, CSZ_LOSS_KERNEL_FUSED),
    SWITCH("optimizer-cpu-offload", OFFLOAD, 1),
    {"optimizer-offload-fraction", OFFLOAD_SHARE, CSZI_OPTION_FRACTION, 0, NULL, NULL},
    SWITCH("cpu-offloading", OFFLOADING, 1),
    COUNT("cpu-offloading-num-layers", OFFLOADED_LAYERS, 0),
    CHOICE("moe-token-dispatcher-type", DISPATCH, dispatchers),
    SWITCH("overlap-moe-expert-parallel-comm", OVERLAP, 1),
    {"moe-expert-capacity-factor", CAPACITY, CSZI_OPTION_REAL, 0, NULL, NULL},
    SWITCH("use-flash-attn", KERNEL, CSZ_ATTENTION_KERNEL_FLASH),
    CHOICE("attention-backend", KERNEL, backends),
    CHOICE("transformer-impl", IMPLEMENTATION, implementations),
    /* of the model: the plan follows from them too */
    COUNT("num-layers", LAYERS, 1),
    COUNT("encoder-num-layers", LAYERS, 1),
    COUNT("num-experts", EXPERTS, 0),
    /* of the model, written as patterns that no shell expands */
    {"moe-layer-freq", -1, CSZI_OPTION_TEXT, 0, NULL, NULL},
    {"window-size", -1, CSZI_OPTION_TEXT, 0, NULL, NULL},
    {"window-attn-skip-freq", -1, CSZI_OPTION_TEXT, 0, NULL, NULL},
    /* what changes the plan and cannot be expressed */
    REFUSED("distribute-saved-activations", NO_FIELD),
    REFUSED("hybrid-context-parallel", NO_FIELD),
    REFUSED("standalone-embedding-stage", NO_FIELD),
    REFUSED("tensor-parallel-num-weight-shards", NO_FIELD),
    REFUSED("expert-tensor-parallel-num-weight-shards", NO_FIELD),
    ONLY("num-distributed-optimizer-instances", 1, NO_FIELD),
    REFUSED("fine-grained-activation-offloading", SOME_TENSORS),
    REFUSED("model-parallel-size", GONE "--tensor-model-parallel-size"),
    REFUSED("batch-size", GONE "--micro-batch-size"),
    REFUSED("checkpoint-activations", GONE "--recompute-granularity"),
};

const size_t cszi_megatron_plan_option_count =
    sizeof cszi_megatron_plan_options / sizeof *cszi_megatron_plan_options;

typedef struct reader {
    cszi_plan *plan;
    cszi_words words;
    int whole; /* the text has num-layers */
    cszi_option_value values[SLOTS];
} reader;

#define GIVEN(slot) (r->values[slot].given)

static int64_t number(const reader *r, slot at)
{
    return r->values[at].given ? r->values[at].number : 0;
}

static void put(reader *r, slot at, int64_t value, slot from)
{
    r->values[at].place = r->values[from].place;
    r->values[at].number = value;
    r->values[at].given = 1;
}

static void put_default(reader *r, slot at, int64_t value)
{
    if (r->whole && !r->values[at].given)
        put(r, at, value, LAYERS);
}

static csz_status fail_at(const reader *r, slot at, csz_status status, const char *message)
{
    return cszi_words_fail(&r->words, r->values[at].place.begin, status, fields[at], "%s", message);
}

/* ---- Degrees ---- */

/* Experts are split as the other matrices unless said otherwise; without experts neither degree
 * means anything. */
static void derive_degrees(reader *r)
{
    put_default(r, TENSOR, 1);
    put_default(r, PIPELINE, 1);
    put_default(r, CONTEXT, 1);
    put_default(r, EXPERT, 1);
    if (number(r, EXPERTS) > 0) {
        put_default(r, EXPERT_TENSOR, number(r, TENSOR));
        put_default(r, DISPATCH, CSZ_EXPERT_DISPATCH_ALL_GATHER);
    } else
        put_default(r, EXPERT_TENSOR, 1);
    if (r->whole && number(r, EXPERTS) == 0) {
        put(r, EXPERT, 1, LAYERS);
        put(r, EXPERT_TENSOR, 1, LAYERS);
    }
    put_default(r, SEQUENCE, 0);
    if (r->whole && number(r, TENSOR) == 1)
        put(r, SEQUENCE, 0, LAYERS); /* a single rank shares with none */
}

/* The last of the hierarchical sizes is that of the ring. */
static csz_status derive_inner(reader *r)
{
    int64_t ring = 0, context = number(r, CONTEXT);
    if (!GIVEN(CONTEXT_LEVELS))
        return fail_at(r, CONTEXT_TYPES, CSZ_ERR_MISSING,
                       "--hierarchical-context-parallel-sizes: is missing, and a2a+p2p needs it");
    if (context < 1 || !cszi_word_integer(&r->words, r->values[CONTEXT_LEVELS].place, &ring) ||
        ring < 1 || context % ring != 0)
        return fail_at(r, CONTEXT_LEVELS, CSZ_ERR_RANGE,
                       "--hierarchical-context-parallel-sizes: the last one is no whole number "
                       "that divides --context-parallel-size");
    put(r, CONTEXT_INNER, context / ring, CONTEXT_LEVELS);
    return CSZ_OK;
}

static csz_status derive_context(reader *r)
{
    int64_t kind = 0;
    if (!GIVEN(CONTEXT_TYPES))
        return CSZ_OK;
    while (number(r, CONTEXT_TYPES) >> kind > 1)
        kind++;
    if (number(r, CONTEXT_TYPES) != (int64_t)1 << kind)
        return fail_at(r, CONTEXT_TYPES, CSZ_ERR_UNKNOWN,
                       "--cp-comm-type: kinds of single layers have no field; the plan cannot be "
                       "expressed");
    put(r, CONTEXT_KIND, kind, CONTEXT_TYPES);
    return kind == CSZ_CONTEXT_KIND_HIERARCHICAL ? derive_inner(r) : CSZ_OK;
}

/* Distributed optimizer or one of the two kinds of FSDP, which stand above it. */
static void derive_sharding(reader *r)
{
    put_default(r, SHARDING, CSZ_SHARDING_NONE);
    if (number(r, OPTIMIZER) == SHARDING_OPTIMIZER)
        put(r, SHARDING, CSZ_SHARDING_OPTIMIZER, OPTIMIZER);
    if (number(r, DISTRIBUTED_OPTIMIZER))
        put(r, SHARDING, CSZ_SHARDING_OPTIMIZER, DISTRIBUTED_OPTIMIZER);
    if (number(r, TORCH_FSDP))
        put(r, SHARDING, number(r, NO_RESHARD) ? CSZ_SHARDING_GRADIENTS : CSZ_SHARDING_PARAMETERS,
            TORCH_FSDP);
    if (number(r, MEGATRON_FSDP))
        put(r, SHARDING, GIVEN(STRATEGY) ? number(r, STRATEGY) : CSZ_SHARDING_PARAMETERS,
            MEGATRON_FSDP);
}

/* ---- The pipeline ---- */

/* Layers of a stage, where embedding and loss may count as one each; 0 when they do not divide. */
static int64_t stage_layers(const reader *r)
{
    int64_t count = number(r, LAYERS) + number(r, EMBEDDING_COUNTS) + number(r, LOSS_COUNTS);
    int64_t stages = number(r, PIPELINE);
    return stages > 0 && count % stages == 0 ? count / stages : 0;
}

static csz_status derive_chunks(reader *r)
{
    int64_t layers = stage_layers(r);
    if (!GIVEN(CHUNK_LAYERS))
        return CSZ_OK;
    if (GIVEN(VIRTUAL))
        return fail_at(r, CHUNK_LAYERS, CSZ_ERR_CONFLICT,
                       "--num-layers-per-virtual-pipeline-stage and "
                       "--num-virtual-stages-per-pipeline-rank: one of them");
    if (!GIVEN(LAYERS) || !GIVEN(PIPELINE))
        return fail_at(r, CHUNK_LAYERS, CSZ_ERR_MISSING,
                       "--num-layers: is missing, and --num-layers-per-virtual-pipeline-stage "
                       "needs it");
    if (layers == 0 || layers % number(r, CHUNK_LAYERS) != 0)
        return fail_at(r, CHUNK_LAYERS, CSZ_ERR_CONFLICT,
                       "--num-layers-per-virtual-pipeline-stage: does not divide the layers of a "
                       "stage");
    put(r, VIRTUAL, layers / number(r, CHUNK_LAYERS), CHUNK_LAYERS);
    return CSZ_OK;
}

/* Its number is that of its chunks. */
static csz_status set_layout(reader *r)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, CSZ_PLAN_PIPELINE_LAYOUT);
    char text[CSZI_TEXT_CAPACITY];
    cszi_word place = r->values[LAYOUT].place;
    cszi_chunk all = {0, 0, 0, 0, 0, 0};
    cszi_error error;
    csz_status status = CSZ_OK;
    size_t length = cszi_word_text(&r->words, place, text, sizeof text);
    cszi_error_clear(&error);
    if (length < sizeof text)
        status = cszi_chunk_read(text, -1, &all, &error);
    r->values[LAYOUT].number = all.chunks;
    if (status == CSZ_OK)
        status = cszi_field_set_text(&cszi_plan_table, r->plan, row, 0, text, length, NULL, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    return cszi_words_fail(&r->words, place.begin, status, row->id, "%s", error.text);
}

/* A layout that is written out, and a V, have their own chunks. */
static csz_status derive_pipeline(reader *r)
{
    csz_status status = derive_chunks(r);
    r->values[SCHEDULE].given = number(r, SCHEDULE) == CSZ_SCHEDULE_ZB_V;
    put_default(r, EMBEDDING_COUNTS, 0);
    put_default(r, LOSS_COUNTS, 0);
    if (!GIVEN(SCHEDULE) && !GIVEN(LAYOUT))
        put_default(r, VIRTUAL, 1);
    return status == CSZ_OK && GIVEN(LAYOUT) ? set_layout(r) : status;
}

/* ---- Recomputation and kernels ---- */

static int64_t chunks_of(const reader *r)
{
    if (GIVEN(LAYOUT))
        return number(r, PIPELINE) > 0 ? number(r, LAYOUT) / number(r, PIPELINE) : 1;
    return GIVEN(SCHEDULE) ? 2 : GIVEN(VIRTUAL) ? number(r, VIRTUAL) : 1;
}

/* All layers one by one: uniform units of one layer, or a block as long as a chunk. */
static int is_every_layer(const reader *r)
{
    int64_t units = number(r, RECOMPUTE_LAYERS), chunks = 0;
    if (!GIVEN(METHOD) || !GIVEN(RECOMPUTE_LAYERS))
        return number(r, METHOD) != BLOCK;
    if (number(r, METHOD) == UNIFORM)
        return units == 1;
    (void)cszi_multiply(number(r, PIPELINE), chunks_of(r), &chunks);
    return r->whole && chunks > 0 && !GIVEN(LAYOUT) &&
           units >= (number(r, LAYERS) + chunks - 1) / chunks;
}

/* Full recomputation of every layer, or of the first ones of each chunk of a stage. */
static csz_status derive_full(reader *r)
{
    int64_t layers = 0;
    if (is_every_layer(r))
        return CSZ_OK;
    if (number(r, METHOD) != BLOCK || !GIVEN(RECOMPUTE_LAYERS))
        return fail_at(r, GIVEN(RECOMPUTE_LAYERS) ? RECOMPUTE_LAYERS : METHOD, CSZ_ERR_UNKNOWN,
                       "--recompute-num-layers: units of more than one layer, or a block without "
                       "its length, are not expressed by the fields");
    if (!cszi_multiply(number(r, RECOMPUTE_LAYERS), chunks_of(r), &layers))
        layers = INT64_MAX; /* too many: the field says so */
    put(r, COVERED_LAYERS, layers, RECOMPUTE_LAYERS);
    return CSZ_OK;
}

/* Selective recomputation is of the attention core unless modules are named. */
static csz_status derive_recompute(reader *r)
{
    int64_t chosen = GIVEN(MODULES) ? number(r, MODULES) : CORE;
    int selective = number(r, RECOMPUTE) == CSZ_RECOMPUTE_SELECTIVE;
    put_default(r, RECOMPUTE, CSZ_RECOMPUTE_NONE);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        put_default(r, parts[i].field, 0);
        if (selective && (chosen & parts[i].bit) != 0)
            put(r, parts[i].field, 1, MODULES);
    }
    if (selective && (chosen & CORE) == 0)
        put(r, RECOMPUTE, CSZ_RECOMPUTE_NONE, MODULES);
    return number(r, RECOMPUTE) == CSZ_RECOMPUTE_FULL ? derive_full(r) : CSZ_OK;
}

/* ---- Offload ---- */

/* Megatron-LM offloads the first layers of a stage, none when it is not told how many. */
static csz_status derive_offload(reader *r)
{
    int64_t layers = number(r, OFFLOADED_LAYERS);
    put_default(r, OFFLOAD_ACTIVATIONS, 0);
    if (number(r, OFFLOADING) && layers == 0)
        return fail_at(r, OFFLOADING, CSZ_ERR_MISSING,
                       "--cpu-offloading-num-layers: is missing, and --cpu-offloading needs it");
    r->values[OFFLOADED_LAYERS].given = layers != 0;
    if (layers != 0)
        put(r, OFFLOAD_ACTIVATIONS, 1, OFFLOADED_LAYERS);
    return CSZ_OK;
}

/* The local layers have no fused attention; those of Transformer Engine choose by themselves. */
static void derive_kernel(reader *r)
{
    if (GIVEN(KERNEL) && number(r, KERNEL) == KERNEL_AUTO)
        r->values[KERNEL].given = 0;
    if (!GIVEN(KERNEL) && number(r, IMPLEMENTATION) == LOCAL_LAYERS)
        put(r, KERNEL, CSZ_ATTENTION_KERNEL_UNFUSED, IMPLEMENTATION);
}

/* ---- Setting ---- */

static csz_status set_field(reader *r, slot at, double value)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, fields[at]);
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    status = cszi_field_set_f64(&cszi_plan_table, r->plan, row, 0, value, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    return cszi_words_fail(&r->words, r->values[at].place.begin, status, fields[at], "%s",
                           error.text);
}

/* All of the optimizer's states go to the host unless a fraction is said. */
static csz_status set_offload(reader *r)
{
    double share = 1;
    if (!GIVEN(OFFLOAD) && !r->whole)
        return CSZ_OK;
    if (GIVEN(OFFLOAD_SHARE))
        (void)cszi_word_real(&r->words, r->values[OFFLOAD_SHARE].place, &share);
    return set_field(r, OFFLOAD, number(r, OFFLOAD) ? share : 0);
}

/* A negative factor drops no token. */
static csz_status set_capacity(reader *r)
{
    double factor = 0;
    if (GIVEN(CAPACITY))
        (void)cszi_word_real(&r->words, r->values[CAPACITY].place, &factor);
    return factor > 0 ? set_field(r, CAPACITY, factor) : CSZ_OK;
}

static csz_status set_fields(reader *r)
{
    static const char stack[] = "megatron";
    csz_status status = CSZ_OK;
    for (int at = TENSOR; at <= KERNEL && status == CSZ_OK; at++)
        if (r->values[at].given)
            status = set_field(r, (slot)at, (double)r->values[at].number);
    if (status == CSZ_OK)
        status = set_capacity(r);
    if (status == CSZ_OK)
        status = set_offload(r);
    if (status != CSZ_OK)
        return status;
    return cszi_field_set_text(&cszi_plan_table, r->plan,
                               cszi_table_row(&cszi_plan_table, CSZ_PLAN_STACK), 0, stack,
                               sizeof stack - 1, NULL, r->words.error);
}

csz_status cszi_plan_load_megatron(cszi_plan *plan, const char *text, size_t length,
                                   cszi_error *error)
{
    reader r;
    csz_status status;
    memset(&r, 0, sizeof r);
    r.plan = plan;
    status = cszi_options_read(&r.words, text, length, cszi_megatron_plan_options,
                               cszi_megatron_plan_option_count, fields, r.values, error);
    r.whole = r.values[LAYERS].given;
    derive_degrees(&r);
    derive_sharding(&r);
    derive_kernel(&r);
    if (status == CSZ_OK)
        status = derive_context(&r);
    if (status == CSZ_OK)
        status = derive_pipeline(&r);
    if (status == CSZ_OK)
        status = derive_recompute(&r);
    if (status == CSZ_OK)
        status = derive_offload(&r);
    return status == CSZ_OK ? set_fields(&r) : status;
}
