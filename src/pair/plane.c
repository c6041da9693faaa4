/* Spheres, boxes and triangles against planes (two-sided), half-spaces and frusta, on plain structs.
 *
 * A box reaches r = |n.x| half.x + |n.y| half.y + |n.z| half.z from its center along n: the plane cuts it where the
 * center is within r. In double; normals that are unit only within rounding are scaled without a root: all tests
 * compare n.p + d with r |n|, squared. */
#include "carom/primitives.h"
#include "pair/gap.h"

static double plane_height(const cm_plane *plane, cm__point p) {
    return cm__point_dot(cm__point_of(plane->normal), p) + (double)plane->d;
}

/* height <= r |n|, |n|^2 = nn, for r >= 0: of a height of 0 the squares say the same. */
static bool plane_within(double height, double r, double nn) { return height <= 0 || height * height <= r * r * nn; }

static double plane_square(const cm_plane *plane) {
    cm__point n = cm__point_of(plane->normal);
    return cm__point_dot(n, n);
}

/* A volume against a plane: the height of its center, and whether that height is more (1), as much (0) or less (-1)
 * than its radius along the normal. */
typedef struct plane_place {
    double height;
    int beyond;
} plane_place;

static plane_place place_of_sphere(const cm_sphere *a, const cm_plane *b) {
    double height = plane_height(b, cm__point_of(a->center)), r = (double)a->radius;
    double square = height * height, reach = r * r * plane_square(b);
    return (plane_place){height, (square > reach) - (square < reach)};
}

/* `half` and `n` in the box's axes. */
static plane_place place_of_box(double height, cm__point n, cm__point half) {
    double reach = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    return (plane_place){height, (fabs(height) > reach) - (fabs(height) < reach)};
}

static plane_place place_of_aabb(const cm_aabb *a, const cm_plane *b) {
    cm__point low = cm__point_of(a->min), high = cm__point_of(a->max);
    cm__point center = cm__point_scale(cm__point_add(low, high), 0.5);
    return place_of_box(plane_height(b, center), cm__point_of(b->normal),
                        cm__point_scale(cm__point_sub(high, low), 0.5));
}

static plane_place place_of_obb(const cm_obb *a, const cm_plane *b) {
    cm__frame r = frame_of_quat(a->rotation);
    return place_of_box(plane_height(b, cm__point_of(a->center)), frame_unrotate(&r, cm__point_of(b->normal)),
                        cm__point_of(a->half));
}

static int place_side(plane_place p) { return p.beyond <= 0 ? 0 : p.height > 0 ? 1 : -1; }

int cm_side_sphere_plane(const cm_sphere *a, const cm_plane *b) {
    return cm_sphere_is_valid(a) && cm_plane_is_valid(b) ? place_side(place_of_sphere(a, b)) : 0;
}
int cm_side_aabb_plane(const cm_aabb *a, const cm_plane *b) {
    return cm_aabb_is_valid(a) && cm_plane_is_valid(b) ? place_side(place_of_aabb(a, b)) : 0;
}
int cm_side_obb_plane(const cm_obb *a, const cm_plane *b) {
    return cm_obb_is_valid(a) && cm_plane_is_valid(b) ? place_side(place_of_obb(a, b)) : 0;
}
int cm_side_triangle_plane(const cm_triangle *a, const cm_plane *b) {
    if (!cm_triangle_is_valid(a) || !cm_plane_is_valid(b)) return 0;
    double p = plane_height(b, cm__point_of(a->a)), q = plane_height(b, cm__point_of(a->b));
    double r = plane_height(b, cm__point_of(a->c));
    return p > 0 && q > 0 && r > 0 ? 1 : p < 0 && q < 0 && r < 0 ? -1 : 0;
}

bool cm_overlap_sphere_plane(const cm_sphere *a, const cm_plane *b) {
    return place_of_sphere(a, b).beyond <= 0 && cm_sphere_is_valid(a) && cm_plane_is_valid(b);
}

bool cm_overlap_sphere_halfspace(const cm_sphere *a, const cm_plane *b) {
    double height = plane_height(b, cm__point_of(a->center));
    return plane_within(height, (double)a->radius, plane_square(b)) && cm_sphere_is_valid(a) && cm_plane_is_valid(b);
}

/* The sphere's point nearest to the plane is center - r n. `front`: the normal points to the side to which the sphere
 * leaves. */
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
    return cm_aabb_is_valid(a) && cm_plane_is_valid(b) && place_of_aabb(a, b).beyond <= 0;
}

bool cm_overlap_obb_plane(const cm_obb *a, const cm_plane *b) {
    return cm_obb_is_valid(a) && cm_plane_is_valid(b) && place_of_obb(a, b).beyond <= 0;
}

/* --- frusta: six planes, outward normals -------------------------------------------------------------------------- */

/* The state of a volume that is `so_far` after one more plane. */
static cm_cull cull_by(cm_cull so_far, plane_place p) {
    if (place_side(p) > 0 || so_far == CM_CULL_OUTSIDE) return CM_CULL_OUTSIDE;
    return p.height <= 0 && p.beyond >= 0 ? so_far : CM_CULL_CUT;
}

cm_cull cm_cull_sphere_frustum(const cm_sphere *a, const cm_frustum *b) {
    cm_cull cull = cm_sphere_is_valid(a) && cm_frustum_is_valid(b) ? CM_CULL_INSIDE : CM_CULL_OUTSIDE;
    for (int i = 0; i < 6 && cull; i++) cull = cull_by(cull, place_of_sphere(a, &b->planes[i]));
    return cull;
}
cm_cull cm_cull_aabb_frustum(const cm_aabb *a, const cm_frustum *b) {
    cm_cull cull = cm_aabb_is_valid(a) && cm_frustum_is_valid(b) ? CM_CULL_INSIDE : CM_CULL_OUTSIDE;
    for (int i = 0; i < 6 && cull; i++) cull = cull_by(cull, place_of_aabb(a, &b->planes[i]));
    return cull;
}
cm_cull cm_cull_obb_frustum(const cm_obb *a, const cm_frustum *b) {
    cm_cull cull = cm_obb_is_valid(a) && cm_frustum_is_valid(b) ? CM_CULL_INSIDE : CM_CULL_OUTSIDE;
    for (int i = 0; i < 6 && cull; i++) cull = cull_by(cull, place_of_obb(a, &b->planes[i]));
    return cull;
}
