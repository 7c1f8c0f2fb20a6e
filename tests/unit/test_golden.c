/* test_golden.c: figures of papers and of hand calculations, reproduced through the public
 * interface. */
#include <math.h>
#include <string.h>

#include "project/run.h"
#include "question.h"

#define GIB 1073741824.0

static void near(double got, double wanted, double share, const char *what)
{
    ck_assert_msg(fabs(got - wanted) <= share * fabs(wanted), "%s: got %.9g, wanted %.9g", what,
                  got, wanted);
}

/* ---- Memory ---- */

/* Korthikanti et al. 2022 (arXiv 2205.05198), table 3 configurations; activation bytes of the first
 * stage by their equations 2, 4 and 6 with pipeline factor 1 + (p - 1) / (p v), in GiB as in the
 * bars of their figure 1 and in the validation file of calculon: 59.25, 66.84, 114.02, 131.25
 * without recomputation and without sequence parallelism; 9.56, 12.35, 23.08, 26.56 with selective
 * recomputation and sequence parallelism. */
static const struct {
    const char *name;
    const char *workload;
    int accelerators;
    const char *plan;
    double none;
    double selective;
} korthikanti[] = {
    {"22B", "hidden=6144 heads=64 ffn=24576 layers=48 global_batch=4", 8, "tp=8 micro_batch=4",
     59.25, 9.56},
    {"175B", "hidden=12288 heads=96 ffn=49152 layers=96 global_batch=64", 64, "tp=8 pp=8 vpp=3",
     66.84, 12.35},
    {"530B", "hidden=20480 heads=128 ffn=81920 layers=105 global_batch=280", 280,
     "tp=8 pp=35 vpp=3", 114.02, 23.08},
    {"1T", "hidden=25600 heads=160 ffn=102400 layers=128 global_batch=512", 512, "tp=8 pp=64",
     131.25, 26.56},
};

/* Beside the layers (their section 4.3): the dropout mask of the embedding, s b h bytes for each
 * micro-batch in flight on the first stage, and where that is the last one too the last norm's
 * input and output, 2 s b h each; with sequence parallelism divided by t = 8. */
static double outside_layers(size_t i, int along)
{
    static const struct {
        double sbh, in_flight, ends;
    } m[] = {{2048.0 * 4 * 6144, 1, 5},
             {2048.0 * 12288, 8 * (1 + 7.0 / 24), 1},
             {2048.0 * 20480, 35 * (1 + 34.0 / 105), 1},
             {2048.0 * 25600, 64, 1}};
    return m[i].sbh * m[i].in_flight * m[i].ends / along;
}

static void korthikanti_question(question *q, size_t i, const char *more)
{
    char cluster[80], plan[120];
    question_open(q);
    (void)snprintf(cluster, sizeof cluster, "accelerator=a100-sxm-80gb accelerators=%d",
                   korthikanti[i].accelerators);
    (void)snprintf(plan, sizeof plan, "stack=legacy %s %s", korthikanti[i].plan, more);
    question_set(q, "vocab=51200 sequence_length=2048 gated_mlp=no dropout=yes", cluster, plan);
    question_set(q, korthikanti[i].workload, "", "");
    question_compute(q, CSZ_DEPTH_FIT);
}

START_TEST(activations_of_korthikanti)
{
    question q;
    korthikanti_question(&q, (size_t)_i, "sequence_parallel=no");
    near((figure_at(&q, CSZ_ESTIMATE_STAGE_ACTIVATIONS, 0) - outside_layers((size_t)_i, 1)) / GIB,
         korthikanti[_i].none, 1e-4, korthikanti[_i].name);
    question_close(&q);
    korthikanti_question(&q, (size_t)_i, "sequence_parallel=yes recompute=selective");
    near((figure_at(&q, CSZ_ESTIMATE_STAGE_ACTIVATIONS, 0) - outside_layers((size_t)_i, 8)) / GIB,
         korthikanti[_i].selective, 4e-4, korthikanti[_i].name);
    question_close(&q);
}
END_TEST

/* Full recomputation keeps the layer's input, 2 s b h / t with sequence parallelism (Korthikanti et
 * al. 2022, section 5): 22B: 2 x 2048 x 4 x 6144 / 8 bytes x 48 layers = 603,979,776. */
START_TEST(activations_under_full_recomputation)
{
    question q;
    korthikanti_question(&q, 0, "sequence_parallel=yes recompute=full");
    near(figure_at(&q, CSZ_ESTIMATE_STAGE_ACTIVATIONS, 0) - outside_layers(0, 8), 603979776.0,
         1e-12, "22B");
    question_close(&q);
}
END_TEST

/* Megatron-Core dist_optimizer.md: bytes a parameter. bf16 parameters with fp32 gradients: 18, with
 * the distributed optimizer 6 + 12 / d; fp32: 16 and 8 + 8 / d; 16-bit gradients besides: 16 and 4
 * + 12 / d. ZeRO (arXiv 1910.02054, section 5) with 2 + 2 + 12 bytes: stage 2 is 2 + 14 / d, stage
 * 3 is 16 / d. */
