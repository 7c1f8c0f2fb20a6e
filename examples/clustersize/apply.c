/* apply.c: flags and files into the handles: files first, ids before figures, so that what is said
 * beside wins. */
#include "commands.h"
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int args_make(asked *a)
{
    memset(a, 0, sizeof *a);
    a->catalog = csz_catalog_new(NULL);
    a->workload = csz_workload_new(NULL);
    a->cluster = csz_cluster_new(NULL);
    a->plan = csz_plan_new(NULL);
    a->goal = csz_goal_new(NULL);
    if (a->catalog != NULL && a->workload != NULL && a->cluster != NULL && a->plan != NULL &&
        a->goal != NULL)
        return 0;
    return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
}

void args_free(asked *a)
{
    csz_catalog_free(a->catalog);
    csz_workload_free(a->workload);
    csz_cluster_free(a->cluster);
    csz_plan_free(a->plan);
    csz_goal_free(a->goal);
    for (size_t i = 0; i < a->count; i++)
        free(a->settings[i].pair);
    free(a->settings);
    free(a->nccl);
}

/* ---- Each object's call and message ---- */

static int check_workload(asked *a, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    const char *message = csz_workload_error(a->workload, &field);
    return status == CSZ_OK ? 0 : args_fail_with(a, status, field, message);
}

static int check_cluster(asked *a, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    const char *message = csz_cluster_error(a->cluster, &field);
    return status == CSZ_OK ? 0 : args_fail_with(a, status, field, message);
}

static int check_plan(asked *a, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    const char *message = csz_plan_error(a->plan, &field);
    return status == CSZ_OK ? 0 : args_fail_with(a, status, field, message);
}

static int check_goal(asked *a, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    const char *message = csz_goal_error(a->goal, &field);
    return status == CSZ_OK ? 0 : args_fail_with(a, status, field, message);
}

static int apply_setting(asked *a, const setting *s)
{
    switch (args_object(s->field)) {
    case CSZ_OBJECT_WORKLOAD:
        return check_workload(a, csz_workload_set(a->workload, a->catalog, s->pair));
    case CSZ_OBJECT_CLUSTER:
        return check_cluster(a, csz_cluster_set(a->cluster, a->catalog, s->pair));
    case CSZ_OBJECT_PLAN:
        return check_plan(a, csz_plan_set(a->plan, s->pair));
    case CSZ_OBJECT_GOAL:
        return check_goal(a, csz_goal_set(a->goal, s->pair));
    case CSZ_OBJECT_ESTIMATE:
    case CSZ_OBJECT_RANKING:
    case CSZ_OBJECT_CATALOG:
    case CSZ_OBJECT_CALIBRATION:
    case CSZ_OBJECT_PROJECTION:
    case CSZ_OBJECT_MAX_ENUM:
        break;
    }
    return 0;
}

/* ---- A job file ---- */

static int load_sections(asked *a, const char *text, size_t n)
{
    int status = 0;
    csz_field field = CSZ_FIELD_NONE;
    csz_status loaded = csz_catalog_load(a->catalog, text, n);
    if (loaded != CSZ_OK)
        return args_fail_with(a, loaded, field, csz_catalog_error(a->catalog, &field));
    status =
        check_workload(a, csz_workload_load(a->workload, a->catalog, CSZ_SOURCE_JSON, text, n));
    if (status == 0)
        status =
            check_cluster(a, csz_cluster_load(a->cluster, a->catalog, CSZ_SOURCE_JSON, text, n));
    if (status == 0)
        status = check_plan(a, csz_plan_load(a->plan, CSZ_SOURCE_JSON, text, n));
    if (status == 0)
        status = check_goal(a, csz_goal_load(a->goal, CSZ_SOURCE_JSON, text, n));
    return status;
}

