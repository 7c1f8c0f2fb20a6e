/* number.c: decimal text to double and back, correctly rounded, whatever the locale.
 *
 * Both directions rest on one exact operation: a big integer times or divided by a power of ten.
 * 10^n is 5^n 2^n; the power of two is a shift, the power of five a row of multiplications or
 * divisions by one limb. As floor(floor(x / a) / b) = floor(x / (a b)), dividing step by step and
 * remembering whether any remainder was not zero gives the exact quotient and a sticky bit, which
 * is all that rounding needs.
 */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "double must be IEEE 754 binary64");

/* A midpoint between two doubles has at most 767 significant digits, so digits beyond 770 only
 * matter as zero or not zero. */
#define DIGITS_KEPT 770
#define HEAD_DIGITS 19 /* decimal digits that any uint64_t holds */
#define EXACT_INTEGER ((uint64_t)1 << 53)
#define POW5_STEP 13
#define POW5_13 1220703125u /* the largest power of five below 2^32 */

/* 770 digits are 80 limbs, a factor one more; a dividend for 5^1110 is 84. */
#define LIMBS 96

typedef struct big {
    uint32_t limb[LIMBS]; /* least first */
    int count;            /* limbs used, the last not zero */
} big;

/* clang-format off */
static const uint64_t pow10_u64[] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u,
    10000000000u, 100000000000u, 1000000000000u, 10000000000000u, 100000000000000u,
    1000000000000000u, 10000000000000000u, 100000000000000000u, 1000000000000000000u,
    10000000000000000000u,
};
/* clang-format on */

static const uint32_t pow5_u32[] = {
    1u,     5u,      25u,      125u,     625u,      3125u,      15625u,
    78125u, 390625u, 1953125u, 9765625u, 48828125u, 244140625u,
};

static void big_set(big *b, uint64_t value)
{
    b->limb[0] = (uint32_t)value;
    b->limb[1] = (uint32_t)(value >> 32);
    b->count = b->limb[1] != 0 ? 2 : b->limb[0] != 0 ? 1 : 0;
}

static void big_multiply_add(big *b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    int i;

    for (i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        b->limb[b->count++] = (uint32_t)carry;
    }
}

static void big_trim(big *b)
{
    while (b->count > 0 && b->limb[b->count - 1] == 0) {
        b->count--;
    }
}

/* Returns whether the remainder is not zero. */
static int big_divide(big *b, uint32_t divisor)
{
    uint64_t rest = 0;
    int i;

    for (i = b->count - 1; i >= 0; i--) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    big_trim(b);
    return rest != 0;
}

/* The same for the divisor of almost every step: as a constant it needs no division instruction. */
static int big_divide_step(big *b)
{
    uint64_t rest = 0;
    int i;

    for (i = b->count - 1; i >= 0; i--) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / POW5_13);
        rest %= POW5_13;
    }
    big_trim(b);
    return rest != 0;
}

static void big_multiply_pow5(big *b, int power)
{
    for (; power >= POW5_STEP; power -= POW5_STEP) {
        big_multiply_add(b, POW5_13, 0);
    }
    if (power > 0) {
        big_multiply_add(b, pow5_u32[power], 0);
    }
}

static int big_divide_pow5(big *b, int power)
{
    int sticky = 0;

    for (; power >= POW5_STEP; power -= POW5_STEP) {
        sticky |= big_divide_step(b);
    }
    if (power > 0) {
        sticky |= big_divide(b, pow5_u32[power]);
    }
    return sticky;
}

static void big_shift_left(big *b, int bits)
{
    int limbs = bits / 32;
    int rest = bits % 32;

    if (b->count == 0) {
        return;
    }
    if (rest != 0) {
        big_multiply_add(b, (uint32_t)1 << rest, 0);
    }
    if (limbs > 0) {
        memmove(b->limb + limbs, b->limb, (size_t)b->count * sizeof b->limb[0]);
        memset(b->limb, 0, (size_t)limbs * sizeof b->limb[0]);
        b->count += limbs;
    }
}

/* Returns whether a bit that was not zero fell off. */
static int big_shift_right(big *b, int bits)
{
    int limbs = bits / 32;
    int rest = bits % 32;
    int sticky = 0;
    int i;

    if (limbs >= b->count) {
        sticky = b->count > 0;
        b->count = 0;
        return sticky;
    }
    for (i = 0; i < limbs; i++) {
        sticky |= b->limb[i] != 0;
    }
    sticky |= (b->limb[limbs] & (((uint32_t)1 << rest) - 1)) != 0;
    for (i = limbs; i < b->count; i++) {
        uint64_t above = i + 1 < b->count ? b->limb[i + 1] : 0;
        b->limb[i - limbs] = (uint32_t)((above << 32 | b->limb[i]) >> rest);
    }
    b->count -= limbs;
    big_trim(b);
    return sticky;
}

static int bit_length(uint64_t value)
{
    int length = 0;
    int step;

    for (step = 32; step > 0; step /= 2) {
        if (value >> step != 0) {
            value >>= step;
            length += step;
        }
    }
    return length + (value != 0);
}

