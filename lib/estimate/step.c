/* step.c: the step put together from its layers, pipeline, data-parallel traffic and optimizer.
 * Each term of the result is exposed time; they sum to the likely step time. */
#include <math.h>
#include <string.h>

#include "estimate/activations.h"
#include "estimate/flops.h"
#include "estimate/layer.h"
#include "estimate/muon.h"
#include "estimate/offload.h"
#include "estimate/step.h"
#include "workload/slots.h"

typedef cszi_stage_time stage_time;
typedef cszi_step step;

static void add_pass(cszi_pass *to, const cszi_pass *pass, double n)
{
    to->matrices += n * pass->matrices;
    to->attention += n * pass->attention;
    to->pointwise += n * pass->pointwise;
    to->tensor += n * pass->tensor;
    to->context += n * pass->context;
    to->expert += n * pass->expert;
}

static void add_stage(stage_time *to, const stage_time *stage)
{
    add_pass(&to->forward, &stage->forward, 1);
    add_pass(&to->backward, &stage->backward, 1);
    to->recompute += stage->recompute;
    to->host += stage->host;
    to->logits += stage->logits;
    to->transfer += stage->transfer;
    to->total += stage->total;
    to->alone += stage->alone;
}

static double computing(const cszi_pass *pass)
{
    return pass->matrices + pass->attention + pass->pointwise;
}

/* Of two directions each has half of the micro-batches, and a stage its layers in both: the mean of
 * a micro-batch is half of it all. The passes of a pair run beside each other, and each hides the
 * other's expert traffic as far as it computes (DeepSeek-V3, arXiv 2412.19437, section 3.2.1). */
static void pair_passes(stage_time *at)
{
    cszi_pass forward = at->forward, backward = at->backward;
    forward.expert = fmax(0, forward.expert - computing(&backward) - at->recompute);
    backward.expert = fmax(0, backward.expert - computing(&forward));
    at->forward = at->backward = (cszi_pass){0, 0, 0, 0, 0, 0};
    add_pass(&at->forward, &forward, 0.5);
    add_pass(&at->backward, &backward, 0.5);
    at->recompute /= 2;
    at->host /= 2;
    at->logits /= 2;
    at->alone /= 2;
    at->offloaded /= 2;
}

static double micro_tokens(const cszi_case *c)
{
    return (double)c->layout.s * (double)c->layout.b / (double)c->layout.c;
}

/* The projection of two hidden states into one before a prediction layer. */
static double projection_time(const step *s)
{
    double m = micro_tokens(s->c), h = (double)s->c->workload->hidden;
    cszi_product p = {m, h / (double)s->c->layout.t, 2 * h, 1, m, s->r.wide, s->r.byte, 0};
    return cszi_product_forward(&s->r, &p) +
           cszi_product_backward(&s->r, &p, !cszi_is_adapter_job(s->c->workload));
}

cszi_product cszi_head_product(const cszi_case *c, const cszi_rates *r)
{
    const cszi_workload *w = c->workload;
    double m = micro_tokens(c) * cszi_head_share(w), n = (double)w->vocab / (double)c->layout.t;
    double width = (double)(w->embedding_width != 0 ? w->embedding_width : w->hidden);
    cszi_product p = {m, n, width, 1, m, r->wide, r->byte, 0};
    return p;
}

double cszi_head_bytes(const cszi_product *head)
{
    return 24 * head->m * head->n;
}

/* The output layer in 16 bit, and 24 bytes a logit for loss and gradient; for every model of the
 * method that gives logits, though only the trained one has the gradient. */
static double logits_time(const step *s)
{
    const cszi_workload *w = s->c->workload;
    const cszi_passes passes = cszi_method_passes(w);
    const cszi_product p = cszi_head_product(s->c, &s->r);
    double once =
        passes.logits * (cszi_product_forward(&s->r, &p) + cszi_head_bytes(&p) / s->r.memory) +
        cszi_product_backward(&s->r, &p, !cszi_is_adapter_job(w));
    if (!w->output_layer || passes.logits <= 0)
        return 0;
    return once * (double)(1 + w->prediction_layers) +
           (double)w->prediction_layers * projection_time(s);
}

/* Look-up and its gradient: the hidden states are written once and read once, and the gradient is
 * added in fp32. */
