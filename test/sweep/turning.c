/* Turning shapes whose true speed is but a small part of what the bound on it allows: followed to the contact, and past
 * it where they miss. */
#include "motions.h"
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

/* A rod of length 10 with round ends of radius 1/2 turns about its middle, from an angle of -1 to 1 with the x axis;
 * its end passes along a wall across that. At an angle f it reaches 5 cos f + 1/2: where the wall stands 5 (1 - cos
 * 0.01) nearer than 5.5 they meet at an angle of -0.01, the end all but parallel to the wall. Farther away they miss.
 */
static void what_turns_along_a_wall_meets_it_or_misses(void **state) {
    (void)state;
    const double reach = 5.5 - 5 * (1 - cos(0.01)), bound = sizeof(cm_real) == 4 ? 1e-4 : 1e-12;
    cm_shape a = cm_make_capsule(cm_v(-5, 0, 0), cm_v(5, 0, 0), CM_REAL(0.5));
    for (int i = 0; i < 2; i++) {
        cm_real x = CM_REAL(i == 0 ? reach : 5.502);
        const cm_shape walls[3] = {cm_make_triangle(cm_v(x, -9, -9), cm_v(x, 9, -9), cm_v(x, 0, 9)),
                                   cm_make_rounded_box(cm_v(1, 2, 2), CM_REAL(0.25)),
                                   cm_make_halfspace(cm_v(-1, 0, 0), x)};
        for (int k = 0; k < 3; k++) {
            cm_motion still = motion_at_rest(), m = still;
            if (k == 1) still.start.position.x = x + CM_REAL(1.25);
            m.start.rotation = (cm_quat){0, 0, CM_REAL(sin(-0.5)), CM_REAL(cos(-0.5))};
            m.spin = cm_v(0, 0, 2);
            cm_sweep_hit h;
            bool hit = cm_sweep(&a, &m, &walls[k], &still, &h);
            check_that(hit == (i == 0), "wall %d, %d: hit %d at %g", k, i, hit, hit ? (double)h.first : -1.0);
            if (!hit) continue;
            double gap = gap_at(&a, &m, &walls[k], &still, (double)h.first);
            check_that(gap > -bound && gap < bound, "wall %d: gap %g at %g", k, gap, (double)h.first);
            check_that(fabs((double)h.first - 0.495) < 100 * bound + 1e-9, "wall %d: met at %g", k, (double)h.first);
        }
    }
}

/* Bodies that turn and touch at the start, on their way off, on another body and on hills. Nothing gets deep before the
 * hit that blocks, or to the end where none does; and few of those that are apart from then on, or come back later, are
 * blocked by what they only touch. */
static void what_turns_and_parts_is_not_held(void **state) {
    (void)state;
    rng r = rng_start("parting", 38);
    cm_hull *some_hull = hull_random(24, 0.5, &r);
    cm_mesh *sheet = surface_bumps(8, CM_REAL(0.6), &r);
    cm_motion still = motion_at_rest();
    int parted[2] = {0, 0}, held[2] = {0, 0}, back = 0, count = samples(1500, 40000);
    for (int i = 0; i < count; i++) {
        int on = i % 2;
        cm_shape a = convex_random((int)rng_below(&r, CONVEX_KINDS), rng_log_range(&r, 0.3, 1), some_hull, &r);
        cm_shape b = on ? cm_make_mesh(sheet) : convex_random((int)rng_below(&r, CONVEX_KINDS), 1, some_hull, &r);
        cm_motion m = random_motion(&r, 3, 1, true);
        if (on) m.start.position.z = CM_REAL(2);
        cm_witness w;
        cm_real d = cm_distance(&a, &m.start, &b, &still.start, CM_REAL_MAX, &w);
        if (!(d > 0)) continue;
        m.start.position = cm_mul_add(m.start.position, d, w.normal);
        m.move = cm_sub(cm_scale(m.move, CM_REAL(0.5)), w.normal);
        m.spin = cm_scale(m.spin, 2);
        cm_sweep_hit h;
        bool hit = cm_sweep(&a, &m, &b, &still, &h), apart = true;
        if (hit && h.start == CM_SWEEP_OVERLAPPING) continue;
        double until = hit && h.blocking ? (double)h.first : 1;
        for (int k = 1; k <= 50; k++) {
            double gap = gap_at(&a, &m, &b, &still, until * k / 50);
            check_that(gap > -1e-4, "%d, %s: %g deep at %g, first %g, blocking %d", i, cm_kind_name(a.kind), -gap,
                       until * k / 50, hit ? (double)h.first : 2, hit && h.blocking);
            apart &= gap_at(&a, &m, &b, &still, k / 500.0) > 1e-3 * k;
        }
        if (!apart || !hit) continue;
        parted[on]++;
        held[on] += h.blocking && (double)h.first < 1e-3;
        back += h.blocking && (double)h.first >= 1e-3;
    }
    for (int on = 0; on < 2; on++)
        check_that(parted[on] > count / 20 && held[on] * 5 < parted[on], "%d parted, %d were held", parted[on],
                   held[on]);
    check_that(back > 0, "%d came back", back);
    printf("  %d and %d parted, %d and %d held, %d back\n", parted[0], parted[1], held[0], held[1], back);
    cm_mesh_destroy(sheet, NULL);
    cm_hull_destroy(some_hull, NULL);
}

