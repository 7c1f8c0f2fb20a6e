/* project.c: the commands cost, curve and network: what a run takes beside its steps, rent against
 * owning, what more accelerators bring, and which network it needs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"

/* ---- Figures ---- */

static double of(const csz_projection *p, csz_field field, size_t i)
{
    double v = (double)NAN;
    return csz_projection_get_f64_at(p, field, i, &v) == CSZ_OK ? v : (double)NAN;
}

static shown word_of(const csz_projection *p, csz_field field, size_t i)
{
    shown s = {""};
    (void)csz_projection_get_text_at(p, field, i, s.text, sizeof s.text);
    return s;
}

static shown money(double v)
{
    return text_unit(CSZ_UNIT_USD, v);
}

/* "11.2 d (10.4 to 13.1)" */
static void add_range(page *t, const csz_projection *p, csz_field field, const char *mark)
{
    csz_unit unit = csz_field_unit(field);
    double low, likely, high;
    if (csz_projection_get_range(p, field, &low, &likely, &high) != CSZ_OK)
        return;
    text_phrase(t, "%s", text_unit(unit, likely).text);
    text_phrase(t, "(%s to", text_unit(unit, low).text);
    text_phrase(t, "%s)%s", text_unit(unit, high).text, mark);
}

static int check(asked *a, const csz_projection *p, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    if (status == CSZ_OK)
        return 0;
    if (p == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    (void)csz_projection_error(p, &field);
    return args_fail_with(a, status, field, csz_projection_error(p, NULL));
}

static int print_projection(asked *a, const csz_projection *p)
{
    size_t n = csz_projection_to_json(p, NULL, 0);
    char *json = malloc(n + 1);
    if (json != NULL)
        (void)csz_projection_to_json(p, json, n + 1);
    return print_json(a, json);
}

/* ---- cost ---- */

static void say_time(page *t, const csz_projection *p)
{
    text_open(t, "Time");
    add_range(t, p, CSZ_PROJECTION_TIME, ":");
    text_add(t, "steps %s, effective training time",
             text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_IDEAL, 0)).text);
    add_range(t, p, CSZ_PROJECTION_EFFECTIVE, ",");
    text_add(t, "other time %s of the steps",
             text_unit(CSZ_UNIT_RATIO, of(p, CSZ_PROJECTION_OVERHEAD, 0)).text);
    text_close(t);
    text_open(t, "Stops");
    add_range(t, p, CSZ_PROJECTION_FAILURES_PER_DAY, "");
    text_add(t, "failures a day over %s units of %s; restart",
             text_count(of(p, CSZ_PROJECTION_UNITS, 0)).text,
             text_count(of(p, CSZ_PROJECTION_UNIT_ACCELERATORS, 0)).text);
    add_range(t, p, CSZ_PROJECTION_RESTART, ";");
    text_add(t, "%s spare units", text_count(of(p, CSZ_PROJECTION_SPARES, 0)).text);
    text_close(t);
    text_open(t, "Storage");
    text_add(t, "checkpoints of %s in %s, of which the run waits %s, every %s; data at %s",
             text_unit(CSZ_UNIT_BYTE, of(p, CSZ_PROJECTION_CHECKPOINT_BYTES, 0)).text,
             text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_CHECKPOINT_WRITE, 0)).text,
             text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_CHECKPOINT_BLOCKED, 0)).text,
             text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_CHECKPOINT_INTERVAL, 0)).text,
             text_unit(CSZ_UNIT_BYTE_PER_SECOND, of(p, CSZ_PROJECTION_READ_RATE, 0)).text);
    text_close(t);
}

