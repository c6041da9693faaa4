/* Batches give the bits of the single calls, in the order of the pairs: every kind of shape, random and structured
 * poses, touching give or take ulps, all scales, bad input, any number of threads; and most pairs of points, segments,
 * triangles and boxes are decided in vectors. */
#include "support/shapes.h"
#include "support/specimen.h"
#include "support/standing.h"

#include "batch/kernel.h"
#include "pair/balls.h"

#include <math.h>

/* --- objects and pairs -------------------------------------------------------------------------------------------- */

enum { MOST = 3000 };

typedef struct crowd {
    cm_shape *shapes;
    cm_motion *motions; /* a pose is the start of a motion */
    cm_broad_pair *pairs;
    uint32_t objects;
    cm_batch batch;
} crowd;

/* Exactly as much memory as there is to read, so that the sanitizer sees a byte too much. */
static void crowd_open(crowd *c, uint32_t objects, size_t pairs) {
    c->objects = objects;
    c->shapes = malloc(objects * sizeof *c->shapes);
    c->motions = calloc(objects, sizeof *c->motions);
    c->pairs = malloc((pairs ? pairs : 1) * sizeof *c->pairs);
    assert_true(c->shapes && c->motions && c->pairs);
    const cm_batch batch = {.shapes = c->shapes,
                            .shape_count = objects,
                            .poses = &c->motions[0].start,
                            .pose_stride = sizeof *c->motions,
                            .motions = c->motions,
                            .pose_count = objects,
                            .pairs = c->pairs,
                            .pair_count = pairs};
    c->batch = batch;
}
static void crowd_close(crowd *c) { free(c->shapes), free(c->motions), free(c->pairs); }

/* Each pair has two objects of its own. */
static void crowd_of_twos(crowd *c, size_t pairs) {
    crowd_open(c, (uint32_t)(2 * pairs), pairs);
    for (size_t i = 0; i < pairs; i++) c->pairs[i] = (cm_broad_pair){(uint32_t)(2 * i), (uint32_t)(2 * i + 1)};
}

static bool reals_equal(const cm_real *a, const cm_real *b, size_t count) {
    return memcmp(a, b, count * sizeof *a) == 0;
}

static void check_overlaps(const crowd *c, const char *what) {
    static bool many[MOST];
    assert_int_equal(cm_overlap_many(&c->batch, many, NULL), CM_OK);
    for (size_t i = 0; i < c->batch.pair_count; i++) {
        const uint32_t a = c->pairs[i].a, b = c->pairs[i].b;
        const bool one = cm_overlap(&c->shapes[a], &c->motions[a].start, &c->shapes[b], &c->motions[b].start);
        check_that(many[i] == one, "%s, pair %zu: %s and %s: %d, alone %d", what, i, cm_kind_name(c->shapes[a].kind),
                   cm_kind_name(c->shapes[b].kind), many[i], one);
    }
}

static void check_distances(const crowd *c, const char *what, cm_real limit) {
    static cm_real many[MOST];
    static cm_witness proofs[MOST];
    memset(proofs, 0x55, sizeof proofs);
    assert_int_equal(cm_distance_many(&c->batch, limit, many, proofs, NULL), CM_OK);
    for (size_t i = 0; i < c->batch.pair_count; i++) {
        const uint32_t a = c->pairs[i].a, b = c->pairs[i].b;
        cm_witness w;
        memset(&w, 0x55, sizeof w);
        cm_real one = cm_distance(&c->shapes[a], &c->motions[a].start, &c->shapes[b], &c->motions[b].start, limit, &w);
        check_that(reals_equal(&many[i], &one, 1) && reals_equal(&w.point_a.x, &proofs[i].point_a.x, 10) &&
                       w.part_a == proofs[i].part_a && w.part_b == proofs[i].part_b && w.flags == proofs[i].flags,
                   "%s, pair %zu within %g: " REAL_FORMAT ", alone " REAL_FORMAT, what, i, (double)limit,
                   (double)many[i], (double)one);
    }
}

