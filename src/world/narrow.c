/* The narrow phase: contacts of the pairs whose objects changed, at the end of the step; the others keep what they had.
 *
 * Pairs are tested in chunks, in parallel; each worker writes manifolds into its own buffer, each pair its result. The
 * buffers of the last update stay beside the new ones, for what is kept, until the results are committed. */
#include "world/world.h"
#include "base/memory.h"
#include "base/tasks.h"

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
    int count = 1, room;
    do {
        room = count;
        if (!manifolds_room(w, out, (size_t)room)) {
            out->failed = true;
            return;
        }
        count = cm_contact(a, pose_a, b, pose_b, margin, out->items + out->count, room);
    } while (count > room);
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
