/* A world with events: a ball flies through a finish line and is stopped by a thin wall.
 *
 *     cc world_events.c $(pkg-config --cflags --libs carom) -o world_events && ./world_events
 */
#include <carom/carom.h>

#include <stdio.h>

static const char *const names[] = {"finish line", "wall", "ball"};

int main(void) {
    cm_world *world;
    if (cm_world_create(NULL, &world, NULL) != CM_OK) return 1;

    cm_world_object_desc line = {.shape = cm_make_box(cm_v((cm_real)0.01, 1, 1)),
                                 .pose.position = {3, 0, 0},
                                 .fixed = true,
                                 .trigger = true,
                                 .user = 0};
    cm_world_object_desc wall = {
        .shape = cm_make_box(cm_v((cm_real)0.0005, 1, 1)), .pose.position = {7, 0, 0}, .fixed = true, .user = 1};
    cm_world_object_desc ball = {.shape = cm_make_sphere(cm_v(0, 0, 0), (cm_real)0.1), .user = 2};
    uint32_t line_id, wall_id, ball_id;
    if (cm_world_add(world, &line, &line_id, NULL) != CM_OK || cm_world_add(world, &wall, &wall_id, NULL) != CM_OK ||
        cm_world_add(world, &ball, &ball_id, NULL) != CM_OK)
        return 1;

    for (int step = 0; step < 4; step++) {
        cm_motion motion = {.move = {5, 0, 0}}; /* 50 times its radius: the sweep finds what lies between */
        cm_world_set_motion(world, ball_id, &motion);
        if (cm_world_update(world, NULL) != CM_OK) return 1;

        cm_world_event_view view;
        cm_world_get_events(world, &view);
        for (size_t i = 0; i < view.count; i++) {
            const cm_world_event *e = &view.events[i];
            printf("step %d, u = %.3f: %s %s %s\n", step, (double)e->u, names[e->user_a], cm_world_event_text(e->kind),
                   names[e->user_b]);
        }
    }
    cm_pose pose;
    cm_world_get_pose(world, ball_id, &pose);
    printf("the ball rests at x = %.4f\n", (double)pose.position.x);
    cm_world_destroy(world);
    return 0;
}
