/* test_hostile.c: malformed, cut, huge and random texts. Nothing crashes, what is refused is told
 * in printable ASCII and changes nothing. Sanitizers and valgrind watch these runs. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "objects.h"
#include "question.h"

#define TEXT (1 << 20)
#define SEED 20240229u
#define MILLION 1000000

static char before[TEXT], after[TEXT];

static const char some_workload[] =
    "{\"model\": \"llama-3-8b\", \"hidden\": 4096, \"runs\": [{\"layers\": 2}, {\"layers\": 30, "
    "\"layer_kind\": 1}], \"kinds\":"
    " [{\"heads\": 32, \"ffn\": 14336}, {\"heads\": 32, \"attention\": \"grouped\"}], \"phases\": "
    "[{\"tokens\": \"1T\"}],"
    " \"job\": \"lora\", \"epochs\": 1.5}";
static const char some_cluster[] = "{\"accelerator\": \"h100-sxm-80gb\", \"accelerators\": 16, "
                                   "\"memory\": \"80GiB\", \"price\": 2.5, \"power\": 7e2}";
static const char some_plan[] = "{\"tensor_parallel\": 8, \"sharding\": \"optimizer\", "
                                "\"sequence_parallel\": true, \"stack\": \"megatron\"}";
static const char some_goal[] = "{\"deadline\": \"14d\", \"objective\": \"cost\", \"limits\": "
                                "{\"tensor_parallel\": [1, 8], \"recompute\": \"none\"},"
                                " \"fit_confidence\": 0.5}";
static const char *const documents[OBJECTS] = {some_workload, some_cluster, some_plan, some_goal};

static const char config[] =
    "{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", \"hidden_size\": 4096, "
    "\"vocab_size\": 128256,"
    " \"num_hidden_layers\": 32, \"num_attention_heads\": 32, \"num_key_value_heads\": 8, "
    "\"intermediate_size\": 14336,"
    " \"tie_word_embeddings\": false, \"max_position_embeddings\": 8192, \"rope_scaling\": null}";

static const char overlay[] =
    "{\"accelerators\": [{\"id\": \"mine\", \"memory\": \"96GiB\", \"peak_bf16\": 9e14}],"
    " \"models\": [{\"id\": \"h\", \"architecture\": \"hidden=64\"}], \"offers\": []}";

/* ---- A random stream that is the same everywhere ---- */

static uint32_t state = SEED;

static uint32_t next(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % bound;
}

static int rounds(int full)
{
    return getenv("CSZ_QUICK") != NULL ? full / 20 : full;
}

/* ---- What holds after every call ---- */

static void ck_message(const char *message, csz_status status, const char *text)
{
    size_t n = strlen(message);

    ck_assert_msg((status == CSZ_OK) == (n == 0), "%s: '%s' for %.100s", csz_status_name(status),
                  message, text);
    ck_assert_uint_lt(n, 320);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(message[i] >= 0x20 && message[i] < 0x7f, "byte %d in '%s'", message[i],
                      message);
}

/* Loads into a handle of known content; after a refusal the content is the same. Returns the
 * status. */
static csz_status try_load(const object *o, void *handle, csz_source source, const char *text,
                           size_t length)
{
    csz_status status;
    char *exact = malloc(length > 0 ? length : 1); /* so that a read beyond the end is seen */

    ck_assert_ptr_nonnull(exact);
    memcpy(exact, text, length);
    ck_assert_uint_lt(o->to_json(handle, before, TEXT), TEXT);
    status = o->load(handle, source, exact, length);
    ck_message(o->error(handle, NULL), status, text);
    if (status != CSZ_OK) {
        o->to_json(handle, after, TEXT);
        ck_assert_msg(strcmp(before, after) == 0, "%s changed by %.200s:\n%s\n%s", o->name, text,
                      before, after);
    }
    free(exact);
    return status;
}

static csz_status try_overlay(csz_catalog *catalog, const char *text, size_t length)
{
    size_t counts[8];
    csz_status status;

    for (int kind = 0; kind < 8; kind++)
        counts[kind] = csz_catalog_count(catalog, (csz_kind)kind);
    status = csz_catalog_load(catalog, text, length);
    ck_message(csz_catalog_error(catalog, NULL), status, text);
    for (int kind = 0; status != CSZ_OK && kind < 8; kind++)
        ck_assert_uint_eq(csz_catalog_count(catalog, (csz_kind)kind), counts[kind]);
    return status;
}

