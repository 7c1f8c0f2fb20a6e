/* test_catalog.c: the built-in facts hang together, and entries can be added and overridden. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"

#define TEXT (1 << 20)
#define KINDS 8
#define MODELS_COUNTED 125 /* models whose published count must be met to the last digit */

static char before[TEXT], after[TEXT];

static const struct {
    csz_kind kind;
    const char *name;
    csz_field id, source, date, confidence;
    size_t least;
} kinds[KINDS] = {
    {CSZ_KIND_MODEL, "models", CSZ_MODEL_ID, CSZ_MODEL_SOURCE, CSZ_MODEL_DATE, CSZ_MODEL_CONFIDENCE,
     MODELS_COUNTED},
    {CSZ_KIND_ACCELERATOR, "accelerators", CSZ_ACCELERATOR_ID, CSZ_ACCELERATOR_SOURCE,
     CSZ_ACCELERATOR_DATE, CSZ_ACCELERATOR_CONFIDENCE, 20},
    {CSZ_KIND_NODE, "nodes", CSZ_NODE_ID, CSZ_NODE_SOURCE, CSZ_NODE_DATE, CSZ_NODE_CONFIDENCE, 10},
    {CSZ_KIND_FABRIC, "fabrics", CSZ_FABRIC_ID, CSZ_FABRIC_SOURCE, CSZ_FABRIC_DATE,
     CSZ_FABRIC_CONFIDENCE, 6},
    {CSZ_KIND_OFFER, "offers", CSZ_OFFER_ID, CSZ_OFFER_SOURCE, CSZ_OFFER_DATE, CSZ_OFFER_CONFIDENCE,
     10},
    {CSZ_KIND_CURVE, "curves", CSZ_CURVE_ID, CSZ_CURVE_SOURCE, CSZ_CURVE_DATE, CSZ_CURVE_CONFIDENCE,
     600},
    {CSZ_KIND_OPERATION, "operations", CSZ_OPERATION_ID, CSZ_OPERATION_SOURCE, CSZ_OPERATION_DATE,
     CSZ_OPERATION_CONFIDENCE, 90},
    {CSZ_KIND_RELIABILITY, "reliability", CSZ_RELIABILITY_ID, CSZ_RELIABILITY_SOURCE,
     CSZ_RELIABILITY_DATE, CSZ_RELIABILITY_CONFIDENCE, 68},
};

static size_t text_of(const csz_catalog *catalog, size_t index, csz_field field, char text[256])
{
    size_t n = csz_catalog_get_text(catalog, index, field, text, 256);

    return n;
}

/* ---- The built-in facts ---- */

START_TEST(ids_are_unique_short_and_found)
{
    for (size_t k = 0; k < KINDS; k++) {
        size_t count = csz_catalog_count(NULL, kinds[k].kind);

        ck_assert_msg(count >= kinds[k].least, "%s: %zu", kinds[k].name, count);
        for (size_t i = 0; i < count; i++) {
            const char *id = csz_catalog_id_at(NULL, kinds[k].kind, i);
            char text[256];
            size_t index = 0;

            ck_assert_ptr_nonnull(id);
            ck_assert_msg(strlen(id) >= 1 && strlen(id) <= 63, "%s", id);
            ck_assert_msg(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789.-_") == strlen(id), "%s",
                          id);
            ck_assert_uint_eq(text_of(NULL, i, kinds[k].id, text), strlen(id));
            ck_assert_str_eq(text, id);
            ck_assert_msg(csz_catalog_find(NULL, kinds[k].kind, id, &index) == CSZ_OK && index == i,
                          "%s twice", id);
        }
        ck_assert_ptr_null(csz_catalog_id_at(NULL, kinds[k].kind, count));
    }
}
END_TEST

START_TEST(every_entry_has_source_date_and_confidence)
{
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t i = 0; i < csz_catalog_count(NULL, kinds[k].kind); i++) {
            const char *id = csz_catalog_id_at(NULL, kinds[k].kind, i);
            char text[256];

            ck_assert_msg(text_of(NULL, i, kinds[k].source, text) > 3, "%s: source", id);
            ck_assert_msg(text_of(NULL, i, kinds[k].date, text) >= 4 && strncmp(text, "20", 2) == 0,
                          "%s: date '%s'", id, text);
            text_of(NULL, i, kinds[k].confidence, text);
            ck_assert_msg(strcmp(text, "high") == 0 || strcmp(text, "medium") == 0 ||
                              strcmp(text, "low") == 0,
                          "%s: confidence '%s'", id, text);
            csz_catalog_source(NULL, kinds[k].kind, i, before, sizeof before);
            ck_assert_msg(strstr(before, text) != NULL, "%s: %s", id, before);
        }
    }
}
END_TEST

static void ck_refers(csz_kind kind, size_t index, csz_field field, csz_kind to, int needed)
{
    const char *id = csz_catalog_id_at(NULL, kind, index);
    char text[256];
    size_t at = 0;

    if (text_of(NULL, index, field, text) == 0) {
        ck_assert_msg(!needed, "%s: no %s", id, csz_field_name(field));
        return;
    }
    ck_assert_msg(csz_catalog_find(NULL, to, text, &at) == CSZ_OK, "%s: %s %s", id,
                  csz_field_name(field), text);
    ck_assert_str_eq(csz_catalog_id_at(NULL, to, at), text);
}

