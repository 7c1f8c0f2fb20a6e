/* json_write.c: writing JSON into a cszi_out. */
#include "base/json_write.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

cszi_json_out cszi_json_begin(char *text, size_t capacity)
{
    cszi_json_out json;

    json.out = cszi_out_open(text, capacity);
    json.comma = 0;
    return json;
}

size_t cszi_json_end(cszi_json_out *json)
{
    return cszi_out_close(&json->out);
}

/* Starts a value or a key. */
static void separate(cszi_json_out *json)
{
    if (json->comma) {
        cszi_out_char(&json->out, ',');
    }
    json->comma = 1;
}

/* Writes the escape of a byte that cannot stand in a string as it is. */
static void put_escape(cszi_out *out, unsigned byte)
{
    static const char hex[] = "0123456789abcdef";
    static const char short_of[] = "\b\t\n\f\r\"\\";
    static const char letters[] = "btnfr\"\\";
    const char *found = byte != 0 ? strchr(short_of, (int)byte) : NULL;

    cszi_out_char(out, '\\');
    if (found != NULL) {
        cszi_out_char(out, letters[found - short_of]);
        return;
    }
    cszi_out_text(out, "u00");
    cszi_out_char(out, hex[byte >> 4]);
    cszi_out_char(out, hex[byte & 15]);
}

static int needs_escape(unsigned byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\';
}

static void put_quoted(cszi_out *out, const char *text)
{
    size_t length = strlen(text);
    size_t run = 0; /* start of what can be copied as it is */
    size_t at = 0;

    cszi_out_char(out, '"');
    while (at < length) {
        unsigned byte = (unsigned char)text[at];
        size_t size = cszi_utf8_length(text + at, length - at);

        if (size > 0 && !needs_escape(byte)) {
            at += size;
            continue;
        }
        cszi_out_bytes(out, text + run, at - run);
        if (size == 0) {
            cszi_out_text(out, "\xef\xbf\xbd");
        } else {
            put_escape(out, byte);
        }
        at++;
        run = at;
    }
    cszi_out_bytes(out, text + run, at - run);
    cszi_out_char(out, '"');
}

void cszi_json_key(cszi_json_out *json, const char *key)
{
    separate(json);
    put_quoted(&json->out, key);
    cszi_out_char(&json->out, ':');
    json->comma = 0;
}

void cszi_json_open_object(cszi_json_out *json)
{
    separate(json);
    cszi_out_char(&json->out, '{');
    json->comma = 0;
}

void cszi_json_close_object(cszi_json_out *json)
{
    cszi_out_char(&json->out, '}');
    json->comma = 1;
}

void cszi_json_open_array(cszi_json_out *json)
{
    separate(json);
    cszi_out_char(&json->out, '[');
    json->comma = 0;
}

void cszi_json_close_array(cszi_json_out *json)
{
    cszi_out_char(&json->out, ']');
    json->comma = 1;
}

void cszi_json_put_text(cszi_json_out *json, const char *text)
{
    separate(json);
    put_quoted(&json->out, text);
}

void cszi_json_put_i64(cszi_json_out *json, int64_t value)
{
    separate(json);
    cszi_out_i64(&json->out, value);
}

void cszi_json_put_f64(cszi_json_out *json, double value)
{
    separate(json);
    if (isfinite(value)) {
        cszi_out_f64(&json->out, value);
    } else {
        cszi_out_text(&json->out, "null");
    }
}

void cszi_json_put_bool(cszi_json_out *json, int value)
{
    separate(json);
    cszi_out_text(&json->out, value ? "true" : "false");
}

void cszi_json_put_null(cszi_json_out *json)
{
    separate(json);
    cszi_out_text(&json->out, "null");
}
