/* test_records.c: whole inputs: JSON and text in, all or nothing; lists; what is written is read
 * back. */
#include "loops.h"

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
        ck_assert_msg(o->set_f64(handle, field, value) == CSZ_OK, "%s=%g: %s",
                      csz_field_name(field), value, o->error(handle, NULL));
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
    static const char *const ids[OBJECTS] = {"model=llama-3-70b tokens=1T",
                                             "accelerator=h100-sxm-80gb", "stack=megatron",
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

START_TEST(every_plan_field_can_be_fixed)
{
    csz_goal *goal = csz_goal_new(NULL);
    for (size_t i = 0; i < csz_field_count(); i++) {
        csz_field field = csz_field_at(i);
        if ((int)field / 1000 == CSZ_OBJECT_PLAN && csz_field_type(field) != CSZ_TYPE_TEXT)
            ck_assert_msg(csz_goal_limit(goal, field, 1, 1) == CSZ_OK, "%s",
                          csz_goal_error(goal, NULL));
    }
    csz_goal_free(goal);
}
END_TEST

START_TEST(goal_limits_and_stack_are_read_back)
{
    csz_goal *goal = csz_goal_new(NULL);

    ck_assert_int_eq(csz_goal_limit(goal, CSZ_PLAN_TENSOR_PARALLEL, 1, 8), CSZ_OK);
    ck_assert_int_eq(
        csz_goal_limit(goal, CSZ_PLAN_RECOMPUTE, CSZ_RECOMPUTE_NONE, CSZ_RECOMPUTE_NONE), CSZ_OK);
    ck_assert_int_eq(csz_goal_stack(goal, "megatron"), CSZ_OK);
    check_reload(&objects[3], goal);
    remember(&objects[3], goal);
    ck_assert_int_ne(csz_goal_limit(goal, CSZ_PLAN_TENSOR_PARALLEL, 8, 1), CSZ_OK);
    ck_assert_str_ne(csz_goal_error(goal, NULL), "");
    ck_assert_int_eq(csz_goal_limit(goal, CSZ_WORKLOAD_HIDDEN, 1, 8), CSZ_ERR_FIELD);
    ck_assert_int_eq(csz_goal_limit(goal, CSZ_PLAN_MICRO_BATCH, 1.5, 8), CSZ_ERR_TYPE);
    ck_assert_int_eq(csz_goal_limit(goal, CSZ_PLAN_OFFLOAD_OPTIMIZER, NAN, 1), CSZ_ERR_RANGE);
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
        ck_assert_msg(status == cases[i].status, "%s: %s: %s", cases[i].text,
                      csz_status_name(status), o->error(handle, NULL));
        ck_assert_msg(strstr(o->error(handle, NULL), cases[i].says) != NULL, "%s: %s",
                      cases[i].text, o->error(handle, NULL));
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
    question_set(&q, "tokens=1.5T seq=8k hidden_size=8192 job=lora epochs=50%",
                 "memory=80GiB memory_bandwidth=3.35TB/s price=$2.5",
                 "tp=8 pp=16 zero=parameters sequence_parallel=no");
    ck_assert_int_eq(csz_workload_get_i64(q.workload, CSZ_WORKLOAD_TOKENS, &integer), CSZ_OK);
    ck_assert_int_eq(integer, 1500000000000);
    ck_assert_int_eq(csz_workload_get_i64(q.workload, CSZ_WORKLOAD_SEQUENCE_LENGTH, &integer),
                     CSZ_OK);
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
        {2, "{\n  \"tensor_parallel\": 2,\n  \"tensor_paralel\": 4\n}", CSZ_ERR_FIELD,
         "line 3, column 3"},
        {2, "{\n  \"tensor_parallel\": 2,\n  \"tensor_paralel\": 4\n}", CSZ_ERR_FIELD,
         "nearest is tensor_parallel"},
        {2, "{\"tensor_parallel\": 2,\n \"tensor_parallel\": 2}", CSZ_ERR_SYNTAX,
         "line 2, column 2"},
        {2, "{\"tensor_parallel\": 2,\n \"tp\": 2}", CSZ_ERR_SYNTAX, "line 2, column 2"},
        {2, "{\"tensor_parallel\":\n 0}", CSZ_ERR_RANGE, "line 2, column 2"},
        {2, "{\"tensor_parallel\": [1]}", CSZ_ERR_TYPE, "tensor_parallel"},
        {2, "{\"tensor_parallel\": {}}", CSZ_ERR_TYPE, "tensor_parallel"},
        {2, "{\"tensor_parallel\": 2.5}", CSZ_ERR_TYPE, "tensor_parallel"},
        {2, "{\"recompute\": true}", CSZ_ERR_TYPE, "recompute"},
        {2, "{\"pipeline_parallel\": 2, \"tensor_parallel\": 2", CSZ_ERR_SYNTAX,
         "line 1, column 46"},
        {2, "[]", CSZ_ERR_TYPE, "line 1, column 1"},
        {2, "{\"plan\": {\"tensor_parallel\": 0}}", CSZ_ERR_RANGE, "$.plan.tensor_parallel"},
        {0, "{\"runs\": [{\"layers\": 4}, {\"layer\": 4}]}", CSZ_ERR_FIELD, "nearest is layers"},
        {0, "{\"runs\": [{\"layers\": 4},\n {\"layers\": 4, \"layers\": 4}]}", CSZ_ERR_SYNTAX,
         "line 2, column 16"},
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
        ck_assert_msg(status == cases[i].status, "%s: %s: %s", cases[i].text,
                      csz_status_name(status), o->error(handle, NULL));
        ck_assert_msg(strstr(o->error(handle, NULL), cases[i].says) != NULL, "%s: %s",
                      cases[i].text, o->error(handle, NULL));
        ck_unchanged(o, handle, cases[i].text);
        o->drop(handle);
    }
}
END_TEST

