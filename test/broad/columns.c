/* Columns where they are delicate: numbers that do not decide, static boxes kept sorted, crowds with grids of their
 * own, two sets; and queries that must not look at everything. Against nested loops. */
#include "broad/broad.h"
#include "support/broads.h"
#include "support/support.h"

#include <math.h>

typedef struct thing {
    cm_aabb box;
    uint32_t id, layer, mask;
    bool fixed;
} thing;

enum { THINGS_MOST = 6000 };
static thing things[THINGS_MOST];
static cm_broad_pair *expected;
static size_t expected_count, expected_room;

static void expect(uint32_t a, uint32_t b) {
    if (expected_count == expected_room) {
        expected_room = expected_room ? 2 * expected_room : 1024;
        expected = realloc(expected, expected_room * sizeof *expected);
        assert_non_null(expected);
    }
    expected[expected_count].a = a, expected[expected_count++].b = b;
}

static int by_ids(const void *a, const void *b) {
    const cm_broad_pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static bool things_pair(const thing *s, const thing *t) {
    return !(s->fixed && t->fixed) && s->layer & t->mask && t->layer & s->mask && cm_aabb_overlaps(&s->box, &t->box);
}

static void expect_within(uint32_t n) {
    expected_count = 0;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = i + 1; k < n; ++k) {
            if (!things_pair(&things[i], &things[k])) continue;
            uint32_t p = things[i].id, q = things[k].id;
            expect(p < q ? p : q, p < q ? q : p);
        }
    }
    if (expected_count) qsort(expected, expected_count, sizeof *expected, by_ids);
}

/* Of the first m with the others up to n. */
static void expect_between(uint32_t m, uint32_t n) {
    expected_count = 0;
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t k = m; k < n; ++k) {
            if (things_pair(&things[i], &things[k])) expect(things[i].id, things[k].id);
        }
    }
    if (expected_count) qsort(expected, expected_count, sizeof *expected, by_ids);
}

static void check_view(cm_broad_pair_view view, const char *what) {
    check_that(view.count == expected_count, "%s: %zu pairs, expected %zu", what, view.count, expected_count);
    for (size_t i = 0; i < view.count; ++i) {
        const cm_broad_pair is = view.pairs[i], should = expected[i];
        check_that(is.a == should.a && is.b == should.b, "%s: pair %zu is %u %u, expected %u %u", what, i, is.a, is.b,
                   should.a, should.b);
    }
}

static void make_thing(thing *t, cm_vec3 center, cm_vec3 half) {
    t->box.min = cm_sub(center, half), t->box.max = cm_add(center, half);
    t->layer = 1, t->mask = UINT32_MAX, t->fixed = false;
}

static void add_thing(cm_broad *b, thing *t) {
    cm_broad_object_desc object = {.box = t->box, .layer = t->layer, .mask = t->mask, .fixed = t->fixed};
    assert_int_equal(cm_broad_add(b, &object, &t->id), CM_OK);
}

static cm_broad *start(int kind, const cm_tasks *tasks) {
    cm_broad_desc desc = broads_desc(kind);
    desc.tasks = tasks;
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    return b;
}

/* --- numbers of sixteen bits ---------------------------------------------------------------------------------- */

/* A lattice of boxes over a thousand units, neighbors of which touch, overlap or miss each other by less than the
 * numbers tell (a sixty-thousandth of two thousand). So what is found hangs on the boxes alone. */
static void gaps_below_the_numbers_are_told_by_the_boxes(void **state) {
    (void)state;
    rng r = rng_start("gaps", 51);
    enum { SIDE = 12 };
    const double step = 1000.0 / SIDE;
    for (int round = 0; round < 6; ++round) {
        cm_broad *b = start(CM_BROAD_GRID, NULL);
        uint32_t n = 0;
        for (int i = 0; i < SIDE * SIDE * SIDE; ++i) {
            const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
            cm_vec3 center, half;
            for (int a = 0; a < 3; ++a) {
                ((cm_real *)&center)[a] = (cm_real)(step * at[a]);
                ((cm_real *)&half)[a] = (cm_real)(step / 2 + (round % 3 == 0 ? 0 : rng_range(&r, -2e-3, 2e-3)));
            }
            make_thing(&things[n], center, half);
            things[n].fixed = round >= 3 && rng_unit(&r) < 0.5;
            add_thing(b, &things[n++]);
        }
        expect_within(n);
        check_that(round % 3 == 0 ? expected_count > 0 : expected_count > 1000, "round %d: %zu pairs", round,
                   expected_count);
        cm_broad_pair_view view;
        assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
        check_view(view, "lattice");
        cm_broad_destroy(b);
    }
}

