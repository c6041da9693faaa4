/* A step of a mover: the ground carries it, it is pushed out of what is too near, it moves, and it is set on the
 * ground. Its skin and the two sizes of its shape: mover.h of this folder.
 *
 * Based on: [Fauerby03] for sliding along planes. */
#include "mover/mover.h"
#include "base/error.h"
#include "math/trig.h"
#include "shape/shape.h"

/* --- what it is ------------------------------------------------------------------------------------------------ */

static cm_vec3 up_of(const cm_mover *mover) { return cm_normalize(mover->up, cm_v(0, 1, 0)); }

static cm_pose pose_of(const cm_mover *mover) {
    cm_pose pose = mover->pose;
    cm_quat q = pose.rotation;
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) pose.rotation = cm_quat_identity();
    return pose;
}

/* The height of the shape's lowest point, measured along `up` from the pose's position. */
static cm_real lowest_of(const cm_shape *shape, const cm_pose *pose, cm_vec3 up) {
    const cm_shape below = cm_make_halfspace(up, 0);
    const cm_pose here = cm_pose_at(cm_v(0, 0, 0)), turned = {cm_v(0, 0, 0), pose->rotation};
    return cm_distance(shape, &turned, &below, &here, CM_REAL_MAX, NULL);
}

cm_status cm_mover_check(const cm_mover *mover, cm_error *error) {
    if (!mover) return cm__refuse(error, CM_INVALID, "mover", CM_NONE);
    cm_status status = cm_shape_check(&mover->shape, error);
    if (status != CM_OK) return status;
    if (!cm__ops(mover->shape.kind)->core) return cm__refuse(error, CM_INVALID, "shape", CM_NONE);
    if (!cm_vec3_is_valid(mover->up)) return cm__refuse(error, CM_NOT_FINITE, "up", CM_NONE);
    if (!cm_is_coord(mover->skin)) return cm__refuse(error, CM_NOT_FINITE, "skin", CM_NONE);
    if (!cm_is_coord(mover->step_up)) return cm__refuse(error, CM_NOT_FINITE, "step_up", CM_NONE);
    if (!cm_is_coord(mover->step_down)) return cm__refuse(error, CM_NOT_FINITE, "step_down", CM_NONE);
    if (!cm_is_coord(mover->slope)) return cm__refuse(error, CM_NOT_FINITE, "slope", CM_NONE);
    if (!(mover->skin >= 0)) return cm__refuse(error, CM_INVALID, "skin", CM_NONE);
    if (!(mover->slope >= 0 && mover->slope <= CM_REAL(1.5))) return cm__refuse(error, CM_INVALID, "slope", CM_NONE);
    cm_pose pose = pose_of(mover);
    if (!cm_pose_is_valid(&pose)) return cm__refuse(error, CM_NOT_FINITE, "pose", CM_NONE);
    const cm_mover_ground *ground = &mover->ground;
    if (ground->kind != CM_MOVER_AIR &&
        !(cm_vec3_is_valid(ground->normal) && cm_vec3_is_valid(ground->point) && cm_pose_is_valid(&ground->pose)))
        return cm__refuse(error, CM_NOT_FINITE, "ground", CM_NONE);
    return CM_OK;
}

static bool space_is_valid(const cm_mover_space *space) {
    if (!space) return false;
    if (space->world) return true;
    if (!space->shape || cm_shape_check(space->shape, NULL) != CM_OK) return false;
    const cm_pose pose = cm__mover_space_pose(space);
    return cm_pose_is_valid(&pose);
}

