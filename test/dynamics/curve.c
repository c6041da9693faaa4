/* Bodies on parabolas: hits when Newton has them, however long the step is, and what rests does not sink. */
#include "set_up.h"
#include "support/meshes.h"

#include <math.h>

typedef struct lab {
    cm_world *world;
    cm_dynamics *bodies;
    double hits[16]; /* when, in seconds */
    int hit_count, step;
    double dt;
} lab;

static void note_hit(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *a, uint32_t *b) {
    lab *l = user;
    (void)bodies, (void)a, (void)b;
    if (hit->u < 1 && l->hit_count < 16) l->hits[l->hit_count++] = (l->step + (double)hit->u) * l->dt;
}

static void lab_make(lab *l, cm_vec3 gravity) {
    const cm_dynamics_desc desc = {.gravity = gravity, .respond = note_hit, .user = l};
    memset(l, 0, sizeof *l);
    set_up(NULL, &desc, &l->world, &l->bodies);
}

static uint32_t lab_put(lab *l, cm_shape shape, cm_vec3 at, const cm_body_desc *body) {
    return put_object(l->world, l->bodies, shape, at, body, CM_WORLD_SWEEP_ALWAYS);
}

static void lab_run(lab *l, double dt, int steps) {
    l->dt = dt;
    for (int i = 0; i < steps; i++, l->step++) assert_int_equal(cm_dynamics_step(l->bodies, CM_REAL(dt)), CM_OK);
}

static const double fine = sizeof(cm_real) == 4 ? 4e-6 : 1e-13;

/* 0.5 m under g = 10: sqrt(0.1) s. Up at 10 from 0.5 above: 1 + sqrt(1.1) s. By steps of any length. */
static void a_fall_ends_when_newton_says(void **state) {
    (void)state;
    const double steps[] = {2.5, 1, 0.5, 0.3, 1.0 / 60, 0.015625};
    for (int i = 0; i < 12; i++) {
        const bool up = i % 2;
        const double dt = steps[i / 2], truth = up ? 1 + sqrt(1.1) : sqrt(0.1);
        lab l;
        lab_make(&l, cm_v(0, 0, -10));
        lab_put(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
        const cm_body_desc body = {.velocity = {1, 2, up ? 10 : 0}, .response = CM_RESPONSE_HALT};
        const uint32_t id = lab_put(&l, ball(0.5), cm_v(3, 4, 1), &body);
        lab_run(&l, dt, (int)ceil(2.5 / dt));
        check_that(l.hit_count == 1, "steps of %g: %d hits", dt, l.hit_count);
        const double late = l.hits[0] - truth, early = up ? 4e-6 : 1e-6; /* G over the speed of the fall */
        check_that(late <= fine && late >= -(sizeof(cm_real) == 4 ? 20 * early : 1e-13),
                   "steps of %g: %.17g, truly %.17g", dt, l.hits[0], truth);
        const cm_body_state s = body_state(l.bodies, id);
        check_that(s.halted && fabs((double)s.center.x - 3 - truth) < 1e-4 && fabs((double)s.center.z - 0.5) < 1e-4,
                   "it halts at %g %g", (double)s.center.x, (double)s.center.z);
        take_down(l.world, l.bodies);
    }
}

/* Two, thrown at each other under the same gravity, meet as if there were none: 9 m at 10 m/s. */
static void what_falls_together_meets_as_without_gravity(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, -3, -10));
    const cm_body_desc one = {.velocity = {5, 0, 5}, .response = CM_RESPONSE_HALT};
    const cm_body_desc two = {.velocity = {-5, 0, 5}, .response = CM_RESPONSE_HALT};
    lab_put(&l, ball(0.5), cm_v(-5, 0, 1), &one), lab_put(&l, ball(0.5), cm_v(5, 0, 1), &two);
    lab_run(&l, 1, 1);
    check_that(l.hit_count == 1 && fabs(l.hits[0] - 0.9) < 10 * fine, "%d hits, the first at %.17g", l.hit_count,
               l.hits[0]);
    take_down(l.world, l.bodies);
}

/* Elastic, dropped from 1.25 m: 0.5 s down, then 1 s up and down again, all in one step of 3.25 s. At its end it is
 * 0.25 s before the next, 5 - 2.5 m/s: down. */
static void bounces_of_one_step_are_all_found(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, -1));
    lab_put(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    const cm_body_desc body = {.restitution = 1, .response = CM_RESPONSE_BOUNCE, .velocity = {0, 0, -10}};
    const uint32_t id = lab_put(&l, ball(0.5), cm_v(0, 0, CM_REAL(1.5)), &body); /* 1 m at 10 m/s and more */
    lab_run(&l, 1, 1);
    const double root = sqrt(102), first = root - 10; /* 10 t + t^2 / 2 = 1; then up at sqrt(102) */
    check_that(l.hit_count == 1 && fabs(l.hits[0] - first) < 10 * fine, "%d hits, %.17g", l.hit_count, l.hits[0]);
    const cm_body_state s = body_state(l.bodies, id);
    check_that(fabs((double)s.velocity.z - (root - (1 - first))) < 1e-4, "up at %.9g", (double)s.velocity.z);
    const double high = 0.5 + root * (1 - first) - (1 - first) * (1 - first) / 2;
    check_that(fabs((double)s.center.z - high) < 1e-4, "at %.9g, not %.9g", (double)s.center.z, high);
    take_down(l.world, l.bodies);
    lab_make(&l, cm_v(0, 0, -10)); /* up at 3 m/s: back after 0.6 s, and 1.2 s; a step gives 9 m/s at most */
    lab_put(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    const cm_body_desc hop = {.restitution = 1, .response = CM_RESPONSE_BOUNCE, .velocity = {0, 0, 3}};
    lab_put(&l, ball(0.5), cm_v(0, 0, CM_REAL(0.5)), &hop);
    lab_run(&l, 0.1, 10);
    check_that(l.hit_count == 1 && fabs(l.hits[0] - 0.6) < (sizeof(cm_real) == 4 ? 1e-4 : 1e-12), "%d hits, %.17g",
               l.hit_count, l.hits[0]);
    take_down(l.world, l.bodies);
}

/* A ceiling just above the apex of a throw is not met, one just below is. */
static void an_apex_meets_a_ceiling_or_not(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        lab l;
        lab_make(&l, cm_v(0, 0, -10));
        lab_put(&l, cm_make_box(cm_v(9, 9, 1)), cm_v(0, 0, CM_REAL(i ? 2.7499 : 2.7501)), NULL);
        const cm_body_desc body = {.velocity = {0, 0, 5}, .response = CM_RESPONSE_HALT}; /* 1.25 m, after 0.5 s */
        lab_put(&l, ball(0.5), cm_v(0, 0, 0), &body);
        lab_run(&l, 0.3, 4);
        check_that(l.hit_count == i, "%d hits", l.hit_count);
        if (i) check_that(fabs(l.hits[0] - (0.5 - sqrt(0.0001 / 5))) < 1e-3, "at %g", l.hits[0]);
        take_down(l.world, l.bodies);
    }
}

