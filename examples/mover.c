/* A character walks up a stair, rides a lift and jumps off it; its walk is printed.
 *     cc mover.c $(pkg-config --cflags --libs carom) -o mover */
#include <carom/carom.h>

#include <stdio.h>

static uint32_t add_box(cm_world *world, cm_vec3 at, cm_vec3 half, bool fixed) {
    cm_world_object_desc box = {.shape = cm_make_box(half), .pose.position = at, .fixed = fixed};
    uint32_t id = 0;
    cm_world_add(world, &box, &id, NULL);
    return id;
}

int main(void) {
    static const char *const footing[] = {"in the air", "on a steep slope", "on firm ground"};
    cm_world *world = NULL;
    if (cm_world_create(NULL, &world, NULL) != CM_OK) return 1;
    add_box(world, cm_v(0, -1, 0), cm_v(20, 1, 20), true); /* the ground: its top is at 0 */
    for (int i = 1; i <= 5; i++)                           /* five steps of 0.2 */
        add_box(world, cm_v(CM_REAL(2 + 0.4 * i), CM_REAL(0.1 * i), 0), cm_v(CM_REAL(0.2), CM_REAL(0.1 * i), 2), true);
    uint32_t lift = add_box(world, cm_v(CM_REAL(5.2), CM_REAL(0.9), 0), cm_v(1, CM_REAL(0.1), 1), false);

    cm_mover mover = {.pose.position = {0, 0, 0}};
    mover.shape = cm_make_capsule(cm_v(0, CM_REAL(0.3), 0), cm_v(0, CM_REAL(1.5), 0), CM_REAL(0.3));
    cm_mover_space space = {.world = world};
    cm_vec3 velocity = cm_v(0, 0, 0);
    const cm_real dt = CM_REAL(1.0 / 60), gravity = 10;
    for (int frame = 0; frame < 300; frame++) {
        cm_motion rise = {.move = {0, frame >= 120 && frame < 240 ? dt : 0, 0}}; /* the lift goes up by 2 */
        cm_world_set_motion(world, lift, &rise);
        if (cm_world_update(world, NULL) != CM_OK) return 1;

        velocity.x = frame < 110 ? 3 : 0; /* to the right, up the stair, onto the lift */
        velocity.y -= gravity * dt;
        if (frame == 250 && mover.ground.kind == CM_MOVER_FIRM) velocity.y = 4, velocity.z = 2;
        cm_mover_result result;
        if (cm_mover_step(&mover, &space, velocity, dt, &result) != CM_OK) return 1;
        velocity = result.velocity;

        if (frame % 20 == 0)
            printf("%4.2f s: at %5.2f %5.2f %5.2f, %s, %d sweeps\n", (double)dt * frame, (double)mover.pose.position.x,
                   (double)mover.pose.position.y, (double)mover.pose.position.z, footing[mover.ground.kind],
                   result.sweeps);
    }
    cm_world_destroy(world);
    return 0;
}
