/* Sweeps that start in touch: within the band around touching, or deeper. And the test that both they and turning
 * sweeps are made of: for how long does a fixed direction prove that two moving sets stay apart?
 *
 * Along a unit direction n, let s_n be the separation of the two (negative: their overlap along n). The signed distance
 * g of two convex sets is the greatest s_n, so every n bounds g from below. s_n is the least n.(q - p) over the points
 * p of A and q of B, and each of these functions of time has a second derivative of at most K (moving.h; 0 in straight
 * motion). Over a step of length h such a function lies at most K h^2 s (1 - s) / 2, 0 <= s <= 1, under the line from
 * its start to its end. With separation d at the start and e at the end it stays above 0 throughout if K h^2 / 2 <=
 * (sqrt d + sqrt e)^2: then the line and the parabola just touch. The same holds along a direction that moves, with a K
 * of its own: the normal of a face moves with its shape, the cross product of an edge of A and one of B with both. Such
 * directions are needed: a face or edge that turns tilts at once against a fixed direction, and where two touch there
 * is no separation left for that.
 *
 * Do the two get deeper than at the start by more than G? The same steps on g(u) - (g(0) - G) answer: along the normal
 * at the time reached until it proves no more, then along the normal at that time. In straight motion g is convex and
 * this is Newton's method from the left, never past the root. A normal that was one of many (at edges and corners that
 * touch) or is rounding proves a tiny step only, and the next one is right. A body that turns about the normal does not
 * move along it: one step. A body thinner than G never gets G deep. That it was passed through shows in the normal: it
 * is reversed, the two hardly overlap along it any more, and it is none of the normals of the start, unless the caller
 * knows on which side they start. Bound: START_STEPS steps; the proof ends at the last of them.
 *
 * Every step is proved for itself. So where something is exactly what it is compared with (a gap the level, a step the
 * rest, a corner as far as another) either answer is right, and a direction that need not be tried does no harm. */
#include "sweep/start.h"
#include "convex/convex.h"
#include "math/wide.h"
#include "pair/method.h"
#include "sweep/curve.h"
#include "sweep/hit.h"

#define START_STEPS    256                /* bound on the steps of a search */
#define START_ROUNDING (16 * DBL_EPSILON) /* of the sizes: rounding of a proven distance */
#define START_CURVED   2e-11              /* of its size: error of the depth of a curved shape */
#define STRIDE_FALLS   (1.0 / 64)         /* a chord's root nearer to its start than this share is a parabola's */
#define CROSSED_SINE   0.01               /* edges nearer to parallel than this have no definite crossing */
#define CROSSED_COSINE 0.999 /* the normal is that of two crossing edges within 2.6 degrees of their cross product */
#define CROSSED_TILT   1e-4  /* radians, by which a direction is tilted to find the edge of a round shape */

/* --- two moving sets --------------------------------------------------------------------------------------------- */

void cm__moving_pair_finish(cm__moving_pair *p) {
    p->v = cm__point_sub(p->a.move, p->b.move);
    p->bend = cm__point_sub(p->a.accelerate, p->b.accelerate);
    p->curved = cm__point_largest(p->bend) > 0;
    p->turns = p->a.turns || p->b.turns || p->curved;
    const double moved = cm__point_length(p->v) + cm__point_length(p->bend);
    p->scale = cm__point_largest(p->v) + cm__point_largest(p->a.pivot) + cm__point_largest(p->b.pivot);
    p->scale += cm__point_largest(p->bend);
    p->passing = moved + cm__moving_fastest(&p->a);
    p->far = cm__point_length(cm__point_sub(p->a.away, p->b.away)) + 2 * moved + p->a.arm + p->a.core.size;
}

void cm__moving_pair_of(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                        cm__moving_pair *out) {
    const cm__point origin = cm__point_of(ma->start.position);
    cm__moving_of(a, ma, origin, &out->a);
    cm__moving_of(b, mb, origin, &out->b);
    cm__moving_pair_finish(out);
}

double cm__moving_pair_fastest(const cm__moving_pair *p) {
    const double turning =
        cm__moving_fastest(&p->a) + (p->b.endless ? p->b.across * p->far : cm__moving_fastest(&p->b));
    return turning + cm__point_length(p->bend);
}

double cm__moving_turning(const cm__moving_pair *p, cm__point normal) {
    if (!p->turns) return 0;
    const double gained = wide_max(cm__point_dot(p->bend, normal), 0);
    if (!(p->b.endless && p->b.turns))
        return gained + cm__moving_speed(&p->a, normal) + (p->b.endless ? 0 : cm__moving_speed(&p->b, normal));
    return cm__moving_pair_fastest(p);
}

