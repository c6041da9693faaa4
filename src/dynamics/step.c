/* One step: velocities become motions, the world finds the hits and contacts, and each is answered.
 *
 * Velocities are kept as they are at the end of the step, gravity and forces included (force.c); at a hit at u they are
 * taken back by what these give in the rest of it. A body moves by its velocity times t plus half of the acceleration
 * times t squared, on that parabola, so free fall ends where it should and meets what is on its way when it should.
 * Slow approaches (resting bodies) are answered with the velocity at the end, so that what lies has no speed left, and
 * its friction is that of its weight; it goes on straight. Contacts at the end are answered in the order of the events,
 * once, and gone through, slow ones anew, until nothing changes, CONTACT_ROUNDS times at most. What lies on something
 * has not been pushed by it until then, and went on its way as if it were free: it goes back by what a push all through
 * the step keeps from that way (cm__collision_hold), or it would sink, and creep down a slope that its friction holds.
 * What the world holds for the rest of the step (the eighth hit, a limit of a sweep) gets no acceleration for that
 * time, and the next step begins with what it touches (cluster.c). So that this is rare, no hit goes without an answer:
 * where the points at the hit do not approach, the deepest points a moment later do; and from the OFTEN-th hit of a
 * step on points part, so that turning does not bring them together again at once. No step gives energy (energy.c).
 * Based on: [Mirtich96 §3]. */
#include "base/memory.h"
#include "dynamics/cluster.h"
#include "dynamics/energy.h"
#include "dynamics/force.h"
#include "dynamics/collision.h"
#include "dynamics/ground.h"
#include "math/wide.h"
#include "shape/shape.h"
#include "world/world.h"

#include <string.h>

enum { CONTACT_ROUNDS = 16 };

/* --- before ------------------------------------------------------------------------------------------------------- */

/* An object that was made fixed stands like what halted. */
static bool stands_still(const cm_dynamics *d, const cm__dynamics_body *b) {
    uint32_t slot;
    if (b->halted) return true;
    return cm__world_find(d->world, b->id, &slot) && d->world->flags[slot] & CM__BODY_FIXED;
}

static cm_status set_motion(cm_dynamics *d, cm__dynamics_body *b) {
    cm_motion motion;
    if (stands_still(d, b)) {
        b->acting_force = b->acting_torque = b->pull = b->twist = cm__p(0, 0, 0);
        return cm_world_set_motion(d->world, b->id, NULL);
    }
    if (cm_world_get_pose(d->world, b->id, &motion.start) != CM_OK) return CM_STALE_ID;
    b->rotation = motion.start.rotation;
    b->acting_force = b->force, b->acting_torque = b->torque;
    b->settled = false;
    cm__body_find_pull(d, b, b->velocity, d->dt);
    cm__body_find_twist(d, b);
    cm__point spin = cm__body_spin_on(d, b);
    spin = cm__spin_of_step(spin, &b->inertia, &b->inverse_inertia, b->rotation, d->dt);
    cm__point move = cm__point_scale(b->velocity, d->dt), accelerate = cm__point_scale(cm__pull_of(b), d->dt * d->dt);
    if (!(cm__point_largest(move) + cm__point_largest(accelerate) <= (double)CM_COORD_MAX)) return CM_NOT_FINITE;
    if (!(cm__point_largest(spin) * d->dt <= (double)CM_COORD_MAX)) return CM_NOT_FINITE;
    motion.move = cm__vec3_of(move), motion.spin = cm__vec3_of(cm__point_scale(spin, d->dt));
    motion.pivot = b->center, motion.accelerate = cm__vec3_of(accelerate);
    return cm_world_set_motion(d->world, b->id, &motion);
}

static void drop_motions(cm_dynamics *d, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (d->bodies[i].id) cm_world_set_motion(d->world, d->bodies[i].id, NULL);
}

/* All motions, or none. Bodies whose objects are gone go with them. */
static cm_status set_motions(cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!b->id) continue;
        cm_status status = set_motion(d, b);
        if (status == CM_STALE_ID || status == CM_INVALID) {
            if (status == CM_STALE_ID) memset(b, 0, sizeof *b);
        } else if (status != CM_OK) {
            drop_motions(d, i + 1);
            return status;
        }
    }
    return CM_OK;
}

