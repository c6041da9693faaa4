/* What the general way knows of a convex shape: its core through a support point, and a radius around it.
 *
 * A core lives in its shape's own frame, in double (see math/point.h). It is filled on the stack by its kind's file,
 * borrows what is large, and is read only afterwards. Every number that a support point carries is one of the input's
 * own (polytopes: exactly a corner), so that simplices and faces built from them can be judged. */
#ifndef SHAPE_CORE_H
#define SHAPE_CORE_H

#include "math/wide.h"

typedef struct cm__core cm__core;

#define CM__FACET_MAX 32

/* The side of a core that looks along a direction. */
typedef struct cm__facet {
    uint32_t hint;    /* in: of polytopes, a corner to look from, best one of the side; or CM_NONE */
    bool farthest;    /* in: that corner is what `support` gives along the direction */
    int count;        /* >= 3: a face, in order around it; 2: an edge; 1: a corner */
    uint32_t number;  /* of the face; CM_NONE for edges and corners */
    cm__point normal; /* of a face: unit, outward */
    cm__point point[CM__FACET_MAX];
    uint32_t id[CM__FACET_MAX]; /* a stable number for each point */
} cm__facet;

/* A curved core is the hull of a few pieces: the two rims of a cylinder, the rim and the apex of a cone, an ellipsoid.
 * Each has a support point that moves smoothly with the direction: by H t, where the direction is unit and changes by
 * t. H, the second derivative of the support function, is H0 - less (I - u u^T), with the unit direction u and H0 the
 * sum of weight[i] along[i] along[i]^T, i < count. */
typedef struct cm__bend {
    cm__point point;
    uint32_t piece;
    bool cap; /* the direction is the normal of a cap, all points of which are as far: `point` is any of its rim */
    int count;
    cm__point along[2]; /* perpendicular to the direction, of any length */
    double weight[2];
    /* How fast it may fade. The support function is linear but for the length |p| of a vector that is linear in the
     * direction, whose second derivative is H0, less `less` times the direction's length. For u and t perpendicular to
     * it, p changes by at most rate |p| |t|, and by at most lean^1/2 |p| |t| along itself; convex/descent.c says what
     * is left of H0. */
    double rate, lean, less;
} cm__bend;

/* Where a core is flat: the outward normals of its faces, a polytope's in pairs of opposite ones, and of lines on its
 * surface. Those of an edge, or of the lines of a cylinder or cone, are the unit n with axis.n = height. */
typedef struct cm__flats {
    bool even; /* the core is its own mirror image about its center, its frame's origin */
    int normals, circles;
    cm__point normal[6], axis[3]; /* unit */
    double height[3];
} cm__flats;

typedef struct cm__core_ops {
    /* The farthest point of the core along `direction` (any length, not 0), exact to a few roundings in double.
     * *id: of a polytope the corner's number, in and out (a place to start from, any valid one); of a curved core
     * CM_NONE. */
    cm__point (*support)(const cm__core *core, cm__point direction, uint32_t *id);
    /* As support, faster and less exact: the point is one of the core, at most `guess_error` less far along the unit
     * direction than the farthest. NULL: support is fast enough. */
    cm__point (*guess)(const cm__core *core, cm__point direction, uint32_t *id);
    /* Of a polytope: the corner of a number; NULL for curved cores. */
    cm__point (*corner)(const cm__core *core, uint32_t id);
    /* The side that looks along a unit direction; out->hint and out->farthest are set before. */
    void (*facet)(const cm__core *core, cm__point direction, cm__facet *out);
    /* Of polytopes, or NULL: a corner about as far along the direction as any, fast, to lead the way; its number and
     * where it is from `center`, both to a few roundings of cm_real. `hint` is any number, best that of the last. */
    uint32_t (*near)(const cm__core *core, cm_vec3 direction, uint32_t hint, cm_vec3 *from_center);
    /* The radius of a ball around `center` that lies in the core beyond doubt, 0 where only the center itself does;
     * < 0, as NULL: not even that is known. */
    double (*inner)(const cm__core *core);
    /* Or NULL: the point of the core closest to another, or about: where a search begins. */
    cm__point (*closest)(const cm__core *core, cm__point to);
    bool is_hull; /* a convex hull: `data` is it */
    /* Of curved cores whose curvature is known, or NULL: the farthest point along a direction (any length, not 0) of
     * the piece of that number, or of all pieces for CM_NONE: then it is the point that `support` gives, to the bit. */
    void (*bend)(const cm__core *core, cm__point direction, uint32_t piece, cm__bend *out);
    /* How far the core reaches along a direction, times its length: what the support point's is, but for rounding. With
     * `flats`. */
    double (*reach)(const cm__core *core, cm__point direction);
    /* Or NULL: all that is flat of it, where that is little. */
    void (*flats)(const cm__core *core, cm__flats *out);
} cm__core_ops;

struct cm__core {
    const cm__core_ops *ops;
    const void *data;   /* borrowed; the kind's own */
    const void *means;  /* the same: how it is best looked through here */
    uint32_t count;     /* of corners, for polytopes */
    double radius;      /* around the core */
    double guess_error; /* see guess */
    cm__point center;   /* a point within the core (up to rounding), about in its middle */
    double size;        /* |p - center| <= size for every point p of the core */
    cm__point v[3];     /* the kind's own numbers */
};

/* Of convex hulls: it; or NULL. */
static inline const struct cm_hull *core_hull(const cm__core *core) {
    return core->ops->is_hull ? (const struct cm_hull *)core->data : NULL;
}
/* Has it no inside, its radius included? (Of some kinds that is not known: those count as having one.) */
static inline bool core_is_thin(const cm__core *core) {
    return !(core->radius > 0) && core->ops->inner && !(core->ops->inner(core) > 0);
}

/* --- the cores of the library --------------------------------------------------------------------------------- */

void cm__core_point(cm__point p, cm__core *out);
void cm__core_segment(cm__point a, cm__point b, cm__core *out);
/* Solid: the flat set of all points between the corners, in any position. */
void cm__core_triangle(cm__point a, cm__point b, cm__point c, cm__core *out);
/* All points with |p| <= half, component by component; half >= 0. */
void cm__core_box(cm__point half, cm__core *out);
/* Around the z axis from z = -half_height to half_height. */
void cm__core_cylinder(double radius, double half_height, cm__core *out);
/* The apex at z = half_height, the base, a disk, at z = -half_height. */
void cm__core_cone(double radius, double half_height, cm__core *out);
/* Half axes along x, y, z. */
void cm__core_ellipsoid(cm__point half, cm__core *out);

/* The box of any core at a pose, by its support points along the axes, rounded outwards; without its radius. */
void cm__core_bounds(const cm__core *core, const cm_pose *pose, cm_aabb *out);

#endif
