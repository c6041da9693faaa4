/* What is swept against all pairs: where every hit is passed, each pair's times are those of cm_sweep alone, and its
 * events follow from them and from where the objects end; for every broad phase and kind of shape, turning ones too.
 * What stands ends where its sweep says. */
#include "zoo.h"

enum { SWEPT_OBJECTS = 70, SWEPT_STEPS = 12 };

typedef struct swept_truth {
    uint32_t ids[SWEPT_OBJECTS];
    cm_world_object_desc objects[SWEPT_OBJECTS];
    cm_motion motions[SWEPT_OBJECTS];
    bool moves[SWEPT_OBJECTS], touched[SWEPT_OBJECTS][SWEPT_OBJECTS], inside[SWEPT_OBJECTS][SWEPT_OBJECTS];
    bool held[SWEPT_OBJECTS]; /* at a limit of its sweeps: it is not where its motion says */
    size_t hits, turning, passed, limits;
} swept_truth;

static cm_world_answer pass_all(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                cm_motion *rest_b) {
    (void)world, (void)hit, (void)rest_a, (void)rest_b;
    ++*(size_t *)user;
    return CM_WORLD_PASS;
}

static cm_motion motion_of(const swept_truth *t, uint32_t i) {
    cm_motion m = t->motions[i];
    if (!t->moves[i]) m.move = m.spin = m.pivot = cm_v(0, 0, 0);
    m.start = t->objects[i].pose;
    return m;
}

static size_t events_of(const cm_world *world, uint32_t a, uint32_t b) {
    cm_world_event_view v;
    size_t n = 0;
    cm_world_get_events(world, &v);
    for (size_t i = 0; i < v.count; i++) n += v.events[i].a == a && v.events[i].b == b;
    return n;
}

static void note_limits(const cm_world *world, swept_truth *t) {
    cm_world_event_view v;
    cm_world_get_events(world, &v);
    memset(t->held, 0, sizeof t->held);
    for (size_t i = 0; i < v.count; i++) {
        const cm_world_event *e = &v.events[i];
        if (e->kind != CM_WORLD_LIMIT) continue;
        for (uint32_t k = 0; k < SWEPT_OBJECTS; k++) t->held[k] = t->held[k] || t->ids[k] == e->a || t->ids[k] == e->b;
        t->limits++;
    }
}

static void expect_event(const cm_world *world, cm_world_event_kind kind, uint32_t a, uint32_t b, cm_real u) {
    const cm_world_event *e = scene_event(world, kind, a, b);
    check_that(e, "no event '%s' of %x and %x", cm_world_event_text(kind), a, b);
    check_that(e->u == u, "'%s' of %x and %x at " REAL_FORMAT ", not " REAL_FORMAT, cm_world_event_text(kind), a, b,
               (double)e->u, (double)u);
}