static double moving_pair_bend(const cm__moving_pair *p, cm__point normal) {
    if (!p->turns) return 0;
    if (!(p->b.endless && p->b.turns)) {
        const double braked = wide_max(-cm__point_dot(p->bend, normal), 0);
        return braked + cm__moving_bend(&p->a, normal) + (p->b.endless ? 0 : cm__moving_bend(&p->b, normal));
    }
    /* the height n.(p - q) over the plane: n'', twice n' with the points' speed, and their acceleration */
    const double spin_a = cm__point_length(p->a.spin), spin_b = cm__point_length(p->b.spin);
    const double turning = p->b.across * (spin_b * p->far + 2 * p->passing) + spin_a * cm__moving_fastest(&p->a);
    return turning + cm__point_length(p->bend);
}

/* The height of A's lowest point over a half-space; the point, relative to `origin`, and the plane's normal. */
static double moving_height(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__point *normal,
                            cm__point *lowest) {
    uint32_t id = 0;
    *normal = frame_rotate(b, p->b.plane);
    cm__point down = frame_unrotate(a, wide_neg(*normal));
    *lowest = frame_apply(a, p->a.core.ops->support(&p->a.core, down, &id));
    return cm__point_dot(*normal, cm__point_sub(*lowest, b->position)) + p->b.d - p->a.radius - p->b.radius;
}

/* The separation of two shapes with cores, at these places, along a unit normal. */
static double moving_apart(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__point normal) {
    const cm__point toward_b = frame_unrotate(a, normal), toward_a = frame_unrotate(b, wide_neg(normal));
    uint32_t id_a = 0, id_b = 0;
    const cm__point from = p->a.core.ops->support(&p->a.core, toward_b, &id_a);
    const cm__point to = p->b.core.ops->support(&p->b.core, toward_a, &id_b);
    const double between = cm__point_dot(normal, cm__point_sub(b->position, a->position));
    return between - cm__point_dot(from, toward_b) - cm__point_dot(to, toward_a) - p->a.radius - p->b.radius;
}

/* The gap by the method of the two kinds, in the order of the list. Steps are planned by the normal, so it has to prove
 * the distance. False where it does not, and for cores that barely touch, whose gap is too short to have a
 * direction. */
static bool moving_gap_of_shapes(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__gap *out) {
    if (!p->a.shape || !p->b.shape) return false;
    const bool swapped = p->b.shape->kind < p->a.shape->kind;
    const cm_shape *first = swapped ? p->b.shape : p->a.shape, *second = swapped ? p->a.shape : p->b.shape;
    const cm__frame *frame = swapped ? b : a, second_in_first = frame_between(frame, swapped ? a : b);
    const cm__method *method = cm__method_of(first->kind, second->kind);
    if (method_searches(method) || method == &cm__method_polytopes) return false; /* the cores give the same, faster */
    method->gap(first, second, &second_in_first, out);
    const cm__point on_first = frame_apply(frame, out->a), on_second = frame_apply(frame, out->b);
    const cm__point normal = frame_rotate(frame, out->normal);
    out->a = swapped ? on_second : on_first, out->b = swapped ? on_first : on_second;
    out->normal = swapped ? wide_neg(normal) : normal;
    const double size = p->scale + p->a.core.size + p->b.core.size + cm__point_largest(second_in_first.position);
    const double rounding = START_ROUNDING * size, cores = out->distance + p->a.radius + p->b.radius;
    return fabs(cores) > 64 * rounding && moving_apart(p, a, b, out->normal) >= out->distance - rounding;
}

/* The gap by their cores. */
static void moving_gap_of_cores(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__gap *out) {
    const cm__frame b_in_a = frame_between(a, b);
    cm__convex_pair two;
    cm__convex_gap gap;
    cm__convex_pair_of(&p->a.core, &p->b.core, &b_in_a, &two);
    two.scale += p->scale;
    cm__convex_gap_of(&two, DBL_MAX, NULL, &gap);
    cm__convex_settle(&two, &gap);
    out->distance = gap.distance;
    out->normal = frame_rotate(a, gap.normal);
    out->a = frame_apply(a, gap.a), out->b = frame_apply(a, gap.b);
}

