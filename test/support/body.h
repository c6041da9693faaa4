/* One random body of every kind that the library knows, made twice: as a cm_shape, and as convex pieces in long double
 * (solid.h) that share no code with the library. What the library answers about two bodies is judged by their pieces.
 */
#ifndef SUPPORT_BODY_H
#define SUPPORT_BODY_H

#include "support/solid.h"

/* Every kind of body: name, text. The rows and columns of the matrix. */
#define BODY_LIST(X)                                                                                                   \
    X(POINT, "point")                                                                                                  \
    X(SPHERE, "sphere")                                                                                                \
    X(SEGMENT, "segment")                                                                                              \
    X(CAPSULE, "capsule")                                                                                              \
    X(TRIANGLE, "triangle")                                                                                            \
    X(ROUNDED_TRIANGLE, "rounded triangle")                                                                            \
    X(BOX, "box")                                                                                                      \
    X(ROUNDED_BOX, "rounded box")                                                                                      \
    X(CYLINDER, "cylinder")                                                                                            \
    X(CONE, "cone")                                                                                                    \
    X(ELLIPSOID, "ellipsoid")                                                                                          \
    X(HULL, "hull")                                                                                                    \
    X(ROUNDED_HULL, "rounded hull")                                                                                    \
    X(HALFSPACE, "half-space")                                                                                         \
    X(MESH, "mesh, surface")                                                                                           \
    X(SOLID_MESH, "mesh, solid")

typedef enum body_kind {
#define BODY_ENUM(name, text) BODY_##name,
    BODY_LIST(BODY_ENUM)
#undef BODY_ENUM
        BODY_KINDS
} body_kind;

extern const char *const body_names[BODY_KINDS];

#define BODY_PIECES 16

typedef struct body {
    body_kind kind;
    cm_shape shape;
    cm_pose pose;
    /* The convex sets whose union the body is: piece[i] is what the library calls part i. Of a solid mesh its
     * triangles, and `within` is the whole. Of a half-space none. */
    int count;
    solid piece[BODY_PIECES];
    bool has_within;
    solid within;
    wide3 normal; /* of a half-space, own frame; */
    long double d;
    void *owned; /* the hull, mesh … that the shape borrows */
} body;

/* A body of about `size`; at the identity. */
void body_random(body *b, body_kind kind, double size, rng *r);
void body_free(body *b);
void body_place(body *b, const cm_pose *pose);

bool body_is_composite(const body *b);
/* All pieces are polytopes without radius, so that answers are exact to rounding. */
bool body_is_curved(const body *b);
/* How far a point is outside of the body; <= 0 within it. */
long double body_outside(const body *b, wide3 p);
/* The same of one part; of a convex body the only one. */
long double body_part_outside(const body *b, uint32_t part, wide3 p);
/* max of n.p over one part. */
long double body_part_reach(const body *b, uint32_t part, wide3 n);
/* The separation of two parts along n: min over B - max over A; of a half-space only its own normal proves anything. */
long double body_separation(const body *a, uint32_t part_a, const body *b, uint32_t part_b, wide3 n);
/* The least, over all pairs of parts, of the best separation there is: the gap, or minus the depth of the deepest pair
 * of parts; a solid mesh counts as the convex whole that it is. Never more than the truth, by search from `guess` and
 * `tries` directions for what is curved or apart; searched to the end only where it could be less than `limit`. */
long double body_gap(const body *a, const body *b, wide3 guess, long double limit, int tries, rng *r);

wide3 w3_of_vec3(cm_vec3 v);

#endif
