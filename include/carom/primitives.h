/// carom/primitives.h: the tests of the textbooks on plain structs, for whoever wants just those.
///
/// The rules of the whole library hold: touching counts; distances are signed; normals are unit and point from A to B;
/// a NaN, a negative size or a coordinate beyond the valid range makes the answer no; `out` is untouched then. No test
/// allocates, and none has an absolute epsilon. Planes are two-sided, half-spaces solid where the distance is <= 0.
/// docs/guide/tests.md has the whole table; docs/theory/article-errata.md has what usually goes wrong.
/// Any other pair: make shapes of them (shape.h) and ask cm_overlap, cm_distance, cm_contact (pair.h), cm_sweep.
#ifndef CAROM_PRIMITIVES_H
#define CAROM_PRIMITIVES_H

#include "pair.h"
#include "ray.h"
#include "sweep.h"

CM_EXTERN_BEGIN

/* --- the volumes --------------------------------------------------------------------------------------------- */
/* cm_vec3 (a point), cm_aabb: math.h. cm_segment, cm_triangle, cm_plane: shape.h. cm_ray: ray.h. */

typedef struct cm_sphere {
    cm_vec3 center;
    cm_real radius;
} cm_sphere;

/// All points within `radius` of the segment from a to b.
typedef struct cm_capsule {
    cm_vec3 a, b;
    cm_real radius;
} cm_capsule;

/// A box with its own axes: |unrotate(rotation, p - center)| <= half, component by component.
typedef struct cm_obb {
    cm_vec3 center, half;
    cm_quat rotation;
} cm_obb;

/// What six planes hold between them, normals outward: all points with distance <= 0 to each.
typedef struct cm_frustum {
    cm_plane planes[6]; /* left, right, bottom, top, near, far */
} cm_frustum;

/// Finite and within the valid range, radius >= 0?
CM_API bool cm_sphere_is_valid(const cm_sphere *sphere);
/// Finite and within the valid range, min <= max on every axis (a flat box and a point are)? An empty box is not.
CM_API bool cm_aabb_is_valid(const cm_aabb *box);
/// Finite and within the valid range, half >= 0, the rotation unit within 1e-3?
CM_API bool cm_obb_is_valid(const cm_obb *box);
/// Finite and within the valid range, the normal unit within 1e-3?
CM_API bool cm_plane_is_valid(const cm_plane *plane);
/// Finite and within the valid range, radius >= 0? a = b is a sphere, and valid.
CM_API bool cm_capsule_is_valid(const cm_capsule *capsule);
/// Finite and within the valid range? a = b is a point, and valid.
CM_API bool cm_segment_is_valid(const cm_segment *segment);
/// Finite and within the valid range? Triangles without area are valid.
CM_API bool cm_triangle_is_valid(const cm_triangle *triangle);
/// Are all six planes valid (cm_plane_is_valid)? That they hold anything between them is not checked.
CM_API bool cm_frustum_is_valid(const cm_frustum *frustum);

/* --- bounds, measures, conversions ---------------------------------------------------------------------------- */

/// The smallest axis-aligned box around a sphere, rounded outwards. The sphere must be valid, here and below.
CM_API void cm_bounds_sphere(const cm_sphere *sphere, cm_aabb *out);
/// The smallest axis-aligned box around an oriented box, rounded outwards: three dot products, not eight corners. Its
/// half size along x is |axis_x.x| half.x + |axis_y.x| half.y + |axis_z.x| half.z.
CM_API void cm_bounds_obb(const cm_obb *box, cm_aabb *out);
/// The smallest axis-aligned box around a capsule: that of its segment grown by the radius, rounded outwards.
CM_API void cm_bounds_capsule(const cm_capsule *capsule, cm_aabb *out);
/// The smallest axis-aligned box around a segment: exact.
CM_API void cm_bounds_segment(const cm_segment *segment, cm_aabb *out);
/// The smallest axis-aligned box around a triangle: exact.
CM_API void cm_bounds_triangle(const cm_triangle *triangle, cm_aabb *out);

