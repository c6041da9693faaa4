/* The upper levels of a tree: what they leave to be split box by box, also where the free levels have ended; what their
 * clusters hold; and that the tree is as good as one that is split box by box from the top. */
#include "bvh/upper.h"
#include "boxes.h"

#include <math.h>

enum { MANY = 20000 };

/* Jobs cover all items once and in order; those of a job lie within the box of its slot. */
static void check_jobs(const cm__bvh_builder *b) {
    static uint8_t seen[MANY];
    cm__bvh_item *items = malloc(MANY * sizeof *items);
    uint32_t first = 0, spilled = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < b->job_count; ++i) {
        const cm__bvh_job *job = &b->jobs[i];
        check_that(job->first >= first && job->first + job->count <= MANY, "job %zu at %u", i, job->first);
        for (; first < job->first; ++first) seen[b->numbers[first]] += 1; /* leaves of the upper nodes */
        first += job->count;
        spilled += job->spill != NULL;
        assert_true(job->items || job->count <= CM__BVH_OPEN);
        if (job->items) {
            memcpy(items, job->items, job->count * sizeof *items);
        } else {
            cm__bvh_copy_out(b, job->clusters, job->cluster_count, items);
        }
        const cm__bvh_node *node = &b->nodes[job->slot / 4];
        for (uint32_t n = 0; n < job->count; ++n) {
            seen[cm__bvh_number(&items[n])] += 1;
            for (int k = 0; k < 3; ++k) {
                float center = node->center[k][job->slot % 4], half = node->half[k][job->slot % 4];
                assert_true((double)items[n].min[k] >= (double)center - (double)half);
                assert_true((double)items[n].max[k] <= (double)center + (double)half);
            }
        }
    }
    for (; first < MANY; ++first) seen[b->numbers[first]] += 1;
    for (uint32_t i = 0; i < MANY; ++i) check_that(seen[i] == 1, "item %u %u times", i, seen[i]);
    print_message("  %zu jobs, %u after the free levels\n", b->job_count, spilled);
    check_that((spilled > 0) == (b->free_levels < 2), "%u", spilled);
    free(items);
}

static void what_is_left_covers_all_items_once(void **state) {
    (void)state;
    rng r = rng_start("boxes", 9);
    static cm_aabb boxes[MANY];
    for (uint32_t i = 0; i < MANY; ++i) {
        boxes[i].min = rng_vec3(&r, 1);
        boxes[i].max = cm_add(boxes[i].min, cm_vec3_abs(rng_vec3(&r, 0.05)));
    }
    cm__bvh tree = {0};
    tree.scale = 0.5; /* all lies within 1.1 of the origin */
    for (uint32_t levels = 0; levels <= 20; levels += levels < 2 ? 1 : 18)
        for (size_t fail_at = levels == 1 ? 1 : 0;; ++fail_at) {
            counting_allocator c;
            counting_allocator_start(&c, fail_at);
            cm__bvh_builder b = {0};
            b.mem = &c.mem, b.count = MANY, b.leaf = 2, b.free_levels = levels, b.crowd = 1;
            b.items = malloc(MANY * sizeof *b.items);
            b.nodes = malloc(cm__bvh_node_room(MANY, 2) * sizeof *b.nodes);
            b.numbers = malloc(MANY * sizeof *b.numbers);
            b.node_count = 1;
            uint64_t *keys = malloc(2 * MANY * sizeof *keys);
            bool ok = cm__bvh_upper(&b, boxes, &tree, keys, NULL);
            if (ok) check_jobs(&b);
            cm__bvh_upper_free(&b);
            assert_int_equal(c.live_blocks, 0);
            free(keys), free(b.numbers), free(b.nodes), free(b.items);
            if (ok) break;
            check_that(fail_at > 0, "%u levels", levels);
        }
}

/* A tree of which the upper levels are split, `levels` of them. All lies within 1.1 of the origin. */
static cm__bvh_builder builder_of(const cm_aabb *boxes, uint32_t levels, uint64_t *keys) {
    cm__bvh tree = {0};
    tree.scale = 0.5;
    cm__bvh_builder b = {0};
    b.count = MANY, b.leaf = 2, b.free_levels = levels, b.crowd = 1;
    b.items = malloc(MANY * sizeof *b.items);
    b.nodes = malloc(cm__bvh_node_room(MANY, 2) * sizeof *b.nodes);
    b.numbers = malloc(MANY * sizeof *b.numbers);
    b.node_count = 1;
    assert_true(cm__bvh_upper(&b, boxes, &tree, keys, NULL));
    return b;
}
static void builder_free(cm__bvh_builder *b) {
    cm__bvh_upper_free(b);
    free(b->numbers), free(b->nodes), free(b->items);
}

/* Cells are halved until no more than 16 boxes are in one, so clusters are at least a quarter full on average; and the
 * middles of their boxes lie around that of the cell, no farther off than the cell is large. */
