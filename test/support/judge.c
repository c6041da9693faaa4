/* See scene.h: what is judged of contacts, sweeps and rays. */
#include "support/judge.h"

#include "convex/convex.h"
#include "pair/pair.h"

#include <math.h>

/* --- contacts ---------------------------------------------------------------------------------------------------- */

enum { MANIFOLDS = SPECIMEN_PIECES * SPECIMEN_PIECES };

/* One manifold: its points lie on the surfaces of both, and no two have the same name. */
static long double judge_manifold(scene *s, const cm_manifold *m) {
    const specimen *a = &s->a, *b = &s->b;
    long double deepest = -HUGE_VALL;
    /* against a half-space every corner of a rounded core counts with the ball around it, which may lie within */
    bool ground = specimen_is_halfspace(a) || specimen_is_halfspace(b);
    wide3 n = w3_of_vec3(m->normal);
    judge_that(s, m->count >= 1 && m->count <= 8, "%d points", m->count);
    judge_that(s, specimen_has_part(a, m->part_a) && specimen_has_part(b, m->part_b), "contact of parts %u %u",
               m->part_a, m->part_b);
    judge_that(s, judge_finite(m->normal), "normal %g", (double)m->normal.x);
    if (s->t.faults > 0) return deepest;
    judge_raise(&s->t.contact, fabsl(w3_length(n) - 1));
    for (int k = 0; k < m->count; k++) {
        const cm_contact_point *p = &m->points[k];
        wide3 on_a = w3_of_vec3(p->point_a), on_b = w3_of_vec3(p->point_b);
        long double depth = (long double)p->depth;
        judge_that(s, cm_is_coord(p->depth) && judge_finite(p->point_a) && judge_finite(p->point_b), "depth %g",
                   (double)p->depth);
        judge_raise(&s->t.contact, w3_length(w3_sub(w3_sub(on_a, on_b), w3_scale(n, depth))) / s->scale);
        long double off_a = specimen_contact_outside(a, m->part_a, on_a),
                    off_b = specimen_contact_outside(b, m->part_b, on_b);
        if (!(ground && a->shape.radius > 0)) off_a += specimen_part_inside(a, m->part_a, on_a);
        if (!(ground && b->shape.radius > 0)) off_b += specimen_part_inside(b, m->part_b, on_b);
        /* along a normal that was turned at an internal edge, the mesh's point may lie off its triangle */
        judge_raise(&s->t.contact, (s->composite ? wl_min(off_a, off_b) : wl_max(off_a, off_b)) / s->scale);
        deepest = wl_max(deepest, depth);
        for (int i = 0; i < k && p->feature_a != CM_NONE && p->feature_b != CM_NONE; i++)
            judge_that(s, m->points[i].feature_a != p->feature_a || m->points[i].feature_b != p->feature_b,
                       "two points are %u %u", p->feature_a, p->feature_b);
    }
    return deepest;
}

static bool manifold_mirrors(const cm_manifold *m, const cm_manifold *o) {
    bool same = judge_opposite(m->normal, o->normal) && m->part_a == o->part_b && m->part_b == o->part_a;
    same = same && m->count == o->count;
    for (int k = 0; same && k < m->count; k++) {
        const cm_contact_point *p = &m->points[k], *q = &o->points[k];
        same = judge_equal(p->point_a, q->point_b) && judge_equal(p->point_b, q->point_a) && p->depth == q->depth &&
               p->feature_a == q->feature_b && p->feature_b == q->feature_a;
    }
    return same;
}

