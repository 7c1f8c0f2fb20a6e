/* test_facts.c: every row of the built-in facts against bounds of sanity, and against the CSV files
 * that they were made from when the environment variable CSZ_FACTS names their folder. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts_csv.h"
#include "facts/catalog.h"
#include "question.h"

#define GB 1e9
#define MIB 1048576.0

/* 0 when the fact is not known; facts are never 0. */
static double fact(size_t index, csz_field field)
{
    double value = 0;

    (void)csz_catalog_get_f64(NULL, index, field, &value);
    return value;
}

typedef struct word {
    char text[256];
} word;

static word text_of(size_t index, csz_field field)
{
    word w = {""};

    (void)csz_catalog_get_text(NULL, index, field, w.text, sizeof w.text);
    return w;
}

static int has_text(size_t index, csz_field field, const char *text)
{
    return strcmp(text_of(index, field).text, text) == 0;
}

static size_t index_of(csz_kind kind, const char *id)
{
    size_t index = 0;

    ck_assert_msg(csz_catalog_find(NULL, kind, id, &index) == CSZ_OK, "no %s", id);
    ck_assert_str_eq(csz_catalog_id_at(NULL, kind, index), id);
    return index;
}

/* Figures that are not known are no error. */
static void within(csz_kind kind, size_t index, const char *what, double value, double low,
                   double high)
{
    if (value > 0)
        ck_assert_msg(value >= low && value <= high, "%s: %s is %g, not %g to %g",
                      csz_catalog_id_at(NULL, kind, index), what, value, low, high);
}

/* The ratio of two figures, 0 when one is not known. */
static double over(double a, double b)
{
    return a > 0 && b > 0 ? a / b : 0;
}

/* ---- Sanity ---- */

static double memory_of(size_t accelerator)
{
    double memory = fact(accelerator, CSZ_ACCELERATOR_MEMORY);

    return memory > 0 ? memory : fact(accelerator, CSZ_ACCELERATOR_MEMORY_LABEL);
}

/* Parts without bf16 have fp16. */
static double peak_of(size_t accelerator)
{
    double peak = fact(accelerator, CSZ_ACCELERATOR_PEAK_BF16);

    return peak > 0 ? peak : fact(accelerator, CSZ_ACCELERATOR_PEAK_FP16);
}

START_TEST(accelerators_are_plausible)
{
    const csz_kind kind = CSZ_KIND_ACCELERATOR;

    for (size_t i = 0; i < csz_catalog_count(NULL, kind); i++) {
        double bf16 = fact(i, CSZ_ACCELERATOR_PEAK_BF16), fp8 = fact(i, CSZ_ACCELERATOR_PEAK_FP8);
        double power = fact(i, CSZ_ACCELERATOR_POWER),
               label = fact(i, CSZ_ACCELERATOR_MEMORY_LABEL);
        double bandwidth = fact(i, CSZ_ACCELERATOR_MEMORY_BANDWIDTH);
        double domain = fact(i, CSZ_ACCELERATOR_SCALE_UP_DOMAIN);

        ck_assert_msg(memory_of(i) > 0 && bandwidth > 0, "%s", csz_catalog_id_at(NULL, kind, i));
        /* TPU v2 0.16 to Ascend 910C 2.5. A sparse headline would be twice the truth. */
        within(kind, i, "bf16 TFLOP/s a watt", over(bf16, power) / 1e12, 0.1, 4);
        /* L4 12.5 to Rubin 76. */
        within(kind, i, "memory bandwidth a byte", over(bandwidth, memory_of(i)), 10, 100);
        /* Labels are GB or GiB: 1 to 1.074. */
        within(kind, i, "memory over label", over(fact(i, CSZ_ACCELERATOR_MEMORY), label), 0.99,
               1.08);
        within(kind, i, "memory", memory_of(i), 4 * GB, 1000 * GB);
        /* H20 37 to TPU v6e 560 FLOP a byte of bandwidth. */
        within(kind, i, "bf16 over bandwidth", over(bf16, bandwidth), 30, 700);
        /* Formats: half the bits, at least the rate; Rubin's fp8 and RTX 5090's fp4 are over 4 x.
         */
        within(kind, i, "fp8 over bf16", over(fp8, bf16), 1, 5);
        within(kind, i, "fp4 over fp8", over(fact(i, CSZ_ACCELERATOR_PEAK_FP4), fp8), 1, 4.5);
        within(kind, i, "fp16 over bf16", over(fact(i, CSZ_ACCELERATOR_PEAK_FP16), bf16), 0.25, 2);
        within(kind, i, "tf32 over bf16", over(fact(i, CSZ_ACCELERATOR_PEAK_TF32), bf16), 0.25, 1);
        within(kind, i, "fp32 over bf16", over(fact(i, CSZ_ACCELERATOR_PEAK_FP32), bf16), 0.02, 1);
        /* PCIe 0.016 to TPU v3 0.44 of the memory's rate. */
        within(kind, i, "link over memory",
               over(fact(i, CSZ_ACCELERATOR_LINK_BANDWIDTH), bandwidth), 0.01, 0.5);
        within(kind, i, "power", power, 50, 3000);
        ck_assert_msg(domain >= 1, "%s: domain %g", csz_catalog_id_at(NULL, kind, i), domain);
    }
}
END_TEST

