/* Two cores with few corners (point, segment, triangle, box): separating axes decide and measure the depth, pairs of
 * features measure the distance.
 *
 * Overlap. Convex polytopes are disjoint exactly where one of these axes separates them: the face normals of either,
 * the products of an edge of A with an edge of B, and, where both are flat, the normals of their edges within the plane
 * (there all products of edges point along the common normal). Where none separates them the depth is the least overlap
 * along these axes, as the faces of the Minkowski difference have no other normals [Gottschalk96].
 *
 * Distance. Where an axis separates them by far more than rounding, GJK finds the closest points (convex/gjk.c): it is
 * as exact as trying all pairs of features, and faster. Where that gap exceeds the margin of a contact or verdict, no
 * further axis is tried. Else the distance is the least over all pairs of a corner and the other shape, and of two
 * edges. For two boxes one pair of edges for each two directions is enough: the two that face each other along the
 * cross product.
 *
 * Nearly parallel edges have a small cross product, and rounding tilts it. A tilt across the edges is harmless: it is
 * the product of edges rotated by an ulp. A tilt along the edges is not, and is projected out. Any unit axis gives a
 * true bound, so only a product of 0 has to be skipped.
 *
 * Frame: A's. Rounding: in double, a few 1e-16 of the coordinates there. No loop depends on the input. */
#include "pair/pair.h"
#include "base/bits.h"
#include "math/closest.h"

typedef struct axis_search {
    const cm__polytope *a, *b;
    cm__point between; /* from A's center to B's */
    double best;
    cm__point normal;
} axis_search;

/* Half the width of a box along a unit axis. */
static double axis_reach(const cm__polytope *p, cm__point axis) {
    return p->half[0] * fabs(cm__point_dot(p->axis[0], axis)) + p->half[1] * fabs(cm__point_dot(p->axis[1], axis)) +
           p->half[2] * fabs(cm__point_dot(p->axis[2], axis));
}

static void axis_range(const cm__polytope *p, cm__point axis, double *low, double *high) {
    if (p->corner_count == 8) {
        double middle = cm__point_dot(p->center, axis), reach = axis_reach(p, axis);
        *low = middle - reach, *high = middle + reach;
        return;
    }
    *low = *high = cm__point_dot(p->corner[0], axis);
    for (int i = 1; i < p->corner_count; i++) {
        double d = cm__point_dot(p->corner[i], axis);
        *low = wide_min(*low, d), *high = wide_max(*high, d);
    }
}

/* Tries a unit axis in both directions. `favor`: by how much the gap must exceed the best so far. Products of edges
 * must beat faces by more than rounding, else parallel boxes would flicker between equal axes. */
static void axis_try(axis_search *s, cm__point axis, double favor) {
    double low_a, high_a, low_b, high_b;
    axis_range(s->a, axis, &low_a, &high_a);
    axis_range(s->b, axis, &low_b, &high_b);
    double ahead = low_b - high_a, behind = low_a - high_b;
    bool forward = ahead > behind || (ahead == behind && cm__point_dot(axis, s->between) >= 0);
    double gap = forward ? ahead : behind;
    if (!(gap > s->best + favor || (gap > 0 && s->best <= 0))) return;
    s->best = gap;
    s->normal = forward ? axis : wide_neg(axis);
}

#define NEAREST_SQUARE (8 * DBL_EPSILON) /* rounding of the dot product of two unit axes that are perpendicular */

/* The size that rounding errors scale with: positions and extents. */
static double polytopes_scale(const cm__polytope *a, const cm__polytope *b) {
    return cm__point_largest(a->center) + cm__point_largest(a->corner[0]) + cm__point_largest(b->center) +
           cm__point_largest(b->corner[0]);
}

typedef struct nearest {
    const cm__polytope *of_a, *of_b;
    cm__point a, b, gap;
    double square, noise, tie; /* noise: rounding of coordinates; squares are as far within `tie` */
} nearest;

/* How far apart the polytopes are along the way from point to point: no points are nearer than that. */
static double nearest_proof(const nearest *n, cm__point gap) {
    double low_a, high_a, low_b, high_b;
    const cm__point normal = wide_normalize(gap, gap);
    axis_range(n->of_a, normal, &low_a, &high_a);
    axis_range(n->of_b, normal, &low_b, &high_b);
    return low_b - high_a;
}

/* Takes the points if they are nearer than the nearest so far. Where both are as far within rounding, the direction
 * that proves more decides: points within an edge and its end may be 1e-8 of the distance apart, and the directions
 * differ by as much. */
