/* The relation of two meshes under a tolerance t: identical, one inside the other, separated, touching, crossing.
 *
 * Decided in this order, by distances of surfaces (src/pair/mesh_extent.c), all in one frame:
 * - whether the two share a point at all: exact (cm_overlap). If not, and the gap is larger than t: separated.
 * - identical: no point of either is farther than t from the other, and neither's surface reaches farther than t into
 *   the other (a full ball is not identical to the same ball with a bubble). If one is a surface, both are compared as
 *   surfaces.
 * - A in B: B is solid, no point of A is farther than t outside B, and B's surface reaches no farther than t into A
 * (its cavities do not lie within A).
 * - touching: the reach is at most t. For two surfaces, which have no inside, the reach is the pierce: how far two
 *   crossing triangles extend beyond each other's plane on both sides.
 * - crossing: anything else.
 *
 * Bound: the searches' (EXTENT_LIMIT evaluations each); then the farthest found decides. */
#include "pair/mesh_pair.h"
#include "pair/mesh_extent.h"

#include "mesh/mesh.h"

#include <math.h>

typedef struct relation_search {
    const cm_mesh *a, *b;
    const cm_pose *pose_a;
    cm_pose b_in_a;
    cm_mesh_info info_a, info_b;
    cm__affine b_to_a, a_to_b;
    double tolerance;
} relation_search;

/* The affine map of the posed points, and its inverse: a rounded matrix is no rotation to the last bit, so the inverse
 * is that of the matrix, not its transpose. */
static void relation_maps(relation_search *s) {
    cm__bvh_placing placing;
    cm__mesh_place(s->b, &s->b_in_a, &placing);
    cm__point x = cm__point_of(placing.rotation.x), y = cm__point_of(placing.rotation.y),
              z = cm__point_of(placing.rotation.z), t = cm__point_of(placing.position);
    double det = cm__point_dot(x, cm__point_cross(y, z));
    cm__point row_x = cm__point_scale(cm__point_cross(y, z), 1 / det),
              row_y = cm__point_scale(cm__point_cross(z, x), 1 / det),
              row_z = cm__point_scale(cm__point_cross(x, y), 1 / det);
    cm__affine to_a = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}, {t.x, t.y, t.z}};
    cm__affine to_b = {{{row_x.x, row_x.y, row_x.z}, {row_y.x, row_y.y, row_y.z}, {row_z.x, row_z.y, row_z.z}},
                       {-cm__point_dot(row_x, t), -cm__point_dot(row_y, t), -cm__point_dot(row_z, t)}};
    s->b_to_a = to_a;
    s->a_to_b = to_b;
}

/* The farthest that A's surface (or B's, `of_b`) lies on a side of the other. */
static void relation_extent(const relation_search *s, bool of_b, cm__side side, double stop, cm__extent *out) {
    cm__extent_query q;
    q.x = of_b ? s->b : s->a;
    q.y = of_b ? s->a : s->b;
    q.x_to_y = of_b ? s->b_to_a : s->a_to_b;
    q.y_to_x = of_b ? s->a_to_b : s->b_to_a;
    q.side = side;
    q.floor = s->tolerance;
    q.stop = stop;
    q.tolerance = s->tolerance;
    cm__mesh_extent(&q, out);
}

/* Is every point of one within t of the other, on the given side of it? */
static bool relation_within(const relation_search *s, bool of_b, cm__side side) {
    cm__extent e;
    relation_extent(s, of_b, side, s->tolerance, &e);
    return !(e.value > s->tolerance);
}

/* --- two surfaces: the pierce -------------------------------------------------------------------------------- */

typedef struct pierce_search {
    const relation_search *s;
    double most;
    cm__point start; /* A's frame: where the farthest piercing pair crosses */
    uint32_t triangle_a, triangle_b;
} pierce_search;

static void pierce_corners(const cm_mesh *mesh, uint32_t t, const cm__affine *map, cm__point out[3]) {
    cm_triangle triangle = cm__mesh_triangle(mesh, t);
    out[0] = cm__point_of(triangle.a), out[1] = cm__point_of(triangle.b), out[2] = cm__point_of(triangle.c);
    for (int i = 0; i < 3 && map; ++i) out[i] = cm__affine_apply(map, out[i]);
}

/* How far triangle `t` of a mesh extends to both sides of a plane: the smaller side. Where an edge of it lies in the
 * plane, the neighbor across that edge is its other side: so that a surface whose rows of edges run along the crossing
 * counts as crossing too. `map` (NULL: none) takes the mesh to the plane's frame. */
