/* test_number.c: decimal text to double and back, with libc (C locale) as the oracle. */
#define _POSIX_C_SOURCE 200809L

#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define SEED UINT64_C(0x9e3779b97f4a7c15)
#define CASES 200000

/* Check writes a record at every assertion that it makes; this one is for loops of many cases. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

static uint64_t random_state = SEED;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The oracle speaks C whatever the locale of the program is. */
static locale_t speak_c(void)
{
    static locale_t c;

    if (c == (locale_t)0) {
        c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        ck_assert(c != (locale_t)0);
    }
    return uselocale(c);
}

static double c_strtod(const char *text)
{
    locale_t before = speak_c();
    double value = strtod(text, NULL);

    uselocale(before);
    return value;
}

static int c_snprintf(char *text, size_t capacity, const char *format, ...)
{
    locale_t before = speak_c();
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(text, capacity, format, list);
    va_end(list);
    uselocale(before);
    return length;
}

/* Parses text, which must be read as a whole, and compares with strtod bit by bit. */
static void check_against_strtod(const char *text)
{
    double value = -7.0;
    size_t used = cszi_number_parse(text, strlen(text), &value);
    double expected = c_strtod(text);

    REQUIRE(used == strlen(text), "%.60s: read %zu of %zu bytes", text, used, strlen(text));
    REQUIRE(bits_of(value) == bits_of(expected), "%.60s: got %a, expected %a", text, value,
            expected);
}

START_TEST(hard_decimals_are_correctly_rounded)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "+1",
        "1",
        "-1",
        ".5",
        "5.",
        "0.1",
        "0.3",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "123456789e-20",
        /* halfway between two doubles, and beside it */
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0000000000000000000000001",
        "9007199254740992.9999999999999999999999999",
        "9007199254740995",
        "9007199254740994.99999999999999999",
        "18014398509481990",
        "36028797018963970e-1",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000033306690738754696212708950042724609375",
        "6929495644600919.5",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "9007199254740991.4999999999999999999999999999999995",
        /* the edge between subnormal and normal */
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "2."
        "2250738585072011360574097967091319759348195463516456480234261097248222220210769455165295e-"
        "308",
        "2."
        "2250738585072008890245868760858598876504231122409594654935248025624400092282356951787758e-"
        "308",
        "0."
        "000000000000000000000000000000000000000000000000000000000000000000000000000022250738585072"
        "012e-231",
        /* the least subnormal, half of it and beside it */
        "5e-324",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.470328229206232720882843964341106861825299013071623822127928412503377536351e-324",
        "2.470328229206232720882843964341106861825299013071623822127928412503377536352e-324",
        "7.4e-324",
        "1e-323",
        "2e-324",
        "3e-324",
        "1e-325",
        "1e-400",
        /* the largest double, the midpoint to infinity and beside it */
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.797693134862315807e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330"
        "286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531"
        "76447573027006985"
        "557136695962284291481986083493647529271907416844436551070434271155969950809304288017790417"
        "44977"
        "91999999",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "97758720709633028"
        "641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176"
        "44757302700698555"
        "713669596228429148198608349364752927190741684443655107043427115596995080930428801779041744"
        "97792",
        "2e308",
        "-2e308",
        "1e309",
        "1e400",
        /* extreme exponents */
        "1e999999999999",
        "-1e999999999999",
        "1e-999999999999",
        "0e999999999999",
        "1e99999999999999999999999999",
        "123e-99999999999999999999999999",
        "0.0e-99999999999999999999",
    };
    size_t i;

    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_against_strtod(texts[i]);
    }
}
END_TEST

