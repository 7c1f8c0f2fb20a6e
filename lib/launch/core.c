/* core.c: options of Megatron-Core that two launches share, by the rules of megatron/training/
 * arguments.py and megatron/core/transformer/transformer_config.py (d98e8a64, 2026-08). */
#include "launch/core.h"

#include <string.h>

const cszi_choice cszi_core_granularities[] = {
    {CSZI_CORE_SELECTIVE, "selective"}, {CSZI_CORE_FULL, "full"}, {0, NULL}};
const cszi_choice cszi_core_methods[] = {
    {CSZI_CORE_UNIFORM, "uniform"}, {CSZI_CORE_BLOCK, "block"}, {0, NULL}};
enum { CORE = 1, NORMS = 2, ACTIVATIONS = 4, LATENT = 8, MLPS = 16, MIXTURES = 32 };
const cszi_choice cszi_core_modules[] = {{CORE, "core_attn"},
                                         {NORMS, "layernorm"},
                                         {ACTIVATIONS, "moe_act"},
                                         {LATENT, "mla_up_proj"},
                                         {MLPS, "mlp"},
                                         {MIXTURES, "moe"},
                                         {0, NULL}};
const cszi_choice cszi_core_strategies[] = {{CSZ_SHARDING_PARAMETERS, "optim_grads_params"},
                                            {CSZ_SHARDING_GRADIENTS, "optim_grads"},
                                            {CSZ_SHARDING_OPTIMIZER, "optim"},
                                            {CSZ_SHARDING_NONE, "no_shard"},
                                            {0, NULL}};
const cszi_choice cszi_core_contexts[] = {{CSZ_CONTEXT_KIND_RING, "p2p"},
                                          {CSZ_CONTEXT_KIND_ALL_GATHER, "all_gather"},
                                          {CSZ_CONTEXT_KIND_ULYSSES, "a2a"},
                                          {0, NULL}};
const cszi_choice cszi_core_kernels[] = {{CSZ_ATTENTION_KERNEL_FLASH, "flash"},
                                         {CSZ_ATTENTION_KERNEL_UNFUSED, "unfused"},
                                         {CSZ_ATTENTION_KERNEL_FLASH, "fused"},
                                         {CSZ_ATTENTION_KERNEL_UNFUSED, "local"},
                                         {0, NULL}};
const cszi_choice cszi_core_on[] = {{1, "true"}, {0, "false"}, {0, NULL}};
const cszi_choice cszi_core_fused_loss[] = {
    {CSZ_LOSS_KERNEL_FUSED, "true"}, {CSZ_LOSS_KERNEL_PLAIN, "false"}, {0, NULL}};
const cszi_choice cszi_core_optimizers[] = {{CSZ_OPTIMIZER_ADAMW, "adam"},
                                            {CSZ_OPTIMIZER_MOMENTUM, "sgd"},
                                            {CSZ_OPTIMIZER_MUON, "muon"},
                                            {CSZ_OPTIMIZER_LION, "lion"},
                                            {0, NULL}};

static void spread_recompute(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int64_t modules = (at->recompute == CSZ_RECOMPUTE_SELECTIVE ? CORE : 0) |
                      (at->norm ? NORMS : 0) | (at->activation ? ACTIVATIONS : 0) |
                      (at->latent ? LATENT : 0) | (at->mlp ? MLPS : 0) |
                      (at->experts ? MIXTURES : 0);
    if (at->recompute == CSZ_RECOMPUTE_FULL) {
        int all = at->recompute_layers == INT64_MAX;
        cszi_launch_put(l, CSZI_LAUNCH_KEPT, CSZI_CORE_FULL);
        cszi_launch_put(l, CSZI_LAUNCH_METHOD, all ? CSZI_CORE_UNIFORM : CSZI_CORE_BLOCK);
        cszi_launch_put(l, CSZI_LAUNCH_COVERED_LAYERS,
                        all ? 1 : (double)(at->recompute_layers / at->v));
    } else if (modules != 0) {
        cszi_launch_put(l, CSZI_LAUNCH_KEPT, CSZI_CORE_SELECTIVE);
        cszi_launch_put(l, CSZI_LAUNCH_MODULES, (double)modules);
    }
}

/* From gradients on, Megatron's own FSDP; the distributed optimizer below. */
static void spread_sharding(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int fsdp = at->sharding > CSZ_SHARDING_OPTIMIZER;
    cszi_launch_put(l, CSZI_LAUNCH_STATES_SHARED, at->sharding != CSZ_SHARDING_NONE);
    cszi_launch_put(l, CSZI_LAUNCH_FAMILY, fsdp ? CSZI_CORE_FSDP : 0);
    if (fsdp)
        cszi_launch_put(l, CSZI_LAUNCH_STRATEGY, (double)at->sharding);
}

static void spread_pipeline(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int v = at->schedule == CSZ_SCHEDULE_ZB_V && at->p > 1;
    cszi_launch_put(l, CSZI_LAUNCH_V, v);
    cszi_launch_put(l, CSZI_LAUNCH_CHUNKS, at->chunks[0] != '\0' || v ? 1 : (double)at->v);
    if (at->c > 1)
        cszi_launch_put(l, CSZI_LAUNCH_CONTEXT, (double)at->context_kind);
}

/* One queue keeps communication ahead of the kernels that hide it; FSDP needs more, and Blackwell
 * none of this (arguments.py, CUDA_DEVICE_MAX_CONNECTIONS). */
static void spread_connections(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int blackwell = strncmp(l->cluster->family, "blackwell", strlen("blackwell")) == 0;
    if ((at->t > 1 || at->c > 1) && at->sharding <= CSZ_SHARDING_OPTIMIZER && !blackwell)
        cszi_launch_put(l, CSZI_LAUNCH_CONNECTIONS, 1);
}

void cszi_core_spread(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    cszi_launch_spread_steps(l);
    spread_recompute(l);
    spread_sharding(l);
    spread_pipeline(l);
    spread_connections(l);
    cszi_launch_put(l, CSZI_LAUNCH_HOST_STATES, at->offload_optimizer > 0);
    if (at->offload_optimizer > 0)
        cszi_launch_put(l, CSZI_LAUNCH_SHARE, at->offload_optimizer);
    cszi_launch_put(l, CSZI_LAUNCH_HOST, at->offload_activations != 0);
    if (at->offload_activations)
        cszi_launch_put(l, CSZI_LAUNCH_HOST_LAYERS, (double)at->offload_layers);
}
