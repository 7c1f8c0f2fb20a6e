/* project.c: what the commands on projections share. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "project.h"

double projected(const csz_projection *p, csz_field field, size_t i)
{
    double v = (double)NAN;
    return csz_projection_get_f64_at(p, field, i, &v) == CSZ_OK ? v : (double)NAN;
}

shown projected_word(const csz_projection *p, csz_field field, size_t i)
{
    shown s = {""};
    (void)csz_projection_get_text_at(p, field, i, s.text, sizeof s.text);
    return s;
}

shown text_money(double v)
{
    return text_unit(CSZ_UNIT_USD, v);
}

/* "11.2 d (10.4 to 13.1)" */
void say_range(page *t, const csz_projection *p, csz_field field, const char *mark)
{
    csz_unit unit = csz_field_unit(field);
    double low, likely, high;
    if (csz_projection_get_range(p, field, &low, &likely, &high) != CSZ_OK)
        return;
    text_phrase(t, "%s", text_unit(unit, likely).text);
    text_phrase(t, "(%s to", text_unit(unit, low).text);
    text_phrase(t, "%s)%s", text_unit(unit, high).text, mark);
}

int check_projection(asked *a, const csz_projection *p, csz_status status)
{
    csz_field field = CSZ_FIELD_NONE;
    if (status == CSZ_OK)
        return 0;
    if (p == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    (void)csz_projection_error(p, &field);
    return args_fail_with(a, status, field, csz_projection_error(p, NULL));
}

int print_projection(asked *a, const csz_projection *p)
{
    size_t n = csz_projection_to_json(p, NULL, 0);
    char *json = malloc(n + 1);
    if (json != NULL)
        (void)csz_projection_to_json(p, json, n + 1);
    return print_json(a, json);
}

void say_projected_plan(page *t, asked *a, const answer *x)
{
    text_open(t, "");
    say_subject(t, a, x, ".");
    say_fit(t, x->estimate);
    text_close(t);
    say_plan(t, x);
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

int project_best_plan(asked *a, int (*say)(asked *a, csz_projection *p, const answer *x))
{
    csz_ranking *ranking = csz_ranking_new(NULL);
    csz_projection *p = csz_projection_new(NULL);
    int status;
    count_by_degrees(a);
    status =
        ranking == NULL || p == NULL ? check_projection(a, NULL, CSZ_ERR_NO_MEMORY) : limit_goal(a);
    if (status == 0)
        status = with_best_plan(a, ranking, p, say);
    csz_ranking_free(ranking);
    csz_projection_free(p);
    return status;
}
