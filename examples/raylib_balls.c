/* A window with raylib: each click throws a ball at what lies under the mouse, and the contacts of each step are drawn.
 *
 *     cc raylib_balls.c $(pkg-config --cflags --libs carom raylib) -o raylib_balls && ./raylib_balls
 *     ./raylib_balls 60        ends by itself after 60 frames
 */
#include <carom/carom.h>
#include <raylib.h>

#include <stdlib.h>

enum { PINS = 10, MOST = 200 };

static Vector3 to_raylib(cm_vec3 v) { return (Vector3){(float)v.x, (float)v.y, (float)v.z}; }
static cm_vec3 to_carom(Vector3 v) { return cm_v((cm_real)v.x, (cm_real)v.y, (cm_real)v.z); }

/* A ball of mass 1 that bounces. Where there is no more room nothing happens. */
static uint32_t add_ball(cm_world *world, cm_dynamics *dynamics, cm_vec3 at, cm_vec3 velocity) {
    cm_world_object_desc ball = {.shape = cm_make_sphere(cm_v(0, 0, 0), (cm_real)0.25), .pose.position = at};
    cm_body_desc body = {.velocity = velocity, .mass = 1, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    body.restitution = (cm_real)0.6, body.friction = (cm_real)0.3;
    uint32_t id = 0;
    if (cm_world_count(world) < MOST && cm_world_add(world, &ball, &id, NULL) == CM_OK)
        cm_dynamics_add(dynamics, id, &body);
    return id;
}

/* From the eye toward what the mouse points at: the world's ray tells what it is. */
static void throw_ball(cm_world *world, cm_dynamics *dynamics, Camera3D camera) {
    Ray mouse = GetScreenToWorldRay(GetMousePosition(), camera);
    cm_ray ray = {.origin = to_carom(mouse.position), .direction = to_carom(mouse.direction), .max = 100};
    cm_world_ray_hit under;
    cm_vec3 target = cm_mul_add(ray.origin, 20, ray.direction);
    if (cm_world_raycast(world, &ray, NULL, &under)) target = under.hit.point;
    cm_vec3 way = cm_normalize(cm_sub(target, ray.origin), ray.direction);
    add_ball(world, dynamics, cm_mul_add(ray.origin, 1, way), cm_scale(way, 15));
}

static void draw(const cm_world *world) {
    uint32_t ids[MOST];
    uint32_t count = cm_world_get_ids(world, ids, MOST);
    for (uint32_t i = 0; i < count; i++) {
        cm_world_object_desc object;
        if (cm_world_get(world, ids[i], &object) == CM_OK && !object.fixed)
            DrawSphere(to_raylib(object.pose.position), (float)object.shape.radius, ORANGE);
    }
    cm_world_event_view events;
    cm_world_get_events(world, &events);
    for (size_t i = 0; i < events.count; i++) {
        if (events.events[i].manifold_count == 0) continue;
        const cm_manifold *m = &events.events[i].manifolds[0];
        cm_vec3 at = m->points[0].point_a;
        DrawLine3D(to_raylib(at), to_raylib(cm_mul_add(at, (cm_real)0.5, m->normal)), RED);
    }
}

int main(int count, char **arguments) {
    long frames = count > 1 ? strtol(arguments[1], NULL, 10) : -1;
    cm_world *world;
    cm_dynamics *dynamics;
    cm_dynamics_desc desc = {.gravity = {0, (cm_real)-9.81, 0}};
    if (cm_world_create(NULL, &world, NULL) != CM_OK || cm_dynamics_create(world, &desc, &dynamics) != CM_OK) return 1;
    cm_world_object_desc ground = {.shape = cm_make_halfspace(cm_v(0, 1, 0), 0), .fixed = true};
    uint32_t id;
    if (cm_world_add(world, &ground, &id, NULL) != CM_OK) return 1;
    for (int i = 0; i < PINS; i++)
        add_ball(world, dynamics, cm_v((cm_real)(i % 5 - 2), (cm_real)1, (cm_real)(i / 5)), cm_v(0, 0, 0));

    InitWindow(960, 540, "carom and raylib: click to throw");
    SetTargetFPS(60);
    Camera3D camera = {.position = {0, 4, 10}, .target = {0, 1, 0}, .up = {0, 1, 0}, .fovy = 45};
    while (!WindowShouldClose() && frames-- != 0) {
        if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) throw_ball(world, dynamics, camera);
        if (cm_dynamics_step(dynamics, (cm_real)1 / 60) != CM_OK) break;
        BeginDrawing();
        ClearBackground(RAYWHITE);
        BeginMode3D(camera);
        DrawGrid(20, 1);
        draw(world);
        EndMode3D();
        EndDrawing();
    }
    CloseWindow();
    cm_dynamics_destroy(dynamics);
    cm_world_destroy(world);
    return 0;
}
