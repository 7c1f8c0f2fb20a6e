/* question.c: a whole question in one text, its answer as one JSON object. */
#include <string.h>

#include "api/handles.h"

/* Everything that a question needs, made and freed together. */
typedef struct question {
    csz_catalog *catalog;
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
    csz_goal *goal;
    csz_estimate *estimate;
    csz_ranking *ranking;
    csz_projection *projection;
    csz_status status; /* of the last call */
    char ask[8];
    const char *message;
    csz_field field;
} question;

static int make(question *q)
{
    q->catalog = csz_catalog_new(NULL);
    q->workload = csz_workload_new(NULL);
    q->cluster = csz_cluster_new(NULL);
    q->plan = csz_plan_new(NULL);
    q->goal = csz_goal_new(NULL);
    q->estimate = csz_estimate_new(NULL);
    q->ranking = csz_ranking_new(NULL);
    q->projection = csz_projection_new(NULL);
    return q->catalog != NULL && q->workload != NULL && q->cluster != NULL && q->plan != NULL &&
           q->goal != NULL && q->estimate != NULL && q->ranking != NULL && q->projection != NULL;
}

static void unmake(question *q)
{
    csz_catalog_free(q->catalog);
    csz_workload_free(q->workload);
    csz_cluster_free(q->cluster);
    csz_plan_free(q->plan);
    csz_goal_free(q->goal);
    csz_estimate_free(q->estimate);
    csz_ranking_free(q->ranking);
    csz_projection_free(q->projection);
}

/* A call on one of the objects: its status; a failure's message and field are kept. */
#define TRY(q, object, call)                                                                       \
    ((q)->status = (call),                                                                         \
     (q)->message =                                                                                \
         (q)->status != CSZ_OK ? csz_##object##_error((q)->object, &(q)->field) : (q)->message,    \
     (q)->status)

/* ---- JSON questions ---- */

static csz_status load_sections(question *q, const char *text, size_t n)
{
    csz_status status = TRY(q, catalog, csz_catalog_load(q->catalog, text, n));
    if (status == CSZ_OK)
        status =
            TRY(q, workload, csz_workload_load(q->workload, q->catalog, CSZ_SOURCE_JSON, text, n));
    if (status == CSZ_OK)
        status =
            TRY(q, cluster, csz_cluster_load(q->cluster, q->catalog, CSZ_SOURCE_JSON, text, n));
    if (status == CSZ_OK)
        status = TRY(q, plan, csz_plan_load(q->plan, CSZ_SOURCE_JSON, text, n));
    if (status == CSZ_OK)
        status = TRY(q, goal, csz_goal_load(q->goal, CSZ_SOURCE_JSON, text, n));
    return status;
}

static csz_status read_json(question *q, const char *text)
{
    static const char *const sections[] = {"ask", "workload", "cluster", "plan", "goal", "catalog"};
    cszi_error *error = &q->workload->error;
    cszi_json json;
    cszi_json_value root, key, value;
    size_t cursor = 0, n = strlen(text);
    int found = 0;
    csz_status status = cszi_json_open(&json, text, n, 0, error, &root);
    q->message = error->text;
    while (status == CSZ_OK && cszi_json_next_member(&json, root, &cursor, &key, &value)) {
        size_t i = 0;
        while (i < sizeof sections / sizeof *sections && !cszi_json_equals(&json, key, sections[i]))
            i++;
        if (i == sizeof sections / sizeof *sections)
            return cszi_json_fail(&json, key, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                                  "a question has ask, workload, cluster, plan, goal and catalog");
    }
    if (status == CSZ_OK)
        status = cszi_json_find(&json, root, "ask", &value, &found);
    if (status != CSZ_OK)
        return status;
    if (found && (cszi_json_type_of(&json, value) != CSZI_JSON_STRING ||
                  cszi_json_string(&json, value, q->ask, sizeof q->ask) >= sizeof q->ask))
        return cszi_json_fail(&json, value, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                              "ask: is none of size, plan, fit, flops, cost, curve, network");
    return load_sections(q, text, n);
}

