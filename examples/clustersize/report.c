/* report.c: one plan on one count: what follows, in sentences. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const csz_field plan_fields[] = {CSZ_PLAN_TENSOR_PARALLEL,
                                 CSZ_PLAN_PIPELINE_PARALLEL,
                                 CSZ_PLAN_VIRTUAL_PIPELINE,
                                 CSZ_PLAN_CONTEXT_PARALLEL,
                                 CSZ_PLAN_CONTEXT_KIND,
                                 CSZ_PLAN_CONTEXT_INNER,
                                 CSZ_PLAN_EXPERT_PARALLEL,
                                 CSZ_PLAN_EXPERT_TENSOR_PARALLEL,
                                 CSZ_PLAN_SHARDING,
                                 CSZ_PLAN_MICRO_BATCH,
                                 CSZ_PLAN_RECOMPUTE,
                                 CSZ_PLAN_SEQUENCE_PARALLEL,
                                 CSZ_PLAN_SCHEDULE,
                                 CSZ_PLAN_FIRST_STAGE_LAYERS,
                                 CSZ_PLAN_LAST_STAGE_LAYERS,
                                 CSZ_PLAN_EMBEDDING_COUNTS,
                                 CSZ_PLAN_LOSS_COUNTS,
                                 CSZ_PLAN_PIPELINE_LAYOUT,
                                 CSZ_PLAN_RECOMPUTE_LAYERS,
                                 CSZ_PLAN_RECOMPUTE_NORM,
                                 CSZ_PLAN_RECOMPUTE_ACTIVATION,
                                 CSZ_PLAN_RECOMPUTE_LATENT,
                                 CSZ_PLAN_RECOMPUTE_MLP,
                                 CSZ_PLAN_RECOMPUTE_EXPERTS,
                                 CSZ_PLAN_ATTENTION_KERNEL,
                                 CSZ_PLAN_LOSS_KERNEL,
                                 CSZ_PLAN_GRADIENT_RELEASE,
                                 CSZ_PLAN_EXPANDABLE_SEGMENTS,
                                 CSZ_PLAN_OPTIMIZER_FUSED,
                                 CSZ_PLAN_OFFLOAD_OPTIMIZER,
                                 CSZ_PLAN_OFFLOAD_PARAMETERS,
                                 CSZ_PLAN_OFFLOAD_ACTIVATIONS,
                                 CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS,
                                 CSZ_PLAN_OFFLOAD_TARGET,
                                 CSZ_PLAN_SHARD_GROUP,
                                 CSZ_PLAN_RESHARD,
                                 CSZ_PLAN_PREFETCH,
                                 CSZ_PLAN_BUCKET,
                                 CSZ_PLAN_STACK};
const size_t plan_fields_count = sizeof plan_fields / sizeof *plan_fields;

/* ---- The answer ---- */

static int compute(asked *a, answer *x)
{
    csz_field field = CSZ_FIELD_NONE;
    csz_status status = CSZ_ERR_MISSING;
    /* Without tokens there is no run, without bandwidths no step: less deep then. */
    for (int depth = CSZ_DEPTH_RUN; depth >= CSZ_DEPTH_FIT && status == CSZ_ERR_MISSING; depth--) {
        x->depth = (csz_depth)depth;
        status = csz_estimate_compute(x->estimate, a->workload, x->cluster, x->plan, x->depth);
    }
    if (status == CSZ_OK)
        return 0;
    (void)csz_estimate_error(x->estimate, &field);
    return args_fail_with(a, status, field, csz_estimate_error(x->estimate, NULL));
}

int answer_make(asked *a, answer *x, const csz_plan *plan, double count)
{
    x->cluster = csz_cluster_new(NULL);
    x->plan = csz_plan_new(NULL);
    x->estimate = csz_estimate_new(NULL);
    if (x->cluster == NULL || x->plan == NULL || x->estimate == NULL ||
        csz_cluster_copy(x->cluster, a->cluster) != CSZ_OK ||
        csz_plan_copy(x->plan, plan) != CSZ_OK)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    if (count > 0)
        (void)csz_cluster_set_f64(x->cluster, CSZ_CLUSTER_ACCELERATORS, count);
    return compute(a, x);
}

