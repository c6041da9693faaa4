/* A composite in motion against anything: the first part to be hit.
 *
 * The parts that the other shape's box can meet on its way (straight motion), or that lie no farther from where it is
 * than anything moves in a short while (turning, one such while after the other), are each swept as a pair of their
 * own: what those promise, never late and the gap left, holds for the whole. Walked in about the order in which they
 * are met, and cut short by the best hit so far.
 *
 * Which hit is told: what overlaps at the start, deepest first; else the first that blocks, where one does; else the
 * first. A body that rests on a floor touches it all the time without being blocked, and that must not hide the wall
 * ahead; nor must a slope that is grazed. Normals at the edges of triangles are those that the surface has there
 * (pair/surface.c), and decide what blocks, but where the shapes get into each other all the same; the time is never
 * touched by it. Bound: one sweep for each part offered, turning in each of at most 64 whiles, and at
 * most 256 distances of the whole. No memory. */
#include "math/round.h"
#include "pair/composite.h"
#include "pair/surface.h"
#include "pair/triangle_probe.h"
#include "sweep/hit.h"
#include "sweep/shapes.h"
#include "sweep/slabs.h"

#include <string.h>

#define TURNING_WINDOW  0.015625 /* of the step; of 1/16 to 1/256 the fastest */
#define MOST_LOOKS      16       /* at what may sink in */
#define TURNING_WINDOWS 256      /* the most: each moves on by half of that at least */

typedef struct composite_sweep {
    const cm_shape *other, *whole;
    const cm_motion *mo, *mw;
    cm_pose whole_in_other, other_in_whole; /* at the start */
    cm__point v;                            /* of the other relative to the whole, in the world */
    double turn;                            /* bound on the speed that turning adds */
    double from;                            /* parts are apart until then */
    double band;                            /* of the whole pair */
    cm_real limit;
    cm__sweep_want want;
    double room;   /* places are that uncertain, at most */
    double size;   /* of the other */
    bool asked;    /* whether they overlap at the start: not by more than rounding then */
    bool point;    /* the other is one, and the whole a solid: only the front of a face is a way out */
    bool straight; /* a convex other that does not turn: where it may meet a triangle is known */
    cm__probe probe;
    cm__slabs slabs;
    bool touching, overlapping; /* at the start */
    bool told;                  /* and how deep */
    bool close;                 /* something may touch at the start */
    bool found, blocked;
    cm_sweep_hit any, stop; /* the first of all; the first that blocks */
    bool hushed;
    cm_sweep_hit hush; /* the first that blocks by the triangle alone, but not by the surface it is part of */
} composite_sweep;

static bool motion_turns(const cm_motion *m) { return cm_largest(m->spin) > 0; }

/* The motion of a part that is carried along. */
static cm_motion motion_of_part(const cm_motion *whole, const cm__part *part) {
    cm_motion m = *whole;
    if (part->home) return m;
    m.start = cm_pose_mul(&whole->start, &part->pose);
    m.pivot = cm_pose_unapply(&part->pose, whole->pivot);
    return m;
}

/* At which speed points of the other come closer to the whole by turning, at most. */
static double composite_turning(const composite_sweep *s) {
    double spin_o = cm__point_length(cm__point_of(s->mo->spin)), spin_w = cm__point_length(cm__point_of(s->mw->spin));
    if (!(spin_o > 0) && !(spin_w > 0)) return 0;
    cm__point pivot_o = cm__point_of(cm_pose_apply(&s->mo->start, s->mo->pivot));
    cm__point pivot_w = cm__point_of(cm_pose_apply(&s->mw->start, s->mw->pivot));
    double between = cm__point_length(cm__point_sub(pivot_o, pivot_w)) + cm__point_length(s->v);
    double reach_w = cm__shape_reach(s->whole, s->mw->pivot);
    bool endless = cm__ops(s->other->kind)->shape_class == CM__HALFSPACE;
    double reach_o = endless ? 0 : cm__shape_reach(s->other, s->mo->pivot);
    /* the points of the whole count for a half-space; else the other's, for both */
    if (endless) return spin_o * (between + reach_w) + spin_w * reach_w;
    return wide_min(spin_o * reach_o + spin_w * (between + reach_o), spin_o * reach_o + spin_w * reach_w);
}

