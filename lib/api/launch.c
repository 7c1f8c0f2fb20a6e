/* launch.c: plans as files of training software, and back. */
#include "launch/launch.h"
#include "launch/script.h"

#include <string.h>

#include "api/handles.h"
#include "workload/parameters.h"

#define FILE_CAPACITY 32768

/* Both directions of one call; too large for a frame. */
typedef struct work {
    cszi_launch out, in;
    cszi_plan plan, back_plan;    /* what is written, and what was read back */
    cszi_workload workload, back; /* the same */
    cszi_workload printed;        /* of which writing makes one kind of layers */
    cszi_batching batching;
    cszi_layout layout, back_layout;
    char file[FILE_CAPACITY];
    size_t length;
} work;

/* ---- Settling ---- */

static csz_status settle(const cszi_plan *plan, const cszi_workload *workload,
                         const cszi_cluster *cluster, cszi_batching *batching, cszi_layout *layout,
                         cszi_error *error)
{
    cszi_parameters parameters;
    csz_reason reason;
    csz_status status = cszi_workload_check(workload, error);
    if (status == CSZ_OK)
        status = cszi_cluster_check(cluster, 0, error);
    if (status == CSZ_OK)
        status = cszi_workload_parameters(workload, &parameters, error);
    if (status == CSZ_OK)
        status = cszi_phase_batching(workload, 0, parameters.total, batching, error);
    return status == CSZ_OK
               ? cszi_plan_settle(plan, workload, cluster, batching, layout, &reason, error)
               : status;
}

/* The plan's stack, or the usual one of the software. */
static csz_status choose_stack(const cszi_launch_stack *stack, cszi_plan *plan, cszi_error *error)
{
    char known[128];
    cszi_out out = cszi_out_open(known, sizeof known);
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, CSZ_PLAN_STACK);
    if (plan->stack[0] == '\0')
        return cszi_field_set_text(&cszi_plan_table, plan, row, 0, stack->stacks[0],
                                   strlen(stack->stacks[0]), NULL, error);
    for (size_t i = 0; stack->stacks[i] != NULL; i++) {
        if (strcmp(stack->stacks[i], plan->stack) == 0)
            return CSZ_OK;
        cszi_out_format(&out, "%s%s", i > 0 ? ", " : "", stack->stacks[i]);
    }
    (void)cszi_out_close(&out);
    return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_PLAN_STACK,
                     "stack: %s is not what %s runs; choose %s, or leave it unset", plan->stack,
                     stack->name, known);
}

static cszi_launch_run run_of(const csz_estimate *estimate)
{
    cszi_launch_run run = {0, 0, 0, 0};
    double steps = 0;
    (void)csz_estimate_get_range(estimate, CSZ_ESTIMATE_RUN_TIME, NULL, NULL, &run.limit);
    (void)csz_estimate_get_f64(estimate, CSZ_ESTIMATE_RUN_CHECKPOINT_INTERVAL, &run.interval);
    (void)csz_estimate_get_f64(estimate, CSZ_ESTIMATE_STEP_TIME, &run.step);
    if (csz_estimate_get_f64(estimate, CSZ_ESTIMATE_BATCH_STEPS, &steps) == CSZ_OK)
        run.steps = steps;
    return run;
}

/* ---- Out ---- */

/* Degrees without an option must be 1. */
static csz_status check_degrees(const cszi_launch_stack *stack, const cszi_plan *plan,
                                cszi_error *error)
{
    for (const csz_field *field = stack->without; field != NULL && *field != CSZ_FIELD_NONE;
         field++) {
        const cszi_field_row *row = cszi_table_row(&cszi_plan_table, *field);
        int64_t degree = 1;
        (void)cszi_field_get_i64(&cszi_plan_table, plan, row, 0, &degree);
        if (degree != 1)
            return cszi_fail(error, CSZ_ERR_CONFLICT, *field,
                             "%s: %lld has no option in the file of %s %s; only 1 can be said",
                             row->name, (long long)degree, stack->name, stack->version);
    }
    return CSZ_OK;
}

/* Fills the complete records and the launch that is written. */
static csz_status prepare(work *w, const cszi_launch_stack *stack, const cszi_plan *plan,
                          const cszi_workload *workload, const cszi_cluster *cluster,
                          cszi_error *error)
{
    csz_status status;
    w->back_plan = *plan;
    w->workload = *workload;
    if (workload->phases_count > 1)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_SEQUENCE_LENGTH,
                         "phases: %lld of them, but a launch has one length and batch; write each "
                         "by itself",
                         (long long)workload->phases_count);
    status = choose_stack(stack, &w->back_plan, error);
    if (status == CSZ_OK)
        status = settle(&w->back_plan, workload, cluster, &w->batching, &w->layout, error);
    if (status != CSZ_OK)
        return status;
    cszi_launch_complete_plan(&w->layout, &w->plan);
    cszi_launch_complete_workload(&w->batching, w->layout.stack, &w->workload);
    status = check_degrees(stack, &w->plan, error);
    if (status != CSZ_OK)
        return status;
    w->printed = w->workload;
    w->out.stack = w->in.stack = stack;
    w->out.cluster = w->in.cluster = cluster;
    w->out.error = w->in.error = error;
    w->out.accelerators = w->in.accelerators = cluster->accelerators;
    w->out.layout = &w->layout;
    w->out.plan = &w->plan;
    w->out.workload = &w->printed;
    stack->spread(&w->out);
    return CSZ_OK;
}

