/* test_calibration.c: multipliers from measured steps and rates. */
#include <math.h>
#include <string.h>

#include "facts/calibration.h"
#include "facts/facts.h"
#include "question.h"

#define MULTIPLIERS 4

static char before[8192], after[8192];
static question q;
static csz_calibration *calibration;

static const csz_field multipliers[MULTIPLIERS] = {
    CSZ_CLUSTER_COMPUTE_MULTIPLIER, CSZ_CLUSTER_MEMORY_MULTIPLIER, CSZ_CLUSTER_LINK_MULTIPLIER,
    CSZ_CLUSTER_SCALE_OUT_MULTIPLIER};

/* Runs that differ in what binds them. */
static const struct {
    const char *workload, *plan;
    int64_t accelerators;
} runs[] = {
    {"model=llama-3-8b global_batch=64", "stack=megatron sharding=optimizer", 8},
    {"model=llama-3-8b global_batch=64 sequence_length=2048", "stack=megatron tp=8", 8},
    {"model=llama-3-8b global_batch=512", "stack=megatron tp=4 sharding=optimizer", 64},
    {"model=llama-3-70b global_batch=64", "stack=fsdp-eager sharding=parameters", 64},
    {"model=llama-3-70b global_batch=128", "stack=megatron tp=8 pp=4 sharding=optimizer", 64},
    {"model=llama-3-8b global_batch=64 sequence_length=2048", "stack=fsdp-eager zero=parameters",
     64},
    {"model=llama-3-8b global_batch=8 sequence_length=1024", "stack=megatron sharding=optimizer",
     8},
    {"model=mixtral-8x7b global_batch=256", "stack=megatron ep=8 sharding=optimizer", 64},
};
#define RUNS (sizeof runs / sizeof *runs)

static void set_up(void)
{
    question_open(&q);
    calibration = csz_calibration_new(NULL);
    ck_assert_ptr_nonnull(calibration);
    question_set(&q, "model=llama-3-8b", "accelerator=h100-sxm-80gb accelerators=64", "tp=1");
}

static void tear_down(void)
{
    question_close(&q);
    csz_calibration_free(calibration);
}

static void set_run(size_t i)
{
    csz_plan *fresh = csz_plan_new(NULL);
    (void)csz_plan_copy(q.plan, fresh);
    csz_plan_free(fresh);
    ck_assert_int_eq(csz_workload_unset(q.workload, CSZ_WORKLOAD_SEQUENCE_LENGTH), CSZ_OK);
    question_set(&q, runs[i].workload, "", runs[i].plan);
}

/* What a step of a run takes on the cluster as it stands. */
static double seconds_of(size_t i)
{
    double kept = 0, seconds;
    set_run(i);
    (void)csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_ACCELERATORS, &kept);
    (void)csz_cluster_set_i64(q.cluster, CSZ_CLUSTER_ACCELERATORS, runs[i].accelerators);
    question_compute(&q, CSZ_DEPTH_STEP);
    seconds = figure(&q, CSZ_ESTIMATE_STEP_TIME);
    (void)csz_cluster_set_f64(q.cluster, CSZ_CLUSTER_ACCELERATORS, kept);
    return seconds;
}

static void add(size_t i, double seconds, double uncertainty)
{
    set_run(i);
    ck_assert_msg(csz_calibration_add_run(calibration, q.workload, q.plan, runs[i].accelerators,
                                          seconds, uncertainty) == CSZ_OK,
                  "%s", csz_calibration_error(calibration, NULL));
}

static void calibrate(void)
{
    ck_assert_msg(csz_cluster_calibrate(q.cluster, calibration) == CSZ_OK, "%s",
                  csz_cluster_error(q.cluster, NULL));
}

static double result(csz_field field, size_t i)
{
    double value = (double)NAN;
    csz_status status = csz_calibration_get_f64_at(calibration, field, i, &value);
    ck_assert_msg(status == CSZ_OK, "%s: %s", csz_field_name(field), csz_status_name(status));
    return value;
}

/* ---- Recovery ---- */

