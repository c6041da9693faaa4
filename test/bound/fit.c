/* Volumes around points hold all of them in exact arithmetic, and are as small as they say. */
#include "support/support.h"

#include <math.h>

__extension__ typedef __float128 quad; /* 113 bits: exact for the sums and products here, or nearly */

#define MOST 200

static cm_points cloud(rng *r, cm_vec3 *p, uint32_t count, int form) {
    double size = rng_log_range(r, 1e-4, 1e6);
    cm_vec3 at = rng_vec3(r, rng_below(r, 2) ? size : 1000 * size), u = rng_direction(r), v = rng_direction(r);
    for (uint32_t i = 0; i < count; i++) {
        switch (form) {
        case 0:
            p[i] = rng_vec3(r, size);
            break;
        case 1:
            p[i] = cm_scale(rng_direction(r), (cm_real)size);
            break; /* all on a sphere */
        case 2:
            p[i] = cm_add(cm_scale(u, (cm_real)rng_range(r, -size, size)),
                          cm_scale(v, (cm_real)rng_range(r, -size, size)));
            break;
        case 3:
            p[i] = cm_scale(u, (cm_real)rng_range(r, -size, size));
            break; /* on a line */
        case 4:
            p[i] = i && rng_below(r, 2) ? p[rng_below(r, i)] : rng_vec3(r, size);
            break; /* duplicates */
        case 5:
            p[i] = cm_v((cm_real)(i % 4) * (cm_real)size, (cm_real)(i / 4 % 4) * (cm_real)size,
                        (cm_real)(i / 16) * (cm_real)size);
            break;
        case 6:
            p[i] = cm_v(0, 0, 0);
            break;
        default:
            p[i] = cm_v((cm_real)rng_range(r, -size, size), (cm_real)rng_range(r, -size, size) / 30,
                        (cm_real)rng_range(r, -size, size) / 7);
            break;
        }
        p[i] = cm_add(p[i], at);
    }
    cm_points out = {&p[0].x, sizeof p[0], count};
    return out;
}

static bool sphere_holds(const cm_sphere *s, cm_vec3 p) {
    quad x = (quad)p.x - (quad)s->center.x, y = (quad)p.y - (quad)s->center.y, z = (quad)p.z - (quad)s->center.z;
    return x * x + y * y + z * z <= (quad)s->radius * (quad)s->radius;
}

