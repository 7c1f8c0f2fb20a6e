/* loops.h: what the tests that loop over fields and objects share. */
#ifndef TESTS_UNIT_LOOPS_H
#define TESTS_UNIT_LOOPS_H

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "question.h"

#define TEXT 65536
#define EXACT 9007199254740992.0 /* 2^53 */

static char before[TEXT], after[TEXT];

static inline const object *object_of(csz_field field)
{
    for (size_t i = 0; i < OBJECTS; i++)
        if ((int)field / 1000 == (int)objects[i].number)
            return &objects[i];
    return NULL;
}

static inline int is_input(csz_field field)
{
    return object_of(field) != NULL;
}

static inline int same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static inline void remember(const object *o, const void *handle)
{
    ck_assert_uint_lt(o->to_json(handle, before, sizeof before), sizeof before);
}

static inline void ck_unchanged(const object *o, const void *handle, const char *after_what)
{
    ck_assert_uint_lt(o->to_json(handle, after, sizeof after), sizeof after);
    ck_assert_msg(strcmp(before, after) == 0, "%s changed by %s:\n%s\n%s", o->name, after_what,
                  before, after);
}

/* A refusal that names its field and has changed nothing. */
static inline void ck_refused(const object *o, void *handle, csz_field field, csz_status got,
                              csz_status wanted, const char *what)
{
    csz_field about = CSZ_FIELD_NONE;
    const char *message = o->error(handle, &about);

    ck_assert_msg(got == wanted, "%s: %s: %s, not %s (%s)", csz_field_name(field), what,
                  csz_status_name(got), csz_status_name(wanted), message);
    ck_assert_msg(strstr(message, csz_field_name(field)) != NULL, "%s: %s: no name in '%s'",
                  csz_field_name(field), what, message);
    ck_assert_int_eq(about, field);
    ck_unchanged(o, handle, what);
}

static inline void *make(const object *o)
{
    void *handle = o->make(NULL);

    ck_assert_ptr_nonnull(handle);
    return handle;
}

static inline int has_bounds(csz_field field, double *lowest, double *highest)
{
    return is_input(field) && csz_field_bounds(field, lowest, highest) == CSZ_OK;
}

static inline int is_integral(csz_field field)
{
    return csz_field_type(field) != CSZ_TYPE_F64;
}

#endif
