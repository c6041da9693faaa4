/* What queries refuse, where they end, and in which order they tell: each kind, also before an update and with
 * unbounded boxes. What they find is asked in touching.c, program.c and boundaries.c. */
#include "support/broads.h"
#include "support/support.h"

#include <math.h>

enum { MOST = 2200 };

static cm_broad *filled(int kind, const cm_aabb *boxes, uint32_t count, uint32_t *ids) {
    cm_broad_desc desc = broads_desc(kind);
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, count, NULL, ids), CM_OK);
    return b;
}

/* --- what is refused --------------------------------------------------------------------------------------------- */

enum { BAD_BROAD = 1, BAD_FN = 2 };

/* Calls of all queries, each with one argument of `bad` in place of a good one; how often they called and what they
 * returned, added up. Good ones find all there is. */
static uint32_t ask_box(const cm_broad *b, cm_aabb box, int without) {
    uint32_t calls = 0;
    const uint32_t n =
        cm_broad_query_box(without == BAD_BROAD ? NULL : b, &box, 0, without == BAD_FN ? NULL : count_find, &calls);
    return n == calls ? n : 1000 + n + calls;
}
static uint32_t ask_sphere(const cm_broad *b, cm_vec3 center, cm_real radius, int without) {
    uint32_t calls = 0;
    const uint32_t n = cm_broad_query_sphere(without == BAD_BROAD ? NULL : b, center, radius, 0,
                                             without == BAD_FN ? NULL : count_find, &calls);
    return n == calls ? n : 1000 + n + calls;
}
static uint32_t ask_planes(const cm_broad *b, const cm_vec3 *normals, const cm_real *d, int count, int without) {
    uint32_t calls = 0;
    const uint32_t n = cm_broad_query_frustum(without == BAD_BROAD ? NULL : b, normals, d, count, 0,
                                              without == BAD_FN ? NULL : count_find, &calls);
    return n == calls ? n : 1000 + n + calls;
}
static uint32_t ask_sweep(const cm_broad *b, const cm_aabb *box, cm_vec3 move, cm_real limit, int without) {
    uint32_t calls = 0;
    const uint32_t n = cm_broad_sweep(without == BAD_BROAD ? NULL : b, box, move, limit, 0,
                                      without == BAD_FN ? NULL : count_hit, &calls);
    return n == calls ? n : 1000 + n + calls;
}
static uint32_t ask_near(const cm_broad *b, cm_vec3 point, cm_real most, uint32_t capacity, int without) {
    uint32_t ids[8];
    return cm_broad_nearest(without == BAD_BROAD ? NULL : b, point, most, 0, capacity, without == BAD_FN ? NULL : ids,
                            NULL);
}

