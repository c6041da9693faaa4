/* Rays against every convex kind, with and without a radius, judged by distances that share no code with the library:
 * where the ray enters and leaves is found by halving on the distance, which is convex along it. */
#include "support/outside.h"

#include <float.h>
#include <math.h>

/* The gap left at t, in units of the coordinates at hand; and by how much t may be late. */
#if defined(CAROM_F64)
#define GAP  2e-15L
#define LATE 1e-14L
#else
#define GAP  6e-7L
#define LATE 2e-7L
#endif

typedef struct ray_case {
    solid s;
    cm_shape shape;
    cm_hull *hull;
    cm_ray ray;
    wide3 o, d;
    long double size, scale; /* of the solid; of all that meets */
} ray_case;

static long double gap_at(const ray_case *c, long double t) {
    return solid_outside(&c->s, w3_add(c->o, w3_scale(c->d, t))) - (long double)c->s.radius;
}

/* The least gap over [0, max] and where. */
static long double least_gap(const ray_case *c, long double max, long double *at) {
    long double low = 0, high = max;
    for (int i = 0; i < 110; i++) {
        long double a = low + (high - low) / 3, b = high - (high - low) / 3, ga = gap_at(c, a), gb = gap_at(c, b);
        if (ga <= 0 || gb <= 0) {
            *at = ga <= 0 ? a : b;
            return ga <= 0 ? ga : gb;
        }
        if (ga <= gb)
            high = b;
        else
            low = a;
    }
    *at = (low + high) / 2;
    return gap_at(c, *at);
}

static long double cross_at(const ray_case *c, long double out, long double in) {
    for (int i = 0; i < 70; i++) {
        long double m = (out + in) / 2;
        if (gap_at(c, m) > 0)
            out = m;
        else
            in = m;
    }
    return in;
}

static void tell(const ray_case *c, const char *what) {
    print_error("%s: %s of size %g %g %g, radius %g; ray from %.9g %.9g %.9g along %.9g %.9g %.9g to %g\n", what,
                solid_names[c->s.kind], (double)c->s.size.x, (double)c->s.size.y, (double)c->s.size.z,
                (double)c->s.radius, (double)c->ray.origin.x, (double)c->ray.origin.y, (double)c->ray.origin.z,
                (double)c->ray.direction.x, (double)c->ray.direction.y, (double)c->ray.direction.z, (double)c->ray.max);
}

typedef struct ray_tally {
    long rays, hits, inside;
    long double gap, late, normal, exit;
} ray_tally;

static void grow(long double *most, long double x) {
    if (!(x <= *most)) *most = x;
}

/* Flat solids without a radius have no inside: their hits are single points. */
static bool is_flat(const solid *s) {
    if (s->radius > 0) return false;
    if (s->kind <= SOLID_TRIANGLE) return true;
    cm_vec3 h = s->size;
    bool round = s->kind == SOLID_CYLINDER || s->kind == SOLID_CONE;
    if (s->kind == SOLID_CLOUD) return true;
    return !(h.x > 0 && h.y > 0 && (round || h.z > 0));
}

