/* toml.c: the subset of TOML 1.0 (toml.io) in which torchtitan is configured. */
#include <string.h>

#include "launch/scan.h"

static csz_status syntax(const cszi_scan *scan, size_t offset, const char *message)
{
    return cszi_scan_fail(scan, offset, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "%s", message);
}

static char peek(const cszi_scan *scan)
{
    return scan->at < scan->length ? scan->text[scan->at] : '\n';
}

static void skip_blanks(cszi_scan *scan)
{
    while (peek(scan) == ' ' || peek(scan) == '\t' || peek(scan) == '\r')
        scan->at++;
}

static int is_key(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* One part of a dotted key, quoted or not. */
static csz_status key_part(cszi_scan *scan)
{
    char quote = (char)(peek(scan) == '"' || peek(scan) == '\'' ? peek(scan) : 0);
    size_t begin = scan->at + (quote != 0), end;
    scan->at = begin;
    while (quote != 0 ? peek(scan) != quote && peek(scan) != '\n' && peek(scan) != '\\'
                      : is_key(peek(scan)))
        scan->at++;
    end = scan->at;
    if (end == begin || (quote != 0 && peek(scan) != quote))
        return syntax(scan, begin, "a name is expected");
    scan->at += quote != 0;
    skip_blanks(scan);
    return cszi_scan_push(scan, scan->text + begin, end - begin, begin);
}

static csz_status dotted_key(cszi_scan *scan)
{
    csz_status status = key_part(scan);
    while (status == CSZ_OK && peek(scan) == '.') {
        scan->at++;
        skip_blanks(scan);
        status = key_part(scan);
    }
    return status;
}

static csz_status table(cszi_scan *scan)
{
    size_t open = scan->at++;
    csz_status status;
    if (peek(scan) == '[')
        return syntax(scan, open, "arrays of tables are not read");
    scan->path_length = 0;
    skip_blanks(scan);
    status = dotted_key(scan);
    if (status == CSZ_OK && peek(scan) != ']')
        status = syntax(scan, scan->at, "a ] is expected");
    if (status != CSZ_OK)
        return status;
    scan->at++;
    return cszi_scan_end_line(scan);
}

/* Only numbers, dates and the two booleans stand without quotes. */
static csz_status check_bare(const cszi_scan *scan)
{
    static const char *const words[] = {"true", "false", "inf", "nan"};
    char c = peek(scan);
    if ((c >= '0' && c <= '9') || c == '+' || c == '-' || strchr("\"'[", c) != NULL)
        return CSZ_OK;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) <= scan->length - scan->at &&
            memcmp(words[i], scan->text + scan->at, strlen(words[i])) == 0)
            return CSZ_OK;
    return syntax(scan, scan->at,
                  c == '{'    ? "inline tables are not read"
                  : c == '\n' ? "a value is expected"
                              : "a text needs quotes");
}

static csz_status assignment(cszi_scan *scan)
{
    size_t key = scan->at, base = scan->path_length;
    csz_status status = dotted_key(scan);
    if (status == CSZ_OK && peek(scan) != '=')
        status = syntax(scan, scan->at, "a = is expected");
    if (status != CSZ_OK)
        return status;
    scan->at++;
    skip_blanks(scan);
    if (scan->at + 2 < scan->length && strchr("\"'", peek(scan)) != NULL &&
        scan->text[scan->at + 1] == peek(scan) && scan->text[scan->at + 2] == peek(scan))
        return syntax(scan, scan->at, "texts of several lines are not read");
    status = check_bare(scan);
    if (status == CSZ_OK)
        status = cszi_scan_value(scan, key);
    scan->path_length = base;
    scan->path[base] = '\0';
    return status;
}

csz_status cszi_scan_toml(cszi_scan *scan)
{
    csz_status status = CSZ_OK;
    while (status == CSZ_OK && scan->at < scan->length) {
        skip_blanks(scan);
        if (peek(scan) == '\n' || peek(scan) == '#')
            status = cszi_scan_end_line(scan);
        else
            status = peek(scan) == '[' ? table(scan) : assignment(scan);
    }
    return status;
}
