/* Spheres and boxes against planes (two-sided) and half-spaces, on plain structs.
 *
 * A box reaches r = |n.x| half.x + |n.y| half.y + |n.z| half.z from its center along n: the plane cuts it where the
 * center is within r. In double; normals that are unit only within rounding are scaled without a root: all tests
 * compare n.p + d with r |n|, squared. */
#include "carom/primitives.h"
#include "pair/gap.h"

static double plane_height(const cm_plane *plane, cm__point p) {
    return cm__point_dot(cm__point_of(plane->normal), p) + (double)plane->d;
}

/* height <= r |n|, |n|^2 = nn, for r >= 0. */
static bool plane_within(double height, double r, double nn) { return height <= 0 || height * height <= r * r * nn; }

static double plane_square(const cm_plane *plane) {
    cm__point n = cm__point_of(plane->normal);
    return cm__point_dot(n, n);
}

bool cm_overlap_sphere_plane(const cm_sphere *a, const cm_plane *b) {
    double height = fabs(plane_height(b, cm__point_of(a->center)));
    return plane_within(height, (double)a->radius, plane_square(b)) && cm_sphere_is_valid(a) && cm_plane_is_valid(b);
}

bool cm_overlap_sphere_halfspace(const cm_sphere *a, const cm_plane *b) {
    double height = plane_height(b, cm__point_of(a->center));
    return plane_within(height, (double)a->radius, plane_square(b)) && cm_sphere_is_valid(a) && cm_plane_is_valid(b);
}

/* The sphere's side toward the plane is at center - r n. `front`: the normal points to the side the sphere leaves to.
 */
static void plane_contact(const cm_sphere *a, const cm_plane *b, bool front, cm_manifold *out) {
    double length = sqrt(plane_square(b)), sign = front ? 1 : -1;
    cm__point n = cm__point_scale(cm__point_of(b->normal), sign / length), c = cm__point_of(a->center);
    double height = sign * plane_height(b, c) / length;
    cm__gap gap;
    gap.normal = wide_neg(n);
    gap.distance = wide_min(height - (double)a->radius, 0);
    gap.a = cm__point_mul_add(c, -(double)a->radius, n);
    gap.b = cm__point_mul_add(c, -height, n);
    cm__manifold_of_gap(&gap, out);
}

bool cm_contact_sphere_plane(const cm_sphere *a, const cm_plane *b, cm_manifold *out) {
    if (!cm_overlap_sphere_plane(a, b)) return false;
    plane_contact(a, b, plane_height(b, cm__point_of(a->center)) >= 0, out);
    return true;
}

bool cm_contact_sphere_halfspace(const cm_sphere *a, const cm_plane *b, cm_manifold *out) {
    if (!cm_overlap_sphere_halfspace(a, b)) return false;
    plane_contact(a, b, true, out);
    return true;
}

bool cm_overlap_aabb_plane(const cm_aabb *a, const cm_plane *b) {
    if (!cm_aabb_is_valid(a) || !cm_plane_is_valid(b)) return false;
    cm__point low = cm__point_of(a->min), high = cm__point_of(a->max), n = cm__point_of(b->normal);
    cm__point center = cm__point_scale(cm__point_add(low, high), 0.5);
    cm__point half = cm__point_scale(cm__point_sub(high, low), 0.5);
    double reach = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    return fabs(plane_height(b, center)) <= reach;
}

bool cm_overlap_obb_plane(const cm_obb *a, const cm_plane *b) {
    if (!cm_obb_is_valid(a) || !cm_plane_is_valid(b)) return false;
    cm__wide_mat3 r = wide_mat3_from_quat(a->rotation);
    cm__point n = wide_mul_transposed(&r, cm__point_of(b->normal)), half = cm__point_of(a->half);
    double reach = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    return fabs(plane_height(b, cm__point_of(a->center))) <= reach;
}
