/* Boxes of objects, and of their paths through a step.
 *
 * A path's box is that around its two ends, grown by how far a point may leave the straight line between its ends. A
 * turning point, on an arc of angle t and radius r, leaves it by at most r t^2 / 8 (the error of linear interpolation),
 * and never by more than 2 r. A parabola leaves it by an eighth of the acceleration, opposite to it. All boxes are
 * grown by half the margin and by rounding, so that every contact has overlapping boxes. What a spin, an angle or a
 * growth of 0 adds is 0, and at an angle of 4 both bounds are the same. */
#include "world/world.h"
#include "sweep/shapes.h"

/* A half-space's box has no end to either side, along two axes at least. */
static bool box_is_bounded(const cm_aabb *box) { return cm_vec3_is_valid(box->min); }

/* Largest distance of a local box's point from the pivot; infinite where it is unbounded. */
static cm_real box_arm(const cm_aabb *local, cm_vec3 pivot) {
    cm_vec3 lo = cm_vec3_abs(cm_sub(local->min, pivot)), hi = cm_vec3_abs(cm_sub(local->max, pivot));
    return cm_length(cm_vec3_max(lo, hi));
}

cm_aabb cm__world_box_grown(const cm_world *w, uint32_t slot, cm_aabb box, cm_real own) {
    cm_real scale = cm_max(cm_largest(box.min), cm_largest(box.max));
    cm_real grow = (w->desc.margin > 0 ? w->desc.margin / 2 : own) + w->slack[slot];
    if (scale <= CM_COORD_MAX) grow += scale * 4 * CM_REAL_EPSILON;
    return cm_aabb_grow(box, grow);
}

void cm__world_arrive_margin(cm_world *w, uint32_t slot) {
    const cm_real own = cm__world_own_margin(w, slot, &w->motions[slot]);
    const bool more = w->since[slot] > 0; /* not its first motion in the step */
    cm__world_set_margin(w, slot, more ? cm_max(own, w->margins[slot]) : own);
}

static cm_real sum_of_sizes(cm_vec3 v) { return cm_abs(v.x) + cm_abs(v.y) + cm_abs(v.z); }

/* An object's share of the default margin. A sweep leaves a gap of 16 CM_REAL_EPSILON of the same sums for both
 * objects, and in double 1e-10 of the sizes of curved shapes. For a half-space that turns, the reach does not count. */
cm_real cm__world_own_margin(const cm_world *w, uint32_t slot, const cm_motion *motion) {
    const cm_real reach = w->bodies[slot].reach, place = sum_of_sizes(motion->start.position);
    cm_real moved = sum_of_sizes(motion->move) + sum_of_sizes(motion->accelerate);
    if (cm_largest(motion->spin) > 0) {
        const cm_real arm = cm_length(motion->pivot);
        moved += arm + cm_length(motion->spin) * (arm + reach) / 8;
    }
    const cm_real curved = sizeof(cm_real) > sizeof(float) ? CM_REAL(2e-10) * reach : 0;
    return 32 * CM_REAL_EPSILON * (place + reach + 2 * moved) + curved;
}

void cm__world_set_margin(cm_world *w, uint32_t slot, cm_real margin) {
    const double more = (double)margin - (double)w->margins[slot];
    if (w->desc.margin > 0) return;
    if (more > 0) w->odometer[slot] = (w->odometer[slot] + more) * (1 + 8 * DBL_EPSILON);
    w->margins[slot] = margin;
}

void cm__world_shape_box(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm_shape_bounds(shape, pose, out);
    if (out->min.x > out->max.x) out->min = out->max = pose->position;
}

void cm__world_bounds(const cm_world *w, uint32_t slot, const cm_pose *pose, cm_aabb *out) {
    const cm__body *body = &w->bodies[slot];
    if (body->outline)
        cm__outline_box(body->outline, pose, out);
    else
        cm__world_shape_box(&body->shape, pose, out);
}

void cm__world_box(const cm_world *w, uint32_t slot, cm_aabb *out) {
    cm_aabb box;
    cm__world_bounds(w, slot, &w->motions[slot].start, &box);
    *out = cm__world_box_grown(w, slot, box, w->margins[slot]);
}

/* How far a point at the distance `arm` from the pivot may leave the straight line between its ends. */
static cm_real world_path_bulge(cm_real arm, cm_real angle) { return angle < 4 ? arm * angle * angle / 8 : 2 * arm; }

/* Grows a box around both ends to one around the whole path. */
static void world_path_grow(const cm_aabb *local, const cm_motion *motion, cm_aabb *io) {
    cm_aabb box = *io;
    const cm_vec3 bend = cm_scale(motion->accelerate, CM_REAL(0.125)), none = cm_v(0, 0, 0);
    box.min = cm_sub(box.min, cm_vec3_max(bend, none)), box.max = cm_sub(box.max, cm_vec3_min(bend, none));
    if (cm_largest(motion->spin) > 0) {
        cm_real arm = box_arm(local, motion->pivot), angle = cm_length(motion->spin);
        if (!box_is_bounded(local)) {
            box.min = cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX);
            box.max = cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX);
        } else {
            box = cm_aabb_grow(box, world_path_bulge(arm, angle));
        }
    }
    *io = box;
}

void cm__world_path_box(const cm_world *w, uint32_t slot, const cm_motion *motion, cm_aabb *out) {
    cm_aabb box, other;
    cm_pose end;
    cm_motion_at(motion, 1, &end);
    cm__world_bounds(w, slot, &motion->start, &box);
    cm__world_bounds(w, slot, &end, &other);
    box = cm_aabb_union(box, other);
    world_path_grow(&w->bodies[slot].local, motion, &box);
    *out = cm__world_box_grown(w, slot, box, cm_max(w->margins[slot], cm__world_own_margin(w, slot, motion)));
}

