/* time_verdict.c: predicted time of a step beside the measured one. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the files found amiss, and doubts in their notes. skip: no time can be compared; else the
 * row counts among those that do not state everything. */
static const struct {
    const char *column, *part;
    int skip;
    const char *why;
} doubts[] = {
    {"flag", "sequence_length_varies", 1, "the length of the sequences is not known"},
    {"flag", "gpu_and_method_not_stated", 1, "accelerator and method not stated"},
    {"flag", "gpu_count_", 1, "number of accelerators not certain"},
    {"flag", "parallel_mismatch", 1, "the degrees contradict each other"},
    {"flag", "plan_not_readable", 1, "degrees of parallelism not stated"},
    {"flag", "includes_eval_and_saves", 1, "the time includes evaluations and checkpoints"},
    {"flag", "older_than_config_file", 0, "settings newer than the measurement"},
    {"flag", "batch_and_recompute_not_stated", 0, "batch and recomputation not stated"},
    {"flag", "micro_batch_not_stated", 0, "micro-batch not stated"},
    {"flag", "peak_of_a_figure", 0, "read from a figure"},
    {"flag", "baseline_value_may_be_old", 0, "a floor, not a measurement"},
    {"trust", "low", 0, "trust low"},
    {"gpu", "power limited", 0, "power limit not stated"},
};

static void read_doubts(verdict *v, question *q)
{
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        if (!row_has(q->row, doubts[i].column, doubts[i].part))
            continue;
        else if (!doubts[i].skip)
            question_fill(q, 1, "%s", doubts[i].why);
        else if (v->why[0] == '\0')
            snprintf(v->why, sizeof v->why, "%s", doubts[i].why);
}

/* ---- Measured ---- */

/* Who counts FLOPs how; the first that occurs holds. Rates are used where no time is printed. */
static const struct {
    const char *part;
    csz_field flops; /* of a token */
    int recomputed;  /* the published rate includes recomputation */
} conventions[] = {
    {"96BslH^2", CSZ_ESTIMATE_FLOPS_NARAYANAN, 1},
    {"96*B*s*l*h^2", CSZ_ESTIMATE_FLOPS_NARAYANAN, 1},
    {"72BslH^2", CSZ_ESTIMATE_FLOPS_NARAYANAN, 0},
    {"nanoGPT/PaLM", CSZ_ESTIMATE_FLOPS_PALM, 0},
    {"causal-halved attention)", CSZ_ESTIMATE_FLOPS_PER_TOKEN, 0},
    {"full (non-causal) attention", CSZ_ESTIMATE_FLOPS_FULL, 0},
};

/* FLOP/s of an accelerator by the row's own counting; 0 when there is none. */
static double rate_of(row r, int recomputed)
{
    const char *share = recomputed ? "hfu_pct" : "mfu_pct";
    double rate, percent, peak;

    if (!recomputed && row_number(r, "model_tflops_per_gpu", &rate))
        return rate * 1e12;
    if (row_number(r, share, &percent) && row_number(r, "peak_tflops_used", &peak))
        return percent / 100 * peak * 1e12;
    return 0;
}

/* Seconds of a step from FLOP/s; 0 when the counting is not known. tokens: of the step. */
static double time_of_rate(question *q, const csz_estimate *e, double tokens)
{
    double flops = 0;

    for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++) {
        int recomputed = conventions[i].recomputed;
        double rate = rate_of(q->row, recomputed);
        if (!row_has(q->row, "flops_convention", conventions[i].part))
            continue;
        if (rate <= 0 || csz_estimate_get_f64(e, conventions[i].flops, &flops) != CSZ_OK)
            return 0;
        /* Equation 3 of Narayanan et al. counts the forward pass twice. */
        if (conventions[i].flops == CSZ_ESTIMATE_FLOPS_NARAYANAN && !recomputed)
            flops *= 0.75;
        question_fill(q, 0, "time from FLOP/s by %s", csz_field_name(conventions[i].flops));
        return flops * tokens / (rate * (double)q->gpus);
    }
    return 0;
}

/* Tokens of a step as asked; as the row states, or the same where it does not. */
static void count_tokens(const question *q, double *asked, double *stated)
{
    int64_t batch = 0;
    double global = 0, length = 0;

    (void)csz_workload_get_i64(q->workload, CSZ_WORKLOAD_GLOBAL_BATCH, &batch);
    *asked = (double)batch * (double)q->sequence;
    (void)row_number(q->row, "global_batch", &global);
    (void)row_number(q->row, "seq_len", &length);
    *stated = global > 0 && length > 0 ? global * length : *asked;
}

static int has_batch(row r)
{
    return row_count(r, "global_batch", 0) > 0 || row_count(r, "grad_accum", 0) > 0;
}

/* A step of the tokens asked: what the row measured, for each token. */
static void read_measured(verdict *v, question *q, const csz_estimate *e)
{
    double asked, stated, value = 0;

    count_tokens(q, &asked, &stated);
    if (row_number(q->row, "step_time_s", &value) && value > 0) {
        if (has_batch(q->row) && row_count(q->row, "seq_len", 0) > 0)
            v->measured = value * asked / stated;
        else
            snprintf(v->why, sizeof v->why, "tokens of a step not stated");
        return;
    }
    if (row_number(q->row, "tokens_per_s_per_gpu", &value) && value > 0)
        v->measured = asked / (value * (double)q->gpus);
    else if (rate_of(q->row, 0) > 0 || rate_of(q->row, 1) > 0) {
        v->measured = time_of_rate(q, e, asked);
        if (!(v->measured > 0))
            snprintf(v->why, sizeof v->why, "only FLOP/s, and how they count is not stated");
    } else
        snprintf(v->why, sizeof v->why, "no time and no throughput");
}

