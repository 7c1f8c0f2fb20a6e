/* files.c: the library opens no file, so the program reads them. */
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)16 << 20)

static int is_choice(csz_field field, const char *value)
{
    for (int64_t i = 0; csz_field_choice(field, i) != NULL; i++)
        if (strcmp(csz_field_choice(field, i), value) == 0)
            return 1;
    return 0;
}

static int opens(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        (void)fclose(file);
    return file != NULL;
}

/* "owner/name", as hubs call models. */
static int is_owned_name(const char *value)
{
    const char *slash = strchr(value, '/');
    return slash != NULL && slash != value && value[0] != '.' && strchr(slash + 1, '/') == NULL;
}

int file_is_named(csz_field field, const char *value)
{
    size_t n = strlen(value), index;
    if (n > 5 && strcmp(value + n - 5, ".json") == 0)
        return 1;
    /* A file that is called like a known id or choice does not hide it. */
    if (is_choice(field, value))
        return 0;
    if (field == CSZ_WORKLOAD_MODEL) {
        if (csz_catalog_find(NULL, CSZ_KIND_MODEL, value, &index) == CSZ_OK)
            return 0;
        if (is_owned_name(value))
            return opens(value);
    }
    return strchr(value, '/') != NULL || opens(value);
}

static int has_key(const char *text, size_t length, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i + n <= length; i++)
        if (memcmp(text + i, key, n) == 0)
            return 1;
    return 0;
}

int file_is_mistral(const char *text, size_t length)
{
    return has_key(text, length, "\"dim\"") && has_key(text, length, "\"n_layers\"");
}

/* Reads to the end, one byte beyond the limit at most. */
static char *read_all(FILE *file, size_t *length)
{
    size_t room = 1 << 16, n = 0, got;
    char *text = malloc(room), *more;
    while (text != NULL) {
        got = fread(text + n, 1, room - n, file);
        n += got;
        if (got == 0 || n > MOST_BYTES)
            break;
        if (n < room)
            continue;
        room *= 2;
        more = realloc(text, room);
        if (more == NULL)
            free(text);
        text = more;
    }
    *length = n;
    return text;
}

char *file_read(asked *a, const char *what, const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text;
    int failed, cause;
    if (file == NULL) {
        (void)args_fail(a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE, "%s: %.200s: %s", what, path,
                        strerror(errno));
        return NULL;
    }
    errno = 0;
    text = read_all(file, length);
    cause = errno;
    failed = ferror(file);
    (void)fclose(file);
    if (text != NULL && !failed && *length <= MOST_BYTES)
        return text;
    free(text);
    if (failed)
        (void)args_fail(a, CSZ_ERR_UNKNOWN, CSZ_FIELD_NONE, "%s: %.200s: %s", what, path,
                        cause != 0 ? strerror(cause) : "cannot be read");
    else if (text == NULL)
        (void)args_fail(a, CSZ_ERR_NO_MEMORY, CSZ_FIELD_NONE, "%s: %.200s: out of memory", what,
                        path);
    else
        (void)args_fail(a, CSZ_ERR_LIMIT, CSZ_FIELD_NONE, "%s: %.200s: is larger than 16 MiB", what,
                        path);
    return NULL;
}