static double pierce_both_sides(const cm_mesh *mesh, uint32_t t, const cm__affine *map, const cm__point plane[3],
                                double flat) {
    cm__point n = cm__point_cross(cm__point_sub(plane[1], plane[0]), cm__point_sub(plane[2], plane[0]));
    double length = cm__point_length(n);
    if (!(length > 0)) return 0;
    cm__point corner[3];
    double own[3], above = 0, below = 0;
    for (int side = -1; side < 3; ++side) { /* the triangle itself, then its neighbors */
        uint32_t face = t;
        if (side >= 0) {
            if (fabs(own[side]) > flat || fabs(own[(side + 1) % 3]) > flat) continue;
            uint32_t across = cm__mesh_neighbors(mesh)[3 * (size_t)t + (size_t)side];
            if (across == CM_NONE) continue;
            face = across / 3;
        }
        pierce_corners(mesh, face, map, corner);
        for (int i = 0; i < 3; ++i) {
            double height = cm__point_dot(n, cm__point_sub(corner[i], plane[0])) / length;
            if (side < 0) own[i] = height;
            above = height > above ? height : above;
            below = -height > below ? -height : below;
        }
    }
    return above < below ? above : below;
}

static bool pierce_visit(void *user, const cm_crossing *crossing) {
    pierce_search *p = user;
    const relation_search *s = p->s;
    cm__point start = cm__point_of(crossing->start), end = cm__point_of(crossing->end);
    /* in one point only, two ridges may stand on each other: their planes cross, they do not */
    if (crossing->coplanar || !(cm__point_length(cm__point_sub(end, start)) > s->tolerance)) return true;
    cm__point corners_a[3], corners_b[3];
    pierce_corners(s->a, crossing->triangle_a, NULL, corners_a);
    pierce_corners(s->b, crossing->triangle_b, &s->b_to_a, corners_b);
    double of_a = pierce_both_sides(s->a, crossing->triangle_a, NULL, corners_b, s->tolerance / 4);
    double of_b = pierce_both_sides(s->b, crossing->triangle_b, &s->b_to_a, corners_a, s->tolerance / 4);
    double pierce = of_a < of_b ? of_a : of_b;
    if (pierce > p->most) {
        p->most = pierce;
        p->start = start;
        p->triangle_a = crossing->triangle_a;
        p->triangle_b = crossing->triangle_b;
    }
    return true;
}

/* --- the answer ---------------------------------------------------------------------------------------------- */

static cm_real relation_default_tolerance(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                          const cm_pose *pose_b) {
    cm_aabb box_a, box_b;
    cm_shape_bounds(a, pose_a, &box_a);
    cm_shape_bounds(b, pose_b, &box_b);
    cm_aabb both = cm_aabb_union(box_a, box_b);
    cm_real size = cm_length(cm_sub(both.max, both.min));
    cm_real coordinate = cm_max(cm_largest(both.min), cm_largest(both.max));
    return cm_max(CM_REAL(1e-6) * size, 4 * (cm_real)FLT_EPSILON * coordinate) + CM_REAL_MIN;
}

static bool relation_is_thin(const cm_mesh_info *info, double t) {
    /* a plate of area A / 2 on both sides and thickness h has the volume h A / 2 */
    return info->solid && 2 * fabs((double)info->volume) <= t * (double)info->area;
}

static void relation_points(const relation_search *s, cm__point a, cm__point b, cm_relation_result *out) {
    out->point_a = cm_pose_apply(s->pose_a, cm__vec3_of(a));
    out->point_b = cm_pose_apply(s->pose_a, cm__vec3_of(b));
}

/* Reach of solids: the farther of both, with its witness. */
static double relation_reach(const relation_search *s, cm__extent *a_in_b, cm__extent *b_in_a,
                             cm_relation_result *out) {
    a_in_b->value = b_in_a->value = 0;
    if (s->info_b.solid) relation_extent(s, false, CM__INSIDE, DBL_MAX, a_in_b);
    if (s->info_a.solid) relation_extent(s, true, CM__INSIDE, DBL_MAX, b_in_a);
    if (a_in_b->value > 0 && a_in_b->value >= b_in_a->value) {
        relation_points(s, cm__affine_apply(&s->b_to_a, a_in_b->point), cm__affine_apply(&s->b_to_a, a_in_b->nearest),
                        out);
        out->triangle_a = a_in_b->triangle_x;
        out->triangle_b = a_in_b->triangle_y;
        return a_in_b->value;
    }
    if (b_in_a->value > 0) {
        relation_points(s, b_in_a->nearest, b_in_a->point, out);
        out->triangle_a = b_in_a->triangle_y;
        out->triangle_b = b_in_a->triangle_x;
    }
    return b_in_a->value;
}

