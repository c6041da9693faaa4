/* The tree of boxes from outside: every box of it as tight as can be, and as few tests where it grew or moved as where
 * it was built at once. */
#include "support/support.h"

enum { MOST = 600 };

static cm_broad *new_bvh(void) {
    cm_broad_desc desc = {.kind = CM_BROAD_BVH};
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    return b;
}

static cm_broad_stats look(cm_broad *b) {
    cm_broad_pair_view view;
    cm_broad_stats stats;
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    cm_broad_get_stats(b, &stats);
    return stats;
}

/* What a tree built at once over the same boxes has. */
static cm_broad_stats built(const cm_aabb *boxes, uint32_t count) {
    cm_broad *b = new_bvh();
    assert_int_equal(cm_broad_add_many(b, boxes, 0, count, NULL, NULL), CM_OK);
    const cm_broad_stats stats = look(b);
    cm_broad_destroy(b);
    return stats;
}

static cm_aabb box_at(cm_vec3 at, cm_real edge) {
    cm_aabb box = {at, cm_add(at, cm_v(edge, edge, edge))};
    return box;
}

/* --- the boxes of the tree --------------------------------------------------------------------------------------- */

typedef struct path {
    cm_aabb box[80], below[80]; /* of the nodes on the way down; what was seen below them */
    int deep, deepest, nodes;
    uint32_t objects;
} path;

static void path_close(path *p, int deep) {
    for (; p->deep > deep; --p->deep) {
        const cm_aabb *box = &p->box[p->deep - 1], *below = &p->below[p->deep - 1];
        if (below->min.x <= below->max.x) assert_memory_equal(box, below, sizeof *box);
        if (p->deep > 1) p->below[p->deep - 2] = cm_aabb_union(p->below[p->deep - 2], *box);
    }
}
static bool path_step(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    path *p = context;
    assert_true(depth <= p->deep && depth < 80);
    path_close(p, depth);
    p->box[p->deep] = *box, p->below[p->deep++] = cm_aabb_empty();
    if (p->deep > p->deepest) p->deepest = p->deep;
    ++p->nodes;
    p->objects += objects;
    return true;
}

static void check_tight(cm_broad *b, uint32_t count) {
    path p = {.deep = 0};
    assert_int_equal(cm_broad_update(b), CM_OK);
    cm_broad_walk(b, path_step, &p);
    path_close(&p, 0);
    const cm_broad_stats stats = look(b);
    check_that(p.objects == count && stats.nodes == (uint32_t)p.nodes && p.nodes == (count ? 2 * (int)count - 1 : 0),
               "%u objects, %d nodes seen, %u said, of %u", p.objects, p.nodes, stats.nodes, count);
    check_that((int)stats.depth == p.deepest, "%d levels seen, %u said", p.deepest, stats.depth);
}

/* Boxes in whole numbers come, go and jump, few and many at a time, down to none. */
static void every_box_of_the_tree_holds_just_what_is_below(void **state) {
    (void)state;
    rng r = rng_start("programs", 41);
    cm_broad *b = new_bvh();
    uint32_t ids[MOST], count = 0;
    for (int round = 0; round < 300; ++round) {
        const uint32_t many = round % 10 == 0 ? 100 : 1 + rng_below(&r, 5);
        for (uint32_t i = 0; i < many; ++i) {
            const uint32_t what = rng_below(&r, 4);
            const cm_vec3 at = cm_v((cm_real)rng_below(&r, 9), (cm_real)rng_below(&r, 9), (cm_real)rng_below(&r, 9));
            const cm_broad_object_desc object = {.box = box_at(at, (cm_real)rng_below(&r, 2))};
            const uint32_t k = count ? rng_below(&r, count) : 0;
            if (what == 0 && count < MOST) {
                assert_int_equal(cm_broad_add(b, &object, &ids[count++]), CM_OK);
            } else if (what == 1 && count > 0) {
                assert_int_equal(cm_broad_remove(b, ids[k]), CM_OK);
                ids[k] = ids[--count];
            } else if (count > 0) {
                assert_int_equal(cm_broad_move(b, ids[k], &object.box), CM_OK);
            }
        }
        if (round % 50 == 49)
            while (count > (round % 100 == 49 ? 1 : 0)) assert_int_equal(cm_broad_remove(b, ids[--count]), CM_OK);
        check_tight(b, count);
    }
    cm_broad_destroy(b);
}

