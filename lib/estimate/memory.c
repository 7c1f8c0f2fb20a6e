/* memory.c: memory of a training step on one accelerator.
 *
 * States: ZeRO (Rajbhandari et al. 2020, section 3) and Megatron-Core's dist_optimizer.md.
 * Activations: Korthikanti et al. 2022, sections 4 and 5, written per tensor so that grouped
 * queries, gated MLPs and experts follow; with 4h MLPs, dropout and unfused scores it is their s b
 * h (34 + 5 a s / h). */
#include "estimate/memory.h"

#include <math.h>

#include "estimate/flops.h"

double cszi_format_bytes(int64_t format)
{
    switch ((csz_format)format) {
    case CSZ_FORMAT_FP32:
    case CSZ_FORMAT_TF32:
        return 4;
    case CSZ_FORMAT_BF16:
    case CSZ_FORMAT_FP16:
        return 2;
    case CSZ_FORMAT_FP8:
    case CSZ_FORMAT_INT8:
        return 1;
    case CSZ_FORMAT_FP4:
        return 0.5625; /* a scale of 1 byte for 16 values */
    /* 4 bits, and a constant for 64 values: 8 bits plus fp32 over 256 of them (Dettmers et al.
     * 2023, section 3). */
    case CSZ_FORMAT_NF4:
        return 0.5 + 1.0 / 64 + 4.0 / (64 * 256);
    case CSZ_FORMAT_NONE:
    case CSZ_FORMAT_MAX_ENUM:
        break;
    }
    return 0;
}

/* ---- States ---- */

/* Bytes of moments per parameter. Adafactor keeps rows and columns only: negligible. Muon: one
 * moment on matrices, which are nearly all parameters. 8-bit moments add a fp32 scale for 2,048
 * values (Dettmers et al. 2022). */
static double state_bytes(const cszi_workload *w, double one)
{
    switch ((csz_optimizer)w->optimizer) {
    case CSZ_OPTIMIZER_ADAMW:
        return 2 * one;
    case CSZ_OPTIMIZER_ADAM_8BIT:
        return 2 * (1 + 4.0 / 2048);
    case CSZ_OPTIMIZER_MOMENTUM:
    case CSZ_OPTIMIZER_LION:
    case CSZ_OPTIMIZER_MUON:
        return one;
    case CSZ_OPTIMIZER_SGD:
    case CSZ_OPTIMIZER_ADAFACTOR:
    case CSZ_OPTIMIZER_MAX_ENUM:
        break;
    }
    return 0;
}

static double either(const cszi_workload *w, csz_field field, int64_t given, int usual)
{
    return cszi_format_bytes(cszi_workload_has(w, field) ? given : usual);
}

void cszi_case_recipe(const cszi_case *c, cszi_recipe *recipe)
{
    const cszi_workload *w = c->workload;
    const cszi_stack *stack = c->stack;
    int frozen = w->job == CSZ_JOB_QLORA ? CSZ_FORMAT_NF4 : CSZ_FORMAT_BF16;
    recipe->weights = either(w, CSZ_WORKLOAD_WEIGHT_FORMAT, w->weight_format, stack->weights);
    recipe->gradients =
        either(w, CSZ_WORKLOAD_GRADIENT_FORMAT, w->gradient_format, stack->gradients);
    recipe->master = either(w, CSZ_WORKLOAD_MASTER_FORMAT, w->master_format, stack->master);
    recipe->states =
        state_bytes(w, either(w, CSZ_WORKLOAD_STATE_FORMAT, w->state_format, stack->states));
    recipe->gathered = stack->gathers_weights ? 2 : recipe->weights;
    /* One low-precision copy of the weights stays cached across micro-batches. */
    recipe->copies = w->compute_format == CSZ_FORMAT_FP8 || w->compute_format == CSZ_FORMAT_FP4
                         ? cszi_format_bytes(w->compute_format)
                         : 0;
    recipe->frozen = either(w, CSZ_WORKLOAD_FROZEN_FORMAT, w->frozen_format, frozen);
}

static double dense_of(const cszi_case *c, const cszi_layer_parameters *k)
{
    return (double)k->sharded / (double)c->layout.t + (double)k->replicated;
}

static double expert_of(const cszi_case *c, const cszi_layer_parameters *k)
{
    return (double)k->experts / (double)(c->layout.e * c->layout.etp);
}

