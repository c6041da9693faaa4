/* How a pair of kinds is answered: cm__method_of is the only place that chooses. Shapes, the parts of composites, the
 * triangles of a mesh, sweeps and worlds all ask it. A special method is one file beside this one, and one line in
 * CM__METHOD_LIST; all other pairs go by their classes (shape/shape.h).
 *
 * A method answers in one of three ways, and each fills its own pointers of cm__method:
 *
 *                                         overlap  gap  contact  search  distance  contacts
 *   closed forms: all special methods        x      x     (1)
 *     but MESH MESH; polytopes;
 *     a convex shape over a half-space
 *   GJK: convex                                     x               x
 *   a walk over parts: MESH MESH; with       x                                x         x
 *     a composite
 *
 * (1) not where the gap's one point is all there can be: POINT POINT, POINT SEGMENT, POINT BOX, POINT ELLIPSOID,
 *     HALFSPACE HALFSPACE.
 *
 * The other five pointers are shortcuts. They add no answer, so a method is complete without them, and a new one starts
 * so. Which have them:
 *
 *                                       sure  contact_sure  overlap_direct  contact_direct  distance_direct
 *   POINT POINT                           x        x              x               x                x
 *   BOX BOX                               x        x              x               x
 *   SEGMENT SEGMENT                       x        x                              x                x
 *   POINT TRIANGLE                                                x               x                x
 *   POINT BOX                                                                     x                x
 *   POINT and SEGMENT with CYLINDER and CONE,                                                      x
 *     POINT ELLIPSOID
 *
 * `sure` and `contact_sure` are for equal kinds only: asked in both orders, these must agree, and the order in which
 * they are solved is expensive to find (order.c). The direct ones are of the float build, for pairs whose answer takes
 * no longer than the checks, the change of frame and the calls. */
#ifndef PAIR_METHOD_H
#define PAIR_METHOD_H

#include "carom/pair.h"
#include "convex/observe.h"
#include "pair/contacts.h"
#include "pair/gap.h"
#include "shape/shape.h"

/* Special methods: kinds in the order of CM_SHAPE_LIST, and the file's name. */
#define CM__METHOD_LIST(X)                                                                                             \
    X(POINT, POINT, point_point)                                                                                       \
    X(POINT, SEGMENT, point_segment)                                                                                   \
    X(POINT, TRIANGLE, point_triangle)                                                                                 \
    X(POINT, BOX, point_box)                                                                                           \
    X(POINT, CYLINDER, point_cylinder)                                                                                 \
    X(POINT, CONE, point_cone)                                                                                         \
    X(POINT, ELLIPSOID, point_ellipsoid)                                                                               \
    X(SEGMENT, SEGMENT, segment_segment)                                                                               \
    X(SEGMENT, BOX, segment_box)                                                                                       \
    X(SEGMENT, CYLINDER, segment_cylinder)                                                                             \
    X(SEGMENT, CONE, segment_cone)                                                                                     \
    X(BOX, BOX, box_box)                                                                                               \
    X(HALFSPACE, HALFSPACE, halfspace_halfspace)                                                                       \
    X(MESH, MESH, mesh_mesh)

/* The three questions to a method that searches (GJK). *cache: where the search ended last time, in and out; may be
 * NULL. watch: sees the steps; may be NULL. Distances beyond max_distance are CM_REAL_MAX, without a witness. */
typedef struct cm__search {
    bool (*overlap)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_pair_cache *cache);
    cm_real (*distance)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                        cm_pair_cache *cache, cm__watch *watch, cm_witness *out);
    int (*contact)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_pair_cache *cache,
                   cm__watch *watch, cm_manifold *out, int capacity);
} cm__search;

/* Both shapes are valid; everything is in A's frame, b_in_a places B there. One function a question and no common
 * `solve`: each question has its own early exits, and an answer made for all of them would be slower for every one.
 * Which pointers are NULL stands at the head of this file. */
typedef struct cm__method {
    bool (*overlap)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a);
    /* The signed distance in double, for a relative pose in double: sweeps ask it at times between poses. */
    void (*gap)(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out);
    /* How many manifolds there are, into `out` as many as fit: one at most. */
    int (*contact)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                   int capacity);
    /* In place of `overlap` and `contact`. */
    const cm__search *search;
    /* With a composite, in place of `gap`. */
    cm_real (*distance)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                        cm_witness *out);
    /* With a composite, in place of `contact`: any number of manifolds, added one by one to *to. */
    void (*contacts)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm__contacts *to);
    /* For equal kinds: the verdict, where it is the same in both orders of A and B (order.c). -1: the distance is more
     * than the margin; 1: it is not; 0: rounding may decide. Rotations must be of unit length within
     * PAIR_UNIT_ROUNDING. */
    int (*sure)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double margin);
    /* The same for a contact, which is then computed in the caller's order, because swapping the result would cost too
     * much. Returns as `contact` does; -1: rounding may decide, and *out is untouched. */
    int (*contact_sure)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                        int capacity);
    /* cm_overlap in one function, on unchecked input: 1 they share a point, -1 they do not or the input is invalid, 0
     * unknown: then the checks and `overlap` decide. */
    int (*overlap_direct)(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b);
    /* cm_contact in one function, on unchecked input: see direct.h. */
    int (*contact_direct)(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                          cm_real margin, cm_manifold *out, int capacity);
    /* cm_distance likewise, in the order in which the pair is solved. `swapped`: A is the caller's B. */
    cm_real (*distance_direct)(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                               cm_real max_distance, bool swapped, cm_witness *out);
} cm__method;

#define CM__METHOD_DECLARE(A, B, name) extern const cm__method cm__method_##name;
CM__METHOD_LIST(CM__METHOD_DECLARE)
#undef CM__METHOD_DECLARE

/* General methods, by classes. Two polytopes of few corners, by separating axes; such a polytope over a half-space, by
 * its corners. */
extern const cm__method cm__method_polytopes, cm__method_polytope_halfspace;
/* Any two convex shapes, and one over a half-space, by their support functions. */
extern const cm__method cm__method_convex, cm__method_convex_halfspace;
extern const cm__search cm__search_convex;
/* With a composite, which is always the second; and two composites. */
extern const cm__method cm__method_convex_composite, cm__method_halfspace_composite, cm__method_composites;

/* The method of two kinds in the order of the list; every such pair has one. */
extern const cm__method *const cm__method_special[CM_SHAPE_KINDS][CM_SHAPE_KINDS];
extern const cm__method *const cm__method_general[CM__CLASSES][CM__CLASSES];
static inline const cm__method *cm__method_of(cm_kind kind_a, cm_kind kind_b) {
    const cm__method *special = cm__method_special[kind_a][kind_b];
    if (special) return special;
    return cm__method_general[cm__shape_table[kind_a]->shape_class][cm__shape_table[kind_b]->shape_class];
}
/* The same of two kinds in any order. */
static inline const cm__method *cm__method_between(cm_kind a, cm_kind b) {
    return b < a ? cm__method_of(b, a) : cm__method_of(a, b);
}
/* Does the method search with support functions (GJK)? Then the normal of its answer proves the distance: the plane
 * across it separates the shapes by that much. */
static inline bool method_searches(const cm__method *method) { return method->search != NULL; }

#endif
