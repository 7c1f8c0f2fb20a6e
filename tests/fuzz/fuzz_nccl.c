/* fuzz_nccl.c: any text as the output of nccl-tests, and what is taken from it into a cluster. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "hardware/collectives.h"

#define MOST 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct outputs {
    cszi_collective list[MOST];
    size_t count;
} outputs;

/* What is handed on is usable. */
static csz_status take(void *user, const cszi_collective *m, cszi_error *error)
{
    outputs *all = user;
    if (m->ranks < 2 || m->operation <= 0 || m->operation > CSZ_COLLECTIVE_ALL_TO_ALL ||
        m->sizes < 1 || !(m->most >= m->least) || !(m->least > 0))
        abort();
    if (all->count == MOST)
        return cszi_fail(error, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "more than %d outputs", MOST);
    all->list[all->count++] = *m;
    return CSZ_OK;
}

static void check_told(csz_status status, const cszi_error *error)
{
    if (status != CSZ_OK && (status != error->status || error->text[0] == '\0'))
        abort();
}

/* Measured fields are set to finite positive numbers, or nothing is. */
static void check_cluster(const cszi_cluster *c)
{
    const double values[] = {c->link_measured_bandwidth, c->link_latency,
                             c->link_expert_bandwidth,   c->scale_out_measured_bandwidth,
                             c->scale_out_latency,       c->scale_out_expert_bandwidth};
    int any = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (!isfinite(values[i]) || values[i] < 0)
            abort();
        any |= values[i] > 0;
    }
    if (!any)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static outputs all;
    cszi_cluster cluster;
    cszi_error error;
    csz_status status;
    all.count = 0;
    cszi_error_clear(&error);
    status =
        cszi_nccl_read((const char *)data, size, CSZ_COLLECTIVE_UNKNOWN, 0, take, &all, &error);
    check_told(status, &error);
    if (status != CSZ_OK)
        return 0;
    cszi_fields_init(&cszi_cluster_table, &cluster, sizeof cluster);
    cluster.link_bandwidth = 450e9;
    cluster.scale_out_bandwidth = 50e9;
    cluster.scale_up_domain = cluster.accelerators_per_node = 8;
    status = cszi_cluster_take_collectives(&cluster, all.list, all.count, &error);
    check_told(status, &error);
    if (status == CSZ_OK)
        check_cluster(&cluster);
    return 0;
}