void answer_free(answer *x)
{
    csz_cluster_free(x->cluster);
    csz_plan_free(x->plan);
    csz_estimate_free(x->estimate);
}

double figure(const csz_estimate *e, csz_field field)
{
    double value = (double)NAN;
    return csz_estimate_get_f64(e, field, &value) == CSZ_OK ? value : (double)NAN;
}

/* ---- Count, run ---- */

void say_subject(page *t, const asked *a, const answer *x, const char *mark)
{
    char accelerator[64];
    double per_node = 1, count = 0;
    if (csz_cluster_get_text(x->cluster, CSZ_CLUSTER_ACCELERATOR, accelerator,
                             sizeof accelerator) == 0)
        (void)snprintf(accelerator, sizeof accelerator, "unnamed accelerators");
    text_add(t, "%s on %s:", args_model_name(a).text, accelerator);
    (void)csz_cluster_get_f64(x->cluster, CSZ_CLUSTER_ACCELERATORS, &count);
    (void)csz_cluster_get_f64(x->cluster, CSZ_CLUSTER_ACCELERATORS_PER_NODE, &per_node);
    text_add(t, "%s node%s, %s accelerator%s%s", text_count(ceil(count / per_node)).text,
             count > per_node ? "s" : "", text_count(count).text, count > 1 ? "s" : "", mark);
}

static void say_offer(page *t, const asked *a, const csz_cluster *cluster)
{
    char id[64], date[64] = "";
    size_t index = 0;
    double price = 0;
    (void)csz_cluster_get_f64(cluster, CSZ_CLUSTER_PRICE, &price);
    text_add(t, "at %s", text_unit(CSZ_UNIT_USD_PER_HOUR, price).text);
    if (a->stated[CSZ_CLUSTER_PRICE] ||
        csz_cluster_get_text(cluster, CSZ_CLUSTER_OFFER, id, sizeof id) == 0) {
        text_add(t, "as stated.");
        return;
    }
    if (csz_catalog_find(a->catalog, CSZ_KIND_OFFER, id, &index) == CSZ_OK)
        (void)csz_catalog_get_text(a->catalog, index, CSZ_OFFER_DATE, date, sizeof date);
    text_phrase(t, "(%s,", id);
    text_phrase(t, "%.48s).", date[0] != '\0' ? date : "undated");
}

void say_run(page *t, const asked *a, const answer *x)
{
    double low, likely, high;
    if (csz_estimate_get_range(x->estimate, CSZ_ESTIMATE_RUN_TIME, &low, &likely, &high) !=
        CSZ_OK) {
        text_add(t, "time and cost of the run need --tokens.");
        return;
    }
    text_add(t, "%s (%s to %s),", text_unit(CSZ_UNIT_SECOND, likely).text,
             text_unit(CSZ_UNIT_SECOND, low).text, text_unit(CSZ_UNIT_SECOND, high).text);
    if (csz_estimate_get_range(x->estimate, CSZ_ESTIMATE_RUN_COST, &low, &likely, &high) !=
        CSZ_OK) {
        text_add(t, "cost unknown: no --price and no offer.");
        return;
    }
    text_add(t, "%s (%s to %s)", text_unit(CSZ_UNIT_USD, likely).text,
             text_unit(CSZ_UNIT_USD, low).text, text_unit(CSZ_UNIT_USD, high).text);
    say_offer(t, a, x->cluster);
}

void say_fit(page *t, const csz_estimate *e)
{
    double fit = figure(e, CSZ_ESTIMATE_MEMORY_FIT), host = figure(e, CSZ_ESTIMATE_HOST_FIT);
    if (isnan(fit))
        return;
    text_phrase(t, "%c%s", fit_word(fit)[0] - 'a' + 'A', fit_word(fit) + 1);
    text_phrase(t, "(chance %s).",
                text_chance(figure(e, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY)).text);
    if (host < 0.5)
        text_add(t, "The memory of the nodes is too small.");
}

int estimate_fits(const csz_estimate *e)
{
    return figure(e, CSZ_ESTIMATE_MEMORY_FIT) > 0.5 && !(figure(e, CSZ_ESTIMATE_HOST_FIT) < 0.5);
}