/* One that has straight edges or lines, of size 1 or so. */
static cm_shape edged(uint32_t kind) {
    switch (kind) {
    case 0:
        return cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.4), CM_REAL(0.6)));
    case 1:
        return cm_make_rounded_box(cm_v(CM_REAL(0.4), CM_REAL(0.3), CM_REAL(0.5)), CM_REAL(0.1));
    case 2:
        return cm_make_capsule(cm_v(0, 0, CM_REAL(-0.5)), cm_v(0, 0, CM_REAL(0.5)), CM_REAL(0.2));
    case 3:
        return cm_make_cylinder(CM_REAL(0.4), CM_REAL(0.6));
    default:
        return cm_make_cone(CM_REAL(0.5), CM_REAL(0.6));
    }
}

/* The velocity of a point that a motion carries, at the start. */
static cm_vec3 velocity_at(const cm_motion *m, cm_vec3 at) {
    return cm_add(m->move, cm_cross(m->spin, cm_sub(at, m->start.position)));
}

/* Two that turn touch, mostly where an edge of one crosses an edge of the other, and the point in which they do neither
 * approaches nor leaves: whether they part is the turning's to decide. Nothing gets deep before the hit that blocks, or
 * to the end where none does; what parts at once is not held; and few sweeps end in a limit. Kinds as above. */
static void edges_cross(const char *what, uint64_t seed, uint32_t first_kind, uint32_t kinds, int count) {
    rng r = rng_start(what, seed);
    int limits = 0, parted = 0, sunk = 0;
    for (int i = 0; i < count; i++) {
        const cm_shape a = edged(first_kind + rng_below(&r, kinds)), b = edged(first_kind + rng_below(&r, kinds));
        cm_motion ma = motion_at_rest(), mb = motion_at_rest();
        cm_witness w;
        ma.start.rotation = rng_rotation(&r), mb.start.rotation = rng_rotation(&r);
        mb.start.position = cm_scale(rng_direction(&r), 3);
        const cm_real d = cm_distance(&a, &ma.start, &b, &mb.start, CM_REAL_MAX, &w);
        mb.start.position = cm_mul_add(mb.start.position, -d, w.normal);
        ma.spin = rng_vec3(&r, 0.15), mb.spin = rng_vec3(&r, 0.15);
        mb.move = rng_vec3(&r, 0.1);
        const cm_vec3 between = cm_sub(velocity_at(&mb, w.point_a), velocity_at(&ma, w.point_a));
        mb.move = cm_mul_add(mb.move, -cm_dot(between, w.normal), w.normal);
        cm_sweep_hit h;
        const bool hit = cm_sweep(&a, &ma, &b, &mb, &h), blocks = hit && h.blocking;
        if (hit && h.start == CM_SWEEP_OVERLAPPING) continue;
        limits += hit && h.proof == CM_PROOF_LIMIT;
        const double until = blocks ? (double)h.first : 1, start = gap_at(&a, &ma, &b, &mb, 0);
        const double rounding = 256 * (double)CM_REAL_EPSILON + 1e-9; /* of rims: see G in sweep.h */
        bool parts = true;
        for (int k = 1; k <= 40; k++) {
            const double gap = gap_at(&a, &ma, &b, &mb, until * k / 40), u = k / 40.0;
            check_that(gap > start - rounding, "%d, %s and %s: %g deep at %g, first %g, blocking %d", i,
                       cm_kind_name(a.kind), cm_kind_name(b.kind), -gap, until * k / 40, hit ? (double)h.first : 2,
                       blocks);
            parts &= gap_at(&a, &ma, &b, &mb, u) > 1e-3 * u * u;
        }
        /* nor may it dip before, by as little as a sweep sees */
        for (int k = 6; k <= 30 && parts; k++)
            parts = gap_at(&a, &ma, &b, &mb, 1 / (double)(1 << k)) > start - 8 * (double)CM_REAL_EPSILON;
        /* nor for a moment where it blocks */
        for (int k = 1; k <= 20 && parts && blocks; k++)
            parts = gap_at(&a, &ma, &b, &mb, until * (1 + k / 1000.0)) > start - 8 * (double)CM_REAL_EPSILON;
        if (parts)
            check_that(!blocks || h.proof == CM_PROOF_LIMIT, "%d parts, and is blocked at %g", i, (double)h.first);
        parted += parts, sunk += blocks;
    }
    /* of 40,000 crossings 53 are, and of 100 one may be */
    check_that(limits <= 1 + count / 200, "%d limits of %d", limits, count);
    check_that(parted * 8 > count && sunk * 16 > count, "of %d %d part, %d are blocked", count, parted, sunk);
    printf("  of %d %d part, %d are blocked, %d are limits\n", count, parted, sunk, limits);
}

