/* Movers where people put them: steps and slopes at the limit, aligned walls, corners, flush floors, ledges, ceilings,
 * thin plates; every shape that walks, and up in any direction. */
#include "support/meshes.h"

#include <math.h>

static const double dt = 1.0 / 60;

/* A world whose up is a given direction: what is written here with y up is turned by `turn`. */
typedef struct place {
    cm_world *world;
    cm_quat turn;
    cm_mover mover;
    cm_mover_space space;
    cm_mover_result result;
} place;

static cm_quat about(cm_vec3 axis, double degrees) {
    cm_real s = (cm_real)sin(degrees * 3.14159265358979323846 / 360);
    return (cm_quat){axis.x * s, axis.y * s, axis.z * s, (cm_real)cos(degrees * 3.14159265358979323846 / 360)};
}

enum { UPS = 3, WALKERS = 6 };
static cm_quat up_turn(int i) {
    switch (i) {
    case 0:
        return cm_quat_identity();
    case 1:
        return about(cm_v(1, 0, 0), 90); /* z up */
    default:
        return cm_quat_normalize((cm_quat){CM_REAL(0.3), CM_REAL(-0.5), CM_REAL(0.7), CM_REAL(0.2)});
    }
}

static void add_turned(place *p, cm_vec3 at, cm_vec3 half, cm_quat own) {
    cm_world_object_desc box = {.shape = cm_make_box(half), .fixed = true};
    box.pose = (cm_pose){cm_rotate(p->turn, at), cm_quat_normalize(cm_quat_mul(p->turn, own))};
    uint32_t id;
    assert_int_equal(cm_world_add(p->world, &box, &id, NULL), CM_OK);
}
static void add_box(place *p, double x, double y, double z, double hx, double hy, double hz) {
    add_turned(p, cm_v((cm_real)x, (cm_real)y, (cm_real)z), cm_v((cm_real)hx, (cm_real)hy, (cm_real)hz),
               cm_quat_identity());
}
static void place_start(place *p, cm_quat turn, bool floor) {
    *p = (place){.turn = turn};
    assert_int_equal(cm_world_create(NULL, &p->world, NULL), CM_OK);
    if (floor) add_box(p, 0, -1, 0, 20, 1, 20);
    p->space.world = p->world;
    p->mover.shape = cm_make_capsule(cm_v(0, CM_REAL(-0.6), 0), cm_v(0, CM_REAL(0.6), 0), CM_REAL(0.3));
    p->mover.up = cm_rotate(turn, cm_v(0, 1, 0));
    p->mover.pose.rotation = turn;
    p->mover.skin = CM_REAL(0.002);
}
static void place_end(place *p) { cm_world_destroy(p->world); }
static void put(place *p, double x, double y, double z) {
    p->mover.pose.position = cm_rotate(p->turn, cm_v((cm_real)x, (cm_real)y, (cm_real)z));
}
static cm_vec3 where(const place *p) { return cm_unrotate(p->turn, p->mover.pose.position); }
static cm_vec3 speed_left(const place *p) { return cm_unrotate(p->turn, p->result.velocity); }
static void step(place *p, double x, double y, double z) {
    cm_vec3 velocity = cm_rotate(p->turn, cm_v((cm_real)x, (cm_real)y, (cm_real)z));
    assert_int_equal(cm_mover_step(&p->mover, &p->space, velocity, (cm_real)dt, &p->result), CM_OK);
    cm_world_near near;
    cm_real distance = cm_world_distance(p->world, &p->mover.shape, &p->mover.pose, 1, NULL, &near);
    check_that(distance > 0, "%g deep", -(double)distance);
}
static void settle(place *p) {
    for (int i = 0; i < 3; i++) step(p, 0, -1, 0);
}

