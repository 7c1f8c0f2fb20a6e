/* unit.h: values with units in text ("70B", "14d", "80GiB", "400Gb/s", "40%") to base units and
 * back. */
#ifndef CSZI_BASE_UNIT_H
#define CSZI_BASE_UNIT_H

#include "base/error.h"

/* Reads the whole text (surrounding blanks allowed) as a value in the base unit. Fails with
 * CSZ_ERR_SYNTAX and a message that quotes the text and lists the suffixes that the unit takes. A
 * number without suffix is in the base unit. Infinity and NaN are refused (CSZ_ERR_RANGE). field
 * only labels the error. */
csz_status cszi_unit_parse(csz_unit unit, const char *text, size_t length, double *value,
                           cszi_error *error, csz_field field);

/* For people, four significant digits and the largest suffix that keeps the value at or above 1:
 * "74.53 GiB", "13.6 d", "1.2M", "43.5%", "$2.61M". Bytes use binary suffixes, rates of bytes
 * decimal ones. */
size_t cszi_unit_format(csz_unit unit, double value, char *text, size_t capacity);

/* "B", "s", "FLOP/s", ...; "" for counts and ratios. NULL when unit is not of the enumeration. */
const char *cszi_unit_symbol(csz_unit unit);

#endif
