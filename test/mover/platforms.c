/* Movers among what moves: lifts, turntables, walls that push, presses, bodies, other movers, floors that are passed
 * from below; and room to stand up. */
#include "support/meshes.h"

#include <math.h>

static const double dt = 1.0 / 60;

typedef struct stage {
    cm_world *world;
    cm_mover mover;
    cm_mover_space space;
    cm_mover_result result;
} stage;

static uint32_t add_object(cm_world *world, cm_shape shape, double x, double y, double z, bool fixed) {
    cm_world_object_desc object = {.shape = shape, .fixed = fixed};
    object.pose = cm_pose_at(cm_v((cm_real)x, (cm_real)y, (cm_real)z));
    uint32_t id;
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    return id;
}
static uint32_t add_box(stage *s, double x, double y, double z, double hx, double hy, double hz, bool fixed) {
    return add_object(s->world, cm_make_box(cm_v((cm_real)hx, (cm_real)hy, (cm_real)hz)), x, y, z, fixed);
}
static void stage_start(stage *s, bool box_mover) {
    *s = (stage){.world = NULL};
    assert_int_equal(cm_world_create(NULL, &s->world, NULL), CM_OK);
    s->space.world = s->world;
    s->mover.skin = CM_REAL(0.002);
    s->mover.shape = cm_make_capsule(cm_v(0, CM_REAL(-0.6), 0), cm_v(0, CM_REAL(0.6), 0), CM_REAL(0.3));
    if (box_mover) s->mover.shape = cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.9), CM_REAL(0.3)));
}
static void stage_end(stage *s) { cm_world_destroy(s->world); }
static void put(stage *s, double x, double y, double z) {
    s->mover.pose = cm_pose_at(cm_v((cm_real)x, (cm_real)y, (cm_real)z));
}
static void step(stage *s, double x, double y, double z) {
    cm_vec3 velocity = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
    assert_int_equal(cm_mover_step(&s->mover, &s->space, velocity, (cm_real)dt, &s->result), CM_OK);
    cm_real distance = cm_world_distance(s->world, &s->mover.shape, &s->mover.pose, 1, &s->space.query, NULL);
    check_that(s->result.crushed || s->space.meet || distance > 0, "%g deep", -(double)distance);
}
static void settle(stage *s) {
    for (int i = 0; i < 3; i++) step(s, 0, -1, 0);
    assert_int_equal(s->mover.ground.kind, CM_MOVER_FIRM);
}
static void go(stage *s, uint32_t id, double x, double y, double z, double turn) {
    cm_motion motion = {.move = {(cm_real)x, (cm_real)y, (cm_real)z}, .spin = {0, (cm_real)turn, 0}};
    assert_int_equal(cm_world_set_motion(s->world, id, &motion), CM_OK);
    assert_int_equal(cm_world_update(s->world, NULL), CM_OK);
}
static double near_to(stage *s) {
    return (double)cm_world_distance(s->world, &s->mover.shape, &s->mover.pose, 1, &s->space.query, NULL);
}

static void lifts_carry_up_and_down(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++)
        for (int thin = 0; thin < 2; thin++) {
            stage s;
            stage_start(&s, box);
            uint32_t lift = add_box(&s, 0, 0, 0, 1, thin ? 0.001 : 0.1, 1, false);
            put(&s, 0.2, 0.91 + (thin ? 0.001 : 0.1), 0);
            settle(&s);
            double above = (double)s.mover.pose.position.y;
            for (int i = 1; i <= 240; i++) { /* 12 a second, up and down; falls faster than anything */
                double rise = i <= 120 ? 0.2 : -0.2;
                go(&s, lift, 0, rise, 0, 0);
                step(&s, 0, -1, 0);
                double lift_y = 0.2 * (i <= 120 ? i : 240 - i);
                check_that(fabs((double)s.mover.pose.position.y - above - lift_y) < 0.002, "at %g over the lift",
                           (double)s.mover.pose.position.y - lift_y);
                check_that(s.mover.ground.kind == CM_MOVER_FIRM && s.mover.ground.id == lift, "left it, frame %d", i);
                check_that(fabs((double)s.mover.ground.velocity.y - rise / dt) < 0.01, "velocity %g",
                           (double)s.mover.ground.velocity.y);
            }
            stage_end(&s);
        }
}

