/* The short ways of cm_contact, cm_distance (src/pair/direct.h) and cm_overlap give the very bits of the careful ones,
 * take what those refuse for nothing, and leave alone what they do not answer. */
#include "support/shapes.h"

#include "pair/pair.h"

static cm_pose touch_pose(rng *r, double far) {
    cm_pose p = rng_pose(r, far);
    uint32_t which = rng_below(r, 8);
    if (which == 0) p.rotation = cm_quat_identity();
    if (which == 1) { /* not quite of length 1, but valid */
        cm_real s = CM_REAL(rng_range(r, 0.9992, 1.0008));
        p.rotation.x *= s, p.rotation.y *= s, p.rotation.z *= s, p.rotation.w *= s;
    }
    return p;
}

static bool same_vec3(cm_vec3 a, cm_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_manifold(const cm_manifold *a, const cm_manifold *b) {
    bool same = same_vec3(a->normal, b->normal) && a->part_a == b->part_a && a->part_b == b->part_b;
    if (!same || a->count != b->count || a->count > 8) return false;
    for (int i = 0; i < a->count; i++) {
        const cm_contact_point *p = &a->points[i], *q = &b->points[i];
        if (!same_vec3(p->point_a, q->point_a) || !same_vec3(p->point_b, q->point_b) || p->depth != q->depth)
            return false;
        if (p->feature_a != q->feature_a || p->feature_b != q->feature_b) return false;
    }
    return true;
}

typedef struct touch_case {
    cm_shape a, b;
    cm_pose pose_a, pose_b;
    cm_real margin;
} touch_case;

#define TOUCH_KINDS 6
static const int touch_numbers[TOUCH_KINDS] = {3, 6, 9, 3, 2, 2};
static cm_shape touch_shape(rng *r, int kind, double size) {
    cm_shape s = textbook_random(r, kind < 4 ? kind : 3, size);
    const cm_vec3 half = s.u.box;
    const cm_real radius = s.radius;
    if (kind == 4) s = cm_make_cylinder(half.x, half.y);
    if (kind == 5) s = cm_make_cone(half.x, half.y);
    s.radius = radius;
    return s;
}

/* Has the distance up to a limit the same bits? */
static bool same_distance(const touch_case *c, cm_real most) {
    cm_witness fast, careful;
    memset(&fast, 0xa5, sizeof fast);
    careful = fast;
    const cm_real d = cm_distance(&c->a, &c->pose_a, &c->b, &c->pose_b, most, &fast);
    const cm_real e = cm_distance_cached(&c->a, &c->pose_a, &c->b, &c->pose_b, most, NULL, &careful);
    const cm_real alone = cm_distance(&c->a, &c->pose_a, &c->b, &c->pose_b, most, NULL);
    return memcmp(&d, &e, sizeof d) == 0 && memcmp(&alone, &e, sizeof e) == 0 &&
           memcmp(&fast, &careful, sizeof fast) == 0;
}

/* The answer, or -1 where the two ways differ. */
static int both_ways(const touch_case *c, int capacity) {
    if (!same_distance(c, CM_REAL_MAX) || !same_distance(c, c->margin)) return -1;
    cm_manifold fast, careful, before;
    memset(&before, 0xa5, sizeof before);
    fast = careful = before;
    int found = cm_contact(&c->a, &c->pose_a, &c->b, &c->pose_b, c->margin, &fast, capacity);
    int again = cm__contact_checked(&c->a, &c->pose_a, &c->b, &c->pose_b, c->margin, &careful, capacity);
    if (found != again) return -1;
    const bool overlap = cm_overlap(&c->a, &c->pose_a, &c->b, &c->pose_b);
    if (overlap != cm_overlap_cached(&c->a, &c->pose_a, &c->b, &c->pose_b, NULL)) return -1;
    if (found == 0 || capacity < 1) return memcmp(&fast, &before, sizeof fast) == 0 ? found : -1;
    return same_manifold(&fast, &careful) ? found : -1;
}

static void place_near(touch_case *c, double size, rng *r) {
    c->pose_b.position = cm_mul_add(c->pose_a.position, CM_REAL(rng_range(r, 0, 3 * size)), rng_direction(r));
    cm_witness w;
    cm_real d = cm_distance(&c->a, &c->pose_a, &c->b, &c->pose_b, CM_REAL_MAX, &w);
    uint32_t which = rng_below(r, 4);
    if (which == 0 && cm_abs(d) < CM_REAL_MAX) /* touching, but for rounding */
        c->pose_b.position = cm_mul_add(c->pose_b.position, -d, w.normal);
    if (which == 1 && rng_below(r, 8) == 0) c->pose_b.position = c->pose_a.position;
}

static void the_short_way_has_the_bits_of_the_careful_one(void **state) {
    (void)state;
    rng r = rng_start("touch", 1);
    long touching = 0, cases = 0;
    for (int i = 0; i < samples(200000, 4000000); i++) {
        touch_case c;
        double size = rng_below(&r, 2) ? 1 : rng_log_range(&r, 1e-4, 1e6);
        int kind_a = (int)rng_below(&r, TOUCH_KINDS), kind_b = (int)rng_below(&r, TOUCH_KINDS);
        c.a = touch_shape(&r, kind_a, size), c.b = touch_shape(&r, kind_b, size * rng_log_range(&r, 0.1, 10));
        c.pose_a = touch_pose(&r, size * rng_log_range(&r, 1e-2, 1e3)), c.pose_b = touch_pose(&r, 1);
        c.margin = rng_below(&r, 3) == 0 ? CM_REAL(rng_range(&r, 0, size)) : 0;
        place_near(&c, size, &r);
        int found = both_ways(&c, (int)rng_below(&r, 4) > 0);
        check_that(found >= 0, "case %d: kinds %d and %d, size %g, margin %g", i, kind_a, kind_b, size,
                   (double)c.margin);
        touching += found > 0, cases++;
    }
    print_message("%ld of %ld touch\n", touching, cases);
    check_that(touching > cases / 4 && touching < cases / 4 * 3, "%ld of %ld touch", touching, cases);
}

/* The numbers of a shape's core, to be spoilt. */
static cm_real *touch_number(touch_case *c, int kind_a, int kind_b, uint32_t which) {
    uint32_t of_a = 1 + (uint32_t)touch_numbers[kind_a], of_b = 1 + (uint32_t)touch_numbers[kind_b];
    if (which == 0) return &c->a.radius;
    if (which < of_a) return &c->a.u.point.x + (which - 1);
    which -= of_a;
    if (which == 0) return &c->b.radius;
    if (which < of_b) return &c->b.u.point.x + (which - 1);
    which -= of_b;
    if (which < 7) return &c->pose_a.position.x + which;
    if (which < 14) return &c->pose_b.position.x + (which - 7);
    return &c->margin;
}

static void bad_numbers_are_no_contact(void **state) {
    (void)state;
    rng r = rng_start("touch, bad", 2);
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, -(cm_real)INFINITY, CM_COORD_MAX * 2, -CM_COORD_MAX * 2};
    for (int i = 0; i < samples(50000, 500000); i++) {
        touch_case c;
        int kind_a = (int)rng_below(&r, TOUCH_KINDS), kind_b = (int)rng_below(&r, TOUCH_KINDS);
        c.a = touch_shape(&r, kind_a, 1), c.b = touch_shape(&r, kind_b, 1);
        c.pose_a = touch_pose(&r, 1), c.pose_b = touch_pose(&r, 1);
        c.margin = 1;
        uint32_t count = (uint32_t)(touch_numbers[kind_a] + touch_numbers[kind_b] + 2 + 14 + 1);
        uint32_t which = rng_below(&r, count), how = rng_below(&r, 5);
        if (which == count - 1 && how > 2) continue; /* a margin may be as large as it likes */
        if (which == count - 1 && how == 1) continue;
        *touch_number(&c, kind_a, kind_b, which) = bad[how];
        check_that(both_ways(&c, 1) == 0, "kinds %d and %d, number %u is %g", kind_a, kind_b, which, (double)bad[how]);
    }
    touch_case c = {cm_make_sphere(cm_v(0, 0, 0), 1), cm_make_sphere(cm_v(1, 0, 0), 1), cm_pose_identity(),
                    cm_pose_identity(), 0};
    cm_manifold m;
    assert_int_equal(cm_contact(&c.a, &c.pose_a, &c.b, &c.pose_b, 0, NULL, 0), 1);
    assert_int_equal(cm_contact(&c.a, &c.pose_a, &c.b, &c.pose_b, 0, NULL, 1), 0);
    assert_int_equal(cm_contact(&c.a, &c.pose_a, &c.b, &c.pose_b, 0, &m, -1), 0);
    assert_int_equal(cm_contact(NULL, &c.pose_a, &c.b, &c.pose_b, 0, &m, 1), 0);
    c.a.radius = -1;
    assert_int_equal(both_ways(&c, 1), 0);
    c.a.kind = (cm_kind)77;
    assert_int_equal(both_ways(&c, 1), 0);
}

