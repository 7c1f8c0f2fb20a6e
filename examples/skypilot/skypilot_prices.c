/* skypilot_prices.c: offers of an overlay catalog from the price files of SkyPilot's public catalog
 * (github.com/skypilot-org/skypilot-catalog, catalogs/<version>/<provider>/vms.csv), so that prices
 * can be brought up to date without a release:
 *
 *     skypilot-prices --provider aws --date 2026-08-01 vms.csv >prices.json
 *     clustersize list offers aws-h100 --catalog prices.json
 *     clustersize size --catalog prices.json --offer aws-h100-sxm-80gb-us-east-1 ...
 *
 * Reads the file, or standard input without one. Columns are found by their names: AcceleratorName,
 * AcceleratorCount, Price and Region must be there, InstanceType and SpotPrice may; others are
 * ignored. Prices are of the whole instance and are divided by its accelerators. An empty price or
 * one of 0 is no price. Of each accelerator, term (on-demand, spot) and region the cheapest row
 * stands: {"id", "accelerator", "provider", "instance", "region", "term", "price", "source",
 * "date", "confidence"}. On-demand prices are of high confidence, spot prices, which move by the
 * hour, of medium, and accelerators without an instance, as GCP lists them, of low: their host
 * costs extra (that of TPUs does not).
 *
 * Rows without an accelerator, with a share of one, or with one that the table below does not name
 * are left out; standard error tells how many. Exit status: 0, or 2 for bad arguments or a file
 * that is no such CSV.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAD = 2, MOST_COLUMNS = 64, ID_CAPACITY = 64 };

/* ---- SkyPilot's names ---- */

/* The first row that agrees counts: the name as a whole, the provider and a part of the instance
 * type where they are given. Ids are those of `clustersize list accelerators`. */
static const struct part {
    const char *name, *provider, *instance, *id;
} parts[] = {
    {"A10", NULL, NULL, "a10"},
    {"A10G", NULL, NULL, "a10g"},
    {"A30", NULL, NULL, "a30"},
    {"A40", NULL, NULL, "a40"},
    {"A100", "lambda", "gpu_1x_a100", "a100-pcie-40gb"}, /* gpu_1x_a100_sxm4 stands below */
    {"A100", NULL, NULL, "a100-sxm-40gb"},
    {"A100-80GB", "runpod", NULL, "a100-pcie-80gb"}, /* beside A100-80GB-SXM */
    {"A100-80GB", "azure", "_NC", "a100-pcie-80gb"}, /* NC A100 v4 */
    {"A100-80GB", NULL, NULL, "a100-sxm-80gb"},
    {"A100-80GB-SXM", NULL, NULL, "a100-sxm-80gb"},
    {"H100", "runpod", NULL, "h100-pcie-80gb"}, /* beside H100-SXM and H100-NVL */
    {"H100", "azure", "_NC", "h100-nvl-94gb"},  /* NC H100 v5 */
    {"H100", NULL, "pcie", "h100-pcie-80gb"},
    {"H100", NULL, NULL, "h100-sxm-80gb"},
    {"H100-MEGA", NULL, NULL, "h100-sxm-80gb"},
    {"H100-NVL", NULL, NULL, "h100-nvl-94gb"},
    {"H100-NVLINK", NULL, NULL, "h100-sxm-80gb"},
    {"H100-PCIE", NULL, NULL, "h100-pcie-80gb"},
    {"H100-SXM", NULL, NULL, "h100-sxm-80gb"},
    {"H200", NULL, NULL, "h200-sxm-141gb"},
    {"H200-NVL", NULL, NULL, "h200-nvl-141gb"},
    {"H200-SXM", NULL, NULL, "h200-sxm-141gb"},
    {"GH200", NULL, NULL, "gh200-96gb"},
    {"B200", NULL, NULL, "b200-sxm-180gb"},
    {"B300", NULL, NULL, "b300-sxm-288gb"},
    {"GB200", NULL, NULL, "gb200-186gb"},
    {"GB300", NULL, NULL, "gb300-288gb"},
    {"L4", NULL, NULL, "l4"},
    {"L40", NULL, NULL, "l40"},
    {"L40S", NULL, NULL, "l40s"},
    {"T4", NULL, NULL, "t4"},
    {"V100", "azure", NULL, "v100-pcie-16gb"},
    {"V100", NULL, NULL, "v100-sxm2-16gb"},
    {"V100-32GB", NULL, NULL, "v100-sxm2-32gb"},
    {"A6000", NULL, NULL, "rtx-a6000"},
    {"RTXA6000", NULL, NULL, "rtx-a6000"},
    {"RTX3090", NULL, NULL, "rtx-3090"},
    {"RTX4090", NULL, NULL, "rtx-4090"},
    {"RTX5090", NULL, NULL, "rtx-5090"},
    {"RTX6000-Ada", NULL, NULL, "rtx-6000-ada"},
    {"RTXPRO6000", NULL, NULL, "rtx-pro-6000-blackwell"},
    {"MI300X", NULL, NULL, "mi300x-192gb"},
    {"MI325X", NULL, NULL, "mi325x-256gb"},
    {"MI355X", NULL, NULL, "mi355x-288gb"},
    {"Trainium", NULL, NULL, "trainium1"},
    {"Trainium2", NULL, NULL, "trainium2"},
    {"Inferentia2", NULL, NULL, "inferentia2"},
};

