/* megatron.h: a workload from the arguments of a Megatron-LM launch. */
#ifndef CSZI_WORKLOAD_MEGATRON_H
#define CSZI_WORKLOAD_MEGATRON_H

#include "workload/workload.h"

/* Reads arguments ("--num-layers 96 ...", or lines of "num-layers: 96"), base/words.h says how.
 * With --num-layers the text is a whole list: it replaces the model (cszi_workload_clear_model, but
 * a vocabulary stays where the text has none), and what it leaves out is as Megatron-LM's defaults.
 * Without it only what is there is set. The job stays but for what the text says of it. Changes
 * *workload also when it fails: the caller works on a copy.
 *
 * Options without a meaning here are ignored. Errors, with line and column: those of
 * base/options.h; CSZ_ERR_UNKNOWN for options that change the model and have no field;
 * CSZ_ERR_MISSING and CSZ_ERR_CONFLICT for options that need or contradict others. */
csz_status cszi_workload_load_megatron(cszi_workload *workload, const char *text, size_t length,
                                       cszi_error *error);

#endif
