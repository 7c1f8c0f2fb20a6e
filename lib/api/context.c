/* context.c: the allocator, version, and what status, reason and note values say. */
#include "api/handles.h"

csz_context *csz_context_new(csz_realloc_fn fn, void *user)
{
    cszi_alloc alloc = cszi_alloc_default();
    csz_context *context;
    if (fn != NULL) {
        alloc.fn = fn;
        alloc.user = user;
    }
    context = cszi_alloc_zero(alloc, sizeof *context);
    if (context != NULL)
        context->alloc = alloc;
    return context;
}

void csz_context_free(csz_context *context)
{
    if (context != NULL)
        cszi_alloc_free(context->alloc, context, sizeof *context);
}

cszi_alloc cszi_context_alloc(const csz_context *context)
{
    return context != NULL ? context->alloc : cszi_alloc_default();
}

const char *csz_version_string(void)
{
    return CSZ_VERSION_STRING;
}

int32_t csz_version_number(void)
{
    return CSZ_VERSION_NUMBER;
}

const char *csz_version_facts(void)
{
    return CSZI_FACTS_DATE;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *csz_status_name(csz_status status)
{
    static const char *const names[] = {"CSZ_OK",           "CSZ_ERR_NO_MEMORY", "CSZ_ERR_ARGUMENT",
                                        "CSZ_ERR_FIELD",    "CSZ_ERR_TYPE",      "CSZ_ERR_RANGE",
                                        "CSZ_ERR_UNSET",    "CSZ_ERR_CONFLICT",  "CSZ_ERR_SYNTAX",
                                        "CSZ_ERR_UNKNOWN",  "CSZ_ERR_MISSING",   "CSZ_ERR_LIMIT",
                                        "CSZ_ERR_CANCELLED"};
    return (size_t)status < COUNT(names) ? names[status] : "?";
}

static const struct {
    const char *name;
    const char *text;
} reasons[] = {
    {"none", ""},
    {"count", "the degrees do not multiply to the accelerators"},
    {"heads", "tensor_parallel does not divide the attention heads"},
    {"kv_heads", "neither of tensor_parallel and the key-value heads divides the other"},
    {"hidden", "tensor_parallel does not divide hidden"},
    {"ffn", "tensor_parallel does not divide ffn"},
    {"expert_ffn", "expert_tensor_parallel does not divide expert_ffn"},
    {"experts", "expert_parallel does not divide the experts"},
    {"expert_group", "the expert groups do not divide the ranks of a stage"},
    {"context", "2 x context_parallel does not divide the sequence"},
    {"sequence", "tensor_parallel does not divide a rank's part of the sequence"},
    {"stages", "more pipeline chunks than layers"},
    {"layout", "the explicit stage layout does not add up"},
    {"virtual", "virtual_pipeline does not go with pipeline, schedule or micro-batches"},
    {"batch", "the global batch is no multiple of data_parallel x micro_batch"},
    {"micro_batches", "fewer micro-batches than interleaved pipeline stages"},
    {"sequence_parallel", "expert and tensor parallelism together need sequence_parallel"},
    {"tensor_domain", "tensor_parallel leaves the scale-up domain"},
    {"memory", "does not fit"},
    {"limit", "outside a limit of the goal"},
    {"stack", "the software stack cannot express it"},
    {"format", "the accelerator lacks the number format"},
    {"deadline", "misses the deadline"},
    {"budget", "exceeds the budget"},
    {"slower", "valid, but not among the rows asked for"},
    {"no_experts", "expert parallelism for a model without experts"},
    {"offload", "offload that the sharding or the software stack does not allow"},
    {"optimizer", "the software stack lacks the optimizer"},
    {"shard_group", "shard_group does not divide the data-parallel and context ranks"},
    {"host_memory", "the memory of the nodes is too small for what is offloaded, or not known"},
    {"module", "recomputation of a module that the model lacks"},
    {"context_heads", "the all-to-all of context_kind does not divide the attention heads"},
};

const char *csz_reason_text(csz_reason reason)
{
    return (size_t)reason < COUNT(reasons) ? reasons[reason].text : "?";
}

const char *csz_reason_name(csz_reason reason)
{
    return (size_t)reason < COUNT(reasons) ? reasons[reason].name : "?";
}

const char *csz_note_text(csz_note note)
{
    static const char *const texts[] = {
        "",
        "the stack was not named: the usual one of the family is taken, and the band is wider",
        "no published run of this accelerator family was fitted: a wide band",
        "too few published runs of this software stack on this accelerator family, or far off: a "
        "wide band",
        "more than 64-way data parallelism: the slow side of the band is wider",
        "a mixture of experts: the band is wider",
        "the global batch is that of published runs of this size",
        "memory as the driver reports it is not known: the marketing figure was taken",
        "the failure rate is that of the built-in facts",
        "the checkpoint bandwidth is that of the built-in facts, by node",
        "tensor parallelism crosses the scale-up domain",
        "no price is known: no cost",
        "a catalog figure of low confidence is used",
        "layers of a kind without a fitted run (custom, or recurrent but for mamba2): a wide band",
        "no memory measurement of this software stack was fitted",
        "the memory of the nodes is not known: no verdict on what the job needs of it",
        "experts are taken to be loaded as routing or load_imbalance says",
        "traffic of offload is hidden only where computation lasts long enough; few published runs "
        "offload: a wide band",
        "no measured run of this accelerator family under this software stack: the widest band",
        "no published run of this pipeline schedule was fitted: a wide band",
    };
    return (size_t)note < COUNT(texts) ? texts[note] : "?";
}

size_t csz_stack_count(void)
{
    return cszi_stacks_count;
}

const char *csz_stack_id_at(size_t index)
{
    return index < cszi_stacks_count ? cszi_stacks[index].id : NULL;
}

const char *csz_stack_source_at(size_t index)
{
    return index < cszi_stacks_count ? cszi_stacks[index].source : NULL;
}
