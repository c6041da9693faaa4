/* Values at the limits that broad.h states: they are within, and what is next beyond them is not. */
#include "support/broads.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

static cm_real next_real(cm_real x, cm_real to) {
#if defined(CAROM_F64)
    return nextafter(x, to);
#else
    return nextafterf(x, to);
#endif
}

/* --- descriptions ------------------------------------------------------------------------------------------------ */

static void descriptions_may_reach_their_limits(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX, inf = (cm_real)INFINITY;
    const struct {
        cm_broad_desc at, beyond;
        const char *field;
    } cases[] = {
        {{.kind = (cm_broad_kind)(CM_BROAD_KIND_COUNT - 1)}, {.kind = CM_BROAD_KIND_COUNT}, "kind"},
        {{.limit = 0xffffff}, {.limit = 0x1000000}, "limit"},
        {{.capacity = 0xffffff}, {.capacity = 0x1000000}, "capacity"},
        {{.cell = most}, {.cell = next_real(most, inf)}, "cell"},
        {{.levels = 40}, {.levels = 41}, "levels"},
        {{.loose = 8}, {.loose = next_real(8, inf)}, "loose"},
        {{.loose = next_real(1, inf)}, {.loose = 1}, "loose"},
        {{.plane = 3}, {.plane = 4}, "plane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cm_broad *b = NULL;
        cm_error error = {CM_OK, NULL, 0};
        counting_allocator c;
        counting_allocator_start(&c, 1); /* a refusal comes before any memory is asked for: here there is none */
        cm_broad_desc desc = cases[i].at;
        desc.mem = &c.mem;
        cm_status status = cm_broad_create(&desc, &b, &error);
        check_that(status == CM_NO_MEMORY, "%s at its limit: %s", cases[i].field, cm_status_text(status));
        desc = cases[i].beyond;
        desc.mem = &c.mem;
        status = cm_broad_create(&desc, &b, &error);
        check_that(status == CM_INVALID, "%s beyond its limit: %s", cases[i].field, cm_status_text(status));
        assert_string_equal(error.field, cases[i].field);
    }
}

/* --- coordinates ------------------------------------------------------------------------------------------------- */

/* A box that begins where valid coordinates end reaches into them with that one side: it is kept and found there. One
 * that begins an ulp beyond is refused. */
static void boxes_may_begin_where_coordinates_end(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX, inf = (cm_real)INFINITY;
    for (int kind = 0; kind < BROADS; ++kind) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int side = -1; side <= 1; side += 2) {
                cm_broad_desc desc = broads_desc(kind);
                cm_broad *b = NULL;
                cm_broad_pair_view view;
                cm_status status = cm_broad_create(&desc, &b, NULL);
                assert_int_equal(status, CM_OK);
                cm_aabb open = {cm_v(-1, -1, -1), cm_v(1, 1, 1)}, flat = open, beyond = open;
                const cm_real end = (cm_real)side * most, past = next_real(end, (cm_real)side * inf);
                ((cm_real *)&open.min)[axis] = side > 0 ? end : -inf;
                ((cm_real *)&open.max)[axis] = side > 0 ? inf : end;
                ((cm_real *)&flat.min)[axis] = ((cm_real *)&flat.max)[axis] = end; /* wholly within */
                ((cm_real *)&beyond.min)[axis] = side > 0 ? past : -inf;
                ((cm_real *)&beyond.max)[axis] = side > 0 ? inf : past;
                const cm_aabb both[2] = {open, flat};
                status = cm_broad_add_many(b, both, 0, 2, NULL, NULL);
                check_that(status == CM_OK, "%s, axis %d, side %d: %s", broads_name(kind), axis, side,
                           cm_status_text(status));
                assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
                check_that(view.count == 1, "%s, axis %d, side %d: %zu pairs", broads_name(kind), axis, side,
                           view.count);
                assert_int_equal(cm_broad_add_many(b, &beyond, 0, 1, NULL, NULL), CM_NOT_FINITE);
                cm_broad_pair_list list = {0};
                cm_broad_pairs_desc once = {.kind = desc.kind};
                assert_int_equal(cm_broad_pairs(both, 2, &once, &list), CM_OK);
                assert_int_equal(list.count, 1);
                cm_broad_pair_list_free(&list, NULL);
                cm_broad_destroy(b);
            }
        }
    }
}

