/* Once a frame: what was marked goes into the kind's structure, and the changes are found (changes.c). Where anything
 * fails nothing is forgotten: the next update does it all. */
#include "broad/broad.h"

static cm_status update_reload(cm_broad *b) {
    b->ops->clear(b);
    for (uint32_t s = 0; s < b->slot_count; ++s) b->flags[s] &= (uint8_t)~CM__IN_KIND;
    if (!b->ops->add) return CM_OK;
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if (!cm__is_member(b, s)) continue;
        cm_status status = b->ops->add(b, s);
        if (status != CM_OK) return status;
        b->flags[s] |= CM__IN_KIND;
    }
    return CM_OK;
}

static cm_status update_touched(cm_broad *b) {
    if (!b->ops->add) return CM_OK;
    for (uint32_t i = 0; i < b->marked_count; ++i) {
        uint32_t s = b->marked[i];
        bool now = cm__is_member(b, s);
        cm_status status = CM_OK;
        if (b->flags[s] & CM__IN_KIND) {
            if (now) {
                status = b->ops->move(b, s);
            } else {
                b->ops->remove(b, s);
                b->flags[s] &= (uint8_t)~CM__IN_KIND;
            }
        } else if (now) {
            status = b->ops->add(b, s);
            if (status == CM_OK) b->flags[s] |= CM__IN_KIND;
        }
        if (status != CM_OK) return status;
    }
    return CM_OK;
}

static void update_unmark(cm_broad *b) {
    const uint8_t keep = (uint8_t) ~(CM__MARKED | CM__OLD_FILTER);
    const uint32_t slots = b->slot_count, count = b->marked_count;
    uint8_t *const flags = b->flags;
    if (count > slots / 16) /* most: in one go */
        for (uint32_t s = 0; s < slots; ++s) flags[s] &= keep;
    else
        for (uint32_t i = 0; i < count; ++i) flags[b->marked[i]] &= keep;
}

cm_status cm_broad_update(cm_broad *b) {
    if (!b) return CM_INVALID;
    b->began.count = b->ended.count = 0;
    if (b->desc.kind == CM_BROAD_AUTO) {
        cm__auto_watch(b);
        cm_broad_kind kind = cm__auto_pick(b);
        if (kind != b->ops->kind) {
            cm_status status = cm__start_kind(b, cm__broad_ops_of(kind));
            if (status != CM_OK) return status;
        }
    }
    if (!b->dirty) return CM_OK;
    cm_status status = b->reload ? update_reload(b) : update_touched(b);
    struct cm__columns *shared = b->ops->columns && cm__changes_may_share(b) ? b->ops->columns(b) : NULL;
    b->around = shared != NULL;
    if (status == CM_OK && !shared) status = b->ops->update(b);
    if (status != CM_OK) {
        b->reload = b->fixed_dirty = true;
        return status;
    }
    b->reload = b->fixed_dirty = false;
    if (b->desc.changes) {
        status = cm__sink_status(&b->began, cm__find_changes(b, shared));
        if (status != CM_OK) {
            b->began.count = b->ended.count = 0;
            return status; /* still dirty, so that nothing is forgotten, and shared columns are filled again */
        }
    }
    update_unmark(b);
    for (uint32_t i = 0; i < b->freed_count; ++i) b->free_slots[b->free_count++] = b->freed[i];
    b->marked_count = b->freed_count = 0;
    b->dirty = false;
    return CM_OK;
}
