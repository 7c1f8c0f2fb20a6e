/* efficiency.c: tables of what hardware and software reach. */
#include <string.h>

#include <clustersize/enums.h>

#include "facts/facts.h"
#include "facts/stack_memory.h"
#include "facts/stack_time.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Winitializer-overrides"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

static CSZI_CONSTANT cszi_family families[] = {
#include "facts/families.inc"
};

CSZI_CONSTANT cszi_stack cszi_stacks[] = {
#include "facts/stacks.inc"
};
const size_t cszi_stacks_count = sizeof cszi_stacks / sizeof *cszi_stacks;

static CSZI_CONSTANT cszi_network networks[] = {
#include "facts/networks.inc"
};

static const cszi_band bands[] = {
#include "facts/bands.inc"
};

const cszi_evidence cszi_evidences[] = {
#include "facts/evidence.inc"
};
const size_t cszi_evidences_count = sizeof cszi_evidences / sizeof *cszi_evidences;

const cszi_batch cszi_batches[] = {
#include "facts/batches.inc"
};
const size_t cszi_batches_count = sizeof cszi_batches / sizeof *cszi_batches;

#define COUNT(array) (sizeof(array) / sizeof *(array))

const cszi_family *cszi_family_find(const char *id)
{
    for (size_t i = 0; i < COUNT(families) - 1; i++)
        if (strcmp(families[i].id, id) == 0)
            return &families[i];
    return &families[COUNT(families) - 1];
}

const cszi_stack *cszi_stack_find(const char *id)
{
    for (size_t i = 0; i < cszi_stacks_count; i++)
        if (strcmp(cszi_stacks[i].id, id) == 0)
            return &cszi_stacks[i];
    return NULL;
}

const cszi_network *cszi_network_find(const char *fabric)
{
    size_t i = 0;
    while (i < COUNT(networks) - 1 &&
           strncmp(networks[i].prefix, fabric, strlen(networks[i].prefix)) != 0)
        i++;
    return &networks[i];
}

const cszi_band *cszi_band_find(const char *id)
{
    for (size_t i = 0; i < COUNT(bands); i++)
        if (strcmp(bands[i].id, id) == 0)
            return &bands[i];
    return NULL;
}

const cszi_evidence *cszi_evidence_find(const char *family, const char *stack)
{
    for (size_t i = 0; i < cszi_evidences_count; i++)
        if (strcmp(cszi_evidences[i].family, family) == 0 &&
            strcmp(cszi_evidences[i].stack, stack) == 0)
            return &cszi_evidences[i];
    return NULL;
}

/* The rule: three configurations or more, half of them within 10%, as wide as the narrowest band.
 * One or two may be luck, and constants that miss by more are not fitted to them. */
int cszi_evidence_is_fitted(const cszi_evidence *e)
{
    return e != NULL && e->configurations >= 3 && e->median_error <= 0.10;
}
