/* resolve.c: ids in inputs, looked up in a catalog; what they stand for is copied into the record.
 */
#include <string.h>

#include "api/handles.h"
#include "plan/chunks.h"

static void put_id(const cszi_table *table, void *record, csz_field field, const char *id)
{
    (void)cszi_field_set_text(table, record, cszi_table_row(table, field), 0, id, strlen(id), NULL,
                              NULL);
}

/* NULL when none or several are called so, with CSZ_ERR_UNKNOWN in error. */
static const void *look_up(const cszi_catalog *catalog, csz_kind kind, const char *id,
                           csz_field field, cszi_error *error)
{
    size_t index = 0;
    return cszi_catalog_lookup(catalog, kind, id, field, &index, error) == CSZ_OK
               ? cszi_catalog_entry(catalog, kind, index)
               : NULL;
}

/* ---- Workload ---- */

csz_status cszi_resolve_workload(void *user, void *record, const cszi_field_row *row,
                                 const char *id, cszi_error *error)
{
    const cszi_catalog *catalog = user;
    const cszi_model *model = look_up(catalog, CSZ_KIND_MODEL, id, row->id, error);
    csz_status status;
    if (model == NULL)
        return CSZ_ERR_UNKNOWN;
    if (model->architecture == NULL)
        return cszi_fail(error, CSZ_ERR_MISSING, row->id, "model: %s has no architecture",
                         model->id);
    cszi_workload_clear_model(record);
    status = cszi_fields_set_pairs(&cszi_workload_table, record, model->architecture, NULL, error);
    if (status == CSZ_OK)
        put_id(&cszi_workload_table, record, CSZ_WORKLOAD_MODEL, model->id);
    return status;
}

/* ---- Cluster ---- */

static void put(cszi_cluster *cluster, csz_field field, double value)
{
    if (value > 0)
        (void)cszi_field_set_f64(&cszi_cluster_table, cluster,
                                 cszi_table_row(&cszi_cluster_table, field), 0, value, NULL);
}

static void take_out(cszi_cluster *cluster, csz_field first, csz_field last)
{
    for (size_t i = 0; i < cszi_cluster_table.count; i++) {
        const cszi_field_row *row = &cszi_cluster_table.rows[i];
        if (row->id >= first && row->id <= last)
            cszi_field_unset(&cszi_cluster_table, cluster, row);
    }
}

static int is_low(const char *confidence)
{
    return confidence != NULL && strcmp(confidence, "low") == 0;
}

static void put_accelerator(cszi_cluster *cluster, const cszi_accelerator *a)
{
    /* Another part: what was measured of the former one says nothing. */
    if (cluster->accelerator[0] != '\0' && strcmp(cluster->accelerator, a->id) != 0)
        take_out(cluster, CSZ_CLUSTER_COMPUTE_MULTIPLIER, CSZ_CLUSTER_SCALE_OUT_EXPERT_BANDWIDTH);
    take_out(cluster, CSZ_CLUSTER_ACCELERATOR, CSZ_CLUSTER_OFFER);
    take_out(cluster, CSZ_CLUSTER_MEMORY, CSZ_CLUSTER_PRICE);
    put_id(&cszi_cluster_table, cluster, CSZ_CLUSTER_ACCELERATOR, a->id);
    if (a->family != NULL)
        put_id(&cszi_cluster_table, cluster, CSZ_CLUSTER_FAMILY, a->family);
    put(cluster, CSZ_CLUSTER_MEMORY, a->memory > 0 ? a->memory : a->memory_label);
    put(cluster, CSZ_CLUSTER_MEMORY_BANDWIDTH, a->memory_bandwidth);
    put(cluster, CSZ_CLUSTER_PEAK_FP32, a->peak_fp32);
    put(cluster, CSZ_CLUSTER_PEAK_TF32, a->peak_tf32);
    put(cluster, CSZ_CLUSTER_PEAK_BF16, a->peak_bf16);
    put(cluster, CSZ_CLUSTER_PEAK_FP16, a->peak_fp16);
    put(cluster, CSZ_CLUSTER_PEAK_FP8, a->peak_fp8);
    put(cluster, CSZ_CLUSTER_PEAK_FP4, a->peak_fp4);
    put(cluster, CSZ_CLUSTER_LINK_BANDWIDTH, a->link_bandwidth);
    put(cluster, CSZ_CLUSTER_SCALE_UP_DOMAIN, a->scale_up_domain);
    put(cluster, CSZ_CLUSTER_POWER, a->power);
    cluster->memory_is_label = a->memory <= 0;
    cluster->doubtful = is_low(a->confidence);
}

