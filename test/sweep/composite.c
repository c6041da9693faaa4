/* Sweeps with meshes, compounds and half-spaces: never late, close to the truth, by every part in turn and by looking
 * at times between; sliding, resting, starting inside. */
#include "motions.h"
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

static cm_hull *some_hull;

static cm_shape random_convex(rng *r, double size) {
    int kind = (int)rng_below(r, CONVEX_KINDS);
    return convex_random(kind, size, some_hull, r);
}

/* What every hit must hold to, and every miss. */
static void check_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, bool *hits) {
    cm_sweep_hit h, s;
    bool hit = cm_sweep(a, ma, b, mb, &h), swapped = cm_sweep(b, mb, a, ma, &s);
    const char *na = cm_kind_name(a->kind), *nb = cm_kind_name(b->kind);
    double start = gap_at(a, ma, b, mb, 0);
    *hits = hit;
    check_that(hit == swapped, "%s %s: %d, swapped %d", na, nb, hit, swapped);
    double until = hit ? (double)h.first : 1;
    if (start > near_bound) {
        for (int i = 0; i <= 24; i++) {
            double u = until * i / 24.0001, gap = gap_at(a, ma, b, mb, u);
            check_that(gap > (i == 24 && hit ? -near_bound : 0), "%s %s: gap %g at %g before the first at %g", na, nb,
                       gap, u, until);
        }
    }
    if (!hit) return;
    check_that(fabs((double)h.first - (double)s.first) < 1e-4, "%s %s: first %g, swapped %g", na, nb, (double)h.first,
               (double)s.first);
    double gap = gap_at(a, ma, b, mb, (double)h.first);
    check_that(h.start == CM_SWEEP_OVERLAPPING || fabs(gap) < near_bound || start <= near_bound,
               "%s %s: gap %g at first %g", na, nb, gap, (double)h.first);
    check_that(fabs((double)cm_length(h.normal) - 1) < 1e-4, "normal of length %g", (double)cm_length(h.normal));
    check_that(h.first >= 0 && h.first <= h.last && h.last <= 1, "%g to %g", (double)h.first, (double)h.last);
    check_that((start > near_bound) <= (h.start == CM_SWEEP_SEPARATED && h.first > 0), "start %d at %g", (int)h.start,
               start);
    check_that((start < -near_bound) <= (h.start == CM_SWEEP_OVERLAPPING && (h.first == 0 || h.blocking)),
               "start %d at %g", (int)h.start, start);
}

static void meshes_are_never_late(void **state) {
    (void)state;
    rng r = rng_start("mesh sweeps", 31);
    cm_mesh *sheet = surface_bumps(8, CM_REAL(0.6), &r), *ball = mesh_ball(cm_v(0, 0, 0), 1, 2, true);
    int hits = 0, count = samples(1200, 20000);
    for (int i = 0; i < count; i++) {
        bool turns = i % 4 == 0, hit;
        cm_shape b = cm_make_mesh(i % 2 ? sheet : ball);
        cm_shape a =
            i % 16 == 5 ? cm_make_halfspace(rng_direction(&r), 1) : random_convex(&r, rng_log_range(&r, 0.05, 1));
        cm_motion ma = random_motion(&r, 4, 1, turns && i % 8 == 0), mb = random_motion(&r, 1, 1, turns && i % 8 == 4);
        if (rng_below(&r, 2)) ma.move = cm_add(cm_sub(mb.start.position, ma.start.position), rng_vec3(&r, 2));
        check_sweep(&a, &ma, &b, &mb, &hit);
        hits += hit;
    }
    check_that(hits > count / 4, "%d hits", hits);
    cm_mesh_destroy(sheet, NULL);
    cm_mesh_destroy(ball, NULL);
}