START_TEST(multipliers_that_made_the_times_are_found_again)
{
    static const double truth[MULTIPLIERS] = {0.83, 0.93, 0.71, 0.62};
    double seconds[RUNS];
    for (int i = 0; i < MULTIPLIERS; i++)
        (void)csz_cluster_set_f64(q.cluster, multipliers[i], truth[i]);
    for (size_t i = 0; i < RUNS; i++)
        seconds[i] = seconds_of(i);
    for (int i = 0; i < MULTIPLIERS; i++)
        (void)csz_cluster_unset(q.cluster, multipliers[i]);
    for (size_t i = 0; i < RUNS; i++)
        add(i, seconds[i], 1e-4);
    calibrate();
    for (int i = 0; i < MULTIPLIERS; i++) {
        double value = 0;
        (void)csz_cluster_get_f64(q.cluster, multipliers[i], &value);
        ck_assert_msg(fabs(value / truth[i] - 1) < 2e-3, "%d: %g, not %g", i, value, truth[i]);
        ck_assert(fabs(result(CSZ_CALIBRATION_MULTIPLIER_AFTER, (size_t)i) / value - 1) < 1e-12);
        ck_assert_double_lt(result(CSZ_CALIBRATION_MULTIPLIER_UNCERTAINTY, (size_t)i), 0.01);
    }
    ck_assert_double_gt(result(CSZ_CALIBRATION_RESIDUAL_BEFORE, 0), 0.1);
    ck_assert_double_lt(result(CSZ_CALIBRATION_RESIDUAL, 0), 1e-4);
    for (size_t i = 0; i < RUNS; i++) {
        ck_assert_double_eq_tol(seconds_of(i) / seconds[i], 1, 1e-3);
        ck_assert_double_lt(result(CSZ_CALIBRATION_RUN_FLOOR, i), seconds[i]);
    }
}
END_TEST

/* The same measurements in another order, and once more from the same start. */
START_TEST(the_answer_is_one)
{
    csz_cluster *first = csz_cluster_new(NULL);
    double seconds[RUNS];
    for (size_t i = 0; i < RUNS; i++)
        seconds[i] = seconds_of(i) * (1.05 + 0.02 * (double)(i % 3));
    (void)csz_cluster_copy(first, q.cluster);
    for (size_t i = 0; i < RUNS; i++)
        add(i, seconds[i], 0);
    calibrate();
    csz_cluster_to_json(q.cluster, before, sizeof before);
    (void)csz_cluster_copy(q.cluster, first);
    calibrate();
    csz_cluster_to_json(q.cluster, after, sizeof after);
    ck_assert_str_eq(before, after);
    csz_calibration_free(calibration);
    calibration = csz_calibration_new(NULL);
    for (size_t i = RUNS; i-- > 0;)
        add(i, seconds[i], 0);
    for (int i = 0; i < MULTIPLIERS; i++)
        (void)csz_cluster_unset(q.cluster, multipliers[i]);
    calibrate();
    (void)csz_cluster_load(first, NULL, CSZ_SOURCE_JSON, before, strlen(before));
    for (int i = 0; i < MULTIPLIERS; i++) {
        double one = 0, other = 0;
        (void)csz_cluster_get_f64(q.cluster, multipliers[i], &other);
        (void)csz_cluster_get_f64(first, multipliers[i], &one);
        ck_assert_double_eq_tol(one, other, 1e-6);
    }
    csz_cluster_free(first);
}
END_TEST

/* ---- Known answers ---- */

/* One reading r = ln(predicted / measured) of one multiplier m: minimum of (x + r)^2 / s^2 + x^2 /
 * w^2 is x = -r w^2 / (w^2 + s^2), and 1 / left^2 = 1 / w^2 + 1 / s^2. */
