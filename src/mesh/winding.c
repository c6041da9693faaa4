/* How often a mesh winds around a point: exact, by the triangles along one half-line.
 *
 * The tree offers the triangles that the half-line from the point in direction +x can meet (grown by the tree's margin,
 * so none is missing); each adds -1, 0 or 1 by exact signs, as math/exact.h tells. A mesh placed in another frame is
 * judged by its posed points; its tree is asked in its own frame with the rounding of the pose as an allowance. Points
 * of a mesh in its own frame that lie in a cell without triangles (cells.c) take the winding of the cell.
 *
 * Based on: [Shewchuk97], [Edelsbrunner90] through cm__winding_triangle. */
#include "math/exact.h"
#include "math/round.h"
#include "mesh/kernel.h"

typedef struct winding_sum {
    int turns;
    bool on_surface;
} winding_sum;

static void winding_add(winding_sum *sum, cm__point p, cm__point a, cm__point b, cm__point c) {
    /* beside the line in y or z, or behind: nothing to add, and p is not on it */
    if (a.x < p.x && b.x < p.x && c.x < p.x) return;
    if (a.y < p.y && b.y < p.y && c.y < p.y) return;
    if (a.y > p.y && b.y > p.y && c.y > p.y) return;
    if (a.z < p.z && b.z < p.z && c.z < p.z) return;
    if (a.z > p.z && b.z > p.z && c.z > p.z) return;
    sum->turns += cm__winding_triangle(p, a, b, c);
    sum->on_surface = sum->on_surface || cm__point_on_triangle(p, a, b, c);
}

static int winding_finish(const cm_mesh *mesh, const winding_sum *sum, bool *on_surface) {
    if (on_surface) *on_surface = sum->on_surface;
    return sum->on_surface || !mesh->info.solid ? 0 : sum->turns;
}

int cm__mesh_winding_face(cm_vec3 point, const cm__face *face, bool *on_surface) {
    winding_sum sum = {0, false};
    winding_add(&sum, cm__point_of(point), cm__point_of(face->corner[0]), cm__point_of(face->corner[1]),
                cm__point_of(face->corner[2]));
    if (sum.on_surface) *on_surface = true;
    return sum.turns;
}

int cm_mesh_winding(const cm_mesh *mesh, cm_vec3 point, bool *on_surface) {
    winding_sum sum = {0, false};
    cm_aabb at;
    at.min = at.max = point;
    if (cm_aabb_overlaps(&mesh->info.bounds, &at)) { /* beyond the bounds, or NaN: 0 */
        cm__mesh_ray_job job;
        const int known = cm__mesh_cell_winding(mesh, point);
        if (known != CM__MESH_MIXED) {
            if (on_surface) *on_surface = false;
            return known;
        }
        cm__mesh_ask_winding(point, &job);
        cm__mesh_kernel_get()->ray(mesh, job.origin, job.direction, &job);
        sum.turns = job.turns, sum.on_surface = job.found;
    }
    return winding_finish(mesh, &sum, on_surface);
}

int cm__mesh_winding_placed(const cm_mesh *b, const cm__bvh_placing *placing, cm_vec3 point, bool *on_surface) {
    winding_sum sum = {0, false};
    if (cm_vec3_is_valid(point)) {
        cm__bvh tree = cm__mesh_tree(b);
        cm__bvh_ray_query q;
        cm__bvh_leaf leaf;
        cm_vec3 from = cm_sub(point, placing->position);
        /* the way back rounds like the way there, from a point at the distance of `from` */
        cm_real error = cm__place_error(placing->position, b->point_reach) +
                        16 * CM_REAL_EPSILON * (cm_largest(from) + cm_largest(placing->position));
        cm__bvh_ray_start(&q, &tree, cm_mat3_mul_transposed(&placing->rotation, from),
                          cm_mat3_mul_transposed(&placing->rotation, cm_v(1, 0, 0)), error);
        while (!sum.on_surface && cm__bvh_ray_next(&q, CM_REAL_MAX, &leaf)) {
            for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
                const cm__face own = cm__mesh_face(b, i), f = cm__mesh_posed_face(placing, &own);
                winding_add(&sum, cm__point_of(point), cm__point_of(f.corner[0]), cm__point_of(f.corner[1]),
                            cm__point_of(f.corner[2]));
            }
        }
    }
    return winding_finish(b, &sum, on_surface);
}
