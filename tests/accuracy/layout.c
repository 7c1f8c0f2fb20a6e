/* layout.c: the settings of a plan beside its degrees: batch, recomputation, kernels, offload. */
#include "question.h"

#include <math.h>
#include <string.h>

static const char *const shardings[] = {"none", "optimizer", "gradients", "parameters"};

static void set_batch(question *q)
{
    int64_t unit = q->micro_batch * q->dp, accumulation = row_count(q->row, "grad_accum", 0);
    int64_t global = row_count(q->row, "global_batch", 0), turns;

    if (global == 0 && accumulation == 0)
        question_fill(q, 0, "grad_accum=%lld", (long long)q->pp);
    turns = global > 0 ? (global + unit - 1) / unit : accumulation > 0 ? accumulation : q->pp;
    if (q->vp > 1) /* whole rounds of the interleaved schedule */
        turns = (turns + q->pp - 1) / q->pp * q->pp;
    phrase_add(&q->job, " global_batch=%lld sequence_length=%lld",
               (long long)(turns * unit * q->examples), (long long)q->sequence);
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
    const char *wanted = framework_recompute(q->framework, q->row, q->gpus);
    double layers;
    int blocks = row_has(q->row, "notes", "fraction of blocks") ||
                 strcmp(q->framework->part, "fms-fsdp") == 0 ||
                 (strcmp(q->stack, "xla") == 0 && !row_has(q->row, "notes", "minimal"));

    if (add_modules(q, noted != NULL ? noted : stated))
        return;
    if (word_begins(stated, "none") || word_is(stated, "off"))
        wanted = "none";
    else if (word_begins(stated, "full") || word_find(stated, "activation checkpointing") != NULL)
        wanted = "full";
    else if (word_begins(stated, "selective") && !blocks)
        wanted = strcmp(q->framework->part, "torchtitan") == 0 ? "operations" : "selective";
    else if (word_begins(stated, "selective") && strcmp(q->framework->part, "fms-fsdp") == 0) {
        int64_t stage = row_count(q->row, "layers", 0) / q->pp;
        wanted = "full";
        question_fill(q, 0, "recompute_layers of half the blocks");
        if (stage > 1)
            phrase_add(&q->layout, " recompute_layers=%lld", (long long)(stage / 2));
    } else if (word_begins(stated, "selective")) {
        wanted = "full";
        question_fill(q, 0, "recompute=full for a share of the blocks");
    } else
        /* Recipes of torchtune and for XLA differ in it. */
        question_fill(q,
                      strcmp(q->framework->part, "torchtune") == 0 || strcmp(q->stack, "xla") == 0,
                      "recompute=%s of %s", wanted, q->framework->source);
    if (!add_modules(q, wanted))
        phrase_add(&q->layout, " recompute=%s", wanted);
    if (word_number_after(row_text(q->row, "flag"), "recompute_partial(", &layers))
        phrase_add(&q->layout, " recompute_layers=%.0f", layers);
}

/* Gemma 2 caps its scores, which litgpt and transformers compute without a fused kernel. */
static int is_softcapped(const question *q)
{
    return row_has(q->row, "model", "gemma-2-") && !row_has(q->row, "attention_impl", "flash") &&
           strcmp(q->stack, "megatron") != 0;
}

/* Unsloth's checkpoints stand on the host, and its loss takes the logits in parts. */
static int is_unsloth(row r)
{
    return row_has(r, "framework", "unsloth") || row_has(r, "source", "/unsloth/") ||
           word_begins(row_text(r, "notes"), "Unsloth");
}

static void set_kernels(question *q)
{
    row r = q->row;
    const char *attention = row_text(r, "attention_impl");
    int local = is_megatron_case(r) &&
                (!word_among(row_text(r, "model"), "te") || row_has(r, "model", "uninstall_te")) &&
                word_begins(row_text(r, "model"), "gpt3_mcore");

    if (local || word_begins(attention, "unfused") || word_begins(attention, "eager") ||
        word_begins(attention, "not flash") || row_has(r, "notes", "attention-backend=unfused") ||
        word_begins(row_text(r, "notes"), "HF;") || row_has(r, "framework", "(HF attention)") ||
        is_softcapped(q))
        phrase_add(&q->layout, " attention_kernel=unfused");
    else if (word_find(attention, "flash") != NULL || word_find(attention, "fused") != NULL ||
             word_find(attention, "sdpa") != NULL || is_megatron_case(r))
        phrase_add(&q->layout, " attention_kernel=flash");
    if (row_has(r, "notes", "Not using use_liger_kernel"))
        ;
    else if (word_among(row_text(r, "notes"), "liger") || row_has(r, "notes", "cut cross entropy"))
        phrase_add(&q->layout, " loss_kernel=linear");
    else if (is_unsloth(r))
        phrase_add(&q->layout, " loss_kernel=chunked offload_activations=yes");
    else if (row_ablation(r, "chunked CE"))
        phrase_add(&q->layout, " loss_kernel=chunked");
    else if (row_has(r, "notes", "cumulative"))
        phrase_add(&q->layout, " loss_kernel=plain");
    /* That of Megatron-LM itself; Transformer Engine's, which other rows note, works in place. */
    else if (row_has(r, "model", "cross_entropy_loss_fusion"))
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
    int parameters = all || word_find(text, "parameters") != NULL ||
                     word_find(notes, "parameters offloaded to CPU") != NULL;
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
        word_find(notes, "activations and optimizer states offloaded") != NULL ||
        word_find(notes, "custom/offload") != NULL || word_find(notes, "input offload") != NULL ||
        row_ablation(q->row, "activation offload"))
        phrase_add(&q->layout, " offload_activations=yes");
}

