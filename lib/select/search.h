/* search.h: the state of a search over plans, shared by selection and sizing. */
#ifndef CSZI_SELECT_SEARCH_H
#define CSZI_SELECT_SEARCH_H

#include "estimate/layer.h"
#include "estimate/memory.h"
#include "estimate/step.h"
#include "select/ranking.h"

#define CSZI_DIVISORS 512 /* of a count of at most 2^24 */
#define CSZI_ROOTS 4096   /* sorted at once */
#define CSZI_CLASSES 4096 /* expert degrees, by tensor degree */
#define CSZI_CLASSES_OF_ROOT 1024
#define CSZI_LISTS_OF_EXPERTS 64
#define CSZI_SHAPES 256         /* pipelines under one class, sorted at once */
#define CSZI_RECOMPUTATIONS 128 /* sets of modules with none, selective, operations; full */
#define CSZI_STATES 3072        /* shardings, groups and offloads of one shape */
#define CSZI_COUNTED 1024       /* a power of two: 10 bits of a hash */

/* Modules that can be computed again by themselves, as bits. */
#define CSZI_MODULES 5
#define CSZI_AGAIN_NORM 1u
#define CSZI_AGAIN_ACTIVATION 2u
#define CSZI_AGAIN_LATENT 4u
#define CSZI_AGAIN_MLP 8u
#define CSZI_AGAIN_EXPERTS 16u

/* Degrees that a layer's time depends on, without those of experts. */
typedef struct cszi_root {
    double least; /* s: no step takes less */
    int32_t t, c, b;
    int32_t list; /* of expert degrees */
} cszi_root;

/* Expert degrees under a root. */
typedef struct cszi_class {
    double least;
    int32_t e, etp;
} cszi_class;

/* Classes of one tensor degree. */
typedef struct cszi_experts {
    int32_t t;
    int32_t whole; /* sequence_parallel is switched off where it is on by default */
    size_t first, count;
} cszi_experts;

/* A pipeline under a class. */
typedef struct cszi_shape {
    double least;
    int32_t p, v;
    int32_t schedule;
    int32_t head; /* the embedding counts as a layer */
} cszi_shape;

typedef struct cszi_recomputation {
    int64_t recompute;
    int64_t layers;   /* of full; 0: all */
    unsigned modules; /* bits */
} cszi_recomputation;

/* Sharding, its group (0: all ranks) and the share of offloaded states. */
typedef struct cszi_state {
    int64_t sharding, group;
    double offload;
    double standing; /* B; of the shape */
} cszi_state;

/* Plans under a root for one pipeline degree. */
typedef struct cszi_counted {
    int64_t p, m, ranks;
    double uses;
    double valid;
    double both;                  /* shapes in both directions */
    float rejected[CSZI_REASONS]; /* shapes by reason */
} cszi_counted;

/* What bounds need of a class: s and B of a layer by kind, and of what is computed again. */
typedef struct cszi_layer_bound {
    double device, total; /* nothing computed again */
    double expert;        /* traffic of experts in device */
    double backward;
    double weights;                                /* half of the backward products */
    double again[CSZI_MODULES + 1], whole, sparse; /* modules, attention core; full; operations */
    double kept, drop[CSZI_MODULES + 1], input, partly; /* B, in the same order */
} cszi_layer_bound;

typedef struct cszi_search {
    cszi_ranking *ranking;
    const cszi_workload *workload;
    const cszi_goal *goal;
    cszi_cluster cluster; /* with the count under search */
    cszi_case c;
    cszi_case at; /* of the bounds */
    cszi_batching batching;
    cszi_plan plan; /* the point that the loops stand at */
    cszi_rates rates;
    double steps;  /* of phase 0 */
    double cutoff; /* a run longer than this is of no use; 0: none */
    size_t phases;
    int64_t layers;
    int runs;      /* the job has tokens: plans are ordered by the time of the run */
    int sure;      /* only plans that fit with the goal's confidence are kept */
    double unsure; /* plans left out for that alone */
    int strict;    /* plans that miss deadline or budget are not kept */
    double within; /* s of a step: all plans up to it are equally fast; 0: strict order */
    int counting;  /* plans are counted, not searched */

    /* The space. */
    int64_t divisors[CSZI_DIVISORS];
    size_t divisor_count;
    cszi_recomputation again[CSZI_RECOMPUTATIONS];
    size_t again_count;
    double per_pipeline;     /* recomputations but those of a number of layers */
    int missing_module;      /* the goal wants one that the model lacks */
    unsigned lowest_modules; /* those that the goal wants */
    int whole_is_set;        /* the goal says sequence_parallel */
    cszi_class experts[CSZI_CLASSES];
    size_t expert_count;
    cszi_experts lists[CSZI_LISTS_OF_EXPERTS]; /* by tensor degree */
    size_t list_count;
    float classes[CSZI_DIVISORS]; /* of the last list, by pipeline degree */
    cszi_counted counted[CSZI_COUNTED];

    /* Bounds. */
    cszi_root roots[CSZI_ROOTS];
    size_t root_count;
    cszi_layer_kind bare[CSZI_KINDS]; /* without experts */
    double expert_flops[CSZI_KINDS];  /* of a token in all passes, at no less than one */
    double kind_layers[CSZI_KINDS];   /* of the model, prediction layers too */
    cszi_layout base;                 /* of a root */
    cszi_layer_bound bound[CSZI_KINDS];
    int modules_bound;    /* the bounds of what is computed again are there */
    int64_t hop_p, hop_v; /* pipeline of the last hop */
    double hop;
    double ends; /* s of embedding and output layer */
    double straggle;
    double limits[6][2]; /* B that may be allocated, by groups of ranks: to fit, surely; 0: unknown
                          */
    cszi_shape shapes[CSZI_SHAPES];
    cszi_state states[CSZI_STATES];
    size_t state_count;
    cszi_layer_time times[CSZI_KINDS];
    cszi_class queue[CSZI_CLASSES_OF_ROOT];
    cszi_step step;
    cszi_estimate scratch;
    double memory_rejected;
    double valid; /* plans of this count */
    double candidates_before;
    size_t ranged[CSZI_GOAL_LIMITS]; /* fields outside the space that the goal gives a range */
    size_t ranged_count;
} cszi_search;

