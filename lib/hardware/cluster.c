/* cluster.c: the cluster's table, its peak rates and what an estimate needs of it. */
#include "hardware/cluster.h"

#include "base/field_rows.h"
#include "base/out.h"
#include "facts/calibration.h"
#include "facts/facts.h"

static const cszi_choice cszi_choices_failure_unit[] = {{CSZ_FAILURE_UNIT_NODE, "node"},
                                                        {CSZ_FAILURE_UNIT_TRAY, "tray"},
                                                        {CSZ_FAILURE_UNIT_RACK, "rack"},
                                                        {CSZ_FAILURE_UNIT_CUBE, "cube"},
                                                        {0, NULL}};

static const cszi_choice cszi_choices_headroom[] = {{CSZ_HEADROOM_NONE, "none"},
                                                    {CSZ_HEADROOM_PRODUCTION, "production"},
                                                    {CSZ_HEADROOM_RESEARCH, "research"},
                                                    {0, NULL}};

static const cszi_choice cszi_choices_depreciation[] = {
    {CSZ_DEPRECIATION_STRAIGHT_LINE, "straight_line"},
    {CSZ_DEPRECIATION_EXPONENTIAL, "exponential"},
    {0, NULL}};

static const cszi_choice cszi_choices_topology[] = {{CSZ_TOPOLOGY_FAT_TREE, "fat_tree"},
                                                    {CSZ_TOPOLOGY_RAIL_OPTIMIZED, "rail_optimized"},
                                                    {CSZ_TOPOLOGY_TORUS, "torus"},
                                                    {0, NULL}};

#define CSZI_RECORD_flat cszi_cluster
enum { CSZI_LIST_flat };

static const cszi_field_row rows[] = {
#include "hardware/fields.inc"
};
_Static_assert(sizeof rows / sizeof *rows <= 128, "two words of set bits");

const cszi_table cszi_cluster_table = {
    "cluster", CSZI_MODE_INPUT, rows, sizeof rows / sizeof *rows, {{"", 0, 0, 0, 0, 0, 0}}, 1,
};

int cszi_cluster_has(const cszi_cluster *cluster, csz_field field)
{
    const cszi_field_row *row = cszi_table_row(&cszi_cluster_table, field);
    return row != NULL && cszi_field_is_set(&cszi_cluster_table, cluster, row, 0);
}

double cszi_cluster_peak(const cszi_cluster *cluster, int64_t format)
{
    switch ((csz_format)format) {
    case CSZ_FORMAT_FP32:
        return cluster->peak_fp32;
    case CSZ_FORMAT_TF32:
        return cluster->peak_tf32;
    case CSZ_FORMAT_BF16:
        return cluster->peak_bf16;
    case CSZ_FORMAT_FP16:
        return cluster->peak_fp16;
    case CSZ_FORMAT_FP8:
        return cluster->peak_fp8;
    case CSZ_FORMAT_FP4:
        return cluster->peak_fp4;
    case CSZ_FORMAT_NONE:
    case CSZ_FORMAT_NF4:
    case CSZ_FORMAT_NF4_SINGLE:
    case CSZ_FORMAT_INT8:
    case CSZ_FORMAT_MAX_ENUM:
        break;
    }
    return 0;
}

double cszi_power_share(const cszi_cluster *cluster)
{
    double ratio;
    if (cluster->power_limit <= 0 || cluster->power <= 0)
        return 1;
    ratio = cluster->power_limit / cluster->power;
    return ratio < 1 ? pow(ratio, cszi_family_find(cluster->family)->sustained) : 1;
}

double cszi_cluster_power(const cszi_cluster *cluster)
{
    return cluster->power_limit > 0 ? fmin(cluster->power, cluster->power_limit) : cluster->power;
}

/* A row of the operations: of the accelerator, of its family, or of the others. */
static double host_fact(const cszi_cluster *cluster, const char *what)
{
    const char *const of[] = {cluster->accelerator, cluster->family, "other"};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char id[2 * CSZI_TEXT_CAPACITY];
        cszi_out out = cszi_out_open(id, sizeof id);
        const cszi_operation *row;
        cszi_out_format(&out, "host-%s-%s", what, of[i]);
        (void)cszi_out_close(&out);
        row = cszi_operation_find(id);
        if (row != NULL)
            return row->value;
    }
    return 0; /* the row of the others is always there */
}

/* Accelerators of a node that a job uses. */
static double sharing(const cszi_cluster *cluster, int64_t used)
{
    int64_t each = cluster->accelerators_per_node > 0 ? cluster->accelerators_per_node : used;
    return (double)(each < used ? each : used);
}

double cszi_cluster_host_link(const cszi_cluster *cluster)
{
    return cluster->host_link_bandwidth > 0 ? cluster->host_link_bandwidth
                                            : host_fact(cluster, "link");
}

double cszi_cluster_host_memory_rate(const cszi_cluster *cluster, int64_t used)
{
    return host_fact(cluster, "memory") / sharing(cluster, used);
}

double cszi_cluster_drives(const cszi_cluster *cluster, int64_t used)
{
    return host_fact(cluster, "drives") / sharing(cluster, used);
}

csz_status cszi_cluster_check(const cszi_cluster *cluster, int time, cszi_error *error)
{
    const struct {
        double value;
        csz_field field;
        const char *name;
        int time;
    } needed[] = {
        {(double)cluster->accelerators, CSZ_CLUSTER_ACCELERATORS, "accelerators", 0},
        {cluster->memory, CSZ_CLUSTER_MEMORY, "memory", 0},
        {cluster->memory_bandwidth, CSZ_CLUSTER_MEMORY_BANDWIDTH, "memory_bandwidth", 1},
        {cluster->power_limit > 0 ? cluster->power : 1, CSZ_CLUSTER_POWER, "power", 1},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i].value <= 0 && (time || !needed[i].time))
            return cszi_fail(error, CSZ_ERR_MISSING, needed[i].field,
                             "%s: is not set; set it, or name an accelerator of the catalog",
                             needed[i].name);
    if (time && cluster->accelerators > 1 && cluster->link_bandwidth <= 0 &&
        cluster->scale_out_bandwidth <= 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH,
                         "scale_out_bandwidth: is not set, and %lld accelerators must reach each "
                         "other; set it or name a "
                         "node or fabric",
                         (long long)cluster->accelerators);
    return CSZ_OK;
}
