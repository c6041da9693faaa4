/* The common layer: ids, filters, refused input, failed allocations, steady state, counts. */
#include "support/broads.h"
#include "support/support.h"

#include <math.h>

static cm_aabb cube(double x, double y, double z, double half) {
    cm_aabb box = {cm_v((cm_real)(x - half), (cm_real)(y - half), (cm_real)(z - half)),
                   cm_v((cm_real)(x + half), (cm_real)(y + half), (cm_real)(z + half))};
    return box;
}

static cm_broad *new_broad(int number, bool changes, const cm_allocator *mem) {
    cm_broad_desc desc = broads_desc(number);
    desc.changes = changes, desc.mem = mem;
    cm_broad *b = NULL;
    cm_status status = cm_broad_create(&desc, &b, NULL);
    assert_true(status == CM_OK || status == CM_UNSUPPORTED);
    return b;
}

static size_t pair_count(cm_broad *b) {
    cm_broad_pair_view view;
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    return view.count;
}

/* --- ids ----------------------------------------------------------------------------------------------------- */

static void a_removed_id_is_stale_and_a_slot_retires_after_255_objects(void **state) {
    (void)state;
    cm_broad_desc desc = {.limit = 3};
    cm_broad *b;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    cm_broad_object_desc object = {.box = cube(0, 0, 0, 1)};
    uint32_t ids[256], id;
    for (int i = 0; i < 255; ++i) {
        assert_int_equal(cm_broad_add(b, &object, &ids[i]), CM_OK);
        assert_int_equal(ids[i] & 0xffffff, 0);
        assert_true(ids[i] != 0 && ids[i] != CM_NONE);
        for (int k = 0; k < i; ++k) assert_int_equal(cm_broad_move(b, ids[k], &object.box), CM_STALE_ID);
        assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
    }
    assert_int_equal(cm_broad_add(b, &object, &id), CM_OK);
    assert_int_equal(id & 0xffffff, 1); /* slot 0 is used up */
    assert_int_equal(cm_broad_count(b), 1);
    cm_broad_object_desc got = {.layer = 77};
    assert_int_equal(cm_broad_get(b, ids[254], &got), CM_STALE_ID);
    assert_int_equal(got.layer, 77);
    const uint32_t foreign[] = {0, CM_NONE, 1u << 24 | 2, 0xffffff, 5u << 24 | 1};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; ++i) {
        assert_int_equal(cm_broad_remove(b, foreign[i]), CM_STALE_ID);
        assert_int_equal(cm_broad_set_filter(b, foreign[i], 1, 1), CM_STALE_ID);
        assert_int_equal(cm_broad_set_fixed(b, foreign[i], true), CM_STALE_ID);
        assert_int_equal(cm_broad_set_user(b, foreign[i], 1), CM_STALE_ID);
    }
    cm_broad_destroy(b);
}

static void objects_keep_what_they_were_given(void **state) {
    (void)state;
    cm_broad *b = new_broad(CM_BROAD_AUTO, false, NULL);
    cm_broad_object_desc object = {cube(1, 2, 3, 4), 6, 9, 1234567890123u, true}, got;
    uint32_t id;
    assert_int_equal(cm_broad_add(b, &object, &id), CM_OK);
    assert_int_equal(cm_broad_get(b, id, &got), CM_OK);
    assert_memory_equal(&got.box, &object.box, sizeof got.box);
    assert_true(got.layer == 6 && got.mask == 9 && got.user == 1234567890123u && got.fixed);
    assert_int_equal(cm_broad_set_user(b, id, 5), CM_OK);
    assert_int_equal(cm_broad_get(b, id, &got), CM_OK);
    assert_true(got.user == 5);
    cm_broad_destroy(b);
}

static void check_counts(const cm_broad *b, uint32_t objects, uint32_t fixed, uint32_t unbounded) {
    cm_broad_stats stats;
    cm_broad_get_stats(b, &stats);
    check_that(stats.objects == objects && stats.fixed == fixed && stats.unbounded == unbounded,
               "%u objects, %u static, %u unbounded, not %u, %u and %u", stats.objects, stats.fixed, stats.unbounded,
               objects, fixed, unbounded);
    assert_int_equal(cm_broad_count(b), objects);
}

