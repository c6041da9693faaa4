/* One convex shape against many triangles: spheres by closest points, polytopes of few corners by separating axes
 * (pair/polytope.c), all others through their support function (convex/).
 *
 * A triangle that misses the ball around the shape is rejected before anything else is computed. Rounding, in double:
 * that of the methods named, and 64 DBL_EPSILON of the shape's position. */
#include "pair/prepared.h"
#include "math/closest.h"
#include "math/round.h"

#define PREPARED_NOISE  1e-15 /* of the coordinates: five roundings, of a difference and a product with a unit axis */
#define PREPARED_SEARCH 1e-6  /* of the shape's size: no search of curved cores is off by more */
#define PREPARED_FAR    (1 + 1e-9) /* a length beyond this factor of a bound exceeds it, whatever rounding does; */
#define PREPARED_CLEAR  (1 + 1e-6) /* the same for squares and products of four lengths */

/* Which prepared form the shape's method with a triangle has. */
static cm__prepared_kind prepared_kind_of(cm_kind kind) {
    const cm__method *method = cm__method_between(kind, CM_SHAPE_TRIANGLE);
    if (method == &cm__method_point_triangle) return CM__PREPARED_BALL;
    return method == &cm__method_polytopes ? CM__PREPARED_POLYTOPE : CM__PREPARED_CORE;
}

void cm__prepare(const cm_shape *shape, const cm_pose *pose, cm__prepared *out) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    out->shape = shape;
    out->flat = shape_is_flat(shape);
    out->solid = false;
    out->kind = prepared_kind_of(shape->kind);
    out->to_shape = frame_of_pose(pose);
    out->to_triangles = frame_inverse(&out->to_shape);
    if (out->flat) {
        out->placing.rotation = cm_mat3_from_quat(cm_quat_normalize(pose->rotation));
        out->placing.position = pose->position;
    }
    ops->core(shape, &out->core);
    out->center = frame_apply(&out->to_triangles, out->core.center);
    out->size = out->core.size + out->core.radius;
    out->slack =
        64 * DBL_EPSILON * (cm__point_largest(out->to_shape.position) + out->size + wide_sum(out->core.center));
    if (out->kind == CM__PREPARED_POLYTOPE) cm__polytope_of(shape, &out->to_triangles, &out->polytope);
}

void cm__prepared_box(const cm__prepared *p, cm_aabb *out) {
    cm__point low, high;
    /* the corners of triangles posed in the shape's frame are rounded there */
    double room = p->slack + 16 * (double)CM_REAL_EPSILON * (cm__point_largest(p->to_shape.position) + 2 * p->size) +
                  (double)CM_REAL_MIN;
    if (p->kind == CM__PREPARED_BALL) {
        low = high = p->center;
    } else if (p->kind == CM__PREPARED_POLYTOPE) {
        low = high = p->polytope.corner[0];
        for (int i = 1; i < p->polytope.corner_count; i++) {
            cm__point c = p->polytope.corner[i];
            low = cm__p(wide_min(low.x, c.x), wide_min(low.y, c.y), wide_min(low.z, c.z));
            high = cm__p(wide_max(high.x, c.x), wide_max(high.y, c.y), wide_max(high.z, c.z));
        }
    } else {
        double lo[3], hi[3];
        const cm__frame *f = &p->to_triangles;
        /* axis k of the triangles' frame, in the shape's */
        const cm__point row[3] = {p->to_shape.x, p->to_shape.y, p->to_shape.z};
        const double at[3] = {f->position.x, f->position.y, f->position.z};
        for (int k = 0; k < 3; k++) {
            uint32_t id = p->core.ops->corner ? 0 : CM_NONE;
            cm__point back = wide_neg(row[k]);
            double on = at[k] + cm__point_dot(row[k], p->core.ops->support(&p->core, row[k], &id));
            double off = at[k] + cm__point_dot(row[k], p->core.ops->support(&p->core, back, &id));
            lo[k] = wide_min(on, off), hi[k] = wide_max(on, off); /* a caller's support function may be wrong */
        }
        low = cm__p(lo[0], lo[1], lo[2]), high = cm__p(hi[0], hi[1], hi[2]);
    }
    wide_box(low, high, room + p->core.radius, out);
}

