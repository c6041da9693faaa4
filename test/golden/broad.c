/* The same bits everywhere, of the broad phase: pairs, changes, pairs of two sets, one-shot pairs and all queries over
 * frames in which boxes move, come, go and are filtered. What all kinds answer alike has one hash, checked of each
 * kind, serial and with threads; the orders in which each kind tells it have another. See golden.h. */
#include "golden.h"
#include "support/broads.h"

enum { OBJECTS = 700, FRAMES = 6 };

typedef struct told {
    uint64_t answers; /* the same for every kind */
    uint64_t order;   /* of raw lists and of queries: the kind's own */
    uint64_t sum;     /* of ids, whatever their order */
} told;

static cm_aabb plain_box(rng *r) {
    cm_vec3 center = small_vec3(r, 12), half = small_vec3(r, rng_below(r, 40) ? CM_REAL(0.8) : 6);
    if (rng_below(r, 3) == 0) { /* of whole numbers: many touch */
        center = cm_v((cm_real)(int)center.x, (cm_real)(int)center.y, (cm_real)(int)center.z);
        half = cm_v(CM_REAL(0.5), 1, CM_REAL(0.5));
    }
    half = cm_v(cm_abs(half.x), cm_abs(half.y), cm_abs(half.z));
    cm_aabb box = {cm_sub(center, half), cm_add(center, half)};
    return box;
}

static void hash_pairs(uint64_t *h, const cm_broad_pair *pairs, size_t count) {
    hash_number(h, count);
    for (size_t i = 0; i < count; ++i) hash_number(h, (uint64_t)pairs[i].a << 32 | pairs[i].b);
}

static bool found(void *context, uint32_t id) {
    told *t = context;
    hash_number(&t->order, id);
    t->sum += id * UINT64_C(0x9e3779b97f4a7c15);
    return true;
}
static cm_real hit(void *context, uint32_t id, cm_real at) {
    told *t = context;
    hash_number(&t->answers, id), hash_real(&t->answers, at);
    return CM_REAL_MAX;
}

static void hash_queries(told *t, const cm_broad *b, rng *r) {
    for (int i = 0; i < 12; ++i) {
        uint32_t mask = i % 3 ? 0 : 2, count = 0;
        cm_aabb box = plain_box(r);
        t->sum = 0;
        count += cm_broad_query_box(b, &box, mask, found, t);
        count += cm_broad_query_point(b, box.min, mask, found, t);
        count += cm_broad_query_sphere(b, box.max, CM_REAL(2.5), mask, found, t);
        cm_vec3 normals[3];
        cm_real d[3];
        for (int k = 0; k < 3; ++k) normals[k] = small_vec3(r, 1), d[k] = small_number(r) * 4;
        count += cm_broad_query_halfspace(b, normals[0], d[0] + 4, mask, found, t);
        count += cm_broad_query_frustum(b, normals, d, 3, mask, found, t);
        hash_number(&t->answers, t->sum), hash_number(&t->answers, count);
        cm_vec3 move = small_vec3(r, 10);
        hash_number(&t->answers, cm_broad_raycast(b, box.min, move, CM_REAL_MAX, mask, hit, t));
        hash_number(&t->answers, cm_broad_sweep(b, &box, move, 1, mask, hit, t));
        uint32_t ids[9];
        cm_real distances[9];
        uint32_t n = cm_broad_nearest(b, box.max, i % 2 ? -1 : CM_REAL(1.5), mask, 9, ids, distances);
        for (uint32_t k = 0; k < n; ++k) hash_number(&t->answers, ids[k]), hash_real(&t->answers, distances[k]);
    }
}

static void hash_lists(told *t, cm_broad *b, cm_broad *other) {
    for (int flags = 0; flags <= CM_BROAD_SORTED; flags += CM_BROAD_SORTED) {
        uint64_t *h = flags ? &t->answers : &t->order;
        cm_broad_pair_view view;
        assert_int_equal(cm_broad_find_pairs(b, flags, &view), CM_OK);
        hash_pairs(h, view.pairs, view.count);
        assert_int_equal(cm_broad_find_pairs_between(b, other, flags, &view), CM_OK);
        hash_pairs(h, view.pairs, view.count);
    }
    cm_broad_changes changes;
    assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
    hash_pairs(&t->answers, changes.began.pairs, changes.began.count);
    hash_pairs(&t->answers, changes.ended.pairs, changes.ended.count);
}