static void say_rent(page *t, const csz_projection *p)
{
    if (isnan(of(p, CSZ_PROJECTION_RENT_COST, 0)))
        return;
    text_open(t, "Rent");
    add_range(t, p, CSZ_PROJECTION_RENT_COST, ":");
    text_add(t, "%s accelerator-hours at %s",
             text_unit(CSZ_UNIT_COUNT, of(p, CSZ_PROJECTION_ACCELERATOR_HOURS, 0)).text,
             text_unit(CSZ_UNIT_USD_PER_HOUR, of(p, CSZ_PROJECTION_RENT_HOUR, 0)).text);
    text_close(t);
    for (size_t i = 0; i < csz_projection_count(p, CSZ_PROJECTION_RENTAL_PRICE); i++) {
        double unused = of(p, CSZ_PROJECTION_RENTAL_UNUSED, i);
        text_open(t, " ");
        text_phrase(t, "%s %s:", word_of(p, CSZ_PROJECTION_RENTAL_TERM, i).text,
                    text_unit(CSZ_UNIT_USD_PER_HOUR, of(p, CSZ_PROJECTION_RENTAL_PRICE, i)).text);
        text_add(t, "%s in %s", money(of(p, CSZ_PROJECTION_RENTAL_COST, i)).text,
                 text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_RENTAL_TIME, i)).text);
        if (unused > 0)
            text_add(t, "(%s of it for the rest of the term)", money(unused).text);
        text_close(t);
    }
}

static void say_own(page *t, const csz_projection *p)
{
    if (isnan(of(p, CSZ_PROJECTION_OWN_HOUR, 0)))
        return;
    text_open(t, "Own");
    add_range(t, p, CSZ_PROJECTION_OWN_COST, ":");
    text_add(t,
             "purchase %s, %s a year, %s: depreciation %.2f, electricity %.2f, colocation %.2f, "
             "maintenance %.2f, interest %.2f, staff %.2f.",
             money(of(p, CSZ_PROJECTION_OWN_PURCHASE, 0)).text,
             money(of(p, CSZ_PROJECTION_OWN_YEAR, 0)).text,
             text_unit(CSZ_UNIT_USD_PER_HOUR, of(p, CSZ_PROJECTION_OWN_HOUR, 0)).text,
             of(p, CSZ_PROJECTION_OWN_DEPRECIATION, 0), of(p, CSZ_PROJECTION_OWN_ELECTRICITY, 0),
             of(p, CSZ_PROJECTION_OWN_COLOCATION, 0), of(p, CSZ_PROJECTION_OWN_MAINTENANCE, 0),
             of(p, CSZ_PROJECTION_OWN_CAPITAL, 0), of(p, CSZ_PROJECTION_OWN_STAFF, 0));
    if (!isnan(of(p, CSZ_PROJECTION_BREAK_EVEN_UTILIZATION, 0)))
        text_add(t, "Cheaper than rent from %s of all hours",
                 text_unit(CSZ_UNIT_RATIO, of(p, CSZ_PROJECTION_BREAK_EVEN_UTILIZATION, 0)).text);
    if (!isnan(of(p, CSZ_PROJECTION_BREAK_EVEN_MONTHS, 0)))
        text_add(t, "or after %.1f months", of(p, CSZ_PROJECTION_BREAK_EVEN_MONTHS, 0));
    text_close(t);
    text_open(t, "Energy");
    text_add(t, "%s at %s from the grid",
             text_unit(CSZ_UNIT_JOULE, of(p, CSZ_PROJECTION_ENERGY, 0)).text,
             text_unit(CSZ_UNIT_WATT, of(p, CSZ_PROJECTION_POWER, 0)).text);
    if (!isnan(of(p, CSZ_PROJECTION_CARBON, 0)))
        text_add(t, "and %s kg of CO2",
                 text_unit(CSZ_UNIT_COUNT, of(p, CSZ_PROJECTION_CARBON, 0)).text);
    text_close(t);
}

