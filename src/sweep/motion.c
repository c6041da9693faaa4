/* Poses along a motion, and the narrowing of bounds by a caller's test.
 *
 * A rotation at constant angular velocity is start turned by u times a rotation vector: the path that slerp takes. It
 * is not the straight line between two quaternions or matrices, which is no rotation before it is normalised, and of
 * uneven speed after. Sine, cosine and arctangent are our own, so that they are the same bits everywhere: errors below
 * 4 ulps of double for the ranges used. Based on: [Shoemake85], [Cody80] for the polynomials. */
#include "carom/sweep.h"
#include "math/trig.h"
#include "math/turn.h"
#include "math/wide.h"
#include "sweep/shapes.h"

void cm_motion_at(const cm_motion *motion, cm_real u, cm_pose *out) {
    cm__point spin = cm__point_of(motion->spin), move = cm__point_of(motion->move);
    cm_pose pose = motion->start;
    if (cm__point_largest(spin) > 0 && u != 0) {
        cm_quat turn;
        cm__turn_of(spin, cm__point_length(spin) * (double)u, &turn);
        pose.rotation = cm_quat_normalize(cm_quat_mul(turn, motion->start.rotation));
        /* the pivot moves on its path, and the origin rotates about it */
        cm_vec3 arm = cm_rotate(motion->start.rotation, motion->pivot);
        cm_vec3 turned = cm_rotate(pose.rotation, motion->pivot);
        pose.position = cm_add(pose.position, cm_sub(arm, turned));
    }
    cm__point p = cm__point_mul_add(cm__point_of(pose.position), (double)u, move);
    p = cm__point_mul_add(p, (double)u * (double)u / 2, cm__point_of(motion->accelerate));
    pose.position = cm__vec3_of(p);
    *out = pose;
}

bool cm__motion_is_finite(const cm_motion *m) {
    return cm_vec3_is_valid(m->move) && cm_vec3_is_valid(m->spin) && cm_vec3_is_valid(m->pivot) &&
           cm_vec3_is_valid(m->accelerate) &&
           cm_largest(m->move) + cm_largest(m->accelerate) <= CM_COORD_MAX; /* a bound on the speed */
}

void cm_motion_between(const cm_pose *start, const cm_pose *end, cm_motion *out) {
    const cm_vec3 move = cm_sub(end->position, start->position); /* either may be the output's own */
    const cm_quat turn = cm_quat_mul(end->rotation, cm_quat_conjugate(start->rotation));
    out->start = *start;
    out->move = move;
    out->pivot = out->accelerate = cm_v(0, 0, 0);
    double w = (double)turn.w, s = w < 0 ? -1 : 1; /* q and -q are the same rotation: take the shorter way */
    cm__point axis = cm__p(s * (double)turn.x, s * (double)turn.y, s * (double)turn.z);
    double sine = cm__point_length(axis);
    if (!(sine > 0)) {
        out->spin = cm_v(0, 0, 0);
        return;
    }
    double angle = 2 * cm__angle_of(sine, s * w);
    out->spin = cm__vec3_of(cm__point_scale(axis, angle / sine));
}

bool cm_sweep_refine(const cm_motion *a, const cm_motion *b, cm_interval bounds, int steps, cm_real tolerance,
                     bool (*overlap)(void *user, cm_real u, const cm_pose *pose_a, const cm_pose *pose_b), void *user,
                     cm_interval *out) {
    if (!a || !b || !overlap || steps < 1 || !(tolerance > 0) || !(bounds.first <= bounds.last)) return false;
    cm_pose pose_a, pose_b;
    cm_real before = bounds.first;
    for (int i = 0; i <= steps; i++) {
        cm_real u =
            i == steps ? bounds.last : bounds.first + (bounds.last - bounds.first) * ((cm_real)i / (cm_real)steps);
        cm_motion_at(a, u, &pose_a);
        cm_motion_at(b, u, &pose_b);
        if (!overlap(user, u, &pose_a, &pose_b)) {
            before = u;
            continue;
        }
        cm_real low = i == 0 ? u : before, high = u;
        for (int k = 0; k < 64 && high - low > tolerance; k++) {
            cm_real middle = low + (high - low) / 2;
            if (!(middle > low && middle < high)) break; /* next to each other: no number lies between */
            cm_motion_at(a, middle, &pose_a);
            cm_motion_at(b, middle, &pose_b);
            if (overlap(user, middle, &pose_a, &pose_b))
                high = middle;
            else
                low = middle;
        }
        if (out) out->first = low, out->last = high;
        return true;
    }
    return false;
}
