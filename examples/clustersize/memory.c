/* memory.c: where the memory of an accelerator and of a node's host goes. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAR_COLUMNS 40

static const char *const part_names[] = {"weights",     "gradients",     "master",   "optimizer",
                                         "activations", "logits",        "gathered", "buffers",
                                         "workspace",   "fragmentation", "context"};
#define PARTS (sizeof part_names / sizeof *part_names)

static csz_field part_field(size_t part)
{
    return (csz_field)((size_t)CSZ_ESTIMATE_MEMORY_WEIGHTS + part);
}

/* "GIB (LOW to HIGH)"; "" when the range is not known. */
static shown gib_range(const csz_estimate *e, csz_field field)
{
    shown w = {""};
    double low, likely, high;
    if (csz_estimate_get_range(e, field, &low, &likely, &high) == CSZ_OK)
        (void)snprintf(w.text, sizeof w.text, "%.12s (%.12s to %.12s)", text_gib(likely).text,
                       text_gib(low).text, text_gib(high).text);
    return w;
}

const char *fit_word(double fit)
{
    return fit < 0.5 ? "does not fit" : fit < 1.5 ? "tight" : "fits";
}

const char *moment_phrase(double moment)
{
    static const char *const phrases[] = {"while the weights are read",
                                          "at the end of the forward pass",
                                          "at the loss",
                                          "in the backward pass of the last layer",
                                          "in the backward pass of the first layer",
                                          "while gradients are reduced",
                                          "at the optimizer's step",
                                          "in evaluation or generation",
                                          "while a checkpoint is gathered"};
    return moment >= 0 && moment < (double)(sizeof phrases / sizeof *phrases)
               ? phrases[(size_t)moment]
               : "at an unknown moment";
}

/* ---- One line ---- */

/* Those that do not print as 0.0; how many. */
static size_t parts_shown(const csz_estimate *e, size_t parts[PARTS])
{
    size_t count = 0;
    for (size_t i = 0; i < PARTS; i++)
        if (figure(e, part_field(i)) >= LEAST_GIB)
            parts[count++] = i;
    return count;
}

static void say_parts(page *t, const csz_estimate *e)
{
    size_t parts[PARTS], count = parts_shown(e, parts);
    text_open(t, "  GiB");
    for (size_t i = 0; i < count; i++)
        text_phrase(t, "%s %s%s", part_names[parts[i]],
                    text_gib(figure(e, part_field(parts[i]))).text, i + 1 < count ? "," : "");
    text_close(t);
}

void say_memory(page *t, const answer *x, int parts)
{
    const csz_estimate *e = x->estimate;
    if (isnan(figure(e, CSZ_ESTIMATE_MEMORY_TOTAL)))
        return;
    text_open(t, "Memory");
    text_add(t, "worst stage %s of %s: %s of %s GiB usable",
             text_count(figure(e, CSZ_ESTIMATE_MEMORY_WORST_STAGE) + 1).text,
             text_count((double)plan_value(x->plan, CSZ_PLAN_PIPELINE_PARALLEL)).text,
             gib_range(e, CSZ_ESTIMATE_MEMORY_TOTAL).text,
             text_gib(figure(e, CSZ_ESTIMATE_MEMORY_USABLE)).text);
    text_close(t);
    if (parts)
        say_parts(t, e);
}

/* ---- A table ---- */

/* As long as the share of the usable memory, whose end is "|"; ">" beyond it. */
static shown bar(double share)
{
    shown w;
    size_t filled = share < 1 ? (size_t)(share * BAR_COLUMNS + 0.5) : BAR_COLUMNS;
    memset(w.text, ' ', BAR_COLUMNS);
    memset(w.text, '#', filled);
    w.text[BAR_COLUMNS] = share > 1 ? '>' : '|';
    w.text[BAR_COLUMNS + 1] = '\0';
    return w;
}