/* Moved by a millionth, most points keep their names. */
static void judge_names(scene *s, const cm_manifold *before, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    static cm_manifold after[MANIFOLDS];
    cm_pose at = b->pose;
    at.position = cm_mul_add(at.position, CM_REAL(1e-6 * (double)s->scale), rng_direction(r));
    at.position = cm_mul_add(at.position, CM_REAL(-2e-6 * (double)s->scale), before->normal);
    if (cm_contact(&a->shape, &a->pose, &b->shape, &at, 0, after, MANIFOLDS) < 1) return;
    for (int k = 0; k < before->count; k++) {
        bool found = false;
        for (int i = 0; i < after->count; i++)
            found = found || (after->points[i].feature_a == before->points[k].feature_a &&
                              after->points[i].feature_b == before->points[k].feature_b);
        s->t.ids++, s->t.kept += found;
    }
}

void judge_contact(scene *s, cm_real d, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    static cm_manifold m[MANIFOLDS], o[MANIFOLDS];
    const cm_real margin = d > 0 ? d * CM_REAL(1.5) + CM_REAL(4 * (double)CM_REAL_EPSILON * (double)s->scale) : 0;
    for (int pass = 0; pass < 2; pass++) { /* at rest, then with a margin that reaches */
        cm_real reach = pass ? margin : 0;
        double start = judge_clock(s);
        int count = cm_contact(&a->shape, &a->pose, &b->shape, &b->pose, reach, m, MANIFOLDS);
        s->t.cost[2] += (judge_clock(s) - start) / 2;
        bool expected = pass || d <= 0;
        judge_that(s, (count > 0) == expected && count <= MANIFOLDS, "%d manifolds at distance %g, margin %g", count,
                   (double)d, (double)reach);
        if (s->t.faults > 0) return;
        long double deepest = -HUGE_VALL;
        for (int i = 0; i < count; i++) deepest = wl_max(deepest, judge_manifold(s, &m[i]));
        if (count > 0 && !s->composite) judge_raise(&s->t.contact, fabsl(deepest + (long double)d) / s->scale);
        if (d > 0) judge_that(s, count == 0 || deepest <= SCENE_BOUND * s->scale, "apart, but %Lg deep", deepest);
        int back = cm_contact(&b->shape, &b->pose, &a->shape, &a->pose, reach, o, MANIFOLDS);
        judge_that(s, count == back, "%d manifolds, swapped %d", count, back);
        /* points, segments and boxes with their like are solved as they are asked for */
        bool as_asked = a->shape.kind == b->shape.kind && cm__method_of(a->shape.kind, b->shape.kind)->contact_sure;
        as_asked = as_asked || (!pair_swapped(&a->shape, &a->pose, &b->shape, &b->pose) &&
                                !pair_swapped(&b->shape, &b->pose, &a->shape, &a->pose)); /* or twins */
        for (int i = 0; i < count && i < back && !as_asked; i++)
            judge_that(s, manifold_mirrors(&m[i], &o[i]), "manifold %d swapped", i);
        if (pass == 0 && count == 1 && !s->composite) judge_names(s, &m[0], r);
    }
}

/* --- sweeps ------------------------------------------------------------------------------------------------------ */

static cm_pose pose_at(const cm_pose *start, cm_vec3 move, cm_real u) {
    cm_pose at = *start;
    at.position = cm_mul_add(start->position, u, move);
    return at;
}

/* Nothing touches before `until`: the distance says so, and, of convex ones, what proves it. */
static void judge_free(scene *s, cm_vec3 move, cm_real u, cm_real until, long double slack) {
    const specimen *a = &s->a, *b = &s->b;
    cm_pose at = pose_at(&b->pose, move, u);
    cm_witness w;
    cm_real gap = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, &w);
    judge_that(s, (long double)gap > -slack, "%g deep at %g, free until %g", -(double)gap, (double)u, (double)until);
    if (s->composite || !(gap > 0)) return;
    wide3 n = w3_unit(w3_of_vec3(w.normal)), moved = w3_sub(w3_of_vec3(at.position), w3_of_vec3(b->pose.position));
    long double proven = specimen_separation(a, CM_NONE, b, CM_NONE, n) + w3_dot(n, moved);
    judge_that(s, proven > -slack - judge_blur(s, gap), "apart by %g at %g, proven %Lg", (double)gap, (double)u,
               proven);
}