/* --- one triangle ------------------------------------------------------------------------------------------------ */

static void prepared_corners(const cm_triangle *t, cm__point out[3]) {
    out[0] = cm__point_of(t->a), out[1] = cm__point_of(t->b), out[2] = cm__point_of(t->c);
}

/* Is the triangle farther than `bound` from the ball around the shape? Its plane is tried first. */
static bool prepared_is_clear(const cm__prepared *p, const cm__point c[3], double bound) {
    cm__point n = cm__point_normal(c[0], c[1], c[2]);
    double height = cm__point_dot(n, cm__point_sub(p->center, c[0])), reach = p->size + p->slack + bound;
    double nn = cm__point_dot(n, n);
    if (nn > GAP_AREA_LEAST && nn < GAP_AREA_MOST && height * height > reach * reach * nn * PREPARED_CLEAR) return true;
    cm__closest_on_triangle closest;
    cm__closest_point_triangle(p->center, c[0], c[1], c[2], &closest);
    return closest.square > reach * reach * PREPARED_CLEAR && closest.square < GAP_SQUARE_MOST;
}

/* A lower bound of the signed distance of a box from the triangle: by the box's axes and by the triangle's plane. */
static double prepared_least_box(const cm__polytope *b, const cm__point c[3], double noise) {
    double low[3], high[3], sum = 0, most = -DBL_MAX;
    for (int k = 0; k < 3; k++) {
        double x = cm__point_dot(b->axis[k], cm__point_sub(c[0], b->center));
        double y = cm__point_dot(b->axis[k], cm__point_sub(c[1], b->center));
        double z = cm__point_dot(b->axis[k], cm__point_sub(c[2], b->center));
        low[k] = cm__least(cm__least(x, y), z), high[k] = cm__most(cm__most(x, y), z);
        double away = cm__most(low[k], -high[k]) - b->half[k] - noise;
        most = cm__most(most, away);
        sum += away > 0 ? away * away : 0;
    }
    return sum > 0 ? sqrt(sum) * (1 - 1e-12) : most;
}

/* The same for any core along one unit axis, on which the triangle extends from `low` to `high`. */
static double prepared_least_along(const cm__prepared *p, cm__point axis, double low, double high) {
    double level = low;
    if (low + high < 0) axis = wide_neg(axis), level = -high;
    if (p->kind == CM__PREPARED_POLYTOPE) {
        const cm__polytope *b = &p->polytope;
        double reach = -DBL_MAX;
        for (int i = 0; i < b->corner_count; i++)
            reach = cm__most(reach, cm__point_dot(axis, cm__point_sub(b->corner[i], p->center)));
        return level - reach;
    }
    cm__point own = frame_unrotate(&p->to_triangles, axis);
    uint32_t id = p->core.ops->corner ? 0 : CM_NONE;
    return level - cm__point_dot(own, cm__point_sub(p->core.ops->support(&p->core, own, &id), p->core.center));
}

/* Rounding of products with a unit axis. For a triangle far larger than the shape it exceeds the shape's own
 * rounding. */
static double prepared_noise(const cm__prepared *p, const cm__point c[3]) {
    double far = 0;
    for (int i = 0; i < 3; i++) far = cm__most(far, cm__point_largest(cm__point_sub(c[i], p->center)));
    return PREPARED_NOISE * far;
}

/* A cheap lower bound of the signed distance of a core from the triangle: the separation along any axis is one, whether
 * they are apart or overlap. */
static double prepared_least(const cm__prepared *p, const cm__point c[3]) {
    double least = -DBL_MAX, noise = prepared_noise(p, c), level[3];
    if (p->kind == CM__PREPARED_POLYTOPE && p->polytope.corner_count == 8)
        least = prepared_least_box(&p->polytope, c, noise);
    cm__point n = cm__point_normal(c[0], c[1], c[2]);
    double nn = cm__point_dot(n, n);
    if (!(nn > GAP_AREA_LEAST && nn < GAP_AREA_MOST)) return least;
    n = cm__point_scale(n, 1 / sqrt(nn));
    for (int i = 0; i < 3; i++) level[i] = cm__point_dot(n, cm__point_sub(c[i], p->center));
    double low = cm__least(cm__least(level[0], level[1]), level[2]) - noise;
    double high = cm__most(cm__most(level[0], level[1]), level[2]) + noise;
    return cm__most(least, prepared_least_along(p, n, low, high));
}