static void judge(const ray_case *c, ray_tally *t) {
    cm_pose home = cm_pose_identity();
    cm_ray_hit hit;
    bool got = cm_raycast(&c->ray, &c->shape, &home, &hit);
    long double length = w3_length(c->d), max = fminl((long double)c->ray.max, 8 * c->scale / length), at;
    long double band = GAP * c->scale, least = least_gap(c, max, &at);
    t->rays++;
    if (got != (least <= 0) && fabsl(least) > band) {
        tell(c, "wrong");
        check_that(false, "hit %d, least gap %Lg", got, least);
    }
    if (!got) return;
    t->hits++, t->inside += hit.inside;
    if (hit.inside != (gap_at(c, 0) <= 0) && fabsl(gap_at(c, 0)) > band) {
        tell(c, "inside");
        check_that(false, "inside %d, gap %Lg", hit.inside, gap_at(c, 0));
    }
    assert_true(hit.t >= 0 && hit.t <= c->ray.max && hit.exit >= hit.t && hit.exit <= c->ray.max &&
                hit.part == CM_NONE);
    if (hit.inside) assert_true(hit.t == 0);
    /* on the surface, or inside where it starts there; the exit on it too, unless the ray ends before */
    long double gap = gap_at(c, (long double)hit.t), exit = gap_at(c, (long double)hit.exit);
    if (!hit.inside) grow(&t->gap, gap / c->scale);
    grow(&t->exit, exit / c->scale);
    if (least <= 0) {
        long double enter = hit.inside ? 0 : cross_at(c, 0, at), leave = cross_at(c, max, at);
        grow(&t->late, ((long double)hit.t - enter) * length / c->scale);
        if (max >= 8 * c->scale / length && !is_flat(&c->s))
            grow(&t->exit,
                 fabsl(solid_outside(&c->s, w3_add(c->o, w3_scale(c->d, leave))) - (long double)c->s.radius - exit) /
                     c->scale);
        if (gap_at(c, max) > 0) grow(&t->late, (leave - (long double)hit.exit) * length / c->scale);
    }
    long double point = w3_length(w3_sub(w3_of_vec3(hit.point), w3_add(c->o, w3_scale(c->d, (long double)hit.t))));
    grow(&t->gap, point / c->scale);
    /* the normal holds the solid behind it: the support along it is at the point */
    wide3 n = w3_of_vec3(hit.normal);
    wide3 p = w3_add(c->o, w3_scale(c->d, (long double)(hit.inside ? hit.exit : hit.t)));
    bool ends_inside = hit.inside && hit.exit >= c->ray.max;
    grow(&t->gap, fabsl(w3_length(n) - 1) / 10);
    if (!ends_inside) grow(&t->normal, fabsl(solid_reach(&c->s, n) - w3_dot(n, p)) / c->scale);
    long double toward = w3_dot(n, c->d) / length;
    if (!ends_inside) grow(&t->normal, hit.inside ? -toward : toward);
}

/* The normal of a rounded solid is the direction from its core to a point that is rounded: it is off by as much as that
 * is of the radius. */
static void expect_tally(const char *what, const ray_case *c, const ray_tally *t, long double factor) {
    const long double rounded = c->s.radius > 0 ? (long double)DBL_EPSILON * c->scale / (long double)c->s.radius : 0;
    if (t->gap <= GAP * factor && t->late <= LATE * factor && t->exit <= GAP * factor &&
        t->normal <= (sizeof(cm_real) == 4 ? 1e-6L : 1e-11L) + rounded)
        return;
    tell(c, what);
    check_that(false, "gap %Lg, late %Lg, exit %Lg, normal %Lg", t->gap, t->late, t->exit, t->normal);
}

static void case_start(ray_case *c, solid_kind kind, int flavor, double size, bool rounded, rng *r) {
    solid_random(&c->s, kind, flavor, size, r);
    if (kind == SOLID_CLOUD && c->s.count > 6) c->s.count = 6, solid_features(&c->s);
    if (rounded) c->s.radius = CM_REAL(size * rng_log_range(r, 1e-3, 1));
    c->shape = solid_shape(&c->s, &c->hull);
    c->size = 0;
    for (int i = 0; i < 3; i++) {
        wide3 axis = w3(i == 0, i == 1, i == 2);
        long double reach = fmaxl(solid_reach(&c->s, axis), solid_reach(&c->s, w3_scale(axis, -1)));
        c->size = hypotl(c->size, reach);
    }
}

static void case_ray(ray_case *c, cm_vec3 o, cm_vec3 d, cm_real max) {
    c->ray = (cm_ray){o, d, max};
    c->o = w3_of_vec3(o), c->d = w3_of_vec3(d);
    c->scale = fmaxl(c->size, w3_length(c->o));
}

