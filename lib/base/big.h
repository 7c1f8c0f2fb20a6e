/* big.h: the exact integers behind decimal conversion.
 *
 * Both directions rest on one exact operation: a big integer times or divided by a power of ten.
 * 10^n is 5^n 2^n; the power of two is a shift, the power of five a row of multiplications or
 * divisions by one limb. As floor(floor(x / a) / b) = floor(x / (a b)), dividing step by step and
 * remembering whether any remainder was not zero gives the exact quotient and a sticky bit, which
 * is all that rounding needs.
 */
#ifndef CSZI_BASE_BIG_H
#define CSZI_BASE_BIG_H

#include <stdint.h>

/* 770 digits are 80 limbs, a factor one more; a dividend for 5^1110 is 84. */
#define CSZI_BIG_LIMBS 96

typedef struct cszi_big {
    uint32_t limb[CSZI_BIG_LIMBS]; /* least first */
    int count;                     /* limbs used, the last not zero */
} cszi_big;

void cszi_big_set(cszi_big *b, uint64_t value);
void cszi_big_multiply_add(cszi_big *b, uint32_t factor, uint32_t add);
void cszi_big_multiply_pow5(cszi_big *b, int power);
int cszi_big_divide_pow5(cszi_big *b, int power);
void cszi_big_shift_left(cszi_big *b, int bits);
/* Returns whether a bit that was not zero fell off. */
int cszi_big_shift_right(cszi_big *b, int bits);
int cszi_big_word_length(uint64_t value);
int cszi_big_bit_length(const cszi_big *b);
uint64_t cszi_big_low(const cszi_big *b);

#endif
