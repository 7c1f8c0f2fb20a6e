/* cost.c: what a run takes beside its steps, and rent against owning. */
#include <math.h>

#include "project.h"

static void say_time(page *t, const csz_projection *p)
{
    text_open(t, "Time");
    say_range(t, p, CSZ_PROJECTION_TIME, ":");
    text_add(t, "steps %s, effective training time",
             text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_IDEAL, 0)).text);
    say_range(t, p, CSZ_PROJECTION_EFFECTIVE, ",");
    text_add(t, "other time %s of the steps",
             text_unit(CSZ_UNIT_RATIO, projected(p, CSZ_PROJECTION_OVERHEAD, 0)).text);
    text_close(t);
    text_open(t, "Stops");
    say_range(t, p, CSZ_PROJECTION_FAILURES_PER_DAY, "");
    text_add(t, "failures over %s units of %s; restart",
             text_count(projected(p, CSZ_PROJECTION_UNITS, 0)).text,
             text_count(projected(p, CSZ_PROJECTION_UNIT_ACCELERATORS, 0)).text);
    say_range(t, p, CSZ_PROJECTION_RESTART, ";");
    text_add(t, "%s spare units", text_count(projected(p, CSZ_PROJECTION_SPARES, 0)).text);
    text_close(t);
    text_open(t, "Storage");
    text_add(t, "checkpoints of %s in %s, of which the run waits %s, every %s; data at %s",
             text_unit(CSZ_UNIT_BYTE, projected(p, CSZ_PROJECTION_CHECKPOINT_BYTES, 0)).text,
             text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_CHECKPOINT_WRITE, 0)).text,
             text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_CHECKPOINT_BLOCKED, 0)).text,
             text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_CHECKPOINT_INTERVAL, 0)).text,
             text_unit(CSZ_UNIT_BYTE_PER_SECOND, projected(p, CSZ_PROJECTION_READ_RATE, 0)).text);
    text_close(t);
}

static void say_rent(page *t, const csz_projection *p)
{
    if (isnan(projected(p, CSZ_PROJECTION_RENT_COST, 0)))
        return;
    text_open(t, "Rent");
    say_range(t, p, CSZ_PROJECTION_RENT_COST, ":");
    text_add(t, "%s accelerator-hours at %s",
             text_unit(CSZ_UNIT_COUNT, projected(p, CSZ_PROJECTION_ACCELERATOR_HOURS, 0)).text,
             text_unit(CSZ_UNIT_USD_PER_HOUR, projected(p, CSZ_PROJECTION_RENT_HOUR, 0)).text);
    text_close(t);
    for (size_t i = 0; i < csz_projection_count(p, CSZ_PROJECTION_RENTAL_PRICE); i++) {
        double unused = projected(p, CSZ_PROJECTION_RENTAL_UNUSED, i);
        text_open(t, " ");
        text_phrase(
            t, "%s %s:", projected_word(p, CSZ_PROJECTION_RENTAL_TERM, i).text,
            text_unit(CSZ_UNIT_USD_PER_HOUR, projected(p, CSZ_PROJECTION_RENTAL_PRICE, i)).text);
        text_add(t, "%s in %s", text_money(projected(p, CSZ_PROJECTION_RENTAL_COST, i)).text,
                 text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_RENTAL_TIME, i)).text);
        if (unused > 0)
            text_add(t, "(%s of it for the rest of the term)", text_money(unused).text);
        text_close(t);
    }
}

