/* A composite in motion against any shape: finds the first part that blocks.
 *
 * Each part that the other shape may touch is swept as a pair of its own, with the band of the whole pair, and only up
 * to the earliest blocking hit so far. Candidates come roughly in the order in which they are hit:
 * - without turning: the parts whose boxes the other's box hits on its path;
 * - turning: pairs from a traversal of both trees over time, each with the time from which on it may touch
 *   (traverse.c);
 * - turning, from a start deeper than the band, and for half-spaces that turn: the parts within reach, during one short
 *   window of time after the other. What is deep may leave through a triangle, and is not in its way for long.
 *
 * A pair that starts apart by more than the band stops at the first part it touches. A pair that starts in touch, d
 * deep as a whole, passes every part in which it does not get deeper than d by more than the band (composite_block.c):
 * so a floor that a body stands on, however deep, does not hide the wall ahead, and its seams do not stop the body. The
 * first hit that blocks is the answer; else the deepest contact of the start; else the first hit of all. Normals are
 * those that the surface has at the place of the hit.
 *
 * Guaranteed: from a start apart, `first` is never later than the first contact; from a start in touch, never later
 * than the time at which the other is deeper in a part than d by more than the band. For what has no inside (points,
 * segments, triangles, flat boxes) the latter is checked only at finitely many times (composite_block.c,
 * composite_seam.c). Frame: the world for hits, the composite's for parts. Bound: one sweep and the steps of start.c
 * for each part offered, in each of at most 256 windows; where they turn at most TRAVERSE_PART units of work for each
 * part of both; what needs more ends with CM_PROOF_LIMIT. Twice that where the first contact only brushes. No memory.
 * Based on: [Mirtich96] for turning bodies. */
#include "sweep/composite.h"
#include "math/round.h"
#include "math/wide.h"
#include "sweep/curve.h"
#include "sweep/hit.h"
#include "sweep/traverse.h"

#include <string.h>

#define COMPOSITE_CURVED 1e-6     /* of the size of a curved shape: the error of its depth */
#define TURNING_WINDOW   0.015625 /* of the step; the fastest of 1/16 to 1/256, as measured */
/* Units of work (a pair of nodes is one; shapes.h), for each part of both shapes; real models needed at most 800. The
 * least and the most: about 0.2 and 10 seconds. */
#define TRAVERSE_PART   8192
#define TRAVERSE_LEAST  (1 << 19)
#define TRAVERSE_MOST   (1 << 25)
#define TURNING_WINDOWS 256 /* at most so many windows, since each advances by at least half of TURNING_WINDOW */

static bool motion_turns(const cm_motion *m) { return cm_largest(m->spin) > 0; }

/* Of the other relative to the whole. */
static cm__point composite_acceleration(const composite_sweep *s) {
    return cm__point_sub(cm__point_of(s->mo->accelerate), cm__point_of(s->mw->accelerate));
}

/* Bound on the closing speed that turning adds. */
static double composite_turning(const composite_sweep *s) {
    double spin_o = cm__point_length(cm__point_of(s->mo->spin)), spin_w = cm__point_length(cm__point_of(s->mw->spin));
    if (!(spin_o > 0) && !(spin_w > 0)) return 0;
    cm__point pivot_o = cm__point_of(cm_pose_apply(&s->mo->start, s->mo->pivot));
    cm__point pivot_w = cm__point_of(cm_pose_apply(&s->mw->start, s->mw->pivot));
    double between = cm__point_length(cm__point_sub(pivot_o, pivot_w)) + cm__point_length(s->v) + s->bend;
    double reach_w = cm__shape_reach(s->whole, s->mw->pivot);
    bool endless = cm__ops(s->other->kind)->shape_class == CM__HALFSPACE;
    double reach_o = endless ? 0 : cm__shape_reach(s->other, s->mo->pivot);
    /* with a half-space the points of the whole count; else those of the other, for both spins */
    if (endless) return spin_o * (between + reach_w) + spin_w * reach_w;
    return wide_min(spin_o * reach_o + spin_w * (between + reach_o), spin_o * reach_o + spin_w * reach_w);
}

