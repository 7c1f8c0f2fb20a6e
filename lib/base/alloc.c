/* alloc.c: the allocator that each handle copies from its context. */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void *default_fn(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        /* realloc(p, 0) is implementation-defined, so freeing is spelled out. */
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

cszi_alloc cszi_alloc_default(void)
{
    cszi_alloc alloc = {default_fn, NULL};
    return alloc;
}

void *cszi_alloc_zero(cszi_alloc alloc, size_t size)
{
    void *memory;

    if (size == 0) {
        return NULL;
    }
    memory = alloc.fn(alloc.user, NULL, 0, size);
    if (memory != NULL) {
        memset(memory, 0, size);
    }
    return memory;
}

void *cszi_alloc_resize(cszi_alloc alloc, void *old, size_t old_size, size_t new_size)
{
    if (old == NULL && new_size == 0) {
        return NULL;
    }
    return alloc.fn(alloc.user, old, old_size, new_size);
}

void cszi_alloc_free(cszi_alloc alloc, void *old, size_t size)
{
    if (old != NULL) {
        alloc.fn(alloc.user, old, size, 0);
    }
}