/* --- at a time of impact ------------------------------------------------------------------------------------------ */

enum { AHEAD_FIRST = -24, OFTEN = 4, OFTEN_FIRST = -10 };

/* How near to each other surfaces are at points of the contact at the hit, and where its bodies are. Without a margin
 * it has no other points than the hit's. */
typedef struct reach {
    cm_world_object_desc a, b;
    cm_aabb box_a, box_b;
    cm_real margin;
} reach;

static reach find_reach(const cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b) {
    reach out;
    out.margin = -1;
    if (cm_world_get(m->dynamics->world, hit->a, &out.a) != CM_OK) return out;
    if (cm_world_get(m->dynamics->world, hit->b, &out.b) != CM_OK) return out;
    if (shape_is_ball(&out.a.shape) || shape_is_ball(&out.b.shape)) return out;
    cm_shape_bounds(&out.a.shape, pose_a, &out.box_a), cm_shape_bounds(&out.b.shape, pose_b, &out.box_b);
    const cm_real size =
        cm_min(cm_largest(cm_sub(out.box_a.max, out.box_a.min)), cm_largest(cm_sub(out.box_b.max, out.box_b.min)));
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
    cm__collision_at_normal(d->manifolds, all, out);
}

/* The same, with what is hit together with this. False: the callback has taken the bodies. */
static bool find_all_points(cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b,
                            cm__impact *out) {
    const reach r = find_reach(m, hit, pose_a, pose_b);
    m->dynamics->ground_count = 0;
    if (r.margin >= 0) cm__ground_find(m, hit, pose_a, pose_b, m->a ? &r.box_a : &r.box_b, r.margin);
    if (!m->a && !m->b) return false;
    find_points(m, hit, &r, pose_a, pose_b, out);
    return true;
}

/* One more point of the contact; where there is no room it takes the place of the nearest. */
static void put_point(cm__impact *impact, cm__point at) {
    int place = impact->count;
    double nearest = DBL_MAX;
    for (int k = 0; k < impact->count && impact->count == CM__IMPACT_POINTS; k++) {
        const cm__point off = cm__point_sub(impact->at[k], at);
        const double square = cm__point_dot(off, off);
        if (square < nearest) nearest = square, place = k;
    }
    impact->at[place] = at;
    impact->count += place == impact->count;
}

