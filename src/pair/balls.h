/* Two balls around the center of a hull, in its own frame: one that holds the hull, and one inside it. They alone
 * decide most pairs of hulls that are far apart or overlap deeply. */
#ifndef PAIR_BALLS_H
#define PAIR_BALLS_H

#include "hull/hull.h"

typedef struct pair_balls {
    cm_vec3 center;
    cm_real outer; /* radius of the ball that holds the core */
    cm_real inner; /* radius of a ball inside the core; 0: none is known */
} pair_balls;

static inline pair_balls balls_of_hull(const cm_hull *hull) {
    const pair_balls balls = {hull->info.center, hull->outer, hull->inner};
    return balls;
}

#endif