static bool obb_holds(const cm_obb *b, cm_vec3 p) {
    quad d[3] = {(quad)p.x - (quad)b->center.x, (quad)p.y - (quad)b->center.y, (quad)p.z - (quad)b->center.z};
    quad x = (quad)b->rotation.x, y = (quad)b->rotation.y, z = (quad)b->rotation.z, w = (quad)b->rotation.w;
    quad s = 2 / (x * x + y * y + z * z + w * w);
    quad axis[3][3] = {{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                       {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                       {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
    const cm_real half[3] = {b->half.x, b->half.y, b->half.z};
    for (int k = 0; k < 3; k++) {
        quad t = axis[k][0] * d[0] + axis[k][1] * d[1] + axis[k][2] * d[2];
        if ((t < 0 ? -t : t) > (quad)half[k]) return false;
    }
    return true;
}

static bool capsule_holds(const cm_capsule *c, cm_vec3 p) {
    quad a[3] = {(quad)c->a.x, (quad)c->a.y, (quad)c->a.z},
         d[3] = {(quad)c->b.x - a[0], (quad)c->b.y - a[1], (quad)c->b.z - a[2]};
    quad r[3] = {(quad)p.x - a[0], (quad)p.y - a[1], (quad)p.z - a[2]};
    quad dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], t = dd > 0 ? (d[0] * r[0] + d[1] * r[1] + d[2] * r[2]) / dd : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    quad sum = 0;
    for (int k = 0; k < 3; k++) sum += (r[k] - t * d[k]) * (r[k] - t * d[k]);
    return sum <= (quad)c->radius * (quad)c->radius;
}

static double volume_of(const cm_obb *b) { return (double)b->half.x * (double)b->half.y * (double)b->half.z * 8; }

static void every_volume_holds_every_point_exactly(void **state) {
    (void)state;
    rng r = rng_start("clouds", 71);
    static cm_vec3 p[MOST];
    for (int i = 0; i < samples(400, 40000); i++) {
        cm_points points = cloud(&r, p, 1 + rng_below(&r, i % 4 ? 30 : MOST), i % 8);
        cm_sphere exact, box_sphere, mean;
        cm_obb tight, principal;
        cm_capsule capsule;
        cm_aabb box, posed;
        cm_pose pose = rng_pose(&r, 100);
        int supports = cm_fit_sphere(&points, &exact);
        assert_in_range(supports, 1, 4);
        assert_true(cm_fit_sphere_from_box(&points, &box_sphere) && cm_fit_sphere_from_mean(&points, &mean));
        assert_true(cm_fit_obb(&points, &tight) && cm_fit_obb_principal(&points, &principal));
        assert_true(cm_fit_capsule(&points, &capsule) && cm_fit_aabb(&points, &box));
        assert_true(cm_fit_aabb_posed(&points, &pose, &posed));
        for (uint32_t k = 0; k < points.count; k++) {
            check_that(sphere_holds(&exact, p[k]), "form %d: point %u outside the smallest sphere", i % 8, k);
            assert_true(sphere_holds(&box_sphere, p[k]) && sphere_holds(&mean, p[k]));
            check_that(obb_holds(&tight, p[k]) && obb_holds(&principal, p[k]), "form %d: outside a box", i % 8);
            check_that(capsule_holds(&capsule, p[k]), "form %d: outside the capsule", i % 8);
            assert_true(cm_overlap_point_aabb(p[k], &box));
            assert_true(cm_overlap_point_aabb(cm_pose_apply(&pose, p[k]), &posed) || sizeof(cm_real) == 4);
        }
        double slack = 1 + 16 * (double)CM_REAL_EPSILON;
        double least = (double)exact.radius, size = (double)cm_largest(exact.center);
        double rounding = 4 * (double)CM_REAL_EPSILON * (size + least);
        assert_true(least <= (double)box_sphere.radius * slack + rounding);
        assert_true(least <= (double)mean.radius * slack + rounding);
        assert_true((double)box_sphere.radius <= 1.74 * least + rounding &&
                    (double)mean.radius <= 2 * least + rounding);
        cm_obb aligned;
        cm_obb_from_aabb(&box, &aligned);
        double aabb_volume = volume_of(&aligned);
        check_that(volume_of(&tight) <= aabb_volume * (1 + 64 * (double)CM_REAL_EPSILON) + 1e-300 ||
                       volume_of(&tight) <= 1e-5 * least * least * least,
                   "form %d: tight %g, aligned %g", i % 8, volume_of(&tight), aabb_volume);
    }
}

/* The third point is as near to the line as rounding allows, next to never on it. */
static void points_on_a_line_are_held_by_their_capsule(void **state) {
    (void)state;
    rng r = rng_start("points on a line", 52);
    for (int i = 0; i < samples(20000, 1000000); i++) {
        const double size = rng_log_range(&r, 1e-6, 1e6);
        cm_vec3 p[3] = {rng_vec3(&r, size), rng_vec3(&r, size)};
        p[2] = cm_mul_add(p[0], (cm_real)rng_unit(&r), cm_sub(p[1], p[0]));
        const cm_points points = {&p[0].x, sizeof p[0], 3};
        cm_capsule capsule;
        assert_true(cm_fit_capsule(&points, &capsule));
        for (int k = 0; k < 3; k++) check_that(capsule_holds(&capsule, p[k]), "line %d: point %d is outside", i, k);
        check_that((double)capsule.radius <= 256 * (double)CM_REAL_EPSILON * size, "line %d: a radius of %g for %g", i,
                   (double)capsule.radius, size);
    }
}

static void the_smallest_sphere_has_as_few_supports_as_needed(void **state) {
    (void)state;
    cm_sphere s;
    /* a diameter decides: two supports, radius 1, where four points on one sphere would need 7.07 */
    const cm_vec3 two[4] = {{1, 0, 0}, {-1, 0, 0}, {0, CM_REAL(0.1), 0}, {0, 0, CM_REAL(0.1)}};
    cm_points points = {&two[0].x, sizeof two[0], 4};
    assert_int_equal(cm_fit_sphere(&points, &s), 2);
    assert_true(cm_abs(s.radius - 1) < 16 * CM_REAL_EPSILON && cm_largest(s.center) < 16 * CM_REAL_EPSILON);
    /* an equilateral triangle: its circle, sqrt(3)/3 of the side */
    const cm_vec3 three[3] = {{0, 0, 0}, {1, 0, 0}, {CM_REAL(0.5), CM_REAL(0.86602540378443864676), 0}};
    points.data = &three[0].x, points.count = 3;
    assert_int_equal(cm_fit_sphere(&points, &s), 3);
    assert_true(cm_abs(s.radius - CM_REAL(0.57735026918962576451)) < 16 * CM_REAL_EPSILON);
    /* a regular tetrahedron in the unit cube: sqrt(3)/2 */
    const cm_vec3 four[4] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    points.data = &four[0].x, points.count = 4;
    assert_int_equal(cm_fit_sphere(&points, &s), 4);
    assert_true(cm_abs(s.radius - CM_REAL(0.86602540378443864676)) < 16 * CM_REAL_EPSILON);
    const cm_vec3 one[2] = {{5, 6, 7}, {5, 6, 7}};
    points.data = &one[0].x, points.count = 2;
    assert_int_equal(cm_fit_sphere(&points, &s), 1);
    assert_true(s.radius == 0 && s.center.x == 5);
}

/* By brute force over all pairs, triples and quadruples, in double. */
static double smallest_radius(const cm_vec3 *p, int count);
static double through(const double (*q)[3], int n, double c[3]) {
    /* minimise over the affine hull: solve 2 (d_i . d_j) x = |d_i|^2 by elimination */
    double d[3][3], m[3][4];
    for (int i = 0; i < n - 1; i++)
        for (int k = 0; k < 3; k++) d[i][k] = q[i + 1][k] - q[0][k];
    for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - 1; j++) m[i][j] = 2 * (d[i][0] * d[j][0] + d[i][1] * d[j][1] + d[i][2] * d[j][2]);
        m[i][3] = m[i][i] / 2;
    }
    for (int i = 0; i < n - 1; i++) {
        int best = i;
        for (int j = i; j < n - 1; j++)
            if (fabs(m[j][i]) > fabs(m[best][i])) best = j;
        if (!(fabs(m[best][i]) > 1e-12)) return -1;
        for (int k = 0; k < 4; k++) {
            double t = m[i][k];
            m[i][k] = m[best][k], m[best][k] = t;
        }
        for (int j = 0; j < n - 1; j++) {
            if (j == i) continue;
            double f = m[j][i] / m[i][i];
            for (int k = 0; k < 4; k++) m[j][k] -= f * m[i][k];
        }
    }
    double rr = 0;
    for (int k = 0; k < 3; k++) {
        double x = 0;
        for (int i = 0; i < n - 1; i++) x += m[i][3] / m[i][i] * d[i][k];
        c[k] = q[0][k] + x;
        rr += x * x;
    }
    return sqrt(rr);
}
static double smallest_radius(const cm_vec3 *p, int count) {
    double best = 1e300, q[4][3], c[3];
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int e = b; e < count; e++)
                for (int f = e; f < count; f++) {
                    if (e == b && f != b) continue; /* pairs (b b), triples (e e), quadruples */
                    const int pick[4] = {a, b, e, f};
                    int n = e == b ? 2 : f == e ? 3 : 4;
                    for (int i = 0; i < n; i++)
                        q[i][0] = (double)p[pick[i]].x, q[i][1] = (double)p[pick[i]].y, q[i][2] = (double)p[pick[i]].z;
                    double r = through((const double(*)[3])q, n, c);
                    if (r < 0 || r >= best) continue;
                    bool holds = true;
                    for (int i = 0; i < count && holds; i++) {
                        double x = (double)p[i].x - c[0], y = (double)p[i].y - c[1], z = (double)p[i].z - c[2];
                        holds = sqrt(x * x + y * y + z * z) <= r * (1 + 1e-9);
                    }
                    if (holds) best = r;
                }
    return best;
}

