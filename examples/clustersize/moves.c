/* moves.c: each input that was not stated is given other values, plan and count kept, and the
 * answer computed again: every other choice, half and double of a number, each stack, the cheapest
 * and the dearest offer. */
#include "moves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Moves below this share are left out. */
#define LEAST_MOVE 0.02
/* The calibration is known better than by a factor of two. */
#define CALIBRATION_STEP 1.1

/* ---- One value ---- */

/* What the answer is measured by; larger is worse. */
static double measure(const trial *r, const csz_estimate *e)
{
    if (r->what == WATCH_MEMORY)
        return figure(e, CSZ_ESTIMATE_MEMORY_TOTAL);
    if (r->base->depth == CSZ_DEPTH_RUN)
        return figure(e, CSZ_ESTIMATE_RUN_TIME);
    return 1 / figure(e, CSZ_ESTIMATE_STEP_TOKENS_PER_SECOND);
}

static csz_status set_value(trial *r, csz_field field, const char *value)
{
    char pair[160];
    csz_status status;
    (void)csz_workload_copy(r->workload, r->a->workload);
    (void)csz_cluster_copy(r->cluster, r->base->cluster);
    (void)csz_plan_copy(r->plan, r->base->plan);
    (void)snprintf(pair, sizeof pair, "%s=%s", csz_field_name(field), value);
    if (args_object(field) == CSZ_OBJECT_WORKLOAD)
        status = csz_workload_set(r->workload, r->a->catalog, pair);
    else if (args_object(field) == CSZ_OBJECT_CLUSTER)
        status = csz_cluster_set(r->cluster, r->a->catalog, pair);
    else
        status = csz_plan_set(r->plan, pair);
    if (status != CSZ_OK)
        return status;
    return csz_estimate_compute(r->estimate, r->workload, r->cluster, r->plan, r->base->depth);
}

static void note_ratio(move *m, double ratio, const char *value)
{
    if (ratio < m->low) {
        m->low = ratio;
        (void)snprintf(m->at_low, sizeof m->at_low, "%.47s", value);
    }
    if (ratio > m->high) {
        m->high = ratio;
        (void)snprintf(m->at_high, sizeof m->at_high, "%.47s", value);
    }
}

/* A value that is not possible says nothing about the answer. */
static void try_value(trial *r, csz_field field, const char *value, const char *as_text)
{
    move *m = r->move;
    double ratio, cost;
    if (set_value(r, field, value) != CSZ_OK)
        return;
    ratio = measure(r, r->estimate) / measure(r, r->base->estimate);
    cost = figure(r->estimate, CSZ_ESTIMATE_RUN_COST) /
           figure(r->base->estimate, CSZ_ESTIMATE_RUN_COST);
    if (field == CSZ_CLUSTER_OFFER && r->what == WATCH_RUN) {
        m->of_cost = 1;
        ratio = cost;
    }
    if (isfinite(ratio))
        note_ratio(m, ratio, as_text);
    if (figure(r->estimate, CSZ_ESTIMATE_MEMORY_FIT) < 0.5 &&
        figure(r->base->estimate, CSZ_ESTIMATE_MEMORY_FIT) > 0.5)
        m->unfit = 1;
}

static shown as_people_write(csz_field field, double value)
{
    return csz_field_type(field) == CSZ_TYPE_I64 && value < 1e7
               ? text_count(value)
               : text_unit(csz_field_unit(field), value);
}

static void try_number(trial *r, csz_field field, double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, csz_field_type(field) == CSZ_TYPE_I64 ? "%.0f" : "%.17g",
                   value);
    try_value(r, field, text, as_people_write(field, value).text);
}

/* ---- What stands for a field that was not stated ---- */

/* Inverts the goodput that the estimate gives (Daly 2006, equation 13) for the restart time in it.
 */
static double restart_of(const csz_estimate *e)
{
    double rate = 1 / figure(e, CSZ_ESTIMATE_RUN_TIME_BETWEEN_FAILURES);
    double interval = figure(e, CSZ_ESTIMATE_RUN_CHECKPOINT_INTERVAL),
           write = figure(e, CSZ_ESTIMATE_RUN_CHECKPOINT_TIME);
    return interval / (figure(e, CSZ_ESTIMATE_RUN_GOODPUT) * expm1(rate * (interval + write))) -
           1 / rate;
}

