/* Pairs of two sets: filters, static and unbounded boxes, few against many, what is refused, failed allocations.
 * Against nested loops. */
#include "support/broads.h"
#include "support/support.h"

#include <math.h>

enum { MOST = 150 };

typedef struct set {
    cm_broad *broad;
    cm_broad_object_desc objects[MOST];
    uint32_t ids[MOST], count;
} set;

/* Boxes in whole numbers, which often touch. */
static void set_make(set *s, rng *r, int kind, uint32_t count, const cm_allocator *mem) {
    cm_broad_desc desc = broads_desc(kind);
    desc.mem = mem;
    assert_int_equal(cm_broad_create(&desc, &s->broad, NULL), CM_OK);
    s->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        const cm_vec3 at = cm_v((cm_real)rng_below(r, 9), (cm_real)rng_below(r, 9), (cm_real)rng_below(r, 9));
        cm_broad_object_desc *o = &s->objects[i];
        *o = (cm_broad_object_desc){.box = {at, cm_add(at, cm_v((cm_real)rng_below(r, 2), 1, 1))}};
        o->layer = 1 + rng_below(r, 3), o->mask = rng_below(r, 2) ? UINT32_MAX : 1 + rng_below(r, 3);
        o->fixed = rng_below(r, 3) == 0;
        if (rng_below(r, 10) == 0) o->box.max.z = (cm_real)INFINITY;
        assert_int_equal(cm_broad_add(s->broad, o, &s->ids[i]), CM_OK);
    }
}

static bool is_pair(const cm_broad_object_desc *p, const cm_broad_object_desc *q) {
    return !(p->fixed && q->fixed) && p->layer & q->mask && q->layer & p->mask && cm_aabb_overlaps(&p->box, &q->box);
}

static void check_pairs(const set *a, const set *b, cm_broad_pair_view view, const char *what) {
    size_t n = 0;
    for (uint32_t i = 0; i < a->count; ++i) { /* ids are in order */
        for (uint32_t k = 0; k < b->count; ++k) {
            if (!is_pair(&a->objects[i], &b->objects[k])) continue;
            check_that(n < view.count && view.pairs[n].a == a->ids[i] && view.pairs[n].b == b->ids[k],
                       "%s: pair %zu is not of %u and %u", what, n, i, k);
            ++n;
        }
    }
    check_that(n == view.count, "%s: %zu pairs, not %zu", what, view.count, n);
}

static void two_sets_have_the_pairs_of_nested_loops(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 5, 40, MOST};
    enum { COUNTS = sizeof counts / sizeof *counts };
    rng r = rng_start("sets", 71);
    for (int kind = 0; kind < BROADS; ++kind) {
        for (int c = 0; c < COUNTS * COUNTS; ++c) {
            static set a, b;
            char what[80];
            set_make(&a, &r, kind, counts[c / COUNTS], NULL);
            set_make(&b, &r, (int)rng_below(&r, BROADS), counts[c % COUNTS], NULL);
            snprintf(what, sizeof what, "%s, %u and %u", broads_name(kind), a.count, b.count);
            for (int again = 0; again < 2; ++again) {
                cm_broad_pair_view view;
                assert_int_equal(cm_broad_find_pairs_between(a.broad, b.broad, CM_BROAD_SORTED, &view), CM_OK);
                check_pairs(&a, &b, view, what);
            }
            cm_broad_destroy(a.broad), cm_broad_destroy(b.broad);
        }
    }
}

/* Each of them once, of two sets alike in size and of few against many; asked again, all is there. */
static void a_failed_allocation_between_two_sets_is_a_status(void **state) {
    (void)state;
    for (int few = 0; few < 2; ++few) {
        for (size_t fail = 1;; ++fail) {
            static set a, b;
            counting_allocator c;
            counting_allocator_start(&c, 0);
            rng r = {72};
            cm_broad_pair_view view;
            set_make(&a, &r, CM_BROAD_BVH, few ? 4 : 100, &c.mem);
            set_make(&b, &r, CM_BROAD_SWEEP, MOST, &c.mem);
            c.fail_at = c.calls + fail;
            const cm_status status = cm_broad_find_pairs_between(a.broad, b.broad, CM_BROAD_SORTED, &view);
            const bool failed = c.calls >= c.fail_at;
            c.fail_at = 0;
            check_that(status == (failed ? CM_NO_MEMORY : CM_OK), "call %zu: %s", fail, cm_status_text(status));
            if (failed) assert_int_equal(cm_broad_find_pairs_between(a.broad, b.broad, CM_BROAD_SORTED, &view), CM_OK);
            check_pairs(&a, &b, view, "after a failure");
            cm_broad_destroy(a.broad), cm_broad_destroy(b.broad);
            assert_int_equal(c.live_blocks, 0);
            if (!failed) break;
        }
    }
}

static void each_argument_that_is_no_good_is_refused(void **state) {
    (void)state;
    static set a, b;
    rng r = rng_start("sets", 73);
    cm_broad_pair_view view;
    set_make(&a, &r, CM_BROAD_AUTO, 5, NULL);
    set_make(&b, &r, CM_BROAD_AUTO, 5, NULL);
    assert_int_equal(cm_broad_find_pairs_between(NULL, b.broad, 0, &view), CM_INVALID);
    assert_int_equal(cm_broad_find_pairs_between(a.broad, NULL, 0, &view), CM_INVALID);
    assert_int_equal(cm_broad_find_pairs_between(a.broad, a.broad, 0, &view), CM_INVALID);
    assert_int_equal(cm_broad_find_pairs_between(a.broad, b.broad, 0, NULL), CM_INVALID);
    assert_int_equal(cm_broad_find_pairs_between(a.broad, b.broad, ~CM_BROAD_SORTED, &view), CM_INVALID);
    assert_int_equal(cm_broad_find_pairs(a.broad, 0, NULL), CM_INVALID);
    cm_broad_destroy(a.broad), cm_broad_destroy(b.broad);
    cm_broad_pair_list list = {0};
    const cm_aabb box = {cm_v(0, 0, 0), cm_v(1, 1, 1)};
    const cm_broad_pairs_desc flags = {.flags = 2}, kind = {.kind = CM_BROAD_KIND_COUNT};
    assert_int_equal(cm_broad_pairs(&box, 1, NULL, NULL), CM_INVALID);
    assert_int_equal(cm_broad_pairs(NULL, 1, NULL, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs(NULL, 0, NULL, &list), CM_OK);
    assert_int_equal(cm_broad_pairs(&box, 1, &flags, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs(&box, 1, &kind, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs(&box, 0x1000000, NULL, &list), CM_LIMIT);
    assert_int_equal(cm_broad_pairs_between(&box, 1, &box, 1, NULL, NULL), CM_INVALID);
    assert_int_equal(cm_broad_pairs_between(NULL, 1, &box, 1, NULL, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs_between(&box, 1, NULL, 1, NULL, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs_between(&box, 1, &box, 1, &flags, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs_between(&box, 1, &box, 1, &kind, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs_between(&box, 0x1000000, &box, 1, NULL, &list), CM_LIMIT);
    assert_int_equal(cm_broad_pairs_between(&box, 1, &box, 0x1000000, NULL, &list), CM_LIMIT);
    cm_broad_pair_list_free(&list, NULL);
    cm_broad_pair_list_free(NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sets_have_the_pairs_of_nested_loops),
        cmocka_unit_test(a_failed_allocation_between_two_sets_is_a_status),
        cmocka_unit_test(each_argument_that_is_no_good_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