static void put_node(cszi_cluster *cluster, const cszi_node *node)
{
    put_id(&cszi_cluster_table, cluster, CSZ_CLUSTER_NODE, node->id);
    take_out(cluster, CSZ_CLUSTER_FABRIC, CSZ_CLUSTER_FABRIC);
    if (node->fabric != NULL)
        put_id(&cszi_cluster_table, cluster, CSZ_CLUSTER_FABRIC, node->fabric);
    put(cluster, CSZ_CLUSTER_ACCELERATORS_PER_NODE, node->accelerators);
    put(cluster, CSZ_CLUSTER_SCALE_UP_DOMAIN, node->scale_up_domain);
    take_out(cluster, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH);
    put(cluster, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH, node->scale_out_bandwidth);
    take_out(cluster, CSZ_CLUSTER_HOST_MEMORY, CSZ_CLUSTER_HOST_MEMORY);
    put(cluster, CSZ_CLUSTER_HOST_MEMORY, node->host_memory);
    cluster->doubtful |= is_low(node->confidence);
}

static void put_offer(cszi_cluster *cluster, const cszi_offer *offer)
{
    put_id(&cszi_cluster_table, cluster, CSZ_CLUSTER_OFFER, offer->id);
    put(cluster, CSZ_CLUSTER_PRICE, offer->price);
}

/* The median of on-demand rentals, if the catalog has one. */
static void put_usual_offer(const cszi_catalog *catalog, cszi_cluster *cluster)
{
    for (size_t i = 0; i < catalog->counts[CSZ_KIND_OFFER]; i++) {
        const cszi_offer *offer = cszi_catalog_entry(catalog, CSZ_KIND_OFFER, i);
        if (offer->accelerator == NULL || offer->term == NULL || offer->provider == NULL)
            continue;
        if (strcmp(offer->accelerator, cluster->accelerator) == 0 &&
            strcmp(offer->term, "on-demand") == 0 &&
            strcmp(offer->provider, "market median") == 0) {
            put_offer(cluster, offer);
            return;
        }
    }
}

static csz_status resolve_accelerator(const cszi_catalog *catalog, cszi_cluster *cluster,
                                      const char *id, csz_field field, cszi_error *error)
{
    const cszi_accelerator *a = look_up(catalog, CSZ_KIND_ACCELERATOR, id, field, error);
    const cszi_node *node = NULL;
    if (a == NULL)
        return CSZ_ERR_UNKNOWN;
    put_accelerator(cluster, a);
    if (a->default_node != NULL)
        node = look_up(catalog, CSZ_KIND_NODE, a->default_node, field, NULL);
    if (node != NULL)
        put_node(cluster, node);
    put_usual_offer(catalog, cluster);
    return CSZ_OK;
}

/* A node or offer is of one accelerator: it names it when none is set, and must agree with one that
 * is. */
static csz_status agree(const cszi_catalog *catalog, cszi_cluster *cluster, const char *what,
                        const char *id, const char *accelerator, csz_field field, cszi_error *error)
{
    if (accelerator == NULL || strcmp(cluster->accelerator, accelerator) == 0)
        return CSZ_OK;
    if (cluster->accelerator[0] == '\0')
        return resolve_accelerator(catalog, cluster, accelerator, field, error);
    return cszi_fail(error, CSZ_ERR_CONFLICT, field, "%s: %s is of %s, but accelerator is %s", what,
                     id, accelerator, cluster->accelerator);
}

