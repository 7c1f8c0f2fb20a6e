/* spread.h: the range of a figure that follows from several uncertain ones. */
#ifndef CSZI_PROJECT_SPREAD_H
#define CSZI_PROJECT_SPREAD_H

#include <stddef.h>

#include "base/range.h"

#define CSZI_SPREAD_INPUTS 4
#define CSZI_SPREAD_ROOM 625 /* five strata of each */

/* Low and high of figure(model, inputs) when the inputs are independent, each a log-normal of two
 * halves through its low (10%), likely (50%) and high (90%) value. Each stands at the midpoints of
 * five equally probable strata (10, 30, 50, 70, 90%), all combinations are computed, and the 10%
 * and 90% quantiles of their sorted results are interpolated (midpoint rule over strata, McKay,
 * Beckman and Conover 1979, in full factorial form: no random number). Likely is that of the likely
 * inputs. One uncertain input alone gives its own ends
 * back; three of one width come out 8% narrower than their sum is. At most CSZI_SPREAD_INPUTS;
 * inputs are positive, or equal at all three. room is to work in. */
cszi_range cszi_spread(const cszi_range *inputs, size_t count,
                       double (*figure)(const void *model, const double *inputs), const void *model,
                       double room[CSZI_SPREAD_ROOM]);

#endif