/* --- how good it is ---------------------------------------------------------------------------------------------- */

/* Unit cubes, or unit squares all in one plane. */
static void spread(rng *r, int flat, cm_aabb *boxes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        boxes[i] = box_at(rng_vec3(r, flat < 3 ? 15 : 6), 1);
        if (flat < 3) ((cm_real *)&boxes[i].min)[flat] = ((cm_real *)&boxes[i].max)[flat] = 0;
    }
}

/* Few are added to many, one by one or in one go, anywhere among them or all of them beside. */
static void a_tree_that_grew_costs_little_more_than_one_built_at_once(void **state) {
    (void)state;
    enum { FIRST = 480 };
    rng r = rng_start("boxes", 43);
    for (int kind = 0; kind < 16; ++kind) {
        const bool each = kind & 1, beside = kind & 2;
        const int flat = kind / 4; /* 3: none */
        uint64_t grown = 0, fresh = 0;
        for (int round = 0; round < 5; ++round) {
            cm_aabb boxes[MOST];
            spread(&r, flat, boxes, MOST);
            for (int i = FIRST; i < MOST && beside; ++i) boxes[i] = box_at(cm_add(rng_vec3(&r, 3), cm_v(20, 0, 0)), 1);
            cm_broad *b = new_bvh();
            assert_int_equal(cm_broad_add_many(b, boxes, 0, FIRST, NULL, NULL), CM_OK);
            assert_int_equal(cm_broad_update(b), CM_OK);
            for (uint32_t i = FIRST; i < MOST; ++i) {
                assert_int_equal(cm_broad_add_many(b, &boxes[i], 0, 1, NULL, NULL), CM_OK);
                if (each) assert_int_equal(cm_broad_update(b), CM_OK);
            }
            grown += look(b).tests, fresh += built(boxes, MOST).tests;
            cm_broad_destroy(b);
        }
        check_that(10 * grown <= 11 * fresh, "flat along %d, each %d, beside %d: %llu tests, %llu built at once", flat,
                   each, beside, (unsigned long long)grown, (unsigned long long)fresh);
    }
}

/* All jump elsewhere: also where the tree was built when all stood on a line, so that its boxes had no area. */
static void a_tree_whose_boxes_all_jumped_is_built_anew(void **state) {
    (void)state;
    rng r = rng_start("boxes", 44);
    for (int line = 0; line < 2; ++line) {
        cm_aabb boxes[MOST];
        uint32_t ids[MOST];
        cm_broad *b = new_bvh();
        spread(&r, 3, boxes, MOST);
        for (int i = 0; i < MOST && line; ++i) boxes[i].min.y = boxes[i].min.z = boxes[i].max.y = boxes[i].max.z = 0;
        assert_int_equal(cm_broad_add_many(b, boxes, 0, MOST, NULL, ids), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        spread(&r, 3, boxes, MOST);
        assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, MOST), CM_OK);
        const cm_broad_stats now = look(b), fresh = built(boxes, MOST);
        check_that(now.tests == fresh.tests, "line %d: %llu tests, %llu built at once", line,
                   (unsigned long long)now.tests, (unsigned long long)fresh.tests);
        cm_broad_destroy(b);
    }
}

/* Where all stand at one place they are halved by number: 1024 in 11 levels. */
static void equal_boxes_make_a_shallow_tree(void **state) {
    (void)state;
    enum { COUNT = 1024 };
    static cm_aabb boxes[COUNT];
    for (int i = 0; i < COUNT; ++i) boxes[i] = box_at(cm_v(3, 4, 5), 1);
    const cm_broad_stats stats = built(boxes, COUNT);
    check_that(stats.depth == 11, "%u levels", stats.depth);
}

