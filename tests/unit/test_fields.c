/* test_fields.c: every row of the field tables, through the public interface. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "objects.h"
#include "question.h"

#define TEXT 65536
#define EXACT 9007199254740992.0 /* 2^53 */

static char before[TEXT], after[TEXT];

/* ---- Helpers ---- */

static const object *object_of(csz_field field)
{
    for (size_t i = 0; i < OBJECTS; i++)
        if ((int)field / 1000 == (int)objects[i].number)
            return &objects[i];
    return NULL;
}

static int is_input(csz_field field)
{
    return object_of(field) != NULL;
}

static int same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static void remember(const object *o, const void *handle)
{
    ck_assert_uint_lt(o->to_json(handle, before, sizeof before), sizeof before);
}

static void ck_unchanged(const object *o, const void *handle, const char *after_what)
{
    ck_assert_uint_lt(o->to_json(handle, after, sizeof after), sizeof after);
    ck_assert_msg(strcmp(before, after) == 0, "%s changed by %s:\n%s\n%s", o->name, after_what, before, after);
}

/* A refusal that names its field and has changed nothing. */
static void ck_refused(const object *o, void *handle, csz_field field, csz_status got, csz_status wanted,
                       const char *what)
{
    csz_field about = CSZ_FIELD_NONE;
    const char *message = o->error(handle, &about);

    ck_assert_msg(got == wanted, "%s: %s: %s, not %s (%s)", csz_field_name(field), what, csz_status_name(got),
                  csz_status_name(wanted), message);
    ck_assert_msg(strstr(message, csz_field_name(field)) != NULL, "%s: %s: no name in '%s'", csz_field_name(field), what,
                  message);
    ck_assert_int_eq(about, field);
    ck_unchanged(o, handle, what);
}

static void *make(const object *o)
{
    void *handle = o->make(NULL);

    ck_assert_ptr_nonnull(handle);
    return handle;
}

static int has_bounds(csz_field field, double *lowest, double *highest)
{
    return is_input(field) && csz_field_bounds(field, lowest, highest) == CSZ_OK;
}

static int is_integral(csz_field field)
{
    return csz_field_type(field) != CSZ_TYPE_F64;
}

/* ---- The table itself ---- */

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
        ck_assert_msg(csz_field_text(field) != NULL && csz_field_text(field)[0] != '\0', "%s: no text",
                      csz_field_name(field));
        ck_assert_int_ge(csz_field_type(field), CSZ_TYPE_I64);
        ck_assert_int_le(csz_field_type(field), CSZ_TYPE_RANGE);
        ck_assert_msg((csz_field_unit(field) == CSZ_UNIT_NONE) ==
                          (csz_field_type(field) == CSZ_TYPE_TEXT || csz_field_type(field) == CSZ_TYPE_CHOICE ||
                           csz_field_type(field) == CSZ_TYPE_BOOL),
                      "%s: unit %d", csz_field_name(field), (int)csz_field_unit(field));
    }
    ck_assert_int_eq(csz_field_at(count), CSZ_FIELD_NONE);
    ck_assert_int_eq(csz_field_at((size_t)-1), CSZ_FIELD_NONE);
}
END_TEST