csz_status cszi_search_open(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                            const cszi_cluster *cluster, const cszi_goal *goal, cszi_error *error);
/* The best plans at a count, into s->ranking; counts of candidates and rejections add up over
 * calls. */
csz_status cszi_search_count(cszi_search *s, int64_t accelerators, const cszi_progress *progress,
                             cszi_error *error);

/* After it: plans that another goal leaves at the same count. */
double cszi_search_valid(cszi_search *s, const cszi_goal *goal);

/* One accelerator at the full reached rate: the phase-0 FLOPs of the run. */
double cszi_least_seconds(const cszi_search *s);

/* All valid plans for the cluster's count. CSZ_OK with 0 entries when there is none. s is room to
 * work in. */
csz_status cszi_select(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                       const cszi_cluster *cluster, const cszi_goal *goal,
                       const cszi_progress *progress, cszi_error *error);

/* The least count in whole nodes that meets the goal, then the trade around it. */
csz_status cszi_size(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                     const cszi_cluster *cluster, const cszi_goal *goal,
                     const cszi_progress *progress, cszi_error *error);

/* The most that the goal allows; without a network rate the job stays inside one scale-up domain.
 */
int64_t cszi_most_accelerators(const cszi_cluster *cluster, const cszi_goal *goal);

/* Which of two plans that count as equally fast comes first. */
int cszi_entry_preferred(const cszi_entry *a, const cszi_entry *b);
void cszi_entry_of(const cszi_plan *plan, const cszi_estimate *e, cszi_entry *entry);
void cszi_ranking_insert(cszi_ranking *ranking, const cszi_entry *entry, const cszi_goal *goal);
/* Count and nodes of entry 0. */
void cszi_ranking_head(cszi_ranking *ranking, const cszi_cluster *cluster);

/* ---- The space (space.c) ---- */

/* Values that do not depend on the count; then those that do. */
void cszi_space_open(cszi_search *s);
void cszi_space_count(cszi_search *s);
int cszi_space_allows(const cszi_search *s, csz_field field, int64_t value);
void cszi_space_reject(cszi_search *s, csz_reason reason, double plans);
/* Sets a pipeline in the search's plan. */
void cszi_space_shape(cszi_search *s, const cszi_shape *shape);
void cszi_space_recompute(cszi_search *s, const cszi_recomputation *again);
void cszi_space_state(cszi_search *s, const cszi_state *state);
/* Pipelines of p stages and m micro-batches: their number, and up to `room` of them behind the
 * first `skip`; reasons of the others. */
size_t cszi_space_shapes(cszi_search *s, int64_t p, int64_t m, cszi_shape *shapes, size_t skip,
                         size_t room, cszi_counted *counted);
/* Shardings over `ranks`, which hold the same dense parameters. */
size_t cszi_space_states(const cszi_search *s, int64_t p, int64_t m, int64_t schedule,
                         int64_t ranks, cszi_state *states);
/* Numbers of layers that full recomputation covers, beside all: the most and the least. */
int64_t cszi_space_covered(const cszi_search *s, int64_t p);
int64_t cszi_space_least_covered(const cszi_search *s);
/* Plans of p stages, for each class of experts. */
double cszi_space_counted(cszi_search *s, int64_t p, int64_t m, int64_t ranks);
/* Rejections of all that was counted. */
void cszi_space_close(cszi_search *s);

/* ---- Roots (roots.c) ---- */

/* All of a count, then those that may hold the best plans. */
csz_status cszi_roots_search(cszi_search *s, const cszi_progress *progress, cszi_error *error);

/* ---- Under a root (branch.c) ---- */

/* Step times up to this can still enter the list. */
double cszi_branch_most_time(const cszi_search *s);
/* The root that is laid out, with its expert degrees. */
void cszi_branch_root(cszi_search *s, const cszi_experts *list);

/* ---- Bounds (bound.c) ---- */

void cszi_bound_open(cszi_search *s);
/* Of the layout in s->base: no step under it takes less. */
double cszi_bound_root(cszi_search *s);
/* The same with experts; prepares the bounds of shapes. */
double cszi_bound_class(cszi_search *s);
double cszi_bound_shape(cszi_search *s, const cszi_shape *shape, const cszi_recomputation *again);
/* Activations of one micro-batch on a stage of so many layers a kind, at least. */
double cszi_bound_kept(cszi_search *s, const cszi_tenant *stage, const cszi_recomputation *again);
/* Bytes that may be allocated under the case's layout: [0] so that it may fit, [1] so that it fits
 * with the goal's confidence. */
const double *cszi_bound_memory(cszi_search *s);

#endif
