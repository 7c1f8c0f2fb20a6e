/* settle.h: a plan against a workload and a cluster: every default settled, every constraint
 * checked. */
#ifndef CSZI_PLAN_SETTLE_H
#define CSZI_PLAN_SETTLE_H

#include "base/checked.h"
#include "facts/facts.h"
#include "plan/plan.h"

/* What the plan's constraints need of a workload's batch in one phase. */
typedef struct cszi_batching {
    int64_t sequence;  /* tokens of a sequence */
    int64_t sequences; /* of a step */
    int assumed;       /* taken from a table of published runs */
} cszi_batching;

/* Sequence length and global batch of a phase. total is the parameter count, for a batch that
 * nobody gave. */
csz_status cszi_phase_batching(const cszi_workload *workload, size_t phase, int64_t total,
                               cszi_batching *batching, cszi_error *error);

/* Fills layout; on CSZ_ERR_CONFLICT *reason says why in the vocabulary of rankings and the message
 * names field, value and what would do. error may be NULL (search). */
csz_status cszi_plan_settle(const cszi_plan *plan, const cszi_workload *workload,
                            const cszi_cluster *cluster, const cszi_batching *batching,
                            cszi_layout *layout, csz_reason *reason, cszi_error *error);

/* The stack a plan runs on: the named one or the usual one of the accelerator family; NULL when the
 * name is unknown. */
const cszi_stack *cszi_plan_stack(const cszi_plan *plan, const cszi_cluster *cluster);

/* Ranks over which dense states are sharded, and over which expert states are: all that hold the
 * same parameters. */
static inline int64_t cszi_layout_dense_shards(const cszi_layout *layout)
{
    return layout->d * layout->c * layout->copies;
}

static inline int64_t cszi_layout_expert_shards(const cszi_layout *layout)
{
    return layout->t * layout->c * layout->d / (layout->etp * layout->e) * layout->copies;
}

/* Whether a stage holds the embedding, or the output layer: a V ends where it began, and pipelines
 * of both directions begin and end on both ends. */
static inline int cszi_stage_is_first(const cszi_layout *layout, int64_t stage)
{
    return stage == 0 || (layout->copies > 1 && stage == layout->p - 1);
}

static inline int cszi_stage_is_last(const cszi_layout *layout, int64_t stage)
{
    if (layout->schedule == CSZ_SCHEDULE_ZB_V || layout->copies > 1)
        return cszi_stage_is_first(layout, stage);
    return stage == layout->p - 1;
}

/* Layers of the model, without prediction layers. */
static inline int64_t cszi_layer_total(const cszi_workload *workload)
{
    int64_t layers = 0;
    for (int64_t i = 0; i < workload->runs_count; i++)
        layers += workload->runs[i].layers;
    return layers;
}

/* Layers of every kind on one stage, in both directions if there are two: counts[kind]. Prediction
 * layers are not among them. */
void cszi_stage_layers(const cszi_workload *workload, const cszi_layout *layout, int64_t layers,
                       int64_t stage, int64_t counts[CSZI_KINDS]);

/* Prediction layers of a stage: with the output layer, unless the layout is written out. */
int64_t cszi_stage_predictions(const cszi_workload *workload, const cszi_layout *layout,
                               int64_t stage);

#endif