START_TEST(a_list_in_json_replaces_and_other_fields_are_kept)
{
    static const char text[] =
        "{\"runs\": [{\"layers\": 4}, {\"layers\": 2, \"layer_kind\": 1}], \"vocab\": 100}";
    csz_workload *workload = csz_workload_new(NULL);
    double value;

    ck_assert_int_eq(
        csz_workload_set(workload, NULL,
                         "hidden=64 runs[0].layers=9 runs[1].layers=9 runs[2].layers=9"),
        CSZ_OK);
    ck_assert_int_eq(csz_workload_load(workload, NULL, CSZ_SOURCE_JSON, text, strlen(text)),
                     CSZ_OK);
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
    static const char text[] =
        "{\"ask\": \"fit\", \"workload\": {\"hidden\": 64}, \"cluster\": {\"accelerators\": 8},"
        " \"plan\": {\"tensor_parallel\": 2}, \"goal\": {\"rows\": 3}}";
    static const char plan_only[] = "{\"plan\": {\"tensor_parallel\": 2}}";

    for (size_t j = 0; j < OBJECTS; j++) {
        const object *o = &objects[j];
        void *handle = make(o);

        ck_assert_msg(o->load(handle, CSZ_SOURCE_JSON, text, strlen(text)) == CSZ_OK, "%s",
                      o->error(handle, NULL));
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
            ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, i + 1, lowest),
                       CSZ_ERR_RANGE, "a gap");
        ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, i, lowest - 1),
                   CSZ_ERR_RANGE, "a bad new element");
        ck_assert_msg(csz_workload_set_f64_at(workload, field, i, lowest + (double)(i % 2)) ==
                          CSZ_OK,
                      "%s", csz_workload_error(workload, NULL));
    }
    remember(o, workload);
    ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, capacity, lowest),
               CSZ_ERR_LIMIT, "one more");
    ck_refused(o, workload, field, csz_workload_set_f64_at(workload, field, (size_t)-1, lowest),
               CSZ_ERR_LIMIT, "the last index of all");
    ck_assert_uint_eq(csz_workload_count(workload, field), capacity);
    for (size_t i = 0; i < capacity; i++)
        ck_assert(csz_workload_get_f64_at(workload, field, i, &value) == CSZ_OK &&
                  same(value, lowest + (double)(i % 2)));
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
            n += (size_t)snprintf(json + n, sizeof json - n, "%s{\"%s\": 2}", i != 0 ? "," : "",
                                  field);
            m += (size_t)snprintf(pairs + m, sizeof pairs - m, "%s[%zu].%s=2 ", list, i, field);
        }
        n += (size_t)snprintf(json + n, sizeof json - n, "]}");
        ck_assert_msg(csz_workload_load(workload, NULL, CSZ_SOURCE_JSON, json, n) == wanted,
                      "%s: %s", list, csz_workload_error(workload, NULL));
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

int main(void)
{
    Suite *suite = suite_create("records");
    TCase *tcase = tcase_create("records");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, json_is_read_back_to_the_same_json);
    tcase_add_test(tcase, goal_limits_and_stack_are_read_back);
    tcase_add_test(tcase, every_plan_field_can_be_fixed);
    tcase_add_test(tcase, list_elements_without_a_set_field_are_read_back);
    tcase_add_test(tcase, a_text_is_taken_as_a_whole_or_not_at_all);
    tcase_add_test(tcase, values_take_units_names_and_aliases);
    tcase_add_test(tcase, json_refusals_say_where);
    tcase_add_test(tcase, a_list_in_json_replaces_and_other_fields_are_kept);
    tcase_add_test(tcase, a_job_file_is_read_section_by_section);
    tcase_add_test(tcase, lists_grow_by_one_up_to_their_capacity);
    tcase_add_test(tcase, written_lists_are_held_up_to_their_capacity);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
