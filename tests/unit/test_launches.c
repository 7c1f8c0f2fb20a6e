/* test_launches.c: launch files in: what their options mean, what is refused and where; plans out:
 * what has no option, batch scripts. Meanings are those of each project's documentation at the
 * version that csz_launch_version names. */
#include <stdlib.h>
#include <string.h>

#include "question.h"

#define CAPACITY 32768

static question q;
static char text[CAPACITY];

static void setup(void)
{
    question_open(&q);
    question_set(&q, "model=llama-3-8b", "accelerator=h100-sxm-80gb accelerators=64", "");
}

static void teardown(void)
{
    question_close(&q);
}

/* ---- In ---- */

/* A block of its exact size, so that a sanitizer sees a read beyond it. */
static csz_status load(csz_source source, const char *file)
{
    size_t length = strlen(file);
    char *exact = malloc(length > 0 ? length : 1);
    csz_status status;
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, file, length);
    status = csz_plan_load_launch(q.plan, q.workload, q.cluster, source, exact, length);
    free(exact);
    return status;
}

static void reads(csz_source source, const char *file)
{
    ck_assert_msg(load(source, file) == CSZ_OK, "%s\n%s", csz_plan_error(q.plan, NULL), file);
}

static void says(csz_field field, const char *expected)
{
    char value[64] = "";
    if (field / 1000 == CSZ_OBJECT_PLAN && csz_plan_is_set(q.plan, field))
        (void)csz_plan_get_text(q.plan, field, value, sizeof value);
    else if (field / 1000 == CSZ_OBJECT_WORKLOAD && csz_workload_is_set(q.workload, field))
        (void)csz_workload_get_text(q.workload, field, value, sizeof value);
    ck_assert_msg(strcmp(value, expected) == 0, "%s is '%s', not '%s'", csz_field_name(field),
                  value, expected);
}

/* A failed load changes nothing. */
static void fails(csz_source source, const char *file, csz_status expected, const char *message)
{
    char before[2][4096], after[2][4096];
    csz_status status;
    (void)csz_plan_to_json(q.plan, before[0], sizeof before[0]);
    (void)csz_workload_to_json(q.workload, before[1], sizeof before[1]);
    status = load(source, file);
    ck_assert_msg(status == expected, "status %d, not %d: %s\n%s", (int)status, (int)expected,
                  csz_plan_error(q.plan, NULL), file);
    ck_assert_msg(strstr(csz_plan_error(q.plan, NULL), message) != NULL, "'%s' lacks '%s'",
                  csz_plan_error(q.plan, NULL), message);
    (void)csz_plan_to_json(q.plan, after[0], sizeof after[0]);
    (void)csz_workload_to_json(q.workload, after[1], sizeof after[1]);
    ck_assert_str_eq(before[0], after[0]);
    ck_assert_str_eq(before[1], after[1]);
}

/* 64 accelerators: 4 tensor x 2 pipeline ranks leave 8 for data; 8 sequences a rank in
 * micro-batches of 2, 256 a step; 34 layers with those of embedding and output over 2 stages. */
START_TEST(test_torchtitan)
{
    reads(CSZ_SOURCE_TORCHTITAN,
          "# comment\n[training]\nlocal_batch_size = 8 # of a rank\nglobal_batch_size = 2_56\n"
          "seq_len = 4096\nsteps = 1_000\n[parallelism]\ntensor_parallel_degree = 4\n"
          "pipeline_parallel_degree = 2\npipeline_parallel_microbatch_size = 2\n"
          "data_parallel_shard_degree = -1\nfsdp_reshard_after_forward = 'never'\n"
          "[activation_checkpoint]\nmode = \"selective\"\nselective_ac_option = 'op'\n"
          "[compile]\nenable = true\n[model]\nconverters = [\n \"float8\", # torchao\n]\n");
    says(CSZ_PLAN_TENSOR_PARALLEL, "4");
    says(CSZ_PLAN_PIPELINE_PARALLEL, "2");
    says(CSZ_PLAN_DATA_PARALLEL, "8");
    says(CSZ_PLAN_MICRO_BATCH, "2");
    says(CSZ_PLAN_SHARDING, "parameters");
    says(CSZ_PLAN_RESHARD, "no");
    says(CSZ_PLAN_RECOMPUTE, "operations");
    says(CSZ_PLAN_EMBEDDING_COUNTS, "yes");
    says(CSZ_PLAN_STACK, "fsdp-compiled");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "256");
    says(CSZ_WORKLOAD_COMPUTE_FORMAT, "fp8");
    says(CSZ_WORKLOAD_ACTIVATION_FORMAT, "bf16");
    says(CSZ_WORKLOAD_TOKENS, "1048576000");
}
END_TEST

