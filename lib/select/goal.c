/* goal.c: the goal's table and its limits on plan fields. */
#include "select/goal.h"

#include <math.h>

#include "base/field_rows.h"

static const cszi_choice cszi_choices_objective[] = {{CSZ_OBJECTIVE_TIME, "time"},
                                                     {CSZ_OBJECTIVE_COST, "cost"},
                                                     {CSZ_OBJECTIVE_ACCELERATORS, "accelerators"},
                                                     {0, NULL}};

#define CSZI_RECORD_flat cszi_goal
enum { CSZI_LIST_flat };

static const cszi_field_row rows[] = {
#include "select/fields.inc"
};

const cszi_table cszi_goal_table = {
    "goal", CSZI_MODE_INPUT, rows, sizeof rows / sizeof *rows, {{"", 0, 0, 0, 0, 0, 0}}, 1,
};

#define MOST_VALUES 64 /* of a field that a search tries because a limit gives it a range */

static size_t slot_of(const cszi_field_row *row)
{
    return (size_t)(row - cszi_plan_table.rows);
}

int cszi_goal_allows(const cszi_goal *goal, csz_field plan_field, double value)
{
    size_t slot = slot_of(cszi_table_row(&cszi_plan_table, plan_field));
    if ((goal->limited >> slot & 1) == 0)
        return 1;
    return value >= goal->lowest[slot] && value <= goal->highest[slot];
}

int cszi_goal_varies(csz_field plan_field)
{
    static const csz_field varied[] = {
        CSZ_PLAN_TENSOR_PARALLEL,  CSZ_PLAN_PIPELINE_PARALLEL, CSZ_PLAN_VIRTUAL_PIPELINE,
        CSZ_PLAN_CONTEXT_PARALLEL, CSZ_PLAN_EXPERT_PARALLEL,   CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
        CSZ_PLAN_DATA_PARALLEL,    CSZ_PLAN_SHARDING,          CSZ_PLAN_MICRO_BATCH,
        CSZ_PLAN_RECOMPUTE,        CSZ_PLAN_SCHEDULE,          CSZ_PLAN_SEQUENCE_PARALLEL,
        CSZ_PLAN_RECOMPUTE_LAYERS, CSZ_PLAN_RECOMPUTE_NORM,    CSZ_PLAN_RECOMPUTE_ACTIVATION,
        CSZ_PLAN_RECOMPUTE_LATENT, CSZ_PLAN_RECOMPUTE_MLP,     CSZ_PLAN_RECOMPUTE_EXPERTS,
        CSZ_PLAN_EMBEDDING_COUNTS, CSZ_PLAN_SHARD_GROUP,       CSZ_PLAN_OFFLOAD_OPTIMIZER};
    for (size_t i = 0; i < sizeof varied / sizeof *varied; i++)
        if (varied[i] == plan_field)
            return 1;
    return 0;
}

/* Bounds of a row: within its own, and whole where it is counted. */
static csz_status check_bounds(const cszi_field_row *row, double lowest, double highest,
                               cszi_error *error)
{
    int whole = row->type != CSZ_TYPE_F64;
    if (!(lowest >= row->lower && highest <= row->upper)) /* NaN too */
        return cszi_fail(error, CSZ_ERR_RANGE, row->id, "%s: %g to %g lies outside %g to %g",
                         row->name, lowest, highest, row->lower, row->upper);
    if (whole && (fmod(lowest, 1) > 0 || fmod(highest, 1) > 0))
        return cszi_fail(error, CSZ_ERR_TYPE, row->id, "%s: %g to %g are no whole numbers",
                         row->name, lowest, highest);
    return CSZ_OK;
}

csz_status cszi_goal_set_limit(cszi_goal *goal, csz_field plan_field, double lowest, double highest,
                               cszi_error *error)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, plan_field);
    csz_status status;
    if (row != NULL && row->type == CSZ_TYPE_TEXT)
        return cszi_fail(error, CSZ_ERR_FIELD, plan_field,
                         "%s: a search cannot fix it; estimate a given plan instead", row->name);
    if (row == NULL || slot_of(row) >= CSZI_GOAL_LIMITS)
        return cszi_fail(error, CSZ_ERR_FIELD, plan_field,
                         "field %d is no number or choice of a plan", (int)plan_field);
    if (lowest > highest)
        return cszi_fail(error, CSZ_ERR_CONFLICT, plan_field, "%s: lowest %g is above highest %g",
                         row->name, lowest, highest);
    status = check_bounds(row, lowest, highest, error);
    if (status != CSZ_OK)
        return status;
    if (lowest < highest && !cszi_goal_varies(plan_field) &&
        (row->type == CSZ_TYPE_F64 || highest - lowest >= MOST_VALUES))
        return cszi_fail(error, CSZ_ERR_CONFLICT, plan_field,
                         "%s: a search can only fix it, not range from %g to %g", row->name, lowest,
                         highest);
    goal->limited |= (uint64_t)1 << slot_of(row);
    goal->lowest[slot_of(row)] = lowest;
    goal->highest[slot_of(row)] = highest;
    return CSZ_OK;
}