/* An answer is always one JSON object; returns whether it is an error. */
static int try_question(const char *text)
{
    size_t length = csz_question_answer(text, after, TEXT);
    cszi_error error;
    cszi_json json;
    cszi_json_value root, value;
    int found = 0;

    cszi_error_clear(&error);
    ck_assert_uint_lt(length, TEXT);
    ck_assert_uint_eq(strlen(after), length);
    ck_assert_msg(cszi_json_open(&json, after, length, 0, &error, &root) == CSZ_OK,
                  "%.200s: %s\n%s", text, error.text, after);
    ck_assert_int_eq(cszi_json_find(&json, root, "error", &value, &found), CSZ_OK);
    return found;
}

/* Every load function on one text, into fresh handles that hold something. */
static void try_everywhere(const char *text, size_t length)
{
    csz_catalog *catalog = csz_catalog_new(NULL);

    for (size_t j = 0; j < OBJECTS; j++) {
        void *handle = objects[j].make(NULL);

        ck_assert_int_eq(
            objects[j].load(handle, CSZ_SOURCE_JSON, documents[j], strlen(documents[j])), CSZ_OK);
        (void)try_load(&objects[j], handle, CSZ_SOURCE_JSON, text, length);
        if (j == 0)
            (void)try_load(&objects[j], handle, CSZ_SOURCE_HUGGING_FACE, text, length);
        if (memchr(text, '\0', length) == NULL) {
            csz_status status = objects[j].set(handle, text);

            ck_message(objects[j].error(handle, NULL), status, text);
        }
        objects[j].drop(handle);
    }
    (void)try_overlay(catalog, text, length);
    csz_catalog_free(catalog);
    (void)try_question(text);
}

/* ---- Tests ---- */

START_TEST(documents_cut_at_any_byte_are_refused)
{
    csz_catalog *catalog = csz_catalog_new(NULL);

    for (size_t j = 0; j < OBJECTS; j++) {
        void *handle = objects[j].make(NULL);
        size_t n = strlen(documents[j]);

        for (size_t i = 0; i < n; i++)
            ck_assert_int_eq(try_load(&objects[j], handle, CSZ_SOURCE_JSON, documents[j], i),
                             CSZ_ERR_SYNTAX);
        ck_assert_msg(try_load(&objects[j], handle, CSZ_SOURCE_JSON, documents[j], n) == CSZ_OK,
                      "%s", objects[j].error(handle, NULL));
        if (j == 0) {
            for (size_t i = 0; i < strlen(config); i++)
                ck_assert_int_eq(try_load(&objects[j], handle, CSZ_SOURCE_HUGGING_FACE, config, i),
                                 CSZ_ERR_SYNTAX);
            ck_assert_msg(try_load(&objects[j], handle, CSZ_SOURCE_HUGGING_FACE, config,
                                   strlen(config)) == CSZ_OK,
                          "%s", objects[j].error(handle, NULL));
        }
        objects[j].drop(handle);
    }
    for (size_t i = 0; i < strlen(overlay); i++)
        ck_assert_int_eq(try_overlay(catalog, overlay, i), CSZ_ERR_SYNTAX);
    ck_assert_int_eq(try_overlay(catalog, overlay, strlen(overlay)), CSZ_OK);
    csz_catalog_free(catalog);
}
END_TEST

START_TEST(questions_cut_at_any_byte_are_answered)
{
    static const char *const questions[] = {
        "fit model=llama-3-8b accelerator=h100-sxm-80gb gpus=8 tp=2 tokens=1G runs[0].layers=30",
        "{\"ask\": \"fit\", \"workload\": {\"model\": \"llama-3-8b\"}, \"cluster\": "
        "{\"accelerator\": \"h100-sxm-80gb\","
        " \"accelerators\": 8}, \"plan\": {\"tp\": 2}, \"catalog\": {\"accelerators\": []}, "
        "\"goal\": {\"limits\": {}}}"};
    char cut[512];

    for (size_t j = 0; j < 2; j++) {
        ck_assert_msg(!try_question(questions[j]), "%s", after);
        for (size_t i = 0; i < strlen(questions[j]); i++) {
            memcpy(cut, questions[j], i);
            cut[i] = '\0';
            ck_assert_msg(try_question(cut) || j == 0, "%s", cut);
        }
    }
}
END_TEST

