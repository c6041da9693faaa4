/* The default kind: which one it takes as boxes come and go, rest or move, and that it does not swing at a border. What
 * queries make of it is in same.c. */
#include "support/support.h"

enum { MOST = 640 };

typedef struct scene {
    cm_broad *b;
    uint32_t ids[MOST], count;
    bool fixed;
    cm_broad_kind kind;
    int changes; /* of the kind */
} scene;

static cm_aabb box_of(uint32_t i) {
    const cm_vec3 at = cm_v((cm_real)(i % 9) * 2, (cm_real)(i / 9 % 9) * 2, (cm_real)(i / 81) * 2);
    cm_aabb box = {at, cm_add(at, cm_v(1, 1, 1))};
    return box;
}
static void scene_update(scene *s) {
    cm_broad_stats stats;
    assert_int_equal(cm_broad_update(s->b), CM_OK);
    cm_broad_get_stats(s->b, &stats);
    s->changes += stats.kind != s->kind;
    s->kind = stats.kind;
}
static void scene_add(scene *s) {
    const cm_broad_object_desc object = {.box = box_of(s->count), .fixed = s->fixed};
    assert_int_equal(cm_broad_add(s->b, &object, &s->ids[s->count++]), CM_OK);
}
static void scene_remove(scene *s) { assert_int_equal(cm_broad_remove(s->b, s->ids[--s->count]), CM_OK); }

static void scene_start(scene *s, uint32_t count, bool fixed, bool changes) {
    const cm_broad_desc desc = {.changes = changes};
    memset(s, 0, sizeof *s);
    s->fixed = fixed;
    assert_int_equal(cm_broad_create(&desc, &s->b, NULL), CM_OK);
    while (s->count < count) scene_add(s);
    scene_update(s);
    s->changes = 0;
}

/* Boxes come one by one, and at each count one goes and comes again, twice; then they go in the same way. Each border
 * is crossed once on the way up and once down: that to columns, which static boxes are worth much earlier, and where
 * changes are asked for and little happens that to the tree. */
static void a_count_at_a_border_does_not_swing(void **state) {
    (void)state;
    static const cm_broad_kind last[] = {CM_BROAD_GRID, CM_BROAD_GRID, CM_BROAD_BVH};
    uint32_t columns[3] = {0, 0, 0};
    for (int story = 0; story < 3; ++story) { /* they may move; they are static; little happens */
        scene s;
        scene_start(&s, 0, story == 1, story == 2);
        assert_int_equal(s.kind, CM_BROAD_BRUTE);
        for (int up = 1; up >= 0; --up) {
            s.changes = 0;
            while (up ? s.count < 200 : s.count > 1) {
                if (up)
                    scene_add(&s);
                else
                    scene_remove(&s);
                scene_update(&s);
                if (s.kind == CM_BROAD_GRID && !columns[story]) columns[story] = s.count;
                for (int k = 0; k < 2; ++k) scene_remove(&s), scene_update(&s), scene_add(&s), scene_update(&s);
            }
            check_that(s.changes == (story == 2 ? 2 : 1), "story %d, up %d: %d changes", story, up, s.changes);
            check_that(s.kind == (up ? last[story] : CM_BROAD_BRUTE), "story %d, up %d: %s", story, up,
                       cm_broad_kind_text(s.kind));
        }
        cm_broad_destroy(s.b);
    }
    check_that(2 * columns[1] < columns[0], "columns from %u boxes on, static ones %u", columns[0], columns[1]);
}

static void columns_hold_few_boxes_where_three_of_four_are_static(void **state) {
    (void)state;
    for (uint32_t fixed = 0; fixed <= 60; ++fixed) {
        scene s;
        scene_start(&s, 60, false, false);
        for (uint32_t i = 0; i < fixed; ++i) assert_int_equal(cm_broad_set_fixed(s.b, s.ids[i], true), CM_OK);
        scene_update(&s);
        check_that(s.kind == (fixed < 45 ? CM_BROAD_BRUTE : CM_BROAD_GRID), "%u of 60: %s", fixed,
                   cm_broad_kind_text(s.kind));
        cm_broad_destroy(s.b);
    }
}

static void scene_frames(scene *s, int frames, uint32_t moved, bool ask) {
    for (int frame = 0; frame < frames; ++frame) {
        for (uint32_t i = 0; i < moved; ++i) {
            const cm_aabb box = box_of(i);
            assert_int_equal(cm_broad_move(s->b, s->ids[i], &box), CM_OK);
        }
        scene_update(s);
        cm_broad_pair_view view;
        if (ask) assert_int_equal(cm_broad_find_pairs(s->b, 0, &view), CM_OK);
    }
}

/* The tree comes once no more than one in 64 moved in each of eight updates and nobody asked for all pairs; it stays
 * up to one in 24. Static boxes are no other matter. */
static void a_tree_is_for_scenes_where_little_moves(void **state) {
    (void)state;
    static const struct {
        uint32_t moved;
        bool fixed, changes, ask;
        cm_broad_kind kind;
    } cases[] = {
        {10, false, true, false, CM_BROAD_BVH},   {10, true, true, false, CM_BROAD_BVH},
        {11, false, true, false, CM_BROAD_GRID},  {11, true, true, false, CM_BROAD_GRID},
        {10, false, false, false, CM_BROAD_GRID}, {10, false, true, true, CM_BROAD_GRID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        scene s;
        scene_start(&s, MOST, cases[i].fixed, cases[i].changes);
        scene_frames(&s, 20, cases[i].moved, cases[i].ask);
        check_that(s.kind == cases[i].kind, "case %zu: %s", i, cm_broad_kind_text(s.kind));
        cm_broad_destroy(s.b);
    }
    scene s;
    scene_start(&s, MOST, false, true);
    scene_frames(&s, 7, 1, false);
    assert_int_equal(s.kind, CM_BROAD_GRID);
    scene_frames(&s, 1, 1, false);
    assert_int_equal(s.kind, CM_BROAD_BVH);
    scene_frames(&s, 20, MOST / 24, false);
    assert_int_equal(s.kind, CM_BROAD_BVH);
    scene_frames(&s, 1, MOST / 24 + 1, false);
    assert_int_equal(s.kind, CM_BROAD_GRID);
    cm_broad_destroy(s.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_at_a_border_does_not_swing),
        cmocka_unit_test(columns_hold_few_boxes_where_three_of_four_are_static),
        cmocka_unit_test(a_tree_is_for_scenes_where_little_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