START_TEST(a_rate_by_itself_is_weighed_against_the_prior)
{
    static const double s = 0.1;
    double w, r, value = 0, peak = 0;
    (void)csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_PEAK_BF16, &peak);
    ck_assert_int_eq(csz_calibration_set_gemm(calibration, CSZ_FORMAT_BF16, 0.6 * peak, s), CSZ_OK);
    calibrate();
    w = result(CSZ_CALIBRATION_MULTIPLIER_PRIOR, CSZ_MULTIPLIER_COMPUTE);
    r = result(CSZ_CALIBRATION_GEMM_RESIDUAL_BEFORE, 0);
    ck_assert_double_gt(fabs(r), 0.01);
    (void)csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_COMPUTE_MULTIPLIER, &value);
    ck_assert_double_eq_tol(log(value), -r * w * w / (w * w + s * s), 1e-9);
    ck_assert_double_eq_tol(result(CSZ_CALIBRATION_GEMM_RESIDUAL, 0), r + log(value), 1e-9);
    ck_assert_double_eq_tol(result(CSZ_CALIBRATION_MULTIPLIER_UNCERTAINTY, CSZ_MULTIPLIER_COMPUTE),
                            1 / sqrt(1 / (w * w) + 1 / (s * s)), 1e-9);
    ck_assert_double_eq_tol(result(CSZ_CALIBRATION_MULTIPLIER_AFTER, CSZ_MULTIPLIER_MEMORY), 1,
                            1e-12);
    ck_assert_int_eq(csz_calibration_get_f64(calibration, CSZ_CALIBRATION_COPY_RESIDUAL, &value),
                     CSZ_ERR_UNSET);
}
END_TEST

/* 0.85 of the printed bandwidth is what steps were fitted with: a copy that reaches 0.80 of it. */
START_TEST(a_copy_moves_memory_alone)
{
    double bandwidth = 0, w, r, value = 0;
    (void)csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_MEMORY_BANDWIDTH, &bandwidth);
    ck_assert_int_eq(csz_calibration_set_copy(calibration, 0.80 * bandwidth, 0.05), CSZ_OK);
    calibrate();
    w = result(CSZ_CALIBRATION_MULTIPLIER_PRIOR, CSZ_MULTIPLIER_MEMORY);
    r = result(CSZ_CALIBRATION_COPY_RESIDUAL_BEFORE, 0);
    (void)csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_MEMORY_MULTIPLIER, &value);
    ck_assert_double_eq_tol(log(value), -r * w * w / (w * w + 0.0025), 1e-9);
    ck_assert_double_lt(value, 1);
    ck_assert_double_eq_tol(result(CSZ_CALIBRATION_MULTIPLIER_AFTER, CSZ_MULTIPLIER_COMPUTE), 1,
                            1e-12);
}
END_TEST

/* ---- Priors and bounds ---- */

START_TEST(one_run_moves_mostly_compute_and_not_all_the_way)
{
    double moved[MULTIPLIERS];
    add(0, 1.15 * seconds_of(0), 0);
    calibrate();
    for (size_t i = 0; i < MULTIPLIERS; i++) {
        moved[i] = fabs(log(result(CSZ_CALIBRATION_MULTIPLIER_AFTER, i)));
        ck_assert_double_le(result(CSZ_CALIBRATION_MULTIPLIER_UNCERTAINTY, i),
                            result(CSZ_CALIBRATION_MULTIPLIER_PRIOR, i) + 1e-12);
        if (i > 0)
            ck_assert_double_gt(moved[0], 5 * moved[i]);
    }
    ck_assert_double_eq_tol(result(CSZ_CALIBRATION_RUN_RESIDUAL_BEFORE, 0), -log(1.15), 1e-9);
    ck_assert_double_lt(result(CSZ_CALIBRATION_RUN_RESIDUAL, 0), 0);
    ck_assert_double_gt(result(CSZ_CALIBRATION_RUN_RESIDUAL, 0), -0.5 * log(1.15));
    ck_assert_double_eq_tol(result(CSZ_CALIBRATION_RUN_UNCERTAINTY, 0), 0.05, 1e-12);
}
END_TEST

