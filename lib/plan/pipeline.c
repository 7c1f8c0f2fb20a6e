/* pipeline.c: constraints between schedule, chunks, micro-batches and where layers stand. Sources:
 * Megatron-LM's argument checks, Narayanan et al. 2021 section 2.2, Qi et al. 2023 and 2024,
 * DeepSeek-V3 section 3.2.1. */
#include <string.h>

#include "plan/chunks.h"
#include "plan/constraint.h"
#include "plan/slots.h"

/* ---- Chunks ---- */

/* What the schedule means for chunks and copies. */
static void choose_schedule(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    at->schedule = CSZI_PLAN_SETS(plan, CSZ_PLAN_SCHEDULE) ? plan->schedule
                   : at->v > 1                             ? CSZ_SCHEDULE_INTERLEAVED
                                                           : CSZ_SCHEDULE_1F1B;
    if (at->schedule == CSZ_SCHEDULE_ZB_V && at->chunks[0] == '\0' &&
        !CSZI_PLAN_SETS(plan, CSZ_PLAN_VIRTUAL_PIPELINE))
        at->v = 2;
    at->copies = at->schedule == CSZ_SCHEDULE_DUALPIPE ? 2 : 1;
}

/* Chunks of a layout that is written out, which the plan may state besides. */
csz_status cszi_settle_chunks(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    cszi_chunk all;
    memcpy(at->chunks, plan->pipeline_layout, sizeof at->chunks);
    if (at->chunks[0] == '\0') {
        choose_schedule(k);
        return CSZ_OK;
    }
    if (cszi_chunk_read(at->chunks, -1, &all, NULL) != CSZ_OK || all.chunks % at->p != 0)
        return CSZI_CONFLICT(k, CSZ_REASON_LAYOUT, CSZ_PLAN_PIPELINE_LAYOUT,
                             "pipeline_layout: its chunks, %lld, are no multiple of "
                             "pipeline_parallel=%lld",
                             CSZI_LL(all.chunks), CSZI_LL(at->p));
    at->v = all.chunks / at->p;
    if (CSZI_PLAN_SETS(plan, CSZ_PLAN_VIRTUAL_PIPELINE) && plan->virtual_pipeline != at->v)
        return CSZI_CONFLICT(k, CSZ_REASON_LAYOUT, CSZ_PLAN_VIRTUAL_PIPELINE,
                             "virtual_pipeline: %lld, but pipeline_layout has %lld chunks a stage",
                             CSZI_LL(plan->virtual_pipeline), CSZI_LL(at->v));
    choose_schedule(k);
    return CSZ_OK;
}

/* ---- Where layers stand ---- */

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

/* ---- Schedules ---- */

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

csz_status cszi_settle_pipeline(cszi_check *k)
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
