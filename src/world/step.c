/* One step: boxes, pairs, times of impact, poses, contacts, events; in this order. */
#include "world/world.h"
#include "base/memory.h"
#include "base/tasks.h"

enum { STEP_CHUNK = 256 };

/* --- before ---------------------------------------------------------------------------------------------------- */

static void step_boxes(void *arg, int index, int worker) {
    cm_world *w = arg;
    (void)worker;
    uint32_t first = (uint32_t)index * STEP_CHUNK, last = first + STEP_CHUNK;
    for (uint32_t i = first; i < last && i < w->mover_count; i++) {
        uint32_t slot = w->movers[i];
        uint16_t flags = (uint16_t)(w->flags[slot] & ~(CM__BODY_SWEPT | CM__BODY_HELD));
        if (flags & CM__BODY_MOVING) {
            const cm_motion *m = &w->motions[slot];
            w->slack[slot] = 0;
            cm__world_path_box(w, slot, m, &w->mover_boxes[i]);
            if (cm__world_is_fast(w, slot, m)) flags |= CM__BODY_SWEPT;
            flags |= CM__BODY_CHANGED;
        } else {
            cm__world_box(w, slot, &w->mover_boxes[i]);
        }
        w->flags[slot] = flags;
        w->mover_ids[i] = w->bodies[slot].broad;
    }
}

/* Sets the boxes of objects that move, and of those that moved in the last step and do not now. */
static cm_status step_place(cm_world *w) {
    w->mover_count = 0;
    w->stats.moved = w->stats.swept = 0;
    for (uint32_t s = 0; s < w->slot_count; s++) {
        if (w->flags[s] & (CM__BODY_MOVING | CM__BODY_WIDE)) w->movers[w->mover_count++] = s;
    }
    cm__run(w->tasks, (int)((w->mover_count + STEP_CHUNK - 1) / STEP_CHUNK), step_boxes, w);
    cm_status status =
        cm_broad_move_many(w->broad, w->mover_ids, w->mover_boxes, sizeof *w->mover_boxes, w->mover_count);
    if (status != CM_OK) return status;
    for (uint32_t i = 0; i < w->mover_count; i++) {
        uint16_t *flags = &w->flags[w->movers[i]];
        bool moving = (*flags & CM__BODY_MOVING) != 0;
        *flags = (uint16_t)((*flags & ~CM__BODY_WIDE) | (moving ? CM__BODY_WIDE : 0));
        w->stats.moved += moving;
        w->stats.swept += (*flags & CM__BODY_SWEPT) != 0;
    }
    return CM_OK;
}

/* --- after ----------------------------------------------------------------------------------------------------- */

static void step_arrive(void *arg, int index, int worker) {
    cm_world *w = arg;
    (void)worker;
    uint32_t first = (uint32_t)index * STEP_CHUNK, last = first + STEP_CHUNK;
    for (uint32_t i = first; i < last && i < w->mover_count; i++) {
        uint32_t slot = w->movers[i];
        cm_motion *m = &w->motions[slot];
        if (!(w->flags[slot] & CM__BODY_MOVING)) continue;
        cm__world_keep_arrival(w, slot);
        cm__world_arrive_margin(w, slot);
        if (cm__world_moves(m)) cm_motion_at(m, 1, &m->start);
        cm__world_hold(m);
        w->since[slot] = 0;
        w->flags[slot] &= (uint16_t) ~(CM__BODY_MOVING | CM__BODY_SWEPT | CM__BODY_PUSHED);
    }
}

/* Moves everything to the end of its motion. Objects that stood still before a hit gave them a motion are only in
 * `redirected`. */
static void step_finish(cm_world *w) {
    cm__run(w->tasks, (int)((w->mover_count + STEP_CHUNK - 1) / STEP_CHUNK), step_arrive, w);
    for (uint32_t i = 0; i < w->redirected_count; i++) {
        uint32_t slot = w->redirected[i];
        cm_motion *m = &w->motions[slot];
        if (w->flags[slot] & CM__BODY_MOVING) cm__world_keep_arrival(w, slot), cm__world_arrive_margin(w, slot);
        if (cm__world_moves(m)) cm_motion_at(m, 1, &m->start);
        cm__world_hold(m);
        w->since[slot] = 0;
        w->flags[slot] &= (uint16_t) ~(CM__BODY_MOVING | CM__BODY_SWEPT | CM__BODY_PUSHED);
        w->flags[slot] |= CM__BODY_CHANGED | CM__BODY_WIDE; /* its box is to be set */
    }
}