static void check_composite_sweeps(uint64_t seed) {
    rng r = rng_start("composite sweeps", seed);
    cm_mesh *sheet = surface_bumps(5, CM_REAL(0.4), &r), *ball = mesh_ball(cm_v(0, 0, 0), CM_REAL(0.8), 1, true);
    int hits = 0, count = samples(200, 4000);
    for (int i = 0; i < count; i++) {
        cm_compound_child child[6];
        cm_compound_desc desc = {child, 6};
        cm_compound *one = NULL, *two = NULL;
        memset(child, 0, sizeof child);
        for (int k = 0; k < 6; k++) {
            child[k].shape = k == 5 ? cm_make_mesh(ball) : random_convex(&r, 0.5);
            child[k].pose = rng_pose(&r, 1.5);
        }
        assert_int_equal(cm_compound_build(&desc, NULL, &one, NULL), CM_OK);
        for (int k = 0; k < 6; k++) child[k].pose = rng_pose(&r, 1.5);
        assert_int_equal(cm_compound_build(&desc, NULL, &two, NULL), CM_OK);
        const cm_shape shape[5] = {cm_make_compound(one), cm_make_compound(two), cm_make_mesh(sheet),
                                   cm_make_mesh(ball), random_convex(&r, 1)};
        cm_shape a = shape[rng_below(&r, 5)], b = shape[rng_below(&r, 4)];
        bool turns = i % 4 == 0, hit;
        cm_motion ma = random_motion(&r, 6, 1, turns), mb = random_motion(&r, 1, 1, turns && i % 8 == 0);
        ma.move = cm_add(cm_sub(mb.start.position, ma.start.position), rng_vec3(&r, 2));
        check_sweep(&a, &ma, &b, &mb, &hit);
        hits += hit;
        cm_compound_destroy(one, NULL);
        cm_compound_destroy(two, NULL);
    }
    check_that(hits > count / 4, "%d hits", hits);
    cm_mesh_destroy(sheet, NULL);
    cm_mesh_destroy(ball, NULL);
}

static void composites_meet_composites(void **state) {
    (void)state;
    check_composite_sweeps(32);
}

/* Among these a cylinder turns into an edge whose normal there says that it recedes: that is no floor it slides on. */
static void what_turns_into_an_edge_does_not_slide(void **state) {
    (void)state;
    check_composite_sweeps(12032);
}

/* The first of all triangles, each on its own. */
static void the_first_part_is_told(void **state) {
    (void)state;
    rng r = rng_start("first part", 33);
    cm_mesh *sheet = surface_bumps(8, CM_REAL(0.6), &r);
    cm_shape b = cm_make_mesh(sheet);
    int hits = 0, later = 0;
    for (int i = 0; i < samples(400, 10000); i++) {
        cm_shape a = random_convex(&r, rng_log_range(&r, 0.05, 1));
        cm_motion ma = random_motion(&r, 4, 1, false), mb = random_motion(&r, 1, 1, false);
        ma.move = cm_add(cm_sub(mb.start.position, ma.start.position), rng_vec3(&r, 3));
        if (gap_at(&a, &ma, &b, &mb, 0) < 1e-3) continue;
        double first = 2;
        for (uint32_t t = 0; t < cm_mesh_triangle_count(sheet); t++) {
            uint32_t c[3];
            const cm_vec3 *p = cm_mesh_points(sheet);
            cm_mesh_corners(sheet, t, c);
            cm_shape triangle = cm_make_triangle(p[c[0]], p[c[1]], p[c[2]]);
            cm_sweep_hit one;
            if (cm_sweep(&a, &ma, &triangle, &mb, &one) && (double)one.first < first) first = (double)one.first;
        }
        cm_sweep_hit h;
        bool hit = cm_sweep(&a, &ma, &b, &mb, &h);
        check_that(hit == (first < 2), "hit %d, by triangles at %g", hit, first);
        if (!hit) continue;
        hits++;
        /* each as much too early as the gap allows that may be left, which of what grazes is long */
        double early = near_bound / 4 / (double)cm_length(cm_sub(ma.move, mb.move)) + 1e-6;
        bool near = (double)h.first >= first - early || gap_at(&a, &ma, &b, &mb, (double)h.first) < near_bound / 4;
        check_that(near && h.part_b < cm_mesh_triangle_count(sheet) && h.part_a == CM_NONE, "first %g, by triangles %g",
                   (double)h.first, first);
        later += (double)h.first > first + early; /* one that does not block was passed over */
    }
    check_that(hits * share() > 100 && later * 50 <= hits, "%d hits, %d of them later", hits, later);
    cm_mesh_destroy(sheet, NULL);
}

