/* One part of a composite in motion: its own sweep, whether its hit blocks, and whether that is the first.
 * Guarantees and frames: composite.c. */
#include "pair/contacts.h"
#include "pair/solid_hull.h"
#include "sweep/composite.h"
#include "sweep/curve.h"

static cm_motion motion_of_part(const cm_motion *whole, const cm__part *part) {
    cm_motion m = *whole;
    if (part->identity) return m;
    m.start = cm_pose_mul(&whole->start, &part->pose);
    m.pivot = cm_pose_unapply(&part->pose, whole->pivot);
    return m;
}

/* The time of a hit, for comparisons: a part that hovers at the start (the least positive time) counts as hit at the
 * same time as one that overlaps there. */
static cm_real composite_time(const cm_sweep_hit *hit) { return cm_max(hit->first, CM_REAL_MIN); }

/* Times that differ by less are equal within rounding, because each part has a pose of its own. Triangles have the pose
 * of the whole, so for them it is 0. */
static double composite_moment(const composite_sweep *s, const cm__part *part) {
    const double speed = cm__point_length(s->v) + s->turn;
    return !part_is_triangle(part) && speed > 0 ? s->left / (8 * speed) : 0;
}

/* Does a hit come before another? Of hits at the same time, the one whose normal is nearest to the direction of depth
 * at the start, or, without one, to the motion; then the lowest part. */
static bool composite_is_before(const composite_sweep *s, const cm_sweep_hit *hit, const cm_sweep_hit *other,
                                double moment) {
    if (fabs((double)composite_time(hit) - (double)composite_time(other)) > moment) return hit->first < other->first;
    const bool held = s->touching;
    const cm__point along = held ? s->depth_direction : s->v;
    double now = cm__point_dot(along, cm__point_of(hit->normal));
    double before = cm__point_dot(along, cm__point_of(other->normal));
    if (held) now = fabs(now), before = fabs(before);
    if (fabs(now - before) > 1e-6 * cm__point_length(along)) return now > before;
    return hit->part_b < other->part_b;
}

/* Gives a blocking hit of a triangle the normal that the surface has there. false: along none that it has they
 * approach, and the hit stays as it is (it may be deepest along the edge between two triangles of one face). */
static bool composite_give_normal(composite_sweep *s, const cm__part *part, cm_sweep_hit *hit) {
    if (!composite_asks_surface(s, part, hit)) return true;
    cm_sweep_hit on = *hit;
    if (cm__composite_surface_hit(s, part, &on) == CM__SURFACE_NONE || !on.blocking) return false;
    hit->normal = on.normal;
    return true;
}

/* Does a polytope among a compound's children reach no farther along a direction than the place where it is hit? The
 * direction of so short a gap is off by rounding, by some hundredths. */
static bool composite_child_supports(const cm_shape *compound, uint32_t number, cm__point at, cm__point out,
                                     double noise) {
    cm__part part;
    cm__core core;
    if (!cm__find_part(compound, number, at, wide_up(noise), &part)) return true;
    if (!cm__ops(part.shape.kind)->core) return true;
    cm__ops(part.shape.kind)->core(&part.shape, &core);
    if (!core.ops->corner || core.radius > 0) return true;
    const cm__frame f = frame_of_pose(&part.pose);
    uint32_t id = 0;
    const cm__point far = frame_apply(&f, core.ops->support(&core, frame_unrotate(&f, out), &id));
    return cm__point_dot(cm__point_sub(far, at), out) <= noise;
}

/* Does a compound have a hit's direction at the place of the hit, on its child `number`? Yes of what is no compound. */
static bool composite_child_has(const composite_sweep *s, const cm_shape *shape, const cm_motion *m, uint32_t number,
                                const cm_sweep_hit *hit, cm_vec3 out) {
    const cm__parts_ops *parts = cm__ops(shape->kind)->parts;
    cm_pose pose;
    if (!parts || !parts->children) return true;
    cm_motion_at(m, hit->first, &pose);
    const cm__point at = cm__point_of(cm_pose_unapply(&pose, hit->point));
    const cm__point direction = cm__point_of(cm_unrotate(pose.rotation, out));
    return composite_child_supports(shape, number, at, direction, 2 * s->band) &&
           cm__whole_has(shape, number, at, direction, 2 * s->band);
}

