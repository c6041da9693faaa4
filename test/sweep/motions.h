/* Motions that tests of sweeps draw, and what is asked of them. */
#ifndef SWEEP_MOTIONS_H
#define SWEEP_MOTIONS_H

#include "support/support.h"

static inline cm_motion motion_at_rest(void) {
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.start = cm_pose_identity();
    return m;
}

static inline cm_motion random_motion(rng *r, double reach, double speed, bool turns) {
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.start = rng_pose(r, reach);
    m.move = rng_vec3(r, speed);
    if (turns) {
        m.spin = rng_vec3(r, 1.5);
        m.pivot = rng_vec3(r, 0.5);
    }
    return m;
}

static inline double gap_at(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double u) {
    cm_pose pa, pb;
    cm_motion_at(ma, CM_REAL(u), &pa);
    cm_motion_at(mb, CM_REAL(u), &pb);
    return (double)cm_distance(a, &pa, b, &pb, CM_REAL_MAX, NULL);
}

static const double near_bound = sizeof(cm_real) == 4 ? 2e-4 : 1e-7;

#endif
