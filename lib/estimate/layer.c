/* layer.c: the kernels and the traffic of one layer. */
#include "estimate/layer.h"

#include <math.h>

#include "estimate/flops.h"

/* Score products whose head size is no multiple of 8 miss the matrix units: 0.07 of their rate on
 * nine public runs with heads of 108, 150 and 450. */
#define UNALIGNED 0.07

typedef struct layer {
    const cszi_case *c;
    const cszi_rates *r;
    const cszi_layer_kind *k;
    double tokens; /* of a micro-batch on a rank: s b / c */
    double t;
    double h;
    double expert_width;
    double load;  /* cszi_case_expert_load */
    double again; /* forward time of the modules that the plan computes again by themselves */
} layer;

/* ---- Matrix products ---- */

static cszi_product product_of(const layer *l, const cszi_matrix *m)
{
    const cszi_layout *at = &l->c->layout;
    double share = l->k->token_share,
           tokens = m->cross ? l->tokens * (1 - share) / share : l->tokens;
    cszi_product p = {tokens, (double)m->out, (double)m->in, 1,
                      tokens, l->r->matrix,   l->r->operand, l->r->narrow};
    if (m->part == CSZI_PART_EXPERT) {
        /* Tokens of a rank, gathered over expert tensor ranks, spread over the experts of its
         * group. */
        double held = l->tokens * (double)at->etp / l->t, etp = (double)at->etp;
        p.copies = (double)m->copies / (double)at->e;
        p.m = held * (double)m->active * l->load;
        p.per = p.m / p.copies;
        p.rate *= l->c->stack->grouped_share;
        if (m->split == CSZI_SPLIT_COLUMN)
            p.n /= etp;
        else
            p.k /= etp;
    } else if (m->split == CSZI_SPLIT_COLUMN) {
        p.n /= l->t;
    } else if (m->split == CSZI_SPLIT_ROW) {
        p.k /= l->t;
    } else if (l->c->layout.sequence_parallel) {
        p.m /= l->t;
        p.per /= l->t;
    }
    return p;
}

static void add_product(const layer *l, const cszi_product *p, int trained, double n,
                        cszi_layer_time *time)
{
    time->forward.matrices += n * cszi_product_forward(l->r, p);
    time->backward.matrices += n * cszi_product_backward(l->r, p, trained);
}

/* The two skinny products of an adapter. Queries and values have one each: two of half of what they
 * write together. */
static void add_adapter(const layer *l, const cszi_matrix *m, cszi_product p, cszi_layer_time *time)
{
    int pair = l->c->workload->lora_targets == CSZ_LORA_TARGETS_QUERY_VALUE;
    double rank = (double)l->c->workload->lora_rank, copies = pair ? 2 : 1,
           n = pair ? p.n * (double)m->adapted / (double)m->out / 2 : p.n;
    p.rate = l->r->wide;
    p.operand = l->r->byte;
    p.narrow = 0;
    p.n = rank;
    add_product(l, &p, 1, copies, time);
    p.n = n;
    p.k = rank;
    add_product(l, &p, 1, copies, time);
}

/* A custom layer: its FLOPs at the rate of large products. */
static void add_custom(const layer *l, int trained, cszi_layer_time *time)
{
    double once = l->tokens * cszi_custom_flops(l->k) / l->t / l->r->matrix;
    time->forward.matrices += l->r->launch + once;
    time->backward.matrices += 2 * l->r->launch + (trained ? 2 : 1) * once;
}

static void add_matrices(layer *l, cszi_layer_time *time)
{
    cszi_matrix matrices[CSZI_MATRICES];
    size_t count = cszi_kind_matrices(l->k, l->c->workload->hidden, matrices);
    int trained = !cszi_is_adapter_job(l->c->workload);
    for (size_t i = 0; i < count; i++) {
        cszi_product p = product_of(l, &matrices[i]);
        double before = time->forward.matrices;
        add_product(l, &p, trained, 1, time);
        if (!trained && cszi_matrix_is_target(l->c->workload, &matrices[i]))
            add_adapter(l, &matrices[i], p, time);
        l->again +=
            cszi_matrix_again(&l->c->layout, l->k, matrices, i) * (time->forward.matrices - before);
    }
    if (l->k->attention == CSZ_ATTENTION_CUSTOM)
        add_custom(l, trained, time);
}