void cm__moving_gap_at(const cm__moving_pair *p, double u, cm__moving_gap *out) {
    cm__frame a, b;
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    out->u = u;
    out->sided = out->limit = false;
    if (p->b.endless) {
        cm__point up;
        out->distance = moving_height(p, &a, &b, &up, &out->a);
        out->normal = wide_neg(up);
        out->a = cm__point_mul_add(out->a, p->a.radius, out->normal);
        return;
    }
    cm__gap gap;
    if (!moving_gap_of_shapes(p, &a, &b, &gap)) moving_gap_of_cores(p, &a, &b, &gap);
    out->distance = gap.distance;
    out->normal = gap.normal;
    out->a = gap.a;
}

/* A unit direction over time: fixed in the world or in one of the two shapes, or perpendicular to an edge of each. */
typedef struct moving_direction {
    const cm__moving *with;   /* NULL: the world */
    cm__point normal;         /* there */
    double bend;              /* bound on the second derivative of the separation along it */
    double longest;           /* valid over steps no longer than this */
    bool crossed;             /* the direction is not `normal` but perpendicular to both of these edges */
    cm__point edge_a, edge_b; /* unit, each in its own frame */
} moving_direction;

static moving_direction moving_fixed(const cm__moving_pair *p, cm__point normal) {
    const moving_direction d = {.normal = normal, .bend = moving_pair_bend(p, normal), .longest = DBL_MAX};
    return d;
}

/* A direction fixed in A (or B), equal to `normal` at time u. Relative to A's pivot, A's own points do not move along
 * it; the second derivative of a point q of the other along it is n''.q + 2 n'.q' + n.q''. */
static moving_direction moving_carried(const cm__moving_pair *p, bool in_a, double u, cm__point normal) {
    const cm__moving *own = in_a ? &p->a : &p->b, *other = in_a ? &p->b : &p->a;
    cm__frame frame;
    cm__moving_at(own, u, &frame);
    const double bend = cm__point_length(p->bend), moved = cm__point_length(p->v) + bend,
                 beside = cm__point_length(cm__point_cross(own->spin, normal));
    const double far = cm__point_length(cm__point_sub(p->a.away, p->b.away)) + moved + other->arm + other->core.size;
    const double passing = moved + cm__moving_fastest(other);
    moving_direction d = {.with = own, .normal = frame_unrotate(&frame, normal), .longest = DBL_MAX};
    d.bend = beside * (cm__point_length(own->spin) * far + 2 * passing);
    d.bend += cm__point_length(other->spin) * cm__moving_fastest(other) + bend;
    return d;
}

/* For a body of revolution, the direction of its edge at the support point: the line of a straight side, or the tangent
 * of a rim. Which of the two follows from how far the support point moves when the direction is tilted. false: neither,
 * in the middle of a face. */
static bool moving_round_edge(const cm__moving *m, cm__point direction, cm__point *out) {
    const cm__core *core = &m->core;
    bool any = false;
    cm__point axis;
    if (!m->shape || !cm__ops(m->shape->kind)->axis) return false;
    if (!cm__ops(m->shape->kind)->axis(m->shape, &any, &axis) || any) return false;
    const cm__point around = cm__point_cross(axis, direction);
    const double sine = cm__point_length(around);
    if (!(sine > CROSSED_SINE)) return false;
    *out = cm__point_scale(around, 1 / sine);
    const cm__point outward = cm__point_cross(*out, direction);
    uint32_t none = CM_NONE;
    const cm__point one = core->ops->support(core, cm__point_mul_add(direction, CROSSED_TILT, outward), &none);
    const cm__point other = core->ops->support(core, cm__point_mul_add(direction, -CROSSED_TILT, outward), &none);
    const cm__point line = cm__point_sub(one, other);
    if (cm__point_length(line) > 16 * CROSSED_TILT * core->size) *out = wide_normalize(line, *out);
    return true;
}

/* The edge farthest along a direction, as a unit vector in the shape's own frame: from one of the two farthest corners
 * to the other. false: there is none. */
static bool moving_edge(const cm__moving *m, cm__point direction, cm__point *out) {
    const cm__core *core = &m->core;
    if (!core->ops->corner) return moving_round_edge(m, direction, out);
    double first = -DBL_MAX, second = -DBL_MAX;
    cm__point one = {0, 0, 0}, other = one, none = one;
    for (uint32_t i = 0; i < core->count; i++) {
        const cm__point corner = core->ops->corner(core, i);
        const double along = cm__point_dot(corner, direction);
        if (along > first) {
            second = first, other = one;
            first = along, one = corner;
        } else if (along > second) {
            second = along, other = corner;
        }
    }
    *out = wide_normalize(cm__point_sub(one, other), none);
    return core->count > 1 && cm__point_largest(*out) > 0;
}