/* From outside toward a point near the solid, from within, along an axis, short and endless. */
static void case_random_ray(ray_case *c, rng *r) {
    cm_real size = (cm_real)c->size;
    cm_vec3 target = cm_scale(rng_vec3(r, 1), size), o = cm_scale(rng_direction(r), size * CM_REAL(rng_range(r, 1, 4)));
    if (rng_below(r, 4) == 0) o = cm_scale(rng_vec3(r, 1), size);
    if (rng_below(r, 2)) target = cm_v(target.x * c->s.size.x / size, target.y * c->s.size.y / size, target.z / 2);
    cm_vec3 d = cm_sub(target, o);
    if (rng_below(r, 8) == 0) d = cm_v(0, 0, d.z);
    if (rng_below(r, 8) == 0) d = cm_v(d.x, 0, 0);
    if (rng_below(r, 8) == 0) d = cm_v(d.x, d.y, 0);
    if (!(cm_largest(d) > 0)) d = cm_v(1, 0, 0);
    d = cm_scale(d, CM_REAL(rng_log_range(r, 1e-3, 1e3)) / cm_length(d));
    cm_real max = rng_below(r, 4) ? CM_REAL_MAX : CM_REAL(rng_range(r, 0, 4)) * size / cm_length(d);
    case_ray(c, o, d, max);
}

static void over_kinds(const char *what, uint64_t seed, int flavors, double low, double high, bool rounded) {
    rng r = rng_start(what, seed);
    int shapes = samples(30, 3000), rays = 20;
    for (int kind = rounded ? SOLID_SEGMENT : SOLID_BOX; kind < SOLID_KINDS; kind++) {
        ray_tally all = {0};
        ray_case c;
        for (int i = 0; i < shapes; i++) {
            case_start(&c, (solid_kind)kind, (int)rng_below(&r, (uint32_t)flavors), rng_log_range(&r, low, high),
                       rounded, &r);
            for (int k = 0; k < rays; k++) {
                ray_tally one = {0};
                case_random_ray(&c, &r);
                judge(&c, &one);
                expect_tally(what, &c, &one, sizeof(cm_real) > 4 && rounded ? 5e3L : 1);
                all.rays += one.rays, all.hits += one.hits, all.inside += one.inside;
                grow(&all.gap, one.gap), grow(&all.late, one.late), grow(&all.exit, one.exit);
                grow(&all.normal, one.normal);
            }
            cm_hull_destroy(c.hull, NULL);
        }
        print_message("  %-10s %6ld rays, %ld hits, %ld from inside; gap %.1Le, late %.1Le, exit %.1Le, normal %.1Le\n",
                      solid_names[kind], all.rays, all.hits, all.inside, all.gap, all.late, all.exit, all.normal);
        check_that(all.hits > all.rays / 40 && all.hits < all.rays, "%ld of %ld", all.hits, all.rays);
    }
}

static void rays_meet_solids_where_distances_say(void **state) {
    (void)state;
    over_kinds("rays against cores", 21, 1, 1e-4, 1e6, false);
}
static void rays_meet_rounded_solids_where_distances_say(void **state) {
    (void)state;
    over_kinds("rays against rounded cores", 22, 1, 1e-4, 1e6, true);
}
static void rays_meet_needles_and_slabs(void **state) {
    (void)state;
    over_kinds("rays against needles and slabs", 23, 3, 1, 1, false);
    over_kinds("rays against rounded needles and slabs", 24, 3, 1, 1, true);
}

/* --- by hand ------------------------------------------------------------------------------------------------------ */

static cm_ray_hit hit_of(const cm_shape *s, cm_vec3 o, cm_vec3 d) {
    cm_ray ray = {o, d, CM_REAL_MAX};
    cm_pose home = cm_pose_identity();
    cm_ray_hit h = {-1, -1, {0, 0, 0}, {0, 0, 0}, false, 0};
    check_that(cm_raycast(&ray, s, &home, &h), "no hit");
    return h;
}
static bool misses(const cm_shape *s, cm_vec3 o, cm_vec3 d) {
    cm_ray ray = {o, d, CM_REAL_MAX};
    cm_pose home = cm_pose_identity();
    return !cm_raycast(&ray, s, &home, NULL);
}
static void expect_hit(const cm_shape *s, cm_vec3 o, cm_vec3 d, double t, double exit, cm_vec3 normal) {
    cm_ray_hit h = hit_of(s, o, d);
    check_that(fabs((double)h.t - t) <= 1e-6 && fabs((double)h.exit - exit) <= 1e-6, "t %.9g for %g, exit %.9g for %g",
               (double)h.t, t, (double)h.exit, exit);
    check_that(cm_length(cm_sub(h.normal, normal)) <= CM_REAL(1e-4), "normal %g %g %g", (double)h.normal.x,
               (double)h.normal.y, (double)h.normal.z);
}