/* Embedding on the first stage; the output layer on the last one, a copy even when tied, if there
 * is a pipeline. Prediction layers need the embedding beside it too. */
static double outer_of(const cszi_case *c, int64_t stage)
{
    const cszi_workload *w = c->workload;
    const cszi_parameters *p = &c->parameters;
    double t = (double)c->layout.t, size = 0;
    if (stage == 0)
        size += (double)p->embedding / t + (double)w->extra_parameters;
    if (stage != c->layout.p - 1)
        return size;
    size += (double)p->outer_norms;
    if (stage == 0)
        return size + (double)p->head / t;
    size += (double)(p->head_matrix + (w->head_bias ? w->vocab : 0)) / t;
    return size + (w->prediction_layers > 0 ? (double)p->embedding / t : 0);
}

/* Layers of a kind on a stage, prediction layers too. */
static double layers_of(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                        int64_t kind)
{
    double n = (double)counts[kind];
    if (stage == c->layout.p - 1 && kind == cszi_workload_last_kind(c->workload))
        n += (double)c->workload->prediction_layers;
    return n;
}

void cszi_stage_share(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                      cszi_share *s)
{
    const cszi_parameters *p = &c->parameters;
    double t = (double)c->layout.t, cut = (double)(c->layout.e * c->layout.etp), adapters = 0;
    double expert_adapters = 0;
    *s = (cszi_share){outer_of(c, stage), 0, 0, 0, outer_of(c, stage)};
    for (int64_t i = 0; i < p->kind_count; i++) {
        double n = layers_of(c, stage, counts, i);
        s->dense += n * dense_of(c, &p->kinds[i]);
        s->expert += n * expert_of(c, &p->kinds[i]);
        adapters += n * (double)p->kinds[i].adapters / t;
        expert_adapters += n * (double)p->kinds[i].expert_adapters / cut;
        if (n > 0)
            s->unit = fmax(s->unit, dense_of(c, &p->kinds[i]) + expert_of(c, &p->kinds[i]));
    }
    if (stage == c->layout.p - 1)
        s->dense += (double)c->workload->prediction_layers * (double)p->prediction_extra / t;
    if (cszi_is_adapter_job(c->workload)) {
        s->frozen_dense = s->dense;
        s->frozen_expert = s->expert;
        s->dense = adapters;
        s->expert = expert_adapters;
    }
}

/* ZeRO stage by stage: what is shared divides by the group that holds the same parameters. */
/* What ZeRO-3 holds of a gathered unit: weights of it and of those prefetched, its whole gradient
 * when it is trained. */
static double unit_bytes(const cszi_case *c, const cszi_recipe *r)
{
    int frozen = cszi_is_adapter_job(c->workload);
    return c->stack->gathered_units * (frozen ? r->frozen : r->gathered) +
           (frozen ? 0 : r->gradients);
}

static void state_memory(const cszi_case *c, const cszi_recipe *r, const cszi_share *s,
                         cszi_stage *at)
{
    double dense = (double)cszi_layout_dense_shards(&c->layout);
    double expert = (double)cszi_layout_expert_shards(&c->layout);
    int64_t zero = c->layout.sharding;
    double whole = s->dense + s->expert, shared = s->dense / dense + s->expert / expert;
    double frozen = s->frozen_dense + s->frozen_expert;
    double weights = zero >= CSZ_SHARDING_PARAMETERS ? shared : whole;
    double gradients = zero >= CSZ_SHARDING_GRADIENTS ? shared : whole;
    double optimizer = zero >= CSZ_SHARDING_OPTIMIZER ? shared : whole;
    if (zero >= CSZ_SHARDING_PARAMETERS)
        frozen = s->frozen_dense / dense + s->frozen_expert / expert;
    at->weights = r->weights * weights + r->frozen * frozen;
    at->gradients = r->gradients * gradients;
    at->optimizer = (r->master + r->states) * optimizer;
    at->buffers = c->stack->bucket_bytes + r->copies * (whole + s->frozen_dense + s->frozen_expert);
    if (zero >= CSZ_SHARDING_PARAMETERS)
        at->buffers += s->unit * unit_bytes(c, r);
    else if (c->stack->gathers_weights && r->weights > 2)
        at->buffers += 2 * whole; /* mixed precision beside fp32 weights: a 16-bit copy */
    at->parameters = (int64_t)(whole + s->frozen_dense + s->frozen_expert);
}

/* ---- Activations ---- */

