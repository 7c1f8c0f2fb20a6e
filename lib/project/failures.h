/* failures.h: how often a run stops, what a stop costs, and what is left of its time. */
#ifndef CSZI_PROJECT_FAILURES_H
#define CSZI_PROJECT_FAILURES_H

#include "base/range.h"
#include "estimate/estimate.h"

/* Expected useful share of wall time: exponential failures at `rate` a second, useful interval i,
 * blocking write w, restart u: i / ((1 / rate + u) (exp(rate (i + w)) - 1)) (Daly 2006, equation
 * 13). */
double cszi_goodput(double rate, double interval, double write, double restart);

/* Daly's optimum interval: sqrt(2 w M) (1 + sqrt(w / 2M) / 3 + w / 18M) - w for w < 2M, else M
 * (Daly 2006, equation 37). */
double cszi_daly_interval(double write, double between_failures);

/* What stops a job, per second, and for how long. */
typedef struct cszi_stops {
    int64_t units;       /* that fail as one and hold the job's accelerators */
    double rate;         /* of unexpected stops */
    double restart;      /* s after one of them */
    double planned_rate; /* of stops that were announced */
    double planned_stop; /* s of one of them: the checkpoint before it and the restart */
    double write;        /* s until a checkpoint is complete */
    double blocked;      /* s for which it stops the run */
    double interval;     /* s of work from one checkpoint to the next */
} cszi_stops;

/* Accelerators of a failure unit. */
int64_t cszi_failure_unit(const cszi_cluster *cluster);
/* Unexpected stops a second of a job on `used` accelerators. Equal where the cluster states the
 * rate of its units and of the job. */
cszi_range cszi_failure_rate(const cszi_cluster *cluster, int64_t used);
/* B/s at which `used` accelerators write a checkpoint. */
double cszi_checkpoint_rate(const cszi_cluster *cluster, int64_t used);
/* Seconds from a failure to useful work, for a checkpoint of so many bytes. */
cszi_range cszi_restart(const cszi_cluster *cluster, int64_t used, double bytes);

/* A job as stops see it. */
typedef struct cszi_job {
    const cszi_cluster *cluster;
    int64_t used;    /* accelerators */
    double step;     /* s */
    double bytes;    /* of a checkpoint */
    double interval; /* s between checkpoints, as stated; 0: the optimum */
} cszi_job;

/* Its stops, at a rate and a restart of the ranges above. */
csz_status cszi_stops_of(const cszi_job *job, double rate, double restart, cszi_stops *stops,
                         cszi_error *error);
/* Share of wall time, without overheads, that stops leave. A checkpoint that is written while the
 * run goes on is of no use until it is complete: a failure loses the time of its write more. */
double cszi_effective_time(const cszi_stops *stops);

/* B/s of training data that a run reads at so many tokens a second, and the time that it waits for
 * them over the time of its steps. */
double cszi_read_rate(const cszi_cluster *cluster, double tokens_per_second);
double cszi_read_stall(const cszi_cluster *cluster, double tokens_per_second);
/* Time beside the steps over theirs: evaluation, logging, loader, stragglers, waiting for data. */
double cszi_overhead(const cszi_cluster *cluster, double tokens_per_second);

/* Fewest spare units that, with spare_confidence, replace all that are under repair: their number
 * is Poisson with mean units x rate of a unit x time of repair (Palm 1938). INT64_MIN (unset) for
 * a mean above 10,000. */
int64_t cszi_spares(const cszi_cluster *cluster, int64_t used);

/* All computation over that of the run. */
double cszi_headroom(const cszi_cluster *cluster);

#endif
