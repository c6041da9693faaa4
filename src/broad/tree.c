/* What OCTREE, QUADTREE and BVH share. Pairs: two nodes are followed down side by side as long as their boxes overlap.
 */
#include "broad/tree.h"
#include "base/memory.h"

#include <string.h>

/* --- nodes --------------------------------------------------------------------------------------------------- */

void cm__tree_clear(cm__tree *t) {
    t->node_count = t->used = t->depth = 0;
    t->root = t->free_child = CM_NONE;
}

void cm__tree_free(cm__tree *t) {
    cm__free(t->mem, t->nodes, t->node_capacity, sizeof *t->nodes);
    cm__free(t->mem, t->node_of, t->node_of_capacity, sizeof *t->node_of);
    cm__free(t->mem, t->next, t->next_capacity, sizeof *t->next);
    cm__free(t->mem, t->prev, t->prev_capacity, sizeof *t->prev);
}

cm_status cm__tree_reserve(cm__tree *t, uint32_t entry, uint32_t blocks) {
    size_t slots = (size_t)entry + 1, nodes = (size_t)t->node_count + (size_t)blocks * t->branching + 1;
    bool ok = cm__reserve(t->mem, (void **)&t->nodes, &t->node_capacity, nodes, sizeof *t->nodes) &&
              cm__reserve(t->mem, (void **)&t->node_of, &t->node_of_capacity, slots, sizeof *t->node_of) &&
              cm__reserve(t->mem, (void **)&t->next, &t->next_capacity, slots, sizeof *t->next) &&
              cm__reserve(t->mem, (void **)&t->prev, &t->prev_capacity, slots, sizeof *t->prev);
    return ok ? CM_OK : CM_NO_MEMORY;
}

uint32_t cm__tree_take(cm__tree *t, uint32_t parent) {
    uint32_t child = t->free_child,
             count = parent == CM_NONE ? 1 : t->branching; /* a root stands alone, and leaves free groups whole */
    if (count > 1 && child != CM_NONE) {
        t->free_child = t->nodes[child].parent;
    } else {
        child = t->node_count;
        t->node_count += count;
    }
    for (uint32_t k = 0; k < count; ++k) {
        cm__tree_node *node = &t->nodes[child + k];
        node->box = cm_aabb_empty();
        node->parent = parent;
        node->child = node->head = CM_NONE;
        node->dirty = 0;
        node->height = 1;
    }
    t->used += count;
    return child;
}

void cm__tree_give_back(cm__tree *t, uint32_t child) {
    t->nodes[child].parent = t->free_child;
    t->free_child = child;
    t->used -= t->branching;
}

void cm__tree_link(cm__tree *t, uint32_t node, uint32_t slot) {
    uint32_t head = t->nodes[node].head;
    t->node_of[slot] = node;
    t->prev[slot] = CM_NONE;
    t->next[slot] = head;
    if (head != CM_NONE) t->prev[head] = slot;
    t->nodes[node].head = slot;
}

void cm__tree_unlink(cm__tree *t, uint32_t slot) {
    uint32_t before = t->prev[slot], after = t->next[slot];
    if (before == CM_NONE)
        t->nodes[t->node_of[slot]].head = after;
    else
        t->next[before] = after;
    if (after != CM_NONE) t->prev[after] = before;
}

void cm__tree_mark(cm__tree *t, uint32_t node) {
    for (; node != CM_NONE && !t->nodes[node].dirty; node = t->nodes[node].parent) t->nodes[node].dirty = 1;
}

static uint32_t tree_slot(const cm__tree *t, uint32_t entry) { return t->slots ? t->slots[entry] : entry; }

