/* Pairs of plain arrays of boxes, without an object to keep. */
#include "broad/broad.h"
#include "broad/columns.h"
#include "base/memory.h"

/* An object that holds the boxes in slots 0, 1, 2 …, so that slots are indices. */
static cm_status one_shot_object(const cm_aabb *boxes, uint32_t count, const cm_broad_pairs_desc *desc,
                                 cm_broad **out) {
    if (count > CM__SLOT_LIMIT) return CM_LIMIT;
    cm_broad_desc object = {.kind = desc->kind, .mem = desc->mem, .tasks = desc->tasks, .capacity = count};
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

/* Straight from the array into columns, without an object; only where no box is unbounded. */
static cm_status one_shot_columns(const cm_aabb *boxes, uint32_t count, const cm_broad_pairs_desc *desc,
                                  cm_broad_pair_list *out) {
    cm__columns columns;
    cm__pair_sink sink = {.mem = desc->mem, .pairs = out->pairs, .capacity = out->capacity};
    cm__broad_buffer scratch = {NULL, 0};
    cm__columns_start(&columns, desc->mem, desc->tasks, 0);
    cm__box_source source = {{boxes, NULL}, NULL, NULL, count, 0, false, NULL};
    cm_status status = cm__columns_fill(&columns, &source);
    if (status == CM_OK) status = cm__columns_pairs(&columns, &sink);
    if (status == CM_OK && desc->flags & CM_BROAD_SORTED) status = cm__sink_sort(&sink, &scratch);
    cm__buffer_free(desc->mem, &scratch);
    cm__columns_free(&columns);
    out->pairs = sink.pairs;
    out->capacity = sink.capacity;
    out->count = status == CM_OK ? sink.count : 0;
    return status;
}

/* Bounded boxes side by side, which columns may read as they are? */
static cm_status one_shot_check(const cm_aabb *boxes, uint32_t count, const cm_broad_pairs_desc *desc, bool *plain) {
    size_t stride = desc->stride ? desc->stride : sizeof *boxes;
    *plain = stride == sizeof *boxes;
    if (count && !boxes) return CM_INVALID;
    for (uint32_t i = 0; i < count; ++i) {
        bool unbounded;
        cm_status status = cm__box_check((const cm_aabb *)(const void *)((const char *)boxes + i * stride), &unbounded);
        if (status != CM_OK) return status;
        if (unbounded) *plain = false;
    }
    return CM_OK;
}

cm_status cm_broad_pairs(const cm_aabb *boxes, uint32_t count, const cm_broad_pairs_desc *desc,
                         cm_broad_pair_list *out) {
    if (!desc) desc = &one_shot_defaults;
    if (!out) return CM_INVALID;
    out->count = 0;
    if (desc->flags & ~CM_BROAD_SORTED || (size_t)desc->kind >= CM_BROAD_KIND_COUNT) return CM_INVALID;
    if (count > CM__SLOT_LIMIT) return CM_LIMIT;
    bool plain;
    cm_status status = one_shot_check(boxes, count, desc, &plain);
    if (status != CM_OK) return status;
    if (plain && (desc->kind == CM_BROAD_AUTO || desc->kind == CM_BROAD_GRID)) {
        return one_shot_columns(boxes, count, desc, out);
    }
    cm_broad *b;
    status = one_shot_object(boxes, count, desc, &b);
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