/* The velocity of the other relative to the whole at a point of the world, at time u. */
static cm__point composite_velocity(const composite_sweep *s, double u, cm__point at) {
    const cm_motion *m[2] = {s->mo, s->mw};
    cm__point v = s->v;
    for (int i = 0; i < 2; i++) {
        cm__point pivot = cm__point_of(cm_pose_apply(&m[i]->start, m[i]->pivot));
        pivot = cm__point_mul_add(pivot, u, cm__point_of(m[i]->move));
        cm__point turning = cm__point_cross(cm__point_of(m[i]->spin), cm__point_sub(at, pivot));
        v = cm__point_mul_add(v, i == 0 ? 1 : -1, turning);
    }
    return v;
}

/* The normal that the surface has where a triangle was hit. `held`: only its front is a way out. */
static void composite_quiet(const composite_sweep *s, const cm__part *part, bool held, cm_sweep_hit *hit) {
    cm_pose pose_w, pose_o;
    cm_motion_at(s->mw, hit->first, &pose_w);
    cm_motion_at(s->mo, hit->first, &pose_o);
    const cm__shape_ops *ops = cm__ops(s->other->kind);
    if (!ops->core) return;
    cm__core core;
    ops->core(s->other, &core);
    cm_vec3 center = cm_pose_unapply(&pose_w, cm_pose_apply(&pose_o, cm__vec3_of(core.center)));
    cm__point n = cm__point_of(cm_neg(cm_unrotate(pose_w.rotation, hit->normal)));
    n = wide_normalize(n, n);
    cm__point plain = n;
    (void)held;
    if (surface_exists(s->whole)) {
        cm__surface surface;
        cm_real reach = (cm_real)((core.size + core.radius) * (1 + 4 * (double)CM_REAL_EPSILON));
        cm_aabb box = {center, center};
        box = cm_aabb_grow(box, reach);
        cm__point at = cm__point_of(cm_pose_unapply(&pose_w, hit->point));
        cm__surface_of(s->whole, cm__point_of(center), &box, &surface);
        cm__surface_direction(&surface, part->number, &part->shape.u.triangle, at, &n);
    }
    /* a face that looks away from where it is met is not told: what is met there blocks as it is */
    if (!s->point && hit->start != CM_SWEEP_OVERLAPPING && cm__point_dot(plain, n) < -0.7) return;
    hit->normal = cm_neg(cm_rotate(pose_w.rotation, cm__vec3_of(n)));
    cm__point v = composite_velocity(s, (double)hit->first, cm__point_of(hit->point));
    hit->blocking = cm__point_dot(v, cm__point_of(hit->normal)) > 16 * (double)CM_REAL_EPSILON * cm__point_length(v);
}

/* Does a hit come before another? */
static bool composite_is_before(const composite_sweep *s, const cm_sweep_hit *hit, const cm_sweep_hit *other) {
    if (hit->first != other->first) return hit->first < other->first;
    double now = cm__point_dot(s->v, cm__point_of(hit->normal));
    double before = cm__point_dot(s->v, cm__point_of(other->normal));
    if (fabs(now - before) > 1e-6 * cm__point_length(s->v)) return now > before; /* the steepest, then the lowest */
    return hit->part_b < other->part_b;
}

/* A contact at the start of which nothing more is wanted. */
static void composite_at_once(composite_sweep *s) {
    memset(&s->any, 0, sizeof s->any);
    s->found = s->overlapping = s->told = true;
}

/* For the rounding of places that far from the whole's origin. */
static cm_real composite_room(const composite_sweep *s, cm_real reach) {
    cm_real moved = cm_largest(s->mo->move) + cm_largest(s->mw->move) + cm_largest(s->mo->start.position) +
                    cm_largest(s->mw->start.position);
    return 32 * CM_REAL_EPSILON * (reach + moved);
}

/* The triangle that a point at the start, in the world, belongs to; false where the parts are none, or it is not found.
 */
static bool composite_part(const composite_sweep *s, uint32_t number, cm_vec3 point, cm__part *out) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    cm_vec3 at = cm_pose_unapply(&s->mw->start, point);
    cm_aabb box = {at, at};
    cm_real near = 4 * composite_room(s, cm_largest(at));
    cm__parts q;
    if (!parts->surface) return false;
    parts->start(&q, s->whole, &box);
    for (int i = 0; i < 64 && parts->next(&q, near, out); i++)
        if (out->number == number) return part_is_triangle(out);
    return false;
}

