/* Two surfaces whose walls lie in one plane: boxes given as meshes without an inside, one on the other with the same
 * outline, or in the corner of a room. Triangles in one plane are on neither side of each other: the whole of both
 * bodies decides, and their contacts have the normal of the walls that hold them apart, as those of solids have. */
#include "support/meshes.h"

#include <math.h>

static cm_mesh *hollow_box(cm_vec3 half) {
    static const uint32_t faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    cm_vec3 corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] = cm_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    const cm_mesh_desc desc = {.points = &corner[0].x, .point_count = 8, .indices = faces, .triangle_count = 12};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

/* Wherever the two touch there are contacts, of either order, and all are along `out`, from a to b. */
static void all_are_along(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                          cm_real margin, cm_vec3 out, const char *what, int number) {
    enum { ROOM = 144 };
    static cm_manifold found[ROOM];
    const bool touch = cm_distance(a, pose_a, b, pose_b, margin, NULL) <= margin;
    for (int swap = 0; swap < 2; swap++) {
        const int count = swap ? cm_contact(b, pose_b, a, pose_a, margin, found, ROOM)
                               : cm_contact(a, pose_a, b, pose_b, margin, found, ROOM);
        check_that((count > 0) == touch && count <= ROOM, "%s %d, margin %g, swapped %d: %d contacts", what, number,
                   (double)margin, swap, count);
        for (int i = 0; i < count; i++) {
            const cm_vec3 n = swap ? cm_neg(found[i].normal) : found[i].normal;
            check_that(cm_dot(n, out) > CM_REAL(0.999), "%s %d, margin %g, swapped %d: normal %g %g %g, %g deep", what,
                       number, (double)margin, swap, (double)n.x, (double)n.y, (double)n.z,
                       (double)found[i].points[0].depth);
        }
    }
}

/* The upper box is larger or smaller than the table by up to three ulps, and hovers or sinks by up to two. */
static void a_box_with_the_outline_of_its_table_is_held_from_below(void **state) {
    (void)state;
    const cm_real sizes[] = {1, 4, CM_REAL(1.3), CM_REAL(1e-3), 1000};
    for (int i = 0; i < 5 * 35; i++) {
        const cm_real size = sizes[i / 35], eps = CM_REAL_EPSILON;
        const cm_real more = 1 + CM_REAL(i % 7 - 3) * eps, rise = CM_REAL(i / 7 % 5 - 2) * eps * size;
        const cm_vec3 half = cm_v(size, size * CM_REAL(0.75), size / 16);
        cm_mesh *below = hollow_box(half), *above = hollow_box(cm_v(half.x * more, half.y * more, size / 8));
        const cm_shape table = cm_make_mesh(below), box = cm_make_mesh(above);
        const cm_pose at = cm_pose_at(cm_v(0, 0, -half.z)), there = cm_pose_at(cm_v(0, 0, size / 8 + rise));
        all_are_along(&table, &at, &box, &there, size / 1000, cm_v(0, 0, 1), "box", i);
        all_are_along(&table, &at, &box, &there, 0, cm_v(0, 0, 1), "box", i);
        cm_mesh_destroy(below, NULL), cm_mesh_destroy(above, NULL);
    }
}

/* A crate at each wall of a room, in its middle, aside, and in the corner of two walls seen from one of them; and
 * outside. The room may be turned, and the crate with it. */
static void a_crate_at_a_wall_is_held_by_its_side_of_it(void **state) {
    (void)state;
    cm_mesh *walls = hollow_box(cm_v(4, 4, 4)), *sides = hollow_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)));
    const cm_shape room = cm_make_mesh(walls), crate = cm_make_mesh(sides);
    for (int i = 0; i < 6 * 2 * 3 * 2; i++) {
        const int axis = i % 3;
        const bool inside = i / 6 % 2, turned = i / 36;
        const cm_real side = i / 3 % 2 ? 1 : -1, aside[3] = {0, CM_REAL(0.3), CM_REAL(-1.7)};
        cm_real at[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
        at[axis] = side * (inside ? CM_REAL(3.5) : CM_REAL(4.5)), at[(axis + 1) % 3] = aside[i / 12 % 3];
        normal[axis] = inside ? -side : side;
        cm_pose here = cm_pose_identity(), there;
        if (turned) cm_quat_from_axis_angle(cm_v(1, 2, 3), CM_REAL(0.7), &here.rotation);
        there.rotation = here.rotation;
        there.position = cm_rotate(here.rotation, cm_v(at[0], at[1], at[2]));
        const cm_vec3 out = cm_rotate(here.rotation, cm_v(normal[0], normal[1], normal[2]));
        all_are_along(&room, &here, &crate, &there, CM_REAL(1e-3), out, "crate", i);
        all_are_along(&room, &here, &crate, &there, 0, out, "crate", i);
    }
    cm_mesh_destroy(walls, NULL), cm_mesh_destroy(sides, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_with_the_outline_of_its_table_is_held_from_below),
        cmocka_unit_test(a_crate_at_a_wall_is_held_by_its_side_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
