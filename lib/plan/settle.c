/* settle.c: constraints between plan, workload and cluster. Sources: the argument checks of
 * Megatron-LM, Narayanan et al. 2021 section 2, Korthikanti et al. 2022 section 4, and the identity
 * accelerators = t x c x p x d, in which expert parallelism takes ranks instead of adding them. */
#include "plan/constraint.h"

#include "workload/parameters.h"
#include "plan/slots.h"

const cszi_stack *cszi_plan_stack(const cszi_plan *plan, const cszi_cluster *cluster)
{
    const char *id =
        plan->stack[0] != '\0' ? plan->stack : cszi_family_find(cluster->family)->stack;
    return cszi_stack_find(id);
}

static csz_status settle_degrees(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    int64_t n = k->cluster->accelerators, model;
    csz_status status;
    at->t = plan->tensor_parallel;
    at->p = plan->pipeline_parallel;
    at->v = plan->virtual_pipeline;
    status = cszi_settle_chunks(k);
    if (status != CSZ_OK)
        return status;
    at->c = plan->context_parallel;
    at->e = plan->expert_parallel;
    at->etp = plan->expert_tensor_parallel;
    at->sharding = plan->sharding;
    at->recompute = plan->recompute;
    at->sequence_parallel =
        CSZI_PLAN_SETS(plan, CSZ_PLAN_SEQUENCE_PARALLEL) ? plan->sequence_parallel : at->t > 1;
    model = at->t * at->p * at->c; /* each at most 65536: no overflow */
    if (model > n || (plan->data_parallel == 0 && n % model != 0))
        return CSZI_CONFLICT(
            k, CSZ_REASON_COUNT, CSZ_CLUSTER_ACCELERATORS,
            "accelerators: %lld is no multiple of tensor x pipeline x context parallel = %lld",
            CSZI_LL(n), CSZI_LL(model));
    at->d = plan->data_parallel != 0 ? plan->data_parallel : n / model;
    at->used = model * at->d;
    if (plan->data_parallel != 0 && at->used != n)
        return CSZI_CONFLICT(
            k, CSZ_REASON_COUNT, CSZ_PLAN_DATA_PARALLEL,
            "data_parallel: %lld x %lld of tensor, pipeline and context parallel is "
            "%lld, not the %lld "
            "accelerators",
            CSZI_LL(at->d), CSZI_LL(model), CSZI_LL(at->used), CSZI_LL(n));
    return CSZ_OK;
}

/* Recurrent mixers are cut along their heads or channels. */
static csz_status check_channels(cszi_check *k, const cszi_layer_kind *kind)
{
    int64_t t = k->at->t, cut = cszi_kind_channels(kind, k->workload->hidden);
    if (kind->attention == CSZ_ATTENTION_MAMBA2 || kind->attention == CSZ_ATTENTION_DELTA)
        cut = kind->state_heads;
    if (kind->attention == CSZ_ATTENTION_LIGHTNING)
        cut = kind->heads;
    if (cut % t == 0 && kind->key_heads % t == 0)
        return CSZ_OK;
    return CSZI_CONFLICT(
        k, CSZ_REASON_HEADS, CSZ_PLAN_TENSOR_PARALLEL,
        "tensor_parallel: %lld does not divide the %lld heads or channels of the mixer", CSZI_LL(t),
        CSZI_LL(cut % t != 0 ? cut : kind->key_heads));
}

static csz_status check_heads(cszi_check *k, const cszi_layer_kind *kind)
{
    int64_t t = k->at->t, kv = cszi_kind_kv_heads(kind);
    if (!cszi_kind_has_scores(kind))
        return check_channels(k, kind);
    if (kind->heads % t != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_HEADS, CSZ_PLAN_TENSOR_PARALLEL,
                             "tensor_parallel: %lld does not divide the %lld heads", CSZI_LL(t),
                             CSZI_LL(kind->heads));
    if (kind->attention == CSZ_ATTENTION_GROUPED && kv % t != 0 && t % kv != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_KV_HEADS, CSZ_PLAN_TENSOR_PARALLEL,
            "tensor_parallel: neither of %lld and the %lld key-value heads divides the other",
            CSZI_LL(t), CSZI_LL(kv));
    return CSZ_OK;
}

static csz_status check_widths(cszi_check *k, const cszi_layer_kind *kind)
{
    const cszi_layout *at = k->at;
    if (kind->ffn % at->t != 0 || kind->shared_ffn % at->t != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_FFN, CSZ_PLAN_TENSOR_PARALLEL,
                             "tensor_parallel: %lld does not divide ffn %lld", CSZI_LL(at->t),
                             CSZI_LL(kind->ffn % at->t != 0 ? kind->ffn : kind->shared_ffn));
    if (kind->experts == 0)
        return CSZ_OK;
    if (kind->expert_ffn % at->etp != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_EXPERT_FFN, CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
                             "expert_tensor_parallel: %lld does not divide expert_ffn %lld",
                             CSZI_LL(at->etp), CSZI_LL(kind->expert_ffn));
    if (kind->experts % at->e != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_EXPERTS, CSZ_PLAN_EXPERT_PARALLEL,
                             "expert_parallel: %lld does not divide the %lld experts",
                             CSZI_LL(at->e), CSZI_LL(kind->experts));
    return CSZ_OK;
}

