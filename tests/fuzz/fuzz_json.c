/* fuzz_json.c: opens the text and visits every value of what is accepted. The first byte chooses
 * the dialect. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

/* An array or object that is being visited. */
typedef struct level {
    cszi_json_value container;
    size_t cursor;
} level;

static void check_string(const cszi_json *json, cszi_json_value string)
{
    char small[8];
    char large[256];
    size_t full = cszi_json_string(json, string, NULL, 0);
    size_t at = 0;

    require(cszi_json_string(json, string, small, sizeof small) == full);
    require(cszi_json_string(json, string, large, sizeof large) == full);
    require(memcmp(small, large, full < 7 ? full : 7) == 0);
    if (full >= sizeof large) {
        return;
    }
    while (at < full) {
        size_t character = cszi_utf8_length(large + at, full - at);
        require(character > 0);
        at += character;
    }
    require(cszi_json_equals(json, string, large) == (strlen(large) == full));
}

static void check_number(const cszi_json *json, cszi_json_value value)
{
    double number = 0;
    int64_t whole = 0;

    require(cszi_json_f64(json, value, &number) == CSZ_OK);
    if (cszi_json_i64(json, value, &whole) == CSZ_OK) {
        require(!(number > (double)whole || number < (double)whole));
    }
}

static void check_member(const cszi_json *json, cszi_json_value object, cszi_json_value key,
                         cszi_json_value value)
{
    char name[64];
    cszi_json_value other;
    int found = 0;

    check_string(json, key);
    if (cszi_json_string(json, key, name, sizeof name) >= sizeof name ||
        !cszi_json_equals(json, key, name)) {
        return;
    }
    if (cszi_json_find(json, object, name, &other, &found) == CSZ_OK) {
        require(found && other.begin == value.begin && other.end == value.end);
    }
}

static void check_scalar(const cszi_json *json, cszi_json_value value)
{
    cszi_json_type type = cszi_json_type_of(json, value);

    require(value.begin < value.end && value.end <= json->length);
    if (type == CSZI_JSON_STRING) {
        check_string(json, value);
    } else if (type == CSZI_JSON_NUMBER) {
        check_number(json, value);
    }
    require(cszi_json_fail(json, value, CSZ_ERR_RANGE, (csz_field)0, "refused") == CSZ_ERR_RANGE);
    require(strstr(json->error->text, "path $") != NULL);
}

static void visit(const cszi_json *json, cszi_json_value root)
{
    level levels[CSZI_JSON_DEPTH + 1];
    int depth = 0;

    check_scalar(json, root);
    levels[0].container = root;
    levels[0].cursor = 0;
    while (depth >= 0) {
        level *top = &levels[depth];
        cszi_json_value key = {0, 0};
        cszi_json_value value = {0, 0};

        if (cszi_json_next_member(json, top->container, &top->cursor, &key, &value)) {
            check_member(json, top->container, key, value);
        } else if (!cszi_json_next_element(json, top->container, &top->cursor, &value)) {
            depth--;
            continue;
        }
        check_scalar(json, value);
        if (cszi_json_type_of(json, value) >= CSZI_JSON_ARRAY) {
            require(depth < CSZI_JSON_DEPTH);
            depth++;
            levels[depth].container = value;
            levels[depth].cursor = 0;
        }
    }
}

/* Any text without NUL must come out as JSON that reads back. */
static void check_writer(const uint8_t *data, size_t size)
{
    char text[64];
    char written[512];
    size_t length = size < sizeof text - 1 ? size : sizeof text - 1;
    cszi_json_out out = cszi_json_begin(written, sizeof written);
    cszi_json json;
    cszi_json_value root;

    memcpy(text, data, length);
    text[length] = '\0';
    cszi_json_put_text(&out, text);
    length = cszi_json_end(&out);
    require(length < sizeof written);
    require(cszi_json_open(&json, written, length, 0, NULL, &root) == CSZ_OK);
    check_string(&json, root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cszi_error error;
    cszi_json json;
    cszi_json_value root;

    if (size == 0 || size > 4096) {
        return 0;
    }
    cszi_error_clear(&error);
    check_writer(data + 1, size - 1);
    if (cszi_json_open(&json, (const char *)data + 1, size - 1, data[0] & 1, &error, &root) ==
        CSZ_OK) {
        visit(&json, root);
    } else {
        require(error.text[0] != '\0' && error.status != CSZ_OK);
    }
    return 0;
}
