/* Worlds whose hit callback removes, adds and re-filters whatever it likes, also the two that just met: every contact
 * that began ends once, nobody is told of twice, and threads change nothing. */
#include "zoo.h"

enum { WILD_MOST = 400, WILD_START = 60 };

typedef struct wild {
    rng r;
    int removed, added, filtered, hits;
    uint64_t hash;
} wild;

static void add_wild(cm_world *world, wild *w) {
    cm_world_object_desc d = scene_object(&w->r, 4);
    uint32_t id;
    d.sweep = rng_below(&w->r, 2) ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
}

static cm_world_answer do_anything(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                   cm_motion *rest_b) {
    wild *w = user;
    static uint32_t ids[WILD_MOST];
    uint32_t count = cm_world_get_ids(world, ids, WILD_MOST);
    cm_world_object_desc d;
    w->hits++;
    w->hash = (w->hash ^ hit->a) * 0x100000001b3u ^ hit->b;
    assert_true(count > 0 && count <= WILD_MOST);
    assert_int_equal(cm_world_get(world, hit->a, &d), CM_OK); /* nobody gone is hit */
    assert_int_equal(cm_world_get(world, hit->b, &d), CM_OK);
    uint32_t any = ids[rng_below(&w->r, count)];
    switch (rng_below(&w->r, 12)) {
    case 0:
        assert_int_equal(cm_world_remove(world, hit->a), CM_OK);
        w->removed++;
        break;
    case 1:
        assert_int_equal(cm_world_remove(world, hit->a), CM_OK);
        assert_int_equal(cm_world_remove(world, hit->b), CM_OK);
        assert_int_equal(cm_world_set_filter(world, hit->b, 1, 1, 0), CM_STALE_ID);
        w->removed += 2;
        break;
    case 2:
        assert_int_equal(cm_world_remove(world, any), CM_OK);
        w->removed++;
        break;
    case 3:
    case 4:
        if (count < WILD_MOST / 2) add_wild(world, w), w->added++;
        break;
    case 5:
        assert_int_equal(cm_world_set_filter(world, hit->b, 0, 0, 0), CM_OK);
        w->filtered++;
        break;
    case 6:
        assert_int_equal(
            cm_world_set_filter(world, any, rng_below(&w->r, 8), rng_below(&w->r, 8), (int32_t)rng_below(&w->r, 5) - 2),
            CM_OK);
        w->filtered++;
        break;
    case 7:
        assert_int_equal(cm_world_set_trigger(world, any, rng_below(&w->r, 2)), CM_OK);
        break;
    case 8:
        assert_int_equal(cm_world_set_user(world, hit->a, 99), CM_OK);
        assert_int_equal(cm_world_set_sweep(world, any, CM_WORLD_SWEEP_ALWAYS), CM_OK);
        break;
    default:
        break;
    }
    const uint32_t answer = rng_below(&w->r, 3);
    rest_a->move = cm_neg(rest_a->move), rest_b->move = cm_scale(rest_b->move, CM_REAL(0.5));
    return answer == 0 ? CM_WORLD_STOP : answer == 1 ? CM_WORLD_PASS : CM_WORLD_GO;
}

/* What is open between two updates, as the events say. */
typedef struct open_pairs {
    struct {
        uint32_t a, b;
        bool trigger;
    } items[20000];
    size_t count, began, ended;
} open_pairs;

static size_t find_open(const open_pairs *o, uint32_t a, uint32_t b, bool trigger) {
    size_t i = 0;
    while (i < o->count && (o->items[i].a != a || o->items[i].b != b || o->items[i].trigger != trigger)) i++;
    return i;
}

static void follow_events(const cm_world *world, open_pairs *o, wild *w) {
    cm_world_event_view v;
    cm_world_get_events(world, &v);
    for (size_t i = 0; i < v.count; i++) {
        const cm_world_event *e = &v.events[i];
        const bool trigger = e->kind == CM_WORLD_ENTERED || e->kind == CM_WORLD_LEFT;
        size_t at = find_open(o, e->a, e->b, trigger);
        w->hash = ((w->hash ^ e->a) * 0x100000001b3u ^ e->b) * 0x100000001b3u ^ (uint64_t)e->kind;
        assert_true(e->a < e->b && e->u >= 0 && e->u <= 1);
        if (e->kind == CM_WORLD_BEGAN || e->kind == CM_WORLD_ENTERED) {
            check_that(at == o->count, "%s twice: %x %x", cm_world_event_text(e->kind), e->a, e->b);
            assert_true(o->count < 20000);
            o->items[o->count].a = e->a, o->items[o->count].b = e->b;
            o->items[o->count++].trigger = trigger;
            o->began++;
        } else {
            check_that(at < o->count, "%s, but it never began: %x %x", cm_world_event_text(e->kind), e->a, e->b);
            if (e->kind == CM_WORLD_ENDED || e->kind == CM_WORLD_LEFT) o->items[at] = o->items[--o->count], o->ended++;
        }
    }
}

