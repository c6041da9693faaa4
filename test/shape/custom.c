/* The caller's own convex shape: a box, an ellipsoid and a cylinder told by their support functions answer as the
 * library's own do; a function that lies or fails is survived. */
#include "support/meshes.h"
#include "support/specimen.h"

#include <math.h>

#if defined(CAROM_F64)
#define NEAR 1e-7
#else
#define NEAR 2e-5
#endif

static void box_support(const void *user, const double d[3], double p[3]) {
    const double *h = user;
    for (int i = 0; i < 3; i++) p[i] = d[i] > 0 ? h[i] : -h[i];
}
static void egg_support(const void *user, const double d[3], double p[3]) {
    const double *h = user;
    double m = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2]))), x = d[0] / m * h[0], y = d[1] / m * h[1],
           z = d[2] / m * h[2];
    double l = sqrt(x * x + y * y + z * z);
    p[0] = h[0] * x / l, p[1] = h[1] * y / l, p[2] = h[2] * z / l;
}
static void drum_support(const void *user, const double d[3], double p[3]) {
    const double *h = user; /* radius, -, half height */
    double m = fmax(fabs(d[0]), fabs(d[1])), x = m > 0 ? d[0] / m : 1, y = m > 0 ? d[1] / m : 0;
    double l = sqrt(x * x + y * y);
    p[0] = h[0] * x / l, p[1] = h[0] * y / l, p[2] = d[2] > 0 ? h[2] : -h[2];
}
static void nan_support(const void *user, const double d[3], double p[3]) {
    const double *when = user; /* NaN but along x, infinite, far away, as told */
    (void)d;
    for (int i = 0; i < 3; i++) p[i] = *when == 0 ? (double)NAN : *when == 1 ? (double)INFINITY : 1e30;
}
static void late_nan_support(const void *user, const double d[3], double p[3]) {
    (void)user;
    bool along_x = d[0] > 0 && d[1] == 0 && d[2] == 0;
    for (int i = 0; i < 3; i++) p[i] = along_x ? 0.5 : (double)NAN;
}
static void liar_support(const void *user, const double d[3], double p[3]) { /* the nearest instead of the farthest */
    (void)user;
    for (int i = 0; i < 3; i++) p[i] = d[i] > 0 ? -0.5 : 0.5;
}

typedef struct twin {
    cm_shape own, custom;
    double half[3];
} twin;

static void twin_start(twin *t, rng *r) {
    for (int i = 0; i < 3; i++) t->half[i] = (double)(cm_real)rng_range(r, 0.2, 1);
    double *h = t->half;
    cm_real size = CM_REAL(sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2])), radius = 0;
    if (rng_below(r, 3) == 0) radius = CM_REAL(rng_range(r, 0, 0.5));
    switch (rng_below(r, 3)) {
    case 0:
        t->own = cm_make_box(cm_v((cm_real)h[0], (cm_real)h[1], (cm_real)h[2]));
        t->custom = cm_make_custom(box_support, h, cm_v(0, 0, 0), size);
        break;
    case 1:
        t->own = cm_make_ellipsoid(cm_v((cm_real)h[0], (cm_real)h[1], (cm_real)h[2]));
        t->custom = cm_make_custom(egg_support, h, cm_v(0, 0, 0), size);
        break;
    default:
        t->own = cm_make_cylinder((cm_real)h[0], (cm_real)h[2]);
        t->custom = cm_make_custom(drum_support, h, cm_v(0, 0, 0), size);
        break;
    }
    t->own.radius = t->custom.radius = radius;
}