static void objects_are_counted_as_they_come_change_and_go(void **state) {
    (void)state;
    cm_broad *b = new_broad(CM_BROAD_AUTO, true, NULL);
    cm_broad_object_desc still = {.box = cube(0, 0, 0, 1), .fixed = true}, mover = {.box = cube(5, 0, 0, 1)};
    cm_aabb open = still.box;
    uint32_t ids[4];
    open.max.x = (cm_real)INFINITY;
    assert_int_equal(cm_broad_add(b, &still, &ids[0]), CM_OK);
    assert_int_equal(cm_broad_add(b, &mover, &ids[1]), CM_OK);
    check_counts(b, 2, 1, 0);
    still.box = mover.box = open;
    assert_int_equal(cm_broad_add(b, &still, &ids[2]), CM_OK);
    assert_int_equal(cm_broad_add(b, &mover, &ids[3]), CM_OK);
    check_counts(b, 4, 2, 2);
    for (int i = 0; i < 4; ++i) assert_int_equal(cm_broad_move(b, ids[i], &open), CM_OK);
    for (int i = 0; i < 4; ++i) assert_int_equal(cm_broad_set_fixed(b, ids[i], true), CM_OK);
    check_counts(b, 4, 4, 4);
    assert_int_equal(cm_broad_set_fixed(b, ids[1], false), CM_OK);
    assert_int_equal(cm_broad_set_fixed(b, ids[1], false), CM_OK); /* it is already */
    open.max.x = 9;
    assert_int_equal(cm_broad_move(b, ids[2], &open), CM_OK);
    check_counts(b, 4, 3, 3);
    const uint32_t left[4][3] = {{4, 3, 3}, {3, 2, 2}, {2, 2, 1}, {1, 1, 1}};
    for (int i = 0; i < 4; ++i) {
        check_counts(b, left[i][0], left[i][1], left[i][2]);
        assert_int_equal(cm_broad_update(b), CM_OK);
        assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
    }
    check_counts(b, 0, 0, 0);
    cm_broad_destroy(b);
}

static void the_limit_of_objects_holds(void **state) {
    (void)state;
    cm_broad_desc desc = {.limit = 4};
    cm_broad *b;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    cm_aabb boxes[5];
    uint32_t ids[5];
    for (int i = 0; i < 5; ++i) boxes[i] = cube(0, 0, 0, 1);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 5, NULL, ids), CM_LIMIT);
    assert_int_equal(cm_broad_count(b), 0);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 4, NULL, ids), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 1, NULL, ids + 4), CM_LIMIT);
    assert_int_equal(pair_count(b), 6);
    assert_int_equal(cm_broad_remove(b, ids[2]), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 1, NULL, ids + 2), CM_OK);
    cm_broad_destroy(b);
}

/* --- refused input ------------------------------------------------------------------------------------------- */

