/* Overlap and distance where one shape, or both, are composites: the walk over the parts near the other shape.
 *
 * Guaranteed: a composite overlaps the other shape where one of its parts does, or where it is a solid that holds the
 * other's center. The distance is the least over all parts, from the same decisions, so its sign agrees with overlap.
 * Frame: the first shape's for all answers; the parts are asked in the composite's own, the other shape laid out there
 * once (prepared.h). Two composites: the parts of one, each against the whole other. Compounds hold no compounds, so
 * the nesting on each side is never deeper than compound, mesh, triangle. Bound: the walk opens each node of a tree at
 * most once. No memory. Based on: [Larsen99] the walk with a shrinking bound. */
#include "pair/composite.h"
#include "pair/contacts.h"
#include "math/closest.h"
#include "math/round.h"
#include "pair/inner_hull.h"
#include "pair/prepared.h"

#define COMPOSITE_LEAVES 1.01 /* of a depth: what leaves by so much has no better way out */

void cm__composite_box(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm_aabb box;
    cm__ops(shape->kind)->parts->box(shape, &box);
    *out = cm_aabb_empty();
    if (!(box.min.x <= box.max.x)) return;
    for (int i = 0; i < 8; i++) {
        cm_vec3 corner =
            cm_v(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
        *out = cm_aabb_add_point(*out, cm_pose_apply(pose, corner));
    }
    cm_real reach = cm_max(cm_largest(box.min), cm_largest(box.max));
    *out = cm_aabb_grow(*out, 2 * cm__pose_error(pose, reach));
}

static cm_pose composite_inverse(const cm_pose *pose) {
    cm_pose identity = cm_pose_identity();
    return cm_pose_between(pose, &identity);
}

/* --- within a solid ---------------------------------------------------------------------------------------------- */

static cm_vec3 solid_center(const cm_shape *shape, cm__core *core) {
    cm__ops(shape->kind)->core(shape, core);
    return cm__vec3_of(core->center);
}

bool cm__solid_holds(const cm_shape *shape, const cm_shape *composite, const cm_pose *pose) {
    const cm__parts_ops *parts = cm__ops(composite->kind)->parts;
    cm__core core;
    return parts->holds && parts->holds(composite, pose, solid_center(shape, &core));
}

/* The shortest translation of a point out of the solid that holds it, in the shape's frame. */
typedef struct solid_exit {
    double depth, room; /* its length; the rounding of that */
    cm__point from, wall, outward;
    uint32_t part;
} solid_exit;

/* A point that lies on the wall within rounding leaves along the wall's normal. If it is no deeper than `least`, it may
 * be reported as deeper than it is, but not as deeper than that. */
static void solid_wall(const cm_shape *composite, const cm__frame *frame, cm__point point, double least,
                       solid_exit *out) {
    cm__point p = frame_unrotate(frame, cm__point_sub(point, frame->position));
    cm_aabb box;
    box.min = box.max = cm__vec3_of(p);
    const cm_real size =
        cm_largest(box.min) + cm_largest(cm__vec3_of(point)) + cm_largest(cm__vec3_of(frame->position));
    const cm_real room = 4 * CM_REAL_EPSILON * size;
    const double rounding = 4 * DBL_EPSILON * (double)size;
    box = cm_aabb_grow(box, room);
    const cm__parts_ops *parts = cm__ops(composite->kind)->parts;
    cm__parts q;
    cm__part part;
    double best = DBL_MAX;
    cm__point at = p, way = cm__p(0, 0, 1);
    out->part = CM_NONE;
    parts->start(&q, composite, &box);
    while (best > least && parts->next(&q, best < (double)CM_REAL_MAX ? composite_bound(best) : CM_REAL_MAX, &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        cm__closest_on_triangle c;
        cm__closest_point_triangle(p, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &c);
        double d = cm__point_length(c.gap);
        if (!(d < best)) continue;
        best = d;
        at = c.point;
        const cm_vec3 ab = cm_sub(t->b, t->a), ac = cm_sub(t->c, t->a), n = cm_cross(ab, ac);
        way = wide_normalize(cm__point_of(n), cm__p(0, 0, 1));
        if (d > (double)room) {
            const double long_edge = (double)cm_max(cm_length(ab), cm_length(ac));
            const double short_edge = (double)cm_min(cm_length(ab), cm_length(ac));
            const double along = cm__point_dot(c.gap, way), noise = rounding + 8 * DBL_EPSILON * long_edge;
            const cm__point aside = cm__point_mul_add(c.gap, -along, way);
            /* to a wall near by, rounding of the foot tilts the way more than that of the corners tilts the normal */
            const bool near = d * short_edge < (double)cm_length(n) && cm__point_largest(aside) <= noise;
            way = !near ? wide_normalize(c.gap, way) : along < 0 ? wide_neg(way) : way;
        }
        out->part = part.number;
    }
    out->depth = best, out->room = (double)room;
    out->from = point;
    out->wall = frame_apply(frame, at);
    out->outward = frame_rotate(frame, way);
}

/* Where a convex shape that reaches into a solid composite is deepest, as far as two of its points tell: its center,
 * and its farthest point away from the wall that is nearest to the center. A point at depth D cannot leave by less than
 * D, nor a ball around it by less than D plus its radius. So the depth is a true lower bound. False where the center is
 * outside. In the shape's frame; out->part_b is the part of the wall. */
bool cm__solid_depth(const cm_shape *shape, const cm_shape *composite, const cm_pose *pose, cm_witness *out) {
    const cm__parts_ops *parts = cm__ops(composite->kind)->parts;
    cm__core core;
    if (!parts->holds || !parts->holds(composite, pose, solid_center(shape, &core))) return false;
    cm__frame frame = frame_of_pose(pose);
    solid_exit way, other;
    solid_wall(composite, &frame, core.center, 0, &way);
    uint32_t id = core.ops->corner ? 0 : CM_NONE;
    cm__point far = core.ops->support(&core, wide_neg(way.outward), &id);
    if (parts->holds(composite, pose, cm__vec3_of(far))) {
        solid_wall(composite, &frame, far, way.depth, &other);
        /* a corner of a shape that lies level with the wall may be on a side wall of the solid: there rounding alone
         * would make it the deeper one */
        if (other.depth > way.depth + other.room) way = other;
    }
    out->point_a = cm__vec3_of(cm__point_mul_add(way.from, -core.radius, way.outward));
    out->point_b = cm__vec3_of(way.wall);
    out->normal = cm__vec3_of(wide_neg(way.outward));
    out->distance = (cm_real) - (way.depth + core.radius);
    out->part_a = CM_NONE, out->part_b = way.part;
    out->flags = CM_WITNESS_LOWER_BOUND;
    return true;
}

bool cm__solid_wall(const cm__prepared *prepared, const cm_shape *composite, const cm_witness *inside, cm__part *out) {
    const cm__point own = cm__point_of(inside->point_b), at = frame_apply(&prepared->to_triangles, own);
    /* the wall may be far from the shape, and its point is rounded there */
    const double reach =
        cm__point_largest(own) + cm__point_largest(at) + cm__point_largest(prepared->to_triangles.position);
    return cm__find_part(composite, inside->part_b, at, CM_REAL(16 * (double)CM_REAL_EPSILON * reach), out);
}

/* --- a convex shape ---------------------------------------------------------------------------------------------- */

static bool convex_composite_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    cm__prepared prepared;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    cm__prepare(a, b_in_a, &prepared);
    cm__prepared_box(&prepared, &box);
    parts->start(&q, b, &box);
    while (parts->next(&q, 0, &part)) {
        if (part_is_triangle(&part)) {
            if (cm__prepared_overlap(&prepared, &part.shape.u.triangle)) return true;
            continue;
        }
        cm_pose pose = cm_pose_mul(b_in_a, &part.pose);
        if (cm__pair_overlap(a, &part.shape, &pose)) return true;
    }
    return cm__solid_holds(a, b, b_in_a);
}

/* The gap to a triangle, no smaller than that of their boxes: a depth found across a gap of boxes is noise (one is 1e12
 * times as large as the other; a curved one ends up to 1e-11 of its scale short), and overlap never asks for such a
 * triangle. Contacts go by the same number, so a margin that holds the distance holds a contact. False beyond `max`. */
bool cm__composite_gap(const cm__prepared *prepared, const cm_aabb *box, const cm_triangle *t, double max,
                       cm__gap *out) {
    const cm_vec3 corners[3] = {t->a, t->b, t->c};
    if (!cm__prepared_gap(prepared, t, max, out)) return false;
    if (out->distance > 0) return true;
    cm_real apart = parts_apart(corners, box); /* exact to a rounding; parts_near leaves room for four */
    if (apart > 0) out->distance = wide_max((double)apart * (1 - 2 * (double)CM_REAL_EPSILON), DBL_MIN);
    return (double)gap_distance(out->distance) <= max;
}

/* The least distance so far. */
typedef struct composite_best {
    bool found, is_gap;
    double distance;
    cm__gap gap; /* where is_gap, */
    cm_triangle triangle;
    cm_witness witness;
    uint32_t part;
} composite_best;

/* Some of the parts that the walk offers wait here, ordered by cheap bounds, and the nearest is measured first: so few
 * have to be measured. */
#define COMPOSITE_WAITING 6

typedef struct composite_near {
    const cm_shape *a, *b;
    const cm_pose *b_in_a;
    cm__prepared prepared;
    cm_aabb box;
    cm_real bound; /* parts farther away are skipped */
    composite_best best;
    int waiting;
    struct {
        cm_triangle triangle;
        uint32_t number;
        double least;
    } wait[COMPOSITE_WAITING];
} composite_near;

static void near_better(composite_near *s, uint32_t part, double distance) {
    s->best.found = true;
    s->best.distance = distance;
    s->best.part = part;
    s->bound = cm_min(s->bound, composite_bound(distance));
}

/* A part that is nearer than this (or deeper, where it is negative) beats the best so far. */
static double near_limit(const composite_near *s) {
    return s->best.found && s->best.distance <= 0 ? s->best.distance : (double)s->bound;
}

static bool near_is_beyond(const composite_near *s, double least) {
    double limit = near_limit(s); /* distances are rounded down before they are compared */
    return least > limit + 4 * (double)CM_REAL_EPSILON * fabs(limit);
}

static void near_measure(composite_near *s, const cm_triangle *t, uint32_t number) {
    cm__gap gap;
    if (!cm__composite_gap(&s->prepared, &s->box, t, near_limit(s), &gap)) return;
    if (s->best.found && !(gap.distance < s->best.distance)) return;
    near_better(s, number, gap.distance);
    s->best.is_gap = true;
    s->best.gap = gap, s->best.triangle = *t;
}

static void near_measure_first(composite_near *s) {
    int i = --s->waiting; /* the last in the list is the nearest */
    if (!near_is_beyond(s, s->wait[i].least)) near_measure(s, &s->wait[i].triangle, s->wait[i].number);
}

static void near_offer(composite_near *s, const cm__part *part) {
    const cm_triangle *t = &part->shape.u.triangle;
    double least, most;
    if (s->prepared.kind == CM__PREPARED_BALL || s->prepared.flat) {
        near_measure(s, t, part->number);
        return;
    }
    cm__prepared_bounds(&s->prepared, t, &least, &most);
    if (near_is_beyond(s, least)) return;
    if (s->waiting == COMPOSITE_WAITING) near_measure_first(s);
    if (most < (double)s->bound) s->bound = composite_bound(most);
    int at = s->waiting++;
    for (; at > 0 && s->wait[at - 1].least < least; --at) s->wait[at] = s->wait[at - 1];
    s->wait[at].triangle = *t, s->wait[at].number = part->number, s->wait[at].least = least;
}

static void near_child(composite_near *s, const cm__part *part) {
    cm_witness witness;
    cm_pose pose = cm_pose_mul(s->b_in_a, &part->pose);
    double distance = (double)cm__pair_distance(s->a, &part->shape, &pose, s->bound, &witness);
    if (!(distance < (double)CM_REAL_MAX)) return; /* beyond the bound it is that, and there is no witness */
    if (s->best.found && !(distance < s->best.distance)) return;
    near_better(s, part->number, distance);
    s->best.is_gap = false;
    s->best.witness = witness;
}

/* Rounding of positions. */
static double near_slack(const composite_near *s) {
    return 16 * (double)CM_REAL_EPSILON * (cm__point_largest(s->prepared.center) + s->prepared.size);
}

/* The triangle that is nearest to a point, which is most likely on it; *on: the point of it. */
static uint32_t near_part_at(const composite_near *s, cm__point at, cm__point *on) {
    const cm__parts_ops *parts = cm__ops(s->b->kind)->parts;
    uint32_t number = CM_NONE;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(at);
    for (int i = 0; i < 2 && number == CM_NONE; i++) {
        double best = i == 0 ? near_slack(s) : (double)CM_REAL_MAX;
        cm__parts q;
        cm__part part;
        parts->start(&q, s->b, &box);
        while (parts->next(&q, best < (double)CM_REAL_MAX ? wide_up(best) : CM_REAL_MAX, &part)) {
            const cm_triangle *t = &part.shape.u.triangle;
            cm__closest_on_triangle c;
            cm__closest_point_triangle(at, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &c);
            if (c.square < best * best) best = sqrt(c.square), number = part.number, *on = c.point;
        }
    }
    return number;
}

/* What lies deep in a solid leaves no triangle, or only by a short way, of a surface that it has to leave by a longer
 * one: by that out of the convex surface around. That is reported where it is proved to be no less deep than what is
 * known. Where not all of it is proved, the points are farther apart than the depth that is reported. */
static CM__RARE bool near_around(const composite_near *s, const cm_triangle *from, uint32_t number, double known,
                                 cm_witness *out) {
    cm__inner_hull hull;
    cm__gap gap;
    if (!cm__inner_hull_grow(&s->prepared, s->b, near_slack(s), from, number, &hull)) return false;
    if (!(hull.gap.distance <= known + near_slack(s))) return false;
    gap_of_convex(&hull.gap, &gap);
    gap.distance = hull.gap.slack - cm__inner_hull_proven(&hull);
    if (!(gap.distance <= known + near_slack(s) && gap.distance < 0)) return false;
    cm__point on = gap.a;
    const uint32_t part = near_part_at(s, gap.a, &on);
    if (gap.distance > hull.gap.distance + near_slack(s)) gap.a = on;
    cm__prepared_gap_to_shape(&s->prepared, &gap);
    cm__witness_of_gap(&gap, out);
    out->part_b = part;
    out->flags = CM_WITNESS_LOWER_BOUND;
    return true;
}

/* Does the shape leave the convex surface around a triangle along a direction by little more than it is deep? Then that
 * is as good a way out as any. */
static bool near_leaves(const composite_near *s, const cm_triangle *t, uint32_t number, cm__point n, double depth) {
    const double slack = near_slack(s), most = COMPOSITE_LEAVES * depth + slack;
    const cm__point top = cm__inner_top(s->b, slack, t, number, n);
    return cm__point_dot(n, cm__point_sub(top, cm__prepared_lowest(&s->prepared, n))) <= most;
}

/* The depth in a solid, from the deepest triangle, or the wall nearest to what the solid holds. */
static bool near_in_solid(const composite_near *s, const cm_witness *held, cm_witness *out) {
    cm_triangle t = s->best.triangle;
    uint32_t number = s->best.part;
    cm__point n = s->best.gap.normal;
    double known = s->best.distance;
    if (held) {
        cm__part wall;
        if (!cm__solid_wall(&s->prepared, s->b, held, &wall)) return false;
        t = wall.shape.u.triangle, number = wall.number;
        n = wide_neg(frame_rotate(&s->prepared.to_triangles, cm__point_of(held->normal)));
        known = (double)held->distance;
    }
    return known <= 0 && !near_leaves(s, &t, number, n, -known) && near_around(s, &t, number, known, out);
}

static cm_real convex_composite_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                                         cm_real max_distance, cm_witness *out) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    composite_near s;
    cm__parts q;
    cm__part part;
    s.a = a, s.b = b, s.b_in_a = b_in_a;
    s.bound = max_distance;
    s.best.found = s.best.is_gap = false;
    s.waiting = 0;
    cm__prepare(a, b_in_a, &s.prepared);
    s.prepared.solid = surface_is_solid(b);
    cm__prepared_box(&s.prepared, &s.box);
    cm_witness inside;
    const bool held = cm__solid_depth(a, b, b_in_a, &inside);
    if (held) s.bound = cm_min(s.bound, 0); /* what it does not overlap does not matter */
    parts->start(&q, b, &s.box);
    while (parts->next(&q, s.bound, &part)) {
        if (part_is_triangle(&part)) {
            near_offer(&s, &part);
        } else {
            near_child(&s, &part);
        }
    }
    while (s.waiting > 0) near_measure_first(&s);
    const bool by_wall = held && !(s.best.found && gap_distance(s.best.distance) < inside.distance);
    if (s.prepared.solid && (by_wall || s.best.found) && near_in_solid(&s, by_wall ? &inside : NULL, out))
        return out->distance;
    if (by_wall) {
        *out = inside;
        return out->distance;
    }
    if (!s.best.found) return CM_REAL_MAX;
    if (s.best.is_gap) {
        cm__prepared_gap_to_shape(&s.prepared, &s.best.gap);
        cm__witness_of_gap(&s.best.gap, out);
    } else {
        *out = s.best.witness;
    }
    out->part_b = s.best.part;
    out->flags |= out->distance <= 0 ? CM_WITNESS_LOWER_BOUND : 0u;
    return out->distance;
}