bool cm__composite_fits(composite_sweep *s, const cm__part *part, const cm__part *struck, cm_sweep_hit *hit) {
    const cm_shape *of = s->surface ? s->surface : s->other;
    const cm_shape *t = s->surface ? s->other : &struck->shape;
    const uint32_t number = s->surface ? s->number : struck->number;
    cm_pose pose_o, pose_w;
    /* from deeper than the band the shapes at rest tell the normal */
    if (!(s->own > s->band) && !(composite_child_has(s, s->other, s->mo, hit->part_a, hit, hit->normal) &&
                                 composite_child_has(s, s->whole, s->mw, part->number, hit, cm_neg(hit->normal))))
        return false;
    if (s->touching || (s->convex && !s->surface)) return composite_give_normal(s, part, hit);
    if (!part_is_triangle(part) || number == CM_NONE) return true;
    cm_motion_at(s->mo, hit->first, &pose_o);
    cm_motion_at(s->mw, hit->first, &pose_w);
    const cm__point out_o = cm__point_of(cm_unrotate(pose_o.rotation, hit->normal));
    const cm__point out_w = cm__point_of(cm_unrotate(pose_w.rotation, cm_neg(hit->normal)));
    return cm__composite_has(of, number, &t->u.triangle, out_o) &&
           cm__composite_has(s->whole, part->number, &part->shape.u.triangle, out_w);
}

/* Does a blocking hit take the place of the one recorded? Of hits at the same time, one with a normal of the surface
 * comes first. */
static bool composite_stops_first(const composite_sweep *s, const cm_sweep_hit *hit, bool fits, double moment) {
    if (!s->blocked) return true;
    const bool together = fabs((double)composite_time(hit) - (double)composite_time(&s->stop)) <= moment;
    return together && fits != s->stop_fits ? fits : composite_is_before(s, hit, &s->stop, moment);
}

/* Records the hit of a part, if it comes before those recorded. `struck`: the other's triangle, of two surfaces. */
static void composite_note(composite_sweep *s, const cm__part *part, const cm__part *struck, const cm_sweep_hit *hit) {
    const double moment = composite_moment(s, part);
    cm_sweep_hit stop = *hit;
    const bool asked = hit->blocking && s->touching;
    const bool fits = !asked || cm__composite_fits(s, part, struck, &stop);
    s->free = wide_min(s->free, (double)hit->free_until);
    if (!s->found || composite_is_before(s, hit, &s->any, 0)) s->any = *hit;
    s->found = true;
    if (!hit->blocking) return;
    const cm_real first = s->blocked ? cm_min(hit->first, s->stop.first) : hit->first;
    if (composite_stops_first(s, &stop, fits, moment))
        s->stop = stop, s->part = *part, s->struck = *struck, s->stop_fits = fits;
    s->blocked = true;
    s->stop.first = first;
    s->limit = cm_min(s->limit, (cm_real)((double)composite_time(&s->stop) + moment));
}
void cm__composite_record(composite_sweep *s, const cm__part *part, const cm_sweep_hit *hit) {
    static const cm__part none = {.number = CM_NONE};
    composite_note(s, part, &none, hit);
}

/* A contact that does not block may block later: notes its time. */
static void composite_doubt(composite_sweep *s, const cm_sweep_hit *hit) {
    s->doubt = wide_min(s->doubt, (double)hit->first);
}

double cm__composite_goes(const composite_sweep *s, cm__point normal) {
    const cm__point pull = cm__point_sub(cm__point_of(s->mo->accelerate), cm__point_of(s->mw->accelerate));
    return cm__curve_most(cm__point_dot(s->v, normal), cm__point_dot(pull, normal));
}

/* Judges the hit of a flat shape, which has no depth in a triangle: the normal that the surface has there decides. */
static void composite_judge_flat(composite_sweep *s, const cm__composite_question *question, cm_sweep_hit *hit) {
    cm_sweep_hit in;
    if (s->touching) cm__composite_front(s, question, hit);
    /* behind the plane of a face of a solid, beyond its edge, it may slide on the next face */
    if (hit->blocking && s->touching && surface_is_solid(s->whole) &&
        !cm__composite_sinks(s, question->from, question->until, true, &in)) {
        hit->blocking = false;
        return;
    }
    const cm_sweep_hit raw = *hit;
    cm__surface_answer answer = cm__composite_surface_hit(s, question->part, hit);
    const bool approaches = hit->blocking;
    if (answer == CM__SURFACE_NONE) hit->blocking = false;
    if (!raw.blocking) { /* where several triangles join, a path may enter none of them */
        hit->blocking =
            approaches && !(s->turn > s->bend) && cm__composite_goes(s, cm__point_of(hit->normal)) > s->band;
    }
    /* the direction of so short a gap is rounding: a shape that does not pass the triangle is not blocked by it, */
    if (hit->blocking && s->touching && !s->overlaps && !(s->turn > 0) && !cm__composite_passes(s, question)) {
        hit->blocking = false;
        return;
    }
    /* and a shape that enters a solid gets deep, which is checked below */
    if (!raw.blocking && s->touching && surface_is_solid(s->whole)) hit->blocking = false;
    /* (in straight motion the direction is that of the touch: one that the surface does not have is rounding) */
    const bool known = s->turn > 0 || answer != CM__SURFACE_NONE;
    if (!hit->blocking && raw.blocking && s->touching && known && cm__composite_gets_in(s, question, &in, NULL)) {
        if (!(s->turn > 0)) in.first = raw.first, in.normal = raw.normal, in.point = raw.point;
        *hit = in;
    }
    if (!hit->blocking && (s->turn > 0 || answer == CM__SURFACE_NONE)) composite_doubt(s, hit);
}

