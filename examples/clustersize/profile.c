/* profile.c: size --profile FILE: runs that were measured calibrate the cluster, and what they
 * leave unsure is the range of what is projected from it. */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "runs.h"

#define DIFFERENCE 0.01 /* of ln(multiplier) */

static const csz_field multipliers[] = {CSZ_CLUSTER_COMPUTE_MULTIPLIER,
                                        CSZ_CLUSTER_MEMORY_MULTIPLIER, CSZ_CLUSTER_LINK_MULTIPLIER,
                                        CSZ_CLUSTER_SCALE_OUT_MULTIPLIER};
#define MULTIPLIERS (sizeof multipliers / sizeof *multipliers)

int profile_apply(asked *a, csz_calibration *c)
{
    csz_field field = CSZ_FIELD_NONE;
    double uncertainty = 0;
    csz_status done;
    int status = 0;
    if (a->uncertainty != NULL)
        status = runs_number(a, "uncertainty", CSZ_UNIT_RATIO, a->uncertainty, &uncertainty);
    a->runs_file = a->profile_file;
    if (status == 0)
        status = runs_add(a, c, uncertainty);
    if (status != 0)
        return status;
    done = csz_cluster_calibrate(a->cluster, c);
    (void)csz_cluster_error(a->cluster, &field);
    return done == CSZ_OK ? 0 : args_fail_with(a, done, field, csz_cluster_error(a->cluster, NULL));
}

/* ln of the step time with one multiplier moved. */
static double moved(const asked *a, const answer *x, csz_cluster *cluster, csz_field field,
                    double by)
{
    double value = 1, step = (double)NAN;
    csz_estimate *e = csz_estimate_new(NULL);
    (void)csz_cluster_copy(cluster, x->cluster);
    (void)csz_cluster_get_f64(cluster, field, &value);
    (void)csz_cluster_set_f64(cluster, field, value * exp(by));
    if (e != NULL &&
        csz_estimate_compute(e, a->workload, cluster, x->plan, CSZ_DEPTH_STEP) == CSZ_OK)
        step = log(figure(e, CSZ_ESTIMATE_STEP_TIME));
    csz_estimate_free(e);
    return step;
}

/* Variance of ln(step time): what the runs left of each multiplier, carried to this count by its
 * derivative, and the error that the runs themselves were given or showed. */
static double uncertainty_of(const asked *a, const answer *x, const csz_calibration *c)
{
    csz_cluster *cluster = csz_cluster_new(NULL);
    double own = 0, residual = 0, variance;
    (void)csz_calibration_get_f64(c, CSZ_CALIBRATION_RUN_UNCERTAINTY, &own);
    (void)csz_calibration_get_f64(c, CSZ_CALIBRATION_RESIDUAL, &residual);
    variance = fmax(own, residual) * fmax(own, residual);
    for (size_t i = 0; cluster != NULL && i < MULTIPLIERS; i++) {
        double left = 0, slope = (moved(a, x, cluster, multipliers[i], DIFFERENCE) -
                                  moved(a, x, cluster, multipliers[i], -DIFFERENCE)) /
                                 (2 * DIFFERENCE);
        (void)csz_calibration_get_f64_at(c, CSZ_CALIBRATION_MULTIPLIER_UNCERTAINTY, i, &left);
        variance += slope * slope * left * left;
    }
    csz_cluster_free(cluster);
    return sqrt(variance);
}

static int range_of(const asked *a, const csz_cluster *cluster, const answer *x, double range[3])
{
    csz_projection *p = csz_projection_new(NULL);
    int found =
        p != NULL &&
        csz_projection_compute(p, a->catalog, a->workload, cluster, x->plan) == CSZ_OK &&
        csz_projection_get_range(p, CSZ_PROJECTION_TIME, &range[0], &range[1], &range[2]) == CSZ_OK;
    csz_projection_free(p);
    return found;
}

void say_profile(page *t, const asked *a, const answer *x, const csz_calibration *c)
{
    csz_cluster *cluster = csz_cluster_new(NULL);
    double before[3], after[3], sigma = uncertainty_of(a, x, c);
    size_t runs = csz_calibration_count(c, CSZ_CALIBRATION_RUN_MEASURED);
    if (cluster == NULL || csz_cluster_copy(cluster, x->cluster) != CSZ_OK ||
        !range_of(a, cluster, x, before) || !isfinite(sigma) ||
        csz_cluster_set_f64(cluster, CSZ_CLUSTER_STEP_UNCERTAINTY, sigma) != CSZ_OK ||
        !range_of(a, cluster, x, after)) {
        csz_cluster_free(cluster);
        return;
    }
    text_open(t, "Profile");
    text_add(t, "%zu run%s: %s to", runs, runs == 1 ? "" : "s",
             text_unit(CSZ_UNIT_SECOND, after[0]).text);
    text_add(t, "%s (%.0f%% a step), where the class of machines alone gave %s to",
             text_unit(CSZ_UNIT_SECOND, after[2]).text, 100 * sigma,
             text_unit(CSZ_UNIT_SECOND, before[0]).text);
    text_add(t, "%s", text_unit(CSZ_UNIT_SECOND, before[2]).text);
    text_close(t);
    csz_cluster_free(cluster);
}
