/* facts.h: the shapes of the built-in tables about the world. Rows stand in the .inc files beside
 * this header, each with its source and date. In a row a field that is not named is 0 or NULL:
 * unknown, never zero. */
#ifndef CSZI_FACTS_FACTS_H
#define CSZI_FACTS_FACTS_H

#include <stddef.h>

/* The fit of the time constants builds tables that it can change. */
#ifndef CSZI_CONSTANT
#define CSZI_CONSTANT const
#endif

/* A published model: its shape in the text form of workload fields, so that a preset, an overlay
 * entry and a user's own settings go through one reader. */
typedef struct cszi_model {
    const char *id;
    const char *family;
    double published;  /* year */
    double parameters; /* published integer of the unique parameters; unset where none was found */
    const char *architecture; /* "hidden=8192 vocab=128256 layers=80 heads=64 ..." */
    const char *source;       /* of the shape and of the count */
    const char *date;
    const char *confidence; /* high: sourced shape and exact count; medium; low */
} cszi_model;

typedef struct cszi_accelerator {
    const char *id;
    const char *name;
    const char *vendor;
    const char *family;      /* row of the efficiency table */
    double memory;           /* B, as the driver reports it */
    double memory_label;     /* B, as sold (GB = 1e9 B) */
    double memory_bandwidth; /* B/s */
    double peak_fp32;        /* FLOP/s, vector units */
    double peak_tf32;        /* FLOP/s, dense matrix units, here and below */
    double peak_bf16;
    double peak_fp16;
    double peak_fp8;
    double peak_fp4;
    double link_bandwidth; /* B/s, scale-up, one way, all links */
    double scale_up_domain;
    double power;             /* W */
    const char *default_node; /* id of the usual node */
    const char *doubt;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_accelerator;

typedef struct cszi_node {
    const char *id;
    const char *name;
    const char *provider;
    const char *accelerator; /* id */
    double accelerators;     /* in the node */
    double scale_up_domain;
    double scale_out_bandwidth; /* B/s of one accelerator, one way */
    double power;               /* W, maximum */
    double host_memory;         /* B, as the provider prints it, GB taken as 1e9 B */
    const char *fabric;         /* id of a fabric, or NULL */
    const char *doubt;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_node;

typedef struct cszi_fabric {
    const char *id;
    const char *name;
    double bandwidth; /* B/s of one port, one way: the scale-out rate of an accelerator with a port
                         of its own */
    double latency;   /* s, of an adapter, one way */
    const char *source;
    const char *date;
    const char *confidence;
} cszi_fabric;

typedef struct cszi_offer {
    const char *id;
    const char *accelerator; /* id */
    const char *provider;
    const char *instance;
    const char *region;
    const char *term; /* on-demand, spot, reserved-1y, reserved-3y, purchase */
    double price;     /* USD of one accelerator for an hour */
    double low;       /* of the quotes behind a summary */
    double high;
    double purchase; /* USD of one accelerator, bought */
    double purchase_low;
    double purchase_high;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_offer;

/* A measured point of a collective, or a latency. */
typedef struct cszi_curve {
    const char *id;
    const char *system;      /* as the source calls it */
    const char *accelerator; /* id */
    const char *fabric;      /* id, where the ranks span nodes */
    const char *operation;
    double ranks;
    double bytes;
    double bus_bandwidth; /* B/s */
    double latency;       /* s */
    const char *conditions;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_curve;

/* A figure of running a cluster, in a unit of its own. */
typedef struct cszi_operation {
    const char *id;
    const char *topic;
    const char *subject;
    const char *metric;
    double value;
    const char *unit; /* of value, low and high */
    double low;
    double high;
    const char *note;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_operation;

/* A figure of the failures of a published run, in a unit of its own. */
typedef struct cszi_reliability {
    const char *id;
    const char *run;
    const char *accelerator; /* id */
    double accelerators;
    const char *metric;
    double value;
    const char *unit;
    double share; /* of the run's interruptions */
    const char *note;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_reliability;

/* What kernels of an accelerator family reach, as shares of its dense peaks. */
typedef struct cszi_family {
    const char *id;
    double gemm16; /* 16-bit and wider matrix products */
    double gemm8;
    double gemm4;
    double attention;   /* fused attention, share of the 16-bit peak */
    double softmax;     /* 16-bit peak over twice the rate of exponentials */
    double watts;       /* W of a FLOP/s of 16-bit peak at which the shares hold; 0: at any */
    double sustained;   /* exponent of the rate in power */
    int rows;           /* published runs behind the row; 0: none, the band is wide */
    const char *stack;  /* usual software */
    const char *stacks; /* software that is plausible where none is named */
    const char *source;
} cszi_family;

/* The bit of a stack whose all-to-all repeats keys and values where heads are fewer than ranks. */
#define CSZI_CONTEXT_REPEATS 8

/* Training software: what it keeps in memory, and how it spends time. One row serves memory, time
 * and selection. */
typedef struct cszi_stack {
    const char *id;
    /* Memory: csz_format of each copy when the workload does not say. */
    int weights;
    int gradients;
    int master;
    int states;
    int fused;              /* kernels keep one tensor where eager PyTorch keeps each step's */
    int gathers_weights;    /* sharded weights are gathered in the compute format (FSDP) */
    int gathers_once;       /* ZeRO-2 shares weights too, and keeps what it gathered (FSDP) */
    int casts_all;          /* fp32 weights have a whole 16-bit copy when they are not sharded */
    int caches_low;         /* weights in low precision are kept across micro-batches */
    int gradients_persist;  /* their buffer stands through the step */
    int gradients_fused;    /* they are accumulated in the product, without a copy of their own */
    int offloads_gradients; /* gradients follow offloaded optimizer states to the host */
    double prefetch;        /* units gathered ahead of the one in use */
    double reducing_units;  /* units whose whole gradients are on their way */
    double
        quantized_copies;  /* activations of eager layers on quantized weights, over 16-bit ones */
    double loss_bytes[4];  /* per logit held at the loss, by csz_loss_kernel */
    double weight_scratch; /* cached gradients of each shape: bytes a parameter of one layer */
    int optimizer_temporary; /* the optimizer works on all parameters at once, with temporaries */
    double gradient_copy;    /* bytes of an owned gradient's copy in the optimizer's step */
    double workspace;        /* B, of kernels, in the allocator */
    double bucket_bytes;     /* one communication bucket */
    double buckets;          /* held at once */
    int reducer_copies;      /* buckets as large as the gradients, beside them */
    double context_low;      /* B: device context, workspaces of libraries */
    double context_likely;
    double context_high;
    double communicator; /* B of each group of ranks that talk */
    double slack_low;    /* allocator slack, share of allocated bytes */
    double slack_likely;
    double slack_high;
    double slack_chunks;     /* times the high end when chunks of a pipeline interleave */
    double slack_expandable; /* what expandable segments leave of it */
    double memory_low;       /* measured over predicted allocated bytes: an 80% band */
    double memory_high;
    int memory_rows;       /* readings of allocators with all settings stated; 0: none */
    int loads_whole;       /* one process a node reads the whole checkpoint */
    double host_process;   /* B of host memory of one process */
    int optimizers;        /* bits of csz_optimizer that it has */
    int pipeline_sharding; /* csz_sharding from which on there is no pipeline */
    int loss;              /* csz_loss_kernel by default */
    int release;           /* can step inside the backward pass */
    int operations;        /* can compute single operations again */
    int offload;           /* 1: to the host, 2: to drives too */
    int sharding_max;      /* csz_sharding that it can express */
    int pipeline;          /* can it run pipeline stages */
    int zero_bubble;       /* it, or a known fork of it, has zero-bubble schedules */
    int dualpipe;          /* it can run DeepSeek's DualPipe, or a known fork of it can */
    int contexts;          /* bits of csz_context_kind that it has beside ring, and the next */
    int flash;             /* csz_attention_kernel by default */
    int dispatch;          /* csz_expert_dispatch by default */
    /* Time. Shares: of overlap that stays exposed, or of a peak rate. Names as in the formulas of
     * step.c. */
    double memory_share;       /* e_mem of the memory bandwidth */
    double half_size;          /* d0: matrix dimension at half efficiency, elements */
    double launch;             /* t0, s per kernel */
    double matrix_factor;      /* on the family's shares of products */
    double attention_factor;   /* on the family's attention share */
    double attention_backward; /* on the same, backward */
    double softmax_exposed;    /* of the exponentials, what the products do not hide */
    double grouped_share;      /* on the rate of products, of experts' */
    double pointwise;          /* mm */
    double kernels;            /* pointwise kernels of a layer, forward */
    double recurrent;          /* traffic of a recurrence over its channels in and out twice */
    double moe_pointwise;      /* mm of token permutation */
    double biased_experts;     /* traffic of an activation with biases, over one without */
    double link_share;
    double nic_share;
    double nic_expert_share;
    double latency_in;       /* a_in, s per collective */
    double latency_out;      /* a_out, s per node of a collective */
    double latency_pipeline; /* a_pp, s per transfer */
    double exposed_tensor;
    double exposed_pipeline;
    double exposed_context;
    double exposed_data;
    double exposed_gather; /* ZeRO-3 */
    double gather_copies;  /* B of a gathered parameter that are copied in and out of buffers */
    double exposed_expert;
    double overlaps_data; /* 0: all data-parallel traffic is exposed */
    double reduce_bytes;  /* bytes of a gradient on the wire */
    double host_layer;    /* s of launches a layer */
    double host_moe;      /* s a mixture layer */
    double step_fixed;    /* s a step */
    double straggle;      /* share per doubling of nodes */
    const char *source;
} cszi_stack;

/* What collectives reach of a kind of network, over what the fitted ones do: by the beginning of
 * the fabric's id. */
typedef struct cszi_network {
    const char *prefix;
    double share;        /* of rings */
    double expert_share; /* of all-to-all */
    double message;      /* B at line rate that take as long as a message does beside its own */
    const char *source;
} cszi_network;

/* Measured over predicted step time: quantiles of an 80% band. */
typedef struct cszi_band {
    const char *id;
    double low;
    double high;
    const char *source;
} cszi_band;

/* Published runs that were held against the step times of a family under a stack. */
typedef struct cszi_evidence {
    const char *family;
    const char *stack;
    int configurations;
    double median_error; /* of |ln(predicted / measured)| */
    double p90_error;
    const char *date; /* of the newest run */
} cszi_evidence;

/* Batches of published runs, in tokens, by model size. */
typedef struct cszi_batch {
    double parameters;
    double tokens;
    const char *source;
} cszi_batch;

const cszi_family *cszi_family_find(const char *id); /* the row "unfitted" when there is none */
const cszi_stack *cszi_stack_find(const char *id);   /* NULL when there is none */
const cszi_band *cszi_band_find(const char *id);
const cszi_network *cszi_network_find(const char *fabric); /* the last row when none is meant */
/* NULL: no measured configuration. */
const cszi_evidence *cszi_evidence_find(const char *family, const char *stack);
/* Whether that much is enough for the bands of fitted pairs; NULL is not. */
int cszi_evidence_is_fitted(const cszi_evidence *evidence);
/* Rows that the library itself assumes, by their exact id; NULL when there is none. */
const cszi_operation *cszi_operation_find(const char *id);
const cszi_reliability *cszi_reliability_find(const char *id);

extern CSZI_CONSTANT cszi_stack cszi_stacks[];
extern const size_t cszi_stacks_count;
extern const cszi_evidence cszi_evidences[];
extern const size_t cszi_evidences_count;
extern const cszi_batch cszi_batches[];
extern const size_t cszi_batches_count;

extern const cszi_model cszi_models[];
extern const size_t cszi_models_count;
extern const cszi_accelerator cszi_accelerators[];
extern const size_t cszi_accelerators_count;
extern const cszi_node cszi_nodes[];
extern const size_t cszi_nodes_count;
extern const cszi_fabric cszi_fabrics[];
extern const size_t cszi_fabrics_count;
extern const cszi_offer cszi_offers[];
extern const size_t cszi_offers_count;
extern const cszi_curve cszi_curves[];
extern const size_t cszi_curves_count;
extern const cszi_operation cszi_operations[];
extern const size_t cszi_operations_count;
extern const cszi_reliability cszi_reliabilities[];
extern const size_t cszi_reliabilities_count;

#define CSZI_FACTS_DATE "2026-08" /* newest source in the tables */

#endif
