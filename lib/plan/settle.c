/* settle.c: constraints between plan, workload and cluster. Sources: the argument checks of
 * Megatron-LM, Narayanan et al. 2021 section 2, Korthikanti et al. 2022 section 4, and the identity
 * accelerators = t x c x p x d, in which expert parallelism takes ranks instead of adding them. */
#include "plan/constraint.h"

#include <string.h>

#include "plan/chunks.h"
#include "workload/parameters.h"

const cszi_stack *cszi_plan_stack(const cszi_plan *plan, const cszi_cluster *cluster)
{
    const char *id =
        plan->stack[0] != '\0' ? plan->stack : cszi_family_find(cluster->family)->stack;
    return cszi_stack_find(id);
}

/* What the schedule means for chunks and copies. */
static void choose_schedule(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    at->schedule = cszi_plan_has(plan, CSZ_PLAN_SCHEDULE) ? plan->schedule
                   : at->v > 1                            ? CSZ_SCHEDULE_INTERLEAVED
                                                          : CSZ_SCHEDULE_1F1B;
    if (at->schedule == CSZ_SCHEDULE_ZB_V && at->chunks[0] == '\0' &&
        !cszi_plan_has(plan, CSZ_PLAN_VIRTUAL_PIPELINE))
        at->v = 2;
    at->copies = at->schedule == CSZ_SCHEDULE_DUALPIPE ? 2 : 1;
}

/* Chunks of a layout that is written out, which the plan may state besides. */
static csz_status count_chunks(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    cszi_chunk all;
    memcpy(at->chunks, plan->pipeline_layout, sizeof at->chunks);
    if (at->chunks[0] == '\0')
        return CSZ_OK;
    if (cszi_chunk_read(at->chunks, -1, &all, NULL) != CSZ_OK || all.chunks % at->p != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_LAYOUT, CSZ_PLAN_PIPELINE_LAYOUT,
                             "pipeline_layout: its chunks, %lld, are no multiple of "
                             "pipeline_parallel=%lld",
                             CSZI_LL(all.chunks), CSZI_LL(at->p));
    at->v = all.chunks / at->p;
    if (cszi_plan_has(plan, CSZ_PLAN_VIRTUAL_PIPELINE) && plan->virtual_pipeline != at->v)
        return CSZI_CONFLICT(k, CSZ_REASON_LAYOUT, CSZ_PLAN_VIRTUAL_PIPELINE,
                             "virtual_pipeline: %lld, but pipeline_layout has %lld chunks a stage",
                             CSZI_LL(plan->virtual_pipeline), CSZI_LL(at->v));
    return CSZ_OK;
}

static csz_status settle_degrees(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    int64_t n = k->cluster->accelerators, model;
    csz_status status;
    at->t = plan->tensor_parallel;
    at->p = plan->pipeline_parallel;
    at->v = plan->virtual_pipeline;
    status = count_chunks(k);
    if (status != CSZ_OK)
        return status;
    choose_schedule(k);
    at->c = plan->context_parallel;
    at->e = plan->expert_parallel;
    at->etp = plan->expert_tensor_parallel;
    at->sharding = plan->sharding;
    at->recompute = plan->recompute;
    at->sequence_parallel =
        cszi_plan_has(plan, CSZ_PLAN_SEQUENCE_PARALLEL) ? plan->sequence_parallel : at->t > 1;
    model = at->t * at->p * at->c; /* each at most 65536: no overflow */
    if (model > n || (plan->data_parallel == 0 && n % model != 0))
        return CSZI_CONFLICT(
            k, CSZ_REASON_COUNT, CSZ_CLUSTER_ACCELERATORS,
            "accelerators: %lld is no multiple of tensor x pipeline x context parallel = %lld",
            CSZI_LL(n), CSZI_LL(model));
    at->d = plan->data_parallel != 0 ? plan->data_parallel : n / model;
    at->used = model * at->d;
    if (plan->data_parallel != 0 && at->used != n)
        return CSZI_CONFLICT(
            k, CSZ_REASON_COUNT, CSZ_PLAN_DATA_PARALLEL,
            "data_parallel: %lld x %lld of tensor, pipeline and context parallel is "
            "%lld, not the %lld "
            "accelerators",
            CSZI_LL(at->d), CSZI_LL(model), CSZI_LL(at->used), CSZI_LL(n));
    return CSZ_OK;
}

