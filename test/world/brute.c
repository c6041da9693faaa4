/* Random worlds against all pairs: in each step, for each broad phase, the contacts that begin, stay and end are those
 * of cm_contact and cm_overlap over all pairs at the poses where the objects end, their manifolds to the last bit. */
#include "zoo.h"

enum { OBJECTS = 120, STEPS = 30 };

typedef struct truth {
    uint32_t ids[2 * OBJECTS], count;
    bool touched[2 * OBJECTS][2 * OBJECTS], entered[2 * OBJECTS][2 * OBJECTS];
} truth;

static void check_manifold(const cm_manifold *got, const cm_manifold *own) {
    check_that(got->count == own->count, "%d points, %d expected", got->count, own->count);
    check_that(got->part_a == own->part_a && got->part_b == own->part_b, "parts %x %x", got->part_a, got->part_b);
    assert_memory_equal(&got->normal, &own->normal, sizeof own->normal);
    for (int i = 0; i < own->count; i++) {
        const cm_contact_point *p = &got->points[i], *q = &own->points[i];
        assert_memory_equal(&p->point_a, &q->point_a, sizeof p->point_a);
        assert_memory_equal(&p->point_b, &q->point_b, sizeof p->point_b);
        check_that(p->depth == q->depth && p->feature_a == q->feature_a && p->feature_b == q->feature_b, "point %d", i);
    }
}

/* What has to be told of one pair now; the pair (i, j) with ids in order. */
static size_t expect_pair(const cm_world *world, truth *t, uint32_t i, uint32_t j, cm_real margin) {
    cm_world_object_desc a, b;
    bool alive = cm_world_get(world, t->ids[i], &a) == CM_OK && cm_world_get(world, t->ids[j], &b) == CM_OK;
    bool touches = false, inside = false;
    if (alive && scene_allowed(&a, &b)) {
        if (a.trigger || b.trigger)
            inside = cm_overlap(&a.shape, &a.pose, &b.shape, &b.pose);
        else
            touches = cm_contact(&a.shape, &a.pose, &b.shape, &b.pose, margin, NULL, 0) > 0;
    }
    bool was = t->touched[i][j], was_in = t->entered[i][j];
    t->touched[i][j] = touches, t->entered[i][j] = inside;
    size_t count = 0;
    const struct {
        cm_world_event_kind kind;
        bool due;
    } kinds[] = {{CM_WORLD_BEGAN, touches && !was},
                 {CM_WORLD_STAYED, touches && was},
                 {CM_WORLD_ENDED, !touches && was},
                 {CM_WORLD_ENTERED, inside && !was_in},
                 {CM_WORLD_LEFT, !inside && was_in}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (!kinds[k].due) continue; /* an event that is not due shows in the count */
        count++;
        const cm_world_event *e = scene_event(world, kinds[k].kind, t->ids[i], t->ids[j]);
        check_that(e, "no event '%s' of %x and %x", cm_world_event_text(kinds[k].kind), t->ids[i], t->ids[j]);
        bool wants = kinds[k].kind == CM_WORLD_BEGAN || kinds[k].kind == CM_WORLD_STAYED;
        check_that((e->manifold_count > 0) == wants, "%d manifolds", e->manifold_count);
        if (!wants) continue;
        static cm_manifold own[256];
        int found = cm_contact(&a.shape, &a.pose, &b.shape, &b.pose, margin, own, 256);
        check_that(found == e->manifold_count && found <= 256, "%d manifolds, %d expected", e->manifold_count, found);
        for (int m = 0; m < found; m++) check_manifold(&e->manifolds[m], &own[m]);
    }
    if (alive) {
        cm_world_reason why = cm_world_why(world, t->ids[i], t->ids[j]);
        check_that((why == CM_WORLD_WHY_MEET) == (touches || inside), "why: %s", cm_world_why_text(why));
    }
    return count;
}

static void check_order(const cm_world *world) {
    cm_world_event_view v;
    cm_world_get_events(world, &v);
    for (size_t i = 1; i < v.count; i++) {
        const cm_world_event *x = &v.events[i - 1], *y = &v.events[i];
        bool ordered = x->a != y->a ? x->a < y->a : x->b != y->b ? x->b < y->b : x->kind < y->kind;
        check_that(ordered, "events %zu and %zu", i - 1, i);
    }
}

typedef cm_world_object_desc object_maker(rng *r, double half);

