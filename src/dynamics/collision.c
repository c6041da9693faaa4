/* Two bodies that meet: what they do, and impulses between the two alone. */
#include "dynamics/collision.h"
#include "dynamics/energy.h"
#include "dynamics/force.h"
#include "math/wide.h"
#include "shape/shape.h"
#include "world/world.h"

#include <string.h>

/* 1 less a cosine. What are one normal: a tenth of a degree, more than rounding. What has the hit's normal may be off
 * by more (WIDE_ONE_NORMAL), as normals of a mesh's triangles that are one surface differ by a few degrees. */
#define COLLISION_SAME 1e-6

#define COLLISION_LANDS 0.6 /* likewise; what rests approaches by gravity alone, at half of it */

static uint32_t response_of(const cm_dynamics *d, const cm__dynamics_body *b, const cm__dynamics_body *other) {
    if (!b) return 0;
    uint8_t rule = d->rules[b->kind][other ? other->kind : 0];
    return rule == CM__OWN_RESPONSE ? b->response : rule;
}

void cm__collision_choose(cm__collision *m, const cm_world_hit *hit) {
    cm_dynamics *d = m->dynamics;
    m->response_a = response_of(d, m->a, m->b), m->response_b = response_of(d, m->b, m->a);
    if (!d->respond) return;
    d->world->answered = true;
    d->respond(d->user, d, hit, &m->response_a, &m->response_b);
    d->world->answered = false;
    m->a = cm__body_of(d, hit->a), m->b = cm__body_of(d, hit->b); /* it may have taken or given bodies */
    if (!m->a) m->response_a = 0;
    if (!m->b) m->response_b = 0;
}

static const double spread_around[CM__IMPACT_POINTS][2] = {{1, 0},  {0.7, 0.7},   {0, 1},  {-0.7, 0.7},
                                                           {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}};

/* The points of manifolds of one normal: the first of them, and the farthest along eight directions across it. */
typedef struct spread {
    cm__point normal, ways[CM__IMPACT_POINTS], first[CM__IMPACT_POINTS], best[CM__IMPACT_POINTS];
    double first_depth[CM__IMPACT_POINTS], best_depth[CM__IMPACT_POINTS], far[CM__IMPACT_POINTS];
    int found;
} spread;

static void spread_start(spread *s, cm__point n) {
    const cm__point axis = fabs(n.x) < 0.6 ? cm__p(1, 0, 0) : cm__p(0, 1, 0);
    const cm__point side = cm__point_cross(n, axis), other = cm__point_cross(n, side);
    s->normal = n, s->found = 0;
    for (int k = 0; k < CM__IMPACT_POINTS; k++) {
        s->ways[k] = cm__point_mul_add(cm__point_scale(side, spread_around[k][0]), spread_around[k][1], other);
        s->far[k] = -DBL_MAX;
    }
}

static void spread_put(spread *s, const cm_manifold *manifold) {
    for (int j = 0; j < manifold->count; j++) {
        const cm__point at = cm__point_of(manifold->points[j].point_a);
        const double depth = (double)manifold->points[j].depth;
        if (s->found++ < CM__IMPACT_POINTS) s->first[s->found - 1] = at, s->first_depth[s->found - 1] = depth;
        for (int k = 0; k < CM__IMPACT_POINTS; k++) {
            const double along = cm__point_dot(at, s->ways[k]);
            if (along > s->far[k]) s->far[k] = along, s->best[k] = at, s->best_depth[k] = depth;
        }
    }
}

static void spread_end(const spread *s, cm__impact *out) {
    out->normal = s->normal, out->count = 0;
    const bool few = s->found <= CM__IMPACT_POINTS;
    for (int k = 0; k < CM__IMPACT_POINTS && k < s->found; k++) {
        const cm__point at = few ? s->first[k] : s->best[k];
        bool had = false;
        for (int i = 0; i < out->count; i++) had |= cm__point_equal(out->at[i], at);
        if (had && !few) continue;
        out->depth[out->count] = few ? s->first_depth[k] : s->best_depth[k];
        out->at[out->count++] = at;
    }
}

cm_real cm__collision_rest_margin(const cm_dynamics *d, uint32_t a, uint32_t b, const cm_pose *pose_a,
                                  const cm_pose *pose_b) {
    const cm_motion rest_a = {.start = *pose_a}, rest_b = {.start = *pose_b};
    return cm__world_own_margin(d->world, cm__world_slot(a), &rest_a) +
           cm__world_own_margin(d->world, cm__world_slot(b), &rest_b);
}

double cm__collision_margin(const cm_dynamics *d, uint32_t a, uint32_t b) {
    uint32_t s, t;
    if (!cm__world_find(d->world, a, &s) || !cm__world_find(d->world, b, &t)) return 0;
    return (double)cm__world_margin(d->world, s, t);
}

