/* The farthest that the surface of mesh X lies from the surface of mesh Y, over the points of X that are inside the
 * solid Y (the reach of the design), outside it, or over all (the one-sided Hausdorff distance).
 *
 * Guarantee: `value` is attained at `point`, whose distance is `value` and whose side was asked for by a winding
 * number: a lower bound of the true supremum. Nothing on the wanted side is farther than `bound`; bound <= max(1.001
 * max(value, known) + tolerance / 4, floor), up to the rounding of the coordinates, unless the search was stopped by
 * the caller, by CM__EXTENT_LIMIT evaluations or by 96 divisions of a triangle. Everything is computed in Y's frame, in
 * double.
 *
 * Branch and bound. X's tree, then its triangles, then pieces of them are visited depth first; of each piece:
 * - the distance at its center is a lower bound (if the center is on the wanted side); plus the piece's radius, an
 *   upper one, since distance changes no faster than the point moves;
 * - the distance to one fixed triangle of Y is convex over the piece, so it lies below the plane through its values at
 *   the three corners; the lowest of four such planes (of the triangles closest to the corners and the center) bounds
 *   the distance to Y. Its highest point bounds all of the piece, and converges with the square of the piece's size,
 *   also along the ridges where two or three triangles of Y are equally close;
 * - the greatest height of the piece over Y's surface, along one direction, bounds it too (extent_bounds.c), however
 *   many triangles of Y the piece lies over: between surfaces that nearly coincide most triangles are settled by it,
 *   also where they pass through Y, as heights on the side that is not wanted do not count;
 * - what is moved by a short way, and is then outside Y, was not deeper in it (extent_moved.c): that is asked first, of
 *   the leaves of a node of X's tree together;
 * - what is inside Y is no deeper in it than in its box: what stands on Y's outermost face, and all that is in a plate
 *   once a point is half as deep as that is thick, is settled by that without a distance.
 * What lies on both sides of Y's surface would never settle where surfaces touch: the part beyond the rim of a shared
 * face is on the wrong side but arbitrarily close. Therefore a piece that meets few triangles of Y is cut along them
 * until it meets none (extent_cuts.c); then one winding number tells the side of all of it. Nothing hangs on a piece
 * being called one-sided but what is left out: each point that would be the answer is asked for its side itself.
 * What is on the wanted side, but closest to several triangles of Y, is cut where these meet.
 * A point of X only counts as surface where exactly one side of it is outside X: what overlapping shells of X enclose
 * is interior of the union. A piece with such a point is cut along X's other triangles in the same way.
 *
 * Based on: [TangLeeKim09] for Hausdorff distance by bounds over a tree; the cutting is our own. */
#include "pair/extent_search.h"

#include "mesh/mesh.h"
#include "shape/parts.h"

enum {
    EXTENT_TOGETHER = 2,  /* of a leaf's triangles so many are searched without a look at their box */
    EXTENT_WAIT = 8,      /* nodes at most that pass without a try to move them, after tries in vain */
    EXTENT_LEAF_STACK = 2 /* nodes that halving a leaf adds to a stack: twice from 8 to 2, one more each time */
};

/* The distance of a node's center that settles nothing only tells which node is looked at first. */
#define EXTENT_ROUGHLY 0.875

static void extent_box_of_node(const cm__extent_search *s, const cm__extent_node *node, cm__point *center,
                               cm__point *half) {
    if (node->slot != CM_NONE) {
        tree_box(&s->tree_x, node->slot, center, half);
        return;
    }
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = node->first; i < node->first + node->count; ++i) {
        const cm__face face = cm__mesh_face(s->query->x, i);
        for (int k = 0; k < 3; ++k) box = cm_aabb_add_point(box, face.corner[k]);
    }
    tree_box_of(box.min, box.max, center, half);
}

/* Bounds a node; false where nothing of it can be the farthest. *node comes with what is known of its parent, and goes
 * with that where the distance of its center would tell nothing: neither is a leaf larger than the answer settled by
 * it, nor does one that is as near as it is large lie on one side. So do all nodes, even if less near, as long as
 * triangles are settled by what lies below them: there the surfaces run side by side, and where the search begins in Y
 * is known from the triangle before. */
