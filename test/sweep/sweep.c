/* Two half-spaces in motion: the ground z <= 0 and a ceiling z >= height, which is a slab between them. By hand, as
 * their gap is height + u move + u u / 2 pull. In both orders, and with either of the two moving. */
#include "motions.h"
#include "support/standing.h"

#include <math.h>

typedef struct row {
    const char *what;
    double height, move, pull; /* of the ceiling, up */
    bool meets, blocking;
    cm_sweep_start start;
    double first, last;
} row;

/* Less than the gap that is promised. */
#define HOVER (16 * (double)CM_REAL_EPSILON)

static const row rows[] = {
    {"braked, touching at the end", 1, -1.5, 1, true, true, CM_SWEEP_SEPARATED, 1, 1},
    {"down", 1, -2, 0, true, true, CM_SWEEP_SEPARATED, 0.5, 1},
    {"down, touching at the end", 1, -1, 0, true, true, CM_SWEEP_SEPARATED, 1, 1},
    {"down, not far enough", 1, -0.5, 0, false, false, 0, 0, 0},
    {"up", 1, 1, 0, false, false, 0, 0, 0},
    {"at rest above", 1, 0, 0, false, false, 0, 0, 0},
    {"pulled down from rest", 1, 0, -8, true, true, CM_SWEEP_SEPARATED, 0.5, 1},
    {"tossed up, back", 0.5, 1, -6, true, true, CM_SWEEP_SEPARATED, 0.6076252185107651, 1}, /* (1 + sqrt 7) / 6 */
    {"tossed up, not back", 1, 1, -2, false, false, 0, 0, 0},
    {"hovering, at rest", HOVER, 0, 0, false, false, 0, 0, 0},
    {"hovering, up", HOVER, 1, 0, false, false, 0, 0, 0},
    {"hovering, down", HOVER, -1, 0, true, true, CM_SWEEP_SEPARATED, 0, 1},
    {"hovering, pulled down", HOVER, 0, -1, true, true, CM_SWEEP_SEPARATED, 0, 1},
    {"hovering, tossed up, back", HOVER, 1, -4, true, true, CM_SWEEP_SEPARATED, 0.5, 1},
    {"touching, at rest", 0, 0, 0, true, false, CM_SWEEP_TOUCHING, 0, 1},
    {"touching, down", 0, -1, 0, true, true, CM_SWEEP_TOUCHING, 0, 1},
    {"touching, up", 0, 1, 0, true, false, CM_SWEEP_TOUCHING, 0, 0},
    {"touching, pulled down", 0, 0, -1, true, true, CM_SWEEP_TOUCHING, 0, 1},
    {"touching, pulled up", 0, 0, 1, true, false, CM_SWEEP_TOUCHING, 0, 1},
    {"touching, tossed up, back", 0, 1, -4, true, true, CM_SWEEP_TOUCHING, 0.5, 1},
    {"touching, tossed up, not back", 0, 1, -1, true, false, CM_SWEEP_TOUCHING, 0, 1},
    {"deep, at rest", -1, 0, 0, true, false, CM_SWEEP_OVERLAPPING, 0, 1},
    {"deep, down", -1, -1, 0, true, true, CM_SWEEP_OVERLAPPING, 0, 1},
    {"deep, up", -1, 0.5, 0, true, false, CM_SWEEP_OVERLAPPING, 0, 1},
    {"deep, up and out", -1, 2, 0, true, false, CM_SWEEP_OVERLAPPING, 0, 0.5},
    {"deep, pulled up", -1, 0, 1, true, false, CM_SWEEP_OVERLAPPING, 0, 1},
    {"deep, tossed up, back", -1, 1, -4, true, true, CM_SWEEP_OVERLAPPING, 0.5, 1},
    {"deep, tossed up, not back", -1, 1, -1, true, false, CM_SWEEP_OVERLAPPING, 0, 1},
    {"deep, pulled down", -1, 0, -1, true, true, CM_SWEEP_OVERLAPPING, 0, 1},
};