static void bad_descriptions_name_the_field(void **state) {
    (void)state;
    const struct {
        cm_broad_desc desc;
        const char *field;
    } cases[] = {
        {{.kind = (cm_broad_kind)99}, "kind"},
        {{.kind = (cm_broad_kind)-1}, "kind"},
        {{.limit = 1u << 24}, "limit"},
        {{.capacity = UINT32_MAX}, "capacity"},
        {{.cell = -1}, "cell"},
        {{.cell = (cm_real)NAN}, "cell"},
        {{.cell = (cm_real)INFINITY}, "cell"},
        {{.plane = 4}, "plane"},
        {{.levels = 41}, "levels"},
        {{.loose = 1}, "loose"},
        {{.loose = CM_REAL(8.5)}, "loose"},
        {{.loose = (cm_real)NAN}, "loose"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cm_broad *b = NULL;
        cm_error error = {CM_OK, NULL, 0};
        assert_int_equal(cm_broad_create(&cases[i].desc, &b, &error), CM_INVALID);
        assert_null(b);
        assert_int_equal(error.status, CM_INVALID);
        assert_string_equal(error.field, cases[i].field);
    }
    assert_string_equal(cm_broad_kind_text(CM_BROAD_BVH), "bvh");
    assert_string_equal(cm_broad_kind_text((cm_broad_kind)99), "unknown");
}

static void bad_boxes_are_refused_and_nothing_changes(void **state) {
    (void)state;
    const cm_real nan = (cm_real)NAN, inf = (cm_real)INFINITY;
    cm_aabb bad[12];
    cm_status expected[12];
    for (int i = 0; i < 12; ++i) bad[i] = cube(0, 0, 0, 1), expected[i] = CM_NOT_FINITE;
    bad[0].min.x = nan, bad[1].max.z = nan, bad[2].min.y = bad[2].max.y = nan;
    bad[3].min.x = bad[3].max.x = inf, bad[4].min.y = bad[4].max.y = -inf;
    bad[5].min.z = 2 * CM_COORD_MAX, bad[5].max.z = 3 * CM_COORD_MAX;
    bad[6].min.x = 2, expected[6] = CM_INVALID;
    bad[7].max.z = -2, expected[7] = CM_INVALID;
    bad[8].min.x = inf, bad[8].max.x = -inf, expected[8] = CM_INVALID;
    bad[9].min.y = CM_REAL(1.0000001) + CM_REAL_EPSILON * 4, expected[9] = CM_INVALID;
    bad[10].max.x = nan, bad[10].min.y = 5;
    bad[11].min.y = inf, bad[11].max.y = inf;
    cm_broad *b = new_broad(CM_BROAD_AUTO, true, NULL);
    cm_aabb good[3] = {cube(0, 0, 0, 1), cube(1, 0, 0, 1), cube(9, 0, 0, 1)};
    uint32_t ids[3], id = 42;
    assert_int_equal(cm_broad_add_many(b, good, 0, 3, NULL, ids), CM_OK);
    assert_int_equal(pair_count(b), 1);
    for (int i = 0; i < 12; ++i) {
        cm_broad_object_desc object = {.box = bad[i]};
        assert_int_equal(cm_broad_add(b, &object, &id), expected[i]);
        assert_int_equal(id, 42);
        assert_int_equal(cm_broad_move(b, ids[0], &bad[i]), expected[i]);
        cm_aabb many[3] = {good[2], good[2], bad[i]};
        assert_int_equal(cm_broad_move_many(b, ids, many, 0, 3), expected[i]);
        assert_int_equal(cm_broad_add_many(b, many, 0, 3, NULL, NULL), expected[i]);
        cm_broad_pair_list list = {0};
        assert_int_equal(cm_broad_pairs(many, 3, NULL, &list), expected[i]);
        assert_int_equal(list.count, 0);
        cm_broad_pair_list_free(&list, NULL);
    }
    uint32_t stale[3] = {ids[0], ids[1], 7};
    assert_int_equal(cm_broad_move_many(b, stale, good, 0, 3), CM_STALE_ID);
    assert_int_equal(cm_broad_count(b), 3);
    assert_int_equal(pair_count(b), 1);
    cm_broad_pair_view view;
    assert_int_equal(cm_broad_find_pairs(b, 2, &view), CM_INVALID);
    assert_int_equal(cm_broad_find_pairs(NULL, 0, &view), CM_INVALID);
    assert_int_equal(cm_broad_find_pairs_between(b, b, 0, &view), CM_INVALID);
    cm_broad_destroy(b);
    b = new_broad(CM_BROAD_AUTO, false, NULL);
    cm_broad_changes changes;
    assert_int_equal(cm_broad_get_changes(b, &changes), CM_UNSUPPORTED);
    cm_broad_destroy(b);
    cm_broad_destroy(NULL);
}

/* A coordinate that is no number by itself, also where another axis is the wrong way round; an axis the wrong way round
 * by itself. */
static void each_bad_coordinate_is_told_from_a_bad_box(void **state) {
    (void)state;
    cm_broad *b = new_broad(CM_BROAD_GRID, false, NULL);
    for (int side = 0; side < 6; ++side) {
        for (int swapped = -1; swapped < 3; ++swapped) {
            for (int nan = 0; nan < 2; ++nan) {
                cm_aabb box = cube(0, 0, 0, 1);
                if (swapped >= 0) ((cm_real *)&box.min)[swapped] = 2;
                cm_real *at = side < 3 ? &((cm_real *)&box.min)[side] : &((cm_real *)&box.max)[side - 3];
                if (nan) *at = (cm_real)NAN;
                const cm_status status = cm_broad_add_many(b, &box, 0, 1, NULL, NULL);
                const cm_status right = nan ? CM_NOT_FINITE : swapped >= 0 ? CM_INVALID : CM_OK;
                check_that(status == right, "side %d, axis %d swapped, not a number %d: %s", side, swapped, nan,
                           cm_status_text(status));
            }
        }
    }
    cm_broad_destroy(b);
}

static void each_missing_argument_is_refused(void **state) {
    (void)state;
    cm_broad *b = NULL;
    cm_error error = {CM_OK, NULL, 0};
    assert_int_equal(cm_broad_create(NULL, NULL, &error), CM_INVALID);
    assert_int_equal(error.status, CM_INVALID);
    assert_int_equal(cm_broad_create(NULL, &b, NULL), CM_OK);
    const cm_aabb boxes[10] = {cube(0, 0, 0, 1)};
    cm_broad_object_desc object = {.box = boxes[0]};
    uint32_t ids[10], id = 0;
    assert_int_equal(cm_broad_add(NULL, &object, &id), CM_INVALID);
    assert_int_equal(cm_broad_add(b, NULL, &id), CM_INVALID);
    assert_int_equal(cm_broad_add(b, &object, NULL), CM_INVALID);
    assert_int_equal(cm_broad_add_many(NULL, boxes, 0, 1, NULL, ids), CM_INVALID);
    assert_int_equal(cm_broad_add_many(b, NULL, 0, 1, NULL, ids), CM_INVALID);
    assert_int_equal(cm_broad_add_many(b, NULL, 0, 0, NULL, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 10, NULL, ids), CM_OK);
    for (uint32_t count = 0; count <= 10; count += 5) { /* none, few, many */
        const cm_status right = count ? CM_INVALID : CM_OK;
        assert_int_equal(cm_broad_move_many(NULL, ids, boxes, 0, count), CM_INVALID);
        assert_int_equal(cm_broad_move_many(b, NULL, boxes, 0, count), right);
        assert_int_equal(cm_broad_move_many(b, ids, NULL, 0, count), right);
    }
    assert_int_equal(cm_broad_move(NULL, ids[0], boxes), CM_INVALID);
    assert_int_equal(cm_broad_move(b, ids[0], NULL), CM_INVALID);
    assert_int_equal(cm_broad_remove(NULL, ids[0]), CM_STALE_ID);
    assert_int_equal(cm_broad_set_filter(NULL, ids[0], 1, 1), CM_STALE_ID);
    assert_int_equal(cm_broad_set_fixed(NULL, ids[0], true), CM_STALE_ID);
    assert_int_equal(cm_broad_set_user(NULL, ids[0], 1), CM_STALE_ID);
    assert_int_equal(cm_broad_get(NULL, ids[0], &object), CM_STALE_ID);
    assert_int_equal(cm_broad_get(b, ids[0], NULL), CM_STALE_ID);
    assert_int_equal(cm_broad_count(NULL), 0);
    assert_int_equal(cm_broad_count(b), 10);
    cm_broad_destroy(b);
}

/* --- moving many ------------------------------------------------------------------------------------------------- */

enum { CROWD = 40 };

static cm_aabb whole_box(rng *r) {
    const cm_vec3 at = cm_v((cm_real)rng_below(r, 7), (cm_real)rng_below(r, 7), (cm_real)rng_below(r, 7));
    cm_aabb box = {at, cm_add(at, cm_v(1, 1, 1))};
    if (rng_below(r, 40) == 0) box.max.x = (cm_real)INFINITY;
    return box;
}

static void check_alike(cm_broad *a, cm_broad *b, const uint32_t *ids, const char *what) {
    cm_broad_changes of_a, of_b;
    cm_broad_pair_view all_a, all_b;
    cm_broad_stats stats;
    cm_broad_get_stats(a, &stats);
    check_counts(b, stats.objects, stats.fixed, stats.unbounded);
    for (int i = 0; i < CROWD; ++i) {
        cm_broad_object_desc got_a, got_b;
        assert_int_equal(cm_broad_get(a, ids[i], &got_a), CM_OK);
        assert_int_equal(cm_broad_get(b, ids[i], &got_b), CM_OK);
        check_that(memcmp(&got_a.box, &got_b.box, sizeof got_a.box) == 0, "%s: box %d", what, i);
    }
    assert_int_equal(cm_broad_update(a), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    if (cm_broad_get_changes(a, &of_a) == CM_OK) {
        assert_int_equal(cm_broad_get_changes(b, &of_b), CM_OK);
        check_that(of_a.began.count == of_b.began.count && of_a.ended.count == of_b.ended.count,
                   "%s: %zu and %zu began, %zu and %zu ended", what, of_a.began.count, of_b.began.count,
                   of_a.ended.count, of_b.ended.count);
    }
    assert_int_equal(cm_broad_find_pairs(a, CM_BROAD_SORTED, &all_a), CM_OK);
    assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &all_b), CM_OK);
    check_that(all_a.count == all_b.count, "%s: %zu and %zu pairs", what, all_a.count, all_b.count);
    assert_memory_equal(all_a.pairs, all_b.pairs, all_a.count * sizeof *all_a.pairs);
}

