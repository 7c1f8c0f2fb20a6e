/* layer_runs.h: layers with equal marks in a row are a run; each combination of marks is a kind, in
 * the order of their first layers. Readers of model files share this walk. */
#ifndef CSZI_WORKLOAD_LAYER_RUNS_H
#define CSZI_WORKLOAD_LAYER_RUNS_H

#include <stdint.h>

typedef struct cszi_layer_runs {
    const unsigned char *marks; /* of each layer */
    int64_t layers;
    int64_t end;   /* of the run, one past its last layer */
    int64_t count; /* layers of the run */
    int run;       /* from 0; -1 before the first */
    int kind;      /* of the run */
    int is_new;    /* no run before was of this kind */
    int kinds;     /* met so far */
    short kind_of[256];
} cszi_layer_runs;

void cszi_layer_runs_begin(cszi_layer_runs *runs, const unsigned char *marks, int64_t layers);
/* 0 after the last run. */
int cszi_layer_runs_next(cszi_layer_runs *runs);

#endif