/* A quarter of a turn about the origin takes (2, 0) to (0, -2) and turns the mover with it. */
static void a_turntable_carries_and_turns(void **state) {
    (void)state;
    stage s;
    stage_start(&s, true);
    uint32_t table = add_box(&s, 0, 0, 0, 4, 0.1, 4, false);
    put(&s, 2, 1.01, 0);
    settle(&s);
    for (int i = 0; i < 90; i++) {
        go(&s, table, 0, 0, 0, 1.57079632679489662 / 90);
        step(&s, 0, -1, 0);
    }
    cm_vec3 at = s.mover.pose.position;
    check_that(fabs((double)at.x) < 0.002 && fabs((double)at.z + 2) < 0.002, "at %g %g", (double)at.x, (double)at.z);
    cm_vec3 x = cm_rotate(s.mover.pose.rotation, cm_v(1, 0, 0));
    check_that(fabs((double)x.z + 1) < 1e-3, "turned to %g %g", (double)x.x, (double)x.z);
    /* the point under it goes toward -x */
    check_that(fabs((double)s.mover.ground.velocity.x + 2 * 1.57079632679489662 / 90 / dt) < 0.02, "velocity %g",
               (double)s.mover.ground.velocity.x);
    stage_end(&s);
}

static void what_is_carried_against_a_wall_stays_there(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++) {
        stage s;
        stage_start(&s, box);
        uint32_t sled = add_box(&s, 0, 0, 0, 2, 0.1, 2, false);
        add_box(&s, 2, 1.2, 0, 0.5, 1, 2, true);
        put(&s, 0, 1.01, 0);
        settle(&s);
        for (int i = 0; i < 60; i++) {
            go(&s, sled, 0.05, 0, 0, 0);
            step(&s, 0, -1, 0);
        }
        check_that(fabs((double)s.mover.pose.position.x - 1.2) < 0.005, "at %g", (double)s.mover.pose.position.x);
        check_that(s.mover.ground.kind == CM_MOVER_FIRM, "ground %d", (int)s.mover.ground.kind);
        stage_end(&s);
    }
}

/* In one step, past a plate that is thinner than the step is long. */
static void a_fast_sled_leaves_its_rider_at_a_plate(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++) {
        stage s;
        stage_start(&s, box);
        uint32_t sled = add_box(&s, 0, 0, 0, 4, 0.1, 2, false);
        add_box(&s, 0.6, 2, 0, 0.01, 1.8, 2, true);
        put(&s, 0, 1.01, 0);
        settle(&s);
        go(&s, sled, 1.5, 0, 0, 0);
        step(&s, 0, -1, 0);
        check_that(fabs((double)s.mover.pose.position.x - 0.29) < 0.003, "at %g", (double)s.mover.pose.position.x);
        stage_end(&s);
    }
}

static void a_wall_that_moves_pushes(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++) {
        stage s;
        stage_start(&s, box);
        add_box(&s, 0, -1, 0, 20, 1, 20, true);
        uint32_t wall = add_box(&s, -2, 1.01, 0, 0.2, 1, 2, false);
        put(&s, 0, 0.91, 0);
        settle(&s);
        for (int i = 0; i < 60; i++) {
            go(&s, wall, 0.1, 0, 0, 0);
            step(&s, 0, -1, 0);
            check_that(!s.result.crushed, "crushed, frame %d", i);
        }
        check_that(fabs((double)s.mover.pose.position.x - (4.5 + 0.002)) < 0.002, "pushed to %g",
                   (double)s.mover.pose.position.x);
        stage_end(&s);
    }
}

