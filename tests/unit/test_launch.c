/* test_launch.c: what launches are written in gives the published models and the plans: Mistral's
 * params.json, arguments of Megatron-LM, configurations of DeepSpeed. Errors name the option or key
 * with line and column. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clustersize/clustersize.h>

#define CAPACITY (1u << 16)

static csz_workload *workload;
static csz_plan *plan;
static char buffer[CAPACITY];

static void setup(void)
{
    workload = csz_workload_new(NULL);
    plan = csz_plan_new(NULL);
}

static void teardown(void)
{
    csz_workload_free(workload);
    csz_plan_free(plan);
}

/* A block of its exact size, so that a sanitizer sees a read beyond it. */
static csz_status load(int into_plan, csz_source source, const char *text, size_t length)
{
    char *exact = malloc(length > 0 ? length : 1);
    csz_status status;
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, text, length);
    status = into_plan ? csz_plan_load(plan, source, exact, length)
                       : csz_workload_load(workload, NULL, source, exact, length);
    free(exact);
    return status;
}

static void reads_workload(csz_source source, const char *text)
{
    ck_assert_msg(load(0, source, text, strlen(text)) == CSZ_OK, "%s",
                  csz_workload_error(workload, NULL));
}

static void reads_plan(csz_source source, const char *text)
{
    ck_assert_msg(load(1, source, text, strlen(text)) == CSZ_OK, "%s", csz_plan_error(plan, NULL));
}

static void reads(csz_source source, const char *text)
{
    reads_workload(source, text);
    reads_plan(source, text);
}

/* ' stands for ". */
static const char *quoted(const char *text)
{
    size_t length = strlen(text);
    ck_assert_uint_lt(length, CAPACITY);
    for (size_t i = 0; i <= length; i++)
        buffer[i] = (char)(text[i] == '\'' ? '"' : text[i]);
    return buffer;
}

static double parameters(csz_field field)
{
    csz_estimate *estimate = csz_estimate_new(NULL);
    double count = 0;
    ck_assert_msg(csz_estimate_compute(estimate, workload, NULL, NULL, CSZ_DEPTH_MODEL) == CSZ_OK,
                  "%s", csz_estimate_error(estimate, NULL));
    ck_assert_int_eq(csz_estimate_get_f64(estimate, field, &count), CSZ_OK);
    csz_estimate_free(estimate);
    return count;
}

static void counts(double expected)
{
    double count = parameters(CSZ_ESTIMATE_PARAMETERS_TOTAL);
    ck_assert_msg(!(count < expected) && !(count > expected), "%.0f parameters, not %.0f", count,
                  expected);
}

/* A field as text; "" when it is not set. */
static void says(csz_field field, const char *expected)
{
    char text[64] = "";
    if (field >= CSZ_PLAN_TENSOR_PARALLEL && csz_plan_is_set(plan, field))
        csz_plan_get_text(plan, field, text, sizeof text);
    else if (csz_workload_is_set(workload, field))
        csz_workload_get_text(workload, field, text, sizeof text);
    ck_assert_msg(strcmp(text, expected) == 0, "%s is '%s', not '%s'", csz_field_name(field), text,
                  expected);
}

static void says_at(csz_field field, size_t index, double expected)
{
    double value = -1;
    ck_assert_int_eq(csz_workload_get_f64_at(workload, field, index, &value), CSZ_OK);
    ck_assert_msg(!(value < expected) && !(value > expected), "%s[%zu] is %g, not %g",
                  csz_field_name(field), index, value, expected);
}

static void fails(int into_plan, csz_source source, const char *text, csz_status expected,
                  const char *message)
{
    char before[512], after[512];
    csz_status status;
    const char *said;
    (void)csz_plan_to_json(plan, before, sizeof before);
    status = load(into_plan, source, text, strlen(text));
    said = into_plan ? csz_plan_error(plan, NULL) : csz_workload_error(workload, NULL);
    (void)csz_plan_to_json(plan, after, sizeof after);
    ck_assert_msg(status == expected, "status %d, not %d: %s\n%s", (int)status, (int)expected, said,
                  text);
    ck_assert_msg(strstr(said, message) != NULL, "'%s' lacks '%s'", said, message);
    ck_assert_str_eq(before, after);
}

/* ---- Mistral ---- */

#define MISTRAL_7B                                                                                 \
    "{'dim': 4096, 'n_layers': 32, 'head_dim': 128, 'hidden_dim': 14336, 'n_heads': 32, "          \
    "'n_kv_heads': 8,"                                                                             \
    " 'norm_eps': 1e-05, 'sliding_window': 4096, 'vocab_size': 32000}"

/* Counts of the published weights: the safetensors totals of the hub. */
START_TEST(test_mistral_counts)
{
    reads_workload(CSZ_SOURCE_MISTRAL, quoted(MISTRAL_7B));
    counts(7241732096.0);
    says(CSZ_WORKLOAD_SLIDING_WINDOW, "4096");
    reads_workload(
        CSZ_SOURCE_MISTRAL,
        quoted("{'dim': 4096, 'n_layers': 32, 'head_dim': 128, 'hidden_dim': 14336, 'n_heads': 32,"
               " 'n_kv_heads': 8, 'norm_eps': 1e-05, 'vocab_size': 32000,"
               " 'moe': {'num_experts_per_tok': 2, 'num_experts': 8}}"));
    counts(46702792704.0);
    says(CSZ_WORKLOAD_SLIDING_WINDOW, "");
    says(CSZ_WORKLOAD_EXPERTS, "8");
}
END_TEST

START_TEST(test_mistral_patterns)
{
    reads_workload(
        CSZ_SOURCE_MISTRAL,
        quoted("{'dim': 64, 'n_layers': 8, 'hidden_dim': 128, 'n_heads': 4, 'vocab_size': 100,"
               " 'tied_embeddings': true, 'sliding_window': [null, 16, 16, 16]}"));
    says(CSZ_WORKLOAD_TIED_EMBEDDINGS, "yes");
    ck_assert_uint_eq(csz_workload_count(workload, CSZ_WORKLOAD_LAYERS), 4);
    says_at(CSZ_WORKLOAD_LAYERS, 1, 3);
    says_at(CSZ_WORKLOAD_SLIDING_WINDOW, 1, 16);
    /* latent attention, experts after dense layers */
    reads_workload(
        CSZ_SOURCE_MISTRAL,
        quoted("{'dim': 64, 'n_layers': 8, 'hidden_dim': 128, 'n_heads': 4, 'vocab_size': 100,"
               " 'q_lora_rank': 8, 'kv_lora_rank': 8, 'qk_nope_head_dim': 8, 'qk_rope_head_dim': 4,"
               " 'v_head_dim': 8, 'moe': {'num_experts': 4, 'num_experts_per_tok': 1,"
               " 'expert_hidden_dim': 32, 'num_shared_experts': 2, 'first_k_dense_replace': 3}}"));
    says(CSZ_WORKLOAD_ATTENTION, "latent");
    says_at(CSZ_WORKLOAD_LAYERS, 0, 3);
    says_at(CSZ_WORKLOAD_LAYERS, 1, 5);
    says_at(CSZ_WORKLOAD_SHARED_FFN, 1, 64);
}
END_TEST

