/* The farthest that the surface of mesh X lies from the surface of mesh Y, over the points of X that are inside the
 * solid Y (the reach of the design), outside it, or over all (the one-sided Hausdorff distance).
 *
 * Guarantee: `value` is attained at `point`: a lower bound of the true supremum. Nothing on the wanted side is farther
 * than `bound`, up to `tolerance`; bound <= 1.001 max(value, floor), unless the search was told to stop or met
 * EXTENT_LIMIT evaluations. Everything is computed in Y's frame, in double.
 *
 * Branch and bound. X's tree, then its triangles, then pieces of them are visited depth first; of each piece:
 * - the distance at its center is a lower bound (if the center is on the wanted side); plus the piece's radius, an
 * upper one, since distance changes no faster than the point moves;
 * - the distance to one fixed triangle of Y is convex over the piece, so its largest value at the three corners bounds
 *   the distance to Y from above, and converges with the square of the piece's size where surfaces lie parallel.
 * What lies on both sides of Y's surface would never settle where surfaces touch: the part beyond the rim of a shared
 * face is on the wrong side but arbitrarily close. Therefore a piece that meets few triangles of Y is cut along their
 * planes until each piece is on one side of every triangle that it meets; then one winding number tells its side.
 * A point of X only counts as surface where exactly one side of it is outside X: what overlapping shells of X enclose
 * is interior of the union.
 *
 * Based on: [TangLeeKim09] for Hausdorff distance by bounds over a tree; the cutting is our own. */
#include "pair/mesh_extent.h"

#include "bvh/bvh.h"
#include "math/closest.h"
#include "mesh/mesh.h"

#include <math.h>

enum {
    EXTENT_LIMIT = 200000, /* distance evaluations: under a second */
    EXTENT_DEPTH = 96,     /* halvings and cuts of one triangle; halving 96 times passes below double's resolution */
    EXTENT_STACK = 3 * EXTENT_DEPTH,
    EXTENT_FEW = 8 /* a piece that meets more triangles of Y than these is halved before it is cut */
};

#define EXTENT_RELATIVE 1e-3

static double extent_larger(double a, double b) { return a > b ? a : b; }
static double extent_smaller(double a, double b) { return a < b ? a : b; }

typedef struct extent_piece {
    cm__point v[3];
    uint32_t triangle; /* of X */
    uint32_t hint;     /* a triangle of Y that was close to the parent */
    uint8_t depth;
    uint8_t one_sided; /* lies wholly on the wanted side */
    uint8_t internal;  /* halvings since it was found to lie within X's own union */
} extent_piece;

typedef struct extent_search {
    const cm__extent_query *query;
    cm__extent *out;
    cm__bvh tree_x, tree_y;
    bool x_is_solid;
    double cut; /* planes are cut only where the piece reaches this far beyond on both sides */
    int evaluations;
    bool over;
} extent_search;

static void extent_corners(const cm_mesh *mesh, uint32_t triangle, cm__point out[3]) {
    cm_triangle t = cm__mesh_triangle(mesh, triangle);
    out[0] = cm__point_of(t.a), out[1] = cm__point_of(t.b), out[2] = cm__point_of(t.c);
}

/* Distance from p to triangle `t` of Y. */
static double extent_to_triangle(const extent_search *s, cm__point p, uint32_t t, cm__point *nearest) {
    cm__point y[3];
    cm__closest_on_triangle c;
    extent_corners(s->query->y, t, y);
    cm__closest_point_triangle(p, y[0], y[1], y[2], &c);
    if (nearest) *nearest = c.point;
    return cm__point_length(c.gap);
}

/* Distance from p to Y's surface; *triangle is a hint on entry (or CM_NONE), the closest triangle on return. */
static double extent_nearest(extent_search *s, cm__point p, uint32_t *triangle, cm__point *nearest) {
    ++s->evaluations;
    double best = DBL_MAX;
    if (*triangle != CM_NONE) best = extent_to_triangle(s, p, *triangle, nearest);
    double slack = cm__point_largest(p) * (double)CM_REAL_EPSILON; /* p itself is rounded for the tree */
    cm__bvh_near_query q;
    cm__bvh_leaf leaf;
    cm__bvh_near_start(&q, &s->tree_y, cm__vec3_of(p));
    for (;;) {
        double bound = best + slack;
        if (!cm__bvh_near_next(&q, bound < (double)CM_REAL_MAX ? (cm_real)bound : CM_REAL_MAX, &leaf)) return best;
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            cm__point at;
            double d = extent_to_triangle(s, p, s->tree_y.items[i], &at);
            if (d < best) {
                best = d;
                *triangle = s->tree_y.items[i];
                *nearest = at;
            }
        }
    }
}

