/* arithmetic.c: the rule of thumb by which clusters are sized on a napkin. */
#include <math.h>
#include <stddef.h>

#include <clustersize/clustersize.h>

#include "project/points.h"

static csz_status quotient(double flops, double rate, double utilization, double other,
                           double *value)
{
    double result;
    if (value == NULL)
        return CSZ_ERR_ARGUMENT;
    if (!(flops > 0 && rate > 0 && utilization > 0 && utilization <= 1 && other > 0))
        return CSZ_ERR_RANGE;
    result = flops / (rate * utilization * other);
    if (!isfinite(result))
        return CSZ_ERR_RANGE;
    *value = result;
    return CSZ_OK;
}

csz_status csz_arithmetic_accelerators(double flops, double rate, double utilization,
                                       double seconds, double *accelerators)
{
    return quotient(flops, rate, utilization, seconds, accelerators);
}

csz_status csz_arithmetic_seconds(double flops, double accelerators, double rate,
                                  double utilization, double *seconds)
{
    return quotient(flops, rate, utilization, accelerators, seconds);
}

csz_status csz_arithmetic_scaling(double accelerators, double seconds, double more_accelerators,
                                  double less_seconds, double price, double *efficiency,
                                  double *extra_hours, double *per_day)
{
    cszi_step_up up;
    if (efficiency == NULL || extra_hours == NULL || per_day == NULL)
        return CSZ_ERR_ARGUMENT;
    if (!(accelerators > 0 && seconds > 0 && more_accelerators > accelerators && less_seconds > 0 &&
          less_seconds < seconds && price >= 0))
        return CSZ_ERR_RANGE;
    cszi_compare(accelerators, seconds, more_accelerators, less_seconds, price, &up);
    if (!isfinite(up.efficiency) || !isfinite(up.extra_hours) || !isfinite(up.per_day))
        return CSZ_ERR_RANGE;
    *efficiency = up.efficiency;
    *extra_hours = up.extra_hours;
    *per_day = up.per_day;
    return CSZ_OK;
}
