/* nccl_text.h: outputs in the form of nccl-tests, with times by a rule that the test knows. */
#ifndef TESTS_UNIT_NCCL_TEXT_H
#define TESTS_UNIT_NCCL_TEXT_H

#include <stdio.h>
#include <string.h>

#define NCCL_TEXT 65536

typedef struct nccl {
    const char *test; /* "all_reduce_perf"; NULL: the text does not say */
    int hosts;        /* 8 ranks each */
    int old;          /* columns of versions before 2.11: no root, "error" */
    double factor;    /* busbw / algbw */
    double latency;   /* s */
    double slope;     /* s a byte of size */
    double least;     /* first size; each further one is 4 times as large */
    int sizes;
} nccl;

static inline void nccl_add(char *text, const char *more)
{
    size_t n = strlen(text);
    snprintf(text + n, NCCL_TEXT - n, "%s", more);
}

/* A number that printf has written, whatever the locale. */
static inline char *with_points(char *number)
{
    for (char *p = number; *p != '\0'; p++)
        if (*p == ',')
            *p = '.';
    return number;
}

static inline void nccl_header(char *text, const nccl *x)
{
    char line[256];
    if (x->test != NULL) {
        snprintf(line, sizeof line, "# Collective test starting: %s\n", x->test);
        nccl_add(text, line);
    }
    nccl_add(text, "# nThread 1 nGpus 1 minBytes 1024 maxBytes 17179869184 step: 4(factor)\n#\n"
                   "# Using devices\n");
    for (int rank = 0; rank < 8 * x->hosts; rank++) {
        snprintf(
            line, sizeof line,
            "#  Rank %2d Group  0 Pid %6d on   node%02d device %2d [0x%02x] NVIDIA H100 80GB\n",
            rank, 70000 + rank, rank / 8, rank % 8, 16 * (rank % 8));
        nccl_add(text, line);
    }
    nccl_add(text, "#\n#                        out-of-place              in-place\n");
    nccl_add(text, x->old
                       ? "#    size   count  type  redop   time  algbw  busbw  error   time  algbw"
                         "  busbw  error\n#     (B)  (elements)  (us)  (GB/s) (GB/s)\n"
                       : "#    size   count  type  redop  root   time  algbw  busbw #wrong   time"
                         "  algbw  busbw #wrong\n#     (B)  (elements)  (us)  (GB/s) (GB/s)\n");
}

/* Times are printed with six digits, so that a fit can be held to them. */
static inline void nccl_text(char *text, const nccl *x)
{
    double size = x->least;
    nccl_header(text, x);
    for (int i = 0; i < x->sizes; i++, size *= 4) {
        double us = 1e6 * (x->latency + x->slope * size), rate = size / us / 1e3;
        char line[256];
        snprintf(line, sizeof line,
                 x->old ? "%12.0f %8.0f float sum %.6g %.2f %.2f 4e-07 1.0 1.0 1.0 4e-07\n"
                        : "%12.0f %8.0f float sum -1 %.6g %.2f %.2f 0 1.0 1.0 1.0 N/A\n",
                 size, size / 4, us, rate, rate * x->factor);
        nccl_add(text, with_points(line));
    }
    nccl_add(text, "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 171.93\n#\n");
}

#endif