START_TEST(what_is_no_field_is_told)
{
    static const csz_field none[] = {CSZ_FIELD_NONE, (csz_field)999, (csz_field)1999, (csz_field)7999,
                                     (csz_field)8001, CSZ_FIELD_MAX_ENUM, (csz_field)-1};
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
    static const char *const kinds[] = {"model", "accelerator", "node", "fabric", "offer"};
    const char *names[1024];
    size_t used = 0;

    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        const char *name = csz_field_name(field), *alias = csz_field_alias(field), *list = csz_field_list(field);
        char full[128];

        if ((int)field / 1000 == CSZ_OBJECT_CATALOG) {
            snprintf(full, sizeof full, "%s.%s", kinds[(int)field / 100 % 10], name);
            ck_assert_int_eq(csz_field_by_name(full), field);
            continue;
        }
        ck_assert_msg(csz_field_by_name(name) == field || !is_input(field), "%s", name);
        if (!is_input(field) && list[0] == '\0')
            ck_assert_msg(strchr(name, '.') != NULL && csz_field_by_name(name) == field, "%s", name);
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
            ck_assert_msg(initial >= lowest && initial <= highest, "%s: %g", csz_field_name(field), initial);
        handle = make(o);
        ck_assert_msg(o->get_f64(handle, field, &value) == status, "%s", csz_field_name(field));
        ck_assert_msg(same(value, status == CSZ_OK ? initial : -1), "%s: %g", csz_field_name(field), value);
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

    ck_assert_msg(o->set_f64(handle, field, bound) == CSZ_OK, "%s=%g: %s", name, bound, o->error(handle, NULL));
    ck_assert_str_eq(o->error(handle, NULL), "");
    ck_assert_msg(o->get_f64(handle, field, &value) == CSZ_OK && same(value, bound), "%s=%g: %g", name, bound, value);
    ck_assert_msg(o->get_i64(handle, field, &integer) == (whole ? CSZ_OK : CSZ_ERR_TYPE), "%s=%g", name, bound);
    ck_assert_msg(same((double)integer, whole ? bound : -7), "%s=%g: %lld", name, bound, (long long)integer);
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
    ck_refused(o, handle, field, o->set_f64(handle, field, (double)INFINITY), CSZ_ERR_RANGE, "infinity");
    ck_refused(o, handle, field, o->set_f64(handle, field, -(double)INFINITY), CSZ_ERR_RANGE, "-infinity");
    ck_refused(o, handle, field, o->set_i64(handle, field, (int64_t)EXACT + 1), CSZ_ERR_TYPE, "2^53 + 1");
    ck_refused(o, handle, field, o->set_i64(handle, field, INT64_MIN), CSZ_ERR_TYPE, "-2^63");
    if (integral) {
        ck_refused(o, handle, field, o->set_i64(handle, field, (int64_t)lowest - 1), CSZ_ERR_RANGE, "integer below");
        ck_refused(o, handle, field, o->set_i64(handle, field, (int64_t)highest + 1), CSZ_ERR_RANGE, "integer above");
        ck_refused(o, handle, field, o->set_f64(handle, field, lowest + 0.5), CSZ_ERR_TYPE, "a half");
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

/* ---- Whole records ---- */

/* Every number at a place between its bounds (0 to 1), exact ones whole. */
static void fill(const object *o, void *handle, double place)
{
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        double lowest, highest, value;

        if (object_of(field) != o || !has_bounds(field, &lowest, &highest))
            continue;
        value = lowest + (highest - lowest) * place;
        value = is_integral(field) ? floor(value) : fmin(value, highest);
        ck_assert_msg(o->set_f64(handle, field, value) == CSZ_OK, "%s=%g: %s", csz_field_name(field), value,
                      o->error(handle, NULL));
    }
}

static void check_reload(const object *o, const void *handle)
{
    void *again = make(o);
    csz_status status;

    remember(o, handle);
    status = o->load(again, CSZ_SOURCE_JSON, before, strlen(before));
    ck_assert_msg(status == CSZ_OK, "%s: %s\n%s", o->name, o->error(again, NULL), before);
    ck_unchanged(o, again, "reload");
    o->drop(again);
}

START_TEST(json_is_read_back_to_the_same_json)
{
    static const double places[] = {0, 1 / 3.0, 0.7123456789, 1};
    static const char *const ids[OBJECTS] = {"model=llama-3-70b tokens=1T", "accelerator=h100-sxm-80gb", "stack=megatron",
                                             "deadline=14d budget=2M"};

    for (size_t j = 0; j < OBJECTS; j++) {
        const object *o = &objects[j];

        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            void *handle = make(o);

            check_reload(o, handle);
            ck_assert_msg(o->set(handle, ids[j]) == CSZ_OK, "%s", o->error(handle, NULL));
            check_reload(o, handle);
            fill(o, handle, places[i]);
            check_reload(o, handle);
            o->drop(handle);
        }
    }
}
END_TEST

START_TEST(goal_limits_and_stack_are_read_back)
{
    csz_goal *goal = csz_goal_new(NULL);

    ck_assert_int_eq(csz_goal_limit(goal, CSZ_PLAN_TENSOR_PARALLEL, 1, 8), CSZ_OK);
    ck_assert_int_eq(csz_goal_limit(goal, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_NONE, CSZ_RECOMPUTE_NONE), CSZ_OK);
    ck_assert_int_eq(csz_goal_stack(goal, "megatron"), CSZ_OK);
    check_reload(&objects[3], goal);
    remember(&objects[3], goal);
    ck_assert_int_ne(csz_goal_limit(goal, CSZ_PLAN_TENSOR_PARALLEL, 8, 1), CSZ_OK);
    ck_assert_str_ne(csz_goal_error(goal, NULL), "");
    ck_assert_int_eq(csz_goal_limit(goal, CSZ_WORKLOAD_HIDDEN, 1, 8), CSZ_ERR_FIELD);
    ck_assert_int_eq(csz_goal_stack(goal, "nonsense"), CSZ_ERR_UNKNOWN);
    ck_unchanged(&objects[3], goal, "refused limits");
    csz_goal_free(goal);
}
END_TEST

