#include "frameworks.h"

#include <string.h>

#define PURE " weight_format=bf16 gradient_format=bf16 master_format=none state_format=bf16"
#define MASTERS " weight_format=bf16 master_format=fp32 gradient_format="
#define QUERY_VALUE " lora_targets=query_value tied_embeddings=no"
#define NO_DROPOUT " lora_dropout=no"
#define FUSED " loss_kernel=fused"
#define CHUNKED " loss_kernel=chunked"

static const framework frameworks[] = {
    /* Megatron: argument parser of Megatron-LM; recipes of NeMo and of its bridge, which reduce
     * gradients in bf16 (perf_recipes/_common.py). */
    {"Megatron-Core CI", "megatron", "none", "none", "", "", 32, NO_DROPOUT,
     "Megatron-LM arguments.py"},
    {"Megatron-DeepSpeed", "legacy", "none", "none", "", "", 32, "", "Megatron-LM arguments.py"},
    {"Megatron-LM fork", "legacy", "none", "none", "", "", 32, "", "Megatron-LM arguments.py"},
    {"Megatron-SWIFT", "megatron", "selective", "optimizer", "", FUSED, 8, "",
     "Megatron-SWIFT parameters"},
    {"ms-swift Megatron", "megatron", "selective", "optimizer", "", FUSED, 8, "",
     "Megatron-SWIFT parameters"},
    {"ms-swift DeepSpeed", "deepspeed", "full", "none", "", "", 8, "", "ms-swift parameters"},
    {"Automodel", "fsdp-eager", "none", "parameters", PURE, "", 8, NO_DROPOUT,
     "NeMo Automodel recipes"},
    {"Megatron-Bridge", "megatron", "none", "optimizer", " gradient_format=bf16", FUSED, 32,
     NO_DROPOUT, "Megatron-Bridge recipes"},
    {"NeMo", "megatron", "none", "optimizer", " gradient_format=bf16", FUSED, 32, NO_DROPOUT,
     "NeMo recipes"},
    {"Primus", "megatron", "none", "optimizer", "", "", 32, "", "Megatron-LM arguments.py"},
    {"Megatron", "megatron", "none", "none", "", "", 32, "", "Megatron-LM arguments.py"},
    {"HAI-LLM", "megatron", "none", "optimizer", " weight_format=fp8 state_format=bf16", "", 8, "",
     "DeepSeek-V3, section 3.3"},
    {"MegaScale", "megatron", "none", "optimizer", "", "", 32, "", "MegaScale, section 3"},
    {"xtuner", "fsdp-eager", "full", "parameters", "", "", 64, "", "xtuner trainer"},
    /* PyTorch: weights of the recipes are bf16 from the start, but for torchtitan's. */
    {"torchtitan", "fsdp-compiled", "operations", "parameters", "", "", 8, "",
     "torchtitan job_config.py"},
    {"torchtune", "fsdp-eager", "full", "parameters", PURE, CHUNKED, 8, NO_DROPOUT,
     "torchtune recipes"},
    {"litgpt", "fsdp-eager", "none", "parameters", PURE, CHUNKED, 8, QUERY_VALUE,
     "litgpt finetune scripts"},
    {"lit-gpt", "fsdp-eager", "none", "parameters", "", FUSED, 8, QUERY_VALUE,
     "TinyLlama pretrain"},
    {"llm-foundry", "fsdp-eager", "none", "parameters", "", FUSED, 8, "", "MPTConfig, loss_fn"},
    {"nanotron", "nanotron", "none", "optimizer", "", "", 8, "", "nanotron config"},
    {"InternEvo", "fsdp-eager", "none", "optimizer", MASTERS "bf16", FUSED, 8, "",
     "InternEvo configs"},
    {"fms-fsdp", "fsdp-compiled", "none", "parameters", "", "", 8, "",
     "fms-fsdp config/training.py"},
    {"Meta internal", "fsdp-compiled", "none", "parameters", "", "", 8, "", "Llama 3, section 3.3"},
    /* Hugging Face and what stands on it. */
    {"ms-swift", "ddp", "full", "none", PURE, "", 8, "", "ms-swift parameters"},
    {"LLaMA-Factory", "ddp", "full", "none", "", "", 8, NO_DROPOUT,
     "LLaMA-Factory finetuning_args.py"},
    {"axolotl", "ddp", "none", "none", PURE, "", 8, NO_DROPOUT, "axolotl config reference"},
    {"Unsloth", "ddp", "full", "none", PURE, "", 16, NO_DROPOUT, "Unsloth notebooks"},
    {"timm", "ddp", "none", "none", "", "", 8, "", "timm train.py"},
    {"ColossalChat", "deepspeed", "none", "none", "", "", 8, NO_DROPOUT, "ColossalChat examples"},
    {"DeepSpeed", "deepspeed", "none", "none", "", "", 8, "", "DeepSpeed configuration"},
    {"FSDP", "fsdp-eager", "none", "parameters", "", "", 8, "", "accelerate FSDP configuration"},
    /* Compiled whole. */
    {"MaxText", "xla", "full", "parameters", "", "", 8, "", "MaxText base.yml"},
    {"Paxml", "xla", "full", "parameters", "", "", 8, "", "Paxml configs"},
    {"JAX", "xla", "full", "parameters", "", "", 8, "", "MaxText base.yml"},
    {"Levanter", "xla", "full", "parameters", "", "", 8, "", "Levanter trainer"},
    {"NeuronX", "xla", "none", "none", "", "", 8, "", "NeuronX Distributed configuration"},
    {"", "ddp", "none", "none", "", "", 8, NO_DROPOUT, "transformers TrainingArguments"},
};

