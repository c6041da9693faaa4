/* Objects that got a new motion within the step ("redirected" objects).
 *
 * The broad phase has the boxes of their old paths, and is not updated within a step. The boxes of their new paths are
 * in a second one (`redirect_broad`), a tree that is cheap to update one by one. Candidates for a redirected object
 * come from the first for the other objects, and from the second for redirected ones. Entries of the second are kept
 * from step to step, with filter bits of 0 while they are not used. */
#include "world/world.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

/* --- pairs that passed ----------------------------------------------------------------------------------------- */

static size_t passed_place(const cm_world *w, uint32_t a, uint32_t b) {
    uint64_t key = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
    size_t mask = w->passed_capacity - 1, i = (size_t)(key >> 32) & mask;
    while (w->passed[i].a && (w->passed[i].a != a || w->passed[i].b != b)) i = (i + 1) & mask;
    return i;
}

bool cm__world_has_passed(const cm_world *w, uint32_t a, uint32_t b) {
    return w->passed_count && w->passed[passed_place(w, a, b)].a;
}

/* A table of a power of two, at most half full. */
cm_status cm__world_pass(cm_world *w, uint32_t a, uint32_t b) {
    if (2 * (w->passed_count + 1) > w->passed_capacity) {
        size_t capacity = w->passed_capacity ? 2 * w->passed_capacity : 64;
        cm_broad_pair *table = NULL;
        size_t got = 0;
        if (!cm__reserve(w->mem, (void **)&table, &got, capacity, sizeof *table)) return CM_NO_MEMORY;
        for (size_t i = 0; i < capacity; i++) table[i].a = table[i].b = 0;
        cm_broad_pair *old = w->passed;
        size_t old_capacity = w->passed_capacity;
        w->passed = table;
        w->passed_capacity = capacity;
        for (size_t i = 0; i < old_capacity; i++) {
            if (old[i].a) w->passed[passed_place(w, old[i].a, old[i].b)] = old[i];
        }
        cm__free(w->mem, old, old_capacity, sizeof *old);
    }
    cm_broad_pair *place = &w->passed[passed_place(w, a, b)];
    w->passed_count += !place->a;
    place->a = a, place->b = b;
    return CM_OK;
}

/* --- turning --------------------------------------------------------------------------------------------------- */

void cm__world_forget_redirected(cm_world *w) {
    for (uint32_t i = 0; i < w->redirected_count; i++) {
        uint32_t slot = w->redirected[i];
        w->flags[slot] &= (uint16_t)~CM__BODY_REDIRECTED;
        cm_broad_set_filter(w->redirect_broad, w->redirect_ids[i], 0, 0);
    }
    w->redirected_count = w->last_redirect = 0;
    /* also for objects that were hit at rest and stayed at rest */
    if (w->slot_count) memset(w->hits, 0, w->slot_count);
    if (w->passed_count) {
        for (size_t i = 0; i < w->passed_capacity; i++) w->passed[i].a = w->passed[i].b = 0;
    }
    w->passed_count = 0;
}

/* What was slow may lie on something, or against it, and a hit would push it in there for the rest of the step. */
static void redirect_push(cm_world *w, uint32_t slot, const cm_motion *rest) {
    if (w->bodies[slot].mode == CM_WORLD_SWEEP_NEVER || !cm__world_moves(rest)) return;
    w->flags[slot] |= CM__BODY_PUSHED | CM__BODY_SWEPT;
}

cm_status cm__world_redirect(cm_world *w, uint32_t slot, cm_real u, const cm_motion *rest) {
    if (!(w->flags[slot] & CM__BODY_REDIRECTED)) {
        uint32_t place = w->redirected_count;
        if (!WORLD_RESERVE(w, redirected, (size_t)place + 1) || !WORLD_RESERVE(w, redirect_ids, (size_t)place + 1) ||
            !WORLD_RESERVE(w, searches, (size_t)place + 1))
            return CM_NO_MEMORY;
        if (place >= w->redirect_count) {
            cm_broad_object_desc object = {.box = {{0, 0, 0}, {0, 0, 0}}};
            cm_status status = cm_broad_add(w->redirect_broad, &object, &w->redirect_ids[place]);
            if (status != CM_OK) return status;
            w->redirect_count++;
        }
        w->redirected[w->redirected_count++] = slot;
        w->places[slot] = place;
        w->flags[slot] |= CM__BODY_REDIRECTED;
        cm_broad_set_user(w->redirect_broad, w->redirect_ids[place], slot);
        cm_broad_set_filter(w->redirect_broad, w->redirect_ids[place], 1, UINT32_MAX);
    }
    if (cm__world_keep_path(w, slot, u) != CM_OK) return CM_NO_MEMORY;
    cm__world_arrive_margin(w, slot);
    w->motions[slot] = *rest;
    w->since[slot] = u;
    w->versions[slot]++;
    w->searches[w->places[slot]].serial = ++w->last_redirect;
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_HELD) | CM__BODY_MOVING);
    if (!(w->flags[slot] & CM__BODY_SWEPT)) redirect_push(w, slot, rest);
    if (cm__world_is_fast(w, slot, rest)) w->flags[slot] |= CM__BODY_SWEPT;
    cm_aabb box;
    cm__world_path_box(w, slot, rest, &box);
    cm_status status = cm_broad_move(w->redirect_broad, w->redirect_ids[w->places[slot]], &box);
    return status == CM_OK ? cm_broad_update(w->redirect_broad) : status; /* without it queries are right, but slow */
}

