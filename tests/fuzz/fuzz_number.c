/* fuzz_number.c: whatever parses as a number formats to text that parses to the same bits. The
 * first two bytes choose a scale and a unit. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

static int same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_number(const char *text, size_t length)
{
    double value = 0;
    double back = 0;
    char shortest[CSZI_NUMBER_CAPACITY];
    char digits[CSZI_NUMBER_CAPACITY];
    size_t used = cszi_number_parse(text, length, &value);
    size_t written;
    int64_t whole;

    require(used <= length);
    if (used == 0) {
        return;
    }
    written = cszi_number_format(value, shortest);
    require(written == strlen(shortest) && written < sizeof shortest);
    require(cszi_number_parse(shortest, written, &back) == written);
    require(same_bits(value, back));
    written = cszi_number_format_digits(value, 17, digits);
    require(cszi_number_parse(digits, written, &back) == written);
    require(same_bits(value, back));
    if (cszi_number_parse_integer(text, used, 0, &whole)) {
        require(!(value > (double)whole || value < (double)whole));
    }
}

static void check_unit(csz_unit unit, const char *text, size_t length)
{
    double value = 0;
    cszi_error error;
    char people[64];

    cszi_error_clear(&error);
    if (cszi_unit_parse(unit, text, length, &value, &error, (csz_field)0) == CSZ_OK) {
        require(value - value <= 0);
        require(cszi_unit_format(unit, value, people, sizeof people) < sizeof people);
    } else {
        require(error.text[0] != '\0' && strlen(error.text) < CSZI_ERROR_CAPACITY);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    double value = 0;

    if (size < 2) {
        return 0;
    }
    check_number(text + 2, size - 2);
    require(cszi_number_parse_scaled(text + 2, size - 2, (int)data[0] - 128,
                                     1 + data[1] * 16777216u, &value) <= size - 2);
    check_unit((csz_unit)(data[1] % 15), text + 2, size - 2);
    return 0;
}