/* The velocity of a point of one of the two; adds to *sizes the lengths of the terms, for rounding. */
static cm__point composite_point_velocity(const cm_motion *m, double u, cm__point at, double *sizes) {
    const cm__point accelerate = cm__point_of(m->accelerate), spin = cm__point_of(m->spin);
    const cm__point move = cm__point_of(m->move);
    *sizes += cm__point_length(move) + u * cm__point_length(accelerate);
    const cm__point v = cm__point_mul_add(move, u, accelerate);
    if (!motion_turns(m)) return v;
    cm__point pivot = cm__point_mul_add(cm__point_of(cm_pose_apply(&m->start, m->pivot)), u, move);
    pivot = cm__point_mul_add(pivot, u * u / 2, accelerate);
    const cm__point arm = cm__point_sub(at, pivot);
    *sizes += cm__point_length(spin) * cm__point_length(arm);
    return cm__point_add(v, cm__point_cross(spin, arm));
}

/* The velocity of the other relative to the whole. The spin of a round shape about its own axis does not count: it
 * moves no point of the set. */
static cm__point composite_velocity(const composite_sweep *s, double u, cm__point at, double *sizes) {
    const cm__point origin = cm__point_of(s->mo->start.position);
    const cm__point of_other = s->convex && motion_turns(s->mo)
                                   ? cm__moving_velocity(&s->moving, u, cm__point_sub(at, origin), sizes)
                                   : composite_point_velocity(s->mo, u, at, sizes);
    return cm__point_sub(of_other, composite_point_velocity(s->mw, u, at, sizes));
}

double cm__composite_approach(const composite_sweep *s, double u, cm__point at, cm__point normal) {
    double sizes = 0;
    double along = cm__point_dot(composite_velocity(s, u, at, &sizes), normal);
    /* at rest, or moving away so slowly that the acceleration turns it back at once */
    if (s->bend > 0 && !(along > SWEEP_SLIDE * sizes)) {
        const double pull = cm__point_dot(composite_acceleration(s), normal);
        if (cm__curve_closes(s->band / 8, wide_min(along, 0), pull)) along = pull, sizes += s->bend;
    }
    return sizes > 0 ? along / sizes : 0;
}

/* Bound on the closing speed. */
static double composite_speed(const composite_sweep *s) { return (cm__point_length(s->v) + s->turn) * (1 + 1e-6); }

/* Allowance for the rounding of positions that far from the whole's origin. */
static cm_real composite_room(const composite_sweep *s, cm_real reach) {
    cm_real moved = cm_largest(s->mo->move) + cm_largest(s->mw->move) + cm_largest(s->mo->start.position) +
                    cm_largest(s->mw->start.position) + cm_largest(s->mo->accelerate) + cm_largest(s->mw->accelerate);
    return 32 * CM_REAL_EPSILON * (reach + moved);
}

/* Is a depth this small only rounding, or the tolerance of a search? Then its direction means nothing. For convex
 * shapes, computed in double, the bound is lower. */
static bool composite_is_vague(const composite_sweep *s, cm_real distance) {
    double known = s->band;
    if (s->convex) {
        const cm__core *core = &s->prepared.core;
        known = composite_rounding(s) + (core->ops->corner ? 0 : COMPOSITE_CURVED * core->size);
    }
    return fabs((double)distance) <= known;
}

