/* One step: velocities become motions, the world finds the hits and contacts, and each is answered (hit.c, contact.c).
 *
 * Velocities are kept as they are at the end of the step, gravity and forces included (force.c). A body moves by its
 * velocity at the start times t plus half of the acceleration times t squared, on that parabola, so free fall ends
 * where it should and meets what is on its way when it should. What the world holds for the rest of the step (the
 * eighth hit, a limit of a sweep) gets no acceleration for that time, and the next step begins with what it touches
 * (cluster.c). No step gives energy (energy.c). Based on: [Mirtich96 §3]. */
#include "dynamics/answer.h"
#include "dynamics/cluster.h"
#include "dynamics/energy.h"
#include "dynamics/force.h"
#include "world/world.h"

#include <string.h>

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
    b->settled = b->borne = false;
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
        b->held = b->was_held, b->halted = b->was_halted, b->rests = b->rested;
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

/* What it touches has changed how it goes on. */
static void set_motions_borne(cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++) {
        const cm__dynamics_body *b = &d->bodies[i];
        if (!b->id || !b->borne) continue;
        cm_motion motion = {.move = {0, 0, 0}};
        cm__body_go_on(b, d->dt, &motion);
        const cm__point spin = cm__spin_of_step(b->spin, &b->inertia, &b->inverse_inertia, b->rotation, d->dt);
        motion.spin = cm__vec3_of(cm__point_scale(spin, d->dt));
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
        b->was_held = b->held, b->held = b->collided = false;
        b->rested = b->rests, b->rests = false;
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
    set_motions_borne(d);
    const bool to_move = world_is_to_move(d->world);
    cm_world_step step = {cm__dynamics_answer_hit, d};
    d->stepping = true;
    status = cm_world_update(d->world, &step);
    d->stepping = false;
    if (status != CM_OK && (!to_move || world_is_to_move(d->world))) {
        take_back(d);
        return status;
    }
    arrive(d);
    if (status == CM_OK) status = cm__dynamics_answer_contacts(d);
    cm__energy_settle(d);
    return status == CM_OK && d->starved ? CM_NO_MEMORY : status;
}
