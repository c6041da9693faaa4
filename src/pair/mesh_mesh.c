/* Mesh against mesh, in A's frame: do they overlap?
 *
 * Guaranteed: the answer is exact for A's points and B's posed points (cm_mesh_posed). Two meshes overlap where two
 * triangles share a point, or, with one of them solid, where a component of the other lies within it. Without shared
 * points a component is wholly inside or wholly outside, so one of its corners decides. Bound: each step of the walk
 * opens a node; in the worst case every pair of triangles is tested. No memory.
 *
 * Based on: [Gottschalk96] the walk over two trees; the triangles' signs after [Shewchuk97]. */
#include "pair/mesh_mesh.h"

#include "math/closest.h"
#include "math/round.h"
#include "pair/composite.h"
#include "pair/inner_hull.h"
#include "pair/mesh_blocks.h"
#include "pair/pair.h"
#include "pair/mesh_planes.h"
#include "pair/triangle_triangle.h"

#include <math.h>

#define MESH_TOUCH  8    /* CM_REAL_EPSILONs of sizes and places: two that are no deeper only touch */
#define MESH_LEAVES 1.01 /* of a depth: what leaves by so much is hardly deeper */
#define MESH_NEAR   3e-3 /* of a depth: walls that differ by less are as near to the deepest point */
#define MESH_WAYS   8    /* such walls, at most */
#define MESH_SAME   .99  /* cosine: of one wall */
#define MESH_ASKED  1024 /* triangles whose depth is asked of solids that are no deeper than their tolerance */
#define MESH_DEEPER 2    /* touches of a pair that is this many times as deep do not tell its way out */

void cm__mesh_pair_open(const cm_mesh *a, const cm_mesh *b, const cm_pose *b_in_a, cm__mesh_pair *out) {
    out->a = a, out->b = b;
    out->tree_a = cm__mesh_tree(a);
    out->tree_b = cm__mesh_tree(b);
    cm__mesh_place(b_in_a, &out->placing);
}

cm_status cm__mesh_pair_check(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b) {
    if (cm_shape_check(a, NULL) != CM_OK || cm_shape_check(b, NULL) != CM_OK || !shape_mesh(a) || !shape_mesh(b) ||
        !pose_a || !pose_b)
        return CM_INVALID;
    return cm_pose_is_valid(pose_a) && cm_pose_is_valid(pose_b) ? CM_OK : CM_NOT_FINITE;
}

bool cm__mesh_leaves_meet(const cm__mesh_pair *pair, const cm__bvh_leaf *leaf_a, const cm__bvh_leaf *leaf_b,
                          cm__leaf_planes *planes) {
    cm__leaf_boxes boxes;
    cm__leaf_boxes_of(pair->a, leaf_a, &boxes);
    planes->ready = false;
    for (uint32_t j = leaf_b->first; j < leaf_b->first + leaf_b->count; ++j) {
        cm__face b = cm__mesh_pair_b(pair, j);
        uint32_t near = cm__leaf_boxes_overlap(&boxes, cm__face_box(&b));
        near = cm__leaf_planes_part(planes, pair->a, leaf_a, &boxes, b.corner, 0, near);
        for (; near != 0; near &= near - 1) {
            const uint32_t i = leaf_a->first + (uint32_t)bits_lowest(near);
            const cm__face a = cm__mesh_face(pair->a, i);
            if (cm__overlap_triangle_triangle(a.corner, b.corner)) return true;
        }
    }
    return false;
}

/* Of at most `limit` pairs of leaves: do two triangles share a point? Exact for the posed points. *over: there are no
 * more pairs of leaves. */
static bool mesh_walk_overlaps(const cm__mesh_pair *pair, cm__bvh_pair_query *q, uint64_t limit, bool *over) {
    cm__leaf_planes planes;
    cm__leaf_planes_open(&planes);
    cm__bvh_leaf leaf_a, leaf_b;
    for (uint64_t k = 0; k < limit; ++k) {
        *over = !cm__bvh_pair_next(q, &leaf_a, &leaf_b);
        if (*over) return false;
        if (cm__mesh_leaves_meet(pair, &leaf_a, &leaf_b, &planes)) return true;
    }
    return false;
}

static bool mesh_holds(const cm_aabb *box, cm_vec3 p) {
    return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y && p.z >= box->min.z &&
           p.z <= box->max.z;
}

/* A corner of a component. */
static cm_vec3 mesh_component_point(const cm_mesh *mesh, uint32_t component) {
    return cm__mesh_triangle(mesh, cm__mesh_roots(mesh)[component]).a;
}

