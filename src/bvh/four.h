/* The four boxes of a node side by side, and a stack on which the nearest of those that a walk enters comes to lie. */
#ifndef BVH_FOUR_H
#define BVH_FOUR_H

#include "bvh/bvh.h"
#include "math/simd.h"

/* Along axis k, how far beyond each box's center the interval [low, high] begins, on the side where it is farther. */
CM_INLINE f32x4 cm__four_beside(const cm__bvh_node *n, int k, float low, float high) {
    f32x4 center = f32x4_load(n->center[k]);
    return f32x4_max(f32x4_sub(f32x4_all(low), center), f32x4_sub(center, f32x4_all(high)));
}

/* Bit i: lane i is not empty. */
CM_INLINE unsigned cm__four_used(const cm__bvh_node *n) {
    return u32x4_mask(f32x4_ge(f32x4_load(n->half[0]), f32x4_all(0)));
}

CM_INLINE void cm__four_order(uint64_t *a, uint64_t *b) {
    uint64_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low, *b = high;
}

/* Sorts the keys of the four lanes, those that are not in `met` last; returns how many are. Nothing in a walk is
 * predictable, so there is no jump in it. */
CM_INLINE int cm__four_sort(uint64_t key[4], unsigned met) {
    static const uint8_t met_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    for (uint32_t i = 0; i < 4; ++i) key[i] |= 0 - (uint64_t)(~met >> i & 1);
    cm__four_order(&key[0], &key[1]), cm__four_order(&key[2], &key[3]);
    cm__four_order(&key[0], &key[2]), cm__four_order(&key[1], &key[3]);
    cm__four_order(&key[1], &key[2]);
    return met_count[met];
}

/* Puts the keys of the lanes in `met` on the stack, the least on top; returns the new top. All four are written: the
 * stack has room for them above `top`. */
CM_INLINE int cm__four_push(uint64_t *stack, int top, uint64_t key[4], unsigned met) {
    const int more = cm__four_sort(key, met);
    for (int i = 0; i < 4; ++i) stack[top + (more > i ? more - 1 - i : i)] = key[i];
    return top + more;
}

/* The same for a value a lane, of node `node`: of equally near lanes the last comes first. */
CM_INLINE int cm__four_push_near(uint64_t *stack, int top, f32x4 value, uint32_t node, unsigned met) {
    float near[4];
    uint64_t key[4];
    f32x4_store(near, value);
    for (uint32_t i = 0; i < 4; ++i) key[i] = cm__bvh_key(near[i], ~(4 * node + i));
    return cm__four_push(stack, top, key, met);
}
CM_INLINE uint32_t cm__four_near_slot(uint64_t key) { return ~(uint32_t)key; }

#endif
