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
 * - the distance to one fixed triangle of Y is convex over the piece, so it lies below the plane through its values at
 *   the three corners; the lowest of four such planes (of the triangles closest to the corners and the center) bounds
 * the distance to Y. Its highest point bounds all of the piece, and converges with the square of the piece's size, also
 *   along the ridges where two or three triangles of Y are equally close.
 * What lies on both sides of Y's surface would never settle where surfaces touch: the part beyond the rim of a shared
 * face is on the wrong side but arbitrarily close. Therefore a piece that meets few triangles of Y is cut along their
 * planes until each piece is on one side of every triangle that it meets; then one winding number tells its side.
 * What is on the wanted side, but closest to several triangles of Y, is cut where these meet.
 * A point of X only counts as surface where exactly one side of it is outside X: what overlapping shells of X enclose
 * is interior of the union.
 *
 * Based on: [TangLeeKim09] for Hausdorff distance by bounds over a tree; the cutting is our own. */
#include "pair/mesh_extent.h"

#include "pair/extent_bounds.h"

#include "bvh/bvh.h"
#include "math/closest.h"
#include "math/wide.h"
#include "mesh/mesh.h"

#include <math.h>

enum {
    EXTENT_LIMIT = 200000, /* distance evaluations: under a second */
    EXTENT_DEPTH = 96,     /* halvings and cuts of one triangle; halving 96 times passes below double's resolution */
    EXTENT_STACK = 3 * EXTENT_DEPTH,
    EXTENT_FEW = 8 /* a piece that meets more triangles of Y than these is halved before it is cut */
};

#define EXTENT_RELATIVE 1e-3

typedef struct extent_piece {
    cm__point v[3];
    uint32_t near[3];  /* the triangles of Y closest to the corners */
    uint32_t triangle; /* of X */
    uint8_t depth;
    uint8_t one_sided; /* lies wholly on the wanted side */
    uint8_t internal;  /* halvings since it was found to lie within X's own union */
} extent_piece;

typedef struct extent_plane {
    cm__point at, normal; /* unit */
} extent_plane;

