/* test_unit.c: values with units in text, both ways. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/unit.h"

#define FIELD ((csz_field)1001)

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

START_TEST(texts_give_the_nearest_double_in_the_base_unit)
{
    static const struct {
        csz_unit unit;
        const char *text;
        double value;
    } cases[] = {
        {CSZ_UNIT_NONE, "12", 12},
        {CSZ_UNIT_COUNT, "70B", 70e9},
        {CSZ_UNIT_COUNT, "15T", 15e12},
        {CSZ_UNIT_COUNT, "0.1k", 100},
        {CSZ_UNIT_COUNT, "128K", 128000},
        {CSZ_UNIT_COUNT, "1.1T", 1100000000000},
        {CSZ_UNIT_COUNT, "1e12", 1e12},
        {CSZ_UNIT_COUNT, "405.9G", 405900000000},
        {CSZ_UNIT_COUNT, "9.007199254740992P", 9007199254740992},
        {CSZ_UNIT_COUNT, " -3 M\t", -3e6},
        {CSZ_UNIT_BYTE, "80GiB", 85899345920},
        {CSZ_UNIT_BYTE, "80 GB", 80e9},
        {CSZ_UNIT_BYTE, "1.5KiB", 1536},
        {CSZ_UNIT_BYTE, "2MiB", 2097152},
        {CSZ_UNIT_BYTE, "1TiB", 1099511627776},
        {CSZ_UNIT_BYTE, "1PiB", 1125899906842624},
        {CSZ_UNIT_BYTE, "3kB", 3000},
        {CSZ_UNIT_BYTE, "7B", 7},
        {CSZ_UNIT_BYTE, "7", 7},
        {CSZ_UNIT_SECOND, "14d", 14 * 86400.0},
        {CSZ_UNIT_SECOND, "1.5 h", 5400},
        {CSZ_UNIT_SECOND, "3min", 180},
        {CSZ_UNIT_SECOND, "2w", 1209600},
        {CSZ_UNIT_SECOND, "1y", 31557600},
        {CSZ_UNIT_SECOND, "4.7us", 4.7e-6},
        {CSZ_UNIT_SECOND, "3ns", 3e-9},
        {CSZ_UNIT_SECOND, "1.1ms", 1.1e-3},
        {CSZ_UNIT_SECOND, "0.1 s", 0.1},
        {CSZ_UNIT_FLOP, "3.8e25", 3.8e25},
        {CSZ_UNIT_FLOP, "38 YFLOP", 3.8e25},
        {CSZ_UNIT_FLOP, "1EFLOP", 1e18},
        {CSZ_UNIT_FLOP, "1.3Z", 1.3e21},
        {CSZ_UNIT_FLOP_PER_SECOND, "989.4TFLOP/s", 989.4e12},
        {CSZ_UNIT_FLOP_PER_SECOND, "989.4T", 989.4e12},
        {CSZ_UNIT_FLOP_PER_SECOND, "4 PFLOPS", 4e15},
        {CSZ_UNIT_BYTE_PER_SECOND, "900GB/s", 900e9},
        {CSZ_UNIT_BYTE_PER_SECOND, "400Gb/s", 50e9},
        {CSZ_UNIT_BYTE_PER_SECOND, "8b/s", 1},
        {CSZ_UNIT_BYTE_PER_SECOND, "3.35 TB/s", 3.35e12},
        {CSZ_UNIT_BYTE_PER_SECOND, "1GiB/s", 1073741824},
        {CSZ_UNIT_WATT, "700W", 700},
        {CSZ_UNIT_WATT, "10.2kW", 10200},
        {CSZ_UNIT_WATT, "150 MW", 150e6},
        {CSZ_UNIT_JOULE, "2GJ", 2e9},
        {CSZ_UNIT_JOULE, "1kWh", 3.6e6},
        {CSZ_UNIT_JOULE, "0.1 MWh", 3.6e8},
        {CSZ_UNIT_JOULE, "1Wh", 3600},
        {CSZ_UNIT_USD, "$1.2M", 1.2e6},
        {CSZ_UNIT_USD, "1.2M", 1.2e6},
        {CSZ_UNIT_USD, "50k", 50e3},
        {CSZ_UNIT_USD, "50kUSD", 50e3},
        {CSZ_UNIT_USD, "$ 3 B", 3e9},
        {CSZ_UNIT_RATIO, "40%", 0.4},
        {CSZ_UNIT_RATIO, "0.4", 0.4},
        {CSZ_UNIT_RATIO, "43.7 %", 0.437},
        {CSZ_UNIT_PER_SECOND, "1.2M/s", 1.2e6},
        {CSZ_UNIT_PER_SECOND, "400k", 400e3},
        {CSZ_UNIT_USD_PER_HOUR, "2.5", 2.5},
        {CSZ_UNIT_USD_PER_HOUR, "$2.5/h", 2.5},
        {CSZ_UNIT_PER_DAY, "0.03/d", 0.03},
        {CSZ_UNIT_PER_DAY, "3", 3},
    };
    cszi_error error;
    size_t i;

    cszi_error_clear(&error);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = -99;
        csz_status status = cszi_unit_parse(cases[i].unit, cases[i].text, strlen(cases[i].text),
                                            &value, &error, FIELD);

        ck_assert_msg(status == CSZ_OK && same(value, cases[i].value), "%s: %d, %.17g, %s",
                      cases[i].text, (int)status, value, error.text);
    }
}
END_TEST

START_TEST(what_is_refused_says_why_and_what_would_be_valid)
{
    static const struct {
        csz_unit unit;
        const char *text;
        csz_status status;
        const char *message; /* a part of it */
    } cases[] = {
        {CSZ_UNIT_COUNT, "70Q", CSZ_ERR_SYNTAX, "'70Q': unknown suffix 'Q'; valid: k K M B G T P"},
        {CSZ_UNIT_COUNT, "70b", CSZ_ERR_SYNTAX, "valid: k K M B G T P"},
        {CSZ_UNIT_COUNT, "1,000", CSZ_ERR_SYNTAX, "unknown suffix ',000'"},
        {CSZ_UNIT_COUNT, "1.5", CSZ_ERR_RANGE, "'1.5' is not an integer"},
        {CSZ_UNIT_COUNT, "9007199254740993", CSZ_ERR_RANGE, "2^53"},
        {CSZ_UNIT_COUNT, "4503599627370496.2", CSZ_ERR_RANGE, "is not an integer"},
        {CSZ_UNIT_COUNT, "10P", CSZ_ERR_RANGE, "'10P'"},
        {CSZ_UNIT_COUNT, "1e999999999999", CSZ_ERR_RANGE, "2^53"},
        {CSZ_UNIT_COUNT, "", CSZ_ERR_SYNTAX, "'' does not begin with a number"},
        {CSZ_UNIT_COUNT, "  ", CSZ_ERR_SYNTAX, "''"},
        {CSZ_UNIT_COUNT, "many", CSZ_ERR_SYNTAX, "'many' does not begin with a number"},
        {CSZ_UNIT_COUNT, "5\xff", CSZ_ERR_SYNTAX, "'\\xff'"},
        {CSZ_UNIT_BYTE, "80G", CSZ_ERR_SYNTAX,
         "'80G' is ambiguous: write GB or GiB; valid: B kB MB"},
        {CSZ_UNIT_BYTE, "80k", CSZ_ERR_SYNTAX, "ambiguous"},
        {CSZ_UNIT_BYTE, "80M", CSZ_ERR_SYNTAX, "ambiguous"},
        {CSZ_UNIT_BYTE, "80T", CSZ_ERR_SYNTAX, "ambiguous"},
        {CSZ_UNIT_BYTE, "80gb", CSZ_ERR_SYNTAX, "unknown suffix 'gb'"},
        {CSZ_UNIT_BYTE, "80Gb", CSZ_ERR_SYNTAX, "GiB"},
        {CSZ_UNIT_BYTE_PER_SECOND, "400G", CSZ_ERR_SYNTAX,
         "'400G' is ambiguous: write GB/s or Gb/s"},
        {CSZ_UNIT_BYTE_PER_SECOND, "400GB", CSZ_ERR_SYNTAX, "unknown suffix 'GB'"},
        {CSZ_UNIT_SECOND, "3 days", CSZ_ERR_SYNTAX,
         "'3 days': unknown suffix 'days'; valid: ns us ms s min h d w y"},
        {CSZ_UNIT_SECOND, "inf", CSZ_ERR_RANGE, "'inf' is not finite"},
        {CSZ_UNIT_SECOND, "-Infinity", CSZ_ERR_RANGE, "not finite"},
        {CSZ_UNIT_SECOND, "NaN", CSZ_ERR_RANGE, "not finite"},
        {CSZ_UNIT_SECOND, "infinite", CSZ_ERR_SYNTAX, "does not begin with a number"},
        {CSZ_UNIT_SECOND, "1e400", CSZ_ERR_RANGE, "'1e400' is too large"},
        {CSZ_UNIT_SECOND, "1e308y", CSZ_ERR_RANGE, "too large"},
        {CSZ_UNIT_SECOND, "$3", CSZ_ERR_SYNTAX, "does not begin with a number"},
        {CSZ_UNIT_NONE, "3k", CSZ_ERR_SYNTAX, "valid: no suffix"},
        {CSZ_UNIT_RATIO, "40%%", CSZ_ERR_SYNTAX, "valid: %"},
        {(csz_unit)99, "1", CSZ_ERR_ARGUMENT, "99"},
    };
    cszi_error error;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = -99;
        csz_status status;

        cszi_error_clear(&error);
        status = cszi_unit_parse(cases[i].unit, cases[i].text, strlen(cases[i].text), &value,
                                 &error, FIELD);
        ck_assert_msg(status == cases[i].status && error.status == status && error.field == FIELD,
                      "%s: %d %s", cases[i].text, (int)status, error.text);
        ck_assert_msg(strstr(error.text, cases[i].message) != NULL, "%s: %s", cases[i].text,
                      error.text);
        ck_assert_msg(same(value, -99), "%s: the value was changed", cases[i].text);
        ck_assert_int_eq(cszi_unit_parse(cases[i].unit, cases[i].text, strlen(cases[i].text),
                                         &value, NULL, FIELD),
                         status);
    }
}
END_TEST