/* --- static boxes --------------------------------------------------------------------------------------------- */

static void make_crowd(rng *r, uint32_t n, double spread) {
    for (uint32_t i = 0; i < n; ++i) {
        double size = rng_log_range(r, 3e-3, 3);
        cm_vec3 c = rng_vec3(r, i % 3 ? 20 * spread : 20), half;
        for (int a = 0; a < 3; ++a) ((cm_real *)&half)[a] = (cm_real)(size * (1 + rng_unit(r)) / 2);
        make_thing(&things[i], c, half);
    }
}

/* What rests is sorted once and kept: over frames in which only others move, in which one of it moves, goes, comes, or
 * wakes. With crowds dense enough for grids within columns, and loose. */
static void static_boxes_kept_from_frame_to_frame_are_those_there_are(void **state) {
    (void)state;
    rng r = rng_start("static", 52);
    for (int dense = 0; dense < 2; ++dense) {
        const uint32_t n = dense ? 4200 : 2500, every = dense ? 2 : 5;
        make_crowd(&r, n, dense ? 0.02 : 1);
        cm_broad *b = start(CM_BROAD_GRID, NULL);
        for (uint32_t i = 0; i < n; ++i) {
            things[i].fixed = i % every != 0;
            add_thing(b, &things[i]);
        }
        for (int frame = 0; frame < (dense ? 4 : 9); ++frame) {
            cm_broad_pair_view view;
            char what[60];
            snprintf(what, sizeof what, "%s, frame %d", dense ? "dense" : "loose", frame);
            expect_within(n);
            assert_true(expected_count > 100);
            assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
            check_view(view, what);
            for (uint32_t i = 0; i < n; i += every) {
                cm_vec3 by = cm_scale(rng_vec3(&r, 1), CM_REAL(0.1));
                things[i].box.min = cm_add(things[i].box.min, by), things[i].box.max = cm_add(things[i].box.max, by);
                assert_int_equal(cm_broad_move(b, things[i].id, &things[i].box), CM_OK);
            }
            thing *one = &things[n / 2 + 1];
            if (frame == 2 || frame == 6) { /* a static one moves to where others are */
                one->box = things[7].box;
                assert_int_equal(cm_broad_move(b, one->id, &one->box), CM_OK);
            } else if (frame == 3) {
                assert_int_equal(cm_broad_remove(b, one->id), CM_OK);
                one->box = things[3].box;
                add_thing(b, one);
            } else if (frame == 4 || frame == 5) {
                one->fixed = frame == 5;
                assert_int_equal(cm_broad_set_fixed(b, one->id, one->fixed), CM_OK);
            }
        }
        cm_broad_destroy(b);
    }
}

/* --- two sets -------------------------------------------------------------------------------------------------- */

