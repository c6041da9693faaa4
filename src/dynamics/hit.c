/* A hit within a step is answered: with impulses at the points of its contact, and motions for the rest of the step.
 *
 * At a hit at u velocities, which are those at the end of the step, are taken back by what gravity and forces give in
 * the rest of it. Slow approaches (resting bodies) are answered with the velocity at the end, so that what lies has no
 * speed left, and its friction is that of its weight; it goes on straight. So that few bodies have the eighth hit of a
 * step, after which the world holds them, no hit goes without an answer: where the points at the hit do not approach,
 * the deepest points a moment later do; and from the OFTEN-th hit of a step on points part, so that turning does not
 * bring them together again at once. */
#include "dynamics/answer.h"
#include "dynamics/ground.h"
#include "shape/shape.h"
#include "world/world.h"

#include <string.h>

enum { AHEAD_FIRST = -24, OFTEN = 4, OFTEN_FIRST = -10 };
#define AHEAD_SAME 0.7 /* cosine: what is met along a normal farther off than this is something else */

/* How near to each other surfaces are at points of the contact at the hit, and where its bodies are. Without a margin
 * it has no other points than the hit's. */
typedef struct reach {
    cm_world_object_desc a, b;
    cm_real margin;
    cm_real gap; /* that a sweep may leave, and more */
} reach;

static reach find_reach(const cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b) {
    reach out = {.margin = -1};
    if (cm_world_get(m->dynamics->world, hit->a, &out.a) != CM_OK) return out;
    if (cm_world_get(m->dynamics->world, hit->b, &out.b) != CM_OK) return out;
    if (shape_is_ball(&out.a.shape) || shape_is_ball(&out.b.shape)) return out;
    cm_aabb box_a, box_b;
    cm_shape_bounds(&out.a.shape, pose_a, &box_a), cm_shape_bounds(&out.b.shape, pose_b, &box_b);
    const cm_real size = cm_min(cm_largest(cm_sub(box_a.max, box_a.min)), cm_largest(cm_sub(box_b.max, box_b.min)));
    out.gap = cm__collision_rest_margin(m->dynamics, hit->a, hit->b, pose_a, pose_b);
    out.margin = size / 1000 + 16 * CM_REAL_EPSILON * cm_largest(hit->point);
    return out;
}

/* The points of the contact at the hit: of all manifolds there that have the hit's normal, as a body on a mesh lies on
 * many triangles, and one on tiles on many objects, and is to be held at all of its corners at once; else the hit's. */
static void find_points(const cm__collision *m, const cm_world_hit *hit, const reach *r, const cm_pose *pose_a,
                        const cm_pose *pose_b, cm__impact *out) {
    cm_dynamics *d = m->dynamics;
    memset(out, 0, sizeof *out);
    out->normal = cm__point_of(hit->normal);
    out->normal = cm__point_scale(out->normal, 1 / cm__point_length(out->normal));
    out->count = 1;
    out->at[0] = cm__point_of(hit->point);
    if (r->margin < 0) return;
    const int own = cm__dynamics_touching(d, &r->a.shape, pose_a, &r->b.shape, pose_b, r->margin, 0);
    const cm__dynamics_grounds grounds = {0, d->ground_count};
    const int all = cm__ground_touching(m, hit, pose_a, pose_b, r->margin, &grounds, own);
    cm__collision_at_normal(d->manifolds, all, (double)r->gap, out);
}

/* The same, with what is hit together with this. False: the callback has taken the bodies. */
static bool find_all_points(cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b,
                            cm__impact *out) {
    const reach r = find_reach(m, hit, pose_a, pose_b);
    m->dynamics->ground_count = 0;
    if (r.margin >= 0) cm__ground_find(m, hit, pose_a, pose_b, r.margin);
    if (!m->a && !m->b) return false;
    find_points(m, hit, &r, pose_a, pose_b, out);
    return true;
}

/* One more point of the contact; where there is no room it takes the place of the nearest. */
static void put_point(cm__impact *impact, cm__point at, double depth) {
    int place = impact->count;
    double nearest = DBL_MAX;
    for (int k = 0; k < impact->count && impact->count == CM__IMPACT_POINTS; k++) {
        const cm__point off = cm__point_sub(impact->at[k], at);
        const double square = cm__point_dot(off, off);
        if (square < nearest) nearest = square, place = k;
    }
    impact->at[place] = at, impact->depth[place] = depth;
    impact->count += place == impact->count;
}

