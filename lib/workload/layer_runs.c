/* layer_runs.c: equal layers in a row. */
#include "workload/layer_runs.h"

void cszi_layer_runs_begin(cszi_layer_runs *runs, const unsigned char *marks, int64_t layers)
{
    runs->marks = marks;
    runs->layers = layers;
    runs->end = runs->count = 0;
    runs->run = -1;
    runs->kind = runs->is_new = runs->kinds = 0;
    for (int i = 0; i < 256; i++)
        runs->kind_of[i] = -1;
}

int cszi_layer_runs_next(cszi_layer_runs *runs)
{
    int64_t begin = runs->end;
    unsigned char marks;
    if (begin >= runs->layers)
        return 0;
    marks = runs->marks[begin];
    while (runs->end < runs->layers && runs->marks[runs->end] == marks)
        runs->end++;
    runs->count = runs->end - begin;
    runs->run++;
    runs->is_new = runs->kind_of[marks] < 0;
    if (runs->is_new)
        runs->kind_of[marks] = (short)runs->kinds++;
    runs->kind = runs->kind_of[marks];
    return 1;
}