START_TEST(list_elements_without_a_set_field_are_read_back)
{
    csz_workload *workload = csz_workload_new(NULL);

    ck_assert_int_eq(csz_workload_set(workload, NULL, "kinds[0].heads=8 kinds[1].ffn=64"), CSZ_OK);
    ck_assert_int_eq(csz_workload_unset(workload, CSZ_WORKLOAD_HEADS), CSZ_OK);
    ck_assert_uint_eq(csz_workload_count(workload, CSZ_WORKLOAD_HEADS), 2);
    check_reload(&objects[0], workload);
    csz_workload_free(workload);
}
END_TEST

/* ---- Text in ---- */

START_TEST(a_text_is_taken_as_a_whole_or_not_at_all)
{
    static const struct {
        size_t object;
        const char *text;
        csz_status status;
        const char *says;
    } cases[] = {
        {0, "hidden=64 vocab=0", CSZ_ERR_RANGE, "vocab"},
        {0, "hidden=64 runs[2].layers=1", CSZ_ERR_RANGE, "layers"},
        {0, "hidden=64 runs[1024].layers=1", CSZ_ERR_LIMIT, "1024"},
        {0, "hidden=64 kinds[1].layers=1", CSZ_ERR_FIELD, "kinds[1].layers"},
        {0, "hidden=64 hidden[1]=1", CSZ_ERR_RANGE, "hidden"},
        {0, "hidden=64 model=nonsense", CSZ_ERR_UNKNOWN, "nonsense"},
        {0, "model=llama-3-8b hidden=0", CSZ_ERR_RANGE, "hidden"},
        {0, "vocab=64 hiden=8 ", CSZ_ERR_FIELD, "the nearest is hidden"},
        {0, "heads=8 kinds[0].heads=16", CSZ_ERR_SYNTAX, "heads is given twice"},
        {0, "hidden=64 hidden_size=64", CSZ_ERR_SYNTAX, "hidden is given twice"},
        {1, "accelerators=8 memory=80", CSZ_ERR_RANGE, "memory"},
        {1, "accelerators=8 memory=80Gi", CSZ_ERR_SYNTAX, "80Gi"},
        {1, "accelerators=8 memry=80GiB", CSZ_ERR_FIELD, "the nearest is memory"},
        {1, "accelerators=8 gpus=8", CSZ_ERR_SYNTAX, "accelerators is given twice"},
        {1, "accelerator=h100-sxm-80gb node=nonsense", CSZ_ERR_UNKNOWN, "nonsense"},
        {2, "tp=8 pp", CSZ_ERR_SYNTAX, "pp"},
        {2, "tp=8 pp=", CSZ_ERR_SYNTAX, "number"},
        {2, "tp=8 tensor_paralel=8", CSZ_ERR_FIELD, "the nearest is tensor_parallel"},
        {2, "tp=8 tensor_parallel=8", CSZ_ERR_SYNTAX, "tensor_parallel is given twice"},
        {2, "tp=8 pp=1.5", CSZ_ERR_RANGE, "1.5"},
        {2, "tp=8 recompute=some", CSZ_ERR_UNKNOWN, "selective"},
        {2, "tp=8 stack=nonsense", CSZ_ERR_UNKNOWN, "megatron"},
        {2, "tp=8 =8", CSZ_ERR_FIELD, "plan"},
        {3, "rows=3 deadline=14x", CSZ_ERR_SYNTAX, "14x"},
        {3, "rows=3 fit_confidence=101%", CSZ_ERR_RANGE, "fit_confidence"},
        {3, "rows=3 deadlin=14d", CSZ_ERR_FIELD, "the nearest is deadline"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const object *o = &objects[cases[i].object];
        void *handle = make(o);
        csz_status status;

        fill(o, handle, 0);
        remember(o, handle);
        status = o->set(handle, cases[i].text);
        ck_assert_msg(status == cases[i].status, "%s: %s: %s", cases[i].text, csz_status_name(status),
                      o->error(handle, NULL));
        ck_assert_msg(strstr(o->error(handle, NULL), cases[i].says) != NULL, "%s: %s", cases[i].text,
                      o->error(handle, NULL));
        ck_unchanged(o, handle, cases[i].text);
        ck_assert_int_eq(o->set(handle, " \t\n "), CSZ_OK);
        ck_assert_str_eq(o->error(handle, NULL), "");
        ck_unchanged(o, handle, "an empty text");
        o->drop(handle);
    }
}
END_TEST

START_TEST(values_take_units_names_and_aliases)
{
    question q;
    double value;
    int64_t integer;

    question_open(&q);
    question_set(&q, "tokens=1.5T seq=8k hidden_size=8192 job=lora epochs=50%", "memory=80GiB memory_bandwidth=3.35TB/s price=$2.5",
                 "tp=8 pp=16 zero=parameters sequence_parallel=no");
    ck_assert_int_eq(csz_workload_get_i64(q.workload, CSZ_WORKLOAD_TOKENS, &integer), CSZ_OK);
    ck_assert_int_eq(integer, 1500000000000);
    ck_assert_int_eq(csz_workload_get_i64(q.workload, CSZ_WORKLOAD_SEQUENCE_LENGTH, &integer), CSZ_OK);
    ck_assert_int_eq(integer, 8000);
    ck_assert_int_eq(csz_workload_get_f64(q.workload, CSZ_WORKLOAD_EPOCHS, &value), CSZ_OK);
    ck_assert(same(value, 0.5));
    ck_assert_int_eq(csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_MEMORY, &value), CSZ_OK);
    ck_assert(same(value, 85899345920.0));
    ck_assert_int_eq(csz_cluster_get_f64(q.cluster, CSZ_CLUSTER_MEMORY_BANDWIDTH, &value), CSZ_OK);
    ck_assert(same(value, 3.35e12));
    ck_assert_int_eq(csz_plan_get_i64(q.plan, CSZ_PLAN_SHARDING, &integer), CSZ_OK);
    ck_assert_int_eq(integer, CSZ_SHARDING_PARAMETERS);
    question_close(&q);
}
END_TEST