START_TEST(nodes_are_plausible)
{
    const csz_kind kind = CSZ_KIND_NODE;

    for (size_t i = 0; i < csz_catalog_count(NULL, kind); i++) {
        size_t a = index_of(CSZ_KIND_ACCELERATOR, text_of(i, CSZ_NODE_ACCELERATOR).text);
        double count = fact(i, CSZ_NODE_ACCELERATORS);
        double bandwidth = fact(i, CSZ_NODE_SCALE_OUT_BANDWIDTH);

        ck_assert_msg(count >= 1 && count <= 1024, "%s: %g", csz_catalog_id_at(NULL, kind, i),
                      count);
        ck_assert_msg(fact(i, CSZ_NODE_SCALE_UP_DOMAIN) >= 1, "%s",
                      csz_catalog_id_at(NULL, kind, i));
        /* Racks 1.34 to DGX A100 2.03 times the accelerators' limits. */
        within(kind, i, "power over its accelerators",
               over(fact(i, CSZ_NODE_POWER), count * fact(a, CSZ_ACCELERATOR_POWER)), 1.1, 2.3);
        /* 25 Gb/s over 8 to 800 Gb/s each, and never more than the link inside. */
        within(kind, i, "scale-out", bandwidth, 0.3 * GB, 100 * GB);
        within(kind, i, "scale-out over link",
               over(bandwidth, fact(a, CSZ_ACCELERATOR_LINK_BANDWIDTH)), 0.002, 1);
    }
}
END_TEST

START_TEST(fabrics_are_plausible)
{
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_FABRIC); i++) {
        ck_assert(fact(i, CSZ_FABRIC_BANDWIDTH) > 0);
        within(CSZ_KIND_FABRIC, i, "bandwidth", fact(i, CSZ_FABRIC_BANDWIDTH), 1 * GB, 200 * GB);
        within(CSZ_KIND_FABRIC, i, "latency", fact(i, CSZ_FABRIC_LATENCY), 0.1e-6, 50e-6);
    }
    ck_assert(fact(index_of(CSZ_KIND_FABRIC, "ib-hdr"), CSZ_FABRIC_LATENCY) > 0);
}
END_TEST

/* USD for 1e15 dense 16-bit FLOP/s during an hour. Marketplace cards and TPU v2 (whose price may be
 * of a board) are the ends. */
