/* memory_verdict.c: predicted memory beside what was read. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the files name what was read; the first part that occurs holds. */
static const struct {
    const char *part;
    reading kind;
    int allocator;
    const char *skip;
} readings[] = {
    {"vendor estimate", READING_NONE, 0, "a vendor's estimate, not a measurement"},
    {"compiler report", READING_NONE, 0, "a compiler's report, not a measurement"},
    {"profiler total", READING_NONE, 0, "an inference server's profile"},
    {"components only", READING_NONE, 0, "parts only"},
    {"gpu-size class", READING_NONE, 0, NULL},
    {"rounded", READING_DRIVER, 0, NULL},
    {"nvidia-smi", READING_DRIVER, 0, NULL},
    {"GPU memory", READING_DRIVER, 0, NULL},
    {"allocated or reserved", READING_ALLOCATED, 1, NULL},
    {"reserved", READING_RESERVED, 1, NULL},
    {"torchtitan", READING_RESERVED, 1, NULL},
    {"allocated", READING_ALLOCATED, 1, NULL},
    {"active", READING_ALLOCATED, 1, NULL},
    {"max GPU RAM", READING_ALLOCATED, 1, NULL},
    {"peak", READING_ALLOCATED, 1, NULL},
    {"max_memory", READING_ALLOCATED, 1, NULL},
};

static void read_kind(verdict *v, row r)
{
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        if (row_has(r, "measured_kind", readings[i].part)) {
            v->kind = readings[i].kind;
            v->allocator = readings[i].allocator;
            if (readings[i].skip != NULL)
                snprintf(v->why, sizeof v->why, "%s", readings[i].skip);
            if (row_has(r, "measured_kind", "reserved/vram"))
                v->kind = READING_RESERVED;
            return;
        }
}

static void read_measured(verdict *v, row r)
{
    double value;

    if (row_has(r, "notes", "post-optimizer value")) {
        snprintf(v->why, sizeof v->why, "a reading after the step, not its peak");
        return;
    }
    if (row_number(r, "measured_peak_gib", &value))
        v->measured = value * 1073741824;
    else if (row_number(r, "peak_mem_gb", &value))
        v->measured = value * 1e9; /* the files convert to it, whatever was printed */
    if (row_has(r, "outcome", "OOM"))
        v->measured = 0; /* what was in use when it failed is only a lower bound */
    if (v->kind == READING_NONE)
        v->measured = 0;
}

static void read_outcome(verdict *v, row r, int card)
{
    int failed = row_has(r, "outcome", "OOM");

    v->ran = row_ran(r);
    v->fits = !failed;
    v->known = card && (failed || v->ran || row_has(r, "outcome", "fits"));
    if (row_has(r, "notes", "host RAM") && failed)
        v->known = 0; /* not the accelerator's memory ran out */
}

/* The settings but for the global batch, which moves no peak. */
static void read_setup(verdict *v, question *q)
{
    static char json[65536];

    (void)csz_workload_unset(q->workload, CSZ_WORKLOAD_GLOBAL_BATCH);
    (void)csz_workload_to_json(q->workload, json, sizeof json);
    v->setup = verdict_hash(verdict_hash(verdict_hash(VERDICT_HASH, json), q->layout.data),
                            q->machines.data);
}

/* The band of the worst stage, moved to the last one. */
static void move_to_last(verdict *v, const csz_estimate *e, int64_t stages)
{
    double last;

    if (csz_estimate_get_f64_at(e, CSZ_ESTIMATE_STAGE_ALLOCATED, (size_t)stages - 1, &last) !=
        CSZ_OK)
        return;
    v->low *= last / v->likely;
    v->high *= last / v->likely;
    v->likely = last;
}

static void predict(verdict *v, question *q, const csz_estimate *e)
{
    static const csz_field fields[] = {CSZ_ESTIMATE_MEMORY_TOTAL, CSZ_ESTIMATE_MEMORY_ALLOCATED,
                                       CSZ_ESTIMATE_MEMORY_RESERVED, CSZ_ESTIMATE_MEMORY_TOTAL};
    int64_t called = CSZ_FIT_NO;

    (void)csz_estimate_get_range(e, fields[v->kind], &v->low, &v->likely, &v->high);
    (void)csz_estimate_get_i64(e, CSZ_ESTIMATE_MEMORY_FIT, &called);
    (void)csz_estimate_get_f64(e, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY, &v->probability);
    v->called = (csz_fit)called;
    if (q->last_rank)
        move_to_last(v, e, q->pp);
    v->judged = v->measured > 0;
    v->full = !q->partial;
    v->sharded = q->sharding == CSZ_SHARDING_PARAMETERS && q->gpus > 1;
    if (!v->judged && !v->known)
        snprintf(v->why, sizeof v->why, "nothing to compare with");
}

static void ask(verdict *v, question *q)
{
    csz_estimate *e = csz_estimate_new(NULL);

    if (e == NULL || csz_estimate_reserve(e, (size_t)q->pp) != CSZ_OK)
        snprintf(v->why, sizeof v->why, "out of memory");
    else if (csz_estimate_compute(e, q->workload, q->cluster, q->plan, CSZ_DEPTH_FIT) != CSZ_OK) {
        v->refused = csz_estimate_reason(e) != CSZ_REASON_NONE;
        snprintf(v->why, sizeof v->why, "%s", csz_estimate_error(e, NULL));
    } else
        predict(v, q, e);
    csz_estimate_free(e);
}

void verdict_memory(verdict *v, row r)
{
    static question q; /* too large for a stack */

    verdict_begin(v, r);
    v->testcase = is_megatron_case(r);
    v->adapters = row_says(r, "method_comparison") || row_says(r, "method comparison");
    read_kind(v, r);
    read_measured(v, r);
    if (v->why[0] != '\0')
        return;
    if (question_read(&q, r)) {
        read_outcome(v, r, q.card);
        ask(v, &q);
        read_setup(v, &q);
    }
    verdict_end(v, &q);
}