/* The deepest place at the start, from cm_distance of the shapes at rest. */
static bool composite_deepest(composite_sweep *s, cm_sweep_hit *hit) {
    cm_witness w;
    if (!(cm__pair_distance(s->other, s->whole, &s->whole_in_other, CM_REAL_MAX, &w) < CM_REAL_MAX)) return false;
    cm__witness_to_outer(&w, &s->mo->start);
    memset(hit, 0, sizeof *hit);
    hit->start = -(double)w.distance > s->band ? CM_SWEEP_OVERLAPPING : CM_SWEEP_TOUCHING;
    hit->normal = w.normal;
    hit->point = w.point_a;
    hit->part_a = w.part_a, hit->part_b = w.part_b;
    s->depth_direction = cm__point_of(w.normal);
    /* the direction of depth of two composites may be an edge's */
    if (!s->convex || composite_is_vague(s, w.distance)) cm__composite_depth_direction(s, hit);
    hit->normal = cm__vec3_of(s->depth_direction);
    const double approach = cm__composite_approach(s, 0, cm__point_of(hit->point), s->depth_direction);
    /* the direction of a short depth comes from its two ends, which are rounded */
    hit->blocking = approach > cm__composite_rough(s) + composite_rounding(s) / wide_max(s->band, s->own);
    return true;
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

/* The other's box in the whole's frame, at these poses, grown by the rounding of poses and displacements. */
static void composite_other_box(composite_sweep *s, const cm_pose *whole_in_other, const cm_pose *other_in_whole,
                                cm_aabb *box) {
    if (s->convex) {
        cm__prepare(s->other, whole_in_other, &s->prepared);
        cm__prepared_box(&s->prepared, box);
    } else {
        cm__composite_box(s->other, other_in_whole, box);
    }
    s->size = (double)cm_largest(cm_sub(box->max, box->min));
    cm_real room = composite_room(s, cm_max(cm_largest(box->min), cm_largest(box->max)));
    room = cm_max(room, wide_up(s->band));
    *box = cm_aabb_grow(*box, room);
    s->room = (double)room;
}

cm_pose cm__composite_pose_at(const composite_sweep *s, double u) {
    cm_pose pose_o, pose_w;
    cm_motion_at(s->mo, (cm_real)u, &pose_o);
    cm_motion_at(s->mw, (cm_real)u, &pose_w);
    return cm_pose_between(&pose_o, &pose_w);
}

/* How many parts there are, but no more than are asked for. Compounds hold no compounds, but maybe meshes. */
static uint32_t composite_parts(const cm_shape *shape, uint32_t most) {
    const cm__parts_ops *parts = cm__ops(shape->kind)->parts;
    uint64_t root;
    const uint32_t own = parts ? parts->tree.root(shape, &root) : 1;
    uint32_t all = 0;
    if (!parts || !parts->children) return own < most ? own : most;
    for (uint32_t i = 0; i < own && all < most; i++) {
        cm__part part;
        parts->tree.part(shape, CM__TREE_PART | i, &part);
        all += composite_parts(&part.shape, most - all);
    }
    return all;
}

/* From here on all that is tried counts. */
static void composite_start_work(composite_sweep *s) {
    const uint32_t most = TRAVERSE_MOST / TRAVERSE_PART;
    if (s->budget == 0) {
        const double all = (double)composite_parts(s->other, most) + (double)composite_parts(s->whole, most);
        s->budget = (uint32_t)wide_min(wide_max(TRAVERSE_PART * all, TRAVERSE_LEAST), TRAVERSE_MOST);
    }
    s->most = *s->work + s->budget;
}

/* The search ran out of budget: nothing is known from `known` on. */
static void composite_give_up(composite_sweep *s, double known) {
    const cm_real u = wide_down(known);
    const cm_pose at = cm__composite_pose_at(s, (double)u);
    cm_pose other_at;
    cm_witness w;
    cm_sweep_hit hit;
    memset(&hit, 0, sizeof hit);
    cm_motion_at(s->mo, u, &other_at);
    cm__pair_distance(s->other, s->whole, &at, CM_REAL_MAX, &w);
    cm__witness_to_outer(&w, &other_at);
    hit.first = hit.free_until = u;
    hit.normal = w.normal, hit.point = w.point_a;
    hit.part_a = w.part_a, hit.part_b = w.part_b;
    hit.blocking = true;
    hit.proof = CM_PROOF_LIMIT;
    s->any = s->stop = hit;
    s->part = (cm__part){.number = w.part_b}, s->struck.number = CM_NONE;
    s->found = s->blocked = true;
    s->free = wide_min(s->free, known);
}

/* Sweeps a part, if there is budget left for it. False: there is none, so nothing is known from `from` on. */
static bool composite_offer_part(composite_sweep *s, const cm__part *part) {
    if (*s->work >= s->most) {
        composite_give_up(s, wide_max(s->from, s->first));
        return false;
    }
    *s->work += CM__WORK_PLANES;
    cm__composite_try(s, part, NULL);
    return true;
}

/* Sweeps the parts that the other can reach between `from`, where the pose is given, and `until`. Returns whether there
 * were any. */
static bool composite_offer(composite_sweep *s, const cm_pose *whole_in_other, double speed, double until) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    bool any = false;
    double reach = speed * (until - s->from);
    if (s->endless) {
        if (!cm__halfspace_region(s->other, s->whole, whole_in_other, reach, &box)) return false;
        parts->start(&q, s->whole, &box);
        while (parts->next(&q, 0, &part)) {
            any = true;
            if (!composite_offer_part(s, &part)) break;
        }
        return any;
    }
    cm_pose identity = cm_pose_identity(), other_in_whole = cm_pose_between(whole_in_other, &identity);
    composite_other_box(s, whole_in_other, &other_in_whole, &box);
    parts->start(&q, s->whole, &box);
    while (parts->next(&q, wide_up(wide_min(reach, speed * ((double)s->limit - s->from))), &part)) {
        any = true;
        if (!composite_offer_part(s, &part)) break;
    }
    return any;
}