START_TEST(test_mistral_errors)
{
    static const struct {
        const char *text;
        csz_status status;
        const char *message;
    } cases[] = {
        {"[]", CSZ_ERR_TYPE, "must be an object, not an array at line 1, column 1"},
        {"{'dim': 64,\n 'n_layers': 8.5}", CSZ_ERR_MISSING, "vocab_size: is missing"},
        {"{'dim': 'wide'}", CSZ_ERR_TYPE, "line 1, column 9"},
        {"{'dim': 64, 'vocab_size': 0}", CSZ_ERR_RANGE, "0 is less than 1 at line 1, column 27"},
        {"{'model_type': 'mamba'}", CSZ_ERR_UNKNOWN, "known: transformer at line 1, column 16"},
        {"{'dim': 64, 'vocab_size': 9, 'n_layers': 4000, 'n_heads': 4, 'hidden_dim': 8}",
         CSZ_ERR_LIMIT, "at most 1024"},
        {"{'dim': 64, 'vocab_size': 9, 'n_layers': 4, 'n_heads': 4, 'hidden_dim': 8, 'moe': 3}",
         CSZ_ERR_TYPE, "must be an object"},
        {"{'dim': 64, 'vocab_size': 9, 'n_layers': 4, 'n_heads': 4, 'hidden_dim': 8, 'moe': "
         "{'num_experts': 3}}",
         CSZ_ERR_MISSING, "num_experts_per_tok"},
        {"{'dim': 64, 'vocab_size': 9, 'n_layers': 4, 'n_heads': 4, 'hidden_dim': 8, 'use_biases': "
         "true}",
         CSZ_ERR_UNKNOWN, "$.use_biases"},
        {"{'dim': 64, 'vocab_size': 9, 'n_layers': 4, 'n_heads': 4, 'hidden_dim': 8, "
         "'sliding_window': [1, 2]}",
         CSZ_ERR_UNKNOWN, "two sizes"},
        {"{'dim': 64, 'vocab_size': 9, 'n_layers': 4, 'n_heads': 4, 'hidden_dim': 8, "
         "'sliding_window': [1, 1, 1]}",
         CSZ_ERR_CONFLICT, "3 windows do not divide 4 layers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fails(0, CSZ_SOURCE_MISTRAL, quoted(cases[i].text), cases[i].status, cases[i].message);
    fails(1, CSZ_SOURCE_MISTRAL, "{}", CSZ_ERR_ARGUMENT, "a plan cannot be read from it");
}
END_TEST

/* ---- Megatron-LM ---- */

/* examples/gpt3/train_gpt3_175b_distributed.sh of Megatron-LM, variables replaced. */
#define GPT3                                                                                       \
    "torchrun --nproc_per_node 8 --nnodes 128 pretrain_gpt.py \\\n"                                \
    "    --num-layers 96 --hidden-size 12288 \\\n"                                                 \
    "    --num-attention-heads 96 --seq-length 2048 --max-position-embeddings 2048 "               \
    "--attention-backend auto \\\n"                                                                \
    "    --micro-batch-size 1 --global-batch-size 1536 --train-samples 146484375 --fp16 --lr "     \
    "6.0e-5 \\\n"                                                                                  \
    "    --tensor-model-parallel-size 8 --pipeline-model-parallel-size 16 --vocab-size 50257\n"

START_TEST(test_gpt3)
{
    reads(CSZ_SOURCE_MEGATRON, GPT3);
    /* 12 L h^2 + 13 L h, (V + s) h with V = 50257 padded to a multiple of 128 x 8, 2 h of the last
     * norm: 174.6 billion (Narayanan et al. 2021, table 1) */
    says(CSZ_WORKLOAD_VOCAB, "51200");
    counts(12.0 * 96 * 12288 * 12288 + 13.0 * 96 * 12288 + (51200.0 + 2048) * 12288 + 2 * 12288);
    says(CSZ_WORKLOAD_FFN, "49152");
    says(CSZ_WORKLOAD_GATED_MLP, "no");
    says(CSZ_WORKLOAD_NORM, "layer");
    says(CSZ_WORKLOAD_TIED_EMBEDDINGS, "yes");
    says(CSZ_WORKLOAD_LEARNED_POSITIONS, "2048");
    says(CSZ_WORKLOAD_DROPOUT, "yes");
    says(CSZ_WORKLOAD_OPTIMIZER, "adamw");
    says(CSZ_WORKLOAD_COMPUTE_FORMAT, "fp16");
    says(CSZ_WORKLOAD_GRADIENT_FORMAT, "fp16");
    says(CSZ_WORKLOAD_MASTER_FORMAT, "fp32");
    says(CSZ_WORKLOAD_TOKENS, "300000000000");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "1536");
    says(CSZ_PLAN_TENSOR_PARALLEL, "8");
    says(CSZ_PLAN_PIPELINE_PARALLEL, "16");
    says(CSZ_PLAN_CONTEXT_PARALLEL, "1");
    says(CSZ_PLAN_SEQUENCE_PARALLEL, "no");
    says(CSZ_PLAN_SHARDING, "none");
    says(CSZ_PLAN_RECOMPUTE, "none");
    says(CSZ_PLAN_MICRO_BATCH, "1");
    says(CSZ_PLAN_STACK, "megatron");
    says(CSZ_PLAN_ATTENTION_KERNEL, "");
    says(CSZ_PLAN_DATA_PARALLEL, "");
    /* without padding: the count of OpenAI's vocabulary */
    reads_workload(CSZ_SOURCE_MEGATRON, GPT3 " --padded-vocab-size 50257");
    counts(174604259328.0);
}
END_TEST

#define LLAMA_8B                                                                                   \
    "--num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 "         \
    "--group-query-attention\n"                                                                    \
    "--num-query-groups 8 --kv-channels 128 --seq-length 8192 --max-position-embeddings 8192\n"    \
    "--position-embedding-type rope --rotary-base 1000000 --attention-dropout 0.0 "                \
    "--hidden-dropout 0.0 --swiglu\n"                                                              \
    "--normalization RMSNorm --init-method-std 0.0134 --attention-backend fused "                  \
    "--apply-layernorm-1p\n"                                                                       \
    "--untie-embeddings-and-output-weights --disable-bias-linear --vocab-size 128256\n"            \
    "--micro-batch-size 1 --global-batch-size=128 --train-samples 1953125000 '--bf16' "            \
    "--grad-reduce-in-bf16\n"                                                                      \
    "--fp8-format hybrid --fp8-param-gather --use-distributed-optimizer --sequence-parallel\n"

START_TEST(test_llama)
{
    reads(CSZ_SOURCE_MEGATRON, LLAMA_8B "--tensor-model-parallel-size 2 --context-parallel-size 2");
    counts(8030261248.0);
    says(CSZ_WORKLOAD_KV_HEADS, "8");
    says(CSZ_WORKLOAD_LEARNED_POSITIONS, "0");
    says(CSZ_WORKLOAD_DROPOUT, "no");
    says(CSZ_WORKLOAD_QKV_BIAS, "no");
    says(CSZ_WORKLOAD_COMPUTE_FORMAT, "fp8");
    says(CSZ_WORKLOAD_WEIGHT_FORMAT, "fp8");
    says(CSZ_WORKLOAD_ACTIVATION_FORMAT, "bf16");
    says(CSZ_WORKLOAD_GRADIENT_FORMAT, "bf16");
    says(CSZ_PLAN_TENSOR_PARALLEL, "2");
    says(CSZ_PLAN_CONTEXT_PARALLEL, "2");
    says(CSZ_PLAN_SEQUENCE_PARALLEL, "yes");
    says(CSZ_PLAN_SHARDING, "optimizer");
    says(CSZ_PLAN_ATTENTION_KERNEL, "flash");
}
END_TEST

/* NVIDIA/Megatron-LM issue 597, "how to accurately calculate memory usage": 8 GPUs. The flags of
 * its fork, and one of its lines, where a backslash joins two words, written as Megatron-LM has
 * them. */
#define ISSUE_597                                                                                  \
    "--tensor-model-parallel-size 1 --pipeline-model-parallel-size 1 --micro-batch-size 2 "        \
    "--global-batch-size 128 \\\n"                                                                 \
    "--finetune --sequence-parallel --num-layers 32 --hidden-size 4096 --num-attention-heads 32 "  \
    "\\\n"                                                                                         \
    "--seq-length 4096 --max-position-embeddings 4096 --no-position-embedding "                    \
    "--use-rotary-position-embeddings \\\n"                                                        \
    "--swiglu --ffn-hidden-size 11008 --disable-bias-linear --RMSNorm --layernorm-epsilon 1e-6 "   \
    "--causal-lm \\\n"                                                                             \
    "--distributed-optimizer --use-flash-attn --bf16 --vocab-size 32000 --hidden-dropout 0\n"

START_TEST(test_issue_597)
{
    csz_cluster *cluster = csz_cluster_new(NULL);
    csz_estimate *estimate = csz_estimate_new(NULL);
    double part = 0, master = 0, count;
    reads(CSZ_SOURCE_MEGATRON, ISSUE_597);
    /* a Llama-2-7B whose output layer is tied: 6738415616 - 32000 x 4096 */
    counts(6738415616.0 - 32000.0 * 4096);
    says(CSZ_WORKLOAD_FFN, "11008");
    says(CSZ_PLAN_SHARDING, "optimizer");
    says(CSZ_PLAN_MICRO_BATCH, "2");
    says(CSZ_PLAN_SEQUENCE_PARALLEL, "no"); /* a single tensor rank */
    says(CSZ_PLAN_ATTENTION_KERNEL, "flash");
    ck_assert_int_eq(csz_cluster_set(cluster, NULL, "accelerator=a100-sxm-80gb accelerators=8"),
                     CSZ_OK);
    ck_assert_msg(csz_estimate_compute(estimate, workload, cluster, plan, CSZ_DEPTH_FIT) == CSZ_OK,
                  "%s", csz_estimate_error(estimate, NULL));
    /* 2 bytes of weights, 4 of gradients, 12 / 8 of optimizer a parameter (dist_optimizer.md) */
    count = parameters(CSZ_ESTIMATE_PARAMETERS_TOTAL);
    ck_assert_int_eq(csz_estimate_get_f64(estimate, CSZ_ESTIMATE_MEMORY_WEIGHTS, &part), CSZ_OK);
    ck_assert(!(part < 2 * count) && !(part > 2 * count));
    ck_assert_int_eq(csz_estimate_get_f64(estimate, CSZ_ESTIMATE_MEMORY_GRADIENTS, &part), CSZ_OK);
    ck_assert(!(part < 4 * count) && !(part > 4 * count));
    ck_assert_int_eq(csz_estimate_get_f64(estimate, CSZ_ESTIMATE_MEMORY_OPTIMIZER, &part), CSZ_OK);
    ck_assert_int_eq(csz_estimate_get_f64(estimate, CSZ_ESTIMATE_MEMORY_MASTER, &master), CSZ_OK);
    ck_assert(!(part + master < 1.499 * count) && !(part + master > 1.501 * count));
    csz_estimate_free(estimate);
    csz_cluster_free(cluster);
    /* its own line: a shell makes one word of it */
    fails(0, CSZ_SOURCE_MEGATRON, "--ffn-hidden-size 11008\\\n--disable-bias-linear \\\n",
          CSZ_ERR_TYPE,
          "--ffn-hidden-size: '11008\\?--disable-bias-linear' is no whole number at line 1, column "
          "19");
}
END_TEST

/* examples/megatron_fsdp/sbatch_mfsdp_deepseek_v3.sh of Megatron-LM, without its recomputation. */
#define DEEPSEEK                                                                                   \
    "--num-layers 61 --hidden-size 7168 --ffn-hidden-size 18432 --num-attention-heads 128 "        \
    "--kv-channels 128\n"                                                                          \
    "--max-position-embeddings 4096 --seq-length 4096 --position-embedding-type rope "             \
    "--normalization RMSNorm\n"                                                                    \
    "--swiglu --untie-embeddings-and-output-weights --disable-bias-linear "                        \
    "--multi-latent-attention --qk-layernorm\n"                                                    \
    "--attention-dropout 0.0 --hidden-dropout 0.0 --num-experts 256 --moe-ffn-hidden-size 2048\n"  \
    "--moe-shared-expert-intermediate-size 2048 --moe-router-load-balancing-type seq_aux_loss "    \
    "--moe-router-topk 8\n"                                                                        \
    "--moe-router-group-topk 4 --moe-router-num-groups 8 --moe-router-enable-expert-bias "         \
    "--moe-grouped-gemm\n"                                                                         \
    "--q-lora-rank 1536 --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 "            \
    "--v-head-dim 128\n"                                                                           \
    "--make-vocab-size-divisible-by 3232 --vocab-size 129280 --bf16 --micro-batch-size 1 "         \
    "--global-batch-size 2048\n"                                                                   \
    "--train-iters 1000 --tensor-model-parallel-size 2 --expert-model-parallel-size 64 "           \
    "--sequence-parallel\n"

START_TEST(test_deepseek)
{
    reads(CSZ_SOURCE_MEGATRON,
          DEEPSEEK "--expert-tensor-parallel-size 1 --moe-layer-freq [0]*3+[1]*58\n"
                   "--pipeline-model-parallel-size 16 --num-virtual-stages-per-pipeline-rank 2\n"
                   "--decoder-first-pipeline-num-layers 2 --decoder-last-pipeline-num-layers 3\n"
                   "--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads");
    counts(671026419200.0); /* without the prediction layer, as published */
    says(CSZ_WORKLOAD_ROUTER_GROUPS, "");
    says_at(CSZ_WORKLOAD_LAYERS, 0, 3);
    says_at(CSZ_WORKLOAD_LAYERS, 1, 58);
    says_at(CSZ_WORKLOAD_ROUTER_GROUPS, 1, 8);
    says(CSZ_WORKLOAD_TOKENS, "8388608000");
    says(CSZ_PLAN_EXPERT_PARALLEL, "64");
    says(CSZ_PLAN_EXPERT_TENSOR_PARALLEL, "1");
    says(CSZ_PLAN_VIRTUAL_PIPELINE, "2");
    says(CSZ_PLAN_FIRST_STAGE_LAYERS, "2");
    says(CSZ_PLAN_LAST_STAGE_LAYERS, "3");
    says(CSZ_PLAN_SHARDING, "gradients");
    /* as many ways of writing the pattern; experts are split as the rest unless said otherwise */
    reads(CSZ_SOURCE_MEGATRON,
          DEEPSEEK "--moe-layer-freq '([0]*3 + [1]*58)' --mtp-num-layers 1 --use-torch-fsdp2");
    counts(671026419200.0 + 11507286272.0 + 2.0 * 7168 * 7168 + 3.0 * 7168);
    says(CSZ_PLAN_EXPERT_TENSOR_PARALLEL, "2");
    says(CSZ_PLAN_SHARDING, "parameters");
    reads_workload(CSZ_SOURCE_MEGATRON, DEEPSEEK "--moe-layer-freq \"([0,0,0]+([1]*29)*2)\"");
    counts(671026419200.0);
    reads_workload(CSZ_SOURCE_MEGATRON, DEEPSEEK "--moe-layer-freq 2");
    says_at(CSZ_WORKLOAD_EXPERTS, 0, 256);
    says_at(CSZ_WORKLOAD_EXPERTS, 1, 0);
    ck_assert_uint_eq(csz_workload_count(workload, CSZ_WORKLOAD_LAYERS), 61);
}
END_TEST

/* The least whole list, so that defaults and options show. */
#define SMALL                                                                                      \
    "--num-layers 8 --hidden-size 64 --num-attention-heads 4 --max-position-embeddings 32 "

START_TEST(test_defaults)
{
    reads(CSZ_SOURCE_MEGATRON, SMALL "--swiglu --group-query-attention");
    says(CSZ_WORKLOAD_FFN, "128"); /* 4 x 64 x 2 / 3, rounded down to a multiple of 64 */
    says(CSZ_WORKLOAD_KV_HEADS, "1");
    says(CSZ_WORKLOAD_MLP_BIAS, "yes");
    says(CSZ_WORKLOAD_QKV_BIAS, "yes");
    says(CSZ_WORKLOAD_ATTENTION_BIAS, "yes");
    says(CSZ_WORKLOAD_LEARNED_POSITIONS, "32");
    says(CSZ_WORKLOAD_VOCAB, "");
    says(CSZ_WORKLOAD_COMPUTE_FORMAT, "fp32"); /* neither bf16 nor fp16 */
    says(CSZ_WORKLOAD_WEIGHT_FORMAT, "fp32");
    says(CSZ_WORKLOAD_MASTER_FORMAT, "none");
    says(CSZ_WORKLOAD_TOKENS, "");
    says(CSZ_PLAN_EXPERT_PARALLEL, "1");
    reads(CSZ_SOURCE_MEGATRON,
          SMALL "--num-experts 4 --bf16 --train-iters 10 --seq-length 32 --global-batch-size 2 "
                "--step-batch-size-schedule '0:1 1B:2' --tensor-model-parallel-size 2 "
                "--expert-model-parallel-size 2");
    says(CSZ_WORKLOAD_EXPERTS_PER_TOKEN, "2");
    says(CSZ_WORKLOAD_EXPERT_FFN, "256");
    says(CSZ_WORKLOAD_GRADIENT_FORMAT, "fp32");
    says(CSZ_WORKLOAD_TOKENS, ""); /* the batch grows */
    says(CSZ_PLAN_EXPERT_TENSOR_PARALLEL, "2");
    /* The vocabulary is the tokenizer's: it stays where the text has none. */
    ck_assert_int_eq(csz_workload_set(workload, NULL, "model=llama-3-8b vocab=1000"), CSZ_OK);
    reads_workload(CSZ_SOURCE_MEGATRON, SMALL);
    says(CSZ_WORKLOAD_MODEL, "");
    says(CSZ_WORKLOAD_VOCAB, "1000");
    says(CSZ_WORKLOAD_LAYERS, "8");
}
END_TEST

/* A list without num-layers sets what it says alone. */
START_TEST(test_part)
{
    ck_assert_int_eq(csz_workload_set(workload, NULL, "model=llama-3-8b global_batch_tokens=1M"),
                     CSZ_OK);
    ck_assert_int_eq(csz_plan_set(plan, "pp=4 recompute=full"), CSZ_OK);
    reads(CSZ_SOURCE_MEGATRON,
          "--seq-length 4096 --global-batch-size 64 --bf16 --tensor-model-parallel-size 4 "
          "--micro-batch-size 2 --ffn-hidden-size 8192");
    says(CSZ_WORKLOAD_MODEL, "llama-3-8b");
    says(CSZ_WORKLOAD_LAYERS, "32");
    says(CSZ_WORKLOAD_FFN, "8192");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "64");
    says(CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS, "");
    says(CSZ_PLAN_TENSOR_PARALLEL, "4");
    says(CSZ_PLAN_PIPELINE_PARALLEL, "4");
    says(CSZ_PLAN_RECOMPUTE, "full");
    reads(CSZ_SOURCE_MEGATRON, "");
    reads(CSZ_SOURCE_MEGATRON, "# nothing\n");
    says(CSZ_PLAN_TENSOR_PARALLEL, "4");
}
END_TEST