START_TEST(prices_for_compute_are_plausible)
{
    static const struct {
        const char *term;
        double low, high;
    } terms[] = {
        {"on-demand", 0.5, 40}, {"spot", 0.3, 40}, {"reserved-1y", 1, 25}, {"reserved-3y", 1, 20}};
    const csz_kind kind = CSZ_KIND_OFFER;

    for (size_t i = 0; i < csz_catalog_count(NULL, kind); i++) {
        size_t a = index_of(CSZ_KIND_ACCELERATOR, text_of(i, CSZ_OFFER_ACCELERATOR).text);

        for (size_t t = 0; t < sizeof terms / sizeof *terms; t++)
            if (has_text(i, CSZ_OFFER_TERM, terms[t].term))
                within(kind, i, "price of a PFLOP/s",
                       over(fact(i, CSZ_OFFER_PRICE) * 1e15, peak_of(a)), terms[t].low,
                       terms[t].high);
        /* USD for 1e12 FLOP/s: TPU v6e at cost 7 to a DGX-2 of 2018 at 200. */
        within(kind, i, "purchase of a TFLOP/s",
               over(fact(i, CSZ_OFFER_PURCHASE) * 1e12, peak_of(a)), 5, 250);
        /* V100 on marketplaces and in large clouds: a factor of 25. */
        within(kind, i, "spread", over(fact(i, CSZ_OFFER_HIGH), fact(i, CSZ_OFFER_LOW)), 1, 30);
        within(kind, i, "spread",
               over(fact(i, CSZ_OFFER_PURCHASE_HIGH), fact(i, CSZ_OFFER_PURCHASE_LOW)), 1, 3);
    }
}
END_TEST

/* Hours of rental that buy the part: between two weeks and four years. TPUs are not sold. */
START_TEST(purchase_and_rental_agree)
{
    size_t both = 0;

    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_OFFER); i++) {
        word accelerator = text_of(i, CSZ_OFFER_ACCELERATOR);
        char rental[280];
        size_t index;

        snprintf(rental, sizeof rental, "%s-on-demand", accelerator.text);
        if (!has_text(i, CSZ_OFFER_TERM, "purchase") || strncmp(accelerator.text, "tpu", 3) == 0 ||
            csz_catalog_find(NULL, CSZ_KIND_OFFER, rental, &index) != CSZ_OK)
            continue;
        within(CSZ_KIND_OFFER, i, "hours of rental",
               over(fact(i, CSZ_OFFER_PURCHASE), fact(index, CSZ_OFFER_PRICE)), 336, 35064);
        both++;
    }
    ck_assert_uint_ge(both, 40);
}
END_TEST

static int is_collective(size_t curve)
{
    return has_text(curve, CSZ_CURVE_OPERATION, "all-reduce") ||
           has_text(curve, CSZ_CURVE_OPERATION, "all-gather") ||
           has_text(curve, CSZ_CURVE_OPERATION, "reduce-scatter") ||
           has_text(curve, CSZ_CURVE_OPERATION, "all-to-all");
}

START_TEST(curves_are_plausible)
{
    const csz_kind kind = CSZ_KIND_CURVE;

    for (size_t i = 0; i < csz_catalog_count(NULL, kind); i++) {
        const char *id = csz_catalog_id_at(NULL, kind, i);
        double rate = fact(i, CSZ_CURVE_BUS_BANDWIDTH), latency = fact(i, CSZ_CURVE_LATENCY);
        word accelerator = text_of(i, CSZ_CURVE_ACCELERATOR);

        ck_assert_msg((rate > 0) != (latency > 0), "%s: a rate or a latency", id);
        ck_assert_msg(!is_collective(i) || fact(i, CSZ_CURVE_RANKS) >= 2, "%s: ranks", id);
        within(kind, i, "latency", latency, 0.1e-6, 100e-6);
        within(kind, i, "rate", rate, 1e6, 1e12);
        /* Reduction in the switch (NVLS) passes the link's own rate by up to 7%. */
        if (accelerator.text[0] != '\0')
            within(kind, i, "rate over link",
                   over(rate, fact(index_of(CSZ_KIND_ACCELERATOR, accelerator.text),
                                   CSZ_ACCELERATOR_LINK_BANDWIDTH)),
                   1e-6, 1.1);
    }
}
END_TEST

