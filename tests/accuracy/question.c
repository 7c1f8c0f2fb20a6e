#include "question.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void question_fill(question *q, int essential, const char *format, ...)
{
    char what[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    phrase_add(&q->filled, "%s%s", q->filled.used != 0 ? ", " : "", what);
    q->partial |= essential;
}

/* Rows that are no training step, or not of one model on whole sequences. */
static void refuse(question *q)
{
    static const struct {
        const char *column, *part, *why;
    } refused[] = {
        {"task", "inference", "inference: serving is not modelled"},
        {"notes", "unpacked", "unpacked: the length of the examples is not known"},
        {"notes", "padding depends", "the length of the examples is not known"},
        {"model", "modelopt_distill", "distillation from another model is not modelled"},
        {"source", "vllm_colocate", "a generation server shares the accelerators"},
        {"source", "grpo/internal", "a generation server shares the accelerators"},
        {"optimizer", "galore", "GaLore is not modelled"},
        {"source", "galore", "GaLore is not modelled"},
        {"optimizer", "lomo", "LOMO is not modelled"},
        {"source", "lisa", "LISA is not modelled"},
        {"gpu", "total over", "a total over accelerators"},
        {"notes", "LoRA (emb)", "embeddings trained beside adapters are not modelled"},
        {"notes", "spread naively", "layers spread over devices without a pipeline"},
        {"notes", "schedule zero-bubble", "zero-bubble schedules are not modelled"},
        {"notes", "schedule v-", "zero-bubble schedules are not modelled"},
    };

    for (size_t i = 0; i < sizeof refused / sizeof *refused && q->skip.used == 0; i++)
        if (row_has(q->row, refused[i].column, refused[i].part))
            phrase_add(&q->skip, "%s", refused[i].why);
}

/* The texts of the parts, into the handles. */
static void apply(question *q)
{
    if (csz_workload_set(q->workload, NULL, q->job.data) != CSZ_OK)
        phrase_add(&q->skip, "job: %s", csz_workload_error(q->workload, NULL));
    else if (csz_cluster_set(q->cluster, NULL, q->machines.data) != CSZ_OK)
        phrase_add(&q->skip, "machines: %s", csz_cluster_error(q->cluster, NULL));
    else if (csz_plan_set(q->plan, q->layout.data) != CSZ_OK)
        phrase_add(&q->skip, "plan: %s", csz_plan_error(q->plan, NULL));
}

int question_read(question *q, row r)
{
    void (*const parts[])(question *) = {
        refuse,       question_limits, question_degrees,  question_model,
        question_job, question_layout, question_machines, apply};

    memset(q, 0, sizeof *q);
    q->row = r;
    q->examples = 1;
    q->workload = csz_workload_new(NULL);
    q->cluster = csz_cluster_new(NULL);
    q->plan = csz_plan_new(NULL);
    if (q->workload == NULL || q->cluster == NULL || q->plan == NULL)
        phrase_add(&q->skip, "out of memory");
    q->framework = framework_find(r);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && q->skip.used == 0; i++)
        parts[i](q);
    return q->skip.used == 0;
}

int question_mixture(const question *q)
{
    size_t kinds = csz_workload_count(q->workload, CSZ_WORKLOAD_EXPERTS);
    double experts;

    for (size_t i = 0; i < kinds; i++)
        if (csz_workload_get_f64_at(q->workload, CSZ_WORKLOAD_EXPERTS, i, &experts) == CSZ_OK &&
            experts > 0)
            return 1;
    return 0;
}

void question_free(question *q)
{
    csz_workload_free(q->workload);
    csz_cluster_free(q->cluster);
    csz_plan_free(q->plan);
}
