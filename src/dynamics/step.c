/* One step: velocities become motions, the world finds the hits and contacts, and each is answered.
 *
 * Velocities are kept as they are at the end of the step, gravity and forces included (force.c); at a hit at u they are
 * taken back by what these give in the rest of it. A body moves by its velocity times t plus half of the acceleration
 * times t squared, on that parabola, so free fall ends where it should and meets what is on its way when it should.
 * Slow approaches (resting bodies) are answered with the velocity at the end, so that what lies has no speed left, and
 * its friction is that of its weight. Contacts at the end are answered in the order of the events, once. Based on:
 * [Mirtich96 §3]. */
#include "dynamics/force.h"
#include "dynamics/impulse.h"

#include <string.h>

typedef struct meeting {
    cm_dynamics *dynamics;
    cm__dynamics_body *a, *b; /* NULL: none */
    uint32_t response_a, response_b;
    double rest; /* seconds left in the step */
} meeting;

static const uint32_t moved_by = CM_RESPONSE_BOUNCE | CM_RESPONSE_SLIDE;
static const uint32_t blocked_by = CM_RESPONSE_BOUNCE | CM_RESPONSE_SLIDE | CM_RESPONSE_HALT;

static cm__point pull_of(const cm__dynamics_body *b) {
    return b && !b->driven && !b->halted ? b->pull : cm__p(0, 0, 0);
}

/* --- before ------------------------------------------------------------------------------------------------------- */

static cm_status set_motion(cm_dynamics *d, cm__dynamics_body *b) {
    cm_motion motion;
    if (b->halted) {
        b->acting_force = b->acting_torque = b->pull = b->twist = cm__p(0, 0, 0);
        return cm_world_set_motion(d->world, b->id, NULL);
    }
    if (cm_world_get_pose(d->world, b->id, &motion.start) != CM_OK) return CM_STALE_ID;
    b->rotation = motion.start.rotation;
    b->acting_force = b->force, b->acting_torque = b->torque;
    cm__body_find_pull(d, b, b->velocity, d->dt);
    cm__body_find_twist(d, b);
    cm__point spin = cm__body_spin_on(d, b);
    spin = cm__spin_of_step(spin, &b->inertia, &b->inverse_inertia, b->rotation, d->dt);
    cm__point move = cm__point_scale(b->velocity, d->dt), accelerate = cm__point_scale(pull_of(b), d->dt * d->dt);
    if (!(cm__point_largest(move) + cm__point_largest(accelerate) <= (double)CM_COORD_MAX)) return CM_NOT_FINITE;
    if (!(cm__point_largest(spin) * d->dt <= (double)CM_COORD_MAX)) return CM_NOT_FINITE;
    motion.move = cm__vec3_of(move), motion.spin = cm__vec3_of(cm__point_scale(spin, d->dt));
    motion.pivot = b->center, motion.accelerate = cm__vec3_of(accelerate);
    return cm_world_set_motion(d->world, b->id, &motion);
}

/* All motions, or none. Bodies whose objects are gone, or are fixed now, go with them. */
static cm_status set_motions(cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!b->id) continue;
        cm_status status = set_motion(d, b);
        if (status == CM_STALE_ID || status == CM_INVALID) {
            if (status == CM_STALE_ID) memset(b, 0, sizeof *b);
        } else if (status != CM_OK) {
            for (size_t k = 0; k <= i; k++)
                if (d->bodies[k].id) cm_world_set_motion(d->world, d->bodies[k].id, NULL);
            return status;
        }
    }
    return CM_OK;
}

/* --- two bodies ----------------------------------------------------------------------------------------------------
 */

static uint32_t response_of(const cm_dynamics *d, const cm__dynamics_body *b, const cm__dynamics_body *other) {
    if (!b) return 0;
    uint8_t rule = d->rules[b->kind][other ? other->kind : 0];
    return rule == CM__OWN_RESPONSE ? b->response : rule;
}

static void choose_responses(meeting *m, const cm_world_hit *hit) {
    cm_dynamics *d = m->dynamics;
    m->response_a = response_of(d, m->a, m->b), m->response_b = response_of(d, m->b, m->a);
    if (!d->respond) return;
    d->respond(d->user, d, hit, &m->response_a, &m->response_b);
    m->a = cm__body_of(d, hit->a), m->b = cm__body_of(d, hit->b); /* it may have taken or given bodies */
    if (!m->a) m->response_a = 0;
    if (!m->b) m->response_b = 0;
}

