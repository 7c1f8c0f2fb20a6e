/* megatron_options.c: names and meanings of options are those of Megatron-LM
 * (megatron/training/arguments.py and megatron/core/transformer/transformer_config.py at d98e8a64,
 * 2026-08). */
#include "workload/megatron_options.h"

#define NONE_OF_THEM                                                                               \
    {                                                                                              \
        0, NULL                                                                                    \
    }
#define SWITCH(name, slot, number)                                                                 \
    {                                                                                              \
        name, CSZI_MG_##slot, CSZI_OPTION_SWITCH, number, NULL, NULL                               \
    }
#define COUNT(name, slot, least)                                                                   \
    {                                                                                              \
        name, CSZI_MG_##slot, CSZI_OPTION_COUNT, least, NULL, NULL                                 \
    }
#define FRACTION(name, slot)                                                                       \
    {                                                                                              \
        name, CSZI_MG_##slot, CSZI_OPTION_FRACTION, 0, NULL, NULL                                  \
    }
#define CHOICE(name, slot, list)                                                                   \
    {                                                                                              \
        name, CSZI_MG_##slot, CSZI_OPTION_CHOICE, 0, list, NULL                                    \
    }
#define TEXT(name, slot)                                                                           \
    {                                                                                              \
        name, CSZI_MG_##slot, CSZI_OPTION_TEXT, 0, NULL, NULL                                      \
    }
#define REFUSED(name, why)                                                                         \
    {                                                                                              \
        name, -1, CSZI_OPTION_REFUSED, 0, NULL, why                                                \
    }

static const cszi_choice norms[] = {
    {CSZ_NORM_LAYER, "LayerNorm"}, {CSZ_NORM_RMS, "RMSNorm"}, NONE_OF_THEM};
static const cszi_choice positions[] = {
    {1, "learned_absolute"}, {0, "rope"}, {0, "yarn"}, {0, "mrope"}, {0, "none"}, NONE_OF_THEM};
static const cszi_choice softmaxes[] = {
    {0, "vanilla"}, {0, "off-by-one"}, {1, "learnable"}, NONE_OF_THEM};
static const cszi_choice optimizers[] = {
    {CSZ_OPTIMIZER_ADAMW, "adam"}, {CSZ_OPTIMIZER_MOMENTUM, "sgd"},
    {CSZ_OPTIMIZER_MUON, "muon"},  {CSZ_OPTIMIZER_MUON, "dist_muon"},
    {CSZ_OPTIMIZER_LION, "lion"},  NONE_OF_THEM};
static const cszi_choice fp8[] = {{1, "e4m3"}, {1, "hybrid"}, NONE_OF_THEM};
static const cszi_choice fp4[] = {{1, "e2m1"}, NONE_OF_THEM};
static const cszi_choice specs[] = {{0, "local"}, NONE_OF_THEM};
static const cszi_choice formats[] = {{CSZ_FORMAT_FP32, "fp32"}, {CSZ_FORMAT_FP16, "fp16"},
                                      {CSZ_FORMAT_BF16, "bf16"}, {CSZ_FORMAT_FP8, "fp8"},
                                      {CSZ_FORMAT_NONE, "auto"}, NONE_OF_THEM};

#define NO_FIELD "has no field; the model cannot be expressed"