/* A value of the input that a swing names, in its unit. */
static shown of_input(const csz_projection *p, csz_field field, size_t i)
{
    csz_unit unit =
        csz_field_unit(csz_field_by_name(word_of(p, CSZ_PROJECTION_SWING_INPUT, i).text));
    return text_unit(unit == CSZ_UNIT_NONE ? CSZ_UNIT_COUNT : unit, of(p, field, i));
}

static void say_swings(page *t, const asked *a, const csz_projection *p)
{
    size_t n = csz_projection_count(p, CSZ_PROJECTION_SWING_LOW);
    for (size_t i = 0; i < n && (a->verbose || i < 6); i++) {
        text_open(t, i == 0 ? "Moves" : " ");
        text_phrase(t, "%s, %s", word_of(p, CSZ_PROJECTION_SWING_OF, i).text,
                    word_of(p, CSZ_PROJECTION_SWING_INPUT, i).text);
        text_phrase(t, "%s to", of_input(p, CSZ_PROJECTION_SWING_LOW, i).text);
        text_phrase(t, "%s:", of_input(p, CSZ_PROJECTION_SWING_HIGH, i).text);
        text_phrase(t, "%s to %s", money(of(p, CSZ_PROJECTION_SWING_COST_LOW, i)).text,
                    money(of(p, CSZ_PROJECTION_SWING_COST_HIGH, i)).text);
        text_close(t);
    }
}

static void say_head(page *t, asked *a, const answer *x)
{
    text_open(t, "");
    say_subject(t, a, x, ".");
    say_fit(t, x->estimate);
    text_close(t);
    say_plan(t, x);
}

static int say_cost(asked *a, csz_projection *p, const answer *x)
{
    page t = {0};
    int status =
        check(a, p, csz_projection_compute(p, a->catalog, a->workload, x->cluster, x->plan));
    if (status != 0 || a->json)
        return status != 0 ? status : print_projection(a, p);
    say_head(&t, a, x);
    say_time(&t, p);
    say_rent(&t, p);
    say_own(&t, p);
    say_swings(&t, a, p);
    return 0;
}

/* ---- network ---- */

static void say_least(page *t, const csz_projection *p)
{
    double least = of(p, CSZ_PROJECTION_NETWORK_LEAST, 0);
    text_open(t, "Network");
    if (of(p, CSZ_PROJECTION_NETWORK_NEEDED, 0) < 0.5)
        text_add(t, "none is needed: the job stays inside one scale-up domain");
    else if (isnan(least))
        text_add(t, "never the bottleneck");
    else
        text_add(
            t,
            "the bottleneck below %s an accelerator; oversubscription makes the step %s "
            "at most",
            text_unit(CSZ_UNIT_BYTE_PER_SECOND, least).text,
            text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_NETWORK_OVERSUBSCRIBED_STEP, 0)).text);
    text_close(t);
}

static void say_bill(page *t, const csz_projection *p)
{
    text_open(t, "Parts");
    text_add(t,
             "%s leaf and %s upper switches in %s levels, %s links, %s; %s racks of %s nodes "
             "cooled by %s, %s from the grid",
             text_count(of(p, CSZ_PROJECTION_NETWORK_LEAF_SWITCHES, 0)).text,
             text_count(of(p, CSZ_PROJECTION_NETWORK_UPPER_SWITCHES, 0)).text,
             text_count(of(p, CSZ_PROJECTION_NETWORK_LEVELS, 0)).text,
             text_count(of(p, CSZ_PROJECTION_NETWORK_LINKS, 0)).text,
             money(of(p, CSZ_PROJECTION_NETWORK_PRICE, 0)).text,
             text_count(of(p, CSZ_PROJECTION_NETWORK_RACKS, 0)).text,
             text_count(of(p, CSZ_PROJECTION_NETWORK_NODES_PER_RACK, 0)).text,
             word_of(p, CSZ_PROJECTION_NETWORK_COOLING, 0).text,
             text_unit(CSZ_UNIT_WATT, of(p, CSZ_PROJECTION_NETWORK_SITE_POWER, 0)).text);
    text_close(t);
}