static void rays_through_known_places(void **state) {
    (void)state;
    cm_shape cylinder = cm_make_cylinder(1, 2), cone = cm_make_cone(1, 1), egg = cm_make_ellipsoid(cm_v(1, 2, 3));
    const double half = sqrt(0.5);
    expect_hit(&cylinder, cm_v(-3, 0, 0), cm_v(1, 0, 0), 2, 4, cm_v(-1, 0, 0));
    expect_hit(&cylinder, cm_v(0, 0, 5), cm_v(0, 0, -2), 1.5, 3.5, cm_v(0, 0, 1));
    expect_hit(&cylinder, cm_v(0, 0, 0), cm_v(0, 1, 0), 0, 1, cm_v(0, 1, 0));
    expect_hit(&cylinder, cm_v(-3, 1, 0), cm_v(1, 0, 0), 3, 3, cm_v(0, 1, 0)); /* tangent */
    assert_true(misses(&cylinder, cm_v(-3, CM_REAL(1.0001), 0), cm_v(1, 0, 0)));
    assert_true(misses(&cylinder, cm_v(-3, 0, CM_REAL(2.0001)), cm_v(1, 0, 0)));
    assert_true(misses(&cylinder, cm_v(3, 0, 0), cm_v(1, 0, 0)));
    /* the cone's radius at z = 0 is 1/2; its side leans by height 2 over radius 1 */
    const double nx = 2 / sqrt(5), nz = 1 / sqrt(5);
    expect_hit(&cone, cm_v(-3, 0, 0), cm_v(1, 0, 0), 2.5, 3.5, cm_v(CM_REAL(-nx), 0, CM_REAL(nz)));
    expect_hit(&cone, cm_v(0, 0, -3), cm_v(0, 0, 1), 2, 4, cm_v(0, 0, -1));
    expect_hit(&cone, cm_v(CM_REAL(0.5), 0, -3), cm_v(0, 0, 1), 2, 3, cm_v(0, 0, -1));
    expect_hit(&cone, cm_v(CM_REAL(0.5), 0, 3), cm_v(0, 0, -1), 3, 4, cm_v(CM_REAL(nx), 0, CM_REAL(nz)));
    assert_true(misses(&cone, cm_v(-3, 0, CM_REAL(1.001)), cm_v(1, 0, 0)));
    assert_true(misses(&cone, cm_v(-3, 0, 3), cm_v(1, 0, 0)));        /* there the mirrored cone would be */
    assert_true(hit_of(&cone, cm_v(-3, 0, 1), cm_v(1, 0, 0)).t == 3); /* the apex */
    expect_hit(&egg, cm_v(0, 0, -9), cm_v(0, 0, 3), 2, 4, cm_v(0, 0, -1));
    expect_hit(&egg, cm_v(0, 0, 0), cm_v(0, 1, 0), 0, 2, cm_v(0, 1, 0));
    cylinder.radius = CM_REAL(0.5);
    expect_hit(&cylinder, cm_v(-3, 0, 0), cm_v(1, 0, 0), 1.5, 4.5, cm_v(-1, 0, 0));
    expect_hit(&cylinder, cm_v(0, 0, 5), cm_v(0, 0, -1), 2.5, 7.5, cm_v(0, 0, 1));
    /* along the diagonal through the rim at (1, 2): the rounded rim is met half a unit before, the side at x = -1.5
     * left */
    expect_hit(&cylinder, cm_v(4, 0, 5), cm_v(CM_REAL(-half), 0, CM_REAL(-half)), 3 / half - 0.5, 5.5 / half,
               cm_v(CM_REAL(half), 0, CM_REAL(half)));
}