START_TEST(odd_texts_are_told)
{
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "{}",
        "[]",
        "null",
        "7",
        "\"text\"",
        "{\"a\"}",
        "{\"\": 1}",
        "{\"a\": 1,}",
        "{,}",
        "=",
        "==",
        "a=",
        "=a",
        "[0]=1",
        "[]=1",
        "runs[=1",
        "runs[]=1",
        "runs[0=1",
        "runs[0].=1",
        "runs[0].layers",
        "runs[-1].layers=1",
        "runs[99999999999999999999].layers=1",
        "kinds[0][1].heads=1",
        "layers[0].layers=1",
        "tokens[1023]=1",
        "\xff",
        "\xff=\xff",
        "{\"\xff\": 1}",
        "{\"model\": \"\xc0\x80\"}",
        "{\"model\": \"\xed\xa0\x80\"}",
        "{\"model\": \"\xf5\x80\x80\x80\"}",
        "{\"model\": \"\\ud800\"}",
        "{\"model\": \"\\u0000\"}",
        "{\"model\": \"a\x01\"}",
        "{\"stack\": \"\\u0000\"}",
        "{\"accelerator\": \"\\u0000\"}",
        "\xef\xbb\xbf{}",
        "{\"hidden\": 1e999}",
        "{\"hidden\": -1e999}",
        "{\"hidden\": 1e-999}",
        "{\"hidden\": NaN}",
        "{\"hidden\": Infinity}",
        "{\"hidden\": 1e30}",
        "{\"hidden\": -1}",
        "{\"hidden\": 0.5}",
        "{\"hidden\": 9007199254740993}",
        "{\"layers\": 1e30}",
        "{\"hidden\": \"1e30\"}",
        "{\"hidden\": \"\"}",
        "{\"hidden\": {}}",
        "{\"hidden\": true}",
        "{\"hidden\": [[[]]]}",
        "{\"runs\": [[]]}",
        "{\"runs\": [null]}",
        "{\"runs\": {}}",
        "{\"runs\": [{\"layers\": 1e30}]}",
        "{\"phases\": [{}, {\"tokens\": 1}]}",
        "{\"limits\": []}",
        "{\"limits\": {\"tp\": []}}",
        "{\"limits\": {\"tp\": [1]}}",
        "{\"limits\": {\"tp\": [1e30, 1e30]}}",
        "{\"limits\": {\"tp\": {}}}",
        "{\"limits\": {\"stack\": 7}}",
        "{\"limits\": {\"stack\": \"x\"}}",
        "{\"limits\": {\"\": 1}}",
        "{\"limits\": {\"tp\": [-1e15, 1e15]}}",
        "{\"workload\": 5}",
        "{\"workload\": {}, \"workload\": {}}",
        "{\"plan\": [], \"goal\": null, \"cluster\": \"x\"}",
        "{\"catalog\": 5}",
        "{\"ask\": 5}",
        "{\"ask\": \"fitfitfit\"}",
        "{\"ask\": \"fit\", \"asks\": 1}",
        "{\"ask\": \"fit\"}",
        "fit",
        "size",
        "plan",
        "flops",
        "fitfitfitfit",
        "fit fit",
        "fit tp",
        "hidden=1e30",
        "hidden=-0",
        "hidden=0x10",
        "hidden=1e",
        "tokens=1T1",
        "tokens=TT",
        "deadline=-1d",
        "deadline=1d1h",
        "memory=1GiBGiB",
        "price=$",
        "price=$$1",
        "epochs=50%%",
        "{\"models\": [{\"id\": \"m\", \"architecture\": \"nonsense\"}]}",
        "{\"models\": [{\"id\": \"m\", \"architecture\": \"model=m\"}]}",
        "{\"nodes\": [{\"id\": \"n\", \"accelerator\": \"none\", \"fabric\": \"none\"}]}",
        "{\"architectures\": []}",
        "{\"model_type\": 7}",
        "{\"model_type\": \"llama\"}",
        "{\"model_type\": \"llama\", \"hidden_size\": 1e30, \"num_hidden_layers\": 1e30, "
        "\"num_attention_heads\": 0}",
        "{\"model_type\": \"llama\", \"hidden_size\": 0, \"num_hidden_layers\": -1, "
        "\"vocab_size\": 0.5}",
        "{\"model_type\": \"deepseek_v3\", \"hidden_size\": 64, \"num_hidden_layers\": 4, "
        "\"n_routed_experts\": 1e9}",
        "{\"text_config\": {\"text_config\": {\"text_config\": {}}}}",
        "{\"text_config\": 5, \"model_type\": \"gemma3\"}"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        try_everywhere(texts[i], strlen(texts[i]));
    try_everywhere("{\"hidden\"\0: 1}", 14);
    try_everywhere("{}\0", 3);
    try_everywhere("\0", 1);
}
END_TEST

