/* parameters.h: exact integer parameter counts, split by how parallelism divides them. */
#ifndef CSZI_WORKLOAD_PARAMETERS_H
#define CSZI_WORKLOAD_PARAMETERS_H

#include "workload/matrices.h"

/* One layer of a kind. */
typedef struct cszi_layer_parameters {
    int64_t sharded;    /* divided by tensor parallelism */
    int64_t replicated; /* norms, routers, latent down-projections */
    int64_t experts;    /* all routed experts: divided by expert and expert-tensor parallelism */
    int64_t inactive;   /* of experts: those that a token does not meet */
    int64_t adapters;   /* LoRA, when every target has one: outside experts */
    int64_t expert_adapters; /* of all routed experts */
    int64_t active_adapters; /* met by one token, all together */
} cszi_layer_parameters;

typedef struct cszi_parameters {
    int64_t kind_count;
    cszi_layer_parameters kinds[CSZI_KINDS];
    int64_t layers;           /* prediction layers not counted */
    int64_t embedding;        /* input embedding and learned positions */
    int64_t head;             /* output layer; 0 when tied */
    int64_t head_matrix;      /* hidden x vocab, tied or not */
    int64_t outer_norms;      /* embedding norm and final norm */
    int64_t prediction_extra; /* of one prediction layer beyond its layer: projection and norms */
    int64_t total;
    int64_t active;
    int64_t trained;         /* adapters only for LoRA and QLoRA */
    int64_t active_adapters; /* met by one token */
} cszi_parameters;

/* Counts; CSZ_ERR_LIMIT when one passes 2^53. The workload has passed cszi_workload_check. */
csz_status cszi_workload_parameters(const cszi_workload *workload, cszi_parameters *parameters,
                                    cszi_error *error);

/* Parameters of one norm of width h. */
int64_t cszi_norm_parameters(int64_t norm, int64_t width);

/* Whether a matrix is a target of adapters, in a job that has them. */
int cszi_matrix_is_target(const cszi_workload *workload, const cszi_matrix *matrix);

/* Kind of the last layer: that of prediction layers. */
int64_t cszi_workload_last_kind(const cszi_workload *workload);

static inline int cszi_is_adapter_job(const cszi_workload *workload)
{
    return workload->job == CSZ_JOB_LORA || workload->job == CSZ_JOB_QLORA;
}

#endif
