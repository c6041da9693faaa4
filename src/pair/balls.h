/* A ball around a hull and one within it, both around its center, in its own frame: by these alone most pairs of hulls
 * that are far apart, or deep in each other, are told. */
#ifndef PAIR_BALLS_H
#define PAIR_BALLS_H

#include "hull/hull.h"

typedef struct pair_balls {
    cm_vec3 center;
    cm_real outer; /* no point of the core is farther from the center, */
    cm_real inner; /* and every point as near as this is in it; 0: none is known */
} pair_balls;

static inline pair_balls balls_of_hull(const cm_hull *hull) {
    const pair_balls balls = {hull->info.center, hull->outer, hull->inner};
    return balls;
}

#endif