static void check_contacts(const crowd *c, const char *what, cm_real margin) {
    enum { CAPACITY = 2 };
    static int many[MOST];
    static cm_manifold manifolds[MOST * CAPACITY], alone[CAPACITY];
    memset(manifolds, 0x55, sizeof manifolds);
    assert_int_equal(cm_contact_many(&c->batch, margin, many, manifolds, CAPACITY, NULL), CM_OK);
    for (size_t i = 0; i < c->batch.pair_count; i++) {
        const uint32_t a = c->pairs[i].a, b = c->pairs[i].b;
        memset(alone, 0x55, sizeof alone);
        const int one = cm_contact(&c->shapes[a], &c->motions[a].start, &c->shapes[b], &c->motions[b].start, margin,
                                   alone, CAPACITY);
        check_that(many[i] == one, "%s, pair %zu within %g: %d, alone %d", what, i, (double)margin, many[i], one);
        for (int k = 0; k < CAPACITY; k++) {
            const cm_manifold *m = &manifolds[i * CAPACITY + (size_t)k];
            check_that(m->count == alone[k].count && reals_equal(&m->normal.x, &alone[k].normal.x, 3), "%s, pair %zu",
                       what, i);
            for (int n = 0; k < one && n < m->count; n++)
                check_that(reals_equal(&m->points[n].point_a.x, &alone[k].points[n].point_a.x, 7), "%s, pair %zu", what,
                           i);
        }
    }
}

static void check_sweeps(const crowd *c, const char *what) {
    static bool many[MOST];
    static cm_sweep_hit hits[MOST];
    assert_int_equal(cm_sweep_many(&c->batch, many, hits, NULL), CM_OK);
    for (size_t i = 0; i < c->batch.pair_count; i++) {
        const uint32_t a = c->pairs[i].a, b = c->pairs[i].b;
        cm_sweep_hit hit;
        const bool one = cm_sweep(&c->shapes[a], &c->motions[a], &c->shapes[b], &c->motions[b], &hit);
        check_that(many[i] == one, "%s, pair %zu: %d, alone %d", what, i, many[i], one);
        if (one) check_that(reals_equal(&hits[i].first, &hit.first, 8), "%s, pair %zu", what, i);
    }
}

static void check_all(const crowd *c, const char *what, double size) {
    check_overlaps(c, what);
    check_distances(c, what, CM_REAL(size / 4));
    check_distances(c, what, CM_REAL_MAX);
    check_contacts(c, what, 0);
    check_contacts(c, what, CM_REAL(size / 8));
}

/* --- poses --------------------------------------------------------------------------------------------------------- */

static void every_kind_at_any_pose(void **state) {
    (void)state;
    enum { EACH = 4 };
    static specimen all[EACH * SPECIMEN_KINDS];
    const int pairs = samples(MOST, MOST);
    rng r = rng_start("batches of every kind", 151);
    crowd c;
    for (int i = 0; i < EACH * SPECIMEN_KINDS; i++)
        specimen_random(&all[i], (specimen_kind)(i % SPECIMEN_KINDS), rng_range(&r, 0.3, 1.5), &r);
    crowd_open(&c, 120, (size_t)pairs);
    for (uint32_t i = 0; i < c.objects; i++) {
        c.shapes[i] = all[i < EACH * SPECIMEN_KINDS ? i : rng_below(&r, EACH * SPECIMEN_KINDS)].shape;
        c.motions[i].start = rng_pose(&r, 2);
        c.motions[i].move = rng_vec3(&r, 2);
    }
    for (int i = 0; i < pairs; i++)
        c.pairs[i] = (cm_broad_pair){rng_below(&r, c.objects), rng_below(&r, c.objects)}; /* the same twice, too */
    check_all(&c, "every kind", 2);
    c.batch.pair_count /= 10;
    check_sweeps(&c, "every kind");
    crowd_close(&c);
    for (int i = 0; i < EACH * SPECIMEN_KINDS; i++) specimen_free(&all[i]);
}

/* Pairs of two kinds, in either order, one after the other: some fill the groups in which pairs are looked up. */
static void kinds_in_runs(void **state) {
    (void)state;
    enum { KINDS = 4, EACH = 30, LONGEST = 300 };
    const size_t pairs = (size_t)samples(MOST, MOST);
    rng r = rng_start("kinds in runs", 157);
    crowd c;
    crowd_open(&c, KINDS * EACH, pairs);
    for (uint32_t i = 0; i < c.objects; i++) {
        const cm_real size = CM_REAL(rng_range(&r, 0.3, 0.8));
        c.shapes[i] = i < EACH       ? cm_make_sphere(cm_v(0, 0, 0), size)
                      : i < 2 * EACH ? cm_make_capsule(rng_vec3(&r, 1), rng_vec3(&r, 1), size)
                      : i < 3 * EACH ? cm_make_triangle(rng_vec3(&r, 1), rng_vec3(&r, 1), rng_vec3(&r, 1))
                                     : cm_make_box(cm_v(size, size, size / 2));
        c.motions[i].start = rng_pose(&r, 2);
    }
    uint32_t a = 0, b = 0;
    for (size_t i = 0, left = 0; i < pairs; i++, left--) {
        if (!left) a = rng_below(&r, KINDS), b = rng_below(&r, KINDS), left = 1 + rng_below(&r, LONGEST);
        c.pairs[i] = (cm_broad_pair){a * EACH + rng_below(&r, EACH), b * EACH + rng_below(&r, EACH)};
    }
    check_all(&c, "kinds in runs", 2);
    crowd_close(&c);
}

