/* Distance of two triangles. Guarantees and bounds: triangle_triangle.h.
 *
 * Disjoint triangles are closest at a corner and a face, or at two edges. Where a corner of B is closest to a point
 * within A's face, B lies beyond A's plane and that corner nearest to it, for any lower one would be closer. So one
 * corner a triangle is asked, and where its foot is within the face it is the answer. Otherwise all nine pairs of edges
 * are measured side by side, in a loop that compilers turn into vector code, and the best pair again with care.
 * Triangles so flat that their normal is rough, and sizes whose fourth power leaves the range, go the plain way through
 * all fifteen. */
#include "pair/triangle_triangle.h"

#include "math/closest.h"
#include "pair/triangle_sides.h"

/* A triangle with the corner opposite its longest edge first: there its normal is computed best. */
typedef struct distance_triangle {
    cm__point p[3];
    cm__point edge[3]; /* from corner i to the next */
    double square[3];  /* |edge|² */
    bool plain;        /* not fit for the fast way */
} distance_triangle;

typedef struct distance_best {
    cm__point on_a, on_b, gap;
    double square;
} distance_best;

static void distance_load(const cm_vec3 t[3], distance_triangle *out) {
    cm__point p[3], edge[3];
    double square[3];
    cm__points_of(t, p);
    for (int i = 0; i < 3; i++) {
        edge[i] = cm__point_sub(p[i == 2 ? 0 : i + 1], p[i]);
        square[i] = cm__point_dot(edge[i], edge[i]);
    }
    int longest = square[0] > square[1] ? 0 : 1;
    if (square[2] > square[longest]) longest = 2;
    for (int i = 0; i < 3; i++) {
        int from = (longest + 2 + i) % 3;
        out->p[i] = p[from], out->edge[i] = edge[from], out->square[i] = square[from];
    }
    cm__point n = cm__point_cross(out->edge[0], out->edge[2]);
    /* sin at the widest angle below 1/8: the normal is rough. Holds for NaN and for triangles without area, too. */
    out->plain = !(cm__point_dot(n, n) > 0x1p-6 * (square[0] * square[1] / square[longest] * square[2])) ||
                 !cm__closest_is_safe(square[0]) || !cm__closest_is_safe(square[1]) || !cm__closest_is_safe(square[2]);
}

/* A lower bound of the distance to the plane, squared. */
static double distance_to_plane(const cm__triangle_sides *s, int nearest) {
    double least = fabs(s->height[nearest]) - s->bound;
    return least > 0 ? least * (least / cm__point_dot(s->normal, s->normal)) * (1 - 0x1p-40) : 0;
}
static int distance_nearest(const cm__triangle_sides *s) {
    int i = fabs(s->height[0]) < fabs(s->height[1]) ? 0 : 1;
    return fabs(s->height[2]) < fabs(s->height[i]) ? 2 : i;
}

/* The corner q over the face of t: where its foot is within, the exact place. */
static bool distance_over_face(const distance_triangle *t, cm__point n, cm__point q, cm__closest_on_triangle *out) {
    for (int i = 0; i < 3; i++) {
        cm__point w = cm__point_sub(q, t->p[i]);
        if (cm__point_dot(n, cm__point_cross(t->edge[i], w)) < 0) return false;
    }
    cm__closest_point_triangle(q, t->p[0], t->p[1], t->p[2], out);
    return out->feature == 7;
}

/* Squared distances of the three edges of a (and a fourth lane that pads the vectors) from the edge e at b0. */
typedef struct distance_lanes {
    double px[4], py[4], pz[4], dx[4], dy[4], dz[4], inverse[4];
} distance_lanes;

static void distance_lanes_load(const distance_triangle *t, distance_lanes *l) {
    for (int i = 0; i < 4; i++) {
        int k = i < 3 ? i : 0;
        l->px[i] = t->p[k].x, l->py[i] = t->p[k].y, l->pz[i] = t->p[k].z;
        l->dx[i] = t->edge[k].x, l->dy[i] = t->edge[k].y, l->dz[i] = t->edge[k].z;
        l->inverse[i] = 1 / t->square[k];
    }
}