static void edges_that_cross_while_both_turn_are_no_limit(void **state) {
    (void)state;
    edges_cross("crossing", 171, 0, 4, samples(600, 40000));
}

static void rims_that_cross_while_both_turn_are_no_limit(void **state) {
    (void)state;
    edges_cross("rims", 172, 3, 2, samples(400, 40000));
}

/* What rests on a plane but for rounding, turns by rounding and falls gets deeper at once, and how soon is found. */
static void what_rests_by_rounding_falls_without_a_limit(void **state) {
    (void)state;
    rng r = rng_start("resting", 173);
    const double eps = (double)CM_REAL_EPSILON;
    const cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), 0);
    for (int i = 0, count = samples(300, 20000); i < count; i++) {
        const cm_shape body = edged((uint32_t)i % 5);
        cm_motion still = motion_at_rest(), m = still;
        m.start.rotation = rng_rotation(&r);
        m.start.position.z = 2;
        m.start.position.z -= cm_distance(&ground, &still.start, &body, &m.start, CM_REAL_MAX, NULL);
        m.start.position.z += rng_below(&r, 2) ? CM_REAL(4 * eps) : 0;
        m.move = rng_vec3(&r, 0.01 * eps), m.spin = rng_vec3(&r, 0.01 * eps);
        m.accelerate = cm_v(0, 0, CM_REAL(-0.0028));
        cm_sweep_hit h;
        const bool hit = cm_sweep(&ground, &still, &body, &m, &h);
        check_that(hit && h.blocking && h.proof == CM_PROOF_CONTACT, "%d, %s: hit %d, blocking %d, proof %d", i,
                   cm_kind_name(body.kind), hit, hit && h.blocking, hit ? (int)h.proof : -1);
    }
}

/* Points, segments and triangles on curved paths into a box that is a solid mesh: what is in it has been met before. In
 * double the gap at which a sweep ends is rounding, and so is its direction. */
static void what_turns_into_a_box_is_met_before_it_is_inside(void **state) {
    (void)state;
    rng r = rng_start("turning into a box", 39);
    const cm_vec3 half = cm_v(CM_REAL(0.9), CM_REAL(1.1), CM_REAL(1.3));
    form box;
    form_box(&box, FORM_MESH_12, half, &r);
    int inside = 0, count = samples(4000, 200000);
    for (int i = 0; i < count; i++) {
        cm_motion still = motion_at_rest(), m = random_motion(&r, 3, 2, true);
        const cm_vec3 own = rng_vec3(&r, 1), b = cm_add(own, rng_vec3(&r, 0.2)), c = cm_add(own, rng_vec3(&r, 0.2));
        const cm_shape body = i % 3 == 0   ? cm_make_point(own)
                              : i % 3 == 1 ? cm_make_segment(own, b)
                                           : cm_make_triangle(own, b, c);
        m.start.position = cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 2, 4)));
        m.move = cm_add(cm_scale(m.start.position, CM_REAL(-1.5)), rng_vec3(&r, 1));
        if (cm_overlap(&body, &m.start, &box.shape, &still.start)) continue;
        cm_sweep_hit h;
        const bool hit = cm_sweep(&body, &m, &box.shape, &still, &h);
        for (int k = 1; k <= 16; k++) {
            cm_pose at;
            cm_motion_at(&m, CM_REAL(k / 16.0), &at);
            const cm_vec3 p = cm_vec3_abs(cm_pose_apply(&at, own));
            if (!(p.x < half.x - CM_REAL(1e-3) && p.y < half.y - CM_REAL(1e-3) && p.z < half.z - CM_REAL(1e-3)))
                continue;
            inside++;
            check_that(hit && (double)h.first <= k / 16.0, "%d: inside at %g; hit %d at %.17g", i, k / 16.0, hit,
                       hit ? (double)h.first : 2);
        }
    }
    check_that(inside > count / 2, "inside %d times", inside);
    form_free(&box);
}