void cm__collision_at_normal(const cm_manifold *manifolds, int count, double gap, cm__impact *out) {
    spread s;
    spread_start(&s, out->normal);
    for (int i = 0; i < count; i++) {
        const bool touches = (double)manifolds[i].points[0].depth >= -gap;
        const double same = touches ? WIDE_ONE_NORMAL : 1 - COLLISION_SAME;
        if (cm__point_dot(cm__point_of(manifolds[i].normal), s.normal) > same) spread_put(&s, &manifolds[i]);
    }
    if (s.found) spread_end(&s, out);
}

/* False: there are more normals, that differ by this or more, than room. */
static bool collision_sort(const cm_manifold *manifolds, int count, double cosine, spread all[CM__IMPACTS],
                           int *normals) {
    *normals = 0;
    for (int i = 0; i < count; i++) {
        const cm__point n = cm__point_of(manifolds[i].normal);
        int k = 0;
        while (k < *normals && !(cm__point_dot(n, all[k].normal) > cosine)) k++;
        if (k == CM__IMPACTS) return false;
        if (k == *normals) spread_start(&all[(*normals)++], n);
        spread_put(&all[k], &manifolds[i]);
    }
    return true;
}

int cm__collision_impacts(const cm_manifold *manifolds, int count, cm__impact out[CM__IMPACTS]) {
    spread all[CM__IMPACTS];
    int normals;
    double off = COLLISION_SAME; /* 1 less the cosine; where all are within 1 of each other, 16 are enough */
    while (!collision_sort(manifolds, count, 1 - off, all, &normals)) off *= 4;
    memset(out, 0, (size_t)normals * sizeof *out);
    for (int k = 0; k < normals; k++) spread_end(&all[k], &out[k]);
    return normals;
}

/* The axis of a body of revolution. */
static void collision_find_axis(const cm_shape *shape, const cm_pose *pose, cm__rigid *out) {
    bool any = false;
    const cm__shape_ops *ops = cm__ops(shape->kind);
    const cm__frame frame = frame_of_pose(pose);
    out->round = ops->axis && ops->axis(shape, &any, &out->axis);
    out->axis = out->round && !any ? frame_rotate(&frame, out->axis) : cm__p(0, 0, 0);
}

cm__rigid cm__collision_rigid(const cm__collision *m, cm__dynamics_body *b, uint32_t response, const cm_pose *pose,
                              bool at_end) {
    cm__rigid out;
    memset(&out, 0, sizeof out);
    if (!b) return out;
    b->spin = cm__spin_after(b->spin, &b->inertia, &b->inverse_inertia, b->rotation, pose->rotation);
    b->rotation = pose->rotation;
    out.center = cm__point_of(cm_pose_apply(pose, b->center));
    out.velocity = cm__point_mul_add(b->velocity, at_end ? 0 : -m->rest, cm__pull_of(b));
    out.spin = b->spin;
    collision_find_axis(&m->dynamics->world->bodies[cm__world_slot(b->id)].shape, pose, &out);
    if (b->driven || b->halted || !(b->mass > 0) || !(response & (uint32_t)CM__MOVED_BY)) return out;
    out.inverse_mass = 1 / b->mass;
    out.inverse_inertia = cm__tensor_rotated(&b->inverse_inertia, pose->rotation);
    return out;
}

/* The greatest acceleration at work: what a body gains by it within a step is no approach to bounce of. */
static double strongest_push(const cm__collision *m) {
    double most = cm__point_length(m->dynamics->gravity), a = cm__point_length(cm__body_push(m->dynamics, m->a));
    double b = cm__point_length(cm__body_push(m->dynamics, m->b));
    most = a > most ? a : most;
    return b > most ? b : most;
}

double cm__collision_rest_speed(const cm__collision *m) { return 2 * strongest_push(m) * m->dynamics->dt; }

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

/* The work of what keeps its velocity on the body `b`: its impulses times the velocities of the points where they act.
 */
static double work_on(const cm__dynamics_body *b, const cm__rigid *before, const cm__rigid *after,
                      const cm__rigid *keeps) {
    if (!b || !(after->inverse_mass > 0) || keeps->inverse_mass > 0) return 0;
    const cm__tensor inertia = cm__tensor_rotated(&b->inertia, b->rotation);
    const cm__point push = cm__point_scale(cm__point_sub(after->velocity, before->velocity), b->mass);
    const cm__point arm = cm__point_sub(after->center, keeps->center);
    const cm__point twist =
        cm__point_add(cm__point_cross(arm, push), cm__tensor_mul(&inertia, cm__point_sub(after->spin, before->spin)));
    return cm__point_dot(push, keeps->velocity) + cm__point_dot(twist, keeps->spin);
}

