/* The first triangle that a ray meets, in the mesh's own frame.
 *
 * Watertight: on which side of an edge the ray's line passes is the exact sign of ((a - o) x (b - o)) . d for the
 * stored numbers, the same for both triangles at the edge; exactly on the edge counts for both. So a line that crosses
 * a closed mesh at an edge or a corner hits at least one triangle there, however far the ray began. Whether the
 * triangle lies ahead of the origin is exact as well; where along the ray is rounded: t errs by a few ulps of t plus
 * those of the distance to the triangle over the cosine of the angle of incidence. Triangles without area are hit by
 * nothing: their neighbors close the gap, as it has no width.
 *
 * Most triangles that the tree offers are passed by clearly. So the corners are sheared along the ray first, which
 * makes it a vertical line: with w the axis along which it runs fastest, u = x_u - o_u - (d_u / d_w) (x_w - o_w) and v
 * likewise, the sign wanted is that of (u_a v_b - v_a u_b) d_w. With R a bound on the coordinates of all x - o, u and v
 * are at most 2 R and err by at most 6 half ulps of R, hence the difference of the products by less than 2^-47 R^2;
 * within twice that the exact sign is asked for.
 *
 * Based on: [Woop13] the three edges' volumes, the shear; [Shewchuk97] their signs. */
#include "mesh/ray.h"
#include "base/isa.h"
#include "math/exact.h"
#include "mesh/kernel.h"

#include <string.h>

void cm__ray_shear_of(const cm__ray_line *ray, cm_real point_reach, cm__ray_shear *out) {
    const double o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const double d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    static const uint8_t cyclic[3][3] = {{1, 2, 0}, {2, 0, 1}, {0, 1, 2}};
    /* the fastest axis, of equally fast ones the first; without jumps, which nothing could predict */
    double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]), most = y > x ? y : x;
    int from_y = y > x, from_z = z > most, w = 2 * from_z + (from_y & (1 - from_z));
    for (int k = 0; k < 3; ++k) {
        out->axis[k] = cyclic[w][k];
        out->from[k] = o[out->axis[k]];
    }
    out->slope[0] = d[out->axis[0]] / d[w], out->slope[1] = d[out->axis[1]] / d[w];
    double reach = (double)point_reach + cm__point_largest(ray->origin);
    out->room = 0x1p-46 * (reach * reach) + 0x1p-1000; /* what underflow can lose is far below the second */
    out->turn = d[w] > 0 ? 1 : -1;
}

/* Does the line pass beside the triangle? If not, on which side of its three edges. */
static bool ray_passes(const cm__ray_line *ray, const cm__ray_shear *shear, const cm__face *face, int side[3]) {
    cm_real x[3][3];
    double u[3], v[3];
    memcpy(x, face, sizeof x);
    for (int i = 0; i < 3; ++i) {
        double w = (double)x[i][shear->axis[2]] - shear->from[2];
        u[i] = (double)x[i][shear->axis[0]] - shear->from[0] - shear->slope[0] * w;
        v[i] = (double)x[i][shear->axis[1]] - shear->from[1] - shear->slope[1] * w;
    }
    double e0 = u[1] * v[2] - v[1] * u[2], e1 = u[2] * v[0] - v[2] * u[0], e2 = u[0] * v[1] - v[0] * u[1];
    double room = shear->room;
    bool above = (e0 > room) | (e1 > room) | (e2 > room), below = (e0 < -room) | (e1 < -room) | (e2 < -room);
    if (above && below) return true;
    const double e[3] = {e0, e1, e2};
    for (int i = 0; i < 3; ++i) {
        if (e[i] > room || e[i] < -room) {
            side[i] = e[i] > 0 ? shear->turn : -shear->turn;
        } else {
            side[i] = cm__orient3_along(ray->origin, cm__point_of(face->corner[(i + 1) % 3]),
                                        cm__point_of(face->corner[(i + 2) % 3]), ray->direction);
        }
    }
    return side[0] * side[1] < 0 || side[1] * side[2] < 0 || side[2] * side[0] < 0;
}

/* Weights of a point in the plane of abc, given relative to a: clamped into the triangle, summing to 1. */
static void ray_weights(cm__point ab, cm__point ac, cm__point n, cm__point p, double weight[3]) {
    double nn = cm__point_dot(n, n);
    double v = cm__clamp01(cm__point_dot(n, cm__point_cross(p, ac)) / nn);
    double w = cm__clamp01(cm__point_dot(n, cm__point_cross(ab, p)) / nn);
    if (v + w > 1) {
        double sum = v + w;
        v /= sum, w /= sum;
    }
    weight[0] = 1 - v - w, weight[1] = v, weight[2] = w;
    if (weight[0] < 0) weight[0] = 0;
}

/* Where a line in the plane of a triangle passes one of its edges, from a to b, which lie on the sides given: at an end
 * on the line, or between ends on different sides of it. @return the exact sign of *t, or 2 where it passes beside. */