static const struct {
    const char *formats;
    const char *plan;
    double bytes;
} byte_table[] = {
    {"", "zero=none", 18},
    {"", "zero=optimizer", 6 + 12.0 / 8},
    {"weight_format=fp32 master_format=none", "zero=none", 16},
    {"weight_format=fp32 master_format=none", "zero=optimizer", 8 + 8.0 / 8},
    {"gradient_format=bf16", "zero=none", 16},
    {"gradient_format=bf16", "zero=1", 4 + 12.0 / 8},
    {"gradient_format=bf16", "zero=2", 2 + 14.0 / 8},
    {"gradient_format=bf16", "zero=3", 16.0 / 8},
    {"gradient_format=bf16 master_format=none state_format=bf16", "zero=none",
     8}, /* pure bf16 with AdamW in bf16 */
};

START_TEST(bytes_per_parameter)
{
    question q;
    double parameters, bytes;
    question_open(&q);
    question_set(&q, "model=gpt2-xl global_batch=8 sequence_length=1024",
                 "accelerator=h100-sxm-80gb accelerators=8", "stack=megatron");
    question_set(&q, byte_table[_i].formats, "", byte_table[_i].plan);
    question_compute(&q, CSZ_DEPTH_FIT);
    parameters = figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL);
    bytes = figure(&q, CSZ_ESTIMATE_MEMORY_WEIGHTS) + figure(&q, CSZ_ESTIMATE_MEMORY_GRADIENTS) +
            figure(&q, CSZ_ESTIMATE_MEMORY_MASTER) + figure(&q, CSZ_ESTIMATE_MEMORY_OPTIMIZER);
    near(bytes / parameters, byte_table[_i].bytes, 1e-9, byte_table[_i].plan);
    question_close(&q);
}
END_TEST

/* Of the last norm: input and output, 2 h bytes each. A modern layer (flash attention, grouped
 * queries, SwiGLU, no dropout): inputs of two norms and two projections, q, k, v, the attention
 * output, gate, up and product, 2 bytes each: 34 h bytes a token for Llama-3-8B, 33.5 h for
 * 70B, 31.75 h for 405B, and 4 bytes a head of log-sum-exp. By hand for 8B: 2h (1 + 1 + 1 + 2 x
 * 8/32 + 1 + 1 + 1) + 6 x 14336. */
START_TEST(activations_of_modern_layers)
{
    static const struct {
        const char *model;
        double h, width, heads, layers;
    } m[] = {{"llama-3-8b", 4096, 34, 32, 32},
             {"llama-3-70b", 8192, 33.5, 64, 80},
             {"llama-3.1-405b", 16384, 31.75, 128, 126}};
    char workload[120];
    question q;
    question_open(&q);
    (void)snprintf(workload, sizeof workload, "model=%s sequence_length=8192 global_batch=1",
                   m[_i].model);
    question_set(&q, workload, "accelerator=h100-sxm-80gb accelerators=1", "stack=megatron");
    question_compute(&q, CSZ_DEPTH_FIT);
    near(figure(&q, CSZ_ESTIMATE_MEMORY_ACTIVATIONS),
         8192 * (m[_i].layers * (m[_i].width * m[_i].h + 4 * m[_i].heads) + 4 * m[_i].h), 1e-12,
         m[_i].model);
    question_close(&q);
}
END_TEST

/* LoRA: r (in + out) parameters a matrix (Hu et al. 2021, section 4.1). Llama-2-7B, rank 8, all
 * linear matrices: q, k, v are one matrix of 4096 x 12288 here: 8 (4096 + 12288) + 8 (4096 + 4096)
 * + 8 (4096 + 2 x 11008) + 8 (11008 + 4096) a layer, 32 layers. NF4 base: 0.5 bytes and constants
 * of 0.127 bits a value (Dettmers et al. 2023, section 3); what stands outside the layers stays in
 * 16 bit. */
START_TEST(adapters)
{
    question q;
    double adapters = 32 * 8.0 * (4096 + 12288 + 4096 + 4096 + 4096 + 22016 + 11008 + 4096),
           base = 6738415616.0, outside = 2 * 32000.0 * 4096 + 4096;
    question_open(&q);
    question_set(&q, "model=llama-2-7b job=qlora lora_rank=8 sequence_length=2048 global_batch=1",
                 "accelerator=rtx-4090 accelerators=1", "stack=fsdp-eager");
    question_compute(&q, CSZ_DEPTH_FIT);
    near(figure(&q, CSZ_ESTIMATE_PARAMETERS_TRAINED), adapters, 1e-15, "adapters");
    near(figure(&q, CSZ_ESTIMATE_MEMORY_WEIGHTS),
         (base - outside) * (0.5 + 0.127 / 8) + 2 * outside + 4 * adapters, 1e-3, "weights");
    question_close(&q);
}
END_TEST

/* Mixtral-8x7B with adapters, experts over 8 ranks, ZeRO-3: the frozen experts (32 layers x 8 x 3 x
 * 4096 x 14336 = 45,097,156,608, 2 bytes each) are cut by 8 and have no other copy to share with;
 * what stands outside them (46,702,792,704 less those) is shared by all 8. An adapter on every
 * matrix, rank 16: a token meets 2 of 8 experts': 16 x 32 x 2 x ((4096 + 28672) + (14336 + 4096))
 * of them. */
