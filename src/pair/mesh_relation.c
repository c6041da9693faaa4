/* The relation of two meshes under a tolerance t: identical, one inside the other, separated, touching, crossing.
 *
 * Decided in this order, by distances of surfaces (src/pair/mesh_extent.c), all in one frame:
 * - whether the two share a point at all: exact (cm_overlap). If not, and the gap is larger than t: separated.
 * - identical: no point of either is farther than t from the other, and neither's surface reaches farther than t into
 *   the other (a full ball is not identical to the same ball with a bubble). If one is a surface, both are compared as
 *   surfaces.
 * - A in B: B is solid, no point of A is farther than t outside B, and B's surface reaches no farther than t into A
 * (its cavities do not lie within A).
 * - touching: the reach is at most t, and no body of one, thicker than that, is one of the other's. For two surfaces,
 * which have no inside, the reach is how far two crossing triangles extend beyond each other's plane, on the side where
 * they do so less.
 * - crossing: anything else.
 *
 * Where no triangles meet, one ray a component tells on which side of the other a mesh lies, and a search on the other
 * side is spared; so is a second search where the first has shown that all of a mesh is within t. Whether any do, of
 * two of which one lies in the other, the search for the depth tells on its way (mesh_meeting.h), most often.
 *
 * Bound: eight searches at most (EXTENT_LIMIT evaluations each); then the farthest found decides. */
#include "pair/mesh_meeting.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

typedef struct relation_search {
    const cm__mesh_pair *pair;
    bool solid_a, solid_b;
    cm__affine b_to_a, a_to_b;
    double tolerance;
    double measured_to; /* the tolerance of the searches: the same, or finer where that is large */
    /* Where no triangles meet: the side of the other on which all of A's surface, and of B's, lies. CM__SIDE_ANY: not
     * known, or on both. */
    cm__side side_a, side_b;
    uint64_t measured; /* points of either whose distance was looked for */
    bool close_a,
        close_b; /* a search has shown that no point of A's surface, of B's, is farther than t from the other */
    cm__mesh_meeting meeting;
} relation_search;

/* The affine map of the posed points, and its inverse: a rounded matrix is no rotation to the last bit, so the inverse
 * is that of the matrix, not its transpose. */
static void relation_open(const cm__mesh_pair *pair, double tolerance, relation_search *s) {
    s->pair = pair;
    s->solid_a = pair->a->info.solid;
    s->solid_b = pair->b->info.solid;
    s->tolerance = s->measured_to = tolerance;
    s->side_a = s->side_b = CM__SIDE_ANY;
    s->close_a = s->close_b = false;
    s->measured = 0;
    cm__mesh_meeting_open(pair, &s->meeting);
    const cm_mat3 *m = &pair->placing.rotation;
    cm__point x = cm__point_of(m->x), y = cm__point_of(m->y), z = cm__point_of(m->z);
    cm__point t = cm__point_of(pair->placing.position);
    double scale = 1 / cm__point_dot(x, cm__point_cross(y, z));
    cm__point row_x = cm__point_scale(cm__point_cross(y, z), scale);
    cm__point row_y = cm__point_scale(cm__point_cross(z, x), scale);
    cm__point row_z = cm__point_scale(cm__point_cross(x, y), scale);
    cm__affine to_a = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}, {t.x, t.y, t.z}};
    cm__affine to_b = {{{row_x.x, row_x.y, row_x.z}, {row_y.x, row_y.y, row_y.z}, {row_z.x, row_z.y, row_z.z}},
                       {-cm__point_dot(row_x, t), -cm__point_dot(row_y, t), -cm__point_dot(row_z, t)}};
    s->b_to_a = to_a;
    s->a_to_b = to_b;
}

/* No triangles meet: so each component lies on one side of the other mesh, and a whole mesh often does. */
static void relation_find_sides(relation_search *s) {
    s->side_a = cm__mesh_pair_side(s->pair, false);
    s->side_b = cm__mesh_pair_side(s->pair, true);
}

/* The farthest that A's surface (or B's, `of_b`) lies on a side of the other, where that is more than `floor`; `found`:
 * of the other surface, 0 if nothing is. */
