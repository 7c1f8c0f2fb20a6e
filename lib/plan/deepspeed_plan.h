/* deepspeed_plan.h: what a DeepSpeed configuration says of the plan: ZeRO stage, micro-batch. */
#ifndef CSZI_PLAN_DEEPSPEED_PLAN_H
#define CSZI_PLAN_DEEPSPEED_PLAN_H

#include "plan/plan.h"

/* Reads a ds_config.json: zero_optimization.stage, train_micro_batch_size_per_gpu and
 * tensor_parallel.autotp_size; names the stack. Values "auto" and null, and keys of other sections,
 * are left alone. Changes *plan also when it fails.
 *
 * Errors: those of cszi_workload_load_deepspeed; CSZ_ERR_UNKNOWN for offloading and other parts of
 * ZeRO that no field expresses; CSZ_ERR_CONFLICT when train_batch_size is no multiple of the
 * micro-batch times gradient_accumulation_steps. */
csz_status cszi_plan_load_deepspeed(cszi_plan *plan, const char *text, size_t length,
                                    cszi_error *error);

#endif
