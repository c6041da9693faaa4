/* How far apart are any two shapes, and which of their points are closest? Every kind answers the same call.
 *     cc any_two_shapes.c $(pkg-config --cflags --libs carom) -o any_two_shapes */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    const struct {
        const char *name;
        cm_shape shape;
    } things[] = {
        {"ball", cm_make_sphere(cm_v(0, 0, 0), 1)},
        {"capsule", cm_make_capsule(cm_v(0, -1, 0), cm_v(0, 1, 0), CM_REAL(0.5))},
        {"box", cm_make_box(cm_v(1, 1, 1))},
        {"cylinder", cm_make_cylinder(1, 2)}, /* along z, as cones are */
        {"cone", cm_make_cone(1, 2)},
        {"ellipsoid", cm_make_ellipsoid(cm_v(1, 2, 1))},
        {"rounded box", cm_make_rounded_box(cm_v(1, 1, 1), CM_REAL(0.25))},
    };
    enum { COUNT = sizeof things / sizeof things[0] };
    cm_pose here = cm_pose_identity(), there = cm_pose_at(cm_v(3, 1, 0));
    for (int a = 0; a < COUNT; ++a) {
        for (int b = a; b < COUNT; ++b) {
            cm_witness w;
            cm_real d = cm_distance(&things[a].shape, &here, &things[b].shape, &there, CM_REAL_MAX, &w);
            printf("%-11s %-11s %7.4f  from (%.2f %.2f %.2f) to (%.2f %.2f %.2f)\n", things[a].name, things[b].name,
                   (double)d, (double)w.point_a.x, (double)w.point_a.y, (double)w.point_a.z, (double)w.point_b.x,
                   (double)w.point_b.y, (double)w.point_b.z);
        }
    }
    return 0;
}