/* Entries that refer to what is not there, or whose architecture cannot be read, are refused. */
START_TEST(overlays_that_lead_nowhere_are_refused)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"models\": [{\"id\": \"m1\", \"architecture\": \"nonsense\"}]}", "m1"},
        {"{\"models\": [{\"id\": \"m2\", \"architecture\": \"hidden=0\"}]}", "hidden"},
        {"{\"nodes\": [{\"id\": \"n0\", \"accelerator\": \"none\"}]}", "none"},
        {"{\"nodes\": [{\"id\": \"n0\", \"fabric\": \"none\"}]}", "fabric"},
        {"{\"accelerators\": [{\"id\": \"a0\", \"default_node\": \"none\"}]}", "a0"},
        {"{\"offers\": [{\"id\": \"o1\", \"price\": 1, \"accelerator\": \"none\"}]}", "o1"}};
    csz_catalog *catalog = csz_catalog_new(NULL);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_ne(try_overlay(catalog, cases[i].text, strlen(cases[i].text)), CSZ_OK);
        ck_assert_msg(strstr(csz_catalog_error(catalog, NULL), cases[i].says) != NULL, "%s: %s",
                      cases[i].text, csz_catalog_error(catalog, NULL));
    }
    csz_catalog_free(catalog);
}
END_TEST

/* What entries lack is told when they are used. */
START_TEST(incomplete_overlays_are_told_when_used)
{
    static const char text[] = "{\"models\": [{\"id\": \"m0\"}, {\"id\": \"m4\", "
                               "\"architecture\": \"hidden=64\"}], \"nodes\": [{\"id\": \"n1\"}], "
                               "\"accelerators\": [{\"id\": \"a1\", \"memory\": 1e9}], "
                               "\"offers\": [{\"id\": \"o0\"}]}";
    static const char *const uses[] = {"model=m0", "model=m4", "node=n1", "accelerator=a1",
                                       "offer=o0"};
    csz_catalog *catalog = csz_catalog_new(NULL);

    ck_assert_msg(try_overlay(catalog, text, strlen(text)) == CSZ_OK, "%s",
                  csz_catalog_error(catalog, NULL));
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        question q;
        csz_status status;

        question_open(&q);
        if (uses[i][0] == 'm') {
            status = csz_workload_set(q.workload, catalog, uses[i]);
            ck_message(csz_workload_error(q.workload, NULL), status, uses[i]);
        } else {
            status = csz_cluster_set(q.cluster, catalog, uses[i]);
            ck_message(csz_cluster_error(q.cluster, NULL), status, uses[i]);
        }
        for (int depth = 0; depth <= CSZ_DEPTH_RUN; depth++) {
            status =
                csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, (csz_depth)depth);
            ck_message(csz_estimate_error(q.estimate, NULL), status, uses[i]);
            ck_assert_int_ne(status, CSZ_OK);
        }
        question_close(&q);
    }
    csz_catalog_free(catalog);
}
END_TEST

static void fill_nested(char *text, size_t depth, char open, char close, const char *between)
{
    size_t n = 0;

    for (size_t i = 0; i < depth; i++) {
        text[n++] = open;
        if (open == '{') {
            memcpy(text + n, between, strlen(between));
            n += strlen(between);
        }
    }
    if (open == '{')
        text[n++] = '1';
    for (size_t i = 0; i < depth; i++)
        text[n++] = close;
    text[n] = '\0';
}

