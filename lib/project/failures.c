/* failures.c: rates from the facts or the cluster, restarts, checkpoints, spares. */
#include "project/failures.h"

#include <math.h>

#include "facts/facts.h"

#define DAY 86400.0
#define MOST_UNDER_REPAIR 1e4 /* beyond it nothing runs */

double cszi_goodput(double rate, double interval, double write, double restart)
{
    if (rate <= 0)
        return interval / (interval + write);
    return interval / ((1 / rate + restart) * expm1(rate * (interval + write)));
}

double cszi_daly_interval(double write, double between_failures)
{
    double w = write, m = between_failures;
    if (w >= 2 * m)
        return m;
    return sqrt(2 * w * m) * (1 + sqrt(w / (2 * m)) / 3 + w / (18 * m)) - w;
}

static double fact(const char *id)
{
    return cszi_operation_find(id)->value;
}

/* ---- Rates ---- */

static double in_node(const cszi_cluster *cluster)
{
    return cluster->accelerators_per_node > 0 ? (double)cluster->accelerators_per_node : 1;
}

static double nodes_of(const cszi_cluster *cluster, int64_t used)
{
    return ceil((double)used / in_node(cluster));
}

static double in_domain(const cszi_cluster *cluster)
{
    double all = (double)cluster->domain_accelerators, used = (double)cluster->scale_up_domain;
    return fmax(fmax(all, used), 1);
}

int64_t cszi_failure_unit(const cszi_cluster *cluster)
{
    switch ((csz_failure_unit)cluster->failure_unit) {
    case CSZ_FAILURE_UNIT_TRAY:
        return (int64_t)fact("default-tray");
    case CSZ_FAILURE_UNIT_RACK:
        return (int64_t)in_domain(cluster);
    case CSZ_FAILURE_UNIT_CUBE:
        return (int64_t)fact("default-cube");
    case CSZ_FAILURE_UNIT_NODE:
    case CSZ_FAILURE_UNIT_MAX_ENUM:
        break;
    }
    return (int64_t)in_node(cluster);
}

static int64_t units_of(const cszi_cluster *cluster, int64_t used)
{
    int64_t each = cszi_failure_unit(cluster);
    return (used + each - 1) / each;
}

/* Failures a day of one unit: as stated, or of its accelerators as published runs had them. The
 * source of the low and the high rate counts a thousand days of nodes. */
static cszi_range unit_rate(const cszi_cluster *cluster)
{
    double stated = cluster->failures_per_node_day, factor = cluster->early_life_factor;
    double share = (double)cszi_failure_unit(cluster) / fact("default-failure-node");
    if (stated > 0)
        return (cszi_range){stated * factor, stated * factor, stated * factor};
    share *= factor;
    return (cszi_range){
        cszi_reliability_find("meta-rsc2-failures-per-1000-node-days")->value / 1000 * share,
        cszi_reliability_find("llama3-405b-failures-per-node-day")->value * share,
        cszi_reliability_find("meta-rsc1-failures-per-1000-node-days")->value / 1000 * share};
}

cszi_range cszi_failure_rate(const cszi_cluster *cluster, int64_t used)
{
    cszi_range unit = unit_rate(cluster);
    double units = (double)units_of(cluster, used), most, job;
    job = cluster->failures_per_job_day +
          nodes_of(cluster, used) * cluster->spot_interruptions_per_node_day;
    most = job;
    if (!cszi_cluster_has(cluster, CSZ_CLUSTER_FAILURES_PER_JOB_DAY) &&
        cluster->failures_per_node_day <= 0)
        most += fact("default-failures-per-job-day");
    return (cszi_range){(units * unit.low + job) / DAY, (units * unit.likely + job) / DAY,
                        (units * unit.high + most) / DAY};
}

int64_t cszi_spares(const cszi_cluster *cluster, int64_t used)
{
    double repair = cszi_cluster_has(cluster, CSZ_CLUSTER_REPAIR_TIME)
                        ? cluster->repair_time
                        : fact("default-repair-time");
    double mean = (double)units_of(cluster, used) * unit_rate(cluster).likely * repair / DAY;
    double log_term = -mean, sum = exp(-mean);
    int64_t k = 0;
    if (mean > MOST_UNDER_REPAIR)
        return INT64_MIN;
    while (sum < cluster->spare_confidence) {
        k++;
        log_term += log(mean / (double)k);
        sum += exp(log_term);
    }
    return k;
}

/* ---- Restarts and checkpoints ---- */

double cszi_checkpoint_rate(const cszi_cluster *cluster, int64_t used)
{
    double node = cluster->node_storage_bandwidth, all = cluster->storage_bandwidth;
    if (node <= 0 && all > 0)
        return all;
    node = nodes_of(cluster, used) * (node > 0 ? node : fact("default-storage-bandwidth"));
    return all > 0 ? fmin(node, all) : node;
}

