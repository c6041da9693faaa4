/* Building a compound: children checked and copied, their boxes, and a tree over those. A child without points, a
 * height field that is all holes, has no box and is not in the tree, so that nothing meets it. */
#include "base/error.h"
#include "base/memory.h"
#include "shape/compound.h"
#include "shape/shape.h"

#include <string.h>

#define COMPOUND_LEAF 1
#define COMPOUND_MOST (1u << 24)

static bool compound_no_rotation(cm_quat q) { return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0; }

static bool compound_is_empty(const cm_aabb *box) { return box->min.x > box->max.x; }

static cm_status compound_check_child(cm_compound_child *child, uint32_t i, cm_aabb *box, cm_error *error) {
    if (compound_no_rotation(child->pose.rotation)) child->pose.rotation = cm_quat_identity();
    cm_status status = cm_shape_check(&child->shape, NULL);
    if (status != CM_OK) return cm__refuse(error, status, "children.shape", i);
    const cm__shape_ops *ops = cm__ops(child->shape.kind);
    if (ops->shape_class == CM__HALFSPACE || (ops->parts && ops->parts->children))
        return cm__refuse(error, CM_UNSUPPORTED, "children.shape", i);
    if (!cm_vec3_is_valid(child->pose.position)) return cm__refuse(error, CM_NOT_FINITE, "children.pose", i);
    if (!cm_pose_is_valid(&child->pose)) return cm__refuse(error, CM_INVALID, "children.pose", i);
    cm_shape_bounds(&child->shape, &child->pose, box);
    if (compound_is_empty(box)) return CM_OK;
    if (!cm_vec3_is_valid(box->min) || !cm_vec3_is_valid(box->max))
        return cm__refuse(error, CM_NOT_FINITE, "children.pose", i);
    return CM_OK;
}

static uint64_t compound_reserve(uint64_t *bytes, uint64_t count, uint64_t size) {
    uint64_t at = (*bytes + 15) / 16 * 16;
    *bytes = at + count * size;
    return at;
}

/* `boxes` and `numbers` are those of the children in the tree. */
static cm_compound *compound_make(const cm_compound_child *children, uint32_t count, const cm_aabb *boxes,
                                  const uint32_t *numbers, const cm__bvh *tree, const cm_allocator *mem) {
    cm_compound head;
    memset(&head, 0, sizeof head);
    uint64_t bytes = sizeof head;
    head.info.children = count;
    head.info.bounds = cm_aabb_empty();
    head.in_tree = tree->item_count;
    for (uint32_t i = 0; i < head.in_tree; i++) {
        head.info.bounds = cm_aabb_union(head.info.bounds, boxes[i]);
        head.reach = cm_max(head.reach, cm_max(cm_largest(boxes[i].min), cm_largest(boxes[i].max)));
    }
    for (uint32_t i = 0; i < count; i++) {
        const cm__shape_ops *ops = cm__ops(children[i].shape.kind);
        head.curved |= ops->curved && ops->curved(&children[i].shape);
    }
    for (int k = 0; k < 3; k++) head.origin[k] = tree->origin[k];
    head.scale = tree->scale;
    head.node_count = tree->node_count;
    head.nodes = compound_reserve(&bytes, tree->node_count, sizeof(cm__bvh_node));
    head.items = compound_reserve(&bytes, head.in_tree, sizeof(uint32_t));
    head.children = compound_reserve(&bytes, count, sizeof(cm_compound_child));
    head.boxes = compound_reserve(&bytes, head.in_tree, sizeof(cm_aabb));
    head.bytes = bytes;
    cm_compound *c = bytes <= SIZE_MAX / 2 ? cm__alloc(mem, (size_t)bytes, 1) : NULL;
    if (!c) return NULL;
    memset(c, 0, (size_t)bytes);
    *c = head;
    if (head.in_tree > 0) memcpy((char *)c + head.nodes, tree->nodes, tree->node_count * sizeof(cm__bvh_node));
    uint32_t *items = (uint32_t *)(void *)((char *)c + head.items);
    cm_aabb *item_boxes = (cm_aabb *)(void *)((char *)c + head.boxes);
    for (uint32_t i = 0; i < head.in_tree; i++) {
        items[i] = numbers[tree->items[i]];
        item_boxes[i] = boxes[tree->items[i]];
    }
    memcpy((char *)c + head.children, children, count * sizeof(cm_compound_child));
    return c;
}

cm_status cm_compound_build(const cm_compound_desc *desc, const cm_allocator *mem, cm_compound **out, cm_error *error) {
    if (!desc || !out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    if (!desc->children) return cm__refuse(error, CM_INVALID, "children", CM_NONE);
    if (desc->count == 0) return cm__refuse(error, CM_INVALID, "count", CM_NONE);
    if (desc->count > COMPOUND_MOST) return cm__refuse(error, CM_LIMIT, "count", CM_NONE);
    uint32_t count = desc->count, in_tree = 0;
    cm_compound_child *children = cm__alloc(mem, count, sizeof *children);
    cm_aabb *boxes = cm__alloc(mem, count, sizeof *boxes);
    uint32_t *numbers = cm__alloc(mem, count, sizeof *numbers);
    cm_status status = children && boxes && numbers ? CM_OK : CM_NO_MEMORY;
    for (uint32_t i = 0; status == CM_OK && i < count; i++) {
        children[i] = desc->children[i];
        status = compound_check_child(&children[i], i, &boxes[in_tree], error);
        if (status == CM_OK && !compound_is_empty(&boxes[in_tree])) numbers[in_tree++] = i;
    }
    cm__bvh tree;
    memset(&tree, 0, sizeof tree);
    if (status == CM_OK && in_tree > 0) status = cm__bvh_build(boxes, in_tree, COMPOUND_LEAF, mem, &tree);
    if (status == CM_OK) {
        cm_compound *c = compound_make(children, count, boxes, numbers, &tree, mem);
        if (c)
            *out = c;
        else
            status = CM_NO_MEMORY;
        cm__bvh_free(&tree, mem);
    }
    if (status == CM_NO_MEMORY) cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    cm__free(mem, numbers, count, sizeof *numbers);
    cm__free(mem, boxes, count, sizeof *boxes);
    cm__free(mem, children, count, sizeof *children);
    return status;
}

void cm_compound_destroy(cm_compound *compound, const cm_allocator *mem) {
    if (compound) cm__free(mem, compound, (size_t)compound->bytes, 1);
}
size_t cm_compound_bytes(const cm_compound *compound) { return (size_t)compound->bytes; }
void cm_compound_get_info(const cm_compound *compound, cm_compound_info *out) { *out = compound->info; }
const cm_compound_child *cm_compound_children(const cm_compound *compound) { return compound_children(compound); }