START_TEST(adapters_of_a_mixture)
{
    double experts = 32.0 * 8 * 3 * 4096 * 14336, total = 46702792704.0, adapters, flops[2];
    double dense = 16.0 * 32 * ((4096 + 6144) + (4096 + 4096)),
           routed = 16.0 * 32 * (32768 + 18432);
    question q;
    question_open(&q);
    question_set(&q, "model=mixtral-8x7b job=lora global_batch=8 sequence_length=512",
                 "accelerator=h100-sxm-80gb accelerators=8", "ep=8 zero=3 stack=megatron");
    question_compute(&q, CSZ_DEPTH_STEP);
    adapters = figure(&q, CSZ_ESTIMATE_PARAMETERS_TRAINED);
    ck_assert_double_eq(adapters, dense + 8 * routed);
    near(figure(&q, CSZ_ESTIMATE_MEMORY_WEIGHTS),
         2 * (experts / 8 + (total - experts) / 8) + 2 * (dense / 8 + routed), 1e-9, "weights");
    near(figure(&q, CSZ_ESTIMATE_MEMORY_GRADIENTS), 4 * (dense / 8 + routed), 1e-9, "gradients");
    flops[0] = figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD);
    question_set(&q, "lora_rank=32", "", "");
    question_compute(&q, CSZ_DEPTH_STEP);
    flops[1] = figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD);
    near(flops[1] - flops[0], 2 * (dense + 2 * routed), 1e-6, "FLOPs of adapters");
    question_close(&q);
}
END_TEST

/* Frozen weights are gathered too: at a fixed plan, the traffic of LoRA under ZeRO-3 is at least
 * the ring's time for 2 gathers of the weights a micro-batch at an exposed share of 0.15, x 2 x 141
 * GB x 63 / 64 over 8 ports of 50 GB/s a node, less than the full job's. */
START_TEST(adapters_gather_frozen_weights)
{
    double lora, full;
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-70b job=lora global_batch=64 sequence_length=512",
                 "accelerator=h100-sxm-80gb accelerators=64",
                 "zero=3 stack=fsdp-eager recompute=full");
    question_compute(&q, CSZ_DEPTH_STEP);
    lora = figure(&q, CSZ_ESTIMATE_STEP_DATA_TRAFFIC);
    question_set(&q, "job=finetune", "", "");
    question_compute(&q, CSZ_DEPTH_STEP);
    full = figure(&q, CSZ_ESTIMATE_STEP_DATA_TRAFFIC);
    ck_assert_msg(lora > 0.15 * 2 * 141e9 * 63 / 64 / 400e9 && lora < full, "%g of %g s", lora,
                  full);
    question_close(&q);
}
END_TEST

/* The last of two stages holds the output layer whatever is tied: 4 of 8 layers, the final norm, V
 * x h and its bias. */
START_TEST(tied_output_layer_is_copied)
{
    double layer = 4.0 * 4096 * 4096 + 3.0 * 4096 * 11008 + 2 * 4096;
    question q;
    question_open(&q);
    question_set(&q,
                 "hidden=4096 vocab=128000 layers=8 heads=32 ffn=11008 tied_embeddings=yes "
                 "head_bias=yes global_batch=8",
                 "accelerator=h100-sxm-80gb accelerators=2", "pp=2");
    question_compute(&q, CSZ_DEPTH_FIT);
    ck_assert_double_eq(figure_at(&q, CSZ_ESTIMATE_STAGE_PARAMETERS, 1),
                        4 * layer + 4096 + 128000.0 * 4096 + 128000);
    question_close(&q);
}
END_TEST

/* Expert tensor parallelism gathers the routed tokens: their inputs (2 bytes x h, topk times) are
 * held etp times over. Mixtral, tp 8: per token and layer 2 x 2 x 4096 x (8 - 1) / 8 bytes more at
 * etp 8 than at 1. */
START_TEST(expert_tensor_parallelism_gathers_tokens)
{
    double one, eight;
    question q;
    question_open(&q);
    question_set(&q, "model=mixtral-8x7b global_batch=8 sequence_length=4096 routing=balanced",
                 "accelerator=h100-sxm-80gb accelerators=8", "tp=8 ep=8 etp=1 stack=megatron");
    question_compute(&q, CSZ_DEPTH_FIT);
    one = figure(&q, CSZ_ESTIMATE_MEMORY_ACTIVATIONS);
    question_set(&q, "", "", "ep=1 etp=8");
    question_compute(&q, CSZ_DEPTH_FIT);
    eight = figure(&q, CSZ_ESTIMATE_MEMORY_ACTIVATIONS);
    near(eight - one, 32 * 4096.0 * 2 * 2 * 4096 * 7 / 8, 1e-9, "gathered tokens");
    question_close(&q);
}
END_TEST

/* A prediction layer has logits of its own; fp8 products keep one more byte a weight and one less a
 * kept operand. */
