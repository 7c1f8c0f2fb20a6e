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

/* A scale-up link that ends at the usual node ends at the stated one. */
void question_nodes(question *q)
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