/* The body as impulses see it, at `pose`, with the velocity it has there. */
static cm__rigid rigid_at(const meeting *m, cm__dynamics_body *b, uint32_t response, const cm_pose *pose, bool at_end) {
    cm__rigid out;
    memset(&out, 0, sizeof out);
    if (!b) return out;
    b->spin = cm__spin_after(b->spin, &b->inertia, &b->inverse_inertia, b->rotation, pose->rotation);
    b->rotation = pose->rotation;
    out.center = cm__point_of(cm_pose_apply(pose, b->center));
    out.velocity = cm__point_mul_add(b->velocity, at_end ? 0 : -m->rest, pull_of(b));
    out.spin = b->spin;
    if (b->driven || b->halted || !(b->mass > 0) || !(response & moved_by)) return out;
    out.inverse_mass = 1 / b->mass;
    out.inverse_inertia = cm__tensor_turned(&b->inverse_inertia, pose->rotation);
    return out;
}

/* The greatest acceleration at work: what a body gains by it within a step is no approach to bounce of. */
static double strongest_push(const meeting *m) {
    double most = cm__point_length(m->dynamics->gravity), a = cm__point_length(cm__body_push(m->dynamics, m->a));
    double b = cm__point_length(cm__body_push(m->dynamics, m->b));
    most = a > most ? a : most;
    return b > most ? b : most;
}

/* The velocities after an impulse; `back`: the seconds over which acceleration goes on, 0 where it does not. */
static void set_changed(const cm_dynamics *d, cm__dynamics_body *b, const cm__rigid *to, double back) {
    if (back > 0) cm__body_find_pull(d, b, to->velocity, back);
    b->velocity = cm__point_mul_add(to->velocity, back, pull_of(b)), b->spin = to->spin;
    cm__body_find_twist(d, b);
}

/* Changes the velocities, but not where the numbers do not hold the impulse; true where the bodies were slow and so
 * came to rest on each other. */
static bool exchange(const meeting *m, const cm_pose *pose_a, const cm_pose *pose_b, cm__impact *impact) {
    cm__dynamics_body *a = m->a, *b = m->b;
    cm__rigid ma = rigid_at(m, a, m->response_a, pose_a, false), mb = rigid_at(m, b, m->response_b, pose_b, false);
    double ea = a ? a->restitution : 0, eb = b ? b->restitution : 0;
    impact->restitution = !a ? eb : !b ? ea : ea > eb ? ea : eb;
    impact->friction = !a ? b->friction : !b ? a->friction : sqrt(a->friction * b->friction);
    impact->rest_speed = 2 * strongest_push(m) * m->dynamics->dt;
    bool slide = !((m->response_a | m->response_b) & CM_RESPONSE_BOUNCE);
    if (slide) impact->restitution = impact->friction = 0;
    bool slow = cm__approach(&ma, &mb, impact) <= impact->rest_speed;
    if (slow) ma = rigid_at(m, a, m->response_a, pose_a, true), mb = rigid_at(m, b, m->response_b, pose_b, true);
    cm__collide(&ma, &mb, impact, !slide);
    if (!cm__rigid_is_finite(&ma) || !cm__rigid_is_finite(&mb)) return slow;
    double back = slow ? 0 : m->rest;
    if (a && ma.inverse_mass > 0) set_changed(m->dynamics, a, &ma, back);
    if (b && mb.inverse_mass > 0) set_changed(m->dynamics, b, &mb, back);
    return slow;
}

/* Halting and vanishing. False where the body is gone. */
static bool end_motion(const meeting *m, cm__dynamics_body **b, uint32_t response) {
    if (!*b) return true;
    if (response & CM_RESPONSE_VANISH) {
        cm_world_remove(m->dynamics->world, (*b)->id);
        memset(*b, 0, sizeof **b);
        *b = NULL;
        return false;
    }
    if (response & CM_RESPONSE_HALT && !(*b)->driven) {
        (*b)->velocity = (*b)->spin = cm__p(0, 0, 0);
        (*b)->halted = true;
    }
    return true;
}

/* --- at a time of impact -------------------------------------------------------------------------------------------
 */