static void a_floor_does_not_hide_the_wall(void **state) {
    (void)state;
    soup s = {NULL, 0, 0};
    for (int i = -8; i < 8; i++)
        for (int k = -8; k < 8; k++)
            soup_add_quad(&s, cm_v(CM_REAL(i), CM_REAL(k), 0), cm_v(CM_REAL(i + 1), CM_REAL(k), 0),
                          cm_v(CM_REAL(i + 1), CM_REAL(k + 1), 0), cm_v(CM_REAL(i), CM_REAL(k + 1), 0), (i + k) & 1);
    soup_add_quad(&s, cm_v(5, -8, 0), cm_v(5, 8, 0), cm_v(5, 8, 4), cm_v(5, -8, 4), false);
    cm_mesh *mesh = soup_build(&s, false);
    cm_shape b = cm_make_mesh(mesh);
    const cm_shape movers[3] = {cm_make_sphere(cm_v(0, 0, 0), 1), cm_make_box(cm_v(1, 1, 1)),
                                cm_make_capsule(cm_v(0, 0, 0), cm_v(0, 0, 1), 1)};
    cm_motion still = motion_at_rest(), m = still;
    for (int i = 0; i < 3; i++) {
        cm_sweep_hit h;
        m.start.position = cm_v(CM_REAL(-2.3), CM_REAL(0.2), 1);
        m.move = cm_v(8, CM_REAL(0.5), 0);
        assert_true(cm_sweep(&movers[i], &m, &b, &still, &h)); /* slides to the wall: 5 - 1 + 2.3 of 8 */
        check_that(fabs((double)h.first - 6.3 / 8) < 1e-5 && h.blocking && fabs((double)h.normal.x - 1) < 1e-5,
                   "mover %d: first %g, normal.x %g, blocking %d", i, (double)h.first, (double)h.normal.x, h.blocking);
        assert_int_equal(h.start, CM_SWEEP_TOUCHING);
        m.move = cm_v(1, CM_REAL(0.5), 0); /* short of it: touching, not blocked */
        assert_true(cm_sweep(&movers[i], &m, &b, &still, &h));
        check_that(!h.blocking && h.start == CM_SWEEP_TOUCHING && fabs((double)h.normal.z + 1) < 1e-4,
                   "mover %d: blocked at %g by %g %g %g", i, (double)h.first, (double)h.normal.x, (double)h.normal.y,
                   (double)h.normal.z);
        m.move = cm_v(0, 0, 2); /* leaves */
        assert_true(cm_sweep(&movers[i], &m, &b, &still, &h));
        check_that(!h.blocking, "mover %d may not leave", i);
        m.move = cm_v(0, 0, -2); /* pressed in */
        assert_true(cm_sweep(&movers[i], &m, &b, &still, &h));
        check_that(h.blocking && h.first == 0, "mover %d falls through", i);
    }
    cm_mesh_destroy(mesh, NULL);
}

/* A field much smaller than the cone stands with its border against the cone's side: the edge that is met
 * is a flat one for the surface, whose normal there says that the cone slides, but it goes in. */
static void what_gets_into_an_edge_is_stopped_by_it(void **state) {
    (void)state;
    static const cm_real heights[9] = {CM_REAL(-0.016638251), CM_REAL(-0.0641048476), CM_REAL(0.0307743605),
                                       CM_REAL(0.062810488),  CM_REAL(-0.0660902932), CM_REAL(0.0443748049),
                                       CM_REAL(-0.071315214), CM_REAL(0.0896691158),  CM_REAL(0.120115221)};
    const cm_real spacing = CM_REAL(0.268387824);
    cm_height_field_desc desc = {.heights = heights,
                                 .columns = 3,
                                 .rows = 3,
                                 .column_spacing = spacing,
                                 .row_spacing = spacing,
                                 .origin = cm_v(-spacing, -spacing, 0)};
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    cm_shape a = cm_make_cone(CM_REAL(4.61691093), CM_REAL(6.55998611)), b = cm_make_height_field(field);
    cm_motion still = motion_at_rest(), m = still;
    still.start.position = cm_v(CM_REAL(4.53524113), CM_REAL(-4.98870897), CM_REAL(-1.30284643));
    still.start.rotation =
        (cm_quat){CM_REAL(0.72591114), CM_REAL(0.288627446), CM_REAL(0.241120264), CM_REAL(-0.575854361)};
    m.start.position = cm_v(CM_REAL(5.27476311), CM_REAL(-1.42788577), CM_REAL(-3.32384038));
    m.start.rotation =
        (cm_quat){CM_REAL(0.478237987), CM_REAL(-0.0747794434), CM_REAL(0.748544931), CM_REAL(0.45318523)};
    m.move = cm_v(CM_REAL(-2.04319692), CM_REAL(-2.49604654), CM_REAL(2.44951892));
    bool hits;
    check_sweep(&a, &still, &b, &m, &hits);
    cm_sweep_hit h;
    assert_true(cm_sweep(&a, &still, &b, &m, &h));
    check_that(h.blocking && (double)h.first < 0.005, "first %g, blocking %d", (double)h.first, h.blocking);
    cm_height_field_destroy(field, NULL);
}