static void check_refusals(const cm_broad *b, uint32_t all) {
    const cm_real nan = (cm_real)NAN, inf = (cm_real)INFINITY, beyond = CM_COORD_MAX * (1 + CM_REAL_EPSILON);
    const cm_real bad[] = {nan, inf, -inf, beyond, -beyond};
    const cm_aabb point = {cm_v(0, 0, 0), cm_v(0, 0, 0)};
    const cm_vec3 o = point.min, along = cm_v(1, 0, 0), normals[33] = {along, along};
    const cm_real d[33] = {0};
    for (int without = 0; without < 3; ++without) {
        const uint32_t right = without ? 0 : all;
        assert_int_equal(ask_box(b, point, without), right);
        assert_int_equal(ask_sphere(b, o, 0, without), right);
        assert_int_equal(ask_sphere(b, o, CM_COORD_MAX, without), right);
        assert_int_equal(ask_planes(b, normals, d, 1, without), right);
        assert_int_equal(ask_planes(b, normals, d, 32, without), right);
        assert_int_equal(ask_sweep(b, &point, along, 0, without), right);
        assert_int_equal(ask_sweep(b, &point, along, inf, without), right);
        assert_int_equal(ask_near(b, o, 0, 8, without), right);
        assert_int_equal(ask_near(b, o, -1, 1, without), without ? 0 : 1);
    }
    assert_int_equal(ask_planes(b, NULL, d, 1, 0), 0);
    assert_int_equal(ask_planes(b, normals, NULL, 1, 0), 0);
    assert_int_equal(ask_planes(b, normals, d, 0, 0), 0);
    assert_int_equal(ask_planes(b, normals, d, 33, 0), 0);
    assert_int_equal(ask_sweep(b, NULL, along, 1, 0), 0);
    assert_int_equal(ask_sweep(b, &point, along, nan, 0), 0);
    assert_int_equal(ask_sweep(b, &point, along, -1, 0), 0);
    assert_int_equal(ask_near(b, o, nan, 8, 0), 0);
    assert_int_equal(ask_near(b, o, -1, 0, 0), 0);
    uint32_t calls = 0;
    assert_int_equal(cm_broad_query_box(b, NULL, 0, count_find, &calls), 0);
    assert_int_equal(calls, 0);
    for (int axis = 0; axis < 3; ++axis) {
        cm_aabb swapped = point;
        ((cm_real *)&swapped.max)[axis] = -CM_REAL_MIN;
        assert_int_equal(ask_box(b, swapped, 0), 0);
        assert_int_equal(ask_sweep(b, &swapped, along, 1, 0), 0);
        for (int i = 0; i < 5; ++i) {
            cm_vec3 p = o, more[2] = {along, o};
            cm_real off[2] = {0, bad[i]};
            ((cm_real *)&p)[axis] = bad[i], ((cm_real *)&more[1])[axis] = bad[i];
            const cm_aabb low = {p, o}, high = {o, p};
            assert_int_equal(ask_sphere(b, p, 1, 0), 0);
            assert_int_equal(ask_sphere(b, o, bad[i], 0), 0);
            assert_int_equal(ask_planes(b, more, d, 2, 0), 0);
            assert_int_equal(ask_planes(b, normals, off, 2, 0), 0);
            assert_int_equal(ask_sweep(b, &point, p, 1, 0), 0);
            assert_int_equal(ask_sweep(b, &low, along, 1, 0), 0);
            assert_int_equal(ask_sweep(b, &high, along, 1, 0), 0);
            assert_int_equal(ask_near(b, p, -1, 8, 0), 0);
            if (i > 0) continue; /* a box may reach anywhere */
            assert_int_equal(ask_box(b, low, 0), 0);
            assert_int_equal(ask_box(b, high, 0), 0);
        }
    }
}

static void each_argument_that_is_no_good_is_refused(void **state) {
    (void)state;
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_aabb boxes[3] = {{cm_v(-1, -1, -1), cm_v(1, 1, 1)}, {cm_v(0, 0, 0), cm_v(0, 0, 0)}};
        boxes[2].min = cm_v(-1, -1, -1), boxes[2].max = cm_v((cm_real)INFINITY, 1, 1);
        cm_broad *b = filled(kind, boxes, 3, NULL);
        check_refusals(b, 3);
        assert_int_equal(cm_broad_update(b), CM_OK);
        check_refusals(b, 3);
        cm_broad_destroy(b);
    }
}

/* --- where they end ---------------------------------------------------------------------------------------------- */

typedef struct ending {
    uint32_t calls, last; /* after so many calls the callback wants no more */
    cm_real farewell;     /* a sweep's callback says so by this */
} ending;

static bool end_find(void *context, uint32_t id) {
    ending *e = context;
    (void)id;
    return ++e->calls < e->last;
}
static cm_real end_hit(void *context, uint32_t id, cm_real t) {
    ending *e = context;
    (void)id, (void)t;
    return ++e->calls < e->last ? CM_REAL_MAX : e->farewell;
}

static void a_callback_ends_its_query_at_once(void **state) {
    (void)state;
    enum { COUNT = 60 };
    cm_aabb boxes[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        boxes[i].min = cm_v(-1, -1, -1), boxes[i].max = cm_v((cm_real)(i % 7), 1, 1);
        if (i % 20 == 3) boxes[i].max.y = (cm_real)INFINITY;
    }
    const cm_aabb box = {cm_v(-1, -1, -1), cm_v(9, 9, 9)};
    const cm_vec3 o = cm_v(0, 0, 0), along = cm_v(1, 0, 0), normals[2] = {along, along};
    const cm_real d[2] = {0, 0};
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = filled(kind, boxes, COUNT, NULL);
        for (int fresh = 1; fresh >= 0; --fresh) {
            if (!fresh) assert_int_equal(cm_broad_update(b), CM_OK);
            for (uint32_t last = 1; last <= COUNT; ++last) {
                ending e[6] = {{0, last, -1}, {0, last, -1}, {0, last, -1},
                               {0, last, -1}, {0, last, -1}, {0, last, (cm_real)NAN}};
                const uint32_t said[6] = {cm_broad_query_box(b, &box, 0, end_find, &e[0]),
                                          cm_broad_query_sphere(b, o, 9, 0, end_find, &e[1]),
                                          cm_broad_query_frustum(b, normals, d, 2, 0, end_find, &e[2]),
                                          cm_broad_query_halfspace(b, along, 0, 0, end_find, &e[3]),
                                          cm_broad_sweep(b, &box, along, 1, 0, end_hit, &e[4]),
                                          cm_broad_sweep(b, &box, along, 1, 0, end_hit, &e[5])};
                for (int i = 0; i < 6; ++i)
                    check_that(said[i] == last && e[i].calls == last, "%s, query %d: %u calls, %u said, %u wanted",
                               broads_name(kind), i, e[i].calls, said[i], last);
            }
        }
        cm_broad_destroy(b);
    }
}

