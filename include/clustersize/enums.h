/* enums.h: every enumeration of libclustersize, the part of the interface that grows.
 *
 * Values are written as numbers, in blocks, only appended, never changed and never reused. Each
 * enumeration ends with a _MAX_ENUM that fixes its width at 32 bits. The comment of a field gives
 * its meaning and what an unset field stands for; unit, bounds, default, choices and the long text
 * are rows of the field table, which csz_field_to_json prints. All symbols were added in 0.1.0
 * unless a comment says otherwise.
 */
#ifndef CLUSTERSIZE_ENUMS_H
#define CLUSTERSIZE_ENUMS_H

/* What a call answers. CSZ_OK is 0. The text of an error is in csz_<object>_error. */
typedef enum csz_status {
    CSZ_OK = 0,            /* done */
    CSZ_ERR_NO_MEMORY = 1, /* the allocator returned NULL */
    CSZ_ERR_ARGUMENT = 2,  /* a NULL handle or pointer, or an enumerator outside its enumeration */
    CSZ_ERR_FIELD = 3,     /* no such field, or not a field of this object */
    CSZ_ERR_TYPE = 4,  /* the value cannot be held exactly by the field, or by the type asked for */
    CSZ_ERR_RANGE = 5, /* outside the bounds of the field; an index outside a list */
    CSZ_ERR_UNSET = 6, /* the field has no value and no default */
    CSZ_ERR_CONFLICT = 7,   /* two settings contradict each other */
    CSZ_ERR_SYNTAX = 8,     /* malformed text or JSON; the message has line and column */
    CSZ_ERR_UNKNOWN = 9,    /* an id, model type or choice that is not known */
    CSZ_ERR_MISSING = 10,   /* an input or fact that the question needs is absent */
    CSZ_ERR_LIMIT = 11,     /* beyond a stated limit of the library (length, depth, list size) */
    CSZ_ERR_CANCELLED = 12, /* the progress function asked to stop */
    CSZ_STATUS_MAX_ENUM = 0x7fffffff
} csz_status;

/* Base units. Inside, and in every JSON answer, figures are in these. */
typedef enum csz_unit {
    CSZ_UNIT_NONE = 0,   /* a choice, a text, or a figure whose unit is a field beside it */
    CSZ_UNIT_COUNT = 1,  /* an integer up to 2^53; text takes k, M, B, G, T (powers of 1000) */
    CSZ_UNIT_BYTE = 2,   /* text takes kB, MB, GB, TB, PB and KiB, MiB, GiB, TiB, PiB */
    CSZ_UNIT_FLOP = 3,   /* floating-point operations, multiply and add counted as two */
    CSZ_UNIT_SECOND = 4, /* text takes us, ms, s, min, h, d, w, y (365.25 d) */
    CSZ_UNIT_BYTE_PER_SECOND = 5, /* text takes GB/s and Gb/s (bits) */
    CSZ_UNIT_FLOP_PER_SECOND = 6, /* text takes TFLOP/s and the like */
    CSZ_UNIT_WATT = 7,            /* text takes W, kW, MW */
    CSZ_UNIT_JOULE = 8,           /* text takes J, kJ, MJ, GJ, Wh, kWh, MWh */
    CSZ_UNIT_USD = 9,             /* United States dollars; text takes $, k, M, B */
    CSZ_UNIT_RATIO = 10,          /* dimensionless; text takes % */
    CSZ_UNIT_PER_SECOND = 11,     /* events or tokens a second */
    CSZ_UNIT_USD_PER_HOUR = 12,   /* dollars an hour (prices of one accelerator) */
    CSZ_UNIT_PER_DAY = 13,        /* events a day */
    CSZ_UNIT_FLOP_PER_BYTE = 14,  /* arithmetic intensity; text takes FLOP/B */
    CSZ_UNIT_MAX_ENUM = 0x7fffffff
} csz_unit;

/* How a field holds its value. */
typedef enum csz_type {
    CSZ_TYPE_I64 = 1,    /* integer, at most 2^53 in magnitude */
    CSZ_TYPE_F64 = 2,    /* finite double */
    CSZ_TYPE_CHOICE = 3, /* one of the names of a closed set; numerically its enumerator */
    CSZ_TYPE_BOOL = 4,   /* 0 or 1; text no or yes */
    CSZ_TYPE_TEXT = 5,   /* an id of a catalog or table row, at most 63 bytes */
    CSZ_TYPE_RANGE = 6,  /* result only: low, likely and high; numerically the likely value */
    CSZ_TYPE_MAX_ENUM = 0x7fffffff
} csz_type;

/* The objects that have fields: a field id divided by 1000. */
typedef enum csz_object {
    CSZ_OBJECT_WORKLOAD = 1,
    CSZ_OBJECT_CLUSTER = 2,
    CSZ_OBJECT_PLAN = 3,
    CSZ_OBJECT_GOAL = 4,
    CSZ_OBJECT_ESTIMATE = 5,
    CSZ_OBJECT_RANKING = 6,
    CSZ_OBJECT_CATALOG = 7,
    CSZ_OBJECT_CALIBRATION = 8,
    CSZ_OBJECT_PROJECTION = 9,
    CSZ_OBJECT_MAX_ENUM = 0x7fffffff
} csz_object;

/* Kinds of catalog entries. */
typedef enum csz_kind {
    CSZ_KIND_MODEL = 0,
    CSZ_KIND_ACCELERATOR = 1,
    CSZ_KIND_NODE = 2,
    CSZ_KIND_FABRIC = 3,
    CSZ_KIND_OFFER = 4,       /* rentals and purchases of accelerators */
    CSZ_KIND_CURVE = 5,       /* measured collectives and latencies, to calibrate with */
    CSZ_KIND_OPERATION = 6,   /* power, cooling, electricity, colocation, depreciation, storage */
    CSZ_KIND_RELIABILITY = 7, /* failures and checkpoints of published runs */
    CSZ_KIND_MAX_ENUM = 0x7fffffff
} csz_kind;

/* What a text given to a load function is. */
typedef enum csz_source {
    CSZ_SOURCE_JSON = 0,         /* the library's own JSON: an object of fields, or a job file */
    CSZ_SOURCE_HUGGING_FACE = 1, /* a config.json (workload only) */
    CSZ_SOURCE_MISTRAL = 2,      /* a params.json (workload only) */
    CSZ_SOURCE_MEGATRON = 3,     /* arguments of Megatron-LM (workload and plan) */
    CSZ_SOURCE_DEEPSPEED = 4,    /* a DeepSpeed configuration (workload and plan) */
    CSZ_SOURCE_TORCHTITAN = 5,   /* TOML of torchtitan (csz_plan_load_launch), as are the next: */
    CSZ_SOURCE_ACCELERATE = 6,   /* YAML of Hugging Face accelerate: FSDP */
    CSZ_SOURCE_NANOTRON = 7,     /* YAML of nanotron */
    CSZ_SOURCE_NEMO = 8,         /* YAML overrides of Megatron-Bridge, which NeMo trains with */
    CSZ_SOURCE_MAXTEXT = 9,      /* YAML of MaxText */
    CSZ_SOURCE_MAX_ENUM = 0x7fffffff
} csz_source;

/* What csz_plan_to_launch writes. */
typedef enum csz_launch_part {
    CSZ_LAUNCH_PART_FILE = 0,  /* the configuration file, or the arguments one a line */
    CSZ_LAUNCH_PART_NOTES = 1, /* what stands beside it: variables, arguments of the training
                                  script, options left to defaults; for people */
    CSZ_LAUNCH_PART_BATCH = 2, /* a batch script for Slurm with the file in it */
    CSZ_LAUNCH_PART_MAX_ENUM = 0x7fffffff
} csz_launch_part;

/* How far an estimate goes; each depth includes the ones before. */
typedef enum csz_depth {
    CSZ_DEPTH_MODEL = 0, /* parameters and FLOPs; needs no cluster and no plan */
    CSZ_DEPTH_FIT = 1,   /* batch and memory */
    CSZ_DEPTH_STEP = 2,  /* time of a step, throughput, MFU */
    CSZ_DEPTH_RUN = 3,   /* failures, checkpoints, time, energy and money of the run */
    CSZ_DEPTH_MAX_ENUM = 0x7fffffff
} csz_depth;

/* Attention of a layer kind. */
typedef enum csz_attention {
    CSZ_ATTENTION_GROUPED = 0,   /* multi-head, grouped-query and multi-query: heads and kv_heads */
    CSZ_ATTENTION_LATENT = 1,    /* multi-head latent attention (DeepSeek-V2, section 2.1) */
    CSZ_ATTENTION_NONE = 2,      /* no mixing of tokens in this layer kind */
    CSZ_ATTENTION_MAMBA = 3,     /* selective state space (Gu and Dao 2023) */
    CSZ_ATTENTION_MAMBA2 = 4,    /* state space duality (Dao and Gu 2024) */
    CSZ_ATTENTION_DELTA = 5,     /* gated delta net (Yang et al. 2024) */
    CSZ_ATTENTION_LIGHTNING = 6, /* linear attention with an output gate (MiniMax-01) */
    CSZ_ATTENTION_CONVOLUTION = 7, /* gated short convolution (LFM2) */
    CSZ_ATTENTION_CUSTOM = 8,      /* a layer given by its parameters, FLOPs and activation bytes */
    CSZ_ATTENTION_MAX_ENUM = 0x7fffffff
} csz_attention;

/* Normalisation: parameters per norm of width h in parentheses. */
typedef enum csz_norm {
    CSZ_NORM_RMS = 0,                 /* RMSNorm (h) */
    CSZ_NORM_LAYER = 1,               /* LayerNorm with bias (2h) */
    CSZ_NORM_LAYER_NO_BIAS = 2,       /* LayerNorm with weight only (h) */
    CSZ_NORM_LAYER_NO_PARAMETERS = 3, /* LayerNorm without parameters (0) */
    CSZ_NORM_MAX_ENUM = 0x7fffffff
} csz_norm;

/* Norms on queries and keys. */
typedef enum csz_qk_norm {
    CSZ_QK_NORM_NONE = 0,
    CSZ_QK_NORM_HEAD = 1, /* one vector of head_dim for queries, one for keys (Qwen3) */
    CSZ_QK_NORM_FULL = 2, /* over the whole projection (OLMo 2) */
    CSZ_QK_NORM_MAX_ENUM = 0x7fffffff
} csz_qk_norm;

/* How fine-tuning learns: what a step reads and which other models stand beside the trained one. */
typedef enum csz_method {
    CSZ_METHOD_SUPERVISED = 0, /* the next token of one sequence */
    CSZ_METHOD_DPO = 1,     /* pairs, and a frozen reference (Rafailov et al. 2023, equation 7) */
    CSZ_METHOD_PAIRS = 2,   /* pairs without a reference (ORPO, SimPO) */
    CSZ_METHOD_KTO = 3,     /* single sequences, and a frozen reference (Ethayarajh et al. 2024) */
    CSZ_METHOD_REWARD = 4,  /* pairs, scored by one value instead of logits */
    CSZ_METHOD_PPO = 5,     /* policy and critic trained, reference and reward model frozen
                               (Ouyang et al. 2022, section 3.5) */
    CSZ_METHOD_GRPO = 6,    /* policy trained, reference frozen (DeepSeekMath, section 4.1) */
    CSZ_METHOD_DISTILL = 7, /* a frozen teacher of the same size */
    CSZ_METHOD_MAX_ENUM = 0x7fffffff
} csz_method;

