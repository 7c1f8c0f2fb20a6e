/* admission.c: whether a job that describes itself may be queued. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clustersize/clustersize.h>

#include "admission.h"

#define BLANKS " \t\r\n"

typedef struct question {
    csz_workload *workload;
    csz_cluster *cluster;
    csz_plan *plan;
    csz_estimate *estimate;
    char *text; /* as long as the description and a blank */
} question;

const char *admission_description(const char *comment)
{
    static const char word[] = "clustersize";

    if (comment == NULL)
        return NULL;
    comment += strspn(comment, BLANKS);
    if (strncmp(comment, word, sizeof word - 1) != 0)
        return NULL;
    comment += sizeof word - 1;
    comment += *comment == ':';
    return *comment == '\0' || strchr(BLANKS, *comment) != NULL ? comment : NULL;
}

/* One item, "gres:gpu", "gres:gpu:4" or "gres:gpu:h100:4(S:0)": its count. */
static int64_t item_gpus(const char *item, size_t length)
{
    char text[128];
    char *count;
    char *end;

    if (length >= sizeof text)
        return -1;
    memcpy(text, item, length);
    text[length] = '\0';
    text[strcspn(text, "(")] = '\0';
    count = strncmp(text, "gres:", 5) == 0 ? text + 5 : text;
    if (strncmp(count, "gpu", 3) != 0 || (count[3] != '\0' && strchr(":=", count[3]) == NULL))
        return 0;
    count = strrchr(count, ':') != NULL ? strrchr(count, ':') : count + 3;
    if (count[0] == '\0' || !isdigit((unsigned char)count[1]))
        return 1; /* a type without a count, or nothing: Slurm's one */
    long value = strtol(count + 1, &end, 10);
    return *end == '\0' && value <= 1000000000 ? value : -1;
}

int64_t admission_gpus(const char *tres)
{
    int64_t sum = 0;

    while (tres != NULL && *tres != '\0') {
        size_t length = strcspn(tres, ",;");
        int64_t count = item_gpus(tres, length);

        if (count < 0)
            return -1;
        sum += count;
        tres += length + (tres[length] != '\0');
    }
    return sum;
}

static void refuse(admission *answer, const char *message)
{
    answer->admitted = 0;
    snprintf(answer->message, sizeof answer->message, "%s", message);
}

/* The object of a pair's field; an unknown name goes to the workload, which refuses it by name. */
static int object_of(const char *pair)
{
    char stem[64];
    size_t length = strcspn(pair, "=[" BLANKS);

    if (length >= sizeof stem)
        return CSZ_OBJECT_WORKLOAD;
    memcpy(stem, pair, length);
    stem[length] = '\0';
    return (int)csz_field_by_name(stem) / 1000;
}

/* The pairs of one object into text, which is as long as the description. */
static void pick(const char *description, int object, char *text)
{
    while (*(description += strspn(description, BLANKS)) != '\0') {
        size_t length = strcspn(description, BLANKS);
        int of = object_of(description);

        if (of == object ||
            (object == CSZ_OBJECT_WORKLOAD && of != CSZ_OBJECT_CLUSTER && of != CSZ_OBJECT_PLAN)) {
            memcpy(text, description, length);
            text += length;
            *text++ = ' ';
        }
        description += length;
    }
    *text = '\0';
}

static int set_all(question *q, admission *answer, const char *description)
{
    pick(description, CSZ_OBJECT_WORKLOAD, q->text);
    if (csz_workload_set(q->workload, NULL, q->text) != CSZ_OK) {
        refuse(answer, csz_workload_error(q->workload, NULL));
        return 0;
    }
    pick(description, CSZ_OBJECT_CLUSTER, q->text);
    if (csz_cluster_set(q->cluster, NULL, q->text) != CSZ_OK) {
        refuse(answer, csz_cluster_error(q->cluster, NULL));
        return 0;
    }
    pick(description, CSZ_OBJECT_PLAN, q->text);
    if (csz_plan_set(q->plan, q->text) != CSZ_OK) {
        refuse(answer, csz_plan_error(q->plan, NULL));
        return 0;
    }
    return 1;
}

