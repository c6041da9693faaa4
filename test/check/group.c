/* Findings in groups: by pairs of keys, and one part against many. */
#include "support/support.h"

enum { PARTS = 24, MOST = 120 };

static uint32_t random_findings(rng *r, cm_finding *list, uint32_t parts) {
    const uint32_t count = rng_below(r, MOST);
    for (uint32_t i = 0; i < count; i++) {
        memset(&list[i], 0, sizeof list[i]);
        list[i].part_a = rng_below(r, 4) ? rng_below(r, parts) : 0; /* one has more than the others */
        do list[i].part_b = rng_below(r, parts);
        while (list[i].part_b == list[i].part_a);
        list[i].allowed = rng_below(r, 8) ? CM_NONE : 3;
    }
    return count;
}

/* Each finding that is not allowed is a member once; those of a group in order; the largest groups first. */
static void expect_whole(const cm_finding *list, uint32_t count, const cm_check_groups *g) {
    int seen[MOST] = {0};
    uint32_t members = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        assert_true(g->groups[i].count > 0);
        if (i > 0) assert_true(g->groups[i - 1].count >= g->groups[i].count);
        members += g->groups[i].count;
        for (uint32_t k = 0; k < g->groups[i].count; k++) {
            const uint32_t *member = &g->members[g->groups[i].first + k];
            seen[*member]++;
            if (k > 0) assert_true(member[-1] < member[0]);
        }
    }
    assert_int_equal(members, g->member_count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(seen[i], list[i].allowed == CM_NONE);
}

static void a_group_has_all_findings_of_its_keys(void **state) {
    (void)state;
    rng r = rng_start("groups by keys", 1);
    for (int i = 0; i < samples(400, 40000); i++) {
        cm_finding list[MOST];
        uint32_t keys[PARTS];
        cm_check_groups g;
        const uint32_t count = random_findings(&r, list, PARTS);
        for (int k = 0; k < PARTS; k++) keys[k] = rng_below(&r, 5);
        assert_int_equal(cm_check_group_findings(list, count, keys, PARTS, NULL, &g), CM_OK);
        expect_whole(list, count, &g);
        for (uint32_t k = 0; k < g.count; k++) {
            const cm_check_group *one = &g.groups[k];
            assert_true(one->key_a <= one->key_b);
            for (uint32_t m = 0; m < k; m++)
                assert_false(g.groups[m].key_a == one->key_a && g.groups[m].key_b == one->key_b);
            for (uint32_t m = 0; m < one->count; m++) {
                const cm_finding *f = &list[g.members[one->first + m]];
                const uint32_t a = keys[f->part_a], b = keys[f->part_b];
                assert_true((a == one->key_a && b == one->key_b) || (b == one->key_a && a == one->key_b));
            }
        }
        cm_check_groups_destroy(&g, NULL);
        assert_null(g.groups);
    }
}

static void the_part_with_the_most_findings_takes_them(void **state) {
    (void)state;
    rng r = rng_start("groups by part", 2);
    for (int i = 0; i < samples(400, 40000); i++) {
        cm_finding list[MOST];
        cm_check_groups g;
        uint32_t owner[MOST];
        const uint32_t count = random_findings(&r, list, PARTS);
        for (uint32_t k = 0; k < count; k++) owner[k] = CM_NONE;
        for (;;) { /* as it is described */
            uint32_t left[PARTS] = {0}, best = 0;
            for (uint32_t k = 0; k < count; k++)
                if (list[k].allowed == CM_NONE && owner[k] == CM_NONE) left[list[k].part_a]++, left[list[k].part_b]++;
            for (uint32_t p = 1; p < PARTS; p++)
                if (left[p] > left[best]) best = p;
            if (left[best] == 0) break;
            for (uint32_t k = 0; k < count; k++)
                if (list[k].allowed == CM_NONE && owner[k] == CM_NONE &&
                    (list[k].part_a == best || list[k].part_b == best))
                    owner[k] = best;
        }
        assert_int_equal(cm_check_group_findings(list, count, NULL, PARTS, NULL, &g), CM_OK);
        expect_whole(list, count, &g);
        for (uint32_t k = 0; k < g.count; k++) {
            assert_int_equal(g.groups[k].key_b, CM_NONE);
            for (uint32_t m = 0; m < g.groups[k].count; m++)
                assert_int_equal(owner[g.members[g.groups[k].first + m]], g.groups[k].key_a);
        }
        cm_check_groups_destroy(&g, NULL);
    }
}

static void failures_leave_nothing(void **state) {
    (void)state;
    rng r = rng_start("groups that fail", 3);
    cm_finding list[MOST];
    uint32_t count;
    do count = random_findings(&r, list, PARTS);
    while (count < 20);
    for (size_t fail_at = 1;; fail_at++) {
        counting_allocator c;
        counting_allocator_start(&c, fail_at);
        cm_check_groups g = {.count = 77};
        const cm_status status = cm_check_group_findings(list, count, NULL, PARTS, &c.mem, &g);
        if (status == CM_OK) {
            assert_true(c.calls < fail_at && fail_at == 8);
            cm_check_groups_destroy(&g, &c.mem);
            assert_int_equal(c.live_blocks, 0);
            break;
        }
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(g.count, 77);
        assert_int_equal(c.live_blocks, 0);
    }
    cm_check_groups g = {.count = 77};
    assert_int_equal(cm_check_group_findings(NULL, 1, NULL, PARTS, NULL, &g), CM_INVALID);
    assert_int_equal(cm_check_group_findings(list, count, NULL, PARTS, NULL, NULL), CM_INVALID);
    list[count - 1].part_b = PARTS;
    assert_int_equal(cm_check_group_findings(list, count, NULL, PARTS, NULL, &g), CM_OUT_OF_RANGE);
    assert_int_equal(g.count, 77);
    assert_int_equal(cm_check_group_findings(NULL, 0, NULL, 0, NULL, &g), CM_OK);
    assert_int_equal(g.count, 0);
    cm_check_groups_destroy(&g, NULL);
    cm_check_groups_destroy(NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_has_all_findings_of_its_keys),
        cmocka_unit_test(the_part_with_the_most_findings_takes_them),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
