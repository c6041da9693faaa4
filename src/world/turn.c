/* Objects that got a new motion within the step ("turned" objects).
 *
 * The broad phase has the boxes of their old paths, and is not updated within a step. The boxes of their new paths are
 * in a second one (`rests`), a tree that is cheap to update one by one. Candidates for a turned object come from the
 * first for the other objects, and from the second for turned ones. Entries of the second are kept from step to step,
 * with filter bits of 0 while they are not used. */
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

void cm__world_forget_turns(cm_world *w) {
    for (uint32_t i = 0; i < w->turned_count; i++) {
        uint32_t slot = w->turned[i];
        w->flags[slot] &= (uint16_t)~CM__BODY_TURNED;
        if (i < w->rest_count) cm_broad_set_filter(w->rests, w->rest_ids[i], 0, 0);
    }
    w->turned_count = w->last_turn = 0;
    /* also for objects that were hit at rest and stayed at rest */
    if (w->slot_count) memset(w->hits, 0, w->slot_count);
    if (w->passed_count) {
        for (size_t i = 0; i < w->passed_capacity; i++) w->passed[i].a = w->passed[i].b = 0;
    }
    w->passed_count = 0;
}

cm_status cm__world_turn_to(cm_world *w, uint32_t slot, cm_real u, const cm_motion *rest) {
    if (!(w->flags[slot] & CM__BODY_TURNED)) {
        uint32_t place = w->turned_count;
        if (!WORLD_RESERVE(w, turned, (size_t)place + 1) || !WORLD_RESERVE(w, rest_ids, (size_t)place + 1) ||
            !WORLD_RESERVE(w, looks, (size_t)place + 1))
            return CM_NO_MEMORY;
        if (place >= w->rest_count) {
            cm_broad_object_desc object = {.box = {{0, 0, 0}, {0, 0, 0}}};
            cm_status status = cm_broad_add(w->rests, &object, &w->rest_ids[place]);
            if (status != CM_OK) return status;
            w->rest_count++;
        }
        w->turned[w->turned_count++] = slot;
        w->places[slot] = place;
        w->flags[slot] |= CM__BODY_TURNED;
        cm_broad_set_user(w->rests, w->rest_ids[place], slot);
        cm_broad_set_filter(w->rests, w->rest_ids[place], 1, UINT32_MAX);
    }
    if (cm__world_keep_way(w, slot, u) != CM_OK) return CM_NO_MEMORY;
    cm__world_arrive_margin(w, slot);
    w->motions[slot] = *rest;
    w->since[slot] = u;
    w->versions[slot]++;
    w->looks[w->places[slot]].serial = ++w->last_turn;
    w->flags[slot] = (uint16_t)((w->flags[slot] & ~CM__BODY_HELD) | CM__BODY_MOVING);
    if (cm__world_is_fast(w, slot, rest)) w->flags[slot] |= CM__BODY_SWEPT;
    cm_aabb box;
    cm__world_way_box(w, slot, rest, &box);
    cm_status status = cm_broad_move(w->rests, w->rest_ids[w->places[slot]], &box);
    return status == CM_OK ? cm_broad_update(w->rests) : status;
}

/* --- looking ahead ----------------------------------------------------------------------------------------------- */
/* Candidates for a turned object are searched along the first part of its new motion only, and farther when the step
 * reaches the end of that part: most objects are hit again before. Each part begins where the motion does and is twice
 * as long as the one before, so that there are few (as many as a number has bits); objects in the box of the part
 * before are skipped, as they were found then. Nothing is missed: objects whose boxes do not overlap until a time do
 * not touch before it; and of two turned objects, the later one searches the other's whole path. A pair is swept from
 * the later turn on, whenever it is found. */

/* look_sizes: the length of the first part, in sizes of the object. look_share: the next part is searched when this
 * share of a part has gone by, because a sweep may report its hit a little early. */
static const cm_real look_sizes = 4, look_share = CM_REAL(0.75);