static csz_status check_experts(cszi_check *k, int mixture)
{
    const cszi_layout *at = k->at;
    int64_t ranks = at->t * at->c * at->d;
    if (!mixture) {
        if (at->e == 1 && at->etp == 1)
            return CSZ_OK;
        return CSZI_CONFLICT(k, CSZ_REASON_NO_EXPERTS, CSZ_PLAN_EXPERT_PARALLEL,
                             "expert_parallel: %lld x %lld, but the model has no experts",
                             CSZI_LL(at->e), CSZI_LL(at->etp));
    }
    if (ranks % (at->e * at->etp) != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_EXPERT_GROUP, CSZ_PLAN_EXPERT_PARALLEL,
            "expert_parallel: %lld x expert_tensor_parallel %lld does not divide the "
            "%lld ranks of a stage",
            CSZI_LL(at->e), CSZI_LL(at->etp), CSZI_LL(ranks));
    if (at->t > 1 && at->e > 1 && !at->sequence_parallel)
        return CSZI_CONFLICT(
            k, CSZ_REASON_SEQUENCE_PARALLEL, CSZ_PLAN_SEQUENCE_PARALLEL,
            "sequence_parallel: needed when experts and tensors are both parallel");
    return CSZ_OK;
}

static csz_status check_model(cszi_check *k)
{
    const cszi_workload *w = k->workload;
    int mixture = 0;
    if (w->hidden % k->at->t != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_HIDDEN, CSZ_PLAN_TENSOR_PARALLEL,
                             "tensor_parallel: %lld does not divide hidden %lld", CSZI_LL(k->at->t),
                             CSZI_LL(w->hidden));
    for (int64_t i = 0; i < w->kinds_count; i++) {
        csz_status status = check_heads(k, &w->kinds[i]);
        if (status == CSZ_OK && w->kinds[i].width % k->at->t != 0)
            status = CSZI_CONFLICT(k, CSZ_REASON_HIDDEN, CSZ_PLAN_TENSOR_PARALLEL,
                                   "tensor_parallel: %lld does not divide width %lld",
                                   CSZI_LL(k->at->t), CSZI_LL(w->kinds[i].width));
        if (status == CSZ_OK)
            status = check_widths(k, &w->kinds[i]);
        if (status != CSZ_OK)
            return status;
        mixture |= w->kinds[i].experts != 0;
    }
    return check_experts(k, mixture);
}

static csz_status check_sequence(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->c > 1 && at->s % (2 * at->c) != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_CONTEXT, CSZ_PLAN_CONTEXT_PARALLEL,
            "context_parallel: 2 x %lld does not divide the sequence of %lld tokens",
            CSZI_LL(at->c), CSZI_LL(at->s));
    if (at->sequence_parallel && at->t > 1 && at->s / at->c % at->t != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_SEQUENCE, CSZ_PLAN_TENSOR_PARALLEL,
            "tensor_parallel: %lld does not divide the %lld tokens of a rank's sequence part",
            CSZI_LL(at->t), CSZI_LL(at->s / at->c));
    return CSZ_OK;
}

static csz_status settle_batch(cszi_check *k)
{
    cszi_layout *at = k->at;
    at->s = k->batching->sequence;
    at->batch = k->batching->sequences;
    at->b = k->plan->micro_batch;
    if (at->batch % (at->d * at->b) != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_BATCH, CSZ_PLAN_MICRO_BATCH,
            "global batch: %lld sequences are no multiple of data_parallel %lld x micro_batch %lld",
            CSZI_LL(at->batch), CSZI_LL(at->d), CSZI_LL(at->b));
    at->m = at->batch / (at->d * at->b);
    return CSZ_OK;
}

csz_status cszi_plan_settle(const cszi_plan *plan, const cszi_workload *workload,
                            const cszi_cluster *cluster, const cszi_batching *batching,
                            cszi_layout *layout, csz_reason *reason, cszi_error *error)
{
    cszi_check k = {plan, workload, cluster, batching, layout, reason, error};
    csz_status (*const steps[])(cszi_check *) = {
        cszi_settle_stack, settle_degrees,      check_model,          settle_batch,
        check_sequence,    cszi_settle_context, cszi_settle_pipeline, cszi_settle_software};
    *reason = CSZ_REASON_NONE;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        csz_status status = steps[i](&k);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}
