/* One tree asked with a box, a point or a ray. All arithmetic of the walk is in single floats; each query is widened by
 * CM__BVH_GROWTH of its own coordinates, as the boxes are by that of theirs. */
#include "bvh/four.h"
#include "base/bits.h"
#include "math/point.h"

#include <string.h>

static double bvh_clamp(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }

/* --- box ----------------------------------------------------------------------------------------------------- */

void cm__bvh_box_start(cm__bvh_box_query *q, const cm__bvh *tree, const cm_aabb *box) {
    q->tree = tree;
    q->top = 0;
    const cm_real lo[3] = {box->min.x, box->min.y, box->min.z}, hi[3] = {box->max.x, box->max.y, box->max.z};
    for (int k = 0; k < 3; ++k) {
        if (!(lo[k] <= hi[k])) return;
        /* the tree lies within [-1, 1]: what is beyond 4 cannot matter, and infinite sides become short */
        double a = bvh_clamp(((double)lo[k] - tree->origin[k]) * tree->scale, 4);
        double b = bvh_clamp(((double)hi[k] - tree->origin[k]) * tree->scale, 4);
        q->low[k] = cm__bvh_low_side(a);
        q->high[k] = cm__bvh_high_side(b);
    }
    if (tree->item_count > 0) q->stack[q->top++] = 0;
}

bool cm__bvh_box_next(cm__bvh_box_query *q, cm__bvh_leaf *out) {
    while (q->top > 0) {
        uint32_t slot = q->stack[--q->top];
        const cm__bvh_node *nodes = q->tree->nodes;
        uint32_t child = nodes[slot / 4].child[slot % 4], count = nodes[slot / 4].count[slot % 4];
        if (count > 0) {
            out->first = child, out->count = count;
            return true;
        }
        const cm__bvh_node *n = &nodes[child];
        f32x4 gap = f32x4_all(-FLT_MAX);
        for (int k = 0; k < 3; ++k)
            gap = f32x4_max(f32x4_sub(cm__four_beside(n, k, q->low[k], q->high[k]), f32x4_load(n->half[k])), gap);
        const unsigned met = u32x4_mask(f32x4_le(gap, f32x4_all(0)));
        for (uint32_t i = 4; i-- > 0;) { /* written in any case: the stack has room */
            q->stack[q->top] = 4 * child + i;
            q->top += (int)(met >> i & 1);
        }
    }
    return false;
}

/* --- point --------------------------------------------------------------------------------------------------- */

void cm__bvh_near_start(cm__bvh_near_query *q, const cm__bvh *tree, cm_vec3 point) {
    q->tree = tree;
    q->top = 0;
    const cm_real p[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; ++k) {
        /* brought nearer than it is, a point only seems nearer: still a lower bound */
        q->point[k] = (float)bvh_clamp(((double)p[k] - tree->origin[k]) * tree->scale, 1e15);
        q->margin[k] = fabsf(q->point[k]) * CM__BVH_GROWTH;
    }
    if (tree->item_count > 0) q->stack[q->top++] = cm__bvh_key(0, ~0u);
}

/* A bound as a squared length in tree units, rounded up. */
static float bvh_bound_squared(cm_real bound, double scale) {
    double b = (double)bound * scale;
    return b < 1e18 ? (float)(b * b * (1 + 1e-6)) + FLT_MIN : FLT_MAX;
}

bool cm__bvh_near_next(cm__bvh_near_query *q, cm_real bound, cm__bvh_leaf *out) {
    if (!(bound >= 0)) return false;
    float limit = bvh_bound_squared(bound, q->tree->scale);
    const cm__bvh_node *nodes = q->tree->nodes;
    while (q->top > 0) {
        uint64_t at = q->stack[--q->top];
        if (cm__bvh_key_value(at) > limit) continue;
        uint32_t slot = cm__four_near_slot(at);
        uint32_t child = nodes[slot / 4].child[slot % 4], count = nodes[slot / 4].count[slot % 4];
        if (count > 0) {
            out->first = child, out->count = count;
            return true;
        }
        const cm__bvh_node *n = &nodes[child];
        f32x4 gap = f32x4_all(0);
        for (int k = 0; k < 3; ++k) {
            f32x4 off = f32x4_abs(f32x4_sub(f32x4_load(n->center[k]), f32x4_all(q->point[k])));
            f32x4 away = f32x4_sub(f32x4_sub(off, f32x4_load(n->half[k])), f32x4_all(q->margin[k]));
            away = f32x4_max(away, f32x4_all(0));
            gap = f32x4_add(gap, f32x4_mul(away, away));
        }
        const unsigned met = u32x4_mask(f32x4_le(gap, f32x4_all(limit))) & cm__four_used(n);
        q->top = cm__four_push_near(q->stack, q->top, gap, child, met);
    }
    return false;
}

/* --- ray ----------------------------------------------------------------------------------------------------- */

/* Where the walk begins: the parameter at which the line comes within 2 of the tree's middle, at least 0. Starting
 * there keeps the coordinates small however far the ray begins. False where it never comes near. */
static bool bvh_ray_skip(const double o[3], const double inverse[3], double *skip) {
    double enter = 0, leave = 1e300;
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(inverse[k]) < 1e300)) {
            if (fabs(o[k]) > 2) return false;
            continue;
        }
        double a = (-2 - o[k]) * inverse[k], b = (2 - o[k]) * inverse[k];
        double lo = a < b ? a : b, hi = a < b ? b : a;
        enter = lo > enter ? lo : enter;
        leave = hi < leave ? hi : leave;
    }
    *skip = enter;
    return enter <= leave * (1 + 1e-9);
}

