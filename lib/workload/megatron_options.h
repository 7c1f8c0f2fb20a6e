/* megatron_options.h: the options of Megatron-LM that say something of a workload, and what they
 * give. */
#ifndef CSZI_WORKLOAD_MEGATRON_OPTIONS_H
#define CSZI_WORKLOAD_MEGATRON_OPTIONS_H

#include "base/options.h"

#define CSZI_MEGATRON_LAYERS                                                                       \
    1024 /* most layers; at most CSZI_RUNS, so that every pattern has room */

/* What an option gives. The order matters: each group is set together. */
typedef enum cszi_megatron_slot {
    /* of the model */
    CSZI_MG_HIDDEN,
    CSZI_MG_VOCAB,
    CSZI_MG_POSITIONS,
    CSZI_MG_TIED,
    CSZI_MG_NORM,
    CSZI_MG_PREDICTION,
    CSZI_MG_DROPOUT,
    /* of every layer */
    CSZI_MG_ATTENTION,
    CSZI_MG_HEADS,
    CSZI_MG_QK_NORM,
    CSZI_MG_SINKS,
    CSZI_MG_QUERY_GATE,
    CSZI_MG_GATED,
    CSZI_MG_ATTENTION_BIAS,
    /* of grouped attention */
    CSZI_MG_KV_HEADS,
    CSZI_MG_HEAD_DIM,
    CSZI_MG_QKV_BIAS,
    /* of latent attention */
    CSZI_MG_QUERY_RANK,
    CSZI_MG_KV_RANK,
    CSZI_MG_NOPE_DIM,
    CSZI_MG_ROPE_DIM,
    CSZI_MG_VALUE_DIM,
    /* of layers with a window */
    CSZI_MG_WINDOW,
    /* of dense layers */
    CSZI_MG_FFN,
    CSZI_MG_MLP_BIAS,
    /* of layers with experts */
    CSZI_MG_EXPERTS,
    CSZI_MG_TOPK,
    CSZI_MG_EXPERT_FFN,
    CSZI_MG_SHARED_FFN,
    CSZI_MG_SHARED_GATE,
    CSZI_MG_ROUTER_BIAS,
    CSZI_MG_EXPERT_BIAS,
    CSZI_MG_ROUTER_GROUPS,
    /* of the job */
    CSZI_MG_JOB,
    CSZI_MG_OPTIMIZER,
    CSZI_MG_COMPUTE,
    CSZI_MG_WEIGHT,
    CSZI_MG_GRADIENT,
    CSZI_MG_MASTER,
    CSZI_MG_STATE,
    CSZI_MG_ACTIVATION,
    CSZI_MG_TOKENS,
    CSZI_MG_SEQUENCE,
    CSZI_MG_BATCH,
    /* no fields: the fields above follow from them */
    CSZI_MG_LAYER_COUNT,
    CSZI_MG_GROUPED,
    CSZI_MG_QUERY_GROUPS,
    CSZI_MG_POSITION_TYPE, /* 1: a learned table */
    CSZI_MG_POSITION_ROWS,
    CSZI_MG_VOCAB_SIZE,
    CSZI_MG_PADDED_VOCAB,
    CSZI_MG_DIVISIBLE,
    CSZI_MG_TENSOR_PARALLEL,
    CSZI_MG_BIAS,
    CSZI_MG_ADDED_QKV_BIAS,
    CSZI_MG_EXPERT_PATTERN,
    CSZI_MG_WINDOW_SIZE,
    CSZI_MG_WINDOW_PATTERN,
    CSZI_MG_BF16,
    CSZI_MG_FP16,
    CSZI_MG_FP8,
    CSZI_MG_FP8_WEIGHTS,
    CSZI_MG_FP4,
    CSZI_MG_FP4_WEIGHTS,
    CSZI_MG_GRADIENTS_BF16,
    CSZI_MG_GRADIENTS_FP32,
    CSZI_MG_PRECISION_AWARE,
    CSZI_MG_MAIN_GRADIENTS,
    CSZI_MG_MAIN_WEIGHTS,
    CSZI_MG_FIRST_MOMENT,
    CSZI_MG_SECOND_MOMENT,
    CSZI_MG_FSDP,
    CSZI_MG_FSDP_GRADIENTS,
    CSZI_MG_FSDP_WEIGHTS,
    CSZI_MG_MOMENTUM,
    CSZI_MG_SAMPLES,
    CSZI_MG_ITERATIONS,
    CSZI_MG_RAMP,
    CSZI_MG_SLOTS
} cszi_megatron_slot;

extern const cszi_option cszi_megatron_options[];
extern const size_t cszi_megatron_option_count;
extern const csz_field cszi_megatron_fields[CSZI_MG_SLOTS]; /* what each slot is set as, or about */

#endif
