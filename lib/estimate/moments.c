/* moments.c: a step passes through moments, at each of which other tensors are alive; the largest
 * is the peak of a stage. */
#include <math.h>
#include <string.h>

#include "estimate/activations.h"
#include "estimate/flops.h"
#include "estimate/memory.h"

typedef cszi_tenant tenant;

/* ---- What is alive at every moment ---- */

static void hold_states(tenant *n)
{
    const cszi_case *c = n->c;
    const cszi_recipe *r = n->r;
    const cszi_share *s = &n->share;
    double stay = 1 - c->layout.offload_optimizer, there = c->layout.offload_parameters ? 0 : 1;
    double owned = cszi_layout_owned(&c->layout, s->dense, s->expert, CSZ_SHARDING_OPTIMIZER);
    n->owned = owned;
    n->base[CSZI_MEM_WEIGHTS] =
        there *
        (r->weights * cszi_layout_owned(&c->layout, s->dense, s->expert, CSZ_SHARDING_PARAMETERS) +
         r->frozen * cszi_layout_owned(&c->layout, s->frozen_dense - s->frozen_outer,
                                       s->frozen_expert, CSZ_SHARDING_PARAMETERS) +
         r->outer * cszi_layout_owned(&c->layout, s->frozen_outer, 0, CSZ_SHARDING_PARAMETERS) +
         cszi_other_bytes(c->workload) * cszi_layout_owned(&c->layout, s->other_dense,
                                                           s->other_expert,
                                                           CSZ_SHARDING_PARAMETERS));
    n->base[CSZI_MEM_MASTER] = stay * r->master * owned;
    n->base[CSZI_MEM_OPTIMIZER] =
        stay * (r->states * owned +
                (r->embedding - r->states) *
                    cszi_layout_owned(&c->layout, s->embedding, 0, CSZ_SHARDING_OPTIMIZER));
    n->gradients = there * r->gradients *
                   cszi_layout_owned(&c->layout, s->dense, s->expert, CSZ_SHARDING_GRADIENTS);
    if (c->stack->offloads_gradients)
        n->gradients *= stay; /* they follow the states that they update */
    if (c->layout.release)
        n->gradients = 0;
}

/* Communication buckets, low-precision copies, and what kernels keep: of weights, a gradient of
 * each shape of a layer. */
static void hold_buffers(tenant *n)
{
    const cszi_case *c = n->c;
    double whole = n->share.dense + n->share.expert;
    int frozen = cszi_is_adapter_job(c->workload);
    n->base[CSZI_MEM_BUFFERS] =
        c->stack->buckets * c->layout.bucket + n->r->copies * whole +
        n->r->frozen_copies * (n->share.frozen_dense + n->share.frozen_expert);
    if (c->stack->reducer_copies && cszi_layout_dense_shards(&c->layout) > 1)
        n->base[CSZI_MEM_BUFFERS] += n->r->gradients * whole;
    if (cszi_case_casts(c))
        n->cast = cszi_format_bytes(CSZ_FORMAT_BF16) *
                  (whole + n->share.frozen_dense + n->share.frozen_expert);
    n->base[CSZI_MEM_WORKSPACE] =
        c->stack->workspace + (frozen ? 0 : c->stack->weight_scratch * n->share.shapes);
}

/* ---- Activations ---- */

/* Whole stages of activations in flight: 1F1B holds min(m, p - i) micro-batches; interleaving 2 (p
 * - i - 1) + (v - 1) p + 1 chunks of 1 / v (Narayanan et al. 2021, section 2.2; Megatron-LM
 * schedules.py, warm-up count); inputs that wait for the gradients of weights make it p on every
 * stage, or 2 p - 1 (Qi et al. 2023, table 2); a V as many as 1F1B's first stage (Qi et al. 2024,
 * arXiv 2405.15362). A stage of both directions holds p + 1 of one stage (DeepSeek-V3, table 2),
 * and two stages. */
