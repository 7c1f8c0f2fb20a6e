/* error.h: the status, field and message that a handle keeps of its last failed call. */
#ifndef CSZI_BASE_ERROR_H
#define CSZI_BASE_ERROR_H

#include <clustersize/enums.h>

#include "base/out.h"

#define CSZI_ERROR_CAPACITY 320

typedef struct cszi_error {
    csz_status status;
    csz_field field;
    char text[CSZI_ERROR_CAPACITY];
} cszi_error;

void cszi_error_clear(cszi_error *error);
/* Sets all three and returns status; the format is that of cszi_out_format. error may be NULL. */
csz_status cszi_fail(cszi_error *error, csz_status status, csz_field field, const char *format, ...)
    CSZI_PRINTF(4, 5);
/* The same for callers that build the text piece by piece: a sink into error->text; end it with
 * cszi_out_close. */
cszi_out cszi_error_open(cszi_error *error, csz_status status, csz_field field);

#endif