/* ---- JSON in ---- */

START_TEST(json_refusals_say_where)
{
    static const struct {
        size_t object;
        const char *text;
        csz_status status;
        const char *says;
    } cases[] = {
        {2, "{\n  \"tensor_parallel\": 2,\n  \"tensor_paralel\": 4\n}", CSZ_ERR_FIELD, "line 3, column 3"},
        {2, "{\n  \"tensor_parallel\": 2,\n  \"tensor_paralel\": 4\n}", CSZ_ERR_FIELD, "nearest is tensor_parallel"},
        {2, "{\"tensor_parallel\": 2,\n \"tensor_parallel\": 2}", CSZ_ERR_SYNTAX, "line 2, column 2"},
        {2, "{\"tensor_parallel\": 2,\n \"tp\": 2}", CSZ_ERR_SYNTAX, "line 2, column 2"},
        {2, "{\"tensor_parallel\":\n 0}", CSZ_ERR_RANGE, "line 2, column 2"},
        {2, "{\"tensor_parallel\": [1]}", CSZ_ERR_TYPE, "tensor_parallel"},
        {2, "{\"tensor_parallel\": null}", CSZ_ERR_TYPE, "tensor_parallel"},
        {2, "{\"tensor_parallel\": 2.5}", CSZ_ERR_TYPE, "tensor_parallel"},
        {2, "{\"recompute\": true}", CSZ_ERR_TYPE, "recompute"},
        {2, "{\"pipeline_parallel\": 2, \"tensor_parallel\": 2", CSZ_ERR_SYNTAX, "line 1, column 46"},
        {2, "[]", CSZ_ERR_TYPE, "line 1, column 1"},
        {2, "{\"plan\": {\"tensor_parallel\": 0}}", CSZ_ERR_RANGE, "$.plan.tensor_parallel"},
        {0, "{\"runs\": [{\"layers\": 4}, {\"layer\": 4}]}", CSZ_ERR_FIELD, "nearest is layers"},
        {0, "{\"runs\": [{\"layers\": 4},\n {\"layers\": 4, \"layers\": 4}]}", CSZ_ERR_SYNTAX, "line 2, column 16"},
        {0, "{\"runs\": [{\"heads\": 4}]}", CSZ_ERR_FIELD, "$.runs[0].heads"},
        {0, "{\"runs\": {\"layers\": 4}}", CSZ_ERR_TYPE, "runs"},
        {0, "{\"runs\": [], \"runs\": []}", CSZ_ERR_SYNTAX, "runs"},
        {0, "{\"layers\": 4, \"runs\": [{\"layers\": 4}]}", CSZ_ERR_SYNTAX, "layers"},
        {0, "{\"kinds\": [{\"heads\": 4}], \"heads\": 4}", CSZ_ERR_SYNTAX, "heads"},
        {0, "{\"model\": 7}", CSZ_ERR_TYPE, "model"},
        {0, "{\"model\": \"nonsense\"}", CSZ_ERR_UNKNOWN, "nonsense"},
        {1, "{\"memory\": \"much\"}", CSZ_ERR_SYNTAX, "line 1, column 12"},
        {3, "{\"limits\": {\"tensor_parallel\": [1, 2, 3]}}", CSZ_ERR_TYPE, "tensor_parallel"},
        {3, "{\"limits\": {\"tensor\": 1}}", CSZ_ERR_FIELD, "$.limits.tensor"},
        {3, "{\"limits\": {\"tp\": 1, \"tensor_parallel\": 2}}", CSZ_ERR_SYNTAX, "tensor_parallel"},
        {3, "{\"limits\": {\"tp\": 1}, \"limits\": {\"pp\": 1}}", CSZ_ERR_SYNTAX, "limits"},
        {3, "{\"limits\": {\"recompute\": \"some\"}}", CSZ_ERR_UNKNOWN, "recompute"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const object *o = &objects[cases[i].object];
        void *handle = make(o);
        csz_status status;

        fill(o, handle, 0);
        remember(o, handle);
        status = o->load(handle, CSZ_SOURCE_JSON, cases[i].text, strlen(cases[i].text));
        ck_assert_msg(status == cases[i].status, "%s: %s: %s", cases[i].text, csz_status_name(status),
                      o->error(handle, NULL));
        ck_assert_msg(strstr(o->error(handle, NULL), cases[i].says) != NULL, "%s: %s", cases[i].text,
                      o->error(handle, NULL));
        ck_unchanged(o, handle, cases[i].text);
        o->drop(handle);
    }
}
END_TEST

START_TEST(a_list_in_json_replaces_and_other_fields_are_kept)
{
    static const char text[] = "{\"runs\": [{\"layers\": 4}, {\"layers\": 2, \"layer_kind\": 1}], \"vocab\": 100}";
    csz_workload *workload = csz_workload_new(NULL);
    double value;

    ck_assert_int_eq(csz_workload_set(workload, NULL, "hidden=64 runs[0].layers=9 runs[1].layers=9 runs[2].layers=9"),
                     CSZ_OK);
    ck_assert_int_eq(csz_workload_load(workload, NULL, CSZ_SOURCE_JSON, text, strlen(text)), CSZ_OK);
    ck_assert_uint_eq(csz_workload_count(workload, CSZ_WORKLOAD_LAYERS), 2);
    ck_assert_int_eq(csz_workload_get_f64_at(workload, CSZ_WORKLOAD_LAYERS, 1, &value), CSZ_OK);
    ck_assert(same(value, 2));
    ck_assert_int_eq(csz_workload_get_f64(workload, CSZ_WORKLOAD_HIDDEN, &value), CSZ_OK);
    ck_assert(same(value, 64));
    csz_workload_free(workload);
}
END_TEST

START_TEST(a_job_file_is_read_section_by_section)
{
    static const char text[] = "{\"ask\": \"fit\", \"workload\": {\"hidden\": 64}, \"cluster\": {\"accelerators\": 8},"
                               " \"plan\": {\"tensor_parallel\": 2}, \"goal\": {\"rows\": 3}}";
    static const char plan_only[] = "{\"plan\": {\"tensor_parallel\": 2}}";

    for (size_t j = 0; j < OBJECTS; j++) {
        const object *o = &objects[j];
        void *handle = make(o);

        ck_assert_msg(o->load(handle, CSZ_SOURCE_JSON, text, strlen(text)) == CSZ_OK, "%s", o->error(handle, NULL));
        remember(o, handle);
        ck_assert_uint_gt(strlen(before), 8);
        o->drop(handle);
        handle = make(o);
        ck_assert_int_eq(o->load(handle, CSZ_SOURCE_JSON, plan_only, strlen(plan_only)), CSZ_OK);
        remember(o, handle);
        ck_assert_int_eq(strcmp(before, "{}") == 0, o->number != CSZ_OBJECT_PLAN);
        ck_assert_int_eq(o->load(handle, (csz_source)9, text, strlen(text)), CSZ_ERR_ARGUMENT);
        ck_assert_int_eq(o->load(handle, CSZ_SOURCE_JSON, NULL, 0), CSZ_ERR_SYNTAX);
        ck_unchanged(o, handle, "unknown source");
        o->drop(handle);
    }
}
END_TEST

/* ---- Lists ---- */

static void check_list(csz_field field, size_t capacity)
{
    const object *o = &objects[0];
    csz_workload *workload = csz_workload_new(NULL);
    double lowest, highest, value;

    ck_assert_int_eq(csz_field_bounds(field, &lowest, &highest), CSZ_OK);
    ck_assert_uint_eq(csz_workload_count(workload, field), 0);
    ck_assert_int_eq(csz_workload_get_f64_at(workload, field, 0, &value), CSZ_ERR_RANGE);
    for (size_t i = 0; i < capacity; i++) {
        ck_assert_uint_eq(csz_workload_count(workload, field), i);
        remember(o, workload);
        if (i + 1 < capacity)
            ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, i + 1, lowest), CSZ_ERR_RANGE,
                       "a gap");
        ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, i, lowest - 1), CSZ_ERR_RANGE,
                   "a bad new element");
        ck_assert_msg(csz_workload_set_f64_at(workload, field, i, lowest + (double)(i % 2)) == CSZ_OK, "%s",
                      csz_workload_error(workload, NULL));
    }
    remember(o, workload);
    ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, capacity, lowest), CSZ_ERR_LIMIT, "one more");
    ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, (size_t)-1, lowest), CSZ_ERR_LIMIT,
               "the last index of all");
    ck_assert_uint_eq(csz_workload_count(workload, field), capacity);
    for (size_t i = 0; i < capacity; i++)
        ck_assert(csz_workload_get_f64_at(workload, field, i, &value) == CSZ_OK && same(value, lowest + (double)(i % 2)));
    ck_assert_int_eq(csz_workload_get_f64_at(workload, field, capacity, &value), CSZ_ERR_RANGE);
    check_reload(o, workload);
    csz_workload_free(workload);
}