/* Bound on the speed at which an edge direction rotates. */
static double moving_edge_speed(const cm__moving *m) {
    return !m->turns ? 0 : m->round ? m->across : cm__point_length(m->spin);
}

/* The direction perpendicular to the two edges that cross at time u; false where `normal` is not perpendicular to them.
 * With N = e_a x e_b and its length r, n = N / r has |n'| <= |N'| / r and |n''| <= |N''| / r + 3 |N'|^2 / r^2, while r
 * is at least 3/4 of its value at u. For points q of B and p of A, the second derivative of n.(q - p) is n''.(q - p) +
 * 2 n'.(q' - p') + n.(q'' - p''). */
static bool moving_crossed(const cm__moving_pair *p, double u, cm__point normal, moving_direction *out) {
    cm__frame a, b;
    moving_direction d = {.crossed = true};
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    if (!moving_edge(&p->a, frame_unrotate(&a, normal), &d.edge_a)) return false;
    if (!moving_edge(&p->b, frame_unrotate(&b, wide_neg(normal)), &d.edge_b)) return false;
    const cm__point across = cm__point_cross(frame_rotate(&a, d.edge_a), frame_rotate(&b, d.edge_b));
    const double length = cm__point_length(across), along = cm__point_dot(across, normal);
    if (!(length > CROSSED_SINE && fabs(along) > CROSSED_COSINE * length)) return false;
    if (along < 0) d.edge_b = wide_neg(d.edge_b);
    const double speed_a = moving_edge_speed(&p->a), speed_b = moving_edge_speed(&p->b), speed = speed_a + speed_b;
    const double spin_a = cm__point_length(p->a.spin), spin_b = cm__point_length(p->b.spin), least = 0.75 * length;
    const double bend = cm__point_length(p->bend), moved = cm__point_length(p->v) + bend;
    const double fast_a = cm__moving_fastest(&p->a), fast_b = cm__moving_fastest(&p->b);
    const double far = cm__point_length(cm__point_sub(p->a.away, p->b.away)) + moved + p->a.arm + p->a.core.size +
                       p->b.arm + p->b.core.size;
    const double second = spin_a * speed_a + 2 * speed_a * speed_b + spin_b * speed_b;
    d.bend =
        (second / least + 3 * speed * speed / (least * least)) * far + 2 * (speed / least) * (moved + fast_a + fast_b);
    d.bend += spin_a * fast_a + spin_b * fast_b + bend;
    d.longest = speed > 0 ? length / (4 * speed) : DBL_MAX;
    *out = d;
    return true;
}

/* The direction where they are at these places; `first` is A. */
static cm__point moving_direction_there(const cm__frame *a, const cm__frame *b, const cm__moving *first,
                                        const moving_direction *d) {
    if (!d->crossed) return d->with ? frame_rotate(d->with == first ? a : b, d->normal) : d->normal;
    const cm__point across = cm__point_cross(frame_rotate(a, d->edge_a), frame_rotate(b, d->edge_b));
    return cm__point_scale(across, 1 / cm__point_length(across));
}

/* The separation along a direction at time u; a half-space has only its own plane. */
static double moving_along(const cm__moving_pair *p, double u, const moving_direction *d) {
    cm__frame a, b;
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    if (p->b.endless) {
        cm__point up, lowest;
        return moving_height(p, &a, &b, &up, &lowest);
    }
    return moving_apart(p, &a, &b, moving_direction_there(&a, &b, &p->a, d));
}
double cm__moving_along(const cm__moving_pair *p, double u, cm__point normal) {
    const moving_direction d = {.normal = normal};
    return moving_along(p, u, &d);
}

/* Does the bound of the file's head hold over a step of length h? `root`: the square root of the separation at its
 * start; `rest`: the separation at its end; `reach`: sqrt(2 / K). */
static bool stride_holds(double h, double root, double rest, double reach) {
    return rest >= 0 && h <= (root + sqrt(rest)) * reach;
}

