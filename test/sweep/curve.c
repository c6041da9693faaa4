/* Curved paths: u * move + u^2 / 2 * accelerate.
 *
 * The truth of balls is computed here in long double, from nothing of the library: the signed distance of a center on a
 * parabola from a plane, a ball or a box, at many times and, between them, at the least of it by thirds. Any other pair
 * is asked for overlaps along the way. */
#if defined(__clang__) /* the oracle is in long double: every number of the library's is promoted */
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif
#include "motions.h"
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

static cm_motion still_at(cm_vec3 at) {
    cm_motion m = motion_at_rest();
    m.start.position = at;
    return m;
}

static cm_motion thrown(cm_vec3 at, cm_vec3 move, cm_vec3 accelerate) {
    cm_motion m = still_at(at);
    m.move = move, m.accelerate = accelerate;
    return m;
}

static cm_shape ball(double radius) { return cm_make_sphere(cm_v(0, 0, 0), CM_REAL(radius)); }
static cm_shape floor_at(double height) { return cm_make_halfspace(cm_v(0, 0, 1), CM_REAL(-height)); }

/* --- by hand ------------------------------------------------------------------------------------------------------ */

static void the_path_is_a_parabola_of_the_pivot(void **state) {
    (void)state;
    cm_motion m = thrown(cm_v(1, 2, 3), cm_v(4, 0, 8), cm_v(0, 2, -16));
    cm_pose at;
    cm_motion_at(&m, CM_REAL(0.5), &at); /* 1 + 2, 2 + 2 / 8, 3 + 4 - 16 / 8 */
    assert_true(at.position.x == 3 && at.position.y == CM_REAL(2.25) && at.position.z == 5);
    cm_motion_at(&m, 1, &at);
    assert_true(at.position.x == 5 && at.position.y == 3 && at.position.z == 3);
    m.spin = cm_v(0, 0, CM_REAL(3.14159265358979323846)), m.pivot = cm_v(1, 0, 0); /* half a turn by the end */
    cm_motion_at(&m, 1, &at);
    check_that(fabs((double)at.position.x - 7) < near_bound && fabs((double)at.position.y - 3) < near_bound, "%g %g",
               (double)at.position.x, (double)at.position.y);
}

/* First contact by hand, the normal from the ball to the other, and what blocks. */
static void expect_hit(const char *what, const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                       double first, bool blocking, cm_vec3 normal, cm_vec3 point) {
    cm_sweep_hit hit, back;
    const double gap = promised_gap(a, ma, b, mb);
    check_that(cm_sweep(a, ma, b, mb, &hit), "%s: no hit", what);
    check_that(cm_sweep(b, mb, a, ma, &back) && back.first == hit.first && back.blocking == hit.blocking &&
                   back.start == hit.start,
               "%s: swapped %.17g", what, (double)back.first);
    const double late = (double)hit.first - first;
    check_that(late <= 2 * (double)CM_REAL_EPSILON, "%s: %.17g, truly %.17g: late", what, (double)hit.first, first);
    check_that(fabs(gap_at(a, ma, b, mb, (double)hit.first)) <= gap, "%s: a gap of %g at %.17g, promised %g", what,
               gap_at(a, ma, b, mb, (double)hit.first), (double)hit.first, gap);
    check_that(hit.blocking == blocking, "%s: blocking %d", what, hit.blocking);
    check_that((double)cm_length(cm_sub(hit.normal, normal)) < 1e-2, "%s: normal %g %g %g", what, (double)hit.normal.x,
               (double)hit.normal.y, (double)hit.normal.z);
    check_that((double)cm_length(cm_sub(hit.point, point)) < 1e-2, "%s: point %g %g %g", what, (double)hit.point.x,
               (double)hit.point.y, (double)hit.point.z);
}

static void expect_time(const char *what, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                        const cm_motion *mb, double first, double tolerance) {
    cm_sweep_hit hit;
    check_that(cm_sweep(a, ma, b, mb, &hit), "%s: no hit", what);
    check_that(fabs((double)hit.first - first) <= tolerance, "%s: %.17g, truly %.17g", what, (double)hit.first, first);
}