static void put_value(const cszi_table *table, const void *record, csz_field field, cszi_out *out)
{
    size_t before = out->length;
    cszi_field_write_text(table, record, cszi_table_row(table, field), 0, out);
    if (out->length == before)
        cszi_out_text(out, "unset");
}

/* A field that came back otherwise. */
static csz_status refuse(const work *w, const cszi_table *table, const void *said, const void *back,
                         csz_field field, cszi_error *error)
{
    char here[64], there[64];
    cszi_out out = cszi_out_open(here, sizeof here);
    put_value(table, said, field, &out);
    (void)cszi_out_close(&out);
    out = cszi_out_open(there, sizeof there);
    put_value(table, back, field, &out);
    (void)cszi_out_close(&out);
    return cszi_fail(error, CSZ_ERR_CONFLICT, field,
                     "%s: %s cannot be said by the options of %s %s, where it would be %s",
                     cszi_table_row(table, field)->name, here, w->out.stack->name,
                     w->out.stack->version, there);
}

/* Reads what was written and holds it against what was meant. */
static csz_status verify(work *w, const cszi_workload *raw, const cszi_cluster *cluster,
                         cszi_error *error)
{
    cszi_plan settled;
    csz_field field;
    csz_status status;
    w->back = w->workload;
    w->back_plan = w->plan;
    cszi_launch_clear(w->out.stack, &w->back_plan, &w->back);
    if (w->out.stack->models)
        cszi_workload_clear_model(&w->back);
    w->in.plan = &w->back_plan;
    w->in.workload = &w->back;
    status = cszi_launch_read(&w->in, w->file, w->length);
    if (status == CSZ_OK)
        status = settle(&w->back_plan, &w->back, cluster, &w->batching, &w->back_layout, error);
    if (status != CSZ_OK) {
        error->status = CSZ_ERR_CONFLICT;
        return CSZ_ERR_CONFLICT;
    }
    if (cszi_launch_wire_differs(w->layout.stack, raw, &w->back))
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_GRADIENT_FORMAT,
                         "gradient_format: is set, but the options of %s %s do not say how "
                         "gradients are sent; leave it unset",
                         w->out.stack->name, w->out.stack->version);
    cszi_launch_complete_plan(&w->back_layout, &settled);
    cszi_launch_complete_workload(&w->batching, w->back_layout.stack, &w->back);
    field = cszi_launch_plan_difference(&w->plan, &settled);
    if (field != CSZ_FIELD_NONE)
        return refuse(w, &cszi_plan_table, &w->plan, &settled, field, error);
    field = cszi_launch_workload_difference(&w->workload, &w->back);
    if (field != CSZ_FIELD_NONE)
        return refuse(w, &cszi_workload_table, &w->workload, &w->back, field, error);
    return CSZ_OK;
}

/* Tokens that are no whole number of steps. */
static void note_tokens(const work *w, cszi_out *out)
{
    double step = (double)w->batching.sequence * (double)w->batching.sequences;
    double tokens = w->workload.phases_count > 0 ? (double)w->workload.phases[0].tokens : 0;
    double steps = w->out.quantities[CSZI_LAUNCH_STEPS];
    if (tokens > 0 && steps > 0 && w->out.run.steps <= 0 && steps * step > tokens)
        cszi_out_format(out, "%g tokens are %g steps of %g: %g tokens in all.\n", tokens, steps,
                        step, steps * step);
}

static csz_status write_part(work *w, csz_launch_part part, cszi_out *out)
{
    csz_status status = CSZ_OK;
    if (part == CSZ_LAUNCH_PART_FILE)
        cszi_out_bytes(out, w->file, w->length);
    if (part == CSZ_LAUNCH_PART_NOTES) {
        status = cszi_launch_write_notes(&w->out, out);
        note_tokens(w, out);
    }
    if (part == CSZ_LAUNCH_PART_BATCH)
        status = cszi_launch_write_batch(&w->out, w->file, w->length, out);
    return status;
}