/* 1.8 high, centered, y up. */
static cm_hull *prism;
static cm_shape walker(int kind, cm_quat *own) {
    static cm_real points[48];
    *own = cm_quat_identity();
    switch (kind) {
    case 1:
        return cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.9), CM_REAL(0.25)));
    case 2:
        *own = about(cm_v(1, 0, 0), -90);
        return cm_make_cylinder(CM_REAL(0.3), CM_REAL(0.9)); /* its z is up */
    case 3:
        return cm_make_ellipsoid(cm_v(CM_REAL(0.35), CM_REAL(0.9), CM_REAL(0.35)));
    case 4:
        for (int i = 0; i < 16; i++) {
            points[3 * i] = (cm_real)(0.3 * cos(i * 0.78539816339744831));
            points[3 * i + 1] = CM_REAL(i < 8 ? -0.9 : 0.9);
            points[3 * i + 2] = (cm_real)(0.3 * sin(i * 0.78539816339744831));
        }
        if (!prism) {
            cm_hull_desc desc = {.points = points, .point_count = 16};
            assert_int_equal(cm_hull_build(&desc, NULL, &prism, NULL), CM_OK);
        }
        return cm_make_hull(prism);
    case 5:
        return cm_make_rounded_box(cm_v(CM_REAL(0.2), CM_REAL(0.8), CM_REAL(0.2)), CM_REAL(0.1));
    default:
        return cm_make_capsule(cm_v(0, CM_REAL(-0.6), 0), cm_v(0, CM_REAL(0.6), 0), CM_REAL(0.3));
    }
}
static void as_walker(place *p, int kind) {
    cm_quat own;
    p->mover.shape = walker(kind, &own);
    p->mover.pose.rotation = cm_quat_normalize(cm_quat_mul(p->turn, own));
}

/* Height gained by walking at a step of this height; the step's limit is 0.35. */
static double climbed(int kind, int up, double height) {
    place p;
    place_start(&p, up_turn(up), true);
    as_walker(&p, kind);
    p.mover.step_up = CM_REAL(0.35);
    add_box(&p, 3, height / 2, 0, 2, height / 2, 3);
    put(&p, 0, 0.91, 0);
    settle(&p);
    for (int i = 0; i < 60; i++) step(&p, 3, 0, 0.2);
    double y = (double)where(&p).y - 0.9;
    place_end(&p);
    return y;
}

static void steps_up_to_the_limit_are_climbed_and_no_higher_ones(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++)
        for (int up = 0; up < UPS; up++) {
            const double limit = (double)CM_REAL(0.35), ulp = (double)CM_REAL_EPSILON / 4;
            const double heights[] = {0.05, 0.2, limit - ulp, limit, limit + ulp, limit + 0.003, limit + 0.006, 0.6};
            for (int i = 0; i < 8; i++) {
                double y = climbed(kind, up, heights[i]), top = i < 5 ? heights[i] : 0;
                if (i == 5) continue; /* within the skin beyond the limit: either */
                check_that(fabs(y - top) < 0.003, "walker %d, up %d, step %.9g: at %.9g", kind, up, heights[i], y);
            }
        }
}

static void slopes_up_to_the_limit_hold_and_no_steeper_ones(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++)
        for (int up = 0; up < UPS; up++)
            for (int i = 0; i < 4; i++) {
                const double limit = 45, slopes[] = {30, limit, limit - 1e-6, limit + 0.3};
                place p;
                place_start(&p, up_turn(up), true);
                as_walker(&p, kind);
                p.mover.slope = (cm_real)(limit * 3.14159265358979323846 / 180);
                cm_quat lean = about(cm_v(0, 0, 1), slopes[i]);
                add_turned(&p, cm_add(cm_v(1, 0, 0), cm_rotate(lean, cm_v(3, CM_REAL(-0.5), 0))),
                           cm_v(3, CM_REAL(0.5), 3), lean);
                put(&p, 0, 0.91, 0);
                settle(&p);
                for (int k = 0; k < 60; k++) step(&p, 2, 0, 0.1);
                bool holds = i < 3;
                cm_vec3 at = where(&p);
                check_that(holds == (at.y > CM_REAL(1.5)), "walker %d, up %d, slope %g: at %g %g", kind, up, slopes[i],
                           (double)at.x, (double)at.y);
                check_that(!holds || fabs((double)at.x - 2) < 0.01, "the horizontal speed is kept: at %g",
                           (double)at.x);
                if (holds) { /* who stands, stays */
                    check_that(p.mover.ground.kind == CM_MOVER_FIRM, "ground %d", (int)p.mover.ground.kind);
                    for (int k = 0; k < 60; k++) step(&p, 0, -1, 0);
                    check_that(cm_length(cm_sub(where(&p), at)) < CM_REAL(0.002), "slid to %g", (double)where(&p).y);
                }
                place_end(&p);
            }
}