static bool extent_visit_node(cm__extent_search *s, cm__extent_node *node) {
    cm__point local, half;
    extent_box_of_node(s, node, &local, &half);
    cm__point center = cm__affine_apply(&s->query->x_to_y, local), nearest = center;
    double radius = 1.001 * cm__point_length(half); /* 0.1 %: a rounded pose stretches by less */
    const double settled = extent_settled(s);
    if (s->query->side == CM__SIDE_WITHIN) {
        const double at[3] = {center.x, center.y, center.z};
        double low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            const double *m = s->query->x_to_y.m[k];
            const double reach =
                1.001 * (fabs(m[0]) * half.x + fabs(m[1]) * half.y + fabs(m[2]) * half.z) + s->slack.rounding;
            low[k] = at[k] - reach, high[k] = at[k] + reach;
        }
        const double deepest = cm__extent_deepest(s, low, high);
        if (deepest < 0 || (deepest <= extent_reached(s) && extent_may_look_inside(s, false)))
            return extent_wrong_side(s);
    }
    node->upper = DBL_MAX;
    const double moved = cm__point_length(cm__point_sub(center, node->center));
    node->center = center;
    const bool is_leaf = node->count > 0 && node->count <= EXTENT_TOGETHER;
    if ((is_leaf || s->last != CM_NONE) && node->near != CM_NONE && radius > settled &&
        (node->one_sided || node->distance + moved <= (s->last != CM_NONE ? 4 * radius : radius))) {
        node->distance += moved;
        node->stale |= !is_leaf;
        return true;
    }
    node->stale = false;
    const double share = radius > settled ? EXTENT_ROUGHLY : 1; /* no distance settles it */
    node->distance = cm__extent_near(s, center, share, &node->near, &nearest);
    node->upper = node->distance + radius;
    if (node->upper <= settled) return false;
    if (!node->one_sided && node->distance * share > radius + s->slack.flush) {
        if (!cm__extent_side_is_wanted(s, center)) return extent_wrong_side(s);
        node->one_sided = true;
    }
    return true;
}

/* The child k, 0 to 3, of a node of nodes, or, 0 or 1, the half of a leaf; false where there is none. */
static bool extent_child(const cm__extent_search *s, const cm__extent_node *node, uint32_t k, cm__extent_node *out) {
    *out = *node;
    if (node->count > 0) {
        if (k > 0) out->settled >>= node->count / 2;
        out->slot = CM_NONE;
        out->first = k > 0 ? node->first + node->count / 2 : node->first;
        out->count = k > 0 ? node->count - node->count / 2 : node->count / 2;
        return k < 2;
    }
    const uint32_t below = s->tree_x.nodes[node->slot / 4].child[node->slot % 4];
    const cm__bvh_node *in = &s->tree_x.nodes[below];
    out->slot = 4 * below + k;
    out->first = in->child[k], out->count = in->count[k];
    return !(in->half[0][k] < 0);
}

/* What the search passes by is held against Y by itself, where it is asked whether they meet. */
static void extent_pass(cm__extent_search *s, uint32_t slot) {
    cm__mesh_meeting *meeting = s->query->meeting;
    if (!meeting->asks) return;
    cm__mesh_meeting_walk(meeting, slot);
    s->over = s->over || meeting->meet;
}

/* Of the children that are leaves: the triangles that are settled together. `first`: none of them was asked before. */
static void extent_move_leaves(cm__extent_search *s, cm__extent_node *child, int count, bool first) {
    if (!s->may_move) return;
    if (s->wait > 0) {
        --s->wait;
        return;
    }
    cm__bvh_leaf leaf[CM__MOVED_LEAVES];
    uint32_t settled[CM__MOVED_LEAVES];
    int of[CM__MOVED_LEAVES], leaves = 0;
    for (int k = 0; k < count; ++k) {
        if (child[k].count == 0 || child[k].slot == CM_NONE) continue;
        leaf[leaves].first = child[k].first, leaf[leaves].count = child[k].count;
        of[leaves++] = k;
    }
    if (leaves == 0) return;
    cm__extent_moved(&s->moves, leaf, leaves, extent_settled(s), s->query->side == CM__SIDE_OUTSIDE, first, settled);
    s->over = s->over || s->query->meeting->meet;
    bool any = false;
    for (int l = 0; l < leaves; ++l) {
        child[of[l]].settled = settled[l];
        any = any || settled[l] != 0;
    }
    if (any) {
        s->out->any_side = false; /* nothing is known of what does not lie in Y */
        s->last = s->moves.below;
        s->missed = 0;
    } else {
        s->missed += s->missed < EXTENT_WAIT;
        s->wait = s->missed;
    }
}