START_TEST(people_see_four_digits_and_the_largest_fitting_suffix)
{
    static const struct {
        csz_unit unit;
        double value;
        const char *text;
    } cases[] = {
        {CSZ_UNIT_BYTE, 80026361856.0, "74.53 GiB"},
        {CSZ_UNIT_BYTE, 1023, "1023 B"},
        {CSZ_UNIT_BYTE, 1024, "1 KiB"},
        {CSZ_UNIT_BYTE, 0, "0 B"},
        {CSZ_UNIT_BYTE_PER_SECOND, 3.35e12, "3.35 TB/s"},
        {CSZ_UNIT_SECOND, 13.6 * 86400, "13.6 d"},
        {CSZ_UNIT_SECOND, 59.9999, "1 min"},
        {CSZ_UNIT_SECOND, 59.99, "59.99 s"},
        {CSZ_UNIT_SECOND, 0.0123456, "12.35 ms"},
        {CSZ_UNIT_SECOND, 1e-12, "0.001 ns"},
        {CSZ_UNIT_COUNT, 1.2e6, "1.2M"},
        {CSZ_UNIT_COUNT, 999960, "1M"},
        {CSZ_UNIT_COUNT, 999940, "999.9k"},
        {CSZ_UNIT_COUNT, 405e9, "405B"},
        {CSZ_UNIT_COUNT, -15e12, "-15T"},
        {CSZ_UNIT_COUNT, 128, "128"},
        {CSZ_UNIT_RATIO, 0.435, "43.5%"},
        {CSZ_UNIT_RATIO, 0, "0%"},
        {CSZ_UNIT_USD, 2.61e6, "$2.61M"},
        {CSZ_UNIT_USD, -1500, "-$1.5k"},
        {CSZ_UNIT_USD_PER_HOUR, 2.5, "$2.5/h"},
        {CSZ_UNIT_FLOP, 3.8e25, "38 YFLOP"},
        {CSZ_UNIT_FLOP_PER_SECOND, 989.4e12, "989.4 TFLOP/s"},
        {CSZ_UNIT_WATT, 700, "700 W"},
        {CSZ_UNIT_JOULE, 7.2e9, "2 MWh"},
        {CSZ_UNIT_PER_SECOND, 12345, "12.35k/s"},
        {CSZ_UNIT_PER_DAY, 0.0031, "0.0031/d"},
        {CSZ_UNIT_FLOP_PER_BYTE, 295.2, "295.2 FLOP/B"},
        {CSZ_UNIT_SECOND, (double)INFINITY, "inf"},
        {CSZ_UNIT_SECOND, (double)-INFINITY, "-inf"},
        {CSZ_UNIT_SECOND, (double)NAN, "nan"},
        {(csz_unit)99, 1.5, "1.5"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];
        size_t length = cszi_unit_format(cases[i].unit, cases[i].value, text, sizeof text);

        ck_assert_str_eq(text, cases[i].text);
        ck_assert_uint_eq(length, strlen(text));
    }
}
END_TEST