static void nearest_try(nearest *n, cm__point a, cm__point b, cm__point gap) {
    const double square = cm__point_dot(gap, gap), more = square - n->square;
    bool nearer = more < 0;
    if (fabs(more) <= n->tie && n->square > GAP_SQUARE_LEAST && n->square < GAP_SQUARE_MOST &&
        cm__point_largest(cm__point_sub(gap, n->gap)) > n->noise)
        nearer = nearest_proof(n, gap) > nearest_proof(n, n->gap);
    if (!nearer) return;
    n->a = a, n->b = b, n->gap = gap, n->square = square;
    n->tie = n->noise * sqrt(square) / 2;
}

static void nearest_try_edges(nearest *n, const cm__polytope *a, int i, const cm__polytope *b, int j) {
    cm__closest c = cm__closest_segment_segment(a->corner[a->edge[i][0]], a->corner[a->edge[i][1]],
                                                b->corner[b->edge[j][0]], b->corner[b->edge[j][1]]);
    nearest_try(n, c.a, c.b, c.gap);
}

/* The corners of the box in the plane across its axis k that may be the farthest along `direction`, unit or shorter:
 * one or both signs along each of the two other axes, in the order of the edge list. Where an axis is perpendicular to
 * the direction within rounding, both its ends are equally far. */
static unsigned nearest_facing_edges(const cm__polytope *box, int k, cm__point direction) {
    int u = (k == 0) ? 1 : 0, v = (k == 2) ? 1 : 2;
    double along_u = cm__point_dot(box->axis[u], direction), along_v = cm__point_dot(box->axis[v], direction);
    unsigned of_u = along_u > NEAREST_SQUARE ? 0xa : along_u < -NEAREST_SQUARE ? 0x5 : 0xf; /* bit u + 2 v */
    unsigned of_v = along_v > NEAREST_SQUARE ? 0xc : along_v < -NEAREST_SQUARE ? 0x3 : 0xf;
    return of_u & of_v;
}

/* Where the closest points of two disjoint boxes are on crossing edges, the gap lies along the cross product of their
 * directions, and each edge is its box's farthest along that. Parallel edges need no test: corners give the same
 * distance. Along a product that is perpendicular to the line between the centers the boxes overlap, and
 * either direction will do. */
static void nearest_try_box_edges(nearest *n, const cm__polytope *a, const cm__polytope *b) {
    cm__point between = cm__point_sub(b->center, a->center);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            cm__point d = cm__point_cross(a->axis[i], b->axis[j]);
            if (!(cm__point_largest(d) > NEAREST_SQUARE)) continue;
            if (cm__point_dot(d, between) < 0) d = wide_neg(d);
            unsigned of_a = nearest_facing_edges(a, i, d), of_b = nearest_facing_edges(b, j, wide_neg(d));
            for (unsigned left = of_a; left; left &= left - 1)
                for (unsigned other = of_b; other; other &= other - 1)
                    nearest_try_edges(n, a, 4 * i + bits_lowest(left), b, 4 * j + bits_lowest(other));
        }
    }
}

/* Does a direction prove that no points are nearer than the ones found, within rounding? Tried are the axis of the
 * widest gap, where the points lie along it, and the direction from point to point. Points that nearly coincide prove
 * nothing. What is not proven is searched for, with the same result. */
static bool nearest_is_proven(const nearest *n, double separation, cm__point axis) {
    const double length = sqrt(n->square), noise = n->noise + 8 * DBL_EPSILON * cm__point_largest(n->a);
    if (!(length > 2 * noise && n->square > GAP_SQUARE_LEAST && n->square < GAP_SQUARE_MOST)) return false;
    cm__point aside = cm__point_mul_add(n->gap, -separation, axis);
    if (length <= separation + noise && cm__point_largest(aside) <= 2 * noise) return true;
    return length <= nearest_proof(n, n->gap) + noise;
}

/* Closest points of two disjoint polytopes, which are `separation` apart along the unit `axis`: of a corner and the
 * other polytope, else of two edges. */
