/* out.h: text into a caller's buffer with the semantics of snprintf, without locale or stdio. */
#ifndef CSZI_BASE_OUT_H
#define CSZI_BASE_OUT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cszi_out {
    char *text;      /* may be NULL when capacity is 0 */
    size_t capacity; /* bytes of text, the final NUL included */
    size_t length;   /* what the whole output needs, without NUL; may pass capacity */
} cszi_out;

#if defined(__GNUC__)
#define CSZI_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define CSZI_PRINTF(text, first)
#endif

cszi_out cszi_out_open(char *text, size_t capacity);
void cszi_out_char(cszi_out *out, char c);
void cszi_out_bytes(cszi_out *out, const char *bytes, size_t length);
void cszi_out_text(cszi_out *out, const char *text);
void cszi_out_i64(cszi_out *out, int64_t value);
/* Shortest decimal that reads back as the same double; integers below 1e15 without exponent. */
void cszi_out_f64(cszi_out *out, double value);
/* Text quoted from input for a message: '...' in printable ASCII, other bytes as \xNN, cut at 64
 * bytes of input (then "..." follows the closing quote). */
void cszi_out_quoted(cszi_out *out, const char *text, size_t length);
/* A subset of printf, checked by the compiler: %s, %.*s, %d, %lld, %zu, %g (shortest), %c, %%. From
 * any other conversion on, the format is shown as it stands. */
void cszi_out_format(cszi_out *out, const char *format, ...) CSZI_PRINTF(2, 3);
void cszi_out_format_list(cszi_out *out, const char *format, va_list list) CSZI_PRINTF(2, 0);
/* Writes the NUL (if capacity > 0) and returns the full length. */
size_t cszi_out_close(cszi_out *out);

#endif