START_TEST(prediction_layers_and_low_precision)
{
    double logits, buffers;
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b global_batch=8 sequence_length=4096",
                 "accelerator=h100-sxm-80gb accelerators=8", "stack=megatron zero=1");
    question_compute(&q, CSZ_DEPTH_FIT);
    logits = figure(&q, CSZ_ESTIMATE_MEMORY_LOGITS);
    buffers = figure(&q, CSZ_ESTIMATE_MEMORY_BUFFERS);
    question_set(&q, "prediction_layers=1", "", "");
    question_compute(&q, CSZ_DEPTH_FIT);
    near(figure(&q, CSZ_ESTIMATE_MEMORY_LOGITS), 2 * logits, 1e-12, "logits");
    question_set(&q, "prediction_layers=0 compute_format=fp8", "", "");
    question_compute(&q, CSZ_DEPTH_FIT);
    near(figure(&q, CSZ_ESTIMATE_MEMORY_BUFFERS) - buffers, 8030261248.0, 1e-12, "copies");
    /* 34 h bytes less one for each of two inputs of h and the product f = 3.5 h, and one more for
     * the attention output, which its own backward pass reads too: 29.5 h and 4 a; 4 h at the end.
     */
    near(figure(&q, CSZ_ESTIMATE_MEMORY_ACTIVATIONS),
         4096.0 * (32 * (29.5 * 4096 + 4 * 32) + 4 * 4096), 1e-12, "operands");
    question_close(&q);
}
END_TEST

/* ---- FLOPs ---- */

/* By hand. GPT-3 (arXiv 2005.14165, table 2.1: L 96, h 12288, s 2048, V 50257), forward of a token:
 * matrices 24 h^2 L, attention 4 h L (s + 1) / 2, output layer 2 h V; three times that. Llama-3-8B
 * (L 32, h 4096, 32 heads, 8 of keys, f 14336, V 128256, s 8192): matrices L (2 h (h + 2 x 1024) +
 * 2 h^2 + 6 h f), attention 4 h L 8193 / 2, output 2 h V. */
START_TEST(flops_by_hand)
{
    double h = 12288, gpt3 = 24 * h * h * 96 + 4 * h * 96 * 2049 / 2 + 2 * h * 50257, llama;
    question q;
    question_open(&q);
    question_set(
        &q,
        "hidden=12288 heads=96 ffn=49152 gated_mlp=no layers=96 vocab=50257 sequence_length=2048",
        "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FORWARD), gpt3, 1e-14, "GPT-3 forward");
    near(figure(&q, CSZ_ESTIMATE_FLOPS_PER_TOKEN), 3 * gpt3, 1e-14, "GPT-3");
    /* Narayanan et al. 2021, equation 3, a token. */
    near(figure(&q, CSZ_ESTIMATE_FLOPS_NARAYANAN),
         96 * 96 * h * h * (1 + 2048 / (6 * h) + 50257 / (16 * 96 * h)), 1e-14, "equation 3");
    question_set(&q, "model=llama-3-8b sequence_length=8192", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    h = 4096;
    llama = 32 * (2 * h * (h + 2048) + 2 * h * h + 6 * h * 14336) + 4 * h * 32 * 8193 / 2 +
            2 * h * 128256;
    near(figure(&q, CSZ_ESTIMATE_FLOPS_PER_TOKEN), 3 * llama, 1e-14, "Llama-3-8B");
    question_close(&q);
}
END_TEST

/* Ratios of conventions to the exact causal count at 8,192 tokens, recomputed from the models'
 * published shapes: 6N counts the input embedding but no attention; "full" does not halve
 * attention; PaLM adds 12 L H Q S to 6N. Causal is about 7% above 6ND for Llama-3-70B less its
 * embedding: 1 / 0.942. */
START_TEST(flops_conventions)
{
    static const struct {
        const char *model;
        double six_n, full, palm;
    } m[] = {{"llama-3-8b", 0.936, 1.125, 1.186},
             {"llama-3-70b", 0.942, 1.072, 1.086},
             {"llama-3.1-405b", 0.965, 1.040, 1.045}};
    char workload[80];
    double causal;
    question q;
    question_open(&q);
    (void)snprintf(workload, sizeof workload, "model=%s sequence_length=8192", m[_i].model);
    question_set(&q, workload, "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    causal = figure(&q, CSZ_ESTIMATE_FLOPS_PER_TOKEN);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_SIX_N) / causal, m[_i].six_n, 6e-4, "6N");
    near(figure(&q, CSZ_ESTIMATE_FLOPS_FULL) / causal, m[_i].full, 6e-4, "full");
    near(figure(&q, CSZ_ESTIMATE_FLOPS_PALM) / causal, m[_i].palm, 6e-4, "PaLM");
    question_close(&q);
}
END_TEST

/* llm-foundry's table: MPT-70B, 2,048 tokens: 64,862,437,376 parameters and 6N + 12 L H Q S
 * = 4.053e11 FLOP a token; 1,058 tokens/s on an H100 are 428.8e12 FLOP/s, 43.35% of 989.4e12. */
START_TEST(flops_of_llm_foundry)
{
    question q;
    question_open(&q);
    question_set(
        &q,
        "hidden=8192 heads=64 ffn=32768 gated_mlp=no layers=80 vocab=50368 tied_embeddings=yes "
        "qkv_bias=yes attention_bias=yes mlp_bias=yes norm=layer learned_positions=2048 "
        "sequence_length=2048",
        "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL), 64862437376.0);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_PALM), 4.053e11, 2e-4, "MPT-70B");
    near(1058 * figure(&q, CSZ_ESTIMATE_FLOPS_PALM) / 989.4e12, 0.4335, 5e-4, "MFU");
    question_close(&q);
}
END_TEST

/* A window of w tokens: mean context w - w (w - 1) / (2 s) (Megatron-Bridge flop_utils.py): for s
 * 8192 and w 4096: 3072.25. A document mask over documents of 1,024 tokens: 512.5. */
START_TEST(attention_context)
{
    question q;
    double base, attention = 12.0 * 32 * 4096;
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=8192", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    base = figure(&q, CSZ_ESTIMATE_FLOPS_PER_TOKEN) - attention * 4096.5;
    question_set(&q, "sliding_window=4096", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_PER_TOKEN), base + attention * 3072.25, 1e-13, "window");
    question_set(&q, "sliding_window=0 document_mask=yes mean_length=1024", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    near(figure(&q, CSZ_ESTIMATE_FLOPS_PER_TOKEN), base + attention * 512.5, 1e-13, "documents");
    question_close(&q);
}
END_TEST

/* ---- Parameters ---- */

/* DeepSeek-V3 (arXiv 2412.19437): 671B total, 37B activated. The integers: 671,026,419,200 of its
 * checkpoint without the prediction layer; active by hand: total less 58 layers x (256 - 8) experts
 * x 3 x 7168 x 2048. */
START_TEST(parameters_of_deepseek_v3)
{
    question q;
    question_open(&q);
    question_set(&q, "model=deepseek-v3", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL), 671026419200.0);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_PARAMETERS_ACTIVE),
                        671026419200.0 - 58.0 * 248 * 3 * 7168 * 2048);
    question_close(&q);
}
END_TEST

/* The SigLIP tower of Gemma-3-4B as layers of their own width: 416,866,032 parameters in all (the
 * catalog's source of gemma-3-4b), of which patches (14 x 14 x 3 + 1) x 1152, positions 4096 x 1152
 * and a last norm 2 x 1152 are outside the layers. */
START_TEST(parameters_of_a_tower)
{
    static const char tower[] =
        "kinds[1].width=1152 kinds[1].kind_norm=layer kinds[1].heads=16 kinds[1].ffn=4304 "
        "kinds[1].gated_mlp=no kinds[1].mlp_bias=yes kinds[1].qkv_bias=yes "
        "kinds[1].attention_bias=yes kinds[1].causal=no kinds[1].token_share=0.5 "
        "runs[1].layers=27 runs[1].layer_kind=1";
    double outside = (14.0 * 14 * 3 + 1) * 1152 + 4096.0 * 1152 + 2 * 1152, alone;
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b sequence_length=8192", "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    alone = figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL);
    question_set(&q, tower, "", "");
    question_compute(&q, CSZ_DEPTH_MODEL);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL) - alone + outside, 416866032.0);
    question_close(&q);
}
END_TEST

