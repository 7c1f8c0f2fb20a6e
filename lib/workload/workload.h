/* workload.h: the model and the job as a plain struct. Unset members hold their defaults (0 where
 * there is none). */
#ifndef CSZI_WORKLOAD_WORKLOAD_H
#define CSZI_WORKLOAD_WORKLOAD_H

#include "base/field.h"

#define CSZI_RUNS 1024 /* runs of layers of one kind */
#define CSZI_KINDS 16  /* layer kinds */
#define CSZI_PHASES 16

typedef struct cszi_run {
    uint64_t set[1];
    int64_t layers;
    int64_t layer_kind;
} cszi_run;

typedef struct cszi_layer_kind {
    uint64_t set[1];
    int64_t attention; /* csz_attention */
    int64_t heads;
    int64_t kv_heads; /* 0: heads; read with cszi_kind_kv_heads */
    int64_t head_dim; /* 0: hidden / heads; read with cszi_kind_head_dim */
    int64_t sliding_window;
    int64_t query_rank;
    int64_t kv_rank;
    int64_t nope_dim;
    int64_t rope_dim;
    int64_t value_dim;
    int64_t qkv_bias;
    int64_t attention_bias;
    int64_t qk_norm; /* csz_qk_norm */
    int64_t attention_sinks;
    int64_t causal;
    int64_t cross_attention;
    int64_t query_gate;
    int64_t ffn;
    int64_t gated_mlp;
    int64_t mlp_bias;
    int64_t experts;
    int64_t experts_per_token;
    int64_t expert_ffn;
    int64_t expert_width; /* read with cszi_kind_expert_width */
    int64_t shared_ffn;
    int64_t shared_gate;
    int64_t router_bias;
    int64_t expert_bias;
    int64_t norms_per_layer;
    int64_t router_groups;
    int64_t router_groups_chosen; /* 0: all */
    int64_t state_size;
    int64_t state_inner;
    int64_t state_rank;
    int64_t state_heads;
    int64_t state_head_dim;
    int64_t state_groups;
    int64_t state_norms;
    int64_t key_heads;
    int64_t key_dim;
    int64_t convolution;
    int64_t convolution_bias;
    double token_share;
    int64_t custom_parameters;
    int64_t custom_active;
    double custom_flops;
    double custom_activations;
    int64_t width;     /* 0: hidden; read with cszi_kind_width */
    int64_t kind_norm; /* when set: csz_norm of these layers */
} cszi_layer_kind;

typedef struct cszi_phase {
    uint64_t set[1];
    int64_t tokens;
    int64_t sequence_length;
    int64_t global_batch;        /* sequences */
    int64_t global_batch_tokens; /* exactly one of the two is given */
} cszi_phase;

typedef struct cszi_workload {
    uint64_t set[2];
    char model[CSZI_TEXT_CAPACITY];
    int64_t hidden;
    int64_t vocab;
    int64_t learned_positions;
    int64_t tied_embeddings;
    int64_t norm; /* csz_norm */
    int64_t head_bias;
    int64_t embedding_norm;
    int64_t final_norm;
    int64_t prediction_layers;
    int64_t extra_parameters;
    int64_t dropout;
    int64_t output_layer;
    int64_t embedding_width; /* 0: hidden */
    int64_t job;             /* csz_job */
    int64_t unique_tokens;
    double epochs;
    int64_t examples;
    double mean_length;
    int64_t maximum_length;
    int64_t packing; /* csz_packing */
    int64_t document_mask;
    int64_t lora_rank;
    int64_t lora_targets; /* csz_lora_targets */
    int64_t lora_dropout;
    int64_t method;           /* csz_method */
    int64_t evaluation_batch; /* 0: none */
    int64_t frozen_extra;
    int64_t optimizer;      /* csz_optimizer */
    int64_t compute_format; /* csz_format, all below */
    int64_t weight_format;  /* 0: of the stack, here and below */
    int64_t gradient_format;
    int64_t master_format;
    int64_t state_format;
    int64_t activation_format;
    int64_t frozen_format;
    double load_imbalance;      /* read with cszi_workload_imbalance */
    int64_t routing;            /* csz_routing */
    double checkpoint_interval; /* 0: optimum */
    int64_t runs_count;
    int64_t kinds_count;
    int64_t phases_count;
    cszi_layer_kind kinds[CSZI_KINDS];
    cszi_phase phases[CSZI_PHASES];
    cszi_run runs[CSZI_RUNS];
} cszi_workload;