/* Recurrent mixers are cut along their heads or channels. */
static csz_status check_channels(cszi_check *k, const cszi_layer_kind *kind)
{
    int64_t t = k->at->t, cut = cszi_kind_channels(kind, k->workload->hidden);
    if (kind->attention == CSZ_ATTENTION_MAMBA2 || kind->attention == CSZ_ATTENTION_DELTA)
        cut = kind->state_heads;
    if (kind->attention == CSZ_ATTENTION_LIGHTNING)
        cut = kind->heads;
    if (cut % t == 0 && kind->key_heads % t == 0)
        return CSZ_OK;
    return CSZI_CONFLICT(
        k, CSZ_REASON_HEADS, CSZ_PLAN_TENSOR_PARALLEL,
        "tensor_parallel: %lld does not divide the %lld heads or channels of the mixer", CSZI_LL(t),
        CSZI_LL(cut % t != 0 ? cut : kind->key_heads));
}

static csz_status check_heads(cszi_check *k, const cszi_layer_kind *kind)
{
    int64_t t = k->at->t, kv = cszi_kind_kv_heads(kind);
    if (!cszi_kind_has_scores(kind))
        return check_channels(k, kind);
    if (kind->heads % t != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_HEADS, CSZ_PLAN_TENSOR_PARALLEL,
                             "tensor_parallel: %lld does not divide the %lld heads", CSZI_LL(t),
                             CSZI_LL(kind->heads));
    if (kind->attention == CSZ_ATTENTION_GROUPED && kv % t != 0 && t % kv != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_KV_HEADS, CSZ_PLAN_TENSOR_PARALLEL,
            "tensor_parallel: neither of %lld and the %lld key-value heads divides the other",
            CSZI_LL(t), CSZI_LL(kv));
    return CSZ_OK;
}

static csz_status check_widths(cszi_check *k, const cszi_layer_kind *kind)
{
    const cszi_layout *at = k->at;
    if (kind->ffn % at->t != 0 || kind->shared_ffn % at->t != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_FFN, CSZ_PLAN_TENSOR_PARALLEL,
                             "tensor_parallel: %lld does not divide ffn %lld", CSZI_LL(at->t),
                             CSZI_LL(kind->ffn % at->t != 0 ? kind->ffn : kind->shared_ffn));
    if (kind->experts == 0)
        return CSZ_OK;
    if (kind->expert_ffn % at->etp != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_EXPERT_FFN, CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
                             "expert_tensor_parallel: %lld does not divide expert_ffn %lld",
                             CSZI_LL(at->etp), CSZI_LL(kind->expert_ffn));
    if (kind->experts % at->e != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_EXPERTS, CSZ_PLAN_EXPERT_PARALLEL,
                             "expert_parallel: %lld does not divide the %lld experts",
                             CSZI_LL(at->e), CSZI_LL(kind->experts));
    return CSZ_OK;
}

static csz_status check_experts(cszi_check *k, int mixture)
{
    const cszi_layout *at = k->at;
    int64_t ranks = at->t * at->c * at->d;
    if (!mixture) {
        if (at->e == 1 && at->etp == 1)
            return CSZ_OK;
        return CSZI_CONFLICT(k, CSZ_REASON_NO_EXPERTS, CSZ_PLAN_EXPERT_PARALLEL,
                             "expert_parallel: %lld x %lld, but the model has no experts",
                             CSZI_LL(at->e), CSZI_LL(at->etp));
    }
    if (ranks % (at->e * at->etp) != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_EXPERT_GROUP, CSZ_PLAN_EXPERT_PARALLEL,
            "expert_parallel: %lld x expert_tensor_parallel %lld does not divide the "
            "%lld ranks of a stage",
            CSZI_LL(at->e), CSZI_LL(at->etp), CSZI_LL(ranks));
    if (at->t > 1 && at->e > 1 && !at->sequence_parallel)
        return CSZI_CONFLICT(
            k, CSZ_REASON_SEQUENCE_PARALLEL, CSZ_PLAN_SEQUENCE_PARALLEL,
            "sequence_parallel: needed when experts and tensors are both parallel");
    return CSZ_OK;
}

