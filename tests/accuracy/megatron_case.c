/* megatron_case.c: the models of Megatron-Core's functional tests. A row has the widths; the rest
 * is Megatron-LM's default (arguments.py), what the name of the case says, or an argument in the
 * notes.
 */
#include "widths.h"

#include <stdlib.h>
#include <string.h>

int is_megatron_case(row r)
{
    return row_has(r, "framework", "Megatron-Core CI");
}

/* Cases after a model of today say so in their arguments; the others are GPT-3 as it was. */
static int is_modern(row r)
{
    return row_has(r, "model", "release") || row_has(r, "model", "mixtral") ||
           row_has(r, "model", "deepseek") || row_has(r, "notes", "moe-shared-expert") ||
           row_has(r, "notes", "mtp-num-layers");
}

/* Ranks of the latent cases, by their size: these arguments are not among the notes. */
static const latent *latent_of(row r, const widths *w)
{
    static const latent tiny = {192, 64, 16, 8, 16}, proxy = {256, 128, 128, 64, 128},
                        deepseek = {1536, 512, 128, 64, 128};

    if (!row_has(r, "notes", "multi-latent-attention"))
        return NULL;
    if (!row_has(r, "notes", "kv-channels"))
        return &tiny;
    return w->experts >= 32 ? &deepseek : &proxy;
}

/* --make-vocab-size-divisible-by x tensor_parallel; the tokenizers of the cases. */
static void set_vocab(widths *w, const question *q)
{
    int64_t unit = 128 * q->tp;

    if (w->vocab != 0)
        return;
    w->vocab = row_has(q->row, "model", "release") ? 256000 : 50257;
    if (row_has(q->row, "notes", "multi-latent-attention") && w->experts >= 32)
        unit = 3232 * q->tp;
    w->vocab = (w->vocab + unit - 1) / unit * unit;
}

/* "moe-layer-freq=([0]*3+[1]*11)": 3 dense layers first. */
static void set_dense_layers(widths *w, row r)
{
    double dense;

    if (w->experts > 0 && word_number_after(row_text(r, "notes"), "moe-layer-freq=([0]*", &dense))
        w->dense_layers = (int64_t)dense;
}

static void set_others(phrase *others, const question *q, const widths *w, int modern)
{
    double prediction;

    phrase_add(others, " norm=%s", modern && w->gated ? "rms" : "layer");
    if (!modern)
        phrase_add(others, " dropout=yes");
    if (!modern && !row_has(q->row, "model", "rope"))
        phrase_add(others, " learned_positions=%lld", (long long)q->sequence);
    if (row_has(q->row, "model", "qk_layernorm"))
        phrase_add(others, " qk_norm=head");
    if (word_number_after(row_text(q->row, "notes"), "mtp-num-layers=", &prediction))
        phrase_add(others, " prediction_layers=%.0f", prediction);
}

void question_megatron_case(question *q)
{
    int modern = is_modern(q->row);
    phrase others = {.used = 0};
    widths w;

    if (row_has(q->row, "model", "hybrid") || row_has(q->row, "model", "nemotron") ||
        row_has(q->row, "notes", "hybrid-override-pattern")) {
        phrase_add(&q->skip, "the pattern of its hybrid layers is not in the row");
        return;
    }
    widths_read(&w, q->row);
    if (w.ffn == 0) /* arguments.py rounds 8/3 to a multiple of 64 */
        w.ffn = w.gated ? w.hidden * 4 * 2 / 3 / 64 * 64 : 4 * w.hidden;
    if (w.experts > 0 && w.expert_ffn == 0)
        w.expert_ffn = w.ffn;
    w.biases = !modern && w.experts == 0 && !row_has(q->row, "model", "disable_bias");
    w.latent = latent_of(q->row, &w);
    set_vocab(&w, q);
    set_dense_layers(&w, q->row);
    set_others(&others, q, &w, modern);
    w.others = others.data;
    widths_apply(&w, q);
    q->last_rank = 1;
}
