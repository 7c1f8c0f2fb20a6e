/* record.c: quantities and fields of a launch behind one set of functions, complete records, and in
 * what two of them differ. */
#include <stdarg.h>
#include <string.h>

#include "launch/launch.h"

#define FIRST_FIELD 1000

const cszi_launch_stack *cszi_launch_find(csz_source source)
{
    static const cszi_launch_stack *const all[] = {&cszi_launch_megatron,   &cszi_launch_deepspeed,
                                                   &cszi_launch_torchtitan, &cszi_launch_accelerate,
                                                   &cszi_launch_nanotron,   &cszi_launch_nemo,
                                                   &cszi_launch_maxtext};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->source == source)
            return all[i];
    return NULL;
}

/* ---- Quantities and fields alike ---- */

static const cszi_table *table_of(int about)
{
    return about / 1000 == CSZ_OBJECT_PLAN ? &cszi_plan_table : &cszi_workload_table;
}

static void *record_of(const cszi_launch *l, int about)
{
    return about / 1000 == CSZ_OBJECT_PLAN ? (void *)l->plan : (void *)l->workload;
}

static const cszi_field_row *row_of(int about)
{
    return cszi_table_row(table_of(about), (csz_field)about);
}

int cszi_launch_has(const cszi_launch *l, int about)
{
    double value;
    if (about < FIRST_FIELD)
        return about == CSZI_LAUNCH_NOTHING || l->given[about];
    if (row_of(about)->type == CSZ_TYPE_TEXT)
        return cszi_field_is_set(table_of(about), record_of(l, about), row_of(about), 0);
    return cszi_field_get_f64(table_of(about), record_of(l, about), row_of(about), 0, &value) ==
           CSZ_OK;
}

double cszi_launch_get(const cszi_launch *l, int about)
{
    double value = 0;
    if (about < FIRST_FIELD)
        return l->quantities[about];
    if (cszi_field_get_f64(table_of(about), record_of(l, about), row_of(about), 0, &value) !=
        CSZ_OK)
        return 0;
    return value;
}

int64_t cszi_launch_count(const cszi_launch *l, int about)
{
    double value = cszi_launch_get(l, about);
    return value >= -9e15 && value <= 9e15 ? (int64_t)value : 0;
}

void cszi_launch_put(cszi_launch *l, cszi_launch_quantity quantity, double value)
{
    l->quantities[quantity] = value;
    l->given[quantity] = 1;
}

/* The row of an option; count when there is none. */
static size_t index_of(const cszi_launch_stack *stack, const char *option)
{
    size_t i = 0;
    while (i < stack->count && strcmp(stack->rows[i].option, option) != 0)
        i++;
    return i;
}

int cszi_launch_said(const cszi_launch *l, const char *option)
{
    size_t i = index_of(l->stack, option);
    return i < l->stack->count && l->places[i] != 0;
}

csz_status cszi_launch_fail(const cszi_launch *l, const char *option, csz_status status,
                            csz_field field, const char *format, ...)
{
    char message[CSZI_ERROR_CAPACITY];
    cszi_out out = cszi_out_open(message, sizeof message);
    size_t i = index_of(l->stack, option);
    va_list list;
    va_start(list, format);
    cszi_out_format_list(&out, format, list);
    va_end(list);
    (void)cszi_out_close(&out);
    if (i < l->stack->count && l->places[i] != 0)
        return cszi_scan_fail(&l->scan, l->places[i] - 1, status, field, "%s: %s", option, message);
    return cszi_fail(l->error, status, field, "%s: %s", option, message);
}

csz_status cszi_launch_set(cszi_launch *l, csz_field field, double value, const char *option)
{
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    status = cszi_field_set_f64(table_of((int)field), record_of(l, (int)field), row_of((int)field),
                                0, value, &error);
    return status == CSZ_OK ? CSZ_OK : cszi_launch_fail(l, option, status, field, "%s", error.text);
}

csz_status cszi_launch_set_stack(cszi_launch *l, const char *id)
{
    return cszi_field_set_text(&cszi_plan_table, l->plan, row_of(CSZ_PLAN_STACK), 0, id, strlen(id),
                               NULL, l->error);
}

/* ---- Complete records ---- */

static void set_plan(cszi_plan *plan, csz_field field, double value)
{
    (void)cszi_field_set_f64(&cszi_plan_table, plan, row_of((int)field), 0, value, NULL);
}

static void set_text(cszi_plan *plan, csz_field field, const char *text)
{
    (void)cszi_field_set_text(&cszi_plan_table, plan, row_of((int)field), 0, text, strlen(text),
                              NULL, NULL);
}

