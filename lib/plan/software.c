/* software.c: what a plan asks of its training software, and what that software settles by itself.
 * Sources: the documentation named in the rows of the stack table. */
#include "plan/constraint.h"
#include "plan/slots.h"

#define LIST_CAPACITY 128 /* all ids of stacks, or all names of one field's choices */

/* ---- What would do instead ---- */

/* Names of those choices whose bit is set. */
static const char *list_choices(char text[LIST_CAPACITY], const cszi_table *table, csz_field field,
                                unsigned bits)
{
    cszi_out out = cszi_out_open(text, LIST_CAPACITY);
    for (const cszi_choice *c = cszi_table_row(table, field)->choices; c->name != NULL; c++)
        if (bits >> c->value & 1)
            cszi_out_format(&out, "%s%s", out.length != 0 ? ", " : "", c->name);
    (void)cszi_out_close(&out);
    return text;
}

static int has_pipeline(const cszi_stack *s)
{
    return s->pipeline;
}

static int has_zero_bubble(const cszi_stack *s)
{
    return s->zero_bubble;
}

static int has_dualpipe(const cszi_stack *s)
{
    return s->dualpipe;
}

static int has_gathered_context(const cszi_stack *s)
{
    return s->contexts >> CSZ_CONTEXT_KIND_ALL_GATHER & 1;
}

static int has_ulysses(const cszi_stack *s)
{
    return s->contexts >> CSZ_CONTEXT_KIND_ULYSSES & 1;
}

static int has_hierarchy(const cszi_stack *s)
{
    return s->contexts >> CSZ_CONTEXT_KIND_HIERARCHICAL & 1;
}

static int has_release(const cszi_stack *s)
{
    return s->release;
}

static int has_sharded_release(const cszi_stack *s)
{
    return s->release && s->sharding_max >= CSZ_SHARDING_GRADIENTS;
}

static int has_offload(const cszi_stack *s)
{
    return s->offload > 0;
}

static int has_drives(const cszi_stack *s)
{
    return s->offload > 1;
}

static const char *list_stacks(char text[LIST_CAPACITY], int (*has)(const cszi_stack *stack))
{
    cszi_out out = cszi_out_open(text, LIST_CAPACITY);
    for (size_t i = 0; i < cszi_stacks_count; i++)
        if (has(&cszi_stacks[i]))
            cszi_out_format(&out, "%s%s", out.length != 0 ? ", " : "", cszi_stacks[i].id);
    (void)cszi_out_close(&out);
    return text;
}

/* A value that the plan's stack lacks; also names the stacks that have it. */
static csz_status refuse(cszi_check *k, csz_reason reason, csz_field field,
                         int (*has)(const cszi_stack *stack))
{
    char value[32], list[LIST_CAPACITY];
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, field);
    cszi_out out = cszi_out_open(value, sizeof value);
    cszi_field_write_text(&cszi_plan_table, k->plan, row, 0, &out);
    (void)cszi_out_close(&out);
    return CSZI_CONFLICT(k, reason, field,
                         "%s: %s is not available on stack %s; stacks that have it: %s", row->name,
                         value, k->at->stack->id, list_stacks(list, has));
}

/* ---- The stack ---- */

static const char *sharding_name(int64_t sharding)
{
    return cszi_table_choice_name(&cszi_plan_table, CSZ_PLAN_SHARDING, sharding);
}

static csz_status check_sharding(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    const cszi_stack *stack = k->at->stack;
    char list[LIST_CAPACITY];
    if (plan->sharding > stack->sharding_max)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_SHARDING,
                             "sharding: %s is not available on stack %s; choose %s",
                             sharding_name(plan->sharding), stack->id,
                             list_choices(list, &cszi_plan_table, CSZ_PLAN_SHARDING,
                                          (2u << stack->sharding_max) - 1));
    if (plan->sharding >= stack->pipeline_sharding && plan->pipeline_parallel > 1)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_SHARDING,
                             "sharding: %s is not available with pipeline_parallel=%lld on stack "
                             "%s; choose %s, or pipeline_parallel=1",
                             sharding_name(plan->sharding), CSZI_LL(plan->pipeline_parallel),
                             stack->id,
                             list_choices(list, &cszi_plan_table, CSZ_PLAN_SHARDING,
                                          (1u << stack->pipeline_sharding) - 1));
    return CSZ_OK;
}