void cm__world_shape_path_box(const cm_shape *shape, const cm_motion *motion, cm_aabb *out) {
    cm_pose identity = cm_pose_identity(), end;
    cm_aabb local, box, other;
    cm_motion_at(motion, 1, &end);
    cm_shape_bounds(shape, &identity, &local);
    cm_shape_bounds(shape, &motion->start, &box);
    cm_shape_bounds(shape, &end, &other);
    *out = cm_aabb_union(box, other);
    world_path_grow(&local, motion, out);
}

cm_real cm__world_travel(const cm_world *w, uint32_t slot, const cm_motion *motion) {
    const cm_aabb *local = &w->bodies[slot].local;
    cm_real travel = cm_length(motion->move); /* a parabola is no longer than the mean of the speeds at its ends */
    if (cm_largest(motion->accelerate) > 0) travel += cm_length(cm_add(motion->move, motion->accelerate));
    if (cm_largest(motion->accelerate) > 0) travel /= 2;
    bool is_ball = (w->flags[slot] & CM__BODY_BALL) != 0 && !(cm_largest(motion->pivot) > 0);
    if (cm_largest(motion->spin) > 0 && !is_ball && box_is_bounded(local))
        travel += cm_length(motion->spin) * box_arm(local, motion->pivot);
    return travel;
}

bool cm__world_is_fast(const cm_world *w, uint32_t slot, const cm_motion *motion) {
    const cm__body *body = &w->bodies[slot];
    if (body->mode == CM_WORLD_SWEEP_NEVER || !cm__world_moves(motion)) return false;
    if (body->mode == CM_WORLD_SWEEP_ALWAYS) return true;
    return cm__world_travel(w, slot, motion) > body->extent / 4;
}

/* How far the other object of a pair may move in a step, relative to this one, without a sweep: a quarter of the
 * thickness of a swept object; 0 where no thickness is known. Negative: the pair is always swept. */
static cm_real box_leeway(const cm_world *w, uint32_t slot) {
    if (!(w->flags[slot] & CM__BODY_SWEPT)) return CM_REAL_MAX;
    const bool always = w->bodies[slot].mode == CM_WORLD_SWEEP_ALWAYS || w->flags[slot] & CM__BODY_PUSHED;
    return always ? -1 : w->bodies[slot].extent / 4;
}

/* Speeds are those of a whole step, however short its remaining part is, and the greatest from u on. So a pair that is
 * skipped in several parts of a step moves no farther in all of them together. */
bool cm__world_pair_is_fast(const cm_world *w, uint32_t s, uint32_t t, cm_real u) {
    if (!((w->flags[s] | w->flags[t]) & CM__BODY_SWEPT)) return false;
    const cm_real most = cm_min(box_leeway(w, s), box_leeway(w, t));
    cm_vec3 first[2], last[2];
    cm_real turn = 0;
    for (int i = 0; i < 2; i++) {
        const uint32_t slot = i ? t : s;
        const cm_motion *m = &w->motions[slot];
        const cm_real since = w->since[slot], whole = 1 - since;
        if (!(whole > 0)) return true;
        const cm_vec3 bend = cm_scale(m->accelerate, 1 / whole);
        first[i] = cm_scale(cm_mul_add(m->move, cm_max(u - since, 0), bend), 1 / whole);
        last[i] = cm_scale(cm_add(m->move, m->accelerate), 1 / whole);
        const cm_motion spin = {.spin = cm_scale(m->spin, 1 / whole), .pivot = m->pivot};
        turn += cm__world_travel(w, slot, &spin);
    }
    const cm_real speed = cm_max(cm_length(cm_sub(first[0], first[1])), cm_length(cm_sub(last[0], last[1])));
    return !(speed + turn <= most);
}

bool cm__world_box_is_valid(const cm_aabb *box) {
    const cm_real most = CM_COORD_MAX;
    return box->min.x <= most && box->min.y <= most && box->min.z <= most && box->max.x >= -most &&
           box->max.y >= -most && box->max.z >= -most;
}

/* Is the object in the valid range at all times of its motion, not only at its end? A body that turns about a far pivot
 * goes around it, and a parabola has an apex. */
static bool world_path_is_valid(const cm_motion *motion, const cm_pose *end, const cm_aabb *local) {
    const cm_real angle = cm_length(motion->spin);
    cm_real out = cm_largest(motion->accelerate) / 8;
    if (angle > 0) {
        const cm_real arm = box_arm(local, cm_v(0, 0, 0));
        out += world_path_bulge(cm_length(motion->pivot), angle);
        if (arm <= 4 * CM_COORD_MAX) out += arm; /* except for a half-space, which is unbounded */
    }
    cm_real far = cm_max(cm_largest(motion->start.position), cm_largest(end->position));
    return out <= 4 * CM_REAL_EPSILON * far || far + out <= CM_COORD_MAX;
}

bool cm__world_motion_ends(const cm_world *w, uint32_t slot, const cm_motion *motion) {
    if (!cm__motion_is_finite(motion)) return false;
    cm_pose end;
    cm_aabb box;
    cm_motion_at(motion, 1, &end);
    if (!cm_pose_is_valid(&end) || !world_path_is_valid(motion, &end, &w->bodies[slot].local)) return false;
    const cm_aabb *local = &w->bodies[slot].local;
    if (cm_largest(end.position) + cm_largest(local->min) + cm_largest(local->max) <= CM_COORD_MAX / 4) return true;
    cm__world_bounds(w, slot, &end, &box);
    return cm__world_box_is_valid(&box);
}