/* ---- Plan, batch ---- */

int64_t plan_value(const csz_plan *plan, csz_field field)
{
    int64_t value = 0;
    return csz_plan_get_i64(plan, field, &value) == CSZ_OK ? value : 0;
}

const char *plan_word(csz_field field)
{
    if (field == CSZ_PLAN_SHARDING)
        return "sharding";
    return csz_field_alias(field)[0] != '\0' && field != CSZ_PLAN_SEQUENCE_PARALLEL
               ? csz_field_alias(field)
               : csz_field_name(field);
}

shown plan_phrase(const csz_plan *plan, csz_field field)
{
    shown w;
    char value[30];
    (void)csz_plan_get_text(plan, field, value, sizeof value);
    (void)snprintf(w.text, sizeof w.text, "%s %s", plan_word(field), value);
    return w;
}

/* Degrees of 1 go without saying, and so do fields that are unset. */
static int is_worth_saying(const csz_plan *plan, csz_field field)
{
    if (field == CSZ_PLAN_SHARDING || field == CSZ_PLAN_MICRO_BATCH || field == CSZ_PLAN_RECOMPUTE)
        return 1;
    if (field <= CSZ_PLAN_DATA_PARALLEL && field != CSZ_PLAN_TENSOR_PARALLEL)
        return plan_value(plan, field) > 1;
    return field == CSZ_PLAN_TENSOR_PARALLEL || csz_plan_is_set(plan, field);
}

static csz_field last_said(const csz_plan *plan)
{
    csz_field last = CSZ_FIELD_NONE;
    for (size_t i = 0; i < plan_fields_count; i++)
        if (is_worth_saying(plan, plan_fields[i]))
            last = plan_fields[i];
    return last;
}

void say_plan(page *t, const answer *x)
{
    text_open(t, "Plan");
    for (size_t i = 0; i < plan_fields_count; i++) {
        if (plan_fields[i] == CSZ_PLAN_SHARDING)
            text_phrase(t, "dp %s;",
                        text_count(figure(x->estimate, CSZ_ESTIMATE_BATCH_DATA_PARALLEL)).text);
        if (is_worth_saying(x->plan, plan_fields[i]))
            text_phrase(t, "%s%s", plan_phrase(x->plan, plan_fields[i]).text,
                        plan_fields[i] == last_said(x->plan) ? "" : ",");
    }
    text_close(t);
}

static int is_noted(const csz_estimate *e, csz_note note)
{
    for (size_t i = 0; csz_estimate_note_at(e, i) != CSZ_NOTE_NONE; i++)
        if (csz_estimate_note_at(e, i) == note)
            return 1;
    return 0;
}

void say_batch(page *t, const answer *x)
{
    const csz_estimate *e = x->estimate;
    double sequences = figure(e, CSZ_ESTIMATE_BATCH_SEQUENCES),
           tokens = figure(e, CSZ_ESTIMATE_BATCH_TOKENS);
    double steps = figure(e, CSZ_ESTIMATE_BATCH_STEPS);
    text_open(t, "Batch");
    text_add(t, "%s sequences x %s tokens = %s a step", text_count(sequences).text,
             text_count(tokens / sequences).text, text_count(tokens).text);
    if (is_noted(e, CSZ_NOTE_BATCH_ASSUMED))
        text_add(t, "(assumed)");
    text_add(t, "= dp %s x %s micro-batches x %s",
             text_count(figure(e, CSZ_ESTIMATE_BATCH_DATA_PARALLEL)).text,
             text_count(figure(e, CSZ_ESTIMATE_BATCH_MICRO_BATCHES)).text,
             text_count((double)plan_value(x->plan, CSZ_PLAN_MICRO_BATCH)).text);
    if (!isnan(steps))
        text_add(t, "sequences; %s steps", text_count(steps).text);
    text_close(t);
}

/* ---- Step ---- */

typedef struct term {
    csz_field field;
    const char *name;
    double value;
} term;

/* Largest first. */
static void sort_terms(term *terms, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && terms[k].value > terms[k - 1].value; k--) {
            term t = terms[k];
            terms[k] = terms[k - 1];
            terms[k - 1] = t;
        }
}

