/* curve.h: the best plan at each of a ladder of counts. */
#ifndef CSZI_SELECT_CURVE_H
#define CSZI_SELECT_CURVE_H

#include "select/search.h"

#define CSZI_RUNGS 48 /* 1 to 2^23 and half as many again */

/* Entries by ascending count: 1, 2, 3, 4, 6, 8, 12, ... nodes between the goal's least and most
 * count, in whole pods above a stated pod; counts without a plan that fits are left out. Deadline
 * and budget are not looked at. */
csz_status cszi_sizing_curve(cszi_search *s, cszi_ranking *ranking, const cszi_workload *workload,
                             const cszi_cluster *cluster, const cszi_goal *goal,
                             const cszi_progress *progress, cszi_error *error);

#endif
