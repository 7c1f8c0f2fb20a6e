/* activations.c: Korthikanti et al. 2022, sections 4 and 5, written per tensor so that grouped
 * queries, gated MLPs and experts follow; with 4h MLPs, dropout and unfused scores it is their s b
 * h (34 + 5 a s / h). Eager PyTorch keeps what its autograd formulas save (derivatives.yaml). */
#include "estimate/activations.h"

#include <math.h>

#include "estimate/flops.h"
#include "estimate/states.h"

/* Bytes a token and layer, by the policy that can drop them. */
typedef enum tensor {
    STREAM,     /* inputs of norms */
    NORM,       /* outputs of norms: inputs of matrices */
    LATENT,     /* up-projected queries, keys and values of latent attention */
    QUERY,      /* queries, keys, values */
    SCORES,     /* softmax and its dropout, unfused */
    MIXED,      /* output of the attention core or of a recurrent mixer */
    HIDDEN,     /* inputs of the activation function of the dense MLP */
    ACTIVATION, /* its output */
    ROUTED,     /* dispatched tokens, and the router's logits */
    EXPERT_HIDDEN,
    EXPERT_ACTIVATION,
    PARTS
} tensor;

typedef struct kept {
    const cszi_case *c;
    const cszi_layer_kind *k;
    double byte;    /* of an activation */
    double stream;  /* of a residual */
    double operand; /* of a kept input of a matrix product: low precision keeps what it converted */
    double h;
    double t;     /* tensor ranks */
    double along; /* ranks that share norms and residuals */
    int frozen;   /* weights of the layer are not trained */
    int eager_norm;
    double at[PARTS];
} kept;

double cszi_layer_tokens(const cszi_case *c, const cszi_layer_kind *kind)
{
    const cszi_layout *l = &c->layout;
    return (double)l->s * (double)l->b / (double)l->c * kind->token_share;
}

/* ---- Inputs of matrices ---- */

/* Whether adapters stand on a part of the layer. */
static int adapted(const kept *l, cszi_part part, int input)
{
    const cszi_workload *w = l->c->workload;
    if (w->lora_targets == CSZ_LORA_TARGETS_QUERY_VALUE)
        return part == CSZI_PART_ATTENTION && input;
    return part == CSZI_PART_ATTENTION || w->lora_targets == CSZ_LORA_TARGETS_LINEAR;
}

/* What the product with a matrix keeps of an input of a width, which another operation keeps too or
 * not. A frozen matrix needs none of it; its adapter does, behind a dropout with a copy of its own
 * and a mask of a byte. Stacks that hold projections apart drop out for each of them. */
static double input_bytes(const kept *l, double width, cszi_part part, int input, double modules,
                          int shared)
{
    double copies = l->c->stack->fused ? 1 : modules;
    int function = !input && part != CSZI_PART_ATTENTION;
    if (!l->frozen)
        return shared ? 0 : l->operand * width;
    /* Compilers compute a product of the activation function again when only an adapter needs it.
     */
    if (!adapted(l, part, input) || (function && l->c->stack->fused))
        return 0;
    if (l->c->workload->lora_dropout)
        return copies * (l->byte + 1) * width;
    return shared ? 0 : l->byte * width;
}

/* A norm: its input. Eager RMSNorm works on an fp32 copy, and its weight's gradient needs the
 * normalized value. */
static double norm_bytes(const kept *l)
{
    if (!l->eager_norm)
        return l->stream * l->h;
    return (4 + (l->frozen ? 0 : l->stream)) * l->h;
}

/* ---- Mixers ---- */

/* Scores: softmax and dropout output, 2 bytes each, and the mask: 5 a s; fused kernels keep a
 * log-sum-exp in fp32. */
static void keep_scores(kept *l, double context)
{
    double a = (double)l->k->heads / l->t;
    if (l->c->layout.flash)
        l->at[MIXED] += 4 * a;
    else
        l->at[SCORES] += a * context * (l->c->workload->dropout ? 2 * l->byte + 1 : l->byte);
}

/* Queries, keys and values as the core reads them; eager stacks keep the fused or expanded
 * projection beside the rotated ones. */