static double in_flight(const cszi_layout *l, int64_t stage)
{
    double p = (double)l->p, i = (double)stage, v = (double)l->v, m = (double)l->m;
    if (l->schedule == CSZ_SCHEDULE_ZB_H1)
        return fmin(m, p);
    if (l->schedule == CSZ_SCHEDULE_ZB_H2)
        return fmin(m, 2 * p - 1);
    if (l->schedule == CSZ_SCHEDULE_ZB_V)
        return fmin(m, p);
    if (l->schedule == CSZ_SCHEDULE_DUALPIPE)
        return fmin(m, p + 1) / 2;
    if (l->v == 1)
        return fmin(m, p - i);
    return fmin(m * v, 2 * (p - i - 1) + (v - 1) * p + 1) / v;
}

/* The embedding's output, with its dropout mask, and what the first layer reads is the same tensor.
 * The last norm keeps its input and hands on its output. */
static double outer_kept(const tenant *n)
{
    const cszi_case *c = n->c;
    const cszi_workload *w = c->workload;
    const cszi_layer_kind *k = &w->kinds[cszi_workload_last_kind(w)];
    double along = c->layout.sequence_parallel ? (double)c->layout.t : 1;
    double h = (double)w->hidden * cszi_layer_tokens(c, k) / along, bytes = 0;
    if (n->first && w->dropout)
        bytes += h;
    if (n->last)
        bytes += 2 * cszi_format_bytes(w->activation_format) * h;
    return bytes;
}

/* Of one micro-batch; layers that full recomputation covers, the others. */
static void hold_layers(tenant *n)
{
    const cszi_case *c = n->c;
    const cszi_layout *l = &c->layout;
    double one = outer_kept(n), layers = 0;
    double left = l->recompute == CSZ_RECOMPUTE_FULL ? (double)l->recompute_layers : 0;
    n->again = n->scores = n->backward = 0;
    for (int64_t i = 0; i < c->workload->kinds_count; i++) {
        const cszi_layer_bytes *kind = &n->kinds[i];
        double many = cszi_stage_kind_layers(c, n->stage, n->counts, i), full = fmin(many, left);
        if (many <= 0)
            continue;
        left -= full;
        layers += many;
        if (full > 0) {
            one += full * kind->input;
            n->again = fmax(n->again, kind->again[1]);
        }
        if (many > full) {
            one += (many - full) * kind->kept;
            n->again = fmax(n->again, kind->again[0]);
        }
        n->scores = fmax(n->scores, kind->scores);
        n->backward = fmax(n->backward, kind->backward);
    }
    n->away = cszi_offloaded_share(l, layers);
    n->one = one;
}

static void hold_activations(tenant *n, cszi_stage *at)
{
    double one = n->one;
    at->in_flight = in_flight(&n->c->layout, n->stage);
    at->offloaded = at->in_flight * one * n->away;
    one *= 1 - n->away;
    n->activations = at->in_flight * one;
    n->others = fmax(0, at->in_flight - 1 / (double)n->c->layout.copies) * one;
}

/* ---- Gathered units ---- */

typedef enum passing { PASS_FORWARD, PASS_HEAD, PASS_BACKWARD } passing;

/* What ZeRO-3 holds of weights: in the layers units at once and what stands outside of them, at the
 * output layer the latter alone; or the whole stage when weights stay gathered between passes. In
 * the backward pass whole gradients are on their way to be reduced. */
static double gathered(const tenant *n, passing pass, int backward)
{
    const cszi_case *c = n->c;
    const cszi_recipe *r = n->r;
    int frozen = cszi_is_adapter_job(c->workload);
    double one = frozen ? r->frozen : r->gathered, units = (double)c->layout.gathered;
    double whole, layers, bytes;
    if (!n->sharded)
        return 0;
    whole =
        frozen ? n->share.frozen_dense + n->share.frozen_expert : n->share.dense + n->share.expert;
    layers = pass == PASS_HEAD ? 0 : units * n->share.unit;
    bytes = one * fmin(whole, n->share.outer + layers);
    if (!c->layout.reshard)
        bytes = one * whole;
    if (backward && !frozen)
        bytes += r->transient *
                 (pass == PASS_HEAD ? n->share.outer : c->stack->reducing_units * n->share.unit);
    return bytes;
}