static void balls_meet_what_they_fall_on_when_newton_says(void **state) {
    (void)state;
    const cm_vec3 down = cm_v(0, 0, -1);
    const cm_motion home = still_at(cm_v(0, 0, 0));
    const double eps = 64 * (double)CM_REAL_EPSILON;
    cm_shape a = ball(0.5), b = floor_at(0);
    /* dropped 0.5 under g = 10: sqrt(0.1) */
    cm_motion m = thrown(cm_v(0, 0, 1), cm_v(0, 0, 0), cm_v(0, 0, -10));
    expect_hit("a drop on a floor", &a, &m, &b, &home, sqrt(0.1), true, down, cm_v(0, 0, 0));
    expect_time("a drop on a floor", &a, &m, &b, &home, sqrt(0.1), eps);
    /* thrown up at 10 a second over 2.5 seconds: 0.5 + 10 t - 5 t^2 = 0 after 1 + sqrt(1.1) */
    m = thrown(cm_v(0, 0, 1), cm_v(0, 0, 25), cm_v(0, 0, CM_REAL(-62.5)));
    expect_time("a throw", &a, &m, &b, &home, (1 + sqrt(1.1)) / 2.5, eps);
    /* on a ball of 1.5 below: centers 2 apart when it has fallen 3 of 5 */
    b = ball(1.5);
    m = thrown(cm_v(0, 0, 5), cm_v(0, 0, 0), cm_v(0, 0, -10));
    expect_hit("a drop on a ball", &a, &m, &b, &home, sqrt(0.6), true, down, cm_v(0, 0, CM_REAL(1.5)));
    expect_time("a drop on a ball", &a, &m, &b, &home, sqrt(0.6), eps);
    /* thrown along x over the ball and dropping on its side: at u = 1/2 it is at (3 - 1.8, 0, 2.6 - 1) = (1.2, 0, 1.6),
     * 2 from the center */
    m = thrown(cm_v(3, 0, CM_REAL(2.6)), cm_v(CM_REAL(-3.6), 0, 0), cm_v(0, 0, -8));
    expect_hit("a throw on a ball", &a, &m, &b, &home, 0.5, true, cm_v(CM_REAL(-0.6), 0, CM_REAL(-0.8)),
               cm_v(CM_REAL(0.9), 0, CM_REAL(1.2)));
    /* on a box: its face, its edge x = z = 1 from 0.3 beside and 0.4 above, its corner from (0.3, 0, 0.4) */
    b = cm_make_box(cm_v(1, 1, 1));
    m = thrown(cm_v(0, 0, 3), cm_v(0, 0, 0), cm_v(0, 0, -10));
    expect_hit("a drop on a box", &a, &m, &b, &home, sqrt(0.3), true, down, cm_v(0, 0, 1));
    expect_time("a drop on a box", &a, &m, &b, &home, sqrt(0.3), eps);
    m = thrown(cm_v(CM_REAL(1.3), 0, CM_REAL(2.4)), cm_v(0, 0, 0), cm_v(0, 0, -8));
    expect_hit("a drop on an edge", &a, &m, &b, &home, 0.5, true, cm_v(CM_REAL(-0.6), 0, CM_REAL(-0.8)), cm_v(1, 0, 1));
    m = thrown(cm_v(CM_REAL(1.3), 1, CM_REAL(2.4)), cm_v(0, 0, 0), cm_v(0, 0, -8));
    expect_hit("a drop on a corner", &a, &m, &b, &home, 0.5, true, cm_v(CM_REAL(-0.6), 0, CM_REAL(-0.8)),
               cm_v(1, 1, 1));
}

/* A miss by less than the gap may be told as a hit, and so an apex that just touches may block: it is approached until
 * then. */
static void an_apex_is_met_where_it_touches(void **state) {
    (void)state;
    /* up by 2 u - 2 u^2: 1/2 at u = 1/2 */
    const cm_shape a = ball(0.5);
    const cm_motion m = thrown(cm_v(0, 0, 0), cm_v(3, 0, 2), cm_v(0, 0, -4)), home = still_at(cm_v(0, 0, 0));
    const cm_motion above = still_at(cm_v(0, 0, 2)), over = still_at(cm_v(CM_REAL(1.5), 0, 2));
    const cm_motion higher = still_at(cm_v(CM_REAL(1.5), 0, CM_REAL(2.001)));
    const cm_shape ceiling = cm_make_halfspace(cm_v(0, 0, -1), 1); /* solid from z = 1 up */
    const cm_shape box = cm_make_box(cm_v(5, 5, 1)), round = ball(1);
    cm_sweep_hit hit;
    const double early = sqrt(promised_gap(&a, &m, &ceiling, &home) / 2); /* 2 (u - 1/2)^2 below it */
    expect_time("a ceiling", &a, &m, &ceiling, &home, 0.5, early);
    expect_time("a box above", &a, &m, &box, &above, 0.5, early);
    expect_time("a ball above", &a, &m, &round, &over, 0.5, early); /* moves away from its pole, so less */
    cm_shape b = cm_make_halfspace(cm_v(0, 0, -1), CM_REAL(1.001));
    assert_false(cm_sweep(&a, &m, &b, &home, &hit));
    assert_false(cm_sweep(&a, &m, &round, &higher, &hit));
    b = cm_make_halfspace(cm_v(0, 0, -1), CM_REAL(0.995)); /* 2 (u - 1/2)^2 = 0.005 */
    expect_hit("a lower ceiling", &a, &m, &b, &home, 0.45, true, cm_v(0, 0, 1), cm_v(CM_REAL(1.35), 0, CM_REAL(0.995)));
}