static csz_status check_optimizer(cszi_check *k)
{
    const cszi_stack *stack = k->at->stack;
    int64_t optimizer = k->workload->optimizer;
    char list[LIST_CAPACITY];
    if (stack->optimizers >> optimizer & 1)
        return CSZ_OK;
    return CSZI_CONFLICT(
        k, CSZ_REASON_OPTIMIZER, CSZ_WORKLOAD_OPTIMIZER,
        "optimizer: %s is not available on stack %s; choose %s",
        cszi_table_choice_name(&cszi_workload_table, CSZ_WORKLOAD_OPTIMIZER, optimizer), stack->id,
        list_choices(list, &cszi_workload_table, CSZ_WORKLOAD_OPTIMIZER,
                     (unsigned)stack->optimizers));
}

/* Rings are taken to be everywhere, since they are what an unset field means. */
static csz_status check_context(cszi_check *k)
{
    static int (*const has[])(const cszi_stack *) = {NULL, has_gathered_context, has_ulysses,
                                                     has_hierarchy};
    int64_t kind = k->plan->context_kind;
    if (kind == CSZ_CONTEXT_KIND_RING || has[kind](k->at->stack))
        return CSZ_OK;
    return refuse(k, CSZ_REASON_STACK, CSZ_PLAN_CONTEXT_KIND, has[kind]);
}

csz_status cszi_settle_stack(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    csz_status status;
    at->stack = cszi_plan_stack(plan, k->cluster);
    at->stack_named = plan->stack[0] != '\0';
    if (at->stack == NULL)
        return cszi_fail(k->error, CSZ_ERR_UNKNOWN, CSZ_PLAN_STACK,
                         "stack: '%s' is no row of the stack table", plan->stack);
    at->flash =
        CSZI_PLAN_SETS(plan, CSZ_PLAN_ATTENTION_KERNEL) ? plan->attention_kernel : at->stack->flash;
    at->loss = CSZI_PLAN_SETS(plan, CSZ_PLAN_LOSS_KERNEL) ? plan->loss_kernel : at->stack->loss;
    at->dispatch = CSZI_PLAN_SETS(plan, CSZ_PLAN_EXPERT_DISPATCH) ? plan->expert_dispatch
                                                                  : at->stack->dispatch;
    at->capacity = plan->expert_capacity;
    at->overlap = plan->expert_overlap;
    if (plan->pipeline_parallel > 1 && !at->stack->pipeline)
        return refuse(k, CSZ_REASON_STACK, CSZ_PLAN_PIPELINE_PARALLEL, has_pipeline);
    if (plan->schedule == CSZ_SCHEDULE_DUALPIPE && !at->stack->dualpipe)
        return refuse(k, CSZ_REASON_STACK, CSZ_PLAN_SCHEDULE, has_dualpipe);
    if (plan->schedule >= CSZ_SCHEDULE_ZB_H1 && !at->stack->zero_bubble)
        return refuse(k, CSZ_REASON_STACK, CSZ_PLAN_SCHEDULE, has_zero_bubble);
    status = check_context(k);
    if (status == CSZ_OK)
        status = check_sharding(k);
    return status == CSZ_OK ? check_optimizer(k) : status;
}

/* ---- Recomputation ---- */

/* What is computed again must be in the model. */
static csz_status check_modules(cszi_check *k)
{
    const cszi_layout *at = k->at;
    int64_t latent = 0, dense = 0, experts = 0;
    for (int64_t i = 0; i < k->workload->kinds_count; i++) {
        const cszi_layer_kind *kind = &k->workload->kinds[i];
        latent |= kind->attention == CSZ_ATTENTION_LATENT;
        dense |= kind->ffn;
        experts |= kind->experts;
    }
    const struct {
        csz_field field;
        int64_t asked, there;
        const char *what;
    } modules[] = {{CSZ_PLAN_RECOMPUTE_LATENT, at->latent, latent, "latent attention"},
                   {CSZ_PLAN_RECOMPUTE_MLP, at->mlp, dense, "dense MLP"},
                   {CSZ_PLAN_RECOMPUTE_EXPERTS, at->experts, experts, "experts"}};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (modules[i].asked && !modules[i].there)
            return CSZI_CONFLICT(k, CSZ_REASON_MODULE, modules[i].field,
                                 "%s: yes, but the model has no %s; no is the only choice",
                                 cszi_table_row(&cszi_plan_table, modules[i].field)->name,
                                 modules[i].what);
    return CSZ_OK;
}