/* Does a component of the mesh lie in the other, a solid? Their triangles do not meet; so on the box around the other,
 * as outside of it, no point lies in it, as its winding would tell. */
static bool mesh_pair_within(const cm__mesh_pair *pair, bool of_b, uint32_t component) {
    const cm_mesh *a = pair->a, *b = pair->b;
    if (!of_b) return cm__mesh_winding_placed(b, &pair->placing, mesh_component_point(a, component), NULL) != 0;
    cm_vec3 p = cm__mesh_posed_point(&pair->placing, mesh_component_point(b, component));
    return mesh_holds(&a->info.bounds, p) && cm_mesh_winding(a, p, NULL) != 0;
}

bool cm__mesh_pair_nested(const cm__mesh_pair *pair) {
    const cm_mesh *a = pair->a, *b = pair->b;
    for (uint32_t c = 0; a->info.solid && c < b->info.components; ++c)
        if (mesh_pair_within(pair, true, c)) return true;
    for (uint32_t c = 0; b->info.solid && c < a->info.components; ++c)
        if (mesh_pair_within(pair, false, c)) return true;
    return false;
}

cm__side cm__mesh_pair_side(const cm__mesh_pair *pair, bool of_b) {
    const uint32_t components = of_b ? pair->b->info.components : pair->a->info.components;
    if (!(of_b ? pair->a : pair->b)->info.solid || components == 0) return CM__SIDE_ANY;
    const bool within = mesh_pair_within(pair, of_b, 0);
    for (uint32_t c = 1; c < components; ++c)
        if (mesh_pair_within(pair, of_b, c) != within) return CM__SIDE_ANY;
    return within ? CM__SIDE_WITHIN : CM__SIDE_OUTSIDE;
}

typedef enum mesh_contact {
    MESH_APART,
    MESH_WITHIN, /* a component of one lies in the other */
    MESH_MEET    /* triangles share a point */
} mesh_contact;

/* What is known of two of which one lies in the other: `deep` (-1: not known yet), whether more than the tolerance. */
typedef struct mesh_depth {
    int deep;
    cm__mesh_gap gap;
} mesh_depth;

static double mesh_tolerance(const cm__mesh_pair *pair) { return cm__mesh_pair_default_tolerance(pair, cm_v(0, 0, 0)); }

/* Do they meet, of which one lies in the other? Where surfaces nearly coincide the search for the depth tells it, which
 * is kept then; where it does not, the rest of the walk does. */
static bool mesh_walk_meets(const cm__mesh_pair *pair, cm__bvh_pair_query *q, mesh_depth *depth) {
    cm__mesh_inside inside;
    cm__mesh_blocks blocks;
    bool over;
    const bool known = cm__mesh_pair_depth_inside(pair, mesh_tolerance(pair), &inside);
    if (known && inside.meet) return true;
    if (!known || !inside.apart) {
        cm__mesh_blocks_join(&blocks, pair, q);
        const bool meet = mesh_walk_overlaps(pair, q, UINT64_MAX, &over);
        q->apart = NULL, q->user = NULL; /* the blocks end here */
        if (meet) return true;
    }
    if (!known) return false;
    depth->deep = inside.gap.distance < 0;
    depth->gap = inside.gap;
    return false;
}

static bool mesh_pair_meets(const cm__mesh_pair *pair, mesh_depth *depth) {
    cm__bvh_pair_query q;
    bool over;
    cm__bvh_pair_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing, 0);
    return mesh_walk_overlaps(pair, &q, CM__FIRST_LEAVES, &over) || (!over && mesh_walk_meets(pair, &q, depth));
}

/* Most overlapping pairs are found in the first leaves of the walk. Otherwise one ray for each component may show that
 * one mesh lies in the other, before all near leaves are tested; there may be very many where surfaces nearly coincide.
 * `depth`, if not NULL: MESH_WITHIN only if no triangles overlap; and maybe how deep. */
static mesh_contact mesh_pair_contact(const cm__mesh_pair *pair, mesh_depth *depth) {
    cm__bvh_pair_query q;
    cm__mesh_blocks blocks;
    bool over;
    cm__bvh_pair_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing, 0);
    if (mesh_walk_overlaps(pair, &q, CM__FIRST_LEAVES, &over)) return MESH_MEET;
    const bool within = cm__mesh_pair_nested(pair);
    if (within) return depth && !over && mesh_walk_meets(pair, &q, depth) ? MESH_MEET : MESH_WITHIN;
    cm__mesh_blocks_join(&blocks, pair, &q);
    return !over && mesh_walk_overlaps(pair, &q, UINT64_MAX, &over) ? MESH_MEET : MESH_APART;
}

