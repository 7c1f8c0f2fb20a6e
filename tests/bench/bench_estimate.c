/* bench_estimate.c: what the hot calls cost, through the public interface. Prints medians; judges
 * nothing.
 *
 *     bench_estimate [--json]
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <clustersize/clustersize.h>

#define RUNS 101 /* each figure is the median of so many */

/* A question and the handles that it needs. */
typedef struct bench {
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
    csz_goal *goal;
    csz_estimate *estimate;
    csz_ranking *ranking;
    csz_depth depth;
} bench;

static void require(csz_status status, const char *what, const char *message)
{
    if (status != CSZ_OK) {
        fprintf(stderr, "bench_estimate: %s: %s: %s\n", what, csz_status_name(status), message);
        exit(EXIT_FAILURE);
    }
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Nanoseconds of one call: the median over RUNS of the mean over repeats. */
static double median(void (*call)(bench *b, int turn), bench *b, int repeats)
{
    double times[RUNS];
    int i, j;

    call(b, 0); /* warm */
    for (i = 0; i < RUNS; i++) {
        double start = now();

        for (j = 0; j < repeats; j++) {
            call(b, j);
        }
        times[i] = (now() - start) / repeats;
    }
    qsort(times, RUNS, sizeof *times, ascending);
    return times[RUNS / 2];
}

/* Three setters, one compute, two getters. */
static void call_estimate(bench *b, int turn)
{
    double memory, second;
    csz_field other =
        b->depth == CSZ_DEPTH_FIT ? CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY : CSZ_ESTIMATE_STEP_TIME;

    (void)csz_plan_set_i64(b->plan, CSZ_PLAN_TENSOR_PARALLEL, 8);
    (void)csz_plan_set_i64(b->plan, CSZ_PLAN_PIPELINE_PARALLEL, 16);
    (void)csz_plan_set_i64(b->plan, CSZ_PLAN_MICRO_BATCH, 1 + turn % 2);
    require(csz_estimate_compute(b->estimate, b->workload, b->cluster, b->plan, b->depth),
            "compute", csz_estimate_error(b->estimate, NULL));
    require(csz_estimate_get_f64(b->estimate, CSZ_ESTIMATE_MEMORY_TOTAL, &memory), "memory.total",
            "");
    require(csz_estimate_get_f64(b->estimate, other, &second), "second figure", "");
}

static void call_select(bench *b, int turn)
{
    (void)turn;
    require(csz_ranking_select(b->ranking, b->workload, b->cluster, b->goal), "select",
            csz_ranking_error(b->ranking, NULL));
}

static void ask(bench *b, const char *workload, const char *cluster, const char *plan)
{
    require(csz_workload_set(b->workload, NULL, workload), workload,
            csz_workload_error(b->workload, NULL));
    require(csz_cluster_set(b->cluster, NULL, cluster), cluster,
            csz_cluster_error(b->cluster, NULL));
    require(csz_plan_set(b->plan, plan), plan, csz_plan_error(b->plan, NULL));
}

static void print(int json, double fit, double step, double select)
{
    if (json) {
        printf("{\"version\":\"%s\",\"estimate_fit_ns\":%.0f,\"estimate_step_ns\":%.0f,\"ranking_"
               "select_ns\":%.0f}\n",
               csz_version_string(), fit, step, select);
        return;
    }
    printf("Llama 3.1 405B, 16384 H100, tp=8 pp=16: 3 setters, compute, 2 getters\n");
    printf("  fit   %12.0f ns\n", fit);
    printf("  step  %12.0f ns\n", step);
    printf("Llama 3 70B, 1024 H100: select over all plans\n");
    printf("        %12.0f ns\n", select);
}

int main(int argc, char **argv)
{
    bench b = {csz_workload_new(NULL), csz_cluster_new(NULL),  csz_plan_new(NULL),
               csz_goal_new(NULL),     csz_estimate_new(NULL), csz_ranking_new(NULL),
               CSZ_DEPTH_FIT};
    double fit, step, select;
    int json = argc == 2 && strcmp(argv[1], "--json") == 0;

    if (argc > 2 || (argc == 2 && !json)) {
        fprintf(stderr, "usage: bench_estimate [--json]\n");
        return EXIT_FAILURE;
    }
    if (b.workload == NULL || b.cluster == NULL || b.plan == NULL || b.goal == NULL ||
        b.estimate == NULL || b.ranking == NULL) {
        fprintf(stderr, "bench_estimate: out of memory\n");
        return EXIT_FAILURE;
    }
    ask(&b, "model=llama-3.1-405b sequence_length=8192 global_batch=2048 tokens=15.6T",
        "accelerator=h100-sxm-80gb accelerators=16384",
        "tensor_parallel=8 pipeline_parallel=16 sharding=optimizer");
    fit = median(call_estimate, &b, 200);
    b.depth = CSZ_DEPTH_STEP;
    step = median(call_estimate, &b, 200);
    ask(&b, "model=llama-3-70b global_batch=1024 tokens=15T",
        "accelerator=h100-sxm-80gb accelerators=1024", "");
    select = median(call_select, &b, 1);
    print(json, fit, step, select);
    csz_ranking_free(b.ranking);
    csz_estimate_free(b.estimate);
    csz_goal_free(b.goal);
    csz_plan_free(b.plan);
    csz_cluster_free(b.cluster);
    csz_workload_free(b.workload);
    return EXIT_SUCCESS;
}
