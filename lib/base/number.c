/* number.c: decimal text to double, correctly rounded, whatever the locale. */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/big.h"

_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "double must be IEEE 754 binary64");

/* A midpoint between two doubles has at most 767 significant digits, so digits beyond 770 only
 * matter as zero or not zero. */
#define DIGITS_KEPT 770
#define HEAD_DIGITS 19 /* decimal digits that any uint64_t holds */
#define EXACT_INTEGER ((uint64_t)1 << 53)

static double from_bits(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* head x 10^exponent, and a little more when cut is set. */
typedef struct decimal {
    uint64_t head;    /* the first significant digits */
    int64_t exponent; /* of the last digit of head */
    int count;        /* digits of head */
    int negative;
    int cut; /* digits behind head that are not all zero */
} decimal;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the offset behind the digits that start at an offset. */
static size_t scan_digits(const char *text, size_t length, size_t at, decimal *d)
{
    for (; at < length && is_digit(text[at]); at++) {
        unsigned digit = (unsigned)(text[at] - '0');

        if (d->count < HEAD_DIGITS) {
            d->head = d->head * 10 + digit;
            d->count += d->head != 0;
        } else {
            d->exponent++;
            d->cut |= digit != 0;
        }
    }
    return at;
}

/* Reads an exponent if one stands at an offset, and returns the offset behind it. */
static size_t scan_exponent(const char *text, size_t length, size_t at, decimal *d)
{
    /* Far beyond any text in memory, so that a longer exponent decides alone and sums cannot
     * overflow. */
    const int64_t huge = INT64_MAX / 100;
    int64_t exponent = 0;
    int negative = 0;
    size_t digits = at + 1;

    if (at >= length || (text[at] != 'e' && text[at] != 'E')) {
        return at;
    }
    if (digits < length && (text[digits] == '-' || text[digits] == '+')) {
        negative = text[digits] == '-';
        digits++;
    }
    if (digits >= length || !is_digit(text[digits])) {
        return at;
    }
    for (; digits < length && is_digit(text[digits]); digits++) {
        if (exponent < huge) {
            exponent = exponent * 10 + (text[digits] - '0');
        }
    }
    d->exponent += negative ? -exponent : exponent;
    return digits;
}

/* Reads a number at the start of text and returns its length, 0 when there is none. */
static size_t scan(const char *text, size_t length, decimal *d)
{
    const decimal zero = {0, 0, 0, 0, 0};
    size_t start = 0;
    size_t at;
    size_t digits;

    *d = zero;
    if (length > 0 && (text[0] == '-' || text[0] == '+')) {
        d->negative = text[0] == '-';
        start = 1;
    }
    at = scan_digits(text, length, start, d);
    digits = at - start;
    if (at < length && text[at] == '.') {
        size_t end = scan_digits(text, length, at + 1, d);

        d->exponent -= (int64_t)(end - at - 1);
        digits += end - at - 1;
        at = end;
    }
    return digits == 0 ? 0 : scan_exponent(text, length, at, d);
}

/* The digits of a number longer than head, up to DIGITS_KEPT of them; sets *sticky when others are
 * not zero. Returns the exponent of the last digit taken. */
static int64_t load_digits(const char *text, size_t length, const decimal *d, cszi_big *b,
                           int *sticky)
{
    int kept = 0;
    uint32_t chunk = 0;
    uint32_t scale = 1;
    size_t at;

    cszi_big_set(b, 0);
    for (at = 0; at < length && (is_digit(text[at]) || text[at] == '.' || at == 0); at++) {
        if (!is_digit(text[at]) || (kept == 0 && text[at] == '0')) {
            continue;
        }
        if (kept == DIGITS_KEPT) {
            if (text[at] != '0') {
                *sticky = 1;
                break;
            }
            continue;
        }
        chunk = chunk * 10 + (uint32_t)(text[at] - '0');
        scale *= 10;
        kept++;
        if (scale == 1000000000u) {
            cszi_big_multiply_add(b, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    cszi_big_multiply_add(b, scale, chunk);
    return d->exponent - (kept - HEAD_DIGITS);
}

/* The double nearest to top x 2^exponent plus a little more when sticky is set; the highest bit of
 * top is set. */
static double compose(uint64_t top, int exponent, int sticky)
{
    int high = exponent + 63; /* exponent of the highest bit */
    int drop = 11;            /* 64 - 53 */
    uint64_t mantissa;
    uint64_t rest;
    uint64_t half;

    if (high > 1023) {
        return HUGE_VAL;
    }
    if (high < -1022) {
        drop += -1022 - high; /* a subnormal has fewer bits */
    }
    if (drop > 64) {
        return 0.0;
    }
    mantissa = drop < 64 ? top >> drop : 0;
    half = (uint64_t)1 << (drop - 1);
    rest = top & (half | (half - 1));
    if (rest > half || (rest == half && (sticky || (mantissa & 1) != 0))) {
        mantissa++;
    }
    /* Added, not merged: a mantissa that rounded up to the next power of two carries into the
     * exponent, to the smallest normal number and to infinity as well. A subnormal has no implied
     * bit to take away. */
    if (high < -1022) {
        return from_bits(mantissa);
    }
    return from_bits(((uint64_t)(high + 1022) << 52) + mantissa);
}

/* The double nearest to b x 10^exponent plus a little more when sticky is set; b is not zero. */
static double round_big(cszi_big *b, int exponent, int sticky)
{
    int shift = exponent;
    int length;

    if (exponent >= 0) {
        cszi_big_multiply_pow5(b, exponent);
    } else {
        /* log2(5) is just below 1217359 / 2^19; the quotient shall have at least 64 bits. */
        int bits = 65 + (int)((int64_t)-exponent * 1217359 / 524288) + 1 - cszi_big_bit_length(b);

        if (bits > 0) {
            bits = (bits + 31) / 32 * 32;
            cszi_big_shift_left(b, bits);
            shift -= bits;
        }
        sticky |= cszi_big_divide_pow5(b, -exponent);
    }
    length = cszi_big_bit_length(b);
    if (length > 64) {
        sticky |= cszi_big_shift_right(b, length - 64);
        return compose(cszi_big_low(b), shift + (length - 64), sticky);
    }
    return compose(cszi_big_low(b) << (64 - length), shift - (64 - length), sticky);
}

static double convert(const char *text, size_t length, const decimal *d, uint32_t factor)
{
    int64_t high = d->exponent + d->count; /* below 10^high and at least 10^(high - 1) */
    int64_t exponent = d->exponent;
    int sticky = 0;
    cszi_big b;

    if (high > 310) {
        return HUGE_VAL;
    }
    if (high < -335) {
        return 0.0; /* a factor is below 10^10, so less than half the least subnormal */
    }
    if (d->cut) {
        exponent = load_digits(text, length, d, &b, &sticky);
    } else {
        cszi_big_set(&b, d->head);
    }
    if (factor > 1) {
        cszi_big_multiply_add(&b, factor, 0);
    }
    return round_big(&b, (int)exponent, sticky);
}

size_t cszi_number_parse_scaled(const char *text, size_t length, int exponent, uint32_t factor,
                                double *value)
{
    static const double pow10_exact[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    };
    decimal d;
    double magnitude;
    size_t used = scan(text, length, &d);

    if (used == 0) {
        return 0;
    }
    d.exponent += exponent;
    if (d.head == 0) {
        magnitude = 0.0;
    } else if (FLT_EVAL_METHOD == 0 && !d.cut && factor == 1 && d.head <= EXACT_INTEGER &&
               d.exponent >= -22 && d.exponent <= 22) {
        /* Both operands are exact, so the one operation rounds correctly. */
        magnitude = d.exponent < 0 ? (double)d.head / pow10_exact[-d.exponent]
                                   : (double)d.head * pow10_exact[d.exponent];
    } else {
        magnitude = convert(text, used, &d, factor);
    }
    *value = d.negative ? -magnitude : magnitude;
    return used;
}

size_t cszi_number_parse(const char *text, size_t length, double *value)
{
    return cszi_number_parse_scaled(text, length, 0, 1, value);
}

int cszi_number_parse_integer(const char *text, size_t length, int exponent, int64_t *value)
{
    decimal d;

    if (scan(text, length, &d) == 0 || d.cut) {
        return 0; /* cut: more than 19 digits, so a fraction or too large */
    }
    d.exponent += exponent;
    if (d.head == 0) {
        d.exponent = 0;
    }
    for (; d.exponent < 0; d.exponent++) {
        if (d.head % 10 != 0) {
            return 0;
        }
        d.head /= 10;
    }
    for (; d.exponent > 0; d.exponent--) {
        if (d.head > EXACT_INTEGER) {
            return 0;
        }
        d.head *= 10;
    }
    if (d.head > EXACT_INTEGER) {
        return 0;
    }
    *value = d.negative ? -(int64_t)d.head : (int64_t)d.head;
    return 1;
}