static void who_falls_on_a_steep_slope_slides_down_and_cannot_climb_it(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, up_turn(0), true);
        as_walker(&p, kind);
        cm_quat lean = about(cm_v(0, 0, 1), 60);
        add_turned(&p, cm_rotate(lean, cm_v(4, CM_REAL(-0.5), 0)), cm_v(4, CM_REAL(0.5), 3), lean);
        put(&p, 1, 3.2, 0);
        double highest = 0, fall = 0;
        bool steep = false, firm_above = false;
        for (int k = 0; k < 480; k++) { /* pressing against it */
            step(&p, 5, fall - 10 * dt, 0);
            fall = (double)speed_left(&p).y;
            highest = fmax(highest, (double)where(&p).y);
            steep = steep || p.mover.ground.kind == CM_MOVER_STEEP;
            firm_above = firm_above || (p.mover.ground.kind == CM_MOVER_FIRM && where(&p).y > CM_REAL(1.2));
        }
        check_that(steep && !firm_above, "walker %d: steep %d, firm %d", kind, steep, firm_above);
        check_that(highest < 3.21 && where(&p).y < CM_REAL(0.95), "walker %d: highest %g, now %g", kind, highest,
                   (double)where(&p).y);
        place_end(&p);
    }
}

static void who_touches_a_wall_slides_along_it_and_leaves_it(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++)
        for (int up = 0; up < UPS; up++) {
            place p;
            place_start(&p, up_turn(up), true);
            as_walker(&p, kind);
            add_box(&p, 5, 1, 0, 1, 3, 20);
            add_box(&p, 0, 1, 5, 20, 3, 1);
            double reach = kind == 3 ? 0.35 : 0.3;
            put(&p, 4 - reach, 0.9, 0); /* exactly on the ground and at the wall */
            step(&p, 3, 0, 3);
            check_that(p.result.hit_count == 1, "%d hits", p.result.hit_count);
            for (int i = 0; i < 30; i++) step(&p, 3, 0, 3);
            check_that(fabs((double)where(&p).z - 31 * 3 * dt) < 0.01, "walker %d, up %d: along the wall to %g", kind,
                       up, (double)where(&p).z);
            check_that(fabs((double)speed_left(&p).x) < 0.02 && fabs((double)speed_left(&p).z - 3) < 0.02, "left %g %g",
                       (double)speed_left(&p).x, (double)speed_left(&p).z);
            for (int i = 0; i < 90; i++) step(&p, 3, 0, 3); /* into the corner */
            cm_vec3 corner = where(&p);
            for (int i = 0; i < 60; i++) step(&p, 3, 0, 3);
            check_that(cm_length(cm_sub(where(&p), corner)) < CM_REAL(0.004), "moves in the corner");
            step(&p, -3, 0, -3); /* and out of it at once */
            check_that(fabs((double)(corner.x - where(&p).x) - 3 * dt) < 0.004, "left the corner by %g",
                       (double)(corner.x - where(&p).x));
            place_end(&p);
        }
}

/* As boxes side by side, and as one mesh whose edges run under the way. */
static void flush_floors_are_one_floor(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++)
        for (int form = 0; form < 2; form++) {
            place p;
            place_start(&p, cm_quat_identity(), false);
            as_walker(&p, kind);
            cm_real points[9 * 3 * 2];
            uint32_t indices[8 * 6];
            for (int i = 0; i < 18; i++)
                points[3 * i] = (cm_real)(i / 2 - 4), points[3 * i + 1] = 0,
                           points[3 * i + 2] = (cm_real)(i % 2 ? 2 : -2);
            for (uint32_t i = 0; i < 8; i++) {
                const uint32_t a = 2 * i, corner[6] = {a, a + 1, a + 2, a + 2, a + 1, a + 3};
                memcpy(indices + 6 * i, corner, sizeof corner);
            }
            cm_mesh *mesh = mesh_of(points, 18, indices, 16, false);
            cm_world_object_desc object = {.shape = cm_make_mesh(mesh), .fixed = true};
            uint32_t id;
            if (form) assert_int_equal(cm_world_add(p.world, &object, &id, NULL), CM_OK);
            for (int i = 0; i < 8 && !form; i++) add_box(&p, i - 3.5, -0.5, 0, 0.5, 0.5, 2);
            put(&p, -3, 0.9, 0.1);
            settle(&p);
            double y = (double)where(&p).y;
            for (int i = 0; i < 120; i++) {
                step(&p, 3, -1, 0);
                check_that(p.result.hit_count == 0 && p.mover.ground.kind == CM_MOVER_FIRM,
                           "walker %d, form %d: %d hits", kind, form, p.result.hit_count);
                check_that(fabs((double)where(&p).y - y) < 0.001, "height %g was %g", (double)where(&p).y, y);
            }
            check_that(fabs((double)where(&p).x - 3) < 0.01, "walker %d, form %d: went to %g", kind, form,
                       (double)where(&p).x);
            place_end(&p);
            cm_mesh_destroy(mesh, NULL);
        }
}