/* A long push with a plate in the way that is thinner than the push. */
static void no_push_goes_through_a_plate(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++) {
        stage s;
        stage_start(&s, box);
        add_box(&s, 0, -1, 0, 20, 1, 20, true);
        uint32_t wall = add_box(&s, -2, 1.01, 0, 0.2, 1, 2, false);
        add_box(&s, 0.4, 2, 0, 0.01, 2, 4, true);
        put(&s, 0, 0.91, 0);
        settle(&s);
        go(&s, wall, 1.5 + 0.45, 0, 0, 0);
        step(&s, 0, -1, 0);
        check_that((double)s.mover.pose.position.x < 0.15, "through the plate, to %g", (double)s.mover.pose.position.x);
        check_that(s.result.crushed, "not crushed at %g", (double)s.mover.pose.position.x);
        stage_end(&s);
    }
}

/* The wall pushes toward another: first there is room, then there is none, then there is again. */
static void who_has_no_room_is_crushed_and_free_again_when_there_is(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++)
        for (int press = 0; press < 2; press++) { /* from above, else from the side */
            stage s;
            stage_start(&s, box);
            add_box(&s, 0, -1, 0, 20, 1, 20, true);
            add_box(&s, 1.5, 2, 0, 0.5, 2, 2, true);
            uint32_t plate =
                press ? add_box(&s, 0, 3, 0, 0.9, 0.5, 2, false) : add_box(&s, -1, 2, 0, 0.5, 1.9, 2, false);
            put(&s, 0, 0.91, 0);
            settle(&s);
            int crushed = 0;
            for (int i = 0; i < 120; i++) {
                double by = i < 60 ? 0.02 : -0.02;
                go(&s, plate, press ? 0 : by, press ? -by : 0, 0, 0);
                step(&s, 0, -1, 0);
                crushed += s.result.crushed;
                /* from the side: room 1.5 - .02 i for .6; from above: 2.5 - .02 i for 1.8 */
                double room = (press ? 2.5 - 1.8 : 1.5 - 0.6) - 0.02 * (i < 60 ? i + 1 : 119 - i);
                if (room > 0.006) check_that(!s.result.crushed, "crushed with %g of room", room);
                if (room < -0.002) check_that(s.result.crushed, "not crushed with %g of room", room);
                check_that(s.mover.pose.position.y > CM_REAL(0.5) && s.mover.pose.position.x < 1, "out at %g %g",
                           (double)s.mover.pose.position.x, (double)s.mover.pose.position.y);
            }
            check_that(crushed > 10 && !s.result.crushed, "crushed %d times, at last %d", crushed, s.result.crushed);
            for (int i = 0; i < 10; i++) step(&s, 0, -1, 3);
            check_that((double)s.mover.pose.position.z > 9 * 3 * dt, "does not go on: %g",
                       (double)s.mover.pose.position.z);
            stage_end(&s);
        }
}

static void a_crate_is_pushed_by_its_mass(void **state) {
    (void)state;
    stage s;
    stage_start(&s, false);
    add_box(&s, 0, -1, 0, 20, 1, 20, true);
    uint32_t crate = add_box(&s, 2, 0.51, 0, 0.5, 0.5, 0.5, false);
    cm_dynamics *dynamics;
    assert_int_equal(cm_dynamics_create(s.world, NULL, &dynamics), CM_OK);
    cm_body_desc body = {.mass = 20, .weightless = true, .response = CM_RESPONSE_SLIDE};
    assert_int_equal(cm_dynamics_add(dynamics, crate, &body), CM_OK);
    put(&s, 0, 0.91, 0);
    settle(&s);
    for (int i = 0; i < 90; i++) {
        assert_int_equal(cm_dynamics_step(dynamics, (cm_real)dt), CM_OK);
        step(&s, 3, -1, 0);
        for (int k = 0; k < s.result.hit_count; k++) {
            const cm_mover_hit *hit = &s.result.hits[k];
            cm_body_state is;
            if (cm_dynamics_get(dynamics, hit->id, &is) != CM_OK) continue;
            cm_vec3 impulse;
            cm_mover_push(hit, 60, is.mass, is.velocity, &impulse);
            cm_dynamics_apply_impulse(dynamics, hit->id, impulse);
        }
    }
    cm_body_state is;
    assert_int_equal(cm_dynamics_get(dynamics, crate, &is), CM_OK);
    check_that(is.velocity.x > 2 && is.velocity.x < CM_REAL(3.01), "the crate goes with %g", (double)is.velocity.x);
    check_that((double)s.mover.pose.position.x > 2.5, "the mover is at %g", (double)s.mover.pose.position.x);
    /* 60 against 20 at 3: together 2.25 */
    cm_mover_hit hit = {.normal = {-1, 0, 0}, .speed = 3};
    cm_vec3 impulse;
    cm_mover_push(&hit, 60, 20, cm_v(0, 0, 0), &impulse);
    check_that(fabs((double)impulse.x / 20 - 2.25) < 1e-5, "impulse %g", (double)impulse.x);
    cm_mover_push(&hit, 60, 20, cm_v(3, 0, 0), &impulse);
    check_that(impulse.x == 0, "impulse %g", (double)impulse.x);
    cm_dynamics_destroy(dynamics);
    stage_end(&s);
}

