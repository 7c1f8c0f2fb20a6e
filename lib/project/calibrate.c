/* calibrate.c: Levenberg and Marquardt's method (Marquardt 1963) on ln(predicted / measured) over
 * ln(multiplier), with a normal prior on each (ridge; Tikhonov), projected on bounds. Four
 * unknowns: the normal equations have a fixed size. Derivatives are differences through the
 * ordinary estimate, so that whatever the estimate knows is fitted. */
#include "project/calibrate.h"

#include <math.h>
#include <string.h>

#include "estimate/floor.h"
#include "estimate/kernels.h"

#define N CSZI_MULTIPLIERS
#define ROUNDS 100
#define DIFFERENCE 1e-4 /* of ln(multiplier): central, error of its square */
#define ENOUGH 1e-10    /* a step that moves no logarithm by more ends the search */

typedef struct fit {
    cszi_calibration *c;
    cszi_cluster cluster; /* with the multipliers of the point */
    double centre[N];     /* of ln, here and below: the prior's */
    double width[N];
    double low[N];
    double high[N];
    double best[N];
    double left[N]; /* uncertainty */
    cszi_error *error;
} fit;

/* Half the sum of squares with its gradient and the Gauss-Newton matrix. */
typedef struct normal {
    double cost;
    double g[N];
    double a[N][N];
} normal;

/* ---- Predictions ---- */

static double *multiplier_of(cszi_cluster *cluster, int i)
{
    double *const members[N] = {&cluster->compute_multiplier, &cluster->memory_multiplier,
                                &cluster->link_multiplier, &cluster->scale_out_multiplier};
    return members[i];
}

static void move_to(fit *f, const double x[N])
{
    for (int i = 0; i < N; i++)
        *multiplier_of(&f->cluster, i) = exp(x[i]);
}

/* The inputs were accepted before: only multipliers differ. */
static double time_at(fit *f, size_t run, const double x[N])
{
    const cszi_run_inputs *in = &f->c->inputs[run];
    double seconds;
    move_to(f, x);
    f->cluster.accelerators = f->c->runs[run].accelerators;
    return cszi_predict(&in->workload, &f->cluster, &in->plan, &seconds, NULL, f->error) == CSZ_OK
               ? seconds
               : (double)NAN;
}

/* What isolated kernels should reach, when whole steps reach the fitted shares. */
static double gemm_rate(const cszi_cluster *cluster, int64_t format)
{
    return cszi_cluster_peak(cluster, format) *
           cszi_sustained(cluster, cszi_family_share(cszi_family_find(cluster->family), format)) /
           cszi_calibration_fact("gemm_in_step");
}

static double copy_rate(const cszi_cluster *cluster)
{
    const cszi_stack *stack = cszi_stack_find(cszi_family_find(cluster->family)->stack);
    return cluster->memory_bandwidth * stack->memory_share / cszi_calibration_fact("copy_in_step");
}

/* ---- The normal equations ---- */

static void add_row(normal *n, double r, const double d[N])
{
    n->cost += r * r / 2;
    for (int i = 0; i < N; i++) {
        n->g[i] += r * d[i];
        for (int j = 0; j < N; j++)
            n->a[i][j] += d[i] * d[j];
    }
}

static void add_run(fit *f, size_t run, const double x[N], normal *n)
{
    double at[N], d[N], sigma = f->c->runs[run].uncertainty;
    memcpy(at, x, sizeof at);
    for (int i = 0; i < N; i++) {
        double up, down;
        at[i] = x[i] + DIFFERENCE;
        up = time_at(f, run, at);
        at[i] = x[i] - DIFFERENCE;
        down = time_at(f, run, at);
        at[i] = x[i];
        d[i] = log(up / down) / (2 * DIFFERENCE) / sigma;
    }
    add_row(n, log(time_at(f, run, x) / f->c->runs[run].measured) / sigma, d);
}

/* A rate by itself, and the prior: each of one multiplier alone. */
static void add_single(normal *n, int which, double r, double sigma)
{
    double d[N] = {0};
    d[which] = 1 / sigma;
    add_row(n, r / sigma, d);
}

static double gemm_residual(const fit *f, double x)
{
    return x + log(gemm_rate(&f->cluster, f->c->gemm.format) / f->c->gemm.rate);
}

