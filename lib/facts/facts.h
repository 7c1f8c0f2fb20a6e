/* facts.h: the shapes of the built-in tables about the world. Rows stand in the .inc files beside this header,
 * each with its source and date. In a row a field that is not named is 0 or NULL: unknown, never zero. */
#ifndef CSZI_FACTS_FACTS_H
#define CSZI_FACTS_FACTS_H

#include <stddef.h>

/* A published model: its shape in the text form of workload fields, so that a preset, an overlay entry and a user's
 * own settings go through one reader. */
typedef struct cszi_model {
    const char *id;
    const char *family;
    double published;         /* year */
    double parameters;        /* published integer of the unique parameters; unset where none was found */
    const char *architecture; /* "hidden=8192 vocab=128256 layers=80 heads=64 ..." */
    const char *source;       /* of the shape and of the count */
    const char *date;
    const char *confidence;   /* high: sourced shape and exact count; medium; low */
} cszi_model;

typedef struct cszi_accelerator {
    const char *id;
    const char *name;
    const char *vendor;
    const char *family;      /* row of the efficiency table */
    double memory;           /* B, as the driver reports it */
    double memory_label;     /* B, as sold (GB = 1e9 B) */
    double memory_bandwidth; /* B/s */
    double peak_fp32;        /* FLOP/s, vector units */
    double peak_tf32;        /* FLOP/s, dense matrix units, here and below */
    double peak_bf16;
    double peak_fp16;
    double peak_fp8;
    double peak_fp4;
    double link_bandwidth;   /* B/s, scale-up, one way, all links */
    double scale_up_domain;
    double power;            /* W */
    const char *default_node; /* id of the usual node */
    const char *doubt;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_accelerator;

typedef struct cszi_node {
    const char *id;
    const char *name;
    const char *provider;
    const char *accelerator;   /* id */
    double accelerators;       /* in the node */
    double scale_up_domain;
    double scale_out_bandwidth; /* B/s of one accelerator, one way */
    double power;              /* W, maximum */
    const char *fabric;        /* id of a fabric, or NULL */
    const char *doubt;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_node;

typedef struct cszi_fabric {
    const char *id;
    const char *name;
    double bandwidth; /* B/s of one port, one way: the scale-out rate of an accelerator with a port of its own */
    const char *source;
    const char *date;
    const char *confidence;
} cszi_fabric;

typedef struct cszi_offer {
    const char *id;
    const char *accelerator; /* id */
    const char *provider;
    const char *instance;
    const char *region;
    const char *term;        /* on-demand, spot, reserved-1y, reserved-3y */
    double price;            /* USD of one accelerator for an hour */
    double low;              /* of the quotes behind a summary */
    double high;
    const char *source;
    const char *date;
    const char *confidence;
} cszi_offer;

extern const cszi_model cszi_models[];
extern const size_t cszi_models_count;
extern const cszi_accelerator cszi_accelerators[];
extern const size_t cszi_accelerators_count;
extern const cszi_node cszi_nodes[];
extern const size_t cszi_nodes_count;
extern const cszi_fabric cszi_fabrics[];
extern const size_t cszi_fabrics_count;
extern const cszi_offer cszi_offers[];
extern const size_t cszi_offers_count;

#define CSZI_FACTS_DATE "2026-08" /* newest source in the tables */

#endif