/* What is left of the step, with the velocity of now. */
static void set_remaining_motion(const cm__collision *m, const cm__dynamics_body *b, cm_motion *rest) {
    if (!b || b->driven) return;
    double r = m->rest;
    const cm__point pull = cm__pull_of(b);
    rest->move = cm__vec3_of(cm__point_scale(cm__point_mul_add(b->velocity, -r, pull), r));
    rest->accelerate = cm__vec3_of(cm__point_scale(pull, r * r));
    rest->spin = cm__vec3_of(cm__point_scale(b->spin, r));
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

/* The contact after 2^k of these motions: its points, and the deepest of all. False: they are no deeper than at the
 * hit. */
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
    put_point(out, cm__point_of(later.point));
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
 */
static void answer_all_ahead(const cm__collision *m, const cm_world_hit *hit, const cm_motion *rest_a,
                             const cm_motion *rest_b) {
    ahead from;
    if (!ahead_from(m, hit, rest_a, rest_b, &from)) return;
    for (int k = OFTEN_FIRST; k <= 0; k++) {
        cm_motion on_a = *rest_a, on_b = *rest_b;
        cm_pose pose_a, pose_b;
        cm__impact impact;
        if (m->response_a & (uint32_t)CM__BLOCKED_BY) set_remaining_motion(m, m->a, &on_a);
        if (m->response_b & (uint32_t)CM__BLOCKED_BY) set_remaining_motion(m, m->b, &on_b);
        if (!ahead_look(m, hit, &from, &on_a, &on_b, k, &pose_a, &pose_b, &impact)) continue;
        impact.seconds = 0;
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

static cm_world_answer answer_hit(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
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
    if (m.response_a & (uint32_t)CM__BLOCKED_BY) set_remaining_motion(&m, m.a, rest_a);
    if (m.response_b & (uint32_t)CM__BLOCKED_BY) set_remaining_motion(&m, m.b, rest_b);
    const bool stands_a = is_held(m.a, hit->count_a), stands_b = is_held(m.b, hit->count_b);
    if (stands_a && !stands_b && m.response_b & (uint32_t)CM__BLOCKED_BY) wait_for(&m, hit, m.b, -1, rest_b);
    if (stands_b && !stands_a && m.response_a & (uint32_t)CM__BLOCKED_BY) wait_for(&m, hit, m.a, 1, rest_a);
    return CM_WORLD_GO;
}

/* --- at the end --------------------------------------------------------------------------------------------------- */

static void shift(cm_dynamics *d, cm__dynamics_body *b, cm_vec3 by) {
    cm_pose pose;
    if (!b || !(cm_largest(by) > 0) || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) return;
    pose.position = cm_add(pose.position, by);
    cm_world_set_pose(d->world, b->id, &pose);
    b->shifted = cm__point_add(b->shifted, cm__point_of(by));
    b->met = true;
}

static cm__point shifted(const cm__dynamics_body *b) { return b ? b->shifted : cm__p(0, 0, 0); }

/* What the contacts of the step have found of the way and the turn that are taken back: from *pose. False: nothing. */
static bool way_back(const cm__dynamics_body *b, cm_pose *pose) {
    if (!b) return false;
    const cm_motion way = {
        .start = *pose, .move = cm__vec3_of(b->back), .spin = cm__vec3_of(b->turn_back), .pivot = b->center};
    if (!(cm_largest(way.move) > 0) && !(cm_largest(way.spin) > 0)) return false;
    cm_motion_at(&way, 1, pose);
    return true;
}

static void go_back(cm_dynamics *d, cm__dynamics_body *b) {
    cm_pose pose;
    if (cm_world_get_pose(d->world, b->id, &pose) != CM_OK || !way_back(b, &pose)) return;
    if (cm_world_set_pose(d->world, b->id, &pose) == CM_OK) b->rotation = pose.rotation;
}

static cm__point body_center(const cm_dynamics *d, const cm__dynamics_body *b) {
    cm_pose pose = cm_pose_identity();
    if (b) cm_world_get_pose(d->world, b->id, &pose);
    return b ? cm__point_of(cm_pose_apply(&pose, b->center)) : cm__p(0, 0, 0);
}

/* Undoes the overlap, deepest part after deepest. What one part's push did counts for the next, and by how much the
 * pushes of other contacts have parted the two: a body that lies on four tiles is lifted once, not four times. (Where
 * those brought them nearer, the next step parts them: answered at once, the top of a stack would push its foot into
 * the ground.) */
static void push_apart(const cm__collision *m, const cm_world_event *event) {
    cm__rigid a = {0}, b = {0};
    cm_pose none = cm_pose_identity();
    uint32_t push = CM_RESPONSE_PUSH_APART;
    if (m->response_a & push)
        a = cm__collision_rigid(m, m->a, (uint32_t)CM__MOVED_BY,
                                m->a ? &(cm_pose){none.position, m->a->rotation} : &none, true);
    if (m->response_b & push)
        b = cm__collision_rigid(m, m->b, (uint32_t)CM__MOVED_BY,
                                m->b ? &(cm_pose){none.position, m->b->rotation} : &none, true);
    const cm__point center_a = body_center(m->dynamics, m->a), center_b = body_center(m->dynamics, m->b);
    const cm__point before = cm__point_sub(shifted(m->b), shifted(m->a));
    cm__point parted = cm__p(0, 0, 0), by_a = parted, by_b = parted;
    for (int i = 0; i < event->manifold_count; i++) {
        const cm_manifold *part = &event->manifolds[i];
        cm__point n = cm__point_of(part->normal);
        double depth = -DBL_MAX, move_a, move_b;
        for (int k = 0; k < part->count; k++) {
            const cm__point at = cm__point_of(part->points[k].point_a);
            const cm__point gone = cm__point_sub(cm__way_back(m->b, center_b, at), cm__way_back(m->a, center_a, at));
            const double left = (double)part->points[k].depth - cm__point_dot(gone, n);
            depth = left > depth ? left : depth;
        }
        depth -= cm__point_dot(parted, n) + wide_max(cm__point_dot(before, n), 0);
        cm__share(&a, &b, depth, &move_a, &move_b);
        by_a = cm__point_mul_add(by_a, -move_a, n), by_b = cm__point_mul_add(by_b, move_b, n);
        parted = cm__point_sub(by_b, by_a);
    }
    shift(m->dynamics, m->a, cm__vec3_of(by_a));
    shift(m->dynamics, m->b, cm__vec3_of(by_b));
}

static cm__collision collision_of(cm_dynamics *d, const cm_world_event *event) {
    return (cm__collision){d, cm__body_of(d, event->a), cm__body_of(d, event->b), 0, 0, 0};
}

static uint32_t changes_of(const cm__collision *m) { return (m->a ? m->a->changes : 0) + (m->b ? m->b->changes : 0); }

static double contact_margin(const cm_dynamics *d, const cm_world_event *event) {
    uint32_t s, t;
    if (!cm__world_find(d->world, event->a, &s) || !cm__world_find(d->world, event->b, &t)) return 0;
    return (double)cm__world_margin(d->world, s, t);
}

static cm_world_hit hit_of(const cm_world_event *event) {
    const cm_manifold *first = &event->manifolds[0];
    return (cm_world_hit){.a = event->a,
                          .b = event->b,
                          .user_a = event->user_a,
                          .user_b = event->user_b,
                          .u = 1,
                          .point = first->points[0].point_a,
                          .normal = first->normal,
                          .part_a = first->part_a,
                          .part_b = first->part_b,
                          .start = CM_SWEEP_OVERLAPPING};
}

/* The event's manifolds, and those of what is hit together with it. */
static int contact_manifolds(const cm__collision *m, const cm__dynamics_contact *c, const cm_world_event *event,
                             const cm_pose *pose_a, const cm_pose *pose_b, const cm_manifold **out) {
    cm_dynamics *d = m->dynamics;
    const int own = event->manifold_count;
    const cm_world_hit hit = hit_of(event);
    *out = event->manifolds;
    if (!c->grounds.count) return own;
    void *items = d->manifolds;
    const bool room =
        cm__reserve(cm__dynamics_memory(d), &items, &d->manifold_capacity, (size_t)own, sizeof *d->manifolds);
    d->manifolds = items, d->starved |= !room;
    if (!room) return own;
    memcpy(d->manifolds, event->manifolds, (size_t)own * sizeof *d->manifolds);
    const cm_real margin = (cm_real)contact_margin(d, event);
    const int all = cm__ground_touching(m, &hit, pose_a, pose_b, margin, &c->grounds, own);
    *out = d->manifolds;
    return all;
}

/* All parts of a contact at once, whatever it did before taken back. False: that is what it did before. */
static bool exchange_all(const cm__collision *m, cm__dynamics_contact *c, const cm_world_event *event,
                         const cm_pose *pose_a, const cm_pose *pose_b) {
    cm__impact impacts[CM__IMPACTS];
    const cm_manifold *manifolds;
    const int all = contact_manifolds(m, c, event, pose_a, pose_b, &manifolds);
    const int count = cm__collision_impacts(manifolds, all, impacts);
    const bool pushes = cm__collision_hold(m, pose_a, pose_b, impacts, count, &c->share);
    c->rests = !pushes || c->share.still > 0;
    c->changes = changes_of(m);
    return c->share.changed > c->share.still;
}

/* Its acceleration in the step, were it free. */
static cm__point free_pull(const cm__dynamics_body *b) {
    return b && !b->driven && !b->halted ? b->pull : cm__p(0, 0, 0);
}

/* May the two only stand side by side? A body that slides over tiles touches the side of the next one: with the last
 * bits of its foot, and as it has fallen a little, through what it lies on, within the step. Then they touch across
 * their acceleration, and no deeper than it can have made them. */
static bool may_be_beside(const cm_dynamics *d, const cm_world_event *event) {
    const cm__dynamics_body *a = cm__body_of(d, event->a), *b = cm__body_of(d, event->b);
    const cm__point pull = cm__point_sub(free_pull(a), free_pull(b));
    const double along = cm__point_dot(pull, cm__point_of(event->manifolds[0].normal));
    const double square = cm__point_dot(pull, pull), fallen = sqrt(square) * d->dt * d->dt;
    return along * along <= WIDE_ONE_NORMAL * WIDE_ONE_NORMAL * square &&
           (double)event->manifolds[0].points[0].depth < fallen + contact_margin(d, event);
}

/* The motion of the step to come, straight, from where it goes back to. */
static cm_motion motion_ahead(const cm_dynamics *d, const cm__dynamics_body *b, const cm_pose *pose) {
    cm_motion out = {.start = *pose};
    if (!b) return out;
    way_back(b, &out.start);
    out.move = cm__vec3_of(cm__point_scale(b->velocity, d->dt));
    out.spin = cm__vec3_of(cm__point_scale(b->spin, d->dt));
    out.pivot = b->center;
    return out;
}

static bool goes_back(const cm__dynamics_body *b) {
    return b && (cm__point_largest(b->back) > 0 || cm__point_largest(b->turn_back) > 0);
}

/* Do they pass each other? Where what pushed through the step holds them they are not as deep along that normal, and
 * going on from there they are not stopped along it. */
static bool are_beside(const cm_dynamics *d, const cm_world_event *event, const cm_pose *pose_a,
                       const cm_pose *pose_b) {
    const cm__dynamics_body *body_a = cm__body_of(d, event->a), *body_b = cm__body_of(d, event->b);
    if (!goes_back(body_a) && !goes_back(body_b)) return false;
    const cm_motion on_a = motion_ahead(d, body_a, pose_a), on_b = motion_ahead(d, body_b, pose_b);
    const cm_vec3 normal = event->manifolds[0].normal;
    cm_world_object_desc a, b;
    cm_witness deepest;
    cm_sweep_hit hit;
    if (cm_world_get(d->world, event->a, &a) != CM_OK || cm_world_get(d->world, event->b, &b) != CM_OK) return false;
    const double depth = -(double)cm_distance(&a.shape, &on_a.start, &b.shape, &on_b.start, CM_COORD_MAX, &deepest);
    if (depth > contact_margin(d, event) && cm_dot(deepest.normal, normal) > CM_REAL(WIDE_ONE_NORMAL)) return false;
    return !cm_sweep(&a.shape, &on_a, &b.shape, &on_b, &hit) || !hit.blocking ||
           !(cm_dot(hit.normal, normal) > CM_REAL(WIDE_ONE_NORMAL));
}

/* What lands on ground lands on all of it at once, as it may bounce, and that only once. What lies there is held by all
 * of it without that, as slow contacts answer anew. */
static void contact_find_grounds(cm__collision *m, cm__dynamics_contact *c, const cm_world_event *event,
                                 const cm_pose *pose_a, const cm_pose *pose_b) {
    cm_dynamics *d = m->dynamics;
    const cm_world_hit hit = hit_of(event);
    c->grounds.first = d->ground_count;
    if (m->a && m->b) return;
    if (!cm__collision_lands(m, pose_a, pose_b, event->manifolds, event->manifold_count)) return;
    uint32_t slot;
    cm_aabb box;
    if (!cm__world_find(d->world, m->a ? event->a : event->b, &slot)) return;
    cm__world_bounds(d->world, slot, m->a ? pose_a : pose_b, &box);
    cm__ground_find(m, &hit, pose_a, pose_b, &box, (cm_real)contact_margin(d, event));
    c->grounds.count = d->ground_count - c->grounds.first;
}

static void answer_contact(cm_dynamics *d, const cm_world_event *event, const cm_world_event *first_event,
                           bool beside) {
    cm__collision m = collision_of(d, event);
    cm_pose pose_a, pose_b;
    if (!m.a && !m.b) return;
    if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) return;
    if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) return;
    if (beside && are_beside(d, event, &pose_a, &pose_b)) return;
    const cm_world_hit hit = hit_of(event);
    cm__collision_choose(&m, &hit);
    bool ends = ((m.response_a | m.response_b) & CM_RESPONSE_VANISH) != 0;
    cm__dynamics_contact contact = {
        .event = (size_t)(event - first_event), .response_a = m.response_a, .response_b = m.response_b};
    if ((m.response_a | m.response_b) & (uint32_t)CM__MOVED_BY && !ends) {
        contact_find_grounds(&m, &contact, event, &pose_a, &pose_b);
        if (!m.a && !m.b) return;
        exchange_all(&m, &contact, event, &pose_a, &pose_b);
    }
    cm__collision_end(&m, &m.a, m.response_a), cm__collision_end(&m, &m.b, m.response_b);
    if (ends || !((m.response_a | m.response_b) & ((uint32_t)CM__MOVED_BY | CM_RESPONSE_PUSH_APART))) return;
    d->contacts[d->contact_count++] = contact;
}

/* What one contact did to a velocity another may undo: all once more, forward or back, as in a chain of bodies what is
 * pushed at one end is to arrive at the other. A slow one takes back what it did, and answers anew: what lies on four
 * tiles is held by all of them, not tipped by the first. What has nothing to do, and whose bodies nothing changed
 * since, has nothing to do again. False: nothing changes any more. */
static bool contacts_again(cm_dynamics *d, const cm_world_event_view *view, bool back) {
    bool any = false;
    for (size_t i = 0; i < d->contact_count; i++) {
        cm__dynamics_contact *c = &d->contacts[back ? d->contact_count - 1 - i : i];
        const cm_world_event *event = &view->events[c->event];
        cm_pose pose_a, pose_b;
        cm__collision m = collision_of(d, event);
        m.response_a = c->response_a, m.response_b = c->response_b;
        if ((!m.a && !m.b) || (c->rests && c->changes == changes_of(&m))) continue; /* callbacks may take bodies */
        if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) continue;
        if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) continue;
        any |= exchange_all(&m, c, event, &pose_a, &pose_b);
    }
    return any;
}

