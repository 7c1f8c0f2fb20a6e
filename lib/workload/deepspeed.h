/* deepspeed.h: what a DeepSpeed configuration says of the job: batch, optimizer, number formats. */
#ifndef CSZI_WORKLOAD_DEEPSPEED_H
#define CSZI_WORKLOAD_DEEPSPEED_H

#include "workload/workload.h"

/* Reads a ds_config.json: train_batch_size, optimizer, bf16, fp16, data_types. Values "auto" and
 * null, and keys of other sections, are left alone. Changes *workload also when it fails.
 *
 * Errors: CSZ_ERR_SYNTAX and CSZ_ERR_LIMIT of the text; CSZ_ERR_UNKNOWN for optimizers and switches
 * that no field expresses; CSZ_ERR_TYPE, CSZ_ERR_RANGE and CSZ_ERR_CONFLICT for values, all with
 * line, column and path. */
csz_status cszi_workload_load_deepspeed(cszi_workload *workload, const char *text, size_t length,
                                        cszi_error *error);

/* For the reader of the plan too. The member "a.b.c" that is there and neither null nor "auto". */
csz_status cszi_deepspeed_find(const cszi_json *json, cszi_json_value root, const char *path,
                               cszi_json_value *value, int *found);
/* The same as a whole number or as 1 and 0 of true and false; *given says whether it is there. */
csz_status cszi_deepspeed_count(const cszi_json *json, cszi_json_value root, const char *path,
                                csz_field field, int64_t *number, int *given);
csz_status cszi_deepspeed_flag(const cszi_json *json, cszi_json_value root, const char *path,
                               csz_field field, int *on, int *given);
/* Opens the text, whose root must be an object. */
csz_status cszi_deepspeed_open(cszi_json *json, const char *text, size_t length, cszi_error *error,
                               cszi_json_value *root);

#endif