/// 4/3 pi r^3, in cubed units of the coordinates. Rounded; the sphere must be valid, here and below.
CM_API cm_real cm_volume_sphere(const cm_sphere *sphere);
/// The volume of a box; 0 where it is flat.
CM_API cm_real cm_volume_aabb(const cm_aabb *box);
/// The volume of an oriented box; 0 where it is flat.
CM_API cm_real cm_volume_obb(const cm_obb *box);
/// The volume of a capsule: of the cylinder and both halves of a sphere.
CM_API cm_real cm_volume_capsule(const cm_capsule *capsule);
/// The area of the whole surface, in squared units of the coordinates: 4 pi r^2.
CM_API cm_real cm_area_sphere(const cm_sphere *sphere);
/// The area of all six faces of a box; a flat box counts its one face twice.
CM_API cm_real cm_area_aabb(const cm_aabb *box);
/// The area of all six faces of an oriented box; a flat box counts its one face twice.
CM_API cm_real cm_area_obb(const cm_obb *box);
/// The area of a capsule: of the mantle and both halves of a sphere.
CM_API cm_real cm_area_capsule(const cm_capsule *capsule);
/// The area of one side of a triangle; 0 for collinear corners.
CM_API cm_real cm_area_triangle(const cm_triangle *triangle);

/// The box from center - half to center + half.
CM_INLINE cm_aabb cm_aabb_from_center(cm_vec3 center, cm_vec3 half) {
    cm_aabb b;
    b.min = cm_sub(center, half);
    b.max = cm_add(center, half);
    return b;
}
/// Half the size on each axis.
CM_INLINE cm_vec3 cm_aabb_half(const cm_aabb *b) {
    return cm_v(b->max.x / 2 - b->min.x / 2, b->max.y / 2 - b->min.y / 2, b->max.z / 2 - b->min.z / 2);
}
/// Does the outer box hold all of the inner? An empty one is held by all.
CM_INLINE bool cm_aabb_contains(const cm_aabb *outer, const cm_aabb *inner) {
    return (inner->min.x >= outer->min.x && inner->max.x <= outer->max.x && inner->min.y >= outer->min.y &&
            inner->max.y <= outer->max.y && inner->min.z >= outer->min.z && inner->max.z <= outer->max.z) ||
           inner->min.x > inner->max.x;
}
/// The plane through `point` with the unit normal `normal`: d = -dot(normal, point).
CM_INLINE cm_plane cm_plane_from_point(cm_vec3 point, cm_vec3 normal) {
    cm_plane p;
    p.normal = normal;
    p.d = -cm_dot(normal, point);
    return p;
}
/// The plane through three points, its normal toward the side from which a, b, c run counter-clockwise.
/// @return false where they are on one line (within rounding) or not finite.
CM_API bool cm_plane_from_points(cm_vec3 a, cm_vec3 b, cm_vec3 c, cm_plane *out);
/// The plane a x + b y + c z + d = 0, whatever the length of (a, b, c): all four are divided by it. The normal points
/// to where a x + b y + c z + d is positive.
/// @return false, with `out` untouched, where (a, b, c) is zero, a number is not finite, or the plane lies beyond the
/// valid range.
CM_API bool cm_plane_from_equation(cm_real a, cm_real b, cm_real c, cm_real d, cm_plane *out);
/// The eight corners of a box: bit 0 of the index is x, bit 1 y, bit 2 z; 0 = min, 1 = max. Exact.
CM_INLINE void cm_corners_aabb(const cm_aabb *box, cm_vec3 out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] =
            cm_v(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y, i & 4 ? box->max.z : box->min.z);
}
/// The eight corners of an oriented box: bit 0 of the index is its own x axis, bit 1 y, bit 2 z; 0 = the negative end.
/// Each rounded to the nearest.
CM_API void cm_corners_obb(const cm_obb *box, cm_vec3 out[8]);
/// The smallest sphere around a box: its radius is half the diagonal.
CM_API void cm_sphere_from_aabb(const cm_aabb *box, cm_sphere *out);
/// The smallest sphere around two.
CM_API void cm_sphere_union(const cm_sphere *a, const cm_sphere *b, cm_sphere *out);
/// Is all of `inner` within `outer`? Up to rounding.
CM_API bool cm_sphere_contains(const cm_sphere *outer, const cm_sphere *inner);
/// An axis-aligned box as one with a rotation, here the identity.
CM_API void cm_obb_from_aabb(const cm_aabb *box, cm_obb *out);
/// A box under a pose. Exact but for rounding.
CM_API void cm_obb_posed(const cm_aabb *box, const cm_pose *pose, cm_obb *out);
/// The axis-aligned box around a box under a pose, rounded outwards. Looser than the box of what was in it:
/// it grows with every turn, so turn the first one each time.
CM_API void cm_aabb_posed(const cm_aabb *box, const cm_pose *pose, cm_aabb *out);

