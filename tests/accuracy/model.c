/* model.c: the model of a row: a catalog entry, cut to fewer layers where it says so; else its
 * widths; else a configuration known here. */
#include "models.h"
#include "question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t total_layers(const csz_workload *w)
{
    size_t runs = csz_workload_count(w, CSZ_WORKLOAD_LAYERS);
    double layers, total = 0;

    for (size_t i = 0; i < runs; i++)
        if (csz_workload_get_f64_at(w, CSZ_WORKLOAD_LAYERS, i, &layers) == CSZ_OK)
            total += layers;
    return llround(total);
}

/* The first layers of the runs; the last run takes what is missing. dense: layers of the first run
 * of several, or -1. */
static void cut_layers(question *q, int64_t layers, int64_t dense)
{
    size_t runs = csz_workload_count(q->workload, CSZ_WORKLOAD_LAYERS);
    int64_t left = layers;
    phrase t = {.used = 0};

    phrase_add(&t, "{\"runs\":[");
    for (size_t i = 0; i < runs && left > 0; i++) {
        double count = 0, kind = 0;
        (void)csz_workload_get_f64_at(q->workload, CSZ_WORKLOAD_LAYERS, i, &count);
        (void)csz_workload_get_f64_at(q->workload, CSZ_WORKLOAD_LAYER_KIND, i, &kind);
        if (i == 0 && dense >= 0 && runs > 1)
            count = (double)dense;
        if (i + 1 == runs || count > (double)left)
            count = (double)left;
        left -= llround(count);
        if (count > 0)
            phrase_add(&t, "%s{\"layers\":%.0f,\"layer_kind\":%.0f}",
                       t.data[t.used - 1] == '[' ? "" : ",", count, kind);
    }
    phrase_add(&t, "]}");
    if (csz_workload_load(q->workload, NULL, CSZ_SOURCE_JSON, t.data, t.used) != CSZ_OK)
        phrase_add(&q->skip, "layers: %s", csz_workload_error(q->workload, NULL));
}

/* The columns of a row must not contradict the entry. */
static int agrees(question *q)
{
    int64_t hidden = 0, stated = row_count(q->row, "hidden", 0);

    (void)csz_workload_get_i64(q->workload, CSZ_WORKLOAD_HIDDEN, &hidden);
    return stated == 0 || stated == hidden;
}

static int set_entry(question *q, const char *id, double truncated)
{
    int64_t layers = truncated > 0 ? (int64_t)truncated : row_count(q->row, "layers", 0);
    int64_t vocab = row_count(q->row, "vocab", 0);
    double dense = -1;
    char name[96];

    snprintf(name, sizeof name, "model=%s", id);
    if (csz_workload_set(q->workload, NULL, name) != CSZ_OK || !agrees(q))
        return 0;
    (void)word_number_after(row_text(q->row, "notes"), "dense_layers=", &dense);
    if (layers > 0 && (layers != total_layers(q->workload) || dense >= 0))
        cut_layers(q, layers, (int64_t)dense);
    if (vocab > 0)
        phrase_add(&q->job, " vocab=%lld", (long long)vocab);
    return 1;
}

/* Fields, or a config.json. */
static void set_fields(question *q, const char *fields)
{
    csz_status status =
        fields[0] == '{'
            ? csz_workload_load(q->workload, NULL, CSZ_SOURCE_HUGGING_FACE, fields, strlen(fields))
            : csz_workload_set(q->workload, NULL, fields);

    if (status != CSZ_OK)
        phrase_add(&q->skip, "model: %s", csz_workload_error(q->workload, NULL));
}

/* Scores and embeddings need no logits. */
static void set_head(question *q)
{
    static const char *const heads[] = {"seq_cls", "embedding/", "reranker/", "-embedding-",
                                        "-reranker-"};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (row_says(q->row, heads[i])) {
            phrase_add(&q->job, " output_layer=no");
            return;
        }
}

void question_model(question *q)
{
    const char *name = row_text(q->row, "model"), *vague = model_vague(name), *id, *known;
    char plain[96];
    double truncated;

    if (vague != NULL) {
        phrase_add(&q->skip, "%s", vague);
        return;
    }
    if (is_megatron_case(q->row)) {
        question_megatron_case(q);
        return;
    }
    model_plain(name, plain, sizeof plain, &truncated);
    id = model_id(plain);
    known = model_fields(plain);
    if (id != NULL && set_entry(q, id, truncated))
        ;
    else if (row_count(q->row, "hidden", 0) > 0) {
        csz_workload_free(q->workload);
        q->workload = csz_workload_new(NULL);
        question_widths(q);
    } else if (known != NULL)
        set_fields(q, known);
    else
        phrase_add(&q->skip, "model %s is not in the catalog", plain);
    set_head(q);
}
