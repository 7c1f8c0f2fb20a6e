/* checked.h: integer arithmetic that reports overflow instead of wrapping. Counts live within 2^53.
 */
#ifndef CSZI_BASE_CHECKED_H
#define CSZI_BASE_CHECKED_H

#include <stdint.h>

#define CSZI_COUNT_MAX ((int64_t)1 << 53)

/* *sum and *product are within +-2^53 on success (1); on failure (0) they are unchanged. Operands
 * must be too. */
static inline int cszi_add(int64_t a, int64_t b, int64_t *sum)
{
    int64_t s = a + b; /* cannot overflow: both are within 2^53 */
    if (s > CSZI_COUNT_MAX || s < -CSZI_COUNT_MAX)
        return 0;
    *sum = s;
    return 1;
}

static inline int cszi_multiply(int64_t a, int64_t b, int64_t *product)
{
    int64_t limit = CSZI_COUNT_MAX;
    if (a != 0 && b != 0) {
        int64_t x = a < 0 ? -a : a, y = b < 0 ? -b : b;
        if (x > limit / y)
            return 0;
    }
    *product = a * b;
    return 1;
}

/* A sum of products that remembers an overflow, so that a long formula is checked once at its end.
 */
typedef struct cszi_tally {
    int64_t value;
    int overflow;
} cszi_tally;

static inline void cszi_tally_add(cszi_tally *tally, int64_t a, int64_t b)
{
    int64_t product = 0;
    if (!cszi_multiply(a, b, &product) || !cszi_add(tally->value, product, &tally->value))
        tally->overflow = 1;
}

#endif
