/* states.c: weights, gradients, master weights and moments: ZeRO (Rajbhandari et al. 2020,
 * section 3) and Megatron-Core's dist_optimizer.md. */
#include "estimate/states.h"
#include "workload/slots.h"

#include <math.h>

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
    /* The same with fp32 constants. */
    case CSZ_FORMAT_NF4_SINGLE:
        return 0.5 + 4.0 / 64;
    case CSZ_FORMAT_NONE:
    case CSZ_FORMAT_MAX_ENUM:
        break;
    }
    return 0;
}

/* ---- Recipe ---- */

/* 8-bit moments add a fp32 scale for 256 values (bitsandbytes, torchao; Dettmers et al. 2022 used
 * 2,048), 4-bit ones for 128. */
#define ADAM_8BIT_BYTES (2 * (1 + 4.0 / 256))
#define ADAM_4BIT_BYTES (2 * (0.5 + 4.0 / 128))

/* Bytes of moments per parameter. Adafactor keeps rows and columns only: negligible. Muon: one
 * moment on matrices of the layers. Paged moments stand in memory that the host backs. */
static double state_bytes(const cszi_workload *w, double one)
{
    switch ((csz_optimizer)w->optimizer) {
    case CSZ_OPTIMIZER_ADAMW:
        return 2 * one;
    case CSZ_OPTIMIZER_ADAM_8BIT:
        return ADAM_8BIT_BYTES;
    case CSZ_OPTIMIZER_ADAM_4BIT:
        return ADAM_4BIT_BYTES;
    case CSZ_OPTIMIZER_MOMENTUM:
    case CSZ_OPTIMIZER_LION:
    case CSZ_OPTIMIZER_MUON:
        return one;
    case CSZ_OPTIMIZER_PAGED_ADAM_8BIT:
    case CSZ_OPTIMIZER_SGD:
    case CSZ_OPTIMIZER_ADAFACTOR:
    case CSZ_OPTIMIZER_MAX_ENUM:
        break;
    }
    return 0;
}

/* Bytes of moments per parameter outside the layers: 8-bit optimizers keep those of embeddings in
 * fp32, and Muon leaves embedding and output layer to Adam. */
static double outer_state_bytes(const cszi_workload *w, double one, double states)
{
    if (w->optimizer == CSZ_OPTIMIZER_ADAM_8BIT || w->optimizer == CSZ_OPTIMIZER_ADAM_4BIT)
        return 2 * cszi_format_bytes(CSZ_FORMAT_FP32);
    return w->optimizer == CSZ_OPTIMIZER_MUON ? 2 * one : states;
}

/* Temporaries of an eager step over all parameters at once (torch.optim's foreach implementations):
 * the root of Adam's second moment, Lion's update; others work in place or matrix by matrix. */
static double temporary_bytes(const cszi_workload *w, double one)
{
    return w->optimizer == CSZ_OPTIMIZER_ADAMW || w->optimizer == CSZ_OPTIMIZER_LION ? one : 0;
}

static double either(int is_set, int64_t given, int usual)
{
    return cszi_format_bytes(is_set ? given : usual);
}

/* One low-precision copy of weights stays cached across micro-batches, unless the weights are in it
 * themselves. */
static double copy_bytes(const cszi_case *c, double weights)
{
    int64_t format = c->workload->compute_format;
    double bytes =
        format == CSZ_FORMAT_FP8 || format == CSZ_FORMAT_FP4 ? cszi_format_bytes(format) : 0;
    return bytes < weights && c->stack->caches_low ? bytes : 0;
}