/* Turning motion, window by window. The distance, divided by the closing speed, gives a time before which nothing
 * touches (`apart`: the distance at the start, or -HUGE_VAL where unknown). Near contact, the parts within reach during
 * a short window are swept over that window, and so on. So hits come in order, and few parts are examined. */
static void composite_walk_turning(composite_sweep *s, double speed, double apart) {
    const double end = (double)s->limit;
    const bool known = apart > -HUGE_VAL;
    double u = s->from;
    bool near = false; /* the last window had parts in reach */
    composite_start_work(s);
    for (int i = 0; !s->blocked && !(s->found && s->want == CM__SWEEP_FIRST); i++) {
        if (!near) {
            const double reach = speed * (end - u) + 4 * s->room;
            if (i > 0 || !known) {
                cm_pose at = cm__composite_pose_at(s, u);
                cm_witness w;
                apart = (double)cm__pair_distance(s->other, s->whole, &at, wide_up(reach), &w);
            }
            if (!(apart <= reach)) return;
            double before = u;
            if (apart > 4 * s->room) u = (double)wide_down(u + (apart - 2 * s->room) / speed);
            if (!(u <= end)) return;
            if (u - before > TURNING_WINDOW / 2) continue;
        }
        double until = i < TURNING_WINDOWS ? (double)(cm_real)wide_min(end, u + TURNING_WINDOW) : end;
        s->from = u;
        s->limit = (cm_real)until;
        cm_pose at = cm__composite_pose_at(s, u);
        near = composite_offer(s, &at, speed, until);
        if (until >= end) return;
        u = until;
    }
}

static uint32_t composite_take_pair(void *user, const cm__part *other, const cm__part *part, double from) {
    composite_sweep *s = user;
    double doubt = HUGE_VAL;
    const uint32_t before = *s->work;
    s->from = from;
    s->later = other && s->put_off_count < CM__COMPOSITE_LATER ? &doubt : NULL;
    cm__composite_try(s, part, other);
    if (doubt < (double)s->limit) s->put_off[s->put_off_count++] = (cm__composite_later){*other, *part, from, doubt};
    return CM__WORK_PLANES + (*s->work - before);
}

