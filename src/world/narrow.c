/* The narrow phase: contacts of the pairs whose objects changed, at the end of the step; the others keep what they had.
 *
 * Pairs are tested in chunks, in parallel; each worker writes manifolds into its own buffer, each pair its result. The
 * buffers of the last update stay beside the new ones, for what is kept, until the results are committed.
 * Most pairs of overlapping boxes are apart, and stay so for many steps: each keeps the direction that proved it, and
 * is tried along that first. The trial is in double and leaves more than all rounding of the pair tests, so that it
 * never changes an answer. */
#include "world/world.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "shape/shape.h"

#include <string.h>

enum { NARROW_CHUNK = 64 };

static bool manifolds_room(const cm_world *w, cm__world_manifolds *out, size_t more) {
    return cm__reserve(w->mem, (void **)&out->items, &out->capacity, out->count + more, sizeof *out->items);
}

static void narrow_keep(const cm_world *w, const cm__world_pair *p, cm__world_manifolds *out,
                        cm__world_result *result) {
    result->touches = (p->state & (CM__PAIR_CONTACT | CM__PAIR_INSIDE)) != 0;
    if (!p->count) return;
    if (!manifolds_room(w, out, p->count)) {
        out->failed = true;
        return;
    }
    memcpy(out->items + out->count, w->manifolds_before[p->buffer].items + p->first, p->count * sizeof *out->items);
    result->count = p->count;
    out->count += p->count;
}

/* How far a posed core reaches along n, its radius included. */
static double narrow_reach(const cm_shape *shape, const cm_pose *pose, cm__point n, double *size) {
    cm__core core;
    cm__ops(shape->kind)->core(shape, &core);
    cm__frame frame = frame_of_pose(pose);
    uint32_t id = 0;
    cm__point p = core.ops->support(&core, frame_unturn(&frame, n), &id);
    *size += core.size + core.radius + cm__point_largest(core.center);
    return cm__point_dot(n, frame_turn(&frame, p)) + core.radius;
}

/* Does the direction of before still keep them more than the margin apart? */
static bool narrow_still_apart(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                               cm_vec3 apart, cm_real margin) {
    cm__point n = cm__point_of(apart);
    cm__point between = cm__point_sub(cm__point_of(pose_b->position), cm__point_of(pose_a->position));
    double size = cm__point_largest(between) + (double)margin;
    double reach = narrow_reach(a, pose_a, n, &size) + narrow_reach(b, pose_b, cm__p(-n.x, -n.y, -n.z), &size);
    return cm__point_dot(n, between) - reach > (double)margin + 64 * (double)CM_REAL_EPSILON * size;
}

static bool narrow_is_convex(const cm_shape *a, const cm_shape *b) {
    bool balls = a->kind == CM_SHAPE_POINT && b->kind == CM_SHAPE_POINT; /* as fast without */
    return !balls && cm__ops(a->kind)->shape_class == CM__CONVEX && cm__ops(b->kind)->shape_class == CM__CONVEX;
}

static void narrow_test(const cm_world *w, cm__world_pair *p, cm__world_manifolds *out, cm__world_result *result) {
    uint32_t s = cm__world_slot(p->a), t = cm__world_slot(p->b);
    const cm_shape *a = &w->bodies[s].shape, *b = &w->bodies[t].shape;
    const cm_pose *pose_a = &w->motions[s].start, *pose_b = &w->motions[t].start;
    if ((w->flags[s] | w->flags[t]) & CM__BODY_TRIGGER) {
        result->touches = cm_overlap(a, pose_a, b, pose_b);
        return;
    }
    cm_real margin = w->desc.margin;
    if (p->state & CM__PAIR_STOPPED) margin += w->slack[s] + w->slack[t];
    const bool convex = narrow_is_convex(a, b);
    if (convex && cm_largest(p->apart) > 0) {
        if (narrow_still_apart(a, pose_a, b, pose_b, p->apart, margin)) return;
        p->apart = cm_v(0, 0, 0);
    }
    int count = 1, room;
    do {
        room = count;
        if (!manifolds_room(w, out, (size_t)room)) {
            out->failed = true;
            return;
        }
        count = cm_contact(a, pose_a, b, pose_b, margin, out->items + out->count, room);
    } while (count > room);
    cm_witness witness;
    if (convex && !count && cm_distance(a, pose_a, b, pose_b, CM_COORD_MAX, &witness) < CM_COORD_MAX) {
        p->apart = witness.normal;
    }
    result->touches = count > 0;
    result->count = (uint32_t)count;
    out->count += (size_t)count;
}

static void narrow_some(void *arg, int index, int worker) {
    cm_world *w = arg;
    cm__world_manifolds *out = &w->manifolds[worker];
    size_t first = (size_t)index * NARROW_CHUNK, last = first + NARROW_CHUNK;
    for (size_t i = first; i < last && i < w->pair_count && !out->failed; i++) {
        cm__world_pair *p = &w->pairs[i];
        cm__world_result *result = &w->results[i];
        result->touches = false;
        result->buffer = (uint32_t)worker;
        result->first = (uint32_t)out->count;
        result->count = 0;
        if (!(p->state & CM__PAIR_ALLOWED)) continue;
        uint32_t flags = (uint32_t)w->flags[cm__world_slot(p->a)] | w->flags[cm__world_slot(p->b)];
        if ((p->state & CM__PAIR_TESTED) && !(flags & CM__BODY_CHANGED))
            narrow_keep(w, p, out, result);
        else
            narrow_test(w, p, out, result);
    }
}

cm_status cm__world_test(cm_world *w) {
    if (!WORLD_RESERVE(w, results, w->pair_count)) return CM_NO_MEMORY;
    for (int i = 0; i < w->workers; i++) w->manifolds[i].count = 0, w->manifolds[i].failed = false;
    cm__run(w->tasks, (int)((w->pair_count + NARROW_CHUNK - 1) / NARROW_CHUNK), narrow_some, w);
    for (int i = 0; i < w->workers; i++) {
        if (w->manifolds[i].failed) return CM_NO_MEMORY;
    }
    return CM_OK;
}