/* Does what callbacks left to the end of the step. */
static cm_status step_settle(cm_world *w) {
    if (!w->late) return CM_OK;
    for (uint32_t s = 0; s < w->slot_count; s++) {
        uint16_t *flags = &w->flags[s];
        if (!(*flags & CM__BODY_LIVE)) continue;
        if (*flags & CM__BODY_DYING) {
            cm__world_free_slot(w, s);
            continue;
        }
        if (*flags & CM__BODY_FRESH) {
            cm_status status = cm__world_enter(w, s);
            if (status != CM_OK) return status;
        } else if (*flags & CM__BODY_LATE) {
            uint32_t layer, mask;
            cm__world_broad_filter(&w->bodies[s], &layer, &mask);
            cm_broad_set_filter(w->broad, w->bodies[s].broad, layer, mask);
        }
        *flags &= (uint16_t) ~(CM__BODY_FRESH | CM__BODY_LATE);
    }
    w->late = false;
    return CM_OK;
}

/* Sets the boxes of objects that got a new motion in the step, where they are now. */
static cm_status step_place_redirected(cm_world *w) {
    for (uint32_t i = 0; i < w->redirected_count; i++) {
        uint32_t slot = w->redirected[i];
        if (!(w->flags[slot] & CM__BODY_LIVE)) continue;
        cm_aabb box;
        cm__world_box(w, slot, &box);
        cm_status status = cm_broad_move(w->broad, w->bodies[slot].broad, &box);
        if (status != CM_OK) return status;
        w->flags[slot] &= (uint16_t)~CM__BODY_WIDE;
    }
    return CM_OK;
}

static void step_mark_stopped(cm_world *w) {
    for (size_t i = 0; i < w->step_contact_count; i++) {
        const cm__world_step_contact *m = &w->step_contacts[i];
        if (!m->stopped) continue;
        size_t at = cm__world_pair_at(w, m->a, m->b);
        if (at < w->pair_count) w->pairs[at].state |= CM__PAIR_STOPPED;
    }
}

static cm_status step_run(cm_world *w, const cm_world_step *step) {
    cm__world_forget_redirected(w);
    w->step++, w->path_count = 0, w->sweeping = false, w->all_held = 1;
    cm_status status = step_settle(w); /* left over where the last update ran out of memory */
    if (status == CM_OK) status = step_place(w);
    if (status == CM_OK) status = cm__world_find_pairs(w);
    if (status != CM_OK) return status;
    cm__world_decide(w, true);
    w->stats.sweeps = w->stats.hits = w->stats.limits = 0;
    bool answered = false;
    w->sweeping = w->stats.swept > 0;
    if (w->todo_count) {
        w->busy = CM__WORLD_STEPPING;
        status = cm__world_impacts(w, step);
        answered = w->stats.hits > 0 || w->stats.limits > 0 || w->redirected_count || w->late;
        if (status != CM_OK && !answered) return status; /* nothing has moved */
    }
    step_finish(w);
    if (status == CM_OK) status = step_settle(w);
    if (status == CM_OK) status = step_place_redirected(w);
    if (status == CM_OK && answered) {
        status = cm__world_find_pairs(w);
        if (status == CM_OK) cm__world_decide(w, false);
    }
    if (status != CM_OK) return status;
    step_mark_stopped(w);
    status = cm__world_test(w);
    if (status == CM_OK) status = cm__world_report(w);
    return status;
}

cm_status cm_world_update(cm_world *w, const cm_world_step *step) {
    if (!w || w->busy || w->answered) return CM_INVALID;
    w->event_count = 0;
    w->busy = CM__WORLD_STEPPING;
    cm_status status = step_run(w, step);
    w->busy = CM__WORLD_FREE;
    return status;
}