/* A run of slots side by side, in order or shuffled, every other, or any, or static ones alone, with repeats, of which
 * the last one counts; boxes side by side or with something between. Some were moved just before, some become unbounded
 * and come back. With a bad one among them nothing moves. */
static void many_moved_at_once_are_as_if_moved_one_by_one(void **state) {
    (void)state;
    rng r = rng_start("moves", 13);
    for (int kind = 0; kind < 2 * BROADS; ++kind) {
        cm_broad *many = new_broad(kind / 2, kind % 2, NULL), *one = new_broad(kind / 2, kind % 2, NULL);
        uint32_t ids[CROWD];
        for (int i = 0; i < CROWD; ++i) {
            const cm_broad_object_desc object = {.box = whole_box(&r), .fixed = i % 3 == 0};
            assert_int_equal(cm_broad_add(many, &object, &ids[i]), CM_OK);
            assert_int_equal(cm_broad_add(one, &object, &ids[i]), CM_OK);
        }
        check_alike(many, one, ids, "start");
        for (int round = 0; round < 60; ++round) {
            const uint32_t count = 1 + rng_below(&r, CROWD / 2), first = rng_below(&r, CROWD - count);
            const uint32_t order = rng_below(&r, 5);
            uint32_t some[CROWD];
            cm_aabb boxes[CROWD];
            char what[80];
            snprintf(what, sizeof what, "%s, round %d: %u from %u on, order %u", broads_name(kind / 2), round, count,
                     first, order);
            for (uint32_t i = 0; i < count; ++i) {
                boxes[i] = whole_box(&r);
                const uint32_t at[] = {first + i, first + i, first % 2 + 2 * i, rng_below(&r, CROWD),
                                       3 * rng_below(&r, CROWD / 3)};
                some[i] = ids[at[order]];
            }
            for (uint32_t i = 1; i < count && order == 1; ++i) {
                const uint32_t k = rng_below(&r, i + 1), id = some[i];
                some[i] = some[k], some[k] = id;
            }
            for (uint32_t i = rng_below(&r, 4); i > 0 && i < 3; --i) {
                const uint32_t id = ids[rng_below(&r, CROWD)];
                const cm_aabb box = whole_box(&r);
                assert_int_equal(cm_broad_move(many, id, &box), CM_OK);
                assert_int_equal(cm_broad_move(one, id, &box), CM_OK);
            }
            const uint32_t bad = rng_below(&r, count), id = some[bad];
            const cm_aabb box = boxes[bad];
            some[bad] = round % 2 ? id + (1u << 24) : 0xffffff;
            assert_int_equal(cm_broad_move_many(many, some, boxes, 0, count), CM_STALE_ID);
            some[bad] = id, boxes[bad].min.y = boxes[bad].max.y + 1;
            assert_int_equal(cm_broad_move_many(many, some, boxes, 0, count), CM_INVALID);
            boxes[bad] = box;
            if (round % 4 == 0) check_alike(many, one, ids, what);
            struct {
                cm_aabb box;
                cm_real other;
            } apart[CROWD];
            for (uint32_t i = 0; i < count; ++i) apart[i].box = boxes[i], apart[i].other = (cm_real)NAN;
            const bool strided = round % 3 == 0;
            assert_int_equal(
                cm_broad_move_many(many, some, strided ? &apart[0].box : boxes, strided ? sizeof apart[0] : 0, count),
                CM_OK);
            for (uint32_t i = 0; i < count; ++i) assert_int_equal(cm_broad_move(one, some[i], &boxes[i]), CM_OK);
            check_alike(many, one, ids, what);
        }
        cm_broad_destroy(many), cm_broad_destroy(one);
    }
}

