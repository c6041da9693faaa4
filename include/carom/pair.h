/// carom/pair.h: two shapes at rest: whether they overlap, their distance or depth, their contacts, their relation.
///
/// Closed sets: touching is overlapping. `overlap` decides, `distance` agrees with it. Bad input (NULL, NaN, beyond the
/// valid range, an invalid shape, a rotation that is no unit quaternion, a negative margin): false, CM_REAL_MAX, 0.
/// cm_shape_check and cm_pose_is_valid say what it was. Nothing here allocates. Overlap, a distance <= 0 and a contact
/// within a margin of 0 are one decision. It does not depend on which shape is A: of different kinds the one that comes
/// first in the list of shapes is solved as the first; of equal kinds poses, numbers and borrowed data decide, never
/// addresses. Every kind works with every other. A mesh, height field or compound is the union of its parts; a solid
/// mesh also holds what it encloses. Their depth is the greatest over the parts. Of a convex shape in a solid mesh it
/// is no less than that in the convex surface around the place where it is deepest: in a convex solid it is that of its
/// convex hull, to two hundredths. It is a lower bound of the translation that separates them
/// (CM_WITNESS_LOWER_BOUND); against half-spaces it is exact.
#ifndef CAROM_PAIR_H
#define CAROM_PAIR_H

#include "shape.h"

CM_EXTERN_BEGIN

/// Flags of a cm_witness.
enum {
    /* the depth is a lower bound of the smallest translation that separates them (composites) */
    CM_WITNESS_LOWER_BOUND = 1
};

/// The proof of a distance: in world coordinates.
typedef struct cm_witness {
    cm_vec3 point_a, point_b; /* on A's and B's surface */
    cm_vec3 normal;           /* unit, from A to B */
    cm_real distance;         /* > 0 gap, <= 0 minus the depth */
    uint32_t part_a, part_b;  /* triangle or child, CM_NONE for a convex shape */
    uint32_t flags;
} cm_witness;

/// Do the shapes share a point? Poses are in world coordinates, here and below; their rotations unit quaternions.
/// @return true where they touch or overlap, also where one holds the other without touching its surface, if that is
/// solid; false for bad input. By exact signs between meshes and points, segments, triangles without a radius, as
/// posed. Cost: closed forms for the textbook pairs (docs/guide/tests.md); some 3 to 8 support points of each for other
/// convex pairs; O(log parts) for composites that meet in few places. Source: docs/theory/convex.md, pair by pair
/// docs/guide/matrix.md.
CM_API bool cm_overlap(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b);

/// Signed distance, in units of the coordinates: > 0 is the gap, <= 0 minus the depth. The depth of two convex shapes
/// is the length of the smallest translation that brings them to touching. The depth of two solid meshes is the reach:
/// the farthest that a surface point of one lies inside the other, to a thousandth of it and to 1e-6 of the pair's size
/// (less may be reported as 0). The depth of other composites is the greatest over their parts, see above. Two crossing
/// half-spaces: -CM_REAL_MAX. Cost: as cm_overlap where far apart; for overlapping hulls some ten times that.
/// @param max_distance >= 0: gaps beyond it are not measured; the answer is then CM_REAL_MAX and `out` untouched, as
/// for bad input. CM_REAL_MAX: no limit.
/// @param out the proof, untouched where the answer is CM_REAL_MAX; may be NULL. Where the shapes just touch (0), the
/// normal is that of the contact; where many normals are right (concentric balls), a fixed rule in the shapes' axes
/// chooses one. A depth means: moved by less than it, in any direction, the two still overlap. The points of a depth
/// lie on the two surfaces, but need not lie inside the other shape (for two bars that cross, they are at the ends,
/// outside). The deepest point of two solid meshes does lie inside, by its winding number; the other point may be three
/// thousandths of the reach farther from it, where another wall is nearly as near.
/// @return the distance; CM_REAL_MAX for none within max_distance and for bad input. Two that do not overlap have at
/// least the smallest positive number, two that do at most 0. How far off it may be: docs/guide/matrix.md. A gap is
/// right to an error e: the rounding of the coordinates and, with a cylinder, cone, ellipsoid or caller's shape, 1e-13
/// (float build 1e-10) of the gap and the radii, an ellipsoid's smallest half included. The normal proves the gap to e,
/// and so is at most sqrt(2 e / distance) radians from the true one. Source: docs/theory/convex.md.
CM_API cm_real cm_distance(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           cm_real max_distance, cm_witness *out);