static void relation_extent(relation_search *s, bool of_b, cm__side side, double floor, double found, double stop,
                            cm__extent *out) {
    const cm__side known = of_b ? s->side_b : s->side_a;
    bool *close = of_b ? &s->close_b : &s->close_a;
    memset(out, 0, sizeof *out);
    if (*close || (known != CM__SIDE_ANY && side != CM__SIDE_ANY && side != known)) return;
    cm__extent_query q;
    q.x = of_b ? s->pair->b : s->pair->a;
    q.y = of_b ? s->pair->a : s->pair->b;
    q.x_to_y = of_b ? s->b_to_a : s->a_to_b;
    q.y_to_x = of_b ? s->a_to_b : s->b_to_a;
    q.side = side;
    q.one_sided = side == known;
    q.floor = floor;
    q.known = found;
    q.stop = stop;
    q.tolerance = s->measured_to;
    q.meeting = &s->meeting;
    meeting_turn(&s->meeting, of_b);
    cm__mesh_extent(&q, out);
    s->measured += (uint64_t)out->evaluations;
    *close = out->any_side && out->bound <= s->tolerance;
}

/* Is any point of one farther than t from the other, on the given side of it? */
static bool relation_exceeds(relation_search *s, bool of_b, cm__side side) {
    cm__extent e;
    relation_extent(s, of_b, side, s->tolerance, 0, s->tolerance, &e);
    return e.value > s->tolerance;
}

/* Is every point of one within t of the other, on the given side of it? */
static bool relation_within(relation_search *s, bool of_b, cm__side side) {
    const cm_mesh *own = of_b ? s->pair->b : s->pair->a, *other = of_b ? s->pair->a : s->pair->b;
    const cm__affine *to_other = of_b ? &s->b_to_a : &s->a_to_b;
    cm_aabb box = cm_aabb_grow(other->info.bounds, (cm_real)(1.001 * s->tolerance));
    for (uint32_t i = 0; i < own->info.points; ++i) { /* most often a corner tells at once */
        cm_vec3 p = cm__vec3_of(cm__affine_apply(to_other, cm__point_of(cm__mesh_points(own)[i])));
        cm_aabb at = {p, p};
        if (!cm_aabb_overlaps(&at, &box)) return false;
    }
    return !relation_exceeds(s, of_b, side);
}

/* A place beneath the middle of a triangle; *seen: in the other's frame. */
static cm_vec3 relation_beneath(const relation_search *s, bool of_b, uint32_t triangle, cm_vec3 *seen) {
    const cm_triangle face = cm__mesh_triangle(of_b ? s->pair->b : s->pair->a, triangle);
    const cm_vec3 normal = cm_normalize(cm_cross(cm_sub(face.b, face.a), cm_sub(face.c, face.a)), cm_v(0, 0, 0));
    const cm_vec3 center = cm_scale(cm_add(cm_add(face.a, face.b), face.c), CM_REAL(1) / 3);
    const cm_vec3 beneath = cm_mul_add(center, -4 * (cm_real)s->tolerance, normal);
    *seen = cm__vec3_of(cm__affine_apply(of_b ? &s->b_to_a : &s->a_to_b, cm__point_of(beneath)));
    return beneath;
}

/* The surface of a part may lie wholly on another's, and still the part fills nothing but the other's cavity. So what
 * lies just beneath each of its triangles has to be in the other, or within t of it. Asked of solids only, after the
 * surface was found to be within t, and the other's surface not to reach into it: then nothing changes deeper down. */
static bool relation_fills(const relation_search *s, bool of_b) {
    /* no surface of the other is in it: it is where its own surface is */
    const cm__side side = of_b ? s->side_b : s->side_a, others = of_b ? s->side_a : s->side_b;
    if (side == CM__SIDE_WITHIN && others == CM__SIDE_OUTSIDE) return true;
    const cm_mesh *own = of_b ? s->pair->b : s->pair->a, *other = of_b ? s->pair->a : s->pair->b;
    for (uint32_t i = 0; i < own->info.triangles; ++i) {
        cm_vec3 seen;
        const cm_vec3 beneath = relation_beneath(s, of_b, i, &seen);
        if (cm_mesh_winding(other, seen, NULL) != 0) continue;
        if (cm_mesh_winding(own, beneath, NULL) == 0) continue; /* thinner than that here */
        if (cm__mesh_distance_to(other, seen) > s->tolerance) return false;
    }
    return true;
}

