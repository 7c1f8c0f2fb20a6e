/* ranking.h: plans for a cluster, best first, and why the others are not among them; sizing;
 * advice. */
#ifndef CSZI_SELECT_RANKING_H
#define CSZI_SELECT_RANKING_H

#include "base/alloc.h"
#include "estimate/estimate.h"
#include "select/goal.h"

#define CSZI_REASONS 40 /* above the last csz_reason */

/* One plan with what orders it. */
typedef struct cszi_entry {
    cszi_plan plan;
    int64_t accelerators;
    double time; /* of the run, or of a step when the job has no tokens */
    double cost; /* 0: no price */
    double fit_probability;
    int64_t fit;
    double band;  /* high over low of its step time */
    double least; /* s of a step that decides its place: of its own, or of a run over its steps */
} cszi_entry;

typedef struct cszi_ranking {
    cszi_entry *entries; /* room for `room`, owned by the caller */
    size_t room;
    size_t count;
    int tolerant;                  /* entries count as equally fast */
    double rejected[CSZI_REASONS]; /* plans by reason */
    double candidates;
    double valid;
    double fitting;
    double evaluated;
    int64_t nodes; /* of entry 0 */
    int64_t accelerators;
} cszi_ranking;

extern const cszi_table cszi_ranking_table;

/* Called with the share done; non-zero cancels. */
typedef struct cszi_progress {
    int (*fn)(void *user, double done);
    void *user;
} cszi_progress;

/* Ready to count; without an answer. */
void cszi_ranking_clear(cszi_ranking *ranking);
void cszi_ranking_unset(cszi_ranking *ranking);

/* Plans one change away. */
csz_status cszi_advise(cszi_ranking *ranking, const cszi_workload *workload,
                       const cszi_cluster *cluster, const cszi_plan *plan, cszi_error *error);

#endif
