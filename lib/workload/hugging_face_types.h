/* hugging_face_types.h: what the files of the config.json reader share: the tables of model types
 * and the reader. */
#ifndef CSZI_WORKLOAD_HUGGING_FACE_TYPES_H
#define CSZI_WORKLOAD_HUGGING_FACE_TYPES_H

#include "base/checked.h"
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
    CSZI_HF_OUTPUT_LAYER,
    CSZI_HF_EMBEDDING_WIDTH,
    CSZI_HF_FINAL_NORM,
    CSZI_HF_EXTRA,
    CSZI_HF_DROPOUT,
    /* of layers with attention */
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
    CSZI_HF_CAUSAL,
    CSZI_HF_QUERY_GATE,
    /* of every layer */
    CSZI_HF_GATED,
    CSZI_HF_NORMS,
    /* of layers with a window */
    CSZI_HF_WINDOW,
    CSZI_HF_WINDOW_HEADS, /* where they have heads of their own (Step 3.5) */
    CSZI_HF_WINDOW_KV_HEADS,
    /* of layers with a recurrent mixer in place of attention */
    CSZI_HF_MIXER,
    CSZI_HF_STATE_SIZE,
    CSZI_HF_STATE_INNER,
    CSZI_HF_STATE_RANK,
    CSZI_HF_STATE_HEADS,
    CSZI_HF_STATE_HEAD_DIM,
    CSZI_HF_STATE_GROUPS,
    CSZI_HF_STATE_NORMS,
    CSZI_HF_KEY_HEADS,
    CSZI_HF_KEY_DIM,
    CSZI_HF_CONVOLUTION,
    CSZI_HF_CONVOLUTION_BIAS,
    /* of dense layers */
    CSZI_HF_FFN,
    CSZI_HF_MLP_BIAS,
    /* of layers with experts */
    CSZI_HF_EXPERTS,
    CSZI_HF_TOPK,
    CSZI_HF_EXPERT_FFN,
    CSZI_HF_EXPERT_LATENT,
    CSZI_HF_SHARED_FFN,
    CSZI_HF_SHARED_GATE,
    CSZI_HF_ROUTER_BIAS,
    CSZI_HF_EXPERT_BIAS,
    CSZI_HF_GROUPS_CHOSEN,
    CSZI_HF_GROUPS,
    /* no fields: the layers' number and pattern */
    CSZI_HF_LAYERS_SLOT,
    CSZI_HF_MOE_FROM,       /* layers before are dense */
    CSZI_HF_MOE_TO,         /* layers behind are dense; -1: none is */
    CSZI_HF_MOE_FREQ,       /* of layers 0, n, 2n: experts */
    CSZI_HF_MOE_OFFSET,     /* the same from this layer on */
    CSZI_HF_MOE_STEP,       /* of layers n-1, 2n-1: experts */
    CSZI_HF_WINDOW_ON,      /* 0: no layer has a window */
    CSZI_HF_WINDOW_FROM,    /* layers before have none */
    CSZI_HF_WINDOW_PATTERN, /* every n-th layer has none */
    CSZI_HF_WINDOW_STEP,    /* only every n-th layer has one */
    CSZI_HF_CHUNKED,        /* layers without rotary positions have none (Llama 4) */
    CSZI_HF_BLOCKS,         /* a layer is a mixer or an MLP, not both */
    CSZI_HF_NAMED,          /* no layer is recurrent unless a list says so */
    CSZI_HF_FULL_EVERY,     /* every n-th layer has attention, the others are recurrent */
    CSZI_HF_FULL_PERIOD,    /* layer m of each n has attention, the others are recurrent */
    CSZI_HF_FULL_OFFSET,    /* that m */
    CSZI_HF_DECODER,        /* the last n layers are a decoder that looks at the others' output */
    CSZI_HF_NUMBERED,       /* the marks are numbers of kinds, set already */
    /* no fields: parameters that no field counts, of each layer of a sort */
    CSZI_HF_EXTRA_LAYER,
    CSZI_HF_EXTRA_MIXER,
    CSZI_HF_EXTRA_WINDOW,
    CSZI_HF_EXTRA_DECODER,
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
    CSZI_HF_PROJECTION_BIAS,
    CSZI_HF_TOKEN_TYPES,
    CSZI_HF_SECOND_POSITIONS,
    CSZI_HF_IMAGE,
    CSZI_HF_PATCH,
    CSZI_HF_CHANNELS,
    CSZI_HF_HEAD_GATE,
    CSZI_HF_ROUND_TO,
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
    CSZI_HF_OVERRIDE,         /* what an earlier row of the slot gave */
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

