/* The layer that all kinds of broad phase share: ids, filters and boxes of the objects.
 *
 * An object stands in a slot; its id is the slot and the slot's generation. What is added, moved or removed changes the
 * slots at once and the kind's structure at the next update. Everything that may fail is done before anything changes,
 * and room for all later bookkeeping of a slot is made when the slot is first used, so that only adding allocates. */
#include "broad/broad.h"
#include "base/error.h"
#include "broad/columns.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "base/text.h"

#include <string.h>

const char *cm_broad_kind_text(cm_broad_kind kind) {
    static const char *const texts[] = {CM_BROAD_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof *texts, (size_t)kind, "unknown");
}

const cm__broad_ops *cm__broad_ops_of(cm_broad_kind kind) {
    static const cm__broad_ops *const table[CM_BROAD_KIND_COUNT] = {
        NULL,
        &cm__broad_brute,
        &cm__broad_sweep,
        &cm__broad_sweep3,
        &cm__broad_grid,
        &cm__broad_octree,
        &cm__broad_quadtree,
        &cm__broad_bsp,
        &cm__broad_bvh,
    };
    return table[kind];
}

/* --- life ---------------------------------------------------------------------------------------------------- */

static cm_status broad_desc_check(const cm_broad_desc *desc, cm_error *error) {
    const char *field = NULL;
    if ((size_t)desc->kind >= CM_BROAD_KIND_COUNT) field = "kind";
    if (desc->limit > CM__SLOT_LIMIT) field = "limit";
    if (desc->capacity > CM__SLOT_LIMIT) field = "capacity";
    if (!(desc->cell >= 0 && desc->cell <= CM_COORD_MAX)) field = "cell";
    if (desc->levels > CM__CELL_LEVELS) field = "levels";
    if (!(desc->loose == 0 || (desc->loose > 1 && desc->loose <= 8))) field = "loose";
    if (desc->plane < 0 || desc->plane > 3) field = "plane";
    if (!field) return CM_OK;
    return cm__refuse(error, CM_INVALID, field, CM_NONE);
}

cm_status cm__start_kind(cm_broad *b, const cm__broad_ops *ops) {
    void *state = cm__alloc(b->mem, 1, ops->state_size);
    if (!state) return CM_NO_MEMORY;
    memset(state, 0, ops->state_size);
    if (b->ops) {
        b->ops->destroy(b);
        cm__free(b->mem, b->state, 1, b->ops->state_size);
    }
    b->ops = ops;
    b->state = state;
    b->reload = b->dirty = b->fixed_dirty = true;
    return CM_OK;
}

/* Room for `slots` slots in everything kept by slot. Arrays that grew before one failed just stay larger. */
static bool broad_reserve(cm_broad *b, size_t slots) {
    bool ok = cm__reserve(b->mem, (void **)&b->boxes, &b->boxes_capacity, slots, sizeof *b->boxes) &&
              cm__reserve(b->mem, (void **)&b->ids, &b->ids_capacity, slots, sizeof *b->ids) &&
              cm__reserve(b->mem, (void **)&b->layers, &b->layers_capacity, slots, sizeof *b->layers) &&
              cm__reserve(b->mem, (void **)&b->masks, &b->masks_capacity, slots, sizeof *b->masks) &&
              cm__reserve(b->mem, (void **)&b->users, &b->users_capacity, slots, sizeof *b->users) &&
              cm__reserve(b->mem, (void **)&b->flags, &b->flags_capacity, slots, sizeof *b->flags) &&
              cm__reserve(b->mem, (void **)&b->free_slots, &b->free_capacity, slots, sizeof *b->free_slots) &&
              cm__reserve(b->mem, (void **)&b->marked, &b->touched_capacity, slots, sizeof *b->marked);
    if (ok && b->desc.changes) {
        ok = cm__reserve(b->mem, (void **)&b->old_boxes, &b->old_boxes_capacity, slots, sizeof *b->old_boxes) &&
             cm__reserve(b->mem, (void **)&b->old_ids, &b->old_ids_capacity, slots, sizeof *b->old_ids) &&
             cm__reserve(b->mem, (void **)&b->old_layers, &b->old_layers_capacity, slots, sizeof *b->old_layers) &&
             cm__reserve(b->mem, (void **)&b->old_masks, &b->old_masks_capacity, slots, sizeof *b->old_masks) &&
             cm__reserve(b->mem, (void **)&b->old_flags, &b->old_flags_capacity, slots, sizeof *b->old_flags) &&
             cm__reserve(b->mem, (void **)&b->freed, &b->freed_capacity, slots, sizeof *b->freed);
    }
    return ok;
}