/* The events that are due of one pair, ids in order. */
static size_t expect_swept_pair(const cm_world *world, swept_truth *t, uint32_t i, uint32_t j) {
    const cm_world_object_desc *a = &t->objects[i], *b = &t->objects[j];
    cm_pose pose_a, pose_b;
    if (!scene_allowed(a, b)) return 0;
    assert_int_equal(cm_world_get_pose(world, t->ids[i], &pose_a), CM_OK);
    assert_int_equal(cm_world_get_pose(world, t->ids[j], &pose_b), CM_OK);
    bool trigger = a->trigger || b->trigger, met = false, blocking = false;
    bool touches = trigger ? cm_overlap(&a->shape, &pose_a, &b->shape, &pose_b)
                           : cm_contact(&a->shape, &pose_a, &b->shape, &pose_b, 0, NULL, 0) > 0;
    cm_sweep_hit hit = {.first = 1, .last = 1};
    if (t->moves[i] || t->moves[j]) {
        cm_motion ma = motion_of(t, i), mb = motion_of(t, j);
        bool turns = cm_largest(ma.spin) > 0 || cm_largest(mb.spin) > 0;
        bool rests = !(cm_largest(ma.move) > 0) && !(cm_largest(mb.move) > 0) && !turns;
        met = !rests && cm_sweep(&a->shape, &ma, &b->shape, &mb, &hit);
        blocking = met && hit.blocking && !trigger;
        t->turning += met && turns;
    }
    bool *was = trigger ? &t->inside[i][j] : &t->touched[i][j], before = *was;
    *was = touches;
    size_t have = events_of(world, t->ids[i], t->ids[j]), count = 0;
    if (t->held[i] || t->held[j]) {
        t->hits += scene_event(world, CM_WORLD_HIT, t->ids[i], t->ids[j]) != NULL;
        return have;
    }
    const cm_world_event_kind in = trigger ? CM_WORLD_ENTERED : CM_WORLD_BEGAN,
                              out = trigger ? CM_WORLD_LEFT : CM_WORLD_ENDED;
    if (!before && (touches || met)) count++, expect_event(world, in, t->ids[i], t->ids[j], met ? hit.first : 1);
    if (blocking) count++, expect_event(world, CM_WORLD_HIT, t->ids[i], t->ids[j], hit.first);
    if (before && touches && !trigger) count++, expect_event(world, CM_WORLD_STAYED, t->ids[i], t->ids[j], 1);
    if (!touches && (before || met)) {
        cm_real left = 1;
        cm_motion ma = motion_of(t, i), mb = motion_of(t, j);
        if ((t->moves[i] || t->moves[j]) && !cm_sweep_last(&a->shape, &ma, &b->shape, &mb, &left)) left = 0;
        count++, expect_event(world, out, t->ids[i], t->ids[j], met ? cm_max(left, hit.first) : left);
    }
    check_that(have == count, "%zu events of %x and %x, %zu due", have, t->ids[i], t->ids[j], count);
    t->hits += blocking, t->passed += met && !touches && !before;
    return count;
}

static void drive_swept(cm_broad_kind kind, uint64_t seed, bool zoo, bool turn, swept_truth *t) {
    rng r = rng_start(cm_broad_kind_text(kind), seed);
    cm_world_desc desc = {.kind = kind, .margin = CM_REAL_MIN}; /* 0 would be the default */
    cm_world *world;
    memset(t->touched, 0, sizeof t->touched);
    memset(t->inside, 0, sizeof t->inside);
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (uint32_t i = 0; i < SWEPT_OBJECTS; i++) {
        cm_world_object_desc d = zoo ? zoo_object(&r, 5) : scene_object(&r, 5);
        d.sweep = CM_WORLD_SWEEP_ALWAYS;
        assert_int_equal(cm_world_add(world, &d, &t->ids[i], NULL), CM_OK);
    }
    for (int n = 0; n < SWEPT_STEPS; n++) {
        for (uint32_t i = 0; i < SWEPT_OBJECTS; i++) {
            assert_int_equal(cm_world_get(world, t->ids[i], &t->objects[i]), CM_OK);
            cm_motion m = scene_motion(&r, 2, 1);
            if (cm_largest(t->objects[i].pose.position) > 6)
                m.move = cm_scale(t->objects[i].pose.position, CM_REAL(-0.4));
            if (!turn) m.spin = cm_v(0, 0, 0);
            t->moves[i] = !t->objects[i].fixed && rng_below(&r, 3) > 0;
            t->motions[i] = m;
            if (t->moves[i]) assert_int_equal(cm_world_set_motion(world, t->ids[i], &m), CM_OK);
        }
        size_t asked = 0, hits = t->hits, due = 0;
        cm_world_step step = {.hit = pass_all, .user = &asked};
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        note_limits(world, t);
        for (uint32_t i = 0; i < SWEPT_OBJECTS; i++) {
            for (uint32_t j = 0; j < SWEPT_OBJECTS; j++) {
                if (t->ids[i] < t->ids[j]) due += expect_swept_pair(world, t, i, j);
            }
        }
        check_that(due == scene_event_count(world), "%zu events, %zu due", scene_event_count(world), due);
        check_that(asked == t->hits - hits, "asked %zu times of %zu hits", asked, t->hits - hits);
    }
    cm_world_destroy(world);
}