/* ---- Moments ---- */

static void keep_largest(const double part[CSZI_MEM_PARTS], csz_moment moment, cszi_stage *at)
{
    double sum = 0;
    for (int i = 0; i <= CSZI_MEM_WORKSPACE; i++)
        sum += part[i];
    if (sum <= at->allocated)
        return;
    memcpy(at->part, part, sizeof at->part);
    at->allocated = sum;
    at->moment = (int64_t)moment;
}

/* Gradients of earlier micro-batches, or a buffer that is always there. */
static double standing_gradients(const tenant *n)
{
    return n->c->stack->gradients_persist || n->c->layout.m > 1 ? n->gradients : 0;
}

static void load(const tenant *n, cszi_stage *at)
{
    double part[CSZI_MEM_PARTS] = {0};
    part[CSZI_MEM_WEIGHTS] = n->base[CSZI_MEM_WEIGHTS];
    part[CSZI_MEM_GATHERED] = gathered(n, PASS_FORWARD, 0);
    keep_largest(part, CSZ_MOMENT_LOAD, at);
}

static void forward(const tenant *n, cszi_stage *at)
{
    double part[CSZI_MEM_PARTS];
    memcpy(part, n->base, sizeof part);
    part[CSZI_MEM_GRADIENTS] = standing_gradients(n);
    part[CSZI_MEM_ACTIVATIONS] = n->activations;
    part[CSZI_MEM_BUFFERS] += n->cast;
    part[CSZI_MEM_GATHERED] = gathered(n, PASS_FORWARD, 0);
    keep_largest(part, CSZ_MOMENT_FORWARD, at);
    if (!n->last)
        return;
    part[CSZI_MEM_GATHERED] = gathered(n, PASS_HEAD, 0);
    part[CSZI_MEM_LOGITS] = n->logits * n->c->stack->loss_bytes[n->c->layout.loss];
    keep_largest(part, CSZ_MOMENT_LOSS, at);
}

/* Of a logit in the output layer's backward pass: its gradient; chunks wait for theirs. */
static double logit_bytes(const tenant *n)
{
    int chunked = n->c->layout.loss == CSZ_LOSS_KERNEL_CHUNKED;
    return chunked ? n->c->stack->loss_bytes[CSZ_LOSS_KERNEL_CHUNKED]
                   : cszi_format_bytes(n->c->workload->activation_format);
}

/* The output layer's gradient stands beside those of the logits; then the last layer's. */
static void first_backward(const tenant *n, cszi_stage *at)
{
    const cszi_workload *w = n->c->workload;
    int frozen = cszi_is_adapter_job(w);
    double part[CSZI_MEM_PARTS],
        head = (double)n->c->parameters.head_matrix / (double)n->c->layout.t;
    memcpy(part, n->base, sizeof part);
    part[CSZI_MEM_GRADIENTS] = standing_gradients(n);
    part[CSZI_MEM_ACTIVATIONS] = n->activations;
    part[CSZI_MEM_BUFFERS] += n->cast;
    part[CSZI_MEM_GATHERED] = gathered(n, PASS_HEAD, 1);
    if (n->last && n->c->layout.loss != CSZ_LOSS_KERNEL_LINEAR) {
        part[CSZI_MEM_LOGITS] = n->logits * logit_bytes(n);
        part[CSZI_MEM_WORKSPACE] += frozen || n->sharded ? 0 : 2 * head;
        keep_largest(part, CSZ_MOMENT_FIRST_BACKWARD, at);
        part[CSZI_MEM_WORKSPACE] = n->base[CSZI_MEM_WORKSPACE];
        part[CSZI_MEM_LOGITS] = 0;
    }
    part[CSZI_MEM_GATHERED] = gathered(n, PASS_BACKWARD, 1);
    part[CSZI_MEM_WORKSPACE] += n->again + n->backward;
    keep_largest(part, CSZ_MOMENT_FIRST_BACKWARD, at);
}