typedef enum cm_clip_depth {
    CM_CLIP_ZERO_TO_ONE,     /* Direct3D, Vulkan, Metal, WebGPU: 0 <= z <= w */
    CM_CLIP_MINUS_ONE_TO_ONE /* OpenGL: -w <= z <= w */
} cm_clip_depth;
/// The planes of what a view-projection matrix shows. Reversed depth swaps near and far; a far plane at infinity
/// becomes a plane that holds everything (normal toward the far end, d = -CM_COORD_MAX).
/// @param m  16 numbers, column by column: clip = m * (x, y, z, 1).
/// @return false where the matrix has no such planes (a zero row, NaN). Source: [GribbHartmann01].
CM_API bool cm_frustum_from_matrix(const cm_real m[16], cm_clip_depth depth, cm_frustum *out);

/* --- points ---------------------------------------------------------------------------------------------------- */

/// Signed distance from the plane: > 0 on the side of its normal.
CM_INLINE cm_real cm_distance_point_plane(cm_vec3 point, const cm_plane *plane) {
    return cm_dot(plane->normal, point) + plane->d;
}
/// 1 before the plane, -1 behind it, 0 on it (as rounded).
CM_INLINE int cm_side_point_plane(cm_vec3 point, const cm_plane *plane) {
    cm_real d = cm_distance_point_plane(point, plane);
    return (d > 0) - (d < 0);
}
/// 1 where all of the sphere is before the plane, -1 where all is behind it, 0 where it is across or touches, which is
/// where cm_overlap_sphere_plane is true; 0 too for bad input: no side is certain. The same holds for those below.
CM_API int cm_side_sphere_plane(const cm_sphere *a, const cm_plane *b);
/// The side of a box: by its corner farthest along the normal and the one opposite.
CM_API int cm_side_aabb_plane(const cm_aabb *a, const cm_plane *b);
/// The side of an oriented box.
CM_API int cm_side_obb_plane(const cm_obb *a, const cm_plane *b);
/// The side of a triangle: that of its three corners, where they agree.
CM_API int cm_side_triangle_plane(const cm_triangle *a, const cm_plane *b);
/// Is the point in the box? On its surface counts. No rounding: comparisons only.
CM_INLINE bool cm_overlap_point_aabb(cm_vec3 p, const cm_aabb *box) {
    return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y && p.z >= box->min.z &&
           p.z <= box->max.z;
}
/// Is the point on the inner side of all six planes? On a plane counts, as rounded.
CM_INLINE bool cm_overlap_point_frustum(cm_vec3 p, const cm_frustum *frustum) {
    for (int i = 0; i < 6; i++)
        if (!(cm_distance_point_plane(p, &frustum->planes[i]) <= 0)) return false;
    return true;
}
/// |p - center|^2 <= r^2.
CM_API bool cm_overlap_point_sphere(cm_vec3 p, const cm_sphere *sphere);
/// Is the point, turned into the box's axes, within its halves?
CM_API bool cm_overlap_point_obb(cm_vec3 p, const cm_obb *box);
/// Is the point within the radius of the segment?
CM_API bool cm_overlap_point_capsule(cm_vec3 p, const cm_capsule *capsule);
/// Exactly on the triangle: in its plane and within its edges, by exact signs.
CM_API bool cm_overlap_point_triangle(cm_vec3 p, const cm_triangle *triangle);

/// How far a point is from a segment, in units of the coordinates; 0 on it. t = dot(p - a, b - a) / |b - a|^2,
/// clamped to [0, 1]; a = b is a point.
/// @param closest  the point of the segment that is closest; may be NULL. Untouched on bad input, which is CM_REAL_MAX
/// away.
CM_API cm_real cm_distance_point_segment(cm_vec3 p, const cm_segment *segment, cm_vec3 *closest);
/// How far a point is from a triangle, in units of the coordinates, and the closest point: by the region of its face,
/// edges and corners that the point is in; 0 on it. A triangle without area counts as its longest edge. Bad input:
/// CM_REAL_MAX, `closest` untouched. Source: [Ericson05 §5.1].
CM_API cm_real cm_distance_point_triangle(cm_vec3 p, const cm_triangle *triangle, cm_vec3 *closest);
/// How far a point is from a solid box: the closest point is the point clamped to its ranges. 0 inside, and `closest`
/// is then the point itself. Bad input: CM_REAL_MAX, `closest` untouched.
CM_API cm_real cm_distance_point_aabb(cm_vec3 p, const cm_aabb *box, cm_vec3 *closest);
/// How far a point is from a solid oriented box, computed in its own axes. 0 inside, and `closest` is then the point
/// itself. Bad input: CM_REAL_MAX, `closest` untouched.
CM_API cm_real cm_distance_point_obb(cm_vec3 p, const cm_obb *box, cm_vec3 *closest);