static void complete_degrees(const cszi_layout *at, cszi_plan *plan)
{
    set_plan(plan, CSZ_PLAN_TENSOR_PARALLEL, (double)at->t);
    set_plan(plan, CSZ_PLAN_PIPELINE_PARALLEL, (double)at->p);
    set_plan(plan, CSZ_PLAN_VIRTUAL_PIPELINE, (double)at->v);
    set_plan(plan, CSZ_PLAN_CONTEXT_PARALLEL, (double)at->c);
    set_plan(plan, CSZ_PLAN_EXPERT_PARALLEL, (double)at->e);
    set_plan(plan, CSZ_PLAN_EXPERT_TENSOR_PARALLEL, (double)at->etp);
    set_plan(plan, CSZ_PLAN_DATA_PARALLEL, (double)at->d);
    set_plan(plan, CSZ_PLAN_SEQUENCE_PARALLEL, at->sequence_parallel && at->t > 1);
    set_plan(plan, CSZ_PLAN_CONTEXT_KIND, at->c > 1 ? (double)at->context_kind : 0);
    if (at->c > 1 && at->context_kind == CSZ_CONTEXT_KIND_HIERARCHICAL)
        set_plan(plan, CSZ_PLAN_CONTEXT_INNER, (double)at->context_inner);
    set_plan(plan, CSZ_PLAN_MICRO_BATCH, (double)at->b);
    if (at->p > 1)
        set_plan(plan, CSZ_PLAN_SCHEDULE, (double)at->schedule);
    if (at->first != 0)
        set_plan(plan, CSZ_PLAN_FIRST_STAGE_LAYERS, (double)at->first);
    if (at->last != 0)
        set_plan(plan, CSZ_PLAN_LAST_STAGE_LAYERS, (double)at->last);
    set_plan(plan, CSZ_PLAN_EMBEDDING_COUNTS, (double)at->head_counts);
    set_plan(plan, CSZ_PLAN_LOSS_COUNTS, (double)at->tail_counts);
    if (at->chunks[0] != '\0')
        set_text(plan, CSZ_PLAN_PIPELINE_LAYOUT, at->chunks);
}

static void complete_memory(const cszi_layout *at, cszi_plan *plan)
{
    set_plan(plan, CSZ_PLAN_SHARDING, (double)at->sharding);
    if (at->group != cszi_layout_dense_shards(at) && at->sharding != CSZ_SHARDING_NONE)
        set_plan(plan, CSZ_PLAN_SHARD_GROUP, (double)at->group);
    if (at->sharding == CSZ_SHARDING_PARAMETERS)
        set_plan(plan, CSZ_PLAN_RESHARD, (double)at->reshard);
    set_plan(plan, CSZ_PLAN_RECOMPUTE, (double)at->recompute);
    if (at->recompute_layers != INT64_MAX)
        set_plan(plan, CSZ_PLAN_RECOMPUTE_LAYERS, (double)at->recompute_layers);
    set_plan(plan, CSZ_PLAN_RECOMPUTE_NORM, (double)at->norm);
    set_plan(plan, CSZ_PLAN_RECOMPUTE_ACTIVATION, (double)at->activation);
    set_plan(plan, CSZ_PLAN_RECOMPUTE_LATENT, (double)at->latent);
    set_plan(plan, CSZ_PLAN_RECOMPUTE_MLP, (double)at->mlp);
    set_plan(plan, CSZ_PLAN_RECOMPUTE_EXPERTS, (double)at->experts);
    set_plan(plan, CSZ_PLAN_OFFLOAD_OPTIMIZER, at->offload_optimizer);
    set_plan(plan, CSZ_PLAN_OFFLOAD_PARAMETERS, (double)at->offload_parameters);
    set_plan(plan, CSZ_PLAN_OFFLOAD_ACTIVATIONS, (double)at->offload_activations);
    if (at->offload_layers != 0)
        set_plan(plan, CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS, (double)at->offload_layers);
    set_plan(plan, CSZ_PLAN_OFFLOAD_TARGET, (double)at->nvme);
}

static void complete_software(const cszi_layout *at, cszi_plan *plan)
{
    set_text(plan, CSZ_PLAN_STACK, at->stack->id);
    set_plan(plan, CSZ_PLAN_ATTENTION_KERNEL, (double)at->flash);
    set_plan(plan, CSZ_PLAN_LOSS_KERNEL, (double)at->loss);
    set_plan(plan, CSZ_PLAN_GRADIENT_RELEASE, (double)at->release);
    set_plan(plan, CSZ_PLAN_EXPANDABLE_SEGMENTS, (double)at->expandable);
    set_plan(plan, CSZ_PLAN_OPTIMIZER_FUSED, (double)at->in_place);
    set_plan(plan, CSZ_PLAN_EXPERT_DISPATCH, (double)at->dispatch);
    if (at->capacity > 0)
        set_plan(plan, CSZ_PLAN_EXPERT_CAPACITY, at->capacity);
    set_plan(plan, CSZ_PLAN_EXPERT_OVERLAP, (double)at->overlap);
    set_plan(plan, CSZ_PLAN_PREFETCH, (double)at->gathered - 1);
    set_plan(plan, CSZ_PLAN_BUCKET, at->bucket);
}