/* The same operation with more bytes is not much slower a byte: PCIe cards lose 40% once. */
START_TEST(curves_rise_with_the_size)
{
    size_t count = csz_catalog_count(NULL, CSZ_KIND_CURVE), pairs = 0;

    for (size_t i = 1; i < count; i++) {
        const char *id = csz_catalog_id_at(NULL, CSZ_KIND_CURVE, i);
        const char *before = csz_catalog_id_at(NULL, CSZ_KIND_CURVE, i - 1);
        double rate = fact(i, CSZ_CURVE_BUS_BANDWIDTH),
               other = fact(i - 1, CSZ_CURVE_BUS_BANDWIDTH);
        size_t stem = (size_t)(strrchr(id, '-') - id);

        if (strncmp(id, before, stem + 1) != 0 || !(rate > 0) || !(other > 0) ||
            fact(i, CSZ_CURVE_BYTES) <= fact(i - 1, CSZ_CURVE_BYTES))
            continue;
        ck_assert_msg(rate >= 0.6 * other, "%s: %g after %g", id, rate, other);
        pairs++;
    }
    ck_assert_uint_ge(pairs, 300);
}
END_TEST

/* Bounds by unit, the same for both kinds. */
static void ck_unit(csz_kind kind, size_t i, const char *unit, double value)
{
    static const struct {
        const char *unit;
        double low, high;
    } units[] = {{"fraction", 0.001, 1},    {"USD/kWh", 0.03, 0.4},
                 {"EUR/kWh", 0.03, 0.4},    {"USD/kW-month", 80, 400},
                 {"years", 1, 20},          {"USD/W", 5, 25},
                 {"USD/MW", 5e6, 25e6},     {"USD/GPU", 20e3, 100e3},
                 {"kW", 0.1, 2000},         {"GB/s", 1, 10000},
                 {"1/node-day", 1e-4, 0.1}, {"1/h", 1e-6, 1e-3},
                 {"ratio", 1, 3},           {"h", 0.1, 100}};

    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        if (strcmp(units[u].unit, unit) == 0)
            within(kind, i, unit, value, units[u].low, units[u].high);
}

START_TEST(operations_are_plausible)
{
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_OPERATION); i++) {
        const char *id = csz_catalog_id_at(NULL, CSZ_KIND_OPERATION, i);
        double value = fact(i, CSZ_OPERATION_VALUE), low = fact(i, CSZ_OPERATION_LOW);
        double high = fact(i, CSZ_OPERATION_HIGH);
        word unit = text_of(i, CSZ_OPERATION_UNIT);

        ck_assert_msg(value > 0 && unit.text[0] != '\0', "%s", id);
        ck_assert_msg(low <= value && (high >= value || !(high > 0)), "%s: %g %g %g", id, low,
                      value, high);
        ck_assert_msg(text_of(i, CSZ_OPERATION_SUBJECT).text[0] != '\0', "%s: subject", id);
        ck_assert_msg(text_of(i, CSZ_OPERATION_METRIC).text[0] != '\0', "%s: metric", id);
        ck_unit(CSZ_KIND_OPERATION, i, unit.text, value);
    }
}
END_TEST

START_TEST(failures_are_plausible)
{
    double causes = 0, shares = 0;

    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_RELIABILITY); i++) {
        word unit = text_of(i, CSZ_RELIABILITY_UNIT), metric = text_of(i, CSZ_RELIABILITY_METRIC);
        double value = fact(i, CSZ_RELIABILITY_VALUE);

        ck_assert_msg(value > 0 && unit.text[0] != '\0', "%s",
                      csz_catalog_id_at(NULL, CSZ_KIND_RELIABILITY, i));
        ck_unit(CSZ_KIND_RELIABILITY, i, unit.text, value);
        if (!has_text(i, CSZ_RELIABILITY_RUN, "llama3-405b") ||
            strncmp(metric.text, "cause_", 6) != 0)
            continue;
        causes += value;
        shares += fact(i, CSZ_RELIABILITY_SHARE);
    }
    /* Llama 3, table 5: all causes are the unexpected interruptions. */
    ck_assert_double_eq_tol(causes, 419, 1e-9);
    ck_assert_double_eq_tol(shares, 1, 0.002);
}
END_TEST