static void say_own(page *t, const csz_projection *p)
{
    if (isnan(projected(p, CSZ_PROJECTION_OWN_HOUR, 0)))
        return;
    text_open(t, "Own");
    say_range(t, p, CSZ_PROJECTION_OWN_COST, ":");
    text_add(t,
             "purchase %s, %s a year, %s: depreciation %.2f, electricity %.2f, colocation %.2f, "
             "maintenance %.2f, interest %.2f, staff %.2f.",
             text_money(projected(p, CSZ_PROJECTION_OWN_PURCHASE, 0)).text,
             text_money(projected(p, CSZ_PROJECTION_OWN_YEAR, 0)).text,
             text_unit(CSZ_UNIT_USD_PER_HOUR, projected(p, CSZ_PROJECTION_OWN_HOUR, 0)).text,
             projected(p, CSZ_PROJECTION_OWN_DEPRECIATION, 0),
             projected(p, CSZ_PROJECTION_OWN_ELECTRICITY, 0),
             projected(p, CSZ_PROJECTION_OWN_COLOCATION, 0),
             projected(p, CSZ_PROJECTION_OWN_MAINTENANCE, 0),
             projected(p, CSZ_PROJECTION_OWN_CAPITAL, 0),
             projected(p, CSZ_PROJECTION_OWN_STAFF, 0));
    if (!isnan(projected(p, CSZ_PROJECTION_BREAK_EVEN_UTILIZATION, 0)))
        text_add(
            t, "Cheaper than rent from %s of all hours",
            text_unit(CSZ_UNIT_RATIO, projected(p, CSZ_PROJECTION_BREAK_EVEN_UTILIZATION, 0)).text);
    if (!isnan(projected(p, CSZ_PROJECTION_BREAK_EVEN_MONTHS, 0)))
        text_add(t, "or after %.1f months", projected(p, CSZ_PROJECTION_BREAK_EVEN_MONTHS, 0));
    text_close(t);
    text_open(t, "Energy");
    text_add(t, "%s at %s from the grid",
             text_unit(CSZ_UNIT_JOULE, projected(p, CSZ_PROJECTION_ENERGY, 0)).text,
             text_unit(CSZ_UNIT_WATT, projected(p, CSZ_PROJECTION_POWER, 0)).text);
    if (!isnan(projected(p, CSZ_PROJECTION_CARBON, 0)))
        text_add(t, "and %s kg of CO2",
                 text_unit(CSZ_UNIT_COUNT, projected(p, CSZ_PROJECTION_CARBON, 0)).text);
    text_close(t);
}

/* A value of the input that a swing names, in its unit. */
static shown of_input(const csz_projection *p, csz_field field, size_t i)
{
    csz_unit unit =
        csz_field_unit(csz_field_by_name(projected_word(p, CSZ_PROJECTION_SWING_INPUT, i).text));
    return text_unit(unit == CSZ_UNIT_NONE ? CSZ_UNIT_COUNT : unit, projected(p, field, i));
}

static void say_swings(page *t, const asked *a, const csz_projection *p)
{
    size_t n = csz_projection_count(p, CSZ_PROJECTION_SWING_LOW);
    for (size_t i = 0; i < n && (a->verbose || i < 6); i++) {
        text_open(t, i == 0 ? "Moves" : " ");
        text_phrase(t, "%s, %s", projected_word(p, CSZ_PROJECTION_SWING_OF, i).text,
                    projected_word(p, CSZ_PROJECTION_SWING_INPUT, i).text);
        text_phrase(t, "%s to", of_input(p, CSZ_PROJECTION_SWING_LOW, i).text);
        text_phrase(t, "%s:", of_input(p, CSZ_PROJECTION_SWING_HIGH, i).text);
        text_phrase(t, "%s to %s", text_money(projected(p, CSZ_PROJECTION_SWING_COST_LOW, i)).text,
                    text_money(projected(p, CSZ_PROJECTION_SWING_COST_HIGH, i)).text);
        text_close(t);
    }
}

static int say_cost(asked *a, csz_projection *p, const answer *x)
{
    page t = {0};
    int status = check_projection(
        a, p, csz_projection_compute(p, a->catalog, a->workload, x->cluster, x->plan));
    if (status != 0 || a->json)
        return status != 0 ? status : print_projection(a, p);
    say_projected_plan(&t, a, x);
    say_time(&t, p);
    say_rent(&t, p);
    say_own(&t, p);
    say_swings(&t, a, p);
    return 0;
}

int run_cost(asked *a)
{
    return project_best_plan(a, say_cost);
}