/* A hull of points in a row, with a radius, is a capsule from -1 to 1 on x. */
static void a_hull_of_a_row_is_met_as_a_capsule(void **state) {
    (void)state;
    const cm_real row[] = {-1, 0, 0, CM_REAL(0.25), 0, 0, 1, 0, 0, 0, 0, 0, CM_REAL(0.5), 0, 0};
    cm_hull_desc desc = {.points = row, .point_count = 5};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    cm_shape s = cm_make_hull(hull);
    s.radius = CM_REAL(0.5);
    expect_hit(&s, cm_v(CM_REAL(0.75), 2, 0), cm_v(0, -1, 0), 1.5, 2.5, cm_v(0, 1, 0));
    expect_hit(&s, cm_v(4, 0, 0), cm_v(-1, 0, 0), 2.5, 5.5, cm_v(1, 0, 0));
    /* 0.3 beyond the end: 0.4 above the axis */
    expect_hit(&s, cm_v(CM_REAL(1.3), 2, 0), cm_v(0, -1, 0), 1.6, 2.4, cm_v(CM_REAL(0.6), CM_REAL(0.8), 0));
    cm_hull_destroy(hull, NULL);
}

static void flat_shapes_are_met_on_the_side_that_is_hit(void **state) {
    (void)state;
    cm_shape disk = cm_make_cylinder(1, 0), cone = cm_make_cone(1, 0), leaf = cm_make_ellipsoid(cm_v(1, 1, 0));
    cm_vec3 square[4] = {cm_v(-1, -1, 0), cm_v(1, -1, 0), cm_v(1, 1, 0), cm_v(-1, 1, 0)};
    cm_hull_desc desc = {.points = &square[0].x, .point_count = 4};
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    cm_shape polygon = cm_make_hull(hull);
    const cm_shape *flat[4] = {&disk, &cone, &leaf, &polygon};
    for (int i = 0; i < 4; i++) {
        expect_hit(flat[i], cm_v(CM_REAL(0.25), CM_REAL(0.5), 2), cm_v(0, 0, -1), 2, 2, cm_v(0, 0, 1));
        expect_hit(flat[i], cm_v(CM_REAL(0.25), CM_REAL(0.5), -2), cm_v(0, 0, 1), 2, 2, cm_v(0, 0, -1));
        cm_ray_hit edge = hit_of(flat[i], cm_v(-3, 0, 0), cm_v(1, 0, 0));
        check_that(fabs((double)edge.t - 2) < 1e-6 && fabs((double)edge.exit - 4) < 1e-6 &&
                       edge.normal.x < -CM_REAL(0.99),
                   "%d: %g to %g", i, (double)edge.t, (double)edge.exit);
        assert_true(misses(flat[i], cm_v(2, 0, 2), cm_v(0, 0, -1)));
    }
    cm_hull_destroy(hull, NULL);
    cm_shape needle = cm_make_cylinder(0, 1);
    assert_true(hit_of(&needle, cm_v(-2, 0, 0), cm_v(1, 0, 0)).t == 2);
    cm_shape nothing = cm_make_ellipsoid(cm_v(0, 0, 0)), dot = cm_make_cone(0, 0);
    assert_true(hit_of(&nothing, cm_v(-2, 0, 0), cm_v(1, 0, 0)).t == 2 &&
                hit_of(&dot, cm_v(0, 2, 0), cm_v(0, -1, 0)).t == 2);
    assert_true(misses(&nothing, cm_v(-2, 1, 0), cm_v(1, 0, 0)));
}

