/* The cloth of the example, smaller: it passes neither what it falls on nor itself, by other means than the sweep. */
#include "oracle/rational.h"
#include "support/support.h"

#define main example_main
#include "../../examples/cloth.c"
#undef main

/* Triangles that share a corner or an edge meet there and nowhere else, but are not asked; all others are apart. Exact.
 */
static int crossings(const cloth *c) {
    const uint32_t count = cm_mesh_triangle_count(c->mesh);
    int found = 0;
    for (uint32_t t = 0; t < count; t++) {
        uint32_t p[3], q[3];
        double a[3][3], b[3][3];
        cm_mesh_corners(c->mesh, t, p);
        cm_aabb box = cm_aabb_empty();
        for (int k = 0; k < 3; k++) {
            const cm_vec3 v = c->at[p[k]];
            box = cm_aabb_add_point(box, v);
            a[k][0] = (double)v.x, a[k][1] = (double)v.y, a[k][2] = (double)v.z;
        }
        for (uint32_t s = t + 1; s < count; s++) {
            cm_mesh_corners(c->mesh, s, q);
            bool shared = false;
            cm_aabb other = cm_aabb_empty();
            for (int k = 0; k < 3; k++) {
                const cm_vec3 v = c->at[q[k]];
                other = cm_aabb_add_point(other, v);
                b[k][0] = (double)v.x, b[k][1] = (double)v.y, b[k][2] = (double)v.z;
                shared = shared || q[k] == p[0] || q[k] == p[1] || q[k] == p[2];
            }
            if (!shared && cm_aabb_overlaps(&box, &other))
                found += oracle_triangles_overlap((const double(*)[3])a, (const double(*)[3])b);
        }
    }
    return found;
}

static void a_cloth_passes_nothing(void **state) {
    (void)state;
    const int deep = samples(0, 1), steps = deep ? 1000 : 160; /* all of them: it has to fall */
    cloth c;
    assert_true(cloth_make(&c, 11));
    cm_real least = CM_REAL_MAX;
    for (int step = 0; step < steps; step++) {
        check_that(cloth_step(&c, CM_REAL(0.005), NULL), "step %d failed", step);
        const cm_real gap = cloth_gap(&c);
        check_that(gap > THICK * (1 - 16 * CM_REAL_EPSILON) - 4 * CM_REAL_EPSILON, "step %d: a gap of %.9g", step,
                   (double)gap);
        least = cm_min(least, gap);
        if (step % 50 == 49) check_that(crossings(&c) == 0, "step %d: the cloth crosses itself", step);
    }
    check_that(c.contacts > 300 && least < 2 * THICK, "%ld contacts, least gap %g: it fell on nothing", c.contacts,
               (double)least);
    promise_seen("A cloth that falls over a ball and a box passes neither them nor itself, by other means (steps)",
                 steps, "gap at least %.3f of its thickness", (double)(least / THICK));
    cm_aabb box = cm_aabb_empty(); /* it hangs over something and down to the floor */
    for (uint32_t i = 0; i < c.points; i++) box = cm_aabb_add_point(box, c.at[i]);
    check_that(box.max.z > CM_REAL(0.5) && box.min.z < CM_REAL(0.3), "from %g to %g", (double)box.min.z,
               (double)box.max.z);
    cloth_free(&c);
}

/* Folded once, without springs that would unfold it, it falls on itself, upper half faster. */
static void a_cloth_does_not_pass_itself(void **state) {
    (void)state;
    cloth c;
    assert_true(cloth_make(&c, 10));
    for (uint32_t i = 0; i < c.points; i++) {
        const cm_real x = c.at[i].x;
        c.at[i] = cm_v(-cm_abs(x), c.at[i].y, CM_REAL(1.1) + (x > 0 ? cm_min(x, CM_REAL(0.2)) : 0));
        c.velocity[i].z = x > 0 ? -2 * cm_min(5 * x, 1) : 0;
    }
    c.spring_count = 0;
    for (int step = 0; step < 41; step++) {
        check_that(cloth_step(&c, CM_REAL(0.005), NULL), "step %d failed", step);
        if (step % 5 == 0) check_that(crossings(&c) == 0, "step %d: the cloth crosses itself", step);
    }
    cloth_free(&c);
}

/* The same bytes from threads. */
static void a_cloth_on_threads(void **state) {
    (void)state;
    cloth one, more;
    cm_pool *pool = NULL;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    assert_true(cloth_make(&one, 8));
    assert_true(cloth_make(&more, 8));
    for (int step = 0; step < 80; step++) {
        assert_true(cloth_step(&one, CM_REAL(0.005), NULL));
        assert_true(cloth_step(&more, CM_REAL(0.005), &tasks));
    }
    check_that(one.contacts > 0 && one.contacts == more.contacts, "%ld and %ld contacts", one.contacts, more.contacts);
    assert_memory_equal(one.at, more.at, one.points * sizeof *one.at);
    cloth_free(&one), cloth_free(&more);
    cm_pool_destroy(pool);
}

int main(void) {
    (void)example_main;
    (void)cloth_write;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_passes_nothing),
        cmocka_unit_test(a_cloth_does_not_pass_itself),
        cmocka_unit_test(a_cloth_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