void cszi_launch_complete_plan(const cszi_layout *at, cszi_plan *plan)
{
    cszi_fields_init(&cszi_plan_table, plan, sizeof *plan);
    complete_degrees(at, plan);
    complete_memory(at, plan);
    complete_software(at, plan);
}

static void set_job(cszi_workload *w, csz_field field, int64_t value)
{
    (void)cszi_field_set_i64(&cszi_workload_table, w, row_of((int)field), 0, value, NULL);
}

void cszi_launch_complete_workload(const cszi_batching *batching, const cszi_stack *stack,
                                   cszi_workload *w)
{
    const struct {
        csz_field field;
        int64_t usual;
    } formats[] = {{CSZ_WORKLOAD_WEIGHT_FORMAT, stack->weights},
                   {CSZ_WORKLOAD_GRADIENT_FORMAT, stack->gradients},
                   {CSZ_WORKLOAD_MASTER_FORMAT, stack->master}};
    int quantized = w->optimizer == CSZ_OPTIMIZER_ADAM_8BIT ||
                    w->optimizer == CSZ_OPTIMIZER_PAGED_ADAM_8BIT ||
                    w->optimizer == CSZ_OPTIMIZER_ADAM_4BIT;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!cszi_workload_has(w, formats[i].field))
            set_job(w, formats[i].field, formats[i].usual);
    if (!quantized && !cszi_workload_has(w, CSZ_WORKLOAD_STATE_FORMAT))
        set_job(w, CSZ_WORKLOAD_STATE_FORMAT, stack->states);
    set_job(w, CSZ_WORKLOAD_OPTIMIZER, w->optimizer);
    set_job(w, CSZ_WORKLOAD_COMPUTE_FORMAT, w->compute_format);
    set_job(w, CSZ_WORKLOAD_ACTIVATION_FORMAT, w->activation_format);
    set_job(w, CSZ_WORKLOAD_SEQUENCE_LENGTH, batching->sequence);
    cszi_field_unset(&cszi_workload_table, w, row_of(CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS));
    set_job(w, CSZ_WORKLOAD_GLOBAL_BATCH, batching->sequences);
}

/* ---- Taking out ---- */

/* Whether a field stands beside the file: an argument or a variable. */
static int is_beside(const cszi_launch_stack *stack, csz_field field)
{
    for (size_t i = 0; i < stack->count; i++)
        if (stack->rows[i].place != CSZI_LAUNCH_FILE && stack->rows[i].about == (int)field)
            return 1;
    return 0;
}

/* What a file must say of a job. What its data are like, and what the estimate takes besides, is no
 * option of a launch. */
static const csz_field job_fields[] = {CSZ_WORKLOAD_SEQUENCE_LENGTH,
                                       CSZ_WORKLOAD_GLOBAL_BATCH,
                                       CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS,
                                       CSZ_WORKLOAD_OPTIMIZER,
                                       CSZ_WORKLOAD_COMPUTE_FORMAT,
                                       CSZ_WORKLOAD_WEIGHT_FORMAT,
                                       CSZ_WORKLOAD_GRADIENT_FORMAT,
                                       CSZ_WORKLOAD_MASTER_FORMAT,
                                       CSZ_WORKLOAD_STATE_FORMAT,
                                       CSZ_WORKLOAD_ACTIVATION_FORMAT,
                                       CSZ_WORKLOAD_FROZEN_FORMAT,
                                       CSZ_WORKLOAD_JOB,
                                       CSZ_WORKLOAD_METHOD,
                                       CSZ_WORKLOAD_LORA_RANK,
                                       CSZ_WORKLOAD_LORA_TARGETS,
                                       CSZ_WORKLOAD_LORA_DROPOUT,
                                       CSZ_WORKLOAD_FROZEN_EXTRA,
                                       CSZ_WORKLOAD_EVALUATION_BATCH};

