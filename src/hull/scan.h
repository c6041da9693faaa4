/* The support vertex of a hull with few vertices: all dot products in vectors, their maximum, then the first vertex
 * that has it; NaN gives vertex 0. So it is never one of the copies of the last vertex that fill its block. Every
 * vertex' products and sums are computed in the same order whatever the vector width, so all widths give the same
 * vertex.
 *
 * No branch depends on the values, as it could not be predicted: 32 vertices take 18 ns so with SSE2, and 30 ns with a
 * loop that branches at each. */
#ifndef HULL_SCAN_H
#define HULL_SCAN_H

#include "hull/hull.h"
#include "hull/lanes.h"

/* The dot products with d of `padded` corners, a multiple of CM__HULL_LANES and at most CM__HULL_SCAN. Returns the
 * greatest. */
LANES_INLINE cm_real hull_scan_values(const cm_real *at, uint32_t padded, cm_vec3 d, lanes_row *value) {
    const cm_real *x = at, *y = at + padded, *z = at + 2 * (size_t)padded;
    lanes_row most = value[0] = lanes_along(lanes_load(x), lanes_load(y), lanes_load(z), d);
    for (uint32_t i = LANES; i < padded; i += LANES) {
        value[i / LANES] = lanes_along(lanes_load(x + i), lanes_load(y + i), lanes_load(z + i), d);
        most = lanes_max(value[i / LANES], most);
    }
    return lanes_top(most);
}

/* Bit k: value `from` + k is at least `level`; up to 32 of them. */
LANES_INLINE uint32_t hull_scan_bits(const lanes_row *value, uint32_t from, uint32_t padded, cm_real level) {
    const lanes_row low = lanes_all(level);
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 32 && from + k < padded; k += LANES) bits |= lanes_ge(value[(from + k) / LANES], low) << k;
    return bits;
}

LANES_INLINE uint32_t hull_scan_in(const cm_real *at, const uint32_t padded, cm_vec3 d) {
    lanes_row value[CM__HULL_SCAN / LANES];
    const cm_real most = hull_scan_values(at, padded, d, value);
    for (uint32_t i = 0; i < padded; i += 32) {
        const uint32_t bits = hull_scan_bits(value, i, padded, most);
        if (bits) return i + (uint32_t)bits_lowest(bits);
    }
    return 0;
}

LANES_INLINE void hull_near_in(const cm_real *at, const uint32_t padded, cm_vec3 d, cm_real slack, uint32_t *bits) {
    lanes_row value[CM__HULL_SCAN / LANES];
    const cm_real level = hull_scan_values(at, padded, d, value) - slack;
    for (uint32_t i = 0; i < padded; i += 32) bits[i / 32] = hull_scan_bits(value, i, padded, level);
}

/* Where the compiler knows the length of the loop, all values stay in registers: half the time for few corners. */
LANES_INLINE uint32_t hull_scan(const cm_real *at, uint32_t padded, cm_vec3 d) {
    if (padded <= 16) return padded == 8 ? hull_scan_in(at, 8, d) : hull_scan_in(at, 16, d);
    if (padded <= 32) return padded == 24 ? hull_scan_in(at, 24, d) : hull_scan_in(at, 32, d);
    return hull_scan_in(at, padded, d);
}

/* Bit k of `bits`: corner k is within `slack` of the farthest. Copies of the last corner, which fill its block, have
 * bits too. */
static inline void hull_scan_near(const cm_real *at, uint32_t padded, cm_vec3 d, cm_real slack, uint32_t *bits) {
    if (padded == 32)
        hull_near_in(at, 32, d, slack, bits);
    else
        hull_near_in(at, padded, d, slack, bits);
}

#endif