static bool mesh_mesh_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__mesh_pair pair;
    cm__mesh_pair_open(a->u.mesh, b->u.mesh, b_in_a, &pair);
    return mesh_pair_contact(&pair, NULL) != MESH_APART;
}

/* Where surfaces touch, the direction from A to B: outwards from the triangle of A, or into that of B. */
static cm_vec3 mesh_touching_normal(const cm__mesh_pair *pair, const cm__mesh_gap *gap) {
    cm_triangle a = cm__mesh_triangle(pair->a, gap->triangle_a), b = cm__mesh_triangle(pair->b, gap->triangle_b);
    cm_vec3 normal_b = cm_mat3_mul(&pair->placing.rotation, cm_cross(cm_sub(b.b, b.a), cm_sub(b.c, b.a)));
    return cm_normalize(cm_cross(cm_sub(a.b, a.a), cm_sub(a.c, a.a)), cm_normalize(cm_neg(normal_b), cm_v(0, 0, 1)));
}

/* The deepest point of one solid in the other, where they are deeper than the tolerance. */
static bool mesh_pair_deep(const cm__mesh_pair *pair, bool meet, const mesh_depth *known, cm__mesh_gap *out) {
    if (!pair->a->info.solid && !pair->b->info.solid) return false;
    if (known->deep < 0) return cm__mesh_pair_depth(pair, mesh_tolerance(pair), 0, meet, out);
    *out = known->gap;
    return known->deep;
}

/* How deep two that touch are by rounding. */
static double mesh_touch(const cm_mesh *a, const cm_mesh *b, const cm_pose *b_in_a) {
    const double size = (double)cm_max(cm_largest(cm_sub(a->info.bounds.max, a->info.bounds.min)),
                                       cm_largest(cm_sub(b->info.bounds.max, b->info.bounds.min)));
    return MESH_TOUCH * (double)CM_REAL_EPSILON * (size + (double)cm_largest(b_in_a->position));
}

/* How far B has to go along a direction to be before A, as far as the surfaces are convex around two triangles. */
static double mesh_way_out(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, uint32_t part_a,
                           uint32_t part_b, cm__point n, double touch) {
    const cm_triangle own = cm__mesh_triangle(a->u.mesh, part_a), other = cm__mesh_triangle(b->u.mesh, part_b);
    const cm__point top = cm__inner_top(a, touch, &own, part_a, n);
    const cm__point low = cm__inner_top(b, touch, &other, part_b, wide_neg(frame_unrotate(b_in_a, n)));
    return cm__point_dot(n, cm__point_sub(top, frame_apply(b_in_a, low)));
}

/* Where several walls are as near to the deepest point as the one that is reported, as in the middle of a wall that a
 * body stands through, each leads out of the solid there, but the body has farther to go by one than by another: the
 * wall is reported by which it has the least way. */
