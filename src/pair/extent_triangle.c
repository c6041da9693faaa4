/* One triangle of X in the search of cm__mesh_extent: branch and bound over pieces of it, depth first. Each piece is
 * bounded by the distance at its center, by those at its corners, and by its height over Y's surface (extent_bounds.c);
 * what that does not settle is cut where it passes through X or Y, or where several triangles of Y are closest
 * (extent_cuts.c), or else halved. Head of mesh_extent.c: why each of these is a bound. */
#include "pair/extent_search.h"

#include "pair/extent.h"
#include "pair/extent_bounds.h"

enum {
    EXTENT_DEPTH = 96, /* halvings and cuts of one triangle; halving 96 times passes below double's resolution */
    EXTENT_STACK = 3 * EXTENT_DEPTH
};

/* What is known of a piece with respect to X itself. */
enum {
    EXTENT_OWN_UNKNOWN,
    EXTENT_OWN_MIXED,   /* some point of it lies inside X's own union: to be cut along X's other triangles */
    EXTENT_OWN_BOUNDARY /* it is on the boundary of the union, as far as was seen */
};

typedef struct extent_piece {
    cm__point v[3];
    uint32_t near[3];  /* the triangles of Y closest to the corners, */
    double far[3];     /* how far these are from them */
    uint32_t triangle; /* of X */
    uint8_t depth;
    uint8_t one_sided; /* lies wholly on the wanted side */
    uint8_t own;       /* EXTENT_OWN_… */
} extent_piece;