/* ---- Attention core ---- */

/* Tokens of the other side that cross-attention looks at. */
static double other_side(const layer *l)
{
    return l->k->cross_attention ? (1 - l->k->token_share) * (double)l->c->layout.s : 0;
}

/* Queries and results of the rank's tokens, keys and values of the whole sequence. */
static double core_bytes(const layer *l, double heads, double dims)
{
    double kv = cszi_kind_rank_kv_heads(l->k, l->t) * (double)l->c->layout.c;
    return l->r->byte * l->tokens * (heads + kv) * dims;
}

/* Fused: 2 T context a (d_qk + d_v) / t forward, 2.5 times that backward (scores are computed
 * again; Dao 2023). The exponential of a score runs on a unit of its own and weighs as much as the
 * products over some more dimensions (Shah et al. 2024, section 3.1), as far as it is exposed. */
static void add_fused(const layer *l, double heads, double dims, cszi_layer_time *time)
{
    double context = cszi_mean_context(l->c->workload, l->k, l->c->layout.s, 0) + other_side(l);
    double work = 2 * l->tokens * context * heads;
    time->forward.attention = l->r->launch + work * (dims + l->r->softmax) / l->r->attention;
    time->backward.attention =
        l->r->launch + work * (2.5 * dims + l->r->softmax) / l->r->attention_back;
    time->core =
        (cszi_work){work * dims, core_bytes(l, heads, dims), l->r->launch, time->forward.attention};
}

/* Unfused: products over the full square, and 13 and 17 bytes a score through memory. */
static void add_unfused(const layer *l, double heads, double dims, cszi_layer_time *time)
{
    double s = (double)l->c->layout.s * l->k->token_share + other_side(l);
    double d = dims / 2, g = d / (d + l->r->half_size);
    double aligned = fmod(d, 8) > 0 ? UNALIGNED : 1;
    double flops = 2 * l->tokens * s * heads * dims, work = flops / (l->r->wide * g * aligned);
    double scores = l->tokens * s * heads / l->r->memory;
    time->forward.attention = 2 * l->r->launch + work + 13 * scores;
    time->backward.attention = 4 * l->r->launch + 2 * work + 17 * scores;
    time->core =
        (cszi_work){flops, 13 * scores * l->r->memory, 2 * l->r->launch, time->forward.attention};
}

/* A recurrence: its FLOPs at the rate of the attention kernel, or its channels in and out of memory
 * twice, times what its chunks write and read besides; backward as for fused attention. Fitted on
 * Mamba-2 (Nemotron-H and Nemotron 3). */
static void add_recurrence(const layer *l, cszi_layer_time *time)
{
    int64_t hidden = l->c->workload->hidden;
    double flops = l->tokens * cszi_recurrent_flops(l->k, hidden) / l->t;
    double bytes = l->c->stack->recurrent * 4 * l->r->byte * l->tokens *
                   (double)cszi_kind_channels(l->k, hidden) / l->t;
    double once = fmax(flops / l->r->attention, bytes / l->r->memory);
    time->forward.attention = 2 * l->r->launch + once;
    time->backward.attention = 4 * l->r->launch + 2.5 * once;
    time->core = (cszi_work){flops, bytes, 2 * l->r->launch, time->forward.attention};
}

static void add_attention(const layer *l, cszi_layer_time *time)
{
    int64_t hidden = l->c->workload->hidden;
    double heads = (double)l->k->heads / l->t;
    double dims = (double)(cszi_kind_query_dim(l->k, hidden) + cszi_kind_value_dim(l->k, hidden));
    if (l->k->attention == CSZ_ATTENTION_NONE || l->k->attention == CSZ_ATTENTION_CUSTOM)
        return;
    if (!cszi_kind_has_scores(l->k))
        add_recurrence(l, time);
    else if (l->c->layout.flash)
        add_fused(l, heads, dims, time);
    else
        add_unfused(l, heads, dims, time);
}

