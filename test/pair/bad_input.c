/* Each argument that is bad alone is refused by every query of two shapes, and `out` stays as it was. The same queries
 * say yes to the same shapes where nothing is bad, so nothing else refuses them. */
#include "support/nasty.h"
#include "support/solids.h"

#include <math.h>

typedef struct question {
    const cm_shape *a, *b;
    const cm_pose *pose_a, *pose_b;
    cm_real number, second; /* margin, limit or tolerance; the largest gap */
    int capacity;
    void *out;
} question;

static void count_step(void *user, const cm_step *step) {
    (void)step;
    ++*(int *)user;
}
static bool count_crossing(void *user, const cm_crossing *crossing) {
    (void)crossing;
    ++*(int *)user;
    return true;
}

/* Each tells whether it was answered. */
static bool ask_overlap(const question *q) { return cm_overlap(q->a, q->pose_a, q->b, q->pose_b); }
static bool ask_overlap_cached(const question *q) {
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    return cm_overlap_cached(q->a, q->pose_a, q->b, q->pose_b, &cache);
}
static bool ask_distance(const question *q) {
    return cm_distance(q->a, q->pose_a, q->b, q->pose_b, q->number, q->out) < CM_REAL_MAX;
}
static bool ask_distance_cached(const question *q) {
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    return cm_distance_cached(q->a, q->pose_a, q->b, q->pose_b, q->number, &cache, q->out) < CM_REAL_MAX;
}
static bool ask_distance_observed(const question *q) {
    int steps = 0;
    cm_real d = cm_distance_observed(q->a, q->pose_a, q->b, q->pose_b, q->number, count_step, &steps, q->out);
    assert_true((steps > 0) == (d < CM_REAL_MAX));
    return d < CM_REAL_MAX;
}
static bool ask_contact(const question *q) {
    return cm_contact(q->a, q->pose_a, q->b, q->pose_b, q->number, q->out, q->capacity) > 0;
}
static bool ask_contact_cached(const question *q) {
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    return cm_contact_cached(q->a, q->pose_a, q->b, q->pose_b, q->number, &cache, q->out, q->capacity) > 0;
}
static bool ask_contact_observed(const question *q) {
    int steps = 0, found = cm_contact_observed(q->a, q->pose_a, q->b, q->pose_b, q->number, count_step, &steps, q->out,
                                               q->capacity);
    assert_true((steps > 0) == (found > 0));
    return found > 0;
}
static bool ask_crossings(const question *q) {
    int seen = 0;
    uint64_t found = cm_mesh_crossings(q->a, q->pose_a, q->b, q->pose_b, count_crossing, &seen);
    assert_true(found == (uint64_t)seen);
    return found > 0;
}
static bool ask_relation(const question *q) {
    return cm_mesh_relation(q->a, q->pose_a, q->b, q->pose_b, q->number, q->second, q->out) == CM_OK;
}
static bool ask_interference(const question *q) {
    return cm_mesh_interference(q->a, q->pose_a, q->b, q->pose_b, q->out) == CM_OK;
}

enum { TAKES_NUMBER = 1, TAKES_SECOND = 2, TAKES_CAPACITY = 4, NEEDS_OUT = 8, OF_MESHES = 16 };
static const struct {
    const char *name;
    bool (*ask)(const question *q);
    int takes;
} queries[] = {{"cm_overlap", ask_overlap, 0},
               {"cm_overlap_cached", ask_overlap_cached, 0},
               {"cm_distance", ask_distance, TAKES_NUMBER},
               {"cm_distance_cached", ask_distance_cached, TAKES_NUMBER},
               {"cm_distance_observed", ask_distance_observed, TAKES_NUMBER},
               {"cm_contact", ask_contact, TAKES_NUMBER | TAKES_CAPACITY},
               {"cm_contact_cached", ask_contact_cached, TAKES_NUMBER | TAKES_CAPACITY},
               {"cm_contact_observed", ask_contact_observed, TAKES_NUMBER | TAKES_CAPACITY},
               {"cm_mesh_crossings", ask_crossings, OF_MESHES},
               {"cm_mesh_relation", ask_relation, TAKES_NUMBER | TAKES_SECOND | NEEDS_OUT | OF_MESHES},
               {"cm_mesh_interference", ask_interference, NEEDS_OUT | OF_MESHES}};