void cm__tree_refit(cm__tree *t, const cm_aabb *boxes) {
    uint32_t stack[CM__TREE_DEPTH * 8], levels[CM__TREE_DEPTH * 8], top = 0, deepest = 0;
    if (t->root == CM_NONE || !t->nodes[t->root].dirty) return;
    stack[0] = t->root, levels[0] = 1, top = 1;
    while (top) {
        uint32_t n = stack[top - 1], level = levels[top - 1];
        cm__tree_node *node = &t->nodes[n];
        if (level > deepest) deepest = level;
        if (node->dirty == 1) { /* first the children */
            node->dirty = 2;
            for (uint32_t k = 0; node->child != CM_NONE && k < t->branching; ++k) {
                if (t->nodes[node->child + k].dirty) stack[top] = node->child + k, levels[top++] = level + 1;
            }
            continue;
        }
        --top;
        node->dirty = 0;
        cm_aabb box = cm_aabb_empty();
        for (uint32_t e = node->head; e != CM_NONE; e = t->next[e]) {
            const uint32_t slot = tree_slot(t, e);
            if (!(slot & CM__ENTRY_AWAY)) box = cm_aabb_union(box, boxes[slot]);
        }
        for (uint32_t k = 0; node->child != CM_NONE && k < t->branching; ++k) {
            box = cm_aabb_union(box, t->nodes[node->child + k].box);
        }
        node->box = box;
    }
    if (deepest > t->depth) t->depth = deepest;
}

/* --- pairs --------------------------------------------------------------------------------------------------- */

typedef struct tree_pairs {
    const cm__tree *t;
    const cm_broad *b;
    cm__pair_sink *sink;
    bool failed;
} tree_pairs;

static void test_objects(tree_pairs *p, uint32_t s, uint32_t from) {
    for (uint32_t o = from; o != CM_NONE; o = p->t->next[o]) {
        ++p->sink->tests;
        if (!cm_aabb_overlaps(&p->b->boxes[s], &p->b->boxes[o])) continue;
        if (!cm__sink_slots(p->b, p->sink, s, o)) p->failed = true;
    }
}

/* The objects on node a against all on and below node n. */
static void test_below(tree_pairs *p, uint32_t a, uint32_t n) {
    const cm__tree *t = p->t;
    uint32_t stack[CM__TREE_DEPTH * 8];
    for (uint32_t s = t->nodes[a].head; s != CM_NONE && !p->failed; s = t->next[s]) {
        uint32_t top = 0;
        stack[top++] = n;
        while (top) {
            const cm__tree_node *node = &t->nodes[stack[--top]];
            ++p->sink->tests;
            if (!cm_aabb_overlaps(&p->b->boxes[s], &node->box)) continue;
            test_objects(p, s, node->head);
            for (uint32_t k = 0; node->child != CM_NONE && k < t->branching; ++k) stack[top++] = node->child + k;
        }
    }
}

typedef struct node_pair {
    uint32_t a, b; /* equal: all pairs below the node */
} node_pair;

cm_status cm__tree_pairs(const cm__tree *t, const cm_broad *b, cm__pair_sink *sink) {
    node_pair stack[CM__TREE_DEPTH * 64];
    uint32_t top = 0;
    tree_pairs p = {t, b, sink, false};
    if (t->root == CM_NONE) return CM_OK;
    stack[top].a = stack[top].b = t->root;
    ++top;
    while (top && !p.failed) {
        node_pair pair = stack[--top];
        const cm__tree_node *a = &t->nodes[pair.a], *n = &t->nodes[pair.b];
        if (pair.a == pair.b) {
            for (uint32_t s = a->head; s != CM_NONE; s = t->next[s]) test_objects(&p, s, t->next[s]);
            for (uint32_t i = 0; a->child != CM_NONE && i < t->branching; ++i) {
                if (a->head != CM_NONE) test_below(&p, pair.a, a->child + i);
                for (uint32_t j = i; j < t->branching; ++j) {
                    uint32_t c = a->child + i, d = a->child + j;
                    sink->tests += i != j;
                    if (i == j || cm_aabb_overlaps(&t->nodes[c].box, &t->nodes[d].box)) {
                        stack[top].a = c, stack[top++].b = d;
                    }
                }
            }
            continue;
        }
        for (uint32_t s = a->head; s != CM_NONE; s = t->next[s]) test_objects(&p, s, n->head);
        for (uint32_t i = 0; n->child != CM_NONE && i < t->branching; ++i) test_below(&p, pair.a, n->child + i);
        for (uint32_t i = 0; a->child != CM_NONE && i < t->branching; ++i) {
            if (n->head != CM_NONE) test_below(&p, pair.b, a->child + i);
            ++sink->tests;
            if (!cm_aabb_overlaps(&t->nodes[a->child + i].box, &n->box)) continue;
            sink->tests += n->child != CM_NONE ? t->branching : 0;
            for (uint32_t j = 0; n->child != CM_NONE && j < t->branching; ++j) {
                if (!cm_aabb_overlaps(&t->nodes[a->child + i].box, &t->nodes[n->child + j].box)) continue;
                stack[top].a = a->child + i, stack[top++].b = n->child + j;
            }
        }
    }
    return p.failed ? CM_NO_MEMORY : CM_OK;
}