bool cm__collision_surface(const cm__collision *m, cm__impact *out) {
    const cm__dynamics_body *a = m->a, *b = m->b;
    const bool turning = ((m->response_a | m->response_b) & CM_RESPONSE_BOUNCE) != 0;
    const double ea = a ? a->restitution : 0, eb = b ? b->restitution : 0;
    out->restitution = !a ? eb : !b ? ea : ea > eb ? ea : eb;
    out->friction = !a ? b->friction : !b ? a->friction : sqrt(a->friction * b->friction);
    out->rest_speed = cm__collision_rest_speed(m);
    if (!turning) out->restitution = out->friction = 0;
    return turning;
}

static double collision_approach(const cm__rigid *a, const cm__rigid *b, const cm__impact *impacts, int count) {
    double most = -DBL_MAX;
    for (int i = 0; i < count; i++) {
        const double speed = cm__approach(a, b, &impacts[i]);
        most = speed > most ? speed : most;
    }
    return most;
}

bool cm__collision_lands(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b,
                         const cm_manifold *manifolds, int count) {
    const cm__rigid a = cm__collision_rigid(m, m->a, m->response_a, pose_a, false),
                    b = cm__collision_rigid(m, m->b, m->response_b, pose_b, false);
    cm__impact surface;
    cm__collision_surface(m, &surface);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < manifolds[i].count; k++) {
            const cm__point at = cm__point_of(manifolds[i].points[k].point_a);
            const cm__point v = cm__point_sub(cm__velocity_at(&b, at), cm__velocity_at(&a, at));
            const double approach = -cm__point_dot(v, cm__point_of(manifolds[i].normal));
            if (approach > COLLISION_LANDS * surface.rest_speed) return true;
        }
    return false;
}

/* What an exchange changed; `slow`: bodies were brought to rest on each other. */
typedef struct exchanged {
    cm__rigid a, b;
    bool slow;
} exchanged;

static cm__rigid change_between(const cm__rigid *before, const cm__rigid *after) {
    cm__rigid out = *after;
    out.velocity = cm__point_sub(after->velocity, before->velocity);
    out.spin = cm__point_sub(after->spin, before->spin);
    return out;
}

static bool collision_exchange(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b,
                               cm__impact *impacts, int count, exchanged *out) {
    cm__dynamics_body *a = m->a, *b = m->b;
    cm__rigid ma = cm__collision_rigid(m, a, m->response_a, pose_a, false),
              mb = cm__collision_rigid(m, b, m->response_b, pose_b, false);
    const cm__rigid end_a = cm__collision_rigid(m, a, m->response_a, pose_a, true),
                    end_b = cm__collision_rigid(m, b, m->response_b, pose_b, true);
    bool turning = false;
    for (int i = 0; i < count; i++) turning = cm__collision_surface(m, &impacts[i]);
    const bool slow = collision_approach(&ma, &mb, impacts, count) <= impacts->rest_speed &&
                      collision_approach(&end_a, &end_b, impacts, count) > 0;
    if (slow) ma = end_a, mb = end_b;
    const cm__rigid before_a = ma, before_b = mb;
    const bool pushed = cm__collide(&ma, &mb, impacts, count, turning) > 0;
    if (!pushed || !cm__rigid_is_finite(&ma) || !cm__rigid_is_finite(&mb)) return false;
    cm__energy_exchange(a, b, gained(a, &before_a, &ma), gained(b, &before_b, &mb), ma.inverse_mass, mb.inverse_mass,
                        work_on(a, &before_a, &ma, &mb) + work_on(b, &before_b, &mb, &ma));
    double back = slow ? 0 : m->rest;
    if (a && ma.inverse_mass > 0) cm__body_set_changed(m->dynamics, a, &ma, back), a->settled |= slow;
    if (b && mb.inverse_mass > 0) cm__body_set_changed(m->dynamics, b, &mb, back), b->settled |= slow;
    out->a = change_between(&before_a, &ma), out->b = change_between(&before_b, &mb), out->slow = slow;
    return true;
}

bool cm__collision_exchange(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b, cm__impact *impacts,
                            int count) {
    exchanged change;
    return collision_exchange(m, pose_a, pose_b, impacts, count, &change);
}

bool cm__way_back_from(const cm__dynamics_body *b, cm_pose *pose) {
    if (!b) return false;
    const cm_motion way = {
        .start = *pose, .move = cm__vec3_of(b->back), .spin = cm__vec3_of(b->turn_back), .pivot = b->center};
    if (!(cm_largest(way.move) > 0) && !(cm_largest(way.spin) > 0)) return false;
    cm_motion_at(&way, 1, pose);
    return true;
}

/* The way back of a body changes by these velocities times `seconds`. */
static void change_way_back(cm__dynamics_body *b, double seconds, cm__point velocity, cm__point spin) {
    b->back = cm__point_mul_add(b->back, seconds, velocity);
    b->turn_back = cm__point_mul_add(b->turn_back, seconds, spin);
}

