/* The upper levels of a tree: what they leave to be split box by box, also where the free levels have ended. */
#include "bvh/upper.h"
#include "support/support.h"

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
            b.mem = &c.mem, b.count = MANY, b.leaf = 2, b.free_levels = levels;
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_left_covers_all_items_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