/* Pairs whose contacts are computed together, but not in their order: those of the second 64, which has a box in it,
 * come last, and the number of the last is as far from that of the first as if all followed each other. */
static void pairs_left_over_come_late(void **state) {
    (void)state;
    enum { PAIRS = 192 };
    crowd c;
    int counts[PAIRS];
    crowd_open(&c, 4, PAIRS);
    for (uint32_t i = 0; i < 4; i++) {
        c.shapes[i] = i < 3 ? cm_make_sphere(cm_v(0, 0, 0), 1) : cm_make_box(cm_v(1, 1, 1));
        c.motions[i].start = cm_pose_at(cm_v(i == 2 ? 9 : CM_REAL(0.5) * (cm_real)i, 0, 0));
    }
    for (int i = 0; i < PAIRS; i++) {
        const bool touch = (i >= 48 && i < 64) || i == 65 || i == 66 || i == 130;
        c.pairs[i] = (cm_broad_pair){0, touch ? 1 : i == 127 ? 3 : 2};
    }
    memset(counts, 0x55, sizeof counts);
    assert_int_equal(cm_contact_many(&c.batch, 0, counts, NULL, 0, NULL), CM_OK);
    for (int i = 0; i < PAIRS; i++) check_that(counts[i] == (c.pairs[i].b != 2), "pair %d: %d contacts", i, counts[i]);
    crowd_close(&c);
}

/* B is brought to touching, give or take from an ulp to a thousandth. */
static void what_about_touches(void **state) {
    (void)state;
    const size_t pairs = MOST;
    rng r = rng_start("batches that touch", 152);
    for (int round = 0, rounds = samples(40, 4000); round < rounds; round++) {
        const double size = rng_log_range(&r, 1e-3, 1e3), far = rng_below(&r, 2) ? size : 100 * size;
        crowd c;
        crowd_of_twos(&c, pairs);
        for (size_t i = 0; i < pairs; i++) {
            cm_witness w;
            cm_pose *a = &c.motions[2 * i].start, *b = &c.motions[2 * i + 1].start;
            c.shapes[2 * i] = textbook_random(&r, (int)rng_below(&r, 4), size);
            c.shapes[2 * i + 1] = textbook_random(&r, (int)rng_below(&r, 4), size);
            *a = rng_pose(&r, far), *b = *a;
            b->position = cm_add(b->position, rng_vec3(&r, size)), b->rotation = rng_rotation(&r);
            if (rng_below(&r, 4) == 0) { /* a turn about an axis of A's, and almost none about the others */
                const double small = rng_log_range(&r, 1e-4, 0.05);
                const cm_real turn = CM_REAL(rng_range(&r, -2, 2)), tilt = CM_REAL(rng_range(&r, -small, small));
                b->rotation = cm_quat_mul(a->rotation, cm_quat_normalize((cm_quat){turn, tilt, CM_REAL(small), 1}));
            }
            if (cm_distance(&c.shapes[2 * i], a, &c.shapes[2 * i + 1], b, CM_REAL_MAX, &w) == CM_REAL_MAX) continue;
            const double off = rng_below(&r, 3) ? rng_log_range(&r, 1e-9, 1e-3) * size : 0;
            const cm_real way = CM_REAL(rng_below(&r, 2) ? off : -off) - w.distance;
            b->position = cm_mul_add(b->position, way, w.normal);
        }
        check_overlaps(&c, "touching");
        check_contacts(&c, "touching", rng_below(&r, 2) ? 0 : CM_REAL(1e-6 * size));
        crowd_close(&c);
    }
}