static void say_peak(page *t, const answer *x)
{
    double stages = (double)plan_value(x->plan, CSZ_PLAN_PIPELINE_PARALLEL);
    const char *moment = moment_phrase(figure(x->estimate, CSZ_ESTIMATE_MEMORY_MOMENT));
    text_open(t, "Memory");
    if (stages > 1)
        text_add(t, "GiB of one accelerator of stage %s of %s, which needs most; peak %s",
                 text_count(figure(x->estimate, CSZ_ESTIMATE_MEMORY_WORST_STAGE) + 1).text,
                 text_count(stages).text, moment);
    else
        text_add(t, "GiB of one accelerator; peak %s", moment);
    text_close(t);
}

#define NAME_COLUMNS 13

/* "allocated 46.9 (42.7 to 55.1)", open for words. */
static void open_level(page *t, const csz_estimate *e, csz_field field, const char *name)
{
    shown label;
    double low = (double)NAN, high = low;
    (void)csz_estimate_get_range(e, field, &low, NULL, &high);
    (void)snprintf(label.text, sizeof label.text, "%8s%-*s %6.12s", "", NAME_COLUMNS, name,
                   text_gib(figure(e, field)).text);
    text_open(t, label.text);
    t->indent = (int)strlen(label.text) + 1;
    text_phrase(t, "(%s to %s)", text_gib(low).text, text_gib(high).text);
}

/* The three figures that tools show. */
static void say_levels(page *t, const csz_estimate *e)
{
    open_level(t, e, CSZ_ESTIMATE_MEMORY_ALLOCATED, "allocated");
    text_add(t, "in live tensors");
    text_close(t);
    open_level(t, e, CSZ_ESTIMATE_MEMORY_RESERVED, "reserved");
    text_add(t, "held by the caching allocator");
    text_close(t);
    open_level(t, e, CSZ_ESTIMATE_MEMORY_TOTAL, "driver");
    text_add(t, "of %s usable:", text_gib(figure(e, CSZ_ESTIMATE_MEMORY_USABLE)).text);
    text_phrase(t, "%s,", fit_word(figure(e, CSZ_ESTIMATE_MEMORY_FIT)));
    text_phrase(t, "chance %s", text_chance(figure(e, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY)).text);
    text_close(t);
}

static void say_host(page *t, const csz_estimate *e)
{
    double usable = figure(e, CSZ_ESTIMATE_HOST_USABLE), fit = figure(e, CSZ_ESTIMATE_HOST_FIT);
    if (isnan(figure(e, CSZ_ESTIMATE_HOST_TOTAL)))
        return;
    text_open(t, "Host");
    if (isnan(usable) || isnan(fit))
        text_add(t, "GiB of a node: %s; how much it has is not known",
                 gib_range(e, CSZ_ESTIMATE_HOST_TOTAL).text);
    else
        text_add(t, "GiB of a node: %s of %s usable: %s",
                 gib_range(e, CSZ_ESTIMATE_HOST_TOTAL).text, text_gib(usable).text, fit_word(fit));
    text_close(t);
}

void say_memory_table(page *t, const answer *x)
{
    const csz_estimate *e = x->estimate;
    double usable = figure(e, CSZ_ESTIMATE_MEMORY_USABLE);
    size_t parts[PARTS], count = parts_shown(e, parts);
    say_peak(t, x);
    for (size_t i = 0; i < count; i++) {
        double bytes = figure(e, part_field(parts[i]));
        text_line(t, "%8s%-*s %6s %s", "", NAME_COLUMNS, part_names[parts[i]], text_gib(bytes).text,
                  bar(bytes / usable).text);
    }
    say_levels(t, e);
    say_host(t, e);
}

/* ---- Every stage ---- */

typedef struct column {
    csz_field field;
    const char *head;
} column;