static bool extent_side_is_wanted(const extent_search *s, cm__point p) {
    if (s->query->side == CM__ANY_SIDE) return true;
    bool inside = cm_mesh_winding(s->query->y, cm__vec3_of(p), NULL) != 0;
    return inside == (s->query->side == CM__INSIDE);
}

/* Is the point p of X's triangle on the boundary of the union that X's shells enclose? */
static bool extent_is_boundary(const extent_search *s, const extent_piece *piece, cm__point p) {
    if (!s->x_is_solid || s->query->side != CM__INSIDE) return true;
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
    double value = s->out->value * (1 + EXTENT_RELATIVE);
    return value > s->query->floor ? value : s->query->floor;
}

/* Takes p as the farthest so far, where it is; false where it would be, but lies inside X's own union. */
static bool extent_offer(extent_search *s, const extent_piece *piece, cm__point p, cm__point nearest, uint32_t y,
                         double distance) {
    if (!(distance > s->out->value) || !(distance > s->query->floor)) return true;
    if (!piece->one_sided && !extent_side_is_wanted(s, p)) return true;
    if (!extent_is_boundary(s, piece, p)) return false;
    s->out->value = distance;
    s->out->point = p;
    s->out->nearest = nearest;
    s->out->triangle_x = piece->triangle;
    s->out->triangle_y = y;
    if (distance > s->query->stop) s->over = true;
    return true;
}

/* The piece's heights over the plane of triangle `y`; false where that has no area. */
static bool extent_heights(const extent_piece *piece, const cm__point y[3], double height[3]) {
    cm__point n = cm__point_cross(cm__point_sub(y[1], y[0]), cm__point_sub(y[2], y[0]));
    double length = cm__point_length(n);
    if (!(length > 0)) return false;
    for (int i = 0; i < 3; ++i) height[i] = cm__point_dot(n, cm__point_sub(piece->v[i], y[0])) / length;
    return true;
}

/* How far the piece passes through triangle `t` of Y: the smaller of its heights on both sides of the plane, where the
 * line of the piece in that plane comes within `cut` of the triangle; otherwise 0. */
static double extent_passes_through(const extent_search *s, const extent_piece *piece, uint32_t t) {
    cm__point y[3], cross[3];
    double h[3];
    extent_corners(s->query->y, t, y);
    if (!extent_heights(piece, y, h)) return 0;
    double above = extent_larger(h[0], extent_larger(h[1], h[2])),
           below = -extent_smaller(h[0], extent_smaller(h[1], h[2]));
    double through = extent_smaller(above, below);
    if (!(through > s->cut)) return 0;
    int count = 0;
    for (int i = 0; i < 3 && count < 2; ++i) {
        int k = (i + 1) % 3;
        if (h[i] == 0) {
            cross[count++] = piece->v[i];
        } else if ((h[i] > 0) != (h[k] > 0) && h[k] != 0) {
            cross[count++] = cm__point_between(piece->v[i], piece->v[k], h[i] / (h[i] - h[k]));
        }
    }
    if (count < 2) return 0;
    double best = DBL_MAX;
    cm__closest_on_triangle c;
    for (int i = 0; i < 2; ++i) {
        cm__closest_point_triangle(cross[i], y[0], y[1], y[2], &c);
        best = extent_smaller(best, c.square);
    }
    for (int i = 0; i < 3; ++i)
        best = extent_smaller(best, cm__closest_segment_segment(cross[0], cross[1], y[i], y[(i + 1) % 3]).square);
    return best <= s->cut * s->cut ? through : 0;
}

/* How many triangles of Y the piece passes through (at most EXTENT_FEW + 1 are counted), and the one to cut along: the
 * one with most of the piece on both sides. */