/* Do two solids, neither of which reaches farther than t into the other, have a whole body in common? What both fill is
 * bounded by surfaces of one that are within t of the other's, so it is beneath triangles of either (asked of the one
 * with fewer), and deep in the other. */
static bool relation_shares(const relation_search *s) {
    const bool of_b = s->pair->b->info.triangles < s->pair->a->info.triangles;
    const cm_mesh *own = of_b ? s->pair->b : s->pair->a, *other = of_b ? s->pair->a : s->pair->b;
    for (uint32_t i = 0; i < own->info.triangles; ++i) {
        cm_vec3 seen;
        const cm_vec3 beneath = relation_beneath(s, of_b, i, &seen);
        const cm_aabb at = {seen, seen};
        if (!cm_aabb_overlaps(&at, &other->info.bounds) || cm_mesh_winding(other, seen, NULL) == 0) continue;
        if (cm_mesh_winding(own, beneath, NULL) != 0 && cm__mesh_distance_to(other, seen) > s->tolerance) return true;
    }
    return false;
}

/* Is one of them, a part, within the other, a solid, whose surface does not reach into it? `depth`: how deep the pair
 * is in each other. */
static bool relation_is_inside(relation_search *s, bool of_b, double depth) {
    bool own_solid = of_b ? s->solid_b : s->solid_a, other_solid = of_b ? s->solid_a : s->solid_b;
    if (!other_solid || !relation_within(s, of_b, CM__SIDE_OUTSIDE)) return false;
    if (!own_solid) return true;
    bool clear = !(depth > s->tolerance) || !relation_exceeds(s, !of_b, CM__SIDE_WITHIN);
    return clear && relation_fills(s, of_b);
}

/* --- two surfaces: how deep they cross -------------------------------------------------------------------------------- */

typedef struct crossing_deepest {
    const relation_search *s;
    double most;
    cm_vec3 start; /* where the deepest pair crosses */
    uint32_t triangle_a, triangle_b;
} crossing_deepest;

static void crossing_corners(const cm_mesh *mesh, uint32_t t, const cm__affine *map, cm__point out[3]) {
    cm_triangle triangle = cm__mesh_triangle(mesh, t);
    out[0] = cm__point_of(triangle.a), out[1] = cm__point_of(triangle.b), out[2] = cm__point_of(triangle.c);
    for (int i = 0; i < 3 && map; ++i) out[i] = cm__affine_apply(map, out[i]);
}

/* How far triangle `t` of a mesh extends to both sides of a plane: the smaller side. Where an edge of it lies in the
 * plane, the neighbor across that edge is its other side: so that a surface whose rows of edges run along the crossing
 * counts as crossing too. `map` (NULL: none) takes the mesh to the plane's frame. */
static double crossing_both_sides(const cm_mesh *mesh, uint32_t t, const cm__affine *map, const cm__point plane[3],
                                  double flat) {
    cm__point n = cm__point_normal(plane[0], plane[1], plane[2]);
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
        crossing_corners(mesh, face, map, corner);
        for (int i = 0; i < 3; ++i) {
            double height = cm__point_dot(n, cm__point_sub(corner[i], plane[0])) / length;
            if (side < 0) own[i] = height;
            above = height > above ? height : above;
            below = -height > below ? -height : below;
        }
    }
    return above < below ? above : below;
}