static csz_status check_model(cszi_check *k)
{
    const cszi_workload *w = k->workload;
    int mixture = 0;
    if (w->hidden % k->at->t != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_HIDDEN, CSZ_PLAN_TENSOR_PARALLEL,
                             "tensor_parallel: %lld does not divide hidden %lld", CSZI_LL(k->at->t),
                             CSZI_LL(w->hidden));
    for (int64_t i = 0; i < w->kinds_count; i++) {
        csz_status status = check_heads(k, &w->kinds[i]);
        if (status == CSZ_OK && w->kinds[i].width % k->at->t != 0)
            status = CSZI_CONFLICT(k, CSZ_REASON_HIDDEN, CSZ_PLAN_TENSOR_PARALLEL,
                                   "tensor_parallel: %lld does not divide width %lld",
                                   CSZI_LL(k->at->t), CSZI_LL(w->kinds[i].width));
        if (status == CSZ_OK)
            status = check_widths(k, &w->kinds[i]);
        if (status != CSZ_OK)
            return status;
        mixture |= w->kinds[i].experts != 0;
    }
    return check_experts(k, mixture);
}

static csz_status check_sequence(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->c > 1 && at->s % (2 * at->c) != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_CONTEXT, CSZ_PLAN_CONTEXT_PARALLEL,
            "context_parallel: 2 x %lld does not divide the sequence of %lld tokens",
            CSZI_LL(at->c), CSZI_LL(at->s));
    if (at->sequence_parallel && at->t > 1 && at->s / at->c % at->t != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_SEQUENCE, CSZ_PLAN_TENSOR_PARALLEL,
            "tensor_parallel: %lld does not divide the %lld tokens of a rank's sequence part",
            CSZI_LL(at->t), CSZI_LL(at->s / at->c));
    return CSZ_OK;
}

static csz_status settle_batch(cszi_check *k)
{
    cszi_layout *at = k->at;
    at->s = k->batching->sequence;
    at->batch = k->batching->sequences;
    at->b = k->plan->micro_batch;
    if (at->batch % (at->d * at->b) != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_BATCH, CSZ_PLAN_MICRO_BATCH,
            "global batch: %lld sequences are no multiple of data_parallel %lld x micro_batch %lld",
            CSZI_LL(at->batch), CSZI_LL(at->d), CSZI_LL(at->b));
    at->m = at->batch / (at->d * at->b);
    return CSZ_OK;
}

/* An explicit first or last stage: the rest must divide evenly over the other stages and chunks. */
static csz_status check_explicit(cszi_check *k, int64_t layers)
{
    const cszi_layout *at = k->at;
    int64_t ends = (at->first != 0) + (at->last != 0), rest = layers - at->first - at->last,
            others = at->p - ends;
    int even = at->p > 1 && at->first % at->v == 0 && at->last % at->v == 0 &&
               (others == 0 ? rest == 0 : rest >= others * at->v && rest % (others * at->v) == 0);
    if (even)
        return CSZ_OK;
    return CSZI_CONFLICT(
        k, CSZ_REASON_LAYOUT,
        at->first != 0 ? CSZ_PLAN_FIRST_STAGE_LAYERS : CSZ_PLAN_LAST_STAGE_LAYERS,
        "first_stage_layers %lld and last_stage_layers %lld leave %lld layers for %lld "
        "stages of %lld chunks",
        CSZI_LL(at->first), CSZI_LL(at->last), CSZI_LL(rest), CSZI_LL(others), CSZI_LL(at->v));
}

/* Embedding and output layer counted as layers: all chunks hold as many. */
static csz_status check_counted(cszi_check *k, int64_t layers)
{
    const cszi_layout *at = k->at;
    int64_t all = layers + at->head_counts + at->tail_counts, chunks = at->p * at->v;
    if (all % chunks == 0)
        return CSZ_OK;
    return CSZI_CONFLICT(
        k, CSZ_REASON_LAYOUT, at->head_counts ? CSZ_PLAN_EMBEDDING_COUNTS : CSZ_PLAN_LOSS_COUNTS,
        "%s_counts: yes makes %lld of %lld layers, which %lld chunks do not "
        "divide; choose pipeline_parallel x virtual_pipeline that does",
        at->head_counts ? "embedding" : "loss", CSZI_LL(all), CSZI_LL(layers), CSZI_LL(chunks));
}

