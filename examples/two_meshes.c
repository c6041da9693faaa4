/* Two solid meshes: do they clash, how deep, and where.
 *     cc two_meshes.c $(pkg-config --cflags --libs carom) -o two_meshes */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    /* a cube of half size 1: eight corners, twelve triangles, counter-clockwise seen from outside */
    static const cm_real points[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    static const uint16_t indices[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                            {2, 3, 7}, {2, 7, 6}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};
    cm_mesh_desc desc = {0};
    desc.points = &points[0][0];
    desc.point_count = 8;
    desc.indices = indices;
    desc.index_size = 2;
    desc.triangle_count = 12;
    desc.solid = true;

    cm_mesh *cube = NULL;
    cm_error error;
    if (cm_mesh_build(&desc, NULL, &cube, &error) != CM_OK) {
        fprintf(stderr, "cube: %s, %s %u\n", cm_status_text(error.status), error.field, (unsigned)error.index);
        return 1;
    }

    cm_shape shape = cm_make_mesh(cube);
    cm_pose here = cm_pose_identity(), there = cm_pose_identity();
    for (int step = 0; step <= 4; ++step) { /* from a gap of 0.5 to an overlap of 0.5 */
        there.position.x = CM_REAL(2.5) - CM_REAL(step) / 4;
        cm_relation_result r;
        cm_mesh_relation(&shape, &here, &shape, &there, 0, CM_REAL_MAX, &r);
        printf("moved by %.2f: %-9s  %+.3f  at (%.2f %.2f %.2f)\n", (double)there.position.x,
               cm_relation_text(r.relation), (double)r.distance, (double)r.point_a.x, (double)r.point_a.y,
               (double)r.point_a.z);
    }
    cm_mesh_destroy(cube, NULL);
    return 0;
}
