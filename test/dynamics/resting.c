/* What stands stays: stacks, a pyramid, a wall of bricks, a plank on two posts, boxes on a slope that friction holds,
 * pushed apart or not. Their centers are where they were put after seconds of steps, and what is played again from a
 * saved state ends on the same bits. */
#include "dynamics/set_up.h"

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
    static const int heights[] = {1, 2, 3, 5, 8, 12};
    static const double most[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-4, 1e-3};
    for (int push = 0; push < 2; push++)
        for (int i = 0; i < 6; i++) {
            scene s;
            char what[32];
            scene_start(&s, push);
            floor_put(&s);
            for (int k = 0; k < heights[i]; k++) brick(&s, 0.5, 0.5, 0.5, 0, 0.5 + k, 0);
            snprintf(what, sizeof what, "a stack of %d", heights[i]);
            scene_stands(&s, 5, most[i], what, push);
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

/* A box that lies on a driven disk goes around with it, for as long as friction holds it there: 2 * 0.8^2 < 0.6 * 10.
 */
static void a_box_rides_a_turntable(void **state) {
    (void)state;
    scene s;
    cm_world_object_desc disk = {.shape = cm_make_cylinder(3, CM_REAL(0.2)), .pose = cm_pose_identity()};
    const cm_body_desc turns = {
        .driven = true, .spin = {0, 0, CM_REAL(0.8)}, .friction = CM_REAL(0.6), .response = CM_RESPONSE_BOUNCE};
    uint32_t id = 0;
    scene_start(&s, false);
    disk.pose.position.z = CM_REAL(-0.2);
    assert_int_equal(cm_world_add(s.world, &disk, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(s.bodies, id, &turns), CM_OK);
    s.body.velocity.y = CM_REAL(1.6), s.body.spin.z = CM_REAL(0.8);
    brick(&s, 0.3, 0.3, 0.3, 2, 0.3, 0);
    scene_steps(&s, 600);
    const cm_body_state b = body_state(s.bodies, s.ids[0]);
    const double radius = hypot((double)b.center.x, (double)b.center.y), speed = (double)cm_length(b.velocity);
    check_that(fabs(radius - 2) < 1e-3 && fabs(speed - 1.6) < 1e-3 && fabs((double)b.center.z - 0.3) < 1e-6,
               "after 10 s it is %.9g from the axis, at %.9g, %g high", radius, speed, (double)b.center.z);
    take_down(s.world, s.bodies);
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
        cmocka_unit_test(a_heap_of_dice_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
