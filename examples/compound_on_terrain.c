/* A sledge of two hulls, one compound, comes down on a hilly terrain: when, where, and what carries it then.
 *     cc compound_on_terrain.c $(pkg-config --cflags --libs carom) -o compound_on_terrain */
#include <carom/carom.h>

#include <stdio.h>

enum { SIDE = 17 };

static int failed(const char *what, const cm_error *error) {
    fprintf(stderr, "%s: %s, %s\n", what, cm_status_text(error->status), error->field ? error->field : "-");
    return 1;
}

int main(void) {
    cm_real heights[SIDE * SIDE]; /* a ridge along y, half a unit high */
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = i % SIDE == SIDE / 2 ? CM_REAL(0.5) : 0;
    cm_height_field_desc grid = {
        .heights = heights, .columns = SIDE, .rows = SIDE, .column_spacing = 1, .row_spacing = 1};
    grid.origin = cm_v(-(SIDE / 2), -(SIDE / 2), 0); /* the ridge is at x = 0 */
    cm_height_field *terrain = NULL;
    cm_error error;
    if (cm_height_field_build(&grid, NULL, &terrain, &error) != CM_OK) return failed("terrain", &error);

    static const cm_real runner[] = {-2, 0, -1, 2, 0, -1, -2, -1, 0, 2, -1, 0, -2, 1, 0, 2, 1, 0}; /* a prism */
    cm_hull *hull = NULL;
    cm_hull_desc cloud = {.points = runner, .point_count = 6};
    if (cm_hull_build(&cloud, NULL, &hull, &error) != CM_OK) return failed("hull", &error);
    cm_compound_child children[2] = {{.shape = cm_make_hull(hull), .pose.position = {0, CM_REAL(-2.5), 0}},
                                     {.shape = cm_make_hull(hull), .pose.position = {0, CM_REAL(2.5), 0}}};
    cm_compound *sledge = NULL;
    cm_compound_desc both = {children, 2};
    if (cm_compound_build(&both, NULL, &sledge, &error) != CM_OK) return failed("compound", &error);

    cm_shape body = cm_make_compound(sledge), ground = cm_make_height_field(terrain);
    cm_motion fall = {.start = cm_pose_at(cm_v(0, 0, 5)), .move = {0, 0, -5}}, still = {.start = cm_pose_identity()};
    cm_sweep_hit hit;
    if (!cm_sweep(&body, &fall, &ground, &still, &hit)) return 1;
    printf("touches down at u = %.3f: runner %u on triangle %u\n", (double)hit.first, (unsigned)hit.part_a,
           (unsigned)hit.part_b);

    cm_pose down;
    cm_motion_at(&fall, hit.first, &down);
    cm_manifold contacts[32]; /* one for each pair of a runner and a triangle */
    int count = cm_contact(&body, &down, &ground, &still.start, CM_REAL(0.01), contacts, 32);
    for (int i = 0; i < count && i < 32; i++) {
        const cm_manifold *m = &contacts[i];
        for (int k = 0; k < m->count; k++)
            printf("runner %u, triangle %u: at (%.2f %.2f %.2f)\n", (unsigned)m->part_a, (unsigned)m->part_b,
                   (double)m->points[k].point_a.x, (double)m->points[k].point_a.y, (double)m->points[k].point_a.z);
    }
    cm_compound_destroy(sledge, NULL);
    cm_hull_destroy(hull, NULL);
    cm_height_field_destroy(terrain, NULL);
    return 0;
}
