/* explain.c: how a step time comes about, and what stands behind it: each stage by part, the
 * roofline, utilization by each convention, measured runs and the band. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static shown words(const csz_estimate *e, csz_field field)
{
    shown w = {""};
    (void)csz_estimate_get_text(e, field, w.text, sizeof w.text);
    return w;
}

static double at(const csz_estimate *e, csz_field field, size_t i)
{
    double value = (double)NAN;
    return csz_estimate_get_f64_at(e, field, i, &value) == CSZ_OK ? value : (double)NAN;
}

/* ---- The band ---- */

/* What makes it wider than that of plain cases, in few words. */
static const struct {
    csz_note note;
    const char *words;
} wideners[] = {
    {CSZ_NOTE_STACK_ASSUMED, "stack not named"},
    {CSZ_NOTE_MIXTURE, "mixture of experts"},
    {CSZ_NOTE_DATA_PARALLEL_WIDE, "dp above 64"},
    {CSZ_NOTE_STACK_UNFITTED, "stack not fitted"},
    {CSZ_NOTE_KIND_UNFITTED, "layers of a kind not fitted"},
    {CSZ_NOTE_SCHEDULE_UNFITTED, "schedule not fitted"},
    {CSZ_NOTE_OFFLOAD_TIME, "offload"},
    {CSZ_NOTE_UNMEASURED, "stack not measured on the family"},
    {CSZ_NOTE_FAMILY_UNFITTED, "family not fitted"},
};
#define WIDENERS (sizeof wideners / sizeof *wideners)

static int has_note(const csz_estimate *e, csz_note note)
{
    csz_note one = CSZ_NOTE_MAX_ENUM;
    for (size_t i = 0; one != note && one != CSZ_NOTE_NONE; i++)
        one = csz_estimate_note_at(e, i);
    return one == note;
}

static void say_runs(page *t, const csz_estimate *e, const char *mark)
{
    double count = figure(e, CSZ_ESTIMATE_EVIDENCE_CONFIGURATIONS);
    shown family = words(e, CSZ_ESTIMATE_EVIDENCE_FAMILY);
    if (count > 0)
        text_add(t, "%s measured configuration%s of", text_count(count).text, count > 1 ? "s" : "");
    else
        text_add(t, "no measured run of");
    text_add(t, "%s under %s%s", family.text[0] != '\0' ? family.text : "this accelerator",
             words(e, CSZ_ESTIMATE_EVIDENCE_STACK).text, mark);
}

/* "stack not named, offload"; how long. */
static size_t list_wideners(const csz_estimate *e, char *list, size_t capacity)
{
    size_t n = 0;
    list[0] = '\0';
    for (size_t i = 0; i < WIDENERS && n < capacity; i++)
        if (has_note(e, wideners[i].note))
            n += (size_t)snprintf(list + n, capacity - n, "%s%s", n > 0 ? ", " : "",
                                  wideners[i].words);
    return n;
}

void say_band(page *t, const csz_estimate *e)
{
    char list[400];
    double low, likely, high;
    if (csz_estimate_get_range(e, CSZ_ESTIMATE_STEP_TIME, &low, &likely, &high) != CSZ_OK)
        return;
    text_open(t, "Band");
    text_phrase(t, "%.2f to %.2f:", low / likely, high / likely);
    if (list_wideners(e, list, sizeof list) > 0) {
        say_runs(t, e, ";");
        text_add(t, "wider for %s", list);
    } else {
        say_runs(t, e, "");
    }
    text_close(t);
}

/* ---- The step ---- */

static const struct {
    csz_field field;
    const char *name;
} once[] = {
    {CSZ_ESTIMATE_STEP_BUBBLE, "bubble"},       {CSZ_ESTIMATE_STEP_DATA_TRAFFIC, "data traffic"},
    {CSZ_ESTIMATE_STEP_OPTIMIZER, "optimizer"}, {CSZ_ESTIMATE_STEP_OFFLOAD, "offload"},
    {CSZ_ESTIMATE_STEP_HOST_ONCE, "host"},
};

/* "4.96 s = 64 micro-batches x 71.2 ms of stage 7 + bubble 362 ms + ..." */
static void say_sum(page *t, const csz_estimate *e)
{
    double critical = figure(e, CSZ_ESTIMATE_STEP_CRITICAL_STAGE);
    text_open(t, "Sum");
    text_phrase(t, "%s =", text_time(figure(e, CSZ_ESTIMATE_STEP_TIME)).text);
    text_phrase(t, "%s micro-batches x %s",
                text_count(figure(e, CSZ_ESTIMATE_BATCH_MICRO_BATCHES)).text,
                text_time(at(e, CSZ_ESTIMATE_STAGE_TIME, (size_t)critical)).text);
    text_add(t, "of stage %s, the critical one,", text_count(critical + 1).text);
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        if (figure(e, once[i].field) > 0)
            text_phrase(t, "+ %s %s", once[i].name, text_time(figure(e, once[i].field)).text);
    text_close(t);
}

