/* Random convex shapes, and the meshes and boxes that tests hold them against. */
#ifndef SUPPORT_SHAPES_H
#define SUPPORT_SHAPES_H

#include "support/clouds.h"
#include "support/support.h"

#define CONVEX_LIST(X)                                                                                                 \
    X(BALL, "ball")                                                                                                    \
    X(POINT, "point")                                                                                                  \
    X(SEGMENT, "segment")                                                                                              \
    X(CAPSULE, "capsule")                                                                                              \
    X(TRIANGLE, "triangle")                                                                                            \
    X(BOX, "box")                                                                                                      \
    X(ROUNDED, "rounded box")                                                                                          \
    X(CYLINDER, "cylinder")                                                                                            \
    X(CONE, "cone")                                                                                                    \
    X(ELLIPSOID, "ellipsoid")                                                                                          \
    X(HULL, "hull")

enum {
#define CONVEX_ENUM(name, text) CONVEX_##name,
    CONVEX_LIST(CONVEX_ENUM)
#undef CONVEX_ENUM
        CONVEX_KINDS
};
extern const char *const convex_names[CONVEX_KINDS];

/* One of about `size` around the origin; of HULL it is `hull`, which is borrowed. */
cm_shape convex_random(int kind, double size, const cm_hull *hull, rng *r);
/* A point, segment, triangle or box (kinds 0 to 3) of about `size`, some without a radius, an area or an offset. */
cm_shape textbook_random(rng *r, int kind, double size);
/* The hull of random points in the cube [-half, half)^3; a failure fails the test. cm_hull_destroy it. */
cm_hull *hull_random(uint32_t count, double half, rng *r);

/* A sheet of cells * cells squares of side 1 around the origin, heights within +-height, cut either way. */
cm_mesh *surface_bumps(int cells, cm_real height, rng *r);
/* One triangle of a mesh as a shape of its own. */
cm_shape mesh_triangle(const cm_mesh *mesh, uint32_t t);

/* The square of how far a box lies from the box of a triangle. */
double box_gap(const cm_aabb *box, const cm_triangle *c);
/* Does box + t move touch the box of a triangle for some t in [0, limit]? Slab by slab. */
bool box_meets(const cm_aabb *box, cm_vec3 move, double limit, const cm_triangle *c);

#endif