/* Boxes and balls as people set them up: nice sizes, shared axes, flush, one within the other. */
static void what_stands(void **state) {
    (void)state;
    rng r = rng_start("batches that stand", 153);
    for (int round = 0, rounds = samples(40, 4000); round < rounds; round++) {
        crowd c;
        crowd_of_twos(&c, MOST);
        for (uint32_t i = 0; i < c.objects; i++) {
            const cm_real x = CM_REAL(nice_size(&r)), y = CM_REAL(nice_size(&r)), z = CM_REAL(nice_size(&r));
            switch (rng_below(&r, 4)) {
            case 0:
                c.shapes[i] = cm_make_sphere(cm_v(0, 0, 0), x);
                break;
            case 1:
                c.shapes[i] = cm_make_capsule(cm_v(0, 0, -y), cm_v(0, 0, y), x);
                break;
            case 2:
                c.shapes[i] = cm_make_triangle(cm_v(0, 0, 0), cm_v(x, 0, 0), cm_v(0, y, 0));
                break;
            default:
                c.shapes[i] = cm_make_box(cm_v(x, y, z));
            }
            c.motions[i].start = cm_pose_identity();
            c.motions[i].start.rotation = cube_rotation(rng_below(&r, 24));
            if (rng_below(&r, 3) == 0) { /* almost aligned */
                const cm_vec3 v = rng_vec3(&r, rng_log_range(&r, 1e-8, 0.1));
                c.motions[i].start.rotation =
                    cm_quat_normalize(cm_quat_mul((cm_quat){v.x, v.y, v.z, 1}, c.motions[i].start.rotation));
            }
            cm_vec3 *p = &c.motions[i].start.position;
            if (i % 2)
                p->x = CM_REAL(nice_offset(&r)), p->y = CM_REAL(nice_offset(&r)), p->z = CM_REAL(nice_offset(&r));
            p->z = nice_ulps(p->z, &r);
        }
        check_overlaps(&c, "standing");
        check_contacts(&c, "standing", 0);
        crowd_close(&c);
    }
}

/* Balls at corners, edges and faces of triangles: on them, touching give or take ulps, beside them as far from two
 * edges; of nice sizes, thin ones and such without area; as first and as second of the pair. */
static void balls_at_triangles(void **state) {
    (void)state;
    rng r = rng_start("batches of balls at triangles", 157);
    for (int round = 0, rounds = samples(40, 2000); round < rounds; round++) {
        crowd c;
        crowd_of_twos(&c, MOST);
        for (uint32_t i = 0; i < MOST; i++) {
            const double x = nice_size(&r), y = nice_size(&r);
            const uint32_t thin = rng_below(&r, 8);
            const cm_real over = CM_REAL(thin == 0 ? x * 1e-9 : thin == 1 ? y / 16 : thin == 2 ? 0 : y);
            const cm_vec3 corner[3] = {cm_v(0, 0, 0), cm_v(CM_REAL(x), 0, 0),
                                       cm_v(rng_below(&r, 2) ? CM_REAL(x / 2) : 0, over, 0)};
            const cm_real radius = CM_REAL(nice_size(&r)), wide = rng_below(&r, 4) ? 0 : radius;
            cm_vec3 at = corner[rng_below(&r, 3)];
            if (rng_below(&r, 2)) at = cm_scale(cm_add(at, corner[rng_below(&r, 3)]), CM_REAL(0.5)); /* an edge */
            if (rng_below(&r, 3) == 0) at = cm_scale(cm_add(corner[0], cm_add(corner[1], corner[2])), CM_REAL(0.25));
            const cm_real reach = nice_ulps(radius + wide, &r);
            switch (rng_below(&r, 5)) {
            case 0: /* on it */
                break;
            case 1:
                at.z = rng_below(&r, 2) ? reach : -reach;
                break;
            case 2:
                at.y -= reach;
                break;
            case 3:
                at.x -= reach, at.z = nice_ulps(0, &r);
                break;
            default:
                at = cm_add(at, cm_scale(cm_v(-1, rng_below(&r, 2) ? -1 : 0, 1), reach / 2));
            }
            const uint32_t ball = 2 * i + rng_below(&r, 2), triangle = 4 * i + 1 - ball;
            const bool turned = rng_below(&r, 2) != 0; /* then the ball's own place is rounded */
            c.shapes[ball] = cm_make_sphere(turned ? cm_v(0, 0, 0) : at, radius);
            c.shapes[triangle] = cm_make_triangle(corner[0], corner[1], corner[2]);
            c.shapes[triangle].radius = wide;
            const cm_pose home = {cm_v(CM_REAL(nice_offset(&r)), 0, 1), cube_rotation(rng_below(&r, 24))};
            c.motions[triangle].start = c.motions[ball].start = turned ? home : cm_pose_identity();
            if (turned) c.motions[ball].start.position = cm_pose_apply(&home, at);
        }
        check_all(&c, "at triangles", 1);
        crowd_close(&c);
    }
}

/* Beside the corner with a wide angle, from which one edge is left at the corner, the other a little after: both are as
 * far away within rounding. */
