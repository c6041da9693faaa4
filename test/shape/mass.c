/* Volume, center and inertia: against closed forms written out here, against columns of distances (solid.h), and
 * against each other: a mesh of a box is a box, two halves are a whole. */
#include "support/meshes.h"
#include "support/outside.h"
#include "support/shapes.h"
#include "support/solids.h"

#include <math.h>

#if defined(CAROM_F64)
#define ROUNDING 1e-13
#else
#define ROUNDING 3e-7
#endif

static const double pi = 3.14159265358979323846;

static void expect_near(const char *what, double got, double want, double tolerance) {
    check_that(fabs(got - want) <= tolerance, "%s: %.17g, not %.17g", what, got, want);
}

static cm_mass mass_of(const cm_shape *s) {
    cm_mass m;
    cm_status status = cm_shape_mass(s, 1, &m);
    check_that(status == CM_OK, "%s", cm_status_text(status));
    return m;
}

/* Volume and the three diagonal moments, of shapes along their own axes about the origin, relative. */
static void expect_diagonal(const char *what, const cm_shape *s, double volume, double z, double xx, double yy,
                            double zz) {
    cm_mass m = mass_of(s);
    double size = xx > zz ? xx : zz;
    expect_near(what, (double)m.volume, volume, ROUNDING * volume);
    expect_near(what, (double)m.center.z, z, ROUNDING * (1 + fabs(z)));
    expect_near(what, (double)m.center.x, 0, ROUNDING);
    expect_near(what, (double)m.inertia.x.x, xx, ROUNDING * size);
    expect_near(what, (double)m.inertia.y.y, yy, ROUNDING * size);
    expect_near(what, (double)m.inertia.z.z, zz, ROUNDING * size);
    expect_near(what, (double)m.inertia.x.y, 0, ROUNDING * size);
    expect_near(what, (double)m.inertia.z.x, 0, ROUNDING * size);
    expect_near(what, (double)m.inertia.z.y, 0, ROUNDING * size);
}

static void simple_solids_have_the_textbooks_moments(void **state) {
    (void)state;
    cm_shape s = cm_make_sphere(cm_v(0, 0, 0), 2);
    double v = 4 * pi / 3 * 8;
    expect_diagonal("ball", &s, v, 0, v * 0.4 * 4, v * 0.4 * 4, v * 0.4 * 4);
    s = cm_make_box(cm_v(1, 2, 3));
    expect_diagonal("box", &s, 48, 0, 48 * (4 + 9) / 3.0, 48 * (1 + 9) / 3.0, 48 * (1 + 4) / 3.0);
    s = cm_make_cylinder(2, 3);
    v = pi * 4 * 6;
    expect_diagonal("cylinder", &s, v, 0, v * (3 * 4 + 36) / 12.0, v * (3 * 4 + 36) / 12.0, v * 2);
    s = cm_make_cone(2, 3); /* the center a quarter up its height of 6; about it 3/20 r^2 + 3/80 h^2 */
    v = pi * 4 * 6 / 3;
    expect_diagonal("cone", &s, v, -1.5, v * (0.15 * 4 + 0.0375 * 36), v * (0.15 * 4 + 0.0375 * 36), v * 0.3 * 4);
    s = cm_make_ellipsoid(cm_v(1, 2, 3));
    v = 4 * pi / 3 * 6;
    expect_diagonal("ellipsoid", &s, v, 0, v * (4 + 9) / 5.0, v * (1 + 9) / 5.0, v * (1 + 4) / 5.0);
    /* a capsule is a cylinder and two half balls, each with its center 3/8 r off its face */
    s = cm_make_capsule(cm_v(0, 0, -3), cm_v(0, 0, 3), 2);
    double tube = pi * 4 * 6, ball = 4 * pi / 3 * 8;
    double across = tube * (12 + 36) / 12.0 + ball * (0.4 * 4 + 9 + 2 * 3 * 0.375 * 2);
    expect_diagonal("capsule", &s, tube + ball, 0, across, across, tube * 2 + ball * 0.4 * 4);
}

static void density_scales_mass_and_inertia_only(void **state) {
    (void)state;
    cm_shape s = cm_make_box(cm_v(1, 1, 1));
    cm_mass one, two;
    assert_int_equal(cm_shape_mass(&s, 1, &one), CM_OK);
    assert_int_equal(cm_shape_mass(&s, CM_REAL(2.5), &two), CM_OK);
    assert_true(one.mass == 8 && one.volume == 8 && two.mass == 20 && two.volume == 8);
    expect_near("inertia", (double)two.inertia.x.x, 20 * 2 / 3.0, 20 * ROUNDING);
}

