/* Masks of bits, one a lane. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/* The number of the lowest bit that is set, of any mask but 0. */
static inline int bits_lowest(uint32_t bits) {
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#elif defined(_MSC_VER)
    unsigned long n;
    _BitScanForward(&n, bits);
    return (int)n;
#else
    int n = 0;
    while (!(bits >> n & 1)) ++n;
    return n;
#endif
}

/* The same of a long mask. */
static inline int bits_lowest_long(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    const uint32_t low = (uint32_t)bits;
    return low ? bits_lowest(low) : 32 + bits_lowest((uint32_t)(bits >> 32));
#endif
}

/* How many of the lowest eight bits are set. */
static inline uint32_t bits_count8(uint32_t bits) {
    bits = (bits & 0x55) + (bits >> 1 & 0x55);
    bits = (bits & 0x33) + (bits >> 2 & 0x33);
    return (bits & 15) + (bits >> 4 & 15);
}

/* A hint that memory will be read soon; any address will do. */
#if defined(__GNUC__)
#define BITS_FETCH(address) __builtin_prefetch(address)
#else
#define BITS_FETCH(address) ((void)(address))
#endif

#endif
