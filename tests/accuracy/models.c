#include "models.h"

#include <clustersize/clustersize.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "words.h"

#define BIASES " norm=layer qkv_bias=yes attention_bias=yes mlp_bias=yes"

/* Endings that change neither widths nor layers. */
static const char *const endings[] = {"-instruct", "-base",  "-chat", "-hf",   "-it",      "-fp8",
                                      "-awq",      "-gptq",  "-int4", "-bf16", "-fp16",    "-rl",
                                      "-sft",      "-think", "-dpo",  "-4k",   "-8k",      "-128k",
                                      "-2507",     "-2506",  "-2509", "-0528", "-thinking"};

/* Parts in the middle that name a use of the same model. */
static const char *const uses[] = {"-reranker", "-embedding"};

/* Other names of catalog models, and models whose widths are those of one. */
static const struct {
    const char *name, *id;
} others[] = {
    {"mistral-7b", "mistral-7b-v0.1"},
    {"mistral-7b-v0.2", "mistral-7b-v0.1"},
    {"zephyr-7b-beta", "mistral-7b-v0.1"},
    {"llama-7b", "llama-1-7b"},
    {"llama-13b", "llama-1-13b"},
    {"llama-30b", "llama-1-30b"},
    {"llama-33b", "llama-1-30b"},
    {"llama-65b", "llama-1-65b"},
    {"llama2-7b", "llama-2-7b"},
    {"llama2-13b", "llama-2-13b"},
    {"llama2-70b", "llama-2-70b"},
    {"llama3-8b", "llama-3-8b"},
    {"llama3-70b", "llama-3-70b"},
    {"vicuna-7b-v1.5", "llama-2-7b"},
    {"vicuna-13b-v1.5", "llama-2-13b"},
    {"codellama-7b", "llama-2-7b"},
    {"codellama-13b", "llama-2-13b"},
    {"granite-7b", "llama-2-7b"},
    {"bloom", "bloom-176b"},
    {"bloomz", "bloom-176b"},
    {"bloomz-7b1", "bloom-7b1"},
    {"bloomz-3b", "bloom-3b"},
    {"bloomz-1b7", "bloom-1b7"},
    {"bloomz-560m", "bloom-560m"},
    {"phi-1.5", "phi-1_5"},
    {"phi-3.5-mini", "phi-3-mini"},
    {"gpt2", "gpt2-small"},
    {"qwq-32b", "qwen2.5-32b"},
    {"qwq-32b-preview", "qwen2.5-32b"},
    {"qwen2.5-coder-7b", "qwen2.5-7b"},
    {"qwen2.5-coder-32b", "qwen2.5-32b"},
    {"qwen2.5-math-7b", "qwen2.5-7b"},
    {"deepseek-r1-qwen3-8b", "qwen3-8b"},
    {"deepseek-r1-0528-qwen3-8b", "qwen3-8b"},
    {"deepseek-r1-distill-qwen-1.5b", "qwen2.5-1.5b"},
    {"deepseek-r1-distill-qwen-7b", "qwen2.5-7b"},
    {"deepseek-r1-distill-qwen-14b", "qwen2.5-14b"},
    {"deepseek-r1-distill-qwen-32b", "qwen2.5-32b"},
    {"deepseek-r1-distill-llama-8b", "llama-3.1-8b"},
    {"deepseek-r1-distill-llama-70b", "llama-3.1-70b"},
    {"devstral-small", "mistral-small-24b-2501"},
    {"magistral-small", "mistral-small-24b-2501"},
    {"mistral-small", "mistral-small-24b-2501"},
    {"mistral-small-24b", "mistral-small-24b-2501"},
    {"olmo-3-7b", "olmo-2-7b"},
    {"mimo-7b", "mimo-7b"},
};