bool cm__bvh_ray_line_of(const double tree_origin[3], double tree_scale, cm_vec3 origin, cm_vec3 direction,
                         cm_real error, cm__bvh_ray_line *out) {
    const cm_real from[3] = {origin.x, origin.y, origin.z}, along[3] = {direction.x, direction.y, direction.z};
    double o[3], d[3], inverse[3], far = 1, fast = (double)cm_largest(direction);
    double lift = fast < 1e-290 ? 0x1p900 : 1, slow = fast > 0 ? 1 / (fast * lift) : 0;
    for (int k = 0; k < 3; ++k) {
        o[k] = ((double)from[k] - tree_origin[k]) * tree_scale;
        d[k] = (double)along[k] * lift * slow;
        inverse[k] = 1 / d[k];
        far = fabs(o[k]) > far ? fabs(o[k]) : far;
    }
    double margin = (double)CM__BVH_STILL + far * 0x1p-48 + (double)error * tree_scale, near = 0;
    out->skipped = 0, out->rate = fast * tree_scale;
    if (margin > 2) { /* so far away, or so uncertain, that nothing can be left out */
        for (int k = 0; k < 3; ++k) o[k] = d[k] = 0;
        margin = 4;
        out->rate = 0;
    } else if (far > 2) {
        double skip = 0;
        if (!bvh_ray_skip(o, inverse, &skip)) return false;
        for (int k = 0; k < 3; ++k) o[k] += skip * d[k];
        out->skipped = out->rate > 0 ? skip / out->rate : 0;
    }
    for (int k = 0; k < 3; ++k) {
        out->origin[k] = (float)o[k];
        near = cm__most(near, fabs(o[k]));
        /* a slower axis moves less than CM__BVH_STILL within the tree: as good as standing still */
        out->inverse[k] = fabs(d[k]) > 1e-18 ? (float)inverse[k] : 1e18f;
    }
    out->margin = (float)(margin + near * (double)CM__BVH_GROWTH);
    return true;
}

void cm__bvh_ray_start(cm__bvh_ray_query *q, const cm__bvh *tree, cm_vec3 origin, cm_vec3 direction, cm_real error) {
    q->tree = tree;
    q->items = (const char *)tree->nodes, q->item_size = 0;
    q->top = 0;
    if (!cm__bvh_ray_line_of(tree->origin, tree->scale, origin, direction, error, &q->line)) return;
    if (tree->item_count > 0) q->stack[q->top++] = cm__bvh_key(0, 0);
}

/* Narrows [*enter, *leave] of the four boxes by one axis. */
static inline void bvh_ray_slab(const cm__bvh_node *n, const cm__bvh_ray_line *q, int axis, f32x4 *enter,
                                f32x4 *leave) {
    f32x4 inverse = f32x4_all(q->inverse[axis]);
    f32x4 offset = f32x4_sub(f32x4_load(n->center[axis]), f32x4_all(q->origin[axis]));
    f32x4 reach = f32x4_add(f32x4_load(n->half[axis]), f32x4_all(q->margin));
    f32x4 middle = f32x4_mul(offset, inverse);
    reach = f32x4_mul(reach, f32x4_abs(inverse));
    *enter = f32x4_max(f32x4_sub(middle, reach), *enter);
    *leave = f32x4_min(f32x4_add(middle, reach), *leave);
}

bool cm__bvh_ray_next(cm__bvh_ray_query *q, cm_real bound, cm__bvh_leaf *out) {
    const float limit = cm__bvh_ray_limit(&q->line, bound);
    const cm__bvh_node *nodes = q->tree->nodes;
    int top = q->top;
    while (top > 0) {
        uint64_t at = q->stack[--top];
        if (!(cm__bvh_key_value(at) <= limit)) continue;
        uint32_t slot = (uint32_t)at;
        uint32_t child = nodes[slot / 4].child[slot % 4], count = nodes[slot / 4].count[slot % 4];
        if (count > 0) {
            out->first = child, out->count = count;
            q->top = top;
            return true;
        }
        const cm__bvh_node *n = &nodes[child];
        f32x4 first = f32x4_all(0), last = f32x4_all(limit);
        for (int k = 0; k < 3; ++k) bvh_ray_slab(n, &q->line, k, &first, &last);
        unsigned met = u32x4_mask(f32x4_le(first, last));
        if (met == 0) continue;
        /* Begin to load all four children, met or not: in a large tree the walk waits for memory most of the time (this
         * takes off a quarter at a million triangles). A node may lie across three lines. Not in a function: gcc sees
         * no effect of one and leaves it out. */
        for (int i = 0; i < 4; ++i) {
            const char *to = n->count[i] ? q->items + q->item_size * n->child[i] : (const char *)&nodes[n->child[i]];
            BITS_FETCH(to);
            BITS_FETCH(to + 64);
            BITS_FETCH(to + 112);
        }
        float enter[4];
        uint64_t key[4];
        f32x4_store(enter, first);
        for (uint32_t i = 0; i < 4; ++i) key[i] = cm__bvh_key(enter[i], 4 * child + i);
        top = cm__four_push(q->stack, top, key, met);
    }
    q->top = 0;
    return false;
}