static void movers_meet_and_stand_on_each_other(void **state) {
    (void)state;
    stage a, b;
    stage_start(&a, false);
    add_box(&a, 0, -1, 0, 20, 1, 20, true);
    b = a;
    uint32_t id_a = add_object(a.world, a.mover.shape, -2, 0.91, 0, false);
    uint32_t id_b = add_object(a.world, a.mover.shape, 2, 0.91, 0, false);
    a.space.query.except = id_a, b.space.query.except = id_b;
    put(&a, -2, 0.91, 0);
    put(&b, 2, 0.91, 0);
    settle(&a);
    settle(&b);
    for (int i = 0; i < 90; i++) {
        step(&a, 3, -1, 0);
        assert_int_equal(cm_world_set_pose(a.world, id_a, &a.mover.pose), CM_OK);
        step(&b, -3, -1, 0);
        assert_int_equal(cm_world_set_pose(a.world, id_b, &b.mover.pose), CM_OK);
        check_that(!a.result.crushed && !b.result.crushed, "crushed, frame %d", i);
    }
    double gap = (double)(b.mover.pose.position.x - a.mover.pose.position.x) - 0.6;
    check_that(gap > 0 && gap < 0.005, "%g apart", gap);
    /* b on a's head, and carried by it */
    cm_pose head = cm_pose_at(cm_add(a.mover.pose.position, cm_v(0, CM_REAL(1.81), 0)));
    assert_true(cm_mover_teleport(&b.mover, &b.space, &head));
    for (int i = 0; i < 40; i++) {
        step(&a, i < 5 ? 0 : 3, -1, 0);
        assert_int_equal(cm_world_set_pose(a.world, id_a, &a.mover.pose), CM_OK);
        step(&b, 0, -1, 0);
        assert_int_equal(cm_world_set_pose(a.world, id_b, &b.mover.pose), CM_OK);
    }
    check_that(b.mover.ground.id == id_a, "stands on %u", (unsigned)b.mover.ground.id);
    check_that(fabs((double)(b.mover.pose.position.x - a.mover.pose.position.x)) < 0.01, "%g beside",
               (double)(b.mover.pose.position.x - a.mover.pose.position.x));
    stage_end(&a);
}

typedef struct one_way {
    uint32_t floor;
    bool falls;
} one_way;
static bool from_above_only(void *user, const cm_mover *mover, const cm_mover_hit *hit) {
    const one_way *w = user;
    (void)mover;
    return hit->id != w->floor || (!hit->overlapping && hit->normal.y > CM_REAL(0.7) && w->falls);
}

