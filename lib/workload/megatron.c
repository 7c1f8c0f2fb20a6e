/* megatron.c: from the options of a Megatron-LM launch to a workload. What is left out and what
 * follows from what is that of validate_args in megatron/training/arguments.py and of
 * megatron/core/transformer/transformer_config.py (d98e8a64, 2026-08). */
#include "workload/megatron.h"

#include <string.h>

#include "base/checked.h"
#include "workload/layer_runs.h"
#include "workload/megatron_options.h"

#define MARK_EXPERTS 1u
#define MARK_WINDOW 2u

typedef struct reader {
    cszi_workload *workload;
    cszi_words words;
    int whole; /* the text has num-layers */
    cszi_option_value values[CSZI_MG_SLOTS];
    unsigned char marks[CSZI_MEGATRON_LAYERS]; /* MARK_ bits of each layer */
} reader;

#define GIVEN(slot) (r->values[CSZI_MG_##slot].given)
#define NUMBER(slot) number_of(r, CSZI_MG_##slot)
#define PUT(slot, number, from) put(r, CSZI_MG_##slot, number, CSZI_MG_##from)
#define ELSE(slot, number) put_default(r, CSZI_MG_##slot, number)

static int64_t number_of(const reader *r, cszi_megatron_slot slot)
{
    return r->values[slot].given ? r->values[slot].number : 0;
}

/* A value that follows from another, whose place messages then name. */
static void put(reader *r, cszi_megatron_slot slot, int64_t number, cszi_megatron_slot from)
{
    r->values[slot].place = r->values[from].place;
    r->values[slot].number = number;
    r->values[slot].given = 1;
}

/* What Megatron-LM takes when a whole list does not say. */
static void put_default(reader *r, cszi_megatron_slot slot, int64_t number)
{
    if (r->whole && !r->values[slot].given)
        put(r, slot, number, CSZI_MG_LAYER_COUNT);
}

static csz_status fail_at(const reader *r, cszi_megatron_slot slot, csz_status status,
                          const char *message)
{
    return cszi_words_fail(&r->words, r->values[slot].place.begin, status,
                           cszi_megatron_fields[slot], "%s", message);
}

static int64_t product(int64_t a, int64_t b)
{
    int64_t result = CSZI_COUNT_MAX;
    (void)cszi_multiply(a, b, &result);
    return result;
}

/* ---- The model ---- */

static csz_status check_whole(const reader *r)
{
    if (!r->whole)
        return CSZ_OK;
    if (!GIVEN(HIDDEN))
        return fail_at(r, CSZI_MG_LAYER_COUNT, CSZ_ERR_MISSING,
                       "--hidden-size: is missing beside the --num-layers");
    if (!GIVEN(HEADS))
        return fail_at(r, CSZI_MG_LAYER_COUNT, CSZ_ERR_MISSING,
                       "--num-attention-heads: is missing beside the --num-layers");
    if (NUMBER(LAYER_COUNT) > CSZI_MEGATRON_LAYERS)
        return fail_at(r, CSZI_MG_LAYER_COUNT, CSZ_ERR_LIMIT,
                       "--num-layers: more than the 1024 that are read");
    return CSZ_OK;
}

/* A gated MLP is made narrower, so that its three matrices weigh as much as two of 4h. */
static void derive_widths(reader *r)
{
    int64_t h = NUMBER(HIDDEN), heads = NUMBER(HEADS);
    ELSE(GATED, 0);
    if (r->whole && !GIVEN(FFN)) {
        int64_t four = product(4, h);
        PUT(FFN, NUMBER(GATED) ? product(4, h) * 2 / 3 / 64 * 64 : four, HIDDEN);
    }
    if (r->whole && !GIVEN(HEAD_DIM) && heads > 0 && h % heads != 0)
        PUT(HEAD_DIM, h / heads, HEADS);
    if (NUMBER(GROUPED)) {
        ELSE(QUERY_GROUPS, 1);
        if (GIVEN(QUERY_GROUPS))
            PUT(KV_HEADS, NUMBER(QUERY_GROUPS), QUERY_GROUPS);
    }
}

