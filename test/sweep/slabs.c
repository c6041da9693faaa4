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

/* Of round numbers: when each kind of shape comes to a triangle in the plane z = 0, or passes it. */
static void shapes_come_to_a_triangle_when_they_do(void **state) {
    (void)state;
    const double room = 0x1p-20, never = HUGE_VAL;
    const cm_real half = CM_REAL(0.5);
    const cm_triangle floor = {{-4, -4, 0}, {4, -4, 0}, {0, 4, 0}};
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1), box = cm_make_box(cm_v(1, 1, 1));
    const cm_shape upright = cm_make_capsule(cm_v(0, 0, -half), cm_v(0, 0, half), half);
    const cm_shape lying = cm_make_segment(cm_v(-1, 0, 0), cm_v(1, 0, 0)), can = cm_make_cylinder(1, 1);
    const cm_shape cone = cm_make_cone(1, 1), flat = cm_make_triangle(cm_v(-1, -1, 0), cm_v(1, -1, 0), cm_v(0, 1, 0));
    const struct {
        const char *what;
        const cm_shape *shape;
        cm_vec3 at, way;
        double first;
    } rows[] = {
        {"a ball from above", &ball, {0, 0, 3}, {0, 0, -4}, 0.5},
        {"a ball from below", &ball, {0, 0, -3}, {0, 0, 4}, 0.5},
        {"a ball short of it", &ball, {0, 0, 3}, {0, 0, CM_REAL(-1.5)}, never},
        {"a ball at rest above", &ball, {0, 0, 3}, {0, 0, 0}, never},
        {"a ball at rest on it", &ball, {0, 0, 1}, {0, 0, 0}, 0},
        {"a ball over it", &ball, {-8, 0, CM_REAL(1.5)}, {16, 0, 0}, never},
        {"a ball under it", &ball, {-8, 0, CM_REAL(-1.5)}, {16, 0, 0}, never},
        {"a box from above", &box, {0, 0, 3}, {0, 0, -4}, 0.5},
        {"a box from below", &box, {0, 0, -3}, {0, 0, 4}, 0.5},
        {"a box over it", &box, {-8, 0, CM_REAL(1.5)}, {16, 0, 0}, never},
        {"a box to the side at y = -4", &box, {0, -9, 0}, {0, 8, 0}, 0.5},
        {"a box beside a slanted side", &box, {CM_REAL(4.5), 3, 0}, {0, 0, 0}, never},
        {"a box past a slanted side", &box, {CM_REAL(4.5), 3, 3}, {0, 0, -8}, never},
        {"an upright capsule from above", &upright, {0, 0, 3}, {0, 0, -4}, 0.5},
        {"an upright capsule over it", &upright, {-8, 0, CM_REAL(1.5)}, {16, 0, 0}, never},
        {"a lying segment from above", &lying, {0, 0, 2}, {0, 0, -4}, 0.5},
        {"a lying segment over it", &lying, {0, 0, CM_REAL(0.5)}, {1, 0, 0}, never},
        {"a can from above", &can, {0, 0, 3}, {0, 0, -4}, 0.5},
        {"a can from below", &can, {0, 0, -3}, {0, 0, 4}, 0.5},
        {"a can over it", &can, {-8, 0, CM_REAL(1.25)}, {16, 0, 0}, never},
        {"a cone from above, its base first", &cone, {0, 0, 3}, {0, 0, -4}, 0.5},
        {"a cone from below, its tip first", &cone, {0, 0, -3}, {0, 0, 4}, 0.5},
        {"a triangle from above", &flat, {0, 0, 2}, {0, 0, -4}, 0.5},
        {"a triangle over it", &flat, {-1, 0, CM_REAL(0.5)}, {2, 0, 0}, never},
    };
    const cm_pose home = cm_pose_identity();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cm_pose pose = home;
        cm__prepared prepared;
        cm__slabs slabs;
        cm_aabb bounds;
        pose.position = cm_neg(rows[i].at); /* of the triangle in the shape's frame */
        cm__prepare(rows[i].shape, &pose, &prepared);
        cm__prepared_box(&prepared, &bounds);
        bounds = cm_aabb_grow(bounds, (cm_real)room);
        cm__slabs_of(&prepared, cm__point_of(rows[i].way), &bounds, room, &slabs);
        const double enter = cm__slabs_enter(&slabs, &floor, 1);
        check_that(rows[i].first < 1 ? enter <= rows[i].first && enter >= rows[i].first - 64 * room : enter > 1,
                   "%s: %g, not %g", rows[i].what, enter, rows[i].first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_come_to_a_triangle_when_they_do),
        cmocka_unit_test(needles_of_two_fans_are_told_apart),
        cmocka_unit_test(axes_are_never_later_than_the_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