static csz_status settle_recompute(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    int full = plan->recompute == CSZ_RECOMPUTE_FULL;
    if (plan->recompute == CSZ_RECOMPUTE_OPERATIONS && !at->stack->operations)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_RECOMPUTE,
                             "recompute: operations is not available on stack %s; choose none, "
                             "selective or full",
                             at->stack->id);
    at->recompute_layers = plan->recompute_layers != 0 ? plan->recompute_layers : INT64_MAX;
    at->norm = plan->recompute_norm;
    at->activation = plan->recompute_activation;
    at->latent = plan->recompute_latent;
    at->mlp = plan->recompute_mlp;
    at->experts = plan->recompute_experts;
    if (plan->recompute_layers != 0 && !full)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_RECOMPUTE_LAYERS,
                             "recompute_layers: %lld, but recompute is not full",
                             CSZI_LL(plan->recompute_layers));
    return check_modules(k);
}

/* ---- Sharded states ---- */

static csz_status settle_shards(cszi_check *k)
{
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    int64_t ranks = cszi_layout_dense_shards(at);
    at->group = plan->shard_group != 0 ? plan->shard_group : ranks;
    /* Weights of one micro-batch after the other are not gathered anew in a pipeline. */
    at->reshard = CSZI_PLAN_SETS(plan, CSZ_PLAN_RESHARD) ? plan->reshard : at->p == 1;
    if (at->sharding == CSZ_SHARDING_GRADIENTS && at->stack->gathers_once) {
        if (plan->reshard)
            return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_RESHARD,
                                 "reshard: yes, but sharding=gradients keeps gathered weights on "
                                 "stack %s; choose sharding=parameters",
                                 at->stack->id);
        at->sharding = CSZ_SHARDING_PARAMETERS;
        at->reshard = 0;
    }
    at->gathered = 1 + (CSZI_PLAN_SETS(plan, CSZ_PLAN_PREFETCH) ? plan->prefetch
                                                                : (int64_t)at->stack->prefetch);
    at->bucket = CSZI_PLAN_SETS(plan, CSZ_PLAN_BUCKET) ? plan->bucket : at->stack->bucket_bytes;
    at->expandable = plan->expandable_segments;
    at->in_place = CSZI_PLAN_SETS(plan, CSZ_PLAN_OPTIMIZER_FUSED) ? plan->optimizer_fused
                                                                  : !at->stack->optimizer_temporary;
    if (plan->shard_group != 0 && at->sharding == CSZ_SHARDING_NONE)
        return CSZI_CONFLICT(k, CSZ_REASON_SHARD_GROUP, CSZ_PLAN_SHARD_GROUP,
                             "shard_group: %lld, but sharding is none", CSZI_LL(plan->shard_group));
    if (ranks % at->group != 0)
        return CSZI_CONFLICT(
            k, CSZ_REASON_SHARD_GROUP, CSZ_PLAN_SHARD_GROUP,
            "shard_group: %lld does not divide the %lld data-parallel and context ranks",
            CSZI_LL(at->group), CSZI_LL(ranks));
    return CSZ_OK;
}

/* Gradients that are gone after their layer can be neither accumulated nor reduced in buckets of
 * several layers, as DDP does; FSDP reduces those of each layer to shards before they are used
 * (torchtune: optimizer_in_bwd on one device, or with FSDP2). */
static csz_status settle_release(cszi_check *k)
{
    cszi_layout *at = k->at;
    int64_t ranks = cszi_layout_dense_shards(at);
    char list[LIST_CAPACITY];
    at->release = k->plan->gradient_release;
    if (!at->release)
        return CSZ_OK;
    if (!at->stack->release)
        return refuse(k, CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE, has_release);
    if (ranks > 1 && at->sharding < CSZ_SHARDING_GRADIENTS)
        return CSZI_CONFLICT(
            k, CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
            "gradient_release: yes, but %lld data-parallel and context ranks reduce their "
            "gradients under sharding=%s; needs one rank, or sharding=gradients or parameters on "
            "stack %s",
            CSZI_LL(ranks), sharding_name(at->sharding), list_stacks(list, has_sharded_release));
    if (at->m > 1)
        return CSZI_CONFLICT(k, CSZ_REASON_STACK, CSZ_PLAN_GRADIENT_RELEASE,
                             "gradient_release: yes, but %lld micro-batches a step accumulate "
                             "gradients; one is needed",
                             CSZI_LL(at->m));
    return CSZ_OK;
}

