/* fit_constants.c: what is fitted, and what was known of it before. */
#include "fit.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "facts/facts.h"

#define NETWORK(name, rows, field, prior, wide, most)                                              \
    {                                                                                              \
        name, rows, offsetof(cszi_network, field), prior, wide, most, 0, 0, {0}, 0, 0              \
    }
#define FAMILY(name, rows, field, prior, wide, most)                                               \
    {                                                                                              \
        name, rows, offsetof(cszi_family, field), prior, wide, most, 0, 0, {0}, 0, 0               \
    }
#define STACK(name, rows, field, prior, wide, most)                                                \
    {                                                                                              \
        name, rows, offsetof(cszi_stack, field), prior, wide, most, 0, 0, {0}, 0, 0                \
    }
#define FUSED "megatron megatron-graph"
#define ALMOST "megatron legacy fsdp-eager fsdp-compiled nanotron deepspeed xla ddp"
#define EAGER "fsdp-eager nanotron deepspeed"

/* Families first. Shares of peaks: GEMM tables of AIConfigurator, MAMF tables of
 * stas00/ml-engineering; overlap shares, host and fixed times: guesses, which are wide. */
constant constants[] = {
    FAMILY("VOLTA_GEMM16", "volta", gemm16, 0.70, 0.15, 1),
    FAMILY("AMPERE_GEMM16", "ampere", gemm16, 0.83, 0.1, 1),
    FAMILY("HOPPER_GEMM16", "hopper", gemm16, 0.75, 0.1, 1),
    FAMILY("HOPPER_GEMM8", "hopper", gemm8, 0.62, 0.1, 1),
    FAMILY("BLACKWELL_GEMM16", "blackwell blackwell-ultra", gemm16, 0.65, 0.1, 1),
    FAMILY("BLACKWELL_GEMM8", "blackwell blackwell-ultra", gemm8, 0.56, 0.1, 1),
    FAMILY("BLACKWELL_GEMM4", "blackwell blackwell-ultra", gemm4, 0.40, 0.15, 1),
    FAMILY("AMPERE_ATTENTION", "ampere", attention, 0.55, 0.15, 1),
    FAMILY("HOPPER_ATTENTION", "hopper", attention, 0.50, 0.15, 1),
    FAMILY("BLACKWELL_ATTENTION", "blackwell blackwell-ultra", attention, 0.50, 0.15, 1),
    FAMILY("TPU_V5P_GEMM16", "tpu-v5p", gemm16, 0.60, 0.15, 1),
    FAMILY("TPU_V6E_GEMM16", "tpu-v6e", gemm16, 0.60, 0.15, 1),
    FAMILY("TPU_V7_GEMM16", "tpu-v7", gemm16, 0.60, 0.15, 1),
    FAMILY("TPU_V7_GEMM8", "tpu-v7", gemm8, 0.55, 0.15, 1),
    FAMILY("CDNA3_GEMM16", "cdna3 cdna4", gemm16, 0.50, 0.2, 1),
    FAMILY("CDNA3_GEMM8", "cdna3 cdna4", gemm8, 0.45, 0.2, 1),
    FAMILY("CDNA3_ATTENTION", "cdna3 cdna4", attention, 0.40, 0.2, 1),
    FAMILY("TPU_ATTENTION", "tpu-v5p tpu-v6e tpu-v7", attention, 0.5, 0.2, 1),
    FAMILY(
        "SUSTAINED",
        "volta ampere hopper blackwell blackwell-ultra cdna3 cdna4 tpu-v5p tpu-v6e tpu-v7 unfitted",
        sustained, 0.5, 0.3, 1),
    NETWORK("EFA_SHARE", "efa", share, 0.8, 0.3, 1.2),
    NETWORK("EFA_EXPERT", "efa", expert_share, 0.5, 0.5, 1.2),
    NETWORK("EFA_MESSAGE", "efa", message, 5e4, 0.7, 1e7),
    NETWORK("ROCE_SHARE", "roce eth", share, 0.9, 0.2, 1.2),
    NETWORK("ROCE_EXPERT", "roce eth", expert_share, 0.9, 0.2, 1.2),
    STACK("SOFTMAX_EXPOSED", "*", softmax_exposed, 0.5, 0.4, 1),
    STACK("GROUPED_SHARE", "*", grouped_share, 0.85, 0.15, 1),
    STACK("MEMORY_SHARE", "*", memory_share, 0.82, 0.04, 0.95),
    STACK("HALF_SIZE", "*", half_size, 128, 0.3, 1000),
    STACK("EAGER_LAUNCH", "legacy ddp " EAGER, launch, 8e-6, 0.2, 1e-4),
    STACK("LAUNCH", "megatron megatron-graph fsdp-compiled xla", launch, 5e-6, 0.15, 1e-4),
    STACK("ATTENTION_BACKWARD", "*", attention_backward, 0.8, 0.15, 1),
    STACK("LINK_SHARE", "*", link_share, 0.75, 0.1, 1),
    STACK("NIC_SHARE", "*", nic_share, 0.80, 0.15, 1),
    STACK("NIC_EXPERT_SHARE", "*", nic_expert_share, 0.6, 0.3, 1),
    STACK("LATENCY_IN", "*", latency_in, 20e-6, 0.3, 1e-3),
    STACK("LATENCY_OUT", "*", latency_out, 14e-6, 0.5, 1e-3),
    STACK("LATENCY_PIPELINE", "*", latency_pipeline, 60e-6, 0.4, 1e-3),
    STACK("EXPOSED_CONTEXT", "*", exposed_context, 0.15, 0.5, 1),
    STACK("EXPOSED_GATHER", "*", exposed_gather, 0.3, 0.5, 1),
    STACK("EXPOSED_EXPERT", ALMOST, exposed_expert, 0.8, 0.2, 1),
    STACK("MOE_POINTWISE", ALMOST, moe_pointwise, 4, 0.5, 30),
    STACK("RECURRENT", "*", recurrent, 4, 0.6, 200),
    STACK("BIASED_EXPERTS", "*", biased_experts, 4, 0.4, 100),
    STACK("GRAPH_EXPERT", "megatron-graph", exposed_expert, 0.6, 0.3, 1),
    STACK("GRAPH_MOE_POINTWISE", "megatron-graph", moe_pointwise, 3, 0.5, 30),
    STACK("STEP_FIXED", "*", step_fixed, 0.015, 0.7, 1),
    STACK("STRAGGLE", "*", straggle, 0.01, 0.5, 0.1),
    STACK("FUSED_POINTWISE", FUSED, pointwise, 0.7, 0.3, 5),
    STACK("LEGACY_POINTWISE", "legacy", pointwise, 0.8, 0.3, 5),
    STACK("EAGER_POINTWISE", EAGER, pointwise, 1.3, 0.3, 5),
    STACK("COMPILED_POINTWISE", "fsdp-compiled", pointwise, 0.8, 0.3, 5),
    STACK("DDP_POINTWISE", "ddp", pointwise, 1.5, 0.3, 8),
    STACK("XLA_POINTWISE", "xla", pointwise, 0.7, 0.3, 5),
    STACK("FUSED_KERNELS", FUSED, kernels, 8, 0.3, 100),
    STACK("LEGACY_KERNELS", "legacy", kernels, 16, 0.3, 100),
    STACK("EAGER_KERNELS", EAGER, kernels, 20, 0.3, 100),
    STACK("COMPILED_KERNELS", "fsdp-compiled", kernels, 8, 0.3, 100),
    STACK("DDP_KERNELS", "ddp", kernels, 25, 0.3, 100),
    STACK("XLA_KERNELS", "xla", kernels, 4, 0.3, 100),
    STACK("EAGER_ATTENTION", EAGER, attention_factor, 0.5, 0.3, 1),
    STACK("COMPILED_ATTENTION", "fsdp-compiled", attention_factor, 0.8, 0.08, 1),
    STACK("COMPILED_MATRIX", "fsdp-compiled", matrix_factor, 0.95, 0.05, 1),
    STACK("FUSED_TENSOR", FUSED " xla", exposed_tensor, 0.5, 0.4, 1),
    STACK("FUSED_PIPELINE", FUSED " xla", exposed_pipeline, 0.5, 0.4, 1),
    STACK("FUSED_DATA", FUSED " xla", exposed_data, 0.2, 0.5, 1),
    STACK("COMPILED_DATA", "fsdp-compiled", exposed_data, 0.3, 0.5, 1),
    STACK("EAGER_DATA", EAGER " ddp", exposed_data, 0.7, 0.4, 1),
    STACK("FUSED_HOST", "megatron", host_layer, 0.0005, 0.5, 0.1),
    STACK("LEGACY_HOST", "legacy", host_layer, 0.0025, 0.5, 0.1),
    STACK("DEEPSPEED_HOST", "deepspeed", host_layer, 0.005, 0.5, 0.1),
    STACK("EAGER_HOST", "fsdp-eager nanotron", host_layer, 0.0025, 0.5, 0.1),
    STACK("COMPILED_HOST", "fsdp-compiled", host_layer, 0.0015, 0.5, 0.1),
    STACK("DDP_HOST", "ddp", host_layer, 0.004, 0.5, 0.1),
    STACK("FUSED_HOST_MOE", "megatron legacy fsdp-compiled ddp " EAGER, host_moe, 0.008, 0.4, 0.1),
};
const size_t constants_count = sizeof constants / sizeof *constants;

