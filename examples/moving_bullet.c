/* A bullet crosses a thin plate within one frame. The overlap test at the frame's end misses it; the sweep does not.
 *     cc moving_bullet.c $(pkg-config --cflags --libs carom) -o moving_bullet */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    cm_shape bullet = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.005)), plate = cm_make_box(cm_v(CM_REAL(0.0005), 1, 1));
    cm_motion flight = {0}, still = {0};
    flight.start = still.start = cm_pose_identity();
    flight.start.position = cm_v(-3, 0, 0);
    flight.move = cm_v(CM_REAL(800.0 / 60), 0, 0); /* 800 m/s for a sixtieth of a second */

    cm_pose end;
    cm_motion_at(&flight, 1, &end);
    printf("overlap at the frame's end: %s\n", cm_overlap(&bullet, &end, &plate, &still.start) ? "yes" : "no");

    cm_sweep_hit hit;
    if (cm_sweep(&bullet, &flight, &plate, &still, &hit))
        printf("sweep: first contact after %.4f of the frame at x = %.4f, last after %.4f\n", (double)hit.first,
               (double)hit.point.x, (double)hit.last);
    return 0;
}
