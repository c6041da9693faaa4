/* The paths of objects through a step, part by part; and from them the time at which two objects separated.
 *
 * An object follows one motion until a hit gives it another. The parts of its path before the last are in a list; the
 * last one is stored by slot. From the end of the step backwards, part by part of both objects, a sweep finds when they
 * last touched. That is done only for pairs that touched before and do not any more. Bound: CM_WORLD_HITS + 1 parts for
 * each of the two. */
#include "world/world.h"
#include "base/memory.h"

static cm__world_trip *way_trip(cm_world *w, uint32_t slot) {
    cm__world_trip *trip = &w->trips[slot];
    if (trip->step != w->step) trip->step = w->step, trip->path.before = 0, trip->swept = false;
    trip->swept |= (w->flags[slot] & CM__BODY_SWEPT) != 0;
    return trip;
}

cm_status cm__world_keep_path(cm_world *w, uint32_t slot, cm_real u) {
    if (!WORLD_RESERVE(w, paths, w->path_count + 1)) return CM_NO_MEMORY;
    cm__world_trip *trip = way_trip(w, slot);
    const cm__world_path path = {w->motions[slot], w->since[slot], u, trip->path.before};
    w->paths[w->path_count++] = path;
    trip->path.before = (uint32_t)w->path_count;
    return CM_OK;
}

void cm__world_keep_arrival(cm_world *w, uint32_t slot) {
    if (!w->sweeping || (w->flags[slot] & CM__BODY_DYING)) return; /* for removed objects cm_world_remove does this */
    cm__world_trip *trip = way_trip(w, slot);
    trip->path.motion = w->motions[slot], trip->path.since = w->since[slot], trip->path.until = 1;
}

void cm__world_keep_removal(cm_world *w, uint32_t slot) { way_trip(w, slot)->path.until = w->now; }

void cm__world_motion_part(const cm_motion *m, cm_real first, cm_real part, cm_motion *out) {
    *out = *m;
    cm_motion_at(m, first, &out->start);
    out->move = cm_scale(cm_mul_add(m->move, first, m->accelerate), part);
    out->accelerate = cm_scale(m->accelerate, part * part);
    out->spin = cm_scale(m->spin, part);
}

/* The part of a motion, valid from `since` on, between two times of the step. */
static void world_path_part(const cm__world_path *path, cm_real from, cm_real to, cm_motion *out) {
    const cm_real whole = 1 - path->since;
    const cm_real first = whole > 0 ? (from - path->since) / whole : 1, part = whole > 0 ? (to - from) / whole : 0;
    cm__world_motion_part(&path->motion, first, part, out);
}

cm_real cm__world_held_at(const cm_world *w, uint32_t id, bool *alone) {
    uint32_t slot;
    *alone = false;
    if (!cm__world_find(w, id, &slot) || w->trips[slot].step != w->step) return 1;
    const cm_real all = w->trips[slot].swept ? w->all_held : 1;
    if (!(w->flags[slot] & CM__BODY_HELD)) return all;
    *alone = true;
    return cm_min(w->trips[slot].path.since, all);
}

/* The last part of an object's path. For an object that did not move it is its pose alone. */
static cm__world_path world_path_last(const cm_world *w, uint32_t slot) {
    cm__world_path path = {w->motions[slot], 0, (w->flags[slot] & CM__BODY_LIVE) ? 1 : 0, 0};
    return w->trips[slot].step == w->step ? w->trips[slot].path : path;
}

static bool way_is_swept(const cm_world *w, uint32_t slot) {
    return w->trips[slot].step == w->step && w->trips[slot].swept;
}

cm_real cm__world_left_at(const cm_world *w, uint32_t s, uint32_t t) {
    cm__world_path a = world_path_last(w, s), b = world_path_last(w, t);
    cm_real until = cm_min(a.until, b.until);
    /* the shape of a removed object may be gone */
    if (!(w->flags[s] & CM__BODY_LIVE) || !(w->flags[t] & CM__BODY_LIVE)) return until;
    if (!w->sweeping || (!way_is_swept(w, s) && !way_is_swept(w, t))) return 1;
    for (int i = 0; i < 2 * CM_WORLD_HITS + 2; i++) {
        const cm_real from = cm_max(a.since, b.since);
        cm_motion ma, mb;
        cm_real last;
        world_path_part(&a, from, until, &ma), world_path_part(&b, from, until, &mb);
        if (cm_sweep_last(&w->bodies[s].shape, &ma, &w->bodies[t].shape, &mb, &last))
            return cm_min(from + (until - from) * last, until);
        if (!(from > 0)) break;
        until = from;
        if (!(a.since < from) && a.before) a = w->paths[a.before - 1];
        if (!(b.since < from) && b.before) b = w->paths[b.before - 1];
    }
    return 0;
}