/// One point of a contact. Feature numbers stay the same while the same features touch, so that solvers can keep
/// what they know of a point; CM_NONE where a shape has none there. A shape with a radius touches by the ball around a
/// corner: where several do, the points of those that are not the deepest may lie below its round surface.
typedef struct cm_contact_point {
    cm_vec3 point_a, point_b; /* world, on A's and B's surface: point_b = point_a - depth * normal */
    cm_real depth;            /* < 0 where they are apart, within the margin */
    uint32_t feature_a, feature_b;
} cm_contact_point;

/// Where two touch in one plane: one normal, up to 8 points.
typedef struct cm_manifold {
    cm_vec3 normal;          /* unit, from A to B: moving B by normal * (greatest depth) brings the pair to touching */
    uint32_t part_a, part_b; /* triangle (of several that touch so the first) or child, CM_NONE for a convex shape */
    int count;               /* of points, 1 to 8 */
    cm_contact_point points[8];
} cm_manifold;

/// The contacts of two shapes that touch or nearly do, in world coordinates.
/// @param margin    >= 0, in units of the coordinates: pairs that are at most this far apart have contacts too, of
/// negative depth.
/// @param out room for `capacity` manifolds; may be NULL with a capacity of 0. Two convex shapes have one, and so have
/// triangles of one plane, whose points between others, as deep, are left out: nothing loses support. Children of a
/// compound have their own. What is returned is how many, in a stable order; the rest of the room may be written to. At
/// flat and concave edges between triangles the normal is the face's, and the depth is measured along it, so that what
/// slides over a floor does not catch on internal edges; cm_distance and cm_overlap do not depend on this.
/// @return how many there are, which may be more than the capacity; 0 where the shapes are farther apart, and for bad
/// input. Exactly touching ones have one, of depth 0. A mesh that is a convex solid (cm_mesh_info) has, with another or
/// with a convex shape, the one manifold of its hull, whose `part` is a triangle at the deepest point. A shape wholly
/// inside a solid has one, toward the nearest wall. Meshes that cross have one at their deepest point, too (of
/// cm_distance), where that is deeper than all others, as it is where finely cut solids are deep in each other, or no
/// pair of triangles gives a direction that the surfaces have. Cost: that of cm_distance, and of clipping face by face;
/// of composites once for each pair of parts that are near. Source: [Sutherland74], [Gregorius13]; of edges within a
/// surface [Coumans10].
CM_API int cm_contact(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                      cm_real margin, cm_manifold *out, int capacity);

/// Keeps at most `room` (1 to 8) points of a manifold, in their order: the deepest, then one by one the point farthest
/// from those kept. Four are enough for a solver: on a flat face they span nearly what all of them did. The deepest
/// point stays, so the manifold's depth does; which points stay depends on the manifold alone. NULL, another `room` or
/// a count beyond 8 change nothing.
CM_API void cm_manifold_reduce(cm_manifold *manifold, int room);

/// A warm start: where the last query of a pair ended, kept by the caller from query to query. All zero at first; the
/// fields are the library's. Use one for each pair, with the same two shapes in the same order. After other shapes or a
/// far jump it is only useless: answers never depend on it beyond rounding.
typedef struct cm_pair_cache {
    cm_vec3 normal;
    uint32_t count, id_a[3], id_b[3];
} cm_pair_cache;

/// cm_overlap, cm_distance, cm_contact from where the pair's last query ended: for pairs that move little from one to
/// the next, a fraction of the work. Used for convex shapes without a closed form (hulls, cylinders, cones, ellipsoids
/// with anything convex); others leave the cache alone. The sign of a distance and so every decision is the same as
/// without, bit by bit; distances differ by rounding (curved shapes in the double build: by 1e-10 of the size; those
/// that overlap: by what cm_distance states for them), and where several normals are equally good another one may be
/// found.
/// @param cache  NULL for none; read and written.
CM_API bool cm_overlap_cached(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                              cm_pair_cache *cache);
/// See cm_overlap_cached.
CM_API cm_real cm_distance_cached(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                  cm_real max_distance, cm_pair_cache *cache, cm_witness *out);
/// See cm_overlap_cached.
CM_API int cm_contact_cached(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                             cm_real margin, cm_pair_cache *cache, cm_manifold *out, int capacity);

/// One crossing of a triangle of A with a triangle of B.
typedef struct cm_crossing {
    uint32_t triangle_a, triangle_b;
    cm_vec3 start, end; /* world: the common segment; equal points where they touch in one point */
    bool coplanar;      /* they overlap within one plane; start and end then span the overlap's longest extent */
} cm_crossing;

/// Every pair of triangles of two meshes that share a point, exactly, in a stable order. Touching counts, and so do
/// triangles without area. Which pairs they are is exact for the posed points (cm_mesh_posed); where `start` and `end`
/// lie is rounded.
/// @param visit  called once a pair; return false to stop. NULL just counts.
/// @return how many pairs were found (up to the stop); 0 for anything but two meshes, and for bad input. Cost: a walk
/// over both trees, and the triangles that come near. Source: [Gottschalk96], [Guigue03] on exact signs [Shewchuk97].
CM_API uint64_t cm_mesh_crossings(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                  bool (*visit)(void *user, const cm_crossing *crossing), void *user);

