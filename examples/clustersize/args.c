/* args.c: words to flags, by the field table. Into the handles: apply.c. */
#include "args.h"

#include "files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 64

int args_fail(asked *a, csz_status status, csz_field field, const char *format, ...)
{
    va_list arguments;
    a->status = status;
    a->field = field;
    va_start(arguments, format);
    (void)vsnprintf(a->message, sizeof a->message, format, arguments);
    va_end(arguments);
    return BAD_INPUT;
}

int args_fail_with(asked *a, csz_status status, csz_field field, const char *message)
{
    return args_fail(a, status, field, "%s",
                     message != NULL && message[0] != '\0' ? message : csz_status_name(status));
}

csz_object args_object(csz_field field)
{
    switch ((int)field / 1000) {
    case CSZ_OBJECT_WORKLOAD:
        return CSZ_OBJECT_WORKLOAD;
    case CSZ_OBJECT_CLUSTER:
        return CSZ_OBJECT_CLUSTER;
    case CSZ_OBJECT_PLAN:
        return CSZ_OBJECT_PLAN;
    case CSZ_OBJECT_GOAL:
        return CSZ_OBJECT_GOAL;
    default:
        return (csz_object)0;
    }
}

shown args_flag(csz_field field)
{
    shown w;
    (void)snprintf(w.text, sizeof w.text, "--%s", csz_field_name(field));
    for (char *s = w.text; *s != '\0'; s++)
        if (*s == '_')
            *s = '-';
    return w;
}

/* ---- Unknown flags ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits that turn one name into the other (Levenshtein). */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST_NAME + 1], n = strlen(b);
    if (n > LONGEST_NAME)
        return LONGEST_NAME;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = least(changed, least(row[j], row[j + 1]) + 1);
        }
    }
    return row[n];
}

/* Flags with a value that are no field, and where the value is kept. */
static const struct {
    const char *name;
    size_t offset;
} value_flags[] = {{"catalog", offsetof(asked, catalog_file)},
                   {"cluster", offsetof(asked, cluster_file)},
                   {"megatron", offsetof(asked, megatron_file)},
                   {"deepspeed", offsetof(asked, deepspeed_file)},
                   {"by", offsetof(asked, by)},
                   {"runs", offsetof(asked, runs_file)},
                   {"step_time", offsetof(asked, step_time)},
                   {"uncertainty", offsetof(asked, uncertainty)},
                   {"gemm_rate", offsetof(asked, gemm_rate)},
                   {"copy_bandwidth", offsetof(asked, copy_bandwidth)},
                   {"emit", offsetof(asked, emit)},
                   {"from", offsetof(asked, from)},
                   {"output", offsetof(asked, output_file)},
                   {"profile", offsetof(asked, profile_file)}};
#define VALUE_FLAGS (sizeof value_flags / sizeof *value_flags)

static void take_nearer(shown *nearest, size_t *best, const char *name, const char *other)
{
    if (distance(name, other) >= *best)
        return;
    *best = distance(name, other);
    (void)snprintf(nearest->text, sizeof nearest->text, "--%.40s", other);
    for (char *s = nearest->text; *s != '\0'; s++)
        if (*s == '_')
            *s = '-';
}