/* --- in a frustum ---------------------------------------------------------------------------------------------- */

/// How a volume lies to a frustum.
typedef enum cm_cull {
    CM_CULL_OUTSIDE, /* wholly outside one of the planes: certainly not seen. Also for bad input */
    CM_CULL_CUT,     /* neither: across a plane, or outside the frustum but outside no single plane */
    CM_CULL_INSIDE   /* wholly inside all six (touching one from within counts): nothing of it needs to be clipped */
} cm_cull;
/// Plane by plane, as renderers do it. OUTSIDE and INSIDE are certain; CUT keeps too much: a volume beside an edge or a
/// corner of the frustum may lie outside of it and yet outside none of the planes (docs/guide/tests.md has numbers).
/// The exact answer for convex volumes: cm_overlap with a hull of the frustum's corners. Cost: six dot products.
CM_API cm_cull cm_cull_sphere_frustum(const cm_sphere *a, const cm_frustum *b);
/// A box against a frustum, plane by plane: see cm_cull_sphere_frustum.
CM_API cm_cull cm_cull_aabb_frustum(const cm_aabb *a, const cm_frustum *b);
/// An oriented box against a frustum, plane by plane: see cm_cull_sphere_frustum.
CM_API cm_cull cm_cull_obb_frustum(const cm_obb *a, const cm_frustum *b);

/* --- do they overlap ------------------------------------------------------------------------------------------- */

/// |b - a|^2 <= (ra + rb)^2. Never a square root.
CM_API bool cm_overlap_sphere_sphere(const cm_sphere *a, const cm_sphere *b);
/// |distance to the plane| <= r: both sides.
CM_API bool cm_overlap_sphere_plane(const cm_sphere *a, const cm_plane *b);
/// distance to the plane <= r: also far behind it.
CM_API bool cm_overlap_sphere_halfspace(const cm_sphere *a, const cm_plane *b);
/// The box point closest to the center is the center clamped to the box. Source: [Arvo90].
CM_API bool cm_overlap_sphere_aabb(const cm_sphere *a, const cm_aabb *b);
/// cm_overlap_sphere_aabb in the axes of an oriented box.
CM_API bool cm_overlap_sphere_obb(const cm_sphere *a, const cm_obb *b);
/// Is the center within both radii of the segment? Without radii exact: is it on it?
CM_API bool cm_overlap_sphere_capsule(const cm_sphere *a, const cm_capsule *b);
/// Is the center within the radius of the triangle's closest point? The triangle has no inside. Without a radius exact.
CM_API bool cm_overlap_sphere_triangle(const cm_sphere *a, const cm_triangle *b);
/// Are the two segments within both radii of each other? Without radii exact: do they share a point?
CM_API bool cm_overlap_capsule_capsule(const cm_capsule *a, const cm_capsule *b);
/// Three pairs of comparisons; false where either is empty. Exact.
CM_INLINE bool cm_overlap_aabb_aabb(const cm_aabb *a, const cm_aabb *b) { return cm_aabb_overlaps(a, b); }
/// The plane cuts the box where |distance of the center| <= |n.x| half.x + |n.y| half.y + |n.z| half.z.
CM_API bool cm_overlap_aabb_plane(const cm_aabb *a, const cm_plane *b);
/// cm_overlap_aabb_plane in the axes of an oriented box.
CM_API bool cm_overlap_obb_plane(const cm_obb *a, const cm_plane *b);
/// No axis separates them, of the 3 + 3 face normals and the 9 products of edges. Source: [Gottschalk96].
CM_API bool cm_overlap_obb_obb(const cm_obb *a, const cm_obb *b);
/// The unit axis, from A to B, along which two boxes are farthest apart. False where they overlap: there is none, and
/// `axis` stays untouched; it may be NULL.
CM_API bool cm_separate_obb_obb(const cm_obb *a, const cm_obb *b, cm_vec3 *axis);
/// Do two triangles share a point? Exactly, by signs of determinants, also where they are coplanar or without area.
/// Source: [Guigue03] on exact signs [Shewchuk97].
CM_API bool cm_overlap_triangle_triangle(const cm_triangle *a, const cm_triangle *b);
/// 13 axes: the box's three, the triangle's normal, nine products of edges.
CM_API bool cm_overlap_triangle_aabb(const cm_triangle *a, const cm_aabb *b);