/* Turning: sweeps the pairs of parts that may touch, earliest first. */
static void composite_traverse(composite_sweep *s) {
    composite_start_work(s);
    const cm__traverse task = {.a = s->other,
                               .b = s->whole,
                               .ma = s->mo,
                               .mb = s->mw,
                               .from = s->from,
                               .limit = &s->limit,
                               .apart = s->left / 2,
                               .near = 2 * s->left,
                               .budget = s->budget,
                               .offer = composite_take_pair,
                               .user = s};
    const uint32_t before = *s->work;
    uint32_t work;
    const double known = cm__traverse_run(&task, &work);
    *s->work = before + work; /* with what the offers took */
    s->later = NULL;
    for (int i = 0; i < s->put_off_count; i++) { /* most of them come after the blocking hit */
        const cm__composite_later *later = &s->put_off[i];
        s->from = later->from;
        if (later->doubt < (double)s->limit) cm__composite_try(s, &later->part, &later->other);
    }
    if (known <= (double)s->limit) composite_give_up(s, wide_max(known, s->first));
}

/* `apart`: for turning motion, the distance at the start; -HUGE_VAL where unknown. */
static void composite_walk_parts(composite_sweep *s, const cm_aabb *box, double apart) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    double speed = composite_speed(s);
    cm__parts q;
    cm__part part;
    if (s->only) {
        cm__composite_try(s, s->only, NULL);
        return;
    }
    if (s->turn > s->bend) {
        if (s->endless || s->depth > s->band)
            composite_walk_turning(s, speed, apart);
        else
            composite_traverse(s);
        return;
    }
    if (s->endless) {
        composite_offer(s, &s->whole_in_other, speed, (double)s->limit);
        return;
    }
    /* a parabola is never farther from the point of its chord at the same time than an eighth of the acceleration */
    const cm__point chord = cm__point_mul_add(s->v, 0.5, composite_acceleration(s));
    const double bulge = s->bend / 8;
    const cm_aabb around = cm_aabb_grow(*box, wide_up(bulge));
    s->straight = s->convex;
    if (s->straight) {
        cm__frame whole = frame_of_pose(&s->mw->start);
        /* until then they are apart by more than this; a hit may leave twice as much; parts in the band at the start
         * are hit at the start */
        const double clear = s->touching ? s->band : s->left;
        const double room = wide_max(s->room / 4 + s->prepared.slack, clear * (1 + 1e-6)) + bulge;
        cm__slabs_of(&s->prepared, frame_unrotate(&whole, chord), &around, room, &s->slabs);
    }
    parts->cast_start(&q, s->whole, &around, cm_unrotate(s->mw->start.rotation, cm__vec3_of(chord)));
    while (parts->cast_next(&q, s->limit, &part)) cm__composite_try(s, &part, NULL);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* Do the boxes show that they are apart by more than the band at the start, and neither inside the other? `box` is the
 * other's. */
static bool composite_is_clear(const composite_sweep *s, const cm_aabb *box) {
    const cm__parts_ops *parts = cm__ops(s->whole->kind)->parts;
    cm__parts q;
    cm__part part;
    cm_aabb all;
    if (s->endless) return false;
    parts->box(s->whole, &all);
    if (!cm_aabb_overlaps(&all, box)) return true;
    if (!s->convex || parts->holds) return false;
    parts->start(&q, s->whole, box);
    return !parts->next(&q, 0, &part);
}

/* Determines how the pair starts, and returns the distance; for a half-space that turns, up to the distance that the
 * whole motion may close. `a` and `b` are in the caller's order, as cm_overlap is asked. */
static double composite_begin(composite_sweep *s, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                              const cm_motion *mb, const cm__sweep_rest *rest, const cm_aabb *box) {
    const bool far = s->endless && s->turn > 0;
    const double reach = far ? composite_speed(s) * ((double)s->limit - s->from) + 4 * s->room : 0;
    const cm_pose b_in_a = cm_pose_between(&ma->start, &mb->start);
    cm_witness w;
    if (composite_is_clear(s, box)) return HUGE_VAL;
    const cm_real d = cm__pair_distance(a, b, &b_in_a, wide_up(wide_max(s->band, reach)), &w);
    s->overlaps = rest ? cm__sweep_overlap(rest, (double)d) : d <= 0;
    s->touching = s->overlaps || (double)d <= s->band;
    s->depth = wide_max(0, -(double)d);
    s->own = s->overlaps ? -(double)d : wide_min(-(double)d, 0);
    if (!s->touching) return (double)d;
    s->depth_direction = cm__point_of(cm_rotate(ma->start.rotation, w.normal));
    if (s->other != a) s->depth_direction = wide_neg(s->depth_direction);
    if (composite_is_vague(s, d)) cm__composite_depth_direction(s, NULL);
    return (double)d;
}