/* The input field or other flag with the least edits, if it takes few. */
static shown nearest_flag(const char *name)
{
    static const char *const others[] = {"nccl",  "json", "verbose", "stages",
                                         "explain", "slurm", "help", "version"};
    size_t best = strlen(name) / 2 + 1;
    shown nearest = {""};
    for (size_t i = 0; i < csz_field_count(); i++)
        if (args_object(csz_field_at(i)) != 0)
            take_nearer(&nearest, &best, name, csz_field_name(csz_field_at(i)));
    for (size_t i = 0; i < VALUE_FLAGS; i++)
        take_nearer(&nearest, &best, name, value_flags[i].name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        take_nearer(&nearest, &best, name, others[i]);
    return nearest;
}

/* flag as it was written; name without its dashes, and with underscores. */
static int unknown_flag(asked *a, const char *flag, const char *name)
{
    shown nearest = nearest_flag(name);
    if (nearest.text[0] == '\0')
        return args_fail(a, CSZ_ERR_FIELD, CSZ_FIELD_NONE, "%.40s: no such flag; --help lists all",
                         flag);
    return args_fail(a, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                     "%.40s: no such flag; the nearest is %s; --help lists all", flag,
                     nearest.text);
}

/* ---- Flags of the field table ---- */

/* The field of "name", "name[2]" or "list[2].name". */
static csz_field field_of(const char *name)
{
    char stem[LONGEST_NAME];
    const char *bracket = strchr(name, '['), *end = bracket != NULL ? strchr(bracket, ']') : NULL;
    size_t n = bracket != NULL ? (size_t)(bracket - name) : 0;
    csz_field field;
    if (end != NULL && end[1] == '.') {
        field = csz_field_by_name(end + 2);
        if (strlen(csz_field_list(field) != NULL ? csz_field_list(field) : "") != n ||
            strncmp(csz_field_list(field), name, n) != 0)
            field = CSZ_FIELD_NONE;
    } else if (end != NULL && end[1] == '\0' && n < sizeof stem) {
        memcpy(stem, name, n);
        stem[n] = '\0';
        field = csz_field_by_name(stem);
    } else {
        field = csz_field_by_name(name);
    }
    return args_object(field) != 0 ? field : CSZ_FIELD_NONE;
}

/* "80 GiB" is one number when the library reads it as one, "H100 SXM" an id whose separators do not
 * matter; the library's own texts are separated by blanks. */
static int join_blanks(asked *a, csz_field field, const char *value, char *joined)
{
    double number;
    if (strpbrk(value, " \t\r\n") == NULL) {
        strcpy(joined, value);
        return 0;
    }
    if (csz_field_type(field) != CSZ_TYPE_TEXT &&
        (csz_field_type(field) == CSZ_TYPE_CHOICE ||
         csz_unit_parse(csz_field_unit(field), value, &number) != CSZ_OK))
        return args_fail(a, CSZ_ERR_SYNTAX, field,
                         "%s: '%.40s' has a blank in it, which only a number before its unit may",
                         csz_field_name(field), value);
    for (; *value != '\0'; value++)
        if (strchr(" \t\r\n", *value) == NULL)
            *joined++ = *value;
        else if (csz_field_type(field) == CSZ_TYPE_TEXT)
            *joined++ = '-';
    *joined = '\0';
    return 0;
}

/* The index that a name gives, 0 when it gives none. */
static long index_of(const char *pair, size_t name_length)
{
    const char *bracket = memchr(pair, '[', name_length);
    return bracket != NULL ? strtol(bracket + 1, NULL, 10) : 0;
}

static int add_setting(asked *a, csz_field field, const char *name, const char *value)
{
    setting *s = &a->settings[a->count];
    size_t n = strlen(name);
    s->field = field;
    s->name_length = n;
    s->pair = malloc(n + strlen(value) + 2);
    if (s->pair == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, field, "out of memory");
    a->count++;
    memcpy(s->pair, name, n);
    s->pair[n] = '=';
    if (join_blanks(a, field, value, s->pair + n + 1) != 0)
        return BAD_INPUT;
    for (const setting *other = a->settings; other < s; other++)
        if (other->field == field &&
            index_of(other->pair, other->name_length) == index_of(s->pair, n))
            return args_fail(a, CSZ_ERR_CONFLICT, field, "%s: is given twice, as %s and %s",
                             csz_field_name(field), other->pair + other->name_length + 1,
                             s->pair + n + 1);
    a->stated[field] = 1;
    return 0;
}

/* ---- Words ---- */

typedef struct words {
    char **at, **end;
} words;

static int read_switch(asked *a, const char *name)
{
    static const struct {
        const char *name;
        size_t offset;
    } switches[] = {{"json", offsetof(asked, json)},     {"verbose", offsetof(asked, verbose)},
                    {"stages", offsetof(asked, stages)}, {"explain", offsetof(asked, explain)},
                    {"slurm", offsetof(asked, slurm)},
                    {"help", offsetof(asked, help)},     {"version", offsetof(asked, version)}};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        int on = 1;
        if (strcmp(name, switches[i].name) != 0)
            continue;
        memcpy((char *)a + switches[i].offset, &on, sizeof on);
        return 1;
    }
    return 0;
}

/* The value after '=', or the next word; a yes-or-no field needs none. NULL when it is missing. */
static const char *value_of(const char *equals, csz_field field, words *w)
{
    if (equals != NULL)
        return equals + 1;
    if (w->at < w->end && strncmp(*w->at, "--", 2) != 0)
        return *w->at++;
    return field != CSZ_FIELD_NONE && csz_field_type(field) == CSZ_TYPE_BOOL ? "yes" : NULL;
}

static int take_word(asked *a, const char **word, const char *name, const char *value)
{
    if (*word != NULL)
        return args_fail(a, CSZ_ERR_CONFLICT, CSZ_FIELD_NONE,
                         "%s: is given twice, as %.80s and %.80s", name, *word, value);
    *word = value;
    return 0;
}