/* Recipes of NVIDIA that recompute modules of one family. */
static const struct {
    const char *model, *modules;
} recipes[] = {
    {"DeepSeek-V3", "mla_up_proj"},
    {"Kimi-K2", "mla_up_proj"},
    {"GPT-OSS", "layernorm moe_act"},
};

/* Models for which the posts on fms-fsdp checkpoint every n-th block or all. */
static const char *const checkpointed[] = {"13B", "34B", "70B"};

const framework *framework_find(row r)
{
    size_t i = 0;

    while (!row_has(r, "framework", frameworks[i].part) && frameworks[i].part[0] != '\0')
        i++;
    return &frameworks[i];
}

const char *framework_recompute(const framework *f, row r, int64_t ranks)
{
    int nvidia = strcmp(f->part, "Megatron-Bridge") == 0 || strcmp(f->part, "NeMo") == 0;

    for (size_t i = 0; i < sizeof recipes / sizeof *recipes && nvidia; i++)
        if (row_has(r, "model", recipes[i].model))
            return recipes[i].modules;
    for (size_t i = 0; i < sizeof checkpointed / sizeof *checkpointed; i++)
        if (strcmp(f->part, "fms-fsdp") == 0 && row_has(r, "model", checkpointed[i]))
            return "full";
    /* Its FSDP strategy checkpoints every block (litgpt/finetune/lora.py). */
    if (strcmp(f->part, "litgpt") == 0 && ranks > 1)
        return "full";
    return f->recompute;
}

static int is_compiled(row r)
{
    return (row_says(r, "compile") || row_has(r, "framework", "compile")) &&
           !row_says(r, "no torch.compile") && !row_says(r, "no compile");
}

/* Eager PyTorch on one rank becomes something else with what shares its states. */
static const char *shared_stack(row r, int64_t sharding)
{
    if (row_has(r, "sharding_note", "FSDP") || row_has(r, "framework", "FSDP"))
        return "fsdp-eager";
    if (sharding > 0 || row_has(r, "framework", "DeepSpeed") || row_has(r, "sharding_note", "zero"))
        return "deepspeed";
    return "ddp";
}

const char *framework_stack(const framework *f, row r, int64_t ranks, int64_t sharding)
{
    int eager = row_has(r, "framework", "eager") || row_says(r, "no torch.compile");
    double year;

    /* Releases of NVIDIA's bridge that capture graphs of whole layers, but for hybrids. */
    if (strcmp(f->part, "Megatron-Bridge") == 0 && !row_has(r, "model", "Nemotron") &&
        (row_has(r, "framework", "26.06") || row_has(r, "framework", "26.08")))
        return "megatron-graph";
    if (strcmp(f->stack, "megatron") == 0 && row_number(r, "year", &year) && year < 2023)
        return sharding > 1 ? "deepspeed" : "legacy";
    if (strcmp(f->stack, "legacy") == 0 && sharding > 1)
        return "deepspeed";
    if (strcmp(f->stack, "fsdp-compiled") == 0 && eager)
        return "fsdp-eager";
    if (strcmp(f->stack, "fsdp-eager") == 0 && (is_compiled(r) || row_ablation(r, "compile")))
        return "fsdp-compiled";
    if (strcmp(f->stack, "fsdp-eager") == 0 && ranks == 1)
        return "ddp"; /* nothing to share */
    return strcmp(f->stack, "ddp") == 0 ? shared_stack(r, sharding) : f->stack;
}