/* One option after the least list, and what it gives. */
START_TEST(test_options)
{
    static const struct {
        const char *text;
        csz_field field;
        const char *value;
    } cases[] = {
        {"--encoder-seq-length 16", CSZ_WORKLOAD_SEQUENCE_LENGTH, "16"},
        {"--normalization RMSNorm", CSZ_WORKLOAD_NORM, "rms"},
        {"--disable-bias-linear --add-qkv-bias", CSZ_WORKLOAD_QKV_BIAS, "yes"},
        {"--disable-bias-linear --add-qkv-bias", CSZ_WORKLOAD_ATTENTION_BIAS, "no"},
        {"--qk-layernorm", CSZ_WORKLOAD_QK_NORM, "head"},
        {"--kv-channels 32", CSZ_WORKLOAD_HEAD_DIM, "32"},
        {"--num-query-groups 2", CSZ_WORKLOAD_KV_HEADS, ""}, /* without --group-query-attention */
        {"--quick-geglu", CSZ_WORKLOAD_GATED_MLP, "yes"},
        {"--softmax-type learnable", CSZ_WORKLOAD_ATTENTION_SINKS, "yes"},
        {"--attention-output-gate", CSZ_WORKLOAD_QUERY_GATE, "yes"},
        {"--window-size 15,0", CSZ_WORKLOAD_SLIDING_WINDOW, "16"},
        {"--window-size '(15, 0)'", CSZ_WORKLOAD_SLIDING_WINDOW, "16"},
        {"--window-size -1,0", CSZ_WORKLOAD_SLIDING_WINDOW, ""},
        {"--position-embedding-type none", CSZ_WORKLOAD_LEARNED_POSITIONS, "0"},
        {"--vocab-size 1000", CSZ_WORKLOAD_VOCAB, "1024"},
        {"--vocab-size 1000 --make-vocab-size-divisible-by 1", CSZ_WORKLOAD_VOCAB, "1000"},
        {"--vocab-size 1000 --tensor-model-parallel-size 3", CSZ_WORKLOAD_VOCAB, "1152"},
        {"--hidden-dropout 1e-1", CSZ_WORKLOAD_DROPOUT, "yes"},
        {"--hidden-dropout .0", CSZ_WORKLOAD_DROPOUT, "no"},
        {"--mtp-num-layers 2", CSZ_WORKLOAD_PREDICTION_LAYERS, "2"},
        {"--multi-latent-attention", CSZ_WORKLOAD_KV_RANK, "32"},
        {"--multi-latent-attention", CSZ_WORKLOAD_NOPE_DIM, "128"},
        {"--num-experts 4 --moe-shared-expert-intermediate-size 32 --moe-shared-expert-gate",
         CSZ_WORKLOAD_SHARED_GATE, "yes"},
        {"--sft", CSZ_WORKLOAD_JOB, "finetune"},
        {"--optimizer sgd", CSZ_WORKLOAD_OPTIMIZER, "momentum"},
        {"--optimizer sgd --sgd-momentum 0", CSZ_WORKLOAD_OPTIMIZER, "sgd"},
        {"--optimizer lion", CSZ_WORKLOAD_OPTIMIZER, "lion"},
        {"--optimizer dist_muon", CSZ_WORKLOAD_OPTIMIZER, "muon"},
        {"--optimizer dist_muon", CSZ_PLAN_SHARDING, "optimizer"},
        {"--fp16 --accumulate-allreduce-grads-in-fp32", CSZ_WORKLOAD_GRADIENT_FORMAT, "fp32"},
        {"--bf16 --fp4-format e2m1", CSZ_WORKLOAD_COMPUTE_FORMAT, "fp4"},
        {"--bf16 --main-grads-dtype bf16", CSZ_WORKLOAD_GRADIENT_FORMAT,
         "fp32"}, /* needs the switch */
        {"--bf16 --use-precision-aware-optimizer --main-grads-dtype bf16",
         CSZ_WORKLOAD_GRADIENT_FORMAT, "bf16"},
        {"--bf16 --use-precision-aware-optimizer --main-params-dtype fp16",
         CSZ_WORKLOAD_MASTER_FORMAT, "fp16"},
        {"--bf16 --use-precision-aware-optimizer --exp-avg-dtype fp8 --exp-avg-sq-dtype fp8",
         CSZ_WORKLOAD_STATE_FORMAT, "fp8"},
        {"--bf16 --use-megatron-fsdp --megatron-fsdp-main-grads-dtype bf16",
         CSZ_WORKLOAD_GRADIENT_FORMAT, "bf16"},
        {"--use-megatron-fsdp", CSZ_PLAN_SHARDING, "parameters"},
        {"--use-megatron-fsdp --data-parallel-sharding-strategy no_shard", CSZ_PLAN_SHARDING,
         "none"},
        {"--data-parallel-sharding-strategy optim", CSZ_PLAN_SHARDING, "none"}, /* without FSDP */
        {"--use-torch-fsdp2 --torch-fsdp2-no-reshard-after-forward", CSZ_PLAN_SHARDING,
         "gradients"},
        {"--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 2",
         CSZ_PLAN_VIRTUAL_PIPELINE, "2"},
        {"--pipeline-model-parallel-size 5 --account-for-embedding-in-pipeline-split "
         "--account-for-loss-in-pipeline-split --num-layers-per-virtual-pipeline-stage 1",
         CSZ_PLAN_VIRTUAL_PIPELINE, "2"}, /* of 10 over 5 */
        {"--pipeline-model-parallel-size 5 --account-for-embedding-in-pipeline-split",
         CSZ_PLAN_EMBEDDING_COUNTS, "yes"},
        {"--pipeline-model-parallel-size 5 --account-for-embedding-in-pipeline-split",
         CSZ_PLAN_LOSS_COUNTS, "no"},
        {"--pipeline-model-parallel-size 3 --account-for-loss-in-pipeline-split",
         CSZ_PLAN_LOSS_COUNTS, "yes"},
        {"--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Ett|(tt|)*2tt,L'",
         CSZ_PLAN_PIPELINE_LAYOUT, "Ett|(tt|)*2tt,L"},
        {"--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Ett|(tt|)*2tt,L'",
         CSZ_PLAN_VIRTUAL_PIPELINE, ""}, /* follows from it */
        {"--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Ett|(tt|)*2tt,L' "
         "--recompute-granularity full --recompute-method block --recompute-num-layers 1",
         CSZ_PLAN_RECOMPUTE_LAYERS, "2"}, /* of each of 2 chunks */
        {"--pipeline-model-parallel-size 2 --zero-bubble-v-schedule", CSZ_PLAN_SCHEDULE, "zb_v"},
        {"--pipeline-model-parallel-size 2 --zero-bubble-v-schedule", CSZ_PLAN_VIRTUAL_PIPELINE,
         ""},
        {"--pipeline-model-parallel-size 2", CSZ_PLAN_SCHEDULE, ""},
        {"--recompute-activations", CSZ_PLAN_RECOMPUTE, "selective"},
        {"--recompute-granularity selective --recompute-modules core_attn", CSZ_PLAN_RECOMPUTE,
         "selective"},
        {"--recompute-granularity full --recompute-method uniform --recompute-num-layers 1",
         CSZ_PLAN_RECOMPUTE, "full"},
        {"--moe-token-dispatcher-type flex", CSZ_PLAN_EXPERT_DISPATCH, "deduplicated"},
        {"--moe-token-dispatcher-type alltoall", CSZ_PLAN_EXPERT_DISPATCH, "all_to_all"},
        {"--num-experts 8", CSZ_PLAN_EXPERT_DISPATCH, "all_gather"}, /* its default */
        {"--overlap-moe-expert-parallel-comm", CSZ_PLAN_EXPERT_OVERLAP, "yes"},
        {"--moe-expert-capacity-factor 1.25", CSZ_PLAN_EXPERT_CAPACITY, "1.25"},
        {"--moe-expert-capacity-factor -1", CSZ_PLAN_EXPERT_CAPACITY, ""},
        {"--recompute-granularity full --recompute-method block --recompute-num-layers 4 "
         "--pipeline-model-parallel-size 2",
         CSZ_PLAN_RECOMPUTE, "full"},
        {"--recompute-granularity full --recompute-method block --recompute-num-layers 3",
         CSZ_PLAN_RECOMPUTE_LAYERS, "3"},
        {"--recompute-granularity full --recompute-method block --recompute-num-layers 8",
         CSZ_PLAN_RECOMPUTE_LAYERS, ""}, /* all of them */
        {"--recompute-granularity full --recompute-method block --recompute-num-layers 1 "
         "--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2",
         CSZ_PLAN_RECOMPUTE_LAYERS, "2"}, /* of each chunk */
        {"--recompute-granularity selective --recompute-modules mlp layernorm", CSZ_PLAN_RECOMPUTE,
         "none"}, /* not the attention core */
        {"--recompute-granularity selective --recompute-modules mlp layernorm",
         CSZ_PLAN_RECOMPUTE_MLP, "yes"},
        {"--recompute-granularity selective --recompute-modules mlp layernorm",
         CSZ_PLAN_RECOMPUTE_NORM, "yes"},
        {"--recompute-granularity selective --recompute-modules mlp layernorm",
         CSZ_PLAN_RECOMPUTE_EXPERTS, "no"},
        {"--recompute-activations --recompute-modules core_attn moe_act mla_up_proj moe",
         CSZ_PLAN_RECOMPUTE, "selective"},
        {"--recompute-activations --recompute-modules core_attn moe_act mla_up_proj moe",
         CSZ_PLAN_RECOMPUTE_ACTIVATION, "yes"},
        {"--recompute-activations --recompute-modules core_attn moe_act mla_up_proj moe",
         CSZ_PLAN_RECOMPUTE_LATENT, "yes"},
        {"--recompute-activations --recompute-modules core_attn moe_act mla_up_proj moe",
         CSZ_PLAN_RECOMPUTE_EXPERTS, "yes"},
        {"--recompute-activations --recompute-modules mlp --recompute-modules layernorm",
         CSZ_PLAN_RECOMPUTE_MLP, "no"},                            /* the last list counts */
        {"--recompute-modules mlp", CSZ_PLAN_RECOMPUTE_MLP, "no"}, /* without a granularity */
        {"--cross-entropy-loss-fusion", CSZ_PLAN_LOSS_KERNEL, "fused"},
        {"--optimizer-cpu-offload", CSZ_PLAN_OFFLOAD_OPTIMIZER, "1"},
        {"--optimizer-cpu-offload --optimizer-offload-fraction 0.25", CSZ_PLAN_OFFLOAD_OPTIMIZER,
         "0.25"},
        {"--optimizer-offload-fraction 0.25", CSZ_PLAN_OFFLOAD_OPTIMIZER, "0"}, /* without it */
        {"--cpu-offloading-num-layers 6", CSZ_PLAN_OFFLOAD_ACTIVATIONS, "yes"},
        {"--cp-comm-type p2p", CSZ_PLAN_CONTEXT_KIND, "ring"},
        {"--cp-comm-type a2a a2a", CSZ_PLAN_CONTEXT_KIND, "ulysses"},
        {"--cp-comm-type all_gather", CSZ_PLAN_CONTEXT_KIND, "all_gather"},
        {"--context-parallel-size 8 --cp-comm-type a2a+p2p "
         "--hierarchical-context-parallel-sizes 2 4",
         CSZ_PLAN_CONTEXT_KIND, "hierarchical"},
        {"--context-parallel-size 8 --cp-comm-type a2a+p2p "
         "--hierarchical-context-parallel-sizes 2 4",
         CSZ_PLAN_CONTEXT_INNER, "2"},
        {"--cpu-offloading-num-layers 0", CSZ_PLAN_OFFLOAD_ACTIVATIONS, "no"},
        {"--cpu-offloading-num-layers 0", CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS, ""},
        {"--cpu-offloading-num-layers 5", CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS, "5"},
        {"--use-flash-attn", CSZ_PLAN_ATTENTION_KERNEL, "flash"},
        {"--attention-backend unfused", CSZ_PLAN_ATTENTION_KERNEL, "unfused"},
        {"--transformer-impl local", CSZ_PLAN_ATTENTION_KERNEL, "unfused"},
        {"--transformer-impl transformer_engine", CSZ_PLAN_ATTENTION_KERNEL, ""},
        {"--num-distributed-optimizer-instances 1 --cpu-offloading-num-layers 0", CSZ_PLAN_STACK,
         "megatron"},
        {"--spec local", CSZ_WORKLOAD_LAYERS, "8"},
        {"--bf16 --bf16", CSZ_WORKLOAD_COMPUTE_FORMAT, "bf16"},
        {"--num-layers 4", CSZ_WORKLOAD_LAYERS, "4"}, /* the last one counts */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        teardown();
        setup();
        (void)snprintf(text, sizeof text, SMALL "%s", cases[i].text);
        reads(CSZ_SOURCE_MEGATRON, text);
        ck_assert_msg(1, "%s", text);
        says(cases[i].field, cases[i].value);
    }
}
END_TEST

