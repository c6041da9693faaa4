/* The walk from a box, at rest or on its way.
 *
 * In single floats, in the tree's units. A side of the box that lies beyond the tree on its inner side cannot matter
 * and is brought to 4, unless the box moves; the others stay where they are. Each side is moved out by CM__BVH_GROWTH
 * of itself, as those of the tree's boxes are by that of theirs. */
#include "bvh/near_box.h"
#include "base/bits.h"
#include "bvh/four.h"

static double near_box_clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* `way`: along which the box moves; on axes along which it stands, its sides may be cut to the tree's surroundings. */
static bool near_box_open(cm__bvh_box_near_query *q, const cm__bvh *tree, const cm_aabb *box, cm_vec3 way) {
    const cm_real low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    const cm_real along[3] = {way.x, way.y, way.z};
    q->nodes = tree->nodes;
    q->scale = tree->scale;
    q->top = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(low[k] <= high[k])) return false;
        double cut = along[k] != 0 ? 1e15 : 4;
        /* brought nearer than it is, a box only seems nearer: still a lower bound */
        double a = near_box_clamp(((double)low[k] - tree->origin[k]) * tree->scale, -cut, 1e15);
        double b = near_box_clamp(((double)high[k] - tree->origin[k]) * tree->scale, -1e15, cut);
        q->low[k] = cm__bvh_low_side(a);
        q->high[k] = cm__bvh_high_side(b);
    }
    if (tree->item_count > 0) q->stack[q->top++] = cm__bvh_key(0, ~0u);
    return q->top > 0;
}

void cm__bvh_box_near_start(cm__bvh_box_near_query *q, const cm__bvh *tree, const cm_aabb *box) {
    near_box_open(q, tree, box, cm_v(0, 0, 0));
}

/* Puts the children on the stack that are within `limit`, the nearest on top. */
static inline void near_box_push(cm__bvh_box_near_query *q, uint32_t node, f32x4 gap, float limit) {
    const cm__bvh_node *n = &q->nodes[node];
    const unsigned met = u32x4_mask(f32x4_le(gap, f32x4_all(limit))) & cm__four_used(n);
    if (met == 0) return;
    /* in a large tree the walk waits for memory: all four children begin to load, see cm__bvh_ray_next */
    for (int i = 0; i < 4; ++i) {
        const char *to = (const char *)&q->nodes[n->count[i] ? node : n->child[i]];
        BITS_FETCH(to);
        BITS_FETCH(to + 64);
        BITS_FETCH(to + 112);
    }
    q->top = cm__four_push_near(q->stack, q->top, gap, node, met);
}

/* The next slot: a leaf, which is returned, or a node, which is to be opened. */
static inline bool near_box_pop(cm__bvh_box_near_query *q, float limit, uint32_t *node, cm__bvh_leaf *leaf) {
    while (q->top > 0) {
        const uint64_t at = q->stack[--q->top];
        if (cm__bvh_key_value(at) > limit) continue;
        const uint32_t slot = cm__four_near_slot(at);
        *node = q->nodes[slot / 4].child[slot % 4];
        leaf->first = *node;
        leaf->count = q->nodes[slot / 4].count[slot % 4];
        return true;
    }
    return false;
}

bool cm__bvh_box_near_next(cm__bvh_box_near_query *q, cm_real bound, cm__bvh_leaf *out) {
    if (!(bound >= 0)) return false;
    double b = (double)bound * q->scale;
    float limit = b < 1e18 ? (float)(b * b * (1 + 1e-6)) + FLT_MIN : FLT_MAX; /* rounded up */
    uint32_t node;
    cm__bvh_leaf leaf;
    while (near_box_pop(q, limit, &node, &leaf)) {
        if (leaf.count > 0) {
            *out = leaf;
            return true;
        }
        const cm__bvh_node *n = &q->nodes[node];
        f32x4 gap = f32x4_all(0);
        for (int k = 0; k < 3; ++k) {
            f32x4 away = f32x4_sub(cm__four_beside(n, k, q->low[k], q->high[k]), f32x4_load(n->half[k]));
            away = f32x4_max(away, f32x4_all(0));
            gap = f32x4_add(gap, f32x4_mul(away, away));
        }
        near_box_push(q, node, gap, limit);
    }
    return false;
}

/* --- on its way ------------------------------------------------------------------------------------------------- */

void cm__bvh_cast_start(cm__bvh_box_near_query *q, const cm__bvh *tree, const cm_aabb *box, cm_vec3 move) {
    const cm_real along[3] = {move.x, move.y, move.z};
    if (!near_box_open(q, tree, box, move)) return;
    for (int k = 0; k < 3; ++k) {
        double d = (double)along[k] * tree->scale;
        /* so far away that times would be lost: as if it stood around the tree all along */
        if (q->low[k] > 1e14f || q->high[k] < -1e14f) q->low[k] = -4, q->high[k] = 4, d = 0;
        /* a slower axis moves less than CM__BVH_STILL in the whole step: as good as standing still */
        if (fabs(d) > 1e-18) {
            q->inverse[k] = (float)(1 / d);
            if (fabsf(q->inverse[k]) < 1e-30f) q->inverse[k] = d > 0 ? 1e-30f : -1e-30f;
        } else {
            q->inverse[k] = 1e18f;
            q->low[k] -= CM__BVH_STILL, q->high[k] += CM__BVH_STILL;
        }
    }
}

bool cm__bvh_cast_next(cm__bvh_box_near_query *q, cm_real limit, cm__bvh_leaf *out) {
    if (!(limit >= 0)) return false;
    /* times are right to a few roundings of themselves; the growth of the boxes holds those of the coordinates */
    float last = (float)limit * (1 + 1e-6f) + FLT_MIN;
    uint32_t node;
    cm__bvh_leaf leaf;
    while (near_box_pop(q, last, &node, &leaf)) {
        if (leaf.count > 0) {
            *out = leaf;
            return true;
        }
        const cm__bvh_node *n = &q->nodes[node];
        f32x4 low = f32x4_all(0), high = f32x4_all(last);
        for (int k = 0; k < 3; ++k) {
            f32x4 center = f32x4_load(n->center[k]), reach = f32x4_load(n->half[k]), inverse = f32x4_all(q->inverse[k]);
            f32x4 a = f32x4_mul(f32x4_sub(f32x4_sub(center, reach), f32x4_all(q->high[k])), inverse);
            f32x4 b = f32x4_mul(f32x4_sub(f32x4_add(center, reach), f32x4_all(q->low[k])), inverse);
            f32x4 first = f32x4_min(a, b), end = f32x4_max(a, b);
            first = f32x4_sub(first, f32x4_mul(f32x4_abs(first), f32x4_all(1e-6f)));
            end = f32x4_add(end, f32x4_mul(f32x4_abs(end), f32x4_all(1e-6f)));
            low = f32x4_max(first, low);
            high = f32x4_min(end, high);
        }
        const unsigned met = u32x4_mask(f32x4_le(low, high)) & cm__four_used(n);
        q->top = cm__four_push_near(q->stack, q->top, low, node, met);
    }
    return false;
}
