/* test_json.c: reading and writing JSON, text output and error messages. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/number.h"

static cszi_error error;
static cszi_json json;
static cszi_json_value root;

static csz_status open_bytes(const char *text, size_t length, int foreign)
{
    cszi_error_clear(&error);
    return cszi_json_open(&json, text, length, foreign, &error, &root);
}

static csz_status open_text(const char *text)
{
    return open_bytes(text, strlen(text), 0);
}

/* --- Reading --- */

START_TEST(valid_texts_are_accepted)
{
    static const struct {
        const char *text;
        cszi_json_type type;
    } cases[] = {
        {"null", CSZI_JSON_NULL},
        {" true\n", CSZI_JSON_TRUE},
        {"false", CSZI_JSON_FALSE},
        {"0", CSZI_JSON_NUMBER},
        {"-0.0e+00", CSZI_JSON_NUMBER},
        {"-12.5E-3", CSZI_JSON_NUMBER},
        {"\"\"", CSZI_JSON_STRING},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"", CSZI_JSON_STRING},
        {"\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\"", CSZI_JSON_STRING},
        {"\"\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80\"", CSZI_JSON_STRING},
        {"[ ]", CSZI_JSON_ARRAY},
        {"[1,[2,{\"a\":[]}],\"x\"]", CSZI_JSON_ARRAY},
        {"{ }", CSZI_JSON_OBJECT},
        {"\t{ \"a\" : 1 ,\r\n\"\" : { } }", CSZI_JSON_OBJECT},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(open_text(cases[i].text) == CSZ_OK, "%s: %s", cases[i].text, error.text);
        ck_assert_int_eq(cszi_json_type_of(&json, root), cases[i].type);
    }
}
END_TEST

START_TEST(invalid_texts_are_refused_with_reason_line_and_column)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "expected a value but the text ends at line 1, column 1"},
        {" \n ", "expected a value but the text ends at line 2, column 2"},
        {"nul", "expected a value at line 1, column 1"},
        {"nulll", "expected the end of the text at line 1, column 5"},
        {"1 2", "expected the end of the text at line 1, column 3"},
        {"\xef\xbb\xbf{}", "expected a value at line 1, column 1"},
        {"{\"a\":1,}", "expected a key in quotes at line 1, column 8"},
        {"{a:1}", "expected a key in quotes"},
        {"{\"a\" 1}", "expected ':' at line 1, column 6"},
        {"{\"a\":}", "expected a value at line 1, column 6"},
        {"{\"a\":1 \"b\":2}", "expected ',' or '}' at line 1, column 8"},
        {"{\n \"a\": [1,\n2 3]}", "expected ',' or ']' at line 3, column 3"},
        {"[1,]", "expected a value at line 1, column 4"},
        {"[1}", "expected ',' or ']'"},
        {"{\"a\":1]", "expected ',' or '}'"},
        {"]", "expected a value"},
        {"[", "expected a value but the text ends"},
        {"01", "begin with 0"},
        {"-", "expected a digit but the text ends"},
        {"+1", "expected a value"},
        {".5", "expected a value"},
        {"1.", "expected a digit"},
        {"1e", "expected a digit"},
        {"1e+", "expected a digit"},
        {"0x10", "expected the end"},
        {"NaN", "expected a value"},
        {"-Infinity", "expected a digit"},
        {"'a'", "expected a value"},
        {"\"a", "expected a closing quote but the text ends"},
        {"\"a\nb\"", "control character in a string at line 1, column 3"},
        {"\"\\x\"", "invalid escape"},
        {"\"\\", "invalid escape"},
        {"\"\\u12g4\"", "four hexadecimal digits"},
        {"\"\\u123", "four hexadecimal digits"},
        {"\"\\ud83d\"", "unpaired surrogate"},
        {"\"\\ud83d\\u0041\"", "unpaired surrogate"},
        {"\"\\ud83dabcdefgh\"", "unpaired surrogate"},
        {"\"\\ude00\\ud83d\"", "unpaired surrogate"},
        {"\"\x80\"", "invalid UTF-8 in a string at line 1, column 2"},
        {"\"\xc0\xaf\"", "invalid UTF-8"},
        {"\"\xe0\x80\xaf\"", "invalid UTF-8"},
        {"\"\xed\xa0\x80\"", "invalid UTF-8"},
        {"\"\xf0\x80\x80\x80\"", "invalid UTF-8"},
        {"\"\xf4\x90\x80\x80\"", "invalid UTF-8"},
        {"\"\xf8\x88\x80\x80\x80\"", "invalid UTF-8"},
        {"\"\xe2\x82\"", "invalid UTF-8"},
        {"\"\xe2", "invalid UTF-8"},
        {"/* no */ 1", "expected a value"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(open_text(cases[i].text) == CSZ_ERR_SYNTAX, "%s was accepted", cases[i].text);
        ck_assert_msg(strstr(error.text, cases[i].message) != NULL, "%s: %s", cases[i].text,
                      error.text);
        ck_assert_int_eq(error.status, CSZ_ERR_SYNTAX);
    }
    ck_assert_int_eq(open_bytes("1\0", 2, 0), CSZ_ERR_SYNTAX);
    ck_assert_int_eq(open_bytes("\"\0\"", 3, 0), CSZ_ERR_SYNTAX);
    ck_assert_int_eq(open_bytes(NULL, 0, 0), CSZ_ERR_SYNTAX);
}
END_TEST

