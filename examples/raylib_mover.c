/* A window with raylib: walk with the arrow keys, jump with the space bar, crouch with C; a stair, a lift, a low roof.
 *
 *     cc raylib_mover.c $(pkg-config --cflags --libs carom raylib) -o raylib_mover && ./raylib_mover
 *     ./raylib_mover 60        ends by itself after 60 frames
 */
#include <carom/carom.h>
#include <raylib.h>

#include <math.h>
#include <stdlib.h>

enum { MOST = 32 };

static Vector3 to_raylib(cm_vec3 v) { return (Vector3){(float)v.x, (float)v.y, (float)v.z}; }

static uint32_t add_box(cm_world *world, cm_vec3 at, cm_vec3 half, bool fixed) {
    cm_world_object_desc box = {.shape = cm_make_box(half), .pose.position = at, .fixed = fixed};
    uint32_t id = 0;
    cm_world_add(world, &box, &id, NULL);
    return id;
}

static cm_shape person(cm_real height) {
    const cm_real radius = CM_REAL(0.3);
    return cm_make_capsule(cm_v(0, radius, 0), cm_v(0, height - radius, 0), radius);
}

/* What the keys want: a new velocity, and crouching or standing up where there is room. */
static cm_vec3 steer(cm_mover *mover, const cm_mover_space *space, cm_vec3 velocity, cm_real dt) {
    velocity.x = (cm_real)(4 * (IsKeyDown(KEY_RIGHT) - IsKeyDown(KEY_LEFT)));
    velocity.z = (cm_real)(4 * (IsKeyDown(KEY_DOWN) - IsKeyDown(KEY_UP)));
    velocity.y -= 10 * dt;
    if (IsKeyPressed(KEY_SPACE) && mover->ground.kind == CM_MOVER_FIRM)
        velocity.y = CM_REAL(4.5) + mover->ground.velocity.y;
    cm_shape shape = person(IsKeyDown(KEY_C) ? CM_REAL(1.0) : CM_REAL(1.8));
    cm_mover_set_shape(mover, space, &shape);
    return velocity;
}

static void draw(const cm_world *world, const cm_mover *mover) {
    uint32_t ids[MOST];
    uint32_t count = cm_world_get_ids(world, ids, MOST);
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        cm_world_object_desc object;
        if (cm_world_get(world, ids[i], &object) != CM_OK) continue;
        cm_vec3 size = cm_scale(object.shape.u.box, 2);
        DrawCubeV(to_raylib(object.pose.position), to_raylib(size), object.fixed ? LIGHTGRAY : SKYBLUE);
        DrawCubeWiresV(to_raylib(object.pose.position), to_raylib(size), GRAY);
    }
    cm_vec3 low = cm_add(mover->pose.position, mover->shape.u.segment.a);
    cm_vec3 high = cm_add(mover->pose.position, mover->shape.u.segment.b);
    DrawCapsule(to_raylib(low), to_raylib(high), (float)mover->shape.radius, 12, 6,
                mover->ground.kind == CM_MOVER_FIRM ? ORANGE : RED);
}

int main(int count, char **arguments) {
    long frames = count > 1 ? strtol(arguments[1], NULL, 10) : -1;
    cm_world *world;
    if (cm_world_create(NULL, &world, NULL) != CM_OK) return 1;
    add_box(world, cm_v(0, -1, 0), cm_v(12, 1, 8), true);
    for (int i = 1; i <= 5; i++)
        add_box(world, cm_v(CM_REAL(1 + 0.4 * i), CM_REAL(0.1 * i), 0), cm_v(CM_REAL(0.2), CM_REAL(0.1 * i), 2), true);
    add_box(world, cm_v(-4, CM_REAL(1.5), 0), cm_v(2, CM_REAL(0.2), 2), true); /* a roof to crouch under */
    uint32_t lift = add_box(world, cm_v(CM_REAL(4.3), CM_REAL(0.9), 0), cm_v(1, CM_REAL(0.1), 1), false);

    cm_mover mover = {.shape = person(CM_REAL(1.8)), .pose.position = {0, CM_REAL(0.1), 3}};
    cm_mover_space space = {.world = world};
    cm_vec3 velocity = cm_v(0, 0, 0);
    const cm_real dt = CM_REAL(1) / 60;

    InitWindow(960, 540, "carom and raylib: arrows, space, C");
    SetTargetFPS(60);
    Camera3D camera = {.position = {0, 5, 12}, .target = {0, 1, 0}, .up = {0, 1, 0}, .fovy = 45};
    for (long frame = 0; !WindowShouldClose() && frame != frames; frame++) {
        double time = (double)frame / 60;
        cm_motion rise = {.move = {0, (cm_real)(sin(time) * 1.2 / 60), 0}};
        cm_world_set_motion(world, lift, &rise);
        if (cm_world_update(world, NULL) != CM_OK) break;
        velocity = steer(&mover, &space, velocity, dt);
        cm_mover_result result;
        if (cm_mover_step(&mover, &space, velocity, dt, &result) != CM_OK) break;
        velocity = result.velocity;
        BeginDrawing();
        ClearBackground(RAYWHITE);
        BeginMode3D(camera);
        draw(world, &mover);
        EndMode3D();
        EndDrawing();
    }
    CloseWindow();
    cm_world_destroy(world);
    return 0;
}
