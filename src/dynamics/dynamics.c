/* Bodies over a world: their life. */
#include "dynamics/dynamics.h"
#include "dynamics/energy.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

cm_status cm_dynamics_create(cm_world *world, const cm_dynamics_desc *desc, cm_dynamics **out) {
    cm_dynamics_desc none = {0};
    if (!desc) desc = &none;
    if (!world || !out) return CM_INVALID;
    if (!cm_vec3_is_valid(desc->gravity)) return CM_NOT_FINITE;
    cm_dynamics *d = cm__alloc(desc->mem, 1, sizeof *d);
    if (!d) return CM_NO_MEMORY;
    memset(d, 0, sizeof *d);
    d->world = world;
    if (desc->mem) d->allocator = *desc->mem, d->has_allocator = true;
    d->gravity = cm__point_of(desc->gravity);
    d->respond = desc->respond, d->user = desc->user;
    memset(d->rules, CM__OWN_RESPONSE, sizeof d->rules);
    *out = d;
    return CM_OK;
}

void cm_dynamics_destroy(cm_dynamics *d) {
    if (!d) return;
    cm_allocator mem = d->allocator;
    const cm_allocator *from = d->has_allocator ? &mem : NULL;
    cm__free(from, d->bodies, d->capacity, sizeof *d->bodies);
    cm__free(from, d->contacts, d->contact_capacity, sizeof *d->contacts);
    cm__free(from, d->rigids, d->rigid_capacity, sizeof *d->rigids);
    cm__free(from, d->parts, d->part_capacity, sizeof *d->parts);
    cm__free(from, d->points, d->point_capacity, sizeof *d->points);
    cm__free(from, d->kept, d->kept_capacity, sizeof *d->kept);
    cm__free(from, d->manifolds, d->manifold_capacity, sizeof *d->manifolds);
    cm__free(from, d->grounds, d->ground_capacity, sizeof *d->grounds);
    cm__free(from, d, 1, sizeof *d);
}

static cm__point row_of(const cm_mat3 *m, int i) {
    return i == 0   ? cm__p((double)m->x.x, (double)m->y.x, (double)m->z.x)
           : i == 1 ? cm__p((double)m->x.y, (double)m->y.y, (double)m->z.y)
                    : cm__p((double)m->x.z, (double)m->y.z, (double)m->z.z);
}

/* Mass, center and inertia. Without a volume a given mass stands at the shape's origin and does not turn. */
static cm_status weigh(const cm_shape *shape, const cm_body_desc *desc, cm__dynamics_body *out) {
    cm_mass mass = {0};
    cm_status status = cm_shape_mass(shape, desc->density > 0 ? desc->density : 1, &mass);
    bool weighed = status == CM_OK && mass.mass > 0 && mass.mass < CM_REAL_MAX;
    if (!weighed && !(desc->mass > 0)) return CM_INVALID;
    out->mass = desc->mass > 0 ? (double)desc->mass : (double)mass.mass;
    if (!weighed) return CM_OK;
    double scale = out->mass / (double)mass.mass;
    out->center = mass.center;
    out->inertia.x = cm__point_scale(row_of(&mass.inertia, 0), scale);
    out->inertia.y = cm__point_scale(row_of(&mass.inertia, 1), scale);
    out->inertia.z = cm__point_scale(row_of(&mass.inertia, 2), scale);
    out->inertia.y.x = out->inertia.x.y, out->inertia.z.x = out->inertia.x.z, out->inertia.z.y = out->inertia.y.z;
    out->inverse_inertia = cm__tensor_inverse(&out->inertia);
    return CM_OK;
}

static cm_status check_body(const cm_body_desc *b) {
    if (!cm_vec3_is_valid(b->velocity) || !cm_vec3_is_valid(b->spin)) return CM_NOT_FINITE;
    if (!cm_is_coord(b->mass) || !cm_is_coord(b->density) || !cm_is_coord(b->friction)) return CM_NOT_FINITE;
    if (!cm_is_coord(b->damping) || !cm_is_coord(b->spin_damping) || !cm_is_coord(b->gravity_scale))
        return CM_NOT_FINITE;
    bool fine = b->mass >= 0 && b->density >= 0 && b->friction >= 0 && b->restitution >= 0 && b->restitution <= 1 &&
                b->damping >= 0 && b->spin_damping >= 0;
    return fine && b->response <= CM__RESPONSE_BITS && b->kind < CM__BODY_KINDS ? CM_OK : CM_INVALID;
}

bool cm__dynamics_reach(cm_dynamics *d, uint32_t slot) {
    if (slot < d->count) return true;
    void *items = d->bodies;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->capacity, (size_t)slot + 1, sizeof *d->bodies)) return false;
    d->bodies = items;
    memset(d->bodies + d->count, 0, (slot + 1 - d->count) * sizeof *d->bodies);
    d->count = (size_t)slot + 1;
    return true;
}