/* --- where and how deep: false, and `out` untouched, where they are apart --------------------------------------- */
/* `out` is one manifold in world coordinates, from A to B, and is wanted: for yes or no ask cm_overlap_*. Closed forms
 * of constant cost, in double in both builds; docs/guide/tests.md says how exact each is. */

/// normal = (b - a) / |b - a|, depth = ra + rb - |b - a|. Concentric spheres separate along x.
CM_API bool cm_contact_sphere_sphere(const cm_sphere *a, const cm_sphere *b, cm_manifold *out);
/// depth = r - |distance|, the plane is left on the side on which the center is.
CM_API bool cm_contact_sphere_plane(const cm_sphere *a, const cm_plane *b, cm_manifold *out);
/// depth = r - distance; normal = -(the plane's), as the half-space is B.
CM_API bool cm_contact_sphere_halfspace(const cm_sphere *a, const cm_plane *b, cm_manifold *out);
/// With the center inside, the sphere leaves by the nearest face: depth = r + distance to that face.
CM_API bool cm_contact_sphere_aabb(const cm_sphere *a, const cm_aabb *b, cm_manifold *out);
/// cm_contact_sphere_aabb in the axes of an oriented box.
CM_API bool cm_contact_sphere_obb(const cm_sphere *a, const cm_obb *b, cm_manifold *out);
/// The axis of least overlap, x before y before z where some are equal; 4 points, the corners of the rectangle that the
/// two boxes share across it (2 where that is a line, 1 where it is a point). Depths are single differences of
/// coordinates, and the verdict is exact.
CM_API bool cm_contact_aabb_aabb(const cm_aabb *a, const cm_aabb *b, cm_manifold *out);
/// From the triangle's closest point: depth = r - distance. A center on the triangle leaves along its normal; where the
/// triangle has no area, perpendicular to its longest edge.
CM_API bool cm_contact_sphere_triangle(const cm_sphere *a, const cm_triangle *b, cm_manifold *out);
/// Two points where the capsules lie side by side.
CM_API bool cm_contact_capsule_capsule(const cm_capsule *a, const cm_capsule *b, cm_manifold *out);
/// The axis of least overlap; a face clipped by a face (at most 8 points), or the crossing of two edges.
CM_API bool cm_contact_obb_obb(const cm_obb *a, const cm_obb *b, cm_manifold *out);

/// How far two segments are apart, 0 where they share a point, and their closest points; the normal of segments that
/// cross is perpendicular to both.
/// @param out  may be NULL. @return CM_REAL_MAX for bad input.
CM_API cm_real cm_distance_segment_segment(const cm_segment *a, const cm_segment *b, cm_witness *out);

/* --- in motion: both move straight during the step, by move_a and move_b ----------------------------------------- */
/* True where they share a point at some u in [0,1]; `out` may be NULL, and is untouched where they do not. What holds
 * of cm_sweep holds here, and `last` is given too. Closed forms of constant cost; what is left at `first` is at most 64
 * ulps of double of distance, sizes and displacement, and then the rounding of u, downwards. */

/// First and last contact of two moving boxes.
/// Each box keeps its axes and moves in a straight line by `move_a`, `move_b` during the step.
/// @param out  normal: that of the axis on which they meet last, of equally late ones the first; of what overlaps at
/// the start that of the least overlap. point: the middle of what they share across it, on A's side. Boxes overlapping
/// at the start: first = 0, last = when they part (1 if they don't).
/// @return true if they share a point at some u in [0,1]. Touching counts.
/// Cost: 3 axes; in touch at the start as cm_sweep. Source: [Gomez99], corrected as in docs/theory/article-errata.md.
CM_API bool cm_sweep_aabb_aabb(const cm_aabb *a, cm_vec3 move_a, const cm_aabb *b, cm_vec3 move_b, cm_sweep_hit *out);
/// |p + u v| = ra + rb, p and v relative: the smaller root, if it is in [0,1].
CM_API bool cm_sweep_sphere_sphere(const cm_sphere *a, cm_vec3 move_a, const cm_sphere *b, cm_vec3 move_b,
                                   cm_sweep_hit *out);
