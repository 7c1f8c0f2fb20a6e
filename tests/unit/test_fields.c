/* test_fields.c: every row of the field tables, through the public interface. */
#include "base/json.h"
#include "loops.h"

/* ---- The table itself ---- */

/* Figures of these kinds are in the unit that their entry names. */
static int has_unit_beside(csz_field field)
{
    return field == CSZ_OPERATION_VALUE || field == CSZ_OPERATION_LOW ||
           field == CSZ_OPERATION_HIGH || field == CSZ_RELIABILITY_VALUE;
}

START_TEST(ids_ascend_and_every_row_is_described)
{
    size_t count = csz_field_count();

    ck_assert_uint_gt(count, 200);
    for (size_t i = 0; i < count; i++) {
        csz_field field = csz_field_at(i);

        ck_assert_msg(i == 0 || field > csz_field_at(i - 1), "row %zu: id %d", i, (int)field);
        ck_assert_ptr_nonnull(csz_field_name(field));
        ck_assert_str_ne(csz_field_name(field), "");
        ck_assert_ptr_nonnull(csz_field_alias(field));
        ck_assert_ptr_nonnull(csz_field_list(field));
        ck_assert_msg(csz_field_text(field) != NULL && csz_field_text(field)[0] != '\0',
                      "%s: no text", csz_field_name(field));
        ck_assert_int_ge(csz_field_type(field), CSZ_TYPE_I64);
        ck_assert_int_le(csz_field_type(field), CSZ_TYPE_RANGE);
        ck_assert_msg((csz_field_unit(field) == CSZ_UNIT_NONE) ==
                          (csz_field_type(field) == CSZ_TYPE_TEXT ||
                           csz_field_type(field) == CSZ_TYPE_CHOICE ||
                           csz_field_type(field) == CSZ_TYPE_BOOL || has_unit_beside(field)),
                      "%s: unit %d", csz_field_name(field), (int)csz_field_unit(field));
    }
    ck_assert_int_eq(csz_field_at(count), CSZ_FIELD_NONE);
    ck_assert_int_eq(csz_field_at((size_t)-1), CSZ_FIELD_NONE);
}
END_TEST

START_TEST(what_is_no_field_is_told)
{
    static const csz_field none[] = {CSZ_FIELD_NONE,  (csz_field)999,  (csz_field)1999,
                                     (csz_field)7999, (csz_field)8999, CSZ_FIELD_MAX_ENUM,
                                     (csz_field)-1};
    double value = 7, other = 7;

    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ck_assert_ptr_null(csz_field_name(none[i]));
        ck_assert_ptr_null(csz_field_alias(none[i]));
        ck_assert_ptr_null(csz_field_list(none[i]));
        ck_assert_ptr_null(csz_field_text(none[i]));
        ck_assert_ptr_null(csz_field_choice(none[i], 0));
        ck_assert_int_eq((int)csz_field_unit(none[i]), 0);
        ck_assert_int_eq((int)csz_field_type(none[i]), 0);
        ck_assert_int_eq(csz_field_bounds(none[i], &value, &other), CSZ_ERR_FIELD);
        ck_assert_int_eq(csz_field_default(none[i], &value), CSZ_ERR_FIELD);
        ck_assert_uint_eq(csz_field_to_json(none[i], before, sizeof before), 0);
    }
    ck_assert(same(value, 7) && same(other, 7));
    ck_assert_int_eq(csz_field_by_name(NULL), CSZ_FIELD_NONE);
    ck_assert_int_eq(csz_field_by_name(""), CSZ_FIELD_NONE);
    ck_assert_int_eq(csz_field_by_name("tensor_parallel "), CSZ_FIELD_NONE);
    ck_assert_int_eq(csz_field_by_name("kinds.layers"), CSZ_FIELD_NONE);
    ck_assert_int_eq(csz_field_by_name("accelerator.nothing"), CSZ_FIELD_NONE);
}
END_TEST