/* A box stands on a floor of two triangles and moves toward a wall. Upright it may spin, and is stopped by the wall,
 * 5 - sqrt 2 at the least from the start; but tipping it goes into the floor from the start, whichever way. */
static void what_tips_into_its_floor_is_stopped_by_it(void **state) {
    (void)state;
    soup s = {NULL, 0, 0};
    soup_add_quad(&s, cm_v(-9, -8, 0), cm_v(9, -8, 0), cm_v(9, 8, 0), cm_v(-9, 8, 0), false);
    soup_add_quad(&s, cm_v(5, -8, 0), cm_v(5, 8, 0), cm_v(5, 8, 4), cm_v(5, -8, 4), false);
    cm_mesh *mesh = soup_build(&s, false);
    cm_shape b = cm_make_mesh(mesh), a = cm_make_box(cm_v(1, 1, 1));
    cm_motion still = motion_at_rest(), m = still;
    m.start.position = cm_v(CM_REAL(-2.3), CM_REAL(0.2), 1);
    m.move = cm_v(8, CM_REAL(0.5), 0);
    const cm_vec3 spins[6] = {cm_v(0, 0, 1),
                              cm_v(0, 0, -1),
                              cm_v(0, CM_REAL(0.2), 0),
                              cm_v(0, CM_REAL(-0.2), 0),
                              cm_v(CM_REAL(0.2), 0, 0),
                              cm_v(CM_REAL(-0.2), 0, 0)};
    for (int i = 0; i < 6; i++) {
        cm_sweep_hit h;
        m.spin = spins[i];
        assert_true(cm_sweep(&a, &m, &b, &still, &h));
        check_that(h.blocking && h.start == CM_SWEEP_TOUCHING, "spin %d: start %d, blocking %d", i, (int)h.start,
                   h.blocking);
        double way = (double)h.first * 8;
        if (i < 2)
            check_that(way > 7.3 - sqrt(2) && way < 6.3, "spin %d: first after %g", i, way);
        else
            check_that(way * 0.2 < near_bound * 8 && fabs((double)h.normal.z + 1) < 1e-4,
                       "spin %d: first after %g, normal.z %g", i, way, (double)h.normal.z);
    }
    cm_mesh_destroy(mesh, NULL);
}

/* Over hills, straight and turning: what is grazed first, and does not block, hides neither what blocks later nor what
 * is got into. Until the hit that blocks, and to the end where none does, nothing gets deep. */
static void what_does_not_block_hides_nothing(void **state) {
    (void)state;
    rng r = rng_start("hills", 36);
    cm_mesh *sheet = surface_bumps(8, CM_REAL(0.6), &r);
    cm_shape b = cm_make_mesh(sheet);
    cm_motion still;
    memset(&still, 0, sizeof still);
    still.start = cm_pose_identity();
    int met = 0, count = samples(3000, 60000);
    for (int i = 0; i < count; i++) {
        cm_shape a = random_convex(&r, rng_log_range(&r, 0.3, 1.5));
        cm_motion m = random_motion(&r, 3, 1.5, i % 2);
        m.start.position.z = CM_REAL(1.5);
        m.spin = cm_scale(m.spin, 2);
        cm_witness w;
        cm_real d = cm_distance(&a, &m.start, &b, &still.start, CM_REAL_MAX, &w);
        if (!(d > 0)) continue;
        m.start.position = cm_mul_add(m.start.position, d - CM_REAL(i % 6 ? 0.1 : 0), w.normal); /* some touch */
        cm_sweep_hit h;
        if (!cm_sweep(&a, &m, &b, &still, &h) || h.start == CM_SWEEP_OVERLAPPING) continue;
        double until = h.blocking ? (double)h.first : 1;
        for (int k = 1; k <= 50; k++) {
            double gap = gap_at(&a, &m, &b, &still, until * k / 50);
            check_that(gap > -2e-3, "%d, %s: %g deep at %g, first %g, blocking %d", i, cm_kind_name(a.kind), -gap,
                       until * k / 50, (double)h.first, h.blocking);
        }
        met++;
    }
    check_that(met > count / 4, "%d of %d", met, count);
    cm_mesh_destroy(sheet, NULL);
}