/* ---- Text questions ---- */

/* The object whose field a pair names; a workload's list forms begin with a list's name. */
static int object_of(const char *pair)
{
    size_t stem = strcspn(pair, "=[ \t\n");
    if (cszi_table_by_name(&cszi_cluster_table, pair, stem) != NULL)
        return CSZ_OBJECT_CLUSTER;
    if (cszi_table_by_name(&cszi_plan_table, pair, stem) != NULL)
        return CSZ_OBJECT_PLAN;
    if (cszi_table_by_name(&cszi_goal_table, pair, stem) != NULL)
        return CSZ_OBJECT_GOAL;
    return CSZ_OBJECT_WORKLOAD;
}

/* The pairs of one object, in their order, into a buffer as long as the text. */
static void pick_pairs(const char *text, int object, char *picked)
{
    while (*(text += strspn(text, " \t\n")) != '\0') {
        size_t n = strcspn(text, " \t\n");
        if (object_of(text) == object) {
            memcpy(picked, text, n);
            picked[n] = ' ';
            picked += n + 1;
        }
        text += n;
    }
    *picked = '\0';
}

static csz_status set_picked(question *q, const char *text, char *picked)
{
    csz_status status;
    pick_pairs(text, CSZ_OBJECT_WORKLOAD, picked);
    status = TRY(q, workload, csz_workload_set(q->workload, q->catalog, picked));
    pick_pairs(text, CSZ_OBJECT_CLUSTER, picked);
    if (status == CSZ_OK)
        status = TRY(q, cluster, csz_cluster_set(q->cluster, q->catalog, picked));
    pick_pairs(text, CSZ_OBJECT_PLAN, picked);
    if (status == CSZ_OK)
        status = TRY(q, plan, csz_plan_set(q->plan, picked));
    pick_pairs(text, CSZ_OBJECT_GOAL, picked);
    if (status == CSZ_OK)
        status = TRY(q, goal, csz_goal_set(q->goal, picked));
    return status;
}

static csz_status read_pairs(question *q, const char *text)
{
    size_t size = strlen(text) + 2;
    char *picked = cszi_alloc_zero(cszi_alloc_default(), size);
    csz_status status = CSZ_ERR_NO_MEMORY;
    if (picked != NULL)
        status = set_picked(q, text, picked);
    cszi_alloc_free(cszi_alloc_default(), picked, size);
    return status;
}

static csz_status read_text(question *q, const char *text)
{
    size_t n = strcspn(text, " \t\n=");
    if (text[n] == '=')
        return read_pairs(q, text);
    if (n >= sizeof q->ask) {
        q->message = "the first word is none of size, plan, fit, flops, cost, curve, network";
        return CSZ_ERR_UNKNOWN;
    }
    memcpy(q->ask, text, n);
    q->ask[n] = '\0';
    return read_pairs(q, text + n);
}

/* ---- Answers ---- */

/* Settings of the plan bound the search. */
static csz_status limit_by_plan(question *q)
{
    csz_status status = CSZ_OK;
    char stack[CSZI_TEXT_CAPACITY];
    for (size_t i = 0; i < cszi_plan_table.count && status == CSZ_OK; i++) {
        csz_field field = cszi_plan_table.rows[i].id;
        double value = 0;
        if (!csz_plan_is_set(q->plan, field))
            continue;
        if (field == CSZ_PLAN_STACK) {
            (void)csz_plan_get_text(q->plan, field, stack, sizeof stack);
            status = TRY(q, goal, csz_goal_stack(q->goal, stack));
        } else {
            (void)csz_plan_get_f64(q->plan, field, &value);
            status = TRY(q, goal, csz_goal_limit(q->goal, field, value, value));
        }
    }
    return status;
}

static csz_status rank(question *q, int size)
{
    csz_status status = limit_by_plan(q);
    if (status != CSZ_OK)
        return status;
    if (size)
        return TRY(q, ranking, csz_ranking_size(q->ranking, q->workload, q->cluster, q->goal));
    return TRY(q, ranking, csz_ranking_select(q->ranking, q->workload, q->cluster, q->goal));
}