/* --- looking ahead ----------------------------------------------------------------------------------------------- */
/* Candidates for a redirected object are searched along the first part of its new motion only, and farther when the
 * step reaches the end of that part: most objects are hit again before. Each part begins where the motion does and is
 * twice as long as the one before, so that there are few (as many as a number has bits); objects in the box of the part
 * before are skipped, as they were found then. Nothing is missed: objects whose boxes do not overlap until a time do
 * not touch before it; and of two redirected objects, the later one searches the other's whole path. A pair is swept
 * from the later turn on, whenever it is found. */

/* search_sizes: the length of the first part, in sizes of the object. search_share: the next part is searched when this
 * share of a part has gone by, because a sweep may report its hit a little early. */
static const cm_real search_sizes = 4, search_share = CM_REAL(0.75);

typedef struct turn_search {
    cm_world *w;
    const cm_broad *broad;
    uint32_t slot;
    bool of_redirected, failed;
    const cm__world_search *before;
} turn_search;

static bool redirect_found(void *context, uint32_t id) {
    turn_search *search = context;
    cm_world *w = search->w;
    uint32_t slot = (uint32_t)search->broad->users[id & CM__SLOT_MASK];
    const uint16_t flags = w->flags[slot];
    const cm__world_search *before = search->before;
    if (slot == search->slot || slot == before->except || (flags & (CM__BODY_DYING | CM__BODY_FRESH))) return true;
    if (!search->of_redirected && (flags & CM__BODY_REDIRECTED))
        return true; /* its box there is that of its old path */
    /* the other searches for this pair */
    if (search->of_redirected && w->searches[w->places[slot]].serial > before->serial) return true;
    if (before->part > 0 && cm_aabb_overlaps(&before->box, &search->broad->boxes[id & CM__SLOT_MASK])) return true;
    if (!((flags | w->flags[search->slot]) & CM__BODY_SWEPT)) return true;
    if (cm__world_filter(w, search->slot, slot) != CM_WORLD_WHY_MEET) return true;
    if (!WORLD_RESERVE(w, near, w->near_count + 1)) {
        search->failed = true;
        return false;
    }
    w->near[w->near_count++] = slot;
    return true;
}

/* By slot, so that the callback is asked in an order that does not depend on the kind of the broad phase. */
static int redirect_compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool turn_allowed(cm_world *w, uint32_t s, uint32_t t) {
    uint32_t a = w->ids[s] < w->ids[t] ? w->ids[s] : w->ids[t], b = a == w->ids[s] ? w->ids[t] : w->ids[s];
    if (cm__world_has_passed(w, a, b)) return false;
    if (!w->desc.meet) return true;
    size_t at = cm__world_pair_at(w, a, b);
    if (at < w->pair_count) return (w->pairs[at].state & CM__PAIR_ALLOWED) != 0;
    return cm__world_may_meet(w, a, b);
}

/* Queues the sweeps with the objects that are in the box and were not in the one before. */
static cm_status search_in(cm_world *w, uint32_t slot, const cm_aabb *box, const cm__world_search *before) {
    w->near_count = 0;
    turn_search search = {w, w->broad, slot, false, false, before};
    cm_broad_query_box(w->broad, box, 0, redirect_found, &search);
    search.broad = w->redirect_broad, search.of_redirected = true;
    if (!search.failed) cm_broad_query_box(w->redirect_broad, box, 0, redirect_found, &search);
    if (search.failed) return CM_NO_MEMORY;
    if (w->desc.meet) cm__sort(w->near, w->near_count, sizeof *w->near, redirect_compare);
    for (size_t i = 0; i < w->near_count; i++) {
        const cm_real since = w->since[slot];
        if (!cm__world_pair_is_fast(w, slot, w->near[i], since) || !turn_allowed(w, slot, w->near[i])) continue;
        cm_status status = cm__world_sweep_again(w, slot, w->near[i], since);
        if (status != CM_OK) return status;
    }
    return CM_OK;
}

/* Searches along this part of the motion. */
static cm_status search_along(cm_world *w, uint32_t slot, cm_real part) {
    cm__world_search *look = &w->searches[w->places[slot]];
    const cm__world_search before = *look;
    const cm_real since = w->since[slot];
    look->box = w->redirect_broad->boxes[w->redirect_ids[w->places[slot]] & CM__SLOT_MASK]; /* of the whole path */
    look->part = 1;
    if (part < 1) {
        cm_motion first;
        cm__world_motion_part(&w->motions[slot], 0, part, &first);
        cm__world_path_box(w, slot, &first, &look->box);
        if (before.part > 0) look->box = cm_aabb_union(look->box, before.box);
        look->part = part;
        const cm_real until = cm__world_time(since, part * search_share);
        cm_status status = cm__world_queue(w, (cm__world_queued){until, 0, slot, w->versions[slot]});
        if (status != CM_OK) return status;
    }
    const cm_aabb box = look->box;
    return search_in(w, slot, &box, &before);
}

cm_status cm__world_search_ahead(cm_world *w, uint32_t slot, uint32_t except) {
    if (w->flags[slot] & CM__BODY_DYING) return CM_OK;
    cm__world_search *look = &w->searches[w->places[slot]];
    look->part = 0, look->except = except;
    const cm_aabb *local = &w->bodies[slot].local;
    const cm_real size = search_sizes * cm_largest(cm_sub(local->max, local->min));
    const cm_real path = cm__world_travel(w, slot, &w->motions[slot]);
    return search_along(w, slot, size < path ? cm_max(size / path, CM_REAL_EPSILON) : 1);
}

cm_status cm__world_search_on(cm_world *w, uint32_t slot) {
    if (w->flags[slot] & CM__BODY_DYING) return CM_OK;
    return search_along(w, slot, 2 * w->searches[w->places[slot]].part);
}