/* Workers that do the last part first. */
static void last_first(void *user, int count, void (*fn)(void *arg, int index, int worker), void *arg) {
    (void)user;
    for (int i = count; i-- > 0;) fn(arg, i, 0);
}

/* Enough for several parts, in each of which ids lie side by side or leave out every other, and of two parts the one
 * ends with the id with which the next begins: of its two boxes the last one counts. */
static void the_last_box_of_a_repeated_id_counts_whoever_stores_it(void **state) {
    (void)state;
    enum { PART = 16384, PARTS = 3, COUNT = 2 * PARTS * PART };
    static cm_aabb boxes[COUNT];
    static uint32_t ids[COUNT], twice[COUNT];
    const cm_tasks tasks = {.workers = 4, .run = last_first};
    for (int kind = 0; kind < 4; ++kind) {
        const uint32_t parts = kind & 1 ? PARTS : 2, step = kind & 2 ? 2 : 1, used = parts * PART - 1;
        const cm_broad_desc desc = {.kind = CM_BROAD_GRID, .tasks = &tasks};
        cm_broad *b = NULL;
        assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
        for (int i = 0; i < COUNT; ++i) boxes[i] = cube(0, 0, 0, 1);
        assert_int_equal(cm_broad_add_many(b, boxes, 0, COUNT, NULL, ids), CM_OK);
        for (uint32_t part = 0, k = 0; part < parts; ++part) {
            const uint32_t end = (uint32_t)((uint64_t)used * (part + 1) / parts);
            for (; k < end; ++k) twice[k] = ids[step * (k - part)], boxes[k] = cube(k, 0, 0, 1);
        }
        assert_int_equal(cm_broad_move_many(b, twice, boxes, 0, used), CM_OK);
        for (uint32_t k = 0; k < used; ++k) {
            cm_broad_object_desc got;
            if (k + 1 < used && twice[k] == twice[k + 1]) continue;
            assert_int_equal(cm_broad_get(b, twice[k], &got), CM_OK);
            check_that(memcmp(&got.box, &boxes[k], sizeof got.box) == 0, "%u parts, every %u: box %u", parts, step, k);
        }
        cm_broad_destroy(b);
    }
}

