/* What does the mouse point at? The nearest shape on a ray.
 *     cc pick_with_a_ray.c $(pkg-config --cflags --libs carom) -o pick_with_a_ray */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    const cm_shape shapes[] = {cm_make_halfspace(cm_v(0, 1, 0), 0), cm_make_sphere(cm_v(0, 0, 0), 1),
                               cm_make_box(cm_v(1, 1, 1)), cm_make_capsule(cm_v(0, -1, 0), cm_v(0, 1, 0), 1)};
    const char *const names[] = {"ground", "ball", "crate", "pillar"};
    cm_pose poses[4];
    for (int i = 0; i < 4; ++i) {
        poses[i] = cm_pose_identity();
        poses[i].position = cm_v(i > 0 ? CM_REAL(4 * (i - 2)) : 0, i > 0 ? 1 : 0, 0);
    }
    for (int x = -6; x <= 6; x += 2) {
        cm_ray ray = {{CM_REAL(x), 5, 10}, {0, CM_REAL(-0.4), -1}, CM_REAL_MAX};
        cm_ray_hit nearest;
        int found = -1;
        for (int i = 0; i < 4; ++i) {
            cm_ray_hit hit;
            if (cm_raycast(&ray, &shapes[i], &poses[i], &hit)) {
                found = i, nearest = hit;
                ray.max = hit.t; /* from here on only what is nearer */
            }
        }
        if (found >= 0)
            printf("x = %2d: %-6s at (%.2f %.2f %.2f), normal (%.2f %.2f %.2f)\n", x, names[found],
                   (double)nearest.point.x, (double)nearest.point.y, (double)nearest.point.z, (double)nearest.normal.x,
                   (double)nearest.normal.y, (double)nearest.normal.z);
    }
    return 0;
}