/* Each length is copied to its own block, so that a sanitizer or valgrind sees a read beyond the
 * end. */
START_TEST(a_document_cut_anywhere_is_refused)
{
    static const char text[] =
        "{\"a\": [1.5e+3, -0, true, false, null, \"x\\n\\u00e9\\ud83d\\ude00\xc3\xa9\"],\n"
        " \"b\": {\"c\": {}, \"d\": []}}";
    size_t full = sizeof text - 1;
    size_t length;

    for (length = 0; length <= full; length++) {
        char *copy = malloc(length + (length == 0));
        csz_status status;

        ck_assert_ptr_nonnull(copy);
        memcpy(copy, text, length);
        status = open_bytes(copy, length, 0);
        free(copy);
        ck_assert_msg(status == (length == full ? CSZ_OK : CSZ_ERR_SYNTAX), "%zu bytes: %d", length,
                      (int)status);
    }
}
END_TEST

static csz_status open_nested(int depth, char opening)
{
    char text[1024];
    int at = 0;
    int i;

    for (i = 0; i < depth; i++) {
        text[at++] = opening;
        if (opening == '{' && i + 1 < depth) {
            memcpy(text + at, "\"k\":", 4);
            at += 4;
        }
    }
    for (i = 0; i < depth; i++) {
        text[at++] = opening == '{' ? '}' : ']';
    }
    return open_bytes(text, (size_t)at, 0);
}

