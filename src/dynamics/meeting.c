/* Two bodies that meet: what they do, and impulses between the two alone. */
#include "dynamics/meeting.h"
#include "dynamics/energy.h"
#include "dynamics/force.h"

#include <string.h>

static uint32_t response_of(const cm_dynamics *d, const cm__dynamics_body *b, const cm__dynamics_body *other) {
    if (!b) return 0;
    uint8_t rule = d->rules[b->kind][other ? other->kind : 0];
    return rule == CM__OWN_RESPONSE ? b->response : rule;
}

void cm__meeting_choose(cm__meeting *m, const cm_world_hit *hit) {
    cm_dynamics *d = m->dynamics;
    m->response_a = response_of(d, m->a, m->b), m->response_b = response_of(d, m->b, m->a);
    if (!d->respond) return;
    d->respond(d->user, d, hit, &m->response_a, &m->response_b);
    m->a = cm__body_of(d, hit->a), m->b = cm__body_of(d, hit->b); /* it may have taken or given bodies */
    if (!m->a) m->response_a = 0;
    if (!m->b) m->response_b = 0;
}

void cm__meeting_spread(const cm_manifold *manifolds, int count, cm_real cosine, cm__impact *out) {
    static const double around[CM__IMPACT_POINTS][2] = {{1, 0},  {0.7, 0.7},   {0, 1},  {-0.7, 0.7},
                                                        {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}};
    const cm__point n = out->normal, axis = fabs(n.x) < 0.6 ? cm__p(1, 0, 0) : cm__p(0, 1, 0);
    const cm__point side = cm__point_cross(n, axis), other = cm__point_cross(n, side);
    cm__point ways[CM__IMPACT_POINTS], best[CM__IMPACT_POINTS], all[CM__IMPACT_POINTS];
    double far[CM__IMPACT_POINTS];
    int found = 0;
    for (int k = 0; k < CM__IMPACT_POINTS; k++)
        ways[k] = cm__point_mul_add(cm__point_scale(side, around[k][0]), around[k][1], other), far[k] = -DBL_MAX;
    for (int i = 0; i < count; i++) {
        if (!(cm__point_dot(cm__point_of(manifolds[i].normal), n) > (double)cosine)) continue;
        for (int j = 0; j < manifolds[i].count; j++) {
            const cm__point at = cm__point_of(manifolds[i].points[j].point_a);
            if (found++ < CM__IMPACT_POINTS) all[found - 1] = at;
            for (int k = 0; k < CM__IMPACT_POINTS; k++) {
                const double along = cm__point_dot(at, ways[k]);
                if (along > far[k]) far[k] = along, best[k] = at;
            }
        }
    }
    if (!found) return;
    out->count = 0;
    for (int k = 0; k < CM__IMPACT_POINTS && k < found; k++) {
        const cm__point at = found <= CM__IMPACT_POINTS ? all[k] : best[k];
        bool had = false;
        for (int i = 0; i < out->count; i++) had |= cm__point_equal(out->at[i], at);
        if (!had || found <= CM__IMPACT_POINTS) out->at[out->count++] = at;
    }
}

cm__rigid cm__meeting_rigid(const cm__meeting *m, cm__dynamics_body *b, uint32_t response, const cm_pose *pose,
                            bool at_end) {
    cm__rigid out;
    memset(&out, 0, sizeof out);
    if (!b) return out;
    b->spin = cm__spin_after(b->spin, &b->inertia, &b->inverse_inertia, b->rotation, pose->rotation);
    b->rotation = pose->rotation;
    out.center = cm__point_of(cm_pose_apply(pose, b->center));
    out.velocity = cm__point_mul_add(b->velocity, at_end ? 0 : -m->rest, cm__pull_of(b));
    out.spin = b->spin;
    if (b->driven || b->halted || !(b->mass > 0) || !(response & (uint32_t)CM__MOVED_BY)) return out;
    out.inverse_mass = 1 / b->mass;
    out.inverse_inertia = cm__tensor_turned(&b->inverse_inertia, pose->rotation);
    return out;
}

/* The greatest acceleration at work: what a body gains by it within a step is no approach to bounce of. */
static double strongest_push(const cm__meeting *m) {
    double most = cm__point_length(m->dynamics->gravity), a = cm__point_length(cm__body_push(m->dynamics, m->a));
    double b = cm__point_length(cm__body_push(m->dynamics, m->b));
    most = a > most ? a : most;
    return b > most ? b : most;
}

void cm__body_set_changed(const cm_dynamics *d, cm__dynamics_body *b, const cm__rigid *to, double back) {
    if (back > 0 && !b->settled) cm__body_find_pull(d, b, to->velocity, back);
    b->velocity = cm__point_mul_add(to->velocity, back, cm__pull_of(b)), b->spin = to->spin;
    b->changes++;
    cm__body_find_twist(d, b);
}

static double gained(const cm__dynamics_body *b, const cm__rigid *before, const cm__rigid *after) {
    if (!b || !(after->inverse_mass > 0)) return 0;
    return cm__body_energy(b, after->velocity, after->spin) - cm__body_energy(b, before->velocity, before->spin);
}

bool cm__meeting_surface(const cm__meeting *m, cm__impact *out) {
    const cm__dynamics_body *a = m->a, *b = m->b;
    const bool turning = ((m->response_a | m->response_b) & CM_RESPONSE_BOUNCE) != 0;
    const double ea = a ? a->restitution : 0, eb = b ? b->restitution : 0;
    out->restitution = !a ? eb : !b ? ea : ea > eb ? ea : eb;
    out->friction = !a ? b->friction : !b ? a->friction : sqrt(a->friction * b->friction);
    out->rest_speed = 2 * strongest_push(m) * m->dynamics->dt;
    if (!turning) out->restitution = out->friction = 0;
    return turning;
}

bool cm__meeting_exchange(const cm__meeting *m, const cm_pose *pose_a, const cm_pose *pose_b, cm__impact *impact) {
    cm__dynamics_body *a = m->a, *b = m->b;
    cm__rigid ma = cm__meeting_rigid(m, a, m->response_a, pose_a, false),
              mb = cm__meeting_rigid(m, b, m->response_b, pose_b, false);
    const cm__rigid end_a = cm__meeting_rigid(m, a, m->response_a, pose_a, true),
                    end_b = cm__meeting_rigid(m, b, m->response_b, pose_b, true);
    const bool turning = cm__meeting_surface(m, impact);
    const bool slow = cm__approach(&ma, &mb, impact) <= impact->rest_speed && cm__approach(&end_a, &end_b, impact) > 0;
    if (slow) ma = end_a, mb = end_b;
    const cm__rigid before_a = ma, before_b = mb;
    const bool pushed = cm__collide(&ma, &mb, impact, turning) > 0;
    if (!pushed || !cm__rigid_is_finite(&ma) || !cm__rigid_is_finite(&mb)) return false;
    cm__energy_exchange(a, b, gained(a, &before_a, &ma), gained(b, &before_b, &mb), ma.inverse_mass, mb.inverse_mass);
    double back = slow ? 0 : m->rest;
    if (a && ma.inverse_mass > 0) cm__body_set_changed(m->dynamics, a, &ma, back), a->settled |= slow;
    if (b && mb.inverse_mass > 0) cm__body_set_changed(m->dynamics, b, &mb, back), b->settled |= slow;
    return true;
}

bool cm__meeting_end(const cm__meeting *m, cm__dynamics_body **b, uint32_t response) {
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
