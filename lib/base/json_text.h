/* json_text.h: what the parts of the JSON reader share. */
#ifndef CSZI_BASE_JSON_TEXT_H
#define CSZI_BASE_JSON_TEXT_H

#include "base/json.h"

/* The whole text: well formed, within the limits; else the error is reported. */
csz_status cszi_json_check(const cszi_json *json);

/* The value that starts at or behind an offset of checked text. */
cszi_json_value cszi_json_value_at(const cszi_json *json, size_t at);

/* The value of four hexadecimal digits, or -1. */
int cszi_json_hex4(const char *text, size_t length);

static inline int cszi_json_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline int cszi_json_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