static void sets_without_volume_weigh_nothing(void **state) {
    (void)state;
    const cm_shape flat[] = {cm_make_point(cm_v(1, 2, 3)), cm_make_segment(cm_v(0, 2, 2), cm_v(2, 2, 4)),
                             cm_make_triangle(cm_v(0, 0, 0), cm_v(3, 0, 9), cm_v(0, 6, 0)),
                             cm_make_triangle(cm_v(1, 2, 3), cm_v(1, 2, 3), cm_v(1, 2, 3))};
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
        cm_mass m = mass_of(&flat[i]);
        assert_true(m.mass == 0 && m.volume == 0 && cm_largest(m.inertia.x) == 0);
        check_that(cm_largest(cm_sub(m.center, cm_v(1, 2, 3))) <= CM_REAL(1e-6), "%g", (double)m.center.x);
    }
    cm_shape box = cm_make_box(cm_v(1, 0, 1)), disk = cm_make_cylinder(1, 0), line = cm_make_cone(0, 1);
    assert_true(mass_of(&box).volume == 0 && mass_of(&disk).volume == 0 && mass_of(&line).volume == 0);
}

static void what_has_no_mass_is_refused(void **state) {
    (void)state;
    cm_shape box = cm_make_box(cm_v(1, 1, 1));
    assert_int_equal(cm_shape_mass(&box, 1, NULL), CM_INVALID);
    cm_mass m = {7, 7, {7, 7, 7}, {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}}};
    cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), 0), egg = cm_make_ellipsoid(cm_v(1, 2, 3));
    assert_int_equal(cm_shape_mass(&ground, 1, &m), CM_UNSUPPORTED);
    egg.radius = 1;
    assert_int_equal(cm_shape_mass(&egg, 1, &m), CM_UNSUPPORTED);
    cm_shape ball = cm_make_ellipsoid(cm_v(1, 1, 1));
    ball.radius = 1;
    assert_int_equal(cm_shape_mass(&ball, 0, &m), CM_INVALID);
    assert_int_equal(cm_shape_mass(&ball, (cm_real)NAN, &m), CM_INVALID);
    assert_int_equal(cm_shape_mass(NULL, 1, &m), CM_INVALID);
    cm_mesh *sheet = surface_sheet(1, 1, 2);
    cm_shape surface = cm_make_mesh(sheet);
    assert_int_equal(cm_shape_mass(&surface, 1, &m), CM_NOT_SOLID);
    assert_true(m.mass == 7);
    cm_mesh_destroy(sheet, NULL);
    expect_diagonal("rounded ball", &ball, 4 * pi / 3 * 8, 0, 4 * pi / 3 * 8 * 1.6, 4 * pi / 3 * 8 * 1.6,
                    4 * pi / 3 * 8 * 1.6);
}

/* --- against columns of distances --------------------------------------------------------------------------------- */

/* Where the column over (x, y) lies in the solid: the distance is convex along it. */
static bool column(const solid *s, long double x, long double y, long double reach, long double ends[2]) {
    long double low = -reach, high = reach, r = (long double)s->radius;
    for (int i = 0; i < 60; i++) {
        long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        long double da = solid_outside(s, w3(x, y, a)), db = solid_outside(s, w3(x, y, b));
        if (da <= r) {
            low = high = a;
            break;
        }
        if (da <= db)
            high = b;
        else
            low = a;
    }
    long double middle = (low + high) / 2;
    if (!(solid_outside(s, w3(x, y, middle)) <= r)) return false;
    for (int side = 0; side < 2; side++) {
        long double in = middle, out = side ? reach : -reach;
        for (int i = 0; i < 30; i++) {
            long double m = (in + out) / 2;
            if (solid_outside(s, w3(x, y, m)) <= r)
                in = m;
            else
                out = m;
        }
        ends[side] = in;
    }
    return true;
}

/* Volume, first and second moments by columns on a grid of n * n, about the origin. */
static void columns(const solid *s, long double reach, int n, long double m[10]) {
    long double step = 2 * reach / n, area = step * step;
    for (int i = 0; i < 10; i++) m[i] = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            long double x = -reach + (i + 0.5L) * step, y = -reach + (j + 0.5L) * step, e[2];
            if (!column(s, x, y, reach, e)) continue;
            long double one = (e[1] - e[0]) * area, z = (e[1] * e[1] - e[0] * e[0]) / 2 * area;
            long double zz = (e[1] * e[1] * e[1] - e[0] * e[0] * e[0]) / 3 * area;
            m[0] += one, m[1] += x * one, m[2] += y * one, m[3] += z;
            m[4] += x * x * one, m[5] += y * y * one, m[6] += zz, m[7] += y * z, m[8] += z * x, m[9] += x * y * one;
        }
    }
}