/* In the order of the events, those of what may only stand side by side after the others: they wait at the end of the
 * contacts' memory, which has room for all. What is answered is written from its start on, and comes no farther than to
 * the one that is read, as they are brought into their order first. */
static void answer_events(cm_dynamics *d, const cm_world_event_view *view) {
    size_t first = view->count; /* of those that wait, the last event as yet */
    for (size_t i = 0; i < view->count; i++) {
        const cm_world_event *event = &view->events[i];
        if (event->kind != CM_WORLD_BEGAN && event->kind != CM_WORLD_STAYED) continue;
        size_t last = i; /* began and ended in one step: they do not touch now */
        while (last + 1 < view->count && view->events[last + 1].a == event->a && view->events[last + 1].b == event->b)
            last++;
        if (view->events[last].kind == CM_WORLD_ENDED || !event->manifold_count) continue;
        if (may_be_beside(d, event))
            d->contacts[--first].event = i;
        else
            answer_contact(d, event, view->events, false);
    }
    for (size_t i = first, j = view->count; i + 1 < j; i++) {
        const size_t event = d->contacts[i].event;
        d->contacts[i].event = d->contacts[--j].event, d->contacts[j].event = event;
    }
    for (size_t i = first; i < view->count; i++)
        answer_contact(d, &view->events[d->contacts[i].event], view->events, true);
}

