#include "row.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *other;
} spellings[] = {{"model", "model_name"}, {"measured_kind", "mem_kind"}};

const char *row_text(row r, const char *name)
{
    size_t column = csv_column(r.table, name);

    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (column == r.table->columns && strcmp(name, spellings[i].name) == 0)
            column = csv_column(r.table, spellings[i].other);
    return column < r.table->columns ? r.table->cells[r.index * r.table->columns + column] : "";
}

int row_has(row r, const char *name, const char *part)
{
    return word_find(row_text(r, name), part) != NULL;
}

int row_number(row r, const char *name, double *value)
{
    return word_number(row_text(r, name), value);
}

int64_t row_count(row r, const char *name, int64_t fallback)
{
    double value;

    return row_number(r, name, &value) ? (int64_t)llround(value) : fallback;
}

int row_says(row r, const char *part)
{
    return row_has(r, "notes", part) || row_has(r, "source", part) || row_has(r, "model", part);
}

int row_ran(row r)
{
    static const char *const rates[] = {"step_time_s", "tokens_per_s_per_gpu",
                                        "model_tflops_per_gpu", "mfu_pct", "hfu_pct"};
    double value;

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (row_number(r, rates[i], &value))
            return 1;
    return 0;
}

/* The README of torchtune adds one technique after the other; a row names the last one added. */
int row_ablation(row r, const char *technique)
{
    static const char *const steps[] = {"packed",      "compile",
                                        "chunked CE",  "activation checkpointing",
                                        "in backward", "activation offload",
                                        "8-bit AdamW"};
    static const char *const last[] = {"LoRA", "QLoRA"}; /* on top, with the first optimizer */
    size_t wanted = 0, reached = 0, count = sizeof steps / sizeof *steps;
    const char *notes = row_text(r, "notes");

    if (word_find(notes, "cumulative") == NULL)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(steps[i], technique) == 0)
            wanted = i + 1;
        if (word_find(notes, steps[i]) != NULL && word_find(notes, "unpacked") == NULL)
            reached = i + 1;
    }
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        if (word_among(notes, last[i])) /* steps 5 and 7 change the optimizer */
            return wanted != 5 && wanted != 7;
    return wanted != 0 && wanted <= reached;
}