/* The hull is the square |y| <= 2, |z| <= 3; no diagonal of it is an edge. */
static void a_ray_within_a_polygon_enters_by_its_edges(void **state) {
    (void)state;
    cm_vec3 flat[4] = {cm_v(0, -2, -3), cm_v(0, 2, -3), cm_v(0, 2, 3), cm_v(0, -2, 3)};
    cm_hull_desc desc = {.points = &flat[0].x, .point_count = 4};
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    cm_shape s = cm_make_hull(hull);
    for (int side = -1; side <= 1; side += 2) {
        const cm_real y = CM_REAL(side) * 2, z = CM_REAL(side);
        expect_hit(&s, cm_v(0, y, -15), cm_v(0, 0, 6), 2, 3, cm_v(0, 0, -1));
        expect_hit(&s, cm_v(0, y, 15), cm_v(0, 0, -6), 2, 3, cm_v(0, 0, 1));
        expect_hit(&s, cm_v(0, -5, 3 * z), cm_v(0, 1, 0), 3, 7, cm_v(0, -1, 0));
        expect_hit(&s, cm_v(0, -4, z), cm_v(0, 1, 0), 2, 6, cm_v(0, -1, 0));
    }
    cm_hull_destroy(hull, NULL);
}

/* A number of many bits within [-2, 2]. Small multiples and sums of such are exact. */
static cm_real many_bits(rng *r) {
    const int bits = sizeof(cm_real) == 4 ? 17 : 46;
    return CM_REAL(ldexp(floor(ldexp(rng_range(r, -2, 2), bits)), -bits));
}
static cm_vec3 many_bits_vec3(rng *r) { return cm_v(many_bits(r), many_bits(r), many_bits(r)); }

/* The ray passes a corner of a hull, or of a triangle, exactly: it begins a whole number of its direction before. */
static void a_ray_through_a_corner_meets_it(void **state) {
    (void)state;
    rng r = rng_start("rays through corners", 27);
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < samples(2000, 200000); i++) {
        cm_vec3 p[7];
        for (int k = 0; k < 7; k++) p[k] = many_bits_vec3(&r);
        cm_hull_desc desc = {.points = &p[0].x, .point_count = 7};
        cm_hull *hull;
        assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
        const cm_shape shapes[2] = {cm_make_hull(hull), cm_make_triangle(p[0], p[1], p[2])};
        for (int k = 0; k < 40; k++) {
            const cm_real steps = CM_REAL(rng_below(&r, 4));
            const cm_vec3 d = many_bits_vec3(&r), o = cm_mul_add(p[k % 7], -steps, d);
            const cm_ray ray = {o, d, CM_REAL_MAX};
            for (int shape = 0; shape < (k % 7 < 3 ? 2 : 1); shape++) {
                cm_ray_hit hit;
                check_that(cm_raycast(&ray, &shapes[shape], &home, &hit),
                           "%d: shape %d, from %.17g %.17g %.17g along %.17g %.17g %.17g", i, shape, (double)o.x,
                           (double)o.y, (double)o.z, (double)d.x, (double)d.y, (double)d.z);
                /* near the plane of a face t is less certain than the place, by the sine of the angle between; a ray
                 * through an edge or corner may come by either face, the normal by the other */
                const double late = (double)hit.t - (double)steps * (1 + 8 * (double)CM_REAL_EPSILON);
                const double across = fabs((double)cm_dot(hit.normal, d));
                check_that(late <= 1e-11 || late * across <= 64 * (double)CM_REAL_EPSILON,
                           "%d: shape %d at %.17g, across its face by %g", i, shape, (double)hit.t, across);
            }
        }
        cm_hull_destroy(hull, NULL);
    }
}

/* Whole numbers: (3, 4, 0) is 5 long, and (4, -3, b) perpendicular to it. So a ray through what lies (3, 4, 0) from a
 * center touches the ball of 5 around it, and the capsule that goes on from there along (4, -3, 0) or (0, 0, 1). */
