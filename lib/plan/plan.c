/* plan.c: the plan's table. */
#include "plan/plan.h"

#include "base/field_rows.h"

static const cszi_choice cszi_choices_sharding[] = {{CSZ_SHARDING_NONE, "none"},
                                                    {CSZ_SHARDING_OPTIMIZER, "optimizer"},
                                                    {CSZ_SHARDING_GRADIENTS, "gradients"},
                                                    {CSZ_SHARDING_PARAMETERS, "parameters"},
                                                    {0, NULL}};
static const cszi_choice cszi_choices_recompute[] = {{CSZ_RECOMPUTE_NONE, "none"},
                                                     {CSZ_RECOMPUTE_SELECTIVE, "selective"},
                                                     {CSZ_RECOMPUTE_FULL, "full"},
                                                     {CSZ_RECOMPUTE_OPERATIONS, "operations"},
                                                     {0, NULL}};
static const cszi_choice cszi_choices_schedule[] = {{CSZ_SCHEDULE_1F1B, "1f1b"},
                                                    {CSZ_SCHEDULE_INTERLEAVED, "interleaved"},
                                                    {CSZ_SCHEDULE_ZB_H1, "zb_h1"},
                                                    {CSZ_SCHEDULE_ZB_H2, "zb_h2"},
                                                    {CSZ_SCHEDULE_ZB_V, "zb_v"},
                                                    {CSZ_SCHEDULE_DUALPIPE, "dualpipe"},
                                                    {0, NULL}};
static const cszi_choice cszi_choices_context[] = {{CSZ_CONTEXT_KIND_RING, "ring"},
                                                   {CSZ_CONTEXT_KIND_ALL_GATHER, "all_gather"},
                                                   {CSZ_CONTEXT_KIND_ULYSSES, "ulysses"},
                                                   {CSZ_CONTEXT_KIND_HIERARCHICAL, "hierarchical"},
                                                   {0, NULL}};
static const cszi_choice cszi_choices_kernel[] = {
    {CSZ_ATTENTION_KERNEL_UNFUSED, "unfused"}, {CSZ_ATTENTION_KERNEL_FLASH, "flash"}, {0, NULL}};

static const cszi_choice cszi_choices_loss[] = {{CSZ_LOSS_KERNEL_PLAIN, "plain"},
                                                {CSZ_LOSS_KERNEL_FUSED, "fused"},
                                                {CSZ_LOSS_KERNEL_CHUNKED, "chunked"},
                                                {CSZ_LOSS_KERNEL_LINEAR, "linear"},
                                                {0, NULL}};
static const cszi_choice cszi_choices_dispatch[] = {
    {CSZ_EXPERT_DISPATCH_ALL_TO_ALL, "all_to_all"},
    {CSZ_EXPERT_DISPATCH_DEDUPLICATED, "deduplicated"},
    {CSZ_EXPERT_DISPATCH_ALL_GATHER, "all_gather"},
    {0, NULL}};
static const cszi_choice cszi_choices_target[] = {
    {CSZ_OFFLOAD_TARGET_HOST, "host"}, {CSZ_OFFLOAD_TARGET_NVME, "nvme"}, {0, NULL}};

#define CSZI_RECORD_flat cszi_plan
enum { CSZI_LIST_flat };

static const cszi_field_row rows[] = {
#include "plan/fields.inc"
};
_Static_assert(sizeof rows / sizeof *rows <= 64, "one word of set bits");

const cszi_table cszi_plan_table = {
    "plan", CSZI_MODE_INPUT, rows, sizeof rows / sizeof *rows, {{"", 0, 0, 0, 0, 0, 0}}, 1,
};

int cszi_plan_has(const cszi_plan *plan, csz_field field)
{
    const cszi_field_row *row = cszi_table_row(&cszi_plan_table, field);
    return row != NULL && cszi_field_is_set(&cszi_plan_table, plan, row, 0);
}