/* ---- Arithmetic ---- */

START_TEST(sizing_arithmetic)
{
    double value;
    /* 6 x 70e9 x 1e12 at 40% of 1979e12 and of the dense 989.4e12 over 336 hours: 439 and 878; 13B,
     * 260e9 tokens, A100, 45%, 168 hours: 239. */
    ck_assert_int_eq(
        csz_arithmetic_accelerators(6 * 70e9 * 1e12, 1979e12, 0.4, 336 * 3600.0, &value), CSZ_OK);
    ck_assert_double_eq(ceil(value), 439);
    ck_assert_int_eq(
        csz_arithmetic_accelerators(6 * 70e9 * 1e12, 989.4e12, 0.4, 336 * 3600.0, &value), CSZ_OK);
    ck_assert_double_eq(ceil(value), 878);
    ck_assert_int_eq(
        csz_arithmetic_accelerators(6 * 13e9 * 260e9, 312e12, 0.45, 168 * 3600.0, &value), CSZ_OK);
    ck_assert_double_eq(ceil(value), 239);
    /* Narayanan et al. 2021, equation 4 and section 5.10: 175B, 300e9 tokens, 1,024 A100 at 140e12:
     * 34 days; 1T, 450e9 tokens, 3,072 at 163e12: 84 days. */
    ck_assert_int_eq(csz_arithmetic_seconds(8 * 300e9 * 175e9, 1024, 140e12, 1, &value), CSZ_OK);
    ck_assert_double_eq(round(value / 86400), 34);
    ck_assert_int_eq(csz_arithmetic_seconds(8 * 450e9 * 1008e9, 3072, 163e12, 1, &value), CSZ_OK);
    ck_assert_double_eq(round(value / 86400), 84);
    ck_assert_int_eq(csz_arithmetic_seconds(0, 1, 1, 1, &value), CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_arithmetic_seconds(1, 1, 1, 1.5, &value), CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_arithmetic_seconds((double)NAN, 1, 1, 1, &value), CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_arithmetic_seconds(1e300, 1e-300, 1, 1, &value), CSZ_ERR_RANGE);
}
END_TEST

