/* flops.c: exact FLOP counts per matrix, and the counts by which published utilizations are
 * reported. */
#include "estimate/flops.h"

#include "estimate/states.h"

/* Sum over queries i of min(i, w) over their number: w - w (w - 1) / (2 n); (n + 1) / 2 for w = n.
 * Encoders see everything. */
double cszi_mean_context(const cszi_workload *workload, const cszi_layer_kind *kind,
                         int64_t sequence, int full)
{
    double n = (double)sequence * kind->token_share, w;
    if (workload->document_mask && workload->mean_length > 0 && workload->mean_length < n)
        n = workload->mean_length;
    w = kind->sliding_window > 0 && (double)kind->sliding_window < n ? (double)kind->sliding_window
                                                                     : n;
    return full || !kind->causal ? w : w - w * (w - 1) / (2 * n);
}

/* Tokens that a matrix meets for each token of the sequence. */
static double share_of(const cszi_layer_kind *kind, const cszi_matrix *m)
{
    return m->cross ? 1 - kind->token_share : kind->token_share;
}

static double matrix_flops(const cszi_layer_kind *kind, const cszi_matrix *m)
{
    return 2.0 * (double)m->in * (double)m->out * (double)m->active * share_of(kind, m);
}

double cszi_layer_matrix_flops(const cszi_layer_kind *kind, int64_t hidden)
{
    cszi_matrix matrices[CSZI_MATRICES];
    size_t count = cszi_kind_matrices(kind, hidden, matrices);
    double flops = 0;
    for (size_t i = 0; i < count; i++)
        flops += matrix_flops(kind, &matrices[i]);
    if (kind->attention == CSZ_ATTENTION_CUSTOM)
        flops += kind->token_share * cszi_custom_flops(kind);
    return flops;
}

double cszi_custom_flops(const cszi_layer_kind *kind)
{
    int64_t active = kind->custom_active != 0 ? kind->custom_active : kind->custom_parameters;
    return kind->custom_flops > 0 ? kind->custom_flops : 2.0 * (double)active;
}

/* Recurrences, a token: for each element of the state, the decay, the new term and its addition,
 * and the read-out; 2 taps a channel of the convolution. Mamba makes decay and input from the time
 * step besides, the delta rule reads the state once more (counted from the recurrences in arXiv
 * 2312.00752, equation 2; 2405.21060, equation 2; 2412.06464, equation 10; 2501.08313, equation 9).
 */
double cszi_recurrent_flops(const cszi_layer_kind *kind, int64_t hidden)
{
    double channels = (double)cszi_kind_channels(kind, hidden),
           taps = 2.0 * (double)kind->convolution;
    double state = (double)kind->state_size, keys = (double)(kind->key_heads * kind->key_dim);
    switch ((csz_attention)kind->attention) {
    case CSZ_ATTENTION_MAMBA:
        return channels * (8 * state + taps);
    case CSZ_ATTENTION_MAMBA2:
        return channels * (6 * state + taps) + taps * 2 * (double)kind->state_groups * state;
    case CSZ_ATTENTION_DELTA:
        return 8 * channels * (double)kind->key_dim + taps * (2 * keys + channels);
    case CSZ_ATTENTION_LIGHTNING:
        return 6 * channels * (double)cszi_kind_head_dim(kind, hidden);
    case CSZ_ATTENTION_CONVOLUTION:
        return channels * taps;
    case CSZ_ATTENTION_GROUPED:
    case CSZ_ATTENTION_LATENT:
    case CSZ_ATTENTION_NONE:
    case CSZ_ATTENTION_CUSTOM:
    case CSZ_ATTENTION_MAX_ENUM:
        break;
    }
    return 0;
}

/* Scores and values: 2 context heads (d_qk + d_v), over the other side too with cross-attention. */
double cszi_layer_attention_flops(const cszi_workload *workload, const cszi_layer_kind *kind,
                                  int64_t sequence, int full)
{
    double d = (double)(cszi_kind_query_dim(kind, workload->hidden) +
                        cszi_kind_value_dim(kind, workload->hidden));
    double context;
    if (!cszi_kind_has_scores(kind))
        return kind->token_share * cszi_recurrent_flops(kind, workload->hidden);
    context = cszi_mean_context(workload, kind, sequence, full);
    if (kind->cross_attention)
        context += (1 - kind->token_share) * (double)sequence;
    return kind->token_share * 2.0 * context * (double)kind->heads * d;
}