#define QUERIES (sizeof queries / sizeof *queries)

/* Makes bad thing number n of a good question; false where the query has none such, or there is no such thing. */
enum { BAD_THINGS = 21 };
static bool spoil(question *q, int n, int takes, cm_shape *shape, cm_pose *pose) {
    const cm_real nan = (cm_real)NAN, beyond = 2 * CM_COORD_MAX;
    *shape = n % 2 ? *q->b : *q->a, *pose = n % 2 ? *q->pose_b : *q->pose_a;
    if (n < 12) { /* of A where n is even, of B where it is odd */
        if (n / 2 == 0) shape->radius = -1;
        if (n / 2 == 1) shape->kind = CM_SHAPE_KINDS;
        if (n / 2 == 2) pose->position.y = nan;
        if (n / 2 == 3) pose->position.z = beyond;
        if (n / 2 == 4) pose->rotation = (cm_quat){0, 0, 0, 0};
        if (n / 2 == 5) pose->rotation.w = nan;
        *(n % 2 ? &q->b : &q->a) = shape, *(n % 2 ? &q->pose_b : &q->pose_a) = pose;
        return true;
    }
    if (n == 12) q->a = NULL;
    if (n == 13) q->b = NULL;
    if (n == 14) q->pose_a = NULL;
    if (n == 15) q->pose_b = NULL;
    if (n == 16) q->number = -1;
    if (n == 17) q->number = nan;
    if (n == 18) q->second = -1;
    if (n == 19) q->capacity = -1;
    if (n == 20) q->out = NULL;
    return n < 16   ? true
           : n < 18 ? takes & TAKES_NUMBER
           : n < 19 ? takes & TAKES_SECOND
           : n < 20 ? takes & TAKES_CAPACITY
                    : takes & (TAKES_CAPACITY | NEEDS_OUT);
}

static void ask_all(const cm_shape *a, const cm_shape *b) {
    static unsigned char room[sizeof(cm_manifold) * 16];
    const cm_pose home = cm_pose_identity();
    const bool meshes = a->kind == CM_SHAPE_MESH && b->kind == CM_SHAPE_MESH;
    for (size_t i = 0; i < QUERIES; i++) {
        if ((queries[i].takes & OF_MESHES) && !meshes) continue;
        const question good = {a, b, &home, &home, 0, 0, 1, room};
        memset(room, NASTY_FILL, sizeof room);
        check_that(queries[i].ask(&good), "%s of kinds %d and %d", queries[i].name, a->kind, b->kind);
        question without = good; /* who wants no manifold, or no witness */
        without.capacity = 0, without.out = NULL;
        check_that((queries[i].takes & NEEDS_OUT) || queries[i].ask(&without), "%s of kinds %d and %d without `out`",
                   queries[i].name, a->kind, b->kind);
        for (int n = 0; n < BAD_THINGS; n++) {
            question bad = good;
            cm_shape shape;
            cm_pose pose;
            if (!spoil(&bad, n, queries[i].takes, &shape, &pose)) continue;
            memset(room, NASTY_FILL, sizeof room);
            check_that(!queries[i].ask(&bad), "%s of kinds %d and %d takes bad thing %d", queries[i].name, a->kind,
                       b->kind, n);
            check_that(nasty_untouched(room, sizeof room), "%s of kinds %d and %d, bad thing %d", queries[i].name,
                       a->kind, b->kind, n);
        }
        /* meshes of one kind with another are no meshes */
        if (!(queries[i].takes & OF_MESHES)) continue;
        const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
        question other = good;
        other.a = &ball;
        assert_false(queries[i].ask(&other));
        other = good, other.b = &ball;
        assert_false(queries[i].ask(&other));
    }
}

