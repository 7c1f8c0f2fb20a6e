/* details.c: what -v adds: stages, notes, rejections. */
#include "report.h"

#include <math.h>

void say_stages(page *t, const csz_estimate *e)
{
    static const csz_field columns[] = {
        CSZ_ESTIMATE_STAGE_WEIGHTS,     CSZ_ESTIMATE_STAGE_GRADIENTS, CSZ_ESTIMATE_STAGE_OPTIMIZER,
        CSZ_ESTIMATE_STAGE_ACTIVATIONS, CSZ_ESTIMATE_STAGE_LOGITS,    CSZ_ESTIMATE_STAGE_BUFFERS,
        CSZ_ESTIMATE_STAGE_FRAMEWORK,   CSZ_ESTIMATE_STAGE_TOTAL};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    text_line(t, "Stages, GiB each");
    text_line(t, "%5s %6s %8s %8s %8s %8s %7s %7s %7s %7s", "stage", "layers", "weights", "grads",
              "optim", "activ", "logits", "buffers", "frame", "total");
    for (size_t i = 0; i < csz_estimate_count(e, CSZ_ESTIMATE_STAGE_TOTAL); i++) {
        double layers = 0, g[COLUMNS] = {0};
        (void)csz_estimate_get_f64_at(e, CSZ_ESTIMATE_STAGE_LAYERS, i, &layers);
        for (size_t k = 0; k < COLUMNS; k++) {
            (void)csz_estimate_get_f64_at(e, columns[k], i, &g[k]);
            g[k] /= 1073741824.0;
        }
        text_line(t, "%5zu %6.0f %8.2f %8.2f %8.2f %8.2f %7.2f %7.2f %7.2f %7.2f", i + 1, layers,
                  g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7]);
    }
}

void say_notes(page *t, const csz_estimate *e)
{
    for (size_t i = 0; csz_estimate_note_at(e, i) != CSZ_NOTE_NONE; i++) {
        text_open(t, i == 0 ? "Notes" : " ");
        text_add(t, "%s", csz_note_text(csz_estimate_note_at(e, i)));
        text_close(t);
    }
}

void say_rejections(page *t, const csz_ranking *ranking, size_t most)
{
    size_t count = csz_ranking_reject_count(ranking);
    double candidates = 0, valid = 0, fitting = 0;
    (void)csz_ranking_get_f64(ranking, CSZ_RANKING_CANDIDATES, &candidates);
    (void)csz_ranking_get_f64(ranking, CSZ_RANKING_VALID, &valid);
    (void)csz_ranking_get_f64(ranking, CSZ_RANKING_FITTING, &fitting);
    text_open(t, "Tried");
    text_add(t, "%s plans: %s can exist, %s fit. Rejected:", text_count(candidates).text,
             text_count(valid).text, text_count(fitting).text);
    for (size_t i = 0; i < count && i < most; i++) {
        csz_reason reason = CSZ_REASON_NONE;
        double plans = 0;
        (void)csz_ranking_reject_at(ranking, i, &reason, &plans);
        text_phrase(t, "%s %s%s", csz_reason_name(reason), text_count(plans).text,
                    i + 1 < count && i + 1 < most ? "," : "");
    }
    if (most > 0 && count > most)
        text_phrase(t, "(more: -v)");
    text_close(t);
}

void say_rejection_table(page *t, const csz_ranking *ranking)
{
    for (size_t i = 0; i < csz_ranking_reject_count(ranking); i++) {
        csz_reason reason = CSZ_REASON_NONE;
        double plans = 0;
        (void)csz_ranking_reject_at(ranking, i, &reason, &plans);
        text_open(t, " ");
        text_add(t, "%s: %s", text_count(plans).text, csz_reason_text(reason));
        text_close(t);
    }
}