/* The points of the contact at the hit: of the manifold there, where it has the hit's normal, else the hit's. */
static void find_points(const meeting *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b,
                        cm__impact *out) {
    cm_world_object_desc a, b;
    cm_manifold manifold;
    memset(out, 0, sizeof *out);
    out->normal = cm__point_of(hit->normal);
    out->normal = cm__point_scale(out->normal, 1 / cm__point_length(out->normal));
    out->count = 1;
    out->at[0] = cm__point_of(hit->point);
    if (cm_world_get(m->dynamics->world, hit->a, &a) != CM_OK || cm_world_get(m->dynamics->world, hit->b, &b) != CM_OK)
        return;
    if (a.shape.kind == CM_SHAPE_POINT || b.shape.kind == CM_SHAPE_POINT) return;
    cm_aabb box;
    cm_shape_bounds(&a.shape, pose_a, &box);
    cm_real size = cm_largest(cm_sub(box.max, box.min));
    cm_shape_bounds(&b.shape, pose_b, &box);
    size = cm_min(size, cm_largest(cm_sub(box.max, box.min)));
    cm_real margin = size / 1000 + 16 * CM_REAL_EPSILON * cm_largest(hit->point);
    if (cm_contact(&a.shape, pose_a, &b.shape, pose_b, margin, &manifold, 1) != 1) return;
    if (!(cm_dot(manifold.normal, hit->normal) > CM_REAL(0.999))) return;
    out->count = manifold.count;
    for (int i = 0; i < manifold.count; i++) out->at[i] = cm__point_of(manifold.points[i].point_a);
}

/* What is left of the step, with the velocity of now. */
static void set_rest(const meeting *m, const cm__dynamics_body *b, bool slow, cm_motion *rest) {
    if (!b || b->driven) return;
    double r = m->rest;
    const cm__point pull = slow ? cm__p(0, 0, 0) : pull_of(b);
    rest->move = cm__vec3_of(cm__point_scale(cm__point_mul_add(b->velocity, -r, pull), r));
    rest->accelerate = cm__vec3_of(cm__point_scale(pull, r * r));
    rest->spin = cm__vec3_of(cm__point_scale(b->spin, r));
    rest->pivot = b->center;
}

static cm_world_answer answer_hit(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                  cm_motion *rest_b) {
    cm_dynamics *d = user;
    (void)world;
    meeting m = {d, cm__body_of(d, hit->a), cm__body_of(d, hit->b), 0, 0, (1 - (double)hit->u) * d->dt};
    choose_responses(&m, hit);
    bool ends = ((m.response_a | m.response_b) & CM_RESPONSE_VANISH) != 0;
    if (!ends && !((m.response_a | m.response_b) & blocked_by)) return CM_WORLD_PASS;
    bool slow = false, stays_a = true, stays_b = true;
    if ((m.response_a | m.response_b) & moved_by && !ends) {
        cm__impact impact;
        find_points(&m, hit, &rest_a->start, &rest_b->start, &impact);
        slow = exchange(&m, &rest_a->start, &rest_b->start, &impact);
    }
    stays_a = end_motion(&m, &m.a, m.response_a), stays_b = end_motion(&m, &m.b, m.response_b);
    if (!stays_a || !stays_b) return CM_WORLD_PASS; /* there is nothing left to run into */
    if (m.response_a & blocked_by) set_rest(&m, m.a, slow, rest_a);
    if (m.response_b & blocked_by) set_rest(&m, m.b, slow, rest_b);
    return CM_WORLD_GO;
}

/* --- at the end ----------------------------------------------------------------------------------------------------
 */

static void shift(cm_dynamics *d, const cm__dynamics_body *b, cm_vec3 by) {
    cm_pose pose;
    if (!b || !(cm_largest(by) > 0) || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) return;
    pose.position = cm_add(pose.position, by);
    cm_world_set_pose(d->world, b->id, &pose);
}

/* Undoes the overlap, deepest part after deepest; what one part's push did counts for the next. */
static void push_apart(const meeting *m, const cm_world_event *event) {
    cm__rigid a = {0}, b = {0};
    cm_pose none = cm_pose_identity();
    uint32_t push = CM_RESPONSE_PUSH_APART;
    if (m->response_a & push)
        a = rigid_at(m, m->a, moved_by, m->a ? &(cm_pose){none.position, m->a->rotation} : &none, true);
    if (m->response_b & push)
        b = rigid_at(m, m->b, moved_by, m->b ? &(cm_pose){none.position, m->b->rotation} : &none, true);
    cm__point parted = cm__p(0, 0, 0), by_a = parted, by_b = parted;
    for (int i = 0; i < event->manifold_count; i++) {
        const cm_manifold *part = &event->manifolds[i];
        cm__point n = cm__point_of(part->normal);
        double depth = 0, move_a, move_b;
        for (int k = 0; k < part->count; k++)
            depth = (double)part->points[k].depth > depth ? (double)part->points[k].depth : depth;
        cm__share(&a, &b, depth - cm__point_dot(parted, n), &move_a, &move_b);
        by_a = cm__point_mul_add(by_a, -move_a, n), by_b = cm__point_mul_add(by_b, move_b, n);
        parted = cm__point_sub(by_b, by_a);
    }
    shift(m->dynamics, m->a, cm__vec3_of(by_a));
    shift(m->dynamics, m->b, cm__vec3_of(by_b));
}

