/* test_nccl.c: outputs of nccl-tests: read, fitted to the line that they were made with, refused
 * where they are no measurement. */
#include <math.h>
#include <string.h>

#include "facts/facts.h"
#include "nccl_text.h"
#include "question.h"

static char text[NCCL_TEXT], before[8192], after[8192];
static csz_calibration *calibration;
static csz_cluster *cluster;

/* Domains of 8: 450 GB/s inside, 50 GB/s each outside. */
static void set_up(void)
{
    text[0] = '\0';
    calibration = csz_calibration_new(NULL);
    cluster = csz_cluster_new(NULL);
    ck_assert_int_eq(csz_cluster_set(cluster, NULL, "accelerator=h100-sxm-80gb accelerators=64"),
                     CSZ_OK);
}

static void tear_down(void)
{
    csz_calibration_free(calibration);
    csz_cluster_free(cluster);
}

static void add(csz_collective collective, int64_t ranks)
{
    csz_status status =
        csz_calibration_add_nccl(calibration, collective, ranks, text, strlen(text));
    ck_assert_msg(status == CSZ_OK, "%s", csz_calibration_error(calibration, NULL));
    text[0] = '\0';
}

static void calibrate(void)
{
    ck_assert_msg(csz_cluster_calibrate(cluster, calibration) == CSZ_OK, "%s",
                  csz_cluster_error(cluster, NULL));
}

static void ck_near(csz_field field, double wanted)
{
    double value = 0;
    ck_assert_msg(csz_cluster_get_f64(cluster, field, &value) == CSZ_OK, "%s",
                  csz_field_name(field));
    ck_assert_msg(fabs(value / wanted - 1) < 1e-4, "%s: %g, not %g", csz_field_name(field), value,
                  wanted);
}

static void ck_refused(const char *what, csz_status wanted)
{
    csz_status status =
        csz_calibration_add_nccl(calibration, CSZ_COLLECTIVE_UNKNOWN, 0, text, strlen(text));
    const char *message = csz_calibration_error(calibration, NULL);
    ck_assert_msg(status == wanted, "%s: %s: %s", what, csz_status_name(status), message);
    ck_assert_msg(strstr(message, what) != NULL, "'%s' lacks '%s'", message, what);
    ck_assert_uint_eq(csz_calibration_count(calibration, CSZ_CALIBRATION_COLLECTIVE), 0);
}

/* ---- Known answers ---- */

/* An all-reduce passes twice: t = 2 x 12 us + size x 2 (8 - 1) / 8 / 300 GB/s. */
START_TEST(an_all_reduce_in_a_node_gives_latency_and_bandwidth_of_the_link)
{
    const nccl x = {NULL, 1, 0, 1.75, 24e-6, 1.75 / 300e9, 1024, 12};
    nccl_text(text, &x);
    add(CSZ_COLLECTIVE_UNKNOWN, 0);
    calibrate();
    ck_near(CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH, 300e9);
    ck_near(CSZ_CLUSTER_LINK_LATENCY, 12e-6);
    ck_assert(!csz_cluster_is_set(cluster, CSZ_CLUSTER_SCALE_OUT_MEASURED_BANDWIDTH));
    ck_assert(!csz_cluster_is_set(cluster, CSZ_CLUSTER_LINK_EXPERT_BANDWIDTH));
}
END_TEST

START_TEST(old_columns_are_read_alike)
{
    const nccl x = {NULL, 1, 1, 1.75, 24e-6, 1.75 / 300e9, 1024, 12};
    nccl_text(text, &x);
    add(CSZ_COLLECTIVE_UNKNOWN, 0);
    calibrate();
    ck_near(CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH, 300e9);
    ck_near(CSZ_CLUSTER_LINK_LATENCY, 12e-6);
}
END_TEST