/* --- queries, pictures ------------------------------------------------------------------------------------------- */

/* Near children first: they are pushed last. */
void cm__tree_visit(const cm__tree *t, cm__visitor *v) {
    uint32_t stack[CM__TREE_DEPTH * 8], top = 0;
    double bounds[CM__TREE_DEPTH * 8];
    if (t->root == CM_NONE) return;
    stack[0] = t->root, bounds[0] = v->bound(v, &t->nodes[t->root].box), top = 1;
    while (top) {
        --top;
        if (!(bounds[top] <= v->limit)) continue;
        const cm__tree_node *node = &t->nodes[stack[top]];
        for (uint32_t e = node->head; e != CM_NONE; e = t->next[e]) {
            const uint32_t slot = tree_slot(t, e);
            if (!(slot & CM__ENTRY_AWAY) && !cm__visit(v, slot)) return;
        }
        const uint32_t base = top;
        for (uint32_t k = 0; node->child != CM_NONE && k < t->branching; ++k) {
            const cm__tree_node *child = &t->nodes[node->child + k];
            if (child->head == CM_NONE && child->child == CM_NONE) continue;
            double bound = v->bound(v, &child->box);
            if (!(bound <= v->limit)) continue;
            uint32_t at = top++;
            for (; at > base && bounds[at - 1] < bound; --at) bounds[at] = bounds[at - 1], stack[at] = stack[at - 1];
            bounds[at] = bound, stack[at] = node->child + k;
        }
    }
}

static uint32_t objects_on(const cm__tree *t, uint32_t node) {
    uint32_t count = 0;
    for (uint32_t s = t->nodes[node].head; s != CM_NONE; s = t->next[s]) ++count;
    return count;
}

void cm__tree_walk(const cm__tree *t, const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    uint32_t stack[CM__TREE_DEPTH * 8], top = 0;
    int depths[CM__TREE_DEPTH * 8];
    (void)b;
    if (t->root == CM_NONE) return;
    stack[0] = t->root, depths[0] = 0, top = 1;
    while (top) {
        uint32_t n = stack[--top];
        int depth = depths[top];
        const cm__tree_node *node = &t->nodes[n];
        if (node->box.min.x <= node->box.max.x && !fn(context, &node->box, depth, objects_on(t, n))) return;
        for (uint32_t k = t->branching; node->child != CM_NONE && k-- > 0;) {
            stack[top] = node->child + k, depths[top++] = depth + 1;
        }
    }
}

void cm__tree_stats(const cm__tree *t, cm_broad_stats *out) {
    out->nodes = t->used;
    out->depth = t->depth;
    out->bytes += t->node_capacity * sizeof *t->nodes +
                  (t->node_of_capacity + t->next_capacity + t->prev_capacity) * sizeof *t->next;
}
