/* Cores with few corners, laid out as points, edges and faces in one frame: point, segment, triangle, box. */
#ifndef SHAPE_POLYTOPE_H
#define SHAPE_POLYTOPE_H

#include "carom/shape.h"
#include "math/wide.h"

/* What an all-features test needs. Faces come in parallel pairs or are two-sided, so one normal stands for both. */
typedef struct cm__polytope {
    int corner_count, edge_count, axis_count, normal_count;
    cm__point center;
    cm__point corner[8];
    uint8_t edge[12][2]; /* corner numbers; the edges along axis[i] are edge_count / axis_count in a row */
    cm__point axis[3];   /* the distinct directions of edges, unit; a box's are its own axes in order */
    cm__point normal[3]; /* unit; none for points and segments, nor for triangles without area */
    double half[3];      /* boxes: half extents along the axes */
} cm__polytope;

/* The side of a polytope that looks along a direction. */
typedef struct cm__polytope_side {
    int count; /* 4 or 3: a face, in order around it; 2: an edge; 1: a corner */
    cm__point corner[4];
    uint32_t feature[4]; /* a stable number for each corner */
    cm__point normal;    /* of a face: unit, toward the direction */
    uint32_t face;       /* its number; CM_NONE for edges and corners */
} cm__polytope_side;

/* Lays a shape's core out at `pose`, NULL for the shape's own frame. For the four kinds named above only. */
void cm__polytope_of(const cm_shape *shape, const cm__frame *pose, cm__polytope *out);
/* The same in two steps: corners and center first, of all kinds but triangles the rest as well; then a triangle's edges
 * and normal, which take longer. */
void cm__polytope_corners(const cm_shape *shape, const cm__frame *pose, cm__polytope *out);
void cm__polytope_sides(const cm_shape *shape, cm__polytope *io);
/* The face that looks along `direction` the most; the whole of a segment or point. */
void cm__polytope_face(const cm__polytope *p, cm__point direction, cm__polytope_side *out);
/* The edge farthest along `direction`, if it is perpendicular to it within `sine`; else the farthest corner. */
void cm__polytope_edge(const cm__polytope *p, cm__point direction, double sine, cm__polytope_side *out);
/* The farthest corner along `direction`, the first of equals. */
int cm__polytope_support(const cm__polytope *p, cm__point direction);
/* The point of the polytope (solid, where it is a box) that is closest to `point`. */
cm__point cm__polytope_closest(const cm__polytope *p, cm__point point);

#endif