static int ray_along_edge(const cm__ray_line *ray, int axis, cm__point a, cm__point b, int side_a, int side_b,
                          double *t) {
    const cm__point o = ray->origin, d = ray->direction, from = cm__point_sub(a, o), edge = cm__point_sub(b, a);
    if (side_a == 0) { /* of a fastest axis the signs are those of comparisons */
        const double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
        const double fast = x >= y && x >= z ? d.x : y >= z ? d.y : d.z;
        const double way = x >= y && x >= z ? from.x : y >= z ? from.y : from.z;
        *t = way / fast;
        return cm__sign(way) * cm__sign(fast);
    }
    if (side_a * side_b >= 0) return 2;
    const double across =
        cm__point_u(d, axis) * cm__point_v(edge, axis) - cm__point_v(d, axis) * cm__point_u(edge, axis);
    *t = (cm__point_u(from, axis) * cm__point_v(edge, axis) - cm__point_v(from, axis) * cm__point_u(edge, axis)) /
         across;
    return cm__orient2_along(axis, a, b, o) * side_b;
}

/* Seen along an axis, every corner lies on one side of the line or on it, and what the line passes lies before the
 * origin or ahead: exact signs. When is rounded. */
bool cm__ray_along(const cm__ray_line *ray, const cm_vec3 *points, const uint32_t *corner, uint32_t count,
                   cm__ray_chord *out) {
    const cm__point zero = cm__p(0, 0, 0);
    cm__point a = cm__point_of(points[corner[0]]);
    const int axis =
        cm__triangle_axis(a, cm__point_of(points[corner[1]]), cm__point_of(points[corner[2]])); /* 0 1 2, or none */
    if (axis < 0) return false;
    int side = cm__cross_sign(axis, zero, ray->direction, ray->origin, a);
    bool before = false, ahead = false;
    out->first = DBL_MAX, out->last = 0, out->edge = CM_NONE, out->at_corner = false;
    for (uint32_t i = 0; i < count; ++i) {
        const cm__point b = cm__point_of(points[corner[i + 1 < count ? i + 1 : 0]]);
        const int next = cm__cross_sign(axis, zero, ray->direction, ray->origin, b);
        double when = 0;
        const int sign = ray_along_edge(ray, axis, a, b, side, next, &when);
        before = before || sign < 0;
        if (sign == 0 || sign == 1) {
            when = when > 0 ? when : 0;
            if (when < out->first) out->first = when, out->edge = i, out->at_corner = side == 0;
            if (when > out->last) out->last = when;
            ahead = true;
        }
        a = b, side = next;
    }
    if (before) out->first = 0, out->edge = CM_NONE;
    return ahead;
}

static bool ray_along_triangle(const cm__ray_line *ray, const cm__point c[3], double *t) {
    static const uint32_t numbers[3] = {0, 1, 2};
    const cm_vec3 points[3] = {cm__vec3_of(c[0]), cm__vec3_of(c[1]), cm__vec3_of(c[2])};
    cm__ray_chord chord;
    if (!cm__ray_along(ray, points, numbers, 3, &chord)) return false;
    *t = chord.first;
    return true;
}

/* A triangle so thin that its normal rounds to 0, though it has an area, is as good as its longest edge: where the line
 * comes nearest to that, and the weights of the edge's point. */
static double ray_sliver(const cm__ray_line *ray, const cm__point c[3], double weight[3]) {
    int longest = 0;
    double length = -1;
    for (int i = 0; i < 3; ++i) {
        double l = cm__point_length(cm__point_sub(c[(i + 1) % 3], c[i]));
        if (l > length) length = l, longest = i;
    }
    int end = (longest + 1) % 3;
    cm__point from = cm__point_sub(c[longest], ray->origin), edge = cm__point_sub(c[end], c[longest]);
    double fast = cm__point_largest(ray->direction);
    cm__point unit = cm__point_scale(ray->direction, 1 / fast);
    double size = cm__point_length(unit);
    unit = cm__point_scale(unit, 1 / size);
    /* perpendicular to the ray, the point from + s edge is nearest to it where its squared distance is least */
    cm__point off = cm__point_mul_add(from, -cm__point_dot(from, unit), unit);
    cm__point slope = cm__point_mul_add(edge, -cm__point_dot(edge, unit), unit);
    double square = cm__point_dot(slope, slope), s = square > 0 ? cm__clamp01(-cm__point_dot(off, slope) / square) : 0;
    weight[0] = weight[1] = weight[2] = 0;
    weight[longest] = 1 - s, weight[end] = s;
    return cm__point_dot(cm__point_mul_add(from, s, edge), unit) / size / fast;
}