static double embedding_time(const step *s)
{
    double bytes = (2 * s->r.byte + 4) * micro_tokens(s->c) * (double)s->c->workload->hidden;
    return 2 * s->r.launch + bytes / s->r.memory;
}

double cszi_ends_time(const cszi_case *c, const cszi_rates *rates)
{
    const step s = {.c = c, .r = *rates};
    return embedding_time(&s) + logits_time(&s);
}

/* Hidden states to the next stage and gradients back, for each chunk. Ranks of a stage lie
 * together: the hop leaves the domain unless the whole job is inside it. */
static double transfer_time(const step *s)
{
    const cszi_layout *l = &s->c->layout;
    const cszi_passes passes = cszi_method_passes(s->c->workload);
    double bytes, hop = (double)l->used <= s->r.domain ? s->r.link : s->r.nic;
    if (l->p == 1)
        return 0;
    bytes = s->r.byte * micro_tokens(s->c) * (double)s->c->workload->hidden / (double)l->t;
    return s->c->stack->exposed_pipeline * (passes.forward + passes.backward) * (double)l->v *
           (s->c->stack->latency_pipeline + bytes / hop);
}

double cszi_hop_time(const cszi_case *c, const cszi_rates *rates)
{
    const step s = {.c = c, .r = *rates};
    return transfer_time(&s);
}

/* Activations of a micro-batch in layers of a kind, of which a share goes to the host. */
static double offloaded_of(const cszi_case *c, const cszi_layer_kind *kind, double covered,
                           double others)
{
    cszi_layer_bytes bytes;
    if (!c->layout.offload_activations)
        return 0;
    cszi_layer_bytes_of(c, kind, &bytes);
    return (covered > 0 ? covered * bytes.input : 0) + (others > 0 ? others * bytes.kept : 0);
}