static void derive_biases(reader *r)
{
    ELSE(BIAS, 1);
    if (GIVEN(BIAS)) {
        PUT(ATTENTION_BIAS, NUMBER(BIAS), BIAS);
        PUT(MLP_BIAS, NUMBER(BIAS), BIAS);
        PUT(EXPERT_BIAS, NUMBER(BIAS), BIAS);
        PUT(QKV_BIAS, NUMBER(BIAS), BIAS);
    }
    if (NUMBER(ADDED_QKV_BIAS))
        PUT(QKV_BIAS, 1, ADDED_QKV_BIAS);
}

static void derive_latent(reader *r)
{
    ELSE(ATTENTION, CSZ_ATTENTION_GROUPED);
    if (NUMBER(ATTENTION) != CSZ_ATTENTION_LATENT)
        return;
    ELSE(KV_RANK, 32);
    ELSE(NOPE_DIM, 128);
    ELSE(ROPE_DIM, 64);
    ELSE(VALUE_DIM, 128);
}

static void derive_experts(reader *r)
{
    if (NUMBER(EXPERTS) == 0)
        return;
    ELSE(TOPK, 2);
    if (!GIVEN(EXPERT_FFN) && GIVEN(FFN))
        PUT(EXPERT_FFN, NUMBER(FFN), FFN);
}

static csz_status derive_positions(reader *r)
{
    ELSE(POSITION_TYPE, 1);
    if (!GIVEN(POSITION_TYPE))
        return CSZ_OK;
    if (NUMBER(POSITION_TYPE) == 0) {
        PUT(POSITIONS, 0, POSITION_TYPE);
        return CSZ_OK;
    }
    if (!GIVEN(POSITION_ROWS))
        return fail_at(r, CSZI_MG_POSITION_TYPE, CSZ_ERR_MISSING,
                       "--max-position-embeddings: is missing, and learned positions need it");
    PUT(POSITIONS, NUMBER(POSITION_ROWS), POSITION_ROWS);
    return CSZ_OK;
}

/* Rows are added until every tensor rank holds as many, a multiple of 128 unless said otherwise. */
static void derive_vocab(reader *r)
{
    int64_t size = NUMBER(VOCAB_SIZE), multiple = GIVEN(DIVISIBLE) ? NUMBER(DIVISIBLE) : 128;
    if (GIVEN(PADDED_VOCAB)) {
        PUT(VOCAB, NUMBER(PADDED_VOCAB), PADDED_VOCAB);
    } else if (size > 0) {
        if (GIVEN(TENSOR_PARALLEL))
            multiple = product(multiple, NUMBER(TENSOR_PARALLEL));
        PUT(VOCAB, product(size / multiple + (size % multiple != 0), multiple), VOCAB_SIZE);
    }
}

static csz_status derive_model(reader *r)
{
    csz_status status = check_whole(r);
    if (status == CSZ_OK)
        status = derive_positions(r);
    ELSE(TIED, 1);
    ELSE(NORM, CSZ_NORM_LAYER);
    ELSE(DROPOUT, 1); /* 0.1 */
    derive_widths(r);
    derive_biases(r);
    derive_latent(r);
    derive_experts(r);
    derive_vocab(r);
    return status;
}

/* ---- Which layers have experts and windows ---- */

/* "(128,0)": tokens before and after; -1 before is no window. The library's window counts the token
 * itself. */
static csz_status read_window(reader *r)
{
    cszi_word rest = r->values[CSZI_MG_WINDOW_SIZE].place;
    int64_t before = 0;
    int c, negative = 0, digits = 0;
    if (!GIVEN(WINDOW_SIZE))
        return CSZ_OK;
    do
        c = cszi_word_next(&r->words, &rest);
    while (c == '(' || c == ' ');
    if (c == '-') {
        negative = 1;
        c = cszi_word_next(&r->words, &rest);
    }
    for (; c >= '0' && c <= '9'; c = cszi_word_next(&r->words, &rest), digits++)
        before = before < CSZI_COUNT_MAX / 16 ? before * 10 + (c - '0') : before;
    if (digits == 0 || c != ',')
        return fail_at(r, CSZI_MG_WINDOW_SIZE, CSZ_ERR_SYNTAX,
                       "--window-size: expected two whole numbers, as 128,0");
    if (!negative)
        PUT(WINDOW, before + 1, WINDOW_SIZE);
    return CSZ_OK;
}