static void balls_beside_wide_corners(void **state) {
    (void)state;
    rng r = rng_start("batches of balls beside corners", 159);
    crowd c;
    crowd_of_twos(&c, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        const double x = nice_size(&r), y = nice_size(&r), slope = rng_range(&r, 0.1, 2), length = hypot(1, slope);
        const cm_vec3 corner[3] = {cm_v(0, 0, 0), cm_v(CM_REAL(x), 0, 0), cm_v(CM_REAL(-y * slope), CM_REAL(y), 0)};
        const double beside = rng_log_range(&r, 1e-14, 1e-6) * y, angle = rng_range(&r, -1.5, 1.5);
        const double reach = nice_size(&r), out = reach * cos(angle);
        c.shapes[2 * i] = cm_make_sphere(cm_v(CM_REAL((-beside * slope - out) / length),
                                              CM_REAL((beside - out * slope) / length), CM_REAL(reach * sin(angle))),
                                         nice_ulps(CM_REAL(reach), &r));
        const uint32_t first = rng_below(&r, 3), way = 1 + rng_below(&r, 2);
        c.shapes[2 * i + 1] = cm_make_triangle(corner[first], corner[(first + way) % 3], corner[(first + 2 * way) % 3]);
        c.motions[2 * i].start = c.motions[2 * i + 1].start = cm_pose_identity();
    }
    check_contacts(&c, "beside corners", CM_REAL(1e-3));
    crowd_close(&c);
}

/* Hulls of all flavors, flat, needles and points among them: concentric, as far apart as the balls around or within
 * them are large give or take ulps, in between, far from the origin. */
static void hulls_by_their_balls(void **state) {
    (void)state;
    enum { HULLS = 24 };
    rng r = rng_start("batches of hulls", 158);
    for (int round = 0, rounds = samples(8, 400); round < rounds; round++) {
        const double size = rng_log_range(&r, 1e-3, 1e3);
        static specimen all[HULLS];
        crowd c;
        for (int i = 0; i < HULLS; i++)
            specimen_random_flavor(&all[i], i % 3 ? SPECIMEN_HULL : SPECIMEN_ROUNDED_HULL, i % 4, size, &r);
        form cube; /* the ball within touches its faces */
        const cm_real half = CM_REAL(size / 2);
        form_box(&cube, FORM_HULL, cm_v(half, half, half), &r);
        crowd_of_twos(&c, MOST);
        for (uint32_t i = 0; i < MOST; i++) {
            cm_shape *a = &c.shapes[2 * i], *b = a + 1;
            cm_pose *pa = &c.motions[2 * i].start, *pb = &c.motions[2 * i + 1].start;
            *a = all[rng_below(&r, HULLS)].shape, *b = all[rng_below(&r, HULLS)].shape;
            const pair_balls of_a = balls_of_hull(a->u.hull), of_b = balls_of_hull(b->u.hull);
            *pa = rng_pose(&r, rng_below(&r, 2) ? size : 100 * size), *pb = *pa;
            if (rng_below(&r, 2)) pb->rotation = rng_rotation(&r);
            const cm_real radii = a->radius + b->radius;
            const cm_real ways[] = {0, radii + of_a.inner + of_b.inner, radii + of_a.outer + of_b.outer,
                                    radii + of_a.inner + of_b.outer};
            cm_real way = nice_ulps(ways[rng_below(&r, 4)], &r);
            cm_vec3 n = cm_rotate(rng_rotation(&r), cm_v(1, 0, 0));
            if (i % 8 == 0) { /* flush, or a little beside it */
                *a = *b = cube.shape, pb->rotation = pa->rotation, n = cm_rotate(pa->rotation, cm_v(0, 1, 0));
                way = nice_ulps(2 * half, &r) + CM_REAL(nice_height(size, &r));
            }
            const cm_vec3 at = cm_mul_add(cm_pose_apply(pa, a->u.hull->info.center), way, n);
            pb->position = cm_sub(at, cm_rotate(pb->rotation, b->u.hull->info.center));
        }
        check_overlaps(&c, "hulls");
        check_distances(&c, "hulls", CM_REAL(size / 8));
        c.batch.pair_count /= 10;
        check_contacts(&c, "hulls", 0);
        crowd_close(&c);
        for (int i = 0; i < HULLS; i++) specimen_free(&all[i]);
        form_free(&cube);
    }
}

