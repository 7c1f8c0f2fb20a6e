/* result.c: the table of results. */
#include "estimate/estimate.h"

#include <string.h>

#include "base/field_rows.h"

static const cszi_choice cszi_choices_fit[] = {
    {CSZ_FIT_NO, "no"}, {CSZ_FIT_TIGHT, "tight"}, {CSZ_FIT_YES, "yes"}, {0, NULL}};

static const cszi_choice cszi_choices_moment[] = {{CSZ_MOMENT_LOAD, "load"},
                                                  {CSZ_MOMENT_FORWARD, "forward"},
                                                  {CSZ_MOMENT_LOSS, "loss"},
                                                  {CSZ_MOMENT_FIRST_BACKWARD, "first_backward"},
                                                  {CSZ_MOMENT_LAST_BACKWARD, "last_backward"},
                                                  {CSZ_MOMENT_REDUCTION, "reduction"},
                                                  {CSZ_MOMENT_OPTIMIZER, "optimizer"},
                                                  {CSZ_MOMENT_EVALUATION, "evaluation"},
                                                  {CSZ_MOMENT_CHECKPOINT, "checkpoint"},
                                                  {0, NULL}};

static const cszi_choice cszi_choices_kernel[] = {
    {CSZ_KERNEL_PRODUCT, "product"},     {CSZ_KERNEL_EXPERTS, "experts"},
    {CSZ_KERNEL_ATTENTION, "attention"}, {CSZ_KERNEL_POINTWISE, "pointwise"},
    {CSZ_KERNEL_LOGITS, "logits"},       {0, NULL}};

static const cszi_choice cszi_choices_bound[] = {{CSZ_BOUND_COMPUTE, "compute"},
                                                 {CSZ_BOUND_MEMORY, "memory"},
                                                 {CSZ_BOUND_LAUNCH, "launch"},
                                                 {0, NULL}};

#define CSZI_RECORD_flat cszi_estimate
#define CSZI_RECORD_stages cszi_stage
#define CSZI_RECORD_kernels cszi_kernel
enum { CSZI_LIST_flat, CSZI_LIST_stages, CSZI_LIST_kernels };

static const cszi_field_row rows[] = {
#include "estimate/fields.inc"
};

#undef FIELD
#define FIELD(id, ...) AT_##id,
enum {
#include "estimate/fields.inc"
    ROW_COUNT
};

const cszi_table cszi_estimate_table = {
    "estimate",
    CSZI_MODE_RESULT,
    rows,
    ROW_COUNT,
    {{"", 0, 0, 0, 0, 0, 0},
     {"stages", offsetof(cszi_estimate, stages), sizeof(cszi_stage), CSZI_STAGES,
      offsetof(cszi_estimate, stage_count), AT_CSZ_ESTIMATE_STAGE_LAYERS, 1},
     {"kernels", offsetof(cszi_estimate, kernels), sizeof(cszi_kernel), CSZI_KERNELS,
      offsetof(cszi_estimate, kernel_count), AT_CSZ_ESTIMATE_KERNEL_KIND, 1}},
    3,
};

#undef FIELD
#define NOTHING_I64 INT64_MIN
#define NOTHING_CHOICE INT64_MIN
#define NOTHING_F64 ((double)NAN)
#define NOTHING_RANGE                                                                              \
    {                                                                                              \
        (double)NAN, (double)NAN, (double)NAN                                                      \
    }
#define NOTHING_TEXT ""
#define NOTHING_flat(member, type) .member = NOTHING_##type,
#define NOTHING_stages(member, type)
#define NOTHING_kernels(member, type)
#define FIELD(id, record, member, name, alias, type, ...) NOTHING_##record(member, type)
static const cszi_estimate nothing = {
#include "estimate/fields.inc"
};

/* Lists and their room, which stand behind the figures, stay. */
void cszi_estimate_clear(cszi_estimate *estimate)
{
    memcpy(estimate, &nothing, offsetof(cszi_estimate, stage_count));
    estimate->stage_count = 0;
    estimate->kernel_count = 0;
    estimate->note_count = 0;
}

void cszi_estimate_note(cszi_estimate *estimate, csz_note note)
{
    for (int64_t i = 0; i < estimate->note_count; i++)
        if (estimate->notes[i] == note)
            return;
    if (estimate->note_count < CSZI_NOTES)
        estimate->notes[estimate->note_count++] = note;
}
