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
    cszi_matrix m = {part, split, in, out, bias, 1, 1};
    l->at[l->count++] = m;
}

static void add_grouped(list *l, const cszi_layer_kind *k, int64_t h)
{
    int64_t d = cszi_kind_head_dim(k, h), q = k->heads * d, kv = 2 * cszi_kind_kv_heads(k) * d;
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_COLUMN, h, q + kv, k->qkv_bias ? q + kv : 0);
    add(l, CSZI_PART_ATTENTION, CSZI_SPLIT_ROW, q, h, k->attention_bias ? h : 0);
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
    int64_t inward = k->gated_mlp ? 2 : 1, f = k->expert_ffn, router = 0;
    if (k->router_bias)
        router += k->experts;
    if (k->expert_bias)
        router += k->experts;
    add(l, CSZI_PART_ROUTER, CSZI_SPLIT_NONE, h, k->experts, router);
    add(l, CSZI_PART_EXPERT, CSZI_SPLIT_COLUMN, h, inward * f, k->expert_bias ? inward * f : 0);
    add(l, CSZI_PART_EXPERT, CSZI_SPLIT_ROW, f, h, k->expert_bias ? h : 0);
    for (size_t i = l->count - 2; i < l->count; i++) {
        l->at[i].copies = k->experts;
        l->at[i].active = k->experts_per_token;
    }
}

size_t cszi_kind_matrices(const cszi_layer_kind *kind, int64_t hidden,
                          cszi_matrix matrices[CSZI_MATRICES])
{
    list l = {matrices, 0};
    if (kind->attention == CSZ_ATTENTION_GROUPED)
        add_grouped(&l, kind, hidden);
    else if (kind->attention == CSZ_ATTENTION_LATENT)
        add_latent(&l, kind, hidden);
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