cm_status cm_broad_create(const cm_broad_desc *desc, cm_broad **out, cm_error *error) {
    static const cm_broad_desc defaults;
    if (!desc) desc = &defaults;
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    cm_status status = broad_desc_check(desc, error);
    if (status != CM_OK) return status;
    cm_broad *b = cm__alloc(desc->mem, 1, sizeof *b);
    if (!b) return cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    memset(b, 0, sizeof *b);
    b->desc = *desc;
    if (!b->desc.limit) b->desc.limit = CM__SLOT_LIMIT;
    if (desc->mem) b->mem_copy = *desc->mem, b->mem = &b->mem_copy;
    if (desc->tasks) b->tasks_copy = *desc->tasks, b->tasks = &b->tasks_copy;
    b->began.mem = b->ended.mem = b->candidates.mem = b->pairs.mem = b->mem;
    b->began.limit = b->pairs.limit = desc->pair_limit; /* what ends was within it */
    if (desc->changes) {
        b->columns = cm__alloc(b->mem, 1, sizeof *b->columns);
        if (!b->columns) {
            cm_broad_destroy(b);
            return cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
        }
        cm__columns_start(b->columns, b->mem, b->tasks, 0);
    }
    cm_broad_kind kind = desc->kind == CM_BROAD_AUTO ? cm__auto_pick(b) : desc->kind;
    status = cm__start_kind(b, cm__broad_ops_of(kind));
    if (status == CM_OK && !broad_reserve(b, desc->capacity)) status = CM_NO_MEMORY;
    if (status != CM_OK) {
        cm_broad_destroy(b);
        return cm__refuse(error, status, NULL, CM_NONE);
    }
    *out = b;
    return CM_OK;
}

void cm_broad_destroy(cm_broad *b) {
    if (!b) return;
    if (b->ops) {
        b->ops->destroy(b);
        cm__free(b->mem, b->state, 1, b->ops->state_size);
    }
    cm__free(b->mem, b->boxes, b->boxes_capacity, sizeof *b->boxes);
    cm__free(b->mem, b->ids, b->ids_capacity, sizeof *b->ids);
    cm__free(b->mem, b->layers, b->layers_capacity, sizeof *b->layers);
    cm__free(b->mem, b->masks, b->masks_capacity, sizeof *b->masks);
    cm__free(b->mem, b->users, b->users_capacity, sizeof *b->users);
    cm__free(b->mem, b->flags, b->flags_capacity, sizeof *b->flags);
    cm__free(b->mem, b->free_slots, b->free_capacity, sizeof *b->free_slots);
    cm__free(b->mem, b->unbounded, b->unbounded_capacity, sizeof *b->unbounded);
    cm__free(b->mem, b->marked, b->touched_capacity, sizeof *b->marked);
    cm__free(b->mem, b->old_boxes, b->old_boxes_capacity, sizeof *b->old_boxes);
    cm__free(b->mem, b->old_ids, b->old_ids_capacity, sizeof *b->old_ids);
    cm__free(b->mem, b->old_layers, b->old_layers_capacity, sizeof *b->old_layers);
    cm__free(b->mem, b->old_masks, b->old_masks_capacity, sizeof *b->old_masks);
    cm__free(b->mem, b->old_flags, b->old_flags_capacity, sizeof *b->old_flags);
    cm__free(b->mem, b->freed, b->freed_capacity, sizeof *b->freed);
    if (b->columns) cm__columns_free(b->columns);
    cm__free(b->mem, b->columns, 1, sizeof *b->columns);
    if (b->between) cm__columns_free(b->between);
    cm__free(b->mem, b->between, 1, sizeof *b->between);
    cm__sink_free(&b->began);
    cm__sink_free(&b->ended);
    cm__sink_free(&b->candidates);
    cm__sink_free(&b->pairs);
    cm__buffer_free(b->mem, &b->scratch);
    cm_allocator mem = b->mem_copy;
    cm__free(b->mem ? &mem : NULL, b, 1, sizeof *b);
}

