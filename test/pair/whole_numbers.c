/* Bodies of whole numbers. A whole gap apart along an axis: a margin of just that gap has a contact, in either order,
 * and one some ulps less has none; touch overlaps. Nothing here rounds but that. And plain structs that touch. */
#include "support/clouds.h"

#include <math.h>

enum { KINDS = 7 };

/* A body that reaches from -half to half along each axis, or less in one or two that are not `axis`. */
static cm_shape body_of(int kind, int half, int axis, cm_hull *cube) {
    const cm_real h = (cm_real)half, r = 1;
    cm_vec3 a = cm_v(0, 0, 0), b = a, c = a;
    ((cm_real *)&a)[axis] = -h, ((cm_real *)&b)[axis] = h, ((cm_real *)&c)[(axis + 1) % 3] = h;
    switch (kind) {
    case 0:
        return cm_make_box(cm_v(h, h, h));
    case 1:
        return cm_make_rounded_box(cm_v(h - r, h - r, h - r), r);
    case 2:
        return cm_make_sphere(cm_v(0, 0, 0), h);
    case 3:
        return cm_make_segment(a, b);
    case 4:
        return cm_make_capsule(cm_scale(a, (h - r) / h), cm_scale(b, (h - r) / h), r);
    case 5:
        return cm_make_triangle(a, b, c);
    }
    return cm_make_hull(cube);
}

static void a_margin_of_just_the_gap_has_a_contact(void **state) {
    (void)state;
    rng r = rng_start("margins", 311);
    cm_hull *cube[4] = {NULL};
    for (int half = 1; half < 4; half++) {
        cm_vec3 p[8];
        const cm_real h = (cm_real)half;
        for (int i = 0; i < 8; i++) p[i] = cm_v(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h);
        cube[half] = hull_of(p, 8);
    }
    for (int i = 0, count = samples(20000, 2000000); i < count; i++) {
        const int axis = (int)rng_below(&r, 3), half[2] = {1 + (int)rng_below(&r, 3), 1 + (int)rng_below(&r, 3)};
        const int gap = rng_below(&r, 3) ? (int)rng_below(&r, 5) : 0, side = rng_below(&r, 2) ? 1 : -1;
        cm_shape s[2];
        for (int k = 0; k < 2; k++) s[k] = body_of((int)rng_below(&r, KINDS), half[k], axis, cube[half[k]]);
        cm_pose at[2] = {cm_pose_identity(), cm_pose_identity()};
        cm_vec3 place = cm_v(0, 0, 0); /* the same for both, so that it is no more than a shift */
        for (int k = 0; k < 3; k++) ((cm_real *)&place)[k] = (cm_real)((int)rng_below(&r, 9) - 4);
        at[0].position = at[1].position = place;
        ((cm_real *)&at[1].position)[axis] += (cm_real)(side * (half[0] + half[1] + gap));
        for (int k = 0; k < 2; k++) {
            const cm_shape *a = &s[k], *b = &s[!k];
            const cm_pose *pa = &at[k], *pb = &at[!k];
            const cm_real margin = (cm_real)gap, less = margin * (1 - 16 * CM_REAL_EPSILON);
            cm_manifold m;
            cm_witness w;
            const bool overlap = cm_overlap(a, pa, b, pb);
            const cm_real d = cm_distance(a, pa, b, pb, CM_REAL_MAX, &w);
            check_that(overlap == (gap == 0) && d == margin, "%d, %s and %s: overlap %d, distance %.17g for %d", i,
                       cm_kind_name(a->kind), cm_kind_name(b->kind), overlap, (double)d, gap);
            check_that(cm_distance(a, pa, b, pb, margin, NULL) == margin, "%d: not within its own distance", i);
            check_that(cm_contact(a, pa, b, pb, margin, &m, 1) == 1, "%d, %s and %s, radii %g and %g: none at %d", i,
                       cm_kind_name(a->kind), cm_kind_name(b->kind), (double)a->radius, (double)b->radius, gap);
            cm_real deepest = -CM_REAL_MAX;
            for (int n = 0; n < m.count; n++) deepest = cm_max(deepest, m.points[n].depth);
            check_that(deepest == -margin, "%d, %s and %s: depth %.17g for %d", i, cm_kind_name(a->kind),
                       cm_kind_name(b->kind), (double)deepest, -gap);
            check_that((double)((cm_real *)&m.normal)[axis] * (k ? -side : side) > 1 - 1e-6 || gap == 0,
                       "%d, %s and %s: normal %g %g %g", i, cm_kind_name(a->kind), cm_kind_name(b->kind),
                       (double)m.normal.x, (double)m.normal.y, (double)m.normal.z);
            if (gap > 0)
                check_that(cm_contact(a, pa, b, pb, less, &m, 1) == 0,
                           "%d, %s and %s, radii %g and %g: at less than %d", i, cm_kind_name(a->kind),
                           cm_kind_name(b->kind), (double)a->radius, (double)b->radius, gap);
        }
    }
    for (int half = 1; half < 4; half++) cm_hull_destroy(cube[half], NULL);
}