START_TEST(parse_reads_the_longest_number_and_no_further)
{
    static const struct {
        const char *text;
        size_t used;
    } cases[] = {
        {"", 0},     {"-", 0},     {"+", 0},    {".", 0},   {"-.", 0},    {"e5", 0},
        {".e5", 0},  {"x1", 0},    {" 1", 0},   {"1e", 1},  {"1e+", 1},   {"1e-x", 1},
        {"1E5x", 3}, {"1.5.2", 3}, {"12GB", 2}, {"-1-", 2}, {"1,5", 1},   {"0x10", 1},
        {"nan", 0},  {"inf", 0},   {"5.x", 2},  {"--1", 0}, {"1e5e5", 3}, {"1 2", 1},
    };
    size_t i;
    double value = 0;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t used = cszi_number_parse(cases[i].text, strlen(cases[i].text), &value);
        REQUIRE(used == cases[i].used, "%s: %zu", cases[i].text, used);
    }
    ck_assert_uint_eq(cszi_number_parse("12345", 3, &value), 3);
    ck_assert_uint_eq(bits_of(value), bits_of(123.0));
    ck_assert_uint_eq(cszi_number_parse("1e55", 3, &value), 3);
    ck_assert_uint_eq(bits_of(value), bits_of(1e5));
}
END_TEST

/* Exact decimals of midpoints between neighbours have up to 767 digits, more than any buffer of a
 * simple parser. */
START_TEST(exact_midpoints_round_to_even_and_a_sticky_digit_decides)
{
    int i;

    printf("seed %#llx\n", (unsigned long long)SEED);
    for (i = 0; i < 3000; i++) {
        char text[1500];
        uint64_t bits = next_random() & INT64_MAX;
        double low;
        long double middle;
        int length;

        if (i % 3 == 0) {
            bits &= (UINT64_C(1) << 53) - 1; /* subnormals and the smallest normals */
        }
        low = double_of(bits);
        if (!isfinite(low) || !isfinite(double_of(bits + 1))) {
            continue;
        }
        middle = ((long double)low + (long double)double_of(bits + 1)) /
                 2; /* exact in 64 bits of mantissa */
        length = c_snprintf(text, sizeof text, "%.1100Lf", middle);
        if (length >= (int)sizeof text - 8) {
            continue;
        }
        check_against_strtod(text);
        text[length] = '1';
        text[length + 1] = '\0';
        check_against_strtod(text);
        text[length - 1] = '1';
        check_against_strtod(text);
    }
}
END_TEST

START_TEST(random_decimals_agree_with_strtod)
{
    int i;

    for (i = 0; i < CASES; i++) {
        char text[80];
        int digits = 1 + (int)(next_random() % 40);
        int point = (int)(next_random() % 42);
        int at = 0;
        int k;

        for (k = 0; k < digits; k++) {
            if (k == point) {
                text[at++] = '.';
            }
            text[at++] = (char)('0' + (int)(next_random() % 10));
        }
        text[at] = '\0';
        if (next_random() % 4 != 0) {
            int range = next_random() % 2 != 0 ? 30 : 350;
            c_snprintf(text + at, sizeof text - (size_t)at, "e%d",
                       (int)(next_random() % (uint64_t)(2 * range)) - range);
        }
        check_against_strtod(text);
    }
}
END_TEST

/* The significant digits of a number in text, without leading and trailing zeros. */
static int significant(const char *text, char *digits)
{
    int count = 0;

    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) {
            digits[count++] = *text;
        }
    }
    while (count > 0 && digits[count - 1] == '0') {
        count--;
    }
    digits[count] = '\0';
    return count;
}

/* No shorter decimal reads back, and of those of the same length the nearest was taken. */
static void check_shortest(double value, const char *text)
{
    char ours[40];
    char theirs[40];
    char other[40];
    int count = significant(text, ours);

    if (count > 1) {
        c_snprintf(other, sizeof other, "%.*e", count - 2, value);
        REQUIRE(bits_of(c_strtod(other)) != bits_of(value), "%s is longer than %s", text, other);
    }
    if (count > 0) {
        c_snprintf(other, sizeof other, "%.*e", count - 1, value);
        significant(other, theirs);
        REQUIRE(bits_of(c_strtod(other)) != bits_of(value) || strcmp(ours, theirs) == 0,
                "%s is not the nearest, %s is", text, other);
    }
}

static void check_round_trip(double value)
{
    char text[CSZI_NUMBER_CAPACITY];
    size_t length = cszi_number_format(value, text);
    double back = 0;

    REQUIRE(length == strlen(text) && length < sizeof text, "%s: length %zu", text, length);
    REQUIRE(cszi_number_parse(text, length, &back) == length, "%s is not read back as a whole",
            text);
    REQUIRE(bits_of(back) == bits_of(value), "%a gave %s and %a", value, text, back);
    REQUIRE(bits_of(c_strtod(text)) == bits_of(value), "%a gave %s", value, text);
    check_shortest(value, text);
}

