/* limits.c: what the numbers of a row can be. Whatever is beyond is a slip of whoever wrote the
 * row, and no default takes its place. */
#include "question.h"

#include <math.h>
#include <string.h>

#define MANY 1048576 /* sequences, steps */
#define DEGREE 65536 /* the product of three leaves room in 64 bits */
#define WIDTH 16777216
#define READING 1e9

static const struct {
    const char *name;
    int whole;
    double lowest, highest;
} columns[] = {
    {"gpus", 1, 0, MOST_RANKS},
    {"gpus_per_node", 1, 0, DEGREE},
    {"tp", 1, 0, DEGREE},
    {"pp", 1, 0, DEGREE},
    {"vp", 1, 0, DEGREE},
    {"cp", 1, 0, DEGREE},
    {"ep", 1, 0, DEGREE},
    {"etp", 1, 0, DEGREE},
    {"dp", 1, 0, MOST_RANKS},
    {"sp", 1, 0, 1},
    {"zero_stage", 1, 0, 3},
    {"micro_batch", 0, 1.0 / 4096, MANY}, /* below 1: a share of a sequence */
    {"grad_accum", 1, 0, MANY},
    {"global_batch", 1, 0, 4294967296.0},
    {"seq_len", 1, 0, 1073741824},
    {"lora_rank", 1, 0, WIDTH},
    {"layers", 1, 0, DEGREE},
    {"hidden", 1, 0, WIDTH},
    {"ffn", 1, 0, WIDTH},
    {"heads", 1, 0, DEGREE},
    {"kv_heads", 1, 0, DEGREE},
    {"head_dim", 1, 0, DEGREE},
    {"vocab", 1, 0, 1073741824},
    {"experts", 1, 0, DEGREE},
    {"topk", 1, 0, DEGREE},
    {"moe_ffn", 1, 0, WIDTH},
    {"shared_ffn", 1, 0, WIDTH},
    {"dense_layers", 1, 0, DEGREE},
    {"gated_mlp", 1, 0, 1},
    {"tied_embed", 1, 0, 1},
    {"params_total_b", 0, 0, 1e6},
    {"year", 1, 2000, 2100},
    {"measured_peak_gib", 0, 0, 1e6},
    {"peak_mem_gb", 0, 0, 1e6},
    {"step_time_s", 0, 0, READING},
    {"tokens_per_s_per_gpu", 0, 0, READING},
    {"model_tflops_per_gpu", 0, 0, READING},
    {"peak_tflops_used", 0, 0, READING},
    {"mfu_pct", 0, 0, 100},
    {"hfu_pct", 0, 0, 100},
};

/* Words such as "not stated" are as good as an empty cell. */
static int is_attempt(const char *text)
{
    return strpbrk(text, "0123456789") != NULL || word_among(text, "inf") ||
           word_among(text, "infinity") || word_among(text, "nan");
}

void question_limits(question *q)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns && q->skip.used == 0; i++) {
        const char *text = row_text(q->row, columns[i].name);
        double value, low = columns[i].lowest, high = columns[i].highest;
        int read = word_number(text, &value);

        if (read ? value < low || value > high || (columns[i].whole && value > floor(value))
                 : is_attempt(text))
            phrase_add(&q->skip, "%s=%.40s is no %snumber from %.10g to %.10g", columns[i].name,
                       text, columns[i].whole ? "whole " : "", low, high);
    }
}