typedef struct extent_search {
    const cm__extent_query *query;
    cm__extent *out;
    cm__bvh tree_x, tree_y;
    const cm__face *faces_y; /* by place */
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
            const cm_vec3 *y = s->faces_y[i].corner;
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

static bool extent_side_is_wanted(const extent_search *s, cm__point p) {
    if (s->query->side == CM__SIDE_ANY) return true;
    bool inside = cm_mesh_winding(s->query->y, cm__vec3_of(p), NULL) != 0;
    return inside == (s->query->side == CM__SIDE_WITHIN);
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

/* The plane of a triangle; false where that has no area. */
static bool extent_plane_of(const cm__point y[3], extent_plane *out) {
    cm__point n = cm__point_cross(cm__point_sub(y[1], y[0]), cm__point_sub(y[2], y[0]));
    double length = cm__point_length(n);
    if (!(length > 0)) return false;
    out->at = y[0];
    out->normal = cm__point_scale(n, 1 / length);
    return true;
}

/* How far the piece extends beyond the plane, on the side where that is less; negative where it does not. */
static double extent_heights(const extent_piece *piece, const extent_plane *plane, double height[3]) {
    for (int i = 0; i < 3; ++i) height[i] = cm__point_dot(plane->normal, cm__point_sub(piece->v[i], plane->at));
    double above = wide_max(height[0], wide_max(height[1], height[2]));
    double below = -wide_min(height[0], wide_min(height[1], height[2]));
    return wide_min(above, below);
}

/* How far the piece passes through triangle `t` of Y: the smaller of its heights on both sides of the plane, where the
 * line of the piece in that plane comes within `cut` of the triangle; otherwise 0. */
static double extent_passes_through(const extent_search *s, const extent_piece *piece, uint32_t t) {
    cm__point y[3], cross[3];
    extent_plane plane;
    double h[3];
    extent_corners(s->query->y, t, y);
    if (!extent_plane_of(y, &plane)) return 0;
    double through = extent_heights(piece, &plane, h);
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
        best = wide_min(best, c.square);
    }
    for (int i = 0; i < 3; ++i)
        best = wide_min(best, cm__closest_segment_segment(cross[0], cross[1], y[i], y[(i + 1) % 3]).square);
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

/* A new corner of a piece: its closest triangle, and maybe the farthest point so far. */
static uint32_t extent_corner(extent_search *s, const extent_piece *piece, cm__point p, uint32_t hint) {
    cm__point nearest = p;
    double distance = extent_nearest(s, p, &hint, &nearest);
    extent_offer(s, piece, p, nearest, hint, distance);
    return hint;
}

static int extent_halve(extent_search *s, const extent_piece *piece, extent_piece out[3]) {
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

/* Cuts the piece, which reaches to both sides of the plane: a corner, and a quadrangle as two. */
static int extent_cut(extent_search *s, const extent_piece *piece, const extent_plane *plane, extent_piece out[3]) {
    double h[3];
    extent_heights(piece, plane, h);
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

/* The farthest of the piece's corners and center from Y: the safest place to ask for its side. */
static cm__point extent_farthest_sample(extent_search *s, const extent_piece *piece, cm__point center,
                                        double at_center) {
    cm__point sample = center, nearest;
    double most = at_center;
    for (int i = 0; i < 3; ++i) {
        /* halfway to the corner: a corner itself may stand on the surface */
        cm__point p = cm__point_between(center, piece->v[i], 0.5);
        uint32_t triangle = piece->near[i];
        double d = extent_nearest(s, p, &triangle, &nearest);
        if (d > most) {
            most = d;
            sample = p;
        }
    }
    return sample;
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

/* Where the piece lies over a flat face of Y that is cut into many triangles, no single one of them bounds it well, and
 * all of them together do at once. From the triangle below the piece's center the face is followed across every edge
 * that runs below the piece, as long as it stays flat, and the same side up. If no edge below the piece ends it, the
 * piece stands over the face, and is no farther from it than its height. Everything up to `cut` is let pass, and added:
 * unevenness, and hanging over the rim. DBL_MAX where there is no such face. */
static double extent_over_face(const extent_search *s, const extent_piece *piece, cm__point center, uint32_t y) {
    enum { FACE_LIMIT = 48 };
    uint32_t face[FACE_LIMIT];
    cm__point corner[3], normal[3], v[3];
    extent_plane plane;
    double h[3], uneven = 0;
    extent_corners(s->query->y, y, corner);
    if (!extent_plane_of(corner, &plane)) return DBL_MAX;
    for (int i = 0; i < 3; ++i) {
        cm__point edge = cm__point_sub(corner[(i + 1) % 3], corner[i]);
        if (cm__point_dot(cm__point_cross(plane.normal, edge), cm__point_sub(center, corner[i])) < 0) return DBL_MAX;
    }
    extent_heights(piece, &plane, h);
    for (int i = 0; i < 3; ++i) v[i] = cm__point_mul_add(piece->v[i], -h[i], plane.normal);
    cm__point area = cm__point_cross(cm__point_sub(v[1], v[0]), cm__point_sub(v[2], v[0]));
    double turn = cm__point_dot(area, plane.normal) < 0 ? -1 : 1;
    for (int i = 0; i < 3; ++i) {
        normal[i] = cm__point_cross(plane.normal, cm__point_sub(v[(i + 1) % 3], v[i]));
        double length = cm__point_length(normal[i]);
        if (!(length > 0)) return DBL_MAX;
        normal[i] = cm__point_scale(normal[i], turn / length);
    }
    int count = 1;
    face[0] = y;
    for (int k = 0; k < count; ++k) {
        extent_corners(s->query->y, face[k], corner);
        for (int e = 0; e < 3; ++e) {
            if (!cm__enters_triangle(v, normal, corner[e], corner[(e + 1) % 3], s->cut)) continue;
            uint32_t across = cm__mesh_neighbors(s->query->y)[3 * (size_t)face[k] + (size_t)e];
            if (across == CM_NONE || count == FACE_LIMIT) return DBL_MAX;
            across /= 3;
            int known = 0;
            while (known < count && face[known] != across) ++known;
            if (known < count) continue;
            cm__point next[3];
            extent_corners(s->query->y, across, next);
            for (int i = 0; i < 3; ++i)
                uneven = wide_max(uneven, fabs(cm__point_dot(plane.normal, cm__point_sub(next[i], plane.at))));
            cm__point up = cm__point_cross(cm__point_sub(next[1], next[0]), cm__point_sub(next[2], next[0]));
            if (uneven > s->cut || !(cm__point_dot(up, plane.normal) > 0)) return DBL_MAX;
            face[count++] = across;
        }
    }
    double most = wide_max(fabs(h[0]), wide_max(fabs(h[1]), fabs(h[2])));
    return most + uneven + s->cut;
}

/* Two triangles of Y with a common edge: the plane that halves the angle between them. Points on either side of it are
 * closer to the one or to the other. */
static bool extent_bisector(const extent_search *s, uint32_t p, uint32_t q, extent_plane *out) {
    const uint32_t *corner = cm__mesh_corners(s->query->y);
    uint32_t common[3];
    int count = 0;
    for (int i = 0; i < 9 && count < 3; ++i)
        if (corner[3 * (size_t)p + (size_t)i / 3] == corner[3 * (size_t)q + (size_t)i % 3])
            common[count++] = corner[3 * (size_t)p + (size_t)i / 3];
    if (count != 2) return false;
    cm__point y[3];
    extent_plane of_p, of_q;
    extent_corners(s->query->y, p, y);
    if (!extent_plane_of(y, &of_p)) return false;
    extent_corners(s->query->y, q, y);
    if (!extent_plane_of(y, &of_q)) return false;
    const cm_vec3 *points = cm__mesh_points(s->query->y);
    cm__point a = cm__point_of(points[common[0]]), b = cm__point_of(points[common[1]]);
    cm__point normal = cm__point_cross(cm__point_sub(b, a), cm__point_add(of_p.normal, of_q.normal));
    double length = cm__point_length(normal);
    if (!(length > 0)) return false;
    out->at = a;
    out->normal = cm__point_scale(normal, 1 / length);
    return true;
}

/* Where the triangles closest to the piece's corners share edges, the piece is best divided there: then each part is
 * closest to one triangle, and bounded exactly, however shallow it lies beneath. Halving would have to go down to the
 * depth's own size first, all along the edge. */
static bool extent_find_seam(const extent_search *s, const extent_piece *piece, uint32_t y, extent_plane *out) {
    uint32_t near[4] = {y, piece->near[0], piece->near[1], piece->near[2]};
    double most = 0, size = cm__point_length(cm__point_sub(piece->v[1], piece->v[0])), h[3];
    for (int k = 1; k < 4; ++k) {
        for (int l = 0; l < k; ++l) {
            extent_plane plane;
            if (near[k] == near[l] || !extent_bisector(s, near[k], near[l], &plane)) continue;
            double through = extent_heights(piece, &plane, h);
            if (!(through > most && through > 1e-9 * size)) continue;
            most = through;
            *out = plane;
        }
    }
    return most > 0;
}

/* Bounds a piece; what is left to look at comes back as up to three smaller ones. */
static int extent_visit(extent_search *s, extent_piece *piece, extent_piece out[3]) {
    cm__point sum = cm__point_add(cm__point_add(piece->v[0], piece->v[1]), piece->v[2]);
    cm__point center = cm__point_scale(sum, 1.0 / 3), nearest = center;
    double radius = 0;
    for (int i = 0; i < 3; ++i) radius = wide_max(radius, cm__point_length(cm__point_sub(piece->v[i], center)));

    uint32_t y = piece->near[0];
    double distance = extent_nearest(s, center, &y, &nearest);
    bool boundary = extent_offer(s, piece, center, nearest, y, distance);
    if (s->over) return 0;
    double settled = extent_settled(s);
    double upper = wide_min(distance + radius, extent_upper(s, piece, y, settled));
    if (upper > settled && distance <= settled) upper = wide_min(upper, extent_over_face(s, piece, center, y));
    if (upper <= settled) return 0;
    if (piece->depth == EXTENT_DEPTH || s->evaluations > EXTENT_LIMIT) {
        s->out->bound = wide_max(s->out->bound, upper);
        return 0;
    }
    if ((piece->internal || !boundary) && ++piece->internal > 8) return 0;
    ++piece->depth;
    if (!piece->one_sided && s->query->side != CM__SIDE_ANY) {
        uint32_t cut = CM_NONE;
        int through = distance > radius ? 0 : extent_find_cut(s, piece, &cut);
        if (through > EXTENT_FEW) return extent_halve(s, piece, out);
        if (through > 0) {
            cm__point corners[3];
            extent_plane plane;
            extent_corners(s->query->y, cut, corners);
            extent_plane_of(corners, &plane); /* it has an area: it was passed through */
            return extent_cut(s, piece, &plane, out);
        }
        if (!extent_side_is_wanted(s, distance > radius ? center : extent_farthest_sample(s, piece, center, distance)))
            return 0;
        piece->one_sided = 1;
    }
    extent_plane seam;
    if (extent_find_seam(s, piece, y, &seam)) return extent_cut(s, piece, &seam, out);
    return extent_halve(s, piece, out);
}

/* A node of X's tree that is still to be looked at. */
typedef struct extent_node {
    uint32_t slot;
    uint32_t near; /* a triangle of Y close to its parent */
    bool one_sided;
} extent_node;

static void extent_search_triangle(extent_search *s, uint32_t triangle, const extent_node *node) {
    extent_piece stack[EXTENT_STACK];
    extent_piece *first = &stack[0];
    extent_corners(s->query->x, triangle, first->v);
    for (int i = 0; i < 3; ++i) first->v[i] = cm__affine_apply(&s->query->x_to_y, first->v[i]);
    first->triangle = triangle;
    first->depth = 0;
    first->one_sided = node->one_sided;
    first->internal = 0;
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
    s.faces_y = cm__mesh_faces(mesh);
    uint32_t triangle = CM_NONE;
    cm__point nearest;
    return extent_nearest(&s, cm__point_of(point), &triangle, &nearest);
}

/* Is the ball outside Y's box? */
static bool extent_is_clear(const extent_search *s, cm__point center, double radius) {
    const cm_aabb *box = &s->query->y->info.bounds;
    return center.x + radius < (double)box->min.x || center.x - radius > (double)box->max.x ||
           center.y + radius < (double)box->min.y || center.y - radius > (double)box->max.y ||
           center.z + radius < (double)box->min.z || center.z - radius > (double)box->max.z;
}

/* Bounds a node; false where nothing of it can be the farthest. Else its side and a close triangle are in *node. */
static bool extent_visit_node(extent_search *s, extent_node *node) {
    const cm__bvh *tree = &s->tree_x;
    const cm__bvh_node *of = &tree->nodes[node->slot / 4];
    uint32_t lane = node->slot % 4;
    double unit = 1 / tree->scale;
    cm__point half = cm__p((double)of->half[0][lane], (double)of->half[1][lane], (double)of->half[2][lane]);
    cm__point local = cm__p(tree->origin[0] + (double)of->center[0][lane] * unit,
                            tree->origin[1] + (double)of->center[1][lane] * unit,
                            tree->origin[2] + (double)of->center[2][lane] * unit);
    cm__point center = cm__affine_apply(&s->query->x_to_y, local), nearest = center;
    double radius = 1.001 * cm__point_length(half) * unit; /* 0.1 %: a rounded pose stretches by less */
    if (s->query->side == CM__SIDE_WITHIN && extent_is_clear(s, center, radius)) return false;
    double distance = extent_nearest(s, center, &node->near, &nearest);
    if (distance + radius <= extent_settled(s)) return false;
    if (!node->one_sided && distance > radius) {
        if (!extent_side_is_wanted(s, center)) return false;
        node->one_sided = true;
    }
    return true;
}

void cm__mesh_extent(const cm__extent_query *query, cm__extent *out) {
    extent_search s;
    s.query = query;
    s.out = out;
    s.tree_x = cm__mesh_tree(query->x);
    s.tree_y = cm__mesh_tree(query->y);
    s.faces_y = cm__mesh_faces(query->y);
    s.x_is_solid = query->x->info.solid;
    s.cut = query->tolerance / 4;
    s.evaluations = 0;
    s.over = false;
    out->value = 0;
    out->bound = 0;
    out->point = out->nearest = cm__p(0, 0, 0);
    out->triangle_x = out->triangle_y = CM_NONE;

    extent_node stack[CM__BVH_STACK];
    int top = 0;
    stack[top].slot = 0;
    stack[top].near = CM_NONE;
    stack[top++].one_sided = query->side == CM__SIDE_ANY;
    while (top > 0 && !s.over) {
        extent_node node = stack[--top];
        if (!extent_visit_node(&s, &node)) continue;
        const cm__bvh_node *of = &s.tree_x.nodes[node.slot / 4];
        uint32_t lane = node.slot % 4, first = of->child[lane];
        for (uint32_t i = first; i < first + of->count[lane] && !s.over; ++i)
            extent_search_triangle(&s, s.tree_x.items[i], &node);
        if (of->count[lane] > 0) continue;
        for (uint32_t k = 0; k < 4; ++k) {
            if (s.tree_x.nodes[first].half[0][k] < 0) continue;
            stack[top] = node;
            stack[top++].slot = first * 4 + k;
        }
    }
    out->bound = s.over ? DBL_MAX : wide_max(out->bound, extent_settled(&s));
}