/* By how much columns and the shape's own mass differ at most: of the volume, the reach and the sum of inertias. */
static double columns_off(const cm_mass *own, solid *s, cm_quat turn, double reach, int n) {
    long double m[10];
    cm_pose pose = {cm_v(0, 0, 0), turn};
    solid_place(s, turn, w3(0, 0, 0));
    columns(s, (long double)reach, n, m);
    cm_mass got = {0};
    cm_mass_add(&got, own, &pose);
    double v = (double)m[0], c[3], t[6], worst = 0;
    for (int k = 0; k < 3; k++) c[k] = (double)(m[1 + k] / m[0]);
    t[0] = (double)(m[5] + m[6]) - v * (c[1] * c[1] + c[2] * c[2]);
    t[1] = (double)(m[6] + m[4]) - v * (c[2] * c[2] + c[0] * c[0]);
    t[2] = (double)(m[4] + m[5]) - v * (c[0] * c[0] + c[1] * c[1]);
    t[3] = v * c[1] * c[2] - (double)m[7];
    t[4] = v * c[2] * c[0] - (double)m[8];
    t[5] = v * c[0] * c[1] - (double)m[9];
    const double got_t[6] = {(double)got.inertia.x.x, (double)got.inertia.y.y, (double)got.inertia.z.z,
                             (double)got.inertia.y.z, (double)got.inertia.z.x, (double)got.inertia.x.y};
    const double got_c[3] = {(double)got.center.x, (double)got.center.y, (double)got.center.z};
    worst = fabs((double)got.volume - v) / v;
    double size = t[0] + t[1] + t[2];
    for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(got_c[k] - c[k]) / reach);
    for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(got_t[k] - t[k]) / size);
    return worst;
}

/* Where columns are too wide for the bound, ones of half their width tell: the error goes with the width. */
static void expect_columns(const char *what, const cm_shape *shape, solid *s, cm_quat turn, double reach, int n) {
    const cm_mass own = mass_of(shape);
    double off = columns_off(&own, s, turn, reach, n);
    for (int finer = 2; off > 4e-3 && finer <= 8; finer *= 2) off = columns_off(&own, s, turn, reach, finer * n);
    check_that(off <= 4e-3, "%s: volume %g, off by %g", what, (double)own.volume, off);
    assert_true(own.inertia.x.y == own.inertia.y.x && own.inertia.x.z == own.inertia.z.x &&
                own.inertia.y.z == own.inertia.z.y);
}

static void rounded_solids_fill_what_their_distance_says(void **state) {
    (void)state;
    rng r = rng_start("rounded solids", 11);
    int rounds = samples(2, 20);
    for (int i = 0; i < rounds; i++) {
        for (int kind = SOLID_SEGMENT; kind < SOLID_ELLIPSOID; kind++) {
            solid s;
            solid_random(&s, (solid_kind)kind, 0, 1, &r);
            if (kind == SOLID_CLOUD) s.count = 6, solid_features(&s);
            s.radius = CM_REAL(rng_range(&r, 0.2, 1));
            cm_hull *hull;
            cm_shape shape = solid_shape(&s, &hull);
            expect_columns(solid_names[kind], &shape, &s, rng_rotation(&r), 2 + (double)s.radius,
                           kind == SOLID_CLOUD ? 40 : 100);
            cm_hull_destroy(hull, NULL);
        }
    }
}

/* --- against each other ------------------------------------------------------------------------------------------- */

static void expect_same(const char *what, const cm_mass *a, const cm_mass *b, double tolerance) {
    double v = (double)a->volume, size = (double)(a->inertia.x.x + a->inertia.y.y + a->inertia.z.z);
    expect_near(what, (double)b->volume, v, tolerance * v);
    double length = cbrt(v);
    expect_near(what, (double)cm_length(cm_sub(a->center, b->center)), 0,
                tolerance * (length + (double)cm_length(a->center)));
    const cm_vec3 *x = &a->inertia.x, *y = &b->inertia.x;
    for (int k = 0; k < 3; k++) expect_near(what, (double)cm_largest(cm_sub(x[k], y[k])), 0, tolerance * size);
}