/* --- in which order ---------------------------------------------------------------------------------------------- */

typedef struct told {
    uint32_t count, ids[MOST];
    cm_real at[MOST], stop; /* at `stop` it looks no farther */
} told;

static cm_real tell(void *context, uint32_t id, cm_real t) {
    told *o = context;
    assert_true(o->count < MOST);
    o->ids[o->count] = id, o->at[o->count++] = t;
    return t >= o->stop * (1 - 4 * CM_REAL_EPSILON) ? t : CM_REAL_MAX;
}

/* Nearest first, equals by id; `by` its distance, by index. */
static void check_order(const told *o, const uint32_t *ids, const cm_real *by, uint32_t count, cm_real last,
                        const char *what) {
    uint32_t within = 0;
    for (uint32_t i = 0; i < count; ++i) within += by[i] <= last;
    check_that(o->count == within, "%s: %u told, not %u", what, o->count, within);
    for (uint32_t i = 0; i < o->count; ++i) {
        const uint32_t k = o->ids[i] & 0xffffff;
        assert_true(k < count && ids[k] == o->ids[i]);
        check_that(cm_abs(o->at[i] - by[k]) <= by[k] * 4 * CM_REAL_EPSILON, "%s: " REAL_FORMAT " for " REAL_FORMAT,
                   what, (double)o->at[i], (double)by[k]);
        check_that(i == 0 || o->at[i] > o->at[i - 1] || (o->at[i] == o->at[i - 1] && o->ids[i] > o->ids[i - 1]),
                   "%s: hit %u is out of order", what, i);
    }
}

/* So many at each of some whole distances along x, in a random order: as many as the first rounds of an ordered query
 * hold, one more and one less; a few thousand at one place. */
static void hits_and_neighbors_come_nearest_first_and_by_id(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 7, 8, 9, 31, 32, 33, 40, 129, 2048, 2049};
    static cm_aabb boxes[MOST];
    static cm_real by[MOST];
    static uint32_t ids[MOST];
    static told o;
    rng r = rng_start("places", 51);
    for (int kind = 0; kind < BROADS; ++kind) {
        for (size_t c = 0; c < 2 * sizeof counts / sizeof *counts; ++c) {
            const uint32_t count = counts[c / 2], places = c % 2 ? 1 + count / 3 : 1;
            if (count > 200 && c % 2) continue;
            for (uint32_t i = 0; i < count; ++i) {
                by[i] = (cm_real)(2 + rng_below(&r, places));
                boxes[i].min = cm_v(by[i], -1, -1), boxes[i].max = cm_v(by[i] + (cm_real)rng_below(&r, 2), 1, 1);
            }
            cm_broad *b = filled(kind, boxes, count, ids);
            assert_int_equal(cm_broad_update(b), CM_OK);
            char what[80];
            snprintf(what, sizeof what, "%s, %u at %u places", broads_name(kind), count, places);
            for (int k = 0; k < 3; ++k) { /* all, those up to a hit, those up to a limit */
                const cm_real last = by[rng_below(&r, count)];
                o.count = 0, o.stop = k == 1 ? last : CM_REAL_MAX;
                const uint32_t said =
                    cm_broad_raycast(b, cm_v(0, 0, 0), cm_v(1, 0, 0), k == 2 ? last : CM_REAL_MAX, 0, tell, &o);
                assert_int_equal(said, o.count);
                check_order(&o, ids, by, count, k ? last : CM_REAL_MAX, what);
                o.count = cm_broad_nearest(b, cm_v(0, 0, 0), k ? last : -1, 0, MOST, o.ids, o.at);
                check_order(&o, ids, by, count, k ? last : CM_REAL_MAX, what);
            }
            for (int k = 0; k < 3; ++k) { /* room for one less, for all, for one more */
                const uint32_t room = count - 1 + (uint32_t)k, right = room < count ? room : count;
                told few = {.count = 0};
                few.count = cm_broad_nearest(b, cm_v(0, 0, 0), -1, 0, room, few.ids, NULL);
                check_that(few.count == right, "%s: %u of %u", what, few.count, right);
                o.count = cm_broad_nearest(b, cm_v(0, 0, 0), -1, 0, MOST, o.ids, o.at);
                assert_memory_equal(few.ids, o.ids, right * sizeof *o.ids);
            }
            cm_broad_destroy(b);
        }
    }
}

