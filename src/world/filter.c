/* Which pairs the filters allow, and why two objects are no pair. */
#include "world/world.h"
#include "base/text.h"

void cm__world_broad_filter(const cm__body *body, uint32_t *layer, uint32_t *mask) {
    *layer = body->group > 0 ? UINT32_MAX : body->layer;
    *mask = body->group > 0 ? UINT32_MAX : body->mask;
}

cm_world_reason cm_world_why(const cm_world *w, uint32_t a, uint32_t b) {
    uint32_t s, t;
    if (!w || !cm__world_find(w, a, &s) || !cm__world_find(w, b, &t)) return CM_WORLD_WHY_STALE;
    if (a == b) return CM_WORLD_WHY_SAME;
    if (b < a) return cm_world_why(w, b, a); /* once: then they are in order */
    cm_world_reason reason = cm__world_filter(w, s, t);
    if (reason != CM_WORLD_WHY_MEET) return reason;
    if (w->desc.meet && !w->desc.meet(w->desc.user, w, a, b)) return CM_WORLD_WHY_CALLBACK;
    cm_aabb box_s, box_t;
    cm__world_box(w, s, &box_s);
    cm__world_box(w, t, &box_t);
    if (!cm_aabb_overlaps(&box_s, &box_t)) return CM_WORLD_WHY_BOXES;
    const cm_shape *shape_s = &w->bodies[s].shape, *shape_t = &w->bodies[t].shape;
    const cm_pose *pose_s = &w->motions[s].start, *pose_t = &w->motions[t].start;
    bool trigger = ((w->flags[s] | w->flags[t]) & CM__BODY_TRIGGER) != 0;
    bool touch = trigger ? cm_overlap(shape_s, pose_s, shape_t, pose_t)
                         : cm_contact(shape_s, pose_s, shape_t, pose_t, cm__world_margin(w, s, t), NULL, 0) > 0;
    return touch ? CM_WORLD_WHY_MEET : CM_WORLD_WHY_SHAPES;
}

const char *cm_world_why_text(cm_world_reason reason) {
    static const char *const texts[] = {CM_WORLD_WHY_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof *texts, (size_t)reason, "unknown");
}

const char *cm_world_event_text(cm_world_event_kind kind) {
    static const char *const texts[] = {CM_WORLD_EVENT_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof *texts, (size_t)kind, "unknown");
}
