/* The axes that may part a moving triangle and another: never later than the contact, and what long thin triangles that
 * are all met at one time cost, counted in the pairs that are left. */
#include "support/support.h"
#include "sweep/shapes.h"
#include "sweep/slabs.h"

#include <math.h>

/* Corners are the same numbers in every frame here: `a` stands at the identity and moves, `b` stands. */
typedef struct moving {
    cm_shape shape;
    cm__prepared prepared;
    cm__slabs slabs;
} moving;

static void moving_of(cm_triangle a, cm_vec3 way, double room, moving *out) {
    const cm_pose home = cm_pose_identity();
    cm_aabb box = {a.a, a.a};
    out->shape = cm_make_triangle(a.a, a.b, a.c);
    box = cm_aabb_grow(cm_aabb_add_point(cm_aabb_add_point(box, a.b), a.c), (cm_real)(2 * room));
    cm__prepare(&out->shape, &home, &out->prepared);
    cm__slabs_of(&out->prepared, cm__point_of(way), &box, room, &out->slabs);
}

/* A needle of a fan: 200 long, 1e-3 high, at that angle. */
static cm_triangle needle_at(double angle, double z) {
    const double x = 100 * cos(angle), y = 100 * sin(angle);
    cm_triangle t;
    t.a = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
    t.b = cm_v((cm_real)-x, (cm_real)-y, (cm_real)z);
    t.c = cm_v((cm_real)-x, (cm_real)-y, (cm_real)(z + 1e-3));
    return t;
}

/* Two fans of needles, the one falling on the other: needles of the same angle meet with their ends, 1e-3 early, all
 * others in the middle, half as early; boxes and normals see all of them meet at once. Before the first has met, n or a
 * few n of the n² pairs are left: those at nearly the same angle. */
static void needles_of_two_fans_are_told_apart(void **state) {
    (void)state;
    enum { NEEDLES = 200 };
    const double pi = 3.14159265358979323846, near = 2e-4;
    const double limit = (1 - 1e-3) / 2; /* of the way from 1 above to 1 below */
    int left = 0;
    for (int i = 0; i < NEEDLES; i++) {
        moving m;
        moving_of(needle_at(pi * i / NEEDLES, 1), cm_v(0, 0, -2), near / 2, &m);
        for (int j = 0; j < NEEDLES; j++) {
            const cm_triangle still = needle_at(pi * j / NEEDLES, 0);
            const bool may = cm__slabs_enter(&m.slabs, &still, limit) <= limit;
            check_that(may || i != j, "needle %d does not meet its own", i);
            left += may;
        }
    }
    check_that(left <= 4 * NEEDLES, "%d of %d pairs are left", left, NEEDLES * NEEDLES);
}

static cm_triangle triangle_of(rng *r, double size) {
    cm_vec3 c[3];
    const double thin = rng_log_range(r, 1e-5, 1);
    const cm_vec3 middle = rng_vec3(r, 1), along = rng_direction(r);
    for (int k = 0; k < 3; k++) {
        const cm_vec3 out = cm_mul_add(rng_vec3(r, size * thin), (cm_real)rng_range(r, -size, size), along);
        c[k] = cm_add(middle, out);
    }
    return (cm_triangle){c[0], c[1], c[2]};
}

/* Whichever axis is tried first, the answer is the same. */
static void expect_of_any_start(cm__slabs *slabs, const cm_triangle *b) {
    slabs->likely = 0;
    const double enter = cm__slabs_enter(slabs, b, 1);
    for (int k = 1; k < 10; k++) {
        slabs->likely = k;
        const double other = cm__slabs_enter(slabs, b, 1);
        check_that(other == enter, "from axis %d on: %g, not %g", k, other, enter);
    }
}

/* Of triangles from plain ones to needles of 1 to 10⁵: where they overlap soon after the sweep's hit the axes let them
 * through up to there; of those that never meet they leave few. */
static void axes_are_never_later_than_the_contact(void **state) {
    (void)state;
    rng r = rng_start("slabs", 1);
    int overlaps = 0, passes = 0, kept = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        const cm_triangle a = triangle_of(&r, 2), b = triangle_of(&r, 2);
        const cm_shape sa = cm_make_triangle(a.a, a.b, a.c), sb = cm_make_triangle(b.a, b.b, b.c);
        const cm_motion ma = {.start = cm_pose_identity(), .move = rng_vec3(&r, 4)}, mb = {.start = cm_pose_identity()};
        cm_sweep_hit hit;
        moving m;
        if (cm_overlap(&sa, &ma.start, &sb, &mb.start)) continue;
        moving_of(a, ma.move, cm__sweep_band(&sa, &ma, &sb, &mb) / 2, &m);
        expect_of_any_start(&m.slabs, &b);
        if (!cm_sweep(&sa, &ma, &sb, &mb, &hit)) {
            passes++, kept += cm__slabs_enter(&m.slabs, &b, 1) <= 1;
            continue;
        }
        for (double after = 1e-7; after < 0.1; after *= 10) {
            const cm_real u = (cm_real)((double)hit.first + after);
            cm_pose at = ma.start;
            at.position = cm_scale(ma.move, u);
            if (!(u <= 1) || !cm_overlap(&sa, &at, &sb, &mb.start)) continue;
            const double enter = cm__slabs_enter(&m.slabs, &b, (double)u);
            check_that(enter <= (double)u, "triangles %d: %g, but they overlap at %g", i, enter, (double)u);
            overlaps++;
        }
    }
    check_that(overlaps >= 100, "%d overlaps", overlaps);
    check_that(kept <= passes / 20, "%d of %d are left", kept, passes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needles_of_two_fans_are_told_apart),
        cmocka_unit_test(axes_are_never_later_than_the_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