static csz_status write(work *w, csz_launch_part part, const cszi_workload *raw,
                        const cszi_cluster *cluster, cszi_out *out, cszi_error *error)
{
    cszi_out file = cszi_out_open(w->file, sizeof w->file), notes = cszi_out_open(NULL, 0);
    csz_status status = cszi_launch_write_file(&w->out, &file);
    w->length = cszi_out_close(&file);
    if (status == CSZ_OK && w->length >= sizeof w->file)
        status = cszi_fail(error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE,
                           "the launch is longer than %d bytes", FILE_CAPACITY - 1);
    if (status == CSZ_OK) /* what stands beside it has names too */
        status = cszi_launch_write_notes(&w->out, &notes);
    if (status == CSZ_OK)
        status = verify(w, raw, cluster, error);
    return status == CSZ_OK ? write_part(w, part, out) : status;
}

csz_status csz_plan_to_launch(csz_plan *plan, const csz_workload *workload,
                              const csz_cluster *cluster, const csz_estimate *estimate,
                              csz_source source, csz_launch_part part, char *text, size_t capacity,
                              size_t *length)
{
    const cszi_launch_stack *stack = cszi_launch_find(source);
    cszi_out out = cszi_out_open(text, capacity);
    csz_status status;
    work *w;
    if (plan == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&plan->error);
    if (workload == NULL || cluster == NULL || stack == NULL || (text == NULL && capacity > 0) ||
        (unsigned)part > CSZ_LAUNCH_PART_BATCH)
        return cszi_fail(&plan->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a workload, a cluster and a source that is a launch are needed");
    w = cszi_alloc_zero(plan->alloc, sizeof *w);
    if (w == NULL)
        return cszi_fail(&plan->error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    if (estimate != NULL)
        w->out.run = run_of(estimate);
    status = prepare(w, stack, &plan->value, &workload->value, &cluster->value, &plan->error);
    if (status == CSZ_OK)
        status = write(w, part, &workload->value, &cluster->value, &out, &plan->error);
    cszi_alloc_free(plan->alloc, w, sizeof *w);
    if (status != CSZ_OK)
        out.length = 0;
    out.length = cszi_out_close(&out);
    if (length != NULL)
        *length = out.length;
    return status;
}

/* ---- In ---- */

/* The text, or the arguments in it when it is a script: then a block of its length, to be freed. */
static csz_status unwrap(const cszi_launch_stack *stack, const char *text, size_t length,
                         cszi_alloc alloc, char **block, cszi_error *error)
{
    *block = NULL;
    if (stack->syntax != CSZI_SYNTAX_WORDS || length > CSZI_SCAN_LENGTH ||
        !cszi_script_is(text, length))
        return CSZ_OK;
    *block = cszi_alloc_zero(alloc, length);
    if (*block == NULL)
        return cszi_fail(error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    return cszi_script_mask(text, length, stack->knows, *block, error);
}

csz_status csz_plan_load_launch(csz_plan *plan, csz_workload *workload, const csz_cluster *cluster,
                                csz_source source, const char *text, size_t length)
{
    const cszi_launch_stack *stack = cszi_launch_find(source);
    cszi_launch *l;
    csz_status status;
    char *block;
    if (plan == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&plan->error);
    if (workload == NULL || stack == NULL || (text == NULL && length > 0))
        return cszi_fail(&plan->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a workload, a text and a source that is a launch are needed");
    l = cszi_alloc_zero(plan->alloc, sizeof *l);
    if (l == NULL)
        return cszi_fail(&plan->error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    plan->spare = plan->value;
    workload->spare = workload->value;
    l->stack = stack;
    l->plan = &plan->spare;
    l->workload = &workload->spare;
    l->error = &plan->error;
    l->cluster = cluster != NULL ? &cluster->value : NULL;
    l->accelerators = cluster != NULL ? cluster->value.accelerators : 0;
    status = unwrap(stack, text, length, plan->alloc, &block, &plan->error);
    if (status == CSZ_OK)
        status = cszi_launch_read(l, block != NULL ? block : text, length);
    cszi_alloc_free(plan->alloc, block, length);
    cszi_alloc_free(plan->alloc, l, sizeof *l);
    if (status == CSZ_OK) {
        plan->value = plan->spare;
        workload->value = workload->spare;
    }
    return status;
}

size_t csz_launch_notes(csz_source source, const char *text, size_t length, char *notes,
                        size_t capacity)
{
    const cszi_launch_stack *stack = cszi_launch_find(source);
    cszi_out out = cszi_out_open(notes, capacity);
    cszi_alloc alloc = cszi_alloc_default();
    cszi_error error;
    char *block = NULL;
    if (stack != NULL && text != NULL &&
        (unwrap(stack, text, length, alloc, &block, &error) != CSZ_OK ||
         cszi_launch_foreign(stack, block != NULL ? block : text, length, &out, &error) != CSZ_OK))
        out.length = 0;
    cszi_alloc_free(alloc, block, length);
    return cszi_out_close(&out);
}

size_t csz_launch_version(csz_source source, char *text, size_t capacity)
{
    const cszi_launch_stack *stack = cszi_launch_find(source);
    cszi_out out = cszi_out_open(text, capacity);
    if (stack != NULL)
        cszi_out_format(&out, "%s %s", stack->name, stack->version);
    return cszi_out_close(&out);
}
