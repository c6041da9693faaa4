/// carom/mover.h: a character controller: a shape that walks through a world, or through one mesh, as the player wants,
/// not by forces.
///
/// clang-format off
///     cm_mover mover = {.shape = cm_make_capsule(cm_v(0, 0.3f, 0), cm_v(0, 1.5f, 0), 0.3f),
///                       .pose = {.position = {0, 1, 0}}}; // zero fields are defaults
///     cm_mover_space space = {.world = world};
///     ...
///     // every frame, after cm_world_update
///     velocity = cm_v(stick.x * 5, velocity.y - 10 * dt, stick.y * 5);
///     if (jump && mover.ground.kind == CM_MOVER_FIRM) velocity.y = 4;
///     cm_mover_result result;
///     cm_mover_step(&mover, &space, velocity, dt, &result);
///     velocity = result.velocity; // what walls, ceilings and the ground left of it
/// clang-format on
///
/// The mover is a plain struct of the caller's: set, copy, save and send it as you like; nothing else is kept. It is
/// moved by sweeps and keeps a gap, its skin, to everything, so that rounding does not stop it (in a gap too narrow for
/// the skin, an eighth of it). On firm ground it walks: the horizontal part of the velocity (perpendicular to `up`)
/// takes it along the ground, up and down steps and slopes, and a downward part is ignored. Elsewhere, and where the
/// velocity points up, it flies: it slides along what it hits, and gravity is up to the caller, as above. Where several
/// surfaces stop it, their planes are solved together. Afterwards the shape itself, without its skin, overlaps nothing,
/// unless `crushed` says so, or it did before and there is no free place near. Equal input gives equal bits,
/// everywhere. Nothing here allocates. docs/guide/mover.md shows it all.
#ifndef CAROM_MOVER_H
#define CAROM_MOVER_H

#include "world.h"

CM_EXTERN_BEGIN

/// What it stands on.
typedef enum cm_mover_footing {
    CM_MOVER_AIR,   /* nothing */
    CM_MOVER_STEEP, /* a slope beyond the limit: it does not hold */
    CM_MOVER_FIRM   /* a slope within the limit, the edge of such a one, or steep ones on several sides that hold it */
} cm_mover_footing;

/// The ground under a mover, as the last step found it. In the air all but `kind` and `velocity` are of the last
/// ground.
typedef struct cm_mover_ground {
    cm_mover_footing kind;
    cm_vec3 normal;   /* unit, out of the ground */
    cm_vec3 point;    /* world: where it stands */
    cm_vec3 velocity; /* with which it carried the mover in the last step: a lift's, a turntable's where it stands */
    uint32_t id;      /* the object; 0 in a space of one shape */
    uint32_t part;    /* triangle or child, CM_NONE for a convex shape */
    cm_pose pose;     /* of the object. Where the next step finds it elsewhere, the mover has ridden along */
} cm_mover_ground;

/// A mover. Zero fields mean the default, but for the shape.
typedef struct cm_mover {
    cm_shape shape;  /* convex and bounded: point to custom in CM_SHAPE_LIST */
    cm_vec3 up;      /* any direction, of any length; 0 = +y */
    cm_real skin;    /* the gap that it keeps; 0 = 1/1024 of its height. Far from the origin it is at least 96
                        CM_REAL_EPSILON of the position, as half of it must be more than what sweeps leave (G in sweep.h).
                        Among meshes that reach much farther than that from their own origin, give it more than 2 G */
    cm_real step_up; /* steps up to this height are climbed, those higher by more than the skin are not; 0 = a fifth of
                        its height, below 0 = none */
    cm_real step_down; /* how far it follows firm ground down in a step; 0 = `step_up`, below 0 = none */
    cm_real slope;     /* the steepest firm ground, radians from the horizontal, to 0.001; 0 = 50 degrees. Up to 1.5 */
    cm_pose pose;      /* where it is; a rotation of all zeros is the identity */
    cm_mover_ground ground;
} cm_mover;

/// One thing that a mover ran into in a step.
typedef struct cm_mover_hit {
    uint32_t id; /* the object; 0 in a space of one shape */
    uint32_t part;
    uint64_t user;
    cm_vec3 point;    /* world: on the object's surface */
    cm_vec3 normal;   /* unit, out of the object, toward the mover */
    cm_real speed;    /* at which the mover ran into it, along the normal; 0 where it was only set down on it */
    bool overlapping; /* the shape already overlapped this object before it moved: seen in `meet` only */
} cm_mover_hit;