static const column stage_columns[] = {
    {CSZ_ESTIMATE_STAGE_LAYERS, "layers"},      {CSZ_ESTIMATE_STAGE_WEIGHTS, "weights"},
    {CSZ_ESTIMATE_STAGE_GRADIENTS, "grads"},    {CSZ_ESTIMATE_STAGE_MASTER, "master"},
    {CSZ_ESTIMATE_STAGE_OPTIMIZER, "optim"},    {CSZ_ESTIMATE_STAGE_ACTIVATIONS, "activ"},
    {CSZ_ESTIMATE_STAGE_LOGITS, "logits"},      {CSZ_ESTIMATE_STAGE_GATHERED, "gathered"},
    {CSZ_ESTIMATE_STAGE_BUFFERS, "buffers"},    {CSZ_ESTIMATE_STAGE_WORKSPACE, "work"},
    {CSZ_ESTIMATE_STAGE_FRAGMENTATION, "frag"}, {CSZ_ESTIMATE_STAGE_CONTEXT, "context"},
    {CSZ_ESTIMATE_STAGE_ALLOCATED, "alloc"},    {CSZ_ESTIMATE_STAGE_RESERVED, "reserved"},
    {CSZ_ESTIMATE_STAGE_TOTAL, "driver"},       {CSZ_ESTIMATE_STAGE_MOMENT, "peak"}};
#define STAGE_COLUMNS (sizeof stage_columns / sizeof *stage_columns)
#define COLUMNS_OF_A_TABLE 8 /* that stand beside each other */

/* Whether any stage has as much of it as a table shows. */
static int is_shown(const csz_estimate *e, csz_field field)
{
    if (field == CSZ_ESTIMATE_STAGE_LAYERS || field == CSZ_ESTIMATE_STAGE_MOMENT)
        return 1;
    for (size_t i = 0; i < csz_estimate_count(e, field); i++) {
        double bytes = 0;
        if (csz_estimate_get_f64_at(e, field, i, &bytes) == CSZ_OK && bytes >= LEAST_GIB)
            return 1;
    }
    return 0;
}

static shown stage_cell(const csz_estimate *e, csz_field field, size_t stage)
{
    shown w;
    const char *name;
    double value = 0;
    (void)csz_estimate_get_f64_at(e, field, stage, &value);
    if (field == CSZ_ESTIMATE_STAGE_LAYERS)
        return text_count(value);
    if (field != CSZ_ESTIMATE_STAGE_MOMENT)
        return text_gib(value);
    name = csz_field_choice(field, (int64_t)value);
    (void)snprintf(w.text, sizeof w.text, "%.16s", name != NULL ? name : "?");
    return w;
}

static void say_stage_table(page *t, const csz_estimate *e, const column *columns, size_t count)
{
    char line[TEXT_COLUMNS + 1];
    size_t stages = csz_estimate_count(e, CSZ_ESTIMATE_STAGE_TOTAL);
    for (size_t row = 0; row <= stages; row++) {
        int n = row == 0 ? snprintf(line, sizeof line, "%5s", "stage")
                         : snprintf(line, sizeof line, "%5zu", row);
        for (size_t i = 0; i < count && n < TEXT_COLUMNS; i++)
            n += snprintf(line + n, sizeof line - (size_t)n, " %*s",
                          columns[i].field == CSZ_ESTIMATE_STAGE_MOMENT ? -8 : 8,
                          row == 0 ? columns[i].head
                                   : stage_cell(e, columns[i].field, row - 1).text);
        text_line(t, "%s", line);
    }
}

void say_stages(page *t, const csz_estimate *e)
{
    column columns[STAGE_COLUMNS];
    size_t count = 0;
    for (size_t i = 0; i < STAGE_COLUMNS; i++)
        if (is_shown(e, stage_columns[i].field))
            columns[count++] = stage_columns[i];
    text_line(t, "Stages, GiB each");
    for (size_t i = 0; i < count; i += COLUMNS_OF_A_TABLE)
        say_stage_table(t, e, columns + i,
                        count - i < COLUMNS_OF_A_TABLE ? count - i : COLUMNS_OF_A_TABLE);
}