/* What is left out is the software's default: 8 sequences of each of the ranks, which 34 layers
 * over 4 stages divide into 8, 9, 8 and 7 (the first stages take what is left). */
START_TEST(test_torchtitan_defaults)
{
    reads(
        CSZ_SOURCE_TORCHTITAN,
        "[parallelism]\npipeline_parallel_degree = 4\n[activation_checkpoint]\nmode = \"full\"\n");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "128");
    says(CSZ_WORKLOAD_SEQUENCE_LENGTH, "2048");
    says(CSZ_PLAN_MICRO_BATCH, "1");
    says(CSZ_PLAN_PIPELINE_LAYOUT, "Et*8|(t*9|)*1(t*8|)*1t*7L");
    fails(CSZ_SOURCE_TORCHTITAN, "", CSZ_ERR_MISSING, "selective_ac_option");
    fails(CSZ_SOURCE_TORCHTITAN,
          "[training]\nlocal_batch_size = 2\nglobal_batch_size = 100\n"
          "[activation_checkpoint]\nmode = \"none\"\n",
          CSZ_ERR_CONFLICT,
          "training.global_batch_size: 100 is no multiple of local_batch_size 2 x 64 data-parallel "
          "ranks; the nearest below is 0 at line 3, column 1");
    fails(CSZ_SOURCE_TORCHTITAN,
          "[parallelism]\ndata_parallel_replicate_degree = 3\n"
          "[activation_checkpoint]\nmode = \"none\"\n",
          CSZ_ERR_CONFLICT, "3 replicas do not divide the 64");
}
END_TEST

START_TEST(test_accelerate)
{
    reads(CSZ_SOURCE_ACCELERATE,
          "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\ndowncast_bf16: 'no'\n"
          "fsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: false\n"
          "  fsdp_activation_checkpointing: true\nmixed_precision: bf16\nnum_processes: 64\n"
          "parallelism_config:\n  parallelism_config_dp_replicate_size: 4\n"
          "  parallelism_config_dp_shard_size: 8\n  parallelism_config_tp_size: 2\ntpu_env: []\n");
    says(CSZ_PLAN_DATA_PARALLEL, "32");
    says(CSZ_PLAN_SHARD_GROUP, "8");
    says(CSZ_PLAN_RESHARD, "no");
    says(CSZ_PLAN_RECOMPUTE, "full");
    says(CSZ_PLAN_STACK, "fsdp-eager");
    fails(CSZ_SOURCE_ACCELERATE, "distributed_type: FSDP\nnum_processes: 8\n", CSZ_ERR_CONFLICT,
          "num_processes: 8, but there are 64 accelerators at line 2, column 1");
    fails(CSZ_SOURCE_ACCELERATE,
          "distributed_type: FSDP\nparallelism_config:\n"
          "  parallelism_config_dp_shard_size: 16\n",
          CSZ_ERR_CONFLICT, "the mesh has 16 places, not those of the 64 processes");
    fails(CSZ_SOURCE_ACCELERATE,
          "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n"
          "  fsdp_sharding_strategy: FULL_SHARD\n",
          CSZ_ERR_CONFLICT, "belongs to fsdp_version 1");
    fails(CSZ_SOURCE_ACCELERATE, "distributed_type: DEEPSPEED\n", CSZ_ERR_UNKNOWN,
          "DeepSpeed has a file of its own");
}
END_TEST

#define TOKENS                                                                                     \
    "tokens:\n  batch_accumulation_per_replica: 4\n  micro_batch_size: 2\n  sequence_length: "     \
    "2048\n  train_steps: 100\n"

/* Its whole batch is 2 x 4 x 8. */
START_TEST(test_nanotron)
{
    reads(CSZ_SOURCE_NANOTRON,
          "data_stages:\n- data:\n    seed: 42\n  name: Stable\n- name: Last\ngeneral:\n"
          "  run: tiny_%date\noptimizer:\n  accumulate_grad_in_fp32: true\n  zero_stage: 1\n"
          "parallelism:\n  dp: 8\n  pp: 4\n  pp_engine: 1f1b\n  tp: 2\n  tp_mode: "
          "REDUCE_SCATTER\nmodel:\n  dtype: bfloat16\n  model_config:\n    is_llama_config: true\n"
          "    vocab_size: 128257\n" TOKENS);
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "64");
    says(CSZ_WORKLOAD_TOKENS, "13107200");
    says(CSZ_WORKLOAD_VOCAB, "128258"); /* padded to the tensor ranks */
    says(CSZ_WORKLOAD_HIDDEN, "4096");  /* of the model that was set */
    says(CSZ_PLAN_SHARDING, "optimizer");
    says(CSZ_PLAN_SEQUENCE_PARALLEL, "yes");
    fails(CSZ_SOURCE_NANOTRON, "parallelism:\n  dp: 8\n  pp: 2\n  tp: 1\n" TOKENS, CSZ_ERR_UNKNOWN,
          "write 1f1b");
    fails(CSZ_SOURCE_NANOTRON, "parallelism:\n  dp: 8\n  pp: 1\n" TOKENS, CSZ_ERR_MISSING,
          "parallelism.tp: is missing");
}
END_TEST

