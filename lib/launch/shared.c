/* shared.c: what the tables of several stacks have in common. */
#include "launch/shared.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"

const cszi_choice cszi_launch_switch[] = {{1, "true"}, {0, "false"}, {0, NULL}};
const cszi_choice cszi_launch_segments[] = {{1, "expandable_segments:True"}, {0, NULL}};

int64_t cszi_launch_data_ranks(const cszi_launch *l)
{
    const cszi_plan *plan = l->plan;
    int64_t model = 0;
    if (plan->data_parallel != 0)
        return plan->data_parallel;
    if (!cszi_multiply(plan->tensor_parallel, plan->pipeline_parallel, &model) ||
        !cszi_multiply(model, plan->context_parallel, &model) || l->accelerators < model ||
        l->accelerators % model != 0)
        return 0;
    return l->accelerators / model;
}

int cszi_launch_has_experts(const cszi_workload *workload)
{
    for (int64_t i = 0; i < workload->kinds_count; i++)
        if (workload->kinds[i].experts != 0)
            return 1;
    return 0;
}

/* ---- Shards ---- */

void cszi_launch_spread_shards(cszi_launch *l)
{
    const cszi_layout *at = l->layout;
    int64_t shards = 1;
    if (at->sharding != CSZ_SHARDING_NONE)
        shards = at->group % at->c == 0 && at->group >= at->c ? at->group / at->c : at->d;
    cszi_launch_put(l, CSZI_LAUNCH_SHARDS, (double)shards);
    cszi_launch_put(l, CSZI_LAUNCH_REPLICAS, (double)(at->d / shards));
    cszi_launch_put(l, CSZI_LAUNCH_RANKS, (double)at->used);
}

csz_status cszi_launch_gather_shards(cszi_launch *l, const char *option)
{
    int64_t shards = cszi_launch_count(l, CSZI_LAUNCH_SHARDS), ranks = cszi_launch_data_ranks(l);
    int64_t replicas =
        cszi_launch_has(l, CSZI_LAUNCH_REPLICAS) ? cszi_launch_count(l, CSZI_LAUNCH_REPLICAS) : 1;
    int64_t context = l->plan->context_parallel, all = 0, shared = 0;
    csz_status status = CSZ_OK;
    if (replicas < 1 || (cszi_launch_has(l, CSZI_LAUNCH_SHARDS) && shards < 1))
        return cszi_launch_fail(l, option, CSZ_ERR_RANGE, CSZ_PLAN_SHARD_GROUP,
                                "shards and replicas are at least 1");
    if (l->accelerators > 0 && ranks == 0)
        return cszi_launch_fail(l, option, CSZ_ERR_CONFLICT, CSZ_CLUSTER_ACCELERATORS,
                                "the %lld accelerators are no multiple of tensor x pipeline x "
                                "context parallel",
                                (long long)l->accelerators);
    if (shards == 0 && ranks > 0 && ranks % replicas != 0)
        return cszi_launch_fail(l, option, CSZ_ERR_CONFLICT, CSZ_PLAN_DATA_PARALLEL,
                                "%lld replicas do not divide the %lld data-parallel ranks",
                                (long long)replicas, (long long)ranks);
    if (shards == 0)
        shards = ranks / replicas;
    if (shards == 0 && replicas == 1) /* every rank there is */
        return cszi_launch_set(l, CSZ_PLAN_SHARDING, CSZ_SHARDING_PARAMETERS, option);
    if (shards == 0)
        return cszi_launch_fail(l, option, CSZ_ERR_MISSING, CSZ_CLUSTER_ACCELERATORS,
                                "leaves the ranks open; say how many accelerators there are");
    if (!cszi_multiply(shards, replicas, &all) || !cszi_multiply(shards, context, &shared))
        all = shared = CSZI_COUNT_MAX;
    status = cszi_launch_set(l, CSZ_PLAN_DATA_PARALLEL, (double)all, option);
    if (status == CSZ_OK)
        status = cszi_launch_set(l, CSZ_PLAN_SHARDING,
                                 shared > 1 ? CSZ_SHARDING_PARAMETERS : CSZ_SHARDING_NONE, option);
    if (status == CSZ_OK && replicas > 1 && shared > 1)
        status = cszi_launch_set(l, CSZ_PLAN_SHARD_GROUP, (double)shared, option);
    return status;
}

/* ---- Steps ---- */

static const cszi_phase *phase_of(const cszi_launch *l)
{
    return l->workload->phases_count > 0 ? &l->workload->phases[0] : NULL;
}

void cszi_launch_spread_steps(cszi_launch *l)
{
    const cszi_phase *phase = phase_of(l);
    double step = (double)phase->sequence_length * (double)phase->global_batch;
    if (l->run.steps > 0)
        cszi_launch_put(l, CSZI_LAUNCH_STEPS, l->run.steps);
    else if (phase->tokens != 0)
        cszi_launch_put(l, CSZI_LAUNCH_STEPS, ceil((double)phase->tokens / step));
    if (l->run.interval > 0 && l->run.step > 0)
        cszi_launch_put(l, CSZI_LAUNCH_SAVE_STEPS, fmax(1, floor(l->run.interval / l->run.step)));
}

