/// carom/deform.h: points that move in straight lines, each on its own: cloth, soft bodies, line searches. When do the
/// features they carry (points, edges, triangles) come within a minimum separation d of each other.
///
/// A sweep runs over one step, u in [0,1]; at u a point is at start + u (end - start). What it promises, rounding
/// included (docs/theory/deforming.md has the proof):
///
///   - CM_PATH_FREE: the separation is more than d at every u in [0,1]. No contact is ever missed.
///   - CM_PATH_HIT: it is more than d at every time before `u`, and at `u` at most d + tau, where
///         tau = min(max(tolerance, r / 4), (separation at the start - d) / 4),
///     where a tolerance of 0 counts as 2^-30 of M (see r). So u >= 3/4 (separation at the start - d) / speed: a step
///     to `u` leaves room for the next.
///   - CM_PATH_START: the separation at the start is at most d + r; u = 0. What rests or leaves
///     from more than d apart is free where one direction shows it.
///   - CM_PATH_LIMIT: it is more than d at every time before `u`, and after that nothing is known: CM_PATH_STEPS steps
///     were made, or rounding left no direction that proves the next. It happens for features that circle each other at
///     a tiny distance for the whole step. A step may still be taken to `u`.
///   - CM_PATH_INVALID: a coordinate is NaN, infinite or beyond CM_COORD_MAX, or d or the tolerance are, or negative.
///
/// r is the rounding: 64 CM_REAL_EPSILON of M, and besides 1024 DBL_EPSILON of M, where M is the larger of d and the
/// largest difference, along an axis, of a coordinate of the one feature and the same coordinate of the other, at the
/// start or at the end; not of their distance to the origin. In float some 8e-6 of it, in double some 2e-13.
/// What ends between d and d + tau apart may be a hit or free.
/// Features that are degenerate (equal points, triangles without area) are the segments and points that they cover.
#ifndef CAROM_DEFORM_H
#define CAROM_DEFORM_H

#include "mesh.h"
#include "sweep.h"

CM_EXTERN_BEGIN

/// A point that moves in a straight line during the step.
typedef struct cm_path {
    cm_vec3 start, end;
} cm_path;

/// Zero is the only answer that lets the whole step be made.
typedef enum cm_path_verdict {
    CM_PATH_FREE,
    CM_PATH_HIT,
    CM_PATH_START,
    CM_PATH_LIMIT,
    CM_PATH_INVALID
} cm_path_verdict;

#define CM_PATH_STEPS 1024

/// Where two features meet, the first being A and the second B.
typedef struct cm_path_hit {
    cm_real u;                /* the step may be made up to here */
    cm_real distance;         /* at u, between the two points */
    cm_vec3 point_a, point_b; /* closest points of the features at u */
    cm_vec3 normal; /* unit, from A to B; at a distance of 0 the features' own, and zero where they have none */
    cm_real weight_a[3], weight_b[3]; /* point_a = sum of weight_a * corner of A, and of B; each sum is 1 */
} cm_path_hit;

/// Two moving points.
/// @param separation  d >= 0.
/// @param tolerance   >= 0: how much farther apart than d they may be stopped, as a length; 0: 2^-30 of M. What is less
/// than r / 4 counts as that.
/// @param out  untouched where CM_PATH_FREE or CM_PATH_INVALID. May be NULL.
/// Verdict and numbers are the same bits whichever is A, but for the swap of A and B itself.
/// Cost: some 0.1 microseconds, as for all of these where boxes around the paths are apart; a step some 0.1 more.
/// Source: [Wang21] for the task; docs/theory/deforming.md.
CM_API cm_path_verdict cm_sweep_point_point(const cm_path *a, const cm_path *b, cm_real separation, cm_real tolerance,
                                            cm_path_hit *out);
/// A moving point (A) and a moving edge (B). The order of the edge's ends changes no bit.
CM_API cm_path_verdict cm_sweep_point_edge(const cm_path *point, const cm_path edge[2], cm_real separation,
                                           cm_real tolerance, cm_path_hit *out);
/// A moving point (A) and a moving triangle (B). The order of its corners changes no bit.
CM_API cm_path_verdict cm_sweep_point_triangle(const cm_path *point, const cm_path triangle[3], cm_real separation,
                                               cm_real tolerance, cm_path_hit *out);
/// Two moving edges. Neither the order of their ends nor that of the two changes a bit.
CM_API cm_path_verdict cm_sweep_edge_edge(const cm_path a[2], const cm_path b[2], cm_real separation, cm_real tolerance,
                                          cm_path_hit *out);