static void add_layers(const cszi_case *c, int64_t kind, double layers, cszi_flops *f)
{
    const cszi_workload *w = c->workload;
    const cszi_layer_kind *k = &w->kinds[kind];
    f->layers += layers * cszi_layer_matrix_flops(k, w->hidden);
    f->attention += layers * cszi_layer_attention_flops(w, k, c->batching.sequence, 0);
    f->full += layers * cszi_layer_attention_flops(w, k, c->batching.sequence, 1);
}

/* ---- Methods ---- */

/* A frozen reference, teacher or reward model passes the same tokens forward once (Rafailov et al.
 * 2023, equation 7; Ethayarajh et al. 2024, section 4; DeepSeekMath, arXiv 2402.03300, equation 3),
 * and PPO's critic is trained beside the policy (Ouyang et al. 2022, section 3.5). Pairs are two
 * sequences of the batch. Scores come from one value instead of logits. Not counted: KTO's
 * mismatched pairs, and the generation of samples, which is no part of the step. */
cszi_passes cszi_method_passes(const cszi_workload *w)
{
    switch ((csz_method)w->method) {
    case CSZ_METHOD_DPO:
    case CSZ_METHOD_KTO:
    case CSZ_METHOD_GRPO:
    case CSZ_METHOD_DISTILL:
        return (cszi_passes){2, 2, 1};
    case CSZ_METHOD_PPO:
        return (cszi_passes){4, 2, 2}; /* policy, critic, reference, reward model */
    case CSZ_METHOD_REWARD:
        return (cszi_passes){1, 0, 1};
    case CSZ_METHOD_SUPERVISED:
    case CSZ_METHOD_PAIRS:
    case CSZ_METHOD_MAX_ENUM:
        break;
    }
    return (cszi_passes){1, 1, 1};
}

/* ---- The model ---- */

void cszi_model_flops(const cszi_case *c, cszi_flops *flops)
{
    const cszi_workload *w = c->workload;
    double h = (double)w->hidden, extra = (double)w->prediction_layers, head;
    const cszi_passes passes = cszi_method_passes(w);
    cszi_flops f = {0, 0, 0, 0, 0, 0, 0};
    for (int64_t i = 0; i < w->runs_count; i++)
        add_layers(c, w->runs[i].layer_kind, (double)w->runs[i].layers, &f);
    add_layers(c, cszi_workload_last_kind(w), extra, &f);
    f.layers += extra * 4.0 * h * h; /* projection of two hidden states into one */
    f.head = 2.0 * (double)c->parameters.head_matrix * (1 + extra) * cszi_head_share(w);
    head = passes.logits > 0 ? f.head : 0; /* of the policy alone in the backward pass */
    f.forward = passes.forward * (f.layers + f.attention) + passes.logits * f.head;
    f.backward = 2 * passes.backward * (f.layers + f.attention) + 2 * head;
    if (cszi_is_adapter_job(w)) {
        /* Frozen matrices have no weight gradient; adapters have both. */
        f.adapters = 2.0 * (double)c->parameters.active_adapters;
        f.backward = passes.backward * (f.layers + 2 * f.attention + 2 * f.adapters) + head;
        f.forward += passes.backward * f.adapters;
    }
    *flops = f;
}

/* ---- Recomputation ---- */

/* PyTorch's selective checkpoint keeps every second product, in the order queries, keys, values,
 * output, gate, up, down: keys, output and up are done again (torchtitan,
 * activation_checkpoint.py).
 */
static double every_second(const cszi_layer_kind *k, const cszi_matrix *m)
{
    int column = m->split == CSZI_SPLIT_COLUMN;
    if (m->part == CSZI_PART_ROUTER)
        return 0;
    if (m->part != CSZI_PART_ATTENTION)
        return k->gated_mlp ? (column ? 0.5 : 0) : column ? 0 : 1;
    if (m->adapted > 0)
        return (double)(m->out - m->adapted) / (double)m->out; /* keys */
    return column ? 0.5 : 1;
}

/* The dense MLP of a layer stands before its router, the shared expert behind it. */
static int is_behind_router(const cszi_matrix *matrices, size_t i)
{
    while (i > 0)
        if (matrices[--i].part == CSZI_PART_ROUTER)
            return 1;
    return 0;
}

double cszi_matrix_again(const cszi_layout *l, const cszi_layer_kind *k,
                         const cszi_matrix matrices[CSZI_MATRICES], size_t i)
{
    const cszi_matrix *m = &matrices[i];
    if (l->recompute == CSZ_RECOMPUTE_OPERATIONS)
        return every_second(k, m);
    switch (m->part) {
    case CSZI_PART_ATTENTION: /* up-projections read a rank and are cut along their output */
        return l->latent && k->attention == CSZ_ATTENTION_LATENT && m->split == CSZI_SPLIT_COLUMN &&
               (m->in == k->query_rank || m->in == k->kv_rank);
    case CSZI_PART_MLP:
        return is_behind_router(matrices, i) ? l->experts != 0 : l->mlp != 0;
    case CSZI_PART_ROUTER:
    case CSZI_PART_EXPERT:
        return l->experts != 0;
    }
    return 0;
}

