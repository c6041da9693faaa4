/* A convex hull of corners of a surface, grown until it has the surface's depth around a convex shape. */
#ifndef PAIR_INNER_HULL_H
#define PAIR_INNER_HULL_H

#include "pair/prepared.h"
#include "shape/shape.h"

#define INNER_POINTS 256 /* most corners; EPA has no more */
#define INNER_FAN    256 /* most triangles around a corner */
#define INNER_LANES  4   /* corners that are looked at side by side */

/* A corner of a triangle of the surface, and the triangle's other two in their order. */
typedef struct cm__inner_corner {
    cm_vec3 at, next, last;
    uint32_t half_edge; /* from `at` to `next` */
} cm__inner_corner;

/* The triangle from its first corner on. */
static inline cm_triangle inner_triangle(const cm__inner_corner *c) {
    const uint32_t k = c->half_edge % 3;
    return k == 0   ? (cm_triangle){c->at, c->next, c->last}
           : k == 1 ? (cm_triangle){c->last, c->at, c->next}
                    : (cm_triangle){c->next, c->last, c->at};
}

typedef struct cm__inner_hull {
    const cm__prepared *prepared; /* the shape */
    const cm_shape *surface;
    double slack;       /* rounding of positions */
    cm__convex_gap gap; /* from the hull to the shape, in the surface's frame */
    cm__point inside;   /* a point of the hull, below the triangle that it was grown from */
    bool has_inside;
    int count;
    double x[INNER_POINTS + INNER_LANES], y[INNER_POINTS + INNER_LANES], z[INNER_POINTS + INNER_LANES];
    cm__inner_corner corner[INNER_POINTS]; /* where a climb from that point starts */
} cm__inner_hull;

/* Along a direction: the highest corner that a climb over the convex surface around a triangle comes to. `slack`:
 * rounding of positions. */
cm__point cm__inner_top(const cm_shape *surface, double slack, const cm_triangle *from, uint32_t number,
                        cm__point direction);
/* Grows the hull from a triangle on. False where it does not overlap the shape. */
bool cm__inner_hull_grow(const cm__prepared *prepared, const cm_shape *surface, double slack, const cm_triangle *from,
                         uint32_t number, cm__inner_hull *out);
/* How much of the hull's depth is proved to be a lower bound of that of the solid whose surface it was grown on: all
 * where it lies in the solid, but for rounding, less where the surface enters it, 0 where it does by much. */
double cm__inner_hull_proven(const cm__inner_hull *hull);
/* The triangles around that of its corners which is the nearest to the gap, of the farthest along its normal: how
 * many. */
int cm__inner_hull_fan(const cm__inner_hull *hull, cm__inner_corner out[INNER_FAN]);

#endif
