/* stack_memory.h: memory constants of families of training software, for the rows of stacks.inc,
 * which may override some after them. Date: 2026-08. */
/* clang-format off */
/* Evidence, by constant; the rows are those of tests/accuracy/memory_rows.csv.
 *
 * loss_bytes        per logit: plain, fused, chunked, linear. Megatron plain 6 (16-bit logits and an
 *                   fp32 copy worked on in place) and fused 10: exact bytes of 221 test cases. Eager
 *                   PyTorch plain 14: packing, compilation and chunking switched one by one on
 *                   Llama-3.2-3B (torchtune), ZeRO-2 over micro-batches (ColossalChat). Compiled
 *                   plain 12, fused 4: the same and torchtitan; chunked 2.5: all in 16 bit and one of
 *                   8 chunks in fp32. nanotron 9: 19 runs.
 *                   Hugging Face losses beside DDP 16: between torchtune's 14 and ms-swift's runs
 *                   with and without a fused loss. xla 4: what TPU runs leave room for.
 * weight_scratch    2 bytes a parameter of one layer: Transformer Engine caches one gradient of each
 *                   shape; 31 runs over tensor and pipeline degrees, experts counted once.
 * workspace         Megatron 0.1e9 B: steady bytes of the test cases over their states. PyTorch half
 *                   of it.
 * quantized_copies  eager layers on NF4 weights keep 1.6 times the activations: 14 pairs of LoRA and
 *                   QLoRA (litgpt); bitsandbytes returns products in the type of its input.
 * gradient_copy     DeepSpeed converts its partition of gradients to fp32 for the step: ColossalChat
 *                   with 2 and 4 ranks.
 * optimizer_temporary  eager AdamW and Lion work over all parameters at once with one moment's
 *                   temporaries (torch.optim's foreach implementation), unless they are one kernel.
 * reducer_copies    buckets of DistributedDataParallel, unless gradients are views of them: "equal to
 *                   the total gradients size" (its documentation of gradient_as_bucket_view, whose
 *                   default is no).
 * slack_*           reserved over allocated bytes: 1.03 to 1.09 on 31 runs, 1.03 to 1.21 elsewhere, up
 *                   to 1.47 in failures; slack_chunks: one interleaved plan that failed at 0.69 of its
 *                   device and ran with expandable segments. slack_expandable: a judgement.
 * context_*, communicator  0.47 to 2 GB of context, 0.34 to 0.39 GB a communicator (modelling: torch
 *                   2.1 and serving engines), and the 161 readings of drivers.
 * memory_low, _high measured over predicted allocated bytes, 80%: 85% of 133 readings lie within.
 * memory_rows       readings of an allocator with all settings stated, by stack: 133, and 221 test
 *                   cases of megatron.
 * host_process      a Python process with its libraries and two loader workers: a judgement.
 */
/* clang-format on */
#ifndef CSZI_FACTS_STACK_MEMORY_H
#define CSZI_FACTS_STACK_MEMORY_H

#define OPTIMIZER(name) (1 << CSZ_OPTIMIZER_##name)
#define TORCH_OPTIMIZERS                                                                           \
    (OPTIMIZER(ADAMW) | OPTIMIZER(ADAM_8BIT) | OPTIMIZER(SGD) | OPTIMIZER(MOMENTUM) |              \
     OPTIMIZER(LION) | OPTIMIZER(MUON) | OPTIMIZER(ADAFACTOR) | OPTIMIZER(PAGED_ADAM_8BIT) |       \
     OPTIMIZER(ADAM_4BIT))
#define MEGATRON_MEMORY                                                                            \
    .fused = 1, .caches_low = 1, .gradients_persist = 1, .gradients_fused = 1, .prefetch = 1,      \
    .reducing_units = 1, .loss_bytes = {6, 10, 6, 2}, .weight_scratch = 2, .workspace = 0.1e9,     \
    .context_low = 1.0e9, .context_likely = 1.5e9, .context_high = 3.0e9, .communicator = 0.4e9,   \
    .slack_low = 0.01, .slack_likely = 0.05, .slack_high = 0.15, .slack_chunks = 3,                \
    .slack_expandable = 0.3, .memory_low = 0.96, .memory_high = 1.05, .memory_rows = 255,          \
    .host_process = 6e9,                                                                           \
    .optimizers = OPTIMIZER(ADAMW) | OPTIMIZER(SGD) | OPTIMIZER(MOMENTUM) | OPTIMIZER(LION) |      \
                  OPTIMIZER(MUON) | OPTIMIZER(ADAM_8BIT),                                          \
    .pipeline_sharding = CSZ_SHARDING_GRADIENTS, .loss = CSZ_LOSS_KERNEL_PLAIN, .offload = 1