/* Providers as the built-in offers name them; others stand as they are given. */
static const struct provider {
    const char *name, *shown;
} providers[] = {
    {"aws", "AWS"},       {"azure", "Azure"},   {"cudo", "Cudo Compute"}, {"gcp", "GCP"},
    {"lambda", "Lambda"}, {"nebius", "Nebius"}, {"oci", "OCI"},           {"runpod", "RunPod"},
    {"vast", "Vast.ai"},  {"verda", "Verda"},
};

/* A slice of TPUs, "tpu-v6e-64", counts as one accelerator; its number is chips, or for some
 * generations cores, of which a chip has two (cloud.google.com/tpu/docs). */
static const struct slice {
    const char *prefix, *id;
    int units; /* of a chip */
} slices[] = {
    {"tpu-v2-", "tpu-v2", 2},         {"tpu-v3-", "tpu-v3", 2},   {"tpu-v4-", "tpu-v4", 2},
    {"tpu-v5litepod-", "tpu-v5e", 1}, {"tpu-v5p-", "tpu-v5p", 2}, {"tpu-v6e-", "tpu-v6e", 1},
};

/* SkyPilot writes this for slices of any size where it knows no price. */
static const double unknown_slice_price = 700;

/* ---- State ---- */

typedef struct offer {
    const char *accelerator, *term;
    char *region, *instance;
    double price;
    int alone; /* no instance: the host costs extra */
} offer;

typedef struct table {
    FILE *file;
    const char *provider, *date;
    char *text; /* the fields of a record, each with its NUL */
    size_t length, room;
    size_t starts[MOST_COLUMNS], columns;
    long line, record_line;
    offer *offers;
    size_t count, offers_room;
    long without, shares, unknown;
    char first_unknown[64];
} table;

/* Columns by name; -1 where one is missing. */
enum { NAME, COUNT, PRICE, REGION, INSTANCE, SPOT, COLUMNS };
static const char *const column_names[COLUMNS] = {
    "AcceleratorName", "AcceleratorCount", "Price", "Region", "InstanceType", "SpotPrice"};
static int places[COLUMNS];

#ifdef __GNUC__
__attribute__((format(printf, 1, 2), noreturn))
#endif
static void
die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)fputs("skypilot-prices: ", stderr);
    (void)vfprintf(stderr, format, list);
    (void)fputc('\n', stderr);
    va_end(list);
    exit(BAD);
}