/* What stands on a plane, a box or a mesh, or hovers over it by last bits, and is pulled down, away or along. */
static void what_stands_is_held_at_once_and_what_leaves_comes_back_later(void **state) {
    (void)state;
    cm_mesh *table = mesh_box(cm_v(-4, -4, -1), cm_v(4, 4, 1), true);
    const cm_shape ground[] = {floor_at(1), cm_make_box(cm_v(4, 4, 1)), cm_make_mesh(table)};
    const cm_shape bodies[] = {ball(0.5), cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)))};
    const cm_motion home = still_at(cm_v(0, 0, 0));
    for (int i = 0; i < 18; i++) {
        const cm_shape *a = &bodies[i % 2], *b = &ground[i / 2 % 3];
        const double off[] = {0, 2e-7, -2e-7}, hover = off[i / 6] * (sizeof(cm_real) == 4 ? 8 : 1e-8);
        const char *what = cm_kind_name(b->kind);
        cm_motion m = thrown(cm_v(CM_REAL(0.25), 0, CM_REAL(1.5 + hover)), cm_v(0, 0, 0), cm_v(0, 0, -10));
        const cm_sweep_start start = cm_overlap(a, &m.start, b, &home.start) ? CM_SWEEP_TOUCHING : CM_SWEEP_SEPARATED;
        cm_sweep_hit hit;
        check_that(cm_sweep(a, &m, b, &home, &hit), "%s %d: at rest, no hit", what, i);
        check_that(hit.blocking && hit.start == start, "%s %d: blocking %d, start %d", what, i, hit.blocking,
                   hit.start);
        check_that(hit.first <= CM_REAL_MIN, "%s %d: falls until %g", what, i, (double)hit.first);
        m.move = cm_v(1, 0, 0); /* sliding, and heavy */
        check_that(cm_sweep(a, &m, b, &home, &hit) && hit.blocking && hit.first <= CM_REAL_MIN,
                   "%s %d: sliding, %d, falls until %g", what, i, hit.blocking, (double)hit.first);
        m.move = cm_v(1, 0, CM_REAL(2.5)); /* up by 2.5 u - 5 u^2, and back at 1/2 */
        check_that(cm_sweep(a, &m, b, &home, &hit) && hit.blocking, "%s %d: a hop, blocking %d", what, i, hit.blocking);
        const double gap = promised_gap(a, &m, b, &home);
        check_that(fabs((double)hit.first - 0.5) <= gap, "%s %d: a hop, back at %.17g, not 0.5", what, i,
                   (double)hit.first);
        m.move.z = CM_REAL(5.01); /* not back within the step */
        bool hits = cm_sweep(a, &m, b, &home, &hit);
        check_that(!(hits && hit.blocking), "%s %d: held at %g though it leaves", what, i, (double)hit.first);
        m.move = cm_v(1, 0, 0), m.accelerate = cm_v(0, 1, 10);
        hits = cm_sweep(a, &m, b, &home, &hit);
        check_that(!(hits && hit.blocking), "%s %d: pulled away, held", what, i);
        m.accelerate = cm_v(0, 1, 0);
        hits = cm_sweep(a, &m, b, &home, &hit);
        check_that(!(hits && hit.blocking), "%s %d: pulled along, held", what, i);
    }
    cm_mesh_destroy(table, NULL);
}

/* What touches the ground, slides, and goes up by so little that rounding made it, is pulled back, and blocked there.
 */