static double moving_stride(const cm__moving_pair *p, double u, double sign, const moving_direction *d, double left,
                            double level, double slack, double least, double end) {
    const double most = wide_min(end, d->longest);
    if (!(left > 0 && least < most)) return least;
    const double bend = d->bend, root = sqrt(left);
    const double reach = bend > 0 ? sqrt(2 / bend) * (1 - 1e-6) : DBL_MAX;
    double rest = moving_along(p, u + sign * most, d) - level, safe = least;
    if (stride_holds(most, root, rest, reach)) return most;
    double h = bend > 0 ? wide_min(root * reach, most) : most, low = 0, high = h, at_low = left, at_high = 0;
    if (h < most) rest = moving_along(p, u + sign * h, d) - level;
    if (rest >= 0) { /* the separation at the end allows a longer step */
        for (int i = 0; i < 4; i++) {
            safe = wide_max(safe, h);
            h = wide_min(0.9 * (root + sqrt(rest)) * reach, most);
            if (!(h > 1.1 * safe)) break;
            rest = moving_along(p, u + sign * h, d) - level;
            if (!stride_holds(h, root, rest, reach)) break;
        }
        return safe;
    }
    for (int i = 0, side = 0; i < 10 && h > safe; i++) {
        const double at = rest - slack / 2;
        if (rest >= 0) {
            safe = h;
            if (rest <= slack) break;
        }
        if (at > 0) {
            low = h, at_low = at, at_high = side > 0 ? at_high / 2 : at_high;
        } else {
            high = h, at_high = at, at_low = side < 0 ? at_low / 2 : at_low;
        }
        side = at > 0 ? 1 : -1;
        /* a shape that accelerates from rest follows a parabola, whose root is far after that of the chord */
        double share = at_low / (at_low - at_high);
        if (i % 2 == 1 && share < STRIDE_FALLS) share = sqrt(share);
        h = low + (high - low) * share;
        rest = moving_along(p, u + sign * h, d) - level;
    }
    return safe;
}

double cm__moving_stride(const cm__moving_pair *p, double u, double sign, cm__point normal, double left, double level,
                         double slack, double least, double most) {
    if (p->curved && !p->a.turns && !p->b.turns) { /* a parabola */
        const double speed = cm__point_dot(cm__point_mul_add(p->v, u, p->bend), normal);
        const double until = cm__curve_until(left, sign * speed, cm__point_dot(p->bend, normal));
        return until >= most ? most : wide_max(until * (1 - 1e-12), least);
    }
    const moving_direction d = moving_fixed(p, normal);
    return moving_stride(p, u, sign, &d, left, level, slack, least, most);
}

double cm__moving_stride_turned(const cm__moving_pair *p, double u, double sign, cm__point normal, double left,
                                double level, double slack, double least, double most) {
    double h = least;
    for (int k = 0; k < 2 && !p->b.endless && h < most; k++) {
        if (!(k == 0 ? p->a.turns : p->b.turns)) continue;
        const moving_direction d = moving_carried(p, k == 0, u, normal);
        h = moving_stride(p, u, sign, &d, left, level, slack, h, most);
    }
    moving_direction crossed;
    if (!p->b.endless && h < most && (p->a.turns || p->b.turns) && moving_crossed(p, u, normal, &crossed)) {
        /* first fixed, as it is at u: of a gap so short that its direction is rounding, this is the direction */
        cm__frame a, b;
        cm__moving_at(&p->a, u, &a);
        cm__moving_at(&p->b, u, &b);
        const cm__point across = moving_direction_there(&a, &b, &p->a, &crossed);
        const double apart = moving_apart(p, &a, &b, across) - level;
        const moving_direction fixed = moving_fixed(p, across);
        h = moving_stride(p, u, sign, &fixed, apart, level, slack, h, most);
        h = moving_stride(p, u, sign, &crossed, apart, level, slack, h, most);
    }
    return h;
}

/* --- getting deeper ---------------------------------------------------------------------------------------------- */

/* Bisection between two times, at the first of which the separation is at least `level` and at the second not: a time
 * at which it still is, close to the last such time. `normal`: along it; NULL: the signed distance. */
static double moving_last_above(const cm__moving_pair *p, double low, double high, double level, double slack,
                                const cm__point *normal) {
    for (int i = 0; i < 48; i++) {
        const double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) break;
        cm__moving_gap gap;
        if (normal) {
            gap.distance = cm__moving_along(p, middle, *normal);
        } else {
            cm__moving_gap_at(p, middle, &gap);
        }
        if (gap.distance < level) {
            high = middle;
            continue;
        }
        low = middle;
        if (gap.distance < level + slack) break;
    }
    return low;
}

/* Where a point of A at time `from` is at time `to`. */
static cm__point moving_carry(const cm__moving_pair *p, cm__point at, double from, double to) {
    cm__frame before, after;
    cm__moving_at(&p->a, from, &before);
    cm__moving_at(&p->a, to, &after);
    return frame_apply(&after, frame_unrotate(&before, cm__point_sub(at, before.position)));
}