/* Small ones cross a surface within a moment of the step: their centers never do before what is told, though what is
 * met first, at an edge or a corner of the surface, may not block. */
static void what_is_small_does_not_slip_through(void **state) {
    (void)state;
    rng r = rng_start("small ones", 37);
    cm_mesh *sheet = surface_bumps(8, CM_REAL(4), &r);
    cm_shape b = cm_make_mesh(sheet);
    cm_pose origin = cm_pose_identity();
    cm_motion still = motion_at_rest();
    const cm_vec3 *points = cm_mesh_points(sheet);
    int met = 0, count = samples(20000, 1000000);
    for (int i = 0; i < count; i++) {
        double size = rng_log_range(&r, 1e-3, 0.05);
        cm_shape a = i % 2 ? cm_make_sphere(cm_v(0, 0, 0), (cm_real)size)
                           : cm_make_box(cm_v((cm_real)size, (cm_real)size, (cm_real)size));
        cm_motion m = motion_at_rest();
        cm_vec3 to = cm_add(points[rng_below(&r, cm_mesh_point_count(sheet))], rng_vec3(&r, size)); /* near a corner */
        m.move = cm_scale(rng_direction(&r), CM_REAL(2));
        m.start.position = cm_mul_add(to, CM_REAL(-0.5), m.move);
        if (!(cm_distance(&a, &m.start, &b, &origin, CM_REAL_MAX, NULL) > 0)) continue;
        cm_ray path = {m.start.position, m.move, 1};
        cm_ray_hit through;
        if (!cm_raycast(&path, &b, &origin, &through)) continue;
        cm_sweep_hit h;
        bool hit = cm_sweep(&a, &m, &b, &still, &h);
        check_that(hit && h.blocking && h.first < through.t,
                   "%d, %s of %g: through at %g, hit %d, first %g, blocking %d", i, cm_kind_name(a.kind), size,
                   (double)through.t, hit, hit ? (double)h.first : 2, hit && h.blocking);
        met++;
    }
    check_that(met > count / 4, "%d of %d", met, count);
    cm_mesh_destroy(sheet, NULL);
}

/* Points on the edges and corners of a solid, as far as poses are exact. What goes in touches at the start, and is
 * stopped there, not by the far wall; what leaves is not stopped. */