/* What is trained. */
typedef enum csz_job {
    CSZ_JOB_PRETRAIN = 0,
    CSZ_JOB_FINETUNE = 1, /* all parameters */
    CSZ_JOB_LORA = 2,     /* low-rank adapters on frozen weights (Hu et al. 2021) */
    CSZ_JOB_QLORA = 3, /* the same on NF4 weights with double quantization (Dettmers et al. 2023) */
    CSZ_JOB_MAX_ENUM = 0x7fffffff
} csz_job;

/* How fine-tuning examples fill a sequence. */
typedef enum csz_packing {
    CSZ_PACKING_PACKED = 0, /* several examples share a sequence; no padding */
    CSZ_PACKING_PADDED =
        1, /* one example a sequence, padded: padding costs compute and is no token */
    CSZ_PACKING_MAX_ENUM = 0x7fffffff
} csz_packing;

/* Which matrices get an adapter. */
typedef enum csz_lora_targets {
    CSZ_LORA_TARGETS_ATTENTION = 0,   /* the attention projections */
    CSZ_LORA_TARGETS_LINEAR = 1,      /* every matrix of the layers but routers */
    CSZ_LORA_TARGETS_QUERY_VALUE = 2, /* the projections of queries and values */
    CSZ_LORA_TARGETS_MAX_ENUM = 0x7fffffff
} csz_lora_targets;

/* Optimizers, with the bytes of state per trained parameter when states are fp32. */
typedef enum csz_optimizer {
    CSZ_OPTIMIZER_ADAMW = 0,     /* two moments */
    CSZ_OPTIMIZER_ADAM_8BIT = 1, /* two moments of 1 byte and block scales (Dettmers et al. 2022) */
    CSZ_OPTIMIZER_SGD = 2,       /* no state */
    CSZ_OPTIMIZER_MOMENTUM = 3,  /* one moment */
    CSZ_OPTIMIZER_LION = 4,      /* one moment */
    CSZ_OPTIMIZER_MUON = 5,      /* one moment on matrices, two elsewhere */
    CSZ_OPTIMIZER_ADAFACTOR = 6, /* rows and columns of a second moment, no first moment */
    CSZ_OPTIMIZER_PAGED_ADAM_8BIT = 7, /* adam_8bit in pages that move to the host under pressure */
    CSZ_OPTIMIZER_ADAM_4BIT = 8,       /* two moments of 4 bits and block scales */
    CSZ_OPTIMIZER_MAX_ENUM = 0x7fffffff
} csz_optimizer;

/* Number formats. */
typedef enum csz_format {
    CSZ_FORMAT_NONE = 0, /* no copy is kept */
    CSZ_FORMAT_FP32 = 1,
    CSZ_FORMAT_TF32 = 2, /* compute only: 4 bytes in memory */
    CSZ_FORMAT_BF16 = 3,
    CSZ_FORMAT_FP16 = 4,
    CSZ_FORMAT_FP8 = 5,
    CSZ_FORMAT_FP4 = 6,
    CSZ_FORMAT_NF4 = 7,        /* storage of frozen weights only */
    CSZ_FORMAT_INT8 = 8,       /* storage only */
    CSZ_FORMAT_NF4_SINGLE = 9, /* NF4 with fp32 constants instead of double-quantized ones */
    CSZ_FORMAT_MAX_ENUM = 0x7fffffff
} csz_format;

/* What is sharded over the data-parallel group (ZeRO stages, Rajbhandari et al. 2020). */
typedef enum csz_sharding {
    CSZ_SHARDING_NONE = 0,
    CSZ_SHARDING_OPTIMIZER = 1,  /* ZeRO-1, Megatron's distributed optimizer */
    CSZ_SHARDING_GRADIENTS = 2,  /* ZeRO-2 */
    CSZ_SHARDING_PARAMETERS = 3, /* ZeRO-3, FSDP */
    CSZ_SHARDING_MAX_ENUM = 0x7fffffff
} csz_sharding;

/* What is computed again in the backward pass instead of being kept. */
typedef enum csz_recompute {
    CSZ_RECOMPUTE_NONE = 0,
    CSZ_RECOMPUTE_SELECTIVE = 1,  /* the attention core (Korthikanti et al. 2022, section 5) */
    CSZ_RECOMPUTE_FULL = 2,       /* every layer; only its input is kept */
    CSZ_RECOMPUTE_OPERATIONS = 3, /* all but attention and every second matrix product (PyTorch's
                                     selective checkpoint, torchtitan's default) */
    CSZ_RECOMPUTE_MAX_ENUM = 0x7fffffff
} csz_recompute;

/* Pipeline schedules. */
typedef enum csz_schedule {
    CSZ_SCHEDULE_1F1B = 0, /* one forward, one backward (Narayanan et al. 2021, section 2.2.1) */
    CSZ_SCHEDULE_INTERLEAVED =
        1,                  /* the same over virtual_pipeline chunks a stage (section 2.2.2) */
    CSZ_SCHEDULE_ZB_H1 = 2, /* gradients of weights fill the bubble, memory of 1f1b's first stage
                               (Qi et al. 2023, section 2) */
    CSZ_SCHEDULE_ZB_H2 = 3, /* twice the micro-batches in flight, less bubble (section 2) */
    CSZ_SCHEDULE_ZB_V = 4,  /* two chunks a stage, the second ones in reverse order: the same bubble
                               in half the chunks, memory of 1f1b's first stage (Qi et al. 2024) */
    CSZ_SCHEDULE_DUALPIPE = 5, /* from both ends at once, two copies of parameters, expert traffic
                                  behind the pass of the other direction (DeepSeek-V3, section
                                  3.2.1) */
    CSZ_SCHEDULE_MAX_ENUM = 0x7fffffff
} csz_schedule;

/* How the ranks that share a sequence give each other keys and values. */
typedef enum csz_context_kind {
    CSZ_CONTEXT_KIND_RING = 0, /* one rank's part after the other, behind the attention core (Liu et
                                  al. 2023) */
    CSZ_CONTEXT_KIND_ALL_GATHER = 1,   /* all of them before the core (Llama 3, section 3.3.2) */
    CSZ_CONTEXT_KIND_ULYSSES = 2,      /* all-to-all to whole sequences of some heads (Jacobs et al.
                                          2023) */
    CSZ_CONTEXT_KIND_HIERARCHICAL = 3, /* all-to-all inside the scale-up domain, a ring across (Fang
                                          and Zhao 2024) */
    CSZ_CONTEXT_KIND_MAX_ENUM = 0x7fffffff
} csz_context_kind;

/* Attention kernels. */
typedef enum csz_attention_kernel {
    CSZ_ATTENTION_KERNEL_UNFUSED = 0, /* scores are written to memory */
    CSZ_ATTENTION_KERNEL_FLASH = 1,   /* fused (Dao et al. 2022) */
    CSZ_ATTENTION_KERNEL_MAX_ENUM = 0x7fffffff
} csz_attention_kernel;

/* How the loss is computed from the last hidden states. */
typedef enum csz_loss_kernel {
    CSZ_LOSS_KERNEL_PLAIN = 0,   /* logits, then cross-entropy over all of them */
    CSZ_LOSS_KERNEL_FUSED = 1,   /* one compiled cross-entropy over all logits */
    CSZ_LOSS_KERNEL_CHUNKED = 2, /* cross-entropy over parts of the logits */
    CSZ_LOSS_KERNEL_LINEAR = 3,  /* output layer and cross-entropy in one: never all logits */
    CSZ_LOSS_KERNEL_MAX_ENUM = 0x7fffffff
} csz_loss_kernel;

/* How tokens reach their experts. Since 0.1.0. */
typedef enum csz_expert_dispatch {
    CSZ_EXPERT_DISPATCH_ALL_TO_ALL = 0,   /* a copy for each expert chosen */
    CSZ_EXPERT_DISPATCH_DEDUPLICATED = 1, /* a copy for each domain, and there for each rank */
    CSZ_EXPERT_DISPATCH_ALL_GATHER = 2,   /* every token to every rank */
    CSZ_EXPERT_DISPATCH_MAX_ENUM = 0x7fffffff
} csz_expert_dispatch;

/* How evenly a router loads the experts. Since 0.1.0. */
typedef enum csz_routing {
    CSZ_ROUTING_NATURAL = 0,  /* as learned: the busiest rank is behind the mean */
    CSZ_ROUTING_BALANCED = 1, /* forced to be even, as benchmarks do */
    CSZ_ROUTING_MAX_ENUM = 0x7fffffff
} csz_routing;

/* Where offloaded states stand. */
typedef enum csz_offload_target {
    CSZ_OFFLOAD_TARGET_HOST = 0, /* pinned memory of the node */
    CSZ_OFFLOAD_TARGET_NVME = 1, /* drives of the node, through staging buffers in its memory */
    CSZ_OFFLOAD_TARGET_MAX_ENUM = 0x7fffffff
} csz_offload_target;

/* Moments of a run: each has other tensors alive. */
typedef enum csz_moment {
    CSZ_MOMENT_LOAD = 0,           /* weights are read, before optimizer states exist */
    CSZ_MOMENT_FORWARD = 1,        /* end of the last forward pass in flight */
    CSZ_MOMENT_LOSS = 2,           /* logits and their cross-entropy */
    CSZ_MOMENT_FIRST_BACKWARD = 3, /* backward pass of the last layer */
    CSZ_MOMENT_LAST_BACKWARD = 4,  /* backward pass of the first layer: every gradient is there */
    CSZ_MOMENT_REDUCTION = 5,      /* gradients are reduced over the data-parallel ranks */
    CSZ_MOMENT_OPTIMIZER = 6,      /* the optimizer's step, with its temporaries */
    CSZ_MOMENT_EVALUATION = 7,     /* a forward pass without gradients, or generation */
    CSZ_MOMENT_CHECKPOINT = 8,     /* weights are gathered for a checkpoint */
    CSZ_MOMENT_MAX_ENUM = 0x7fffffff
} csz_moment;

/* Operations whose place on the roofline an estimate gives. */
typedef enum csz_kernel {
    CSZ_KERNEL_PRODUCT = 0,   /* the matrix product of a layer with most FLOPs, of one weight */
    CSZ_KERNEL_EXPERTS = 1,   /* the same of the weights of all experts on a rank, in one launch */
    CSZ_KERNEL_ATTENTION = 2, /* the attention core of a layer */
    CSZ_KERNEL_POINTWISE = 3, /* norms, activation functions and residuals of a layer together */
    CSZ_KERNEL_LOGITS = 4,    /* output layer and loss */
    CSZ_KERNEL_MAX_ENUM = 0x7fffffff
} csz_kernel;

/* What limits an operation: launches where they take over half of its time, else the side of the
 * balance it is on. */
typedef enum csz_bound {
    CSZ_BOUND_COMPUTE = 0, /* arithmetic */
    CSZ_BOUND_MEMORY = 1,  /* bytes through memory */
    CSZ_BOUND_LAUNCH = 2,  /* launches of kernels */
    CSZ_BOUND_MAX_ENUM = 0x7fffffff
} csz_bound;

