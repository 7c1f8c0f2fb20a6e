/* context.c: the kind of context parallelism, and the heads that its all-to-all needs: DeepSpeed-
 * Ulysses (Jacobs et al. 2023, arXiv 2309.14509, section 3.1), USP (Fang and Zhao 2024, arXiv
 * 2405.07719), and the argument checks of Transformer Engine. */
#include "plan/constraint.h"

/* Whether n ranks can share the heads of a tensor rank: each gets as many queries; of keys and
 * values as many, or, where the software repeats them, the same ones as others. */
static int divides(const cszi_check *k, const cszi_layer_kind *kind, int64_t n)
{
    int64_t t = k->at->t, heads = kind->heads / t,
            kv = (int64_t)cszi_kind_rank_kv_heads(kind, (double)t);
    if (!cszi_kind_has_scores(kind))
        return 1;
    return heads % n == 0 &&
           (kv % n == 0 || (k->at->stack->contexts >> CSZI_CONTEXT_REPEATS & 1 && n % kv == 0));
}

static int divides_all(const cszi_check *k, int64_t n)
{
    for (int64_t i = 0; i < k->workload->kinds_count; i++)
        if (!divides(k, &k->workload->kinds[i], n))
            return 0;
    return 1;
}

/* The largest all-to-all of at most `most` ranks that the heads allow, and that divides `whole`. */
static int64_t largest(const cszi_check *k, int64_t most, int64_t whole)
{
    while (most > 1 && (whole % most != 0 || !divides_all(k, most)))
        most--;
    return most;
}

static csz_status settle_ulysses(cszi_check *k)
{
    cszi_layout *at = k->at;
    at->context_inner = at->c;
    if (divides_all(k, at->c))
        return CSZ_OK;
    return CSZI_CONFLICT(k, CSZ_REASON_CONTEXT_HEADS, CSZ_PLAN_CONTEXT_PARALLEL,
                         "context_parallel: %lld with context_kind=ulysses does not divide the "
                         "heads of tensor_parallel=%lld on stack %s; choose %lld, or "
                         "context_kind=ring",
                         CSZI_LL(at->c), CSZI_LL(at->t), at->stack->id,
                         CSZI_LL(largest(k, at->c, 0)));
}

static csz_status settle_hierarchy(cszi_check *k)
{
    cszi_layout *at = k->at;
    int64_t domain = k->cluster->scale_up_domain / at->t, inner = k->plan->context_inner;
    int64_t fits = largest(k, domain < at->c ? domain : at->c, at->c);
    at->context_inner = inner != 0 ? inner : fits > 1 ? fits : 1;
    if (at->c % at->context_inner == 0 && divides_all(k, at->context_inner))
        return CSZ_OK;
    return CSZI_CONFLICT(k, CSZ_REASON_CONTEXT_HEADS, CSZ_PLAN_CONTEXT_INNER,
                         "context_inner: %lld does not divide context_parallel=%lld and the heads "
                         "of tensor_parallel=%lld on stack %s; choose %lld",
                         CSZI_LL(inner), CSZI_LL(at->c), CSZI_LL(at->t), at->stack->id,
                         CSZI_LL(largest(k, inner < at->c ? inner : at->c, at->c)));
}

csz_status cszi_settle_context(cszi_check *k)
{
    cszi_layout *at = k->at;
    at->context_kind = k->plan->context_kind;
    at->context_inner = 1;
    if (k->plan->context_inner != 0 && at->context_kind != CSZ_CONTEXT_KIND_HIERARCHICAL)
        return CSZI_CONFLICT(k, CSZ_REASON_CONTEXT_HEADS, CSZ_PLAN_CONTEXT_INNER,
                             "context_inner: %lld, but context_kind is not hierarchical",
                             CSZI_LL(k->plan->context_inner));
    if (at->c == 1)
        return CSZ_OK;
    if (at->context_kind == CSZ_CONTEXT_KIND_ULYSSES)
        return settle_ulysses(k);
    return at->context_kind == CSZ_CONTEXT_KIND_HIERARCHICAL ? settle_hierarchy(k) : CSZ_OK;
}