START_TEST(random_doubles_round_trip_through_the_shortest_text)
{
    int i;

    printf("seed %#llx\n", (unsigned long long)SEED);
    for (i = 0; i < CASES; i++) {
        double value = double_of(next_random());

        if (isfinite(value)) {
            check_round_trip(value);
        }
    }
    for (i = 0; i < CASES; i++) {
        /* few digits, as people write */
        check_round_trip((double)(next_random() % 100000) / (double)(1 + next_random() % 1000));
        check_round_trip((double)(next_random() >> (next_random() % 64)));
    }
    for (i = 0; i < 2046; i++) {
        /* around every power of two, where the gap below is half of the gap above */
        uint64_t bits = (uint64_t)i << 52;
        check_round_trip(double_of(bits));
        check_round_trip(double_of(bits + 1));
        check_round_trip(double_of(bits + (UINT64_C(1) << 52) - 1));
    }
}
END_TEST

START_TEST(format_looks_like_json)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {-12345.0, "-12345"},
        {999999999999999.0, "999999999999999"},
        {1e15, "1e+15"},
        {123456789012345.67, "123456789012345.67"},
        {1e30, "1e+30"},
        {1.5e-7, "1.5e-7"},
        {0.0001, "0.0001"},
        {0.00001, "1e-5"},
        {9007199254740993.0, "9.007199254740992e+15"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {9.5367431640625e-7, "9.5367431640625e-7"},
    };
    char text[CSZI_NUMBER_CAPACITY];
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cszi_number_format(cases[i].value, text);
        ck_assert_str_eq(text, cases[i].text);
    }
    cszi_number_format((double)NAN, text);
    ck_assert_str_eq(text, "null");
    cszi_number_format(HUGE_VAL, text);
    ck_assert_str_eq(text, "1e999");
    cszi_number_format(-HUGE_VAL, text);
    ck_assert_str_eq(text, "-1e999");
    ck_assert_uint_eq(cszi_number_format_i64(INT64_MIN, text), 20);
    ck_assert_str_eq(text, "-9223372036854775808");
    cszi_number_format_i64(INT64_MAX, text);
    ck_assert_str_eq(text, "9223372036854775807");
    cszi_number_format_i64(0, text);
    ck_assert_str_eq(text, "0");
}
END_TEST

START_TEST(fixed_digits_round_as_printf_does)
{
    static const double plain[] = {
        2.5, 3.5, 0.125, 999.95, 9999.5, 0.00099995, 123456.0, 1e14, 999999999999999.9, 1e15};
    char ours[CSZI_NUMBER_CAPACITY];
    char theirs[40];
    char own[40];
    char other[40];
    int i;

    for (i = 0; i < CASES; i++) {
        double value = i < 170 ? plain[i % 10] : double_of(next_random());
        int digits = i < 170 ? 1 + i / 10 : 1 + (int)(next_random() % 17);

        if (isfinite(value)) {
            cszi_number_format_digits(value, digits, ours);
            c_snprintf(theirs, sizeof theirs, "%.*e", digits - 1, value);
            significant(ours, own);
            significant(theirs, other);
            REQUIRE(strcmp(own, other) == 0, "%a to %d digits: %s, not %s", value, digits, ours,
                    theirs);
            REQUIRE(bits_of(c_strtod(ours)) == bits_of(c_strtod(theirs)), "%s, not %s", ours,
                    theirs);
        }
    }
    cszi_number_format_digits(123456.0, 4, ours);
    ck_assert_str_eq(ours, "123500");
    cszi_number_format_digits(0.00012345, 2, ours);
    ck_assert_str_eq(ours, "0.00012");
    cszi_number_format_digits(99999.0, 4, ours);
    ck_assert_str_eq(ours, "100000");
}
END_TEST

