/* range.h: a figure with its 80% band. */
#ifndef CSZI_BASE_RANGE_H
#define CSZI_BASE_RANGE_H

typedef struct cszi_range {
    double low;
    double likely;
    double high;
} cszi_range;

#endif