/* `fast`: 1 for motions of about the objects' size. */
static void drive(cm_broad_kind kind, uint64_t seed, cm_real margin, object_maker *make, double fast, int steps) {
    rng r = rng_start(cm_broad_kind_text(kind), seed);
    cm_world_desc desc = {.kind = kind, .margin = cm_max(margin, CM_REAL_MIN)}; /* 0 would be the default */
    cm_world *world;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    truth *t = calloc(1, sizeof *t);
    while (t->count < OBJECTS) {
        cm_world_object_desc d = make(&r, 4);
        d.sweep = CM_WORLD_SWEEP_NEVER; /* so that nothing is stopped on its way */
        assert_int_equal(cm_world_add(world, &d, &t->ids[t->count++], NULL), CM_OK);
    }
    size_t all = 0;
    for (int step = 0; step < steps; step++) {
        for (uint32_t i = 0; i < t->count; i++) {
            cm_world_object_desc d;
            if (cm_world_get(world, t->ids[i], &d) != CM_OK) continue;
            uint32_t dice = rng_below(&r, 40);
            cm_motion m = scene_motion(&r, 0.5 * fast, fast);
            if (dice < 25 && !d.fixed) assert_int_equal(cm_world_set_motion(world, t->ids[i], &m), CM_OK);
            if (dice == 30) {
                cm_pose pose = rng_pose(&r, 4);
                assert_int_equal(cm_world_set_pose(world, t->ids[i], &pose), CM_OK);
            }
            if (dice == 31) {
                int32_t group = (int32_t)rng_below(&r, 5) - 2;
                assert_int_equal(cm_world_set_filter(world, t->ids[i], rng_below(&r, 4), rng_below(&r, 8), group),
                                 CM_OK);
            }
            if (dice == 32) assert_int_equal(cm_world_set_trigger(world, t->ids[i], !d.trigger), CM_OK);
            if (dice == 33) assert_int_equal(cm_world_set_fixed(world, t->ids[i], !d.fixed), CM_OK);
            if (dice == 34) {
                cm_shape shape = make(&r, 4).shape;
                assert_int_equal(cm_world_set_shape(world, t->ids[i], &shape, NULL), CM_OK);
            }
            if (dice == 35 && step > 3) assert_int_equal(cm_world_remove(world, t->ids[i]), CM_OK);
            if (dice >= 35 && dice < 37 && t->count < 2 * OBJECTS) {
                cm_world_object_desc fresh = make(&r, 4);
                fresh.sweep = CM_WORLD_SWEEP_NEVER;
                assert_int_equal(cm_world_add(world, &fresh, &t->ids[t->count++], NULL), CM_OK);
            }
        }
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        check_order(world);
        size_t due = 0;
        for (uint32_t i = 0; i < t->count; i++) {
            for (uint32_t j = 0; j < t->count; j++) {
                if (t->ids[i] < t->ids[j]) due += expect_pair(world, t, i, j, margin);
            }
        }
        check_that(due == scene_event_count(world), "%zu events, %zu due", scene_event_count(world), due);
        all += due;
    }
    check_that(all > 300, "only %zu events", all);
    free(t);
    cm_world_destroy(world);
}

static void every_broad_phase_gives_the_events_of_all_pairs(void **state) {
    (void)state;
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++)
        drive((cm_broad_kind)kind, 11 + (uint64_t)kind, 0, scene_object, 1, STEPS);
}

static void every_broad_phase_gives_the_events_of_all_pairs_of_every_kind(void **state) {
    (void)state;
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++)
        drive((cm_broad_kind)kind, 51 + (uint64_t)kind, 0, zoo_object, 1, STEPS);
}

static void a_margin_gives_contacts_up_to_that_gap(void **state) {
    (void)state;
    drive(CM_BROAD_AUTO, 31, CM_REAL(0.125), scene_object, 1, STEPS);
    drive(CM_BROAD_AUTO, 32, CM_REAL(0.0625), zoo_object, 1, STEPS);
}

/* What goes slowly is told apart by how far it went, by the direction of before, or by a test. */
static void slow_objects_meet_when_all_pairs_say_so(void **state) {
    (void)state;
    drive(CM_BROAD_AUTO, 41, 0, scene_object, 0.05, 80);
    drive(CM_BROAD_AUTO, 42, CM_REAL(0.0625), scene_object, 0.02, 80);
    drive(CM_BROAD_AUTO, 43, 0, zoo_object, 0.05, 30);
}

/* Two capsules side by side across the axes, 0.37 apart: known as apart, since the last update or for longer. One grows
 * by 0.4 while a group keeps the two from each other; when it no longer does, they touch, though neither has moved. */
static void a_shape_that_grew_while_filtered_out_is_met(void **state) {
    (void)state;
    for (int updates = 1; updates <= 3; updates++) {
        cm_world *world;
        uint32_t ids[2];
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        for (int i = 0; i < 2; i++) {
            cm_world_object_desc d = {.shape = cm_make_capsule(cm_v(-1, -1, 0), cm_v(1, 1, 0), CM_REAL(0.1))};
            d.pose.position = cm_v(CM_REAL(0.4 * i), CM_REAL(-0.4 * i), 0);
            assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
        }
        for (int n = 0; n < updates; n++) {
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            assert_int_equal(scene_event_count(world), 0);
        }
        for (int i = 0; i < 2; i++) assert_int_equal(cm_world_set_filter(world, ids[i], 1, 1, -1), CM_OK);
        cm_shape thick = cm_make_capsule(cm_v(-1, -1, 0), cm_v(1, 1, 0), CM_REAL(0.5));
        assert_int_equal(cm_world_set_shape(world, ids[1], &thick, NULL), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_int_equal(scene_event_count(world), 0);
        for (int i = 0; i < 2; i++) assert_int_equal(cm_world_set_filter(world, ids[i], 1, 1, 0), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_non_null(scene_event(world, CM_WORLD_BEGAN, ids[0], ids[1]));
        cm_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broad_phase_gives_the_events_of_all_pairs),
        cmocka_unit_test(every_broad_phase_gives_the_events_of_all_pairs_of_every_kind),
        cmocka_unit_test(slow_objects_meet_when_all_pairs_say_so),
        cmocka_unit_test(a_shape_that_grew_while_filtered_out_is_met),
        cmocka_unit_test(a_margin_gives_contacts_up_to_that_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
