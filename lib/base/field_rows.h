/* field_rows.h: what a fields.inc expands to. A file that includes it defines, for each record R
 * that the .inc names, CSZI_RECORD_<R> (the struct) and CSZI_LIST_<R> (its list index), then static
 * const cszi_field_row rows[] = { #include "<floor>/fields.inc"
 *     };
 * The element size array proves at compile time that a row's type is that of the member. */
#include <math.h>
#include <stddef.h>

#include "base/field.h"

#define CSZI_NO ((double)NAN) /* no default */

#define CSZI_HOLDS_I64(x) _Generic((x), int64_t : 1, default : 0)
#define CSZI_HOLDS_CHOICE(x) CSZI_HOLDS_I64(x)
#define CSZI_HOLDS_BOOL(x) CSZI_HOLDS_I64(x)
#define CSZI_HOLDS_F64(x) _Generic((x), double : 1, default : 0)
#define CSZI_HOLDS_TEXT(x) _Generic((x), char * : 1, const char * : 1, default : 0)
#define CSZI_HOLDS_RANGE(x) _Generic((x), cszi_range : 1, default : 0)
#define CSZI_PROVEN(type, record, member)                                                          \
    (0 * sizeof(char[CSZI_HOLDS_##type(((CSZI_RECORD_##record *)0)->member) ? 1 : -1]))

#define FIELD(id, record, member, name, alias, type, unit, lower, upper, initial, choices, since,  \
              text)                                                                                \
    {id,                                                                                           \
     CSZ_TYPE_##type,                                                                              \
     CSZ_UNIT_##unit,                                                                              \
     CSZI_LIST_##record,                                                                           \
     (uint32_t)(offsetof(CSZI_RECORD_##record, member) + CSZI_PROVEN(type, record, member)),       \
     lower,                                                                                        \
     upper,                                                                                        \
     initial,                                                                                      \
     choices,                                                                                      \
     name,                                                                                         \
     alias,                                                                                        \
     since,                                                                                        \
     text},