/// How two parts relate under a tolerance t, in the order in which it is decided: name, text.
#define CM_RELATION_LIST(X)                                                                                            \
    X(NONE, "none")           /* bad input */                                                                          \
    X(IDENTICAL, "identical") /* each within t of the other */                                                         \
    X(A_IN_B, "a_inside_b")   /* A within B grown by t (B solid) */                                                    \
    X(B_IN_A, "b_inside_a")   /* B within A grown by t (A solid) */                                                    \
    X(SEPARATED, "separated") /* gap > t */                                                                            \
    X(TOUCHING, "touching")   /* reach <= t, and no body in both */                                                    \
    X(CROSSING, "crossing")   /* anything else */

typedef enum cm_relation {
#define CM_RELATION_ENUM(name, text) CM_RELATION_##name,
    CM_RELATION_LIST(CM_RELATION_ENUM)
#undef CM_RELATION_ENUM
} cm_relation;

/// "identical" …; "unknown" for a number that is none. Never NULL.
CM_API const char *cm_relation_text(cm_relation relation);

typedef struct cm_relation_result {
    cm_relation relation;
    cm_real tolerance;        /* the t that was used */
    cm_real distance;         /* > 0 the gap (CM_REAL_MAX beyond max_gap), <= 0 minus the reach */
    cm_vec3 point_a, point_b; /* world; the closest points, or the deepest point and the nearest on the other surface */
    uint32_t triangle_a, triangle_b; /* the points are theirs; CM_NONE where no gap was measured */
    uint64_t crossings;              /* exact crossings and touchings of triangles: cm_mesh_crossings */
    bool surface_a, surface_b;       /* compared as a surface: not solid */
    bool thin_a, thin_b;             /* thinner than t: inside and crossing cannot be distinguished there */
} cm_relation_result;

/// The relation of two meshes: docs/theory/relation.md. Lengths are in units of the coordinates. Solids of several
/// bodies that have one of them in common are `crossing`, with a reach of 0 where none reaches into another.
/// @param tolerance  t >= 0; 0 = the default: 1e-6 of the pair's size, at least 4 float ulps of its largest coordinate.
/// @param max_gap    gaps beyond it need not be measured (distance = CM_REAL_MAX); CM_REAL_MAX measures all.
/// @param out        untouched unless CM_OK.
/// @return CM_OK, CM_INVALID (not two meshes; NULL; a tolerance or gap that is negative or NaN), CM_NOT_FINITE (a pose,
/// its rotation included). Cost: that of cm_distance where they are apart; of those that meet a search for the reach,
/// which some point attains and none exceeds by more than 0.1 % and t / 4, unless its bound of 200,000 distances (under
/// a second) ended it. That point lies inside the other solid: its winding number was asked for. Source:
/// [TangLeeKim09].
CM_API cm_status cm_mesh_relation(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                  cm_real tolerance, cm_real max_gap, cm_relation_result *out);

/// What two solid meshes have in common.
typedef struct cm_interference {
    double volume;  /* >= 0; 0 also where it is not larger than its own error, as of solids that only touch */
    double error;   /* the true volume is at most this far from it */
    cm_vec3 center; /* world: the center of the common volume; 0 where that is 0 */
    cm_aabb bounds; /* world: holds all that is common; min > max where the volume is 0 */
} cm_interference;

/// The volume that two solid meshes have in common: docs/theory/interference.md. In double in both builds. Both orders
/// give the same bits. A place that a mesh winds around more than once, as where its shells overlap, counts that many
/// times: the volume is the integral of the product of both winding numbers. A mesh against itself, at one pose, shows
/// whether it has such places: then the result is more than its own volume.
/// @param out  untouched unless CM_OK.
/// @return CM_OK, CM_NOT_SOLID (one is not built `solid`: it has no volume), CM_INVALID (not two meshes; NULL),
/// CM_NOT_FINITE (a pose, its rotation included), CM_OUT_OF_RANGE (sizes whose cubes no double holds). `error` is about
/// 1e-12 of the cube of the common box, whatever the offset of both; it is for the points of cm_mesh_posed, and holds
/// no rounding of poses. Cost: a walk over both trees, the triangles that come near, and the winding at each corner
/// that lies within the other's box. Source: [Franklin93], with signs after [Edelsbrunner90] and [Shewchuk97].
CM_API cm_status cm_mesh_interference(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                      const cm_pose *pose_b, cm_interference *out);

CM_EXTERN_END
#endif
