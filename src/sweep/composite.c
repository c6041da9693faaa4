/* A composite in motion against anything: the first part that blocks.
 *
 * The parts that the other shape's box can meet on its way (no turning), or that lie no farther from where it is
 * than anything moves in a short while (turning, one such window of time after the other), are each swept as a pair of
 * their own, with the band of the whole pair. Walked in about the order in which they are met, and cut short by the
 * first that blocks.
 *
 * A pair that starts apart by more than the band stops at the first part that it meets. One that starts in touch, d
 * deep as a whole, passes what it does not get deeper into than d by more than the band (composite_look.c): a floor
 * that a body stands on, however deep, does not hide the wall ahead, and its seams do not stop it. The first hit that
 * blocks is told; where none does the deepest contact of the start, else the first hit of all. Normals are those that
 * the surface has where it is met.
 *
 * Guaranteed: from a start apart `first` is never later than the first contact; from one in touch never later than the
 * time at which the other is deeper in a part than d by more than the band, as far as bounded many looks tell. Frame:
 * the world for hits, the whole's for parts.
 * Bound: one sweep for each part offered, turning in each of at most 256 windows, and the looks of composite_look.c. No
 * memory. Based on: [Mirtich96] for what turns. */
#include "sweep/composite.h"
#include "math/round.h"
#include "sweep/curve.h"
#include "sweep/hit.h"

#include <string.h>

#define TURNING_WINDOW  0.015625 /* of the step; of 1/16 to 1/256 the fastest */
#define TURNING_WINDOWS 256      /* the most: each moves on by half of that at least */

typedef cm__composite_sweep_state composite_sweep;

static bool motion_turns(const cm_motion *m) { return cm_largest(m->spin) > 0; }

static cm_motion motion_of_part(const cm_motion *whole, const cm__part *part) {
    cm_motion m = *whole;
    if (part->home) return m;
    m.start = cm_pose_mul(&whole->start, &part->pose);
    m.pivot = cm_pose_unapply(&part->pose, whole->pivot);
    return m;
}

static bool composite_is_endless(const composite_sweep *s) {
    return cm__ops(s->other->kind)->shape_class == CM__HALFSPACE;
}

/* Of the other relative to the whole. */
static cm__point composite_acceleration(const composite_sweep *s) {
    return cm__point_sub(cm__point_of(s->mo->accelerate), cm__point_of(s->mw->accelerate));
}

/* At which speed points of the other come closer to the whole by turning, at most. */
static double composite_turning(const composite_sweep *s) {
    double spin_o = cm__point_length(cm__point_of(s->mo->spin)), spin_w = cm__point_length(cm__point_of(s->mw->spin));
    if (!(spin_o > 0) && !(spin_w > 0)) return 0;
    cm__point pivot_o = cm__point_of(cm_pose_apply(&s->mo->start, s->mo->pivot));
    cm__point pivot_w = cm__point_of(cm_pose_apply(&s->mw->start, s->mw->pivot));
    double between = cm__point_length(cm__point_sub(pivot_o, pivot_w)) + cm__point_length(s->v) + s->bend;
    double reach_w = cm__shape_reach(s->whole, s->mw->pivot);
    bool endless = cm__ops(s->other->kind)->shape_class == CM__HALFSPACE;
    double reach_o = endless ? 0 : cm__shape_reach(s->other, s->mo->pivot);
    /* the points of the whole count for a half-space; else the other's, for both */
    if (endless) return spin_o * (between + reach_w) + spin_w * reach_w;
    return wide_min(spin_o * reach_o + spin_w * (between + reach_o), spin_o * reach_o + spin_w * reach_w);
}

/* The same and, added to *sizes, the lengths of what it is the sum of. */
static cm__point composite_velocity(const composite_sweep *s, double u, cm__point at, double *sizes) {
    const cm_motion *m[2] = {s->mo, s->mw};
    cm__point v = s->v;
    for (int i = 0; i < 2; i++) {
        const cm__point accelerate = cm__point_of(m[i]->accelerate);
        *sizes += cm__point_length(cm__point_of(m[i]->move)) + u * cm__point_length(accelerate);
        v = cm__point_mul_add(v, i == 0 ? u : -u, accelerate);
        if (!motion_turns(m[i])) continue;
        cm__point pivot = cm__point_of(cm_pose_apply(&m[i]->start, m[i]->pivot));
        pivot = cm__point_mul_add(pivot, u, cm__point_of(m[i]->move));
        pivot = cm__point_mul_add(pivot, u * u / 2, cm__point_of(m[i]->accelerate));
        cm__point spin = cm__point_of(m[i]->spin), arm = cm__point_sub(at, pivot);
        v = cm__point_mul_add(v, i == 0 ? 1 : -1, cm__point_cross(spin, arm));
        *sizes += cm__point_length(spin) * cm__point_length(arm);
    }
    return v;
}