/* --- touching ------------------------------------------------------------------------------------------------ */

/* Notes that a slot is about to change, keeping its state of the last update where changes are wanted. */
static void broad_mark(cm_broad *b, uint32_t slot) {
    b->dirty = true;
    ++b->stirred;
    if (b->flags[slot] & CM__FIXED) b->fixed_dirty = true;
    if (b->flags[slot] & CM__MARKED || (!b->desc.changes && !b->ops->add)) return;
    if (b->desc.changes) {
        b->old_boxes[slot] = b->boxes[slot];
        b->old_ids[slot] = b->ids[slot];
        b->old_flags[slot] = b->flags[slot];
    }
    b->flags[slot] |= CM__MARKED;
    b->marked[b->marked_count++] = slot;
}

/* The same for `count` slots side by side, none of them marked yet; all but the boxes. */
static void broad_touch_run(cm_broad *b, uint32_t slot, uint32_t count) {
    uint8_t *const flags = b->flags + slot;
    uint32_t *const marked = b->marked + b->marked_count;
    b->dirty = true;
    b->stirred += count;
    if (b->desc.changes) {
        memcpy(b->old_ids + slot, b->ids + slot, count * sizeof *b->ids);
        memcpy(b->old_flags + slot, flags, count);
    }
    for (uint32_t k = 0; k < count; ++k) flags[k] |= CM__MARKED;
    for (uint32_t k = 0; k < count; ++k) marked[k] = slot + k;
    b->marked_count += count;
}

/* The boxes of now become those of before, and these are to be written over. */
static void broad_swap_boxes(cm_broad *b) {
    cm_aabb *const boxes = b->boxes;
    const size_t capacity = b->boxes_capacity;
    b->boxes = b->old_boxes, b->boxes_capacity = b->old_boxes_capacity;
    b->old_boxes = boxes, b->old_boxes_capacity = capacity;
}

/* The same, keeping layer and mask too. */
static void broad_mark_filter(cm_broad *b, uint32_t slot) {
    broad_mark(b, slot);
    if (!b->desc.changes || b->flags[slot] & CM__OLD_FILTER) return;
    b->old_layers[slot] = b->layers[slot];
    b->old_masks[slot] = b->masks[slot];
    b->flags[slot] |= CM__OLD_FILTER;
}

/* --- boxes --------------------------------------------------------------------------------------------------- */

/* Without a branch, as it runs over every box that moves. False for NaN, too. */
static inline bool box_is_plain(const cm_aabb *box) {
    const cm_real most = CM_COORD_MAX;
    const cm_vec3 lo = box->min, hi = box->max;
    return (lo.x <= hi.x) & (lo.y <= hi.y) & (lo.z <= hi.z) & (lo.x >= -most) & (lo.y >= -most) & (lo.z >= -most) &
           (hi.x <= most) & (hi.y <= most) & (hi.z <= most);
}

