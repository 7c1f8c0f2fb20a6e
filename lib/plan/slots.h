/* slots.h: whether a field of a plan is set, for fields known when the code is compiled: the bit of
 * its row, without a search for it. */
#ifndef CSZI_PLAN_SLOTS_H
#define CSZI_PLAN_SLOTS_H

#include "plan/plan.h"

#define FIELD(id, ...) CSZI_SLOT_##id,
enum {
#include "plan/fields.inc"
    CSZI_PLAN_SLOTS
};
#undef FIELD

#define CSZI_PLAN_SETS(plan, id)                                                                   \
    ((int)((plan)->set[CSZI_SLOT_##id / 64] >> (CSZI_SLOT_##id % 64) & 1))

#endif