START_TEST(deep_texts_are_refused)
{
    static const size_t depths[] = {64, 65, 1000, 100000};
    static char text[2 * TEXT];

    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        csz_plan *plan = csz_plan_new(NULL);
        csz_status status;

        fill_nested(text, depths[i], '[', ']', "");
        status = try_load(&objects[2], plan, CSZ_SOURCE_JSON, text, strlen(text));
        ck_assert_int_eq(status, depths[i] <= 64 ? CSZ_ERR_TYPE : CSZ_ERR_LIMIT);
        try_everywhere(text, strlen(text));
        fill_nested(text, depths[i], '{', '}', "\"workload\":");
        try_everywhere(text, strlen(text));
        memset(text, '[', depths[i]);
        text[depths[i]] = '\0';
        try_everywhere(text, strlen(text));
        csz_plan_free(plan);
    }
}
END_TEST

START_TEST(long_texts_are_refused)
{
    static char text[MILLION + 100];
    static const char *const shapes[][2] = {
        {"{\"model\": \"", "\"}"},
        {"{\"", "\": 1}"},
        {"{\"hidden\": ", "}"},
        {"{\"hidden\": \"", "\"}"},
        {"hidden=", ""},
        {"model=", ""},
        {"", "=1"},
        {"fit ", "=1"},
        {"{\"ask\": \"", "\"}"},
        {"{\"limits\": {\"", "\": 1}}"},
        {"{\"model_type\": \"", "\"}"},
        {"{\"accelerators\": [{\"id\": \"", "\"}]}"},
        {"{\"accelerators\": [{\"id\": \"x\", \"name\": \"", "\"}]}"}};
    static const char fillers[] = "a1 [";

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (const char *filler = fillers; *filler != '\0'; filler++) {
            size_t head = strlen(shapes[i][0]);

            memcpy(text, shapes[i][0], head);
            memset(text + head, *filler, MILLION);
            memcpy(text + head + MILLION, shapes[i][1], strlen(shapes[i][1]) + 1);
            try_everywhere(text, strlen(text));
        }
    }
}
END_TEST

START_TEST(many_elements_are_refused_or_read_in_time)
{
    static char text[TEXT];
    static const char *const shapes[][3] = {{"{\"runs\": [", "{\"layers\": 1}", "]}"},
                                            {"{\"kinds\": [", "{}", "]}"},
                                            {"{\"limits\": {", "\"tp\": 1", "}}"},
                                            {"{", "\"hidden\": 1", "}"},
                                            {"{\"layer_types\": [", "\"x\"", "]}"},
                                            {"{\"accelerators\": [", "{\"id\": \"x\"}", "]}"}};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t n = (size_t)snprintf(text, sizeof text, "%s%s", shapes[i][0], shapes[i][1]);

        while (n < 300000)
            n += (size_t)snprintf(text + n, sizeof text - n, ",%s", shapes[i][1]);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", shapes[i][2]);
        try_everywhere(text, n);
    }
}
END_TEST

/* Valid documents with a few bytes changed, taken out, doubled or replaced by another document's.
 */
static size_t mutate(const char *from, const char *other, char *to, size_t room)
{
    static const char odd[] = "{}[]\",:0123456789.eE+-\\ntf\xff\x80 ";
    size_t n = strlen(from);

    memcpy(to, from, n);
    for (uint32_t changes = 1 + next(4); changes > 0; changes--) {
        size_t at = next((uint32_t)n + 1);
        size_t length = next(8);

        if (length > n - at)
            length = n - at;
        switch (next(5)) {
        case 0:
            if (at < n)
                to[at] = odd[next(sizeof odd - 1)];
            break;
        case 1:
            if (at < n)
                to[at] = (char)(to[at] ^ (1u << next(8)));
            break;
        case 2:
            memmove(to + at, to + at + length, n - at - length);
            n -= length;
            break;
        case 3:
            if (n + length < room) {
                memmove(to + at + length, to + at, n - at);
                n += length;
            }
            break;
        default:
            length = strlen(other) > at ? strlen(other) - at : 0;
            length = length < 12 ? length : 12;
            if (at + length < room) {
                memcpy(to + at, other + at, length);
                n = at + length > n ? at + length : n;
            }
            break;
        }
    }
    return n;
}