static void a_jump_beside_a_wall_rises_as_one_in_the_open(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++)
        for (int mesh_wall = 0; mesh_wall < 2; mesh_wall++) {
            place p;
            place_start(&p, cm_quat_identity(), true);
            as_walker(&p, kind);
            cm_mesh *mesh = mesh_box(cm_v(1, 0, -3), cm_v(2, 5, 3), true);
            cm_world_object_desc object = {.shape = cm_make_mesh(mesh), .fixed = true};
            uint32_t id;
            if (mesh_wall) assert_int_equal(cm_world_add(p.world, &object, &id, NULL), CM_OK);
            if (!mesh_wall) add_box(&p, 1.5, 2.5, 0, 0.5, 2.5, 3);
            put(&p, 0, 0.9, 0);
            settle(&p);
            for (int i = 0; i < 30; i++) step(&p, 3, -1, 0); /* pressed against it */
            double up = 4, y = (double)where(&p).y;
            for (int i = 0; i < 20; i++) {
                up -= 10 * dt, y += up * dt;
                step(&p, 3, up, 0);
                check_that(p.mover.ground.kind == CM_MOVER_AIR, "on the ground at %g", (double)where(&p).y);
                check_that(fabs((double)where(&p).y - y) < 0.005, "walker %d: %g, expected %g", kind,
                           (double)where(&p).y, y);
            }
            place_end(&p);
            cm_mesh_destroy(mesh, NULL);
        }
}

/* Two planes at once: what is left of the way is along their common line. */
static void a_jump_in_a_corner_rises_as_one_in_the_open(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++)
        for (int angle = 30; angle <= 150; angle += 60) {
            place p;
            place_start(&p, cm_quat_identity(), true);
            as_walker(&p, kind);
            for (int side = -1; side <= 1; side += 2) { /* walls that meet at x = 3, each half the angle off -x */
                cm_quat q = about(cm_v(0, 1, 0), 180 + side * angle / 2.0);
                cm_vec3 middle = cm_add(cm_v(3, 5, 0), cm_rotate(q, cm_v(4, 0, (cm_real)(-0.5 * side))));
                add_turned(&p, middle, cm_v(5, 5, CM_REAL(0.5)), q);
            }
            put(&p, -1, 0.91, 0);
            settle(&p);
            for (int i = 0; i < 120; i++) step(&p, 3, -1, 0.1); /* into the corner */
            cm_vec3 at = where(&p);
            step(&p, 3, -1, 0.1);
            check_that(cm_length(cm_sub(where(&p), at)) < CM_REAL(0.01), "walker %d, %d degrees: not in the corner",
                       kind, angle);
            double up = 4, y = (double)where(&p).y;
            for (int i = 0; i < 20; i++) {
                up -= 10 * dt, y += up * dt;
                step(&p, 3, up, 0.1);
                check_that(fabs((double)where(&p).y - y) < 0.01, "walker %d, %d degrees: %g, expected %g", kind, angle,
                           (double)where(&p).y, y);
            }
            place_end(&p);
        }
}

/* The gap is wider than the shape by one skin, not by two. */
static void a_gap_that_has_room_for_the_shape_is_passed(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, cm_quat_identity(), true);
        as_walker(&p, kind);
        double half = kind == 1 ? 0.25 : kind == 3 ? 0.35 : 0.3;
        for (int side = -1; side <= 1; side += 2) add_box(&p, 2, 2, side * (half + 0.001 + 1), 0.2, 2, 1);
        put(&p, 0, 0.91, 0.0003);
        settle(&p);
        for (int i = 0; i < 90; i++) step(&p, 3, -1, 0);
        check_that(where(&p).x > 3, "walker %d: at %g %g", kind, (double)where(&p).x, (double)where(&p).z);
        place_end(&p);
    }
}