static int extent_find_cut(const extent_search *s, const extent_piece *piece, uint32_t *cut) {
    cm_aabb box = cm_aabb_empty();
    for (int i = 0; i < 3; ++i) box = cm_aabb_add_point(box, cm__vec3_of(piece->v[i]));
    cm_vec3 reach = cm_vec3_max(cm_vec3_abs(box.min), cm_vec3_abs(box.max));
    box = cm_aabb_grow(box, (cm_real)s->cut + 4 * CM_REAL_EPSILON * cm_largest(reach));
    int count = 0;
    double most = 0;
    cm__bvh_box_query q;
    cm__bvh_leaf leaf;
    cm__bvh_box_start(&q, &s->tree_y, &box);
    while (cm__bvh_box_next(&q, &leaf)) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            double through = extent_passes_through(s, piece, s->tree_y.items[i]);
            if (!(through > 0)) continue;
            if (through > most) {
                most = through;
                *cut = s->tree_y.items[i];
            }
            if (++count > EXTENT_FEW) return count;
        }
    }
    return count;
}

static int extent_halve(const extent_piece *piece, extent_piece out[3]) {
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
    out[0] = out[1] = *piece;
    out[0].v[next] = middle;
    out[1].v[longest] = middle;
    return 2;
}

/* Cuts the piece along the plane of Y's triangle `t`, which passes through it: a corner, and a quadrangle as two. */
static int extent_cut(const extent_search *s, const extent_piece *piece, uint32_t t, extent_piece out[3]) {
    cm__point y[3];
    double h[3];
    extent_corners(s->query->y, t, y);
    if (!extent_heights(piece, y, h)) return extent_halve(piece, out);
    int lone = (h[0] > 0) == (h[1] > 0) ? 2 : (h[0] > 0) == (h[2] > 0) ? 1 : 0; /* alone on its side */
    int i = (lone + 1) % 3, k = (lone + 2) % 3;
    cm__point at_i = cm__point_between(piece->v[lone], piece->v[i], h[lone] / (h[lone] - h[i]));
    cm__point at_k = cm__point_between(piece->v[lone], piece->v[k], h[lone] / (h[lone] - h[k]));
    out[0] = out[1] = out[2] = *piece;
    out[0].v[i] = at_i, out[0].v[k] = at_k;
    out[1].v[lone] = at_i;
    out[2].v[lone] = at_k, out[2].v[i] = at_i;
    return 3;
}

/* The farthest of the piece's corners and center from Y: the safest place to ask for its side. */
static cm__point extent_farthest_sample(extent_search *s, const extent_piece *piece, cm__point center,
                                        double at_center) {
    cm__point sample = center, nearest;
    double most = at_center;
    for (int i = 0; i < 3; ++i) {
        /* halfway to the corner: a corner itself may stand on the surface */
        cm__point p = cm__point_between(center, piece->v[i], 0.5);
        uint32_t triangle = piece->hint;
        double d = extent_nearest(s, p, &triangle, &nearest);
        if (d > most) {
            most = d;
            sample = p;
        }
    }
    return sample;
}

/* Bounds a piece; what is left to look at comes back as up to three smaller ones. */
static int extent_visit(extent_search *s, const extent_piece *given, extent_piece out[3]) {
    extent_piece piece = *given;
    cm__point sum = cm__point_add(cm__point_add(piece.v[0], piece.v[1]), piece.v[2]);
    cm__point center = cm__point_scale(sum, 1.0 / 3), nearest = center;
    double radius = 0;
    for (int i = 0; i < 3; ++i) radius = extent_larger(radius, cm__point_length(cm__point_sub(piece.v[i], center)));

    uint32_t y = piece.hint;
    double distance = extent_nearest(s, center, &y, &nearest);
    bool boundary = extent_offer(s, &piece, center, nearest, y, distance);
    if (s->over) return 0;

    double upper = distance + radius;
    uint32_t candidate[2] = {y, piece.hint};
    for (int k = 0; k < 2; ++k) {
        if (candidate[k] == CM_NONE || (k == 1 && candidate[1] == candidate[0])) continue;
        double most = 0;
        for (int i = 0; i < 3; ++i) most = extent_larger(most, extent_to_triangle(s, piece.v[i], candidate[k], NULL));
        upper = extent_smaller(upper, most);
    }
    piece.hint = y;
    if (upper <= extent_settled(s)) return 0;

    if (piece.depth == 0) { /* corners reach farthest most often: a good bound early spares work */
        for (int i = 0; i < 3; ++i) {
            uint32_t triangle = y;
            double d = extent_nearest(s, piece.v[i], &triangle, &nearest);
            extent_offer(s, &piece, piece.v[i], nearest, triangle, d);
            if (s->over) return 0;
        }
    }
    if (piece.depth == EXTENT_DEPTH || s->evaluations > EXTENT_LIMIT) {
        s->out->bound = extent_larger(s->out->bound, upper);
        return 0;
    }
    if (piece.internal || !boundary) {
        if (++piece.internal > 8) return 0;
    }
    ++piece.depth;
    if (!piece.one_sided && s->query->side != CM__ANY_SIDE) {
        uint32_t cut = CM_NONE;
        int through = distance > radius ? 0 : extent_find_cut(s, &piece, &cut);
        if (through > EXTENT_FEW) return extent_halve(&piece, out);
        if (through > 0) return extent_cut(s, &piece, cut, out);
        if (!extent_side_is_wanted(s, distance > radius ? center : extent_farthest_sample(s, &piece, center, distance)))
            return 0;
        piece.one_sided = 1;
    }
    return extent_halve(&piece, out);
}

