#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Normal quantiles of the two sides of a band of 80 and of one of 95 percent. */
#define BAND_80 1.2816
#define BAND_95 1.9600

typedef struct weighed {
    const verdict *v;
    double weight, value;
} weighed;

static int by_setup(const void *a, const void *b)
{
    const verdict *x = ((const weighed *)a)->v, *y = ((const weighed *)b)->v;
    int order = strcmp(x->source, y->source);

    return order != 0 ? order : (x->setup > y->setup) - (x->setup < y->setup);
}

static int by_value(const void *a, const void *b)
{
    double x = ((const weighed *)a)->value, y = ((const weighed *)b)->value;

    return (x > y) - (x < y);
}

static int same_source(const weighed *a, const weighed *b)
{
    return strcmp(a->v->source, b->v->source) == 0;
}

/* The number of distinct settings. */
static size_t weigh(weighed *list, size_t count)
{
    size_t end, all = 0;

    qsort(list, count, sizeof *list, by_setup);
    for (size_t from = 0; from < count; from = end) {
        size_t setups = 0, next;
        for (end = from; end < count && same_source(&list[from], &list[end]); end++)
            setups += end == from || list[end].v->setup != list[end - 1].v->setup;
        for (size_t i = from; i < end; i = next) {
            for (next = i; next < end && list[next].v->setup == list[i].v->setup;)
                next++;
            for (size_t k = i; k < next; k++)
                list[k].weight = 1 / (sqrt((double)setups) * (double)(next - i));
        }
        all += setups;
    }
    return all;
}

static double mean(const weighed *list, size_t count)
{
    double sum = 0, weight = 0;

    for (size_t i = 0; i < count; i++) {
        sum += list[i].value * list[i].weight;
        weight += list[i].weight;
    }
    return weight > 0 ? sum / weight : 0;
}

static double quantile(weighed *list, size_t count, double share)
{
    double all = 0, below = 0;
    size_t i = 0;

    qsort(list, count, sizeof *list, by_value);
    for (size_t k = 0; k < count; k++)
        all += list[k].weight;
    while (i + 1 < count && (below += list[i].weight) < share * all)
        i++;
    return count > 0 ? list[i].value : 0;
}

static double log_ratio(const verdict *v)
{
    return log(v->likely / v->measured);
}

/* The measured value lies within the band, each side of which is stretched by a power. */
static double share_within(weighed *list, size_t count, double power)
{
    for (size_t i = 0; i < count; i++) {
        const verdict *v = list[i].v;
        double ratio = v->measured / v->likely;
        list[i].value =
            ratio >= pow(v->low / v->likely, power) && ratio <= pow(v->high / v->likely, power);
    }
    return mean(list, count);
}

static void summarize_errors(summary *s, weighed *list, size_t count)
{
    s->setups = weigh(list, count);
    s->judged = count;
    for (size_t i = 0; i < count; i++)
        list[i].value = log_ratio(list[i].v);
    s->bias = mean(list, count);
    s->in_band = share_within(list, count, 1);
    s->in_band_95 = share_within(list, count, BAND_95 / BAND_80);
    for (size_t i = 0; i < count; i++)
        list[i].value = list[i].v->high / list[i].v->low;
    s->band_ratio = quantile(list, count, 0.5);
    for (size_t i = 0; i < count; i++)
        list[i].value = fabs(log_ratio(list[i].v));
    s->mean = mean(list, count);
    s->median = quantile(list, count, 0.5);
    s->p90 = quantile(list, count, 0.9);
}

static void summarize_outcomes(summary *s, weighed *list, size_t count)
{
    double brier[2] = {0, 0}, weight[2] = {0, 0};
    size_t tight = 0;

    (void)weigh(list, count);
    for (size_t i = 0; i < count; i++) {
        const verdict *v = list[i].v;
        double miss = v->probability - v->fits;
        tight += v->called == CSZ_FIT_TIGHT;
        if (v->ran)
            s->ran[v->called]++;
        if (!v->full)
            continue;
        s->outcomes[v->fits][v->called]++;
        brier[v->fits] += list[i].weight * miss * miss;
        weight[v->fits] += list[i].weight;
    }
    s->tight = count > 0 ? (double)tight / (double)count : 0;
    for (int side = 0; side < 2; side++)
        if (weight[side] > 0)
            s->brier += brier[side] / weight[side] / ((weight[0] > 0) + (weight[1] > 0));
}

static int is_answered(const verdict *v)
{
    return v->why[0] == '\0';
}

int in_group(const group *g, const verdict *v)
{
    const char *value;

    if (g->is != NULL)
        return g->is->holds(v);
    if (g->by == NULL)
        return 1;
    value = g->by->value(v);
    return value != NULL && strcmp(value, g->name) == 0;
}

int summary_weights(const verdict *all, size_t count, double *weights)
{
    weighed *list = malloc((count + 1) * sizeof *list);

    if (list == NULL)
        return 0;
    for (size_t i = 0; i < count; i++)
        list[i] = (weighed){&all[i], 0, 0};
    (void)weigh(list, count);
    for (size_t i = 0; i < count; i++)
        weights[list[i].v - all] = list[i].weight;
    free(list);
    return 1;
}

int summary_make(summary *s, const verdict *all, size_t count, group g)
{
    weighed *list = malloc((count + 1) * sizeof *list);
    size_t n = 0;

    memset(s, 0, sizeof *s);
    if (list == NULL)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (in_group(&g, &all[i])) {
            s->rows++;
            s->refused += all[i].refused && all[i].ran;
            if (all[i].judged && is_answered(&all[i]))
                list[n++] = (weighed){&all[i], 0, 0};
        }
    summarize_errors(s, list, n);
    n = 0;
    for (size_t i = 0; i < count; i++)
        if (in_group(&g, &all[i]) && all[i].known && is_answered(&all[i]))
            list[n++] = (weighed){&all[i], 0, 0};
    summarize_outcomes(s, list, n);
    free(list);
    return 1;
}
