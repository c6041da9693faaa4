/* Pairs of plain arrays: against two nested loops, on made and on recorded boxes. */
#include "support/support.h"

static int by_numbers(const void *a, const void *b) {
    const cm_broad_pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static void expect_pairs(const cm_broad_pair_list *list, const cm_broad_pair *expected, size_t count,
                         const char *what) {
    check_that(list->count == count, "%s: %zu pairs, expected %zu", what, list->count, count);
    for (size_t i = 0; i < count; ++i) {
        check_that(by_numbers(&list->pairs[i], &expected[i]) == 0, "%s: pair %zu is %u %u, expected %u %u", what, i,
                   (unsigned)list->pairs[i].a, (unsigned)list->pairs[i].b, (unsigned)expected[i].a,
                   (unsigned)expected[i].b);
    }
}

/* Two nested loops over the first `n`; with `second`, over n × m. */
static cm_broad_pair *nested_loops(const cm_aabb *boxes, uint32_t n, const cm_aabb *second, uint32_t m, size_t *count) {
    size_t capacity = 1024;
    cm_broad_pair *pairs = malloc(capacity * sizeof *pairs);
    *count = 0;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = second ? 0 : i + 1; j < (second ? m : n); ++j) {
            if (!cm_aabb_overlaps(&boxes[i], second ? &second[j] : &boxes[j])) continue;
            if (*count == capacity) pairs = realloc(pairs, (capacity *= 2) * sizeof *pairs);
            pairs[*count].a = i;
            pairs[(*count)++].b = j;
        }
    }
    return pairs;
}

static void check_all_kinds(const cm_aabb *boxes, uint32_t n, const char *name) {
    size_t count;
    cm_broad_pair *expected = nested_loops(boxes, n, NULL, 0, &count);
    cm_broad_pair_list list = {0};
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; ++kind) {
        cm_broad_pairs_desc desc = {.kind = (cm_broad_kind)kind, .flags = CM_BROAD_SORTED};
        char what[100];
        snprintf(what, sizeof what, "%s, %s", name, cm_broad_kind_text(desc.kind));
        cm_status status = cm_broad_pairs(boxes, n, &desc, &list);
        if (status == CM_UNSUPPORTED) continue;
        assert_int_equal(status, CM_OK);
        expect_pairs(&list, expected, count, what);
    }
    cm_broad_pair_list_free(&list, NULL);
    free(expected);
    /* and the first third against the rest */
    uint32_t m = n / 3;
    expected = nested_loops(boxes, m, boxes + m, n - m, &count);
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; ++kind) {
        cm_broad_pairs_desc desc = {.kind = (cm_broad_kind)kind, .flags = CM_BROAD_SORTED};
        char what[100];
        snprintf(what, sizeof what, "%s, two sets, %s", name, cm_broad_kind_text(desc.kind));
        cm_status status = cm_broad_pairs_between(boxes, m, boxes + m, n - m, &desc, &list);
        if (status == CM_UNSUPPORTED) continue;
        assert_int_equal(status, CM_OK);
        expect_pairs(&list, expected, count, what);
        assert_int_equal(cm_broad_pairs_between(boxes + m, n - m, boxes, m, &desc, &list), CM_OK);
        for (size_t i = 0; i < list.count; ++i) {
            cm_broad_pair pair = list.pairs[i];
            list.pairs[i].a = pair.b, list.pairs[i].b = pair.a;
        }
        if (list.count) qsort(list.pairs, list.count, sizeof *list.pairs, by_numbers);
        expect_pairs(&list, expected, count, what);
    }
    cm_broad_pair_list_free(&list, NULL);
    free(expected);
}

static void random_boxes_of_all_sizes_give_the_pairs_of_nested_loops(void **state) {
    (void)state;
    rng r = rng_start("one shot", 21);
    static cm_aabb boxes[3000];
    const uint32_t counts[] = {0, 1, 2, 15, 16, 17, 100, 1000, 3000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        for (int sizes = 0; sizes < 4; ++sizes) {
            double scale = sizes == 3 ? 1e6 : 1;
            for (uint32_t k = 0; k < counts[i]; ++k) {
                double half = sizes == 0 ? 0.3 : sizes == 1 ? rng_log_range(&r, 1e-3, 1) : 0.4 * rng_unit(&r);
                if (sizes == 2 && k % 500 == 3) half = 6;
                cm_vec3 c = rng_vec3(&r, 5 * scale), h = cm_v(1, 1, 1);
                if (sizes == 1) c = cm_v(c.x * c.x * c.x / 25, c.y * c.y * c.y / 25, c.z);
                h = cm_scale(h, (cm_real)(half * scale));
                boxes[k].min = cm_sub(c, h), boxes[k].max = cm_add(c, h);
            }
            char name[60];
            snprintf(name, sizeof name, "%u boxes, sizes %d", (unsigned)counts[i], sizes);
            check_all_kinds(boxes, counts[i], name);
        }
    }
}

static void strides_are_honored(void **state) {
    (void)state;
    struct {
        cm_aabb box;
        uint32_t other[3];
    } things[3] = {{{{0, 0, 0}, {1, 1, 1}}, {1, 2, 3}}, {{{3, 3, 3}, {4, 4, 4}}, {0}}, {{{1, 1, 1}, {2, 2, 2}}, {0}}};
    cm_broad_pairs_desc desc = {.stride = sizeof things[0]};
    cm_broad_pair_list list = {0};
    assert_int_equal(cm_broad_pairs(&things[0].box, 3, &desc, &list), CM_OK);
    assert_int_equal(list.count, 1); /* touching at a corner */
    assert_int_equal(list.pairs[0].a, 0);
    assert_int_equal(list.pairs[0].b, 2); /* side by side, what stands between would make it 1 */
    desc.kind = (cm_broad_kind)50;
    assert_int_equal(cm_broad_pairs(&things[0].box, 3, &desc, &list), CM_INVALID);
    assert_int_equal(list.count, 0);
    desc.kind = CM_BROAD_AUTO, desc.flags = 4;
    assert_int_equal(cm_broad_pairs(&things[0].box, 3, &desc, &list), CM_INVALID);
    assert_int_equal(cm_broad_pairs(NULL, 0, NULL, &list), CM_OK);
    assert_int_equal(cm_broad_pairs(NULL, 3, NULL, &list), CM_INVALID);
    cm_broad_pair_list_free(&list, NULL);
    cm_broad_pair_list_free(&list, NULL);
}

static void recorded_scenes_give_the_pairs_of_nested_loops(void **state) {
    (void)state;
    const char *files[] = {"meshes/box3d/bounds01.txt", "meshes/box3d/bounds03.txt"};
    for (int f = 0; f < 2; ++f) {
        const char *path = data_path(files[f]);
        if (!path) skip();
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        static cm_aabb boxes[2000];
        uint32_t n = 0;
        double v[6];
        while (n < 2000 && fscanf(file, "%lf %lf %lf %lf %lf %lf", v, v + 1, v + 2, v + 3, v + 4, v + 5) == 6) {
            boxes[n].min = cm_v((cm_real)v[0], (cm_real)v[1], (cm_real)v[2]);
            boxes[n++].max = cm_v((cm_real)v[3], (cm_real)v[4], (cm_real)v[5]);
        }
        fclose(file);
        assert_int_equal(n, f ? 268 : 288);
        check_all_kinds(boxes, n, files[f]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_boxes_of_all_sizes_give_the_pairs_of_nested_loops),
        cmocka_unit_test(strides_are_honored),
        cmocka_unit_test(recorded_scenes_give_the_pairs_of_nested_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
