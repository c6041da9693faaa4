/* Objects: added, removed, changed. Between updates the broad phase is changed at once, so that queries see what is
 * there; within a callback of a step it is left alone, and changed at the step's end. */
#include "world/world.h"
#include "base/error.h"
#include "math/round.h"
#include "shape/shape.h"

#include <string.h>

/* The bytes of the union that a kind uses. */
static size_t world_shape_bytes(cm_kind kind) {
    static const uint16_t sizes[CM_SHAPE_KINDS] = {
#define WORLD_SHAPE_SIZE(NAME, name) sizeof(((cm_shape *)0)->u.name),
        CM_SHAPE_LIST(WORLD_SHAPE_SIZE)
#undef WORLD_SHAPE_SIZE
    };
    return sizes[kind];
}

void cm__world_clean_shape(const cm_shape *shape, cm_shape *out) {
    memset(out, 0, sizeof *out);
    out->kind = shape->kind;
    out->radius = shape->radius;
    memcpy(&out->u, &shape->u, world_shape_bytes(shape->kind));
}

/* The thickness of a shape: at most the diameter of a ball that fits in every convex part of it. An object that moves
 * less than a quarter of that in a step cannot pass through without overlapping at the end of some step. The ball is
 * the one inside the core, around its center. Surfaces have no inside; of solid meshes the thickness of a convex one is
 * known, that of its hull; of a caller's shape only its radius. */
static cm_real part_thickness(const cm_shape *shape) {
    const cm_hull *hull = shape_mesh_hull(shape);
    const cm_shape convex = hull ? cm_make_hull(hull) : *shape;
    const cm__shape_ops *ops = cm__ops(convex.kind);
    if (!ops->core) return 0;
    cm__core core;
    ops->core(&convex, &core);
    return 2 * wide_down(wide_max(core.ops->inner ? core.ops->inner(&core) : 0, 0) + core.radius);
}

static cm_real thickness_of(const cm_shape *shape, const cm_aabb *box) {
    if (cm__ops(shape->kind)->shape_class == CM__HALFSPACE) {
        const cm_vec3 size = cm_sub(box->max, box->min);
        return cm_min(size.x, cm_min(size.y, size.z));
    }
    const cm__parts_ops *parts = cm__ops(shape->kind)->parts;
    if (!parts || !parts->children) return part_thickness(shape);
    const cm_aabb everywhere = {cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX),
                                cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX)};
    cm__parts all;
    cm__part part;
    cm_real least = CM_REAL_MAX;
    parts->start(&all, shape, &everywhere);
    while (parts->next(&all, CM_REAL_MAX, &part)) least = cm_min(least, part_thickness(&part.shape));
    return least;
}

void cm__world_set_body_shape(cm_world *w, uint32_t slot, const cm_shape *shape) {
    cm__body *body = &w->bodies[slot];
    cm_shape clean; /* `shape` may be the body's own */
    cm__world_clean_shape(shape, &clean);
    body->shape = clean;
    cm_pose identity = cm_pose_identity();
    cm__world_shape_box(&body->shape, &identity, &body->local);
    cm_vec3 size = cm_sub(body->local.max, body->local.min);
    body->extent = thickness_of(&body->shape, &body->local);
    const bool endless = cm_largest(size) > 4 * CM_COORD_MAX;
    const cm_vec3 far = cm_vec3_max(cm_vec3_abs(body->local.min), cm_vec3_abs(body->local.max));
    body->reach = endless ? cm_abs(shape->u.halfspace.d) + shape->radius : cm_length(far);
    bool is_ball = shape_is_ball(shape) && !(cm_largest(shape->u.point) > 0);
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_BALL) | (is_ball ? CM__BODY_BALL : 0));
}

