/* calibrate.c: what was measured on a cluster adjusts it, and is kept for the other commands. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "runs.h"

/* ---- What was measured ---- */

/* The test that a file is called after. */
static csz_collective collective_of(const char *path)
{
    static const struct {
        const char *name;
        csz_collective collective;
    } names[] = {{"all_reduce", CSZ_COLLECTIVE_ALL_REDUCE},
                 {"all_gather", CSZ_COLLECTIVE_ALL_GATHER},
                 {"reduce_scatter", CSZ_COLLECTIVE_REDUCE_SCATTER},
                 {"alltoall", CSZ_COLLECTIVE_ALL_TO_ALL},
                 {"all_to_all", CSZ_COLLECTIVE_ALL_TO_ALL}};
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(base, names[i].name) != NULL)
            return names[i].collective;
    return CSZ_COLLECTIVE_UNKNOWN;
}

/* The text says more than the file's name, which is asked where it does not. */
static int add_nccl(asked *a, csz_calibration *c, const char *path)
{
    size_t n = 0;
    char *text = file_read(a, "nccl", path, &n), message[sizeof a->message];
    csz_status status;
    if (text == NULL)
        return BAD_INPUT;
    status = csz_calibration_add_nccl(c, CSZ_COLLECTIVE_UNKNOWN, 0, text, n);
    if (status == CSZ_ERR_MISSING && collective_of(path) != CSZ_COLLECTIVE_UNKNOWN)
        status = csz_calibration_add_nccl(c, collective_of(path), 0, text, n);
    free(text);
    if (check_calibration(a, c, status) == 0)
        return 0;
    memcpy(message, a->message, sizeof message);
    return args_fail(a, status, CSZ_FIELD_NONE, "%.120s: %.350s", path, message);
}

/* "fp8:1200TFLOP/s", or the rate in the workload's format. */
static int set_gemm(asked *a, csz_calibration *c)
{
    const char *colon = strchr(a->gemm_rate, ':'), *text = colon != NULL ? colon + 1 : a->gemm_rate;
    int64_t format = 0;
    double rate = 0;
    (void)csz_workload_get_i64(a->workload, CSZ_WORKLOAD_COMPUTE_FORMAT, &format);
    if (colon != NULL) {
        const char *name = "";
        size_t n = (size_t)(colon - a->gemm_rate);
        for (format = CSZ_FORMAT_FP32; format <= CSZ_FORMAT_FP4; format++) {
            name = csz_field_choice(CSZ_WORKLOAD_COMPUTE_FORMAT, format);
            if (name != NULL && strlen(name) == n && strncmp(name, a->gemm_rate, n) == 0)
                break;
        }
        if (format > CSZ_FORMAT_FP4)
            return args_fail(a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                             "gemm_rate: '%.40s' begins with no number format: fp32, tf32, bf16, "
                             "fp16, fp8, fp4",
                             a->gemm_rate);
    }
    if (runs_number(a, "gemm_rate", CSZ_UNIT_FLOP_PER_SECOND, text, &rate) != 0)
        return BAD_INPUT;
    return check_calibration(a, c, csz_calibration_set_gemm(c, (csz_format)format, rate, 0));
}

static int set_copy(asked *a, csz_calibration *c)
{
    double rate = 0;
    if (runs_number(a, "copy_bandwidth", CSZ_UNIT_BYTE_PER_SECOND, a->copy_bandwidth, &rate) != 0)
        return BAD_INPUT;
    return check_calibration(a, c, csz_calibration_set_copy(c, rate, 0));
}

/* The run that the flags describe. */
static int add_run(asked *a, csz_calibration *c, double uncertainty)
{
    double seconds = 0;
    if (runs_number(a, "step_time", CSZ_UNIT_SECOND, a->step_time, &seconds) != 0)
        return BAD_INPUT;
    count_by_degrees(a);
    return check_calibration(
        a, c, csz_calibration_add_run(c, a->workload, a->plan, 0, seconds, uncertainty));
}

static int add_all(asked *a, csz_calibration *c)
{
    double uncertainty = 0;
    int status = 0;
    if (a->uncertainty != NULL)
        status = runs_number(a, "uncertainty", CSZ_UNIT_RATIO, a->uncertainty, &uncertainty);
    if (status == 0 && a->step_time != NULL)
        status = add_run(a, c, uncertainty);
    if (status == 0 && a->runs_file != NULL)
        status = runs_add(a, c, uncertainty);
    for (size_t i = 0; status == 0 && i < a->nccl_count; i++)
        status = add_nccl(a, c, a->nccl[i]);
    if (status == 0 && a->gemm_rate != NULL)
        status = set_gemm(a, c);
    if (status == 0 && a->copy_bandwidth != NULL)
        status = set_copy(a, c);
    return status;
}