/* Bytes a token and layer keep, apart by what divides them: by tensor parallelism always, or with
 * sequences only. */
typedef struct kept {
    double shared;  /* divided by t */
    double whole;   /* divided by t under sequence parallelism */
    double scores;  /* attention core: divided by t; dropped by selective recomputation */
    double experts; /* routed tokens: divided by t, times the load of the busiest rank */
} kept;

/* What a kept input of a matrix product takes: low-precision products keep what they converted. */
static double operand_bytes(const cszi_case *c, double byte)
{
    return fmin(byte, cszi_format_bytes(c->workload->compute_format));
}

/* Scores: softmax and dropout output, 2 bytes each, and the mask: 5 a s; fused kernels keep a
 * log-sum-exp in fp32. */
static void keep_scores(const cszi_case *c, const cszi_layer_kind *k, double context, double byte,
                        kept *at)
{
    double a = (double)k->heads;
    if (c->layout.flash)
        at->shared += 4 * a;
    else
        at->scores += a * context * (c->workload->dropout ? 2 * byte + 1 : byte);
}

static void keep_attention(const cszi_case *c, const cszi_layer_kind *k, double byte, kept *at)
{
    const cszi_workload *w = c->workload;
    double h = (double)cszi_kind_width(k, w->hidden), a = (double)k->heads, s = (double)c->layout.s;
    double dq = (double)cszi_kind_query_dim(k, w->hidden),
           dv = (double)cszi_kind_value_dim(k, w->hidden);
    double kv = k->attention == CSZ_ATTENTION_LATENT ? a : (double)cszi_kind_kv_heads(k);
    double sides = k->cross_attention ? 2 : 1, operand = operand_bytes(c, byte);
    at->whole += sides * (byte + operand) * h; /* inputs of the norm and of the projection */
    /* q, k, v, and the input of the output projection */
    at->shared += sides * (byte * (a * dq + kv * (dq + dv)) + operand * a * dv);
    if (k->query_gate)
        at->shared += byte * 2 * a * dq; /* the gate and what it multiplies */
    if (k->attention == CSZ_ATTENTION_LATENT)
        at->whole += byte * (double)(k->query_rank + k->kv_rank + k->rope_dim);
    if (w->dropout)
        at->whole += sides * h;
    keep_scores(c, k, s * k->token_share, byte, at);
    if (k->cross_attention)
        keep_scores(c, k, s * (1 - k->token_share), byte, at);
}

/* Recurrent mixers keep what their backward pass reads: inputs of the norm and of the projection,
 * the projection's output, the convolution's output, the recurrence's output and what the gate made
 * of it; states are computed again from chunk to chunk (derived from the layers' data flow). */
static void keep_recurrent(const cszi_case *c, const cszi_layer_kind *k, double byte, kept *at)
{
    double h = (double)cszi_kind_width(k, c->workload->hidden),
           inner = (double)cszi_kind_channels(k, c->workload->hidden);
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
    at->whole += byte * 2 * h;
    at->shared += byte * width;
}

static void keep_mixer(const cszi_case *c, const cszi_layer_kind *k, double byte, kept *at)
{
    if (cszi_kind_has_scores(k))
        keep_attention(c, k, byte, at);
    else if (k->attention == CSZ_ATTENTION_CUSTOM)
        at->shared += k->custom_activations;
    else if (k->attention != CSZ_ATTENTION_NONE)
        keep_recurrent(c, k, byte, at);
}

static void keep_mlp(const cszi_case *c, const cszi_layer_kind *k, double byte, kept *at)
{
    const cszi_workload *w = c->workload;
    double h = (double)cszi_kind_width(k, w->hidden), inner = k->gated_mlp ? 3 : 2,
           topk = (double)k->experts_per_token, operand = operand_bytes(c, byte);
    if (k->ffn == 0 && k->experts == 0)
        return;
    at->whole += (byte + operand) * h; /* inputs of the norm and of the first matrix */
    at->shared += (byte * (inner - 1) + operand) * (double)(k->ffn + k->shared_ffn);
    if (w->dropout)
        at->whole += h;
    if (k->experts == 0)
        return;
    /* Dispatched input and input of the combination, gathered over expert tensor ranks; inner
     * activations; router logits in fp32. */
    at->experts += topk * ((byte + operand) * h * (double)c->layout.etp +
                           (byte * (inner - 1) + operand) * (double)k->expert_ffn);
    at->whole += 4 * (double)k->experts;
}