START_TEST(names_are_unique_over_inputs_and_found_again)
{
    static const char *const kinds[] = {"model", "accelerator", "node",      "fabric",
                                        "offer", "curve",       "operation", "reliability"};
    const char *names[1024];
    size_t used = 0;

    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        const char *name = csz_field_name(field), *alias = csz_field_alias(field),
                   *list = csz_field_list(field);
        char full[128];

        if ((int)field / 1000 == CSZ_OBJECT_CATALOG) {
            snprintf(full, sizeof full, "%s.%s", kinds[(int)field / 100 % 10], name);
            ck_assert_int_eq(csz_field_by_name(full), field);
            continue;
        }
        ck_assert_msg(csz_field_by_name(name) == field || !is_input(field), "%s", name);
        if (!is_input(field) && list[0] == '\0')
            ck_assert_msg(strchr(name, '.') != NULL && csz_field_by_name(name) == field, "%s",
                          name);
        if (list[0] != '\0') {
            snprintf(full, sizeof full, "%s.%s", list, name);
            ck_assert_msg(csz_field_by_name(full) == field, "%s", full);
        }
        if (!is_input(field))
            continue;
        names[used++] = name;
        if (alias[0] != '\0') {
            ck_assert_msg(csz_field_by_name(alias) == field, "%s", alias);
            names[used++] = alias;
        }
    }
    for (size_t i = 0; i < used; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(strcmp(names[i], names[j]) != 0, "%s twice", names[i]);
}
END_TEST

START_TEST(defaults_lie_inside_bounds_and_are_what_unset_fields_give)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        const object *o = object_of(field);
        double lowest = 0, highest = 0, initial = 0, value = -1;
        csz_status status = csz_field_default(field, &initial);
        void *handle;

        if (o == NULL || csz_field_type(field) == CSZ_TYPE_TEXT) {
            ck_assert_int_eq(status, CSZ_ERR_UNSET);
            continue;
        }
        ck_assert(status == CSZ_OK || status == CSZ_ERR_UNSET);
        ck_assert_int_eq(csz_field_bounds(field, &lowest, &highest), CSZ_OK);
        ck_assert_msg(lowest < highest, "%s: %g to %g", csz_field_name(field), lowest, highest);
        if (status == CSZ_OK)
            ck_assert_msg(initial >= lowest && initial <= highest, "%s: %g", csz_field_name(field),
                          initial);
        handle = make(o);
        ck_assert_msg(o->get_f64(handle, field, &value) == status, "%s", csz_field_name(field));
        ck_assert_msg(same(value, status == CSZ_OK ? initial : -1), "%s: %g", csz_field_name(field),
                      value);
        ck_assert_int_eq(o->is_set(handle, field), 0);
        ck_assert_int_eq(o->set_f64(handle, field, highest), CSZ_OK);
        ck_assert_int_eq(o->is_set(handle, field), 1);
        ck_assert_int_eq(o->unset(handle, field), CSZ_OK);
        ck_assert_int_eq(o->is_set(handle, field), 0);
        value = -1;
        ck_assert_int_eq(o->get_f64(handle, field, &value), status);
        ck_assert(same(value, status == CSZ_OK ? initial : -1));
        o->drop(handle);
    }
}
END_TEST

/* ---- One field at a time ---- */

static void check_bound(const object *o, csz_field field, double bound)
{
    const char *name = csz_field_name(field);
    void *handle = make(o), *copy = make(o);
    double value = 0;
    int64_t integer = -7;
    int whole = !(bound < ceil(bound)) && fabs(bound) <= EXACT;

    ck_assert_msg(o->set_f64(handle, field, bound) == CSZ_OK, "%s=%g: %s", name, bound,
                  o->error(handle, NULL));
    ck_assert_str_eq(o->error(handle, NULL), "");
    ck_assert_msg(o->get_f64(handle, field, &value) == CSZ_OK && same(value, bound), "%s=%g: %g",
                  name, bound, value);
    ck_assert_msg(o->get_i64(handle, field, &integer) == (whole ? CSZ_OK : CSZ_ERR_TYPE), "%s=%g",
                  name, bound);
    ck_assert_msg(same((double)integer, whole ? bound : -7), "%s=%g: %lld", name, bound,
                  (long long)integer);
    ck_assert_int_eq(o->copy(copy, handle), CSZ_OK);
    ck_assert(o->get_f64(copy, field, &value) == CSZ_OK && same(value, bound));
    if (whole) {
        ck_assert_int_eq(o->unset(handle, field), CSZ_OK);
        ck_assert_int_eq(o->set_i64(handle, field, (int64_t)bound), CSZ_OK);
        ck_assert(o->get_f64(handle, field, &value) == CSZ_OK && same(value, bound));
    }
    o->drop(handle);
    o->drop(copy);
}

