/* What stands stays, also where it is struck, or spins on the spot: stacks, a pyramid, a wall of bricks, a plank on two
 * posts, boxes on a slope that friction holds, pushed apart or not. Their centers are where they were put after seconds
 * of steps, and what is played again from a saved state ends on the same bits. */
#include "dynamics/set_up.h"
#include "support/meshes.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BODIES = 64, HALFWAY = 60 };

typedef struct scene {
    cm_world *world;
    cm_dynamics *bodies;
    cm_body_desc body;
    uint32_t ids[MOST_BODIES];
    cm_vec3 at[MOST_BODIES];
    int count;
} scene;

static void scene_start(scene *s, bool push) {
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    memset(s, 0, sizeof *s);
    set_up(NULL, &desc, &s->world, &s->bodies);
    s->body = (cm_body_desc){.mass = 1, .friction = CM_REAL(0.6), .response = CM_RESPONSE_BOUNCE};
    if (push) s->body.response |= CM_RESPONSE_PUSH_APART;
}

static void floor_put(scene *s) {
    put_object(s->world, s->bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
}

/* A box with these halves; turned about y. */
static void brick(scene *s, double x, double y, double z, double at_x, double at_z, double turn) {
    cm_world_object_desc object = {.shape = cm_make_box(cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)))};
    object.pose.position = s->at[s->count] = cm_v(CM_REAL(at_x), 0, CM_REAL(at_z));
    cm_quat_from_axis_angle(cm_v(0, 1, 0), CM_REAL(turn), &object.pose.rotation);
    assert_int_equal(cm_world_add(s->world, &object, &s->ids[s->count], NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(s->bodies, s->ids[s->count], &s->body), CM_OK);
    s->count++;
}

static double scene_moved(const scene *s) {
    double most = 0;
    for (int i = 0; i < s->count; i++) {
        const double way = (double)cm_length(cm_sub(body_state(s->bodies, s->ids[i]).center, s->at[i]));
        most = way > most ? way : most;
    }
    return most;
}

static void scene_steps(scene *s, int steps) {
    for (int i = 0; i < steps; i++) assert_int_equal(cm_dynamics_step(s->bodies, CM_REAL(1) / 60), CM_OK);
}