static void two_sets_meet_as_nested_loops_say(void **state) {
    (void)state;
    rng r = rng_start("two sets", 53);
    static const uint32_t firsts[] = {1, 30, 700, 2400, 4770, 3100};
    const cm_broad_kind kinds[] = {CM_BROAD_AUTO, CM_BROAD_GRID, CM_BROAD_BVH, CM_BROAD_BSP};
    const uint32_t n = 4800;
    for (int round = 0; round < 12; ++round) {
        const uint32_t m = firsts[round % 6];
        make_crowd(&r, n, round < 6 ? 1 : 0.02);
        const cm_broad_kind kind = kinds[round % 4];
        cm_broad *a = start((int)kind, NULL), *b = start((int)kind, NULL);
        for (uint32_t i = 0; i < n; ++i) {
            if (i % 7 == 0) things[i].fixed = true;
            if (i % 11 == 0) things[i].layer = 2, things[i].mask = 5;
            if (i % 13 == 2) things[i].mask = 6; /* wanted by the others, but wants them not */
            if (i >= m && round % 2) {           /* sets that meet at their ends only */
                const cm_real far = round < 6 ? 25 : CM_REAL(0.5);
                const cm_vec3 by = cm_v(far, far, 0);
                things[i].box.min = cm_add(things[i].box.min, by), things[i].box.max = cm_add(things[i].box.max, by);
            }
            if (i % 997 == 3) things[i].box.max.y = CM_REAL_MAX;
            if (i % 1201 == 5) { /* everywhere: those of both sets meet each other, too */
                things[i].box.min = cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX);
                things[i].box.max = cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX);
            }
            add_thing(i < m ? a : b, &things[i]);
        }
        expect_between(m, n);
        cm_broad_pair_view view;
        char what[60];
        for (int again = 0; again < 2; ++again) {
            assert_int_equal(cm_broad_find_pairs_between(a, b, CM_BROAD_SORTED, &view), CM_OK);
            snprintf(what, sizeof what, "%u with %u, crowd %d", m, n - m, round / 6);
            check_view(view, what);
        }
        for (size_t i = 0; i < expected_count; ++i) {
            const cm_broad_pair pair = expected[i];
            expected[i].a = pair.b, expected[i].b = pair.a;
        }
        if (expected_count) qsort(expected, expected_count, sizeof *expected, by_ids);
        assert_int_equal(cm_broad_find_pairs_between(b, a, CM_BROAD_SORTED, &view), CM_OK);
        check_view(view, "the other way round");
        cm_broad_destroy(a), cm_broad_destroy(b);
    }
}

/* --- looking at little ------------------------------------------------------------------------------------------ */

typedef struct looker {
    cm__visitor base;
    const cm_aabb *window;
    uint32_t looks, taken;
} looker;

static double looker_bound(const cm__visitor *v, const cm_aabb *box) {
    looker *l = (looker *)(uintptr_t)v;
    ++l->looks;
    return cm_aabb_overlaps(l->window, box) ? 0 : 1;
}

static bool looker_take(cm__visitor *v, uint32_t slot, double key) {
    (void)slot, (void)key;
    ++((looker *)v)->taken;
    return true;
}

/* A bound that says nothing of parts of a box is what a frustum has. */
static void a_bound_of_whole_boxes_still_leaves_most_of_the_structure_out(void **state) {
    (void)state;
    rng r = rng_start("looks", 54);
    enum { COUNT = 6000 };
    make_crowd(&r, COUNT, 1);
    const cm_aabb window = {cm_v(5, 5, 5), cm_v(8, 8, 8)};
    uint32_t within = 0;
    for (uint32_t i = 0; i < COUNT; ++i) within += cm_aabb_overlaps(&window, &things[i].box);
    for (int kind = CM_BROAD_OCTREE; kind < BROADS; ++kind) {
        cm_broad *b = start(kind, NULL);
        for (uint32_t i = 0; i < COUNT; ++i) add_thing(b, &things[i]);
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_aabb all = {cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX), cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX)};
        looker l = {.window = &window};
        l.base = (cm__visitor){b, all, 0, UINT32_MAX, 0, false, true, looker_bound, looker_take, NULL, 0};
        b->ops->visit(b, &l.base);
        const char *name = broads_name(kind);
        check_that(l.taken == within, "%s: %u taken, expected %u", name, l.taken, within);
        /* of 60 crowds a bsp took 0.25 looks a box, 0.41 at most, the others 0.04 */
        check_that(l.looks < COUNT / 2, "%s: %u looks", name, l.looks);
        cm_broad_destroy(b);
    }
}

typedef struct met {
    uint32_t ids[400];
    cm_real at[400];
    uint32_t count, most;
} met;

static cm_real met_note(void *context, uint32_t id, cm_real t) {
    met *m = context;
    m->ids[m->count] = id, m->at[m->count++] = t;
    return m->count == m->most ? -1 : CM_REAL_MAX;
}

