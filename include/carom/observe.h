/// carom/observe.h: distance and contact queries that show each step of the search, for debugging and teaching.
///
/// A query takes a callback, which sees every step of the search: the simplex of GJK, the expanding polytope of EPA,
/// the incident face clipped by the reference face. It is the code of cm_distance and cm_contact, with the same bits;
/// those run without a callback and pay nothing. Everything in a step is in world coordinates, and for the caller's A
/// and B. The searches work on the cores, the shapes without their radius, through support points. In the Minkowski
/// difference D = B - A of the cores each pair of support points is the point b - a, and the cores overlap where D
/// holds the origin. An ellipsoid is searched as a smaller core with a radius around it, 15/16 of its least radius of
/// curvature (of one that is not flatter than 1:1000, in a pair of coordinates between 1e-40 and 1e40). Source:
/// docs/theory/convex.md; how to read it docs/guide/observe.md.
#ifndef CAROM_OBSERVE_H
#define CAROM_OBSERVE_H

#include "pair.h"

CM_EXTERN_BEGIN

/// What a step shows: name, text. Fields that are not named here are 0 in it.
#define CM_STEP_KIND_LIST(X)                                                                                           \
    /* The pair is not searched: a closed form, separating axes, or its parts one by one. No details are shown. */     \
    X(OWN_METHOD, "own method")                                                                                        \
    /* GJK: `vertices` (0 to 4) are the simplex, `closest` its point nearest to the origin, `support` what lies        \
       farthest against it, along `direction`. Its last step has 4 vertices where they hold the origin. */             \
    X(SIMPLEX, "simplex")                                                                                              \
    /* Expanding polytope: `vertices` and `faces`; face number `face` is the nearest to the origin, `closest` the foot \
       on its plane, `support` what D has beyond it. No faces: D is flat across `direction`. */                        \
    X(POLYTOPE, "polytope")                                                                                            \
    /* Two hulls, deep: D's face perpendicular to `direction` may be the nearest; `support` is its corner. */          \
    X(FACE, "face")                                                                                                    \
    /* The answer of cm_distance: `lower` is it; `closest` = `support.b` - `support.a`, on the shapes' surfaces, radii \
       included; `direction` is the normal. */                                                                         \
    X(DISTANCE, "distance")                                                                                            \
    /* `polygon`, the side of one shape that faces the other, what is left of it after the plane through edge number   \
       `side` of `reference` (CM_NONE: before the first); `direction` is the normal. */                                \
    X(CLIP, "clip")                                                                                                    \
    /* `contacts`: all points within the margin, then, in a step of its own, those that are kept. */                   \
    X(CONTACTS, "contacts")

typedef enum cm_step_kind {
#define CM_STEP_KIND_ENUM(name, text) CM_STEP_##name,
    CM_STEP_KIND_LIST(CM_STEP_KIND_ENUM)
#undef CM_STEP_KIND_ENUM
} cm_step_kind;

/// "simplex" …; "unknown" for a number that is none. Never NULL.
CM_API const char *cm_step_kind_text(cm_step_kind kind);

/// A point of the cores' difference, b - a: the support points of both.
typedef struct cm_step_vertex {
    cm_vec3 a, b; /* on A's and B's core */
} cm_step_vertex;

/// One step. What its pointers point to lasts until the callback returns.
typedef struct cm_step {
    cm_step_kind kind;
    uint32_t search; /* 0, 1, …: a pair may take several, one after the other: a fast one, an exact one, a depth */
    uint32_t index;  /* 0, 1, …: of the step in its search */
    bool exact;      /* false: fast support points, which `lower` allows for; exact ones follow */
    cm_real lower, upper;   /* lower <= signed distance of the shapes <= upper, as far as known, but for rounding: of a
                             * polytope's thin faces `upper` is only about right. Overlapping curved shapes: but for
                             * 1e-9 of their size (double: 1e-10) */
    cm_vec3 direction;      /* unit, from A to B */
    cm_step_vertex support; /* A's point farthest along it, B's farthest against it */
    cm_vec3 closest;        /* a point of D */
    int vertex_count;       /* 0 to 256 */
    const cm_step_vertex *vertices;
    int face_count;        /* 0 to 512 */
    const uint32_t *faces; /* three vertices each, counter-clockwise from outside */
    uint32_t face;
    bool reference_is_a; /* whose side `reference` is; `polygon` is the other's */
    uint32_t side;
    int reference_count; /* 3 to 32; 2: two lines that run side by side, and `side` is 0 and 1 at the reference's ends,
                            where that is no edge's number 2 and 3 beside it */
    const cm_vec3 *reference;
    int polygon_count; /* 0 to 64 */
    const cm_vec3 *polygon;
    int contact_count; /* 0 to 64 */
    const cm_contact_point *contacts;
} cm_step;

/// cm_distance, step by step.
/// @param step  called at every step, the last of kind CM_STEP_DISTANCE; not at all for bad input. NULL for none.
/// @param user  handed to `step`.
/// @return what cm_distance returns, and in *out what it writes, bit for bit. Where the gap is more than max_distance,
/// only a lower bound of it may be known: `upper` is then CM_REAL_MAX. Searched are hulls, cylinders, cones, ellipsoids
/// and callers' shapes against any convex shape, except points and segments against cylinders and cones. All other
/// pairs have two steps: one of kind CM_STEP_OWN_METHOD, and the last. Cost: that of cm_distance, and of writing down
/// the steps; nothing is allocated.
CM_API cm_real cm_distance_observed(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                    cm_real max_distance, void (*step)(void *user, const cm_step *step), void *user,
                                    cm_witness *out);

/// cm_contact, step by step: those of the distance first, then clipping, then the points.
/// @param step  see cm_distance_observed; the last is of kind CM_STEP_CONTACTS where there is a contact. Of pairs that
/// are not searched there is one step, CM_STEP_OWN_METHOD.
/// @param user  handed to `step`.
/// @return what cm_contact returns, and in *out what it writes, bit for bit.
CM_API int cm_contact_observed(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                               cm_real margin, void (*step)(void *user, const cm_step *step), void *user,
                               cm_manifold *out, int capacity);

CM_EXTERN_END
#endif