/* The first contact, whether it blocks or not. */
static bool composite_first(composite_sweep *s, const cm_aabb *box, double apart) {
    if (!s->overlaps) {
        composite_walk_parts(s, box, apart);
    } else {
        memset(&s->any, 0, sizeof s->any);
        s->found = true;
    }
    return s->found;
}

/* Judges a start deeper than the band: of what is convex in a surface, or straight in a compound, by the contacts that
 * are as deep as the whole pair, else by the deepest place, unless they approach at no contact. */
static void composite_judge_deep(composite_sweep *s) {
    const cm__part none = {.number = CM_NONE};
    cm_sweep_hit hit;
    const bool by_contacts = surface_exists(s->whole) || (cm__ops(s->whole->kind)->parts->children && !(s->turn > 0));
    if (!(s->convex && by_contacts && cm__composite_surface_start(s, &hit)) && !composite_deepest(s, &hit)) return;
    s->depth_direction = cm__point_of(hit.normal);
    hit.blocking = hit.blocking && !cm__composite_departs(s);
    cm__composite_record(s, &none, &hit);
}

/* The blocking hit gets a normal that the surface has there. A hit may leave a gap, and of parts that arrive together
 * any may be the first: the inner edge of one face, or of one child, before the face that it borders. So may parts that
 * turn into what they touch: a wall that is flush with the body's side, before the floor that the body stands on. Then
 * a contact within the gap gives its own normal. From a start in touch without turning it has one, by which the first
 * was chosen; a start deeper than the band has that of its depth. Where a compound has none of these, as at a seam that
 * a tip or what has no inside touches, what lies just outside tells it. */
static void composite_fit(composite_sweep *s) {
    if (s->surface || s->stop.proof != CM_PROOF_CONTACT) return;
    const bool deep = s->depth > s->band, compound = cm__ops(s->whole->kind)->parts->children && !deep;
    const bool fits = s->touching ? deep || !(s->turn > 0 || (compound && !s->stop_fits))
                                  : cm__composite_fits(s, &s->part, &s->struck, &s->stop);
    if (fits) return;
    cm__composite_contact_at(s, &s->stop);
    cm__part at = s->part;
    at.number = s->stop.part_b;
    if (s->touching && compound && !cm__composite_fits(s, &at, &s->struck, &s->stop))
        cm__composite_outside(s, &s->stop);
}

/* A body that sinks slowly may leave each triangle before it is deep in it, and is blocked by a later one. Where it was
 * down at the later one's plane when it first touched, along the same normal, it is blocked there: so a floor stops it
 * at the same time, however it is cut. */
static void composite_first_of_plane(composite_sweep *s) {
    const cm_sweep_hit *any = &s->any;
    const cm__composite_question question = {&s->part, NULL, s->mw, s->from, s->end};
    cm__moving_pair pair;
    if (!s->careful || !s->convex || !part_is_triangle(&s->part) || !(any->first < s->stop.first)) return;
    if (!(cm__point_dot(cm__point_of(any->normal), cm__point_of(s->stop.normal)) > WIDE_ONE_NORMAL)) return;
    cm__composite_pair(s, &question, &pair);
    if (!(cm__moving_along(&pair, (double)any->first, cm__point_of(s->stop.normal)) <= s->band)) return;
    s->stop.first = any->first, s->stop.point = any->point, s->stop.part_b = any->part_b;
}

/* The contacts of all parts. Few bodies brush, so that is asked of the first contact of all, and of every part only
 * where that one does. */