static cm_status answer_contacts(cm_dynamics *d) {
    cm_world_event_view view;
    cm_world_get_events(d->world, &view);
    d->contact_count = d->ground_count = 0;
    void *items = d->contacts;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->contact_capacity, view.count, sizeof *d->contacts))
        return CM_NO_MEMORY;
    d->contacts = items;
    answer_events(d, &view);
    for (int round = 0; round < CONTACT_ROUNDS && contacts_again(d, &view, round % 2 == 0); round++) {
    }
    for (size_t i = 0; i < d->count; i++) {
        d->bodies[i].shifted = cm__p(0, 0, 0);
        if (d->bodies[i].id) go_back(d, &d->bodies[i]);
    }
    for (size_t i = 0; i < d->contact_count; i++) {
        const cm__dynamics_contact *c = &d->contacts[i];
        cm__collision m = collision_of(d, &view.events[c->event]);
        m.response_a = c->response_a, m.response_b = c->response_b;
        if ((m.response_a | m.response_b) & CM_RESPONSE_PUSH_APART) push_apart(&m, &view.events[c->event]);
    }
    return CM_OK;
}

/* --- where the world could not ------------------------------------------------------------------------------------ */

/* Is anything to move, body or not? Motions are used up where the world moved. */
static bool world_is_to_move(const cm_world *w) {
    for (uint32_t slot = 0; slot < w->slot_count; slot++)
        if (w->flags[slot] & CM__BODY_MOVING) return true;
    return false;
}

