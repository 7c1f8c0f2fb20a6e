/* ranking.c: the public ranking: its entries are whole plan and estimate handles. */
#include <math.h>
#include <string.h>

#include "api/handles.h"
#include "project/run.h"
#include "select/curve.h"

csz_ranking *csz_ranking_new(const csz_context *context)
{
    cszi_alloc alloc = cszi_context_alloc(context);
    csz_ranking *ranking = cszi_alloc_zero(alloc, sizeof *ranking);
    if (ranking != NULL) {
        ranking->alloc = alloc;
        cszi_ranking_unset(&ranking->value);
    }
    return ranking;
}

/* No answer; the room of former ones stays for the next. */
static void drop_entries(csz_ranking *ranking)
{
    ranking->entry_count = 0;
    ranking->value.room = 0;
    cszi_ranking_unset(&ranking->value);
}

void csz_ranking_free(csz_ranking *ranking)
{
    if (ranking == NULL)
        return;
    for (size_t i = 0; i < ranking->entry_room; i++)
        cszi_alloc_free(ranking->alloc, ranking->entries[i].estimate.value.stages,
                        (size_t)ranking->entries[i].estimate.value.stage_room * sizeof(cszi_stage));
    cszi_alloc_free(ranking->alloc, ranking->entries,
                    ranking->entry_room * sizeof *ranking->entries);
    cszi_alloc_free(ranking->alloc, ranking->value.entries,
                    ranking->list_room * sizeof *ranking->value.entries);
    cszi_alloc_free(ranking->alloc, ranking, sizeof *ranking);
}

void csz_ranking_set_progress(csz_ranking *ranking, csz_progress_fn fn, void *user)
{
    if (ranking == NULL)
        return;
    ranking->progress = fn;
    ranking->progress_user = user;
}

