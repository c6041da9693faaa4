/* Closed scenes never gain energy: piles, columns and crowds of every shape, on every ground, bouncing or not; and rows
 * of cubes in every form. */
#include "dynamics/bodies.h"
#include "support/standing.h"

#include <math.h>

enum { BODIES = 10, GROUNDS = 3, ORDERS = 3 };
static const char *const order_names[ORDERS] = {"pile", "column", "crowd"};

static cm_shape ground_of(const cm_mesh *mesh, int ground, cm_real *height) {
    *height = ground == 1 ? -1 : 0;
    if (ground == 0) return cm_make_halfspace(cm_v(0, 0, 1), 0);
    return ground == 1 ? cm_make_box(cm_v(20, 20, 1)) : cm_make_mesh(mesh);
}

/* Over the ground, with the weight of what stands there; and what the integrator of free turning may be off by: the
 * square of a step's angle, of the energy that turns. */
static double energy_of(cm_dynamics *bodies, const uint32_t *ids, double *turning) {
    double sum = 0;
    *turning = 0;
    for (int i = 0; i < BODIES; i++) {
        const cm_body_state s = body_state(bodies, ids[i]);
        const double angle = (double)cm_length(s.spin) / 60, going = (double)cm_dot(s.velocity, s.velocity) / 2;
        sum += (double)s.energy + 10 * (double)s.mass * (double)s.center.z;
        *turning += fmin(angle * angle, 1) * fmax((double)s.energy - going, 0);
    }
    return sum;
}

/* How deep all overlaps of a step were, in all: by no more PUSH_APART lifts bodies of mass 1. */
static double overlap_of(const cm_world *world) {
    cm_world_event_view view;
    double sum = 0;
    cm_world_get_events(world, &view);
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *e = &view.events[i];
        if (e->kind != CM_WORLD_BEGAN && e->kind != CM_WORLD_STAYED) continue;
        for (int k = 0; k < e->manifold_count; k++) {
            double depth = 0;
            for (int p = 0; p < e->manifolds[k].count; p++)
                depth = fmax(depth, (double)e->manifolds[k].points[p].depth);
            sum += depth;
        }
    }
    return sum;
}

/* Never more than at the start, but for rounding, 8 ulps of the energies that pass in a step (src/dynamics/energy.c);
 * and no step adds more to what is left than pushing apart lifts bodies that have no speed to pay for it, and slow ones
 * rise. */
