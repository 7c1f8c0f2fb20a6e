/* unit.c: values with units in text to base units and back.
 *
 * A suffix is a prefix of the unit's list before one of its tails: "k" + "FLOP/s". Scales are kept
 * as a power of ten, an integer factor and a power of two, so that the product is rounded once:
 * "0.1k" is exactly 100.
 */
#include "base/unit.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

typedef struct prefix {
    const char *text;
    int exponent; /* of ten */
    int doublings;
} prefix;

static const prefix prefixes[] = {
    {"n", -9, 0}, {"u", -6, 0},  {"m", -3, 0},  {"k", 3, 0},   {"K", 3, 0},   {"M", 6, 0},
    {"B", 9, 0},  {"G", 9, 0},   {"T", 12, 0},  {"P", 15, 0},  {"E", 18, 0},  {"Z", 21, 0},
    {"Y", 24, 0}, {"Ki", 0, 10}, {"Mi", 0, 20}, {"Gi", 0, 30}, {"Ti", 0, 40}, {"Pi", 0, 50},
};

typedef struct tail {
    const char *text;
    const char *prefixes; /* which may stand before it, between blanks */
    uint32_t factor;
    int exponent;
} tail;

#define TAILS 10
#define SCALES 10
#define BYTE_PREFIXES " k M G T P Ki Mi Gi Ti Pi "
#define BYTE_SUFFIXES "kB MB GB TB PB KiB MiB GiB TiB PiB"
#define FLOP_PREFIXES " k M G T P E Z Y "

/* One step of the format for people; a tail of NULL ends the list. */
typedef struct scale {
    double size;
    const char *tail;
} scale;

typedef struct unit {
    const char *symbol;
    const char *suffixes;  /* for messages */
    const char *ambiguous; /* what a bare letter could mean; NULL: one thing or nothing */
    const char *lead;      /* written before the number */
    tail tails[TAILS];     /* up to the first NULL; the empty suffix is always allowed */
    scale scales[SCALES];  /* from small to large */
} unit;