static void a_shape_told_by_its_support_answers_as_the_shape_itself(void **state) {
    (void)state;
    rng r = rng_start("custom twins", 31);
    int overlaps = 0, hits = 0, sweeps = 0, count = samples(10000, 1000000);
    for (int i = 0; i < count; i++) {
        twin t, u;
        twin_start(&t, &r), twin_start(&u, &r);
        cm_pose a = rng_pose(&r, 1), b = rng_pose(&r, 1);
        const cm_shape *second = rng_below(&r, 2) ? &u.custom : &u.own;
        cm_witness w, x;
        cm_real own = cm_distance(&t.own, &a, &u.own, &b, CM_REAL_MAX, &w);
        cm_real told = cm_distance(&t.custom, &a, second, &b, CM_REAL_MAX, &x);
        double tolerance = own > 0 ? NEAR : 3e-3; /* depths of curved shapes: as cm_distance states */
        check_that(fabs((double)(own - told)) <= tolerance, "%d: %g, told %g", i, (double)own, (double)told);
        check_that(cm_overlap(&t.custom, &a, second, &b) == (told <= 0), "%d: %g", i, (double)told);
        overlaps += told <= 0;
        cm_manifold m;
        int found = cm_contact(&t.custom, &a, second, &b, CM_REAL(0.01), &m, 1);
        check_that(found == (told <= CM_REAL(0.01)), "%d: %d contacts at %g", i, found, (double)told);
        cm_ray ray = {cm_scale(rng_direction(&r), 4), rng_vec3(&r, 1), CM_REAL_MAX};
        ray.direction = cm_sub(cm_add(a.position, cm_scale(ray.direction, CM_REAL(0.5))), ray.origin);
        cm_ray_hit h, g;
        bool hit = cm_raycast(&ray, &t.own, &a, &h), hit_told = cm_raycast(&ray, &t.custom, &a, &g);
        if (hit && hit_told && cm_dot(h.normal, ray.direction) < CM_REAL(-0.3) * cm_length(ray.direction))
            check_that(fabs((double)(h.t - g.t)) <= NEAR, "%d: t %g, told %g", i, (double)h.t, (double)g.t);
        check_that(hit == hit_told || fabs((double)cm_dot(h.normal, ray.direction)) < 0.1, "%d: hit %d, told %d", i,
                   hit, hit_told);
        hits += hit_told;
        if (i % 10) continue;
        cm_motion ma = {a, cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0)}, mb = ma;
        mb.start = b;
        mb.start.position = cm_add(a.position, cm_scale(rng_direction(&r), 5));
        mb.move = cm_scale(cm_sub(a.position, mb.start.position), CM_REAL(1.5));
        cm_sweep_hit s, q;
        assert_true(cm_sweep(&t.own, &ma, &u.own, &mb, &s) && cm_sweep(&t.custom, &ma, second, &mb, &q));
        check_that(fabs((double)(s.first - q.first)) <= NEAR, "%d: first %g, told %g", i, (double)s.first,
                   (double)q.first);
        sweeps++;
    }
    print_message("  %d overlaps, %d ray hits, %d sweeps of %d\n", overlaps, hits, sweeps, count);
    assert_true(overlaps > count / 10 && hits > count / 10);
}

static void its_box_and_a_half_space_see_it(void **state) {
    (void)state;
    const double half[3] = {1, 2, 3};
    cm_shape s = cm_make_custom(box_support, half, cm_v(0, 0, 0), 4), ground = cm_make_halfspace(cm_v(0, 0, 1), 0);
    cm_pose at = {cm_v(10, 0, 5), cm_quat_identity()}, home = cm_pose_identity();
    cm_aabb box;
    s.radius = CM_REAL(0.5);
    cm_shape_bounds(&s, &at, &box);
    check_that(box.min.x <= CM_REAL(8.5) && box.min.x > CM_REAL(8.499) && box.max.z >= CM_REAL(8.5), "%g %g",
               (double)box.min.x, (double)box.max.z);
    cm_real d = cm_distance(&s, &at, &ground, &home, CM_REAL_MAX, NULL);
    check_that(fabs((double)d - 1.5) < 1e-6, "%g", (double)d);
}

static void a_bad_support_is_refused_at_the_first_look(void **state) {
    (void)state;
    cm_error error = {CM_OK, NULL, 0};
    const double when[3] = {0, 1, 2};
    const cm_status want[3] = {CM_NOT_FINITE, CM_NOT_FINITE, CM_INVALID};
    cm_pose home = cm_pose_identity();
    cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    for (int i = 0; i < 3; i++) {
        cm_shape s = cm_make_custom(nan_support, &when[i], cm_v(0, 0, 0), 1);
        check_that(cm_shape_check(&s, &error) == want[i] && strcmp(error.field, "support") == 0, "%d: %s", i,
                   cm_status_text(error.status));
        assert_false(cm_overlap(&s, &home, &ball, &home));
        assert_true(cm_distance(&s, &home, &ball, &home, CM_REAL_MAX, NULL) == CM_REAL_MAX);
    }
    const double half[3] = {1, 1, 1};
    cm_shape s = cm_make_custom(NULL, NULL, cm_v(0, 0, 0), 1);
    assert_int_equal(cm_shape_check(&s, NULL), CM_INVALID);
    s = cm_make_custom(box_support, half, cm_v((cm_real)NAN, 0, 0), 2);
    assert_int_equal(cm_shape_check(&s, NULL), CM_NOT_FINITE);
    s = cm_make_custom(box_support, half, cm_v(0, 0, 0), -1);
    assert_int_equal(cm_shape_check(&s, NULL), CM_INVALID);
}

