/* job.c: what a row trains and how: job, method, number formats, optimizer, adapters. */
#include "question.h"

#include <string.h>

static int is_quantized(row r)
{
    return row_has(r, "task", "qlora") || row_has(r, "precision", "nf4") ||
           row_has(r, "precision", "4bit") || row_has(r, "precision", "4-bit") ||
           row_has(r, "notes", "quantization nf4") || row_has(r, "model", "-awq") ||
           word_among(row_text(r, "notes"), "QLoRA");
}

static int names_any(row r, const char *const *names, size_t count)
{
    static const char *const columns[] = {"notes", "sharding_note", "framework", "source"};

    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (size_t i = 0; i < count; i++)
            if (word_among(row_text(r, columns[c]), names[i]))
                return 1;
    return 0;
}

/* Adapters beside LoRA. Those that add a pair of narrow matrices to a projection cost what LoRA of
 * their rank does, so that a rank is all they need. */
static int is_other_adapter(row r)
{
    static const char *const others[] = {"LLaMA-Adapter", "tuner adapter", "boft",    "bone",
                                         "ia3",           "vblora",        "lokr",    "loha",
                                         "ln_tuning",     "prompt_tuning", "c3a",     "fourierft",
                                         "prefixtuning",  "prefix tuning", "shira",   "waveft",
                                         "llamapro",      "reft",          "longlora"};
    /* Short words that mean an adapter only in a comparison of adapters. */
    static const char *const compared[] = {"miss",
                                           "vera",
                                           "oft",
                                           "hra",
                                           "road",
                                           "osf",
                                           "delora",
                                           "gralora",
                                           "randlora",
                                           "prompt",
                                           "ptuning",
                                           "prefix",
                                           "beft",
                                           "hira",
                                           "glora",
                                           "lily",
                                           "psoft",
                                           "peanut",
                                           "frod",
                                           "ewora",
                                           "deft",
                                           "paca",
                                           "adamss",
                                           "bdlora",
                                           "adaptionprompt",
                                           "finegates",
                                           "trainable_tokens",
                                           "lorafa",
                                           "velora",
                                           "mica",
                                           "kasa"};
    static const char *const narrow[] = {"tuner adalora"};

    const char *rank = row_text(r, "lora_rank");

    if (names_any(r, others, sizeof others / sizeof *others))
        return 1;
    if (row_says(r, "method_comparison") &&
        (names_any(r, compared, sizeof compared / sizeof *compared) ||
         (rank[0] == '\0' && !row_says(r, "full"))))
        return 1;
    return rank[0] == '\0' && names_any(r, narrow, sizeof narrow / sizeof *narrow);
}

/* The job; "" when the row does not tell it. */
static const char *job_of(row r)
{
    const char *task = row_text(r, "task");

    if (word_among(task, "lora") || word_among(task, "qlora") || word_among(task, "peft") ||
        word_among(task, "adapter"))
        return is_quantized(r) ? "qlora" : "lora";
    if (word_is(task, "pretrain"))
        return "pretrain";
    if (word_is(task, "sft") || word_is(task, "finetune") || word_is(task, "full"))
        return "finetune";
    if (word_is(task, "preference") || word_is(task, "ppo"))
        return row_text(r, "lora_rank")[0] != '\0' ? "lora" : "finetune";
    return "";
}

static void set_method(question *q)
{
    static const struct {
        const char *word, *method;
        int64_t sequences; /* of an example */
    } methods[] = {{"dpo", "dpo", 2},       {"simpo", "pairs", 2}, {"orpo", "pairs", 2},
                   {"cpo", "pairs", 2},     {"kto", "kto", 1},     {"rm", "reward", 2},
                   {"reward", "reward", 2}, {"grpo", "grpo", 1},   {"gkd", "distill", 1},
                   {"ppo", "ppo", 1}};
    const char *notes = row_text(q->row, "notes"), *source = row_text(q->row, "source");
    int learns = row_has(q->row, "task", "preference") || word_among(notes, "rlhf") ||
                 word_find(source, "/rlhf/") != NULL;

    if (row_has(q->row, "task", "ppo"))
        phrase_add(&q->job, " method=ppo");
    for (size_t i = 0; i < sizeof methods / sizeof *methods && learns; i++)
        if (word_among(notes, methods[i].word) || word_among(source, methods[i].word)) {
            phrase_add(&q->job, " method=%s", methods[i].method);
            q->examples = methods[i].sequences;
            return;
        }
}

