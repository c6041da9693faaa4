/* Keys: which of a wide node's eight children a ray enters first. A key is the bits of where it does, a float that is
 * not negative, the last three of them replaced by the lane: ordered as numbers. */
#ifndef MESH_KEYS_H
#define MESH_KEYS_H

#include "math/simd_wide.h"

/* A key where from <= until, else UINT32_MAX. */
static inline u32x8 keys_of(f32x8 from, f32x8 until) {
    static const uint32_t lane[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const u32x8 no = u32x8_xor(f32x8_le(from, until), u32x8_all(UINT32_MAX));
    const u32x8 key = u32x8_and(u32x8_bits_of_f32x8(from), u32x8_all(~UINT32_C(7)));
    return u32x8_or(u32x8_or(key, u32x8_load(lane)), no);
}
/* Those of some lanes: bit i for lane i. */
static inline u32x8 keys_in(u32x8 a, unsigned lanes) {
    static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return u32x8_or(a, u32x8_eq(u32x8_and(u32x8_all(lanes), u32x8_load(bit)), u32x8_all(0)));
}
static inline u32x8 keys_without(u32x8 a, uint32_t key) { return u32x8_or(a, u32x8_eq(a, u32x8_all(key))); }

#endif