/* Figures that the library takes from its built-in facts show in the estimate only. */
static double assumed_value(const answer *x, csz_field field)
{
    const csz_estimate *e = x->estimate;
    double per_node = 1, count = 1, batch = figure(e, CSZ_ESTIMATE_BATCH_SEQUENCES);
    (void)csz_cluster_get_f64(x->cluster, CSZ_CLUSTER_ACCELERATORS_PER_NODE, &per_node);
    (void)csz_cluster_get_f64(x->cluster, CSZ_CLUSTER_ACCELERATORS, &count);
    if (field == CSZ_WORKLOAD_SEQUENCE_LENGTH)
        return figure(e, CSZ_ESTIMATE_BATCH_TOKENS) / batch;
    if (field == CSZ_WORKLOAD_GLOBAL_BATCH)
        return batch;
    if (field == CSZ_WORKLOAD_CHECKPOINT_INTERVAL)
        return figure(e, CSZ_ESTIMATE_RUN_CHECKPOINT_INTERVAL);
    if (field == CSZ_CLUSTER_FAILURES_PER_NODE_DAY)
        return 86400 / (figure(e, CSZ_ESTIMATE_RUN_TIME_BETWEEN_FAILURES) * ceil(count / per_node));
    if (field == CSZ_CLUSTER_STORAGE_BANDWIDTH)
        return figure(e, CSZ_ESTIMATE_RUN_CHECKPOINT_BYTES) /
               figure(e, CSZ_ESTIMATE_RUN_CHECKPOINT_TIME);
    if (field == CSZ_CLUSTER_RESTART_TIME)
        return restart_of(e);
    return (double)NAN;
}

/* The value in the handles, the default, or what the estimate shows. */
static double value_now(const trial *r, csz_field field)
{
    double value = (double)NAN;
    csz_status status;
    if (args_object(field) == CSZ_OBJECT_WORKLOAD)
        status = csz_workload_get_f64(r->a->workload, field, &value);
    else if (args_object(field) == CSZ_OBJECT_CLUSTER)
        status = csz_cluster_get_f64(r->base->cluster, field, &value);
    else
        status = csz_plan_get_f64(r->base->plan, field, &value);
    return status == CSZ_OK ? value : assumed_value(r->base, field);
}

/* ---- All values of a field ---- */

static void try_choices(trial *r, csz_field field, double now)
{
    double lowest = 0, highest = 0;
    (void)csz_field_bounds(field, &lowest, &highest);
    for (double v = lowest; v <= highest; v += 1) {
        const char *name = csz_field_choice(field, (int64_t)v);
        if (name != NULL && !(v >= now && v <= now))
            try_value(r, field, name, name);
    }
    if (!isnan(now) && csz_field_choice(field, (int64_t)now) != NULL)
        (void)snprintf(r->move->now, sizeof r->move->now, "%.47s",
                       csz_field_choice(field, (int64_t)now));
}

static void try_numbers(trial *r, csz_field field, double now)
{
    double factor =
        field >= CSZ_CLUSTER_COMPUTE_MULTIPLIER && field <= CSZ_CLUSTER_NETWORK_MULTIPLIER
            ? CALIBRATION_STEP
            : 2;
    if (!isfinite(now))
        return;
    (void)snprintf(r->move->now, sizeof r->move->now, "%.47s", as_people_write(field, now).text);
    try_number(r, field,
               csz_field_type(field) == CSZ_TYPE_I64 ? floor(now / factor) : now / factor);
    try_number(r, field, now * factor);
}

static void try_stacks(trial *r)
{
    for (size_t i = 0; i < csz_stack_count(); i++)
        try_value(r, CSZ_PLAN_STACK, csz_stack_id_at(i), csz_stack_id_at(i));
}

static int is_on_demand(const trial *r, size_t offer, const char *accelerator)
{
    char text[64];
    if (csz_catalog_get_text(r->a->catalog, offer, CSZ_OFFER_TERM, text, sizeof text) == 0 ||
        strcmp(text, "on-demand") != 0)
        return 0;
    return csz_catalog_get_text(r->a->catalog, offer, CSZ_OFFER_ACCELERATOR, text, sizeof text) >
               0 &&
           strcmp(text, accelerator) == 0;
}

