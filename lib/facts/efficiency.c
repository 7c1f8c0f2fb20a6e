/* efficiency.c: tables of what hardware and software reach. */
#include <string.h>

#include <clustersize/enums.h>

#include "facts/facts.h"
#include "facts/stack_memory.h"

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

const cszi_evidence cszi_evidences[] = {
#include "facts/evidence.inc"
};
const size_t cszi_evidences_count = sizeof cszi_evidences / sizeof *cszi_evidences;

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

const cszi_evidence *cszi_evidence_find(const char *family, const char *stack)
{
    for (size_t i = 0; i < cszi_evidences_count; i++)
        if (strcmp(cszi_evidences[i].family, family) == 0 &&
            strcmp(cszi_evidences[i].stack, stack) == 0)
            return &cszi_evidences[i];
    return NULL;
}

/* The rule: three configurations or more, half of them within 10%, as wide as the narrowest band.
 * One or two may be luck, and constants that miss by more are not fitted to them. */
int cszi_evidence_is_fitted(const cszi_evidence *e)
{
    return e != NULL && e->configurations >= 3 && e->median_error <= 0.10;
}
