/* Boxes that touch exactly: in each axis, from each side, at faces, edges and corners, all in whole numbers, so that
 * touching is decided by equal numbers. Each kind: pairs, two sets, one shot, changes and every query. One ulp apart
 * they do not touch. Touching counts everywhere (broad.h: boxes are closed). */
#include "support/broads.h"
#include "support/support.h"

enum { SIDE = 6, BOXES = SIDE * SIDE * SIDE, POINTS = 60, ALL = BOXES + POINTS };

/* A lattice of unit boxes, in a random order, each touching the 26 around it: in each axis the number of pairs of
 * columns that touch or are the same is 3 SIDE - 2, ordered; so ((3 SIDE - 2)^3 - SIDE^3) / 2 pairs. And points at
 * corners of the lattice. */
typedef struct lattice {
    cm_aabb boxes[ALL];
} lattice;
#define LATTICE_PAIRS (((3 * SIDE - 2) * (3 * SIDE - 2) * (3 * SIDE - 2) - BOXES) / 2)

static void lattice_make(lattice *l, rng *r) {
    int place[BOXES];
    for (int i = 0; i < BOXES; ++i) {
        int other = (int)rng_below(r, (uint32_t)i + 1);
        place[i] = place[other], place[other] = i;
    }
    for (int i = 0; i < ALL; ++i) {
        cm_aabb *box = &l->boxes[i];
        if (i < BOXES) {
            int k = place[i];
            box->min = cm_v((cm_real)(k % SIDE), (cm_real)(k / SIDE % SIDE), (cm_real)(k / SIDE / SIDE));
            box->max = cm_add(box->min, cm_v(1, 1, 1));
        } else {
            for (int a = 0; a < 3; ++a) ((cm_real *)&box->min)[a] = (cm_real)rng_below(r, SIDE + 1);
            box->max = box->min;
        }
    }
}

/* One ulp less at the upper side along the axes of a mask: those that touch there are apart then. */
static cm_aabb shrunk(cm_aabb box, int axes) {
    for (int a = 0; a < 3; ++a) {
        cm_real *max = &((cm_real *)&box.max)[a];
        if (axes >> a & 1 && *max > ((cm_real *)&box.min)[a]) *max -= *max * CM_REAL_EPSILON / 2;
    }
    return box;
}

static bool touch(const cm_aabb *p, const cm_aabb *q) {
    return p->min.x <= q->max.x && q->min.x <= p->max.x && p->min.y <= q->max.y && q->min.y <= p->max.y &&
           p->min.z <= q->max.z && q->min.z <= p->max.z;
}
static size_t pairs_within(const cm_aabb *boxes, int count) {
    size_t n = 0;
    for (int i = 0; i < count; ++i)
        for (int k = i + 1; k < count; ++k) n += touch(&boxes[i], &boxes[k]);
    return n;
}