START_TEST(scaled_products_are_rounded_once)
{
    int i;

    for (i = 0; i < CASES / 10; i++) {
        char text[64];
        char shifted[80];
        double value = 0;
        double expected;
        uint32_t factor = 1 + (uint32_t)(next_random() % 4000000000u);
        int power = (int)(next_random() % 40) - 20;
        uint64_t whole = next_random() % 1000000000u;
        int exponent = (int)(next_random() % 600) - 300;
        size_t length =
            (size_t)c_snprintf(text, sizeof text, "%llue%d", (unsigned long long)whole, exponent);

        REQUIRE(cszi_number_parse_scaled(text, length, power, factor, &value) == length, "%s",
                text);
        c_snprintf(shifted, sizeof shifted, "%llue%d", (unsigned long long)(whole * factor),
                   exponent + power);
        expected = c_strtod(shifted);
        REQUIRE(bits_of(value) == bits_of(expected), "%s x %u: %a, not %a", text, factor, value,
                expected);
    }
}
END_TEST

START_TEST(integers_are_exact_or_refused)
{
    static const struct {
        const char *text;
        int exponent;
        int accepted;
        int64_t value;
    } cases[] = {
        {"0", 0, 1, 0},
        {"-0.000", 0, 1, 0},
        {"0e999999999999", 0, 1, 0},
        {"1e3", 0, 1, 1000},
        {"12.0", 0, 1, 12},
        {"1.5", 0, 0, 0},
        {"1.5", 3, 1, 1500},
        {"0.1", 3, 1, 100},
        {"-7", 0, 1, -7},
        {"9007199254740992", 0, 1, INT64_C(9007199254740992)},
        {"-9007199254740992", 0, 1, -INT64_C(9007199254740992)},
        {"9007199254740993", 0, 0, 0},
        {"9.007199254740992e15", 0, 1, INT64_C(9007199254740992)},
        {"1e-999999999999", 0, 0, 0},
        {"1e999999999999", 0, 0, 0},
        {"1.0000000000000000000000000001", 0, 0, 0},
        {"1.0000000000000000000000000000", 0, 1, 1},
        {"18446744073709551617", 0, 0, 0},
        {"x", 0, 0, 0},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 0;
        int accepted = cszi_number_parse_integer(cases[i].text, strlen(cases[i].text),
                                                 cases[i].exponent, &value);

        REQUIRE(accepted == cases[i].accepted && value == cases[i].value, "%s: %d, %lld",
                cases[i].text, accepted, (long long)value);
    }
}
END_TEST

START_TEST(text_of_millions_of_digits_is_read_exactly)
{
    size_t length = 4000000;
    char *text = malloc(length + 16);
    double value = 0;

    ck_assert_ptr_nonnull(text);
    memset(text, '0', length);
    memcpy(text + length, "1e4000001", 10);
    text[0] = '.';
    ck_assert_uint_eq(cszi_number_parse(text, length + 9, &value), length + 9);
    ck_assert_uint_eq(bits_of(value), bits_of(10.0));

    /* A midpoint and, four million digits later, a digit that breaks the tie. */
    memset(text, '0', length);
    memcpy(text, "9007199254740993.", 17);
    text[length - 1] = '1';
    ck_assert_uint_eq(cszi_number_parse(text, length - 1, &value), length - 1);
    ck_assert_uint_eq(bits_of(value), bits_of(9007199254740992.0));
    ck_assert_uint_eq(cszi_number_parse(text, length, &value), length);
    ck_assert_uint_eq(bits_of(value), bits_of(9007199254740994.0));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number");
    TCase *tcase = tcase_create("number");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, hard_decimals_are_correctly_rounded);
    tcase_add_test(tcase, parse_reads_the_longest_number_and_no_further);
    tcase_add_test(tcase, exact_midpoints_round_to_even_and_a_sticky_digit_decides);
    tcase_add_test(tcase, random_decimals_agree_with_strtod);
    tcase_add_test(tcase, random_doubles_round_trip_through_the_shortest_text);
    tcase_add_test(tcase, format_looks_like_json);
    tcase_add_test(tcase, fixed_digits_round_as_printf_does);
    tcase_add_test(tcase, scaled_products_are_rounded_once);
    tcase_add_test(tcase, integers_are_exact_or_refused);
    tcase_add_test(tcase, text_of_millions_of_digits_is_read_exactly);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