/* --- two composites ---------------------------------------------------------------------------------------------- */

void cm__composite_walk_of(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__composite_walk *w) {
    /* a compound is split into its parts before a mesh, because children are few and large. Compounds are the last of
     * all kinds. */
    w->swapped = !cm__ops(a->kind)->parts->children && cm__ops(b->kind)->parts->children;
    w->whole = w->swapped ? b : a;
    w->other = w->swapped ? a : b;
    w->other_in_whole = w->swapped ? composite_inverse(b_in_a) : *b_in_a;
    w->parts = cm__ops(w->whole->kind)->parts;
    cm__composite_box(w->other, &w->other_in_whole, &w->box);
}

/* A point of a triangle. Where the triangle touches no wall, all of it is on the same side as this point. */
static cm_shape composite_middle(const cm__part *part) {
    const cm_triangle *t = &part->shape.u.triangle;
    return cm_make_point(cm_scale(cm_add(cm_add(t->a, t->b), t->c), CM_REAL(1) / 3));
}

/* Where no more than `most` of the parts in the box are looked at, and these evenly spread: one of how many is. */
static uint32_t composite_every(const cm_shape *shape, const cm_aabb *box, uint32_t most) {
    const cm__parts_ops *parts = cm__ops(shape->kind)->parts;
    cm__parts q;
    cm__part part;
    uint32_t count = 0;
    if (most == UINT32_MAX) return 1;
    parts->start(&q, shape, box);
    while (parts->next(&q, 0, &part)) ++count;
    return count / most + 1;
}

