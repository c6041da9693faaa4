/// carom/dynamics.h: velocities, masses and gravity for the objects of a world, and their responses to contacts.
///
/// A step integrates the velocities into motions, updates the world (which sweeps fast objects), and responds to hits
/// at their times of impact and to contacts at the end. An object that must respond at the time of impact, however slow
/// it is, needs CM_WORLD_SWEEP_ALWAYS (world.h); else slow objects respond once they overlap. Objects of the world that
/// have no body are not moved.
///
/// What rests on or against something stays there: each step begins by solving its contacts, neither faster nor slower
/// than what gravity gives in two steps, together with those of all that they touch, and so on; impulses are kept for
/// the next step. Stacks, walls and bridges stand where they were put, with or without PUSH_APART: what is taller than
/// some sixty bodies sways by hundredths of its size for seconds until its impulses are found, 300 rounds a step.
/// Where bodies were held after CM_WORLD_HITS hits, the next step begins with the contacts of these and of everything
/// that may be touched within the step. `respond` is called for both, with u = 0. New contacts at the end of a step are
/// answered one after the other, repeatedly, slow ones anew, until nothing changes, at most 16 times.
///
/// What lands on objects without a body that stand still side by side, as on the seam of tiles, lands on all of them at
/// once, and `respond` is called for each. It is not called for an object that a body overlaps only because it is found
/// some way inside the one it landed on.
/// Kinetic and potential energy of a closed scene never grow (docs/theory/motion.md, Energy).
#ifndef CAROM_DYNAMICS_H
#define CAROM_DYNAMICS_H

#include "world.h"

CM_EXTERN_BEGIN

/* --- responses ----------------------------------------------------------------------------------------------- */

/// What a body does at a contact with another: NAME, name, bit. Bits may be combined.
#define CM_RESPONSE_LIST(X)                                                                                            \
    X(REPORT, report, 0) /* nothing: the event is all */                                                               \
    X(HALT, halt, 1)     /* stands still from the time of impact on, until it is given a velocity again */             \
    X(VANISH, vanish, 2) /* is removed at the time of impact */                                                        \
    X(BOUNCE, bounce, 4) /* an impulse: masses, inertia, restitution, friction at the points of the contact */         \
    X(SLIDE, slide, 8)   /* loses the speed along the normal and goes on along the surface; never turns */             \
    X(PUSH_APART, push_apart, 16) /* an overlap is undone, shared by inverse mass */

enum {
#define CM_RESPONSE_ENUM(NAME, name, bit) CM_RESPONSE_##NAME = bit,
    CM_RESPONSE_LIST(CM_RESPONSE_ENUM)
#undef CM_RESPONSE_ENUM
};

/// The bit of a response by its name, "push_apart". @return false, with `out` untouched, for a name that is none.
CM_API bool cm_response_from_name(const char *name, uint32_t *out);
/// The name of one response's bit; NULL for anything else. Never freed.
CM_API const char *cm_response_name(uint32_t response);

/* --- bodies -------------------------------------------------------------------------------------------------- */

/// Bodies over a world. Opaque.
typedef struct cm_dynamics cm_dynamics;

/// What makes an object of the world a body; zero fields mean the default. Against an object without a body its own
/// restitution and friction count; a floor of ice is a `driven` body of velocity 0. The moment of inertia is that of
/// the shape, filled evenly: a shape without volume (an open mesh, one of your own) needs a mass and never turns.
typedef struct cm_body_desc {
    cm_vec3 velocity, spin; /* of the center of mass; angular, world axes, radians; per second */
    cm_real mass;           /* 0 = by `density` from the shape's volume */
    cm_real density;        /* 0 = 1 */
    cm_real restitution;    /* 0 … 1: the greater of two counts */
    cm_real friction;       /* >= 0, Coulomb's; the root of the product of two counts */
    cm_real damping;        /* >= 0, a second: of the velocity; 0 = none. See cm_dynamics_step */
    cm_real spin_damping;   /* >= 0, a second: of the angular momentum; 0 = none */
    cm_real gravity_scale;  /* how much of the gravity acts, below 0 upward; 0 = all of it (none: weightless) */
    bool weightless;        /* gravity does not act */
    bool driven;            /* kinematic: moves by its velocities whatever it meets, as a lift. Needs no mass */
    uint32_t response;      /* CM_RESPONSE_* bits: what it does when it meets something; 0 = report only */
    uint32_t kind;          /* 0 … 31: yours, for cm_dynamics_set_response */
} cm_body_desc;