/* ---- Memory-bound work ---- */

/* Bytes a token of norms, residuals, rotary and activation function, times what the stack leaves
 * unfused. Experts with biases add them, and clamp what they gate, in kernels of their own. */
static double pointwise_time(const layer *l, double bytes)
{
    return l->c->stack->pointwise * bytes * l->tokens / l->r->memory;
}

/* Of that, what recomputed modules do again: two norms read and write h each, an activation
 * function its inputs and output; one kernel each. A module done again as a whole has its
 * activation function in it. */
static void add_pointwise_again(layer *l, double norms, double dense, double experts)
{
    const cszi_layout *at = &l->c->layout;
    if (at->recompute == CSZ_RECOMPUTE_OPERATIONS)
        return;
    if (at->norm)
        l->again += 2 * l->r->launch + pointwise_time(l, norms);
    if (dense > 0 && (at->mlp || at->activation))
        l->again += l->r->launch + pointwise_time(l, dense);
    if (experts > 0 && (at->experts || at->activation))
        l->again += l->r->launch + pointwise_time(l, experts);
}

static void add_pointwise(layer *l, cszi_layer_time *time)
{
    const cszi_layer_kind *k = l->k;
    double d = (double)cszi_kind_query_dim(k, l->c->workload->hidden),
           along = l->c->layout.sequence_parallel ? l->t : 1;
    double gate = k->gated_mlp ? 2 : 1, kv = (double)cszi_kind_kv_heads(k);
    double routed =
        (double)k->shared_ffn + l->load * (double)(k->experts_per_token * k->expert_ffn);
    double mixed = k->attention == CSZ_ATTENTION_NONE || k->attention == CSZ_ATTENTION_CUSTOM ? 0
                   : cszi_kind_has_scores(k)
                       ? ((double)k->heads + kv) * d
                       : 2 * (double)cszi_kind_channels(k, l->c->workload->hidden);
    double norms = 8 * l->h / along, residuals = 12 * l->h / along;
    double dense = (2 * gate + 2) * (double)k->ffn / l->t, experts = (2 * gate + 2) * routed / l->t;
    double flops, once, launches;
    if (k->expert_bias)
        experts *= l->c->stack->biased_experts;
    /* norm 4 an element, residual 1, rotation 3, activation function 2, gate 1 */
    flops =
        (8 + 2) * l->h / along + 3 * mixed / l->t + (1 + gate) * ((double)k->ffn + routed) / l->t;
    once = pointwise_time(l, norms + residuals + 4 * mixed / l->t + dense + experts);
    launches = l->c->stack->kernels * l->r->launch;
    time->forward.pointwise = launches + once;
    time->backward.pointwise = 2 * launches + 2 * once;
    time->elements =
        (cszi_work){flops * l->tokens, once * l->r->memory, launches, time->forward.pointwise};
    add_pointwise_again(l, norms, dense, experts);
}

/* ---- Traffic ---- */

/* Two collectives each way of 2 T h bytes, as gather and scatter or all-reduce: 2 x 2 T h (t - 1) /
 * t on the wire each. */
static void add_tensor_traffic(const layer *l, cszi_layer_time *time)
{
    const cszi_stack *s = l->c->stack;
    double wire, one;
    if (l->c->layout.t == 1)
        return;
    wire = 2 * l->r->byte * l->tokens * l->h * (l->t - 1) / l->t;
    one = s->exposed_tensor * (2 * l->r->latency_in + wire / cszi_group_bandwidth(l->r, 1, l->t));
    time->forward.tensor = 2 * one;
    time->backward.tensor = 2 * one;
}

/* Keys and values that a rank hands on: where an all-to-all shares fewer heads than it has ranks,
 * each of those holds one. */
static double context_heads(const layer *l, double inner)
{
    return fmax(cszi_kind_rank_kv_heads(l->k, l->t), inner);
}