static bool is_open(const open_pairs *o, uint32_t a, uint32_t b) {
    return find_open(o, a, b, false) < o->count || find_open(o, a, b, true) < o->count;
}

/* Whatever overlaps now and may meet is open, and what is gone or filtered out is not. */
static void check_standing(const cm_world *world, const open_pairs *o) {
    static uint32_t ids[WILD_MOST];
    static cm_world_object_desc all[WILD_MOST];
    uint32_t count = cm_world_get_ids(world, ids, WILD_MOST);
    assert_true(count <= WILD_MOST);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(cm_world_get(world, ids[i], &all[i]), CM_OK);
        assert_true(cm_pose_is_valid(&all[i].pose));
        for (uint32_t j = 0; j < i; j++) { /* ids ascend */
            const cm_world_object_desc *a = &all[j], *b = &all[i];
            bool overlaps = cm_overlap(&a->shape, &a->pose, &b->shape, &b->pose), may = scene_allowed(a, b);
            if (overlaps && may) check_that(is_open(o, ids[j], ids[i]), "%x %x: not open", ids[j], ids[i]);
            if (!may) check_that(!is_open(o, ids[j], ids[i]), "%x %x: open", ids[j], ids[i]);
        }
    }
    for (size_t i = 0; i < o->count; i++) {
        cm_pose pose;
        assert_int_equal(cm_world_get_pose(world, o->items[i].a, &pose), CM_OK);
        assert_int_equal(cm_world_get_pose(world, o->items[i].b, &pose), CM_OK);
    }
}

static uint64_t live_wildly(cm_broad_kind kind, const cm_tasks *tasks, wild *total) {
    cm_world_desc desc = {.kind = kind, .tasks = tasks};
    cm_world *world;
    wild w = {.r = {.state = 2024}, .hash = 7};
    static open_pairs o;
    memset(&o, 0, sizeof o);
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i < WILD_START; i++) add_wild(world, &w);
    cm_world_step step = {.hit = do_anything, .user = &w};
    static uint32_t ids[WILD_MOST];
    uint32_t count;
    for (int n = 0; n < samples(200, 10000); n++) {
        count = cm_world_get_ids(world, ids, WILD_MOST);
        for (uint32_t i = 0; i < count; i++) {
            cm_pose pose;
            cm_motion m = scene_motion(&w.r, 2, 1);
            assert_int_equal(cm_world_get_pose(world, ids[i], &pose), CM_OK);
            if (cm_largest(pose.position) > 5) m.move = cm_scale(pose.position, CM_REAL(-0.4));
            if (rng_below(&w.r, 2)) cm_world_set_motion(world, ids[i], &m);
            if (rng_below(&w.r, 20)) continue;
            assert_int_equal(cm_world_set_filter(world, ids[i], 1, UINT32_MAX, 0), CM_OK);
            assert_int_equal(cm_world_set_trigger(world, ids[i], false), CM_OK);
        }
        while (count++ < WILD_START) add_wild(world, &w);
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        follow_events(world, &o, &w);
        check_standing(world, &o);
    }
    count = cm_world_get_ids(world, ids, WILD_MOST);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(cm_world_remove(world, ids[i]), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    follow_events(world, &o, &w);
    check_that(o.count == 0, "%zu never ended", o.count);
    cm_world_destroy(world);
    if (total) *total = w;
    return w.hash;
}

static void what_a_callback_does_confuses_no_event(void **state) {
    (void)state;
    wild total;
    uint64_t first = live_wildly(CM_BROAD_AUTO, NULL, &total);
    check_that(share() * total.removed > 50 && share() * total.added > 30 && share() * total.filtered > 30 &&
                   share() * total.hits > 300,
               "%d removed, %d added, %d filtered, %d hits", total.removed, total.added, total.filtered, total.hits);
    for (int kind = 1; kind < CM_BROAD_KIND_COUNT; kind++)
        check_that(live_wildly((cm_broad_kind)kind, NULL, NULL) == first, "%s",
                   cm_broad_kind_text((cm_broad_kind)kind));
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    check_that(live_wildly(CM_BROAD_AUTO, &tasks, NULL) == first, "threads");
    cm_pool_destroy(pool);
}