/* What it answers then is of no matter; that it answers, with numbers, is. */
static void a_support_that_fails_later_or_lies_ends_no_search_badly(void **state) {
    (void)state;
    rng r = rng_start("bad supports", 32);
    const cm_shape bad[2] = {cm_make_custom(late_nan_support, NULL, cm_v(0, 0, 0), 1),
                             cm_make_custom(liar_support, NULL, cm_v(0, 0, 0), 1)};
    for (int i = 0; i < samples(3000, 300000); i++) {
        twin t;
        twin_start(&t, &r);
        cm_shape s = bad[i & 1];
        if (rng_below(&r, 2)) s.radius = CM_REAL(0.3);
        cm_pose a = rng_pose(&r, 1), b = rng_pose(&r, 1);
        cm_witness w;
        cm_manifold m;
        cm_ray_hit h;
        cm_sweep_hit q;
        cm_real d = cm_distance(&s, &a, &t.own, &b, CM_REAL_MAX, &w);
        check_that(fabs((double)d) < 100 && cm_vec3_is_valid(w.point_a) && cm_vec3_is_valid(w.normal), "%g", (double)d);
        cm_overlap(&s, &a, &t.custom, &b);
        if (cm_contact(&s, &a, &t.own, &b, 1, &m, 1)) assert_true(m.count >= 1 && cm_vec3_is_valid(m.normal));
        cm_ray ray = {cm_scale(rng_direction(&r), 4), rng_direction(&r), CM_REAL_MAX};
        if (cm_raycast(&ray, &s, &a, &h)) assert_true(h.t >= 0 && h.exit >= h.t && cm_vec3_is_valid(h.normal));
        cm_motion ma = {a, rng_vec3(&r, 5), cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0)},
                  mb = {b, rng_vec3(&r, 5), cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0)};
        if (cm_sweep(&s, &ma, &t.own, &mb, &q)) assert_true(q.first >= 0 && q.first <= q.last && q.last <= 1);
    }
}

/* Everything that a support function may say but the truth, by the number that `user` points to. */
static void wild_support(const void *user, const double d[3], double p[3]) {
    const int kind = *(const int *)user;
    uint64_t bits = 0x9e3779b97f4a7c15u * (uint64_t)kind;
    for (int i = 0; i < 3; i++) {
        uint64_t word;
        memcpy(&word, &d[i], sizeof word);
        bits = (bits ^ word) * 0xbf58476d1ce4e5b9u, bits ^= bits >> 29;
    }
    for (int i = 0; i < 3; i++) {
        const double noise = (double)(bits >> 40 & 0xffff) / 65536 - 0.5;
        bits = bits * 0x94d049bb133111ebu + 1;
        p[i] = 0.5;                                               /* 0: always the same */
        if (kind == 1) p[i] = noise;                              /* any, but the same for the same direction */
        if (kind == 2) p[i] = bits >> 61 ? noise : (double)NAN;   /* NaN now and then, */
        if (kind == 3) p[i] = bits >> 61 ? noise : -HUGE_VAL;     /* infinite, */
        if (kind == 4) p[i] = bits >> 61 ? noise : 1e300;         /* far away */
        if (kind == 5) p[i] = -d[i];                              /* the other way, as long as the direction is */
        if (kind == 6) p[i] = d[i] * 0.5;                         /* not of its length only */
        if (kind == 7) p[i] = d[i] > 0 ? 1e-320 : -1e-320;        /* too small for its square */
        if (kind == 8) p[i] = i == (int)(bits % 3) ? 0.5 : noise; /* on three planes */
        if (kind == 9) p[i] = d[i] > 0.1 ? 0.5 : d[i] < -0.1 ? -0.5 : noise * 1e-9;
    }
    if (d[0] > 0 && d[1] == 0 && d[2] == 0) p[0] = 0.5, p[1] = p[2] = 0; /* what the first look sees */
}
enum { WILD_KINDS = 10 };