static double kept_bytes(const cszi_case *c, const cszi_layer_kind *k, int scores)
{
    const cszi_layout *l = &c->layout;
    double byte = cszi_format_bytes(c->workload->activation_format), t = (double)l->t;
    double tokens = (double)l->s * (double)l->b / (double)l->c * k->token_share;
    kept at = {0, 0, 0, 0};
    keep_mixer(c, k, byte, &at);
    keep_mlp(c, k, byte, &at);
    at.whole /= l->sequence_parallel ? t : 1;
    return tokens * c->stack->activation_factor *
           (at.whole + at.shared / t + (scores ? at.scores / t : 0) +
            at.experts * c->workload->load_imbalance / t);
}

double cszi_layer_activations(const cszi_case *c, const cszi_layer_kind *kind)
{
    const cszi_layout *l = &c->layout;
    if (l->recompute == CSZ_RECOMPUTE_FULL) /* its input only */
        return cszi_format_bytes(c->workload->activation_format) *
               (double)cszi_kind_width(kind, c->workload->hidden) * (double)l->s * (double)l->b /
               (double)l->c * kind->token_share / (l->sequence_parallel ? (double)l->t : 1);
    return kept_bytes(c, kind, l->recompute == CSZ_RECOMPUTE_NONE);
}

double cszi_layer_working_set(const cszi_case *c, const cszi_layer_kind *kind)
{
    return kept_bytes(c, kind, 1);
}

/* Whole stages of activations in flight: 1F1B holds min(m, p - i) micro-batches; interleaving 2 (p
 * - i - 1) + (v - 1) p + 1 chunks of 1 / v (Narayanan et al. 2021, section 2.2; Megatron-LM
 * schedules.py, warm-up count). */
static double in_flight(const cszi_layout *l, int64_t stage)
{
    double p = (double)l->p, i = (double)stage, v = (double)l->v, m = (double)l->m;
    if (l->v == 1)
        return fmin(m, p - i);
    return fmin(m * v, 2 * (p - i - 1) + (v - 1) * p + 1) / v;
}

static void activation_memory(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                              cszi_stage *at)
{
    double layer = 0, widest = 0;
    const cszi_workload *w = c->workload;
    for (int64_t i = 0; i < w->kinds_count; i++) {
        double n = layers_of(c, stage, counts, i);
        layer += n * cszi_layer_activations(c, &w->kinds[i]);
        if (counts[i] > 0)
            widest = fmax(widest, cszi_layer_working_set(c, &w->kinds[i]));
    }
    at->in_flight = in_flight(&c->layout, stage);
    at->activations = at->in_flight * layer;
    if (c->layout.recompute == CSZ_RECOMPUTE_FULL)
        at->buffers += widest;
}

/* Logits are held while the loss is computed, by the last stage for one micro-batch. */
static double logits_memory(const cszi_case *c, int64_t stage)
{
    const cszi_layout *l = &c->layout;
    if (stage != l->p - 1 || !c->workload->output_layer)
        return 0;
    return (double)(1 + c->workload->prediction_layers) * cszi_head_share(c->workload) *
           c->stack->logits_bytes * (double)l->s * (double)l->b / (double)l->c *
           (double)c->workload->vocab / (double)l->t;
}

/* ---- A stage ---- */

void cszi_stage_memory(const cszi_case *c, const cszi_recipe *recipe, int64_t stage, cszi_stage *at,
                       cszi_range *total)
{
    const cszi_stack *stack = c->stack;
    int64_t counts[CSZI_KINDS];
    double allocated;
    cszi_share s;
    cszi_stage_layers(c->workload, &c->layout, c->parameters.layers, stage, counts);
    at->layers = 0;
    for (int i = 0; i < CSZI_KINDS; i++)
        at->layers += counts[i];
    cszi_stage_share(c, stage, counts, &s);
    state_memory(c, recipe, &s, at);
    activation_memory(c, stage, counts, at);
    at->logits = logits_memory(c, stage);
    allocated =
        at->weights + at->gradients + at->optimizer + at->activations + at->logits + at->buffers;
    at->framework = stack->context_likely + stack->slack_likely * allocated;
    at->total = allocated + at->framework;
    total->low = allocated * (1 + stack->slack_low) + stack->context_low;
    total->likely = at->total;
    total->high = allocated * (1 + stack->slack_high) + stack->context_high;
}
