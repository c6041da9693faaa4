/* The 17 digits of a number.
 *
 * Guaranteed: those of printf's %.17g, that is the exact number rounded to 17 digits, to even where two are as near.
 * Numbers from 1e-39 to 2^52 are computed here: there 10^j with which the digits stand before the point is a whole
 * number, 5^j of at most 126 bits times a power of two, and so is the product with the number's 53 bits: it is computed
 * exactly in 192 bits and shifted. The others are left to printf. */
#include "common/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 17, FIVES = 28, MOST_FIVES = 2 * (FIVES - 1) };
static const uint64_t least_number = UINT64_C(10000000000000000); /* of 17 digits */

static const uint64_t powers_of_five[FIVES] = {UINT64_C(1),
                                               UINT64_C(5),
                                               UINT64_C(25),
                                               UINT64_C(125),
                                               UINT64_C(625),
                                               UINT64_C(3125),
                                               UINT64_C(15625),
                                               UINT64_C(78125),
                                               UINT64_C(390625),
                                               UINT64_C(1953125),
                                               UINT64_C(9765625),
                                               UINT64_C(48828125),
                                               UINT64_C(244140625),
                                               UINT64_C(1220703125),
                                               UINT64_C(6103515625),
                                               UINT64_C(30517578125),
                                               UINT64_C(152587890625),
                                               UINT64_C(762939453125),
                                               UINT64_C(3814697265625),
                                               UINT64_C(19073486328125),
                                               UINT64_C(95367431640625),
                                               UINT64_C(476837158203125),
                                               UINT64_C(2384185791015625),
                                               UINT64_C(11920928955078125),
                                               UINT64_C(59604644775390625),
                                               UINT64_C(298023223876953125),
                                               UINT64_C(1490116119384765625),
                                               UINT64_C(7450580596923828125)};

/* Lowest first. */
typedef struct wide_number {
    uint64_t word[3];
} wide_number;

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    *high = a1 * b1 + (middle >> 32) + (other >> 32);
    return other << 32 | (uint32_t)low;
}

/* m times 5^j. */
static wide_number times_fives(uint64_t m, int j) {
    const int first = j < FIVES ? j : FIVES - 1;
    uint64_t high, carry, top;
    const uint64_t low = multiply(m, powers_of_five[first], &high), rest = powers_of_five[j - first];
    wide_number p;
    p.word[0] = multiply(low, rest, &carry);
    p.word[1] = multiply(high, rest, &top);
    p.word[1] += carry;
    p.word[2] = top + (p.word[1] < carry);
    return p;
}

/* The number divided by 2^shift, 1 to 127, rounded to the nearest, to even: it then takes 64 bits. */
static uint64_t shifted(const wide_number *p, int shift) {
    const int words = (shift - 1) / 64, bits = (shift - 1) % 64;
    const uint64_t at = p->word[words], above = words < 2 ? p->word[words + 1] : 0;
    const uint64_t beyond = words < 1 ? p->word[2] : 0;
    uint64_t lost = at & (((uint64_t)1 << bits) - 1); /* below the bit that is half of one */
    if (words > 0) lost |= p->word[0];
    const uint64_t twice = bits ? at >> bits | above << (64 - bits) : at;
    const uint64_t next = bits ? above >> bits | beyond << (64 - bits) : above;
    const uint64_t whole = twice >> 1 | next << 63;
    return whole + ((twice & 1) && (lost || (whole & 1)));
}

/* The digits of a positive number as one, and the power of ten of the first. False: out of what is computed here. */
static bool digits_of(double x, uint64_t *digits, int *power) {
    if (!(x >= 1e-39 && x < 4503599627370496.0)) return false;
    int exponent;
    const uint64_t m = (uint64_t)ldexp(frexp(x, &exponent), 53);
    *power = (exponent - 1) * 30103 / 100000 - (exponent - 1 < 0); /* of 2^(exponent - 1), or one less */
    for (;; ++*power) {
        const int fives = DIGITS - 1 - *power, shift = 53 - exponent - fives;
        if (fives > MOST_FIVES || fives < 0 || shift < 1 || shift > 127) return false;
        const wide_number product = times_fives(m, fives);
        if (shift < 64 ? product.word[2] || product.word[1] >> shift : product.word[2] >> (shift - 64)) continue;
        *digits = shifted(&product, shift);
        if (*digits < 10 * least_number) return *digits >= least_number;
    }
}

static size_t put_digits(const char *text, int count, int power, char *out) {
    char *at = out;
    if (power < -4) { /* d.ddde-xx */
        *at++ = text[0];
        if (count > 1) *at++ = '.';
        for (int i = 1; i < count; i++) *at++ = text[i];
        *at++ = 'e', *at++ = '-', *at++ = (char)('0' + -power / 10), *at++ = (char)('0' + -power % 10);
        return (size_t)(at - out);
    }
    if (power < 0) *at++ = '0', *at++ = '.';
    for (int i = -1; i > power; i--) *at++ = '0';
    for (int i = 0; i < count || i <= power; i++) {
        if (i == power + 1 && i > 0) *at++ = '.';
        *at++ = i < count ? text[i] : '0';
    }
    return (size_t)(at - out);
}

size_t decimal_put(double x, char *out) {
    char *at = out, text[DIGITS];
    uint64_t digits;
    int power, count = DIGITS;
    if (x == 0 && !signbit(x)) {
        *out = '0';
        return 1;
    }
    if (!digits_of(fabs(x), &digits, &power)) return (size_t)snprintf(out, DECIMAL_ROOM, "%.17g", x);
    for (int i = DIGITS - 1; i >= 0; i--) text[i] = (char)('0' + digits % 10), digits /= 10;
    while (count > 1 && text[count - 1] == '0') count--;
    if (x < 0) *at++ = '-';
    return (size_t)(at - out) + put_digits(text, count, power, at);
}
