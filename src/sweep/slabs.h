/* The earliest time at which a convex shape in straight motion can touch a triangle: cheap, and never too late. */
#ifndef SWEEP_SLABS_H
#define SWEEP_SLABS_H

#include "pair/prepared.h"

typedef struct cm__slabs {
    const cm__prepared *prepared; /* the shape at the start, in the triangles' frame */
    cm__point way;                /* its displacement over the step, in that frame */
    double room;                  /* distances up to this count as touching */
    cm__point low, high;          /* box around the shape, relative to its center */
    cm__point turned;             /* for boxes: `way` in the box's own axes; for segments: half the segment */
    cm__point origin;             /* the middle of the core, where it is a box or a segment; else the center */
    int likely;                   /* of triangles: the axis that separated the last one, tried first */
} cm__slabs;

/* `box`: around the shape at the start. */
void cm__slabs_of(const cm__prepared *prepared, cm__point way, const cm_aabb *box, double room, cm__slabs *out);
/* The time, 0 where they may touch at the start, HUGE_VAL where they do not touch within [0, limit]. */
double cm__slabs_enter(cm__slabs *slabs, const cm_triangle *triangle, double limit);

#endif