/* One layer computed again, as a whole or by its modules; adapters of single modules are too small
 * to count. */
static double layer_again(const cszi_case *c, int64_t kind, int covered)
{
    const cszi_workload *w = c->workload;
    const cszi_layer_kind *k = &w->kinds[kind];
    double attention = cszi_layer_attention_flops(w, k, c->batching.sequence, 0), flops = 0;
    cszi_matrix matrices[CSZI_MATRICES];
    size_t count;
    if (covered)
        return cszi_layer_matrix_flops(k, w->hidden) + attention +
               (cszi_is_adapter_job(w) ? 2.0 * (double)c->parameters.kinds[kind].active_adapters
                                       : 0);
    count = cszi_kind_matrices(k, w->hidden, matrices);
    for (size_t i = 0; i < count; i++)
        flops += cszi_matrix_again(&c->layout, k, matrices, i) * matrix_flops(k, &matrices[i]);
    return flops + (c->layout.recompute == CSZ_RECOMPUTE_SELECTIVE ? attention : 0);
}

/* of: a layer of each kind, outside and inside full recomputation. */
static double stage_again(const cszi_case *c, int64_t stage, double of[CSZI_KINDS][2])
{
    const cszi_workload *w = c->workload;
    int64_t counts[CSZI_KINDS];
    double room = (double)c->layout.recompute_layers, flops = 0;
    cszi_stage_layers(w, &c->layout, c->parameters.layers, stage, counts);
    for (int64_t i = 0; i < w->kinds_count; i++) {
        double n = cszi_stage_kind_layers(c, stage, counts, i),
               covered = cszi_layout_covered(&c->layout, n, &room);
        flops += covered * of[i][1] + (n - covered) * of[i][0];
    }
    return flops;
}

/* Whether single modules are computed again. */
static int has_modules(const cszi_layout *l)
{
    return l->latent || l->mlp || l->experts;
}

static double recomputed(const cszi_case *c, const cszi_flops *f)
{
    const cszi_layout *l = &c->layout;
    int part =
        l->recompute == CSZ_RECOMPUTE_FULL ? l->recompute_layers != INT64_MAX : has_modules(l);
    double backward = cszi_method_passes(c->workload).backward, flops = 0;
    double of[CSZI_KINDS][2];
    if (part || l->recompute == CSZ_RECOMPUTE_OPERATIONS) {
        for (int64_t i = 0; i < c->workload->kinds_count; i++)
            for (int covered = 0; covered < 2; covered++)
                of[i][covered] = layer_again(c, i, covered);
        for (int64_t stage = 0; stage < l->p; stage++)
            flops += stage_again(c, stage, of);
        return backward * flops / (double)l->copies; /* each copy has half of the tokens */
    }
    if (l->recompute == CSZ_RECOMPUTE_FULL)
        return backward * (f->layers + f->attention + f->adapters);
    return l->recompute == CSZ_RECOMPUTE_SELECTIVE ? backward * f->attention : 0;
}

static void other_counts(const cszi_case *c, const cszi_flops *f, cszi_estimate *e)
{
    const cszi_workload *w = c->workload;
    double n = (double)c->parameters.active, h = (double)w->hidden,
           s = (double)c->batching.sequence;
    double layers = (double)(c->parameters.layers + w->prediction_layers);
    double outside = w->tied_embeddings ? 0 : (double)c->parameters.embedding;
    e->flops_six_n = 6 * n;
    e->flops_full = 3 * (f->layers + f->full + f->head);
    e->flops_palm = 6 * n + 3 * f->full;
    e->flops_torchtitan = 6 * (n - outside) + 3 * f->full;
    e->flops_narayanan =
        96 * layers * h * h * (1 + s / (6 * h) + (double)w->vocab / (16 * layers * h));
}

void cszi_estimate_flops(const cszi_case *c, cszi_estimate *estimate)
{
    cszi_flops f;
    cszi_model_flops(c, &f);
    estimate->flops_forward = f.forward;
    estimate->flops_backward = f.backward;
    estimate->flops_per_token = f.forward + f.backward;
    estimate->flops_recompute = recomputed(c, &f);
    estimate->flops_step =
        estimate->flops_per_token * (double)c->batching.sequence * (double)c->batching.sequences;
    other_counts(c, &f, estimate);
}