/* Ring of keys and values over c / inner ranks, each part 2 bytes x tokens x kv (d_qk + d_v), and
 * with their gradients twice that backward; hidden behind the attention core as far as it goes (Liu
 * et al. 2023, arXiv 2310.01889). */
static void add_ring(const layer *l, double inner, double d, cszi_layer_time *time)
{
    const cszi_stack *s = l->c->stack;
    double c = (double)l->c->layout.c / inner;
    double once = l->r->byte * context_heads(l, inner) * d * l->tokens * (c - 1) /
                  cszi_group_bandwidth(l->r, l->t * inner, c);
    time->forward.context += fmax(s->exposed_context * once, once - time->forward.attention);
    time->backward.context +=
        fmax(s->exposed_context * 2 * once, 2 * once - time->backward.attention);
}

/* The same bytes gathered before the core, which waits for them; backward gathered again, and their
 * gradients scattered (Llama 3, arXiv 2407.21783, section 3.3.2). */
static void add_gathered_context(const layer *l, double d, cszi_layer_time *time)
{
    double c = (double)l->c->layout.c, domains = cszi_group_domains(l->r, l->t, c);
    double once = l->r->latency_in + (domains > 1 ? l->r->latency_out * domains : 0) +
                  l->r->byte * context_heads(l, 1) * d * l->tokens * (c - 1) /
                      cszi_group_bandwidth(l->r, l->t, c);
    time->forward.context += once;
    time->backward.context += 2 * once;
}

/* One all-to-all of n ranks: of the bytes that a rank holds, what it sends within the domain at the
 * link's rate, the rest at the network's, the larger of both. */
static double heads_time(const layer *l, double bytes, double n)
{
    double local = fmax(1, fmin(n, floor(l->r->domain / l->t)));
    return l->r->latency_in + fmax(bytes * (local - 1) / n / l->r->link_expert,
                                   local < n ? bytes * (n - local) / n / l->r->nic_expert : 0);
}

/* Ulysses: all-to-alls of queries, keys and values before the core and of its output after it, none
 * of them hidden; backward those of the gradients (Jacobs et al. 2023, arXiv 2309.14509,
 * section 3.2). */
static void add_exchange(const layer *l, double inner, cszi_layer_time *time)
{
    int64_t hidden = l->c->workload->hidden;
    double q = (double)cszi_kind_query_dim(l->k, hidden),
           v = (double)cszi_kind_value_dim(l->k, hidden);
    double heads = (double)l->k->heads / l->t, kv = context_heads(l, inner),
           values = l->r->byte * l->tokens;
    double once = heads_time(l, values * heads * q, inner) + heads_time(l, values * kv * q, inner) +
                  heads_time(l, values * kv * v, inner) + heads_time(l, values * heads * v, inner);
    time->forward.context += once;
    time->backward.context += once;
}

/* A hierarchy exchanges heads inside and passes keys and values around a ring across (Fang and Zhao
 * 2024, arXiv 2405.07719). */
static void add_context_traffic(const layer *l, cszi_layer_time *time)
{
    const cszi_layout *at = &l->c->layout;
    double inner = (double)at->context_inner, d;
    if (at->c == 1 || !cszi_kind_has_scores(l->k))
        return;
    d = (double)(cszi_kind_query_dim(l->k, l->c->workload->hidden) +
                 cszi_kind_value_dim(l->k, l->c->workload->hidden));
    if (at->context_kind == CSZ_CONTEXT_KIND_ALL_GATHER) {
        add_gathered_context(l, d, time);
        return;
    }
    if (at->context_inner < at->c)
        add_ring(l, inner, d, time);
    if (at->context_inner > 1)
        add_exchange(l, inner, time);
}

/* Bytes that one rank sends over links and over the network, of tokens of `token` bytes in all. */
typedef struct exchange {
    double inside, outside;
} exchange;

/* A copy for each expert chosen, of which (e - 1) / e leave the rank. */
static exchange copies_each(double token, double topk, double e, double local)
{
    return (exchange){token * topk * (local - 1) / e, token * topk * (e - local) / e};
}