/* A zero rotation is the identity. */
static cm_status world_pose_check(const cm_shape *shape, const cm__outline *outline, const cm_pose *pose, cm_pose *out,
                                  cm_aabb *box, cm_error *error) {
    cm_quat q = pose->rotation;
    *out = *pose;
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) out->rotation = cm_quat_identity();
    if (!cm_vec3_is_valid(pose->position)) return cm__refuse(error, CM_NOT_FINITE, "pose", CM_NONE);
    if (!cm_pose_is_valid(out)) {
        bool finite = cm_is_coord(q.x) && cm_is_coord(q.y) && cm_is_coord(q.z) && cm_is_coord(q.w);
        return cm__refuse(error, finite ? CM_INVALID : CM_NOT_FINITE, "pose", CM_NONE);
    }
    if (outline)
        cm__outline_box(outline, out, box);
    else
        cm__world_shape_box(shape, out, box);
    return cm__world_box_is_valid(box) ? CM_OK : cm__refuse(error, CM_NOT_FINITE, "pose", CM_NONE);
}

/* --- add, remove --------------------------------------------------------------------------------------------- */

cm_status cm__world_enter(cm_world *w, uint32_t slot) {
    cm__body *body = &w->bodies[slot];
    cm_broad_object_desc object;
    memset(&object, 0, sizeof object);
    uint32_t layer, mask;
    cm__world_broad_filter(body, &layer, &mask);
    object.layer = 1, object.mask = UINT32_MAX; /* set below, where 0 means no bit */
    object.user = slot;
    object.fixed = (w->flags[slot] & CM__BODY_FIXED) != 0;
    cm__world_box(w, slot, &object.box);
    cm_status status = cm_broad_add(w->broad, &object, &body->broad);
    if (status != CM_OK) {
        body->broad = 0;
        return status;
    }
    cm_broad_set_filter(w->broad, body->broad, layer, mask);
    return CM_OK;
}

cm_status cm_world_add(cm_world *w, const cm_world_object_desc *object, uint32_t *id, cm_error *error) {
    if (!w || !object || !id || w->busy == CM__WORLD_ASKING) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    cm_pose pose;
    cm_aabb box;
    cm_status status = cm_shape_check(&object->shape, error);
    if (status != CM_OK) return status;
    if ((size_t)object->sweep > CM_WORLD_SWEEP_NEVER) return cm__refuse(error, CM_INVALID, "sweep", CM_NONE);
    status = world_pose_check(&object->shape, NULL, &object->pose, &pose, &box, error);
    if (status != CM_OK) return status;
    if (w->live_count >= w->desc.limit || (!w->free_count && w->slot_count >= CM__WORLD_SLOT_LIMIT))
        return cm__refuse(error, CM_LIMIT, NULL, CM_NONE);
    if (!cm__world_reserve(w, (size_t)w->slot_count + (w->free_count == 0)))
        return cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    uint32_t slot = w->free_count ? w->free_slots[w->free_count - 1] : w->slot_count;
    if (!w->free_count) w->ids[slot] = slot;
    cm__body *body = &w->bodies[slot];
    memset(body, 0, sizeof *body);
    memset(&w->motions[slot], 0, sizeof w->motions[slot]);
    w->motions[slot].start = pose;
    w->tested[slot] = pose, w->odometer[slot] = 0;
    w->slack[slot] = w->margins[slot] = w->since[slot] = 0;
    memset(&w->trips[slot], 0, sizeof w->trips[slot]);
    w->versions[slot] = 0;
    w->hits[slot] = 0;
    w->flags[slot] = (uint16_t)(CM__BODY_CHANGED | (object->fixed ? CM__BODY_FIXED : 0) |
                                (object->trigger ? CM__BODY_TRIGGER : 0) | (object->group ? CM__BODY_GROUPED : 0));
    cm__world_set_body_shape(w, slot, &object->shape);
    cm__world_set_margin(w, slot, cm__world_own_margin(w, slot, &w->motions[slot]));
    body->user = object->user;
    body->layer = object->layer || object->exact ? object->layer : 1;
    body->mask = object->mask || object->exact ? object->mask : UINT32_MAX;
    body->group = object->group;
    body->mode = object->sweep;
    if (!object->fixed) cm__world_outline(w, slot, true);
    if (w->busy) {
        w->flags[slot] |= CM__BODY_FRESH;
        w->late = true;
    } else {
        status = cm__world_enter(w, slot);
        if (status != CM_OK) {
            cm__world_forget_outline(w, slot);
            w->flags[slot] = 0;
            return cm__refuse(error, status, NULL, CM_NONE);
        }
    }
    if (w->free_count)
        w->free_count--;
    else
        w->slot_count++;
    w->flags[slot] |= CM__BODY_LIVE;
    w->ids[slot] += 1u << CM__WORLD_SLOT_BITS;
    w->live_count++;
    *id = w->ids[slot];
    return CM_OK;
}