static void a_floor_is_passed_from_below_and_holds_from_above(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++) {
        stage s;
        stage_start(&s, box);
        add_box(&s, 0, -1, 0, 20, 1, 20, true);
        one_way w = {.floor = add_box(&s, 0, 2.2, 0, 2, 0.05, 2, true)};
        s.space.meet = from_above_only;
        s.space.user = &w;
        put(&s, 0, 0.91, 0);
        w.falls = true;
        settle(&s);
        double fall = 6.6, highest = 0; /* not high enough: it falls back through the floor that it is in */
        for (int i = 0; i < 90; i++) {
            fall -= 10 * dt;
            w.falls = fall <= 0;
            step(&s, 0, fall, 0);
            fall = (double)s.result.velocity.y;
            highest = fmax(highest, (double)s.mover.pose.position.y);
        }
        check_that(highest > 2.9 && fabs((double)s.mover.pose.position.y - 0.902) < 0.003, "got up to %g, stands at %g",
                   highest, (double)s.mover.pose.position.y);
        fall = 7.5, highest = 0;
        for (int i = 0; i < 120; i++) {
            fall -= 10 * dt;
            w.falls = fall <= 0;
            step(&s, 0, fall, 0);
            fall = (double)s.result.velocity.y;
            highest = fmax(highest, (double)s.mover.pose.position.y);
        }
        check_that(highest > 3.2, "got up to %g", highest);
        check_that(fabs((double)s.mover.pose.position.y - 3.152) < 0.003 && s.mover.ground.id == w.floor,
                   "stands at %g", (double)s.mover.pose.position.y);
        check_that(near_to(&s) > 0.001, "%g from the floor", near_to(&s));
        stage_end(&s);
    }
}

static void who_crouches_stands_up_where_there_is_room(void **state) {
    (void)state;
    stage s;
    stage_start(&s, false);
    add_box(&s, 0, -1, 0, 20, 1, 20, true);
    add_box(&s, 4, 2.2, 0, 2, 1, 2, true); /* 1.2 high under it */
    cm_shape standing = s.mover.shape;
    cm_shape low = cm_make_capsule(cm_v(0, CM_REAL(-0.2), 0), cm_v(0, CM_REAL(0.2), 0), CM_REAL(0.3));
    put(&s, 0, 0.91, 0);
    settle(&s);
    double foot = (double)s.mover.pose.position.y - 0.9;
    for (int i = 0; i < 60; i++) step(&s, 3, -1, 0);
    check_that((double)s.mover.pose.position.x < 2, "too high, and at %g", (double)s.mover.pose.position.x);
    assert_true(cm_mover_set_shape(&s.mover, &s.space, &low));
    check_that(fabs((double)s.mover.pose.position.y - 0.5 - foot) < 1e-4, "the feet are at %g",
               (double)s.mover.pose.position.y - 0.5);
    for (int i = 0; i < 60; i++) step(&s, 3, -1, 0);
    check_that((double)s.mover.pose.position.x > 3.5, "at %g", (double)s.mover.pose.position.x);
    cm_mover before = s.mover;
    assert_false(cm_mover_set_shape(&s.mover, &s.space, &standing));
    assert_memory_equal(&before, &s.mover, sizeof before);
    for (int i = 0; i < 60; i++) step(&s, 3, -1, 0);
    assert_true(cm_mover_set_shape(&s.mover, &s.space, &standing));
    settle(&s);
    check_that(fabs((double)s.mover.pose.position.y - 0.902) < 0.001, "stands at %g", (double)s.mover.pose.position.y);
    stage_end(&s);
}

static void teleports_end_where_there_is_room(void **state) {
    (void)state;
    stage s;
    stage_start(&s, false);
    add_box(&s, 0, -1, 0, 20, 1, 20, true);
    put(&s, 0, 0.91, 0);
    settle(&s);
    cm_mover before = s.mover;
    cm_pose in = cm_pose_at(cm_v(5, CM_REAL(0.5), 0)), out = cm_pose_at(cm_v(5, 2, 0));
    assert_false(cm_mover_teleport(&s.mover, &s.space, &in));
    assert_memory_equal(&before, &s.mover, sizeof before);
    assert_true(cm_mover_teleport(&s.mover, &s.space, &out));
    assert_int_equal(s.mover.ground.kind, CM_MOVER_AIR);
    assert_false(cm_mover_fits(&s.mover, &s.space, NULL, &in));
    assert_true(cm_mover_fits(&s.mover, &s.space, NULL, NULL));
    stage_end(&s);
}

