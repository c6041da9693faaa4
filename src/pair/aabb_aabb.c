/* Two axis-aligned boxes in contact, on plain structs.
 *
 * On each axis two translations of B separate the boxes: along the axis by max_a - min_b, or against it by max_b -
 * min_a. The shortest of the six is the depth, because the faces of the Minkowski difference of two such boxes have no
 * other normals. The boxes share a rectangle across that axis; its corners are the contact. All are differences of two
 * coordinates, exact in double in the float build, and rounded once. */
#include "carom/primitives.h"
#include "pair/gap.h"

typedef struct aabb_way {
    double depth;
    int axis;
    bool back; /* B leaves against the axis */
} aabb_way;

static void aabb_reals(const cm_aabb *box, cm_real low[3], cm_real high[3]) {
    low[0] = box->min.x, low[1] = box->min.y, low[2] = box->min.z;
    high[0] = box->max.x, high[1] = box->max.y, high[2] = box->max.z;
}

bool cm_contact_aabb_aabb(const cm_aabb *a, const cm_aabb *b, cm_manifold *out) {
    if (!cm_aabb_is_valid(a) || !cm_aabb_is_valid(b) || !cm_aabb_overlaps(a, b)) return false;
    cm_real low_a[3], high_a[3], low_b[3], high_b[3], low[3], high[3];
    aabb_reals(a, low_a, high_a);
    aabb_reals(b, low_b, high_b);
    aabb_way way = {DBL_MAX, 0, false};
    for (int k = 0; k < 3; k++) {
        double on = (double)high_a[k] - (double)low_b[k], back = (double)high_b[k] - (double)low_a[k];
        low[k] = cm_max(low_a[k], low_b[k]), high[k] = cm_min(high_a[k], high_b[k]);
        if (on < way.depth) way = (aabb_way){on, k, false};
        if (back < way.depth) way = (aabb_way){back, k, true};
    }
    int u = (way.axis + 1) % 3, v = (way.axis + 2) % 3;
    cm_real normal[3] = {0, 0, 0}, p[3];
    normal[way.axis] = way.back ? -1 : 1;
    out->normal = cm_v(normal[0], normal[1], normal[2]);
    out->part_a = out->part_b = CM_NONE;
    out->count = 0;
    for (int i = 0; i < 4; i++) {
        bool far_u = (i & 1) != (i >> 1), far_v = i >> 1; /* around the rectangle */
        if ((far_u && high[u] == low[u]) || (far_v && high[v] == low[v])) continue;
        cm_contact_point *point = &out->points[out->count++];
        p[u] = far_u ? high[u] : low[u], p[v] = far_v ? high[v] : low[v];
        p[way.axis] = way.back ? low_a[way.axis] : high_a[way.axis];
        point->point_a = cm_v(p[0], p[1], p[2]);
        p[way.axis] = way.back ? high_b[way.axis] : low_b[way.axis];
        point->point_b = cm_v(p[0], p[1], p[2]);
        point->depth = (cm_real)way.depth;
        point->feature_a = point->feature_b = CM_NONE;
    }
    return true;
}
