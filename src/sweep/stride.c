/* For how long does a direction prove that two moving sets stay apart? The separation s_n along a unit direction n is
 * the least n.(q - p) over the points p of A and q of B, and each of these functions of time has a second derivative of
 * at most K (moving.h; 0 in straight motion). Over a step of length h such a function lies at most K h^2 s (1 - s) / 2,
 * 0 <= s <= 1, under the line from its start to its end. With separation d at the start and e at the end it stays above
 * 0 throughout if K h^2 / 2 <= (sqrt d + sqrt e)^2: then the line and the parabola just touch. The same holds along a
 * direction that moves, with a K of its own: the normal of a face moves with its shape, the cross product of an edge of
 * A and one of B with both. Such directions are needed: a face or edge that turns tilts at once against a fixed
 * direction, and where two touch there is no separation left for that.
 *
 * Every step is proved for itself. So where something is exactly what it is compared with (a gap the level, a step the
 * rest, a corner as far as another) either answer is right, and a direction that need not be tried does no harm. */
#include "sweep/stride.h"
#include "carom/hull.h"
#include "math/wide.h"
#include "sweep/curve.h"

#define STRIDE_FALLS   (1.0 / 64) /* a chord's root nearer to its start than this share is a parabola's */
#define STRIDE_LEVEL   0.998      /* beyond it a chord that led too far once leads to the same place again */
#define CROSSED_SINE   0.01       /* edges nearer to parallel than this have no definite crossing */
#define CROSSED_COSINE 0.999 /* the normal is that of two crossing edges within 2.6 degrees of their cross product */
#define CROSSED_TILT   1e-4  /* radians, by which a direction is tilted to find the edge of a round shape */

/* An edge of a moving shape. */
typedef struct moving_edge {
    cm__point direction; /* unit, in the shape's own frame; `still`: in the world */
    bool still;
    double speed; /* at which it rotates */
} moving_edge;

/* A unit direction over time: fixed in the world or in one of the two shapes, or perpendicular to an edge of each. */
typedef struct moving_direction {
    const cm__moving *with; /* NULL: the world */
    cm__point normal;       /* there */
    double bend;            /* bound on the second derivative of the separation along it */
    double longest;         /* valid over steps no longer than this */
    bool crossed;           /* the direction is not `normal` but perpendicular to both of these edges */
    moving_edge edge_a, edge_b;
} moving_direction;

static moving_direction moving_fixed(const cm__moving_pair *p, cm__point normal) {
    const moving_direction d = {.normal = normal, .bend = cm__moving_pair_bend(p, normal), .longest = DBL_MAX};
    return d;
}

