/* degrees.c: how many accelerators, how they are divided, and what each is given. */
#include "question.h"

#include <math.h>
#include <string.h>

/* Tables of litgpt name the machine; how many of its accelerators are used, its configurations say
 * (config_hub/finetune): one for adapters. 0: as the row says. */
static int64_t configured_devices(row r)
{
    static const char *const pairs[] = {"config phi-2/full", "config stablelm-base-alpha-3b/full"};

    if (!row_has(r, "sharding_note", "devices default 1"))
        return 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (row_has(r, "notes", pairs[i]))
            return 2;
    return row_has(r, "task", "lora") ? 1 : 0;
}

/* How many there are; nothing says more than that the degrees need as many. */
static void set_accelerators(question *q, int64_t model, int64_t expert)
{
    int64_t ranks = q->tp * q->cp;

    if (configured_devices(q->row) > 0) {
        q->gpus = configured_devices(q->row);
        q->dp = q->gpus;
    } else if (row_has(q->row, "sharding_note", "devices default 1"))
        question_fill(q, 1, "gpus=%lld", (long long)q->gpus);
    if (q->gpus == 0 && q->dp > 0)
        q->gpus = model * q->dp;
    if (q->gpus == 0) {
        q->gpus = model * (expert > ranks ? (expert + ranks - 1) / ranks : 1);
        question_fill(q, 1, "gpus=%lld", (long long)q->gpus);
    }
}

static void set_count(question *q)
{
    int64_t model = q->tp * q->pp * q->cp, expert = q->ep * q->etp;

    if (model <= MOST_RANKS)
        set_accelerators(q, model, expert);
    if (model > MOST_RANKS || q->gpus > MOST_RANKS) {
        phrase_add(&q->skip, "tp=%lld pp=%lld cp=%lld dp=%lld ep=%lld are over %d accelerators",
                   (long long)q->tp, (long long)q->pp, (long long)q->cp, (long long)q->dp,
                   (long long)q->ep, MOST_RANKS);
        return;
    }
    if (q->gpus % model != 0) {
        phrase_add(&q->skip, "%lld accelerators are no multiple of the degrees",
                   (long long)q->gpus);
        return;
    }
    q->dp = q->gpus / model;
    if (expert > 1 && q->tp * q->cp * q->dp % expert != 0)
        phrase_add(&q->skip, "the row contradicts itself: %lld expert ranks in stages of %lld",
                   (long long)expert, (long long)(q->tp * q->cp * q->dp));
}

static void set_sharding(question *q)
{
    static const char *const names[] = {"none", "optimizer", "gradients", "parameters"};
    const char *note = row_text(q->row, "sharding_note");
    double stage;

    if (row_number(q->row, "zero_stage", &stage) || word_number_after(note, "zero", &stage) ||
        word_number_after(note, "ZeRO-", &stage)) {
        q->sharding = (int64_t)stage;
        if (stage > 3)
            phrase_add(&q->skip, "there is no ZeRO stage %.0f", stage);
        return;
    }
    if (word_find(note, "distributed optimizer") != NULL) {
        q->sharding = 1;
        return;
    }
    for (int i = 0; i < 4; i++)
        if (strcmp(q->framework->optimizer, names[i]) == 0)
            q->sharding = i;
    if (word_find(note, "FSDP") != NULL)
        q->sharding = 3;
    if (q->dp > 1 || q->cp > 1)
        question_fill(q, q->sharding != 3, "sharding=%s of %s", names[q->sharding],
                      q->framework->source);
}

/* What a row derives and the software cannot do, or its recipes do not. */
static void adjust_sharding(question *q)
{
    int megatron = strcmp(q->stack, "megatron") == 0;
    double billions = 0;

    if (q->gpus == 1 && strcmp(q->stack, "deepspeed") != 0)
        q->sharding = 0;
    if (megatron && q->sharding == 2 && q->pp > 1) {
        q->sharding = 1; /* gradients of a pipeline are accumulated whole */
        question_fill(q, 0, "sharding=optimizer under a pipeline");
    }
    /* All weights and gradients on each rank do not fit, unless experts or frozen weights help. */
    if (megatron && q->sharding == 1 && q->tp * q->pp * q->ep == 1 && q->dp > 8 &&
        !row_has(q->row, "task", "lora") && row_has(q->row, "derived", "zero_stage") &&
        row_number(q->row, "params_total_b", &billions) && billions > 60) {
        q->sharding = 3;
        question_fill(q, 1, "sharding=parameters of %s", q->framework->source);
    }
}

static void set_stack(question *q)
{
    q->stack = framework_stack(q->framework, q->row, q->gpus, q->sharding);
    adjust_sharding(q);
}

/* Less than a sequence for each chip: one over several of them. */
static void set_long_sequences(question *q)
{
    double micro;

    if (row_number(q->row, "micro_batch", &micro) && micro < 1)
        q->cp *= llround(1 / micro);
}