static int say_network(asked *a, csz_projection *p, const answer *x)
{
    page t = {0};
    int status =
        check(a, p, csz_projection_network(p, a->catalog, a->workload, x->cluster, x->plan));
    if (status != 0 || a->json)
        return status != 0 ? status : print_projection(a, p);
    say_head(&t, a, x);
    say_least(&t, p);
    say_bill(&t, p);
    for (size_t i = 0; i < csz_projection_count(p, CSZ_PROJECTION_FABRIC); i++) {
        double cost = of(p, CSZ_PROJECTION_FABRIC_COST, i);
        text_line(
            &t, "%-18s%12s  step %9s  run %9s  %s", word_of(p, CSZ_PROJECTION_FABRIC, i).text,
            text_unit(CSZ_UNIT_BYTE_PER_SECOND, of(p, CSZ_PROJECTION_FABRIC_BANDWIDTH, i)).text,
            text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_FABRIC_STEP, i)).text,
            text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_FABRIC_TIME, i)).text,
            isnan(cost) ? "" : money(cost).text);
    }
    return 0;
}

/* ---- The best plan on the count ---- */

static int with_best_plan(asked *a, csz_ranking *ranking, csz_projection *p,
                          int (*say)(asked *a, csz_projection *p, const answer *x))
{
    answer x = {NULL, NULL, NULL, CSZ_DEPTH_MODEL};
    int status =
        check_ranking(a, ranking, csz_ranking_select(ranking, a->workload, a->cluster, a->goal));
    if (status != 0)
        return status;
    if (csz_ranking_count(ranking) == 0)
        return args_fail(a, CSZ_ERR_CONFLICT, CSZ_CLUSTER_ACCELERATORS,
                         "accelerators: no plan fits; see plan or fit");
    status = answer_make(a, &x, csz_ranking_plan_at(ranking, 0), 0);
    if (status == 0)
        status = say(a, p, &x);
    answer_free(&x);
    return status;
}

static int project(asked *a, int (*say)(asked *a, csz_projection *p, const answer *x))
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_projection *p = csz_projection_new(NULL);
    int status;
    count_by_degrees(a);
    status = ranking == NULL || p == NULL ? check(a, NULL, CSZ_ERR_NO_MEMORY) : limit_goal(a);
    if (status == 0)
        status = with_best_plan(a, ranking, p, say);
    csz_ranking_free(ranking);
    csz_projection_free(p);
    return status;
}

int run_cost(asked *a)
{
    return project(a, say_cost);
}

int run_network(asked *a)
{
    return project(a, say_network);
}

/* ---- curve ---- */

static void say_mark(page *t, const csz_projection *p, csz_field field, const char *what)
{
    double count = of(p, field, 0);
    if (!isnan(count))
        text_phrase(t, "%s %s.", what, text_count(count).text);
}

static const csz_estimate *fastest_of(const csz_ranking *ranking)
{
    const csz_estimate *best = NULL;
    for (size_t i = 0; i < csz_ranking_count(ranking); i++) {
        const csz_estimate *e = csz_ranking_estimate_at(ranking, i);
        if (best == NULL || figure(e, CSZ_ESTIMATE_RUN_TIME) < figure(best, CSZ_ESTIMATE_RUN_TIME))
            best = e;
    }
    return best;
}

/* What keeps the fastest count from being faster: the batch where every replica has one sequence,
 * and the largest loss of its step. */
