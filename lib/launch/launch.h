/* launch.h: plans as the configuration files of training software, out and in. One table a stack
 * says which option stands for which field; both directions read it. What no option says is found
 * by reading back what was written. */
#ifndef CSZI_LAUNCH_LAUNCH_H
#define CSZI_LAUNCH_LAUNCH_H

#include "launch/scan.h"
#include "plan/settle.h"

/* What options say that is no field of a plan or a workload; ids of fields begin at 1001. */
typedef enum cszi_launch_quantity {
    CSZI_LAUNCH_NOTHING, /* an option whose value is always the same */
    CSZI_LAUNCH_RANKS,   /* accelerators of the job */
    CSZI_LAUNCH_NODES,
    CSZI_LAUNCH_SHARDS,        /* data-parallel ranks that share one copy of the states */
    CSZI_LAUNCH_REPLICAS,      /* such copies */
    CSZI_LAUNCH_MICRO_BATCHES, /* of a step, on each pipeline */
    CSZI_LAUNCH_RANK_BATCH,    /* sequences that a data-parallel rank takes at once */
    CSZI_LAUNCH_DEVICE_BATCH,  /* the same over all ranks, pipeline and tensor ranks too */
    CSZI_LAUNCH_STEPS,
    CSZI_LAUNCH_SAVE_STEPS,     /* between checkpoints */
    CSZI_LAUNCH_COMPILED,       /* 1: kernels are compiled */
    CSZI_LAUNCH_KEPT,           /* mode of activation checkpointing, by the stack's names */
    CSZI_LAUNCH_KEPT_OPTION,    /* its refinement */
    CSZI_LAUNCH_MODULES,        /* bits of modules computed again */
    CSZI_LAUNCH_METHOD,         /* uniform or by blocks */
    CSZI_LAUNCH_COVERED_LAYERS, /* of a chunk */
    CSZI_LAUNCH_HOST,           /* 1: weights, gradients and states stand on the host */
    CSZI_LAUNCH_HOST_STATES,    /* 1: some of the optimizer's states do */
    CSZI_LAUNCH_HOST_LAYERS,    /* whose activations do */
    CSZI_LAUNCH_CHUNKS,         /* of a stage */
    CSZI_LAUNCH_CHUNK_LAYERS,   /* of one chunk of the pipeline */
    CSZI_LAUNCH_V,              /* 1: the pipeline is a V */
    CSZI_LAUNCH_ENGINE,         /* schedule, by the stack's names */
    CSZI_LAUNCH_CONTEXT,        /* kind of context parallelism */
    CSZI_LAUNCH_FIRST_LESS,     /* layers by which the first chunk is shorter */
    CSZI_LAUNCH_LAST_LESS,
    CSZI_LAUNCH_LOW_PRECISION,   /* format of products below 16 bit, by the stack's names */
    CSZI_LAUNCH_FOUR_BITS,       /* the same, of 4 bit */
    CSZI_LAUNCH_LOW_WEIGHTS,     /* 1: weights are kept in it */
    CSZI_LAUNCH_HALF_GRADIENTS,  /* 1: of 16 bit */
    CSZI_LAUNCH_WHOLE_GRADIENTS, /* 1: of 32 bit */
    CSZI_LAUNCH_MASTERS,         /* format of master weights */
    CSZI_LAUNCH_FAMILY,          /* kind of data parallelism, by the stack's names */
    CSZI_LAUNCH_STRATEGY,        /* what it shares */
    CSZI_LAUNCH_STATES_SHARED,   /* 1: optimizer states are */
    CSZI_LAUNCH_PRECISE_STATES,  /* 1: formats of states are named */
    CSZI_LAUNCH_DROPOUT,
    CSZI_LAUNCH_CONNECTIONS,   /* queues from host to device */
    CSZI_LAUNCH_ELEMENTS,      /* of one communication bucket */
    CSZI_LAUNCH_DEVICE,        /* where states are offloaded to */
    CSZI_LAUNCH_WEIGHT_DEVICE, /* where weights are */
    CSZI_LAUNCH_SHARE,         /* of the states that are */
    CSZI_LAUNCH_TILES,         /* parts of the logits */
    CSZI_LAUNCH_OVERLAP,       /* 1: of expert dispatch */
    CSZI_LAUNCH_EXPERT_TENSOR, /* ranks that share an expert's matrices */
    CSZI_LAUNCH_BF16,
    CSZI_LAUNCH_FP16,
    CSZI_LAUNCH_GROUPED,        /* 1: query heads share keys and values */
    CSZI_LAUNCH_GROUPS,         /* of query heads */
    CSZI_LAUNCH_ADDED_BIAS,     /* 1: queries, keys and values alone have biases */
    CSZI_LAUNCH_POSITIONS,      /* longest sequence, or rows of a learned table */
    CSZI_LAUNCH_VOCAB_MULTIPLE, /* rows of the vocabulary are padded to it */
    CSZI_LAUNCH_LAYER_COUNT,
    CSZI_LAUNCH_PATTERN, /* which layers have experts */
    CSZI_LAUNCH_ROTARY,  /* kind of positions */
    CSZI_LAUNCH_DATA_AXIS,
    CSZI_LAUNCH_FSDP_AXIS,
    CSZI_LAUNCH_TENSOR_AXIS,
    CSZI_LAUNCH_CONTEXT_AXIS,
    CSZI_LAUNCH_PIPELINE_AXIS,
    CSZI_LAUNCH_EXPERT_AXIS,
    CSZI_LAUNCH_QUANTITIES
} cszi_launch_quantity;