/* t = 12 us + d x 7 us + size (n - 1) / n / (8 x 40 GB/s) on d nodes of 8, n = 8 d; one text. */
START_TEST(node_counts_share_the_latency_of_a_node)
{
    const nccl inside = {"all_gather_perf", 1, 0, 7 / 8.0, 12e-6, 7 / 8.0 / 300e9, 1024, 12};
    nccl_text(text, &inside);
    for (int nodes = 2; nodes <= 8; nodes *= 2) {
        double n = 8 * nodes;
        nccl x = {"reduce_scatter_perf", nodes, 0, 0, 0, 0, 1024, 12};
        x.factor = (n - 1) / n;
        x.latency = 12e-6 + nodes * 7e-6;
        x.slope = x.factor / (8 * 40e9);
        nccl_text(text, &x);
    }
    add(CSZ_COLLECTIVE_UNKNOWN, 0);
    ck_assert_uint_eq(csz_calibration_count(calibration, CSZ_CALIBRATION_COLLECTIVE), 4);
    calibrate();
    ck_near(CSZ_CLUSTER_LINK_LATENCY, 12e-6);
    ck_near(CSZ_CLUSTER_SCALE_OUT_MEASURED_BANDWIDTH, 40e9);
    ck_near(CSZ_CLUSTER_SCALE_OUT_LATENCY, 7e-6);
    for (size_t i = 0; i < 4; i++) {
        double domains = 0, residual = 1;
        (void)csz_calibration_get_f64_at(calibration, CSZ_CALIBRATION_COLLECTIVE_DOMAINS, i,
                                         &domains);
        (void)csz_calibration_get_f64_at(calibration, CSZ_CALIBRATION_COLLECTIVE_RESIDUAL, i,
                                         &residual);
        ck_assert_double_eq_tol(domains, 1 << i, 1e-12);
        ck_assert_double_lt(residual, 1e-4);
    }
}
END_TEST

/* The latency stays that of the stack, twice. */
START_TEST(one_size_gives_a_bandwidth_alone)
{
    const nccl x = {NULL, 1, 0, 1.75, 0, 10e-3 / 1073741824, 1073741824, 1};
    nccl_text(text, &x);
    add(CSZ_COLLECTIVE_UNKNOWN, 0);
    calibrate();
    ck_near(CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH,
            1.75 * 1073741824 / (10e-3 - 2 * cszi_stack_find("megatron")->latency_in));
    ck_assert(!csz_cluster_is_set(cluster, CSZ_CLUSTER_LINK_LATENCY));
}
END_TEST

/* A name after the figures is theirs, not that of the next output. */
START_TEST(a_test_is_named_before_or_after_its_figures)
{
    const nccl gather = {NULL, 1, 0, 0.875, 12e-6, 0.875 / 300e9, 1024, 12},
               reduce = {NULL, 1, 0, 1.75, 24e-6, 1.75 / 300e9, 1024, 12};
    nccl_text(text, &gather);
    nccl_add(text, "# Collective test concluded: all_gather_perf\n#\n");
    nccl_text(text, &reduce);
    add(CSZ_COLLECTIVE_UNKNOWN, 0);
    for (size_t i = 0; i < 2; i++) {
        char name[16] = "";
        csz_calibration_get_text_at(calibration, CSZ_CALIBRATION_COLLECTIVE, i, name, sizeof name);
        ck_assert_str_eq(name, i == 0 ? "all_gather" : "all_reduce");
    }
    calibrate();
    ck_near(CSZ_CLUSTER_LINK_LATENCY, 12e-6);
}
END_TEST

/* Each of 32 ranks sends 24 / 32 of its bytes out of its node at 25 GB/s. */
START_TEST(all_to_all_has_a_bandwidth_of_its_own)
{
    const nccl x = {NULL, 4, 0, 31 / 32.0, 80e-6, 24 / 32.0 / 25e9, 1024, 12};
    nccl_text(text, &x);
    add(CSZ_COLLECTIVE_ALL_TO_ALL, 0);
    calibrate();
    ck_near(CSZ_CLUSTER_SCALE_OUT_EXPERT_BANDWIDTH, 25e9);
    ck_assert(!csz_cluster_is_set(cluster, CSZ_CLUSTER_SCALE_OUT_MEASURED_BANDWIDTH));
    ck_assert(!csz_cluster_is_set(cluster, CSZ_CLUSTER_LINK_LATENCY));
}
END_TEST

START_TEST(a_rack_is_one_domain_of_many_hosts)
{
    const nccl x = {"all_gather_perf", 4, 0, 31 / 32.0, 30e-6, 31 / 32.0 / 700e9, 1024, 12};
    ck_assert_int_eq(csz_cluster_set(cluster, NULL,
                                     "accelerator=gb200-186gb scale_up_domain=72 "
                                     "accelerators_per_node=8 link_bandwidth=900GB/s"),
                     CSZ_OK);
    nccl_text(text, &x);
    add(CSZ_COLLECTIVE_UNKNOWN, 0);
    calibrate();
    ck_near(CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH, 700e9);
}
END_TEST