/* Where the value of a flag is kept that is no field; NULL for other names. --nccl has a place for
 * each time it is given. */
static const char **word_of(asked *a, const char *name)
{
    if (strcmp(name, "nccl") == 0)
        return &a->nccl[a->nccl_count];
    for (size_t i = 0; i < VALUE_FLAGS; i++)
        if (strcmp(name, value_flags[i].name) == 0)
            return (const char **)(void *)((char *)a + value_flags[i].offset);
    return NULL;
}

static int take_value(asked *a, const char *name, const char *value)
{
    const char **word = word_of(a, name);
    int status = take_word(a, word, name, value);
    a->nccl_count += word == &a->nccl[a->nccl_count];
    return status;
}

static int read_flag(asked *a, const char *flag, words *w)
{
    char name[LONGEST_NAME];
    const char *equals = strchr(flag, '='), *value;
    size_t n = equals != NULL ? (size_t)(equals - flag) : strlen(flag);
    csz_field field;
    if (n == 0 || n >= sizeof name)
        return args_fail(a, CSZ_ERR_FIELD, CSZ_FIELD_NONE,
                         "--%.40s: no such flag; --help lists all", flag);
    for (size_t i = 0; i < n; i++)
        name[i] = flag[i] == '-' ? '_' : flag[i];
    name[n] = '\0';
    if (equals == NULL && read_switch(a, name))
        return 0;
    field = field_of(name);
    if (field == CSZ_FIELD_NONE && word_of(a, name) == NULL)
        return unknown_flag(a, flag - 2, name);
    value = value_of(equals, field, w);
    if (value == NULL)
        return args_fail(a, CSZ_ERR_MISSING, field, "%s: has no value; write --%s VALUE", name,
                         flag);
    if (field == CSZ_FIELD_NONE)
        return take_value(a, name, value);
    if (field == CSZ_WORKLOAD_JOB && file_is_named(field, value))
        return take_word(a, &a->job_file, "job", value);
    if (field == CSZ_WORKLOAD_MODEL && file_is_named(field, value))
        return take_word(a, &a->model_file, "model", value);
    return add_setting(a, field, name, value);
}

/* "name=value" of `list`, with the name as the field table writes it. */
static int add_condition(asked *a, const char *w)
{
    size_t used = strlen(a->conditions), n = strlen(w), name = strcspn(w, "=");
    if (used + n + 2 > sizeof a->conditions)
        return args_fail(a, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "list: the conditions pass %zu bytes",
                         sizeof a->conditions - 2);
    for (size_t i = 0; i < n; i++) {
        char c = i < name && w[i] == '-' ? '_' : w[i];
        a->conditions[used + i] = strchr(" \t\r\n", c) != NULL ? '-' : c;
    }
    memcpy(a->conditions + used + n, " ", 2);
    return 0;
}

static int read_plain(asked *a, const char *w)
{
    int lists = a->command != NULL && strcmp(a->command, "list") == 0;
    int checks = a->command != NULL && strcmp(a->command, "check") == 0;
    if (a->command == NULL)
        a->command = w;
    else if (lists && a->kind == NULL)
        a->kind = w;
    else if (lists && strchr(w, '=') != NULL)
        return add_condition(a, w);
    else if (lists && a->filter == NULL)
        a->filter = w;
    else if (checks && a->launch_file == NULL)
        a->launch_file = w;
    else
        return args_fail(a, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE,
                         "'%.64s' is neither a flag nor the value of one%s", w,
                         strchr(w, '=') != NULL ? "; flags begin with --" : "");
    return 0;
}

int args_read(asked *a, int count, char **list)
{
    words w = {list + 1, list + count};
    /* Errors of earlier words are answered in JSON too. */
    for (int i = 1; i < count; i++)
        a->json |= strcmp(list[i], "--json") == 0;
    a->settings = calloc((size_t)count + 1, sizeof *a->settings);
    a->nccl = calloc((size_t)count + 1, sizeof *a->nccl);
    if (a->settings == NULL || a->nccl == NULL)
        return args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "out of memory");
    while (w.at < w.end) {
        const char *word = *w.at++;
        int status;
        if (strcmp(word, "-v") == 0 || strcmp(word, "-h") == 0)
            status = !read_switch(a, word[1] == 'v' ? "verbose" : "help");
        else if (strncmp(word, "--", 2) == 0)
            status = read_flag(a, word + 2, &w);
        else if (word[0] == '-')
            status = unknown_flag(a, word, word + 1);
        else
            status = read_plain(a, word);
        if (status != 0)
            return status;
    }
    return 0;
}