/* What a ranking is ordered by. */
typedef enum csz_objective {
    CSZ_OBJECTIVE_TIME = 0,         /* least time of the run */
    CSZ_OBJECTIVE_COST = 1,         /* least cost of the run */
    CSZ_OBJECTIVE_ACCELERATORS = 2, /* fewest accelerators that meet the deadline */
    CSZ_OBJECTIVE_MAX_ENUM = 0x7fffffff
} csz_objective;

/* Whether the memory is enough. */
typedef enum csz_fit {
    CSZ_FIT_NO = 0,    /* the low estimate exceeds the usable memory */
    CSZ_FIT_TIGHT = 1, /* the usable memory lies between the low and the high estimate */
    CSZ_FIT_YES = 2,   /* the high estimate is within the usable memory */
    CSZ_FIT_MAX_ENUM = 0x7fffffff
} csz_fit;

/* Why a plan cannot be, or is not listed. csz_reason_text gives the sentence. */
typedef enum csz_reason {
    CSZ_REASON_NONE = 0,
    CSZ_REASON_COUNT = 1,      /* degrees do not multiply to the accelerators */
    CSZ_REASON_HEADS = 2,      /* heads not divisible by tensor_parallel */
    CSZ_REASON_KV_HEADS = 3,   /* neither of kv_heads and tensor_parallel divides the other */
    CSZ_REASON_HIDDEN = 4,     /* hidden not divisible by tensor_parallel */
    CSZ_REASON_FFN = 5,        /* ffn not divisible by tensor_parallel */
    CSZ_REASON_EXPERT_FFN = 6, /* expert_ffn not divisible by expert_tensor_parallel */
    CSZ_REASON_EXPERTS = 7,    /* experts not divisible by expert_parallel */
    CSZ_REASON_EXPERT_GROUP =
        8,                    /* expert groups do not divide the data, context and tensor ranks */
    CSZ_REASON_CONTEXT = 9,   /* sequence not divisible by 2 x context_parallel */
    CSZ_REASON_SEQUENCE = 10, /* sequence part not divisible by tensor_parallel */
    CSZ_REASON_STAGES = 11,   /* more pipeline chunks than layers */
    CSZ_REASON_LAYOUT = 12,   /* the explicit stage layout does not add up */
    CSZ_REASON_VIRTUAL = 13,  /* virtual_pipeline without a pipeline or against the schedule */
    CSZ_REASON_BATCH = 14,    /* global batch not divisible by data_parallel x micro_batch */
    CSZ_REASON_MICRO_BATCHES = 15, /* fewer micro-batches than interleaved stages */
    CSZ_REASON_SEQUENCE_PARALLEL =
        16, /* expert parallelism with tensor parallelism needs sequence parallelism */
    CSZ_REASON_TENSOR_DOMAIN = 17, /* tensor parallelism leaves the scale-up domain */
    CSZ_REASON_MEMORY = 18,        /* does not fit */
    CSZ_REASON_LIMIT = 19,         /* outside a limit of the goal */
    CSZ_REASON_STACK = 20,         /* the software stack cannot express it */
    CSZ_REASON_FORMAT = 21,        /* the accelerator lacks the number format */
    CSZ_REASON_DEADLINE = 22,      /* misses the deadline */
    CSZ_REASON_BUDGET = 23,        /* exceeds the budget */
    CSZ_REASON_SLOWER = 24,        /* valid, but not among the rows asked for */
    CSZ_REASON_NO_EXPERTS = 25,    /* expert parallelism for a model without experts */
    CSZ_REASON_OFFLOAD = 26,       /* offload that contradicts the plan or its stack */
    CSZ_REASON_OPTIMIZER = 27,     /* the software stack lacks the optimizer */
    CSZ_REASON_SHARD_GROUP = 28,   /* shard_group does not divide the data-parallel ranks */
    CSZ_REASON_HOST_MEMORY = 29,   /* offload: the nodes' memory is too small, or not known */
    CSZ_REASON_MODULE = 30,        /* recomputation of a module that the model lacks */
    CSZ_REASON_CONTEXT_HEADS = 31, /* heads not divisible by the all-to-all of context_kind */
    CSZ_REASON_MAX_ENUM = 0x7fffffff
} csz_reason;

/* Notes of an estimate: what was assumed or widens the band. csz_note_text gives the sentence. */
typedef enum csz_note {
    CSZ_NOTE_NONE = 0,
    CSZ_NOTE_STACK_ASSUMED =
        1, /* the stack was not named: the default row of the accelerator family */
    CSZ_NOTE_FAMILY_UNFITTED = 2,    /* no measurement of this accelerator family was fitted */
    CSZ_NOTE_STACK_UNFITTED = 3,     /* no measurement of this stack was fitted */
    CSZ_NOTE_DATA_PARALLEL_WIDE = 4, /* more than 64-way data parallelism: slow tail */
    CSZ_NOTE_MIXTURE = 5,            /* mixture of experts: wider band */
    CSZ_NOTE_BATCH_ASSUMED = 6,      /* global batch taken from a table of real runs */
    CSZ_NOTE_MEMORY_ASSUMED =
        7, /* memory as the driver reports it is not known: the marketing figure */
    CSZ_NOTE_FAILURES_ASSUMED = 8,     /* failure rate from the built-in facts */
    CSZ_NOTE_STORAGE_ASSUMED = 9,      /* checkpoint storage bandwidth from the built-in facts */
    CSZ_NOTE_TENSOR_OVER_NETWORK = 10, /* tensor parallelism crosses the scale-up domain */
    CSZ_NOTE_NO_PRICE = 11,            /* no offer: no cost */
    CSZ_NOTE_FACT_DOUBTFUL = 12,       /* a catalog figure of low confidence is used */
    CSZ_NOTE_KIND_UNFITTED = 13,       /* layers without a fitted run: recurrent, custom */
    CSZ_NOTE_MEMORY_UNFITTED = 14,     /* no memory measurement of this stack was fitted */
    CSZ_NOTE_HOST_UNKNOWN = 15,        /* the nodes' memory is not known: no verdict on it */
    CSZ_NOTE_ROUTING_ASSUMED = 16,     /* experts are loaded as routing says, or as stated */
    CSZ_NOTE_OFFLOAD_TIME = 17,      /* micro-batches hide offload's traffic as far as they last */
    CSZ_NOTE_UNMEASURED = 18,        /* no measured run of this family and stack: the widest band */
    CSZ_NOTE_SCHEDULE_UNFITTED = 19, /* no measurement of this pipeline schedule was fitted */
    CSZ_NOTE_MAX_ENUM = 0x7fffffff
} csz_note;

/* Collectives of nccl-tests. */
typedef enum csz_collective {
    CSZ_COLLECTIVE_UNKNOWN = 0, /* as the text says */
    CSZ_COLLECTIVE_ALL_REDUCE = 1,
    CSZ_COLLECTIVE_ALL_GATHER = 2,
    CSZ_COLLECTIVE_REDUCE_SCATTER = 3,
    CSZ_COLLECTIVE_ALL_TO_ALL = 4,
    CSZ_COLLECTIVE_MAX_ENUM = 0x7fffffff
} csz_collective;

/* What a calibration moves: fields of a cluster that multiply rates. */
typedef enum csz_multiplier {
    CSZ_MULTIPLIER_COMPUTE = 0,   /* compute_multiplier */
    CSZ_MULTIPLIER_MEMORY = 1,    /* memory_multiplier */
    CSZ_MULTIPLIER_LINK = 2,      /* link_multiplier */
    CSZ_MULTIPLIER_SCALE_OUT = 3, /* scale_out_multiplier */
    CSZ_MULTIPLIER_MAX_ENUM = 0x7fffffff
} csz_multiplier;

/* What fails as one: a failure of any part stops the job and takes the whole unit out of it. */
typedef enum csz_failure_unit {
    CSZ_FAILURE_UNIT_NODE = 0, /* accelerators_per_node */
    CSZ_FAILURE_UNIT_TRAY = 1, /* a compute tray of an NVL72 rack: 4 accelerators */
    CSZ_FAILURE_UNIT_RACK = 2, /* the scale-up domain */
    CSZ_FAILURE_UNIT_CUBE = 3, /* of a TPU pod: 64 chips */
    CSZ_FAILURE_UNIT_MAX_ENUM = 0x7fffffff
} csz_failure_unit;

/* Computation beside the run itself: trials, repeats, failed runs. Rules of thumb. */
typedef enum csz_headroom {
    CSZ_HEADROOM_NONE = 0,       /* 1 */
    CSZ_HEADROOM_PRODUCTION = 1, /* 1.2 */
    CSZ_HEADROOM_RESEARCH = 2,   /* 1.5 */
    CSZ_HEADROOM_MAX_ENUM = 0x7fffffff
} csz_headroom;

/* How owned machines lose their value. */
typedef enum csz_depreciation {
    CSZ_DEPRECIATION_STRAIGHT_LINE = 0, /* to the residual value at the end of their life */
    CSZ_DEPRECIATION_EXPONENTIAL = 1,   /* by a constant rate a year */
    CSZ_DEPRECIATION_MAX_ENUM = 0x7fffffff
} csz_depreciation;

/* How the ports of a network are joined. */
typedef enum csz_topology {
    CSZ_TOPOLOGY_FAT_TREE = 0,       /* a leaf holds whole nodes */
    CSZ_TOPOLOGY_RAIL_OPTIMIZED = 1, /* a leaf holds one port of each of its nodes */
    CSZ_TOPOLOGY_TORUS = 2,          /* accelerators are joined along axes, without switches */
    CSZ_TOPOLOGY_MAX_ENUM = 0x7fffffff
} csz_topology;

/* Whose money a cost is. */
typedef enum csz_cost {
    CSZ_COST_RENT = 0, /* rented machines */
    CSZ_COST_OWN = 1,  /* machines of one's own */
    CSZ_COST_MAX_ENUM = 0x7fffffff
} csz_cost;

/* What takes the heat of a rack. */
typedef enum csz_cooling {
    CSZ_COOLING_AIR = 0,
    CSZ_COOLING_LIQUID = 1,
    CSZ_COOLING_MAX_ENUM = 0x7fffffff
} csz_cooling;

