/* FNV-1a over the bytes of numbers, the lowest first: the same on every machine. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#define CM__HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_bits(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++, value >>= 8) hash = (hash ^ (value & 255)) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