typedef struct turn_search {
    cm_world *w;
    const cm_broad *broad;
    uint32_t slot;
    bool rests, failed;
    const cm__world_look *before;
} turn_search;

static bool turn_found(void *context, uint32_t id) {
    turn_search *search = context;
    cm_world *w = search->w;
    uint32_t slot = (uint32_t)search->broad->users[id & CM__SLOT_MASK];
    const uint16_t flags = w->flags[slot];
    const cm__world_look *before = search->before;
    if (slot == search->slot || slot == before->except || (flags & (CM__BODY_DYING | CM__BODY_FRESH))) return true;
    if (!search->rests && (flags & CM__BODY_TURNED)) return true; /* its box there is that of its old path */
    /* the other searches for this pair */
    if (search->rests && w->looks[w->places[slot]].serial > before->serial) return true;
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
static int turn_compare(const void *a, const void *b) {
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
static cm_status look_in(cm_world *w, uint32_t slot, const cm_aabb *box, const cm__world_look *before) {
    w->near_count = 0;
    turn_search search = {w, w->broad, slot, false, false, before};
    cm_broad_query_box(w->broad, box, 0, turn_found, &search);
    search.broad = w->rests, search.rests = true;
    if (!search.failed) cm_broad_query_box(w->rests, box, 0, turn_found, &search);
    if (search.failed) return CM_NO_MEMORY;
    if (w->desc.meet) cm__sort(w->near, w->near_count, sizeof *w->near, turn_compare);
    for (size_t i = 0; i < w->near_count; i++) {
        const cm_real since = w->since[slot];
        cm__world_found found;
        if (!cm__world_pair_is_fast(w, slot, w->near[i], since) || !turn_allowed(w, slot, w->near[i])) continue;
        w->stats.sweeps++;
        if (!cm__world_sweep_pair(w, slot, w->near[i], since, &found)) continue;
        found.u = cm_max(found.u, w->now); /* the boxes were apart until now */
        cm_status status = cm__world_line_up(w, &found);
        if (status != CM_OK) return status;
    }
    return CM_OK;
}

/* Searches along this part of the motion. */
static cm_status look_along(cm_world *w, uint32_t slot, cm_real part) {
    cm__world_look *look = &w->looks[w->places[slot]];
    const cm__world_look before = *look;
    const cm_real since = w->since[slot];
    look->box = w->rests->boxes[w->rest_ids[w->places[slot]] & CM__SLOT_MASK]; /* of the whole path */
    look->part = 1;
    if (part < 1) {
        cm_motion first;
        cm__world_motion_part(&w->motions[slot], 0, part, &first);
        cm__world_way_box(w, slot, &first, &look->box);
        if (before.part > 0) look->box = cm_aabb_union(look->box, before.box);
        look->part = part;
        const cm_real until = since + (1 - since) * part * look_share;
        cm_status status = cm__world_queue(w, (cm__world_turn){until, 0, slot, w->versions[slot]});
        if (status != CM_OK) return status;
    }
    const cm_aabb box = look->box;
    return look_in(w, slot, &box, &before);
}

cm_status cm__world_look_ahead(cm_world *w, uint32_t slot, uint32_t except) {
    if (w->flags[slot] & CM__BODY_DYING) return CM_OK;
    cm__world_look *look = &w->looks[w->places[slot]];
    look->part = 0, look->except = except;
    const cm_aabb *local = &w->bodies[slot].local;
    const cm_real size = look_sizes * cm_largest(cm_sub(local->max, local->min));
    const cm_real way = cm__world_travel(w, slot, &w->motions[slot]);
    return look_along(w, slot, size < way ? cm_max(size / way, CM_REAL_EPSILON) : 1);
}

cm_status cm__world_look_on(cm_world *w, uint32_t slot) {
    if (w->flags[slot] & CM__BODY_DYING) return CM_OK;
    return look_along(w, slot, 2 * w->looks[w->places[slot]].part);
}
