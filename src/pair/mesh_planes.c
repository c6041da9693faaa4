/* Which triangles of a leaf are certainly farther than a bound D from a triangle: those where the plane of either has
 * the other beyond it by more than D.
 *
 * Nothing near is left out. u = 2^-53, S is the largest extent of the triangles along an axis, and w leads from a
 * corner to a point: no component of it is above W = D + 2 S, since the boxes are within D along each axis. Of the
 * normal n = e x f each component is off by less than 8 u S^2, and below 2 S^2: so n.w is off by less than 24 u S^2 W
 * by the normal, 6 by w, 18 by the products and sums; and D |n| by less than 14 u S^2 D. In all that is less than
 * 64 u S^2 W. A distance that is computed in double may fall short of the true one, by 2^-48 of D and of S, so that
 * much more is asked for. Where it is rounded to cm_real afterwards, that is the caller's. Squares near underflow
 * decide nothing, nor do those beyond the largest.
 *
 * Based on: [Gottschalk96] a separating direction. */
#include "pair/mesh_planes.h"

#define PLANES_ERROR 0x1p-47  /* 64 u */
#define PLANES_SLACK 0x1p-47  /* of the bound squared */
#define PLANES_SHORT 0x1p-76  /* of the size's square */
#define PLANES_LEAST 0x1p-960 /* of a normal's length squared */

static f64x2 planes_dot(const f64x2 a[3], const f64x2 b[3]) {
    return f64x2_add(f64x2_add(f64x2_mul(a[0], b[0]), f64x2_mul(a[1], b[1])), f64x2_mul(a[2], b[2]));
}

/* The corners and sizes of a leaf; its normals are left to the first that needs them. */
static void planes_of(const cm_mesh *mesh, const cm__bvh_leaf *leaf, const cm__leaf_boxes *boxes,
                      cm__leaf_planes *out) {
    cm__mesh_leaf from;
    cm__mesh_leaf_of(mesh, leaf, &from);
    cm_real size[CM__MESH_LEAF];
    for (uint32_t h = 0; 4 * h < leaf->count; ++h) {
        const real4 wide = real4_sub(boxes->high[h][0], boxes->low[h][0]),
                    deep = real4_sub(boxes->high[h][1], boxes->low[h][1]),
                    high = real4_sub(boxes->high[h][2], boxes->low[h][2]);
        real4_store(size + 4 * h, real4_max(real4_max(wide, deep), high));
    }
    for (uint32_t h = 0; 2 * h < leaf->count; ++h) {
        cm__mesh_leaf_two(&from, 2 * h, out->corners[h].at);
        out->size[h] = two_of_reals(size + 2 * h);
    }
    out->twos = (leaf->count + 1) / 2;
    out->ready = true;
    out->has_normals = false;
}

static void planes_find_normals(cm__leaf_planes *planes) {
    for (uint32_t h = 0; h < planes->twos; ++h) {
        const cm__leaf_corners *c = &planes->corners[h];
        f64x2 *n = planes->normal[h], e[3], f[3];
        for (int k = 0; k < 3; ++k)
            e[k] = f64x2_sub(c->at[1][k], c->at[0][k]), f[k] = f64x2_sub(c->at[2][k], c->at[0][k]);
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = f64x2_sub(f64x2_mul(e[i], f[j]), f64x2_mul(e[j], f[i]));
        }
        planes->square[h] = planes_dot(n, n);
    }
    planes->has_normals = true;
}

/* Bit i: lane i, all of whose heights over a plane lie from `low` to `high`, is beyond it by more than the bound.
 * `square`: that of the normal by which they were multiplied; `size`: S above. */
static uint32_t planes_beyond(f64x2 low, f64x2 high, f64x2 square, f64x2 size, double bound) {
    const f64x2 zero = f64x2_all(0), reach = f64x2_add(f64x2_all(bound), f64x2_add(size, size));
    const f64x2 squared = f64x2_mul(size, size);
    const f64x2 error = f64x2_mul(f64x2_mul(f64x2_all(PLANES_ERROR), squared), reach);
    const f64x2 gap = f64x2_max(f64x2_sub(f64x2_max(low, f64x2_sub(zero, high)), error), zero);
    const f64x2 asked =
        f64x2_add(f64x2_all(bound * bound * (1 + PLANES_SLACK)), f64x2_mul(f64x2_all(PLANES_SHORT), squared));
    const f64x2 far = f64x2_mul(gap, gap);
    const u64x2 beyond = f64x2_gt(far, f64x2_mul(asked, square));
    const u64x2 sure = u64x2_and(f64x2_gt(square, f64x2_all(PLANES_LEAST)), f64x2_ge(f64x2_all(DBL_MAX), far));
    return u64x2_mask(u64x2_and(beyond, sure));
}