/* --- queries ----------------------------------------------------------------------------------------------------- */

enum { COPIES = 5, PLANES = 32 };

static cm_broad *copies_of_a_box(int kind) {
    cm_broad_desc desc = broads_desc(kind);
    cm_broad *b = NULL;
    cm_aabb boxes[COPIES];
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    for (int i = 0; i < COPIES; ++i) boxes[i].min = cm_v(-1, -1, -1), boxes[i].max = cm_v(1, 1, 1);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, COPIES, NULL, NULL), CM_OK);
    return b;
}

static cm_real no_farther(void *context, uint32_t id, cm_real t) {
    (void)id;
    ++*(uint32_t *)context;
    return t;
}

/* A callback that looks no farther than what it was told gets all that are as near: also at 0, where the ray begins in
 * all of them. */
static void a_limit_of_the_hit_itself_keeps_its_equals(void **state) {
    (void)state;
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = copies_of_a_box(kind);
        const cm_aabb box = {cm_v(0, 0, 0), cm_v(0, 0, 0)};
        uint32_t inside = 0, before = 0, swept = 0;
        assert_int_equal(cm_broad_raycast(b, cm_v(0, 0, 0), cm_v(1, 0, 0), 1, 0, no_farther, &inside), COPIES);
        assert_int_equal(cm_broad_raycast(b, cm_v(-2, 0, 0), cm_v(1, 0, 0), 1, 0, no_farther, &before), COPIES);
        assert_int_equal(cm_broad_sweep(b, &box, cm_v(0, 1, 0), 0, 0, no_farther, &swept), COPIES);
        check_that(inside == COPIES && before == COPIES && swept == COPIES, "%s: %u, %u and %u of %d",
                   broads_name(kind), inside, before, swept, COPIES);
        cm_broad_destroy(b);
    }
}

/* As many half-spaces as may be, each touched by the boxes, which lie outside by no more than nothing. */
static void a_frustum_may_have_as_many_planes_as_stated(void **state) {
    (void)state;
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = copies_of_a_box(kind);
        cm_vec3 normals[PLANES + 1];
        cm_real d[PLANES + 1];
        for (int i = 0; i <= PLANES; ++i) normals[i] = cm_v(0, 0, i % 2 ? -1 : 1), d[i] = 1;
        uint32_t found = 0;
        cm_broad_query_frustum(b, normals, d, PLANES, 0, count_find, &found);
        check_that(found == COPIES, "%s: %u of %d in %d planes", broads_name(kind), found, COPIES, PLANES);
        assert_int_equal(cm_broad_query_frustum(b, normals, d, PLANES + 1, 0, count_find, &found), 0);
        d[PLANES - 1] = next_real(1, 2); /* the last one's plane is an ulp off */
        assert_int_equal(cm_broad_query_frustum(b, normals, d, PLANES, 0, count_find, &found), 0);
        d[0] = CM_COORD_MAX; /* still a number */
        d[PLANES - 1] = -CM_COORD_MAX;
        assert_int_equal(cm_broad_query_frustum(b, normals, d, 1, 0, count_find, &found), 0);
        assert_int_equal(cm_broad_query_frustum(b, normals + PLANES - 1, d + PLANES - 1, 1, 0, count_find, &found),
                         COPIES);
        cm_broad_destroy(b);
    }
}

/* --- the limit of pairs ------------------------------------------------------------------------------------------ */

static cm_broad *limited(int kind, size_t limit, bool changes, const cm_tasks *tasks) {
    cm_broad_desc desc = broads_desc(kind);
    cm_broad *b = NULL;
    desc.pair_limit = limit, desc.changes = changes, desc.tasks = tasks;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    return b;
}

/* Boxes of edge 1, each `step` beside the one before, so that each overlaps what lies up to 1 / step after it. */
static void limited_place(cm_broad *b, const uint32_t *ids, uint32_t count, cm_real step) {
    for (uint32_t i = 0; i < count; ++i) {
        const cm_real x = (cm_real)i * step;
        const cm_aabb box = {cm_v(x, 0, 0), cm_v(x + 1, 1, 1)};
        assert_int_equal(cm_broad_move(b, ids[i], &box), CM_OK);
    }
}

