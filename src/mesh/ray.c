/* The first triangle that a ray meets, in the mesh's own frame.
 *
 * Watertight: on which side of an edge the ray's line passes is the exact sign of ((a - o) x (b - o)) . d for the
 * stored numbers, the same for both triangles at the edge; exactly on the edge counts for both. So a line that crosses
 * a closed mesh at an edge or a corner hits at least one triangle there, however far the ray began. Whether the
 * triangle lies ahead of the origin is exact as well; where along the ray is rounded: t errs by a few ulps of t plus
 * those of the distance to the triangle over the cosine of the angle of incidence. Triangles without area are hit by
 * nothing: their neighbors close the gap, as it has no width.
 *
 * Based on: [Woop13] the three edges' volumes; [Shewchuk97] their signs. */
#include "mesh/ray.h"
#include "math/exact.h"

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

/* The line lies in the triangle's plane: cuts it by the three edges. Rounded: a ray exactly along a face. */
static bool ray_along(const cm__ray_line *ray, const cm__point c[3], cm__point n, double *t) {
    double first = 0, last = ray->max;
    for (int i = 0; i < 3; ++i) {
        cm__point edge = cm__point_sub(c[(i + 1) % 3], c[i]), out = cm__point_cross(edge, n);
        double away = cm__point_dot(out, cm__point_sub(ray->origin, c[i])), speed = cm__point_dot(out, ray->direction);
        if (speed > 0) {
            last = -away / speed < last ? -away / speed : last;
        } else if (speed < 0) {
            first = -away / speed > first ? -away / speed : first;
        } else if (away > 0) {
            return false;
        }
    }
    *t = first;
    return first <= last;
}

bool cm__ray_meets_face(const cm__ray_line *ray, const cm__point c[3], cm__mesh_hit *hit) {
    cm__point o = ray->origin, d = ray->direction;
    int s0 = cm__orient3_along(o, c[1], c[2], d), s1 = cm__orient3_along(o, c[2], c[0], d);
    if (s0 * s1 < 0) return false;
    int s2 = cm__orient3_along(o, c[0], c[1], d);
    if (s0 * s2 < 0 || s1 * s2 < 0) return false;
    cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]), n = cm__point_cross(ab, ac);
    cm__point from = cm__point_sub(o, c[0]);
    if (!(cm__point_largest(n) > 0)) return false;
    int along = s0 + s1 + s2; /* the sign of n . d */
    double t;
    if (along == 0) {
        if (cm__orient3(c[0], c[1], c[2], o) != 0 || !ray_along(ray, c, n, &t)) return false;
        hit->side = 0;
    } else {
        int above = cm__orient3(c[0], c[1], c[2], o);
        if ((along > 0 && above > 0) || (along < 0 && above < 0)) return false; /* behind the origin */
        double speed = cm__point_dot(n, d);
        t = above == 0 || speed == 0 ? 0 : -cm__point_dot(n, from) / speed;
        t = t > 0 ? t : 0;
        hit->side = along > 0 ? -1 : 1;
    }
    if (!(t <= ray->max)) return false;
    hit->t = t;
    ray_weights(ab, ac, n, cm__point_mul_add(from, t, d), hit->weight);
    return true;
}

bool cm__ray_hit_is_before(const cm__mesh_hit *hit, const cm__mesh_hit *best) {
    if (hit->t != best->t) return hit->t < best->t;
    if ((hit->side == 0) != (best->side == 0)) return best->side == 0;
    return hit->triangle < best->triangle;
}

/* The best time so far in the tree's precision, rounded up: an equally near triangle must not be left out. */
static cm_real ray_bound(double max) {
    cm_real bound = (cm_real)max;
    return (double)bound < max ? bound * (1 + CM_REAL_EPSILON) + CM_REAL_MIN : bound;
}

bool cm__mesh_ray(const cm_mesh *mesh, cm_vec3 origin, cm_vec3 direction, cm_real max, cm__mesh_hit *out) {
    const cm__face *faces = cm__mesh_faces(mesh);
    const uint32_t *numbers = cm__mesh_numbers(mesh);
    cm__bvh tree = cm__mesh_tree(mesh);
    cm__bvh_ray_query q;
    cm__bvh_leaf leaf;
    cm__ray_line ray = {cm__point_of(origin), cm__point_of(direction), (double)max};
    bool found = false;
    cm__bvh_ray_start(&q, &tree, origin, direction, 0);
    while (cm__bvh_ray_next(&q, ray_bound(ray.max), &leaf)) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            cm__mesh_hit hit;
            const cm__point c[3] = {cm__point_of(faces[i].corner[0]), cm__point_of(faces[i].corner[1]),
                                    cm__point_of(faces[i].corner[2])};
            if (!cm__ray_meets_face(&ray, c, &hit)) continue;
            hit.triangle = numbers[i], hit.place = i;
            if (found && !cm__ray_hit_is_before(&hit, out)) continue;
            *out = hit;
            found = true;
            ray.max = hit.t;
        }
    }
    return found;
}