/* The same as words, and as lines. */
START_TEST(test_lines)
{
    reads(CSZ_SOURCE_MEGATRON, "---\n"
                               "# a comment\n"
                               "ENV_VARS:\n"
                               "  CUDA_DEVICE_MAX_CONNECTIONS: 1\n"
                               "MODEL_ARGS:\r\n"
                               "  --num-layers: 8   # blocks\r\n"
                               "  hidden_size: 64\n"
                               "  num-attention-heads : '4'\n"
                               "  swiglu: True\n"
                               "  disable-bias-linear: no\n"
                               "  position-embedding-type: none\n"
                               "  --moe-layer-freq: ([0]*3+[1]*5)\n"
                               "  num-experts: 4\n"
                               "  ffn-hidden-size: null\n"
                               "  recompute-granularity: selective\n"
                               "  recompute-modules: [core_attn]\n"
                               "  hybrid-layer-pattern: null\n"
                               "  cpu-offloading: false\n"
                               "  data-path: ${DATA} /a/*.bin\n"
                               "  tensor_model_parallel_size: \"2\" # ranks\n"
                               "  recompute-modules:\n"
                               "    - core_attn\n");
    says_at(CSZ_WORKLOAD_LAYERS, 0, 3);
    says_at(CSZ_WORKLOAD_LAYERS, 1, 5);
    says(CSZ_WORKLOAD_GATED_MLP, "yes");
    says(CSZ_WORKLOAD_MLP_BIAS, "yes");
    says(CSZ_WORKLOAD_LEARNED_POSITIONS, "0");
    says(CSZ_WORKLOAD_FFN, "128");
    says(CSZ_PLAN_TENSOR_PARALLEL, "2");
    says(CSZ_PLAN_RECOMPUTE, "selective");
}
END_TEST

