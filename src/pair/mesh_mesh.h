/* Two meshes under one relative pose, in A's frame: what overlap, crossings, distance and relation share. */
#ifndef PAIR_MESH_MESH_H
#define PAIR_MESH_MESH_H

#include "carom/pair.h"
#include "mesh/mesh.h"
#include "pair/mesh_extent.h"

typedef struct cm__mesh_pair {
    const cm_mesh *a, *b;
    cm__bvh tree_a, tree_b;
    cm__bvh_placing placing; /* of B in A's frame */
} cm__mesh_pair;

void cm__mesh_pair_open(const cm_mesh *a, const cm_mesh *b, const cm_pose *b_in_a, cm__mesh_pair *out);
/* Whether a caller's two shapes are meshes: CM_INVALID (not meshes, or NULL), CM_NOT_FINITE (poses). */
cm_status cm__mesh_pair_check(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b);

/* B's triangle at a place, in A's frame. */
CM_INLINE cm__face cm__mesh_pair_b(const cm__mesh_pair *pair, uint32_t place) {
    const cm__face face = cm__mesh_face(pair->b, place);
    return cm__mesh_posed_face(&pair->placing, &face);
}

/* Do two triangles of these leaves share a point? Exact for the posed points; `planes` is kept for the next. */
struct cm__leaf_planes;
bool cm__mesh_leaves_meet(const cm__mesh_pair *pair, const cm__bvh_leaf *leaf_a, const cm__bvh_leaf *leaf_b,
                          struct cm__leaf_planes *planes);

/* Given that no triangles share a point: does a component of one lie within the other, which is solid? Exact. */
bool cm__mesh_pair_nested(const cm__mesh_pair *pair);

/* Likewise: on which side of the other, a solid, all of A lies, or of B. CM__SIDE_ANY where components lie on both, or
 * the other is no solid. One ray a component. */
cm__side cm__mesh_pair_side(const cm__mesh_pair *pair, bool of_b);

/* The closest points of two meshes' surfaces, in A's frame. */
typedef struct cm__mesh_gap {
    cm_real distance; /* 0 exactly where triangles share a point */
    cm_vec3 a, b;
    uint32_t triangle_a, triangle_b; /* numbers */
    bool b_in_a;                     /* of a depth: it is B's point that is so deep, in A */
} cm__mesh_gap;
/* The least distance of a triangle of A from a triangle of B, both taken as surfaces.
 * @return false, `out` untouched, where it is beyond max_distance. */
bool cm__mesh_pair_gap(const cm__mesh_pair *pair, cm_real max_distance, cm__mesh_gap *out);

/* Pairs of leaves of a walk: most meshes that meet are found to in these. */
enum { CM__FIRST_LEAVES = 64 };

/* Receives crossings one by one; returns false to stop. */
typedef bool cm__crossing_visit(void *user, const cm_crossing *crossing);
/* As cm_mesh_crossings, in A's frame. *found: how many there are.
 * @return false, *found = 0, where none is in the first `leaves` pairs of leaves of the walk, and there are more. */
bool cm__mesh_pair_crossings(const cm__mesh_pair *pair, uint64_t leaves, cm__crossing_visit *visit, void *user,
                             uint64_t *found);

/* Passes crossings in A's frame on in the world. */
typedef struct cm__crossings_to_world {
    const cm_pose *pose_a;
    cm__crossing_visit *visit;
    void *user;
} cm__crossings_to_world;
bool cm__crossing_to_world(void *to_world, const cm_crossing *crossing);

/* How deep two overlapping meshes, one of them solid, are in each other: the reach (see mesh_relation.c). `meet`: some
 * of their triangles share a point. @return true where it is more than `tolerance` (> 0) and than what is `known`; then
 * out->distance is minus the depth and the points tell where. Otherwise out->distance is 0 and the rest untouched. */
bool cm__mesh_pair_depth(const cm__mesh_pair *pair, double tolerance, double known, bool meet, cm__mesh_gap *out);

/* The same of two of which one lies in the other, as a corner of it does: of all of it, if they do not meet. */
typedef struct cm__mesh_inside {
    bool meet, apart; /* the search has shown that triangles share a point; that none do */
    double depth;     /* 0 where it is not more than the tolerance */
    cm__mesh_gap gap;
} cm__mesh_inside;
/* Most often that search shows at once whether they meet. @return false where there are several bodies on different
 * sides, `out` untouched. */
bool cm__mesh_pair_depth_inside(const cm__mesh_pair *pair, double tolerance, cm__mesh_inside *out);
/* As cm_mesh_relation, in A's frame; tolerance > 0. `visit`, where not NULL, sees the crossings, which are walked over
 * in any case. Returns the number of points whose distance was looked for. */
uint64_t cm__mesh_pair_relation(const cm__mesh_pair *pair, cm_real tolerance, cm_real max_gap,
                                cm__crossing_visit *visit, void *user, cm_relation_result *out);
/* cm_mesh_relation and cm_mesh_crossings by one walk; `visit` may be NULL. */
cm_status cm__mesh_relation_and_crossings(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                          const cm_pose *pose_b, cm_real tolerance, cm_real max_gap,
                                          cm__crossing_visit *visit, void *user, cm_relation_result *out);
/* The default tolerance of a pair whose A stands at `from_origin` in the world. */
double cm__mesh_pair_default_tolerance(const cm__mesh_pair *pair, cm_vec3 from_origin);

#endif