static void a_point_on_an_edge_goes_neither_in_nor_is_held(void **state) {
    (void)state;
    rng r = rng_start("points on edges", 37);
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 1, true);
    const cm_vec3 *p = cm_mesh_points(ball);
    cm_shape b = cm_make_mesh(ball), a = cm_make_point(cm_v(0, 0, 0));
    int count = samples(20000, 1000000), touching = 0, held = 0;
    for (int i = 0; i < count; i++) {
        uint32_t c[3];
        cm_mesh_corners(ball, rng_below(&r, cm_mesh_triangle_count(ball)), c);
        cm_motion ma = motion_at_rest(), mb = ma;
        mb.start = rng_pose(&r, 2);
        cm_vec3 on = cm_mul_add(p[c[0]], i % 4 ? CM_REAL(rng_unit(&r)) : 0, cm_sub(p[c[1]], p[c[0]]));
        cm_vec3 aside = cm_scale(rng_direction(&r), CM_REAL(0.6)); /* from the middle, or from straight out */
        bool out = i / 4 % 2;
        ma.start.position = cm_pose_apply(&mb.start, on);
        ma.move = cm_scale(cm_rotate(mb.start.rotation, out ? cm_add(on, aside) : cm_sub(aside, on)),
                           CM_REAL(1 + 2 * rng_unit(&r)));
        cm_sweep_hit h;
        bool hit = cm_sweep(&a, &ma, &b, &mb, &h);
        if (out) {
            touching += hit && h.start == CM_SWEEP_TOUCHING;
            held += hit && h.start == CM_SWEEP_TOUCHING && h.blocking;
            continue;
        }
        /* deeper by the gap that the sweep promises, of places within 3 and moves up to 5 */
        check_that(hit && (double)h.first < (sizeof(cm_real) == 4 ? 1e-4 : 1e-12), "%d: hit %d, first %g", i, hit,
                   hit ? (double)h.first : 2);
        check_that(h.start == CM_SWEEP_OVERLAPPING || h.blocking, "%d: start %d, blocking %d", i, (int)h.start,
                   h.blocking);
    }
    check_that(touching > count / 20 && held * 10 < touching, "%d touch, %d of them are held", touching, held);
    cm_mesh_destroy(ball, NULL);
}

/* Over the middle of a square of two triangles, on the diagonal between them, in touch or by last bits over it: what
 * goes straight down enters neither triangle, but the box, and is stopped there, be its way short, to the far wall or
 * far beyond. */