static void nearest_of(const cm__polytope *a, const cm__polytope *b, double separation, cm__point axis, nearest *n) {
    n->of_a = a, n->of_b = b;
    n->square = DBL_MAX, n->tie = 0, n->noise = 8 * DBL_EPSILON * polytopes_scale(a, b);
    n->a = a->corner[0], n->b = b->corner[0], n->gap = cm__point_sub(n->b, n->a);
    for (int i = 0; i < b->corner_count; i++) {
        cm__point q = cm__polytope_closest(a, b->corner[i]);
        nearest_try(n, q, b->corner[i], cm__point_sub(b->corner[i], q));
    }
    for (int i = 0; i < a->corner_count; i++) {
        cm__point q = cm__polytope_closest(b, a->corner[i]);
        nearest_try(n, a->corner[i], q, cm__point_sub(q, a->corner[i]));
    }
    if (nearest_is_proven(n, separation, axis)) return;
    if (a->corner_count == 8 && b->corner_count == 8) {
        nearest_try_box_edges(n, a, b);
        return;
    }
    for (int i = 0; i < a->edge_count; i++)
        for (int j = 0; j < b->edge_count; j++) nearest_try_edges(n, a, i, b, j);
}

/* The direction of a core that is a segment or a point (then 0). A collinear triangle may have edges of length 0. */
static cm__point line_of(const cm__polytope *p) {
    cm__point along = cm__p(0, 0, 0);
    for (int i = 0; i < p->axis_count; i++)
        if (cm__point_largest(p->axis[i]) > 0) along = p->axis[i];
    return along;
}

/* Removes from a short gap the component along a segment: between inner points of segments it can only be rounding. */
static void lines_perpendicular(const cm__polytope *line, cm__point on, double noise, cm__point *gap) {
    const cm__point along = line_of(line);
    double low, high, at = cm__point_dot(on, along);
    axis_range(line, along, &low, &high);
    if (at > low + noise && at < high - noise) *gap = cm__point_mul_add(*gap, -cm__point_dot(*gap, along), along);
}
static void lines_nearest(const cm__polytope *a, const cm__polytope *b, nearest *n) {
    const double noise = gap_noise(polytopes_scale(a, b));
    nearest_of(a, b, 0, cm__p(0, 0, 0), n);
    lines_perpendicular(a, n->a, noise, &n->gap);
    lines_perpendicular(b, n->b, noise, &n->gap);
    n->square = cm__point_dot(n->gap, n->gap);
}

/* Two cores that are segments or points may have no product of edges: on one line only that line separates them. Their
 * closest points give the axis. Where those nearly coincide, the direction of their gap is rounding, and the axis is
 * perpendicular to both. */
static double lines_axis(const cm__polytope *a, const cm__polytope *b, cm__point *normal) {
    nearest n;
    lines_nearest(a, b, &n);
    cm__point of_a = line_of(a), of_b = line_of(b), across = cm__point_cross(of_a, of_b);
    double length = cm__point_length(n.gap);
    if (length > gap_noise(polytopes_scale(a, b)))
        *normal = wide_normalize(n.gap, n.gap);
    else if (cm__point_largest(across) > 4 * DBL_EPSILON)
        *normal = wide_normalize(across, across);
    else
        *normal = wide_perpendicular(cm__point_largest(of_b) > 0 ? of_b : of_a);
    return length;
}

double cm__polytopes_axis(const cm__polytope *a, const cm__polytope *b, double enough, cm__point *normal) {
    if (a->normal_count + b->normal_count == 0) return lines_axis(a, b, normal);
    axis_search s = {a, b, cm__point_sub(b->center, a->center), -DBL_MAX, cm__p(1, 0, 0)};
    double size = wide_sum(s.between);
    for (int i = 0; i < a->corner_count; i++) size = wide_max(size, wide_sum(cm__point_sub(a->corner[i], a->center)));
    for (int i = 0; i < b->corner_count; i++) size = wide_max(size, wide_sum(cm__point_sub(b->corner[i], b->center)));
    double favor = 8 * DBL_EPSILON * size;
    for (int i = 0; i < a->normal_count && !(s.best > enough); i++) axis_try(&s, a->normal[i], 0);
    for (int i = 0; i < b->normal_count && !(s.best > enough); i++) axis_try(&s, b->normal[i], 0);
    for (int i = 0; i < a->axis_count && !(s.best > enough); i++) {
        for (int j = 0; j < b->axis_count && !(s.best > enough); j++) {
            cm__point n = cm__point_cross(a->axis[i], b->axis[j]);
            double nn = cm__point_dot(n, n);
            if (!(nn > 0x1p-200)) continue;
            n = cm__point_scale(n, 1 / sqrt(nn));
            double along = cm__point_dot(n, a->axis[i]);
            n = cm__point_mul_add(n, -along, a->axis[i]);
            if (fabs(along) > 1e-9) n = wide_normalize(n, cm__p(0, 0, 0)); /* the projection has made it shorter */
            if (cm__point_largest(n) > 0) axis_try(&s, n, favor);
        }
    }
    if (a->corner_count <= 3 && b->corner_count <= 3 &&
        !(s.best > enough)) { /* both flat: the normals of edges within either plane */
        const cm__polytope *flat[2] = {a, b};
        for (int k = 0; k < 2; k++) {
            for (int m = 0; m < 2; m++) {
                const cm__polytope *face = flat[m], *edges = flat[k];
                for (int i = 0; i < edges->axis_count && face->normal_count; i++) {
                    cm__point n = wide_normalize(cm__point_cross(edges->axis[i], face->normal[0]), cm__p(0, 0, 0));
                    if (cm__point_largest(n) > 0) axis_try(&s, n, favor);
                }
            }
        }
    }
    *normal = s.normal;
    return s.best;
}

