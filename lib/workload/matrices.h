/* matrices.h: the weight matrices of one layer kind. Parameters, FLOPs, kernel times and adapters
 * all follow from this one list. */
#ifndef CSZI_WORKLOAD_MATRICES_H
#define CSZI_WORKLOAD_MATRICES_H

#include "workload/workload.h"

#define CSZI_MATRICES 16

/* How tensor parallelism cuts a matrix of (in x out). */
typedef enum cszi_split {
    CSZI_SPLIT_NONE,   /* every rank holds it and computes its share of the tokens */
    CSZI_SPLIT_COLUMN, /* out is cut */
    CSZI_SPLIT_ROW     /* in is cut */
} cszi_split;

typedef enum cszi_part {
    CSZI_PART_ATTENTION,
    CSZI_PART_MLP, /* dense MLP and shared experts */
    CSZI_PART_ROUTER,
    CSZI_PART_EXPERT
} cszi_part;

typedef struct cszi_matrix {
    cszi_part part;
    cszi_split split;
    int64_t in;
    int64_t out;
    int64_t bias;    /* values, of one copy */
    int64_t copies;  /* 1, or the routed experts */
    int64_t active;  /* copies that one token meets */
    int64_t adapted; /* values that adapters of queries and values write */
    int cross;       /* meets the tokens of the other side: keys and values of cross-attention */
} cszi_matrix;

/* Writes the list and returns its length. */
size_t cszi_kind_matrices(const cszi_layer_kind *kind, int64_t hidden,
                          cszi_matrix matrices[CSZI_MATRICES]);

#endif
