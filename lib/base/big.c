/* big.c: big integers of fixed size, by limbs. */
#include "base/big.h"

#include <string.h>

#define POW5_STEP 13
#define POW5_13 1220703125u /* the largest power of five below 2^32 */

static const uint32_t pow5_u32[] = {
    1u,     5u,      25u,      125u,     625u,      3125u,      15625u,
    78125u, 390625u, 1953125u, 9765625u, 48828125u, 244140625u,
};

void cszi_big_set(cszi_big *b, uint64_t value)
{
    b->limb[0] = (uint32_t)value;
    b->limb[1] = (uint32_t)(value >> 32);
    b->count = b->limb[1] != 0 ? 2 : b->limb[0] != 0 ? 1 : 0;
}

void cszi_big_multiply_add(cszi_big *b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    int i;

    for (i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        b->limb[b->count++] = (uint32_t)carry;
    }
}

static void big_trim(cszi_big *b)
{
    while (b->count > 0 && b->limb[b->count - 1] == 0) {
        b->count--;
    }
}

/* Returns whether the remainder is not zero. */
static int big_divide(cszi_big *b, uint32_t divisor)
{
    uint64_t rest = 0;
    int i;

    for (i = b->count - 1; i >= 0; i--) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    big_trim(b);
    return rest != 0;
}

/* The same for the divisor of almost every step: as a constant it needs no division instruction. */
static int big_divide_step(cszi_big *b)
{
    uint64_t rest = 0;
    int i;

    for (i = b->count - 1; i >= 0; i--) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / POW5_13);
        rest %= POW5_13;
    }
    big_trim(b);
    return rest != 0;
}

void cszi_big_multiply_pow5(cszi_big *b, int power)
{
    for (; power >= POW5_STEP; power -= POW5_STEP) {
        cszi_big_multiply_add(b, POW5_13, 0);
    }
    if (power > 0) {
        cszi_big_multiply_add(b, pow5_u32[power], 0);
    }
}

int cszi_big_divide_pow5(cszi_big *b, int power)
{
    int sticky = 0;

    for (; power >= POW5_STEP; power -= POW5_STEP) {
        sticky |= big_divide_step(b);
    }
    if (power > 0) {
        sticky |= big_divide(b, pow5_u32[power]);
    }
    return sticky;
}

void cszi_big_shift_left(cszi_big *b, int bits)
{
    int limbs = bits / 32;
    int rest = bits % 32;

    if (b->count == 0) {
        return;
    }
    if (rest != 0) {
        cszi_big_multiply_add(b, (uint32_t)1 << rest, 0);
    }
    if (limbs > 0) {
        memmove(b->limb + limbs, b->limb, (size_t)b->count * sizeof b->limb[0]);
        memset(b->limb, 0, (size_t)limbs * sizeof b->limb[0]);
        b->count += limbs;
    }
}

/* Returns whether a bit that was not zero fell off. */
int cszi_big_shift_right(cszi_big *b, int bits)
{
    int limbs = bits / 32;
    int rest = bits % 32;
    int sticky = 0;
    int i;

    if (limbs >= b->count) {
        sticky = b->count > 0;
        b->count = 0;
        return sticky;
    }
    for (i = 0; i < limbs; i++) {
        sticky |= b->limb[i] != 0;
    }
    sticky |= (b->limb[limbs] & (((uint32_t)1 << rest) - 1)) != 0;
    for (i = limbs; i < b->count; i++) {
        uint64_t above = i + 1 < b->count ? b->limb[i + 1] : 0;
        b->limb[i - limbs] = (uint32_t)((above << 32 | b->limb[i]) >> rest);
    }
    b->count -= limbs;
    big_trim(b);
    return sticky;
}

int cszi_big_word_length(uint64_t value)
{
    int length = 0;
    int step;

    for (step = 32; step > 0; step /= 2) {
        if (value >> step != 0) {
            value >>= step;
            length += step;
        }
    }
    return length + (value != 0);
}

int cszi_big_bit_length(const cszi_big *b)
{
    return b->count == 0 ? 0 : 32 * (b->count - 1) + cszi_big_word_length(b->limb[b->count - 1]);
}

uint64_t cszi_big_low(const cszi_big *b)
{
    uint64_t low = b->count > 0 ? b->limb[0] : 0;

    return b->count > 1 ? low | (uint64_t)b->limb[1] << 32 : low;
}
