/* rank.c: what the commands that rank plans share. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"

int check_ranking(asked *a, const csz_ranking *ranking, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    if (status == CSZ_OK)
        return 0;
    if (ranking == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    (void)csz_ranking_error(ranking, &field);
    return args_fail_with(a, status, field, csz_ranking_error(ranking, NULL));
}

static csz_status limit_field(asked *a, csz_field field)
{
    char stack[64];
    double value = 0;
    if (field != CSZ_PLAN_STACK) {
        (void)csz_plan_get_f64(a->plan, field, &value);
        return csz_goal_limit(a->goal, field, value, value);
    }
    (void)csz_plan_get_text(a->plan, field, stack, sizeof stack);
    return csz_goal_stack(a->goal, stack);
}

int limit_goal(asked *a)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field about = csz_field_at(i);
        csz_status status;
        if (!csz_plan_is_set(a->plan, about))
            continue;
        status = limit_field(a, about);
        if (status != CSZ_OK) {
            (void)csz_goal_error(a->goal, &about);
            return args_fail_with(a, status, about, csz_goal_error(a->goal, NULL));
        }
    }
    return 0;
}

char *ranking_json(const csz_ranking *ranking)
{
    size_t n = csz_ranking_to_json(ranking, NULL, 0);
    char *json = malloc(n + 1);
    if (json != NULL)
        (void)csz_ranking_to_json(ranking, json, n + 1);
    return json;
}

char *estimate_json(const csz_estimate *estimate)
{
    size_t n = csz_estimate_to_json(estimate, NULL, 0);
    char *json = malloc(n + 1);
    if (json != NULL)
        (void)csz_estimate_to_json(estimate, json, n + 1);
    return json;
}

int print_json(asked *a, char *json)
{
    if (json == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    puts(json);
    free(json);
    return 0;
}

/* ---- 6ND beside the plan's own answer ---- */

/* Accelerators that the FLOPs alone would need in so many seconds at the plan's own MFU. */
static shown naive_count(const csz_estimate *e, double flops, double seconds)
{
    return text_count(ceil(flops / (figure(e, CSZ_ESTIMATE_STEP_FLOPS_ACCELERATOR) * seconds)));
}

void say_arithmetic(page *t, const answer *x, double seconds)
{
    const csz_estimate *e = x->estimate;
    double exact = figure(e, CSZ_ESTIMATE_FLOPS_RUN),
           tokens = figure(e, CSZ_ESTIMATE_BATCH_TOKENS_TOTAL);
    double six = figure(e, CSZ_ESTIMATE_FLOPS_SIX_N) * tokens;
    if (x->depth != CSZ_DEPTH_RUN || isnan(six) || isnan(exact))
        return;
    text_open(t, "6ND");
    text_add(
        t, "%s FLOP; exact causal count %s (%+.1f%%). At this MFU in %s:", text_power(six).text,
        text_power(exact).text, 100 * (exact / six - 1), text_unit(CSZ_UNIT_SECOND, seconds).text);
    text_add(t, "%s or %s accelerators; the plan has %s (goodput %.1f%%, whole degrees)",
             naive_count(e, six, seconds).text, naive_count(e, exact, seconds).text,
             text_count(figure(e, CSZ_ESTIMATE_BATCH_ACCELERATORS)).text,
             100 * figure(e, CSZ_ESTIMATE_RUN_GOODPUT));
    text_close(t);
}
