/* check.c: the launch that somebody has: whether it fits, how fast it is, what it says that has no
 * part in that, and what is better, in its own lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"

#define MOST_BETTER 3
#define FASTER 0.99 /* of the step, at most, to be called better */
#define NOTES_SHOWN 8

typedef struct checked {
    asked *a;
    answer now;
    csz_source source;
    char version[80];
    char *file;  /* the text */
    char *notes; /* options without a part in the answer, one a line */
    char *lines; /* the present plan as the software would have it; NULL: it cannot say it */
} checked;

/* ---- What is better ---- */

typedef void (*line_fn)(void *user, char sign, const char *line, size_t length);

static size_t line_length(const char *text)
{
    return strcspn(text, "\n");
}

/* Whether a text has a line. */
static int has_line(const char *text, const char *line, size_t length)
{
    while (*text != '\0') {
        size_t n = line_length(text);
        if (n == length && memcmp(text, line, n) == 0)
            return 1;
        text += n + (text[n] == '\n');
    }
    return 0;
}

/* Lines of one text that the other lacks; section heads and ends say nothing by themselves. */
static void only_in(const char *text, const char *other, char sign, line_fn each, void *user)
{
    while (*text != '\0') {
        size_t n = line_length(text), skip = strspn(text, " ");
        int head = n == 0 || text[n - 1] == ':' || text[n - 1] == '{' || text[skip] == '}' ||
                   text[0] == '[' || text[0] == '#';
        if (!head && !has_line(other, text, n))
            each(user, sign, text + skip, n - skip);
        text += n + (text[n] == '\n');
    }
}

/* An entry of the advice as a launch; NULL when the software cannot say it. */
static char *text_of(checked *c, const csz_plan *plan, answer *x)
{
    if (answer_make(c->a, x, plan, 0) != 0)
        return NULL;
    return launch_text(c->a, x, c->source, CSZ_LAUNCH_PART_FILE);
}

static int is_better(const checked *c, const csz_estimate *e)
{
    if (!estimate_fits(e))
        return 0;
    if (!estimate_fits(c->now.estimate))
        return 1;
    return figure(e, CSZ_ESTIMATE_STEP_TIME) <
           FASTER * figure(c->now.estimate, CSZ_ESTIMATE_STEP_TIME);
}

typedef struct better {
    csz_ranking *ranking;
    size_t next;   /* entry of the ranking */
    size_t unsaid; /* better ones that the software cannot say */
    answer x;      /* the one at hand */
    char *lines;   /* of it */
} better;

/* The next better plan that the software can say; 0 at the end. */
static int next_better(checked *c, better *b)
{
    answer_free(&b->x);
    free(b->lines);
    b->lines = NULL;
    for (; b->next < csz_ranking_count(b->ranking); b->next++) {
        memset(&b->x, 0, sizeof b->x);
        if (!is_better(c, csz_ranking_estimate_at(b->ranking, b->next)))
            continue;
        b->lines = text_of(c, csz_ranking_plan_at(b->ranking, b->next), &b->x);
        if (b->lines != NULL) {
            b->next++;
            return 1;
        }
        answer_free(&b->x);
        b->unsaid++;
    }
    memset(&b->x, 0, sizeof b->x);
    return 0;
}

static int start_better(checked *c, better *b)
{
    csz_status status = CSZ_ERR_NO_MEMORY;
    memset(b, 0, sizeof *b);
    b->ranking = csz_ranking_new(NULL);
    if (b->ranking != NULL)
        status = csz_ranking_advise(b->ranking, c->a->workload, c->now.cluster, c->now.plan);
    return check_ranking(c->a, b->ranking, status);
}

/* ---- The screen ---- */

static void say_line(void *user, char sign, const char *line, size_t length)
{
    page *t = user;
    text_line(t, "    %c %.*s", sign, (int)length, line);
}

static void say_one(page *t, const checked *c, const better *b, int first)
{
    const csz_estimate *e = b->x.estimate, *now = c->now.estimate;
    double step = figure(e, CSZ_ESTIMATE_STEP_TIME) / figure(now, CSZ_ESTIMATE_STEP_TIME);
    double more = figure(e, CSZ_ESTIMATE_MEMORY_TOTAL) - figure(now, CSZ_ESTIMATE_MEMORY_TOTAL);
    text_open(t, first ? "Better" : " ");
    if (!isnan(step))
        text_phrase(t, "step %+.1f%%,", 100 * (step - 1));
    text_phrase(t, "%s GiB %s,", text_gib(fabs(more)).text, more < 0 ? "less" : "more");
    text_phrase(t, "fits (%s):", text_chance(figure(e, CSZ_ESTIMATE_MEMORY_FIT_PROBABILITY)).text);
    text_close(t);
    only_in(c->lines, b->lines, '-', say_line, t);
    only_in(b->lines, c->lines, '+', say_line, t);
}

static int say_better(page *t, checked *c)
{
    better b;
    int status = start_better(c, &b), said = 0;
    while (status == 0 && c->lines != NULL && said < MOST_BETTER && next_better(c, &b))
        say_one(t, c, &b, said++ == 0);
    if (status == 0 && said == 0) {
        text_open(t, "Better");
        text_add(t, "no single change that is known, by this software's options.");
        text_close(t);
    }
    if (b.unsaid > 0) {
        text_open(t, " ");
        text_add(t, "%zu better changes have no option there.", b.unsaid);
        text_close(t);
    }
    answer_free(&b.x);
    free(b.lines);
    csz_ranking_free(b.ranking);
    return status;
}

