/* goal.c: the public goal: fields, limits on plan fields, the stack. */
#include "select/goal.h"

/* "limits": {"tensor_parallel": [1, 8], "recompute": "none"}, "stack": "megatron" */
static csz_status load_limits(void *user, void *record, const cszi_json *json, cszi_json_value key,
                              cszi_json_value value, int *taken);
static void write_limits(const cszi_goal *goal, cszi_json_out *json);

#define OBJECT goal
#define RESOLVE cszi_resolve_stack
#define WITH_CATALOG 0
#define MEMBER load_limits
#define WRITE_MORE write_limits
#include "api/input.inc"

static csz_status load_bound(const cszi_json *json, const cszi_field_row *row,
                             cszi_json_value value, double *bound)
{
    char text[64];
    size_t length;
    if (cszi_json_type_of(json, value) != CSZI_JSON_STRING)
        return cszi_json_f64(json, value, bound);
    length = cszi_json_string(json, value, text, sizeof text);
    for (const cszi_choice *c = row->choices; c != NULL && c->name != NULL && length < sizeof text;
         c++) {
        if (strcmp(c->name, text) == 0) {
            *bound = (double)c->value;
            return CSZ_OK;
        }
    }
    return cszi_json_fail(json, value, CSZ_ERR_UNKNOWN, row->id, "%s: no such choice", row->name);
}

static csz_status load_stack(cszi_goal *goal, const cszi_json *json, cszi_json_value value)
{
    char id[CSZI_TEXT_CAPACITY];
    if (cszi_json_type_of(json, value) != CSZI_JSON_STRING ||
        cszi_json_string(json, value, id, sizeof id) >= sizeof id || cszi_stack_find(id) == NULL)
        return cszi_json_fail(json, value, CSZ_ERR_UNKNOWN, CSZ_PLAN_STACK,
                              "stack: no such row of the stack table");
    memcpy(goal->stack, id, sizeof id);
    return CSZ_OK;
}

static csz_status load_limit(cszi_goal *goal, const cszi_json *json, cszi_json_value key,
                             cszi_json_value value, uint64_t *given)
{
    char name[64];
    size_t length = cszi_json_string(json, key, name, sizeof name), cursor = 0, slot;
    const cszi_field_row *row =
        length < sizeof name ? cszi_table_by_name(&cszi_plan_table, name, length) : NULL;
    cszi_json_value low = value, high = value, more;
    double lowest = 0, highest = 0;
    csz_status status;
    if (row == NULL)
        return cszi_json_fail(json, key, CSZ_ERR_FIELD, CSZ_FIELD_NONE, "no such field of a plan");
    slot = (size_t)(row - cszi_plan_table.rows);
    if ((*given >> slot & 1) != 0)
        return cszi_json_fail(json, key, CSZ_ERR_SYNTAX, row->id, "limits: %s is given twice",
                              row->name);
    *given |= (uint64_t)1 << slot;
    if (row->id == CSZ_PLAN_STACK)
        return load_stack(goal, json, value);
    if (cszi_json_type_of(json, value) == CSZI_JSON_ARRAY &&
        (!cszi_json_next_element(json, value, &cursor, &low) ||
         !cszi_json_next_element(json, value, &cursor, &high) ||
         cszi_json_next_element(json, value, &cursor, &more)))
        return cszi_json_fail(json, value, CSZ_ERR_TYPE, row->id,
                              "%s: should be a value or [lowest, highest]", row->name);
    status = load_bound(json, row, low, &lowest);
    if (status == CSZ_OK)
        status = load_bound(json, row, high, &highest);
    if (status == CSZ_OK)
        status = cszi_goal_set_limit(goal, row->id, lowest, highest, json->error);
    return status;
}

static csz_status load_limits(void *user, void *record, const cszi_json *json, cszi_json_value key,
                              cszi_json_value value, int *taken)
{
    size_t cursor = 0;
    uint64_t given = 0;
    cszi_json_value field, bounds;
    (void)user;
    if (!cszi_json_equals(json, key, "limits"))
        return CSZ_OK;
    *taken = 1;
    if (cszi_json_type_of(json, value) != CSZI_JSON_OBJECT)
        return cszi_json_fail(json, value, CSZ_ERR_TYPE, CSZ_FIELD_NONE,
                              "limits: should be an object");
    while (cszi_json_next_member(json, value, &cursor, &field, &bounds)) {
        csz_status status = load_limit(record, json, field, bounds, &given);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}

static void write_limits(const cszi_goal *goal, cszi_json_out *json)
{
    if (goal->limited == 0 && goal->stack[0] == '\0')
        return;
    cszi_json_key(json, "limits");
    cszi_json_open_object(json);
    if (goal->stack[0] != '\0') {
        cszi_json_key(json, "stack");
        cszi_json_put_text(json, goal->stack);
    }
    for (size_t i = 0; i < cszi_plan_table.count; i++) {
        if ((goal->limited >> i & 1) == 0)
            continue;
        cszi_json_key(json, cszi_plan_table.rows[i].name);
        cszi_json_open_array(json);
        cszi_json_put_f64(json, goal->lowest[i]);
        cszi_json_put_f64(json, goal->highest[i]);
        cszi_json_close_array(json);
    }
    cszi_json_close_object(json);
}

csz_status csz_goal_limit(csz_goal *goal, csz_field plan_field, double lowest, double highest)
{
    if (goal == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&goal->error);
    return cszi_goal_set_limit(&goal->value, plan_field, lowest, highest, &goal->error);
}

csz_status csz_goal_stack(csz_goal *goal, const char *stack)
{
    if (goal == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&goal->error);
    if (stack != NULL && cszi_stack_find(stack) == NULL)
        return cszi_unknown_stack(stack, &goal->error);
    memset(goal->value.stack, 0, sizeof goal->value.stack);
    if (stack != NULL)
        memcpy(goal->value.stack, stack, strlen(stack));
    return CSZ_OK;
}