/* Every field of every object, in and out. */
typedef enum csz_field {
    CSZ_FIELD_NONE = 0,

    /* 1000 workload: the model. A list field without an index means element 0. */
    CSZ_WORKLOAD_MODEL = 1001,             /* catalog id; setting it copies the model's figures */
    CSZ_WORKLOAD_HIDDEN = 1002,            /* width of the residual stream */
    CSZ_WORKLOAD_VOCAB = 1003,             /* rows of the embedding as stored, padding included */
    CSZ_WORKLOAD_LEARNED_POSITIONS = 1004, /* rows of a learned position table; 0 for rotary */
    CSZ_WORKLOAD_TIED_EMBEDDINGS = 1005,   /* the output layer shares the embedding */
    CSZ_WORKLOAD_NORM = 1006,              /* csz_norm */
    CSZ_WORKLOAD_HEAD_BIAS = 1007,         /* bias on the output layer */
    CSZ_WORKLOAD_EMBEDDING_NORM = 1008,    /* a norm after the embedding (BLOOM) */
    CSZ_WORKLOAD_FINAL_NORM = 1009,        /* a norm before the output layer */
    CSZ_WORKLOAD_PREDICTION_LAYERS =
        1010, /* multi-token-prediction layers (DeepSeek-V3, section 2.2) */
    CSZ_WORKLOAD_EXTRA_PARAMETERS = 1011, /* counted, not computed: vision towers */
    CSZ_WORKLOAD_DROPOUT = 1012,          /* hidden dropout: its masks are kept */
    CSZ_WORKLOAD_OUTPUT_LAYER = 1013,     /* the model ends in logits over the vocabulary */
    CSZ_WORKLOAD_EMBEDDING_WIDTH = 1014,  /* of the embedding; unset: hidden (OPT-350M: 512) */

    /* 1100 list runs: consecutive layers of one kind. */
    CSZ_WORKLOAD_LAYERS = 1101,     /* layers in the run */
    CSZ_WORKLOAD_LAYER_KIND = 1102, /* index into kinds */

    /* 1200 list kinds: what a layer is made of. */
    CSZ_WORKLOAD_ATTENTION = 1201,          /* csz_attention */
    CSZ_WORKLOAD_HEADS = 1202,              /* query heads */
    CSZ_WORKLOAD_KV_HEADS = 1203,           /* key and value heads; unset: heads */
    CSZ_WORKLOAD_HEAD_DIM = 1204,           /* unset: hidden / heads */
    CSZ_WORKLOAD_SLIDING_WINDOW = 1205,     /* tokens; 0: none */
    CSZ_WORKLOAD_QUERY_RANK = 1206,         /* latent attention; 0: a full query projection */
    CSZ_WORKLOAD_KV_RANK = 1207,            /* latent attention */
    CSZ_WORKLOAD_NOPE_DIM = 1208,           /* latent attention: head size without rotary part */
    CSZ_WORKLOAD_ROPE_DIM = 1209,           /* latent attention: rotary part */
    CSZ_WORKLOAD_VALUE_DIM = 1210,          /* latent attention: value head size */
    CSZ_WORKLOAD_QKV_BIAS = 1211,           /* biases on query, key, value */
    CSZ_WORKLOAD_ATTENTION_BIAS = 1212,     /* bias on the attention output */
    CSZ_WORKLOAD_QK_NORM = 1213,            /* csz_qk_norm */
    CSZ_WORKLOAD_ATTENTION_SINKS = 1214,    /* one learned value a head */
    CSZ_WORKLOAD_CAUSAL = 1215,             /* attention looks back only; no: encoders */
    CSZ_WORKLOAD_CROSS_ATTENTION = 1216,    /* a second attention, over the other side's tokens */
    CSZ_WORKLOAD_QUERY_GATE = 1217,         /* a gate as wide as the queries on the output */
    CSZ_WORKLOAD_FFN = 1221,                /* width of the dense MLP; 0: none */
    CSZ_WORKLOAD_GATED_MLP = 1222,          /* three matrices instead of two, experts too */
    CSZ_WORKLOAD_MLP_BIAS = 1223,           /* biases of the dense MLP */
    CSZ_WORKLOAD_EXPERTS = 1224,            /* routed experts; 0: none */
    CSZ_WORKLOAD_EXPERTS_PER_TOKEN = 1225,  /* top k */
    CSZ_WORKLOAD_EXPERT_FFN = 1226,         /* width of one routed expert */
    CSZ_WORKLOAD_SHARED_FFN = 1227,         /* width of all shared experts together */
    CSZ_WORKLOAD_SHARED_GATE = 1228,        /* a gate of width hidden on the shared expert */
    CSZ_WORKLOAD_ROUTER_BIAS = 1229,        /* one value an expert */
    CSZ_WORKLOAD_EXPERT_BIAS = 1230,        /* biases of experts */
    CSZ_WORKLOAD_NORMS_PER_LAYER = 1231,    /* 1, 2 or 4 */
    CSZ_WORKLOAD_ROUTER_GROUPS = 1232,      /* experts are routed within groups of equal size */
    CSZ_WORKLOAD_EXPERT_WIDTH = 1233,       /* of the stream in routed experts; unset: hidden */
    CSZ_WORKLOAD_ROUTER_GROUPS_CHOSEN = 1234, /* groups of a token's experts; unset: all */
    CSZ_WORKLOAD_STATE_SIZE = 1240,         /* mamba, mamba2: state of a channel */
    CSZ_WORKLOAD_STATE_INNER = 1241,        /* mamba: channels */
    CSZ_WORKLOAD_STATE_RANK = 1242,         /* mamba: rank of the time step */
    CSZ_WORKLOAD_STATE_HEADS = 1243,        /* mamba2: heads; delta: value heads */
    CSZ_WORKLOAD_STATE_HEAD_DIM = 1244,     /* mamba2: channels of a head; delta: value head size */
    CSZ_WORKLOAD_STATE_GROUPS = 1245,       /* mamba2: groups that share B and C */
    CSZ_WORKLOAD_STATE_NORMS = 1246,        /* mamba: norms on the time step, B and C (Jamba) */
    CSZ_WORKLOAD_KEY_HEADS = 1247,          /* delta: key heads */
    CSZ_WORKLOAD_KEY_DIM = 1248,            /* delta: key head size */
    CSZ_WORKLOAD_CONVOLUTION = 1249,        /* taps of the short convolution; 0: none */
    CSZ_WORKLOAD_CONVOLUTION_BIAS = 1250,   /* one value a channel */
    CSZ_WORKLOAD_TOKEN_SHARE = 1251,        /* of a sequence's tokens: encoder and decoder layers */
    CSZ_WORKLOAD_CUSTOM_PARAMETERS = 1252,  /* of one custom layer */
    CSZ_WORKLOAD_CUSTOM_ACTIVE = 1253,      /* of those, met by a token; unset: all */
    CSZ_WORKLOAD_CUSTOM_FLOPS = 1254,       /* forward, a token; unset: 2 x active */
    CSZ_WORKLOAD_CUSTOM_ACTIVATIONS = 1255, /* bytes that a token keeps */
    CSZ_WORKLOAD_WIDTH = 1256,     /* of these layers' stream; unset: hidden (vision towers) */
    CSZ_WORKLOAD_KIND_NORM = 1257, /* csz_norm of these layers; unset: norm */

    /* 1300 the job. */
    CSZ_WORKLOAD_JOB = 1301,            /* csz_job */
    CSZ_WORKLOAD_UNIQUE_TOKENS = 1302,  /* tokens of the data set; with epochs gives tokens */
    CSZ_WORKLOAD_EPOCHS = 1303,         /* passes over the data */
    CSZ_WORKLOAD_EXAMPLES = 1304,       /* fine-tuning examples a pass */
    CSZ_WORKLOAD_MEAN_LENGTH = 1305,    /* mean tokens of an example */
    CSZ_WORKLOAD_MAXIMUM_LENGTH = 1306, /* longest example; unset: sequence_length */
    CSZ_WORKLOAD_PACKING = 1307,        /* csz_packing */
    CSZ_WORKLOAD_DOCUMENT_MASK = 1308,  /* attention stays inside an example of mean_length */
    CSZ_WORKLOAD_LORA_RANK = 1309,      /* rank of the adapters */
    CSZ_WORKLOAD_LORA_TARGETS = 1310,   /* csz_lora_targets */
    CSZ_WORKLOAD_LORA_DROPOUT = 1311,   /* adapters drop inputs: each keeps its own copy and mask */
    CSZ_WORKLOAD_METHOD = 1312,         /* csz_method */
    CSZ_WORKLOAD_EVALUATION_BATCH = 1313, /* sequences of one evaluation or generation on a rank */
    CSZ_WORKLOAD_FROZEN_EXTRA = 1314,     /* the extra parameters (towers) are not trained */
    CSZ_WORKLOAD_OPTIMIZER = 1320,        /* csz_optimizer */
    CSZ_WORKLOAD_COMPUTE_FORMAT = 1321,   /* csz_format of the main matrix products */
    CSZ_WORKLOAD_WEIGHT_FORMAT = 1322,    /* csz_format of trained weights; unset: of the stack */
    CSZ_WORKLOAD_GRADIENT_FORMAT = 1323,  /* csz_format; unset: of the stack */
    CSZ_WORKLOAD_MASTER_FORMAT = 1324,    /* csz_format of master weights; unset: of the stack */
    CSZ_WORKLOAD_STATE_FORMAT = 1325,     /* csz_format of optimizer moments; unset: of the stack */
    CSZ_WORKLOAD_ACTIVATION_FORMAT = 1326, /* csz_format of kept activations */
    CSZ_WORKLOAD_FROZEN_FORMAT =
        1327, /* csz_format of frozen weights; unset: bf16 for LoRA, NF4 for QLoRA */
    CSZ_WORKLOAD_LOAD_IMBALANCE =
        1330, /* tokens of the busiest expert rank over the mean; unset: of the routing */
    CSZ_WORKLOAD_ROUTING = 1331,             /* csz_routing; natural */
    CSZ_WORKLOAD_CHECKPOINT_INTERVAL = 1340, /* seconds; unset: the optimum of Daly 2006 */

    /* 1400 list phases: a run may change length and batch. Phase 0 is the flat one. */
    CSZ_WORKLOAD_TOKENS = 1401,              /* tokens of the phase */
    CSZ_WORKLOAD_SEQUENCE_LENGTH = 1402,     /* tokens of a sequence */
    CSZ_WORKLOAD_GLOBAL_BATCH = 1403,        /* sequences of a step */
    CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS = 1404, /* the same in tokens; exactly one of the two */

    /* 2000 cluster: names, looked up in a catalog; setting one copies its figures. */
    CSZ_CLUSTER_ACCELERATOR = 2001,
    CSZ_CLUSTER_NODE = 2002,
    CSZ_CLUSTER_FABRIC = 2003,
    CSZ_CLUSTER_OFFER = 2004,
    CSZ_CLUSTER_ACCELERATORS = 2005, /* how many */

    /* 2100 figures, one accelerator each, copied from the catalog or given. */
    CSZ_CLUSTER_MEMORY = 2101, /* as the driver reports it */
    CSZ_CLUSTER_MEMORY_BANDWIDTH = 2102,
    CSZ_CLUSTER_PEAK_FP32 = 2103, /* vector rate */
    CSZ_CLUSTER_PEAK_TF32 = 2104, /* dense, as all peaks */
    CSZ_CLUSTER_PEAK_BF16 = 2105,
    CSZ_CLUSTER_PEAK_FP16 = 2106,
    CSZ_CLUSTER_PEAK_FP8 = 2107,
    CSZ_CLUSTER_PEAK_FP4 = 2108,
    CSZ_CLUSTER_FAMILY = 2109,          /* row of the efficiency table */
    CSZ_CLUSTER_LINK_BANDWIDTH = 2110,  /* scale-up, one way */
    CSZ_CLUSTER_SCALE_UP_DOMAIN = 2111, /* accelerators that the scale-up link reaches */
    CSZ_CLUSTER_ACCELERATORS_PER_NODE = 2112,
    CSZ_CLUSTER_SCALE_OUT_BANDWIDTH = 2113, /* share of the node's network ports, one way */
    CSZ_CLUSTER_POWER = 2114,               /* board power limit */
    CSZ_CLUSTER_HOST_MEMORY = 2115,         /* of a node */
    CSZ_CLUSTER_HOST_LINK_BANDWIDTH = 2116, /* accelerator to its host, one way */
    CSZ_CLUSTER_POWER_LIMIT = 2117,         /* set below power; unset: power itself */

    /* 2200 money, reliability, storage. */
    CSZ_CLUSTER_PRICE = 2201,                 /* of one accelerator for an hour */
    CSZ_CLUSTER_FAILURES_PER_NODE_DAY = 2202, /* unset: of the built-in facts */
    CSZ_CLUSTER_RESTART_TIME = 2203,          /* from failure to useful work */
    CSZ_CLUSTER_STORAGE_BANDWIDTH = 2204,     /* of checkpoint writes, whole file system */
    CSZ_CLUSTER_FAILURE_UNIT = 2205,          /* csz_failure_unit */
    CSZ_CLUSTER_FAILURES_PER_JOB_DAY = 2206,  /* of the job itself, beside its nodes */
    CSZ_CLUSTER_EARLY_LIFE_FACTOR = 2207,     /* on the failures of nodes, of new machines */
    CSZ_CLUSTER_PLANNED_STOPS_PER_DAY = 2208, /* of the job */
    CSZ_CLUSTER_DETECTION_TIME = 2209,        /* parts of a restart, here and below */
    CSZ_CLUSTER_SCHEDULING_TIME = 2210,
    CSZ_CLUSTER_START_TIME = 2211,
    CSZ_CLUSTER_WARM_UP_TIME = 2212,
    CSZ_CLUSTER_NODE_STORAGE_BANDWIDTH = 2213,  /* most that one node writes */
    CSZ_CLUSTER_READ_BANDWIDTH = 2214,          /* of the whole file system */
    CSZ_CLUSTER_CHECKPOINT_ASYNCHRONOUS = 2215, /* the run goes on while a checkpoint is written */
    CSZ_CLUSTER_REPAIR_TIME = 2216,             /* until a failed unit is back */
    CSZ_CLUSTER_SPARE_CONFIDENCE = 2217,        /* that spares suffice */
    CSZ_CLUSTER_EVALUATION_SHARE = 2218,        /* of step time, here and below */
    CSZ_CLUSTER_LOGGING_SHARE = 2219,
    CSZ_CLUSTER_LOADER_SHARE = 2220,
    CSZ_CLUSTER_STRAGGLER_SHARE = 2221,
    CSZ_CLUSTER_BYTES_PER_TOKEN = 2222, /* of the training data on storage */
    CSZ_CLUSTER_DOMAIN_ACCELERATORS =
        2223,                           /* sold in a domain, of which scale_up_domain are used */
    CSZ_CLUSTER_HEADROOM = 2224,        /* csz_headroom */
    CSZ_CLUSTER_HEADROOM_FACTOR = 2225, /* in place of a preset */

    /* 2300 calibration: measured over predicted, as multipliers of rates. */
    CSZ_CLUSTER_COMPUTE_MULTIPLIER = 2301,
    CSZ_CLUSTER_MEMORY_MULTIPLIER = 2302,
    CSZ_CLUSTER_NETWORK_MULTIPLIER = 2303, /* of both of the next two */
    CSZ_CLUSTER_LINK_MULTIPLIER = 2304,
    CSZ_CLUSTER_SCALE_OUT_MULTIPLIER = 2305,
    CSZ_CLUSTER_LINK_MEASURED_BANDWIDTH = 2311,      /* bus bandwidth inside the scale-up domain */
    CSZ_CLUSTER_LINK_LATENCY = 2312,                 /* of one collective; unset: of the stack */
    CSZ_CLUSTER_LINK_EXPERT_BANDWIDTH = 2313,        /* all-to-all inside the domain */
    CSZ_CLUSTER_SCALE_OUT_MEASURED_BANDWIDTH = 2314, /* of one accelerator */
    CSZ_CLUSTER_SCALE_OUT_LATENCY = 2315, /* of each domain of a collective; unset: of the stack */
    CSZ_CLUSTER_SCALE_OUT_EXPERT_BANDWIDTH = 2316, /* all-to-all, of one accelerator */
    CSZ_CLUSTER_STEP_UNCERTAINTY = 2321, /* of predicted step times, after calibration */

    /* 2400 rent, storage. */
    CSZ_CLUSTER_COMMITMENT = 2401, /* least term of a rental */
    CSZ_CLUSTER_PAY_UNUSED = 2402, /* the rest of a commitment is paid */
    CSZ_CLUSTER_SPOT_INTERRUPTIONS_PER_NODE_DAY = 2403,
    CSZ_CLUSTER_STORAGE_PRICE = 2404, /* of a GB for a month */
    CSZ_CLUSTER_STORED_BYTES = 2405,  /* data kept */
    CSZ_CLUSTER_CHECKPOINTS_KEPT = 2406,
    CSZ_CLUSTER_EGRESS_BYTES = 2407,
    CSZ_CLUSTER_EGRESS_PRICE = 2408, /* of a GB */

    /* 2500 owning. */
    CSZ_CLUSTER_PURCHASE_PRICE = 2501, /* of one accelerator with its share of the server */
    CSZ_CLUSTER_NETWORK_SHARE = 2502,  /* of the whole purchase */
    CSZ_CLUSTER_LIFE = 2503,
    CSZ_CLUSTER_DEPRECIATION = 2504,      /* csz_depreciation */
    CSZ_CLUSTER_DEPRECIATION_RATE = 2505, /* a year, exponential */
    CSZ_CLUSTER_MACHINE_AGE = 2506,       /* at the run, exponential */
    CSZ_CLUSTER_RESIDUAL_SHARE = 2507,    /* of the purchase, at the end of life */
    CSZ_CLUSTER_COST_OF_CAPITAL = 2508,   /* a year */
    CSZ_CLUSTER_ELECTRICITY_PRICE = 2509, /* of a kWh */
    CSZ_CLUSTER_PUE = 2510,
    CSZ_CLUSTER_COLOCATION_PRICE = 2511,    /* of a kW for a month */
    CSZ_CLUSTER_MAINTENANCE_SHARE = 2512,   /* of the purchase a year */
    CSZ_CLUSTER_SUPPORT_SHARE = 2513,       /* of the purchase a year */
    CSZ_CLUSTER_STAFF_COST = 2514,          /* a year, of the whole cluster */
    CSZ_CLUSTER_UTILIZATION = 2515,         /* share of hours that are used */
    CSZ_CLUSTER_SERVER_POWER = 2516,        /* most, of one accelerator with its share */
    CSZ_CLUSTER_POWER_DRAW_SHARE = 2517,    /* of server_power */
    CSZ_CLUSTER_NETWORK_POWER_SHARE = 2518, /* over servers */
    CSZ_CLUSTER_GRID_CARBON = 2519,         /* kg of CO2 for a kWh */

    /* 2600 what the network is built of. */
    CSZ_CLUSTER_TOPOLOGY = 2601,         /* csz_topology */
    CSZ_CLUSTER_OVERSUBSCRIPTION = 2602, /* above a pod */
    CSZ_CLUSTER_POD_ACCELERATORS = 2603, /* under full bandwidth */
    CSZ_CLUSTER_SWITCH_RADIX = 2604,     /* ports */
    CSZ_CLUSTER_TORUS_AXES = 2605,
    CSZ_CLUSTER_SWITCH_PRICE = 2606,
    CSZ_CLUSTER_CABLE_PRICE = 2607, /* of a link with its transceivers */
    CSZ_CLUSTER_RACK_POWER = 2608,  /* most */

    /* 3000 plan: degrees and sharding. */
    CSZ_PLAN_TENSOR_PARALLEL = 3001,
    CSZ_PLAN_PIPELINE_PARALLEL = 3002,
    CSZ_PLAN_VIRTUAL_PIPELINE = 3003, /* chunks a stage */
    CSZ_PLAN_CONTEXT_PARALLEL = 3004,
    CSZ_PLAN_EXPERT_PARALLEL =
        3005, /* inside data x context x tensor ranks: never multiplies the count */
    CSZ_PLAN_EXPERT_TENSOR_PARALLEL = 3006,
    CSZ_PLAN_DATA_PARALLEL = 3007,     /* unset: all remaining accelerators */
    CSZ_PLAN_SEQUENCE_PARALLEL = 3008, /* unset: yes when tensor_parallel > 1 */
    CSZ_PLAN_SHARDING = 3009,          /* csz_sharding; unset: none */
    CSZ_PLAN_CONTEXT_KIND = 3010,      /* csz_context_kind; unset: ring */
    CSZ_PLAN_CONTEXT_INNER = 3011,     /* ranks of the all-to-all of a hierarchical kind */

    /* 3100 plan: micro-batch, recomputation, pipeline. */
    CSZ_PLAN_MICRO_BATCH = 3101, /* sequences */
    CSZ_PLAN_RECOMPUTE = 3102,   /* csz_recompute */
    CSZ_PLAN_SCHEDULE = 3103,    /* csz_schedule; unset: interleaved when virtual_pipeline > 1 */
    CSZ_PLAN_FIRST_STAGE_LAYERS = 3104, /* explicit layout; unset: balanced */
    CSZ_PLAN_LAST_STAGE_LAYERS = 3105,
    CSZ_PLAN_RECOMPUTE_LAYERS = 3106, /* layers of each stage; unset: all when recompute is full */
    CSZ_PLAN_RECOMPUTE_NORM = 3107,   /* outputs of norms are computed again */
    CSZ_PLAN_RECOMPUTE_ACTIVATION = 3108, /* outputs of the activation functions, experts' too */
    CSZ_PLAN_RECOMPUTE_LATENT = 3109,     /* up-projections of latent attention */
    CSZ_PLAN_RECOMPUTE_MLP = 3110,        /* whole dense MLPs */
    CSZ_PLAN_RECOMPUTE_EXPERTS = 3111,    /* whole mixture layers, dispatch included */
    CSZ_PLAN_EMBEDDING_COUNTS = 3112,     /* as a layer, when layers are divided over stages */
    CSZ_PLAN_LOSS_COUNTS = 3113,          /* the output layer, likewise */
    CSZ_PLAN_PIPELINE_LAYOUT = 3114,      /* every chunk, in Megatron-LM's letters */

    /* 3200 plan: software. */
    CSZ_PLAN_STACK = 3201, /* row of the stack table; unset: megatron, with a wide band */
    CSZ_PLAN_ATTENTION_KERNEL = 3202,    /* csz_attention_kernel; unset: of the stack */
    CSZ_PLAN_LOSS_KERNEL = 3203,         /* csz_loss_kernel; unset: of the stack */
    CSZ_PLAN_GRADIENT_RELEASE = 3204,    /* the optimizer steps inside the backward pass */
    CSZ_PLAN_EXPANDABLE_SEGMENTS = 3205, /* the allocator maps pages: little fragmentation */
    CSZ_PLAN_OPTIMIZER_FUSED = 3206,     /* its step is one kernel, in place; unset: of the stack */
    CSZ_PLAN_EXPERT_DISPATCH = 3211,     /* csz_expert_dispatch; unset: of the stack */
    CSZ_PLAN_EXPERT_CAPACITY = 3212,     /* tokens an expert takes over the mean; unset: all */
    CSZ_PLAN_EXPERT_OVERLAP = 3213,      /* dispatch runs behind another micro-batch */

    /* 3300 plan: offload to the host, and how sharded states are gathered. */
    CSZ_PLAN_OFFLOAD_OPTIMIZER = 3301,         /* share of optimizer states and step on the host */
    CSZ_PLAN_OFFLOAD_PARAMETERS = 3302,        /* sharded weights on the host */
    CSZ_PLAN_OFFLOAD_ACTIVATIONS = 3303,       /* kept activations on the host */
    CSZ_PLAN_OFFLOAD_TARGET = 3304,            /* csz_offload_target */
    CSZ_PLAN_OFFLOAD_ACTIVATION_LAYERS = 3305, /* of each stage; unset: all but two */
    CSZ_PLAN_SHARD_GROUP = 3311, /* ranks that share one copy of the states; unset: all */
    CSZ_PLAN_RESHARD = 3312,     /* gathered weights are freed after the forward pass */
    CSZ_PLAN_PREFETCH = 3313,    /* units gathered ahead; unset: of the stack */
    CSZ_PLAN_BUCKET = 3314,      /* bytes of one communication bucket; unset: of the stack */

    /* 4000 goal. */
    CSZ_GOAL_OBJECTIVE = 4001, /* csz_objective */
    CSZ_GOAL_DEADLINE = 4002,  /* of the whole run */
    CSZ_GOAL_BUDGET = 4003,    /* of the whole run */
    CSZ_GOAL_MINIMUM_ACCELERATORS = 4004,
    CSZ_GOAL_MAXIMUM_ACCELERATORS = 4005,
    CSZ_GOAL_ROWS = 4006,           /* entries that a ranking keeps */
    CSZ_GOAL_FIT_CONFIDENCE = 4007, /* least probability of fit of a plan that is ranked first */
    CSZ_GOAL_TENSOR_BEYOND_DOMAIN = 4008, /* allow tensor parallelism over the network */
    CSZ_GOAL_TOLERANCE = 4009, /* of the best time, within which plans count as equally fast */

    /* 5000 estimate: the model and the batch. */
    CSZ_ESTIMATE_PARAMETERS_TOTAL = 5001,
    CSZ_ESTIMATE_PARAMETERS_ACTIVE = 5002,    /* touched by one token, embeddings included */
    CSZ_ESTIMATE_PARAMETERS_EMBEDDING = 5003, /* embedding and output layer */
    CSZ_ESTIMATE_PARAMETERS_TRAINED = 5004,
    CSZ_ESTIMATE_BATCH_SEQUENCES = 5101, /* of a step, phase 0 */
    CSZ_ESTIMATE_BATCH_TOKENS = 5102,
    CSZ_ESTIMATE_BATCH_MICRO_BATCHES = 5103, /* of a step on each pipeline: accumulation */
    CSZ_ESTIMATE_BATCH_DATA_PARALLEL = 5104,
    CSZ_ESTIMATE_BATCH_ACCELERATORS = 5105, /* that the plan uses */
    CSZ_ESTIMATE_BATCH_STEPS = 5106,        /* of all phases */
    CSZ_ESTIMATE_BATCH_TOKENS_TOTAL = 5107, /* of all phases */

    /* 5200 FLOPs. */
    CSZ_ESTIMATE_FLOPS_PER_TOKEN =
        5201, /* forward and backward, causal attention, no recomputation */
    CSZ_ESTIMATE_FLOPS_FORWARD = 5202,    /* a token */
    CSZ_ESTIMATE_FLOPS_BACKWARD = 5203,   /* a token */
    CSZ_ESTIMATE_FLOPS_RECOMPUTE = 5204,  /* a token, by the plan */
    CSZ_ESTIMATE_FLOPS_STEP = 5205,       /* phase 0, no recomputation */
    CSZ_ESTIMATE_FLOPS_RUN = 5206,        /* all phases, no recomputation */
    CSZ_ESTIMATE_FLOPS_SIX_N = 5211,      /* a token: 6 x active parameters (Kaplan et al. 2020) */
    CSZ_ESTIMATE_FLOPS_FULL = 5212,       /* a token: exact matrices, attention not halved */
    CSZ_ESTIMATE_FLOPS_PALM = 5213,       /* a token: 6N + 12LHQs (PaLM, appendix B) */
    CSZ_ESTIMATE_FLOPS_TORCHTITAN = 5214, /* a token: 6(N - embedding) + 12LHQs */
    CSZ_ESTIMATE_FLOPS_NARAYANAN = 5215,  /* a token: Narayanan et al. 2021, equation 3 */

    /* 5300 memory of one accelerator at its peak: the stage with the largest. *_at gives each
       stage. The parts sum to the likely total. */
    CSZ_ESTIMATE_MEMORY_WEIGHTS = 5301,
    CSZ_ESTIMATE_MEMORY_GRADIENTS = 5302,
    CSZ_ESTIMATE_MEMORY_MASTER = 5303,    /* master weights */
    CSZ_ESTIMATE_MEMORY_OPTIMIZER = 5304, /* moments */
    CSZ_ESTIMATE_MEMORY_ACTIVATIONS = 5305,
    CSZ_ESTIMATE_MEMORY_LOGITS = 5306,    /* logits and loss */
    CSZ_ESTIMATE_MEMORY_GATHERED = 5307,  /* units gathered by ZeRO-3 or FSDP */
    CSZ_ESTIMATE_MEMORY_BUFFERS = 5308,   /* buckets, staging, copies in low precision */
    CSZ_ESTIMATE_MEMORY_WORKSPACE = 5309, /* the layer at work, kernels, optimizer temporaries */
    CSZ_ESTIMATE_MEMORY_FRAGMENTATION = 5310, /* held by the caching allocator, not in use */
    CSZ_ESTIMATE_MEMORY_CONTEXT = 5311,   /* device context, communicators: outside the allocator */
    CSZ_ESTIMATE_MEMORY_ALLOCATED = 5321, /* range; live tensors */
    CSZ_ESTIMATE_MEMORY_RESERVED = 5322,  /* range; allocated and fragmentation */
    CSZ_ESTIMATE_MEMORY_TOTAL = 5323,     /* range; reserved and context: what the driver shows */
    CSZ_ESTIMATE_MEMORY_USABLE = 5324,
    CSZ_ESTIMATE_MEMORY_MARGIN = 5325, /* usable - total */
    CSZ_ESTIMATE_MEMORY_FIT = 5326,    /* csz_fit */
    CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY = 5327,
    CSZ_ESTIMATE_MEMORY_WORST_STAGE = 5328, /* index from 0 */
    CSZ_ESTIMATE_MEMORY_MOMENT = 5329,      /* csz_moment of the peak */
    CSZ_ESTIMATE_MEMORY_PER_PARAMETER =
        5330, /* bytes of states for a trained parameter, unsharded */

    /* 5350 memory of one node's host. */
    CSZ_ESTIMATE_HOST_LOAD = 5351,      /* while weights are read */
    CSZ_ESTIMATE_HOST_OFFLOAD = 5352,   /* states and activations kept for the accelerators */
    CSZ_ESTIMATE_HOST_STAGING = 5353,   /* of a checkpoint on its way to storage */
    CSZ_ESTIMATE_HOST_PROCESSES = 5354, /* programs, libraries and data loaders */
    CSZ_ESTIMATE_HOST_TOTAL = 5355,     /* range */
    CSZ_ESTIMATE_HOST_USABLE = 5356,
    CSZ_ESTIMATE_HOST_FIT = 5357, /* csz_fit; unset when the node's memory is not known */

    /* 5400 list stages. */
    CSZ_ESTIMATE_STAGE_LAYERS = 5401,
    CSZ_ESTIMATE_STAGE_PARAMETERS =
        5402, /* held by one accelerator before data-parallel sharding */
    CSZ_ESTIMATE_STAGE_IN_FLIGHT =
        5403, /* micro-batches whose activations are held, in whole stages */
    CSZ_ESTIMATE_STAGE_WEIGHTS = 5404,
    CSZ_ESTIMATE_STAGE_GRADIENTS = 5405,
    CSZ_ESTIMATE_STAGE_MASTER = 5406,
    CSZ_ESTIMATE_STAGE_OPTIMIZER = 5407,
    CSZ_ESTIMATE_STAGE_ACTIVATIONS = 5408,
    CSZ_ESTIMATE_STAGE_LOGITS = 5409,
    CSZ_ESTIMATE_STAGE_GATHERED = 5410,
    CSZ_ESTIMATE_STAGE_BUFFERS = 5411,
    CSZ_ESTIMATE_STAGE_WORKSPACE = 5412,
    CSZ_ESTIMATE_STAGE_FRAGMENTATION = 5413,
    CSZ_ESTIMATE_STAGE_CONTEXT = 5414,
    CSZ_ESTIMATE_STAGE_ALLOCATED = 5421,
    CSZ_ESTIMATE_STAGE_RESERVED = 5422,
    CSZ_ESTIMATE_STAGE_TOTAL = 5423,
    CSZ_ESTIMATE_STAGE_MOMENT = 5424, /* csz_moment */
    CSZ_ESTIMATE_STAGE_TIME = 5425,   /* one micro-batch, forward and backward */
    /* Parts of it, which sum to it. */
    CSZ_ESTIMATE_STAGE_TIME_MATRICES = 5431,
    CSZ_ESTIMATE_STAGE_TIME_ATTENTION = 5432,
    CSZ_ESTIMATE_STAGE_TIME_POINTWISE = 5433,
    CSZ_ESTIMATE_STAGE_TIME_RECOMPUTE = 5434,
    CSZ_ESTIMATE_STAGE_TIME_LOGITS = 5435,           /* embedding, output layer and loss */
    CSZ_ESTIMATE_STAGE_TIME_TENSOR_TRAFFIC = 5436,   /* exposed */
    CSZ_ESTIMATE_STAGE_TIME_CONTEXT_TRAFFIC = 5437,  /* exposed */
    CSZ_ESTIMATE_STAGE_TIME_EXPERT_TRAFFIC = 5438,   /* exposed, with dispatch */
    CSZ_ESTIMATE_STAGE_TIME_PIPELINE_TRAFFIC = 5439, /* exposed */
    CSZ_ESTIMATE_STAGE_TIME_HOST = 5440,             /* launches that the device waits for */

    /* 5500 the step. The terms sum to its likely time. */
    CSZ_ESTIMATE_STEP_TIME = 5501,             /* range */
    CSZ_ESTIMATE_STEP_MATRICES = 5502,         /* matrix products of the layers */
    CSZ_ESTIMATE_STEP_ATTENTION = 5503,        /* attention core */
    CSZ_ESTIMATE_STEP_POINTWISE = 5504,        /* norms, activations, residuals */
    CSZ_ESTIMATE_STEP_RECOMPUTE = 5505,        /* computing again, with its traffic */
    CSZ_ESTIMATE_STEP_LOGITS = 5506,           /* embedding, output layer and loss */
    CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC = 5507,   /* exposed */
    CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC = 5508,  /* exposed */
    CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC = 5509,   /* exposed, with dispatch */
    CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC = 5510, /* exposed */
    CSZ_ESTIMATE_STEP_DATA_TRAFFIC = 5511,     /* exposed */
    CSZ_ESTIMATE_STEP_BUBBLE = 5512,           /* idle pipeline stages */
    CSZ_ESTIMATE_STEP_IMBALANCE = 5513,        /* slowest stage against the mean */
    CSZ_ESTIMATE_STEP_OPTIMIZER = 5514,
    CSZ_ESTIMATE_STEP_HOST = 5515, /* launches that the device waits for, fixed time, stragglers */
    CSZ_ESTIMATE_STEP_OFFLOAD = 5516, /* traffic to the host and the optimizer's step there */
    CSZ_ESTIMATE_STEP_TOKENS_PER_SECOND = 5521, /* of all accelerators */
    CSZ_ESTIMATE_STEP_TOKENS_PER_SECOND_ACCELERATOR = 5522,
    CSZ_ESTIMATE_STEP_FLOPS_ACCELERATOR = 5523, /* FLOP/s of one accelerator by flops.per_token */
    CSZ_ESTIMATE_STEP_MFU = 5531,               /* against the dense peak of compute_format */
    CSZ_ESTIMATE_STEP_MFU_BF16 = 5532,          /* against the dense bf16 peak */
    CSZ_ESTIMATE_STEP_HFU = 5533,               /* recomputation counted */
    CSZ_ESTIMATE_STEP_MFU_SIX_N = 5534,
    CSZ_ESTIMATE_STEP_MFU_FULL = 5535,
    CSZ_ESTIMATE_STEP_MFU_PALM = 5536,
    CSZ_ESTIMATE_STEP_MFU_TORCHTITAN = 5537,
    CSZ_ESTIMATE_STEP_MFU_NARAYANAN = 5538,
    CSZ_ESTIMATE_STEP_CRITICAL_STAGE = 5541, /* index from 0 */
    CSZ_ESTIMATE_STEP_HOST_ONCE = 5542,      /* of step.host: fixed time of a step, stragglers */

    /* 5550 measurements behind the step time. */
    CSZ_ESTIMATE_EVIDENCE_FAMILY = 5551, /* accelerator family; text */
    CSZ_ESTIMATE_EVIDENCE_STACK = 5552,  /* stack of the likely time, named or usual; text */
    CSZ_ESTIMATE_EVIDENCE_CONFIGURATIONS = 5553, /* measured with both; 0: none */
    CSZ_ESTIMATE_EVIDENCE_MEDIAN_ERROR = 5554,   /* of those; unset without any */
    CSZ_ESTIMATE_EVIDENCE_P90_ERROR = 5555,      /* of those; unset without any */
    CSZ_ESTIMATE_EVIDENCE_DATE = 5556,           /* of the newest; text; unset without any */
    CSZ_ESTIMATE_EVIDENCE_BAND = 5557,           /* what step.time's low and high rest on; text */

    /* 5600 the run. */
    CSZ_ESTIMATE_RUN_TIME = 5601,       /* range; wall time with failures and checkpoints */
    CSZ_ESTIMATE_RUN_IDEAL_TIME = 5602, /* steps x step time */
    CSZ_ESTIMATE_RUN_GOODPUT = 5603,    /* ideal / wall time */
    CSZ_ESTIMATE_RUN_TIME_BETWEEN_FAILURES = 5604, /* mean, of the whole job */
    CSZ_ESTIMATE_RUN_CHECKPOINT_BYTES = 5605,
    CSZ_ESTIMATE_RUN_CHECKPOINT_TIME = 5606, /* of one write */
    CSZ_ESTIMATE_RUN_CHECKPOINT_INTERVAL = 5607,
    CSZ_ESTIMATE_RUN_ACCELERATOR_HOURS = 5608,
    CSZ_ESTIMATE_RUN_COST = 5609,   /* range; accelerator-hours x price */
    CSZ_ESTIMATE_RUN_ENERGY = 5610, /* of the accelerators at their board limit: an upper bound */

    /* 5700 main operations, one of each kind that the job has: get_f64_at. */
    CSZ_ESTIMATE_KERNEL_KIND = 5701,      /* csz_kernel */
    CSZ_ESTIMATE_KERNEL_FLOPS = 5702,     /* forward, one micro-batch on one accelerator */
    CSZ_ESTIMATE_KERNEL_BYTES = 5703,     /* of memory traffic */
    CSZ_ESTIMATE_KERNEL_TIME = 5704,      /* forward */
    CSZ_ESTIMATE_KERNEL_INTENSITY = 5705, /* FLOPs over bytes */
    CSZ_ESTIMATE_KERNEL_BALANCE = 5706,   /* intensity from which on the part is bound by compute */
    CSZ_ESTIMATE_KERNEL_REACHED = 5707,   /* FLOP/s: FLOPs over time */
    CSZ_ESTIMATE_KERNEL_PEAK = 5708,      /* FLOP/s, dense, of the operation's number format */
    CSZ_ESTIMATE_KERNEL_BOUND = 5709,     /* csz_bound */

    /* 6000 ranking. */
    CSZ_RANKING_CANDIDATES = 6001, /* plans considered */
    CSZ_RANKING_VALID = 6002,      /* that can exist */
    CSZ_RANKING_FITTING =
        6003, /* found to fit or to be tight; surely slower ones are not checked */
    CSZ_RANKING_ACCELERATORS = 6004, /* of entry 0 */
    CSZ_RANKING_NODES = 6005,        /* of entry 0 */
    CSZ_RANKING_EVALUATED = 6006,    /* whose estimate was computed; bounds rule out the others */

    /* 7000 catalog: model, accelerator, node, fabric, offer, curve, operation, reliability. Every
       entry has id, source, date, confidence. */
    CSZ_MODEL_ID = 7001,
    CSZ_MODEL_FAMILY = 7002,
    CSZ_MODEL_PUBLISHED = 7003,    /* year */
    CSZ_MODEL_PARAMETERS = 7004,   /* published count of the unique parameters */
    CSZ_MODEL_ARCHITECTURE = 7005, /* workload fields as text */
    CSZ_MODEL_SOURCE = 7006,
    CSZ_MODEL_DATE = 7007,
    CSZ_MODEL_CONFIDENCE = 7008,
    CSZ_ACCELERATOR_ID = 7101,
    CSZ_ACCELERATOR_NAME = 7102,
    CSZ_ACCELERATOR_VENDOR = 7103,
    CSZ_ACCELERATOR_FAMILY = 7104,
    CSZ_ACCELERATOR_MEMORY = 7105,       /* as the driver reports it */
    CSZ_ACCELERATOR_MEMORY_LABEL = 7106, /* as sold */
    CSZ_ACCELERATOR_MEMORY_BANDWIDTH = 7107,
    CSZ_ACCELERATOR_PEAK_FP32 = 7108,
    CSZ_ACCELERATOR_PEAK_TF32 = 7109,
    CSZ_ACCELERATOR_PEAK_BF16 = 7110,
    CSZ_ACCELERATOR_PEAK_FP16 = 7111,
    CSZ_ACCELERATOR_PEAK_FP8 = 7112,
    CSZ_ACCELERATOR_PEAK_FP4 = 7113,
    CSZ_ACCELERATOR_LINK_BANDWIDTH = 7114,
    CSZ_ACCELERATOR_SCALE_UP_DOMAIN = 7115,
    CSZ_ACCELERATOR_POWER = 7116,
    CSZ_ACCELERATOR_DEFAULT_NODE = 7117, /* id of the usual node */
    CSZ_ACCELERATOR_DOUBT = 7118,
    CSZ_ACCELERATOR_SOURCE = 7119,
    CSZ_ACCELERATOR_DATE = 7120,
    CSZ_ACCELERATOR_CONFIDENCE = 7121,
    CSZ_NODE_ID = 7201,
    CSZ_NODE_NAME = 7202,
    CSZ_NODE_PROVIDER = 7203,
    CSZ_NODE_ACCELERATOR = 7204,
    CSZ_NODE_ACCELERATORS = 7205,
    CSZ_NODE_SCALE_UP_DOMAIN = 7206,
    CSZ_NODE_SCALE_OUT_BANDWIDTH = 7207, /* of one accelerator, one way */
    CSZ_NODE_POWER = 7208,
    CSZ_NODE_FABRIC = 7209,
    CSZ_NODE_DOUBT = 7210,
    CSZ_NODE_SOURCE = 7211,
    CSZ_NODE_DATE = 7212,
    CSZ_NODE_CONFIDENCE = 7213,
    CSZ_NODE_HOST_MEMORY = 7214,
    CSZ_FABRIC_ID = 7301,
    CSZ_FABRIC_NAME = 7302,
    CSZ_FABRIC_BANDWIDTH = 7303, /* of one accelerator at one port each, one way */
    CSZ_FABRIC_SOURCE = 7304,
    CSZ_FABRIC_DATE = 7305,
    CSZ_FABRIC_CONFIDENCE = 7306,
    CSZ_FABRIC_LATENCY = 7307, /* of an adapter, one way */
    CSZ_OFFER_ID = 7401,
    CSZ_OFFER_ACCELERATOR = 7402,
    CSZ_OFFER_PROVIDER = 7403,
    CSZ_OFFER_INSTANCE = 7404,
    CSZ_OFFER_REGION = 7405,
    CSZ_OFFER_TERM = 7406,  /* on-demand, spot, reserved-1y, reserved-3y, purchase */
    CSZ_OFFER_PRICE = 7407, /* for an hour; unset for a purchase */
    CSZ_OFFER_LOW = 7408,   /* least quote behind a summary */
    CSZ_OFFER_HIGH = 7409,  /* largest quote behind a summary */
    CSZ_OFFER_SOURCE = 7410,
    CSZ_OFFER_DATE = 7411,
    CSZ_OFFER_CONFIDENCE = 7412,
    CSZ_OFFER_PURCHASE = 7413,      /* of one accelerator, bought; unset for a rental */
    CSZ_OFFER_PURCHASE_LOW = 7414,  /* least quote behind a summary */
    CSZ_OFFER_PURCHASE_HIGH = 7415, /* largest quote behind a summary */
    CSZ_CURVE_ID = 7501,
    CSZ_CURVE_SYSTEM = 7502,        /* what was measured, as the source calls it */
    CSZ_CURVE_ACCELERATOR = 7503,   /* id */
    CSZ_CURVE_FABRIC = 7504,        /* id, where the ranks span nodes */
    CSZ_CURVE_OPERATION = 7505,     /* all-reduce, all-gather, reduce-scatter, all-to-all, send,
                                       copy, round-trip, hop, base */
    CSZ_CURVE_RANKS = 7506,         /* accelerators that take part */
    CSZ_CURVE_BYTES = 7507,         /* of the message, as nccl-tests count it */
    CSZ_CURVE_BUS_BANDWIDTH = 7508, /* of the busiest link: time = bytes x factor / bus bandwidth,
                                       factor 2(n-1)/n for all-reduce, (n-1)/n for all-gather,
                                       reduce-scatter and all-to-all (nccl-tests) */
    CSZ_CURVE_LATENCY = 7509,       /* of the whole operation, or of one hop, launch, round trip */
    CSZ_CURVE_CONDITIONS = 7510,
    CSZ_CURVE_SOURCE = 7511,
    CSZ_CURVE_DATE = 7512,
    CSZ_CURVE_CONFIDENCE = 7513,
    CSZ_OPERATION_ID = 7601,
    CSZ_OPERATION_TOPIC = 7602, /* defaults, electricity, pue, colocation, power, depreciation,
                                   capex, opex, tco, facility, utilisation, operations, storage,
                                   link, topology, network */
    CSZ_OPERATION_SUBJECT = 7603,
    CSZ_OPERATION_METRIC = 7604,
    CSZ_OPERATION_VALUE = 7605, /* in the unit of the row, not in a base unit */
    CSZ_OPERATION_UNIT = 7606,  /* "USD/kWh" and the like, as the source prints it */
    CSZ_OPERATION_LOW = 7607,   /* as value */
    CSZ_OPERATION_HIGH = 7608,
    CSZ_OPERATION_NOTE = 7609,
    CSZ_OPERATION_SOURCE = 7610,
    CSZ_OPERATION_DATE = 7611,
    CSZ_OPERATION_CONFIDENCE = 7612,
    CSZ_RELIABILITY_ID = 7701,
    CSZ_RELIABILITY_RUN = 7702,          /* model or cluster */
    CSZ_RELIABILITY_ACCELERATOR = 7703,  /* id */
    CSZ_RELIABILITY_ACCELERATORS = 7704, /* how many the run had */
    CSZ_RELIABILITY_METRIC = 7705,
    CSZ_RELIABILITY_VALUE = 7706, /* in the unit of the row, not in a base unit */
    CSZ_RELIABILITY_UNIT = 7707,  /* "1/node-day" and the like */
    CSZ_RELIABILITY_SHARE = 7708, /* of the run's interruptions */
    CSZ_RELIABILITY_NOTE = 7709,
    CSZ_RELIABILITY_SOURCE = 7710,
    CSZ_RELIABILITY_DATE = 7711,
    CSZ_RELIABILITY_CONFIDENCE = 7712,

    /* 8000 calibration. Residuals of runs are ln(predicted / measured). */
    CSZ_CALIBRATION_RESIDUAL_BEFORE = 8001, /* root mean square over the runs */
    CSZ_CALIBRATION_RESIDUAL = 8002,        /* the same after */
    CSZ_CALIBRATION_GEMM_RESIDUAL_BEFORE = 8003,
    CSZ_CALIBRATION_GEMM_RESIDUAL = 8004,
    CSZ_CALIBRATION_COPY_RESIDUAL_BEFORE = 8005,
    CSZ_CALIBRATION_COPY_RESIDUAL = 8006,

    /* 8100 list multipliers: all of csz_multiplier. */
    CSZ_CALIBRATION_MULTIPLIER = 8101, /* csz_multiplier */
    CSZ_CALIBRATION_MULTIPLIER_BEFORE = 8102,
    CSZ_CALIBRATION_MULTIPLIER_AFTER = 8103,
    CSZ_CALIBRATION_MULTIPLIER_UNCERTAINTY = 8104, /* standard deviation of its ln that is left */
    CSZ_CALIBRATION_MULTIPLIER_PRIOR = 8105,       /* the same before any measurement */
    CSZ_CALIBRATION_MULTIPLIER_LOWEST = 8106,
    CSZ_CALIBRATION_MULTIPLIER_HIGHEST = 8107,

    /* 8200 list runs, in the order in which they were added. */
    CSZ_CALIBRATION_RUN_ACCELERATORS = 8201,
    CSZ_CALIBRATION_RUN_MEASURED = 8202, /* seconds of a step, here and below */
    CSZ_CALIBRATION_RUN_BEFORE = 8203,   /* predicted */
    CSZ_CALIBRATION_RUN_AFTER = 8204,
    CSZ_CALIBRATION_RUN_FLOOR = 8205, /* what no machine of these peaks passes */
    CSZ_CALIBRATION_RUN_RESIDUAL_BEFORE = 8206,
    CSZ_CALIBRATION_RUN_RESIDUAL = 8207,
    CSZ_CALIBRATION_RUN_UNCERTAINTY = 8208, /* that it was weighed with */

    /* 8300 list collectives: outputs of nccl-tests, in the order in which they were added. */
    CSZ_CALIBRATION_COLLECTIVE = 8301, /* csz_collective */
    CSZ_CALIBRATION_COLLECTIVE_RANKS = 8302,
    CSZ_CALIBRATION_COLLECTIVE_DOMAINS = 8303, /* scale-up domains that the ranks touch */
    CSZ_CALIBRATION_COLLECTIVE_SIZES = 8304,   /* lines of the output that were used */
    CSZ_CALIBRATION_COLLECTIVE_RESIDUAL =
        8305, /* root mean square of (fitted - measured) / measured */

    /* 9000 projection: the run with its stops. */
    CSZ_PROJECTION_ACCELERATORS = 9001,
    CSZ_PROJECTION_ACCELERATORS_PAID = 9002,
    CSZ_PROJECTION_UNITS = 9003,
    CSZ_PROJECTION_UNIT_ACCELERATORS = 9004,
    CSZ_PROJECTION_SPARES = 9005,
    CSZ_PROJECTION_TIME = 9006,
    CSZ_PROJECTION_IDEAL = 9007,
    CSZ_PROJECTION_GOODPUT = 9008,
    CSZ_PROJECTION_EFFECTIVE = 9009,
    CSZ_PROJECTION_FAILURES_PER_DAY = 9010,
    CSZ_PROJECTION_FAILURES = 9011,
    CSZ_PROJECTION_RESTART = 9012,
    CSZ_PROJECTION_CHECKPOINT_BYTES = 9013,
    CSZ_PROJECTION_CHECKPOINT_RATE = 9014,
    CSZ_PROJECTION_CHECKPOINT_WRITE = 9015,
    CSZ_PROJECTION_CHECKPOINT_BLOCKED = 9016,
    CSZ_PROJECTION_CHECKPOINT_INTERVAL = 9017,
    CSZ_PROJECTION_OVERHEAD = 9018,
    CSZ_PROJECTION_READ_RATE = 9019,
    CSZ_PROJECTION_READ_STALL = 9020,

    /* 9100 the budget. */
    CSZ_PROJECTION_HEADROOM = 9101,
    CSZ_PROJECTION_BUDGET_TIME = 9102,
    CSZ_PROJECTION_ACCELERATOR_HOURS = 9103,

    /* 9200 renting. */
    CSZ_PROJECTION_RENT_COST = 9201,
    CSZ_PROJECTION_RENT_MACHINES = 9202,
    CSZ_PROJECTION_RENT_UNUSED = 9203,
    CSZ_PROJECTION_STORAGE_COST = 9204,
    CSZ_PROJECTION_EGRESS_COST = 9205,
    CSZ_PROJECTION_RENT_HOUR = 9206,

    /* 9300 owning. */
    CSZ_PROJECTION_OWN_COST = 9301,
    CSZ_PROJECTION_OWN_PURCHASE = 9302,
    CSZ_PROJECTION_OWN_YEAR = 9303,
    CSZ_PROJECTION_OWN_HOUR = 9304,
    CSZ_PROJECTION_OWN_DEPRECIATION = 9305,
    CSZ_PROJECTION_OWN_CAPITAL = 9306,
    CSZ_PROJECTION_OWN_ELECTRICITY = 9307,
    CSZ_PROJECTION_OWN_COLOCATION = 9308,
    CSZ_PROJECTION_OWN_MAINTENANCE = 9309,
    CSZ_PROJECTION_OWN_STAFF = 9310,
    CSZ_PROJECTION_BREAK_EVEN_UTILIZATION = 9311,
    CSZ_PROJECTION_BREAK_EVEN_MONTHS = 9312,

    /* 9400 energy. */
    CSZ_PROJECTION_ENERGY = 9401,
    CSZ_PROJECTION_POWER = 9402,
    CSZ_PROJECTION_CARBON = 9403,

    /* 9500 list rentals. */
    CSZ_PROJECTION_RENTAL_OFFER = 9501,
    CSZ_PROJECTION_RENTAL_TERM = 9502,
    CSZ_PROJECTION_RENTAL_PRICE = 9503,
    CSZ_PROJECTION_RENTAL_TIME = 9504,
    CSZ_PROJECTION_RENTAL_COST = 9505,
    CSZ_PROJECTION_RENTAL_UNUSED = 9506,
    CSZ_PROJECTION_RENTAL_BREAK_EVEN_UTILIZATION = 9507,
    CSZ_PROJECTION_RENTAL_BREAK_EVEN_MONTHS = 9508,

    /* 9600 list swings: what moves a cost, the largest first. */
    CSZ_PROJECTION_SWING_OF = 9601,
    CSZ_PROJECTION_SWING_INPUT = 9602,
    CSZ_PROJECTION_SWING_LOW = 9603,
    CSZ_PROJECTION_SWING_HIGH = 9604,
    CSZ_PROJECTION_SWING_COST_LOW = 9605,
    CSZ_PROJECTION_SWING_COST_HIGH = 9606,

    /* 9700 list fabrics: the same job on other networks. */
    CSZ_PROJECTION_FABRIC = 9701,
    CSZ_PROJECTION_FABRIC_BANDWIDTH = 9702,
    CSZ_PROJECTION_FABRIC_STEP = 9703,
    CSZ_PROJECTION_FABRIC_TIME = 9704,
    CSZ_PROJECTION_FABRIC_COST = 9705,

    /* 9800 the network and its parts. */
    CSZ_PROJECTION_NETWORK_NEEDED = 9801,
    CSZ_PROJECTION_NETWORK_LEAST = 9802,
    CSZ_PROJECTION_NETWORK_UNLIMITED_STEP = 9803,
    CSZ_PROJECTION_NETWORK_OVERSUBSCRIBED_STEP = 9804,
    CSZ_PROJECTION_NETWORK_OVERSUBSCRIBED_COST = 9805,
    CSZ_PROJECTION_NETWORK_LEVELS = 9806,
    CSZ_PROJECTION_NETWORK_PORTS = 9807,
    CSZ_PROJECTION_NETWORK_LEAF_SWITCHES = 9808,
    CSZ_PROJECTION_NETWORK_UPPER_SWITCHES = 9809,
    CSZ_PROJECTION_NETWORK_LINKS = 9810,
    CSZ_PROJECTION_NETWORK_PRICE = 9811,
    CSZ_PROJECTION_NETWORK_NODES_PER_RACK = 9812,
    CSZ_PROJECTION_NETWORK_RACKS = 9813,
    CSZ_PROJECTION_NETWORK_SITE_POWER = 9814,
    CSZ_PROJECTION_NETWORK_COOLING = 9815,

    /* 9900 the curve of counts. */
    CSZ_PROJECTION_KNEE = 9901,
    CSZ_PROJECTION_CHEAPEST = 9902,
    CSZ_PROJECTION_FASTEST = 9903,
    CSZ_PROJECTION_IN_TIME = 9904,
    CSZ_PROJECTION_LEAST_TIME = 9905,
    CSZ_PROJECTION_LEAST_COST = 9906,

    /* 9950 list points: counts, ascending. */
    CSZ_PROJECTION_POINT_ACCELERATORS = 9951,
    CSZ_PROJECTION_POINT_TIME = 9952,
    CSZ_PROJECTION_POINT_COST = 9953,
    CSZ_PROJECTION_POINT_MFU = 9954,
    CSZ_PROJECTION_POINT_EFFICIENCY = 9955,
    CSZ_PROJECTION_POINT_EXTRA_HOURS = 9956,
    CSZ_PROJECTION_POINT_PER_DAY = 9957,
    CSZ_FIELD_MAX_ENUM = 0x7fffffff
} csz_field;

#endif
