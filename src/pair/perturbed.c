/* Signs about two meshes of which one is moved by less than any number.
 *
 * Guaranteed: every answer is that of the one motion (e, e², e³) of B for all e > 0 that are small enough, so that all
 * of them fit together: along the boundary of each triangle the steps of the other mesh's winding number sum up to 0,
 * and they lead from the winding number at one corner to that at the next. Signs are exact for the points given
 * (math/exact.h), and where a determinant is 0, the first term of its expansion in e that is not 0 decides:
 * - corner p of A against face abc of B, normal n: n . (p - a - d) for the motion d, so the first component of -n;
 * - corner of B against a face of A: the first component of n;
 * - line pq of A against line ab of B: det(q - p, a + d - p, b - a), so the first component of (b - a) x (q - p).
 * A triangle without area has n = 0; its corners' neighbors see it from one side, and nothing pierces it. Parallel
 * lines leave the last sign at 0; but an edge whose ends are on different sides of a face is parallel to none of its
 * edges.
 *
 * Based on: [Edelsbrunner90] simulation of simplicity; the signs after [Shewchuk97]. */
#include "pair/perturbed.h"

#include "math/exact.h"
#include "math/round.h"

/* The sign of the first component of (b - a) x (c - a) that is not 0. */
static int perturbed_first_of_normal(const cm__point f[3]) {
    int sign = 0;
    for (int axis = 0; axis < 3 && sign == 0; axis++) sign = cm__orient2_along(axis, f[0], f[1], f[2]);
    return sign;
}

/* Two of four points that are the same lie in one plane with any others: known without the exact sign, which costs most
 * where meshes share points. */
static bool perturbed_is_corner(cm__point p, const cm__point f[3]) {
    return cm__point_equal(p, f[0]) || cm__point_equal(p, f[1]) || cm__point_equal(p, f[2]);
}

/* On which side of each face are the other's corners? `toward` is 1 where the corners move by (e, e², e³), -1 where the
 * face does. @return false where they are all on one side. */
static bool perturbed_sides(const cm__point face[3], const cm__point corner[3], int toward, int side[3]) {
    for (int i = 0; i < 3; i++)
        side[i] = perturbed_is_corner(corner[i], face) ? 0 : cm__orient3(face[0], face[1], face[2], corner[i]);
    if (side[0] == 0 || side[1] == 0 || side[2] == 0) {
        const int moved = toward * perturbed_first_of_normal(face);
        for (int i = 0; i < 3; i++) side[i] = side[i] != 0 ? side[i] : moved;
    }
    return side[0] != side[1] || side[1] != side[2];
}

/* How the line of A's edge pq passes that of B's edge ab. Edges with a common end are known as above; two that share
 * both are parallel, which the signs below would say too. */
static int perturbed_pass(cm__point p, cm__point q, cm__point a, cm__point b) {
    const bool begins = cm__point_equal(p, a) || cm__point_equal(p, b);
    const bool ends = cm__point_equal(q, a) || cm__point_equal(q, b);
    if (begins && ends) return 0; /* the same edge */
    int sign = begins || ends ? 0 : cm__orient3(p, q, a, b);
    for (int axis = 0; axis < 3 && sign == 0; axis++) sign = cm__cross_sign(axis, a, b, p, q);
    return sign;
}

int cm__perturbed_pierce(const cm__point a[3], const cm__point b[3], cm__piercing out[2]) {
    int side_a[3], side_b[3], pass[3][3], count = 0;
    if (!perturbed_sides(b, a, -1, side_a) || !perturbed_sides(a, b, 1, side_b)) return 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) pass[i][j] = perturbed_pass(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
    for (int i = 0; i < 3 && count < 2; i++) {
        const int *p = pass[i], from = side_a[i];
        if (from == side_a[(i + 1) % 3] || p[0] == 0 || p[0] != p[1] || p[1] != p[2]) continue;
        out[count].edge = i;
        out[count++].step = from;
    }
    for (int j = 0; j < 3 && count < 2; j++) {
        const int from = side_b[j], p = pass[0][j];
        if (from == side_b[(j + 1) % 3] || p == 0 || p != pass[1][j] || p != pass[2][j]) continue;
        out[count].edge = 3 + j;
        out[count++].step = from;
    }
    return count == 2 ? 2 : 0; /* beyond the range of exact signs there might be one */
}

/* cm__winding_triangle is about p + (0, e, e²), and of faces in the plane of p it takes those as passed whose normal
 * points along the ray: as for p + (e, e², e³). For the opposite motion all is turned about the origin. */
int cm__perturbed_winding(const cm_mesh *mesh, const cm__bvh_placing *placing, cm_vec3 point, int direction) {
    const cm__bvh tree = cm__mesh_tree(mesh);
    const double s = direction;
    const cm__point p = cm__point_scale(cm__point_of(point), s);
    const cm_vec3 from = cm_sub(point, placing->position);
    /* as cm__mesh_winding_placed has it */
    const cm_real error = cm__place_error(placing->position, mesh->point_reach) +
                          16 * CM_REAL_EPSILON * (cm_largest(from) + cm_largest(placing->position));
    cm__bvh_ray_query q;
    cm__bvh_leaf leaf;
    int turns = 0;
    cm__bvh_ray_start(&q, &tree, cm_mat3_mul_transposed(&placing->rotation, from),
                      cm_mat3_mul_transposed(&placing->rotation, cm_v((cm_real)direction, 0, 0)), error);
    while (cm__bvh_ray_next(&q, CM_REAL_MAX, &leaf)) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            cm__point c[3];
            const cm__face own = cm__mesh_face(mesh, i), f = cm__mesh_posed_face(placing, &own);
            for (int k = 0; k < 3; k++) c[k] = cm__point_scale(cm__point_of(f.corner[k]), s);
            turns += cm__winding_triangle(p, c[0], c[1], c[2]);
        }
    }
    return direction * turns;
}