static bool extent_is_settled(const cm__extent_node *node) {
    const uint32_t all = (1u << node->count) - 1;
    return node->count > 0 && (node->settled & all) == all;
}

/* The children of a node that are worth a look; the farthest from Y comes next: what it shows spares the others. */
static int extent_push_children(cm__extent_search *s, cm__extent_node *node, cm__extent_node *stack, int top) {
    const int bottom = top;
    cm__extent_node child[4];
    int count = 0;
    if (node->settled == 0)
        extent_move_leaves(s, node, 1, false); /* a leaf alone: its neighbors may have been in its way */
    if (extent_is_settled(node)) return top;
    for (uint32_t k = 0; k < 4; ++k) count += extent_child(s, node, k, &child[count]);
    if (node->count == 0) {
        const uint32_t before = s->query->meeting->apart;
        extent_move_leaves(s, child, count, true);
        const bool passed = s->query->meeting->apart == before;
        for (int k = 0; k < count && passed; ++k)
            if (child[k].count > 0) extent_pass(s, child[k].slot);
    }
    for (int k = 0; k < count; ++k) {
        if (extent_is_settled(&child[k])) continue;
        if (!extent_visit_node(s, &child[k])) {
            if (child[k].count == 0) extent_pass(s, child[k].slot);
            continue;
        }
        int at = top++;
        for (; at > bottom && stack[at - 1].distance > child[k].distance; --at) stack[at] = stack[at - 1];
        stack[at] = child[k];
    }
    return top;
}

void cm__mesh_extent(const cm__extent_query *query, cm__extent *out) {
    cm__extent_search s;
    s.query = query;
    s.out = out;
    s.tree_x = cm__mesh_tree(query->x);
    s.tree_y = cm__mesh_tree(query->y);
    s.x_is_solid = query->x->info.solid;
    s.may_move = query->y->info.solid && query->side != CM__SIDE_ANY;
    if (s.may_move) cm__extent_moves_open(&query->x_to_y, query->meeting, &s.moves);
    const double coordinate = (double)cm_max(query->x->point_reach, query->y->point_reach);
    s.slack.rounding = 0x1p-44 * coordinate;
    s.slack.flush =
        wide_max(query->tolerance / 4, wide_max(2 * (double)CM_REAL_EPSILON * coordinate, 8 * s.slack.rounding));
    s.evaluations = 0;
    s.last = CM_NONE;
    s.missed = s.wait = 0;
    s.over = false;
    out->value = 0;
    out->bound = 0;
    out->point = out->nearest = cm__p(0, 0, 0);
    out->triangle_x = out->triangle_y = CM_NONE;
    out->any_side = true;

    cm__extent_node stack[CM__BVH_STACK + EXTENT_LEAF_STACK];
    int top = 0;
    stack[0].slot = 0;
    stack[0].first = s.tree_x.nodes[0].child[0], stack[0].count = s.tree_x.nodes[0].count[0];
    stack[0].near = CM_NONE;
    stack[0].stale = false;
    stack[0].settled = 0;
    stack[0].center = cm__p(0, 0, 0);
    stack[0].distance = DBL_MAX;
    stack[0].one_sided = query->side == CM__SIDE_ANY || query->one_sided;
    if (extent_visit_node(&s, &stack[0]))
        top = 1;
    else
        extent_pass(&s, 0);
    while (top > 0 && !s.over) {
        cm__extent_node node = stack[--top];
        if (node.upper <= extent_settled(&s)) {
            if (node.count == 0) extent_pass(&s, node.slot);
            continue;
        }
        if (node.count == 0 || node.count > EXTENT_TOGETHER) {
            top = extent_push_children(&s, &node, stack, top);
            continue;
        }
        for (uint32_t i = node.first; i < node.first + node.count && !s.over; ++i)
            if (!(node.settled >> (i - node.first) & 1u)) cm__extent_triangle(&s, s.tree_x.items[i], &node);
    }
    out->evaluations = s.evaluations;
    out->bound = s.over ? DBL_MAX : wide_max(out->bound, extent_settled(&s));
}
