/* The table of methods: every pair of kinds has one, and what moves is measured by it as what rests. */
#include "support/support.h"

#include "pair/method.h"
#include "sweep/moving_pair.h"

static void every_pair_has_a_method(void **state) {
    (void)state;
    for (int a = 0; a < CM_SHAPE_KINDS; a++)
        for (int b = a; b < CM_SHAPE_KINDS; b++) {
            const cm__method *m = cm__method_of((cm_kind)a, (cm_kind)b);
            const bool composite = cm__ops((cm_kind)b)->parts != NULL;
            check_that(m != NULL, "%s and %s have no method", cm_kind_name((cm_kind)a), cm_kind_name((cm_kind)b));
            const bool closed = m->overlap && m->gap && !m->search && !m->distance && !m->contacts;
            const bool searches = m->search && m->gap && !m->overlap && !m->contact && !m->distance && !m->contacts;
            const bool walks = m->overlap && m->distance && m->contacts && !m->gap && !m->contact && !m->search;
            check_that(composite ? walks : closed || searches, "%s and %s: not as the table of method.h says",
                       cm_kind_name((cm_kind)a), cm_kind_name((cm_kind)b));
            const bool sure = (m->sure != NULL) == (m->contact_sure != NULL) && (!m->sure || (a == b && closed));
            check_that(sure && (closed || (!m->contact_direct && !m->distance_direct)),
                       "%s and %s: a shortcut that is none", cm_kind_name((cm_kind)a), cm_kind_name((cm_kind)b));
        }
}

static cm_shape method_shape(rng *r, cm_kind kind) {
    const cm_real x = CM_REAL(rng_range(r, 0.3, 1)), y = CM_REAL(rng_range(r, 0.3, 1));
    cm_shape s = cm_make_point(cm_v(0, 0, 0));
    if (kind == CM_SHAPE_SEGMENT) s = cm_make_segment(rng_vec3(r, 1), rng_vec3(r, 1));
    if (kind == CM_SHAPE_TRIANGLE) s = cm_make_triangle(rng_vec3(r, 1), rng_vec3(r, 1), rng_vec3(r, 1));
    if (kind == CM_SHAPE_BOX) s = cm_make_box(cm_v(x, y, CM_REAL(0.5)));
    if (kind == CM_SHAPE_CYLINDER) s = cm_make_cylinder(x, y);
    if (kind == CM_SHAPE_CONE) s = cm_make_cone(x, y);
    if (kind == CM_SHAPE_ELLIPSOID) s = cm_make_ellipsoid(cm_v(x, y, CM_REAL(0.5)));
    if (kind <= CM_SHAPE_TRIANGLE || rng_below(r, 2)) s.radius = CM_REAL(rng_range(r, 0.01, 0.3));
    return s;
}

/* In either order, deep and apart: the signed distance of the pair's own method, and points and normal that show it. */
static void what_moves_is_measured_as_what_rests(void **state) {
    (void)state;
    rng r = rng_start("method", 3);
    for (int i = 0; i < samples(20000, 1000000); i++) {
        const cm_shape a = method_shape(&r, (cm_kind)rng_below(&r, CM_SHAPE_HULL));
        const cm_shape b = method_shape(&r, (cm_kind)rng_below(&r, CM_SHAPE_HULL));
        cm_motion ma = {.start = rng_pose(&r, 1)}, mb = {.start = rng_pose(&r, 1)};
        cm__moving_pair p;
        cm__moving_gap at;
        cm__gap gap;
        cm__moving_pair_of(&a, &ma, &b, &mb, &p);
        cm__moving_gap_at(&p, 0, &at);
        const bool swapped = b.kind < a.kind;
        const cm__frame in_order =
            swapped ? frame_between(&p.b.start, &p.a.start) : frame_between(&p.a.start, &p.b.start);
        const cm_shape *first = swapped ? &b : &a, *second = swapped ? &a : &b;
        const cm__method *method = cm__method_of(first->kind, second->kind);
        const double off = method_searches(method) ? 1e-7 : 1e-13; /* where a search ends depends on where it starts */
        method->gap(first, second, &in_order, &gap);
        check_that(fabs(at.distance - gap.distance) <= off, "%d: %s and %s: %.17g in motion, %.17g at rest", i,
                   cm_kind_name(a.kind), cm_kind_name(b.kind), at.distance, gap.distance);
        const double along = cm__moving_along(&p, 0, at.normal);
        check_that(fabs(along - at.distance) <= 1e-9 + off, "%d: %s and %s: distance %.17g, along the normal %.17g", i,
                   cm_kind_name(a.kind), cm_kind_name(b.kind), at.distance, along);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_has_a_method),
                                       cmocka_unit_test(what_moves_is_measured_as_what_rests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