/* A copy for each other domain that a token needs, and there for each rank: of n bins that k
 * choices fall into at random, n (1 - (1 - 1/n)^k) are hit. */
static double bins_hit(double n, double k)
{
    return n * (1 - pow(1 - 1 / n, k));
}

static exchange copies_once(double token, double topk, double e, double local, double reach)
{
    double domains = e / local;
    return (exchange){token * bins_hit(reach * local, topk) * (e - 1) / e,
                      token * bins_hit(reach, topk) * (domains - 1) / domains};
}

/* Of so many domains, those where a token's experts may lie: a router that chooses g of its groups
 * first keeps to their part, or to those that g groups fall into. */
static double domains_reached(const cszi_layer_kind *k, double domains)
{
    double groups = (double)k->router_groups, chosen = (double)k->router_groups_chosen;
    if (chosen <= 0 || chosen >= groups)
        return domains;
    return domains >= groups ? domains * chosen / groups : bins_hit(domains, chosen);
}

/* Messages over the network: one to each peer, or one a token where each finds its own way. */
static double messages(const layer *l, double outside, double peers)
{
    return l->c->layout.dispatch == CSZ_EXPERT_DISPATCH_DEDUPLICATED
               ? outside / (l->r->byte * l->expert_width)
               : peers;
}

/* Every token to every rank, or back: a ring, which no imbalance stretches. */
static double gather_tokens(const layer *l, double tokens)
{
    double e = (double)l->c->layout.e, etp = (double)l->c->layout.etp;
    double domains = cszi_group_domains(l->r, etp, e);
    return l->r->latency_in + (domains > 1 ? l->r->latency_out * domains : 0) +
           l->r->byte * l->expert_width * tokens / l->load * (e - 1) /
               cszi_group_bandwidth(l->r, etp, e);
}

/* Dispatch or combine: what stays in the domain at link rate, the rest at the network's, the larger
 * of both. */
static double exchange_time(const layer *l, double tokens)
{
    const cszi_layout *at = &l->c->layout;
    double e = (double)at->e, local = fmax(1, fmin(e, floor(l->r->domain / (double)at->etp)));
    double token = l->r->byte * l->expert_width * tokens, topk = (double)l->k->experts_per_token,
           outside = 0;
    exchange x;
    if (at->dispatch == CSZ_EXPERT_DISPATCH_ALL_GATHER)
        return gather_tokens(l, tokens);
    x = at->dispatch == CSZ_EXPERT_DISPATCH_ALL_TO_ALL
            ? copies_each(token, topk, e, local)
            : copies_once(token, topk, e, local, domains_reached(l->k, e / local));
    if (local < e)
        outside = l->r->latency_out + x.outside / l->r->nic_expert +
                  l->r->message * messages(l, x.outside, e - local);
    return l->r->latency_in + fmax(x.inside / l->r->link_expert, outside);
}

/* What the plan does not hide of it behind the computation of another micro-batch. */
static double exposed_exchange(const layer *l, double tokens, const cszi_pass *pass)
{
    const cszi_layout *at = &l->c->layout;
    double compute = pass->matrices + pass->attention + pass->pointwise;
    double all = at->e > 1 ? 2 * exchange_time(l, tokens) : 0;
    double least = l->c->stack->exposed_expert * all;
    return at->overlap ? fmax(0, least - compute) : least;
}

static void add_expert_traffic(layer *l, cszi_layer_time *time)
{
    const cszi_stack *s = l->c->stack;
    const cszi_layout *at = &l->c->layout;
    double etp = (double)at->etp, tokens = l->tokens / l->t * l->load, routed, permute, way = 0;
    if (l->k->experts == 0)
        return;
    routed = (double)l->k->experts_per_token * l->expert_width * tokens;
    permute = s->moe_pointwise * l->r->byte * routed * etp / l->r->memory;
    if (at->etp > 1) /* gather and scatter of the routed tokens */
        way += 2 * (l->r->latency_in +
                    l->r->byte * routed * (etp - 1) / cszi_group_bandwidth(l->r, 1, etp));
    time->forward.expert = way + permute + exposed_exchange(l, tokens, &time->forward);
    time->backward.expert = way + 2 * permute + exposed_exchange(l, tokens, &time->backward);
    if (at->experts && at->recompute != CSZ_RECOMPUTE_OPERATIONS)
        l->again += time->forward.expert;
}