static bool crossing_visit(void *user, const cm_crossing *crossing) {
    crossing_deepest *p = user;
    const relation_search *s = p->s;
    /* in one point only, two ridges may stand on each other: their planes cross, they do not */
    if (crossing->coplanar || !((double)cm_length(cm_sub(crossing->end, crossing->start)) > s->tolerance)) return true;
    cm__point corners_a[3], corners_b[3];
    crossing_corners(s->pair->a, crossing->triangle_a, NULL, corners_a);
    crossing_corners(s->pair->b, crossing->triangle_b, &s->b_to_a, corners_b);
    double of_a = crossing_both_sides(s->pair->a, crossing->triangle_a, NULL, corners_b, s->tolerance / 4);
    double of_b = crossing_both_sides(s->pair->b, crossing->triangle_b, &s->b_to_a, corners_a, s->tolerance / 4);
    double depth = of_a < of_b ? of_a : of_b;
    if (depth > p->most) {
        p->most = depth;
        p->start = crossing->start;
        p->triangle_a = crossing->triangle_a;
        p->triangle_b = crossing->triangle_b;
    }
    return true;
}

/* --- the depth ----------------------------------------------------------------------------------------------- */

double cm__mesh_pair_default_tolerance(const cm__mesh_pair *pair, cm_vec3 from_origin) {
    cm_aabb box = pair->a->info.bounds;
    cm_aabb other = pair->b->info.bounds;
    for (int i = 0; i < 8; ++i) {
        cm_vec3 corner = cm_v(i & 1 ? other.max.x : other.min.x, i & 2 ? other.max.y : other.min.y,
                              i & 4 ? other.max.z : other.min.z);
        box = cm_aabb_add_point(box, cm__mesh_posed_point(&pair->placing, corner));
    }
    double size = cm__point_length(cm__point_sub(cm__point_of(box.max), cm__point_of(box.min)));
    double coordinate = (double)cm_largest(from_origin) + (double)cm_max(cm_largest(box.min), cm_largest(box.max));
    double ulps = 4 * (double)FLT_EPSILON * coordinate;
    return (1e-6 * size > ulps ? 1e-6 * size : ulps) + (double)CM_REAL_MIN;
}

/* The farther of A's reach into B and B's into A: the second only counts where it exceeds the first by more than what
 * an extent leaves open. `witness` is untouched where neither is larger than the tolerance. */
static double relation_reach(relation_search *s, double floor, cm__mesh_gap *witness) {
    cm__extent a_in_b = {0}, b_in_a = {0};
    if (s->solid_b) relation_extent(s, false, CM__SIDE_WITHIN, floor, 0, DBL_MAX, &a_in_b);
    if (a_in_b.value > 0) floor = a_in_b.value * (1 + CM__EXTENT_RELATIVE);
    if (s->solid_a) relation_extent(s, true, CM__SIDE_WITHIN, floor, a_in_b.value, DBL_MAX, &b_in_a);
    bool of_b = b_in_a.value > a_in_b.value;
    const cm__extent *deeper = of_b ? &b_in_a : &a_in_b;
    if (!(deeper->value > 0)) return 0;
    witness->a = cm__vec3_of(of_b ? deeper->nearest : cm__affine_apply(&s->b_to_a, deeper->point));
    witness->b = cm__vec3_of(of_b ? deeper->point : cm__affine_apply(&s->b_to_a, deeper->nearest));
    witness->triangle_a = of_b ? deeper->triangle_y : deeper->triangle_x;
    witness->triangle_b = of_b ? deeper->triangle_x : deeper->triangle_y;
    witness->b_in_a = of_b;
    return deeper->value;
}

static double relation_crossing(const relation_search *s, cm__mesh_gap *witness) {
    crossing_deepest deepest = {s, 0, {0, 0, 0}, CM_NONE, CM_NONE};
    uint64_t count;
    cm__mesh_pair_crossings(s->pair, UINT64_MAX, crossing_visit, &deepest, &count);
    if (!(deepest.most > 0)) return 0;
    witness->a = witness->b = deepest.start;
    witness->triangle_a = deepest.triangle_a;
    witness->triangle_b = deepest.triangle_b;
    return deepest.most;
}

/* Where all of one of the two lies in the other, unless they meet: the depth, as it is if they do not, and whether its
 * search has shown that. False where it would take two searches, or none: then nothing is known. */
