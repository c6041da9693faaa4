/* Boxes to build trees over. */
#ifndef BVH_BOXES_H
#define BVH_BOXES_H

#include "support/support.h"

static inline cm_aabb random_box(rng *r, double half, double size, double offset) {
    cm_vec3 at = rng_vec3(r, half), side = rng_vec3(r, size);
    cm_aabb b;
    b.min = cm_add(at, cm_v(CM_REAL(offset), CM_REAL(offset), CM_REAL(-offset)));
    b.max = cm_add(b.min, cm_vec3_abs(side));
    return b;
}

/* Calls `check` with 0 to 3000 boxes, one in five of them flat, of three sizes, near the origin and far from it, for
 * leaves of 1, 2, 4 … `most` items. */
static inline void check_random_boxes(uint32_t most,
                                      void (*check)(const cm_aabb *boxes, uint32_t count, uint32_t leaf)) {
    rng r = rng_start("boxes", 1);
    static cm_aabb boxes[3000];
    const double sizes[] = {1e-4, 1, 1e6};
    for (int s = 0; s < 3; ++s)
        for (uint32_t count = 0; count <= 3000; count = count < 30 ? count + 1 : count * 2 + 1)
            for (uint32_t leaf = 1; leaf <= most; leaf *= 2) {
                double offset = rng_below(&r, 2) ? 1e5 * sizes[s] : 0;
                for (uint32_t i = 0; i < count; ++i) {
                    boxes[i] = random_box(&r, sizes[s], sizes[s] / 10, offset);
                    if (i % 5 == 0) boxes[i].max.x = boxes[i].min.x;
                }
                check(boxes, count, leaf);
            }
}

#endif