static void a_ray_that_only_touches_meets_it(void **state) {
    (void)state;
    rng r = rng_start("tangents", 28);
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < samples(20000, 2000000); i++) {
        const cm_real k = CM_REAL(1 + rng_below(&r, 5)), steps = CM_REAL(rng_below(&r, 4));
        cm_vec3 center =
            cm_v(CM_REAL(rng_below(&r, 9)) - 4, CM_REAL(rng_below(&r, 9)) - 4, CM_REAL(rng_below(&r, 9)) - 4);
        const cm_real a = CM_REAL(rng_below(&r, 7)) - 3, b = CM_REAL(rng_below(&r, 7)) - 3;
        const cm_vec3 d = cm_v(4 * a, -3 * a, b), aside = cm_v(3 * k, 4 * k, 0);
        if (!(cm_largest(d) > 0)) continue;
        const cm_vec3 along = rng_below(&r, 2) ? cm_v(4, -3, 0) : cm_v(0, 0, 2);
        const cm_shape shapes[4] = {cm_make_sphere(center, 5 * k),
                                    cm_make_capsule(cm_sub(center, along), cm_add(center, along), 5 * k),
                                    cm_make_ellipsoid(cm_v(5 * k, 5 * k, 5 * k)), cm_make_cylinder(5 * k, 4)};
        for (int s = 0; s < 4; s++) {
            if (s == 2) center = cm_v(0, 0, 0);
            const cm_ray ray = {cm_mul_add(cm_add(center, aside), -steps, d), d, CM_REAL_MAX};
            cm_ray_hit hit;
            check_that(cm_raycast(&ray, &shapes[s], &home, &hit), "%d: from %g %g %g along %g %g %g", s,
                       (double)ray.origin.x, (double)ray.origin.y, (double)ray.origin.z, (double)d.x, (double)d.y,
                       (double)d.z);
            check_that((double)hit.t <= (double)steps * (1 + 2 * (double)CM_REAL_EPSILON), "%d: %.17g", s,
                       (double)hit.t);
            assert_true(steps > 0 || hit.inside);
        }
    }
    cm_shape box = cm_make_rounded_box(cm_v(2, 1, 0), 5),
             triangle = cm_make_triangle(cm_v(3, -1, -1), cm_v(-1, 2, 1), cm_v(3, 3, -1));
    triangle.radius = 4;
    assert_true(hit_of(&box, cm_v(-6, -8, -1), cm_v(4, 4, -3)).t <=
                1); /* at (-2, -4, -4), 5 from the corner's (-2, -1) */
    assert_true(hit_of(&triangle, cm_v(5, CM_REAL(-0.5), -5), cm_v(-4, 0, 0)).t <= CM_REAL(0.5));
    cm_shape cone = cm_make_cone(4, 1);
    assert_true(hit_of(&cone, cm_v(-2, 0, 0), cm_v(-1, 1, 0)).t == 0); /* from the side, outward */
    assert_true(hit_of(&cone, cm_v(CM_REAL(-0.5), CM_REAL(-3.5), -1), cm_v(-4, 4, -3)).t == 0);
}

static void a_ray_may_come_from_far_away(void **state) {
    (void)state;
    cm_real far = sizeof(cm_real) == 4 ? CM_REAL(4096) : CM_REAL(1e9);
    cm_shape all[4] = {cm_make_cylinder(1, 1), cm_make_ellipsoid(cm_v(1, 1, 1)), cm_make_cone(1, 1),
                       cm_make_cylinder(CM_REAL(0.5), CM_REAL(0.5))};
    all[3].radius = CM_REAL(0.5);
    for (int i = 0; i < 4; i++) {
        double t = (double)far - (i == 2 ? 0.5 : 1);
        cm_ray_hit h = hit_of(&all[i], cm_v(-far, 0, 0), cm_v(1, 0, 0));
        check_that(fabs((double)h.t - t) <= 2 * (double)far * (double)CM_REAL_EPSILON, "%d: %.12g for %.12g", i,
                   (double)h.t, t);
        assert_true(misses(&all[i], cm_v(-far, CM_REAL(1.01), 0), cm_v(1, 0, 0)));
    }
}

