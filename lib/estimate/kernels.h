/* kernels.h: what an accelerator reaches with a software stack, and the time of single kernels and
 * collectives. */
#ifndef CSZI_ESTIMATE_KERNELS_H
#define CSZI_ESTIMATE_KERNELS_H

#include "estimate/estimate.h"

/* Reached rates of one accelerator, calibration included. */
typedef struct cszi_rates {
    double peak;      /* FLOP/s, dense, of the compute format */
    double peak_wide; /* the same of the 16-bit (or wider) one */
    double matrix;    /* FLOP/s of large products in the compute format */
    double wide;      /* FLOP/s in the 16-bit (or wider) format: logits, scores */
    double attention; /* FLOP/s of the attention kernel, forward */
    double attention_back;
    double softmax;     /* dimensions of a head that the exponential of a score is worth */
    double memory;      /* B/s */
    double launch;      /* s */
    double half_size;   /* elements */
    double byte;        /* of an operand in the wide format */
    double operand;     /* of an operand in the compute format */
    int narrow;         /* compute format below 16 bit: operands are converted first */
    double link;        /* B/s inside the scale-up domain */
    double nic;         /* B/s of one accelerator outside it */
    double link_expert; /* the same two for all-to-all */
    double nic_expert;
    double message;     /* s, beside its bytes */
    double latency_in;  /* s of a collective */
    double latency_out; /* s that each domain adds */
    double domain;      /* accelerators in the scale-up domain */
} cszi_rates;

/* Share of the dense peak that products of a number format reach. */
double cszi_family_share(const cszi_family *family, int64_t format);
/* Of such a share, what the part's power and its limit sustain. */
double cszi_sustained(const cszi_cluster *cluster, double share);

void cszi_case_rates(const cszi_case *c, cszi_rates *rates);

/* A trained or frozen weight of k x n met by m tokens, with `copies` of the weight in memory and
 * `per` tokens each (1 and m for a plain matrix): forward, and backward without or with a weight
 * gradient. */
typedef struct cszi_product {
    double m, n, k;
    double copies;
    double per;
    double rate;
    double operand; /* bytes */
    int narrow;
} cszi_product;
double cszi_product_forward(const cszi_rates *r, const cszi_product *p);

/* What an operation does in one forward pass. */
typedef struct cszi_work {
    double flops;
    double bytes;
    double launch; /* s, of the time */
    double time;   /* s */
} cszi_work;
cszi_work cszi_product_work(const cszi_rates *r, const cszi_product *p);

double cszi_product_backward(const cszi_rates *r, const cszi_product *p, int trained);

/* Bandwidth of a group of `size` ranks that lie `stride` apart: the link inside a domain; beyond
 * it, all network ports of the members that share a domain serve the ring. */
double cszi_group_bandwidth(const cszi_rates *r, double stride, double size);
/* Scale-up domains that such a group touches. */
double cszi_group_domains(const cszi_rates *r, double stride, double size);

#endif
