/* number.h: decimal text to double and back, correctly rounded, whatever the locale. */
#ifndef CSZI_BASE_NUMBER_H
#define CSZI_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define CSZI_NUMBER_CAPACITY 32 /* bytes that any formatted number needs, NUL included */

/* Reads a decimal number at the start of text: optional sign (- or +), digits with an optional
 * point, optional exponent. At least one digit must stand before or after the point. Returns the
 * bytes read, 0 when no number starts there. Overflow gives +-HUGE_VAL (infinity), underflow 0 or a
 * subnormal. Nearest, ties to even, exact for any length of text. Never reads beyond length; text
 * need not end with NUL. */
size_t cszi_number_parse(const char *text, size_t length, double *value);

/* The same for the number times factor times 10^exponent, rounded once: "0.1" with exponent 3 is
 * exactly 100. factor is at least 1, exponent at most a few hundred in magnitude. */
size_t cszi_number_parse_scaled(const char *text, size_t length, int exponent, uint32_t factor,
                                double *value);

/* Whether a number stands at the start of text and, times 10^exponent, is exactly an integer of
 * magnitude up to 2^53: 1 and the integer, or 0. "1e3" and "12.0" are integers, "9007199254740993"
 * is too large. */
int cszi_number_parse_integer(const char *text, size_t length, int exponent, int64_t *value);

/* The shortest decimal that cszi_number_parse reads back as the same double, as valid JSON: "0.1",
 * "1e+30", "12345". Integers of magnitude below 1e15 have neither point nor exponent. NaN gives
 * "null", infinities "1e999" and "-1e999". Returns the length; text holds CSZI_NUMBER_CAPACITY
 * bytes and is NUL-terminated. */
size_t cszi_number_format(double value, char text[CSZI_NUMBER_CAPACITY]);

/* Rounded to a number of significant digits (1 to 17), correctly, without trailing zeros after a
 * point; for people: no exponent for magnitudes from 1e-4 up to 1e15. */
size_t cszi_number_format_digits(double value, int digits, char text[CSZI_NUMBER_CAPACITY]);

size_t cszi_number_format_i64(int64_t value, char text[CSZI_NUMBER_CAPACITY]);

#endif