/* A layout that is written out: each part of the model once, the ends at the ends. */
static csz_status check_written(cszi_check *k, int64_t layers)
{
    const cszi_layout *at = k->at;
    int64_t predictions = k->workload->prediction_layers;
    cszi_chunk all, first, last;
    (void)cszi_chunk_read(at->chunks, -1, &all, NULL);
    (void)cszi_chunk_read(at->chunks, 0, &first, NULL);
    (void)cszi_chunk_read(at->chunks, at->p * at->v - 1, &last, NULL);
    if (all.layers != layers || all.prediction != predictions)
        return CSZI_CONFLICT(k, CSZ_REASON_LAYOUT, CSZ_PLAN_PIPELINE_LAYOUT,
                             "pipeline_layout: %lld t and %lld m, but the model has %lld layers "
                             "and %lld prediction layers",
                             CSZI_LL(all.layers), CSZI_LL(all.prediction), CSZI_LL(layers),
                             CSZI_LL(predictions));
    if (all.embedding != 1 || first.embedding != 1 || all.loss != 1 || last.loss != 1)
        return CSZI_CONFLICT(k, CSZ_REASON_LAYOUT, CSZ_PLAN_PIPELINE_LAYOUT,
                             "pipeline_layout: needs one E in the first chunk and one L in the "
                             "last");
    return CSZ_OK;
}

/* One way of saying where layers stand, or none. */
static csz_status check_layout(cszi_check *k, int64_t layers)
{
    const cszi_layout *at = k->at;
    int ends = at->first != 0 || at->last != 0, counted = at->head_counts || at->tail_counts,
        written = at->chunks[0] != '\0';
    if (ends + counted + written > 1)
        return CSZI_CONFLICT(
            k, CSZ_REASON_LAYOUT, written ? CSZ_PLAN_PIPELINE_LAYOUT : CSZ_PLAN_EMBEDDING_COUNTS,
            "%s: contradicts %s; choose one of them",
            written ? "pipeline_layout" : "embedding_counts and loss_counts",
            ends ? "first_stage_layers and last_stage_layers" : "embedding_counts and loss_counts");
    if (written)
        return check_written(k, layers);
    if (counted)
        return check_counted(k, layers);
    return ends ? check_explicit(k, layers) : CSZ_OK;
}

static const char *schedule_name(const cszi_check *k)
{
    return cszi_table_choice_name(&cszi_plan_table, CSZ_PLAN_SCHEDULE, k->at->schedule);
}

/* DualPipe feeds halves of an even number of micro-batches from both ends, at least p of them each
 * (deepseek-ai/DualPipe, dualpipe.py), and steps on whole gradients. */
static csz_status check_dualpipe(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->p % 2 != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_VIRTUAL, CSZ_PLAN_SCHEDULE,
                             "schedule: dualpipe needs an even pipeline_parallel, not %lld; choose "
                             "%lld",
                             CSZI_LL(at->p), CSZI_LL(at->p + 1));
    if (at->m % 2 != 0 || at->m < 2 * at->p)
        return CSZI_CONFLICT(k, CSZ_REASON_MICRO_BATCHES, CSZ_PLAN_SCHEDULE,
                             "schedule: dualpipe needs an even number of micro-batches a step, at "
                             "least %lld for %lld stages, not %lld",
                             CSZI_LL(2 * at->p), CSZI_LL(at->p), CSZI_LL(at->m));
    if (at->sharding > CSZ_SHARDING_OPTIMIZER)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_SCHEDULE,
                             "schedule: dualpipe needs whole gradients and weights on each rank; "
                             "choose sharding=none or optimizer");
    return CSZ_OK;
}

/* A V holds the ends of the model on its first stage. */
static csz_status check_v(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->v != 2)
        return CSZI_CONFLICT(k, CSZ_REASON_VIRTUAL, CSZ_PLAN_VIRTUAL_PIPELINE,
                             "virtual_pipeline: %lld, but schedule zb_v has 2 chunks on each "
                             "stage; choose 2 or leave it unset",
                             CSZI_LL(at->v));
    if (at->first != 0 || at->last != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_LAYOUT,
            at->first != 0 ? CSZ_PLAN_FIRST_STAGE_LAYERS : CSZ_PLAN_LAST_STAGE_LAYERS,
            "%s_stage_layers: is set, but under schedule zb_v the first stage is the last one too",
            at->first != 0 ? "first" : "last");
    return CSZ_OK;
}