/* Many boxes in more columns than a query puts in order, and a hundred in a layer of their own all over them: they are
 * neighbors of a point and met by a wide box on its way, each as far as it is. */
static void few_among_many_are_told_nearest_first(void **state) {
    (void)state;
    enum { COUNT = 50000, FEW = 100, SIDE = 1000 };
    static told o;
    rng r = rng_start("crowd", 52);
    cm_broad_desc desc = broads_desc(CM_BROAD_GRID);
    cm_broad *b = NULL;
    cm_aabb few[FEW];
    cm_real near[FEW], ahead[FEW];
    uint32_t ids[FEW];
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    for (int i = 0; i < COUNT; ++i) {
        cm_broad_object_desc object = {.layer = i < FEW ? 2 : 1};
        object.box.min = cm_v((cm_real)rng_below(&r, SIDE), (cm_real)rng_below(&r, SIDE), (cm_real)rng_below(&r, SIDE));
        object.box.max = cm_add(object.box.min, cm_v(1, 1, 1));
        uint32_t id;
        assert_int_equal(cm_broad_add(b, &object, &id), CM_OK);
        if (i < FEW) few[i] = object.box, ids[i] = id;
    }
    assert_int_equal(cm_broad_update(b), CM_OK);
    cm_broad_stats stats;
    cm_broad_get_stats(b, &stats);
    assert_true(stats.nodes > 64);
    const cm_vec3 p = cm_v(SIDE / 3, SIDE / 2, 10);
    for (int i = 0; i < FEW; ++i) {
        const cm_vec3 to = cm_vec3_max(cm_sub(few[i].min, p), cm_sub(p, few[i].max));
        const cm_vec3 gap = cm_vec3_max(to, cm_v(0, 0, 0));
        near[i] = (cm_real)sqrt((double)cm_dot(gap, gap)), ahead[i] = few[i].min.x + 1;
    }
    o.count = cm_broad_nearest(b, p, -1, 2, MOST, o.ids, o.at);
    check_order(&o, ids, near, FEW, CM_REAL_MAX, "all neighbors");
    const cm_real tenth = o.at[9];
    assert_true(o.at[10] > tenth);
    o.count = cm_broad_nearest(b, p, -1, 2, 10, o.ids, o.at);
    check_order(&o, ids, near, FEW, tenth, "ten neighbors");
    const cm_aabb wide = {cm_v(-2, 0, 0), cm_v(-1, SIDE, SIDE)};
    o.count = 0, o.stop = CM_REAL_MAX;
    cm_broad_sweep(b, &wide, cm_v(1, 0, 0), CM_REAL_MAX, 2, tell, &o);
    check_order(&o, ids, ahead, FEW, CM_REAL_MAX, "on the way");
    cm_broad_destroy(b);
}

/* Without a limit a ray tells what it meets, not what lies beside it or behind. */
static void what_is_never_met_is_not_told(void **state) {
    (void)state;
    const cm_aabb boxes[3] = {
        {cm_v(1, -1, -1), cm_v(2, 1, 1)}, {cm_v(1, 3, -1), cm_v(2, 4, 1)}, {cm_v(-2, -1, -1), cm_v(-1, 1, 1)}};
    const cm_real limits[2] = {CM_REAL_MAX, (cm_real)INFINITY};
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = filled(kind, boxes, 3, NULL);
        for (int i = 0; i < 4; ++i) {
            uint32_t ids[3], calls = 0;
            if (i == 2) assert_int_equal(cm_broad_update(b), CM_OK);
            cm_broad_raycast(b, cm_v(0, 0, 0), cm_v(1, 0, 0), limits[i % 2], 0, count_hit, &calls);
            check_that(calls == 1, "%s: %u met", broads_name(kind), calls);
            assert_int_equal(cm_broad_nearest(b, cm_v(0, 0, 0), limits[i % 2], 0, 3, ids, NULL), 3);
        }
        cm_broad_destroy(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_argument_that_is_no_good_is_refused),
        cmocka_unit_test(a_callback_ends_its_query_at_once),
        cmocka_unit_test(hits_and_neighbors_come_nearest_first_and_by_id),
        cmocka_unit_test(few_among_many_are_told_nearest_first),
        cmocka_unit_test(what_is_never_met_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
