/* Contacts of two boxes along one of their 15 axes. */
#ifndef PAIR_BOX_PATCH_H
#define PAIR_BOX_PATCH_H

#include "pair/box_axes.h"
#include "pair/gap.h"

typedef struct cm__box_point {
    cm__point point; /* on B, in A's frame */
    double gap;      /* from A's face */
    uint32_t feature;
} cm__box_point;

/* Clips B's incident face by A's reference face `axis`, on the side `sign` = +-1. Returns the number of points at most
 * `margin` from A's plane. */
int cm__box_face_patch(const box_pair *p, int axis, double sign, double margin, cm__box_point out[8]);
/* Closest points of A's edge along i and B's along j that face each other along the unit normal, from A to B. */
void cm__box_edges_cross(const box_pair *p, int i, int j, cm__point normal, cm__point *on_a, cm__point *on_b);
/* A point of A where B touches it, or is deepest, along an axis on which they are `gap` apart. Returns the error of the
 * gap that the point shows; DBL_MAX where there is no such point, and then *on_a is approximate. */
double cm__box_touch(const box_pair *p, double gap, cm__point normal, box_axis axis, cm__point *on_a);
/* The places of the boxes in the frame of the answer. */
typedef struct cm__box_frames {
    cm__point origin[2];
    double axis[3][3][2]; /* x, y, z of axis i: A's and B's */
} cm__box_frames;

/* The contact across A's face `axis` on the side `sign`, or B's (`of_b`): the points of the face patch, radii added.
 * Returns the number of points; where it is 0, *out is half written. */
int cm__box_face_manifold(const box_pair *p, int axis, double sign, const cm__box_frames *frames, bool of_b, double ra,
                          double rb, double margin, cm_manifold *out);
/* The same pair seen from B. */
box_pair cm__box_pair_flipped(const box_pair *p);

#endif
