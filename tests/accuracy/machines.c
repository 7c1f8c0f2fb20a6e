/* machines.c: which accelerator a row ran on, if it says. */
#include "question.h"

/* Names in the files that no look-up in the catalog resolves; the first that occurs holds. */
static const struct {
    const char *part, *id;
} names[] = {
    {"H100-96GB", "h100-sxm-96gb-hbm2e"},
    {"95GiB device", "h100-sxm-96gb-hbm2e"},
    {"H100-PCIe", "h100-pcie-80gb"},
    {"H100 PCIe", "h100-pcie-80gb"},
    {"H100-NVL", "h100-nvl-94gb"},
    {"H100", "h100-sxm-80gb"},
    {"H800", "h800-sxm-80gb"},
    {"H200", "h200-sxm-141gb"},
    {"H20-96GB", "h20-96gb"},
    {"GB200", "gb200-186gb"},
    {"GB300", "gb300-288gb"},
    {"B200", "b200-sxm-180gb"},
    {"B300", "b300-sxm-288gb"},
    {"A100-40GB", "a100-sxm-40gb"},
    {"A100-SXM-40GB", "a100-sxm-40gb"},
    {"A100-80GB", "a100-sxm-80gb"},
    {"A100-SXM-80GB", "a100-sxm-80gb"},
    {"A800", "a800-sxm-80gb"},
    {"A10G", "a10g"},
    {"A6000", "rtx-a6000"},
    {"A40", "a40"},
    {"V100-32GB", "v100-sxm2-32gb"},
    {"V100-16GB", "v100-sxm2-16gb"},
    {"V100-SXM2-32GB", "v100-sxm2-32gb"},
    {"V100-SXM3-32GB", "v100-sxm2-32gb"},
    {"RTX4090", "rtx-4090"},
    {"RTX3090", "rtx-3090"},
    {"RTX5090-", "rtx-5090"},
    {"L40S", "l40s"},
    {"L40", "l40"},
    {"L4-", "l4"},
    {"T4", "t4"},
    {"MI300X", "mi300x-192gb"},
    {"MI325X", "mi325x-256gb"},
    {"MI355X", "mi355x-288gb"},
    {"MI250X", "mi250x-128gb"},
    {"Gaudi2", "gaudi2-96gb"},
    {"Gaudi3", "gaudi3-128gb"},
    {"v5p", "tpu-v5p"},
    {"v5e", "tpu-v5e"},
    {"v6e", "tpu-v6e"},
    {"TPU7x", "tpu-v7"},
    {"v4", "tpu-v4"},
};

/* What the driver reports of a size as sold: 23.6 of 24 GiB, 39.4 of 40, 79.2 of 80. */
#define REPORTED 0.985

static const char *accelerator_of(row r)
{
    const char *given = row_text(r, "accelerator_id"), *gpu = row_text(r, "gpu");
    size_t index;

    if (given[0] != '\0' && csz_catalog_find(NULL, CSZ_KIND_ACCELERATOR, given, &index) == CSZ_OK)
        return csz_catalog_id_at(NULL, CSZ_KIND_ACCELERATOR, index);
    if (word_begins(gpu, "not stated") || word_find(gpu, "not stated)") != NULL ||
        word_find(gpu, " + ") != NULL)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (word_find(gpu, names[i].part) != NULL)
            return names[i].id;
    if (gpu[0] != '\0' && csz_catalog_find(NULL, CSZ_KIND_ACCELERATOR, gpu, &index) == CSZ_OK)
        return csz_catalog_id_at(NULL, CSZ_KIND_ACCELERATOR, index);
    return NULL;
}

/* The size in a text such as "80GB-class" or "1 GPU (24GB class)"; 0 when it has none. */
static double size_of(const char *gpu)
{
    const char *unit = word_find(gpu, "GB"), *at;
    double size = 0;

    if (unit == NULL)
        unit = word_find(gpu, "GiB");
    if (unit == NULL || word_begins(gpu, "not stated"))
        return 0;
    for (at = unit; at > gpu && ((at[-1] >= '0' && at[-1] <= '9') || at[-1] == '.');)
        at--;
    if (at == unit || !word_number(at, &size))
        return 0;
    return word_begins(unit, "GiB") ? size : size * REPORTED;
}

void question_machines(question *q)
{
    const char *id = accelerator_of(q->row);
    double size = size_of(row_text(q->row, "gpu"));

    phrase_add(&q->machines, "accelerators=%lld ", (long long)q->gpus);
    if (word_find(q->layout.data, " offload_") != NULL) { /* what ran had enough of it */
        phrase_add(&q->machines, "host_memory=4TB ");
        question_fill(q, 0, "host_memory=4TB");
    }
    q->accelerator = id;
    q->card = id != NULL || size > 0;
    if (id != NULL)
        phrase_add(&q->machines, "accelerator=%s", id);
    else if (size > 0)
        phrase_add(&q->machines, "memory=%.0f", size * 1073741824);
    else
        phrase_add(&q->machines, "accelerator=a100-sxm-80gb");
}

/* ---- Networks ---- */

