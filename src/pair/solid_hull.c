/* Convex solid meshes, asked as their hulls: by sweeps, and here for the contact of two solids of which one or both are
 * such meshes.
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

cm_shape cm__solid_hull_of(const cm_shape *shape, const cm_shape *other) {
    const cm_hull *hull = shape_mesh_hull(shape);
    const cm__parts_ops *parts = cm__ops(other->kind)->parts;
    const bool surface = parts && parts->surface && !shape_mesh_hull(other);
    return hull && !surface ? cm_make_hull(hull) : *shape;
}

/* The shape as which one of the two is asked, and whether it is one for that. */
static bool solid_as_convex(const cm_shape *shape, const cm_shape *other, cm_shape *out) {
    *out = cm__solid_hull_of(shape, other);
    return cm__ops(out->kind)->core;
}

/* The largest coordinate of a shape; of what is curved, the error of its gap is added to *error. */
static double solid_size(const cm_shape *shape, double *error) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    cm__core core;
    cm_aabb box;
    if (ops->core) {
        ops->core(shape, &core);
        if (!core.ops->corner) *error += SOLID_CURVED * core.size;
        return cm__point_largest(core.center) + core.size + core.radius;
    }
    if (!ops->parts) return fabs((double)shape->u.halfspace.d) + (double)shape->radius;
    ops->parts->box(shape, &box);
    return (double)cm_max(cm_largest(box.min), cm_largest(box.max));
}

double cm__solid_hull_slack(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    double error = 0;
    const double size = solid_size(a, &error) + solid_size(b, &error) + (double)cm_largest(b_in_a->position);
    return (SOLID_ROUND + CM__MESH_CONVEX_SLACK) * (double)CM_REAL_EPSILON * size + error;
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
    /* a curved shape's point may be off by more */
    for (double within = slack; best == CM_NONE && within < (double)CM_REAL_MAX; within *= 16) {
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
    if (!solid_as_convex(a, b, &as_a) || !solid_as_convex(b, a, &as_b)) return false;
    const double slack = cm__solid_hull_slack(&as_a, &as_b, b_in_a);
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