/* A ditch of two slopes of 60 degrees: neither holds, both do. */
static void who_is_held_between_steep_slopes_stands_firm(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, cm_quat_identity(), false);
        as_walker(&p, kind);
        for (int side = -1; side <= 1; side += 2) {
            cm_quat lean = about(cm_v(0, 0, 1), side * 60);
            add_turned(&p, cm_rotate(lean, cm_v((cm_real)(4 * side), CM_REAL(-0.5), 0)), cm_v(4, CM_REAL(0.5), 3),
                       lean);
        }
        put(&p, 0.1, 3, 0);
        double fall = 0;
        for (int i = 0; i < 240; i++) {
            step(&p, 0, fall - 10 * dt, 0);
            fall = (double)speed_left(&p).y;
        }
        check_that(p.mover.ground.kind == CM_MOVER_FIRM, "walker %d: ground %d at %g %g", kind,
                   (int)p.mover.ground.kind, (double)where(&p).x, (double)where(&p).y);
        step(&p, 0, 4, 0);
        check_that((double)speed_left(&p).y > 3.9, "walker %d: cannot jump out", kind);
        place_end(&p);
    }
}

static void flush_walls_are_one_wall(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, cm_quat_identity(), true);
        as_walker(&p, kind);
        for (int i = 0; i < 12; i++) add_box(&p, i - 5.5, 1.5, 1.5, 0.5, 1.5, 0.5);
        put(&p, -4, 0.91, 0.6);
        settle(&p);
        for (int i = 0; i < 120; i++) step(&p, 3, -1, 3);
        check_that(fabs((double)where(&p).x - 2) < 0.02, "walker %d: slid to %g", kind, (double)where(&p).x);
        place_end(&p);
    }
}

static void a_ceiling_ends_a_jump_and_a_sinking_one_ends_a_walk(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, cm_quat_identity(), true);
        as_walker(&p, kind);
        add_box(&p, 0, 3, 0, 2, 1, 2);
        cm_quat lean = about(cm_v(0, 0, 1), -20); /* comes down along +x */
        add_turned(&p, cm_v(4, CM_REAL(2.5), 0), cm_v(3, CM_REAL(0.5), 3), lean);
        put(&p, 0, 0.91, 0);
        settle(&p);
        step(&p, 0, 20, 0);
        check_that(speed_left(&p).y <= CM_REAL(0.1), "walker %d: still rises with %g", kind, (double)speed_left(&p).y);
        for (int i = 0; i < 60; i++) step(&p, 0, -2, 0);
        check_that(p.mover.ground.kind == CM_MOVER_FIRM, "ground %d", (int)p.mover.ground.kind);
        for (int i = 0; i < 120; i++) step(&p, 3, -1, 0);
        cm_vec3 at = where(&p);
        step(&p, 3, -1, 0);
        check_that(cm_length(cm_sub(where(&p), at)) < CM_REAL(0.002), "walker %d: moves under the ceiling", kind);
        step(&p, -3, -1, 0);
        check_that((double)(at.x - where(&p).x) > 2.9 * dt, "walker %d: caught under the ceiling", kind);
        place_end(&p);
    }
}

static void stairs_and_slopes_are_walked_down_on_the_ground(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, cm_quat_identity(), true);
        as_walker(&p, kind);
        for (int i = 0; i < 6; i++) add_box(&p, 0.4 * i, 0.1 * (6 - i), 0, 0.2, 0.1 * (6 - i), 3);
        cm_quat lean = about(cm_v(0, 0, 1), 30);
        add_turned(&p, cm_add(cm_v(-3, 0, 0), cm_rotate(lean, cm_v(CM_REAL(1.2), CM_REAL(-0.5), 0))),
                   cm_v(CM_REAL(1.2), CM_REAL(0.5), 3), lean); /* up to the stair's top, from the other side */
        add_box(&p, -0.6, 0.6, 0, 0.5, 0.6, 3);
        put(&p, -4, 0.91, 0);
        settle(&p);
        double highest = 0;
        for (int i = 0; i < 180; i++) {
            step(&p, 3, -1, 0);
            check_that(p.mover.ground.kind == CM_MOVER_FIRM, "walker %d: in the air at %g %g", kind,
                       (double)where(&p).x, (double)where(&p).y);
            highest = fmax(highest, (double)where(&p).y);
        }
        check_that(highest > 2.05, "walker %d: highest %g", kind, highest);
        check_that(where(&p).y < CM_REAL(0.91) && where(&p).x > 4, "walker %d: at %g %g", kind, (double)where(&p).x,
                   (double)where(&p).y);
        place_end(&p);
    }
}

