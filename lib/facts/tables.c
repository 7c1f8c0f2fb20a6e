/* tables.c: the built-in tables about the world. The rows are in the .inc files. */
#include "facts/catalog.h"

#define MIB 1048576.0

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

const cszi_catalog *cszi_catalog_builtin(void)
{
    static const cszi_catalog builtin = {
        {NULL, NULL},
        {cszi_models, cszi_accelerators, cszi_nodes, cszi_fabrics, cszi_offers},
        {COUNT(cszi_models), COUNT(cszi_accelerators), COUNT(cszi_nodes), COUNT(cszi_fabrics),
         COUNT(cszi_offers)},
        {0, 0, 0, 0, 0},
        NULL};
    return &builtin;
}
