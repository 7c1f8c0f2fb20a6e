/* flops.c: exact FLOP counts per matrix, and the counts by which published utilizations are
 * reported. */
#include "estimate/flops.h"

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

double cszi_layer_matrix_flops(const cszi_layer_kind *kind, int64_t hidden)
{
    cszi_matrix matrices[CSZI_MATRICES];
    size_t count = cszi_kind_matrices(kind, hidden, matrices);
    double flops = 0;
    for (size_t i = 0; i < count; i++)
        flops += 2.0 * (double)matrices[i].in * (double)matrices[i].out *
                 (double)matrices[i].active * share_of(kind, &matrices[i]);
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

void cszi_model_flops(const cszi_case *c, cszi_flops *flops)
{
    const cszi_workload *w = c->workload;
    double h = (double)w->hidden, extra = (double)w->prediction_layers;
    cszi_flops f = {0, 0, 0, 0, 0, 0, 0};
    for (int64_t i = 0; i < w->runs_count; i++)
        add_layers(c, w->runs[i].layer_kind, (double)w->runs[i].layers, &f);
    add_layers(c, cszi_workload_last_kind(w), extra, &f);
    f.layers += extra * 4.0 * h * h; /* projection of two hidden states into one */
    f.head = 2.0 * (double)c->parameters.head_matrix * (1 + extra) * cszi_head_share(w);
    f.forward = f.layers + f.attention + f.head;
    f.backward = 2 * f.forward;
    if (cszi_is_adapter_job(w)) {
        /* Frozen matrices have no weight gradient; adapters have both. */
        f.adapters = 2.0 * (double)c->parameters.active_adapters;
        f.backward = f.layers + f.head + 2 * f.attention + 2 * f.adapters;
        f.forward += f.adapters;
    }
    *flops = f;
}

static double recomputed(const cszi_case *c, const cszi_flops *f)
{
    if (c->layout.recompute == CSZ_RECOMPUTE_FULL)
        return f->layers + f->attention + f->adapters;
    return c->layout.recompute == CSZ_RECOMPUTE_SELECTIVE ? f->attention : 0;
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