static void say_what_sets_floor(page *t, const csz_ranking *ranking)
{
    static const struct {
        csz_field field;
        const char *what;
    } losses[] = {{CSZ_ESTIMATE_STEP_BUBBLE, "the pipeline's bubble"},
                  {CSZ_ESTIMATE_STEP_IMBALANCE, "the slowest stage"},
                  {CSZ_ESTIMATE_STEP_DATA_TRAFFIC, "data-parallel traffic"},
                  {CSZ_ESTIMATE_STEP_TENSOR_TRAFFIC, "tensor-parallel traffic"},
                  {CSZ_ESTIMATE_STEP_CONTEXT_TRAFFIC, "context-parallel traffic"},
                  {CSZ_ESTIMATE_STEP_EXPERT_TRAFFIC, "expert traffic"},
                  {CSZ_ESTIMATE_STEP_HOST, "the host"}};
    const csz_estimate *e = fastest_of(ranking);
    double step = figure(e, CSZ_ESTIMATE_STEP_TIME), most = 0;
    const char *what = "";
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        double part = figure(e, losses[i].field);
        if (part > most) {
            most = part;
            what = losses[i].what;
        }
    }
    if (figure(e, CSZ_ESTIMATE_BATCH_MICRO_BATCHES) < 1.5)
        text_add(t, "The batch sets it: each replica has one micro-batch a step.");
    if (most > 0)
        text_add(t, "Its step loses most to %s (%.0f%%).", what, 100 * most / step);
}

/* What no count meets: the floor, and what sets it. 1 when there is such a thing. */
static int say_floor(page *t, const asked *a, const csz_projection *p, const csz_ranking *ranking)
{
    double deadline = 0, budget = 0, least = of(p, CSZ_PROJECTION_LEAST_TIME, 0),
           cost = of(p, CSZ_PROJECTION_LEAST_COST, 0);
    int late, poor;
    (void)csz_goal_get_f64(a->goal, CSZ_GOAL_DEADLINE, &deadline);
    (void)csz_goal_get_f64(a->goal, CSZ_GOAL_BUDGET, &budget);
    late = csz_goal_is_set(a->goal, CSZ_GOAL_DEADLINE) && least > deadline;
    poor = csz_goal_is_set(a->goal, CSZ_GOAL_BUDGET) && cost > budget;
    if (late) {
        text_add(t, "Too late at any count: the least time is %s.",
                 text_unit(CSZ_UNIT_SECOND, least).text);
        say_what_sets_floor(t, ranking);
    }
    if (poor)
        text_add(t, "Too dear at any count: the least cost is %s.", money(cost).text);
    return late || poor;
}

static void say_points(page *t, const csz_projection *p)
{
    text_line(t, "%12s %9s %9s %6s %7s %11s %11s", "accelerators", "run", "cost", "MFU", "scaling",
              "extra hours", "a day saved");
    for (size_t i = 0; i < csz_projection_count(p, CSZ_PROJECTION_POINT_TIME); i++) {
        double cost = of(p, CSZ_PROJECTION_POINT_COST, i),
               extra = of(p, CSZ_PROJECTION_POINT_EXTRA_HOURS, i),
               day = of(p, CSZ_PROJECTION_POINT_PER_DAY, i);
        text_line(t, "%12s %9s %9s %5.1f%% %6.1f%% %11s %11s",
                  text_count(of(p, CSZ_PROJECTION_POINT_ACCELERATORS, i)).text,
                  text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_POINT_TIME, i)).text,
                  isnan(cost) ? "" : money(cost).text, 100 * of(p, CSZ_PROJECTION_POINT_MFU, i),
                  100 * of(p, CSZ_PROJECTION_POINT_EFFICIENCY, i),
                  isnan(extra) ? "-" : text_count(extra).text, isnan(day) ? "-" : money(day).text);
    }
}

static int is_batch_stated(const asked *a)
{
    return csz_workload_is_set(a->workload, CSZ_WORKLOAD_GLOBAL_BATCH) ||
           csz_workload_is_set(a->workload, CSZ_WORKLOAD_GLOBAL_BATCH_TOKENS);
}