/// The distance of two features at rest, where, and how it changes with their corners.
typedef struct cm_feature_gap {
    cm_real distance;
    cm_vec3 point_a, point_b;
    cm_vec3 normal; /* unit, from A to B; at a distance of 0 the features' own, and zero where they have none */
    cm_real weight_a[3], weight_b[3];
    /* of the squared distance, by A's and by B's corners: -+ 2 weight (point_b - point_a), smooth also at a distance of
       0. That of the distance itself is - weight_a * normal and weight_b * normal. */
    cm_vec3 gradient_a[3], gradient_b[3];
} cm_feature_gap;

/// The distance of two points at rest, as the sweeps measure it, here and below: right to 64 DBL_EPSILON of the largest
/// difference of coordinates between the two, and rounded. Degenerate features are the segments and points they cover.
/// @return false where a coordinate is invalid or an argument is NULL, with `out` untouched. Cost: constant.
CM_API bool cm_gap_point_point(cm_vec3 a, cm_vec3 b, cm_feature_gap *out);
/// The distance of a point and an edge at rest: see cm_gap_point_point.
CM_API bool cm_gap_point_edge(cm_vec3 point, const cm_vec3 edge[2], cm_feature_gap *out);
/// The distance of a point and a triangle at rest: see cm_gap_point_point.
CM_API bool cm_gap_point_triangle(cm_vec3 point, const cm_vec3 triangle[3], cm_feature_gap *out);
/// The distance of two edges at rest: see cm_gap_point_point.
CM_API bool cm_gap_edge_edge(const cm_vec3 a[2], const cm_vec3 b[2], cm_feature_gap *out);

/// A mesh whose points move, each in a straight line: cm_mesh_point_count places at the start and at the end, numbered
/// as cm_mesh_points. NULL: the mesh's own points.
typedef struct cm_moving_mesh {
    const cm_mesh *mesh;
    const cm_vec3 *start, *end;
} cm_moving_mesh;

typedef enum cm_path_features {
    CM_PATH_POINT_TRIANGLE, /* a point of A, a triangle of B */
    CM_PATH_TRIANGLE_POINT, /* a triangle of A, a point of B; not of a mesh against itself */
    CM_PATH_EDGE_EDGE,      /* */
    CM_PATH_TRIANGLE_SHAPE  /* a triangle of A, a part of the shape */
} cm_path_features;

/// Two features that meet, by the numbers of their corners.
typedef struct cm_path_contact {
    cm_path_features features;
    cm_path_verdict verdict; /* CM_PATH_HIT, CM_PATH_START or CM_PATH_LIMIT */
    uint32_t a[3], b[3];     /* points of A's and B's mesh, CM_NONE beyond the feature's; of a shape b[0] is the part */
    cm_path_hit hit;         /* its weights in the order of a and b; those of a shape are 0 */
} cm_path_contact;

/// A sweep of a moving mesh; zero fields mean the default.
typedef struct cm_mesh_sweep_desc {
    cm_moving_mesh mesh;    /* A */
    cm_moving_mesh other;   /* B; its mesh NULL: none */
    const cm_shape *shape;  /* B where `other` is none, of any kind; NULL: A against itself */
    cm_motion shape_motion; /* of the shape: it may turn and be accelerated */
    cm_real separation;     /* as above */
    cm_real tolerance;      /* */
    const cm_tasks *tasks;  /* NULL = serial. Neither the answer nor the order of visits depends on it */
    /* NULL, or called for every pair of features that is not free; false ends the sweep. On the caller's thread, in an
       order that depends on nothing but the input. */
    bool (*visit)(void *user, const cm_path_contact *contact);
    void *user;
} cm_mesh_sweep_desc;

/// The first contact of a mesh's moving points, edges and triangles with those of itself, of another mesh, or with a
/// shape at rest or in any motion. Features that share a point of the mesh are left out. Points of no triangle are
/// ignored. Meshes are surfaces here, solid or not. Against a shape the separation is that of its surface and inside,
/// radius included; r is then taken of the shape's size too (and is 2^-40 of that more, where its core is curved). The
/// broad phase is the tree of each mesh, refitted over the boxes of the paths: the answer is that of all pairs of
/// features, one by one.
/// @param mem  scratch memory during the call; NULL = malloc.
/// @param out  the least u of all contacts, with verdict CM_PATH_FREE where there are none (then u = 1, and the rest is
/// zero). Of equal u the smallest in the order features, a, b. Untouched on failure; where a visit ended the sweep it
/// is the least of those visited.
/// @return CM_OK; CM_INVALID (no mesh; a separation or tolerance that is negative; a bad shape or pose), CM_NOT_FINITE
/// (a point or the motion, beyond the valid range), CM_NO_MEMORY.
/// Cost: O(n) for the boxes, then the pairs that are near.
CM_API cm_status cm_mesh_sweep_vertices(const cm_mesh_sweep_desc *desc, const cm_allocator *mem, cm_path_contact *out);

CM_EXTERN_END
#endif