/* Is the first contact needed, in case nothing blocks? For an overlapping start it is the start's own contact. */
static bool composite_wants_any(const composite_sweep *s, double from) {
    return !s->overlaps && !(s->found && (double)s->any.first <= from);
}

/* The sweep of a part alone; its hit runs from the other to the whole. *struck is written only of two surfaces. */
static bool composite_sweep_part(const composite_sweep *s, const cm__composite_question *question, cm__part *struck,
                                 cm_sweep_hit *hit) {
    const cm_shape *part = &question->part->shape;
    const cm__sweep_span span = {.from = question->from,
                                 .limit = s->limit,
                                 .band = s->band,
                                 .near = s->left,
                                 .end = question->until,
                                 .touching = s->touching,
                                 .overlaps = !composite_wants_any(s, question->from),
                                 .depth = s->depth,
                                 .depth_direction = s->depth_direction,
                                 .ways = s->ways,
                                 .ways_back = s->ways_back,
                                 .surface = !s->convex && !s->endless && surface_exists(s->whole) ? s->whole : NULL,
                                 .number = question->part->number,
                                 .careful = s->careful,
                                 .struck = struck,
                                 .work = s->work,
                                 .only = question->of,
                                 .budget = composite_left(s),
                                 .doubt = s->later};
    if (s->straight && part_is_triangle(question->part)) {
        if (!cm__convex_sweep_from(s->other, s->mo, part, question->motion, &span, hit)) return false;
    } else if (!cm__shapes_sweep(s->other, s->mo, part, question->motion, &span, s->want, hit)) {
        return false;
    }
    hit->part_b = question->part->number;
    return hit->first <= s->limit;
}

/* Can no hit from `from` on come before the recorded blocking hit? */
static bool composite_is_settled(const composite_sweep *s, double from) {
    if (!s->blocked || from < (double)s->stop.first) return false;
    return fabs(cm__point_dot(s->depth_direction, cm__point_of(s->stop.normal))) >=
           (1 - 1e-6) * cm__point_length(s->depth_direction);
}

/* Judges a part of a pair that starts in touch. */
static void composite_judge(composite_sweep *s, const cm__composite_question *question) {
    const bool flat = s->flat && !s->surface && part_is_triangle(question->part);
    cm_sweep_hit hit, in;
    bool past = false; /* past each other by rounding, so a sweep finds no contact */
    if (composite_is_settled(s, question->from)) return;
    const bool stays = cm__composite_stays(s, question) || cm__composite_leaves(s, question);
    if (stays && !composite_wants_any(s, question->from)) return;
    *s->work += CM__WORK_SWEEP;
    const bool blocks = !stays && !flat && cm__composite_gets_in(s, question, &in, &past);
    if (blocks && (past || s->turn > 0)) {
        /* a shape that accelerates from rest enters at once, earlier than the depth of a round shape would show */
        const bool falls =
            !past && !(s->turn > s->bend) && composite_sweep_part(s, question, NULL, &hit) && hit.blocking;
        if (falls && hit.first < in.first) in.first = hit.first, in.point = hit.point;
        if (s->surface) cm__composite_judge_brush(s, question->part, &in);
        cm__composite_record(s, question->part, &in);
        return;
    }
    if (flat && !stays) s->doubt = 0;
    if (!blocks && !flat && !composite_wants_any(s, question->from)) return;
    if (!composite_sweep_part(s, question, NULL, &hit)) return;
    if (flat && !stays && hit.proof == CM_PROOF_CONTACT) {
        composite_judge_flat(s, question, &hit);
    } else {
        hit.blocking = blocks || (flat && !stays);
        if (blocks) hit.normal = in.normal; /* the direction of a gap of 0 is rounding */
        if (s->surface) cm__composite_judge_brush(s, question->part, &hit);
    }
    cm__composite_record(s, question->part, &hit);
}

