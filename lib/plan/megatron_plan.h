/* megatron_plan.h: a plan from the arguments of a Megatron-LM launch. */
#ifndef CSZI_PLAN_MEGATRON_PLAN_H
#define CSZI_PLAN_MEGATRON_PLAN_H

#include "base/options.h"
#include "plan/plan.h"

/* Reads the text that cszi_workload_load_megatron reads, for the plan in it, and names the stack.
 * With --num-layers the text is a whole list: degrees and switches that it leaves out are
 * Megatron-LM's defaults, not unset. The data-parallel size is none of its options: it stays.
 * Changes *plan also when it fails. Errors as there. */
csz_status cszi_plan_load_megatron(cszi_plan *plan, const char *text, size_t length,
                                   cszi_error *error);

/* The options that it reads. */
extern const cszi_option cszi_megatron_plan_options[];
extern const size_t cszi_megatron_plan_option_count;

#endif
