/* What the search of cm__mesh_extent asks of one point or box: how far it is from Y, on which side of Y's surface,
 * whether X's surface is there the boundary of the union of X's shells, and how deep it can be in Y's box. */
#include "pair/extent_search.h"

#include "mesh/mesh.h"
#include "pair/extent.h"
#include "pair/mesh_leaf.h"

double cm__extent_near(cm__extent_search *s, cm__point p, double share, uint32_t *triangle, cm__point *nearest) {
    ++s->evaluations;
    double best = DBL_MAX;
    if (*triangle != CM_NONE) best = extent_to_triangle(s, p, *triangle, nearest);
    double slack = cm__point_largest(p) * (double)CM_REAL_EPSILON; /* p itself is rounded for the tree */
    cm__bvh_near_query q;
    cm__bvh_leaf leaf;
    const cm_aabb at = {cm__vec3_of(p), cm__vec3_of(p)};
    cm__bvh_near_start(&q, &s->tree_y, at.min);
    for (;;) {
        const cm_real bound = best < (double)CM_REAL_MAX ? (cm_real)(best * share + slack) : CM_REAL_MAX;
        if (!cm__bvh_near_next(&q, bound, &leaf)) return best;
        /* also where a share is asked for, what is nearer than the best is taken: only what is not is left out */
        const cm_real nearer = best < (double)CM_REAL_MAX ? (cm_real)(best + slack) : CM_REAL_MAX;
        uint32_t near = cm__leaf_planes_near(s->query->y, &leaf, at.min, nearer);
        if (near == 0) continue;
        cm__leaf_boxes boxes;
        cm__leaf_boxes_of(s->query->y, &leaf, &boxes);
        near &= cm__leaf_boxes_near(&boxes, at, bound);
        for (; near != 0; near &= near - 1) {
            const uint32_t i = leaf.first + (uint32_t)bits_lowest(near);
            if (s->tree_y.items[i] == *triangle) continue; /* known */
            const cm__face face = cm__mesh_face(s->query->y, i);
            const cm_vec3 *y = face.corner;
            cm__closest_on_triangle c;
            cm__closest_point_triangle(p, cm__point_of(y[0]), cm__point_of(y[1]), cm__point_of(y[2]), &c);
            double d = cm__point_length(c.gap);
            if (d < best) {
                best = d;
                *triangle = s->tree_y.items[i];
                *nearest = c.point;
            }
        }
    }
}

bool cm__extent_side_is_wanted(const cm__extent_search *s, cm__point p) {
    if (s->query->side == CM__SIDE_ANY || s->query->one_sided) return true;
    bool inside = cm_mesh_winding(s->query->y, cm__vec3_of(p), NULL) != 0;
    return inside == (s->query->side == CM__SIDE_WITHIN);
}

bool cm__extent_is_boundary(const cm__extent_search *s, uint32_t triangle, cm__point p) {
    if (!s->x_is_solid || s->query->side != CM__SIDE_WITHIN) return true;
    cm__point x[3];
    extent_corners(s->query->x, triangle, x);
    cm__point normal = cm__point_normal(x[0], x[1], x[2]);
    double length = cm__point_length(normal);
    if (!(length > 0)) return true;
    cm__point q = cm__affine_apply(&s->query->y_to_x, p);
    double step = s->query->tolerance + 16 * (double)CM_REAL_EPSILON * cm__point_largest(q);
    bool front = cm_mesh_winding(s->query->x, cm__vec3_of(cm__point_mul_add(q, step / length, normal)), NULL) != 0;
    bool back = cm_mesh_winding(s->query->x, cm__vec3_of(cm__point_mul_add(q, -step / length, normal)), NULL) != 0;
    return !(front && back);
}

double cm__extent_deepest(const cm__extent_search *s, const double low[3], const double high[3]) {
    const cm_aabb *box = &s->query->y->info.bounds;
    const double min[3] = {(double)box->min.x, (double)box->min.y, (double)box->min.z};
    const double max[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
    double least = DBL_MAX;
    for (int k = 0; k < 3; ++k) {
        /* the way out rises to the middle of the box and falls from there */
        const double out = wide_min(wide_min(high[k] - min[k], max[k] - low[k]), 0.5 * (max[k] - min[k]));
        least = wide_min(least, out);
    }
    return least;
}

bool cm__extent_is_shallow(const cm__extent_search *s, const cm__point v[3]) {
    if (s->query->side != CM__SIDE_WITHIN) return false;
    const cm_aabb *box = &s->query->y->info.bounds;
    const double low[3] = {wide_min(v[0].x, wide_min(v[1].x, v[2].x)), wide_min(v[0].y, wide_min(v[1].y, v[2].y)),
                           wide_min(v[0].z, wide_min(v[1].z, v[2].z))};
    const double high[3] = {wide_max(v[0].x, wide_max(v[1].x, v[2].x)), wide_max(v[0].y, wide_max(v[1].y, v[2].y)),
                            wide_max(v[0].z, wide_max(v[1].z, v[2].z))};
    const double t = s->query->tolerance;
    const bool beyond = low[0] < (double)box->min.x - t || low[1] < (double)box->min.y - t ||
                        low[2] < (double)box->min.z - t || high[0] > (double)box->max.x + t ||
                        high[1] > (double)box->max.y + t || high[2] > (double)box->max.z + t;
    return extent_may_look_inside(s, beyond) && cm__extent_deepest(s, low, high) <= extent_reached(s);
}

double cm__mesh_distance_to(const cm_mesh *mesh, cm_vec3 point) {
    cm__extent_query query = {0};
    cm__extent_search s = {0};
    query.y = mesh;
    s.query = &query;
    s.tree_y = cm__mesh_tree(mesh);
    uint32_t triangle = CM_NONE;
    cm__point nearest;
    return extent_nearest(&s, cm__point_of(point), &triangle, &nearest);
}
