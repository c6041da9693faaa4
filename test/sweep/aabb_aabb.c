/* Axis-aligned boxes in motion: hand-derived hits with normal, point, start and what blocks; and on numbers as people
 * have them the answers of cm_sweep with the same boxes as shapes. */
#include "support/support.h"

#include <math.h>

static cm_aabb box_of(cm_real x, cm_real y, cm_real z, cm_real half_x, cm_real half_y, cm_real half_z) {
    return cm_aabb_from_center(cm_v(x, y, z), cm_v(half_x, half_y, half_z));
}

typedef struct row {
    const char *what;
    double at[3], half[3], move[3]; /* B's; A is the box of half extents 1, 2, 3 around 0, and moves by (0, 0, 1) */
    bool meets;
    double first, last, normal[3], point[3];
    cm_sweep_start start;
    bool blocking;
} row;

static void boxes_meet_where_hand_and_eye_say(void **state) {
    (void)state;
    const row rows[] = {
        {"from the side",
         {4, 1, 1},
         {1, 2, 1},
         {-4, 0, 1},
         true,
         0.5,
         1,
         {1, 0, 0},
         {1, 0.5, 1.5},
         CM_SWEEP_SEPARATED,
         true},
        {"from above",
         {0, 0, 7},
         {2, 1, 2},
         {0, 0, -3},
         true,
         0.5,
         1,
         {0, 0, 1},
         {0, 0, 3.5},
         CM_SWEEP_SEPARATED,
         true},
        {"y last",
         {2.5, -4, 0},
         {1, 1, 1},
         {-4, 2, 1},
         true,
         0.5,
         1,
         {0, -1, 0},
         {0.25, -2, 0.5},
         CM_SWEEP_SEPARATED,
         true},
        {"y last, x widest",
         {4, 4, 0},
         {1, 1, 1},
         {-8, -2, 1},
         true,
         0.5,
         0.75,
         {0, 1, 0},
         {0, 2, 0.5},
         CM_SWEEP_SEPARATED,
         true},
        {"x last, y widest",
         {4, 7, 0},
         {1, 1, 1},
         {-4, -16, 1},
         true,
         0.5,
         0.625,
         {1, 0, 0},
         {1, -1, 0.5},
         CM_SWEEP_SEPARATED,
         true},
        {"at an edge, x and y at once: the first",
         {4, 5, 0},
         {1, 1, 1},
         {-4, -4, 1},
         true,
         0.5,
         1,
         {1, 0, 0},
         {1, 2, 0.5},
         CM_SWEEP_SEPARATED,
         true},
        {"at a corner, all at once: the first",
         {-4, -5, 6},
         {1, 1, 1},
         {4, 4, -3},
         true,
         0.5,
         1,
         {-1, 0, 0},
         {-1, -2, 3.5},
         CM_SWEEP_SEPARATED,
         true},
        {"past a corner", {4, 4.5, 0}, {1, 1, 1}, {-4, -1, 1}, false, 0, 0, {0, 0, 0}, {0, 0, 0}, 0, false},
        {"through",
         {4, 0, 0},
         {1, 1, 1},
         {-16, 0, 1},
         true,
         0.125,
         0.375,
         {1, 0, 0},
         {1, 0, 0.125},
         CM_SWEEP_SEPARATED,
         true},
        {"deep, parting",
         {1.5, 0, 0},
         {1, 1, 1},
         {4, 0, 1},
         true,
         0,
         0.125,
         {1, 0, 0},
         {1, 0, 0},
         CM_SWEEP_OVERLAPPING,
         false},
        {"deep, closing",
         {1.5, 0, 0},
         {1, 1, 1},
         {-1, 0, 1},
         true,
         0,
         1,
         {1, 0, 0},
         {1, 0, 0},
         CM_SWEEP_OVERLAPPING,
         true},
        {"touching, sliding",
         {2, 0, 0},
         {1, 1, 1},
         {0, 1, 1},
         true,
         0,
         1,
         {1, 0, 0},
         {1, 0, 0},
         CM_SWEEP_TOUCHING,
         false},
        {"touching, pressing",
         {2, 0, 0},
         {1, 1, 1},
         {-1, 0, 1},
         true,
         0,
         1,
         {1, 0, 0},
         {1, 0, 0},
         CM_SWEEP_TOUCHING,
         true},
        {"touching, leaving",
         {2, 0, 0},
         {1, 1, 1},
         {1, 0, 1},
         true,
         0,
         0,
         {1, 0, 0},
         {1, 0, 0},
         CM_SWEEP_TOUCHING,
         false},
        {"out of reach", {9, 0, 0}, {1, 1, 1}, {-4, 0, 1}, false, 0, 0, {0, 0, 0}, {0, 0, 0}, 0, false},
    };
    const cm_aabb a = box_of(0, 0, 0, 1, 2, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        const double slack = 64 * (double)CM_REAL_EPSILON;
        cm_aabb b = box_of(CM_REAL(r->at[0]), CM_REAL(r->at[1]), CM_REAL(r->at[2]), CM_REAL(r->half[0]),
                           CM_REAL(r->half[1]), CM_REAL(r->half[2]));
        cm_vec3 move = cm_v(CM_REAL(r->move[0]), CM_REAL(r->move[1]), CM_REAL(r->move[2]));
        cm_sweep_hit hit;
        bool met = cm_sweep_aabb_aabb(&a, cm_v(0, 0, 1), &b, move, &hit);
        check_that(met == r->meets && met == cm_sweep_aabb_aabb(&a, cm_v(0, 0, 1), &b, move, NULL), "%s: %d", r->what,
                   met);
        if (!met) continue;
        check_that((double)hit.first <= r->first && (double)hit.first >= r->first - slack, "%s: first %.9g", r->what,
                   (double)hit.first);
        const double late = r->start == CM_SWEEP_TOUCHING ? 256 * (double)CM_REAL_EPSILON : slack; /* the band */
        check_that((double)hit.last >= r->last && (double)hit.last <= r->last + late, "%s: last %.9g", r->what,
                   (double)hit.last);
        check_that(hit.start == r->start && hit.blocking == r->blocking, "%s: start %d, blocking %d", r->what,
                   hit.start, hit.blocking);
        const cm_vec3 normal = cm_v(CM_REAL(r->normal[0]), CM_REAL(r->normal[1]), CM_REAL(r->normal[2]));
        check_that(cm_length(cm_sub(hit.normal, normal)) <= CM_REAL(slack), "%s: normal %g %g %g", r->what,
                   (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
        const cm_vec3 at = cm_v(CM_REAL(r->point[0]), CM_REAL(r->point[1]), CM_REAL(r->point[2]));
        const bool middle = r->start != CM_SWEEP_TOUCHING; /* else any point that they share */
        check_that(middle ? cm_length(cm_sub(hit.point, at)) <= CM_REAL(4 * slack) : hit.point.x == 1,
                   "%s: point %g %g %g", r->what, (double)hit.point.x, (double)hit.point.y, (double)hit.point.z);
        check_that(hit.part_a == CM_NONE && hit.part_b == CM_NONE, "%s: parts", r->what);
    }
}

/* How many directions along the axes are the shortest way for B out of A, or all but? */
static int ways_out(const cm_aabb *a, const cm_aabb *b) {
    const cm_vec3 up = cm_sub(a->max, b->min), down = cm_sub(b->max, a->min);
    const cm_real depth[6] = {up.x, up.y, up.z, down.x, down.y, down.z};
    cm_real least = depth[0];
    int count = 0;
    for (int i = 1; i < 6; i++) least = cm_min(least, depth[i]);
    for (int i = 0; i < 6; i++) count += depth[i] <= least + CM_REAL(1e-6);
    return count;
}

/* Places, sizes and moves from a few halves, so that most share planes: touching, flush, sliding, deep, some off by an
 * ulp or two. */
static void flush_boxes_move_as_their_shapes_do(void **state) {
    (void)state;
    rng r = rng_start("flush boxes", 17);
    int met = 0, touching = 0, held = 0;
    for (int i = 0, n = samples(20000, 1000000); i < n; i++) {
        double x[12];
        for (int k = 0; k < 12; k++)
            x[k] = k < 6 ? (int)rng_below(&r, 9) - 4 : k < 9 ? 1 + (int)rng_below(&r, 3) : (int)rng_below(&r, 5) - 2;
        const cm_vec3 half = cm_v(CM_REAL(x[6] / 2), CM_REAL(x[7] / 2), CM_REAL(x[8] / 2)),
                      one = cm_v(1, CM_REAL(0.5), 1);
        const cm_vec3 at_a = cm_v(CM_REAL(x[0] / 2), CM_REAL(x[1] / 2), CM_REAL(x[2] / 2));
        cm_vec3 at_b = cm_v(CM_REAL(x[3] / 2), CM_REAL(x[4] / 2), CM_REAL(x[5] / 2));
        if (i % 3 == 0) at_b.x += (cm_real)((int)rng_below(&r, 5) - 2) * CM_REAL_EPSILON; /* hovering, or in touch */
        const cm_vec3 move = cm_v(CM_REAL(x[9]), CM_REAL(x[10]), CM_REAL(x[11]));
        cm_aabb a = cm_aabb_from_center(at_a, one), b = cm_aabb_from_center(at_b, half);
        cm_shape sa = cm_make_box(one), sb = cm_make_box(half);
        cm_motion ma = {.start = cm_pose_at(at_a), .move = move},
                  mb = {.start = cm_pose_at(at_b), .move = cm_v(0, 1, 0)};
        cm_sweep_hit hit, shapes;
        bool yes = cm_sweep_aabb_aabb(&a, move, &b, mb.move, &hit);
        if (yes != cm_sweep(&sa, &ma, &sb, &mb, &shapes)) { /* a miss by less than the gap may be a hit */
            cm_aabb more = cm_aabb_grow(b, CM_REAL(1e-4)), less = cm_aabb_grow(b, CM_REAL(-1e-4));
            check_that(cm_sweep_aabb_aabb(&a, move, &more, mb.move, NULL) &&
                           !cm_sweep_aabb_aabb(&a, move, &less, mb.move, NULL),
                       "sample %d: %d", i, yes);
            continue;
        }
        if (!yes) continue;
        const bool told = hit.start != CM_SWEEP_OVERLAPPING || ways_out(&a, &b) == 1;
        if (i % 3 == 0 && hit.start != shapes.start) continue; /* min and max are rounded outwards */
        const cm_aabb smaller = cm_aabb_grow(b, CM_REAL(-1e-4));
        if (hit.start == CM_SWEEP_SEPARATED && !cm_sweep_aabb_aabb(&a, move, &smaller, mb.move, NULL))
            continue; /* where they only brush, the last bit decides */
        check_that(hit.start == shapes.start && (hit.blocking == shapes.blocking || !told),
                   "sample %d: start %d, %d, blocking %d, %d", i, hit.start, shapes.start, hit.blocking,
                   shapes.blocking);
        check_that(fabs((double)(hit.first - shapes.first)) <= 1e-5, "sample %d: %g, not %g", i, (double)hit.first,
                   (double)shapes.first);
        const cm_vec3 off_a = cm_sub(hit.point, cm_mul_add(at_a, hit.first, move));
        const cm_vec3 out = cm_sub(cm_vec3_abs(off_a), one);
        check_that(cm_max(out.x, cm_max(out.y, out.z)) <= CM_REAL(1e-5), "sample %d: the point is off A", i);
        met++, touching += hit.start == CM_SWEEP_TOUCHING, held += hit.blocking;
    }
    check_that(10 * touching > met && 4 * held > met && 4 * held < 3 * met, "%d met, %d touching, %d held", met,
               touching, held);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_meet_where_hand_and_eye_say),
        cmocka_unit_test(flush_boxes_move_as_their_shapes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