static double copy_residual(const fit *f, double x)
{
    return x + log(copy_rate(&f->cluster) / f->c->copy.rate);
}

static void add_rates(const fit *f, const double x[N], normal *n)
{
    const cszi_measured_rate *gemm = &f->c->gemm, *copy = &f->c->copy;
    if (gemm->rate > 0)
        add_single(n, CSZ_MULTIPLIER_COMPUTE, gemm_residual(f, x[CSZ_MULTIPLIER_COMPUTE]),
                   gemm->uncertainty);
    if (copy->rate > 0)
        add_single(n, CSZ_MULTIPLIER_MEMORY, copy_residual(f, x[CSZ_MULTIPLIER_MEMORY]),
                   copy->uncertainty);
    for (int i = 0; i < N; i++)
        add_single(n, i, x[i] - f->centre[i], f->width[i]);
}

static void assemble(fit *f, const double x[N], normal *n)
{
    memset(n, 0, sizeof *n);
    for (size_t i = 0; i < (size_t)f->c->run_count; i++)
        add_run(f, i, x, n);
    add_rates(f, x, n);
}

static double cost_at(fit *f, const double x[N])
{
    normal n;
    memset(&n, 0, sizeof n);
    for (size_t i = 0; i < (size_t)f->c->run_count; i++) {
        double r = log(time_at(f, i, x) / f->c->runs[i].measured) / f->c->runs[i].uncertainty;
        n.cost += r * r / 2;
    }
    add_rates(f, x, &n);
    return n.cost;
}

/* ---- The search ---- */

/* Solves a d = b by elimination; a is positive definite, since every prior has a width. */
static void solve(double matrix[N][N], const double b[N], double d[N])
{
    double a[N][N];
    memcpy(a, matrix, sizeof a);
    memcpy(d, b, N * sizeof *d);
    for (int i = 0; i < N; i++)
        for (int row = i + 1; row < N; row++) {
            double times = a[row][i] / a[i][i];
            for (int j = i; j < N; j++)
                a[row][j] -= times * a[i][j];
            d[row] -= times * d[i];
        }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            d[i] -= a[i][j] * d[j];
        d[i] /= a[i][i];
    }
}

/* Those on a bound that the gradient presses outward stay there. */
static int is_held(const fit *f, const double x[N], const normal *n, int i)
{
    return (x[i] <= f->low[i] && n->g[i] > 0) || (x[i] >= f->high[i] && n->g[i] < 0);
}

/* A damped step inside the bounds. Returns how far it goes. */
static double step(const fit *f, const normal *n, const double x[N], double damping, double to[N])
{
    double a[N][N], b[N], d[N], furthest = 0;
    for (int i = 0; i < N; i++) {
        int held = is_held(f, x, n, i);
        b[i] = held ? 0 : -n->g[i];
        for (int j = 0; j < N; j++)
            a[i][j] = held || is_held(f, x, n, j) ? 0 : n->a[i][j];
        a[i][i] = n->a[i][i] * (1 + damping);
    }
    solve(a, b, d);
    for (int i = 0; i < N; i++) {
        to[i] = fmin(fmax(x[i] + d[i], f->low[i]), f->high[i]);
        furthest = fmax(furthest, fabs(to[i] - x[i]));
    }
    return furthest;
}

/* From a start to where no step goes further. */
static void descend(fit *f, double x[N], normal *n)
{
    double damping = 1e-3, to[N];
    assemble(f, x, n);
    for (int round = 0; round < ROUNDS; round++) {
        double far = step(f, n, x, damping, to);
        if (far <= ENOUGH || damping > 1e9)
            break;
        if (cost_at(f, to) <= n->cost) {
            memcpy(x, to, sizeof to);
            assemble(f, x, n);
            damping /= 10;
        } else {
            damping *= 10;
        }
    }
}

/* What hides behind what makes kinks, where a descent may end early: it starts at the prior and a
 * width beside it on either side of each unknown, and the lowest end holds. */
static void search(fit *f)
{
    normal n, least = {.cost = (double)INFINITY};
    for (int start = 0; start <= 2 * N; start++) {
        double x[N];
        int i = (start - 1) / 2;
        memcpy(x, f->centre, sizeof x);
        if (start > 0)
            x[i] =
                fmin(fmax(x[i] + (start % 2 ? f->width[i] : -f->width[i]), f->low[i]), f->high[i]);
        descend(f, x, &n);
        if (n.cost < least.cost) {
            least = n;
            memcpy(f->best, x, sizeof x);
        }
    }
    for (int i = 0; i < N; i++) {
        double one[N] = {0}, column[N];
        one[i] = 1;
        solve(least.a, one, column);
        f->left[i] = sqrt(column[i]);
    }
}

