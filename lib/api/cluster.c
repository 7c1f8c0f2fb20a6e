/* cluster.c: the public cluster. */
#include "hardware/cluster.h"

/* Figures that the accelerator's id would bring along and that are not there: said as null, so that
 * a cluster read back is the one that was written. */
static void write_gaps(const cszi_cluster *cluster, cszi_json_out *json);

#define OBJECT cluster
#define RESOLVE cszi_resolve_cluster
#define WITH_CATALOG 1
#define WRITE_MORE write_gaps
#include "api/input.inc"

static void write_gaps(const cszi_cluster *cluster, cszi_json_out *json)
{
    for (size_t i = 0; cluster->accelerator[0] != '\0' && i < cszi_cluster_table.count; i++) {
        const cszi_field_row *row = &cszi_cluster_table.rows[i];
        if (row->id == CSZ_CLUSTER_ACCELERATORS || row->id == CSZ_CLUSTER_POWER_LIMIT ||
            row->id > CSZ_CLUSTER_PRICE || cszi_field_is_set(&cszi_cluster_table, cluster, row, 0))
            continue;
        cszi_json_key(json, row->name);
        cszi_json_put_null(json);
    }
}