/* Is it proved of a triangle of each of two surfaces that this contact only brushes? Then it will not block later. */
static bool composite_brushes(composite_sweep *s, const cm__part *part, const cm_sweep_hit *hit) {
    cm_sweep_hit on = *hit;
    if (!s->surface) return false;
    on.blocking = true;
    cm__composite_judge_brush(s, part, &on);
    return !on.blocking;
}

/* Is this hit taken before another, whatever normal the surface has at that? (A normal is a unit to 6e-8.) */
static bool composite_stays_first(const composite_sweep *s, const cm_sweep_hit *first, const cm_sweep_hit *hit) {
    if (composite_time(first) != composite_time(hit)) return composite_time(first) < composite_time(hit);
    const double length = cm__point_length(s->v);
    return first->part_b < hit->part_b && cm__point_dot(s->v, cm__point_of(first->normal)) >= (1 - 9e-7) * length;
}

/* Needles that cross at one place are all hit there at one time, and a normal is told from all that lie around it. Of
 * those hits one is reported: no normal is looked for at one that does not come before it. */
static bool composite_ties(composite_sweep *s, const cm__part *part, const cm_sweep_hit *hit) {
    if (s->touching || !s->blocked || composite_moment(s, part) > 0) return false;
    if (!composite_stays_first(s, &s->stop, hit) || !composite_stays_first(s, &s->any, hit)) return false;
    s->free = wide_min(s->free, (double)hit->free_until);
    return true;
}

static void composite_try_part(composite_sweep *s, const cm__part *part, const cm__part *of) {
    const bool triangle = part_is_triangle(part);
    const cm_motion mp = motion_of_part(s->mw, part);
    /* in straight motion a part that is hit is entered at once, even if the step ends before it is that deep */
    cm__composite_question question = {part, of, &mp, s->from, s->turn > 0 ? (double)s->limit : s->end};
    cm_sweep_hit hit;
    cm__part struck = {.number = CM_NONE};
    if (s->straight && triangle) {
        question.from = cm__slabs_enter(&s->slabs, &part->shape.u.triangle, (double)s->limit);
        if (question.from > (double)s->limit) return;
    }
    if (s->want == CM__SWEEP_HIT && s->touching && composite_is_simple(s, part)) {
        composite_judge(s, &question);
        return;
    }
    if (composite_is_simple(s, part)) *s->work += CM__WORK_SWEEP;
    if (!composite_sweep_part(s, &question, &struck, &hit)) return;
    if (s->want == CM__SWEEP_FIRST) {
        if (!s->found || hit.first < s->any.first) s->any = hit;
        s->found = true;
        s->limit = cm_min(s->limit, hit.first);
        return;
    }
    if (composite_ties(s, part, &hit)) return;
    if (triangle && s->flat && hit.proof == CM_PROOF_CONTACT) {
        const double doubt = s->doubt;
        composite_judge_flat(s, &question, &hit);
        if (s->doubt < doubt && composite_brushes(s, part, &hit)) s->doubt = doubt;
    }
    if (s->careful) cm__composite_judge_brush(s, part, &hit);
    composite_note(s, part, &struck, &hit);
}

/* What has no inside may slip between two children, and get deeper in neither. */
static void composite_judge_seam(composite_sweep *s, const cm__part *part) {
    const cm_motion mp = motion_of_part(s->mw, part);
    const cm__composite_question question = {part, NULL, &mp, s->from, (double)s->limit};
    const cm__sweep_span span = {.from = s->from,
                                 .limit = s->limit,
                                 .band = s->band,
                                 .near = s->left,
                                 .end = s->end,
                                 .work = s->work,
                                 .budget = composite_left(s)};
    cm_sweep_hit hit;
    if (!cm__shapes_sweep(s->other, s->mo, &part->shape, &mp, &span, CM__SWEEP_FIRST, &hit)) return;
    if (hit.first <= s->limit && cm__composite_slips(s, &question, (double)hit.first, &hit))
        cm__composite_record(s, part, &hit);
}

void cm__composite_try(composite_sweep *s, const cm__part *part, const cm__part *of) {
    cm__part convex; /* a child that is a convex mesh */
    if (shape_mesh(&part->shape)) {
        convex = *part, convex.shape = cm__solid_hull_of(&part->shape, s->other);
        part = &convex;
    }
    composite_try_part(s, part, of);
    if (s->want == CM__SWEEP_HIT && s->touching && s->flat && cm__ops(s->whole->kind)->parts->children)
        composite_judge_seam(s, part);
}
