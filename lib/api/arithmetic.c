/* arithmetic.c: the rule of thumb by which clusters are sized on a napkin. */
#include <math.h>
#include <stddef.h>

#include <clustersize/clustersize.h>

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