void cm__body_go_on(const cm__dynamics_body *b, double seconds, cm_motion *rest) {
    if (!b || b->driven) return;
    const cm__point pull = cm__pull_of(b);
    rest->move = cm__vec3_of(cm__point_scale(cm__point_mul_add(b->velocity, -seconds, pull), seconds));
    rest->accelerate = cm__vec3_of(cm__point_scale(pull, seconds * seconds));
    rest->spin = cm__vec3_of(cm__point_scale(b->spin, seconds));
    rest->pivot = b->center;
}

/* Two objects at a hit, and how far apart they are there. */
typedef struct ahead {
    cm_world_object_desc a, b;
    cm_real distance;
} ahead;

static bool ahead_from(const cm__collision *m, const cm_world_hit *hit, const cm_motion *rest_a,
                       const cm_motion *rest_b, ahead *out) {
    if (cm_world_get(m->dynamics->world, hit->a, &out->a) != CM_OK) return false;
    if (cm_world_get(m->dynamics->world, hit->b, &out->b) != CM_OK) return false;
    out->distance = cm_distance(&out->a.shape, &rest_a->start, &out->b.shape, &rest_b->start, CM_COORD_MAX, NULL);
    return true;
}

/* The contact after 2^k of these motions: its points, and the deepest of all, with how much deeper than at the hit, but
 * for the gap of a sweep. False: they are no deeper. */
static bool ahead_look(const cm__collision *m, const cm_world_hit *hit, const ahead *from, const cm_motion *on_a,
                       const cm_motion *on_b, int k, cm_pose *pose_a, cm_pose *pose_b, cm__impact *out) {
    cm_witness deepest;
    cm_motion_at(on_a, (cm_real)ldexp(1, k), pose_a), cm_motion_at(on_b, (cm_real)ldexp(1, k), pose_b);
    if (!(cm_distance(&from->a.shape, pose_a, &from->b.shape, pose_b, CM_COORD_MAX, &deepest) < from->distance))
        return false;
    cm_world_hit later = *hit;
    later.point = deepest.point_a, later.normal = deepest.normal;
    const reach r = find_reach(m, &later, pose_a, pose_b);
    find_points(m, &later, &r, pose_a, pose_b, out);
    put_point(out, cm__point_of(later.point), -(double)deepest.distance);
    for (int i = 0; i < out->count; i++) out->depth[i] += (double)from->distance + (double)r.gap;
    return true;
}

/* Where the points at the hit do not approach, though the bodies get deeper: others do, that are as near but for the
 * gap that a sweep may leave, or lie on a round rim between those of its contact. They are the deepest a little later,
 * after a time that is doubled until it is so. */
static bool answer_ahead(const cm__collision *m, const cm_world_hit *hit, const cm_motion *rest_a,
                         const cm_motion *rest_b, double seconds) {
    ahead from;
    if (!ahead_from(m, hit, rest_a, rest_b, &from)) return false;
    for (int k = AHEAD_FIRST; k <= 0; k++) {
        cm_pose pose_a, pose_b;
        cm__impact impact;
        if (!ahead_look(m, hit, &from, rest_a, rest_b, k, &pose_a, &pose_b, &impact)) continue;
        impact.seconds = seconds;
        if (cm__collision_exchange(m, &pose_a, &pose_b, &impact, 1)) return true;
    }
    return false;
}

/* Of what hits often: the points that would be the deepest later in the step, of ever longer times, do not approach
 * either. A contact that runs along both, as where two rods cross at a small angle, is elsewhere before the next hit.
 * What is no body and lies ahead along another normal, as a wall does of what hits the floor beside it, is not there
 * yet: of the approach goes what would take the body into it, not all, or it would stop before it is there. Of two
 * bodies all of it goes, or in a heap one after the other is held. */
static void answer_all_ahead(const cm__collision *m, const cm_world_hit *hit, const cm_motion *rest_a,
                             const cm_motion *rest_b) {
    ahead from;
    if (!ahead_from(m, hit, rest_a, rest_b, &from)) return;
    for (int k = OFTEN_FIRST; k <= 0; k++) {
        cm_motion on_a = *rest_a, on_b = *rest_b;
        cm_pose pose_a, pose_b;
        cm__impact impact;
        if (m->response_a & (uint32_t)CM__BLOCKED_BY) cm__body_go_on(m->a, m->rest, &on_a);
        if (m->response_b & (uint32_t)CM__BLOCKED_BY) cm__body_go_on(m->b, m->rest, &on_b);
        if (!ahead_look(m, hit, &from, &on_a, &on_b, k, &pose_a, &pose_b, &impact)) continue;
        const bool same = cm__point_dot(impact.normal, cm__point_of(hit->normal)) > AHEAD_SAME || (m->a && m->b);
        impact.seconds = 0, impact.ahead = same ? 0 : ldexp(m->rest, k);
        cm__collision_exchange(m, &pose_a, &pose_b, &impact, 1);
        cm__collision_rigid(m, m->a, m->response_a, &rest_a->start, true); /* spins as of the hit again */
        cm__collision_rigid(m, m->b, m->response_b, &rest_b->start, true);
    }
}