/* Asks with the ceiling moving, and with the ground moving the other way; normals run from A to B. */
static void check_row(const row *r) {
    const cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), 0), ceiling = cm_make_halfspace(cm_v(0, 0, -1), 0);
    for (int way = 0; way < 4; way++) {
        const bool swapped = way & 1, below = way & 2;
        cm_motion mg = motion_at_rest(), mc = motion_at_rest(), *moves = below ? &mg : &mc;
        const cm_real sign = below ? -1 : 1;
        mc.start.position = cm_v(1, 2, CM_REAL(r->height));
        moves->move = cm_v(CM_REAL(0.25), 0, sign * CM_REAL(r->move));
        moves->accelerate.z = sign * CM_REAL(r->pull);
        const double gap = promised_gap(&ground, &mg, &ceiling, &mc);
        /* from touch they may get a quarter of the gap deeper, at a speed of 1 or more */
        const double late = 4 * (double)CM_REAL_EPSILON + (r->height < gap ? gap / 4 : 0);
        cm_sweep_hit hit;
        const bool met =
            swapped ? cm_sweep(&ceiling, &mc, &ground, &mg, &hit) : cm_sweep(&ground, &mg, &ceiling, &mc, &hit);
        check_that(met == r->meets, "%s, way %d: %d", r->what, way, met);
        if (!met) continue;
        const bool starts = r->first <= 0;
        check_that(hit.start == r->start && hit.blocking == r->blocking && hit.proof == CM_PROOF_CONTACT,
                   "%s, way %d: start %d, blocking %d", r->what, way, hit.start, hit.blocking);
        check_that((double)hit.first <= r->first + late && (double)hit.first >= r->first - (starts ? 0 : 2 * gap) &&
                       (hit.start != CM_SWEEP_SEPARATED || hit.first > 0),
                   "%s, way %d: first %.9g, not %.9g", r->what, way, (double)hit.first, r->first);
        check_that((double)hit.last >= r->last && (double)hit.last <= r->last + 2 * gap, "%s, way %d: last %.9g",
                   r->what, way, (double)hit.last);
        check_that(hit.free_until == (r->start == CM_SWEEP_SEPARATED && r->height > gap ? hit.first : 0),
                   "%s, way %d: free %g", r->what, way, (double)hit.free_until);
        check_that(hit.normal.x == 0 && hit.normal.y == 0 && hit.normal.z == (swapped ? -1 : 1),
                   "%s, way %d: normal %g %g %g", r->what, way, (double)hit.normal.x, (double)hit.normal.y,
                   (double)hit.normal.z);
    }
}

static void half_spaces_meet_as_their_gap_says(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_row(&rows[i]);
}

/* One that turns, be it as little as may be, cuts the other somewhere at once; about its own normal it stays as it is.
 */
static void half_spaces_that_turn_cross_at_once(void **state) {
    (void)state;
    const cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), 0), ceiling = cm_make_halfspace(cm_v(0, 0, -1), 0);
    const double heights[] = {1, 0, -1};
    for (int i = 0; i < 18; i++) {
        const int below = i % 2, axis = i / 2 % 3;
        const double height = heights[i / 6];
        cm_motion mg = motion_at_rest(), mc = motion_at_rest(), *turns = below ? &mg : &mc;
        mc.start.position = cm_v(1, 2, CM_REAL(height));
        ((cm_real *)&turns->spin)[axis] = CM_REAL(0.001);
        cm_sweep_hit hit;
        const bool tips = axis < 2, met = cm_sweep(&ground, &mg, &ceiling, &mc, &hit);
        check_that(met == (tips || height <= 0), "%d: %d", i, met);
        if (!met) continue;
        const cm_sweep_start start = height > 0   ? CM_SWEEP_SEPARATED
                                     : height < 0 ? CM_SWEEP_OVERLAPPING
                                                  : CM_SWEEP_TOUCHING;
        check_that(hit.start == start && hit.blocking == (tips && height >= 0) && hit.last == 1 &&
                       hit.first == (height > 0 ? CM_REAL_MIN : 0),
                   "height %g, %s turns about axis %d: start %d, blocking %d, from %g to %g", height,
                   below ? "the ground" : "the ceiling", axis, hit.start, hit.blocking, (double)hit.first,
                   (double)hit.last);
    }
}

/* Where they are not opposite, half-spaces share points wherever they are. */
static void half_spaces_that_are_not_opposite_always_overlap(void **state) {
    (void)state;
    const cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), 0);
    const cm_vec3 normals[] = {{0, 0, 1}, {1, 0, 0}, {0, CM_REAL(0.6), CM_REAL(-0.8)}};
    for (int i = 0; i < 3; i++) {
        const cm_shape other = cm_make_halfspace(normals[i], 0);
        cm_motion still = motion_at_rest(), moves = still;
        moves.start.position.z = 100, moves.move = cm_v(1, 2, 300);
        cm_sweep_hit hit;
        assert_true(cm_sweep(&ground, &still, &other, &moves, &hit));
        check_that(hit.start == CM_SWEEP_OVERLAPPING && hit.first == 0 && hit.last == 1, "%d: start %d, from %g to %g",
                   i, hit.start, (double)hit.first, (double)hit.last);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_spaces_meet_as_their_gap_says),
        cmocka_unit_test(half_spaces_that_turn_cross_at_once),
        cmocka_unit_test(half_spaces_that_are_not_opposite_always_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