static const term step_terms[] = {
    {CSZ_ESTIMATE_STEP_MATRICES, "matrices", 0},
    {CSZ_ESTIMATE_STEP_ATTENTION, "attention", 0},
    {CSZ_ESTIMATE_STEP_POINTWISE, "pointwise", 0},
    {CSZ_ESTIMATE_STEP_RECOMPUTE, "recompute", 0},
    {CSZ_ESTIMATE_STEP_LOGITS, "logits", 0},
    {CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC, "tensor traffic", 0},
    {CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC, "context traffic", 0},
    {CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC, "expert traffic", 0},
    {CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC, "pipeline traffic", 0},
    {CSZ_ESTIMATE_STEP_DATA_TRAFFIC, "data traffic", 0},
    {CSZ_ESTIMATE_STEP_BUBBLE, "bubble", 0},
    {CSZ_ESTIMATE_STEP_IMBALANCE, "imbalance", 0},
    {CSZ_ESTIMATE_STEP_OPTIMIZER, "optimizer", 0},
    {CSZ_ESTIMATE_STEP_HOST, "host", 0},
    {CSZ_ESTIMATE_STEP_OFFLOAD, "offload", 0},
};
#define STEP_TERMS (sizeof step_terms / sizeof *step_terms)

/* Below this share of the step a term is not worth a reader's time. */
#define LEAST_SHARE 0.005

static void sorted_step(const csz_estimate *e, term *terms)
{
    memcpy(terms, step_terms, sizeof step_terms);
    for (size_t i = 0; i < STEP_TERMS; i++)
        terms[i].value = figure(e, terms[i].field) / figure(e, CSZ_ESTIMATE_STEP_TIME);
    sort_terms(terms, STEP_TERMS);
}

void say_step(page *t, const answer *x)
{
    const csz_estimate *e = x->estimate;
    double mfu = figure(e, CSZ_ESTIMATE_STEP_MFU), bf16 = figure(e, CSZ_ESTIMATE_STEP_MFU_BF16);
    term terms[STEP_TERMS];
    if (x->depth < CSZ_DEPTH_STEP)
        return;
    sorted_step(e, terms);
    text_open(t, "Step");
    text_phrase(t, "%s:", text_time(figure(e, CSZ_ESTIMATE_STEP_TIME)).text);
    for (size_t i = 0; i < STEP_TERMS && terms[i].value >= LEAST_SHARE; i++)
        text_phrase(t, "%s %s%s", terms[i].name, text_percent(terms[i].value).text,
                    i + 1 < STEP_TERMS && terms[i + 1].value >= LEAST_SHARE ? "," : ";");
    text_phrase(t, "%s tokens/s per accelerator,",
                text_count(figure(e, CSZ_ESTIMATE_STEP_TOKENS_PER_SECOND_ACCELERATOR)).text);
    text_phrase(t, "MFU %.1f%%", 100 * mfu);
    if (fabs(bf16 - mfu) > 1e-6)
        text_phrase(t, "(%.1f%% of the bf16 peak)", 100 * bf16);
    text_close(t);
}

void say_what_binds(page *t, const answer *x)
{
    const csz_estimate *e = x->estimate;
    double usable = figure(e, CSZ_ESTIMATE_MEMORY_USABLE),
           margin = figure(e, CSZ_ESTIMATE_MEMORY_MARGIN);
    term terms[STEP_TERMS];
    text_add(t, "Binds:");
    if (margin < 0.1 * usable) {
        text_add(t, "memory, %s GiB %s.", text_gib(fabs(margin)).text,
                 margin < 0 ? "short" : "free");
        return;
    }
    if (x->depth < CSZ_DEPTH_STEP) {
        text_add(t, "nothing.");
        return;
    }
    sorted_step(e, terms);
    text_add(t, "compute; %s take%s %s of the step,", terms[0].name,
             terms[0].name[strlen(terms[0].name) - 1] == 's' ? "" : "s",
             text_percent(terms[0].value).text);
    text_add(t, "then %s %s.", terms[1].name, text_percent(terms[1].value).text);
}
