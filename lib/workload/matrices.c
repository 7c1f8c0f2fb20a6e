/* matrices.c: the shapes of a transformer layer (modelling of each block: Vaswani et al. 2017;
 * grouped queries: Ainslie et al. 2023; latent attention: DeepSeek-V2, arXiv 2405.04434,
 * section 2.1; experts: Fedus et al. 2022). */
#include "workload/matrices.h"

typedef struct list {
    cszi_matrix *at;
    size_t count;
} list;

static void add(list *l, cszi_part part, cszi_split split, int64_t in, int64_t out, int64_t bias)
{
    cszi_matrix m = {part, split, in, out, bias, 1, 1, 0, 0};
    l->at[l->count++] = m;
}

static void add_grouped(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t d = cszi_kind_head_dim(k, h), q = k->heads * d, kv = 2 * cszi_kind_kv_heads(k) * d;
    int64_t queries = k->query_gate ? 2 * q : q;
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, queries + kv, k->qkv_bias ? q + kv : 0);
    l->at[l->count - 1].adapted = queries + kv / 2;
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, q, h, k->attention_bias ? h : 0);
    if (!k->cross_attention)
        return;
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, q, k->qkv_bias ? q : 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, kv, k->qkv_bias ? kv : 0);
    l->at[l->count - 1].cross = 1;
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, q, h, k->attention_bias ? h : 0);
}

/* Mamba (Gu and Dao 2023, arXiv 2312.00752, section 3.4): in, convolution, A and D of each channel,
 * the projection to time step, B and C, the time step, out. */
static void add_mamba(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t inner = k->state_inner, n = k->state_size;
    int64_t channel = k->convolution + (k->convolution_bias != 0) + n + 1;
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, 2 * inner, inner * channel);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, inner, k->state_rank + 2 * n, 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, k->state_rank, inner, inner);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, inner, h, 0);
}

/* Mamba-2 (Dao and Gu 2024, arXiv 2405.21060, section 7): gate, x, B, C and time step at once;
 * convolution over x, B and C; A, D and bias of each head; a norm before out. */
static void add_mamba2(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t inner = cszi_kind_channels(k, h), shared = 2 * k->state_groups * k->state_size;
    int64_t taps = k->convolution + (k->convolution_bias != 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, 2 * inner + shared + k->state_heads,
        (inner + shared) * taps + 3 * k->state_heads + inner);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, inner, h, 0);
}

/* Gated delta net (Yang et al. 2024, arXiv 2412.06464): queries, keys, values and gate; two scalars
 * a value head; convolution over queries, keys and values; A and bias of each head. */
static void add_delta(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t keys = k->key_heads * k->key_dim, values = cszi_kind_channels(k, h);
    int64_t taps = k->convolution + (k->convolution_bias != 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, 2 * keys + 2 * values,
        (2 * keys + values) * taps + 2 * k->state_heads);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, 2 * k->state_heads, 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, values, h, 0);
}

/* Lightning attention (MiniMax-01, arXiv 2501.08313, section 2.2): queries, keys, values and an
 * output gate, a norm on the heads' output. */
static void add_lightning(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t width = cszi_kind_channels(k, h);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, 4 * width, width);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, width, h, 0);
}

/* Gated short convolution (LFM2): two gates and the input, out. */
static void add_convolution(list *l, const cszi_layer_kind *k, int64_t h)
{
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, 3 * h,
        h * (k->convolution + (k->convolution_bias != 0)));
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, h, h, 0);
}

/* The down-projections to the ranks are small and every tensor rank holds them. */
static void add_latent(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t q = k->heads * (k->nope_dim + k->rope_dim);
    if (k->query_rank != 0) {
        add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_NONE, h, k->query_rank,
            k->qkv_bias ? k->query_rank : 0);
        add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, k->query_rank, q, 0);
    } else {
        add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, q, 0);
    }
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_NONE, h, k->kv_rank + k->rope_dim,
        k->qkv_bias ? k->kv_rank + k->rope_dim : 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, k->kv_rank,
        k->heads * (k->nope_dim + k->value_dim), 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, k->heads * k->value_dim, h,
        k->attention_bias ? h : 0);
}

static void add_mlp(list *l, const cszi_layer_kind *k, int64_t h, int64_t f, int64_t bias)
{
    int64_t inward = k->gated_mlp ? 2 : 1;
    add(l, CSZI_PART_MLP, CSZI_SPLIT_COLUMN, h, inward * f, bias ? inward * f : 0);
    add(l, CSZI_PART_MLP, CSZI_SPLIT_ROW, f, h, bias ? h : 0);
}

static void add_experts(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t inward = k->gated_mlp ? 2 : 1, f = k->expert_ffn, router = 0,
            w = cszi_kind_expert_width(k, h);
    if (k->router_bias)
        router += k->experts;
    if (k->expert_bias)
        router += k->experts;
    add(l, CSZI_PART_ROUTER, CSZI_SPLIT_NONE, h, k->experts, router);
    if (k->expert_width != 0) { /* down and up; every tensor rank holds them */
        add(l, CSZI_PART_ROUTER, CSZI_SPLIT_NONE, h, w, 0);
        add(l, CSZI_PART_ROUTER, CSZI_SPLIT_NONE, w, h, 0);
    }
    add(l, CSZI_PART_EXPERT, CSZI_SPLIT_COLUMN, w, inward * f, k->expert_bias ? inward * f : 0);
    add(l, CSZI_PART_EXPERT, CSZI_SPLIT_ROW, f, w, k->expert_bias ? w : 0);
    for (size_t i = l->count - 2; i < l->count; i++) {
        l->at[i].copies = k->experts;
        l->at[i].active = k->experts_per_token;
    }
}

static void add_mixer(list *l, const cszi_layer_kind *k, int64_t h)
{
    switch ((csz_attention)k->attention) {
    case CSZ_ATTENTION_GROUPED:
        add_grouped(l, k, h);
        break;
    case CSZ_ATTENTION_LATENT:
        add_latent(l, k, h);
        break;
    case CSZ_ATTENTION_MAMBA:
        add_mamba(l, k, h);
        break;
    case CSZ_ATTENTION_MAMBA2:
        add_mamba2(l, k, h);
        break;
    case CSZ_ATTENTION_DELTA:
        add_delta(l, k, h);
        break;
    case CSZ_ATTENTION_LIGHTNING:
        add_lightning(l, k, h);
        break;
    case CSZ_ATTENTION_CONVOLUTION:
        add_convolution(l, k, h);
        break;
    case CSZ_ATTENTION_NONE:
    case CSZ_ATTENTION_CUSTOM:
    case CSZ_ATTENTION_MAX_ENUM:
        break;
    }
}

size_t cszi_kind_matrices(const cszi_layer_kind *kind, int64_t hidden,
                          cszi_matrix matrices[CSZI_MATRICES])
{
    list l = {matrices, 0};
    hidden = cszi_kind_width(kind, hidden);
    add_mixer(&l, kind, hidden);
    if (kind->ffn != 0)
        add_mlp(&l, kind, hidden, kind->ffn, kind->mlp_bias);
    if (kind->experts != 0)
        add_experts(&l, kind, hidden);
    if (kind->shared_ffn != 0)
        add_mlp(&l, kind, hidden, kind->shared_ffn, 0);
    if (kind->shared_gate)
        add(&l, CSZI_PART_ROUTER, CSZI_SPLIT_NONE, hidden, 1, 0);
    return l.count;
}