/* Schedule and chunks must go together. */
static csz_status check_schedule(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->schedule >= CSZ_SCHEDULE_ZB_H1 && at->p == 1)
        return CSZI_CONFLICT(k, CSZ_REASON_VIRTUAL, CSZ_PLAN_SCHEDULE,
                             "schedule: %s needs pipeline_parallel above 1", schedule_name(k));
    if (at->schedule == CSZ_SCHEDULE_ZB_V)
        return check_v(k);
    if (at->v > 1 && (at->p == 1 || at->schedule != CSZ_SCHEDULE_INTERLEAVED))
        return CSZI_CONFLICT(
            k, CSZ_REASON_VIRTUAL, CSZ_PLAN_VIRTUAL_PIPELINE,
            "virtual_pipeline: %lld needs pipeline stages and the interleaved schedule",
            CSZI_LL(at->v));
    if (at->schedule == CSZ_SCHEDULE_INTERLEAVED && at->v == 1)
        return CSZI_CONFLICT(k, CSZ_REASON_VIRTUAL, CSZ_PLAN_SCHEDULE,
                             "schedule: interleaved needs virtual_pipeline above 1");
    return at->schedule == CSZ_SCHEDULE_DUALPIPE ? check_dualpipe(k) : CSZ_OK;
}

/* Interleaving works in groups of p micro-batches; a rest must be none or at least p (Megatron-LM
 * schedules.py). A V is filled by as many. */
static csz_status check_micro_batches(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->v > 1 && at->m < at->p)
        return CSZI_CONFLICT(
            k, CSZ_REASON_MICRO_BATCHES, CSZ_PLAN_PIPELINE_PARALLEL,
            "pipeline_parallel: %lld interleaved stages, but only %lld micro-batches a step",
            CSZI_LL(at->p), CSZI_LL(at->m));
    if (at->schedule == CSZ_SCHEDULE_INTERLEAVED && at->m % at->p != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_VIRTUAL, CSZ_PLAN_VIRTUAL_PIPELINE,
            "virtual_pipeline: %lld micro-batches are no multiple of the %lld stages",
            CSZI_LL(at->m), CSZI_LL(at->p));
    return CSZ_OK;
}

static csz_status settle_pipeline(cszi_check *k)
{
    cszi_layout *at = k->at;
    int64_t layers = cszi_layer_total(k->workload);
    csz_status status;
    at->first = k->plan->first_stage_layers;
    at->last = k->plan->last_stage_layers;
    at->head_counts = k->plan->embedding_counts;
    at->tail_counts = k->plan->loss_counts;
    status = check_schedule(k);
    if (status != CSZ_OK)
        return status;
    /* The first chunk may hold the embedding alone and the last one the output layer. */
    if (at->chunks[0] == '\0' && at->p * at->v > (at->p > 1 ? layers + 2 : layers))
        return CSZI_CONFLICT(
            k, CSZ_REASON_STAGES, CSZ_PLAN_PIPELINE_PARALLEL,
            "pipeline_parallel: %lld x virtual_pipeline %lld chunks, but only %lld layers",
            CSZI_LL(at->p), CSZI_LL(at->v), CSZI_LL(layers));
    status = check_micro_batches(k);
    return status == CSZ_OK ? check_layout(k, layers) : status;
}

csz_status cszi_plan_settle(const cszi_plan *plan, const cszi_workload *workload,
                            const cszi_cluster *cluster, const cszi_batching *batching,
                            cszi_layout *layout, csz_reason *reason, cszi_error *error)
{
    cszi_check k = {plan, workload, cluster, batching, layout, reason, error};
    csz_status (*const steps[])(cszi_check *) = {
        cszi_settle_stack, settle_degrees,      check_model,     settle_batch,
        check_sequence,    cszi_settle_context, settle_pipeline, cszi_settle_software};
    *reason = CSZ_REASON_NONE;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        csz_status status = steps[i](&k);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}

/* ---- Stage layout ---- */

/* First layer and layers of chunk j of n = p x v. Uneven counts give the end chunks less, since
 * they hold embedding and output layer besides: the extra layers go to the chunks 1, 2, ... n - 2
 * first, then to chunk 0. */
