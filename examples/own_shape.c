/* A convex shape that the library does not have, told by its farthest point along a direction: two cones, base to base.
 *     cc own_shape.c $(pkg-config --cflags --libs carom) -o own_shape */
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>

typedef struct spindle {
    double radius, half_height;
} spindle;

/* In the shape's own frame, in double in both builds. Either a tip or a point of the rim is the farthest. */
static void farthest_of_spindle(const void *user, const double direction[3], double point[3]) {
    const spindle *s = user;
    double across = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    point[0] = point[1] = point[2] = 0;
    if (across * s->radius > fabs(direction[2]) * s->half_height) {
        point[0] = s->radius * direction[0] / across;
        point[1] = s->radius * direction[1] / across;
    } else {
        point[2] = direction[2] > 0 ? s->half_height : -s->half_height;
    }
}

int main(void) {
    spindle top = {1, 2};
    cm_shape shape = cm_make_custom(farthest_of_spindle, &top, cm_v(0, 0, 0), 2); /* no point is farther than 2 */
    cm_shape floor = cm_make_halfspace(cm_v(0, 0, 1), 0), crate = cm_make_box(cm_v(1, 1, 1));
    cm_pose here = cm_pose_at(cm_v(0, 0, CM_REAL(2.5))), origin = cm_pose_identity(),
            beside = cm_pose_at(cm_v(3, 0, 2));
    printf("over the floor: %.4f\n", (double)cm_distance(&shape, &here, &floor, &origin, CM_REAL_MAX, NULL));
    printf("from the crate: %.4f\n", (double)cm_distance(&shape, &here, &crate, &beside, CM_REAL_MAX, NULL));
    cm_ray ray = {{CM_REAL(0.5), 0, 9}, {0, 0, -1}, CM_REAL_MAX};
    cm_ray_hit hit;
    if (cm_raycast(&ray, &shape, &here, &hit)) printf("a ray from above meets it at z = %.4f\n", (double)hit.point.z);
    cm_motion fall = {.start = here, .move = {0, 0, -4}}, still = {.start = origin};
    cm_sweep_hit lands;
    if (cm_sweep(&shape, &fall, &floor, &still, &lands))
        printf("falling by 4 it lands at u = %.4f\n", (double)lands.first);
    shape.radius = CM_REAL(0.25); /* rounded all over */
    printf("rounded, over the floor: %.4f\n", (double)cm_distance(&shape, &here, &floor, &origin, CM_REAL_MAX, NULL));
    return 0;
}