/* ---- What is given ---- */

/* Nothing is faster than the printed peaks: such a time is of another job, machine or unit. */
static csz_status check_floor(fit *f, size_t i, const cszi_floor *floor)
{
    cszi_calibration_run *run = &f->c->runs[i];
    int compute = floor->compute >= floor->memory;
    run->floor = fmax(floor->compute, floor->memory);
    if (run->measured >= run->floor)
        return CSZ_OK;
    return cszi_fail(
        f->error, CSZ_ERR_RANGE, CSZ_ESTIMATE_STEP_TIME,
        "runs[%zu]: a step of %g s is below its floor of %g s: %s of %lld accelerators", i,
        run->measured, run->floor,
        compute ? "the model's FLOPs at the dense peak"
                : "optimizer states and weights at the memory bandwidth",
        (long long)floor->used);
}

static csz_status open_run(fit *f, size_t i, int64_t usual)
{
    cszi_calibration_run *run = &f->c->runs[i];
    const cszi_run_inputs *in = &f->c->inputs[i];
    cszi_error said;
    cszi_floor floor;
    csz_status status;
    run->accelerators = in->accelerators > 0 ? in->accelerators : usual;
    f->cluster.accelerators = run->accelerators;
    cszi_error_clear(&said);
    status = cszi_predict(&in->workload, &f->cluster, &in->plan, &run->before, &floor, &said);
    if (status != CSZ_OK)
        return cszi_fail(f->error, status, said.field, "runs[%zu]: %s", i, said.text);
    run->residual_before = log(run->before / run->measured);
    run->uncertainty =
        in->uncertainty > 0 ? in->uncertainty : cszi_calibration_fact("run_uncertainty");
    return check_floor(f, i, &floor);
}

static csz_status check_rate(const fit *f, const char *name, double rate, double peak,
                             csz_field field)
{
    if (rate <= 0 || (peak > 0 && rate <= peak))
        return CSZ_OK;
    if (peak <= 0)
        return cszi_fail(f->error, CSZ_ERR_MISSING, field, "%s: the cluster has no such rate",
                         name);
    return cszi_fail(f->error, CSZ_ERR_RANGE, field,
                     "%s: %g is above the printed rate of %g of one accelerator", name, rate, peak);
}

static csz_field peak_field(int64_t format)
{
    static const csz_field fields[] = {
        [CSZ_FORMAT_FP32] = CSZ_CLUSTER_PEAK_FP32, [CSZ_FORMAT_TF32] = CSZ_CLUSTER_PEAK_TF32,
        [CSZ_FORMAT_BF16] = CSZ_CLUSTER_PEAK_BF16, [CSZ_FORMAT_FP16] = CSZ_CLUSTER_PEAK_FP16,
        [CSZ_FORMAT_FP8] = CSZ_CLUSTER_PEAK_FP8,   [CSZ_FORMAT_FP4] = CSZ_CLUSTER_PEAK_FP4};
    return format >= CSZ_FORMAT_FP32 && format <= CSZ_FORMAT_FP4 ? fields[format] : CSZ_FIELD_NONE;
}

static csz_status open_rates(fit *f)
{
    const cszi_measured_rate *gemm = &f->c->gemm, *copy = &f->c->copy;
    csz_status status =
        check_rate(f, "gemm_rate", gemm->rate, cszi_cluster_peak(&f->cluster, gemm->format),
                   peak_field(gemm->format));
    if (status == CSZ_OK)
        status = check_rate(f, "copy_bandwidth", copy->rate, f->cluster.memory_bandwidth,
                            CSZ_CLUSTER_MEMORY_BANDWIDTH);
    if (status != CSZ_OK)
        return status;
    if (gemm->rate > 0)
        f->c->gemm_residual_before = gemm_residual(f, log(f->cluster.compute_multiplier));
    if (copy->rate > 0)
        f->c->copy_residual_before = copy_residual(f, log(f->cluster.memory_multiplier));
    return CSZ_OK;
}

