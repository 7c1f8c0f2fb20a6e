#include "widths.h"

#include <math.h>
#include <stdlib.h>

void widths_read(widths *w, row r)
{
    *w = (widths){
        .layers = row_count(r, "layers", 0),
        .hidden = row_count(r, "hidden", 0),
        .ffn = row_count(r, "ffn", 0),
        .heads = row_count(r, "heads", 0),
        .kv_heads = row_count(r, "kv_heads", 0),
        .head_dim = row_count(r, "head_dim", 0),
        .vocab = row_count(r, "vocab", 0),
        .experts = row_count(r, "experts", 0),
        .topk = row_count(r, "topk", 1),
        .expert_ffn = row_count(r, "moe_ffn", 0),
        .shared_ffn = row_count(r, "shared_ffn", 0),
        .dense_layers = row_count(r, "dense_layers", 0),
        .gated = row_count(r, "gated_mlp", 1) != 0,
        .tied = row_count(r, "tied_embed", 0) != 0,
        .others = "",
    };
    if (w->experts > 0 && w->expert_ffn == 0)
        w->expert_ffn = w->ffn;
}

static void add_latent(phrase *t, const latent *l, int kind)
{
    phrase_add(t, " kinds[%d].attention=latent kinds[%d].query_rank=%d kinds[%d].kv_rank=%d", kind,
               kind, l->query, kind, l->kv);
    phrase_add(t, " kinds[%d].nope_dim=%d kinds[%d].rope_dim=%d kinds[%d].value_dim=%d", kind,
               l->nope, kind, l->rope, kind, l->value);
}

static void add_kind(phrase *t, const widths *w, int kind, int mixture)
{
    phrase_add(t, " kinds[%d].heads=%lld", kind, (long long)w->heads);
    if (w->latent == NULL && w->kv_heads > 0)
        phrase_add(t, " kinds[%d].kv_heads=%lld", kind, (long long)w->kv_heads);
    if (w->latent == NULL && w->head_dim > 0)
        phrase_add(t, " kinds[%d].head_dim=%lld", kind, (long long)w->head_dim);
    if (w->latent != NULL)
        add_latent(t, w->latent, kind);
    phrase_add(t, " kinds[%d].gated_mlp=%s", kind, w->gated ? "yes" : "no");
    if (w->biases)
        phrase_add(t, " kinds[%d].qkv_bias=yes kinds[%d].attention_bias=yes kinds[%d].mlp_bias=%s",
                   kind, kind, kind, mixture ? "no" : "yes");
    if (mixture)
        phrase_add(t,
                   " kinds[%d].experts=%lld kinds[%d].experts_per_token=%lld "
                   "kinds[%d].expert_ffn=%lld kinds[%d].shared_ffn=%lld",
                   kind, (long long)w->experts, kind, (long long)w->topk, kind,
                   (long long)w->expert_ffn, kind, (long long)w->shared_ffn);
    else
        phrase_add(t, " kinds[%d].ffn=%lld", kind, (long long)w->ffn);
}

void widths_apply(const widths *w, question *q)
{
    int64_t dense = w->experts == 0 ? w->layers : w->dense_layers;
    int run = 0;
    phrase t = {.used = 0};

    phrase_add(&t, "hidden=%lld vocab=%lld tied_embeddings=%s%s", (long long)w->hidden,
               (long long)w->vocab, w->tied ? "yes" : "no", w->others);
    if (dense > 0) {
        phrase_add(&t, " runs[0].layers=%lld runs[0].layer_kind=0", (long long)dense);
        add_kind(&t, w, run++, 0);
    }
    if (dense < w->layers) {
        phrase_add(&t, " runs[%d].layers=%lld runs[%d].layer_kind=%d", run,
                   (long long)(w->layers - dense), run, run);
        add_kind(&t, w, run, 1);
    }
    if (csz_workload_set(q->workload, NULL, t.data) != CSZ_OK)
        phrase_add(&q->skip, "model: %s", csz_workload_error(q->workload, NULL));
}

/* A name such as GPT-183B gives the layers that its width needs for that count. */
static void layers_of_name(widths *w, question *q)
{
    double billions, h = (double)w->hidden;

    if (w->layers > 0)
        return;
    if (!row_number(q->row, "params_total_b", &billions)) {
        phrase_add(&q->skip, "no number of layers");
        return;
    }
    w->layers = llround((billions * 1e9 - (double)w->vocab * h) / (12 * h * h));
    question_fill(q, 1, "layers=%lld of the parameter count", (long long)w->layers);
}

/* Of the counts that divide width and ranks, the one whose heads are nearest to 128 wide. */
static int64_t likely_heads(int64_t hidden, int64_t ranks)
{
    int64_t best = ranks;

    for (int64_t heads = ranks; heads <= hidden / 16; heads += ranks)
        if (hidden % heads == 0 && llabs(hidden / heads - 128) < llabs(hidden / best - 128))
            best = heads;
    return best;
}

void question_widths(question *q)
{
    int gpt = row_has(q->row, "model", "GPT");
    phrase others = {.used = 0};
    widths w;

    widths_read(&w, q->row);
    if (w.vocab == 0) {
        w.vocab = 51200;
        question_fill(q, 1, "vocab=51200");
    }
    layers_of_name(&w, q);
    if (w.heads == 0) {
        w.heads = likely_heads(w.hidden, q->tp);
        question_fill(q, 1, "heads=%lld", (long long)w.heads);
    }
    if (w.ffn == 0 && w.experts == 0) {
        w.ffn = w.gated ? w.hidden * 8 / 3 / 256 * 256 : 4 * w.hidden;
        question_fill(q, 0, "ffn=%lld", (long long)w.ffn);
    }
    if (gpt && !w.gated) {
        w.biases = 1;
        phrase_add(&others, " norm=layer learned_positions=%lld", (long long)q->sequence);
    } else if (!w.gated)
        phrase_add(&others, " norm=layer_no_bias");
    w.others = others.data;
    if (q->skip.used == 0)
        widths_apply(&w, q);
}
