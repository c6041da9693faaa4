/* What is settled by moving it out of a solid is nowhere deeper: every triangle that is said to be is sampled, and each
 * sample judged by its winding number and its distance from all triangles of the other mesh. */
#include "pair/extent_moved.h"
#include "math/closest.h"
#include "support/solids.h"
#include "support/support.h"

#include <math.h>

static double to_surface_of(const cm_mesh *mesh, cm__point p) {
    double best = DBL_MAX;
    for (uint32_t t = 0; t < mesh->info.triangles; ++t) {
        const cm_triangle y = cm__mesh_triangle(mesh, t);
        cm__closest_on_triangle c;
        cm__closest_point_triangle(p, cm__point_of(y.a), cm__point_of(y.b), cm__point_of(y.c), &c);
        best = c.square < best ? c.square : best;
    }
    return sqrt(best);
}

/* The body again, turned about z and sheared a little: its triangles are others, its surface is nearly the same. */
static cm__affine placed(rng *r, double offset) {
    const double angle = rng_range(r, 0, 6.3), c = cos(angle), s = sin(angle), shear = offset * rng_range(r, -1, 1);
    const cm__affine f = {{{c, -s, shear}, {s, c, 0}, {0, 0, 1}},
                          {offset * rng_range(r, -1, 1), offset * rng_range(r, -1, 1), offset * rng_range(r, -1, 1)}};
    return f;
}

/* A tube: outside and inside, as a shaft and as a bearing. */
static cm_mesh *tube(double outer, double inner, int segments, double phase) {
    soup s = {0};
    const double radius[4] = {outer, outer, inner, inner}, height[4] = {-1, 1, 1, -1};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < segments; ++j) {
            cm_vec3 v[4];
            for (int k = 0; k < 4; ++k) {
                const int ring = (i + k / 2) % 4;
                const double angle = 6.283185307179586 * ((j + (k == 1 || k == 2)) % segments + phase) / segments;
                v[k] =
                    cm_v(CM_REAL(radius[ring] * cos(angle)), CM_REAL(radius[ring] * sin(angle)), CM_REAL(height[ring]));
            }
            soup_add_quad(&s, v[0], v[1], v[2], v[3], j % 2);
        }
    return soup_build(&s, true);
}

/* Sample k of a triangle: its corners, its center, then anywhere. */
static cm__point point_of(rng *r, const cm_mesh *x, uint32_t place, const cm__affine *x_to_y, int k) {
    const cm__face f = cm__mesh_face(x, place);
    cm__point v[3];
    for (int c = 0; c < 3; ++c) v[c] = cm__affine_apply(x_to_y, cm__point_of(f.corner[c]));
    double a = k < 3 ? k == 1 : 1.0 / 3, b = k < 3 ? k == 2 : 1.0 / 3;
    if (k > 3) a = rng_unit(r), b = rng_unit(r);
    if (a + b > 1) a = 1 - a, b = 1 - b;
    const cm__point p = cm__point_mul_add(v[0], a, cm__point_sub(v[1], v[0]));
    return cm__point_mul_add(p, b, cm__point_sub(v[2], v[0]));
}

/* How deep p is in the mesh, or outside it; negative on the other side. */
static double depth_of(const cm_mesh *y, cm__point p, bool outside) {
    const double d = to_surface_of(y, p);
    return (cm_mesh_winding(y, cm__vec3_of(p), NULL) != 0) == outside ? -d : d;
}

static double deepest_of(rng *r, const cm_mesh *x, const cm_mesh *y, const cm__affine *x_to_y, bool outside) {
    double most = 0;
    for (uint32_t i = 0; i < x->info.triangles; ++i)
        for (int k = 0; k < 4; ++k) most = fmax(most, depth_of(y, point_of(r, x, i, x_to_y, k), outside));
    return most;
}

typedef struct moved_tally {
    uint64_t settled, open, deep; /* triangles; samples of what was left open that are deeper */
} moved_tally;

/* Leaves of X that are asked for together: those of one node. Returns how many there are. */
static int leaves_of(const cm__bvh_node *node, cm__bvh_leaf leaf[CM__MOVED_LEAVES]) {
    int leaves = 0;
    for (int k = 0; k < 4; ++k) {
        if (node->half[0][k] < 0 || node->count[k] == 0) continue;
        leaf[leaves].first = node->child[k], leaf[leaves++].count = node->count[k];
    }
    return leaves;
}

