/* Forces, torques, impulses and damping: what is gathered for a step, and how it acts within it.
 *
 * Gravity and force are a constant acceleration a through the step, so that ends of straight ways are exact. Damping c
 * is an acceleration too: (a - c v) / (1 + c dt) takes v to (v + a dt) / (1 + c dt), which is stable for any c dt and
 * has the terminal velocity a / c of the law itself. Where a hit changes v it is found anew for what is left of the
 * step, so that it never drives a body. Turning likewise, about the center: the angular momentum L goes to
 * (L + T dt) / (1 + c dt), half of the change before the step's turn and half after it, which makes the angle of a turn
 * about one axis exact; a hit within the step sees the first half. */
#include "dynamics/force.h"
#include "dynamics/energy.h"

cm__point cm__body_push(const cm_dynamics *d, const cm__dynamics_body *b) {
    if (!b || b->driven || b->halted || !(b->mass > 0)) return cm__p(0, 0, 0);
    cm__point gravity = cm__point_scale(d->gravity, b->weightless ? 0 : b->gravity_scale);
    return cm__point_mul_add(gravity, 1 / b->mass, b->acting_force);
}

void cm__body_find_pull(const cm_dynamics *d, cm__dynamics_body *b, cm__point velocity, double seconds) {
    b->pull = cm__body_push(d, b);
    if (!(b->damping > 0) || b->driven || b->halted) return;
    cm__point slowed = cm__point_mul_add(b->pull, -b->damping, velocity);
    b->pull = cm__point_scale(slowed, 1 / (1 + b->damping * seconds));
}

void cm__body_find_twist(const cm_dynamics *d, cm__dynamics_body *b) {
    b->twist = b->driven || b->halted ? cm__p(0, 0, 0) : b->acting_torque;
    if (!(b->spin_damping > 0) || b->driven || b->halted) return;
    cm__tensor inertia = cm__tensor_rotated(&b->inertia, b->rotation);
    cm__point slowed = cm__point_mul_add(b->twist, -b->spin_damping, cm__tensor_mul(&inertia, b->spin));
    b->twist = cm__point_scale(slowed, 1 / (1 + b->spin_damping * d->dt));
}

cm__point cm__body_spin_on(const cm_dynamics *d, const cm__dynamics_body *b) {
    if (b->halted || !(cm__point_largest(b->twist) > 0)) return b->spin;
    cm__tensor inverse = cm__tensor_rotated(&b->inverse_inertia, b->rotation);
    return cm__point_mul_add(b->spin, d->dt / 2, cm__tensor_mul(&inverse, b->twist));
}

/* --- what callers give -------------------------------------------------------------------------------------------- */

static bool force_is_finite(cm__point p) {
    return fabs(p.x) <= DBL_MAX && fabs(p.y) <= DBL_MAX && fabs(p.z) <= DBL_MAX;
}
static bool velocity_is_valid(cm__point p) { return cm_vec3_is_valid(cm__vec3_of(p)); }

/* The body, where it may be pushed. */
static cm_status find_pushed(const cm_dynamics *d, uint32_t id, cm__dynamics_body **out) {
    *out = d ? cm__body_of(d, id) : NULL;
    if (!d) return CM_INVALID;
    if (!*out || cm_world_get_pose(d->world, id, &(cm_pose){{0, 0, 0}, {0, 0, 0, 0}}) != CM_OK) return CM_STALE_ID;
    return (*out)->driven ? CM_INVALID : CM_OK;
}

/* From the center of mass to a point of the world. */
static cm__point arm_to(const cm_dynamics *d, const cm__dynamics_body *b, cm_vec3 point) {
    cm_pose pose = cm_pose_identity();
    cm_world_get_pose(d->world, b->id, &pose);
    return cm__point_sub(cm__point_of(point), cm__point_of(cm_pose_apply(&pose, b->center)));
}

static cm_status gather(cm__dynamics_body *b, cm__point force, cm__point torque) {
    force = cm__point_add(b->force, force), torque = cm__point_add(b->torque, torque);
    if (!force_is_finite(force) || !force_is_finite(torque)) return CM_NOT_FINITE;
    b->force = force, b->torque = torque;
    return CM_OK;
}

/* The spin is that of `rotation` within a step, where it is turned on with the momentum kept, and else of the pose. */
static cm_status change(const cm_dynamics *d, cm__dynamics_body *b, cm__point impulse, cm__point angular) {
    cm_pose pose = cm_pose_identity();
    cm_world_get_pose(d->world, b->id, &pose);
    cm__tensor inverse = cm__tensor_rotated(&b->inverse_inertia, d->stepping ? b->rotation : pose.rotation);
    cm__point velocity = cm__point_mul_add(b->velocity, 1 / b->mass, impulse);
    cm__point spin = cm__point_add(b->spin, cm__tensor_mul(&inverse, angular));
    if (!velocity_is_valid(velocity) || !velocity_is_valid(spin)) return CM_NOT_FINITE;
    if (d->stepping) cm__energy_gain(b, cm__body_energy(b, velocity, spin) - cm__body_energy(b, b->velocity, b->spin));
    b->velocity = velocity, b->spin = spin;
    b->halted = false;
    return CM_OK;
}

cm_status cm_dynamics_apply_force(cm_dynamics *d, uint32_t id, cm_vec3 force) {
    cm__dynamics_body *b;
    cm_status status = find_pushed(d, id, &b);
    return status == CM_OK ? gather(b, cm__point_of(force), cm__p(0, 0, 0)) : status;
}

cm_status cm_dynamics_apply_force_at(cm_dynamics *d, uint32_t id, cm_vec3 force, cm_vec3 point) {
    cm__dynamics_body *b;
    cm_status status = find_pushed(d, id, &b);
    if (status != CM_OK) return status;
    return gather(b, cm__point_of(force), cm__point_cross(arm_to(d, b, point), cm__point_of(force)));
}

cm_status cm_dynamics_apply_torque(cm_dynamics *d, uint32_t id, cm_vec3 torque) {
    cm__dynamics_body *b;
    cm_status status = find_pushed(d, id, &b);
    return status == CM_OK ? gather(b, cm__p(0, 0, 0), cm__point_of(torque)) : status;
}

cm_status cm_dynamics_apply_impulse(cm_dynamics *d, uint32_t id, cm_vec3 impulse) {
    cm__dynamics_body *b;
    cm_status status = find_pushed(d, id, &b);
    return status == CM_OK ? change(d, b, cm__point_of(impulse), cm__p(0, 0, 0)) : status;
}

cm_status cm_dynamics_apply_impulse_at(cm_dynamics *d, uint32_t id, cm_vec3 impulse, cm_vec3 point) {
    cm__dynamics_body *b;
    cm_status status = find_pushed(d, id, &b);
    if (status != CM_OK) return status;
    return change(d, b, cm__point_of(impulse), cm__point_cross(arm_to(d, b, point), cm__point_of(impulse)));
}

cm_status cm_dynamics_apply_angular_impulse(cm_dynamics *d, uint32_t id, cm_vec3 impulse) {
    cm__dynamics_body *b;
    cm_status status = find_pushed(d, id, &b);
    return status == CM_OK ? change(d, b, cm__p(0, 0, 0), cm__point_of(impulse)) : status;
}