static void negative_sizes_are_refused(void **state) {
    (void)state;
    rng r = rng_start("touch, negative", 3);
    for (int kind_a = 0; kind_a < 3; kind_a++)
        for (int kind_b = 3; kind_b < TOUCH_KINDS; kind_b++)
            for (int i = 0; i < touch_numbers[kind_b]; i++) {
                touch_case c = {touch_shape(&r, kind_a, 1), touch_shape(&r, kind_b, 1), touch_pose(&r, 1),
                                touch_pose(&r, 1), 1};
                *touch_number(&c, kind_a, kind_b, (uint32_t)(touch_numbers[kind_a] + 2 + i)) = -1;
                check_that(both_ways(&c, 1) == 0, "kinds %d and %d, size %d", kind_a, kind_b, i);
            }
}

/* Corners, edges, faces and the middle of a box; a point without radius there has a distance of -0 or 0. */
static void points_of_a_box_have_the_same_zero(void **state) {
    (void)state;
    for (int i = 0; i < 27; i++) {
        const cm_vec3 p = cm_v((cm_real)(i % 3 - 1), (cm_real)(i / 3 % 3 - 1), (cm_real)(i / 9 - 1));
        const touch_case c = {cm_make_point(p), cm_make_box(cm_v(1, 1, 1)), cm_pose_identity(), cm_pose_identity(), 0};
        check_that(both_ways(&c, 1) == 1, "the point (%g, %g, %g)", (double)p.x, (double)p.y, (double)p.z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_short_way_has_the_bits_of_the_careful_one), cmocka_unit_test(bad_numbers_are_no_contact),
        cmocka_unit_test(negative_sizes_are_refused), cmocka_unit_test(points_of_a_box_have_the_same_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
