/* network.c: which network a run needs. */
#include <math.h>

#include "project.h"

static void say_least(page *t, const csz_projection *p)
{
    double least = projected(p, CSZ_PROJECTION_NETWORK_LEAST, 0);
    text_open(t, "Network");
    if (projected(p, CSZ_PROJECTION_NETWORK_NEEDED, 0) < 0.5)
        text_add(t, "none is needed: the job stays inside one scale-up domain");
    else if (isnan(least))
        text_add(t, "never the bottleneck");
    else
        text_add(
            t,
            "the bottleneck below %s an accelerator; oversubscription makes the step %s "
            "at most",
            text_unit(CSZ_UNIT_BYTE_PER_SECOND, least).text,
            text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_NETWORK_OVERSUBSCRIBED_STEP, 0))
                .text);
    text_close(t);
}

static void say_bill(page *t, const csz_projection *p)
{
    text_open(t, "Parts");
    text_add(t,
             "%s leaf and %s upper switches in %s levels, %s links, %s; %s racks of %s nodes "
             "cooled by %s, %s from the grid",
             text_count(projected(p, CSZ_PROJECTION_NETWORK_LEAF_SWITCHES, 0)).text,
             text_count(projected(p, CSZ_PROJECTION_NETWORK_UPPER_SWITCHES, 0)).text,
             text_count(projected(p, CSZ_PROJECTION_NETWORK_LEVELS, 0)).text,
             text_count(projected(p, CSZ_PROJECTION_NETWORK_LINKS, 0)).text,
             text_money(projected(p, CSZ_PROJECTION_NETWORK_PRICE, 0)).text,
             text_count(projected(p, CSZ_PROJECTION_NETWORK_RACKS, 0)).text,
             text_count(projected(p, CSZ_PROJECTION_NETWORK_NODES_PER_RACK, 0)).text,
             projected_word(p, CSZ_PROJECTION_NETWORK_COOLING, 0).text,
             text_unit(CSZ_UNIT_WATT, projected(p, CSZ_PROJECTION_NETWORK_SITE_POWER, 0)).text);
    text_close(t);
}

static int say_network(asked *a, csz_projection *p, const answer *x)
{
    page t = {0};
    int status = check_projection(
        a, p, csz_projection_network(p, a->catalog, a->workload, x->cluster, x->plan));
    if (status != 0 || a->json)
        return status != 0 ? status : print_projection(a, p);
    say_projected_plan(&t, a, x);
    say_least(&t, p);
    say_bill(&t, p);
    for (size_t i = 0; i < csz_projection_count(p, CSZ_PROJECTION_FABRIC); i++) {
        double cost = projected(p, CSZ_PROJECTION_FABRIC_COST, i);
        text_line(
            &t, "%-18s%12s  step %9s  run %9s  %s",
            projected_word(p, CSZ_PROJECTION_FABRIC, i).text,
            text_unit(CSZ_UNIT_BYTE_PER_SECOND, projected(p, CSZ_PROJECTION_FABRIC_BANDWIDTH, i))
                .text,
            text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_FABRIC_STEP, i)).text,
            text_unit(CSZ_UNIT_SECOND, projected(p, CSZ_PROJECTION_FABRIC_TIME, i)).text,
            isnan(cost) ? "" : text_money(cost).text);
    }
    return 0;
}

int run_network(asked *a)
{
    return project_best_plan(a, say_network);
}
