/* efficiency.c: tables of what hardware and software reach. */
#include <string.h>

#include <clustersize/enums.h>

#include "facts/facts.h"

/* Time constants of fused kernels with overlapped traffic, and of eager PyTorch. A row may override
 * some after them. */
#define COMMON_TIME                                                                                \
    .memory_share = 0.85, .half_size = 94, .launch = 5.9e-6, .attention_backward = 0.96,           \
    .moe_pointwise = 9.9, .link_share = 0.68, .nic_share = 0.94, .nic_expert_share = 0.55,         \
    .latency_in = 25e-6, .latency_out = 7.3e-6, .latency_pipeline = 80e-6,                         \
    .exposed_context = 0.13, .exposed_gather = 0.51, .exposed_expert = 0.86,                       \
    .host_expert = 0.00060, .host_moe = 0.00029, .step_fixed = 0.039, .straggle = 0.0105
#define FUSED_TIME                                                                                 \
    COMMON_TIME, .attention_factor = 1.0, .pointwise = 0.66, .exposed_tensor = 0.27,               \
                 .exposed_pipeline = 0.46, .exposed_data = 0.21, .overlaps_data = 1,               \
                 .reduce_bytes = 4, .host_layer = 0.00030
#define EAGER_TIME                                                                                 \
    COMMON_TIME, .attention_factor = 0.46, .pointwise = 1.40, .exposed_tensor = 1.0,               \
                 .exposed_pipeline = 1.0, .exposed_data = 0.90, .overlaps_data = 1,                \
                 .reduce_bytes = 2, .host_layer = 0.0012

/* Memory constants of families of software; rows may override some after them. Bytes per logit:
 * plain, fused, chunked, linear. */
#define OPTIMIZER(name) (1 << CSZ_OPTIMIZER_##name)
#define TORCH_OPTIMIZERS                                                                           \
    (OPTIMIZER(ADAMW) | OPTIMIZER(ADAM_8BIT) | OPTIMIZER(SGD) | OPTIMIZER(MOMENTUM) |              \
     OPTIMIZER(LION) | OPTIMIZER(MUON) | OPTIMIZER(ADAFACTOR) | OPTIMIZER(PAGED_ADAM_8BIT) |       \
     OPTIMIZER(ADAM_4BIT))
#define MEGATRON_MEMORY                                                                            \
    .fused = 1, .caches_low = 1, .gradients_persist = 1, .gradients_fused = 1, .prefetch = 1,      \
    .reducing_units = 1, .loss_bytes = {6, 10, 6, 2}, .weight_scratch = 2, .workspace = 0.1e9,     \
    .context_low = 1.0e9, .context_likely = 1.5e9, .context_high = 3.0e9, .communicator = 0.4e9,   \
    .slack_low = 0.01, .slack_likely = 0.05, .slack_high = 0.15, .slack_chunks = 3,                \
    .slack_expandable = 0.3, .memory_low = 0.96, .memory_high = 1.05, .memory_rows = 30,           \
    .host_process = 6e9,                                                                           \
    .optimizers = OPTIMIZER(ADAMW) | OPTIMIZER(SGD) | OPTIMIZER(MOMENTUM) | OPTIMIZER(LION) |      \
                  OPTIMIZER(MUON) | OPTIMIZER(ADAM_8BIT),                                          \
    .pipeline_sharding = CSZ_SHARDING_GRADIENTS, .loss = CSZ_LOSS_KERNEL_PLAIN, .offload = 1
#define LEGACY_MEMORY                                                                              \
    MEGATRON_MEMORY, .weight_scratch = 0, .offload = 0, .memory_low = 0.92, .memory_high = 1.1,    \
                     .memory_rows = 60
#define EAGER_MEMORY                                                                               \
    .gathers_weights = 1, .casts_all = 1, .prefetch = 1, .reducing_units = 1,                      \
    .loss_bytes = {14, 4, 6, 0}, .quantized_copies = 1.6, .optimizer_temporary = 1,                \
    .workspace = 0.05e9, .context_low = 0.5e9, .context_likely = 1.0e9, .context_high = 2.5e9,     \
    .communicator = 0.4e9, .slack_low = 0.01, .slack_likely = 0.06, .slack_high = 0.2,             \
    .slack_expandable = 0.3, .memory_low = 0.9, .memory_high = 1.12, .memory_rows = 30,            \
    .loads_whole = 1, .host_process = 6e9, .optimizers = TORCH_OPTIMIZERS,                         \
    .pipeline_sharding = CSZ_SHARDING_PARAMETERS + 1, .loss = CSZ_LOSS_KERNEL_PLAIN, .release = 1, \
    .operations = 1, .offload = 1
