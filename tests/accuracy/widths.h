/* widths.h: a model given by its widths. */
#ifndef TESTS_ACCURACY_WIDTHS_H
#define TESTS_ACCURACY_WIDTHS_H

#include "question.h"

/* Ranks and head sizes of latent attention. */
typedef struct latent {
    int query, kv, nope, rope, value;
} latent;

typedef struct widths {
    int64_t layers, hidden, ffn, heads, kv_heads, head_dim, vocab;
    int64_t experts, topk, expert_ffn, shared_ffn, dense_layers;
    int gated, tied, biases;
    const latent *latent; /* NULL: grouped queries */
    const char *others;   /* norm, positions, dropout */
} widths;

/* From the columns of a row; 0 where one is empty. */
void widths_read(widths *w, row r);
/* Sets the workload; skip when it is refused. */
void widths_apply(const widths *w, question *q);

#endif
