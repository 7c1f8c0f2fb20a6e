/* alloc.h: the allocator that each handle copies from its context. */
#ifndef CSZI_BASE_ALLOC_H
#define CSZI_BASE_ALLOC_H

#include <stddef.h>

/* The shape of csz_realloc_fn: old NULL allocates, new_size 0 frees. */
typedef struct cszi_alloc {
    void *(*fn)(void *user, void *old, size_t old_size, size_t new_size);
    void *user;
} cszi_alloc;

cszi_alloc cszi_alloc_default(void);                  /* realloc and free of libc */
void *cszi_alloc_zero(cszi_alloc alloc, size_t size); /* zeroed, or NULL */
void *cszi_alloc_resize(cszi_alloc alloc, void *old, size_t old_size, size_t new_size);
void cszi_alloc_free(cszi_alloc alloc, void *old, size_t size); /* NULL is allowed */

#endif