static int big_bit_length(const big *b)
{
    return b->count == 0 ? 0 : 32 * (b->count - 1) + bit_length(b->limb[b->count - 1]);
}

static uint64_t big_low(const big *b)
{
    uint64_t low = b->count > 0 ? b->limb[0] : 0;

    return b->count > 1 ? low | (uint64_t)b->limb[1] << 32 : low;
}

static double from_bits(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* --- Parsing --- */

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
static int64_t load_digits(const char *text, size_t length, const decimal *d, big *b, int *sticky)
{
    int kept = 0;
    uint32_t chunk = 0;
    uint32_t scale = 1;
    size_t at;

    big_set(b, 0);
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
            big_multiply_add(b, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    big_multiply_add(b, scale, chunk);
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
static double round_big(big *b, int exponent, int sticky)
{
    int shift = exponent;
    int length;

    if (exponent >= 0) {
        big_multiply_pow5(b, exponent);
    } else {
        /* log2(5) is just below 1217359 / 2^19; the quotient shall have at least 64 bits. */
        int bits = 65 + (int)((int64_t)-exponent * 1217359 / 524288) + 1 - big_bit_length(b);

        if (bits > 0) {
            bits = (bits + 31) / 32 * 32;
            big_shift_left(b, bits);
            shift -= bits;
        }
        sticky |= big_divide_pow5(b, -exponent);
    }
    length = big_bit_length(b);
    if (length > 64) {
        sticky |= big_shift_right(b, length - 64);
        return compose(big_low(b), shift + (length - 64), sticky);
    }
    return compose(big_low(b) << (64 - length), shift - (64 - length), sticky);
}

static double convert(const char *text, size_t length, const decimal *d, uint32_t factor)
{
    int64_t high = d->exponent + d->count; /* below 10^high and at least 10^(high - 1) */
    int64_t exponent = d->exponent;
    int sticky = 0;
    big b;

    if (high > 310) {
        return HUGE_VAL;
    }
    if (high < -335) {
        return 0.0; /* a factor is below 10^10, so less than half the least subnormal */
    }
    if (d->cut) {
        exponent = load_digits(text, length, d, &b, &sticky);
    } else {
        big_set(&b, d->head);
    }
    if (factor > 1) {
        big_multiply_add(&b, factor, 0);
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

/* --- Formatting --- */

/* A finite magnitude as mantissa x 2^exponent. */
typedef struct binary {
    uint64_t mantissa;
    int exponent;
    int narrow; /* the gap to the next double below is half of the one above */
} binary;

static binary take_apart(uint64_t bits)
{
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7ff);
    binary parts = {fraction, -1074, 0};

    if (biased > 0) {
        parts.mantissa |= (uint64_t)1 << 52;
        parts.exponent = biased - 1075;
        parts.narrow = fraction == 0 && biased > 1;
    }
    return parts;
}

/* floor(mantissa x 2^exponent x 10^power), which must be below 2^64; *sticky tells whether
 * something was cut off. */
static uint64_t scale(uint64_t mantissa, int exponent, int power, int *sticky)
{
    int shift = exponent + power;
    big b;

    *sticky = 0;
    big_set(&b, mantissa);
    if (power > 0) {
        big_multiply_pow5(&b, power);
    }
    if (shift >= 0) {
        big_shift_left(&b, shift);
    } else {
        *sticky |= big_shift_right(&b, -shift);
    }
    if (power < 0) {
        *sticky |= big_divide_pow5(&b, -power);
    }
    return big_low(&b);
}

/* The power of ten that brings a number to at least 10^17 and, its upper neighbour included, below
 * 2 x 10^18. */
static int scaling_power(const binary *parts)
{
    int64_t high = parts->exponent + bit_length(parts->mantissa) - 1;
    int64_t product = high * 1292913986; /* log10(2) x 2^32 */
    int64_t power = product / 4294967296;

    if (product < 0 && product % 4294967296 != 0) {
        power--;
    }
    return 17 - (int)power;
}

/* value / unit to the nearest integer, ties to even; sticky: value is a little larger. unit is at
 * least 10. */
static uint64_t divide_rounded(uint64_t value, uint64_t unit, int sticky)
{
    uint64_t quotient = value / unit;
    uint64_t rest = value % unit;
    uint64_t half = unit / 2;

    return quotient + (rest > half || (rest == half && (sticky || (quotient & 1) != 0)));
}

/* The shortest digits within the interval of decimals that round to the number, the nearest to it
 * among them. Returns the digits as an integer, to be multiplied by 10^*exponent. */
static uint64_t shortest(const binary *parts, int *exponent)
{
    int power = scaling_power(parts);
    int closed =
        (parts->mantissa & 1) == 0; /* ties go to even: the ends of the interval belong to it */
    int low_sticky;
    int sticky;
    int high_sticky;
    uint64_t middle = 4 * parts->mantissa;
    uint64_t low = scale(middle - (parts->narrow ? 1 : 2), parts->exponent - 2, power, &low_sticky);
    uint64_t value = scale(middle, parts->exponent - 2, power, &sticky);
    uint64_t high = scale(middle + 2, parts->exponent - 2, power, &high_sticky);
    uint64_t digits;
    int drop = 0;

    /* From here on the interval is that of the integers low to high, both included. At 10^17 and
     * more it is at least 11 wide, so it holds a multiple of ten. */
    low += low_sticky || !closed;
    high -= !closed && !high_sticky;
    while (high / 10 >= low / 10 + (low % 10 != 0)) {
        high /= 10;
        low = low / 10 + (low % 10 != 0);
        drop++;
    }
    digits = divide_rounded(value, pow10_u64[drop], sticky);
    if (digits < low) {
        digits = low;
    } else if (digits > high) {
        digits = high;
    }
    *exponent = drop - power;
    return digits;
}

static size_t put_digits(uint64_t value, char *text)
{
    char reversed[20];
    size_t count = 0;
    size_t i;

    do {
        reversed[count++] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value > 0);
    for (i = 0; i < count; i++) {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

static size_t put_zeros(int count, char *text)
{
    int i;

    for (i = 0; i < count; i++) {
        text[i] = '0';
    }
    return (size_t)count;
}

/* digits x 10^exponent without an exponent; point is the number of digits before the point, if
 * positive. */
static size_t lay_out_plain(const char *digits, int count, int point, char *text)
{
    size_t at = 0;

    if (point <= 0) {
        memcpy(text, "0.", 2);
        at = 2 + put_zeros(-point, text + 2);
        memcpy(text + at, digits, (size_t)count);
        return at + (size_t)count;
    }
    if (point >= count) {
        memcpy(text, digits, (size_t)count);
        return (size_t)count + put_zeros(point - count, text + count);
    }
    memcpy(text, digits, (size_t)point);
    text[point] = '.';
    memcpy(text + point + 1, digits + point, (size_t)(count - point));
    return (size_t)count + 1;
}

static size_t lay_out_exponent(const char *digits, int count, int exponent, char *text)
{
    size_t at = 1;

    text[0] = digits[0];
    if (count > 1) {
        text[1] = '.';
        memcpy(text + 2, digits + 1, (size_t)(count - 1));
        at = (size_t)count + 1;
    }
    text[at++] = 'e';
    text[at++] = exponent < 0 ? '-' : '+';
    return at + put_digits((uint64_t)(exponent < 0 ? -exponent : exponent), text + at);
}

/* Writes value x 10^exponent; value has no trailing zeros unless it is 0. */
static size_t lay_out(int negative, uint64_t value, int exponent, char *text)
{
    char digits[20];
    int count = (int)put_digits(value, digits);
    int point = count + exponent;
    size_t at = 0;

    if (negative) {
        text[at++] = '-';
    }
    if (point > -4 && point <= 15) {
        at += lay_out_plain(digits, count, point, text + at);
    } else {
        at += lay_out_exponent(digits, count, point - 1, text + at);
    }
    text[at] = '\0';
    return at;
}

/* Writes what has no digits, or returns 0. */
static size_t format_special(double value, char *text)
{
    const char *special = NULL;

    if (isnan(value)) {
        special = "null";
    } else if (isinf(value)) {
        special = value > 0 ? "1e999" : "-1e999";
    } else if (!(value > 0 || value < 0)) {
        special = signbit(value) ? "-0" : "0";
    } else {
        return 0;
    }
    memcpy(text, special, strlen(special) + 1);
    return strlen(special);
}

size_t cszi_number_format(double value, char text[CSZI_NUMBER_CAPACITY])
{
    size_t length = format_special(value, text);
    binary parts;
    uint64_t digits;
    int exponent;

    if (length > 0) {
        return length;
    }
    if (value > -1e15 && value < 1e15) {
        int64_t whole = (int64_t)value;

        if (to_bits((double)whole) == to_bits(value)) {
            return cszi_number_format_i64(whole, text);
        }
    }
    parts = take_apart(to_bits(value));
    digits = shortest(&parts, &exponent);
    return lay_out(value < 0, digits, exponent, text);
}

size_t cszi_number_format_digits(double value, int digits, char text[CSZI_NUMBER_CAPACITY])
{
    size_t length = format_special(value, text);
    binary parts;
    uint64_t scaled;
    int power;
    int sticky;
    int drop = 1;

    if (length > 0) {
        return length;
    }
    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    parts = take_apart(to_bits(value));
    power = scaling_power(&parts);
    scaled = scale(parts.mantissa, parts.exponent, power, &sticky);
    while (scaled / pow10_u64[drop] >= pow10_u64[digits]) {
        drop++;
    }
    scaled = divide_rounded(scaled, pow10_u64[drop], sticky);
    while (scaled % 10 == 0) {
        scaled /= 10;
        drop++;
    }
    return lay_out(value < 0, scaled, drop - power, text);
}

size_t cszi_number_format_i64(int64_t value, char text[CSZI_NUMBER_CAPACITY])
{
    /* Negated as unsigned, for INT64_MIN has no positive counterpart. */
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    size_t at = 0;

    if (value < 0) {
        text[at++] = '-';
    }
    at += put_digits(magnitude, text + at);
    text[at] = '\0';
    return at;
}
