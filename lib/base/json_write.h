/* json_write.h: writing JSON into a cszi_out: commas and escapes are its business, nesting the
 * caller's. */
#ifndef CSZI_BASE_JSON_WRITE_H
#define CSZI_BASE_JSON_WRITE_H

#include "base/out.h"

typedef struct cszi_json_out {
    cszi_out out;
    int comma; /* a comma is due before the next value or key */
} cszi_json_out;

cszi_json_out cszi_json_begin(char *text, size_t capacity);
size_t cszi_json_end(cszi_json_out *json); /* NUL and full length */

void cszi_json_key(cszi_json_out *json, const char *key);
void cszi_json_open_object(cszi_json_out *json);
void cszi_json_close_object(cszi_json_out *json);
void cszi_json_open_array(cszi_json_out *json);
void cszi_json_close_array(cszi_json_out *json);
void cszi_json_put_text(cszi_json_out *json,
                        const char *text); /* escaped; invalid UTF-8 becomes U+FFFD */
void cszi_json_put_i64(cszi_json_out *json, int64_t value);
void cszi_json_put_f64(cszi_json_out *json,
                       double value); /* shortest; NaN and infinities become null */
void cszi_json_put_bool(cszi_json_out *json, int value);
void cszi_json_put_null(cszi_json_out *json);

#endif