static bool relation_reach_inside(relation_search *s, cm__mesh_inside *out) {
    relation_find_sides(s);
    const bool of_b = s->side_b == CM__SIDE_WITHIN;
    const cm__side others = of_b ? s->side_a : s->side_b;
    if ((s->side_a == CM__SIDE_WITHIN) == of_b || (others == CM__SIDE_ANY && (of_b ? s->solid_b : s->solid_a)))
        return false;
    s->meeting.asks = true;
    out->depth = relation_reach(s, s->tolerance, &out->gap);
    out->gap.distance = out->depth > 0 ? -(cm_real)out->depth : 0;
    out->meet = s->meeting.meet;
    out->apart = meeting_none(&s->meeting);
    s->meeting.asks = false;
    return true;
}

bool cm__mesh_pair_depth_inside(const cm__mesh_pair *pair, double tolerance, cm__mesh_inside *out) {
    relation_search s;
    relation_open(pair, tolerance, &s);
    return relation_reach_inside(&s, out);
}

bool cm__mesh_pair_depth(const cm__mesh_pair *pair, double tolerance, double known, bool meet, cm__mesh_gap *out) {
    relation_search s;
    relation_open(pair, tolerance, &s);
    if (!meet) relation_find_sides(&s);
    double depth = relation_reach(&s, known > tolerance ? known : tolerance, out);
    out->distance = depth > 0 ? -(cm_real)depth : 0;
    return out->distance < 0;
}

/* --- the relation -------------------------------------------------------------------------------------------- */

/* Who takes 100 mm for touching wants the depth of what is deeper in millimetres nonetheless: beyond this many times
 * the default, a search is as fine as by default. */
#define RELATION_COARSE 16

static void relation_open_finely(const cm__mesh_pair *pair, double tolerance, relation_search *s) {
    relation_open(pair, tolerance, s);
    const double fine = cm__mesh_pair_default_tolerance(pair, cm_v(0, 0, 0));
    if (tolerance > RELATION_COARSE * fine) s->measured_to = fine;
}

/* The relation of two that overlap or are within t of each other. `out` as for the depth; where the depth is 0, the
 * closest points of the surfaces, computed here if the meshes overlap. */
static cm_relation relation_of_near(relation_search *s, bool overlap, const cm__mesh_inside *inside,
                                    cm__mesh_gap *out) {
    double t = s->tolerance;
    double depth = 0;
    if (inside)
        *out = inside->gap, depth = inside->depth;
    else if (s->solid_a || s->solid_b)
        depth = relation_reach(s, t, out);
    else if (overlap)
        depth = relation_crossing(s, out);
    /* the closest points, where they only touch */
    if (overlap && !(depth > 0)) cm__mesh_pair_gap(s->pair, CM_REAL_MAX, out);
    out->distance = depth > 0 ? -(cm_real)depth : 0;
    bool a_inside = relation_is_inside(s, false, depth);
    bool b_inside = relation_is_inside(s, true, depth);
    if (a_inside && b_inside) return CM_RELATION_IDENTICAL;
    if (!(s->solid_a && s->solid_b) && relation_within(s, false, CM__SIDE_ANY) &&
        relation_within(s, true, CM__SIDE_ANY))
        return CM_RELATION_IDENTICAL;
    if (a_inside) return CM_RELATION_A_IN_B;
    if (b_inside) return CM_RELATION_B_IN_A;
    const bool shares = overlap && s->solid_a && s->solid_b && !(depth > t) && relation_shares(s);
    return depth > t || shares ? CM_RELATION_CROSSING : CM_RELATION_TOUCHING;
}

static bool relation_is_thin(const cm_mesh_info *info, double t) {
    /* a plate of area A / 2 on both sides and thickness h has the volume h A / 2 */
    return info->solid && 2 * fabs((double)info->volume) <= t * (double)info->area;
}