/// How to build one; zero fields mean the default, and so does NULL instead of the whole.
typedef struct cm_dynamics_desc {
    const cm_allocator *mem; /* NULL = malloc; copied */
    cm_vec3 gravity;         /* acceleration */
    /* Called for each contact with the responses of both bodies, which it may change. `hit` is as in world.h; at the
     * end of a step u is 1. It may call cm_dynamics_set_velocity, cm_dynamics_apply_* and cm_world_remove. Steps and
     * restores of the dynamics and of the world answer CM_INVALID in it. NULL: as described. */
    void (*respond)(void *user, cm_dynamics *dynamics, const cm_world_hit *hit, uint32_t *response_a,
                    uint32_t *response_b);
    void *user;
} cm_dynamics_desc;

/// Creates dynamics over a world; no object has a body yet.
/// @param world  borrowed; must outlive the dynamics.
/// @return CM_OK, CM_INVALID (no world), CM_NOT_FINITE (gravity), CM_NO_MEMORY.
CM_API cm_status cm_dynamics_create(cm_world *world, const cm_dynamics_desc *desc, cm_dynamics **out);
/// Frees dynamics. NULL is fine. The world and its objects stay.
CM_API void cm_dynamics_destroy(cm_dynamics *dynamics);
/// Gives an object a body, or replaces its body. An object removed from the world loses its body with it; one that is
/// made fixed (cm_world_set_fixed) halts with the next step.
/// @return CM_OK; CM_STALE_ID; CM_INVALID (a fixed object, restitution beyond 0 … 1, negative friction, mass or
/// density, an unknown response or kind; no mass, and a shape without volume); CM_NOT_FINITE; CM_NO_MEMORY.
CM_API cm_status cm_dynamics_add(cm_dynamics *dynamics, uint32_t id, const cm_body_desc *body);
/// Removes the body, not the object. @return CM_OK, CM_STALE_ID (also where it has none).
CM_API cm_status cm_dynamics_remove(cm_dynamics *dynamics, uint32_t id);
/// Sets both velocities; a halted body moves again. @return CM_OK, CM_STALE_ID, CM_NOT_FINITE.
CM_API cm_status cm_dynamics_set_velocity(cm_dynamics *dynamics, uint32_t id, cm_vec3 velocity, cm_vec3 spin);

/* Forces, torques and impulses, in world coordinates and axes. Forces and torques are accumulated, act through the
 * whole next step, and are cleared after it: one that acts for longer is applied before every step. Where a step fails
 * and nothing has happened, they stay for the next; those applied within a step, by a callback, wait for the next one
 * too. Impulses change the velocities at once. A halted body takes no force and is moved by an impulse; a body that
 * cannot turn (a mass without volume) takes no torque.
 * @return CM_OK; CM_STALE_ID (also where it has no body); CM_INVALID (a driven body); CM_NOT_FINITE (NaN, or the sum or
 * a velocity beyond the valid range): the body is as it was. */