/* They overlap at the start, by more than `least`: the deepest place tells normal and point. */
static bool composite_overlapping(composite_sweep *s, bool held, double least) {
    cm_witness w;
    if (!(cm__pair_distance(s->other, s->whole, &s->whole_in_other, 0, &w) <= 0)) return false;
    if (least > 0 && !(-(double)w.distance > least)) return false;
    cm__witness_to_outer(&w, &s->mo->start);
    cm__point v = composite_velocity(s, 0, cm__point_of(w.point_a));
    s->found = true;
    s->any.first = 0;
    s->any.start = CM_SWEEP_OVERLAPPING;
    s->any.normal = w.normal;
    s->any.point = w.point_a;
    s->any.part_a = w.part_a, s->any.part_b = w.part_b;
    s->any.blocking = cm__point_dot(v, cm__point_of(w.normal)) > 4 * (double)CM_REAL_EPSILON * cm__point_length(v);
    cm__part part;
    if (composite_part(s, w.part_b, w.point_b, &part)) composite_quiet(s, &part, held, &s->any);
    return true;
}

/* Sweeps one part. Its hit runs from the other to the whole. */
static void composite_try(composite_sweep *s, const cm__part *part) {
    cm_sweep_hit hit;
    if (s->straight && part_is_triangle(part)) {
        double enter = cm__slabs_enter(&s->slabs, &part->shape.u.triangle, (double)s->limit);
        if (enter > (double)s->limit) return;
        if (!(enter > 0)) s->close = true;
        if (enter == 0 && !s->asked && cm__probe_overlap(&s->probe, &part->shape.u.triangle)) {
            s->asked = true;
            if (s->want == CM__SWEEP_FIRST) {
                composite_at_once(s);
                return;
            }
            s->overlapping = s->told = composite_overlapping(s, false, 2 * s->room);
            if (s->told) return;
        }
        const cm__sweep_span span = {enter, s->limit, s->band};
        if (!cm__convex_sweep_from(s->other, s->mo, &part->shape, s->mw, &span, &hit)) return;
    } else {
        if (!(s->turn > 0)) s->close = true;
        cm_motion mp = motion_of_part(s->mw, part);
        const cm__sweep_span span = {s->from, s->limit, s->band};
        if (!cm__shapes_sweep(s->other, s->mo, &part->shape, &mp, &span, s->want, &hit)) return;
    }
    if (hit.first > s->limit) return;
    if (s->want == CM__SWEEP_FIRST) {
        if (!s->found || hit.first < s->any.first) s->any = hit;
        s->found = true;
        s->limit = cm_min(s->limit, hit.first);
        s->overlapping = !(hit.first > 0);
        s->told = s->overlapping;
        return;
    }
    hit.part_b = part->number;
    if (part_is_triangle(part)) {
        cm_sweep_hit plain = hit;
        composite_quiet(s, part, false, &hit);
        if (s->turn > 0 && !plain.blocking && hit.start != CM_SWEEP_OVERLAPPING) hit.blocking = false; /* it parts */
        if (plain.blocking && !hit.blocking && (!s->hushed || composite_is_before(s, &plain, &s->hush)))
            s->hush = plain, s->hushed = true;
    }
    if (hit.start != CM_SWEEP_SEPARATED) s->touching = true;
    if (hit.start == CM_SWEEP_OVERLAPPING) { /* the whole's own answer replaces it */
        s->overlapping = true;
        s->limit = 0;
    }
    if (!s->found || composite_is_before(s, &hit, &s->any)) s->any = hit;
    s->found = true;
    if (!hit.blocking || (s->blocked && !composite_is_before(s, &hit, &s->stop))) return;
    s->stop = hit;
    s->blocked = true;
    s->limit = cm_min(s->limit, hit.first);
}

/* The other's box in the whole's frame, there, with room for the rounding of poses and moves. */
static void composite_other_box(composite_sweep *s, const cm_pose *whole_in_other, const cm_pose *other_in_whole,
                                cm_aabb *box) {
    if (cm__ops(s->other->kind)->core) {
        cm__probe_of(s->other, whole_in_other, &s->probe);
        cm__probe_box(&s->probe, box);
    } else {
        cm__composite_box(s->other, other_in_whole, box);
    }
    s->size = (double)cm_largest(cm_sub(box->max, box->min));
    cm_real room = composite_room(s, cm_max(cm_largest(box->min), cm_largest(box->max)));
    *box = cm_aabb_grow(*box, room);
    s->room = (double)room;
    s->point = cm__ops(s->whole->kind)->parts->holds && cm__ops(s->other->kind)->core &&
               s->probe.core.size + s->probe.core.radius <= s->room;
}

/* How the whole lies in the other at a time. */
static cm_pose composite_pose_at(const composite_sweep *s, double u) {
    cm_pose pose_o, pose_w;
    cm_motion_at(s->mo, (cm_real)u, &pose_o);
    cm_motion_at(s->mw, (cm_real)u, &pose_w);
    return cm_pose_between(&pose_o, &pose_w);
}