START_TEST(lists_grow_by_one_up_to_their_capacity)
{
    check_list(CSZ_WORKLOAD_LAYERS, 1024);
    check_list(CSZ_WORKLOAD_HEADS, 16);
    check_list(CSZ_WORKLOAD_TOKENS, 16);
}
END_TEST

/* One element fewer and as many, and one more, than a list takes, in JSON and in pairs. */
static void check_written_list(const char *list, const char *field, size_t capacity)
{
    static char json[TEXT], pairs[TEXT];

    for (size_t count = capacity; count <= capacity + 1; count++) {
        csz_status wanted = count <= capacity ? CSZ_OK : CSZ_ERR_LIMIT;
        csz_workload *workload = csz_workload_new(NULL);
        size_t n = (size_t)snprintf(json, sizeof json, "{\"%s\": [", list), m = 0;

        for (size_t i = 0; i < count; i++) {
            n += (size_t)snprintf(json + n, sizeof json - n, "%s{\"%s\": 2}", i != 0 ? "," : "", field);
            m += (size_t)snprintf(pairs + m, sizeof pairs - m, "%s[%zu].%s=2 ", list, i, field);
        }
        n += (size_t)snprintf(json + n, sizeof json - n, "]}");
        ck_assert_msg(csz_workload_load(workload, NULL, CSZ_SOURCE_JSON, json, n) == wanted, "%s: %s", list,
                      csz_workload_error(workload, NULL));
        remember(&objects[0], workload);
        ck_assert_int_eq(strcmp(before, "{}") == 0, wanted != CSZ_OK);
        ck_assert_msg(csz_workload_set(workload, NULL, pairs) == wanted, "%s: %s", list,
                      csz_workload_error(workload, NULL));
        ck_unchanged(&objects[0], workload, "the same in pairs");
        csz_workload_free(workload);
    }
}

