/* How long a direction proves that two moving shapes stay apart. */
#ifndef SWEEP_STRIDE_H
#define SWEEP_STRIDE_H

#include "sweep/moving_pair.h"

/* The longest step found, from time u forward (`sign` 1) or back (-1), over which the separation along the normal is
 * certainly at least `level`. At u it is level + left. The result is between `least`, which is known to be safe, and
 * `most`. A step that ends with less than `slack` above `level` is long enough. */
double cm__moving_stride(const cm__moving_pair *p, double u, double sign, cm__point normal, double left, double level,
                         double slack, double least, double most);
/* The same along a normal that rotates with one of the two, like that of a face; `least` where neither turns, or no
 * more is proved. */
double cm__moving_stride_turned(const cm__moving_pair *p, double u, double sign, cm__point normal, double left,
                                double level, double slack, double least, double most);
/* The same, forward from a gap, along the normals of the faces of boxes, triangles, and of hulls at the gap. What
 * slides flush with a face is not parted by the direction of the gap, which is rounding, but by that face. None runs
 * against that direction: what is in the plane of a face may be on either side of it. */
double cm__moving_stride_faces(const cm__moving_pair *p, const cm__moving_gap *from, double level, double slack,
                               double least, double most);

#endif