/* `meet` may ask the world and change nothing. */
static bool meddle(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    cm_world *mine = *(cm_world **)user;
    cm_pose pose;
    assert_ptr_equal(mine, world);
    assert_int_equal(cm_world_get_pose(world, a, &pose), CM_OK);
    assert_int_equal(cm_world_remove(mine, a), CM_INVALID);
    assert_int_equal(cm_world_set_filter(mine, b, 0, 0, 0), CM_INVALID);
    assert_int_equal(cm_world_set_trigger(mine, b, true), CM_INVALID);
    assert_int_equal(cm_world_set_user(mine, b, 1), CM_INVALID);
    assert_int_equal(cm_world_set_sweep(mine, b, CM_WORLD_SWEEP_NEVER), CM_INVALID);
    assert_int_equal(cm_world_set_pose(mine, b, &pose), CM_INVALID);
    assert_int_equal(cm_world_update(mine, NULL), CM_INVALID);
    cm_world_destroy(mine); /* not now */
    return true;
}

static void the_filter_callback_changes_nothing(void **state) {
    (void)state;
    cm_world *world = NULL;
    cm_world_desc desc = {.meet = meddle, .user = &world};
    wild w = {.r = {.state = 3}};
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i < 40; i++) add_wild(world, &w);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(cm_world_count(world), 40);
    assert_true(scene_event_count(world) > 0);
    cm_world_destroy(world);
}

/* What `meet` says of one pair holds for no other that one of the two is in. The ball, of the highest id but one, flies
 * through `through` to the wall, which throws it aside to `beside`. */
typedef struct one_refused {
    uint32_t beside, through, ball;
    int asked_beside;
} one_refused;

static bool refuse_through(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    one_refused *o = user;
    (void)world;
    o->asked_beside += a == o->beside && b == o->ball;
    return a != o->through || b != o->ball;
}

static cm_world_answer go_aside(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                cm_motion *rest_b) {
    (void)user, (void)world, (void)rest_b;
    if (hit->count_a > 1 || hit->count_b > 1) return CM_WORLD_STOP;
    rest_a->move = cm_v(0, 0, 40);
    return CM_WORLD_GO;
}

static void a_pair_that_is_refused_stands_for_no_other(void **state) {
    (void)state;
    one_refused o = {0, 0, 0, 0};
    cm_world *world;
    const cm_world_desc desc = {.meet = refuse_through, .user = &o};
    const cm_world_step step = {.hit = go_aside};
    cm_world_object_desc d = {.shape = cm_make_box(cm_v(1, 1, 1)), .fixed = true};
    uint32_t wall;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    d.pose.position = cm_v(8, 0, 20);
    assert_int_equal(cm_world_add(world, &d, &o.beside, NULL), CM_OK);
    d.pose.position = cm_v(4, 0, 0);
    assert_int_equal(cm_world_add(world, &d, &o.through, NULL), CM_OK);
    d.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), d.pose.position = cm_v(0, 0, 0), d.fixed = false;
    assert_int_equal(cm_world_add(world, &d, &o.ball, NULL), CM_OK);
    d.shape = cm_make_box(cm_v(1, 1, 1)), d.pose.position = cm_v(9, 0, 0), d.fixed = true;
    assert_int_equal(cm_world_add(world, &d, &wall, NULL), CM_OK);
    const cm_motion m = {.move = {16, 0, 0}};
    assert_int_equal(cm_world_set_motion(world, o.ball, &m), CM_OK);
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    assert_non_null(scene_event(world, CM_WORLD_HIT, o.ball, wall));
    assert_null(scene_event(world, CM_WORLD_BEGAN, o.through, o.ball));
    assert_non_null(scene_event(world, CM_WORLD_HIT, o.beside, o.ball));
    assert_true(o.asked_beside > 0);
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_callback_does_confuses_no_event),
        cmocka_unit_test(the_filter_callback_changes_nothing),
        cmocka_unit_test(a_pair_that_is_refused_stands_for_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