/* ---- Offload ---- */

/* The first setting that offloads. */
static csz_field offloading(const cszi_layout *at)
{
    return at->offload_optimizer > 0 ? CSZ_PLAN_OFFLOAD_OPTIMIZER
           : at->offload_parameters  ? CSZ_PLAN_OFFLOAD_PARAMETERS
           : at->offload_activations ? CSZ_PLAN_OFFLOAD_ACTIVATIONS
           : at->nvme                ? CSZ_PLAN_OFFLOAD_TARGET
                                     : CSZ_FIELD_NONE;
}

static csz_status check_offload(cszi_check *k)
{
    const cszi_layout *at = k->at;
    if (at->nvme && at->stack->offload < 2)
        return refuse(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_TARGET, has_drives);
    if (at->stack->offload == 0)
        return refuse(k, CSZ_REASON_OFFLOAD, offloading(at), has_offload);
    if (at->offload_parameters && at->sharding != CSZ_SHARDING_PARAMETERS)
        return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_PARAMETERS,
                             "offload_parameters: yes needs sharding=parameters, not %s",
                             sharding_name(at->sharding));
    if (at->nvme && at->offload_optimizer <= 0 && !at->offload_parameters)
        return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_TARGET,
                             "offload_target: nvme, but neither offload_optimizer nor "
                             "offload_parameters is set");
    return CSZ_OK;
}

/* Layers of the stage that holds most, prediction layers with them. */
static int64_t largest_stage(const cszi_check *k)
{
    const cszi_workload *w = k->workload;
    int64_t all = cszi_layer_total(w), most = 0;
    for (int64_t stage = 0; stage < k->at->p; stage++) {
        int64_t counts[CSZI_KINDS], layers = cszi_stage_predictions(w, k->at, stage);
        cszi_stage_layers(w, k->at, all, stage, counts);
        for (int i = 0; i < CSZI_KINDS; i++)
            layers += counts[i];
        most = layers > most ? layers : most;
    }
    return most;
}

static csz_status check_offload_layers(cszi_check *k)
{
    const cszi_layout *at = k->at;
    int64_t most;
    if (at->offload_layers == 0)
        return CSZ_OK;
    if (!at->offload_activations)
        return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS,
                             "offload_activation_layers: %lld, but offload_activations is no",
                             CSZI_LL(at->offload_layers));
    most = largest_stage(k);
    if (at->offload_layers <= most)
        return CSZ_OK;
    return CSZI_CONFLICT(k, CSZ_REASON_OFFLOAD, CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS,
                         "offload_activation_layers: %lld, but no stage holds more than %lld "
                         "layers; choose at most %lld",
                         CSZI_LL(at->offload_layers), CSZI_LL(most), CSZI_LL(most));
}

static csz_status settle_offload(cszi_check *k)
{
    csz_status status;
    const cszi_plan *plan = k->plan;
    cszi_layout *at = k->at;
    at->offload_optimizer = plan->offload_optimizer;
    at->offload_parameters = plan->offload_parameters;
    at->offload_activations = plan->offload_activations;
    at->offload_layers = plan->offload_activation_layers;
    at->nvme = plan->offload_target == CSZ_OFFLOAD_TARGET_NVME;
    status = check_offload_layers(k);
    if (status != CSZ_OK)
        return status;
    return offloading(at) == CSZ_FIELD_NONE ? CSZ_OK : check_offload(k);
}

csz_status cszi_settle_software(cszi_check *k)
{
    csz_status (*const steps[])(cszi_check *) = {settle_recompute, settle_shards, settle_release,
                                                 settle_offload};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        csz_status status = steps[i](k);
        if (status != CSZ_OK)
            return status;
    }
    return CSZ_OK;
}
