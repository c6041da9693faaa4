/* The nearest part of A and part of B: see carom/check.h.
 *
 * Pairs are measured in the order of their boxes' distances, until the boxes are farther apart than the nearest parts
 * found. Where some parts overlap, all pairs whose boxes overlap are measured, and the deepest is the answer. */
#include "check/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

typedef struct nearest_pair {
    uint32_t a, b;
    cm_real at_least; /* no nearer than this: their boxes' distance, rounded down */
} nearest_pair;

static cm_real nearest_box_gap(const cm_aabb *a, const cm_aabb *b) {
    const cm_vec3 gap = cm_vec3_max(cm_v(0, 0, 0), cm_vec3_max(cm_sub(a->min, b->max), cm_sub(b->min, a->max)));
    return cm_length(gap) * (1 - 16 * CM_REAL_EPSILON);
}

static int nearest_compare(const void *left, const void *right) {
    const nearest_pair *p = left, *q = right;
    if (p->at_least != q->at_least) return p->at_least < q->at_least ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

typedef struct nearest_list {
    nearest_pair *pairs;
    size_t count, capacity;
    cm_aabb *boxes;
} nearest_list;

static cm_status nearest_make_list(const cm_check_desc *desc, const cm_allocator *mem, nearest_list *list) {
    const uint32_t count = desc->part_count;
    const cm_aabb *boxes = list->boxes = cm__check_boxes(desc, mem);
    bool room = boxes != NULL;
    for (uint32_t a = 0; a < count && room; a++)
        for (uint32_t b = 0; b < count && room; b++) {
            if (a == b || !(check_side(desc, a) & CM_CHECK_A) || !(check_side(desc, b) & CM_CHECK_B)) continue;
            void *pairs = list->pairs;
            room = cm__reserve(mem, &pairs, &list->capacity, list->count + 1, sizeof *list->pairs);
            list->pairs = pairs;
            if (room) list->pairs[list->count++] = (nearest_pair){a, b, nearest_box_gap(&boxes[a], &boxes[b])};
        }
    if (!room) return CM_NO_MEMORY;
    cm__sort(list->pairs, list->count, sizeof *list->pairs, nearest_compare);
    return CM_OK;
}

cm_status cm_check_nearest(const cm_check_desc *desc, const cm_allocator *mem, cm_finding *out, cm_error *error) {
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    cm_status status = cm__check_refuse_desc(desc, error);
    if (status != CM_OK) return status;
    nearest_list list = {0};
    cm_finding best;
    memset(&best, 0, sizeof best);
    best.part_a = best.part_b = best.allowed = CM_NONE;
    best.outline_box = cm_aabb_empty();
    best.result.distance = CM_REAL_MAX;
    status = nearest_make_list(desc, mem, &list);
    for (size_t i = 0; i < list.count && status == CM_OK; i++) {
        const nearest_pair *pair = &list.pairs[i];
        if (pair->at_least > best.result.distance && pair->at_least > 0) break;
        const cm_real max_gap = best.result.distance > 0 ? best.result.distance : 0;
        cm_relation_result now;
        status = cm__check_relation(desc, list.boxes, (double)desc->tolerance, (cm_broad_pair){pair->a, pair->b},
                                    max_gap, NULL, &now);
        if (status == CM_OK && (best.part_a == CM_NONE || now.distance < best.result.distance))
            best.part_a = pair->a, best.part_b = pair->b, best.result = now;
    }
    cm__free(mem, list.pairs, list.capacity, sizeof *list.pairs);
    cm__free(mem, list.boxes, desc->part_count, sizeof *list.boxes);
    if (status != CM_OK) return cm__refuse(error, status, NULL, CM_NONE);
    best.kind = cm__check_kind(best.result.relation);
    *out = best;
    return CM_OK;
}