static void limited_check(int kind, uint32_t count, cm_real step, size_t pairs, bool changes, const cm_tasks *tasks) {
    uint32_t *ids = malloc(count * sizeof *ids);
    cm_aabb *boxes = malloc(count * sizeof *boxes);
    for (uint32_t i = 0; i < count; ++i) boxes[i].min = cm_v(0, 0, 0), boxes[i].max = cm_v(1, 1, 1);
    for (size_t limit = pairs - 1; limit <= pairs + 1; ++limit) {
        cm_broad *b = limited(kind, limit, changes, tasks);
        const cm_status right = limit < pairs ? CM_LIMIT : CM_OK;
        cm_broad_pair_view view = {NULL, 0};
        cm_broad_changes did;
        assert_int_equal(cm_broad_add_many(b, boxes, 0, count, NULL, ids), CM_OK);
        limited_place(b, ids, count, step);
        for (int again = 0; again < 2; ++again) {
            const cm_status found = cm_broad_find_pairs(b, 0, &view);
            check_that(found == right, "%s: %zu pairs, limit %zu: %s", broads_name(kind), pairs, limit,
                       cm_status_text(found));
            check_that(right != CM_OK || view.count == pairs, "%s: %zu of %zu", broads_name(kind), view.count, pairs);
        }
        limited_place(b, ids, count, 2); /* all apart: nothing is in the way any more */
        const cm_status apart = cm_broad_find_pairs(b, 0, &view);
        check_that(apart == CM_OK && view.count == 0, "%s: %s", broads_name(kind), cm_status_text(apart));
        if (changes) {
            assert_int_equal(cm_broad_get_changes(b, &did), CM_OK);
            assert_int_equal(did.began.count, 0);
            assert_int_equal(did.ended.count, right == CM_OK ? pairs : 0);
        }
        cm_broad_destroy(b);
    }
    free(boxes), free(ids);
}

/* As many pairs as the limit are answered, one more is not: few at one point, more than there is room for in a block,
 * and a chain that several workers find. */
static void the_limit_of_pairs_is_exact(void **state) {
    (void)state;
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    for (int kind = 0; kind < BROADS; ++kind) {
        for (int changes = 0; changes < 2; ++changes) {
            limited_check(kind, 3, 0, 3, changes, NULL);
            limited_check(kind, 5, 0, 10, changes, NULL);
            limited_check(kind, 150, 0, 11175, changes, NULL);
            limited_check(kind, 9000, CM_REAL(0.75), 8999, changes, &tasks);
        }
    }
    cm_pool_destroy(pool);
}

/* Two sets: 3 boxes and 4 boxes at one point are 12 pairs between them, whatever each has of its own. */
static void the_limit_between_two_is_exact(void **state) {
    (void)state;
    for (int kind = 0; kind < BROADS; ++kind) {
        for (size_t limit = 11; limit <= 13; ++limit) {
            cm_broad *a = limited(kind, limit, false, NULL), *b = limited(CM_BROAD_BVH, 6, false, NULL);
            const cm_aabb boxes[4] = {{{0, 0, 0}, {0, 0, 0}}};
            cm_broad_pair_view view = {NULL, 0};
            assert_int_equal(cm_broad_add_many(a, boxes, 0, 3, NULL, NULL), CM_OK);
            assert_int_equal(cm_broad_add_many(b, boxes, 0, 4, NULL, NULL), CM_OK);
            const cm_status found = cm_broad_find_pairs_between(a, b, 0, &view);
            check_that(found == (limit < 12 ? CM_LIMIT : CM_OK), "%s: limit %zu: %s", broads_name(kind), limit,
                       cm_status_text(found));
            check_that(limit < 12 || view.count == 12, "%s: %zu pairs", broads_name(kind), view.count);
            cm_broad_destroy(a), cm_broad_destroy(b);
        }
    }
}