/* Plays it; with a state saved and restored in between to the same end. */
static void scene_stands(scene *s, int seconds, double most, const char *what, bool push) {
    scene_steps(s, HALFWAY);
    const size_t size = cm_dynamics_save(s->bodies, NULL, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(cm_dynamics_save(s->bodies, NULL, bytes, size), size);
    scene_steps(s, 60 * seconds - HALFWAY);
    const double moved = scene_moved(s);
    const uint64_t end = cm_dynamics_hash(s->bodies);
    check_that(moved <= most, "%s%s: moved by %g, not %g at most", what, push ? ", pushed apart" : "", moved, most);
    printf("  %s%s: moved by %.3g in %d s\n", what, push ? ", pushed apart" : "", moved, seconds);
    assert_int_equal(cm_dynamics_restore(s->bodies, NULL, bytes, size), CM_OK);
    scene_steps(s, 60 * seconds - HALFWAY);
    check_that(cm_dynamics_hash(s->bodies) == end, "%s: another end from a saved state", what);
    free(bytes);
    take_down(s->world, s->bodies);
}

static void stacks_stand(void **state) {
    (void)state;
    static const int heights[] = {1, 2, 3, 5, 8, 12, 20, 30, 50};
    for (int push = 0; push < 2; push++)
        for (int i = 0; i < 9; i++) {
            scene s;
            char what[32];
            scene_start(&s, push);
            floor_put(&s);
            for (int k = 0; k < heights[i]; k++) brick(&s, 0.5, 0.5, 0.5, 0, 0.5 + k, 0);
            snprintf(what, sizeof what, "a stack of %d", heights[i]);
            scene_stands(&s, 5, 1e-9, what, push);
        }
}

/* Askew, and heavier from below to the top. */
static void a_stack_of_ever_heavier_boxes_stands(void **state) {
    (void)state;
    for (int push = 0; push < 2; push++) {
        scene s;
        scene_start(&s, push);
        floor_put(&s);
        for (int k = 0; k < 5; k++) {
            s.body.mass = CM_REAL(1 + 3 * k);
            brick(&s, 0.5, 0.5, 0.5, k % 2 ? 0.1 : 0, 0.5 + k, 0);
        }
        scene_stands(&s, 5, 1e-4, "ever heavier boxes", push);
    }
}

static void a_plank_on_two_posts_bears_a_box(void **state) {
    (void)state;
    for (int push = 0; push < 2; push++) {
        scene s;
        scene_start(&s, push);
        floor_put(&s);
        brick(&s, 0.2, 0.5, 0.5, -2, 0.5, 0), brick(&s, 0.2, 0.5, 0.5, 2, 0.5, 0);
        brick(&s, 2.4, 0.5, 0.1, 0, 1.1, 0), brick(&s, 0.5, 0.5, 0.5, 0.3, 1.7, 0);
        scene_stands(&s, 5, 1e-6, "a plank on two posts", push);
    }
}

static void a_pyramid_stands(void **state) {
    (void)state;
    for (int push = 0; push < 2; push++) {
        scene s;
        scene_start(&s, push);
        floor_put(&s);
        for (int row = 0; row < 6; row++)
            for (int i = 0; i < 6 - row; i++) brick(&s, 0.5, 0.5, 0.5, 1.05 * i + 0.525 * row, 0.5 + row, 0);
        scene_stands(&s, 3, 1e-4, "a pyramid of six rows", push);
    }
}

/* Side by side and on top of each other without a gap. */
static void a_wall_of_bricks_stands(void **state) {
    (void)state;
    for (int push = 0; push < 2; push++) {
        scene s;
        scene_start(&s, push);
        floor_put(&s);
        for (int row = 0; row < 5; row++)
            for (int i = 0; i < 5; i++) brick(&s, 0.5, 0.25, 0.25, i + 0.25 * (row % 2), 0.25 + 0.5 * row, 0);
        scene_stands(&s, 3, 1e-4, "a wall of bricks", push);
    }
}

/* tan 0.3 is less than 0.6. */
static void a_stack_on_a_slope_stands(void **state) {
    (void)state;
    const double slope = 0.3;
    for (int push = 0; push < 2; push++) {
        scene s;
        scene_start(&s, push);
        put_object(s.world, s.bodies, cm_make_halfspace(cm_v(CM_REAL(sin(slope)), 0, CM_REAL(cos(slope))), 0),
                   cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
        for (int k = 0; k < 3; k++) brick(&s, 1, 1, 0.5, (0.5 + k) * sin(slope), (0.5 + k) * cos(slope), slope);
        scene_stands(&s, 5, 1e-4, "boxes on a slope", push);
    }
}

/* A box that lies on a disk goes around with it, for as long as friction holds it there: 2 * 0.8^2 < 0.6 * 10. The disk
 * is driven, or turns freely and this box does nothing to it. */
static void a_box_rides_a_turntable(void **state) {
    (void)state;
    for (int driven = 0; driven < 2; driven++) {
        scene s;
        const cm_body_desc turns = {
            .driven = driven, .weightless = true, .spin = {0, 0, CM_REAL(0.8)}, .friction = CM_REAL(0.6)};
        scene_start(&s, false);
        put_object(s.world, s.bodies, cm_make_cylinder(3, CM_REAL(0.2)), cm_v(0, 0, CM_REAL(-0.2)), &turns,
                   CM_WORLD_SWEEP_AUTO);
        s.body.velocity.y = CM_REAL(1.6), s.body.spin.z = CM_REAL(0.8);
        brick(&s, 0.3, 0.3, 0.3, 2, 0.3, 0);
        scene_steps(&s, 600);
        const cm_body_state b = body_state(s.bodies, s.ids[0]);
        const double radius = hypot((double)b.center.x, (double)b.center.y), speed = (double)cm_length(b.velocity);
        check_that(fabs(radius - 2) < 1e-3 && fabs(speed - 1.6) < 1e-3 && fabs((double)b.center.z - 0.3) < 1e-6,
                   "on %s disk after 10 s it is %.9g from the axis, at %.9g, %g high", driven ? "a driven" : "a free",
                   radius, speed, (double)b.center.z);
        take_down(s.world, s.bodies);
    }
}

/* Balls as heavy as a box fall onto a box, and onto a stack of three, one after the other, and are taken away: swept or
 * only found inside, they push none of what rests into what it lies on. */
static void what_falls_on_what_rests_pushes_it_no_deeper(void **state) {
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        const bool push = variant & 1, swept = variant & 2;
        const int height = variant & 4 ? 3 : 1;
        scene s;
        scene_start(&s, push);
        floor_put(&s);
        for (int k = 0; k < height; k++) brick(&s, 0.5, 0.5, 0.5, 0, 0.5 + k, 0);
        for (int drop = 0; drop < 10; drop++) {
            s.body.restitution = drop % 2 ? CM_REAL(0.5) : 0;
            const uint32_t id =
                put_object(s.world, s.bodies, ball(0.2), cm_v(CM_REAL(0.1), CM_REAL(0.05), CM_REAL(height + 1.2)),
                           &s.body, swept ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO);
            scene_steps(&s, 60);
            assert_int_equal(cm_world_remove(s.world, id), CM_OK);
        }
        const double moved = scene_moved(&s);
        check_that(moved <= 1e-3, "%d boxes, %s, %s: moved by %g", height, swept ? "swept" : "found inside",
                   push ? "pushed apart" : "not", moved);
        printf("  %d boxes under ten balls, %s%s: moved by %.3g\n", height, swept ? "swept" : "found inside",
               push ? ", pushed apart" : "", moved);
        take_down(s.world, s.bodies);
    }
}

/* A driven wall takes two cubes that touch along on a floor, however it and they are given: what is given as a mesh is
 * swept in every step, and would be held where it approaches as slowly as the solver leaves over. */
static void a_driven_wall_takes_a_row_along(void **state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        const cm_vec3 half = cm_v(CM_REAL(0.25), CM_REAL(0.25), CM_REAL(0.25)),
                      flat = cm_v(CM_REAL(0.1), 1, CM_REAL(0.5));
        const cm_body_desc drives = {.driven = true, .velocity = {1, 0, 0}};
        cm_mesh *cube = mesh_box(cm_scale(half, -1), half, true), *wall = mesh_box(cm_scale(flat, -1), flat, true);
        scene s;
        scene_start(&s, false);
        put_object(s.world, s.bodies, cm_make_box(cm_v(20, 5, CM_REAL(0.5))), cm_v(0, 0, CM_REAL(-0.5)), NULL,
                   CM_WORLD_SWEEP_AUTO);
        s.body.friction = CM_REAL(0.5);
        for (; s.count < 2; s.count++)
            s.ids[s.count] =
                put_object(s.world, s.bodies, variant & 1 ? cm_make_mesh(cube) : cm_make_box(half),
                           cm_v(CM_REAL(0.5) * (cm_real)s.count, 0, CM_REAL(0.25)), &s.body, CM_WORLD_SWEEP_AUTO);
        put_object(s.world, s.bodies, variant & 2 ? cm_make_mesh(wall) : cm_make_box(flat),
                   cm_v(CM_REAL(-0.85), 0, CM_REAL(0.51)), &drives, CM_WORLD_SWEEP_AUTO);
        scene_steps(&s, 120);
        for (int i = 0; i < 2; i++) {
            const double ahead = (double)body_state(s.bodies, s.ids[i]).center.x - (1.5 + 0.5 * i);
            check_that(fabs(ahead) < 1e-4, "%s before %s: cube %d is %g off its place",
                       variant & 1 ? "meshes" : "boxes", variant & 2 ? "a mesh" : "a box", i, ahead);
        }
        take_down(s.world, s.bodies);
        cm_mesh_destroy(cube, NULL), cm_mesh_destroy(wall, NULL);
    }
}