/// A force through the center of mass, in mass times length per second squared.
CM_API cm_status cm_dynamics_apply_force(cm_dynamics *dynamics, uint32_t id, cm_vec3 force);
/// A force at a point: through the center of mass, and the torque (point - center) x force.
CM_API cm_status cm_dynamics_apply_force_at(cm_dynamics *dynamics, uint32_t id, cm_vec3 force, cm_vec3 point);
/// A torque: turns, and does not move the center.
CM_API cm_status cm_dynamics_apply_torque(cm_dynamics *dynamics, uint32_t id, cm_vec3 torque);
/// An impulse through the center of mass: the velocity changes by impulse / mass.
CM_API cm_status cm_dynamics_apply_impulse(cm_dynamics *dynamics, uint32_t id, cm_vec3 impulse);
/// An impulse at a point: through the center of mass, and the angular impulse (point - center) x impulse.
CM_API cm_status cm_dynamics_apply_impulse_at(cm_dynamics *dynamics, uint32_t id, cm_vec3 impulse, cm_vec3 point);
/// An angular impulse: the angular momentum changes by it.
CM_API cm_status cm_dynamics_apply_angular_impulse(cm_dynamics *dynamics, uint32_t id, cm_vec3 impulse);

/// What a body is now.
typedef struct cm_body_state {
    cm_vec3 velocity, spin;
    cm_real mass;             /* 0: driven */
    cm_vec3 center;           /* of mass, world */
    cm_vec3 momentum;         /* mass times velocity */
    cm_vec3 angular_momentum; /* about the world's origin */
    cm_real energy;           /* kinetic, of going and turning */
    bool halted;
} cm_body_state;
/// Never NaN: what is beyond the range of numbers is CM_REAL_MAX with its sign, and 0 where such ones cancel.
/// @return CM_OK, or CM_STALE_ID with `out` untouched.
CM_API cm_status cm_dynamics_get(const cm_dynamics *dynamics, uint32_t id, cm_body_state *out);
/// Sets what bodies of kind `kind` do at a contact with one of kind `other`, instead of their own response; objects
/// without a body are of kind 0. @return CM_OK, CM_INVALID (a kind above 31, unknown bits).
CM_API cm_status cm_dynamics_set_response(cm_dynamics *dynamics, uint32_t kind, uint32_t other, uint32_t response);

/// One step of `dt` seconds: under constant acceleration ends of straight ways are exact; the turn of a free body keeps
/// its angular momentum to rounding. Events are the world's: cm_world_get_events.
/// Gravity g, force F and damping c take the velocity v to (v + (g + F / mass) dt) / (1 + c dt), torque T takes the
/// angular momentum L about the center to (L + T dt) / (1 + c dt); both divisions are e^-c a second for short steps,
/// and stable for any. Where a body meets something on the way, the rest of the step is found anew; of the turning, the
/// half before and the half after the step. What is done at an impact: the body that vanishes is removed, the one that
/// halts stands, those that bounce or slide change their velocities and go on for the rest of the step. With a response
/// of REPORT or PUSH_APART alone a body goes on through the other. A body whose response is neither BOUNCE nor SLIDE
/// counts as one that nothing moves. Approaches slower than what gravity, or the force on one of the two, gives in two
/// steps do not bounce.
/// @return CM_OK; CM_INVALID (dt not > 0 or beyond 1e6; within a callback) or CM_NOT_FINITE (a body would leave the
/// valid range): nothing has happened; CM_NO_MEMORY, CM_LIMIT, as cm_world_update: velocities are those of before where
/// nothing has moved. CM_NO_MEMORY also where bodies moved, but a hit was answered only at the points that there was
/// room for.
CM_API cm_status cm_dynamics_step(cm_dynamics *dynamics, cm_real dt);
/// A number of the state, the world's included: equal states, equal hashes.
CM_API uint64_t cm_dynamics_hash(const cm_dynamics *dynamics);
/// Writes the state of all bodies and of the world; see cm_world_save (0 too). Not: gravity, callbacks, rules.
CM_API size_t cm_dynamics_save(const cm_dynamics *dynamics, const cm_world_shapes *shapes, void *bytes,
                               size_t capacity);
/// Restores the state of all bodies and of the world that cm_dynamics_save wrote.
/// @return CM_OK, CM_BAD_DATA, CM_NO_MEMORY, or what cm_world_restore says; bodies and world are as they were then.
CM_API cm_status cm_dynamics_restore(cm_dynamics *dynamics, const cm_world_shapes *shapes, const void *bytes,
                                     size_t size);

CM_EXTERN_END
#endif