/* Static boxes are no pairs, and those that have become static are none either. */
static void pairs_of_static_boxes_do_not_count(void **state) {
    (void)state;
    enum { ALL = 30, STILL = 29 };
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = limited(kind, STILL, true, NULL);
        uint32_t ids[ALL];
        const cm_aabb boxes[ALL] = {{{0, 0, 0}, {0, 0, 0}}};
        assert_int_equal(cm_broad_add_many(b, boxes, 0, ALL, NULL, ids), CM_OK);
        limited_place(b, ids, ALL, 2);
        assert_int_equal(cm_broad_update(b), CM_OK);
        limited_place(b, ids, ALL, 0);
        assert_int_equal(cm_broad_update(b), CM_LIMIT); /* 435 */
        for (int i = 0; i < STILL; ++i) assert_int_equal(cm_broad_set_fixed(b, ids[i], true), CM_OK);
        cm_status status = cm_broad_update(b); /* 29: each of them with the last */
        check_that(status == CM_OK, "%s: %s", broads_name(kind), cm_status_text(status));
        for (int i = 0; i < STILL; ++i) assert_int_equal(cm_broad_set_fixed(b, ids[i], false), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_LIMIT);
        limited_place(b, ids, ALL, 2);
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_broad_destroy(b);
    }
}

/* Bars along y and bars along z: each bar of the one kind comes where no bar of the other ever was at the same time, so
 * that only the boxes around both places of each overlap. One pair there is all the time. */
static void places_at_other_times_do_not_count(void **state) {
    (void)state;
    enum { BARS = 12 };
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = limited(kind, 1, true, NULL);
        cm_aabb boxes[2 * BARS];
        uint32_t ids[2 * BARS];
        cm_broad_changes did;
        for (int step = 0; step < 3; ++step) {
            for (int i = 0; i < BARS; ++i) {
                const cm_real at = (cm_real)(2 * i), x = (cm_real)step * CM_REAL(0.4);
                boxes[i].min = cm_v(x, 0, at), boxes[i].max = cm_v(x + 1, 2 * BARS, at + 1);
                boxes[BARS + i].min = cm_v(x + CM_REAL(1.2), at, 0);
                boxes[BARS + i].max = cm_v(x + CM_REAL(2.2), at + 1, 2 * BARS);
            }
            boxes[2 * BARS - 1] = boxes[0]; /* the pair */
            if (!step) assert_int_equal(cm_broad_add_many(b, boxes, 0, 2 * BARS, NULL, ids), CM_OK);
            if (step) assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, 2 * BARS), CM_OK);
            const cm_status status = cm_broad_update(b);
            check_that(status == CM_OK, "%s, step %d: %s", broads_name(kind), step, cm_status_text(status));
            assert_int_equal(cm_broad_get_changes(b, &did), CM_OK);
            assert_int_equal(did.began.count, step == 0);
            assert_int_equal(did.ended.count, 0);
        }
        cm_broad_destroy(b);
    }
}

/* Boxes that come one by one, each update asking only about the new one: refused from the first beyond the limit on,
 * and all is well once they part. Pairs that layers keep apart may be too many or not, and are left as well. */
static void a_crowd_that_grew_one_by_one_can_part(void **state) {
    (void)state;
    enum { CROWD = 100, LIMIT = 2000 }; /* 63 boxes are 1953 pairs, 64 are 2016 */
    for (int kind = 0; kind < BROADS; ++kind) {
        for (int apart = 0; apart < 2; ++apart) {
            cm_broad *b = limited(kind, LIMIT, true, NULL);
            uint32_t ids[CROWD], held = 0;
            cm_broad_changes did;
            for (uint32_t i = 0; i < CROWD; ++i) {
                const cm_broad_object_desc d = {
                    .box = {cm_v(0, 0, 0), cm_v(1, 1, 1)}, .layer = 1, .mask = apart ? 2 : 1};
                assert_int_equal(cm_broad_add(b, &d, &ids[i]), CM_OK);
                const cm_status status = cm_broad_update(b), right = i < 63 ? CM_OK : CM_LIMIT;
                check_that(status == right || (apart && i >= 63 && status == CM_OK), "%s: %u boxes: %s",
                           broads_name(kind), i + 1, cm_status_text(status));
                if (status == CM_OK) held = i + 1;
            }
            limited_place(b, ids, CROWD, 2);
            const cm_status status = cm_broad_update(b);
            check_that(status == CM_OK, "%s: %s", broads_name(kind), cm_status_text(status));
            assert_int_equal(cm_broad_get_changes(b, &did), CM_OK);
            assert_int_equal(did.ended.count, apart ? 0 : held * (held - 1) / 2);
            cm_broad_destroy(b);
        }
    }
}

