/* An update that fails forgets nothing: the next one tells all that changed, and all pairs are right. */
#include "support/broads.h"
#include "support/support.h"

enum { FIXED = 300, MOVING = 300, ALL = FIXED + MOVING };

static size_t pairs_of(const cm_aabb *boxes) {
    size_t n = 0;
    for (int i = 0; i < ALL; ++i)
        for (int k = i < FIXED ? FIXED : i + 1; k < ALL; ++k) n += cm_aabb_overlaps(&boxes[i], &boxes[k]);
    return n;
}
static void changes_of(const cm_aabb *before, const cm_aabb *now, size_t *began, size_t *ended) {
    *began = *ended = 0;
    for (int i = 0; i < ALL; ++i) {
        for (int k = i < FIXED ? FIXED : i + 1; k < ALL; ++k) {
            const bool was = cm_aabb_overlaps(&before[i], &before[k]), is = cm_aabb_overlaps(&now[i], &now[k]);
            *began += is && !was, *ended += was && !is;
        }
    }
}

/* A third stands; of the others all move a little and some leap, so that the structure is another one afterwards; each
 * allocation of that update fails once. */
static void after_a_failed_update_the_next_one_tells_all(void **state) {
    (void)state;
    rng r = rng_start("boxes", 61);
    for (int leap = 0; leap < 3; ++leap) { /* nowhere, a little beyond the others, far away */
        cm_aabb before[ALL], now[ALL];
        for (int i = 0; i < ALL; ++i) {
            before[i].min = cm_add(rng_vec3(&r, 8), cm_v(20, 0, 0));
            before[i].max = cm_add(before[i].min, cm_v(1, 1, 1));
            now[i] = before[i];
            if (i < FIXED) continue;
            const cm_vec3 by = i % 15 ? rng_vec3(&r, 0.1) : cm_scale(rng_vec3(&r, 30), (cm_real)(leap * leap * leap));
            now[i].min = cm_add(now[i].min, by), now[i].max = cm_add(now[i].min, cm_v(1, 1, 1));
        }
        size_t began, ended;
        changes_of(before, now, &began, &ended);
        assert_true(began > 0 && ended > 0);
        for (int kind = 0; kind < BROADS; ++kind) {
            for (size_t fail = 1;; ++fail) {
                counting_allocator c;
                counting_allocator_start(&c, 0);
                cm_broad_desc desc = broads_desc(kind);
                desc.changes = true, desc.mem = &c.mem;
                cm_broad *b = NULL;
                uint32_t ids[ALL];
                cm_broad_pair_view view;
                cm_broad_changes did;
                const cm_broad_object_desc still = {.fixed = true};
                assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
                assert_int_equal(cm_broad_add_many(b, before, 0, FIXED, &still, ids), CM_OK);
                assert_int_equal(cm_broad_add_many(b, before + FIXED, 0, MOVING, NULL, ids + FIXED), CM_OK);
                assert_int_equal(cm_broad_update(b), CM_OK);
                assert_int_equal(cm_broad_move_many(b, ids + FIXED, now + FIXED, 0, MOVING), CM_OK);
                c.fail_at = c.calls + fail;
                const cm_status status = cm_broad_update(b);
                const bool failed = c.calls >= c.fail_at;
                c.fail_at = 0;
                check_that(status == (failed ? CM_NO_MEMORY : CM_OK), "%s, leap %d, call %zu: %s", broads_name(kind),
                           leap, fail, cm_status_text(status));
                if (failed) assert_int_equal(cm_broad_update(b), CM_OK);
                assert_int_equal(cm_broad_get_changes(b, &did), CM_OK);
                check_that(did.began.count == began && did.ended.count == ended,
                           "%s, leap %d, call %zu: %zu began and %zu ended, not %zu and %zu", broads_name(kind), leap,
                           fail, did.began.count, did.ended.count, began, ended);
                assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
                check_that(view.count == pairs_of(now), "%s, leap %d, call %zu: %zu pairs", broads_name(kind), leap,
                           fail, view.count);
                cm_broad_destroy(b);
                assert_int_equal(c.live_blocks, 0);
                if (!failed) break;
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_failed_update_the_next_one_tells_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
