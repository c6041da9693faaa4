/* How far the surface of one mesh reaches into, or out of, another. */
#ifndef PAIR_MESH_EXTENT_H
#define PAIR_MESH_EXTENT_H

#include "carom/mesh.h"
#include "math/point.h"

/* Which points of X's surface count: those in the solid Y, those not in it, or all. */
typedef enum cm__side { CM__SIDE_WITHIN, CM__SIDE_OUTSIDE, CM__SIDE_ANY } cm__side;

/* x' = m x + t, rows of m. */
typedef struct cm__affine {
    double m[3][3], t[3];
} cm__affine;

CM_INLINE cm__point cm__affine_apply(const cm__affine *f, cm__point p) {
    return cm__p(f->m[0][0] * p.x + f->m[0][1] * p.y + f->m[0][2] * p.z + f->t[0],
                 f->m[1][0] * p.x + f->m[1][1] * p.y + f->m[1][2] * p.z + f->t[1],
                 f->m[2][0] * p.x + f->m[2][1] * p.y + f->m[2][2] * p.z + f->t[2]);
}

typedef struct cm__extent_query {
    const cm_mesh *x, *y;
    cm__affine x_to_y, y_to_x;
    cm__side side;    /* needs a solid Y, unless CM__SIDE_ANY */
    bool one_sided;   /* all of X is known to lie on that side */
    double floor;     /* distances up to this are of no interest: nothing is refined below it */
    double known;     /* 0, or what was found elsewhere: a bound may exceed it as it may exceed `value` */
    double stop;      /* the search may end as soon as something farther than this was found */
    double tolerance; /* > 0: the length that does not matter */
    struct cm__mesh_meeting *meeting; /* of X and Y; the search ends where it asks and they meet */
} cm__extent_query;

typedef struct cm__extent {
    double value; /* the farthest found; 0 where nothing farther than `floor` was */
    double bound; /* nothing is farther than this: at most max(1.001 max(value, known) + tolerance / 4, floor), unless
                     the search stopped early or met its limit */
    cm__point point, nearest; /* Y's frame: the point of X's surface, and the closest point of Y's surface */
    uint32_t triangle_x, triangle_y;
    int evaluations; /* points whose distance was looked for */
    bool any_side;   /* nothing was left out for its side: no point of X, on either side, is farther than `bound` */
} cm__extent;

/* What `bound` may exceed `value` by, of `value`. */
#define CM__EXTENT_RELATIVE 1e-3

void cm__mesh_extent(const cm__extent_query *query, cm__extent *out);

/* The distance of a point, in the mesh's frame, from its surface. */
double cm__mesh_distance_to(const cm_mesh *mesh, cm_vec3 point);

#endif
