/* A ball that falls onto the floor and bounces.
 *     cc falling_ball.c $(pkg-config --cflags --libs carom) -o falling_ball */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    cm_world *world = NULL;
    cm_dynamics *bodies = NULL;
    cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    if (cm_world_create(NULL, &world, NULL) != CM_OK) return 1;
    if (cm_dynamics_create(world, &desc, &bodies) != CM_OK) return 1;

    cm_world_object_desc floor = {.shape = cm_make_halfspace(cm_v(0, 0, 1), 0), .fixed = true};
    cm_world_object_desc ball = {.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), .pose.position = {0, 0, 5}};
    ball.sweep = CM_WORLD_SWEEP_ALWAYS; /* answered at the time of impact, however slow */
    cm_body_desc body = {.mass = 1, .restitution = CM_REAL(0.8), .response = CM_RESPONSE_BOUNCE};
    uint32_t id = 0;
    if (cm_world_add(world, &floor, &id, NULL) != CM_OK || cm_world_add(world, &ball, &id, NULL) != CM_OK) return 1;
    if (cm_dynamics_add(bodies, id, &body) != CM_OK) return 1;

    for (int step = 1; step <= 180; step++) {
        if (cm_dynamics_step(bodies, CM_REAL(1) / 60) != CM_OK) return 1;
        cm_world_event_view view;
        cm_world_get_events(world, &view);
        for (size_t i = 0; i < view.count; i++)
            if (view.events[i].kind == CM_WORLD_HIT)
                printf("hits the floor at %.3f s\n", (step - 1 + (double)view.events[i].u) / 60);
    }
    cm_dynamics_destroy(bodies);
    cm_world_destroy(world);
    return 0;
}
