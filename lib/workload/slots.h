/* slots.h: whether a field of a workload is set, for fields known when the code is compiled: the
 * bit of its row, without a search for it. */
#ifndef CSZI_WORKLOAD_SLOTS_H
#define CSZI_WORKLOAD_SLOTS_H

#include "workload/workload.h"

#define FIELD(id, ...) CSZI_SLOT_##id,
enum {
#include "workload/fields.inc"
    CSZI_WORKLOAD_SLOTS
};
#undef FIELD

#define CSZI_WORKLOAD_SETS(workload, id)                                                           \
    ((int)((workload)->set[CSZI_SLOT_##id / 64] >> (CSZI_SLOT_##id % 64) & 1))

#endif