static void what_goes_up_by_next_to_nothing_comes_back(void **state) {
    (void)state;
    rng r = rng_start("next to nothing", 3119);
    form plates[4];
    static const form_kind kinds[4] = {FORM_BOX, FORM_HULL, FORM_MESH_12, FORM_HALVES};
    for (int k = 0; k < 4; k++) form_box(&plates[k], kinds[k], cm_v(9, 9, 1), &r);
    const cm_real quarter = CM_REAL(0.25);
    const cm_shape bodies[] = {ball(0.25), cm_make_box(cm_v(quarter, quarter, quarter)),
                               cm_make_capsule(cm_v(-1, 0, 0), cm_v(1, 0, 0), quarter), cm_make_cylinder(1, quarter),
                               cm_make_rounded_box(cm_v(quarter, quarter, 0), quarter)};
    const cm_motion home = still_at(cm_v(0, 0, -1));
    for (int i = 0; i < samples(4000, 100000); i++) {
        const cm_shape *a = &bodies[i % 5], *b = &plates[i / 5 % 4].shape;
        const double up = rng_log_range(&r, 1e-20, 1e-4);
        cm_motion m = thrown(cm_v(CM_REAL(rng_range(&r, -3, 3)), CM_REAL(rng_range(&r, -3, 3)), quarter),
                             cm_v(CM_REAL(rng_range(&r, -0.1, 0.1)), CM_REAL(rng_range(&r, -0.1, 0.1)), CM_REAL(up)),
                             cm_v(0, 0, CM_REAL(-0.0027)));
        if (rng_below(&r, 2)) m.start.position.z = nice_ulps(quarter, &r);
        if (i % 5 == 0 && rng_below(&r, 2)) m.spin = rng_vec3(&r, 1);
        cm_sweep_hit hit;
        const bool met = cm_sweep(a, &m, b, &home, &hit);
        check_that(met && hit.blocking, "%d: %s on %s, up by %g: met %d, not blocked", i, cm_kind_name(a->kind),
                   form_names[kinds[i / 5 % 4]], up, met);
        /* the depth of what is round in a mesh or a compound is known to 1e-6 of the radius */
        const double depth = i / 5 % 4 > 1 && a->radius > 0 ? 1e-6 : 0, gap = promised_gap(a, &m, b, &home) + depth;
        const double u = (double)hit.first, down = 0.0027 * u * u / 2 - up * u;
        check_that(down <= 2 * gap, "%d: %s on %s, up by %g: down by %g at %g, may be %g", i, cm_kind_name(a->kind),
                   form_names[kinds[i / 5 % 4]], up, down, u, gap);
    }
    for (int k = 0; k < 4; k++) form_free(&plates[k]);
}

static void what_falls_together_moves_straight(void **state) {
    (void)state;
    const cm_vec3 g = cm_v(1, 2, -16);
    cm_shape a = ball(0.5), b = cm_make_box(cm_v(1, 1, 1));
    cm_motion ma = thrown(cm_v(-4, 0, 0), cm_v(5, 0, 0), cm_v(0, 0, 0)), mb = still_at(cm_v(0, 0, 0));
    cm_sweep_hit straight, falling;
    assert_true(cm_sweep(&a, &ma, &b, &mb, &straight)); /* 2.5 of 5 */
    ma.accelerate = mb.accelerate = g;
    assert_true(cm_sweep(&a, &ma, &b, &mb, &falling));
    check_that(falling.first == straight.first && falling.last == straight.last && falling.blocking, "%g to %g, not %g",
               (double)falling.first, (double)falling.last, (double)straight.first);
    /* fallen by g / 8 at 1/2 */
    const cm_vec3 point = cm_mul_add(cm_v(-1, 0, 0), CM_REAL(0.125), g);
    check_that((double)cm_length(cm_sub(falling.point, point)) < near_bound, "%g %g %g", (double)falling.point.x,
               (double)falling.point.y, (double)falling.point.z);
}