static void check_outside(const object *o, csz_field field, double lowest, double highest)
{
    void *handle = make(o);
    int integral = is_integral(field);
    double below = integral ? lowest - 1 : nextafter(lowest, -INFINITY);
    double above = integral ? highest + 1 : nextafter(highest, INFINITY);

    ck_assert_int_eq(o->set_f64(handle, field, lowest), CSZ_OK);
    remember(o, handle);
    ck_refused(o, handle, field, o->set_f64(handle, field, below), CSZ_ERR_RANGE, "just below");
    ck_refused(o, handle, field, o->set_f64(handle, field, above), CSZ_ERR_RANGE, "just above");
    ck_refused(o, handle, field, o->set_f64(handle, field, (double)NAN), CSZ_ERR_RANGE, "NaN");
    ck_refused(o, handle, field, o->set_f64(handle, field, (double)INFINITY), CSZ_ERR_RANGE,
               "infinity");
    ck_refused(o, handle, field, o->set_f64(handle, field, -(double)INFINITY), CSZ_ERR_RANGE,
               "-infinity");
    ck_refused(o, handle, field, o->set_i64(handle, field, (int64_t)EXACT + 1), CSZ_ERR_TYPE,
               "2^53 + 1");
    ck_refused(o, handle, field, o->set_i64(handle, field, INT64_MIN), CSZ_ERR_TYPE, "-2^63");
    if (integral) {
        ck_refused(o, handle, field, o->set_i64(handle, field, (int64_t)lowest - 1), CSZ_ERR_RANGE,
                   "integer below");
        ck_refused(o, handle, field, o->set_i64(handle, field, (int64_t)highest + 1), CSZ_ERR_RANGE,
                   "integer above");
        ck_refused(o, handle, field, o->set_f64(handle, field, lowest + 0.5), CSZ_ERR_TYPE,
                   "a half");
    }
    o->drop(handle);
}

START_TEST(numbers_are_held_at_both_bounds_and_refused_beyond)
{
    size_t checked = 0;

    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        double lowest, highest;

        if (!has_bounds(field, &lowest, &highest))
            continue;
        check_bound(object_of(field), field, lowest);
        check_bound(object_of(field), field, highest);
        check_outside(object_of(field), field, lowest, highest);
        checked++;
    }
    ck_assert_uint_gt(checked, 100);
}
END_TEST

START_TEST(fields_of_other_objects_are_refused)
{
    for (size_t j = 0; j < OBJECTS; j++) {
        const object *o = &objects[j];
        void *handle = make(o);

        remember(o, handle);
        for (size_t i = 0; i <= csz_field_count(); i++) {
            csz_field field = csz_field_at(i), about = CSZ_FIELD_NONE;
            double value = 7;
            int64_t integer = 7;

            if (object_of(field) == o)
                continue;
            ck_assert_int_eq(o->set_f64(handle, field, 1), CSZ_ERR_FIELD);
            ck_assert_str_ne(o->error(handle, &about), "");
            ck_assert_int_eq(about, field);
            ck_assert_int_eq(o->set_i64(handle, field, 1), CSZ_ERR_FIELD);
            ck_assert_int_eq(o->unset(handle, field), CSZ_ERR_FIELD);
            ck_assert_int_eq(o->get_f64(handle, field, &value), CSZ_ERR_FIELD);
            ck_assert_int_eq(o->get_i64(handle, field, &integer), CSZ_ERR_FIELD);
            ck_assert(same(value, 7) && integer == 7);
            ck_assert_int_eq(o->is_set(handle, field), 0);
            ck_assert_uint_eq(o->get_text(handle, field, after, sizeof after), 0);
        }
        ck_unchanged(o, handle, "fields of others");
        o->drop(handle);
    }
}
END_TEST