/* ---- Layout ---- */

/* Llama-3.1-405B: 126 layers on 16 stages with one less on both ends (arXiv 2407.21783,
 * section 3.3.2: one layer fewer on the first and last stage). DeepSeek-V3's 61 on 16: every stage
 * 3 or 4, none lost. */
START_TEST(uneven_stages)
{
    static const struct {
        const char *model;
        double layers, first, middle, last;
    } m[] = {{"llama-3.1-405b", 126, 7, 8, 7}, {"deepseek-v3", 61, 3, 4, 3}};
    double sum = 0;
    char workload[120];
    question q;
    question_open(&q);
    (void)snprintf(workload, sizeof workload, "model=%s sequence_length=4096 global_batch=128",
                   m[_i].model);
    question_set(&q, workload, "accelerator=h100-sxm-80gb accelerators=128", "pp=16 tp=8");
    question_compute(&q, CSZ_DEPTH_FIT);
    ck_assert_uint_eq(csz_estimate_count(q.estimate, CSZ_ESTIMATE_STAGE_LAYERS), 16);
    for (size_t i = 0; i < 16; i++) {
        double layers = figure_at(&q, CSZ_ESTIMATE_STAGE_LAYERS, i);
        ck_assert_msg(fabs(layers - m[_i].first) <= 1, "stage %zu holds %g", i, layers);
        sum += layers;
    }
    ck_assert_double_eq(sum, m[_i].layers);
    ck_assert_double_eq(figure_at(&q, CSZ_ESTIMATE_STAGE_LAYERS, 0), m[_i].first);
    ck_assert_double_eq(figure_at(&q, CSZ_ESTIMATE_STAGE_LAYERS, 5), m[_i].middle);
    ck_assert_double_eq(figure_at(&q, CSZ_ESTIMATE_STAGE_LAYERS, 15), m[_i].last);
    question_close(&q);
}
END_TEST

/* ---- Time ---- */

/* Published step times that the constants were fitted on, each within the 80% band that the library
 * prints: Narayanan et al. 2021, table 1 (175B on 1,024 A100: 140 TFLOP/s by equation 3, 1,536
 * sequences); Korthikanti et al. 2022, table 5 (175B, selective and sequence parallel: 13.75 s);
 * Llama 3, table 4 (405B on 16,384 H100 at 8,192 tokens: 400 TFLOP/s, that is 6.5 s for 16M tokens
 * of 2.53e12 FLOP; 16 stages interleaved). */
START_TEST(published_step_times)
{
    static const struct {
        const char *workload, *cluster, *plan;
        double seconds;
    } m[] = {
        {"hidden=12288 heads=96 ffn=49152 gated_mlp=no layers=96 vocab=51200 tied_embeddings=yes "
         "sequence_length=2048 "
         "global_batch=1536 compute_format=fp16",
         "accelerator=a100-sxm-80gb accelerators=1024",
         "tp=8 pp=16 stack=legacy recompute=full sequence_parallel=no", 32.0},
        {"hidden=12288 heads=96 ffn=49152 gated_mlp=no layers=96 vocab=51200 tied_embeddings=yes "
         "sequence_length=2048 "
         "global_batch=64 compute_format=fp16",
         "accelerator=a100-sxm-80gb accelerators=64",
         "tp=8 pp=8 vpp=3 stack=legacy recompute=selective", 13.75},
        {"model=llama-3.1-405b sequence_length=8192 global_batch=2048",
         "accelerator=h100-sxm-80gb accelerators=16384", "tp=8 pp=16 vpp=8 zero=1 stack=megatron",
         6.5},
    };
    double low, high;
    question q;
    question_open(&q);
    question_set(&q, m[_i].workload, m[_i].cluster, m[_i].plan);
    question_compute(&q, CSZ_DEPTH_STEP);
    ck_assert_int_eq(csz_estimate_get_range(q.estimate, CSZ_ESTIMATE_STEP_TIME, &low, NULL, &high),
                     CSZ_OK);
    ck_assert_msg(low <= m[_i].seconds && m[_i].seconds <= high,
                  "row %d: %.3g s outside %.3g to %.3g", _i, m[_i].seconds, low, high);
    question_close(&q);
}
END_TEST

/* Zero Bubble Pipeline Parallelism (arXiv 2401.10241), tables 3 and 4: 28.3B over 32 stages, 96
 * sequences of 1,024 tokens: 3.95 s with 1F1B, 3.45 with ZB-1p, 3.03 with ZB-2p; 43, 44 and 74 GB.
 * No constant was fitted on the latter two. Its table 2: gradients of weights leave the bubble
 * twice, or three times. */