void cszi_case_recipe(const cszi_case *c, cszi_recipe *recipe)
{
    const cszi_workload *w = c->workload;
    const cszi_stack *stack = c->stack;
    int frozen = w->job == CSZ_JOB_QLORA ? CSZ_FORMAT_NF4 : CSZ_FORMAT_BF16;
    double one =
        either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_STATE_FORMAT), w->state_format, stack->states);
    recipe->weights =
        either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_WEIGHT_FORMAT), w->weight_format, stack->weights);
    recipe->gradients = either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_GRADIENT_FORMAT),
                               w->gradient_format, stack->gradients);
    recipe->master =
        either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_MASTER_FORMAT), w->master_format, stack->master);
    recipe->states = state_bytes(w, one);
    recipe->embedding = outer_state_bytes(w, one, recipe->states);
    recipe->temporary = c->layout.in_place ? 0 : temporary_bytes(w, one);
    recipe->paged = w->optimizer == CSZ_OPTIMIZER_PAGED_ADAM_8BIT ? ADAM_8BIT_BYTES : 0;
    recipe->gathered = stack->gathers_weights ? fmin(2, recipe->weights) : recipe->weights;
    recipe->transient = stack->gradients_fused ? 0 : fmin(recipe->gradients, recipe->gathered);
    recipe->copies = copy_bytes(c, recipe->weights);
    recipe->outer = fmax(
        either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_FROZEN_FORMAT), w->frozen_format, frozen), 2);
    recipe->frozen =
        either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_FROZEN_FORMAT), w->frozen_format, frozen);
    recipe->frozen_copies = copy_bytes(c, recipe->frozen);
}

int cszi_case_casts(const cszi_case *c)
{
    const cszi_workload *w = c->workload;
    double weights = cszi_is_adapter_job(w)
                         ? either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_FROZEN_FORMAT),
                                  w->frozen_format, CSZ_FORMAT_BF16)
                         : either(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_WEIGHT_FORMAT),
                                  w->weight_format, c->stack->weights);
    return c->stack->casts_all && c->layout.sharding < CSZ_SHARDING_PARAMETERS && weights > 2;
}

/* ---- Models of a method ---- */

int cszi_method_trained(const cszi_workload *w)
{
    return w->method == CSZ_METHOD_PPO ? 2 : 1; /* the critic too */
}

/* Adapters are switched off to get the reference; what scores or teaches is a model of its own, and
 * the critic has a frozen base. */
int cszi_method_frozen(const cszi_workload *w)
{
    int adapters = cszi_is_adapter_job(w);
    switch ((csz_method)w->method) {
    case CSZ_METHOD_DPO:
    case CSZ_METHOD_KTO:
    case CSZ_METHOD_GRPO:
        return adapters ? 0 : 1;
    case CSZ_METHOD_DISTILL:
        return 1;
    case CSZ_METHOD_PPO:
        return 2;
    case CSZ_METHOD_SUPERVISED:
    case CSZ_METHOD_PAIRS:
    case CSZ_METHOD_REWARD:
    case CSZ_METHOD_MAX_ENUM:
        break;
    }
    return 0;
}

double cszi_other_bytes(const cszi_workload *w)
{
    return cszi_format_bytes(CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_FROZEN_FORMAT) ? w->frozen_format
                                                                               : CSZ_FORMAT_BF16);
}

/* ---- Share of a stage ---- */

static double dense_of(const cszi_case *c, const cszi_layer_parameters *k)
{
    return (double)k->sharded / (double)c->layout.t + (double)k->replicated;
}

static double expert_of(const cszi_case *c, const cszi_layer_parameters *k)
{
    return (double)k->experts / (double)(c->layout.e * c->layout.etp);
}

static double one_expert(const cszi_case *c, int64_t kind)
{
    int64_t experts = c->workload->kinds[kind].experts;
    return experts != 0
               ? (double)c->parameters.kinds[kind].experts / (double)(experts * c->layout.etp)
               : 0;
}

/* Embedding on the first stage; the output layer on the last one, a copy even when tied, if there
 * is a pipeline. Prediction layers need the embedding beside it too. Towers are apart. */
static double outer_of(const cszi_case *c, int64_t stage)
{
    const cszi_workload *w = c->workload;
    const cszi_parameters *p = &c->parameters;
    int first = cszi_stage_is_first(&c->layout, stage);
    double embedding = (double)p->embedding / (double)c->layout.t, t = (double)c->layout.t,
           size = first ? embedding : 0, beside = 0;
    if (!first && cszi_stage_predictions(w, &c->layout, stage) > 0)
        beside = embedding;
    if (!cszi_stage_is_last(&c->layout, stage))
        return size + beside;
    size += (double)p->outer_norms;
    if (first)
        return size + (double)p->head / t;
    size += (double)(p->head_matrix + (w->head_bias ? w->vocab : 0)) / t;
    return size + beside;
}