static csz_status estimate(question *q, csz_depth depth)
{
    return TRY(q, estimate,
               csz_estimate_compute(q->estimate, q->workload, q->cluster, q->plan, depth));
}

/* Of the best plan on the count. */
static csz_status project(question *q, int network)
{
    const csz_plan *plan;
    csz_status status = rank(q, 0);
    if (status != CSZ_OK)
        return status;
    plan = csz_ranking_plan_at(q->ranking, 0);
    if (plan == NULL) {
        q->message = "no plan fits on the cluster";
        return CSZ_ERR_CONFLICT;
    }
    if (network)
        return TRY(
            q, projection,
            csz_projection_network(q->projection, q->catalog, q->workload, q->cluster, plan));
    return TRY(q, projection,
               csz_projection_compute(q->projection, q->catalog, q->workload, q->cluster, plan));
}

static csz_status curve(question *q)
{
    csz_status status = limit_by_plan(q);
    if (status == CSZ_OK)
        status = TRY(q, ranking, csz_ranking_curve(q->ranking, q->workload, q->cluster, q->goal));
    if (status != CSZ_OK)
        return status;
    return TRY(q, projection, csz_projection_curve(q->projection, q->ranking, q->cluster, q->goal));
}

static csz_status answer(question *q, cszi_json_out *json)
{
    csz_status status;
    if (strcmp(q->ask, "plan") == 0 || strcmp(q->ask, "size") == 0 || q->ask[0] == '\0') {
        status = rank(q, q->ask[0] != 'p');
        if (status == CSZ_OK)
            cszi_ranking_write(q->ranking, json);
        return status;
    }
    if (strcmp(q->ask, "cost") == 0 || strcmp(q->ask, "network") == 0 ||
        strcmp(q->ask, "curve") == 0) {
        status = q->ask[1] == 'u' ? curve(q) : project(q, q->ask[0] == 'n');
        if (status == CSZ_OK)
            cszi_fields_write(&cszi_projection_table, &q->projection->value, json);
        return status;
    }
    if (strcmp(q->ask, "fit") == 0) {
        status = estimate(q, cszi_deepest(&q->workload->value, &q->cluster->value));
    } else if (strcmp(q->ask, "flops") == 0) {
        status = estimate(q, CSZ_DEPTH_MODEL);
    } else {
        q->message = "ask: is none of size, plan, fit, flops, cost, curve, network";
        return CSZ_ERR_UNKNOWN;
    }
    if (status == CSZ_OK)
        cszi_estimate_write(&q->estimate->value, json);
    return status;
}

static void write_error(const question *q, csz_status status, cszi_json_out *json)
{
    cszi_json_key(json, "error");
    cszi_json_open_object(json);
    cszi_json_key(json, "status");
    cszi_json_put_text(json, csz_status_name(status));
    if (q->field != CSZ_FIELD_NONE && csz_field_name(q->field) != NULL) {
        cszi_json_key(json, "field");
        cszi_json_put_text(json, csz_field_name(q->field));
    }
    cszi_json_key(json, "message");
    cszi_json_put_text(json, q->message != NULL ? q->message : "");
    cszi_json_close_object(json);
}

size_t csz_question_answer(const char *text, char *json, size_t capacity)
{
    cszi_json_out out = cszi_json_begin(json, capacity);
    question q = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, CSZ_OK, "", NULL, CSZ_FIELD_NONE};
    csz_status status = CSZ_ERR_NO_MEMORY;
    const char *at = text != NULL ? text + strspn(text, " \t\n") : "";
    q.message = "out of memory";
    cszi_json_open_object(&out);
    cszi_json_put_version(&out);
    if (make(&q)) {
        status = *at == '{' ? read_json(&q, at) : read_text(&q, at);
        if (status == CSZ_OK)
            status = answer(&q, &out);
    }
    if (status != CSZ_OK)
        write_error(&q, status, &out);
    cszi_json_close_object(&out);
    unmake(&q);
    return cszi_json_end(&out);
}