/* ---- Stages ---- */

typedef struct column {
    csz_field field;
    const char *head;
} column;

static const column columns[] = {
    {CSZ_ESTIMATE_STAGE_TIME, "time"},
    {CSZ_ESTIMATE_STAGE_TIME_MATRICES, "matrix"},
    {CSZ_ESTIMATE_STAGE_TIME_ATTENTION, "attent"},
    {CSZ_ESTIMATE_STAGE_TIME_POINTWISE, "pointw"},
    {CSZ_ESTIMATE_STAGE_TIME_RECOMPUTE, "recomp"},
    {CSZ_ESTIMATE_STAGE_TIME_LOGITS, "logits"},
    {CSZ_ESTIMATE_STAGE_TIME_TENSOR_TRAFFIC, "tensor"},
    {CSZ_ESTIMATE_STAGE_TIME_CONTEXT_TRAFFIC, "contxt"},
    {CSZ_ESTIMATE_STAGE_TIME_EXPERT_TRAFFIC, "expert"},
    {CSZ_ESTIMATE_STAGE_TIME_PIPELINE_TRAFFIC, "pipe"},
    {CSZ_ESTIMATE_STAGE_TIME_HOST, "host"},
};
#define COLUMNS (sizeof columns / sizeof *columns)
#define COLUMNS_OF_A_TABLE 10 /* that stand beside each other */

#define MS 1e-3
#define LEAST_MS 0.005 /* what prints as 0.00 */

static size_t stage_count(const csz_estimate *e)
{
    return csz_estimate_count(e, CSZ_ESTIMATE_STAGE_TIME);
}

/* Whether two stages print alike. */
static int are_alike(const csz_estimate *e, size_t a, size_t b)
{
    if (fabs(at(e, CSZ_ESTIMATE_STAGE_LAYERS, a) - at(e, CSZ_ESTIMATE_STAGE_LAYERS, b)) > 0.5)
        return 0;
    for (size_t i = 0; i < COLUMNS; i++)
        if (!(fabs(at(e, columns[i].field, a) - at(e, columns[i].field, b)) < LEAST_MS * MS))
            return 0;
    return 1;
}

/* The stages from one on that are like it: the first beyond them. */
static size_t end_of_group(const csz_estimate *e, size_t from)
{
    size_t end = from + 1;
    while (end < stage_count(e) && are_alike(e, from, end))
        end++;
    return end;
}

static size_t columns_shown(const csz_estimate *e, column shown_columns[COLUMNS])
{
    size_t count = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        double most = 0;
        for (size_t k = 0; k < stage_count(e); k++)
            most = fmax(most, at(e, columns[i].field, k));
        if (most >= LEAST_MS * MS)
            shown_columns[count++] = columns[i];
    }
    return count;
}

/* "2-6" or "7*": the asterisk marks the critical stage. */
static shown group_name(const csz_estimate *e, size_t from, size_t end)
{
    shown w;
    size_t critical = (size_t)figure(e, CSZ_ESTIMATE_STEP_CRITICAL_STAGE);
    const char *mark = critical >= from && critical < end ? "*" : "";
    if (end == from + 1)
        (void)snprintf(w.text, sizeof w.text, "%zu%s", end, mark);
    else
        (void)snprintf(w.text, sizeof w.text, "%zu-%zu%s", from + 1, end, mark);
    return w;
}

static void say_stage_table(page *t, const csz_estimate *e, const column *of, size_t count)
{
    char line[TEXT_COLUMNS + 1];
    int n = snprintf(line, sizeof line, "%-9s", "stage");
    for (size_t i = 0; i < count; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " %6s", of[i].head);
    text_line(t, "%s", line);
    for (size_t from = 0; from < stage_count(e); from = end_of_group(e, from)) {
        n = snprintf(line, sizeof line, "%-9.9s", group_name(e, from, end_of_group(e, from)).text);
        for (size_t i = 0; i < count; i++) {
            double ms = at(e, of[i].field, from) / MS;
            int digits = ms < 100 ? 2 : ms < 1e4 ? 1 : 0;
            n += snprintf(line + n, sizeof line - (size_t)n, " %6.*f", digits, fmin(ms, 999999));
        }
        text_line(t, "%s", line);
    }
}

static void say_stage_times(page *t, const csz_estimate *e)
{
    column of[COLUMNS];
    size_t count = columns_shown(e, of);
    text_line(t, "Stages, ms of one micro-batch forward and backward (* critical)");
    for (size_t i = 0; i < count; i += COLUMNS_OF_A_TABLE)
        say_stage_table(t, e, of + i,
                        count - i < COLUMNS_OF_A_TABLE ? count - i : COLUMNS_OF_A_TABLE);
}

/* ---- Roofline ---- */