double cm__composite_approach(const composite_sweep *s, double u, cm__point at, cm__point normal) {
    double sizes = 0;
    double along = cm__point_dot(composite_velocity(s, u, at, &sizes), normal);
    if (s->bend > 0 && !(along > SWEEP_SLIDE * sizes)) { /* at rest, or so slowly away that it is back at once */
        const double pull = cm__point_dot(composite_acceleration(s), normal);
        if (cm__curve_closes(s->band / 8, wide_min(along, 0), pull)) along = pull, sizes += s->bend;
    }
    return sizes > 0 ? along / sizes : 0;
}

/* Does a hit come before another? */
static bool composite_is_before(const composite_sweep *s, const cm_sweep_hit *hit, const cm_sweep_hit *other) {
    if (hit->first != other->first) return hit->first < other->first;
    double now = cm__point_dot(s->v, cm__point_of(hit->normal));
    double before = cm__point_dot(s->v, cm__point_of(other->normal));
    if (fabs(now - before) > 1e-6 * cm__point_length(s->v)) return now > before; /* the steepest, then the lowest */
    return hit->part_b < other->part_b;
}

/* For the rounding of places that far from the whole's origin. */
static cm_real composite_room(const composite_sweep *s, cm_real reach) {
    cm_real moved = cm_largest(s->mo->move) + cm_largest(s->mw->move) + cm_largest(s->mo->start.position) +
                    cm_largest(s->mw->start.position) + cm_largest(s->mo->accelerate) + cm_largest(s->mw->accelerate);
    return 32 * CM_REAL_EPSILON * (reach + moved);
}

/* The deepest place of the start, as the shapes at rest tell it. */
static bool composite_deepest(const composite_sweep *s, cm_sweep_hit *hit) {
    cm_witness w;
    if (!(cm__pair_distance(s->other, s->whole, &s->whole_in_other, CM_REAL_MAX, &w) < CM_REAL_MAX)) return false;
    cm__witness_to_outer(&w, &s->mo->start);
    memset(hit, 0, sizeof *hit);
    hit->start = -(double)w.distance > s->band ? CM_SWEEP_OVERLAPPING : CM_SWEEP_TOUCHING;
    hit->normal = w.normal;
    hit->point = w.point_a;
    hit->part_a = w.part_a, hit->part_b = w.part_b;
    hit->blocking = cm__composite_approach(s, 0, cm__point_of(w.point_a), cm__point_of(w.normal)) > SWEEP_SLIDE;
    return true;
}

/* --- one part ---------------------------------------------------------------------------------------------------- */

static void composite_take(composite_sweep *s, const cm__part *part, const cm_sweep_hit *hit) {
    if (!s->found || composite_is_before(s, hit, &s->any)) s->any = *hit;
    s->found = true;
    if (!hit->blocking || (s->blocked && !composite_is_before(s, hit, &s->stop))) return;
    s->stop = *hit;
    s->part = *part;
    s->blocked = true;
    s->limit = cm_min(s->limit, hit->first);
}

/* What does not block from there on may do so later. */
static void composite_doubt(composite_sweep *s, const cm_sweep_hit *hit) {
    s->doubt = wide_min(s->doubt, (double)hit->first);
}

/* What is flat has no depth in a triangle: there the direction tells that the surface has. */
static void composite_judge_flat(composite_sweep *s, const cm__part *part, cm_sweep_hit *hit) {
    const cm_sweep_hit raw = *hit;
    cm__surface_answer answer = cm__composite_surface_hit(s, part, hit);
    const bool approaches = hit->blocking;
    if (answer == CM__SURFACE_NONE) hit->blocking = false;
    if (!raw.blocking) { /* several triangles may meet where it is: none is got into */
        double along = cm__point_dot(s->v, cm__point_of(hit->normal));
        hit->blocking = approaches && !(s->turn > 0) && along > s->band;
    }
    if (!hit->blocking && raw.blocking && s->touching && s->other->kind == CM_SHAPE_TRIANGLE) {
        cm_sweep_hit deeper = raw;
        if (cm__composite_deepens(s, part, (double)s->limit, &deeper)) *hit = deeper;
    }
    if (!hit->blocking && (s->turn > 0 || approaches || answer == CM__SURFACE_NONE)) composite_doubt(s, hit);
}

/* The contacts of a surface that are as deep as the whole is. */
static void composite_judge_start(composite_sweep *s, const cm__part *part) {
    cm_sweep_hit hit;
    if (s->deep_judged || !cm__composite_surface_start(s, &hit)) return;
    composite_take(s, part, &hit);
}