/* How fast the first approaches the second where they meet, as told. */
static double approach(const cm_motion *ma, const cm_motion *mb, const cm_sweep_hit *hit) {
    return (double)cm_dot(cm_sub(velocity_at(ma, hit->point), velocity_at(mb, hit->point)), hit->normal);
}

/* The set of points of a body of revolution that spins about its own axis rests, so a box or hull, turning or not, is
 * met as without the spin: from a start in touch with a face, an edge or a corner, standing or lying, too. Only what is
 * deep already and goes on along the surface, by a millionth, may be blocked or not: normals of curved bodies are known
 * to some 1e-6 there. */
static void what_spins_about_its_own_axis_is_met_as_without(void **state) {
    (void)state;
    rng r = rng_start("spins about own axes", 157);
    static const double turns[] = {0, 0, 0.1, -0.5, 1.5}, moves[] = {0, 0.5, -0.5, 1, -1, 2},
                        places[] = {0, 1, -1, 0.5};
    for (int i = 0; i < samples(4000, 200000); i++) {
        const cm_vec3 half = cm_v(1, CM_REAL(0.5), 2);
        const int kind = i % 3, lies = (int)rng_below(&r, 2);
        const cm_real radius = rng_below(&r, 2) ? CM_REAL(0.25) : CM_REAL(0.5);
        const cm_shape body = kind == 0   ? cm_make_cylinder(radius, radius)
                              : kind == 1 ? cm_make_cone(radius, radius)
                                          : cm_make_ellipsoid(cm_v(radius, radius, 2 * radius));
        form table;
        form_box(&table, i / 3 % 2 ? FORM_HULL : FORM_BOX, half, &r);
        cm_motion spins = {.start = cm_pose_identity()}, rests, under = spins;
        if (lies) cm_quat_from_axis_angle(cm_v(1, 0, 0), CM_REAL(1.57079632679489662), &spins.start.rotation);
        cm_aabb box;
        cm_shape_bounds(&body, &spins.start, &box);
        spins.start.position =
            cm_v((cm_real)places[rng_below(&r, 4)] * half.x, (cm_real)places[rng_below(&r, 4)] * half.y,
                 half.z - box.min.z + (rng_below(&r, 2) ? 0 : CM_REAL(rng_range(&r, -1e-6, 1e-6))));
        spins.move =
            cm_v((cm_real)moves[rng_below(&r, 6)], (cm_real)moves[rng_below(&r, 6)], (cm_real)moves[rng_below(&r, 6)]);
        under.spin = cm_v((cm_real)turns[rng_below(&r, 5)], 0, 0);
        rests = spins;
        spins.spin = cm_rotate(spins.start.rotation, cm_v(0, 0, CM_REAL(1.5)));
        cm_sweep_hit hit = {.start = CM_SWEEP_SEPARATED}, still = hit;
        const bool blocked = cm_sweep(&body, &spins, &table.shape, &under, &hit) && hit.blocking;
        const bool expected = cm_sweep(&body, &rests, &table.shape, &under, &still) && still.blocking;
        const char *name = cm_kind_name(body.kind);
        const double speed = approach(&rests, &under, blocked ? &hit : &still);
        const bool open = hit.start == CM_SWEEP_OVERLAPPING && fabs(speed) < 1e-5;
        check_that(blocked == expected || open, "%d, a %s: blocked %d, %d without spin, approaches by %g", i, name,
                   blocked, expected, speed);
        check_that(!blocked || !expected || fabs((double)hit.first - (double)still.first) < 5e-3,
                   "%d, a %s: at %.7f, %.7f without spin", i, name, (double)hit.first, (double)still.first);
        form_free(&table);
    }
}