static told story(int number, const cm_tasks *tasks) {
    told t = {HASH_START, HASH_START, 0};
    rng r = {55};
    cm_broad_desc desc = broads_desc(number);
    desc.tasks = tasks, desc.changes = true;
    cm_broad *b = NULL, *other = NULL;
    static uint32_t ids[OBJECTS];
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_create(&desc, &other, NULL), CM_OK);
    for (int i = 0; i < OBJECTS; ++i) {
        cm_broad_object_desc object = {.box = plain_box(&r), .fixed = i % 3 == 1};
        if (i % 13 == 5) object.layer = 2, object.mask = 3;
        if (i % 401 == 7) object.box.max.y = CM_REAL_MAX; /* unbounded */
        assert_int_equal(cm_broad_add(i % 4 ? b : other, &object, &ids[i]), CM_OK);
    }
    for (int frame = 0; frame < FRAMES; ++frame) {
        assert_int_equal(cm_broad_update(b), CM_OK);
        hash_lists(&t, b, other);
        hash_queries(&t, b, &r);
        for (int i = 0; i < OBJECTS; ++i) {
            if (i % 4 == 0) continue;
            uint32_t dice = rng_below(&r, frame % 2 ? 4 : 40); /* many move, then few */
            cm_aabb box = plain_box(&r);
            if (dice == 0) assert_int_equal(cm_broad_move(b, ids[i], &box), CM_OK);
            if (dice != 1 || rng_below(&r, 5)) continue;
            cm_broad_object_desc object = {.box = box, .fixed = frame == 2};
            assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
            assert_int_equal(cm_broad_add(b, &object, &ids[i]), CM_OK);
            if (frame == 3) assert_int_equal(cm_broad_set_filter(b, ids[i], 3, 1), CM_OK);
        }
    }
    cm_broad_destroy(b), cm_broad_destroy(other);
    return t;
}

static void hash_one_shot(told *t, cm_broad_kind kind, const cm_tasks *tasks) {
    static cm_aabb boxes[2 * OBJECTS];
    rng r = {56};
    for (int i = 0; i < 2 * OBJECTS; ++i) boxes[i] = plain_box(&r);
    cm_broad_pairs_desc desc = {.kind = kind, .tasks = tasks};
    cm_broad_pair_list list = {0};
    for (desc.flags = 0; desc.flags <= CM_BROAD_SORTED; desc.flags += CM_BROAD_SORTED) {
        uint64_t *h = desc.flags ? &t->answers : &t->order;
        assert_int_equal(cm_broad_pairs(boxes, 2 * OBJECTS, &desc, &list), CM_OK);
        hash_pairs(h, list.pairs, list.count);
        assert_int_equal(cm_broad_pairs_between(boxes, OBJECTS, boxes + OBJECTS, OBJECTS, &desc, &list), CM_OK);
        hash_pairs(h, list.pairs, list.count);
    }
    cm_broad_pair_list_free(&list, NULL);
}

static void every_kind_gives_the_same_bits_everywhere(void **state) {
    (void)state;
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    uint64_t order = HASH_START, answers = 0;
    for (int kind = 0; kind < BROADS; ++kind) {
        const char *name = broads_name(kind);
        told serial = story(kind, NULL), parallel = story(kind, &tasks);
        const cm_broad_kind once = broads_desc(kind).kind;
        hash_one_shot(&serial, once, NULL), hash_one_shot(&parallel, once, &tasks);
        check_that(serial.order == parallel.order, "%s: threads change the order", name);
        check_that(serial.answers == parallel.answers, "%s: threads change answers", name);
        if (kind == 0) answers = serial.answers;
        check_that(serial.answers == answers, "%s answers otherwise than %s", name, cm_broad_kind_text(0));
        hash_number(&order, serial.order);
    }
    cm_pool_destroy(pool);
    check_hash(answers, GOLDEN(0xd5f68f6b97a841d5, 0xea95b648303f0207));
    check_hash(order, GOLDEN(0x9a12d1e8a21d3f34, 0xc6bfc209a1ef1250));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_gives_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