static void composite_walk_all(composite_sweep *s, const cm_aabb *box, double apart) {
    const double from = s->from;
    const cm_real limit = s->limit;
    composite_walk_parts(s, box, apart);
    if (s->struck_out && s->blocked) *s->struck_out = s->part;
    if (!s->blocked || s->surface) return; /* triangles of a surface are judged with the whole of it */
    s->from = from, s->limit = limit;
    cm__composite_judge_first(s);
    if (s->stop.blocking) return;
    s->careful = true, s->first = (double)s->stop.first;
    s->found = s->blocked = false;
    s->free = 1, s->doubt = HUGE_VAL, s->put_off_count = 0;
    composite_walk_parts(s, box, apart);
}

/* The answer of cm_sweep. */
static bool composite_hit(composite_sweep *s, const cm_aabb *box, double apart, cm_sweep_hit *out) {
    const double end = (double)s->limit;
    cm_sweep_hit hit;
    if (s->own > s->band && !s->nested) composite_judge_deep(s);
    composite_walk_all(s, box, apart);
    double until = s->blocked ? (double)s->stop.first : end;
    if (s->doubt_out) {
        *s->doubt_out = s->doubt;
    } else if (s->doubt < until && s->flat && cm__composite_sinks(s, s->doubt, until, false, &hit)) {
        s->stop = hit;
        s->part = (cm__part){.number = hit.part_b}; /* its normal is already one that the surface has */
        s->found = s->blocked = true;
    }
    if (!s->found && (!s->overlaps || s->nested)) return false;
    if (s->blocked) {
        composite_first_of_plane(s);
        composite_fit(s);
        if (composite_asks_surface(s, &s->part, &s->stop)) cm__composite_middle(s, &s->stop);
    }
    cm_sweep_hit best = s->blocked ? s->stop : s->any;
    /* of what hovers the part that was found first may be hit beside the place where it is the nearest */
    const bool held = s->overlaps || (s->touching && best.first <= CM_REAL_MIN);
    if (!s->blocked && held && !s->nested && !(s->found && s->deep_judged)) {
        if (composite_deepest(s, &hit)) best = hit;
        best.blocking = false;
    }
    /* of a nested pair `overlaps` may only say that no first contact is asked for */
    const bool starts = s->overlaps && s->touching;
    best.start = !starts ? CM_SWEEP_SEPARATED : s->own > s->band ? CM_SWEEP_OVERLAPPING : CM_SWEEP_TOUCHING;
    /* 0, although the blocking part may only hover */
    if (s->overlaps && !s->nested && (!s->blocked || best.first <= CM_REAL_MIN)) best.first = 0;
    if (!s->overlaps && !(best.first > 0)) best.first = CM_REAL_MIN;
    best.free_until = s->touching ? 0 : cm_min((cm_real)s->free, best.first);
    *out = best;
    return true;
}

static cm_real composite_size(const cm_shape *shape) {
    cm_aabb box;
    cm__ops(shape->kind)->parts->box(shape, &box);
    return cm_largest(cm_sub(box.max, box.min));
}

/* Has the convex shape no inside? */
static bool composite_is_thin(const cm_shape *shape) {
    cm__core core;
    cm__ops(shape->kind)->core(shape, &core);
    return core_is_thin(&core);
}

/* Chooses which of the two is split into parts, and sets the fields that follow from that; `box` is the other's, where
 * it has one. */