static void run_start(cm__mover_run *run, const cm_mover *mover, const cm_mover_space *space) {
    *run = (cm__mover_run){.mover = mover, .space = space, .skipped = CM_NONE};
    run->up = up_of(mover);
    run->pose = pose_of(mover);
    run->foot = lowest_of(&mover->shape, &run->pose, run->up);
    cm_real height = -lowest_of(&mover->shape, &run->pose, cm_neg(run->up)) - run->foot;
    cm_vec3 at = run->pose.position;
    /* A sweep may stop short, or sink in, by 16 epsilon of the distance between the origins plus the extent of the
     * shapes (G in sweep.h). Half a skin is more than that, as long as no object extends much farther from its own
     * origin than the mover is from the world's. */
    cm_real far = cm_abs(at.x) + cm_abs(at.y) + cm_abs(at.z) + height + cm_abs(run->foot);
    run->skin = cm_max(mover->skin > 0 ? mover->skin : height / 1024, 96 * CM_REAL_EPSILON * far);
    run->step_up = mover->step_up > 0 ? mover->step_up : mover->step_up < 0 ? 0 : height / 5;
    run->step_down = mover->step_down > 0 ? mover->step_down : mover->step_down < 0 ? 0 : run->step_up;
    double sine, cosine;
    cm__sine_cosine(mover->slope > 0 ? (double)mover->slope + 5e-4 : 0.872664626 + 5e-4, &sine, &cosine);
    run->firm = (cm_real)cosine;
    run->bare = run->wide = mover->shape;
    run->stand_off = run->skin / 2;
    run->wide.radius += run->stand_off;
}

/* --- carried --------------------------------------------------------------------------------------------------- */