static void the_smallest_sphere_is_the_smallest(void **state) {
    (void)state;
    rng r = rng_start("small clouds", 73);
    cm_vec3 p[10];
    for (int i = 0; i < samples(300, 10000); i++) {
        int count = 2 + (int)rng_below(&r, 9);
        for (int k = 0; k < count; k++) p[k] = i % 3 ? rng_vec3(&r, 1) : rng_direction(&r);
        cm_points points = {&p[0].x, sizeof p[0], (uint32_t)count};
        cm_sphere s;
        cm_fit_sphere(&points, &s);
        double want = smallest_radius(p, count);
        check_that(fabs((double)s.radius - want) <= 1e-8 + 8 * (double)CM_REAL_EPSILON,
                   "%d points: %.9g, smallest %.9g", count, (double)s.radius, want);
    }
}

/* The exact smallest box of a small set, nearly: a fine search over rotations from many starts. */
static double box_volume(const cm_vec3 *p, int count, cm_quat q) {
    cm_vec3 low = cm_v(CM_REAL(1e9), CM_REAL(1e9), CM_REAL(1e9)), high = cm_neg(low);
    for (int i = 0; i < count; i++) {
        cm_vec3 x = cm_unrotate(q, p[i]);
        low = cm_vec3_min(low, x), high = cm_vec3_max(high, x);
    }
    cm_vec3 d = cm_sub(high, low);
    return (double)d.x * (double)d.y * (double)d.z;
}
static void the_tight_box_is_within_a_few_percent_of_the_smallest(void **state) {
    (void)state;
    rng r = rng_start("small boxes", 79);
    cm_vec3 p[12];
    double worst = 1, sum = 0;
    int sets = samples(30, 1000);
    for (int i = 0; i < sets; i++) {
        int count = 4 + (int)rng_below(&r, 9);
        for (int k = 0; k < count; k++) p[k] = rng_vec3(&r, 1);
        double best = 1e300;
        for (int start = 0; start < 60; start++) {
            cm_quat q = rng_rotation(&r);
            double v = box_volume(p, count, q);
            for (double step = 0.3; step > 1e-4; step *= 0.6)
                for (int k = 0; k < 12; k++) {
                    cm_quat turn = {(cm_real)rng_range(&r, -step, step), (cm_real)rng_range(&r, -step, step),
                                    (cm_real)rng_range(&r, -step, step), 1};
                    cm_quat trial = cm_quat_mul(cm_quat_normalize(turn), q);
                    double w = box_volume(p, count, trial);
                    if (w < v) v = w, q = trial;
                }
            best = fmin(best, v);
        }
        cm_points points = {&p[0].x, sizeof p[0], (uint32_t)count};
        cm_obb box;
        cm_fit_obb(&points, &box);
        double ratio = volume_of(&box) / best;
        worst = fmax(worst, ratio), sum += ratio;
        check_that(ratio < 1.15, "%d points: %g of the smallest found", count, ratio);
    }
    print_message("tight box over the smallest found: mean %.4f, worst %.4f\n", sum / sets, worst);
    assert_true(sum / sets < 1.02);
}