static const unit units[] = {
    [CSZ_UNIT_NONE] = {"", "no suffix", NULL, "", {{NULL, NULL, 0, 0}}, {{1, ""}}},
    [CSZ_UNIT_COUNT] = {"",
                        "k K M B G T P",
                        NULL,
                        "",
                        {{"", " k K M B G T P ", 1, 0}},
                        {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "B"}, {1e12, "T"}, {1e15, "P"}}},
    [CSZ_UNIT_BYTE] = {"B",
                       "B " BYTE_SUFFIXES,
                       "GB or GiB",
                       "",
                       {{"B", BYTE_PREFIXES, 1, 0}},
                       {{1, " B"},
                        {1024, " KiB"},
                        {1048576, " MiB"},
                        {1073741824, " GiB"},
                        {1099511627776, " TiB"},
                        {1125899906842624, " PiB"}}},
    [CSZ_UNIT_FLOP] = {"FLOP",
                       "FLOP with k M G T P E Z Y, or such a letter alone",
                       NULL,
                       "",
                       {{"FLOP", FLOP_PREFIXES, 1, 0}, {"", FLOP_PREFIXES, 1, 0}},
                       {{1, " FLOP"},
                        {1e3, " kFLOP"},
                        {1e6, " MFLOP"},
                        {1e9, " GFLOP"},
                        {1e12, " TFLOP"},
                        {1e15, " PFLOP"},
                        {1e18, " EFLOP"},
                        {1e21, " ZFLOP"},
                        {1e24, " YFLOP"}}},
    /* A year is 365.25 days. */
    [CSZ_UNIT_SECOND] = {"s",
                         "ns us ms s min h d w y",
                         NULL,
                         "",
                         {{"s", " n u m ", 1, 0},
                          {"min", "", 60, 0},
                          {"h", "", 3600, 0},
                          {"d", "", 86400, 0},
                          {"w", "", 604800, 0},
                          {"y", "", 31557600, 0}},
                         {{1e-9, " ns"},
                          {1e-6, " us"},
                          {1e-3, " ms"},
                          {1, " s"},
                          {60, " min"},
                          {3600, " h"},
                          {86400, " d"},
                          {31557600, " y"}}},
    /* A bit is 125 thousandths of a byte. */
    [CSZ_UNIT_BYTE_PER_SECOND] = {"B/s",
                                  "B/s and b/s (bits) with k M G T P, B/s also with Ki Mi Gi Ti Pi",
                                  "GB/s or Gb/s",
                                  "",
                                  {{"B/s", BYTE_PREFIXES, 1, 0}, {"b/s", " k M G T P ", 125, -3}},
                                  {{1, " B/s"},
                                   {1e3, " kB/s"},
                                   {1e6, " MB/s"},
                                   {1e9, " GB/s"},
                                   {1e12, " TB/s"},
                                   {1e15, " PB/s"}}},
    [CSZ_UNIT_FLOP_PER_SECOND] = {"FLOP/s",
                                  "FLOP/s or FLOPS with k M G T P E Z Y, or such a letter alone",
                                  NULL,
                                  "",
                                  {{"FLOP/s", FLOP_PREFIXES, 1, 0},
                                   {"FLOPS", FLOP_PREFIXES, 1, 0},
                                   {"", FLOP_PREFIXES, 1, 0}},
                                  {{1, " FLOP/s"},
                                   {1e3, " kFLOP/s"},
                                   {1e6, " MFLOP/s"},
                                   {1e9, " GFLOP/s"},
                                   {1e12, " TFLOP/s"},
                                   {1e15, " PFLOP/s"},
                                   {1e18, " EFLOP/s"},
                                   {1e21, " ZFLOP/s"},
                                   {1e24, " YFLOP/s"}}},
    [CSZ_UNIT_WATT] = {"W",
                       "W kW MW GW, or k M G alone",
                       NULL,
                       "",
                       {{"W", " k M G ", 1, 0}, {"", " k M G ", 1, 0}},
                       {{1, " W"}, {1e3, " kW"}, {1e6, " MW"}, {1e9, " GW"}}},
    [CSZ_UNIT_JOULE] =
        {"J",
         "J kJ MJ GJ TJ Wh kWh MWh GWh",
         NULL,
         "",
         {{"J", " k M G T ", 1, 0}, {"Wh", " k M G ", 3600, 0}},
         {{1, " J"}, {3600, " Wh"}, {3.6e6, " kWh"}, {3.6e9, " MWh"}, {3.6e12, " GWh"}}},
    [CSZ_UNIT_USD] = {"USD",
                      "k M B, each with or without USD",
                      NULL,
                      "$",
                      {{"USD", " k M B ", 1, 0}, {"", " k M B ", 1, 0}},
                      {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "B"}}},
    [CSZ_UNIT_RATIO] = {"", "%", NULL, "", {{"%", "", 1, -2}}, {{0.01, "%"}}},
    [CSZ_UNIT_PER_SECOND] = {"/s",
                             "k M B G, each with or without /s",
                             NULL,
                             "",
                             {{"/s", " k M B G ", 1, 0}, {"", " k M B G ", 1, 0}},
                             {{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "B/s"}}},
    [CSZ_UNIT_USD_PER_HOUR] = {"USD/h",
                               "/h k/h USD/h kUSD/h",
                               NULL,
                               "$",
                               {{"/h", " k ", 1, 0}, {"USD/h", " k ", 1, 0}, {"", " k ", 1, 0}},
                               {{1, "/h"}, {1e3, "k/h"}}},
    [CSZ_UNIT_PER_DAY] = {"/d",
                          "k M, each with or without /d",
                          NULL,
                          "",
                          {{"/d", " k M ", 1, 0}, {"", " k M ", 1, 0}},
                          {{1, "/d"}, {1e3, "k/d"}, {1e6, "M/d"}}},
    [CSZ_UNIT_FLOP_PER_BYTE] = {"FLOP/B",
                                "k M, each with or without FLOP/B",
                                NULL,
                                "",
                                {{"FLOP/B", " k M ", 1, 0}, {"", " k M ", 1, 0}},
                                {{1, " FLOP/B"}, {1e3, " kFLOP/B"}, {1e6, " MFLOP/B"}}},
};

