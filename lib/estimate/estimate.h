/* estimate.h: what follows from workload, cluster and plan, as a plain struct; and the steps that
 * fill it. Pure functions: no allocation, no money. */
#ifndef CSZI_ESTIMATE_ESTIMATE_H
#define CSZI_ESTIMATE_ESTIMATE_H

#include "base/range.h"
#include "plan/settle.h"
#include "workload/parameters.h"

#define CSZI_NOTES 16

/* Parts of an accelerator's memory, in the order of their fields. */
typedef enum cszi_memory_part {
    CSZI_MEM_WEIGHTS,
    CSZI_MEM_GRADIENTS,
    CSZI_MEM_MASTER,
    CSZI_MEM_OPTIMIZER,
    CSZI_MEM_ACTIVATIONS,
    CSZI_MEM_LOGITS,
    CSZI_MEM_GATHERED,
    CSZI_MEM_BUFFERS,
    CSZI_MEM_WORKSPACE, /* the last that the allocator counts as in use */
    CSZI_MEM_FRAGMENTATION,
    CSZI_MEM_CONTEXT,
    CSZI_MEM_PARTS
} cszi_memory_part;

/* Parts of a stage's time, in the order of their fields. */
typedef enum cszi_time_part {
    CSZI_TIME_MATRICES,
    CSZI_TIME_ATTENTION,
    CSZI_TIME_POINTWISE,
    CSZI_TIME_RECOMPUTE,
    CSZI_TIME_LOGITS, /* embedding or output layer */
    CSZI_TIME_TENSOR, /* exposed traffic, here and below */
    CSZI_TIME_CONTEXT,
    CSZI_TIME_EXPERT,
    CSZI_TIME_PIPELINE,
    CSZI_TIME_HOST,
    CSZI_TIME_PARTS
} cszi_time_part;

/* One pipeline stage at its own peak. Parts sum to total, time parts to time. */
typedef struct cszi_stage {
    int64_t layers;
    int64_t parameters; /* of one accelerator, before data-parallel sharding */
    double in_flight;
    double offloaded; /* activations on the host */
    double part[CSZI_MEM_PARTS];
    double allocated;
    double reserved;
    double total;
    int64_t moment; /* csz_moment */
    double time;
    double time_part[CSZI_TIME_PARTS];
} cszi_stage;

#define CSZI_KERNELS 5 /* of csz_kernel */

/* One operation on the roofline. */
typedef struct cszi_kernel {
    int64_t kind; /* csz_kernel */
    double flops;
    double bytes;
    double time;
    double intensity;
    double balance;
    double reached;
    double peak;
    int64_t bound; /* csz_bound */
} cszi_kernel;

/* Results; NaN or INT64_MIN is unset. */
typedef struct cszi_estimate {
    int64_t parameters_total;
    int64_t parameters_active;
    int64_t parameters_embedding;
    int64_t parameters_trained;
    int64_t batch_sequences;
    int64_t batch_tokens;
    int64_t batch_micro_batches;
    int64_t batch_data_parallel;
    int64_t batch_accelerators;
    int64_t batch_steps;
    int64_t batch_tokens_total;
    double flops_per_token;
    double flops_forward;
    double flops_backward;
    double flops_recompute;
    double flops_step;
    double flops_run;
    double flops_six_n;
    double flops_full;
    double flops_palm;
    double flops_torchtitan;
    double flops_narayanan;
    double memory_part[CSZI_MEM_PARTS];
    cszi_range memory_allocated;
    cszi_range memory_reserved;
    cszi_range memory_total;
    double memory_usable;
    double memory_margin;
    int64_t memory_fit;
    double memory_fit_probability;
    int64_t memory_worst_stage;
    int64_t memory_moment;
    double memory_per_parameter;
    double host_load;
    double host_offload;
    double host_staging;
    double host_processes;
    cszi_range host_total;
    double host_usable;
    int64_t host_fit;
    cszi_range step_time;
    double step_matrices;
    double step_attention;
    double step_pointwise;
    double step_recompute;
    double step_logits;
    double step_tensor_traffic;
    double step_context_traffic;
    double step_expert_traffic;
    double step_pipeline_traffic;
    double step_data_traffic;
    double step_bubble;
    double step_imbalance;
    double step_optimizer;
    double step_host;
    double step_offload;
    double step_tokens_per_second;
    double step_tokens_per_second_accelerator;
    double step_flops_accelerator;
    double step_mfu;
    double step_mfu_bf16;
    double step_hfu;
    double step_mfu_six_n;
    double step_mfu_full;
    double step_mfu_palm;
    double step_mfu_torchtitan;
    double step_mfu_narayanan;
    int64_t step_critical_stage;
    double step_host_once;
    char evidence_family[CSZI_TEXT_CAPACITY];
    char evidence_stack[32];
    int64_t evidence_configurations;
    double evidence_median_error;
    double evidence_p90_error;
    char evidence_date[16];
    char evidence_band[32];
    cszi_range run_time;
    double run_ideal_time;
    double run_goodput;
    double run_time_between_failures;
    double run_checkpoint_bytes;
    double run_checkpoint_time;
    double run_checkpoint_interval;
    double run_accelerator_hours;
    cszi_range run_cost;
    double run_energy;
    int64_t stage_count;
    cszi_stage *stages; /* room for as many as the caller reserved; NULL: stages are not recorded */
    int64_t stage_room;
    int64_t kernel_count;
    cszi_kernel *kernels; /* CSZI_KERNELS of the caller's, for cszi_estimate_kernels alone */
    int64_t note_count;
    csz_note notes[CSZI_NOTES];
} cszi_estimate;