/* A mesh alone is a space; where its pose moves, it carries. */
static void one_shape_is_a_space(void **state) {
    (void)state;
    cm_mesh *mesh = mesh_box(cm_v(-5, -1, -5), cm_v(5, 1, 5), false);
    cm_shape floor = cm_make_mesh(mesh);
    cm_mover mover = {.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), .pose.position = {0, CM_REAL(1.51), 0}};
    cm_mover_space space = {.shape = &floor};
    cm_mover_result result;
    for (int i = 0; i < 30; i++) {
        assert_int_equal(cm_mover_step(&mover, &space, cm_v(1, -1, 0), (cm_real)dt, &result), CM_OK);
        if (i >= 5) space.pose.position.z += CM_REAL(0.1);
    }
    check_that(mover.ground.kind == CM_MOVER_FIRM && mover.ground.id == 0, "ground %d", (int)mover.ground.kind);
    check_that(fabs((double)mover.pose.position.x - 30 * dt) < 0.01 && fabs((double)mover.pose.position.z - 2.4) < 0.01,
               "at %g %g", (double)mover.pose.position.x, (double)mover.pose.position.z);
    cm_mesh_destroy(mesh, NULL);
}

static void bad_input_is_refused_and_changes_nothing(void **state) {
    (void)state;
    stage s;
    stage_start(&s, false);
    add_box(&s, 0, -1, 0, 20, 1, 20, true);
    put(&s, 0, 0.91, 0);
    const cm_real none = (cm_real)NAN;
    const cm_vec3 still = cm_v(0, 0, 0);
    for (int i = 0; i < 13; i++) {
        cm_mover m = s.mover;
        cm_mover_space space = s.space;
        cm_vec3 velocity = still;
        cm_real time = (cm_real)dt;
        cm_status expected = i < 7 || i == 11 ? CM_NOT_FINITE : CM_INVALID;
        switch (i) {
        case 0:
            m.pose.position.x = none;
            break;
        case 1:
            m.up.y = none;
            break;
        case 2:
            m.skin = none;
            break;
        case 3:
            m.step_up = none;
            break;
        case 4:
            velocity.z = none;
            break;
        case 5:
            time = none;
            break;
        case 6:
            velocity.x = -10 * CM_COORD_MAX, time = CM_REAL(0.01);
            break;
        case 11:
            velocity.x = CM_COORD_MAX, time = 10;
            break;
        case 7:
            m.shape = cm_make_halfspace(cm_v(0, 1, 0), 0);
            break;
        case 8:
            m.skin = -1;
            break;
        case 9:
            m.slope = 2;
            break;
        case 10:
            time = 0;
            break;
        default:
            space.world = NULL;
            break;
        }
        cm_mover before = m;
        cm_mover_result result;
        cm_status status = cm_mover_step(&m, &space, velocity, time, &result);
        check_that(status == expected, "case %d: %s", i, cm_status_text(status));
        assert_memory_equal(&before, &m, sizeof m);
    }
    assert_int_equal(cm_mover_step(NULL, &s.space, still, 1, NULL), CM_INVALID);
    assert_int_equal(cm_mover_step(&s.mover, NULL, still, 1, NULL), CM_INVALID);
    cm_error error = {CM_OK, NULL, 0};
    s.mover.slope = 2;
    assert_int_equal(cm_mover_check(&s.mover, &error), CM_INVALID);
    assert_string_equal(error.field, "slope");
    stage_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lifts_carry_up_and_down),
        cmocka_unit_test(a_turntable_carries_and_turns),
        cmocka_unit_test(what_is_carried_against_a_wall_stays_there),
        cmocka_unit_test(a_fast_sled_leaves_its_rider_at_a_plate),
        cmocka_unit_test(a_wall_that_moves_pushes),
        cmocka_unit_test(no_push_goes_through_a_plate),
        cmocka_unit_test(who_has_no_room_is_crushed_and_free_again_when_there_is),
        cmocka_unit_test(a_crate_is_pushed_by_its_mass),
        cmocka_unit_test(movers_meet_and_stand_on_each_other),
        cmocka_unit_test(a_floor_is_passed_from_below_and_holds_from_above),
        cmocka_unit_test(who_crouches_stands_up_where_there_is_room),
        cmocka_unit_test(teleports_end_where_there_is_room),
        cmocka_unit_test(one_shape_is_a_space),
        cmocka_unit_test(bad_input_is_refused_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