/* Models that the catalog lacks: the configurations that their authors publish. */
static const struct {
    const char *name, *fields;
} fields[] = {
    /* Hybrids, as their config.json describes them. */
    {"nemotron-3-nano-30b-a3b",
     "{\"model_type\":\"nemotron_h\",\"hidden_size\":2688,\"num_attention_heads\":32,"
     "\"num_key_value_heads\":2,\"head_dim\":128,\"mamba_num_heads\":64,\"mamba_head_dim\":64,"
     "\"n_groups\":8,\"ssm_state_size\":128,\"hybrid_override_pattern\":"
     "\"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME\",\"n_routed_experts\":128,"
     "\"num_experts_per_tok\":6,\"moe_intermediate_size\":1856,"
     "\"moe_shared_expert_intermediate_size\":3712,\"vocab_size\":131072}"},
    {"nemotron-3-super-120b-a12b",
     "{\"model_type\":\"nemotron_h\",\"hidden_size\":4096,\"num_attention_heads\":32,"
     "\"num_key_value_heads\":2,\"head_dim\":128,\"mamba_num_heads\":128,\"mamba_head_dim\":64,"
     "\"n_groups\":8,\"ssm_state_size\":128,\"hybrid_override_pattern\":"
     "\"MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEM*EMEMEMEME\","
     "\"n_routed_experts\":512,\"num_experts_per_tok\":22,\"moe_intermediate_size\":2688,"
     "\"moe_latent_size\":1024,\"moe_shared_expert_intermediate_size\":5376,"
     "\"vocab_size\":131072}"},
    {"stablelm-base-alpha-3b",
     "hidden=4096 layers=16 heads=32 ffn=16384 gated_mlp=no vocab=50688" BIASES},
    {"stablelm-base-alpha-7b",
     "hidden=6144 layers=16 heads=48 ffn=24576 gated_mlp=no vocab=50688" BIASES},
    {"tinyllama-1.1b", "hidden=2048 layers=22 heads=32 kv_heads=4 ffn=5632 vocab=32000"},
    {"tiny-llama-1.1b", "hidden=2048 layers=22 heads=32 kv_heads=4 ffn=5632 vocab=32000"},
    {"apertus-8b", "hidden=4096 layers=32 heads=32 kv_heads=8 ffn=21504 gated_mlp=no qk_norm=head "
                   "vocab=131072"},
    {"seed-oss-36b", "hidden=5120 layers=64 heads=80 kv_heads=8 head_dim=128 ffn=27648 "
                     "qkv_bias=yes vocab=155136"},
    {"hunyuan-0.5b", "hidden=1024 layers=24 heads=16 kv_heads=8 head_dim=128 ffn=3584 qk_norm=head "
                     "tied_embeddings=yes vocab=120818"},
    {"qwen-1.8b", "hidden=2048 layers=24 heads=16 ffn=5504 qkv_bias=yes vocab=151936"},
    {"qwen-14b", "hidden=5120 layers=40 heads=40 ffn=13696 qkv_bias=yes vocab=152064"},
};

static int is_separator(char c)
{
    return c == '-' || c == '_' || c == ' ' || c == '.';
}

/* Letters and digits in order, whatever stands between. */
static int same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (is_separator(*a))
            a++;
        while (is_separator(*b))
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return 0;
        if (*a == '\0')
            return 1;
    }
}

static void cut_endings(char *plain)
{
    int cut = 1;

    while (cut) {
        size_t length = strlen(plain);
        cut = 0;
        for (size_t i = 0; i < sizeof endings / sizeof *endings && !cut; i++) {
            size_t ending = strlen(endings[i]);
            if (length > ending && word_is(plain + length - ending, endings[i])) {
                plain[length - ending] = '\0';
                cut = 1;
            }
        }
    }
}

void model_plain(const char *name, char *plain, size_t capacity, double *layers)
{
    const char *slash = strrchr(name, '/');
    char *at;

    *layers = 0;
    (void)word_number_after(name, "truncated to ", layers);
    snprintf(plain, capacity, "%s", slash != NULL ? slash + 1 : name);
    at = strpbrk(plain, " (");
    if (at != NULL)
        *at = '\0';
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        size_t length = strlen(uses[i]);
        const char *use = word_find(plain, uses[i]);
        if (use != NULL)
            memmove(plain + (use - plain), use + length, strlen(use + length) + 1);
    }
    if (word_begins(plain, "meta-"))
        memmove(plain, plain + 5, strlen(plain + 5) + 1);
    cut_endings(plain);
}

const char *model_id(const char *plain)
{
    size_t count = csz_catalog_count(NULL, CSZ_KIND_MODEL);

    for (size_t i = 0; i < count; i++)
        if (same_name(plain, csz_catalog_id_at(NULL, CSZ_KIND_MODEL, i)))
            return csz_catalog_id_at(NULL, CSZ_KIND_MODEL, i);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (same_name(plain, others[i].name))
            return others[i].id;
    return NULL;
}

const char *model_fields(const char *plain)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (same_name(plain, fields[i].name))
            return fields[i].fields;
    return NULL;
}

const char *model_vague(const char *name)
{
    static const char *const marks[] = {"generic", "not stated", "see notes", "(tutorial)"};

    if (name[0] == '\0')
        return "no model";
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (word_find(name, marks[i]) != NULL)
            return "no one model";
    return NULL;
}
