/* The first time at which a triangle whose corners move straight and a convex shape that turns, or is accelerated, are
 * no more than a separation d apart.
 *
 * Along a unit direction n let f(u) be the least of n.(q - p) over the shape's points q and the triangle's p: they are
 * at least that far apart. It is the least of smooth functions of u, of each of which the second derivative is at most
 * K. For a fixed n that is the acceleration of the shape's points along n (sweep/moving.h), as the triangle's have
 * none. For an n that turns with the shape, as the normal of its face does, n.(q - c) is constant, c the pivot, and
 * n.(p - c) bends by |w x n| (|w| |p - c| + 2 |p' - c'|) and the acceleration of c at most. A function whose second
 * derivative is at most K lies nowhere more than K h^2 s (1 - s) / 2 under its chord over a step h, s from 0 to 1: with
 * l left over d at the start and r at the end of it all is above d if K h^2 / 2 <= (sqrt l + sqrt r)^2.
 *
 * The search is that of course.h with such steps: from the normal of the closest points, the longest that is proved
 * along either direction, by bisection; each ends where the triangle and the shape are looked at again. Where the
 * closest points are no more than d + tau apart it is a hit. What is proved does not hang on where n comes from.
 *
 * Rounding: places are made of the lengths in `size`, by turns right to 2^-50; a support point and its product with n
 * are right to a few roundings more: E is 2^-44 of `size`, and 2^-40 of a curved core's own. As tau >= 8 E, what is
 * found more than d + tau / 2 apart is more than d apart.
 *
 * Bound: CM_PATH_STEPS steps of 2 TURNING_CUTS places each. No memory. Based on: [Mirtich96]. */
#include "deform/turning.h"
#include "convex/convex.h"
#include "math/wide.h"

#define TURNING_ERROR     0x1p-44
#define TURNING_CURVED    0x1p-40
#define TURNING_ROUNDING  (64 * (double)CM_REAL_EPSILON)
#define TURNING_TOLERANCE 0x1p-30 /* of the size, where the caller has none */
#define TURNING_CUTS      48

typedef struct turning {
    const cm__moving *body;
    const cm__point *start, *end;
    double far, passing; /* bounds on how far corners are from the pivot, and on their speed seen from it */
    double bend;         /* of the pivot's way */
    double separation, error, rounding, tolerance;
} turning;

typedef struct turning_direction {
    bool carried; /* it turns with the body, */
    cm__point n;  /* in whose frame it is this; else in the world */
    double bend;  /* K */
} turning_direction;

static void turning_prepare(const cm__moving *body, const cm__point start[3], const cm__point end[3],
                            cm_real separation, cm_real tolerance, turning *out) {
    out->body = body, out->start = start, out->end = end;
    out->bend = cm__point_length(body->accelerate);
    out->far = out->passing = 0;
    double size = cm__point_length(body->away) + cm__point_length(body->move) + out->bend + body->radius;
    size += cm__point_length(body->pivot) + fabs(body->d);
    const double own = body->endless ? 0 : cm__point_largest(body->core.center) + body->core.size + body->radius;
    double most = 0;
    for (int k = 0; k < 3; k++) {
        const cm__point way = cm__point_sub(end[k], start[k]);
        most = cm__most(most, cm__most(cm__point_largest(start[k]), cm__point_largest(end[k])));
        const double moved = cm__point_length(cm__point_sub(way, body->move)) + out->bend;
        out->passing = cm__most(out->passing, moved);
        out->far = cm__most(out->far, cm__point_length(cm__point_sub(start[k], body->away)) + moved);
    }
    size += 2 * most + own;
    out->separation = (double)separation;
    out->error = TURNING_ERROR * (size + out->separation);
    if (!body->endless && !body->core.ops->corner) out->error += TURNING_CURVED * own;
    out->rounding = TURNING_ROUNDING * cm__most(size, out->separation) + 32 * out->error;
    out->tolerance = tolerance > 0 ? (double)tolerance : TURNING_TOLERANCE * size;
}

static void turning_corners(const turning *t, double u, cm__point at[3]) {
    for (int k = 0; k < 3; k++) at[k] = cm__point_between(t->start[k], t->end[k], u);
}

