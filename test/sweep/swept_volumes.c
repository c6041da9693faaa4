/* Other forms of one thing, within what is stated of them: what moves straight meets what the hull of its way meets (a
 * ball a capsule, corners the hull of all of them at both ends), and what is round is met when its tessellation is. No
 * sweep judges another: the ways are asked at rest. */
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/standing.h"

#include <math.h>

enum { OBSTACLE_MESH = CONVEX_KINDS, OBSTACLE_COMPOUND, OBSTACLES };

typedef struct obstacle {
    cm_shape shape;
    cm_hull *hull;
    cm_mesh *mesh;
    cm_compound *compound;
} obstacle;

static void obstacle_make(obstacle *o, int kind, rng *r) {
    memset(o, 0, sizeof *o);
    o->hull = hull_random(12, 1, r);
    if (kind < CONVEX_KINDS) {
        o->shape = convex_random(kind, 1, o->hull, r);
    } else if (kind == OBSTACLE_MESH) {
        o->mesh = mesh_ball(rng_vec3(r, 0.5), CM_REAL(rng_range(r, 0.3, 1)), 2, true);
        o->shape = cm_make_mesh(o->mesh);
    } else {
        cm_compound_child child[3];
        const cm_compound_desc desc = {child, 3};
        memset(child, 0, sizeof child);
        for (int i = 0; i < 3; i++) {
            child[i].shape = convex_random((int)rng_below(r, CONVEX_KINDS), 0.5, o->hull, r);
            child[i].pose = rng_pose(r, 1);
        }
        assert_int_equal(cm_compound_build(&desc, NULL, &o->compound, NULL), CM_OK);
        o->shape = cm_make_compound(o->compound);
    }
}
static void obstacle_free(obstacle *o) {
    cm_compound_destroy(o->compound, NULL);
    cm_mesh_destroy(o->mesh, NULL);
    cm_hull_destroy(o->hull, NULL);
}

/* Of places and gaps; curved shapes are known to 1e-11 of their size. */
static double noise_of(double scale) { return (64 * (double)CM_REAL_EPSILON + 1e-10) * scale; }

/* The hull of a body's corners at the start and on its way up to u, in the world: of one corner a segment. */
static cm_shape way_of(const cm_vec3 *corner, uint32_t count, const cm_pose *start, cm_vec3 move, double u,
                       cm_hull **hull) {
    cm_vec3 p[64];
    for (uint32_t i = 0; i < count; i++) {
        p[i] = cm_pose_apply(start, corner[i]);
        p[count + i] = cm_mul_add(p[i], CM_REAL(u), move);
    }
    *hull = count > 1 ? hull_of(p, 2 * count) : NULL;
    return *hull ? cm_make_hull(*hull) : cm_make_segment(p[0], p[1]);
}

static void what_moves_straight_meets_what_its_way_meets(void **state) {
    (void)state;
    rng r = rng_start("ways", 1531);
    const cm_pose home = cm_pose_identity();
    int hits = 0, misses = 0, count = samples(4000, 200000);
    for (int i = 0; i < count; i++) {
        obstacle o;
        obstacle_make(&o, i % OBSTACLES, &r);
        static const uint32_t corners[] = {1, 1, 2, 3, 4, 8, 12};
        uint32_t n = corners[rng_below(&r, 7)];
        cm_vec3 corner[12];
        for (uint32_t k = 0; k < n; k++) corner[k] = rng_vec3(&r, 0.5);
        cm_hull *own = n > 3 ? hull_of(corner, n) : NULL, *way;
        cm_shape body = own      ? cm_make_hull(own)
                        : n == 1 ? cm_make_point(corner[0])
                        : n == 2 ? cm_make_segment(corner[0], corner[1])
                                 : cm_make_triangle(corner[0], corner[1], corner[2]);
        if (n == 1 || rng_below(&r, 2)) body.radius = CM_REAL(rng_range(&r, 0.01, 0.5));
        cm_motion moving = {.start = rng_pose(&r, 3)}, still = {.start = rng_pose(&r, 0.5)};
        moving.move = cm_add(cm_scale(moving.start.position, CM_REAL(-rng_range(&r, 0, 2))), rng_vec3(&r, 1));
        const double gap = promised_gap(&body, &moving, &o.shape, &still), noise = noise_of(8);
        cm_sweep_hit hit;
        bool met = cm_sweep(&body, &moving, &o.shape, &still, &hit);
        cm_shape all = way_of(corner, n, &moving.start, moving.move, 1, &way);
        all.radius = body.radius;
        const double d = (double)cm_distance(&all, &home, &o.shape, &still.start, CM_REAL_MAX, NULL);
        cm_hull_destroy(way, NULL);
        if (fabs(d) > gap + noise)
            check_that(met == (d < 0), "%d: %u corners and %s: its way is %g away, hit %d", i, n,
                       cm_kind_name(o.shape.kind), d, met);
        hits += met, misses += !met;
        if (met && hit.start == CM_SWEEP_SEPARATED) {
            cm_shape before = way_of(corner, n, &moving.start, moving.move, (double)hit.first, &way);
            before.radius = body.radius;
            const double left = (double)cm_distance(&before, &home, &o.shape, &still.start, CM_REAL_MAX, NULL);
            cm_hull_destroy(way, NULL);
            check_that(left >= -noise && left <= 1.1 * gap + noise,
                       "%d: %u corners and %s: at %g its way is %g away, promised %g", i, n, cm_kind_name(o.shape.kind),
                       (double)hit.first, left, gap);
        }
        cm_hull_destroy(own, NULL);
        obstacle_free(&o);
    }
    check_that(hits > count / 5 && misses > count / 5, "%d hits, %d misses", hits, misses);
}

