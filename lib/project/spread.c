/* spread.c: full factorial strata. */
#include "project/spread.h"

#include <math.h>

#define STRATA 5

static double at_stratum(const cszi_range *r, size_t stratum)
{
    /* Normal quantiles of 10, 30, 50, 70, 90% over that of 90%. */
    static const double scores[STRATA] = {-1, -0.409192, 0, 0.409192, 1};
    double s = scores[stratum];
    if (s < 0)
        return r->likely * pow(r->low / r->likely, -s);
    return s > 0 ? r->likely * pow(r->high / r->likely, s) : r->likely;
}

static int is_certain(const cszi_range *r)
{
    return !(r->low < r->high);
}

/* Ascending: Shell's method with Ciura's gaps (2001). */
static void sort(double *v, size_t n)
{
    static const size_t gaps[] = {301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (size_t i = gaps[g]; i < n; i++) {
            double x = v[i];
            size_t j = i;
            for (; j >= gaps[g] && v[j - gaps[g]] > x; j -= gaps[g])
                v[j] = v[j - gaps[g]];
            v[j] = x;
        }
}

/* Value i of n stands at (i + 1/2) / n. */
static double quantile(const double *v, size_t n, double share)
{
    double at = share * (double)n - 0.5;
    size_t i = at > 0 ? (size_t)at : 0;
    if (at <= 0 || i + 1 >= n)
        return v[i];
    return v[i] + (at - (double)i) * (v[i + 1] - v[i]);
}

cszi_range cszi_spread(const cszi_range *inputs, size_t count,
                       double (*figure)(const void *model, const double *inputs), const void *model,
                       double values[CSZI_SPREAD_ROOM])
{
    double x[CSZI_SPREAD_INPUTS];
    size_t all = 1;
    cszi_range result;
    for (size_t i = 0; i < count; i++)
        all *= is_certain(&inputs[i]) ? 1 : STRATA;
    for (size_t k = 0; k < all; k++) {
        size_t rest = k;
        for (size_t i = 0; i < count; i++) {
            x[i] = inputs[i].likely;
            if (is_certain(&inputs[i]))
                continue;
            x[i] = at_stratum(&inputs[i], rest % STRATA);
            rest /= STRATA;
        }
        values[k] = figure(model, x);
    }
    sort(values, all);
    for (size_t i = 0; i < count; i++)
        x[i] = inputs[i].likely;
    result.likely = figure(model, x);
    result.low = fmin(quantile(values, all, 0.1), result.likely);
    result.high = fmax(quantile(values, all, 0.9), result.likely);
    return result;
}