/* Takes p, on the wanted side, as the farthest so far, where it is and lies on the boundary of X's union. */
static void extent_take(cm__extent_search *s, extent_piece *piece, cm__point p, cm__point nearest, uint32_t y,
                        double distance) {
    if (!extent_is_farther(s, distance)) return;
    if (!cm__extent_is_boundary(s, piece->triangle, p)) {
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
static void extent_offer(cm__extent_search *s, extent_piece *piece, cm__point p, cm__point nearest, uint32_t y,
                         double distance) {
    if (extent_is_farther(s, distance) && cm__extent_side_is_wanted(s, p))
        extent_take(s, piece, p, nearest, y, distance);
}

/* A new corner of a piece: its closest triangle, how far that is, and maybe the farthest point so far. */
static uint32_t extent_corner(cm__extent_search *s, extent_piece *piece, cm__point p, uint32_t hint, double *far) {
    cm__point nearest = p;
    *far = extent_nearest(s, p, &hint, &nearest);
    extent_offer(s, piece, p, nearest, hint, *far);
    return hint;
}

static int extent_halve(cm__extent_search *s, extent_piece *piece, extent_piece out[3]) {
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
    double far;
    uint32_t near = extent_corner(s, piece, middle, piece->near[longest], &far);
    out[0] = out[1] = *piece;
    out[0].v[next] = out[1].v[longest] = middle;
    out[0].near[next] = out[1].near[longest] = near;
    out[0].far[next] = out[1].far[longest] = far;
    return 2;
}

/* Cuts the piece along a plane that it reaches beyond on both sides, given by the heights of its corners: a corner, and
 * a quadrangle as two. */
static int extent_cut(cm__extent_search *s, extent_piece *piece, const double h[3], extent_piece out[3]) {
    int lone = (h[0] > 0) == (h[1] > 0) ? 2 : (h[0] > 0) == (h[2] > 0) ? 1 : 0; /* alone on its side */
    int i = (lone + 1) % 3, k = (lone + 2) % 3;
    cm__point at_i = cm__point_between(piece->v[lone], piece->v[i], h[lone] / (h[lone] - h[i]));
    cm__point at_k = cm__point_between(piece->v[lone], piece->v[k], h[lone] / (h[lone] - h[k]));
    double far_i, far_k;
    uint32_t near_i = extent_corner(s, piece, at_i, piece->near[i], &far_i),
             near_k = extent_corner(s, piece, at_k, piece->near[k], &far_k);
    out[0] = out[1] = out[2] = *piece;
    out[0].v[i] = out[1].v[lone] = out[2].v[i] = at_i;
    out[0].v[k] = out[2].v[lone] = at_k;
    out[0].near[i] = out[1].near[lone] = out[2].near[i] = near_i;
    out[0].near[k] = out[2].near[lone] = near_k;
    out[0].far[i] = out[1].far[lone] = out[2].far[i] = far_i;
    out[0].far[k] = out[2].far[lone] = far_k;
    return 3;
}

/* Nothing of the piece is farther from Y than this; `y` is the triangle closest to its center. Stops refining the
 * answer as soon as that is below `enough`. */
static double extent_upper(const cm__extent_search *s, const extent_piece *piece, uint32_t y, double enough) {
    uint32_t near[4] = {y, piece->near[0], piece->near[1], piece->near[2]};
    double h[4][3], best = DBL_MAX, at_corner[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
    for (int k = 0; k < 4; ++k) {
        int same = 0;
        while (near[same] != near[k]) ++same;
        double most = 0;
        for (int i = 0; i < 3; ++i) {
            const bool known = near[k] == piece->near[i];
            h[k][i] = same < k ? h[same][i] : known ? piece->far[i] : extent_to_triangle(s, piece->v[i], near[k], NULL);
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
static int extent_divide(cm__extent_search *s, extent_piece *piece, cm__point center, double radius, double distance,
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
        int bare = cm__extent_is_boundary(s, piece->triangle, center);
        for (int i = 0; i < 3; ++i)
            bare += cm__extent_is_boundary(s, piece->triangle, cm__point_between(center, piece->v[i], 0.5));
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
            if (!cm__extent_side_is_wanted(s, center)) return extent_wrong_side(s);
            piece->one_sided = 1;
        }
    }
    const uint32_t near[4] = {y, piece->near[0], piece->near[1], piece->near[2]};
    if (cm__extent_seam(s->query->y, near, piece->v, h)) return extent_cut(s, piece, h, out);
    return extent_halve(s, piece, out);
}

/* Is the farthest point of a side of the sheet, which settles that side, no answer, since a triangle of the sheet is as
 * close to it as what was found? So is most of what ties, as a shaft all along its bearing: no search is needed. */
static bool extent_ties(const cm__extent_search *s, const cm__sheet *sheet, int side, cm__point far) {
    if (sheet->far[side] + s->slack.flush > extent_settled(s)) return false;
    if (!extent_is_farther(s, extent_to_triangle(s, far, sheet->under[side], NULL))) return true;
    for (int k = 0; k < sheet->count; ++k)
        if (!extent_is_farther(s, extent_to_triangle(s, far, sheet->face[k], NULL))) return true;
    return false;
}

/* Where the piece is farthest from Y on either side of the sheet: a candidate for the answer, and how the winding
 * number tells the side of Y. Where Y is closest to the farther one of what may be wanted: *near and *along. */
static void extent_ask_sheet(cm__extent_search *s, extent_piece *piece, const cm__sheet *sheet, bool unwanted[2],
                             uint32_t *near, cm__point *along) {
    double most = 0;
    for (int side = 0; side < 2; ++side) {
        unwanted[side] = false;
        if (!extent_is_farther(s, sheet->far[side])) continue;
        cm__point far = cm__sheet_point(piece->v, sheet->where[side]), nearest = far;
        uint32_t triangle = sheet->under[side];
        if (extent_ties(s, sheet, side, far)) continue;
        double distance = extent_nearest(s, far, &triangle, &nearest);
        unwanted[side] = distance > s->slack.flush && !cm__extent_side_is_wanted(s, far);
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
static double extent_over_sheet(cm__extent_search *s, extent_piece *piece, uint32_t *near, bool *begun) {
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
 * its sheet before; a part of it, in which there may be an answer, is where that may settle it, before its center is
 * offered. */
static int extent_visit(cm__extent_search *s, extent_piece *piece, extent_piece out[3]) {
    if (cm__extent_is_shallow(s, piece->v)) return extent_wrong_side(s);
    cm__point center, nearest;
    const double radius = extent_middle(piece, &center);
    nearest = center;
    uint32_t y = piece->near[0], near = CM_NONE;
    const double distance = extent_nearest(s, center, &y, &nearest);
    double upper = wide_min(distance + radius, extent_upper(s, piece, y, extent_settled(s)));
    if (!extent_is_farther(s, upper + s->slack.rounding)) return 0;
    const double before = s->out->value;
    bool begun;
    const bool again =
        piece->depth > 0 && cm__sheet_may_settle(s->query->y, piece->near, piece->v, extent_settled(s), &near);
    const double sheet = again ? extent_over_sheet(s, piece, &near, &begun) : DBL_MAX;
    if (sheet <= extent_settled(s)) return 0;
    extent_offer(s, piece, center, nearest, y, distance);
    if (s->over) return 0;
    const double settled = extent_settled(s);
    if (s->out->value > before) upper = wide_min(distance + radius, extent_upper(s, piece, y, settled));
    upper = wide_min(upper, sheet);
    near = y;
    if (upper > settled && piece->depth > 0 && !again && distance <= settled)
        upper = wide_min(upper, extent_over_sheet(s, piece, &near, &begun));
    if (upper <= settled) return 0;
    if (piece->depth == EXTENT_DEPTH || s->evaluations > CM__EXTENT_LIMIT || radius <= s->slack.flush) {
        s->out->bound = wide_max(s->out->bound, upper);
        return 0;
    }
    ++piece->depth;
    return extent_divide(s, piece, center, radius, distance, y, out);
}

void cm__extent_triangle(cm__extent_search *s, uint32_t triangle, cm__extent_node *node) {
    extent_piece stack[EXTENT_STACK];
    extent_piece *first = &stack[0];
    extent_corners(s->query->x, triangle, first->v);
    for (int i = 0; i < 3; ++i) first->v[i] = cm__affine_apply(&s->query->x_to_y, first->v[i]);
    if (cm__extent_is_shallow(s, first->v)) {
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
    for (int i = 0; i < 3; ++i) first->near[i] = extent_corner(s, first, first->v[i], node->near, &first->far[i]);
    int top = 1;
    while (top > 0 && !s->over) {
        extent_piece piece = stack[--top], part[3];
        int count = extent_visit(s, &piece, part);
        for (int i = 0; i < count; ++i) stack[top++] = part[i]; /* at most 2 stay behind a level: see EXTENT_STACK */
    }
}
