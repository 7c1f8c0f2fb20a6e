/* hugging_face.h: a workload's model from the config.json of a Hugging Face repository. */
#ifndef CSZI_WORKLOAD_HUGGING_FACE_H
#define CSZI_WORKLOAD_HUGGING_FACE_H

#include "workload/workload.h"

/* Reads a config.json: replaces the model (cszi_workload_clear_model) and keeps the job. Changes
 * *workload also when it fails: the caller works on a copy. Of a model with vision or audio
 * (text_config) the language model is read.
 *
 * Errors: CSZ_ERR_SYNTAX and CSZ_ERR_LIMIT of the text; CSZ_ERR_UNKNOWN for a model_type, layer
 * type or architectural feature that the fields do not express; CSZ_ERR_MISSING for model_type or a
 * key that the model_type needs; CSZ_ERR_TYPE, CSZ_ERR_RANGE and CSZ_ERR_CONFLICT for values. What
 * the fields say of each other is left to cszi_workload_check. */
csz_status cszi_workload_load_hugging_face(cszi_workload *workload, const char *text, size_t length,
                                           cszi_error *error);

#endif