static bool composite_held(const cm_shape *outer, const cm_shape *inner, const cm_pose *inner_in_outer, uint32_t most,
                           cm_witness *out) {
    const cm__parts_ops *parts = cm__ops(inner->kind)->parts;
    if (!cm__ops(outer->kind)->parts->holds || parts->children) return false;
    cm_pose outer_in_inner = composite_inverse(inner_in_outer);
    cm_aabb box;
    cm__parts q;
    cm__part part;
    bool found = false;
    uint32_t at = 0;
    cm__composite_box(outer, &outer_in_inner, &box);
    const uint32_t every = composite_every(inner, &box, most);
    parts->start(&q, inner, &box);
    while (parts->next(&q, 0, &part)) {
        if (at++ % every != 0) continue;
        cm_shape middle = composite_middle(&part);
        if (!out) {
            if (cm__solid_holds(&middle, outer, &outer_in_inner)) return true;
            continue;
        }
        cm_witness w;
        if (!cm__solid_depth(&middle, outer, &outer_in_inner, &w)) continue;
        if (found && !(w.distance < out->distance)) continue;
        found = true;
        *out = w;
        out->point_a = cm_pose_apply(inner_in_outer, w.point_b);
        out->point_b = cm_pose_apply(inner_in_outer, w.point_a);
        out->normal = cm_neg(cm_rotate(inner_in_outer->rotation, w.normal));
        out->part_a = w.part_b, out->part_b = part.number;
    }
    return found;
}