/* Every gradient of the step is there; the micro-batch at work has one layer left, then the
 * embedding, then nothing once the last of them are reduced. */
static void last_backward(const tenant *n, cszi_stage *at)
{
    int trained = !cszi_is_adapter_job(n->c->workload) && !n->sharded;
    double part[CSZI_MEM_PARTS], embedding = trained ? n->r->transient * n->share.outer : 0;
    memcpy(part, n->base, sizeof part);
    part[CSZI_MEM_GRADIENTS] = n->gradients;
    part[CSZI_MEM_ACTIVATIONS] = n->others;
    part[CSZI_MEM_GATHERED] = gathered(n, PASS_BACKWARD, 1);
    part[CSZI_MEM_WORKSPACE] += fmax(n->again + n->backward, embedding);
    keep_largest(part, CSZ_MOMENT_LAST_BACKWARD, at);
    part[CSZI_MEM_WORKSPACE] = n->base[CSZI_MEM_WORKSPACE];
    keep_largest(part, CSZ_MOMENT_REDUCTION, at);
}

/* Eager optimizers keep temporaries of all parameters, or of one at a time inside the backward
 * pass; some convert all gradients first. */
static void optimizer(const tenant *n, cszi_stage *at)
{
    const cszi_share *s = &n->share;
    double part[CSZI_MEM_PARTS], owned = n->owned;
    memcpy(part, n->base, sizeof part);
    part[CSZI_MEM_GRADIENTS] = n->gradients;
    if (n->c->layout.release)
        owned = fmin(owned, fmax(s->unit, s->outer));
    part[CSZI_MEM_WORKSPACE] += (n->r->temporary + n->c->stack->gradient_copy) *
                                (1 - n->c->layout.offload_optimizer) * owned;
    keep_largest(part, CSZ_MOMENT_OPTIMIZER, at);
}

/* Keys and values that generation caches, of one token. */
static double cache_bytes(const tenant *n)
{
    const cszi_workload *w = n->c->workload;
    double bytes = 0;
    for (int64_t i = 0; i < w->kinds_count; i++) {
        const cszi_layer_kind *k = &w->kinds[i];
        double width = k->attention == CSZ_ATTENTION_LATENT
                           ? (double)(k->kv_rank + k->rope_dim)
                           : cszi_kind_rank_kv_heads(k, (double)n->c->layout.t) *
                                 (double)(cszi_kind_query_dim(k, w->hidden) +
                                          cszi_kind_value_dim(k, w->hidden));
        if (cszi_kind_has_scores(k))
            bytes += cszi_stage_kind_layers(n->c, n->stage, n->counts, i) * width;
    }
    return bytes * cszi_format_bytes(w->activation_format);
}

/* A forward pass that keeps nothing: one layer and the logits, or the cache of generated tokens. */
static void evaluation(const tenant *n, cszi_stage *at)
{
    const cszi_workload *w = n->c->workload;
    const cszi_layout *l = &n->c->layout;
    int generates = w->method == CSZ_METHOD_PPO || w->method == CSZ_METHOD_GRPO;
    int64_t b = w->evaluation_batch != 0 ? w->evaluation_batch : generates ? l->b : 0;
    double part[CSZI_MEM_PARTS], times = (double)b / (double)l->b;
    if (b == 0)
        return;
    memcpy(part, n->base, sizeof part);
    part[CSZI_MEM_GATHERED] = gathered(n, PASS_FORWARD, 0);
    part[CSZI_MEM_WORKSPACE] += times * (n->backward + n->scores);
    if (generates)
        part[CSZI_MEM_ACTIVATIONS] = cache_bytes(n) * (double)l->s * (double)b / (double)l->c;
    else if (n->last)
        part[CSZI_MEM_LOGITS] = times * n->logits * n->c->stack->loss_bytes[CSZ_LOSS_KERNEL_PLAIN];
    keep_largest(part, CSZ_MOMENT_EVALUATION, at);
}

