#include "verdict.h"

#include <stdio.h>
#include <string.h>

/* "owner/name", or the first words of a paper. */
static void read_source(verdict *v, row r)
{
    const char *from = row_text(r, "source"), *to;
    int slashes = 0;

    if (word_begins(from, "github.com/"))
        from += strlen("github.com/");
    for (to = from; *to != '\0' && *to != ',' && *to != '@' && to - from < 60; to++) {
        slashes += *to == '/';
        if (slashes == 2 || (*to == ' ' && slashes == 1))
            break;
    }
    snprintf(v->source, sizeof v->source, "%.*s", (int)(to - from), from);
}

/* Repositories that the files name in two ways. */
static void unify_source(verdict *v)
{
    static const char *const names[][2] = {{"pytorch/torchtune", "meta-pytorch/torchtune"},
                                           {"hiyouga/LlamaFactory", "hiyouga/LLaMA-Factory"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(v->source, names[i][0]) == 0)
            snprintf(v->source, sizeof v->source, "%s", names[i][1]);
}

void verdict_begin(verdict *v, row r)
{
    const char *name = row_text(r, "framework");
    const char *end = strstr(name, " (");

    memset(v, 0, sizeof *v);
    snprintf(v->id, sizeof v->id, "%s", row_text(r, "id"));
    snprintf(v->framework, sizeof v->framework, "%.*s",
             end != NULL ? (int)(end - name) : (int)strlen(name), name);
    snprintf(v->task, sizeof v->task, "%s", row_text(r, "task"));
    read_source(v, r);
    unify_source(v);
}

uint64_t verdict_hash(uint64_t sum, const char *text)
{
    for (; *text != '\0'; text++) /* FNV-1a */
        sum = (sum ^ (unsigned char)*text) * 1099511628211u;
    return sum;
}

void verdict_end(verdict *v, question *q)
{
    if (q->skip.used != 0)
        snprintf(v->why, sizeof v->why, "%.*s", (int)sizeof v->why - 1, q->skip.data);
    snprintf(v->filled, sizeof v->filled, "%.*s", (int)sizeof v->filled - 1, q->filled.data);
    question_free(q);
}