static int is_pure(row r)
{
    return row_has(r, "precision", "true") || row_has(r, "precision", "full") ||
           row_has(r, "notes", "pure bf16") || row_says(r, "method_comparison") ||
           (row_has(r, "framework", "llm-foundry") && row_has(r, "gpu", "A100"));
}

/* NVIDIA's recipes gather weights in fp8, and keep moments of the largest mixtures in bf16
 * (mixed_precision.py; perf_recipes/deepseek/common.py). */
static int is_nvidia(const question *q)
{
    return strcmp(q->framework->part, "Megatron-Bridge") == 0 ||
           strcmp(q->framework->part, "NeMo") == 0;
}

static void set_formats(question *q, int adapters)
{
    row r = q->row;
    int single = row_has(r, "precision", "fp32 weights") || row_has(r, "precision", "mixed");

    if (single)
        phrase_add(&q->job,
                   " weight_format=fp32 gradient_format=fp32 master_format=none "
                   "state_format=fp32%s",
                   adapters && !is_quantized(r) ? " frozen_format=fp32" : "");
    else if (is_pure(r))
        phrase_add(&q->job, " weight_format=bf16 gradient_format=bf16 master_format=none "
                            "state_format=bf16");
    else if (q->framework->formats[0] != '\0' && strcmp(q->stack, "deepspeed") != 0 &&
             (!adapters || row_has(r, "framework", "torchtune")))
        phrase_add(&q->job, "%s", q->framework->formats);
    if (row_has(r, "precision", "fp8") || row_has(r, "precision", "float8"))
        phrase_add(&q->job, " compute_format=fp8");
    else if (row_has(r, "precision", "fp4"))
        phrase_add(&q->job, " compute_format=fp4");
    else if (row_has(r, "precision", "fp16"))
        phrase_add(&q->job, " compute_format=fp16");
    if (row_has(r, "notes", "fp8-param-gather=true") ||
        (row_has(r, "precision", "fp8") && is_nvidia(q) && !adapters))
        phrase_add(&q->job, " weight_format=fp8");
    if (is_nvidia(q) && (row_has(r, "model", "DeepSeek-V3") || row_has(r, "model", "Kimi-K2")))
        phrase_add(&q->job, " state_format=bf16");
    if (row_text(r, "precision")[0] == '\0')
        question_fill(q, 1, "precision of the stack");
}

/* torchtune's full training on one device pages its optimizer (8B_full_single_device.yaml). */
static int is_single_device(const question *q)
{
    return strcmp(q->framework->part, "torchtune") == 0 && q->gpus == 1 &&
           row_has(q->row, "task", "sft") && !row_has(q->row, "notes", "cumulative");
}

static void set_optimizer(question *q)
{
    static const struct {
        const char *part, *optimizer;
    } optimizers[] = {
        {"paged", "paged_adam_8bit"},
        {"4bit", "adam_4bit"},
        {"4-bit", "adam_4bit"},
        {"8bit", "adam_8bit"},
        {"8-bit", "adam_8bit"},
        {"fp8", "adam_8bit"},
        {"muon", "muon"},
        {"lion", "lion"},
        {"adafactor", "adafactor"},
        {"sgd", "sgd"},
    };
    const char *text = row_text(q->row, "optimizer");

    if (text[0] == '\0' && word_find(row_text(q->row, "notes"), "optimizer=muon") != NULL)
        text = "muon";
    if (row_has(q->row, "notes", "SGD optimizer"))
        text = "sgd";
    for (size_t i = 0; i < sizeof optimizers / sizeof *optimizers; i++)
        if (word_find(text, optimizers[i].part) != NULL) {
            phrase_add(&q->job, " optimizer=%s", optimizers[i].optimizer);
            return;
        }
    if (row_ablation(q->row, "8-bit AdamW"))
        phrase_add(&q->job, " optimizer=adam_8bit");
    else if (text[0] == '\0' && is_single_device(q)) {
        phrase_add(&q->job, " optimizer=paged_adam_8bit");
        question_fill(q, 0, "optimizer=paged_adam_8bit of %s", q->framework->source);
    } else if (text[0] == '\0')
        question_fill(q, 0, "optimizer=adamw");
}