/* The closest points at a time; `gap` from the triangle to the body. */
static void turning_measure(const turning *t, double u, cm__course_end *out) {
    const cm__moving *body = t->body;
    cm__frame frame;
    cm__point at[3];
    cm__moving_at(body, u, &frame);
    turning_corners(t, u, at);
    out->u = u;
    if (body->endless) {
        const cm__point up = frame_rotate(&frame, body->plane);
        double least = DBL_MAX;
        for (int k = 0; k < 3; k++) {
            const double height = cm__point_dot(up, cm__point_sub(at[k], frame.position)) + body->d - body->radius;
            if (!(height < least)) continue;
            least = height;
            out->near.point = cm__point_mul_add(at[k], -height, up);
        }
        out->near.distance = cm__most(least, 0);
        out->normal = wide_neg(up);
        return;
    }
    cm__core triangle;
    cm__convex_pair pair;
    cm__convex_gap gap;
    cm__core_triangle(at[0], at[1], at[2], &triangle);
    cm__convex_pair_of(&triangle, &body->core, &frame, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
    out->near.distance = cm__most(gap.distance, 0) + cm__most(gap.slack, 0);
    out->near.point = gap.b;
    out->normal = gap.normal;
}

/* f at a time. */
static double turning_along(const turning *t, double u, const turning_direction *d) {
    const cm__moving *body = t->body;
    cm__frame frame;
    cm__point at[3];
    cm__moving_at(body, u, &frame);
    turning_corners(t, u, at);
    const cm__point n = d->carried ? frame_rotate(&frame, d->n) : d->n;
    double least = DBL_MAX;
    for (int k = 0; k < 3; k++) least = cm__least(cm__point_dot(n, cm__point_sub(frame.position, at[k])), least);
    if (body->endless) return least + body->d - body->radius; /* n is against the plane's normal */
    uint32_t id = body->core.ops->corner ? 0 : CM_NONE;
    const cm__point local = frame_unrotate(&frame, n);
    const cm__point p = body->core.ops->support(&body->core, wide_neg(local), &id);
    return least + cm__point_dot(local, p) - body->radius;
}

/* A fixed direction, or one that goes with the body; of a half-space its plane's. */
static turning_direction turning_direction_of(const turning *t, double u, cm__point n, bool carried) {
    const cm__moving *body = t->body;
    turning_direction d = {carried, n, 0};
    if (!carried) {
        d.bend = cm__moving_bend(body, n) + t->bend;
        return d;
    }
    cm__frame frame;
    cm__moving_at(body, u, &frame);
    d.n = frame_unrotate(&frame, n);
    const double beside = cm__point_length(cm__point_cross(body->spin, n));
    d.bend = beside * (cm__point_length(body->spin) * t->far + 2 * t->passing) + t->bend;
    return d;
}

/* How long a step from u on is proved to stay above `level` along a direction; `most` or more: all of it. */
static double turning_stride(const turning *t, double u, const turning_direction *d, double level, double slack,
                             double most) {
    const double left = turning_along(t, u, d) - level;
    if (!(left > 0)) return 0;
    const double reach = d->bend > 0 ? sqrt(2 / d->bend) * (1 - 1e-6) : DBL_MAX, root = sqrt(left);
    double low = 0, high = most, h = most;
    for (int i = 0; i < TURNING_CUTS; i++) {
        const double rest = turning_along(t, u + h, d) - level;
        if (rest >= 0 && h <= (root + sqrt(rest)) * reach) {
            low = h;
            if (h >= most || rest <= slack) break;
        } else {
            high = h;
        }
        if (!(high > 1.05 * low)) break;
        /* longer steps than that need as much to be left at their end */
        h = low > 0 || i == 0 ? low + (high - low) / 2 : high / 2;
    }
    return low;
}

static double turning_longest(const turning *t, const cm__course_end *at, double level, double slack, double most) {
    double h = 0;
    for (int way = t->body->endless ? 1 : 0; way < 2 && h < most; way++) {
        const turning_direction d = turning_direction_of(t, at->u, at->normal, way == 1);
        h = cm__most(h, turning_stride(t, at->u, &d, level, slack, most));
    }
    return h;
}

cm_path_verdict cm__turning_sweep(const cm__moving *body, const cm__point start[3], const cm__point end[3],
                                  cm_real separation, cm_real tolerance, double until, cm__course_end *out) {
    turning t;
    double u = 0, tau = 0;
    turning_prepare(body, start, end, separation, tolerance, &t);
    for (int step = 0; step < CM_PATH_STEPS; step++) {
        turning_measure(&t, u, out);
        const double distance = out->near.distance, over = distance - t.error - t.separation;
        if (step == 0) {
            tau = cm__least(cm__most(t.tolerance, t.rounding / 4), over / 4);
            if (!(over > t.rounding)) { /* free all the same where one direction shows it: at rest, or leaving */
                const bool free = over > 0 && turning_longest(&t, out, t.separation + t.error, 0, 1) >= 1;
                return free ? CM_PATH_FREE : CM_PATH_START;
            }
        }
        if (distance + t.error <= t.separation + tau) return CM_PATH_HIT;
        const double most = 1 - u, h = turning_longest(&t, out, t.separation + tau / 2, tau / 8, most);
        if (h >= most || u + h >= until) return CM_PATH_FREE;
        const double down = (double)wide_down(u + h);
        if (!(down > u)) return CM_PATH_LIMIT;
        u = down;
    }
    out->u = u;
    return CM_PATH_LIMIT;
}