START_TEST(references_resolve)
{
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_ACCELERATOR); i++)
        ck_refers(CSZ_KIND_ACCELERATOR, i, CSZ_ACCELERATOR_DEFAULT_NODE, CSZ_KIND_NODE, 0);
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_NODE); i++) {
        ck_refers(CSZ_KIND_NODE, i, CSZ_NODE_ACCELERATOR, CSZ_KIND_ACCELERATOR, 1);
        ck_refers(CSZ_KIND_NODE, i, CSZ_NODE_FABRIC, CSZ_KIND_FABRIC, 0);
    }
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_OFFER); i++)
        ck_refers(CSZ_KIND_OFFER, i, CSZ_OFFER_ACCELERATOR, CSZ_KIND_ACCELERATOR, 1);
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_CURVE); i++) {
        ck_refers(CSZ_KIND_CURVE, i, CSZ_CURVE_ACCELERATOR, CSZ_KIND_ACCELERATOR, 0);
        ck_refers(CSZ_KIND_CURVE, i, CSZ_CURVE_FABRIC, CSZ_KIND_FABRIC, 0);
    }
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_RELIABILITY); i++)
        ck_refers(CSZ_KIND_RELIABILITY, i, CSZ_RELIABILITY_ACCELERATOR, CSZ_KIND_ACCELERATOR, 0);
}
END_TEST

START_TEST(default_nodes_are_of_their_accelerator)
{
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_ACCELERATOR); i++) {
        char node[256], accelerator[256];
        size_t at = 0;

        if (text_of(NULL, i, CSZ_ACCELERATOR_DEFAULT_NODE, node) == 0)
            continue;
        ck_assert_int_eq(csz_catalog_find(NULL, CSZ_KIND_NODE, node, &at), CSZ_OK);
        text_of(NULL, at, CSZ_NODE_ACCELERATOR, accelerator);
        ck_assert_str_eq(accelerator, csz_catalog_id_at(NULL, CSZ_KIND_ACCELERATOR, i));
    }
}
END_TEST

START_TEST(figures_lie_inside_their_bounds_and_prices_are_positive)
{
    size_t count = csz_field_count();

    for (size_t j = 0; j < count; j++) {
        csz_field field = csz_field_at(j);
        csz_kind kind = (csz_kind)((int)field / 100 % 10);
        double lowest, highest, value;

        if ((int)field / 1000 != CSZ_OBJECT_CATALOG ||
            csz_field_bounds(field, &lowest, &highest) != CSZ_OK)
            continue;
        for (size_t i = 0; i < csz_catalog_count(NULL, kind); i++) {
            csz_status status = csz_catalog_get_f64(NULL, i, field, &value);

            ck_assert_msg(status == CSZ_OK || status == CSZ_ERR_UNSET, "%s: %s",
                          csz_catalog_id_at(NULL, kind, i), csz_field_name(field));
            ck_assert_msg(status != CSZ_OK || (value >= lowest && value <= highest && value > 0),
                          "%s: %s %g", csz_catalog_id_at(NULL, kind, i), csz_field_name(field),
                          value);
        }
        ck_assert_int_eq(csz_catalog_get_f64(NULL, csz_catalog_count(NULL, kind), field, &value),
                         CSZ_ERR_RANGE);
    }
}
END_TEST

static void ck_range(size_t offer, csz_field price, csz_field low, csz_field high)
{
    double value, bound;

    if (csz_catalog_get_f64(NULL, offer, price, &value) != CSZ_OK) {
        ck_assert_int_eq(csz_catalog_get_f64(NULL, offer, low, &bound), CSZ_ERR_UNSET);
        ck_assert_int_eq(csz_catalog_get_f64(NULL, offer, high, &bound), CSZ_ERR_UNSET);
        return;
    }
    if (csz_catalog_get_f64(NULL, offer, low, &bound) == CSZ_OK)
        ck_assert_msg(bound <= value, "%s", csz_catalog_id_at(NULL, CSZ_KIND_OFFER, offer));
    if (csz_catalog_get_f64(NULL, offer, high, &bound) == CSZ_OK)
        ck_assert_msg(bound >= value, "%s", csz_catalog_id_at(NULL, CSZ_KIND_OFFER, offer));
}

START_TEST(offers_are_rentals_or_purchases_with_their_range_around_the_price)
{
    size_t purchases = 0;

    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_OFFER); i++) {
        const char *id = csz_catalog_id_at(NULL, CSZ_KIND_OFFER, i);
        char term[256];
        double value;
        int bought;

        text_of(NULL, i, CSZ_OFFER_TERM, term);
        bought = strcmp(term, "purchase") == 0;
        ck_assert_msg(bought || strcmp(term, "on-demand") == 0 || strcmp(term, "spot") == 0 ||
                          strncmp(term, "reserved-", 9) == 0,
                      "%s: %s", id, term);
        ck_assert_msg((csz_catalog_get_f64(NULL, i, CSZ_OFFER_PRICE, &value) == CSZ_OK) == !bought,
                      "%s", id);
        ck_assert_msg((csz_catalog_get_f64(NULL, i, CSZ_OFFER_PURCHASE, &value) == CSZ_OK) ==
                          bought,
                      "%s", id);
        ck_range(i, CSZ_OFFER_PRICE, CSZ_OFFER_LOW, CSZ_OFFER_HIGH);
        ck_range(i, CSZ_OFFER_PURCHASE, CSZ_OFFER_PURCHASE_LOW, CSZ_OFFER_PURCHASE_HIGH);
        purchases += (size_t)bought;
    }
    ck_assert_uint_ge(purchases, 102);
}
END_TEST

