/* flops.c: exact parameters, and FLOPs by every convention beside the exact causal count. */
#include <math.h>
#include <stdio.h>

#include "commands.h"

static double workload_value(const csz_workload *w, csz_field field)
{
    double value = (double)NAN;
    return csz_workload_get_f64(w, field, &value) == CSZ_OK ? value : (double)NAN;
}

/* Tokens of a run that states no phases: from the data set, or from examples. */
static double tokens_by_data(const csz_workload *w)
{
    double unique = workload_value(w, CSZ_WORKLOAD_UNIQUE_TOKENS),
           epochs = workload_value(w, CSZ_WORKLOAD_EPOCHS);
    if (isnan(unique))
        unique =
            workload_value(w, CSZ_WORKLOAD_EXAMPLES) * workload_value(w, CSZ_WORKLOAD_MEAN_LENGTH);
    return floor(unique * epochs);
}

/* Adds up the phases, whose lengths may differ. */
static int run_flops_of(asked *a, double *tokens, double *exact, double *six)
{
    csz_workload *w = csz_workload_new(NULL);
    csz_estimate *e = csz_estimate_new(NULL);
    size_t phases = csz_workload_count(a->workload, CSZ_WORKLOAD_TOKENS);
    csz_status status =
        w != NULL && e != NULL ? csz_workload_copy(w, a->workload) : CSZ_ERR_NO_MEMORY;
    *tokens = *exact = *six = 0;
    for (size_t i = 0; (i < phases || i == 0) && status == CSZ_OK; i++) {
        double n = (double)NAN, length = 0;
        if (csz_workload_get_f64_at(a->workload, CSZ_WORKLOAD_TOKENS, i, &n) != CSZ_OK && i == 0)
            n = tokens_by_data(a->workload);
        if (csz_workload_get_f64_at(a->workload, CSZ_WORKLOAD_SEQUENCE_LENGTH, i, &length) ==
            CSZ_OK)
            status = csz_workload_set_f64(w, CSZ_WORKLOAD_SEQUENCE_LENGTH, length);
        if (status == CSZ_OK)
            status = csz_estimate_compute(e, w, NULL, NULL, CSZ_DEPTH_MODEL);
        *tokens += n;
        *exact += n * figure(e, CSZ_ESTIMATE_FLOPS_PER_TOKEN);
        *six += n * figure(e, CSZ_ESTIMATE_FLOPS_SIX_N);
    }
    csz_workload_free(w);
    csz_estimate_free(e);
    return status == CSZ_ERR_NO_MEMORY ? args_fail(a, status, CSZ_FIELD_NONE, "out of memory") : 0;
}

static void say_conventions(page *t, const csz_estimate *e)
{
    static const struct {
        csz_field field;
        const char *text;
    } rows[] = {{CSZ_ESTIMATE_FLOPS_PER_TOKEN, "exact, causal: attends to (s + 1) / 2 tokens"},
                {CSZ_ESTIMATE_FLOPS_SIX_N, "6N, N active (Kaplan et al. 2020)"},
                {CSZ_ESTIMATE_FLOPS_FULL, "exact matrices, attention not halved"},
                {CSZ_ESTIMATE_FLOPS_PALM, "6N + 12LHQS (PaLM, appendix B)"},
                {CSZ_ESTIMATE_FLOPS_TORCHTITAN, "6(N - embedding) + 12LHQS (torchtitan)"},
                {CSZ_ESTIMATE_FLOPS_NARAYANAN, "equation 3 with recomputation (Narayanan 2021)"}};
    double exact = figure(e, CSZ_ESTIMATE_FLOPS_PER_TOKEN);
    text_line(t, "%-48s %13s %9s", "FLOPs of a token", "", "of exact");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double flops = figure(e, rows[i].field);
        text_line(t, "  %-46s %13s %9.4f", rows[i].text, text_unit(CSZ_UNIT_FLOP, flops).text,
                  flops / exact);
    }
    text_line(t, "  %-46s %13s %9.4f", "of the exact count: forward",
              text_unit(CSZ_UNIT_FLOP, figure(e, CSZ_ESTIMATE_FLOPS_FORWARD)).text,
              figure(e, CSZ_ESTIMATE_FLOPS_FORWARD) / exact);
    text_line(t, "  %-46s %13s %9.4f", "of the exact count: backward",
              text_unit(CSZ_UNIT_FLOP, figure(e, CSZ_ESTIMATE_FLOPS_BACKWARD)).text,
              figure(e, CSZ_ESTIMATE_FLOPS_BACKWARD) / exact);
}

static void say_parameters(page *t, const csz_estimate *e)
{
    text_line(t, "Parameters %20s total",
              text_count(figure(e, CSZ_ESTIMATE_PARAMETERS_TOTAL)).text);
    text_line(t, "%31s active: met by one token",
              text_count(figure(e, CSZ_ESTIMATE_PARAMETERS_ACTIVE)).text);
    text_line(t, "%31s embedding and output layer",
              text_count(figure(e, CSZ_ESTIMATE_PARAMETERS_EMBEDDING)).text);
    text_line(t, "%31s trained", text_count(figure(e, CSZ_ESTIMATE_PARAMETERS_TRAINED)).text);
}

static int say_flops(asked *a, const csz_estimate *e)
{
    page t = {.limit = a->verbose ? 0 : TEXT_LINES};
    double tokens, exact, six, step = figure(e, CSZ_ESTIMATE_FLOPS_STEP);
    double length = workload_value(a->workload, CSZ_WORKLOAD_SEQUENCE_LENGTH);
    double batch = step / figure(e, CSZ_ESTIMATE_FLOPS_PER_TOKEN);
    if (isnan(length))
        length = workload_value(a->workload, CSZ_WORKLOAD_MAXIMUM_LENGTH);
    text_open(&t, "");
    text_add(&t, "%s, sequences of %s tokens%s", args_model_name(a).text,
             text_count(isnan(length) ? 8192 : length).text,
             isnan(length) ? " (assumed: --sequence-length)" : "");
    text_close(&t);
    say_parameters(&t, e);
    say_conventions(&t, e);
    text_open(&t, "Step");
    text_add(&t, "%s tokens: %s FLOP", text_count(batch).text, text_power(step).text);
    text_close(&t);
    if (run_flops_of(a, &tokens, &exact, &six) != 0)
        return BAD_INPUT;
    text_open(&t, "Run");
    if (isnan(exact))
        text_add(&t, "needs --tokens");
    else
        text_add(&t, "%s tokens: %s FLOP; 6ND: %s, to which the exact count adds %+.1f%%",
                 text_count(tokens).text, text_power(exact).text, text_power(six).text,
                 100 * (exact / six - 1));
    text_close(&t);
    if (a->verbose)
        say_notes(&t, e);
    return FITS;
}

int run_flops(asked *a)
{
    csz_estimate *e = csz_estimate_new(NULL);
    csz_field field = CSZ_FIELD_NONE;
    csz_status status = CSZ_ERR_NO_MEMORY;
    int result;
    if (e != NULL)
        status = csz_estimate_compute(e, a->workload, NULL, NULL, CSZ_DEPTH_MODEL);
    if (status != CSZ_OK) {
        (void)csz_estimate_error(e, &field);
        result = args_fail_with(a, status, field,
                                e != NULL ? csz_estimate_error(e, NULL) : "out of memory");
    } else {
        result = a->json ? print_json(a, estimate_json(e)) : say_flops(a, e);
    }
    csz_estimate_free(e);
    return result;
}
