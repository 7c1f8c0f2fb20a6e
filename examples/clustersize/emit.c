/* emit.c: a plan as the launch of the training software. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

#define ROWS 300 /* of a ranking in which one is looked for that can be said */

/* Degrees that a file has no option for. */
#define DEGREES 3

static const struct {
    const char *name;
    csz_source source;
    const char *stack; /* that it runs, for a search */
    csz_field without[DEGREES];
} software[] = {{"megatron", CSZ_SOURCE_MEGATRON, "megatron", {CSZ_FIELD_NONE}},
                {"deepspeed",
                 CSZ_SOURCE_DEEPSPEED,
                 "deepspeed",
                 {CSZ_PLAN_PIPELINE_PARALLEL, CSZ_PLAN_CONTEXT_PARALLEL, CSZ_PLAN_EXPERT_PARALLEL}},
                {"torchtitan", CSZ_SOURCE_TORCHTITAN, "fsdp-compiled", {CSZ_FIELD_NONE}},
                {"accelerate",
                 CSZ_SOURCE_ACCELERATE,
                 "fsdp-eager",
                 {CSZ_PLAN_PIPELINE_PARALLEL, CSZ_PLAN_EXPERT_PARALLEL}},
                {"nanotron", CSZ_SOURCE_NANOTRON, "nanotron", {CSZ_PLAN_EXPERT_PARALLEL}},
                {"nemo", CSZ_SOURCE_NEMO, "megatron", {CSZ_FIELD_NONE}},
                {"maxtext", CSZ_SOURCE_MAXTEXT, "xla", {CSZ_FIELD_NONE}}};
#define SOFTWARE (sizeof software / sizeof *software)

int launch_source(asked *a, const char *flag, const char *name, csz_source *source)
{
    for (size_t i = 0; i < SOFTWARE; i++) {
        if (strcmp(software[i].name, name) == 0) {
            *source = software[i].source;
            return 0;
        }
    }
    return args_fail(a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE,
                     "%s: '%.40s' is none of megatron, deepspeed, torchtitan, accelerate, "
                     "nanotron, nemo, maxtext",
                     flag, name);
}

int limit_emitted(asked *a)
{
    csz_source source = CSZ_SOURCE_JSON;
    size_t at = 0;
    if (a->emit == NULL)
        return 0;
    if (launch_source(a, "emit", a->emit, &source) != 0)
        return BAD_INPUT;
    while (software[at].source != source)
        at++;
    if (!a->stated[CSZ_GOAL_ROWS])
        (void)csz_goal_set_i64(a->goal, CSZ_GOAL_ROWS, ROWS);
    for (size_t i = 0; i < DEGREES && software[at].without[i] != CSZ_FIELD_NONE; i++)
        if (!csz_plan_is_set(a->plan, software[at].without[i]))
            (void)csz_goal_limit(a->goal, software[at].without[i], 1, 1);
    if (!csz_plan_is_set(a->plan, CSZ_PLAN_STACK))
        (void)csz_goal_stack(a->goal, software[at].stack);
    return 0;
}

char *launch_text(asked *a, const answer *x, csz_source source, csz_launch_part part)
{
    const csz_estimate *run = x->depth == CSZ_DEPTH_RUN ? x->estimate : NULL;
    size_t length = 0;
    csz_field field = CSZ_FIELD_NONE;
    char *text = NULL;
    csz_status status =
        csz_plan_to_launch(x->plan, a->workload, x->cluster, run, source, part, NULL, 0, &length);
    if (status == CSZ_OK)
        text = malloc(length + 1);
    if (text != NULL)
        (void)csz_plan_to_launch(x->plan, a->workload, x->cluster, run, source, part, text,
                                 length + 1, NULL);
    else if (status == CSZ_OK)
        (void)args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    if (status != CSZ_OK) {
        (void)csz_plan_error(x->plan, &field);
        (void)args_fail(a, status, field, "%s", csz_plan_error(x->plan, NULL));
    }
    return text;
}

/* ---- Printing ---- */

static void put_json_text(const char *name, const char *text)
{
    printf("\"%s\":\"", name);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if (*text == '\n')
            fputs("\\n", stdout);
        else
            putchar((unsigned char)*text < 0x20 ? ' ' : *text);
    }
    putchar('"');
}

static void put_notes(const char *notes)
{
    while (*notes != '\0') {
        size_t n = strcspn(notes, "\n");
        fprintf(stderr, "%.*s\n", (int)n, notes);
        notes += n + (notes[n] == '\n');
    }
}

/* What the software cannot say is no bad input: it is said, and the status is that of a plan that
 * there is not. */
static int refuse(const asked *a)
{
    fprintf(stderr, "clustersize: %s\n", a->message);
    if (a->json) {
        const char *name = csz_field_name(a->field);
        printf("{\"error\":{\"status\":\"%s\",", csz_status_name(a->status));
        if (a->field != CSZ_FIELD_NONE && name != NULL)
            printf("\"field\":\"%s\",", name);
        put_json_text("message", a->message);
        puts("}}");
    }
    return FITS_NOT;
}

int emit_plan(asked *a, const answer *x)
{
    csz_source source = CSZ_SOURCE_JSON;
    char *text, *notes, version[80];
    if (launch_source(a, "emit", a->emit, &source) != 0)
        return BAD_INPUT;
    text = launch_text(a, x, source, a->slurm ? CSZ_LAUNCH_PART_BATCH : CSZ_LAUNCH_PART_FILE);
    if (text == NULL)
        return a->status == CSZ_ERR_CONFLICT ? refuse(a) : BAD_INPUT;
    notes = launch_text(a, x, source, CSZ_LAUNCH_PART_NOTES);
    if (notes == NULL) {
        free(text);
        return BAD_INPUT;
    }
    (void)csz_launch_version(source, version, sizeof version);
    if (a->json) {
        putchar('{');
        put_json_text("software", version);
        putchar(',');
        put_json_text(a->slurm ? "batch" : "file", text);
        putchar(',');
        put_json_text("notes", notes);
        puts("}");
    } else {
        fputs(text, stdout);
        put_notes(notes);
    }
    free(text);
    free(notes);
    return estimate_fits(x->estimate) ? FITS : FITS_NOT;
}

/* ---- Of a ranking ---- */

/* Whether the entry can be said; then x is its answer. */
static int can_say(asked *a, answer *x, const csz_plan *plan, csz_source source)
{
    char *text;
    if (answer_make(a, x, plan, 0) != 0)
        return 0;
    text = launch_text(a, x, source, CSZ_LAUNCH_PART_FILE);
    free(text);
    return text != NULL;
}

int emit_ranked(asked *a, const csz_ranking *ranking)
{
    csz_source source = CSZ_SOURCE_JSON;
    char first[sizeof a->message] = "";
    if (launch_source(a, "emit", a->emit, &source) != 0)
        return BAD_INPUT;
    for (size_t i = 0; i < csz_ranking_count(ranking); i++) {
        answer x = {NULL, NULL, NULL, CSZ_DEPTH_MODEL};
        int said = can_say(a, &x, csz_ranking_plan_at(ranking, i), source), status = BAD_INPUT;
        if (said && i > 0)
            fprintf(stderr, "clustersize: this is plan %zu; the first is not said: %s\n", i + 1,
                    first);
        if (said)
            status = emit_plan(a, &x);
        answer_free(&x);
        if (said)
            return status;
        if (i == 0)
            memcpy(first, a->message, sizeof first);
        if (a->status != CSZ_ERR_CONFLICT)
            return BAD_INPUT;
    }
    memcpy(a->message, first, sizeof first);
    return refuse(a);
}