/* Every model loads and computes; those with a published count give exactly that. */
START_TEST(published_parameter_counts_are_met_exactly)
{
    size_t counted = 0, models = csz_catalog_count(NULL, CSZ_KIND_MODEL);
    question q;

    question_open(&q);
    for (size_t i = 0; i < models; i++) {
        const char *id = csz_catalog_id_at(NULL, CSZ_KIND_MODEL, i);
        char text[80];
        double published;
        int64_t total = 0;

        snprintf(text, sizeof text, "model=%s", id);
        ck_assert_msg(csz_workload_set(q.workload, NULL, text) == CSZ_OK, "%s: %s", id,
                      csz_workload_error(q.workload, NULL));
        ck_assert_msg(csz_estimate_compute(q.estimate, q.workload, NULL, NULL, CSZ_DEPTH_MODEL) ==
                          CSZ_OK,
                      "%s: %s", id, csz_estimate_error(q.estimate, NULL));
        ck_assert_int_eq(csz_estimate_get_i64(q.estimate, CSZ_ESTIMATE_PARAMETERS_TOTAL, &total),
                         CSZ_OK);
        ck_assert_int_gt(total, 0);
        if (csz_catalog_get_f64(NULL, i, CSZ_MODEL_PARAMETERS, &published) != CSZ_OK)
            continue;
        ck_assert_msg(total == (int64_t)published, "%s: %lld, published %lld", id, (long long)total,
                      (long long)published);
        counted++;
    }
    printf("%zu of %zu models have a published count, all met exactly\n", counted, models);
    ck_assert_uint_ge(counted, MODELS_COUNTED);
    question_close(&q);
}
END_TEST

START_TEST(every_accelerator_and_offer_makes_a_cluster)
{
    static const struct {
        csz_kind kind;
        const char *name;
    } sorts[] = {
        {CSZ_KIND_ACCELERATOR, "accelerator"}, {CSZ_KIND_NODE, "node"}, {CSZ_KIND_OFFER, "offer"}};

    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++) {
        for (size_t i = 0; i < csz_catalog_count(NULL, sorts[k].kind); i++) {
            csz_cluster *cluster = csz_cluster_new(NULL);
            char text[128];
            double memory, bought;

            snprintf(text, sizeof text, "%s=%s", sorts[k].name,
                     csz_catalog_id_at(NULL, sorts[k].kind, i));
            if (sorts[k].kind == CSZ_KIND_OFFER &&
                csz_catalog_get_f64(NULL, i, CSZ_OFFER_PURCHASE, &bought) == CSZ_OK) {
                ck_assert_int_eq(csz_cluster_set(cluster, NULL, text), CSZ_ERR_MISSING);
                ck_assert_ptr_nonnull(
                    strstr(csz_cluster_error(cluster, NULL), "it is a purchase price"));
                csz_cluster_free(cluster);
                continue;
            }
            ck_assert_msg(csz_cluster_set(cluster, NULL, text) == CSZ_OK, "%s: %s", text,
                          csz_cluster_error(cluster, NULL));
            ck_assert_msg(csz_cluster_get_f64(cluster, CSZ_CLUSTER_MEMORY, &memory) == CSZ_OK,
                          "%s: no memory", text);
            csz_cluster_free(cluster);
        }
    }
}
END_TEST

/* ---- Look-up ---- */

START_TEST(ids_are_found_by_an_unambiguous_beginning)
{
    static const char ours[] =
        "{\"accelerators\": [{\"id\": \"zz\"}, {\"id\": \"zz-one\"}, {\"id\": \"zz-only\"},"
        " {\"id\": \"zx-two\"}]}";
    csz_catalog *catalog = csz_catalog_new(NULL);
    size_t index = 7, first = csz_catalog_count(catalog, CSZ_KIND_ACCELERATOR);

    ck_assert_int_eq(csz_catalog_load(catalog, ours, strlen(ours)), CSZ_OK);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "zz", &index), CSZ_OK);
    ck_assert_uint_eq(index, first);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "zz-onl", &index), CSZ_OK);
    ck_assert_uint_eq(index, first + 2);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "zx", &index), CSZ_OK);
    ck_assert_uint_eq(index, first + 3);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "zz-on", &index),
                     CSZ_ERR_UNKNOWN);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "z", &index), CSZ_ERR_UNKNOWN);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "", &index), CSZ_ERR_UNKNOWN);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "ZZQ", &index),
                     CSZ_ERR_UNKNOWN);
    ck_assert_int_eq(csz_catalog_find(NULL, CSZ_KIND_ACCELERATOR, "zz", &index), CSZ_ERR_UNKNOWN);
    ck_assert_int_eq(csz_catalog_find(catalog, (csz_kind)8, "zz", &index), CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, NULL, &index),
                     CSZ_ERR_ARGUMENT);
    ck_assert_uint_eq(csz_catalog_count(catalog, (csz_kind)8), 0);
    csz_catalog_free(catalog);
}
END_TEST