/* ---- Predicted ---- */

static void find_largest(verdict *v, const csz_estimate *e)
{
    static const csz_field parts[] = {
        CSZ_ESTIMATE_STEP_MATRICES,         CSZ_ESTIMATE_STEP_ATTENTION,
        CSZ_ESTIMATE_STEP_POINTWISE,        CSZ_ESTIMATE_STEP_RECOMPUTE,
        CSZ_ESTIMATE_STEP_LOGITS,           CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC,
        CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC,  CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC,
        CSZ_ESTIMATE_STEP_PIPELINE_TRAFFIC, CSZ_ESTIMATE_STEP_DATA_TRAFFIC,
        CSZ_ESTIMATE_STEP_BUBBLE,           CSZ_ESTIMATE_STEP_IMBALANCE,
        CSZ_ESTIMATE_STEP_OPTIMIZER,        CSZ_ESTIMATE_STEP_HOST,
        CSZ_ESTIMATE_STEP_OFFLOAD};
    double most = 0, value;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (csz_estimate_get_f64(e, parts[i], &value) == CSZ_OK && value > most) {
            most = value;
            v->largest = csz_field_name(parts[i]);
        }
}

static void predict(verdict *v, question *q, const csz_estimate *e)
{
    (void)csz_estimate_get_range(e, CSZ_ESTIMATE_STEP_TIME, &v->low, &v->likely, &v->high);
    find_largest(v, e);
    read_measured(v, q, e);
    v->judged = v->measured > 0 && v->why[0] == '\0';
}

static void ask(verdict *v, question *q)
{
    csz_estimate *e = csz_estimate_new(NULL);

    if (e == NULL || csz_estimate_reserve(e, (size_t)q->pp) != CSZ_OK)
        snprintf(v->why, sizeof v->why, "out of memory");
    else if (csz_estimate_compute(e, q->workload, q->cluster, q->plan, CSZ_DEPTH_STEP) != CSZ_OK) {
        v->refused = csz_estimate_reason(e) != CSZ_REASON_NONE;
        snprintf(v->why, sizeof v->why, "%s", csz_estimate_error(e, NULL));
    } else
        predict(v, q, e);
    csz_estimate_free(e);
}

/* ---- What it is ---- */

static void read_plan(verdict *v, const question *q)
{
    static const char *const shardings[] = {"dp", "zero1", "zero2", "fsdp"};
    const struct {
        const char *name;
        int used;
    } parts[] = {{"tp", q->tp > 1},
                 {"pp", q->pp > 1},
                 {"cp", q->cp > 1},
                 {"ep", q->ep > 1},
                 {shardings[q->sharding], q->dp > 1 || q->sharding == 3}};
    size_t used = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].used)
            used += (size_t)snprintf(v->plan + used, sizeof v->plan - used, "%s%s",
                                     used > 0 ? "+" : "", parts[i].name);
    if (used == 0)
        snprintf(v->plan, sizeof v->plan, "one");
}

static void read_hashes(verdict *v, const question *q)
{
    static const char *const shared[] = {"source",       "model",     "gpus",          "seq_len",
                                         "global_batch", "precision", "accelerator_id"};
    const char *key = row_text(q->row, "config_key");

    v->problem = VERDICT_HASH;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        v->problem = verdict_hash(verdict_hash(v->problem, row_text(q->row, shared[i])), "|");
    v->layout = verdict_hash(VERDICT_HASH, q->layout.data);
    if (key[0] != '\0')
        v->setup = verdict_hash(VERDICT_HASH, key);
    else
        v->setup = verdict_hash(verdict_hash(v->problem, q->job.data), q->layout.data);
}

static void read_shape(verdict *v, const question *q)
{
    const char *precision = row_text(q->row, "precision");
    int64_t node = row_count(q->row, "gpus_per_node", 8);

    snprintf(v->accelerator, sizeof v->accelerator, "%s", q->accelerator);
    snprintf(v->precision, sizeof v->precision, "%.15s",
             precision[0] != '\0' ? precision : "not stated");
    snprintf(v->stack, sizeof v->stack, "%s", q->stack);
    v->mixture = question_mixture(q);
    v->context = q->cp > 1;
    v->gpus = q->gpus;
    v->year = row_count(q->row, "year", 0);
    v->across = q->gpus > (node > 0 ? node : 8);
    v->sequence = q->sequence;
    v->full = !q->partial;
    read_plan(v, q);
    read_hashes(v, q);
}

void verdict_time_open(verdict *v, question *q, row r)
{
    verdict_begin(v, r);
    v->grid = row_has(r, "source", "vTrain");
    if (!question_read(q, r))
        return;
    question_nodes(q);
    read_doubts(v, q);
    if (!has_batch(r))
        question_fill(q, 1, "global batch not stated");
    if (q->accelerator == NULL)
        snprintf(v->why, sizeof v->why, "accelerator not stated");
    if (v->why[0] == '\0' && q->skip.used == 0)
        ask(v, q);
    if (v->judged)
        read_shape(v, q);
}

void verdict_time(verdict *v, row r)
{
    static question q; /* too large for a stack */

    verdict_time_open(v, &q, r);
    verdict_end(v, &q);
}
