/* stack_time.h: time constants of families of training software, for the rows of stacks.inc, which
 * may override some after them. What is fitted stands in fitted.h. */
#ifndef CSZI_FACTS_STACK_TIME_H
#define CSZI_FACTS_STACK_TIME_H

#include "facts/fitted.h"

#define FIT_MESSAGE 5e3 /* of InfiniBand: a judgement */

#define COMMON_TIME                                                                                \
    .memory_share = FIT_MEMORY_SHARE, .half_size = FIT_HALF_SIZE, .launch = FIT_LAUNCH,            \
    .matrix_factor = 1, .attention_factor = 1, .attention_backward = FIT_ATTENTION_BACKWARD,       \
    .softmax_exposed = FIT_SOFTMAX_EXPOSED, .biased_experts = FIT_BIASED_EXPERTS,                  \
    .recurrent = FIT_RECURRENT, .grouped_share = FIT_GROUPED_SHARE,                                \
    .moe_pointwise = FIT_MOE_POINTWISE, .link_share = FIT_LINK_SHARE, .nic_share = FIT_NIC_SHARE,  \
    .nic_expert_share = FIT_NIC_EXPERT_SHARE, .latency_in = FIT_LATENCY_IN,                        \
    .latency_out = FIT_LATENCY_OUT, .latency_pipeline = FIT_LATENCY_PIPELINE,                      \
    .exposed_context = FIT_EXPOSED_CONTEXT, .exposed_gather = FIT_EXPOSED_GATHER,                  \
    .exposed_expert = FIT_EXPOSED_EXPERT, .exposed_tensor = 1, .exposed_pipeline = 1,              \
    .overlaps_data = 1, .step_fixed = FIT_STEP_FIXED, .straggle = FIT_STRAGGLE,                    \
    .host_moe = FIT_FUSED_HOST_MOE
/* Megatron-Core and Transformer Engine. */
#define FUSED_TIME                                                                                 \
    COMMON_TIME, .pointwise = FIT_FUSED_POINTWISE, .kernels = FIT_FUSED_KERNELS,                   \
                 .exposed_tensor = FIT_FUSED_TENSOR, .exposed_pipeline = FIT_FUSED_PIPELINE,       \
                 .exposed_data = FIT_FUSED_DATA, .reduce_bytes = 4, .host_layer = FIT_FUSED_HOST
/* Megatron-LM until 2023: nothing overlaps. */
#define LEGACY_TIME                                                                                \
    COMMON_TIME, .launch = FIT_EAGER_LAUNCH, .pointwise = FIT_LEGACY_POINTWISE,                    \
                 .kernels = FIT_LEGACY_KERNELS, .exposed_data = 1, .overlaps_data = 0,             \
                 .reduce_bytes = 2, .host_layer = FIT_LEGACY_HOST
#define EAGER_TIME                                                                                 \
    COMMON_TIME, .launch = FIT_EAGER_LAUNCH, .attention_factor = FIT_EAGER_ATTENTION,              \
                 .pointwise = FIT_EAGER_POINTWISE, .kernels = FIT_EAGER_KERNELS,                   \
                 .exposed_data = FIT_EAGER_DATA, .reduce_bytes = 2, .host_layer = FIT_EAGER_HOST
/* What it hooks into every module is the host's. */
#define DEEPSPEED_TIME EAGER_TIME, .host_layer = FIT_DEEPSPEED_HOST
/* FSDP2 copies what it gathered out of its buffer, 4 bytes a parameter forward and backward, and
 * gradients into that of the reduction, 6
 * (torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py).
 */
#define COMPILED_TIME                                                                              \
    COMMON_TIME, .pointwise = FIT_COMPILED_POINTWISE, .kernels = FIT_COMPILED_KERNELS,             \
                 .attention_factor = FIT_COMPILED_ATTENTION, .matrix_factor = FIT_COMPILED_MATRIX, \
                 .exposed_data = FIT_COMPILED_DATA, .reduce_bytes = 4,                             \
                 .host_layer = FIT_COMPILED_HOST, .gather_copies = 14
#define DDP_TIME                                                                                   \
    COMMON_TIME, .launch = FIT_EAGER_LAUNCH, .pointwise = FIT_DDP_POINTWISE,                       \
                 .kernels = FIT_DDP_KERNELS, .exposed_data = FIT_EAGER_DATA, .reduce_bytes = 2,    \
                 .host_layer = FIT_DDP_HOST
/* Shapes are known when it compiles: the host waits for no counts of tokens. */
#define XLA_TIME                                                                                   \
    COMMON_TIME, .pointwise = FIT_XLA_POINTWISE, .kernels = FIT_XLA_KERNELS,                       \
                 .exposed_tensor = FIT_FUSED_TENSOR, .exposed_pipeline = FIT_FUSED_PIPELINE,       \
                 .exposed_data = FIT_FUSED_DATA, .reduce_bytes = 4, .host_moe = 0

#endif