/* Whether the accelerator alone would have given the cluster this figure or id. */
static int follows(const asked *a, const csz_cluster *alone, csz_field field)
{
    char said[64], copied[64];
    double x = 0, y = 0;
    if (!csz_cluster_is_set(alone, field) || field == CSZ_CLUSTER_ACCELERATOR)
        return 0;
    if (csz_field_type(field) == CSZ_TYPE_TEXT) {
        (void)csz_cluster_get_text(a->cluster, field, said, sizeof said);
        (void)csz_cluster_get_text(alone, field, copied, sizeof copied);
        return strcmp(said, copied) == 0;
    }
    (void)csz_cluster_get_f64(a->cluster, field, &x);
    (void)csz_cluster_get_f64(alone, field, &y);
    return !(x < y) && !(x > y);
}

/* What a job file says counts as stated; what its ids brought along does not. */
static int note_stated(asked *a)
{
    char pair[96] = "accelerator=";
    csz_cluster *alone = csz_cluster_new(NULL);
    if (alone == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    (void)csz_cluster_get_text(a->cluster, CSZ_CLUSTER_ACCELERATOR, pair + strlen(pair), 64);
    (void)csz_cluster_set(alone, a->catalog, pair);
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        if (csz_workload_is_set(a->workload, field) || csz_plan_is_set(a->plan, field) ||
            csz_goal_is_set(a->goal, field) ||
            (csz_cluster_is_set(a->cluster, field) && !follows(a, alone, field)))
            a->stated[field] = 1;
    }
    csz_cluster_free(alone);
    return 0;
}

/* ---- Files ---- */

static int load_catalog(asked *a)
{
    size_t n = 0;
    csz_field field = CSZ_FIELD_NONE;
    char *text = file_read(a, "catalog", a->catalog_file, &n);
    csz_status status;
    if (text == NULL)
        return BAD_INPUT;
    status = csz_catalog_load(a->catalog, text, n);
    free(text);
    if (status == CSZ_OK)
        return 0;
    (void)csz_catalog_error(a->catalog, &field);
    return args_fail(a, status, field, "catalog: %.160s: %s", a->catalog_file,
                     csz_catalog_error(a->catalog, NULL));
}

static int load_job(asked *a)
{
    size_t n = 0;
    char *text = file_read(a, "job", a->job_file, &n), message[sizeof a->message];
    int status;
    if (text == NULL)
        return BAD_INPUT;
    status = load_sections(a, text, n);
    free(text);
    if (status == 0)
        return note_stated(a);
    memcpy(message, a->message, sizeof message);
    return args_fail(a, a->status, a->field, "job: %.120s: %.350s", a->job_file, message);
}

/* A cluster by itself, or the one of a job file, as `calibrate` writes it. */
static int load_cluster(asked *a)
{
    size_t n = 0;
    char *text = file_read(a, "cluster", a->cluster_file, &n), message[sizeof a->message];
    int status;
    if (text == NULL)
        return BAD_INPUT;
    status = check_cluster(a, csz_cluster_load(a->cluster, a->catalog, CSZ_SOURCE_JSON, text, n));
    free(text);
    if (status == 0)
        return note_stated(a);
    memcpy(message, a->message, sizeof message);
    return args_fail(a, a->status, a->field, "cluster: %.120s: %.350s", a->cluster_file, message);
}

static int load_model(asked *a)
{
    size_t n = 0;
    char *text = file_read(a, "model", a->model_file, &n);
    csz_field field = CSZ_FIELD_NONE;
    csz_status status;
    if (text == NULL)
        return BAD_INPUT;
    if (a->stated[CSZ_WORKLOAD_MODEL]) {
        free(text);
        return args_fail(a, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_MODEL,
                         "model: is given as an id and as the file %.160s", a->model_file);
    }
    status = csz_workload_load(
        a->workload, a->catalog,
        file_is_mistral(text, n) ? CSZ_SOURCE_MISTRAL : CSZ_SOURCE_HUGGING_FACE, text, n);
    free(text);
    if (status == CSZ_OK)
        return 0;
    (void)csz_workload_error(a->workload, &field);
    return args_fail(a, status, field, "model: %.160s: %s", a->model_file,
                     csz_workload_error(a->workload, NULL));
}