uint64_t cm__mesh_pair_relation(const cm__mesh_pair *pair, cm_real tolerance, cm_real max_gap,
                                cm__crossing_visit *visit, void *user, cm_relation_result *out) {
    relation_search s;
    relation_open_finely(pair, (double)tolerance, &s);
    cm_relation_result r;
    memset(&r, 0, sizeof r);
    r.tolerance = tolerance;
    r.surface_a = !s.solid_a;
    r.surface_b = !s.solid_b;
    r.thin_a = relation_is_thin(&pair->a->info, (double)tolerance);
    r.thin_b = relation_is_thin(&pair->b->info, (double)tolerance);

    /* Most meshes that meet are found to in the first leaves, and those far apart have none. Otherwise, unless one
     * seems to lie in the other, the gap tells that no triangles meet, before all near leaves are tested for it. */
    cm__mesh_gap gap; /* of the surfaces; where they are farther apart than anyone asks, there is nothing to show */
    const cm_real most = cm_max(tolerance, max_gap);
    bool apart = false, measured = false, known = false;
    cm__mesh_inside inside = {0};
    if (!cm__mesh_pair_crossings(pair, CM__FIRST_LEAVES, visit, user, &r.crossings)) {
        if (!cm__mesh_pair_nested(pair)) {
            measured = cm__mesh_pair_gap(pair, most, &gap);
            apart = !(measured && gap.distance == 0);
        } else {
            known = relation_reach_inside(&s, &inside) && !inside.meet;
        }
        if (!apart && !inside.apart) cm__mesh_pair_crossings(pair, UINT64_MAX, visit, user, &r.crossings);
    }
    const bool overlap = !apart && (r.crossings > 0 || cm__mesh_pair_nested(pair));
    if (!apart) measured = overlap || cm__mesh_pair_gap(pair, most, &gap);
    r.distance = measured && !overlap ? gap.distance : CM_REAL_MAX;
    if (!overlap && r.distance > tolerance) {
        r.relation = CM_RELATION_SEPARATED;
    } else {
        known = known && r.crossings == 0;
        if (!known) {
            const uint64_t before = s.measured;
            relation_open_finely(pair, (double)tolerance, &s);
            s.measured = before;
            if (r.crossings == 0) relation_find_sides(&s);
        }
        r.relation = relation_of_near(&s, overlap, known ? &inside : NULL, &gap);
        if (overlap) r.distance = gap.distance;
    }
    r.triangle_a = measured ? gap.triangle_a : CM_NONE;
    r.triangle_b = measured ? gap.triangle_b : CM_NONE;
    if (measured) r.point_a = gap.a, r.point_b = gap.b;
    *out = r;
    return s.measured;
}

cm_status cm__mesh_relation_and_crossings(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                          const cm_pose *pose_b, cm_real tolerance, cm_real max_gap,
                                          cm__crossing_visit *visit, void *user, cm_relation_result *out) {
    const cm_status status = cm__mesh_pair_check(a, pose_a, b, pose_b);
    if (status != CM_OK) return status;
    if (!out || !(tolerance >= 0) || !(max_gap >= 0)) return CM_INVALID;

    cm__mesh_pair pair;
    cm_pose b_in_a = cm_pose_between(pose_a, pose_b);
    cm__mesh_pair_open(a->u.mesh, b->u.mesh, &b_in_a, &pair);
    cm_real t = tolerance > 0 ? tolerance : (cm_real)cm__mesh_pair_default_tolerance(&pair, pose_a->position);
    cm__crossings_to_world world = {pose_a, visit, user};
    cm__mesh_pair_relation(&pair, t, max_gap, visit ? cm__crossing_to_world : NULL, &world, out);
    if (out->triangle_a != CM_NONE) {
        out->point_a = cm_pose_apply(pose_a, out->point_a);
        out->point_b = cm_pose_apply(pose_a, out->point_b);
    }
    return CM_OK;
}

cm_status cm_mesh_relation(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           cm_real tolerance, cm_real max_gap, cm_relation_result *out) {
    return cm__mesh_relation_and_crossings(a, pose_a, b, pose_b, tolerance, max_gap, NULL, NULL, out);
}

const char *cm_relation_text(cm_relation relation) {
    static const char *const texts[] = {CM_RELATION_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof *texts, (size_t)relation, "unknown");
}
