/* hugging_face_types.h: what the files of the config.json reader share: the tables of model types
 * and the reader. */
#ifndef CSZI_WORKLOAD_HUGGING_FACE_TYPES_H
#define CSZI_WORKLOAD_HUGGING_FACE_TYPES_H

#include "workload/workload.h"

#define CSZI_HF_LAYERS                                                                             \
    1024 /* most layers of a config.json; at most CSZI_RUNS, so that every pattern has room */

/* What a key gives. The order matters: each group is set together. */
typedef enum cszi_hf_slot {
    /* of the model */
    CSZI_HF_HIDDEN,
    CSZI_HF_VOCAB,
    CSZI_HF_POSITIONS,
    CSZI_HF_TIED,
    CSZI_HF_NORM,
    CSZI_HF_HEAD_BIAS,
    CSZI_HF_EMBEDDING_NORM,
    CSZI_HF_PREDICTION,
    CSZI_HF_DROPOUT,
    /* of every layer */
    CSZI_HF_ATTENTION,
    CSZI_HF_HEADS,
    CSZI_HF_KV_HEADS,
    CSZI_HF_HEAD_DIM,
    CSZI_HF_QUERY_RANK,
    CSZI_HF_KV_RANK,
    CSZI_HF_NOPE_DIM,
    CSZI_HF_ROPE_DIM,
    CSZI_HF_VALUE_DIM,
    CSZI_HF_QKV_BIAS,
    CSZI_HF_ATTENTION_BIAS,
    CSZI_HF_QK_NORM,
    CSZI_HF_SINKS,
    CSZI_HF_GATED,
    CSZI_HF_NORMS,
    /* of layers with a window */
    CSZI_HF_WINDOW,
    /* of dense layers */
    CSZI_HF_FFN,
    CSZI_HF_MLP_BIAS,
    /* of layers with experts */
    CSZI_HF_EXPERTS,
    CSZI_HF_TOPK,
    CSZI_HF_EXPERT_FFN,
    CSZI_HF_SHARED_FFN,
    CSZI_HF_SHARED_GATE,
    CSZI_HF_ROUTER_BIAS,
    CSZI_HF_EXPERT_BIAS,
    CSZI_HF_GROUPS,
    /* no fields: the layers' number and pattern */
    CSZI_HF_LAYERS_SLOT,
    CSZI_HF_MOE_FROM,       /* layers before are dense */
    CSZI_HF_MOE_FREQ,       /* of layers 0, n, 2n: experts */
    CSZI_HF_MOE_STEP,       /* of layers n-1, 2n-1: experts */
    CSZI_HF_WINDOW_ON,      /* 0: no layer has a window */
    CSZI_HF_WINDOW_FROM,    /* layers before have none */
    CSZI_HF_WINDOW_PATTERN, /* every n-th layer has none */
    CSZI_HF_CHUNKED,        /* layers without rotary positions have none (Llama 4) */
    /* no fields: read by the derivations of a type */
    CSZI_HF_SHARED_EXPERTS,
    CSZI_HF_QK_NORM_HEAD,
    CSZI_HF_QK_NORM_FULL,
    CSZI_HF_GROUP_COUNT,
    CSZI_HF_MULTI_QUERY,
    CSZI_HF_NEW_DECODER,
    CSZI_HF_PARALLEL,
    CSZI_HF_NORM_COUNT,
    CSZI_HF_NO_BIAS,
    CSZI_HF_ALIBI,
    CSZI_HF_EXPANSION,
    CSZI_HF_PROJECTION,
    CSZI_HF_SWITCH, /* a flag whose only understood value stands in the table */
    CSZI_HF_SLOTS
} cszi_hf_slot;

/* What holds when a key is absent or null. */
typedef enum cszi_hf_need {
    CSZI_HF_FIXED,            /* no key: the value of every model of the type */
    CSZI_HF_NEEDED,           /* an error */
    CSZI_HF_NEEDED_OR_NULL,   /* absent: an error; null: unset */
    CSZI_HF_ELSE,             /* the class's default */
    CSZI_HF_ELSE_UNLESS_NULL, /* absent: the class's default; null: unset */
    CSZI_HF_OPTIONAL,         /* unset */
    CSZI_HF_FOUR_HIDDEN,      /* 4 x hidden, which stands earlier in the table */
    CSZI_HF_ONLY              /* the class's default, and any other value is refused */
} cszi_hf_need;

/* "a.b" is member b of the object a; "a|b" is a, or b where a is absent. */
typedef struct cszi_hf_key {
    const char *key;
    cszi_hf_slot slot;
    cszi_hf_need need;
    int64_t initial;
} cszi_hf_key;

typedef struct cszi_hf_reader cszi_hf_reader;

typedef struct cszi_hf_type {
    const char *name;
    const cszi_hf_key *keys;
    size_t count;
    csz_status (*derive)(cszi_hf_reader *reader); /* what no table says; or NULL */
} cszi_hf_type;

/* A model type or a key that is known not to fit. */
typedef struct cszi_hf_refusal {
    const char *name;
    const char *why; /* after "has" */
} cszi_hf_refusal;

typedef struct cszi_hf_value {
    int64_t number;
    uint32_t begin; /* where it stands, for messages: a text is at most CSZI_JSON_LENGTH long */
    uint32_t end;
    int given;
} cszi_hf_value;

struct cszi_hf_reader {
    cszi_workload *workload;
    const cszi_hf_type *type;
    cszi_json json;
    cszi_json_value root;
    cszi_json_value model; /* the root, or its text_config */
    cszi_hf_value values[CSZI_HF_SLOTS];
    unsigned char marks[CSZI_HF_LAYERS]; /* CSZI_HF_MARK_ bits of each layer */
};

#define CSZI_HF_MARK_EXPERTS 1u
#define CSZI_HF_MARK_WINDOW 2u

extern const cszi_hf_type cszi_hf_types[];
extern const size_t cszi_hf_type_count;
extern const cszi_hf_refusal cszi_hf_refused_types[]; /* ends with NULL, like the next */
extern const cszi_hf_refusal cszi_hf_refused_keys[];

/* hugging_face.c */

csz_field cszi_hf_field(cszi_hf_slot slot); /* CSZ_FIELD_NONE for slots that are no field */
/* A member of the model, null counted as absent; key as in a table row, without '|'. */
csz_status cszi_hf_find(const cszi_hf_reader *reader, const char *key, cszi_json_value *value,
                        int *found);
cszi_json_value cszi_hf_place(const cszi_hf_reader *reader, cszi_hf_slot slot);

static inline int64_t cszi_hf_number(const cszi_hf_reader *reader, cszi_hf_slot slot)
{
    return reader->values[slot].given ? reader->values[slot].number : 0;
}

/* Gives a slot a value that follows from another, whose place messages then name. */
static inline void cszi_hf_put(cszi_hf_reader *reader, cszi_hf_slot slot, int64_t number,
                               cszi_hf_slot from)
{
    reader->values[slot] = reader->values[from];
    reader->values[slot].number = number;
    reader->values[slot].given = 1;
}

/* hugging_face_layers.c: marks each layer, then sets the fields. */
csz_status cszi_hf_mark_layers(cszi_hf_reader *reader);
csz_status cszi_hf_set_fields(cszi_hf_reader *reader);

#endif