/* The same curve on another batch; the projection and the ranking are a caller's room. */
static void say_batch_of(page *t, const asked *a, double batch, csz_ranking *ranking,
                         csz_projection *p)
{
    csz_workload *workload = csz_workload_new(NULL);
    if (workload != NULL && csz_workload_copy(workload, a->workload) == CSZ_OK &&
        csz_workload_set_f64(workload, CSZ_WORKLOAD_GLOBAL_BATCH, floor(batch)) == CSZ_OK &&
        csz_ranking_curve(ranking, workload, a->cluster, a->goal) == CSZ_OK &&
        csz_projection_curve(p, ranking, a->cluster, a->goal) == CSZ_OK) {
        text_phrase(t, "with %s:", text_count(floor(batch)).text);
        text_phrase(t, "least time %s,",
                    text_unit(CSZ_UNIT_SECOND, of(p, CSZ_PROJECTION_LEAST_TIME, 0)).text);
        text_phrase(t, "fastest %s.", text_count(of(p, CSZ_PROJECTION_FASTEST, 0)).text);
    }
    csz_workload_free(workload);
}

/* A batch that nobody stated is that of published runs of the size: it bounds the replicas, so the
 * answer at half and at double stands beside it. */
static void say_assumed_batch(page *t, const asked *a, double batch)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_projection *p = csz_projection_new(NULL);
    if (ranking != NULL && p != NULL && !is_batch_stated(a)) {
        text_open(t, "Assumed");
        text_add(t, "a global batch of %s sequences, as published runs of the size had;",
                 text_count(batch).text);
        say_batch_of(t, a, batch / 2, ranking, p);
        say_batch_of(t, a, batch * 2, ranking, p);
        text_close(t);
    }
    csz_projection_free(p);
    csz_ranking_free(ranking);
}

static int say_curve(asked *a, const csz_projection *p, const csz_ranking *ranking)
{
    page t = {0};
    const csz_estimate *first = csz_ranking_estimate_at(ranking, 0);
    int missed;
    text_open(&t, "");
    text_add(&t, "%s: global batch %s sequences.", args_model_name(a).text,
             text_count(figure(first, CSZ_ESTIMATE_BATCH_SEQUENCES)).text);
    say_mark(&t, p, CSZ_PROJECTION_KNEE, "Knee");
    say_mark(&t, p, CSZ_PROJECTION_CHEAPEST, "Cheapest");
    say_mark(&t, p, CSZ_PROJECTION_FASTEST,
             csz_goal_is_set(a->goal, CSZ_GOAL_BUDGET) ? "Fastest within the budget" : "Fastest");
    say_mark(&t, p, CSZ_PROJECTION_IN_TIME, "Cheapest in time");
    missed = say_floor(&t, a, p, ranking);
    text_close(&t);
    say_assumed_batch(&t, a, figure(first, CSZ_ESTIMATE_BATCH_SEQUENCES));
    say_points(&t, p);
    return missed ? FITS_NOT : 0;
}

static int curve(asked *a, csz_ranking *ranking, csz_projection *p)
{
    int status =
        check_ranking(a, ranking, csz_ranking_curve(ranking, a->workload, a->cluster, a->goal));
    if (status != 0)
        return status;
    if (csz_ranking_count(ranking) == 0)
        return args_fail(a, CSZ_ERR_CONFLICT, CSZ_GOAL_MAXIMUM_ACCELERATORS,
                         "maximum_accelerators: no count up to it has a plan that fits");
    status = check(a, p, csz_projection_curve(p, ranking, a->cluster, a->goal));
    if (status != 0)
        return status;
    return a->json ? print_projection(a, p) : say_curve(a, p, ranking);
}

int run_curve(asked *a)
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_projection *p = csz_projection_new(NULL);
    int status = ranking == NULL || p == NULL ? check(a, NULL, CSZ_ERR_NO_MEMORY) : limit_goal(a);
    if (status == 0)
        status = curve(a, ranking, p);
    csz_ranking_free(ranking);
    csz_projection_free(p);
    return status;
}
