/* points.c: efficiency, price of a day, the knee. */
#include "project/points.h"

#include <math.h>

#define HOUR 3600.0
#define DAY 86400.0

void cszi_compare(double n1, double t1, double n2, double t2, double price, cszi_step_up *up)
{
    up->efficiency = n1 * t1 / (n2 * t2);
    up->extra_hours = (n2 * t2 - n1 * t1) / HOUR;
    up->per_day = t2 < t1 ? up->extra_hours * price / ((t1 - t2) / DAY) : (double)NAN;
}

static double hours_of(const cszi_point *x)
{
    return (double)x->accelerators * x->time;
}

/* No other count is as fast for as few accelerator-hours (Pareto): the others are never chosen. */
static int is_useful(const cszi_projection *p, int64_t i)
{
    const cszi_point *x = &p->points[i];
    for (int64_t j = 0; j < p->point_count; j++) {
        const cszi_point *y = &p->points[j];
        int as_good = y->time <= x->time && hours_of(y) <= hours_of(x);
        int better = y->time < x->time || hours_of(y) < hours_of(x) || j < i;
        if (j != i && as_good && better)
            return 0;
    }
    return 1;
}

/* The one of fewest accelerator-hours, where efficiency is 1. */
static int64_t best_of(const cszi_projection *p)
{
    int64_t best = 0;
    for (int64_t i = 1; i < p->point_count; i++)
        if (hours_of(&p->points[i]) < hours_of(&p->points[best]))
            best = i;
    return best;
}

/* Of a useful point against the one before it. */
static void put_steps(cszi_projection *p, double price)
{
    cszi_point *points = p->points;
    int64_t last = best_of(p);
    double least = hours_of(&points[last]);
    for (int64_t i = 0; i < p->point_count; i++) {
        cszi_step_up up;
        points[i].efficiency = least / hours_of(&points[i]);
        points[i].extra_hours = points[i].per_day = (double)NAN;
        if (i <= last || !is_useful(p, i))
            continue;
        cszi_compare((double)points[last].accelerators, points[last].time,
                     (double)points[i].accelerators, points[i].time, price, &up);
        points[i].extra_hours = up.extra_hours;
        points[i].per_day = price > 0 ? up.per_day : (double)NAN;
        last = i;
    }
}

/* The useful point farthest below the chord of ln(time) over ln(count): after it more accelerators
 * bring less than over the whole curve (Satopaa et al. 2011, "Finding a kneedle in a haystack"). */
static void put_knee(cszi_projection *p)
{
    const cszi_point *points = p->points;
    int64_t last = p->point_count - 1, from = best_of(p);
    const cszi_point *first = &points[from];
    double most = 0, slope;
    while (last > from && !is_useful(p, last))
        last--;
    if (last < from + 2)
        return;
    slope = log(points[last].time / first->time) /
            log((double)points[last].accelerators / (double)first->accelerators);
    for (int64_t i = from + 1; i < last; i++) {
        double x = log((double)points[i].accelerators / (double)first->accelerators);
        double below = slope * x - log(points[i].time / first->time);
        if (below > most && is_useful(p, i)) {
            most = below;
            p->knee = points[i].accelerators;
        }
    }
}

static void keep_least(double value, int64_t count, double *least, int64_t *best)
{
    if (!(value < *least))
        return;
    *least = value;
    *best = count;
}

static void put_answers(cszi_projection *p, double deadline, double budget)
{
    double cheapest = (double)INFINITY, fastest = cheapest, within = cheapest, in_time = cheapest;
    int64_t floor_at = INT64_MIN;
    for (int64_t i = 0; i < p->point_count; i++) {
        const cszi_point *x = &p->points[i];
        double cost = isfinite(x->cost) ? x->cost : (double)x->accelerators * x->time;
        keep_least(cost, x->accelerators, &cheapest, &p->cheapest);
        keep_least(x->time, x->accelerators, &fastest, &floor_at);
        if (budget > 0 && x->cost <= budget)
            keep_least(x->time, x->accelerators, &within, &p->fastest);
        if (deadline > 0 && x->time <= deadline)
            keep_least(cost, x->accelerators, &in_time, &p->in_time);
    }
    if (budget <= 0)
        p->fastest = floor_at;
    p->least_time = fastest;
    p->least_cost = isfinite(p->points[0].cost) ? cheapest : (double)NAN;
}

void cszi_project_points(cszi_projection *p, double price, double deadline, double budget)
{
    if (p->point_count == 0)
        return;
    put_steps(p, price);
    put_knee(p);
    put_answers(p, deadline, budget);
}
