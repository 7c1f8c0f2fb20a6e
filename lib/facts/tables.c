/* tables.c: the built-in tables about the world. The rows are in the .inc files. */
#include "facts/catalog.h"

#include <string.h>

#define KIB 1024.0
#define MIB 1048576.0
#define GIB 1073741824.0

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const cszi_model cszi_models[] = {
#include "facts/models.inc"
};
const size_t cszi_models_count = COUNT(cszi_models);

const cszi_accelerator cszi_accelerators[] = {
#include "facts/accelerators.inc"
};
const size_t cszi_accelerators_count = COUNT(cszi_accelerators);

const cszi_node cszi_nodes[] = {
#include "facts/nodes.inc"
};
const size_t cszi_nodes_count = COUNT(cszi_nodes);

const cszi_fabric cszi_fabrics[] = {
#include "facts/fabrics.inc"
};
const size_t cszi_fabrics_count = COUNT(cszi_fabrics);

const cszi_offer cszi_offers[] = {
#include "facts/offers.inc"
};
const size_t cszi_offers_count = COUNT(cszi_offers);

const cszi_curve cszi_curves[] = {
#include "facts/curves.inc"
};
const size_t cszi_curves_count = COUNT(cszi_curves);

const cszi_operation cszi_operations[] = {
#include "facts/operations.inc"
};
const size_t cszi_operations_count = COUNT(cszi_operations);

const cszi_reliability cszi_reliabilities[] = {
#include "facts/reliability.inc"
};
const size_t cszi_reliabilities_count = COUNT(cszi_reliabilities);

const cszi_operation *cszi_operation_find(const char *id)
{
    for (size_t i = 0; i < COUNT(cszi_operations); i++)
        if (strcmp(cszi_operations[i].id, id) == 0)
            return &cszi_operations[i];
    return NULL;
}

const cszi_reliability *cszi_reliability_find(const char *id)
{
    for (size_t i = 0; i < COUNT(cszi_reliabilities); i++)
        if (strcmp(cszi_reliabilities[i].id, id) == 0)
            return &cszi_reliabilities[i];
    return NULL;
}

const cszi_catalog *cszi_catalog_builtin(void)
{
    static const cszi_catalog builtin = {
        .rows = {cszi_models, cszi_accelerators, cszi_nodes, cszi_fabrics, cszi_offers, cszi_curves,
                 cszi_operations, cszi_reliabilities},
        .counts = {COUNT(cszi_models), COUNT(cszi_accelerators), COUNT(cszi_nodes),
                   COUNT(cszi_fabrics), COUNT(cszi_offers), COUNT(cszi_curves),
                   COUNT(cszi_operations), COUNT(cszi_reliabilities)}};
    return &builtin;
}
