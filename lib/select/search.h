/* search.h: the state of a search over plans, shared by selection and sizing. */
#ifndef CSZI_SELECT_SEARCH_H
#define CSZI_SELECT_SEARCH_H

#include "estimate/layer.h"
#include "select/ranking.h"

typedef struct cszi_search {
    cszi_ranking *ranking;
    const cszi_workload *workload;
    const cszi_goal *goal;
    cszi_cluster cluster; /* with the count under search */
    cszi_case c;
    cszi_batching batching;
    cszi_plan plan; /* the point that the loops stand at */
    cszi_rates rates;
    cszi_layer_time times[CSZI_KINDS];
    double layers_time; /* one micro-batch through all layers */
    double steps;       /* of phase 0 */
    double cutoff;      /* a run longer than this is of no use; 0: none */
    size_t phases;
    int64_t layers;
    int64_t degree; /* data-parallel degree under the loops */
    int runs;       /* the job has tokens: plans are ordered by the time of the run */
    int prepared;   /* times are those of the point */
    int sure;       /* only plans that fit with the goal's confidence are kept */
    double unsure;  /* plans left out for that alone */
    int strict;     /* plans that miss deadline or budget are not kept */
} cszi_search;

csz_status cszi_search_open(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                            const cszi_cluster *cluster, const cszi_goal *goal, cszi_error *error);
/* The best plans at a count, into s->ranking; counts of candidates and rejections add up over
 * calls. */
csz_status cszi_search_count(cszi_search *s, int64_t accelerators, const cszi_progress *progress,
                             cszi_error *error);

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

int cszi_entry_before(const cszi_entry *a, const cszi_entry *b, const cszi_goal *goal);
void cszi_entry_of(const cszi_plan *plan, const cszi_estimate *e, cszi_entry *entry);
void cszi_ranking_insert(cszi_ranking *ranking, const cszi_entry *entry, const cszi_goal *goal);
/* Count and nodes of entry 0. */
void cszi_ranking_head(cszi_ranking *ranking, const cszi_cluster *cluster);

#endif