static void keep_query(kept *l)
{
    const cszi_workload *w = l->c->workload;
    double a = (double)l->k->heads / l->t, dq = (double)cszi_kind_query_dim(l->k, w->hidden),
           dv = (double)cszi_kind_value_dim(l->k, w->hidden);
    double heads = l->byte * (a * dq + cszi_kind_rank_kv_heads(l->k, l->t) * (dq + dv));
    if (l->k->attention != CSZ_ATTENTION_LATENT) {
        l->at[QUERY] += heads * (l->k->qk_norm != CSZ_QK_NORM_NONE ? 2 : 1);
        return;
    }
    l->at[LATENT] += heads;
    l->at[STREAM] +=
        2 * l->byte * (double)(l->k->query_rank + l->k->kv_rank + l->k->rope_dim) / l->along;
}

static void keep_attention(kept *l)
{
    const cszi_workload *w = l->c->workload;
    int sides = l->k->cross_attention ? 2 : 1;
    double s = (double)l->c->layout.s;
    double out = (double)l->k->heads * (double)cszi_kind_value_dim(l->k, w->hidden) / l->t;
    for (int side = 0; side < sides; side++) {
        l->at[STREAM] += norm_bytes(l) / l->along;
        l->at[NORM] += input_bytes(l, l->h, CSZI_PART_ATTENTION, 1, 3, 0) / l->along;
        keep_query(l);
        l->at[MIXED] += l->byte * out + input_bytes(l, out, CSZI_PART_ATTENTION, 0, 1, 1);
        if (l->operand < l->byte && !l->frozen)
            l->at[MIXED] += l->operand * out; /* its low-precision copy */
        if (w->dropout)
            l->at[STREAM] += l->h / l->along;
    }
    if (l->k->query_gate)
        l->at[MIXED] += l->byte * 2 * out; /* the gate and what it multiplies */
    keep_scores(l, s * l->k->token_share);
    if (l->k->cross_attention)
        keep_scores(l, s * (1 - l->k->token_share));
}

/* Recurrent mixers keep what their backward pass reads: inputs of the norm and of the projection,
 * the projection's output, the convolution's output, the recurrence's output and what the gate made
 * of it; states are computed again from chunk to chunk (derived from the layers' data flow). */
static void keep_recurrent(kept *l)
{
    const cszi_layer_kind *k = l->k;
    double inner = (double)cszi_kind_channels(k, l->c->workload->hidden);
    double shared = 2.0 * (double)(k->state_groups * k->state_size),
           keys = (double)(k->key_heads * k->key_dim);
    double width = 0;
    if (k->attention == CSZ_ATTENTION_MAMBA)
        width = 6 * inner + (double)(k->state_rank + 2 * k->state_size);
    else if (k->attention == CSZ_ATTENTION_MAMBA2)
        width = 5 * inner + 2 * shared + (double)k->state_heads;
    else if (k->attention == CSZ_ATTENTION_DELTA)
        width = 4 * keys + 5 * inner + 2.0 * (double)k->state_heads;
    else if (k->attention == CSZ_ATTENTION_LIGHTNING)
        width = 6 * inner;
    else
        width = 5 * inner;
    l->at[STREAM] += norm_bytes(l) / l->along;
    l->at[NORM] += input_bytes(l, l->h, CSZI_PART_ATTENTION, 1, 1, 0) / l->along;
    l->at[MIXED] += l->byte * width / l->t;
}

static void keep_mixer(kept *l)
{
    if (cszi_kind_has_scores(l->k))
        keep_attention(l);
    else if (l->k->attention == CSZ_ATTENTION_CUSTOM)
        l->at[MIXED] += l->k->custom_activations / l->t;
    else if (l->k->attention != CSZ_ATTENTION_NONE)
        keep_recurrent(l);
}

/* ---- MLPs ---- */

/* Before the activation function: gate and up, or one; eager gated MLPs keep the gate's function
 * too. */
static double hidden_tensors(const kept *l)
{
    return l->k->gated_mlp ? (l->c->stack->fused ? 2 : 3) : 1;
}

double cszi_case_expert_load(const cszi_case *c)
{
    if (c->layout.capacity > 0)
        return c->layout.capacity;
    return c->layout.e > 1 ? cszi_workload_imbalance(c->workload) : 1;
}

