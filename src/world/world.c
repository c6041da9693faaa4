/* Life of a world. */
#include "world/world.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

static cm_status world_desc_check(const cm_world_desc *desc, cm_error *error) {
    const char *field = NULL;
    if ((size_t)desc->kind >= CM_BROAD_KIND_COUNT) field = "kind";
    if (desc->limit > CM__WORLD_SLOT_LIMIT) field = "limit";
    if (desc->capacity > CM__WORLD_SLOT_LIMIT) field = "capacity";
    if (!(desc->margin >= 0 && desc->margin <= CM_COORD_MAX)) field = "margin";
    return field ? cm__refuse(error, CM_INVALID, field, CM_NONE) : CM_OK;
}

bool cm__world_reserve(cm_world *w, size_t slots) {
    return WORLD_RESERVE(w, ids, slots) && WORLD_RESERVE(w, flags, slots) && WORLD_RESERVE(w, bodies, slots) &&
           WORLD_RESERVE(w, motions, slots) && WORLD_RESERVE(w, slack, slots) && WORLD_RESERVE(w, margins, slots) &&
           WORLD_RESERVE(w, trips, slots) && WORLD_RESERVE(w, since, slots) && WORLD_RESERVE(w, versions, slots) &&
           WORLD_RESERVE(w, hits, slots) && WORLD_RESERVE(w, free_slots, slots) &&
           WORLD_RESERVE(w, freed_slots, slots) && WORLD_RESERVE(w, movers, slots) &&
           WORLD_RESERVE(w, mover_ids, slots) && WORLD_RESERVE(w, places, slots) &&
           WORLD_RESERVE(w, mover_boxes, slots) && WORLD_RESERVE(w, tested, slots) && WORLD_RESERVE(w, odometer, slots);
}

/* Pairs of overlapping boxes, filters aside, beyond which the broad phase stops: twice as many as the filters may let
 * through, and no more than the limit of bytes has room for while they are found. */
static size_t world_broad_limit(const cm_world *w) {
    const size_t by_pairs = 2 * (size_t)w->desc.pair_limit, by_bytes = w->desc.byte_limit / CM__WORLD_FOUND_BYTES;
    return by_pairs < by_bytes ? by_pairs : by_bytes ? by_bytes : 1;
}

cm_status cm_world_create(const cm_world_desc *desc, cm_world **out, cm_error *error) {
    static const cm_world_desc defaults;
    if (!desc) desc = &defaults;
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    cm_status status = world_desc_check(desc, error);
    if (status != CM_OK) return status;
    cm_world *w = cm__alloc(desc->mem, 1, sizeof *w);
    if (!w) return cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    memset(w, 0, sizeof *w);
    w->desc = *desc;
    if (!w->desc.limit) w->desc.limit = CM__WORLD_SLOT_LIMIT;
    if (!w->desc.pair_limit) w->desc.pair_limit = CM__WORLD_PAIR_LIMIT;
    if (!w->desc.byte_limit) w->desc.byte_limit = CM__WORLD_BYTE_LIMIT;
    if (desc->mem) w->mem_copy = *desc->mem, w->mem = &w->mem_copy;
    if (desc->tasks) w->tasks_copy = *desc->tasks, w->tasks = &w->tasks_copy;
    w->desc.mem = NULL, w->desc.tasks = NULL; /* the caller's structs need not outlive this call */
    w->workers = cm__workers(w->tasks);
    w->began.mem = w->ended.mem = w->mem;
    cm_broad_desc broad = {.kind = desc->kind,
                           .mem = w->mem,
                           .tasks = w->tasks,
                           .capacity = desc->capacity,
                           .limit = CM__WORLD_SLOT_LIMIT,
                           .changes = true,
                           .pair_limit = world_broad_limit(w)};
    status = cm_broad_create(&broad, &w->broad, NULL);
    cm_broad_desc redirect_broad = {.kind = CM_BROAD_BVH, .mem = w->mem};
    if (status == CM_OK) status = cm_broad_create(&redirect_broad, &w->redirect_broad, NULL);
    size_t workers = (size_t)w->workers;
    if (status == CM_OK) {
        w->manifolds = cm__alloc(w->mem, workers * 2, sizeof *w->manifolds);
        if (w->manifolds) {
            memset(w->manifolds, 0, workers * 2 * sizeof *w->manifolds);
            w->manifolds_before = w->manifolds + workers;
        }
        if (!w->manifolds || (desc->capacity && !cm__world_reserve(w, desc->capacity))) status = CM_NO_MEMORY;
    }
    if (status != CM_OK) {
        cm_world_destroy(w);
        return cm__refuse(error, status, NULL, CM_NONE);
    }
    *out = w;
    return CM_OK;
}

void cm__world_rebind(cm_world *w) {
    if (w->mem) w->mem = &w->mem_copy;
    if (w->tasks) w->tasks = &w->tasks_copy;
    w->began.mem = w->ended.mem = w->mem;
}

static void world_free_manifolds(cm_world *w) {
    if (!w->manifolds) return;
    size_t count = (size_t)w->workers * 2;
    cm__world_manifolds *all = w->manifolds < w->manifolds_before ? w->manifolds : w->manifolds_before;
    for (size_t i = 0; i < count; i++) cm__free(w->mem, all[i].items, all[i].capacity, sizeof *all[i].items);
    cm__free(w->mem, all, count, sizeof *all);
}

