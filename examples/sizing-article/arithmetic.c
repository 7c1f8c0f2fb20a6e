/* arithmetic.c: claims that a calculation settles: a, f, k, n, u, v. */
#include <math.h>
#include <stddef.h>

#include "article.h"

static double accelerators(double rate, double utilization, double days)
{
    double n = NONE;
    return csz_arithmetic_accelerators(6 * 70e9 * 1e12, rate, utilization, days * DAY, &n) == CSZ_OK
               ? n
               : NONE;
}

static void formula(asked *q)
{
    double dense = fact(CSZ_KIND_ACCELERATOR, "h100-sxm-80gb", CSZ_ACCELERATOR_PEAK_BF16);
    claim("a", "70e9 x 1e12 x 6 / (1979e12 x 0.4 x 336 x 3600) is 168 accelerators");
    says("%.0f as printed; %.0f with the dense peak of %.0f TFLOP/s",
         ceil(accelerators(1979e12, 0.4, 14)), ceil(accelerators(dense, 0.4, 14)), dense / 1e12);
    because("1,979 is the rate with structured sparsity, which training does not use; and the "
            "formula's own result is 439. Its hours are of the wall, not of accelerators.");
    (void)q;
}

static void more(asked *q)
{
    double efficiency, hours, day,
        price = fact(CSZ_KIND_OFFER, "h100-sxm-80gb-on-demand", CSZ_OFFER_PRICE);
    claim("f", "64 H100 take 10 days, 128 take 7.5, for $1.2M more");
    if (csz_arithmetic_scaling(64, 10 * DAY, 128, 7.5 * DAY, price, &efficiency, &hours, &day) !=
        CSZ_OK)
        return;
    says("scaling efficiency %.0f%%, %.0f accelerator-hours more, $%.0f in all, $%.0f for each day "
         "saved at $%.2f",
         100 * efficiency, hours, hours * price, day, price);
    because("128 x 7.5 days are 23,040 accelerator-hours: the whole run costs less than a tenth of "
            "that $1.2M.");
    (void)q;
}

static void years(asked *q)
{
    claim("k", "$1M over 4 years and 100K + 30K + 20K a year is 450K a year");
    says("400K a year in a straight line; %.0fK in the first year when value falls by 0.322 a year",
         1000 * 0.14 * log(10) + 150);
    because("1M / 4 = 250K, and 150K: 400K. Machines of this kind lose value faster at first.");
    (void)q;
}

static void factors(asked *q)
{
    claim("n", "add 20% for scaling, 1.5x for research, 1.2x for production");
    says("presets research 1.5 and production 1.2 multiply budgets, and nothing else");
    because("rules of thumb: no measurement was found. Scaling is in the step time already; adding "
            "20% counts it twice.");
    (void)q;
}

static void scaling(asked *q)
{
    (void)q;
    claim("u", "scaling efficiency is 0.7 to 0.9, so add 20%");
    says("1 / 0.9 to 1 / 0.7: add %.0f%% to %.0f%%", 100 * (1 / 0.9 - 1), 100 * (1 / 0.7 - 1));
    because("accelerators grow by the inverse of the efficiency.");
}

static void peak(asked *q)
{
    double dense = fact(CSZ_KIND_ACCELERATOR, "h100-sxm-80gb", CSZ_ACCELERATOR_PEAK_BF16);
    claim("v", "most overestimate by 2x because they assume peak");
    says("at peak %.0f accelerators for (a), at 40%% %.0f: peak underestimates by %.1fx",
         accelerators(dense, 1, 14), accelerators(dense, 0.4, 14), 1 / 0.4);
    because("a rate that is too high gives a count that is too low.");
    (void)q;
}

const audit arithmetic_audits[] = {
    {'a', formula}, {'f', more}, {'k', years}, {'n', factors},
    {'u', scaling}, {'v', peak}, {0, NULL},
};
