/* objects.h: the four kinds of input behind one set of function pointers, for tests that loop over
 * all of them. */
#ifndef TESTS_OBJECTS_H
#define TESTS_OBJECTS_H

#include <clustersize/clustersize.h>

typedef struct object {
    const char *name;
    csz_object number;
    void *(*make)(const csz_context *context);
    void (*drop)(void *handle);
    csz_status (*copy)(void *to, const void *from);
    csz_status (*set)(void *handle, const char *text);
    csz_status (*set_i64)(void *handle, csz_field field, int64_t value);
    csz_status (*set_f64)(void *handle, csz_field field, double value);
    csz_status (*unset)(void *handle, csz_field field);
    csz_status (*get_i64)(const void *handle, csz_field field, int64_t *value);
    csz_status (*get_f64)(const void *handle, csz_field field, double *value);
    size_t (*get_text)(const void *handle, csz_field field, char *text, size_t capacity);
    int (*is_set)(const void *handle, csz_field field);
    csz_status (*load)(void *handle, csz_source source, const char *text, size_t length);
    size_t (*to_json)(const void *handle, char *json, size_t capacity);
    const char *(*error)(const void *handle, csz_field *field);
} object;

#define NO_CATALOG(text) text
#define BUILT_IN(text) NULL, text

#define WRAP(o, WITH)                                                                              \
    static void *o##_make(const csz_context *context)                                              \
    {                                                                                              \
        return csz_##o##_new(context);                                                             \
    }                                                                                              \
    static void o##_drop(void *handle)                                                             \
    {                                                                                              \
        csz_##o##_free(handle);                                                                    \
    }                                                                                              \
    static csz_status o##_copy(void *to, const void *from)                                         \
    {                                                                                              \
        return csz_##o##_copy(to, from);                                                           \
    }                                                                                              \
    static csz_status o##_set(void *handle, const char *text)                                      \
    {                                                                                              \
        return csz_##o##_set(handle, WITH(text));                                                  \
    }                                                                                              \
    static csz_status o##_set_i64(void *handle, csz_field field, int64_t value)                    \
    {                                                                                              \
        return csz_##o##_set_i64(handle, field, value);                                            \
    }                                                                                              \
    static csz_status o##_set_f64(void *handle, csz_field field, double value)                     \
    {                                                                                              \
        return csz_##o##_set_f64(handle, field, value);                                            \
    }                                                                                              \
    static csz_status o##_unset(void *handle, csz_field field)                                     \
    {                                                                                              \
        return csz_##o##_unset(handle, field);                                                     \
    }                                                                                              \
    static csz_status o##_get_i64(const void *handle, csz_field field, int64_t *value)             \
    {                                                                                              \
        return csz_##o##_get_i64(handle, field, value);                                            \
    }                                                                                              \
    static csz_status o##_get_f64(const void *handle, csz_field field, double *value)              \
    {                                                                                              \
        return csz_##o##_get_f64(handle, field, value);                                            \
    }                                                                                              \
    static size_t o##_get_text(const void *handle, csz_field field, char *text, size_t capacity)   \
    {                                                                                              \
        return csz_##o##_get_text(handle, field, text, capacity);                                  \
    }                                                                                              \
    static int o##_is_set(const void *handle, csz_field field)                                     \
    {                                                                                              \
        return csz_##o##_is_set(handle, field);                                                    \
    }                                                                                              \
    static csz_status o##_load(void *handle, csz_source source, const char *text, size_t length)   \
    {                                                                                              \
        return csz_##o##_load(handle, WITH(source), text, length);                                 \
    }                                                                                              \
    static size_t o##_to_json(const void *handle, char *json, size_t capacity)                     \
    {                                                                                              \
        return csz_##o##_to_json(handle, json, capacity);                                          \
    }                                                                                              \
    static const char *o##_error(const void *handle, csz_field *field)                             \
    {                                                                                              \
        return csz_##o##_error(handle, field);                                                     \
    }

WRAP(workload, BUILT_IN)
WRAP(cluster, BUILT_IN)
WRAP(plan, NO_CATALOG)
WRAP(goal, NO_CATALOG)

#define OBJECT_OF(o, number)                                                                       \
    {                                                                                              \
#o, number, o##_make, o##_drop, o##_copy, o##_set, o##_set_i64, o##_set_f64, o##_unset,    \
            o##_get_i64, o##_get_f64, o##_get_text, o##_is_set, o##_load, o##_to_json, o##_error   \
    }

static const object objects[] = {
    OBJECT_OF(workload, CSZ_OBJECT_WORKLOAD),
    OBJECT_OF(cluster, CSZ_OBJECT_CLUSTER),
    OBJECT_OF(plan, CSZ_OBJECT_PLAN),
    OBJECT_OF(goal, CSZ_OBJECT_GOAL),
};
#define OBJECTS (sizeof objects / sizeof *objects)

#endif