static void equal_solids_weigh_the_same_in_every_kind(void **state) {
    (void)state;
    cm_vec3 p[8];
    for (int i = 0; i < 8; i++) p[i] = cm_v(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3);
    cm_hull *hull = hull_of(p, 8);
    cm_mesh *mesh = solid_box(1, 2, 3, 3, false);
    cm_shape box = cm_make_box(cm_v(1, 2, 3)), h = cm_make_hull(hull), m = cm_make_mesh(mesh);
    cm_mass a = mass_of(&box), b = mass_of(&h), c = mass_of(&m);
    expect_same("hull", &a, &b, ROUNDING), expect_same("mesh", &a, &c, ROUNDING);
    box.radius = h.radius = CM_REAL(0.7);
    a = mass_of(&box), b = mass_of(&h);
    expect_same("rounded hull", &a, &b, 4 * ROUNDING);
    cm_hull_destroy(hull, NULL);
    /* a flat hull, rounded, and the triangles it is made of; a straight one and a capsule */
    cm_vec3 t[3] = {cm_v(0, 0, 1), cm_v(4, 0, 2), cm_v(1, 5, 3)};
    hull = hull_of(t, 3);
    h = cm_make_hull(hull), h.radius = CM_REAL(0.5);
    cm_shape triangle = cm_make_triangle(t[0], t[1], t[2]);
    triangle.radius = h.radius;
    a = mass_of(&triangle), b = mass_of(&h);
    expect_same("flat hull", &a, &b, 8 * ROUNDING);
    cm_hull_destroy(hull, NULL);
    hull = hull_of(t, 2);
    h = cm_make_hull(hull), h.radius = 2;
    cm_shape capsule = cm_make_capsule(t[0], t[1], 2);
    a = mass_of(&capsule), b = mass_of(&h);
    expect_same("straight hull", &a, &b, ROUNDING);
    triangle = cm_make_triangle(t[0], cm_lerp(t[0], t[1], CM_REAL(0.5)), t[1]);
    triangle.radius = 2;
    b = mass_of(&triangle);
    expect_same("straight triangle", &a, &b, ROUNDING);
    cm_hull_destroy(hull, NULL);
    cm_mesh_destroy(mesh, NULL);
}

static void a_fine_mesh_weighs_what_the_curved_solid_does(void **state) {
    (void)state;
    cm_mesh *ball = solid_sphere(2, 64, 128), *cone = solid_cone(2, 6, 256);
    cm_shape sphere = cm_make_sphere(cm_v(0, 0, 0), 2), kegel = cm_make_cone(2, 3);
    cm_shape ms = cm_make_mesh(ball), mc = cm_make_mesh(cone);
    cm_mass a = mass_of(&sphere), b = mass_of(&ms);
    expect_same("sphere", &a, &b, 3e-3);
    a = mass_of(&kegel), b = mass_of(&mc);
    expect_same("cone", &a, &b, 3e-3);
    cm_mesh_destroy(ball, NULL);
    cm_mesh_destroy(cone, NULL);
}

static void parts_add_up_to_the_whole(void **state) {
    (void)state;
    /* a box of 2 x 4 x 6 of a third and two thirds, both lying: their long sides are brought along z */
    cm_shape whole = cm_make_box(cm_v(1, 2, 3)), third = cm_make_box(cm_v(1, 2, 1)), rest = cm_make_box(cm_v(2, 2, 1));
    cm_real s = cm_sqrt(CM_REAL(0.5));
    cm_pose up = {cm_v(0, 0, 2), {0, s, 0, s}}, down = {cm_v(0, 0, -1), {0, -s, 0, s}};
    cm_mass part = mass_of(&third), other = mass_of(&rest), sum = {0}, want = mass_of(&whole);
    cm_mass_add(&sum, &part, &up);
    check_that((double)cm_length(cm_sub(sum.center, up.position)) <= ROUNDING, "%g", (double)sum.center.z);
    cm_mass_add(&sum, &other, &down);
    expect_same("halves", &want, &sum, 2 * ROUNDING);
    expect_near("mass", (double)sum.mass, (double)want.mass, ROUNDING * (double)want.mass);
}