static cm_broad *filled(int kind, const cm_aabb *boxes, int count, uint32_t *ids) {
    cm_broad_desc desc = broads_desc(kind);
    desc.changes = true;
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, (uint32_t)count, NULL, ids), CM_OK);
    return b;
}
static size_t pairs_found(cm_broad *b) {
    cm_broad_pair_view view;
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    return view.count;
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

static void boxes_that_touch_are_pairs_and_one_ulp_apart_are_none(void **state) {
    (void)state;
    rng r = rng_start("lattice", 301);
    lattice l;
    lattice_make(&l, &r);
    assert_int_equal(pairs_within(l.boxes, BOXES), LATTICE_PAIRS);
    for (int kind = 0; kind < BROADS; ++kind) {
        const char *name = broads_name(kind);
        for (int axes = 0; axes < 8; ++axes) {
            cm_aabb boxes[ALL];
            for (int i = 0; i < ALL; ++i) boxes[i] = shrunk(l.boxes[i], axes);
            size_t within = pairs_within(boxes, BOXES), all = pairs_within(boxes, ALL);
            assert_true(axes == 0 ? within == LATTICE_PAIRS : within < LATTICE_PAIRS);
            assert_true(axes != 7 || within == 0);
            uint32_t ids[ALL];
            cm_broad *b = filled(kind, boxes, ALL, ids);
            size_t found = pairs_found(b);
            check_that(found == all, "%s, axes %d: %zu pairs, not %zu", name, axes, found, all);
            cm_broad_destroy(b);
            cm_broad_pairs_desc desc = {.kind = broads_desc(kind).kind};
            cm_broad_pair_list list = {0};
            assert_int_equal(cm_broad_pairs(boxes, ALL, &desc, &list), CM_OK);
            check_that(list.count == all, "%s, axes %d, once: %zu pairs, not %zu", name, axes, list.count, all);
            cm_broad_pair_list_free(&list, NULL);
        }
    }
}

static void boxes_of_two_sets_that_touch_are_pairs(void **state) {
    (void)state;
    rng r = rng_start("two lattices", 302);
    lattice l;
    lattice_make(&l, &r);
    for (int axes = 0; axes < 8; ++axes) {
        for (int first = 1; first < ALL; first = first * 3 + 7) {
            cm_aabb boxes[ALL];
            for (int i = 0; i < ALL; ++i) boxes[i] = shrunk(l.boxes[i], axes);
            size_t between = 0;
            for (int i = 0; i < first; ++i)
                for (int k = first; k < ALL; ++k) between += touch(&boxes[i], &boxes[k]);
            for (int kind = 0; kind < BROADS; ++kind) {
                const char *name = broads_name(kind);
                cm_broad *a = filled(kind, boxes, first, NULL);
                cm_broad *b = filled(kind, boxes + first, ALL - first, NULL);
                for (int fresh = 1; fresh >= 0; --fresh) { /* before and after an update */
                    cm_broad_pair_view view;
                    assert_int_equal(cm_broad_find_pairs_between(a, b, 0, &view), CM_OK);
                    check_that(view.count == between, "%s, axes %d, %d first: %zu pairs, not %zu", name, axes, first,
                               view.count, between);
                    assert_int_equal(cm_broad_update(a), CM_OK);
                    assert_int_equal(cm_broad_update(b), CM_OK);
                }
                cm_broad_destroy(a), cm_broad_destroy(b);
                cm_broad_pairs_desc desc = {.kind = broads_desc(kind).kind};
                cm_broad_pair_list list = {0};
                assert_int_equal(cm_broad_pairs_between(boxes, (uint32_t)first, boxes + first, (uint32_t)(ALL - first),
                                                        &desc, &list),
                                 CM_OK);
                check_that(list.count == between, "%s, axes %d, %d first, once: %zu pairs, not %zu", name, axes, first,
                           list.count, between);
                cm_broad_pair_list_free(&list, NULL);
            }
        }
    }
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

static void check_change(cm_broad *b, size_t began, size_t ended, const char *what) {
    cm_broad_changes changes;
    assert_int_equal(cm_broad_update(b), CM_OK);
    assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
    check_that(changes.began.count == began && changes.ended.count == ended,
               "%s: %zu began and %zu ended, not %zu and %zu", what, changes.began.count, changes.ended.count, began,
               ended);
}

/* All boxes draw back along some axes by an ulp and come back: pairs end and begin. Boxes carried far away and back are
 * looked for in another way than those that move little; few of many in a third. */
static void what_comes_to_touch_begins_and_what_leaves_ends(void **state) {
    (void)state;
    rng r = rng_start("changes", 303);
    for (int round = 0; round < 2; ++round) {
        lattice l;
        lattice_make(&l, &r);
        const size_t all = pairs_within(l.boxes, ALL);
        for (int kind = 0; kind < BROADS; ++kind) {
            uint32_t ids[ALL];
            char what[80];
            cm_broad *b = filled(kind, l.boxes, ALL, ids);
            snprintf(what, sizeof what, "%s, start", broads_name(kind));
            check_change(b, all, 0, what);
            for (int axes = 1; axes < 8; ++axes) {
                cm_aabb boxes[ALL];
                for (int i = 0; i < ALL; ++i) boxes[i] = shrunk(l.boxes[i], axes);
                const size_t left = pairs_within(boxes, ALL);
                for (int few = 0; few < 2; ++few) { /* one after the other, or all at once */
                    for (int i = 0; i < ALL; i += few ? 11 : ALL) {
                        cm_aabb now[ALL];
                        memcpy(now, few ? l.boxes : boxes, sizeof now);
                        if (few) now[i] = boxes[i];
                        const size_t rest = few ? pairs_within(now, ALL) : left;
                        snprintf(what, sizeof what, "%s, axes %d, box %d", broads_name(kind), axes, few ? i : -1);
                        assert_int_equal(
                            cm_broad_move_many(b, ids + (few ? i : 0), now + (few ? i : 0), 0, few ? 1 : ALL), CM_OK);
                        check_change(b, 0, all - rest, what);
                        assert_int_equal(cm_broad_move_many(b, ids, l.boxes, 0, ALL), CM_OK);
                        check_change(b, all - rest, 0, what);
                    }
                }
            }
            for (int few = 0; few < 2; ++few) { /* far away */
                const int moved = few ? ALL / 10 : ALL;
                cm_aabb far[ALL];
                memcpy(far, l.boxes, sizeof far);
                for (int i = 0; i < moved; ++i) {
                    const cm_vec3 by = cm_v((cm_real)(100 * i + 1000), 0, 0);
                    far[i].min = cm_add(far[i].min, by), far[i].max = cm_add(far[i].max, by);
                }
                const size_t left = pairs_within(far, ALL);
                snprintf(what, sizeof what, "%s, far", broads_name(kind));
                assert_int_equal(cm_broad_move_many(b, ids, far, 0, (uint32_t)moved), CM_OK);
                check_change(b, 0, all - left, what);
                assert_int_equal(cm_broad_move_many(b, ids, l.boxes, 0, (uint32_t)moved), CM_OK);
                check_change(b, all - left, 0, what);
            }
            cm_broad_destroy(b);
        }
    }
}

/* Few of many come to touch others, and memory runs out while the pairs that begin are collected: the update says so,
 * and the next one tells all of them. */
static void changes_are_whole_after_a_failed_allocation(void **state) {
    (void)state;
    enum { ROW = 400, FEW = 10 };
    cm_aabb boxes[ROW + FEW];
    for (int i = 0; i < ROW; ++i) { /* none of which touch */
        boxes[i].min = cm_v((cm_real)(2 * i), 0, 0);
        boxes[i].max = cm_add(boxes[i].min, cm_v(1, 1, 1));
    }
    const cm_aabb wide = {cm_v(1, 1, 1), cm_v(80, 2, 2)}; /* touches boxes 0 … 40 */
    for (int i = 0; i < 2 * BROADS; ++i) {
        const int kind = i / 2;
        const bool near = i % 2; /* they come from near by, or from far away */
        const size_t mutual = FEW * (FEW - 1) / 2;
        const char *name = broads_name(kind);
        for (int k = 0; k < FEW; ++k) {
            const cm_vec3 by = near ? cm_v(0, 1, 0) : cm_v(0, 0, (cm_real)(100 * k + 100));
            boxes[ROW + k].min = cm_add(wide.min, by), boxes[ROW + k].max = cm_add(wide.max, by);
        }
        int failures = 0;
        for (size_t fail = 1;; ++fail) {
            counting_allocator c;
            counting_allocator_start(&c, 0);
            cm_broad_desc desc = broads_desc(kind);
            desc.changes = true, desc.mem = &c.mem;
            cm_broad *b = NULL;
            uint32_t ids[ROW + FEW];
            assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
            assert_int_equal(cm_broad_add_many(b, boxes, 0, ROW + FEW, NULL, ids), CM_OK);
            check_change(b, near ? mutual : 0, 0, "start");
            for (int k = 0; k < FEW; ++k) assert_int_equal(cm_broad_move(b, ids[ROW + k], &wide), CM_OK);
            c.fail_at = c.calls + fail;
            cm_status status = cm_broad_update(b);
            const bool failed = c.calls >= c.fail_at;
            failures += failed;
            check_that(status == (failed ? CM_NO_MEMORY : CM_OK), "%s, call %zu: %s", name, fail,
                       cm_status_text(status));
            if (failed) assert_int_equal(cm_broad_update(b), CM_OK); /* again */
            cm_broad_changes changes;
            assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
            check_that(changes.began.count == FEW * 41 + (near ? 0 : mutual) && changes.ended.count == 0,
                       "%s, call %zu: %zu began, %zu ended", name, fail, changes.began.count, changes.ended.count);
            cm_broad_destroy(b);
            assert_int_equal(c.live_blocks, 0);
            if (!failed) break;
        }
        check_that(failures > 0, "%s never allocates", name);
    }
}

/* --- the edge of the valid range ---------------------------------------------------------------------------------- */

/* A side at exactly CM_COORD_MAX is bounded, an ulp beyond it is not; a box that only begins there is refused beyond.
 */
static void boxes_are_bounded_up_to_the_end_of_the_range(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX, beyond = most * (1 + CM_REAL_EPSILON);
    for (int side = 0; side < 6; ++side) {
        for (int out = 0; out < 2; ++out) {
            cm_broad_object_desc object = {.box = {cm_v(0, 0, 0), cm_v(1, 1, 1)}};
            cm_real *end = side < 3 ? &((cm_real *)&object.box.max)[side] : &((cm_real *)&object.box.min)[side - 3];
            *end = (out ? beyond : most) * (side < 3 ? 1 : -1);
            cm_broad *b = NULL;
            cm_broad_stats stats;
            uint32_t id;
            assert_int_equal(cm_broad_create(NULL, &b, NULL), CM_OK);
            assert_int_equal(cm_broad_add(b, &object, &id), CM_OK);
            assert_int_equal(cm_broad_update(b), CM_OK);
            cm_broad_get_stats(b, &stats);
            check_that(stats.unbounded == (uint32_t)out, "side %d, %d: %u unbounded", side, out, stats.unbounded);
            cm_real *begin = side < 3 ? &((cm_real *)&object.box.min)[side] : &((cm_real *)&object.box.max)[side - 3];
            *begin = *end; /* flat, at the end of the range or wholly beyond */
            assert_int_equal(cm_broad_add(b, &object, &id), out ? CM_NOT_FINITE : CM_OK);
            cm_broad_destroy(b);
        }
    }
}

/* --- queries ----------------------------------------------------------------------------------------------------- */

/* The square of how far a point is from a box: whole numbers. */
static cm_real gap_square(cm_vec3 p, const cm_aabb *box) {
    cm_real sum = 0;
    for (int a = 0; a < 3; ++a) {
        cm_real x = ((cm_real *)&p)[a], low = ((cm_real *)&box->min)[a], high = ((cm_real *)&box->max)[a],
                gap = x < low ? low - x : x - high;
        if (gap > 0) sum += gap * gap;
    }
    return sum;
}
/* The least of n.p over a box. */
static cm_real lowest_along(cm_vec3 n, const cm_aabb *box) {
    cm_real sum = 0;
    for (int a = 0; a < 3; ++a)
        sum += ((cm_real *)&n)[a] > 0 ? ((cm_real *)&n)[a] * ((cm_real *)&box->min)[a]
                                      : ((cm_real *)&n)[a] * ((cm_real *)&box->max)[a];
    return sum;
}
static cm_vec3 whole_vec3(rng *r, int low, int high) {
    cm_vec3 v;
    for (int a = 0; a < 3; ++a) ((cm_real *)&v)[a] = (cm_real)((int)rng_below(r, (uint32_t)(high - low + 1)) + low);
    return v;
}

static void check_static_queries(const cm_broad *b, const lattice *l, rng *r, const char *name) {
    cm_aabb box;
    box.min = whole_vec3(r, -1, SIDE + 1);
    box.max = cm_add(box.min, whole_vec3(r, 0, 2));
    const cm_vec3 p = whole_vec3(r, -1, SIDE + 1), center = whole_vec3(r, -6, SIDE + 6);
    const cm_real radius = (cm_real)rng_below(r, 8);
    cm_vec3 normals[3];
    cm_real d[3];
    for (int i = 0; i < 3; ++i) normals[i] = whole_vec3(r, -2, 2), d[i] = (cm_real)((int)rng_below(r, 13) - 6);
    uint32_t in_box = 0, in_point = 0, in_ball = 0, in_halfspace = 0, in_all = 0, n = 0;
    for (int i = 0; i < ALL; ++i) {
        const cm_aabb *o = &l->boxes[i];
        const cm_aabb at = {p, p};
        in_box += touch(o, &box), in_point += touch(o, &at);
        in_ball += gap_square(center, o) <= radius * radius;
        bool within[3];
        for (int k = 0; k < 3; ++k) within[k] = lowest_along(normals[k], o) + d[k] <= 0;
        in_halfspace += within[0], in_all += within[0] && within[1] && within[2];
    }
    cm_broad_query_box(b, &box, 0, count_find, &n);
    check_that(n == in_box, "%s: %u in the box, not %u", name, n, in_box);
    n = 0;
    cm_broad_query_point(b, p, 0, count_find, &n);
    check_that(n == in_point, "%s: %u at the point, not %u", name, n, in_point);
    n = 0;
    cm_broad_query_sphere(b, center, radius, 0, count_find, &n);
    check_that(n == in_ball, "%s: %u in the ball, not %u", name, n, in_ball);
    n = 0;
    cm_broad_query_halfspace(b, normals[0], d[0], 0, count_find, &n);
    check_that(n == in_halfspace, "%s: %u in the half-space, not %u", name, n, in_halfspace);
    n = 0;
    cm_broad_query_frustum(b, normals, d, 3, 0, count_find, &n);
    check_that(n == in_all, "%s: %u in the frustum, not %u", name, n, in_all);
    uint32_t ids[ALL];
    n = cm_broad_nearest(b, center, radius, 0, ALL, ids, NULL);
    check_that(n == in_ball, "%s: %u near, not %u", name, n, in_ball);
}

/* Along an axis, so that times are whole numbers over the speed; boxes are met at exactly the limit, at exactly 0 and
 * along their faces and edges. */
static void check_moving_queries(const cm_broad *b, const lattice *l, rng *r, const char *name) {
    const int axis = (int)rng_below(r, 3);
    const bool back = rng_below(r, 2);
    cm_aabb box, way;
    box.min = whole_vec3(r, -3, SIDE + 3);
    box.max = cm_add(box.min, whole_vec3(r, 0, 1));
    const cm_real speed = (cm_real)(1 << rng_below(r, 3)), limit = (cm_real)rng_below(r, 5);
    cm_vec3 move = cm_v(0, 0, 0);
    ((cm_real *)&move)[axis] = back ? -speed : speed;
    uint32_t swept = 0, hit = 0, n = 0;
    for (int ray = 0; ray < 2; ++ray) {
        way.min = box.min, way.max = ray ? box.min : box.max;
        if (back)
            ((cm_real *)&way.min)[axis] -= speed * limit;
        else
            ((cm_real *)&way.max)[axis] += speed * limit;
        for (int i = 0; i < ALL; ++i) *(ray ? &hit : &swept) += touch(&l->boxes[i], &way);
    }
    cm_broad_sweep(b, &box, move, limit, 0, count_hit, &n);
    check_that(n == swept, "%s: %u on the way, not %u", name, n, swept);
    n = 0;
    cm_broad_raycast(b, box.min, move, limit, 0, count_hit, &n);
    check_that(n == hit, "%s: %u on the ray, not %u", name, n, hit);
}

static void queries_find_what_they_touch(void **state) {
    (void)state;
    rng r = rng_start("touching queries", 304);
    lattice l;
    lattice_make(&l, &r);
    for (int kind = 0; kind < BROADS; ++kind) {
        for (int fresh = 0; fresh < 2; ++fresh) { /* fresh: not yet in the structure */
            cm_broad *b = filled(kind, l.boxes, ALL, NULL);
            if (!fresh) assert_int_equal(cm_broad_update(b), CM_OK);
            for (int i = 0; i < samples(1000, 100000); ++i) {
                check_static_queries(b, &l, &r, broads_name(kind));
                check_moving_queries(b, &l, &r, broads_name(kind));
            }
            cm_broad_destroy(b);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_touch_are_pairs_and_one_ulp_apart_are_none),
        cmocka_unit_test(boxes_of_two_sets_that_touch_are_pairs),
        cmocka_unit_test(what_comes_to_touch_begins_and_what_leaves_ends),
        cmocka_unit_test(changes_are_whole_after_a_failed_allocation),
        cmocka_unit_test(boxes_are_bounded_up_to_the_end_of_the_range),
        cmocka_unit_test(queries_find_what_they_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