static void time_stage(const step *s, int64_t stage, const int64_t counts[CSZI_KINDS],
                       stage_time *at)
{
    const cszi_workload *w = s->c->workload;
    double room = (double)s->c->layout.recompute_layers, layers = 0;
    *at = (stage_time){{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0};
    for (int64_t i = 0; i < w->kinds_count; i++) {
        const cszi_layer_time *kind = &s->kinds[i];
        double n = cszi_stage_kind_layers(s->c, stage, counts, i),
               covered = cszi_layout_covered(&s->c->layout, n, &room);
        add_pass(&at->forward, &kind->forward, n);
        add_pass(&at->backward, &kind->backward, n);
        at->recompute += covered * kind->recompute[1] + (n - covered) * kind->recompute[0];
        at->host += covered * kind->host[1] + (n - covered) * kind->host[0];
        at->offloaded += offloaded_of(s->c, &w->kinds[i], covered, n - covered);
        layers += n;
    }
    at->offloaded *= cszi_offloaded_share(&s->c->layout, layers);
    at->logits = (cszi_stage_is_first(&s->c->layout, stage) ? embedding_time(s) : 0) +
                 (cszi_stage_is_last(&s->c->layout, stage) ? logits_time(s) : 0);
    at->alone = cszi_pass_sum(&at->backward) + at->recompute;
    if (s->c->layout.copies > 1)
        pair_passes(at);
    at->transfer = transfer_time(s);
    at->total = cszi_pass_sum(&at->forward) + cszi_pass_sum(&at->backward) + at->recompute +
                at->host + at->logits + at->transfer;
}

static double share_size(const cszi_share *s)
{
    return s->dense + s->expert + s->frozen_dense + s->frozen_expert + s->other_dense +
           s->other_expert;
}

static void record_stage(const stage_time *at, cszi_stage *to)
{
    const cszi_pass *f = &at->forward, *b = &at->backward;
    to->time = at->total;
    to->time_part[CSZI_TIME_MATRICES] = f->matrices + b->matrices;
    to->time_part[CSZI_TIME_ATTENTION] = f->attention + b->attention;
    to->time_part[CSZI_TIME_POINTWISE] = f->pointwise + b->pointwise;
    to->time_part[CSZI_TIME_RECOMPUTE] = at->recompute;
    to->time_part[CSZI_TIME_LOGITS] = at->logits;
    to->time_part[CSZI_TIME_TENSOR] = f->tensor + b->tensor;
    to->time_part[CSZI_TIME_CONTEXT] = f->context + b->context;
    to->time_part[CSZI_TIME_EXPERT] = f->expert + b->expert;
    to->time_part[CSZI_TIME_PIPELINE] = at->transfer;
    to->time_part[CSZI_TIME_HOST] = at->host;
}

/* A stage, and what it depends on. */
typedef struct timed_stage {
    int64_t counts[CSZI_KINDS];
    int64_t predictions;
    int first, last;
    stage_time at;
} timed_stage;

/* Stages that hold the same layers as the one before take as long. */
static int is_timed(const step *s, int64_t stage, timed_stage *t)
{
    const cszi_layout *l = &s->c->layout;
    size_t kinds = (size_t)s->c->workload->kinds_count;
    timed_stage now;
    now.predictions = cszi_stage_predictions(s->c->workload, l, stage);
    now.first = cszi_stage_is_first(l, stage);
    now.last = cszi_stage_is_last(l, stage);
    cszi_stage_layers(s->c->workload, l, s->c->parameters.layers, stage, now.counts);
    if (stage > 0 && memcmp(now.counts, t->counts, kinds * sizeof *now.counts) == 0 &&
        now.predictions == t->predictions && now.first == t->first && now.last == t->last)
        return 1;
    memcpy(t->counts, now.counts, sizeof now.counts);
    t->predictions = now.predictions;
    t->first = now.first;
    t->last = now.last;
    return 0;
}

static void time_new_stage(step *s, int64_t stage, timed_stage *t)
{
    cszi_share share;
    time_stage(s, stage, t->counts, &t->at);
    if (t->at.total > s->slowest) {
        s->slowest = t->at.total;
        s->slowest_stage = stage;
        s->worst = t->at;
    }
    cszi_stage_share(s->c, stage, t->counts, &share);
    if (share_size(&share) > share_size(&s->share)) {
        s->share = share;
        s->muon = cszi_muon_flops(s->c, stage, t->counts);
    }
}

void cszi_step_open(cszi_step *s, const cszi_case *c, const cszi_rates *rates,
                    const cszi_layer_time times[CSZI_KINDS], cszi_estimate *estimate)
{
    timed_stage t;
    memset(s, 0, sizeof *s);
    s->c = c;
    s->r = *rates;
    s->kinds = times;
    s->other = cszi_other_bytes(c->workload);
    cszi_case_recipe(c, &s->recipe);
    for (int64_t stage = 0; stage < c->layout.p; stage++) {
        if (!is_timed(s, stage, &t))
            time_new_stage(s, stage, &t);
        add_stage(&s->sum, &t.at);
        if (stage < estimate->stage_count && estimate->stages != NULL)
            record_stage(&t.at, &estimate->stages[stage]);
    }
}

/* ---- Data-parallel traffic ---- */

/* Time on the wire of one collective that moves `bytes` (n - 1) / n through each rank of a group.
 */
static double ring_time(const step *s, double bytes, double stride, double n)
{
    double domains;
    if (n <= 1 || bytes <= 0)
        return 0;
    domains = cszi_group_domains(&s->r, stride, n);
    return s->r.latency_in + (domains > 1 ? s->r.latency_out * domains : 0) +
           bytes * (n - 1) / n / cszi_group_bandwidth(&s->r, stride, n);
}

/* One pass over dense and expert parameters in the groups that share them, by bytes held on a rank.
 */
static double both_groups(const step *s, double dense, double expert)
{
    const cszi_layout *l = &s->c->layout;
    return ring_time(s, dense, (double)l->t, (double)l->group) +
           ring_time(s, expert, (double)(l->e * l->etp), cszi_layout_expert_group(l));
}

/* Hybrid sharding: the groups reduce each shard among themselves, 2 (n - 1) / n of its bytes (Zhao
 * et al. 2023, section 3.2.2). */
static double across_groups(const step *s, double dense, double expert)
{
    const cszi_layout *l = &s->c->layout;
    double group = (double)l->group, experts = cszi_layout_expert_group(l);
    return ring_time(s, 2 * dense / group, (double)l->t * group,
                     (double)cszi_layout_dense_shards(l) / group) +
           ring_time(s, 2 * expert / experts, (double)(l->e * l->etp) * experts,
                     (double)cszi_layout_expert_shards(l) / experts);
}

/* Gradients on the wire: the stack's bytes, or those of the format that the workload names. */
static double reduce_time(const step *s)
{
    const cszi_workload *w = s->c->workload;
    double byte = s->c->stack->reduce_bytes;
    if (CSZI_WORKLOAD_SETS(w, CSZ_WORKLOAD_GRADIENT_FORMAT))
        byte = cszi_format_bytes(w->gradient_format);
    return both_groups(s, byte * s->share.dense, byte * s->share.expert) +
           across_groups(s, byte * s->share.dense, byte * s->share.expert);
}

/* Weights on the wire, the frozen ones too. */
static double gather_time(const step *s)
{
    return both_groups(s, s->r.byte * s->share.dense + s->recipe.frozen * s->share.frozen_dense,
                       s->r.byte * s->share.expert + s->recipe.frozen * s->share.frozen_expert);
}

/* ZeRO-3: weights are gathered forward and backward, unless they stay gathered between the two, and
 * gradients scattered for each micro-batch, or once a step where a pipeline keeps what it gathered
 * through all of them; other models are gathered forward. What the computation cannot hide, and a
 * share that is never hidden. */
static double gathered_time(const step *s)
{
    double gather = gather_time(s), scatter = reduce_time(s);
    double others =
        both_groups(s, s->other * s->share.other_dense, s->other * s->share.other_expert);
    double again = s->c->layout.reshard ? gather : 0;
    double copies = s->c->stack->gather_copies * (s->share.dense + s->share.expert) / s->r.memory;
    double forward = cszi_pass_sum(&s->worst.forward),
           backward = cszi_pass_sum(&s->worst.backward) + s->worst.recompute;
    double rounds = s->c->layout.p > 1 && !s->c->layout.reshard ? 1 : (double)s->c->layout.m;
    return rounds *
           (copies + fmax(0, gather + others - forward) + fmax(0, again + scatter - backward) +
            s->c->stack->exposed_gather * (gather + others + again + scatter));
}

/* Reduction of gradients and gather of weights once a step (ZeRO-2 without a pipeline: reduction
 * for each micro-batch); overlapping stacks hide it behind one micro-batch, behind p of them when
 * chunks are interleaved. */
static double data_time(const step *s)
{
    const cszi_layout *l = &s->c->layout;
    const cszi_stack *stack = s->c->stack;
    int each = l->sharding == CSZ_SHARDING_GRADIENTS && l->p == 1;
    double passes = each ? (double)l->m : 1, comm, window;
    double trained = both_groups(s, s->r.byte * s->share.dense, s->r.byte * s->share.expert);
    if (l->sharding == CSZ_SHARDING_PARAMETERS)
        return gathered_time(s);
    comm = passes * reduce_time(s) + (l->sharding == CSZ_SHARDING_NONE ? reduce_time(s) : trained);
    if (stack->overlaps_data <= 0)
        return comm;
    window =
        s->worst.total * fmax(passes, l->schedule == CSZ_SCHEDULE_INTERLEAVED ? (double)l->p : 1);
    return fmax(stack->exposed_data * comm, comm - window);
}

/* ---- States ---- */

/* The part of the optimizer that steps on the accelerator: its bytes, and Muon's products. */
static double optimizer_time(const step *s)
{
    double bytes =
        cszi_optimizer_bytes(&s->recipe) *
        cszi_layout_owned(&s->c->layout, s->share.dense, s->share.expert, CSZ_SHARDING_OPTIMIZER);
    return (1 - s->c->layout.offload_optimizer) * (bytes / s->r.memory + s->muon / s->r.wide);
}

static double offload_time(const step *s)
{
    const cszi_share *p = &s->share;
    const cszi_offloaded o = {
        .trained = cszi_layout_owned(&s->c->layout, p->dense, p->expert, CSZ_SHARDING_OPTIMIZER),
        .frozen = s->recipe.frozen * cszi_layout_owned(&s->c->layout, p->frozen_dense,
                                                       p->frozen_expert, CSZ_SHARDING_PARAMETERS),
        .others = s->other * cszi_layout_owned(&s->c->layout, p->other_dense, p->other_expert,
                                               CSZ_SHARDING_PARAMETERS),
        .activations = s->worst.offloaded,
        .compute = cszi_pass_sum(&s->worst.forward) + cszi_pass_sum(&s->worst.backward) +
                   s->worst.recompute + s->worst.logits};
    return cszi_offload_time(s->c, &s->recipe, &o);
}

/* ---- The step ---- */

double cszi_case_straggle(const cszi_case *c)
{
    const cszi_cluster *cluster = c->cluster;
    double each = cluster->accelerators_per_node > 0 ? (double)cluster->accelerators_per_node : 1;
    double nodes = ceil((double)c->layout.used / each);
    return c->stack->straggle * (nodes > 1 ? log2(nodes) : 0);
}

/* What the slots of a bubble last, summed over stages: forward and backward passes; zero-bubble
 * schedules put gradients of weights there, W = half of the backward products: F + B - W and
 * F + B - 2 W in the terms of Qi et al. 2023, table 2, whose B is without W. Chunks of a V are half
 * as long: no bubble where F = B = W (Qi et al. 2024, arXiv 2405.15362). DualPipe: a pair, a
 * backward pass alone, less 3 W (DeepSeek-V3, table 2). */
static double bubble_of(const step *s)
{
    const stage_time *t = &s->sum;
    double weights = cszi_is_adapter_job(s->c->workload) ? 0 : t->backward.matrices / 2;
    switch ((csz_schedule)s->c->layout.schedule) {
    case CSZ_SCHEDULE_ZB_H1:
        return fmax(0, t->total - 2 * weights);
    case CSZ_SCHEDULE_ZB_H2:
    case CSZ_SCHEDULE_ZB_V:
        return fmax(0, t->total - 3 * weights);
    case CSZ_SCHEDULE_DUALPIPE:
        return fmax(0, t->total + t->alone - 3 * weights);
    case CSZ_SCHEDULE_1F1B:
    case CSZ_SCHEDULE_INTERLEAVED:
    case CSZ_SCHEDULE_MAX_ENUM:
        break;
    }
    return t->total;
}

static double bubble_slots(const cszi_layout *l)
{
    double p = (double)l->p;
    return l->schedule == CSZ_SCHEDULE_DUALPIPE ? p / 2 - 1 : (p - 1) / (double)l->v;
}

/* Terms: micro-batches at the mean stage, the slowest stage's surplus, then what happens once a
 * step. */
double cszi_step_terms(const cszi_step *s, cszi_estimate *e)
{
    const cszi_layout *l = &s->c->layout;
    double m = (double)l->m, p = (double)l->p, each = m / p, once;
    double straggle = cszi_case_straggle(s->c);
    const stage_time *t = &s->sum;
    e->step_matrices = each * (t->forward.matrices + t->backward.matrices);
    e->step_attention = each * (t->forward.attention + t->backward.attention);
    e->step_pointwise = each * (t->forward.pointwise + t->backward.pointwise);
    e->step_recompute = each * t->recompute;
    e->step_logits = each * t->logits;
    e->step_tensor_traffic = each * (t->forward.tensor + t->backward.tensor);
    e->step_context_traffic = each * (t->forward.context + t->backward.context);
    e->step_expert_traffic = each * (t->forward.expert + t->backward.expert);
    e->step_pipeline_traffic = each * t->transfer;
    e->step_imbalance = m * (s->slowest - t->total / p);
    e->step_bubble = bubble_slots(l) * bubble_of(s) / p;
    e->step_data_traffic = data_time(s);
    e->step_optimizer = optimizer_time(s);
    e->step_offload = offload_time(s);
    once = m * s->slowest + e->step_bubble + e->step_data_traffic + e->step_optimizer +
           e->step_offload + s->c->stack->step_fixed;
    e->step_host_once = s->c->stack->step_fixed + once * straggle;
    e->step_host = each * t->host + e->step_host_once;
    e->step_critical_stage = s->slowest_stage;
    return once * (1 + straggle);
}

static void put_rates(const cszi_case *c, cszi_estimate *e)
{
    double n = (double)c->layout.used, time = e->step_time.likely;
    double peak = cszi_cluster_peak(c->cluster, c->workload->compute_format),
           bf16 = c->cluster->peak_bf16;
    double per_token;
    e->step_tokens_per_second = cszi_step_tokens(c->workload, &c->batching) / time;
    e->step_tokens_per_second_accelerator = e->step_tokens_per_second / n;
    e->step_flops_accelerator = e->flops_step / (time * n);
    per_token = e->step_flops_accelerator / e->flops_per_token / peak;
    e->step_mfu = e->step_flops_accelerator / peak;
    e->step_hfu = e->step_mfu * (1 + e->flops_recompute / e->flops_per_token);
    e->step_mfu_six_n = per_token * e->flops_six_n;
    e->step_mfu_full = per_token * e->flops_full;
    e->step_mfu_palm = per_token * e->flops_palm;
    e->step_mfu_torchtitan = per_token * e->flops_torchtitan;
    e->step_mfu_narayanan = per_token * e->flops_narayanan;
    if (bf16 > 0)
        e->step_mfu_bf16 = e->step_flops_accelerator / bf16;
}

/* The rate of the format, and beside one below 16 bit that of what stays outside of it. */
static csz_status check_format(const cszi_case *c, cszi_error *error)
{
    const cszi_cluster *cluster = c->cluster;
    int64_t compute = c->workload->compute_format;
    int narrow = compute == CSZ_FORMAT_FP8 || compute == CSZ_FORMAT_FP4;
    const char *format = cszi_table_choice_name(&cszi_workload_table, CSZ_WORKLOAD_COMPUTE_FORMAT,
                                                compute),
               *part = cluster->accelerator[0] != '\0' ? cluster->accelerator : "this accelerator";
    if (cszi_cluster_peak(cluster, compute) <= 0)
        return cszi_fail(
            error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_COMPUTE_FORMAT,
            "compute_format: no %s rate is known of %s; choose another format or set peak_%s",
            format, part, format);
    if (narrow && cluster->peak_bf16 <= 0 && cluster->peak_fp16 <= 0)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_COMPUTE_FORMAT,
                         "compute_format: %s leaves attention and logits in 16 bit, of which no "
                         "rate is known of %s; set peak_bf16 or peak_fp16",
                         format, part);
    return CSZ_OK;
}