/* As cm__closest_st, without its branches: parallel edges start at 0/0, which the clamp takes as 0; for them any start
 * will do, since clamping t and then s leads into the overlap or to its nearer end. */
static void distance_edges(const distance_lanes *restrict l, cm__point b0, cm__point e, double ee,
                           double *restrict out) {
    double inverse_e = 1 / ee;
    for (int i = 0; i < 4; i++) {
        double dx = l->dx[i], dy = l->dy[i], dz = l->dz[i];
        double rx = b0.x - l->px[i], ry = b0.y - l->py[i], rz = b0.z - l->pz[i];
        double nx = dy * e.z - dz * e.y, ny = dz * e.x - dx * e.z, nz = dx * e.y - dy * e.x;
        double cx = ry * e.z - rz * e.y, cy = rz * e.x - rx * e.z, cz = rx * e.y - ry * e.x;
        double s = (cx * nx + cy * ny + cz * nz) / (nx * nx + ny * ny + nz * nz);
        s = s > 0 ? s : 0;
        s = s < 1 ? s : 1;
        double t = ((s * dx - rx) * e.x + (s * dy - ry) * e.y + (s * dz - rz) * e.z) * inverse_e;
        t = t > 0 ? t : 0;
        t = t < 1 ? t : 1;
        rx += t * e.x, ry += t * e.y, rz += t * e.z;
        s = (rx * dx + ry * dy + rz * dz) * l->inverse[i];
        s = s > 0 ? s : 0;
        s = s < 1 ? s : 1;
        rx -= s * dx, ry -= s * dy, rz -= s * dz;
        out[i] = rx * rx + ry * ry + rz * rz;
    }
}

/* Squared distances above it are not looked at closer. They may be off by 2^-50 of the edges, and the last word has the
 * rounded distance; (m + e)² <= m² (1 + 2^-20) + e² (1 + 2^20). */
static double distance_limit(cm_real max_distance, double square_of_edges) {
    double m = (double)max_distance;
    return m < 0x1p500 ? m * m * (1 + 0x1p-20) + 0x1p-76 * square_of_edges + DBL_MIN : DBL_MAX;
}

static void distance_take(const cm__closest *c, distance_best *best) {
    best->on_a = c->a, best->on_b = c->b, best->gap = c->gap, best->square = c->square;
}

/* The least over the nine pairs of edges; untouched where all are beyond the limit. */
static void distance_of_edges(const distance_triangle *a, const distance_triangle *b, double limit,
                              distance_best *best) {
    distance_lanes lanes;
    double square[12];
    distance_lanes_load(a, &lanes);
    for (int k = 0; k < 3; k++) distance_edges(&lanes, b->p[k], b->edge[k], b->square[k], square + 4 * k);
    int least = 0;
    for (int i = 1; i < 12; i++) least = square[i] < square[least] ? i : least;
    if (square[least] * (1 - 0x1p-40) > limit) return;
    int i = least % 4 == 3 ? 0 : least % 4, k = least / 4;
    cm__closest c = cm__closest_segment_segment(a->p[i], a->p[i == 2 ? 0 : i + 1], b->p[k], b->p[k == 2 ? 0 : k + 1]);
    distance_take(&c, best);
}

/* Is one gap shorter than another? Where the squares underflow, by the lengths. */
static bool distance_is_less(const cm__closest_on_triangle *c, const distance_best *best) {
    if (c->square > 0x1p-900 || best->square > 0x1p-900) return c->square < best->square;
    return cm__point_length(c->gap) < cm__point_length(best->gap);
}