typedef enum cszi_launch_rule {
    CSZI_LAUNCH_COUNT,  /* a whole number; -1 and "auto" leave it open */
    CSZI_LAUNCH_REAL,   /* a number */
    CSZI_LAUNCH_CHOICE, /* one of choices; a switch is true and false, and nothing else in words */
    CSZI_LAUNCH_BITS,   /* a list of choices: their bits together */
    CSZI_LAUNCH_TEXT,   /* of a text field */
    CSZI_LAUNCH_FACTOR, /* a whole number that multiplies what other options said; -1: the rest */
    CSZI_LAUNCH_PATTERN_LIST, /* one 0 or 1 a layer, in words as Python writes it */
    CSZI_LAUNCH_REFUSED       /* anything but nothing, 0, 1 or a switch that is off */
} cszi_launch_rule;

typedef enum cszi_launch_write {
    CSZI_LAUNCH_ALWAYS, /* when there is a value */
    CSZI_LAUNCH_UNLESS, /* the value is idle */
    CSZI_LAUNCH_NEVER   /* read only: an older name, or what is refused */
} cszi_launch_write;

typedef enum cszi_launch_place {
    CSZI_LAUNCH_FILE,
    CSZI_LAUNCH_ARGUMENT,   /* beside the file: of the training script */
    CSZI_LAUNCH_ENVIRONMENT /* a variable */
} cszi_launch_place;

typedef struct cszi_launch_row {
    const char *option; /* "section.key" */
    int about;          /* a csz_field or a quantity */
    cszi_launch_rule rule;
    cszi_launch_write write;
    cszi_launch_place place;
    double idle;
    const cszi_choice *choices; /* the first of a value is written, all are read */
    const char *absent; /* what the software takes when a file does not say; NULL: nothing set */
    const char *why;    /* one line: why it is refused, or what a variable is for */
} cszi_launch_row;

#define CSZI_LAUNCH_ROWS 128 /* of one table */

typedef struct cszi_launch cszi_launch;

typedef struct cszi_launch_stack {
    csz_source source;
    const char *name;    /* "torchtitan" */
    const char *version; /* of the software whose documentation the options were checked against */
    const char *document;
    cszi_syntax syntax;
    const char *wrapper; /* a section that may stand around all others; NULL: none */
    const char *file;    /* usual name of the file */
    const char *command; /* how a batch script starts it, behind the launcher; %s: the file */
    int launcher;        /* 1: processes are started by torchrun, 0: by the command, one a node */
    const char *const *stacks; /* ids of stacks that it stands for, the usual first; NULL ends */
    const cszi_launch_row *rows;
    size_t count;
    int models;               /* the file has the architecture */
    int whole;                /* what the file leaves out is as the software has it by default */
    const csz_field *without; /* degrees that it has no option for, up to 0; or NULL */
    void (*spread)(cszi_launch *launch);       /* quantities from fields, to write */
    csz_status (*gather)(cszi_launch *launch); /* fields from quantities, after reading */
    /* Reads by itself instead of by rows and gather; NULL: does not. */
    csz_status (*read)(cszi_launch *launch, const char *text, size_t length);
    /* Whether that reader knows an option that has no row. */
    int (*knows)(const char *option);
} cszi_launch_stack;

/* What a run says beside its plan; 0: not known. */
typedef struct cszi_launch_run {
    double limit;    /* s, longest time of the run */
    double interval; /* s between checkpoints */
    double step;     /* s of a step */
    double steps;
} cszi_launch_run;