START_TEST(zero_bubble_schedules)
{
    static const struct {
        const char *plan;
        double seconds, bytes;
    } m[] = {{"schedule=1f1b", 3.947, 43e9},
             {"schedule=zb_h1", 3.448, 44e9},
             {"schedule=zb_h2", 3.03, 74e9}};
    double bubble[3];
    question q;
    question_open(&q);
    question_set(&q,
                 "hidden=6144 heads=48 ffn=24576 layers=62 gated_mlp=no vocab=51200 "
                 "sequence_length=1024 global_batch=96 compute_format=fp16 dropout=yes",
                 "accelerator=a100-sxm-80gb accelerators=32",
                 "pp=32 stack=legacy attention_kernel=unfused first_stage_layers=1 "
                 "last_stage_layers=1");
    for (size_t i = 0; i < 3; i++) {
        question_set(&q, "", "", m[i].plan);
        question_compute(&q, CSZ_DEPTH_STEP);
        near(figure(&q, CSZ_ESTIMATE_STEP_TIME), m[i].seconds, 0.1, m[i].plan);
        near(figure(&q, CSZ_ESTIMATE_MEMORY_ALLOCATED), m[i].bytes, 0.08, m[i].plan);
        bubble[i] = figure(&q, CSZ_ESTIMATE_STEP_BUBBLE);
    }
    near(bubble[1] - bubble[2], (bubble[0] - bubble[1]) / 2, 1e-9, "one W of two");
    question_close(&q);
}
END_TEST

/* ---- Failures and checkpoints ---- */

/* Young's interval sqrt(2 w M) and Daly's next order (Daly 2006, equation 37), by hand: a write of
 * 30 s and 3.09 h between failures (Llama 3, table 5: 54 days / 419): 13.6 min, Daly 13.4; 200 s
 * and 50.7 h: 142 min, Daly 139.4. Kokolis et al. (arXiv 2410.21680, equation 1): 12,500 nodes at
 * 2.34e-3 failures a node-day, restart and interval 2 min, write 3 s: expected share 0.916. */
START_TEST(checkpoints)
{
    double m = 54 * 86400.0 / 419, rate = 12500 * 2.34e-3 / 86400;
    near(sqrt(2 * 30 * m) / 60, 13.6, 0.004, "Young");
    near(cszi_daly_interval(30, m) / 60, 13.6 * (1 + 0.0367 / 3 + 30 / (18 * m)) - 0.5, 0.004,
         "Daly");
    near(cszi_daly_interval(200, 50.7 * 3600) / 60, 142.4 * (1 + 0.0234 / 3) - 200 / 60.0, 0.004,
         "Daly, large");
    near(cszi_goodput(rate, 120, 3, 120), 0.916, 0.004, "goodput");
    ck_assert_double_lt(cszi_goodput(rate, 120, 3, 120), cszi_goodput(rate, 120, 1, 120));
    ck_assert_double_lt(cszi_goodput(2 * rate, 120, 3, 120), cszi_goodput(rate, 120, 3, 120));
}
END_TEST

/* BLOOM-176B: 2.3 TB with optimizer state is 13.1 bytes a parameter; bf16 weights, fp32 master and
 * moments are 14. */
START_TEST(checkpoint_bytes)
{
    question q;
    question_open(&q);
    question_set(&q, "model=bloom-176b tokens=366G sequence_length=2048 global_batch=2048",
                 "accelerator=a100-sxm-80gb accelerators=384",
                 "tp=4 pp=12 zero=1 stack=legacy recompute=full");
    question_compute(&q, CSZ_DEPTH_RUN);
    near(figure(&q, CSZ_ESTIMATE_RUN_CHECKPOINT_BYTES) / figure(&q, CSZ_ESTIMATE_PARAMETERS_TOTAL),
         14, 1e-12, "bytes");
    near(figure(&q, CSZ_ESTIMATE_RUN_CHECKPOINT_BYTES), 2.3e12, 0.08, "BLOOM");
    question_close(&q);
}
END_TEST

/* ---- Batch ---- */

START_TEST(batch_arithmetic)
{
    question q;
    int64_t value;
    question_open(&q);
    question_set(
        &q, "model=llama-3-8b sequence_length=8192 global_batch_tokens=4194304 tokens=1000000001",
        "accelerator=h100-sxm-80gb accelerators=64", "tp=2 pp=2 cp=2 micro_batch=2 zero=1");
    question_compute(&q, CSZ_DEPTH_RUN);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_SEQUENCES), 512);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_DATA_PARALLEL), 8);  /* 64 / (2 x 2 x 2) */
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_MICRO_BATCHES), 32); /* 512 / (8 x 2) */
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_STEPS),
                        239); /* 1000000001 / 4194304, rounded up */
    ck_assert_int_eq(csz_estimate_get_i64(q.estimate, CSZ_ESTIMATE_BATCH_TOKENS, &value), CSZ_OK);
    ck_assert_int_eq(value, 4194304);
    question_close(&q);
}
END_TEST

/* Padded examples of mean 500 in sequences of 2,000: four times the steps' compute for the same
 * tokens, and no more tokens. */
START_TEST(padding_costs_compute_and_is_no_token)
{
    question q;
    double packed, padded;
    question_open(&q);
    question_set(&q,
                 "model=llama-3-8b job=finetune examples=64000 mean_length=500 maximum_length=2000 "
                 "global_batch=64",
                 "accelerator=h100-sxm-80gb accelerators=8", "zero=3");
    question_compute(&q, CSZ_DEPTH_RUN);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_TOKENS_TOTAL), 32e6);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_STEPS), 250); /* 32e6 / (64 x 2000) */
    packed = figure(&q, CSZ_ESTIMATE_RUN_IDEAL_TIME);
    question_set(&q, "packing=padded", "", "");
    question_compute(&q, CSZ_DEPTH_RUN);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_TOKENS_TOTAL), 32e6);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_STEPS), 1000);
    padded = figure(&q, CSZ_ESTIMATE_RUN_IDEAL_TIME);
    near(padded, 4 * packed, 1e-12, "padding");
    question_close(&q);
}
END_TEST