static void judge_hit(scene *s, cm_real d, const cm_sweep_hit *hit, const cm_motion *go, long double scale, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    long double slack = SCENE_BOUND * scale, depth = s->curved ? SCENE_ROUND_DEPTH : SCENE_BOUND;
    judge_that(s, hit->first >= 0 && hit->first <= hit->last && hit->last <= 1, "first %g last %g", (double)hit->first,
               (double)hit->last);
    judge_that(s, judge_finite(hit->point) && judge_finite(hit->normal), "point %g", (double)hit->point.x);
    judge_that(s, specimen_has_part(a, hit->part_a) && specimen_has_part(b, hit->part_b), "hit of parts %u %u",
               hit->part_a, hit->part_b);
    judge_that(s, d > (cm_real)(2 * (double)slack) ? hit->first > 0 && hit->start == CM_SWEEP_SEPARATED : true,
               "apart by %g, but first %g", (double)d, (double)hit->first);
    /* what starts deep goes on to the wall that blocks it, if there is one */
    judge_that(s, hit->start != CM_SWEEP_OVERLAPPING || ((long double)d <= slack && (hit->first == 0 || hit->blocking)),
               "overlapping at %g, first %g", (double)d, (double)hit->first);
    if (s->t.faults > 0) return;
    judge_raise(&s->t.contact, fabsl(w3_length(w3_of_vec3(hit->normal)) - 1));
    cm_pose at = pose_at(&b->pose, go->move, hit->first);
    cm_real left = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, NULL);
    /* what touches at the start, up to the bound, may sink in where it slides before it is blocked */
    if (hit->first > 0 && hit->start == CM_SWEEP_SEPARATED && (long double)d > slack) {
        wide3 moved = w3_sub(w3_of_vec3(at.position), w3_of_vec3(b->pose.position)), p = w3_of_vec3(hit->point);
        judge_raise(&s->t.gap, fabsl((long double)left) / scale);
        judge_bound(s, "gap at the first contact", fabsl((long double)left) / scale,
                    s->curved ? SCENE_ROUND_GAP : SCENE_BOUND);
        long double off = specimen_part_outside(a, hit->part_a, p) + specimen_part_inside(a, hit->part_a, p);
        off = wl_max(off, fabsl(specimen_part_outside(b, hit->part_b, w3_sub(p, moved))));
        judge_bound(s, "point of the first contact", off / scale, s->curved ? SCENE_ROUND_POINT : SCENE_CONTACT);
    }
    if (s->composite) return; /* `last` of composites is 1 */
    for (int i = 0; i < 2; i++) {
        cm_real u = hit->first + (hit->last - hit->first) * CM_REAL(rng_unit(r));
        at = pose_at(&b->pose, go->move, u);
        left = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, NULL);
        judge_that(s, (long double)left <= SCENE_BOUND * scale, "between first %g and last %g apart by %g",
                   (double)hit->first, (double)hit->last, (double)left);
        if (!(hit->last < 1)) continue;
        u = hit->last + (1 - hit->last) * CM_REAL(rng_log_range(r, 1e-4, 1));
        at = pose_at(&b->pose, go->move, u);
        left = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, NULL);
        judge_that(s, (long double)left > -depth * scale, "%g deep at %g, after last %g", -(double)left, (double)u,
                   (double)hit->last);
    }
}