static void set_micro_batch(question *q)
{
    int64_t global = row_count(q->row, "global_batch", 0);
    int64_t turns = q->dp * row_count(q->row, "grad_accum", 0);
    double micro;

    q->micro_batch = 1;
    if (row_number(q->row, "micro_batch", &micro))
        q->micro_batch = micro < 1 ? 1 : llround(micro);
    else if (global > 0 && turns > 0 && global % turns == 0)
        q->micro_batch = global / turns;
    else
        question_fill(q, 1, "micro_batch=1");
}

/* "vit-huge-patch14-224": the patches of an image and one token more; 0 for other names. */
static int64_t patches(const char *model)
{
    double patch, image;

    if (!word_begins(model, "vit-") || !word_number_after(model, "patch", &patch) || patch < 1)
        return 0;
    model = word_find(model, "patch");
    model = strchr(model, '-');
    if (model == NULL || !word_number(model + 1, &image))
        return 0;
    return image / patch < 65536 ? (int64_t)(image / patch) * (int64_t)(image / patch) + 1 : 0;
}

/* "longest sample phi 1044 / StableLM 1034 / Llama2 1304 tokens": the one of the model. */
static int64_t noted_length(row r)
{
    static const char *const models[][2] = {
        {"phi", "phi "}, {"StableLM", "StableLM "}, {"Llama-2", "Llama2 "}};
    const char *list = word_find(row_text(r, "notes"), "longest sample");
    double length;

    for (size_t i = 0; i < sizeof models / sizeof *models && list != NULL; i++)
        if (word_begins(row_text(r, "model"), models[i][0]) &&
            word_number_after(list, models[i][1], &length))
            return (int64_t)length;
    return 0;
}

static void set_sequence(question *q)
{
    int64_t unit = (q->cp > 1 ? 2 * q->cp : 1) * q->tp;

    q->sequence = row_count(q->row, "seq_len", 0);
    if (q->sequence == 0)
        q->sequence = patches(row_text(q->row, "model"));
    if (q->sequence == 0)
        q->sequence = noted_length(q->row);
    if (row_has(q->row, "framework", "SWIFT") && !row_has(q->row, "notes", "packing"))
        question_fill(q, 1, "examples at their longest");
    if (q->sequence == 0) {
        q->sequence = 2048;
        question_fill(q, 1, "sequence_length=2048");
    }
    if (row_has(q->row, "seq_len", "+"))
        question_fill(q, 1, "sequence_length at its least");
    q->sequence = (q->sequence + unit - 1) / unit * unit;
}

/* Interleaved with one layer in each chunk: embedding and loss take the place of one each. So is
 * Llama 3's pipeline, of 16 stages for 126 layers (section 3.3.2). */
static void set_chunks(question *q)
{
    int meta = strcmp(q->framework->part, "Meta internal") == 0;
    int64_t layers = row_count(q->row, "layers", 0);

    if (q->pp == 1)
        q->vp = 1;
    else if (layers > 0 && q->vp == 1 &&
             (meta || (row_has(q->row, "notes", "schedule 1F1B-I") &&
                       row_has(q->row, "notes", "one layer per chunk"))))
        q->vp = (layers + 2) / q->pp;
}

/* An argument that Megatron-LM sets to tensor_parallel when it is absent; recipes of mixtures
 * say 1.
 */
static void set_expert_tensor(question *q)
{
    int core =
        row_has(q->row, "framework", "Megatron-Core") && !row_has(q->row, "notes", "Folding");
    int64_t ranks = q->gpus / q->pp;

    q->etp = row_count(q->row, "etp", 0);
    if (q->etp != 0)
        return;
    q->etp = 1;
    if (core && row_count(q->row, "experts", 0) > 0 && ranks % (q->ep * q->tp) == 0)
        q->etp = q->tp;
}

/* More ranks than one, and nothing that says what they share. */
static void refuse_unknown(question *q)
{
    int stated = row_text(q->row, "tp")[0] != '\0' || row_text(q->row, "dp")[0] != '\0';
    int counted = row_text(q->row, "gpus")[0] != '\0' || row_text(q->row, "dp")[0] != '\0';
    int megatron = strcmp(q->stack, "megatron") == 0;
    int shares = q->sharding == 3 || row_count(q->row, "zero_stage", 0) == 3;

    if (q->skip.used != 0 || is_megatron_case(q->row))
        return;
    if (!stated && ((megatron && (q->dp > 1 || !counted)) || q->dp > 8))
        phrase_add(&q->skip, "degrees of parallelism not stated");
    else if (!counted && shares)
        phrase_add(&q->skip, "number of accelerators not stated");
}

void question_degrees(question *q)
{
    static const char *const degrees[] = {"tp", "pp", "vp", "cp", "ep"};
    void (*const steps[])(question *) = {set_expert_tensor, set_chunks,      set_long_sequences,
                                         set_count,         set_micro_batch, set_sequence,
                                         set_sharding,      set_stack,       refuse_unknown};
    int64_t *const to[] = {&q->tp, &q->pp, &q->vp, &q->cp, &q->ep};

    q->gpus = row_count(q->row, "gpus", 0);
    q->dp = row_count(q->row, "dp", 0);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        int64_t degree = row_count(q->row, degrees[i], 0);
        *to[i] = degree > 0 ? degree : 1;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps && q->skip.used == 0; i++)
        steps[i](q);
}
