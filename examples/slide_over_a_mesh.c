/* A capsule walks over a floor of triangles toward a wall: the seams of the floor do not stop it, the wall does.
 *     cc slide_over_a_mesh.c $(pkg-config --cflags --libs carom) -o slide_over_a_mesh */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    static const cm_real points[][3] = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}, {5, -5, 3}, {5, 5, 3}};
    static const uint16_t indices[][3] = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}; /* the floor, the wall */
    cm_mesh_desc desc = {.points = &points[0][0], .point_count = 6, .indices = indices, .index_size = 2};
    desc.triangle_count = 4;
    cm_mesh *mesh = NULL;
    if (cm_mesh_build(&desc, NULL, &mesh, NULL) != CM_OK) return 1;

    cm_shape room = cm_make_mesh(mesh);
    cm_shape walker = cm_make_capsule(cm_v(0, 0, CM_REAL(0.5)), cm_v(0, 0, CM_REAL(1.5)), CM_REAL(0.5));
    cm_motion step = {.start = cm_pose_at(cm_v(-4, 0, 0)), .move = {12, 0, 0}}, still = {.start = cm_pose_identity()};
    cm_sweep_hit hit; /* it stands on the floor: a contact that does not block hides no wall */
    if (cm_sweep(&walker, &step, &room, &still, &hit) && hit.blocking)
        printf("stopped after %.3f of the way by triangle %u, normal (%.0f %.0f %.0f)\n", (double)hit.first,
               (unsigned)hit.part_b, (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);

    /* the rest of the way along the wall: what leads into it is taken off */
    cm_pose at;
    cm_motion_at(&step, hit.first, &at);
    cm_vec3 rest = cm_scale(cm_v(12, 3, 0), 1 - hit.first);
    step = (cm_motion){.start = at, .move = cm_mul_add(rest, -cm_dot(rest, hit.normal), hit.normal)};
    bool stopped = cm_sweep(&walker, &step, &room, &still, &hit) && hit.blocking;
    printf("along the wall: %s\n", stopped ? "stopped" : "free");
    cm_mesh_destroy(mesh, NULL);
    return 0;
}
