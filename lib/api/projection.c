/* projection.c: the public projection. */
#include <math.h>

#include "api/handles.h"
#include "project/points.h"

csz_projection *csz_projection_new(const csz_context *context)
{
    cszi_alloc alloc = cszi_context_alloc(context);
    csz_projection *projection = cszi_alloc_zero(alloc, sizeof *projection);
    if (projection != NULL) {
        projection->alloc = alloc;
        cszi_projection_clear(&projection->value);
    }
    return projection;
}

void csz_projection_free(csz_projection *projection)
{
    if (projection != NULL)
        cszi_alloc_free(projection->alloc, projection, sizeof *projection);
}

typedef csz_status (*projector)(cszi_projection *p, const cszi_catalog *catalog,
                                const cszi_workload *workload, const cszi_cluster *cluster,
                                const cszi_plan *plan, csz_reason *reason, cszi_error *error);

static csz_status project(csz_projection *projection, const csz_catalog *catalog,
                          const csz_workload *workload, const csz_cluster *cluster,
                          const csz_plan *plan, projector by)
{
    csz_status status;
    if (projection == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&projection->error);
    cszi_projection_clear(&projection->value);
    projection->reason = CSZ_REASON_NONE;
    if (workload == NULL || cluster == NULL || plan == NULL)
        return cszi_fail(&projection->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a workload, a cluster and a plan are needed");
    status = by(&projection->value, cszi_catalog_of(catalog), &workload->value, &cluster->value,
                &plan->value, &projection->reason, &projection->error);
    if (status != CSZ_OK)
        cszi_projection_clear(&projection->value);
    return status;
}

csz_status csz_projection_compute(csz_projection *projection, const csz_catalog *catalog,
                                  const csz_workload *workload, const csz_cluster *cluster,
                                  const csz_plan *plan)
{
    return project(projection, catalog, workload, cluster, plan, cszi_project);
}

csz_status csz_projection_network(csz_projection *projection, const csz_catalog *catalog,
                                  const csz_workload *workload, const csz_cluster *cluster,
                                  const csz_plan *plan)
{
    return project(projection, catalog, workload, cluster, plan, cszi_project_network);
}

/* Entries of one count are one point: the first. */
static void take_points(cszi_projection *p, const csz_ranking *ranking, double price)
{
    for (size_t i = 0; i < csz_ranking_count(ranking); i++) {
        const cszi_estimate *e = &ranking->entries[i].estimate.value;
        cszi_point *to = &p->points[p->point_count];
        if (p->point_count >= CSZI_PROJECTION_POINTS || !(e->run_time.likely > 0) ||
            (p->point_count > 0 && e->batch_accelerators <= to[-1].accelerators))
            continue;
        to->accelerators = e->batch_accelerators;
        to->time = e->run_time.likely;
        to->cost = price > 0 ? (double)to->accelerators * to->time / 3600 * price : (double)NAN;
        to->mfu = e->step_mfu;
        p->point_count++;
    }
}

csz_status csz_projection_curve(csz_projection *projection, const csz_ranking *ranking,
                                const csz_cluster *cluster, const csz_goal *goal)
{
    if (projection == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&projection->error);
    cszi_projection_clear(&projection->value);
    projection->reason = CSZ_REASON_NONE;
    if (ranking == NULL || cluster == NULL)
        return cszi_fail(&projection->error, CSZ_ERR_ARGUMENT, CSZ_FIELD_NONE,
                         "a ranking and a cluster are needed");
    take_points(&projection->value, ranking, cluster->value.price);
    if (projection->value.point_count == 0)
        return cszi_fail(&projection->error, CSZ_ERR_UNSET, CSZ_FIELD_NONE,
                         "the ranking has no entry with the time of a run");
    cszi_project_points(&projection->value, cluster->value.price,
                        goal != NULL ? goal->value.deadline : 0,
                        goal != NULL ? goal->value.budget : 0);
    return CSZ_OK;
}

csz_reason csz_projection_reason(const csz_projection *projection)
{
    return projection != NULL ? projection->reason : CSZ_REASON_NONE;
}

csz_status csz_projection_get_f64(const csz_projection *projection, csz_field field, double *value)
{
    return csz_projection_get_f64_at(projection, field, 0, value);
}

csz_status csz_projection_get_range(const csz_projection *projection, csz_field field, double *low,
                                    double *likely, double *high)
{
    return cszi_figure_range(&cszi_projection_table, projection != NULL ? &projection->value : NULL,
                             field, low, likely, high);
}

csz_status csz_projection_get_f64_at(const csz_projection *projection, csz_field field,
                                     size_t index, double *value)
{
    return cszi_figure_at(&cszi_projection_table, projection != NULL ? &projection->value : NULL,
                          field, index, value);
}

size_t csz_projection_get_text_at(const csz_projection *projection, csz_field field, size_t index,
                                  char *text, size_t capacity)
{
    return cszi_figure_text_at(&cszi_projection_table,
                               projection != NULL ? &projection->value : NULL, field, index, text,
                               capacity);
}

size_t csz_projection_count(const csz_projection *projection, csz_field field)
{
    return cszi_figure_count(&cszi_projection_table, projection != NULL ? &projection->value : NULL,
                             field);
}

size_t csz_projection_to_json(const csz_projection *projection, char *text, size_t capacity)
{
    cszi_json_out json = cszi_json_begin(text, capacity);
    cszi_json_open_object(&json);
    cszi_json_put_version(&json);
    if (projection != NULL)
        cszi_fields_write(&cszi_projection_table, &projection->value, &json);
    cszi_json_close_object(&json);
    return cszi_json_end(&json);
}

const char *csz_projection_error(const csz_projection *projection, csz_field *field)
{
    if (field != NULL)
        *field = projection != NULL ? projection->error.field : CSZ_FIELD_NONE;
    return projection != NULL ? projection->error.text : "";
}