/* The types of one file. */
typedef struct cszi_hf_family {
    const cszi_hf_type *types;
    const size_t *count;
} cszi_hf_family;

/* A size of the configuration class: a model within a model may leave out what equals it. */
typedef struct cszi_hf_default {
    const char *type;
    cszi_hf_slot slot;
    int64_t number;
} cszi_hf_default;

/* A model type or a key that is known not to fit. */
typedef struct cszi_hf_refusal {
    const char *name;
    const char *why;     /* after "has" */
    cszi_hf_slot unless; /* a key is read after all where this slot is given; or CSZI_HF_SLOTS */
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
    double encoder_share;  /* of the tokens, of an encoder before a decoder */
    cszi_hf_value values[CSZI_HF_SLOTS];
    unsigned char marks[CSZI_HF_LAYERS]; /* CSZI_HF_MARK_ bits of each layer */
};

#define CSZI_HF_MARK_EXPERTS 1u
#define CSZI_HF_MARK_WINDOW 2u
#define CSZI_HF_MARK_RECURRENT 4u
#define CSZI_HF_MARK_NO_MIXER 8u
#define CSZI_HF_MARK_NO_MLP 16u
#define CSZI_HF_MARK_DECODER 32u

#define CSZI_HF_NO_LAYER 255 /* with CSZI_HF_NUMBERED: neither mixer nor MLP */

extern const cszi_hf_type cszi_hf_gated[], cszi_hf_plain[], cszi_hf_experts[], cszi_hf_hybrids[],
    cszi_hf_encoders[];
extern const size_t cszi_hf_gated_count, cszi_hf_plain_count, cszi_hf_experts_count,
    cszi_hf_hybrids_count, cszi_hf_encoders_count;
extern const cszi_hf_family cszi_hf_families[]; /* ends with NULL, like the next */
extern const cszi_hf_default cszi_hf_defaults[];
extern const cszi_hf_refusal cszi_hf_refused_types[];
extern const cszi_hf_refusal cszi_hf_refused_keys[];

/* hugging_face.c */

csz_field cszi_hf_field(cszi_hf_slot slot); /* CSZ_FIELD_NONE for slots that are no field */
/* A member of the model, null counted as absent; key as in a table row, without '|'. */
csz_status cszi_hf_find(const cszi_hf_reader *reader, const char *key, cszi_json_value *value,
                        int *found);
cszi_json_value cszi_hf_place(const cszi_hf_reader *reader, cszi_hf_slot slot);
/* The same below another object. */
csz_status cszi_hf_find_in(const cszi_hf_reader *reader, cszi_json_value object, const char *key,
                           cszi_json_value *value, int *found);
/* true or false; absent: the initial value. */
csz_status cszi_hf_flag_in(const cszi_hf_reader *reader, cszi_json_value object, const char *key,
                           int *flag);
/* Anything but a string: CSZ_ERR_TYPE. */
csz_status cszi_hf_text(const cszi_hf_reader *reader, cszi_json_value value);

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

/* Parameters that no field counts. */
static inline void cszi_hf_add_extra(cszi_hf_reader *reader, cszi_hf_slot slot, int64_t in,
                                     int64_t out)
{
    cszi_tally sum = {cszi_hf_number(reader, slot), 0};
    cszi_tally_add(&sum, in, out);
    reader->values[slot].number = sum.overflow ? CSZI_COUNT_MAX : sum.value;
    reader->values[slot].given = 1;
}

/* Products that stay within what a field can refuse. */
static inline int64_t cszi_hf_product(int64_t a, int64_t b)
{
    int64_t product = CSZI_COUNT_MAX;
    (void)cszi_multiply(a, b, &product);
    return product;
}

/* hugging_face_marks.c: marks each layer. */
csz_status cszi_hf_mark_layers(cszi_hf_reader *reader);
/* Fails at the number of layers: CSZ_ERR_LIMIT. */
csz_status cszi_hf_too_many(const cszi_hf_reader *reader, int64_t layers, cszi_json_value place);

/* hugging_face_layers.c: sets the fields. */
csz_status cszi_hf_set_field(const cszi_hf_reader *reader, csz_field field, size_t index,
                             int64_t number, cszi_json_value place);
csz_status cszi_hf_set_fields(cszi_hf_reader *reader);

/* hugging_face_vision.c: towers whose shape the file gives, into CSZI_HF_EXTRA. */
csz_status cszi_hf_count_vision(cszi_hf_reader *reader);

/* hugging_face_blocks.c: layers that a list describes one by one (Nemotron-NAS). */
csz_status cszi_hf_read_blocks(cszi_hf_reader *reader);

#endif