/* Does the corner q of the other shape lie over the box's face whose normal is `direction`? */
static bool box_face_holds(const cm__polytope *box, cm__point direction, cm__point q) {
    const cm__point from = cm__point_sub(q, box->center);
    bool face = false, over = true;
    for (int i = 0; i < 3; i++) {
        if (fabs(cm__point_dot(box->axis[i], direction)) > 1 - 4 * DBL_EPSILON)
            face = true;
        else
            over = over && fabs(cm__point_dot(box->axis[i], from)) <= box->half[i];
    }
    return face && over;
}

/* Along the normal of a box's face, the other shape's farthest corner is the deepest point, if it lies over that
 * face. */
static bool polytopes_deepest_corner(const cm__polytope *a, const cm__polytope *b, cm__gap *gap) {
    if (a->corner_count == 8) {
        const cm__point q = b->corner[cm__polytope_support(b, wide_neg(gap->normal))];
        gap->a = cm__point_mul_add(q, -gap->distance, gap->normal), gap->b = q;
        if (box_face_holds(a, gap->normal, q)) return true;
    }
    if (b->corner_count != 8) return false;
    gap->a = a->corner[cm__polytope_support(a, gap->normal)];
    gap->b = cm__point_mul_add(gap->a, gap->distance, gap->normal);
    return box_face_holds(b, gap->normal, gap->a);
}

/* Where two overlapping polytopes are deepest along gap->normal. Moved apart by the depth they touch in a point, where
 * two edges cross or where a corner meets a face. Of those candidates the one whose points show the depth best is
 * taken, since rounding may spoil any one of them where an edge lies almost in a face. */
static void polytopes_deepest(const cm__polytope *a, const cm__polytope *b, cm__gap *gap) {
    cm__polytope_side side_a, side_b;
    if (polytopes_deepest_corner(a, b, gap)) return;
    cm__polytope_edge(a, gap->normal, 1e-6, &side_a);
    cm__polytope_edge(b, wide_neg(gap->normal), 1e-6, &side_b);
    cm__closest c = cm__closest_segment_segment(side_a.corner[0], side_a.corner[side_a.count - 1], side_b.corner[0],
                                                side_b.corner[side_b.count - 1]);
    double least = cm__point_length(cm__point_mul_add(c.gap, -gap->distance, gap->normal));
    gap->a = c.a, gap->b = c.b;
    cm__patch patch;
    cm__patch_of(a, b, gap, 0, &patch);
    for (int i = 0; i < patch.count; i++) {
        double off = fabs(patch.gap[i] - gap->distance);
        bool on_face = patch.feature_a[i] != CM_NONE && (patch.feature_a[i] >= 4096 || patch.feature_b[i] >= 4096);
        if (!on_face || !(off < least)) continue;
        least = off;
        gap->a = patch.a[i];
    }
    double size = wide_sum(a->corner[0]) + wide_sum(b->corner[0]) + wide_sum(b->center) + fabs(gap->distance);
    /* by more than rounding no candidate does: move B to touching and find the closest points there */
    if (least > 64 * DBL_EPSILON * size) {
        cm__polytope moved = *b;
        for (int i = 0; i < b->corner_count; i++)
            moved.corner[i] = cm__point_mul_add(b->corner[i], -gap->distance, gap->normal);
        moved.center = cm__point_mul_add(b->center, -gap->distance, gap->normal);
        nearest n;
        nearest_of(a, &moved, 0, gap->normal, &n);
        gap->a = n.a;
    }
    gap->b = cm__point_mul_add(gap->a, gap->distance, gap->normal);
}