static void no_scene_gains_energy(void **state) {
    (void)state;
    rng r = rng_start("energy", 1717);
    body_kit kit;
    kit_make(&kit, &r);
    cm_mesh *plate = mesh_box(cm_v(-20, -20, -1), cm_v(20, 20, 0), true);
    const int scenes = samples(24, 2000), steps = 60;
    const double slow = BODIES * 2 * (10.0 / 60) * (10.0 / 60);
    int kept = 0, braked = 0;
    double most = 0, above = -1;
    for (int i = 0; i < scenes; i++) {
        const int order = i % ORDERS, kind = (i / ORDERS) % (BODY_KINDS + 1), ground = (int)rng_below(&r, GROUNDS);
        const cm_real sixtieth = CM_REAL(1.0 / 60);
        cm_world *world;
        cm_dynamics *bodies;
        uint32_t ids[BODIES];
        cm_real height;
        cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
        cm_body_desc body = {.mass = 1, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
        body.restitution = rng_below(&r, 3) ? CM_REAL(0.5) * (cm_real)rng_below(&r, 3) : 0;
        body.friction = rng_below(&r, 2) ? CM_REAL(0.6) : 0;
        set_up(NULL, &desc, &world, &bodies);
        const cm_shape floor = ground_of(plate, ground, &height);
        put_object(world, bodies, floor, cm_v(0, 0, height), NULL, CM_WORLD_SWEEP_AUTO);
        const cm_world_sweep_mode mode = rng_below(&r, 3) ? CM_WORLD_SWEEP_AUTO : CM_WORLD_SWEEP_ALWAYS;
        for (int k = 0; k < BODIES; k++) {
            const cm_shape shape = body_of_kind(&kit, kind < BODY_KINDS ? (uint32_t)kind : rng_below(&r, BODY_KINDS));
            const cm_real wide = CM_REAL(order == 0 ? 0.6 : order == 1 ? 0.05 : 1.5);
            cm_vec3 at = rng_vec3(&r, (double)wide);
            at.z = CM_REAL(0.5) + CM_REAL(order == 2 ? 0.3 : 0.75) * (cm_real)k;
            if (order == 2) at.x = (cm_real)(k % 4) - CM_REAL(1.5), at.y = (cm_real)((k / 4) % 4) - CM_REAL(1.5);
            body.velocity = order == 2 ? rng_vec3(&r, 5) : cm_v(0, 0, 0);
            body.spin = order == 1 ? cm_v(0, 0, 0) : rng_vec3(&r, 4);
            ids[k] = put_object(world, bodies, shape, at, &body, mode);
        }
        double turning, before = energy_of(bodies, ids, &turning), spun = turning;
        const double start = before;
        for (int s = 0; s < steps; s++) {
            assert_int_equal(cm_dynamics_step(bodies, sixtieth), CM_OK);
            const double now = energy_of(bodies, ids, &turning), rounding = 64 * (double)CM_REAL_EPSILON * start;
            spun = fmax(spun, turning);
            most = fmax(most, (now - before) / start);
            const double lifted = 10 * overlap_of(world) + slow;
            check_that(now <= start + rounding + spun, "scene %d, %s of kind %d, step %d: %.12g, of %.12g at first", i,
                       order_names[order], kind, s, now, start);
            check_that(now <= before + rounding + lifted + spun,
                       "scene %d, %s of kind %d, step %d: %.12g, was %.12g, lifts %g", i, order_names[order], kind, s,
                       now, before, lifted);
            above = fmax(above, (now - start) / start);
            kept += now > before * (1 - 1e-3), braked += now <= before * (1 - 1e-3);
            before = now;
        }
        take_down(world, bodies);
    }
    check_that(kept > braked && braked > 0, "%d steps kept it, %d lost some", kept, braked); /* not by standing still */
    promise_seen("No pile, column or crowd has more energy than at its start (steps)", kept + braked, "%.1g of it more",
                 fmax(above, 0));
    printf("  %d steps kept the energy, %d lost some; the most that one gained %.2g of it\n", kept, braked, most);
    kit_free(&kit);
    cm_mesh_destroy(plate, NULL);
}

/* Rows of equal cubes, each a mesh whose faces are cut by chance, or a box: some come and run into those that stand,
 * flush with each other, without loss. What one body owes for an impact, and has given away since, the others pay. */
static double row_gain(int standing, int coming, form_kind kind, double speed, rng *r) {
    enum { ROW_MOST = 8, ROW_STEPS = 90 };
    const cm_real half = CM_REAL(0.5), v = CM_REAL(speed);
    const uint32_t axis = rng_below(r, 3);
    const bool back = rng_below(r, 2);
    cm_world *world;
    cm_dynamics *bodies;
    uint32_t ids[ROW_MOST];
    double start = 0, most = 0;
    form f;
    form_box(&f, kind, cm_v(half, half, half), r);
    set_up(NULL, NULL, &world, &bodies);
    for (int i = 0; i < standing + coming; i++) {
        const double place = (back ? -1 : 1) * (i < coming ? i - 1.0 : i), goes = i < coming ? (back ? -1 : 1) : 0;
        const cm_vec3 along = cm_v(axis == 0, axis == 1, axis == 2);
        const cm_body_desc body = {.mass = 1,
                                   .velocity = cm_scale(along, v * CM_REAL(goes)),
                                   .restitution = 1,
                                   .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
        const cm_world_sweep_mode sweep = i % 2 ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
        ids[i] = put_object(world, bodies, f.shape, cm_scale(along, CM_REAL(place)), &body, sweep);
    }
    for (int step = 0; step <= ROW_STEPS; step++) {
        double sum = 0;
        for (int i = 0; i < standing + coming; i++) sum += (double)body_state(bodies, ids[i]).energy;
        if (step == 0) start = sum;
        most = fmax(most, sum / start - 1);
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
    }
    take_down(world, bodies);
    form_free(&f);
    return most;
}

static void rows_of_meshes_gain_no_energy(void **state) {
    (void)state;
    static const form_kind kinds[] = {FORM_MESH_12, FORM_MESH_12, FORM_MESH_12, FORM_BOX, FORM_HULL, FORM_HALVES};
    rng r = rng_start("rows", 2723);
    double most = 0;
    for (int i = 0; i < samples(60, 1200); i++) {
        const int coming = 1 + (int)rng_below(&r, 2), standing = 2 + (int)rng_below(&r, 4);
        const double speed = rng_below(&r, 2) ? 2 : 10, gain = row_gain(standing, coming, kinds[i % 6], speed, &r);
        most = fmax(most, gain);
        check_that(gain < 1e-4, "%d: %d cubes, %s, ran into %d at %g: their energy grew by %g of it", i, coming,
                   form_names[kinds[i % 6]], standing, speed, gain);
    }
    printf("  by %.3g of it at most\n", most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scene_gains_energy),
        cmocka_unit_test(rows_of_meshes_gain_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
