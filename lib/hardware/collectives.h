/* collectives.h: measured collectives: outputs of nccl-tests, read, and turned into the bandwidths
 * and latencies of a cluster. */
#ifndef CSZI_HARDWARE_COLLECTIVES_H
#define CSZI_HARDWARE_COLLECTIVES_H

#include "hardware/cluster.h"

#define CSZI_RANKS 16777216 /* of one output */

/* One output, as the sums that a fit of time = latency + size x slope to relative errors needs. */
typedef struct cszi_collective {
    int64_t operation; /* csz_collective */
    int64_t ranks;
    int64_t hosts; /* 0: not told */
    int64_t sizes; /* lines that were used */
    double count;  /* sums over the lines of 1, here, and with t the time and s the size: */
    double t1;     /* 1 / t */
    double s1;     /* s / t */
    double t2;     /* 1 / t^2 */
    double st;     /* s / t^2 */
    double s2;     /* s^2 / t^2 */
    double least;  /* B, sizes that were used */
    double most;
    double fastest; /* B/s: largest s / t */
    double residual;
    int64_t domains; /* of a cluster, once it is fitted */
    double local;    /* ranks in each */
} cszi_collective;

/* Called with each output of a text; an error of it ends the reading. */
typedef csz_status (*cszi_collective_fn)(void *user, const cszi_collective *collective,
                                         cszi_error *error);

/* Reads what all_reduce_perf, all_gather_perf, reduce_scatter_perf and alltoall_perf print, one or
 * several after another, out of place (nccl-tests, common.cu). operation 0: as the text says; ranks
 * 0: its lines of ranks. Output without a line of figures, with wrong values or cut lines is
 * refused. */
csz_status cszi_nccl_read(const char *text, size_t length, csz_collective operation, int64_t ranks,
                          cszi_collective_fn take, void *user, cszi_error *error);

/* Sets the measured fields of a cluster; residuals and domains of the collectives are filled in.
 * CSZ_ERR_RANGE when a time is below what the printed rates allow. Changes the cluster also when it
 * fails: the caller works on a copy. */
csz_status cszi_cluster_take_collectives(cszi_cluster *cluster, cszi_collective *collectives,
                                         size_t count, cszi_error *error);

/* "all_reduce"; "?" for a value that is none. */
const char *cszi_collective_name(int64_t operation);

/* Times the size that passes the busiest link, of n ranks (nccl-tests PERFORMANCE.md). */
double cszi_collective_factor(int64_t operation, double n);

#endif