/* Rays and moving boxes through dozens of columns, far from the origin too: the same objects at the same times in the
 * same order as from all boxes one by one. */
static void rays_through_many_columns_meet_what_they_meet_one_by_one(void **state) {
    (void)state;
    rng r = rng_start("rays through columns", 55);
    enum { COUNT = 6000 };
    for (int far = 0; far < 2; ++far) {
        const cm_vec3 by = far ? cm_v(3000, -2000, 1000) : cm_v(0, 0, 0);
        cm_broad *grid = start(CM_BROAD_GRID, NULL), *brute = start(CM_BROAD_BRUTE, NULL);
        for (int i = 0; i < COUNT; ++i) {
            cm_broad_object_desc object = {.fixed = i % 3 == 0};
            object.box.min = cm_add(rng_vec3(&r, 40), by);
            object.box.max = cm_add(object.box.min, cm_v((cm_real)rng_range(&r, 0, 3), 1, 2));
            uint32_t id;
            assert_int_equal(cm_broad_add(grid, &object, &id), CM_OK);
            assert_int_equal(cm_broad_add(brute, &object, &id), CM_OK);
        }
        assert_int_equal(cm_broad_update(grid), CM_OK);
        assert_int_equal(cm_broad_update(brute), CM_OK);
        cm_broad_stats stats;
        cm_broad_get_stats(grid, &stats);
        assert_true(stats.nodes >= 12);
        uint32_t hits = 0;
        for (int i = 0; i < samples(2000, 100000); ++i) {
            cm_aabb box;
            box.min = cm_add(rng_vec3(&r, 50), by);
            box.max = cm_add(box.min, i % 2 ? cm_v(1, 2, 1) : cm_v(0, 0, 0));
            cm_vec3 move = rng_vec3(&r, 10);
            if (i % 5 == 0) move.x = 0;
            if (i % 7 == 0) move.z = 0;
            const cm_real limit = i % 3 ? CM_REAL_MAX : 3;
            met one = {.most = 1 + rng_below(&r, 399)}, other = {.most = one.most};
            cm_broad_sweep(grid, &box, move, limit, 0, met_note, &one);
            cm_broad_sweep(brute, &box, move, limit, 0, met_note, &other);
            check_that(one.count == other.count, "ray %d: %u objects, not %u", i, one.count, other.count);
            assert_memory_equal(one.ids, other.ids, one.count * sizeof *one.ids);
            assert_memory_equal(one.at, other.at, one.count * sizeof *one.at);
            hits += one.count;
        }
        check_that(2 * hits > (uint32_t)samples(2000, 100000), "%u hits", hits);
        cm_broad_destroy(grid), cm_broad_destroy(brute);
    }
}

/* --- changes ---------------------------------------------------------------------------------------------------- */

static void keep_expected(cm_broad_pair **out, size_t *count) {
    *count = expected_count;
    *out = malloc((expected_count + 1) * sizeof **out);
    assert_non_null(*out);
    if (expected_count) memcpy(*out, expected, expected_count * sizeof **out);
}

static void check_without(cm_broad_pair_view view, const cm_broad_pair *of, size_t count, const cm_broad_pair *without,
                          size_t without_count, const char *what) {
    expected_count = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!bsearch(&of[i], without, without_count, sizeof *without, by_ids)) expect(of[i].a, of[i].b);
    }
    check_view(view, what);
}

static bool met_id(void *context, uint32_t id) {
    met *m = context;
    m->ids[m->count++] = id;
    return m->count < m->most;
}

/* The ids of what a query around a point finds, against all boxes one by one. */
static void check_query(const cm_broad *b, cm_vec3 center, uint32_t n, const char *what) {
    const cm_vec3 half = cm_v(CM_REAL(0.2), CM_REAL(0.2), CM_REAL(0.2));
    const cm_aabb around = {cm_sub(center, half), cm_add(center, half)}, *box = &around;
    met found = {.most = 400};
    cm_broad_query_box(b, box, 0, met_id, &found);
    uint32_t should = 0;
    for (uint32_t i = 0; i < n; ++i) {
        if (!cm_aabb_overlaps(&things[i].box, box)) continue;
        ++should;
        bool has = false;
        for (uint32_t k = 0; k < found.count; ++k) has |= found.ids[k] == things[i].id;
        check_that(has, "%s: object %u is missing", what, i);
    }
    check_that(found.count == should, "%s: %u objects, not %u", what, found.count, should);
}