/* Of hulls by the balls around and within, where it does not matter how they are turned. */
static void round_hulls_are_decided_side_by_side(void **state) {
    (void)state;
    rng r = rng_start("round hulls decided", 159);
    cm_vec3 points[200];
    for (int i = 0; i < 200; i++) points[i] = cm_rotate(rng_rotation(&r), cm_v(1, 0, 0));
    cm_hull *hull;
    const cm_hull_desc desc = {.points = &points[0].x, .point_count = 200};
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    const cm_shape shape = cm_make_hull(hull);
    cm_pose poses[2 * CM__BATCH_LANES];
    cm__batch_pairs pairs;
    int32_t out[CM__BATCH_LANES];
    int apart = 0, overlap = 0;
    for (int i = 0; i < CM__BATCH_LANES; i++) {
        cm_pose *a = &poses[2 * i], *b = a + 1;
        *a = rng_pose(&r, 1), *b = rng_pose(&r, 1);
        b->position = cm_mul_add(a->position, CM_REAL(i % 2 ? 1.7 : 2.1), cm_rotate(rng_rotation(&r), cm_v(1, 0, 0)));
        pairs.shape_a[i] = pairs.shape_b[i] = &shape, pairs.pose_a[i] = a, pairs.pose_b[i] = b;
    }
    cm__batch_look_base(CM__BATCH_HULL_HULL, &pairs, 0, out);
    for (int i = 0; i < CM__BATCH_LANES; i++) apart += out[i]<0, overlap += out[i]> 0;
    check_that(apart == CM__BATCH_LANES / 2 && overlap == CM__BATCH_LANES / 2, "%d apart, %d overlap", apart, overlap);
    cm_hull_destroy(hull, NULL);
}

/* Sizes from 1e-20 to beyond the valid range, wild numbers, rotations that are almost or not at all unit. */
static void bad_and_extreme_input(void **state) {
    (void)state;
    static const double wild[] = {(double)NAN, (double)INFINITY, (double)-INFINITY, -1, 0, 1e-40, 1e16, 1e30, 3e38};
    rng r = rng_start("batches of nasty input", 154);
    for (int round = 0, rounds = samples(40, 2000); round < rounds; round++) {
        crowd c;
        crowd_of_twos(&c, MOST / 2);
        for (size_t i = 0; i < MOST / 2; i++) {
            const double size = rng_log_range(&r, 1e-20, 1e17);
            for (size_t k = 2 * i; k < 2 * i + 2; k++) {
                c.shapes[k] = textbook_random(&r, (int)rng_below(&r, 4), size);
                c.motions[k].start = rng_pose(&r, size);
                cm_quat *q = &c.motions[k].start.rotation;
                const cm_real longer = rng_below(&r, 4) ? 1 : CM_REAL(1 + rng_range(&r, -3e-3, 3e-3));
                *q = (cm_quat){q->x * longer, q->y * longer, q->z * longer, q->w * longer};
                cm_real *numbers[] = {&c.shapes[k].radius,
                                      &c.shapes[k].u.box.x,
                                      &c.shapes[k].u.box.z,
                                      &c.motions[k].start.position.y,
                                      &c.motions[k].start.rotation.w,
                                      &q->x};
                if (rng_below(&r, 4) == 0) *numbers[rng_below(&r, 6)] = (cm_real)wild[rng_below(&r, 9)];
                if (i % 16 == 3) c.motions[k].start.position = cm_v(CM_COORD_MAX * CM_REAL(1.5), 0, 0); /* both */
                if (rng_below(&r, 64) == 0) c.shapes[k].kind = (cm_kind)rng_below(&r, 1000);
                if ((unsigned)c.shapes[k].kind > CM_SHAPE_BOX && c.shapes[k].kind < CM_SHAPE_KINDS)
                    c.shapes[k].kind = CM_SHAPE_BOX; /* others would point somewhere */
            }
        }
        check_overlaps(&c, "nasty");
        check_contacts(&c, "nasty", round % 4 ? 0 : CM_REAL(wild[rng_below(&r, 9)]));
        check_distances(&c, "nasty", round % 4 ? 1 : CM_REAL(wild[rng_below(&r, 9)]));
        crowd_close(&c);
    }
}

/* --- forms of the same call ----------------------------------------------------------------------------------------- */