/* How far a top on its tip or a coin on its rim, with corners, rises in a second and a half while it spins so fast. */
static double spinner_rise(bool coin, double spin) {
    enum { SIDES = 24 };
    cm_real points[2 * SIDES * 3];
    cm_hull *hull = NULL;
    uint32_t count = 0;
    for (int i = 0; i < SIDES; i++)
        for (int side = 0; side < (coin ? 2 : 1); side++, count++) {
            points[3 * count] = CM_REAL(0.3 * cos(i * 6.283185307179586 / SIDES));
            points[3 * count + 1] = CM_REAL(0.3 * sin(i * 6.283185307179586 / SIDES));
            points[3 * count + 2] = coin ? (side ? CM_REAL(0.03) : CM_REAL(-0.03)) : CM_REAL(0.45);
        }
    if (!coin) points[3 * count] = points[3 * count + 1] = 0, points[3 * count + 2] = CM_REAL(-0.15), count++;
    const cm_hull_desc desc = {.points = points, .point_count = count};
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    scene s;
    scene_start(&s, false);
    put_object(s.world, s.bodies, cm_make_box(cm_v(20, 20, CM_REAL(0.5))), cm_v(0, 0, CM_REAL(-0.5)), NULL,
               CM_WORLD_SWEEP_AUTO);
    cm_world_object_desc object = {.shape = cm_make_hull(hull)};
    cm_quat_from_axis_angle(cm_v(1, 0, 0), coin ? CM_REAL(1.5707963) : CM_REAL(0.26), &object.pose.rotation);
    object.pose.position.z = coin ? CM_REAL(0.3) : CM_REAL(0.145);
    s.body.friction = 1;
    const cm_vec3 axis = coin ? cm_v(0, 0, 1) : cm_rotate(object.pose.rotation, cm_v(0, 0, 1));
    s.body.spin = cm_add(cm_scale(axis, (cm_real)spin), cm_v(coin ? CM_REAL(0.1) : 0, 0, 0));
    assert_int_equal(cm_world_add(s.world, &object, &s.ids[0], NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(s.bodies, s.ids[0], &s.body), CM_OK);
    const double start = (double)body_state(s.bodies, s.ids[0]).center.z;
    double highest = start;
    for (int i = 0; i < 90; i++) {
        scene_steps(&s, 1);
        highest = fmax(highest, (double)body_state(s.bodies, s.ids[0]).center.z);
    }
    take_down(s.world, s.bodies);
    cm_hull_destroy(hull, NULL);
    return highest - start;
}

/* They stay on the ground: they turn far in a step and hit often, but what spins about the normal of the ground comes
 * no nearer to it. Coins wobble, and some of them hop a little. */
static void what_spins_on_the_spot_stays_there(void **state) {
    (void)state;
    enum { SPINS = 10 };
    double coins = 0;
    for (int i = 0; i < SPINS; i++) {
        const double spin = 30 + 13 * i, top = spinner_rise(false, spin);
        check_that(top < 1e-3, "a top at %g rises by %g", spin, top);
        coins += spinner_rise(true, spin) / SPINS;
    }
    check_that(coins < 0.02, "coins rise by %g on average", coins);
    printf("  coins that spin on the spot rise by %.2g on average\n", coins);
}

/* What is thrown into a heap comes to rest. */
static void a_heap_of_dice_comes_to_rest(void **state) {
    (void)state;
    rng r = rng_start("dice", 4711);
    scene s;
    double fastest = 0;
    scene_start(&s, true);
    floor_put(&s);
    for (int i = 0; i < 27; i++) {
        s.body.spin = rng_vec3(&r, 3);
        brick(&s, 0.2, 0.2, 0.2, 0.3 * (i % 3), 0.6 + 0.7 * (i / 3), 0.3 * i);
    }
    scene_steps(&s, 600);
    for (int i = 0; i < s.count; i++)
        fastest = fmax(fastest, (double)cm_length(body_state(s.bodies, s.ids[i]).velocity));
    check_that(fastest < 5e-3, "the fastest of them goes %g after 10 s", fastest);
    printf("  the fastest of 27 dice goes %.3g after 10 s\n", fastest);
    take_down(s.world, s.bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_stand),
        cmocka_unit_test(a_stack_of_ever_heavier_boxes_stands),
        cmocka_unit_test(a_plank_on_two_posts_bears_a_box),
        cmocka_unit_test(a_pyramid_stands),
        cmocka_unit_test(a_wall_of_bricks_stands),
        cmocka_unit_test(a_stack_on_a_slope_stands),
        cmocka_unit_test(a_box_rides_a_turntable),
        cmocka_unit_test(what_falls_on_what_rests_pushes_it_no_deeper),
        cmocka_unit_test(a_driven_wall_takes_a_row_along),
        cmocka_unit_test(what_spins_on_the_spot_stays_there),
        cmocka_unit_test(a_heap_of_dice_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