/// Where a mover walks, and whom it meets there. Either `world` or `shape` is needed, the rest may be zero.
typedef struct cm_mover_space {
    const cm_world *world;
    const cm_shape *shape; /* where there is no world: the one shape that there is, a mesh or any other … */
    cm_pose pose;          /* … and where it stands; a rotation of all zeros is the identity */
    /* Which objects it sees. `except` is the object that stands for the mover in the world, if there is one. `triggers`
     * and `blocking` are ignored: triggers never stop a mover. `accept` is called before anything is computed. */
    cm_world_query query;
    /* Does it stop the mover? False lets the mover through that object, for the rest of this step. Asked at every hit,
     * and with `overlapping` of what the mover is pushed out of. NULL: yes. May not change the world. A floor that is
     * passed from below: return !hit->overlapping && hit->normal.y > 0.7f && going down; */
    bool (*meet)(void *user, const cm_mover *mover, const cm_mover_hit *hit);
    void *user; /* handed to `meet` */
} cm_mover_space;

/// The most hits that a result holds.
#define CM_MOVER_HITS 8

/// What came of a step.
typedef struct cm_mover_result {
    cm_vec3 velocity; /* what is left of the velocity asked for; like that it is relative to the ground's */
    cm_vec3 moved;    /* how far the mover went in all, what carried or pushed it included */
    bool crushed;     /* the shape overlaps something and finds no room: a platform closed on it */
    bool climbed;     /* it went up a step */
    int hit_count;
    cm_mover_hit hits[CM_MOVER_HITS]; /* the first ones, in order; the ground that it walks on is none */
    int sweeps;                       /* of the shape through the space: the cost */
} cm_mover_result;

/// Is the mover well formed?
/// @param error  the field, may be NULL; untouched when CM_OK.
/// @return CM_OK; what cm_shape_check says; CM_INVALID (NULL; a shape that is no bounded convex one; skin below 0; a
/// slope beyond 0 … 1.5), CM_NOT_FINITE (up, skin, steps, slope, pose, ground).
CM_API cm_status cm_mover_check(const cm_mover *mover, cm_error *error);

/// One step of `dt` seconds. In this order: the ground carries it as that moved and turned since the last step (without
/// passing through anything); objects that moved into it push it out; it moves by `velocity`; it is set on the ground.
/// Objects are where the world has them now: call it after cm_world_update. An object that moves in one step by more
/// than about half the mover's size may end up on the mover's other side.
/// @param velocity  relative to the ground while it stands on firm one. To leave a moving platform with its speed, add
///                  mover->ground.velocity when it jumps.
/// @param out  may be NULL.
/// @return CM_OK; what cm_mover_check says; CM_INVALID (no space, an invalid shape in it, dt not > 0); CM_NOT_FINITE
/// (velocity, a way beyond the valid range, dt): the mover is as it was then. Cost: standing 1 sweep, walking 2, in
/// corners and on steps some 6, never more than 64; and 1 distance query, never more than 25.
CM_API cm_status cm_mover_step(cm_mover *mover, const cm_mover_space *space, cm_vec3 velocity, cm_real dt,
                               cm_mover_result *out);

/// Would it have room there? Does `shape` overlap nothing in the space at `pose`?
/// @param shape  NULL = the mover's.  @param pose  NULL = the mover's.
/// @return false too where it would stand in something that `meet` lets pass; and for invalid input.
CM_API bool cm_mover_fits(const cm_mover *mover, const cm_mover_space *space, const cm_shape *shape,
                          const cm_pose *pose);
/// Crouches or stands up: gives it another shape, with its lowest point along `up` at the same height.
/// @return false, with the mover as it was, where there is no room for it (a ceiling), and for invalid input. The new
/// shape keeps the skin only from the next step on.
CM_API bool cm_mover_set_shape(cm_mover *mover, const cm_mover_space *space, const cm_shape *shape);
/// Puts it elsewhere, sweeping nothing on the way; it stands on nothing until the next step.
/// @return false, with the mover as it was, where there is no room for it, and for invalid input.
CM_API bool cm_mover_teleport(cm_mover *mover, const cm_mover_space *space, const cm_pose *pose);

/// The impulse with which a mover of `mass` pushes a body that it hit, as if the two stuck together for a moment: for
/// cm_dynamics_apply_impulse_at(dynamics, hit->id, impulse, hit->point), which refuses what is no body.
/// @param mass  of the mover, > 0.  @param body_mass  of what it hit, > 0: cm_body_state.
/// @param body_velocity  of the body: what runs away as fast as the mover comes is not pushed.
CM_API void cm_mover_push(const cm_mover_hit *hit, cm_real mass, cm_real body_mass, cm_vec3 body_velocity,
                          cm_vec3 *impulse);

CM_EXTERN_END
#endif