START_TEST(test_nemo)
{
    reads(CSZ_SOURCE_NEMO,
          "ConfigContainer:\n  model:\n    seq_length: 8192\n    tensor_model_parallel_size: 4\n"
          "    pipeline_model_parallel_size: 4\n    virtual_pipeline_model_parallel_size: 2\n"
          "    context_parallel_size: 1\n    sequence_parallel: true\n"
          "    recompute_granularity: selective\n    recompute_modules: [\"layernorm\", moe_act]\n"
          "  train:\n    global_batch_size: 256\n    micro_batch_size: 1\n    train_iters: 10\n"
          "  checkpoint:\n    save: null\n  mixed_precision:\n    grad_reduce_in_fp32: false\n");
    says(CSZ_PLAN_VIRTUAL_PIPELINE, "2");
    says(CSZ_PLAN_RECOMPUTE_NORM, "yes");
    says(CSZ_PLAN_RECOMPUTE_ACTIVATION, "yes");
    says(CSZ_PLAN_RECOMPUTE, "");
    says(CSZ_PLAN_SHARDING, "optimizer");
    says(CSZ_WORKLOAD_GRADIENT_FORMAT, "bf16");
    fails(CSZ_SOURCE_NEMO, "model:\n  num_layers: 8\n", CSZ_ERR_CONFLICT,
          "model.num_layers: differs from the 32 layers of the model");
    fails(CSZ_SOURCE_NEMO, "model:\n  seq_length: 4096\ndataset:\n  seq_length: 8192\n",
          CSZ_ERR_CONFLICT, "differs from the 8192 of the data set at line 2, column 3");
}
END_TEST

/* 0.5 sequences of each of 64 devices: 32 on 8 data ranks of 2 x 4. */
START_TEST(test_maxtext)
{
    reads(CSZ_SOURCE_MAXTEXT,
          "base_config: base.yml\ndcn_data_parallelism: 2\nici_fsdp_parallelism: -1\n"
          "ici_tensor_parallelism: 8\nper_device_batch_size: 0.5\nmax_target_length: 8_192\n"
          "gradient_accumulation_steps: 2\nremat_policy: 'minimal_with_context'\n"
          "mesh_axes: ['data', 'fsdp',\n  ['a', 'b']]\nlearning_rate: 3.e-5\n");
    says(CSZ_PLAN_DATA_PARALLEL, "8");
    says(CSZ_PLAN_SHARD_GROUP, "4");
    says(CSZ_PLAN_TENSOR_PARALLEL, "8");
    says(CSZ_PLAN_MICRO_BATCH, "4");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "64");
    says(CSZ_PLAN_RECOMPUTE, "none");
    says(CSZ_PLAN_RECOMPUTE_NORM, "yes");
    fails(CSZ_SOURCE_MAXTEXT, "ici_fsdp_parallelism: 16\n", CSZ_ERR_CONFLICT,
          "the axes multiply to 16, which are not the 64 accelerators");
    fails(CSZ_SOURCE_MAXTEXT, "per_device_batch_size: 0.01\n", CSZ_ERR_CONFLICT,
          "no whole sequences each");
    fails(CSZ_SOURCE_MAXTEXT, "ici_sequence_parallelism: 4\n", CSZ_ERR_UNKNOWN, "has no field");
}
END_TEST

