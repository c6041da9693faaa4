/* Any two convex shapes in motion: by their closed form (hit.h) where they have one and do not turn, else by distance.
 *
 * Straight motion: the distance is a convex function of time, and at any time its slope is v.n, n the normal of the
 * closest points: the plane across n keeps the shapes apart until d / -v.n later. Stepping to that time is Newton's
 * method, from the left, on a convex function: never past the root, and fast once near. A slope that is not negative
 * proves a miss. The end of the contact is the same from u = 1 backwards.
 * Turning motion: no slope is to be trusted, but no point of a shape comes nearer along n faster than v.n plus the
 * speed of its turning, at most |spin| times its distance from the axis: conservative advancement [Mirtich96]. The
 * distance is right to a few ulps of cm_real of positions and sizes; `near`, 8 of those, is taken off before each
 * step, and counts as contact. So `first` is never late, and the gap left there is at most 2 near.
 * Bound: 64 steps from either side, 256 when turning; ended by it, the last safe time stands, which is early. */
#include "carom/sweep.h"
#include "pair/pair.h"
#include "sweep/hit.h"

typedef struct shape_sweep {
    const cm_shape *a, *b;
    const cm_motion *ma, *mb;
    const cm__pair *pair;
    cm__point v; /* of A relative to B, in the world */
    double near; /* distances up to here are contact */
    double turn; /* bound on the speed that turning adds */
} shape_sweep;

/* The answer at time u: in A's frame, with A's pose then. */
static void shapes_at(const shape_sweep *s, double u, cm__gap *gap, cm_pose *pose_a) {
    cm_pose pose_b;
    cm_motion_at(s->ma, (cm_real)u, pose_a);
    cm_motion_at(s->mb, (cm_real)u, &pose_b);
    cm_pose b_in_a = cm_pose_between(pose_a, &pose_b);
    s->pair->gap(s->a, s->b, &b_in_a, gap);
    gap->normal = cm__point_of(cm_rotate(pose_a->rotation, cm__vec3_of(gap->normal)));
}

/* Distance of the farthest point from `pivot`: of the core, and the radius on top. */
static double shape_reach(const cm_shape *shape, cm_vec3 pivot) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (!ops->polytope && ops->core) {
        cm__core core;
        ops->core(shape, &core);
        return cm__point_length(cm__point_sub(core.center, cm__point_of(pivot))) + core.size + core.radius;
    }
    if (!ops->polytope) return fabs((double)shape->u.halfspace.d) + (double)shape->radius;
    cm__polytope p;
    cm__polytope_of(shape, NULL, &p);
    double far = 0;
    for (int i = 0; i < p.corner_count; i++)
        far = wide_max(far, cm__point_length(cm__point_sub(p.corner[i], cm__point_of(pivot))));
    return far + (double)shape->radius;
}

static double shape_turning(const cm_shape *shape, const cm_motion *motion) {
    double spin = cm__point_length(cm__point_of(motion->spin));
    return spin > 0 ? spin * shape_reach(shape, motion->pivot) : 0;
}

/* From u toward `end` (0 or 1) until the shapes touch: the time in *u. False: they do not, up to the end. */
static bool shapes_advance(const shape_sweep *s, double end, int steps, double *u) {
    double sign = end > *u ? 1 : -1;
    for (int i = 0; i < steps; i++) {
        cm__gap gap;
        cm_pose pose;
        shapes_at(s, *u, &gap, &pose);
        if (gap.distance <= 2 * s->near) return true;
        double speed = sign * cm__point_dot(s->v, gap.normal) + s->turn; /* at which they approach */
        if (!(speed > 0)) return false;
        double step = (gap.distance - s->near) / speed;
        if (!(step < fabs(end - *u))) { /* safe to the end: the gap there is what is left */
            *u = end;
            shapes_at(s, *u, &gap, &pose);
            return gap.distance <= 2 * s->near;
        }
        double next = *u + sign * step;
        cm_real rounded = sign > 0 ? wide_down(next) : wide_up(next);
        if ((double)rounded == *u) return true; /* no step is left that cm_real can express */
        *u = (double)rounded;
    }
    return true;
}

static bool motion_is_valid(const cm_motion *m) {
    return m && cm_pose_is_valid(&m->start) && cm_vec3_is_valid(m->move) && cm_vec3_is_valid(m->spin) &&
           cm_vec3_is_valid(m->pivot);
}