/* Boxes around the places of before and now serve the changes and the queries: filled once a frame. All pairs are those
 * of the boxes themselves, for which the columns are filled again. What was removed, static or far is no reason to be
 * wrong either. */
static void one_fill_serves_changes_and_queries(void **state) {
    (void)state;
    rng r = rng_start("one fill", 56);
    const uint32_t n = 2500;
    make_crowd(&r, n, 1);
    cm_broad_desc desc = {.kind = CM_BROAD_GRID, .changes = true};
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    for (uint32_t i = 0; i < n; ++i) {
        things[i].fixed = i % 7 == 3;
        if (i % 11 == 5) things[i].layer = 2, things[i].mask = 1;
        add_thing(b, &things[i]);
    }
    assert_int_equal(cm_broad_update(b), CM_OK);
    assert_false(b->around);
    expect_within(n);
    cm_broad_pair *before, *now;
    size_t before_count, now_count;
    keep_expected(&before, &before_count);
    for (int frame = 0; frame < 12; ++frame) {
        char what[60];
        snprintf(what, sizeof what, "frame %d", frame);
        for (uint32_t i = 0; i < n; ++i) {
            if (things[i].fixed && !(frame == 5 && i % 2)) continue;
            cm_vec3 size = cm_sub(things[i].box.max, things[i].box.min);
            cm_vec3 by = cm_scale(rng_vec3(&r, 1), CM_REAL(0.2) * cm_largest(size));
            if (frame == 7) by = rng_vec3(&r, 5);
            things[i].box.min = cm_add(things[i].box.min, by), things[i].box.max = cm_add(things[i].box.max, by);
            assert_int_equal(cm_broad_move(b, things[i].id, &things[i].box), CM_OK);
        }
        if (frame == 3) {
            assert_int_equal(cm_broad_remove(b, things[9].id), CM_OK);
            add_thing(b, &things[9]);
        }
        if (frame == 9) {
            things[20].layer = 4, things[20].mask = 0xf0;
            assert_int_equal(cm_broad_set_filter(b, things[20].id, 4, 0xf0), CM_OK);
        }
        assert_int_equal(cm_broad_update(b), CM_OK);
        check_that(b->around == (frame != 3 && frame != 5 && frame != 7), "%s: around %d", what, b->around);
        expect_within(n);
        keep_expected(&now, &now_count);
        cm_broad_changes did;
        assert_int_equal(cm_broad_get_changes(b, &did), CM_OK);
        assert_true(did.began.count > 20 && did.ended.count > 20);
        check_without(did.began, now, now_count, before, before_count, what);
        check_without(did.ended, before, before_count, now, now_count, what);
        for (uint32_t i = 0; i < n; i += 50) check_query(b, things[i].box.min, n, what);
        if (frame % 2) {
            cm_broad_pair_view view;
            assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
            expect_within(n);
            check_view(view, what);
            assert_false(b->around);
            for (uint32_t i = 0; i < n; i += 50) check_query(b, things[i].box.min, n, what);
        }
        free(before);
        before = now, before_count = now_count;
    }
    free(before);
    cm_broad_destroy(b);
}

/* Everything moves in one call, whose boxes then take the place of those before: by random steps, or by steps of 1/128
 * on such a lattice, where boxes often just touch, now or before; loosely or in a crowd that has grids within grids. In
 * some frames it moves twice, one alone moves first, or something else happens too. */
