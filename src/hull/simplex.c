/* The first four points of a hull, and the dimension of the cloud: 0 where all points are equal, 1 on a line, 2 in a
 * plane, else 3.
 *
 * The dimension is exact. Distances in double choose the points, exact signs of determinants decide. Where the chosen
 * points are degenerate, every point is tested before the lower dimension is the answer. */
#include "hull/hull.h"
#include "math/exact.h"

static bool hull_before(cm_vec3 a, cm_vec3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

/* The point farthest from the line through a and b. Lengths are scaled by the largest, so that squares keep range. */
static uint32_t simplex_off_line(const cm__quick_point *points, uint32_t count, cm__point a, cm__point b) {
    cm__point along = cm__point_sub(b, a);
    double scale = 1 / cm__point_largest(along), best = 0;
    uint32_t found = 0;
    along = cm__point_scale(along, scale);
    for (uint32_t i = 0; i < count; ++i) {
        cm__point w = cm__point_scale(cm__point_sub(cm__quick_at(points, i), a), scale);
        cm__point cross = cm__point_cross(along, w);
        double square = cm__point_dot(cross, cross);
        if (square > best) best = square, found = i;
    }
    if (!cm__triangle_is_degenerate(a, b, cm__quick_at(points, found))) return found;
    for (uint32_t i = 0; i < count; ++i)
        if (!cm__triangle_is_degenerate(a, b, cm__quick_at(points, i))) return i;
    return CM_NONE;
}

/* The point farthest from the plane through a, b and c; *side receives on which side it is. */
static uint32_t simplex_off_plane(const cm__quick_point *points, uint32_t count, cm__point a, cm__point b, cm__point c,
                                  int *side) {
    double scale = 1 / cm__point_largest(cm__point_sub(b, a)), best = 0;
    cm__point u = cm__point_scale(cm__point_sub(b, a), scale), v = cm__point_scale(cm__point_sub(c, a), scale);
    cm__point normal = cm__point_cross(u, v);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        double distance = fabs(cm__point_dot(normal, cm__point_sub(cm__quick_at(points, i), a)));
        if (distance > best) best = distance, found = i;
    }
    *side = cm__orient3(a, b, c, cm__quick_at(points, found));
    for (uint32_t i = 0; *side == 0 && i < count; ++i) {
        found = i;
        *side = cm__orient3(a, b, c, cm__quick_at(points, i));
    }
    return *side == 0 ? CM_NONE : found;
}

int cm__hull_simplex(const cm__quick_point *points, uint32_t count, uint32_t out[4]) {
    uint32_t low = 0, high = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (hull_before(points[i].at, points[low].at)) low = i;
        if (hull_before(points[high].at, points[i].at)) high = i;
    }
    out[0] = low, out[1] = high;
    cm__point a = cm__quick_at(points, low), b = cm__quick_at(points, high);
    if (cm__point_equal(a, b)) return 0;
    out[2] = simplex_off_line(points, count, a, b);
    if (out[2] == CM_NONE) return 1;
    cm__point c = cm__quick_at(points, out[2]);
    int side = 0;
    out[3] = simplex_off_plane(points, count, a, b, c, &side);
    if (out[3] == CM_NONE) return 2;
    if (side > 0) {
        uint32_t swap = out[0];
        out[0] = out[1];
        out[1] = swap;
    }
    return 3;
}