/* The direction nearest to a normal along which a velocity does not bring them closer. The normal of a curved shape is
 * known only to the square root of rounding, an error that would count for more than the depth. Where they slide, this
 * direction proves as much as the normal, and for the whole step. false: it is too far from the normal. */
static bool moving_level(const cm__moving_pair *p, cm__point v, cm__point normal, cm__point *out) {
    const double square = cm__point_dot(v, v), along = cm__point_dot(v, normal);
    if (p->b.endless || !(square > 0 && along * along < 1e-10 * square)) return false;
    *out = wide_normalize(cm__point_mul_add(normal, -along / square, v), normal);
    return true;
}

/* The normals of a triangle's or a box's faces, in its own frame, one of each pair of opposite ones. */
static int moving_faces(const cm__moving *m, cm__point out[3]) {
    if (m->shape && m->shape->kind == CM_SHAPE_TRIANGLE) {
        const cm__point a = m->core.ops->corner(&m->core, 0), b = m->core.ops->corner(&m->core, 1);
        const cm__point n = cm__point_cross(cm__point_sub(b, a), cm__point_sub(m->core.ops->corner(&m->core, 2), a));
        out[0] = wide_normalize(n, cm__p(0, 0, 0));
        return cm__point_largest(out[0]) > 0;
    }
    if (!m->shape || m->shape->kind != CM_SHAPE_BOX) return 0;
    out[0] = cm__p(1, 0, 0), out[1] = cm__p(0, 1, 0), out[2] = cm__p(0, 0, 1);
    return 3;
}

/* The same as cm__moving_stride along the faces of both. What slides flush with a face is not parted by the direction
 * of the gap, which is rounding, but by that face. */
static double moving_stride_faces(const cm__moving_pair *p, double u, double level, double slack, double least,
                                  double most) {
    double h = least;
    for (int k = 0; k < 2 && !p->b.endless && h < most; k++) {
        const cm__moving *with = k == 0 ? &p->a : &p->b;
        cm__frame frame;
        cm__point face[3];
        const int count = moving_faces(with, face);
        if (count > 0) cm__moving_at(with, u, &frame);
        for (int i = 0; i < count && h < most; i++) {
            const cm__point n = cm__moving_side(p, u, frame_rotate(&frame, face[i]));
            const moving_direction d = moving_fixed(p, n);
            h = moving_stride(p, u, 1, &d, moving_along(p, u, &d) - level, level, slack, h, most);
        }
    }
    return h;
}

/* cm__moving_stride for sinking, starting from a gap: along the gap's normal, and where that proves too little along
 * other directions. The normal of a rotating face rotates with it. */
static double moving_sink_stride(const cm__moving_pair *p, const cm__moving_gap *at, double level, double slack,
                                 double most) {
    const double left = cm__moving_along(p, at->u, at->normal) - level;
    const double speed = cm__point_dot(p->v, at->normal) + cm__moving_turning(p, at->normal);
    cm__point beside;
    if (!(left > 0)) return 0;
    if (!(speed > 0) || left / speed >= most) return most;
    double h = cm__moving_stride(p, at->u, 1, at->normal, left, level, slack, left / speed, most);
    if (h < most && moving_level(p, p->v, at->normal, &beside))
        h = cm__moving_stride(p, at->u, 1, beside, cm__moving_along(p, at->u, beside) - level, level, slack, h, most);
    h = cm__moving_stride_turned(p, at->u, 1, at->normal, left, level, slack, h, most);
    return h < most && p->turns ? moving_stride_faces(p, at->u, level, slack, h, most) : h;
}

static bool moving_approaches(const cm__moving_pair *p, double u, cm__point at, cm__point normal) {
    double sizes = 0;
    const cm__point va = cm__moving_velocity(&p->a, u, at, &sizes), vb = cm__moving_velocity(&p->b, u, at, &sizes);
    const cm__point v = cm__point_sub(va, vb);
    return cm__point_dot(v, normal) > SWEEP_SLIDE * (p->turns ? sizes : cm__point_length(v));
}

/* Do they approach there, or does acceleration drive them into each other after moving apart by no more than
 * `least`? */
static bool moving_closes(const cm__moving_pair *p, double u, cm__point at, cm__point normal, double least) {
    if (moving_approaches(p, u, at, normal)) return true;
    double sizes = 0;
    const cm__point va = cm__moving_velocity(&p->a, u, at, &sizes), vb = cm__moving_velocity(&p->b, u, at, &sizes);
    const double speed = cm__point_dot(cm__point_sub(va, vb), normal), pull = cm__point_dot(p->bend, normal);
    return p->curved && pull > SWEEP_SLIDE * cm__point_length(p->bend) &&
           cm__curve_closes(least, wide_min(speed, 0), pull);
}

