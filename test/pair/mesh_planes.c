/* The planes of a leaf's triangles: what they leave out is farther than the bound, as one by one, and touching is not
 * left out; what lies clearly beyond them is left out. */
#include "pair/mesh_planes.h"
#include "pair/triangle_triangle.h"
#include "math/closest.h"
#include "support/meshes.h"

typedef struct seen {
    int kept, left_out, missed;
} seen;

static double point_distance(cm_vec3 p, const cm__face *face) {
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(p), cm__point_of(face->corner[0]), cm__point_of(face->corner[1]),
                               cm__point_of(face->corner[2]), &c);
    return cm__point_length(c.gap);
}

static cm_real triangle_distance(const cm__face *a, const cm__face *b) {
    cm_vec3 on_a, on_b;
    return cm__distance_triangle_triangle(a->corner, b->corner, CM_REAL_MAX, &on_a, &on_b);
}

/* By how much the plane of one parts them: 0 where it does not. */
static double parted_by(const cm__face *of, const cm__face *other) {
    const cm__point a = cm__point_of(of->corner[0]), b = cm__point_of(of->corner[1]), c = cm__point_of(of->corner[2]);
    const cm__point n = cm__point_cross(cm__point_sub(b, a), cm__point_sub(c, a));
    const double length = cm__point_length(n);
    double low = DBL_MAX, high = -DBL_MAX;
    for (int i = 0; i < 3; i++) {
        const double height = cm__point_dot(n, cm__point_sub(cm__point_of(other->corner[i]), a)) / length;
        low = fmin(low, height), high = fmax(high, height);
    }
    const double size = cm__point_largest(cm__point_sub(b, a)) + cm__point_largest(cm__point_sub(c, a));
    return length > 1e-6 * size * size ? fmax(fmax(low, -high), 0) : 0; /* the plane of a needle is rough */
}

/* A distance is rounded: what is farther than the bound may be rounded to it. */
static void check_triangle(const cm_mesh *mesh, const cm__bvh_leaf *leaf, const cm__face *face, double bound,
                           seen *to) {
    cm__leaf_boxes boxes;
    cm__leaf_boxes_of(mesh, leaf, &boxes);
    const cm_aabb box = cm__face_box(face);
    const uint32_t near =
        bound > 0 ? cm__leaf_boxes_near(&boxes, box, (cm_real)bound) : cm__leaf_boxes_overlap(&boxes, box);
    cm__leaf_planes planes;
    for (int own = 0; own < 2; own++) {
        cm__leaf_planes_open(&planes);
        planes.ready = false, planes.own = own;
        const uint32_t left = cm__leaf_planes_ask(&planes, mesh, leaf, &boxes, face->corner, bound, near);
        check_that((left & ~near) == 0, "of %x %x is left", near, left);
        for (uint32_t i = 0; i < leaf->count; i++) {
            if (!(near >> i & 1)) continue;
            const cm__face a = cm__mesh_face(mesh, leaf->first + i);
            const cm_real d = triangle_distance(&a, face);
            const bool kept = left >> i & 1;
            const bool beyond = bound > 0 ? (double)d >= bound : d > 0;
            check_that(kept || beyond, "triangle %u is left out, %.17g apart, within %.17g", i, (double)d, bound);
            const double parted = fmax(parted_by(&a, face), parted_by(face, &a));
            const bool clear = parted > 1.001 * bound && parted > 1e-3 * (double)cm_largest(box.max);
            to->kept += kept, to->left_out += !kept, to->missed += kept && clear;
        }
    }
}

static void check_point(const cm_mesh *mesh, const cm__bvh_leaf *leaf, cm_vec3 p, cm_real bound, seen *to) {
    const uint32_t left = cm__leaf_planes_near(mesh, leaf, p, bound);
    check_that(left >> leaf->count == 0, "of %u %x is left", leaf->count, left);
    for (uint32_t i = 0; i < leaf->count; i++) {
        const cm__face a = cm__mesh_face(mesh, leaf->first + i);
        const double d = point_distance(p, &a);
        const bool kept = left >> i & 1;
        check_that(kept || d > (double)bound, "triangle %u is left out, %.17g from the point, within %.17g", i, d,
                   (double)bound);
        to->kept += kept, to->left_out += !kept;
    }
}

static cm_vec3 lattice_point(rng *r, cm_real unit, cm_real noise) {
    const cm_vec3 p = cm_v((cm_real)rng_below(r, 9), (cm_real)rng_below(r, 9), (cm_real)rng_below(r, 9));
    const cm_vec3 q = cm_v((cm_real)rng_range(r, -1, 1), (cm_real)rng_range(r, -1, 1), (cm_real)rng_range(r, -1, 1));
    return cm_scale(cm_mul_add(p, noise, q), unit);
}

/* Leaves of meshes on a lattice and beside it, against triangles and points there, by bounds that are 0, as large as
 * some distance is, or a little less. */
static void nothing_near_is_left_out(void **state) {
    (void)state;
    rng r = rng_start("planes", 1);
    seen by_triangle = {0}, by_point = {0};
    const int rounds = samples(400, 40000);
    for (int round = 0; round < rounds; round++) {
        enum { MOST = 24 };
        cm_vec3 points[3 * MOST];
        const uint32_t triangles = 1 + rng_below(&r, MOST);
        const cm_real unit = (cm_real)rng_log_range(&r, 1e-12, 1e12);
        const cm_real noise = (cm_real)(rng_below(&r, 2) ? rng_log_range(&r, 1e-7, 1e-2) : 0);
        for (uint32_t i = 0; i < 3 * triangles; i++) points[i] = lattice_point(&r, unit, noise);
        const cm_mesh_desc desc = {.points = &points[0].x, .point_count = 3 * triangles, .triangle_count = triangles};
        cm_mesh *mesh = NULL;
        assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
        cm__face face;
        for (int i = 0; i < 3; i++) face.corner[i] = lattice_point(&r, unit, noise);
        const cm__bvh tree = cm__mesh_tree(mesh);
        for (uint32_t n = 0; n < tree.node_count; n++)
            for (int i = 0; i < 4; i++) {
                if (tree.nodes[n].half[0][i] < 0 || tree.nodes[n].count[i] == 0) continue;
                const cm__bvh_leaf leaf = {tree.nodes[n].child[i], tree.nodes[n].count[i]};
                const cm__face some = cm__mesh_face(mesh, leaf.first + rng_below(&r, leaf.count));
                const cm_real d = triangle_distance(&some, &face), e = (cm_real)point_distance(face.corner[0], &some);
                check_triangle(mesh, &leaf, &face, 0, &by_triangle);
                for (int ulps = -2; ulps <= 4; ulps++)
                    check_triangle(mesh, &leaf, &face, (double)d * (1 + ulps * (double)CM_REAL_EPSILON), &by_triangle);
                check_triangle(mesh, &leaf, &face, (double)CM_REAL_MAX, &by_triangle);
                check_point(mesh, &leaf, face.corner[0], e, &by_point);
                check_point(mesh, &leaf, face.corner[0], CM_REAL_MAX, &by_point);
            }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(by_triangle.kept > 5 * rounds && by_triangle.left_out > 2 * rounds && by_triangle.missed == 0,
               "%d kept, %d of them clearly parted, %d left out", by_triangle.kept, by_triangle.missed,
               by_triangle.left_out);
    check_that(by_point.kept > rounds && by_point.left_out > rounds / 4, "%d kept, %d left out", by_point.kept,
               by_point.left_out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_near_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
