/* out.c: text into a caller's buffer with the semantics of snprintf, without locale or stdio. */
#include "base/out.h"

#include <string.h>

#include "base/number.h"

#define QUOTED_LIMIT 64

cszi_out cszi_out_open(char *text, size_t capacity)
{
    cszi_out out = {text, capacity, 0};

    if (text == NULL) {
        out.capacity = 0;
    }
    return out;
}

void cszi_out_char(cszi_out *out, char c)
{
    /* The last byte of the buffer is kept for the NUL of cszi_out_close. */
    if (out->capacity > 1 && out->length < out->capacity - 1) {
        out->text[out->length] = c;
    }
    out->length++;
}

void cszi_out_bytes(cszi_out *out, const char *bytes, size_t length)
{
    if (out->capacity > 1 && out->length < out->capacity - 1 && length > 0) {
        size_t room = out->capacity - 1 - out->length;
        memcpy(out->text + out->length, bytes, length < room ? length : room);
    }
    out->length += length;
}

void cszi_out_text(cszi_out *out, const char *text)
{
    cszi_out_bytes(out, text, strlen(text));
}

void cszi_out_i64(cszi_out *out, int64_t value)
{
    char text[CSZI_NUMBER_CAPACITY];
    size_t length = cszi_number_format_i64(value, text);

    cszi_out_bytes(out, text, length);
}

void cszi_out_f64(cszi_out *out, double value)
{
    char text[CSZI_NUMBER_CAPACITY];
    size_t length = cszi_number_format(value, text);

    cszi_out_bytes(out, text, length);
}

static void put_size(cszi_out *out, size_t value)
{
    char digits[24];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value > 0);
    cszi_out_bytes(out, digits + at, sizeof digits - at);
}

void cszi_out_quoted(cszi_out *out, const char *text, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    size_t shown = length < QUOTED_LIMIT ? length : QUOTED_LIMIT;
    size_t i;

    cszi_out_char(out, '\'');
    for (i = 0; i < shown; i++) {
        unsigned byte = (unsigned char)text[i];

        if (byte >= 0x20 && byte < 0x7f) {
            cszi_out_char(out, text[i]);
        } else {
            cszi_out_text(out, "\\x");
            cszi_out_char(out, hex[byte >> 4]);
            cszi_out_char(out, hex[byte & 15]);
        }
    }
    cszi_out_char(out, '\'');
    if (shown < length) {
        cszi_out_text(out, "...");
    }
}

/* %.*s reads at most limit bytes and stops at a NUL, as printf does; a negative limit is none. */
static void put_limited(cszi_out *out, int limit, const char *text)
{
    size_t length = 0;

    if (limit < 0) {
        cszi_out_text(out, text);
        return;
    }
    while (length < (size_t)limit && text[length] != '\0') {
        length++;
    }
    cszi_out_bytes(out, text, length);
}

/* The list sits in a struct because a va_list may be an array, whose address cannot be taken
 * portably once it is a parameter. */
typedef struct arguments {
    va_list list;
} arguments;

/* Writes one conversion, which starts behind its %. Returns its length, or 0 when it is not of the
 * subset. */
static size_t put_conversion(cszi_out *out, const char *format, arguments *from)
{
    if (format[0] == 's') {
        const char *text = va_arg(from->list, const char *);
        cszi_out_text(out, text != NULL ? text : "(null)");
        return 1;
    }
    if (format[0] == 'g') {
        cszi_out_f64(out, va_arg(from->list, double));
        return 1;
    }
    if (format[0] == 'd') {
        cszi_out_i64(out, va_arg(from->list, int));
        return 1;
    }
    if (format[0] == 'c') {
        cszi_out_char(out, (char)va_arg(from->list, int));
        return 1;
    }
    if (format[0] == '%') {
        cszi_out_char(out, '%');
        return 1;
    }
    if (strncmp(format, "lld", 3) == 0) {
        cszi_out_i64(out, va_arg(from->list, long long));
        return 3;
    }
    if (strncmp(format, "zu", 2) == 0) {
        put_size(out, va_arg(from->list, size_t));
        return 2;
    }
    if (strncmp(format, ".*s", 3) == 0) {
        int limit = va_arg(from->list, int);
        put_limited(out, limit, va_arg(from->list, const char *));
        return 3;
    }
    return 0;
}

void cszi_out_format_list(cszi_out *out, const char *format, va_list list)
{
    arguments from;
    const char *run = format;
    const char *at = format;

    va_copy(from.list, list);
    while (*at != '\0') {
        size_t used;

        if (*at != '%') {
            at++;
            continue;
        }
        cszi_out_bytes(out, run, (size_t)(at - run));
        run = at;
        used = put_conversion(out, at + 1, &from);
        if (used == 0) {
            /* The size of the argument is unknown: what follows is shown as it stands. */
            at = run + strlen(run);
            break;
        }
        at += 1 + used;
        run = at;
    }
    cszi_out_bytes(out, run, (size_t)(at - run));
    va_end(from.list);
}

void cszi_out_format(cszi_out *out, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    cszi_out_format_list(out, format, list);
    va_end(list);
}

size_t cszi_out_close(cszi_out *out)
{
    if (out->capacity > 0) {
        size_t last = out->capacity - 1;
        out->text[out->length < last ? out->length : last] = '\0';
    }
    return out->length;
}