/* They are too deep at *here. Do they get deeper from the start on? They do where they were in touch there already and
 * approached. */
static bool moving_sinks_at_once(const cm__moving_pair *p, const cm__moving_gap *from, const cm__moving_gap *here,
                                 double depth) {
    const cm__point point = moving_carry(p, here->a, here->u, from->u);
    if (!(cm__moving_along(p, from->u, here->normal) >= from->distance - depth)) return false;
    const double ahead = cm__point_dot(here->normal, cm__point_sub(from->a, point));
    return fabs(ahead) <= depth && moving_closes(p, from->u, point, here->normal, depth / 8);
}

/* Is there a direction perpendicular to `normal`, at time u, along which they overlap by no more than `level`? Where
 * two pass through each other along `normal`, their projections along it have to overlap. For projections of few
 * corners, the least overlap is across an edge of either. */
static bool moving_brushes(const cm__moving_pair *p, double u, cm__point normal, double level) {
    const cm__moving *both[2] = {&p->a, &p->b};
    for (int k = 0; k < 2 && !p->b.endless; k++) {
        const cm__core *core = &both[k]->core;
        cm__frame frame;
        if (!core->ops->corner || core->count > 8) continue;
        cm__moving_at(both[k], u, &frame);
        for (uint32_t i = 0; i < core->count; i++)
            for (uint32_t j = i + 1; j < core->count; j++) {
                const cm__point edge = cm__point_sub(core->ops->corner(core, j), core->ops->corner(core, i));
                const cm__point side = cm__point_cross(normal, frame_rotate(&frame, edge)), none = {0, 0, 0};
                const cm__point n = wide_normalize(side, none);
                if (!(cm__point_largest(n) > 0)) continue;
                if (cm__moving_along(p, u, n) >= level || cm__moving_along(p, u, wide_neg(n)) >= level) return true;
            }
    }
    return false;
}

cm__point cm__moving_side(const cm__moving_pair *p, double u, cm__point direction) {
    const cm__point back = wide_neg(direction);
    return cm__moving_along(p, u, direction) >= cm__moving_along(p, u, back) ? direction : back;
}

bool cm__moving_stays(const cm__moving_pair *p, double u, cm__point normal, double from, double depth, double limit) {
    const cm__moving_gap at = {.u = u, .normal = normal};
    return moving_sink_stride(p, &at, from - depth * 7 / 8, depth / 8, limit - u) >= limit - u;
}

/* Is the gap below `level`? A normal tilted by rounding proves less than the distance; then what it proves counts,
 * because the steps go by that. */
static bool moving_is_down(const cm__moving_pair *p, const cm__moving_gap *at, double level, double rounding) {
    if (at->distance <= level) return true;
    return at->distance <= level + rounding && cm__moving_along(p, at->u, at->normal) <= level;
}

bool cm__moving_sinks(const cm__moving_pair *p, double start, double depth, double limit, cm__moving_gap *at) {
    const cm__moving_gap from = *at;
    const double slack = depth / 8, level = start - depth * 7 / 8, shallow = start - slack;
    const double rounding = 4 * DBL_EPSILON * (p->scale + p->a.core.size + p->b.core.size);
    cm__moving_gap here = from, next;
    double good = from.u;
    bool through = false;
    for (int i = 0; i < START_STEPS; i++) {
        const double most = limit - here.u;
        const double h = moving_sink_stride(p, &here, level, slack, most);
        if (h >= most) return false;
        next.u = here.u + h;
        if (!(next.u > here.u)) break;
        cm__moving_gap_at(p, next.u, &next);
        if (cm__point_dot(next.normal, here.normal) < -0.5 && next.distance < 2 * depth &&
            cm__moving_along(p, next.u, wide_neg(here.normal)) > level - 2 * depth &&
            (from.sided || cm__moving_along(p, from.u, next.normal) < from.distance - rounding) &&
            !moving_brushes(p, next.u, here.normal, level)) { /* passed through to the other side */
            through = true;
            break;
        }
        here = next;
        if (moving_is_down(p, &here, level + slack, 16 * rounding)) break;
        if (here.distance >= shallow) good = here.u;
    }
    *at = here;
    at->u = from.u;
    at->limit = !through && !moving_is_down(p, &here, level + slack, 16 * rounding);
    const double until = through ? next.u : here.u;
    const bool touched = from.distance <= start + depth;
    if (p->turns && !(touched && moving_sinks_at_once(p, &from, &here, depth)))
        at->u = moving_last_above(p, through ? here.u : good, until, shallow, slack, through ? &here.normal : NULL);
    at->a = moving_carry(p, here.a, here.u, at->u);
    return true;
}