START_TEST(texts_are_no_numbers)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        const object *o = object_of(field);
        double value;
        void *handle;

        if (o == NULL || csz_field_type(field) != CSZ_TYPE_TEXT)
            continue;
        handle = make(o);
        remember(o, handle);
        ck_refused(o, handle, field, o->set_f64(handle, field, 1), CSZ_ERR_TYPE, "a number");
        ck_refused(o, handle, field, o->set_i64(handle, field, 1), CSZ_ERR_TYPE, "an integer");
        ck_assert_int_eq(o->get_f64(handle, field, &value), CSZ_ERR_TYPE);
        ck_assert_int_eq(csz_field_bounds(field, &value, &value), CSZ_ERR_UNSET);
        o->drop(handle);
    }
}
END_TEST

static void check_choices(const object *o, csz_field field, double lowest, double highest)
{
    const char *name = csz_field_name(field);
    void *handle = make(o);
    char text[256];
    int64_t value;

    for (int64_t choice = (int64_t)lowest; choice <= (int64_t)highest; choice++) {
        const char *called = csz_field_choice(field, choice);

        ck_assert_msg(called != NULL, "%s: no choice %d", name, (int)choice);
        snprintf(text, sizeof text, "%s=%s", name, called);
        ck_assert_msg(o->set(handle, text) == CSZ_OK, "%s: %s", text, o->error(handle, NULL));
        value = -1;
        ck_assert(o->get_i64(handle, field, &value) == CSZ_OK && value == choice);
        ck_assert_int_eq(o->unset(handle, field), CSZ_OK);
        ck_assert_int_eq(o->set_i64(handle, field, choice), CSZ_OK);
        ck_assert_uint_eq(o->get_text(handle, field, text, sizeof text), strlen(called));
        ck_assert_str_eq(text, called);
    }
    remember(o, handle);
    snprintf(text, sizeof text, "%s=nonsense", name);
    ck_refused(o, handle, field, o->set(handle, text), CSZ_ERR_UNKNOWN, text);
    ck_assert_msg(strstr(o->error(handle, NULL), "nonsense") != NULL, "%s", o->error(handle, NULL));
    for (int64_t choice = (int64_t)lowest; choice <= (int64_t)highest; choice++)
        ck_assert_msg(strstr(o->error(handle, NULL), csz_field_choice(field, choice)) != NULL, "%s",
                      o->error(handle, NULL));
    o->drop(handle);
}

START_TEST(choices_are_taken_by_name_and_by_enumerator)
{
    size_t checked = 0;

    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        double lowest, highest;

        if (!has_bounds(field, &lowest, &highest) ||
            (csz_field_type(field) != CSZ_TYPE_CHOICE && csz_field_type(field) != CSZ_TYPE_BOOL))
            continue;
        check_choices(object_of(field), field, lowest, highest);
        checked++;
    }
    ck_assert_uint_gt(checked, 30);
}
END_TEST

/* ---- Rows as JSON ---- */

static void ck_member(const cszi_json *json, cszi_json_value root, const char *key,
                      const char *wanted)
{
    cszi_json_value value;
    int found = 0;

    ck_assert_int_eq(cszi_json_find(json, root, key, &value, &found), CSZ_OK);
    ck_assert_msg(found == (wanted[0] != '\0'), "%s: %.*s", key, (int)json->length, json->text);
    ck_assert_msg(!found || cszi_json_equals(json, value, wanted), "%s: %.*s", key,
                  (int)json->length, json->text);
}

START_TEST(rows_as_json_are_valid_and_say_what_the_functions_say)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        size_t length = csz_field_to_json(field, before, sizeof before);
        cszi_error error;
        cszi_json json;
        cszi_json_value root, value;
        int64_t id;
        double lowest, highest, number;
        int found;

        cszi_error_clear(&error);
        ck_assert_msg(cszi_json_open(&json, before, length, 0, &error, &root) == CSZ_OK, "%s: %s",
                      before, error.text);
        ck_assert(cszi_json_find(&json, root, "id", &value, &found) == CSZ_OK && found);
        ck_assert(cszi_json_i64(&json, value, &id) == CSZ_OK && id == (int64_t)field);
        ck_member(&json, root, "name", csz_field_name(field));
        ck_member(&json, root, "alias", csz_field_alias(field));
        ck_member(&json, root, "list", csz_field_list(field));
        ck_member(&json, root, "text", csz_field_text(field));
        if (!has_bounds(field, &lowest, &highest))
            continue;
        ck_assert(cszi_json_find(&json, root, "lower", &value, &found) == CSZ_OK && found);
        ck_assert(cszi_json_f64(&json, value, &number) == CSZ_OK && same(number, lowest));
        ck_assert(cszi_json_find(&json, root, "upper", &value, &found) == CSZ_OK && found);
        ck_assert(cszi_json_f64(&json, value, &number) == CSZ_OK && same(number, highest));
    }
}
END_TEST