/* What the library assumes is a row that a user can see. */
START_TEST(defaults_are_rows_of_the_catalog)
{
    static const struct {
        const char *id;
        double value;
    } operations[] = {{"default-restart-time", 600},
                      {"default-storage-bandwidth", 1.2e9},
                      {"default-finetune-batch", 64}};
    size_t index = index_of(CSZ_KIND_RELIABILITY, "llama3-405b-failures-per-node-day");

    ck_assert_double_eq(fact(index, CSZ_RELIABILITY_VALUE), 0.00379);
    ck_assert_ptr_eq(cszi_reliability_find("llama3-405b-failures-per-node-day"),
                     &cszi_reliabilities[index]);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        index = index_of(CSZ_KIND_OPERATION, operations[i].id);
        ck_assert_double_eq(fact(index, CSZ_OPERATION_VALUE), operations[i].value);
        ck_assert_ptr_eq(cszi_operation_find(operations[i].id), &cszi_operations[index]);
    }
    ck_assert_ptr_null(cszi_operation_find("nothing"));
    ck_assert_ptr_null(cszi_reliability_find("nothing"));
}
END_TEST

/* ---- The files ---- */

typedef struct column {
    const char *name;
    csz_field field;
    double factor;
} column;

static void ck_columns(size_t row, csz_kind kind, size_t index, const column *columns, size_t count,
                       double tolerance)
{
    for (size_t c = 0; c < count; c++) {
        double stated = number(row, columns[c].name) * columns[c].factor;
        double held = fact(index, columns[c].field);

        ck_assert_msg(same(stated, held, tolerance), "%s: %s is %g, the file says %g",
                      csz_catalog_id_at(NULL, kind, index), csz_field_name(columns[c].field), held,
                      stated);
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

START_TEST(accelerators_equal_the_file)
{
    static const column columns[] = {{"mem_marketing_gb", CSZ_ACCELERATOR_MEMORY_LABEL, GB},
                                     {"mem_reported_mib", CSZ_ACCELERATOR_MEMORY, MIB},
                                     {"mem_bw_gbs", CSZ_ACCELERATOR_MEMORY_BANDWIDTH, GB},
                                     {"fp32_tflops", CSZ_ACCELERATOR_PEAK_FP32, 1e12},
                                     {"tf32_tflops", CSZ_ACCELERATOR_PEAK_TF32, 1e12},
                                     {"bf16_tflops", CSZ_ACCELERATOR_PEAK_BF16, 1e12},
                                     {"fp16_tflops", CSZ_ACCELERATOR_PEAK_FP16, 1e12},
                                     {"fp8_tflops", CSZ_ACCELERATOR_PEAK_FP8, 1e12},
                                     {"fp4_tflops", CSZ_ACCELERATOR_PEAK_FP4, 1e12},
                                     {"tdp_w", CSZ_ACCELERATOR_POWER, 1},
                                     {"link_uni_gbs", CSZ_ACCELERATOR_LINK_BANDWIDTH, GB},
                                     {"scaleup_domain", CSZ_ACCELERATOR_SCALE_UP_DOMAIN, 1}};

    if (!open_csv("accelerators.csv"))
        return;
    ck_assert_uint_eq(table.rows, csz_catalog_count(NULL, CSZ_KIND_ACCELERATOR));
    for (size_t r = 0; r < table.rows; r++)
        ck_columns(r, CSZ_KIND_ACCELERATOR, index_of(CSZ_KIND_ACCELERATOR, cell(r, "id")), columns,
                   COUNT(columns), 1e-12);
}
END_TEST

START_TEST(nodes_equal_the_file)
{
    static const column columns[] = {
        {"accelerators_per_node", CSZ_NODE_ACCELERATORS, 1},
        {"scaleup_domain", CSZ_NODE_SCALE_UP_DOMAIN, 1},
        {"scaleout_gbps_per_accel", CSZ_NODE_SCALE_OUT_BANDWIDTH, GB / 8},
        {"max_power_kw", CSZ_NODE_POWER, 1000}};
    /* Where the file has none, a row may have it of a source of its own. */
    static const column host[] = {{"host_mem_gb_printed", CSZ_NODE_HOST_MEMORY, GB}};

    if (!open_csv("nodes.csv"))
        return;
    ck_assert_uint_eq(table.rows, csz_catalog_count(NULL, CSZ_KIND_NODE));
    for (size_t r = 0; r < table.rows; r++) {
        size_t index = index_of(CSZ_KIND_NODE, cell(r, "id"));

        ck_assert(has_text(index, CSZ_NODE_ACCELERATOR, cell(r, "accelerator_id")));
        ck_columns(r, CSZ_KIND_NODE, index, columns, COUNT(columns),
                   1e-6); /* the file rounds thirds */
        if (cell(r, "host_mem_gb_printed")[0] != '\0')
            ck_columns(r, CSZ_KIND_NODE, index, host, COUNT(host), 1e-12);
    }
}
END_TEST

static int has_operation(double value)
{
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_OPERATION); i++)
        if (same(fact(i, CSZ_OPERATION_VALUE), value, 1e-12))
            return 1;
    return 0;
}