START_TEST(formatted_values_parse_back_within_their_digits)
{
    cszi_error error;
    int unit;

    for (unit = CSZ_UNIT_NONE; unit <= CSZ_UNIT_FLOP_PER_BYTE; unit++) {
        double value;

        ck_assert_ptr_nonnull(cszi_unit_symbol((csz_unit)unit));
        for (value = 1; value < 8e15; value *= 3.7) {
            char text[40];
            size_t length = cszi_unit_format((csz_unit)unit, value, text, sizeof text);
            double back = 0;
            csz_status status = cszi_unit_parse((csz_unit)unit, text, length, &back, &error, FIELD);

            if (unit == CSZ_UNIT_COUNT && status == CSZ_ERR_RANGE) {
                continue; /* four digits of a fraction */
            }
            ck_assert_msg(status == CSZ_OK && fabs(back / value - 1) < 6e-4, "%s: %g, %g, %s", text,
                          value, back, error.text);
        }
    }
    ck_assert_ptr_null(cszi_unit_symbol((csz_unit)15));
    ck_assert_ptr_null(cszi_unit_symbol((csz_unit)-1));
    ck_assert_str_eq(cszi_unit_symbol(CSZ_UNIT_FLOP_PER_SECOND), "FLOP/s");
}
END_TEST