cm_status cm__box_check(const cm_aabb *box, bool *unbounded) {
    const cm_real most = CM_COORD_MAX;
    const cm_vec3 lo = box->min, hi = box->max;
    *unbounded = false;
    if (box_is_plain(box)) return CM_OK;
    if (lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z) {
        *unbounded = true;
        bool reaches = lo.x <= most && lo.y <= most && lo.z <= most && hi.x >= -most && hi.y >= -most && hi.z >= -most;
        return reaches ? CM_OK : CM_NOT_FINITE;
    }
    bool numbers = lo.x == lo.x && lo.y == lo.y && lo.z == lo.z && hi.x == hi.x && hi.y == hi.y && hi.z == hi.z;
    return numbers ? CM_INVALID : CM_NOT_FINITE;
}

static void unbounded_drop(cm_broad *b, uint32_t slot) {
    uint32_t i = 0;
    while (b->unbounded[i] != slot) ++i;
    b->unbounded[i] = b->unbounded[--b->unbounded_count];
}

/* Stores a checked box; room in the list of unbounded ones must have been made. */
static void broad_store_box(cm_broad *b, uint32_t slot, const cm_aabb *box, bool unbounded) {
    bool before = (b->flags[slot] & CM__UNBOUNDED) != 0;
    b->boxes[slot] = *box;
    if (unbounded == before) return;
    if (unbounded) {
        b->unbounded[b->unbounded_count++] = slot;
        b->flags[slot] |= CM__UNBOUNDED;
    } else {
        unbounded_drop(b, slot);
        b->flags[slot] &= (uint8_t)~CM__UNBOUNDED;
    }
}

/* --- objects ------------------------------------------------------------------------------------------------- */

static bool broad_find(const cm_broad *b, uint32_t id, uint32_t *slot) {
    *slot = id & CM__SLOT_MASK;
    return *slot < b->slot_count && b->ids[*slot] == id && (b->flags[*slot] & CM__LIVE);
}

static void broad_store_filter(cm_broad *b, uint32_t slot, uint32_t layer, uint32_t mask) {
    bool before = (b->flags[slot] & CM__FILTERED) != 0, now = layer != 1 || mask != UINT32_MAX;
    b->layers[slot] = layer;
    b->masks[slot] = mask;
    if (before == now) return;
    b->flags[slot] ^= CM__FILTERED;
    if (now)
        ++b->filtered_count;
    else
        --b->filtered_count;
}

/* A slot for a new object, with its next id; room must have been made. */
static uint32_t broad_take_slot(cm_broad *b) {
    uint32_t slot;
    if (b->free_count) {
        slot = b->free_slots[--b->free_count];
    } else {
        slot = b->slot_count++;
        b->ids[slot] = slot;
        b->layers[slot] = b->masks[slot] = 0;
        b->flags[slot] = 0;
        b->boxes[slot] = cm_aabb_empty();
    }
    return slot;
}

cm_status cm_broad_add_many(cm_broad *b, const cm_aabb *boxes, size_t stride, uint32_t count,
                            const cm_broad_object_desc *common, uint32_t *ids) {
    static const cm_broad_object_desc defaults;
    if (!common) common = &defaults;
    if (!stride) stride = sizeof *boxes;
    if (!b || (count && !boxes)) return CM_INVALID;
    size_t unbounded_count = b->unbounded_count;
    for (uint32_t i = 0; i < count; ++i) {
        bool unbounded;
        cm_status status = cm__box_check((const cm_aabb *)(const void *)((const char *)boxes + i * stride), &unbounded);
        if (status != CM_OK) return status;
        unbounded_count += unbounded;
    }
    uint32_t fresh = count > b->free_count ? count - b->free_count : 0;
    if (count > b->desc.limit - b->live_count || fresh > CM__SLOT_LIMIT - b->slot_count) return CM_LIMIT;
    if (!broad_reserve(b, (size_t)b->slot_count + fresh)) return CM_NO_MEMORY;
    if (!cm__reserve(b->mem, (void **)&b->unbounded, &b->unbounded_capacity, unbounded_count, sizeof *b->unbounded)) {
        return CM_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const cm_aabb *box = (const cm_aabb *)(const void *)((const char *)boxes + i * stride);
        bool unbounded;
        cm__box_check(box, &unbounded);
        uint32_t slot = broad_take_slot(b);
        broad_mark_filter(b, slot);
        b->flags[slot] |= (uint8_t)(CM__LIVE | (common->fixed ? CM__FIXED : 0));
        b->ids[slot] += 1u << CM__SLOT_BITS;
        b->users[slot] = common->user;
        broad_store_box(b, slot, box, unbounded);
        broad_store_filter(b, slot, common->layer ? common->layer : 1, common->mask ? common->mask : UINT32_MAX);
        if (ids) ids[i] = b->ids[slot];
    }
    b->live_count += count;
    if (common->fixed && count) b->fixed_count += count, b->fixed_dirty = true;
    return CM_OK;
}

