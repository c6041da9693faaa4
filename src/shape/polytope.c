/* Corners, edges and faces of small cores, and the feature that looks along a direction. */
#include "shape/polytope.h"
#include "math/closest.h"
#include "shape/shape.h"

void cm__polytope_corners(const cm_shape *shape, const cm__frame *pose, cm__polytope *out) {
    cm__ops(shape->kind)->polytope(shape, pose, out);
}
void cm__polytope_sides(const cm_shape *shape, cm__polytope *io) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (ops->polytope_sides) ops->polytope_sides(io);
}
void cm__polytope_of(const cm_shape *shape, const cm__frame *pose, cm__polytope *out) {
    cm__polytope_corners(shape, pose, out);
    cm__polytope_sides(shape, out);
}

int cm__polytope_support(const cm__polytope *p, cm__point direction) {
    int best = 0;
    double most = cm__point_dot(p->corner[0], direction);
    for (int i = 1; i < p->corner_count; i++) {
        double d = cm__point_dot(p->corner[i], direction);
        if (d > most) most = d, best = i;
    }
    return best;
}

static void side_corners(const cm__polytope *p, const int *corners, int count, cm__polytope_side *out) {
    out->count = count;
    for (int i = 0; i < count; i++) {
        out->corner[i] = p->corner[corners[i]];
        out->feature[i] = (uint32_t)corners[i];
    }
}

#define SIDE_THIN 1e-10 /* a face this many times as long as wide is an edge: no planes through its sides bound it */

/* The edge that a triangle without width is. */
static bool triangle_is_thin(const cm__polytope *p) {
    double longest = 0;
    cm__point e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = cm__point_sub(p->corner[(i + 1) % 3], p->corner[i]);
        longest = wide_max(longest, cm__point_dot(e[i], e[i]));
    }
    return cm__point_length(cm__point_cross(e[0], e[1])) <= SIDE_THIN * longest;
}

void cm__polytope_face(const cm__polytope *p, cm__point direction, cm__polytope_side *out) {
    out->face = CM_NONE;
    out->normal = direction;
    if (p->normal_count == 0 || (p->corner_count == 3 && triangle_is_thin(p))) {
        /* without area: its corners; a triangle that is a segment keeps its longest edge */
        int corners[2] = {0, 1};
        if (p->corner_count == 3) {
            double longest = -1;
            for (int i = 0; i < 3; i++) {
                cm__point e = cm__point_sub(p->corner[p->edge[i][1]], p->corner[p->edge[i][0]]);
                double l = cm__point_dot(e, e);
                if (l > longest) longest = l, corners[0] = p->edge[i][0], corners[1] = p->edge[i][1];
            }
        }
        side_corners(p, corners, p->corner_count < 2 ? 1 : 2, out);
        return;
    }
    if (p->corner_count == 3) {
        static const int corners[3] = {0, 1, 2};
        bool back = cm__point_dot(p->normal[0], direction) < 0;
        side_corners(p, corners, 3, out);
        out->normal = back ? wide_neg(p->normal[0]) : p->normal[0];
        out->face = back;
        return;
    }
    int axis = 0;
    double d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = cm__point_dot(p->normal[i], direction);
        if (fabs(d[i]) > fabs(d[axis])) axis = i;
    }
    int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = d[axis] > 0 ? 1 << axis : 0;
    const int corners[4] = {base, base | u, base | u | v, base | v};
    double wide_u = p->half[(axis + 1) % 3], wide_v = p->half[(axis + 2) % 3];
    if (wide_v <= SIDE_THIN * wide_u || wide_u <= SIDE_THIN * wide_v) {
        const int ends[2] = {base, wide_u > wide_v ? base | u : base | v};
        side_corners(p, ends, wide_u > 0 || wide_v > 0 ? 2 : 1, out);
        return;
    }
    side_corners(p, corners, 4, out);
    out->normal = d[axis] > 0 ? p->normal[axis] : wide_neg(p->normal[axis]);
    out->face = (uint32_t)(2 * axis + (d[axis] > 0));
}

void cm__polytope_edge(const cm__polytope *p, cm__point direction, double sine, cm__polytope_side *out) {
    int corner = cm__polytope_support(p, direction), best = -1;
    out->face = CM_NONE;
    out->normal = direction;
    double least = sine;
    for (int i = 0; i < p->edge_count; i++) {
        if (p->edge[i][0] != corner && p->edge[i][1] != corner) continue;
        cm__point e = cm__point_sub(p->corner[p->edge[i][1]], p->corner[p->edge[i][0]]);
        double length = cm__point_length(e);
        if (!(length > 0)) continue;
        double s = fabs(cm__point_dot(e, direction)) / length;
        if (s <= least) least = s, best = i;
    }
    const int corners[2] = {best < 0 ? corner : p->edge[best][0], best < 0 ? corner : p->edge[best][1]};
    side_corners(p, corners, best < 0 ? 1 : 2, out);
}

cm__point cm__polytope_closest(const cm__polytope *p, cm__point point) {
    switch (p->corner_count) {
    case 1:
        return p->corner[0];
    case 2:
        return cm__closest_point_segment(point, p->corner[0], p->corner[1]).b;
    case 3: {
        cm__closest_on_triangle c;
        cm__closest_point_triangle(point, p->corner[0], p->corner[1], p->corner[2], &c);
        return c.point;
    }
    default:
        break;
    }
    cm__point local = cm__point_sub(point, p->center), q = p->center;
    for (int k = 0; k < 3; k++) {
        double x = wide_clamp(cm__point_dot(local, p->axis[k]), -p->half[k], p->half[k]);
        q = cm__point_mul_add(q, x, p->axis[k]);
    }
    return q;
}