/* Sweeps one part. Its hit runs from the other to the whole. */
static void composite_try(composite_sweep *s, const cm__part *part) {
    cm_sweep_hit hit;
    const bool triangle = part_is_triangle(part);
    if (s->straight && triangle) {
        double enter = cm__slabs_enter(&s->slabs, &part->shape.u.triangle, (double)s->limit);
        if (enter > (double)s->limit) return;
        if (!(enter > 0)) s->close = true;
        const cm__sweep_span span = {enter, s->limit, s->band, s->touching, s->depth};
        if (!cm__convex_sweep_from(s->other, s->mo, &part->shape, s->mw, &span, &hit)) return;
    } else {
        if (!(s->turn > 0)) s->close = true;
        cm_motion mp = motion_of_part(s->mw, part);
        /* a convex child is known as well as alone: no less exactly because others may be curved */
        const bool alone = !triangle && cm__ops(part->shape.kind)->core && s->convex;
        const cm__sweep_span span = {s->from, s->limit, alone ? 0 : s->band, s->touching, s->depth};
        if (!cm__shapes_sweep(s->other, s->mo, &part->shape, &mp, &span, s->want, &hit)) return;
    }
    if (hit.first > s->limit) return;
    if (s->want == CM__SWEEP_FIRST) {
        if (!s->found || hit.first < s->any.first) s->any = hit;
        s->found = true;
        s->limit = cm_min(s->limit, hit.first);
        return;
    }
    hit.part_b = part->number;
    if (hit.start != CM_SWEEP_SEPARATED) s->close = true;
    if (hit.start == CM_SWEEP_OVERLAPPING) s->deep = true;
    if (triangle && s->convex && hit.start == CM_SWEEP_OVERLAPPING) {
        composite_judge_start(s, part);
        hit.blocking = false; /* told by all of them together */
    }
    if (triangle && s->flat) {
        composite_judge_flat(s, part, &hit);
    } else if (s->touching) {
        hit.blocking = cm__composite_deepens(s, part, (double)s->limit, &hit);
    }
    if (triangle && hit.start == CM_SWEEP_OVERLAPPING && s->deep_judged && !hit.blocking) return;
    composite_take(s, part, &hit);
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

/* The other's box in the whole's frame, there, with room for the rounding of poses and moves. */
static void composite_other_box(composite_sweep *s, const cm_pose *whole_in_other, const cm_pose *other_in_whole,
                                cm_aabb *box) {
    if (s->convex) {
        cm__probe_of(s->other, whole_in_other, &s->probe);
        cm__probe_box(&s->probe, box);
    } else {
        cm__composite_box(s->other, other_in_whole, box);
    }
    s->size = (double)cm_largest(cm_sub(box->max, box->min));
    cm_real room = composite_room(s, cm_max(cm_largest(box->min), cm_largest(box->max)));
    *box = cm_aabb_grow(*box, room);
    s->room = (double)room;
}

/* How the whole lies in the other at a time. */
cm_pose cm__composite_pose_at(const composite_sweep *s, double u) {
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
    if (composite_is_endless(s)) {
        if (!cm__halfspace_region(s->other, s->whole, whole_in_other, reach, &box)) return;
        parts->start(&q, s->whole, &box);
        while (parts->next(&q, 0, &part)) composite_try(s, &part);
        return;
    }
    cm_pose identity = cm_pose_identity(), other_in_whole = cm_pose_between(whole_in_other, &identity);
    composite_other_box(s, whole_in_other, &other_in_whole, &box);
    parts->start(&q, s->whole, &box);
    while (parts->next(&q, wide_up(wide_min(reach, speed * ((double)s->limit - s->from))), &part))
        composite_try(s, &part);
}

/* Turning: how far apart they are tells until when nothing can meet. Where that is not much any more, the parts in
 * reach for a short while are swept over that, and so on: so the hits come in order, and few parts are looked at. */
static void composite_walk_turning(composite_sweep *s, double speed) {
    const double end = (double)s->limit;
    double u = s->from;
    for (int i = 0; !s->blocked && !(s->found && s->want == CM__SWEEP_FIRST); i++) {
        cm_pose at = cm__composite_pose_at(s, u);
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
        at = cm__composite_pose_at(s, u);
        composite_offer(s, &at, speed, until);
        if (until >= end) return;
        u = until;
    }
}

static void composite_walk_parts(composite_sweep *s) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    bool endless = composite_is_endless(s);
    double speed = (cm__point_length(s->v) + s->turn) * (1 + 1e-6); /* of any point */
    cm__parts q;
    cm__part part;
    cm_aabb box;
    s->straight = false;
    if (endless)
        s->room = (double)composite_room(s, wide_up(cm__shape_reach(s->whole, cm_v(0, 0, 0))));
    else
        composite_other_box(s, &s->whole_in_other, &s->other_in_whole, &box);
    if (s->turn > s->bend) {
        composite_walk_turning(s, speed);
        return;
    }
    if (endless) {
        composite_offer(s, &s->whole_in_other, speed, (double)s->limit);
        return;
    }
    /* a parabola is at no time farther from where its chord is then than an eighth of the acceleration */
    const cm__point chord = cm__point_mul_add(s->v, 0.5, composite_acceleration(s));
    const double bulge = s->bend / 8;
    if (bulge > 0) box = cm_aabb_grow(box, wide_up(bulge));
    s->straight = s->convex;
    if (s->straight) {
        cm__frame home = frame_of_pose(&s->mw->start);
        const double room = s->room / 4 + s->probe.slack + bulge;
        cm__slabs_of(&s->probe, frame_unturn(&home, chord), &box, room, &s->slabs);
    }
    parts->cast_start(&q, s->whole, &box, cm_unrotate(s->mw->start.rotation, cm__vec3_of(chord)));
    while (parts->cast_next(&q, s->limit, &part)) composite_try(s, &part);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* The first contact of all, whether it blocks or not. */
static bool composite_first(composite_sweep *s, bool overlaps) {
    if (!overlaps) composite_walk_parts(s);
    if (overlaps) {
        memset(&s->any, 0, sizeof s->any);
        s->found = true;
    }
    return s->found;
}

/* The normal of the hit that blocks: one that the surface has there, where it is approached along that. */
static void composite_normal(composite_sweep *s) {
    if (!s->convex || s->flat || !part_is_triangle(&s->part) || s->stop.start == CM_SWEEP_OVERLAPPING) return;
    cm_sweep_hit hit = s->stop;
    cm__composite_surface_hit(s, &s->part, &hit);
    if (hit.blocking) s->stop.normal = hit.normal;
    cm__composite_middle(s, &s->stop);
}

/* As cm_sweep tells it. */
static bool composite_hit(composite_sweep *s, bool apart, bool overlaps, cm_sweep_hit *out) {
    const double end = (double)s->limit;
    cm_sweep_hit hit;
    composite_walk_parts(s);
    if (s->own > s->band && !s->deep && !apart && composite_deepest(s, &hit)) { /* wholly within a solid */
        const cm__part none = {.number = CM_NONE};
        s->deep = true;
        composite_take(s, &none, &hit);
    }
    if (s->flat && s->touching) s->doubt = 0;
    double until = s->blocked ? (double)s->stop.first : end;
    if (s->doubt < until && s->flat && cm__composite_sinks(s, s->doubt, until, &hit)) {
        s->stop = hit;
        s->found = s->blocked = true;
    }
    if (!s->found && !overlaps) return false;
    if (s->blocked) composite_normal(s);
    cm_sweep_hit best = s->blocked ? s->stop : s->any;
    if (!s->blocked && overlaps && !(s->found && s->deep_judged)) {
        if (composite_deepest(s, &hit)) best = hit;
        best.blocking = false;
    }
    best.start = !overlaps ? CM_SWEEP_SEPARATED : s->own > s->band ? CM_SWEEP_OVERLAPPING : CM_SWEEP_TOUCHING;
    if (!s->blocked && overlaps) best.first = 0;
    if (!overlaps && !(best.first > 0)) best.first = CM_REAL_MIN;
    *out = best;
    return true;
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
    s.bend = cm__point_length(composite_acceleration(&s));
    s.turn = s.bend + (motion_turns(s.mo) || motion_turns(s.mw) ? composite_turning(&s) : 0);
    s.from = span->from, s.limit = span->limit;
    s.band = span->band > 0 ? span->band : cm__sweep_band(a, ma, b, mb);
    s.want = want;
    s.room = s.size = 0;
    s.convex = cm__ops(s.other->kind)->core != NULL;
    s.flat = s.convex && s.other->kind <= CM_SHAPE_TRIANGLE && !(s.other->radius > 0);
    s.near = cm__composite_near(&s);
    s.depth = span->depth, s.own = 0, s.touching = span->touching, s.doubt = HUGE_VAL;
    s.close = s.deep = s.deep_judged = s.found = s.blocked = false;
    const bool apart = span->from > 0; /* at the start */
    cm_witness w;
    bool overlaps = false;
    if (!apart) {
        cm_real d = cm__pair_distance(s.other, s.whole, &s.whole_in_other, wide_up(s.band), &w);
        overlaps = d <= 0;
        s.touching |= (double)d <= s.band;
        s.own = -(double)d;
        s.depth = wide_max(s.depth, s.own);
    }
    cm_sweep_hit best;
    if (want == CM__SWEEP_FIRST) {
        if (!composite_first(&s, overlaps)) return false;
        best = s.any;
    } else if (!composite_hit(&s, apart, overlaps, &best)) {
        return false;
    }
    best.last = 1;
    *out = best;
    if (swapped) {
        out->normal = cm_neg(out->normal);
        out->part_a = best.part_b, out->part_b = best.part_a;
    }
    return true;
}