static void keep_experts(kept *l)
{
    const cszi_layout *at = &l->c->layout;
    double topk = (double)l->k->experts_per_token * cszi_case_expert_load(l->c) / l->t,
           inner = (double)l->k->expert_ffn,
           width = (double)cszi_kind_expert_width(l->k, l->c->workload->hidden);
    /* Dispatched input, gathered over expert tensor ranks; router logits and probabilities in fp32.
     * The combination is a sum, whose backward pass needs no input: probabilities act before the
     * last product. Eager stacks multiply after it. */
    l->at[ROUTED] += topk * (double)at->etp *
                         (input_bytes(l, width, CSZI_PART_EXPERT, 1, 2, 0) +
                          (l->c->stack->fused ? 0 : l->byte * width)) +
                     4 * (double)l->k->experts / l->along;
    l->at[EXPERT_HIDDEN] += topk * l->byte * hidden_tensors(l) * inner;
    l->at[EXPERT_ACTIVATION] += topk * input_bytes(l, inner, CSZI_PART_EXPERT, 0, 1, 0);
}

static void keep_mlp(kept *l)
{
    double inner = (double)(l->k->ffn + l->k->shared_ffn) / l->t;
    if (l->k->ffn == 0 && l->k->experts == 0)
        return;
    l->at[STREAM] += norm_bytes(l) / l->along;
    l->at[NORM] += input_bytes(l, l->h, CSZI_PART_MLP, 1, 2, 0) / l->along;
    l->at[HIDDEN] += l->byte * hidden_tensors(l) * inner;
    l->at[ACTIVATION] += input_bytes(l, inner, CSZI_PART_MLP, 0, 1, 0);
    if (l->c->workload->dropout)
        l->at[STREAM] += l->h / l->along;
    if (l->k->experts != 0)
        keep_experts(l);
}

/* ---- A layer ---- */

static double stream_bytes(const cszi_case *c)
{
    return cszi_format_bytes(cszi_case_casts(c) ? CSZ_FORMAT_FP32 : c->workload->activation_format);
}

static void keep_layer(const cszi_case *c, const cszi_layer_kind *k, kept *l)
{
    const cszi_workload *w = c->workload;
    double t = (double)c->layout.t;
    *l = (kept){.c = c, .k = k, .t = t, .along = c->layout.sequence_parallel ? t : 1};
    l->byte = cszi_format_bytes(w->activation_format);
    l->stream = stream_bytes(c);
    l->operand = fmin(l->byte, cszi_format_bytes(w->compute_format));
    l->h = (double)cszi_kind_width(k, w->hidden);
    l->frozen = cszi_is_adapter_job(w);
    l->eager_norm = !c->stack->fused && w->norm == CSZ_NORM_RMS;
    keep_mixer(l);
    keep_mlp(l);
}

/* Outputs of attention and of every second matrix product: queries, values, the gate, the down
 * projection, which nothing reads again and a compiler leaves out; and the layer's input. */
static double operations_bytes(const kept *l)
{
    double streams = l->c->stack->fused ? 1 : 2;
    const cszi_workload *w = l->c->workload;
    double d = (double)cszi_kind_query_dim(l->k, w->hidden),
           kv = cszi_kind_rank_kv_heads(l->k, l->t) * d;
    double inner = (double)(l->k->ffn + l->k->shared_ffn) / l->t;
    double q = (double)l->k->heads * d / l->t;
    return l->byte * (streams * l->h / l->along + q + kv + inner) + l->at[MIXED] + l->at[ROUTED] +
           l->at[EXPERT_HIDDEN] / 2;
}

static double sum(const kept *l, int again)
{
    const cszi_layout *at = &l->c->layout;
    int drop[PARTS] = {0};
    double bytes = 0;
    if (!again) {
        drop[NORM] = (int)at->norm;
        drop[LATENT] = (int)at->latent;
        drop[SCORES] = at->recompute == CSZ_RECOMPUTE_SELECTIVE;
        drop[HIDDEN] = (int)at->mlp;
        drop[ACTIVATION] = at->mlp || at->activation;
        drop[ROUTED] = (int)at->experts;
        drop[EXPERT_HIDDEN] = (int)at->experts;
        drop[EXPERT_ACTIVATION] = at->experts || at->activation;
        if (l->k->experts != 0 && at->experts) /* the shared expert is part of the layer */
            drop[HIDDEN] = drop[ACTIVATION] = 1;
    }
    for (int i = 0; i < PARTS; i++)
        bytes += drop[i] ? 0 : l->at[i];
    return bytes;
}