/* --- how a sweep starts ------------------------------------------------------------------------------------------ */

/* Backwards from u = 1 to the last touch, or to `first`. */
static double start_last(const cm__moving_pair *p, double band, double first) {
    const double near = band / 2;
    double u = 1;
    for (int i = 0; i < START_STEPS; i++) {
        cm__moving_gap gap;
        cm__moving_gap_at(p, u, &gap);
        const double left = gap.distance - near, most = u - first, speed = -cm__point_dot(p->v, gap.normal);
        if (left <= near) return u;
        if (!(speed > 0) || left / speed >= most) return first;
        u = (double)wide_up(u - left / speed);
    }
    return u;
}

/* Along the normal of the start: are they never nearer than at the start? */
static bool start_separates(const cm__moving_pair *p, const cm__moving_gap *at, double band) {
    const double left = band / 1024;
    const double speed = cm__point_dot(p->v, at->normal) + cm__moving_turning(p, at->normal);
    if (!(speed > 0)) return true;
    if (!p->turns) return false;
    return cm__moving_stride(p, 0, 1, at->normal, left, at->distance - left, left, 0, 1) >= 1;
}

/* The normals of polytopes are exact. Those of rounded or curved shapes are not: a direction next to the normal, along
 * which the contact point does not approach, may prove as much. */
static bool start_approaches(const cm__moving_pair *p, const cm__moving_gap *at) {
    cm__point beside;
    if (!moving_approaches(p, at->u, at->a, at->normal)) return false;
    const bool curved = !p->b.endless && !(p->a.core.ops->corner && p->b.core.ops->corner);
    if (p->b.endless || (!curved && !(p->a.radius > 0 || p->b.radius > 0))) return true;
    double sizes = 0;
    const cm__point va = cm__moving_velocity(&p->a, at->u, at->a, &sizes);
    const cm__point vb = cm__moving_velocity(&p->b, at->u, at->a, &sizes);
    const double size = p->a.core.size + p->b.core.size;
    const double known = curved ? START_CURVED * size : START_ROUNDING * (p->scale + size);
    return !moving_level(p, cm__point_sub(va, vb), at->normal, &beside) ||
           cm__moving_along(p, at->u, beside) < at->distance - known;
}

bool cm__start_run(const cm__moving_pair *p, const cm__start *start, cm_sweep_hit *out) {
    cm__moving_gap at;
    cm__moving_gap_at(p, 0, &at);
    if (start->normal) { /* the normal with the larger separation is better; rounding may tilt either normal of a large
                            face */
        const double apart = cm__moving_along(p, 0, *start->normal);
        if (apart > cm__moving_along(p, 0, at.normal)) at.normal = *start->normal;
        at.distance = wide_max(at.distance, apart);
    }
    const bool deep = start->overlap && at.distance < -start->band;
    const cm__moving_gap still = at;
    out->blocking = false;
    if (!start->first_only && deep) {
        const double slide = SWEEP_SLIDE * (cm__point_length(p->v) + cm__moving_turning(p, at.normal));
        out->blocking = start_approaches(p, &at);
        if (!out->blocking && p->turns)
            out->blocking = cm__moving_sinks(p, at.distance, wide_max(start->band, slide), start->limit, &at);
    } else if (!start->first_only) {
        out->blocking = cm__moving_sinks(p, at.distance, start->band, start->limit, &at);
    }
    if (!start->overlap && !out->blocking && start_separates(p, &still, start->band)) return false;
    out->start = deep ? CM_SWEEP_OVERLAPPING : start->overlap ? CM_SWEEP_TOUCHING : CM_SWEEP_SEPARATED;
    out->first = wide_down(at.u);
    if (!start->overlap && !(out->first > 0)) out->first = CM_REAL_MIN;
    out->last = 1;
    if (start->last && !p->turns) out->last = cm_max(wide_up(start_last(p, start->band, 0)), out->first);
    out->normal = cm__vec3_of(at.normal);
    out->point = cm__vec3_of(at.a);
    out->part_a = out->part_b = CM_NONE;
    out->proof = at.limit ? CM_PROOF_LIMIT : CM_PROOF_CONTACT;
    out->free_until = 0;
    return true;
}