static void queries_that_are_not_numbers_find_nothing(void **state) {
    (void)state;
    cm_broad *b = new_broad(CM_BROAD_AUTO, false, NULL);
    cm_broad_object_desc object = {.box = cube(0, 0, 0, 1)};
    object.box.max.x = (cm_real)INFINITY;
    uint32_t id;
    assert_int_equal(cm_broad_add(b, &object, &id), CM_OK);
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, 10 * CM_COORD_MAX};
    uint32_t calls = 0;
    for (int i = 0; i < 3; ++i) {
        cm_vec3 p = cm_v(bad[i], 0, 0);
        cm_aabb box = {p, p}, swapped = {cm_v(1, 1, 1), cm_v(-1, -1, -1)};
        uint32_t got;
        if (i == 0) cm_broad_query_box(b, &box, 0, count_find, &calls);
        cm_broad_query_box(b, &swapped, 0, count_find, &calls);
        cm_broad_query_sphere(b, p, 1, 0, count_find, &calls);
        cm_broad_query_sphere(b, cm_v(0, 0, 0), bad[i], 0, count_find, &calls);
        cm_broad_query_sphere(b, cm_v(0, 0, 0), -1, 0, count_find, &calls);
        cm_broad_query_halfspace(b, p, 0, 0, count_find, &calls);
        cm_broad_query_halfspace(b, cm_v(1, 0, 0), bad[i], 0, count_find, &calls);
        cm_broad_raycast(b, p, cm_v(1, 0, 0), 1, 0, count_hit, &calls);
        cm_broad_raycast(b, cm_v(0, 0, 0), p, 1, 0, count_hit, &calls);
        cm_broad_raycast(b, cm_v(0, 0, 0), cm_v(1, 0, 0), (cm_real)NAN, 0, count_hit, &calls);
        cm_broad_raycast(b, cm_v(0, 0, 0), cm_v(1, 0, 0), -1, 0, count_hit, &calls);
        cm_broad_sweep(b, &box, cm_v(1, 0, 0), 1, 0, count_hit, &calls);
        assert_int_equal(cm_broad_nearest(b, p, -1, 0, 1, &got, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, cm_v(0, 0, 0), (cm_real)NAN, 0, 1, &got, NULL), 0);
    }
    assert_int_equal(calls, 0);
    cm_broad_raycast(b, cm_v(-5, 0, 0), cm_v(1, 0, 0), (cm_real)INFINITY, 0, count_hit, &calls);
    assert_int_equal(calls, 1);
    cm_broad_destroy(b);
}

/* --- filters ------------------------------------------------------------------------------------------------- */

static void masked_pairs_are_the_pairs_filtered_afterwards(void **state) {
    (void)state;
    enum { N = 400 };
    rng r = rng_start("masked pairs", 11);
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *all = new_broad(kind, false, NULL), *some = new_broad(kind, false, NULL);
        if (!all) continue;
        uint32_t layers[N], masks[N], id;
        for (int i = 0; i < N; ++i) {
            cm_vec3 p = rng_vec3(&r, 5);
            cm_broad_object_desc object = {.box = cube((double)p.x, (double)p.y, (double)p.z, 0.5)};
            assert_int_equal(cm_broad_add(all, &object, &id), CM_OK);
            layers[i] = object.layer = 1 + rng_below(&r, 15);
            masks[i] = object.mask = 1 + rng_below(&r, 15);
            assert_int_equal(cm_broad_add(some, &object, &id), CM_OK);
        }
        cm_broad_pair_view every, kept;
        assert_int_equal(cm_broad_find_pairs(all, CM_BROAD_SORTED, &every), CM_OK);
        assert_int_equal(cm_broad_find_pairs(some, CM_BROAD_SORTED, &kept), CM_OK);
        size_t n = 0;
        for (size_t i = 0; i < every.count; ++i) {
            uint32_t s = every.pairs[i].a & 0xffffff, t = every.pairs[i].b & 0xffffff;
            if (!(layers[s] & masks[t]) || !(layers[t] & masks[s])) continue;
            assert_true(n < kept.count);
            assert_memory_equal(&kept.pairs[n], &every.pairs[i], sizeof *kept.pairs);
            ++n;
        }
        assert_int_equal(n, kept.count);
        assert_true(n > 50 && n < every.count - 50);
        cm_broad_destroy(all);
        cm_broad_destroy(some);
    }
}