START_TEST(multipliers_stay_inside_their_bounds)
{
    for (int faster = 0; faster < 2; faster++) {
        int at_bound = 0;
        for (size_t i = 0; i < RUNS; i++) /* no step is below its floor */
            add(i, seconds_of(i) * (faster ? 0.62 : 6), 1e-3);
        calibrate();
        for (size_t i = 0; i < MULTIPLIERS; i++) {
            double value = result(CSZ_CALIBRATION_MULTIPLIER_AFTER, i),
                   low = result(CSZ_CALIBRATION_MULTIPLIER_LOWEST, i),
                   high = result(CSZ_CALIBRATION_MULTIPLIER_HIGHEST, i);
            ck_assert_double_ge(value, low * (1 - 1e-12));
            ck_assert_double_le(value, high * (1 + 1e-12));
            at_bound += fabs(value / (faster ? high : low) - 1) < 1e-9;
        }
        ck_assert_int_ge(at_bound, faster ? 1 : 3);
        tear_down();
        set_up();
    }
}
END_TEST

/* Facts that hold together: 1 is inside the bounds, these inside those of the field, and a measured
 * bandwidth never widens a prior. */
START_TEST(bounds_and_priors_are_sound)
{
    for (int i = 0; i < MULTIPLIERS; i++) {
        const cszi_multiplier_fact *fact = &cszi_multiplier_facts[i];
        double lowest = 0, highest = 0;
        ck_assert_int_eq(fact->field, multipliers[i]);
        ck_assert_int_eq(csz_field_bounds(multipliers[i], &lowest, &highest), CSZ_OK);
        ck_assert(lowest <= fact->low && fact->low < 1 && 1 < fact->high && fact->high <= highest);
        ck_assert(0 < fact->measured && fact->measured <= fact->width && fact->width < 1);
        ck_assert_uint_gt(strlen(fact->source), 10);
    }
}
END_TEST

/* ---- Power ---- */

START_TEST(a_limit_on_power_slows_compute_and_only_compute)
{
    double usual = seconds_of(0), matrices = figure(&q, CSZ_ESTIMATE_STEP_MATRICES), limited,
           slower = pow(2, cszi_family_find("hopper")->sustained);
    ck_assert(slower > 1.2 && slower < 2);
    ck_assert_int_eq(csz_cluster_set(q.cluster, NULL, "power_limit=700W"), CSZ_OK);
    ck_assert_double_eq_tol(seconds_of(0), usual, 1e-12);
    ck_assert_int_eq(csz_cluster_set(q.cluster, NULL, "power_limit=350W"), CSZ_OK);
    limited = seconds_of(0);
    /* 1 / 2^x of the rate, but for launches and what memory binds */
    ck_assert_double_gt(figure(&q, CSZ_ESTIMATE_STEP_MATRICES) / matrices, 1 + 0.9 * (slower - 1));
    ck_assert_double_lt(figure(&q, CSZ_ESTIMATE_STEP_MATRICES) / matrices, slower + 1e-9);
    ck_assert(limited > usual && limited < slower * usual);
    ck_assert_int_eq(csz_cluster_unset(q.cluster, CSZ_CLUSTER_POWER), CSZ_OK);
    ck_assert_int_eq(
        csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, CSZ_DEPTH_STEP),
        CSZ_ERR_MISSING);
}
END_TEST

/* ---- Refusals ---- */

/* The cluster refuses, with the text, and is as before; there is no result. */
static void ck_refused(csz_status wanted, const char *what)
{
    double value;
    csz_status status;
    csz_cluster_to_json(q.cluster, before, sizeof before);
    status = csz_cluster_calibrate(q.cluster, calibration);
    ck_assert_msg(status == wanted && strstr(csz_cluster_error(q.cluster, NULL), what) != NULL,
                  "%s: %s: '%s'", what, csz_status_name(status),
                  csz_cluster_error(q.cluster, NULL));
    csz_cluster_to_json(q.cluster, after, sizeof after);
    ck_assert_str_eq(before, after);
    ck_assert_uint_eq(csz_calibration_count(calibration, CSZ_CALIBRATION_MULTIPLIER), 0);
    ck_assert_int_eq(csz_calibration_get_f64(calibration, CSZ_CALIBRATION_RESIDUAL, &value),
                     CSZ_ERR_UNSET);
}