#define COMPILED_MEMORY                                                                            \
    EAGER_MEMORY, .fused = 1, .loss_bytes = {12, 4, 3, 0}, .loss = CSZ_LOSS_KERNEL_FUSED,          \
                  .optimizer_temporary = 0, .memory_low = 0.93, .memory_high = 1.08
#define NANOTRON_MEMORY                                                                            \
    EAGER_MEMORY, .gathers_weights = 0, .casts_all = 0, .gradients_persist = 1,                    \
                  .loss_bytes = {9, 9, 9, 2}, .optimizer_temporary = 0, .memory_low = 0.9,         \
                  .memory_high = 1.15, .memory_rows = 19, .loads_whole = 0, .release = 0,          \
                  .offload = 0
#define DDP_MEMORY EAGER_MEMORY, .loss_bytes = {16, 4, 6, 0}, .loads_whole = 0, .memory_rows = 60
#define DEEPSPEED_MEMORY                                                                           \
    EAGER_MEMORY, .gathers_weights = 0, .casts_all = 0, .gradient_copy = 4,                        \
                  .offloads_gradients = 1, .optimizer_temporary = 0, .bucket_bytes = 1e9,          \
                  .buckets = 2, .pipeline_sharding = CSZ_SHARDING_GRADIENTS, .release = 0,         \
                  .offload = 2, .loads_whole = 0
#define XLA_MEMORY                                                                                 \
    .fused = 1, .gathers_weights = 1, .prefetch = 1, .reducing_units = 1,                          \
    .loss_bytes = {4, 4, 4, 2}, .context_low = 0.3e9, .context_likely = 0.5e9,                     \
    .context_high = 1.5e9, .communicator = 0, .slack_low = 0, .slack_likely = 0.03,                \
    .slack_high = 0.12, .slack_expandable = 1, .memory_low = 0.85, .memory_high = 1.15,            \
    .memory_rows = 0, .host_process = 6e9,                                                         \
    .optimizers = OPTIMIZER(ADAMW) | OPTIMIZER(SGD) | OPTIMIZER(MOMENTUM) | OPTIMIZER(LION) |      \
                  OPTIMIZER(MUON) | OPTIMIZER(ADAFACTOR),                                          \
    .pipeline_sharding = CSZ_SHARDING_PARAMETERS + 1, .loss = CSZ_LOSS_KERNEL_PLAIN, .offload = 1

#if defined(__clang__)
#pragma clang diagnostic ignored "-Winitializer-overrides"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

static const cszi_family families[] = {
#include "facts/families.inc"
};

const cszi_stack cszi_stacks[] = {
#include "facts/stacks.inc"
};
const size_t cszi_stacks_count = sizeof cszi_stacks / sizeof *cszi_stacks;

static const cszi_band bands[] = {
#include "facts/bands.inc"
};

const cszi_batch cszi_batches[] = {
#include "facts/batches.inc"
};
const size_t cszi_batches_count = sizeof cszi_batches / sizeof *cszi_batches;

#define COUNT(array) (sizeof(array) / sizeof *(array))

const cszi_family *cszi_family_find(const char *id)
{
    for (size_t i = 0; i < COUNT(families) - 1; i++)
        if (strcmp(families[i].id, id) == 0)
            return &families[i];
    return &families[COUNT(families) - 1];
}

const cszi_stack *cszi_stack_find(const char *id)
{
    for (size_t i = 0; i < cszi_stacks_count; i++)
        if (strcmp(cszi_stacks[i].id, id) == 0)
            return &cszi_stacks[i];
    return NULL;
}

const cszi_band *cszi_band_find(const char *id)
{
    for (size_t i = 0; i < COUNT(bands); i++)
        if (strcmp(bands[i].id, id) == 0)
            return &bands[i];
    return NULL;
}