static void threads_and_shared_shapes_change_nothing(void **state) {
    (void)state;
    rng r = rng_start("batches by threads", 155);
    crowd c;
    cm_pool *pool;
    cm_tasks tasks;
    static bool serial[MOST], parallel[MOST];
    uint32_t shape_of[200];
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    crowd_open(&c, 200, MOST);
    for (uint32_t i = 0; i < 200; i++) {
        shape_of[i] = rng_below(&r, 7);
        c.shapes[i] = textbook_random(&r, (int)rng_below(&r, 4), 1);
        c.motions[i].start = rng_pose(&r, 1.5);
    }
    for (int i = 0; i < MOST; i++) c.pairs[i] = (cm_broad_pair){rng_below(&r, 200), rng_below(&r, 200)};
    c.batch.shape_of = shape_of, c.batch.shape_count = 7;
    assert_int_equal(cm_overlap_many(&c.batch, serial, NULL), CM_OK);
    c.batch.tasks = &tasks;
    assert_int_equal(cm_overlap_many(&c.batch, parallel, NULL), CM_OK);
    assert_memory_equal(serial, parallel, sizeof serial);
    int yes = 0;
    for (int i = 0; i < MOST; i++) {
        const uint32_t a = c.pairs[i].a, b = c.pairs[i].b;
        assert_int_equal(serial[i], cm_overlap(&c.shapes[shape_of[a]], &c.motions[a].start, &c.shapes[shape_of[b]],
                                               &c.motions[b].start));
        yes += serial[i];
    }
    check_that(yes > MOST / 50 && yes < MOST - MOST / 50, "%d of %d", yes, MOST);
    /* one against all */
    bool one[200];
    c.batch.pairs = NULL, c.batch.one = 17;
    assert_int_equal(cm_overlap_many(&c.batch, one, NULL), CM_OK);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(one[i], cm_overlap(&c.shapes[shape_of[17]], &c.motions[17].start, &c.shapes[shape_of[i]],
                                            &c.motions[i].start));
    cm_pool_destroy(pool);
    crowd_close(&c);
}

static void what_is_wrong_is_told_and_nothing_written(void **state) {
    (void)state;
    cm_shape shapes[2] = {cm_make_sphere(cm_v(0, 0, 0), 1), cm_make_sphere(cm_v(0, 0, 0), 1)};
    cm_pose poses[2] = {cm_pose_identity(), cm_pose_identity()};
    cm_broad_pair pairs[3] = {{0, 1}, {1, 0}, {1, 1}};
    uint32_t shape_of[2] = {0, 1};
    const cm_batch good = {.shapes = shapes,
                           .shape_count = 2,
                           .shape_of = shape_of,
                           .poses = poses,
                           .pose_count = 2,
                           .pairs = pairs,
                           .pair_count = 3};
    bool out[3] = {false, false, false};
    int counts[3];
    cm_real distances[3];
    cm_error e;
    cm_batch b = good;
    pairs[2].b = 2;
    assert_int_equal(cm_overlap_many(&b, out, &e), CM_OUT_OF_RANGE);
    assert_true(e.status == CM_OUT_OF_RANGE && !strcmp(e.field, "pairs") && e.index == 2);
    pairs[2].b = 1, shape_of[1] = 2;
    assert_int_equal(cm_overlap_many(&b, out, &e), CM_OUT_OF_RANGE);
    assert_true(!strcmp(e.field, "shape_of") && e.index == 1);
    shape_of[1] = 1;
    b.shape_of = NULL, b.shape_count = 1;
    assert_int_equal(cm_overlap_many(&b, out, &e), CM_OUT_OF_RANGE);
    b = good, b.pairs = NULL, b.one = 2;
    assert_int_equal(cm_overlap_many(&b, out, &e), CM_OUT_OF_RANGE);
    assert_true(!strcmp(e.field, "one"));
    b = good, b.shapes = NULL;
    assert_int_equal(cm_overlap_many(&b, out, NULL), CM_INVALID);
    b = good, b.poses = NULL;
    assert_int_equal(cm_contact_many(&b, 0, counts, NULL, 0, NULL), CM_INVALID);
    b = good;
    assert_int_equal(cm_sweep_many(&b, out, NULL, &e), CM_INVALID);
    assert_true(!strcmp(e.field, "motions"));
    b.pose_stride = sizeof(cm_pose) - 1;
    assert_int_equal(cm_distance_many(&b, 1, distances, NULL, &e), CM_INVALID);
    assert_true(!strcmp(e.field, "pose_stride"));
    b = good, b.shape_stride = sizeof(cm_shape) + sizeof(cm_real) / 2;
    assert_int_equal(cm_overlap_many(&b, out, NULL), CM_INVALID);
    assert_int_equal(cm_contact_many(&good, 0, counts, NULL, 1, NULL), CM_INVALID);
    assert_int_equal(cm_contact_many(&good, 0, counts, NULL, -1, NULL), CM_INVALID);
    assert_int_equal(cm_overlap_many(&good, NULL, NULL), CM_INVALID);
    assert_int_equal(cm_overlap_many(NULL, out, NULL), CM_INVALID);
    assert_true(!out[0] && !out[1] && !out[2]);
    b = good, b.pair_count = 0;
    assert_int_equal(cm_overlap_many(&b, NULL, NULL), CM_OK);
    assert_int_equal(cm_overlap_many(&good, out, NULL), CM_OK);
    assert_true(out[0] && out[1] && out[2]);
}

