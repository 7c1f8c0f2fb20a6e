/* bench_select.c: what a search over all plans costs, and what it covers, through the public
 * interface. Prints medians; judges nothing. Handles are new in each run; a search is timed alone.
 *
 *     bench-select [--json]
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <clustersize/clustersize.h>

#define RUNS 51       /* each figure is the median of so many */
#define REPEATS 20000 /* of one estimate */

static double times[RUNS];

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void require(csz_status status, const char *what, const char *message)
{
    if (status != CSZ_OK) {
        fprintf(stderr, "bench-select: %s: %s: %s\n", what, csz_status_name(status), message);
        exit(EXIT_FAILURE);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(void)
{
    qsort(times, RUNS, sizeof *times, ascending);
    return times[RUNS / 2];
}

/* ---- Searches ---- */

typedef struct question {
    const char *workload;
    const char *cluster;
} question;

typedef struct answer {
    double seconds;
    double covered;
    double evaluated;
} answer;

static const question llama = {
    "model=llama-3.1-405b sequence_length=8192 global_batch=2048 tokens=15.6T",
    "accelerator=h100-sxm-80gb accelerators=16384"};
static const question deepseek = {
    "model=deepseek-v3 sequence_length=4096 global_batch=15360 tokens=14.8T",
    "accelerator=h100-sxm-80gb accelerators=2048"};

/* Every schedule that the stack has, too. */
static void open_goal(csz_goal *goal)
{
    require(csz_goal_stack(goal, "megatron"), "stack", csz_goal_error(goal, NULL));
    require(csz_goal_limit(goal, CSZ_PLAN_SCHEDULE, CSZ_SCHEDULE_1F1B, CSZ_SCHEDULE_DUALPIPE),
            "schedule", csz_goal_error(goal, NULL));
}

static double search_once(const question *q, double accelerators, answer *a)
{
    csz_workload *workload = csz_workload_new(NULL);
    csz_cluster *cluster = csz_cluster_new(NULL);
    csz_goal *goal = csz_goal_new(NULL);
    csz_ranking *ranking = csz_ranking_new(NULL);
    double start, seconds;

    require(csz_workload_set(workload, NULL, q->workload), q->workload,
            csz_workload_error(workload, NULL));
    require(csz_cluster_set(cluster, NULL, q->cluster), q->cluster,
            csz_cluster_error(cluster, NULL));
    if (accelerators > 0) {
        require(csz_cluster_set_f64(cluster, CSZ_CLUSTER_ACCELERATORS, accelerators), "count", "");
    }
    open_goal(goal);
    start = now();
    require(csz_ranking_select(ranking, workload, cluster, goal), "select",
            csz_ranking_error(ranking, NULL));
    seconds = now() - start;
    (void)csz_ranking_get_f64(ranking, CSZ_RANKING_VALID, &a->covered);
    (void)csz_ranking_get_f64(ranking, CSZ_RANKING_EVALUATED, &a->evaluated);
    csz_ranking_free(ranking);
    csz_goal_free(goal);
    csz_cluster_free(cluster);
    csz_workload_free(workload);
    return seconds;
}

static answer search(const question *q, double accelerators)
{
    answer a = {0, 0, 0};
    int i;

    for (i = 0; i < RUNS; i++) {
        times[i] = search_once(q, accelerators, &a);
    }
    a.seconds = median();
    return a;
}

/* ---- Estimates ---- */

/* Three setters, one compute, two getters. */
static double estimate(csz_depth depth)
{
    csz_workload *workload = csz_workload_new(NULL);
    csz_cluster *cluster = csz_cluster_new(NULL);
    csz_plan *plan = csz_plan_new(NULL);
    csz_estimate *result = csz_estimate_new(NULL);
    csz_field other =
        depth == CSZ_DEPTH_FIT ? CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY : CSZ_ESTIMATE_STEP_TIME;
    int i, j;

    require(csz_workload_set(workload, NULL, llama.workload), llama.workload, "");
    require(csz_cluster_set(cluster, NULL, llama.cluster), llama.cluster, "");
    require(csz_plan_set(plan, "sharding=optimizer stack=megatron"), "plan", "");
    for (i = 0; i < RUNS; i++) {
        double start = now(), memory, second;

        for (j = 0; j < REPEATS / RUNS; j++) {
            (void)csz_plan_set_i64(plan, CSZ_PLAN_TENSOR_PARALLEL, 8);
            (void)csz_plan_set_i64(plan, CSZ_PLAN_PIPELINE_PARALLEL, 16);
            (void)csz_plan_set_i64(plan, CSZ_PLAN_MICRO_BATCH, 1 + j % 2);
            require(csz_estimate_compute(result, workload, cluster, plan, depth), "compute",
                    csz_estimate_error(result, NULL));
            require(csz_estimate_get_f64(result, CSZ_ESTIMATE_MEMORY_TOTAL, &memory), "memory", "");
            require(csz_estimate_get_f64(result, other, &second), "figure", "");
        }
        times[i] = (now() - start) / (REPEATS / RUNS);
    }
    csz_estimate_free(result);
    csz_plan_free(plan);
    csz_cluster_free(cluster);
    csz_workload_free(workload);
    return median();
}

/* ---- The program ---- */

static void print_json(const answer *a, const answer *b, double fit, double step, double growth)
{
    printf("{\"version\":\"%s\",\"llama405b_16384_s\":%.9f,\"deepseekv3_2048_s\":%.9f,"
           "\"fit_s\":%.9f,\"estimate_s\":%.9f,\"growth_64x\":%.3f,\"covered\":%.0f,"
           "\"evaluated\":%.0f,\"deepseekv3_covered\":%.0f,\"deepseekv3_evaluated\":%.0f,"
           "\"llama405b_covered_per_second\":%.0f,\"deepseekv3_covered_per_second\":%.0f}\n",
           csz_version_string(), a->seconds, b->seconds, fit, step, growth, a->covered,
           a->evaluated, b->covered, b->evaluated, a->covered / a->seconds,
           b->covered / b->seconds);
}

static void print_search(const char *what, const answer *a)
{
    printf("%s\n  %8.3f ms; %.3g plans covered, %.0f evaluated; %.3g plans a second\n", what,
           a->seconds * 1e3, a->covered, a->evaluated, a->covered / a->seconds);
}

int main(int argc, char **argv)
{
    int json = argc == 2 && strcmp(argv[1], "--json") == 0;
    answer a, b, few;
    double fit, step;

    if (argc > 2 || (argc == 2 && !json)) {
        fprintf(stderr, "usage: bench-select [--json]\n");
        return EXIT_FAILURE;
    }
    a = search(&llama, 0);
    few = search(&llama, 256);
    b = search(&deepseek, 0);
    fit = estimate(CSZ_DEPTH_FIT);
    step = estimate(CSZ_DEPTH_STEP);
    if (json) {
        print_json(&a, &b, fit, step, a.seconds / few.seconds);
        return EXIT_SUCCESS;
    }
    print_search("Llama 3.1 405B on 16,384 H100", &a);
    print_search("DeepSeek-V3 on 2,048 H100", &b);
    printf("64 times as many accelerators: %.2f times as long\n", a.seconds / few.seconds);
    printf("fit %.3f us, estimate %.3f us\n", fit * 1e6, step * 1e6);
    return EXIT_SUCCESS;
}
