/* One random specimen of every kind that the library knows, made twice: as a cm_shape, and as convex pieces in long
 * double (solid.h) that share no code with the library. What the library answers about two specimens is judged by their
 * pieces.
 */
#ifndef SUPPORT_SPECIMEN_H
#define SUPPORT_SPECIMEN_H

#include "support/solid.h"

/* Every kind of specimen: name, text. The rows and columns of the matrix. */
#define SPECIMEN_LIST(X)                                                                                               \
    X(POINT, "point")                                                                                                  \
    X(SPHERE, "sphere")                                                                                                \
    X(SEGMENT, "segment")                                                                                              \
    X(CAPSULE, "capsule")                                                                                              \
    X(TRIANGLE, "triangle")                                                                                            \
    X(ROUNDED_TRIANGLE, "rounded triangle")                                                                            \
    X(BOX, "box")                                                                                                      \
    X(ROUNDED_BOX, "rounded box")                                                                                      \
    X(CYLINDER, "cylinder")                                                                                            \
    X(ROUNDED_CYLINDER, "rounded cylinder")                                                                            \
    X(CONE, "cone")                                                                                                    \
    X(ROUNDED_CONE, "rounded cone")                                                                                    \
    X(ELLIPSOID, "ellipsoid")                                                                                          \
    X(ROUNDED_ELLIPSOID, "rounded ellipsoid")                                                                          \
    X(HULL, "hull")                                                                                                    \
    X(ROUNDED_HULL, "rounded hull")                                                                                    \
    X(CUSTOM, "custom")                                                                                                \
    X(ROUNDED_CUSTOM, "rounded custom")                                                                                \
    X(HALFSPACE, "half-space")                                                                                         \
    X(ROUNDED_HALFSPACE, "rounded half-space")                                                                         \
    X(MESH, "mesh, surface")                                                                                           \
    X(SOLID_MESH, "mesh, solid")                                                                                       \
    X(HEIGHT_FIELD, "height field")                                                                                    \
    X(COMPOUND, "compound")

typedef enum specimen_kind {
#define SPECIMEN_ENUM(name, text) SPECIMEN_##name,
    SPECIMEN_LIST(SPECIMEN_ENUM)
#undef SPECIMEN_ENUM
        SPECIMEN_KINDS
} specimen_kind;

extern const char *const specimen_names[SPECIMEN_KINDS];

#define SPECIMEN_PIECES   16
#define SPECIMEN_CHILDREN 3

typedef struct specimen {
    specimen_kind kind;
    cm_shape shape;
    cm_pose pose;
    /* The convex sets whose union the specimen is: piece[i] is what the library calls part i. Of a solid mesh its
     * triangles, and `within` is the whole. Of a half-space none. */
    int count;
    bool has_within;
    wide3 normal; /* of a half-space, own frame; */
    long double d;
    /* what the shape borrows */
    cm_hull *hull[SPECIMEN_CHILDREN];
    cm_mesh *mesh;
    cm_height_field *field;
    cm_compound *compound;
    solid within, piece[SPECIMEN_PIECES];
} specimen;

/* A specimen of about `size`; at the identity. */
void specimen_random(specimen *b, specimen_kind kind, double size, rng *r);
/* The same with cores of another flavor (solid_random): needles, slabs, flat or degenerate ones. For kinds that are one
 * convex core; the others know none. */
void specimen_random_flavor(specimen *b, specimen_kind kind, int flavor, double size, rng *r);
void specimen_free(specimen *b);
void specimen_place(specimen *b, const cm_pose *pose);

bool specimen_is_composite(const specimen *b);
bool specimen_is_halfspace(const specimen *b);
/* The largest coordinate of its corners in its own frame, radius included; 0 for half-spaces. */
long double specimen_extent(const specimen *b);
/* Does this number name a part? CM_NONE for what is convex. */
bool specimen_has_part(const specimen *b, uint32_t part);
/* Part k as a shape of its own, at its place; false for half-spaces. */
bool specimen_part_shape(const specimen *b, int k, cm_shape *shape, cm_pose *pose);
/* How deep within one part a point lies: 0 on its surface, and outside. */
long double specimen_part_inside(const specimen *b, uint32_t part, wide3 p);
/* A cylinder, cone or ellipsoid, with or without radius: its depths and points are known less well. */
bool specimen_is_curved(const specimen *b);
/* How far a point is outside of the specimen; <= 0 within it. */
long double specimen_outside(const specimen *b, wide3 p);
/* The same of one part; of a convex specimen the only one. */
long double specimen_part_outside(const specimen *b, uint32_t part, wide3 p);
/* The same for a contact of that part: of a mesh it may be one of several triangles. */
long double specimen_contact_outside(const specimen *b, uint32_t part, wide3 p);
/* max of n.p over one part. */
long double specimen_part_reach(const specimen *b, uint32_t part, wide3 n);
/* The separation of two parts along n: min over B - max over A; of a half-space only its own normal proves anything. */
long double specimen_separation(const specimen *a, uint32_t part_a, const specimen *b, uint32_t part_b, wide3 n);
/* The least, over all pairs of parts, of the best separation there is: the gap, or minus the depth of the deepest pair
 * of parts; a solid mesh counts as the convex whole that it is. Never more than the truth, by search from `guess`,
 * `tries` directions and the library's own proposal for what is curved; searched to the end only where it could be less
 * than `limit`. */
long double specimen_gap(const specimen *a, const specimen *b, wide3 guess, long double limit, int tries, rng *r);

#endif