const cszi_option cszi_megatron_options[] = {
    /* the model */
    COUNT("num-layers", LAYER_COUNT, 1),
    COUNT("encoder-num-layers", LAYER_COUNT, 1), /* the older name of the same */
    COUNT("hidden-size", HIDDEN, 1),
    COUNT("ffn-hidden-size", FFN, 1),
    COUNT("num-attention-heads", HEADS, 1),
    SWITCH("group-query-attention", GROUPED, 1),
    COUNT("num-query-groups", QUERY_GROUPS, 1),
    COUNT("kv-channels", HEAD_DIM, 1),
    COUNT("max-position-embeddings", POSITION_ROWS, 1),
    CHOICE("position-embedding-type", POSITION_TYPE, positions),
    SWITCH("use-rotary-position-embeddings", POSITION_TYPE, 0), /* the older name of rope */
    SWITCH("no-position-embedding", POSITION_TYPE, 0),
    COUNT("vocab-size", VOCAB_SIZE, 1),
    COUNT("padded-vocab-size", PADDED_VOCAB, 1),
    COUNT("make-vocab-size-divisible-by", DIVISIBLE, 1),
    COUNT("tensor-model-parallel-size", TENSOR_PARALLEL, 1),
    SWITCH("untie-embeddings-and-output-weights", TIED, 0),
    CHOICE("normalization", NORM, norms),
    SWITCH("RMSNorm", NORM, CSZ_NORM_RMS), /* of forks, before normalization was an option */
    SWITCH("disable-bias-linear", BIAS, 0),
    SWITCH("add-bias-linear", BIAS, 1), /* the name in a YAML configuration */
    SWITCH("add-qkv-bias", ADDED_QKV_BIAS, 1),
    SWITCH("qk-layernorm", QK_NORM, CSZ_QK_NORM_HEAD),
    CHOICE("softmax-type", SINKS, softmaxes),
    SWITCH("attention-output-gate", QUERY_GATE, 1),
    SWITCH("swiglu", GATED, 1),
    SWITCH("quick-geglu", GATED, 1),
    SWITCH("gated-linear-unit", GATED, 1),
    TEXT("window-size", WINDOW_SIZE),
    TEXT("window-attn-skip-freq", WINDOW_PATTERN),
    FRACTION("hidden-dropout", DROPOUT),
    COUNT("mtp-num-layers", PREDICTION, 0),
    /* latent attention */
    SWITCH("multi-latent-attention", ATTENTION, CSZ_ATTENTION_LATENT),
    COUNT("q-lora-rank", QUERY_RANK, 0),
    COUNT("kv-lora-rank", KV_RANK, 1),
    COUNT("qk-head-dim", NOPE_DIM, 1),
    COUNT("qk-pos-emb-head-dim", ROPE_DIM, 0),
    COUNT("v-head-dim", VALUE_DIM, 1),
    /* experts */
    COUNT("num-experts", EXPERTS, 0),
    COUNT("moe-router-topk", TOPK, 1),
    COUNT("moe-ffn-hidden-size", EXPERT_FFN, 1),
    COUNT("moe-shared-expert-intermediate-size", SHARED_FFN, 0),
    SWITCH("moe-shared-expert-gate", SHARED_GATE, 1),
    TEXT("moe-layer-freq", EXPERT_PATTERN),
    SWITCH("moe-router-enable-expert-bias", ROUTER_BIAS, 1),
    COUNT("moe-router-num-groups", ROUTER_GROUPS, 1),
    /* the job */
    COUNT("seq-length", SEQUENCE, 1),
    COUNT("encoder-seq-length", SEQUENCE, 1), /* the older name of the same */
    COUNT("global-batch-size", BATCH, 1),
    COUNT("train-samples", SAMPLES, 1),
    COUNT("train-iters", ITERATIONS, 1),
    {"rampup-batch-size", CSZI_MG_RAMP, CSZI_OPTION_ANY, 0, NULL, NULL},
    {"step-batch-size-schedule", CSZI_MG_RAMP, CSZI_OPTION_ANY, 0, NULL, NULL},
    SWITCH("sft", JOB, CSZ_JOB_FINETUNE),
    CHOICE("optimizer", OPTIMIZER, optimizers),
    FRACTION("sgd-momentum", MOMENTUM),
    SWITCH("bf16", BF16, 1),
    SWITCH("fp16", FP16, 1),
    CHOICE("fp8-format", FP8, fp8),
    SWITCH("fp8-param-gather", FP8_WEIGHTS, 1),
    CHOICE("fp4-format", FP4, fp4),
    SWITCH("fp4-param-gather", FP4_WEIGHTS, 1),
    SWITCH("grad-reduce-in-bf16", GRADIENTS_BF16, 1),
    SWITCH("accumulate-allreduce-grads-in-fp32", GRADIENTS_FP32, 1),
    SWITCH("use-precision-aware-optimizer", PRECISION_AWARE, 1),
    CHOICE("main-grads-dtype", MAIN_GRADIENTS, formats),
    CHOICE("main-params-dtype", MAIN_WEIGHTS, formats),
    CHOICE("exp-avg-dtype", FIRST_MOMENT, formats),
    CHOICE("exp-avg-sq-dtype", SECOND_MOMENT, formats),
    SWITCH("use-megatron-fsdp", FSDP, 1),
    SWITCH("use-custom-fsdp", FSDP, 1), /* the older name of the same */
    CHOICE("megatron-fsdp-main-grads-dtype", FSDP_GRADIENTS, formats),
    CHOICE("megatron-fsdp-main-params-dtype", FSDP_WEIGHTS, formats),
    {"spec", -1, CSZI_OPTION_WORDS, 0, specs, NULL},
    /* what changes the model and cannot be expressed */
    REFUSED("hybrid-layer-pattern", NO_FIELD),
    REFUSED("hybrid-override-pattern", NO_FIELD),
    REFUSED("hybrid-attention-ratio", NO_FIELD),
    REFUSED("is-hybrid-model", NO_FIELD),
    REFUSED("linear-attention-freq", NO_FIELD),
    REFUSED("linear-attention-type", NO_FIELD),
    REFUSED("experimental-attention-variant", NO_FIELD),
    REFUSED("heterogeneous-layers-config-path", NO_FIELD),
    REFUSED("heterogeneous-layers-config-encoded-json", NO_FIELD),
    REFUSED("decoder-num-layers", NO_FIELD),
    REFUSED("moe-latent-size", NO_FIELD),
    REFUSED("enable-mhc-connections", NO_FIELD),
    REFUSED("mtp-use-repeated-layer", NO_FIELD),
    REFUSED("perform-rl-step", "has no field; reinforcement learning is another job"),
    REFUSED("freeze-all-layers", "has no field; nothing is trained"),
    REFUSED("yaml-cfg", "names another file; give that file"),
};

