/* The farthest that the surface of mesh X lies from the surface of mesh Y, over the points of X that are inside the
 * solid Y (the reach of the design), outside it, or over all (the one-sided Hausdorff distance).
 *
 * Guarantee: `value` is attained at `point`, whose distance is `value` and whose side was asked for by a winding
 * number: a lower bound of the true supremum. Nothing on the wanted side is farther than `bound`; bound <= max(1.001
 * max(value, known) + tolerance / 4, floor), up to the rounding of the coordinates, unless the search was stopped by
 * the caller or by EXTENT_LIMIT evaluations or EXTENT_DEPTH divisions. Everything is computed in Y's frame, in double.
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
#include "pair/mesh_extent.h"

#include "pair/extent_bounds.h"
#include "pair/extent_cuts.h"
#include "pair/extent_moved.h"

#include "bvh/bvh.h"
#include "math/closest.h"
#include "math/wide.h"
#include "mesh/mesh.h"
#include "pair/mesh_leaf.h"
#include "shape/parts.h"

#include <math.h>

enum {
    EXTENT_LIMIT = 200000, /* distance evaluations: under a second */
    EXTENT_DEPTH = 96,     /* halvings and cuts of one triangle; halving 96 times passes below double's resolution */
    EXTENT_STACK = 3 * EXTENT_DEPTH,
    EXTENT_TOGETHER = 2, /* of a leaf's triangles so many are searched without a look at their box */
    EXTENT_WAIT = 8,
    EXTENT_LEAF_STACK = 2 /* nodes that halving a leaf adds to a stack: twice from 8 to 2, one more each time */
};

/* The distance of a node's center that settles nothing only tells which node is looked at first. */
#define EXTENT_ROUGHLY 0.875

/* What is known of a piece with respect to X itself. */
enum {
    EXTENT_OWN_UNKNOWN,
    EXTENT_OWN_MIXED,   /* some point of it lies inside X's own union: to be cut along X's other triangles */
    EXTENT_OWN_BOUNDARY /* it is on the boundary of the union, as far as was seen */
};

typedef struct extent_piece {
    cm__point v[3];
    uint32_t near[3];  /* the triangles of Y closest to the corners */
    uint32_t triangle; /* of X */
    uint8_t depth;
    uint8_t one_sided; /* lies wholly on the wanted side */
    uint8_t own;       /* EXTENT_OWN_… */
} extent_piece;

typedef struct extent_search {
    const cm__extent_query *query;
    cm__extent *out;
    cm__bvh tree_x, tree_y;
    bool x_is_solid;
    bool may_move; /* Y and what is asked for have an inside */
    cm__extent_moves moves;
    uint32_t missed, wait; /* how often moving settled nothing, the last few times; so often it is not tried */
    cm__extent_slack slack;
    uint32_t last; /* of Y, below the triangle of X that was looked at last, if that was settled by it; or CM_NONE */
    int evaluations;
    bool over;
} extent_search;

/* Distance from p to triangle `t` of Y. */
static double extent_to_triangle(const extent_search *s, cm__point p, uint32_t t, cm__point *nearest) {
    cm__point y[3];
    cm__closest_on_triangle c;
    extent_corners(s->query->y, t, y);
    cm__closest_point_triangle(p, y[0], y[1], y[2], &c);
    if (nearest) *nearest = c.point;
    return cm__point_length(c.gap);
}

/* Distance from p to Y's surface, or, with `share` < 1, to a point of it such that none is closer than that share of
 * the distance: what Y lies around is as far from most of it. *triangle is a hint on entry (or CM_NONE), the closest
 * triangle on return. */
