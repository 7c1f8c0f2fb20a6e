/* nccl.c: the text output of nccl-tests.
 *
 * Lines of figures are "size count type redop root time algbw busbw #wrong" with the last four once
 * more in place; redop and root are missing in old versions, where "error" stands for "#wrong". The
 * line of names above them says which are there. "#  Rank  0 ... on HOST device ..." tells the
 * ranks. Programs that start the test may add lines and tags of their own. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "hardware/collectives.h"

#define TOKENS 24
#define MICROSECOND 1e-6

typedef struct token {
    const char *text;
    size_t length;
} token;

typedef struct line {
    token tokens[TOKENS];
    size_t count;
    int comment;
} line;

typedef struct reader {
    cszi_collective now;
    csz_collective named; /* of the output that comes next */
    csz_collective operation;
    int64_t ranks;
    size_t number; /* of the line, from 1 */
    size_t time;   /* column; 0: no line of names yet */
    size_t columns;
    int exact; /* the column after busbw counts wrong values */
    token host;
    int64_t on_host; /* ranks of the first host */
    int64_t highest; /* rank */
    double ratio;    /* busbw / algbw of the fastest line */
    double ratio_at; /* its algbw, GB/s */
    cszi_collective_fn take;
    void *user;
    cszi_error *error;
} reader;

const char *cszi_collective_name(int64_t operation)
{
    static const char *const names[] = {"unknown", "all_reduce", "all_gather", "reduce_scatter",
                                        "alltoall"};
    return operation >= 0 && operation < (int64_t)(sizeof names / sizeof *names) ? names[operation]
                                                                                 : "?";
}

double cszi_collective_factor(int64_t operation, double n)
{
    return (operation == CSZ_COLLECTIVE_ALL_REDUCE ? 2 : 1) * (n - 1) / n;
}

/* ---- Words ---- */