csz_status cszi_launch_gather_steps(cszi_launch *l, const char *option)
{
    const cszi_phase *phase = phase_of(l);
    double tokens;
    if (phase == NULL || !cszi_launch_has(l, CSZI_LAUNCH_STEPS) || phase->sequence_length == 0 ||
        phase->global_batch == 0)
        return CSZ_OK;
    tokens = cszi_launch_get(l, CSZI_LAUNCH_STEPS) * (double)phase->sequence_length *
             (double)phase->global_batch;
    return tokens > 0 ? cszi_launch_set(l, CSZ_WORKLOAD_TOKENS, tokens, option) : CSZ_OK;
}

/* ---- Formats ---- */

csz_status cszi_launch_set_formats(cszi_launch *l, int64_t weights, int64_t gradients,
                                   int64_t master, int64_t states, const char *option)
{
    const struct {
        csz_field field;
        int64_t format;
    } formats[] = {{CSZ_WORKLOAD_WEIGHT_FORMAT, weights},
                   {CSZ_WORKLOAD_GRADIENT_FORMAT, gradients},
                   {CSZ_WORKLOAD_MASTER_FORMAT, master},
                   {CSZ_WORKLOAD_STATE_FORMAT, states}};
    csz_status status = CSZ_OK;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && status == CSZ_OK; i++)
        status = cszi_launch_set(l, formats[i].field, (double)formats[i].format, option);
    return status;
}

void cszi_launch_drop_formats(cszi_launch *l)
{
    const cszi_stack *stack = cszi_stack_find(l->plan->stack);
    const struct {
        csz_field field;
        int64_t said, usual;
    } formats[] = {{CSZ_WORKLOAD_WEIGHT_FORMAT, l->workload->weight_format, stack->weights},
                   {CSZ_WORKLOAD_GRADIENT_FORMAT, l->workload->gradient_format, stack->gradients},
                   {CSZ_WORKLOAD_MASTER_FORMAT, l->workload->master_format, stack->master},
                   {CSZ_WORKLOAD_STATE_FORMAT, l->workload->state_format, stack->states}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].said == formats[i].usual)
            cszi_field_unset(&cszi_workload_table, l->workload,
                             cszi_table_row(&cszi_workload_table, formats[i].field));
}

/* ---- Chunks ---- */

/* "t*9|" so many times. */
static void put_run(cszi_out *out, int64_t layers, int64_t times)
{
    if (times > 0)
        cszi_out_format(out, "(t*%lld|)*%lld", (long long)layers, (long long)times);
}

/* Chunks written out: those before `extra` hold one layer more. */
static csz_status write_chunks(cszi_launch *l, int64_t chunks, int64_t each, int64_t extra,
                               int64_t head, int64_t tail, const char *option)
{
    char text[CSZI_TEXT_CAPACITY];
    cszi_out out = cszi_out_open(text, sizeof text);
    int64_t longer = extra > 0 ? extra - 1 : 0, predictions = l->workload->prediction_layers;
    cszi_error error;
    csz_status status;
    cszi_out_format(&out, "Et*%lld|", (long long)(each + (extra > 0) - head));
    put_run(&out, each + 1, longer);
    put_run(&out, each, chunks - 2 - longer);
    cszi_out_format(&out, "t*%lld", (long long)(each - tail));
    if (predictions > 0)
        cszi_out_format(&out, "m*%lld", (long long)predictions);
    cszi_out_char(&out, 'L');
    if (cszi_out_close(&out) >= sizeof text)
        return cszi_launch_fail(l, option, CSZ_ERR_LIMIT, CSZ_PLAN_PIPELINE_LAYOUT,
                                "the layers of %lld chunks are too long to write out",
                                (long long)chunks);
    cszi_error_clear(&error);
    status = cszi_field_set_text(&cszi_plan_table, l->plan,
                                 cszi_table_row(&cszi_plan_table, CSZ_PLAN_PIPELINE_LAYOUT), 0,
                                 text, strlen(text), NULL, &error);
    return status == CSZ_OK
               ? CSZ_OK
               : cszi_launch_fail(l, option, status, CSZ_PLAN_PIPELINE_LAYOUT, "%s", error.text);
}

csz_status cszi_launch_set_chunks(cszi_launch *l, int64_t chunks, int64_t head, int64_t tail,
                                  const char *option)
{
    int64_t layers = cszi_layer_total(l->workload), all = layers + head + tail;
    csz_status status;
    if (head > 1 || tail > 1 || (all % chunks != 0 && layers != 0)) {
        if (layers == 0 || all / chunks <= head || all / chunks <= tail)
            return cszi_launch_fail(l, option, CSZ_ERR_CONFLICT, CSZ_PLAN_PIPELINE_PARALLEL,
                                    "%lld layers leave some of %lld chunks empty",
                                    (long long)layers, (long long)chunks);
        return write_chunks(l, chunks, all / chunks, all % chunks, head, tail, option);
    }
    status = cszi_launch_set(l, CSZ_PLAN_EMBEDDING_COUNTS, (double)head, option);
    return status == CSZ_OK ? cszi_launch_set(l, CSZ_PLAN_LOSS_COUNTS, (double)tail, option)
                            : status;
}