/* All fifteen, with care. */
static void distance_plain(const distance_triangle *a, const distance_triangle *b, distance_best *best) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            cm__closest c = cm__closest_segment_segment(a->p[i], a->p[(i + 1) % 3], b->p[k], b->p[(k + 1) % 3]);
            cm__closest_on_triangle as = {.gap = c.gap, .square = c.square};
            if (distance_is_less(&as, best)) distance_take(&c, best);
        }
        cm__closest_on_triangle c;
        cm__closest_point_triangle(b->p[i], a->p[0], a->p[1], a->p[2], &c);
        if (distance_is_less(&c, best)) {
            best->on_a = c.point, best->on_b = b->p[i], best->square = c.square;
            best->gap = cm__p(-c.gap.x, -c.gap.y, -c.gap.z);
        }
        cm__closest_point_triangle(a->p[i], b->p[0], b->p[1], b->p[2], &c);
        if (distance_is_less(&c, best))
            best->on_a = a->p[i], best->on_b = c.point, best->gap = c.gap, best->square = c.square;
    }
}

static cm_real distance_answer(const distance_best *best, cm_real max_distance, cm_vec3 *on_a, cm_vec3 *on_b) {
    if (!(best->square < DBL_MAX)) return CM_REAL_MAX;
    cm_real distance = (cm_real)cm__point_length(best->gap);
    if (distance < CM_REAL_MIN) distance = CM_REAL_MIN; /* decided: they are disjoint */
    if (!(distance <= max_distance)) return CM_REAL_MAX;
    *on_a = cm__vec3_of(best->on_a);
    *on_b = cm__vec3_of(best->on_b);
    return distance;
}

static cm_real distance_zero(const cm_vec3 a[3], const cm_vec3 b[3], cm_real max_distance, cm_vec3 *on_a,
                             cm_vec3 *on_b) {
    cm__triangle_crossing x;
    if (!(max_distance >= 0) || !cm__cross_triangle_triangle(a, b, &x)) return CM_REAL_MAX;
    *on_a = *on_b = cm_v(x.start.x / 2 + x.end.x / 2, x.start.y / 2 + x.end.y / 2, x.start.z / 2 + x.end.z / 2);
    return 0;
}

cm_real cm__distance_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3], cm_real max_distance, cm_vec3 *on_a,
                                       cm_vec3 *on_b) {
    distance_triangle p, q;
    distance_load(a, &p);
    distance_load(b, &q);
    distance_best best = {p.p[0], q.p[0], cm__point_sub(q.p[0], p.p[0]), DBL_MAX};
    double limit = distance_limit(max_distance, p.square[1] + q.square[1]);
    bool fast = !p.plain && !q.plain;

    cm__triangle_sides q_to_p, p_to_q;
    cm__triangle_sides_of(p.p, q.p, &q_to_p);
    bool q_apart = cm__triangle_sides_apart(&q_to_p);
    int near_q = distance_nearest(&q_to_p);
    if (q_apart && fast && distance_to_plane(&q_to_p, near_q) > limit) return CM_REAL_MAX;
    cm__triangle_sides_of(q.p, p.p, &p_to_q);
    bool p_apart = cm__triangle_sides_apart(&p_to_q);
    int near_p = distance_nearest(&p_to_q);
    if (p_apart && fast && distance_to_plane(&p_to_q, near_p) > limit) return CM_REAL_MAX;

    if (!q_apart && !p_apart && cm__triangles_meet(p.p, q.p, &p_to_q, &q_to_p))
        return distance_zero(a, b, max_distance, on_a, on_b);
    if (!fast) {
        distance_plain(&p, &q, &best);
        return distance_answer(&best, max_distance, on_a, on_b);
    }
    cm__closest_on_triangle c;
    if (q_apart && distance_over_face(&p, q_to_p.normal, q.p[near_q], &c)) {
        best.on_a = c.point, best.on_b = q.p[near_q], best.gap = c.gap, best.square = c.square;
    } else if (p_apart && distance_over_face(&q, p_to_q.normal, p.p[near_p], &c)) {
        best.on_a = p.p[near_p], best.on_b = c.point, best.gap = c.gap, best.square = c.square;
    } else {
        distance_of_edges(&p, &q, limit, &best);
    }
    return distance_answer(&best, max_distance, on_a, on_b);
}