/* The message for a name that is no id ends with exactly these ids. */
static const struct near_case {
    csz_kind kind;
    const char *name, *end;
} near_cases[] = {
    /* Ids that begin with it, the owner left aside. */
    {CSZ_KIND_ACCELERATOR, "H100_SXM", "could be any of: h100-sxm-80gb, h100-sxm-96gb-hbm2e"},
    {CSZ_KIND_MODEL, "mistralai/Mixtral", "could be any of: mixtral-8x7b, mixtral-8x22b"},
    /* Ids that share most words, then most of the beginning. */
    {CSZ_KIND_ACCELERATOR, "A100-80GB", "the nearest: a100-sxm-80gb, a100-pcie-80gb"},
    {CSZ_KIND_ACCELERATOR, "h10-sxm-80gb", "the nearest: h100-sxm-80gb"},
    {CSZ_KIND_ACCELERATOR, "trn2", "the nearest: trainium1, trainium2, trainium3"},
    {CSZ_KIND_MODEL, "meta-llama/Llama-3.3-70B-Instruct", "the nearest: llama-3.3-70b"},
    /* Nothing is near. */
    {CSZ_KIND_ACCELERATOR, "_-/", "'_-/' is not in the catalog"},
};

START_TEST(an_ambiguous_or_unknown_id_is_told_with_what_is_close)
{
    const struct near_case *c = &near_cases[_i];
    csz_workload *workload = csz_workload_new(NULL);
    csz_cluster *cluster = csz_cluster_new(NULL);
    const char *message;
    char text[128];
    csz_status status;

    (void)snprintf(text, sizeof text, "%s=%s", c->kind == CSZ_KIND_MODEL ? "model" : "accelerator",
                   c->name);
    status = c->kind == CSZ_KIND_MODEL ? csz_workload_set(workload, NULL, text)
                                       : csz_cluster_set(cluster, NULL, text);
    message = c->kind == CSZ_KIND_MODEL ? csz_workload_error(workload, NULL)
                                        : csz_cluster_error(cluster, NULL);
    ck_assert_int_eq(status, CSZ_ERR_UNKNOWN);
    ck_assert_uint_gt(strlen(message), strlen(c->end));
    ck_assert_str_eq(message + strlen(message) - strlen(c->end), c->end);
    csz_workload_free(workload);
    csz_cluster_free(cluster);
}
END_TEST

