/* Distance of two triangles. Guarantees and bounds: triangle_triangle.h.
 *
 * Two points, one on each, are the closest ones exactly where the slab between them, perpendicular to the line that
 * joins them, parts the triangles; and every slab that parts them is a lower bound. So a guess is cheap to prove: take
 * the two edges that face each other along the line of the centers, find their closest points, ask the two remaining
 * corners. The third corner in the way names the next edges. Two guesses settle most pairs, and the proof that they are
 * disjoint comes along.
 *
 * Before that, a plane of either that parts them by more than the limit answers where only nearer pairs matter.
 *
 * What is left is decided by the exact overlap. Disjoint triangles are closest at a corner and a face, or at two edges.
 * Where a corner of B is closest to a point within A's face, B lies beyond A's plane and that corner nearest to it, for
 * any lower one would be closer. So one corner a triangle is asked, and then the nine pairs of edges, until a slab
 * proves one. The normal of a needle is rough, by u/w where w is its relative width, and may take the wrong corner for
 * the nearest. That does no harm: from the right one an edge then runs to the wrong one at a slope below u/w, and
 * leaves the needle's face within its width, u higher.
 *
 * Based on: [Larsen99] for the proof by slab. */
#include "pair/triangle_triangle.h"

#include "math/closest.h"
#include "pair/triangle_sides.h"

typedef struct distance_pair {
    cm__point a[3], b[3];
    double size;  /* the largest |component| of an edge */
    double limit; /* the square of max_distance, a little more: they need not be measured beyond */
} distance_pair;

/* The closest so far: on edges i and k at s and t, or else at the points. */
typedef struct distance_best {
    cm__point gap;
    double square, s, t;
    int i, k; /* i < 0: at the points */
    cm__point on_a, on_b;
} distance_best;

typedef enum distance_verdict { DISTANCE_OPEN, DISTANCE_FOUND, DISTANCE_BEYOND } distance_verdict;

static int distance_next(int i) {
    static const int next[3] = {1, 2, 0};
    return next[i];
}

static void distance_load(const cm_vec3 a[3], const cm_vec3 b[3], cm_real max_distance, distance_pair *out) {
    cm__points_of(a, out->a);
    cm__points_of(b, out->b);
    double size = 0;
    for (int i = 0; i < 3; i++) {
        double x = cm__point_largest(cm__point_sub(out->a[distance_next(i)], out->a[i]));
        double y = cm__point_largest(cm__point_sub(out->b[distance_next(i)], out->b[i]));
        size = size > x ? size : x;
        size = size > y ? size : y;
    }
    out->size = size;
    double m = (double)max_distance; /* the last word has the rounded distance: (m + e)² <= m² (1 + u) + e² (1 + 1/u) */
    out->limit = m < 0x1p500 ? m * m * (1 + 0x1p-20) + 0x1p-76 * size * size + DBL_MIN : DBL_MAX;
}

/* The edges that face each other along v: opposite the corner of A farthest back, and of B farthest on. */
static void distance_facing(const distance_pair *p, cm__point v, int *i, int *k, double *between) {
    double a[3], b[3];
    for (int j = 0; j < 3; j++) {
        a[j] = cm__point_dot(v, cm__point_sub(p->a[j], p->a[0]));
        b[j] = cm__point_dot(v, cm__point_sub(p->b[j], p->a[0]));
    }
    double a_less = a[1] < a[0] ? a[1] : a[0], a_more = a[1] > a[0] ? a[1] : a[0];
    double b_less = b[1] < b[0] ? b[1] : b[0], b_more = b[1] > b[0] ? b[1] : b[0];
    /* edge j is opposite corner j + 2: 1 for corner 0, 2 for 1, 0 for 2 */
    *i = (1 + (a[1] < a[0])) & -(a[2] >= a_less); /* -1 keeps, 0 clears */
    *k = (1 + (b[1] > b[0])) & -(b[2] <= b_more);
    a_more = a[2] > a_more ? a[2] : a_more;
    b_less = b[2] < b_less ? b[2] : b_less;
    *between = b_less - a_more;
}

static double distance_larger(double a, double b) { return a > b ? a : b; }

/* Edge i of A against edge k of B, and whether their closest points are those of the triangles; or the slab between
 * them alone is wider than the limit.
 *
 * A corner's reach into the slab, divided by the slab's width, is by how much the distance may be less. It is enough
 * that no corner reaches farther than by the rounding of the reach itself, 8 u of the lengths. Close to touching, the
 * direction of the gap is too rough for that, though its length is not. But if the ends of the edges, which ought not
 * to reach in at all, reach in by at most 2^-44 size², the gap's square is within 2^-43 size² of the least, so the gap
 * within 2^-21 size of the least one (gaps are a convex set); third corners 2^-20 size² clear of this slab are clear of
 * the true one, and the edges decide. That the triangles are disjoint is proved where the width is more than the
 * reach. */