static double input_of(const cszi_case *c, const cszi_layer_kind *kind)
{
    const cszi_layout *l = &c->layout;
    return stream_bytes(c) * (double)cszi_kind_width(kind, c->workload->hidden) *
           cszi_layer_tokens(c, kind) / (l->sequence_parallel ? (double)l->t : 1);
}

/* Eager products with quantized matrices hand on copies in the type of their input. */
static double quantized(const cszi_case *c)
{
    return c->workload->job == CSZ_JOB_QLORA && !c->stack->fused ? c->stack->quantized_copies : 1;
}

static double kept_bytes(const kept *l)
{
    return l->c->layout.recompute == CSZ_RECOMPUTE_OPERATIONS ? fmin(operations_bytes(l), sum(l, 1))
                                                              : sum(l, 0);
}

/* Unfused scores of a token in one layer, on both sides of cross-attention. */
static double score_values(const cszi_case *c, const cszi_layer_kind *k)
{
    double a = (double)k->heads / (double)c->layout.t, s = (double)c->layout.s;
    if (c->layout.flash || !cszi_kind_has_scores(k))
        return 0;
    return a * s * (k->token_share + (k->cross_attention ? 1 - k->token_share : 0));
}

/* Values a token that context parallelism holds beside a rank's own: a ring keys and values of two
 * ranks, and their gradients (Transformer Engine, context_parallel.py); a gather those of all
 * ranks; an all-to-all the gradients of queries, keys and values as they are exchanged. */
static double context_values(const cszi_case *c, const cszi_layer_kind *k)
{
    const cszi_layout *l = &c->layout;
    int64_t hidden = c->workload->hidden;
    double q = (double)cszi_kind_query_dim(k, hidden), v = (double)cszi_kind_value_dim(k, hidden);
    double inner = (double)l->context_inner,
           kv = fmax(cszi_kind_rank_kv_heads(k, (double)l->t), inner) * (q + v), values = 0;
    if (l->c == 1 || !cszi_kind_has_scores(k))
        return 0;
    if (l->context_kind == CSZ_CONTEXT_KIND_ALL_GATHER)
        return 2 * (double)l->c * kv;
    if (l->context_inner < l->c)
        values += 4 * kv;
    if (l->context_inner > 1)
        values += (double)k->heads / (double)l->t * q + kv;
    return values;
}

/* Gradients of the activation's output and inputs, of the layer's output and input and of the
 * attention's ends: 6 f + 8 h bytes in 16 bit for a gated MLP; of unfused scores. */
static double backward_of(const cszi_case *c, const cszi_layer_kind *kind)
{
    const cszi_workload *w = c->workload;
    double byte = cszi_format_bytes(w->activation_format), t = (double)c->layout.t;
    double along = c->layout.sequence_parallel ? t : 1;
    double inner = (double)(kind->ffn + kind->shared_ffn) +
                   (double)(kind->experts_per_token * kind->expert_ffn) * cszi_case_expert_load(c);
    double h = (double)cszi_kind_width(kind, w->hidden);
    return byte * cszi_layer_tokens(c, kind) *
           ((kind->gated_mlp ? 3 : 2) * inner / t + 4 * h / along + score_values(c, kind) +
            context_values(c, kind));
}

void cszi_layer_bytes_of(const cszi_case *c, const cszi_layer_kind *kind, cszi_layer_bytes *bytes)
{
    double tokens = cszi_layer_tokens(c, kind), copies = quantized(c), bare;
    kept l;
    keep_layer(c, kind, &l);
    bare = kept_bytes(&l);
    bytes->input = input_of(c, kind);
    bytes->kept = tokens * copies * bare;
    bytes->again[0] = tokens * copies * (sum(&l, 1) - bare);
    bytes->again[1] = tokens * copies * sum(&l, 1);
    bytes->scores =
        cszi_format_bytes(c->workload->activation_format) * score_values(c, kind) * tokens;
    bytes->backward = backward_of(c, kind);
}
