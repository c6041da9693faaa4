/* T-shaped junctions: corners of open edges that lie on another open edge, between its ends.
 *
 * There the surface looks closed but is not: the triangles beside the seam do not share their edges, so nothing knows
 * what lies across. Counted are open half-edges by their first corner: a chain of open edges has one for each of its
 * corners. Each asks the mesh's tree for the triangles around that corner. Frame: the mesh's own, in double. Bound: at
 * most JUNCTION_LOOKS triangles a corner, so that thousands of triangles over one place cost no more than that; beyond
 * it the count is a lower bound. No memory. */
#include "bvh/near_box.h"
#include "mesh/mesh.h"

enum { JUNCTION_LOOKS = 1024 };

static bool junction_is_open(const cm_mesh *mesh, uint32_t triangle, uint32_t e) {
    const uint32_t *c = cm__mesh_corners(mesh) + 3 * (size_t)triangle;
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) return false; /* no edges */
    return cm__mesh_neighbors(mesh)[3 * (size_t)triangle + e] == CM_NONE;
}

/* Does the point lie within `near` of the segment from a to b, and farther than that from its ends? */
static bool junction_is_on(cm__point p, cm__point a, cm__point b, double near) {
    cm__point along = cm__point_sub(b, a), to = cm__point_sub(p, a);
    double square = cm__point_dot(along, along), s = cm__point_dot(to, along);
    if (!(s > 0 && s < square)) return false;
    cm__point off = cm__point_mul_add(to, -s / square, along);
    if (!(cm__point_length(off) <= near)) return false;
    return cm__point_length(to) > near && cm__point_length(cm__point_sub(p, b)) > near;
}

static bool junction_on_face(const cm_mesh *mesh, uint32_t number, uint32_t point, double near) {
    const cm_vec3 *points = cm__mesh_points(mesh);
    const uint32_t *c = cm__mesh_corners(mesh) + 3 * (size_t)number;
    if (c[0] == point || c[1] == point || c[2] == point) return false;
    for (uint32_t e = 0; e < 3; ++e)
        if (junction_is_open(mesh, number, e) && junction_is_on(cm__point_of(points[point]), cm__point_of(points[c[e]]),
                                                                cm__point_of(points[c[(e + 1) % 3]]), near))
            return true;
    return false;
}

/* Does a corner lie on an open edge that does not end there? */
static bool junction_at(const cm_mesh *mesh, const cm__bvh *tree, uint32_t point, cm_real near) {
    const uint32_t *numbers = cm__mesh_numbers(mesh);
    const cm_vec3 at = cm__mesh_points(mesh)[point];
    const cm_aabb box = {at, at};
    cm__bvh_box_near_query q;
    cm__bvh_leaf leaf;
    cm__bvh_box_near_start(&q, tree, &box);
    for (uint32_t looks = 0; looks < JUNCTION_LOOKS && cm__bvh_box_near_next(&q, near, &leaf); looks += leaf.count)
        for (uint32_t place = leaf.first; place < leaf.first + leaf.count; ++place)
            if (junction_on_face(mesh, numbers[place], point, (double)near)) return true;
    return false;
}

uint32_t cm_mesh_t_junctions(const cm_mesh *mesh, cm_real tolerance) {
    if (!mesh || !(tolerance >= 0) || mesh->info.open_edges + mesh->info.nonmanifold_edges == 0) return 0;
    cm_vec3 size = cm_sub(mesh->info.bounds.max, mesh->info.bounds.min);
    cm_real least = cm_max(CM_REAL(1e-6) * cm_length(size), 4 * (cm_real)FLT_EPSILON * mesh->point_reach);
    cm_real near = tolerance > 0 ? tolerance : least;
    cm__bvh tree = cm__mesh_tree(mesh);
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->info.triangles; ++t)
        for (uint32_t e = 0; e < 3; ++e)
            count += junction_is_open(mesh, t, e) &&
                     junction_at(mesh, &tree, cm__mesh_corners(mesh)[3 * (size_t)t + e], near);
    return count;
}