START_TEST(random_changes_of_valid_documents_are_refused_or_read)
{
    char text[4096];
    size_t taken = 0, tried = 0;
    csz_catalog *catalog = csz_catalog_new(NULL);

    printf("seed %u\n", SEED);
    for (int round = 0; round < rounds(4000); round++) {
        for (size_t j = 0; j < OBJECTS; j++) {
            void *handle = objects[j].make(NULL);
            size_t n = mutate(documents[j], documents[next(OBJECTS)], text, sizeof text);

            taken += try_load(&objects[j], handle, CSZ_SOURCE_JSON, text, n) == CSZ_OK;
            tried++;
            if (j == 0) {
                n = mutate(config, documents[next(OBJECTS)], text, sizeof text);
                (void)try_load(&objects[j], handle, CSZ_SOURCE_HUGGING_FACE, text, n);
            }
            objects[j].drop(handle);
        }
        if (round % 100 == 0) {
            csz_catalog_free(catalog);
            catalog = csz_catalog_new(NULL);
        }
        (void)try_overlay(catalog, text,
                          mutate(overlay, documents[next(OBJECTS)], text, sizeof text));
    }
    printf("%zu of %zu changed documents were still valid\n", taken, tried);
    ck_assert_uint_gt(taken, 0);
    ck_assert_uint_lt(taken, tried);
    csz_catalog_free(catalog);
}
END_TEST

/* Whatever can be set can be computed with: a figure or an error, never a crash or a NaN. */
START_TEST(random_settings_are_computed_or_told)
{
    size_t computed = 0, tried = 0;

    printf("seed %u\n", SEED);
    for (int round = 0; round < rounds(4000); round++) {
        question q;
        void *handles[OBJECTS];
        csz_status status;

        question_open(&q);
        handles[0] = q.workload;
        handles[1] = q.cluster;
        handles[2] = q.plan;
        handles[3] = q.goal;
        question_set(&q, "model=llama-3-8b tokens=1G", "accelerator=h100-sxm-80gb accelerators=64",
                     "");
        for (uint32_t changes = next(6); changes > 0; changes--) {
            csz_field field = csz_field_at(next((uint32_t)csz_field_count()));
            double lowest, highest, value;

            if ((int)field / 1000 > CSZ_OBJECT_PLAN ||
                csz_field_bounds(field, &lowest, &highest) != CSZ_OK)
                continue;
            value = next(3) == 0 ? lowest : next(2) == 0 ? highest : lowest + (double)next(9);
            (void)objects[(int)field / 1000 - 1].set_f64(handles[(int)field / 1000 - 1], field,
                                                         value);
        }
        status =
            csz_estimate_compute(q.estimate, q.workload, q.cluster, q.plan, (csz_depth)next(4));
        ck_message(csz_estimate_error(q.estimate, NULL), status, "random settings");
        computed += status == CSZ_OK;
        tried++;
        (void)csz_estimate_to_json(q.estimate, after, TEXT);
        if (status == CSZ_OK && strstr(after, "null") != NULL) {
            csz_workload_to_json(q.workload, before, TEXT);
            printf("%s\n", before);
            csz_cluster_to_json(q.cluster, before, TEXT);
            printf("%s\n", before);
            csz_plan_to_json(q.plan, before, TEXT);
            ck_abort_msg("%s: not a number in %s", before, after);
        }
        question_close(&q);
    }
    printf("%zu of %zu settings could be computed\n", computed, tried);
    ck_assert_uint_gt(computed, 0);
    ck_assert_uint_lt(computed, tried);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hostile");
    TCase *tcase = tcase_create("hostile");

    tcase_set_timeout(tcase, 100);
    tcase_add_test(tcase, documents_cut_at_any_byte_are_refused);
    tcase_add_test(tcase, questions_cut_at_any_byte_are_answered);
    tcase_add_test(tcase, odd_texts_are_told);
    tcase_add_test(tcase, overlays_that_lead_nowhere_are_refused);
    tcase_add_test(tcase, incomplete_overlays_are_told_when_used);
    tcase_add_test(tcase, deep_texts_are_refused);
    tcase_add_test(tcase, long_texts_are_refused);
    tcase_add_test(tcase, many_elements_are_refused_or_read_in_time);
    tcase_add_test(tcase, random_changes_of_valid_documents_are_refused_or_read);
    tcase_add_test(tcase, random_settings_are_computed_or_told);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