/* A pattern option as marks: a list that names each layer, or a number that by_number explains. */
static csz_status read_pattern(reader *r, cszi_megatron_slot slot, const char *name, unsigned bit,
                               int (*by_number)(int64_t layer, int64_t number))
{
    int64_t layers = NUMBER(LAYER_COUNT), length = 0, number = 1;
    csz_status status = CSZ_OK;
    if (r->values[slot].given)
        status = cszi_option_list(&r->words, r->values[slot].place, name, r->marks,
                                  (unsigned char)bit, CSZI_MEGATRON_LAYERS, &length, &number);
    else
        by_number = NULL;
    if (status != CSZ_OK)
        return status;
    if (!r->whole)
        return !r->values[slot].given
                   ? CSZ_OK
                   : fail_at(r, slot, CSZ_ERR_MISSING,
                             "--num-layers: is missing, and a pattern of layers needs it");
    if (r->values[slot].given && number == 0 && length != layers)
        return cszi_words_fail(&r->words, r->values[slot].place.begin, CSZ_ERR_CONFLICT,
                               CSZ_WORKLOAD_LAYERS, "--%s: %lld layers, but --num-layers is %lld",
                               name, (long long)length, (long long)layers);
    for (int64_t i = 0; i < layers && number != 0; i++)
        if (by_number == NULL || by_number(i, number))
            r->marks[i] = (unsigned char)(r->marks[i] | bit);
    return CSZ_OK;
}

/* One layer of experts, then n - 1 dense ones. */
static int expert_layer(int64_t layer, int64_t number)
{
    return layer % number == 0;
}

/* n - 1 layers with a window, then one without. */
static int window_layer(int64_t layer, int64_t number)
{
    return (layer + 1) % number != 0;
}

static csz_status mark_layers(reader *r)
{
    csz_status status = read_window(r);
    if (status == CSZ_OK && NUMBER(EXPERTS) > 0)
        status =
            read_pattern(r, CSZI_MG_EXPERT_PATTERN, "moe-layer-freq", MARK_EXPERTS, expert_layer);
    if (status == CSZ_OK && GIVEN(WINDOW))
        status = read_pattern(r, CSZI_MG_WINDOW_PATTERN, "window-attn-skip-freq", MARK_WINDOW,
                              window_layer);
    return status;
}

/* ---- The job ---- */

/* Without bf16 and fp16 weights, gradients and products are fp32. In bf16 gradients are accumulated
 * in fp32 unless they are reduced in bf16; in fp16 only when asked. */
static void derive_formats(reader *r)
{
    int64_t format = NUMBER(BF16)   ? CSZ_FORMAT_BF16
                     : NUMBER(FP16) ? CSZ_FORMAT_FP16
                                    : CSZ_FORMAT_FP32;
    cszi_megatron_slot from = NUMBER(BF16)   ? CSZI_MG_BF16
                              : NUMBER(FP16) ? CSZI_MG_FP16
                                             : CSZI_MG_LAYER_COUNT;
    int said = NUMBER(BF16) || NUMBER(FP16);
    if (said || r->whole) {
        put(r, CSZI_MG_COMPUTE, format, from);
        put(r, CSZI_MG_WEIGHT, format, from);
        put(r, CSZI_MG_ACTIVATION, format, from);
        put(r, CSZI_MG_MASTER, said ? CSZ_FORMAT_FP32 : CSZ_FORMAT_NONE, from);
        put(r, CSZI_MG_GRADIENT, NUMBER(FP16) ? CSZ_FORMAT_FP16 : CSZ_FORMAT_FP32, from);
    }
    if (NUMBER(GRADIENTS_FP32))
        PUT(GRADIENT, CSZ_FORMAT_FP32, GRADIENTS_FP32);
    if (NUMBER(GRADIENTS_BF16))
        PUT(GRADIENT, CSZ_FORMAT_BF16, GRADIENTS_BF16);
    if (NUMBER(FP8))
        PUT(COMPUTE, CSZ_FORMAT_FP8, FP8);
    if (NUMBER(FP8_WEIGHTS))
        PUT(WEIGHT, CSZ_FORMAT_FP8, FP8_WEIGHTS);
    if (NUMBER(FP4))
        PUT(COMPUTE, CSZ_FORMAT_FP4, FP4);
    if (NUMBER(FP4_WEIGHTS))
        PUT(WEIGHT, CSZ_FORMAT_FP4, FP4_WEIGHTS);
}