static void a_wall_beside_a_stair_does_not_end_the_climb(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, cm_quat_identity(), true);
        as_walker(&p, kind);
        for (int i = 0; i < 8; i++) add_box(&p, 1 + 0.3 * i, 0.09 * (i + 1), 0, 0.15, 0.09 * (i + 1), 3);
        add_box(&p, 2, 2, 1.5, 6, 2, 0.5);
        put(&p, 0, 0.91, 0.4);
        settle(&p);
        for (int i = 0; i < 60; i++) step(&p, 3, -1, 2);
        check_that(where(&p).y > CM_REAL(0.9 + 1.2), "walker %d: at %g %g %g", kind, (double)where(&p).x,
                   (double)where(&p).y, (double)where(&p).z);
        place_end(&p);
    }
}

static void plates_thin_as_paper_stop_a_fall_and_a_rush(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++) {
        place p;
        place_start(&p, cm_quat_identity(), false);
        as_walker(&p, kind);
        add_box(&p, 0, 0, 0, 5, 0.001, 5);
        add_box(&p, 4, 3, 0, 0.001, 3, 5);
        put(&p, 0, 50, 0);
        for (int i = 0; i < 10; i++) step(&p, 0, -2000, 0);
        check_that(fabs((double)where(&p).y - 0.903) < 0.002, "walker %d: at %g", kind, (double)where(&p).y);
        for (int i = 0; i < 3; i++) step(&p, 5000, -1, 0);
        check_that(where(&p).x < CM_REAL(3.75), "walker %d: at %g", kind, (double)where(&p).x);
        place_end(&p);
    }
}

static void a_ledge_is_left_by_walking_on(void **state) {
    (void)state;
    for (int kind = 0; kind < WALKERS; kind++)
        for (int slow = 0; slow < 2; slow++) {
            place p;
            place_start(&p, cm_quat_identity(), true);
            as_walker(&p, kind);
            add_box(&p, 0, 1, 0, 1, 1, 1);
            put(&p, 0, 2.91, 0);
            settle(&p);
            double fall = 0;
            for (int i = 0; i < (slow ? 400 : 90); i++) {
                step(&p, slow ? 0.3 : 3, fall - 10 * dt, 0);
                fall = (double)speed_left(&p).y;
            }
            check_that(where(&p).y < CM_REAL(0.91) && p.mover.ground.kind == CM_MOVER_FIRM, "walker %d: at %g %g", kind,
                       (double)where(&p).x, (double)where(&p).y);
            place_end(&p);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_up_to_the_limit_are_climbed_and_no_higher_ones),
        cmocka_unit_test(slopes_up_to_the_limit_hold_and_no_steeper_ones),
        cmocka_unit_test(who_falls_on_a_steep_slope_slides_down_and_cannot_climb_it),
        cmocka_unit_test(who_touches_a_wall_slides_along_it_and_leaves_it),
        cmocka_unit_test(flush_floors_are_one_floor),
        cmocka_unit_test(a_jump_beside_a_wall_rises_as_one_in_the_open),
        cmocka_unit_test(a_jump_in_a_corner_rises_as_one_in_the_open),
        cmocka_unit_test(a_gap_that_has_room_for_the_shape_is_passed),
        cmocka_unit_test(who_is_held_between_steep_slopes_stands_firm),
        cmocka_unit_test(flush_walls_are_one_wall),
        cmocka_unit_test(a_ceiling_ends_a_jump_and_a_sinking_one_ends_a_walk),
        cmocka_unit_test(stairs_and_slopes_are_walked_down_on_the_ground),
        cmocka_unit_test(a_wall_beside_a_stair_does_not_end_the_climb),
        cmocka_unit_test(plates_thin_as_paper_stop_a_fall_and_a_rush),
        cmocka_unit_test(a_ledge_is_left_by_walking_on),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    cm_hull_destroy(prism, NULL);
    return failures;
}