START_TEST(a_time_that_is_none_is_refused)
{
    const double none[] = {0, -1, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 8, none[i], 0),
                         CSZ_ERR_RANGE);
        ck_assert_ptr_nonnull(strstr(csz_calibration_error(calibration, NULL), "step_seconds"));
        ck_assert_int_eq(csz_calibration_set_gemm(calibration, CSZ_FORMAT_BF16, none[i], 0),
                         CSZ_ERR_RANGE);
        ck_assert_int_eq(csz_calibration_set_copy(calibration, none[i], 0), CSZ_ERR_RANGE);
    }
    ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 8, 1, (double)NAN),
                     CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 8, 1, 1.1),
                     CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, -1, 1, 0),
                     CSZ_ERR_RANGE);
    ck_assert_int_eq(csz_calibration_add_run(calibration, NULL, q.plan, 8, 1, 0), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_calibration_set_gemm(calibration, CSZ_FORMAT_NF4, 1e14, 0),
                     CSZ_ERR_ARGUMENT);
    ck_assert_uint_eq(csz_calibration_count(calibration, CSZ_CALIBRATION_RUN_MEASURED), 0);
    ck_refused(CSZ_ERR_MISSING, "nothing was measured");
}
END_TEST

/* FLOPs of the step over the peaks of 8 accelerators, from the estimate's own count. */
START_TEST(a_step_faster_than_its_flops_is_refused_with_the_floor)
{
    char floor_text[32];
    double peak = 0, floor;
    (void)seconds_of(0);
    (void)csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_PEAK_BF16, &peak);
    floor = figure(&q, CSZ_ESTIMATE_FLOPS_STEP) / (8 * peak);
    add(0, 0.999 * floor, 0);
    snprintf(floor_text, sizeof floor_text, "floor of %.6g", floor);
    if (strchr(floor_text, ',') != NULL) /* the locale's */
        *strchr(floor_text, ',') = '.';
    ck_refused(CSZ_ERR_RANGE, floor_text);
    ck_refused(CSZ_ERR_RANGE, "runs[0]: ");
    ck_refused(CSZ_ERR_RANGE, "dense peak of 8 accelerators");
    tear_down();
    set_up();
    add(0, 1.001 * floor, 0);
    calibrate();
    ck_assert_double_eq_tol(result(CSZ_CALIBRATION_RUN_FLOOR, 0) / floor, 1, 1e-12);
}
END_TEST

/* One sequence of 16 tokens: AdamW reads and writes states of 8e9 parameters, and that binds: at
 * least 8e9 x 16 B / 3.35e12 B/s. */
START_TEST(a_step_faster_than_its_memory_traffic_is_refused)
{
    question_set(&q, "model=llama-3-8b global_batch=1 sequence_length=16", "accelerators=1",
                 "stack=megatron");
    ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 0, 0.038, 0), CSZ_OK);
    ck_refused(CSZ_ERR_RANGE, "memory bandwidth of 1 accelerators");
}
END_TEST

START_TEST(a_rate_above_the_printed_one_is_refused)
{
    ck_assert_int_eq(csz_calibration_set_gemm(calibration, CSZ_FORMAT_BF16, 990e12, 0), CSZ_OK);
    ck_refused(CSZ_ERR_RANGE, "gemm_rate");
    ck_assert_int_eq(csz_calibration_set_gemm(calibration, CSZ_FORMAT_FP4, 990e12, 0), CSZ_OK);
    ck_refused(CSZ_ERR_MISSING, "no such rate");
    ck_assert_int_eq(csz_calibration_set_gemm(calibration, CSZ_FORMAT_BF16, 700e12, 0), CSZ_OK);
    ck_assert_int_eq(csz_calibration_set_copy(calibration, 3.36e12, 0), CSZ_OK);
    ck_refused(CSZ_ERR_RANGE, "copy_bandwidth");
    ck_assert_int_eq(csz_calibration_set_copy(calibration, 3e12, 0), CSZ_OK);
    (void)csz_cluster_set_f64(q.cluster, CSZ_CLUSTER_COMPUTE_MULTIPLIER, 5);
    ck_refused(CSZ_ERR_RANGE, "compute_multiplier: 5 is outside");
    (void)csz_cluster_set_f64(q.cluster, CSZ_CLUSTER_COMPUTE_MULTIPLIER, 0.9);
    calibrate();
}
END_TEST