/* --- memory -------------------------------------------------------------------------------------------------- */

/* Adds, moves, updates, removes; true if everything was OK. Wherever an allocation fails the call says so, and the
 * pairs found afterwards are still right. */
static bool memory_story(int number, counting_allocator *c, const cm_aabb *boxes, uint32_t n, size_t expected) {
    cm_broad_desc desc = broads_desc(number);
    desc.changes = true, desc.mem = &c->mem;
    cm_broad *b = NULL;
    bool ok = true;
    cm_status status = cm_broad_create(&desc, &b, NULL);
    if (status == CM_UNSUPPORTED) return true;
    if (status != CM_OK) {
        assert_int_equal(status, CM_NO_MEMORY);
        assert_null(b);
        return false;
    }
    uint32_t *ids = malloc(n * sizeof *ids);
    cm_broad_pair_view view;
    for (int round = 0; round < 3 && ok; ++round) {
        for (uint32_t from = 0; from < n; from += n / 4) {
            status = cm_broad_add_many(b, boxes + from, 0, n / 4, NULL, ids + from);
            if (status != CM_OK) {
                assert_int_equal(status, CM_NO_MEMORY);
                assert_int_equal(cm_broad_count(b), from);
                ok = false;
                status = cm_broad_add_many(b, boxes + from, 0, n / 4, NULL, ids + from);
                assert_int_equal(status, CM_OK); /* only one allocation fails */
            }
            if (cm_broad_update(b) != CM_OK) ok = false;
        }
        status = cm_broad_find_pairs(b, CM_BROAD_SORTED, &view);
        if (status != CM_OK) {
            assert_int_equal(status, CM_NO_MEMORY);
            ok = false;
            assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
        }
        assert_int_equal(view.count, expected);
        for (uint32_t i = 0; i < n; ++i) assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
        if (cm_broad_update(b) != CM_OK) {
            ok = false;
            assert_int_equal(cm_broad_update(b), CM_OK);
        }
        assert_int_equal(pair_count(b), 0);
    }
    cm_broad_destroy(b);
    free(ids);
    return ok;
}

static void a_failed_allocation_anywhere_is_a_status_and_harms_nothing(void **state) {
    (void)state;
    enum { N = 400 };
    rng r = rng_start("failed allocations", 12);
    cm_aabb boxes[N];
    size_t expected = 0;
    for (int i = 0; i < N; ++i) {
        cm_vec3 p = rng_vec3(&r, 4);
        boxes[i] = cube((double)p.x, (double)p.y, (double)p.z, 0.4);
        if (i == 7) boxes[i].max.y = (cm_real)INFINITY;
        for (int j = 0; j < i; ++j) expected += cm_aabb_overlaps(&boxes[i], &boxes[j]);
    }
    for (int kind = 0; kind < BROADS; ++kind) {
        for (size_t fail_at = 1;; ++fail_at) {
            counting_allocator c;
            counting_allocator_start(&c, fail_at);
            bool ok = memory_story(kind, &c, boxes, N, expected);
            assert_int_equal(c.live_blocks, 0);
            assert_int_equal(c.live_bytes, 0);
            if (ok && c.calls < fail_at) break;
            assert_true(fail_at < 5000);
        }
    }
}