csz_status cszi_step_check(const cszi_case *c, csz_reason *reason, cszi_error *error)
{
    const cszi_cluster *cluster = c->cluster;
    csz_status status = check_format(c, error);
    if (status != CSZ_OK) {
        *reason = CSZ_REASON_FORMAT;
        return status;
    }
    if (c->layout.used > cluster->scale_up_domain && c->layout.used > 1 &&
        cluster->scale_out_bandwidth <= 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH,
                         "scale_out_bandwidth: is not set, and %lld accelerators leave the "
                         "scale-up domain of %lld; set "
                         "it or name a node or fabric",
                         (long long)c->layout.used, (long long)cluster->scale_up_domain);
    return CSZ_OK;
}

void cszi_case_layer_times(const cszi_case *c, const cszi_rates *rates,
                           cszi_layer_time times[CSZI_KINDS])
{
    for (int64_t i = 0; i < c->workload->kinds_count; i++)
        cszi_layer_time_of(c, rates, &c->workload->kinds[i], &times[i]);
}

void cszi_estimate_step_with(const cszi_case *c, const cszi_rates *rates,
                             const cszi_layer_time times[CSZI_KINDS], cszi_estimate *estimate)
{
    const cszi_band *band = cszi_case_band(c, estimate);
    step s;
    double time;
    cszi_step_open(&s, c, rates, times, estimate);
    time = cszi_step_terms(&s, estimate);
    estimate->step_time = (cszi_range){time * band->low, time, time * band->high};
    if (c->layout.t > c->cluster->scale_up_domain)
        cszi_estimate_note(estimate, CSZ_NOTE_TENSOR_OVER_NETWORK);
    cszi_estimate_flops(c, estimate);
    put_rates(c, estimate);
}

void cszi_estimate_step(const cszi_case *c, cszi_estimate *estimate)
{
    cszi_layer_time times[CSZI_KINDS];
    cszi_rates rates;
    cszi_case_rates(c, &rates);
    cszi_case_layer_times(c, &rates, times);
    cszi_estimate_step_with(c, &rates, times, estimate);
}
