/* details.c: what -v adds: notes, rejections. */
#include "report.h"

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