static void answer_contact(cm_dynamics *d, const cm_world_event *event) {
    meeting m = {d, cm__body_of(d, event->a), cm__body_of(d, event->b), 0, 0, 0};
    cm_pose pose_a, pose_b;
    if (!event->manifold_count || (!m.a && !m.b)) return;
    if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) return;
    if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) return;
    const cm_manifold *first = &event->manifolds[0];
    cm_world_hit hit = {.a = event->a, .b = event->b, .user_a = event->user_a, .user_b = event->user_b, .u = 1};
    hit.point = first->points[0].point_a, hit.normal = first->normal;
    hit.part_a = first->part_a, hit.part_b = first->part_b, hit.start = CM_SWEEP_OVERLAPPING;
    choose_responses(&m, &hit);
    bool ends = ((m.response_a | m.response_b) & CM_RESPONSE_VANISH) != 0;
    if ((m.response_a | m.response_b) & moved_by && !ends) {
        for (int i = 0; i < event->manifold_count; i++) {
            const cm_manifold *part = &event->manifolds[i];
            cm__impact impact = {.normal = cm__point_of(part->normal), .count = part->count};
            for (int k = 0; k < part->count; k++) impact.at[k] = cm__point_of(part->points[k].point_a);
            exchange(&m, &pose_a, &pose_b, &impact);
        }
    }
    bool stays_a = end_motion(&m, &m.a, m.response_a), stays_b = end_motion(&m, &m.b, m.response_b);
    if (stays_a && stays_b && (m.response_a | m.response_b) & CM_RESPONSE_PUSH_APART) push_apart(&m, event);
}

static void answer_contacts(cm_dynamics *d) {
    cm_world_event_view view;
    cm_world_get_events(d->world, &view);
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *event = &view.events[i];
        if (event->kind != CM_WORLD_BEGAN && event->kind != CM_WORLD_STAYED) continue;
        size_t last = i; /* began and ended in one step: they do not touch now */
        while (last + 1 < view.count && view.events[last + 1].a == event->a && view.events[last + 1].b == event->b)
            last++;
        if (view.events[last].kind != CM_WORLD_ENDED) answer_contact(d, event);
    }
}

/* --- where the world could not -------------------------------------------------------------------------------------
 */

/* Its motions are used up where it moved. */
static bool nothing_moved(const cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        cm_motion motion;
        if (!d->bodies[i].id || cm_world_get_motion(d->world, d->bodies[i].id, &motion) != CM_OK) continue;
        if (cm_largest(motion.move) > 0 || cm_largest(motion.spin) > 0 || cm_largest(motion.accelerate) > 0)
            return true;
    }
    return false;
}

/* The velocities as they were before the step, which is then asked for again. */
static void take_back(cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!b->id) continue;
        b->velocity = b->before, b->spin = b->spin_before;
        b->force = cm__point_add(b->force, b->acting_force), b->torque = cm__point_add(b->torque, b->acting_torque);
    }
}

/* --- the step ------------------------------------------------------------------------------------------------------
 */

cm_status cm_dynamics_step(cm_dynamics *d, cm_real dt) {
    if (!d || !(dt > 0) || !(dt <= CM_REAL(1e6))) return CM_INVALID;
    d->dt = (double)dt;
    cm_status status = set_motions(d);
    if (status != CM_OK) return status;
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!b->id) continue;
        b->before = b->velocity, b->spin_before = b->spin;
        b->velocity = cm__point_mul_add(b->velocity, d->dt, pull_of(b));
        b->spin = cm__body_spin_on(d, b);
        b->force = b->torque = cm__p(0, 0, 0);
    }
    cm_world_step step = {answer_hit, d};
    d->stepping = true;
    status = cm_world_update(d->world, &step);
    d->stepping = false;
    if (status != CM_OK && nothing_moved(d)) {
        take_back(d);
        return status;
    }
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        cm_pose pose;
        if (!b->id || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) continue;
        b->spin = cm__spin_after(b->spin, &b->inertia, &b->inverse_inertia, b->rotation, pose.rotation);
        b->rotation = pose.rotation;
        b->spin = cm__body_spin_on(d, b);
    }
    if (status == CM_OK) answer_contacts(d);
    return status;
}