static const unit *find_unit(csz_unit id)
{
    return (unsigned)id < sizeof units / sizeof units[0] ? &units[id] : NULL;
}

/* A slice of text. */
typedef struct slice {
    const char *text;
    size_t length;
} slice;

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static slice trim(slice s)
{
    while (s.length > 0 && is_blank(s.text[0])) {
        s.text++;
        s.length--;
    }
    while (s.length > 0 && is_blank(s.text[s.length - 1])) {
        s.length--;
    }
    return s;
}

static slice behind(slice s, size_t count)
{
    slice rest = {s.text + count, s.length - count};
    return rest;
}

static int equals(slice s, const char *text)
{
    return s.length == strlen(text) && memcmp(s.text, text, s.length) == 0;
}

/* Whether a word stands in a list of words that begins and ends with a blank. */
static int is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    const char *at = strstr(list, word);

    while (at != NULL) {
        if (at > list && at[-1] == ' ' && at[length] == ' ') {
            return 1;
        }
        at = strstr(at + 1, word);
    }
    return 0;
}

static const prefix *find_prefix(slice s, const char *allowed)
{
    static const prefix none = {"", 0, 0};
    size_t i;

    if (s.length == 0) {
        return &none;
    }
    for (i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (equals(s, prefixes[i].text) && is_listed(allowed, prefixes[i].text)) {
            return &prefixes[i];
        }
    }
    return NULL;
}

/* What a suffix multiplies by: factor x 10^exponent x 2^doublings. */
typedef struct scaling {
    uint32_t factor;
    int exponent;
    int doublings;
} scaling;

static int find_scaling(const unit *u, slice suffix, scaling *result)
{
    const scaling none = {1, 0, 0};
    const tail *t;

    *result = none;
    if (suffix.length == 0) {
        return 1;
    }
    for (t = u->tails; t < u->tails + TAILS && t->text != NULL; t++) {
        size_t length = strlen(t->text);
        slice head = {suffix.text, suffix.length - length};
        const prefix *p;

        if (suffix.length < length || memcmp(suffix.text + head.length, t->text, length) != 0) {
            continue;
        }
        p = find_prefix(head, t->prefixes);
        if (p != NULL) {
            result->factor = t->factor;
            result->exponent = t->exponent + p->exponent;
            result->doublings = p->doublings;
            return 1;
        }
    }
    return 0;
}

static csz_status fail_quoted(slice text, const char *why, const char *detail, csz_status status,
                              cszi_error *error, csz_field field)
{
    cszi_out out = cszi_error_open(error, status, field);

    cszi_out_quoted(&out, text.text, text.length);
    cszi_out_format(&out, "%s%s", why, detail);
    cszi_out_close(&out);
    return status;
}

static csz_status fail_suffix(const unit *u, slice text, slice suffix, cszi_error *error,
                              csz_field field)
{
    cszi_out out = cszi_error_open(error, CSZ_ERR_SYNTAX, field);

    cszi_out_quoted(&out, text.text, text.length);
    if (u->ambiguous != NULL && suffix.length == 1 &&
        find_prefix(suffix, " k K M G T P ") != NULL) {
        cszi_out_format(&out, " is ambiguous: write %s;", u->ambiguous);
    } else {
        cszi_out_text(&out, ": unknown suffix ");
        cszi_out_quoted(&out, suffix.text, suffix.length);
        cszi_out_char(&out, ';');
    }
    cszi_out_format(&out, " valid: %s", u->suffixes);
    cszi_out_close(&out);
    return CSZ_ERR_SYNTAX;
}