static void ask_leaves(rng *r, int sample, const cm_mesh *x, const cm_mesh *y, const cm__affine *x_to_y, double far,
                       bool outside, moved_tally *tally) {
    const cm_pose any = cm_pose_identity(); /* not asked for */
    cm__mesh_pair pair;
    cm__mesh_meeting meeting;
    cm__extent_moves moves;
    cm__mesh_pair_open(x, y, &any, &pair);
    cm__mesh_meeting_open(&pair, &meeting);
    cm__extent_moves_open(x_to_y, &meeting, &moves);
    const cm__bvh tree = cm__mesh_tree(x);
    const double rounding = 8 * (double)CM_REAL_EPSILON * 2;
    for (uint32_t n = 0; n < tree.node_count; ++n) {
        cm__bvh_leaf leaf[CM__MOVED_LEAVES];
        uint32_t settled[CM__MOVED_LEAVES];
        const int leaves = leaves_of(&tree.nodes[n], leaf);
        if (leaves == 0) continue;
        cm__extent_moved(&moves, leaf, leaves, far, outside, true, settled);
        for (int l = 0; l < leaves; ++l)
            for (uint32_t i = 0; i < leaf[l].count; ++i) {
                const bool is = settled[l] >> i & 1u;
                tally->settled += is, tally->open += !is;
                for (int k = 0; k < 6; ++k) {
                    const double deep = depth_of(y, point_of(r, x, leaf[l].first + i, x_to_y, k), outside);
                    if (!(deep > far + rounding)) continue;
                    tally->deep += !is;
                    check_that(!is, "sample %d: %.9g deep, settled by %.9g", sample, deep, far);
                }
            }
    }
}

static void what_is_settled_is_nowhere_deeper(void **state) {
    (void)state;
    rng r = rng_start("moved", 61);
    moved_tally tally = {0, 0, 0};
    for (int i = 0; i < samples(120, 6000); ++i) {
        const double offset = rng_log_range(&r, 1e-5, 1e-1), grow = rng_below(&r, 2) ? offset : -offset;
        cm_mesh *x, *y;
        if (i % 2) {
            x = solid_sphere(1, 6 + (int)rng_below(&r, 6), 8 + (int)rng_below(&r, 8));
            y = solid_sphere(CM_REAL(1 + grow), 6 + (int)rng_below(&r, 6), 8 + (int)rng_below(&r, 8));
        } else {
            x = tube(1, 0.5, 8 + (int)rng_below(&r, 40), rng_unit(&r));
            const bool within = rng_below(&r, 2); /* in the hole, or around */
            y = within ? tube(0.5 + grow, 0.3, 8 + (int)rng_below(&r, 40), rng_unit(&r))
                       : tube(1.5, 1 + grow, 8 + (int)rng_below(&r, 40), rng_unit(&r));
        }
        const cm__affine place = placed(&r, rng_below(&r, 2) ? 0 : offset);
        const bool outside = rng_below(&r, 4) == 0;
        const double deepest = deepest_of(&r, x, y, &place, outside);
        const double far = rng_below(&r, 2) ? rng_log_range(&r, 0.3, 10) * offset : deepest * rng_range(&r, 0.98, 1.01);
        if (far > 0) ask_leaves(&r, i, x, y, &place, far, outside, &tally);
        cm_mesh_destroy(x, NULL), cm_mesh_destroy(y, NULL);
    }
    printf("  %llu settled, %llu open, of which %llu samples are deeper\n", (unsigned long long)tally.settled,
           (unsigned long long)tally.open, (unsigned long long)tally.deep);
    assert_true(tally.settled > tally.open / 8 && tally.deep > 100);
}

/* A ball of radius 1 in one of radius 1.05, both of 64 by 96 facets, which take less than 0.002 off: each triangle is
 * more than 0.048 deep. Moved by 0.03, a group stays within Y, though not 0.02 below its surface, where no cell of Y
 * tells the side; moved by 0.06 nearly all leave it. */
static void what_stays_within_is_not_settled(void **state) {
    (void)state;
    cm_mesh *x = solid_sphere(1, 64, 96), *y = solid_sphere(CM_REAL(1.05), 64, 96);
    const cm_pose any = cm_pose_identity(); /* not asked for */
    const cm__affine stay = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    cm__mesh_pair pair;
    cm__mesh_meeting meeting;
    cm__extent_moves moves;
    cm__mesh_pair_open(x, y, &any, &pair);
    const cm__bvh tree = cm__mesh_tree(x);
    const double far[2] = {0.03, 0.06};
    uint32_t count[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        cm__mesh_meeting_open(&pair, &meeting);
        cm__extent_moves_open(&stay, &meeting, &moves);
        for (uint32_t n = 0; n < tree.node_count; ++n) {
            cm__bvh_leaf leaf[CM__MOVED_LEAVES];
            uint32_t settled[CM__MOVED_LEAVES];
            const int leaves = leaves_of(&tree.nodes[n], leaf);
            if (leaves == 0) continue;
            cm__extent_moved(&moves, leaf, leaves, far[i], false, true, settled);
            for (int l = 0; l < leaves; ++l)
                for (uint32_t bits = settled[l]; bits != 0; bits &= bits - 1) ++count[i];
        }
    }
    check_that(count[0] == 0, "%u triangles settled by 0.03", count[0]);
    check_that(count[1] > x->info.triangles / 2, "%u of %u settled by 0.06", count[1], x->info.triangles);
    cm_mesh_destroy(x, NULL), cm_mesh_destroy(y, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_settled_is_nowhere_deeper),
                                       cmocka_unit_test(what_stays_within_is_not_settled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
