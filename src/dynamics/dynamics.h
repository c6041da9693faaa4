/* What a cm_dynamics holds: bodies by the slot of their object. */
#ifndef DYNAMICS_DYNAMICS_H
#define DYNAMICS_DYNAMICS_H

#include "carom/dynamics.h"
#include "dynamics/rigid.h"

enum { CM__BODY_KINDS = 32, CM__OWN_RESPONSE = 0x80 };

typedef struct cm__dynamics_body {
    cm__tensor inertia, inverse_inertia;   /* about the center, the body's axes */
    cm__point velocity, spin;              /* in a step: at its end without hits; spin as of `rotation` */
    cm__point before, spin_before;         /* velocity and spin at the start of the step */
    cm__point force, torque;               /* gathered for the coming step */
    cm__point acting_force, acting_torque; /* in a step: those of this one */
    cm__point pull, twist;                 /* in a step: acceleration and torque, with damping */
    double mass, restitution, friction;
    double damping, spin_damping, gravity_scale;
    cm_vec3 center;   /* of mass, the body's own frame */
    cm_quat rotation; /* in which `spin` was right */
    uint32_t id;      /* 0: no body */
    uint32_t response, kind;
    uint32_t weightless, driven, halted;
} cm__dynamics_body;

struct cm_dynamics {
    cm_world *world;
    cm_allocator allocator;
    bool has_allocator;
    cm__point gravity;
    void (*respond)(void *user, cm_dynamics *dynamics, const cm_world_hit *hit, uint32_t *a, uint32_t *b);
    void *user;
    cm__dynamics_body *bodies;
    size_t count, capacity; /* slots in use: all beyond are none */
    uint8_t rules[CM__BODY_KINDS][CM__BODY_KINDS];
    double dt;
    bool stepping; /* within cm_dynamics_step: a callback may ask */
};

CM_INLINE const cm_allocator *cm__dynamics_memory(const cm_dynamics *d) {
    return d->has_allocator ? &d->allocator : NULL;
}
/* The body of an object; NULL where it has none. */
CM_INLINE cm__dynamics_body *cm__body_of(const cm_dynamics *d, uint32_t id) {
    uint32_t slot = id & 0xffffff;
    return slot < d->count && d->bodies[slot].id == id && id ? &d->bodies[slot] : NULL;
}

#endif
