/* test_text_out.c: every function that writes text follows snprintf. */
#include "loops.h"

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

#define WRITE_INPUT(o)                                                                             \
    static size_t write_##o(const void *handle, csz_field field, char *text, size_t capacity)      \
    {                                                                                              \
        return field != CSZ_FIELD_NONE ? csz_##o##_get_text(handle, field, text, capacity)         \
                                       : csz_##o##_to_json(handle, text, capacity);                \
    }
WRITE_INPUT(workload)
WRITE_INPUT(cluster)
WRITE_INPUT(plan)
WRITE_INPUT(goal)

static void check_capacity(const writer *w, const char *full, size_t length, size_t capacity,
                           char *text)
{
    size_t fits = capacity == 0 ? 0 : capacity <= length ? capacity - 1 : length;

    memset(text, 0x5a, capacity + 8);
    ck_assert_msg(w->write(w->handle, w->field, text, capacity) == length, "%s: capacity %zu",
                  w->name, capacity);
    ck_assert_msg(memcmp(text, full, fits) == 0, "%s: capacity %zu", w->name, capacity);
    ck_assert_msg(capacity == 0 || text[fits] == '\0', "%s: capacity %zu: no NUL", w->name,
                  capacity);
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
            capacity = capacity + length / 61 + 20 < length ? capacity + length / 61 : length - 20;
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
    question_set(&q, "model=llama-3-8b tokens=100G", "accelerator=h100-sxm-80gb accelerators=8",
                 "tp=4 stack=megatron");
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

int main(void)
{
    Suite *suite = suite_create("text_out");
    TCase *tcase = tcase_create("text_out");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, text_functions_follow_snprintf_at_every_capacity);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