static void extent_search_triangle(extent_search *s, uint32_t triangle, bool one_sided) {
    extent_piece stack[EXTENT_STACK];
    extent_piece *first = &stack[0];
    extent_corners(s->query->x, triangle, first->v);
    for (int i = 0; i < 3; ++i) first->v[i] = cm__affine_apply(&s->query->x_to_y, first->v[i]);
    first->triangle = triangle;
    first->hint = CM_NONE;
    first->depth = 0;
    first->one_sided = one_sided;
    first->internal = 0;
    int top = 1;
    while (top > 0 && !s->over) {
        extent_piece piece = stack[--top], part[3];
        int count = extent_visit(s, &piece, part);
        for (int i = 0; i < count; ++i) stack[top++] = part[i]; /* at most 2 stay behind a level: see EXTENT_STACK */
    }
}

void cm__mesh_extent(const cm__extent_query *query, cm__extent *out) {
    extent_search s;
    s.query = query;
    s.out = out;
    s.tree_x = cm__mesh_tree(query->x);
    s.tree_y = cm__mesh_tree(query->y);
    s.x_is_solid = query->x->info.solid;
    s.cut = query->tolerance / 4;
    s.evaluations = 0;
    s.over = false;
    out->value = 0;
    out->bound = 0;
    out->point = out->nearest = cm__p(0, 0, 0);
    out->triangle_x = out->triangle_y = CM_NONE;

    struct {
        uint32_t slot;
        bool one_sided;
    } stack[CM__BVH_STACK];
    int top = 0;
    stack[top].slot = 0;
    stack[top++].one_sided = query->side == CM__ANY_SIDE;
    while (top > 0 && !s.over) {
        uint32_t slot = stack[--top].slot;
        bool one_sided = stack[top].one_sided;
        const cm__bvh_node *node = &s.tree_x.nodes[slot / 4];
        uint32_t lane = slot % 4;
        cm__point local = cm__p(s.tree_x.origin[0] + (double)node->center[0][lane] / s.tree_x.scale,
                                s.tree_x.origin[1] + (double)node->center[1][lane] / s.tree_x.scale,
                                s.tree_x.origin[2] + (double)node->center[2][lane] / s.tree_x.scale);
        cm__point center = cm__affine_apply(&query->x_to_y, local), nearest;
        double radius = 1.001 *
                        cm__point_length(cm__p((double)node->half[0][lane], (double)node->half[1][lane],
                                               (double)node->half[2][lane])) /
                        s.tree_x.scale;
        uint32_t y = CM_NONE;
        double distance = extent_nearest(&s, center, &y, &nearest);
        if (distance + radius <= extent_settled(&s)) continue;
        if (!one_sided && distance > radius) {
            if (!extent_side_is_wanted(&s, center)) continue;
            one_sided = true;
        }
        if (node->count[lane] > 0) {
            for (uint32_t i = 0; i < node->count[lane] && !s.over; ++i)
                extent_search_triangle(&s, s.tree_x.items[node->child[lane] + i], one_sided);
            continue;
        }
        for (uint32_t k = 0; k < 4; ++k) {
            const cm__bvh_node *child = &s.tree_x.nodes[node->child[lane]];
            if (child->half[0][k] < 0) continue;
            stack[top].slot = node->child[lane] * 4 + k;
            stack[top++].one_sided = one_sided;
        }
    }
    double settled = extent_settled(&s);
    if (s.over) settled = DBL_MAX;
    out->bound = extent_larger(out->bound, settled);
}