bool cm__polytopes_overlap(const cm__polytope *a, const cm__polytope *b, double radius) {
    cm__point normal;
    const double far = radius + gap_noise(polytopes_scale(a, b));
    double gap = cm__polytopes_axis(a, b, far, &normal);
    if (gap <= 0) return true;
    if (!(gap <= far)) return false; /* where rounding could decide, the closest points do */
    nearest n;
    nearest_of(a, b, gap, normal, &n);
    return gap_within(cm__point_sub(n.b, n.a), radius); /* as cm__gap_add_radii sees it */
}

void cm__polytopes_gap_along(const cm__polytope *a, const cm__polytope *b, double separation, cm__point normal,
                             cm__gap *out) {
    out->distance = separation;
    out->normal = normal;
    if (!(separation > 0)) {
        polytopes_deepest(a, b, out);
        return;
    }
    nearest n;
    if (a->normal_count + b->normal_count == 0)
        lines_nearest(a, b, &n);
    else
        nearest_of(a, b, separation, normal, &n);
    out->a = n.a, out->b = n.b;
    double length = cm__point_length(n.gap);
    double scale = cm__point_largest(n.a) + polytopes_scale(a, b);
    if (!(length > gap_noise(scale))) return; /* the axis shows a gap that the points do not */
    out->distance = length;
    /* a direction that is the axis within the rounding of the points becomes the axis: large faces would magnify the
     * difference */
    const cm__point way = wide_normalize(n.gap, normal);
    if (cm__point_largest(cm__point_sub(way, normal)) * length > 4 * DBL_EPSILON * scale) out->normal = way;
}

static void polytopes_lay_out(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__polytope *pa,
                              cm__polytope *pb) {
    cm__polytope_of(a, NULL, pa);
    cm__polytope_of(b, b_in_a, pb);
}

static bool polytope_pair_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__polytope pa, pb;
    const cm__frame frame = frame_of_pose(b_in_a);
    polytopes_lay_out(a, b, &frame, &pa, &pb);
    return cm__polytopes_overlap(&pa, &pb, (double)a->radius + (double)b->radius);
}

bool cm__polytopes_gap_apart(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, double clear,
                             cm__gap *out) {
    cm__method_convex.gap(a, b, b_in_a, out);
    return fabs(out->distance) > clear;
}

/* Does a plane perpendicular to the line of their centers separate them? */
static bool polytopes_separated(const cm__polytope *a, const cm__polytope *b, double clear) {
    const cm__point way = cm__point_sub(b->center, a->center);
    double low_a, high_a, low_b, high_b;
    axis_range(a, way, &low_a, &high_a);
    axis_range(b, way, &low_b, &high_b);
    return low_b - high_a > clear * cm__point_length(way);
}

static void polytope_pair_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    cm__polytope pa, pb;
    cm__point normal;
    cm__polytope_corners(a, NULL, &pa);
    cm__polytope_corners(b, b_in_a, &pb);
    const double clear = POLYTOPES_CLEAR * polytopes_scale(&pa, &pb);
    if (polytopes_separated(&pa, &pb, clear) && cm__polytopes_gap_apart(a, b, b_in_a, clear, out)) return;
    cm__polytope_sides(a, &pa);
    cm__polytope_sides(b, &pb);
    const double separation = cm__polytopes_axis(&pa, &pb, DBL_MAX, &normal);
    cm__polytopes_gap_along(&pa, &pb, separation, normal, out);
    cm__gap_add_radii(out, (double)a->radius, (double)b->radius);
}

static int polytope_pair_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                 cm_manifold *out, int capacity) {
    cm__polytope pa, pb;
    cm__point normal;
    const cm__frame frame = frame_of_pose(b_in_a);
    polytopes_lay_out(a, b, &frame, &pa, &pb);
    double ra = (double)a->radius, rb = (double)b->radius, reach = (double)margin + ra + rb;
    const double far = reach + gap_noise(polytopes_scale(&pa, &pb));
    const double separation = cm__polytopes_axis(&pa, &pb, far, &normal);
    if (separation > far) return 0;
    cm__gap core;
    cm__polytopes_gap_along(&pa, &pb, separation, normal, &core);
    if (core.distance > 0 ? !gap_within(cm__point_sub(core.b, core.a), reach) : false) return 0;
    if (capacity < 1) return 1;
    cm__patch patch;
    cm__patch_of(&pa, &pb, &core, reach, &patch);
    cm__manifold_of_patch(&patch, core.normal, ra, rb, (double)margin, out);
    return 1;
}

const cm__method cm__method_polytopes = {
    .overlap = polytope_pair_overlap, .gap = polytope_pair_gap, .contact = polytope_pair_contact};