#define LEGACY_MEMORY                                                                              \
    MEGATRON_MEMORY, .weight_scratch = 0, .offload = 0, .memory_low = 0.92, .memory_high = 1.1,    \
                     .memory_rows = 0
#define EAGER_MEMORY                                                                               \
    .gathers_weights = 1, .casts_all = 1, .prefetch = 1, .reducing_units = 1,                      \
    .loss_bytes = {14, 4, 6, 0}, .quantized_copies = 1.6, .optimizer_temporary = 1,                \
    .workspace = 0.05e9, .context_low = 0.5e9, .context_likely = 1.0e9, .context_high = 2.5e9,     \
    .communicator = 0.4e9, .slack_low = 0.01, .slack_likely = 0.06, .slack_high = 0.2,             \
    .slack_expandable = 0.3, .memory_low = 0.9, .memory_high = 1.12, .memory_rows = 9,             \
    .loads_whole = 1, .host_process = 6e9, .optimizers = TORCH_OPTIMIZERS,                         \
    .pipeline_sharding = CSZ_SHARDING_PARAMETERS + 1, .loss = CSZ_LOSS_KERNEL_PLAIN, .release = 1, \
    .operations = 1, .offload = 1
#define COMPILED_MEMORY                                                                            \
    EAGER_MEMORY, .fused = 1, .loss_bytes = {12, 4, 2.5, 0}, .loss = CSZ_LOSS_KERNEL_FUSED,        \
                  .optimizer_temporary = 0, .memory_low = 0.93, .memory_high = 1.08,               \
                  .memory_rows = 19
#define NANOTRON_MEMORY                                                                            \
    EAGER_MEMORY, .gathers_weights = 0, .casts_all = 0, .gradients_persist = 1,                    \
                  .loss_bytes = {9, 9, 9, 2}, .optimizer_temporary = 0, .memory_low = 0.9,         \
                  .memory_high = 1.15, .memory_rows = 19, .loads_whole = 0, .release = 0,          \
                  .offload = 0
#define DDP_MEMORY                                                                                 \
    EAGER_MEMORY, .loss_bytes = {16, 4, 6, 0}, .loads_whole = 0, .memory_rows = 52,                \
                  .reducer_copies = 1
#define DEEPSPEED_MEMORY                                                                           \
    EAGER_MEMORY, .gathers_weights = 0, .casts_all = 0, .gradient_copy = 4,                        \
                  .offloads_gradients = 1, .optimizer_temporary = 0, .bucket_bytes = 1e9,          \
                  .buckets = 2, .pipeline_sharding = CSZ_SHARDING_GRADIENTS, .release = 0,         \
                  .offload = 2, .loads_whole = 0, .memory_rows = 0
#define XLA_MEMORY                                                                                 \
    .fused = 1, .gathers_weights = 1, .prefetch = 1, .reducing_units = 1,                          \
    .loss_bytes = {4, 4, 4, 2}, .context_low = 0.3e9, .context_likely = 0.5e9,                     \
    .context_high = 1.5e9, .communicator = 0, .slack_low = 0, .slack_likely = 0.03,                \
    .slack_high = 0.12, .slack_expandable = 1, .memory_low = 0.85, .memory_high = 1.15,            \
    .memory_rows = 0, .host_process = 6e9,                                                         \
    .optimizers = OPTIMIZER(ADAMW) | OPTIMIZER(SGD) | OPTIMIZER(MOMENTUM) | OPTIMIZER(LION) |      \
                  OPTIMIZER(MUON) | OPTIMIZER(ADAFACTOR),                                          \
    .pipeline_sharding = CSZ_SHARDING_PARAMETERS + 1, .loss = CSZ_LOSS_KERNEL_PLAIN, .offload = 1

#endif