static void composite_lay_out(composite_sweep *s, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                              const cm_motion *mb, bool swapped, cm_aabb *box) {
    s->other = swapped ? b : a, s->whole = swapped ? a : b;
    s->mo = swapped ? mb : ma, s->mw = swapped ? ma : mb;
    s->whole_in_other = cm_pose_between(&s->mo->start, &s->mw->start);
    s->other_in_whole = cm_pose_between(&s->mw->start, &s->mo->start);
    s->v = cm__point_sub(cm__point_of(s->mo->move), cm__point_of(s->mw->move));
    s->bend = cm__point_length(composite_acceleration(s));
    s->turn = s->bend + (motion_turns(s->mo) || motion_turns(s->mw) ? composite_turning(s) : 0);
    s->room = s->size = 0;
    s->convex = cm__ops(s->other->kind)->core != NULL;
    s->endless = cm__ops(s->other->kind)->shape_class == CM__HALFSPACE;
    s->flat = s->convex && composite_is_thin(s->other);
    *box = cm_aabb_empty();
    if (s->endless)
        s->room = (double)composite_room(s, wide_up(cm__shape_reach(s->whole, cm_v(0, 0, 0))));
    else
        composite_other_box(s, &s->whole_in_other, &s->other_in_whole, box);
    s->near = cm__composite_near(s);
}

bool cm__composite_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out) {
    /* as at rest, compounds are split before meshes; of two meshes the smaller, because few of its parts are near much
     * of the other */
    const cm__parts_ops *parts_a = cm__ops(a->kind)->parts, *parts_b = cm__ops(b->kind)->parts;
    bool swapped = parts_a && (parts_a->children || !parts_b->children);
    const bool meshes = parts_a && parts_a->surface && parts_b->surface;
    if (meshes) swapped = composite_size(a) <= composite_size(b);
    composite_sweep s;
    cm_aabb box;
    uint32_t work = 0;
    s.work = span->work ? span->work : &work;
    s.nested = span->band > 0;
    s.only = span->only;
    s.budget = span->budget;
    s.doubt_out = span->doubt;
    s.most = span->budget > 0 ? *s.work + span->budget : UINT32_MAX;
    s.later = NULL, s.put_off_count = 0;
    s.from = span->from, s.limit = span->limit, s.end = s.nested ? span->end : (double)span->limit;
    s.band = s.nested ? span->band : cm__sweep_band(a, ma, b, mb);
    s.left = s.nested ? span->near : (s.band - cm__sweep_curved(a, b)) / 2;
    s.want = want;
    s.straight = false;
    s.depth = span->depth, s.own = 0,
    s.depth_direction = swapped ? wide_neg(span->depth_direction) : span->depth_direction, s.doubt = HUGE_VAL;
    cm__sweep_ways ways; /* not set to 0, as most of it is never used */
    ways.count = -1, ways.more = false;
    ways.a = span->rest ? span->rest->a : a, ways.b = span->rest ? span->rest->b : b;
    ways.pose_a = &ma->start, ways.pose_b = &mb->start;
    s.ways = s.nested ? span->ways : &ways, s.ways_back = s.nested ? span->ways_back != swapped : swapped;
    s.surface = span->surface, s.number = span->number;
    s.struck_out = s.surface ? span->struck : NULL;
    s.touching = span->touching, s.overlaps = span->overlaps;
    s.deep_judged = s.found = s.blocked = false;
    s.careful = s.surface && span->careful, s.first = 0;
    s.struck.number = CM_NONE;
    s.free = 1;
    composite_lay_out(&s, a, ma, b, mb, swapped, &box);
    double distance = -HUGE_VAL;
    if (!s.nested) distance = composite_begin(&s, a, ma, b, mb, span->rest, &box);
    if (s.touching) { /* of two surfaces only a solid's triangles have a front, the side on which the other is */
        const bool first = meshes && parts_a->surface->solid(a), second = meshes && parts_b->surface->solid(b);
        if (first != second && swapped != second) {
            composite_lay_out(&s, a, ma, b, mb, swapped = second, &box);
            s.depth_direction = wide_neg(s.depth_direction), s.ways_back = !s.ways_back;
        }
    }
    if (s.convex || s.endless) cm__moving_of(s.other, s.mo, cm__point_of(s.mo->start.position), &s.moving);
    cm_sweep_hit best;
    if (want == CM__SWEEP_FIRST) {
        if (!composite_first(&s, &box, distance)) return false;
        best = s.any;
    } else if (!composite_hit(&s, &box, distance, &best)) {
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