/* The error of a measured distance: rounding, and for curved cores the tolerance at which the search ends. */
static double prepared_room(const cm__prepared *p) {
    return p->slack + (p->kind == CM__PREPARED_CORE ? PREPARED_SEARCH * p->size : 0);
}

void cm__prepared_bounds(const cm__prepared *p, const cm_triangle *t, double *least, double *most) {
    cm__point c[3];
    cm__closest_on_triangle closest;
    prepared_corners(t, c);
    cm__closest_point_triangle(p->center, c[0], c[1], c[2], &closest);
    double d = cm__point_length(closest.gap), noise = prepared_noise(p, c);
    /* a core that may not hold its center, as a caller's shape: the center proves no overlap */
    const double none = p->core.ops->inner ? d : DBL_MAX;
    *least = -DBL_MAX, *most = none;
    if (d > 0 && d < 1e100) { /* the triangle lies behind the plane through its closest point; 1 / d is a number */
        cm__point axis = cm__point_scale(closest.gap, 1 / d), s;
        if (p->kind == CM__PREPARED_POLYTOPE) {
            s = p->polytope.corner[cm__polytope_support(&p->polytope, axis)];
        } else {
            cm__point own = frame_unrotate(&p->to_triangles, axis);
            uint32_t id = p->core.ops->corner ? 0 : CM_NONE;
            s = frame_apply(&p->to_triangles, p->core.ops->support(&p->core, own, &id));
        }
        *least = d - cm__point_dot(axis, cm__point_sub(s, p->center));
        *most = cm__least(none, cm__point_length(cm__point_sub(closest.point, s)));
    }
    if (p->kind == CM__PREPARED_POLYTOPE && p->polytope.corner_count == 8)
        *least = cm__most(*least, prepared_least_box(&p->polytope, c, noise));
    double room = prepared_room(p) + 1e-12 * d + 4 * noise;
    *least -= p->core.radius + room, *most += room - p->core.radius;
}

static bool prepared_flat_overlap(const cm__prepared *p, const cm_triangle *t) {
    const cm_vec3 *own, corners[3] = {t->a, t->b, t->c};
    const int count = cm__flat_corners(p->shape, &own);
    cm_vec3 b[3];
    for (int i = 0; i < 3; i++) b[i] = cm_add(cm_mat3_mul(&p->placing.rotation, corners[i]), p->placing.position);
    return cm__flats_overlap(own, count, b, 3);
}

static void prepared_convex(const cm__prepared *p, const cm__point c[3], cm__core *triangle, cm__convex_pair *pair) {
    cm__core_triangle(c[0], c[1], c[2], triangle);
    cm__convex_pair_of(triangle, &p->core, &p->to_triangles, pair);
}

static void prepared_polytope(const cm_triangle *t, cm__polytope *out) {
    cm_shape shape = cm_make_triangle(t->a, t->b, t->c);
    cm__polytope_of(&shape, NULL, out);
}

bool cm__prepared_overlap(const cm__prepared *p, const cm_triangle *t) {
    if (p->flat) return prepared_flat_overlap(p, t);
    cm__point c[3];
    prepared_corners(t, c);
    if (p->kind == CM__PREPARED_BALL) {
        cm__closest_on_triangle closest;
        cm__closest_point_triangle(p->center, c[0], c[1], c[2], &closest);
        return gap_within(closest.gap, p->core.radius);
    }
    if (prepared_is_clear(p, c, 0)) return false;
    if (p->kind == CM__PREPARED_POLYTOPE) {
        cm__polytope triangle;
        prepared_polytope(t, &triangle);
        return cm__polytopes_overlap(&triangle, &p->polytope, p->core.radius);
    }
    cm__core core;
    cm__convex_pair pair;
    prepared_convex(p, c, &core, &pair);
    return cm__convex_overlap(&pair, NULL);
}