/* Straight motion of B: nothing touches before `first`, and at `first` the gap is nearly closed. */
void judge_sweep(scene *s, cm_real d, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    cm_motion stay, go;
    memset(&stay, 0, sizeof stay);
    memset(&go, 0, sizeof go);
    stay.start = a->pose, go.start = b->pose;
    cm_vec3 toward = cm_sub(a->pose.position, b->pose.position);
    go.move = cm_add(cm_scale(toward, CM_REAL(rng_range(r, -1, 3))), rng_vec3(r, (double)s->scale / 8));
    cm_sweep_hit hit, back;
    memset(&hit, 0, sizeof hit);
    memset(&back, 0, sizeof back);
    double start = judge_clock(s);
    bool met = cm_sweep(&a->shape, &stay, &b->shape, &go, &hit);
    s->t.cost[3] += judge_clock(s) - start;
    bool met_back = cm_sweep(&b->shape, &go, &a->shape, &stay, &back);
    long double travel = (long double)cm_length(go.move), scale = s->scale + travel, slack = SCENE_BOUND * scale;
    judge_that(s, met || (long double)d > -slack, "overlapping by %g at the start, but never met", -(double)d);
    if (a->shape.kind != b->shape.kind) {
        judge_that(s, met == met_back && hit.first == back.first && hit.last == back.last, "first %g, swapped %g",
                   (double)hit.first, (double)back.first);
        judge_that(s, !met || judge_opposite(hit.normal, back.normal), "normal %g, swapped %g", (double)hit.normal.x,
                   (double)back.normal.x);
    }
    if (met) judge_hit(s, d, &hit, &go, scale, r);
    cm_real until = met ? hit.first : 1;
    for (int i = 0; i < 8; i++) { /* half of the looks close before the contact */
        cm_real u = until * CM_REAL(i & 1 ? 1 - rng_log_range(r, 1e-4, 1) : rng_unit(r));
        /* nearer than that, rounding decides on which side of a surface a point starts */
        if ((long double)d > slack) judge_free(s, go.move, u, until, slack);
    }
    s->t.sweeps++;
    s->t.hits += met;
}

/* --- rays -------------------------------------------------------------------------------------------------------- */

/* A ray at one of them: the point lies on it, its normal stands on it, and no point before lies within, nor, of convex
 * ones, after the exit. */
void judge_ray(scene *s, rng *r) {
    int which = (int)(s->number & 1);
    const specimen *a = which ? &s->b : &s->a;
    cm_ray ray;
    ray.origin = cm_add(a->pose.position, rng_vec3(r, (double)s->scale / 4));
    ray.direction = cm_sub(cm_add(a->pose.position, rng_vec3(r, (double)s->scale / 32)), ray.origin);
    ray.max = CM_REAL(rng_range(r, 0.5, 4));
    if (!cm_ray_is_valid(&ray)) return;
    cm_ray_hit hit;
    double start = judge_clock(s);
    bool met = cm_raycast(&ray, &a->shape, &a->pose, &hit);
    s->t.cost[4 + which] += 2 * (judge_clock(s) - start);
    long double length = (long double)cm_length(ray.direction), scale = s->scale + length * (long double)ray.max;
    wide3 from = w3_of_vec3(ray.origin), along = w3_of_vec3(ray.direction);
    cm_real until = met ? hit.t : ray.max;
    bool surface = a->kind == SPECIMEN_SOLID_MESH; /* met at its surface, from within too */
    if (met) {
        judge_that(s, hit.t >= 0 && hit.t <= hit.exit && hit.exit <= ray.max, "ray t %g exit %g", (double)hit.t,
                   (double)hit.exit);
        judge_that(s, judge_finite(hit.point) && judge_finite(hit.normal) && specimen_has_part(a, hit.part),
                   "ray part %u", hit.part);
        if (s->t.faults > 0) return;
        wide3 p = w3_add(from, w3_scale(along, (long double)hit.t)), n = w3_of_vec3(hit.normal);
        long double out = specimen_outside(a, p);
        judge_raise(&s->t.ray[which], wl_max(out, 0) / scale);
        judge_raise(&s->t.ray[which], w3_length(w3_sub(p, w3_of_vec3(hit.point))) / scale);
        judge_raise(&s->t.ray[which], fabsl(w3_length(n) - 1));
        if (hit.t > 0 && !hit.inside) {
            long double in = specimen_part_inside(a, hit.part, p);
            if (!specimen_is_halfspace(a)) in = wl_max(in, specimen_part_reach(a, hit.part, n) - w3_dot(n, p));
            judge_bound(s, "normal of the ray", in / scale, s->curved ? SCENE_ROUND_POINT : SCENE_BOUND);
            judge_raise(&s->t.ray[which], specimen_part_inside(a, hit.part, p) / scale);
            judge_that(s, surface || w3_dot(n, along) <= SCENE_BOUND * length, "normal along the ray by %Lg",
                       w3_dot(n, along) / length);
        }
    }
    if (met && hit.inside)
        judge_that(s, (hit.t == 0 || surface) && specimen_outside(a, from) <= SCENE_BOUND * scale, "not inside, t %g",
                   (double)hit.t);
    for (int i = 0; i < 8 && !surface && !(met && hit.inside); i++) {
        long double u = (long double)until * (long double)rng_unit(r);
        long double out = specimen_outside(a, w3_add(from, w3_scale(along, u)));
        judge_that(s, out > -SCENE_BOUND * scale, "the ray is %Lg deep at %Lg, until %g, met %d", -out, u,
                   (double)until, met);
        if (specimen_is_composite(a) || specimen_is_halfspace(a)) continue;
        wide3 p = w3_add(from, w3_scale(along, u));
        judge_that(s, specimen_part_inside(a, CM_NONE, p) <= SCENE_BOUND * scale, "within at %Lg, until %g, met %d", u,
                   (double)until, met);
    }
    if (met && !specimen_is_composite(a) && hit.exit < ray.max && hit.exit > hit.t) {
        wide3 p = w3_add(from, w3_scale(along, (long double)hit.exit));
        judge_raise(&s->t.ray[which], specimen_outside(a, p) / scale);
        judge_raise(&s->t.ray[which], specimen_part_inside(a, CM_NONE, p) / scale);
    }
    s->t.rays++;
    s->t.ray_hits += met;
}