/* What rolls, on a path that bends into the other, from a start in touch: point and normal are those of the time that
 * is told, not of a later one at which they are deeper. Of a ball both are the only ones there, of anything rounded the
 * normal. */
static void what_rolls_is_met_where_it_touches(void **state) {
    (void)state;
    enum { ROLLERS = 4, OTHERS = 9 };
    rng r = rng_start("rolling", 1931);
    form cube;
    form_box(&cube, FORM_HULL, cm_v(1, 1, 1), &r);
    const cm_real half = CM_REAL(0.5);
    const cm_shape rollers[ROLLERS] = {cm_make_sphere(cm_v(0, 0, 0), half), cm_make_sphere(cm_v(0, 0, 0), 1),
                                       cm_make_capsule(cm_v(-1, 0, 0), cm_v(1, 0, 0), half),
                                       cm_make_rounded_box(cm_v(half, half, half), half)};
    const cm_shape others[OTHERS] = {rollers[0],
                                     rollers[2],
                                     rollers[3],
                                     cm_make_box(cm_v(1, 1, 1)),
                                     cm_make_cylinder(1, 1),
                                     cm_make_cone(1, 1),
                                     cm_make_ellipsoid(cm_v(1, half, half)),
                                     cube.shape,
                                     cm_make_halfspace(cm_v(0, 0, 1), 0)};
    int met = 0;
    for (int i = 0; i < samples(4000, 80000); i++) {
        const int roller = i % ROLLERS, other = i / ROLLERS % OTHERS;
        const cm_shape *a = &rollers[roller], *b = &others[other];
        cm_motion on_a = motion_at_rest(), on_b = motion_at_rest();
        const cm_vec3 way = rng_vec3(&r, 1);
        if (rng_below(&r, 2)) on_a.start = rng_pose(&r, 0);
        on_b.start.position = other == OTHERS - 1 ? cm_v(0, 0, -5) : cm_scale(way, 4 / cm_length(way));
        cm_witness w;
        const cm_real far = cm_distance(a, &on_a.start, b, &on_b.start, 100, &w);
        on_b.start.position = cm_mul_add(on_b.start.position, -far, w.normal);
        const bool first = rng_below(&r, 2), swapped = rng_below(&r, 2);
        cm_motion *rolls = first ? &on_a : &on_b;
        const cm_vec3 into = first ? w.normal : cm_neg(w.normal), across = cm_cross(into, rng_vec3(&r, 1));
        rolls->move = cm_scale(across, CM_REAL(0.01) / cm_length(across));
        rolls->accelerate = cm_scale(into, CM_REAL(0.0027));
        rolls->spin = cm_scale(cm_cross(rolls->move, into), 2);
        cm_sweep_hit h;
        const bool hit = swapped ? cm_sweep(b, &on_b, a, &on_a, &h) : cm_sweep(a, &on_a, b, &on_b, &h);
        if (!hit || !h.blocking) continue;
        cm_motion_at(&on_a, h.first, &on_a.start), cm_motion_at(&on_b, h.first, &on_b.start);
        if (swapped)
            cm_distance(b, &on_b.start, a, &on_a.start, 100, &w);
        else
            cm_distance(a, &on_a.start, b, &on_b.start, 100, &w);
        const double tilt = (double)cm_length(cm_sub(w.normal, h.normal));
        const double off = (double)cm_length(cm_sub(w.point_a, h.point));
        met++;
        check_that(tilt < 2e-5, "%d: %s on %s: normal off by %g", i, cm_kind_name(a->kind), cm_kind_name(b->kind),
                   tilt);
        check_that(roller > 1 || off < 4e-5, "%d: %s on %s: point off by %g", i, cm_kind_name(a->kind),
                   cm_kind_name(b->kind), off);
    }
    check_that(met > 0, "nothing was met");
    form_free(&cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_turns_along_a_wall_meets_it_or_misses),
        cmocka_unit_test(what_turns_and_parts_is_not_held),
        cmocka_unit_test(edges_that_cross_while_both_turn_are_no_limit),
        cmocka_unit_test(rims_that_cross_while_both_turn_are_no_limit),
        cmocka_unit_test(what_rests_by_rounding_falls_without_a_limit),
        cmocka_unit_test(what_turns_into_a_box_is_met_before_it_is_inside),
        cmocka_unit_test(what_spins_about_its_own_axis_is_met_as_without),
        cmocka_unit_test(what_rolls_is_met_where_it_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