/* Any three of batch, micro-batch, accumulation and ranks give the fourth. */
START_TEST(test_batches)
{
    reads(CSZ_SOURCE_DEEPSPEED, "{\"train_micro_batch_size_per_gpu\": 2,"
                                " \"gradient_accumulation_steps\": 3}");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "384");
    ck_assert_int_eq(csz_plan_unset(q.plan, CSZ_PLAN_MICRO_BATCH), CSZ_OK);
    reads(CSZ_SOURCE_DEEPSPEED, "{\"train_batch_size\": 256, \"gradient_accumulation_steps\": 2}");
    says(CSZ_PLAN_MICRO_BATCH, "2");
    fails(CSZ_SOURCE_DEEPSPEED,
          "{\"train_batch_size\": 256, \"train_micro_batch_size_per_gpu\": 1,"
          " \"gradient_accumulation_steps\": 2}",
          CSZ_ERR_CONFLICT, "train_batch_size: 256 is not 1 a rank x 2 accumulation steps x 64");
    reads(CSZ_SOURCE_MEGATRON, "--micro-batch-size 2 --tensor-model-parallel-size 4 --bf16");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "256"); /* said before: it stays */
    ck_assert_int_eq(csz_workload_unset(q.workload, CSZ_WORKLOAD_GLOBAL_BATCH), CSZ_OK);
    reads(CSZ_SOURCE_MEGATRON, "--micro-batch-size 2 --tensor-model-parallel-size 4 --bf16");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "32");
}
END_TEST

/* ---- Scripts ---- */

#define HEAD "#!/bin/bash\nGPUS=8\nMODEL=(\n    --num-layers 4 # few\n    --hidden-size 256\n"
#define TAIL                                                                                       \
    "    --num-attention-heads 4 --vocab-size 1024 --swiglu\n)\n"                                  \
    "torchrun --nproc_per_node $GPUS pretrain_gpt.py ${MODEL[@]} \\\n"                             \
    "    --seq-length 128 --max-position-embeddings 128 --save $CHECKPOINTS \\\n"                  \
    "    --micro-batch-size 2 > log 2>&1\n"

/* Arguments stand in arrays, assigned texts, behind the program and in here-documents; a variable
 * matters only where it is the value of an option that does. */
START_TEST(test_scripts)
{
    char notes[200];
    reads(CSZ_SOURCE_MEGATRON, HEAD TAIL);
    says(CSZ_WORKLOAD_LAYERS, "4");
    says(CSZ_WORKLOAD_SEQUENCE_LENGTH, "128");
    says(CSZ_PLAN_MICRO_BATCH, "2");
    says(CSZ_WORKLOAD_GLOBAL_BATCH, "128");
    (void)csz_launch_notes(CSZ_SOURCE_MEGATRON, HEAD TAIL, strlen(HEAD TAIL), notes, sizeof notes);
    ck_assert_str_eq(notes, "line 9: save\n");
    fails(CSZ_SOURCE_MEGATRON, HEAD "    --ffn-hidden-size $FFN\n" TAIL, CSZ_ERR_SYNTAX,
          "write the value at line 6, column 23");
    fails(CSZ_SOURCE_MEGATRON, HEAD TAIL "if [ $X ]; then\n  MORE=(--bf16)\nfi\n", CSZ_ERR_SYNTAX,
          "arguments under a condition or in a loop; give those that are taken at line 12");
    reads(CSZ_SOURCE_MEGATRON, "#!/bin/sh\nif true; then echo; fi\nARGS=\"\n --seq-length 256 \\\n"
                               " --data-path $DATA \\\n --bf16\n\"\nsbatch x\n");
    says(CSZ_WORKLOAD_SEQUENCE_LENGTH, "256");
    reads(CSZ_SOURCE_MEGATRON, /* an expansion does not end an array */
          HEAD "    --num-workers $(nproc) --tensor-model-parallel-size 2\n" TAIL);
    says(CSZ_PLAN_TENSOR_PARALLEL, "2");
    reads(CSZ_SOURCE_MEGATRON, HEAD TAIL "MORE=\"$MORE --tensor-model-parallel-size 4\"\ndeclare "
                                         "-a P=(--context-parallel-size 2)\n");
    says(CSZ_PLAN_TENSOR_PARALLEL, "4");
    says(CSZ_PLAN_CONTEXT_PARALLEL, "2");
    fails(CSZ_SOURCE_MEGATRON, HEAD TAIL "[ $X ] && MORE+=(--sequence-parallel)\n", CSZ_ERR_SYNTAX,
          "an option outside of what is read of a script");
    fails(CSZ_SOURCE_MEGATRON, HEAD TAIL "GPUS=8; P=(--sequence-parallel)\n", CSZ_ERR_SYNTAX,
          "at line 11, column 12");
    fails(CSZ_SOURCE_MEGATRON, HEAD TAIL "P=(--num-workers ${X:+--sequence-parallel})\n",
          CSZ_ERR_SYNTAX, "an option outside of what is read of a script");
    question_set(&q, "model=llama-3-8b global_batch=64", "accelerators=64", "tp=2 sp=yes");
    ck_assert_int_eq(csz_plan_to_launch(q.plan, q.workload, q.cluster, NULL, CSZ_SOURCE_MEGATRON,
                                        CSZ_LAUNCH_PART_BATCH, text, sizeof text, NULL),
                     CSZ_OK);
    reads(CSZ_SOURCE_MEGATRON, text); /* our own batch script */
    says(CSZ_PLAN_TENSOR_PARALLEL, "2");
    says(CSZ_WORKLOAD_HIDDEN, "4096");
}
END_TEST

