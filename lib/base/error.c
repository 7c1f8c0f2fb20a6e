/* error.c: the status, field and message that a handle keeps of its last failed call. */
#include "base/error.h"

void cszi_error_clear(cszi_error *error)
{
    if (error != NULL) {
        error->status = CSZ_OK;
        error->field = (csz_field)0;
        error->text[0] = '\0';
    }
}

cszi_out cszi_error_open(cszi_error *error, csz_status status, csz_field field)
{
    if (error == NULL) {
        return cszi_out_open(NULL, 0);
    }
    error->status = status;
    error->field = field;
    error->text[0] = '\0';
    return cszi_out_open(error->text, sizeof error->text);
}

csz_status cszi_fail(cszi_error *error, csz_status status, csz_field field, const char *format, ...)
{
    cszi_out out = cszi_error_open(error, status, field);
    va_list list;

    va_start(list, format);
    cszi_out_format_list(&out, format, list);
    va_end(list);
    cszi_out_close(&out);
    return status;
}