START_TEST(an_owner_and_a_family_name_in_front_are_left_aside)
{
    static const char *const names[][2] = {{"meta-llama/Meta-Llama-3-70B", "llama-3-70b"},
                                           {"Llama_3_70B", "llama-3-70b"},
                                           {"LLAMA 3 70B", "llama-3-70b"},
                                           {"deepseek-ai/DeepSeek-V3", "deepseek-v3"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t index;
        ck_assert_int_eq(csz_catalog_find(NULL, CSZ_KIND_MODEL, names[i][0], &index), CSZ_OK);
        ck_assert_str_eq(csz_catalog_id_at(NULL, CSZ_KIND_MODEL, index), names[i][1]);
    }
}
END_TEST

/* ---- Queries ---- */

static csz_status load(csz_catalog *catalog, const char *text);

static size_t found[4096];

static size_t ask(const csz_catalog *catalog, csz_kind kind, const char *text, csz_field by)
{
    size_t count = 0;
    csz_status status = csz_catalog_query(catalog, kind, text, by, found, 4096, &count);

    ck_assert_msg(status == CSZ_OK, "%s: %s", text, csz_status_name(status));
    ck_assert_uint_le(count, 4096);
    return count;
}

static int is_ordered(csz_field by, size_t a, size_t b)
{
    double x = 0, y = 0;

    if (by == CSZ_FIELD_NONE)
        return a < b;
    ck_assert_int_eq(csz_catalog_get_f64(NULL, a, by, &x), CSZ_OK);
    ck_assert_int_eq(csz_catalog_get_f64(NULL, b, by, &y), CSZ_OK);
    return x < y || (!(y < x) && a < b);
}

/* Every figure of every kind: all entries that have it, once each, in order; and any capacity gives
 * the first. */
START_TEST(queries_order_by_any_figure_and_cut_anywhere)
{
    static const size_t capacities[] = {0, 1, 2, 3, 7, 50};

    for (size_t j = 0; j < csz_field_count(); j++) {
        csz_field field = csz_field_at(j),
                  by = csz_field_type(field) == CSZ_TYPE_TEXT ? CSZ_FIELD_NONE : field;
        csz_kind kind = (csz_kind)((int)field / 100 % 10);
        size_t count, have = 0, part[50], all;
        double value;

        if ((int)field / 1000 != CSZ_OBJECT_CATALOG)
            continue;
        count = ask(NULL, kind, NULL, by);
        for (size_t i = 0; i < csz_catalog_count(NULL, kind); i++)
            have += by == CSZ_FIELD_NONE || csz_catalog_get_f64(NULL, i, by, &value) == CSZ_OK;
        ck_assert_uint_eq(count, have);
        for (size_t i = 1; i < count; i++)
            ck_assert_msg(is_ordered(by, found[i - 1], found[i]), "%s: %zu", csz_field_name(field),
                          i);
        for (size_t c = 0; c < sizeof capacities / sizeof *capacities; c++) {
            size_t n = capacities[c] < count ? capacities[c] : count;

            ck_assert_int_eq(csz_catalog_query(NULL, kind, "", by, capacities[c] > 0 ? part : NULL,
                                               capacities[c], &all),
                             CSZ_OK);
            ck_assert_uint_eq(all, count);
            ck_assert(memcmp(part, found, n * sizeof *part) == 0);
        }
    }
}
END_TEST

START_TEST(queries_find_what_meets_all_conditions)
{
    csz_catalog *catalog = csz_catalog_new(NULL);
    size_t cheapest,
        count = ask(NULL, CSZ_KIND_OFFER, "accelerator=h100-sxm-80gb term=spot", CSZ_OFFER_PRICE);
    char text[256];
    double value;

    ck_assert_uint_ge(count, 3);
    for (size_t i = 0; i < count; i++) {
        text_of(NULL, found[i], CSZ_OFFER_ACCELERATOR, text);
        ck_assert_str_eq(text, "h100-sxm-80gb");
        text_of(NULL, found[i], CSZ_OFFER_TERM, text);
        ck_assert_str_eq(text, "spot");
    }
    cheapest = found[0];
    ck_assert_uint_eq(
        ask(NULL, CSZ_KIND_OFFER, " term=SPOT\taccelerator=H100_SXM_80GB\n", CSZ_OFFER_PRICE),
        count);
    ck_assert_uint_eq(found[0], cheapest);
    ck_assert_int_eq(csz_catalog_get_f64(NULL, cheapest, CSZ_OFFER_PRICE, &value), CSZ_OK);
    ck_assert_int_eq(load(catalog,
                          "{\"offers\": [{\"id\": \"mine\", \"accelerator\": \"h100-sxm-80gb\","
                          " \"term\": \"spot\", \"price\": 0.01}]}"),
                     CSZ_OK);
    ck_assert_uint_eq(
        ask(catalog, CSZ_KIND_OFFER, "accelerator=h100-sxm-80gb term=spot", CSZ_OFFER_PRICE),
        count + 1);
    ck_assert_str_eq(csz_catalog_id_at(catalog, CSZ_KIND_OFFER, found[0]), "mine");
    csz_catalog_free(catalog);

    ck_assert_uint_eq(ask(NULL, CSZ_KIND_OFFER,
                          "provider=market-median term=purchase accelerator=h100-sxm-80gb",
                          CSZ_OFFER_PURCHASE),
                      1);
    ck_assert_uint_eq(ask(NULL, CSZ_KIND_OFFER, "accelerator=h100", CSZ_FIELD_NONE), 0);
    ck_assert_uint_eq(ask(NULL, CSZ_KIND_OFFER, "term=purchase", CSZ_OFFER_PRICE), 0);
    ck_assert_uint_eq(ask(NULL, CSZ_KIND_OFFER, "provider=---", CSZ_FIELD_NONE), 0);
    /* A price that holds in several regions is found in each. */
    ck_assert_uint_ge(ask(NULL, CSZ_KIND_OFFER,
                          "accelerator=tpu-v5e region=us-west1 term=on-demand", CSZ_OFFER_PRICE),
                      1);
    ck_assert_uint_eq(
        ask(NULL, CSZ_KIND_OFFER, "accelerator=tpu-v5e region=west1", CSZ_OFFER_PRICE), 0);
    ck_assert_uint_eq(ask(NULL, CSZ_KIND_CURVE,
                          "accelerator=h100-sxm-80gb operation=all-reduce ranks=8 bytes=512MiB",
                          CSZ_CURVE_BUS_BANDWIDTH),
                      1);
    ck_assert_str_eq(csz_catalog_id_at(NULL, CSZ_KIND_CURVE, found[0]),
                     "h100-sxm-all-reduce-8-512mib");
    ck_assert_uint_ge(
        ask(NULL, CSZ_KIND_NODE, "accelerator=h100-sxm-80gb accelerators=8", CSZ_NODE_POWER), 2);
    ck_assert_uint_ge(ask(NULL, CSZ_KIND_OPERATION, "topic=pue", CSZ_OPERATION_VALUE), 11);
    ck_assert_uint_eq(ask(NULL, CSZ_KIND_OPERATION, "topic=pue value=1.08", CSZ_OPERATION_VALUE),
                      1);
    ck_assert_uint_ge(
        ask(NULL, CSZ_KIND_RELIABILITY, "run=llama3-405b unit=count", CSZ_RELIABILITY_SHARE), 18);
}
END_TEST

START_TEST(bad_queries_say_why_and_write_nothing)
{
    static const struct {
        const char *text;
        csz_field by;
        csz_status status;
    } cases[] = {
        {"colour=red", CSZ_FIELD_NONE, CSZ_ERR_FIELD},
        {"=red", CSZ_FIELD_NONE, CSZ_ERR_FIELD},
        {"term", CSZ_FIELD_NONE, CSZ_ERR_SYNTAX},
        {"term=", CSZ_FIELD_NONE, CSZ_ERR_SYNTAX},
        {"term= spot", CSZ_FIELD_NONE, CSZ_ERR_SYNTAX},
        {"term=spot term=spot", CSZ_FIELD_NONE, CSZ_ERR_SYNTAX},
        {"price=cheap", CSZ_FIELD_NONE, CSZ_ERR_SYNTAX},
        {"price=1e999", CSZ_FIELD_NONE, CSZ_ERR_RANGE},
        {"term=spot", CSZ_OFFER_TERM, CSZ_ERR_TYPE},
        {"term=spot", CSZ_NODE_POWER, CSZ_ERR_FIELD},
        {"term=spot", CSZ_PLAN_TENSOR_PARALLEL, CSZ_ERR_FIELD},
        {"term=spot", (csz_field)7499, CSZ_ERR_FIELD},
        {"term=spot colour=red", CSZ_OFFER_TERM, CSZ_ERR_FIELD},
    };
    static char longest[65536 + 2];
    size_t index = 77, count = 78;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        csz_status status =
            csz_catalog_query(NULL, CSZ_KIND_OFFER, cases[i].text, cases[i].by, &index, 1, &count);

        ck_assert_msg(status == cases[i].status, "%s: %s", cases[i].text, csz_status_name(status));
        ck_assert(index == 77 && count == 78);
    }
    memset(longest, ' ', 65537);
    ck_assert_int_eq(
        csz_catalog_query(NULL, CSZ_KIND_OFFER, longest, CSZ_FIELD_NONE, &index, 1, &count),
        CSZ_ERR_LIMIT);
    ck_assert(index == 77 && count == 78);
    longest[65536] = '\0';
    ck_assert_int_eq(
        csz_catalog_query(NULL, CSZ_KIND_OFFER, longest, CSZ_FIELD_NONE, &index, 1, &count),
        CSZ_OK);
    ck_assert(index == 0 && count == csz_catalog_count(NULL, CSZ_KIND_OFFER));
    ck_assert_int_eq(csz_catalog_query(NULL, (csz_kind)8, "", CSZ_FIELD_NONE, &index, 1, &count),
                     CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_catalog_query(NULL, CSZ_KIND_OFFER, "", CSZ_FIELD_NONE, &index, 1, NULL),
                     CSZ_ERR_ARGUMENT);
    ck_assert_int_eq(csz_catalog_query(NULL, CSZ_KIND_OFFER, "", CSZ_FIELD_NONE, NULL, 1, &count),
                     CSZ_ERR_ARGUMENT);
}
END_TEST

