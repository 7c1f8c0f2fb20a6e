/* number_format.c: double to the shortest decimal text that reads back the same, or to a number of
 * digits. */
#include <math.h>
#include <string.h>

#include "base/big.h"
#include "base/number.h"

/* clang-format off */
static const uint64_t pow10_u64[] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u,
    10000000000u, 100000000000u, 1000000000000u, 10000000000000u, 100000000000000u,
    1000000000000000u, 10000000000000000u, 100000000000000000u, 1000000000000000000u,
    10000000000000000000u,
};
/* clang-format on */

static uint64_t to_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

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
    cszi_big b;

    *sticky = 0;
    cszi_big_set(&b, mantissa);
    if (power > 0) {
        cszi_big_multiply_pow5(&b, power);
    }
    if (shift >= 0) {
        cszi_big_shift_left(&b, shift);
    } else {
        *sticky |= cszi_big_shift_right(&b, -shift);
    }
    if (power < 0) {
        *sticky |= cszi_big_divide_pow5(&b, -power);
    }
    return cszi_big_low(&b);
}

/* The power of ten that brings a number to at least 10^17 and, its upper neighbour included, below
 * 2 x 10^18. */
static int scaling_power(const binary *parts)
{
    int64_t high = parts->exponent + cszi_big_word_length(parts->mantissa) - 1;
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
