/* mistral.h: a workload's model from the params.json beside a Mistral model. */
#ifndef CSZI_WORKLOAD_MISTRAL_H
#define CSZI_WORKLOAD_MISTRAL_H

#include "workload/workload.h"

/* Reads a params.json: replaces the model (cszi_workload_clear_model) and keeps the job. Changes
 * *workload also when it fails. Of a model with vision or audio the language model is read. Errors
 * are those of cszi_workload_load_hugging_face. */
csz_status cszi_workload_load_mistral(cszi_workload *workload, const char *text, size_t length,
                                      cszi_error *error);

#endif