extern const cszi_table cszi_workload_table;

/* Takes the architecture out, model id included; the job stays. */
void cszi_workload_clear_model(cszi_workload *workload);

/* A field given by the caller, as against one at its default. */
int cszi_workload_has(const cszi_workload *workload, csz_field field);

/* Tokens of the busiest expert rank over the mean. */
double cszi_workload_imbalance(const cszi_workload *workload);

static inline int64_t cszi_kind_kv_heads(const cszi_layer_kind *kind)
{
    return kind->kv_heads != 0 ? kind->kv_heads : kind->heads;
}

/* Key-value heads of one of t tensor ranks: replicated where there are fewer than ranks; latent
 * attention expands them for every query head. */
static inline double cszi_kind_rank_kv_heads(const cszi_layer_kind *kind, double t)
{
    int latent = kind->attention == CSZ_ATTENTION_LATENT;
    double heads = (double)(latent ? kind->heads : cszi_kind_kv_heads(kind)) / t;
    return heads > 1 ? heads : 1;
}

/* Width of the stream that the layers read and write: a tower may be narrower than the model. */
static inline int64_t cszi_kind_width(const cszi_layer_kind *kind, int64_t hidden)
{
    return kind->width != 0 ? kind->width : hidden;
}

static inline int64_t cszi_kind_expert_width(const cszi_layer_kind *kind, int64_t hidden)
{
    return kind->expert_width != 0 ? kind->expert_width : cszi_kind_width(kind, hidden);
}

static inline int64_t cszi_kind_head_dim(const cszi_layer_kind *kind, int64_t hidden)
{
    return kind->head_dim != 0 || kind->heads == 0 ? kind->head_dim
                                                   : cszi_kind_width(kind, hidden) / kind->heads;
}

/* Widths of one head's query and key, and of its value. */
static inline int64_t cszi_kind_query_dim(const cszi_layer_kind *kind, int64_t hidden)
{
    return kind->attention == CSZ_ATTENTION_LATENT ? kind->nope_dim + kind->rope_dim
                                                   : cszi_kind_head_dim(kind, hidden);
}

static inline int64_t cszi_kind_value_dim(const cszi_layer_kind *kind, int64_t hidden)
{
    return kind->attention == CSZ_ATTENTION_LATENT ? kind->value_dim
                                                   : cszi_kind_head_dim(kind, hidden);
}

/* Channels of a recurrent mixer, as wide as what it hands to its output projection. */
static inline int64_t cszi_kind_channels(const cszi_layer_kind *kind, int64_t hidden)
{
    if (kind->attention == CSZ_ATTENTION_MAMBA)
        return kind->state_inner;
    if (kind->attention == CSZ_ATTENTION_MAMBA2 || kind->attention == CSZ_ATTENTION_DELTA)
        return kind->state_heads * kind->state_head_dim;
    return kind->attention == CSZ_ATTENTION_LIGHTNING
               ? kind->heads * cszi_kind_head_dim(kind, hidden)
               : cszi_kind_width(kind, hidden);
}

/* Attention over scores, as against recurrent and custom layers. */
static inline int cszi_kind_has_scores(const cszi_layer_kind *kind)
{
    return kind->attention == CSZ_ATTENTION_GROUPED || kind->attention == CSZ_ATTENTION_LATENT;
}

/* Shape and job that contradict themselves: CSZ_ERR_CONFLICT or CSZ_ERR_MISSING with the field and
 * what would do. */
csz_status cszi_workload_check(const cszi_workload *workload, cszi_error *error);

#endif