/* "payload 16 MiB fp16" to bytes; 0 without a size. */
static double size_in(const char *conditions)
{
    static const char units[] = "KMG";
    const char *at = strstr(conditions, "iB");

    if (at == NULL)
        return 0;
    for (at--; at > conditions && (at[-1] == ' ' || (at[-1] >= '0' && at[-1] <= '9')); at--)
        ;
    return read_number(at) *
           pow(1024, (double)(strchr(units, strstr(conditions, "iB")[-1]) - units + 1));
}

/* "nccl-h100_sxm-alltoall-8" and "payload 1 MiB" to "h100-sxm-all-to-all-8-1mib". */
static void curve_id(char id[128], const char *name, const char *size)
{
    const char *all = strstr(name, "alltoall");
    size_t n = (size_t)snprintf(id, 128, "%.*s%s%s-%s", all != NULL ? (int)(all - name - 5) : 123,
                                name + 5, all != NULL ? "all-to-all" : "",
                                all != NULL ? all + 8 : "", size);

    ck_assert_uint_lt(n, 128);
    for (char *s = id; *s != '\0'; s++)
        *s = *s == '_' ? '-' : *s;
}

static void ck_curve(size_t row)
{
    char id[128], size[32];
    double bytes = size_in(cell(row, "conditions")), value = number(row, "value");
    size_t index, found = 0;

    if (strncmp(cell(row, "id"), "nccl-", 5) == 0 &&
        (is(row, "metric", "busbw") || is(row, "metric", "small_message_time"))) {
        snprintf(size, sizeof size, bytes > 0 ? "%.0fmib" : "512b", bytes / MIB);
        curve_id(id, cell(row, "id"), size);
        index = index_of(CSZ_KIND_CURVE, id);
        ck_assert_double_eq(fact(index, CSZ_CURVE_BYTES), bytes > 0 ? bytes : 512);
        ck_assert_msg(same(fact(index, CSZ_CURVE_BUS_BANDWIDTH),
                           is(row, "unit", "us") ? 0 : value * GB, 1e-12) &&
                          same(fact(index, CSZ_CURVE_LATENCY),
                               is(row, "unit", "us") ? value * 1e-6 : 0, 1e-12),
                      "%s", id);
        return;
    }
    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_CURVE); i++)
        found +=
            (is(row, "unit", "us") ? same(fact(i, CSZ_CURVE_LATENCY), value * 1e-6, 1e-12)
                                   : same(fact(i, CSZ_CURVE_BUS_BANDWIDTH), value * GB, 1e-12)) &&
            (!(bytes > 0) || same(fact(i, CSZ_CURVE_BYTES), bytes, 1e-12));
    ck_assert_msg(found > 0, "%s %s %s", cell(row, "id"), cell(row, "subject"),
                  cell(row, "conditions"));
}