static void check_numbers(int i, int kind, const cm_witness *w) {
    bool numbers = cm_vec3_is_valid(w->point_a) && cm_vec3_is_valid(w->point_b) && cm_vec3_is_valid(w->normal) &&
                   cm_abs(w->distance) <= CM_REAL_MAX;
    check_that(numbers && cm_abs(cm_length(w->normal) - 1) < CM_REAL(1e-3), "%d, kind %d: normal %g %g %g at %g", i,
               kind, (double)w->normal.x, (double)w->normal.y, (double)w->normal.z, (double)w->distance);
}

/* Against every kind of shape that there is: a refusal, or numbers and a unit normal. */
static void whatever_a_support_says_the_answers_are_numbers(void **state) {
    (void)state;
    rng r = rng_start("wild supports", 33);
    for (int i = 0; i < samples(6000, 600000); i++) {
        const int kind = (int)rng_below(&r, WILD_KINDS), other = (int)rng_below(&r, WILD_KINDS);
        cm_shape s = cm_make_custom(wild_support, &kind, cm_v(0, 0, 0), rng_below(&r, 3) ? 1 : CM_REAL(0.6));
        if (rng_below(&r, 3) == 0) s.radius = CM_REAL(rng_log_range(&r, 1e-6, 1));
        specimen b;
        specimen_random(&b, (specimen_kind)(i % SPECIMEN_KINDS), rng_range(&r, 0.2, 2), &r);
        cm_shape second = b.shape;
        if (rng_below(&r, 5) == 0) second = cm_make_custom(wild_support, &other, cm_v(0, 0, 0), 1);
        cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 1);
        cm_witness w;
        cm_manifold m[4];
        cm_pair_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int k = 0; k < 2; k++)
            if (cm_distance_cached(&s, &pa, &second, &pb, CM_REAL_MAX, &cache, &w) < CM_REAL_MAX)
                check_numbers(i, kind, &w);
        cm_overlap_cached(&s, &pa, &second, &pb, &cache);
        int count = cm_contact(&s, &pa, &second, &pb, CM_REAL(0.1), m, 4);
        for (int k = 0; k < count && k < 4; k++) {
            check_that(m[k].count >= 1 && cm_vec3_is_valid(m[k].normal), "%d, kind %d", i, kind);
            for (int n = 0; n < m[k].count; n++)
                check_that(cm_vec3_is_valid(m[k].points[n].point_a) && cm_vec3_is_valid(m[k].points[n].point_b) &&
                               cm_abs(m[k].points[n].depth) <= CM_REAL_MAX,
                           "%d, kind %d", i, kind);
        }
        cm_motion ma = {pa, rng_vec3(&r, 5), rng_vec3(&r, rng_below(&r, 2) ? 0 : 3), cm_v(0, 0, 0), cm_v(0, 0, 0)};
        cm_motion mb = {pb, rng_vec3(&r, 5), cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0)};
        cm_sweep_hit q;
        if (cm_sweep(&s, &ma, &second, &mb, &q))
            check_that(q.first >= 0 && q.first <= q.last && q.last <= 1 && cm_vec3_is_valid(q.point) &&
                           cm_vec3_is_valid(q.normal),
                       "%d, kind %d: sweep", i, kind);
        cm_aabb box;
        cm_shape_bounds(&s, &pa, &box);
        check_that(box.min.x <= box.max.x && cm_largest(box.max) < 10, "%d, kind %d: box", i, kind);
        specimen_free(&b);
    }
}

static void origin_support(const void *user, const double d[3], double p[3]) {
    (void)user, (void)d;
    p[0] = p[1] = p[2] = 0;
}