static void a_turned_solid_is_met_where_it_lies(void **state) {
    (void)state;
    rng r = rng_start("turned solids", 25);
    for (int i = 0; i < samples(1000, 200000); i++) {
        ray_case c;
        case_start(&c, (solid_kind)(SOLID_BOX + (int)rng_below(&r, 5)), 0, 1, rng_below(&r, 2) != 0, &r);
        cm_pose pose = rng_pose(&r, 10);
        wide3 at = w3_of_vec3(pose.position);
        solid_place(&c.s, pose.rotation, at);
        cm_vec3 o = cm_add(pose.position, cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 0, 6))));
        cm_vec3 d = cm_sub(cm_add(pose.position, rng_vec3(&r, 1)), o);
        case_ray(&c, o, d, CM_REAL_MAX);
        cm_ray_hit hit;
        bool got = cm_raycast(&c.ray, &c.shape, &pose, &hit);
        long double where, least = least_gap(&c, 8 / w3_length(c.d) * 8, &where),
                           tolerance = sizeof(cm_real) == 4 ? 1e-4L : 1e-10L;
        check_that(got == (least <= 0) || fabsl(least) < tolerance, "%d: hit %d, least gap %Lg", i, got, least);
        if (got && !hit.inside) {
            check_that(fabsl(gap_at(&c, (long double)hit.t)) < tolerance, "%d: off by %Lg", i,
                       gap_at(&c, (long double)hit.t));
            check_that(cm_dot(hit.normal, d) <= CM_REAL(1e-3) * cm_length(d), "%d", i);
        }
        cm_hull_destroy(c.hull, NULL);
    }
}

static void a_bad_ray_meets_nothing(void **state) {
    (void)state;
    cm_shape s = cm_make_cone(1, 1);
    s.radius = CM_REAL(0.5);
    cm_pose home = cm_pose_identity();
    cm_real nan = (cm_real)NAN;
    const cm_ray bad[] = {{{nan, 0, 0}, {1, 0, 0}, 1},
                          {{0, 0, 0}, {0, 0, 0}, 1},
                          {{0, 0, 0}, {1, 0, 0}, -1},
                          {{0, 0, 0}, {1, 0, nan}, 1},
                          {{0, 0, 0}, {1, 0, 0}, nan}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(cm_raycast(&bad[i], &s, &home, NULL));
    cm_ray endless = {{-3, 0, 0}, {1, 0, 0}, (cm_real)INFINITY},
           tiny = {{-3, 0, 0}, {CM_REAL(1e-30), 0, 0}, CM_REAL_MAX};
    assert_true(cm_raycast(&endless, &s, &home, NULL) && cm_raycast(&tiny, &s, &home, NULL));
}

/* However long its direction is, what t counts in. */
static void an_endless_ray_never_leaves_a_half_space(void **state) {
    (void)state;
    const cm_shape ground = cm_make_halfspace(cm_v(0, 1, 0), 0);
    const cm_pose pose = cm_pose_identity();
    for (int k = -20; k <= 40; k++) {
        const cm_real length = CM_REAL(ldexp(1, k));
        const cm_ray rays[3] = {{cm_v(0, 3, 0), cm_v(length, -length, 0), CM_REAL_MAX},
                                {cm_v(0, -3, 0), cm_v(0, -length, 0), CM_REAL_MAX},
                                {cm_v(0, 0, 0), cm_v(0, -length, length), (cm_real)HUGE_VAL}};
        for (int i = 0; i < 3; i++) {
            cm_ray_hit hit;
            assert_true(cm_raycast(&rays[i], &ground, &pose, &hit));
            check_that(hit.t == (i ? 0 : 3 / length) && hit.inside == (i > 0) && hit.exit == CM_REAL_MAX,
                       "ray %d, 2^%d: from %g to %g", i, k, (double)hit.t, (double)hit.exit);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_through_known_places),
        cmocka_unit_test(a_hull_of_a_row_is_met_as_a_capsule),
        cmocka_unit_test(flat_shapes_are_met_on_the_side_that_is_hit),
        cmocka_unit_test(a_ray_within_a_polygon_enters_by_its_edges),
        cmocka_unit_test(a_ray_through_a_corner_meets_it),
        cmocka_unit_test(a_ray_that_only_touches_meets_it),
        cmocka_unit_test(a_ray_may_come_from_far_away),
        cmocka_unit_test(rays_meet_solids_where_distances_say),
        cmocka_unit_test(rays_meet_rounded_solids_where_distances_say),
        cmocka_unit_test(rays_meet_needles_and_slabs),
        cmocka_unit_test(a_turned_solid_is_met_where_it_lies),
        cmocka_unit_test(an_endless_ray_never_leaves_a_half_space),
        cmocka_unit_test(a_bad_ray_meets_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