static int is_curve(size_t r)
{
    return is(r, "kind", "curve") || is(r, "kind", "latency") ||
           is(r, "metric", "measured_p2p_uni") || strstr(cell(r, "metric"), " busbw") != NULL;
}

/* Neither a figure (formulas) nor one of its own: ports are stated twice, and rates of hosts and in
 * bits are held for an accelerator and in bytes. */
static int is_passed_over(size_t r)
{
    return is(r, "kind", "formula") || is(r, "metric", "port_bw_uni") ||
           is(r, "metric", "ib_write_bw") || strncmp(cell(r, "id"), "dcn-", 4) == 0;
}

static void ck_fabric_row(size_t r)
{
    const char *id = cell(r, "id");
    double value = number(r, "value");

    if (is(r, "metric", "port_rate_uni"))
        ck_assert_msg(
            same(fact(index_of(CSZ_KIND_FABRIC, id), CSZ_FABRIC_BANDWIDTH), value * GB / 8, 1e-12),
            "%s", id);
    else if (is(r, "metric", "adapter_latency"))
        ck_assert_msg(
            same(fact(index_of(CSZ_KIND_FABRIC, id), CSZ_FABRIC_LATENCY), value * 1e-6, 1e-12),
            "%s", id);
    else if (is(r, "kind", "node_rate"))
        (void)index_of(CSZ_KIND_FABRIC, id);
    else if (is_curve(r))
        ck_curve(r);
    else if (!is_passed_over(r))
        ck_assert_msg(has_operation(value), "%s %s", id, cell(r, "metric"));
}

START_TEST(fabrics_and_curves_equal_the_file)
{
    if (!open_csv("fabrics.csv"))
        return;
    for (size_t r = 0; r < table.rows; r++)
        ck_fabric_row(r);
}
END_TEST

static word term_of(size_t row)
{
    word w;

    snprintf(w.text, sizeof w.text, "%s%s%s", cell(row, "price_kind"),
             cell(row, "term")[0] != '\0' ? "-" : "", cell(row, "term"));
    return w;
}

/* A quote stands once for each accelerator, term and price. */
static int has_offer(size_t row, csz_field field, double price)
{
    word term = term_of(row);

    for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_OFFER); i++)
        if (same(fact(i, field), price, 1e-12) && has_text(i, CSZ_OFFER_TERM, term.text) &&
            has_text(i, CSZ_OFFER_ACCELERATOR, cell(row, "accelerator_id")))
            return 1;
    return 0;
}

static void ck_summary(size_t row, csz_field price, csz_field low, csz_field high)
{
    const column columns[] = {{"median", price, 1}, {"min", low, 1}, {"max", high, 1}};
    char id[300];
    size_t index;

    snprintf(id, sizeof id, "%.30s-%.200s", cell(row, "accelerator_id"), term_of(row).text);
    index = index_of(CSZ_KIND_OFFER, id);
    ck_assert(has_text(index, CSZ_OFFER_ACCELERATOR, cell(row, "accelerator_id")));
    ck_assert(has_text(index, CSZ_OFFER_DATE, cell(row, "date")));
    ck_columns(row, CSZ_KIND_OFFER, index, columns, 3, 1e-12);
}

START_TEST(offers_equal_the_file)
{
    if (!open_csv("prices.csv"))
        return;
    for (size_t r = 0; r < table.rows; r++) {
        if (is(r, "row_type", "summary"))
            ck_summary(r, CSZ_OFFER_PRICE, CSZ_OFFER_LOW, CSZ_OFFER_HIGH);
        else if (is(r, "row_type", "summary_purchase"))
            ck_summary(r, CSZ_OFFER_PURCHASE, CSZ_OFFER_PURCHASE_LOW, CSZ_OFFER_PURCHASE_HIGH);
        else if (is(r, "row_type", "purchase"))
            ck_assert_msg(has_offer(r, CSZ_OFFER_PURCHASE, number(r, "usd_purchase_per_accel")),
                          "row %zu", r + 1);
        else if (strstr(cell(r, "note"), "excluded") ==
                 NULL) /* listings that the collection doubts */
            ck_assert_msg(has_offer(r, CSZ_OFFER_PRICE, number(r, "usd_per_accel_hour")), "row %zu",
                          r + 1);
    }
}
END_TEST