START_TEST(a_run_that_cannot_be_is_named)
{
    set_run(0);
    ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 8, 60, 0), CSZ_OK);
    ck_assert_int_eq(csz_plan_set(q.plan, "tp=7"), CSZ_OK);
    ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 8, 60, 0), CSZ_OK);
    ck_refused(CSZ_ERR_CONFLICT, "runs[1]: ");
    ck_assert_int_eq(csz_cluster_calibrate(NULL, calibration), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_cluster_calibrate(q.cluster, NULL), CSZ_ERR_ARGUMENT);
}
END_TEST

START_TEST(runs_have_a_limit)
{
    set_run(0);
    for (int i = 0; i < 1024; i++)
        ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 8, 60, 0),
                         CSZ_OK);
    ck_assert_int_eq(csz_calibration_add_run(calibration, q.workload, q.plan, 8, 60, 0),
                     CSZ_ERR_LIMIT);
}
END_TEST

/* ---- The cluster carries it ---- */

START_TEST(a_calibrated_cluster_is_read_back_and_another_part_starts_anew)
{
    csz_cluster *again = csz_cluster_new(NULL);
    char json[8192];
    add(0, 1.1 * seconds_of(0), 0);
    calibrate();
    csz_cluster_to_json(q.cluster, json, sizeof json);
    ck_assert_msg(csz_cluster_load(again, NULL, CSZ_SOURCE_JSON, json, strlen(json)) == CSZ_OK,
                  "%s", csz_cluster_error(again, NULL));
    csz_cluster_to_json(q.cluster, before, sizeof before);
    csz_cluster_to_json(again, after, sizeof after);
    ck_assert_str_eq(before, after);
    ck_assert_int_eq(csz_cluster_set(again, NULL, "accelerator=h100-sxm-80gb"), CSZ_OK);
    ck_assert(csz_cluster_is_set(again, CSZ_CLUSTER_COMPUTE_MULTIPLIER));
    ck_assert_int_eq(csz_cluster_set(again, NULL, "accelerator=a100-sxm-80gb"), CSZ_OK);
    ck_assert(!csz_cluster_is_set(again, CSZ_CLUSTER_COMPUTE_MULTIPLIER));
    csz_cluster_free(again);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calibration");
    TCase *tcase = tcase_create("calibration");

    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, multipliers_that_made_the_times_are_found_again);
    tcase_add_test(tcase, the_answer_is_one);
    tcase_add_test(tcase, a_rate_by_itself_is_weighed_against_the_prior);
    tcase_add_test(tcase, a_copy_moves_memory_alone);
    tcase_add_test(tcase, one_run_moves_mostly_compute_and_not_all_the_way);
    tcase_add_test(tcase, multipliers_stay_inside_their_bounds);
    tcase_add_test(tcase, bounds_and_priors_are_sound);
    tcase_add_test(tcase, a_limit_on_power_slows_compute_and_only_compute);
    tcase_add_test(tcase, a_time_that_is_none_is_refused);
    tcase_add_test(tcase, a_step_faster_than_its_flops_is_refused_with_the_floor);
    tcase_add_test(tcase, a_step_faster_than_its_memory_traffic_is_refused);
    tcase_add_test(tcase, a_rate_above_the_printed_one_is_refused);
    tcase_add_test(tcase, a_run_that_cannot_be_is_named);
    tcase_add_test(tcase, runs_have_a_limit);
    tcase_add_test(tcase, a_calibrated_cluster_is_read_back_and_another_part_starts_anew);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