START_TEST(written_lists_are_held_up_to_their_capacity)
{
    check_written_list("runs", "layers", 1024);
    check_written_list("kinds", "heads", 16);
    check_written_list("phases", "tokens", 16);
}
END_TEST

/* ---- Text out ---- */

typedef struct writer {
    const char *name;
    size_t (*write)(const void *handle, csz_field field, char *text, size_t capacity);
    const void *handle;
    csz_field field;
} writer;

static size_t write_field(const void *handle, csz_field field, char *text, size_t capacity)
{
    (void)handle;
    return csz_field_to_json(field, text, capacity);
}

static size_t write_unit(const void *handle, csz_field field, char *text, size_t capacity)
{
    (void)field;
    return csz_unit_format(CSZ_UNIT_BYTE, *(const double *)handle, text, capacity);
}

static size_t write_answer(const void *handle, csz_field field, char *text, size_t capacity)
{
    (void)field;
    return csz_question_answer(handle, text, capacity);
}

static size_t write_catalog(const void *handle, csz_field field, char *text, size_t capacity)
{
    (void)field;
    return csz_catalog_to_json(handle, text, capacity);
}

static size_t write_entry(const void *handle, csz_field field, char *text, size_t capacity)
{
    return csz_catalog_get_text(handle, 0, field, text, capacity);
}