static void balanced_chunk(int64_t layers, int64_t n, int64_t j, int64_t *first, int64_t *count)
{
    int64_t base = layers / n, extra = layers % n;
    int64_t head = n > 1 && extra > n - 2; /* chunk 0 takes one too */
    int64_t middle = extra - head;         /* chunks 1 .. middle take one */
    int64_t before = j == 0 ? 0 : head + (j - 1 < middle ? j - 1 : middle);
    *first = j * base + before;
    *count = base + (j == 0 ? head : j <= middle);
}

static void explicit_chunk(const cszi_layout *at, int64_t layers, int64_t j, int64_t *first,
                           int64_t *count)
{
    int64_t others = at->p - (at->first != 0) - (at->last != 0);
    int64_t rest = others != 0 ? (layers - at->first - at->last) / (others * at->v) : 0;
    int64_t head = at->first != 0 ? at->first / at->v : rest,
            tail = at->last != 0 ? at->last / at->v : rest;
    int64_t loop = j / at->p, stage = j % at->p, a_loop = head + tail + (at->p - 2) * rest;
    *first = loop * a_loop + (stage == 0 ? 0 : head + (stage - 1) * rest);
    *count = stage == 0 ? head : stage == at->p - 1 ? tail : rest;
}

static void counted_chunk(const cszi_layout *at, int64_t layers, int64_t j, int64_t *first,
                          int64_t *count)
{
    int64_t n = at->p * at->v, each = (layers + at->head_counts + at->tail_counts) / n;
    *first = j == 0 ? 0 : j * each - at->head_counts;
    *count = each - (j == 0 ? at->head_counts : 0) - (j == n - 1 ? at->tail_counts : 0);
}

static void find_chunk(const cszi_layout *at, int64_t layers, int64_t j, int64_t *first,
                       int64_t *count)
{
    cszi_chunk chunk;
    if (at->chunks[0] != '\0') {
        (void)cszi_chunk_read(at->chunks, j, &chunk, NULL);
        *first = chunk.before;
        *count = chunk.layers;
    } else if (at->first != 0 || at->last != 0) {
        explicit_chunk(at, layers, j, first, count);
    } else if (at->head_counts || at->tail_counts) {
        counted_chunk(at, layers, j, first, count);
    } else {
        balanced_chunk(layers, at->p * at->v, j, first, count);
    }
}

static void add_layers(const cszi_workload *w, int64_t first, int64_t count,
                       int64_t counts[CSZI_KINDS])
{
    int64_t begin = 0;
    for (int64_t i = 0; i < w->runs_count && begin < first + count; i++) {
        int64_t end = begin + w->runs[i].layers;
        int64_t low = begin > first ? begin : first,
                high = end < first + count ? end : first + count;
        if (high > low)
            counts[w->runs[i].layer_kind] += high - low;
        begin = end;
    }
}

/* Which chunk of the model a stage holds as its own i-th: loops; the way back of a V; the mirrored
 * stage of the other direction. */
static int64_t chunk_at(const cszi_layout *at, int64_t stage, int64_t i)
{
    if (i > 0 && at->schedule == CSZ_SCHEDULE_ZB_V)
        return 2 * at->p - 1 - stage;
    if (i > 0 && at->copies > 1)
        return at->p - 1 - stage;
    return i * at->p + stage;
}

void cszi_stage_layers(const cszi_workload *workload, const cszi_layout *layout, int64_t layers,
                       int64_t stage, int64_t counts[CSZI_KINDS])
{
    for (int i = 0; i < CSZI_KINDS; i++)
        counts[i] = 0;
    for (int64_t chunk = 0; chunk < layout->v * layout->copies; chunk++) {
        int64_t j = chunk_at(layout, stage, chunk), first, count;
        find_chunk(layout, layers, j, &first, &count);
        add_layers(workload, first, count, counts);
    }
}

int64_t cszi_stage_predictions(const cszi_workload *workload, const cszi_layout *layout,
                               int64_t stage)
{
    int64_t count = 0;
    if (workload->prediction_layers == 0 || layout->chunks[0] == '\0')
        return cszi_stage_is_last(layout, stage) ? workload->prediction_layers : 0;
    for (int64_t i = 0; i < layout->v * layout->copies; i++) {
        cszi_chunk chunk;
        (void)cszi_chunk_read(layout->chunks, chunk_at(layout, stage, i), &chunk, NULL);
        count += chunk.prediction;
    }
    return count;
}