static void say_roofline(page *t, const csz_estimate *e)
{
    text_line(t, "Roofline, forward of one micro-batch on one accelerator");
    text_line(t, "%-9s %8s %8s %7s %7s %7s %7s %8s  %s", "", "FLOP", "bytes", "FLOP/B", "balance",
              "TFLOP/s", "of peak", "time", "bound");
    for (size_t i = 0; i < csz_estimate_count(e, CSZ_ESTIMATE_KERNEL_KIND); i++) {
        double reached = at(e, CSZ_ESTIMATE_KERNEL_REACHED, i);
        text_line(
            t, "%-9s %8s %8s %7.1f %7.1f %7.1f %7s %8s  %s",
            csz_field_choice(CSZ_ESTIMATE_KERNEL_KIND, (int64_t)at(e, CSZ_ESTIMATE_KERNEL_KIND, i)),
            text_power(at(e, CSZ_ESTIMATE_KERNEL_FLOPS, i)).text,
            text_short(CSZ_UNIT_BYTE, at(e, CSZ_ESTIMATE_KERNEL_BYTES, i)).text,
            at(e, CSZ_ESTIMATE_KERNEL_INTENSITY, i), at(e, CSZ_ESTIMATE_KERNEL_BALANCE, i),
            reached / 1e12, text_percent(reached / at(e, CSZ_ESTIMATE_KERNEL_PEAK, i)).text,
            text_short(CSZ_UNIT_SECOND, at(e, CSZ_ESTIMATE_KERNEL_TIME, i)).text,
            csz_field_choice(CSZ_ESTIMATE_KERNEL_BOUND,
                             (int64_t)at(e, CSZ_ESTIMATE_KERNEL_BOUND, i)));
    }
}

/* ---- Utilization ---- */

static const struct {
    csz_field field;
    const char *convention;
} conventions[] = {
    {CSZ_ESTIMATE_STEP_MFU, "exact FLOPs, attention causal;"},
    {CSZ_ESTIMATE_STEP_MFU_FULL, "exact, attention not halved;"},
    {CSZ_ESTIMATE_STEP_MFU_SIX_N, "6N;"},
    {CSZ_ESTIMATE_STEP_MFU_PALM, "PaLM;"},
    {CSZ_ESTIMATE_STEP_MFU_TORCHTITAN, "torchtitan;"},
    {CSZ_ESTIMATE_STEP_MFU_NARAYANAN, "Narayanan, recomputation counted;"},
};

static void say_utilization(page *t, const csz_estimate *e)
{
    text_open(t, "MFU");
    text_add(t, "of the dense peak of compute_format, by what is counted:");
    for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++) {
        double mfu = figure(e, conventions[i].field);
        if (!isnan(mfu))
            text_add(t, "%.1f%% %s", 100 * mfu, conventions[i].convention);
    }
    text_add(t, "HFU, the first with what is computed again: %.1f%%",
             100 * figure(e, CSZ_ESTIMATE_STEP_HFU));
    text_close(t);
}

/* ---- Evidence ---- */

static void say_evidence(page *t, const csz_estimate *e)
{
    int measured = figure(e, CSZ_ESTIMATE_EVIDENCE_CONFIGURATIONS) > 0;
    shown band = words(e, CSZ_ESTIMATE_EVIDENCE_BAND);
    text_open(t, "Runs");
    say_runs(t, e, measured ? "" : ";");
    if (measured)
        text_add(t, "(newest %s): half of them within %s of the estimate, nine of ten within %s;",
                 words(e, CSZ_ESTIMATE_EVIDENCE_DATE).text,
                 text_percent(expm1(figure(e, CSZ_ESTIMATE_EVIDENCE_MEDIAN_ERROR))).text,
                 text_percent(expm1(figure(e, CSZ_ESTIMATE_EVIDENCE_P90_ERROR))).text);
    if (strcmp(band.text, "envelope") == 0)
        text_add(t, "band: envelope of the plausible stacks");
    else
        text_add(t, "band: row %s of the table of bands", band.text);
    text_close(t);
}

static void say_why(page *t, const csz_estimate *e)
{
    for (size_t i = 0; csz_estimate_note_at(e, i) != CSZ_NOTE_NONE; i++) {
        csz_note note = csz_estimate_note_at(e, i);
        for (size_t k = 0; k < WIDENERS; k++)
            if (wideners[k].note == note) {
                text_open(t, " ");
                text_add(t, "%s", csz_note_text(note));
                text_close(t);
            }
    }
}

void say_explanation(page *t, const csz_estimate *e)
{
    if (isnan(figure(e, CSZ_ESTIMATE_STEP_TIME))) {
        text_open(t, "");
        text_add(t, "No step time to explain: bandwidths and peak rates are not known.");
        text_close(t);
        return;
    }
    say_sum(t, e);
    say_stage_times(t, e);
    say_roofline(t, e);
    say_utilization(t, e);
    say_evidence(t, e);
    say_why(t, e);
}