/* The options of the precision-aware optimizer count only with it, those of FSDP only with FSDP. */
static csz_status derive_states(reader *r)
{
    int64_t first = GIVEN(FIRST_MOMENT) ? NUMBER(FIRST_MOMENT) : CSZ_FORMAT_FP32;
    int64_t second = GIVEN(SECOND_MOMENT) ? NUMBER(SECOND_MOMENT) : CSZ_FORMAT_FP32;
    if (NUMBER(PRECISION_AWARE)) {
        if (NUMBER(MAIN_GRADIENTS))
            PUT(GRADIENT, NUMBER(MAIN_GRADIENTS), MAIN_GRADIENTS);
        if (NUMBER(MAIN_WEIGHTS))
            PUT(MASTER, NUMBER(MAIN_WEIGHTS), MAIN_WEIGHTS);
        if (first != second)
            return fail_at(r, GIVEN(FIRST_MOMENT) ? CSZI_MG_FIRST_MOMENT : CSZI_MG_SECOND_MOMENT,
                           CSZ_ERR_UNKNOWN,
                           "--exp-avg-dtype and --exp-avg-sq-dtype: two formats are not expressed "
                           "by the fields");
        PUT(STATE, first, PRECISION_AWARE);
    }
    if (NUMBER(FSDP) && NUMBER(FSDP_GRADIENTS))
        PUT(GRADIENT, NUMBER(FSDP_GRADIENTS), FSDP_GRADIENTS);
    if (NUMBER(FSDP) && NUMBER(FSDP_WEIGHTS))
        PUT(MASTER, NUMBER(FSDP_WEIGHTS), FSDP_WEIGHTS);
    return CSZ_OK;
}

static csz_status derive_job(reader *r)
{
    if (NUMBER(BF16) && NUMBER(FP16))
        return fail_at(r, CSZI_MG_FP16, CSZ_ERR_CONFLICT, "--bf16 and --fp16: one of them");
    if (GIVEN(SAMPLES) && GIVEN(ITERATIONS))
        return fail_at(r, CSZI_MG_SAMPLES, CSZ_ERR_CONFLICT,
                       "--train-samples and --train-iters: one of them");
    ELSE(OPTIMIZER, CSZ_OPTIMIZER_ADAMW);
    if (NUMBER(OPTIMIZER) == CSZ_OPTIMIZER_MOMENTUM && GIVEN(MOMENTUM) && !NUMBER(MOMENTUM))
        PUT(OPTIMIZER, CSZ_OPTIMIZER_SGD, MOMENTUM);
    /* A batch that grows leaves the tokens of so many steps open. */
    if (GIVEN(SAMPLES) && GIVEN(SEQUENCE))
        PUT(TOKENS, product(NUMBER(SAMPLES), NUMBER(SEQUENCE)), SAMPLES);
    else if (GIVEN(ITERATIONS) && GIVEN(BATCH) && GIVEN(SEQUENCE) && !GIVEN(RAMP))
        PUT(TOKENS, product(product(NUMBER(ITERATIONS), NUMBER(BATCH)), NUMBER(SEQUENCE)),
            ITERATIONS);
    derive_formats(r);
    return derive_states(r);
}

/* ---- Setting ---- */

static csz_status set_field(reader *r, csz_field field, size_t index, cszi_megatron_slot slot,
                            int64_t number)
{
    cszi_error error;
    csz_status status;
    cszi_error_clear(&error);
    status = cszi_field_set_i64(&cszi_workload_table, r->workload,
                                cszi_table_row(&cszi_workload_table, field), index, number, &error);
    if (status == CSZ_OK)
        return CSZ_OK;
    return cszi_words_fail(&r->words, r->values[slot].place.begin, status, field, "%s", error.text);
}

static csz_status set_slots(reader *r, cszi_megatron_slot first, cszi_megatron_slot last,
                            size_t index)
{
    csz_status status = CSZ_OK;
    for (int slot = (int)first; slot <= (int)last && status == CSZ_OK; slot++)
        if (r->values[slot].given)
            status = set_field(r, cszi_megatron_fields[slot], index, (cszi_megatron_slot)slot,
                               r->values[slot].number);
    return status;
}