/* By the general method (convex/); false beyond `far`. */
static bool prepared_convex_gap(const cm__prepared *p, const cm__point c[3], double far, cm__gap *out) {
    cm__core core;
    cm__convex_pair pair;
    cm__convex_gap gap;
    prepared_convex(p, c, &core, &pair);
    cm__convex_gap_of(&pair, far, NULL, &gap);
    if (gap.end == CM__CONVEX_BEYOND) return false;
    gap_of_convex(&gap, out);
    return true;
}

/* A flat shape that lies in the plane of a solid's triangle, within rounding, counts as in front of it. Leaving to the
 * back would take no longer, but leads into the solid. */
static void prepared_lie_before(const cm__prepared *p, const cm__point c[3], double *separation, cm__point *normal) {
    const cm__point front = cm__triangle_way_out(c);
    double scale = cm__point_largest(p->to_shape.position) + cm__point_largest(p->center) + cm__point_largest(c[0]) +
                   cm__point_largest(c[1]) + cm__point_largest(c[2]);
    double noise = 4 * (double)CM_REAL_EPSILON * scale, low = DBL_MAX, high = -DBL_MAX;
    if (!(cm__point_dot(front, *normal) < 0)) return;
    for (int i = 0; i < p->polytope.corner_count; i++) {
        double height = cm__point_dot(front, cm__point_sub(p->polytope.corner[i], c[0]));
        low = wide_min(low, height), high = wide_max(high, height);
    }
    if (low >= -noise && high <= noise) *separation = low, *normal = front;
}

bool cm__prepared_gap(const cm__prepared *p, const cm_triangle *t, double max, cm__gap *out) {
    cm__point c[3];
    double deepest = max;
    max = cm__most(max, 0);
    double far = max + 2 * (double)CM_REAL_EPSILON * max; /* distances are rounded down before they are compared */
    const bool meets = p->flat && prepared_flat_overlap(p, t);
    if (p->flat && !meets && !(deepest > 0)) return false; /* apart, and no gap is asked for */
    prepared_corners(t, c);
    double least = -DBL_MAX;
    if (!p->flat && p->kind != CM__PREPARED_BALL) {
        if (prepared_is_clear(p, c, far)) return false;
        least = prepared_least(p, c);
        if (least > (deepest < 0 ? deepest * (1 - 1e-9) : far) + p->core.radius + prepared_room(p)) return false;
    }
    if (p->kind == CM__PREPARED_BALL) {
        cm__closest_on_triangle closest;
        cm__closest_point_triangle(p->center, c[0], c[1], c[2], &closest);
        if (!p->flat && !gap_within(closest.gap, (p->core.radius + far) * PREPARED_FAR)) return false;
        double placed = cm__point_largest(p->to_shape.position) +
                        cm__point_largest(p->core.center); /* the size of the numbers that center is computed from */
        double scale = placed + cm__point_largest(p->center) + cm__point_largest(c[0]) + cm__point_largest(c[1]) +
                       cm__point_largest(c[2]);
        double noise = gap_noise(scale);
        const cm__point front = cm__triangle_way_out(c);
        /* a center that the solid does not hold is in front of the triangle; whether it holds it was decided for
         * rounded positions */
        if (p->solid && cm__point_dot(front, closest.gap) > 0) noise = 4 * (double)CM_REAL_EPSILON * scale;
        cm__gap_round(closest.point, p->center, wide_neg(closest.gap), 0, p->core.radius, front, noise, out);
    } else if (p->kind == CM__PREPARED_POLYTOPE) {
        cm__polytope triangle;
        cm__point normal;
        prepared_polytope(t, &triangle);
        double separation = least; /* where this is clearly positive it is as good as the widest gap */
        normal = wide_neg(cm__triangle_way_out(c));
        /* well above the 1024 below, from which on the axes are asked */
        if (!(least > 2048 * p->slack)) separation = cm__polytopes_axis(&triangle, &p->polytope, DBL_MAX, &normal);
        if (p->flat && p->solid) prepared_lie_before(p, c, &separation, &normal);
        if (separation > (p->core.radius + far) * PREPARED_FAR + p->slack && !p->flat) return false;
        /* certainly apart: GJK, since there are too many pairs of edges to try */
        if (separation > 1024 * p->slack && p->polytope.edge_count > 3) {
            if (!prepared_convex_gap(p, c, far, out)) return false;
            if (fabs(out->distance) <= 1024 * p->slack) { /* the distance comes from another method than the decision,
                                                             which is taken from separating axes */
                bool touch = cm__polytopes_overlap(&triangle, &p->polytope, p->core.radius);
                out->distance = distance_settled(out->distance, touch);
            }
        } else {
            cm__polytopes_gap_along(&triangle, &p->polytope, separation, normal, out);
            cm__gap_add_radii(out, 0, p->core.radius);
        }
    } else {
        if (!prepared_convex_gap(p, c, far, out)) return false;
    }
    if (p->flat) {
        out->distance = distance_settled(out->distance, meets);
    } else if (!(out->distance > 0) && p->kind != CM__PREPARED_BALL && prepared_is_clear(p, c, 0)) {
        /* cm__prepared_overlap says no here, and its decision counts */
        out->distance = distance_settled(out->distance, false);
    }
    return (double)gap_distance(out->distance) <= deepest;
}