static distance_verdict distance_edges(const distance_pair *p, int i, int k, distance_best *best) {
    int i1 = distance_next(i), k1 = distance_next(k), i2 = 3 - i - i1, k2 = 3 - k - k1;
    cm__point da = cm__point_sub(p->a[i1], p->a[i]), db = cm__point_sub(p->b[k1], p->b[k]);
    cm__point r = cm__point_sub(p->b[k], p->a[i]);
    double s, t;
    cm__closest_st(da, db, r, &s, &t);
    cm__point v = cm__p(r.x + t * db.x - s * da.x, r.y + t * db.y - s * da.y, r.z + t * db.z - s * da.z);
    double vv = cm__point_dot(v, v), along_a = cm__point_dot(v, da), along_b = cm__point_dot(v, db);
    bool closer = vv < best->square;
    if (closer) best->gap = v, best->square = vv, best->s = s, best->t = t, best->i = i, best->k = k;

    double third_a = cm__point_dot(v, cm__point_sub(p->a[i2], p->a[i])) - s * along_a;
    double third_b = t * along_b - cm__point_dot(v, cm__point_sub(p->b[k2], p->b[k]));
    double ends_a = distance_larger(-s * along_a, (1 - s) * along_a),
           ends_b = distance_larger(t * along_b, (t - 1) * along_b);
    double ends = distance_larger(ends_a, ends_b), thirds = distance_larger(third_a, third_b);
    double square = p->size * p->size, length = sqrt(vv), noise = 0x1p-50 * length * (p->size + length);
    if (!(vv > 0x1p-43 * square)) return DISTANCE_OPEN;
    if ((ends <= noise && thirds <= noise) || (ends <= 0x1p-44 * square && thirds <= -0x1p-20 * square))
        return DISTANCE_FOUND;
    double width = vv - distance_larger(third_a, ends_a) - distance_larger(third_b, ends_b) - 16 * noise;
    return width > 0 && width * width > p->limit * vv ? DISTANCE_BEYOND : DISTANCE_OPEN;
}

/* The edges i and k, and from there the ones that face each other along the gap, as long as these are new. `tried`
 * collects them, a bit a pair. */
static distance_verdict distance_walk(const distance_pair *p, int i, int k, int *tried, distance_best *best) {
    while (!(*tried >> (3 * i + k) & 1)) {
        *tried |= 1 << (3 * i + k);
        distance_verdict verdict = distance_edges(p, i, k, best);
        if (verdict != DISTANCE_OPEN) return verdict;
        double between;
        distance_facing(p, best->gap, &i, &k, &between);
    }
    return DISTANCE_OPEN;
}

/* --- the rest ------------------------------------------------------------------------------------------------ */

/* Of the corners q, all on one side of the plane of t, the nearest: where its foot is within t, the exact place. */
static bool distance_over_face(const cm__point t[3], const cm__point q[3], const cm__triangle_sides *s, int *corner,
                               cm__closest_on_triangle *out) {
    int i = fabs(s->height[0]) < fabs(s->height[1]) ? 0 : 1;
    i = fabs(s->height[2]) < fabs(s->height[i]) ? 2 : i;
    *corner = i;
    for (int k = 0; k < 3; k++) { /* a quick no */
        cm__point edge = cm__point_sub(t[distance_next(k)], t[k]), w = cm__point_sub(q[i], t[k]);
        if (cm__point_dot(s->normal, cm__point_cross(edge, w)) < 0) return false;
    }
    cm__closest_point_triangle(q[i], t[0], t[1], t[2], out);
    return out->feature == 7;
}

static void distance_points(cm__point on_a, cm__point on_b, cm__point gap, double square, distance_best *best) {
    best->on_a = on_a, best->on_b = on_b, best->gap = gap, best->square = square, best->i = -1;
}

/* What the guesses left open. DISTANCE_OPEN is the answer here where they overlap, exactly. */
static distance_verdict distance_decide(const distance_pair *p, int i, int k, int tried, distance_best *best) {
    cm__triangle_sides b_to_a, a_to_b;
    cm__triangle_sides_of(p->a, p->b, &b_to_a);
    cm__triangle_sides_of(p->b, p->a, &a_to_b);
    bool b_apart = cm__triangle_sides_apart(&b_to_a), a_apart = cm__triangle_sides_apart(&a_to_b);
    if (!b_apart && !a_apart) { /* no corner is over a face: two edges, or they overlap, which takes longer to see */
        const distance_verdict verdict = distance_walk(p, i, k, &tried, best);
        if (verdict != DISTANCE_OPEN) return verdict;
        if (cm__triangles_share_point(p->a, p->b, &a_to_b, &b_to_a)) return DISTANCE_OPEN;
    }
    int corner;
    cm__closest_on_triangle c;
    if (b_apart && distance_over_face(p->a, p->b, &b_to_a, &corner, &c)) {
        distance_points(c.point, p->b[corner], cm__p(-c.gap.x, -c.gap.y, -c.gap.z), c.square, best);
        return DISTANCE_FOUND;
    }
    if (a_apart && distance_over_face(p->b, p->a, &a_to_b, &corner, &c)) {
        distance_points(p->a[corner], c.point, c.gap, c.square, best);
        return DISTANCE_FOUND;
    }
    distance_verdict verdict = distance_walk(p, i, k, &tried, best);
    for (int j = 0; j < 9 && verdict == DISTANCE_OPEN; j++)
        if (!(tried >> j & 1)) verdict = distance_walk(p, j / 3, j % 3, &tried, best);
    return verdict == DISTANCE_OPEN ? DISTANCE_FOUND : verdict;
}