START_TEST(format_writes_what_fits_and_returns_the_full_length)
{
    const char *full = "989.4 TFLOP/s";
    size_t capacity;

    for (capacity = 0; capacity <= strlen(full) + 2; capacity++) {
        char text[32];

        memset(text, '#', sizeof text);
        ck_assert_uint_eq(cszi_unit_format(CSZ_UNIT_FLOP_PER_SECOND, 989.4e12,
                                           capacity > 0 ? text : NULL, capacity),
                          strlen(full));
        if (capacity > 0) {
            size_t kept = capacity - 1 < strlen(full) ? capacity - 1 : strlen(full);
            ck_assert_int_eq(memcmp(text, full, kept), 0);
            ck_assert_int_eq(text[kept], '\0');
        }
        ck_assert_int_eq(text[capacity], '#');
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unit");
    TCase *tcase = tcase_create("unit");
    SRunner *runner;
    int failed;

    tcase_add_test(tcase, texts_give_the_nearest_double_in_the_base_unit);
    tcase_add_test(tcase, what_is_refused_says_why_and_what_would_be_valid);
    tcase_add_test(tcase, people_see_four_digits_and_the_largest_fitting_suffix);
    tcase_add_test(tcase, formatted_values_parse_back_within_their_digits);
    tcase_add_test(tcase, format_writes_what_fits_and_returns_the_full_length);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