static void say_foreign(page *t, const checked *c)
{
    const char *at = c->notes;
    size_t count = 0;
    while (*at != '\0') {
        size_t n = line_length(at);
        if (count == 0) {
            text_open(t, "Unused");
            text_add(t, "no part of memory or time here:");
        }
        if (count < NOTES_SHOWN || c->a->verbose)
            text_phrase(t, "%.*s;", (int)n, at);
        count++;
        at += n + (at[n] == '\n');
    }
    if (count > NOTES_SHOWN && !c->a->verbose)
        text_add(t, "and %zu more (-v).", count - NOTES_SHOWN);
    if (count > 0)
        text_close(t);
}

static int say_check(checked *c)
{
    page t = {0};
    const answer *x = &c->now;
    int status;
    text_open(&t, "");
    text_add(&t, "%.60s, as %s reads it.", c->a->launch_file, c->version);
    say_subject(&t, c->a, x, ".");
    say_fit(&t, x->estimate);
    say_what_binds(&t, x);
    if (x->depth == CSZ_DEPTH_RUN) {
        text_add(&t, "The run:");
        say_run(&t, c->a, x);
    }
    text_close(&t);
    say_plan(&t, x);
    say_batch(&t, x);
    say_memory_table(&t, x);
    if (c->a->verbose || c->a->stages)
        say_stages(&t, x->estimate);
    say_step(&t, x);
    say_band(&t, x->estimate);
    if (c->a->explain)
        say_explanation(&t, x->estimate);
    status = say_better(&t, c);
    say_foreign(&t, c);
    if (c->a->verbose)
        say_notes(&t, x->estimate);
    return status == 0 ? say_assumptions(&t, c->a, x, WATCH_MEMORY) : status;
}

/* ---- JSON ---- */

static void put_escaped(const char *text, size_t length)
{
    putchar('"');
    for (size_t i = 0; i < length; i++)
        if (text[i] == '"' || text[i] == '\\')
            printf("\\%c", text[i]);
        else
            putchar((unsigned char)text[i] < 0x20 || (unsigned char)text[i] > 0x7e ? '?' : text[i]);
    putchar('"');
}

static void put_line(void *user, char sign, const char *line, size_t length)
{
    int *count = user;
    char text[512];
    int n = snprintf(text, sizeof text, "%c %.*s", sign, (int)length, line);
    printf("%s", (*count)++ > 0 ? "," : "");
    put_escaped(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static int print_better(checked *c)
{
    better b;
    int status = start_better(c, &b), count = 0;
    while (status == 0 && c->lines != NULL && count < MOST_BETTER && next_better(c, &b)) {
        int lines = 0;
        char *json = estimate_json(b.x.estimate);
        printf("%s{\"lines\":[", count++ > 0 ? "," : "");
        only_in(c->lines, b.lines, '-', put_line, &lines);
        only_in(b.lines, c->lines, '+', put_line, &lines);
        printf("],\"estimate\":%s}", json != NULL ? json : "null");
        free(json);
    }
    answer_free(&b.x);
    free(b.lines);
    csz_ranking_free(b.ranking);
    return status;
}

static int print_check(checked *c)
{
    char *json = estimate_json(c->now.estimate);
    int status, count = 0;
    if (json == NULL)
        return args_fail(c->a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    printf("{\"software\":");
    put_escaped(c->version, strlen(c->version));
    printf(",\"unused\":[");
    for (const char *at = c->notes; *at != '\0';) {
        size_t n = line_length(at);
        printf("%s", count++ > 0 ? "," : "");
        put_escaped(at, n);
        at += n + (at[n] == '\n');
    }
    printf("],\"estimate\":%s,\"better\":[", json);
    free(json);
    status = print_better(c);
    puts("]}");
    return status;
}

/* ---- The command ---- */

static int read_notes(checked *c)
{
    size_t n = 0, length;
    c->file = file_read(c->a, "check", c->a->launch_file, &n);
    if (c->file == NULL)
        return BAD_INPUT;
    length = csz_launch_notes(c->source, c->file, n, NULL, 0);
    c->notes = malloc(length + 1);
    if (c->notes == NULL)
        return args_fail(c->a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    (void)csz_launch_notes(c->source, c->file, n, c->notes, length + 1);
    (void)csz_launch_version(c->source, c->version, sizeof c->version);
    return 0;
}

static int judge(checked *c)
{
    char message[sizeof c->a->message];
    int status = answer_make(c->a, &c->now, c->a->plan, 0);
    if (status != 0) {
        memcpy(message, c->a->message, sizeof message);
        return args_fail(c->a, c->a->status, c->a->field, "%.120s: %.350s", c->a->launch_file,
                         message);
    }
    status = read_notes(c);
    if (status != 0)
        return status;
    c->lines = launch_text(c->a, &c->now, c->source, CSZ_LAUNCH_PART_FILE);
    status = c->a->json ? print_check(c) : say_check(c);
    return status != 0 ? status : estimate_fits(c->now.estimate) ? FITS : FITS_NOT;
}

int run_check(asked *a)
{
    checked c;
    int status;
    memset(&c, 0, sizeof c);
    c.a = a;
    if (a->launch_file == NULL)
        return args_fail(a, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
                         "check: no file; write check --from SOFTWARE FILE");
    if (launch_source(a, "from", a->from, &c.source) != 0)
        return BAD_INPUT;
    count_by_degrees(a);
    status = judge(&c);
    answer_free(&c.now);
    free(c.file);
    free(c.notes);
    free(c.lines);
    return status;
}