static void every_time_is_that_of_the_pair_alone(void **state) {
    (void)state;
    static swept_truth t;
    memset(&t, 0, sizeof t);
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        drive_swept((cm_broad_kind)kind, 81 + (uint64_t)kind, kind % 2 == 0, false, &t);
    }
    check_that(t.hits > 1000 && t.passed > 300, "%zu hits, %zu passed", t.hits, t.passed);
    check_that(t.limits == 0, "%zu limits", t.limits);
}

static void turning_movers_meet_when_the_pair_alone_does(void **state) {
    (void)state;
    static swept_truth t;
    memset(&t, 0, sizeof t);
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        drive_swept((cm_broad_kind)kind, 91 + (uint64_t)kind, kind % 2 == 1, true, &t);
    }
    check_that(t.turning > 500, "%zu turning", t.turning);
    check_that(t.limits <= 2, "%zu limits", t.limits);
}

/* Bodies that stand on a floor, or hover or are in a little, and slide, leave, press, yaw, roll or tip: a world moves
 * them as far as cm_sweep lets them, and no less. */
static void what_stands_ends_where_its_sweep_says(void **state) {
    (void)state;
    rng r = rng_start("standing worlds", 101);
    int stopped = 0, went = 0, later = 0, count = samples(2000, 100000);
    for (int i = 0; i < count; i++) {
        const cm_real half = CM_REAL(0.5);
        const cm_shape bodies[5] = {cm_make_box(cm_v(1, half, half)), cm_make_cylinder(half, half),
                                    cm_make_sphere(cm_v(0, 0, 0), half),
                                    cm_make_capsule(cm_v(-1, 0, 0), cm_v(1, 0, 0), half), cm_make_cone(half, half)};
        const cm_shape floors[2] = {cm_make_box(cm_v(30, 30, 1)), cm_make_halfspace(cm_v(0, 0, 1), -1)};
        const double offs[5] = {0, 1e-4, -1e-4, -1e-3, (double)CM_REAL_EPSILON};
        cm_world_object_desc ground = {.shape = floors[i % 2], .pose = cm_pose_identity(), .fixed = true};
        cm_world_object_desc body = {.shape = bodies[rng_below(&r, 5)], .sweep = CM_WORLD_SWEEP_ALWAYS};
        cm_motion still = {.start = cm_pose_identity()}, m = still;
        m.start.position = cm_v(0, 0, 1 + half + CM_REAL(offs[rng_below(&r, 5)]));
        m.move = rng_vec3(&r, 3);
        if (rng_below(&r, 2)) m.move.z = 0;
        m.spin = cm_v(0, 0, CM_REAL(rng_range(&r, -2, 2)));
        if (rng_below(&r, 3) == 0) m.spin = cm_v(0, CM_REAL(rng_range(&r, -1, 1)), 0);
        body.pose = m.start;
        cm_world *world;
        uint32_t floor_id, id;
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        assert_int_equal(cm_world_add(world, &ground, &floor_id, NULL), CM_OK);
        assert_int_equal(cm_world_add(world, &body, &id, NULL), CM_OK);
        assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        cm_sweep_hit h;
        bool blocks = cm_sweep(&ground.shape, &still, &body.shape, &m, &h) && h.blocking;
        cm_pose end, due;
        cm_motion_at(&m, blocks ? h.first : 1, &due);
        assert_int_equal(cm_world_get_pose(world, id, &end), CM_OK);
        cm_real off = cm_length(cm_sub(end.position, due.position));
        check_that(off < 64 * CM_REAL_EPSILON, "%d, %s: off by %g, first %g, blocking %d", i,
                   cm_kind_name(body.shape.kind), (double)off, (double)h.first, blocks);
        stopped += blocks, went += !blocks, later += blocks && h.first > CM_REAL(1e-3);
        cm_world_destroy(world);
    }
    printf("  %d stopped (%d later), %d went on\n", stopped, later, went);
    const bool some = later > 0 || count < 2000; /* some four in a thousand */
    check_that(stopped > count / 5 && went > count / 5 && some, "%d stopped, %d later, %d went on", stopped, later,
               went);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_time_is_that_of_the_pair_alone),
        cmocka_unit_test(turning_movers_meet_when_the_pair_alone_does),
        cmocka_unit_test(what_stands_ends_where_its_sweep_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