/* The tessellation lies within, by no more than 10 / segments^2 of the size: apart by no less and hardly more, met no
 * sooner, and when it is met the shape is in by no more than that. */
static void what_is_round_is_met_as_its_tessellation_within_its_error(void **state) {
    (void)state;
    static const int kinds[] = {CONVEX_BALL,     CONVEX_CAPSULE, CONVEX_ROUNDED,
                                CONVEX_CYLINDER, CONVEX_CONE,    CONVEX_ELLIPSOID};
    rng r = rng_start("tessellations", 1532);
    int hits = 0, count = samples(240, 20000);
    for (int i = 0; i < count; i++) {
        const cm_tessellate_desc fine = {.segments = 8 + 8 * (int)rng_below(&r, 4)};
        cm_shape round = convex_random(kinds[i % 6], 1, NULL, &r);
        cm_tessellation t;
        assert_int_equal(cm_shape_tessellate(&round, &fine, NULL, &t), CM_OK);
        cm_mesh *mesh = mesh_of(&t.points[0].x, t.point_count, t.indices, t.triangle_count, true);
        cm_shape flats = cm_make_mesh(mesh);
        cm_aabb box;
        cm_motion still = {.start = rng_pose(&r, 1)}, moving;
        const cm_pose own = cm_pose_identity();
        cm_shape_bounds(&round, &own, &box);
        const cm_vec3 middle = cm_scale(cm_add(box.min, box.max), CM_REAL(0.5));
        const double size = (double)cm_largest(cm_sub(box.max, box.min)), noise = noise_of(8);
        const double error = 10 * size / (fine.segments * fine.segments) + noise;
        cm_hull *hull = hull_random(12, 1, &r);
        for (int k = 0; k < 4; k++) {
            const cm_shape body = convex_random((int)rng_below(&r, CONVEX_KINDS), 0.7, hull, &r);
            memset(&moving, 0, sizeof moving);
            moving.start = rng_pose(&r, 3);
            const double d = (double)cm_distance(&round, &still.start, &body, &moving.start, CM_REAL_MAX, NULL);
            const double e = (double)cm_distance(&flats, &still.start, &body, &moving.start, CM_REAL_MAX, NULL);
            if (!(d > noise)) continue;
            check_that(e >= d - noise && e <= d + error, "%d: %s: %g apart, as triangles %g, may be %g more", i,
                       cm_kind_name(round.kind), d, e, error);
            cm_vec3 to = cm_sub(cm_pose_apply(&still.start, middle), moving.start.position);
            moving.move = cm_add(cm_scale(to, CM_REAL(rng_range(&r, 0.5, 2))), rng_vec3(&r, 0.5));
            if (k % 2) moving.spin = rng_vec3(&r, 2);
            const double gap = promised_gap(&flats, &still, &body, &moving) + noise;
            cm_sweep_hit of_round, of_form;
            const bool met = cm_sweep(&round, &still, &body, &moving, &of_round);
            if (!cm_sweep(&flats, &still, &body, &moving, &of_form)) continue;
            hits++;
            cm_pose pose;
            cm_motion_at(&moving, of_form.first, &pose);
            const double in = -(double)cm_distance(&round, &still.start, &body, &pose, CM_REAL_MAX, NULL);
            check_that(in >= -gap && in <= error + 1e-4 * size, "%d: %s: met as triangles %g deep, may be %g", i,
                       cm_kind_name(round.kind), in, error);
            if (in > gap)
                check_that(met && of_round.first <= of_form.first, "%d: %s: met as triangles at %g, itself %d at %g", i,
                           cm_kind_name(round.kind), (double)of_form.first, met, (double)of_round.first);
        }
        cm_hull_destroy(hull, NULL);
        cm_mesh_destroy(mesh, NULL);
        cm_tessellation_destroy(&t, NULL);
    }
    check_that(hits > count, "%d hits", hits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_moves_straight_meets_what_its_way_meets),
        cmocka_unit_test(what_is_round_is_met_as_its_tessellation_within_its_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
