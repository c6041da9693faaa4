/* See course.h. */
#include "deform/course.h"
#include "math/closest.h"
#include "math/wide.h"

#include <string.h>

#define COURSE_ERROR     0x1p-47 /* E / M */
#define COURSE_ROUNDING  (64 * (double)CM_REAL_EPSILON)
#define COURSE_TOLERANCE 0x1p-30 /* of M, where the caller has none */

bool cm__course_is_far(const cm__course *c) {
    const double far = cm__course_far(c->separation);
    cm__point low = c->start[0], high = c->start[0];
    for (int k = 0; k < c->count; k++) {
        const cm__point ends[2] = {c->start[k], c->end[k]};
        for (int e = 0; e < 2; e++) {
            low = cm__p(cm__least(ends[e].x, low.x), cm__least(ends[e].y, low.y), cm__least(ends[e].z, low.z));
            high = cm__p(cm__most(ends[e].x, high.x), cm__most(ends[e].y, high.y), cm__most(ends[e].z, high.z));
        }
    }
    return low.x > far || low.y > far || low.z > far || high.x < -far || high.y < -far || high.z < -far;
}

/* The power of two that brings x >= 0 to [1/2, 1); 2^1000 at most. */
static double course_unit(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t power = 2045 - (bits >> 52 & 2047);
    bits = (power < 2023 ? power : 2023) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void cm__course_scale(cm__course *c) {
    double m = c->separation;
    for (int k = 0; k < c->count; k++)
        m = cm__most(m, cm__most(cm__point_largest(c->start[k]), cm__point_largest(c->end[k])));
    if (c->body) m = cm__most(m, c->body->size);
    c->scale = c->body ? 1 : course_unit(m);
    for (int k = 0; k < c->count; k++) {
        c->start[k] = cm__point_scale(c->start[k], c->scale);
        c->end[k] = cm__point_scale(c->end[k], c->scale);
    }
    c->separation *= c->scale, c->tolerance *= c->scale, m *= c->scale;
    c->error = COURSE_ERROR * m + (c->body ? c->body->error : 0);
    c->rounding = COURSE_ROUNDING * m + 32 * c->error;
    if (!(c->tolerance > 0)) c->tolerance = COURSE_TOLERANCE * m;
}

void cm__course_at(const cm__course *c, double u, cm__point at[4]) {
    for (int k = 0; k < c->count; k++) at[k] = cm__point_between(c->start[k], c->end[k], u);
}

/* --- closest points ----------------------------------------------------------------------------------------------- */

void cm__course_measure(const cm__course *c, const cm__point at[4], cm__course_near *out) {
    const cm__point origin = cm__p(0, 0, 0);
    memset(out, 0, sizeof *out);
    if (c->kind == CM__COURSE_BODY) {
        c->body->near(c->body, at, out);
        return;
    }
    if (c->kind == CM__COURSE_EDGES) { /* A from the origin to a, B from v_00 to v_01 */
        const cm__point a = cm__point_sub(at[0], at[3]);
        const cm__closest s = cm__closest_segment_segment(origin, a, at[0], at[1]);
        out->s = s.s, out->t = s.t, out->gap = s.gap;
        out->weight[0] = (1 - s.s) * (1 - s.t), out->weight[1] = (1 - s.s) * s.t;
        out->weight[2] = s.s * s.t, out->weight[3] = s.s * (1 - s.t);
    } else if (c->count == 3) {
        cm__closest_on_triangle t;
        cm__closest_point_triangle(origin, at[0], at[1], at[2], &t);
        out->gap = t.gap;
        for (int k = 0; k < 3; k++) out->weight[k] = t.weight[k];
    } else if (c->count == 2) {
        const cm__closest s = cm__closest_point_segment(origin, at[0], at[1]);
        out->gap = s.gap;
        out->weight[0] = 1 - s.t, out->weight[1] = s.t;
    } else {
        out->gap = at[0];
        out->weight[0] = 1;
    }
    out->distance = cm__point_length(out->gap);
}

/* --- directions --------------------------------------------------------------------------------------------------- */

static cm__point course_unit_vector(cm__point v) { return wide_normalize(v, cm__p(0, 0, 0)); }

/* v less its part along e, twice, so that what rounding leaves of it is small beside the result. */
static cm__point course_across(cm__point v, cm__point e) {
    const double ee = cm__point_dot(e, e);
    if (!(ee > DBL_MIN)) return v;
    for (int i = 0; i < 2; i++) v = cm__point_mul_add(v, -(cm__point_dot(v, e) / ee), e);
    return v;
}

/* The least of n.v_k at a time: how far apart n shows them to be. */
static double course_along(const cm__course *c, const cm__point at[4], cm__point n) {
    double least = cm__point_dot(n, at[0]);
    for (int k = 1; k < c->count; k++) least = cm__least(cm__point_dot(n, at[k]), least);
    return c->body ? least + c->body->least(c->body, n) : least;
}

typedef struct course_best {
    cm__point normal;
    double along;
} course_best;

static void course_try(const cm__course *c, const cm__point at[4], cm__point n, course_best *best) {
    n = course_unit_vector(n);
    const double along = course_along(c, at, n);
    if (along > best->along && cm__point_dot(n, n) > 0) best->normal = n, best->along = along;
}

/* The normal of the polygon, made exactly perpendicular to its longest edge: of a thin one rounding turns it about that
 * edge, which moves its corners the least. 0 where there is none. */
static cm__point course_face(const cm__course *c, const cm__point at[4]) {
    if (c->count < 3) return cm__p(0, 0, 0);
    int longest = 0;
    double most = 0;
    for (int i = 0; i < c->count; i++) {
        const cm__point e = cm__point_sub(at[(i + 1) % c->count], at[i]);
        const double ee = cm__point_dot(e, e);
        if (ee > most) most = ee, longest = i;
    }
    const int next = (longest + 1) % c->count, last = (longest + c->count - 1) % c->count;
    const cm__point e = cm__point_sub(at[next], at[longest]), f = cm__point_sub(at[last], at[longest]);
    return course_unit_vector(course_across(cm__point_cross(e, f), e));
}

/* Where the gap itself, being little more than rounding, is no good direction: the face's normal, directions across
 * each edge, composed of the face's normal and the one across the edge within the face, so that no other corner is
 * nearer, and those to the corners. The best of them. */
static void course_directions(const cm__course *c, const cm__point at[4], course_best *best) {
    const cm__point face = course_face(c, at);
    const bool flat = cm__point_dot(face, face) > 0;
    const cm__point up = cm__point_dot(face, at[0]) < 0 ? wide_neg(face) : face;
    if (flat) course_try(c, at, up, best);
    for (int i = 0; i < c->count; i++) {
        course_try(c, at, at[i], best);
        const int j = (i + 1) % c->count;
        if (j == i || (c->count == 2 && i == 1)) continue;
        const cm__point e = cm__point_sub(at[j], at[i]);
        if (!flat) {
            course_try(c, at, course_across(at[i], e), best);
            continue;
        }
        cm__point inward = course_unit_vector(cm__point_cross(e, up));
        const cm__point beside = cm__point_sub(at[(j + 1) % c->count], at[i]);
        if (cm__point_dot(inward, beside) < 0) inward = wide_neg(inward);
        const double out = cm__point_dot(inward, at[i]), above = cm__point_dot(up, at[i]);
        if (out > 0) course_try(c, at, cm__point_mul_add(cm__point_scale(up, above), out, inward), best);
    }
}

/* --- the search --------------------------------------------------------------------------------------------------- */

/* The first time after u at which f falls to `goal`; 2: it stays above d + 4 E up to the end, so that the next step,
 * which begins there, sees it above d + E again. */
static double course_next(const cm__course *c, cm__point n, double u, double goal) {
    const double offset = c->body ? c->body->least(c->body, n) : 0, last = c->separation + 4 * c->error;
    double next = 2, ends = DBL_MAX, here = DBL_MAX;
    for (int k = 0; k < c->count; k++) {
        const double a = cm__point_dot(n, c->start[k]) + offset, b = cm__point_dot(n, c->end[k]) + offset;
        ends = cm__least(b, ends), here = cm__least(a + u * (b - a), here);
        if (b < goal) next = cm__least(a > goal ? (a - goal) / (a - b) : 0, next);
    }
    if (!(here > goal)) return u;
    return ends > last ? 2 : next;
}

/* A direction that shows the two to be as far apart as they are, but for `slack`, where one is found. */
static cm__point course_direction(const cm__course *c, const cm__point at[4], const cm__course_near *near,
                                  double slack) {
    course_best best = {cm__p(0, 0, 0), -DBL_MAX};
    course_try(c, at, near->gap, &best);
    if (!c->body && !(best.along >= near->distance - slack)) course_directions(c, at, &best);
    return best.normal;
}

/* A direction that turns with the features: n(h) = n[0] + h n[1] + h^2 n[2], h from the time u on. The first h at which
 * n.v_k may fall to goal |n| for some k; 2: not up to the end. Each n.v_k is a cubic. |n(h)| is at most
 * |n0| + h |n1| + h^2 |n2|; and while that is at most |n0| / 2 away from n0, at most its part along n0 plus the square
 * of its part across, over |n0|, which is better where the goal is not small. The cubic less goal times that is bounded
 * below by its tangent at 0 less the largest curvature. */
static double course_turn_until(const cm__course *c, const cm__point at[4], const cm__point n[3], double u, double goal,
                                double size) {
    const double left = 1 - u, n0 = cm__point_length(n[0]), n1 = cm__point_length(n[1]), n2 = cm__point_length(n[2]);
    if (!(n0 > 0)) return 0;
    const cm__point up = cm__point_scale(n[0], 1 / n0);
    const double along1 = cm__point_dot(up, n[1]), along2 = cm__point_dot(up, n[2]);
    const double reach = n0 / (2 * (n1 + n2 * left) + DBL_MIN), most = reach < left ? reach : left;
    const double across =
        cm__point_length(cm__point_cross(up, n[1])) + most * cm__point_length(cm__point_cross(up, n[2]));
    const double length[2][3] = {{n0, n1, n2}, {n0, along1, along2 + across * across / n0}};
    const double until[2] = {left, most};
    double best = 0;
    for (int way = 0; way < 2; way++) {
        double next = 2;
        for (int k = 0; k < c->count; k++) {
            const cm__point v = at[k], w = cm__point_sub(c->end[k], c->start[k]);
            const double q0 = cm__point_dot(n[0], v) - goal * length[way][0] - size;
            const double q1 = cm__point_dot(n[1], v) + cm__point_dot(n[0], w) - goal * length[way][1];
            const double q2 = cm__point_dot(n[2], v) + cm__point_dot(n[1], w) - goal * length[way][2];
            const double q3 = cm__point_dot(n[2], w), bend = -2 * cm__least(q2, q2 + 3 * q3 * until[way]);
            const double curve = bend > 0 ? bend : 0, under = sqrt(q1 * q1 + 2 * curve * cm__most(q0, 0)) - q1;
            const double h = q0 > 0 ? (2 * q0 < under * until[way] ? 2 * q0 / under : 2) : 0;
            next = cm__least(h, next);
        }
        if (next > until[way]) next = way == 0 ? 2 : most;
        best = cm__most(next, best);
    }
    return best;
}

/* How far the normal of the turning face, or what stays perpendicular to its turning edge nearest to the origin, proves
 * the two to be apart. Rounding, as in course.h: the corners are off by 6 w M a component at u and their moves by 4 w
 * M, 18 w M together, edges by twice that; so a product of edge, edge and corner is off by 36 w M times an edge's
 * length times the other's reach, and 18 w M times both edges' lengths, and by 12 roundings of the product itself, of
 * which the corner's reach is below 3.5 M. E holds all three. */
static double course_turn(const cm__course *c, const cm__point at[4], const cm__course_near *near, double u,
                          double goal) {
    if (c->count < 2) return 0;
    int i = 0;
    for (int k = 1; k < c->count; k++)
        if (near->weight[k] + near->weight[(k + 1) % c->count] > near->weight[i] + near->weight[(i + 1) % c->count])
            i = k;
    const int j = (i + 1) % c->count, l = (i + c->count - 1) % c->count;
    const cm__point e = cm__point_sub(at[j], at[i]), f = cm__point_sub(at[l], at[i]);
    const cm__point e_end = cm__point_sub(c->end[j], c->end[i]), f_end = cm__point_sub(c->end[l], c->end[i]);
    const cm__point e_move = cm__point_sub(e_end, cm__point_sub(c->start[j], c->start[i]));
    const cm__point f_move = cm__point_sub(f_end, cm__point_sub(c->start[l], c->start[i]));
    double reach = 0;
    for (int k = 0; k < c->count; k++)
        reach = cm__most(reach, cm__point_length(at[k]) + cm__point_length(cm__point_sub(c->end[k], c->start[k])));
    const double size_e = cm__point_length(e) + cm__point_length(e_move);
    const double size_f = cm__point_length(f) + cm__point_length(f_move);
    const cm__point zero = cm__p(0, 0, 0), side = course_unit_vector(cm__point_cross(e, near->gap));
    double best = 0;
    if (c->count > 2) {
        cm__point n[3] = {cm__point_cross(e, f), cm__point_add(cm__point_cross(e, f_move), cm__point_cross(e_move, f)),
                          cm__point_cross(e_move, f_move)};
        if (cm__point_dot(n[0], at[i]) < 0)
            for (int k = 0; k < 3; k++) n[k] = wide_neg(n[k]);
        best = course_turn_until(c, at, n, u, goal, c->error * (size_e * size_f + (size_e + size_f) * reach));
    }
    const cm__point n[3] = {cm__point_cross(side, e), cm__point_cross(side, e_move), zero};
    return cm__most(best, course_turn_until(c, at, n, u, goal, c->error * (size_e + reach)));
}

cm_path_verdict cm__course_run(const cm__course *c, double until, cm__course_end *out) {
    cm__point at[4];
    double tau = 0;
    out->u = 0;
    for (int step = 0; step < CM_PATH_STEPS; step++) {
        cm__course_at(c, out->u, at);
        cm__course_measure(c, at, &out->near);
        const double distance = out->near.distance, start = distance - c->error - c->separation;
        if (step == 0) tau = cm__least(cm__most(c->tolerance, c->rounding / 4), start / 4);
        const bool starts = step == 0 && !(start > c->rounding);
        out->normal = course_direction(c, at, &out->near, (starts ? c->rounding / 4 : tau) / 8);
        if (starts) { /* free all the same, where one direction shows it for all of the step: at rest, or leaving */
            const bool leaves = course_next(c, out->normal, 0, c->separation + c->error) >= 2;
            return start > 0 && leaves ? CM_PATH_FREE : CM_PATH_START;
        }
        if (distance + c->error <= c->separation + tau) return CM_PATH_HIT;
        const double goal = c->separation + tau / 2;
        double next = course_next(c, out->normal, out->u, goal);
        if (next < until && !c->body) next = cm__most(next, out->u + course_turn(c, at, &out->near, out->u, goal));
        if (next >= until || next >= 2) return CM_PATH_FREE;
        const double down = (double)wide_down(cm__least(next, 1));
        if (!(down > out->u)) return CM_PATH_LIMIT;
        out->u = down;
    }
    return CM_PATH_LIMIT;
}