/* Among 200 cubes in a row, 2 apart, three move at once, which are few: each leaves nothing and comes to touch its
 * neighbor, and goes back. */
static void each_of_a_few_that_move_has_its_changes(void **state) {
    (void)state;
    enum { ROW = 200, FEW = 3 };
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = limited(kind, 0, true, NULL);
        cm_aabb boxes[ROW];
        uint32_t ids[ROW];
        cm_broad_changes did;
        for (int i = 0; i < ROW; ++i)
            boxes[i].min = cm_v((cm_real)(3 * i), 0, 0), boxes[i].max = cm_v((cm_real)(3 * i + 1), 1, 1);
        assert_int_equal(cm_broad_add_many(b, boxes, 0, ROW, NULL, ids), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        for (int back = 0; back < 2; ++back) {
            for (int k = 0; k < FEW; ++k) {
                cm_aabb box = boxes[20 + 60 * k];
                if (!back) box.min.x += 2, box.max.x += 2;
                assert_int_equal(cm_broad_move(b, ids[20 + 60 * k], &box), CM_OK);
            }
            assert_int_equal(cm_broad_update(b), CM_OK);
            assert_int_equal(cm_broad_get_changes(b, &did), CM_OK);
            check_that(did.began.count == (back ? 0 : FEW) && did.ended.count == (back ? FEW : 0),
                       "%s, back %d: %zu began, %zu ended", broads_name(kind), back, did.began.count, did.ended.count);
        }
        assert_int_equal(cm_broad_get_changes(NULL, &did), CM_INVALID);
        assert_int_equal(cm_broad_get_changes(b, NULL), CM_INVALID);
        cm_broad_destroy(b);
    }
}

/* --- order ------------------------------------------------------------------------------------------------------- */

/* 300 boxes at one place, of which the first slots were used up to 250 times: ids, whose highest bits count that,
 * differ in these bits alone or hardly at all, and the pairs still come in order. */
static void pairs_of_slots_used_again_come_in_order(void **state) {
    (void)state;
    enum { CROWD = 300, PAIRS = CROWD * (CROWD - 1) / 2 };
    for (uint32_t used = 0; used < 3; ++used) {
        cm_broad *b = limited(0, 0, false, NULL);
        const cm_broad_object_desc d = {.box = {cm_v(0, 0, 0), cm_v(1, 1, 1)}};
        uint32_t ids[CROWD];
        for (uint32_t i = 0; i < CROWD; ++i) assert_int_equal(cm_broad_add(b, &d, &ids[i]), CM_OK);
        for (uint32_t i = 0; i < 2 * used; ++i) {
            for (uint32_t k = 0; k < 125 * used; ++k) {
                assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
                assert_int_equal(cm_broad_add(b, &d, &ids[i]), CM_OK);
            }
        }
        cm_broad_pair_view view;
        assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
        assert_int_equal(view.count, PAIRS);
        for (size_t i = 0; i < view.count; ++i) {
            const cm_broad_pair pair = view.pairs[i], last = view.pairs[i ? i - 1 : 0];
            check_that(pair.a < pair.b, "pair %zu: %x %x", i, pair.a, pair.b);
            check_that(!i || pair.a > last.a || (pair.a == last.a && pair.b > last.b),
                       "used %u, pair %zu: %x %x, %x %x", used, i, last.a, last.b, pair.a, pair.b);
        }
        cm_broad_destroy(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_of_a_few_that_move_has_its_changes),
        cmocka_unit_test(pairs_of_slots_used_again_come_in_order),
        cmocka_unit_test(the_limit_of_pairs_is_exact),
        cmocka_unit_test(the_limit_between_two_is_exact),
        cmocka_unit_test(pairs_of_static_boxes_do_not_count),
        cmocka_unit_test(places_at_other_times_do_not_count),
        cmocka_unit_test(a_crowd_that_grew_one_by_one_can_part),
        cmocka_unit_test(descriptions_may_reach_their_limits),
        cmocka_unit_test(boxes_may_begin_where_coordinates_end),
        cmocka_unit_test(a_limit_of_the_hit_itself_keeps_its_equals),
        cmocka_unit_test(a_frustum_may_have_as_many_planes_as_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