void cm__world_free_slot(cm_world *w, uint32_t slot) {
    if (w->bodies[slot].broad) cm_broad_remove(w->broad, w->bodies[slot].broad);
    w->bodies[slot].broad = 0;
    cm__world_forget_outline(w, slot);
    w->flags[slot] = 0;
    if (w->ids[slot] >> CM__WORLD_SLOT_BITS < CM__WORLD_GENERATIONS) w->freed_slots[w->freed_count++] = slot;
}

cm_status cm_world_remove(cm_world *w, uint32_t id) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy == CM__WORLD_ASKING) return CM_INVALID;
    w->live_count--;
    if (w->busy) {
        cm__world_keep_removal(w, slot);
        w->flags[slot] |= CM__BODY_DYING;
        w->late = true;
    } else {
        cm__world_free_slot(w, slot);
    }
    return CM_OK;
}

/* --- changes ------------------------------------------------------------------------------------------------- */

/* Puts the object's box where it stands. */
static cm_status world_place(cm_world *w, uint32_t slot) {
    cm_aabb box;
    cm__world_box(w, slot, &box);
    return cm_broad_move(w->broad, w->bodies[slot].broad, &box);
}

static void world_rest(cm_world *w, uint32_t slot) {
    cm__world_hold(&w->motions[slot]);
    w->flags[slot] &= (uint16_t) ~(CM__BODY_MOVING | CM__BODY_SWEPT);
}

cm_status cm_world_set_pose(cm_world *w, uint32_t id, const cm_pose *pose) {
    uint32_t slot;
    cm_pose checked;
    cm_aabb box;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy || !pose) return CM_INVALID;
    cm__world_outline(w, slot, false);
    cm_status status = world_pose_check(&w->bodies[slot].shape, w->bodies[slot].outline, pose, &checked, &box, NULL);
    if (status != CM_OK) return status;
    const cm_motion rest = {.start = checked};
    const cm_real margin = cm__world_own_margin(w, slot, &rest);
    box = cm__world_box_grown(w, slot, box, margin);
    status = cm_broad_move(w->broad, w->bodies[slot].broad, &box);
    if (status != CM_OK) return status;
    cm__world_set_margin(w, slot, margin);
    w->motions[slot].start = checked;
    world_rest(w, slot);
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_WIDE) | CM__BODY_CHANGED);
    return CM_OK;
}

cm_status cm_world_set_motion(cm_world *w, uint32_t id, const cm_motion *motion) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy || (w->flags[slot] & CM__BODY_FIXED)) return CM_INVALID;
    if (!motion || !cm__world_moves(motion)) {
        if (motion &&
            !(cm_vec3_is_valid(motion->move) && cm_vec3_is_valid(motion->spin) && cm_vec3_is_valid(motion->accelerate)))
            return CM_NOT_FINITE;
        world_rest(w, slot);
        return CM_OK;
    }
    cm__world_outline(w, slot, false);
    cm_motion m = *motion;
    m.start = w->motions[slot].start;
    if (!cm__world_motion_ends(w, slot, &m)) return CM_NOT_FINITE;
    w->motions[slot] = m;
    w->flags[slot] |= CM__BODY_MOVING;
    return CM_OK;
}

cm_status cm_world_set_shape(cm_world *w, uint32_t id, const cm_shape *shape, cm_error *error) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return cm__refuse(error, CM_STALE_ID, NULL, CM_NONE);
    if (w->busy) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    cm_status status = cm_shape_check(shape, error);
    if (status != CM_OK) return status;
    cm_pose pose;
    cm_aabb box;
    status = world_pose_check(shape, NULL, &w->motions[slot].start, &pose, &box, error);
    if (status != CM_OK) return status;
    cm_shape before = w->bodies[slot].shape;
    const cm_real margin = w->margins[slot];
    cm__world_forget_outline(w, slot);
    cm__world_set_body_shape(w, slot, shape);
    cm__world_set_margin(w, slot, cm__world_own_margin(w, slot, &w->motions[slot]));
    status = world_place(w, slot);
    if (status != CM_OK) {
        cm__world_set_body_shape(w, slot, &before);
        w->margins[slot] = margin;
        return cm__refuse(error, status, NULL, CM_NONE);
    }
    if ((w->flags[slot] & CM__BODY_MOVING) && !cm__world_motion_ends(w, slot, &w->motions[slot])) world_rest(w, slot);
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_WIDE) | CM__BODY_CHANGED | CM__BODY_RESHAPED);
    return CM_OK;
}

