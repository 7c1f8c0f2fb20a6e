/* projection.c: the table of a projection, and its parts put together. */
#include "project/projection.h"

#include <string.h>

#include "base/field_rows.h"

static const cszi_choice cszi_choices_cost[] = {
    {CSZ_COST_RENT, "rent"}, {CSZ_COST_OWN, "own"}, {0, NULL}};

static const cszi_choice cszi_choices_cooling[] = {
    {CSZ_COOLING_AIR, "air"}, {CSZ_COOLING_LIQUID, "liquid"}, {0, NULL}};

#define CSZI_RECORD_flat cszi_projection
#define CSZI_RECORD_rentals cszi_rental
#define CSZI_RECORD_swings cszi_swing
#define CSZI_RECORD_fabrics cszi_network_choice
#define CSZI_RECORD_points cszi_point
enum { CSZI_LIST_flat, CSZI_LIST_rentals, CSZI_LIST_swings, CSZI_LIST_fabrics, CSZI_LIST_points };

static const cszi_field_row rows[] = {
#include "project/projection.inc"
};

#undef FIELD
#define FIELD(id, ...) AT_##id,
enum {
#include "project/projection.inc"
    ROW_COUNT
};

const cszi_table cszi_projection_table = {
    "projection",
    CSZI_MODE_RESULT,
    rows,
    ROW_COUNT,
    {{"", 0, 0, 0, 0, 0, 0},
     {"rentals", offsetof(cszi_projection, rentals), sizeof(cszi_rental), CSZI_PROJECTION_OFFERS,
      offsetof(cszi_projection, rental_count), AT_CSZ_PROJECTION_RENTAL_OFFER, 0},
     {"swings", offsetof(cszi_projection, swings), sizeof(cszi_swing), CSZI_PROJECTION_MOVES,
      offsetof(cszi_projection, swing_count), AT_CSZ_PROJECTION_SWING_OF, 0},
     {"fabrics", offsetof(cszi_projection, networks), sizeof(cszi_network_choice),
      CSZI_PROJECTION_FABRICS, offsetof(cszi_projection, network_count), AT_CSZ_PROJECTION_FABRIC,
      0},
     {"points", offsetof(cszi_projection, points), sizeof(cszi_point), CSZI_PROJECTION_POINTS,
      offsetof(cszi_projection, point_count), AT_CSZ_PROJECTION_POINT_ACCELERATORS, 0}},
    5,
};

static void unset(char *member, csz_type type)
{
    const double nothing[3] = {(double)NAN, (double)NAN, (double)NAN};
    const int64_t none = INT64_MIN;
    if (type == CSZ_TYPE_F64)
        memcpy(member, nothing, sizeof *nothing);
    else if (type == CSZ_TYPE_RANGE)
        memcpy(member, nothing, sizeof nothing);
    else
        memcpy(member, &none, sizeof none);
}

void cszi_projection_clear(cszi_projection *p)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].list == 0)
            unset((char *)p + rows[i].offset, rows[i].type);
    p->rental_count = p->swing_count = p->network_count = p->point_count = 0;
}

csz_status cszi_project(cszi_projection *p, const cszi_catalog *catalog,
                        const cszi_workload *workload, const cszi_cluster *cluster,
                        const cszi_plan *plan, csz_reason *reason, cszi_error *error)
{
    cszi_outlook *o = &p->work;
    csz_status status = cszi_outlook_open(o, catalog, workload, cluster, plan, reason, error);
    if (status == CSZ_OK)
        status = cszi_project_run(o, p, error);
    if (status == CSZ_OK)
        status = cszi_project_money(o, p, error);
    if (status == CSZ_OK)
        cszi_project_swings(o, p);
    return status;
}