static int has_restart_parts(const cszi_cluster *cluster)
{
    return cszi_cluster_has(cluster, CSZ_CLUSTER_DETECTION_TIME) ||
           cszi_cluster_has(cluster, CSZ_CLUSTER_SCHEDULING_TIME) ||
           cszi_cluster_has(cluster, CSZ_CLUSTER_START_TIME) ||
           cszi_cluster_has(cluster, CSZ_CLUSTER_WARM_UP_TIME);
}

static double sum_of_parts(const cszi_cluster *cluster, int64_t used, double bytes)
{
    double read =
        cluster->read_bandwidth > 0 ? cluster->read_bandwidth : cszi_checkpoint_rate(cluster, used);
    return cluster->detection_time + cluster->scheduling_time + cluster->start_time + bytes / read +
           cluster->warm_up_time;
}

cszi_range cszi_restart(const cszi_cluster *cluster, int64_t used, double bytes)
{
    const cszi_operation *usual = cszi_operation_find("default-restart-time");
    double time = cluster->restart_time;
    if (has_restart_parts(cluster))
        time = sum_of_parts(cluster, used, bytes);
    else if (!cszi_cluster_has(cluster, CSZ_CLUSTER_RESTART_TIME))
        return (cszi_range){usual->low, usual->value, usual->high};
    return (cszi_range){time, time, time};
}

static csz_status check_restart(const cszi_cluster *cluster, cszi_error *error)
{
    if (!cszi_cluster_has(cluster, CSZ_CLUSTER_RESTART_TIME) || !has_restart_parts(cluster))
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_CLUSTER_RESTART_TIME,
                     "restart_time: %g s and its parts (detection_time, scheduling_time, "
                     "start_time, warm_up_time) are both set",
                     cluster->restart_time);
}

/* The optimum for what a checkpoint costs the run; never shorter than a step, or than the write of
 * the checkpoint before. */
static csz_status put_interval(const cszi_job *job, cszi_stops *s, cszi_error *error)
{
    double least = job->cluster->checkpoint_asynchronous ? s->write : 0;
    s->interval = job->interval;
    if (s->interval <= 0)
        s->interval = fmax(fmax(job->step, least), cszi_daly_interval(s->blocked, 1 / s->rate));
    if (s->interval >= least)
        return CSZ_OK;
    return cszi_fail(error, CSZ_ERR_CONFLICT, CSZ_WORKLOAD_CHECKPOINT_INTERVAL,
                     "checkpoint_interval: %g s is below the %g s that a checkpoint is written in",
                     s->interval, least);
}

csz_status cszi_stops_of(const cszi_job *job, double rate, double restart, cszi_stops *s,
                         cszi_error *error)
{
    const cszi_cluster *cluster = job->cluster;
    int64_t used = job->used;
    double bytes = job->bytes;
    csz_status status = check_restart(cluster, error);
    if (status != CSZ_OK)
        return status;
    s->units = units_of(cluster, used);
    s->rate = rate;
    s->restart = restart;
    s->write = bytes / cszi_checkpoint_rate(cluster, used);
    s->blocked = s->write;
    if (cluster->checkpoint_asynchronous)
        s->blocked = fmin(s->write, bytes / ((double)used * cszi_cluster_host_link(cluster)));
    s->planned_rate = cluster->planned_stops_per_day / DAY;
    s->planned_stop = s->write + fmax(0, restart - cluster->detection_time);
    return put_interval(job, s, error);
}

double cszi_effective_time(const cszi_stops *s)
{
    double behind = s->write - s->blocked;
    return cszi_goodput(s->rate, s->interval, s->blocked, s->restart + behind) /
           (1 + s->planned_rate * s->planned_stop);
}

/* ---- Beside the steps ---- */

double cszi_read_rate(const cszi_cluster *cluster, double tokens_per_second)
{
    return tokens_per_second * cluster->bytes_per_token;
}

double cszi_read_stall(const cszi_cluster *cluster, double tokens_per_second)
{
    double needed = cszi_read_rate(cluster, tokens_per_second);
    return cluster->read_bandwidth > 0 ? fmax(0, needed / cluster->read_bandwidth - 1) : 0;
}

double cszi_overhead(const cszi_cluster *cluster, double tokens_per_second)
{
    return cluster->evaluation_share + cluster->logging_share + cluster->loader_share +
           cluster->straggler_share + cszi_read_stall(cluster, tokens_per_second);
}

double cszi_headroom(const cszi_cluster *cluster)
{
    if (cszi_cluster_has(cluster, CSZ_CLUSTER_HEADROOM_FACTOR))
        return cluster->headroom_factor;
    switch ((csz_headroom)cluster->headroom) {
    case CSZ_HEADROOM_PRODUCTION:
        return fact("headroom-production");
    case CSZ_HEADROOM_RESEARCH:
        return fact("headroom-research");
    case CSZ_HEADROOM_NONE:
    case CSZ_HEADROOM_MAX_ENUM:
        break;
    }
    return 1;
}