cm_status cm_world_set_filter(cm_world *w, uint32_t id, uint32_t layer, uint32_t mask, int32_t group) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy == CM__WORLD_ASKING) return CM_INVALID;
    cm__body *body = &w->bodies[slot];
    body->layer = layer, body->mask = mask, body->group = group;
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_GROUPED) | (group ? CM__BODY_GROUPED : 0));
    w->flags[slot] |= CM__BODY_CHANGED;
    if (w->busy) {
        w->flags[slot] |= CM__BODY_LATE;
        w->late = true;
        return CM_OK;
    }
    cm__world_broad_filter(body, &layer, &mask);
    return cm_broad_set_filter(w->broad, body->broad, layer, mask);
}

cm_status cm_world_set_trigger(cm_world *w, uint32_t id, bool trigger) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy == CM__WORLD_ASKING) return CM_INVALID;
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_TRIGGER) | CM__BODY_CHANGED);
    if (trigger) w->flags[slot] |= CM__BODY_TRIGGER;
    if (w->busy) w->late = true;
    return CM_OK;
}

cm_status cm_world_set_fixed(cm_world *w, uint32_t id, bool fixed) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy) return CM_INVALID;
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_FIXED) | CM__BODY_CHANGED);
    if (fixed) {
        w->flags[slot] |= CM__BODY_FIXED;
        world_rest(w, slot);
    }
    return cm_broad_set_fixed(w->broad, w->bodies[slot].broad, fixed);
}

cm_status cm_world_set_sweep(cm_world *w, uint32_t id, cm_world_sweep_mode mode) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy == CM__WORLD_ASKING || (size_t)mode > CM_WORLD_SWEEP_NEVER) return CM_INVALID;
    w->bodies[slot].mode = mode;
    return CM_OK;
}

cm_status cm_world_set_user(cm_world *w, uint32_t id, uint64_t user) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    if (w->busy == CM__WORLD_ASKING) return CM_INVALID;
    w->bodies[slot].user = user;
    return CM_OK;
}

/* --- reading ------------------------------------------------------------------------------------------------- */

cm_status cm_world_get(const cm_world *w, uint32_t id, cm_world_object_desc *out) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    const cm__body *body = &w->bodies[slot];
    memset(out, 0, sizeof *out);
    out->shape = body->shape;
    out->pose = w->motions[slot].start;
    out->fixed = (w->flags[slot] & CM__BODY_FIXED) != 0;
    out->trigger = (w->flags[slot] & CM__BODY_TRIGGER) != 0;
    out->layer = body->layer, out->mask = body->mask, out->group = body->group;
    out->exact = true;
    out->user = body->user;
    out->sweep = body->mode;
    return CM_OK;
}

cm_status cm_world_get_pose(const cm_world *w, uint32_t id, cm_pose *out) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    *out = w->motions[slot].start;
    return CM_OK;
}

cm_status cm_world_get_motion(const cm_world *w, uint32_t id, cm_motion *out) {
    uint32_t slot;
    if (!w || !cm__world_find(w, id, &slot)) return CM_STALE_ID;
    *out = w->motions[slot];
    return CM_OK;
}

cm_status cm_world_get_box(const cm_world *w, uint32_t id, cm_aabb *out) {
    uint32_t slot;
    cm_broad_object_desc object;
    if (!w || !cm__world_find(w, id, &slot) || !w->bodies[slot].broad) return CM_STALE_ID;
    cm_status status = cm_broad_get(w->broad, w->bodies[slot].broad, &object);
    if (status == CM_OK) *out = object.box;
    return status;
}