static cm_vec3 whole_point(rng *r, int range, cm_real unit, cm_vec3 origin) {
    cm_real p[3];
    for (int k = 0; k < 3; k++) p[k] = (cm_real)((int)rng_below(r, 2 * (uint32_t)range + 1) - range) * unit;
    return cm_add(origin, cm_v(p[0], p[1], p[2]));
}

/* Does cm_overlap say this, or are the two, of some radius, as far apart as rounding? */
static bool is_said(bool met, const cm_shape *a, const cm_shape *b) {
    const cm_pose home = cm_pose_identity();
    if (cm_overlap(a, &home, b, &home) == met) return true;
    const double d = (double)cm_distance(a, &home, b, &home, CM_REAL_MAX, NULL);
    return a->radius + b->radius > 0 && fabs(d) < 1e-12;
}

/* Points, segments, triangles, balls and capsules of few whole numbers: many touch exactly, in one plane or across. The
 * functions on plain structs decide as cm_overlap does, which without radii is exact; distances are 0 where they do. */
static void plain_structs_that_touch_are_decided_as_shapes(void **state) {
    (void)state;
    rng r = rng_start("plain structs of whole numbers", 312);
    const cm_pose home = cm_pose_identity();
    long touch = 0;
    for (int i = 0, count = samples(50000, 5000000); i < count; i++) {
        const int range = rng_below(&r, 2) ? 3 : 7;
        const cm_real unit = rng_below(&r, 2) ? 1 : CM_REAL(0.001) * (cm_real)(1 + rng_below(&r, 9));
        const cm_vec3 origin = rng_below(&r, 2) ? cm_v(0, 0, 0) : whole_point(&r, 1000, 1, cm_v(0, 0, 0));
        cm_vec3 p[5];
        for (int k = 0; k < 5; k++) p[k] = whole_point(&r, range, unit, origin);
        if (rng_below(&r, 2))
            for (int k = 1; k < 5; k++) p[k].z = p[0].z;
        if (rng_below(&r, 3) == 0) p[0] = cm_scale(cm_add(p[1], p[2]), CM_REAL(0.5));
        const cm_real none = rng_below(&r, 2) ? 0 : (cm_real)rng_below(&r, 6) * unit;
        const cm_real other = rng_below(&r, 2) ? 0 : (cm_real)rng_below(&r, 6) * unit;
        const cm_sphere ball = {p[0], none};
        const cm_capsule first = {p[1], p[2], other}, second = {p[3], p[4], none};
        const cm_triangle flat = {p[1], p[2], p[3]};
        const cm_segment of_first = {p[1], p[2]}, of_second = {p[3], p[4]};
        const cm_shape s_ball = cm_make_sphere(p[0], none), s_first = cm_make_capsule(p[1], p[2], other),
                       s_second = cm_make_capsule(p[3], p[4], none), s_flat = cm_make_triangle(p[1], p[2], p[3]),
                       point = cm_make_point(p[0]), line = cm_make_segment(p[1], p[2]),
                       across = cm_make_segment(p[3], p[4]);
        cm_manifold m;
        check_that(is_said(cm_overlap_sphere_capsule(&ball, &first), &s_ball, &s_first), "%d: ball and capsule", i);
        check_that(is_said(cm_overlap_capsule_capsule(&first, &second), &s_first, &s_second), "%d: capsules", i);
        check_that(is_said(cm_contact_capsule_capsule(&first, &second, &m), &s_first, &s_second), "%d: capsules", i);
        check_that(is_said(cm_overlap_sphere_triangle(&ball, &flat), &s_ball, &s_flat), "%d: ball and triangle", i);
        check_that(is_said(cm_contact_sphere_triangle(&ball, &flat, &m), &s_ball, &s_flat), "%d: ball and triangle", i);
        check_that(is_said(cm_overlap_point_capsule(p[0], &first), &point, &s_first), "%d: point and capsule", i);
        const bool on_line = cm_overlap(&point, &home, &line, &home),
                   crossed = cm_overlap(&line, &home, &across, &home), on_flat = cm_overlap_point_triangle(p[0], &flat);
        check_that((cm_distance_point_segment(p[0], &of_first, NULL) <= 0) == on_line, "%d: on it %d", i, on_line);
        check_that((cm_distance_point_triangle(p[0], &flat, NULL) <= 0) == on_flat, "%d: on it %d", i, on_flat);
        check_that((cm_distance_segment_segment(&of_first, &of_second, NULL) <= 0) == crossed, "%d: crossed %d", i,
                   crossed);
        touch += on_line + on_flat + crossed;
    }
    check_that(touch > samples(50000, 5000000) / 4, "only %ld touch", touch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_margin_of_just_the_gap_has_a_contact),
        cmocka_unit_test(plain_structs_that_touch_are_decided_as_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