const size_t cszi_megatron_option_count =
    sizeof cszi_megatron_options / sizeof *cszi_megatron_options;

const csz_field cszi_megatron_fields[CSZI_MG_SLOTS] = {
    [CSZI_MG_HIDDEN] = CSZ_WORKLOAD_HIDDEN,
    [CSZI_MG_VOCAB] = CSZ_WORKLOAD_VOCAB,
    [CSZI_MG_POSITIONS] = CSZ_WORKLOAD_LEARNED_POSITIONS,
    [CSZI_MG_TIED] = CSZ_WORKLOAD_TIED_EMBEDDINGS,
    [CSZI_MG_NORM] = CSZ_WORKLOAD_NORM,
    [CSZI_MG_PREDICTION] = CSZ_WORKLOAD_PREDICTION_LAYERS,
    [CSZI_MG_DROPOUT] = CSZ_WORKLOAD_DROPOUT,
    [CSZI_MG_ATTENTION] = CSZ_WORKLOAD_ATTENTION,
    [CSZI_MG_HEADS] = CSZ_WORKLOAD_HEADS,
    [CSZI_MG_QK_NORM] = CSZ_WORKLOAD_QK_NORM,
    [CSZI_MG_SINKS] = CSZ_WORKLOAD_ATTENTION_SINKS,
    [CSZI_MG_QUERY_GATE] = CSZ_WORKLOAD_QUERY_GATE,
    [CSZI_MG_GATED] = CSZ_WORKLOAD_GATED_MLP,
    [CSZI_MG_ATTENTION_BIAS] = CSZ_WORKLOAD_ATTENTION_BIAS,
    [CSZI_MG_KV_HEADS] = CSZ_WORKLOAD_KV_HEADS,
    [CSZI_MG_HEAD_DIM] = CSZ_WORKLOAD_HEAD_DIM,
    [CSZI_MG_QKV_BIAS] = CSZ_WORKLOAD_QKV_BIAS,
    [CSZI_MG_QUERY_RANK] = CSZ_WORKLOAD_QUERY_RANK,
    [CSZI_MG_KV_RANK] = CSZ_WORKLOAD_KV_RANK,
    [CSZI_MG_NOPE_DIM] = CSZ_WORKLOAD_NOPE_DIM,
    [CSZI_MG_ROPE_DIM] = CSZ_WORKLOAD_ROPE_DIM,
    [CSZI_MG_VALUE_DIM] = CSZ_WORKLOAD_VALUE_DIM,
    [CSZI_MG_WINDOW] = CSZ_WORKLOAD_SLIDING_WINDOW,
    [CSZI_MG_FFN] = CSZ_WORKLOAD_FFN,
    [CSZI_MG_MLP_BIAS] = CSZ_WORKLOAD_MLP_BIAS,
    [CSZI_MG_EXPERTS] = CSZ_WORKLOAD_EXPERTS,
    [CSZI_MG_TOPK] = CSZ_WORKLOAD_EXPERTS_PER_TOKEN,
    [CSZI_MG_EXPERT_FFN] = CSZ_WORKLOAD_EXPERT_FFN,
    [CSZI_MG_SHARED_FFN] = CSZ_WORKLOAD_SHARED_FFN,
    [CSZI_MG_SHARED_GATE] = CSZ_WORKLOAD_SHARED_GATE,
    [CSZI_MG_ROUTER_BIAS] = CSZ_WORKLOAD_ROUTER_BIAS,
    [CSZI_MG_EXPERT_BIAS] = CSZ_WORKLOAD_EXPERT_BIAS,
    [CSZI_MG_ROUTER_GROUPS] = CSZ_WORKLOAD_ROUTER_GROUPS,
    [CSZI_MG_JOB] = CSZ_WORKLOAD_JOB,
    [CSZI_MG_OPTIMIZER] = CSZ_WORKLOAD_OPTIMIZER,
    [CSZI_MG_COMPUTE] = CSZ_WORKLOAD_COMPUTE_FORMAT,
    [CSZI_MG_WEIGHT] = CSZ_WORKLOAD_WEIGHT_FORMAT,
    [CSZI_MG_GRADIENT] = CSZ_WORKLOAD_GRADIENT_FORMAT,
    [CSZI_MG_MASTER] = CSZ_WORKLOAD_MASTER_FORMAT,
    [CSZI_MG_STATE] = CSZ_WORKLOAD_STATE_FORMAT,
    [CSZI_MG_ACTIVATION] = CSZ_WORKLOAD_ACTIVATION_FORMAT,
    [CSZI_MG_TOKENS] = CSZ_WORKLOAD_TOKENS,
    [CSZI_MG_SEQUENCE] = CSZ_WORKLOAD_SEQUENCE_LENGTH,
    [CSZI_MG_BATCH] = CSZ_WORKLOAD_GLOBAL_BATCH,
    [CSZI_MG_LAYER_COUNT] = CSZ_WORKLOAD_LAYERS,
    [CSZI_MG_GROUPED] = CSZ_WORKLOAD_KV_HEADS,
    [CSZI_MG_QUERY_GROUPS] = CSZ_WORKLOAD_KV_HEADS,
    [CSZI_MG_POSITION_TYPE] = CSZ_WORKLOAD_LEARNED_POSITIONS,
    [CSZI_MG_POSITION_ROWS] = CSZ_WORKLOAD_LEARNED_POSITIONS,
    [CSZI_MG_VOCAB_SIZE] = CSZ_WORKLOAD_VOCAB,
    [CSZI_MG_PADDED_VOCAB] = CSZ_WORKLOAD_VOCAB,
    [CSZI_MG_DIVISIBLE] = CSZ_WORKLOAD_VOCAB,
    [CSZI_MG_TENSOR_PARALLEL] = CSZ_FIELD_NONE, /* a plan's */
    [CSZI_MG_BIAS] = CSZ_WORKLOAD_MLP_BIAS,
    [CSZI_MG_ADDED_QKV_BIAS] = CSZ_WORKLOAD_QKV_BIAS,
    [CSZI_MG_EXPERT_PATTERN] = CSZ_WORKLOAD_LAYER_KIND,
    [CSZI_MG_WINDOW_SIZE] = CSZ_WORKLOAD_SLIDING_WINDOW,
    [CSZI_MG_WINDOW_PATTERN] = CSZ_WORKLOAD_LAYER_KIND,
    [CSZI_MG_BF16] = CSZ_WORKLOAD_COMPUTE_FORMAT,
    [CSZI_MG_FP16] = CSZ_WORKLOAD_COMPUTE_FORMAT,
    [CSZI_MG_FP8] = CSZ_WORKLOAD_COMPUTE_FORMAT,
    [CSZI_MG_FP8_WEIGHTS] = CSZ_WORKLOAD_WEIGHT_FORMAT,
    [CSZI_MG_FP4] = CSZ_WORKLOAD_COMPUTE_FORMAT,
    [CSZI_MG_FP4_WEIGHTS] = CSZ_WORKLOAD_WEIGHT_FORMAT,
    [CSZI_MG_GRADIENTS_BF16] = CSZ_WORKLOAD_GRADIENT_FORMAT,
    [CSZI_MG_GRADIENTS_FP32] = CSZ_WORKLOAD_GRADIENT_FORMAT,
    [CSZI_MG_PRECISION_AWARE] = CSZ_WORKLOAD_STATE_FORMAT,
    [CSZI_MG_MAIN_GRADIENTS] = CSZ_WORKLOAD_GRADIENT_FORMAT,
    [CSZI_MG_MAIN_WEIGHTS] = CSZ_WORKLOAD_MASTER_FORMAT,
    [CSZI_MG_FIRST_MOMENT] = CSZ_WORKLOAD_STATE_FORMAT,
    [CSZI_MG_SECOND_MOMENT] = CSZ_WORKLOAD_STATE_FORMAT,
    [CSZI_MG_FSDP] = CSZ_WORKLOAD_MASTER_FORMAT,
    [CSZI_MG_FSDP_GRADIENTS] = CSZ_WORKLOAD_GRADIENT_FORMAT,
    [CSZI_MG_FSDP_WEIGHTS] = CSZ_WORKLOAD_MASTER_FORMAT,
    [CSZI_MG_MOMENTUM] = CSZ_WORKLOAD_OPTIMIZER,
    [CSZI_MG_SAMPLES] = CSZ_WORKLOAD_TOKENS,
    [CSZI_MG_ITERATIONS] = CSZ_WORKLOAD_TOKENS,
    [CSZI_MG_RAMP] = CSZ_WORKLOAD_GLOBAL_BATCH,
};