static int is(token t, const char *word)
{
    return t.length == strlen(word) && memcmp(t.text, word, t.length) == 0;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The whole token as a number. */
static int number_of(token t, double *value)
{
    return cszi_number_parse(t.text, t.length, value) == t.length && t.length > 0;
}

static int whole_of(token t, int64_t *value)
{
    return t.length > 0 && (t.text[0] == '-' || (t.text[0] >= '0' && t.text[0] <= '9')) &&
           memchr(t.text, '.', t.length) == NULL && memchr(t.text, 'e', t.length) == NULL &&
           cszi_number_parse_integer(t.text, t.length, 0, value);
}

/* "[1,0]<stdout>:" of mpirun is passed over. */
static const char *after_tag(const char *at, const char *end)
{
    const char *tag = at < end && *at == '[' ? memchr(at, '>', (size_t)(end - at)) : NULL;
    return tag != NULL && tag + 1 < end && tag[1] == ':' ? tag + 2 : at;
}

static void split(line *l, const char *at, const char *end)
{
    l->count = 0;
    at = after_tag(at, end);
    while (at < end && is_blank(*at))
        at++;
    l->comment = at < end && *at == '#';
    at += l->comment;
    while (at < end && l->count < TOKENS) {
        const char *begin;
        while (at < end && is_blank(*at))
            at++;
        begin = at;
        while (at < end && !is_blank(*at))
            at++;
        if (at > begin)
            l->tokens[l->count++] = (token){begin, (size_t)(at - begin)};
    }
}

/* ---- One output ---- */

static csz_status fail_line(const reader *r, const char *what)
{
    return cszi_fail(r->error, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "nccl: line %zu: %s", r->number,
                     what);
}

static void start(reader *r)
{
    memset(&r->now, 0, sizeof r->now);
    r->now.operation = r->named;
    r->named = CSZ_COLLECTIVE_UNKNOWN;
    r->time = 0;
    r->exact = 0;
    r->host = (token){"", 0};
    r->on_host = 0;
    r->highest = -1;
    r->ratio = r->ratio_at = 0;
}

/* Only an all-reduce moves its data more than once. */
static csz_status settle_operation(reader *r)
{
    cszi_collective *now = &r->now;
    double n = (double)now->ranks, rounding;
    if (r->operation != CSZ_COLLECTIVE_UNKNOWN)
        now->operation = r->operation;
    rounding = r->ratio_at > 0 ? 0.02 + 0.01 / r->ratio_at : 1;
    if (now->operation == CSZ_COLLECTIVE_UNKNOWN &&
        fabs(r->ratio * n / (2 * (n - 1)) - 1) <= fmin(rounding, 0.2))
        now->operation = CSZ_COLLECTIVE_ALL_REDUCE;
    if (now->operation == CSZ_COLLECTIVE_UNKNOWN)
        return cszi_fail(r->error, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
                         "nccl: the text does not say which test it is of; name one of all_reduce, "
                         "all_gather, reduce_scatter, alltoall");
    if (fabs(r->ratio / cszi_collective_factor(now->operation, n) - 1) > rounding)
        return cszi_fail(r->error, CSZ_ERR_CONFLICT, CSZ_FIELD_NONE,
                         "nccl: busbw is %g of algbw, but %s over %lld ranks has a factor of %g",
                         r->ratio, cszi_collective_name(now->operation), (long long)now->ranks,
                         cszi_collective_factor(now->operation, n));
    return CSZ_OK;
}

static csz_status settle_ranks(reader *r)
{
    cszi_collective *now = &r->now;
    if (now->ranks > 0 && r->highest + 1 != now->ranks)
        return cszi_fail(
            r->error, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE,
            "nccl: %lld lines of ranks, but the highest rank is %lld (is the test built "
            "with MPI?)",
            (long long)now->ranks, (long long)r->highest);
    if (r->ranks > 0 && now->ranks > 0 && now->ranks != r->ranks)
        return cszi_fail(r->error, CSZ_ERR_CONFLICT, CSZ_FIELD_NONE,
                         "nccl: %lld ranks are named, but the text lists %lld", (long long)r->ranks,
                         (long long)now->ranks);
    if (now->ranks == 0)
        now->ranks = r->ranks;
    if (now->ranks == 0)
        return cszi_fail(r->error, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
                         "nccl: no line '# Rank 0 ... on HOST' tells the number of ranks");
    if (now->ranks < 2)
        return cszi_fail(r->error, CSZ_ERR_RANGE, CSZ_FIELD_NONE,
                         "nccl: 1 rank moves nothing; at least 2 (is the test built with MPI?)");
    if (r->on_host > 0)
        now->hosts = (now->ranks + r->on_host - 1) / r->on_host;
    return CSZ_OK;
}

static csz_status finish(reader *r)
{
    csz_status status;
    if (r->now.sizes == 0)
        return CSZ_OK; /* a header alone; the caller looks for none at all */
    status = settle_ranks(r);
    if (status == CSZ_OK)
        status = settle_operation(r);
    return status == CSZ_OK ? r->take(r->user, &r->now, r->error) : status;
}

/* ---- Comments ---- */

static csz_collective test_named(token t)
{
    static const char *const names[] = {"all_reduce_perf", "all_gather_perf", "reduce_scatter_perf",
                                        "alltoall_perf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (t.length >= n && memcmp(t.text + t.length - n, names[i], n) == 0)
            return (csz_collective)(i + 1);
    }
    return CSZ_COLLECTIVE_UNKNOWN;
}

/* "Collective test concluded: all_reduce_perf" is of the output that ends there. */
static void look_for_name(reader *r, const line *l)
{
    int ends = l->comment && l->count >= 3 && is(l->tokens[2], "concluded:");
    for (size_t i = 0; i < l->count; i++) {
        csz_collective operation = test_named(l->tokens[i]);
        if (operation == CSZ_COLLECTIVE_UNKNOWN)
            continue;
        if (r->now.sizes == 0 || (ends && r->now.operation == CSZ_COLLECTIVE_UNKNOWN))
            r->now.operation = operation;
        else if (!ends)
            r->named = operation;
    }
}

/* The header of an output after the figures of another. */
static csz_status begin_after(reader *r)
{
    csz_status status = CSZ_OK;
    if (r->now.sizes > 0) {
        status = finish(r);
        start(r);
    }
    return status;
}

static csz_status read_rank(reader *r, const line *l)
{
    csz_status status = begin_after(r);
    int64_t rank;
    if (status != CSZ_OK)
        return status;
    if (!whole_of(l->tokens[1], &rank) || rank < 0 || rank >= CSZI_RANKS)
        return fail_line(r, "the rank is no number from 0 to 16777215");
    if (r->now.ranks++ > CSZI_RANKS)
        return fail_line(r, "more than 16777216 ranks");
    if (rank > r->highest)
        r->highest = rank;
    for (size_t i = 2; i + 1 < l->count; i++) {
        token host = l->tokens[i + 1];
        if (!is(l->tokens[i], "on"))
            continue;
        if (r->host.length == 0)
            r->host = host;
        r->on_host +=
            host.length == r->host.length && memcmp(host.text, r->host.text, host.length) == 0;
        break;
    }
    return CSZ_OK;
}

static void read_names(reader *r, const line *l)
{
    r->columns = l->count;
    for (size_t i = 0; i + 3 < l->count; i++) {
        if (!is(l->tokens[i], "time"))
            continue;
        r->time = i;
        r->exact = !is(l->tokens[i + 3], "error");
        return;
    }
}

static csz_status read_comment(reader *r, const line *l)
{
    if (l->count >= 2 && is(l->tokens[0], "Rank"))
        return read_rank(r, l);
    if (l->count >= 2 && is(l->tokens[0], "nThread")) {
        csz_status status = begin_after(r);
        if (status == CSZ_OK) { /* ranks are listed after it */
            csz_collective operation = (csz_collective)r->now.operation;
            start(r);
            if (operation != CSZ_COLLECTIVE_UNKNOWN)
                r->now.operation = operation;
        }
        return status;
    }
    if (l->count >= 5 && is(l->tokens[0], "size") && is(l->tokens[1], "count"))
        read_names(r, l);
    look_for_name(r, l);
    return CSZ_OK;
}

/* ---- Figures ---- */

/* Without a line of names: after the type a word may stand, then perhaps a root. */
static size_t time_column(const reader *r, const line *l)
{
    double value;
    size_t at = 3, left;
    if (r->time != 0)
        return r->time;
    if (at < l->count && !number_of(l->tokens[at], &value))
        at++;
    left = l->count - at;
    return left == 5 || left == 9 ? at + 1 : at;
}

static csz_status add_line(reader *r, double size, double time, double algbw, double busbw)
{
    cszi_collective *now = &r->now;
    double rate = size / time;
    if (!(time > 0) || !isfinite(time))
        return fail_line(r, "the time is not a positive number");
    if (!(algbw >= 0 && busbw >= 0) || !isfinite(algbw) || !isfinite(busbw))
        return fail_line(r, "algbw or busbw is not a number from 0 on");
    if (algbw >= 0.1 && fabs(rate / (algbw * 1e9) - 1) > 0.02 + 0.005 / algbw)
        return fail_line(r, "size over time is not algbw; is the time in microseconds?");
    now->sizes++;
    now->count += 1;
    now->t1 += 1 / time;
    now->s1 += rate;
    now->t2 += 1 / (time * time);
    now->st += rate / time;
    now->s2 += rate * rate;
    now->least = now->sizes == 1 ? size : fmin(now->least, size);
    now->most = fmax(now->most, size);
    now->fastest = fmax(now->fastest, rate);
    if (algbw >= 0.1 && algbw > r->ratio_at) {
        r->ratio_at = algbw;
        r->ratio = busbw / algbw;
    }
    return CSZ_OK;
}

static csz_status read_figures(reader *r, const line *l, double size)
{
    size_t at = time_column(r, l);
    double time, algbw, busbw, wrong = 0;
    int64_t whole;
    int exact = r->exact;
    if (l->count < at + 4 || (r->time != 0 && l->count < r->columns))
        return fail_line(r, "is cut short: size, count, type, then time, algbw, busbw and #wrong");
    if (!number_of(l->tokens[at], &time) || !number_of(l->tokens[at + 1], &algbw) ||
        !number_of(l->tokens[at + 2], &busbw))
        return fail_line(r, "time, algbw or busbw is not a number");
    if (r->time == 0)
        exact = whole_of(l->tokens[at + 3], &whole); /* an error has a point or an exponent */
    if (number_of(l->tokens[at + 3], &wrong) && (exact ? wrong > 0 : !isfinite(wrong)))
        return cszi_fail(r->error, CSZ_ERR_CONFLICT, CSZ_FIELD_NONE,
                         "nccl: line %zu: %g wrong values; what moves wrong data is not measured",
                         r->number, wrong);
    if (size <= 0)
        return CSZ_OK; /* less than one element a rank: nothing was moved */
    return add_line(r, size, time * MICROSECOND, algbw, busbw);
}

static csz_status read_line(reader *r, const line *l)
{
    int64_t size, count;
    if (l->comment)
        return read_comment(r, l);
    if (l->count >= 3 && whole_of(l->tokens[0], &size) && whole_of(l->tokens[1], &count) &&
        size >= 0 && count >= 0)
        return read_figures(r, l, (double)size);
    if (r->time != 0 && l->count >= 1 && whole_of(l->tokens[0], &size))
        return fail_line(r, "is cut short: size, count, type, then time, algbw, busbw and #wrong");
    look_for_name(r, l);
    return CSZ_OK;
}

typedef struct counted {
    cszi_collective_fn take;
    void *user;
    size_t count;
} counted;

static csz_status count_one(void *user, const cszi_collective *collective, cszi_error *error)
{
    counted *c = user;
    c->count++;
    return c->take(c->user, collective, error);
}

csz_status cszi_nccl_read(const char *text, size_t length, csz_collective operation, int64_t ranks,
                          cszi_collective_fn take, void *user, cszi_error *error)
{
    counted c = {take, user, 0};
    reader r = {
        .operation = operation, .ranks = ranks, .take = count_one, .user = &c, .error = error};
    const char *at = text, *end = text + length;
    csz_status status = CSZ_OK;
    if (length > 0 && memchr(text, '\0', length) != NULL)
        return cszi_fail(error, CSZ_ERR_SYNTAX, CSZ_FIELD_NONE, "nccl: a byte of 0 is no text");
    start(&r);
    while (status == CSZ_OK && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        line l;
        if (stop == NULL)
            stop = end;
        r.number++;
        split(&l, at, stop);
        status = read_line(&r, &l);
        at = stop + (stop < end);
    }
    if (status == CSZ_OK)
        status = finish(&r);
    if (status == CSZ_OK && c.count == 0)
        return cszi_fail(error, CSZ_ERR_MISSING, CSZ_FIELD_NONE,
                         "nccl: no line of figures (size, count, type, ..., time, algbw, busbw)");
    return status;
}