/* As if the contact had not been answered. */
static void collision_take_back(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b,
                                const cm__dynamics_share *share) {
    cm__dynamics_body *bodies[2] = {m->a, m->b};
    const cm__rigid with[2] = {cm__collision_rigid(m, m->a, m->response_a, pose_a, true),
                               cm__collision_rigid(m, m->b, m->response_b, pose_b, true)};
    cm__rigid without[2] = {with[0], with[1]};
    double gain[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        if (!(with[i].inverse_mass > 0)) continue;
        without[i].velocity = cm__point_sub(with[i].velocity, share->velocity[i]);
        without[i].spin = cm__point_sub(with[i].spin, share->spin[i]);
        gain[i] = gained(bodies[i], &with[i], &without[i]);
    }
    const double work = work_on(m->a, &with[0], &without[0], &with[1]) + work_on(m->b, &with[1], &without[1], &with[0]);
    cm__energy_exchange(m->a, m->b, gain[0], gain[1], with[0].inverse_mass, with[1].inverse_mass, work);
    for (int i = 0; i < 2; i++) {
        if (!(with[i].inverse_mass > 0)) continue;
        cm__body_set_changed(m->dynamics, bodies[i], &without[i], 0);
        change_way_back(bodies[i], -share->part, share->velocity[i], share->spin[i]);
    }
}

/* What two shares differ by, at most: a speed at one of the points. */
static double share_change(const exchanged *now, const cm__dynamics_share *before, const cm__impact *impacts,
                           int count) {
    cm__rigid a = now->a, b = now->b;
    double most = 0;
    a.velocity = cm__point_sub(a.velocity, before->velocity[0]), a.spin = cm__point_sub(a.spin, before->spin[0]);
    b.velocity = cm__point_sub(b.velocity, before->velocity[1]), b.spin = cm__point_sub(b.spin, before->spin[1]);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < impacts[i].count; k++) {
            const cm__point at = impacts[i].at[k];
            const double of_a = cm__point_length(cm__velocity_at(&a, at)),
                         of_b = cm__point_length(cm__velocity_at(&b, at));
            most = wide_max(most, of_a + of_b);
        }
    return most;
}

/* The part of a way back, of the change times `seconds`, after which the points along each normal that it parts still
 * touch; 1 at most. */
static double part_in_touch(const cm__collision *m, const exchanged *change, const cm__impact *impacts, int count,
                            double seconds) {
    double part = 1;
    for (int i = 0; i < count; i++) {
        const cm__impact *impact = &impacts[i];
        double most = 0;
        bool parts = false;
        for (int k = 0; k < impact->count; k++) {
            const cm__point at = impact->at[k];
            const cm__point way = cm__point_sub(cm__velocity_at(&change->b, at), cm__velocity_at(&change->a, at));
            const cm__point gone =
                cm__point_sub(cm__way_back(m->b, change->b.center, at), cm__way_back(m->a, change->a.center, at));
            const double up = seconds * cm__point_dot(way, impact->normal);
            const double deep = impact->depth[k] - cm__point_dot(gone, impact->normal);
            if (!(up > 0)) continue;
            parts = true;
            most = deep > most * up ? deep / up : most;
        }
        if (parts && most < part) part = most;
    }
    return part;
}

bool cm__collision_hold(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b, cm__impact *impacts,
                        int count, cm__dynamics_share *share) {
    const cm__dynamics_share before = *share;
    const bool answered = before.still > 0;
    exchanged change;
    memset(share, 0, sizeof *share);
    if (answered) collision_take_back(m, pose_a, pose_b, &before);
    const bool pushes = collision_exchange(m, pose_a, pose_b, impacts, count, &change);
    if (!pushes || !change.slow) {
        share->changed = pushes || answered ? HUGE_VAL : 0;
        return pushes;
    }
    const double past = m->dynamics->dt - m->rest, u = past / m->dynamics->dt;
    const double seconds = past * u / 2;
    cm__dynamics_body *bodies[2] = {m->a, m->b};
    const cm__rigid *changes[2] = {&change.a, &change.b};
    share->part = seconds * part_in_touch(m, &change, impacts, count, seconds);
    share->changed = share_change(&change, &before, impacts, count);
    share->still = CM__SHARE_STILL * impacts->rest_speed;
    for (int i = 0; i < 2; i++) {
        share->velocity[i] = changes[i]->velocity, share->spin[i] = changes[i]->spin;
        if (bodies[i]) change_way_back(bodies[i], share->part, share->velocity[i], share->spin[i]);
    }
    return true;
}

bool cm__collision_end(const cm__collision *m, cm__dynamics_body **b, uint32_t response) {
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
