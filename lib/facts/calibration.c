/* calibration.c: tables of what a calibration works with. */
#include "facts/calibration.h"

#include <clustersize/enums.h>
#include <string.h>

#define MULTIPLIER(field, low, high, width, measured, source)                                      \
    {field, low, high, width, measured, source},
const cszi_multiplier_fact cszi_multiplier_facts[CSZI_MULTIPLIERS] = {
#include "facts/calibration.inc"
};
#undef MULTIPLIER

#define FIGURE(id, value, source) {id, value, source},
static const struct {
    const char *id;
    double value;
    const char *source;
} figures[] = {
#include "facts/calibration.inc"
};

double cszi_calibration_fact(const char *id)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(figures[i].id, id) == 0)
            return figures[i].value;
    return 0;
}