static size_t write_source(const void *handle, csz_field field, char *text, size_t capacity)
{
    (void)field;
    return csz_catalog_source(handle, CSZ_KIND_ACCELERATOR, 0, text, capacity);
}

static size_t write_estimate(const void *handle, csz_field field, char *text, size_t capacity)
{
    return field != CSZ_FIELD_NONE ? csz_estimate_get_text(handle, field, text, capacity)
                                   : csz_estimate_to_json(handle, text, capacity);
}

static size_t write_ranking(const void *handle, csz_field field, char *text, size_t capacity)
{
    (void)field;
    return csz_ranking_to_json(handle, text, capacity);
}

#define WRITE_INPUT(o)                                                                                                \
    static size_t write_##o(const void *handle, csz_field field, char *text, size_t capacity)                         \
    {                                                                                                                 \
        return field != CSZ_FIELD_NONE ? csz_##o##_get_text(handle, field, text, capacity)                            \
                                       : csz_##o##_to_json(handle, text, capacity);                                   \
    }
WRITE_INPUT(workload)
WRITE_INPUT(cluster)
WRITE_INPUT(plan)
WRITE_INPUT(goal)

static void check_capacity(const writer *w, const char *full, size_t length, size_t capacity, char *text)
{
    size_t fits = capacity == 0 ? 0 : capacity <= length ? capacity - 1 : length;

    memset(text, 0x5a, capacity + 8);
    ck_assert_msg(w->write(w->handle, w->field, text, capacity) == length, "%s: capacity %zu", w->name, capacity);
    ck_assert_msg(memcmp(text, full, fits) == 0, "%s: capacity %zu", w->name, capacity);
    ck_assert_msg(capacity == 0 || text[fits] == '\0', "%s: capacity %zu: no NUL", w->name, capacity);
    for (size_t i = capacity; i < capacity + 8; i++)
        ck_assert_msg(text[i] == 0x5a, "%s: capacity %zu: byte %zu written", w->name, capacity, i);
}

/* Every capacity of short texts; of long ones the first, the last and some between. */
static void check_writer(const writer *w)
{
    size_t length = w->write(w->handle, w->field, NULL, 0);
    char *full = malloc(length + 1), *text = malloc(length + 64);

    ck_assert(full != NULL && text != NULL);
    ck_assert_msg(length > 0, "%s: nothing", w->name);
    ck_assert_uint_eq(w->write(w->handle, w->field, full, length + 1), length);
    ck_assert_uint_eq(strlen(full), length);
    for (size_t capacity = 0; capacity <= length + 8; capacity++) {
        if (capacity > 600 && capacity + 20 < length)
            capacity += length / 61;
        check_capacity(w, full, length, capacity, text);
    }
    free(full);
    free(text);
}