/* ---- What lies outside of the subsets ---- */

START_TEST(test_syntax)
{
    static const struct {
        csz_source source;
        const char *file;
        csz_status status;
        const char *message;
    } cases[] = {
        {CSZ_SOURCE_NEMO, "model: &m\n  a: 1\n", CSZ_ERR_SYNTAX,
         "anchors are not read at line 1, column 8"},
        {CSZ_SOURCE_NEMO, "model: *m\n", CSZ_ERR_SYNTAX, "aliases"},
        {CSZ_SOURCE_NEMO, "model: !tag x\n", CSZ_ERR_SYNTAX, "tags"},
        {CSZ_SOURCE_NEMO, "model:\n  <<: x\n", CSZ_ERR_SYNTAX, "merged and complex keys"},
        {CSZ_SOURCE_NEMO, "a: |\n  text\n", CSZ_ERR_SYNTAX, "several lines"},
        {CSZ_SOURCE_NEMO, "a: text\n  more\n", CSZ_ERR_SYNTAX, "\"name: value\" is expected"},
        {CSZ_SOURCE_NEMO, "a: {b: 1}\n", CSZ_ERR_SYNTAX, "mappings in braces"},
        {CSZ_SOURCE_NEMO, "a: b: c\n", CSZ_ERR_SYNTAX, "a text with a colon needs quotes"},
        {CSZ_SOURCE_NEMO, "a:\n\tb: 1\n", CSZ_ERR_SYNTAX, "tabs are not read at line 2, column 1"},
        {CSZ_SOURCE_NEMO, "a:\n    b: 1\n  c: 1\n", CSZ_ERR_SYNTAX,
         "the indentation belongs to no section"},
        {CSZ_SOURCE_NEMO, "a: 1\n---\nb: 1\n", CSZ_ERR_SYNTAX, "a second document"},
        {CSZ_SOURCE_NEMO, "a: 'x\n", CSZ_ERR_SYNTAX, "does not end on its line"},
        {CSZ_SOURCE_NEMO, "a: [1, 2\n", CSZ_ERR_SYNTAX, "a list does not end"},
        {CSZ_SOURCE_NEMO, "a: 'x' y\n", CSZ_ERR_SYNTAX, "goes on after its value"},
        {CSZ_SOURCE_NEMO, "- - a\n", CSZ_ERR_SYNTAX, "lists in lists"},
        {CSZ_SOURCE_NEMO, "a: 1\n- b\n", CSZ_ERR_SYNTAX, "side by side"},
        {CSZ_SOURCE_NEMO, "a: \001\n", CSZ_ERR_SYNTAX, "control character"},
        {CSZ_SOURCE_NEMO, "train:\n  micro_batch_size: 1\n  micro_batch_size: 2\n",
         CSZ_ERR_CONFLICT, "is given twice, again at line 3; first at line 2"},
        {CSZ_SOURCE_NEMO, "train:\n  micro_batch_size: two\n", CSZ_ERR_TYPE,
         "train.micro_batch_size: 'two' is no whole number at line 2, column 3"},
        {CSZ_SOURCE_NEMO, "train:\n  micro_batch_size: 0\n", CSZ_ERR_RANGE, "micro_batch"},
        {CSZ_SOURCE_NEMO, "train:\n  micro_batch_size: [1]\n", CSZ_ERR_TYPE, "is a list"},
        {CSZ_SOURCE_NEMO, "model:\n  attention_backend: fast\n", CSZ_ERR_UNKNOWN,
         "'fast' is not expressed by the fields; known: flash, unfused"},
        {CSZ_SOURCE_TORCHTITAN, "[a\n", CSZ_ERR_SYNTAX, "a ] is expected at line 1, column 3"},
        {CSZ_SOURCE_TORCHTITAN, "[[a]]\n", CSZ_ERR_SYNTAX, "arrays of tables"},
        {CSZ_SOURCE_TORCHTITAN, "a = {b = 1}\n", CSZ_ERR_SYNTAX, "inline tables"},
        {CSZ_SOURCE_TORCHTITAN, "a = text\n", CSZ_ERR_SYNTAX, "a text needs quotes"},
        {CSZ_SOURCE_TORCHTITAN, "a = \"\"\"x\"\"\"\n", CSZ_ERR_SYNTAX, "several lines"},
        {CSZ_SOURCE_TORCHTITAN, "a\n", CSZ_ERR_SYNTAX, "a = is expected"},
        {CSZ_SOURCE_TORCHTITAN, "a =\n", CSZ_ERR_SYNTAX, "a value is expected"},
        {CSZ_SOURCE_DEEPSPEED, "{\"train_batch_size\": }", CSZ_ERR_SYNTAX, "line 1, column 22"},
        {CSZ_SOURCE_MEGATRON, "--seq-length $LENGTH", CSZ_ERR_SYNTAX, "line 1, column 14"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fails(cases[i].source, cases[i].file, cases[i].status, cases[i].message);
}
END_TEST

START_TEST(test_limits)
{
    static char big[(1 << 20) + 2], deep[400], name[400];
    size_t n = 0;
    memset(big, '\n', sizeof big - 1);
    ck_assert_int_eq(
        csz_plan_load_launch(q.plan, q.workload, q.cluster, CSZ_SOURCE_NEMO, big, (size_t)1 << 20),
        CSZ_OK);
    fails(CSZ_SOURCE_NEMO, big, CSZ_ERR_LIMIT, "1048576 bytes");
    for (int depth = 0; depth < 17; depth++)
        n += (size_t)snprintf(deep + n, sizeof deep - n, "%*sa:\n", depth, "");
    fails(CSZ_SOURCE_NEMO, deep, CSZ_ERR_LIMIT, "more than 16 deep");
    *(strrchr(deep, 'a') - 16) = '\0';
    reads(CSZ_SOURCE_NEMO, deep);
    memset(name, 'a', 200);
    strcpy(name + 200, ": 1\n");
    fails(CSZ_SOURCE_NEMO, name, CSZ_ERR_LIMIT, "names longer than 191");
    reads(CSZ_SOURCE_NEMO, name + 9);
    ck_assert_int_eq(load(CSZ_SOURCE_HUGGING_FACE, "{}"), CSZ_ERR_ARGUMENT);
}
END_TEST

START_TEST(test_foreign)
{
    static const char toml[] =
        "[job]\ndump_folder = \"x\"\n\n[training]\nseq_len = 1\nmax_norm = 1.0\n";
    char notes[200];
    size_t n = csz_launch_notes(CSZ_SOURCE_TORCHTITAN, toml, sizeof toml - 1, notes, sizeof notes);
    ck_assert_str_eq(notes, "line 2: job.dump_folder\nline 6: training.max_norm\n");
    ck_assert_uint_eq(n, strlen(notes));
    ck_assert_uint_eq(csz_launch_notes(CSZ_SOURCE_TORCHTITAN, toml, sizeof toml - 1, notes, 5), n);
    ck_assert_str_eq(notes, "line");
    ck_assert_uint_eq(csz_launch_notes(CSZ_SOURCE_JSON, toml, 3, notes, sizeof notes), 0);
    (void)csz_launch_notes(CSZ_SOURCE_MEGATRON, "--lr 1 --bf16 --save x", 22, notes, sizeof notes);
    ck_assert_str_eq(notes, "line 1: lr\nline 1: save\n");
    (void)csz_launch_version(CSZ_SOURCE_TORCHTITAN, notes, sizeof notes);
    ck_assert_str_eq(notes, "torchtitan v0.2.2");
}
END_TEST

/* ---- Out ---- */

static csz_status write(csz_source source, csz_launch_part part)
{
    return csz_plan_to_launch(q.plan, q.workload, q.cluster, NULL, source, part, text, sizeof text,
                              NULL);
}

/* What the software has no option for is told with its field. */
START_TEST(test_refusals)
{
    static const struct {
        csz_source source;
        const char *plan;
        csz_field field;
    } cases[] = {
        {CSZ_SOURCE_DEEPSPEED, "pp=2", CSZ_PLAN_PIPELINE_PARALLEL},
        {CSZ_SOURCE_DEEPSPEED, "recompute_norm=yes", CSZ_PLAN_RECOMPUTE_NORM},
        {CSZ_SOURCE_TORCHTITAN, "sharding=optimizer", CSZ_PLAN_SHARDING},
        {CSZ_SOURCE_TORCHTITAN, "sharding=parameters recompute=selective", CSZ_PLAN_RECOMPUTE},
        {CSZ_SOURCE_TORCHTITAN, "sharding=parameters tp=2 sp=no", CSZ_PLAN_SEQUENCE_PARALLEL},
        {CSZ_SOURCE_TORCHTITAN, "sharding=parameters stack=megatron", CSZ_PLAN_STACK},
        {CSZ_SOURCE_TORCHTITAN, "sharding=parameters offload_optimizer=0.5",
         CSZ_PLAN_OFFLOAD_OPTIMIZER},
        {CSZ_SOURCE_ACCELERATE, "sharding=parameters pp=2", CSZ_PLAN_PIPELINE_PARALLEL},
        {CSZ_SOURCE_NANOTRON, "pp=2 vpp=2", CSZ_PLAN_VIRTUAL_PIPELINE},
        {CSZ_SOURCE_NEMO, "pp=2 schedule=zb_h1", CSZ_PLAN_SCHEDULE},
        {CSZ_SOURCE_NEMO, "loss_kernel=chunked", CSZ_PLAN_LOSS_KERNEL},
        {CSZ_SOURCE_MEGATRON, "bucket=100MB sharding=optimizer", CSZ_PLAN_BUCKET},
        {CSZ_SOURCE_MAXTEXT, "tp=2 sp=no", CSZ_PLAN_SEQUENCE_PARALLEL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        csz_field field = CSZ_FIELD_NONE;
        csz_plan_free(q.plan);
        q.plan = csz_plan_new(NULL);
        ck_assert_int_eq(csz_plan_set(q.plan, cases[i].plan), CSZ_OK);
        text[0] = 'x';
        ck_assert_msg(write(cases[i].source, CSZ_LAUNCH_PART_FILE) == CSZ_ERR_CONFLICT, "%s",
                      cases[i].plan);
        ck_assert_msg(strlen(csz_plan_error(q.plan, &field)) > 0 && field == cases[i].field,
                      "%s: %s: %s", cases[i].plan, csz_field_name(field),
                      csz_plan_error(q.plan, NULL));
        ck_assert_str_eq(text, "");
    }
    ck_assert_int_eq(csz_workload_set(q.workload, NULL, "vocab=128257"), CSZ_OK);
    ck_assert_int_eq(csz_plan_set(q.plan, "tp=2 sp=yes"), CSZ_OK);
    ck_assert_int_eq(write(CSZ_SOURCE_MEGATRON, CSZ_LAUNCH_PART_FILE), CSZ_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(csz_plan_error(q.plan, NULL), "vocab: 128257"));
    ck_assert_ptr_nonnull(strstr(csz_plan_error(q.plan, NULL), "it would be 128258"));
}
END_TEST

/* By hand: 64 accelerators, tp 2: 32 data ranks; 256 sequences in micro-batches of 2 are 4. */
START_TEST(test_files)
{
    static const struct {
        csz_source source;
        const char *lines[6];
    } cases[] = {
        {CSZ_SOURCE_DEEPSPEED,
         {"\"train_batch_size\": 256", "\"train_micro_batch_size_per_gpu\": 2",
          "\"gradient_accumulation_steps\": 4", "\"stage\": 3", "\"autotp_size\": 2"}},
        {CSZ_SOURCE_TORCHTITAN,
         {"local_batch_size = 2", "global_batch_size = 256", "data_parallel_shard_degree = 32",
          "steps = 1000", "mode = \"full\"", "[compile]\nenable = true"}},
        {CSZ_SOURCE_ACCELERATE,
         {"num_processes: 64", "num_machines: 8", "  parallelism_config_dp_shard_size: 32"}},
        {CSZ_SOURCE_NEMO,
         {"  global_batch_size: 256", "  recompute_granularity: full", "  use_megatron_fsdp: true",
          "  data_parallel_sharding_strategy: optim_grads_params"}},
        {CSZ_SOURCE_MEGATRON,
         {"--global-batch-size 256\n", "--train-iters 1000\n", "--sequence-parallel\n",
          "--use-megatron-fsdp\n", "--vocab-size 128256\n", "--swiglu\n"}},
        {CSZ_SOURCE_MAXTEXT,
         {"per_device_batch_size: 1\n", "gradient_accumulation_steps: 4\n",
          "ici_fsdp_parallelism: 32\n", "remat_policy: full\n", "max_target_length: 4096\n"}},
    };
    question_set(&q, "sequence_length=4096 global_batch=256 tokens=1048576000", "accelerators=64",
                 "tp=2 micro_batch=2 sharding=parameters recompute=full");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(write(cases[i].source, CSZ_LAUNCH_PART_FILE) == CSZ_OK, "%s",
                      csz_plan_error(q.plan, NULL));
        for (size_t k = 0; k < 6 && cases[i].lines[k] != NULL; k++)
            ck_assert_msg(strstr(text, cases[i].lines[k]) != NULL, "lacks '%s':\n%s",
                          cases[i].lines[k], text);
    }
}
END_TEST

START_TEST(test_notes_and_batch)
{
    size_t length = 0;
    question_set(&q, "sequence_length=4096 global_batch=256 tokens=1048576001", "accelerators=64",
                 "tp=2 expandable_segments=yes stack=megatron");
    ck_assert_int_eq(write(CSZ_SOURCE_MEGATRON, CSZ_LAUNCH_PART_NOTES), CSZ_OK);
    ck_assert_ptr_nonnull(strstr(text, "CUDA_DEVICE_MAX_CONNECTIONS=1  # "));
    ck_assert_ptr_nonnull(strstr(text, "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True  # "));
    ck_assert_ptr_nonnull(strstr(text, "fp8-format"));
    ck_assert_ptr_nonnull(strstr(text, "1048576001 tokens are 1001 steps of 1048576"));
    question_compute(&q, CSZ_DEPTH_RUN);
    ck_assert_int_eq(csz_plan_to_launch(q.plan, q.workload, q.cluster, q.estimate,
                                        CSZ_SOURCE_MEGATRON, CSZ_LAUNCH_PART_BATCH, text,
                                        sizeof text, &length),
                     CSZ_OK);
    ck_assert_uint_eq(length, strlen(text));
    ck_assert_ptr_nonnull(strstr(text, "#SBATCH --nodes=8\n"));
    ck_assert_ptr_nonnull(strstr(text, "#SBATCH --gpus-per-node=8\n"));
    ck_assert_ptr_nonnull(strstr(text, "#SBATCH --requeue\n"));
    ck_assert_ptr_nonnull(strstr(text, "#SBATCH --time=0-"));
    ck_assert_ptr_nonnull(strstr(text, "# checkpoints: every "));
    ck_assert_ptr_nonnull(strstr(text, "--train-iters 1001\n"));
    ck_assert_int_eq(csz_plan_to_launch(q.plan, q.workload, q.cluster, q.estimate,
                                        CSZ_SOURCE_MEGATRON, CSZ_LAUNCH_PART_BATCH, text, 12, NULL),
                     CSZ_OK);
    ck_assert_str_eq(text, "#!/bin/bash");
    ck_assert_int_eq(csz_cluster_set_i64(q.cluster, CSZ_CLUSTER_ACCELERATORS, 12), CSZ_OK);
    ck_assert_int_eq(csz_workload_set(q.workload, NULL, "global_batch=240"), CSZ_OK);
    ck_assert_int_eq(write(CSZ_SOURCE_MEGATRON, CSZ_LAUNCH_PART_BATCH), CSZ_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(csz_plan_error(q.plan, NULL), "no whole nodes"));
}
END_TEST

START_TEST(test_arguments)
{
    csz_plan *other = csz_plan_new(NULL);
    ck_assert_int_eq(csz_plan_to_launch(NULL, q.workload, q.cluster, NULL, CSZ_SOURCE_NEMO,
                                        CSZ_LAUNCH_PART_FILE, text, sizeof text, NULL),
                     CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(write(CSZ_SOURCE_JSON, CSZ_LAUNCH_PART_FILE), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(write(CSZ_SOURCE_NEMO, (csz_launch_part)3), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_plan_load_launch(other, NULL, q.cluster, CSZ_SOURCE_NEMO, "a: 1", 4),
                     CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_plan_load_launch(NULL, q.workload, NULL, CSZ_SOURCE_NEMO, "a: 1", 4),
                     CSZ_ERR_ARGUMENT);
    csz_plan_free(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launches");
    TCase *tcase = tcase_create("launches");
    SRunner *runner;
    int failed;
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_torchtitan);
    tcase_add_test(tcase, test_torchtitan_defaults);
    tcase_add_test(tcase, test_accelerate);
    tcase_add_test(tcase, test_nanotron);
    tcase_add_test(tcase, test_nemo);
    tcase_add_test(tcase, test_maxtext);
    tcase_add_test(tcase, test_batches);
    tcase_add_test(tcase, test_scripts);
    tcase_add_test(tcase, test_syntax);
    tcase_add_test(tcase, test_limits);
    tcase_add_test(tcase, test_foreign);
    tcase_add_test(tcase, test_refusals);
    tcase_add_test(tcase, test_files);
    tcase_add_test(tcase, test_notes_and_batch);
    tcase_add_test(tcase, test_arguments);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
