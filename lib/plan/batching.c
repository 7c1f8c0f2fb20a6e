/* batching.c: sequence length and global batch of a phase, given or assumed. */
#include "plan/settle.h"
#include "workload/parameters.h"

#define DEFAULT_SEQUENCE 8192 /* the documented default of sequence_length */

/* Tokens of a published batch for a model of that size; sequences for fine-tuning. */
static int64_t usual_batch(const cszi_workload *w, int64_t total, int64_t sequence)
{
    double tokens = cszi_batches[0].tokens;
    int64_t sequences;
    if (w->job != CSZ_JOB_PRETRAIN)
        return (int64_t)cszi_operation_find("default-finetune-batch")->value;
    for (size_t i = 1; i < cszi_batches_count; i++)
        if ((double)total >= cszi_batches[i].parameters)
            tokens = cszi_batches[i].tokens;
    sequences = (int64_t)(tokens / (double)sequence);
    return sequences > 0 ? sequences : 1;
}

static int64_t sequence_of(const cszi_workload *w, const cszi_phase *phase)
{
    if (phase->sequence_length != 0)
        return phase->sequence_length;
    return w->maximum_length != 0 ? w->maximum_length : DEFAULT_SEQUENCE;
}

csz_status cszi_phase_batching(const cszi_workload *workload, size_t phase, int64_t total,
                               cszi_batching *batching, cszi_error *error)
{
    static const cszi_phase none = {{0}, 0, 0, 0, 0};
    const cszi_phase *p =
        (int64_t)phase < workload->phases_count ? &workload->phases[phase] : &none;
    batching->sequence = sequence_of(workload, p);
    batching->assumed = p->global_batch == 0 && p->global_batch_tokens == 0;
    if (p->global_batch != 0 && p->global_batch_tokens != 0)
        return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS,
                         "global_batch_tokens: give the batch in sequences or in tokens, not both");
    if (p->global_batch_tokens % batching->sequence != 0)
        return cszi_fail(
            error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS,
            "global_batch_tokens: %lld is no multiple of the sequence length %lld; the nearest "
            "below is %lld",
            (long long)p->global_batch_tokens, (long long)batching->sequence,
            (long long)(p->global_batch_tokens / batching->sequence * batching->sequence));
    if (p->global_batch_tokens != 0)
        batching->sequences = p->global_batch_tokens / batching->sequence;
    else if (p->global_batch != 0)
        batching->sequences = p->global_batch;
    else
        batching->sequences = usual_batch(workload, total, batching->sequence);
    if (batching->sequences > CSZI_COUNT_MAX / batching->sequence)
        return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_WORKLOAD_GLOBAL_BATCH,
                         "global_batch: %lld sequences of %lld tokens "
                         "pass 2^53 tokens",
                         (long long)batching->sequences, (long long)batching->sequence);
    return CSZ_OK;
}
