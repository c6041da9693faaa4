/* Pushes a mover out of what came nearer than its skin: an object that moved there, or a tight corner.
 *
 * The nearest point gives a plane and the distance to it that the mover has to gain. It goes the shortest displacement
 * that satisfies all planes found so far, and asks for the nearest point again. While shapes are apart the nearest
 * point is exact for every pair of shapes, so internal edges of a surface do not matter. A push longer than a skin is
 * swept, so that a platform pushes no mover through a wall. Where the planes contradict each other the mover stays
 * between them. It ends where it was farthest from everything. */
#include "mover/mover.h"

enum { RECOVER_LOOKS = 8, RECOVER_ROUNDS = 24 };

/* A short x with n_i . x >= needed_i, by projecting it onto one plane after the other. Where that does not converge, as
 * no x satisfies all, the mean of the last round. */
static cm_vec3 pushed_by_all(const cm_vec3 *normals, const cm_real *needed, int count) {
    cm_vec3 x = cm_v(0, 0, 0), sum = x;
    for (int round = 0; round < RECOVER_ROUNDS; round++) {
        bool changed = false;
        sum = cm_v(0, 0, 0);
        for (int i = 0; i < count; i++) {
            cm_real lack = needed[i] - cm_dot(normals[i], x);
            if (lack > 0) x = cm_mul_add(x, lack, normals[i]), changed = true;
            sum = cm_add(sum, x);
        }
        if (!changed) return x;
    }
    return cm_scale(sum, 1 / (cm_real)count);
}

static void push_to(cm__mover_run *run, cm_vec3 target) {
    cm_vec3 way = cm_sub(target, run->pose.position);
    cm__mover_contact at;
    if (cm_length(way) > run->skin && cm__mover_sweep(run, &run->bare, way, &at)) way = cm_scale(way, at.first);
    run->pose.position = cm_add(run->pose.position, way);
}

bool cm__mover_recover(cm__mover_run *run) {
    cm_vec3 start = run->pose.position, best = start, normals[RECOVER_LOOKS];
    cm_real needed[RECOVER_LOOKS], best_distance = -CM_REAL_MAX;
    for (int look = 0; look <= RECOVER_LOOKS; look++) {
        cm__mover_contact at;
        cm_real distance = cm__mover_nearest(run, &at);
        if (distance > best_distance) best_distance = distance, best = run->pose.position;
        if (!(distance < run->skin * (look ? CM_REAL(0.875) : CM_REAL(0.75))) || look == RECOVER_LOOKS) break;
        normals[look] = at.normal;
        needed[look] = cm_dot(at.normal, cm_sub(run->pose.position, start)) + run->skin - distance;
        push_to(run, cm_add(start, pushed_by_all(normals, needed, look + 1)));
    }
    run->pose.position = best;
    run->free = run->pose;
    return best_distance > 0;
}