static csz_status resolve_node(const cszi_catalog *catalog, cszi_cluster *cluster, const char *id,
                               cszi_error *error)
{
    const cszi_node *node = look_up(catalog, CSZ_KIND_NODE, id, CSZ_CLUSTER_NODE, error);
    csz_status status;
    if (node == NULL)
        return CSZ_ERR_UNKNOWN;
    status = agree(catalog, cluster, "node", node->id, node->accelerator, CSZ_CLUSTER_NODE, error);
    if (status == CSZ_OK)
        put_node(cluster, node);
    return status;
}

static csz_status resolve_fabric(const cszi_catalog *catalog, cszi_cluster *cluster, const char *id,
                                 cszi_error *error)
{
    const cszi_fabric *fabric = look_up(catalog, CSZ_KIND_FABRIC, id, CSZ_CLUSTER_FABRIC, error);
    if (fabric == NULL)
        return CSZ_ERR_UNKNOWN;
    put_id(&cszi_cluster_table, cluster, CSZ_CLUSTER_FABRIC, fabric->id);
    put(cluster, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH, fabric->bandwidth);
    return CSZ_OK;
}

static csz_status resolve_offer(const cszi_catalog *catalog, cszi_cluster *cluster, const char *id,
                                cszi_error *error)
{
    const cszi_offer *offer = look_up(catalog, CSZ_KIND_OFFER, id, CSZ_CLUSTER_OFFER, error);
    csz_status status;
    if (offer == NULL)
        return CSZ_ERR_UNKNOWN;
    if (offer->price <= 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_CLUSTER_OFFER,
                         offer->purchase > 0
                             ? "offer: %s has no price for an hour, it is a purchase price"
                             : "offer: %s has no price",
                         offer->id);
    status =
        agree(catalog, cluster, "offer", offer->id, offer->accelerator, CSZ_CLUSTER_OFFER, error);
    if (status == CSZ_OK)
        put_offer(cluster, offer);
    return status;
}

csz_status cszi_resolve_cluster(void *user, void *record, const cszi_field_row *row, const char *id,
                                cszi_error *error)
{
    const cszi_catalog *catalog = user;
    if (row->id == CSZ_CLUSTER_ACCELERATOR)
        return resolve_accelerator(catalog, record, id, row->id, error);
    if (row->id == CSZ_CLUSTER_NODE)
        return resolve_node(catalog, record, id, error);
    if (row->id == CSZ_CLUSTER_FABRIC)
        return resolve_fabric(catalog, record, id, error);
    if (row->id == CSZ_CLUSTER_OFFER)
        return resolve_offer(catalog, record, id, error);
    return cszi_field_set_text(&cszi_cluster_table, record, row, 0, id, strlen(id), NULL, error);
}

/* ---- Stacks ---- */

csz_status cszi_unknown_stack(const char *id, cszi_error *error)
{
    cszi_out out = cszi_error_open(error, CSZ_ERR_UNKNOWN, CSZ_PLAN_STACK);
    cszi_out_text(&out, "stack: ");
    cszi_out_quoted(&out, id, strlen(id));
    cszi_out_text(&out, " is none of ");
    for (size_t i = 0; i < cszi_stacks_count; i++)
        cszi_out_format(&out, "%s%s", i != 0 ? ", " : "", cszi_stacks[i].id);
    (void)cszi_out_close(&out);
    return CSZ_ERR_UNKNOWN;
}