static void what_goes_in_between_two_triangles_is_stopped_there(void **state) {
    (void)state;
    const cm_real q = CM_REAL(0.25), downs[] = {CM_REAL(0.5), 1, CM_REAL(1.5), 16, 1000};
    const cm_shape bodies[] = {cm_make_point(cm_v(0, 0, 0)), cm_make_segment(cm_v(-q, -q, 0), cm_v(q, q, 0)),
                               cm_make_segment(cm_v(-q, q, 0), cm_v(q, -q, 0))};
    for (int i = 0; i < 2 * 3 * 5 * 5; i++) {
        const bool filled = i % 2;
        cm_mesh *mesh = mesh_box(cm_v(-1, -1, -1), cm_v(1, 1, 0), filled);
        const cm_shape *a = &bodies[i / 2 % 3], b = cm_make_mesh(mesh);
        const cm_motion still = motion_at_rest();
        cm_motion m = still;
        m.move.z = -downs[i / 6 % 5];
        const double gap = promised_gap(a, &m, &b, &still), heights[] = {0, 1e-30, 1e-17, gap / 256, gap / 8};
        m.start.position.z = CM_REAL(heights[i / 30]);
        cm_sweep_hit h;
        const bool hit = cm_sweep(a, &m, &b, &still, &h);
        check_that(hit && h.blocking && (double)h.first * (double)downs[i / 6 % 5] <= heights[i / 30] + 1.01 * gap,
                   "%s %d, %g over a %s, down by %g: blocking %d at %g", cm_kind_name(a->kind), i / 2 % 3,
                   heights[i / 30], filled ? "solid" : "surface", (double)downs[i / 6 % 5], hit && h.blocking,
                   hit ? (double)h.first : 2);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A segment whose end touches the side of a solid mesh, on a line along which the side is cut, goes in end first and
 * leans over another triangle than the one that it enters through. Its contact is as deep as its end is, and it is
 * stopped as soon as by the box. */
static void what_enters_at_an_edge_is_as_deep_as_its_end(void **state) {
    (void)state;
    rng r = rng_start("entered at an edge", 2131);
    form block;
    form_box(&block, FORM_MESH_192, cm_v(1, 1, 1), &r);
    for (int i = 0; i < samples(2000, 100000); i++) {
        const cm_real q = CM_REAL(0.25);
        cm_real n[6];
        for (int k = 0; k < 6; k++) n[k] = q * CM_REAL((int)rng_below(&r, 5) - 2);
        const cm_vec3 out = cm_v(n[2], -q * CM_REAL(1 + (int)rng_below(&r, 3)), n[3]);
        const cm_shape body = cm_make_segment(cm_v(0, 0, 0), out);
        const cm_motion still = motion_at_rest();
        cm_motion m = still;
        m.start.position = cm_v(n[0], -1, n[1]);
        m.move = cm_v(n[4], q * CM_REAL(1 + (int)rng_below(&r, 3)), n[5]);
        cm_sweep_hit h;
        const double gap = promised_gap(&block.shape, &still, &body, &m), depth = 1e-3;
        const bool hit = cm_sweep(&block.shape, &still, &body, &m, &h);
        check_that(hit && h.blocking && (double)h.first * (double)m.move.y < 2 * gap, "%d: blocking %d, %g deep", i,
                   hit && h.blocking, hit ? (double)h.first * (double)m.move.y : 1);
        cm_pose at;
        cm_motion_at(&m, CM_REAL(depth) / m.move.y, &at);
        cm_manifold found[16];
        double deepest = 0;
        const int count = cm_contact(&block.shape, &still.start, &body, &at, 0, found, 16);
        for (int k = 0; k < count && k < 16; k++)
            for (int c = 0; c < found[k].count; c++) deepest = fmax(deepest, (double)found[k].points[c].depth);
        check_that(fabs(deepest - depth) < 0.01 * depth, "%d: %d contacts, %g deep for %g", i, count, deepest, depth);
    }
    form_free(&block);
}

/* A rod without radius lies across the edge of a box and slides along it, turns about the edge and sinks, all at once:
 * by so small a part of its speed that the direction of a gap does not tell it. What was its lowest end at the start
 * has turned up by then; its middle is in the box all the same. */
static void what_turns_as_it_sinks_is_stopped(void **state) {
    (void)state;
    const double sink = 0.004, height = 1e-6, part = sqrt(0.5);
    for (int i = 0; i < 8; i++) {
        cm_mesh *mesh = mesh_box(cm_v(-2, -2, -2), cm_v(2, 2, 2), i % 2);
        const cm_real length = CM_REAL(i / 2 % 2 ? 0.5 : 1), over = CM_REAL(2 + height * part);
        const cm_shape rod = cm_make_segment(cm_v(-length, 0, length), cm_v(length, 0, -length)),
                       box = cm_make_mesh(mesh);
        const cm_motion still = motion_at_rest();
        cm_motion m = still;
        m.start.position = cm_v(over, CM_REAL(-0.55), over);
        m.move = cm_v(CM_REAL(-sink * part), 1, CM_REAL(-sink * part));
        m.spin.y = CM_REAL(i / 4 ? 0.5 : -0.5);
        cm_sweep_hit h;
        const bool hit = cm_sweep(&rod, &m, &box, &still, &h);
        const double gap = promised_gap(&rod, &m, &box, &still);
        check_that(hit && h.blocking && (double)h.first * sink <= height + 4 * gap, "rod %d: blocking %d at %g", i,
                   hit && h.blocking, hit ? (double)h.first : 2);
        cm_mesh_destroy(mesh, NULL);
    }
}

static void what_starts_within_a_solid_overlaps(void **state) {
    (void)state;
    cm_mesh *filled = mesh_box(cm_v(-5, -5, -5), cm_v(5, 5, 5), true);
    cm_shape b = cm_make_mesh(filled), a = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    cm_motion still = motion_at_rest(), m = still;
    m.start.position = cm_v(0, 0, 3);
    m.move = cm_v(0, 0, 1);
    cm_sweep_hit h;
    assert_true(cm_sweep(&a, &m, &b, &still, &h));
    assert_int_equal(h.start, CM_SWEEP_OVERLAPPING);
    check_that(h.first == 0 && h.last == 1 && !h.blocking && h.normal.z < -CM_REAL(0.99), "%g %d %g", (double)h.first,
               h.blocking, (double)h.normal.z);
    m.move = cm_v(0, 0, -1); /* deeper */
    assert_true(cm_sweep(&b, &still, &a, &m, &h));
    check_that(h.blocking && h.normal.z > CM_REAL(0.99), "%d %g", h.blocking, (double)h.normal.z);
    cm_mesh_destroy(filled, NULL);
}

/* A capsule, and a box, half through a floor, over the edge between its two triangles: the shortest way out is over
 * that edge, which the surface does not have. Along the floor nothing blocks, down it does where most is above. */
static void what_starts_in_a_flat_floor_is_told_its_normal(void **state) {
    (void)state;
    soup s = {NULL, 0, 0};
    soup_add_quad(&s, cm_v(-5, -5, 0), cm_v(5, -5, 0), cm_v(5, 5, 0), cm_v(-5, 5, 0), false);
    cm_mesh *mesh = soup_build(&s, false);
    const cm_shape b = cm_make_mesh(mesh);
    const cm_shape movers[2] = {cm_make_capsule(cm_v(0, 0, CM_REAL(-0.5)), cm_v(0, 0, CM_REAL(0.5)), CM_REAL(0.25)),
                                cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.3), CM_REAL(0.75)))};
    cm_motion still = motion_at_rest(), m = still;
    for (int i = 0; i < 12; i++) {
        cm_sweep_hit h;
        bool down = i % 3 == 2;
        m.start.position.z = i < 6 ? CM_REAL(0.1) : CM_REAL(0.4);
        m.move = i % 3 == 0 ? cm_v(-1, 1, 0) : i % 3 == 1 ? cm_v(1, -1, 0) : cm_v(0, 0, -1);
        assert_true(cm_sweep(&movers[i / 3 % 2], &m, &b, &still, &h));
        assert_int_equal(h.start, CM_SWEEP_OVERLAPPING);
        check_that((double)h.normal.z < -0.9999 && h.blocking == down, "%d: normal %g %g %g, blocking %d", i,
                   (double)h.normal.x, (double)h.normal.y, (double)h.normal.z, h.blocking);
    }
    cm_mesh_destroy(mesh, NULL);
}

