/* test_alloc.c: every allocation may fail: the failure is told, changes nothing, leaks nothing, and
 * the same call succeeds afterwards with the same result. And what must not allocate does not. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "question.h"

#define TEXT (1 << 20)

/* ---- An allocator that counts, fails on demand and checks sizes ---- */

typedef struct meter {
    size_t calls;   /* that allocate or resize */
    size_t fail_at; /* number of the first call that fails; 0: none */
    size_t fails;   /* calls from fail_at on that fail */
    size_t failed;
    size_t blocks; /* alive */
    size_t bytes;  /* alive */
    int wrong_size;
} meter;

#define HEAD 32 /* keeps the alignment of malloc */

static size_t size_of(const void *block)
{
    size_t size;

    memcpy(&size, (const char *)block - HEAD, sizeof size);
    return size;
}

static void release(meter *m, void *block, size_t old_size)
{
    if (block == NULL) {
        m->wrong_size |= old_size != 0;
        return;
    }
    m->wrong_size |= size_of(block) != old_size;
    m->blocks--;
    m->bytes -= size_of(block);
    memset(block, 0xdd, size_of(block));
    free((char *)block - HEAD);
}

/* Always moves, so that a pointer kept to the old place is found by a sanitizer. */
static void *meter_fn(void *user, void *old, size_t old_size, size_t new_size)
{
    meter *m = user;
    char *block;

    if (new_size == 0) {
        release(m, old, old_size);
        return NULL;
    }
    m->calls++;
    if (m->fail_at != 0 && m->calls >= m->fail_at && m->calls - m->fail_at < m->fails) {
        m->failed++;
        return NULL;
    }
    block = malloc(HEAD + new_size);
    ck_assert_ptr_nonnull(block);
    memcpy(block, &new_size, sizeof new_size);
    block += HEAD;
    memset(block, 0xcd, new_size);
    m->blocks++;
    m->bytes += new_size;
    if (old != NULL) {
        memcpy(block, old, old_size < new_size ? old_size : new_size);
        release(m, old, old_size);
    }
    return block;
}

/* ---- A whole session, each call of which is repeated when the allocator failed it ---- */

typedef struct session {
    meter m;
    csz_context *context;
    csz_catalog *catalog;
    void *inputs[OBJECTS];
    csz_estimate *estimate;
    csz_ranking *ranking;
    csz_calibration *calibration;
    csz_projection *projection;
} session;

static char before[TEXT], after[TEXT];

static const char overlay[] =
    "{\"accelerators\": [{\"id\": \"mine\", \"memory\": \"96GiB\", \"peak_bf16\": 9e14,"
    " \"memory_bandwidth\": 4e12, \"family\": \"hopper\"},"
    " {\"id\": \"h100-sxm-80gb\", \"power\": 650}],"
    " \"offers\": [{\"id\": \"mine-offer\", \"accelerator\": \"mine\", \"price\": 2}]}";
static const char second_overlay[] =
    "{\"accelerators\": [{\"id\": \"mine\", \"memory\": \"128GiB\"}, {\"id\": \"other\"}],"
    " \"nodes\": [{\"id\": \"my-node\", \"accelerator\": \"mine\", \"accelerators\": 8}]}";