/* Is the slab between the plane of triangle t and the nearest of the corners q, all on one side of it, wider than the
 * limit? That settles four of five pairs of triangles of surfaces that nearly coincide. The heights are off by less
 * than 2^-47 size² times the length of what the normal is multiplied by; squares near underflow decide nothing. */
static bool distance_beyond_plane(const distance_pair *p, const cm__point t[3], const cm__point q[3], double reach) {
    const cm__point n = cm__point_normal(t[0], t[1], t[2]);
    double h0 = cm__point_dot(n, cm__point_sub(q[0], t[0])), h1 = cm__point_dot(n, cm__point_sub(q[1], t[0]));
    double h2 = cm__point_dot(n, cm__point_sub(q[2], t[0]));
    if (h0 < 0) h0 = -h0, h1 = -h1, h2 = -h2;
    h0 = h1 < h0 ? h1 : h0;
    h0 = h2 < h0 ? h2 : h0;
    h0 -= 0x1p-47 * p->size * p->size * reach;
    const double square = cm__point_dot(n, n);
    return h0 > 0 && h0 * h0 > 0x1p-960 && square > 0x1p-960 && h0 * h0 > p->limit * square;
}

/* DISTANCE_OPEN: they overlap. The closest points are in `best` where found. */
static distance_verdict distance_search(const distance_pair *p, distance_best *best) {
    cm__point v = cm__point_sub(p->b[0], p->a[0]);
    for (int j = 1; j < 3; j++) v = cm__point_add(v, cm__point_sub(p->b[j], p->a[j]));
    double vv = cm__point_dot(v, v), between;
    int i, k, tried = 0;
    distance_facing(p, v, &i, &k, &between);
    between -= 0x1p-48 * (vv + 16 * p->size * p->size);
    if (between > 0 && between * between > p->limit * vv) return DISTANCE_BEYOND;
    const double reach = cm__point_largest(v) + 4 * p->size;
    if (vv > 9 * p->limit && /* else the centers, v / 3 apart, are within it */
        (distance_beyond_plane(p, p->a, p->b, reach) || distance_beyond_plane(p, p->b, p->a, reach)))
        return DISTANCE_BEYOND;
    if (between > 0) {
        distance_verdict verdict = distance_walk(p, i, k, &tried, best);
        if (verdict != DISTANCE_OPEN) return verdict;
    }
    return distance_decide(p, i, k, tried, best);
}

cm_real cm__distance_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3], cm_real max_distance, cm_vec3 *on_a,
                                       cm_vec3 *on_b) {
    distance_pair p;
    distance_load(a, b, max_distance, &p);
    distance_best best = {.gap = cm__point_sub(p.b[0], p.a[0]), .square = DBL_MAX};
    distance_verdict verdict = distance_search(&p, &best);
    if (verdict == DISTANCE_BEYOND) return CM_REAL_MAX;
    if (verdict == DISTANCE_OPEN) {
        cm__triangle_crossing x;
        if (!(max_distance >= 0) || !cm__cross_triangle_triangle(a, b, &x)) return CM_REAL_MAX;
        *on_a = *on_b = cm_v(x.start.x / 2 + x.end.x / 2, x.start.y / 2 + x.end.y / 2, x.start.z / 2 + x.end.z / 2);
        return 0;
    }
    cm_real distance = (cm_real)cm__point_length(best.gap);
    if (distance < CM_REAL_MIN) distance = CM_REAL_MIN; /* decided: they are disjoint */
    if (!(distance <= max_distance)) return CM_REAL_MAX;
    if (best.i >= 0) {
        best.on_a = cm__point_between(p.a[best.i], p.a[distance_next(best.i)], best.s);
        best.on_b = cm__point_between(p.b[best.k], p.b[distance_next(best.k)], best.t);
    }
    *on_a = cm__vec3_of(best.on_a);
    *on_b = cm__vec3_of(best.on_b);
    return distance;
}