cm_status cm_broad_add(cm_broad *b, const cm_broad_object_desc *object, uint32_t *id) {
    if (!object || !id) return CM_INVALID;
    return cm_broad_add_many(b, &object->box, 0, 1, object, id);
}

/* --- moving many ---------------------------------------------------------------------------------------------- */

enum {
    MOVE_FEW = 8, /* up to so many one by one: the vectors and the workers cost more to ask than they save */
    MOVE_CHUNK = 16384,
    MOVE_CHUNKS_MOST = 64
};

/* Moves in chunks that any worker may take; nothing is stored before all was checked. */
typedef struct move_job {
    cm_broad *b;
    const uint32_t *ids;
    const cm_aabb *boxes;
    size_t stride;
    uint32_t count, chunks;
    bool plain[MOVE_CHUNKS_MOST];  /* live ids, bounded boxes */
    bool rising[MOVE_CHUNKS_MOST]; /* slots in ascending order, so that no two chunks share one */
    bool fixed[MOVE_CHUNKS_MOST];
    bool run[MOVE_CHUNKS_MOST];    /* the ids of slots side by side */
    bool marked[MOVE_CHUNKS_MOST]; /* … some of them marked before */
} move_job;

static void move_range(const move_job *job, int chunk, uint32_t *first, uint32_t *last) {
    *first = (uint32_t)((uint64_t)job->count * (uint32_t)chunk / job->chunks);
    *last = (uint32_t)((uint64_t)job->count * ((uint32_t)chunk + 1) / job->chunks);
}

static const cm_aabb *move_box(const move_job *job, uint32_t i) {
    return (const cm_aabb *)(const void *)((const char *)job->boxes + i * job->stride);
}

static void move_check(void *arg, int chunk, int worker) {
    move_job *job = arg;
    const cm_broad *b = job->b;
    const uint32_t *const ids = job->ids, slots = b->slot_count;
    uint32_t first, last;
    (void)worker;
    move_range(job, chunk, &first, &last);
    uint32_t before = first ? ids[first - 1] & CM__SLOT_MASK : 0;
    bool found = true, rising = true, fixed = false;
    const uint32_t start = ids[first] & CM__SLOT_MASK, n = last - first;
    job->run[chunk] = start < slots && n <= slots - start && !memcmp(ids + first, b->ids + start, n * sizeof *ids);
    if (job->run[chunk]) {
        uint8_t all = 0xff, any = 0;
        for (uint32_t s = start; s < start + n; ++s) all &= b->flags[s], any |= b->flags[s];
        found = (all & CM__LIVE) && !(any & CM__UNBOUNDED);
        fixed = (any & CM__FIXED) != 0;
        job->marked[chunk] = (any & CM__MARKED) != 0;
        rising = start > before || !first;
    }
    for (uint32_t i = first; i < last && !job->run[chunk]; ++i) {
        const uint32_t slot = ids[i] & CM__SLOT_MASK;
        if (slot >= slots) {
            found = false;
            break;
        }
        const uint8_t flags = b->flags[slot];
        found &= (b->ids[slot] == ids[i]) & ((flags & CM__MEMBER_MASK) == CM__LIVE);
        fixed |= (flags & CM__FIXED) != 0;
        rising &= (slot > before) | !i;
        before = slot;
    }
    job->plain[chunk] = found && cm__kernel_get()->plain(move_box(job, first), job->stride, last - first);
    job->rising[chunk] = rising;
    job->fixed[chunk] = fixed;
}