/* The recipes of Megatron-Bridge that use its FSDP keep activations on the host, where the link to
 * it is as fast as those between accelerators. */
static void set_recipe_offload(question *q)
{
    if (strcmp(q->framework->part, "Megatron-Bridge") == 0 && q->sharding == 3 &&
        word_begins(row_text(q->row, "gpu"), "GB")) {
        phrase_add(&q->layout, " offload_activations=yes");
        question_fill(q, 0, "offload_activations of %s", q->framework->source);
    }
}

/* nanotron cuts its pipeline by cost: a layer as its matrices, the output layer as its own
 * (get_block_compute_costs). A cut that a plan cannot name is left even. */
static void set_costed_stages(question *q)
{
    double h, f, v, layers, layer, each, last;

    if (strcmp(q->stack, "nanotron") != 0 || !row_number(q->row, "hidden", &h) ||
        !row_number(q->row, "ffn", &f) || !row_number(q->row, "vocab", &v) ||
        !row_number(q->row, "layers", &layers))
        return;
    layer = 4 * h * h + 3 * h * f;
    each = ceil((layers + h * v / layer) / (double)q->pp);
    last = layers - each * (double)(q->pp - 1);
    if (last >= 1)
        phrase_add(&q->layout, " first_stage_layers=%.0f last_stage_layers=%.0f", each, last);
}

/* Recipes of Megatron-Bridge send tokens through DeepEP or HybridEP (moe_flex_dispatcher_backend);
 * studies of dispatchers name theirs. */
static void set_dispatch(question *q)
{
    const char *named = word_find(row_text(q->row, "notes"), "dispatcher=");

    if (q->ep == 1)
        return;
    if (word_find(row_text(q->row, "notes"), "overlap (1F1B) on") != NULL)
        phrase_add(&q->layout, " expert_overlap=yes");
    if (row_has(q->row, "framework", "25.09") || row_has(q->row, "notes", "token drop") ||
        row_has(q->row, "flops_convention", "token drop"))
        phrase_add(&q->layout, " expert_capacity=1");
    if (named != NULL)
        phrase_add(&q->layout, " expert_dispatch=%s",
                   word_begins(named, "dispatcher=DeepEP") ? "deduplicated" : "all_to_all");
    else if (strcmp(q->framework->part, "Megatron-Bridge") == 0)
        phrase_add(&q->layout, " expert_dispatch=deduplicated");
}

/* Stages that the arguments make uneven. */
static void set_stages(question *q)
{
    const char *notes = row_text(q->row, "notes");
    int64_t layers = row_count(q->row, "layers", 0);
    double first;

    if (q->pp > 1)
        set_costed_stages(q);
    if (q->pp > 1 && strcmp(q->framework->part, "Meta internal") == 0)
        phrase_add(&q->layout, " embedding_counts=yes loss_counts=yes");
    if (q->pp == 1 || !word_number_after(notes, "decoder-first-pipeline-num-layers=", &first))
        return;
    phrase_add(&q->layout, " first_stage_layers=%.0f", first);
    if ((layers - (int64_t)first) % (q->pp - 1) != 0)
        phrase_add(&q->layout, " last_stage_layers=%.0f", first);
}

/* Units whose weights are frozen have no gradient whose hook would free them again: FSDP of
 * PyTorch 2.0, which litgpt's tables were made with, leaves them gathered. */
static int stays_gathered(const question *q)
{
    return strcmp(q->framework->part, "litgpt") == 0 && row_has(q->row, "task", "lora") &&
           q->sharding == 3;
}

static void set_sharing(question *q)
{
    const char *notes = row_text(q->row, "notes");
    double group;

    phrase_add(&q->layout, " sharding=%s", shardings[q->sharding]);
    /* Megatron-Core's cases of several optimizer instances have two. */
    if (row_has(q->row, "model", "multi_dist_optimizer_instances") && q->dp * q->cp % 2 == 0)
        phrase_add(&q->layout, " shard_group=%lld", (long long)(q->dp * q->cp / 2));
    if ((word_number_after(notes, "FSDP=", &group) ||
         word_number_after(notes, "sharding group ", &group)) &&
        q->sharding == 3 && group < (double)q->dp && group >= 1)
        phrase_add(&q->layout, " shard_group=%.0f", group);
    if (stays_gathered(q))
        phrase_add(&q->layout, " reshard=no");
}

void question_layout(question *q)
{
    row r = q->row;
    int64_t sp = row_count(r, "sp", -1);

    phrase_add(&q->layout,
               "stack=%s tp=%lld pp=%lld vpp=%lld cp=%lld ep=%lld etp=%lld dp=%lld mbs=%lld",
               q->stack, (long long)q->tp, (long long)q->pp, (long long)q->vp, (long long)q->cp,
               (long long)q->ep, (long long)q->etp, (long long)q->dp,
               (long long)(q->micro_batch * q->examples));
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
    set_dispatch(q);
    if (row_has(r, "optimizer", "in backward") || row_ablation(r, "in backward") ||
        (row_has(r, "notes", "optimizer-in-backward on 24 GB") && row_has(r, "gpu", "24GB") &&
         row_has(r, "task", "sft")))
        phrase_add(&q->layout, " gradient_release=yes");
    if (row_has(r, "notes", "schedule ZB-1p"))
        phrase_add(&q->layout, " schedule=zb_h1"); /* which it finds within the same memory */
    else if (row_has(r, "notes", "schedule ZB-2p"))
        phrase_add(&q->layout, " schedule=zb_h2");
    if (row_has(r, "optimizer", "fused"))
        phrase_add(&q->layout, " optimizer_fused=yes");
    if (row_has(r, "notes", "with expandable_segments") || row_has(r, "framework", "torchtitan"))
        phrase_add(&q->layout, " expandable_segments=yes");
}