static void mesh_least_way(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__mesh_gap *io) {
    const cm__frame f = frame_of_pose(b_in_a);
    const cm_shape *outer = io->b_in_a ? a : b;
    const cm__parts_ops *parts = cm__ops(outer->kind)->parts;
    const double touch = mesh_touch(a->u.mesh, b->u.mesh, b_in_a), depth = -(double)io->distance;
    const double reach = depth * (1 + MESH_NEAR) + touch;
    const cm__point deep = cm__point_of(io->b_in_a ? io->b : io->a);
    const cm__point from = io->b_in_a ? deep : frame_unrotate(&f, cm__point_sub(deep, f.position));
    cm__point tried[MESH_WAYS] = {cm__point_of(cm_normalize(cm_sub(io->a, io->b), cm_v(0, 0, 0)))};
    int count = 1;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    double least = mesh_way_out(a, b, &f, io->triangle_a, io->triangle_b, tried[0], touch) / MESH_LEAVES;
    if (!(least > depth + touch)) return;
    box.min = box.max = cm__vec3_of(from);
    parts->start(&q, outer, &box);
    while (count < MESH_WAYS && parts->next(&q, wide_up(reach), &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        cm__closest_on_triangle c;
        cm__closest_point_triangle(from, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &c);
        if (!(cm__point_length(c.gap) <= reach)) continue;
        const cm__point way = wide_normalize(c.gap, cm__p(0, 0, 0));
        const cm__point n = io->b_in_a ? way : wide_neg(frame_rotate(&f, way));
        bool known = false;
        for (int i = 0; i < count && !known; i++) known = cm__point_dot(n, tried[i]) > MESH_SAME;
        if (known) continue;
        tried[count++] = n;
        const uint32_t part_a = io->b_in_a ? part.number : io->triangle_a;
        const uint32_t part_b = io->b_in_a ? io->triangle_b : part.number;
        const double length = mesh_way_out(a, b, &f, part_a, part_b, n, touch);
        if (!(length < least)) continue;
        least = length;
        io->triangle_a = part_a, io->triangle_b = part_b;
        if (io->b_in_a)
            io->a = cm__vec3_of(c.point);
        else
            io->b = cm__vec3_of(frame_apply(&f, c.point));
    }
}

static void mesh_witness(const cm__mesh_pair *pair, const cm__mesh_gap *gap, bool overlap, cm_witness *out) {
    cm_vec3 along = overlap ? cm_sub(gap->a, gap->b) : cm_sub(gap->b, gap->a);
    out->point_a = gap->a;
    out->point_b = gap->b;
    out->normal = cm_normalize(along, mesh_touching_normal(pair, gap));
    out->distance = gap->distance;
    out->part_a = gap->triangle_a, out->part_b = gap->triangle_b;
    out->flags = overlap ? CM_WITNESS_LOWER_BOUND : 0u;
}

/* That of the deepest pair of triangles. Solids for which it is asked are no deeper in each other than the tolerance;
 * those that coincide, or lie flush, may touch in all their triangles, so only some of these are asked: a lower bound
 * that differs from the depth over all of them by less than that tolerance. */
static bool mesh_deepest_triangles(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_witness *out) {
    uint32_t asked;
    const bool solid = a->u.mesh->info.solid || b->u.mesh->info.solid;
    const cm_real distance = solid ? cm__composites_depth(a, b, b_in_a, MESH_ASKED, &asked, out)
                                   : cm__method_composites.distance(a, b, b_in_a, 0, out);
    return distance < 0;
}

/* Separated: the gap. Overlapping: minus the depth; for two surfaces, and for solids whose depth is below its
 * tolerance, that of the deepest pair of triangles. `within`: a corner of one lies in the other, so they overlap
 * whatever the gap of the surfaces. `meet`: triangles share a point. `known`: the depth, if that is. */
static cm_real mesh_pair_distance(const cm__mesh_pair *pair, bool within, bool meet, const mesh_depth *known,
                                  const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                                  cm_witness *out) {
    cm__mesh_gap gap;
    bool overlap = within;
    if (!within || !mesh_pair_deep(pair, meet, known, &gap)) {
        if (!cm__mesh_pair_gap(pair, within ? CM_REAL_MAX : max_distance, &gap)) return CM_REAL_MAX;
        overlap = within || gap.distance == 0;
        if (overlap && !within) mesh_pair_deep(pair, true, known, &gap);
        if (within) gap.distance = 0;
    }
    if (overlap && !(gap.distance < 0) && mesh_deepest_triangles(a, b, b_in_a, out)) return out->distance;
    if (gap.distance < 0) mesh_least_way(a, b, b_in_a, &gap);
    mesh_witness(pair, &gap, overlap, out);
    return out->distance;
}

static cm_real mesh_mesh_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                                  cm_witness *out) {
    cm__mesh_pair pair;
    cm__mesh_pair_open(a->u.mesh, b->u.mesh, b_in_a, &pair);
    mesh_depth depth = {.deep = -1};
    const bool within = cm__mesh_pair_nested(&pair);
    const bool meet = within && mesh_pair_meets(&pair, &depth);
    return mesh_pair_distance(&pair, within, meet, &depth, a, b, b_in_a, max_distance, out);
}

/* How far the boxes of two solids overlap, along the axis along which they do so least: no point of one is deeper in
 * the other. In the frame of each. */
static double mesh_most(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    const cm_pose identity = cm_pose_identity(), a_in_b = cm_pose_between(b_in_a, &identity);
    double most = DBL_MAX;
    for (int i = 0; i < 2; i++) {
        const cm_aabb *own = i == 0 ? &a->u.mesh->info.bounds : &b->u.mesh->info.bounds;
        cm_aabb other;
        cm__composite_box(i == 0 ? b : a, i == 0 ? b_in_a : &a_in_b, &other);
        const cm_vec3 up = cm_sub(own->max, other.min), down = cm_sub(other.max, own->min);
        const cm_vec3 least = cm_vec3_min(up, down);
        most = wide_min(most, (double)cm_min(least.x, cm_min(least.y, least.z)));
    }
    return most;
}