static void a_turned_box_of_points_is_found(void **state) {
    (void)state;
    rng r = rng_start("turned", 83);
    for (int i = 0; i < samples(100, 2000); i++) {
        cm_vec3 p[60], half = cm_v(1, 2, 4);
        cm_quat q = rng_rotation(&r);
        for (int k = 0; k < 60; k++) {
            cm_vec3 x = k < 8 ? cm_v(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1) : rng_vec3(&r, 1);
            p[k] = cm_rotate(q, cm_v(x.x * half.x, x.y * half.y, x.z * half.z));
        }
        cm_points points = {&p[0].x, sizeof p[0], 60};
        cm_obb box;
        cm_fit_obb(&points, &box);
        check_that(volume_of(&box) < 64 * 1.001, "volume %g instead of 64", volume_of(&box));
    }
}

static void nothing_to_bound_is_refused(void **state) {
    (void)state;
    cm_real bad[3] = {0, (cm_real)NAN, 0};
    cm_points none = {bad, 0, 0}, broken = {bad, 0, 1};
    cm_sphere s;
    cm_obb o;
    cm_capsule c;
    cm_aabb b;
    assert_int_equal(cm_fit_sphere(&none, &s), 0);
    assert_int_equal(cm_fit_sphere(&broken, &s), 0);
    assert_false(cm_fit_aabb(&none, &b) || cm_fit_obb(&none, &o) || cm_fit_capsule(&broken, &c));
    assert_false(cm_fit_sphere_from_box(&broken, &s) || cm_fit_sphere_from_mean(&broken, &s));
}