static void clusters_are_neighbors_and_neither_many_nor_large(void **state) {
    (void)state;
    rng r = rng_start("clusters", 10);
    static cm_aabb boxes[MANY];
    static uint64_t keys[2 * MANY];
    for (uint32_t i = 0; i < MANY; ++i) boxes[i].min = boxes[i].max = rng_vec3(&r, 1);
    cm__bvh_builder b = builder_of(boxes, 0, keys); /* splitting would put them in another order */
    check_that(b.cluster_count <= MANY / 4, "%u clusters", b.cluster_count);
    uint32_t first = 0;
    double away = 0;
    for (uint32_t i = 0; i < b.cluster_count; ++i) {
        const cm__bvh_cluster *c = &b.clusters[i];
        check_that(c->first == first && c->count >= 1 && c->count <= 16, "%u boxes from %u", c->count, c->first);
        first += c->count;
        for (int k = 0; k < 3; ++k) { /* tree units run from -1 to 1, the grid's steps from 0 to 1024 */
            double low = 512 * ((double)c->min[k] + 1), high = 512 * ((double)c->max[k] + 1);
            double off = fmax(fabs(low - (double)c->at[k]), fabs(high - (double)c->at[k]));
            away = fmax(away, off);
            check_that(high - low < 2 * 64 && off < 64, "cluster %u: %g to %g, its cell's middle at %g", i, low, high,
                       (double)c->at[k]); /* a cell of 16 in 20,000 is some 47 steps wide, or twice that */
        }
    }
    assert_int_equal(first, MANY);
    print_message("  %u clusters, %g steps from the middle at most\n", b.cluster_count, away);
    builder_free(&b);
}

/* Three cells of the grid that hold all boxes are three clusters, and no plane of the grid parts one. */
static void crowded_cells_are_left_whole(void **state) {
    (void)state;
    rng r = rng_start("crowds", 11);
    static cm_aabb boxes[MANY];
    static uint64_t keys[2 * MANY];
    for (uint32_t i = 0; i < MANY; ++i) {
        cm_vec3 at = cm_v(i % 3 == 0 ? CM_REAL(-0.8) : CM_REAL(0.3), i % 3 == 1 ? CM_REAL(0.6) : CM_REAL(-0.1), 0);
        boxes[i].min = boxes[i].max =
            cm_add(cm_add(at, cm_v(CM_REAL(2e-3), CM_REAL(2e-3), CM_REAL(2e-3))), rng_vec3(&r, 1e-4));
    }
    cm__bvh_builder b = builder_of(boxes, 20, keys);
    assert_int_equal(b.cluster_count, 3);
    assert_int_equal(b.job_count, 3);
    assert_int_equal(b.node_count, 2); /* the root's, and the one that parts them */
    for (size_t i = 0; i < b.job_count; ++i) {
        assert_int_equal(b.jobs[i].cluster_count, 1);
        check_that(b.jobs[i].count >= MANY / 3 && b.jobs[i].items && !b.jobs[i].spill, "%u boxes", b.jobs[i].count);
    }
    builder_free(&b);
    cm__bvh tree;
    assert_int_equal(cm__bvh_build(boxes, MANY, 2, NULL, &tree), CM_OK);
    cm__bvh_free(&tree, NULL);
}

/* The cost of a walk by the surface area heuristic, in areas of the whole. */
static double tree_cost(const cm__bvh_node *nodes, uint32_t count, const cm__bvh_range *whole) {
    double sum = 0, size[3];
    for (int k = 0; k < 3; ++k) size[k] = 0.5 * ((double)whole->max[k] - (double)whole->min[k]);
    double area = size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
    for (uint32_t n = 0; n < count; ++n) {
        for (int i = 0; i < 4; ++i) {
            double x = (double)nodes[n].half[0][i], y = (double)nodes[n].half[1][i], z = (double)nodes[n].half[2][i];
            if (x >= 0) sum += (x * y + y * z + z * x) * (double)(nodes[n].count[i] ? nodes[n].count[i] : 1);
        }
    }
    return sum / area;
}

static void split_by_clusters_a_tree_costs_what_it_costs_split_by_boxes(void **state) {
    (void)state;
    rng r = rng_start("cost", 12);
    static cm_aabb boxes[MANY];
    static cm__bvh_item items[MANY];
    static uint32_t numbers[MANY];
    const uint32_t room = cm__bvh_most_nodes(MANY, 2);
    cm__bvh_node *nodes = malloc(room * sizeof *nodes);
    for (int kind = 0; kind < 3; ++kind) { /* all over; in a plane; on a line, half of them in a tenth of it */
        for (uint32_t i = 0; i < MANY; ++i) {
            boxes[i] = random_box(&r, 1, 0.02, 0);
            if (kind == 1) boxes[i].max.z -= boxes[i].min.z, boxes[i].min.z = 0;
            if (kind == 2 && i % 2) boxes[i].max.x -= CM_REAL(0.9) * boxes[i].min.x, boxes[i].min.x *= CM_REAL(0.1);
            if (kind == 2) boxes[i].max.y -= boxes[i].min.y, boxes[i].min.y = 0;
            if (kind == 2) boxes[i].max.z -= boxes[i].min.z, boxes[i].min.z = 0;
        }
        cm__bvh tree;
        assert_int_equal(cm__bvh_build(boxes, MANY, 2, NULL, &tree), CM_OK);
        for (uint32_t i = 0; i < MANY; ++i) cm__bvh_item_of(&boxes[i], &tree, i, &items[i]);
        cm__bvh_plot plot = {.items = items, .count = MANY, .leaf = 2, .level = 0, .nodes = nodes, .numbers = numbers};
        cm__bvh_grow(&plot);
        double by_boxes = tree_cost(plot.nodes, plot.node_count, &plot.range);
        double by_clusters = tree_cost(tree.nodes + 1, tree.node_count - 1, &plot.range); /* node 0 holds the root */
        print_message("  cost %.3f by clusters, %.3f by boxes\n", by_clusters, by_boxes);
        check_that(by_clusters < 1.03 * by_boxes, "kind %d: %g against %g", kind, by_clusters, by_boxes);
        cm__bvh_free(&tree, NULL);
    }
    free(nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_covers_all_items_once),
        cmocka_unit_test(clusters_are_neighbors_and_neither_many_nor_large),
        cmocka_unit_test(crowded_cells_are_left_whole),
        cmocka_unit_test(split_by_clusters_a_tree_costs_what_it_costs_split_by_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