static csz_status no_memory(csz_ranking *ranking)
{
    return cszi_fail(&ranking->error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
}

/* Of the search's own list. */
static csz_status make_room(csz_ranking *ranking, size_t rows)
{
    size_t one = sizeof *ranking->value.entries;
    drop_entries(ranking);
    if (rows > ranking->list_room) {
        void *room = cszi_alloc_resize(ranking->alloc, ranking->value.entries,
                                       ranking->list_room * one, rows * one);
        if (room == NULL)
            return no_memory(ranking);
        ranking->value.entries = room;
        ranking->list_room = rows;
    }
    ranking->value.room = rows;
    return CSZ_OK;
}

/* Of the entries that are handed out. */
static csz_status make_entries(csz_ranking *ranking, size_t count)
{
    size_t one = sizeof *ranking->entries, old = ranking->entry_room;
    void *room;
    if (count <= old)
        return CSZ_OK;
    room = cszi_alloc_resize(ranking->alloc, ranking->entries, old * one, count * one);
    if (room == NULL)
        return no_memory(ranking);
    ranking->entries = room;
    memset(ranking->entries + old, 0, (count - old) * one);
    ranking->entry_room = count;
    return CSZ_OK;
}

static int64_t member_of(const cszi_plan *plan, const cszi_field_row *row)
{
    int64_t value;
    memcpy(&value, (const char *)plan + row->offset, sizeof value);
    return value;
}

/* A search moves the members of a plan; a plan that is handed out says all that was chosen: the
 * degrees, and whatever is not at its default. */
static void state_choices(cszi_plan *plan, int64_t data_parallel)
{
    plan->data_parallel = data_parallel;
    for (size_t i = 0; i < cszi_plan_table.count; i++) {
        const cszi_field_row *row = &cszi_plan_table.rows[i];
        double value = 0;
        int always = row->id <= CSZ_PLAN_DATA_PARALLEL || row->id == CSZ_PLAN_SHARDING ||
                     row->id == CSZ_PLAN_MICRO_BATCH || row->id == CSZ_PLAN_RECOMPUTE;
        if (row->type == CSZ_TYPE_TEXT || !cszi_goal_varies(row->id))
            continue;
        if (row->type == CSZ_TYPE_F64)
            memcpy(&value, (char *)plan + row->offset, sizeof value);
        else
            value = (double)member_of(plan, row);
        if (always || value > (isnan(row->initial) ? 0 : row->initial))
            (void)cszi_field_set_f64(&cszi_plan_table, plan, row, 0, value, NULL);
    }
}

/* One found plan becomes a plan and an estimate with its stages. */
static csz_status fill_entry(csz_ranking *ranking, size_t index, const cszi_workload *workload,
                             const cszi_cluster *cluster, csz_depth depth)
{
    cszi_entry_handle *to = &ranking->entries[index];
    const cszi_entry *from = &ranking->value.entries[index];
    cszi_cluster at = *cluster;
    csz_reason reason;
    csz_status status = CSZ_ERR_MISSING;
    at.accelerators = from->accelerators;
    to->plan.alloc = to->estimate.alloc = ranking->alloc;
    to->plan.value = from->plan;
    cszi_estimate_clear(&to->estimate.value);
    if (cszi_estimate_room(&to->estimate, (size_t)from->plan.pipeline_parallel) != CSZ_OK)
        return no_memory(ranking);
    /* Advice on memory needs no rates, so that they may be missing. */
    for (int d = (int)depth; d >= CSZ_DEPTH_FIT && status == CSZ_ERR_MISSING; d--) {
        cszi_error_clear(&ranking->error);
        cszi_estimate_clear(&to->estimate.value);
        status = cszi_estimate_compute(&to->estimate.value, workload, &at, &from->plan,
                                       (csz_depth)d, &reason, &ranking->error);
    }
    if (status == CSZ_OK)
        state_choices(&to->plan.value, to->estimate.value.batch_data_parallel);
    return status;
}

static csz_status fill_entries(csz_ranking *ranking, const cszi_workload *workload,
                               const cszi_cluster *cluster)
{
    csz_depth depth = cszi_deepest(workload, cluster);
    size_t count = ranking->value.count;
    csz_status status = CSZ_OK;
    if (count == 0)
        return CSZ_OK;
    status = make_entries(ranking, count);
    if (status != CSZ_OK)
        return status;
    ranking->entry_count = count;
    for (size_t i = 0; i < count && status == CSZ_OK; i++)
        status = fill_entry(ranking, i, workload, cluster, depth);
    return status;
}

static csz_status start(csz_ranking *ranking, const void *workload, const void *cluster)
{
    if (ranking == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&ranking->error);
    if (workload == NULL || cluster == NULL) {
        drop_entries(ranking);
        return cszi_fail(&ranking->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a workload and a cluster are needed");
    }
    return CSZ_OK;
}

static csz_status finish(csz_ranking *ranking, csz_status status, const csz_workload *workload,
                         const csz_cluster *cluster)
{
    if (status == CSZ_OK)
        status = fill_entries(ranking, &workload->value, &cluster->value);
    if (status != CSZ_OK)
        drop_entries(ranking);
    return status;
}

/* A goal handle's value, or the defaults. */
static const cszi_goal *goal_of(const csz_goal *goal, cszi_goal *defaults)
{
    if (goal != NULL)
        return &goal->value;
    cszi_fields_init(&cszi_goal_table, defaults, sizeof *defaults);
    return defaults;
}

typedef csz_status (*ranker)(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                             const cszi_cluster *cluster, const cszi_goal *goal,
                             const cszi_progress *progress, cszi_error *error);

static csz_status rank(csz_ranking *ranking, const csz_workload *workload,
                       const csz_cluster *cluster, const csz_goal *goal, ranker by, size_t rows)
{
    cszi_goal defaults;
    const cszi_goal *wanted = goal_of(goal, &defaults);
    csz_status status = start(ranking, workload, cluster);
    if (status != CSZ_OK)
        return status;
    status = make_room(ranking, rows > 0 ? rows : (size_t)wanted->rows);
    if (status == CSZ_OK) {
        cszi_progress progress = {ranking->progress, ranking->progress_user};
        status = by(&ranking->work, &ranking->value, &workload->value, &cluster->value, wanted,
                    &progress, &ranking->error);
    }
    return finish(ranking, status, workload, cluster);
}

csz_status csz_ranking_select(csz_ranking *ranking, const csz_workload *workload,
                              const csz_cluster *cluster, const csz_goal *goal)
{
    return rank(ranking, workload, cluster, goal, cszi_select, 0);
}

csz_status csz_ranking_size(csz_ranking *ranking, const csz_workload *workload,
                            const csz_cluster *cluster, const csz_goal *goal)
{
    return rank(ranking, workload, cluster, goal, cszi_size, 0);
}

csz_status csz_ranking_curve(csz_ranking *ranking, const csz_workload *workload,
                             const csz_cluster *cluster, const csz_goal *goal)
{
    return rank(ranking, workload, cluster, goal, cszi_sizing_curve, CSZI_RUNGS);
}

csz_status csz_ranking_advise(csz_ranking *ranking, const csz_workload *workload,
                              const csz_cluster *cluster, const csz_plan *plan)
{
    csz_status status = start(ranking, workload, cluster);
    if (status != CSZ_OK)
        return status;
    if (plan == NULL) {
        drop_entries(ranking);
        return cszi_fail(&ranking->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE, "a plan is needed");
    }
    status = make_room(ranking, 64);
    if (status == CSZ_OK)
        status = cszi_advise(&ranking->value, &workload->value, &cluster->value, &plan->value,
                             &ranking->error);
    return finish(ranking, status, workload, cluster);
}

size_t csz_ranking_count(const csz_ranking *ranking)
{
    return ranking != NULL ? ranking->entry_count : 0;
}

const csz_plan *csz_ranking_plan_at(const csz_ranking *ranking, size_t index)
{
    return index < csz_ranking_count(ranking) ? &ranking->entries[index].plan : NULL;
}

const csz_estimate *csz_ranking_estimate_at(const csz_ranking *ranking, size_t index)
{
    return index < csz_ranking_count(ranking) ? &ranking->entries[index].estimate : NULL;
}

size_t csz_ranking_reject_count(const csz_ranking *ranking)
{
    size_t count = 0;
    for (int i = 0; ranking != NULL && i < CSZI_REASONS; i++)
        count += ranking->value.rejected[i] > 0;
    return count;
}

/* Largest first; of equal counts the lower reason. */
csz_status csz_ranking_reject_at(const csz_ranking *ranking, size_t index, csz_reason *reason,
                                 double *plans)
{
    const double *rejected;
    if (ranking == NULL || reason == NULL || plans == NULL)
        return CSZ_ERR_ARGUMENT;
    rejected = ranking->value.rejected;
    for (int i = 0; i < CSZI_REASONS; i++) {
        size_t before = 0;
        for (int j = 0; j < CSZI_REASONS; j++)
            before += rejected[j] > rejected[i] || (j < i && !(rejected[j] < rejected[i]));
        if (rejected[i] > 0 && before == index) {
            *reason = (csz_reason)i;
            *plans = rejected[i];
            return CSZ_OK;
        }
    }
    return CSZ_ERR_RANGE;
}

csz_status csz_ranking_get_f64(const csz_ranking *ranking, csz_field field, double *value)
{
    const cszi_field_row *row = cszi_table_row(&cszi_ranking_table, field);
    if (ranking == NULL || value == NULL)
        return CSZ_ERR_ARGUMENT;
    return row == NULL ? CSZ_ERR_FIELD
                       : cszi_field_get_f64(&cszi_ranking_table, &ranking->value, row, 0, value);
}

static void write_rejections(const csz_ranking *ranking, cszi_json_out *json)
{
    cszi_json_key(json, "rejected");
    cszi_json_open_object(json);
    for (size_t i = 0; i < csz_ranking_reject_count(ranking); i++) {
        csz_reason reason = CSZ_REASON_NONE;
        double plans = 0;
        (void)csz_ranking_reject_at(ranking, i, &reason, &plans);
        cszi_json_key(json, csz_reason_name(reason));
        cszi_json_put_f64(json, plans);
    }
    cszi_json_close_object(json);
}

void cszi_ranking_write(const csz_ranking *ranking, cszi_json_out *json)
{
    cszi_fields_write(&cszi_ranking_table, &ranking->value, json);
    write_rejections(ranking, json);
    cszi_json_key(json, "entries");
    cszi_json_open_array(json);
    for (size_t i = 0; i < ranking->entry_count; i++) {
        cszi_json_open_object(json);
        cszi_json_key(json, "plan");
        cszi_json_open_object(json);
        cszi_fields_write(&cszi_plan_table, &ranking->entries[i].plan.value, json);
        cszi_json_close_object(json);
        cszi_estimate_write(&ranking->entries[i].estimate.value, json);
        cszi_json_close_object(json);
    }
    cszi_json_close_array(json);
}

size_t csz_ranking_to_json(const csz_ranking *ranking, char *text, size_t capacity)
{
    cszi_json_out json = cszi_json_begin(text, capacity);
    cszi_json_open_object(&json);
    cszi_json_put_version(&json);
    if (ranking != NULL)
        cszi_ranking_write(ranking, &json);
    cszi_json_close_object(&json);
    return cszi_json_end(&json);
}

const char *csz_ranking_error(const csz_ranking *ranking, csz_field *field)
{
    if (field != NULL)
        *field = ranking != NULL ? ranking->error.field : CSZ_FIELD_NONE;
    return ranking != NULL ? ranking->error.text : "";
}