struct cszi_launch {
    const cszi_launch_stack *stack;
    cszi_plan *plan;
    cszi_workload *workload;
    const cszi_cluster *cluster;
    int64_t accelerators;      /* 0: not known */
    const cszi_layout *layout; /* of plan; NULL while reading */
    cszi_launch_run run;
    double quantities[CSZI_LAUNCH_QUANTITIES];
    unsigned char given[CSZI_LAUNCH_QUANTITIES];
    unsigned char pattern[CSZI_RUNS]; /* of layers */
    int64_t pattern_length;
    size_t places[CSZI_LAUNCH_ROWS]; /* 1 + offset of what a row was given; 0: not */
    cszi_scan scan;
    cszi_error *error;
};

/* NULL: none that has a table. */
const cszi_launch_stack *cszi_launch_find(csz_source source);

/* ---- Quantities and fields alike ---- */

int cszi_launch_has(const cszi_launch *launch, int about);
double cszi_launch_get(const cszi_launch *launch, int about); /* 0 when there is none */
int64_t cszi_launch_count(const cszi_launch *launch, int about);
void cszi_launch_put(cszi_launch *launch, cszi_launch_quantity quantity, double value);
/* Sets a field; a refusal names the option, with its place. */
csz_status cszi_launch_set(cszi_launch *launch, csz_field field, double value, const char *option);
csz_status cszi_launch_set_stack(cszi_launch *launch, const char *id);
int cszi_launch_said(const cszi_launch *launch, const char *option); /* in the file */
csz_status cszi_launch_fail(const cszi_launch *launch, const char *option, csz_status status,
                            csz_field field, const char *format, ...) CSZI_PRINTF(5, 6);

/* ---- In ---- */

/* Sets what the text says in launch->plan and launch->workload, which hold what is known beside it
 * (the model, the training script's own arguments), also when it fails. All but quantities, places
 * and scan are set before. Errors as of cszi_scan_read; CSZ_ERR_CONFLICT for an option given twice
 * and for options that contradict each other; CSZ_ERR_TYPE, CSZ_ERR_RANGE, CSZ_ERR_UNKNOWN. */
csz_status cszi_launch_read(cszi_launch *launch, const char *text, size_t length);
/* Lines about options that have no row and are no part of an answer; snprintf-like. */
csz_status cszi_launch_foreign(const cszi_launch_stack *stack, const char *text, size_t length,
                               cszi_out *out, cszi_error *error);

/* ---- Out ---- */

/* The file; CSZ_ERR_CONFLICT when a value has no name there. launch->plan and launch->workload are
 * complete. */
csz_status cszi_launch_write_file(cszi_launch *launch, cszi_out *out);
/* What stands beside the file: arguments of the script, variables, what is left to defaults. */
csz_status cszi_launch_write_notes(cszi_launch *launch, cszi_out *out);
/* A batch script for Slurm around the file, which stands in it. */
csz_status cszi_launch_write_batch(cszi_launch *launch, const char *file, size_t length,
                                   cszi_out *out);
/* The words of an option's value; 0 when its name is not known. For printers. */
int cszi_launch_value(const cszi_launch *launch, const cszi_launch_row *row, cszi_out *out);
/* Whether a row is written. */
int cszi_launch_is_written(const cszi_launch *launch, const cszi_launch_row *row);

/* ---- Complete records, and what differs ---- */

/* A plan that says everything the layout settled. */
void cszi_launch_complete_plan(const cszi_layout *layout, cszi_plan *plan);
/* A job that says sequence, batch and formats. */
void cszi_launch_complete_workload(const cszi_batching *batching, const cszi_stack *stack,
                                   cszi_workload *workload);
/* Takes out of records what the stack's file says but for the model: of a whole file nothing stays
 * of what was there before. */
void cszi_launch_clear(const cszi_launch_stack *stack, cszi_plan *plan, cszi_workload *workload);
/* The first field in which two complete records differ; CSZ_FIELD_NONE when they are the same. */
csz_field cszi_launch_plan_difference(const cszi_plan *a, const cszi_plan *b);
csz_field cszi_launch_workload_difference(const cszi_workload *a, const cszi_workload *b);
/* Whether gradients go over the wire in different widths: a format that is said has its own, the
 * stack's usual one that of the stack. Of records before they are complete. */
int cszi_launch_wire_differs(const cszi_stack *stack, const cszi_workload *a,
                             const cszi_workload *b);

extern const cszi_launch_stack cszi_launch_megatron, cszi_launch_deepspeed, cszi_launch_torchtitan,
    cszi_launch_accelerate, cszi_launch_nanotron, cszi_launch_nemo, cszi_launch_maxtext;

#endif