/* What a launch is written in: workload and plan, which then count as stated. */
static int load_launch(asked *a, const char *what, const char *path, csz_source source)
{
    size_t n = 0;
    char *text = file_read(a, what, path, &n), message[sizeof a->message];
    int status;
    if (text == NULL)
        return BAD_INPUT;
    status = check_workload(a, csz_workload_load(a->workload, a->catalog, source, text, n));
    if (status == 0)
        status = check_plan(a, csz_plan_load(a->plan, source, text, n));
    free(text);
    if (status == 0)
        return note_stated(a);
    memcpy(message, a->message, sizeof message);
    return args_fail(a, a->status, a->field, "%s: %.120s: %.350s", what, path, message);
}

/* The file that `check` judges, into workload and plan: what is known beside it, the model and the
 * accelerators, stands there before. */
static int load_checked(asked *a)
{
    size_t n = 0;
    csz_source source = CSZ_SOURCE_JSON;
    csz_field field = CSZ_FIELD_NONE;
    csz_status status;
    char *text;
    if (a->from == NULL)
        return args_fail(a, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
                         "check: --from names the software of %.80s", a->launch_file);
    if (launch_source(a, "from", a->from, &source) != 0)
        return BAD_INPUT;
    text = file_read(a, "check", a->launch_file, &n);
    if (text == NULL)
        return BAD_INPUT;
    status = csz_plan_load_launch(a->plan, a->workload, a->cluster, source, text, n);
    free(text);
    if (status == CSZ_OK)
        return note_stated(a);
    (void)csz_plan_error(a->plan, &field);
    return args_fail(a, status, field, "%.120s: %.350s", a->launch_file,
                     csz_plan_error(a->plan, NULL));
}

/* ---- All of it ---- */

static int apply_settings(asked *a, csz_field only)
{
    static const csz_field ids[] = {CSZ_WORKLOAD_MODEL, CSZ_CLUSTER_ACCELERATOR, CSZ_CLUSTER_NODE,
                                    CSZ_CLUSTER_FABRIC, CSZ_CLUSTER_OFFER};
    for (size_t i = 0; i < a->count; i++) {
        int is_id = 0, status;
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
            is_id |= a->settings[i].field == ids[k];
        if (only != CSZ_FIELD_NONE ? a->settings[i].field != only : is_id)
            continue;
        status = apply_setting(a, &a->settings[i]);
        if (status != 0)
            return status;
    }
    return 0;
}

int args_apply(asked *a)
{
    static const csz_field order[] = {CSZ_WORKLOAD_MODEL, CSZ_CLUSTER_ACCELERATOR, CSZ_CLUSTER_NODE,
                                      CSZ_CLUSTER_FABRIC, CSZ_CLUSTER_OFFER,       CSZ_FIELD_NONE};
    int status = a->catalog_file != NULL ? load_catalog(a) : 0;
    if (status == 0 && a->job_file != NULL)
        status = load_job(a);
    if (status == 0 && a->cluster_file != NULL)
        status = load_cluster(a);
    if (status == 0 && a->megatron_file != NULL)
        status = load_launch(a, "megatron", a->megatron_file, CSZ_SOURCE_MEGATRON);
    if (status == 0 && a->deepspeed_file != NULL)
        status = load_launch(a, "deepspeed", a->deepspeed_file, CSZ_SOURCE_DEEPSPEED);
    if (status == 0 && a->model_file != NULL)
        status = load_model(a);
    for (size_t i = 0; i < sizeof order / sizeof *order && status == 0; i++)
        status = apply_settings(a, order[i]);
    if (status != 0 || a->launch_file == NULL)
        return status;
    status = load_checked(a);
    return status == 0 ? apply_settings(a, CSZ_FIELD_NONE) : status; /* flags win */
}

shown args_model_name(const asked *a)
{
    shown w = {"the model"};
    char id[64];
    const char *file = a->model_file, *base;
    if (file == NULL && csz_workload_get_text(a->workload, CSZ_WORKLOAD_MODEL, id, sizeof id) > 0) {
        (void)snprintf(w.text, sizeof w.text, "%.47s", id);
        return w;
    }
    if (file == NULL)
        file = a->megatron_file;
    if (file != NULL) {
        base = strrchr(file, '/');
        (void)snprintf(w.text, sizeof w.text, "%.40s", base != NULL ? base + 1 : file);
    }
    return w;
}