/* Tokens that are said twice must agree: over all phases, and with examples too. */
START_TEST(tokens_agree)
{
    question q;
    question_open(&q);
    question_set(&q, "model=llama-3-8b tokens=14T phases[1].tokens=1T unique_tokens=15T epochs=1",
                 "accelerator=h100-sxm-80gb accelerators=64", "zero=1");
    question_compute(&q, CSZ_DEPTH_RUN);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_TOKENS_TOTAL), 15e12);
    question_set(&q, "unique_tokens=10T", "", "");
    ck_assert_int_eq(csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_RUN),
                     CSZ_ERR_CONFLICT);
    question_close(&q);
    question_open(&q);
    question_set(&q, "model=llama-3-8b job=finetune tokens=1T examples=1000 mean_length=500",
                 "accelerator=h100-sxm-80gb gpus=8", "zero=3");
    ck_assert_int_eq(csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_RUN),
                     CSZ_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(csz_estimate_error(q.estimate, NULL), "examples"));
    ck_assert_int_eq(csz_workload_unset(q.workload, CSZ_WORKLOAD_TOKENS), CSZ_OK);
    question_set(&q, "packing=padded maximum_length=4096 sequence_length=1024", "", "");
    ck_assert_int_eq(csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_RUN),
                     CSZ_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(csz_estimate_error(q.estimate, NULL), "maximum_length"));
    question_close(&q);
}
END_TEST

/* A ramp: each phase has its own step time; the run is their sum. */
START_TEST(phases_add_up)
{
    static const char *const one[] = {"tokens=1G sequence_length=4096 global_batch=512",
                                      "tokens=2G sequence_length=8192 global_batch=1024"};
    double sum = 0, steps = 0;
    question q;
    for (int i = 0; i < 2; i++) {
        question_open(&q);
        question_set(&q, "model=llama-3-8b", "accelerator=h100-sxm-80gb accelerators=64",
                     "tp=2 zero=1");
        question_set(&q, one[i], "", "");
        question_compute(&q, CSZ_DEPTH_RUN);
        sum += figure(&q, CSZ_ESTIMATE_RUN_IDEAL_TIME);
        steps += figure(&q, CSZ_ESTIMATE_BATCH_STEPS);
        question_close(&q);
    }
    question_open(&q);
    question_set(&q, "model=llama-3-8b", "accelerator=h100-sxm-80gb accelerators=64",
                 "tp=2 zero=1");
    question_set(&q, one[0], "", "");
    question_set(&q,
                 "phases[1].tokens=2G phases[1].sequence_length=8192 phases[1].global_batch=1024",
                 "", "");
    question_compute(&q, CSZ_DEPTH_RUN);
    near(figure(&q, CSZ_ESTIMATE_RUN_IDEAL_TIME), sum, 1e-12, "time");
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_STEPS), steps);
    ck_assert_double_eq(figure(&q, CSZ_ESTIMATE_BATCH_TOKENS_TOTAL), 3e9);
    question_close(&q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden");
    TCase *t = tcase_create("golden");
    tcase_add_loop_test(t, activations_of_korthikanti, 0, 4);
    tcase_add_test(t, activations_under_full_recomputation);
    tcase_add_loop_test(t, bytes_per_parameter, 0, (int)(sizeof byte_table / sizeof *byte_table));
    tcase_add_loop_test(t, activations_of_modern_layers, 0, 3);
    tcase_add_test(t, adapters);
    tcase_add_test(t, adapters_of_a_mixture);
    tcase_add_test(t, adapters_gather_frozen_weights);
    tcase_add_test(t, tied_output_layer_is_copied);
    tcase_add_test(t, expert_tensor_parallelism_gathers_tokens);
    tcase_add_test(t, prediction_layers_and_low_precision);
    tcase_add_test(t, tokens_agree);
    tcase_add_test(t, flops_by_hand);
    tcase_add_loop_test(t, flops_conventions, 0, 3);
    tcase_add_test(t, flops_of_llm_foundry);
    tcase_add_test(t, attention_context);
    tcase_add_test(t, parameters_of_deepseek_v3);
    tcase_add_test(t, parameters_of_a_tower);
    tcase_add_test(t, sizing_arithmetic);
    tcase_add_loop_test(t, uneven_stages, 0, 2);
    tcase_add_loop_test(t, published_step_times, 0, 3);
    tcase_add_test(t, zero_bubble_schedules);
    tcase_add_test(t, checkpoints);
    tcase_add_test(t, checkpoint_bytes);
    tcase_add_test(t, batch_arithmetic);
    tcase_add_test(t, padding_costs_compute_and_is_no_token);
    tcase_add_test(t, phases_add_up);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
