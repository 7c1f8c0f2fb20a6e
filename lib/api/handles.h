/* handles.h: what the public handles wrap. */
#ifndef CSZI_API_HANDLES_H
#define CSZI_API_HANDLES_H

#include <clustersize/clustersize.h>

#include "base/alloc.h"
#include "facts/catalog.h"
#include "project/calibrate.h"
#include "project/projection.h"
#include "select/search.h"

struct csz_context {
    cszi_alloc alloc;
};

/* spare is where a change is tried before it replaces value. */
#define CSZI_INPUT_HANDLE(object)                                                                  \
    struct csz_##object {                                                                          \
        cszi_alloc alloc;                                                                          \
        cszi_error error;                                                                          \
        cszi_##object value;                                                                       \
        cszi_##object spare;                                                                       \
    }
CSZI_INPUT_HANDLE(workload);
CSZI_INPUT_HANDLE(cluster);
CSZI_INPUT_HANDLE(plan);
CSZI_INPUT_HANDLE(goal);

struct csz_catalog {
    cszi_error error;
    cszi_catalog value;
};

struct csz_estimate {
    cszi_alloc alloc;
    cszi_error error;
    csz_reason reason;
    cszi_estimate value;
    cszi_kernel kernels[CSZI_KERNELS];
};

/* Entries are whole handles, so that they can be handed out. */
typedef struct cszi_entry_handle {
    csz_plan plan;
    csz_estimate estimate;
} cszi_entry_handle;

struct csz_ranking {
    cszi_alloc alloc;
    cszi_error error;
    csz_progress_fn progress;
    void *progress_user;
    cszi_ranking value;
    cszi_search work;
    cszi_entry_handle
        *entries; /* their room and that of the search's list stay between questions */
    size_t entry_count;
    size_t entry_room;
    size_t list_room;
};

struct csz_calibration {
    cszi_alloc alloc;
    cszi_error error;
    cszi_calibration value;
};

struct csz_projection {
    cszi_alloc alloc;
    cszi_error error;
    csz_reason reason;
    cszi_projection value;
};

/* NULL means libc. */
cszi_alloc cszi_context_alloc(const csz_context *context);
const cszi_catalog *cszi_catalog_of(const csz_catalog *catalog);

/* Looks ids up in a catalog and copies what they stand for into a record (hook of the field engine;
 * user is a const cszi_catalog). */
csz_status cszi_resolve_workload(void *user, void *record, const cszi_field_row *row,
                                 const char *id, cszi_error *error);
csz_status cszi_resolve_cluster(void *user, void *record, const cszi_field_row *row, const char *id,
                                cszi_error *error);
/* Checks a stack's name; for plan and goal. */
csz_status cszi_resolve_stack(void *user, void *record, const cszi_field_row *row, const char *id,
                              cszi_error *error);

/* Entries must be usable: architectures are read, ids that entries name exist. */
csz_status cszi_check_catalog(const cszi_catalog *catalog, cszi_error *error);
csz_status cszi_unknown_stack(const char *id, cszi_error *error);

/* The section of a job file for an object, or the document itself when it is no job file. */
csz_status cszi_json_section(const cszi_json *json, cszi_json_value root, const char *section,
                             cszi_json_value *at, int *found);
/* "clustersize": {"version": ..., "facts": ...} */
void cszi_json_put_version(cszi_json_out *json);

/* All tables, by object; a catalog's by kind of the field. NULL for an unknown field. */
const cszi_table *cszi_table_of(csz_field field);

/* ---- Figures of a result (figures.c); record NULL: there is none ---- */

csz_status cszi_figure_range(const cszi_table *table, const void *record, csz_field field,
                             double *low, double *likely, double *high);
csz_status cszi_figure_at(const cszi_table *table, const void *record, csz_field field,
                          size_t index, double *value);
size_t cszi_figure_text_at(const cszi_table *table, const void *record, csz_field field,
                           size_t index, char *text, size_t capacity);
size_t cszi_figure_count(const cszi_table *table, const void *record, csz_field field);

/* Members of an open object. */
void cszi_estimate_write(const cszi_estimate *estimate, cszi_json_out *json);

void cszi_ranking_write(const csz_ranking *ranking, cszi_json_out *json);

/* Makes room for stages in an estimate handle. */
csz_status cszi_estimate_room(csz_estimate *estimate, size_t stages);

#endif
