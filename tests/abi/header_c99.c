/* header_c99.c: the header compiles as C99, alone, twice, and its functions have the types that
 * callers rely on. */
#include <clustersize/clustersize.h>
#include <clustersize/clustersize.h>

extern char enums_are_32_bits
    [sizeof(csz_field) == 4 && sizeof(csz_status) == 4 && sizeof(csz_unit) == 4 ? 1 : -1];

int main(void)
{
    csz_realloc_fn allocate = NULL;
    csz_progress_fn progress = NULL;
    csz_context *context = csz_context_new(allocate, NULL);
    csz_ranking *ranking = csz_ranking_new(context);
    csz_plan *plan = csz_plan_new(context);
    csz_status status = csz_plan_set_i64(plan, CSZ_PLAN_TENSOR_PARALLEL, INT64_C(8));

    csz_ranking_set_progress(ranking, progress, NULL);
    csz_ranking_free(ranking);
    csz_plan_free(plan);
    csz_context_free(context);
    return status != CSZ_OK || csz_version_number() != CSZ_VERSION_NUMBER;
}