bool cm__composite_held(const cm_shape *outer, const cm_shape *inner, const cm_pose *inner_in_outer, cm_witness *out) {
    return composite_held(outer, inner, inner_in_outer, UINT32_MAX, out);
}

static bool composites_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__composite_walk w;
    cm__parts q;
    cm__part part;
    cm__composite_walk_of(a, b, b_in_a, &w);
    w.parts->start(&q, w.whole, &w.box);
    while (w.parts->next(&q, 0, &part)) {
        cm_pose pose = composite_other_in_part(&w, &part);
        if (cm__pair_overlap(&part.shape, w.other, &pose)) return true;
    }
    return cm__composite_held(w.whole, w.other, &w.other_in_whole, NULL);
}

/* The distance from all parts near the other, or from no more than `most` of those that touch its box. */
static cm_real composites_nearest(const cm__composite_walk *w, const cm_pose *b_in_a, cm_real max_distance,
                                  uint32_t most, uint32_t *asked, cm_witness *out) {
    cm__parts q;
    cm__part part;
    bool found = false;
    cm_real bound = max_distance;
    const uint32_t every = composite_every(w->whole, &w->box, most);
    uint32_t at = 0;
    cm_witness best;
    *asked = 0;
    w->parts->start(&q, w->whole, &w->box);
    while (w->parts->next(&q, bound, &part)) {
        if (at++ % every != 0) continue;
        ++*asked;
        cm_witness one;
        cm_pose pose = composite_other_in_part(w, &part);
        cm_real d = cm__pair_distance(&part.shape, w->other, &pose, bound, &one);
        if (!(d < CM_REAL_MAX) || (found && !(d < best.distance))) continue; /* beyond the bound it is that */
        if (!part.identity) cm__witness_to_outer(&one, &part.pose);
        found = true;
        best = one;
        best.part_a = part.number;
        bound = cm_max(cm_min(bound, d), 0);
    }
    cm_witness held;
    if (composite_held(w->whole, w->other, &w->other_in_whole, most, &held) &&
        !(found && best.distance <= held.distance))
        best = held, found = true;
    if (!found) return CM_REAL_MAX;
    if (w->swapped) {
        cm__witness_to_outer(&best, b_in_a);
        cm__witness_swap(&best);
    }
    *out = best; /* with its flags: of a composite each part's answer says whether it is a lower bound */
    return best.distance;
}

static cm_real composites_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                                   cm_witness *out) {
    cm__composite_walk w;
    uint32_t asked;
    cm__composite_walk_of(a, b, b_in_a, &w);
    return composites_nearest(&w, b_in_a, max_distance, UINT32_MAX, &asked, out);
}

cm_real cm__composites_depth(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, uint32_t most,
                             uint32_t *asked, cm_witness *out) {
    cm__composite_walk w;
    cm__composite_walk_of(a, b, b_in_a, &w);
    return composites_nearest(&w, b_in_a, 0, most, asked, out);
}

const cm__method cm__method_convex_composite = {.overlap = convex_composite_overlap,
                                                .distance = convex_composite_distance,
                                                .contacts = cm__convex_composite_contacts};
const cm__method cm__method_composites = {
    .overlap = composites_overlap, .distance = composites_distance, .contacts = cm__composites_contacts};