static void each_bad_argument_alone_is_refused(void **state) {
    (void)state;
    const cm_vec3 zero = cm_v(0, 0, 0), one = cm_v(1, 1, 1);
    cm_mesh *mesh = solid_box(1, 1, 1, 1, false);
    const cm_shape all[] = {cm_make_point(zero),
                            cm_make_sphere(zero, 1),
                            cm_make_segment(zero, one),
                            cm_make_capsule(zero, one, 1),
                            cm_make_triangle(zero, cm_v(1, 0, 0), cm_v(0, 1, 0)),
                            cm_make_box(one),
                            cm_make_cylinder(1, 1),
                            cm_make_cone(1, 1),
                            cm_make_ellipsoid(one),
                            cm_make_halfspace(cm_v(0, 0, 1), 0),
                            cm_make_mesh(mesh)};
    const size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (all[i].kind != CM_SHAPE_HALFSPACE || all[k].kind != CM_SHAPE_HALFSPACE) ask_all(&all[i], &all[k]);
    cm_mesh_destroy(mesh, NULL);
}

/* With another that is as far off as this. */
static void what_is_beyond_the_limit_leaves_out_as_it_was(void **state) {
    (void)state;
    static unsigned char room[sizeof(cm_manifold)];
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1),
                   others[] = {ball, cm_make_box(cm_v(1, 1, 1)), cm_make_cylinder(1, 1)};
    cm_pose home = cm_pose_identity(), away = home;
    away.position = cm_v(4, 0, 0); /* a gap of 2 */
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < QUERIES; k++) {
            if (!(queries[k].takes & TAKES_NUMBER) || (queries[k].takes & OF_MESHES)) continue;
            question q = {&ball, &others[i], &home, &away, CM_REAL(1.9375), 0, 1, room};
            memset(room, NASTY_FILL, sizeof room);
            const bool observed = strstr(queries[k].name, "observed") != NULL; /* it tells its steps in any case */
            if (!observed) assert_false(queries[k].ask(&q));
            if (queries[k].ask == ask_distance_observed)
                assert_true(cm_distance_observed(q.a, q.pose_a, q.b, q.pose_b, q.number, count_step, &(int){0},
                                                 q.out) == CM_REAL_MAX);
            check_that(nasty_untouched(room, sizeof room), "%s, kind %d", queries[k].name, others[i].kind);
            q.number = 2;
            assert_true(queries[k].ask(&q));
        }
    }
}

static void the_largest_valid_coordinate_is_valid(void **state) {
    (void)state;
    const cm_shape all[] = {cm_make_sphere(cm_v(0, 0, 0), 1), cm_make_box(cm_v(1, 1, 1)), cm_make_cylinder(1, 1),
                            cm_make_triangle(cm_v(-1, -1, 0), cm_v(1, -1, 0), cm_v(0, 1, 0))};
    cm_pose edge = cm_pose_identity(), past = edge;
    edge.position = cm_v(CM_COORD_MAX, -CM_COORD_MAX, 0);
    past.position = cm_v(CM_COORD_MAX * (1 + CM_REAL_EPSILON), 0, 0);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            assert_true(cm_overlap(&all[i], &edge, &all[k], &edge));
            assert_true(cm_distance(&all[i], &edge, &all[k], &edge, 0, NULL) <= 0);
            assert_int_equal(cm_contact(&all[i], &edge, &all[k], &edge, 0, NULL, 0), 1);
            assert_false(cm_overlap(&all[i], &past, &all[k], &past));
            assert_int_equal(cm_contact(&all[i], &past, &all[k], &past, 0, NULL, 0), 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_bad_argument_alone_is_refused),
                                       cmocka_unit_test(what_is_beyond_the_limit_leaves_out_as_it_was),
                                       cmocka_unit_test(the_largest_valid_coordinate_is_valid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