static void all_that_move_in_one_call_have_their_changes(void **state) {
    (void)state;
    rng r = rng_start("all at once", 57);
    enum { MOST = 2100 }; /* enough for grids within grids */
    static cm_aabb boxes[MOST];
    static uint32_t ids[MOST];
    const cm_broad_kind kinds[] = {CM_BROAD_GRID, CM_BROAD_GRID, CM_BROAD_GRID, CM_BROAD_BVH};
    for (int round = 0; round < 4; ++round) {
        const bool lattice = round == 1, dense = round == 2;
        const uint32_t n = dense ? MOST : 1100;
        make_crowd(&r, n, dense ? 0.02 : 1);
        cm_broad_desc desc = {.kind = kinds[round], .changes = true};
        cm_broad *b = NULL;
        assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
        for (uint32_t i = 0; i < n; ++i) {
            things[i].fixed = false, things[i].layer = 1, things[i].mask = UINT32_MAX;
            cm_real *sides = &things[i].box.min.x;
            for (int k = 0; lattice && k < 6; ++k) sides[k] = (cm_real)floor((double)sides[k] * 128) / 128;
            add_thing(b, &things[i]);
        }
        assert_int_equal(cm_broad_update(b), CM_OK);
        expect_within(n);
        cm_broad_pair *before, *now;
        size_t before_count, now_count;
        keep_expected(&before, &before_count);
        for (int frame = 0; frame < 11; ++frame) {
            char what[60];
            snprintf(what, sizeof what, "round %d, frame %d", round, frame);
            if (frame == 2) assert_int_equal(cm_broad_move(b, things[7].id, &things[n - 1].box), CM_OK);
            for (uint32_t i = 0; frame == 3 && i < n; i += 8) { /* these slots stay empty */
                assert_int_equal(cm_broad_remove(b, things[i].id), CM_OK);
                add_thing(b, &things[i]);
            }
            for (int again = 0; again <= (frame == 1); ++again) {
                for (uint32_t i = 0; i < n; ++i) {
                    const cm_vec3 size = cm_sub(things[i].box.max, things[i].box.min);
                    cm_vec3 by = cm_scale(rng_vec3(&r, 1), CM_REAL(0.2) * cm_largest(size));
                    if (frame == 7) by = rng_vec3(&r, 5);
                    if (lattice)
                        by =
                            cm_v((cm_real)floor((double)by.x * 128) / 128, 0, (cm_real)floor((double)by.z * 128) / 128);
                    things[i].box.min = cm_add(things[i].box.min, by);
                    things[i].box.max = cm_add(things[i].box.max, by);
                    boxes[i] = things[i].box, ids[i] = things[i].id;
                }
                assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, n), CM_OK);
            }
            for (uint32_t i = 0; frame == 9 && i < n; i += 3) {
                things[i].layer = 4, things[i].mask = 0xf0;
                assert_int_equal(cm_broad_set_filter(b, things[i].id, 4, 0xf0), CM_OK);
            }
            for (uint32_t i = 0; (frame == 5 || frame == 6) && i < n; i += 2) { /* half are static for a while */
                things[i].fixed = frame == 5;
                assert_int_equal(cm_broad_set_fixed(b, things[i].id, frame == 5), CM_OK);
            }
            assert_int_equal(cm_broad_update(b), CM_OK);
            expect_within(n);
            keep_expected(&now, &now_count);
            cm_broad_changes did;
            assert_int_equal(cm_broad_get_changes(b, &did), CM_OK);
            assert_true(did.began.count > 0 && did.ended.count > 0);
            check_without(did.began, now, now_count, before, before_count, what);
            check_without(did.ended, before, before_count, now, now_count, what);
            for (uint32_t i = 0; !dense && i < n; i += 200) check_query(b, things[i].box.min, n, what);
            free(before);
            before = now, before_count = now_count;
        }
        free(before);
        cm_broad_destroy(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_below_the_numbers_are_told_by_the_boxes),
        cmocka_unit_test(static_boxes_kept_from_frame_to_frame_are_those_there_are),
        cmocka_unit_test(two_sets_meet_as_nested_loops_say),
        cmocka_unit_test(rays_through_many_columns_meet_what_they_meet_one_by_one),
        cmocka_unit_test(a_bound_of_whole_boxes_still_leaves_most_of_the_structure_out),
        cmocka_unit_test(one_fill_serves_changes_and_queries),
        cmocka_unit_test(all_that_move_in_one_call_have_their_changes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(expected);
    return failed;
}