/* Two circles of radius 1 about the x axis, 4 apart: the capsule whose cylinder ends at them, no longer and no wider.
 */
static void two_circles_are_joined_by_a_tight_capsule(void **state) {
    (void)state;
    const cm_real s = CM_REAL(0.6), c = CM_REAL(0.8);
    const cm_real around[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {s, c}, {-s, c}, {s, -c}, {-s, -c}};
    cm_vec3 p[16];
    for (int i = 0; i < 16; i++) p[i] = cm_v(i < 8 ? -2 : 2, around[i % 8][0], around[i % 8][1]);
    const cm_points points = {&p[0].x, 0, 16};
    cm_capsule capsule;
    assert_true(cm_fit_capsule(&points, &capsule));
    double length = (double)cm_length(cm_sub(capsule.b, capsule.a));
    check_that(fabs(length - 4) < 1e-3, "length %g", length);
    check_that(fabs((double)capsule.radius - 1) < 1e-3, "radius %g", (double)capsule.radius);
}

/* From (1, 1, 0) the farthest of the corners of a square of side 4 about the origin is (-2, -2): 3 sqrt 2 = 4.2426. */
static void a_sphere_around_a_given_center_reaches_the_farthest_point(void **state) {
    (void)state;
    const cm_real p[12] = {2, 2, 0, -2, 2, 0, -2, -2, 0, 2, -2, 0};
    const cm_points points = {p, 0, 4};
    cm_sphere s;
    assert_true(cm_fit_sphere_at(&points, cm_v(1, 1, 0), &s));
    assert_true(s.center.x == 1 && s.center.y == 1 && s.center.z == 0);
    check_that(fabs((double)s.radius - 4.2426406871192851) <= 4e-7, "radius %.9g", (double)s.radius);
    for (int i = 0; i < 4; i++) assert_true(sphere_holds(&s, cm_v(p[3 * i], p[3 * i + 1], p[3 * i + 2])));
    cm_sphere kept = s;
    assert_false(cm_fit_sphere_at(&points, cm_v(0, (cm_real)NAN, 0), &s));
    const cm_points none = {p, 0, 0};
    assert_false(cm_fit_sphere_at(&none, cm_v(0, 0, 0), &s));
    assert_memory_equal(&kept, &s, sizeof s);
}

/* (x - 1)^2 + (y - 2)^2 + (z - 3)^2 = 49 through (8, 2, 3), (1, 9, 3), (1, 2, 10) and (3, 5, 9), as 4 + 9 + 36 = 49. */
static void four_points_have_one_sphere_through_them(void **state) {
    (void)state;
    const cm_vec3 p[4] = {{8, 2, 3}, {1, 9, 3}, {1, 2, 10}, {3, 5, 9}};
    cm_sphere s;
    assert_true(cm_fit_sphere_through(p, &s));
    double bound = 64 * (double)CM_REAL_EPSILON;
    check_that(fabs((double)s.center.x - 1) <= bound && fabs((double)s.center.y - 2) <= bound &&
                   fabs((double)s.center.z - 3) <= bound && fabs((double)s.radius - 7) <= bound,
               "(%.9g %.9g %.9g), %.9g", (double)s.center.x, (double)s.center.y, (double)s.center.z, (double)s.radius);
}

static double flatness(const cm_vec3 p[4]) {
    cm_vec3 u = cm_sub(p[1], p[0]), v = cm_sub(p[2], p[0]), w = cm_sub(p[3], p[0]);
    cm_real size = cm_largest(u) + cm_largest(v) + cm_largest(w);
    u = cm_scale(u, 1 / size), v = cm_scale(v, 1 / size), w = cm_scale(w, 1 / size);
    return (double)cm_length(u) * (double)cm_length(v) * (double)cm_length(w) / fabs((double)cm_dot(u, cm_cross(v, w)));
}