static void steady_motion_allocates_nothing(void **state) {
    (void)state;
    enum { N = 3000 };
    static cm_aabb boxes[N];
    static uint32_t ids[N];
    for (int kind = 0; kind < BROADS; ++kind) {
        counting_allocator c;
        counting_allocator_start(&c, 0);
        cm_broad *b = new_broad(kind, true, &c.mem);
        if (!b) continue;
        rng r = {99};
        for (int i = 0; i < N; ++i) {
            cm_vec3 p = rng_vec3(&r, 10);
            boxes[i] = cube((double)p.x, (double)p.y, (double)p.z, 0.5);
        }
        assert_int_equal(cm_broad_add_many(b, boxes, 0, N, NULL, ids), CM_OK);
        size_t calls = 0;
        for (int frame = 0; frame < 120; ++frame) {
            for (int i = 0; i < N; ++i) {
                cm_vec3 p = cm_aabb_center(&boxes[i]);
                cm_vec3 to = cm_add(p, rng_vec3(&r, 0.3));
                boxes[i] = cube((double)cm_clamp(to.x, -10, 10), (double)cm_clamp(to.y, -10, 10),
                                (double)cm_clamp(to.z, -10, 10), 0.5);
            }
            cm_broad_pair_view view;
            assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, N), CM_OK);
            assert_int_equal(cm_broad_update(b), CM_OK);
            assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
            if (frame == 60) calls = c.calls;
            if (frame > 60) {
                check_that(c.calls == calls, "%s: frame %d allocates", broads_name(kind), frame);
            }
        }
        cm_broad_stats stats;
        cm_broad_get_stats(b, &stats);
        check_that(stats.bytes == c.live_bytes, "%s: says %zu bytes, holds %zu", broads_name(kind), stats.bytes,
                   c.live_bytes);
        assert_int_equal(stats.objects, N);
        cm_broad_destroy(b);
        assert_int_equal(c.live_blocks, 0);
    }
}

static void what_there_is_capacity_for_is_added_without_asking_for_memory(void **state) {
    (void)state;
    enum { ROOM = 300 };
    counting_allocator c;
    counting_allocator_start(&c, 0);
    for (int changes = 0; changes < 2; ++changes) {
        cm_broad_desc desc = {.kind = CM_BROAD_GRID, .capacity = ROOM, .changes = changes, .mem = &c.mem};
        cm_broad *b = NULL;
        assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
        const size_t calls = c.calls;
        const cm_broad_object_desc object = {.box = cube(0, 0, 0, 1)};
        uint32_t id;
        for (int i = 0; i < ROOM; ++i) assert_int_equal(cm_broad_add(b, &object, &id), CM_OK);
        assert_int_equal(c.calls, calls);
        cm_broad_destroy(b);
    }
}

/* All pairs of 20,000 would be 1.6 GB. */
static void static_boxes_in_one_place_are_no_pairs_and_take_no_memory(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    cm_aabb box = cube(0, 0, 0, 1), far = cube(10, 0, 0, 1);
    for (int kind = 0; kind < BROADS; kind++) {
        counting_allocator c;
        counting_allocator_start(&c, 0);
        cm_broad *b = new_broad(kind, true, &c.mem);
        cm_broad_object_desc rest = {.box = box, .fixed = true}, mover = {.box = box};
        cm_broad_changes changes;
        uint32_t id;
        for (int i = 0; i < COUNT; i++) assert_int_equal(cm_broad_add(b, &rest, &id), CM_OK);
        assert_int_equal(cm_broad_add(b, &mover, &id), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
        check_that(changes.began.count == COUNT && changes.ended.count == 0, "%s: %zu began, %zu ended",
                   broads_name(kind), changes.began.count, changes.ended.count);
        assert_int_equal(cm_broad_move(b, id, &far), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
        assert_int_equal(changes.ended.count, COUNT);
        check_that(c.peak_bytes < 64u << 20, "%s: %zu bytes", broads_name(kind), c.peak_bytes);
        cm_broad_destroy(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_removed_id_is_stale_and_a_slot_retires_after_255_objects),
        cmocka_unit_test(objects_keep_what_they_were_given),
        cmocka_unit_test(objects_are_counted_as_they_come_change_and_go),
        cmocka_unit_test(the_limit_of_objects_holds),
        cmocka_unit_test(bad_descriptions_name_the_field),
        cmocka_unit_test(bad_boxes_are_refused_and_nothing_changes),
        cmocka_unit_test(each_bad_coordinate_is_told_from_a_bad_box),
        cmocka_unit_test(each_missing_argument_is_refused),
        cmocka_unit_test(many_moved_at_once_are_as_if_moved_one_by_one),
        cmocka_unit_test(the_last_box_of_a_repeated_id_counts_whoever_stores_it),
        cmocka_unit_test(queries_that_are_not_numbers_find_nothing),
        cmocka_unit_test(masked_pairs_are_the_pairs_filtered_afterwards),
        cmocka_unit_test(a_failed_allocation_anywhere_is_a_status_and_harms_nothing),
        cmocka_unit_test(what_there_is_capacity_for_is_added_without_asking_for_memory),
        cmocka_unit_test(steady_motion_allocates_nothing),
        cmocka_unit_test(static_boxes_in_one_place_are_no_pairs_and_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