/* Bodies as they were before the step, which is then asked for again. */
static void take_back(cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!b->id) continue;
        b->velocity = b->before, b->spin = b->spin_before;
        b->held = b->was_held, b->halted = b->was_halted;
        b->force = cm__point_add(b->force, b->gathered), b->torque = cm__point_add(b->torque, b->gathered_torque);
    }
    drop_motions(d, d->count);
}

/* Half of what a torque and damping do to the spin. */
static void spin_on(const cm_dynamics *d, cm__dynamics_body *b) {
    const cm__point before = b->spin;
    b->spin = cm__body_spin_on(d, b);
    if (!cm__point_equal(before, b->spin))
        cm__energy_gain(b, cm__body_energy(b, b->velocity, b->spin) - cm__body_energy(b, b->velocity, before));
}

/* Spins where bodies are now; and nothing accelerates what the world holds. */
static void arrive(cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        cm_pose pose;
        if (!b->id || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) continue;
        b->spin = cm__spin_after(b->spin, &b->inertia, &b->inverse_inertia, b->rotation, pose.rotation);
        b->rotation = pose.rotation;
        spin_on(d, b);
        bool alone;
        const double held = 1 - (double)cm__world_held_at(d->world, b->id, &alone);
        if (!(held > 0)) continue;
        b->velocity = cm__point_mul_add(b->velocity, -held * d->dt, cm__pull_of(b));
        b->held |= alone, b->met = true;
    }
}