static void *grow(void *old, size_t *room, size_t size)
{
    void *larger;
    *room = *room != 0 ? *room * 2 : 64;
    larger = realloc(old, *room * size);
    if (larger == NULL)
        die("out of memory");
    return larger;
}

static char *keep(const char *text)
{
    char *kept = malloc(strlen(text) + 1);
    if (kept == NULL)
        die("out of memory");
    return strcpy(kept, text);
}

/* ---- CSV (RFC 4180) ---- */

static void put(table *t, int c)
{
    if (t->length == t->room)
        t->text = grow(t->text, &t->room, 1);
    t->text[t->length++] = (char)c;
}

static int next(table *t)
{
    int c = fgetc(t->file);
    t->line += c == '\n';
    return c;
}

/* The rest of a field after its opening quote; answers the character after the closing one. */
static int read_quoted(table *t)
{
    for (;;) {
        int c = next(t);
        if (c == EOF)
            die("line %ld: a quote that is not closed", t->record_line);
        if (c == '"') {
            c = next(t);
            if (c != '"')
                return c;
        }
        if (c == '\0')
            die("line %ld: a NUL", t->line);
        put(t, c);
    }
}

/* One field; answers the comma, newline or EOF behind it. */
static int read_field(table *t, int c)
{
    if (t->columns == MOST_COLUMNS)
        die("line %ld: more than %d columns", t->record_line, MOST_COLUMNS);
    t->starts[t->columns++] = t->length;
    if (c == '"') {
        c = read_quoted(t);
    } else {
        for (; c != ',' && c != '\n' && c != '\r' && c != EOF; c = next(t)) {
            if (c == '"' || c == '\0')
                die("line %ld: a quote or NUL within a field", t->record_line);
            put(t, c);
        }
    }
    put(t, '\0');
    if (c == '\r') {
        c = next(t);
        if (c != '\n' && c != EOF)
            die("line %ld: a carriage return within a line", t->record_line);
    }
    if (c != ',' && c != '\n' && c != EOF)
        die("line %ld: text after a closing quote", t->record_line);
    return c;
}

/* 0 at the end of the file. Lines without any character are passed over. */
static int read_record(table *t)
{
    int c;
    t->length = t->columns = 0;
    do {
        t->record_line = t->line;
        c = next(t);
    } while (c == '\n' || c == '\r');
    if (c == EOF)
        return 0;
    for (;;) {
        c = read_field(t, c);
        if (c != ',')
            return 1;
        c = next(t);
    }
}

static const char *field(const table *t, int column)
{
    return places[column] >= 0 ? t->text + t->starts[places[column]] : "";
}

/* ---- Rows ---- */

static void read_header(table *t)
{
    if (!read_record(t))
        die("no header");
    if (strncmp(t->text, "\xef\xbb\xbf", 3) == 0)
        t->starts[0] = 3;
    for (int i = 0; i < COLUMNS; i++) {
        places[i] = -1;
        for (size_t k = 0; k < t->columns; k++) {
            if (strcmp(t->text + t->starts[k], column_names[i]) != 0)
                continue;
            if (places[i] >= 0)
                die("line 1: the column %s twice", column_names[i]);
            places[i] = (int)k;
        }
        if (places[i] < 0 && i < INSTANCE)
            die("line 1: no column %s", column_names[i]);
    }
}

/* A number of at least 0, or 0 for an empty field. */
static double number(const table *t, int column)
{
    const char *text = field(t, column);
    char *end;
    double value = strtod(text, &end);
    if (*text != '\0' && (*end != '\0' || !(value >= 0 && value < 1e9)))
        die("line %ld: %s: '%.40s' is no price or count", t->record_line, column_names[column],
            text);
    return *text != '\0' ? value : 0;
}

static int same(const char *given, const char *wanted)
{
    return wanted == NULL || strcmp(given, wanted) == 0;
}