/* --- where new ones go ------------------------------------------------------------------------------------------- */

typedef struct wanted {
    const cm_aabb *boxes;
    int count, found;
} wanted;

static bool find_wanted(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    wanted *w = context;
    (void)depth, (void)objects;
    for (int i = 0; i < w->count; ++i) w->found += memcmp(&w->boxes[i], box, sizeof *box) == 0;
    return true;
}
static int nodes_of(cm_broad *b, const cm_aabb *boxes, int count) {
    wanted w = {boxes, count, 0};
    assert_int_equal(cm_broad_update(b), CM_OK);
    cm_broad_walk(b, find_wanted, &w);
    return w.found;
}

/* A row of unit boxes, 2 apart, a box far off one end, and one more that touches the other: the two have a node of
 * their own. */
static void a_new_object_stands_beside_its_neighbor(void **state) {
    (void)state;
    enum { ROW = 200 };
    for (int axis = 0; axis < 3; ++axis) {
        for (int sign = -1; sign <= 1; sign += 2) {
            cm_aabb boxes[ROW + 1], new[1], both;
            for (int i = 0; i <= ROW + 1; ++i) {
                const int place = i < ROW ? 2 * i : i == ROW ? 10000 : -1;
                cm_vec3 at = cm_v(0, 0, 0);
                ((cm_real *)&at)[axis] = (cm_real)(sign * place);
                *(i <= ROW ? &boxes[i] : new) = box_at(at, 1);
            }
            cm_broad *b = new_bvh();
            assert_int_equal(cm_broad_add_many(b, boxes, 0, ROW + 1, NULL, NULL), CM_OK);
            assert_int_equal(cm_broad_update(b), CM_OK);
            assert_int_equal(cm_broad_add_many(b, new, 0, 1, NULL, NULL), CM_OK);
            both = cm_aabb_union(boxes[0], new[0]);
            check_that(nodes_of(b, &both, 1) == 1, "axis %d, sign %d", axis, sign);
            cm_broad_destroy(b);
        }
    }
}

typedef struct nodes_seen {
    cm_aabb boxes[2 * MOST];
    int count;
} nodes_seen;

static bool see_node(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    nodes_seen *n = context;
    (void)depth, (void)objects;
    n->boxes[n->count++] = *box;
    return true;
}

/* A hundred come to 500, all far from these: what is below the root is as it was. */
static void few_that_come_elsewhere_leave_the_tree_as_it_is(void **state) {
    (void)state;
    enum { FIRST = 500 };
    rng r = rng_start("boxes", 45);
    cm_aabb boxes[MOST];
    nodes_seen before = {.count = 0};
    spread(&r, 3, boxes, MOST);
    cm_broad *b = new_bvh();
    assert_int_equal(cm_broad_add_many(b, boxes, 0, FIRST, NULL, NULL), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    cm_broad_walk(b, see_node, &before);
    for (int i = FIRST; i < MOST; ++i) {
        const cm_vec3 by = cm_v(100, 0, 0);
        boxes[i].min = cm_add(boxes[i].min, by), boxes[i].max = cm_add(boxes[i].max, by);
    }
    assert_int_equal(cm_broad_add_many(b, boxes + FIRST, 0, MOST - FIRST, NULL, NULL), CM_OK);
    const int kept = nodes_of(b, before.boxes, before.count);
    check_that(kept == before.count, "%d of %d nodes", kept, before.count);
    cm_broad_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_box_of_the_tree_holds_just_what_is_below),
        cmocka_unit_test(a_tree_that_grew_costs_little_more_than_one_built_at_once),
        cmocka_unit_test(a_tree_whose_boxes_all_jumped_is_built_anew),
        cmocka_unit_test(equal_boxes_make_a_shallow_tree),
        cmocka_unit_test(a_new_object_stands_beside_its_neighbor),
        cmocka_unit_test(few_that_come_elsewhere_leave_the_tree_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