/* Lines as mpirun tags them, a launcher's words, Windows line ends, no line of names. */
START_TEST(what_stands_around_the_figures_does_not_matter)
{
    static const char tagged[] =
        "+ mpirun -np 2 ./build/all_gather_perf -b 1M -e 4M\r\n"
        "[1,0]<stdout>:#  Rank  0 Pid 1 on a device 0 [0x00] X\r\n"
        "[1,0]<stdout>:#  Rank  1 Pid 2 on a device 1 [0x00] X\r\n"
        "[1,0]<stdout>:  1048576 131072 float none -1 10 104.86 52.43 0\r\n"
        "WARN nothing of note\n"
        "4194304 524288 float none -1 31 135.30 67.65 0";
    /* Of two ranks a half: (4194304 - 1048576) / 2 B in 21 us. */
    snprintf(text, sizeof text, "%s", tagged);
    add(CSZ_COLLECTIVE_UNKNOWN, 0);
    calibrate();
    ck_near(CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH, (4194304 - 1048576) / 2 / 21e-6);
    ck_near(CSZ_CLUSTER_LINK_LATENCY, 3e-6);
}
END_TEST

/* The estimate works with what was measured: a link of just the share that the stack assumes
 * changes nothing, half of it slows tensor traffic to twice the time. */
START_TEST(what_was_measured_stands_for_the_share_of_the_printed_rate)
{
    csz_workload *workload = csz_workload_new(NULL);
    csz_plan *plan = csz_plan_new(NULL);
    csz_estimate *e = csz_estimate_new(NULL);
    double usual = 0, half = 0, link = 0;
    ck_assert_int_eq(csz_workload_set(workload, NULL, "model=llama-3-8b global_batch=64"), CSZ_OK);
    ck_assert_int_eq(csz_plan_set(plan, "tp=8 sharding=optimizer stack=megatron"), CSZ_OK);
    ck_assert_int_eq(csz_cluster_set(cluster, NULL, "link_latency=1ns"), CSZ_OK);
    ck_assert_int_eq(csz_estimate_compute(e, workload, cluster, plan, CSZ_DEPTH_STEP), CSZ_OK);
    (void)csz_estimate_get_f64(e, CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC, &usual);
    for (int way = 0; way < 2; way++) {
        (void)csz_cluster_get_f64(cluster, CSZ_CLUSTER_LINK_BANDWIDTH, &link);
        ck_assert_int_eq(way == 0 ? csz_cluster_set_f64(cluster, CSZ_CLUSTER_LINK_MULTIPLIER, 0.5)
                                  : csz_cluster_set_f64(
                                        cluster, CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH, link * 1e-3),
                         CSZ_OK);
        ck_assert_int_eq(csz_estimate_compute(e, workload, cluster, plan, CSZ_DEPTH_STEP), CSZ_OK);
        (void)csz_estimate_get_f64(e, CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC, &half);
        if (way == 0)
            ck_assert_double_eq_tol(half / usual, 2, 1e-3);
        else
            ck_assert_double_gt(half / usual, 500);
    }
    csz_workload_free(workload);
    csz_plan_free(plan);
    csz_estimate_free(e);
}
END_TEST

/* ---- Refusals ---- */

START_TEST(text_that_is_no_measurement_is_refused)
{
    const nccl one_rank_missing = {NULL, 1, 0, 1.75, 24e-6, 1.75 / 300e9, 1024, 12},
               gather = {NULL, 1, 0, 0.875, 12e-6, 0.875 / 300e9, 1024, 12};
    static const char ranks[] = "# Rank 0 Pid 1 on a device 0\n# Rank 1 Pid 2 on a device 1\n"
                                "# size count type redop root time algbw busbw #wrong\n";
    static const struct {
        const char *figures, *what;
        csz_status status;
    } lines[] = {
        {"", "no line of figures", CSZ_ERR_MISSING},
        {"1048576 262144 float sum -1 10 104.86", "line 4: is cut short", CSZ_ERR_SYNTAX},
        {"1048576", "line 4: is cut short", CSZ_ERR_SYNTAX},
        {"1048576 262144 float sum -1 nan 104.86 104.86 0", "not a number", CSZ_ERR_SYNTAX},
        {"1048576 262144 float sum -1 0 104.86 104.86 0", "not a positive", CSZ_ERR_SYNTAX},
        {"1048576 262144 float sum -1 -10 104.86 104.86 0", "not a positive", CSZ_ERR_SYNTAX},
        {"1048576 262144 float sum -1 1e999 104.86 104.86 0", "not a positive", CSZ_ERR_SYNTAX},
        {"1048576 262144 float sum -1 10 104.86 104.86 3", "3 wrong values", CSZ_ERR_CONFLICT},
        {"1048576 262144 float sum -1 10 50.00 50.00 0", "not algbw", CSZ_ERR_SYNTAX},
    };
    text[0] = '\0';
    ck_refused("no line of figures", CSZ_ERR_MISSING);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, "%s%s\n", ranks, lines[i].figures);
        ck_refused(lines[i].what, lines[i].status);
    }
    text[0] = '\0';
    nccl_text(text, &gather);
    ck_refused("which test", CSZ_ERR_MISSING);
    text[0] = '\0';
    nccl_text(text, &one_rank_missing);
    memcpy(strstr(text, "Rank  3"), "Rank 33", 7);
    ck_refused("highest rank is 33", CSZ_ERR_SYNTAX);
    memcpy(text, "\0", 1);
    ck_assert_int_eq(csz_calibration_add_nccl(calibration, CSZ_COLLECTIVE_UNKNOWN, 0, text, 20),
                     CSZ_ERR_SYNTAX);
}
END_TEST