/* --- contacts ---------------------------------------------------------------------------------------------------- */

/* The point of the core farthest along a direction. */
static cm__point prepared_farthest(const cm__prepared *p, cm__point direction) {
    if (p->kind == CM__PREPARED_BALL) return p->center;
    if (p->kind == CM__PREPARED_POLYTOPE) return p->polytope.corner[cm__polytope_support(&p->polytope, direction)];
    uint32_t id = p->core.ops->corner ? 0 : CM_NONE;
    return frame_apply(&p->to_triangles,
                       p->core.ops->support(&p->core, frame_unrotate(&p->to_triangles, direction), &id));
}

cm__point cm__prepared_lowest(const cm__prepared *p, cm__point normal) {
    return cm__point_mul_add(prepared_farthest(p, wide_neg(normal)), -p->core.radius, normal);
}

bool cm__prepared_is_level(const cm__prepared *p, cm__point normal, double slack) {
    if (p->kind != CM__PREPARED_POLYTOPE) return p->kind != CM__PREPARED_BALL;
    const cm__point lowest = prepared_farthest(p, wide_neg(normal));
    int count = 0;
    for (int i = 0; i < p->polytope.corner_count; i++)
        count += cm__point_dot(normal, cm__point_sub(p->polytope.corner[i], lowest)) <= slack;
    return count > 1;
}

bool cm__prepared_deepest(const cm__prepared *p, const cm_triangle *t, cm__gap *io) {
    cm__point c[3];
    prepared_corners(t, c);
    const cm__point lowest = prepared_farthest(p, wide_neg(io->normal));
    const cm__point face = cm__point_normal(c[0], c[1], c[2]);
    const double square = cm__point_dot(face, face), up = cm__point_dot(face, io->normal);
    if (!(up * up > square * (1 - 1e-9))) return false;
    for (int i = 0; i < 3; i++) { /* is the lowest point over the triangle, that is, on the inner side of every edge? */
        const cm__point edge = cm__point_sub(c[(i + 1) % 3], c[i]), from = cm__point_sub(lowest, c[i]);
        if (!(cm__point_dot(cm__point_cross(edge, from), face) >= 0)) return false;
    }
    const double height = cm__point_dot(cm__point_sub(lowest, c[0]), io->normal);
    if (!(height - p->core.radius < io->distance)) return false;
    io->distance = height - p->core.radius;
    io->a = cm__point_mul_add(lowest, -height, io->normal);
    io->b = cm__point_mul_add(lowest, -p->core.radius, io->normal);
    return true;
}

/* The manifold of convex/manifold.c. Along a normal that is not that of the distance (`other_normal`), the depth is
 * that of the points over the triangle: the point that the general method adds for a deeper place beside it is removed.
 */