START_TEST(test_words)
{
    reads_workload(
        CSZ_SOURCE_MEGATRON,
        "--num-la\\\nyers 8 '--hidden-size' \"64\" --num-attention-heads=\\4 --swi\"glu\" "
        "--position-embedding-type=ro'p'e --save '$HOME/*' #--bf16 'quote\n --lr 1e-4 -1");
    says(CSZ_WORKLOAD_LAYERS, "8");
    says(CSZ_WORKLOAD_HIDDEN, "64");
    says(CSZ_WORKLOAD_HEADS, "4");
    says(CSZ_WORKLOAD_GATED_MLP, "yes");
    says(CSZ_WORKLOAD_COMPUTE_FORMAT, "fp32");
}
END_TEST

START_TEST(test_megatron_errors)
{
    static const struct {
        int into_plan;
        const char *text;
        csz_status status;
        const char *message;
    } cases[] = {
        {0, "--num-layers $N", CSZ_ERR_SYNTAX,
         "variables and substitutions are not replaced; write the value at line 1, column 14"},
        {0, "--save \"$DIR\"", CSZ_ERR_SYNTAX, "line 1, column 9"},
        {0, "--num-layers\n  `nproc`", CSZ_ERR_SYNTAX,
         "commands are not run; write the value at line 2, column 3"},
        {0, "--data-path *.bin", CSZ_ERR_SYNTAX,
         "'*' has a meaning of its own to a shell; quote it at line 1, column 13"},
        {0, "--data-path a{1,2}", CSZ_ERR_SYNTAX,
         "a brace, which a shell would expand; write the value at line 1, column 14"},
        {0, "ARGS=(\n", CSZ_ERR_SYNTAX,
         "'(' has a meaning of its own to a shell; quote it at line 1, column 6"},
        {0, "--bf16 | tee log", CSZ_ERR_SYNTAX,
         "'|': an operator of the shell; only arguments are read at line 1, column 8"},
        {0, "--save 'a b", CSZ_ERR_SYNTAX, "a quote that is not closed at line 1, column 8"},
        {0, "'--num-layers 8'", CSZ_ERR_SYNTAX,
         "a character that no option has in its name at line 1, column 14"},
        {0, "--num-layers", CSZ_ERR_MISSING, "--num-layers: has no value at line 1, column 1"},
        {0, "--bf16\n--num-layers --swiglu", CSZ_ERR_MISSING,
         "--num-layers: has no value at line 2, column 1"},
        {0, "--num-layers 8.0", CSZ_ERR_TYPE,
         "--num-layers: '8.0' is no whole number at line 1, column 14"},
        {0, "--num-layers 0", CSZ_ERR_RANGE, "--num-layers: '0' is too small at line 1, column 14"},
        {0, "--num-layers 8 9", CSZ_ERR_SYNTAX,
         "--num-layers: '9' follows, but the option has its value at line 1, column 16"},
        {0, "--swiglu 1", CSZ_ERR_SYNTAX,
         "--swiglu: '1' follows, but the option takes no value at line 1, column 10"},
        {0, "--swiglu=maybe", CSZ_ERR_TYPE,
         "--swiglu: 'maybe' must be true or false at line 1, column 10"},
        {0, "--hidden-dropout 2", CSZ_ERR_RANGE, "is not between 0 and 1 at line 1, column 18"},
        {0, "--hidden-dropout few", CSZ_ERR_TYPE,
         "--hidden-dropout: 'few' is no number at line 1, column 18"},
        {0, "--normalization GroupNorm", CSZ_ERR_UNKNOWN,
         "--normalization: 'GroupNorm' is not expressed by the fields; known: LayerNorm, RMSNorm "
         "at line 1, column 17"},
        {0, "--position-embedding-type relative", CSZ_ERR_UNKNOWN, "known: learned_absolute, rope"},
        {0, "--optimizer soap", CSZ_ERR_UNKNOWN, "--optimizer: 'soap'"},
        {0, "--hybrid-layer-pattern M-M*-", CSZ_ERR_SYNTAX, "'*'"},
        {0, "--hybrid-layer-pattern 'M-M*-'", CSZ_ERR_UNKNOWN,
         "--hybrid-layer-pattern: has no field; the model cannot be expressed at line 1, column 1"},
        {0, "--is-hybrid-model", CSZ_ERR_UNKNOWN, "--is-hybrid-model"},
        {0, "--spec megatron.core.models.mamba.mamba_layer_specs mamba_stack_spec", CSZ_ERR_UNKNOWN,
         "--spec"},
        {0, "--num-layers 8", CSZ_ERR_MISSING,
         "--hidden-size: is missing beside the --num-layers at line 1, column 14"},
        {0, "--num-layers 8 --hidden-size 64", CSZ_ERR_MISSING, "--num-attention-heads"},
        {0, "--num-layers 8 --hidden-size 64 --num-attention-heads 4", CSZ_ERR_MISSING,
         "--max-position-embeddings"},
        {0, SMALL "--num-layers 2000", CSZ_ERR_LIMIT, "more than the 1024"},
        {0, SMALL "--hidden-size 99999999", CSZ_ERR_RANGE, "hidden: "},
        {0, SMALL "--bf16 --fp16", CSZ_ERR_CONFLICT,
         "--bf16 and --fp16: one of them at line 1, column 93"},
        {0, SMALL "--train-iters 1 --train-samples 1", CSZ_ERR_CONFLICT,
         "--train-samples and --train-iters"},
        {0, SMALL "--train-samples 9999999999999 --seq-length 4096", CSZ_ERR_RANGE, "tokens"},
        {0, SMALL "--use-precision-aware-optimizer --exp-avg-dtype bf16", CSZ_ERR_UNKNOWN,
         "two formats"},
        {0, SMALL "--num-experts 4 --moe-layer-freq [0]*3", CSZ_ERR_CONFLICT,
         "3 layers, but --num-layers is 8"},
        {0, SMALL "--num-experts 4 --moe-layer-freq 0", CSZ_ERR_RANGE, "must be at least 1"},
        {0, SMALL "--num-experts 4 --moe-layer-freq []", CSZ_ERR_CONFLICT, "0 layers"},
        {0, SMALL "--num-experts 4 --moe-layer-freq ([0]*3", CSZ_ERR_SYNTAX, "expected +, * or )"},
        {0, SMALL "--num-experts 4 --moe-layer-freq [2]", CSZ_ERR_SYNTAX,
         "expected 0 or 1 at line 1, column 120"},
        {0, SMALL "--num-experts 4 --moe-layer-freq [0]*2000", CSZ_ERR_LIMIT,
         "more layers than are read"},
        {0, SMALL "--num-experts 4 --moe-layer-freq [0]x", CSZ_ERR_SYNTAX, "expected + or *"},
        {0, SMALL "--num-experts 4 --moe-layer-freq 3*[0]", CSZ_ERR_SYNTAX, "expected [ or ("},
        {0, SMALL "--num-experts 4 --moe-layer-freq '(((((((((((((((((' ", CSZ_ERR_LIMIT,
         "too many parentheses"},
        {0, "--num-experts 4 --moe-layer-freq 2", CSZ_ERR_MISSING, "--num-layers: is missing"},
        {0, SMALL "--window-size 128", CSZ_ERR_SYNTAX, "expected two whole numbers"},
        {0, "key: value\nnonsense", CSZ_ERR_SYNTAX, "expected \"key: value\" at line 2, column 1"},
        {0, "a: 'b", CSZ_ERR_SYNTAX, "a quote that is not closed on its line at line 1, column 4"},
        {0, "a: 'b' c", CSZ_ERR_SYNTAX,
         "expected the end of the line after a quoted value at line 1, column 8"},
        {0, "num-layers: ${N}", CSZ_ERR_TYPE,
         "--num-layers: '${N}' is no whole number at line 1, column 13"},
        {0, "a: \x01", CSZ_ERR_SYNTAX, "a control character at line 1, column 4"},
        {0, "--a \x01", CSZ_ERR_SYNTAX, "a control character at line 1, column 5"},
        {1, "--pipeline-model-parallel-layout 'Et*3|xL'", CSZ_ERR_SYNTAX,
         "pipeline_layout: E, t, m, L, | or ( is expected at 'xL' at line 1, column 34"},
        {1, "--pipeline-model-parallel-layout 'E(t|'", CSZ_ERR_SYNTAX, "not closed"},
        {1, "--pipeline-model-parallel-layout 'E(t|)L'", CSZ_ERR_SYNTAX, "a group needs *n"},
        {1, "--pipeline-model-parallel-layout 'tE|L'", CSZ_ERR_SYNTAX, "in the order E, t, m, L"},
        {1, "--pipeline-model-parallel-layout 'Et*|L'", CSZ_ERR_SYNTAX, "a number is missing"},
        {1, "--pipeline-model-parallel-layout 'Et*99999999999999999999|L'", CSZ_ERR_LIMIT,
         "too many repetitions"},
        {1, "--pipeline-model-parallel-layout 'E(t*4000|)*4000L'", CSZ_ERR_LIMIT,
         "more than 4096 letters"},
        {1,
         "--pipeline-model-parallel-layout "
         "'Etttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt|L'",
         CSZ_ERR_LIMIT, "a text has 1 to 63 bytes"},
        {1, "--fine-grained-activation-offloading", CSZ_ERR_UNKNOWN, "some tensors of a layer"},
        {1, "--cp-comm-type p2p a2a", CSZ_ERR_UNKNOWN, "kinds of single layers have no field"},
        {1, "--cp-comm-type ring", CSZ_ERR_UNKNOWN, "known: p2p, all_gather, allgather, a2a"},
        {1, "--cp-comm-type a2a+p2p", CSZ_ERR_MISSING, "sizes: is missing, and a2a+p2p needs it"},
        {1, SMALL "--cp-comm-type a2a+p2p --hierarchical-context-parallel-sizes 2 x", CSZ_ERR_RANGE,
         "the last one is no whole number"},
        {1, SMALL "--cpu-offloading", CSZ_ERR_MISSING, "--cpu-offloading-num-layers: is missing"},
        {1, "--optimizer-cpu-offload --optimizer-offload-fraction 1.5", CSZ_ERR_RANGE,
         "--optimizer-offload-fraction: '1.5' is not between 0 and 1 at line 1, column 54"},
        {1, "--num-distributed-optimizer-instances 2", CSZ_ERR_UNKNOWN,
         "--num-distributed-optimizer-instances"},
        {1, "--model-parallel-size 8", CSZ_ERR_UNKNOWN, "write --tensor-model-parallel-size"},
        {1, "--recompute-granularity selective --recompute-modules core_attn shared_experts",
         CSZ_ERR_UNKNOWN,
         "--recompute-modules: 'shared_experts' is not expressed by the fields; known: core_attn, "
         "layernorm, moe_act, mla_up_proj, mlp, moe at line 1, column 65"},
        {1, "--recompute-granularity full --recompute-method uniform --recompute-num-layers 4",
         CSZ_ERR_UNKNOWN, "not expressed by the fields at line 1, column 80"},
        {1, SMALL "--recompute-granularity full --recompute-method block", CSZ_ERR_UNKNOWN,
         "a block without its length"},
        {1, "--recompute-granularity full --recompute-method block --recompute-num-layers 99999",
         CSZ_ERR_RANGE, "recompute_layers: "},
        {1, "--num-layers-per-virtual-pipeline-stage 2", CSZ_ERR_MISSING,
         "--num-layers: is missing"},
        {1, SMALL "--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 3",
         CSZ_ERR_CONFLICT, "does not divide the layers of a stage"},
        {1,
         SMALL "--num-layers-per-virtual-pipeline-stage 2 --num-virtual-stages-per-pipeline-rank 2",
         CSZ_ERR_CONFLICT, "one of them"},
        {1, "--tensor-model-parallel-size 100000", CSZ_ERR_RANGE, "tensor_parallel: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fails(cases[i].into_plan, CSZ_SOURCE_MEGATRON, cases[i].text, cases[i].status,
              cases[i].message);
    ck_assert_int_eq(csz_cluster_load(NULL, NULL, CSZ_SOURCE_MEGATRON, "", 0), CSZ_ERR_ARGUMENT);
}
END_TEST

START_TEST(test_error_field)
{
    csz_field field = CSZ_FIELD_NONE;
    fails(0, CSZ_SOURCE_MEGATRON, "--hidden-size wide", CSZ_ERR_TYPE, "'wide'");
    (void)csz_workload_error(workload, &field);
    ck_assert_int_eq(field, CSZ_WORKLOAD_HIDDEN);
    fails(1, CSZ_SOURCE_MEGATRON, "--micro-batch-size few", CSZ_ERR_TYPE, "'few'");
    (void)csz_plan_error(plan, &field);
    ck_assert_int_eq(field, CSZ_PLAN_MICRO_BATCH);
}
END_TEST

START_TEST(test_length)
{
    static char large[(1u << 20) + 1];
    memset(large, ' ', sizeof large);
    ck_assert_int_eq(load(0, CSZ_SOURCE_MEGATRON, large, sizeof large - 1), CSZ_OK);
    ck_assert_int_eq(load(0, CSZ_SOURCE_MEGATRON, large, sizeof large), CSZ_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(csz_workload_error(workload, NULL), "at most 1048576"));
}
END_TEST

/* ---- DeepSpeed ---- */

START_TEST(test_deepspeed)
{
    ck_assert_int_eq(csz_workload_set(workload, NULL, "model=llama-3-8b"), CSZ_OK);
    reads(
        CSZ_SOURCE_DEEPSPEED,
        quoted(
            "{'train_batch_size': 512, 'train_micro_batch_size_per_gpu': 4, "
            "'gradient_accumulation_steps': 2,"
            " 'zero_optimization': {'stage': 2, 'overlap_comm': true, 'offload_optimizer': "
            "{'device': 'none'}},"
            " 'bf16': {'enabled': true}, 'fp16': {'enabled': false}, 'activation_checkpointing': "
            "{},"
            " 'optimizer': {'type': 'AdamW', 'params': {'lr': 1e-4}}, 'gradient_clipping': 1.0}"));
    says(CSZ_WORKLOAD_MODEL, "llama-3-8b");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "512");
    says(CSZ_WORKLOAD_OPTIMIZER, "adamw");
    says(CSZ_WORKLOAD_COMPUTE_FORMAT, "bf16");
    says(CSZ_WORKLOAD_GRADIENT_FORMAT, "bf16");
    says(CSZ_WORKLOAD_MASTER_FORMAT, "fp32");
    says(CSZ_PLAN_SHARDING, "gradients");
    says(CSZ_PLAN_MICRO_BATCH, "4");
    says(CSZ_PLAN_STACK, "deepspeed");
    says(CSZ_PLAN_DATA_PARALLEL, "");
    says(CSZ_PLAN_RECOMPUTE, "");
    reads(
        CSZ_SOURCE_DEEPSPEED,
        quoted(
            "{'train_batch_size': 'auto', 'train_micro_batch_size_per_gpu': 'auto', 'optimizer': "
            "{'type': 'Lion'},"
            " 'zero_optimization': {'stage': 3, 'offload_param': null, 'zero_hpz_partition_size': "
            "1},"
            " 'data_types': {'grad_accum_dtype': 'fp32'}, 'tensor_parallel': {'autotp_size': 2}}"));
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "512"); /* stays */
    says(CSZ_WORKLOAD_OPTIMIZER, "lion");
    says(CSZ_WORKLOAD_GRADIENT_FORMAT, "fp32");
    says(CSZ_PLAN_SHARDING, "parameters");
    says(CSZ_PLAN_TENSOR_PARALLEL, "2");
}
END_TEST