int cm__dynamics_touching(cm_dynamics *d, const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                          const cm_pose *pose_b, cm_real margin, int kept) {
    int count = kept + 1, room;
    do {
        void *items = d->manifolds;
        const bool grown =
            cm__reserve(cm__dynamics_memory(d), &items, &d->manifold_capacity, (size_t)count, sizeof *d->manifolds);
        d->manifolds = items, d->starved |= !grown;
        room = d->manifold_capacity < INT_MAX ? (int)d->manifold_capacity : INT_MAX;
        if (!grown) return room;
        count = kept + cm_contact(a, pose_a, b, pose_b, margin, d->manifolds + kept, room - kept);
    } while (count > room);
    return count;
}

cm_status cm_dynamics_add(cm_dynamics *d, uint32_t id, const cm_body_desc *desc) {
    cm_world_object_desc object;
    cm__dynamics_body body;
    memset(&body, 0, sizeof body);
    if (!d || !desc) return CM_INVALID;
    cm_status status = cm_world_get(d->world, id, &object);
    if (status == CM_OK) status = check_body(desc);
    if (status == CM_OK && object.fixed) status = CM_INVALID;
    if (status == CM_OK && !desc->driven) status = weigh(&object.shape, desc, &body);
    if (status != CM_OK) return status;
    if (!cm__dynamics_reach(d, id & 0xffffff)) return CM_NO_MEMORY;
    body.id = id;
    body.velocity = cm__point_of(desc->velocity), body.spin = cm__point_of(desc->spin);
    body.restitution = (double)desc->restitution, body.friction = (double)desc->friction;
    body.damping = (double)desc->damping, body.spin_damping = (double)desc->spin_damping;
    body.gravity_scale = desc->gravity_scale != 0 ? (double)desc->gravity_scale : 1;
    body.weightless = desc->weightless, body.driven = desc->driven;
    body.response = desc->response, body.kind = desc->kind;
    body.rotation = object.pose.rotation;
    body.rests = true; /* until its first step has looked */
    d->bodies[id & 0xffffff] = body;
    return CM_OK;
}

/* The body of an object; NULL where it has none, or is gone from the world. */
static cm__dynamics_body *body_that_is_there(const cm_dynamics *d, uint32_t id) {
    cm_pose pose;
    return d && cm_world_get_pose(d->world, id, &pose) == CM_OK ? cm__body_of(d, id) : NULL;
}

cm_status cm_dynamics_remove(cm_dynamics *d, uint32_t id) {
    cm__dynamics_body *body = body_that_is_there(d, id);
    if (!body) return CM_STALE_ID;
    memset(body, 0, sizeof *body);
    return CM_OK;
}

cm_status cm_dynamics_set_velocity(cm_dynamics *d, uint32_t id, cm_vec3 velocity, cm_vec3 spin) {
    cm__dynamics_body *body = body_that_is_there(d, id);
    if (!body) return CM_STALE_ID;
    if (!cm_vec3_is_valid(velocity) || !cm_vec3_is_valid(spin)) return CM_NOT_FINITE;
    const double before = cm__body_energy(body, body->velocity, body->spin);
    body->velocity = cm__point_of(velocity), body->spin = cm__point_of(spin);
    cm__energy_gain(body, cm__body_energy(body, body->velocity, body->spin) - before); /* within a step */
    body->twist = cm__p(0, 0, 0); /* within a step: what is left of it leaves the spin as it is given */
    body->halted = false;
    return CM_OK;
}

/* What is too large for a number is reported as the largest one; where such ones cancel, nothing is known, and it is 0.
 */
static cm_real state_real(double x) {
    const double most = (double)CM_REAL_MAX;
    return (cm_real)(x > most ? most : x < -most ? -most : x == x ? x : 0);
}
static cm_vec3 state_vec3(cm__point p) { return cm_v(state_real(p.x), state_real(p.y), state_real(p.z)); }

cm_status cm_dynamics_get(const cm_dynamics *d, uint32_t id, cm_body_state *out) {
    const cm__dynamics_body *body = d ? cm__body_of(d, id) : NULL;
    cm_pose pose;
    if (!body || cm_world_get_pose(d->world, id, &pose) != CM_OK) return CM_STALE_ID;
    cm_vec3 center = cm_pose_apply(&pose, body->center);
    cm__tensor inertia = cm__tensor_rotated(&body->inertia, pose.rotation);
    cm__point turning = cm__tensor_mul(&inertia, body->spin), momentum = cm__point_scale(body->velocity, body->mass);
    out->velocity = state_vec3(body->velocity), out->spin = state_vec3(body->spin);
    out->mass = state_real(body->mass), out->center = center;
    out->momentum = state_vec3(momentum);
    out->angular_momentum = state_vec3(cm__point_add(turning, cm__point_cross(cm__point_of(center), momentum)));
    out->energy = state_real((cm__point_dot(momentum, body->velocity) + cm__point_dot(turning, body->spin)) / 2);
    out->halted = body->halted;
    return CM_OK;
}

cm_status cm_dynamics_set_response(cm_dynamics *d, uint32_t kind, uint32_t other, uint32_t response) {
    if (!d || kind >= CM__BODY_KINDS || other >= CM__BODY_KINDS || response > CM__RESPONSE_BITS) return CM_INVALID;
    d->rules[kind][other] = (uint8_t)response;
    return CM_OK;
}