/* Parameters outside the layers whose moments differ. */
static double embedding_of(const cszi_case *c, int64_t stage, double outer)
{
    if (c->workload->optimizer == CSZ_OPTIMIZER_MUON)
        return outer;
    return cszi_stage_is_first(&c->layout, stage)
               ? (double)c->parameters.embedding / (double)c->layout.t
               : 0;
}

double cszi_stage_kind_layers(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                              int64_t kind)
{
    double n = (double)counts[kind];
    if (kind == cszi_workload_last_kind(c->workload))
        n += (double)cszi_stage_predictions(c->workload, &c->layout, stage);
    return n;
}

/* Frozen and trained apart, then the other models of the method. */
static void split_share(const cszi_case *c, double adapters, double expert_adapters, double towers,
                        cszi_share *s)
{
    const cszi_workload *w = c->workload;
    double trained = (double)cszi_method_trained(w), others = (double)cszi_method_frozen(w);
    s->other_dense = others * (s->dense + towers);
    s->other_expert = others * s->expert;
    if (cszi_is_adapter_job(w)) {
        s->frozen_dense = s->dense + towers;
        s->frozen_outer = s->outer;
        s->frozen_expert = s->expert;
        s->dense = adapters;
        s->expert = expert_adapters;
        s->embedding = 0;
    } else if (w->frozen_extra) {
        s->frozen_dense = towers;
        s->frozen_outer = towers;
    } else {
        s->dense += towers;
    }
    s->dense *= trained;
    s->expert *= trained;
    s->embedding *= trained;
}

void cszi_stage_share(const cszi_case *c, int64_t stage, const int64_t counts[CSZI_KINDS],
                      cszi_share *s)
{
    const cszi_parameters *p = &c->parameters;
    double t = (double)c->layout.t, cut = (double)(c->layout.e * c->layout.etp), adapters = 0;
    double expert_adapters = 0, towers = cszi_stage_is_first(&c->layout, stage)
                                             ? (double)c->workload->extra_parameters
                                             : 0;
    *s = (cszi_share){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    s->outer = outer_of(c, stage);
    s->embedding = embedding_of(c, stage, s->outer);
    s->dense = s->outer;
    for (int64_t i = 0; i < p->kind_count; i++) {
        double n = cszi_stage_kind_layers(c, stage, counts, i);
        s->dense += n * dense_of(c, &p->kinds[i]);
        s->expert += n * expert_of(c, &p->kinds[i]);
        adapters += n * (double)p->kinds[i].adapters / t;
        expert_adapters += n * (double)p->kinds[i].expert_adapters / cut;
        if (n <= 0)
            continue;
        s->unit = fmax(s->unit, dense_of(c, &p->kinds[i]) + expert_of(c, &p->kinds[i]));
        s->shapes = fmax(s->shapes, dense_of(c, &p->kinds[i]) + one_expert(c, i));
    }
    s->dense += (double)cszi_stage_predictions(c->workload, &c->layout, stage) *
                (double)p->prediction_extra / t;
    s->outer += towers;
    split_share(c, adapters, expert_adapters, towers, s);
}

/* ---- Sharding ---- */

double cszi_layout_expert_group(const cszi_layout *l)
{
    double all = (double)cszi_layout_expert_shards(l);
    return fmax(1, all * (double)l->group / (double)cszi_layout_dense_shards(l));
}

/* ZeRO stage by stage: what is shared divides by the group that holds the same parameters. */
double cszi_layout_owned(const cszi_layout *l, double dense, double expert, csz_sharding from)
{
    if (l->sharding < (int64_t)from)
        return dense + expert;
    return dense / (double)l->group + expert / cszi_layout_expert_group(l);
}