/* Makes a handle, twice if the first time the allocator fails. */
#define MAKE(s, handle, call)                                                                      \
    do {                                                                                           \
        size_t failed = (s)->m.failed;                                                             \
        while ((handle = call) == NULL)                                                            \
            ck_assert_msg((s)->m.failed > failed && (s)->m.failed <= 1,                            \
                          #call ": NULL without a failure");                                       \
    } while (0)

static void ck_out_of_memory(const session *s, size_t failed, csz_status status,
                             const char *message)
{
    ck_assert_msg(status == CSZ_ERR_NO_MEMORY, "%s: %s", csz_status_name(status), message);
    ck_assert_msg(strstr(message, "memory") != NULL, "'%s'", message);
    ck_assert_uint_gt(s->m.failed, failed);
}

static void load_overlay(session *s, const char *text)
{
    size_t failed = s->m.failed, blocks = s->m.blocks, bytes = s->m.bytes;
    csz_status status;

    ck_assert_uint_lt(csz_catalog_to_json(s->catalog, before, TEXT), TEXT);
    status = csz_catalog_load(s->catalog, text, strlen(text));
    if (status == CSZ_OK)
        return;
    ck_out_of_memory(s, failed, status, csz_catalog_error(s->catalog, NULL));
    csz_catalog_to_json(s->catalog, after, TEXT);
    ck_assert_str_eq(before, after);
    ck_assert(s->m.blocks == blocks && s->m.bytes == bytes);
    ck_assert_msg(csz_catalog_load(s->catalog, text, strlen(text)) == CSZ_OK, "%s",
                  csz_catalog_error(s->catalog, NULL));
}

static void compute(session *s, const char *plan)
{
    size_t failed = s->m.failed;
    double value = 7;
    csz_status status;

    ck_assert_msg(csz_plan_set(s->inputs[2], plan) == CSZ_OK, "%s",
                  csz_plan_error(s->inputs[2], NULL));
    status =
        csz_estimate_compute(s->estimate, s->inputs[0], s->inputs[1], s->inputs[2], CSZ_DEPTH_STEP);
    if (status != CSZ_OK) {
        ck_out_of_memory(s, failed, status, csz_estimate_error(s->estimate, NULL));
        ck_assert_int_eq(csz_estimate_get_f64(s->estimate, CSZ_ESTIMATE_MEMORY_TOTAL, &value),
                         CSZ_ERR_UNSET);
        ck_assert_uint_eq(csz_estimate_count(s->estimate, CSZ_ESTIMATE_STAGE_TOTAL), 0);
        status = csz_estimate_compute(s->estimate, s->inputs[0], s->inputs[1], s->inputs[2],
                                      CSZ_DEPTH_STEP);
    }
    ck_assert_msg(status == CSZ_OK, "%s: %s", plan, csz_estimate_error(s->estimate, NULL));
}

static csz_status rank(session *s, int what)
{
    if (what == 0)
        return csz_ranking_select(s->ranking, s->inputs[0], s->inputs[1], s->inputs[3]);
    if (what == 1)
        return csz_ranking_size(s->ranking, s->inputs[0], s->inputs[1], s->inputs[3]);
    if (what == 2)
        return csz_ranking_advise(s->ranking, s->inputs[0], s->inputs[1], s->inputs[2]);
    return csz_ranking_curve(s->ranking, s->inputs[0], s->inputs[1], s->inputs[3]);
}

static void question_of_ranking(session *s, int what)
{
    size_t failed = s->m.failed;
    csz_status status = rank(s, what);

    if (status != CSZ_OK) {
        ck_out_of_memory(s, failed, status, csz_ranking_error(s->ranking, NULL));
        ck_assert_uint_eq(csz_ranking_count(s->ranking), 0);
        ck_assert_ptr_null(csz_ranking_plan_at(s->ranking, 0));
        ck_assert_uint_eq(csz_ranking_reject_count(s->ranking), 0);
        status = rank(s, what);
    }
    ck_assert_msg(status == CSZ_OK, "%d: %s", what, csz_ranking_error(s->ranking, NULL));
    ck_assert_uint_gt(csz_ranking_count(s->ranking), 0);
}

/* The curve of counts read off a ranking, and the longest sequence. */
static void largest(session *s)
{
    size_t failed = s->m.failed;
    double value = 7;
    csz_status status =
        csz_estimate_largest(s->estimate, s->catalog, s->inputs[0], s->inputs[1], s->inputs[2],
                             CSZ_WORKLOAD_SEQUENCE_LENGTH, 0.5, &value);
    if (status != CSZ_OK) {
        ck_out_of_memory(s, failed, status, csz_estimate_error(s->estimate, NULL));
        ck_assert_double_eq(value, 7);
        status = csz_estimate_largest(s->estimate, s->catalog, s->inputs[0], s->inputs[1],
                                      s->inputs[2], CSZ_WORKLOAD_SEQUENCE_LENGTH, 0.5, &value);
    }
    ck_assert_msg(status == CSZ_OK, "%s", csz_estimate_error(s->estimate, NULL));
    ck_assert_int_eq(csz_projection_curve(s->projection, s->ranking, s->inputs[1], s->inputs[3]),
                     CSZ_OK);
}

static void reserve(session *s, size_t stages)
{
    size_t failed = s->m.failed;
    csz_status status = csz_estimate_reserve(s->estimate, stages);

    if (status != CSZ_OK) {
        ck_out_of_memory(s, failed, status, csz_estimate_error(s->estimate, NULL));
        ck_assert_int_eq(csz_estimate_reserve(s->estimate, stages), CSZ_OK);
    }
}

static void open_session(session *s)
{
    MAKE(s, s->context, csz_context_new(meter_fn, &s->m));
    MAKE(s, s->catalog, csz_catalog_new(s->context));
    for (size_t i = 0; i < OBJECTS; i++)
        MAKE(s, s->inputs[i], objects[i].make(s->context));
    MAKE(s, s->estimate, csz_estimate_new(s->context));
    MAKE(s, s->ranking, csz_ranking_new(s->context));
    MAKE(s, s->calibration, csz_calibration_new(s->context));
    MAKE(s, s->projection, csz_projection_new(s->context));
    csz_context_free(s->context); /* the handles have copied the allocator */
}

static void close_session(session *s)
{
    csz_catalog_free(s->catalog);
    for (size_t i = 0; i < OBJECTS; i++)
        objects[i].drop(s->inputs[i]);
    csz_estimate_free(s->estimate);
    csz_ranking_free(s->ranking);
    csz_calibration_free(s->calibration);
    csz_projection_free(s->projection);
}

static void add_run(session *s, double seconds)
{
    size_t failed = s->m.failed,
           runs = csz_calibration_count(s->calibration, CSZ_CALIBRATION_RUN_MEASURED);
    csz_status status =
        csz_calibration_add_run(s->calibration, s->inputs[0], s->inputs[2], 16, seconds, 0);

    if (status != CSZ_OK) {
        ck_out_of_memory(s, failed, status, csz_calibration_error(s->calibration, NULL));
        ck_assert_uint_eq(csz_calibration_count(s->calibration, CSZ_CALIBRATION_RUN_MEASURED),
                          runs);
        status =
            csz_calibration_add_run(s->calibration, s->inputs[0], s->inputs[2], 16, seconds, 0);
    }
    ck_assert_int_eq(status, CSZ_OK);
    ck_assert_uint_eq(csz_calibration_count(s->calibration, CSZ_CALIBRATION_RUN_MEASURED),
                      runs + 1);
}

/* More runs than the first room; the fit itself allocates nothing. */
static size_t calibrate(session *s, char *answer, size_t room)
{
    size_t calls;

    for (int i = 0; i < 6; i++)
        add_run(s, 6 + i);
    calls = s->m.calls;
    ck_assert_msg(csz_cluster_calibrate(s->inputs[1], s->calibration) == CSZ_OK, "%s",
                  csz_cluster_error(s->inputs[1], NULL));
    ck_assert_uint_eq(s->m.calls, calls);
    return csz_calibration_to_json(s->calibration, answer, room);
}

/* Out and in again; each is one allocation for the time of the call. */
static size_t launch(session *s, char *answer, size_t room)
{
    size_t failed = s->m.failed, blocks = s->m.blocks, n = 0;
    csz_status status = csz_plan_to_launch(s->inputs[2], s->inputs[0], s->inputs[1], NULL,
                                           CSZ_SOURCE_NEMO, CSZ_LAUNCH_PART_FILE, answer, room, &n);
    if (status != CSZ_OK) {
        ck_out_of_memory(s, failed, status, csz_plan_error(s->inputs[2], NULL));
        ck_assert_uint_eq(n, 0);
        status = csz_plan_to_launch(s->inputs[2], s->inputs[0], s->inputs[1], NULL, CSZ_SOURCE_NEMO,
                                    CSZ_LAUNCH_PART_FILE, answer, room, &n);
    }
    ck_assert_msg(status == CSZ_OK, "%s", csz_plan_error(s->inputs[2], NULL));
    failed = s->m.failed;
    status = csz_plan_load_launch(s->inputs[2], s->inputs[0], s->inputs[1], CSZ_SOURCE_NEMO, answer,
                                  n);
    if (status != CSZ_OK) {
        ck_out_of_memory(s, failed, status, csz_plan_error(s->inputs[2], NULL));
        status = csz_plan_load_launch(s->inputs[2], s->inputs[0], s->inputs[1], CSZ_SOURCE_NEMO,
                                      answer, n);
    }
    ck_assert_msg(status == CSZ_OK, "%s", csz_plan_error(s->inputs[2], NULL));
    ck_assert_uint_eq(s->m.blocks, blocks);
    return n;
}

static void set_inputs(session *s)
{
    ck_assert_int_eq(
        csz_workload_set(s->inputs[0], s->catalog, "model=llama-3-8b tokens=1B global_batch=64"),
        CSZ_OK);
    ck_assert_msg(csz_cluster_set(s->inputs[1], s->catalog,
                                  "accelerator=h100-sxm-80gb accelerators=16") == CSZ_OK,
                  "%s", csz_cluster_error(s->inputs[1], NULL));
    ck_assert_int_eq(csz_goal_set(s->inputs[3], "rows=3 deadline=30d maximum_accelerators=64"),
                     CSZ_OK);
}

/* Everything that allocates. Writes the answers, one after the other. */
static size_t run_session(session *s, char *answers)
{
    size_t n = 0;

    open_session(s);
    load_overlay(s, overlay);
    load_overlay(s, second_overlay);
    set_inputs(s);
    compute(s, "tp=2 pp=2");
    compute(s, "tp=2 pp=8");
    reserve(s, 16);
    n += csz_estimate_to_json(s->estimate, answers + n, TEXT - n);
    for (int what = 0; what < 3; what++) {
        question_of_ranking(s, what);
        n += csz_ranking_to_json(s->ranking, answers + n, TEXT - n);
    }
    question_of_ranking(s, 3);
    largest(s);
    n += csz_estimate_to_json(s->estimate, answers + n, TEXT - n);
    n += csz_catalog_to_json(s->catalog, answers + n, TEXT - n);
    n += calibrate(s, answers + n, TEXT - n);
    n += launch(s, answers + n, TEXT - n);
    ck_assert_uint_lt(n, TEXT);
    close_session(s);
    return n;
}

START_TEST(every_allocation_may_fail_once)
{
    static char wanted[TEXT], got[TEXT];
    session s = {.m = {.fail_at = 0}};
    size_t calls, n = run_session(&s, wanted);

    ck_assert_uint_eq(s.m.blocks, 0);
    ck_assert_int_eq(s.m.wrong_size, 0);
    calls = s.m.calls;
    ck_assert_uint_gt(calls, 20);
    printf("%zu allocations\n", calls);
    for (size_t i = 1; i <= calls; i++) {
        session again = {.m = {.fail_at = i, .fails = 1}};

        ck_assert_uint_eq(run_session(&again, got), n);
        ck_assert_msg(memcmp(wanted, got, n) == 0, "another answer after failure %zu", i);
        ck_assert_msg(again.m.failed == 1, "failure %zu of %zu did not happen", i, calls);
        ck_assert_msg(again.m.blocks == 0 && again.m.bytes == 0, "failure %zu: %zu blocks leaked",
                      i, again.m.blocks);
        ck_assert_msg(!again.m.wrong_size, "failure %zu: a wrong old size", i);
    }
}
END_TEST

/* From some point on there is no memory at all: everything can still be freed. */
START_TEST(memory_may_run_out_for_good)
{
    session s = {.m = {.fail_at = 0}};
    size_t calls;

    run_session(&s, before);
    calls = s.m.calls;
    for (size_t i = 1; i <= calls; i++) {
        session t = {.m = {.fail_at = i, .fails = SIZE_MAX}};
        int all = 1;

        t.context = csz_context_new(meter_fn, &t.m);
        if (t.context == NULL)
            continue;
        t.catalog = csz_catalog_new(t.context);
        all &= t.catalog != NULL;
        for (size_t j = 0; j < OBJECTS; j++) {
            t.inputs[j] = objects[j].make(t.context);
            all &= t.inputs[j] != NULL;
        }
        t.estimate = csz_estimate_new(t.context);
        t.ranking = csz_ranking_new(t.context);
        t.calibration = csz_calibration_new(t.context);
        t.projection = csz_projection_new(t.context);
        all &= t.estimate != NULL && t.ranking != NULL && t.calibration != NULL &&
               t.projection != NULL;
        if (all) {
            (void)csz_catalog_load(t.catalog, overlay, strlen(overlay));
            set_inputs(&t);
            (void)csz_estimate_compute(t.estimate, t.inputs[0], t.inputs[1], t.inputs[2],
                                       CSZ_DEPTH_RUN);
            for (int what = 0; what < 4; what++)
                (void)rank(&t, what);
            (void)csz_calibration_add_run(t.calibration, t.inputs[0], t.inputs[2], 0, 8, 0);
            (void)csz_cluster_calibrate(t.inputs[1], t.calibration);
        }
        close_session(&t);
        csz_context_free(t.context);
        ck_assert_msg(t.m.blocks == 0 && !t.m.wrong_size, "failures from %zu on: %zu blocks leaked",
                      i, t.m.blocks);
    }
}
END_TEST

/* ---- What must not allocate ---- */

START_TEST(inputs_are_one_allocation_and_nothing_done_with_them_allocates)
{
    static const char *const texts[OBJECTS] = {"model=llama-3-8b tokens=1T runs[1].layers=4",
                                               "accelerator=h100-sxm-80gb",
                                               "tp=8 pp=2 stack=megatron", "deadline=14d"};

    for (size_t j = 0; j < OBJECTS; j++) {
        const object *o = &objects[j];
        meter m = {.fail_at = 0};
        csz_context *context = csz_context_new(meter_fn, &m);
        void *handle, *copy;
        size_t n;

        ck_assert_ptr_nonnull(context);
        ck_assert_uint_eq(m.calls, 1);
        handle = o->make(context);
        ck_assert_uint_eq(m.calls, 2);
        copy = o->make(context);
        ck_assert_uint_eq(m.calls, 3);
        m.fail_at = 1;
        m.fails = SIZE_MAX;
        ck_assert_msg(o->set(handle, texts[j]) == CSZ_OK, "%s", o->error(handle, NULL));
        ck_assert_int_ne(o->set(handle, "nonsense=1"), CSZ_OK);
        n = o->to_json(handle, before, TEXT);
        ck_assert_int_eq(o->load(copy, CSZ_SOURCE_JSON, before, n), CSZ_OK);
        ck_assert_int_eq(o->copy(copy, handle), CSZ_OK);
        for (size_t i = 0; i < csz_field_count(); i++) {
            csz_field field = csz_field_at(i);
            double lowest, highest;

            if (csz_field_bounds(field, &lowest, &highest) == CSZ_OK) {
                (void)o->set_f64(copy, field, lowest);
                (void)o->set_i64(copy, field, (int64_t)fmin(highest, 1e15));
                (void)o->get_f64(copy, field, &lowest);
            }
            (void)o->unset(copy, field);
        }
        ck_assert_uint_eq(m.calls, 3);
        o->drop(handle);
        o->drop(copy);
        csz_context_free(context);
        ck_assert_uint_eq(m.blocks, 0);
    }
}
END_TEST

START_TEST(compute_allocates_only_for_more_stages_than_before)
{
    session s = {.m = {.fail_at = 0}};
    size_t calls;

    open_session(&s);
    set_inputs(&s);
    ck_assert_int_eq(csz_estimate_reserve(s.estimate, 16), CSZ_OK);
    calls = s.m.calls;
    compute(&s, "tp=1 pp=16");
    compute(&s, "tp=1 pp=1");
    compute(&s, "tp=2 pp=8");
    for (csz_depth depth = CSZ_DEPTH_MODEL; depth <= CSZ_DEPTH_RUN; depth = (csz_depth)(depth + 1))
        ck_assert_int_eq(
            csz_estimate_compute(s.estimate, s.inputs[0], s.inputs[1], s.inputs[2], depth), CSZ_OK);
    ck_assert_int_eq(csz_estimate_reserve(s.estimate, 4), CSZ_OK);
    (void)csz_estimate_to_json(s.estimate, before, TEXT);
    ck_assert_int_eq(
        csz_projection_compute(s.projection, NULL, s.inputs[0], s.inputs[1], s.inputs[2]), CSZ_OK);
    ck_assert_int_eq(
        csz_projection_network(s.projection, NULL, s.inputs[0], s.inputs[1], s.inputs[2]), CSZ_OK);
    ck_assert_uint_eq(s.m.calls, calls);
    ck_assert_int_eq(csz_estimate_reserve(s.estimate, 1024), CSZ_OK);
    ck_assert_uint_eq(s.m.calls, calls + 1);
    ck_assert_int_eq(csz_estimate_reserve(s.estimate, 1025), CSZ_ERR_LIMIT);
    ck_assert_uint_eq(s.m.calls, calls + 1);
    close_session(&s);
    ck_assert_uint_eq(s.m.blocks, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alloc");
    TCase *tcase = tcase_create("alloc");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, every_allocation_may_fail_once);
    tcase_add_test(tcase, memory_may_run_out_for_good);
    tcase_add_test(tcase, inputs_are_one_allocation_and_nothing_done_with_them_allocates);
    tcase_add_test(tcase, compute_allocates_only_for_more_stages_than_before);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