static double extent_near(extent_search *s, cm__point p, double share, uint32_t *triangle, cm__point *nearest) {
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
        cm__leaf_boxes boxes;
        cm__leaf_boxes_of(s->query->y, &leaf, &boxes);
        for (uint32_t near = cm__leaf_boxes_near(&boxes, at, bound); near != 0; near &= near - 1) {
            const uint32_t i = leaf.first + (uint32_t)bits_lowest(near);
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

static double extent_nearest(extent_search *s, cm__point p, uint32_t *triangle, cm__point *nearest) {
    return extent_near(s, p, 1, triangle, nearest);
}

static bool extent_side_is_wanted(const extent_search *s, cm__point p) {
    if (s->query->side == CM__SIDE_ANY || s->query->one_sided) return true;
    bool inside = cm_mesh_winding(s->query->y, cm__vec3_of(p), NULL) != 0;
    return inside == (s->query->side == CM__SIDE_WITHIN);
}

/* What is not on the wanted side, or not on X's boundary, is left out: nothing of it is looked at. */
static bool extent_wrong_side(extent_search *s) {
    s->out->any_side = false;
    return false;
}

/* Is the point p of X's triangle on the boundary of the union that X's shells enclose? */
static bool extent_is_boundary(const extent_search *s, const extent_piece *piece, cm__point p) {
    if (!s->x_is_solid || s->query->side != CM__SIDE_WITHIN) return true;
    cm__point x[3];
    extent_corners(s->query->x, piece->triangle, x);
    cm__point normal = cm__point_cross(cm__point_sub(x[1], x[0]), cm__point_sub(x[2], x[0]));
    double length = cm__point_length(normal);
    if (!(length > 0)) return true;
    cm__point q = cm__affine_apply(&s->query->y_to_x, p);
    double step = s->query->tolerance + 16 * (double)CM_REAL_EPSILON * cm__point_largest(q);
    bool front = cm_mesh_winding(s->query->x, cm__vec3_of(cm__point_mul_add(q, step / length, normal)), NULL) != 0;
    bool back = cm_mesh_winding(s->query->x, cm__vec3_of(cm__point_mul_add(q, -step / length, normal)), NULL) != 0;
    return !(front && back);
}

/* Below this an upper bound closes the case. */
static double extent_settled(const extent_search *s) {
    double value = wide_max(s->out->value, s->query->known) * (1 + CM__EXTENT_RELATIVE) + s->slack.flush;
    return value > s->query->floor ? value : s->query->floor;
}

static bool extent_is_farther(const extent_search *s, double distance) {
    return distance > s->out->value && distance > s->query->floor;
}

/* How deep a point of [low, high] can be in Y's box at most, hence in Y: the way out along each axis. Negative where
 * they are apart. */
static double extent_deepest(const extent_search *s, const double low[3], const double high[3]) {
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

/* What is no deeper in Y's box than this is settled by it. Only what a few operations round is let pass: a face that is
 * parallel to one of the box, as where bodies stand on each other, has its depth to that, and sweeps rest on it. */
static double extent_reached(const extent_search *s) {
    return wide_max(wide_max(s->out->value, s->query->known), s->query->floor) + s->slack.rounding / 64;
}

/* May the depth in Y's box settle what is looked at? It tells nothing of what lies outside Y, of which `any_side` says
 * that it is close too. That is not spoiled where something is known to be farther from Y than the tolerance, or was
 * left out before. `beyond`: what is looked at extends that far out of Y's box. */
static bool extent_may_look_inside(const extent_search *s, bool beyond) {
    return s->query->side == CM__SIDE_WITHIN && (beyond || !s->out->any_side || s->out->value > s->query->tolerance);
}

/* Is no point of the triangle deep enough in Y's box to be of interest? */
static bool extent_is_shallow(const extent_search *s, const cm__point v[3]) {
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
    return extent_may_look_inside(s, beyond) && extent_deepest(s, low, high) <= extent_reached(s);
}

/* Takes p, on the wanted side, as the farthest so far, where it is and lies on the boundary of X's union. */
static void extent_take(extent_search *s, extent_piece *piece, cm__point p, cm__point nearest, uint32_t y,
                        double distance) {
    if (!extent_is_farther(s, distance)) return;
    if (!extent_is_boundary(s, piece, p)) {
        piece->own = EXTENT_OWN_MIXED;
        return;
    }
    s->out->value = distance;
    s->out->point = p;
    s->out->nearest = nearest;
    s->out->triangle_x = piece->triangle;
    s->out->triangle_y = y;
    if (distance > s->query->stop) s->over = true;
}

/* The same of any p. It is farther from Y than the tolerance, hence than it rounds: its side is certain. */
static void extent_offer(extent_search *s, extent_piece *piece, cm__point p, cm__point nearest, uint32_t y,
                         double distance) {
    if (extent_is_farther(s, distance) && extent_side_is_wanted(s, p)) extent_take(s, piece, p, nearest, y, distance);
}

/* A new corner of a piece: its closest triangle, and maybe the farthest point so far. */
static uint32_t extent_corner(extent_search *s, extent_piece *piece, cm__point p, uint32_t hint) {
    cm__point nearest = p;
    double distance = extent_nearest(s, p, &hint, &nearest);
    extent_offer(s, piece, p, nearest, hint, distance);
    return hint;
}

static int extent_halve(extent_search *s, extent_piece *piece, extent_piece out[3]) {
    int longest = 0;
    double most = -1;
    for (int i = 0; i < 3; ++i) {
        cm__point edge = cm__point_sub(piece->v[(i + 1) % 3], piece->v[i]);
        double square = cm__point_dot(edge, edge);
        if (square > most) {
            most = square;
            longest = i;
        }
    }
    int next = (longest + 1) % 3;
    cm__point middle = cm__point_between(piece->v[longest], piece->v[next], 0.5);
    uint32_t near = extent_corner(s, piece, middle, piece->near[longest]);
    out[0] = out[1] = *piece;
    out[0].v[next] = out[1].v[longest] = middle;
    out[0].near[next] = out[1].near[longest] = near;
    return 2;
}

/* Cuts the piece along a plane that it reaches beyond on both sides, given by the heights of its corners: a corner, and
 * a quadrangle as two. */
static int extent_cut(extent_search *s, extent_piece *piece, const double h[3], extent_piece out[3]) {
    int lone = (h[0] > 0) == (h[1] > 0) ? 2 : (h[0] > 0) == (h[2] > 0) ? 1 : 0; /* alone on its side */
    int i = (lone + 1) % 3, k = (lone + 2) % 3;
    cm__point at_i = cm__point_between(piece->v[lone], piece->v[i], h[lone] / (h[lone] - h[i]));
    cm__point at_k = cm__point_between(piece->v[lone], piece->v[k], h[lone] / (h[lone] - h[k]));
    uint32_t near_i = extent_corner(s, piece, at_i, piece->near[i]),
             near_k = extent_corner(s, piece, at_k, piece->near[k]);
    out[0] = out[1] = out[2] = *piece;
    out[0].v[i] = out[1].v[lone] = out[2].v[i] = at_i;
    out[0].v[k] = out[2].v[lone] = at_k;
    out[0].near[i] = out[1].near[lone] = out[2].near[i] = near_i;
    out[0].near[k] = out[2].near[lone] = near_k;
    return 3;
}

/* Nothing of the piece is farther from Y than this; `y` is the triangle closest to its center. Stops refining the
 * answer as soon as that is below `enough`. */
static double extent_upper(const extent_search *s, const extent_piece *piece, uint32_t y, double enough) {
    uint32_t near[4] = {y, piece->near[0], piece->near[1], piece->near[2]};
    double h[4][3], best = DBL_MAX, at_corner[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
    for (int k = 0; k < 4; ++k) {
        int same = 0;
        while (near[same] != near[k]) ++same;
        double most = 0;
        for (int i = 0; i < 3; ++i) {
            h[k][i] = same < k ? h[same][i] : extent_to_triangle(s, piece->v[i], near[k], NULL);
            most = wide_max(most, h[k][i]);
            at_corner[i] = wide_min(at_corner[i], h[k][i]);
        }
        best = wide_min(best, most);
        if (best <= enough) return best;
    }
    double corners = wide_max(at_corner[0], wide_max(at_corner[1], at_corner[2]));
    if (corners > enough) return best; /* it will have to be divided anyway */
    return wide_min(best, cm__highest_of_lowest(h) * (1 + 0x1p-40));
}

/* The piece's center; returns how far its corners are from it at most. */
static double extent_middle(const extent_piece *piece, cm__point *center) {
    cm__point sum = cm__point_add(cm__point_add(piece->v[0], piece->v[1]), piece->v[2]);
    double radius = 0;
    *center = cm__point_scale(sum, 1.0 / 3);
    for (int i = 0; i < 3; ++i) radius = wide_max(radius, cm__point_length(cm__point_sub(piece->v[i], *center)));
    return radius;
}

/* Divides a piece that is not settled: where it is inside X's own union, where it passes through Y, and then where it
 * is closest to several triangles of Y. `y` is the triangle closest to its center, at this distance. None is left where
 * all of it proves to be inside X, or not on the wanted side. */
static int extent_divide(extent_search *s, extent_piece *piece, cm__point center, double radius, double distance,
                         uint32_t y, extent_piece out[3]) {
    double h[3];
    if (piece->own == EXTENT_OWN_MIXED) {
        cm__point own[3];
        for (int i = 0; i < 3; ++i) own[i] = cm__affine_apply(&s->query->y_to_x, piece->v[i]);
        switch (cm__extent_relate(s->query->x, piece->triangle, own, &s->slack, h)) {
        case CM__EXTENT_CUT:
            return extent_cut(s, piece, h, out);
        case CM__EXTENT_MANY:
            return extent_halve(s, piece, out);
        default:
            break;
        }
        int bare = extent_is_boundary(s, piece, center);
        for (int i = 0; i < 3; ++i) bare += extent_is_boundary(s, piece, cm__point_between(center, piece->v[i], 0.5));
        if (bare == 0) return extent_wrong_side(s);
        if (bare < 4) return extent_halve(s, piece, out); /* another shell passes within the tolerance */
        piece->own = EXTENT_OWN_BOUNDARY;
    }
    if (!piece->one_sided && s->query->side != CM__SIDE_ANY) {
        if (!(distance > radius + s->slack.flush)) {
            switch (cm__extent_relate(s->query->y, CM_NONE, piece->v, &s->slack, h)) {
            case CM__EXTENT_FLUSH:
                return extent_wrong_side(s);
            case CM__EXTENT_CUT:
                return extent_cut(s, piece, h, out);
            case CM__EXTENT_MANY:
                return extent_halve(s, piece, out);
            case CM__EXTENT_CLEAR:
                break;
            }
        }
        if (distance > s->slack.flush) { /* closer than that, the center's side could be rounded away */
            if (!extent_side_is_wanted(s, center)) return extent_wrong_side(s);
            piece->one_sided = 1;
        }
    }
    const uint32_t near[4] = {y, piece->near[0], piece->near[1], piece->near[2]};
    if (cm__extent_seam(s->query->y, near, piece->v, h)) return extent_cut(s, piece, h, out);
    return extent_halve(s, piece, out);
}

/* Is the farthest point of a side of the sheet, which settles that side, no answer, since a triangle of the sheet is as
 * close to it as what was found? So is most of what ties, as a shaft all along its bearing: no search is needed. */
static bool extent_ties(const extent_search *s, const cm__sheet *sheet, int side, cm__point far) {
    if (sheet->far[side] + s->slack.flush > extent_settled(s)) return false;
    if (!extent_is_farther(s, extent_to_triangle(s, far, sheet->under[side], NULL))) return true;
    for (int k = 0; k < sheet->count; ++k)
        if (!extent_is_farther(s, extent_to_triangle(s, far, sheet->face[k], NULL))) return true;
    return false;
}

/* Where the piece is farthest from Y on either side of the sheet: a candidate for the answer, and how the winding
 * number tells the side of Y. Where Y is closest to the farther one of what may be wanted: *near and *along. */
static void extent_ask_sheet(extent_search *s, extent_piece *piece, const cm__sheet *sheet, bool unwanted[2],
                             uint32_t *near, cm__point *along) {
    double most = 0;
    for (int side = 0; side < 2; ++side) {
        unwanted[side] = false;
        if (!extent_is_farther(s, sheet->far[side])) continue;
        cm__point far = cm__sheet_point(piece->v, sheet->where[side]), nearest = far;
        uint32_t triangle = sheet->under[side];
        if (extent_ties(s, sheet, side, far)) continue;
        double distance = extent_nearest(s, far, &triangle, &nearest);
        unwanted[side] = distance > s->slack.flush && !extent_side_is_wanted(s, far);
        if (unwanted[side]) continue;
        extent_take(s, piece, far, nearest, triangle, distance);
        if (!(sheet->far[side] > most)) continue;
        most = sheet->far[side];
        *near = triangle;
        *along = cm__point_sub(far, nearest);
        if (cm__point_dot(*along, sheet->normal) < 0) *along = wide_neg(*along);
    }
}

/* No wanted point of the piece is farther from Y than this: by its distance from the sheet of Y's surface that is found
 * from the triangle *near, on either side of that. Where nothing else of Y is near the sheet, the winding number at
 * one point of a side is that of all of it, and what is not wanted does not count. The rim belongs to the point next to
 * it: where that does not count and the rim does, Y passes between them, so the rim is within its width of Y.
 * The sheet is seen along the normal of the triangle below the piece's center; then along the gap at the farthest
 * point, where its distance is exact; then halfway between, for a ridge of Y over which the piece lies. *begun: there
 * is such a triangle, to which the piece is not upright; then that is *near. */
static double extent_over_sheet(extent_search *s, extent_piece *piece, uint32_t *near, bool *begun) {
    const double rim = s->slack.flush;
    double least = DBL_MAX;
    uint32_t from = *near;
    cm__point along = cm__p(0, 0, 0), sum = along;
    for (int turn = 0; turn < 3; ++turn) {
        cm__sheet sheet;
        bool unwanted[2];
        if (turn == 2) along = sum;
        const bool covers = cm__sheet_below(s->query->y, from, turn > 0 ? &along : NULL, piece->v, rim,
                                            wide_max(s->out->value, s->query->floor), extent_settled(s) - rim, &sheet);
        if (turn == 0) *begun = sheet.begun;
        if (turn == 0 && sheet.begun) *near = sheet.face[0];
        if (!covers) break;
        sum = cm__point_add(sum, sheet.normal);
        extent_ask_sheet(s, piece, &sheet, unwanted, &from, &along);
        double most = wide_max(sheet.far[0], sheet.far[1]) + rim;
        double counted = wide_max(unwanted[0] ? 0 : sheet.far[0], unwanted[1] ? 0 : sheet.far[1]) + rim;
        least = wide_min(least, most);
        if (least <= extent_settled(s)) break;
        if (counted > extent_settled(s)) continue;
        if (!cm__sheet_is_alone(s->query->y, piece->v, rim, &sheet)) break;
        s->out->any_side = false;
        return counted;
    }
    return least;
}

/* Bounds a piece; what is left to look at comes back as up to three smaller ones. The whole triangle was held against
 * its sheet before; a part of it is, before anything else, where that may settle it. */
static int extent_visit(extent_search *s, extent_piece *piece, extent_piece out[3]) {
    uint32_t near = CM_NONE;
    double sheet = DBL_MAX;
    bool begun;
    if (extent_is_shallow(s, piece->v)) return extent_wrong_side(s);
    const bool again =
        piece->depth > 0 && cm__sheet_may_settle(s->query->y, piece->near, piece->v, extent_settled(s), &near);
    if (again) sheet = extent_over_sheet(s, piece, &near, &begun);
    if (sheet <= extent_settled(s)) return 0;
    cm__point center, nearest;
    double radius = extent_middle(piece, &center);
    nearest = center;
    uint32_t y = piece->near[0];
    double distance = extent_nearest(s, center, &y, &nearest);
    extent_offer(s, piece, center, nearest, y, distance);
    if (s->over) return 0;
    double settled = extent_settled(s);
    double upper = wide_min(wide_min(sheet, distance + radius), extent_upper(s, piece, y, settled));
    near = y;
    if (upper > settled && piece->depth > 0 && !again && distance <= settled)
        upper = wide_min(upper, extent_over_sheet(s, piece, &near, &begun));
    if (upper <= settled) return 0;
    if (piece->depth == EXTENT_DEPTH || s->evaluations > EXTENT_LIMIT || radius <= s->slack.flush) {
        s->out->bound = wide_max(s->out->bound, upper);
        return 0;
    }
    ++piece->depth;
    return extent_divide(s, piece, center, radius, distance, y, out);
}

/* A node of X's tree that is still to be looked at, or some of a leaf's triangles. */
typedef struct extent_node {
    uint32_t slot;         /* CM_NONE: some of a leaf's */
    uint32_t first, count; /* places of the triangles; 0 of them in a node of nodes */
    uint32_t near;         /* a triangle of Y close to it, or, if `stale`, to what it is part of */
    uint32_t settled;      /* bit i: the triangle at first + i is; of all else 0 */
    bool one_sided, stale;
    cm__point center;
    double distance, upper; /* of its center; of all of it at most */
} extent_node;

static void extent_search_triangle(extent_search *s, uint32_t triangle, extent_node *node) {
    extent_piece stack[EXTENT_STACK];
    extent_piece *first = &stack[0];
    extent_corners(s->query->x, triangle, first->v);
    for (int i = 0; i < 3; ++i) first->v[i] = cm__affine_apply(&s->query->x_to_y, first->v[i]);
    if (extent_is_shallow(s, first->v)) {
        extent_wrong_side(s);
        return;
    }
    first->triangle = triangle;
    first->depth = 0;
    first->one_sided = node->one_sided;
    first->own = EXTENT_OWN_UNKNOWN;
    uint32_t near = node->stale && s->last != CM_NONE ? s->last : node->near;
    bool begun;
    double sheet = extent_over_sheet(s, first, &near, &begun);
    if (!begun && sheet > extent_settled(s) && node->stale) { /* begun too far away */
        cm__point center, nearest;
        extent_middle(first, &center);
        near = node->near;
        extent_nearest(s, center, &near, &nearest);
        sheet = wide_min(sheet, extent_over_sheet(s, first, &near, &begun));
    }
    node->near = near;
    node->stale = false;
    s->last = sheet <= extent_settled(s) ? near : CM_NONE;
    if (s->last != CM_NONE) return; /* most triangles go here */
    for (int i = 0; i < 3; ++i) first->near[i] = near;
    for (int i = 0; i < 3; ++i) first->near[i] = extent_corner(s, first, first->v[i], node->near);
    int top = 1;
    while (top > 0 && !s->over) {
        extent_piece piece = stack[--top], part[3];
        int count = extent_visit(s, &piece, part);
        for (int i = 0; i < count; ++i) stack[top++] = part[i]; /* at most 2 stay behind a level: see EXTENT_STACK */
    }
}

double cm__mesh_distance_to(const cm_mesh *mesh, cm_vec3 point) {
    cm__extent_query query = {0};
    extent_search s = {0};
    query.y = mesh;
    s.query = &query;
    s.tree_y = cm__mesh_tree(mesh);
    uint32_t triangle = CM_NONE;
    cm__point nearest;
    return extent_nearest(&s, cm__point_of(point), &triangle, &nearest);
}

static void extent_box_of_node(const extent_search *s, const extent_node *node, cm__point *center, cm__point *half) {
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
 * is told by the triangle before. */
static bool extent_visit_node(extent_search *s, extent_node *node) {
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
        const double deepest = extent_deepest(s, low, high);
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
    node->distance = extent_near(s, center, share, &node->near, &nearest);
    node->upper = node->distance + radius;
    if (node->upper <= settled) return false;
    if (!node->one_sided && node->distance * share > radius + s->slack.flush) {
        if (!extent_side_is_wanted(s, center)) return extent_wrong_side(s);
        node->one_sided = true;
    }
    return true;
}

/* The child k, 0 to 3, of a node of nodes, or, 0 or 1, the half of a leaf; false where there is none. */
static bool extent_child(const extent_search *s, const extent_node *node, uint32_t k, extent_node *out) {
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

/* Of the children that are leaves: the triangles that are settled together. */
static void extent_move_leaves(extent_search *s, extent_node *child, int count) {
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
    cm__extent_moved(&s->moves, leaf, leaves, extent_settled(s), s->query->side == CM__SIDE_OUTSIDE, settled);
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

static bool extent_is_settled(const extent_node *node) {
    const uint32_t all = (1u << node->count) - 1;
    return node->count > 0 && (node->settled & all) == all;
}

/* The children of a node that are worth a look; the farthest from Y comes next: what it shows spares the others. */
static int extent_push_children(extent_search *s, extent_node *node, extent_node *stack, int top) {
    const int bottom = top;
    extent_node child[4];
    int count = 0;
    if (node->settled == 0) extent_move_leaves(s, node, 1); /* a leaf alone: its neighbors may have been in its way */
    if (extent_is_settled(node)) return top;
    for (uint32_t k = 0; k < 4; ++k) count += extent_child(s, node, k, &child[count]);
    if (node->count == 0) extent_move_leaves(s, child, count);
    for (int k = 0; k < count; ++k) {
        if (extent_is_settled(&child[k]) || !extent_visit_node(s, &child[k])) continue;
        int at = top++;
        for (; at > bottom && stack[at - 1].distance > child[k].distance; --at) stack[at] = stack[at - 1];
        stack[at] = child[k];
    }
    return top;
}

void cm__mesh_extent(const cm__extent_query *query, cm__extent *out) {
    extent_search s;
    s.query = query;
    s.out = out;
    s.tree_x = cm__mesh_tree(query->x);
    s.tree_y = cm__mesh_tree(query->y);
    s.x_is_solid = query->x->info.solid;
    s.may_move = query->y->info.solid && query->side != CM__SIDE_ANY;
    if (s.may_move) cm__extent_moves_open(query->x, query->y, &query->x_to_y, &s.moves);
    const cm_aabb *box_x = &query->x->info.bounds, *box_y = &query->y->info.bounds;
    double coordinate = (double)cm_max(cm_max(cm_largest(box_x->min), cm_largest(box_x->max)),
                                       cm_max(cm_largest(box_y->min), cm_largest(box_y->max)));
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

    extent_node stack[CM__BVH_STACK + EXTENT_LEAF_STACK];
    int top = 0;
    stack[0].slot = 0;
    stack[0].first = s.tree_x.nodes[0].child[0], stack[0].count = s.tree_x.nodes[0].count[0];
    stack[0].near = CM_NONE;
    stack[0].stale = false;
    stack[0].settled = 0;
    stack[0].center = cm__p(0, 0, 0);
    stack[0].distance = DBL_MAX;
    stack[0].one_sided = query->side == CM__SIDE_ANY || query->one_sided;
    if (extent_visit_node(&s, &stack[0])) top = 1;
    while (top > 0 && !s.over) {
        extent_node node = stack[--top];
        if (node.upper <= extent_settled(&s)) continue;
        if (node.count == 0 || node.count > EXTENT_TOGETHER) {
            top = extent_push_children(&s, &node, stack, top);
            continue;
        }
        for (uint32_t i = node.first; i < node.first + node.count && !s.over; ++i)
            if (!(node.settled >> (i - node.first) & 1u)) extent_search_triangle(&s, s.tree_x.items[i], &node);
    }
    out->evaluations = s.evaluations;
    out->bound = s.over ? DBL_MAX : wide_max(out->bound, extent_settled(&s));
}
