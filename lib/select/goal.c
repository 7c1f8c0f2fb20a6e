/* goal.c: the goal's table and its limits on plan fields. */
#include "select/goal.h"

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

static size_t slot_of(const cszi_field_row *row)
{
    return (size_t)(row - cszi_plan_table.rows);
}

int cszi_goal_allows(const cszi_goal *goal, csz_field plan_field, int64_t value)
{
    size_t slot = slot_of(cszi_table_row(&cszi_plan_table, plan_field));
    if ((goal->limited >> slot & 1) == 0)
        return 1;
    return value >= goal->lowest[slot] && value <= goal->highest[slot];
}

/* Fields that a search does not vary. */
static int is_fixed_only(csz_field field)
{
    return field == CSZ_PLAN_SEQUENCE_PARALLEL || field == CSZ_PLAN_FIRST_STAGE_LAYERS ||
           field == CSZ_PLAN_LAST_STAGE_LAYERS || field == CSZ_PLAN_ATTENTION_KERNEL;
}

csz_status cszi_goal_set_limit(cszi_goal *goal, csz_field plan_field, int64_t lowest,
                               int64_t highest, cszi_error *error)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, plan_field);
    if (row == NULL || row->type == CSZ_TYPE_TEXT || slot_of(row) >= CSZI_GOAL_LIMITS)
        return cszi_fail(error, CSZ_ERR_FIELD, plan_field,
                         "field %d is no number or choice of a plan", (int)plan_field);
    if (lowest > highest)
        return cszi_fail(error, CSZ_ERR_CONFLICT, plan_field,
                         "%s: lowest %lld is above highest %lld", row->name, (long long)lowest,
                         (long long)highest);
    if ((double)lowest < row->lower || (double)highest > row->upper)
        return cszi_fail(error, CSZ_ERR_RANGE, plan_field, "%s: %lld to %lld lies outside %g to %g",
                         row->name, (long long)lowest, (long long)highest, row->lower, row->upper);
    if (lowest != highest && is_fixed_only(plan_field))
        return cszi_fail(error, CSZ_ERR_CONFLICT, plan_field,
                         "%s: a search can only fix it, not range from %lld to %lld", row->name,
                         (long long)lowest, (long long)highest);
    goal->limited |= (uint64_t)1 << slot_of(row);
    goal->lowest[slot_of(row)] = lowest;
    goal->highest[slot_of(row)] = highest;
    return CSZ_OK;
}