/* Priors stand around what the cluster carries. No product passes the dense peak; links that were
 * measured are known better. */
static csz_status open_priors(fit *f)
{
    const cszi_family *family = cszi_family_find(f->cluster.family);
    double most = 1 / fmax(family->gemm16, fmax(family->gemm8, family->gemm4));
    const double measured[N] = {0, 0, f->cluster.link_measured_bandwidth,
                                f->cluster.scale_out_measured_bandwidth};
    for (int i = 0; i < N; i++) {
        const cszi_multiplier_fact *fact = &cszi_multiplier_facts[i];
        cszi_moved *moved = &f->c->moved[i];
        moved->multiplier = i;
        moved->before = *multiplier_of(&f->cluster, i);
        moved->prior = f->width[i] = measured[i] > 0 ? fact->measured : fact->width;
        moved->lowest = fact->low;
        moved->highest = i == CSZ_MULTIPLIER_COMPUTE ? fmin(fact->high, most) : fact->high;
        f->low[i] = log(moved->lowest);
        f->high[i] = log(moved->highest);
        f->centre[i] = log(moved->before);
        if (moved->before < moved->lowest || moved->before > moved->highest)
            return cszi_fail(f->error, CSZ_ERR_RANGE, (csz_field)fact->field,
                             "%s: %g is outside %g to %g, where a calibration keeps it",
                             cszi_table_row(&cszi_cluster_table, (csz_field)fact->field)->name,
                             moved->before, moved->lowest, moved->highest);
    }
    return CSZ_OK;
}

/* ---- The results ---- */

static double mean_residual(const cszi_calibration *c, int after)
{
    double sum = 0;
    for (int64_t i = 0; i < c->run_count; i++) {
        double r = after ? c->runs[i].residual : c->runs[i].residual_before;
        sum += r * r;
    }
    return c->run_count > 0 ? sqrt(sum / (double)c->run_count) : (double)NAN;
}

static csz_status put_results(fit *f, cszi_cluster *cluster)
{
    cszi_calibration *c = f->c;
    csz_status status = CSZ_OK;
    for (size_t i = 0; i < (size_t)c->run_count; i++) {
        c->runs[i].after = time_at(f, i, f->best);
        c->runs[i].residual = log(c->runs[i].after / c->runs[i].measured);
    }
    c->residual_before = mean_residual(c, 0);
    c->residual = mean_residual(c, 1);
    if (c->gemm.rate > 0)
        c->gemm_residual = gemm_residual(f, f->best[CSZ_MULTIPLIER_COMPUTE]);
    if (c->copy.rate > 0)
        c->copy_residual = copy_residual(f, f->best[CSZ_MULTIPLIER_MEMORY]);
    for (int i = 0; status == CSZ_OK && i < N; i++) {
        csz_field field = (csz_field)cszi_multiplier_facts[i].field;
        c->moved[i].after = exp(f->best[i]);
        c->moved[i].uncertainty = f->left[i];
        status = cszi_field_set_f64(&cszi_cluster_table, cluster,
                                    cszi_table_row(&cszi_cluster_table, field), 0,
                                    c->moved[i].after, f->error);
    }
    c->moved_count = N;
    return status;
}

csz_status cszi_calibrate(cszi_cluster *cluster, cszi_calibration *calibration, cszi_error *error)
{
    fit f = {.c = calibration, .error = error};
    csz_status status;
    if (calibration->run_count == 0 && calibration->collective_count == 0 &&
        calibration->gemm.rate <= 0 && calibration->copy.rate <= 0 && cluster->power_limit <= 0)
        return cszi_fail(
            error, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
            "nothing was measured: no run, nccl-tests, GEMM rate, copy bandwidth or power limit");
    f.cluster = *cluster;
    status = open_rates(&f);
    for (size_t i = 0; status == CSZ_OK && i < (size_t)calibration->run_count; i++)
        status = open_run(&f, i, cluster->accelerators);
    if (status != CSZ_OK)
        return status;
    status = cszi_cluster_take_collectives(cluster, calibration->collectives,
                                           (size_t)calibration->collective_count, error);
    if (status != CSZ_OK)
        return status;
    f.cluster = *cluster;
    status = open_priors(&f);
    if (status != CSZ_OK)
        return status;
    search(&f);
    return put_results(&f, cluster);
}