#define WORLD_FREE(name) cm__free(w->mem, w->name, w->name##_capacity, sizeof *w->name)

void cm_world_destroy(cm_world *w) {
    if (!w || w->busy || w->answered) return;
    cm_broad_destroy(w->broad);
    cm_broad_destroy(w->redirect_broad);
    for (uint32_t s = 0; s < w->slot_count; s++) cm__world_forget_outline(w, s);
    world_free_manifolds(w);
    WORLD_FREE(ids), WORLD_FREE(flags), WORLD_FREE(bodies), WORLD_FREE(motions), WORLD_FREE(slack);
    WORLD_FREE(since), WORLD_FREE(versions), WORLD_FREE(hits), WORLD_FREE(free_slots), WORLD_FREE(freed_slots);
    WORLD_FREE(movers), WORLD_FREE(mover_ids), WORLD_FREE(mover_boxes), WORLD_FREE(pairs), WORLD_FREE(merged);
    WORLD_FREE(ends), WORLD_FREE(results), WORLD_FREE(order), WORLD_FREE(todo), WORLD_FREE(places);
    WORLD_FREE(found), WORLD_FREE(heap), WORLD_FREE(step_contacts), WORLD_FREE(near), WORLD_FREE(passed);
    WORLD_FREE(redirected), WORLD_FREE(redirect_ids), WORLD_FREE(searches), WORLD_FREE(events), WORLD_FREE(reported),
        WORLD_FREE(tested);
    WORLD_FREE(odometer), WORLD_FREE(margins), WORLD_FREE(trips), WORLD_FREE(paths);
    cm__sink_free(&w->began), cm__sink_free(&w->ended);
    cm__buffer_free(w->mem, &w->scratch);
    cm_allocator mem = w->mem_copy;
    cm__free(w->mem ? &mem : NULL, w, 1, sizeof *w);
}

#undef WORLD_FREE

uint32_t cm_world_count(const cm_world *w) { return w ? w->live_count : 0; }

const cm_broad *cm_world_get_broad(const cm_world *w) { return w ? w->broad : NULL; }

/* Slots are not in the order of ids: of each generation in turn, all its slots. */
uint32_t cm_world_get_ids(const cm_world *w, uint32_t *ids, uint32_t capacity) {
    if (!w || (capacity && !ids)) return 0;
    uint32_t count = 0, highest = 0;
    for (uint32_t s = 0; s < w->slot_count; s++) {
        if (w->ids[s] >> CM__WORLD_SLOT_BITS > highest) highest = w->ids[s] >> CM__WORLD_SLOT_BITS;
    }
    for (uint32_t generation = 1; generation <= highest && capacity; generation++) {
        for (uint32_t s = 0; s < w->slot_count; s++) {
            uint32_t slot;
            if (w->ids[s] >> CM__WORLD_SLOT_BITS != generation || !cm__world_find(w, w->ids[s], &slot)) continue;
            if (count < capacity) ids[count] = w->ids[s];
            count++;
        }
    }
    return capacity ? count : w->live_count;
}

void cm_world_get_events(const cm_world *w, cm_world_event_view *out) {
    out->events = w ? w->events : NULL;
    out->count = w ? w->event_count : 0;
}

void cm_world_get_stats(const cm_world *w, cm_world_stats *out) {
    memset(out, 0, sizeof *out);
    if (!w) return;
    *out = w->stats;
    out->objects = w->live_count;
    out->pairs = w->pair_count;
    size_t slot = sizeof *w->ids + sizeof *w->flags + sizeof *w->bodies + sizeof *w->motions + sizeof *w->slack +
                  sizeof *w->since + sizeof *w->versions + sizeof *w->hits + sizeof *w->places + sizeof *w->free_slots +
                  sizeof *w->freed_slots + sizeof *w->tested + sizeof *w->odometer + sizeof *w->movers +
                  sizeof *w->mover_ids + sizeof *w->mover_boxes + sizeof *w->margins + sizeof *w->trips;
    out->bytes = sizeof *w + w->ids_capacity * slot + (w->pairs_capacity + w->merged_capacity) * sizeof *w->pairs +
                 (w->began.capacity + w->ended.capacity + w->passed_capacity) * sizeof *w->passed +
                 w->scratch.capacity + w->ends_capacity * sizeof *w->ends + w->results_capacity * sizeof *w->results +
                 (w->todo_capacity + w->order_capacity) * sizeof *w->todo + w->found_capacity * sizeof *w->found +
                 w->heap_capacity * sizeof *w->heap +
                 (w->step_contacts_capacity + w->reported_capacity) * sizeof *w->step_contacts +
                 w->near_capacity * sizeof *w->near +
                 (w->redirected_capacity + w->redirect_ids_capacity) * sizeof *w->redirected +
                 w->events_capacity * sizeof *w->events + w->paths_capacity * sizeof *w->paths +
                 w->searches_capacity * sizeof *w->searches + w->outline_bytes;
    for (int i = 0; i < w->workers; i++) {
        out->bytes += (w->manifolds[i].capacity + w->manifolds_before[i].capacity) * sizeof(cm_manifold);
    }
}
