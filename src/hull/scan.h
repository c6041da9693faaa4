/* The farthest of few corners: first the greatest value, lane by lane, then who has it, the first of equals; NaN gives
 * corner 0. Products and sums are the same in the same order however many lanes there are, so all give the same corner.
 *
 * No jump depends on the values, since nothing could foresee it: 32 corners take 18 ns so with SSE2, where a search for
 * the first of equals by jumps takes 30. */
#ifndef HULL_SCAN_H
#define HULL_SCAN_H

#include "hull/hull.h"
#include "hull/lanes.h"

/* `padded` is a multiple of CM__HULL_LANES and at most CM__HULL_SCAN. */
static inline uint32_t hull_scan(const cm_real *at, uint32_t padded, cm_vec3 d) {
    const cm_real *x = at, *y = at + padded, *z = at + 2 * (size_t)padded;
    lanes_row value[CM__HULL_SCAN / LANES + 1], most;
    uint32_t blocks = padded / LANES, rest = 0; /* and where the last begins that is no whole one */
#if LANES > CM__HULL_LANES
    if (blocks == 0) {
        most = value[0] = lanes_along(lanes_twice(x), lanes_twice(y), lanes_twice(z), d);
        return (uint32_t)lanes_lowest(lanes_ge(value[0], lanes_all(lanes_top(most))) | 1u << 8) & 7;
    }
    if (padded % LANES) rest = padded - LANES;
#endif
    most = value[0] = lanes_along(lanes_load(x), lanes_load(y), lanes_load(z), d);
    for (uint32_t b = 1; b < blocks; b++) {
        const uint32_t i = b * LANES;
        value[b] = lanes_along(lanes_load(x + i), lanes_load(y + i), lanes_load(z + i), d);
        most = lanes_max(value[b], most);
    }
    if (rest) {
        value[blocks] = lanes_along(lanes_load(x + rest), lanes_load(y + rest), lanes_load(z + rest), d);
        most = lanes_max(value[blocks], most);
    }
    most = lanes_all(lanes_top(most));
    for (uint32_t b = 0; b < blocks;) {
        uint64_t word = 0;
        const uint32_t first = b * LANES;
        for (uint32_t k = 0; k < 32 && b < blocks; k += LANES, b++) word |= (uint64_t)lanes_ge(value[b], most) << k;
        if (word) return first + (uint32_t)lanes_lowest(word);
    }
    const uint32_t bits = rest ? lanes_ge(value[blocks], most) : 0;
    return bits ? rest + (uint32_t)lanes_lowest(bits) : 0;
}

#endif