/* ---- The layer ---- */

/* Launches: a third of them forward, and again where the forward pass is done again. */
static double host_time(const layer *l, const cszi_passes *passes, int covered)
{
    const cszi_stack *s = l->c->stack;
    double thirds = passes->forward + (covered ? 3 : 2) * passes->backward;
    int waits = l->k->experts > 0 && l->c->layout.capacity <= 0; /* for counts of tokens */
    double mixture = waits ? s->host_moe : 0;
    return (s->host_layer + mixture) * thirds / 3;
}

static void scale_pass(cszi_pass *pass, double n)
{
    pass->matrices *= n;
    pass->attention *= n;
    pass->pointwise *= n;
    pass->tensor *= n;
    pass->context *= n;
    pass->expert *= n;
}

/* What a layer does again that full recomputation does not cover. A selective checkpoint of
 * operations keeps attention, routed tokens and what a scatter gave: the rest is done again. */
static double partly_again(const layer *l, const cszi_layer_time *time)
{
    switch ((csz_recompute)l->c->layout.recompute) {
    case CSZ_RECOMPUTE_OPERATIONS:
        return l->again + time->forward.pointwise + time->forward.tensor / 2;
    case CSZ_RECOMPUTE_SELECTIVE:
        return l->again + time->forward.attention;
    case CSZ_RECOMPUTE_NONE:
    case CSZ_RECOMPUTE_FULL:
    case CSZ_RECOMPUTE_MAX_ENUM:
        break;
    }
    return l->again;
}

/* Recomputation, the passes of other models, and what the host adds. */
static void finish(const layer *l, cszi_layer_time *time)
{
    const cszi_layout *at = &l->c->layout;
    const cszi_passes passes = cszi_method_passes(l->c->workload);
    int full = at->recompute == CSZ_RECOMPUTE_FULL, all = at->recompute_layers == INT64_MAX;
    double device;
    time->recompute[1] = passes.backward * cszi_pass_sum(&time->forward);
    time->recompute[0] = passes.backward * partly_again(l, time);
    scale_pass(&time->forward, passes.forward);
    scale_pass(&time->backward, passes.backward);
    device = cszi_pass_sum(&time->forward) + cszi_pass_sum(&time->backward);
    for (int covered = 0; covered < 2; covered++)
        time->host[covered] =
            fmax(0, host_time(l, &passes, covered) - device - time->recompute[covered]);
    time->total = device + time->recompute[full && all] + time->host[full && all];
}

static layer layer_of(const cszi_case *c, const cszi_rates *r, const cszi_layer_kind *kind)
{
    const cszi_layout *at = &c->layout;
    layer l = {c,
               r,
               kind,
               (double)at->s * (double)at->b / (double)at->c * kind->token_share,
               (double)at->t,
               (double)cszi_kind_width(kind, c->workload->hidden),
               (double)cszi_kind_expert_width(kind, c->workload->hidden),
               cszi_case_expert_load(c),
               0};
    return l;
}

cszi_product cszi_layer_product(const cszi_case *c, const cszi_rates *r,
                                const cszi_layer_kind *kind, const cszi_matrix *matrix)
{
    layer l = layer_of(c, r, kind);
    return product_of(&l, matrix);
}

void cszi_layer_time_of(const cszi_case *c, const cszi_rates *r, const cszi_layer_kind *kind,
                        cszi_layer_time *time)
{
    layer l = layer_of(c, r, kind);
    *time = (cszi_layer_time){{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0}, {0, 0}, 0,
                              {0, 0, 0, 0},       {0, 0, 0, 0}};
    add_matrices(&l, time);
    add_attention(&l, time);
    add_pointwise(&l, time);
    add_tensor_traffic(&l, time);
    add_context_traffic(&l, time);
    add_expert_traffic(&l, time);
    finish(&l, time);
}
