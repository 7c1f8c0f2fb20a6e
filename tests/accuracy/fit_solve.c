/* fit_solve.c: robust least squares: Gauss-Newton on logarithms of the constants, errors weighed by
 * the derivative of a pseudo-Huber loss, each constant held by its prior (Levenberg's damping). */
#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 128   /* constants */
#define SCALE 0.08 /* of errors that count in full */
#define WORTH 0.04 /* of a run against a prior: errors have this deviation */
#define STEP 0.02  /* of a derivative */

typedef struct problem {
    runs *all;
    const unsigned char *use;
    constant *free[MOST];
    size_t count;
    double *residuals, *shifted, *slopes; /* slopes[k * runs + i] */
} problem;

/* Twice the loss of one error over its quadratic form. */
static double huber(double r)
{
    double x = r / SCALE;

    return 2 * (sqrt(1 + x * x) - 1) * SCALE * SCALE;
}

static double objective(problem *p, double *residuals)
{
    double sum = 0;

    runs_residuals(p->all, p->use, residuals);
    for (size_t i = 0; i < p->all->count; i++)
        if (p->use[i])
            sum += p->all->weights[i] * huber(residuals[i]) / (WORTH * WORTH);
    for (size_t k = 0; k < p->count; k++) {
        double z = log(p->free[k]->value / p->free[k]->prior) / p->free[k]->wide;
        sum += z * z;
    }
    return sum;
}

static void differentiate(problem *p)
{
    for (size_t k = 0; k < p->count; k++) {
        constant *c = p->free[k];
        double value = c->value, *slope = p->slopes + k * p->all->count;
        constant_set(c, value * exp(-STEP));
        runs_residuals(p->all, p->use, p->shifted);
        for (size_t i = 0; i < p->all->count; i++)
            slope[i] = (p->residuals[i] - p->shifted[i]) / STEP;
        constant_set(c, value);
    }
}

/* Normal equations a x = b. */
static void normal(const problem *p, double a[MOST][MOST], double b[MOST])
{
    size_t n = p->all->count;

    for (size_t k = 0; k < p->count; k++) {
        const constant *c = p->free[k];
        for (size_t j = 0; j < p->count; j++)
            a[k][j] = 0;
        a[k][k] = 1 / (c->wide * c->wide);
        b[k] = -log(c->value / c->prior) / (c->wide * c->wide);
    }
    for (size_t i = 0; i < n; i++) {
        double r = p->residuals[i], x = r / SCALE, w;
        if (!p->use[i])
            continue;
        w = p->all->weights[i] / sqrt(1 + x * x) / (WORTH * WORTH);
        for (size_t k = 0; k < p->count; k++) {
            double s = p->slopes[k * n + i];
            b[k] -= w * s * r;
            for (size_t j = 0; j <= k; j++)
                a[k][j] += w * s * p->slopes[j * n + i];
        }
    }
    for (size_t k = 0; k < p->count; k++)
        for (size_t j = 0; j < k; j++)
            a[j][k] = a[k][j];
}

/* Cholesky's factor in the lower half of a; damped. */
static void factor(double a[MOST][MOST], size_t n, double damping)
{
    for (size_t k = 0; k < n; k++)
        a[k][k] *= 1 + damping;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j <= k; j++) {
            double sum = a[k][j];
            for (size_t m = 0; m < j; m++)
                sum -= a[k][m] * a[j][m];
            a[k][j] = k == j ? sqrt(fmax(sum, 1e-12)) : sum / a[j][j];
        }
}

static void substitute(double a[MOST][MOST], size_t n, double b[MOST])
{
    for (size_t k = 0; k < n; k++) {
        for (size_t m = 0; m < k; m++)
            b[k] -= a[k][m] * b[m];
        b[k] /= a[k][k];
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t m = k + 1; m < n; m++)
            b[k] -= a[m][k] * b[m];
        b[k] /= a[k][k];
    }
}

/* One turn; the objective after it. */
static double turn(problem *p, double before)
{
    static double a[MOST][MOST];
    double b[MOST], old[MOST], damping = 1e-3, after = before;

    differentiate(p);
    for (size_t k = 0; k < p->count; k++)
        old[k] = p->free[k]->value;
    for (int attempt = 0; attempt < 5; attempt++, damping *= 10) {
        normal(p, a, b);
        factor(a, p->count, damping);
        substitute(a, p->count, b);
        for (size_t k = 0; k < p->count; k++)
            constant_set(p->free[k], old[k] * exp(fmax(-0.5, fmin(0.5, b[k]))));
        after = objective(p, p->shifted);
        if (after < before)
            break;
        for (size_t k = 0; k < p->count; k++)
            constant_set(p->free[k], old[k]);
    }
    after = objective(p, p->residuals);
    return after;
}

/* Standard deviations of the constants, from the inverse of the normal matrix. */
static void put_errors(problem *p)
{
    static double a[MOST][MOST];
    double b[MOST];

    differentiate(p);
    normal(p, a, b);
    factor(a, p->count, 0);
    for (size_t k = 0; k < p->count; k++) {
        for (size_t j = 0; j < p->count; j++)
            b[j] = j == k;
        substitute(a, p->count, b);
        p->free[k]->error = sqrt(b[k]);
    }
}

double fit_solve(runs *all, const unsigned char *use, int turns, int loud)
{
    problem p = {.all = all, .use = use};
    double value = 0, last;

    for (size_t k = 0; k < constants_count && p.count < MOST; k++)
        if (!constants[k].held)
            p.free[p.count++] = &constants[k];
    p.residuals = malloc(all->count * sizeof *p.residuals);
    p.shifted = malloc(all->count * sizeof *p.shifted);
    p.slopes = malloc(all->count * (p.count + 1) * sizeof *p.slopes);
    if (p.residuals != NULL && p.shifted != NULL && p.slopes != NULL) {
        last = value = objective(&p, p.residuals);
        for (int i = 0; i < turns; i++) {
            value = turn(&p, last);
            if (loud)
                fprintf(stderr, "turn %d: %.4f\n", i + 1, value);
            if (value > last * (1 - 1e-6))
                break;
            last = value;
        }
        if (loud)
            put_errors(&p);
    }
    free(p.residuals);
    free(p.shifted);
    free(p.slopes);
    return value;
}
