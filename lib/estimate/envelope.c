/* envelope.c: the band of a plan that does not name its stack: that of the usual one of the
 * accelerator family, stretched to the likely times of the others that runs on it use. */
#include <math.h>
#include <string.h>

#include "estimate/estimate.h"

/* The next word of a list, or NULL after the last. */
static const char *take_word(const char *list, char word[CSZI_TEXT_CAPACITY])
{
    size_t n = 0;
    list += strspn(list, " ");
    for (; list[n] != '\0' && list[n] != ' ' && n + 1 < CSZI_TEXT_CAPACITY; n++)
        word[n] = list[n];
    word[n] = '\0';
    return n > 0 ? list + n : NULL;
}

/* Takes in what the plan takes on another stack, if that can express it; of the stack of the case
 * only the band is new. */
static void take_in(const cszi_case *c, const cszi_plan *plan, cszi_range *time)
{
    cszi_case other = *c;
    cszi_estimate e;
    csz_reason reason;
    e.stages = NULL;
    cszi_estimate_clear(&e);
    if (strcmp(plan->stack, c->stack->id) == 0) {
        const cszi_band *band;
        other.layout.stack_named = 1;
        band = cszi_case_band(&other, &e);
        e.step_time =
            (cszi_range){time->likely * band->low, time->likely, time->likely * band->high};
    } else if (cszi_case_plan(&other, plan, 0, &reason, NULL) == CSZ_OK) {
        cszi_estimate_step(&other, &e);
        e.step_time.low = e.step_time.high = e.step_time.likely;
    } else {
        return;
    }
    time->low = fmin(time->low, e.step_time.low);
    time->high = fmax(time->high, e.step_time.high);
}

void cszi_case_envelope(const cszi_case *c, const cszi_plan *plan, cszi_estimate *estimate)
{
    cszi_plan named = *plan;
    cszi_range time = estimate->step_time;
    const char *list = c->family->stacks;
    if (c->layout.stack_named || c->family->rows == 0)
        return;
    time.low = time.high = time.likely;
    while ((list = take_word(list, named.stack)) != NULL)
        take_in(c, &named, &time);
    if (!(time.low < time.high))
        return;
    memcpy(estimate->evidence_band, "envelope", sizeof "envelope");
    estimate->step_time = time;
}