static bool shapes_prepare(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           shape_sweep *s) {
    s->a = a, s->b = b, s->ma = ma, s->mb = mb;
    s->pair = cm__pair_of(a, b);
    if (!s->pair || !s->pair->gap) return false;
    s->v = cm__point_sub(cm__point_of(ma->move), cm__point_of(mb->move));
    bool turns_a = cm_largest(ma->spin) > 0, turns_b = cm_largest(mb->spin) > 0;
    if ((turns_a && !cm__ops(a->kind)->polytope) || (turns_b && !cm__ops(b->kind)->polytope)) return false;
    s->turn = shape_turning(a, ma) + shape_turning(b, mb);
    cm_vec3 origin = cm_v(0, 0, 0);
    cm__point between = cm__point_sub(cm__point_of(mb->start.position), cm__point_of(ma->start.position));
    double moved = wide_sum(cm__point_of(ma->move)) + wide_sum(cm__point_of(mb->move));
    double world =
        cm__point_largest(cm__point_of(ma->start.position)) + cm__point_largest(cm__point_of(mb->start.position));
    double size = wide_sum(between) + moved + shape_reach(a, origin) + shape_reach(b, origin);
    /* positions at u are rounded where they are in the world, half an ulp a coordinate */
    s->near = (double)CM_REAL_EPSILON * (8 * size + (moved > 0 || s->turn > 0 ? 2 * world : 0));
    return true;
}

typedef bool (*straight_way)(const cm__straight *s, cm_sweep_hit *out);

/* The closed form of two shapes that do not turn; NULL where there is none. */
static straight_way straight_way_of(const cm_shape *a, const cm_shape *b) {
    static const straight_way table[CM_SHAPE_KINDS][CM_SHAPE_KINDS] = {
#define STRAIGHT_ROW(A, B, name) [CM_SHAPE_##A][CM_SHAPE_##B] = cm__straight_##name,
        CM__STRAIGHT_LIST(STRAIGHT_ROW)
#undef STRAIGHT_ROW
    };
    bool boxes = a->kind == CM_SHAPE_BOX && b->kind == CM_SHAPE_BOX; /* these two have no closed form when rounded */
    return boxes && a->radius + b->radius > 0 ? NULL : table[a->kind][b->kind];
}

static bool shapes_straight(straight_way way, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                            const cm_motion *mb, cm_sweep_hit *out) {
    cm__straight s;
    s.a = a, s.b = b;
    s.pose_a = cm__wide_pose_of(&ma->start);
    s.pose_b = cm__wide_pose_of(&mb->start);
    cm__point home = s.pose_a.position;
    s.pose_a.position = cm__p(0, 0, 0);
    s.pose_b.position = cm__point_sub(s.pose_b.position, home);
    s.move = cm__point_of(ma->move);
    s.v = cm__point_sub(s.move, cm__point_of(mb->move));
    cm_sweep_hit hit;
    return straight_home(way(&s, &hit), &hit, home, out);
}

static bool shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         cm_sweep_hit *out) {
    straight_way way = straight_way_of(a, b);
    if (way && !(cm_largest(ma->spin) > 0) && !(cm_largest(mb->spin) > 0))
        return shapes_straight(way, a, ma, b, mb, out);
    shape_sweep s;
    if (!shapes_prepare(a, ma, b, mb, &s)) return false;
    cm__gap gap;
    cm_pose pose;
    shapes_at(&s, 0, &gap, &pose);
    double distance = gap.distance, rate = sweep_rate(s.v, gap.normal) - s.turn, first = 0, last = 1;
    if (distance > 0) {
        if (!(rate < 0)) return false;
        if (!shapes_advance(&s, 1, s.turn > 0 ? 256 : 64, &first)) return false;
    }
    if (!(s.turn > 0)) {
        cm__gap end;
        cm_pose ignored;
        shapes_at(&s, 1, &end, &ignored);
        if (end.distance > 2 * s.near && !shapes_advance(&s, first, 64, &last)) last = first;
    }
    cm_sweep_hit hit;
    cm__sweep_start_state start = {distance, distance <= 0, rate, s.near / (4 * (double)CM_REAL_EPSILON)};
    cm__span span = {first, last};
    if (!cm__sweep_begin(&start, span, &hit)) return false;
    if (hit.first > 0) shapes_at(&s, (double)hit.first, &gap, &pose);
    cm_vec3 point = cm_pose_apply(&pose, cm__vec3_of(gap.a));
    cm__sweep_end(s.v, gap.normal, cm__point_of(point), &hit);
    if (s.turn > 0 && !hit.blocking) { /* the turning may approach where the moving does not */
        hit.blocking = hit.start != CM_SWEEP_OVERLAPPING || cm__point_dot(s.v, gap.normal) + s.turn > 0;
    }
    *out = hit;
    return true;
}

bool cm_sweep(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
              cm_sweep_hit *out) {
    if (cm_shape_check(a, NULL) != CM_OK || cm_shape_check(b, NULL) != CM_OK || !motion_is_valid(motion_a) ||
        !motion_is_valid(motion_b))
        return false;
    cm_sweep_hit hit;
    if (b->kind < a->kind) {
        if (!shapes_sweep(b, motion_b, a, motion_a, &hit)) return false;
        hit.normal = cm_neg(hit.normal); /* and the point from B's surface to A's: the same but for the gap, */
        cm_witness deepest;              /* or the depth */
        if (hit.start == CM_SWEEP_OVERLAPPING &&
            cm_distance(a, &motion_a->start, b, &motion_b->start, CM_REAL_MAX, &deepest) <= 0)
            hit.point = deepest.point_a;
    } else if (!shapes_sweep(a, motion_a, b, motion_b, &hit)) {
        return false;
    }
    if (out) *out = hit;
    return true;
}