/* ---- The screen ---- */

static double result(const csz_calibration *c, csz_field field, size_t i)
{
    double value = (double)NAN;
    (void)csz_calibration_get_f64_at(c, field, i, &value);
    return value;
}

static void say_multipliers(page *t, const csz_calibration *c)
{
    text_line(t, "%-12s %8s %8s %8s %9s %9s %14s", "multiplier", "before", "after", "moved",
              "known to", "before", "kept inside");
    for (size_t i = 0; i < csz_calibration_count(c, CSZ_CALIBRATION_MULTIPLIER); i++) {
        char name[32] = "";
        double before = result(c, CSZ_CALIBRATION_MULTIPLIER_BEFORE, i),
               after = result(c, CSZ_CALIBRATION_MULTIPLIER_AFTER, i);
        (void)csz_calibration_get_text_at(c, CSZ_CALIBRATION_MULTIPLIER, i, name, sizeof name);
        text_line(t, "%-12s %8.3f %8.3f %+7.1f%% %8.1f%% %8.1f%% %8.2f - %.2f", name, before, after,
                  100 * (after / before - 1),
                  100 * result(c, CSZ_CALIBRATION_MULTIPLIER_UNCERTAINTY, i),
                  100 * result(c, CSZ_CALIBRATION_MULTIPLIER_PRIOR, i),
                  result(c, CSZ_CALIBRATION_MULTIPLIER_LOWEST, i),
                  result(c, CSZ_CALIBRATION_MULTIPLIER_HIGHEST, i));
    }
}

static void say_runs(page *t, const csz_calibration *c, int all)
{
    size_t count = csz_calibration_count(c, CSZ_CALIBRATION_RUN_MEASURED),
           most = all || count < 9 ? count : 8;
    if (count == 0)
        return;
    text_line(t, "%-4s %12s %10s %10s %10s %9s %9s", "run", "accelerators", "measured", "before",
              "after", "off", "off after");
    for (size_t i = 0; i < most; i++)
        text_line(t, "%-4zu %12s %10s %10s %10s %+8.1f%% %+8.1f%%", i,
                  text_count(result(c, CSZ_CALIBRATION_RUN_ACCELERATORS, i)).text,
                  text_time(result(c, CSZ_CALIBRATION_RUN_MEASURED, i)).text,
                  text_time(result(c, CSZ_CALIBRATION_RUN_BEFORE, i)).text,
                  text_time(result(c, CSZ_CALIBRATION_RUN_AFTER, i)).text,
                  100 * expm1(result(c, CSZ_CALIBRATION_RUN_RESIDUAL_BEFORE, i)),
                  100 * expm1(result(c, CSZ_CALIBRATION_RUN_RESIDUAL, i)));
    if (most < count)
        text_line(t, "%zu more: -v", count - most);
    text_line(t, "all  root mean square of ln(predicted / measured): %.1f%% before, %.1f%% after",
              100 * result(c, CSZ_CALIBRATION_RESIDUAL_BEFORE, 0),
              100 * result(c, CSZ_CALIBRATION_RESIDUAL, 0));
}

static void say_rate(page *t, const char *name, double before, double after)
{
    if (!isnan(before))
        text_line(t, "%-12s predicted over measured: %+.1f%% before, %+.1f%% after", name,
                  100 * expm1(before), 100 * expm1(after));
}

static void say_collectives(page *t, const csz_calibration *c)
{
    for (size_t i = 0; i < csz_calibration_count(c, CSZ_CALIBRATION_COLLECTIVE); i++) {
        char name[32] = "";
        (void)csz_calibration_get_text_at(c, CSZ_CALIBRATION_COLLECTIVE, i, name, sizeof name);
        text_line(t, "%s: %s ranks in %s, %s sizes, fitted to %.0f%%", name,
                  text_count(result(c, CSZ_CALIBRATION_COLLECTIVE_RANKS, i)).text,
                  result(c, CSZ_CALIBRATION_COLLECTIVE_DOMAINS, i) > 1 ? "several domains"
                                                                       : "one domain",
                  text_count(result(c, CSZ_CALIBRATION_COLLECTIVE_SIZES, i)).text,
                  100 * result(c, CSZ_CALIBRATION_COLLECTIVE_RESIDUAL, i));
    }
}