static bool same_pose(const cm_pose *a, const cm_pose *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

/* The part of a rotation that is about `axis`. */
static cm_quat twist_about(cm_quat turn, cm_vec3 axis) {
    cm_real along = turn.x * axis.x + turn.y * axis.y + turn.z * axis.z;
    cm_quat twist = {axis.x * along, axis.y * along, axis.z * along, turn.w};
    cm_real square = along * along + turn.w * turn.w;
    return square > CM_REAL(1e-12) ? cm_quat_normalize(twist) : cm_quat_identity();
}

/* Moves and turns the mover with the ground, as that moved and turned since the last step. */
static void ride(cm__mover_run *run, cm_mover_ground *ground) {
    cm_pose now;
    ground->velocity = cm_v(0, 0, 0);
    if (ground->kind != CM_MOVER_FIRM) return;
    if (!cm__mover_object_pose(run->space, ground->id, &now)) {
        ground->kind = CM_MOVER_AIR;
        return;
    }
    if (same_pose(&now, &ground->pose)) return;
    cm_quat turn = cm_quat_normalize(cm_quat_mul(now.rotation, cm_quat_conjugate(ground->pose.rotation)));
    cm_vec3 target = cm_pose_apply(&now, cm_pose_unapply(&ground->pose, run->pose.position));
    ground->velocity = cm_scale(cm_sub(target, run->pose.position), 1 / run->dt);
    ground->point = cm_pose_apply(&now, cm_pose_unapply(&ground->pose, ground->point));
    ground->normal = cm_rotate(turn, ground->normal);
    ground->pose = now;
    run->pose.rotation = cm_quat_normalize(cm_quat_mul(twist_about(turn, run->up), run->pose.rotation));
    cm__mover_met met = {.planes.count = 0};
    run->skipped = ground->id;
    cm__mover_slide(run, cm_sub(target, run->pose.position), NULL, &met, false);
    run->skipped = CM_NONE;
}

/* --- the step -------------------------------------------------------------------------------------------------- */

/* Moves by the velocity through the air, and lands where there is ground within two skins below. */
static void fly(cm__mover_run *run, bool rising, cm_mover_ground *ground) {
    cm__mover_met met = {.planes.count = 0};
    if (cm_largest(run->velocity) > 0) cm__mover_slide(run, cm_scale(run->velocity, run->dt), NULL, &met, true);
    run->result.velocity = cm__mover_free(run, &met, run->velocity);
    ground->kind = CM_MOVER_AIR;
    if (!rising) cm__mover_set_down(run, 2 * run->skin, false, ground);
    cm_real falling = cm_dot(run->result.velocity, run->up);
    if (ground->kind == CM_MOVER_FIRM && falling < 0)
        run->result.velocity = cm_mul_add(run->result.velocity, -falling, run->up);
}

cm_status cm_mover_step(cm_mover *mover, const cm_mover_space *space, cm_vec3 velocity, cm_real dt,
                        cm_mover_result *out) {
    cm_status status = cm_mover_check(mover, NULL);
    if (status != CM_OK) return status;
    if (!space_is_valid(space)) return CM_INVALID;
    if (!cm_vec3_is_valid(velocity) || !cm_is_coord(dt) || !cm_vec3_is_valid(cm_scale(velocity, dt)))
        return CM_NOT_FINITE;
    if (!(dt > 0)) return CM_INVALID;

    cm__mover_run run;
    run_start(&run, mover, space);
    run.velocity = velocity;
    run.dt = dt;
    cm_mover_ground ground = mover->ground;
    cm_vec3 before = run.pose.position;
    ride(&run, &ground);
    run.result.crushed = !cm__mover_recover(&run);
    cm_real climb = cm_dot(velocity, run.up);
    bool rising = climb > cm_length(velocity) / 256;
    if (ground.kind == CM_MOVER_FIRM && !rising) {
        const cm_mover_ground carried = ground;
        cm_vec3 level = cm_mul_add(velocity, -climb, run.up);
        run.velocity = level;
        cm__mover_walk(&run, cm_scale(level, dt), &ground);
        if (ground.id == carried.id && ground.kind == CM_MOVER_FIRM) ground.velocity = carried.velocity;
    } else
        fly(&run, rising, &ground);

    /* by what extends far, a sweep may sink in by its gap, which there may be as much as the skin */
    cm__mover_contact at;
    if (!run.result.crushed && !(cm__mover_nearest(&run, &at) > 0)) run.pose = run.free;
    run.result.moved = cm_sub(run.pose.position, before);
    if (!cm_pose_is_valid(&run.pose)) return CM_NOT_FINITE;
    mover->pose = run.pose;
    mover->ground = ground;
    if (out) *out = run.result;
    return CM_OK;
}

/* --- room ------------------------------------------------------------------------------------------------------ */

bool cm_mover_fits(const cm_mover *mover, const cm_mover_space *space, const cm_shape *shape, const cm_pose *pose) {
    if (cm_mover_check(mover, NULL) != CM_OK || !space_is_valid(space)) return false;
    cm_mover there = *mover;
    if (shape) there.shape = *shape;
    if (pose) there.pose = *pose;
    if (cm_mover_check(&there, NULL) != CM_OK) return false;
    const cm_pose at = pose_of(&there);
    if (space->world) {
        cm_world_query query = space->query;
        query.triggers = false;
        return cm_world_overlap(space->world, &there.shape, &at, &query, NULL, 0) == 0;
    }
    const cm_pose stands = cm__mover_space_pose(space);
    return !cm_overlap(&there.shape, &at, space->shape, &stands);
}

bool cm_mover_set_shape(cm_mover *mover, const cm_mover_space *space, const cm_shape *shape) {
    if (cm_mover_check(mover, NULL) != CM_OK || !shape) return false;
    cm_mover next = *mover;
    next.shape = *shape;
    if (cm_mover_check(&next, NULL) != CM_OK) return false;
    cm_vec3 up = up_of(mover);
    cm_pose pose = pose_of(mover);
    cm_real lift = lowest_of(&mover->shape, &pose, up) - lowest_of(shape, &pose, up);
    pose.position = cm_mul_add(pose.position, lift, up);
    next.pose = pose;
    if (!cm_mover_fits(&next, space, NULL, NULL)) return false;
    *mover = next;
    return true;
}

bool cm_mover_teleport(cm_mover *mover, const cm_mover_space *space, const cm_pose *pose) {
    if (!pose || !cm_mover_fits(mover, space, NULL, pose)) return false;
    mover->pose = *pose;
    mover->ground = (cm_mover_ground){.kind = CM_MOVER_AIR};
    return true;
}

void cm_mover_push(const cm_mover_hit *hit, cm_real mass, cm_real body_mass, cm_vec3 body_velocity, cm_vec3 *impulse) {
    /* the normal points to the mover, so a body that runs away has a negative speed along it */
    cm_real approach = hit->speed + cm_dot(body_velocity, hit->normal);
    cm_real size = approach > 0 && mass > 0 && body_mass > 0 ? approach * mass * body_mass / (mass + body_mass) : 0;
    *impulse = cm_scale(hit->normal, -size);
}