/* Do they leave each other along the normal of a contact, as far as the surfaces are convex around it, by little more
 * than its depth? Then they are hardly deeper in each other there. */
static bool mesh_leaves(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, const cm__contact_deepest *by,
                        double touch) {
    const cm__frame f = frame_of_pose(b_in_a);
    const cm__point n = wide_neg(frame_rotate(&f, by->normal));
    return mesh_way_out(a, b, &f, by->part_a, by->part_b, n, touch) <= MESH_LEAVES * by->depth + touch;
}

/* Triangles that cross tell how deep they are in each other, but none that lies wholly in the other's solid does. Where
 * the deepest point of the pair is deeper than all contacts, as between solids that are finely cut, it is one more
 * contact. */
static void mesh_contact_at_deepest(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, bool weak,
                                    cm__contacts *to) {
    const cm__contact_deepest *by = &to->deepest[!weak];
    const double touch = mesh_touch(a->u.mesh, b->u.mesh, b_in_a);
    const double least = by->depth * (1 + CM__EXTENT_RELATIVE) + touch;
    cm__mesh_pair pair;
    cm__mesh_gap gap;
    cm_witness w;
    cm_manifold m;
    if (!(by->depth >= (weak ? touch : 0)) || !(a->u.mesh->info.solid || b->u.mesh->info.solid)) return;
    if (!(mesh_most(a, b, b_in_a) > least) || mesh_leaves(a, b, b_in_a, by, touch)) return;
    cm__mesh_pair_open(a->u.mesh, b->u.mesh, b_in_a, &pair);
    if (!cm__mesh_pair_depth(&pair, mesh_tolerance(&pair), least, true, &gap)) return;
    mesh_least_way(a, b, b_in_a, &gap);
    mesh_witness(&pair, &gap, true, &w);
    cm__manifold_of_witness(&w, &m);
    if (weak)
        cm__contacts_add_weak(to, &m);
    else
        cm__contacts_add(to, &m);
}

/* Contacts triangle by triangle, by rounded gaps; but whether the meshes touch at all is decided as `overlap` does. A
 * mesh that lies wholly in the other has one contact, at the deepest point; its triangles are not tested. */
static void mesh_mesh_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                               cm__contacts *to) {
    cm_witness w;
    cm_manifold m;
    if (!(margin > 0)) {
        cm__mesh_pair pair;
        cm__mesh_pair_open(a->u.mesh, b->u.mesh, b_in_a, &pair);
        mesh_depth depth = {.deep = -1};
        const mesh_contact contact = mesh_pair_contact(&pair, &depth);
        if (contact == MESH_APART) return;
        if (contact == MESH_WITHIN) {
            mesh_pair_distance(&pair, true, false, &depth, a, b, b_in_a, 0, &w);
            cm__manifold_of_witness(&w, &m);
            cm__contacts_add(to, &m);
            return;
        }
    }
    /* Where neither surface has the direction of any contact, the answer is the deepest point of the pair, not the
     * least depth of two triangles, which may be next to nothing; so it is where one has, but they only touch there, as
     * sides that are flush above a foot within rounding of a top. A child of a compound does not use this, since
     * another child may have a contact. */
    const bool whole = !to->level || (!to->level->outer && to->level->pass == cm__contact_swapped);
    const int before = to->count, weak = to->weak, refused = to->refused;
    to->deepest[0].depth = to->deepest[1].depth = to->weak_depth = -DBL_MAX;
    cm__method_composites.contacts(a, b, b_in_a, margin, to);
    mesh_contact_at_deepest(a, b, b_in_a, to->count == before, to);
    if (to->count > before || (to->refused > refused && !whole)) return;
    if (to->weak > weak && !(whole && fabs(to->weak_depth) <= mesh_touch(a->u.mesh, b->u.mesh, b_in_a))) return;
    const double distance = (double)mesh_mesh_distance(a, b, b_in_a, margin, &w);
    if (distance > (double)margin || (to->weak > weak && !(-distance > MESH_DEEPER * fabs(to->weak_depth)))) return;
    if (whole) to->refused = 0;
    if (to->weak > weak) contacts_drop_weak(to);
    cm__manifold_of_witness(&w, &m); /* no surface has this direction: only where there is no other contact */
    cm__contacts_add_spare(to, &m);
}

const cm__method cm__method_mesh_mesh = {
    .overlap = mesh_mesh_overlap, .distance = mesh_mesh_distance, .contacts = mesh_mesh_contacts};