static void prepared_core_manifold(const cm__prepared *p, const cm_triangle *t, const cm__gap *gap, bool other_normal,
                                   double margin, cm_manifold *out) {
    cm__point c[3];
    cm__core core;
    cm__convex_pair pair;
    cm__convex_gap full = {0};
    cm__convex_manifold m;
    prepared_corners(t, c);
    prepared_convex(p, c, &core, &pair);
    full.normal = gap->normal, full.distance = gap->distance;
    full.a = gap->a, full.b = gap->b;
    full.core_a = gap->a, full.core_b = cm__point_mul_add(gap->b, p->core.radius, gap->normal);
    full.core_distance = gap->distance + p->core.radius;
    full.end = CM__CONVEX_PROVEN;
    full.id_a = full.id_b = CM_NONE;
    full.slack = 0, full.steps = full.depth_steps = 0;
    if (other_normal) {
        const cm__point lowest = prepared_farthest(p, wide_neg(gap->normal));
        full.core_distance = DBL_MAX; /* the greatest depth along the normal, which need not be the triangle's */
        for (int i = 0; i < 3; i++)
            full.core_distance = wide_min(full.core_distance, cm__point_dot(cm__point_sub(lowest, c[i]), gap->normal));
        full.distance = wide_min(full.core_distance - p->core.radius, margin);
    }
    cm__convex_manifold_of(&pair, &full, margin, &m);
    if (other_normal) {
        int kept = 0;
        for (int i = 0; i < m.count; i++)
            if (!cm__point_equal(m.contact[i].a, full.core_a)) m.contact[kept++] = m.contact[i];
        m.count = kept;
    }
    if (m.count == 0) {
        m.contact[0].a = gap->a, m.contact[0].b = gap->b, m.contact[0].gap = gap->distance;
        m.contact[0].feature_a = m.contact[0].feature_b = CM_NONE;
        m.count = 1;
    }
    out->count = 0;
    for (int i = 0; i < m.count && i < 8; i++) {
        cm_contact_point *q = &out->points[out->count++];
        const cm__convex_contact *from = &m.contact[i];
        q->point_a = cm__vec3_of(from->a), q->point_b = cm__vec3_of(from->b);
        q->depth = (cm_real)-from->gap;
        q->feature_a = from->feature_a, q->feature_b = from->feature_b;
    }
}

void cm__prepared_manifold(const cm__prepared *p, const cm_triangle *t, const cm__gap *gap, bool other_normal,
                           double margin, cm_manifold *out) {
    if (p->kind == CM__PREPARED_BALL) {
        cm__manifold_of_gap(gap, out);
    } else if (p->kind == CM__PREPARED_POLYTOPE) {
        cm__polytope triangle;
        cm__patch patch;
        cm__gap core = *gap;
        prepared_polytope(t, &triangle);
        core.b = cm__point_mul_add(gap->b, p->core.radius, gap->normal);
        core.distance = gap->distance + p->core.radius;
        cm__patch_of(&triangle, &p->polytope, &core, margin + p->core.radius, &patch);
        cm__manifold_of_patch(&patch, gap->normal, 0, p->core.radius, margin, out);
        if (out->count == 0) cm__manifold_of_gap(gap, out);
    } else {
        prepared_core_manifold(p, t, gap, other_normal, margin, out);
    }
    out->normal = cm__vec3_of(gap->normal);
    out->part_a = out->part_b = CM_NONE;
}

/* --- in the shape's frame ----------------------------------------------------------------------------------------- */

void cm__prepared_gap_to_shape(const cm__prepared *p, cm__gap *gap) {
    cm__point a = frame_apply(&p->to_shape, gap->b);
    gap->b = frame_apply(&p->to_shape, gap->a);
    gap->a = a;
    gap->normal = wide_neg(frame_rotate(&p->to_shape, gap->normal));
}

void cm__prepared_manifold_to_shape(const cm__prepared *p, cm_manifold *m) {
    cm__manifold_swap(m);
    m->normal = cm__vec3_of(frame_rotate(&p->to_shape, cm__point_of(m->normal)));
    for (int i = 0; i < m->count; i++) {
        m->points[i].point_a = cm__vec3_of(frame_apply(&p->to_shape, cm__point_of(m->points[i].point_a)));
        m->points[i].point_b = cm__vec3_of(frame_apply(&p->to_shape, cm__point_of(m->points[i].point_b)));
    }
}