/* A bound on the acceleration of the points of a set that turns, along any direction (moving.h). */
static double moving_swing(const cm__moving *m) {
    const double spin = cm__point_length(m->spin), about = cm__moving_fastest(m) - m->carried;
    return m->turns ? spin * m->carried + (m->round ? m->across + m->own : spin) * about : 0;
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
    d.bend += moving_swing(other) + bend;
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
static bool moving_farthest_edge(const cm__moving *m, cm__point direction, cm__point *out) {
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

/* The edge of a moving shape farthest along a direction of the world, at time u, when it is there. */
static bool moving_edge_of(const cm__moving *m, const cm__frame *there, cm__point direction, moving_edge *out) {
    if (!moving_farthest_edge(m, frame_unrotate(there, direction), &out->direction)) return false;
    const cm__point now = frame_rotate(there, out->direction);
    /* what spins about its own axis does not turn, and neither does the edge that it has on that side */
    out->still = !m->turns;
    if (out->still) out->direction = now;
    out->speed = out->still ? 0 : cm__point_length(cm__point_cross(m->spin, now));
    return true;
}

static cm__point moving_edge_there(const moving_edge *e, const cm__frame *there) {
    return e->still ? e->direction : frame_rotate(there, e->direction);
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
    if (!moving_edge_of(&p->a, &a, normal, &d.edge_a)) return false;
    if (!moving_edge_of(&p->b, &b, wide_neg(normal), &d.edge_b)) return false;
    const cm__point across = cm__point_cross(moving_edge_there(&d.edge_a, &a), moving_edge_there(&d.edge_b, &b));
    const double length = cm__point_length(across), along = cm__point_dot(across, normal);
    if (!(length > CROSSED_SINE && fabs(along) > CROSSED_COSINE * length)) return false;
    if (along < 0) d.edge_b.direction = wide_neg(d.edge_b.direction);
    const double speed_a = d.edge_a.speed, speed_b = d.edge_b.speed, speed = speed_a + speed_b;
    const double spin_a = cm__point_length(p->a.spin), spin_b = cm__point_length(p->b.spin), least = 0.75 * length;
    const double bend = cm__point_length(p->bend), moved = cm__point_length(p->v) + bend;
    const double fast_a = cm__moving_fastest(&p->a), fast_b = cm__moving_fastest(&p->b);
    const double far = cm__point_length(cm__point_sub(p->a.away, p->b.away)) + moved + p->a.arm + p->a.core.size +
                       p->b.arm + p->b.core.size;
    const double second = spin_a * speed_a + 2 * speed_a * speed_b + spin_b * speed_b;
    d.bend =
        (second / least + 3 * speed * speed / (least * least)) * far + 2 * (speed / least) * (moved + fast_a + fast_b);
    d.bend += moving_swing(&p->a) + moving_swing(&p->b) + bend;
    d.longest = speed > 0 ? length / (4 * speed) : DBL_MAX;
    *out = d;
    return true;
}

/* The direction where they are at these places; `first` is A. */
static cm__point moving_direction_there(const cm__frame *a, const cm__frame *b, const cm__moving *first,
                                        const moving_direction *d) {
    if (!d->crossed) return d->with ? frame_rotate(d->with == first ? a : b, d->normal) : d->normal;
    const cm__point across = cm__point_cross(moving_edge_there(&d->edge_a, a), moving_edge_there(&d->edge_b, b));
    return cm__point_scale(across, 1 / cm__point_length(across));
}

/* The separation along it at time u. */
static double moving_along(const cm__moving_pair *p, double u, const moving_direction *d) {
    cm__frame a, b;
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    return cm__moving_apart(p, &a, &b, moving_direction_there(&a, &b, &p->a, d));
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
        /* at its end the separation may be 0 and level, and by rounding below: the chord's root is where it is then */
        if (side < 0 && share > STRIDE_LEVEL) share = 0.5;
        h = low + (high - low) * share;
        rest = moving_along(p, u + sign * h, d) - level;
    }
    return safe;
}

double cm__moving_stride(const cm__moving_pair *p, double u, double sign, cm__point normal, double left, double level,
                         double slack, double least, double most) {
    if (p->curved && !p->a.turns && !p->b.turns) { /* a parabola */
        if (!(left > 0)) return least;
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
        const double apart = cm__moving_apart(p, &a, &b, across) - level;
        const moving_direction fixed = moving_fixed(p, across);
        h = moving_stride(p, u, sign, &fixed, apart, level, slack, h, most);
        h = moving_stride(p, u, sign, &crossed, apart, level, slack, h, most);
    }
    return h;
}

enum { MOVING_FACES = 8 };
#define FACES_NEAR 64 /* CM_REAL_EPSILONs of the size: a plane of a hull this near to a point of it has it */

/* The normals of the faces of a hull that have this point, in the hull's own frame. */
static int moving_faces_of_hull(const cm_hull *hull, cm__point at, double size, cm__point out[MOVING_FACES]) {
    const double near = FACES_NEAR * (double)CM_REAL_EPSILON * (size + cm__point_largest(at));
    const uint32_t all = cm_hull_face_count(hull);
    int count = 0;
    for (uint32_t i = 0; i < all && count < MOVING_FACES; i++) {
        cm_hull_face face;
        cm_hull_get_face(hull, i, &face);
        if (fabs(cm__point_dot(cm__point_of(face.normal), at) + (double)face.d) > near) continue;
        out[count] = wide_normalize(cm__point_of(face.normal), cm__p(0, 0, 0));
        if (cm__point_largest(out[count]) > 0) count++;
    }
    return count;
}

/* The normals of a polytope's faces, in its own frame: of a hull those at the point `at`, in that frame too; of others
 * (triangle, box) one of each pair of opposite ones. */
static int moving_faces(const cm__moving *m, cm__point at, cm__point out[MOVING_FACES]) {
    const cm__core *core = &m->core;
    cm__flats flats;
    if (core_hull(core)) return moving_faces_of_hull(core_hull(core), at, core->size, out);
    if (!core->ops->corner || !core->ops->flats) return 0;
    core->ops->flats(core, &flats);
    for (int i = 0; i < flats.normals; i += 2) out[i / 2] = flats.normal[i];
    return flats.normals / 2;
}

double cm__moving_stride_faces(const cm__moving_pair *p, const cm__moving_gap *from, double level, double slack,
                               double least, double most) {
    double h = least;
    for (int k = 0; k < 2 && !p->b.endless && h < most; k++) {
        const cm__moving *with = k == 0 ? &p->a : &p->b;
        cm__frame frame;
        cm__point face[MOVING_FACES];
        cm__moving_at(with, from->u, &frame);
        const int count = moving_faces(with, frame_unrotate(&frame, cm__point_sub(from->a, frame.position)), face);
        for (int i = 0; i < count && h < most; i++) {
            const cm__point n = cm__moving_side(p, from->u, frame_rotate(&frame, face[i]));
            if (cm__point_dot(n, from->normal) < -0.5) continue; /* of thin ones, the side on which they are not */
            const moving_direction d = moving_fixed(p, n);
            h = moving_stride(p, from->u, 1, &d, moving_along(p, from->u, &d) - level, level, slack, h, most);
        }
    }
    return h;
}
