/* chunks.c: the grammar of Megatron-LM's pipeline_parallel_layer_layout.py: letters, commas without
 * meaning, x*n for a letter or bar n times, (xy)*n for a group. */
#include "plan/chunks.h"

#include <string.h>

#define MOST 4096 /* letters and bars, repeated ones too */

typedef struct reader {
    const char *text;
    size_t at;
    int64_t index; /* of the chunk that is asked for; -1: all */
    cszi_chunk *chunk;
    int64_t now;   /* chunk */
    int64_t count; /* letters so far */
    int stand;     /* of the last letter in the order of a model */
    cszi_error *error;
} reader;

static csz_status fail(const reader *r, csz_status status, const char *what)
{
    return cszi_fail(r->error, status, CSZ_PLAN_PIPELINE_LAYOUT, "pipeline_layout: %s at '%s'",
                     what, r->text + r->at);
}

static char peek(reader *r)
{
    while (r->text[r->at] == ',')
        r->at++;
    return r->text[r->at];
}

/* The n of "*n"; 1 when there is none. */
static csz_status repetition(reader *r, int64_t *n)
{
    size_t digits;
    *n = 1;
    if (peek(r) != '*')
        return CSZ_OK;
    r->at++;
    digits = strspn(r->text + r->at, "0123456789");
    if (digits == 0)
        return fail(r, CSZ_ERR_SYNTAX, "a number is missing");
    *n = 0;
    for (size_t i = 0; i < digits && *n <= MOST; i++)
        *n = 10 * *n + (r->text[r->at + i] - '0');
    r->at += digits;
    return *n <= MOST ? CSZ_OK : fail(r, CSZ_ERR_LIMIT, "too many repetitions before");
}

static csz_status take(reader *r, char letter, int64_t n)
{
    static const char order[] = "EtmL";
    cszi_chunk *c = r->chunk;
    int stand = letter == '|' ? r->stand : (int)(strchr(order, letter) - order);
    int64_t *const parts[] = {&c->embedding, &c->layers, &c->prediction, &c->loss};
    r->count += n;
    if (r->count > MOST)
        return fail(r, CSZ_ERR_LIMIT, "more than 4096 letters");
    if (letter == '|') {
        r->now += n;
        return CSZ_OK;
    }
    if (stand < r->stand && n > 0)
        return fail(r, CSZ_ERR_SYNTAX, "letters do not stand in the order E, t, m, L");
    r->stand = stand;
    if (r->index < 0 || r->now == r->index)
        *parts[stand] += n;
    else if (letter == 't' && r->now < r->index)
        c->before += n;
    return CSZ_OK;
}

static csz_status item(reader *r)
{
    char letter = peek(r);
    int64_t n;
    csz_status status;
    if (letter == '\0' || strchr("EtmL|", letter) == NULL)
        return fail(r, CSZ_ERR_SYNTAX, "E, t, m, L, | or ( is expected");
    r->at++;
    status = repetition(r, &n);
    return status == CSZ_OK ? take(r, letter, n) : status;
}

/* "(...)*n": the inner text is read n times; none of it where n is 0. */
static csz_status group(reader *r)
{
    size_t begin = ++r->at, end = begin + strcspn(r->text + begin, "()");
    int64_t n;
    csz_status status;
    r->at = end;
    if (end == begin || r->text[end] != ')')
        return fail(r, CSZ_ERR_SYNTAX, "a group is empty, nested or not closed");
    r->at++;
    if (peek(r) != '*')
        return fail(r, CSZ_ERR_SYNTAX, "a group needs *n");
    status = repetition(r, &n);
    end = r->at;
    for (; status == CSZ_OK && n > 0; n--)
        for (r->at = begin; status == CSZ_OK && peek(r) != ')';)
            status = item(r);
    if (status == CSZ_OK)
        r->at = end;
    return status;
}

csz_status cszi_chunk_read(const char *text, int64_t index, cszi_chunk *chunk, cszi_error *error)
{
    reader r = {.text = text, .index = index, .chunk = chunk, .error = error};
    csz_status status = CSZ_OK;
    *chunk = (cszi_chunk){0, 0, 0, 0, 0, 0};
    while (status == CSZ_OK && peek(&r) != '\0')
        status = peek(&r) == '(' ? group(&r) : item(&r);
    chunk->chunks = r.now + 1;
    return status;
}