/* "a x b" before the unit at `at`: "4x100Gb", "16x400 Gb/s", else one number; 0 when there is none.
 */
static double product_before(const char *text, const char *at)
{
    double first = 0, second = 0;

    while (at > text && at[-1] == ' ')
        at--;
    if (at == text || at[-1] < '0' || at[-1] > '9')
        return 0;
    while (at > text && ((at[-1] >= '0' && at[-1] <= '9') || at[-1] == '.'))
        at--;
    if (!word_number(at, &second))
        return 0;
    if (at > text && at[-1] == 'x') {
        for (at--; at > text && at[-1] >= '0' && at[-1] <= '9';)
            at--;
        return word_number(at, &first) ? first * second : 0;
    }
    return second;
}

/* B/s of one accelerator as the row words it; 0 when it does not. */
static double network_of(const char *text, int64_t each)
{
    static const struct {
        const char *unit;
        double byte; /* a second */
        int node;    /* of a node */
    } units[] = {{"Gb/s EFA per node", 1.25e8, 1},
                 {"Gb RoCE per node", 1.25e8, 1},
                 {"Gbps/node", 1.25e8, 1},
                 {"Gbps EFA", 1.25e8, 1},
                 {"Gb/s measured per node", 1.25e8, 1},
                 {"Gb/s HDR InfiniBand per node", 1.25e8, 1},
                 {"IB 200Gb/s per node", 1.25e8, 1},
                 {"Gb/s RoCE", 1.25e8, 1},
                 {"Gb/s per GPU", 1.25e8, 0},
                 {"Tbps/node", 1.25e11, 1},
                 {"Tbps IB or RoCE per node", 1.25e11, 1},
                 {"Gbe Ethernet", 1.25e8, 1}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const char *at = word_find(text, units[i].unit);
        double value = at != NULL ? product_before(text, at) : 0;
        if (value > 0)
            return value * units[i].byte / (units[i].node ? (double)each : 1);
    }
    return 0;
}

/* The id of a fabric of the kind; NULL: InfiniBand, or none is named. */
static const char *fabric_of(const question *q, const char *text)
{
    if (word_find(text, "EFA") != NULL)
        return word_begins(q->accelerator, "b300")   ? "efa-v4-b300"
               : word_begins(q->accelerator, "b200") ? "efa-v4-b200"
               : word_begins(q->accelerator, "a100") ? "efa-v1"
                                                     : "efa-v2";
    if (word_find(text, "RoCE") != NULL || word_find(text, "ROCE") != NULL)
        return "roce-400";
    return word_find(text, "Gbe Ethernet") != NULL ? "eth-100" : NULL;
}

/* The nodes of BigScience's runs have 4 of 12 links between accelerators and 4 ports of 100 Gb/s.
 */
static void set_network(question *q)
{
    const char *text = row_text(q->row, "interconnect"), *fabric = fabric_of(q, text), *links = "";
    double rate = 0, stated;
    int64_t each = 8;

    (void)csz_cluster_get_f64(q->cluster, CSZ_CLUSTER_SCALE_OUT_BANDWIDTH, &rate);
    (void)csz_cluster_get_i64(q->cluster, CSZ_CLUSTER_ACCELERATORS_PER_NODE, &each);
    stated = network_of(text, each);
    if (stated > 0)
        rate = stated;
    if (row_has(q->row, "framework", "BigScience")) { /* see its README */
        rate = 6.25e9;
        links = " link_bandwidth=100GB/s";
    } else if (fabric == NULL && stated <= 0)
        return;
    q->machines.used = 0;
    if (fabric != NULL)
        phrase_add(&q->machines, "fabric=%s ", fabric);
    if (rate > 0)
        phrase_add(&q->machines, "scale_out_bandwidth=%.0f%s", rate, links);
    if (csz_cluster_set(q->cluster, NULL, q->machines.data) != CSZ_OK)
        phrase_add(&q->skip, "network: %s", csz_cluster_error(q->cluster, NULL));
}

/* A scale-up link that ends at the usual node ends at the stated one. */
static void set_nodes(question *q)
{
    int64_t stated = row_count(q->row, "gpus_per_node", 0), usual = 0, domain = 0;

    (void)csz_cluster_get_i64(q->cluster, CSZ_CLUSTER_ACCELERATORS_PER_NODE, &usual);
    (void)csz_cluster_get_i64(q->cluster, CSZ_CLUSTER_SCALE_UP_DOMAIN, &domain);
    if (stated == 0 || stated == usual || q->gpus <= (usual < stated ? usual : stated))
        return;
    q->machines.used = 0;
    phrase_add(&q->machines, "accelerators_per_node=%lld", (long long)stated);
    if (domain == usual)
        phrase_add(&q->machines, " scale_up_domain=%lld", (long long)stated);
    if (csz_cluster_set(q->cluster, NULL, q->machines.data) != CSZ_OK)
        phrase_add(&q->skip, "nodes: %s", csz_cluster_error(q->cluster, NULL));
}

void question_nodes(question *q)
{
    set_nodes(q);
    if (q->skip.used == 0 && q->accelerator != NULL)
        set_network(q);
}