static void a_center_that_is_no_point_of_the_shape_does_not_hide_what_is_near(void **state) {
    (void)state;
    const cm_real points[18] = {3, -1, -1, 3, 1, -1, 3, 0, 1, 5, -1, -1, 5, 1, -1, 5, 0, 1};
    const uint32_t corners[6] = {0, 1, 2, 3, 4, 5};
    cm_mesh *mesh = mesh_of(points, 6, corners, 2, false);
    cm_compound *compound = NULL;
    cm_compound_child child;
    cm_compound_desc desc = {&child, 1};
    memset(&child, 0, sizeof child);
    child.shape = cm_make_mesh(mesh), child.pose = cm_pose_identity();
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    const cm_shape liar = cm_make_custom(origin_support, NULL, cm_v(5, 0, 0), 6);
    const cm_shape others[2] = {cm_make_mesh(mesh), cm_make_compound(compound)};
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < 2; i++) {
        cm_witness w;
        cm_real d = cm_distance(&liar, &home, &others[i], &home, CM_REAL_MAX, &w);
        check_that(cm_abs(d - 3) < CM_REAL(1e-5), "%d: %g", i, (double)d);
        check_that(cm_abs(cm_length(w.normal) - 1) < CM_REAL(1e-5), "%d: %g", i, (double)w.normal.x);
    }
    cm_compound_destroy(compound, NULL);
    cm_mesh_destroy(mesh, NULL);
}

/* A cone of 15 corners: the tip, and 14 of a base that may be flat or nearly so. */
typedef struct plate {
    double corner[15][3];
} plate;

static void plate_support(const void *user, const double d[3], double p[3]) {
    const plate *t = user;
    double best = -HUGE_VAL;
    for (int i = 0; i < 15; i++) {
        const double *c = t->corner[i], along = c[0] * d[0] + c[1] * d[1] + c[2] * d[2];
        if (along > best) best = along, memcpy(p, c, 3 * sizeof *p);
    }
}

/* Directions in order around the normal of such a side may lead to one corner twice. */
static void a_side_that_is_nearly_flat_gives_each_contact_its_own_name(void **state) {
    (void)state;
    rng r = rng_start("custom plates", 47);
    const cm_pose home = cm_pose_identity();
    const cm_shape floor = cm_make_box(cm_v(1, CM_REAL(0.8), CM_REAL(0.5)));
    long points = 0;
    for (int i = 0, count = samples(4000, 400000); i < count; i++) {
        static const double bumps[4] = {0, 2e-5, 5e-5, 2e-4};
        plate t;
        for (int k = 0; k < 14; k++) {
            const double turn = rng_range(&r, 0, 6.2831853), far = rng_range(&r, 0.1, 1);
            t.corner[k][0] = far * cos(turn), t.corner[k][1] = far * sin(turn);
            t.corner[k][2] = bumps[i % 4] * rng_range(&r, -1, 0);
        }
        t.corner[14][0] = t.corner[14][1] = 0, t.corner[14][2] = 1;
        const cm_shape shape = cm_make_custom(plate_support, &t, cm_v(0, 0, 0), CM_REAL(1.01));
        const cm_vec3 at = cm_v(CM_REAL(rng_range(&r, -0.8, 0.8)), CM_REAL(rng_range(&r, -0.8, 0.8)), CM_REAL(0.45));
        const cm_pose pose = {at, cm_quat_identity()};
        cm_manifold m;
        if (cm_contact(&floor, &home, &shape, &pose, 0, &m, 1) == 0) continue;
        for (int k = 0; k < m.count; k++)
            for (int n = 0; n < k; n++)
                check_that(m.points[k].feature_a != m.points[n].feature_a ||
                               m.points[k].feature_b != m.points[n].feature_b,
                           "%d: points %d and %d of %d are %u, %u", i, n, k, m.count, m.points[k].feature_a,
                           m.points[k].feature_b);
        points += m.count;
    }
    print_message("  %ld points\n", points);
    assert_true(points > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_told_by_its_support_answers_as_the_shape_itself),
        cmocka_unit_test(its_box_and_a_half_space_see_it),
        cmocka_unit_test(a_bad_support_is_refused_at_the_first_look),
        cmocka_unit_test(whatever_a_support_says_the_answers_are_numbers),
        cmocka_unit_test(a_center_that_is_no_point_of_the_shape_does_not_hide_what_is_near),
        cmocka_unit_test(a_side_that_is_nearly_flat_gives_each_contact_its_own_name),
        cmocka_unit_test(a_support_that_fails_later_or_lies_ends_no_search_badly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
