/* fuzz_launch.c: any text as a launch file: the first byte chooses the software. What is read is
 * written again, and gives the same text when it is read and written once more. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <clustersize/clustersize.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CAPACITY 32768

typedef struct job {
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
} job;

static void open_job(job *j)
{
    j->workload = csz_workload_new(NULL);
    j->cluster = csz_cluster_new(NULL);
    j->plan = csz_plan_new(NULL);
    if (j->workload == NULL || j->cluster == NULL || j->plan == NULL ||
        csz_workload_set(j->workload, NULL, "model=llama-3-8b") != CSZ_OK ||
        csz_cluster_set(j->cluster, NULL, "accelerator=h100-sxm-80gb accelerators=64") != CSZ_OK)
        abort();
}

static void close_job(job *j)
{
    csz_workload_free(j->workload);
    csz_cluster_free(j->cluster);
    csz_plan_free(j->plan);
}

static csz_status load(job *j, csz_source source, const char *text, size_t size)
{
    csz_status status = csz_plan_load_launch(j->plan, j->workload, j->cluster, source, text, size);
    if (status != CSZ_OK && csz_plan_error(j->plan, NULL)[0] == '\0')
        abort(); /* every failure is told */
    return status;
}

static int write(job *j, csz_source source, char *text, size_t *length)
{
    csz_status status = csz_plan_to_launch(j->plan, j->workload, j->cluster, NULL, source,
                                           CSZ_LAUNCH_PART_FILE, text, CAPACITY, length);
    if (status != CSZ_OK && csz_plan_error(j->plan, NULL)[0] == '\0')
        abort();
    return status == CSZ_OK;
}

static void comes_back(job *first, csz_source source)
{
    static char text[CAPACITY], again[CAPACITY];
    size_t length = 0, other = 0;
    job second;
    if (!write(first, source, text, &length))
        return;
    open_job(&second);
    if (csz_workload_copy(second.workload, first->workload) != CSZ_OK ||
        csz_plan_copy(second.plan, first->plan) != CSZ_OK ||
        load(&second, source, text, length) != CSZ_OK || !write(&second, source, again, &other) ||
        strcmp(text, again) != 0)
        abort();
    close_job(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char notes[256];
    const char *text = (const char *)data + 1;
    csz_source source;
    job j;
    if (size == 0)
        return 0;
    source = (csz_source)(CSZ_SOURCE_MEGATRON + data[0] % 7);
    open_job(&j);
    if (load(&j, source, text, size - 1) == CSZ_OK)
        comes_back(&j, source);
    (void)csz_launch_notes(source, text, size - 1, notes, sizeof notes);
    close_job(&j);
    return 0;
}