static void the_sphere_through_four_points_holds_and_meets_them(void **state) {
    (void)state;
    rng r = rng_start("through four", 31);
    int found = 0, count = samples(5000, 200000);
    for (int i = 0; i < count; i++) {
        cm_vec3 p[4];
        double size = rng_log_range(&r, 1e-4, 1e6);
        for (int k = 0; k < 4; k++) p[k] = rng_vec3(&r, size);
        cm_sphere s;
        if (!cm_fit_sphere_through(p, &s)) continue;
        found++;
        for (int k = 0; k < 4; k++) {
            double off = (double)s.radius - (double)cm_length(cm_sub(p[k], s.center));
            check_that(sphere_holds(&s, p[k]), "sample %d: point %d is outside", i, k);
            /* The rounding of center and radius; and that of the solution, which counts as often as the edges' product
             * exceeds the volume. */
            double bound = 8 * (double)CM_REAL_EPSILON * ((double)s.radius + size);
            bound += 64 * DBL_EPSILON * (double)s.radius * flatness(p);
            check_that(fabs(off) <= bound, "sample %d: %g off, not %g", i, off, bound);
        }
    }
    check_that(10 * found > 9 * count, "only %d found of %d", found, count);
}

static void points_in_one_plane_have_no_sphere_through_them(void **state) {
    (void)state;
    const cm_vec3 flat[][4] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, /* on a circle: too many spheres */
                               {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 4, 0}},
                               {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 0, 0}},
                               {{1, 2, 3}, {1, 2, 3}, {0, 0, 1}, {1, 0, 0}},
                               {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
                               {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, (cm_real)NAN, 1}},
                               {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 4, CM_REAL_EPSILON}}};
    cm_sphere s = {{1, 2, 3}, 4}, before = s;
    for (int i = 0; i < 7; i++) {
        check_that(!cm_fit_sphere_through(flat[i], &s), "set %d: radius %g", i, (double)s.radius);
        assert_memory_equal(&s, &before, sizeof s);
    }
}

/* On y the point lies at 3 - (1 - u), u half an ulp of 1: a little above 2. */
static void what_reaches_a_little_beyond_a_power_of_two_is_held(void **state) {
    (void)state;
    const cm_real near = 1 - CM_REAL_EPSILON / 2;
    const cm_vec3 point = cm_v(4, -near, -4);
    const cm_points points = {&point.x, 0, 1};
    const cm_pose pose = cm_pose_at(cm_v(1, 3, -3));
    cm_aabb box;
    assert_true(cm_fit_aabb_posed(&points, &pose, &box));
    check_that((double)box.max.y - 3 >= -(double)near, "up to 2 + %g", (double)box.max.y - 2);
    cm_sphere ball;
    const cm_vec3 aside = cm_v(1, CM_REAL(1e-4), 0); /* sqrt(1 + 1e-8) away from 0 */
    const cm_points one = {&aside.x, 0, 1};
    assert_true(cm_fit_sphere_at(&one, cm_v(0, 0, 0), &ball));
    check_that(ball.radius > 1, "radius 1 + %g", (double)ball.radius - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_reaches_a_little_beyond_a_power_of_two_is_held),
        cmocka_unit_test(two_circles_are_joined_by_a_tight_capsule),
        cmocka_unit_test(every_volume_holds_every_point_exactly),
        cmocka_unit_test(points_on_a_line_are_held_by_their_capsule),
        cmocka_unit_test(the_smallest_sphere_has_as_few_supports_as_needed),
        cmocka_unit_test(the_smallest_sphere_is_the_smallest),
        cmocka_unit_test(the_tight_box_is_within_a_few_percent_of_the_smallest),
        cmocka_unit_test(a_turned_box_of_points_is_found),
        cmocka_unit_test(nothing_to_bound_is_refused),
        cmocka_unit_test(a_sphere_around_a_given_center_reaches_the_farthest_point),
        cmocka_unit_test(four_points_have_one_sphere_through_them),
        cmocka_unit_test(the_sphere_through_four_points_holds_and_meets_them),
        cmocka_unit_test(points_in_one_plane_have_no_sphere_through_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