/* ---- Overlays ---- */

static csz_status load(csz_catalog *catalog, const char *text)
{
    return csz_catalog_load(catalog, text, strlen(text));
}

static double number_of(const csz_catalog *catalog, size_t index, csz_field field)
{
    double value = -1;

    ck_assert_int_eq(csz_catalog_get_f64(catalog, index, field, &value), CSZ_OK);
    return value;
}

START_TEST(entries_are_added_and_overridden)
{
    csz_catalog *catalog = csz_catalog_new(NULL);
    size_t count = csz_catalog_count(NULL, CSZ_KIND_ACCELERATOR), h100 = 0, mine = 0;
    csz_cluster *cluster = csz_cluster_new(NULL);
    double value, rate;
    char text[256];

    ck_assert_int_eq(csz_catalog_find(NULL, CSZ_KIND_ACCELERATOR, "h100-sxm-80gb", &h100), CSZ_OK);
    rate = number_of(NULL, h100, CSZ_ACCELERATOR_PEAK_BF16);
    ck_assert_msg(
        load(catalog,
             "{\"accelerators\": [{\"id\": \"h100-sxm-80gb\", \"memory\": \"79GiB\"}, {\"id\": "
             "\"mine\","
             " \"memory\": 1e11, \"name\": \"My \\\"part\\\"\", \"source\": \"me\"}],"
             " \"models\": [{\"id\": \"my-model\", \"architecture\": \"hidden=64 vocab=100 layers=2"
             " heads=4 ffn=128\"}]}") == CSZ_OK,
        "%s", csz_catalog_error(catalog, NULL));
    ck_assert_uint_eq(csz_catalog_count(catalog, CSZ_KIND_ACCELERATOR), count + 1);
    ck_assert_uint_eq(csz_catalog_count(NULL, CSZ_KIND_ACCELERATOR), count);
    ck_assert_double_eq(number_of(catalog, h100, CSZ_ACCELERATOR_MEMORY), 79 * 1073741824.0);
    ck_assert_double_eq(number_of(catalog, h100, CSZ_ACCELERATOR_PEAK_BF16), rate);
    ck_assert_int_eq(csz_catalog_find(catalog, CSZ_KIND_ACCELERATOR, "mine", &mine), CSZ_OK);
    ck_assert_double_eq(number_of(catalog, mine, CSZ_ACCELERATOR_MEMORY), 1e11);
    ck_assert_int_eq(csz_catalog_get_f64(catalog, mine, CSZ_ACCELERATOR_POWER, &value),
                     CSZ_ERR_UNSET);
    text_of(catalog, mine, CSZ_ACCELERATOR_NAME, text);
    ck_assert_str_eq(text, "My \"part\"");

    ck_assert_int_eq(load(catalog, "{\"accelerators\": [{\"id\": \"mine\", \"power\": \"700W\"}]}"),
                     CSZ_OK);
    ck_assert_double_eq(number_of(catalog, mine, CSZ_ACCELERATOR_MEMORY), 1e11);
    ck_assert_double_eq(number_of(catalog, mine, CSZ_ACCELERATOR_POWER), 700);
    text_of(catalog, mine, CSZ_ACCELERATOR_NAME, text);
    ck_assert_str_eq(text, "My \"part\"");

    ck_assert_int_eq(csz_cluster_set(cluster, catalog, "accelerator=mine"), CSZ_OK);
    ck_assert_int_eq(csz_cluster_get_f64(cluster, CSZ_CLUSTER_MEMORY, &value), CSZ_OK);
    ck_assert_double_eq(value, 1e11);
    ck_assert_int_eq(csz_cluster_set(cluster, NULL, "accelerator=mine"), CSZ_ERR_UNKNOWN);
    csz_cluster_free(cluster);
    csz_catalog_free(catalog);
}
END_TEST