/* A triangle on whose edges the line passes on the sides given: is it ahead? All but the weights. */
static bool ray_ahead(const cm__ray_line *ray, const cm__point c[3], const int side[3], cm__mesh_hit *hit) {
    cm__point o = ray->origin, d = ray->direction;
    cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]), n = cm__point_cross(ab, ac);
    bool sliver = !(cm__point_largest(n) > 0);
    if (sliver && cm__triangle_is_degenerate(c[0], c[1], c[2])) return false;
    int along = side[0] + side[1] + side[2]; /* the sign of n . d */
    double t;
    cm__point from = cm__point_sub(o, c[0]);
    if (along == 0) { /* of slivers left to the neighbors */
        if (sliver || cm__orient3(c[0], c[1], c[2], o) != 0 || !ray_along_triangle(ray, c, &t)) return false;
        hit->side = 0;
    } else {
        /* of the very products of cm__orient3, each at most that of the largest coordinates */
        double height = cm__point_dot(n, from);
        double most = cm__point_largest(ab) * cm__point_largest(ac) * cm__point_largest(from);
        int above = fabs(height) > 6 * CM__ORIENT3_ERROR * most ? cm__sign(height) : cm__orient3(c[0], c[1], c[2], o);
        if ((along > 0 && above > 0) || (along < 0 && above < 0)) return false; /* behind the origin */
        double speed = cm__point_dot(n, d), unused[3];
        if (above == 0)
            t = 0;
        else if (speed != 0)
            t = -height / speed;
        else if (sliver || !ray_along_triangle(ray, c, &t)) /* or all but along it: as if it were */
            t = ray_sliver(ray, c, unused);
        t = t > 0 ? t : 0;
        hit->side = along > 0 ? -1 : 1;
    }
    if (!(t <= ray->max)) return false;
    hit->t = t;
    return true;
}

/* The weights of the hit's point. */
static void ray_weigh(const cm__ray_line *ray, const cm__point c[3], cm__mesh_hit *hit) {
    cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]), n = cm__point_cross(ab, ac);
    if (cm__point_largest(n) > 0) {
        cm__point from = cm__point_sub(ray->origin, c[0]);
        ray_weights(ab, ac, n, cm__point_mul_add(from, hit->t, ray->direction), hit->weight);
    } else {
        ray_sliver(ray, c, hit->weight);
    }
}

bool cm__ray_hits_face(const cm__ray_line *ray, const cm__point c[3], cm__mesh_hit *hit) {
    cm__point o = ray->origin, d = ray->direction;
    int side[3];
    side[0] = cm__orient3_along(o, c[1], c[2], d), side[1] = cm__orient3_along(o, c[2], c[0], d);
    if (side[0] * side[1] < 0) return false;
    side[2] = cm__orient3_along(o, c[0], c[1], d);
    if (side[0] * side[2] < 0 || side[1] * side[2] < 0) return false;
    if (!ray_ahead(ray, c, side, hit)) return false;
    ray_weigh(ray, c, hit);
    return true;
}

bool cm__ray_hit_is_before(const cm__mesh_hit *hit, const cm__mesh_hit *best) {
    if (hit->t != best->t) return hit->t < best->t;
    if ((hit->side == 0) != (best->side == 0)) return best->side == 0;
    return hit->triangle < best->triangle;
}

static void ray_corners(const cm__face *face, cm__point c[3]) {
    for (int k = 0; k < 3; ++k) c[k] = cm__point_of(face->corner[k]);
}

bool cm__ray_hits(const cm__ray_line *ray, const cm__ray_shear *shear, const cm__face *face, cm__mesh_hit *hit) {
    int side[3];
    cm__point c[3];
    if (ray_passes(ray, shear, face, side)) return false;
    ray_corners(face, c);
    return ray_ahead(ray, c, side, hit);
}

bool cm__ray_hits_unsheared(const cm__ray_line *ray, cm_real point_reach, const cm__face *face, cm__mesh_hit *hit) {
    cm__ray_shear shear;
    cm__ray_shear_of(ray, point_reach, &shear);
    return cm__ray_hits(ray, &shear, face, hit);
}

static const cm__mesh_kernel *const ray_kernels[] = CM__BY_ISA(&cm__mesh_kernel);

const cm__mesh_kernel *cm__mesh_kernel_get(void) { return ray_kernels[cm__isa_settled()]; }

bool cm__mesh_ray(const cm_mesh *mesh, cm_vec3 origin, cm_vec3 direction, cm_real max, cm__mesh_hit *out) {
    cm__mesh_ray_job job;
    job.origin = origin, job.direction = direction, job.max = max;
    job.ask = out ? CM__MESH_FIRST : CM__MESH_ANY;
    cm__mesh_kernel_get()->ray(mesh, origin, direction, &job);
    if (job.found && out) {
        cm__ray_line ray = {cm__point_of(origin), cm__point_of(direction), job.hit.t};
        cm__point c[3];
        ray_corners(&job.face, c);
        *out = job.hit;
        ray_weigh(&ray, c, out);
    }
    return job.found;
}