START_TEST(depth_and_length_are_limited)
{
    char *text;

    ck_assert_int_eq(open_nested(CSZI_JSON_DEPTH, '['), CSZ_OK);
    ck_assert_int_eq(open_nested(CSZI_JSON_DEPTH, '{'), CSZ_OK);
    ck_assert_int_eq(open_nested(CSZI_JSON_DEPTH + 1, '['), CSZ_ERR_LIMIT);
    ck_assert_str_eq(error.text, "nested too deeply at line 1, column 65");
    ck_assert_int_eq(open_nested(CSZI_JSON_DEPTH + 1, '{'), CSZ_ERR_LIMIT);

    text = malloc(CSZI_JSON_LENGTH + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', CSZI_JSON_LENGTH + 1);
    text[0] = '7';
    ck_assert_int_eq(open_bytes(text, CSZI_JSON_LENGTH, 0), CSZ_OK);
    ck_assert_int_eq(open_bytes(text, CSZI_JSON_LENGTH + 1, 0), CSZ_ERR_LIMIT);
    free(text);
}
END_TEST

START_TEST(foreign_texts_may_hold_the_words_of_python)
{
    static const char text[] = "[NaN, Infinity, -Infinity, -1]";
    cszi_json_value value;
    size_t cursor = 0;
    double number = 0;
    int64_t whole = 0;

    ck_assert_int_eq(open_bytes(text, strlen(text), 0), CSZ_ERR_SYNTAX);
    ck_assert_int_eq(open_bytes(text, strlen(text), 1), CSZ_OK);
    ck_assert_int_eq(cszi_json_next_element(&json, root, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_f64(&json, value, &number), CSZ_OK);
    ck_assert(isnan(number));
    ck_assert_int_eq(cszi_json_i64(&json, value, &whole), CSZ_ERR_TYPE);
    ck_assert_int_eq(cszi_json_next_element(&json, root, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_f64(&json, value, &number), CSZ_OK);
    ck_assert(isinf(number) && number > 0);
    ck_assert_int_eq(cszi_json_next_element(&json, root, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_f64(&json, value, &number), CSZ_OK);
    ck_assert(isinf(number) && number < 0);
    ck_assert_int_eq(cszi_json_next_element(&json, root, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_i64(&json, value, &whole), CSZ_OK);
    ck_assert_int_eq(whole, -1);
    ck_assert_int_eq(cszi_json_next_element(&json, root, &cursor, &value), 0);
    ck_assert_int_eq(cszi_json_next_element(&json, root, &cursor, &value), 0);
}
END_TEST

START_TEST(members_are_found_and_visited_in_order)
{
    cszi_json_value key;
    cszi_json_value value;
    cszi_json_value inner;
    char names[64] = "";
    size_t cursor = 0;
    int found = -1;
    int64_t number = 0;
    double real = 0;

    ck_assert_int_eq(open_text("{\"a\" : 1, \"b]\\\"}\": {\"c\" :[ 1e3, {} , \"]\" ,12.0]}, "
                               "\"\\u0061b\":2.5 ,\"\":null}"),
                     CSZ_OK);
    while (cszi_json_next_member(&json, root, &cursor, &key, &value)) {
        size_t used = strlen(names);
        cszi_json_string(&json, key, names + used, sizeof names - used);
        strcat(names, ";");
    }
    ck_assert_str_eq(names, "a;b]\"};ab;;");
    ck_assert_int_eq(cszi_json_find(&json, root, "ab", &value, &found), CSZ_OK);
    ck_assert_int_eq(found, 1);
    ck_assert_int_eq(cszi_json_f64(&json, value, &real), CSZ_OK);
    ck_assert(real > 2.4 && real < 2.6);
    ck_assert_int_eq(cszi_json_find(&json, root, "c", &value, &found), CSZ_OK);
    ck_assert_int_eq(found, 0);
    ck_assert_int_eq(cszi_json_find(&json, root, "", &value, &found), CSZ_OK);
    ck_assert_int_eq(found, 1);
    ck_assert_int_eq(cszi_json_type_of(&json, value), CSZI_JSON_NULL);
    ck_assert_int_eq(cszi_json_find(&json, root, "b]\"}", &inner, &found), CSZ_OK);
    ck_assert_int_eq(cszi_json_find(&json, inner, "c", &inner, &found), CSZ_OK);
    cursor = 0;
    ck_assert_int_eq(cszi_json_next_element(&json, inner, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_i64(&json, value, &number), CSZ_OK);
    ck_assert_int_eq(number, 1000);
    ck_assert_int_eq(cszi_json_next_element(&json, inner, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_next_element(&json, inner, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_equals(&json, value, "]"), 1);
    ck_assert_int_eq(cszi_json_next_element(&json, inner, &cursor, &value), 1);
    ck_assert_int_eq(cszi_json_i64(&json, value, &number), CSZ_OK);
    ck_assert_int_eq(number, 12);
    ck_assert_int_eq(cszi_json_next_element(&json, inner, &cursor, &value), 0);
}
END_TEST

/* The one value behind the key "v", wherever it is nested in the first members or elements. */
static cszi_json_value descend(const char *text, int levels)
{
    cszi_json_value value;
    cszi_json_value key;

    ck_assert_msg(open_text(text) == CSZ_OK, "%s", error.text);
    value = root;
    for (; levels > 0; levels--) {
        size_t cursor = 0;
        if (!cszi_json_next_member(&json, value, &cursor, &key, &value)) {
            cszi_json_value last = value;
            while (cszi_json_next_element(&json, value, &cursor, &last)) {
            }
            value = last;
        }
    }
    return value;
}

START_TEST(errors_at_a_value_have_line_column_and_path)
{
    cszi_json_value value;
    double real = -1;
    int64_t whole = -1;
    int found;

    value = descend("{\n  \"a\": {\"b\": [1, 2, [], \"x\"]}}", 3);
    ck_assert_int_eq(cszi_json_f64(&json, value, &real), CSZ_ERR_TYPE);
    ck_assert_str_eq(error.text,
                     "must be a number, not a string at line 2, column 25 (path $.a.b[3])");
    ck_assert(real < 0);

    value = descend("{\"odd key\": [{\"x_1\": 1.5}]}", 3);
    ck_assert_int_eq(cszi_json_i64(&json, value, &whole), CSZ_ERR_TYPE);
    ck_assert_str_eq(error.text,
                     "must be an integer of magnitude up to 2^53 at line 1, column 22 (path $['odd "
                     "key'][0].x_1)");
    value = descend("[9007199254740993]", 1);
    ck_assert_int_eq(cszi_json_i64(&json, value, &whole), CSZ_ERR_TYPE);
    ck_assert_int_eq(whole, -1);

    value = descend("[{\"k\": 1, \"l\": 2,\n\"\\u006b\": 3}]", 1);
    ck_assert_int_eq(cszi_json_find(&json, value, "k", &value, &found), CSZ_ERR_SYNTAX);
    ck_assert_str_eq(error.text, "key occurs twice at line 2, column 1 (path $[0]['\\u006b'])");

    value = descend("[[1]]", 1);
    ck_assert_int_eq(cszi_json_find(&json, value, "k", &value, &found), CSZ_ERR_TYPE);
    ck_assert_str_eq(error.text, "must be an object, not an array at line 1, column 2 (path $[0])");

    ck_assert_int_eq(open_text(" 5"), CSZ_OK);
    ck_assert_int_eq(
        cszi_json_fail(&json, root, CSZ_ERR_RANGE, (csz_field)1002, "%s is %lld", "x", 5LL),
        CSZ_ERR_RANGE);
    ck_assert_str_eq(error.text, "x is 5 at line 1, column 2 (path $)");
    ck_assert_int_eq(error.field, 1002);
    ck_assert_int_eq(error.status, CSZ_ERR_RANGE);
}
END_TEST

START_TEST(strings_are_decoded_with_the_semantics_of_snprintf)
{
    static const char expected[] = "a\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\0z";
    size_t full = sizeof expected - 1;
    size_t capacity;

    ck_assert_int_eq(
        open_text("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC\\uD83D\\uDE00\\u0000z\""), CSZ_OK);
    for (capacity = 0; capacity <= full + 2; capacity++) {
        char text[64];
        size_t kept = capacity == 0 ? 0 : capacity - 1 < full ? capacity - 1 : full;

        memset(text, '#', sizeof text);
        ck_assert_uint_eq(cszi_json_string(&json, root, capacity > 0 ? text : NULL, capacity),
                          full);
        ck_assert_int_eq(memcmp(text, expected, kept), 0);
        ck_assert_int_eq(text[kept], capacity > 0 ? '\0' : '#');
        ck_assert_int_eq(text[capacity > kept + 1 ? capacity : kept + 1], '#');
    }
    ck_assert_int_eq(cszi_json_equals(&json, root, expected),
                     0); /* the text ends at its NUL, the string does not */
    ck_assert_int_eq(open_text("\"caf\\u00e9\""), CSZ_OK);
    ck_assert_int_eq(cszi_json_equals(&json, root, "caf\xc3\xa9"), 1);
    ck_assert_int_eq(cszi_json_equals(&json, root, "caf"), 0);
    ck_assert_int_eq(cszi_json_equals(&json, root, "caf\xc3"), 0);
    ck_assert_int_eq(cszi_json_equals(&json, root, "caf\xc3\xa9s"), 0);
    ck_assert_int_eq(open_text("12"), CSZ_OK);
    ck_assert_int_eq(cszi_json_equals(&json, root, ""), 0);
}
END_TEST

/* --- Writing --- */

static size_t write_sample(char *text, size_t capacity)
{
    cszi_json_out out = cszi_json_begin(text, capacity);

    cszi_json_open_object(&out);
    cszi_json_key(&out, "a\"b");
    cszi_json_put_text(&out, "x\\\n\t\x01\x7f\xc3\xa9\xff\xe2\x82/");
    cszi_json_key(&out, "n");
    cszi_json_open_array(&out);
    cszi_json_put_i64(&out, INT64_MIN);
    cszi_json_put_f64(&out, 0.1);
    cszi_json_put_f64(&out, (double)NAN);
    cszi_json_put_f64(&out, -HUGE_VAL);
    cszi_json_put_bool(&out, 7);
    cszi_json_put_bool(&out, 0);
    cszi_json_put_null(&out);
    cszi_json_open_object(&out);
    cszi_json_close_object(&out);
    cszi_json_open_array(&out);
    cszi_json_close_array(&out);
    cszi_json_close_array(&out);
    cszi_json_key(&out, "");
    cszi_json_put_text(&out, "");
    cszi_json_close_object(&out);
    return cszi_json_end(&out);
}

static size_t write_format(char *text, size_t capacity)
{
    cszi_out out = cszi_out_open(text, capacity);

    cszi_out_format(&out, "%s|%.*s|%lld|%zu|%g|%c|%%|%d|", "text", 3, "abcdef", -5LL,
                    (size_t)1234567890, 0.1, 'c', -7);
    cszi_out_char(&out, '!');
    cszi_out_i64(&out, -42);
    cszi_out_f64(&out, 1e300);
    cszi_out_quoted(&out, "q\x01\xff", 3);
    return cszi_out_close(&out);
}

static void check_every_capacity(size_t (*write)(char *, size_t), const char *expected)
{
    size_t full = strlen(expected);
    size_t capacity;

    ck_assert_uint_eq(write(NULL, 0), full);
    for (capacity = 1; capacity <= full + 2; capacity++) {
        char text[512];
        size_t kept = capacity - 1 < full ? capacity - 1 : full;

        memset(text, '#', sizeof text);
        ck_assert_uint_eq(write(text, capacity), full);
        ck_assert_msg(memcmp(text, expected, kept) == 0 && text[kept] == '\0',
                      "capacity %zu: %.*s, not %s", capacity, (int)capacity, text, expected);
        ck_assert_int_eq(text[capacity], '#');
    }
}

START_TEST(writers_have_the_semantics_of_snprintf_at_every_capacity)
{
    check_every_capacity(
        write_sample,
        "{\"a\\\"b\":\"x\\\\\\n\\t\\u0001\x7f\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd/\","
        "\"n\":[-9223372036854775808,0.1,null,null,true,false,null,{},[]],\"\":\"\"}");
    check_every_capacity(write_format, "text|abc|-5|1234567890|0.1|c|%|-7|!-421e+300'q\\x01\\xff'");
}
END_TEST

START_TEST(what_is_written_is_read_back)
{
    char text[512];
    char name[64];
    size_t length = write_sample(text, sizeof text);
    cszi_json_value value;
    int found = 0;

    ck_assert_msg(open_bytes(text, length, 0) == CSZ_OK, "%s: %s", text, error.text);
    ck_assert_int_eq(cszi_json_find(&json, root, "a\"b", &value, &found), CSZ_OK);
    ck_assert_int_eq(found, 1);
    cszi_json_string(&json, value, name, sizeof name);
    ck_assert_str_eq(name, "x\\\n\t\x01\x7f\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd/");
}
END_TEST

START_TEST(quoted_input_is_cut_at_64_bytes)
{
    char input[80];
    char text[400];
    char expected[400];
    cszi_out out;

    memset(input, 'a', sizeof input);
    out = cszi_out_open(text, sizeof text);
    cszi_out_quoted(&out, input, 64);
    cszi_out_close(&out);
    snprintf(expected, sizeof expected, "'%.64s'", input);
    ck_assert_str_eq(text, expected);

    out = cszi_out_open(text, sizeof text);
    cszi_out_quoted(&out, input, 65);
    cszi_out_close(&out);
    snprintf(expected, sizeof expected, "'%.64s'...", input);
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(errors_are_cut_at_their_capacity_and_may_be_unwanted)
{
    char input[1000];

    memset(input, 'a', sizeof input - 1);
    input[sizeof input - 1] = '\0';
    ck_assert_int_eq(cszi_fail(&error, CSZ_ERR_RANGE, (csz_field)1001, "%s", input), CSZ_ERR_RANGE);
    ck_assert_uint_eq(strlen(error.text), CSZI_ERROR_CAPACITY - 1);
    ck_assert_int_eq(cszi_fail(NULL, CSZ_ERR_TYPE, (csz_field)0, "%s", input), CSZ_ERR_TYPE);
    cszi_error_clear(&error);
    ck_assert_int_eq(error.status, CSZ_OK);
    ck_assert_str_eq(error.text, "");
    cszi_error_clear(NULL);
    ck_assert_int_eq(cszi_json_open(&json, "[", 1, 0, NULL, &root), CSZ_ERR_SYNTAX);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json");
    TCase *tcase = tcase_create("json");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, valid_texts_are_accepted);
    tcase_add_test(tcase, invalid_texts_are_refused_with_reason_line_and_column);
    tcase_add_test(tcase, a_document_cut_anywhere_is_refused);
    tcase_add_test(tcase, depth_and_length_are_limited);
    tcase_add_test(tcase, foreign_texts_may_hold_the_words_of_python);
    tcase_add_test(tcase, members_are_found_and_visited_in_order);
    tcase_add_test(tcase, errors_at_a_value_have_line_column_and_path);
    tcase_add_test(tcase, strings_are_decoded_with_the_semantics_of_snprintf);
    tcase_add_test(tcase, writers_have_the_semantics_of_snprintf_at_every_capacity);
    tcase_add_test(tcase, what_is_written_is_read_back);
    tcase_add_test(tcase, quoted_input_is_cut_at_64_bytes);
    tcase_add_test(tcase, errors_are_cut_at_their_capacity_and_may_be_unwanted);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
