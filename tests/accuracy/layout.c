/* layout.c: degrees, batch and the other settings of a plan. */
#include "question.h"

#include <math.h>
#include <string.h>

static void set_count(question *q)
{
    int64_t model = q->tp * q->pp * q->cp, expert = q->ep * (q->etp > 0 ? q->etp : 1);

    if (row_has(q->row, "sharding_note", "devices default 1") && row_has(q->row, "task", "lora")) {
        q->gpus = 1; /* the configurations of adapters are of one device, whatever was listed */
        q->dp = 1;
    }
    if (q->gpus == 0 && q->dp > 0)
        q->gpus = model * q->dp;
    if (q->gpus == 0) {
        int64_t ranks = q->tp * q->cp;
        q->gpus = model * (expert > ranks ? (expert + ranks - 1) / ranks : 1);
        question_fill(q, 1, "gpus=%lld", (long long)q->gpus);
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

    if (megatron && q->sharding == 2 && q->pp > 1) {
        q->sharding = 1; /* gradients of a pipeline are accumulated whole */
        question_fill(q, 0, "sharding=optimizer under a pipeline");
    }
    if (megatron && q->sharding == 1 && q->tp * q->pp == 1 && q->dp > 8 &&
        row_has(q->row, "derived", "zero_stage") &&
        row_number(q->row, "params_total_b", &billions) && billions > 60) {
        q->sharding = 3;
        question_fill(q, 1, "sharding=parameters of %s", q->framework->source);
    }
}

static void set_micro_batch(question *q)
{
    int64_t global = row_count(q->row, "global_batch", 0);
    double micro;

    q->micro_batch = 1;
    if (row_number(q->row, "micro_batch", &micro) && micro >= 1)
        q->micro_batch = llround(micro);
    else if (row_number(q->row, "micro_batch", &micro) && micro > 0)
        q->cp *= llround(1 / micro); /* a sequence over several chips */
    else if (global > 0 && row_count(q->row, "grad_accum", 0) > 0)
        q->micro_batch = global / (q->dp * row_count(q->row, "grad_accum", 1));
    else
        question_fill(q, 1, "micro_batch=1");
    if (q->micro_batch < 1)
        q->micro_batch = 1;
}

static void set_sequence(question *q)
{
    int64_t unit = (q->cp > 1 ? 2 * q->cp : 1) * q->tp;

    q->sequence = row_count(q->row, "seq_len", 0);
    if (q->sequence == 0) {
        q->sequence = 2048;
        question_fill(q, 1, "sequence_length=2048");
    }
    if (row_has(q->row, "seq_len", "+"))
        question_fill(q, 1, "sequence_length at its least");
    q->sequence = (q->sequence + unit - 1) / unit * unit;
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

void question_degrees(question *q)
{
    static const char *const degrees[] = {"tp", "pp", "vp", "cp", "ep"};
    int64_t *const to[] = {&q->tp, &q->pp, &q->vp, &q->cp, &q->ep};

    q->gpus = row_count(q->row, "gpus", 0);
    q->dp = row_count(q->row, "dp", 0);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        int64_t degree = row_count(q->row, degrees[i], 0);
        *to[i] = degree > 0 ? degree : 1;
    }
    set_expert_tensor(q);
    if (q->pp == 1)
        q->vp = 1;
    set_micro_batch(q); /* may make sequences longer than a chip */
    set_count(q);
    set_sequence(q);
    set_sharding(q);
    q->stack = framework_stack(q->framework, q->row, q->sharding);
    adjust_sharding(q);
    if (q->dp > 1 && row_text(q->row, "tp")[0] == '\0' && row_text(q->row, "dp")[0] == '\0' &&
        strcmp(q->stack, "megatron") == 0 && q->skip.used == 0)
        phrase_add(&q->skip, "degrees of parallelism not stated");
}

static void set_batch(question *q)
{
    int64_t unit = q->micro_batch * q->dp, accumulation = row_count(q->row, "grad_accum", 0);
    int64_t global = row_count(q->row, "global_batch", 0), turns;

    if (global == 0 && accumulation == 0)
        question_fill(q, 0, "grad_accum=%lld", (long long)q->pp);
    turns = global > 0 ? (global + unit - 1) / unit : accumulation > 0 ? accumulation : q->pp;
    if (q->vp > 1) /* whole rounds of the interleaved schedule */
        turns = (turns + q->pp - 1) / q->pp * q->pp;
    phrase_add(&q->job, " global_batch=%lld sequence_length=%lld", (long long)(turns * unit),
               (long long)q->sequence);
}

/* Modules of a list such as "layernorm+moe_act"; 0 when it names none. */
static int add_modules(question *q, const char *list)
{
    static const struct {
        const char *word, *setting;
    } modules[] = {{"core_attn", " recompute=selective"},
                   {"layernorm", " recompute_norm=yes"},
                   {"RMSNorm", " recompute_norm=yes"},
                   {"moe_act", " recompute_activation=yes"},
                   {"mla_up_proj", " recompute_latent=yes"},
                   {"MLA up-projection", " recompute_latent=yes"},
                   {"mlp", " recompute_mlp=yes"},
                   {"moe", " recompute_experts=yes"}};
    int found = 0;

    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (word_module(list, modules[i].word)) {
            phrase_add(&q->layout, "%s", modules[i].setting);
            found = 1;
        }
    return found;
}

/* Where the notes list modules; NULL when they do not. */
static const char *noted_modules(row r)
{
    static const char *const marks[] = {"recompute-modules=", "recompute modules ",
                                        "selective recompute ", "recomputes "};
    const char *notes = row_text(r, "notes"), *at = NULL;

    for (size_t i = 0; i < sizeof marks / sizeof *marks && at == NULL; i++)
        at = word_find(notes, marks[i]);
    return at;
}

static void set_recompute(question *q)
{
    const char *stated = row_text(q->row, "recompute"), *noted = noted_modules(q->row);
    const char *wanted = framework_recompute(q->framework, q->row);
    int blocks = row_has(q->row, "notes", "fraction of blocks") ||
                 (strcmp(q->stack, "xla") == 0 && !row_has(q->row, "notes", "minimal"));

    if (add_modules(q, noted != NULL ? noted : stated))
        return;
    if (word_begins(stated, "none") || word_is(stated, "off"))
        wanted = "none";
    else if (word_begins(stated, "full") || word_find(stated, "activation checkpointing") != NULL)
        wanted = "full";
    else if (word_begins(stated, "selective") && !blocks)
        wanted = "selective";
    else if (word_begins(stated, "selective")) {
        wanted = "full";
        question_fill(q, 0, "recompute=full for a share of the blocks");
    } else
        question_fill(q, 0, "recompute=%s of %s", wanted, q->framework->source);
    if (!add_modules(q, wanted))
        phrase_add(&q->layout, " recompute=%s", wanted);
}

static void set_kernels(question *q)
{
    row r = q->row;
    const char *attention = row_text(r, "attention_impl");
    int local = is_megatron_case(r) && !word_among(row_text(r, "model"), "te") &&
                word_begins(row_text(r, "model"), "gpt3_mcore");

    if (local || word_begins(attention, "unfused") || word_begins(attention, "eager") ||
        word_begins(attention, "not flash") || row_has(r, "notes", "attention-backend=unfused") ||
        word_begins(row_text(r, "notes"), "HF;") || row_has(r, "framework", "(HF attention)"))
        phrase_add(&q->layout, " attention_kernel=unfused");
    else if (word_find(attention, "flash") != NULL || word_find(attention, "fused") != NULL ||
             word_find(attention, "sdpa") != NULL || is_megatron_case(r))
        phrase_add(&q->layout, " attention_kernel=flash");
    if (row_has(r, "notes", "Not using use_liger_kernel"))
        ;
    else if (word_among(row_text(r, "notes"), "liger") || row_has(r, "notes", "cut cross entropy"))
        phrase_add(&q->layout, " loss_kernel=linear");
    else if (row_ablation(r, "chunked CE"))
        phrase_add(&q->layout, " loss_kernel=chunked");
    else if (row_has(r, "notes", "cross-entropy fusion") ||
             row_has(r, "model", "cross_entropy_loss_fusion"))
        phrase_add(&q->layout, " loss_kernel=fused");
    else
        phrase_add(&q->layout, "%s", q->framework->loss);
}

static void set_offload(question *q)
{
    const char *text = row_text(q->row, "offload"), *notes = row_text(q->row, "notes");
    int all = word_find(text, "CPU offload") != NULL || word_find(text, "per config") != NULL ||
              word_find(text, "zero3_offload") != NULL ||
              word_find(notes, "with CPU offload") != NULL;
    int optimizer =
        all || word_find(text, "optimizer") != NULL || word_find(text, "ZeRO-2 offload") != NULL;
    int parameters = all || word_find(text, "parameters") != NULL;
    double share = 1;

    if (word_number_after(text, "offload_fraction ", &share) ||
        word_number_after(text, "optimizer fraction ", &share))
        share = word_find(text, "%") != NULL ? share / 100 : share;
    if (optimizer && share > 0)
        phrase_add(&q->layout, " offload_optimizer=%g", share);
    if (parameters && q->sharding == 3)
        phrase_add(&q->layout, " offload_parameters=yes");
    if (word_find(text, "activation") != NULL || word_find(notes, "CPU activation offload on") ||
        word_find(notes, "MXFP8, activation offload") != NULL ||
        word_find(notes, "custom/offload") != NULL || word_find(notes, "input offload") != NULL ||
        row_ablation(q->row, "activation offload"))
        phrase_add(&q->layout, " offload_activations=yes");
}

/* The recipes of Megatron-Bridge that use its FSDP keep activations on the host. */
static void set_recipe_offload(question *q)
{
    if (strcmp(q->framework->part, "Megatron-Bridge") == 0 && q->sharding == 3) {
        phrase_add(&q->layout, " offload_activations=yes");
        question_fill(q, 0, "offload_activations of %s", q->framework->source);
    }
}

/* Stages that the arguments make uneven. */
static void set_stages(question *q)
{
    const char *notes = row_text(q->row, "notes");
    int64_t layers = row_count(q->row, "layers", 0);
    double first;

    if (q->pp == 1 || !word_number_after(notes, "decoder-first-pipeline-num-layers=", &first))
        return;
    phrase_add(&q->layout, " first_stage_layers=%d", (int)first);
    if ((layers - (int64_t)first) % (q->pp - 1) != 0)
        phrase_add(&q->layout, " last_stage_layers=%d", (int)first);
}

static void set_sharing(question *q)
{
    static const char *const names[] = {"none", "optimizer", "gradients", "parameters"};
    const char *notes = row_text(q->row, "notes");
    double group;

    phrase_add(&q->layout, " sharding=%s", names[q->sharding & 3]);
    if ((word_number_after(notes, "FSDP=", &group) ||
         word_number_after(notes, "sharding group ", &group)) &&
        q->sharding == 3 && group < (double)q->dp && group >= 1)
        phrase_add(&q->layout, " shard_group=%.0f", group);
}

void question_layout(question *q)
{
    row r = q->row;
    int64_t sp = row_count(r, "sp", -1);

    phrase_add(&q->layout,
               "stack=%s tp=%lld pp=%lld vpp=%lld cp=%lld ep=%lld etp=%lld dp=%lld mbs=%lld",
               q->stack, (long long)q->tp, (long long)q->pp, (long long)q->vp, (long long)q->cp,
               (long long)q->ep, (long long)q->etp, (long long)q->dp, (long long)q->micro_batch);
    if (q->tp > 1 && sp == 0 && q->ep == 1)
        phrase_add(&q->layout, " sequence_parallel=no");
    else if (q->tp > 1 && sp < 0 && strcmp(q->stack, "legacy") == 0)
        phrase_add(&q->layout, " sequence_parallel=no");
    set_sharing(q);
    set_batch(q);
    set_recompute(q);
    set_kernels(q);
    set_offload(q);
    set_recipe_offload(q);
    set_stages(q);
    if (row_has(r, "optimizer", "in backward") || row_ablation(r, "in backward"))
        phrase_add(&q->layout, " gradient_release=yes");
    if (row_has(r, "notes", "with expandable_segments") || row_has(r, "framework", "torchtitan"))
        phrase_add(&q->layout, " expandable_segments=yes");
}