/* Is this the last hit that it may have in this step, after which the world holds it? */
static bool is_held(const cm__dynamics_body *b, int count) { return b && !b->driven && count >= CM_WORLD_HITS; }

/* May this hit change how it goes on? Not of what is driven, stands, or had its last hit before. */
static bool gives_way(const cm_dynamics *d, const cm__dynamics_body *b, uint32_t response) {
    return b && !b->driven && !b->halted && response & (uint32_t)CM__BLOCKED_BY &&
           d->world->hits[cm__world_slot(b->id)] < CM_WORLD_HITS;
}

/* Would this hit hold what is driven, as others before did not change how the other goes? */
static bool holds_driven(const cm__dynamics_body *b, int count) { return b && b->driven && count >= CM_WORLD_HITS; }

/* What runs into something held, which does not move as its velocity says, is held with it, not asked eight times. */
static void wait_for(const cm__collision *m, const cm_world_hit *hit, cm__dynamics_body *b, double side,
                     cm_motion *rest) {
    if (!b || b->driven) return;
    const cm__point center = cm__point_of(cm_pose_apply(&rest->start, b->center));
    const cm__point velocity = cm__point_mul_add(b->velocity, -m->rest, cm__pull_of(b));
    const cm__point arm = cm__point_sub(cm__point_of(hit->point), center);
    const cm__point at = cm__point_add(velocity, cm__point_cross(b->spin, arm));
    if (!(side * cm__point_dot(at, cm__point_of(hit->normal)) > 0)) return;
    rest->move = rest->spin = rest->accelerate = cm_v(0, 0, 0);
    b->velocity = velocity;
    b->settled = b->held = b->met = true;
}

cm_world_answer cm__dynamics_answer_hit(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                        cm_motion *rest_b) {
    cm_dynamics *d = user;
    (void)world;
    cm__collision m = {d, cm__body_of(d, hit->a), cm__body_of(d, hit->b), 0, 0, (1 - (double)hit->u) * d->dt};
    cm__collision_choose(&m, hit);
    bool ends = ((m.response_a | m.response_b) & CM_RESPONSE_VANISH) != 0;
    if (!ends && !gives_way(d, m.a, m.response_a) && !gives_way(d, m.b, m.response_b)) return CM_WORLD_PASS;
    if (holds_driven(m.a, hit->count_a) || holds_driven(m.b, hit->count_b)) return CM_WORLD_PASS;
    bool stays_a = true, stays_b = true;
    if ((m.response_a | m.response_b) & (uint32_t)CM__MOVED_BY && !ends) {
        cm__impact impact;
        const bool often = (m.a && hit->count_a >= OFTEN) || (m.b && hit->count_b >= OFTEN);
        const double seconds = often ? m.rest : 0;
        if (!find_all_points(&m, hit, &rest_a->start, &rest_b->start, &impact)) return CM_WORLD_PASS;
        impact.seconds = seconds;
        cm__dynamics_share share = {.still = 0};
        const bool held =
            is_held(m.a, hit->count_a) || is_held(m.b, hit->count_b); /* does not go as its velocity says */
        if (!cm__collision_hold(&m, &rest_a->start, &rest_b->start, &impact, 1, &share) && !held)
            answer_ahead(&m, hit, rest_a, rest_b, seconds);
        if (often) answer_all_ahead(&m, hit, rest_a, rest_b);
    }
    stays_a = cm__collision_end(&m, &m.a, m.response_a), stays_b = cm__collision_end(&m, &m.b, m.response_b);
    if (!stays_a || !stays_b) return CM_WORLD_PASS; /* there is nothing left to run into */
    if (m.response_a & (uint32_t)CM__BLOCKED_BY) cm__body_go_on(m.a, m.rest, rest_a);
    if (m.response_b & (uint32_t)CM__BLOCKED_BY) cm__body_go_on(m.b, m.rest, rest_b);
    const bool stands_a = is_held(m.a, hit->count_a), stands_b = is_held(m.b, hit->count_b);
    if (stands_a && !stands_b && m.response_b & (uint32_t)CM__BLOCKED_BY) wait_for(&m, hit, m.b, -1, rest_b);
    if (stands_b && !stands_a && m.response_a & (uint32_t)CM__BLOCKED_BY) wait_for(&m, hit, m.a, 1, rest_a);
    return CM_WORLD_GO;
}