csz_status cszi_resolve_stack(void *user, void *record, const cszi_field_row *row, const char *id,
                              cszi_error *error)
{
    (void)user;
    if (row->id == CSZ_PLAN_PIPELINE_LAYOUT) {
        cszi_chunk all;
        csz_status status = cszi_chunk_read(id, -1, &all, error);
        if (status != CSZ_OK)
            return status;
    } else if (cszi_stack_find(id) == NULL)
        return cszi_unknown_stack(id, error);
    return cszi_field_set_text(&cszi_plan_table, record, row, 0, id, strlen(id), NULL, error);
}

/* ---- A whole catalog ---- */

/* A user's models only: the built-in ones are tested. */
static csz_status check_models(const cszi_catalog *catalog, cszi_workload *room, cszi_error *error)
{
    csz_status status = CSZ_OK;
    for (size_t i = 0; status == CSZ_OK && i < catalog->counts[CSZ_KIND_MODEL]; i++) {
        const cszi_model *model = cszi_catalog_entry(catalog, CSZ_KIND_MODEL, i);
        cszi_error said;
        cszi_fields_init(&cszi_workload_table, room, sizeof *room);
        if (model->architecture == NULL)
            continue; /* refused when it is asked for */
        status =
            cszi_fields_set_pairs(&cszi_workload_table, room, model->architecture, NULL, &said);
        if (status != CSZ_OK)
            (void)cszi_fail(error, status, CSZ_MODEL_ARCHITECTURE, "architecture of %s: %s",
                            model->id, said.text);
    }
    return status;
}

static csz_status check_id(const cszi_catalog *catalog, csz_kind kind, const char *of,
                           const char *id, csz_field field, cszi_error *error)
{
    for (size_t i = 0; id != NULL && i < catalog->counts[kind]; i++)
        if (strcmp(cszi_catalog_id(catalog, kind, i), id) == 0)
            return CSZ_OK;
    if (id == NULL)
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_UNKNOWN, field, "%s: names %s, which is no %s of the catalog",
                     of, id, cszi_catalog_tables[kind].name);
}

static csz_status check_references(const cszi_catalog *catalog, cszi_error *error)
{
    csz_status status = CSZ_OK;
    for (size_t i = 0; status == CSZ_OK && i < catalog->counts[CSZ_KIND_ACCELERATOR]; i++) {
        const cszi_accelerator *a = cszi_catalog_entry(catalog, CSZ_KIND_ACCELERATOR, i);
        status = check_id(catalog, CSZ_KIND_NODE, a->id, a->default_node,
                          CSZ_ACCELERATOR_DEFAULT_NODE, error);
    }
    for (size_t i = 0; status == CSZ_OK && i < catalog->counts[CSZ_KIND_OFFER]; i++) {
        const cszi_offer *o = cszi_catalog_entry(catalog, CSZ_KIND_OFFER, i);
        status = check_id(catalog, CSZ_KIND_ACCELERATOR, o->id, o->accelerator,
                          CSZ_OFFER_ACCELERATOR, error);
    }
    for (size_t i = 0; status == CSZ_OK && i < catalog->counts[CSZ_KIND_NODE]; i++) {
        const cszi_node *n = cszi_catalog_entry(catalog, CSZ_KIND_NODE, i);
        status = check_id(catalog, CSZ_KIND_ACCELERATOR, n->id, n->accelerator,
                          CSZ_NODE_ACCELERATOR, error);
        if (status == CSZ_OK)
            status = check_id(catalog, CSZ_KIND_FABRIC, n->id, n->fabric, CSZ_NODE_FABRIC, error);
    }
    return status;
}

csz_status cszi_check_catalog(const cszi_catalog *catalog, cszi_error *error)
{
    csz_status status = check_references(catalog, error);
    cszi_workload *room;
    if (status != CSZ_OK || catalog->room[CSZ_KIND_MODEL] == 0)
        return status;
    room = cszi_alloc_zero(catalog->alloc, sizeof *room);
    if (room == NULL)
        return cszi_fail(error, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    status = check_models(catalog, room, error);
    cszi_alloc_free(catalog->alloc, room, sizeof *room);
    return status;
}