/* They overlap, or are within t: which of the relations is it? Fills `reach` and its witness. */
static cm_relation relation_of_near(const relation_search *s, const cm_shape *a, const cm_shape *b, double *reach,
                                    cm_relation_result *out) {
    bool solid_a = s->info_a.solid, solid_b = s->info_b.solid;
    double t = s->tolerance;
    if (!solid_a && !solid_b) {
        pierce_search pierce = {s, 0, {0, 0, 0}, CM_NONE, CM_NONE};
        cm_pose here = cm_pose_identity();
        cm_mesh_crossings(a, &here, b, &s->b_in_a, pierce_visit, &pierce);
        *reach = pierce.most;
        if (pierce.most > 0) {
            relation_points(s, pierce.start, pierce.start, out);
            out->triangle_a = pierce.triangle_a;
            out->triangle_b = pierce.triangle_b;
        }
    } else {
        cm__extent a_in_b, b_in_a;
        *reach = relation_reach(s, &a_in_b, &b_in_a, out);
        bool clear_ab = !(a_in_b.value > t), clear_ba = !(b_in_a.value > t);
        if (solid_a && solid_b && clear_ab && clear_ba && relation_within(s, false, CM__OUTSIDE) &&
            relation_within(s, true, CM__OUTSIDE))
            return CM_RELATION_IDENTICAL;
        if (!(solid_a && solid_b) && relation_within(s, false, CM__ANY_SIDE) && relation_within(s, true, CM__ANY_SIDE))
            return CM_RELATION_IDENTICAL;
        if (solid_b && clear_ba && relation_within(s, false, CM__OUTSIDE)) return CM_RELATION_A_IN_B;
        if (solid_a && clear_ab && relation_within(s, true, CM__OUTSIDE)) return CM_RELATION_B_IN_A;
        return *reach > t ? CM_RELATION_CROSSING : CM_RELATION_TOUCHING;
    }
    if (relation_within(s, false, CM__ANY_SIDE) && relation_within(s, true, CM__ANY_SIDE)) return CM_RELATION_IDENTICAL;
    return *reach > t ? CM_RELATION_CROSSING : CM_RELATION_TOUCHING;
}

cm_status cm_mesh_relation(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           cm_real tolerance, cm_real max_gap, cm_relation_result *out) {
    if (cm_shape_check(a, NULL) != CM_OK || cm_shape_check(b, NULL) != CM_OK || a->kind != CM_SHAPE_MESH ||
        b->kind != CM_SHAPE_MESH || !pose_a || !pose_b || !out)
        return CM_INVALID;
    if (!cm_pose_is_valid(pose_a) || !cm_pose_is_valid(pose_b)) return CM_NOT_FINITE;
    if (!(tolerance >= 0) || !(max_gap >= 0)) return CM_INVALID;

    relation_search s;
    s.a = a->u.mesh;
    s.b = b->u.mesh;
    s.pose_a = pose_a;
    s.b_in_a = cm_pose_between(pose_a, pose_b);
    cm_mesh_get_info(s.a, &s.info_a);
    cm_mesh_get_info(s.b, &s.info_b);
    relation_maps(&s);
    cm_real t = tolerance > 0 ? tolerance : relation_default_tolerance(a, pose_a, b, pose_b);
    s.tolerance = (double)t;

    cm_relation_result r;
    r.tolerance = t;
    r.surface_a = !s.info_a.solid;
    r.surface_b = !s.info_b.solid;
    r.thin_a = relation_is_thin(&s.info_a, s.tolerance);
    r.thin_b = relation_is_thin(&s.info_b, s.tolerance);
    r.crossings = 0;
    r.point_a = r.point_b = cm_v(0, 0, 0);
    r.triangle_a = r.triangle_b = CM_NONE;

    cm_pose here = cm_pose_identity();
    bool overlap = cm_overlap(a, &here, b, &s.b_in_a);
    cm_witness closest;
    cm_real gap = 0;
    bool measured = false;
    if (!overlap) {
        gap = cm__mesh_gap(s.a, s.b, &s.b_in_a, cm_max(t, max_gap), &closest);
        measured = gap <= cm_max(t, max_gap);
    } else {
        r.crossings = cm_mesh_crossings(a, &here, b, &s.b_in_a, NULL, NULL);
    }
    double reach = 0;
    if (!overlap && gap > t) {
        r.relation = CM_RELATION_SEPARATED;
    } else {
        r.relation = relation_of_near(&s, a, b, &reach, &r);
        if (overlap && !(reach > 0)) {
            cm__mesh_gap(s.a, s.b, &s.b_in_a, CM_REAL_MAX, &closest);
            measured = true;
        }
    }
    if (measured) {
        r.point_a = cm_pose_apply(pose_a, closest.point_a);
        r.point_b = cm_pose_apply(pose_a, closest.point_b);
        r.triangle_a = closest.part_a;
        r.triangle_b = closest.part_b;
    }
    r.distance = overlap ? -(cm_real)reach : measured ? gap : CM_REAL_MAX;
    *out = r;
    return CM_OK;
}
