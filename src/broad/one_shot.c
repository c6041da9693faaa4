/* Pairs of plain arrays of boxes, without an object to keep. */
#include "broad/broad.h"
#include "broad/sorted.h"
#include "base/memory.h"

cm_status cm__find_box_pairs(const cm_allocator *mem, const cm_tasks *tasks, const cm_aabb *boxes, uint32_t count,
                             cm__pair_sink *sink) {
    cm_broad_desc desc = {CM_BROAD_SWEEP, mem, tasks, count, 0, false, 0, 0};
    cm_broad *b;
    cm_status status = cm_broad_create(&desc, &b, NULL);
    if (status != CM_OK) return status;
    cm_broad_pair_view view = {NULL, 0};
    status = cm_broad_add_many(b, boxes, 0, count, NULL, NULL);
    if (status == CM_OK) status = cm_broad_find_pairs(b, 0, &view);
    if (status == CM_OK && !cm__sink_room(sink, view.count)) status = CM_NO_MEMORY;
    for (size_t i = 0; i < view.count && status == CM_OK; ++i) {
        cm__sink_put(sink, view.pairs[i].a & CM__SLOT_MASK, view.pairs[i].b & CM__SLOT_MASK);
    }
    cm_broad_destroy(b);
    return status;
}

/* An object that holds the boxes in slots 0, 1, 2 …, so that slots are indices. */
static cm_status one_shot_object(const cm_aabb *boxes, uint32_t count, const cm_broad_pairs_desc *desc,
                                 cm_broad **out) {
    if (count > CM__SLOT_LIMIT) return CM_LIMIT;
    cm_broad_desc object = {desc->kind, desc->mem, desc->tasks, count, 0, false, 0, 0};
    cm_status status = cm_broad_create(&object, out, NULL);
    if (status != CM_OK) return status;
    status = cm_broad_add_many(*out, boxes, desc->stride, count, NULL, NULL);
    if (status != CM_OK) cm_broad_destroy(*out);
    return status;
}

/* Moves the pairs of ids out of the object, as pairs of indices. */
static void one_shot_take(cm_broad *b, cm_broad_pair_list *out, const cm_allocator *mem) {
    cm_broad_pair_list_free(out, mem);
    for (size_t i = 0; i < b->pairs.count; ++i) {
        b->pairs.pairs[i].a &= CM__SLOT_MASK;
        b->pairs.pairs[i].b &= CM__SLOT_MASK;
    }
    out->pairs = b->pairs.pairs;
    out->count = b->pairs.count;
    out->capacity = b->pairs.capacity;
    b->pairs.pairs = NULL;
    b->pairs.count = b->pairs.capacity = 0;
}

static const cm_broad_pairs_desc one_shot_defaults;

cm_status cm_broad_pairs(const cm_aabb *boxes, uint32_t count, const cm_broad_pairs_desc *desc,
                         cm_broad_pair_list *out) {
    if (!desc) desc = &one_shot_defaults;
    if (!out) return CM_INVALID;
    out->count = 0;
    cm_broad *b;
    cm_status status = one_shot_object(boxes, count, desc, &b);
    if (status != CM_OK) return status;
    cm_broad_pair_view view;
    status = cm_broad_find_pairs(b, desc->flags, &view);
    if (status == CM_OK) one_shot_take(b, out, desc->mem);
    cm_broad_destroy(b);
    return status;
}

cm_status cm_broad_pairs_between(const cm_aabb *boxes_a, uint32_t count_a, const cm_aabb *boxes_b, uint32_t count_b,
                                 const cm_broad_pairs_desc *desc, cm_broad_pair_list *out) {
    if (!desc) desc = &one_shot_defaults;
    if (!out) return CM_INVALID;
    out->count = 0;
    cm_broad *a, *b;
    cm_status status = one_shot_object(boxes_a, count_a, desc, &a);
    if (status != CM_OK) return status;
    status = one_shot_object(boxes_b, count_b, desc, &b);
    if (status == CM_OK) {
        cm_broad_pair_view view;
        status = cm_broad_find_pairs_between(a, b, desc->flags, &view);
        if (status == CM_OK) one_shot_take(a, out, desc->mem);
        cm_broad_destroy(b);
    }
    cm_broad_destroy(a);
    return status;
}

void cm_broad_pair_list_free(cm_broad_pair_list *list, const cm_allocator *mem) {
    if (!list) return;
    cm__free(mem, list->pairs, list->capacity, sizeof *list->pairs);
    list->pairs = NULL;
    list->count = list->capacity = 0;
}