/* Quantized moments have a format of their own, whatever that of the weights. */
static void drop_state_format(phrase *job)
{
    static const char name[] = " state_format=";
    char *from = strstr(job->data, name), *to;

    if (from == NULL || (strstr(job->data, "_8bit") == NULL && strstr(job->data, "_4bit") == NULL))
        return;
    to = from + strlen(name);
    to += strcspn(to, " ");
    job->used -= (size_t)(to - from);
    memmove(from, to, strlen(to) + 1);
}

/* Configurations of litgpt's config_hub that adapt every matrix. */
static int is_all_linear(row r)
{
    static const char *const all[] = {"config gemma", "config phi", "config tiny-llama"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (row_has(r, "notes", all[i]))
            return 1;
    return 0;
}

/* Where the experts of a layer are one tensor, adapters stand on attention: gpt-oss in
 * transformers, and axolotl's examples of mixtures. */
static int has_whole_experts(const question *q)
{
    if (row_has(q->row, "model", "gpt-oss") && strcmp(q->stack, "megatron") != 0)
        return 1;
    return strcmp(q->framework->part, "axolotl") == 0 && question_mixture(q);
}

static void set_adapters(question *q)
{
    const framework *f = q->framework;
    int64_t rank = row_count(q->row, "lora_rank", 0);
    double noted;

    if (rank == 0 && (word_number_after(row_text(q->row, "notes"), "LoRA rank ", &noted) ||
                      word_number_after(row_text(q->row, "notes"), "LoRA dim ", &noted)))
        rank = (int64_t)noted;
    if (rank == 0) {
        rank = f->lora_rank;
        question_fill(q, 0, "lora_rank=%lld of %s", (long long)rank, f->source);
    }
    phrase_add(&q->job, " lora_rank=%lld", (long long)rank);
    if (row_has(q->row, "notes", "LoRA on q,v"))
        phrase_add(&q->job, " lora_targets=query_value lora_dropout=no");
    else if (row_has(q->row, "notes", "LoRA on all"))
        phrase_add(&q->job, " lora_targets=linear lora_dropout=no");
    else if (row_has(q->row, "notes", "qkv_proj and o_proj") ||
             row_has(q->row, "source", "mlcommons"))
        phrase_add(&q->job, " lora_targets=attention"); /* the rules of MLPerf's LoRA */
    else if (has_whole_experts(q))
        phrase_add(&q->job, " lora_targets=attention%s", f->lora);
    else if (strcmp(f->part, "litgpt") == 0 && is_all_linear(q->row))
        phrase_add(&q->job, " lora_targets=linear");
    else
        phrase_add(&q->job, "%s", f->lora);
    if (row_has(q->row, "precision", "8bit") || row_has(q->row, "precision", "int8"))
        phrase_add(&q->job, " frozen_format=int8");
    else if (is_nvidia(q) &&
             (row_has(q->row, "precision", "fp8") || row_has(q->row, "precision", "fp4")))
        phrase_add(&q->job, " frozen_format=fp8");
}

/* GPT-3 and what was built like it trains with dropout, Megatron-LM's default. */
static int drops(const question *q)
{
    const char *model = row_text(q->row, "model");

    return word_begins(model, "GPT") && !word_begins(model, "GPT-OSS") &&
           (strcmp(q->stack, "legacy") == 0 || strcmp(q->stack, "megatron") == 0) &&
           !is_megatron_case(q->row);
}

void question_job(question *q)
{
    const char *job = job_of(q->row);
    int adapters = strcmp(job, "lora") == 0 || strcmp(job, "qlora") == 0;

    if (job[0] == '\0') {
        phrase_add(&q->skip, "task not stated");
        return;
    }
    if (is_other_adapter(q->row)) {
        phrase_add(&q->skip, "adapter not modelled");
        return;
    }
    if (row_has(q->row, "precision", "int8 weights")) {
        phrase_add(&q->skip, "trained int8 weights are not modelled");
        return;
    }
    phrase_add(&q->job, " job=%s", job);
    if (drops(q))
        phrase_add(&q->job, " dropout=yes");
    if (!word_find(row_text(q->row, "notes"), "natural routing"))
        phrase_add(&q->job, " routing=balanced");
    set_method(q);
    set_formats(q, adapters);
    set_optimizer(q);
    drop_state_format(&q->job);
    if (adapters)
        set_adapters(q);
    if (row_has(q->row, "notes", "freeze_vit true"))
        phrase_add(&q->job, " frozen_extra=yes");
}