static void try_offers(trial *r)
{
    char accelerator[64];
    if (csz_cluster_get_text(r->base->cluster, CSZ_CLUSTER_ACCELERATOR, accelerator,
                             sizeof accelerator) == 0)
        return;
    (void)csz_cluster_get_text(r->base->cluster, CSZ_CLUSTER_OFFER, r->move->now,
                               sizeof r->move->now);
    for (size_t i = 0; i < csz_catalog_count(r->a->catalog, CSZ_KIND_OFFER); i++) {
        const char *id = csz_catalog_id_at(r->a->catalog, CSZ_KIND_OFFER, i);
        if (is_on_demand(r, i, accelerator))
            try_value(r, CSZ_CLUSTER_OFFER, id, id);
    }
}

/* ---- Which fields ---- */

static int said(const trial *r, csz_field field)
{
    return field < INPUT_FIELDS && r->a->stated[field] != 0;
}

/* A switch that is off until someone turns it on: what it would do is advice. */
static int is_off(csz_field field)
{
    double value = 1;
    return csz_field_type(field) == CSZ_TYPE_BOOL && csz_field_default(field, &value) == CSZ_OK &&
           value < 0.5;
}

/* Facts of the model and the accelerator are no assumptions; what another statement settles is none
 * either. */
static int is_assumed(const trial *r, csz_field field)
{
    csz_object object = args_object(field);
    if (object == 0 || object == CSZ_OBJECT_GOAL || field < CSZ_WORKLOAD_JOB || said(r, field))
        return 0;
    if (object == CSZ_OBJECT_PLAN)
        return !csz_plan_is_set(r->base->plan, field) && field != CSZ_PLAN_DATA_PARALLEL &&
               !is_off(field);
    if (field == CSZ_WORKLOAD_GLOBAL_BATCH || field == CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS)
        return field == CSZ_WORKLOAD_GLOBAL_BATCH && !said(r, CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS);
    if (field == CSZ_WORKLOAD_SEQUENCE_LENGTH)
        return !said(r, CSZ_WORKLOAD_MAXIMUM_LENGTH);
    if (field == CSZ_WORKLOAD_TOKENS || field == CSZ_WORKLOAD_UNIQUE_TOKENS)
        return 0;
    if (field == CSZ_WORKLOAD_METHOD)
        return value_now(r, CSZ_WORKLOAD_JOB) > CSZ_JOB_PRETRAIN;
    if (field == CSZ_CLUSTER_OFFER)
        return !said(r, CSZ_CLUSTER_PRICE);
    if (field == CSZ_CLUSTER_LINK_MULTIPLIER || field == CSZ_CLUSTER_SCALE_OUT_MULTIPLIER)
        return 0; /* network_multiplier moves both */
    if (field == CSZ_CLUSTER_SCALE_OUT_BANDWIDTH)
        return !said(r, CSZ_CLUSTER_NODE) && !said(r, CSZ_CLUSTER_FABRIC);
    return object == CSZ_OBJECT_WORKLOAD ||
           (field >= CSZ_CLUSTER_FAILURES_PER_NODE_DAY && !is_off(field));
}

static void try_field(trial *r, csz_field field)
{
    switch (csz_field_type(field)) {
    case CSZ_TYPE_CHOICE:
    case CSZ_TYPE_BOOL:
        try_choices(r, field, value_now(r, field));
        break;
    case CSZ_TYPE_I64:
    case CSZ_TYPE_F64:
        try_numbers(r, field, value_now(r, field));
        break;
    case CSZ_TYPE_TEXT:
        if (field == CSZ_PLAN_STACK)
            try_stacks(r);
        else if (field == CSZ_CLUSTER_OFFER)
            try_offers(r);
        break;
    case CSZ_TYPE_RANGE:
    case CSZ_TYPE_MAX_ENUM:
        break;
    }
}

static double size_of(const move *m)
{
    return fmax(-log(m->low), log(m->high));
}

static int by_size(const void *a, const void *b)
{
    double x = size_of(a), y = size_of(b);
    return x < y ? 1 : x > y ? -1 : 0;
}

size_t moves_find(trial *r, move *moves)
{
    size_t count = 0;
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        move *m = &moves[count];
        if (!is_assumed(r, field))
            continue;
        *m = (move){.field = field, .low = 1, .high = 1};
        r->move = m;
        try_field(r, field);
        if (m->low < 1 - LEAST_MOVE || m->high > 1 + LEAST_MOVE || m->unfit)
            count++;
    }
    qsort(moves, count, sizeof *moves, by_size);
    return count;
}