static const char *find_part(const table *t)
{
    const char *instance = field(t, INSTANCE);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct part *p = &parts[i];
        if (strcmp(field(t, NAME), p->name) != 0 || !same(t->provider, p->provider))
            continue;
        /* gpu_1x_a100 is a whole type, the others are parts of one */
        if (p->instance == NULL || strcmp(instance, p->instance) == 0 ||
            (p->instance[0] != 'g' && strstr(instance, p->instance) != NULL))
            return p->id;
    }
    return NULL;
}

/* A slice: its id, and its chips in *chips. */
static const char *find_slice(const table *t, double *chips)
{
    const char *name = field(t, NAME);
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        size_t n = strlen(slices[i].prefix);
        char *end;
        long units;
        if (strncmp(name, slices[i].prefix, n) != 0)
            continue;
        units = strtol(name + n, &end, 10);
        if (*end != '\0' || units < slices[i].units || units > 1000000)
            return NULL;
        *chips = (double)(units / slices[i].units);
        return slices[i].id;
    }
    return NULL;
}

static void add(table *t, const char *accelerator, const char *term, double price, int alone)
{
    offer new = {accelerator, term, NULL, NULL, price, alone};
    for (size_t i = 0; i < t->count; i++) {
        offer *o = &t->offers[i];
        if (strcmp(o->accelerator, accelerator) != 0 || strcmp(o->term, term) != 0 ||
            strcmp(o->region, field(t, REGION)) != 0)
            continue;
        if (price < o->price) {
            free(o->instance);
            o->instance = keep(field(t, INSTANCE));
            o->price = price;
            o->alone = alone;
        }
        return;
    }
    new.region = keep(field(t, REGION));
    new.instance = keep(field(t, INSTANCE));
    if (t->count == t->offers_room)
        t->offers = grow(t->offers, &t->offers_room, sizeof *t->offers);
    t->offers[t->count++] = new;
}

static void note_unknown(table *t)
{
    if (t->unknown++ == 0)
        (void)snprintf(t->first_unknown, sizeof t->first_unknown, "%s", field(t, NAME));
}

static int is_price(double price, int of_slice)
{
    return price > 0 && (!of_slice || price < unknown_slice_price || price > unknown_slice_price);
}

static void read_row(table *t)
{
    double count = number(t, COUNT), price = number(t, PRICE), spot_price = number(t, SPOT),
           chips = 1;
    const char *id = find_slice(t, &chips);
    int is_slice = id != NULL, alone = !is_slice && field(t, INSTANCE)[0] == '\0';
    if (field(t, NAME)[0] == '\0') {
        t->without++;
        return;
    }
    if (id == NULL)
        id = find_part(t);
    if (id == NULL) {
        note_unknown(t);
        return;
    }
    if (count < 1) { /* a share of an accelerator is no accelerator for its price */
        t->shares++;
        return;
    }
    if (is_price(price, is_slice))
        add(t, id, "on-demand", price / (count * chips), alone);
    if (is_price(spot_price, is_slice))
        add(t, id, "spot", spot_price / (count * chips), alone);
}

/* ---- JSON ---- */

static void put_text(const char *name, const char *text, const char *after)
{
    (void)printf("\"%s\": \"", name);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            (void)putchar('\\');
        if (c < ' ')
            (void)printf("\\u%04x", c);
        else
            (void)putchar(c);
    }
    (void)printf("\"%s", after);
}

/* provider-accelerator-region, and -spot behind it; 0 when it is too long for an id. */
static int make_id(const table *t, const offer *o, char id[ID_CAPACITY])
{
    int n = snprintf(id, ID_CAPACITY, "%s-%s-%s%s", t->provider, o->accelerator,
                     o->region[0] != '\0' ? o->region : "any",
                     strcmp(o->term, "spot") == 0 ? "-spot" : "");
    return n > 0 && n < ID_CAPACITY;
}