/// Two-sided: |distance + u speed| = r. Parallel motion never divides; r = 0 is a point.
CM_API bool cm_sweep_sphere_plane(const cm_sphere *a, cm_vec3 move_a, const cm_plane *b, cm_sweep_hit *out);
/// One-sided: all behind the plane is solid, so a sphere that starts there starts in contact.
CM_API bool cm_sweep_sphere_halfspace(const cm_sphere *a, cm_vec3 move_a, const cm_plane *b, cm_sweep_hit *out);
/// The plane is met by the box's projected radius.
CM_API bool cm_sweep_aabb_plane(const cm_aabb *a, cm_vec3 move_a, const cm_plane *b, cm_sweep_hit *out);
/// Exact: a point against the box with rounded edges and corners, not the enlarged box.
CM_API bool cm_sweep_sphere_aabb(const cm_sphere *a, cm_vec3 move_a, const cm_aabb *b, cm_vec3 move_b,
                                 cm_sweep_hit *out);
/// cm_sweep_sphere_aabb in the axes of an oriented box.
CM_API bool cm_sweep_sphere_obb(const cm_sphere *a, cm_vec3 move_a, const cm_obb *b, cm_vec3 move_b, cm_sweep_hit *out);
/// A point against the triangle with rounded edges and corners: two faces, three capsules. Both sides count.
CM_API bool cm_sweep_sphere_triangle(const cm_sphere *a, cm_vec3 move_a, const cm_triangle *b, cm_vec3 move_b,
                                     cm_sweep_hit *out);
/// A point against a capsule of both radii.
CM_API bool cm_sweep_sphere_capsule(const cm_sphere *a, cm_vec3 move_a, const cm_capsule *b, cm_vec3 move_b,
                                    cm_sweep_hit *out);
/// A point against the parallelogram of the two segments, rounded by both radii.
CM_API bool cm_sweep_capsule_capsule(const cm_capsule *a, cm_vec3 move_a, const cm_capsule *b, cm_vec3 move_b,
                                     cm_sweep_hit *out);
/// The 15 axes with velocity: on each the overlap is one interval of time; all of them together are the answer.
CM_API bool cm_sweep_obb_obb(const cm_obb *a, cm_vec3 move_a, const cm_obb *b, cm_vec3 move_b, cm_sweep_hit *out);

/* --- rays ------------------------------------------------------------------------------------------------------ */

/// Where a ray meets a plane, from either side; t = exit. A ray in the plane hits at its start, a parallel one
/// never.
/// @param out  here and below: where it enters and leaves, the normal there, and whether it starts inside; may be NULL;
/// untouched where the answer is no.
CM_API bool cm_raycast_plane(const cm_ray *ray, const cm_plane *plane, cm_ray_hit *out);
/// Where it enters and leaves a sphere, from inside too (t = 0). The stable quadratic; tangents count.
CM_API bool cm_raycast_sphere(const cm_ray *ray, const cm_sphere *sphere, cm_ray_hit *out);
/// The slabs of a box: entry is the last of three, exit the first. Rays in a face count.
CM_API bool cm_raycast_aabb(const cm_ray *ray, const cm_aabb *box, cm_ray_hit *out);
/// cm_raycast_aabb in the axes of an oriented box.
CM_API bool cm_raycast_obb(const cm_ray *ray, const cm_obb *box, cm_ray_hit *out);
/// The mantle and both ends, each by its quadratic.
CM_API bool cm_raycast_capsule(const cm_ray *ray, const cm_capsule *capsule, cm_ray_hit *out);
/// From both sides. Two triangles that share an edge leave no gap between them; one without area is not hit.
CM_API bool cm_raycast_triangle(const cm_ray *ray, const cm_triangle *triangle, cm_ray_hit *out);
/// The planes as slabs: from inside too.
CM_API bool cm_raycast_frustum(const cm_ray *ray, const cm_frustum *frustum, cm_ray_hit *out);

CM_EXTERN_END
#endif
