/* The contact of convex solids of which one or both are meshes: that of their hulls.
 *
 * A crate of twelve triangles that stands on another touches it by a face, as a box does; triangle against triangle
 * that is some sixty contacts of one plane, and of what is finely cut and deep, no pair of triangles may know the way
 * out. The hull, which the mesh keeps (mesh/convex.c), knows both, and it is the solid itself but for rounding of the
 * coordinates. So only whether two that are as near as that touch is asked of the triangles. Frame: A's. Cost: that of
 * the hulls, and of a walk to the triangles at one point. No memory. */
#include "pair/solid_hull.h"
#include "math/wide.h"
#include "pair/method.h"

#define SOLID_ROUND  32    /* CM_REAL_EPSILONs of the coordinates: how far rounding moves a point */
#define SOLID_CURVED 1e-10 /* of the size of a curved shape: the error of its gap */

/* The shape as which one of the two is asked, and whether it is one for that. */
static bool solid_as_convex(const cm_shape *shape, cm_shape *out) {
    const cm_hull *hull = shape_mesh_hull(shape);
    *out = hull ? cm_make_hull(hull) : *shape;
    return hull || cm__ops(shape->kind)->core;
}

/* How near they must be for rounding to decide. */
static double solid_slack(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__core of_a, of_b;
    cm__ops(a->kind)->core(a, &of_a), cm__ops(b->kind)->core(b, &of_b);
    const double size = cm__point_largest(of_a.center) + of_a.size + of_a.radius + cm__point_largest(of_b.center) +
                        of_b.size + of_b.radius + (double)cm_largest(b_in_a->position);
    double slack = (SOLID_ROUND + CM__MESH_CONVEX_SLACK) * (double)CM_REAL_EPSILON * size;
    if (!of_a.ops->corner) slack += SOLID_CURVED * of_a.size;
    if (!of_b.ops->corner) slack += SOLID_CURVED * of_b.size;
    return slack;
}

uint32_t cm__solid_hull_triangle(const cm_shape *shape, cm_vec3 at, cm_vec3 direction, double slack) {
    const cm__parts_ops *parts = cm__ops(shape->kind)->parts;
    uint32_t best = CM_NONE;
    double most = -DBL_MAX;
    cm_aabb box;
    cm__parts q;
    cm__part part;
    if (!parts) return CM_NONE;
    box.min = box.max = at;
    for (double within = slack; best == CM_NONE; within *= 16) { /* a curved shape's point may be off by more */
        parts->start(&q, shape, &box);
        while (parts->next(&q, wide_up(within), &part)) {
            const cm_triangle *t = &part.shape.u.triangle;
            const cm__point n = cm__point_normal(cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c));
            const double along = cm__point_dot(wide_normalize(n, cm__p(0, 0, 0)), cm__point_of(direction));
            if (along < most || (along == most && part.number > best)) continue;
            most = along, best = part.number;
        }
    }
    return best;
}

static int solid_deepest(const cm_manifold *m) {
    int deepest = 0;
    for (int i = 1; i < m->count; i++)
        if (m->points[i].depth > m->points[deepest].depth) deepest = i;
    return deepest;
}

bool cm__solid_hull_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                            cm_manifold *m) {
    cm_shape as_a, as_b;
    if (!shape_mesh(a) && !shape_mesh(b)) return false;
    if (!solid_as_convex(a, &as_a) || !solid_as_convex(b, &as_b)) return false;
    const double slack = solid_slack(&as_a, &as_b, b_in_a);
    m->count = 0;
    if (cm__pair_contact(&as_a, &as_b, b_in_a, wide_up((double)margin + slack), m, 1) == 0) return true;
    const int deepest = solid_deepest(m);
    const cm_contact_point *at = &m->points[deepest];
    const bool doubtful = fabs((double)at->depth) <= slack;
    const bool overlap = doubtful ? cm__pair_overlap(a, b, b_in_a) : at->depth > 0;
    if (!overlap && (!(margin > 0) || at->depth < -margin)) {
        m->count = 0;
        return true;
    }
    const cm_vec3 back = cm_neg(cm_unrotate(b_in_a->rotation, m->normal));
    m->part_a = cm__solid_hull_triangle(a, at->point_a, m->normal, slack);
    m->part_b = cm__solid_hull_triangle(b, cm_pose_unapply(b_in_a, at->point_b), back, slack);
    for (int i = 0; i < m->count; i++) {
        cm_real *depth = &m->points[i].depth;
        *depth = cm_max(*depth, 0 - margin);
        if (!overlap) *depth = cm_min(*depth, -CM_REAL_MIN);
    }
    if (overlap) m->points[deepest].depth = cm_max(m->points[deepest].depth, 0);
    return true;
}