/* What was brought to rest on what it touches goes on from there. */
static void set_motions_settled(cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        const cm__dynamics_body *b = &d->bodies[i];
        if (!b->id || !b->settled) continue;
        const cm__collision m = {d, NULL, NULL, 0, 0, d->dt};
        cm_motion motion = {.move = {0, 0, 0}};
        set_remaining_motion(&m, b, &motion);
        if (cm_world_get_pose(d->world, b->id, &motion.start) != CM_OK) continue;
        if (cm_world_set_motion(d->world, b->id, &motion) != CM_OK) cm_world_set_motion(d->world, b->id, NULL);
    }
}

/* --- the step ----------------------------------------------------------------------------------------------------- */

cm_status cm_dynamics_step(cm_dynamics *d, cm_real dt) {
    if (!d || d->world->answered || !(dt > 0) || !(dt <= CM_REAL(1e6))) return CM_INVALID;
    d->dt = (double)dt, d->starved = false;
    cm_status status = set_motions(d);
    if (status != CM_OK) return status;
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!b->id) continue;
        b->before = b->velocity, b->spin_before = b->spin;
        b->was_held = b->held, b->held = false;
        b->was_halted = b->halted, b->gathered = b->force, b->gathered_torque = b->torque;
        b->back = b->turn_back = cm__p(0, 0, 0);
        if (!b->halted && stands_still(d, b)) b->velocity = b->spin = cm__p(0, 0, 0), b->halted = true;
        cm__energy_start(d, b);
        b->velocity = cm__point_mul_add(b->velocity, d->dt, cm__pull_of(b));
        spin_on(d, b);
        b->force = b->torque = cm__p(0, 0, 0);
    }
    d->stepping = true;
    status = cm__cluster_settle(d);
    d->stepping = false;
    if (status != CM_OK) {
        take_back(d);
        return status;
    }
    set_motions_settled(d);
    const bool to_move = world_is_to_move(d->world);
    cm_world_step step = {answer_hit, d};
    d->stepping = true;
    status = cm_world_update(d->world, &step);
    d->stepping = false;
    if (status != CM_OK && (!to_move || world_is_to_move(d->world))) {
        take_back(d);
        return status;
    }
    arrive(d);
    if (status == CM_OK) status = answer_contacts(d);
    cm__energy_settle(d);
    return status == CM_OK && d->starved ? CM_NO_MEMORY : status;
}
