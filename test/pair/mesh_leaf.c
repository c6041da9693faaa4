/* The boxes of a leaf's triangles: held against a triangle's box as one by one, touching included. */
#include "pair/mesh_leaf.h"
#include "support/meshes.h"

/* How far two boxes are apart, in double. */
static double boxes_gap(const cm_aabb *a, const cm_aabb *b) {
    const double low_a[3] = {(double)a->min.x, (double)a->min.y, (double)a->min.z};
    const double low_b[3] = {(double)b->min.x, (double)b->min.y, (double)b->min.z};
    const double high_a[3] = {(double)a->max.x, (double)a->max.y, (double)a->max.z};
    const double high_b[3] = {(double)b->max.x, (double)b->max.y, (double)b->max.z};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double gap = fmax(fmax(low_a[k] - high_b[k], low_b[k] - high_a[k]), 0);
        sum += gap * gap;
    }
    return sqrt(sum);
}

typedef struct seen {
    int meet, touch, apart, near, far;
} seen;

static void check_leaf(const cm_mesh *mesh, const cm__bvh_leaf *leaf, const cm__face *face, cm_real bound, seen *to) {
    cm__leaf_boxes boxes;
    cm__leaf_boxes_of(mesh, leaf, &boxes);
    const cm_aabb other = cm__face_box(face);
    const uint32_t meet = cm__leaf_boxes_overlap(&boxes, other), near = cm__leaf_boxes_near(&boxes, other, bound);
    check_that((meet | near) >> leaf->count == 0, "%x, %x for %u triangles", meet, near, leaf->count);
    for (uint32_t i = 0; i < leaf->count; i++) {
        const cm__face own = cm__mesh_face(mesh, leaf->first + i);
        const cm_aabb box = cm__face_box(&own);
        const bool overlap = cm_aabb_overlaps(&box, &other);
        const double gap = boxes_gap(&box, &other);
        check_that((meet >> i & 1) == overlap, "triangle %u of %u: meets %u", i, leaf->count, meet >> i & 1);
        check_that((near >> i & 1) || gap > (double)bound, "triangle %u: %.17g apart, not within %.17g", i, gap,
                   (double)bound);
        check_that(!(near >> i & 1) || gap <= (double)bound * 1.0001 + 2 * sqrt((double)CM_REAL_MIN),
                   "triangle %u: %.17g apart, within %.17g", i, gap, (double)bound);
        to->meet += overlap, to->apart += !overlap, to->touch += overlap && (box.max.x == other.min.x);
        if (near >> i & 1)
            to->near++;
        else
            to->far++;
    }
}

/* Every leaf of meshes on a lattice, held against triangles on the same lattice, so that sides are often equal, and by
 * bounds that are just as large as gaps are. */
static void boxes_are_held_as_one_by_one(void **state) {
    (void)state;
    rng r = rng_start("leaves", 1);
    seen all = {0};
    uint32_t counts = 0;
    const int rounds = samples(300, 30000);
    for (int round = 0; round < rounds; round++) {
        enum { MOST = 60 };
        cm_vec3 points[3 * MOST];
        const uint32_t triangles = 1 + rng_below(&r, MOST);
        const cm_real unit = (cm_real)rng_log_range(&r, 1e-6, 1e6);
        for (uint32_t i = 0; i < 3 * triangles; i++)
            points[i] = cm_v(unit * (cm_real)rng_below(&r, 12), unit * (cm_real)rng_below(&r, 12),
                             unit * (cm_real)rng_below(&r, 12));
        const cm_mesh_desc desc = {.points = &points[0].x, .point_count = 3 * triangles, .triangle_count = triangles};
        cm_mesh *mesh = NULL;
        assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
        cm__face face;
        for (int i = 0; i < 3; i++)
            face.corner[i] = cm_v(unit * (cm_real)rng_below(&r, 12), unit * (cm_real)rng_below(&r, 12),
                                  unit * (cm_real)rng_below(&r, 12));
        const cm__bvh tree = cm__mesh_tree(mesh);
        for (uint32_t n = 0; n < tree.node_count; n++)
            for (int i = 0; i < 4; i++) {
                if (tree.nodes[n].half[0][i] < 0 || tree.nodes[n].count[i] == 0) continue;
                const cm__bvh_leaf leaf = {tree.nodes[n].child[i], tree.nodes[n].count[i]};
                counts |= 1u << leaf.count;
                check_leaf(mesh, &leaf, &face, unit * (cm_real)rng_below(&r, 6), &all);
                check_leaf(mesh, &leaf, &face, rng_below(&r, 2) ? 0 : CM_REAL_MAX, &all);
            }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(counts == 0x1fe, "leaves of %x", counts); /* of 1 to 8 */
    check_that(all.meet > 5 * rounds && all.apart > 5 * rounds && all.touch > rounds / 4 && all.near > 5 * rounds &&
                   all.far > 3 * rounds,
               "%d meet, %d of them at a side, %d do not; %d near, %d far", all.meet, all.touch, all.apart, all.near,
               all.far);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_held_as_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