/* Sweeps the parts that anything of the other can reach from `from`, where it is in this pose, up to `until`. */
static void composite_offer(composite_sweep *s, const cm_pose *whole_in_other, double speed, double until) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    double reach = speed * (until - s->from);
    if (cm__ops(s->other->kind)->shape_class == CM__HALFSPACE) {
        if (!cm__halfspace_region(s->other, s->whole, whole_in_other, reach, &box)) return;
        parts->start(&q, s->whole, &box);
        while (!s->overlapping && parts->next(&q, 0, &part)) composite_try(s, &part);
        return;
    }
    cm_pose identity = cm_pose_identity(), other_in_whole = cm_pose_between(whole_in_other, &identity);
    composite_other_box(s, whole_in_other, &other_in_whole, &box);
    parts->start(&q, s->whole, &box);
    while (!s->overlapping && parts->next(&q, wide_up(wide_min(reach, speed * ((double)s->limit - s->from))), &part))
        composite_try(s, &part);
}

/* Turning: how far apart they are tells until when nothing can meet. Where that is not much any more, the parts in
 * reach for a short while are swept over that, and so on: so the hits come in order, and few parts are looked at. */
static void composite_walk_turning(composite_sweep *s, double speed) {
    const double end = (double)s->limit;
    double u = s->from;
    /* what touches at the start may go on to what blocks it */
    for (int i = 0; !s->found || (s->touching && !s->blocked && !s->overlapping); i++) {
        cm_pose at = composite_pose_at(s, u);
        cm_witness w;
        double reach = speed * (end - u) + 4 * s->room;
        double apart = (double)cm__pair_distance(s->other, s->whole, &at, wide_up(reach), &w);
        if (!(apart <= reach)) return;
        if (i == 0 && !(apart > 0)) s->close = true;
        double before = u;
        if (apart > 4 * s->room) u = (double)wide_down(u + (apart - 2 * s->room) / speed);
        if (!(u <= end)) return;
        if (u - before > TURNING_WINDOW / 2) continue;
        double until = i < TURNING_WINDOWS ? (double)(cm_real)wide_min(end, u + TURNING_WINDOW) : end;
        s->from = u;
        s->limit = (cm_real)until;
        at = composite_pose_at(s, u);
        composite_offer(s, &at, speed, until);
        if (until >= end) return;
        u = until;
    }
}

static void composite_walk_parts(composite_sweep *s) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    bool endless = cm__ops(s->other->kind)->shape_class == CM__HALFSPACE;
    double speed = (cm__point_length(s->v) + s->turn) * (1 + 1e-6); /* of any point */
    cm__parts q;
    cm__part part;
    cm_aabb box;
    s->straight = false;
    if (endless)
        s->room = (double)composite_room(s, wide_up(cm__shape_reach(s->whole, cm_v(0, 0, 0))));
    else
        composite_other_box(s, &s->whole_in_other, &s->other_in_whole, &box);
    if (s->turn > 0) {
        composite_walk_turning(s, speed);
        return;
    }
    if (endless) {
        composite_offer(s, &s->whole_in_other, speed, (double)s->limit);
        return;
    }
    s->straight = cm__ops(s->other->kind)->core;
    if (s->straight) {
        cm__frame home = frame_of_pose(&s->mw->start);
        cm__slabs_of(&s->probe, frame_unturn(&home, s->v), &box, s->room / 4 + s->probe.slack, &s->slabs);
    }
    parts->cast_start(&q, s->whole, &box, cm_unrotate(s->mw->start.rotation, cm__vec3_of(s->v)));
    while (!s->overlapping && parts->cast_next(&q, s->limit, &part)) composite_try(s, &part);
}

/* What a surface says does not block may do so all the same: what seems to slide along it gets into an edge. Does it,
 * on the way from there to `until`? What is small is soon out again: looked at first where the other has moved by a
 * fraction of its size, then always some times as far along. */
static bool composite_sinks(const composite_sweep *s, double from, double until) {
    double way = (until - from) * (cm__point_length(s->v) + s->turn);
    double at = s->size > 0 ? wide_min(way, s->size) / 64 : way / 64;
    for (int i = 1; i <= MOST_LOOKS && at > 0; i++) {
        bool last = !(at < way) || i == MOST_LOOKS;
        cm_witness w;
        cm_pose pose = composite_pose_at(s, last ? until : from + (until - from) * (at / way));
        if ((double)cm__pair_distance(s->other, s->whole, &pose, 0, &w) < -s->room) return true;
        if (last) return false;
        at *= s->turn > 0 ? 2 : 4;
    }
    return false;
}

