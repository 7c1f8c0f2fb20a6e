/* workload.c: the public workload. */
#include "workload/deepspeed.h"
#include "workload/hugging_face.h"
#include "workload/megatron.h"
#include "workload/mistral.h"

#define OBJECT workload
#define RESOLVE cszi_resolve_workload
#define WITH_CATALOG 1
#define FOREIGN                                                                                    \
    {CSZ_SOURCE_HUGGING_FACE, cszi_workload_load_hugging_face},                                    \
        {CSZ_SOURCE_MISTRAL, cszi_workload_load_mistral},                                          \
        {CSZ_SOURCE_MEGATRON, cszi_workload_load_megatron},                                        \
        {CSZ_SOURCE_DEEPSPEED, cszi_workload_load_deepspeed},
#include "api/input.inc"

csz_status csz_workload_set_f64_at(csz_workload *workload, csz_field field, size_t index,
                                   double value)
{
    const cszi_field_row *row;
    if (workload == NULL)
        return CSZ_ERR_ARGUMENT;
    cszi_error_clear(&workload->error);
    row = row_of(workload, field);
    if (row == NULL)
        return CSZ_ERR_FIELD;
    return cszi_field_set_f64(&cszi_workload_table, &workload->value, row, index, value,
                              &workload->error);
}

csz_status csz_workload_get_f64_at(const csz_workload *workload, csz_field field, size_t index,
                                   double *value)
{
    const cszi_field_row *row = cszi_table_row(&cszi_workload_table, field);
    if (workload == NULL || value == NULL)
        return CSZ_ERR_ARGUMENT;
    if (row == NULL)
        return CSZ_ERR_FIELD;
    if (index >= cszi_field_list_count(&cszi_workload_table, &workload->value, row))
        return CSZ_ERR_RANGE;
    return cszi_field_get_f64(&cszi_workload_table, &workload->value, row, index, value);
}

size_t csz_workload_count(const csz_workload *workload, csz_field field)
{
    const cszi_field_row *row = cszi_table_row(&cszi_workload_table, field);
    return workload == NULL || row == NULL
               ? 0
               : cszi_field_list_count(&cszi_workload_table, &workload->value, row);
}