START_TEST(test_deepspeed_formats)
{
    static const struct {
        const char *text;
        csz_field field;
        const char *value;
    } cases[] = {
        {"{}", CSZ_WORKLOAD_COMPUTE_FORMAT, ""},
        {"{'bf16': {'enabled': 'auto'}, 'fp16': {'enabled': false}}", CSZ_WORKLOAD_COMPUTE_FORMAT,
         ""},
        {"{'fp16': {'enabled': false}}", CSZ_WORKLOAD_COMPUTE_FORMAT, "fp32"},
        {"{'fp16': {'enabled': false}}", CSZ_WORKLOAD_MASTER_FORMAT, "none"},
        {"{'fp16': {'enabled': true}}", CSZ_WORKLOAD_GRADIENT_FORMAT, "fp16"},
        {"{'bfloat16': {'enabled': true}}", CSZ_WORKLOAD_COMPUTE_FORMAT, "bf16"},
        {"{'bf16': {'enabled': true}}", CSZ_WORKLOAD_GRADIENT_FORMAT, "fp32"}, /* without ZeRO */
        {"{'bf16': {'enabled': true, 'bf16_master_weights_and_grads': true, "
         "'bf16_optimizer_states': true}}",
         CSZ_WORKLOAD_STATE_FORMAT, "bf16"},
        {"{'optimizer': {'type': 'SGD'}}", CSZ_WORKLOAD_OPTIMIZER, "sgd"},
        {"{'optimizer': {'type': 'SGD', 'params': {'momentum': 0.9}}}", CSZ_WORKLOAD_OPTIMIZER,
         "momentum"},
        {"{'optimizer': {'type': 'muon'}}", CSZ_WORKLOAD_OPTIMIZER, "muon"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        teardown();
        setup();
        reads(CSZ_SOURCE_DEEPSPEED, quoted(cases[i].text));
        says(cases[i].field, cases[i].value);
    }
}
END_TEST

/* Offload, shard groups and buckets: DeepSpeed's config.py and offload_config.py (edaa722). */
START_TEST(test_deepspeed_offload)
{
    static const struct {
        const char *text;
        csz_field field;
        const char *value;
    } cases[] = {
        {"'offload_optimizer': {'device': 'cpu', 'pin_memory': true}", CSZ_PLAN_OFFLOAD_OPTIMIZER,
         "1"},
        {"'offload_optimizer': {'device': 'cpu', 'ratio': 0.3}", CSZ_PLAN_OFFLOAD_OPTIMIZER, "0.3"},
        {"'offload_optimizer': {'device': 'nvme'}", CSZ_PLAN_OFFLOAD_TARGET, "nvme"},
        {"'offload_optimizer': {'device': 'cpu'}", CSZ_PLAN_OFFLOAD_TARGET, "host"},
        {"'offload_optimizer': {'device': 'none'}", CSZ_PLAN_OFFLOAD_OPTIMIZER, "0"},
        {"'offload_optimizer': {}", CSZ_PLAN_OFFLOAD_TARGET, ""},
        {"'offload_param': {'device': 'cpu'}", CSZ_PLAN_OFFLOAD_PARAMETERS, "yes"},
        {"'offload_param': {'device': 'cpu'}", CSZ_PLAN_OFFLOAD_OPTIMIZER, ""},
        {"'offload_param': {}", CSZ_PLAN_OFFLOAD_PARAMETERS, "no"},
        {"'cpu_offload': true", CSZ_PLAN_OFFLOAD_OPTIMIZER, "1"},
        {"'cpu_offload_param': true", CSZ_PLAN_OFFLOAD_PARAMETERS, "yes"},
        {"'mics_shard_size': 8", CSZ_PLAN_SHARD_GROUP, "8"},
        {"'mics_shard_size': -1", CSZ_PLAN_SHARD_GROUP, ""},
        {"'reduce_bucket_size': 5e8, 'allgather_bucket_size': 2e8", CSZ_PLAN_BUCKET, "1000000000"},
        {"'reduce_bucket_size': 'auto'", CSZ_PLAN_BUCKET, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        teardown();
        setup();
        (void)snprintf(text, sizeof text, "{'zero_optimization': {'stage': 3, %s}}", cases[i].text);
        reads_plan(CSZ_SOURCE_DEEPSPEED, quoted(text));
        says(cases[i].field, cases[i].value);
    }
}
END_TEST

START_TEST(test_deepspeed_errors)
{
    static const struct {
        int into_plan;
        const char *text;
        csz_status status;
        const char *message;
    } cases[] = {
        {0, "{'train_batch_size': }", CSZ_ERR_SYNTAX, "line 1, column 22"},
        {0, "[1]", CSZ_ERR_TYPE, "must be an object, not an array at line 1, column 1"},
        {0, "{'train_batch_size': 'many'}", CSZ_ERR_TYPE,
         "line 1, column 22 (path $.train_batch_size)"},
        {0, "{'train_batch_size': 0}", CSZ_ERR_RANGE, "0 is not between 1 and 1073741824"},
        {0, "{\n'optimizer': {'type': 'OneBitAdam'}}", CSZ_ERR_UNKNOWN,
         "line 2, column 23 (path $.optimizer.type)"},
        {0, "{'optimizer': {'type': 'Lamb'}}", CSZ_ERR_UNKNOWN,
         "known: adam, adamw, lion, muon, sgd"},
        {0, "{'optimizer': 'adam'}", CSZ_ERR_TYPE, "must be an object"},
        {0, "{'bf16': {'enabled': true}, 'fp16': {'enabled': true}}", CSZ_ERR_CONFLICT,
         "$.fp16.enabled"},
        {0, "{'bf16': {'enabled': 1}}", CSZ_ERR_TYPE, "must be true or false"},
        {0, "{'amp': {'enabled': true}}", CSZ_ERR_UNKNOWN, "$.amp.enabled"},
        {0, "{'data_types': {'grad_accum_dtype': 'int8'}}", CSZ_ERR_UNKNOWN, "known: fp32"},
        {1, "{'zero_optimization': {'stage': 4}}", CSZ_ERR_RANGE,
         "line 1, column 33 (path $.zero_optimization.stage)"},
        {1, "{'zero_optimization': true}", CSZ_ERR_TYPE, "must be an object"},
        {1, "{'zero_optimization': {'stage': 2,\n 'offload_optimizer': {'device': 'tape'}}}",
         CSZ_ERR_UNKNOWN, "known: none, cpu, nvme at line 2, column 34"},
        {1, "{'zero_optimization': {'offload_param': true}}", CSZ_ERR_TYPE, "must be an object"},
        {1, "{'zero_optimization': {'offload_optimizer': {'device': 'cpu', 'ratio': 2}}}",
         CSZ_ERR_RANGE, "offload_optimizer: "},
        {1,
         "{'zero_optimization': {'offload_optimizer': {'device': 'cpu'}, 'offload_param': "
         "{'device': 'nvme'}}}",
         CSZ_ERR_UNKNOWN, "on different devices are not expressed by the fields at line 1"},
        {1, "{'zero_optimization': {'cpu_offload': 1}}", CSZ_ERR_TYPE, "must be true or false"},
        {1, "{'zero_optimization': {'reduce_bucket_size': -1}}", CSZ_ERR_RANGE, "line 1"},
        {1, "{'zero_optimization': {'zero_hpz_partition_size': 8}}", CSZ_ERR_UNKNOWN,
         "zero_hpz_partition_size"},
        {1, "{'sequence_parallel_size': 2}", CSZ_ERR_UNKNOWN, "sequence_parallel_size"},
        {1,
         "{'train_batch_size': 12, 'train_micro_batch_size_per_gpu': 4, "
         "'gradient_accumulation_steps': 2}",
         CSZ_ERR_CONFLICT,
         "12 is no multiple of 4 a rank x 2 accumulation steps at line 1, column 22"},
        {1, "{'train_micro_batch_size_per_gpu': 0}", CSZ_ERR_RANGE, "micro_batch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fails(cases[i].into_plan, CSZ_SOURCE_DEEPSPEED, quoted(cases[i].text), cases[i].status,
              cases[i].message);
}
END_TEST

/* ---- Any of them ---- */

/* Cut after any byte a text is refused, with a message, or read. */
START_TEST(test_truncations)
{
    static const struct {
        csz_source source;
        const char *text;
    } texts[] = {
        {CSZ_SOURCE_MISTRAL, MISTRAL_7B},
        {CSZ_SOURCE_MEGATRON, GPT3},
        {CSZ_SOURCE_MEGATRON, LLAMA_8B},
        {CSZ_SOURCE_MEGATRON, DEEPSEEK "--moe-layer-freq '([0]*3+[1]*58)' --window-size (128,0)"},
        {CSZ_SOURCE_MEGATRON, "a: 1\n--num-layers: 8 # eight\nb: 'c'\n- d\nswiglu: yes\n"},
        {CSZ_SOURCE_DEEPSPEED,
         "{'train_batch_size': 8, 'zero_optimization': {'stage': 2}, 'bf16': {'enabled': true}}"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text =
            texts[i].source == CSZ_SOURCE_MEGATRON ? texts[i].text : quoted(texts[i].text);
        size_t length = strlen(text);
        for (size_t cut = 0; cut <= length; cut++) {
            csz_status status = load(0, texts[i].source, text, cut);
            ck_assert(status == CSZ_OK || csz_workload_error(workload, NULL)[0] != '\0');
            if (texts[i].source == CSZ_SOURCE_MISTRAL)
                continue;
            status = load(1, texts[i].source, text, cut);
            ck_assert(status == CSZ_OK || csz_plan_error(plan, NULL)[0] != '\0');
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launch");
    TCase *c = tcase_create("launch");
    SRunner *runner;
    int failed;
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, test_mistral_counts);
    tcase_add_test(c, test_mistral_patterns);
    tcase_add_test(c, test_mistral_errors);
    tcase_add_test(c, test_gpt3);
    tcase_add_test(c, test_llama);
    tcase_add_test(c, test_issue_597);
    tcase_add_test(c, test_deepseek);
    tcase_add_test(c, test_defaults);
    tcase_add_test(c, test_part);
    tcase_add_test(c, test_options);
    tcase_add_test(c, test_lines);
    tcase_add_test(c, test_words);
    tcase_add_test(c, test_megatron_errors);
    tcase_add_test(c, test_error_field);
    tcase_add_test(c, test_length);
    tcase_add_test(c, test_deepspeed);
    tcase_add_test(c, test_deepspeed_formats);
    tcase_add_test(c, test_deepspeed_offload);
    tcase_add_test(c, test_deepspeed_errors);
    tcase_add_test(c, test_truncations);
    suite_add_tcase(suite, c);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
