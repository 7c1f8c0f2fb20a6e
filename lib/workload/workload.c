/* workload.c: the workload's table. */
#include "workload/workload.h"

#include <string.h>

#include "base/field_rows.h"
#include "facts/facts.h"

static const cszi_choice cszi_choices_norm[] = {
    {CSZ_NORM_RMS, "rms"},
    {CSZ_NORM_LAYER, "layer"},
    {CSZ_NORM_LAYER_NO_BIAS, "layer_no_bias"},
    {CSZ_NORM_LAYER_NO_PARAMETERS, "layer_no_parameters"},
    {0, NULL}};
static const cszi_choice cszi_choices_attention[] = {
    {CSZ_ATTENTION_GROUPED, "grouped"},     {CSZ_ATTENTION_LATENT, "latent"},
    {CSZ_ATTENTION_NONE, "none"},           {CSZ_ATTENTION_MAMBA, "mamba"},
    {CSZ_ATTENTION_MAMBA2, "mamba2"},       {CSZ_ATTENTION_DELTA, "delta"},
    {CSZ_ATTENTION_LIGHTNING, "lightning"}, {CSZ_ATTENTION_CONVOLUTION, "convolution"},
    {CSZ_ATTENTION_CUSTOM, "custom"},       {0, NULL}};
static const cszi_choice cszi_choices_qk_norm[] = {
    {CSZ_QK_NORM_NONE, "none"}, {CSZ_QK_NORM_HEAD, "head"}, {CSZ_QK_NORM_FULL, "full"}, {0, NULL}};
static const cszi_choice cszi_choices_job[] = {{CSZ_JOB_PRETRAIN, "pretrain"},
                                               {CSZ_JOB_FINETUNE, "finetune"},
                                               {CSZ_JOB_LORA, "lora"},
                                               {CSZ_JOB_QLORA, "qlora"},
                                               {0, NULL}};
static const cszi_choice cszi_choices_packing[] = {
    {CSZ_PACKING_PACKED, "packed"}, {CSZ_PACKING_PADDED, "padded"}, {0, NULL}};
static const cszi_choice cszi_choices_lora[] = {{CSZ_LORA_TARGETS_ATTENTION, "attention"},
                                                {CSZ_LORA_TARGETS_LINEAR, "linear"},
                                                {CSZ_LORA_TARGETS_QUERY_VALUE, "query_value"},
                                                {0, NULL}};
static const cszi_choice cszi_choices_routing[] = {
    {CSZ_ROUTING_NATURAL, "natural"}, {CSZ_ROUTING_BALANCED, "balanced"}, {0, NULL}};
static const cszi_choice cszi_choices_optimizer[] = {
    {CSZ_OPTIMIZER_ADAMW, "adamw"},
    {CSZ_OPTIMIZER_ADAM_8BIT, "adam_8bit"},
    {CSZ_OPTIMIZER_SGD, "sgd"},
    {CSZ_OPTIMIZER_MOMENTUM, "momentum"},
    {CSZ_OPTIMIZER_LION, "lion"},
    {CSZ_OPTIMIZER_MUON, "muon"},
    {CSZ_OPTIMIZER_ADAFACTOR, "adafactor"},
    {CSZ_OPTIMIZER_PAGED_ADAM_8BIT, "paged_adam_8bit"},
    {CSZ_OPTIMIZER_ADAM_4BIT, "adam_4bit"},
    {0, NULL}};
static const cszi_choice cszi_choices_method[] = {{CSZ_METHOD_SUPERVISED, "supervised"},
                                                  {CSZ_METHOD_DPO, "dpo"},
                                                  {CSZ_METHOD_PAIRS, "pairs"},
                                                  {CSZ_METHOD_KTO, "kto"},
                                                  {CSZ_METHOD_REWARD, "reward"},
                                                  {CSZ_METHOD_PPO, "ppo"},
                                                  {CSZ_METHOD_GRPO, "grpo"},
                                                  {CSZ_METHOD_DISTILL, "distill"},
                                                  {0, NULL}};
static const cszi_choice cszi_choices_format[] = {{CSZ_FORMAT_NONE, "none"},
                                                  {CSZ_FORMAT_FP32, "fp32"},
                                                  {CSZ_FORMAT_TF32, "tf32"},
                                                  {CSZ_FORMAT_BF16, "bf16"},
                                                  {CSZ_FORMAT_FP16, "fp16"},
                                                  {CSZ_FORMAT_FP8, "fp8"},
                                                  {CSZ_FORMAT_FP4, "fp4"},
                                                  {CSZ_FORMAT_NF4, "nf4"},
                                                  {CSZ_FORMAT_INT8, "int8"},
                                                  {CSZ_FORMAT_NF4_SINGLE, "nf4_single"},
                                                  {0, NULL}};

#define CSZI_RECORD_flat cszi_workload
#define CSZI_RECORD_runs cszi_run
#define CSZI_RECORD_kinds cszi_layer_kind
#define CSZI_RECORD_phases cszi_phase
enum { CSZI_LIST_flat, CSZI_LIST_runs, CSZI_LIST_kinds, CSZI_LIST_phases };

static const cszi_field_row rows[] = {
#include "workload/fields.inc"
};

/* Positions of the rows, to find where each list begins. */
#undef FIELD
#define FIELD(id, ...) AT_##id,
enum {
#include "workload/fields.inc"
    ROW_COUNT
};
_Static_assert(ROW_COUNT <= 128, "two words of set bits");
_Static_assert(2 * CSZI_RUNS + ROW_COUNT * CSZI_KINDS <= CSZI_SEEN_BITS, "one bit a list member");

const cszi_table cszi_workload_table = {
    "workload",
    CSZI_MODE_INPUT,
    rows,
    ROW_COUNT,
    {{"", 0, 0, 0, 0, 0, 0},
     {"runs", offsetof(cszi_workload, runs), sizeof(cszi_run), CSZI_RUNS,
      offsetof(cszi_workload, runs_count), AT_CSZ_WORKLOAD_LAYERS, 0},
     {"kinds", offsetof(cszi_workload, kinds), sizeof(cszi_layer_kind), CSZI_KINDS,
      offsetof(cszi_workload, kinds_count), AT_CSZ_WORKLOAD_ATTENTION, 0},
     {"phases", offsetof(cszi_workload, phases), sizeof(cszi_phase), CSZI_PHASES,
      offsetof(cszi_workload, phases_count), AT_CSZ_WORKLOAD_TOKENS, 0}},
    4,
};

void cszi_workload_clear_model(cszi_workload *workload)
{
    for (size_t i = 0; i < ROW_COUNT && rows[i].id < CSZ_WORKLOAD_LAYERS; i++)
        cszi_field_unset(&cszi_workload_table, workload, &rows[i]);
    workload->runs_count = 0;
    workload->kinds_count = 0;
}

int cszi_workload_has(const cszi_workload *workload, csz_field field)
{
    const cszi_field_row *row = cszi_table_row(&cszi_workload_table, field);
    return row != NULL && cszi_field_is_set(&cszi_workload_table, workload, row, 0);
}

double cszi_workload_imbalance(const cszi_workload *workload)
{
    if (cszi_workload_has(workload, CSZ_WORKLOAD_LOAD_IMBALANCE))
        return workload->load_imbalance;
    return workload->routing == CSZ_ROUTING_BALANCED
               ? 1
               : cszi_operation_find("routing-natural-imbalance")->value;
}