/* At rest, and sliding, under gravity, for a thousand steps: none sinks by the gap of a sweep in each. */
static void what_rests_and_what_slides_does_not_sink(void **state) {
    (void)state;
    cm_mesh *table = mesh_box(cm_v(-300, -9, -1), cm_v(300, 9, 0), true);
    const cm_real half = CM_REAL(0.5);
    const cm_shape bodies[] = {ball(0.5), cm_make_box(cm_v(half, half, half)), cm_make_cylinder(half, half)};
    for (int i = 0; i < 36; i++) {
        const int kind = i / 3 % 3, ground = i % 3;
        const bool slides = i / 9 % 2, response = i / 18;
        lab l;
        lab_make(&l, cm_v(0, 0, -10));
        const cm_shape on = ground == 0   ? cm_make_halfspace(cm_v(0, 0, 1), 0)
                            : ground == 1 ? cm_make_box(cm_v(300, 9, 1))
                                          : cm_make_mesh(table);
        lab_put(&l, on, cm_v(0, 0, ground == 1 ? -1 : 0), NULL);
        const cm_body_desc body = {.velocity = {slides ? 1 : 0, 0, 0},
                                   .response = response ? CM_RESPONSE_BOUNCE : CM_RESPONSE_SLIDE};
        const uint32_t id = lab_put(&l, bodies[kind], cm_v(0, 0, half), &body);
        lab_run(&l, 1.0 / 60, samples(1200, 3600));
        const cm_body_state s = body_state(l.bodies, id);
        double gap = sizeof(cm_real) == 4 ? 1.5e-3 : 3e-7; /* curved bodies know a face of a mesh to 5e-7 */
        if (ground == 2 && response)
            gap = kind == 2 ? 1e-2 : 1.5e-3; /* held at one point they turn a little, and rattle */
        const double off = (double)s.center.z - 0.5;
        check_that(fabs(off) <= gap, "%s on %s, %s, response %d: off by %g", cm_kind_name(bodies[kind].kind),
                   cm_kind_name(on.kind), slides ? "sliding" : "at rest", response, off);
        check_that(fabs((double)s.velocity.z) < 0.2, "it moves at %g", (double)s.velocity.z);
        if (slides && !response)
            check_that(fabs((double)s.center.x - l.step / 60.0) < 1e-2 * l.step / 60.0, "it is at x = %g",
                       (double)s.center.x);
        take_down(l.world, l.bodies);
    }
    cm_mesh_destroy(table, NULL);
}

/* A state that is saved amid a fall goes on to the same hit. */
static void a_fall_is_saved_and_goes_on(void **state) {
    (void)state;
    lab l, m;
    lab_make(&l, cm_v(0, 0, -10)), lab_make(&m, cm_v(0, 0, -10));
    lab_put(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    const cm_body_desc body = {.restitution = 1, .response = CM_RESPONSE_BOUNCE};
    lab_put(&l, ball(0.5), cm_v(0, 0, 5), &body);
    lab_run(&l, 0.25, 3);
    unsigned char bytes[8192];
    const size_t size = cm_dynamics_save(l.bodies, NULL, bytes, sizeof bytes);
    assert_true(size > 0 && size <= sizeof bytes);
    assert_int_equal(cm_dynamics_restore(m.bodies, NULL, bytes, size), CM_OK);
    m.step = l.step;
    lab_run(&l, 0.25, 2), lab_run(&m, 0.25, 2);
    assert_true(cm_dynamics_hash(l.bodies) == cm_dynamics_hash(m.bodies));
    check_that(l.hit_count == 1 && m.hit_count == 1 && l.hits[0] == m.hits[0], "%d and %d hits, %g and %g", l.hit_count,
               m.hit_count, l.hits[0], m.hits[0]);
    check_that(fabs(l.hits[0] - sqrt(0.9)) < 10 * fine, "at %.17g", l.hits[0]);
    take_down(l.world, l.bodies), take_down(m.world, m.bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall_ends_when_newton_says),
        cmocka_unit_test(what_falls_together_meets_as_without_gravity),
        cmocka_unit_test(bounces_of_one_step_are_all_found),
        cmocka_unit_test(an_apex_meets_a_ceiling_or_not),
        cmocka_unit_test(what_rests_and_what_slides_does_not_sink),
        cmocka_unit_test(a_fall_is_saved_and_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