extern const cszi_table cszi_estimate_table;

/* Everything unset; stages and room stay. */
void cszi_estimate_clear(cszi_estimate *estimate);
void cszi_estimate_note(cszi_estimate *estimate, csz_note note);

/* The inputs of one phase, settled: what the formulas read. */
typedef struct cszi_case {
    const cszi_workload *workload;
    const cszi_cluster *cluster;
    cszi_parameters parameters;
    cszi_layout layout;
    cszi_batching batching;
    const cszi_stack *stack;
    const cszi_family *family;
} cszi_case;

/* Checks the workload and counts parameters. */
csz_status cszi_case_model(cszi_case *c, const cszi_workload *workload, cszi_error *error);
/* The same and the cluster; the same for every plan. */
csz_status cszi_case_open(cszi_case *c, const cszi_workload *workload, const cszi_cluster *cluster,
                          int time, cszi_error *error);
/* Settles a plan for one phase. */
csz_status cszi_case_plan(cszi_case *c, const cszi_plan *plan, size_t phase, csz_reason *reason,
                          cszi_error *error);

/* Tokens that experts of the busiest rank work on, over the mean: those of a plan's capacity, or as
 * routing falls on ranks; a rank that holds all experts has the mean. */
double cszi_case_expert_load(const cszi_case *c);

void cszi_estimate_parameters(const cszi_case *c, cszi_estimate *estimate);
/* Parameters and batch. */
void cszi_estimate_counts(const cszi_case *c, cszi_estimate *estimate);
/* The same and memory. */
void cszi_estimate_fit(const cszi_case *c, cszi_estimate *estimate);
/* After it: an offload into memory of the nodes that is not known. */
csz_status cszi_host_check(const cszi_case *c, const cszi_estimate *estimate, csz_reason *reason,
                           cszi_error *error);
/* FLOPs and step time; the case must have passed cszi_step_check. */
void cszi_estimate_step(const cszi_case *c, cszi_estimate *estimate);
csz_status cszi_step_check(const cszi_case *c, csz_reason *reason, cszi_error *error);
/* The band of the step time, with notes of what widens it. */
const cszi_band *cszi_case_band(const cszi_case *c, cszi_estimate *estimate);
/* Measurements behind it. */
void cszi_estimate_evidence(const cszi_case *c, cszi_estimate *estimate);
/* After cszi_estimate_step, of a plan that does not name its stack: low and high of step_time take
 * in the stacks that are plausible on the family. */
void cszi_case_envelope(const cszi_case *c, const cszi_plan *plan, cszi_estimate *estimate);
/* Phases of a run: at least 1. */
size_t cszi_workload_phase_count(const cszi_workload *workload);
/* Tokens of a phase that the run trains on; 0 when nothing says. */
int64_t cszi_phase_tokens(const cszi_workload *workload, size_t phase);
/* Tokens of a step that count: padding does not. */
double cszi_step_tokens(const cszi_workload *workload, const cszi_batching *batching);

#endif
