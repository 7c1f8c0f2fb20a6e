/* figures.c: reading figures of results by field: what estimates, projections and calibrations have
 * in common. */
#include "api/handles.h"

csz_status cszi_figure_range(const cszi_table *table, const void *record, csz_field field,
                             double *low, double *likely, double *high)
{
    const cszi_field_row *row = cszi_table_row(table, field);
    double range[3];
    csz_status status;
    if (record == NULL)
        return CSZ_ERR_ARGUMENT;
    if (row == NULL)
        return CSZ_ERR_FIELD;
    status = cszi_field_get_range(table, record, row, range);
    if (status != CSZ_OK)
        return status;
    if (low != NULL)
        *low = range[0];
    if (likely != NULL)
        *likely = range[1];
    if (high != NULL)
        *high = range[2];
    return CSZ_OK;
}

csz_status cszi_figure_at(const cszi_table *table, const void *record, csz_field field,
                          size_t index, double *value)
{
    const cszi_field_row *row = cszi_table_row(table, field);
    size_t count;
    if (record == NULL || value == NULL)
        return CSZ_ERR_ARGUMENT;
    if (row == NULL)
        return CSZ_ERR_FIELD;
    count = cszi_field_list_count(table, record, row);
    if (index >= count)
        return count == 0 ? CSZ_ERR_UNSET : CSZ_ERR_RANGE;
    return cszi_field_get_f64(table, record, row, index, value);
}

size_t cszi_figure_text_at(const cszi_table *table, const void *record, csz_field field,
                           size_t index, char *text, size_t capacity)
{
    const cszi_field_row *row = cszi_table_row(table, field);
    cszi_out out = cszi_out_open(text, capacity);
    if (record != NULL && row != NULL && index < cszi_field_list_count(table, record, row))
        cszi_field_write_text(table, record, row, index, &out);
    return cszi_out_close(&out);
}

size_t cszi_figure_count(const cszi_table *table, const void *record, csz_field field)
{
    const cszi_field_row *row = cszi_table_row(table, field);
    return record != NULL && row != NULL ? cszi_field_list_count(table, record, row) : 0;
}
