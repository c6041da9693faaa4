/* A convex hull from points: built once, used as a shape.
 *     cc hull_of_a_cloud.c $(pkg-config --cflags --libs carom) -o hull_of_a_cloud */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    /* the corners of a cube, its center, and a corner once more: the last two are no corners of the hull */
    static const cm_real cloud[][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1},
                                       {1, -1, 1},   {-1, 1, 1},  {1, 1, 1},   {0, 0, 0},  {1, 1, 1}};
    cm_hull_desc desc = {0};
    desc.points = &cloud[0][0];
    desc.point_count = sizeof cloud / sizeof cloud[0];
    cm_hull *hull = NULL;
    cm_error error;
    if (cm_hull_build(&desc, NULL, &hull, &error) != CM_OK) {
        fprintf(stderr, "hull: %s, %s\n", cm_status_text(error.status), error.field);
        return 1;
    }
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    printf("%u corners, %u faces, volume %.3f\n", (unsigned)info.vertices, (unsigned)info.faces, (double)info.volume);

    cm_shape shape = cm_make_hull(hull), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    cm_pose here = cm_pose_identity(), there = here;
    there.position = cm_v(2, 2, 2);
    printf("a ball at (2 2 2) is %.4f away\n", (double)cm_distance(&shape, &here, &ball, &there, CM_REAL_MAX, NULL));
    cm_hull_destroy(hull, NULL);
    return 0;
}
