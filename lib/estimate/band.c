/* band.c: how far measured step times lie from the likely one, by what is known of such cases. */
#include "base/out.h"
#include "estimate/estimate.h"
#include "estimate/offload.h"

static const cszi_evidence *evidence_of(const cszi_case *c)
{
    return cszi_evidence_find(c->cluster->family, c->stack->id);
}

/* ---- Classes ---- */

static int is_any(const cszi_case *c)
{
    (void)c;
    return 1;
}

static int is_wide(const cszi_case *c)
{
    return c->layout.d > 64;
}

static int is_mixture(const cszi_case *c)
{
    return c->parameters.total != c->parameters.active;
}

static int is_unnamed(const cszi_case *c)
{
    return !c->layout.stack_named;
}

static int is_unfitted(const cszi_case *c)
{
    return c->layout.stack_named && !cszi_evidence_is_fitted(evidence_of(c));
}

/* Layers of a kind that no fitted run had: recurrent mixers but Mamba-2's, and custom ones. */
static int has_unfitted_kind(const cszi_case *c)
{
    const cszi_workload *w = c->workload;
    for (int64_t i = 0; i < w->kinds_count; i++)
        if (!cszi_kind_has_scores(&w->kinds[i]) && w->kinds[i].attention != CSZ_ATTENTION_NONE &&
            w->kinds[i].attention != CSZ_ATTENTION_MAMBA2)
            return 1;
    return 0;
}

static int is_unfitted_schedule(const cszi_case *c)
{
    return c->layout.schedule >= CSZ_SCHEDULE_ZB_V;
}

static int has_offload(const cszi_case *c)
{
    return cszi_has_offload(&c->layout);
}

static int is_unmeasured(const cszi_case *c)
{
    return evidence_of(c) == NULL;
}

static int is_unfitted_family(const cszi_case *c)
{
    return c->family->rows == 0;
}

/* From the narrowest to the widest: the last that applies gives the band, each that applies its
 * note. */
static const struct {
    int (*applies)(const cszi_case *c);
    const char *band;
    csz_note note;
} classes[] = {
    {is_any, "dense", CSZ_NOTE_NONE},
    {is_wide, "data_parallel", CSZ_NOTE_DATA_PARALLEL_WIDE},
    {is_mixture, "mixture", CSZ_NOTE_MIXTURE},
    {is_unnamed, "stack_unknown", CSZ_NOTE_STACK_ASSUMED},
    {is_unfitted, "stack_unknown", CSZ_NOTE_STACK_UNFITTED},
    {has_unfitted_kind, "stack_unknown", CSZ_NOTE_KIND_UNFITTED},
    {is_unfitted_schedule, "stack_unknown", CSZ_NOTE_SCHEDULE_UNFITTED},
    {has_offload, "stack_unknown", CSZ_NOTE_OFFLOAD_TIME},
    {is_unmeasured, "family_unfitted", CSZ_NOTE_UNMEASURED},
    {is_unfitted_family, "family_unfitted", CSZ_NOTE_FAMILY_UNFITTED},
};

const cszi_band *cszi_case_band(const cszi_case *c, cszi_estimate *estimate)
{
    const char *band = NULL;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!classes[i].applies(c))
            continue;
        band = classes[i].band;
        if (classes[i].note != CSZ_NOTE_NONE)
            cszi_estimate_note(estimate, classes[i].note);
    }
    return cszi_band_find(band);
}

/* ---- Evidence ---- */

static void put_text(char *to, size_t capacity, const char *text)
{
    cszi_out out = cszi_out_open(to, capacity);
    cszi_out_text(&out, text);
    (void)cszi_out_close(&out);
}

void cszi_estimate_evidence(const cszi_case *c, cszi_estimate *e)
{
    const cszi_evidence *evidence = evidence_of(c);
    put_text(e->evidence_family, sizeof e->evidence_family, c->cluster->family);
    put_text(e->evidence_stack, sizeof e->evidence_stack, c->stack->id);
    put_text(e->evidence_band, sizeof e->evidence_band, cszi_case_band(c, e)->id);
    e->evidence_configurations = evidence != NULL ? evidence->configurations : 0;
    if (evidence == NULL)
        return;
    e->evidence_median_error = evidence->median_error;
    e->evidence_p90_error = evidence->p90_error;
    put_text(e->evidence_date, sizeof e->evidence_date, evidence->date);
}