START_TEST(every_kind_takes_entries)
{
    csz_catalog *catalog = csz_catalog_new(NULL);

    for (size_t k = 0; k < KINDS; k++) {
        size_t count = csz_catalog_count(NULL, kinds[k].kind), index = 0;
        char text[256];

        snprintf(text, sizeof text, "{\"%s\": [{\"id\": \"my-own\", \"source\": \"me\"}]}",
                 kinds[k].name);
        ck_assert_msg(load(catalog, text) == CSZ_OK, "%s: %s", text,
                      csz_catalog_error(catalog, NULL));
        ck_assert_uint_eq(csz_catalog_count(catalog, kinds[k].kind), count + 1);
        ck_assert_int_eq(csz_catalog_find(catalog, kinds[k].kind, "my-own", &index), CSZ_OK);
        ck_assert_uint_eq(index, count);
        text_of(catalog, index, kinds[k].source, text);
        ck_assert_str_eq(text, "me");
    }
    ck_assert_int_eq(
        load(catalog,
             "{\"operations\": [{\"id\": \"my-own\", \"value\": 0.07, \"unit\": \"USD/kWh\"}],"
             " \"curves\": [{\"id\": \"my-own\", \"bytes\": \"1MiB\", \"ranks\": 16,"
             " \"bus_bandwidth\": \"40GB/s\"}]}"),
        CSZ_OK);
    ck_assert_uint_eq(
        ask(catalog, CSZ_KIND_CURVE, "bus_bandwidth=40GB/s ranks=16", CSZ_CURVE_BYTES), 1);
    csz_catalog_free(catalog);
}
END_TEST