/* The triangle that a leaf is held against, its numbers in both lanes. */
typedef struct planes_triangle {
    cm__leaf_corners corners;
    f64x2 normal[3], square, size;
} planes_triangle;

static void planes_triangle_of(const cm_vec3 b[3], planes_triangle *out) {
    const cm__point p = cm__point_of(b[0]), q = cm__point_of(b[1]), r = cm__point_of(b[2]);
    const cm__point e = cm__point_sub(q, p), f = cm__point_sub(r, p), n = cm__point_cross(e, f);
    const double first = cm__point_largest(e), other = cm__point_largest(f), most = first > other ? first : other,
                 third = cm__point_largest(cm__point_sub(r, q));
    out->size = f64x2_all(third > most ? third : most);
    out->square = f64x2_all(cm__point_dot(n, n));
    out->normal[0] = f64x2_all(n.x), out->normal[1] = f64x2_all(n.y), out->normal[2] = f64x2_all(n.z);
    for (int c = 0; c < 3; ++c) {
        const cm__point at = cm__point_of(b[c]);
        out->corners.at[c][0] = f64x2_all(at.x), out->corners.at[c][1] = f64x2_all(at.y),
        out->corners.at[c][2] = f64x2_all(at.z);
    }
}

/* Bit i: of lane i, the corners `to` are all beyond the plane of the triangle `of` by more than the bound. */
static uint32_t planes_part(const f64x2 normal[3], const cm__leaf_corners *of, const cm__leaf_corners *to, f64x2 square,
                            f64x2 size, double bound) {
    f64x2 height[3];
    for (int c = 0; c < 3; ++c) {
        const f64x2 way[3] = {f64x2_sub(to->at[c][0], of->at[0][0]), f64x2_sub(to->at[c][1], of->at[0][1]),
                              f64x2_sub(to->at[c][2], of->at[0][2])};
        height[c] = planes_dot(normal, way);
    }
    const f64x2 low = f64x2_min(f64x2_min(height[0], height[1]), height[2]),
                high = f64x2_max(f64x2_max(height[0], height[1]), height[2]);
    return planes_beyond(low, high, square, size, bound);
}

/* What of the leaf's triangles is left by the plane of b, or by their own. */
static uint32_t planes_left(cm__leaf_planes *planes, const planes_triangle *b, bool own, double bound, uint32_t near) {
    if (own && !planes->has_normals) planes_find_normals(planes);
    for (uint32_t h = 0; near >> 2 * h != 0; ++h) {
        if ((near >> 2 * h & 3) == 0) continue;
        const f64x2 size = f64x2_max(planes->size[h], b->size);
        const cm__leaf_corners *corners = &planes->corners[h];
        const uint32_t parted =
            own ? planes_part(planes->normal[h], corners, &b->corners, planes->square[h], size, bound)
                : planes_part(b->normal, &b->corners, corners, b->square, size, bound);
        near &= ~(parted << 2 * h);
    }
    return near;
}

uint32_t cm__leaf_planes_ask(cm__leaf_planes *planes, const cm_mesh *mesh, const cm__bvh_leaf *leaf,
                             const cm__leaf_boxes *boxes, const cm_vec3 b[3], double bound, uint32_t near) {
    planes_triangle triangle;
    if (!planes->ready) planes_of(mesh, leaf, boxes, planes);
    planes_triangle_of(b, &triangle);
    const uint32_t first = planes_left(planes, &triangle, planes->own, bound, near);
    const uint32_t left = first ? planes_left(planes, &triangle, !planes->own, bound, first) : 0;
    if (left != first) planes->own = !planes->own;
    const bool pays = 2 * bits_count8(left) <= bits_count8(near);
    planes->missed = pays ? 0 : planes->missed < CM__PLANES_WAIT ? planes->missed + 1 : planes->missed;
    planes->wait = planes->missed;
    return left;
}
