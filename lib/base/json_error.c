/* json_error.c: where in a text an error is: line, column and path, worked out when an error needs
 * them. */
#include "base/json_text.h"

void cszi_json_where(const cszi_json *json, size_t offset, int64_t *line, int64_t *column)
{
    size_t start = 0; /* of the line */
    size_t i;

    *line = 1;
    for (i = 0; i < offset && i < json->length; i++) {
        if (json->text[i] == '\n') {
            *line += 1;
            start = i + 1;
        }
    }
    *column = (int64_t)(i - start) + 1;
}

static int is_plain_key(const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        char lower = (char)(text[i] | 0x20);

        if (!(lower >= 'a' && lower <= 'z') && text[i] != '_' &&
            !(i > 0 && cszi_json_is_digit(text[i]))) {
            return 0;
        }
    }
    return length > 0 && length <= 64;
}

static void put_path_key(const cszi_json *json, cszi_out *out, cszi_json_value key)
{
    const char *text = json->text + key.begin + 1;
    size_t length = key.end - key.begin - 2;

    if (is_plain_key(text, length)) {
        cszi_out_char(out, '.');
        cszi_out_bytes(out, text, length);
    } else {
        cszi_out_char(out, '[');
        cszi_out_quoted(out, text, length);
        cszi_out_char(out, ']');
    }
}

/* Writes the step from a container to the child that holds an offset, or returns 0. */
static int put_path_step(const cszi_json *json, cszi_out *out, cszi_json_value *container,
                         size_t offset)
{
    int is_object = cszi_json_type_of(json, *container) == CSZI_JSON_OBJECT;
    size_t cursor = 0;
    int64_t index = 0;
    cszi_json_value key = {0, 0};
    cszi_json_value child;

    while (is_object ? cszi_json_next_member(json, *container, &cursor, &key, &child)
                     : cszi_json_next_element(json, *container, &cursor, &child)) {
        if (offset < child.end) {
            if (is_object) {
                put_path_key(json, out, key);
            } else {
                cszi_out_format(out, "[%lld]", (long long)index);
            }
            *container = child;
            return 1;
        }
        index++;
    }
    return 0;
}

static void put_path(const cszi_json *json, cszi_out *out, size_t offset)
{
    cszi_json_value at = cszi_json_value_at(json, 0);

    cszi_out_char(out, '$');
    while (offset > at.begin && put_path_step(json, out, &at, offset)) {
        /* An offset at or before the child's begin is the child itself or its key. */
    }
}

csz_status cszi_json_fail(const cszi_json *json, cszi_json_value value, csz_status status,
                          csz_field field, const char *format, ...)
{
    cszi_out out;
    int64_t line;
    int64_t column;
    va_list list;

    if (json->error == NULL) {
        return status; /* nobody reads the message, so the text need not be searched */
    }
    out = cszi_error_open(json->error, status, field);
    va_start(list, format);
    cszi_out_format_list(&out, format, list);
    va_end(list);
    cszi_json_where(json, value.begin, &line, &column);
    cszi_out_format(&out, " at line %lld, column %lld (path ", (long long)line, (long long)column);
    put_path(json, &out, value.begin);
    cszi_out_char(&out, ')');
    cszi_out_close(&out);
    return status;
}