START_TEST(arguments_must_agree_with_the_text)
{
    const nccl x = {"all_reduce_perf", 1, 0, 1.75, 24e-6, 1.75 / 300e9, 1024, 12};
    nccl_text(text, &x);
    ck_assert_int_eq(
        csz_calibration_add_nccl(calibration, CSZ_COLLECTIVE_UNKNOWN, 16, text, strlen(text)),
        CSZ_ERR_CONFLICT);
    ck_assert_int_eq(
        csz_calibration_add_nccl(calibration, CSZ_COLLECTIVE_ALL_GATHER, 0, text, strlen(text)),
        CSZ_ERR_CONFLICT);
    ck_assert_int_eq(
        csz_calibration_add_nccl(calibration, CSZ_COLLECTIVE_UNKNOWN, 1, text, strlen(text)),
        CSZ_ERR_RANGE);
    ck_assert_int_eq(
        csz_calibration_add_nccl(calibration, (csz_collective)9, 0, text, strlen(text)),
        CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_calibration_add_nccl(NULL, CSZ_COLLECTIVE_UNKNOWN, 0, text, 3),
                     CSZ_ERR_ARGUMENT);
}
END_TEST

/* 450 GB/s one way: an all-gather of 8 ends at 450 / (7 / 8), an all-reduce in the switch at 450;
 * two nodes of 8 ports of 50 GB/s at 400 / (8 / 16). 5% more is tolerated, 10% is not. */
START_TEST(faster_than_the_printed_link_is_refused)
{
    static const struct {
        const char *test;
        int hosts;
        double factor, most;
        csz_field field;
    } all[] = {
        {"all_gather_perf", 1, 7 / 8.0, 450e9 * 8 / 7, CSZ_CLUSTER_LINK_BANDWIDTH},
        {"all_reduce_perf", 1, 7 / 4.0, 450e9, CSZ_CLUSTER_LINK_BANDWIDTH},
        {"reduce_scatter_perf", 16, 127 / 128.0, 400e9 * 16 / 15, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH},
        {"alltoall_perf", 2, 15 / 16.0, 100e9, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (int over = 0; over < 2; over++) {
            nccl x = {all[i].test, all[i].hosts, 0, all[i].factor, 1e-5, 0, 1 << 20, 9};
            csz_status wanted = over ? CSZ_ERR_RANGE : CSZ_OK;
            csz_field field = CSZ_FIELD_NONE;
            tear_down();
            set_up();
            x.slope = 1 / (all[i].most * (over ? 1.1 : 1.04));
            nccl_text(text, &x);
            add(CSZ_COLLECTIVE_UNKNOWN, 0);
            csz_cluster_to_json(cluster, before, sizeof before);
            ck_assert_msg(csz_cluster_calibrate(cluster, calibration) == wanted, "%zu, %d: %s", i,
                          over, csz_cluster_error(cluster, &field));
            (void)csz_cluster_error(cluster, &field);
            ck_assert_int_eq(field, over ? all[i].field : CSZ_FIELD_NONE);
            csz_cluster_to_json(cluster, after, sizeof after);
            ck_assert_int_eq(strcmp(before, after) == 0, over);
            ck_assert_int_eq(strstr(csz_cluster_error(cluster, NULL), "floor") != NULL, over);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nccl");
    TCase *tcase = tcase_create("nccl");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, an_all_reduce_in_a_node_gives_latency_and_bandwidth_of_the_link);
    tcase_add_test(tcase, old_columns_are_read_alike);
    tcase_add_test(tcase, node_counts_share_the_latency_of_a_node);
    tcase_add_test(tcase, one_size_gives_a_bandwidth_alone);
    tcase_add_test(tcase, a_test_is_named_before_or_after_its_figures);
    tcase_add_test(tcase, all_to_all_has_a_bandwidth_of_its_own);
    tcase_add_test(tcase, a_rack_is_one_domain_of_many_hosts);
    tcase_add_test(tcase, what_stands_around_the_figures_does_not_matter);
    tcase_add_test(tcase, what_was_measured_stands_for_the_share_of_the_printed_rate);
    tcase_add_test(tcase, text_that_is_no_measurement_is_refused);
    tcase_add_test(tcase, arguments_must_agree_with_the_text);
    tcase_add_test(tcase, faster_than_the_printed_link_is_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