static void the_last_time_of_a_curved_contact(void **state) {
    (void)state;
    const cm_motion home = still_at(cm_v(0, 0, 0));
    const cm_shape a = ball(0.5), zone = cm_make_box(cm_v(2, 2, 1));
    /* up through the zone from below its upper face, 2 u - 2 u^2 from 1.2: out at 1.5, in again */
    cm_motion m = thrown(cm_v(0, 0, CM_REAL(1.2)), cm_v(0, 0, 2), cm_v(0, 0, -4));
    cm_real last = 0;
    assert_true(cm_sweep_last(&a, &m, &zone, &home, &last));
    assert_true(last == 1);
    /* from rest: 0.3 = 2 u^2 */
    m = thrown(cm_v(0, 0, CM_REAL(1.2)), cm_v(0, 0, 0), cm_v(0, 0, 4));
    assert_true(cm_sweep_last(&a, &m, &zone, &home, &last));
    const double gap = promised_gap(&a, &m, &zone, &home);
    check_that((double)last >= sqrt(0.15) - 2e-8 - gap && (double)last <= sqrt(0.15) + gap, "%.17g, not %.17g",
               (double)last, sqrt(0.15));
}

/* --- against a search in long double ------------------------------------------------------------------------------ */

typedef enum target { ON_PLANE_BELOW, ON_BALL, ON_BLOCK, TARGETS } target;

typedef struct flight {
    target what;
    long double at[3], move[3], pull[3], reach, other; /* `other`: its radius */
    long double half[3];
} flight;

