/* A door swings while a ball flies past it, both within one step: when do they meet, and how far may both go?
 *     cc swinging_door.c $(pkg-config --cflags --libs carom) -o swinging_door */
#include <carom/carom.h>

#include <stdio.h>

/* What is left of a motion from u on. */
static cm_motion rest_of(const cm_motion *m, cm_real u) {
    cm_motion rest = *m;
    cm_motion_at(m, u, &rest.start);
    rest.move = cm_scale(cm_mul_add(m->move, u, m->accelerate), 1 - u);
    rest.spin = cm_scale(m->spin, 1 - u);
    rest.accelerate = cm_scale(m->accelerate, (1 - u) * (1 - u));
    return rest;
}

int main(void) {
    cm_shape door = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.02), 1)); /* 1 m wide, 2 m high */
    cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.1));

    cm_motion swing = {.start = cm_pose_identity()}, flight = swing;
    swing.pivot = cm_v(CM_REAL(-0.5), 0, 0);       /* about its hinge, not its middle */
    swing.spin = cm_v(0, 0, CM_REAL(1.570796327)); /* a quarter of a turn within the step */
    flight.start.position = cm_v(1, CM_REAL(0.3), 0);
    flight.move = cm_v(-3, 0, 0);

    cm_pose door_end, ball_end;
    cm_motion_at(&swing, 1, &door_end);
    cm_motion_at(&flight, 1, &ball_end);
    printf("overlap at the end of the step: %s\n", cm_overlap(&door, &door_end, &ball, &ball_end) ? "yes" : "no");

    /* A limit is no hit: up to `first` they are apart, and the rest of the step is asked as a step of its own. */
    cm_real done = 0;
    cm_sweep_hit hit;
    bool met;
    while ((met = cm_sweep(&door, &swing, &ball, &flight, &hit)) && hit.proof == CM_PROOF_LIMIT && hit.first > 0) {
        done += (1 - done) * hit.first;
        swing = rest_of(&swing, hit.first);
        flight = rest_of(&flight, hit.first);
    }
    if (!met)
        puts("they do not meet");
    else if (hit.proof == CM_PROOF_LIMIT)
        puts("not known"); /* stop, as the world does */
    else
        printf("they meet after %.4f of the step, at (%.3f, %.3f, %.3f)\n", (double)(done + (1 - done) * hit.first),
               (double)hit.point.x, (double)hit.point.y, (double)hit.point.z);
    return 0;
}