START_TEST(bad_overlays_change_nothing)
{
    static const struct {
        const char *text;
        csz_status status;
        const char *says;
    } cases[] = {
        {"{\"accelerators\": [{\"id\": \"a\", \"memory\": \"80GiB\"}, {\"id\": \"b\", \"memory\": "
         "\"much\"}]}",
         CSZ_ERR_SYNTAX, "$.accelerators[1].memory"},
        {"{\"accelerators\": [{\"id\": \"a\", \"memory\": [1]}]}", CSZ_ERR_TYPE, "memory"},
        {"{\"accelerators\": [{\"id\": \"a\", \"memory\": 0}]}", CSZ_ERR_RANGE, "memory"},
        {"{\"accelerators\": [{\"id\": \"a\", \"name\": 1}]}", CSZ_ERR_TYPE, "name"},
        {"{\"accelerators\": [{\"id\": \"a\", \"memry\": 1}]}", CSZ_ERR_FIELD, "nearest is memory"},
        {"{\"accelerators\": [{\"id\": \"a\", \"power\": 1, \"power\": 1}]}", CSZ_ERR_SYNTAX,
         "power"},
        {"{\"accelerators\": [{\"id\": \"a\", \"id\": \"b\"}]}", CSZ_ERR_SYNTAX, "id"},
        {"{\"accelerators\": [{\"id\": \"a\"}, {\"id\": \"a\", \"power\": 1, \"tensor_parallel\": "
         "1}]}",
         CSZ_ERR_FIELD, ""},
        {"{\"accelerators\": [{\"memory\": 1e11}]}", CSZ_ERR_MISSING, "id"},
        {"{\"accelerators\": [{\"id\": \"\"}]}", CSZ_ERR_MISSING, "id"},
        {"{\"accelerators\": [{\"id\": "
         "\"0123456789012345678901234567890123456789012345678901234567890123\"}]}",
         CSZ_ERR_MISSING, "63"},
        {"{\"accelerators\": [{\"id\": 7}]}", CSZ_ERR_MISSING, "id"},
        {"{\"accelerators\": [7]}", CSZ_ERR_TYPE, "accelerators"},
        {"{\"accelerators\": {\"id\": \"a\"}}", CSZ_ERR_TYPE, "accelerators"},
        {"{\"accelerators\": [{\"id\": \"a\"}], \"gpus\": []}", CSZ_ERR_FIELD, "accelerators"},
        {"{\"accelerators\": [{\"id\": \"a\"}], \"accelerators\": []}", CSZ_ERR_SYNTAX,
         "accelerators"},
        {"{\"accelerators\": [{\"id\": \"a\"}]", CSZ_ERR_SYNTAX, "line 1"},
        {"{\"accelerators\": [{\"id\": \"a\\u0000b\"}]}", CSZ_ERR_SYNTAX, "id"},
        {"[]", CSZ_ERR_TYPE, ""},
        {"", CSZ_ERR_SYNTAX, "line 1, column 1"},
    };
    csz_catalog *catalog = csz_catalog_new(NULL);

    ck_assert_int_eq(load(catalog, "{\"accelerators\": [{\"id\": \"zero\", \"memory\": 1e11}]}"),
                     CSZ_OK);
    ck_assert_uint_lt(csz_catalog_to_json(catalog, before, TEXT), TEXT);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        csz_status status = load(catalog, cases[i].text);

        ck_assert_msg(status == cases[i].status, "%s: %s: %s", cases[i].text,
                      csz_status_name(status), csz_catalog_error(catalog, NULL));
        ck_assert_msg(strstr(csz_catalog_error(catalog, NULL), cases[i].says) != NULL, "%s: %s",
                      cases[i].text, csz_catalog_error(catalog, NULL));
        csz_catalog_to_json(catalog, after, TEXT);
        ck_assert_msg(strcmp(before, after) == 0, "changed by %s", cases[i].text);
    }
    ck_assert_int_eq(
        load(catalog,
             "{\"accelerators\": [{\"id\": \"012345678901234567890123456789012345678901234567890"
             "123456789012\"}]}"),
        CSZ_OK);
    ck_assert_str_eq(csz_catalog_error(catalog, NULL), "");
    csz_catalog_free(catalog);
}
END_TEST

START_TEST(the_whole_catalog_is_read_back)
{
    csz_catalog *one = csz_catalog_new(NULL), *two = csz_catalog_new(NULL);
    size_t n = csz_catalog_to_json(NULL, before, TEXT);

    ck_assert_uint_lt(n, TEXT);
    ck_assert_uint_eq(csz_catalog_to_json(one, after, TEXT), n);
    ck_assert(memcmp(before, after, n) == 0);
    ck_assert_msg(csz_catalog_load(one, before, n) == CSZ_OK, "%s", csz_catalog_error(one, NULL));
    ck_assert_uint_eq(csz_catalog_to_json(one, after, TEXT), n);
    ck_assert(memcmp(before, after, n) == 0);
    ck_assert_msg(csz_catalog_load(two, after, n) == CSZ_OK, "%s", csz_catalog_error(two, NULL));
    ck_assert_msg(csz_catalog_load(two, after, n) == CSZ_OK, "%s", csz_catalog_error(two, NULL));
    csz_catalog_free(one);
    ck_assert_uint_eq(csz_catalog_to_json(two, after, TEXT), n);
    ck_assert(memcmp(before, after, n) == 0);
    csz_catalog_free(two);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog");
    TCase *tcase = tcase_create("catalog");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, ids_are_unique_short_and_found);
    tcase_add_test(tcase, every_entry_has_source_date_and_confidence);
    tcase_add_test(tcase, references_resolve);
    tcase_add_test(tcase, default_nodes_are_of_their_accelerator);
    tcase_add_test(tcase, figures_lie_inside_their_bounds_and_prices_are_positive);
    tcase_add_test(tcase, offers_are_rentals_or_purchases_with_their_range_around_the_price);
    tcase_add_test(tcase, published_parameter_counts_are_met_exactly);
    tcase_add_test(tcase, every_accelerator_and_offer_makes_a_cluster);
    tcase_add_test(tcase, ids_are_found_by_an_unambiguous_beginning);
    tcase_add_loop_test(tcase, an_ambiguous_or_unknown_id_is_told_with_what_is_close, 0,
                        (int)(sizeof near_cases / sizeof *near_cases));
    tcase_add_test(tcase, an_owner_and_a_family_name_in_front_are_left_aside);
    tcase_add_test(tcase, queries_order_by_any_figure_and_cut_anywhere);
    tcase_add_test(tcase, queries_find_what_meets_all_conditions);
    tcase_add_test(tcase, bad_queries_say_why_and_write_nothing);
    tcase_add_test(tcase, entries_are_added_and_overridden);
    tcase_add_test(tcase, every_kind_takes_entries);
    tcase_add_test(tcase, bad_overlays_change_nothing);
    tcase_add_test(tcase, the_whole_catalog_is_read_back);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