START_TEST(text_functions_follow_snprintf_at_every_capacity)
{
    const double bytes = 85899345920.0;
    question q;
    csz_catalog *catalog = csz_catalog_new(NULL);

    question_open(&q);
    question_set(&q, "model=llama-3-8b tokens=100G", "accelerator=h100-sxm-80gb accelerators=8", "tp=4 stack=megatron");
    ck_assert_int_eq(csz_goal_set(q.goal, "objective=cost rows=2"), CSZ_OK);
    question_compute(&q, CSZ_DEPTH_RUN);
    ck_assert_msg(csz_ranking_select(q.ranking, q.workload, q.cluster, q.goal) == CSZ_OK, "%s",
                  csz_ranking_error(q.ranking, NULL));
    {
        const writer writers[] = {
            {"field_to_json", write_field, NULL, CSZ_WORKLOAD_OPTIMIZER},
            {"unit_format", write_unit, &bytes, CSZ_FIELD_NONE},
            {"question_answer", write_answer, "flops model=llama-3-8b", CSZ_FIELD_NONE},
            {"question_answer, error", write_answer, "flops model=nonsense", CSZ_FIELD_NONE},
            {"catalog_to_json", write_catalog, catalog, CSZ_FIELD_NONE},
            {"catalog_get_text", write_entry, catalog, CSZ_ACCELERATOR_NAME},
            {"catalog_get_text, number", write_entry, NULL, CSZ_ACCELERATOR_MEMORY},
            {"catalog_source", write_source, NULL, CSZ_FIELD_NONE},
            {"workload_to_json", write_workload, q.workload, CSZ_FIELD_NONE},
            {"workload_get_text", write_workload, q.workload, CSZ_WORKLOAD_MODEL},
            {"workload_get_text, number", write_workload, q.workload, CSZ_WORKLOAD_TOKENS},
            {"cluster_to_json", write_cluster, q.cluster, CSZ_FIELD_NONE},
            {"cluster_get_text", write_cluster, q.cluster, CSZ_CLUSTER_ACCELERATOR},
            {"plan_to_json", write_plan, q.plan, CSZ_FIELD_NONE},
            {"plan_get_text", write_plan, q.plan, CSZ_PLAN_RECOMPUTE},
            {"goal_to_json", write_goal, q.goal, CSZ_FIELD_NONE},
            {"goal_get_text", write_goal, q.goal, CSZ_GOAL_OBJECTIVE},
            {"estimate_to_json", write_estimate, q.estimate, CSZ_FIELD_NONE},
            {"estimate_get_text", write_estimate, q.estimate, CSZ_ESTIMATE_MEMORY_FIT},
            {"ranking_to_json", write_ranking, q.ranking, CSZ_FIELD_NONE},
        };

        for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
            check_writer(&writers[i]);
    }
    csz_catalog_free(catalog);
    question_close(&q);
}
END_TEST

static void ck_member(const cszi_json *json, cszi_json_value root, const char *key, const char *wanted)
{
    cszi_json_value value;
    int found = 0;

    ck_assert_int_eq(cszi_json_find(json, root, key, &value, &found), CSZ_OK);
    ck_assert_msg(found == (wanted[0] != '\0'), "%s: %.*s", key, (int)json->length, json->text);
    ck_assert_msg(!found || cszi_json_equals(json, value, wanted), "%s: %.*s", key, (int)json->length, json->text);
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
        ck_assert_msg(cszi_json_open(&json, before, length, 0, &error, &root) == CSZ_OK, "%s: %s", before, error.text);
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
        csz_field field = csz_field_by_name(j == 0 ? "hidden" : j == 1 ? "accelerators" : j == 2 ? "tp" : "rows");
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
    tcase_add_test(tcase, json_is_read_back_to_the_same_json);
    tcase_add_test(tcase, goal_limits_and_stack_are_read_back);
    tcase_add_test(tcase, list_elements_without_a_set_field_are_read_back);
    tcase_add_test(tcase, a_text_is_taken_as_a_whole_or_not_at_all);
    tcase_add_test(tcase, values_take_units_names_and_aliases);
    tcase_add_test(tcase, json_refusals_say_where);
    tcase_add_test(tcase, a_list_in_json_replaces_and_other_fields_are_kept);
    tcase_add_test(tcase, a_job_file_is_read_section_by_section);
    tcase_add_test(tcase, lists_grow_by_one_up_to_their_capacity);
    tcase_add_test(tcase, written_lists_are_held_up_to_their_capacity);
    tcase_add_test(tcase, text_functions_follow_snprintf_at_every_capacity);
    tcase_add_test(tcase, rows_as_json_are_valid_and_say_what_the_functions_say);
    tcase_add_test(tcase, null_is_an_argument_error_or_nothing);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