static void a_compound_weighs_its_children(void **state) {
    (void)state;
    cm_compound_child child[2] = {{cm_make_box(cm_v(1, 2, 1)), {cm_v(0, 0, 2), cm_quat_identity()}, 0},
                                  {cm_make_box(cm_v(1, 2, 2)), {cm_v(0, 0, -1), cm_quat_identity()}, 0}};
    cm_compound_desc desc = {child, 2};
    cm_compound *compound = NULL;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    cm_shape both = cm_make_compound(compound), whole = cm_make_box(cm_v(1, 2, 3));
    cm_mass a = mass_of(&whole), b = mass_of(&both);
    expect_same("compound", &a, &b, ROUNDING);
    cm_compound_destroy(compound, NULL);
}

static void size_and_place_change_nothing_but_scale(void **state) {
    (void)state;
    rng r = rng_start("scales", 12);
    for (int i = 0; i < samples(200, 20000); i++) {
        cm_vec3 t[3] = {rng_vec3(&r, 1), rng_vec3(&r, 1), rng_vec3(&r, 1)};
        cm_real scale = CM_REAL(ldexp(1, (int)rng_below(&r, 30) - 15));
        cm_shape a = cm_make_triangle(t[0], t[1], t[2]);
        a.radius = CM_REAL(rng_range(&r, 0.01, 1));
        cm_shape b = cm_make_triangle(cm_scale(t[0], scale), cm_scale(t[1], scale), cm_scale(t[2], scale));
        b.radius = a.radius * scale;
        cm_mass ma = mass_of(&a), mb = mass_of(&b);
        double s3 = (double)scale * (double)scale * (double)scale;
        expect_near("volume", (double)mb.volume / s3, (double)ma.volume, 1e-6 * (double)ma.volume);
        expect_near("inertia", (double)mb.inertia.x.x / s3 / (double)scale / (double)scale, (double)ma.inertia.x.x,
                    1e-6 * (double)(ma.inertia.x.x + ma.inertia.y.y));
        assert_true(ma.inertia.x.x > 0 && ma.inertia.y.y > 0 && ma.inertia.z.z > 0);
    }
    cm_shape huge = cm_make_sphere(cm_v(0, 0, 0), CM_COORD_MAX), tiny = cm_make_sphere(cm_v(0, 0, 0), CM_REAL_MIN);
    cm_mass m = mass_of(&huge);
    assert_true(m.volume > 0 && m.inertia.x.x <= CM_REAL_MAX);
    m = mass_of(&tiny);
    assert_true(m.volume >= 0 && m.inertia.x.x >= 0);
}

/* Turned and put together, what is beyond the range stays finite: the largest number, or its negative. */
static void masses_beyond_the_range_are_finite(void **state) {
    (void)state;
    rng r = rng_start("large masses", 14);
    const double most = sizeof(cm_real) == 4 ? 14 : 99;
    for (int i = 0; i < 2000; i++) {
        cm_compound_child child[3];
        memset(child, 0, sizeof child);
        for (int k = 0; k < 3; k++) {
            double size = pow(10, most * rng_unit(&r));
            child[k].shape = cm_make_box(cm_v(CM_REAL(size), CM_REAL(size / 2), CM_REAL(size / 3)));
            child[k].pose = rng_pose(&r, size);
        }
        cm_compound_desc desc = {child, 3};
        cm_compound *compound = NULL;
        assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
        cm_shape s = cm_make_compound(compound);
        cm_mass m = mass_of(&s);
        const cm_real sum = cm_largest(m.inertia.x) / 4 + cm_largest(m.inertia.y) / 4 + cm_largest(m.inertia.z) / 4;
        check_that(sum <= CM_REAL_MAX && m.inertia.x.x >= 0 && m.mass <= CM_REAL_MAX && m.volume <= CM_REAL_MAX,
                   "%d: inertia %g, mass %g", i, (double)sum, (double)m.mass);
        check_that(cm_vec3_is_valid(m.center), "%d: center", i);
        cm_compound_destroy(compound, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_solids_have_the_textbooks_moments),
        cmocka_unit_test(density_scales_mass_and_inertia_only),
        cmocka_unit_test(sets_without_volume_weigh_nothing),
        cmocka_unit_test(what_has_no_mass_is_refused),
        cmocka_unit_test(rounded_solids_fill_what_their_distance_says),
        cmocka_unit_test(equal_solids_weigh_the_same_in_every_kind),
        cmocka_unit_test(a_fine_mesh_weighs_what_the_curved_solid_does),
        cmocka_unit_test(parts_add_up_to_the_whole),
        cmocka_unit_test(a_compound_weighs_its_children),
        cmocka_unit_test(size_and_place_change_nothing_but_scale),
        cmocka_unit_test(masses_beyond_the_range_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