/* ---- NULL ---- */

START_TEST(null_is_an_argument_error_or_nothing)
{
    double value;
    int64_t integer;

    for (size_t j = 0; j < OBJECTS; j++) {
        const object *o = &objects[j];
        csz_field field = csz_field_by_name(j == 0   ? "hidden"
                                            : j == 1 ? "accelerators"
                                            : j == 2 ? "tp"
                                                     : "rows");
        csz_field about = field;
        void *handle = make(o);

        o->drop(NULL);
        ck_assert_int_eq(o->copy(NULL, handle), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->copy(handle, NULL), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->set(NULL, ""), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->set(handle, NULL), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->set_i64(NULL, field, 1), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->set_f64(NULL, field, 1), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->unset(NULL, field), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->get_i64(NULL, field, &integer), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->get_i64(handle, field, NULL), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->get_f64(NULL, field, &value), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->get_f64(handle, field, NULL), CSZ_ERR_ARGUMENT);
        ck_assert_uint_eq(o->get_text(NULL, field, NULL, 0), 0);
        ck_assert_int_eq(o->is_set(NULL, field), 0);
        ck_assert_int_eq(o->load(NULL, CSZ_SOURCE_JSON, "{}", 2), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->load(handle, CSZ_SOURCE_JSON, NULL, 2), CSZ_ERR_ARGUMENT);
        ck_assert_str_eq(o->error(NULL, &about), "");
        ck_assert_int_eq(about, CSZ_FIELD_NONE);
        o->drop(handle);
    }
    csz_context_free(NULL);
    csz_catalog_free(NULL);
    csz_estimate_free(NULL);
    csz_ranking_free(NULL);
    csz_ranking_set_progress(NULL, NULL, NULL);
    ck_assert_int_eq(csz_unit_parse(CSZ_UNIT_BYTE, NULL, &value), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_unit_parse(CSZ_UNIT_BYTE, "1", NULL), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_unit_parse((csz_unit)99, "1", &value), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_estimate_compute(NULL, NULL, NULL, NULL, CSZ_DEPTH_FIT), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_estimate_reserve(NULL, 1), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_ranking_select(NULL, NULL, NULL, NULL), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_ranking_size(NULL, NULL, NULL, NULL), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_ranking_advise(NULL, NULL, NULL, NULL), CSZ_ERR_ARGUMENT);
    ck_assert_uint_eq(csz_ranking_count(NULL), 0);
    ck_assert_int_eq(csz_catalog_load(NULL, "{}", 2), CSZ_ERR_ARGUMENT);
    ck_assert_uint_gt(csz_question_answer(NULL, NULL, 0), 0);
    ck_assert_str_eq(csz_status_name((csz_status)99), "?");
    ck_assert_str_eq(csz_status_name((csz_status)-1), "?");
    ck_assert_str_eq(csz_reason_text((csz_reason)99), "?");
    ck_assert_str_eq(csz_reason_name(CSZ_REASON_KV_HEADS), "kv_heads");
    ck_assert_str_eq(csz_note_text((csz_note)99), "?");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fields");
    TCase *tcase = tcase_create("fields");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, ids_ascend_and_every_row_is_described);
    tcase_add_test(tcase, what_is_no_field_is_told);
    tcase_add_test(tcase, names_are_unique_over_inputs_and_found_again);
    tcase_add_test(tcase, defaults_lie_inside_bounds_and_are_what_unset_fields_give);
    tcase_add_test(tcase, numbers_are_held_at_both_bounds_and_refused_beyond);
    tcase_add_test(tcase, fields_of_other_objects_are_refused);
    tcase_add_test(tcase, texts_are_no_numbers);
    tcase_add_test(tcase, choices_are_taken_by_name_and_by_enumerator);
    tcase_add_test(tcase, rows_as_json_are_valid_and_say_what_the_functions_say);
    tcase_add_test(tcase, null_is_an_argument_error_or_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