static void move_store(void *arg, int chunk, int worker) {
    const move_job *job = arg;
    cm_aabb *const boxes = job->b->boxes;
    uint32_t first, last;
    (void)worker;
    move_range(job, chunk, &first, &last);
    if (job->run[chunk] && job->stride == sizeof *boxes) {
        memcpy(&boxes[job->ids[first] & CM__SLOT_MASK], move_box(job, first), (last - first) * sizeof *boxes);
        return;
    }
    for (uint32_t i = first; i < last; ++i) boxes[job->ids[i] & CM__SLOT_MASK] = *move_box(job, i);
}

/* The usual case: nothing but boxes changes, and all stays bounded. */
static bool move_plainly(cm_broad *b, const uint32_t *ids, const cm_aabb *boxes, size_t stride, uint32_t count) {
    move_job job = {.b = b, .ids = ids, .boxes = boxes, .stride = stride, .count = count, .chunks = 1};
    const uint32_t chunks = count / MOVE_CHUNK + 1;
    if (cm__workers(b->tasks) > 1) job.chunks = chunks < MOVE_CHUNKS_MOST ? chunks : MOVE_CHUNKS_MOST;
    cm__run(b->tasks, (int)job.chunks, move_check, &job);
    bool rising = true, fixed = false, fresh = true; /* fresh: every slot there is, and none was marked before */
    for (uint32_t k = 0; k < job.chunks; ++k) {
        if (!job.plain[k]) return false;
        rising &= job.rising[k], fixed |= job.fixed[k], fresh &= job.run[k] && !job.marked[k];
    }
    fresh = fresh && rising && count == b->slot_count && b->desc.changes;
    if (fresh) broad_swap_boxes(b);
    for (uint32_t k = 0; (b->desc.changes || b->ops->add) && k < job.chunks; ++k) {
        uint32_t first, last;
        move_range(&job, (int)k, &first, &last);
        const uint32_t slot = ids[first] & CM__SLOT_MASK;
        if (rising && job.run[k] && !job.marked[k]) {
            const size_t bytes = (last - first) * sizeof *b->boxes;
            if (b->desc.changes && !fresh) memcpy(b->old_boxes + slot, b->boxes + slot, bytes);
            broad_touch_run(b, slot, last - first);
            continue;
        }
        for (uint32_t i = first; i < last; ++i) broad_mark(b, ids[i] & CM__SLOT_MASK);
    }
    if (!b->desc.changes && !b->ops->add) b->stirred += count;
    cm__run(rising ? b->tasks : NULL, (int)job.chunks, move_store, &job);
    b->dirty = true;
    b->fixed_dirty |= fixed;
    return true;
}

cm_status cm_broad_move_many(cm_broad *b, const uint32_t *ids, const cm_aabb *boxes, size_t stride, uint32_t count) {
    if (!b || (count && (!ids || !boxes))) return CM_INVALID;
    if (!stride) stride = sizeof *boxes;
    if (!count || (count > MOVE_FEW && move_plainly(b, ids, boxes, stride, count))) return CM_OK;
    size_t unbounded_count = b->unbounded_count;
    for (uint32_t i = 0; i < count; ++i) {
        const cm_aabb *box = (const cm_aabb *)(const void *)((const char *)boxes + i * stride);
        uint32_t slot;
        if (!broad_find(b, ids[i], &slot)) return CM_STALE_ID;
        if (box_is_plain(box)) continue;
        bool unbounded;
        cm_status status = cm__box_check(box, &unbounded);
        if (status != CM_OK) return status;
        unbounded_count += unbounded;
    }
    if (!cm__reserve(b->mem, (void **)&b->unbounded, &b->unbounded_capacity, unbounded_count, sizeof *b->unbounded)) {
        return CM_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const cm_aabb *box = (const cm_aabb *)(const void *)((const char *)boxes + i * stride);
        uint32_t slot = ids[i] & CM__SLOT_MASK;
        broad_mark(b, slot);
        broad_store_box(b, slot, box, !box_is_plain(box));
    }
    return CM_OK;
}