void cszi_launch_clear(const cszi_launch_stack *stack, cszi_plan *plan, cszi_workload *workload)
{
    for (size_t i = 0; i < cszi_plan_table.count; i++)
        if (!is_beside(stack, cszi_plan_table.rows[i].id))
            cszi_field_unset(&cszi_plan_table, plan, &cszi_plan_table.rows[i]);
    for (size_t i = 0; i < sizeof job_fields / sizeof *job_fields; i++)
        if (!is_beside(stack, job_fields[i]))
            cszi_field_unset(&cszi_workload_table, workload, row_of((int)job_fields[i]));
}

/* ---- Differences ---- */

/* Unset is unlike every value. */
static int differs(const cszi_table *table, const cszi_field_row *row, const void *a, const void *b)
{
    double x = 0, y = 0;
    if (row->type == CSZ_TYPE_TEXT)
        return strcmp(cszi_field_member(table, a, row, 0), cszi_field_member(table, b, row, 0)) !=
               0;
    if (cszi_field_get_f64(table, a, row, 0, &x) != cszi_field_get_f64(table, b, row, 0, &y))
        return 1;
    return x < y || x > y;
}

csz_field cszi_launch_plan_difference(const cszi_plan *a, const cszi_plan *b)
{
    for (size_t i = 0; i < cszi_plan_table.count; i++)
        if (differs(&cszi_plan_table, &cszi_plan_table.rows[i], a, b))
            return cszi_plan_table.rows[i].id;
    return CSZ_FIELD_NONE;
}

/* What a field of a kind amounts to, unset ones too. */
static double kind_value(const cszi_workload *w, const cszi_field_row *row, size_t index)
{
    const cszi_layer_kind *kind = &w->kinds[index];
    int latent = kind->attention == CSZ_ATTENTION_LATENT;
    double value = -1;
    if (row->id == CSZ_WORKLOAD_KV_HEADS)
        return latent ? 0 : (double)cszi_kind_kv_heads(kind);
    if (row->id == CSZ_WORKLOAD_HEAD_DIM)
        return latent ? 0 : (double)cszi_kind_head_dim(kind, w->hidden);
    if (row->id == CSZ_WORKLOAD_WIDTH)
        return (double)cszi_kind_width(kind, w->hidden);
    if (kind->experts == 0 &&
        (row->id == CSZ_WORKLOAD_EXPERTS_PER_TOKEN || row->id == CSZ_WORKLOAD_EXPERT_FFN ||
         row->id == CSZ_WORKLOAD_EXPERT_BIAS))
        return 0;
    if (kind->ffn == 0 && row->id == CSZ_WORKLOAD_MLP_BIAS)
        return 0;
    (void)cszi_field_get_f64(&cszi_workload_table, w, row, index, &value);
    return value;
}

/* Layer by layer, whatever the number of a kind. */
static csz_field layer_difference(const cszi_workload *a, const cszi_workload *b)
{
    const cszi_table *table = &cszi_workload_table;
    if (a->runs_count != b->runs_count)
        return CSZ_WORKLOAD_LAYERS;
    for (int64_t run = 0; run < a->runs_count; run++) {
        if (a->runs[run].layers != b->runs[run].layers)
            return CSZ_WORKLOAD_LAYERS;
        for (size_t i = 0; i < table->count; i++) {
            const cszi_field_row *row = &table->rows[i];
            if (row->list != row_of(CSZ_WORKLOAD_HEADS)->list)
                continue;
            double x = kind_value(a, row, (size_t)a->runs[run].layer_kind);
            double y = kind_value(b, row, (size_t)b->runs[run].layer_kind);
            if (x < y || x > y)
                return row->id;
        }
    }
    return CSZ_FIELD_NONE;
}

csz_field cszi_launch_workload_difference(const cszi_workload *a, const cszi_workload *b)
{
    const cszi_table *table = &cszi_workload_table;
    for (size_t i = 0; i < table->count; i++) {
        const cszi_field_row *row = &table->rows[i];
        int flat = row->list == 0 && row->id != CSZ_WORKLOAD_MODEL;
        int batch = row->id == CSZ_WORKLOAD_SEQUENCE_LENGTH || row->id == CSZ_WORKLOAD_GLOBAL_BATCH;
        if ((flat || batch) && differs(table, row, a, b))
            return row->id;
    }
    return layer_difference(a, b);
}

static double wire_bytes(const cszi_stack *stack, const cszi_workload *w)
{
    if (!cszi_workload_has(w, CSZ_WORKLOAD_GRADIENT_FORMAT))
        return stack->reduce_bytes;
    return w->gradient_format == CSZ_FORMAT_FP32 ? 4 : 2;
}

int cszi_launch_wire_differs(const cszi_stack *stack, const cszi_workload *a,
                             const cszi_workload *b)
{
    double x = wire_bytes(stack, a), y = wire_bytes(stack, b);
    return x < y || x > y;
}