START_TEST(operations_equal_the_file)
{
    if (!open_csv("power_and_operations.csv"))
        return;
    for (size_t r = 0; r < table.rows; r++) {
        size_t found = 0;

        for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_OPERATION); i++)
            found += has_text(i, CSZ_OPERATION_TOPIC, cell(r, "topic")) &&
                     has_text(i, CSZ_OPERATION_SUBJECT, cell(r, "subject")) &&
                     has_text(i, CSZ_OPERATION_METRIC, cell(r, "metric")) &&
                     has_text(i, CSZ_OPERATION_UNIT, cell(r, "unit")) &&
                     has_text(i, CSZ_OPERATION_DATE, cell(r, "date")) &&
                     same(fact(i, CSZ_OPERATION_VALUE), number(r, "value"), 1e-12) &&
                     same(fact(i, CSZ_OPERATION_LOW), number(r, "low"), 1e-12) &&
                     same(fact(i, CSZ_OPERATION_HIGH), number(r, "high"), 1e-12);
        ck_assert_msg(found == 1, "row %zu: %s %s: %zu entries", r + 1, cell(r, "subject"),
                      cell(r, "metric"), found);
    }
}
END_TEST

START_TEST(reliability_equals_the_file)
{
    size_t formulas = 0;

    if (!open_csv("reliability.csv"))
        return;
    for (size_t r = 0; r < table.rows; r++) {
        size_t found = 0;

        if (is(r, "metric", "ettr_formula")) {
            formulas++;
            continue;
        }
        for (size_t i = 0; i < csz_catalog_count(NULL, CSZ_KIND_RELIABILITY); i++)
            found +=
                has_text(i, CSZ_RELIABILITY_RUN, cell(r, "run")) &&
                has_text(i, CSZ_RELIABILITY_METRIC, cell(r, "metric")) &&
                has_text(i, CSZ_RELIABILITY_UNIT, cell(r, "unit")) &&
                has_text(i, CSZ_RELIABILITY_ACCELERATOR, cell(r, "accelerator_id")) &&
                same(fact(i, CSZ_RELIABILITY_ACCELERATORS), number(r, "accelerators"), 1e-12) &&
                same(fact(i, CSZ_RELIABILITY_VALUE), number(r, "value"), 1e-12) &&
                same(fact(i, CSZ_RELIABILITY_SHARE), number(r, "share"), 1e-12);
        ck_assert_msg(found == 1, "row %zu: %s %s: %zu entries", r + 1, cell(r, "run"),
                      cell(r, "metric"), found);
    }
    ck_assert_uint_eq(table.rows - formulas, csz_catalog_count(NULL, CSZ_KIND_RELIABILITY));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts");
    TCase *tcase = tcase_create("facts");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, accelerators_are_plausible);
    tcase_add_test(tcase, nodes_are_plausible);
    tcase_add_test(tcase, fabrics_are_plausible);
    tcase_add_test(tcase, prices_for_compute_are_plausible);
    tcase_add_test(tcase, purchase_and_rental_agree);
    tcase_add_test(tcase, curves_are_plausible);
    tcase_add_test(tcase, curves_rise_with_the_size);
    tcase_add_test(tcase, operations_are_plausible);
    tcase_add_test(tcase, failures_are_plausible);
    tcase_add_test(tcase, defaults_are_rows_of_the_catalog);
    tcase_add_test(tcase, accelerators_equal_the_file);
    tcase_add_test(tcase, nodes_equal_the_file);
    tcase_add_test(tcase, fabrics_and_curves_equal_the_file);
    tcase_add_test(tcase, offers_equal_the_file);
    tcase_add_test(tcase, operations_equal_the_file);
    tcase_add_test(tcase, reliability_equals_the_file);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
