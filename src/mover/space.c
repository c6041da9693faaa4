/* The space of a mover: a world, or one shape. Sweeps, the nearest object, and the ray that finds the ground beside an
 * edge. Where the caller's `meet` lets the mover through an object, the question is asked again without that object. */
#include "mover/mover.h"

cm_pose cm__mover_space_pose(const cm_mover_space *space) {
    cm_pose pose = space->pose;
    cm_quat q = pose.rotation;
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) pose.rotation = cm_quat_identity();
    return pose;
}

static bool is_passed(const cm__mover_run *run, uint32_t id) {
    if (id == run->skipped) return true;
    for (int i = 0; i < run->passed_count; i++)
        if (run->passed[i] == id) return true;
    return false;
}

static bool accept_object(void *user, const cm_world *world, uint32_t id) {
    const cm__mover_run *run = user;
    const cm_world_query *query = &run->space->query;
    return !is_passed(run, id) && (!query->accept || query->accept(query->user, world, id));
}

static cm_world_query query_of(cm__mover_run *run) {
    cm_world_query query = {.mask = run->space->query.mask, .except = run->space->query.except, .blocking = true};
    query.accept = accept_object;
    query.user = run;
    return query;
}

/* Does the caller let the mover through? Not once CM__MOVER_PASSED objects were let through in this step. */
static bool lets_pass(cm__mover_run *run, const cm__mover_contact *at, bool overlapping) {
    const cm_mover_space *space = run->space;
    if (!space->meet || run->passed_count == CM__MOVER_PASSED) return false;
    cm_mover_hit hit = {.id = at->id, .part = at->part, .user = at->user, .point = at->point, .normal = at->normal};
    hit.speed = cm_max(0, -cm_dot(run->velocity, at->normal));
    hit.overlapping = overlapping;
    cm_mover here = *run->mover;
    here.pose = run->pose;
    if (space->meet(space->user, &here, &hit)) return false;
    run->passed[run->passed_count++] = at->id;
    return true;
}

static bool sweep_once(const cm__mover_run *run, const cm_shape *shape, const cm_motion *motion,
                       const cm_world_query *query, cm_world_sweep_hit *out) {
    if (run->space->world) return cm_world_sweep(run->space->world, shape, motion, query, out);
    cm_motion still = {.start = cm__mover_space_pose(run->space)};
    if (is_passed(run, 0) || !cm_sweep(shape, motion, run->space->shape, &still, &out->hit)) return false;
    out->id = 0;
    out->user = 0;
    return out->hit.blocking;
}

bool cm__mover_sweep(cm__mover_run *run, const cm_shape *shape, cm_vec3 way, cm__mover_contact *out) {
    const cm_motion motion = {.start = run->pose, .move = way};
    const cm_world_query query = query_of(run);
    for (int i = 0; i <= CM__MOVER_PASSED; i++) {
        cm_world_sweep_hit hit;
        run->result.sweeps++;
        if (!sweep_once(run, shape, &motion, &query, &hit)) return false;
        *out =
            (cm__mover_contact){hit.hit.first, hit.hit.point, cm_neg(hit.hit.normal), hit.id, hit.hit.part_b, hit.user};
        if (!lets_pass(run, out, false)) return true;
    }
    return false;
}

static cm_real nearest_once(const cm__mover_run *run, const cm_world_query *query, cm_world_near *out) {
    const cm_mover_space *space = run->space;
    if (space->world) return cm_world_distance(space->world, &run->bare, &run->pose, run->skin, query, out);
    const cm_pose pose = cm__mover_space_pose(space);
    out->id = 0;
    out->user = 0;
    if (is_passed(run, 0)) return CM_REAL_MAX;
    return cm_distance(&run->bare, &run->pose, space->shape, &pose, run->skin, &out->witness);
}

cm_real cm__mover_nearest(cm__mover_run *run, cm__mover_contact *out) {
    const cm_world_query query = query_of(run);
    for (int i = 0; i <= CM__MOVER_PASSED; i++) {
        cm_world_near near;
        cm_real distance = nearest_once(run, &query, &near);
        if (!(distance < CM_REAL_MAX)) return CM_REAL_MAX;
        *out = (cm__mover_contact){0,       near.witness.point_b, cm_neg(near.witness.normal),
                                   near.id, near.witness.part_b,  near.user};
        if (!lets_pass(run, out, distance <= 0)) return distance;
    }
    return CM_REAL_MAX;
}

bool cm__mover_object_pose(const cm_mover_space *space, uint32_t id, cm_pose *out) {
    if (space->world) return cm_world_get_pose(space->world, id, out) == CM_OK;
    *out = cm__mover_space_pose(space);
    return id == 0;
}

bool cm__mover_on_edge(cm__mover_run *run, const cm__mover_contact *at) {
    cm_real height = cm_dot(cm_sub(at->point, run->pose.position), run->up) - run->foot;
    if (!(height <= run->step_up + run->skin)) return false;
    cm_vec3 across = cm_mul_add(at->normal, -cm_dot(at->normal, run->up), run->up);
    across = cm_normalize(across, run->up);
    /* a ray down, from beside the point on the object's side of the edge */
    cm_vec3 origin = cm_mul_add(cm_mul_add(at->point, -2 * run->skin, across), 4 * run->skin, run->up);
    cm_ray ray = {.origin = origin, .direction = cm_neg(run->up), .max = 8 * run->skin};
    if (run->space->world) {
        const cm_world_query query = query_of(run);
        cm_world_ray_hit hit;
        return cm_world_raycast(run->space->world, &ray, &query, &hit) && cm_dot(hit.hit.normal, run->up) >= run->firm;
    }
    const cm_pose pose = cm__mover_space_pose(run->space);
    cm_ray_hit hit;
    return cm_raycast(&ray, run->space->shape, &pose, &hit) && cm_dot(hit.normal, run->up) >= run->firm;
}