/* Fields that stand for printed ones, where they are set. */
static void say_measured(page *t, const csz_cluster *cluster)
{
    static const csz_field fields[] = {CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH,
                                       CSZ_CLUSTER_LINK_LATENCY,
                                       CSZ_CLUSTER_LINK_EXPERT_BANDWIDTH,
                                       CSZ_CLUSTER_SCALE_OUT_MEASURED_BANDWIDTH,
                                       CSZ_CLUSTER_SCALE_OUT_LATENCY,
                                       CSZ_CLUSTER_SCALE_OUT_EXPERT_BANDWIDTH,
                                       CSZ_CLUSTER_POWER_LIMIT};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        double value = 0;
        if (csz_cluster_is_set(cluster, fields[i]) &&
            csz_cluster_get_f64(cluster, fields[i], &value) == CSZ_OK)
            text_line(t, "%-28s %s", csz_field_name(fields[i]),
                      text_unit(csz_field_unit(fields[i]), value).text);
    }
}

static void say_calibration(const asked *a, const csz_calibration *c)
{
    page t = {.limit = 0};
    char id[64] = "";
    (void)csz_cluster_get_text(a->cluster, CSZ_CLUSTER_ACCELERATOR, id, sizeof id);
    text_open(&t, "");
    text_add(&t, "%s, calibrated.", id[0] != '\0' ? id : "The cluster");
    if (a->output_file != NULL)
        text_add(&t, "Written to %.200s.", a->output_file);
    else
        text_add(&t, "Not kept: --output FILE writes it for --cluster FILE.");
    text_close(&t);
    say_multipliers(&t, c);
    say_runs(&t, c, a->verbose);
    say_rate(&t, "GEMM rate", result(c, CSZ_CALIBRATION_GEMM_RESIDUAL_BEFORE, 0),
             result(c, CSZ_CALIBRATION_GEMM_RESIDUAL, 0));
    say_rate(&t, "copy", result(c, CSZ_CALIBRATION_COPY_RESIDUAL_BEFORE, 0),
             result(c, CSZ_CALIBRATION_COPY_RESIDUAL, 0));
    say_collectives(&t, c);
    say_measured(&t, a->cluster);
}

/* ---- JSON ---- */

/* {"cluster": {...}, "calibration": {...}}: the first is what --cluster and --job read, the second
 * says where it is from. To be freed; NULL when there is no memory. */
static char *calibrated_json(const asked *a, const csz_calibration *c)
{
    static const char head[] = "{\"cluster\":", middle[] = ",\"calibration\":";
    size_t cluster = csz_cluster_to_json(a->cluster, NULL, 0),
           results = csz_calibration_to_json(c, NULL, 0), room = cluster + results + 64, n;
    char *json = malloc(room);
    if (json == NULL)
        return NULL;
    memcpy(json, head, sizeof head);
    n = sizeof head - 1;
    n += csz_cluster_to_json(a->cluster, json + n, room - n);
    memcpy(json + n, middle, sizeof middle);
    n += sizeof middle - 1;
    n += csz_calibration_to_json(c, json + n, room - n);
    memcpy(json + n, "}", 2);
    return json;
}

static int write_output(asked *a, const char *json)
{
    FILE *file = fopen(a->output_file, "wb");
    int failed = file == NULL, cause = errno;
    if (file != NULL) {
        errno = 0;
        failed = fputs(json, file) < 0 || fputc('\n', file) < 0;
        failed |= fclose(file) != 0;
        cause = errno;
    }
    return failed ? args_fail(a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE, "output: %.200s: %s",
                              a->output_file, cause != 0 ? strerror(cause) : "cannot be written")
                  : 0;
}

static int tell(asked *a, const csz_calibration *c)
{
    char *json = calibrated_json(a, c);
    int status = 0;
    if (json == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    if (a->output_file != NULL)
        status = write_output(a, json);
    if (status == 0 && !a->json)
        say_calibration(a, c);
    else if (status == 0)
        puts(json);
    free(json);
    return status;
}

int run_calibrate(asked *a)
{
    csz_calibration *c = csz_calibration_new(NULL);
    csz_field field = CSZ_FIELD_NONE;
    csz_status done;
    int status = c == NULL ? args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory")
                           : add_all(a, c);
    if (status == 0) {
        done = csz_cluster_calibrate(a->cluster, c);
        (void)csz_cluster_error(a->cluster, &field);
        if (done != CSZ_OK)
            status = args_fail_with(a, done, field, csz_cluster_error(a->cluster, NULL));
    }
    if (status == 0)
        status = tell(a, c);
    csz_calibration_free(c);
    return status;
}