/* Of a list that is not whole, everything goes into the first kind. */
static csz_status set_kind(reader *r, unsigned marks, size_t index)
{
    csz_status status = set_slots(r, CSZI_MG_ATTENTION, CSZI_MG_ATTENTION_BIAS, index);
    int latent = NUMBER(ATTENTION) == CSZ_ATTENTION_LATENT;
    if (status == CSZ_OK && (!latent || !r->whole))
        status = set_slots(r, CSZI_MG_KV_HEADS, CSZI_MG_QKV_BIAS, index);
    if (status == CSZ_OK && (latent || !r->whole))
        status = set_slots(r, CSZI_MG_QUERY_RANK, CSZI_MG_VALUE_DIM, index);
    if (status == CSZ_OK && ((marks & MARK_WINDOW) != 0 || !r->whole))
        status = set_slots(r, CSZI_MG_WINDOW, CSZI_MG_WINDOW, index);
    if (status == CSZ_OK && ((marks & MARK_EXPERTS) == 0 || !r->whole))
        status = set_slots(r, CSZI_MG_FFN, CSZI_MG_MLP_BIAS, index);
    if (status == CSZ_OK && ((marks & MARK_EXPERTS) != 0 || !r->whole))
        status = set_slots(r, CSZI_MG_EXPERTS, CSZI_MG_ROUTER_GROUPS, index);
    return status;
}

static csz_status set_layers(reader *r)
{
    cszi_layer_runs runs;
    csz_status status = CSZ_OK;
    cszi_layer_runs_begin(&runs, r->marks, NUMBER(LAYER_COUNT));
    while (status == CSZ_OK && cszi_layer_runs_next(&runs)) {
        size_t run = (size_t)runs.run;
        if (runs.is_new)
            status = set_kind(r, r->marks[runs.end - 1], (size_t)runs.kind);
        if (status == CSZ_OK)
            status = set_field(r, CSZ_WORKLOAD_LAYERS, run, CSZI_MG_LAYER_COUNT, runs.count);
        if (status == CSZ_OK)
            status = set_field(r, CSZ_WORKLOAD_LAYER_KIND, run, CSZI_MG_LAYER_COUNT, runs.kind);
    }
    return status;
}

/* The vocabulary is the tokenizer's, which a list of arguments may leave to a file. */
static csz_status set_model(reader *r)
{
    int64_t vocab = cszi_workload_has(r->workload, CSZ_WORKLOAD_VOCAB) ? r->workload->vocab : 0;
    csz_status status;
    if (r->whole) {
        cszi_workload_clear_model(r->workload);
        if (vocab != 0 && !GIVEN(VOCAB))
            PUT(VOCAB, vocab, LAYER_COUNT);
    }
    status = set_slots(r, CSZI_MG_HIDDEN, CSZI_MG_DROPOUT, 0);
    if (status != CSZ_OK)
        return status;
    return r->whole ? set_layers(r) : set_kind(r, 0, 0);
}

csz_status cszi_workload_load_megatron(cszi_workload *workload, const char *text, size_t length,
                                       cszi_error *error)
{
    reader r;
    csz_status status;
    memset(&r, 0, sizeof r);
    r.workload = workload;
    status = cszi_options_read(&r.words, text, length, cszi_megatron_options,
                               cszi_megatron_option_count, cszi_megatron_fields, r.values, error);
    r.whole = r.values[CSZI_MG_LAYER_COUNT].given;
    if (status == CSZ_OK)
        status = derive_model(&r);
    if (status == CSZ_OK)
        status = mark_layers(&r);
    if (status == CSZ_OK)
        status = derive_job(&r);
    if (status == CSZ_OK)
        status = set_model(&r);
    if (status == CSZ_OK && r.values[CSZI_MG_BATCH].given)
        cszi_field_unset(&cszi_workload_table, workload,
                         cszi_table_row(&cszi_workload_table, CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS));
    if (status == CSZ_OK)
        status = set_slots(&r, CSZI_MG_JOB, CSZI_MG_BATCH, 0);
    return status;
}