/* --- the step limit ---------------------------------------------------------------------------------------------- */

static bool limit_part(const specimen *b, long number, cm_shape *shape, cm_pose *pose) {
    return specimen_part_shape(b, b->count > 0 ? (int)(number % b->count) : 0, shape, pose);
}

void judge_limit(scene *s) {
    cm_shape a, b;
    cm_pose pose_a, pose_b;
    if (!limit_part(&s->a, s->number, &a, &pose_a) || !limit_part(&s->b, s->number / 3, &b, &pose_b)) return;
    cm_pose b_in_a = cm_pose_between(&pose_a, &pose_b);
    cm__frame frame = frame_of_pose(&b_in_a);
    cm__core core_a, core_b;
    cm__convex_pair pair;
    cm__convex_gap gap;
    cm__ops(a.kind)->core(&a, &core_a);
    cm__ops(b.kind)->core(&b, &core_b);
    cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
    judge_that(s, gap.end == CM__CONVEX_PROVEN, "%d steps, %d for the depth", gap.steps, gap.depth_steps);
}

void scene_judge(scene *s) {
    rng r = {s->seed + (uint64_t)s->number};
    tally *t = &s->t;
    cm_real d = judge_distance(s, &r);
    if (t->faults > 0) return;
    judge_contact(s, d, &r);
    judge_sweep(s, d, &r);
    judge_ray(s, &r);
    judge_limit(s);
    judge_bound(s, "proof of the distance", t->proof, SCENE_BOUND);
    judge_bound(s, "points of the distance", t->point, s->curved ? SCENE_ROUND_POINT : SCENE_BOUND);
    judge_bound(s, "depth", t->depth, s->curved ? SCENE_ROUND_DEPTH : SCENE_BOUND);
    judge_bound(s, "contacts", t->contact, s->curved ? SCENE_ROUND_POINT : SCENE_CONTACT);
    judge_bound(s, "ray", wl_max(t->ray[0], t->ray[1]), SCENE_BOUND);
}