static void bad_motions_meet_nothing(void **state) {
    (void)state;
    cm_mesh *box = mesh_box(cm_v(-1, -1, -1), cm_v(1, 1, 1), true);
    cm_shape b = cm_make_mesh(box), a = cm_make_sphere(cm_v(0, 0, 0), 1), none = cm_make_mesh(NULL);
    cm_motion still = motion_at_rest(), m = still;
    m.start.position = cm_v(5, 0, 0);
    m.move = cm_v(-10, 0, (cm_real)NAN);
    assert_false(cm_sweep(&a, &m, &b, &still, NULL));
    m.move = cm_v(-10, 0, 0);
    assert_true(cm_sweep(&a, &m, &b, &still, NULL));
    assert_false(cm_sweep(&a, &m, &none, &still, NULL));
    assert_false(cm_sweep(&a, &m, &b, NULL, NULL));
    m.spin.x = (cm_real)INFINITY;
    assert_false(cm_sweep(&a, &m, &b, &still, NULL));
    m.spin.x = 0;
    m.start.position.x = CM_COORD_MAX; /* as far as it goes */
    m.move.x = -CM_COORD_MAX;
    cm_sweep_hit h;
    if (cm_sweep(&a, &m, &b, &still, &h)) assert_true(h.first >= 0 && h.first <= 1);
    cm_mesh_destroy(box, NULL);
}

static int set_up(void **state) {
    (void)state;
    rng r = rng_start("hull", 30);
    some_hull = hull_random(24, 0.5, &r);
    return 0;
}
static int tear_down(void **state) {
    (void)state;
    cm_hull_destroy(some_hull, NULL);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_never_late),
        cmocka_unit_test(what_turns_into_an_edge_does_not_slide),
        cmocka_unit_test(composites_meet_composites),
        cmocka_unit_test(the_first_part_is_told),
        cmocka_unit_test(a_floor_does_not_hide_the_wall),
        cmocka_unit_test(what_does_not_block_hides_nothing),
        cmocka_unit_test(what_is_small_does_not_slip_through),
        cmocka_unit_test(a_point_on_an_edge_goes_neither_in_nor_is_held),
        cmocka_unit_test(what_goes_in_between_two_triangles_is_stopped_there),
        cmocka_unit_test(what_enters_at_an_edge_is_as_deep_as_its_end),
        cmocka_unit_test(what_turns_as_it_sinks_is_stopped),
        cmocka_unit_test(what_starts_within_a_solid_overlaps),
        cmocka_unit_test(what_gets_into_an_edge_is_stopped_by_it),
        cmocka_unit_test(what_tips_into_its_floor_is_stopped_by_it),
        cmocka_unit_test(what_starts_in_a_flat_floor_is_told_its_normal),
        cmocka_unit_test(bad_motions_meet_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