/* Whether text is a word for infinity or not-a-number, in any case. */
static int is_not_finite(slice s)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    size_t i;

    if (s.length > 0 && (s.text[0] == '-' || s.text[0] == '+')) {
        s = behind(s, 1);
    }
    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t at = 0;

        while (at < s.length && words[i][at] != '\0' && (s.text[at] | 0x20) == words[i][at]) {
            at++;
        }
        if (at == s.length && words[i][at] == '\0') {
            return 1;
        }
    }
    return 0;
}

/* Reads the number, rounded once; used is its length in number, already known to be more than 0. */
static csz_status take_value(csz_unit id, slice text, slice number, scaling by, double *value,
                             cszi_error *error, csz_field field)
{
    double result;

    if (id == CSZ_UNIT_COUNT) {
        int64_t whole;

        if (!cszi_number_parse_integer(number.text, number.length, by.exponent, &whole)) {
            return fail_quoted(text, " is not an integer of magnitude up to 2^53", "",
                               CSZ_ERR_RANGE, error, field);
        }
        *value = (double)whole;
        return CSZ_OK;
    }
    cszi_number_parse_scaled(number.text, number.length, by.exponent, by.factor, &result);
    result *= (double)((uint64_t)1 << by.doublings);
    if (!isfinite(result)) {
        return fail_quoted(text, " is too large", "", CSZ_ERR_RANGE, error, field);
    }
    *value = result;
    return CSZ_OK;
}

csz_status cszi_unit_parse(csz_unit id, const char *text, size_t length, double *value,
                           cszi_error *error, csz_field field)
{
    const unit *u = find_unit(id);
    slice whole = {text, length};
    slice number;
    slice suffix;
    scaling by;
    size_t used;
    double ignored;

    if (u == NULL) {
        return cszi_fail(error, CSZ_ERR_ARGUMENT, field, "no such unit: %d", (int)id);
    }
    whole = trim(whole);
    number = whole;
    if (number.length > 0 && number.text[0] == '$' && u->lead[0] == '$') {
        number = trim(behind(number, 1));
    }
    used = cszi_number_parse(number.text, number.length, &ignored);
    if (used == 0) {
        if (is_not_finite(number)) {
            return fail_quoted(whole, " is not finite", "", CSZ_ERR_RANGE, error, field);
        }
        return fail_quoted(whole, " does not begin with a number; valid suffixes: ", u->suffixes,
                           CSZ_ERR_SYNTAX, error, field);
    }
    suffix = trim(behind(number, used));
    if (!find_scaling(u, suffix, &by)) {
        return fail_suffix(u, whole, suffix, error, field);
    }
    number.length = used;
    return take_value(id, whole, number, by, value, error, field);
}

size_t cszi_unit_format(csz_unit id, double value, char *text, size_t capacity)
{
    cszi_out out = cszi_out_open(text, capacity);
    const unit *u = find_unit(id);
    double magnitude = fabs(value);
    const scale *s;
    char digits[CSZI_NUMBER_CAPACITY];

    if (!isfinite(value)) {
        cszi_out_text(&out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return cszi_out_close(&out);
    }
    if (u == NULL) {
        u = &units[CSZ_UNIT_NONE];
    }
    /* From 0.99995 of the next scale on four digits round to 1 of it. */
    s = u->scales;
    while (s + 1 < u->scales + SCALES && s[1].tail != NULL && magnitude / s[1].size >= 0.99995) {
        s++;
    }
    cszi_number_format_digits(magnitude / s->size, 4, digits);
    if (value < 0) {
        cszi_out_char(&out, '-');
    }
    cszi_out_format(&out, "%s%s%s", u->lead, digits, s->tail);
    return cszi_out_close(&out);
}

const char *cszi_unit_symbol(csz_unit id)
{
    const unit *u = find_unit(id);

    return u != NULL ? u->symbol : NULL;
}
