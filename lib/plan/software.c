/* software.c: what a plan asks of its training software, and what that software settles by itself.
 * Sources: the documentation named in the rows of the stack table. */
#include "plan/constraint.h"

static const char *choice_name(const cszi_table *table, csz_field field, int64_t value)
{
    return cszi_field_choice_name(cszi_table_row(table, field), value);
}

csz_status cszi_settle_stack(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    at->stack = cszi_plan_stack(plan, k->cluster);
    at->stack_named = plan->stack[0] != '\0';
    if (at->stack == NULL)
        return cszi_fail(k->error, CSZ_ERR_UNKNOWN, CSZ_PLAN_STACK,
                         "stack: '%s' is no row of the stack table", plan->stack);
    at->flash =
        cszi_plan_has(plan, CSZ_PLAN_ATTENTION_KERNEL) ? plan->attention_kernel : at->stack->flash;
    at->loss = cszi_plan_has(plan, CSZ_PLAN_LOSS_KERNEL) ? plan->loss_kernel : at->stack->loss;
    if (plan->pipeline_parallel > 1 && !at->stack->pipeline)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_PIPELINE_PARALLEL,
                             "pipeline_parallel: %lld, but stack %s has no pipeline",
                             CSZI_LL(plan->pipeline_parallel), at->stack->id);
    if (plan->sharding > at->stack->sharding_max)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_SHARDING,
                             "sharding: stack %s has no ZeRO-%lld", at->stack->id,
                             CSZI_LL(plan->sharding));
    if (plan->sharding >= at->stack->pipeline_sharding && plan->pipeline_parallel > 1)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_SHARDING,
                             "sharding: stack %s has no %s together with pipeline_parallel %lld",
                             at->stack->id,
                             choice_name(&cszi_plan_table, CSZ_PLAN_SHARDING, plan->sharding),
                             CSZI_LL(plan->pipeline_parallel));
    if (!(at->stack->optimizers >> k->workload->optimizer & 1))
        return CSZI_CONFLICT(
            k, CSZ_REASON_OPTIMIZER, CSZ_WORKLOAD_OPTIMIZER, "optimizer: stack %s has no %s",
            at->stack->id,
            choice_name(&cszi_workload_table, CSZ_WORKLOAD_OPTIMIZER, k->workload->optimizer));
    return CSZ_OK;
}

/* ---- Recomputation ---- */

static csz_status settle_recompute(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    int full = plan->recompute == CSZ_RECOMPUTE_FULL;
    if (plan->recompute == CSZ_RECOMPUTE_OPERATIONS && !at->stack->operations)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_RECOMPUTE,
                             "recompute: stack %s cannot choose single operations; none, selective "
                             "or full",
                             at->stack->id);
    at->recompute_layers = plan->recompute_layers != 0 ? plan->recompute_layers : INT64_MAX;
    at->norm = plan->recompute_norm;
    at->activation = plan->recompute_activation;
    at->latent = plan->recompute_latent;
    at->mlp = plan->recompute_mlp;
    at->experts = plan->recompute_experts;
    if (plan->recompute_layers != 0 && !full)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_RECOMPUTE_LAYERS,
                             "recompute_layers: %lld, but recompute is not full",
                             CSZI_LL(plan->recompute_layers));
    return CSZ_OK;
}

/* ---- Sharded states ---- */

static csz_status settle_shards(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    int64_t ranks = cszi_layout_dense_shards(at);
    at->group = plan->shard_group != 0 ? plan->shard_group : ranks;
    /* Weights of one micro-batch after the other are not gathered anew in a pipeline. */
    at->reshard = cszi_plan_has(plan, CSZ_PLAN_RESHARD) ? plan->reshard : at->p == 1;
    if (at->sharding == CSZ_SHARDING_GRADIENTS && at->stack->gathers_once) {
        at->sharding = CSZ_SHARDING_PARAMETERS;
        at->reshard = 0;
    }
    at->gathered = 1 + (cszi_plan_has(plan, CSZ_PLAN_PREFETCH) ? plan->prefetch
                                                               : (int64_t)at->stack->prefetch);
    at->bucket = cszi_plan_has(plan, CSZ_PLAN_BUCKET) ? plan->bucket : at->stack->bucket_bytes;
    at->expandable = plan->expandable_segments;
    at->in_place = cszi_plan_has(plan, CSZ_PLAN_OPTIMIZER_FUSED)
                       ? plan->optimizer_fused
                       : at->stack->optimizer_temporary <= 0;
    if (plan->shard_group != 0 && at->sharding == CSZ_SHARDING_NONE)
        return CSZI_CONFLICT(k, CSZ_REASON_SHARD_GROUP, CSZ_PLAN_SHARD_GROUP,
                             "shard_group: %lld, but sharding is none", CSZI_LL(plan->shard_group));
    if (ranks % at->group != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_SHARD_GROUP, CSZ_PLAN_SHARD_GROUP,
            "shard_group: %lld does not divide the %lld data-parallel and context ranks",
            CSZI_LL(at->group), CSZI_LL(ranks));
    return CSZ_OK;
}

/* Gradients that are gone after their layer can be neither accumulated nor kept for a norm. */
static csz_status settle_release(cszi_check *k)
{
    cszi_layout *at = k->at;
    at->release = k->plan->gradient_release;
    if (at->release && !at->stack->release)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
                             "gradient_release: stack %s has no optimizer inside the backward pass",
                             at->stack->id);
    if (at->release && at->m > 1)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
                             "gradient_release: %lld micro-batches a step; gradients that are "
                             "accumulated cannot be released, one is needed",
                             CSZI_LL(at->m));
    return CSZ_OK;
}

/* ---- Offload ---- */

static csz_status check_offload(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->stack->offload == 0)
        return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_OPTIMIZER,
                             "offload: stack %s has none", at->stack->id);
    if (at->offload_parameters && at->sharding != CSZ_SHARDING_PARAMETERS)
        return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_PARAMETERS,
                             "offload_parameters: yes, but sharding is not parameters");
    if (at->nvme && at->stack->offload < 2)
        return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_TARGET,
                             "offload_target: stack %s offloads to the host only", at->stack->id);
    if (at->nvme && at->offload_optimizer <= 0 && !at->offload_parameters)
        return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_TARGET,
                             "offload_target: nvme, but neither offload_optimizer nor "
                             "offload_parameters is set");
    return CSZ_OK;
}

static csz_status settle_offload(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    at->offload_optimizer = plan->offload_optimizer;
    at->offload_parameters = plan->offload_parameters;
    at->offload_activations = plan->offload_activations;
    at->nvme = plan->offload_target == CSZ_OFFLOAD_TARGET_NVME;
    if (at->offload_optimizer <= 0 && !at->offload_parameters && !at->offload_activations &&
        !at->nvme)
        return CSZ_OK;
    return check_offload(k);
}

csz_status cszi_settle_software(cszi_check *k)
{
    csz_status (*const steps[])(cszi_check *) = {settle_recompute, settle_shards, settle_release,
                                                 settle_offload};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        csz_status status = steps[i](k);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}