/* The usual case first: bounded before and now. */
cm_status cm_broad_move(cm_broad *b, uint32_t id, const cm_aabb *box) {
    uint32_t slot;
    if (!b || !box || !broad_find(b, id, &slot) || (b->flags[slot] & CM__UNBOUNDED) || !box_is_plain(box))
        return cm_broad_move_many(b, &id, box, 0, 1);
    broad_mark(b, slot);
    b->boxes[slot] = *box;
    return CM_OK;
}

cm_status cm_broad_remove(cm_broad *b, uint32_t id) {
    uint32_t slot;
    if (!b || !broad_find(b, id, &slot)) return CM_STALE_ID;
    broad_mark_filter(b, slot);
    if (b->flags[slot] & CM__UNBOUNDED) unbounded_drop(b, slot);
    if (b->flags[slot] & CM__FIXED) --b->fixed_count;
    if (b->flags[slot] & CM__FILTERED) --b->filtered_count;
    --b->live_count;
    b->flags[slot] &= CM__MARKED | CM__IN_KIND | CM__OLD_FILTER;
    b->layers[slot] = b->masks[slot] = 0;
    b->boxes[slot] = cm_aabb_empty();
    if (id >> CM__SLOT_BITS == CM__GENERATION_LIMIT) return CM_OK; /* the slot is retired */
    if (b->desc.changes)
        b->freed[b->freed_count++] = slot; /* its end is still to be reported */
    else
        b->free_slots[b->free_count++] = slot;
    return CM_OK;
}

cm_status cm_broad_set_filter(cm_broad *b, uint32_t id, uint32_t layer, uint32_t mask) {
    uint32_t slot;
    if (!b || !broad_find(b, id, &slot)) return CM_STALE_ID;
    broad_mark_filter(b, slot);
    broad_store_filter(b, slot, layer, mask);
    return CM_OK;
}

cm_status cm_broad_set_fixed(cm_broad *b, uint32_t id, bool fixed) {
    uint32_t slot;
    if (!b || !broad_find(b, id, &slot)) return CM_STALE_ID;
    bool before = (b->flags[slot] & CM__FIXED) != 0;
    if (before == fixed) return CM_OK;
    broad_mark(b, slot);
    b->flags[slot] ^= CM__FIXED;
    b->fixed_dirty = true;
    if (fixed)
        ++b->fixed_count;
    else
        --b->fixed_count;
    return CM_OK;
}

cm_status cm_broad_set_user(cm_broad *b, uint32_t id, uint64_t user) {
    uint32_t slot;
    if (!b || !broad_find(b, id, &slot)) return CM_STALE_ID;
    b->users[slot] = user;
    return CM_OK;
}

cm_status cm_broad_get(const cm_broad *b, uint32_t id, cm_broad_object_desc *out) {
    uint32_t slot;
    if (!b || !out || !broad_find(b, id, &slot)) return CM_STALE_ID;
    out->box = b->boxes[slot];
    out->layer = b->layers[slot];
    out->mask = b->masks[slot];
    out->user = b->users[slot];
    out->fixed = (b->flags[slot] & CM__FIXED) != 0;
    return CM_OK;
}

uint32_t cm_broad_count(const cm_broad *b) { return b ? b->live_count : 0; }