/* The next word of a list; NULL at its end. */
static const char *next_id(const char **list, char *id, size_t room)
{
    size_t n = strcspn(*list += strspn(*list, " "), " ");

    if (n == 0 || n >= room)
        return NULL;
    memcpy(id, *list, n);
    id[n] = '\0';
    *list += n;
    return id;
}

static int add_cell(constant *c, void *row)
{
    if (row == NULL || c->count == sizeof c->cells / sizeof *c->cells)
        return 0;
    c->cells[c->count++] = (double *)(void *)((char *)row + c->offset);
    return 1;
}

/* The row of an id in any of the tables. */
static void *row_of(const char *id)
{
    const cszi_family *family = cszi_family_find(id);
    const cszi_network *network = cszi_network_find(id);

    if (cszi_stack_find(id) != NULL)
        return (cszi_stack *)(void *)cszi_stack_find(id);
    if (strcmp(family->id, id) == 0)
        return (cszi_family *)(void *)family;
    return strcmp(network->prefix, id) == 0 ? (cszi_network *)(void *)network : NULL;
}

static int bind(constant *c)
{
    const char *list = c->rows;
    char id[64];
    int ok = 1;

    if (strcmp(c->rows, "*") == 0)
        for (size_t i = 0; i < cszi_stacks_count; i++)
            ok &= add_cell(c, &cszi_stacks[i]);
    else
        while (next_id(&list, id, sizeof id) != NULL)
            ok &= add_cell(c, row_of(id));
    for (size_t i = 0; i < c->count; i++)
        ok &= fabs(*c->cells[i] - *c->cells[0]) <= 0;
    if (ok)
        c->value = *c->cells[0];
    else
        fprintf(stderr, "%s: the cells of %s differ or are missing\n", c->name, c->rows);
    return ok;
}

int constants_bind(void)
{
    int ok = 1;

    for (size_t i = 0; i < constants_count; i++)
        ok &= bind(&constants[i]);
    return ok;
}

void constant_set(constant *c, double value)
{
    c->value = fmin(value, c->most);
    for (size_t i = 0; i < c->count; i++)
        *c->cells[i] = c->value;
}

int constants_write(const char *path)
{
    FILE *f = fopen(path, "w");

    if (f == NULL)
        return 0;
    fprintf(f,
            "/* fitted.h: time constants fitted to published runs. Written by tests/accuracy/fit "
            "(see there);\n * priors and their widths are in fit_constants.c. In brackets: what "
            "was known before, and the\n * standard deviation of the logarithm after. */\n"
            "#ifndef CSZI_FACTS_FITTED_H\n#define CSZI_FACTS_FITTED_H\n\n");
    for (size_t i = 0; i < constants_count; i++)
        fprintf(f, "#define FIT_%s %.4g /* [%.4g, %.2f] */\n", constants[i].name,
                constants[i].value, constants[i].prior, constants[i].error);
    fprintf(f, "\n#endif\n");
    return fclose(f) == 0;
}