/* A checkpoint between two steps: no gradients; sharded weights are gathered unit by unit and
 * handed to the host. */
static void checkpoint(const tenant *n, cszi_stage *at)
{
    double part[CSZI_MEM_PARTS];
    memcpy(part, n->base, sizeof part);
    if (n->sharded)
        part[CSZI_MEM_GATHERED] = n->r->weights * fmax(n->share.outer, n->share.unit);
    keep_largest(part, CSZ_MOMENT_CHECKPOINT, at);
}

/* ---- A stage ---- */

/* Values of the logits of one micro-batch on a tensor rank. */
static double logit_count(const tenant *n)
{
    const cszi_case *c = n->c;
    const cszi_workload *w = c->workload;
    const cszi_layout *l = &c->layout;
    if (!n->last || !w->output_layer || w->method == CSZ_METHOD_REWARD)
        return 0;
    return (double)(1 + w->prediction_layers) * cszi_head_share(w) * (double)l->s * (double)l->b /
           (double)l->c * (double)w->vocab / (double)l->t;
}

void cszi_tenant_open(const cszi_case *c, const cszi_recipe *recipe, cszi_tenant *n)
{
    n->c = c;
    n->r = recipe;
    n->sharded = c->layout.sharding >= CSZ_SHARDING_PARAMETERS;
    n->counts[0] = -1;
    for (int64_t i = 0; i < c->workload->kinds_count; i++)
        cszi_layer_bytes_of(c, &c->workload->kinds[i], &n->kinds[i]);
}

/* Goes to a stage; whether it holds what the one before held. */
static int move_in(tenant *n, int64_t stage)
{
    const cszi_case *c = n->c;
    int64_t counts[CSZI_KINDS],
        predictions = cszi_stage_predictions(c->workload, &c->layout, stage);
    int first = cszi_stage_is_first(&c->layout, stage),
        last = cszi_stage_is_last(&c->layout, stage);
    int same;
    cszi_stage_layers(c->workload, &c->layout, c->parameters.layers, stage, counts);
    same = n->counts[0] >= 0 &&
           memcmp(counts, n->counts, (size_t)c->workload->kinds_count * sizeof *counts) == 0 &&
           first == n->first && last == n->last && predictions == n->predictions;
    n->stage = stage;
    n->first = first;
    n->last = last;
    n->predictions = predictions;
    memcpy(n->counts, counts, sizeof counts);
    return same;
}

static void hold(tenant *n)
{
    cszi_stage_share(n->c, n->stage, n->counts, &n->share);
    n->logits = logit_count(n);
    n->cast = 0;
    memset(n->base, 0, sizeof n->base);
    hold_states(n);
    hold_buffers(n);
    hold_layers(n);
}

double cszi_tenant_enter(cszi_tenant *n, int64_t stage)
{
    if (!move_in(n, stage))
        hold(n);
    return in_flight(&n->c->layout, stage);
}

double cszi_tenant_standing(cszi_tenant *n)
{
    double bytes = 0;
    n->sharded = n->c->layout.sharding >= CSZ_SHARDING_PARAMETERS;
    n->cast = 0;
    hold_states(n);
    hold_buffers(n);
    for (int i = 0; i <= CSZI_MEM_WORKSPACE; i++)
        bytes += n->base[i];
    return bytes + standing_gradients(n) + n->cast + gathered(n, PASS_BACKWARD, 1) + n->backward;
}

void cszi_stage_peak(cszi_tenant *n, int64_t stage, cszi_stage *at)
{
    if (!move_in(n, stage))
        hold(n);
    at->layers = 0;
    for (int i = 0; i < CSZI_KINDS; i++)
        at->layers += n->counts[i];
    at->parameters = (int64_t)(n->share.dense + n->share.expert + n->share.frozen_dense +
                               n->share.frozen_expert);
    hold_activations(n, at);
    at->allocated = 0;
    load(n, at);
    forward(n, at);
    first_backward(n, at);
    last_backward(n, at);
    optimizer(n, at);
    evaluation(n, at);
    checkpoint(n, at);
}