static const char *provider_name(const char *name)
{
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++)
        if (strcmp(providers[i].name, name) == 0)
            return providers[i].shown;
    return name;
}

static void put_offer(const table *t, const offer *o, const char *id, int first)
{
    char source[128];
    (void)snprintf(source, sizeof source, "SkyPilot catalog, %.40s/vms.csv%s", t->provider,
                   o->alone ? "; without its host" : "");
    (void)printf("%s  {", first ? "" : ",\n");
    put_text("id", id, ", ");
    put_text("accelerator", o->accelerator, ", ");
    put_text("provider", provider_name(t->provider), ", ");
    if (o->instance[0] != '\0')
        put_text("instance", o->instance, ", ");
    if (o->region[0] != '\0')
        put_text("region", o->region, ", ");
    put_text("term", o->term, ", ");
    (void)printf("\"price\": %.10g, ", o->price);
    put_text("source", source, ", ");
    put_text("date", t->date, ", ");
    put_text("confidence",
             o->alone                       ? "low"
             : strcmp(o->term, "spot") == 0 ? "medium"
                                            : "high",
             "}");
}

static void put_offers(const table *t)
{
    long too_long = 0;
    int first = 1;
    (void)puts("{\"offers\": [");
    for (size_t i = 0; i < t->count; i++) {
        char id[ID_CAPACITY];
        if (t->offers[i].price < 0.0001 || !make_id(t, &t->offers[i], id)) {
            too_long++;
            continue;
        }
        put_offer(t, &t->offers[i], id, first);
        first = 0;
    }
    (void)puts("\n]}");
    (void)fprintf(
        stderr,
        "skypilot-prices: %zu offers; left out: %ld rows without an accelerator, %ld with "
        "a share of one, %ld of unknown ones%s%s%s, %ld offers without a fit id\n",
        t->count - (size_t)too_long, t->without, t->shares, t->unknown, t->unknown > 0 ? " (" : "",
        t->first_unknown, t->unknown > 0 ? ", ...)" : "", too_long);
}

/* ---- Arguments ---- */

static int is_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof form; i++) /* the NUL too */
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return 0;
    return 1;
}

static const char *read_arguments(table *t, int count, char **words)
{
    const char *path = NULL;
    for (int i = 1; i < count; i++) {
        int is_provider = strcmp(words[i], "--provider") == 0;
        if ((is_provider || strcmp(words[i], "--date") == 0) && i + 1 < count)
            *(is_provider ? &t->provider : &t->date) = words[++i];
        else if (words[i][0] == '-' || path != NULL)
            die("%.40s: usage: skypilot-prices --provider NAME --date YYYY-MM-DD [FILE]", words[i]);
        else
            path = words[i];
    }
    if (t->provider == NULL || t->provider[0] == '\0')
        die("--provider: is missing, such as aws, gcp or azure");
    if (t->date == NULL || !is_date(t->date))
        die("--date: must be the date of the file, as YYYY-MM-DD");
    return path;
}

int main(int count, char **words)
{
    static table t;
    const char *path = read_arguments(&t, count, words);
    size_t columns;
    t.file = path != NULL ? fopen(path, "rb") : stdin;
    if (t.file == NULL)
        die("%.200s: %s", path, strerror(errno));
    t.line = 1;
    read_header(&t);
    columns = t.columns;
    while (read_record(&t)) {
        if (t.columns != columns)
            die("line %ld: %zu columns, but the header has %zu", t.record_line, t.columns, columns);
        read_row(&t);
    }
    if (ferror(t.file))
        die("%.200s: cannot be read", path != NULL ? path : "standard input");
    put_offers(&t);
    for (size_t i = 0; i < t.count; i++) {
        free(t.offers[i].region);
        free(t.offers[i].instance);
    }
    free(t.offers);
    free(t.text);
    if (path != NULL)
        (void)fclose(t.file);
    return fflush(stdout) == 0 ? 0 : BAD;
}
