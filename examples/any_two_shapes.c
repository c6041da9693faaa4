/* How far apart are any two shapes, and which of their points are closest? Every kind answers the same call.
 *     cc any_two_shapes.c $(pkg-config --cflags --libs carom) -o any_two_shapes */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    const cm_shape shapes[] = {
        cm_make_sphere(cm_v(0, 0, 0), 1),
        cm_make_capsule(cm_v(0, -1, 0), cm_v(0, 1, 0), CM_REAL(0.5)),
        cm_make_box(cm_v(1, 1, 1)),
        cm_make_cylinder(1, 2),
        cm_make_cone(1, 2),
        cm_make_ellipsoid(cm_v(1, 2, 1)),
    };
    enum { COUNT = sizeof shapes / sizeof shapes[0] };
    cm_pose here = cm_pose_identity(), there = here;
    there.position = cm_v(3, 1, 0);
    for (int a = 0; a < COUNT; ++a) {
        for (int b = a; b < COUNT; ++b) {
            cm_witness w;
            cm_real d = cm_distance(&shapes[a], &here, &shapes[b], &there, CM_REAL_MAX, &w);
            printf("%-9s %-9s %7.4f  from (%.2f %.2f %.2f) to (%.2f %.2f %.2f)\n", cm_kind_name(shapes[a].kind),
                   cm_kind_name(shapes[b].kind), (double)d, (double)w.point_a.x, (double)w.point_a.y,
                   (double)w.point_a.z, (double)w.point_b.x, (double)w.point_b.y, (double)w.point_b.z);
        }
    }
    return 0;
}