/* Without this, all answers could come one by one. */
static void most_are_decided_side_by_side(void **state) {
    (void)state;
    rng r = rng_start("decided side by side", 156);
    for (int k = CM__BATCH_NONE + 1; k < CM__BATCH_HULL_HULL; k++) {
        cm_shape a[CM__BATCH_LANES], b[CM__BATCH_LANES];
        cm_pose pa[CM__BATCH_LANES], pb[CM__BATCH_LANES];
        int doubt = 0, apart = 0, overlap = 0, contact = 0, none = 0;
        for (int round = 0; round < 50; round++) {
            cm__batch_pairs pairs;
            int32_t out[CM__BATCH_LANES];
            for (int i = 0; i < CM__BATCH_LANES; i++) {
                const bool segment = k == CM__BATCH_SEGMENT_SEGMENT, box = k == CM__BATCH_BOX_BOX;
                a[i] = segment ? cm_make_capsule(rng_vec3(&r, 1), rng_vec3(&r, 1), CM_REAL(0.5))
                       : box   ? cm_make_box(cm_vec3_abs(rng_vec3(&r, 1)))
                               : cm_make_sphere(rng_vec3(&r, 1), 1);
                b[i] = k == CM__BATCH_POINT_POINT ? a[i]
                       : k == CM__BATCH_POINT_TRIANGLE
                           ? cm_make_triangle(rng_vec3(&r, 1), rng_vec3(&r, 1), rng_vec3(&r, 1))
                       : box || k == CM__BATCH_POINT_BOX
                           ? cm_make_box(cm_vec3_abs(rng_vec3(&r, 1)))
                           : cm_make_capsule(rng_vec3(&r, 1), rng_vec3(&r, 1), CM_REAL(0.5));
                pa[i] = rng_pose(&r, 1), pb[i] = rng_pose(&r, 1);
                pairs.shape_a[i] = &a[i], pairs.shape_b[i] = &b[i], pairs.pose_a[i] = &pa[i], pairs.pose_b[i] = &pb[i];
            }
            cm__batch_contacts contacts;
            cm__batch_look_base((cm__batch_class)k, &pairs, 0, out);
            cm__batch_contact_base((cm__batch_class)k, &pairs, 0, &contacts);
            for (int i = 0; i < CM__BATCH_LANES; i++) {
                contact += contacts.found[i] > 0, none += contacts.found[i] < 0;
                check_that(contacts.found[i] * out[i] >= 0, "class %d: %d, contact %d", k, out[i], contacts.found[i]);
            }
            for (int i = 0; i < CM__BATCH_LANES; i++) doubt += !out[i], apart += out[i]<0, overlap += out[i]> 0;
        }
        const int all = 50 * CM__BATCH_LANES;
        print_message("  class %d: %d of %d in doubt\n", k, doubt, all);
        check_that(doubt < all / 100 && apart > all / 20 && overlap > all / 20, "class %d: %d in doubt, %d, %d", k,
                   doubt, apart, overlap);
        /* nearly parallel capsules, which touch along a line, are not for lanes */
        const int known =
            batch_has_contacts((cm__batch_class)k) ? all - all / (k == CM__BATCH_SEGMENT_SEGMENT ? 20 : 100) : 0;
        check_that(contact + none >= known, "class %d: %d contacts, %d without, of %d", k, contact, none, all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_at_any_pose),
        cmocka_unit_test(kinds_in_runs),
        cmocka_unit_test(pairs_left_over_come_late),
        cmocka_unit_test(what_about_touches),
        cmocka_unit_test(what_stands),
        cmocka_unit_test(balls_at_triangles),
        cmocka_unit_test(balls_beside_wide_corners),
        cmocka_unit_test(hulls_by_their_balls),
        cmocka_unit_test(round_hulls_are_decided_side_by_side),
        cmocka_unit_test(bad_and_extreme_input),
        cmocka_unit_test(threads_and_shared_shapes_change_nothing),
        cmocka_unit_test(what_is_wrong_is_told_and_nothing_written),
        cmocka_unit_test(most_are_decided_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