/* The first hit that blocks is told, where one does; else the first. */
static cm_sweep_hit composite_choose(composite_sweep *s) {
    cm_real until = s->blocked ? s->stop.first : 1;
    if (s->hushed && s->hush.first < until && composite_sinks(s, (double)s->hush.first, (double)until)) {
        s->stop = s->hush;
        s->blocked = true;
    }
    if (!s->blocked) return s->any;
    if (s->touching) s->stop.start = CM_SWEEP_TOUCHING;
    return s->stop;
}

/* A point nearer to an edge of a solid than rounding can tell slips in between the faces there: each of them says that
 * it recedes. Nothing was met before `until`, but it is deep within: so it touched at the start. */
static void composite_slips_in(composite_sweep *s) {
    double until = s->found ? (double)s->any.first : 1;
    if (!s->point || !s->straight || !s->close || s->touching || s->overlapping) return;
    cm_witness w;
    if (!composite_sinks(s, 0, until) ||
        !(cm__pair_distance(s->other, s->whole, &s->whole_in_other, CM_REAL_MAX, &w) < CM_REAL_MAX))
        return;
    cm__witness_to_outer(&w, &s->mo->start);
    s->found = s->blocked = s->touching = true;
    s->any.first = CM_REAL_MIN;
    s->any.start = CM_SWEEP_TOUCHING;
    s->any.normal = cm__vec3_of(wide_normalize(s->v, cm__point_of(w.normal)));
    s->any.point = w.point_a;
    s->any.part_a = w.part_a, s->any.part_b = w.part_b;
    s->any.blocking = true;
    cm_sweep_hit plain = s->any;
    cm__part part;
    if (composite_part(s, w.part_b, w.point_b, &part)) composite_quiet(s, &part, false, &s->any);
    if (!s->any.blocking) s->any = plain;
    s->stop = s->any;
}

bool cm__composite_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out) {
    /* as at rest: compounds are taken apart before meshes */
    const cm__shape_ops *ops_a = cm__ops(a->kind), *ops_b = cm__ops(b->kind);
    bool swapped = ops_a->parts && (ops_a->parts->children || !ops_b->parts->children);
    composite_sweep s;
    s.other = swapped ? b : a, s.whole = swapped ? a : b;
    s.mo = swapped ? mb : ma, s.mw = swapped ? ma : mb;
    s.whole_in_other = cm_pose_between(&s.mo->start, &s.mw->start);
    s.other_in_whole = cm_pose_between(&s.mw->start, &s.mo->start);
    s.v = cm__point_sub(cm__point_of(s.mo->move), cm__point_of(s.mw->move));
    s.turn = motion_turns(s.mo) || motion_turns(s.mw) ? composite_turning(&s) : 0;
    s.from = span->from, s.limit = span->limit;
    s.band = span->band > 0 ? span->band : cm__sweep_band(a, ma, b, mb);
    s.want = want;
    s.room = s.size = 0;
    s.point = s.found = s.blocked = s.hushed = s.touching = s.overlapping = s.told = s.asked = s.close = false;
    bool apart = span->from > 0; /* at the start */
    bool held = apart          ? false
                : ops_a->core  ? cm__solid_holds(a, b, &s.whole_in_other)
                : ops_a->parts ? cm__pair_overlap(s.other, s.whole, &s.whole_in_other) /* one within the other, maybe */
                               : false;
    if (held && want == CM__SWEEP_FIRST) composite_at_once(&s);
    if (!held) composite_walk_parts(&s);
    if (!held && !apart) composite_slips_in(&s);
    /* what only touches and recedes may be a miss part by part: the decision is that of the shapes at rest */
    bool asked = !ops_a->core && ops_a->parts; /* then `held` has told */
    bool touches =
        !held && !asked && !apart && !s.found && s.close && cm__pair_overlap(s.other, s.whole, &s.whole_in_other);
    if (!s.told && (held || touches || s.overlapping)) composite_overlapping(&s, held, 0);
    if (!s.found) return false;
    cm_sweep_hit best = held || s.overlapping || want == CM__SWEEP_FIRST ? s.any : composite_choose(&s);
    best.last = 1;
    *out = best;
    if (swapped) {
        out->normal = cm_neg(out->normal);
        out->part_a = best.part_b, out->part_b = best.part_a;
    }
    return true;
}