static int set_count(question *q, admission *answer, int64_t accelerators)
{
    int64_t stated = 0;

    if (accelerators == 0)
        return 1;
    if (csz_cluster_is_set(q->cluster, CSZ_CLUSTER_ACCELERATORS) &&
        csz_cluster_get_i64(q->cluster, CSZ_CLUSTER_ACCELERATORS, &stated) == CSZ_OK &&
        stated != accelerators) {
        answer->admitted = 0;
        snprintf(answer->message, sizeof answer->message,
                 "accelerators=%lld, but the job asks for %lld", (long long)stated,
                 (long long)accelerators);
        return 0;
    }
    if (csz_cluster_set_i64(q->cluster, CSZ_CLUSTER_ACCELERATORS, accelerators) != CSZ_OK) {
        refuse(answer, csz_cluster_error(q->cluster, NULL));
        return 0;
    }
    return 1;
}

/* "does not fit: 102.7 GiB of 79.6 GiB usable": needed and usable are fields of the estimate. */
static void refuse_memory(const question *q, admission *answer, csz_reason reason, csz_field needed,
                          csz_field usable)
{
    double bytes[2] = {0, 0};
    char texts[2][32];

    (void)csz_estimate_get_f64(q->estimate, needed, &bytes[0]);
    (void)csz_estimate_get_f64(q->estimate, usable, &bytes[1]);
    for (int i = 0; i < 2; i++)
        csz_unit_format(CSZ_UNIT_BYTE, bytes[i], texts[i], sizeof texts[i]);
    answer->admitted = 0;
    snprintf(answer->message, sizeof answer->message, "%s: %s of %s usable",
             csz_reason_text(reason), texts[0], texts[1]);
}

static void read_verdict(const question *q, admission *answer)
{
    int64_t fit = CSZ_FIT_YES;
    double seconds = 0;

    if (csz_estimate_get_i64(q->estimate, CSZ_ESTIMATE_MEMORY_FIT, &fit) == CSZ_OK &&
        fit == CSZ_FIT_NO) {
        refuse_memory(q, answer, CSZ_REASON_MEMORY, CSZ_ESTIMATE_MEMORY_TOTAL,
                      CSZ_ESTIMATE_MEMORY_USABLE);
        return;
    }
    if (csz_estimate_get_i64(q->estimate, CSZ_ESTIMATE_HOST_FIT, &fit) == CSZ_OK &&
        fit == CSZ_FIT_NO) {
        refuse_memory(q, answer, CSZ_REASON_HOST_MEMORY, CSZ_ESTIMATE_HOST_TOTAL,
                      CSZ_ESTIMATE_HOST_USABLE);
        return;
    }
    answer->admitted = 1;
    if (csz_estimate_get_range(q->estimate, CSZ_ESTIMATE_RUN_TIME, NULL, NULL, &seconds) ==
            CSZ_OK &&
        ceil(seconds / 60) < 365.0 * 24 * 60 * 100)
        answer->minutes = (uint32_t)ceil(seconds / 60);
}

/* Without a number of tokens the job has no end, and memory is the question. */
static csz_status compute(const question *q)
{
    csz_status status =
        csz_estimate_compute(q->estimate, q->workload, q->cluster, q->plan, CSZ_DEPTH_RUN);
    csz_field field = CSZ_FIELD_NONE;

    csz_estimate_error(q->estimate, &field);
    if (status == CSZ_ERR_MISSING && field == CSZ_WORKLOAD_TOKENS)
        status = csz_estimate_compute(q->estimate, q->workload, q->cluster, q->plan, CSZ_DEPTH_FIT);
    return status;
}

void admission_judge(admission *answer, const char *description, int64_t accelerators)
{
    question q = {csz_workload_new(NULL), csz_cluster_new(NULL), csz_plan_new(NULL),
                  csz_estimate_new(NULL), malloc(strlen(description) + 2)};

    memset(answer, 0, sizeof *answer);
    if (strlen(description) > ADMISSION_TEXT_MAX)
        refuse(answer, "the description is longer than 4,096 bytes");
    else if (accelerators < 0)
        refuse(answer, "the number of GPUs that the job asks for cannot be read");
    else if (q.workload == NULL || q.cluster == NULL || q.plan == NULL || q.estimate == NULL ||
             q.text == NULL)
        refuse(answer, "out of memory");
    else if (set_all(&q, answer, description) && set_count(&q, answer, accelerators)) {
        if (compute(&q) == CSZ_OK)
            read_verdict(&q, answer);
        else
            refuse(answer, csz_estimate_error(q.estimate, NULL));
    }
    csz_workload_free(q.workload);
    csz_cluster_free(q.cluster);
    csz_plan_free(q.plan);
    csz_estimate_free(q.estimate);
    free(q.text);
}