static long double flight_gap(const flight *f, long double u) {
    long double p[3], square = 0, inside = -HUGE_VALL;
    for (int k = 0; k < 3; k++) p[k] = f->at[k] + u * f->move[k] + u * u / 2 * f->pull[k];
    if (f->what == ON_PLANE_BELOW) return p[2] - f->reach;
    if (f->what == ON_BALL) return sqrtl(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - f->reach - f->other;
    for (int k = 0; k < 3; k++) {
        long double beyond = fabsl(p[k]) - f->half[k];
        inside = fmaxl(inside, beyond);
        if (beyond > 0) square += beyond * beyond;
    }
    return (square > 0 ? sqrtl(square) : inside) - f->reach;
}

/* The first time before `end` at which the gap is no more than `level`; 2: none. */
static long double flight_first(const flight *f, long double level, long double end) {
    const int pieces = 512;
    for (int i = 0; i < pieces; i++) {
        long double low = end * i / pieces, high = end * (i + 1) / pieces, x = low, y = high;
        if (flight_gap(f, low) <= level) return low;
        for (int k = 0; k < 60; k++) { /* the least within, by thirds */
            long double one = x + (y - x) / 3, two = x + (y - x) * 2 / 3;
            if (flight_gap(f, one) <= flight_gap(f, two))
                y = two;
            else
                x = one;
        }
        if (flight_gap(f, x) > level && flight_gap(f, high) > level) continue;
        if (flight_gap(f, x) <= level) high = x;
        for (int k = 0; k < 80; k++) {
            long double middle = low + (high - low) / 2;
            if (flight_gap(f, middle) > level)
                low = middle;
            else
                high = middle;
        }
        return high;
    }
    return 2;
}

static void random_balls_are_never_late_and_leave_the_promised_gap(void **state) {
    (void)state;
    rng r = rng_start("curved balls", 2101);
    int hits = 0, misses = 0, grazes = 0, count = samples(3000, 100000);
    for (int i = 0; i < count; i++) {
        const double scale = rng_log_range(&r, 1e-3, 1e3), radius = rng_range(&r, 0.1, 1) * scale;
        flight f = {.what = (target)(i % TARGETS)};
        cm_motion ma = still_at(rng_vec3(&r, 3 * scale)), mb = still_at(cm_v(0, 0, 0));
        cm_shape a = ball(radius), b = floor_at(0);
        ma.move = rng_vec3(&r, 6 * scale), ma.accelerate = rng_vec3(&r, 12 * scale);
        if (f.what == ON_PLANE_BELOW) ma.start.position.z = cm_abs(ma.start.position.z) + a.radius;
        if (f.what == ON_BALL) b = ball(rng_range(&r, 0.1, 1) * scale);
        if (f.what == ON_BLOCK) b = cm_make_box(cm_vec3_abs(rng_vec3(&r, scale)));
        if (i % 4 == 1) { /* through about the origin at some time */
            cm_pose near;
            cm_motion_at(&ma, CM_REAL(rng_unit(&r)), &near);
            ma.start.position = cm_sub(cm_add(ma.start.position, rng_vec3(&r, 0.5 * scale)), near.position);
        }
        if (i % 4 == 0) { /* grazing: the apex near the other's surface */
            const cm_vec3 side = f.what == ON_PLANE_BELOW ? cm_v(0, 0, 1) : rng_direction(&r);
            const cm_real reach = a.radius + (f.what == ON_BALL ? b.radius : 0) +
                                  (f.what == ON_BLOCK ? cm_dot(cm_vec3_abs(side), b.u.box) : 0);
            const cm_vec3 along = cm_sub(ma.move, cm_scale(side, cm_dot(ma.move, side)));
            ma.accelerate = cm_scale(side, CM_REAL(rng_range(&r, 4, 12) * scale)); /* in at first, and out again */
            ma.move = cm_mul_add(along, CM_REAL(-0.5), ma.accelerate);
            ma.start.position = cm_scale(side, reach * CM_REAL(1 + rng_range(&r, -1e-6, 1e-6)));
            ma.start.position = cm_mul_add(ma.start.position, CM_REAL(0.125), ma.accelerate);
            ma.start.position = cm_mul_add(ma.start.position, CM_REAL(-0.5), along);
        }
        f.reach = (long double)a.radius, f.other = (long double)b.radius;
        const cm_vec3 *v[3] = {&ma.start.position, &ma.move, &ma.accelerate};
        long double *to[3] = {f.at, f.move, f.pull};
        for (int k = 0; k < 3; k++)
            to[k][0] = (long double)v[k]->x, to[k][1] = (long double)v[k]->y, to[k][2] = (long double)v[k]->z;
        if (f.what == ON_BLOCK)
            f.half[0] = (long double)b.u.box.x, f.half[1] = (long double)b.u.box.y, f.half[2] = (long double)b.u.box.z;
        const double gap = promised_gap(&a, &ma, &b, &mb);
        if (!(flight_gap(&f, 0) > 2 * (long double)gap)) continue;
        cm_sweep_hit hit, back;
        bool meets = cm_sweep(&a, &ma, &b, &mb, &hit);
        const long double truth = flight_first(&f, 0, 1);
        check_that(cm_sweep(&b, &mb, &a, &ma, &back) == meets && (!meets || back.first == hit.first), "%d: swapped", i);
        if (!meets) {
            check_that(truth > 1, "%d, target %d: missed, truly at %.17g", i, f.what, (double)truth);
            misses++;
            continue;
        }
        check_that(hit.start == CM_SWEEP_SEPARATED && hit.first > 0, "%d: start %d", i, hit.start);
        check_that((long double)hit.first <= truth, "%d, target %d: %.17g, truly %.17g: late", i, f.what,
                   (double)hit.first, (double)truth);
        const long double left = flight_gap(&f, (long double)hit.first);
        check_that(left <= (long double)gap, "%d, target %d: a gap of %g, promised %g", i, f.what, (double)left, gap);
        grazes += truth > 1;
        hits++;
    }
    print_message("  %d hits, %d of them within the gap only, %d misses\n", hits, grazes, misses);
    assert_true(hits > count / 8 && misses > count / 8);
}

/* --- any pair ----------------------------------------------------------------------------------------------------- */

/* What is curved is known to 1e-10 of the sizes in double. */
static double promised_any(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    cm_aabb box;
    const cm_pose home = cm_pose_identity();
    double size = 2;
    cm_shape_bounds(a, &home, &box);
    size += (double)cm_length(cm_sub(box.max, box.min));
    cm_shape_bounds(b, &home, &box);
    if (b->kind != CM_SHAPE_HALFSPACE) size += (double)cm_length(cm_sub(box.max, box.min));
    return promised_gap(a, ma, b, mb) + (sizeof(cm_real) == 8 ? 1e-10 * size : 0);
}

static void any_pair_is_never_late(void **state) {
    (void)state;
    rng r = rng_start("curved pairs", 2102);
    cm_hull *hull = hull_random(30, 1, &r);
    cm_mesh *sheet = surface_bumps(8, CM_REAL(0.3), &r), *cube = mesh_box(cm_v(-1, -1, -1), cm_v(1, 1, 1), true);
    const cm_compound_child children[2] = {{cm_make_box(cm_v(1, 1, CM_REAL(0.5))), cm_pose_at(cm_v(1, 0, 0)), 0},
                                           {ball(0.5), cm_pose_at(cm_v(-1, 0, 0)), 0}};
    cm_compound *pair = NULL;
    cm_compound_desc desc = {.children = children, .count = 2};
    assert_int_equal(cm_compound_build(&desc, NULL, &pair, NULL), CM_OK);
    const cm_shape composites[3] = {cm_make_mesh(sheet), cm_make_mesh(cube), cm_make_compound(pair)};
    int hits = 0, count = samples(1200, 40000);
    for (int i = 0; i < count; i++) {
        const bool turns = i % 3 == 0, composite = i % 2 == 0;
        cm_shape a = convex_random((int)rng_below(&r, CONVEX_KINDS), rng_log_range(&r, 0.1, 1), hull, &r);
        cm_shape b = convex_random((int)rng_below(&r, CONVEX_KINDS), rng_log_range(&r, 0.1, 1), hull, &r);
        if (composite) b = composites[i / 2 % 3];
        if (i % 16 == 1) b = cm_make_halfspace(rng_direction(&r), 1);
        cm_motion ma = random_motion(&r, 3, 3, turns), mb = random_motion(&r, 1, 1, turns && rng_below(&r, 2));
        ma.accelerate = rng_vec3(&r, 4), mb.accelerate = rng_vec3(&r, rng_below(&r, 2) ? 2 : 0);
        if (rng_below(&r, 2)) { /* through it, about in the middle of the step */
            cm_pose pa, pb;
            cm_motion_at(&ma, CM_REAL(0.5), &pa), cm_motion_at(&mb, CM_REAL(0.5), &pb);
            ma.start.position = cm_add(ma.start.position, cm_sub(pb.position, pa.position));
        }
        const char *na = cm_kind_name(a.kind), *nb = cm_kind_name(b.kind);
        cm_sweep_hit hit, back;
        const bool meets = cm_sweep(&a, &ma, &b, &mb, &hit), touch = cm_overlap(&a, &ma.start, &b, &mb.start);
        check_that(cm_sweep(&b, &mb, &a, &ma, &back) == meets && (!meets || back.first == hit.first),
                   "%d, %s %s: swapped", i, na, nb);
        check_that((meets && hit.start != CM_SWEEP_SEPARATED) == touch, "%d, %s %s: the start", i, na, nb);
        if (touch) continue;
        for (int k = 1; k <= 64; k++) {
            const double u = (meets ? (double)hit.first : 1) * k / 65;
            check_that(gap_at(&a, &ma, &b, &mb, u) > 0, "%d, %s %s: overlap at %g, before %g", i, na, nb, u,
                       meets ? (double)hit.first : 1);
        }
        if (!meets) continue;
        const double left = gap_at(&a, &ma, &b, &mb, (double)hit.first), gap = promised_any(&a, &ma, &b, &mb);
        if (hit.blocking)
            check_that(fabs(left) <= 1.01 * gap, "%d, %s %s: a gap of %g, promised %g", i, na, nb, left, gap);
        hits++;
    }
    print_message("  %d hits of %d\n", hits, count);
    assert_true(hits > count / 4);
    cm_compound_destroy(pair, NULL);
    cm_mesh_destroy(sheet, NULL), cm_mesh_destroy(cube, NULL);
    cm_hull_destroy(hull, NULL);
}

static void what_is_not_finite_meets_nothing(void **state) {
    (void)state;
    cm_shape a = ball(1), b = floor_at(0);
    cm_motion m = thrown(cm_v(0, 0, 3), cm_v(0, 0, -9), cm_v(0, 0, 0)), home = still_at(cm_v(0, 0, 0));
    cm_sweep_hit hit;
    cm_real last;
    assert_true(cm_sweep(&a, &m, &b, &home, &hit));
    m.accelerate.x = (cm_real)NAN;
    assert_false(cm_sweep(&a, &m, &b, &home, &hit) || cm_sweep_last(&a, &m, &b, &home, &last));
    m.accelerate.x = CM_REAL_MAX;
    assert_false(cm_sweep(&a, &m, &b, &home, &hit) || cm_sweep_last(&a, &m, &b, &home, &last));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_path_is_a_parabola_of_the_pivot),
        cmocka_unit_test(balls_meet_what_they_fall_on_when_newton_says),
        cmocka_unit_test(an_apex_is_met_where_it_touches),
        cmocka_unit_test(what_stands_is_held_at_once_and_what_leaves_comes_back_later),
        cmocka_unit_test(what_goes_up_by_next_to_nothing_comes_back),
        cmocka_unit_test(what_falls_together_moves_straight),
        cmocka_unit_test(the_last_time_of_a_curved_contact),
        cmocka_unit_test(random_balls_are_never_late_and_leave_the_promised_gap),
        cmocka_unit_test(any_pair_is_never_late),
        cmocka_unit_test(what_is_not_finite_meets_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
